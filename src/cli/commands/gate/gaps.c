/* What was not asked of both versions, with reasons and counts. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

typedef struct gap {
    lc_str why;
    uint64_t count; /* of trials */
    size_t types;
    lc_str first;
} gap;
typedef LC_VEC(gap) gaps;

/* Reasons are few, types are many: a gap is one reason, with the first type as an example. */
static void add_gap(gaps *out, lc_arena *arena, lc_str type, lc_str why, uint64_t count)
{
    size_t i = 0;
    while (i < out->count && !lc_str_eq(out->items[i].why, why))
        i++;
    if (i == out->count)
        *LC_PUSH(arena, out, gap) = (gap){why, 0, 0, type};
    out->items[i].count += count;
    out->items[i].types++;
}

/* A type without a single trial is one gap, even if nothing else says why. */
static void find_gaps(gaps *out, const lc_gate *g)
{
    const lc_probe_result *r = g->compared;
    for (size_t i = 0; r && i < r->types.count; i++) {
        const lc_probe_type *type = &r->types.items[i];
        for (size_t k = 0; k < type->gaps.count; k++)
            add_gap(out, g->arena, type->name, type->gaps.items[k].why, type->gaps.items[k].count);
        if (type->gaps.count == 0 && type->laws[LC_LAW_39].trials == 0)
            add_gap(out, g->arena, type->name, type->laws[LC_LAW_39].why, 1);
    }
}

void lc_gate_list_gaps(lc_gate_lines *out, const lc_gate *g)
{
    gaps all = {0};
    find_gaps(&all, g);
    for (size_t i = 0; i < all.count; i++) {
        const gap *one = &all.items[i];
        *LC_PUSH(g->arena, out, lc_str) = lc_str_printf(
            g->arena, "%.*s: %llu time%s, of %zu type%s (%.*s%s)", LC_FMT(one->why),
            (unsigned long long)one->count, one->count == 1 ? "" : "s", one->types,
            one->types == 1 ? "" : "s", LC_FMT(one->first), one->types > 1 ? ", ..." : "");
    }
}

void lc_gate_add_gaps_text(lc_buf *out, const lc_gate *g)
{
    const lc_probe_result *r = g->compared;
    uint64_t trials = 0;
    lc_gate_lines lines = {0};
    if (!r)
        return;
    for (size_t i = 0; i < r->types.count; i++)
        trials += r->types.items[i].laws[LC_LAW_39].trials;
    lc_buf_printf(out,
                  "\nboth versions were tested: %llu requests about %zu type%s and function%s, "
                  "with %llu calls in %.1f s\n",
                  (unsigned long long)trials, r->types.count, r->types.count == 1 ? "" : "s",
                  r->types.count == 1 ? "" : "s", (unsigned long long)r->calls,
                  (double)r->took_ms / 1000);
    if (r->not_configured.len)
        lc_buf_printf(out, "  the old version could not be configured: %.*s\n",
                      LC_FMT(r->not_configured));
    lc_gate_list_gaps(&lines, g);
    lc_buf_add_c(out, "what was not tested\n");
    for (size_t i = 0; i < lines.count; i++)
        lc_buf_printf(out, "  %.*s\n", LC_FMT(lines.items[i]));
    if (lines.count == 0)
        lc_buf_add_c(out, "  nothing\n");
}

void lc_gate_add_gaps_json(lc_doc *doc, const lc_gate *g)
{
    const lc_probe_result *r = g->compared;
    if (!r)
        return;
    lc_doc *asked = lc_doc_add_object(doc, "asked");
    lc_doc_add_uint(asked, "calls", r->calls);
    lc_doc_add_uint(asked, "milliseconds", (uint64_t)r->took_ms);
    lc_doc_add_uint(asked, "died", r->died);
    lc_doc_add_uint(asked, "hung", r->hung);
    lc_doc_add_uint(asked, "undestroyed", r->undestroyed);
    lc_doc *types = lc_doc_add_array(asked, "types");
    for (size_t i = 0; i < r->types.count; i++) {
        const lc_probe_type *type = &r->types.items[i];
        lc_doc *entry = lc_doc_add_object(types, NULL);
        lc_doc_add_str(entry, "type", type->name);
        lc_doc_add_uint(entry, "trials", type->laws[LC_LAW_39].trials);
        lc_doc_add_uint(entry, "configurations", type->configurations);
        lc_doc_add_uint(entry, "calls", type->calls);
        lc_probe_add_gaps(lc_doc_add_array(entry, "not_asked"), type);
    }
}
