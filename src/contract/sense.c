/* Which places of a case are secret. Schema flags are looked up along the schema itself; explicit
 * marks are a small tree of steps. */
#include "sense.h"

#include "lifecheck/arena.h"
#include "lifecheck/cloudformation.h"
#include "lifecheck/table.h"
#include "walk.h"

#include <string.h>

typedef struct lc_sense_node {
    bool marked;
    lc_table *children; /* by kind and name or index; NULL: none */
} lc_sense_node;

struct lc_sense {
    const lc_schema *schema;
    lc_sense_node *marks;
};

#define MAX_KEY 256 /* of a step; longer names are put together in memory of their own */

static lc_sense_node *with_key(const lc_sense_node *node, const lc_step *step, char *room,
                               lc_arena *arena, lc_sense_node *added)
{
    size_t len = step->kind == LC_STEP_INDEX ? sizeof step->index : step->name.len;
    const void *bytes =
        step->kind == LC_STEP_INDEX ? (const void *)&step->index : (const void *)step->name.ptr;
    room[0] = (char)('0' + (int)step->kind);
    if (len)
        memcpy(room + 1, bytes, len);
    lc_str key = {room, len + 1};
    if (!added)
        return lc_table_get(node->children, key);
    lc_table_put(node->children, lc_str_copy(arena, key), added);
    return added;
}

/* Looks for the child of a step, or puts `added` there. */
static lc_sense_node *child_at(const lc_sense_node *node, const lc_step *step, lc_arena *arena,
                               lc_sense_node *added)
{
    char room[MAX_KEY];
    if (!node->children)
        return NULL;
    if (step->name.len < sizeof room - 1)
        return with_key(node, step, room, arena, added);
    char *more = lc_heap_alloc(step->name.len + 1);
    lc_sense_node *found = with_key(node, step, more, arena, added);
    lc_heap_free(more);
    return found;
}

static lc_sense_node *child_of(const lc_sense_node *node, const lc_step *step)
{
    return child_at(node, step, NULL, NULL);
}

/* A mark below a set marks the set: its elements have no names by which to tell them apart. */
static void add_mark(lc_arena *arena, lc_sense_node *root, lc_path path)
{
    lc_sense_node *node = root;
    for (size_t i = 0; i < path.count && path.steps[i].kind != LC_STEP_ELEMENT; i++) {
        lc_sense_node *next = child_of(node, &path.steps[i]);
        if (!next) {
            next = LC_NEW(arena, lc_sense_node);
            if (!node->children) {
                node->children = LC_NEW(arena, lc_table);
                lc_table_init(node->children, arena);
            }
            child_at(node, &path.steps[i], arena, next);
        }
        node = next;
    }
    node->marked = true;
}

static bool holds_write_only(const lc_cfn_property *p)
{
    const lc_cfn_shape *shape = p->shape;
    while (shape && shape->element)
        shape = shape->element;
    bool found = p->secret;
    for (size_t i = 0; shape && !found && i < shape->member_count; i++)
        found = holds_write_only(&shape->members[i]);
    return found;
}

/* A provider's own schema has no flag for what its CloudFormation type calls write-only. */
static void mark_write_only(lc_arena *arena, lc_sense *sense, const lc_cfn_type *type)
{
    for (size_t i = 0; i < type->root->member_count; i++) {
        const lc_cfn_property *p = &type->root->members[i];
        if (!p->attribute.len || !holds_write_only(p))
            continue;
        lc_step *step = LC_NEW(arena, lc_step);
        *step = (lc_step){LC_STEP_ATTR, p->attribute, 0, NULL};
        if (!sense->marks)
            sense->marks = LC_NEW(arena, lc_sense_node);
        add_mark(arena, sense->marks, (lc_path){step, 1});
    }
}

const lc_sense *lc_sense_new(lc_arena *arena, const lc_schema *schema, const lc_path *paths,
                             size_t count)
{
    lc_sense *sense = LC_NEW(arena, lc_sense);
    sense->schema = schema;
    if (count)
        sense->marks = LC_NEW(arena, lc_sense_node);
    for (size_t i = 0; i < count; i++)
        add_mark(arena, sense->marks, paths[i]);
    if (schema && schema->captured && schema->cloudformation && schema->cloudformation->root)
        mark_write_only(arena, sense, schema->cloudformation);
    return sense;
}

lc_place lc_place_root(const lc_sense *sense)
{
    lc_place place = {NULL, NULL, NULL, false, false, false};
    if (!sense)
        return place;
    place.block = sense->schema ? sense->schema->block : NULL;
    place.marks = sense->marks;
    place.secret = sense->marks && sense->marks->marked;
    return place;
}

/* An attribute step goes down the schema; any other step stays with the element's schema. */
static void step_schema(lc_place *place, lc_str name)
{
    const lc_attribute *a = NULL;
    const lc_block_type *b = NULL;
    if (place->block) {
        a = lc_block_attribute(place->block, name);
        b = a ? NULL : lc_block_block(place->block, name);
    } else if (place->nested) {
        a = lc_nested_attribute(place->nested, name);
    }
    /* What the schema does not know, beside something sensitive, may be a copy of it. */
    place->secret |= !a && !b && (place->block || place->nested) && lc_place_touched(*place);
    place->block = b ? b->block : NULL;
    place->nested = a ? a->nested : NULL;
    place->keyed = b && b->nesting == LC_NESTING_MAP;
    if (a && (a->sensitive || a->write_only || a->secret))
        place->secret = true;
    if (a && !a->nested)
        place->loose = a->implied->has_dynamic;
}

lc_place lc_place_step(lc_place place, const lc_step *step)
{
    bool keyed = place.keyed;
    lc_step key = {LC_STEP_KEY, step->name, 0, NULL};
    place.keyed = false;
    if (step->kind == LC_STEP_ATTR && !keyed)
        step_schema(&place, step->name);
    if (place.marks) {
        const lc_sense_node *marks = place.marks;
        place.marks = child_of(marks, step);
        if (!place.marks && keyed && step->kind == LC_STEP_ATTR)
            place.marks = child_of(marks, &key);
        if (place.marks && place.marks->marked)
            place.secret = true;
    }
    return place;
}

lc_place lc_place_at(const lc_sense *sense, lc_path path)
{
    lc_place place = lc_place_root(sense);
    for (size_t i = 0; i < path.count; i++)
        place = lc_place_step(place, &path.steps[i]);
    return place;
}

bool lc_place_touched(lc_place place)
{
    return place.secret || place.marks ||
           (place.block && (place.block->any_sensitive || place.block->any_write_only ||
                            place.block->any_secret)) ||
           (place.nested && (place.nested->any_sensitive || place.nested->any_write_only ||
                             place.nested->any_secret));
}

/* ---- Marks as the cores carry them during comparisons. */

static lc_place place_of_trail(const lc_sense *sense, const lc_trail *at)
{
    if (!at)
        return lc_place_root(sense);
    return lc_place_step(place_of_trail(sense, at->up), &at->step);
}

bool lc_sense_touches(const lc_sense *sense, const lc_trail *at)
{
    if (!sense->marks)
        return false;
    lc_sense explicit_only = {NULL, sense->marks};
    lc_place place = place_of_trail(&explicit_only, at);
    return place.secret || place.marks;
}

static bool element_has_mark(const lc_nested_type *t, const lc_value *element)
{
    if (!lc_is_known(element))
        return false;
    for (size_t i = 0; i < t->attribute_count; i++) {
        const lc_attribute *a = &t->attributes[i];
        if (a->sensitive)
            return true;
        const lc_value *part =
            a->nested && a->nested->any_sensitive ? lc_value_attr(element, a->name) : NULL;
        if (part && lc_nested_has_mark(a->nested, part))
            return true;
    }
    return false;
}

bool lc_nested_has_mark(const lc_nested_type *t, const lc_value *v)
{
    if (!lc_is_known(v))
        return false;
    if (t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP)
        return element_has_mark(t, v);
    for (size_t i = 0; i < v->count; i++) {
        if (element_has_mark(t, &v->as.many.elems[i]))
            return true;
    }
    return false;
}
