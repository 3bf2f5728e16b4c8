/* The entries of a plan, each on its own: their objects, actions, reasons and previous addresses.
 */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* ---- Which object. */

/* ---- Objects. */
static void check_address(lc_plan_rules *r, const lc_plan_change *c)
{
    unsigned *wrong = lc_wrong(r, c);
    if (!c->parses) {
        *wrong |= LC_WRONG_IDENTITY;
        lc_report_change(
            r, LC_RULE_RUN_ADDRESS_PARSE, c, lc_node_given(c->node, "address"), ".address",
            "\"%.*s\" is not a resource instance address as a core writes it", LC_FMT(c->address));
    } else if (c->differs) {
        *wrong |= LC_WRONG_IDENTITY;
        lc_report_change(r, LC_RULE_RUN_ADDRESS_FIELDS, c, lc_node_given(c->node, c->differs), "",
                         "%.*s: its %s contradicts its address", LC_FMT(c->address), c->differs);
    }
}

/* Tables have the first entry of an object, so a later one is found by comparing with it. */
static void check_second(lc_plan_rules *r, const lc_plan_change *c)
{
    lc_str key = lc_plan_key(r->scratch, c->address, c->deposed);
    const lc_plan_change *first = lc_table_get(&r->plan->by_address, key);
    if (!first || first == c || (*lc_wrong(r, c) & LC_WRONG_IDENTITY))
        return;
    *lc_wrong(r, c) |= LC_SECOND;
    lc_report_change(r, LC_RULE_RUN_DUPLICATE_CHANGE, c, NULL, "", "%.*s%s%.*s is planned twice",
                     LC_FMT(c->address), c->deposed.len ? " deposed " : "", LC_FMT(c->deposed));
}

static void check_deposed(lc_plan_rules *r, const lc_plan_change *c)
{
    unsigned *wrong = lc_wrong(r, c);
    if (!c->deposed.len)
        return;
    if (c->deposed.len != 8) {
        *wrong |= LC_WRONG_IDENTITY;
        lc_report_change(r, LC_RULE_RUN_DEPOSED_KEY, c, lc_node_given(c->node, "deposed"),
                         ".deposed",
                         "%.*s: the deposed key \"%.*s\" does not have eight characters",
                         LC_FMT(c->address), LC_FMT(c->deposed));
    }
    /* The cores plan a no-op without a value for a deposed object that the refresh did not find. */
    bool gone = c->action == LC_PLAN_NOOP && !c->prior;
    if (c->action == LC_PLAN_UNKNOWN || lc_plan_action_ends(c->action) || gone)
        return;
    *wrong |= LC_WRONG_ACTION;
    lc_report_change(r, LC_RULE_RUN_DEPOSED_ACTION, c, c->actions, ".change.actions",
                     "%.*s: its deposed object %.*s is planned %s, but it can only be deleted or "
                     "forgotten",
                     LC_FMT(c->address), LC_FMT(c->deposed), lc_plan_action_text(c->action));
}

/* ---- Actions. */

/* Each client has one list of actions that the other one does not write. */
static void check_actions(lc_plan_rules *r, const lc_plan_change *c)
{
    const lc_plan *plan = r->plan;
    bool foreign = (c->action == LC_PLAN_CREATE_FORGET && plan->by_opentofu) ||
                   (c->action == LC_PLAN_FORGET_CREATE && plan->by_terraform);
    if (c->action != LC_PLAN_UNKNOWN && !foreign)
        return;
    *lc_wrong(r, c) |= LC_WRONG_ACTION;
    lc_report_change(r, LC_RULE_RUN_ACTIONS_UNKNOWN, c, c->actions, ".change.actions",
                     foreign ? "%.*s: the client that wrote this plan has no such list of actions"
                             : "%.*s: no core writes such a list of actions",
                     LC_FMT(c->address));
}

/* Only data sources are read, and they are only read. Only Terraform lists ephemeral resources. */
static void check_mode(lc_plan_rules *r, const lc_plan_change *c)
{
    bool data = lc_str_is(c->mode, "data"), read = c->action == LC_PLAN_READ;
    bool ephemeral = lc_str_is(c->mode, "ephemeral");
    if (ephemeral)
        *lc_wrong(r, c) |= LC_WRONG_ACTION;
    if (c->action == LC_PLAN_UNKNOWN || (ephemeral ? !r->plan->by_terraform : data == read) ||
        (*lc_wrong(r, c) & LC_WRONG_IDENTITY))
        return;
    *lc_wrong(r, c) |= LC_WRONG_ACTION;
    lc_report_change(r, LC_RULE_RUN_ACTION_MODE, c, c->actions, ".change.actions",
                     "%.*s: %s cannot be planned %s", LC_FMT(c->address),
                     ephemeral ? "an ephemeral resource"
                     : data    ? "a data source"
                               : "a managed resource",
                     lc_plan_action_text(c->action));
}

/* ---- Reasons. */

/* The actions with which the cores write each reason. */
static bool reason_fits(lc_plan_action action, lc_plan_reason reason)
{
    switch (reason) {
    case LC_PLAN_REASON_NONE:
    case LC_PLAN_REASON_UNKNOWN:
        return true;
    case LC_PLAN_REASON_REPLACE_TRIGGERS: /* the cores also write it for a create */
        return lc_plan_action_replaces(action) || action == LC_PLAN_CREATE;
    case LC_PLAN_REASON_REPLACE_CANNOT_UPDATE:
    case LC_PLAN_REASON_REPLACE_TAINTED:
    case LC_PLAN_REASON_REPLACE_REQUEST:
        return lc_plan_action_replaces(action);
    case LC_PLAN_REASON_DELETE_NO_RESOURCE_CONFIG:
    case LC_PLAN_REASON_DELETE_WRONG_REPETITION:
    case LC_PLAN_REASON_DELETE_COUNT_INDEX:
    case LC_PLAN_REASON_DELETE_EACH_KEY:
    case LC_PLAN_REASON_DELETE_NO_MODULE:
    case LC_PLAN_REASON_DELETE_NO_MOVE_TARGET:
    case LC_PLAN_REASON_DELETE_ENABLED_FALSE:
        return lc_plan_action_ends(action);
    case LC_PLAN_REASON_FORGOT_IN_CONFIG:
    case LC_PLAN_REASON_FORGOT_IN_STATE:
        return action == LC_PLAN_FORGET;
    case LC_PLAN_REASON_READ_CONFIG_UNKNOWN:
    case LC_PLAN_REASON_READ_DEPENDENCY_PENDING:
    case LC_PLAN_REASON_READ_CHECK_NESTED:
        return action == LC_PLAN_READ;
    }
    return true;
}

/* Reasons of reads exist since format 1.2. */
static bool reads_have_reasons(const lc_plan *plan)
{
    return !lc_str_is(plan->format_version, "1.0") && !lc_str_is(plan->format_version, "1.1");
}

/* An unknown reason may be one of a newer core, so it is reported by a rule of its own. */
static void check_reason(lc_plan_rules *r, const lc_plan_change *c)
{
    const lc_node *at = lc_node_given(c->node, "action_reason");
    bool needed = lc_plan_action_replaces(c->action) ||
                  (c->action == LC_PLAN_READ && reads_have_reasons(r->plan));
    if (c->reason == LC_PLAN_REASON_UNKNOWN) {
        *lc_wrong(r, c) |= LC_WRONG_REASON;
        lc_report_change(r, LC_RULE_RUN_REASON_UNKNOWN, c, at, ".action_reason",
                         "%.*s: the reason \"%.*s\" is not known", LC_FMT(c->address),
                         LC_FMT(c->reason_text));
    }
    if (*lc_wrong(r, c) & LC_WRONG_ACTION)
        return;
    if (!reason_fits(c->action, c->reason)) {
        *lc_wrong(r, c) |= LC_WRONG_REASON;
        lc_report_change(r, LC_RULE_RUN_REASON_ACTION, c, at, ".action_reason",
                         "%.*s: the reason %s does not fit %s", LC_FMT(c->address),
                         lc_plan_reason_text(c->reason), lc_plan_action_text(c->action));
    } else if (needed && c->reason == LC_PLAN_REASON_NONE && !c->deposed.len) {
        lc_report_change(r, LC_RULE_RUN_REASON_MISSING, c, NULL, ".action_reason",
                         "%.*s: %s is planned without a reason", LC_FMT(c->address),
                         lc_plan_action_text(c->action));
    }
}

/* ---- Order. Both cores also sort by instance keys, but do not guarantee it. */

static int compare_entries(const lc_plan_change *a, const lc_plan_change *b)
{
    lc_address x = lc_address_resource(&a->parsed), y = lc_address_resource(&b->parsed);
    int order = lc_address_cmp(&x, &y);
    return order                               ? order
           : lc_str_eq(a->address, b->address) ? lc_str_cmp(a->deposed, b->deposed)
                                               : 0;
}

/* Compares each entry with the one before that is valid. */
static void check_order(lc_plan_rules *r)
{
    const lc_plan_change *last = NULL;
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        if (*lc_wrong(r, c) & (LC_WRONG_IDENTITY | LC_SECOND))
            continue;
        if (last && compare_entries(last, c) > 0)
            lc_report_change(r, LC_RULE_RUN_ORDER, c, NULL, "", "%.*s is listed after %.*s",
                             LC_FMT(c->address), LC_FMT(last->address));
        last = c;
    }
}

/* ---- Moves. */

static bool is_instance_address(lc_arena *arena, lc_str text)
{
    lc_address address;
    lc_str why;
    size_t at;
    return lc_address_parse(&address, arena, text, &why, &at) && !lc_address_is_module(&address);
}

static void report_previous(lc_plan_rules *r, const lc_plan_change *c, const char *what)
{
    *lc_wrong(r, c) |= LC_WRONG_IDENTITY;
    r->wrong_actions = true; /* a move is a change to apply */
    lc_report_change(r, LC_RULE_RUN_PREVIOUS_ADDRESS, c, lc_node_given(c->node, "previous_address"),
                     ".previous_address", "%.*s: its previous address \"%.*s\" %s",
                     LC_FMT(c->address), LC_FMT(c->previous_address), what);
}

/* The previous address must be another one, be valid and unique, and not be in use any more. */
static void check_previous(lc_plan_rules *r, lc_table *moved, lc_plan_change *c)
{
    lc_str key = lc_plan_key(r->scratch, c->previous_address, c->deposed);
    const lc_plan_change *at_previous = lc_table_get(&r->plan->by_address, key);
    if (!c->previous_address.len || (*lc_wrong(r, c) & (LC_WRONG_IDENTITY | LC_SECOND)))
        return;
    if (lc_str_eq(c->previous_address, c->address)) {
        report_previous(r, c, "is where it is now");
    } else if (!is_instance_address(r->scratch, c->previous_address)) {
        report_previous(r, c, "is not a resource instance address");
    } else if (lc_table_put(moved, key, c)) {
        report_previous(r, c, "is that of another object as well");
    } else if (at_previous && !lc_plan_action_ends(at_previous->action) &&
               at_previous->action != LC_PLAN_UNKNOWN && !at_previous->previous_address.len) {
        lc_report_change(r, LC_RULE_RUN_PREVIOUS_LIVE, c,
                         lc_node_given(c->node, "previous_address"), ".previous_address",
                         "%.*s was moved from %.*s, which is still planned %s", LC_FMT(c->address),
                         LC_FMT(c->previous_address), lc_plan_action_text(at_previous->action));
    }
}

/* Which types an object may move between is only known for built-in types; for others the provider
 * decides. */
static void check_type(lc_plan_rules *r, const lc_plan_change *c)
{
    lc_address before;
    lc_str why;
    size_t at;
    if (!c->previous_address.len || (*lc_wrong(r, c) & LC_WRONG_IDENTITY) ||
        !lc_address_parse(&before, r->scratch, c->previous_address, &why, &at) ||
        lc_str_eq(before.type, c->type))
        return;
    if (!lc_str_ends_with(c->provider_name, LC_STR("/builtin/terraform"))) {
        lc_planning_lacks(r->planner, LC_RULE_RUN_MOVED_TYPE, LC_NEED_PROVIDER_ANSWERS);
        return;
    }
    lc_planning_checked(r->planner, LC_RULE_RUN_MOVED_TYPE);
    if (!lc_str_is(c->type, "terraform_data") || !lc_str_is(before.type, "null_resource"))
        lc_report_change(r, LC_RULE_RUN_MOVED_TYPE, c, lc_node_given(c->node, "previous_address"),
                         ".previous_address",
                         "%.*s was moved from %.*s, which its provider cannot "
                         "take over",
                         LC_FMT(c->address), LC_FMT(c->previous_address));
}

/* All flags of an entry are set before moves and order are checked. */
void lc_plan_rules_entries(lc_plan_rules *r)
{
    lc_table moved;
    lc_table_init(&moved, r->scratch);
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_ADDRESS_PARSE, LC_RULE_RUN_ADDRESS_FIELDS,
                         LC_RULE_RUN_DUPLICATE_CHANGE, LC_RULE_RUN_DEPOSED_KEY,
                         LC_RULE_RUN_DEPOSED_ACTION, LC_RULE_RUN_ACTIONS_UNKNOWN,
                         LC_RULE_RUN_ACTION_MODE, LC_RULE_RUN_REASON_UNKNOWN,
                         LC_RULE_RUN_REASON_ACTION, LC_RULE_RUN_REASON_MISSING, LC_RULE_RUN_ORDER,
                         LC_RULE_RUN_PREVIOUS_ADDRESS, LC_RULE_RUN_PREVIOUS_LIVE);
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        lc_plan_change *c = &r->plan->changes.items[i];
        check_address(r, c);
        check_second(r, c);
        check_deposed(r, c);
        check_actions(r, c);
        check_mode(r, c);
        check_reason(r, c);
        r->wrong_actions |= (*lc_wrong(r, c) & (LC_WRONG_ACTION | LC_SECOND)) != 0;
    }
    for (size_t i = 0; i < r->plan->changes.count; i++)
        check_previous(r, &moved, &r->plan->changes.items[i]);
    for (size_t i = 0; i < r->plan->changes.count; i++)
        check_type(r, &r->plan->changes.items[i]);
    check_order(r);
}
