/* Answers to the value lines of the vectors, computed by the modules codec and value. Where the
 * codec accepts on purpose what go-cty refuses (LC_WIRE_NOTE_EXT), the answer is go-cty's; where it
 * refuses what go-cty accepts, or cannot hold what go-cty holds (0 and -0 in one set), the answer
 * says so in `stricter`. */
#include "values.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"

/* ---- Members of the line. */

static void add_node(lc_buf *buf, const lc_node *node)
{
    switch ((lc_node_kind)node->kind) {
    case LC_NODE_NULL:
        lc_buf_add_c(buf, "null");
        return;
    case LC_NODE_BOOL:
        lc_buf_add_c(buf, node->boolean ? "true" : "false");
        return;
    case LC_NODE_NUMBER:
        lc_buf_add_str(buf, node->as.text);
        return;
    case LC_NODE_STRING:
        lc_buf_add_json(buf, node->as.text, false);
        return;
    case LC_NODE_SEQUENCE:
        lc_buf_add_char(buf, '[');
        for (uint32_t i = 0; i < node->count; i++) {
            lc_buf_add_c(buf, i ? "," : "");
            add_node(buf, &node->as.items[i]);
        }
        lc_buf_add_char(buf, ']');
        return;
    case LC_NODE_MAPPING:
        lc_buf_add_char(buf, '{');
        for (uint32_t i = 0; i < node->count; i++) {
            lc_buf_add_c(buf, i ? "," : "");
            lc_buf_add_json(buf, node->as.members[i].key, false);
            lc_buf_add_char(buf, ':');
            add_node(buf, &node->as.members[i].value);
        }
        lc_buf_add_char(buf, '}');
        return;
    }
}

bool vectors_type(const lc_type **out, lc_arena *arena, const lc_node *node)
{
    lc_buf text = {0};
    lc_wire_problem problem;
    add_node(&text, node);
    lc_str in = lc_buf_copy(arena, &text);
    lc_buf_release(&text);
    return lc_typejson_decode(out, arena, in, &problem);
}

static bool line_type(const lc_type **out, lc_arena *arena, const lc_node *line, const char *key)
{
    const lc_node *node = lc_node_get(line, key);
    return node && vectors_type(out, arena, node);
}

static bool line_bytes(lc_str *out, lc_arena *arena, const lc_node *line, const char *key)
{
    const lc_node *node = lc_node_get(line, key);
    size_t at;
    return node && node->kind == LC_NODE_STRING && lc_base64_decode(out, arena, node->as.text, &at);
}

/* ---- fn decode. */

static void answer_refusal(lc_buf *out, lc_str message, bool stricter)
{
    lc_buf_add_c(out, "{\"ok\":false,\"error\":");
    lc_buf_add_json(out, message, false);
    if (stricter) {
        lc_buf_add_c(out, ",\"stricter\":");
        lc_buf_add_json(out, message, false);
    }
    lc_buf_add_char(out, '}');
}

static void add_msgpack(lc_buf *out, const lc_value *v, const lc_type *want)
{
    lc_buf bytes = {0};
    lc_msgpack_encode(&bytes, v, want);
    lc_buf_add_c(out, ",\"msgpack\":\"");
    lc_base64_encode(out, lc_buf_str(&bytes));
    lc_buf_add_char(out, '"');
    lc_buf_release(&bytes);
}

static void add_json(lc_buf *out, const lc_value *v, const lc_type *want)
{
    lc_buf text = {0};
    lc_str why;
    bool ok = lc_ctyjson_encode(&text, v, want, &why);
    lc_buf_add_c(out, ok ? ",\"json\":" : ",\"json_error\":");
    lc_buf_add_json(out, ok ? lc_buf_str(&text) : why, false);
    lc_buf_release(&text);
}

static void answer_value(lc_buf *out, const lc_value *v, const lc_type *want)
{
    bool known = lc_is_wholly_known(v);
    lc_buf_add_c(out, "{\"ok\":true,\"value_type\":");
    lc_typejson_encode(out, v->type);
    lc_buf_add_c(out, known ? ",\"wholly_known\":true" : ",\"wholly_known\":false");
    add_msgpack(out, v, want);
    if (known)
        add_json(out, v, want);
    lc_buf_add_char(out, '}');
}

static void answer_decode(lc_buf *out, lc_arena *arena, const lc_node *line)
{
    const lc_node *form = lc_node_get(line, "form");
    const lc_type *want;
    const lc_value *v;
    lc_str data;
    lc_wire_result result;
    if (!form || !line_type(&want, arena, line, "type") ||
        !line_bytes(&data, arena, line, "data")) {
        answer_refusal(out, LC_STR("the line is not understood"), false);
        return;
    }
    bool json = lc_str_is(form->as.text, "json");
    bool ok = json ? lc_ctyjson_decode(&v, arena, data, want, &result)
                   : lc_msgpack_decode(&v, arena, data, want, &result);
    if (!ok)
        answer_refusal(out, result.problem.message, result.problem.core == LC_WIRE_ACCEPTS);
    else if (result.notes & LC_WIRE_NOTE_EXT)
        answer_refusal(out, LC_STR("an extension that go-cty does not read"), false);
    else if (result.notes & LC_WIRE_NOTE_ZEROS)
        answer_refusal(out, LC_STR("0 and -0 are one element of a set"), true);
    else
        answer_value(out, v, want);
}

/* ---- fn equality, includes. */

static bool line_value(const lc_value **out, lc_arena *arena, const lc_node *line, const char *type,
                       const char *data)
{
    const lc_type *want;
    lc_str bytes;
    lc_wire_result result;
    return line_type(&want, arena, line, type) && line_bytes(&bytes, arena, line, data) &&
           lc_msgpack_decode(out, arena, bytes, want, &result);
}

static const char *tri_text(lc_tri tri)
{
    switch (tri) {
    case LC_FALSE:
        return "false";
    case LC_TRUE:
        return "true";
    case LC_MAYBE:
        return "\"unknown\"";
    }
    return NULL;
}

/* cty never finds a set member that holds an unknown, so such a set is not even equal to itself
 * there; we say "unknown". */
/* Of sets with unknowns inside go-cty says more than it can know, wherever they stand. */
static bool is_divergence(const lc_value *a, const lc_value *b)
{
    if (!lc_is_known(a) || !lc_is_known(b) || lc_value_equals(a, b) != LC_MAYBE)
        return false;
    if (a->type->kind == LC_TYPE_SET)
        return true;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (is_divergence(&a->as.many.elems[i], &b->as.many.elems[i]))
            return true;
    }
    return false;
}

static void answer_comparison(lc_buf *out, lc_arena *arena, const lc_node *line, bool includes)
{
    const lc_value *a, *b;
    if (!line_value(&a, arena, line, "type_a", "a") || !line_value(&b, arena, line, "type_b", "b"))
        answer_refusal(out, LC_STR("a value is not understood"), false);
    else if (includes)
        lc_buf_printf(out, "{\"includes\":%s}", tri_text(lc_value_includes(a, b)));
    else
        lc_buf_printf(out, "{\"raw_equals\":%s,\"equals\":%s%s}",
                      lc_value_raw_equal(a, b) ? "true" : "false", tri_text(lc_value_equals(a, b)),
                      is_divergence(a, b) ? ",\"diverges\":\"a set with a nested unknown\"" : "");
}

void vectors_value_answer(lc_buf *out, lc_arena *arena, const lc_node *line, lc_str fn)
{
    lc_buf_add_c(out, "\"result\":");
    if (lc_str_is(fn, "decode"))
        answer_decode(out, arena, line);
    else
        answer_comparison(out, arena, line, lc_str_is(fn, "includes"));
}
