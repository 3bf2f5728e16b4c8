/* Evaluation in a module instance: variables, locals, each, count, path and terraform. */
#include "lifecheck/configuration/scope.h"
#include "lifecheck/catalog/core_message.h"

#include "lifecheck/base/arena.h"

/* The value of a local or variable in a module instance, or why it has none. BUSY: its evaluation
 * has begun and not ended, so that a reference to it is a cycle. */
typedef struct known {
    enum { BUSY, FAILED, DONE } state;
    lc_marked value;
    lc_eval_error trouble;
} known;

/* The context of a lookup. */
typedef struct lookup_context {
    lc_module_scope *scope;
    const lc_repetition *instance; /* or NULL */
} lookup_context;

static bool fail(lc_lookup *ask, const char *summary, const char *detail)
{
    ask->trouble =
        (lc_eval_error){lc_str_from_c(summary), lc_str_from_c(detail), ask->reference->place, NULL};
    return false;
}

static bool is_opentofu(const lc_module_scope *scope)
{
    return scope->around->config->profile == LC_PROFILE_OPENTOFU;
}

/* Terraform evaluates sources of modules alone before it plans. */
static bool is_of_source(const lc_module_scope *scope)
{
    return scope->around->is_static && scope->around->config->profile == LC_PROFILE_TERRAFORM;
}

static bool fail_dynamic(const lc_module_scope *scope, lc_lookup *ask)
{
    return fail(ask, is_of_source(scope) ? LC_SUMMARY_SOURCE_REFERENCE : LC_SUMMARY_STATIC_DYNAMIC,
                "only variables and locals are known before anything is planned");
}

static bool undecided(lc_lookup *ask, const char *reason)
{
    ask->value = lc_undecided_value(ask->arena, lc_str_from_c(reason), ask->reference->place);
    return true;
}

lc_module_scope *lc_module_scope_new(lc_arena *arena, const lc_eval_context *around,
                                     const lc_module *module, lc_module_scope *up,
                                     const lc_repetition *instance)
{
    lc_module_scope *scope = LC_NEW(arena, lc_module_scope);
    scope->arena = arena;
    scope->around = around;
    scope->module = module;
    scope->up = up;
    if (instance)
        scope->instance = *instance;
    lc_table_init(&scope->known, arena);
    return scope;
}

/* ---- Once evaluated, always known. */

/* The entry of `root.name`; a new one is BUSY until the caller sets its state. */
static known *remember(lc_module_scope *scope, const char *root, lc_str name, bool *is_new)
{
    lc_str key = lc_str_printf(scope->arena, "%s.%.*s", root, LC_FMT(name));
    known *k = lc_table_get(&scope->known, key);
    *is_new = !k;
    if (!k) {
        k = LC_NEW(scope->arena, known);
        lc_table_put(&scope->known, key, k);
    }
    return k;
}

/* OpenTofu reports an extra error for each value on the path to one that cannot be computed
 * statically. They are collected in order. */
static void record_dependent(const lc_module_scope *scope, lc_source_pos place)
{
    lc_troubles *passed = scope->around->passed;
    if (passed)
        *LC_PUSH(passed->arena, &passed->list, lc_eval_error) =
            (lc_eval_error){LC_STR(LC_SUMMARY_STATIC_VALUE),
                            LC_STR("what it refers to cannot be computed"), place, NULL};
}

/* Answers from a finished entry, or reports the cycle. */
static bool answer(const lc_module_scope *scope, lc_lookup *ask, const known *k)
{
    if (k->state == BUSY)
        return fail(ask, scope->around->is_static ? LC_SUMMARY_STATIC_CYCLE : LC_SUMMARY_CYCLE,
                    "the value depends on itself");
    ask->value = k->value;
    ask->trouble = k->trouble;
    if (k->state == FAILED)
        record_dependent(scope, ask->reference->place);
    return k->state == DONE;
}

static bool evaluate_at(lc_marked *out, lc_module_scope *scope, const lc_expr *expr,
                        const lc_repetition *instance, unsigned depth, lc_eval_error *trouble);

/* ---- Locals. */

/* An undeclared local is an error, unless the module has files that could not be read: it may be
 * declared there. */
static bool find_local(lc_module_scope *scope, lc_lookup *ask)
{
    bool is_new;
    const lc_config_local *local = lc_table_get(&scope->module->local, ask->reference->name);
    if (!local && scope->module->incomplete)
        return undecided(ask, "not all files of the module could be read");
    if (!local)
        return fail(ask,
                    scope->around->is_static ? LC_SUMMARY_STATIC_UNDEFINED_LOCAL
                                             : LC_SUMMARY_UNDECLARED_LOCAL,
                    "the module has no local of this name");
    known *k = remember(scope, "local", local->name, &is_new);
    if (is_new) {
        bool ok = evaluate_at(&k->value, scope, local->value, NULL, ask->depth + 1, &k->trouble);
        k->state = ok ? DONE : FAILED;
    }
    return answer(scope, ask, k);
}

/* ---- Variables. */

/* The value that the caller's block or the user assigns. *given: there is one. False: its
 * evaluation failed, see k->trouble. */
static bool given_value(lc_module_scope *scope, const lc_config_variable *v, unsigned depth,
                        known *k, bool *given)
{
    *given = false;
    if (!scope->up) {
        const lc_marked *value = lc_table_get(&scope->around->variables, v->name);
        *given = value != NULL;
        if (value)
            k->value = *value;
        return true;
    }
    const lc_config_call *call = scope->module->call;
    const lc_expr *argument = lc_expr_member_of(call->arguments, v->name);
    *given = argument != NULL;
    /* The arguments of a module call are evaluated in the caller's scope. */
    return !argument ||
           evaluate_at(&k->value, scope->up, argument, &scope->instance, depth, &k->trouble);
}

/* The summary depends on where the core notices it: with static evaluation OpenTofu fails while
 * loading modules, and asks the user for values of root variables. */
static bool fail_unset(const lc_module_scope *scope, const lc_config_variable *v, known *k)
{
    lc_str summary = LC_STR(LC_SUMMARY_NO_VALUE);
    if (scope->up && v->not_nullable)
        summary = LC_STR(LC_SUMMARY_VARIABLE_NOT_SET);
    if (scope->around->is_static && scope->module->parent)
        summary = LC_STR(LC_SUMMARY_STATIC_NO_VALUE);
    else if (scope->around->is_static)
        summary = lc_str_printf(scope->arena, LC_SUMMARY_STATIC_INPUT "var.%.*s", LC_FMT(v->name));
    k->trouble = (lc_eval_error){summary, LC_STR("the variable has no value and no default"),
                                 v->place, NULL};
    return false;
}

static lc_source_pos argument_place(const lc_module_scope *scope, const lc_config_variable *v)
{
    const lc_config_call *call = scope->up ? scope->module->call : NULL;
    const lc_expr *argument = call ? lc_expr_member_of(call->arguments, v->name) : NULL;
    return argument ? lc_expr_pos(argument) : v->place;
}

/* OpenTofu blames the variable for a value that does not fit, Terraform the argument. */
static void place_at_argument(const lc_module_scope *scope, const lc_config_variable *v, bool given,
                              known *k)
{
    if (given && !(is_opentofu(scope) && lc_str_is(k->trouble.summary, LC_SUMMARY_INPUT_VALUE)))
        k->trouble.place = argument_place(scope, v);
}

static bool fail_ephemeral(const lc_module_scope *scope, const lc_config_variable *v, known *k)
{
    k->trouble =
        (lc_eval_error){is_opentofu(scope) ? LC_STR(LC_SUMMARY_EPHEMERAL_VARIABLE)
                                           : LC_STR(LC_SUMMARY_EPHEMERAL_VALUE),
                        LC_STR("the variable would keep an ephemeral value; it says `ephemeral = "
                               "true` if it may have one"),
                        argument_place(scope, v), NULL};
    return false;
}

/* The order of the cores: assigned value, else default, then conversion, then the variable's
 * marks. */
static bool evaluate_variable(lc_module_scope *scope, const lc_config_variable *v, unsigned depth,
                              known *k)
{
    bool given;
    if (!given_value(scope, v, depth, k, &given))
        return false;
    if (!given && !v->initial)
        return fail_unset(scope, v, k);
    if (!lc_variable_value(&k->value, scope->arena, v, given ? &k->value : NULL, &k->trouble)) {
        place_at_argument(scope, v, given, k);
        return false;
    }
    if (!v->ephemeral && scope->up && (lc_marks_all(k->value) & LC_MARK_EPHEMERAL))
        return fail_ephemeral(scope, v, k);
    unsigned marks =
        (v->sensitive ? LC_MARK_SENSITIVE : 0) | (v->ephemeral ? LC_MARK_EPHEMERAL : 0);
    if (marks)
        k->value = lc_marked_with(scope->arena, k->value, marks, NULL);
    return true;
}

static bool find_variable(lc_module_scope *scope, lc_lookup *ask)
{
    bool is_new;
    const lc_config_variable *v = lc_table_get(&scope->module->variable, ask->reference->name);
    if (!v && scope->module->incomplete)
        return undecided(ask, "not all files of the module could be read");
    if (!v)
        return fail(ask,
                    scope->around->is_static ? LC_SUMMARY_STATIC_UNDEFINED_VARIABLE
                                             : LC_SUMMARY_UNDECLARED_VARIABLE,
                    "the module has no variable of this name");
    if (v->constant_false && scope->around->is_static)
        return fail(ask, LC_SUMMARY_STATIC_VARIABLE, "the variable says that it is not a constant");
    if (is_of_source(scope) && !v->constant) {
        ask->value = lc_marked_unknown(ask->arena,
                                       v->constraint.type ? v->constraint.type : &lc_type_dynamic);
        return true;
    }
    known *k = remember(scope, "var", v->name, &is_new);
    if (is_new)
        k->state = evaluate_variable(scope, v, ask->depth + 1, k) ? DONE : FAILED;
    return answer(scope, ask, k);
}

/* ---- each, count, terraform. */

static bool answer_any(lc_lookup *ask, const lc_type *type)
{
    ask->value = lc_marked_unknown(ask->arena, type);
    return true;
}

static bool find_each(const lc_module_scope *scope, const lc_repetition *instance, lc_lookup *ask)
{
    bool has = instance && instance->has_each;
    if (scope->around->is_static && !has)
        return fail_dynamic(scope, ask);
    if (!has)
        return fail(ask, LC_SUMMARY_EACH_WITHOUT_FOR_EACH, "the block has no for_each");
    bool is_value = lc_str_is(ask->reference->name, "value");
    if (!is_value && !lc_str_is(ask->reference->name, "key"))
        return fail(ask, LC_SUMMARY_EACH_ATTRIBUTE, "each has `key` and `value`");
    if (instance->any)
        return answer_any(ask, is_value ? &lc_type_dynamic : &lc_type_string);
    if (is_value) {
        ask->value = instance->each_value;
        return true;
    }
    lc_value v;
    /* An import block whose for_each is a list has numbers as keys. */
    if (instance->key.kind == LC_KEY_INT)
        lc_value_set_number(&v, lc_num_from_int(instance->key.number));
    else
        lc_value_set_string(&v, ask->arena, instance->key.text);
    ask->value = (lc_marked){lc_value_new(ask->arena, &v), NULL};
    if (instance->hidden)
        ask->value = lc_marked_with(ask->arena, ask->value, LC_MARK_HIDDEN, NULL);
    return true;
}

static bool find_count(const lc_module_scope *scope, const lc_repetition *instance, lc_lookup *ask)
{
    bool has = instance && instance->has_count;
    if (scope->around->is_static && !has)
        return fail_dynamic(scope, ask);
    if (!has)
        return fail(ask, LC_SUMMARY_COUNT_WITHOUT_COUNT, "the block has no count");
    if (!lc_str_is(ask->reference->name, "index"))
        return fail(ask, LC_SUMMARY_COUNT_ATTRIBUTE, "count has `index`");
    if (instance->any)
        return answer_any(ask, &lc_type_number);
    lc_value v;
    lc_value_set_number(&v, lc_num_from_int(instance->key.number));
    ask->value = (lc_marked){lc_value_new(ask->arena, &v), NULL};
    return true;
}

/* Nothing is being applied while a plan is made; the value is ephemeral, as it is another one then.
 */
static bool answer_applying(lc_lookup *ask)
{
    lc_value v;
    lc_value_set_bool(&v, false);
    lc_marked plain = {lc_value_new(ask->arena, &v), NULL};
    ask->value = lc_marked_with(ask->arena, plain, LC_MARK_EPHEMERAL, NULL);
    return true;
}

static bool find_terraform(const lc_module_scope *scope, lc_lookup *ask)
{
    lc_value v;
    lc_str workspace = scope->around->workspace;
    if (lc_str_is(ask->reference->name, "applying"))
        return answer_applying(ask);
    if (!lc_str_is(ask->reference->name, "workspace"))
        return fail(ask, LC_SUMMARY_INVALID_TERRAFORM, "it has `workspace`");
    lc_value_set_string(&v, ask->arena, workspace.len > 0 ? workspace : LC_STR("default"));
    ask->value = (lc_marked){lc_value_new(ask->arena, &v), NULL};
    return true;
}

/* path.module and path.root as the clients give them when they are started in the root module's
 * folder, where the root's path is ".". */
static bool find_path(const lc_module_scope *scope, lc_lookup *ask)
{
    lc_value v;
    lc_str folder = scope->module->folder;
    bool module = lc_str_is(ask->reference->name, "module");
    bool cwd = lc_str_is(ask->reference->name, "cwd");
    if (cwd && scope->around->cwd.len == 0)
        return undecided(ask, "the working directory is not known");
    if (!module && !cwd && !lc_str_is(ask->reference->name, "root"))
        return fail(ask, LC_SUMMARY_PATH_ATTRIBUTE, "path has `module`, `root` and `cwd`");
    lc_value_set_string(&v, ask->arena,
                        cwd                        ? scope->around->cwd
                        : module && folder.len > 0 ? folder
                                                   : LC_STR("."));
    ask->value = (lc_marked){lc_value_new(ask->arena, &v), NULL};
    return true;
}

/* ---- Resources, modules and what is left. */

/* References that only a planned configuration can answer. */
static bool find_outer(lc_module_scope *scope, const lc_repetition *instance, lc_lookup *ask)
{
    if (scope->around->is_static && !is_of_source(scope) && ask->reference->root == LC_ROOT_MODULE)
        return fail(ask, LC_SUMMARY_STATIC_MODULE_OUTPUT,
                    "only variables and locals are known before anything is planned");
    if (scope->around->is_static)
        return fail_dynamic(scope, ask);
    if (!scope->around->outer && ask->reference->root == LC_ROOT_SELF)
        return fail(ask,
                    scope->around->config->profile == LC_PROFILE_TERRAFORM
                        ? LC_SUMMARY_INVALID_SELF
                        : LC_SUMMARY_UNKNOWN_VARIABLE,
                    "self is an object only within a resource");
    if (scope->around->outer)
        return scope->around->outer(scope->around->context, scope, instance, ask);
    return undecided(ask, "what is planned is not known here");
}

/* The object { key, value } of an iterator. */
static lc_marked iterator_object(lc_arena *arena, const lc_iterator *at)
{
    lc_type_attr *attrs = lc_arena_zalloc(arena, 2 * sizeof *attrs);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, 2), object;
    const lc_marks **marks = lc_arena_zalloc(arena, 2 * sizeof *marks);
    attrs[0] = (lc_type_attr){.name = LC_STR("key"), .type = at->key.value->type};
    attrs[1] = (lc_type_attr){.name = LC_STR("value"), .type = at->value.value->type};
    elems[0] = *at->key.value;
    elems[1] = *at->value.value;
    marks[0] = at->key.marks;
    marks[1] = at->value.marks;
    lc_value_set_object(&object, arena, lc_type_object(arena, attrs, 2), elems);
    return (lc_marked){lc_value_new(arena, &object), lc_marks_join(arena, marks, 2)};
}

/* The iterator's object, or the attribute of it that the reference takes for a name. */
static bool find_iterator(const lc_iterator *at, lc_lookup *ask)
{
    const lc_reference *ref = ask->reference;
    size_t taken = ref->path_count - ref->count;
    lc_str name = taken ? ref->path[0].name : LC_STR_EMPTY;
    if (taken == 1 && lc_str_is(name, "key"))
        ask->value = at->key;
    else if (taken == 1 && lc_str_is(name, "value"))
        ask->value = at->value;
    else if (taken)
        return fail(ask, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE, "an iterator has key and value");
    else
        ask->value = iterator_object(ask->arena, at);
    return true;
}

static bool find(lookup_context *a, lc_lookup *ask)
{
    for (const lc_iterator *at = a->instance ? a->instance->iterators : NULL; at; at = at->up)
        if (lc_str_eq(at->name, ask->reference->head))
            return find_iterator(at, ask);
    switch (ask->reference->root) {
    case LC_ROOT_VARIABLE:
        return find_variable(a->scope, ask);
    case LC_ROOT_LOCAL:
        return find_local(a->scope, ask);
    case LC_ROOT_EACH:
        return find_each(a->scope, a->instance, ask);
    case LC_ROOT_COUNT:
        return find_count(a->scope, a->instance, ask);
    case LC_ROOT_TERRAFORM:
        if (is_of_source(a->scope))
            return fail_dynamic(a->scope, ask);
        return find_terraform(a->scope, ask);
    case LC_ROOT_PATH:
        return find_path(a->scope, ask);
    case LC_ROOT_BAD:
        return fail(ask, LC_SUMMARY_INVALID_REFERENCE, "a name and an attribute must follow");
    case LC_ROOT_SELF:
    case LC_ROOT_MODULE:
    case LC_ROOT_DATA:
    case LC_ROOT_EPHEMERAL:
    case LC_ROOT_RESOURCE:
        return find_outer(a->scope, a->instance, ask);
    }
    return false;
}

/* The lookup function of lc_scope. */
static bool lookup(void *context, lc_lookup *ask)
{
    lookup_context *a = context;
    bool good = find(a, ask);
    a->scope->lookup_failed |= !good;
    return good;
}

static bool has_provider(void *context, lc_str name)
{
    const lookup_context *a = context;
    return lc_config_required_at(a->scope->module, name) != NULL;
}

static void call_function(void *context, lc_provider_call *call)
{
    const lookup_context *a = context;
    const lc_eval_context *around = a->scope->around;
    around->call(around->context, a->scope->module, call);
}

static bool evaluate(lc_marked *out, lc_arena *arena, lc_module_scope *scope, const lc_expr *expr,
                     const lc_repetition *instance, unsigned depth, lc_eval_error *trouble)
{
    lookup_context a = {scope, instance};
    const lc_configuration *config = scope->around->config;
    lc_scope names = {.context = &a,
                      .lookup = lookup,
                      .profile = config->profile,
                      .files = &config->files,
                      .has_provider = has_provider,
                      .call = scope->around->call ? call_function : NULL,
                      .budget = config->budget,
                      .both_operands = config->client.both_operands,
                      .client = &config->client};
    return lc_evaluate(out, arena, expr, &names, depth, trouble);
}

/* Evaluation during a lookup: it continues at the depth of that lookup, which bounds chains of
 * variables and locals. */
static bool evaluate_at(lc_marked *out, lc_module_scope *scope, const lc_expr *expr,
                        const lc_repetition *instance, unsigned depth, lc_eval_error *trouble)
{
    return evaluate(out, scope->arena, scope, expr, instance, depth, trouble);
}

bool lc_scope_evaluate_in(lc_marked *out, lc_arena *arena, lc_module_scope *scope,
                          const lc_expr *expr, const lc_repetition *instance,
                          lc_eval_error *trouble)
{
    return evaluate(out, arena, scope, expr, instance, 0, trouble);
}

bool lc_scope_evaluate(lc_marked *out, lc_module_scope *scope, const lc_expr *expr,
                       const lc_repetition *instance, lc_eval_error *trouble)
{
    return evaluate(out, scope->arena, scope, expr, instance, 0, trouble);
}

bool lc_scope_named(lc_marked *out, lc_module_scope *scope, lc_root root, lc_str name,
                    lc_eval_error *trouble)
{
    lookup_context a = {scope, NULL};
    const lc_reference reference = {.root = root, .name = name};
    lc_lookup ask = {.arena = scope->arena, .reference = &reference};
    bool good = lookup(&a, &ask);
    *out = ask.value;
    *trouble = ask.trouble;
    return good;
}
