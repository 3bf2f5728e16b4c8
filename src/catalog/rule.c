/* The catalogue of rules as data, and the names of all enumerations in it. */
#include "lifecheck/catalog/rule.h"
#include "lifecheck/base/bug.h"

#include "catalog/rule_row.h"

/* Every id has exactly one row, and rows have the order of ids. */
enum {
#define RULE(id, ...) ROW_##id,
#include "catalog/rules.def"
    ROW_COUNT
};
#define LC_RULE(id) _Static_assert((int)ROW_##id == (int)LC_RULE_##id, "the row of " #id);
#include "lifecheck/catalog/rule_ids.def"
_Static_assert((int)ROW_COUNT == (int)LC_RULE_COUNT, "a row for each id");

static const lc_rule_info catalogue[LC_RULE_COUNT] = {
#define RULE(id, name, ...) [LC_RULE_##id] = {.slug = S(name), __VA_ARGS__},
#include "catalog/rules.def"
};

const lc_rule_info *lc_rule_get(lc_rule rule)
{
    LC_ASSERT((unsigned)rule < LC_RULE_COUNT);
    return &catalogue[rule];
}

/* Most fixes are the same in both SDKs; those of SDKv2 are written only where they differ. */
lc_str lc_rule_fix(const lc_rule_info *rule, lc_sdk sdk)
{
    return rule->fixes[sdk].len ? rule->fixes[sdk] : rule->fixes[LC_SDK_FRAMEWORK];
}

/* Clauses that are not places in a document. */
static const char *words_of(lc_str clause)
{
    static const struct {
        const char *clause, *words;
    } kinds[] = {
        {"core check", "a check of the client (core)"},
        {"heuristic", "experience: no document requires it"},
        {"object wire format", "the wire format of objects"},
        {"protocol comment", "a comment in the definition of the protocol"},
        {"scenario", "what the scenario, the options or the settings require"},
        {"SDK check", "a check of the SDK"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (lc_str_is(clause, kinds[i].clause))
            return kinds[i].words;
    }
    return NULL;
}

void lc_rule_add_source(lc_buf *out, const lc_rule_info *rule)
{
    const char *words = words_of(rule->clause);
    if (rule->quote.len)
        lc_buf_printf(out, "\"%.*s\" (", LC_FMT(rule->quote));
    if (words)
        lc_buf_add_c(out, words);
    else
        lc_buf_add_str(out, rule->clause);
    if (rule->quote.len)
        lc_buf_add_char(out, ')');
}

/* For options that take globs: one that matches no rule is a mistake of the user. */
bool lc_rule_any_matches(lc_str glob)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (lc_str_matches_glob(lc_rule_get((lc_rule)rule)->slug, glob))
            return true;
    }
    return false;
}

lc_str lc_rule_family(lc_rule rule)
{
    lc_str slug = lc_rule_get(rule)->slug;
    return lc_str_sub(slug, 0, lc_str_find(slug, 0, '/'));
}

/* The domain follows from the calls: rules about whole runs and provider instances have calls of
 * their own. */
lc_domain lc_rule_domain(lc_rule rule)
{
    unsigned calls = lc_rule_get(rule)->calls;
    if (calls & LC_CALL_BIT(LC_CALL_RUN))
        return LC_DOMAIN_RUN;
    return calls & LC_CALL_BIT(LC_CALL_PROVIDERS) ? LC_DOMAIN_PROVIDERS : LC_DOMAIN_LIFECYCLE;
}

unsigned lc_domain_rules(lc_domain domain)
{
    unsigned count = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        count += lc_rule_domain((lc_rule)rule) == domain;
    return count;
}

LC_ENUM_NAMES(lc_domain, LC_DOMAINS);

/* Linear: names are looked up a few times in a run, never for each value. */
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

void lc_rule_add_unmatched(lc_buf *out, lc_str glob)
{
    lc_str near = lc_rule_nearest(glob);
    lc_buf_printf(out, "no rule matches \"%.*s\"; ", LC_FMT(glob));
    if (near.len)
        lc_buf_printf(out, "did you mean \"%.*s\"?", LC_FMT(near));
    else
        lc_buf_add_c(out, "`lifecheck rules` lists them");
}

LC_ENUM_NAMES(lc_core, LC_CORES);
LC_ENUM_NAMES(lc_profile, LC_PROFILES);

/* What each call is in the protocol, in reports and in statistics. */
static const struct {
    const char *rpc, *phase, *leg;
} call_kinds[LC_CALL_KIND_COUNT] = {
    [LC_CALL_SCHEMA] = {"GetProviderSchema", "schema", "main"},
    [LC_CALL_UPGRADE] = {"UpgradeResourceState", "refresh", "main"},
    [LC_CALL_UPGRADE_IDENTITY] = {"UpgradeResourceIdentity", "refresh", "main"},
    [LC_CALL_IMPORT] = {"ImportResourceState", "import", "main"},
    [LC_CALL_MOVE] = {"MoveResourceState", "refresh", "main"},
    [LC_CALL_READ] = {"ReadResource", "refresh", "main"},
    [LC_CALL_VALIDATE] = {"ValidateResourceConfig", "plan", "main"},
    [LC_CALL_PLAN] = {"PlanResourceChange", "plan", "main"},
    [LC_CALL_PLAN_CREATE] = {"PlanResourceChange", "plan", "create"},
    [LC_CALL_DESTROY_PLAN] = {"PlanResourceChange", "plan", "destroy"},
    [LC_CALL_FINAL_PLAN] = {"PlanResourceChange", "apply", "main"},
    [LC_CALL_APPLY] = {"ApplyResourceChange", "apply", "main"},
    [LC_CALL_DESTROY] = {"ApplyResourceChange", "apply", "destroy"},
    [LC_CALL_REREAD] = {"ReadResource", "apply", "main"},
    [LC_CALL_DATA] = {"ReadDataSource", "plan", "main"},
    [LC_CALL_OPEN] = {"OpenEphemeralResource", "plan", "main"},
    [LC_CALL_LIST] = {"ListResource", "plan", "main"},
    [LC_CALL_ACTION] = {"InvokeAction", "apply", "main"},
    [LC_CALL_FUNCTION] = {"CallFunction", "plan", "main"},
    [LC_CALL_STORE] = {"a call of the state store", "plan", "main"},
    [LC_CALL_RUN] = {"", "plan", "main"},
    [LC_CALL_PROVIDERS] = {"", "plan", "main"},
};

LC_ENUM_NAMES(lc_call_kind, LC_CALL_KINDS);

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

LC_ENUM_NAMES(lc_strength, LC_STRENGTHS);

LC_ENUM_NAMES(lc_blame, LC_BLAMES);

LC_ENUM_NAMES(lc_effect, LC_EFFECTS);

LC_ENUM_NAMES(lc_need, LC_NEEDS);
