/* Containers with other elements. */
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
