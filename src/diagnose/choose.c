/* Chooses the diagnosis of a finding. It looks at the facts that were noted when the finding was
 * made (contract/diff), never at values. The most specific one wins: someone else is the cause; the
 * two values are one thing in two forms; what the prior state, configuration and plan have in
 * common; and last what the two values merely look like. */
#include "diagnose/internal.h"

/* Are all of these facts true? */
static bool has(const lc_finding *f, unsigned diff_facts)
{
    return (f->diff_facts & diff_facts) == diff_facts;
}

static bool in_family(const lc_finding *f, const char *family)
{
    return lc_str_starts_with(lc_rule_get(f->rule)->slug, lc_str_from_c(family));
}

/* ---- Someone else is the cause. */

/* Known bugs of the cores: the order of a replacement was forgotten; blocks that are not configured
 * any more were proposed; Computed attributes in nested sets were not proposed. Includes plan
 * findings that follow from a wrong proposed new state. */
static bool is_known_bug(const lc_finding *f)
{
    if (f->rule == LC_RULE_BEHAVIOR_CBD_ORDER)
        return has(f, LC_DIFF_FACT_CREATE_FIRST);
    if (f->rule == LC_RULE_PROPOSED_MISMATCH)
        return has(f, LC_DIFF_FACT_SETS) ||
               (has(f, LC_DIFF_FACT_CONFIG_NULL | LC_DIFF_FACT_BROKEN_KNOWN) &&
                !has(f, LC_DIFF_FACT_COMPUTED));
    return in_family(f, "plan/") && has(f, LC_DIFF_FACT_FOLLOWS_PROPOSED);
}

/* The value came from another object, or the configuration itself changed between plan and apply.
 */
static lc_diagnosis_row someone_else(const lc_finding *f)
{
    bool final = f->rule == LC_RULE_CONFIG_INITIAL_FINAL_MISMATCH || in_family(f, "final/");
    if (f->cause || (final && has(f, LC_DIFF_FACT_CONFIG_CHANGED)))
        return DIAGNOSIS_TOLERATED_UPSTREAM;
    if (is_known_bug(f))
        return DIAGNOSIS_CORE_KNOWN_BUG;
    return f->of_client ? DIAGNOSIS_CLIENT_REQUEST : DIAGNOSIS_NONE;
}

/* ---- One thing in two forms. */

/* If both values mean the same thing, this explains the difference. The other facts do not
 * matter. */
static lc_diagnosis_row same_thing(const lc_finding *f)
{
    static const lc_diagnosis_row by_likeness[] = {
        [LC_UNLIKE] = DIAGNOSIS_NONE,
        [LC_DIFFERENCE_JSON] = DIAGNOSIS_JSON_EQUAL,
        [LC_DIFFERENCE_CASE] = DIAGNOSIS_CASE_ONLY,
        [LC_DIFFERENCE_LINE_END] = DIAGNOSIS_EOL,
        [LC_DIFFERENCE_SPACE] = DIAGNOSIS_SPACE,
        [LC_DIFFERENCE_SLASH] = DIAGNOSIS_URL_SLASH,
        [LC_DIFFERENCE_DOT] = DIAGNOSIS_DNS_DOT,
        [LC_DIFFERENCE_EMPTY] = DIAGNOSIS_NULL_EMPTY,
        [LC_DIFFERENCE_ORDER] = DIAGNOSIS_LIST_PERMUTED,
        [LC_DIFFERENCE_FLOAT] = DIAGNOSIS_PRECISION,
        [LC_DIFFERENCE_NUMBER] = DIAGNOSIS_STRINGIFIED,
        [LC_DIFFERENCE_BOM] = DIAGNOSIS_BOM,
        [LC_DIFFERENCE_UNICODE] = DIAGNOSIS_UNICODE,
        [LC_DIFFERENCE_TIME] = DIAGNOSIS_TIME_EQUAL,
        [LC_DIFFERENCE_DURATION] = DIAGNOSIS_DURATION_EQUAL,
        [LC_DIFFERENCE_NET] = DIAGNOSIS_NET_EQUAL,
        [LC_DIFFERENCE_SPELLING] = DIAGNOSIS_STRINGIFIED,
        [LC_DIFFERENCE_YAML] = DIAGNOSIS_YAML_EQUAL,
        [LC_DIFFERENCE_ENCODED] = DIAGNOSIS_ENCODED,
        [LC_DIFFERENCE_MASKED] = DIAGNOSIS_MASKED,
        [LC_DIFFERENCE_KEY] = DIAGNOSIS_KEY_FORM,
        [LC_DIFFERENCE_KEY_AND_VALUE] = DIAGNOSIS_KEY_FORM,
        [LC_DIFFERENCE_OTHER_DOCUMENT] = DIAGNOSIS_NONE,
        [LC_DIFFERENCE_HASH] = DIAGNOSIS_NONE,
        [LC_DIFFERENCE_LONGER] = DIAGNOSIS_NONE,
        [LC_DIFFERENCE_CUT] = DIAGNOSIS_NONE,
        [LC_DIFFERENCE_ROUNDED] = DIAGNOSIS_NONE,
    };
    if (f->difference_kind == LC_DIFFERENCE_EMPTY && has(f, LC_DIFF_FACT_SCALAR) &&
        f->rule == LC_RULE_PLAN_NONCOMPUTED_VALUE)
        return DIAGNOSIS_NONE; /* zero and false are ordinary defaults */
    if (has(f, LC_DIFF_FACT_PERMUTED))
        return DIAGNOSIS_LIST_PERMUTED; /* the compared parts belong to different elements */
    return by_likeness[f->difference_kind];
}

/* Similarities that can be a coincidence, or that only describe the difference. Asked last. */
static lc_diagnosis_row looks_like(const lc_finding *f)
{
    switch (f->difference_kind) {
    case LC_DIFFERENCE_OTHER_DOCUMENT:
        return DIAGNOSIS_JSON_DIFFERS;
    case LC_DIFFERENCE_HASH:
        return DIAGNOSIS_HASHED;
    case LC_DIFFERENCE_LONGER:
        return DIAGNOSIS_QUALIFIED_NAME;
    case LC_DIFFERENCE_CUT:
        return DIAGNOSIS_TRUNCATED;
    case LC_DIFFERENCE_ROUNDED:
        return DIAGNOSIS_ROUNDED;
    case LC_UNLIKE:
    case LC_DIFFERENCE_JSON:
    case LC_DIFFERENCE_CASE:
    case LC_DIFFERENCE_LINE_END:
    case LC_DIFFERENCE_SPACE:
    case LC_DIFFERENCE_SLASH:
    case LC_DIFFERENCE_DOT:
    case LC_DIFFERENCE_EMPTY:
    case LC_DIFFERENCE_ORDER:
    case LC_DIFFERENCE_FLOAT:
    case LC_DIFFERENCE_NUMBER:
    case LC_DIFFERENCE_BOM:
    case LC_DIFFERENCE_UNICODE:
    case LC_DIFFERENCE_TIME:
    case LC_DIFFERENCE_DURATION:
    case LC_DIFFERENCE_NET:
    case LC_DIFFERENCE_SPELLING:
    case LC_DIFFERENCE_YAML:
    case LC_DIFFERENCE_ENCODED:
    case LC_DIFFERENCE_MASKED:
    case LC_DIFFERENCE_KEY:
    case LC_DIFFERENCE_KEY_AND_VALUE:
        break;
    }
    return DIAGNOSIS_NONE;
}

/* ---- Conclusions from prior state, configuration, planned state and result. */

static lc_diagnosis_row of_set(const lc_finding *f)
{
    if (has(f, LC_DIFF_FACT_SET_COLLAPSED))
        return DIAGNOSIS_SET_DUP_COLLAPSED;
    return has(f, LC_DIFF_FACT_SET_NEAR) ? DIAGNOSIS_SET_NEAR_MATCH : DIAGNOSIS_NONE;
}

/* Rules about a plan: the provider resolved or replaced a value of the configuration. */
static lc_diagnosis_row of_plan(const lc_finding *f)
{
    if (has(f, LC_DIFF_FACT_CONFIG_UNKNOWN) &&
        (f->diff_facts & (LC_DIFF_FACT_BROKEN_KNOWN | LC_DIFF_FACT_BROKEN_NULL)))
        return DIAGNOSIS_UNKNOWN_CONFIG_RESOLVED;
    if (has(f, LC_DIFF_FACT_CONFIG_KNOWN | LC_DIFF_FACT_BROKEN_UNKNOWN))
        return DIAGNOSIS_KNOWN_CONFIG_UNKNOWN;
    if (f->rule == LC_RULE_PLAN_PRIOR_DROPPED && has(f, LC_DIFF_FACT_CONFIG_IS_PRIOR))
        return DIAGNOSIS_PHANTOM_CHANGE;
    if (f->rule == LC_RULE_PLAN_NONCOMPUTED_VALUE && has(f, LC_DIFF_FACT_OPTIONAL) &&
        !has(f, LC_DIFF_FACT_COMPUTED))
        return DIAGNOSIS_NOT_COMPUTED;
    return DIAGNOSIS_NONE;
}

/* A value that the provider chose itself: the configuration is null, and the planned value was
 * known. `final`: the final plan has another value, otherwise the result of the apply. */
static lc_diagnosis_row of_own_value(const lc_finding *f, bool final)
{
    if (!has(f, LC_DIFF_FACT_COMPUTED | LC_DIFF_FACT_CONFIG_NULL | LC_DIFF_FACT_PROMISED_KNOWN))
        return DIAGNOSIS_NONE;
    if (has(f, LC_DIFF_FACT_PROMISED_IS_PRIOR))
        return has(f, LC_DIFF_FACT_NEIGHBOUR) ? DIAGNOSIS_INDEX_SHIFTED : DIAGNOSIS_STALE_KNOWN;
    if (final)
        return has(f, LC_DIFF_FACT_SAME_INPUTS)   ? DIAGNOSIS_UNSTABLE_COMPUTE
               : has(f, LC_DIFF_FACT_OPEN_INPUTS) ? DIAGNOSIS_PLANNED_TOO_EARLY
                                                  : DIAGNOSIS_NONE;
    return has(f, LC_DIFF_FACT_BROKEN_IS_PRIOR) ? DIAGNOSIS_NONE : DIAGNOSIS_DEFAULT_NOT_KEPT;
}

static lc_diagnosis_row of_final(const lc_finding *f)
{
    if (f->rule == LC_RULE_FINAL_ACTION_CHANGED)
        return has(f, LC_DIFF_FACT_LATE_REPLACE) ? DIAGNOSIS_LATE_REPLACE : DIAGNOSIS_NONE;
    if (f->rule == LC_RULE_FINAL_BLOCK_COUNT)
        return has(f, LC_DIFF_FACT_CONFIG_PARTLY_UNKNOWN) ? DIAGNOSIS_PLACEHOLDER_BLOCK
                                                          : DIAGNOSIS_NONE;
    return f->rule == LC_RULE_FINAL_CHANGED ? of_own_value(f, true) : DIAGNOSIS_NONE;
}

/* Rules about the result of an apply. */
static lc_diagnosis_row of_apply(const lc_finding *f)
{
    if (f->rule == LC_RULE_APPLY_NULL_RESULT)
        return has(f, LC_DIFF_FACT_CREATE) ? DIAGNOSIS_ABSENT_AFTER_CREATE : DIAGNOSIS_NONE;
    if (f->rule == LC_RULE_APPLY_WAS_NULL &&
        has(f, LC_DIFF_FACT_CONFIG_NULL | LC_DIFF_FACT_BROKEN_KNOWN))
        return has(f, LC_DIFF_FACT_COMPUTED)   ? DIAGNOSIS_PLANNED_NULL
               : has(f, LC_DIFF_FACT_OPTIONAL) ? DIAGNOSIS_DEFAULT_FILLED
                                               : DIAGNOSIS_NONE;
    if (f->rule == LC_RULE_APPLY_BECAME_NULL)
        return has(f, LC_DIFF_FACT_CONFIG_KNOWN) ? DIAGNOSIS_NOT_RETURNED : DIAGNOSIS_NONE;
    if (f->rule != LC_RULE_APPLY_CHANGED)
        return DIAGNOSIS_NONE;
    if (has(f, LC_DIFF_FACT_BROKEN_IS_PRIOR))
        return DIAGNOSIS_UPDATE_IGNORED;
    return of_own_value(f, false);
}

/* Rules about requires_replace: only paths can be wrong there. */
static lc_diagnosis_row of_paths(const lc_finding *f)
{
    if (f->rule != LC_RULE_REPLACE_PATH_INVALID)
        return DIAGNOSIS_NONE;
    if (has(f, LC_DIFF_FACT_IN_SET))
        return DIAGNOSIS_PATH_IN_SET;
    return has(f, LC_DIFF_FACT_IN_PRIOR) ? DIAGNOSIS_NONE : DIAGNOSIS_PATH_NOT_PLANNED;
}

/* Rules with only one possible cause. */
static lc_diagnosis_row of_rule(const lc_finding *f)
{
    if (f->rule == LC_RULE_RESPONSE_UNKNOWN)
        return has(f, LC_DIFF_FACT_FAILED) ? DIAGNOSIS_PARTIAL_STATE_SAVED
                                           : DIAGNOSIS_UNRESOLVED_UNKNOWN;
    if (f->rule == LC_RULE_IDENTITY_CHANGED &&
        has(f, LC_DIFF_FACT_PROMISED_NULL | LC_DIFF_FACT_BROKEN_KNOWN))
        return DIAGNOSIS_IDENTITY_LATE;
    if (f->rule == LC_RULE_WO_RETURNED && f->call.kind == LC_CALL_UPGRADE)
        return DIAGNOSIS_UPGRADE_KEPT_SECRET;
    bool has_config = f->call.kind != LC_CALL_READ && f->call.kind != LC_CALL_REREAD;
    if (f->rule == LC_RULE_WO_RETURNED && has_config && has(f, LC_DIFF_FACT_BROKEN_IS_CONFIG))
        return DIAGNOSIS_CONFIG_COPIED;
    return DIAGNOSIS_NONE;
}

/* Sets first: elements that were matched wrongly explain all differences below them. */
static lc_diagnosis_row of_columns(const lc_finding *f)
{
    lc_diagnosis_row found = of_set(f);
    if (found == DIAGNOSIS_NONE && in_family(f, "plan/"))
        found = of_plan(f);
    if (found == DIAGNOSIS_NONE && in_family(f, "final/"))
        found = of_final(f);
    if (found == DIAGNOSIS_NONE && in_family(f, "apply/"))
        found = of_apply(f);
    return found == DIAGNOSIS_NONE ? of_rule(f) : found;
}

static lc_diagnosis_row choose(const lc_finding *f)
{
    if (in_family(f, "replace/")) /* the path is wrong, and values do not matter */
        return of_paths(f);
    lc_diagnosis_row (*const asked[])(const lc_finding *) = {someone_else, same_thing, of_columns,
                                                             looks_like};
    /* Drift is a real change, which needs no explanation, unless both values are one thing in two
     * forms. */
    size_t count = f->rule == LC_RULE_READ_DRIFT ? 2 : sizeof asked / sizeof *asked;
    for (size_t i = 0; i < count; i++) {
        lc_diagnosis_row found = asked[i](f);
        if (found != DIAGNOSIS_NONE)
            return found;
    }
    return DIAGNOSIS_NONE;
}

/* An upstream cause is certain even if the row is only likely. */
void lc_diagnose(lc_arena *arena, lc_finding *f)
{
    lc_diagnosis_row found = choose(f);
    if (found == DIAGNOSIS_NONE) {
        f->diagnosis = (lc_diagnosis){.id = LC_STR_EMPTY};
        return;
    }
    const lc_diagnosis_info *info = lc_diagnosis_get(found);
    lc_str why = info->why;
    if (f->diff_fact_text.len)
        why = lc_str_printf(arena, "%.*s: at %.*s", LC_FMT(why), LC_FMT(f->diff_fact_text));
    f->diagnosis = (lc_diagnosis){info->name, info->exact || f->cause, why, info->fix_framework,
                                  info->fix_sdkv2};
}
