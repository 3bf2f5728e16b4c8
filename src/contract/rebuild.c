/* Containers with other elements, objects by the names of others. */
#include "rebuild.h"

#include "lifecheck/arena.h"
#include "lifecheck/bug.h"

static bool rebuild_map(lc_arena *arena, const lc_value *like, const lc_type *want, lc_value *elems,
                        lc_value *out)
{
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, like->count);
    for (size_t i = 0; i < like->count; i++)
        keys[i] = like->as.many.keys[i];
    return lc_value_set_map(out, arena, want, keys, elems, like->count);
}

const lc_value *lc_rebuild(lc_arena *arena, const lc_value *like, const lc_type *want,
                           lc_value *elems)
{
    lc_value *out = LC_NEW(arena, lc_value);
    bool ok = true;
    switch (like->type->kind) {
    case LC_TYPE_LIST:
        ok = lc_value_set_list(out, arena, want, elems, like->count);
        break;
    case LC_TYPE_SET:
        ok = lc_value_set_set(out, arena, want, elems, like->count);
        break;
    case LC_TYPE_MAP:
        ok = rebuild_map(arena, like, want, elems, out);
        break;
    case LC_TYPE_TUPLE:
        lc_value_set_tuple(out, arena, want, elems, like->count);
        break;
    case LC_TYPE_OBJECT:
        lc_value_set_object(out, arena, want, elems);
        break;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        LC_UNREACHABLE();
    }
    return ok ? out : NULL;
}

static const lc_value *project(lc_arena *arena, const lc_value *v, const lc_type *shape)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, shape->count);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, shape->count), *out = LC_NEW(arena, lc_value);
    for (size_t i = 0; i < shape->count; i++) {
        long index = lc_type_attr_index(v->type, shape->as.attrs[i].name);
        attrs[i] = v->type->as.attrs[index];
        if (lc_is_known(v))
            elems[i] = v->as.many.elems[index];
    }
    const lc_type *type = lc_type_object(arena, attrs, shape->count);
    if (lc_is_known(v))
        lc_value_set_object(out, arena, type, elems);
    else
        lc_value_set_unknown(out, type);
    return out;
}

const lc_value *lc_by_name(lc_arena *arena, const lc_value *v, const lc_type *shape)
{
    const lc_type *type = v->type;
    if (type == shape || lc_is_null(v) || type->kind == LC_TYPE_DYNAMIC)
        return v;
    if (type->kind != LC_TYPE_OBJECT)
        return NULL;
    for (size_t i = 0; i < shape->count; i++) {
        if (lc_type_attr_index(type, shape->as.attrs[i].name) < 0)
            return NULL;
    }
    return type->count == shape->count ? v : project(arena, v, shape);
}
