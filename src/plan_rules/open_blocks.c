/* What could be in a block whose instances are not known. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/predict/predict.h"

#include <string.h>

typedef struct opened {
    lc_arena *arena;
    const lc_address *address; /* the key of its last step is open */
    lc_open_keys keys;
    lc_open_visit *visit;
    void *context;
} opened;

/* The address of a module below the open one, with the keys that are known. */
static lc_address address_of(const opened *o, const lc_module *m)
{
    lc_address a;
    lc_str why;
    size_t at;
    if (!lc_address_parse(&a, o->arena, m->path, &why, &at))
        return *o->address;
    lc_module_step *steps = LC_NEW_ARRAY(o->arena, lc_module_step, a.module_count);
    memcpy(steps, a.modules, a.module_count * sizeof *steps);
    memcpy(steps, o->address->modules, o->keys.from * sizeof *steps);
    a.modules = steps;
    return a;
}

/* A module that is called and not read counts as a whole. */
static bool visit_module(const opened *o, const lc_module *m)
{
    lc_address module = address_of(o, m), a;
    for (size_t i = 0; i < m->resources.count; i++) {
        const lc_config_resource *config = m->resources.items[i];
        a = (lc_address){module.modules, module.module_count, config->mode,
                         config->type,   config->name,        LC_NO_KEY};
        if (!o->visit(o->context, &a, o->keys))
            return false;
    }
    for (size_t i = 0; i < m->calls.count; i++) {
        lc_module_step *steps = LC_NEW_ARRAY(o->arena, lc_module_step, module.module_count + 1);
        if (m->calls.items[i]->child)
            continue;
        memcpy(steps, module.modules, module.module_count * sizeof *steps);
        steps[module.module_count] = (lc_module_step){m->calls.items[i]->name, LC_NO_KEY};
        a = (lc_address){.modules = steps, .module_count = module.module_count + 1};
        if (!o->visit(o->context, &a, o->keys))
            return false;
    }
    return true;
}

static bool is_below(lc_str path, lc_str top)
{
    return lc_str_starts_with(path, top) && (path.len == top.len || path.ptr[top.len] == '.');
}

void lc_open_block_each(lc_arena *arena, const lc_prediction *prediction, const lc_run_open *open,
                        lc_open_visit *visit, void *context)
{
    lc_address address;
    lc_str why;
    size_t at;
    if (!lc_address_parse(&address, arena, open->matched.len ? open->matched : open->address, &why,
                          &at))
        return;
    bool module = lc_address_is_module(&address);
    opened o = {arena, &address, {address.module_count - module, false}, visit, context};
    const lc_module *top =
        module && prediction->config ? lc_config_module_at(prediction->config, &address) : NULL;
    if (!top)
        visit(context, &address, o.keys);
    for (size_t i = 0; top && i < prediction->config->modules.count; i++) {
        if (is_below(prediction->config->modules.items[i]->path, top->path) &&
            !visit_module(&o, prediction->config->modules.items[i]))
            return;
    }
}

typedef struct search {
    const lc_address_glob *glob;
    bool found;
} search;

static bool look(void *context, const lc_address *address, lc_open_keys keys)
{
    search *s = context;
    s->found = lc_address_is_module(address) ? lc_address_glob_reaches(s->glob, address, keys)
                                             : lc_address_glob_matches(s->glob, address, keys);
    return !s->found;
}

bool lc_open_block_could_match(lc_arena *arena, const lc_prediction *prediction,
                               const lc_run_open *open, const lc_address_glob *glob)
{
    search s = {.glob = glob};
    lc_open_block_each(arena, prediction, open, look, &s);
    return s.found;
}
