/* Addresses of --target, --exclude and --replace that nothing has, and values of variables that
 * there are not. The clients accept them, but what was predicted is not what was meant. */
#include "cli/commands/predict/selected.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/predict/predict.h"

/* The configuration addresses that there are. */
typedef struct known {
    lc_arena *arena;
    lc_table texts;
    LC_VEC(lc_str) names; /* the same in order */
} known;

static void add_text(known *k, lc_str text)
{
    if (text.len && !lc_table_put(&k->texts, text, k))
        *LC_PUSH(k->arena, &k->names, lc_str) = text;
}

/* An object, and the modules around it. */
static void add_address(known *k, const lc_address *address)
{
    lc_address config = lc_address_config(k->arena, address);
    lc_address module = lc_address_module(&config);
    add_text(k, lc_address_text(k->arena, &config));
    for (; module.module_count; module.module_count--)
        add_text(k, lc_address_text(k->arena, &module));
}

/* False: not all blocks are known. */
static bool add_configuration(known *k, const lc_configuration *config)
{
    bool whole = !config->incomplete;
    for (size_t i = 0; i < config->modules.count; i++) {
        const lc_module *m = config->modules.items[i];
        whole = whole && !m->incomplete;
        add_text(k, m->path);
        for (size_t r = 0; r < m->resources.count; r++)
            add_text(k, lc_address_below(k->arena, m->path, m->resources.items[r]->address));
        for (size_t r = 0; r < m->calls.count; r++) {
            lc_str call = lc_str_printf(k->arena, "module.%.*s", LC_FMT(m->calls.items[r]->name));
            add_text(k, lc_address_below(k->arena, m->path, call));
        }
    }
    return whole;
}

static void add_state(known *k, const lc_state_file *state)
{
    for (size_t i = 0; state && i < state->objects.count; i++)
        add_address(k, &state->objects.items[i].parsed);
}

static void add_changes(known *k, const lc_plan_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        if (changes->items[i].parses)
            add_address(k, &changes->items[i].parsed);
    }
}

static void add_objects(known *k, lc_str address)
{
    lc_address parsed;
    lc_str why;
    size_t at;
    if (lc_address_parse(&parsed, k->arena, address, &why, &at))
        add_address(k, &parsed);
}

static void add_plan(known *k, const lc_plan *plan)
{
    add_changes(k, &plan->changes);
    add_changes(k, &plan->drift);
    add_changes(k, &plan->deferred);
    for (size_t i = 0; i < plan->blocks.count; i++)
        add_text(k, plan->blocks.items[i].address);
    for (size_t i = 0; i < plan->planned.count; i++)
        add_objects(k, plan->planned.items[i].address);
    for (size_t i = 0; i < plan->prior.count; i++)
        add_objects(k, plan->prior.items[i].address);
}

static void check(known *k, lc_diags *diags, lc_str file, const char *option, const lc_str *words,
                  size_t count)
{
    lc_address address;
    lc_str why;
    size_t at;
    for (size_t i = 0; i < count; i++) {
        if (!lc_address_parse(&address, k->arena, words[i], &why, &at))
            continue;
        lc_address config = lc_address_config(k->arena, &address);
        lc_str text = lc_address_text(k->arena, &config);
        if (lc_table_get(&k->texts, text))
            continue;
        lc_str near = lc_str_nearest(text, k->names.items, k->names.count);
        lc_diag_error(diags, (lc_loc){file, 0, 0},
                      "%s: no block and no object has the address %.*s%s%.*s%s", option,
                      LC_FMT(text), near.len ? "; did you mean \"" : ": correct or remove it",
                      LC_FMT(near), near.len ? "\"?" : "");
    }
}

void lc_report_unknown_addresses(lc_arena *arena, const lc_plan_evidence *facts, lc_str file,
                                 lc_diags *diags)
{
    const lc_plan_options *o = &facts->options;
    known k = {.arena = arena};
    bool stopped = facts->shown && facts->shown->no_plan;
    lc_table_init(&k.texts, arena);
    if (stopped || (facts->run && !add_configuration(&k, facts->run->config)))
        return;
    add_state(&k, facts->state);
    if (facts->plan)
        add_plan(&k, facts->plan);
    check(&k, diags, file, "--target", o->target, o->target_count);
    check(&k, diags, file, "--exclude", o->exclude, o->exclude_count);
    check(&k, diags, file, "--replace", o->replace, o->replace_count);
}

void lc_report_undeclared_values(lc_arena *arena, const lc_configuration *config, lc_diags *diags)
{
    const lc_module *root = config->root;
    lc_str *names = LC_NEW_ARRAY(arena, lc_str, root->variables.count);
    for (size_t i = 0; i < root->variables.count; i++)
        names[i] = root->variables.items[i]->name;
    for (size_t i = 0; i < config->problems.count; i++) {
        const lc_config_problem *p = &config->problems.items[i];
        if (!p->warning || !lc_str_is(p->summary, LC_SUMMARY_UNDECLARED_VALUE))
            continue;
        lc_str near = lc_str_nearest(p->address, names, root->variables.count);
        lc_diag_warning(diags, lc_source_pos_loc(p->place),
                        "the value of \"%.*s\" has no effect: %.*s%s%.*s%s", LC_FMT(p->address),
                        LC_FMT(p->detail), LC_FMT_NEAR(near));
    }
}
