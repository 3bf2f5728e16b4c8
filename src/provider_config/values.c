/* Provider configurations that are used as values, which no expression allows. */
#include "lifecheck/catalog/core_message.h"
#include "provider_config/internal.h"

/* The expressions of one module while they are checked. */
typedef struct walk {
    lc_provider_model *m;
    const lc_module *module;
    lc_table names; /* local names of providers that the module declares */
    lc_references seen;
} walk;

static void remember_names(walk *w)
{
    lc_table_init(&w->names, w->m->arena);
    for (size_t i = 0; i < w->module->required.count; i++)
        lc_table_put(&w->names, w->module->required.items[i].local_name, w);
    for (size_t i = 0; i < w->module->providers.count; i++)
        lc_table_put(&w->names, w->module->providers.items[i]->name, w);
}

static bool is_alias(const walk *w, lc_str name, lc_str alias)
{
    for (size_t i = 0; i < w->module->providers.count; i++) {
        const lc_config_provider *b = w->module->providers.items[i];
        if (lc_str_eq(b->name, name) && b->has_alias && lc_str_eq(b->alias, alias))
            return true;
    }
    lc_str fqn = lc_provider_of(w->m->arena, w->m->config->profile, w->module, name);
    return lc_provider_slot(w->m, w->module, fqn, alias) != NULL;
}

/* True if the reference names a provider configuration and nothing else that exists: a resource of
 * that type and name takes precedence. */
static bool names_provider(const walk *w, const lc_reference *ref)
{
    if (!lc_table_get(&w->names, ref->head))
        return false;
    bool attr = ref->path_count > 0 && ref->path[0].kind == LC_REF_ATTR;
    if (ref->root == LC_ROOT_TERRAFORM)
        return attr && is_alias(w, ref->head, ref->path[0].name);
    if (ref->root == LC_ROOT_RESOURCE) {
        lc_address address = {.mode = LC_MODE_MANAGED, .type = ref->type, .name = ref->name};
        lc_str text = lc_address_text(w->m->arena, &address);
        return !lc_table_get(&w->module->resource, text);
    }
    return ref->root == LC_ROOT_BAD;
}

/* The core treats the reference as one to something else, hence these summaries. */
static const char *summary_of(const lc_reference *ref)
{
    if (ref->root == LC_ROOT_TERRAFORM)
        return LC_SUMMARY_INVALID_TERRAFORM;
    return ref->root == LC_ROOT_RESOURCE ? LC_SUMMARY_UNDECLARED_RESOURCE
                                         : LC_SUMMARY_INVALID_REFERENCE;
}

static void check(walk *w, const lc_expr *expr, lc_str address)
{
    if (!expr)
        return;
    w->seen.list.count = 0;
    lc_expr_references(&w->seen, expr);
    for (size_t i = 0; i < w->seen.list.count; i++) {
        const lc_reference *ref = w->seen.list.items[i];
        if (!names_provider(w, ref))
            continue;
        lc_config_problem *p = lc_provider_problem(w->m, LC_RULE_PROVIDER_REF_OUTSIDE,
                                                   LC_STAGE_GRAPH, ref->place, summary_of(ref), "");
        p->detail = lc_str_printf(w->m->arena, "%.*s is a provider configuration, not a value",
                                  LC_FMT(ref->text));
        p->address = lc_address_below(w->m->arena, w->module->path, address);
    }
}

static lc_str named(const walk *w, const char *kind, lc_str name)
{
    return lc_str_printf(w->m->arena, "%s.%.*s", kind, LC_FMT(name));
}

static void check_repetition(walk *w, const lc_config_repetition *r, lc_str address)
{
    check(w, r->count, address);
    check(w, r->for_each, address);
    check(w, r->enabled, address);
}

static void check_module(walk *w)
{
    const lc_module *m = w->module;
    for (size_t i = 0; i < m->locals.count; i++)
        check(w, m->locals.items[i]->value, named(w, "local", m->locals.items[i]->name));
    for (size_t i = 0; i < m->outputs.count; i++)
        check(w, m->outputs.items[i]->value, named(w, "output", m->outputs.items[i]->name));
    for (size_t i = 0; i < m->resources.count; i++) {
        check(w, m->resources.items[i]->body, m->resources.items[i]->address);
        check_repetition(w, &m->resources.items[i]->repetition, m->resources.items[i]->address);
    }
    for (size_t i = 0; i < m->calls.count; i++) {
        lc_str address = named(w, "module", m->calls.items[i]->name);
        check(w, m->calls.items[i]->arguments, address);
        check_repetition(w, &m->calls.items[i]->repetition, address);
    }
    for (size_t i = 0; i < m->providers.count; i++)
        check(w, m->providers.items[i]->body, named(w, "provider", m->providers.items[i]->name));
}

void lc_provider_check_values(lc_provider_model *m)
{
    for (size_t i = 0; i < m->config->modules.count; i++) {
        walk w = {.m = m, .module = m->config->modules.items[i], .seen = {.arena = m->arena}};
        remember_names(&w);
        check_module(&w);
    }
}
