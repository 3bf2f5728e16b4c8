/* The severity of a finding: a pure function of its rule, its effects and the policy.
 *
 * The table has a row for each class of findings and a column for each policy; the class is the
 * first that fits. With `--as CORE`, the column is replaced by what that core alone does. */
#include "lifecheck/catalog/versions.h"
#include "verdict/internal.h"

typedef enum finding_class {
    CLASS_NOT_PROVIDER, /* the client or the evidence is to blame */
    CLASS_SMELL,
    CLASS_STOPS,     /* a core reports an error or crashes */
    CLASS_TOLERATED, /* tolerated by the legacy type system */
    CLASS_MAYBE_TOLERATED,
    CLASS_MUST,
    CLASS_SHOULD, /* also what a core only logs */
    CLASS_MINOR,
    CLASS_EXPECTED, /* a scenario's author expects otherwise, regardless of what clients do */
    CLASS_REMARK,   /* about the policy itself */
} finding_class;

static const struct {
    lc_severity document, strict, core;
} table[] = {
    [CLASS_NOT_PROVIDER] = {LC_WARNING, LC_ERROR, LC_WARNING},
    [CLASS_SMELL] = {LC_INFO, LC_INFO, LC_HIDDEN},
    [CLASS_STOPS] = {LC_ERROR, LC_ERROR, LC_INFO},
    [CLASS_TOLERATED] = {LC_WARNING, LC_ERROR, LC_INFO},
    [CLASS_MAYBE_TOLERATED] = {LC_WARNING, LC_ERROR, LC_WARNING},
    [CLASS_MUST] = {LC_ERROR, LC_ERROR, LC_HIDDEN},
    [CLASS_SHOULD] = {LC_WARNING, LC_ERROR, LC_INFO},
    [CLASS_MINOR] = {LC_INFO, LC_WARNING, LC_HIDDEN},
    [CLASS_EXPECTED] = {LC_ERROR, LC_ERROR, LC_ERROR},
    [CLASS_REMARK] = {LC_INFO, LC_ERROR, LC_INFO},
};

LC_ENUM_NAMES(lc_severity, LC_SEVERITIES);

static bool any_core(const lc_finding *f, lc_effect effect)
{
    return f->core[LC_OPENTOFU].effect == effect || f->core[LC_TERRAFORM].effect == effect;
}

static bool no_core_acts(const lc_finding *f)
{
    return f->core[LC_OPENTOFU].effect == LC_EFFECT_NONE &&
           f->core[LC_TERRAFORM].effect == LC_EFFECT_NONE;
}

bool lc_effect_stops(lc_effect effect)
{
    return effect == LC_EFFECT_ERROR || effect == LC_EFFECT_CRASH;
}

/* SDKv2 cannot avoid violations of requirements on values, so those that no core enforces are
 * tolerated. */
static bool excused_by_legacy(const lc_finding *f, const lc_rule_info *info)
{
    return info->strength == LC_MUST && f->legacy == LC_YES && no_core_acts(f) &&
           (lc_str_starts_with(info->slug, LC_STR("plan/")) ||
            lc_str_starts_with(info->slug, LC_STR("apply/")));
}

/* Findings about whole plans and configurations have no provider to blame: they contradict the
 * model of a run. */
static finding_class classify_planning(lc_rule rule, const lc_rule_info *info)
{
    if (rule == LC_RULE_RUN_FORBIDDEN || rule == LC_RULE_RUN_NOT_FIRM ||
        rule == LC_RULE_RUN_POLICY_UNMATCHED)
        return CLASS_EXPECTED;
    if (info->strength == LC_SMELL)
        return CLASS_SMELL;
    return info->strength == LC_MUST || info->strength == LC_CORE_RULE ? CLASS_STOPS : CLASS_SHOULD;
}

/* No client checks these, and no document says "must" or "should", but users lose their state, or
 * the changes of one of two clients. CLASS_MINOR: no such rule. */
static finding_class classify_loss(lc_rule rule)
{
    if (rule == LC_RULE_STORE_READ_BACK)
        return CLASS_MUST;
    bool lock = rule == LC_RULE_STORE_LOCKED_TWICE || rule == LC_RULE_STORE_UNLOCKED_BY_OTHER;
    return lock ? CLASS_SHOULD : CLASS_MINOR;
}

static finding_class classify(const lc_finding *f, const lc_rule_info *info)
{
    if (lc_finding_domain(f) != LC_DOMAIN_LIFECYCLE)
        return classify_planning(f->rule, info);
    if (f->rule == LC_RULE_DRIVE_ANSWER)
        return CLASS_EXPECTED;
    if (info->blame != LC_PROVIDER)
        return CLASS_NOT_PROVIDER;
    if (info->strength == LC_SMELL || f->unproven)
        return CLASS_SMELL;
    if (lc_effect_stops(f->core[LC_OPENTOFU].effect) ||
        lc_effect_stops(f->core[LC_TERRAFORM].effect))
        return CLASS_STOPS;
    if (any_core(f, LC_EFFECT_TOLERATED) || excused_by_legacy(f, info))
        return CLASS_TOLERATED;
    if (any_core(f, LC_EFFECT_ERROR_OR_TOLERATED))
        return CLASS_MAYBE_TOLERATED;
    if (info->strength == LC_MUST || f->rule == LC_RULE_GATE_FUNCTION_DIFFERS)
        return CLASS_MUST;
    if (info->strength == LC_SHOULD || any_core(f, LC_EFFECT_LOGGED))
        return CLASS_SHOULD;
    return classify_loss(f->rule);
}

/* What one core does: only its own errors are errors, and what it logs is information. A version
 * without the check goes on. */
static lc_severity as_core(const lc_finding *f, finding_class class, lc_core core, unsigned minor)
{
    bool checks = lc_finding_is_of(f, core, minor);
    lc_effect effect = checks ? f->core[core].effect : LC_EFFECT_NONE;
    if (class == CLASS_STOPS && lc_effect_stops(effect))
        return LC_ERROR;
    if (class == CLASS_MUST && effect == LC_EFFECT_LOGGED)
        return LC_INFO;
    return table[class].core;
}

lc_severity lc_severity_of(const lc_policy *policy, const lc_finding *finding)
{
    finding_class class = classify(finding, lc_rule_get(finding->rule));
    bool of_core = lc_finding_domain(finding) != LC_DOMAIN_RUN; /* a run is of one core already */
    if (policy->as != LC_PROFILE_DOCUMENT && of_core)
        return as_core(finding, class,
                       policy->as == LC_PROFILE_OPENTOFU ? LC_OPENTOFU : LC_TERRAFORM,
                       policy->as_minor);
    if (policy->client && of_core && class == CLASS_STOPS && !policy->strict &&
        lc_client_accepts(policy->client, finding))
        return table[class].core;
    return policy->strict ? table[class].strict : table[class].document;
}

/* ---- The worst severity of a rule. */

/* The text of effects is `EFFECT (condition); ...; EFFECT`: does one of them stop a core? */
static bool mentions_stop(lc_str effects)
{
    return lc_str_matches_glob(effects, LC_STR("error*")) ||
           lc_str_matches_glob(effects, LC_STR("crash*")) ||
           lc_str_matches_glob(effects, LC_STR("*; error*")) ||
           lc_str_matches_glob(effects, LC_STR("*; crash*"));
}

/* Makes a finding with the worst effects of the rule, and returns its severity. */
lc_severity lc_worst_severity(const lc_policy *policy, lc_rule rule)
{
    const lc_rule_info *info = lc_rule_get(rule);
    lc_finding worst = {.rule = rule, .legacy = LC_NO};
    lc_domain domain = lc_rule_domain(rule);
    worst.call.kind = domain == LC_DOMAIN_RUN         ? LC_CALL_RUN
                      : domain == LC_DOMAIN_PROVIDERS ? LC_CALL_PROVIDERS
                                                      : LC_CALL_SCHEMA;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        bool stop = mentions_stop(info->effects[core].text);
        worst.core[core].effect = stop ? LC_EFFECT_ERROR : info->effects[core].last;
    }
    return lc_severity_of(policy, &worst);
}
