/* Findings of one cause: what has the same values for the same reason is reported once. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

bool lc_is_of_same_cause(const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    if (f->follows < 0)
        return false;
    const lc_finding *above = &judged->judgement.findings.items[f->follows];
    return f->diagnosis.id.len && lc_str_eq(above->diagnosis.id, f->diagnosis.id) &&
           above->call.index == f->call.index && above->promised_by == f->promised_by &&
           above->broken_by == f->broken_by && lc_path_eq(above->path, f->path);
}

/* The finding in whose line this one is reported: itself, or the one that it follows from. A chain
 * of them ends, because none is longer than the number of findings. */
static size_t lead_of(const lc_judged *judged, const bool *shown, size_t i)
{
    for (size_t left = judged->judgement.findings.count; left-- > 0;) {
        size_t above = (size_t)judged->judgement.findings.items[i].follows;
        if (!lc_is_of_same_cause(judged, i) || !shown[above] ||
            lc_shown_severity(judged, above) != lc_shown_severity(judged, i))
            break;
        i = above;
    }
    return i;
}

lc_join_of *lc_joins_of(lc_arena *arena, const lc_judged *judged, const bool *shown)
{
    size_t count = judged->judgement.findings.count;
    lc_join_of *joins = LC_NEW_ARRAY(arena, lc_join_of, count);
    for (size_t i = 0; i < count; i++)
        joins[i] = (lc_join_of){i, LC_NO_FINDING};
    for (size_t i = count; i-- > 0;) {
        size_t lead = shown[i] ? lead_of(judged, shown, i) : i;
        joins[i].lead = lead;
        if (lead == i)
            continue;
        joins[i].next = joins[lead].next;
        joins[lead].next = i;
    }
    return joins;
}
