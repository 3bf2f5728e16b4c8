/* Objects with other values for some attributes, at any depth. The depth of the recursion has a
 * limit, because a schema whose blocks and nested attributes are deeper than LC_MAX_DEPTH is not
 * read. */
#include "lifecheck/base/arena.h"
#include "lifecheck/probe/values.h"
#include "serve/internal.h"

#include <string.h>

typedef struct walk {
    lc_arena *arena;
    lc_serve_change change;
    void *context;
} walk;

/* The members of an object: those of a block, or of an attribute with a nested type. */
typedef struct part {
    const lc_attribute *attributes;
    size_t attribute_count;
    const lc_block_type *blocks;
    size_t block_count;
    const lc_type *type;
} part;

static void change_object(lc_value *out, const walk *w, const part *p, const lc_value *v);

static bool is_single(lc_nesting nesting)
{
    return nesting == LC_NESTING_SINGLE || nesting == LC_NESTING_GROUP;
}

/* The container with other elements. It stays as it is if their types differ, as below an attribute
 * of the type dynamic. */
static void rebuild(lc_value *out, const walk *w, const lc_value *v, lc_value *elems)
{
    const lc_value *made = lc_with_values(w->arena, v, elems);
    *out = made ? *made : *v;
}

/* `v` is one object, or a collection of them. */
static void change_all(lc_value *out, const walk *w, lc_nesting nesting, const part *p,
                       const lc_value *v)
{
    if (!lc_is_known(v) || is_single(nesting)) {
        change_object(out, w, p, v);
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(w->arena, lc_value, v->count + 1);
    for (uint32_t i = 0; i < v->count; i++)
        change_object(&elems[i], w, p, &v->as.many.elems[i]);
    rebuild(out, w, v, elems);
}

static void change_attribute(lc_value *out, const walk *w, const lc_value *object,
                             const lc_attribute *a, const lc_value *v)
{
    const lc_value *changed = w->change(w->context, object, a, v);
    const lc_nested_type *n = a->nested;
    if (changed)
        *out = *changed;
    else if (n)
        change_all(out, w, n->nesting,
                   &(part){n->attributes, n->attribute_count, NULL, 0, n->object}, v);
    else
        *out = *v;
}

/* `out` shares unchanged values with `v`. What has no members that the schema describes (null,
 * unknown, another type) stays as it is. */
static void change_object(lc_value *out, const walk *w, const part *p, const lc_value *v)
{
    *out = *v;
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_OBJECT || v->count != p->type->count)
        return;
    lc_value *elems = LC_NEW_ARRAY(w->arena, lc_value, v->count + 1);
    for (size_t i = 0; i < p->attribute_count; i++) {
        const lc_attribute *a = &p->attributes[i];
        change_attribute(&elems[a->slot], w, v, a, &v->as.many.elems[a->slot]);
    }
    for (size_t i = 0; i < p->block_count; i++) {
        const lc_block_type *b = &p->blocks[i];
        const lc_block *inner = b->block;
        change_all(&elems[b->slot], w, b->nesting,
                   &(part){inner->attributes, inner->attribute_count, inner->blocks,
                           inner->block_count, inner->implied},
                   &v->as.many.elems[b->slot]);
    }
    rebuild(out, w, v, elems);
}

const lc_value *lc_serve_changed(lc_arena *arena, const lc_block *block, const lc_value *object,
                                 lc_serve_change change, void *context)
{
    const walk w = {arena, change, context};
    lc_value slot;
    change_object(&slot, &w,
                  &(part){block->attributes, block->attribute_count, block->blocks,
                          block->block_count, block->implied},
                  object);
    return lc_value_new(arena, &slot);
}
