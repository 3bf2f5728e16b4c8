/* replace_paths of entries: the paths that require a replace. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"

/* Where a path leads in an object. */
typedef enum landing {
    NOT_THERE,
    KNOWN,
    NOT_KNOWN,
    IN_SET, /* within an element of a set, which the path names by its value */
} landing;

/* The element of a set that equals a step. */
static const lc_node *element_like(lc_arena *arena, const lc_node *items, const lc_node *like)
{
    for (uint32_t i = 0; i < items->count; i++) {
        if (lc_node_same(arena, &items->as.items[i], like))
            return &items->as.items[i];
    }
    return NULL;
}

/* True if the step is a number; *out is UINT32_MAX if it is not a valid index. */
static bool as_index(lc_arena *arena, const lc_node *step, uint32_t *out)
{
    lc_num n;
    int64_t index;
    if (step->kind != LC_NODE_NUMBER ||
        lc_num_from_text(&n, arena, step->as.text, 40) != LC_NUM_OK || !lc_num_to_int64(n, &index))
        return false;
    *out = index >= 0 && index < UINT32_MAX ? (uint32_t)index : UINT32_MAX;
    return true;
}

/* The value at a step, or NULL. Steps of mappings are strings. */
static const lc_node *child(const lc_node *node, const lc_node *step, uint32_t index)
{
    if (!node || (node->kind == LC_NODE_MAPPING) != (step->kind == LC_NODE_STRING))
        return NULL;
    return node->kind == LC_NODE_MAPPING ? lc_node_value(node, step->as.text)
                                         : lc_node_item(node, index);
}

/* Each path is followed through the object, so their number is limited. Reaching the limit is
 * reported in the coverage. */
#define MAX_PATHS 1000

/* Follows a path through a value and its unknowns; *value is what it leads to. A step in a set is
 * the whole element, which cannot be found if it contains unknowns. */
static landing follow(lc_arena *arena, const lc_node *path, const lc_node **value,
                      const lc_node *unknown)
{
    bool in_set = false;
    for (uint32_t i = 0; i < path->count; i++) {
        const lc_node *step = &path->as.items[i];
        uint32_t index = UINT32_MAX;
        bool number = as_index(arena, step, &index);
        if (lc_node_is_true(unknown))
            return NOT_KNOWN;
        const lc_node *next = child(*value, step, index);
        const lc_node *below = child(unknown, step, index);
        if (!next && !below && *value && (*value)->kind == LC_NODE_SEQUENCE) {
            next = element_like(arena, *value, step);
            in_set = true;
            if (!next && lc_node_has_true(unknown) && !number)
                return NOT_KNOWN;
        }
        if (!next && !lc_node_has_true(below))
            return NOT_THERE;
        *value = next;
        unknown = below;
    }
    return lc_node_has_true(unknown) ? NOT_KNOWN : in_set ? IN_SET : KNOWN;
}

/* A path must exist before or after, and its value must differ, unless only marks differ. */
static void check_path(lc_plan_rules *r, const lc_plan_change *c, const lc_node *path)
{
    const lc_node *before = c->before, *after = c->after;
    landing was = follow(r->scratch, path, &before, NULL);
    landing is = follow(r->scratch, path, &after, c->after_unknown);
    bool both_null = before && before->kind == LC_NODE_NULL && after && after->kind == LC_NODE_NULL;
    if (was == NOT_THERE && is == NOT_THERE)
        lc_report_change(r, LC_RULE_REPLACE_PATH_INVALID, c, path, ".change.replace_paths",
                         "%.*s: a path that forces the replace is neither in the object before nor "
                         "in the one after",
                         LC_FMT(c->address));
    else if (was == KNOWN && is == KNOWN && !both_null && before && after &&
             lc_node_same(r->scratch, before, after) &&
             lc_same_marks(r->scratch, c->before_sensitive, c->after_sensitive))
        lc_report_change(
            r, LC_RULE_REPLACE_PATH_UNCHANGED, c, path, ".change.replace_paths",
            "%.*s: a path that forces the replace names something that does not change",
            LC_FMT(c->address));
}

/* The paths must agree with action and reason. */
static void check_presence(lc_plan_rules *r, const lc_plan_change *c)
{
    bool paths = c->replace_paths && c->replace_paths->count > 0;
    if (paths && !lc_plan_action_replaces(c->action))
        lc_report_change(r, LC_RULE_RUN_REPLACE_PATHS_ACTION, c, c->replace_paths,
                         ".change.replace_paths", "%.*s: paths force a replace, but %s is planned",
                         LC_FMT(c->address), lc_plan_action_text(c->action));
    else if (c->reason == LC_PLAN_REASON_REPLACE_CANNOT_UPDATE && !paths &&
             lc_plan_action_replaces(c->action))
        lc_report_change(r, LC_RULE_RUN_CANNOT_UPDATE_PATHS, c, c->change, ".change.replace_paths",
                         "%.*s cannot be updated in place, but no path says why",
                         LC_FMT(c->address));
    else if (c->reason == LC_PLAN_REASON_REPLACE_TAINTED && paths)
        lc_report_change(r, LC_RULE_RUN_CANNOT_UPDATE_PATHS, c, c->replace_paths,
                         ".change.replace_paths",
                         "%.*s is replaced because it is tainted: its plan has no prior state that "
                         "paths could differ from",
                         LC_FMT(c->address));
}

void lc_plan_rules_replace_paths(lc_plan_rules *r)
{
    bool cut = false;
    LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_REPLACE_PATHS_ACTION, LC_RULE_RUN_CANNOT_UPDATE_PATHS);
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        bool list = c->replace_paths && c->replace_paths->kind == LC_NODE_SEQUENCE;
        if (*lc_wrong(r, c) & LC_WRONG_ACTION)
            continue;
        check_presence(r, c);
        if (!list || !lc_plan_action_replaces(c->action) ||
            (*lc_wrong(r, c) & (LC_WRONG_BEFORE | LC_WRONG_AFTER)))
            continue;
        cut |= c->replace_paths->count > MAX_PATHS;
        if (c->replace_paths->count)
            LC_PLAN_RULES_CHECKS(r, LC_RULE_REPLACE_PATH_INVALID, LC_RULE_REPLACE_PATH_UNCHANGED);
        for (uint32_t k = 0; k < c->replace_paths->count && k < MAX_PATHS; k++) {
            if (c->replace_paths->as.items[k].kind == LC_NODE_SEQUENCE)
                check_path(r, c, &c->replace_paths->as.items[k]);
        }
    }
    if (cut) {
        lc_planning_limit(r->planner, LC_RULE_REPLACE_PATH_INVALID);
        lc_planning_limit(r->planner, LC_RULE_REPLACE_PATH_UNCHANGED);
    }
}
