/* Problems of a configuration as findings of the provider rules. */
#include "lifecheck/catalog/core_message.h"
#include "provider_config/internal.h"

/* Quotes the summaries of both cores. A problem may have its own summaries; else those of its rule
 * are used. */
static void quote_cores(lc_finding *f, const lc_config_problem *p, lc_profile profile)
{
    const lc_rule_info *info = lc_rule_get(p->rule);
    lc_str said[LC_CORE_COUNT] = {lc_core_message_summary(p->rule, LC_OPENTOFU),
                                  lc_core_message_summary(p->rule, LC_TERRAFORM)};
    lc_core own = profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    lc_core other = own == LC_TERRAFORM ? LC_OPENTOFU : LC_TERRAFORM;
    if (p->summary.len > 0)
        said[own] = p->summary;
    if (p->other.len > 0)
        said[other] = p->other;
    if (p->alone) {
        said[other] = LC_STR_EMPTY;
        f->core[other].effect = LC_EFFECT_NONE;
    }
    for (int core = 0; core < LC_CORE_COUNT; core++)
        if (said[core].len > 0)
            lc_planning_quote(f, (lc_core)core, info->effects[core].last, said[core]);
}

static void emit(lc_planner *planner, const lc_provider_facts *facts, const lc_config_problem *p)
{
    lc_planning_breach breach = {.rule = p->rule,
                                 .address = lc_hidden_text(&facts->model->hidden, p->address),
                                 .path = LC_PATH_ROOT,
                                 .loc = p->place.source ? lc_source_pos_loc(p->place) : p->loc,
                                 .message = lc_hidden_text(&facts->model->hidden, p->detail)};
    quote_cores(lc_planning_emit(planner, &breach), p, facts->model->config->profile);
}

/* ---- What was checked. */

static bool is_given(const lc_provider_facts *facts, lc_need need)
{
    if (need == LC_NEED_STATE_FILE)
        return facts->has_state;
    if (need == LC_NEED_NEXT_STATE_FILE)
        return facts->has_next;
    if (need == LC_NEED_SEQUENCE)
        return facts->has_sequence;
    return need == LC_NEED_PLAN_FILE ? facts->has_plan : need == LC_NEED_CONFIGURATION;
}

/* Rules that exist in one profile only are not listed as checked in others. */
static bool applies(lc_rule rule, const lc_provider_facts *facts)
{
    static const lc_rule document[] = {
        LC_RULE_PROVIDER_ALIAS_WITH_REPETITION, LC_RULE_PROVIDER_COUNT_AND_FOR_EACH,
        LC_RULE_PROVIDER_KEY_ALIAS_CONFLICT, LC_RULE_PROVIDER_KEY_KEY_CONFLICT,
        LC_RULE_PROVIDER_KEY_NOT_NAME};
    static const lc_rule opentofu[] = {LC_RULE_PROVIDER_FOR_EACH_WITHOUT_ALIAS,
                                       LC_RULE_PROVIDER_KEY_REQUIRED,
                                       LC_RULE_PROVIDER_KEY_UNEXPECTED,
                                       LC_RULE_PROVIDER_KEY_NEEDS_ALIAS,
                                       LC_RULE_PROVIDER_BLOCK_MISSING,
                                       LC_RULE_PROVIDER_TWO_KEYS,
                                       LC_RULE_PROVIDER_MIXED_CONFIG,
                                       LC_RULE_PROVIDER_SAME_FOR_EACH,
                                       LC_RULE_PROVIDER_STATE_DIFFER,
                                       LC_RULE_PROVIDER_ORPHAN_NO_KEY,
                                       LC_RULE_PROVIDER_FALLBACK};
    lc_profile profile = facts->model->config->profile;
    if (rule == LC_RULE_PROVIDER_EXPECTED) /* counted where it is compared */
        return false;                      /* that it was compared is known where it is */
    for (size_t i = 0; i < sizeof(document) / sizeof(document[0]); i++)
        if (rule == document[i])
            return profile == LC_PROFILE_DOCUMENT;
    for (size_t i = 0; i < sizeof(opentofu) / sizeof(opentofu[0]); i++)
        if (rule == opentofu[i])
            return profile == LC_PROFILE_OPENTOFU;
    if (rule == LC_RULE_PROVIDER_COUNT)
        return profile != LC_PROFILE_DOCUMENT;
    return rule != LC_RULE_PROVIDER_DOWNGRADE || facts->has_reader;
}

/* Lists a rule as checked, or with the input that it does not have. */
static void cover(lc_planner *planner, const lc_provider_facts *facts, lc_rule rule)
{
    uint64_t needs = lc_rule_get(rule)->needs;
    for (int need = 0; need < LC_NEED_COUNT; need++)
        if ((needs >> need & 1) && !is_given(facts, (lc_need)need)) {
            lc_planning_lacks(planner, rule, (lc_need)need);
            return;
        }
    lc_planning_checked(planner, rule);
}

/* ---- What the user expects. */

static lc_str instance_of(lc_planner *planner, const lc_provider_use *use)
{
    lc_provider_address a;
    if (!use || use->state != LC_USE_RESOLVED)
        return LC_STR_EMPTY;
    lc_provider_use_address(&a, use);
    return lc_provider_address_text(planner->scratch, &a);
}

/* Undecided uses are neither as expected nor otherwise. */
static void judge_expected(lc_planner *planner, const lc_provider_facts *facts,
                           const lc_provider_expected *e)
{
    const lc_provider_use *use = lc_provider_use_at(facts->model, e->address);
    lc_str is = instance_of(planner, use);
    if (use && use->state == LC_USE_UNDECIDED) {
        lc_planning_open(planner, LC_RULE_PROVIDER_EXPECTED, LC_NEED_CONFIGURATION);
        return;
    }
    lc_planning_compared(planner, LC_RULE_PROVIDER_EXPECTED);
    if (lc_str_eq(e->instance, is))
        return;
    lc_planning_breach breach = {.rule = LC_RULE_PROVIDER_EXPECTED,
                                 .address = e->address,
                                 .path = LC_PATH_ROOT,
                                 .loc = e->loc};
    breach.message =
        lc_str_printf(planner->report, "%.*s is expected, and it is %.*s",
                      LC_FMT(e->instance.len ? e->instance : LC_STR("no provider instance")),
                      LC_FMT(is.len ? lc_hidden_text(&facts->model->hidden, is) : LC_STR("none")));
    lc_planning_emit(planner, &breach);
}

/* Problems without a rule are errors of the configuration itself; echoes only repeat another
 * problem. */
static void judge(lc_planner *planner, const void *context)
{
    const lc_provider_facts *facts = context;
    const lc_configuration *config = facts->model->config;
    for (int rule = 0; rule < LC_RULE_COUNT; rule++)
        if (lc_rule_domain((lc_rule)rule) == LC_DOMAIN_PROVIDERS && applies((lc_rule)rule, facts))
            cover(planner, facts, (lc_rule)rule);
    for (size_t i = 0; i < config->problems.count; i++) {
        const lc_config_problem *p = &config->problems.items[i];
        if (p->rule != LC_RULE_COUNT && !p->echo)
            emit(planner, facts, p);
    }
    for (size_t i = 0; i < facts->expected.count; i++)
        judge_expected(planner, facts, &facts->expected.items[i]);
    lc_buf json = {0};
    lc_provider_model_add_json(&json, planner->scratch, facts->model);
    planner->out->instances = lc_buf_take(planner->report, &json);
}

const lc_planning *lc_provider_planning(lc_arena *arena, const lc_provider_facts *facts)
{
    lc_planning *planning = LC_NEW(arena, lc_planning);
    *planning = (lc_planning){LC_DOMAIN_PROVIDERS, judge, facts};
    return planning;
}
