/* Values to cty JSON, byte for byte as go-cty's json.Marshal writes them (values-and-wire 3.6). */
#include "lifecheck/bug.h"
#include "lifecheck/codec.h"

static bool write_value(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why);

static bool write_number(lc_buf *buf, lc_num n, lc_str *why)
{
    if (lc_num_is_inf(n)) {
        *why = LC_STR("an infinite number has no JSON form");
        return false;
    }
    lc_num_add_text(buf, n);
    return true;
}

/* {"value":...,"type":...} */
static bool write_dynamic(lc_buf *buf, const lc_value *v, lc_str *why)
{
    lc_buf_add_c(buf, "{\"value\":");
    if (!write_value(buf, v, v->type, why))
        return false;
    lc_buf_add_c(buf, ",\"type\":");
    lc_typejson_encode(buf, v->type);
    lc_buf_add_char(buf, '}');
    return true;
}

static bool write_sequence(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why)
{
    lc_buf_add_char(buf, '[');
    for (uint32_t i = 0; i < v->count; i++) {
        const lc_type *elem = want->kind == LC_TYPE_TUPLE ? want->as.items[i] : want->as.elem;
        if (i)
            lc_buf_add_char(buf, ',');
        if (!write_value(buf, &v->as.many.elems[i], elem, why))
            return false;
    }
    lc_buf_add_char(buf, ']');
    return true;
}

/* Maps and objects. */
static bool write_members(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why)
{
    bool object = want->kind == LC_TYPE_OBJECT;
    lc_buf_add_char(buf, '{');
    for (uint32_t i = 0; i < v->count; i++) {
        if (i)
            lc_buf_add_char(buf, ',');
        lc_buf_add_json(buf, object ? want->as.attrs[i].name : v->as.many.keys[i], true);
        lc_buf_add_char(buf, ':');
        if (!write_value(buf, &v->as.many.elems[i], object ? want->as.attrs[i].type : want->as.elem,
                         why))
            return false;
    }
    lc_buf_add_char(buf, '}');
    return true;
}

static bool write_known(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why)
{
    switch (want->kind) {
    case LC_TYPE_BOOL:
        lc_buf_add_c(buf, v->as.boolean ? "true" : "false");
        return true;
    case LC_TYPE_NUMBER:
        return write_number(buf, v->as.number, why);
    case LC_TYPE_STRING:
        lc_buf_add_json(buf, v->as.string, true);
        return true;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_TUPLE:
        return write_sequence(buf, v, want, why);
    case LC_TYPE_MAP:
    case LC_TYPE_OBJECT:
        return write_members(buf, v, want, why);
    case LC_TYPE_DYNAMIC:
        LC_BUG("a known value of type dynamic");
    }
    LC_UNREACHABLE();
}

static bool write_value(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why)
{
    if (want->kind == LC_TYPE_DYNAMIC && v->type->kind != LC_TYPE_DYNAMIC)
        return write_dynamic(buf, v, why);
    if (lc_is_null(v)) {
        lc_buf_add_c(buf, "null");
        return true;
    }
    if (lc_is_unknown(v)) {
        *why = LC_STR("an unknown value has no JSON form");
        return false;
    }
    return write_known(buf, v, want, why);
}

bool lc_ctyjson_encode(lc_buf *buf, const lc_value *v, const lc_type *want, lc_str *why)
{
    LC_ASSERT(lc_type_conforms(v->type, want));
    size_t before = buf->len;
    if (write_value(buf, v, want, why))
        return true;
    buf->len = before;
    return false;
}
