/* yamldecode: events of YAML to values by the rules of go-cty-yaml. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/yaml_json/yaml_events.h"

#include <string.h>

#define TAG(name) "tag:yaml.org,2002:" name

/* A value that an anchor names. */
typedef struct anchor {
    lc_marked value;
    size_t size;      /* nodes, aliases expanded */
    unsigned pending; /* how often it is being defined here */
    bool defined;
} anchor;

typedef struct reader {
    lc_fn_call *c;
    lc_yaml_events *events;
    lc_table anchors;
    size_t nodes; /* so far, aliases expanded */
    const char *why, *undecided;
} reader;

static bool fail(reader *r, const char *why)
{
    r->why = r->why ? r->why : why;
    return false;
}

static bool give_up(reader *r, const char *undecided)
{
    r->undecided = undecided;
    return false;
}

static bool next(reader *r, lc_yaml_event *e)
{
    return lc_yaml_events_next(r->events, e) || fail(r, "the string is not YAML");
}

static lc_marked made(reader *r, const lc_value *slot)
{
    return (lc_marked){lc_value_new(r->c->e->arena, slot), NULL};
}

/* ---- Scalars. */

static const char *const truths[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                     "True", "TRUE", "on",  "On",  "ON",  NULL};
static const char *const lies[] = {"n",     "N",     "no",  "No",  "NO",  "false",
                                   "False", "FALSE", "off", "Off", "OFF", NULL};
static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
static const char *const infinities[] = {".inf",  ".Inf",  ".INF",  "+.inf", "+.Inf",
                                         "+.INF", "-.inf", "-.Inf", "-.INF", NULL};
static const char *const no_numbers[] = {".nan", ".NaN", ".NAN", NULL};

/* Words with a meaning. */
static bool is_word(reader *r, lc_str text, lc_value *out)
{
    bool yes = lc_str_is_one_of(text, truths, NULL);
    if (yes || lc_str_is_one_of(text, lies, NULL)) {
        lc_value_set_bool(out, yes);
        return true;
    }
    if (lc_str_is_one_of(text, nulls, NULL)) {
        lc_value_set_null(out, &lc_type_dynamic);
        return true;
    }
    lc_num n;
    double infinity = text.len && text.ptr[0] == '-' ? -__builtin_inf() : __builtin_inf();
    if (!lc_str_is_one_of(text, infinities, NULL) ||
        !lc_num_from_double(&n, r->c->e->arena, infinity))
        return false;
    lc_value_set_number(out, n);
    return true;
}

static size_t digits_at(lc_str text, size_t at, int base)
{
    while (at < text.len) {
        int digit = lc_hex_digit(text.ptr[at]);
        if (digit < 0 || digit >= base)
            break;
        at++;
    }
    return at;
}

/* [-+]?digits, 0o and 0x. */
static bool looks_whole(lc_str text)
{
    size_t sign = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
    if (digits_at(text, sign, 10) == text.len)
        return text.len > sign;
    int base = lc_str_starts_with(text, LC_STR("0o"))   ? 8
               : lc_str_starts_with(text, LC_STR("0x")) ? 16
                                                        : 0;
    return base && text.len > 2 && digits_at(text, 2, base) == text.len;
}

/* [-+]?(.digits|digits[.[digits]])[e[-+]digits] */
static bool looks_float(lc_str text)
{
    size_t at = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
    size_t whole = digits_at(text, at, 10), end = whole;
    if (whole < text.len && text.ptr[whole] == '.')
        end = digits_at(text, whole + 1, 10);
    if (end == at || (whole == at && end == at + 1))
        return false;
    if (end == text.len)
        return true;
    if (text.ptr[end] != 'e' && text.ptr[end] != 'E')
        return false;
    at = end + 1;
    at += at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+');
    return at < text.len && digits_at(text, at, 10) == text.len;
}

/* strconv.ParseInt with base 0, whose prefixes decide; up to 64 bits. */
static bool based_number(reader *r, lc_str text, lc_num *out)
{
    bool negative = text.len && text.ptr[0] == '-';
    size_t at = negative || (text.len && text.ptr[0] == '+');
    static const struct {
        const char *prefix;
        int base;
    } kinds[] = {{"0x", 16}, {"0X", 16}, {"0o", 8}, {"0O", 8}, {"0b", 2}, {"0B", 2}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint64_t n = 0;
        lc_str rest = lc_str_sub(text, at, text.len);
        if (!lc_str_starts_with(rest, lc_str_from_c(kinds[i].prefix)) || rest.len == 2 ||
            digits_at(rest, 2, kinds[i].base) != rest.len)
            continue;
        for (size_t k = 2; k < rest.len; k++) {
            if (__builtin_mul_overflow(n, (uint64_t)kinds[i].base, &n) ||
                __builtin_add_overflow(n, (uint64_t)lc_hex_digit(rest.ptr[k]), &n))
                return false;
        }
        if (negative && n > (uint64_t)INT64_MAX + 1)
            return false;
        *out = negative ? lc_num_from_int((int64_t)(0 - n)) : lc_num_from_uint(r->c->e->arena, n);
        return true;
    }
    return false;
}

static bool number(reader *r, lc_str text, lc_value *out)
{
    lc_num n;
    lc_num_parse parsed = lc_num_from_text(&n, r->c->e->arena, text, LC_MAX_DIGITS);
    if (parsed == LC_NUM_TOO_LONG)
        return give_up(r, "a number has too many digits");
    if (parsed != LC_NUM_OK && !based_number(r, text, &n))
        return false;
    lc_value_set_number(out, n);
    return true;
}

static lc_str without_underscores(reader *r, lc_str text)
{
    char *kept = lc_arena_alloc(r->c->e->arena, text.len);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '_')
            kept[len++] = text.ptr[i];
    return (lc_str){kept, len};
}

static bool text_value(reader *r, lc_str text, lc_value *out)
{
    lc_value_set_string(out, r->c->e->arena, text);
    return true;
}

/* By the tag alone. */
static bool tagged(reader *r, lc_str tag, lc_str text, lc_value *out)
{
    lc_str moment;
    if (tag.len == 0 || lc_str_is(tag, TAG("str")))
        return text_value(r, text, out);
    if (lc_str_is(tag, TAG("binary")))
        return (lc_fn_from_base64(r->c, text, &moment) && text_value(r, text, out)) ||
               fail(r, "a binary scalar is not Base64");
    if (lc_str_is(tag, TAG("bool")))
        return (is_word(r, text, out) && out->type->kind == LC_TYPE_BOOL) ||
               fail(r, "a scalar is not a bool");
    if (lc_str_is(tag, TAG("int")) || lc_str_is(tag, TAG("float")))
        return number(r, without_underscores(r, text), out) || r->undecided ||
               fail(r, "a scalar is not a number");
    if (lc_str_is(tag, TAG("timestamp")))
        return (lc_fn_yaml_moment(r->c, text, &moment) && text_value(r, moment, out)) ||
               fail(r, "a scalar is not a timestamp");
    if (!lc_str_is(tag, TAG("null")))
        return fail(r, "a scalar has an unknown tag");
    lc_value_set_null(out, &lc_type_dynamic);
    return true;
}

/* Only what begins so may mean something else than a string. */
static bool may_mean(lc_str text)
{
    return text.len == 0 || (text.ptr[0] && strchr("+-.0123456789yYnNtTfFoO~", text.ptr[0]));
}

/* Digits, a sign or a point begin numbers and timestamps. *done: it is one. */
static bool meant(reader *r, lc_str *tag, lc_str text, lc_value *out, bool *done)
{
    lc_str moment;
    *done = true;
    if (is_word(r, text, out))
        return true;
    if (tag->len == 0 && lc_str_is_one_of(text, no_numbers, NULL))
        return fail(r, "there is no value for .nan");
    bool point = text.ptr[0] == '.';
    bool counts = lc_is_digit(text.ptr[0]) || text.ptr[0] == '+' || text.ptr[0] == '-';
    if (point && number(r, text, out))
        return true;
    bool may_be_moment = counts && (tag->len == 0 || lc_str_is(*tag, TAG("timestamp")));
    if (may_be_moment && lc_fn_yaml_moment(r->c, text, &moment))
        return text_value(r, moment, out);
    if (counts && (looks_whole(text) || looks_float(text)))
        *tag = LC_STR(TAG("int"));
    *done = false;
    return true;
}

static bool known_tag(lc_str tag)
{
    static const char *const tags[] = {"",           TAG("str"),  TAG("bool"),      TAG("int"),
                                       TAG("float"), TAG("null"), TAG("timestamp"), TAG("binary"),
                                       NULL};
    return lc_str_is_one_of(tag, tags, NULL);
}

static bool scalar(reader *r, const lc_yaml_event *e, lc_value *out)
{
    lc_str tag = e->tag;
    bool done, as_text = lc_str_is(tag, TAG("str")) || lc_str_is(tag, TAG("binary"));
    if (!known_tag(tag))
        return fail(r, "a scalar has an unknown tag");
    if (may_mean(e->value) && !as_text) {
        if (e->quoted)
            return text_value(r, e->value, out);
        if (!meant(r, &tag, e->value, out, &done) || r->undecided)
            return false;
        if (done)
            return true;
    }
    return tagged(r, tag, e->value, out) && !r->undecided;
}

/* A block scalar is read like a plain one, and then converted to a string. */
static bool scalar_node(reader *r, const lc_yaml_event *e, lc_marked *out)
{
    lc_value v;
    lc_str why;
    if (!scalar(r, e, &v))
        return false;
    *out = made(r, &v);
    return e->tag.len > 0 || e->plain ||
           lc_marked_convert(out, r->c->e->arena, *out, &lc_type_string, &why);
}

/* ---- Collections. */

static bool node(reader *r, const lc_yaml_event *e, size_t depth, lc_marked *out);

static bool next_node(reader *r, size_t depth, lc_marked *out)
{
    lc_yaml_event e;
    return next(r, &e) && node(r, &e, depth, out);
}

static bool sequence(reader *r, const lc_yaml_event *start, size_t depth, lc_marked *out)
{
    lc_yaml_event e;
    lc_fn_items items = {{0}};
    if (start->tag.len > 0 && !lc_str_is(start->tag, TAG("seq")))
        return fail(r, "a sequence has an unknown tag");
    for (;;) {
        lc_marked item;
        if (!next(r, &e))
            return false;
        if (e.kind == LC_YAML_SEQUENCE_END)
            break;
        if (!node(r, &e, depth + 1, &item))
            return false;
        *LC_PUSH(r->c->e->arena, &items.list, lc_marked) = item;
    }
    *out = lc_eval_tuple(r->c->e, items.list.items, items.list.count);
    return true;
}

static bool merge_object(reader *r, lc_fn_object *to, const lc_value *from)
{
    if (from->type->kind != LC_TYPE_OBJECT)
        return fail(r, "only mappings can be merged into a mapping");
    for (uint32_t i = 0; i < from->count; i++)
        lc_fn_set_member(r->c, to, lc_fn_key_at(from, i),
                         (lc_marked){&from->as.many.elems[i], NULL});
    return true;
}

/* The value of the key `<<`: a mapping or a sequence of them. */
static bool merge(reader *r, lc_fn_object *to, size_t depth)
{
    lc_marked from;
    if (!next_node(r, depth + 1, &from))
        return false;
    if (from.value->type->kind != LC_TYPE_TUPLE)
        return merge_object(r, to, from.value);
    for (uint32_t i = 0; i < from.value->count; i++)
        if (!merge_object(r, to, &from.value->as.many.elems[i]))
            return false;
    return true;
}

static bool is_merge_key(const lc_yaml_event *e)
{
    return e->kind == LC_YAML_SCALAR &&
           ((e->tag.len == 0 && lc_str_is(e->value, "<<")) || lc_str_is(e->tag, TAG("merge")));
}

static bool read_key(reader *r, const lc_yaml_event *e, lc_str *out)
{
    lc_value v;
    const lc_value *text;
    lc_str why;
    if (e->kind != LC_YAML_SCALAR)
        return fail(r, "a key of a mapping is not a scalar");
    if (!scalar(r, e, &v))
        return false;
    if (lc_is_null(&v) || !lc_value_convert(&text, r->c->e->arena, &v, &lc_type_string, &why))
        return fail(r, "a key of a mapping is null");
    *out = text->as.string;
    return true;
}

static bool mapping(reader *r, const lc_yaml_event *start, size_t depth, lc_marked *out)
{
    lc_fn_object object = {.index = {.arena = NULL}};
    lc_yaml_event e;
    if (start->tag.len > 0 && !lc_str_is(start->tag, TAG("map")))
        return fail(r, "a mapping has an unknown tag");
    for (;;) {
        lc_str key;
        lc_marked value;
        if (!next(r, &e))
            return false;
        if (e.kind == LC_YAML_MAPPING_END)
            break;
        if (is_merge_key(&e)) {
            if (!merge(r, &object, depth))
                return false;
            continue;
        }
        if (!read_key(r, &e, &key) || !next_node(r, depth + 1, &value))
            return false;
        lc_fn_set_member(r->c, &object, key, value);
    }
    *out = lc_eval_object(r->c->e, object.members.items, object.members.count);
    return true;
}

/* ---- Anchors. */

static anchor *anchor_of(reader *r, lc_str name)
{
    anchor *a = lc_table_get(&r->anchors, name);
    if (!a) {
        a = LC_NEW(r->c->e->arena, anchor);
        lc_table_put(&r->anchors, name, a);
    }
    return a;
}

static bool add_nodes(reader *r, size_t count)
{
    r->nodes += count;
    return r->nodes <= LC_MAX_ALIAS_NODES || give_up(r, "the value has too many parts");
}

static bool alias(reader *r, const lc_yaml_event *e, lc_marked *out)
{
    const anchor *a = lc_table_get(&r->anchors, e->anchor);
    if (!a || !a->defined || a->pending > 0)
        return fail(r, "an alias refers to no anchor before it");
    *out = a->value;
    return add_nodes(r, a->size);
}

static bool contents(reader *r, const lc_yaml_event *e, size_t depth, lc_marked *out)
{
    switch (e->kind) {
    case LC_YAML_SCALAR:
        return scalar_node(r, e, out);
    case LC_YAML_SEQUENCE_START:
        return sequence(r, e, depth, out);
    case LC_YAML_MAPPING_START:
        return mapping(r, e, depth, out);
    case LC_YAML_STREAM_START:
    case LC_YAML_STREAM_END:
    case LC_YAML_DOCUMENT_START:
    case LC_YAML_DOCUMENT_END:
    case LC_YAML_ALIAS:
    case LC_YAML_SEQUENCE_END:
    case LC_YAML_MAPPING_END:
        break;
    }
    return fail(r, "a value is missing");
}

static bool node(reader *r, const lc_yaml_event *e, size_t depth, lc_marked *out)
{
    if (e->kind == LC_YAML_ALIAS)
        return alias(r, e, out);
    if (depth >= LC_MAX_DEPTH)
        return give_up(r, "the value is nested too deeply");
    anchor *a = e->anchor.len > 0 ? anchor_of(r, e->anchor) : NULL;
    size_t before = r->nodes;
    if (a)
        a->pending++;
    if (!add_nodes(r, 1) || !contents(r, e, depth, out))
        return false;
    if (a) {
        a->pending--;
        a->defined = true;
        a->value = *out;
        a->size = r->nodes - before;
    }
    return true;
}

/* ---- The document. */

/* go-cty-yaml reads YAML 1.1 alone. */
static bool expect(reader *r, lc_yaml_kind kind)
{
    lc_yaml_event e;
    if (!next(r, &e))
        return false;
    if (e.major > 0 && (e.major != 1 || e.minor != 1))
        return fail(r, "the document states another version of YAML than 1.1");
    return e.kind == kind || fail(r, "there is not exactly one document");
}

static bool read_document(reader *r, lc_marked *out)
{
    return expect(r, LC_YAML_STREAM_START) && expect(r, LC_YAML_DOCUMENT_START) &&
           next_node(r, 0, out) && expect(r, LC_YAML_DOCUMENT_END) && expect(r, LC_YAML_STREAM_END);
}

static bool decode(reader *r, lc_fn_call *c, lc_marked *out)
{
    *r = (reader){.c = c, .events = lc_yaml_events_new(c->e->arena, lc_fn_text(c, 0))};
    lc_table_init(&r->anchors, c->e->arena);
    bool ok = read_document(r, out);
    lc_yaml_events_free(r->events);
    return ok;
}

bool lc_fn_yamldecode_type(lc_fn_call *c)
{
    reader r;
    lc_marked value;
    if (!lc_is_known(lc_fn_arg(c, 0)))
        return lc_fn_set_type(c, &lc_type_dynamic);
    if (decode(&r, c, &value))
        return lc_fn_set_type(c, value.value->type);
    return r.undecided ? lc_fn_set_type(c, &lc_type_dynamic) : lc_fn_fail(c, r.why);
}

bool lc_fn_yamldecode(lc_fn_call *c)
{
    reader r;
    return decode(&r, c, &c->result) || lc_fn_give_undecided(c, r.undecided);
}
