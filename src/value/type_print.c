/* Types as text: Go syntax, friendly names, the language's expressions, and why one type does not
 * become another. */
#include "internal.h"
#include "lifecheck/bug.h"

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
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '-')))
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

/* ---- Mismatches. */

static bool convertible(const lc_type *got, const lc_type *want);

static bool all_convertible(const lc_type *got, const lc_type *elem)
{
    for (size_t i = 0; i < got->count; i++) {
        const lc_type *part =
            got->kind == LC_TYPE_OBJECT ? got->as.attrs[i].type : got->as.items[i];
        if (!convertible(part, elem))
            return false;
    }
    return true;
}

static bool objects_convertible(const lc_type *got, const lc_type *want)
{
    for (size_t i = 0; i < want->count; i++) {
        long at = lc_type_attr_index(got, want->as.attrs[i].name);
        if (at < 0 ? !want->as.attrs[i].optional
                   : !convertible(got->as.attrs[at].type, want->as.attrs[i].type))
            return false;
    }
    return true;
}

/* Is there a conversion that no value can fail? */
static bool convertible(const lc_type *got, const lc_type *want)
{
    if (want->kind == LC_TYPE_DYNAMIC || lc_type_equal(got, want))
        return true;
    bool sequence = want->kind == LC_TYPE_LIST || want->kind == LC_TYPE_SET;
    switch (got->kind) {
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
        return want->kind == LC_TYPE_STRING;
    case LC_TYPE_LIST:
        return want->kind == LC_TYPE_LIST && convertible(got->as.elem, want->as.elem);
    case LC_TYPE_SET:
        return sequence && convertible(got->as.elem, want->as.elem);
    case LC_TYPE_MAP:
        return want->kind == LC_TYPE_MAP && convertible(got->as.elem, want->as.elem);
    case LC_TYPE_TUPLE:
        if (want->kind == LC_TYPE_TUPLE) {
            bool ok = got->count == want->count;
            for (size_t i = 0; ok && i < got->count; i++)
                ok = convertible(got->as.items[i], want->as.items[i]);
            return ok;
        }
        return sequence && all_convertible(got, want->as.elem);
    case LC_TYPE_OBJECT:
        if (want->kind == LC_TYPE_OBJECT)
            return objects_convertible(got, want);
        return want->kind == LC_TYPE_MAP && all_convertible(got, want->as.elem);
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return false;
}

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

static void mismatch_objects(lc_buf *buf, const lc_type *got, const lc_type *want)
{
    size_t missing = 0;
    for (size_t i = 0; i < want->count; i++)
        missing +=
            !want->as.attrs[i].optional && lc_type_attr_index(got, want->as.attrs[i].name) < 0;
    if (missing) {
        add_missing(buf, got, want, missing);
        return;
    }
    for (size_t i = 0; i < want->count; i++) {
        long at = lc_type_attr_index(got, want->as.attrs[i].name);
        if (at < 0 || convertible(got->as.attrs[at].type, want->as.attrs[i].type))
            continue;
        lc_buf_add_c(buf, "attribute ");
        lc_buf_add_go_quoted(buf, want->as.attrs[i].name);
        lc_buf_add_c(buf, ": ");
        lc_type_add_mismatch(buf, got->as.attrs[at].type, want->as.attrs[i].type);
        return;
    }
    lc_buf_add_c(buf, "incorrect object attributes");
}

static void add_required(lc_buf *buf, const lc_type *want)
{
    add_friendly(buf, want, true);
    lc_buf_add_c(buf, " required");
}

static void mismatch_structural(lc_buf *buf, const lc_type *got, const lc_type *want)
{
    bool tuple = got->kind == LC_TYPE_TUPLE;
    if (tuple == (want->kind == LC_TYPE_MAP)) {
        add_required(buf, want);
        return;
    }
    for (size_t i = 0; i < got->count; i++) {
        const lc_type *part = tuple ? got->as.items[i] : got->as.attrs[i].type;
        if (convertible(part, want->as.elem))
            continue;
        if (tuple) {
            lc_buf_printf(buf, "element %zu: ", i);
        } else {
            lc_buf_add_c(buf, "element ");
            lc_buf_add_go_quoted(buf, got->as.attrs[i].name);
            lc_buf_add_c(buf, ": ");
        }
        lc_type_add_mismatch(buf, part, want->as.elem);
        return;
    }
    lc_buf_add_c(buf, "all elements must be ");
    add_friendly(buf, want->as.elem, true);
}

static void mismatch_collections(lc_buf *buf, const lc_type *got, const lc_type *want)
{
    if (got->kind != want->kind) {
        add_required(buf, want);
        return;
    }
    lc_buf_printf(buf, "incorrect %s element type: ", words[want->kind]);
    lc_type_add_mismatch(buf, got->as.elem, want->as.elem);
}

void lc_type_add_mismatch(lc_buf *buf, const lc_type *got, const lc_type *want)
{
    bool structural = got->kind == LC_TYPE_TUPLE || got->kind == LC_TYPE_OBJECT;
    bool want_collection = lc_type_is_collection(want);
    bool any = want_collection && want->as.elem->kind == LC_TYPE_DYNAMIC;
    if (got->kind == LC_TYPE_OBJECT && want->kind == LC_TYPE_OBJECT) {
        mismatch_objects(buf, got, want);
    } else if (any && ((got->kind == LC_TYPE_TUPLE && want->kind != LC_TYPE_MAP) ||
                       (got->kind == LC_TYPE_OBJECT && want->kind == LC_TYPE_MAP))) {
        lc_buf_printf(buf, "all %s elements must have the same type", words[want->kind]);
    } else if (structural && want_collection) {
        mismatch_structural(buf, got, want);
    } else if (lc_type_is_collection(got) && want_collection) {
        mismatch_collections(buf, got, want);
    } else {
        bool gp = lc_type_is_primitive(got), wp = lc_type_is_primitive(want);
        add_required(buf, want);
        if (gp != wp || want->kind == LC_TYPE_STRING || (gp && got->kind != LC_TYPE_STRING) ||
            (got->kind == LC_TYPE_TUPLE && want->kind == LC_TYPE_OBJECT)) {
            lc_buf_add_c(buf, ", but have ");
            add_friendly(buf, got, false);
        }
    }
}
