/* The changes that a scenario about a whole run expects, by address. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"

static const lc_key_row rows[] = {
    {"actions", LC_SHAPE_PLAN_ACTIONS, false, "one action, or the two of a replace; or a set"},
    {"any_of", LC_SHAPE_ACTION_SET, false, "the actions that are allowed"},
    {"not", LC_SHAPE_ACTION_SET, false, "actions that are not allowed"},
    {"reason", LC_SHAPE_TEXT, false, "as in plans"},
    {"previous_address", LC_SHAPE_TEXT, false, ""},
    {"behavior", LC_SHAPE_BEHAVIOR, false, "default, configuration, provider or single-run"},
    {"deposed", LC_SHAPE_TEXT, false, "its key"},
};
const lc_keyset lc_predicted_keys = LC_KEYSET(rows);

static bool read_name(lc_in *in, unsigned *out, const lc_node *node)
{
    unsigned one = 0;
    if (node->kind != LC_NODE_STRING || !lc_plan_action_set(&one, node->as.text))
        return lc_in_refuse(in, node,
                            "this is not an action; no-op, create, read, update, delete, forget, "
                            "replace, destroy or * are some");
    if (!(one & ~*out))
        return lc_in_refuse(in, node, "this action is named twice");
    *out |= one;
    return true;
}

/* A name, or a list of them. */
static bool read_set(lc_in *in, unsigned *out, const lc_node *node)
{
    if (node->kind != LC_NODE_SEQUENCE)
        return read_name(in, out, node);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!read_name(in, out, &node->as.items[i]))
            return false;
    }
    return node->count || lc_in_refuse(in, node, "an action is required here");
}

/* The list of a plan is one action; any other list is a set. */
static bool read_actions(lc_in *in, unsigned *out, const lc_node *node)
{
    lc_plan_action one = lc_plan_action_of(node);
    *out = one == LC_PLAN_UNKNOWN ? 0 : LC_PLAN_BIT(one);
    return one != LC_PLAN_UNKNOWN || read_set(in, out, node);
}

/* What is allowed, and not excepted. */
static bool read_allowed(lc_in *in, lc_run_expected *e, const lc_node *mapping,
                         const lc_member *const found[3])
{
    unsigned excepted = 0;
    if (!found[0] && !found[1] && !found[2])
        return lc_in_refuse(in, mapping, "actions are required here, any_of or not");
    if (found[0] && found[1])
        return lc_in_refuse(in, &found[1]->value,
                            "`actions` is given as well: write one of the two");
    if (found[0] && !read_actions(in, &e->actions, &found[0]->value))
        return false;
    if (found[1] && !read_set(in, &e->actions, &found[1]->value))
        return false;
    if (found[2] && !read_set(in, &excepted, &found[2]->value))
        return false;
    e->negated = !found[0] && !found[1];
    for (int a = LC_PLAN_NOOP; e->negated && a <= LC_PLAN_FORGET_CREATE; a++)
        e->actions |= LC_PLAN_BIT(a);
    e->actions &= ~excepted;
    return e->actions || lc_in_refuse(in, mapping, "no action is left to be allowed");
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

static bool read_pattern(lc_in *in, lc_run_expected *e, const lc_member *m)
{
    lc_address address;
    lc_str why;
    size_t at;
    e->address = m->key;
    if (!lc_address_glob_parse(&e->objects, in->arena, m->key, &why, &at)) {
        lc_diag_error(in->diags, lc_where_loc(in->source, m->where),
                      "this is not an address, and no pattern of addresses: %.*s", LC_FMT(why));
        return false;
    }
    if (lc_address_parse(&address, in->arena, m->key, &why, &at))
        e->address = lc_address_text(in->arena, &address);
    return true;
}

static bool read_expected(lc_in *in, const lc_member *m, lc_run_expected *e)
{
    const lc_member *found[sizeof rows / sizeof *rows];
    *e = (lc_run_expected){.loc = lc_in_key_loc(in, m)};
    if (m->value.kind != LC_NODE_NULL && m->value.kind != LC_NODE_MAPPING)
        return lc_in_refuse(in, &m->value, "a mapping is required here, or null for no change");
    if (!read_pattern(in, e, m))
        return false;
    if (m->value.kind == LC_NODE_NULL)
        return true;
    if (!lc_in_keys(in, found, &m->value, &lc_predicted_keys, "an expectation"))
        return false;
    e->given = true;
    if (!read_allowed(in, e, &m->value, found))
        return false;
    e->has_reason = found[3] != NULL;
    e->has_previous = found[4] != NULL;
    return (!found[3] || lc_in_text(in, &e->reason, &found[3]->value, "reason")) &&
           (!found[4] || lc_in_text(in, &e->previous, &found[4]->value, "previous_address")) &&
           (!found[5] || read_behavior(in, &e->behavior, &found[5]->value)) &&
           (!found[6] || lc_in_text(in, &e->deposed, &found[6]->value, "deposed"));
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
