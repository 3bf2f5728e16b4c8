/* What differs between the values before and after in an entry of a plan: paths of attributes, as
 * deep as both are objects. Nothing below a sensitive value is looked at, because keys of maps may
 * be secret there. */
#include "predict/answer/internal.h"

#define MAX_DEPTH    32
#define MAX_GATHERED 256 /* of which LC_MAX_CAUSES are kept */

lc_run_cause *lc_cause_add(lc_cause_list *out, lc_cause_kind kind, lc_path path)
{
    lc_buf text = {0};
    if (out->list.count >= MAX_GATHERED) {
        out->left++;
        return NULL;
    }
    lc_run_cause *c = LC_PUSH(out->arena, &out->list, lc_run_cause);
    lc_path_add_text(&text, path);
    lc_str shown = lc_buf_take(out->arena, &text);
    *c = (lc_run_cause){
        .kind = kind,
        .path = shown.len > 1 && shown.ptr[0] == '.' ? lc_str_sub(shown, 1, shown.len) : shown,
        .steps = lc_path_copy(out->arena, path),
        .up = -1};
    return c;
}

/* The same place in each of the trees of an entry; NULL: absent. */
typedef struct place {
    const lc_node *before, *after, *unknown, *was_sensitive, *is_sensitive;
} place;

typedef struct walker {
    lc_cause_list *out;
    lc_step steps[MAX_DEPTH];
    size_t depth;
} walker;

static void walk(walker *w, const place *p);

static const lc_node *below(const lc_node *node, const lc_step *step)
{
    if (!node)
        return NULL;
    if (step->kind == LC_STEP_INDEX)
        return node->kind == LC_NODE_SEQUENCE && step->index < node->count
                   ? &node->as.items[step->index]
                   : NULL;
    for (uint32_t i = 0; node->kind == LC_NODE_MAPPING && i < node->count; i++) {
        if (lc_str_eq(node->as.members[i].key, step->name))
            return &node->as.members[i].value;
    }
    return NULL;
}

/* A mark on a container is one on everything within. */
static const lc_node *mark_below(const lc_node *mark, const lc_step *step)
{
    return lc_node_is_true(mark) ? mark : below(mark, step);
}

static void walk_into(walker *w, const place *inner, lc_step step)
{
    if (w->depth >= MAX_DEPTH)
        return;
    w->steps[w->depth++] = step;
    walk(w, inner);
    w->depth--;
}

static void walk_item(walker *w, const place *p, uint32_t index)
{
    lc_step step = {LC_STEP_INDEX, LC_STR_EMPTY, index, NULL};
    place inner = {below(p->before, &step), below(p->after, &step), mark_below(p->unknown, &step),
                   mark_below(p->was_sensitive, &step), mark_below(p->is_sensitive, &step)};
    walk_into(w, &inner, step);
}

/* The members of all trees at one place; maps may be large. */
typedef struct members {
    lc_finder before, after, unknown, was_sensitive, is_sensitive;
} members;

static const lc_node *marked(const lc_node *mark, lc_finder *within, lc_str key)
{
    return lc_node_is_true(mark) ? mark : lc_finder_get(within, key);
}

static void walk_member(walker *w, const place *p, members *m, lc_str key)
{
    place inner = {lc_finder_get(&m->before, key), lc_finder_get(&m->after, key),
                   marked(p->unknown, &m->unknown, key),
                   marked(p->was_sensitive, &m->was_sensitive, key),
                   marked(p->is_sensitive, &m->is_sensitive, key)};
    lc_step_kind kind = lc_is_identifier(key) ? LC_STEP_ATTR : LC_STEP_KEY;
    walk_into(w, &inner, (lc_step){kind, key, 0, NULL});
}

static lc_finder finder_of(const walker *w, const lc_node *node)
{
    return (lc_finder){.arena = w->out->arena, .node = node};
}

static void walk_members(walker *w, const place *p)
{
    members m = {finder_of(w, p->before), finder_of(w, p->after), finder_of(w, p->unknown),
                 finder_of(w, p->was_sensitive), finder_of(w, p->is_sensitive)};
    bool unknown = p->unknown && p->unknown->kind == LC_NODE_MAPPING;
    for (uint32_t i = 0; i < p->after->count; i++)
        walk_member(w, p, &m, p->after->as.members[i].key);
    for (uint32_t i = 0; i < p->before->count; i++) {
        lc_str key = p->before->as.members[i].key;
        if (!lc_finder_get(&m.after, key))
            walk_member(w, p, &m, key);
    }
    /* What is unknown is not among the values after. */
    for (uint32_t i = 0; unknown && i < p->unknown->count; i++) {
        lc_str key = p->unknown->as.members[i].key;
        if (!lc_finder_get(&m.after, key) && !lc_finder_get(&m.before, key))
            walk_member(w, p, &m, key);
    }
}

static bool is_nothing(const lc_node *node)
{
    return !node || node->kind == LC_NODE_NULL;
}

static void walk(walker *w, const place *p)
{
    lc_path path = {w->steps, w->depth};
    bool secret = lc_node_is_true(p->was_sensitive) || lc_node_is_true(p->is_sensitive);
    bool gone = is_nothing(p->after), new = is_nothing(p->before);
    if (lc_node_is_true(p->unknown)) {
        lc_cause_add(w->out, LC_CAUSE_UNKNOWN, path);
        return;
    }
    if (!secret && p->before && p->after && p->before->kind == p->after->kind &&
        p->after->kind == LC_NODE_MAPPING) {
        walk_members(w, p);
        return;
    }
    if (!secret && p->before && p->after && p->before->kind == LC_NODE_SEQUENCE &&
        p->after->kind == LC_NODE_SEQUENCE && p->before->count == p->after->count) {
        for (uint32_t i = 0; i < p->after->count; i++)
            walk_item(w, p, i);
        return;
    }
    if (gone && new)
        return;
    if (new || gone || !lc_node_same(w->out->arena, p->before, p->after))
        lc_cause_add(w->out,
                     new    ? LC_CAUSE_ADDED
                     : gone ? LC_CAUSE_REMOVED
                            : LC_CAUSE_CHANGED,
                     path);
    else if (lc_node_is_true(p->was_sensitive) != lc_node_is_true(p->is_sensitive))
        lc_cause_add(w->out, LC_CAUSE_SENSITIVITY, path);
}

/* ---- What requires a replace. */

static bool is_step(const lc_step *step, const lc_node *node)
{
    lc_buf number = {0};
    if (step->kind != LC_STEP_INDEX)
        return node->kind == LC_NODE_STRING && lc_str_eq(node->as.text, step->name);
    lc_buf_printf(&number, "%llu", (unsigned long long)step->index);
    bool same = node->kind == LC_NODE_NUMBER && lc_str_eq(node->as.text, lc_buf_str(&number));
    lc_buf_release(&number);
    return same;
}

/* True if one of both is the beginning of the other. */
static bool touches(lc_path path, const lc_node *steps)
{
    if (steps->kind != LC_NODE_SEQUENCE)
        return false;
    for (size_t i = 0; i < path.count && i < steps->count; i++) {
        if (!is_step(&path.steps[i], &steps->as.items[i]))
            return false;
    }
    return true;
}

static void mark_forcing(lc_cause_list *out, const lc_node *paths)
{
    for (uint32_t i = 0; paths && paths->kind == LC_NODE_SEQUENCE && i < paths->count; i++) {
        for (size_t k = 0; k < out->list.count; k++)
            out->list.items[k].forces |= touches(out->list.items[k].steps, &paths->as.items[i]);
    }
}

/* ---- What was changed elsewhere. */

static bool differs_at(lc_arena *arena, const lc_plan_change *drift, lc_path path)
{
    const lc_node *was = drift->before, *is = drift->after;
    for (size_t i = 0; i < path.count; i++) {
        was = below(was, &path.steps[i]);
        is = below(is, &path.steps[i]);
    }
    if (is_nothing(was) || is_nothing(is))
        return is_nothing(was) != is_nothing(is);
    return !lc_node_same(arena, was, is);
}

static void mark_drifted(lc_cause_list *out, const lc_plan *plan, const lc_plan_change *entry)
{
    const lc_plan_change *drift = lc_table_get(
        &plan->drift_by_address, lc_plan_key(out->arena, entry->address, entry->deposed));
    for (size_t i = 0; drift && i < out->list.count; i++)
        out->list.items[i].drifted = differs_at(out->arena, drift, out->list.items[i].steps);
}

void lc_cause_differences(lc_cause_list *out, const lc_plan *plan, const lc_plan_change *entry)
{
    walker w = {.out = out};
    place p = {entry->before, entry->after, entry->after_unknown, entry->before_sensitive,
               entry->after_sensitive};
    if (is_nothing(p.before) || is_nothing(p.after))
        return;
    walk(&w, &p);
    mark_forcing(out, entry->replace_paths);
    mark_drifted(out, plan, entry);
}
