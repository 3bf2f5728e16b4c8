/* Entries of a plan against the configuration that the plan prints. A plan prints literals of
 * expressions only, so an absent value proves nothing. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* ---- Providers. */

/* True for HOST/NAMESPACE/TYPE. */
static bool is_fqn(lc_str name)
{
    size_t slashes = 0, part = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] != '/') {
            part++;
            continue;
        }
        if (!part)
            return false;
        slashes++;
        part = 0;
    }
    return slashes == 2 && part > 0;
}

/* The provider that the printed configuration gives a block; "" if it does not name one. */
static lc_str configured_provider(const lc_plan_rules *r, const lc_plan_block *block)
{
    if (!block->provider_key.len)
        return LC_STR_EMPTY;
    return lc_node_text(lc_node_value(r->plan->provider_config, block->provider_key), "full_name");
}

static void report_provider(lc_plan_rules *r, const lc_plan_change *c, const char *what,
                            lc_str other)
{
    lc_report_change(r, LC_RULE_RUN_PROVIDER_NAME, c, lc_node_given(c->node, "provider_name"),
                     ".provider_name", "%.*s: its provider is \"%.*s\", %s%.*s", LC_FMT(c->address),
                     LC_FMT(c->provider_name), what, LC_FMT(other));
}

static lc_str block_address(lc_plan_rules *r, const lc_plan_change *c)
{
    lc_address address = lc_address_config(r->scratch, &c->parsed);
    return lc_address_text(r->scratch, &address);
}

/* Also compares instances of one resource with each other. Deletions are exempt: they use the
 * provider stored with the object. */
static void check_provider(lc_plan_rules *r, lc_table *names, lc_plan_change *c)
{
    if (*lc_wrong(r, c) & LC_WRONG_IDENTITY)
        return;
    if (!is_fqn(c->provider_name)) {
        report_provider(r, c, "which is not a provider's address", LC_STR_EMPTY);
        return;
    }
    if (lc_plan_action_ends(c->action) || c->deposed.len)
        return;
    lc_str want = c->block ? configured_provider(r, c->block) : LC_STR_EMPTY;
    lc_str resource = block_address(r, c);
    const lc_plan_change *first = lc_table_get(names, resource);
    if (want.len && !lc_str_eq(want, c->provider_name))
        report_provider(r, c, "but the configuration says ", want);
    else if (!want.len && first && !lc_str_eq(first->provider_name, c->provider_name))
        report_provider(r, c, "but that of another instance is ", first->provider_name);
    if (!first)
        lc_table_put(names, resource, c);
}

/* Each provider_config_key must be in provider_config. */
static void check_provider_keys(lc_plan_rules *r)
{
    const lc_node *config = r->plan->provider_config;
    if (!config || config->kind != LC_NODE_MAPPING)
        return;
    for (size_t i = 0; i < r->plan->blocks.count; i++) {
        const lc_plan_block *b = &r->plan->blocks.items[i];
        if (b->provider_key.len && !lc_node_member(config, b->provider_key))
            lc_report_plan(r, LC_RULE_RUN_PROVIDER_CONFIG_KEY, b->address,
                           lc_node_given(b->node, "provider_config_key"), ".provider_config_key",
                           "%.*s: the configuration has no provider configuration \"%.*s\"",
                           LC_FMT(b->address), LC_FMT(b->provider_key));
    }
}

/* ---- Resource blocks. */

/* Declared instances need a block. Missing ones are remembered, so that their consequences are not
 * reported again. */
static void check_block(lc_plan_rules *r, lc_table *missed, lc_plan_change *c)
{
    bool declared = c->action == LC_PLAN_CREATE || c->action == LC_PLAN_NOOP ||
                    c->action == LC_PLAN_UPDATE || c->action == LC_PLAN_READ ||
                    lc_plan_action_replaces(c->action);
    if (!declared || c->block || c->generated_config || c->deposed.len)
        return;
    lc_table_put(missed, block_address(r, c), c);
    lc_report_change(r, LC_RULE_RUN_UNKNOWN_RESOURCE, c, NULL, "",
                     "%.*s: %s is planned, but the configuration has no block for it",
                     LC_FMT(c->address), lc_plan_action_text(c->action));
}

/* The cores give these reasons only if the resource has a block. */
static bool needs_block(lc_plan_reason reason)
{
    return lc_plan_reason_is_of_repetition(reason) || reason == LC_PLAN_REASON_DELETE_NO_MODULE;
}

/* Reasons for deletion must agree with the configuration. */
static void check_ending(lc_plan_rules *r, const lc_table *missed, const lc_plan_change *c)
{
    const lc_node *at = lc_node_given(c->node, "action_reason");
    if (c->reason == LC_PLAN_REASON_DELETE_NO_RESOURCE_CONFIG && c->block)
        lc_report_change(
            r, LC_RULE_RUN_NO_CONFIG, c, at, ".action_reason",
            "%.*s: the reason is that its block is gone, but the configuration has one",
            LC_FMT(c->address));
    else if (needs_block(c->reason) && !c->block && !lc_table_get(missed, block_address(r, c)))
        lc_report_change(r, LC_RULE_RUN_NO_CONFIG, c, at, ".action_reason",
                         "%.*s: the reason %s needs a block, but the configuration has none",
                         LC_FMT(c->address), lc_plan_reason_text(c->reason));
    else if (c->reason == LC_PLAN_REASON_DELETE_NO_MOVE_TARGET &&
             (!c->previous_address.len || c->block))
        lc_report_change(r, LC_RULE_RUN_NO_MOVE_TARGET, c, at, ".action_reason",
                         c->block
                             ? "%.*s: the reason is a move to an address without a block, but the "
                               "configuration has one"
                             : "%.*s: the reason is a move, but it was not moved",
                         LC_FMT(c->address));
}

/* ---- Instance keys. */

/* A count is only known if it is a literal, without any reference. */
static bool literal_count(lc_plan_rules *r, const lc_node *expression, int64_t *out)
{
    lc_num n;
    const lc_node *constant = lc_node_get(expression, "constant_value");
    return lc_node_is(constant, LC_NODE_NUMBER) && !lc_node_given(expression, "references") &&
           lc_num_from_text(&n, r->scratch, constant->as.text, 40) == LC_NUM_OK &&
           lc_num_to_int64(n, out);
}

/* Why the reason contradicts the repetition of the block; NULL: it does not, or nothing is
 * known. */
static const char *contradiction(lc_plan_rules *r, const lc_plan_change *c)
{
    lc_key_kind key = c->parsed.key.kind;
    int64_t count;
    if (c->reason == LC_PLAN_REASON_DELETE_COUNT_INDEX) {
        if (key != LC_KEY_INT)
            return "its key is not a number";
        if (c->block->for_each)
            return "its block has for_each";
        bool within = literal_count(r, c->block->count, &count) && c->parsed.key.number < count;
        return within ? "its key is within count" : NULL;
    }
    if (c->reason == LC_PLAN_REASON_DELETE_EACH_KEY)
        return key != LC_KEY_STRING ? "its key is not a string"
               : c->block->count    ? "its block has count"
                                    : NULL;
    if (c->reason == LC_PLAN_REASON_DELETE_WRONG_REPETITION)
        return key == LC_KEY_INT && c->block->count         ? "its key fits count"
               : key == LC_KEY_STRING && c->block->for_each ? "its key fits for_each"
                                                            : NULL;
    return NULL;
}

static void check_repetition(lc_plan_rules *r, const lc_plan_change *c)
{
    const char *why = c->block ? contradiction(r, c) : NULL;
    if (why)
        lc_report_change(r, LC_RULE_RUN_REPETITION, c, lc_node_given(c->node, "action_reason"),
                         ".action_reason", "%.*s: %s, but %s", LC_FMT(c->address),
                         lc_plan_reason_text(c->reason), why);
}

static bool is_about_block(const lc_plan_rules *r, const lc_plan_change *c)
{
    return r->plan->has_configuration && !(*lc_wrong(r, c) & (LC_WRONG_IDENTITY | LC_WRONG_ACTION));
}

static void check_endings(lc_plan_rules *r, const lc_table *missed)
{
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        if (!is_about_block(r, c) || (*lc_wrong(r, c) & LC_WRONG_REASON))
            continue;
        check_ending(r, missed, c);
        check_repetition(r, c);
    }
}

/* A destroy plan deletes everything regardless of the configuration, without reasons. */
void lc_plan_rules_blocks(lc_plan_rules *r)
{
    lc_table names, missed;
    lc_table_init(&names, r->scratch);
    lc_table_init(&missed, r->scratch);
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_PROVIDER_NAME);
    if (r->plan->has_configuration)
        LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_UNKNOWN_RESOURCE, LC_RULE_RUN_NO_CONFIG,
                             LC_RULE_RUN_NO_MOVE_TARGET, LC_RULE_RUN_REPETITION,
                             LC_RULE_RUN_PROVIDER_CONFIG_KEY);
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        lc_plan_change *c = &r->plan->changes.items[i];
        if (!lc_str_is(c->mode, "ephemeral"))
            check_provider(r, &names, c);
        if (is_about_block(r, c))
            check_block(r, &missed, c);
    }
    if (r->options.mode != LC_PLAN_DESTROY)
        check_endings(r, &missed);
    if (r->plan->has_configuration)
        check_provider_keys(r);
}
