/* Ignores: findings that the author of a case, or a project, accepts. An entry needs a reason, must
 * match something, and has no effect after its last day. */
#include "lifecheck/base/arena.h"
#include "verdict/internal.h"

/* Ignores without `until` never expire. */
static bool has_expired(const lc_ignore *ignore, lc_date today)
{
    return ignore->until && today && ignore->until < today;
}

static bool covers(const lc_ignore *ignore, const lc_finding *f)
{
    return lc_str_matches_glob(lc_rule_get(f->rule)->slug, ignore->rule) &&
           (!ignore->has_path || lc_path_matches(f->path, ignore->path)) &&
           (!ignore->line ||
            (f->loc.line == ignore->line && lc_str_eq(f->loc.file, ignore->loc.file)));
}

/* The first ignore that covers a finding gives the reason; later ones still count as used. */
static bool suppress_one(lc_judged *judged, const lc_ignore *ignore, lc_suppressor by, size_t i)
{
    if (!covers(ignore, &judged->judgement.findings.items[i]))
        return false;
    if (judged->suppressed[i].len == 0) {
        judged->suppressed[i] = ignore->reason.len ? ignore->reason : LC_STR("ignored");
        judged->suppressors[i] = by;
    }
    return true;
}

/* With an index of the findings, an ignore with an exact path and rule needs no scan. NULL: all
 * findings are tried. */
static bool suppress(lc_judged *judged, const lc_ignore *ignore, lc_suppressor by,
                     const lc_place_index *places)
{
    bool used = false;
    lc_rule rule;
    if (places && ignore->has_path && lc_path_is_exact(ignore->path) &&
        lc_rule_from_slug(&rule, ignore->rule)) {
        const lc_place_items *at = lc_place_index_at(places, rule, ignore->path);
        for (size_t i = 0; i < at->count; i++)
            used |= suppress_one(judged, ignore, by, at->items[i]);
        return used;
    }
    for (size_t i = 0; i < judged->judgement.findings.count; i++)
        used |= suppress_one(judged, ignore, by, i);
    return used;
}

static void report_unused(lc_judged *judged, lc_arena *arena, const lc_ignore *ignore,
                          const char *kind, lc_str detail)
{
    if (lc_has_expectation(judged->scenario))
        lc_add_failure(judged, arena, "stale", ignore->loc, detail);
    else
        lc_add_note(judged, arena, kind, ignore->loc, detail);
}

lc_str lc_ignore_complaint(lc_arena *arena, const lc_ignore *ignore, lc_date today)
{
    if (has_expired(ignore, today))
        return lc_str_printf(arena, "the ignore of %.*s expired on %.*s", LC_FMT(ignore->rule),
                             LC_FMT(lc_date_text(arena, ignore->until)));
    return lc_str_printf(arena, "the ignore of %.*s matches no finding", LC_FMT(ignore->rule));
}

void lc_apply_ignores(lc_judged *judged, lc_arena *arena, lc_date today)
{
    const lc_scenario *scenario = judged->scenario;
    lc_place_index places;
    lc_place_index_init(&places, arena);
    for (size_t i = 0; scenario->ignores.count && i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        lc_place_index_add(&places, f->rule, &f->path, i);
    }
    for (size_t i = 0; i < scenario->ignores.count; i++) {
        const lc_ignore *ignore = &scenario->ignores.items[i];
        bool expired = has_expired(ignore, today);
        if (expired || !suppress(judged, ignore, LC_SUPPRESSED_BY_SCENARIO, &places))
            report_unused(judged, arena, ignore, expired ? "ignore-expired" : "ignore-unused",
                          lc_ignore_complaint(arena, ignore, today));
    }
}

/* Ignores of a project can be restricted to types and resources. */
static bool is_for(const lc_ignore *ignore, const lc_case *c)
{
    return (ignore->type.len == 0 || lc_str_matches_glob(c->type, ignore->type)) &&
           (ignore->resource.len == 0 || lc_str_matches_glob(c->resource, ignore->resource));
}

/* Unused ignores of a project are reported at the end of the program: another case may use them. */
void lc_apply_policy_ignores(lc_judged *judged, const lc_policy *policy)
{
    for (size_t i = 0; i < policy->ignores_count; i++) {
        const lc_ignore *ignore = &policy->ignores[i];
        if (!has_expired(ignore, policy->today) && is_for(ignore, &judged->scenario->subject) &&
            suppress(judged, ignore, LC_SUPPRESSED_BY_PROJECT, NULL))
            judged->ignores_used.bits[i / 64] |= (uint64_t)1 << i % 64;
    }
}
