/* Compares the coverage of probing both versions: if a type of the new version no longer accepts
 * any configuration, this is a regression without a finding. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

/* A provider may be probed in several runs, so a type is looked for in all of them. */
typedef struct probed {
    const lc_probe_result *result;
    const lc_probe_type *type;
} probed;

static void add_loss(lc_gate *g, lc_str type, lc_str what, lc_str why)
{
    *LC_PUSH(g->arena, &g->probe_losses, lc_probe_loss) = (lc_probe_loss){type, what, why};
}

static lc_str key_of(lc_arena *arena, const lc_probe_type *type)
{
    return lc_str_printf(arena, "%s %.*s", lc_schema_kind_name(type->kind), LC_FMT(type->name));
}

static void index_types(lc_table *out, lc_arena *arena, const lc_evidence_set *side)
{
    lc_table_init(out, arena);
    for (size_t i = 0; i < side->probes.count; i++) {
        const lc_probe_result *result = side->probes.items[i];
        for (size_t k = 0; k < result->types.count; k++) {
            probed *entry = LC_NEW(arena, probed);
            *entry = (probed){result, &result->types.items[k]};
            lc_table_put(out, key_of(arena, entry->type), entry);
        }
    }
}

static void compare_laws(lc_gate *g, const lc_probe_type *before, const probed *after)
{
    for (unsigned law = 0; law < LC_LAW_COUNT; law++) {
        const lc_law_info *info = lc_law_get((lc_law)law);
        if (before->laws[law].trials && !after->type->laws[law].trials)
            add_loss(g, before->name,
                     lc_str_printf(g->arena, "law %u (%.*s) was tried with the old version only",
                                   info->number, LC_FMT(info->id)),
                     after->result->laws[law] ? after->type->laws[law].why
                                              : LC_STR("it was not selected"));
    }
}

static void compare_type(lc_gate *g, const lc_probe_type *before, const probed *after)
{
    if (!before->configured)
        return;
    if (!after)
        add_loss(g, before->name, LC_STR("the type was not probed"), LC_STR_EMPTY);
    else if (!after->type->configured)
        add_loss(g, before->name, LC_STR("no configuration is accepted any more"),
                 after->type->why_not);
    else
        compare_laws(g, before, after);
}

void lc_gate_compare_probes(lc_gate *g)
{
    lc_table after;
    if (g->before.probes.count == 0)
        return;
    if (g->after.probes.count == 0) {
        add_loss(g, LC_STR_EMPTY, LC_STR("the new version was not probed"), LC_STR_EMPTY);
        return;
    }
    index_types(&after, g->arena, &g->after);
    for (size_t i = 0; i < g->before.probes.count; i++) {
        const lc_probe_result *before = g->before.probes.items[i];
        for (size_t k = 0; k < before->types.count; k++)
            compare_type(g, &before->types.items[k],
                         lc_table_get(&after, key_of(g->arena, &before->types.items[k])));
    }
}
