/* Stored objects: the raw form of a state file decoded by a schema, as the cores do it before an
 * upgrade (contract-algorithms 4.12): members that the type does not have are dropped, missing ones
 * are null. The object is written as JSON by the type and decoded again, so that the one decoder of
 * cty JSON decides everything else. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

static bool add_json(lc_json *w, const lc_value *raw, const lc_type *type);

/* As it is, for the decoder to accept or reject. */
static bool add_any(lc_json *w, const lc_value *raw)
{
    lc_str why;
    return lc_ctyjson_encode(lc_json_value(w, NULL), raw, raw->type, &why);
}

/* The type of a member, or NULL if the type has no such member. A map takes every key. */
static const lc_type *type_of_member(const lc_type *type, lc_str key)
{
    if (type->kind == LC_TYPE_MAP)
        return type->as.elem;
    long at = lc_type_attr_index(type, key);
    return at < 0 ? NULL : type->as.attrs[at].type;
}

static bool add_members(lc_json *w, const lc_value *raw, const lc_type *type)
{
    lc_json_object(w, NULL);
    for (size_t i = 0; i < raw->count; i++) {
        lc_str key = lc_entry_key(raw, i);
        const lc_type *want = type_of_member(type, key);
        if (!want)
            continue;
        lc_json_key(w, key);
        if (!add_json(w, &raw->as.many.elems[i], want))
            return false;
    }
    lc_json_end_object(w);
    return true;
}

static bool add_items(lc_json *w, const lc_value *raw, const lc_type *elem)
{
    lc_json_array(w, NULL);
    for (size_t i = 0; i < raw->count; i++) {
        if (!add_json(w, &raw->as.many.elems[i], elem))
            return false;
    }
    lc_json_end_array(w);
    return true;
}

static bool add_json(lc_json *w, const lc_value *raw, const lc_type *type)
{
    lc_type_kind has = raw->type->kind, wants = type->kind;
    if (!lc_is_known(raw))
        return add_any(w, raw);
    bool many = has == LC_TYPE_TUPLE || has == LC_TYPE_LIST || has == LC_TYPE_SET;
    if ((has == LC_TYPE_OBJECT || has == LC_TYPE_MAP) &&
        (wants == LC_TYPE_OBJECT || wants == LC_TYPE_MAP))
        return add_members(w, raw, type);
    if (many && (wants == LC_TYPE_LIST || wants == LC_TYPE_SET))
        return add_items(w, raw, type->as.elem);
    return add_any(w, raw);
}

const lc_value *lc_stored_decode(lc_arena *arena, const lc_value *raw, const lc_type *type,
                                 bool strip)
{
    lc_buf json = {0};
    lc_json w = {.out = &json};
    const lc_value *out = NULL;
    lc_wire_result result;
    if (!(strip ? add_json(&w, raw, type) : add_any(&w, raw)) ||
        !lc_ctyjson_decode(&out, arena, lc_buf_copy(arena, &json), type, &result))
        out = NULL;
    lc_buf_release(&json);
    return out;
}
