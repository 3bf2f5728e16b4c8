/* One strict RFC 8259 scanner that builds nodes: strings with length, numbers as literal text, byte
 * offsets. Recursion is bounded by the depth limit. Children are collected on a stack and copied
 * once their container ends, so that each container is one array. */
#include "source/internal.h"

#include "lifecheck/arena.h"
#include "lifecheck/ascii.h"
#include "lifecheck/buf.h"
#include "lifecheck/bug.h"
#include "lifecheck/utf8.h"

#include <stdlib.h>
#include <string.h>

typedef struct stack {
    char *bytes;
    size_t used, capacity;
} stack;

typedef struct scanner {
    lc_str file, text;
    size_t at;
    lc_arena *arena;
    const lc_limits *limits;
    lc_diags *diags;
    size_t depth, nodes;
    stack pending;  /* members or items of containers that are still open */
    bool last_wins; /* of equal keys, instead of an error */
    lc_status status;
} scanner;

static bool fail_at(scanner *s, size_t at, const char *message)
{
    s->status = LC_EINPUT;
    lc_diag_error(s->diags, lc_loc_at(s->file, s->text, at), "%s", message);
    return false;
}

static bool over_limit(scanner *s, const char *message)
{
    fail_at(s, s->at, message);
    s->status = LC_ELIMIT;
    return false;
}

static void skip_space(scanner *s)
{
    while (s->at < s->text.len) {
        char c = s->text.ptr[s->at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
            return;
        s->at++;
    }
}

static int peek(const scanner *s)
{
    return s->at < s->text.len ? (unsigned char)s->text.ptr[s->at] : -1;
}

/* ---- Strings. */

static bool hex4(scanner *s, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        int digit = lc_hex_digit(peek(s));
        if (digit < 0)
            return fail_at(s, s->at, "\\u must be followed by four hexadecimal digits");
        *out = *out << 4 | (uint32_t)digit;
        s->at++;
    }
    return true;
}

static bool unicode_escape(scanner *s, lc_buf *out)
{
    uint32_t rune, low;
    if (!hex4(s, &rune))
        return false;
    if (rune >= 0xD800 && rune <= 0xDFFF) {
        size_t back = s->at;
        bool paired = rune < 0xDC00 && s->at + 1 < s->text.len && s->text.ptr[s->at] == '\\' &&
                      s->text.ptr[s->at + 1] == 'u';
        if (paired) {
            s->at += 2;
            if (!hex4(s, &low))
                return false;
            paired = low >= 0xDC00 && low <= 0xDFFF;
        }
        if (!paired)
            s->at = back;
        rune = paired ? 0x10000 + ((rune - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
    }
    char bytes[4];
    lc_buf_add(out, bytes, lc_utf8_put(bytes, rune));
    return true;
}

static bool escape(scanner *s, lc_buf *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    s->at++;
    int c = peek(s);
    if (c == 'u') {
        s->at++;
        return unicode_escape(s, out);
    }
    const char *found = c > 0 ? memchr(from, c, sizeof from - 1) : NULL;
    if (!found)
        return fail_at(s, s->at - 1, "this escape is not one of JSON");
    lc_buf_add_char(out, to[found - from]);
    s->at++;
    return true;
}

/* To the end of a run of plain characters. */
static void skip_plain(scanner *s)
{
    while (s->at < s->text.len) {
        unsigned char c = (unsigned char)s->text.ptr[s->at];
        if (c == '"' || c == '\\' || c < 0x20)
            return;
        s->at++;
    }
}

static bool string_end(scanner *s, size_t opening)
{
    int c = peek(s);
    if (c == '"')
        return true;
    if (c < 0)
        return fail_at(s, opening, "this string is never closed");
    return fail_at(s, s->at, "a control character in a string must be written as an escape");
}

static bool lc_json_scan_string(scanner *s, lc_str *out)
{
    size_t opening = s->at++, from = s->at;
    skip_plain(s);
    if (peek(s) != '\\') {
        if (!string_end(s, opening))
            return false;
        *out = lc_str_sub(s->text, from, s->at++);
        return true;
    }
    lc_buf buf = {0};
    bool ok = true;
    while (ok && peek(s) != '"') {
        lc_buf_add(&buf, s->text.ptr + from, s->at - from);
        ok = peek(s) == '\\' ? escape(s, &buf) : string_end(s, opening);
        from = s->at;
        skip_plain(s);
    }
    if (ok) {
        lc_buf_add(&buf, s->text.ptr + from, s->at - from);
        s->at++;
        *out = lc_buf_copy(s->arena, &buf);
    }
    lc_buf_release(&buf);
    return ok;
}

/* ---- Numbers and words. */

static size_t digits(scanner *s)
{
    size_t from = s->at;
    while (lc_is_digit(peek(s)))
        s->at++;
    return s->at - from;
}

static bool lc_json_scan_number(scanner *s, lc_str *out)
{
    size_t from = s->at;
    if (peek(s) == '-')
        s->at++;
    size_t whole_from = s->at, whole = digits(s);
    if (whole == 0)
        return fail_at(s, from, "a value is expected here");
    if (whole > 1 && s->text.ptr[whole_from] == '0')
        return fail_at(s, from, "a number must not begin with a zero");
    if (peek(s) == '.') {
        s->at++;
        if (digits(s) == 0)
            return fail_at(s, s->at, "digits are expected after the decimal point");
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        if (peek(s) == '+' || peek(s) == '-')
            s->at++;
        if (digits(s) == 0)
            return fail_at(s, s->at, "digits are expected in the exponent");
    }
    *out = lc_str_sub(s->text, from, s->at);
    if (out->len > s->limits->digits)
        return over_limit(s, "this number has too many digits");
    return true;
}

static bool lc_json_scan_word(scanner *s, const char *word)
{
    size_t len = strlen(word);
    if (s->text.len - s->at < len || memcmp(s->text.ptr + s->at, word, len) != 0)
        return fail_at(s, s->at, "a value is expected here");
    s->at += len;
    return true;
}

/* ---- Containers. */

static void push(scanner *s, const void *item, size_t size)
{
    stack *p = &s->pending;
    if (p->capacity - p->used < size) {
        p->capacity = p->capacity ? lc_mul_size(p->capacity, 2) : 4096;
        while (p->capacity - p->used < size)
            p->capacity = lc_mul_size(p->capacity, 2);
        p->bytes = lc_heap_resize(p->bytes, p->capacity);
    }
    memcpy(p->bytes + p->used, item, size);
    p->used += size;
}

/* The children above `mark`, copied into the arena. */
static void *pop(scanner *s, size_t mark)
{
    size_t size = s->pending.used - mark;
    void *items = lc_arena_alloc(s->arena, size);
    if (size)
        memcpy(items, s->pending.bytes + mark, size);
    s->pending.used = mark;
    return items;
}

static bool scan_value(scanner *s, lc_node *out);

static bool enter(scanner *s)
{
    s->at++;
    if (++s->depth > s->limits->json_depth)
        return over_limit(s, "this is nested too deeply");
    return true;
}

/* After an element: true if another one follows. `close` was seen when *done. */
static bool more(scanner *s, char close, bool *done)
{
    skip_space(s);
    *done = peek(s) == close;
    if (*done || peek(s) == ',') {
        s->at++;
        return !*done;
    }
    return fail_at(s, s->at,
                   close == '}' ? "',' or '}' is expected here" : "',' or ']' is expected here");
}

static bool scan_array(scanner *s, lc_node *out)
{
    size_t mark = s->pending.used, count = 0;
    if (!enter(s))
        return false;
    skip_space(s);
    bool done = peek(s) == ']';
    if (done)
        s->at++;
    while (!done) {
        lc_node item;
        if (!scan_value(s, &item))
            return false;
        push(s, &item, sizeof item);
        count++;
        if (!more(s, ']', &done) && !done)
            return false;
    }
    s->depth--;
    out->kind = LC_NODE_SEQUENCE;
    out->count = (uint32_t)count;
    out->as.items = pop(s, mark);
    return true;
}

static bool scan_member(scanner *s, lc_member *out)
{
    skip_space(s);
    out->where = s->at;
    if (peek(s) != '"')
        return fail_at(s, s->at, "a quoted name is expected here");
    if (!lc_json_scan_string(s, &out->key))
        return false;
    skip_space(s);
    if (peek(s) != ':')
        return fail_at(s, s->at, "':' is expected after a name");
    s->at++;
    return scan_value(s, &out->value);
}

static int by_key(const void *a, const void *b)
{
    const lc_member *const *x = a, *const *y = b;
    int order = lc_str_cmp((*x)->key, (*y)->key);
    return order ? order : ((*x)->where > (*y)->where) - ((*x)->where < (*y)->where);
}

static bool repeated(scanner *s, const lc_member *first, const lc_member *second)
{
    lc_loc before = lc_loc_at(s->file, s->text, (size_t)first->where);
    s->status = LC_EINPUT;
    lc_diag_error(s->diags, lc_loc_at(s->file, s->text, (size_t)second->where),
                  "duplicate key \"%.*s\", first given in line %u", LC_FMT(second->key),
                  before.line);
    return false;
}

static bool check_distinct(scanner *s, const lc_member *members, size_t count)
{
    if (count <= 12) {
        for (size_t i = 1; i < count; i++) {
            for (size_t k = 0; k < i; k++) {
                if (lc_str_eq(members[i].key, members[k].key))
                    return repeated(s, &members[k], &members[i]);
            }
        }
        return true;
    }
    const lc_member **order = lc_heap_alloc(lc_mul_size(count, sizeof *order));
    for (size_t i = 0; i < count; i++)
        order[i] = &members[i];
    qsort(order, count, sizeof *order, by_key);
    bool ok = true;
    for (size_t i = 1; i < count && ok; i++) {
        if (lc_str_eq(order[i - 1]->key, order[i]->key))
            ok = repeated(s, order[i - 1], order[i]);
    }
    lc_heap_free(order);
    return ok;
}

/* Of members with one key the last stays, in its place. */
static void drop_repeated(scanner *s, lc_member *members, uint32_t *count)
{
    const lc_member **order = lc_heap_alloc(lc_mul_size(*count + 1u, sizeof *order));
    bool *dropped = lc_heap_alloc(lc_add_size(*count, 1));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        order[i] = &members[i];
        dropped[i] = false;
    }
    if (*count)
        qsort(order, *count, sizeof *order, by_key);
    for (uint32_t i = 1; i < *count; i++) {
        if (!lc_str_eq(order[i - 1]->key, order[i]->key))
            continue;
        dropped[order[i - 1] - members] = true;
        if (s->diags->count >= LC_MAX_DIAGS) /* a place costs time, and nobody would see it */
            continue;
        lc_diag_warning(s->diags, lc_loc_at(s->file, s->text, (size_t)order[i]->where),
                        "duplicate key \"%.*s\"; the last one counts", LC_FMT(order[i]->key));
    }
    for (uint32_t i = 0; i < *count; i++) {
        if (!dropped[i])
            members[kept++] = members[i];
    }
    *count = kept;
    lc_heap_free(order);
    lc_heap_free(dropped);
}

static bool scan_object(scanner *s, lc_node *out)
{
    size_t mark = s->pending.used, count = 0;
    if (!enter(s))
        return false;
    skip_space(s);
    bool done = peek(s) == '}';
    if (done)
        s->at++;
    while (!done) {
        lc_member member;
        if (!scan_member(s, &member))
            return false;
        push(s, &member, sizeof member);
        count++;
        if (!more(s, '}', &done) && !done)
            return false;
    }
    s->depth--;
    out->kind = LC_NODE_MAPPING;
    out->count = (uint32_t)count;
    lc_member *members = pop(s, mark);
    out->as.members = members;
    if (!s->last_wins)
        return check_distinct(s, members, count);
    drop_repeated(s, members, &out->count);
    return true;
}

static bool scan_value(scanner *s, lc_node *out)
{
    skip_space(s);
    *out = (lc_node){.style = LC_STYLE_JSON, .where = s->at};
    if (++s->nodes > s->limits->nodes)
        return over_limit(s, "the document has too many values");
    switch (peek(s)) {
    case '{':
        return scan_object(s, out);
    case '[':
        return scan_array(s, out);
    case '"':
        out->kind = LC_NODE_STRING;
        return lc_json_scan_string(s, &out->as.text);
    case 't':
    case 'f':
        out->kind = LC_NODE_BOOL;
        out->boolean = peek(s) == 't';
        out->as.text = out->boolean ? LC_STR("true") : LC_STR("false");
        return lc_json_scan_word(s, out->boolean ? "true" : "false");
    case 'n':
        out->kind = LC_NODE_NULL;
        out->as.text = LC_STR("null");
        return lc_json_scan_word(s, "null");
    default:
        out->kind = LC_NODE_NUMBER;
        return lc_json_scan_number(s, &out->as.text);
    }
}

static bool check_text(scanner *s)
{
    size_t bad = lc_utf8_first_bad(s->text);
    if (bad < s->text.len)
        return fail_at(s, bad, "this byte is not UTF-8");
    if (lc_str_starts_with(s->text, LC_STR("\xEF\xBB\xBF")))
        s->at = 3;
    return true;
}

static lc_status parse(lc_source *out, scanner *s, bool whole)
{
    lc_node root;
    bool ok = scan_value(s, &root);
    if (ok && whole) {
        skip_space(s);
        if (s->at < s->text.len)
            ok = fail_at(s, s->at, "there is text after the end of the document");
    }
    lc_heap_free(s->pending.bytes);
    if (!ok)
        return s->status;
    out->documents = LC_NEW(s->arena, lc_node);
    out->documents[0] = root;
    out->count = 1;
    return LC_OK;
}

lc_status lc_json_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                        const lc_limits *limits, lc_diags *diags)
{
    *out = (lc_source){.file = file, .text = text, .json = true};
    scanner s = {.file = file, .text = text, .arena = arena, .limits = limits, .diags = diags};
    if (!check_text(&s))
        return s.status;
    return parse(out, &s, true);
}

lc_status lc_json_parse_last(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                             const lc_limits *limits, lc_diags *diags)
{
    *out = (lc_source){.file = file, .text = text, .json = true};
    scanner s = {.file = file,
                 .text = text,
                 .arena = arena,
                 .limits = limits,
                 .diags = diags,
                 .last_wins = true};
    if (!check_text(&s))
        return s.status;
    return parse(out, &s, true);
}

/* ---- Index mode. */

/* Over one value without building it; strings and brackets are checked, words are not. */
static bool skip_value(scanner *s)
{
    skip_space(s);
    size_t depth = 0;
    do {
        lc_str ignored;
        switch (peek(s)) {
        case -1:
            return fail_at(s, s->at, "the document ends in the middle of a value");
        case '"':
            s->at++;
            skip_plain(s);
            while (peek(s) == '\\') {
                s->at += 2;
                skip_plain(s);
            }
            if (peek(s) != '"')
                return fail_at(s, s->at < s->text.len ? s->at : s->text.len,
                               "this string is never closed");
            s->at++;
            break;
        case '{':
        case '[':
            if (++depth > s->limits->json_depth)
                return over_limit(s, "this is nested too deeply");
            s->at++;
            break;
        case '}':
        case ']':
            if (depth == 0)
                return fail_at(s, s->at, "a value is expected here");
            depth--;
            s->at++;
            break;
        case 't':
            if (!lc_json_scan_word(s, "true"))
                return false;
            break;
        case 'f':
            if (!lc_json_scan_word(s, "false"))
                return false;
            break;
        case 'n':
            if (!lc_json_scan_word(s, "null"))
                return false;
            break;
        default:
            if (!lc_json_scan_number(s, &ignored))
                return false;
        }
        if (depth == 0)
            return true;
        skip_space(s);
        while (peek(s) == ',' || peek(s) == ':') {
            s->at++;
            skip_space(s);
        }
    } while (true);
}

lc_status lc_json_each_member(lc_str file, lc_str text, lc_json_range object,
                              bool (*member)(void *context, lc_str key, size_t key_at,
                                             lc_json_range value),
                              void *context, lc_arena *arena, lc_diags *diags)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    scanner s = {.file = file,
                 .text = {text.ptr, object.to},
                 .at = object.from,
                 .arena = arena,
                 .limits = &limits,
                 .diags = diags};
    if (s.at == 0 && lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF")))
        s.at = 3;
    skip_space(&s);
    if (peek(&s) != '{') {
        fail_at(&s, s.at, "an object is expected here");
        return s.status;
    }
    s.at++;
    skip_space(&s);
    bool done = peek(&s) == '}';
    while (!done) {
        skip_space(&s);
        size_t key_at = s.at;
        lc_str key;
        if (peek(&s) != '"' ? !fail_at(&s, s.at, "a quoted name is expected here")
                            : !lc_json_scan_string(&s, &key))
            return s.status;
        skip_space(&s);
        if (peek(&s) != ':') {
            fail_at(&s, s.at, "':' is expected after a name");
            return s.status;
        }
        s.at++;
        skip_space(&s);
        lc_json_range value = {s.at, 0};
        if (!skip_value(&s))
            return s.status;
        value.to = s.at;
        if (!member(context, key, key_at, value))
            return LC_OK;
        if (!more(&s, '}', &done) && !done)
            return s.status;
    }
    return LC_OK;
}

lc_status lc_json_parse_range(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                              lc_json_range range, const lc_limits *limits, lc_diags *diags)
{
    *out = (lc_source){.file = file, .text = text, .json = true};
    scanner s = {.file = file,
                 .text = {text.ptr, range.to},
                 .at = range.from,
                 .arena = arena,
                 .limits = limits,
                 .diags = diags};
    lc_str part = lc_str_sub(text, range.from, range.to);
    size_t bad = lc_utf8_first_bad(part);
    if (bad < part.len) {
        fail_at(&s, range.from + bad, "this byte is not UTF-8");
        return s.status;
    }
    return parse(out, &s, true);
}
