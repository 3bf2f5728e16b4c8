/* The value of references to resources and modules during planning: planned values and outputs.
 * Blocks are evaluated in the order of the graph, so what is referred to has its value already. */
#include "lifecheck/base/sort.h"
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

/* ---- Tuples and objects of marked values. */

static const lc_marks *marks_of(lc_arena *arena, const lc_marked *parts, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || parts[i].marks;
    if (!any)
        return NULL;
    lc_marks *marks = LC_NEW(arena, lc_marks);
    const lc_marks **children = lc_arena_zalloc(arena, lc_mul_size(count, sizeof *children));
    for (size_t i = 0; i < count; i++) {
        children[i] = parts[i].marks;
        if (!parts[i].marks)
            continue;
        marks->all |= parts[i].marks->all;
        if (!marks->undecided)
            marks->undecided = parts[i].marks->undecided;
    }
    marks->count = count;
    marks->children = children;
    return marks;
}

lc_marked lc_predict_tuple(lc_arena *arena, const lc_marked *parts, size_t count)
{
    const lc_type **types = LC_NEW_ARRAY(arena, const lc_type *, count);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, count), tuple;
    for (size_t i = 0; i < count; i++) {
        types[i] = parts[i].value->type;
        elems[i] = *parts[i].value;
    }
    const lc_type *type = lc_type_tuple(arena, types, count);
    lc_value_set_tuple(&tuple, arena, type, elems, count);
    return (lc_marked){lc_value_new(arena, &tuple), marks_of(arena, parts, count)};
}

LC_ORDER_BY_STR(by_name, lc_named_value, name)

lc_marked lc_predict_object_value(lc_arena *arena, lc_named_value *parts, size_t count)
{
    qsort(parts, count, sizeof *parts, by_name);
    lc_type_attr *attrs = lc_arena_zalloc(arena, lc_mul_size(count, sizeof *attrs));
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, count), object;
    lc_marked *values = LC_NEW_ARRAY(arena, lc_marked, count);
    for (size_t i = 0; i < count; i++) {
        attrs[i].name = lc_nfc(arena, parts[i].name);
        attrs[i].type = parts[i].value.value->type;
        elems[i] = *parts[i].value.value;
        values[i] = parts[i].value;
    }
    const lc_type *type = lc_type_object(arena, attrs, count);
    lc_value_set_object(&object, arena, type, elems);
    return (lc_marked){lc_value_new(arena, &object), marks_of(arena, values, count)};
}

static lc_marked null_value(lc_arena *arena)
{
    lc_value v;
    lc_value_set_null(&v, &lc_type_dynamic);
    return (lc_marked){lc_value_new(arena, &v), NULL};
}

/* ---- Answers to references. */

/* Fails the lookup with the error. Always false. */
static bool fail_lookup(lc_lookup *ask, const char *summary)
{
    ask->trouble.summary = lc_str_from_c(summary);
    ask->trouble.place = ask->reference->place;
    return false;
}

/* Fails without an error: what is referred to has reported one. */
static bool fail_silently(lc_predictor *pred, lc_lookup *ask)
{
    pred->failed_elsewhere = true;
    return fail_lookup(ask, "");
}

static bool undecided(lc_lookup *ask, const lc_undecided *why)
{
    ask->value = lc_undecided_value(ask->arena, why->reason, why->place);
    return true;
}

/* The index of the instance that the reference's key names; -1: there is none. */
static long asked_instance(const lc_lookup *ask, const lc_expansion *keys)
{
    int64_t number;
    lc_key key;
    if (ask->key->type->kind == LC_TYPE_STRING)
        key = lc_key_string(ask->key->as.string);
    else if (ask->key->type->kind == LC_TYPE_NUMBER &&
             lc_num_to_int64(ask->key->as.number, &number))
        key = lc_key_int(number);
    else
        return -1;
    lc_buf text = {0};
    lc_key_add(&text, key);
    size_t index = lc_table_get_index(&keys->by_text, lc_buf_str(&text));
    lc_buf_release(&text);
    return index != LC_NO_INDEX ? (long)index : -1;
}

/* The value of one instance if the reference has a key, else all instances in the form that the
 * repetition gives them: tuple for count, object for for_each. */
static bool choose(lc_lookup *ask, const lc_expansion *keys,
                   lc_marked (*instance)(const void *context, lc_lookup *ask, size_t i),
                   const void *context)
{
    size_t count = keys->count;
    if (keys->kind == REPEAT_NONE) {
        ask->value = instance(context, ask, 0);
        return true;
    }
    if (keys->kind == REPEAT_ENABLED) {
        ask->value = count ? instance(context, ask, 0) : null_value(ask->arena);
        return true;
    }
    /* Without such an instance the evaluator finds that out, so that `try` can go on. */
    long index = ask->key ? asked_instance(ask, keys) : -1;
    if (index >= 0) {
        ask->took_key = true;
        ask->value = instance(context, ask, (size_t)index);
        return true;
    }
    lc_named_value *parts = LC_NEW_ARRAY(ask->arena, lc_named_value, count);
    lc_marked *values = LC_NEW_ARRAY(ask->arena, lc_marked, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = instance(context, ask, i);
        parts[i] = (lc_named_value){keys->list[i].key.text, values[i]};
    }
    ask->value = keys->kind == REPEAT_COUNT ? lc_predict_tuple(ask->arena, values, count)
                                            : lc_predict_object_value(ask->arena, parts, count);
    return true;
}

static lc_marked resource_value(const void *context, lc_lookup *ask, size_t i)
{
    const lc_resource_instance *resource = context;
    const lc_planned_instance *item = &resource->items[i];
    return item->value.value ? item->value : lc_marked_unknown(ask->arena, &lc_type_dynamic);
}

/* A resource that failed has reported its error. Undecided keys make the whole value undecided. */
static bool find_resource(lc_predictor *pred, lc_module_instance *m, lc_lookup *ask)
{
    const lc_reference *ref = ask->reference;
    lc_str address = lc_str_printf(ask->arena, "%s%.*s.%.*s",
                                   ref->root == LC_ROOT_DATA        ? "data."
                                   : ref->root == LC_ROOT_EPHEMERAL ? "ephemeral."
                                                                    : "",
                                   LC_FMT(ref->type), LC_FMT(ref->name));
    lc_resource_instance *resource = lc_table_get(&m->resources, address);
    if (!lc_table_get(&m->config->resource, address)) {
        lc_undecided native = {LC_STR("not all files of the module could be read"), ref->place};
        return m->config->incomplete ? undecided(ask, &native)
                                     : fail_lookup(ask, LC_SUMMARY_UNDECLARED_RESOURCE);
    }
    if (!resource || resource->failed || resource->keys.failed)
        return fail_silently(pred, ask);
    if (resource->keys.undecided)
        return undecided(ask, resource->keys.undecided);
    if (lc_predict_is_partial(pred, resource))
        return lc_predict_partial_value(pred, resource, ask);
    if (!choose(ask, &resource->keys, resource_value, resource))
        return false;
    if (ref->root == LC_ROOT_EPHEMERAL)
        ask->value = lc_marked_with(ask->arena, ask->value, LC_MARK_EPHEMERAL, NULL);
    return true;
}

/* The outputs of a module instance as an object; only one of them if the reference names it, which
 * saves work for modules with many outputs. */
static lc_marked module_value(const void *context, lc_lookup *ask, size_t i)
{
    const lc_call_instance *call = context;
    const lc_module_instance *child = call->children[i];
    const lc_reference *ref = ask->reference;
    size_t at = ref->count && ref->steps[0].kind == LC_REF_INDEX ? 1 : 0;
    bool single = at < ref->count && ref->steps[at].kind == LC_REF_ATTR;
    size_t most = child->config->outputs.count, count = 0;
    lc_named_value *parts = LC_NEW_ARRAY(ask->arena, lc_named_value, most);
    for (size_t j = 0; j < most; j++) {
        lc_str name = child->config->outputs.items[j]->name;
        if (single && !lc_str_eq(name, ref->steps[at].name))
            continue;
        const lc_marked *v = lc_table_get(&child->outputs, name);
        if (v)
            parts[count++] = (lc_named_value){name, *v};
    }
    return lc_predict_object_value(ask->arena, parts, count);
}

static bool find_module(lc_predictor *pred, lc_module_instance *m, lc_lookup *ask)
{
    const lc_config_call *call = lc_table_get(&m->config->call_by_name, ask->reference->name);
    lc_undecided native = {LC_STR("not all files of the module could be read"),
                           ask->reference->place};
    lc_undecided remote = {LC_STR("this module is not installed"), ask->reference->place};
    if (!call)
        return m->config->incomplete ? undecided(ask, &native)
                                     : fail_lookup(ask, LC_SUMMARY_UNDECLARED_MODULE);
    if (!call->child)
        return undecided(ask, &remote);
    const lc_call_instance *instance = lc_table_get(&m->calls, call->name);
    if (!instance || instance->keys.failed)
        return fail_silently(pred, ask);
    if (instance->keys.undecided)
        return undecided(ask, instance->keys.undecided);
    return choose(ask, &instance->keys, module_value, instance);
}

static bool find_self(const lc_predictor *pred, lc_lookup *ask)
{
    if (!pred->self)
        return fail_lookup(ask, LC_SUMMARY_INVALID_SELF);
    ask->value = *pred->self;
    return true;
}

/* The evaluator handles the other roots itself. */
bool lc_predict_outer_scope(void *context, lc_module_scope *scope, const lc_repetition *instance,
                            lc_lookup *ask)
{
    lc_predictor *pred = context;
    lc_module_instance *m = scope->owner;
    (void)instance;
    switch (ask->reference->root) {
    case LC_ROOT_SELF:
        return find_self(pred, ask);
    case LC_ROOT_MODULE:
        return find_module(pred, m, ask);
    case LC_ROOT_DATA:
    case LC_ROOT_EPHEMERAL:
    case LC_ROOT_RESOURCE:
        return find_resource(pred, m, ask);
    case LC_ROOT_VARIABLE:
    case LC_ROOT_LOCAL:
    case LC_ROOT_EACH:
    case LC_ROOT_COUNT:
    case LC_ROOT_PATH:
    case LC_ROOT_TERRAFORM:
    case LC_ROOT_BAD:
        break;
    }
    return fail_lookup(ask, LC_SUMMARY_INVALID_REFERENCE);
}

/* Sets `self` for the duration of the evaluation; evaluations may be nested. */
bool lc_predict_evaluate(lc_marked *out, const lc_eval_scope *scope, const lc_expr *expr,
                         lc_eval_error *trouble)
{
    lc_predictor *pred = scope->run;
    const lc_marked *outer = pred->self;
    pred->self = scope->self;
    pred->failed_elsewhere = false;
    *trouble = (lc_eval_error){0};
    bool good = lc_scope_evaluate_in(out, arena_of(scope), scope->module->scope, expr,
                                     scope->instance, trouble);
    pred->self = outer;
    return good;
}

/* A limit of lifecheck is not an error of the client: what depends on it is left open. */
static void leave_open(lc_predictor *pred, const lc_eval_error *trouble, lc_str address)
{
    lc_run_open *open = LC_PUSH(pred->arena, &pred->out->open, lc_run_open);
    open->address = address.len ? address : LC_STR("(configuration)");
    open->undecided = lc_undecided_new(pred->arena, trouble->detail, trouble->place);
}

void lc_predict_eval_error(lc_predictor *pred, const lc_eval_error *trouble, lc_str address)
{
    if (!pred->failed_elsewhere && trouble && trouble->summary.len == 0 && trouble->detail.len) {
        leave_open(pred, trouble, address);
        return;
    }
    for (; !pred->failed_elsewhere && trouble && trouble->summary.len; trouble = trouble->next)
        lc_predict_error(pred, trouble->summary, address, trouble->place)->detail =
            lc_str_copy(pred->arena, trouble->detail);
}

/* ---- Variables, locals and outputs of modules. A module scope remembers the values of variables
 * and locals; evaluating them here, in graph order, bounds the depth of nested evaluation. */

bool lc_predict_output_value(lc_marked *out, const lc_eval_scope *scope,
                             const lc_config_output *output, lc_eval_error *trouble)
{
    lc_str why;
    lc_marked value;
    lc_arena *arena = scope->run->arena;
    if (!lc_predict_evaluate(&value, scope, output->value, trouble))
        return false;
    if (!output->type || lc_constraint_apply(out, arena, output->type, value, &why)) {
        *out = output->type ? *out : value;
        return true;
    }
    if (!lc_marked_type_is_sure(value)) {
        *out = value; /* what lifecheck cannot determine may well fit */
        return true;
    }
    *trouble = (lc_eval_error){LC_STR(LC_SUMMARY_OUTPUT_VALUE),
                               output->sensitive || lc_marks_all(value) ? LC_STR_EMPTY : why,
                               lc_expr_pos(output->value), NULL};
    return false;
}

static void keep_output(lc_predictor *pred, lc_module_instance *m, const lc_config_output *output)
{
    lc_eval_error trouble;
    lc_eval_scope scope = {.run = pred, .module = m};
    lc_marked *value = LC_NEW(pred->arena, lc_marked);
    if (!output->value || !lc_predict_conditions(&scope, &output->preconditions,
                                                 LC_SUMMARY_OUTPUT_PRECONDITION, m->text))
        return;
    if (!lc_predict_output_value(value, &scope, output, &trouble)) {
        lc_predict_eval_error(pred, &trouble, m->text);
        return;
    }
    if (!lc_predict_may_leave(pred, output, *value))
        return;
    if (output->sensitive)
        *value = lc_marked_with(pred->arena, *value, LC_MARK_SENSITIVE, NULL);
    lc_table_put(&m->outputs, output->name, value);
}

/* Evaluates a variable or local once, so that its value or error is remembered. */
static void evaluate_once(lc_predictor *pred, lc_module_instance *m, lc_root root, lc_str name)
{
    lc_marked value;
    lc_eval_error trouble;
    pred->failed_elsewhere = false;
    if (!lc_scope_named(&value, m->scope, root, name, &trouble))
        lc_predict_eval_error(pred, &trouble, m->text);
}

/* The validation blocks of a variable, for one module instance. */
static void validate(lc_predictor *pred, lc_module_instance *m, const lc_config_variable *v)
{
    lc_eval_scope scope = {.run = pred, .module = m};
    const lc_config_call *call = m->config->call;
    const lc_expr *given =
        call && call->arguments ? lc_expr_member_of(call->arguments, v->name) : NULL;
    lc_predict_validations(&scope, &v->validations, v->name, given ? lc_expr_pos(given) : v->place);
}

/* A variable whose value failed is not validated. */
void lc_predict_value_node(lc_predictor *pred, const lc_graph_node *node)
{
    for (size_t i = 0; i < pred->instances[node->module].count; i++) {
        lc_module_instance *m = pred->instances[node->module].items[i];
        if (node->kind == NODE_OUTPUT)
            keep_output(pred, m, node->block);
        else if (node->kind == NODE_LOCAL)
            evaluate_once(pred, m, LC_ROOT_LOCAL, ((const lc_config_local *)node->block)->name);
        else {
            size_t errors = pred->out->errors.count;
            evaluate_once(pred, m, LC_ROOT_VARIABLE,
                          ((const lc_config_variable *)node->block)->name);
            if (pred->out->errors.count == errors)
                validate(pred, m, node->block);
        }
    }
}
