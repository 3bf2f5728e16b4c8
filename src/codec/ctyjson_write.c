/* Values to cty JSON, byte for byte as go-cty's json.Marshal writes them (values-and-wire 3.6). */
#include "lifecheck/base/bug.h"
#include "lifecheck/base/json.h"
#include "lifecheck/codec/codec.h"

static bool write_value(lc_json *w, const lc_value *v, const lc_type *want, lc_str *why);

static bool write_number(lc_json *w, lc_num n, lc_str *why)
{
    if (lc_num_is_inf(n)) {
        *why = LC_STR("an infinite number has no JSON form");
        return false;
    }
    lc_num_add_text(lc_json_value(w, NULL), n);
    return true;
}

/* {"value":...,"type":...} */
static bool write_dynamic(lc_json *w, const lc_value *v, lc_str *why)
{
    lc_json_object(w, NULL);
    lc_json_key(w, LC_STR("value"));
    if (!write_value(w, v, v->type, why))
        return false;
    lc_typejson_encode(lc_json_value(w, "type"), v->type);
    lc_json_end_object(w);
    return true;
}

static bool write_sequence(lc_json *w, const lc_value *v, const lc_type *want, lc_str *why)
{
    lc_json_array(w, NULL);
    for (uint32_t i = 0; i < v->count; i++) {
        const lc_type *elem = want->kind == LC_TYPE_TUPLE ? want->as.items[i] : want->as.elem;
        if (!write_value(w, &v->as.many.elems[i], elem, why))
            return false;
    }
    lc_json_end_array(w);
    return true;
}

/* Maps and objects. */
static bool write_members(lc_json *w, const lc_value *v, const lc_type *want, lc_str *why)
{
    bool object = want->kind == LC_TYPE_OBJECT;
    lc_json_object(w, NULL);
    for (uint32_t i = 0; i < v->count; i++) {
        lc_json_key(w, object ? want->as.attrs[i].name : v->as.many.keys[i]);
        if (!write_value(w, &v->as.many.elems[i], object ? want->as.attrs[i].type : want->as.elem,
                         why))
            return false;
    }
    lc_json_end_object(w);
    return true;
}

static bool write_known(lc_json *w, const lc_value *v, const lc_type *want, lc_str *why)
{
    switch (want->kind) {
    case LC_TYPE_BOOL:
        lc_json_bool(w, NULL, v->as.boolean);
        return true;
    case LC_TYPE_NUMBER:
        return write_number(w, v->as.number, why);
    case LC_TYPE_STRING:
        lc_json_str(w, NULL, v->as.string);
        return true;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_TUPLE:
        return write_sequence(w, v, want, why);
    case LC_TYPE_MAP:
    case LC_TYPE_OBJECT:
        return write_members(w, v, want, why);
    case LC_TYPE_DYNAMIC:
        LC_BUG("a known value of type dynamic");
    }
    LC_UNREACHABLE();
}

/* `want` may be dynamic where the type of the value is not: only then the type is written. */
static bool write_value(lc_json *w, const lc_value *v, const lc_type *want, lc_str *why)
{
    if (want->kind == LC_TYPE_DYNAMIC && v->type->kind != LC_TYPE_DYNAMIC)
        return write_dynamic(w, v, why);
    if (lc_is_null(v)) {
        lc_json_null(w, NULL);
        return true;
    }
    if (lc_is_unknown(v)) {
        *why = LC_STR("an unknown value has no JSON form");
        return false;
    }
    return write_known(w, v, want, why);
}

bool lc_ctyjson_encode(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why)
{
    LC_ASSERT(lc_type_conforms(v->type, want));
    size_t before = buf->len;
    lc_json w = {.out = buf, .html = true};
    if (write_value(&w, v, want, why))
        return true;
    buf->len = before;
    return false;
}
