/* The catalogue as data, and the names of everything that occurs in it. */
#include "lifecheck/rule.h"
#include "lifecheck/bug.h"

#define ANY_CALL ((1u << LC_RPC_KIND_COUNT) - 1u)
#define C(kind)  LC_CALL_BIT(LC_CALL_##kind)
#define N(need)  ((uint64_t)1 << LC_NEED_##need)
#define S(text)                                                                                    \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static const lc_rule_info catalogue[LC_RULE_COUNT] = {
#define LC_RULE(id, slug, strength, blame, calls, needs, features, judged, when, opentofu,         \
                terraform, opentofu_effect, terraform_effect, title, promise, framework, sdkv2,    \
                quote, clause, core)                                                               \
    [LC_RULE_##id] = {S(slug),                                                                     \
                      strength,                                                                    \
                      blame,                                                                       \
                      calls,                                                                       \
                      needs,                                                                       \
                      features,                                                                    \
                      judged,                                                                      \
                      S(when),                                                                     \
                      {S(opentofu), S(terraform)},                                                 \
                      {opentofu_effect, terraform_effect},                                         \
                      S(title),                                                                    \
                      S(promise),                                                                  \
                      S(framework),                                                                \
                      S(sdkv2),                                                                    \
                      S(quote),                                                                    \
                      S(clause),                                                                   \
                      S(core)},
#include "catalog/rules.def"
#undef LC_RULE
};

const lc_rule_info *lc_rule_get(lc_rule rule)
{
    LC_ASSERT((unsigned)rule < LC_RULE_COUNT);
    return &catalogue[rule];
}

lc_domain lc_rule_domain(lc_rule rule)
{
    unsigned calls = lc_rule_get(rule)->calls;
    if (calls & LC_CALL_BIT(LC_CALL_RUN))
        return LC_DOMAIN_RUN;
    return calls & LC_CALL_BIT(LC_CALL_PROVIDERS) ? LC_DOMAIN_PROVIDERS : LC_DOMAIN_LIFECYCLE;
}

#define OF_RUN(calls)       (((calls)&LC_CALL_BIT(LC_CALL_RUN)) != 0)
#define OF_PROVIDERS(calls) (!OF_RUN(calls) && ((calls)&LC_CALL_BIT(LC_CALL_PROVIDERS)) != 0)
enum {
    RUN_RULES = 0
#define LC_RULE(id, slug, strength, blame, calls, ...) +OF_RUN(calls)
#include "catalog/rules.def"
#undef LC_RULE
    ,
    PROVIDERS_RULES = 0
#define LC_RULE(id, slug, strength, blame, calls, ...) +OF_PROVIDERS(calls)
#include "catalog/rules.def"
#undef LC_RULE
};

unsigned lc_domain_rules(lc_domain domain)
{
    static const unsigned counts[LC_DOMAIN_COUNT] = {LC_RULE_COUNT - RUN_RULES - PROVIDERS_RULES,
                                                     RUN_RULES, PROVIDERS_RULES};
    return counts[domain];
}

const char *lc_domain_name(lc_domain domain)
{
    static const char *const names[LC_DOMAIN_COUNT] = {"lifecycle", "run", "providers"};
    return names[domain];
}

bool lc_rule_from_slug(lc_rule *out, lc_str slug)
{
    for (unsigned i = 0; i < LC_RULE_COUNT; i++) {
        if (lc_str_eq(catalogue[i].slug, slug)) {
            *out = (lc_rule)i;
            return true;
        }
    }
    return false;
}

lc_str lc_rule_nearest(lc_str slug)
{
    lc_str slugs[LC_RULE_COUNT];
    for (unsigned i = 0; i < LC_RULE_COUNT; i++)
        slugs[i] = catalogue[i].slug;
    return lc_str_nearest(slug, slugs, LC_RULE_COUNT);
}

static const char *const core_names[LC_CORE_COUNT] = {"opentofu", "terraform"};

const char *lc_core_name(lc_core core)
{
    return core_names[core];
}

static const struct {
    const char *name, *rpc, *phase, *leg;
} call_kinds[LC_CALL_KIND_COUNT] = {
    [LC_CALL_SCHEMA] = {"schema", "GetProviderSchema", "schema", "main"},
    [LC_CALL_UPGRADE] = {"upgrade", "UpgradeResourceState", "refresh", "main"},
    [LC_CALL_UPGRADE_IDENTITY] = {"upgrade_identity", "UpgradeResourceIdentity", "refresh", "main"},
    [LC_CALL_IMPORT] = {"import", "ImportResourceState", "import", "main"},
    [LC_CALL_MOVE] = {"move", "MoveResourceState", "refresh", "main"},
    [LC_CALL_READ] = {"read", "ReadResource", "refresh", "main"},
    [LC_CALL_VALIDATE] = {"validate", "ValidateResourceConfig", "plan", "main"},
    [LC_CALL_PLAN] = {"plan", "PlanResourceChange", "plan", "main"},
    [LC_CALL_PLAN_CREATE] = {"plan_create", "PlanResourceChange", "plan", "create"},
    [LC_CALL_DESTROY_PLAN] = {"destroy_plan", "PlanResourceChange", "plan", "destroy"},
    [LC_CALL_FINAL_PLAN] = {"final_plan", "PlanResourceChange", "apply", "main"},
    [LC_CALL_APPLY] = {"apply", "ApplyResourceChange", "apply", "main"},
    [LC_CALL_DESTROY] = {"destroy", "ApplyResourceChange", "apply", "destroy"},
    [LC_CALL_REREAD] = {"reread", "ReadResource", "apply", "main"},
    [LC_CALL_DATA] = {"data", "ReadDataSource", "plan", "main"},
    [LC_CALL_OPEN] = {"open", "OpenEphemeralResource", "plan", "main"},
    [LC_CALL_LIST] = {"list", "ListResource", "plan", "main"},
    [LC_CALL_ACTION] = {"action", "InvokeAction", "apply", "main"},
    [LC_CALL_RUN] = {"run", "", "plan", "main"},
    [LC_CALL_PROVIDERS] = {"providers", "", "plan", "main"},
};

const char *lc_call_kind_name(lc_call_kind kind)
{
    return call_kinds[kind].name;
}

bool lc_call_kind_from_name(lc_call_kind *out, lc_str name)
{
    for (unsigned i = 0; i < LC_CALL_KIND_COUNT; i++) {
        if (lc_str_is(name, call_kinds[i].name)) {
            *out = (lc_call_kind)i;
            return true;
        }
    }
    return false;
}

const char *lc_call_rpc(lc_call_kind kind)
{
    return call_kinds[kind].rpc;
}

const char *lc_call_phase(lc_call_kind kind)
{
    return call_kinds[kind].phase;
}

const char *lc_call_leg(lc_call_kind kind)
{
    return call_kinds[kind].leg;
}

const char *lc_strength_name(lc_strength strength)
{
    static const char *const names[] = {"must", "should", "core", "convention", "smell"};
    return names[strength];
}

const char *lc_blame_name(lc_blame blame)
{
    static const char *const names[] = {"provider", "client", "evidence"};
    return names[blame];
}

static const char *const effect_names[] = {
    "none", "logged", "tolerated", "error-or-tolerated", "error", "crash", "error-unless-legacy"};

const char *lc_effect_name(lc_effect effect)
{
    return effect_names[effect];
}

bool lc_effect_from_name(lc_effect *out, lc_str name)
{
    for (unsigned i = 0; i < LC_EFFECT_ERROR_UNLESS_LEGACY; i++) {
        if (lc_str_is(name, effect_names[i])) {
            *out = (lc_effect)i;
            return true;
        }
    }
    return false;
}

const char *lc_need_name(lc_need need)
{
    static const char *const names[] = {
#define LC_NEED_NAME(id, name) name,
        LC_NEEDS(LC_NEED_NAME)
#undef LC_NEED_NAME
    };
    return names[need];
}
