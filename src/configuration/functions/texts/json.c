/* jsonencode and jsondecode: the value of a JSON document without a type, as cty reads it with Go's
 * decoder. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/yaml_json/json_lexer.h"

/* ---- Writing. */

/* The first character shows the type, where it is certain that the value is not null. */
static bool unknown_json(lc_fn_call *c)
{
    const lc_value *v = lc_fn_arg(c, 0);
    const lc_refinement *known = lc_value_refinement(v);
    lc_refinement r = {.not_null = true, .has_prefix = true};
    lc_value to;
    if (lc_is_unknown(v) && !(known && known->not_null))
        return lc_fn_give_unknown(c);
    if (v->type->kind == LC_TYPE_STRING)
        r.prefix = LC_STR("\"");
    else if (lc_fn_is_map(v))
        r.prefix = LC_STR("{");
    else if (lc_fn_is_list(v))
        r.prefix = LC_STR("[");
    if (r.prefix.len == 0 || !lc_value_set_refined(&to, c->e->arena, &lc_type_string, &r))
        return lc_fn_give_unknown(c);
    return lc_fn_give(c, &to);
}

bool lc_fn_jsonencode(lc_fn_call *c)
{
    lc_buf buf = LC_MADE_TEXT;
    const lc_value *v = lc_fn_arg(c, 0);
    lc_str why;
    if (!lc_is_wholly_known(v))
        return unknown_json(c);
    if (lc_ctyjson_encode(&buf, v, v->type, &why))
        return lc_fn_give_made(c, &buf);
    lc_buf_release(&buf);
    return lc_fn_fail(c, "the value has no JSON form");
}

/* ---- Reading. */

typedef struct reader {
    lc_fn_call *c;
    lc_json_lexer text;
    const char *undecided;
} reader;

static bool read_value(reader *r, size_t depth, lc_marked *out);

static bool read_number(reader *r, lc_marked *out)
{
    lc_str text;
    lc_num n;
    lc_value v;
    if (!lc_json_lex_number(&r->text, &text))
        return false;
    lc_num_parse parsed = lc_num_from_text(&n, r->c->e->arena, text, LC_MAX_DIGITS);
    if (parsed == LC_NUM_TOO_LONG)
        r->undecided = "a number has too many digits";
    if (parsed != LC_NUM_OK)
        return false;
    lc_value_set_number(&v, n);
    out->value = lc_value_new(r->c->e->arena, &v);
    return true;
}

static bool read_array(reader *r, size_t depth, lc_marked *out)
{
    lc_json_items items = {.close = ']'};
    lc_fn_items list = {{0}};
    r->text.at++;
    while (lc_json_lex_more(&r->text, &items)) {
        lc_marked item;
        if (!read_value(r, depth + 1, &item))
            return false;
        *LC_PUSH(r->c->e->arena, &list.list, lc_marked) = item;
    }
    if (items.failed)
        return false;
    *out = lc_eval_tuple(r->c->e, list.list.items, list.list.count);
    return true;
}

/* Adds a member to an object. Of equal keys the last one counts, if all have the same type. */
bool lc_fn_set_member(lc_fn_call *c, lc_fn_object *to, lc_str name, lc_marked value)
{
    lc_arena *arena = c->e->arena;
    name = lc_nfc(arena, name);
    if (!to->index.arena)
        lc_table_init(&to->index, arena);
    size_t at = lc_table_get_index(&to->index, name);
    if (at != LC_NO_INDEX) {
        bool same = lc_type_equal(to->members.items[at].value.value->type, value.value->type);
        to->members.items[at].value = value;
        return same;
    }
    lc_table_put_index(&to->index, name, to->members.count);
    *LC_PUSH(arena, &to->members, lc_eval_member) = (lc_eval_member){name, value};
    return true;
}

static bool read_object(reader *r, size_t depth, lc_marked *out)
{
    lc_json_items items = {.close = '}'};
    lc_fn_object object = {.index = {.arena = NULL}};
    r->text.at++;
    while (lc_json_lex_more(&r->text, &items)) {
        lc_str key;
        lc_marked value;
        lc_json_lex_space(&r->text);
        if (lc_json_lex_peek(&r->text) != '"' || !lc_json_lex_string(&r->text, &key))
            return false;
        lc_json_lex_space(&r->text);
        if (lc_json_lex_peek(&r->text) != ':')
            return false;
        r->text.at++;
        if (!read_value(r, depth + 1, &value) || !lc_fn_set_member(r->c, &object, key, value))
            return false;
    }
    if (items.failed)
        return false;
    *out = lc_eval_object(r->c->e, object.members.items, object.members.count);
    return true;
}

static bool read_word(reader *r, const char *word, lc_value v, lc_marked *out)
{
    out->value = lc_value_new(r->c->e->arena, &v);
    return lc_json_lex_word(&r->text, word);
}

static bool read_value(reader *r, size_t depth, lc_marked *out)
{
    lc_value v;
    lc_str text;
    *out = (lc_marked){NULL, NULL};
    if (depth >= LC_MAX_DEPTH) {
        r->undecided = "the value is nested too deeply";
        return false;
    }
    lc_json_lex_space(&r->text);
    switch (lc_json_lex_peek(&r->text)) {
    case '{':
        return read_object(r, depth, out);
    case '[':
        return read_array(r, depth, out);
    case '"':
        if (!lc_json_lex_string(&r->text, &text))
            return false;
        *out = lc_fn_item(r->c, text);
        return true;
    case 't':
        lc_value_set_bool(&v, true);
        return read_word(r, "true", v, out);
    case 'f':
        lc_value_set_bool(&v, false);
        return read_word(r, "false", v, out);
    case 'n':
        lc_value_set_null(&v, &lc_type_dynamic);
        return read_word(r, "null", v, out);
    default:
        return read_number(r, out);
    }
}

/* After the value cty checks whether more follows, and Go's decoder does not count closing
 * brackets. */
static bool read_all(reader *r, lc_marked *out)
{
    if (!read_value(r, 0, out))
        return false;
    lc_json_lex_space(&r->text);
    int next = lc_json_lex_peek(&r->text);
    return next < 0 || next == ']' || next == '}';
}

static bool decode(lc_fn_call *c, lc_marked *out, const char **undecided)
{
    reader r = {.c = c, .text = lc_json_lexer_over(lc_fn_text(c, 0), c->e->arena)};
    r.text.like_go = true;
    bool ok = read_all(&r, out);
    *undecided = r.undecided;
    return ok;
}

/* An unknown text may have a known beginning, which shows the type or that it is not JSON. */
static bool type_of_prefix(lc_fn_call *c)
{
    const lc_refinement *known = lc_value_refinement(lc_fn_arg(c, 0));
    lc_str prefix = known && known->has_prefix ? lc_trim_space(known->prefix) : LC_STR_EMPTY;
    switch (prefix.len ? prefix.ptr[0] : 'n') {
    case '"':
        return lc_fn_set_type(c, &lc_type_string);
    case 't':
    case 'f':
        return lc_fn_set_type(c, &lc_type_bool);
    case '{':
    case '[':
    case 'n':
        return lc_fn_set_type(c, &lc_type_dynamic);
    default:
        break;
    }
    bool number = prefix.ptr[0] == '-' || prefix.ptr[0] == '.' || lc_is_digit(prefix.ptr[0]);
    return number ? lc_fn_set_type(c, &lc_type_number)
                  : lc_fn_bad_argument(c, 0, "JSON does not begin like this");
}

bool lc_fn_jsondecode_type(lc_fn_call *c)
{
    lc_marked value;
    const char *undecided;
    if (!lc_is_known(lc_fn_arg(c, 0)))
        return type_of_prefix(c);
    if (decode(c, &value, &undecided))
        return lc_fn_set_type(c, value.value->type);
    return undecided ? lc_fn_set_type(c, &lc_type_dynamic)
                     : lc_fn_fail(c, "the string is not JSON");
}

bool lc_fn_jsondecode(lc_fn_call *c)
{
    const char *undecided;
    return decode(c, &c->result, &undecided) || lc_fn_give_undecided(c, undecided);
}
