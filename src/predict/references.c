/* References to what is not there, or not there yet. Both clients look at all references of an
 * expression before they evaluate it, in three steps: is each one complete; do the resources and
 * modules exist; do the other names. A step that finds errors is the last one. Source:
 * lang.Scope.EvalExpr, evaluationStateData.StaticValidateReferences. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

typedef struct checking {
    lc_predictor *r;
    const lc_reference_user *user;
    bool found; /* an error */
} checking;

static lc_run_error *report(checking *c, const char *summary, lc_source_pos place)
{
    c->r->stop = c->found = true;
    return lc_predict_error(c->r, lc_str_from_c(summary), c->user->address, place);
}

/* A declared name that differs little from one that is not. Long lists are not searched, since an
 * error may be reported for each reference. */
static lc_str nearest(const checking *c, const lc_reference *ref)
{
    const lc_module *m = c->user->module;
    lc_str names[256];
    size_t count = 0, most = sizeof names / sizeof *names;
    for (size_t i = 0; ref->root == LC_ROOT_VARIABLE && i < m->variables.count && i < most; i++)
        names[count++] = m->variables.items[i]->name;
    for (size_t i = 0; ref->root == LC_ROOT_LOCAL && i < m->locals.count && i < most; i++)
        names[count++] = m->locals.items[i]->name;
    for (size_t i = 0; ref->root == LC_ROOT_MODULE && i < m->calls.count && i < most; i++)
        names[count++] = m->calls.items[i]->name;
    return ref->name.len > 2 ? lc_str_nearest(ref->name, names, count) : LC_STR_EMPTY;
}

/* `locals.a` and `variable.a` are references to resources for the language. */
static lc_str meant_root(const checking *c, const lc_reference *ref)
{
    static const char *const words[][2] = {
        {"locals", "local"}, {"variable", "var"}, {"variables", "var"}, {"vars", "var"}};
    const lc_module *m = c->user->module;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const lc_table *names = i ? &m->variable : &m->local;
        if (lc_str_is(ref->type, words[i][0]) && lc_table_get(names, ref->name))
            return lc_str_printf(c->r->arena, "%s.%.*s", words[i][1], LC_FMT(ref->name));
    }
    return LC_STR_EMPTY;
}

/* An undeclared name: what it is, and one that is declared and differs little. */
static void report_name(checking *c, const char *summary, const char *what, lc_str name,
                        const lc_reference *ref)
{
    const lc_module *m = c->user->module;
    lc_str in = m->path.len ? m->path : LC_STR("the root module");
    lc_str near = ref->root == LC_ROOT_RESOURCE ? meant_root(c, ref) : nearest(c, ref);
    report(c, summary, ref->place)->detail =
        lc_str_printf(c->r->arena, "%.*s has no %s named \"%.*s\"%s%.*s%s", LC_FMT(in), what,
                      LC_FMT(name), LC_FMT_NEAR(near));
}

/* ---- Resources and modules. */

/* A reference to an attribute of a resource with count or for_each needs an instance key, and one
 * to a resource without them must not have one. */
static void check_key(checking *c, const lc_config_resource *to, const lc_reference *ref)
{
    bool many = to->repetition.count || to->repetition.for_each;
    if (many && ref->count && ref->steps[0].kind == LC_REF_ATTR)
        report(c, LC_SUMMARY_MISSING_INSTANCE_KEY, ref->place)->detail = lc_str_printf(
            c->r->arena, "%.*s has count or for_each: name one of its instances by a key",
            LC_FMT(to->address));
    else if (!many && ref->count && ref->steps[0].kind == LC_REF_INDEX && ref->steps[0].key)
        report(c, LC_SUMMARY_UNEXPECTED_INSTANCE_KEY, ref->place)->detail =
            lc_str_printf(c->r->arena, "%.*s has neither count nor for_each", LC_FMT(to->address));
}

bool lc_predict_knows_attribute(lc_predictor *pred, const lc_config_resource *to,
                                const lc_reference *ref, lc_source_pos *place)
{
    size_t at = ref->count && ref->steps[0].kind != LC_REF_ATTR ? 1 : 0;
    const lc_schema *schema = lc_run_schema(&pred->in->provider, pred->config, to);
    if (!schema || at >= ref->count || ref->steps[at].kind != LC_REF_ATTR)
        return true;
    lc_str name = ref->steps[at].name;
    *place = ref->steps[at].place;
    return lc_block_attribute(schema->block, name) || lc_block_block(schema->block, name);
}

/* Of the data source of a check block only that block may speak. */
static bool is_hidden(const checking *c, const lc_config_resource *to)
{
    return to->check.len && !lc_str_eq(to->check, c->user->check);
}

static void check_resource(checking *c, const lc_reference *ref)
{
    const lc_module *m = c->user->module;
    lc_source_pos place;
    lc_str text = lc_str_printf(c->r->arena, "%s%.*s.%.*s",
                                ref->root == LC_ROOT_DATA        ? "data."
                                : ref->root == LC_ROOT_EPHEMERAL ? "ephemeral."
                                                                 : "",
                                LC_FMT(ref->type), LC_FMT(ref->name));
    const lc_config_resource *to = lc_table_get(&m->resource, text);
    if (!to) {
        if (!m->incomplete)
            report_name(c, LC_SUMMARY_UNDECLARED_RESOURCE, "resource", text, ref);
        return;
    }
    check_key(c, to, ref);
    if (is_hidden(c, to))
        report(c, LC_SUMMARY_SCOPED_RESOURCE, ref->place);
    if (!lc_predict_knows_attribute(c->r, to, ref, &place))
        report(c, LC_SUMMARY_UNSUPPORTED_ATTRIBUTE, place)->detail = lc_str_printf(
            c->r->arena, "%.*s refers to no attribute of %.*s", LC_FMT(ref->text), LC_FMT(text));
}

static void check_call(checking *c, const lc_reference *ref)
{
    const lc_module *m = c->user->module;
    if (!lc_table_get(&m->call_by_name, ref->name) && !m->incomplete)
        report_name(c, LC_SUMMARY_UNDECLARED_MODULE, "module call", ref->name, ref);
}

static void check_object(checking *c, const lc_reference *ref)
{
    if (ref->root == LC_ROOT_SELF && !c->user->self_allowed)
        report(c, LC_SUMMARY_INVALID_SELF, ref->place)->detail =
            LC_STR("this is not inside a provisioner, connection or postcondition block");
    else if (ref->root == LC_ROOT_MODULE)
        check_call(c, ref);
    else if (ref->root == LC_ROOT_RESOURCE || ref->root == LC_ROOT_DATA ||
             ref->root == LC_ROOT_EPHEMERAL)
        check_resource(c, ref);
}

/* ---- Other names. */

static void check_each(checking *c, const lc_reference *ref)
{
    bool has = c->user->repetition && c->user->repetition->for_each;
    bool value = lc_str_is(ref->name, "value");
    if (!value && !lc_str_is(ref->name, "key"))
        report(c, LC_SUMMARY_EACH_ATTRIBUTE, ref->place)->detail =
            lc_str_printf(c->r->arena, "each has no attribute \"%.*s\"", LC_FMT(ref->name));
    else if (!has)
        report(c, value ? LC_SUMMARY_EACH_VALUE : LC_SUMMARY_EACH_WITHOUT_FOR_EACH, ref->place)
            ->detail = LC_STR("the block does not set for_each");
}

static void check_count(checking *c, const lc_reference *ref)
{
    if (!lc_str_is(ref->name, "index"))
        report(c, LC_SUMMARY_COUNT_ATTRIBUTE, ref->place)->detail =
            lc_str_printf(c->r->arena, "count has no attribute \"%.*s\"", LC_FMT(ref->name));
    else if (!c->user->repetition || !c->user->repetition->count)
        report(c, LC_SUMMARY_COUNT_WITHOUT_COUNT, ref->place)->detail =
            LC_STR("the block does not set count");
}

static void check_name(checking *c, const lc_reference *ref)
{
    static const char *const paths[] = {"module", "root", "cwd", NULL};
    const lc_module *m = c->user->module;
    switch (ref->root) {
    case LC_ROOT_VARIABLE:
        if (!lc_table_get(&m->variable, ref->name) && !m->incomplete)
            report_name(c, LC_SUMMARY_UNDECLARED_VARIABLE, "variable", ref->name, ref);
        break;
    case LC_ROOT_LOCAL:
        if (!lc_table_get(&m->local, ref->name) && !m->incomplete)
            report_name(c, LC_SUMMARY_UNDECLARED_LOCAL, "local value", ref->name, ref);
        break;
    case LC_ROOT_EACH:
        check_each(c, ref);
        break;
    case LC_ROOT_COUNT:
        check_count(c, ref);
        break;
    case LC_ROOT_PATH:
        if (!lc_str_is_one_of(ref->name, paths, NULL))
            report(c, LC_SUMMARY_PATH_ATTRIBUTE, ref->place)->detail =
                lc_str_printf(c->r->arena, "path has no attribute \"%.*s\"", LC_FMT(ref->name));
        break;
    case LC_ROOT_TERRAFORM:
        if (!lc_str_is(ref->name, "workspace") && !lc_str_is(ref->name, "applying"))
            report(c, LC_SUMMARY_INVALID_TERRAFORM, ref->place)->detail = lc_str_printf(
                c->r->arena, "terraform has no attribute \"%.*s\"", LC_FMT(ref->name));
        break;
    case LC_ROOT_MODULE: /* whether it has the output is up to evaluation, which `try` covers
                          */
    case LC_ROOT_SELF:
    case LC_ROOT_DATA:
    case LC_ROOT_EPHEMERAL:
    case LC_ROOT_RESOURCE:
    case LC_ROOT_BAD:
        break;
    }
}

/* ---- */

static bool all_complete(checking *c, const lc_references *refs)
{
    for (size_t i = 0; i < refs->list.count; i++) {
        lc_eval_error trouble;
        if (!lc_reference_check(refs->list.items[i], c->r->config->profile, &trouble))
            report(c, lc_str_to_c(c->r->arena, trouble.summary), trouble.place)->detail =
                lc_str_copy(c->r->arena, trouble.detail);
    }
    return !c->found;
}

/* True if all objects exist; variables, local values and the like are looked up after that. */
static bool check_all(checking *c, const lc_references *refs)
{
    if (!all_complete(c, refs))
        return false;
    for (size_t i = 0; i < refs->list.count; i++)
        check_object(c, refs->list.items[i]);
    bool exist = !c->found;
    for (size_t i = 0; exist && i < refs->list.count; i++)
        check_name(c, refs->list.items[i]);
    return exist;
}

/* A block must not speak of itself where its own instances are not known yet. */
static void check_itself(checking *c, const lc_references *refs)
{
    for (size_t i = 0; c->user->itself && i < refs->list.count; i++) {
        const lc_reference *ref = refs->list.items[i];
        const lc_config_resource *itself = c->user->itself;
        lc_root own = itself->mode == LC_MODE_DATA        ? LC_ROOT_DATA
                      : itself->mode == LC_MODE_EPHEMERAL ? LC_ROOT_EPHEMERAL
                                                          : LC_ROOT_RESOURCE;
        if (ref->root == own && lc_str_eq(ref->type, itself->type) &&
            lc_str_eq(ref->name, itself->name))
            report(c, LC_SUMMARY_SELF_REFERENCE, ref->place)->detail =
                lc_str_printf(c->r->arena, "%.*s refers to the block itself", LC_FMT(ref->text));
    }
}

bool lc_predict_references(lc_predictor *pred, const lc_expr *expr, const lc_reference_user *user)
{
    lc_references refs = {pred->arena, {NULL, 0, 0}};
    checking c = {pred, user, false};
    if (!expr)
        return true;
    for (const lc_eval_error *e = lc_expr_errors(expr); e; e = e->next)
        report(&c, lc_str_to_c(pred->arena, e->summary), e->place);
    lc_expr_certain_references(&refs, expr, pred->config->profile);
    check_itself(&c, &refs);
    return !c.found && check_all(&c, &refs);
}

/* What depends_on names must exist, and is named without an attribute. */
void lc_predict_depends(lc_predictor *pred, const lc_config_refs *depends,
                        const lc_reference_user *user)
{
    bool found = false; /* then the clients do not look whether other names exist */
    for (size_t i = 0; i < depends->list.count; i++) {
        const lc_reference *ref = depends->list.items[i].reference;
        checking c = {pred, user, false};
        if (!ref)
            continue;
        lc_references one = {pred->arena, {NULL, 0, 0}};
        *LC_PUSH(pred->arena, &one.list, const lc_reference *) = ref;
        size_t at = ref->count && ref->steps[0].kind == LC_REF_INDEX ? 1 : 0;
        if (all_complete(&c, &one) && at < ref->count && ref->root != LC_ROOT_MODULE)
            report(&c, LC_SUMMARY_DEPENDS_ON_REFERENCE, ref->steps[at].place);
        else if (!c.found && !found)
            check_all(&c, &one);
        found = found || c.found;
    }
}
