/* Answers to what was typed into the clients' consoles: they show values as the language writes
 * them, and have one function more. lifecheck has no console, so this is a part of the test. */
#include "console.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/json.h"

/* ---- Values. */

static void add_value(lc_buf *out, lc_marked v, size_t indent);

static void add_line(lc_buf *out, size_t indent)
{
    lc_buf_add_char(out, '\n');
    for (size_t i = 0; i < indent; i++)
        lc_buf_add_char(out, ' ');
}

static void add_null(lc_buf *out, const lc_type *type)
{
    static const char *const made[] = {
        [LC_TYPE_BOOL] = "tobool(null)",       [LC_TYPE_NUMBER] = "tonumber(null)",
        [LC_TYPE_STRING] = "tostring(null)",   [LC_TYPE_DYNAMIC] = "null",
        [LC_TYPE_LIST] = "tolist(null) /* of", [LC_TYPE_SET] = "toset(null) /* of",
        [LC_TYPE_MAP] = "tomap(null) /* of",   [LC_TYPE_TUPLE] = "null /*",
        [LC_TYPE_OBJECT] = "null /*",
    };
    lc_buf_add_c(out, made[type->kind]);
    if (lc_type_is_primitive(type) || type->kind == LC_TYPE_DYNAMIC)
        return;
    lc_buf_add_char(out, ' ');
    lc_type_add_friendly(out, lc_type_is_collection(type) ? type->as.elem : type);
    lc_buf_add_c(out, " */");
}

/* Is the end marker alone on a line of the text? */
static bool has_marker(lc_str text, lc_str marker)
{
    for (size_t at = 0; at <= text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != '\n')
            end++;
        if (lc_str_eq(lc_trim_space(lc_str_sub(text, at, end)), marker))
            return true;
        at = end + 1;
    }
    return false;
}

static void add_heredoc(lc_buf *out, lc_str text, size_t indent)
{
    lc_buf marker = {0};
    lc_buf_add_c(&marker, "EOT");
    while (has_marker(text, lc_buf_str(&marker)))
        lc_buf_add_char(&marker, '_');
    lc_buf_add_c(out, indent > 0 ? "<<-" : "<<");
    lc_buf_add_str(out, lc_buf_str(&marker));
    add_line(out, indent);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n')
            add_line(out, indent);
        else
            lc_buf_add_char(out, text.ptr[i]);
    }
    add_line(out, indent);
    lc_buf_add_str(out, lc_buf_str(&marker));
    lc_buf_release(&marker);
}

static void add_primitive(lc_buf *out, const lc_value *v, size_t indent)
{
    if (v->type->kind == LC_TYPE_BOOL)
        lc_buf_add_c(out, v->as.boolean ? "true" : "false");
    else if (v->type->kind == LC_TYPE_NUMBER)
        lc_num_add_text(out, v->as.number);
    else if (lc_str_contains(v->as.string, LC_STR("\n")))
        add_heredoc(out, v->as.string, indent);
    else
        lc_buf_add_go_quoted(out, v->as.string);
}

static lc_marked part(lc_marked v, uint32_t at)
{
    return (lc_marked){&v.value->as.many.elems[at],
                       v.marks && at < v.marks->count ? v.marks->children[at] : NULL};
}

static void add_parts(lc_buf *out, lc_marked v, size_t indent)
{
    const lc_type *type = v.value->type;
    bool named = type->kind == LC_TYPE_MAP || type->kind == LC_TYPE_OBJECT;
    lc_buf_add_char(out, named ? '{' : '[');
    for (uint32_t i = 0; i < v.value->count; i++) {
        add_line(out, indent + 2);
        if (named) {
            lc_buf_add_go_quoted(out, type->kind == LC_TYPE_MAP ? v.value->as.many.keys[i]
                                                                : type->as.attrs[i].name);
            lc_buf_add_c(out, " = ");
        }
        add_value(out, part(v, i), indent + 2);
        lc_buf_add_c(out, named ? "" : ",");
    }
    if (v.value->count)
        add_line(out, indent);
    lc_buf_add_char(out, named ? '}' : ']');
}

static void add_value(lc_buf *out, lc_marked v, size_t indent)
{
    lc_type_kind kind = v.value->type->kind;
    const char *made = kind == LC_TYPE_LIST  ? "tolist("
                       : kind == LC_TYPE_SET ? "toset("
                       : kind == LC_TYPE_MAP ? "tomap("
                                             : "";
    if (lc_is_unknown(v.value)) {
        lc_buf_add_c(out, "(known after apply)");
    } else if (lc_marks_self(v) & LC_MARK_SENSITIVE) {
        lc_buf_add_c(out, "(sensitive value)");
    } else if (lc_marks_self(v) & LC_MARK_EPHEMERAL) {
        lc_buf_add_c(out, "(ephemeral value)");
    } else if (lc_is_null(v.value)) {
        add_null(out, v.value->type);
    } else if (lc_type_is_primitive(v.value->type)) {
        add_primitive(out, v.value, indent);
    } else {
        lc_buf_add_c(out, made);
        add_parts(out, v, indent);
        lc_buf_add_c(out, *made ? ")" : "");
    }
}

/* ---- Types. */

static void add_type(lc_buf *out, const lc_type *type, size_t indent);

static bool is_structure(const lc_type *type)
{
    return type->kind == LC_TYPE_OBJECT || type->kind == LC_TYPE_TUPLE;
}

static void add_structure(lc_buf *out, const lc_type *type, size_t indent)
{
    bool object = type->kind == LC_TYPE_OBJECT;
    lc_buf_add_c(out, object ? "object({" : "tuple([");
    for (uint32_t i = 0; i < type->count; i++) {
        add_line(out, indent + 4);
        if (object)
            lc_buf_printf(out, "%.*s: ", LC_FMT(type->as.attrs[i].name));
        add_type(out, object ? type->as.attrs[i].type : type->as.items[i], indent + 4);
        lc_buf_add_char(out, ',');
    }
    if (type->count)
        add_line(out, indent);
    lc_buf_add_c(out, object ? "})" : "])");
}

static void add_type(lc_buf *out, const lc_type *type, size_t indent)
{
    if (is_structure(type)) {
        add_structure(out, type, indent);
        return;
    }
    if (!lc_type_is_collection(type)) {
        lc_type_add_friendly(out, type);
        return;
    }
    bool deep = is_structure(type->as.elem);
    lc_buf_add_c(out, type->kind == LC_TYPE_LIST  ? "list("
                      : type->kind == LC_TYPE_SET ? "set("
                                                  : "map(");
    if (deep)
        add_line(out, indent + 4);
    add_type(out, type->as.elem, indent + (deep ? 4 : 0));
    if (deep) {
        lc_buf_add_char(out, ',');
        add_line(out, indent);
    }
    lc_buf_add_char(out, ')');
}

/* ---- The function `type`, which lifecheck does not have. */

/* The text of `type(...)`: `open` and `close` are the offsets of its parentheses. Only strings
 * without parentheses in strings are understood. */
static bool is_type_call(lc_str text, size_t *open, size_t *close)
{
    size_t at = 0, depth = 0;
    while (at < text.len && lc_is_space(text.ptr[at]))
        at++;
    if (!lc_str_starts_with(lc_str_sub(text, at, text.len), LC_STR("type(")))
        return false;
    *open = at + 4;
    for (at = *open; at < text.len; at++) {
        depth += text.ptr[at] == '(';
        depth -= text.ptr[at] == ')';
        if (depth == 0)
            break;
    }
    *close = at;
    return at < text.len;
}

/* The argument at its place in the text, so that errors keep their columns. */
static lc_str argument_of(lc_arena *arena, lc_str text, size_t open, size_t close)
{
    char *bytes = lc_str_to_c(arena, text);
    for (size_t i = 0; i < text.len; i++)
        if (i <= open || i >= close)
            bytes[i] = ' ';
    return (lc_str){bytes, text.len};
}

/* A type has neither attributes nor elements. */
static void step_into_type(vectors_result *result, lc_str text, size_t at)
{
    lc_source_pos place = result->trouble.place;
    place.offset = (uint32_t)at;
    bool index = text.ptr[at] == '[';
    result->ok = false;
    result->trouble = (lc_eval_error){
        index ? LC_STR("Invalid index") : LC_STR("Unsupported attribute"), {0}, place, NULL};
}

static void add_type_of(lc_buf *text, vectors_result *result, lc_arena *arena,
                        const vectors_scope *scope, lc_str input)
{
    size_t open, close, inner_open, inner_close;
    is_type_call(input, &open, &close);
    lc_str argument = argument_of(arena, input, open, close);
    lc_str rest = lc_trim_space(lc_str_sub(input, close + 1, input.len));
    if (is_type_call(argument, &inner_open, &inner_close)) {
        lc_buf_add_c(text, "type");
        result->ok = true;
        return;
    }
    *result = vectors_evaluate_text(arena, scope, argument);
    if (result->ok && rest.len) {
        vectors_result whole = vectors_evaluate_text(arena, scope, input);
        result->trouble.place = whole.trouble.place;
        step_into_type(result, input, (size_t)(rest.ptr - input.ptr));
    }
    if (result->ok)
        add_type(text, result->value.value->type, 0);
}

/* ---- Lines. */

/* A function that exists outside of consoles only. */
static bool calls_plantimestamp(vectors_result *result, lc_arena *arena, lc_str input)
{
    lc_str name = LC_STR("plantimestamp(");
    for (size_t at = 0; at < input.len; at++) {
        if (!lc_str_starts_with(lc_str_sub(input, at, input.len), name))
            continue;
        lc_source *source = LC_NEW(arena, lc_source);
        source->text = input;
        *result = (vectors_result){
            .trouble = {
                LC_STR("Call to unknown function"), LC_STR_EMPTY, {source, 0, (uint32_t)at}, NULL}};
        return true;
    }
    return false;
}

/* What the console of the client shows, or result->ok is false. */
static void show(lc_buf *text, vectors_result *result, lc_arena *arena, const vectors_scope *scope,
                 lc_str input)
{
    size_t open, close;
    if (calls_plantimestamp(result, arena, input))
        return;
    if (is_type_call(input, &open, &close)) {
        add_type_of(text, result, arena, scope, input);
        return;
    }
    *result = vectors_evaluate_text(arena, scope, input);
    if (result->ok)
        add_value(text, result->value, 0);
}

void vectors_console_answer(lc_buf *out, lc_arena *arena, const lc_node *line)
{
    for (size_t i = 0; i < 2; i++) {
        lc_json w = {.out = out};
        lc_buf text = {0};
        vectors_scope scope;
        vectors_result result;
        vectors_scope_make(&scope, arena, vectors_clients[i].profile, line);
        show(&text, &result, arena, &scope, lc_node_text(line, "expr"));
        lc_buf_printf(out, ",\"%s\":", vectors_clients[i].name);
        if (!result.ok) {
            vectors_result_write(out, &result, 0);
        } else {
            lc_json_object(&w, NULL);
            lc_json_str(&w, "text", lc_buf_str(&text));
            lc_json_end_object(&w);
        }
        lc_buf_release(&text);
    }
}
