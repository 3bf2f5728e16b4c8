/* The first place where two values differ. The message has no values, which may be secrets. */
#include "lifecheck/base/arena.h"
#include "verdict/internal.h"

static lc_str here(lc_arena *arena, const lc_trail *trail, const char *what)
{
    lc_buf buf = {0};
    lc_path_add_text(&buf, lc_path_from_trail(arena, trail));
    lc_buf_printf(&buf, " %s", what);
    return lc_buf_take(arena, &buf);
}

/* By the states of the expected and the found value: null, unknown, known. */
static const char *state_words(const lc_value *want, const lc_value *found)
{
    static const char *const words[3][3] = {
        {"differs", "is unknown instead of null", "is known instead of null"},
        {"is null instead of unknown", "is another unknown", "is known instead of unknown"},
        {"is null instead of known", "is unknown instead of known", "differs"},
    };
    return words[want->state][found->state];
}

/* Sets are not descended into: their elements have no places of their own. */
static bool is_container(const lc_value *v)
{
    return lc_is_known(v) && v->type->kind >= LC_TYPE_LIST && v->type->kind != LC_TYPE_SET;
}

static lc_str difference(lc_arena *arena, const lc_trail *trail, const lc_value *want,
                         const lc_value *found)
{
    if (!lc_type_equal(want->type, found->type))
        return here(arena, trail, "has another type");
    if (!is_container(want) || !is_container(found))
        return here(arena, trail, state_words(want, found));
    if (want->count != found->count)
        return here(arena, trail, "has another length");
    for (uint32_t i = 0; i < want->count; i++) {
        const lc_value *a = &want->as.many.elems[i], *b = &found->as.many.elems[i];
        lc_trail next = lc_trail_part(trail, want, i);
        if (want->type->kind == LC_TYPE_MAP &&
            !lc_str_eq(want->as.many.keys[i], found->as.many.keys[i]))
            return here(arena, trail, "has other keys");
        if (!lc_value_raw_equal(a, b))
            return difference(arena, &next, a, b);
    }
    return here(arena, trail, "differs");
}

lc_str lc_first_difference(lc_arena *arena, const lc_value *want, const lc_value *found)
{
    return difference(arena, NULL, want, found);
}
