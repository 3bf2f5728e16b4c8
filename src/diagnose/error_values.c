/* Why the two values of a pasted message differ. */
#include "lifecheck/diagnose/diagnose.h"
#include "lifecheck/diagnose/error_lookup.h"

/* What is known of values without their object. */
static unsigned facts_of(const lc_error_match *found, const lc_value *promised,
                         const lc_value *broken)
{
    bool scalar = broken->type->kind == LC_TYPE_BOOL || broken->type->kind == LC_TYPE_NUMBER;
    unsigned facts = scalar ? LC_DIFF_FACT_SCALAR : 0;
    facts |= lc_is_null(promised)    ? LC_DIFF_FACT_PROMISED_NULL
             : lc_is_known(promised) ? LC_DIFF_FACT_PROMISED_KNOWN
                                     : 0;
    facts |= lc_is_null(broken)      ? LC_DIFF_FACT_BROKEN_NULL
             : lc_is_unknown(broken) ? LC_DIFF_FACT_BROKEN_UNKNOWN
                                     : LC_DIFF_FACT_BROKEN_KNOWN;
    if (found->rule == LC_RULE_PLAN_NONCOMPUTED_VALUE) /* a required one would be configured */
        return facts | LC_DIFF_FACT_CONFIG_NULL | LC_DIFF_FACT_OPTIONAL;
    if (found->rule == LC_RULE_PLAN_MISMATCH_CONFIG ||
        found->rule == LC_RULE_PLAN_DYNAMIC_BLOCK_CHANGED)
        return facts | (lc_is_null(promised)           ? LC_DIFF_FACT_CONFIG_NULL
                        : lc_is_wholly_known(promised) ? LC_DIFF_FACT_CONFIG_KNOWN
                        : lc_is_unknown(promised)      ? LC_DIFF_FACT_CONFIG_UNKNOWN
                                                       : 0);
    return facts;
}

/* The two values that a message compares, in Go syntax. One that it calls null, or does not print
 * because nothing is configured, is null; that of a block that is not known is unknown. */
typedef struct pair {
    lc_str promised, broken;
} pair;

static pair pair_of(const lc_error_match *found)
{
    lc_str words = lc_str_from_c(found->words ? found->words : "");
    bool of_plan = lc_str_starts_with(words, LC_STR("planned value "));
    if (!found->value_count || (!of_plan && !lc_str_starts_with(words, LC_STR("was "))))
        return (pair){LC_STR_EMPTY, LC_STR_EMPTY};
    lc_str other = found->rule == LC_RULE_PLAN_DYNAMIC_BLOCK_CHANGED
                       ? LC_STR("cty.DynamicVal")
                       : LC_STR("cty.NullVal(cty.DynamicPseudoType)");
    lc_str second = found->value_count > 1 ? found->values[1] : other;
    bool broken_first = of_plan || lc_str_starts_with(words, LC_STR("was null"));
    return broken_first ? (pair){second, found->values[0]} : (pair){found->values[0], second};
}

lc_diagnosis lc_error_diagnose(lc_arena *arena, const lc_error_match *found)
{
    lc_finding f = {.rule = found->rule, .call.kind = found->call};
    pair texts = pair_of(found);
    bool line_broken = false;
    const lc_value *promised = lc_value_read_go(arena, texts.promised, &line_broken);
    const lc_value *broken = lc_value_read_go(arena, texts.broken, &line_broken);
    if (!promised || !broken)
        return f.diagnosis;
    f.difference_kind = lc_compare_closely(arena, promised, broken, &f.diff_fact_text);
    f.diff_facts = facts_of(found, promised, broken);
    bool space =
        f.difference_kind == LC_DIFFERENCE_SPACE || f.difference_kind == LC_DIFFERENCE_LINE_END;
    if (!space || !line_broken) /* otherwise the space may be the terminal's */
        lc_diagnose(arena, &f);
    return f.diagnosis;
}
