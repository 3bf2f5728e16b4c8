/* Marks of objects: which paths are marked, what the marks of one object are on another, and what
 * ignore_changes restores of them. */
#include "predict/object.h"

/* ---- Parts of marked values. */

lc_marked lc_predict_child(lc_marked v, size_t i)
{
    const lc_marks *marks = v.marks && i < v.marks->count ? v.marks->children[i] : NULL;
    return (lc_marked){&v.value->as.many.elems[i], marks};
}

static bool is_object(const lc_value *v)
{
    return v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP;
}

static lc_str key_at(const lc_value *v, size_t i)
{
    return v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
}

/* The part `name` of an object or map. False: there is none. */
bool lc_predict_part(lc_marked *out, lc_marked v, lc_str name)
{
    if (v.value->type->kind == LC_TYPE_OBJECT) {
        long at = lc_type_attr_index(v.value->type, name);
        if (at < 0)
            return false;
        *out = lc_predict_child(v, (size_t)at);
        return true;
    }
    const lc_value *found = lc_value_key(v.value, name);
    if (found)
        *out = lc_predict_child(v, (size_t)(found - v.value->as.many.elems));
    return found != NULL;
}

/* ---- Marked paths, and marks of one value on another. */

typedef struct marked_walk {
    lc_path_list *out;
    lc_arena *arena;
    unsigned mark;
    const lc_block *block;
} marked_walk;

/* Collects paths with the mark; a marked value may have marked parts. Attributes that are sensitive
 * by schema are skipped, because the mark adds nothing. */
static void find_marked(marked_walk *w, const lc_marks *marks, const lc_value *v,
                        const lc_trail *trail)
{
    if (!marks || !(marks->all & w->mark))
        return;
    if (marks->self & w->mark) {
        lc_path path = lc_path_from_trail(w->arena, trail);
        const lc_attribute *a = trail ? lc_block_attribute_at(w->block, path) : NULL;
        if (!a || !a->sensitive)
            *LC_PUSH(w->arena, w->out, lc_located_path) = (lc_located_path){path, {{"", 0}, 0, 0}};
    }
    if (!lc_is_known(v) || lc_type_is_primitive(v->type))
        return;
    for (size_t i = 0; i < v->count && i < marks->count; i++) {
        lc_trail next = v->type->kind == LC_TYPE_OBJECT
                            ? lc_trail_attr(trail, v->type->as.attrs[i].name)
                        : v->type->kind == LC_TYPE_MAP ? lc_trail_key(trail, v->as.many.keys[i])
                                                       : lc_trail_index(trail, i);
        find_marked(w, marks->children[i], &v->as.many.elems[i], &next);
    }
}

static int by_path(const void *a, const void *b)
{
    return lc_path_cmp(((const lc_located_path *)a)->path, ((const lc_located_path *)b)->path);
}

void lc_predict_sort_paths(lc_path_list *paths)
{
    if (paths->count)
        qsort(paths->items, paths->count, sizeof *paths->items, by_path);
}

bool lc_predict_has_path(const lc_path_list *sorted, lc_path path)
{
    lc_located_path key = {.path = path};
    return sorted->count &&
           bsearch(&key, sorted->items, sorted->count, sizeof *sorted->items, by_path);
}

void lc_predict_marked_paths(lc_path_list *out, lc_arena *arena, lc_marked v, unsigned mark,
                             const lc_block *block)
{
    marked_walk w = {out, arena, mark, block};
    find_marked(&w, v.marks, v.value, NULL);
    lc_predict_sort_paths(out);
}

/* True if elements of both values correspond by name or position. */
static bool same_parts(const lc_value *v, lc_marked was)
{
    return lc_is_known(v) && lc_is_known(was.value) && was.marks->count &&
           v->type->kind == was.value->type->kind && v->type->kind != LC_TYPE_SET;
}

/* The secret marks of `was` for the corresponding parts of `v`, path by path as the clients do; if
 * there is no correspondence, for the whole value. */
static const lc_marks *carried(lc_arena *arena, const lc_value *v, lc_marked was)
{
    unsigned wanted = LC_MARK_SENSITIVE | LC_MARK_EPHEMERAL | LC_MARK_HIDDEN,
             all = lc_marks_all(was) & wanted;
    if (!all || lc_value_raw_equal(was.value, v))
        return all ? was.marks : NULL;
    if (!same_parts(v, was))
        return lc_marked_with(arena, (lc_marked){v, NULL}, all, NULL).marks;
    const lc_marks **marks = lc_arena_zalloc(arena, lc_mul_size(v->count, sizeof *marks));
    for (uint32_t i = 0; i < v->count; i++) {
        lc_marked one;
        bool there = is_object(v) ? lc_predict_part(&one, was, key_at(v, i)) : i < was.value->count;
        if (there && !is_object(v))
            one = lc_predict_child(was, i);
        marks[i] = there ? carried(arena, &v->as.many.elems[i], one) : NULL;
    }
    lc_marked out = {v, lc_marks_join(arena, marks, v->count)};
    unsigned self = lc_marks_self(was) & wanted;
    return self ? lc_marked_with(arena, out, self, NULL).marks : out.marks;
}

/* The marks of another object of the same schema, and those of the schema itself. */
lc_marked lc_predict_marks_carried(lc_arena *arena, const lc_value *v, lc_marked from,
                                   const lc_block *block)
{
    lc_marked out = {v, NULL};
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_OBJECT)
        return out;
    const lc_marks **marks = lc_arena_zalloc(arena, lc_mul_size(v->count, sizeof *marks));
    for (size_t i = 0; i < v->count; i++) {
        if (from.value && lc_is_known(from.value))
            marks[i] = carried(arena, &v->as.many.elems[i], lc_predict_child(from, i));
    }
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (a->sensitive) {
            lc_marked now = {&v->as.many.elems[a->slot], marks[a->slot]};
            marks[a->slot] = lc_marked_with(arena, now, LC_MARK_SENSITIVE, NULL).marks;
        }
    }
    out.marks = lc_marks_join(arena, marks, v->count);
    return out;
}

/* ---- Marks at paths, and ignored paths. Both are trees of steps: the items of the first are not
 * NULL where a mark is, those of the second are `ignored`. */

/* What ignore_changes names at one place. */
typedef struct ignored {
    bool whole;    /* the place itself */
    lc_table keys; /* single entries of the map there (a set) */
} ignored;

static bool has_places(const lc_value *v)
{
    return lc_is_known(v) && !lc_type_is_primitive(v->type) && v->type->kind != LC_TYPE_SET;
}

static const lc_marks *marks_at(lc_arena *arena, const lc_path_node *node, const lc_value *v)
{
    const lc_marks *own = NULL;
    if (node && node->children && has_places(v)) {
        const lc_marks **marks = lc_arena_zalloc(arena, lc_mul_size(v->count, sizeof *marks));
        for (uint32_t i = 0; i < v->count; i++) {
            lc_step step = lc_trail_part(NULL, v, i).step;
            marks[i] = marks_at(arena, lc_path_node_child(node, &step), &v->as.many.elems[i]);
        }
        own = lc_marks_join(arena, marks, v->count);
    }
    bool here = node && node->item;
    return here ? lc_marked_with(arena, (lc_marked){v, own}, LC_MARK_SENSITIVE, NULL).marks : own;
}

lc_marked lc_predict_marked_at(lc_arena *arena, const lc_value *v, const lc_path_list *sensitive)
{
    lc_path_node root = {0};
    for (size_t i = 0; i < sensitive->count; i++)
        lc_path_node_at(arena, &root, sensitive->items[i].path)->item = &root;
    return (lc_marked){v, sensitive->count ? marks_at(arena, &root, v) : NULL};
}

/* The stored marks of an object of which all changes are ignored: what no configuration can set has
 * no value then, and no mark. */
static const lc_marks *all_restored(lc_arena *arena, lc_marked before, const lc_block *block)
{
    if (!before.marks || !lc_is_known(before.value))
        return before.marks;
    size_t count = before.value->count;
    const lc_marks **marks = lc_arena_zalloc(arena, lc_mul_size(count, sizeof *marks));
    for (size_t i = 0; i < count; i++)
        marks[i] = lc_predict_child(before, i).marks;
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (a->computed && !a->optional)
            marks[a->slot] = NULL;
    }
    return lc_marks_join(arena, marks, count);
}

/* The part at the place of part `i` of `v`. False: there is none. */
static bool part_like(lc_marked *out, lc_marked from, const lc_value *v, uint32_t i)
{
    lc_type_kind kind = from.value->type->kind;
    if (!has_places(from.value))
        return false;
    if (is_object(v))
        return kind == v->type->kind && lc_predict_part(out, from, key_at(v, i));
    if ((kind != LC_TYPE_LIST && kind != LC_TYPE_TUPLE) || i >= from.value->count)
        return false;
    *out = lc_predict_child(from, i);
    return true;
}

/* Marks of the containers that a path leads through. */
typedef struct around {
    unsigned given, before;
} around;

/* True if the clients see the same marks on two equal values. */
static bool same_marks(lc_marked a, lc_marked b)
{
    unsigned seen = LC_MARK_SENSITIVE | LC_MARK_EPHEMERAL;
    if ((lc_marks_self(a) ^ lc_marks_self(b)) & seen)
        return false;
    if (!((lc_marks_all(a) | lc_marks_all(b)) & seen) || !has_places(a.value))
        return true;
    for (uint32_t i = 0; i < a.value->count; i++) {
        if (!same_marks(lc_predict_child(a, i), lc_predict_child(b, i)))
            return false;
    }
    return true;
}

/* The marks of an ignored place. A part gets the marks of the containers around it when a path
 * reads it; if both parts are equal then, the clients restore nothing. */
static const lc_marks *ignored_marks(lc_arena *arena, lc_marked given, lc_marked before,
                                     around outside)
{
    lc_marked now = lc_marked_with(arena, given, outside.given, NULL);
    lc_marked was = lc_marked_with(arena, before, outside.before, NULL);
    bool same = lc_value_raw_equal(now.value, was.value) && same_marks(now, was);
    return same ? given.marks : was.marks;
}

/* `v` is the configuration `given` with ignored parts as in `before`. The path to a restored part
 * also leads through containers, whose marks it has; the entry of a map has its own. */
static const lc_marks *restored(lc_arena *arena, const lc_path_node *node, const lc_value *v,
                                lc_marked given, lc_marked before, around outside)
{
    bool map = given.value->type->kind == LC_TYPE_MAP;
    const ignored *here = node ? node->item : NULL;
    if (!node || (map && lc_is_unknown(given.value)))
        return given.marks;
    if (here && (here->whole || !map))
        return ignored_marks(arena, given, before, outside);
    if (!has_places(v))
        return given.marks;
    const lc_marks **marks = lc_arena_zalloc(arena, lc_mul_size(v->count, sizeof *marks));
    outside.given |= lc_marks_self(given);
    outside.before |= lc_marks_self(before);
    for (uint32_t i = 0; i < v->count; i++) {
        lc_marked now = {0}, was = {0};
        lc_step step = lc_trail_part(NULL, v, i).step;
        bool has_now = part_like(&now, given, v, i), has_was = part_like(&was, before, v, i);
        if (here && lc_table_get(&here->keys, step.name))
            marks[i] = was.marks;
        else if (has_now && has_was)
            marks[i] = restored(arena, lc_path_node_child(node, &step), &v->as.many.elems[i], now,
                                was, outside);
        else
            marks[i] = now.marks;
    }
    lc_marked out = {v, lc_marks_join(arena, marks, v->count)};
    return given.marks ? lc_marked_with(arena, out, given.marks->self, given.marks->undecided).marks
                       : out.marks;
}

static void add_ignored(lc_arena *arena, lc_path_node *root, lc_path path)
{
    const lc_step *last = path.count ? &path.steps[path.count - 1] : NULL;
    bool entry = last && last->kind == LC_STEP_KEY;
    path.count -= entry;
    lc_path_node *node = lc_path_node_at(arena, root, path);
    ignored *here = node->item;
    if (!here) {
        here = node->item = LC_NEW(arena, ignored);
        lc_table_init(&here->keys, arena);
    }
    here->whole |= !entry;
    if (entry)
        lc_table_put(&here->keys, last->name, here);
}

lc_marked lc_predict_ignored(lc_arena *arena, const lc_run *ignore, const lc_block *block,
                             lc_marked given, lc_marked before)
{
    lc_path_node root = {0};
    lc_marked out = {lc_ignore_changes(arena, ignore, block, before.value, given.value),
                     given.marks};
    if (lc_is_null(before.value) || !lc_is_known(given.value))
        return out;
    if (ignore->ignore_all) {
        out.marks = all_restored(arena, before, block);
        return out;
    }
    for (size_t i = 0; i < ignore->ignore_changes.count; i++)
        add_ignored(arena, &root, ignore->ignore_changes.items[i].path);
    if (ignore->ignore_changes.count && (given.marks || before.marks))
        out.marks = restored(arena, &root, out.value, given, before, (around){0});
    return out;
}
