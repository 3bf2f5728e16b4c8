/* Shared by the families of rules: reporting findings, and comparing nodes of plans. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

#include <stdarg.h>
#include <stdio.h>

void lc_plan_rules_checks(lc_plan_rules *r, const lc_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lc_planning_checked(r->planner, rules[i]);
}

void lc_plan_rules_lacks(lc_plan_rules *r, const lc_rule *rules, size_t count, lc_need need)
{
    for (size_t i = 0; i < count; i++)
        lc_planning_lacks(r->planner, rules[i], need);
}

/* ---- Findings. */

/* Formats the message twice: once for its length, which is not limited. */
__attribute__((format(printf, 6, 0))) static lc_finding *
report(lc_plan_rules *r, lc_rule rule, lc_str address, lc_loc loc, const char *path,
       const char *format, va_list arguments)
{
    lc_path place = LC_PATH_ROOT;
    lc_str why;
    size_t at;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = length > 0 ? (size_t)length + 1 : 1;
    char *message = lc_arena_alloc(r->scratch, size);
    vsnprintf(message, size, format, arguments);
    if (*path)
        lc_path_parse(&place, r->scratch, lc_str_from_c(path), false, &why, &at);
    lc_planning_breach breach = {.rule = rule,
                                 .address = address,
                                 .path = place,
                                 .loc = loc,
                                 .message = (lc_str){message, size - 1}};
    return lc_planning_emit(r->planner, &breach);
}

lc_finding *lc_report_change(lc_plan_rules *r, lc_rule rule, const lc_plan_change *change,
                             const lc_node *node, const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lc_finding *f =
        report(r, rule, change->address, lc_plan_loc(r->plan, node ? node : change->node), path,
               format, arguments);
    va_end(arguments);
    return f;
}

lc_finding *lc_report_plan(lc_plan_rules *r, lc_rule rule, lc_str address, const lc_node *node,
                           const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lc_finding *f = report(r, rule, address, lc_plan_loc(r->plan, node ? node : r->plan->root),
                           path, format, arguments);
    va_end(arguments);
    return f;
}

lc_finding *lc_report_at(lc_plan_rules *r, lc_rule rule, lc_str address, lc_loc loc,
                         const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lc_finding *f = report(r, rule, address, loc, path, format, arguments);
    va_end(arguments);
    return f;
}

/* ---- Nodes. */

bool lc_node_has_true(const lc_node *node)
{
    if (!node)
        return false;
    if (node->kind == LC_NODE_BOOL)
        return node->boolean;
    for (uint32_t i = 0; node->kind == LC_NODE_SEQUENCE && i < node->count; i++) {
        if (lc_node_has_true(&node->as.items[i]))
            return true;
    }
    for (uint32_t i = 0; node->kind == LC_NODE_MAPPING && i < node->count; i++) {
        if (lc_node_has_true(&node->as.members[i].value))
            return true;
    }
    return false;
}

/* A member without `true` in it is equal to an absent one. */
static bool same_marked_members(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    lc_finder in_a = {.arena = arena, .node = a}, in_b = {.arena = arena, .node = b};
    for (uint32_t i = 0; i < a->count; i++) {
        const lc_member *m = &a->as.members[i];
        if (!lc_same_marks(arena, &m->value, lc_finder_get(&in_b, m->key)))
            return false;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        const lc_member *m = &b->as.members[i];
        if (lc_node_has_true(&m->value) && !lc_finder_get(&in_a, m->key))
            return false;
    }
    return true;
}

/* Only places with `true` are compared, because the clients also write empty containers. */
bool lc_same_marks(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    if (!a || !b || a->kind != b->kind)
        return !lc_node_has_true(a) && !lc_node_has_true(b);
    if (a->kind == LC_NODE_BOOL)
        return a->boolean == b->boolean;
    if (a->kind == LC_NODE_MAPPING)
        return same_marked_members(arena, a, b);
    uint32_t count = a->kind != LC_NODE_SEQUENCE ? 0 : a->count > b->count ? a->count : b->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!lc_same_marks(arena, i < a->count ? &a->as.items[i] : NULL,
                           i < b->count ? &b->as.items[i] : NULL))
            return false;
    }
    return true;
}

/* A mark on a container covers everything within. */
bool lc_marks_within(lc_arena *arena, const lc_node *inner, const lc_node *outer)
{
    if (!lc_node_has_true(inner) || lc_node_is_true(outer))
        return true;
    if (!outer || inner->kind != outer->kind || inner->kind == LC_NODE_BOOL)
        return false;
    bool sequence = inner->kind == LC_NODE_SEQUENCE;
    lc_finder members = {.arena = arena, .node = sequence ? NULL : outer};
    for (uint32_t i = 0; i < inner->count; i++) {
        const lc_node *part = sequence ? &inner->as.items[i] : &inner->as.members[i].value;
        const lc_node *of = !sequence          ? lc_finder_get(&members, inner->as.members[i].key)
                            : i < outer->count ? &outer->as.items[i]
                                               : NULL;
        if (!lc_marks_within(arena, part, of))
            return false;
    }
    return true;
}

bool lc_same_or_null(lc_arena *arena, const lc_node *a, const lc_node *b)
{
    bool a_null = !a || a->kind == LC_NODE_NULL, b_null = !b || b->kind == LC_NODE_NULL;
    return a_null || b_null ? a_null == b_null : lc_node_same(arena, a, b);
}

/* A dynamic attribute is stored as {value, type}. The plan has only the value, which may itself
 * look like that. */
static const lc_node *unwrapped(lc_arena *arena, const lc_node *planned, const lc_node *stored)
{
    const lc_node *value = lc_node_get(stored, "value");
    const lc_node *type = value ? lc_node_get(stored, "type") : NULL;
    if (!type || stored->count != 2)
        return stored;
    const lc_node *same = lc_node_get(planned, "type");
    return same && lc_node_get(planned, "value") && lc_node_same(arena, same, type) ? stored
                                                                                    : value;
}

/* Only the members of the stored object are compared: the state file has all attributes. */
static bool same_stored_members(lc_arena *arena, const lc_node *planned, const lc_node *unknown,
                                const lc_node *stored)
{
    lc_finder p = {.arena = arena, .node = planned}, u = {.arena = arena, .node = unknown};
    for (uint32_t i = 0; i < stored->count; i++) {
        const lc_member *m = &stored->as.members[i];
        if (!lc_same_as_stored(arena, lc_finder_get(&p, m->key), lc_finder_get(&u, m->key),
                               &m->value))
            return false;
    }
    return true;
}

/* Unknown parts of a set change its order when they become known, so such a sequence is not
 * compared. */
static bool same_stored_items(lc_arena *arena, const lc_node *planned, const lc_node *unknown,
                              const lc_node *stored)
{
    if (lc_node_has_true(unknown))
        return true;
    bool same = planned->count == stored->count;
    for (uint32_t i = 0; same && i < stored->count; i++)
        same = lc_same_as_stored(arena, &planned->as.items[i], NULL, &stored->as.items[i]);
    return same;
}

bool lc_same_as_stored(lc_arena *arena, const lc_node *planned, const lc_node *unknown,
                       const lc_node *stored)
{
    if (lc_node_is_true(unknown))
        return true;
    if (!planned || planned->kind == LC_NODE_NULL)
        return !stored || stored->kind == LC_NODE_NULL || lc_node_has_true(unknown);
    if (!stored)
        return false;
    stored = unwrapped(arena, planned, stored);
    if (planned->kind == LC_NODE_MAPPING && stored->kind == LC_NODE_MAPPING)
        return same_stored_members(arena, planned, unknown, stored);
    if (planned->kind == LC_NODE_SEQUENCE && stored->kind == LC_NODE_SEQUENCE)
        return same_stored_items(arena, planned, unknown, stored);
    return lc_node_same(arena, planned, stored);
}
