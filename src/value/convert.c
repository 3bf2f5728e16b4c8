/* convert.Convert, as far as configurations and state need it (values-and-wire 1.5, 1.6). */
#include "internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/bug.h"
#include "lifecheck/limits.h"
#include "lifecheck/table.h"

typedef struct converter {
    lc_arena *arena;
    lc_str why;
    /* Steps from the innermost outwards are put before `why` on the way out. */
} converter;

static bool convert(converter *k, const lc_value *v, const lc_type *want, lc_value *out);

static bool refuse(converter *k, const lc_type *want)
{
    lc_buf text = {0};
    lc_type_add_friendly(&text, want);
    lc_str name = lc_buf_str(&text);
    bool vowel = name.len && (name.ptr[0] == 'a' || name.ptr[0] == 'o');
    k->why = lc_str_printf(k->arena, "a%s %.*s is required", vowel ? "n" : "", LC_FMT(name));
    lc_buf_release(&text);
    return false;
}

static bool at_name(converter *k, lc_str name)
{
    k->why = lc_str_printf(k->arena, ".%.*s%s%.*s", LC_FMT(name),
                           k->why.len && (k->why.ptr[0] == '.' || k->why.ptr[0] == '[') ? "" : ": ",
                           LC_FMT(k->why));
    return false;
}

static bool at_index(converter *k, size_t index)
{
    k->why = lc_str_printf(k->arena, "[%zu]%s%.*s", index,
                           k->why.len && (k->why.ptr[0] == '.' || k->why.ptr[0] == '[') ? "" : ": ",
                           LC_FMT(k->why));
    return false;
}

/* ---- Primitives. */

static bool number_to_string(converter *k, const lc_value *v, lc_value *out)
{
    lc_buf text = {0};
    lc_num_add_text(&text, v->as.number);
    lc_value_set_string(out, k->arena, lc_buf_copy(k->arena, &text));
    lc_buf_release(&text);
    return true;
}

static bool string_to_bool(converter *k, const lc_value *v, lc_value *out)
{
    lc_str s = v->as.string;
    bool yes = lc_str_is(s, "true") || lc_str_is(s, "1");
    if (!yes && !lc_str_is(s, "false") && !lc_str_is(s, "0"))
        return refuse(k, &lc_type_bool);
    lc_value_set_bool(out, yes);
    return true;
}

static bool string_to_number(converter *k, const lc_value *v, lc_value *out)
{
    lc_num n;
    if (lc_num_from_text(&n, k->arena, v->as.string, LC_MAX_DIGITS) != LC_NUM_OK)
        return refuse(k, &lc_type_number);
    lc_value_set_number(out, n);
    return true;
}

static bool convert_primitive(converter *k, const lc_value *v, const lc_type *want, lc_value *out)
{
    if (v->type->kind == LC_TYPE_NUMBER && want->kind == LC_TYPE_STRING)
        return number_to_string(k, v, out);
    if (v->type->kind == LC_TYPE_BOOL && want->kind == LC_TYPE_STRING) {
        lc_value_set_string(out, k->arena, v->as.boolean ? LC_STR("true") : LC_STR("false"));
        return true;
    }
    if (v->type->kind == LC_TYPE_STRING && want->kind == LC_TYPE_BOOL)
        return string_to_bool(k, v, out);
    if (v->type->kind == LC_TYPE_STRING && want->kind == LC_TYPE_NUMBER)
        return string_to_number(k, v, out);
    return refuse(k, want);
}

/* ---- Unknowns keep what still holds. */

static lc_refinement refinement_of_structure(const lc_value *v, const lc_type *want)
{
    lc_refinement r = {0};
    const lc_refinement *old = lc_value_refinement(v);
    r.not_null = old && old->not_null;
    if (!lc_type_is_collection(want))
        return r;
    uint64_t min = 0, max = INT64_MAX;
    if (lc_type_is_collection(v->type) && old) {
        min = old->has_min_len ? old->min_len : 0;
        max = old->has_max_len ? old->max_len : (uint64_t)INT64_MAX;
    } else if (v->type->kind == LC_TYPE_TUPLE || v->type->kind == LC_TYPE_OBJECT) {
        min = max = v->type->count;
    }
    if (want->kind == LC_TYPE_SET && v->type->kind != LC_TYPE_SET && min > 1)
        min = 1;
    r.has_min_len = min > 0;
    r.has_max_len = max < (uint64_t)INT64_MAX;
    r.min_len = min;
    r.max_len = max;
    return r;
}

static bool convert_unknown(converter *k, const lc_value *v, const lc_type *want, lc_value *out)
{
    if (v->type->kind == LC_TYPE_DYNAMIC) {
        lc_value_set_unknown(out, want);
        return true;
    }
    lc_refinement r = refinement_of_structure(v, want);
    return lc_value_set_refined(out, k->arena, want, &r);
}

/* ---- Structures. */

static const lc_type *unify(lc_arena *arena, const lc_type *a, const lc_type *b);

/* The type that both become without loss, or NULL. */
static const lc_type *unify_collections(lc_arena *arena, const lc_type *a, const lc_type *b)
{
    const lc_type *elem = unify(arena, a->as.elem, b->as.elem);
    return elem && a->kind == b->kind ? lc_type_collection(arena, a->kind, elem) : NULL;
}

static const lc_type *unify(lc_arena *arena, const lc_type *a, const lc_type *b)
{
    if (lc_type_equal(a, b) || b->kind == LC_TYPE_DYNAMIC)
        return a;
    if (a->kind == LC_TYPE_DYNAMIC)
        return b;
    if (lc_type_is_primitive(a) && lc_type_is_primitive(b))
        return &lc_type_string;
    if (lc_type_is_collection(a) && lc_type_is_collection(b))
        return unify_collections(arena, a, b);
    return NULL;
}

static const lc_type *element_type(converter *k, const lc_value *v, const lc_type *want)
{
    if (want->as.elem->kind != LC_TYPE_DYNAMIC || v->count == 0)
        return want->as.elem;
    const lc_type *type = v->as.many.elems[0].type;
    for (size_t i = 1; i < v->count && type; i++)
        type = unify(k->arena, type, v->as.many.elems[i].type);
    return type;
}

static bool convert_to_collection(converter *k, const lc_value *v, const lc_type *want,
                                  lc_value *out)
{
    const lc_type *elem = element_type(k, v, want);
    if (!elem) {
        k->why = LC_STR("all elements must have the same type");
        return false;
    }
    if (v->type->kind == LC_TYPE_SET && want->kind == LC_TYPE_LIST && !lc_is_wholly_known(v)) {
        lc_value_set_unknown(out, want);
        return true;
    }
    lc_value *elems = LC_NEW_ARRAY(k->arena, lc_value, v->count);
    lc_str *keys = want->kind == LC_TYPE_MAP ? LC_NEW_ARRAY(k->arena, lc_str, v->count) : NULL;
    for (size_t i = 0; i < v->count; i++) {
        bool ok = convert(k, &v->as.many.elems[i], elem, &elems[i]);
        if (keys)
            keys[i] = v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
        if (!ok)
            return keys ? at_name(k, keys[i]) : at_index(k, i);
    }
    bool ok = want->kind == LC_TYPE_LIST ? lc_value_set_list(out, k->arena, want, elems, v->count)
              : want->kind == LC_TYPE_SET
                  ? lc_value_set_set(out, k->arena, want, elems, v->count)
                  : lc_value_set_map(out, k->arena, want, keys, elems, v->count);
    if (!ok)
        k->why = LC_STR("all elements must have the same type");
    return ok;
}

static bool convert_to_object(converter *k, const lc_value *v, const lc_type *want, lc_value *out)
{
    const lc_type *shape = lc_type_without_optional(k->arena, want);
    lc_value *elems = LC_NEW_ARRAY(k->arena, lc_value, want->count);
    for (size_t i = 0; i < want->count; i++) {
        const lc_type_attr *attr = &want->as.attrs[i];
        const lc_value *part = v->type->kind == LC_TYPE_MAP ? lc_value_key(v, attr->name)
                                                            : lc_value_attr(v, attr->name);
        if (!part && !attr->optional) {
            k->why = lc_str_printf(k->arena, "attribute \"%.*s\" is required", LC_FMT(attr->name));
            return false;
        }
        if (!part)
            lc_value_set_null(&elems[i], shape->as.attrs[i].type);
        else if (!convert(k, part, attr->type, &elems[i]))
            return at_name(k, attr->name);
    }
    lc_value_set_object(out, k->arena, shape, elems);
    return true;
}

static bool convert_to_tuple(converter *k, const lc_value *v, const lc_type *want, lc_value *out)
{
    if (v->type->kind != LC_TYPE_TUPLE || v->count != want->count)
        return refuse(k, want);
    lc_value *elems = LC_NEW_ARRAY(k->arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++) {
        if (!convert(k, &v->as.many.elems[i], want->as.items[i], &elems[i]))
            return at_index(k, i);
    }
    lc_value_set_tuple(out, k->arena, want, elems, v->count);
    return true;
}

static bool convert_known(converter *k, const lc_value *v, const lc_type *want, lc_value *out)
{
    lc_type_kind got = v->type->kind;
    switch (want->kind) {
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        return convert_primitive(k, v, want, out);
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        if (got == LC_TYPE_LIST || got == LC_TYPE_SET || got == LC_TYPE_TUPLE)
            return convert_to_collection(k, v, want, out);
        break;
    case LC_TYPE_MAP:
        if (got == LC_TYPE_MAP || got == LC_TYPE_OBJECT)
            return convert_to_collection(k, v, want, out);
        break;
    case LC_TYPE_OBJECT:
        if (got == LC_TYPE_OBJECT || got == LC_TYPE_MAP)
            return convert_to_object(k, v, want, out);
        break;
    case LC_TYPE_TUPLE:
        return convert_to_tuple(k, v, want, out);
    case LC_TYPE_DYNAMIC:
        break;
    }
    return refuse(k, want);
}

static bool convert(converter *k, const lc_value *v, const lc_type *want, lc_value *out)
{
    *out = *v;
    if (want->kind == LC_TYPE_DYNAMIC || v->type == want ||
        (!want->has_optional && lc_type_equal(v->type, want)))
        return true;
    if (lc_is_known(v))
        return convert_known(k, v, want, out);
    const lc_type *plain = lc_type_without_optional(k->arena, want);
    if (lc_is_unknown(v))
        return convert_unknown(k, v, plain, out);
    lc_value_set_null(out, plain);
    return true;
}

bool lc_value_convert(const lc_value **out, lc_arena *arena, const lc_value *v, const lc_type *want,
                      lc_str *why)
{
    converter k = {arena, LC_STR_EMPTY};
    lc_value *slot = LC_NEW(arena, lc_value);
    *out = slot;
    *why = LC_STR_EMPTY;
    if (convert(&k, v, want, slot))
        return true;
    *why = k.why;
    return false;
}
