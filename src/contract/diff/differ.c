/* Walks over values alone, without a schema: where two values differ, and where one is unknown. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

typedef struct differ {
    lc_arena *arena;
    void (*each)(void *context, lc_path path, const lc_value *a, const lc_value *b);
    void *context;
} differ;

/* Can the two be compared element by element? They need the same kind, size and keys. Not sets,
 * whose elements have no counterparts. */
static bool pairs_up(const lc_value *a, const lc_value *b)
{
    if (!lc_is_known(a) || !lc_is_known(b) || a->type->kind != b->type->kind ||
        a->count != b->count || lc_type_is_primitive(a->type) || a->type->kind == LC_TYPE_SET)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (a->type->kind == LC_TYPE_MAP && !lc_str_eq(a->as.many.keys[i], b->as.many.keys[i]))
            return false;
        if (a->type->kind == LC_TYPE_OBJECT && a->type != b->type &&
            !lc_str_eq(a->type->as.attrs[i].name, b->type->as.attrs[i].name))
            return false;
    }
    return true;
}

static void walk_difference(const differ *d, const lc_value *a, const lc_value *b,
                            const lc_trail *at)
{
    if (lc_value_same(a, b))
        return;
    if (!pairs_up(a, b)) {
        d->each(d->context, lc_path_from_trail(d->arena, at), a, b);
        return;
    }
    for (size_t i = 0; i < a->count; i++) {
        lc_trail trail = lc_trail_part(at, a, i);
        walk_difference(d, &a->as.many.elems[i], &b->as.many.elems[i], &trail);
    }
}

void lc_each_difference(lc_arena *arena, const lc_value *a, const lc_value *b,
                        void (*each)(void *context, lc_path path, const lc_value *a,
                                     const lc_value *b),
                        void *context)
{
    differ d = {arena, each, context};
    walk_difference(&d, a, b, NULL);
}

typedef struct unknown_walk {
    lc_arena *arena;
    void (*each)(void *context, lc_path path);
    void *context;
} unknown_walk;

static void walk_unknown(const unknown_walk *s, const lc_value *v, const lc_trail *at)
{
    if (lc_is_wholly_known(v))
        return;
    if (lc_is_unknown(v)) {
        s->each(s->context, lc_path_from_trail(s->arena, at));
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        lc_trail trail = lc_trail_part(at, v, i);
        walk_unknown(s, &v->as.many.elems[i], &trail);
    }
}

void lc_each_unknown(lc_arena *arena, const lc_value *v, void (*each)(void *context, lc_path path),
                     void *context)
{
    unknown_walk s = {arena, each, context};
    walk_unknown(&s, v, NULL);
}
