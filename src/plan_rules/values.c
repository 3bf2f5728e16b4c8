/* Entries of a plan: before, after, unknown and sensitive values. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* True if there is a current object after the action. */
static bool leaves_object(lc_plan_action action)
{
    return action != LC_PLAN_UNKNOWN && !lc_plan_action_ends(action);
}

static bool has_before(lc_plan_action action)
{
    return action != LC_PLAN_UNKNOWN && action != LC_PLAN_CREATE && action != LC_PLAN_READ;
}

/* ---- Presence of objects. */

static void check_before(lc_plan_rules *r, const lc_plan_change *c)
{
    if (c->action == LC_PLAN_CREATE && c->before && !c->importing) {
        *lc_wrong(r, c) |= LC_WRONG_BEFORE;
        lc_report_change(r, LC_RULE_RUN_CREATE_BEFORE, c, c->before, ".change.before",
                         "%.*s is to be created, but there is an object before",
                         LC_FMT(c->address));
    } else if (has_before(c->action) && !c->before && !c->importing) {
        *lc_wrong(r, c) |= LC_WRONG_BEFORE;
        lc_report_change(r, LC_RULE_RUN_BEFORE_MISSING, c, c->change, ".change.before",
                         "%.*s: %s is planned, but there is no object before it",
                         LC_FMT(c->address), lc_plan_action_text(c->action));
    }
}

/* Entries that end their object must not contain anything about the object after. */
static void check_after(lc_plan_rules *r, const lc_plan_change *c)
{
    bool marked = c->after_sensitive &&
                  (c->after_sensitive->kind != LC_NODE_BOOL || c->after_sensitive->boolean);
    bool unknown =
        c->after_unknown && (c->after_unknown->kind == LC_NODE_BOOL ? c->after_unknown->boolean
                                                                    : c->after_unknown->count > 0);
    if (leaves_object(c->action) && !c->after && !lc_node_is_true(c->after_unknown) &&
        !lc_node_has_true(c->after_unknown)) {
        *lc_wrong(r, c) |= LC_WRONG_AFTER;
        lc_report_change(r, LC_RULE_RUN_AFTER_MISSING, c, c->change, ".change.after",
                         "%.*s: %s is planned, but there is no object after it", LC_FMT(c->address),
                         lc_plan_action_text(c->action));
    } else if (lc_plan_action_ends(c->action) && (c->after || unknown || marked)) {
        *lc_wrong(r, c) |= LC_WRONG_AFTER;
        lc_report_change(r, LC_RULE_RUN_DELETE_AFTER, c,
                         c->after  ? c->after
                         : unknown ? c->after_unknown
                                   : c->after_sensitive,
                         c->after  ? ".change.after"
                         : unknown ? ".change.after_unknown"
                                   : ".change.after_sensitive",
                         "%.*s: %s has no object after it, but after, after_unknown or a mark "
                         "says otherwise",
                         LC_FMT(c->address), lc_plan_action_text(c->action));
    }
}

/* ---- Unknowns. */

/* A place that is unknown although `after` has a value there; NULL: none. */
static const lc_node *find_overlap(lc_arena *arena, const lc_node *unknown, const lc_node *value)
{
    if (!unknown || !value || value->kind == LC_NODE_NULL)
        return NULL;
    if (unknown->kind == LC_NODE_BOOL)
        return unknown->boolean ? unknown : NULL;
    if (unknown->kind != value->kind)
        return NULL;
    lc_finder members = {.arena = arena, .node = value};
    for (uint32_t i = 0; unknown->kind == LC_NODE_MAPPING && i < unknown->count; i++) {
        const lc_member *m = &unknown->as.members[i];
        const lc_node *found = find_overlap(arena, &m->value, lc_finder_get(&members, m->key));
        if (found)
            return found;
    }
    for (uint32_t i = 0;
         unknown->kind == LC_NODE_SEQUENCE && i < unknown->count && i < value->count; i++) {
        const lc_node *found = find_overlap(arena, &unknown->as.items[i], &value->as.items[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* A part that is neither bool nor container, or does not have the form of the value. An empty
 * container is allowed for any value. */
static const lc_node *find_misshapen(lc_arena *arena, const lc_node *unknown, const lc_node *value)
{
    if (!unknown || unknown->kind == LC_NODE_BOOL)
        return NULL;
    bool sequence = unknown->kind == LC_NODE_SEQUENCE;
    bool there = value && value->kind != LC_NODE_NULL;
    if ((!sequence && unknown->kind != LC_NODE_MAPPING) ||
        (there && value->kind != unknown->kind && lc_node_has_true(unknown)) ||
        (there && sequence && value->kind == LC_NODE_SEQUENCE && unknown->count != value->count))
        return unknown;
    lc_finder members = {.arena = arena, .node = there ? value : NULL};
    for (uint32_t i = 0; i < unknown->count; i++) {
        const lc_node *part = sequence ? &unknown->as.items[i] : &unknown->as.members[i].value;
        const lc_node *of = NULL;
        if (!sequence)
            of = lc_finder_get(&members, unknown->as.members[i].key);
        else if (there && value->kind == LC_NODE_SEQUENCE)
            of = &value->as.items[i];
        const lc_node *found = find_misshapen(arena, part, of);
        if (found)
            return found;
    }
    return NULL;
}

/* The form is checked first, because a wrong one makes overlaps meaningless. */
static void check_unknown(lc_plan_rules *r, const lc_plan_change *c)
{
    const lc_node *at = find_misshapen(r->scratch, c->after_unknown, c->after);
    if (at) {
        *lc_wrong(r, c) |= LC_WRONG_AFTER;
        lc_report_change(r, LC_RULE_RUN_UNKNOWN_SHAPE, c, at, ".change.after_unknown",
                         "%.*s: after_unknown does not have the form of after", LC_FMT(c->address));
        return;
    }
    at = find_overlap(r->scratch, c->after_unknown, c->after);
    if (!at)
        return;
    *lc_wrong(r, c) |= LC_WRONG_AFTER;
    lc_report_change(r, LC_RULE_RUN_UNKNOWN_OVERLAP, c, at, ".change.after_unknown",
                     "%.*s: a value is unknown and known at the same place", LC_FMT(c->address));
}

/* ---- Marks of sensitive values. */

/* A mark at a place where there is neither a value nor an unknown; NULL: none. */
static const lc_node *find_stray(lc_arena *arena, const lc_node *marks, const lc_node *value,
                                 const lc_node *unknown)
{
    if (lc_node_is_true(unknown) || (value && value->kind == LC_NODE_NULL))
        return NULL;
    if (marks->kind == LC_NODE_BOOL)
        return value || unknown || !marks->boolean ? NULL : marks;
    lc_finder v = {.arena = arena, .node = value}, u = {.arena = arena, .node = unknown};
    bool container = marks->kind == LC_NODE_SEQUENCE || marks->kind == LC_NODE_MAPPING;
    for (uint32_t i = 0; container && i < marks->count; i++) {
        const lc_node *found;
        if (marks->kind == LC_NODE_SEQUENCE) {
            found = find_stray(arena, &marks->as.items[i], lc_node_item(value, i),
                               lc_node_item(unknown, i));
        } else {
            const lc_member *m = &marks->as.members[i];
            found =
                find_stray(arena, &m->value, lc_finder_get(&v, m->key), lc_finder_get(&u, m->key));
        }
        if (found)
            return found;
    }
    return NULL;
}

/* One of before_sensitive and after_sensitive. The clients write `false` if there is no object,
 * else an object, or `true` if all of it is sensitive. */
static void check_side(lc_plan_rules *r, const lc_plan_change *c, bool after)
{
    const lc_node *marks = after ? c->after_sensitive : c->before_sensitive;
    const lc_node *value = after ? c->after : c->before;
    const lc_node *unknown = after ? c->after_unknown : NULL;
    bool object = value || (unknown && (lc_node_is_true(unknown) || lc_node_has_true(unknown)));
    unsigned bit = after ? LC_WRONG_AFTER : LC_WRONG_BEFORE;
    if (!marks || (*lc_wrong(r, c) & bit))
        return;
    bool flat = marks->kind == LC_NODE_BOOL;
    const lc_node *stray = flat ? NULL : find_stray(r->scratch, marks, value, unknown);
    if (!stray && (flat ? !marks->boolean && !object : object && marks->kind == LC_NODE_MAPPING))
        return;
    if (flat && marks->boolean && object)
        return; /* all of it is sensitive */
    *lc_wrong(r, c) |= bit;
    lc_report_change(r, LC_RULE_RUN_SENSITIVE_SHAPE, c, stray ? stray : marks,
                     after ? ".change.after_sensitive" : ".change.before_sensitive",
                     stray ? "%.*s: %s marks a place that is not there"
                           : "%.*s: %s must be false exactly where there is no object",
                     LC_FMT(c->address), after ? "after_sensitive" : "before_sensitive");
}

/* ---- Equality. */

/* JSON does not show whether a sequence is a list or a set, so equal-looking containers may differ.
 * Only objects of primitive values are compared. */
static bool looks_typed(const lc_node *object)
{
    for (uint32_t i = 0; object->kind == LC_NODE_MAPPING && i < object->count; i++) {
        lc_node_kind kind = (lc_node_kind)object->as.members[i].value.kind;
        if (kind == LC_NODE_MAPPING || kind == LC_NODE_SEQUENCE)
            return false;
    }
    return true;
}

/* What differs before and after; NULL: nothing. */
static const char *difference(lc_plan_rules *r, const lc_plan_change *c)
{
    if (lc_node_has_true(c->after_unknown))
        return "something is unknown after it";
    if (!lc_same_or_null(r->scratch, c->before, c->after))
        return "before and after differ";
    if (!lc_same_marks(r->scratch, c->before_sensitive, c->after_sensitive))
        return "what is sensitive differs";
    if (!lc_same_or_null(r->scratch, c->before_identity, c->after_identity) && c->before_identity)
        return "the identity differs";
    return NULL;
}

/* A no-op must not change anything, and an update must change something. */
static void check_equality(lc_plan_rules *r, const lc_plan_change *c)
{
    if (*lc_wrong(r, c) & (LC_WRONG_BEFORE | LC_WRONG_AFTER) ||
        (c->action != LC_PLAN_NOOP && c->action != LC_PLAN_UPDATE))
        return;
    const char *why = difference(r, c);
    if (c->action == LC_PLAN_NOOP && why) {
        *lc_wrong(r, c) |= LC_WRONG_BEFORE | LC_WRONG_AFTER;
        r->wrong_actions = true;
        lc_report_change(r, LC_RULE_RUN_NOOP_EQUAL, c, c->actions, ".change",
                         "%.*s is planned as a no-op, but %s", LC_FMT(c->address), why);
    } else if (c->action == LC_PLAN_UPDATE && !why && looks_typed(c->after)) {
        *lc_wrong(r, c) |= LC_WRONG_BEFORE | LC_WRONG_AFTER;
        r->wrong_actions = true;
        lc_report_change(r, LC_RULE_RUN_UPDATE_EQUAL, c, c->actions, ".change",
                         "%.*s is to be updated, but nothing about it differs", LC_FMT(c->address));
    }
}

/* ---- Imports. */

/* An import leads to a no-op, update or replace of an existing object; generated configuration
 * belongs to imports. */
static void check_import(lc_plan_rules *r, const lc_plan_change *c)
{
    bool ends =
        lc_plan_action_ends(c->action) || c->action == LC_PLAN_CREATE || c->action == LC_PLAN_READ;
    bool unknown = c->importing && lc_node_is_true(lc_node_given(c->importing, "unknown"));
    if (c->importing && !unknown && (ends || !c->before || r->options.mode == LC_PLAN_DESTROY)) {
        *lc_wrong(r, c) |= LC_WRONG_BEFORE;
        lc_report_change(r, LC_RULE_RUN_IMPORT_SHAPE, c, c->importing, ".change.importing",
                         ends ? "%.*s: an import leads to no-op, update or replace, not to %s"
                              : "%.*s: an imported object is there before, with %s",
                         LC_FMT(c->address), lc_plan_action_text(c->action));
    } else if (c->generated_config && !c->importing) {
        lc_report_change(r, LC_RULE_RUN_GENERATED_WITHOUT_IMPORT, c, c->generated_config,
                         ".change.generated_config",
                         "%.*s: configuration is generated for imports only", LC_FMT(c->address));
    }
}

/* Each check skips sides of the entry that an earlier one found wrong. */
void lc_plan_rules_values(lc_plan_rules *r)
{
    LC_PLAN_RULES_CHECKS(
        r, LC_RULE_RUN_CREATE_BEFORE, LC_RULE_RUN_AFTER_MISSING, LC_RULE_RUN_DELETE_AFTER,
        LC_RULE_RUN_BEFORE_MISSING, LC_RULE_RUN_NOOP_EQUAL, LC_RULE_RUN_UPDATE_EQUAL,
        LC_RULE_RUN_UNKNOWN_OVERLAP, LC_RULE_RUN_UNKNOWN_SHAPE, LC_RULE_RUN_SENSITIVE_SHAPE,
        LC_RULE_RUN_IMPORT_SHAPE, LC_RULE_RUN_GENERATED_WITHOUT_IMPORT);
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        bool gone = c->deposed.len && c->action == LC_PLAN_NOOP;
        if (!c->change || gone || (*lc_wrong(r, c) & LC_WRONG_ACTION))
            continue;
        check_import(r, c);
        check_before(r, c);
        check_after(r, c);
        check_unknown(r, c);
        check_side(r, c, false);
        check_side(r, c, true);
        check_equality(r, c);
    }
}
