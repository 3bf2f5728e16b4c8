/* Paths: parsing, printing, order, patterns, and application to values. */
#include "lifecheck/value/path.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"

#include <string.h>

lc_trail lc_trail_part(const lc_trail *up, const lc_value *v, size_t i)
{
    switch (v->type->kind) {
    case LC_TYPE_OBJECT:
        return lc_trail_attr(up, v->type->as.attrs[i].name);
    case LC_TYPE_MAP:
        return lc_trail_key(up, v->as.many.keys[i]);
    case LC_TYPE_SET:
        return lc_trail_element(up, &v->as.many.elems[i]);
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return lc_trail_index(up, i);
}

size_t lc_trail_depth(const lc_trail *trail)
{
    size_t depth = 0;
    for (; trail; trail = trail->up)
        depth++;
    return depth;
}

/* A trail is linked from the innermost step outwards, so it is copied from the end. */
lc_path lc_path_from_trail(lc_arena *arena, const lc_trail *trail)
{
    size_t count = lc_trail_depth(trail);
    lc_step *steps = LC_NEW_ARRAY(arena, lc_step, count);
    size_t at = count;
    for (const lc_trail *t = trail; t; t = t->up)
        steps[--at] = t->step;
    return (lc_path){steps, count};
}

lc_path lc_path_copy(lc_arena *arena, lc_path path)
{
    lc_step *steps = LC_NEW_ARRAY(arena, lc_step, path.count);
    for (size_t i = 0; i < path.count; i++) {
        steps[i] = path.steps[i];
        steps[i].name = lc_str_copy(arena, path.steps[i].name);
    }
    return (lc_path){steps, path.count};
}

lc_path lc_path_up_to_set(lc_path path)
{
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind == LC_STEP_ELEMENT)
            return (lc_path){path.steps, i};
    }
    return path;
}

/* ---- Parsing. */

typedef struct parser {
    lc_arena *arena;
    lc_str text;
    size_t at;
    bool patterns;
    lc_str why;
} parser;

static bool fail(parser *p, const char *why)
{
    p->why = lc_str_from_c(why);
    return false;
}

static bool rest_is(const parser *p, const char *token)
{
    return lc_str_starts_with(lc_str_sub(p->text, p->at, p->text.len), lc_str_from_c(token));
}

/* A name is everything up to the next '.' or '[': it need not be an identifier. */
static bool parse_name(parser *p, lc_step *step)
{
    p->at++;
    size_t from = p->at;
    while (p->at < p->text.len && p->text.ptr[p->at] != '.' && p->text.ptr[p->at] != '[')
        p->at++;
    lc_str name = lc_str_sub(p->text, from, p->at);
    if (name.len == 0)
        return fail(p, "an attribute name is missing after '.'");
    if (lc_str_is(name, "*")) {
        if (!p->patterns)
            return fail(p, "'.*' is allowed in patterns only");
        *step = (lc_step){.kind = LC_STEP_ANY_ATTR, .name = LC_STR_EMPTY};
        return true;
    }
    *step = (lc_step){.kind = LC_STEP_ATTR, .name = name};
    return true;
}

static bool hex4(parser *p, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        if (p->at >= p->text.len)
            return false;
        int digit = lc_hex_digit(p->text.ptr[p->at]);
        if (digit < 0)
            return false;
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

/* After `\u`: a code point, or a surrogate pair. Half a pair becomes U+FFFD, as in Go. */
static bool parse_unicode(parser *p, uint32_t *out)
{
    if (!hex4(p, out))
        return false;
    if (*out < 0xD800 || *out > 0xDFFF)
        return true;
    uint32_t high = *out, low;
    size_t at = p->at;
    *out = 0xFFFD;
    if (high > 0xDBFF || !rest_is(p, "\\u"))
        return true;
    p->at += 2;
    if (!hex4(p, &low))
        return false;
    if (low >= 0xDC00 && low <= 0xDFFF)
        *out = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    else
        p->at = at;
    return true;
}

static bool parse_escape(parser *p, lc_buf *key)
{
    static const char from[] = "\"\\/nrtbf", to[] = "\"\\/\n\r\t\b\f";
    if (p->at >= p->text.len)
        return fail(p, "the key's closing quote is missing");
    char c = p->text.ptr[p->at++];
    const char *found = memchr(from, c, sizeof from - 1);
    if (found) {
        lc_buf_add_char(key, to[found - from]);
        return true;
    }
    uint32_t rune;
    char bytes[4];
    if (c != 'u' || !parse_unicode(p, &rune))
        return fail(p, "an escape in the key is not one of JSON");
    lc_buf_add(key, bytes, lc_utf8_put(bytes, rune));
    return true;
}

/* Keys are JSON strings in NFC, like the keys of map values. */
static bool parse_key(parser *p, lc_step *step)
{
    lc_buf key = {0};
    bool ok = true;
    p->at += 2;
    while (ok && p->at < p->text.len && p->text.ptr[p->at] != '"') {
        char c = p->text.ptr[p->at++];
        if (c == '\\')
            ok = parse_escape(p, &key);
        else
            lc_buf_add_char(&key, c);
    }
    if (ok && !rest_is(p, "\"]"))
        ok = fail(p, "the key's closing '\"]' is missing");
    p->at += 2;
    if (ok)
        *step =
            (lc_step){.kind = LC_STEP_KEY, .name = lc_nfc(p->arena, lc_buf_copy(p->arena, &key))};
    lc_buf_release(&key);
    return ok;
}

/* At most 18 digits, so that the number cannot overflow. */
static bool parse_index(parser *p, lc_step *step)
{
    uint64_t index = 0;
    size_t from = ++p->at;
    while (p->at < p->text.len && lc_is_digit(p->text.ptr[p->at])) {
        if (p->at - from >= 18)
            return fail(p, "the index is too large");
        index = index * 10 + (uint64_t)(p->text.ptr[p->at++] - '0');
    }
    if (p->at == from)
        return fail(p, "after '[' an index, a quoted key or '...' is expected");
    if (!rest_is(p, "]"))
        return fail(p, "the closing ']' is missing");
    p->at++;
    *step = (lc_step){.kind = LC_STEP_INDEX, .name = LC_STR_EMPTY, .index = index};
    return true;
}

static bool parse_step(parser *p, lc_step *step)
{
    if (p->text.ptr[p->at] == '.')
        return parse_name(p, step);
    if (rest_is(p, "[...]")) {
        *step = (lc_step){.kind = LC_STEP_ELEMENT, .name = LC_STR_EMPTY};
        p->at += 5;
        return true;
    }
    if (rest_is(p, "[*]")) {
        if (!p->patterns)
            return fail(p, "'[*]' is allowed in patterns only");
        *step = (lc_step){.kind = LC_STEP_ANY_KEY, .name = LC_STR_EMPTY};
        p->at += 3;
        return true;
    }
    return rest_is(p, "[\"") ? parse_key(p, step) : parse_index(p, step);
}

bool lc_path_parse(lc_path *out, lc_arena *arena, lc_str text, bool patterns, lc_str *why,
                   size_t *at)
{
    parser p = {arena, text, 0, patterns, LC_STR_EMPTY};
    *out = LC_PATH_ROOT;
    if (lc_str_is(text, "."))
        return true;
    struct {
        lc_step *items;
        size_t count, capacity;
    } steps = {0};
    bool ok = text.len > 0 && (text.ptr[0] == '.' || text.ptr[0] == '[');
    if (!ok)
        fail(&p, "a path begins with '.'");
    while (ok && p.at < text.len) {
        lc_step step;
        if (p.text.ptr[p.at] != '.' && p.text.ptr[p.at] != '[')
            ok = fail(&p, "'.' or '[' is expected here");
        else if ((ok = parse_step(&p, &step)))
            *LC_PUSH(arena, &steps, lc_step) = step;
    }
    *why = p.why;
    *at = p.at < text.len ? p.at : text.len;
    *out = (lc_path){steps.items, steps.count};
    return ok;
}

/* ---- Printing. */

void lc_path_add_text(lc_buf *buf, lc_path path)
{
    if (path.count == 0)
        lc_buf_add_char(buf, '.');
    for (size_t i = 0; i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        switch (step->kind) {
        case LC_STEP_ATTR:
            lc_buf_add_char(buf, '.');
            lc_buf_add_str(buf, step->name);
            break;
        case LC_STEP_INDEX:
            lc_buf_printf(buf, "[%llu]", (unsigned long long)step->index);
            break;
        case LC_STEP_KEY:
            lc_buf_add_char(buf, '[');
            lc_buf_add_json(buf, step->name, false);
            lc_buf_add_char(buf, ']');
            break;
        case LC_STEP_ELEMENT:
            lc_buf_add_c(buf, "[...]");
            break;
        case LC_STEP_ANY_KEY:
            lc_buf_add_c(buf, "[*]");
            break;
        case LC_STEP_ANY_ATTR:
            lc_buf_add_c(buf, ".*");
            break;
        }
    }
}

/* Core prints the key of an index step: for sets that is a whole element, abbreviated. */
static void add_element_core(lc_buf *buf, const lc_value *element)
{
    if (element && lc_is_unknown(element))
        lc_buf_add_c(buf, "[(not yet known)]");
    else if (element && lc_is_null(element))
        lc_buf_add_c(buf, "[null]");
    else
        lc_buf_add_c(buf, "[...]");
}

void lc_path_add_core(lc_buf *buf, lc_path path)
{
    for (size_t i = 0; i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        if (step->kind == LC_STEP_ATTR || (step->kind == LC_STEP_KEY && step->index)) {
            lc_buf_add_char(buf, '.');
            lc_buf_add_str(buf, step->name);
        } else if (step->kind == LC_STEP_INDEX) {
            lc_buf_add_char(buf, '[');
            lc_num_add_go(buf, lc_num_from_int((int64_t)step->index));
            lc_buf_add_char(buf, ']');
        } else if (step->kind == LC_STEP_KEY) {
            lc_buf_add_char(buf, '[');
            lc_buf_add_go_quoted(buf, step->name);
            lc_buf_add_char(buf, ']');
        } else {
            add_element_core(buf, step->element);
        }
    }
}

/* The key of an index step is printed as a value. A set element that is not known here prints as an
 * unknown. */
void lc_path_add_go(lc_buf *buf, lc_path path)
{
    lc_buf_add_c(buf, "cty.Path{");
    for (size_t i = 0; i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        lc_value key;
        if (i)
            lc_buf_add_c(buf, ", ");
        if (step->kind == LC_STEP_ATTR) {
            lc_buf_add_c(buf, "cty.GetAttrStep{Name:");
            lc_buf_add_go_quoted(buf, step->name);
            lc_buf_add_char(buf, '}');
            continue;
        }
        lc_value_set_unknown(&key, &lc_type_dynamic);
        if (step->kind == LC_STEP_INDEX)
            lc_value_set_number(&key, lc_num_from_int((int64_t)step->index));
        if (step->kind == LC_STEP_KEY)
            key = (lc_value){.type = &lc_type_string, .state = LC_KNOWN, .as.string = step->name};
        lc_buf_add_c(buf, "cty.IndexStep{Key:");
        lc_value_add_go(buf, step->kind == LC_STEP_ELEMENT && step->element ? step->element : &key);
        lc_buf_add_char(buf, '}');
    }
    lc_buf_add_char(buf, '}');
}

/* ---- Comparing. */

/* Elements that are not equal are ordered by their Go text: any fixed order is good enough. */
static int compare_elements(const lc_value *a, const lc_value *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    if (lc_value_raw_equal(a, b))
        return 0;
    lc_buf x = {0}, y = {0};
    lc_value_add_go(&x, a);
    lc_value_add_go(&y, b);
    int order = lc_str_cmp(lc_buf_str(&x), lc_buf_str(&y));
    lc_buf_release(&x);
    lc_buf_release(&y);
    return order;
}

static int compare_steps(const lc_step *a, const lc_step *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    switch (a->kind) {
    case LC_STEP_INDEX:
        return (a->index > b->index) - (a->index < b->index);
    case LC_STEP_ATTR:
    case LC_STEP_KEY:
        return lc_str_cmp(a->name, b->name);
    case LC_STEP_ELEMENT:
        return compare_elements(a->element, b->element);
    case LC_STEP_ANY_KEY:
    case LC_STEP_ANY_ATTR:
        break;
    }
    return 0;
}

int lc_path_cmp(lc_path a, lc_path b)
{
    for (size_t i = 0; i < a.count && i < b.count; i++) {
        int order = compare_steps(&a.steps[i], &b.steps[i]);
        if (order)
            return order;
    }
    return (a.count > b.count) - (a.count < b.count);
}

bool lc_path_eq(lc_path a, lc_path b)
{
    return a.count == b.count && lc_path_cmp(a, b) == 0;
}

bool lc_path_overlaps(lc_path a, lc_path b)
{
    a.count = b.count = a.count < b.count ? a.count : b.count;
    return lc_path_eq(a, b);
}

/* [*] matches index, key and element steps, .* attribute steps; an element step any element step.
 */
static bool step_matches(const lc_step *step, const lc_step *pattern)
{
    switch (pattern->kind) {
    case LC_STEP_ANY_KEY:
        return step->kind != LC_STEP_ATTR;
    case LC_STEP_ANY_ATTR:
        return step->kind == LC_STEP_ATTR;
    case LC_STEP_ELEMENT:
        return step->kind == LC_STEP_ELEMENT;
    case LC_STEP_ATTR:
    case LC_STEP_INDEX:
    case LC_STEP_KEY:
        break;
    }
    return compare_steps(step, pattern) == 0;
}

bool lc_path_matches(lc_path path, lc_path pattern)
{
    if (path.count != pattern.count)
        return false;
    for (size_t i = 0; i < path.count; i++) {
        if (!step_matches(&path.steps[i], &pattern.steps[i]))
            return false;
    }
    return true;
}

/* ---- Application to values, as cty's Path.Apply. */

static const lc_value *unknown_of(lc_arena *arena, const lc_type *type)
{
    lc_value *v = LC_NEW(arena, lc_value);
    lc_value_set_unknown(v, type);
    return v;
}

/* An unknown object gives an unknown of the attribute's type; an unknown of type dynamic stays as
 * it is. */
static const lc_value *take_attr(lc_arena *arena, const lc_value *v, lc_str name)
{
    if (v->type->kind == LC_TYPE_DYNAMIC)
        return lc_is_unknown(v) ? v : NULL;
    long index = lc_type_attr_index(v->type, name);
    if (index < 0 || lc_is_null(v))
        return NULL;
    return lc_is_unknown(v) ? unknown_of(arena, v->type->as.attrs[index].type)
                            : &v->as.many.elems[index];
}

static const lc_value *take_key(lc_arena *arena, const lc_value *v, lc_str key)
{
    if (lc_is_unknown(v) && v->type->kind == LC_TYPE_DYNAMIC)
        return v;
    if (v->type->kind != LC_TYPE_MAP || lc_is_null(v))
        return NULL;
    return lc_is_unknown(v) ? unknown_of(arena, v->type->as.elem) : lc_value_key(v, key);
}

static const lc_value *take_index(lc_arena *arena, const lc_value *v, uint64_t index)
{
    if (lc_is_unknown(v) && v->type->kind == LC_TYPE_DYNAMIC)
        return v;
    bool list = v->type->kind == LC_TYPE_LIST;
    if ((!list && v->type->kind != LC_TYPE_TUPLE) || lc_is_null(v))
        return NULL;
    if (lc_is_known(v))
        return index < v->count ? &v->as.many.elems[index] : NULL;
    if (list)
        return unknown_of(arena, v->type->as.elem);
    return index < v->type->count ? unknown_of(arena, v->type->as.items[index]) : NULL;
}

const lc_value *lc_path_apply(lc_arena *arena, const lc_value *v, lc_path path)
{
    for (size_t i = 0; v && i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        v = step->kind == LC_STEP_ATTR    ? take_attr(arena, v, step->name)
            : step->kind == LC_STEP_KEY   ? take_key(arena, v, step->name)
            : step->kind == LC_STEP_INDEX ? take_index(arena, v, step->index)
                                          : NULL;
    }
    return v;
}

/* ---- Application with the rules of the configuration language (contract-algorithms 4.9): maps may
 * be accessed like objects, and keys that are numbers like indices. */

static const lc_value *hcl_attr(lc_arena *arena, const lc_value *v, lc_str name)
{
    return v->type->kind == LC_TYPE_MAP ? take_key(arena, v, name) : take_attr(arena, v, name);
}

/* A key that is a whole number, as an index of a list. */
static bool text_index(lc_arena *arena, lc_str text, uint64_t *out)
{
    lc_num n;
    int64_t index;
    if (lc_num_from_text(&n, arena, text, 40) != LC_NUM_OK || !lc_num_to_int64(n, &index) ||
        index < 0)
        return false;
    *out = (uint64_t)index;
    return true;
}

static const lc_value *hcl_key(lc_arena *arena, const lc_value *v, lc_str key)
{
    uint64_t index;
    switch (v->type->kind) {
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
        return text_index(arena, key, &index) ? take_index(arena, v, index) : NULL;
    case LC_TYPE_OBJECT:
        return take_attr(arena, v, key);
    case LC_TYPE_MAP:
    case LC_TYPE_DYNAMIC:
        return take_key(arena, v, key);
    case LC_TYPE_SET:
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        break;
    }
    return NULL;
}

static const lc_value *hcl_index(lc_arena *arena, const lc_value *v, uint64_t index)
{
    if (v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT) {
        lc_str key = lc_str_printf(arena, "%llu", (unsigned long long)index);
        return v->type->kind == LC_TYPE_MAP ? take_key(arena, v, key) : take_attr(arena, v, key);
    }
    return take_index(arena, v, index);
}

const lc_value *lc_path_apply_hcl(lc_arena *arena, const lc_value *v, lc_path path)
{
    for (size_t i = 0; v && i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        if (lc_is_null(v))
            return NULL;
        v = step->kind == LC_STEP_ATTR    ? hcl_attr(arena, v, step->name)
            : step->kind == LC_STEP_KEY   ? hcl_key(arena, v, step->name)
            : step->kind == LC_STEP_INDEX ? hcl_index(arena, v, step->index)
                                          : NULL;
    }
    return v;
}
