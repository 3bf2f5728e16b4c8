/* Types as text: Go syntax, friendly names, type expressions, and the messages about types that do
 * not convert. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "value/internal.h"

static const char *const go_names[] = {
    "cty.Bool", "cty.Number", "cty.String", "cty.DynamicPseudoType", "cty.List", "cty.Set",
    "cty.Map",  "cty.Tuple",  "cty.Object"};
static const char *const words[] = {"bool", "number", "string", "dynamic", "list",
                                    "set",  "map",    "tuple",  "object"};

void lc_type_add_go(lc_buf *buf, const lc_type *type)
{
    bool structural = type->kind == LC_TYPE_OBJECT || type->kind == LC_TYPE_TUPLE;
    if (structural && type->count == 0) {
        lc_buf_add_c(buf, type->kind == LC_TYPE_OBJECT ? "cty.EmptyObject" : "cty.EmptyTuple");
        return;
    }
    lc_buf_add_c(buf, go_names[type->kind]);
    if (lc_type_is_collection(type)) {
        lc_buf_add_char(buf, '(');
        lc_type_add_go(buf, type->as.elem);
        lc_buf_add_char(buf, ')');
    }
    if (!structural)
        return;
    lc_buf_add_c(buf, type->kind == LC_TYPE_OBJECT ? "(map[string]cty.Type{" : "([]cty.Type{");
    for (size_t i = 0; i < type->count; i++) {
        if (i)
            lc_buf_add_c(buf, ", ");
        if (type->kind == LC_TYPE_OBJECT) {
            lc_buf_add_go_quoted(buf, type->as.attrs[i].name);
            lc_buf_add_char(buf, ':');
        }
        lc_type_add_go(buf,
                       type->kind == LC_TYPE_OBJECT ? type->as.attrs[i].type : type->as.items[i]);
    }
    lc_buf_add_c(buf, "})");
}

/* FriendlyName, or with `constraint` FriendlyNameForConstraint of cty. */
static void add_friendly(lc_buf *buf, const lc_type *type, bool constraint)
{
    if (type->kind == LC_TYPE_DYNAMIC && constraint) {
        lc_buf_add_c(buf, "any type");
        return;
    }
    lc_buf_add_c(buf, words[type->kind]);
    if (lc_type_is_collection(type)) {
        lc_buf_add_c(buf, " of ");
        const lc_type *elem = type->as.elem;
        if (constraint && elem->kind == LC_TYPE_DYNAMIC)
            lc_buf_add_c(buf, "any single type");
        else
            add_friendly(buf, elem, constraint);
    }
}

void lc_type_add_friendly(lc_buf *buf, const lc_type *type)
{
    add_friendly(buf, type, false);
}

static bool is_identifier(lc_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = lc_is_letter(c) || c == '_';
        if (!letter && (i == 0 || !(lc_is_digit(c) || c == '-')))
            return false;
    }
    return s.len > 0;
}

static void add_attrs_text(lc_buf *buf, const lc_type *type)
{
    lc_buf_add_c(buf, "object({");
    for (size_t i = 0; i < type->count; i++) {
        const lc_type_attr *attr = &type->as.attrs[i];
        if (i)
            lc_buf_add_char(buf, ',');
        if (is_identifier(attr->name))
            lc_buf_add_str(buf, attr->name);
        else
            lc_buf_add_json(buf, attr->name, false);
        lc_buf_add_c(buf, attr->optional ? "=optional(" : "=");
        lc_type_add_text(buf, attr->type);
        if (attr->optional)
            lc_buf_add_char(buf, ')');
    }
    lc_buf_add_c(buf, "})");
}

void lc_type_add_text(lc_buf *buf, const lc_type *type)
{
    if (type->kind == LC_TYPE_OBJECT) {
        add_attrs_text(buf, type);
        return;
    }
    lc_buf_add_c(buf, words[type->kind]);
    if (lc_type_is_collection(type)) {
        lc_buf_add_char(buf, '(');
        lc_type_add_text(buf, type->as.elem);
        lc_buf_add_char(buf, ')');
    }
    if (type->kind != LC_TYPE_TUPLE)
        return;
    lc_buf_add_c(buf, "([");
    for (size_t i = 0; i < type->count; i++) {
        if (i)
            lc_buf_add_char(buf, ',');
        lc_type_add_text(buf, type->as.items[i]);
    }
    lc_buf_add_c(buf, "])");
}

/* ---- Messages about types that do not convert: mirrors convert's MismatchMessage. */

static void add_mismatch(lc_arena *arena, lc_buf *buf, const lc_type *got, const lc_type *want);

static void add_missing(lc_buf *buf, const lc_type *got, const lc_type *want, size_t missing)
{
    lc_buf_add_c(buf, missing == 1 ? "attribute " : "attributes ");
    size_t said = 0;
    for (size_t i = 0; i < want->count; i++) {
        if (want->as.attrs[i].optional || lc_type_attr_index(got, want->as.attrs[i].name) >= 0)
            continue;
        if (said && said + 1 == missing)
            lc_buf_add_c(buf, missing == 2 ? " and " : ", and ");
        else if (said)
            lc_buf_add_c(buf, ", ");
        lc_buf_add_go_quoted(buf, want->as.attrs[i].name);
        said++;
    }
    lc_buf_add_c(buf, missing == 1 ? " is required" : " are required");
}

/* The index of the first attribute of `want` that does not convert, or -1. */
static long first_mismatch(lc_arena *arena, const lc_type *got, const lc_type *want, bool unsafe)
{
    for (size_t i = 0; i < want->count; i++) {
        long at = lc_type_attr_index(got, want->as.attrs[i].name);
        if (at >= 0 &&
            !lc_type_convertible(arena, got->as.attrs[at].type, want->as.attrs[i].type, unsafe))
            return (long)i;
    }
    return -1;
}

/* Missing attributes are reported before those of a wrong type; then attributes that never convert
 * before those that convert unsafely. */
static void mismatch_objects(lc_arena *arena, lc_buf *buf, const lc_type *got, const lc_type *want)
{
    size_t missing = 0;
    for (size_t i = 0; i < want->count; i++)
        missing +=
            !want->as.attrs[i].optional && lc_type_attr_index(got, want->as.attrs[i].name) < 0;
    if (missing) {
        add_missing(buf, got, want, missing);
        return;
    }
    long at = first_mismatch(arena, got, want, true);
    at = at < 0 ? first_mismatch(arena, got, want, false) : at;
    if (at < 0) {
        lc_buf_add_c(buf, "incorrect object attributes");
        return;
    }
    const lc_type_attr *attr = &want->as.attrs[at];
    lc_buf_add_c(buf, "attribute ");
    lc_buf_add_go_quoted(buf, attr->name);
    lc_buf_add_c(buf, ": ");
    add_mismatch(arena, buf, got->as.attrs[lc_type_attr_index(got, attr->name)].type, attr->type);
}

static void add_required(lc_buf *buf, const lc_type *want)
{
    add_friendly(buf, want, true);
    lc_buf_add_c(buf, " required");
}

/* A tuple or object as a collection: the first part that does not convert is the reason. */
static void mismatch_structural(lc_arena *arena, lc_buf *buf, const lc_type *got,
                                const lc_type *want)
{
    bool tuple = got->kind == LC_TYPE_TUPLE;
    if (tuple == (want->kind == LC_TYPE_MAP)) {
        add_required(buf, want);
        return;
    }
    for (size_t i = 0; i < got->count; i++) {
        const lc_type *part = tuple ? got->as.items[i] : got->as.attrs[i].type;
        if (lc_type_convertible(arena, part, want->as.elem, true))
            continue;
        if (tuple) {
            lc_buf_printf(buf, "element %zu: ", i);
        } else {
            lc_buf_add_c(buf, "element ");
            lc_buf_add_go_quoted(buf, got->as.attrs[i].name);
            lc_buf_add_c(buf, ": ");
        }
        add_mismatch(arena, buf, part, want->as.elem);
        return;
    }
    lc_buf_add_c(buf, "all elements must be ");
    add_friendly(buf, want->as.elem, true);
}

static void mismatch_collections(lc_arena *arena, lc_buf *buf, const lc_type *got,
                                 const lc_type *want)
{
    if ((got->kind == LC_TYPE_MAP) != (want->kind == LC_TYPE_MAP)) {
        add_required(buf, want);
        return;
    }
    lc_buf_printf(buf, "incorrect %s element type: ", words[want->kind]);
    add_mismatch(arena, buf, got->as.elem, want->as.elem);
}

/* Names the type that is there, except where this would mislead: that a string is not a number is a
 * matter of its contents, not of its type. */
static void add_plain_mismatch(lc_buf *buf, const lc_type *got, const lc_type *want)
{
    bool had = lc_type_is_primitive(got), wanted = lc_type_is_primitive(want);
    if (had != wanted || want->kind == LC_TYPE_STRING || (had && got->kind != LC_TYPE_STRING) ||
        (got->kind == LC_TYPE_TUPLE && want->kind == LC_TYPE_OBJECT)) {
        add_friendly(buf, want, false);
        lc_buf_add_c(buf, " required, but have ");
        add_friendly(buf, got, false);
    } else {
        add_required(buf, want);
    }
}

static void add_mismatch(lc_arena *arena, lc_buf *buf, const lc_type *got, const lc_type *want)
{
    bool structural = got->kind == LC_TYPE_TUPLE || got->kind == LC_TYPE_OBJECT;
    bool want_collection = lc_type_is_collection(want);
    bool any = want_collection && want->as.elem->kind == LC_TYPE_DYNAMIC;
    if (got->kind == LC_TYPE_OBJECT && want->kind == LC_TYPE_OBJECT) {
        mismatch_objects(arena, buf, got, want);
    } else if (any && ((got->kind == LC_TYPE_TUPLE && want->kind != LC_TYPE_MAP) ||
                       (got->kind == LC_TYPE_OBJECT && want->kind == LC_TYPE_MAP))) {
        lc_buf_printf(buf, "all %s elements must have the same type", words[want->kind]);
    } else if (structural && want_collection) {
        mismatch_structural(arena, buf, got, want);
    } else if (lc_type_is_collection(got) && want_collection) {
        mismatch_collections(arena, buf, got, want);
    } else {
        add_plain_mismatch(buf, got, want);
    }
}

void lc_type_add_mismatch(lc_buf *buf, const lc_type *got, const lc_type *want)
{
    lc_arena *arena = lc_arena_new();
    add_mismatch(arena, buf, got, want);
    lc_arena_free(arena);
}

lc_str lc_type_text(lc_arena *arena, const lc_type *type)
{
    lc_buf text = {0};
    lc_type_add_text(&text, type);
    return lc_buf_take(arena, &text);
}

lc_str lc_type_friendly(lc_arena *arena, const lc_type *type)
{
    lc_buf text = {0};
    lc_type_add_friendly(&text, type);
    return lc_buf_take(arena, &text);
}
