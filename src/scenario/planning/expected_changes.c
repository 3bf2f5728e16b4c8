/* The changes that a scenario about a whole run expects, by address. */
#include "scenario/planning/internal.h"

#include "lifecheck/arena.h"

static const lc_key_row rows[] = {
    {"actions", LC_SHAPE_PLAN_ACTIONS, true, "one action, or the two of a replace"},
    {"reason", LC_SHAPE_TEXT, false, "as in plans"},
    {"previous_address", LC_SHAPE_TEXT, false, ""},
    {"behavior", LC_SHAPE_BEHAVIOR, false, "default, configuration, provider or single-run"},
    {"deposed", LC_SHAPE_TEXT, false, "its key"},
};
const lc_keyset lc_predicted_keys = LC_KEYSET(rows);

/* A list of actions as in plans, or a single action without a list. */
static bool read_actions(lc_in *in, lc_plan_action *out, const lc_node *node)
{
    lc_node alone = {.kind = LC_NODE_SEQUENCE, .count = 1, .as.items = node};
    *out = lc_plan_action_of(node->kind == LC_NODE_STRING ? &alone : node);
    return *out != LC_PLAN_UNKNOWN || lc_in_refuse(in, node, "these are no actions of a plan");
}

static bool read_behavior(lc_in *in, lc_str *out, const lc_node *node)
{
    if (!lc_in_text(in, out, node, "behavior"))
        return false;
    for (int b = LC_BEHAVIOR_DEFAULT; b <= LC_BEHAVIOR_SINGLE_RUN; b++) {
        if (lc_str_is(*out, lc_behavior_name((lc_behavior)b)))
            return true;
    }
    return lc_in_refuse(in, node, "a behavior is default, configuration, provider or single-run");
}

static bool read_expected(lc_in *in, const lc_member *m, lc_run_expected *e)
{
    const lc_member *found[sizeof rows / sizeof *rows];
    lc_address address;
    *e = (lc_run_expected){.loc = lc_in_key_loc(in, m)};
    e->address = m->key;
    if (m->value.kind != LC_NODE_NULL && m->value.kind != LC_NODE_MAPPING)
        return lc_in_refuse(in, &m->value, "a mapping is required here, or null for no change");
    if (!lc_in_address(in, &address, m->key, m->where))
        return false;
    e->address = lc_address_text(in->arena, &address);
    if (m->value.kind == LC_NODE_NULL)
        return true;
    if (!lc_in_keys(in, found, &m->value, &lc_predicted_keys, "an expectation"))
        return false;
    if (!found[0])
        return lc_in_refuse(in, &m->value, "actions are required here");
    e->given = true;
    if (!read_actions(in, &e->action, &found[0]->value))
        return false;
    e->has_reason = found[1] != NULL;
    e->has_previous = found[2] != NULL;
    return (!found[1] || lc_in_text(in, &e->reason, &found[1]->value, "reason")) &&
           (!found[2] || lc_in_text(in, &e->previous, &found[2]->value, "previous_address")) &&
           (!found[3] || read_behavior(in, &e->behavior, &found[3]->value)) &&
           (!found[4] || lc_in_text(in, &e->deposed, &found[4]->value, "deposed"));
}

bool lc_in_expected_changes(lc_in *in, lc_plan_evidence *facts, const lc_node *node)
{
    bool ok = true;
    if (!node)
        return true;
    if (!lc_in_mapping(in, node, "expect"))
        return false;
    lc_run_expected *list = LC_NEW_ARRAY(in->arena, lc_run_expected, node->count);
    for (uint32_t i = 0; i < node->count; i++)
        ok &= read_expected(in, &node->as.members[i], &list[i]);
    facts->expected = list;
    facts->expected_count = node->count;
    return ok;
}
