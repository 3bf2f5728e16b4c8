/* convert.Convert of cty, as far as configurations and state need it (values-and-wire 1.5, 1.6). */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/value/path.h"
#include "value/internal.h"

typedef struct converter {
    lc_arena *arena;
    lc_str why;           /* while the recursion returns, each level puts its step before it */
    unsigned collections; /* around the value being converted */
} converter;

static bool convert(converter *c, const lc_value *v, const lc_type *want, lc_value *out);

/* Errors name the target type, never the value: it may be a secret. All of these functions return
 * false, for the caller to pass on. */
static bool refuse(converter *c, const lc_type *want)
{
    lc_buf text = {0};
    lc_type_add_friendly(&text, want);
    lc_str name = lc_buf_str(&text);
    bool vowel = name.len && (name.ptr[0] == 'a' || name.ptr[0] == 'o');
    c->why = lc_str_printf(c->arena, "a%s %.*s is required", vowel ? "n" : "", LC_FMT(name));
    lc_buf_release(&text);
    return false;
}

static bool refuse_mixed(converter *c)
{
    c->why = LC_STR("all elements must have the same type");
    return false;
}

/* Puts a step before the message: ".a" and "[0]: a number is required" become ".a[0]: ...". */
static bool at_step(converter *c, lc_step step)
{
    lc_buf text = {0};
    bool placed = c->why.len && (c->why.ptr[0] == '.' || c->why.ptr[0] == '[');
    lc_path_add_text(&text, (lc_path){&step, 1});
    lc_buf_add_c(&text, placed ? "" : ": ");
    lc_buf_add_str(&text, c->why);
    c->why = lc_buf_take(c->arena, &text);
    return false;
}

static bool at_element(converter *c, const lc_value *v, size_t index)
{
    switch (v->type->kind) {
    case LC_TYPE_MAP:
        return at_step(c, lc_trail_key(NULL, v->as.many.keys[index]).step);
    case LC_TYPE_OBJECT:
        return at_step(c, lc_trail_attr(NULL, v->type->as.attrs[index].name).step);
    case LC_TYPE_SET:
        return at_step(c, lc_trail_element(NULL, NULL).step);
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return at_step(c, lc_trail_index(NULL, index).step);
}

/* ---- Primitives. */

static bool number_to_string(converter *c, const lc_value *v, lc_value *out)
{
    lc_buf text = {0};
    lc_num_add_text(&text, v->as.number);
    lc_value_set_string(out, c->arena, lc_buf_copy(c->arena, &text));
    lc_buf_release(&text);
    return true;
}

/* "1" and "0" are accepted too, as by cty. */
static bool string_to_bool(converter *c, const lc_value *v, lc_value *out)
{
    lc_str s = v->as.string;
    bool yes = lc_str_is(s, "true") || lc_str_is(s, "1");
    if (!yes && !lc_str_is(s, "false") && !lc_str_is(s, "0"))
        return refuse(c, &lc_type_bool);
    lc_value_set_bool(out, yes);
    return true;
}

static bool string_to_number(converter *c, const lc_value *v, lc_value *out)
{
    lc_num n;
    if (lc_num_from_text(&n, c->arena, v->as.string, LC_MAX_DIGITS) != LC_NUM_OK)
        return refuse(c, &lc_type_number);
    lc_value_set_number(out, n);
    return true;
}

static bool convert_primitive(converter *c, const lc_value *v, const lc_type *want, lc_value *out)
{
    if (v->type->kind == LC_TYPE_NUMBER && want->kind == LC_TYPE_STRING)
        return number_to_string(c, v, out);
    if (v->type->kind == LC_TYPE_BOOL && want->kind == LC_TYPE_STRING) {
        lc_value_set_string(out, c->arena, v->as.boolean ? LC_STR("true") : LC_STR("false"));
        return true;
    }
    if (v->type->kind == LC_TYPE_STRING && want->kind == LC_TYPE_BOOL)
        return string_to_bool(c, v, out);
    if (v->type->kind == LC_TYPE_STRING && want->kind == LC_TYPE_NUMBER)
        return string_to_number(c, v, out);
    return refuse(c, want);
}

/* ---- Unknown values: refinements that remain true after the conversion. */

/* A tuple or object has a fixed number of parts, so the collection has a known length; elements of
 * a set may coalesce, so its lower bound is at most 1. */
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
    if (want->kind == LC_TYPE_SET && min > 1)
        min = 1;
    r.has_min_len = min > 0;
    r.has_max_len = max < (uint64_t)INT64_MAX;
    r.min_len = min;
    r.max_len = max;
    return r;
}

static bool convert_unknown(converter *c, const lc_value *v, const lc_type *want, lc_value *out)
{
    lc_refinement r = refinement_of_structure(v, want);
    if (lc_value_set_refined(out, c->arena, want, &r))
        return true;
    return refuse(c, want);
}

/* ---- Structures. */

/* The type that elements are converted to: for "list of any", the common type of a structure's
 * parts. NULL: they have no common type. */
static const lc_type *element_type(converter *c, const lc_value *v, const lc_type *want)
{
    bool structure = v->type->kind == LC_TYPE_TUPLE || v->type->kind == LC_TYPE_OBJECT;
    if (want->as.elem->kind != LC_TYPE_DYNAMIC || !structure || v->count == 0)
        return want->as.elem;
    return lc_type_unify_parts(c->arena, v->type, true);
}

/* An empty collection: without elements only the types show that a conversion does not exist. */
static bool set_empty(converter *c, const lc_value *v, const lc_type *want, lc_value *out)
{
    if (!lc_type_convertible(c->arena, v->type, want, true))
        return refuse(c, want);
    const lc_type *type = lc_type_without_optional(want);
    if (want->as.elem->kind == LC_TYPE_DYNAMIC && lc_type_is_collection(v->type))
        type = lc_type_collection(c->arena, want->kind, v->type->as.elem);
    lc_value_fill(out, type, NULL, NULL, 0);
    return true;
}

/* If the target element type has dynamic, converted elements may have different types: these are
 * unified, and the elements converted once more. */
static bool unify_again(converter *c, const lc_value *v, const lc_type *elem, lc_value *elems)
{
    bool structural = elem->kind == LC_TYPE_OBJECT || lc_type_is_collection(elem);
    bool tuple = v->type->kind == LC_TYPE_TUPLE;
    size_t same = 1;
    while (same < v->count && lc_type_equal(elems[same].type, elems[0].type))
        same++;
    if (same >= v->count || (!tuple && !structural))
        return true;
    const lc_type **types = LC_NEW_ARRAY(c->arena, const lc_type *, v->count);
    for (size_t i = 0; i < v->count; i++)
        types[i] = elems[i].type;
    const lc_type *all = lc_type_unify(c->arena, types, v->count, v->type->kind != LC_TYPE_MAP);
    if (!all)
        return refuse_mixed(c);
    for (size_t i = 0; i < v->count; i++) {
        lc_value before = elems[i];
        if (!convert(c, &before, all, &elems[i]))
            return at_element(c, v, i);
    }
    return true;
}

/* Sets may coalesce and maps are sorted, so these have their own constructors. Attributes of an
 * object become keys. */
static bool build(converter *c, const lc_value *v, const lc_type *want, lc_value *elems,
                  lc_value *out)
{
    bool ok;
    if (want->kind == LC_TYPE_LIST) {
        ok = lc_value_set_list(out, c->arena, want, elems, v->count);
    } else if (want->kind == LC_TYPE_SET) {
        ok = lc_value_set_set(out, c->arena, want, elems, v->count);
    } else {
        lc_str *keys = LC_NEW_ARRAY(c->arena, lc_str, v->count);
        for (size_t i = 0; i < v->count; i++)
            keys[i] = v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
        ok = lc_value_set_map(out, c->arena, want, keys, elems, v->count);
    }
    return ok || refuse_mixed(c);
}

/* A set with unknown members has no certain length, so as a list it is unknown. */
static bool convert_to_collection(converter *c, const lc_value *v, const lc_type *want,
                                  lc_value *out)
{
    const lc_type *elem = element_type(c, v, want);
    const lc_type *plain = lc_type_without_optional(want);
    if (!elem)
        return refuse_mixed(c);
    if (v->count == 0)
        return set_empty(c, v, want, out);
    if (want->kind == LC_TYPE_LIST && !lc_value_length(v).known) {
        lc_value_set_unknown(out, lc_type_fill_dynamic(c->arena, v->type, plain));
        return true;
    }
    lc_value *elems = LC_NEW_ARRAY(c->arena, lc_value, v->count);
    c->collections++;
    for (size_t i = 0; i < v->count; i++) {
        if (!convert(c, &v->as.many.elems[i], elem, &elems[i]))
            return at_element(c, v, i);
    }
    c->collections--;
    bool mixed =
        want->kind == LC_TYPE_MAP || (want->kind == LC_TYPE_LIST && v->type->kind == LC_TYPE_TUPLE);
    return (!mixed || unify_again(c, v, elem, elems)) && build(c, v, plain, elems, out);
}

/* The type `shape` with the types that its attributes have in fact. */
static const lc_type *shape_of(converter *c, const lc_type *shape, const lc_value *elems)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(c->arena, lc_type_attr, shape->count);
    for (size_t i = 0; i < shape->count; i++)
        attrs[i] = (lc_type_attr){shape->as.attrs[i].name, elems[i].type, false};
    return lc_type_object(c->arena, attrs, shape->count);
}

/* Attributes that `want` does not have are dropped; missing optional ones become null. In an object
 * that was a map, the type of such a null keeps its optional attributes, as it does in cty. */
static bool convert_to_object(converter *c, const lc_value *v, const lc_type *want, lc_value *out)
{
    const lc_type *shape = lc_type_without_optional(want);
    lc_value *elems = LC_NEW_ARRAY(c->arena, lc_value, want->count);
    bool keeps = v->type->kind == LC_TYPE_MAP && !c->collections, kept = false;
    for (size_t i = 0; i < want->count; i++) {
        const lc_type_attr *attr = &want->as.attrs[i];
        const lc_value *part = v->type->kind == LC_TYPE_MAP ? lc_value_key(v, attr->name)
                                                            : lc_value_attr(v, attr->name);
        if (!part && !attr->optional) {
            c->why = lc_str_printf(c->arena, "attribute \"%.*s\" is required", LC_FMT(attr->name));
            return false;
        }
        if (!part)
            lc_value_set_null(&elems[i], keeps ? attr->type : shape->as.attrs[i].type);
        kept |= !part && keeps && attr->type->plain;
        if (part && !convert(c, part, attr->type, &elems[i]))
            return at_element(c, v, (size_t)(part - v->as.many.elems));
    }
    lc_value_set_object(out, c->arena, kept ? shape_of(c, shape, elems) : shape, elems);
    return true;
}

static bool convert_to_tuple(converter *c, const lc_value *v, const lc_type *want, lc_value *out)
{
    if (v->type->kind != LC_TYPE_TUPLE || v->count != want->count)
        return refuse(c, want);
    lc_value *elems = LC_NEW_ARRAY(c->arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++) {
        if (!convert(c, &v->as.many.elems[i], want->as.items[i], &elems[i]))
            return at_element(c, v, i);
    }
    lc_value_set_tuple(out, c->arena, want, elems, v->count);
    return true;
}

static bool convert_known(converter *c, const lc_value *v, const lc_type *want, lc_value *out)
{
    lc_type_kind got = v->type->kind;
    switch (want->kind) {
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        return convert_primitive(c, v, want, out);
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        if (got == LC_TYPE_LIST || got == LC_TYPE_SET || got == LC_TYPE_TUPLE)
            return convert_to_collection(c, v, want, out);
        break;
    case LC_TYPE_MAP:
        if (got == LC_TYPE_MAP || got == LC_TYPE_OBJECT)
            return convert_to_collection(c, v, want, out);
        break;
    case LC_TYPE_OBJECT:
        if (got == LC_TYPE_OBJECT || got == LC_TYPE_MAP)
            return convert_to_object(c, v, want, out);
        break;
    case LC_TYPE_TUPLE:
        return convert_to_tuple(c, v, want, out);
    case LC_TYPE_DYNAMIC:
        break;
    }
    return refuse(c, want);
}

/* Known values are converted part by part. Nulls and unknowns have only a type, so whether the
 * types convert decides. */
static bool convert(converter *c, const lc_value *v, const lc_type *want, lc_value *out)
{
    *out = *v;
    if (want->kind == LC_TYPE_DYNAMIC || v->type == want ||
        (!want->plain && lc_type_equal(v->type, want)))
        return true;
    if (lc_is_known(v))
        return convert_known(c, v, want, out);
    if (!lc_type_convertible(c->arena, v->type, want, true))
        return refuse(c, want);
    const lc_type *plain = lc_type_without_optional(want);
    plain = lc_type_fill_dynamic(c->arena, v->type, plain);
    if (lc_is_unknown(v))
        return convert_unknown(c, v, plain, out);
    lc_value_set_null(out, plain);
    return true;
}

bool lc_value_convert(const lc_value **out, lc_arena *arena, const lc_value *v, const lc_type *want,
                      lc_str *why)
{
    converter c = {.arena = arena, .why = LC_STR_EMPTY};
    if (v->type == want && lc_type_is_primitive(want)) {
        *out = v;
        *why = LC_STR_EMPTY;
        return true;
    }
    lc_value *slot = LC_NEW(arena, lc_value);
    bool ok = convert(&c, v, want, slot);
    *out = slot;
    *why = c.why;
    return ok;
}
