/* JSON text to nodes: strict RFC 8259, strings with their length, numbers as literal text, byte
 * offsets. Recursion is bounded by the depth limit. Children are collected on a stack and copied
 * once their container ends, so that each container is one array. */
#include "yaml_json/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/yaml_json/json_lexer.h"

#include <stdlib.h>
#include <string.h>

typedef struct stack {
    char *bytes;
    size_t used, capacity;
} stack;

typedef struct scanner {
    lc_json_lexer in;
    lc_str file, text; /* text: up to the end of the part that is read */
    lc_diags *diags;
    size_t depth, nodes;
    size_t open;    /* offset of the innermost bracket that is open, while depth > 0 */
    size_t comma;   /* offset of the last comma between items */
    stack pending;  /* members or items of containers that are still open */
    bool last_wins; /* of equal keys, instead of an error */
    bool certain;   /* the fault is one of JSON's, also in a string that might be YAML */
    lc_status status;
} scanner;

static scanner scanner_over(lc_arena *arena, lc_str file, lc_str text, lc_json_range range,
                            const lc_limits *limits, lc_diags *diags)
{
    text.len = range.to;
    scanner s = {.in = lc_json_lexer_over(text, arena), .file = file, .text = text, .diags = diags};
    s.in.at += range.from;
    s.in.limits = limits;
    return s;
}

static bool fail_at(scanner *s, size_t at, const char *message)
{
    s->status = LC_EINPUT;
    lc_diag_error(s->diags, lc_loc_at(s->file, s->text, at), "%s", message);
    return false;
}

static size_t here(const scanner *s)
{
    return lc_json_lex_offset(&s->in);
}

static bool fail_here(scanner *s, const char *message)
{
    return fail_at(s, here(s), message);
}

static bool over_limit(scanner *s, const char *message)
{
    fail_here(s, message);
    s->status = LC_ELIMIT;
    return false;
}

static int peek(const scanner *s)
{
    return lc_json_lex_peek(&s->in);
}

/* The next byte after white space. */
static int next(scanner *s)
{
    lc_json_lex_space(&s->in);
    return peek(s);
}

/* ---- Usual mistakes, named instead of what the grammar needs. */

/* The text ends in a container. The next bracket to close is the innermost one. */
static bool fail_at_end(scanner *s)
{
    s->certain = s->depth > 0;
    if (s->depth == 0)
        return fail_here(s, s->text.len ? "a value is expected, but the file ends here"
                                        : "the file is empty");
    lc_loc open = lc_loc_at(s->file, s->text, s->open);
    s->status = LC_EINPUT;
    lc_diag_error(s->diags, lc_loc_at(s->file, s->text, here(s)),
                  "the file ends here, but the '%c' of line %u, column %u is not closed: is the "
                  "file cut off?",
                  s->text.ptr[s->open], open.line, open.column);
    return false;
}

static bool begins(const scanner *s, const char *word)
{
    size_t len = strlen(word);
    return (size_t)(s->in.end - s->in.at) >= len && memcmp(s->in.at, word, len) == 0;
}

/* What other languages have instead of a name or value, or NULL. */
static const char *foreign_token(scanner *s)
{
    static const char *const words[][2] = {
        {"None", "JSON writes null"},      {"nil", "JSON writes null"},
        {"True", "JSON writes true"},      {"False", "JSON writes false"},
        {"undefined", "JSON writes null"}, {"NaN", "JSON has no NaN"},
    };
    if (begins(s, "//") || begins(s, "/*") || begins(s, "#")) {
        s->certain = *s->in.at == '/';
        return "JSON has no comments: remove this one, or write YAML in a file named .yaml";
    }
    if (begins(s, "'"))
        return "JSON has double quotes only: write \" instead of '";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (begins(s, words[i][0]))
            return words[i][1];
    }
    return NULL;
}

/* There is something other than `message` names. */
static bool fail_expected(scanner *s, const char *message)
{
    if (peek(s) < 0)
        return fail_at_end(s);
    const char *foreign = foreign_token(s);
    if (!foreign && s->depth == 0 && !lc_begins_like_json(s->text))
        message = "this is not JSON, which begins with { or [; is it the right file?";
    return fail_here(s, foreign ? foreign : message);
}

static bool fail_comma(scanner *s, char close)
{
    return fail_at(s, s->comma,
                   close == '}' ? "a comma before '}' is not allowed in JSON: remove it"
                                : "a comma before ']' is not allowed in JSON: remove it");
}

/* ---- Tokens. */

/* A string that ends with its line: the quote is missing far before the line break. */
static bool is_open_string(const lc_json_lexer *in)
{
    bool line_break = in->fault == LC_JSON_CONTROL && (*in->at == '\n' || *in->at == '\r');
    return line_break || in->fault == LC_JSON_OPEN_STRING;
}

/* Report what the lexer has found. */
static bool refuse_token(scanner *s)
{
    static const struct {
        const char *message;
        bool begin; /* the place is where the string, escape or number begins */
    } faults[] = {
        [LC_JSON_OPEN_STRING] = {"this string is never closed", true},
        [LC_JSON_CONTROL] = {"a control character in a string must be written as an escape", false},
        [LC_JSON_BAD_ESCAPE] = {"this escape is not one of JSON", true},
        [LC_JSON_BAD_HEX] = {"\\u must be followed by four hexadecimal digits", false},
        [LC_JSON_NO_DIGIT] = {"a value is expected here", true},
        [LC_JSON_ZERO_FIRST] = {"a number must not begin with a zero", true},
        [LC_JSON_NO_FRACTION] = {"digits are expected after the decimal point", false},
        [LC_JSON_NO_EXPONENT] = {"digits are expected in the exponent", false},
        [LC_JSON_LONG_NUMBER] = {"this number has too many digits", false},
        [LC_JSON_OTHER_WORD] = {"a value is expected here", true},
        [LC_JSON_NO_VALUE] = {"a value is expected here", true},
        [LC_JSON_CUT_OFF] = {"the document ends in the middle of a value", true},
        [LC_JSON_TOO_DEEP] = {"this is nested too deeply; the limit for JSON is fixed", true},
    };
    lc_json_fault fault = is_open_string(&s->in) ? LC_JSON_OPEN_STRING : s->in.fault;
    if (fault == LC_JSON_NO_DIGIT || fault == LC_JSON_OTHER_WORD) {
        s->in.at = s->in.fault_from;
        return fail_expected(s, "a value is expected here");
    }
    const char *at = faults[fault].begin ? s->in.fault_from : s->in.at;
    fail_at(s, (size_t)(at - s->in.start), faults[fault].message);
    if (fault == LC_JSON_LONG_NUMBER || fault == LC_JSON_TOO_DEEP)
        s->status = LC_ELIMIT;
    return false;
}

static bool scan_string(scanner *s, lc_str *out)
{
    return lc_json_lex_string(&s->in, out) || refuse_token(s);
}

static bool scan_word(scanner *s, const char *word)
{
    return lc_json_lex_word(&s->in, word) || refuse_token(s);
}

/* ---- Containers. */

/* Room for a node or member, whose offset stays while the stack moves. It is filled where it is:
 * copying what was just written field by field would wait for each field. */
static size_t push(scanner *s, size_t size)
{
    stack *p = &s->pending;
    if (p->capacity - p->used < size) {
        p->capacity = p->capacity ? lc_mul_size(p->capacity, 2) : 4096;
        p->bytes = lc_heap_resize(p->bytes, p->capacity);
    }
    p->used += size;
    return p->used - size;
}

static lc_node *node_at(const scanner *s, size_t at)
{
    return (lc_node *)(void *)(s->pending.bytes + at);
}

/* The children above `mark`, copied into the arena. */
static void *pop(scanner *s, size_t mark)
{
    size_t size = s->pending.used - mark;
    void *items = lc_arena_alloc(s->in.arena, size);
    if (size)
        memcpy(items, s->pending.bytes + mark, size);
    s->pending.used = mark;
    return items;
}

/* Into the node at the offset `at` of the stack. */
static bool scan_value(scanner *s, size_t at);

/* The container that is entered becomes the innermost; *outer is to be restored after it. */
static bool enter(scanner *s, size_t *outer)
{
    *outer = s->open;
    s->open = here(s);
    s->in.at++;
    if (++s->depth > s->in.limits->json_depth)
        return over_limit(s, "this is nested too deeply; the limit for JSON is fixed");
    return true;
}

static bool more(scanner *s, lc_json_items *items)
{
    bool begun = items->begun;
    if (lc_json_lex_more(&s->in, items)) {
        s->comma = here(s) - 1;
        items->failed = begun && next(s) == items->close && !fail_comma(s, items->close);
        return !items->failed;
    }
    int c = peek(s);
    bool value = c == '"' || c == '{' || c == '[';
    if (items->failed && items->close == '}')
        fail_expected(s, value ? "a comma is missing before this: ',' or '}' is expected here"
                               : "',' or '}' is expected here");
    else if (items->failed)
        fail_expected(s, value ? "a comma is missing before this: ',' or ']' is expected here"
                               : "',' or ']' is expected here");
    return false;
}

static bool scan_array(scanner *s, size_t at)
{
    size_t mark = s->pending.used, count = 0, outer;
    lc_json_items items = {.close = ']'};
    if (!enter(s, &outer))
        return false;
    while (more(s, &items)) {
        if (!scan_value(s, push(s, sizeof(lc_node))))
            return false;
        count++;
    }
    if (items.failed)
        return false;
    s->depth--;
    s->open = outer;
    lc_node *out = node_at(s, at);
    out->kind = LC_NODE_SEQUENCE;
    out->count = (uint32_t)count;
    out->as.items = pop(s, mark);
    return true;
}

/* A name and the colon. */
static bool scan_key(scanner *s, lc_str *key, size_t *where)
{
    int c = next(s);
    *where = here(s);
    if (c != '"')
        return fail_expected(s, lc_is_letter(c) || c == '_'
                                    ? "a name needs double quotes in JSON, as in \"name\""
                                    : "a quoted name is expected here");
    if (!scan_string(s, key))
        return false;
    if (next(s) != ':')
        return fail_expected(s, "':' is expected after a name");
    s->in.at++;
    return true;
}

static bool scan_member(scanner *s)
{
    size_t where, at = push(s, sizeof(lc_member));
    lc_str key;
    if (!scan_key(s, &key, &where))
        return false;
    lc_member *out = (lc_member *)(void *)(s->pending.bytes + at);
    out->key = key;
    out->where = where;
    return scan_value(s, at + offsetof(lc_member, value));
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

/* The members in order of their keys, equal ones in order of the text. On the heap. */
static const lc_member **sorted(const lc_member *members, size_t count)
{
    const lc_member **order = lc_heap_alloc(lc_mul_size(count + 1, sizeof *order));
    for (size_t i = 0; i < count; i++)
        order[i] = &members[i];
    if (count)
        qsort(order, count, sizeof *order, by_key);
    return order;
}

/* Programs sort the keys of what is a map to them. */
static bool are_ascending(const lc_member *members, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (lc_str_cmp(members[i - 1].key, members[i].key) >= 0)
            return false;
    }
    return true;
}

static bool check_distinct(scanner *s, const lc_member *members, size_t count)
{
    if (are_ascending(members, count))
        return true;
    if (count <= 12) {
        for (size_t i = 1; i < count; i++) {
            for (size_t k = 0; k < i; k++) {
                if (lc_str_eq(members[i].key, members[k].key))
                    return repeated(s, &members[k], &members[i]);
            }
        }
        return true;
    }
    const lc_member **order = sorted(members, count);
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
    const lc_member **order = sorted(members, *count);
    bool *dropped = lc_heap_alloc(lc_add_size(*count, 1));
    uint32_t kept = 0;
    memset(dropped, 0, *count);
    for (uint32_t i = 1; i < *count; i++) {
        if (!lc_str_eq(order[i - 1]->key, order[i]->key))
            continue;
        dropped[order[i - 1] - members] = true;
        if (s->diags->count >= LC_MAX_DIAGS) /* not shown; a place costs time */
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

static bool scan_object(scanner *s, size_t at)
{
    size_t mark = s->pending.used, count = 0, outer;
    lc_json_items items = {.close = '}'};
    if (!enter(s, &outer))
        return false;
    while (more(s, &items)) {
        if (!scan_member(s))
            return false;
        count++;
    }
    if (items.failed)
        return false;
    s->depth--;
    s->open = outer;
    lc_node *out = node_at(s, at);
    out->kind = LC_NODE_MAPPING;
    out->count = (uint32_t)count;
    lc_member *members = pop(s, mark);
    out->as.members = members;
    if (!s->last_wins)
        return check_distinct(s, members, count);
    drop_repeated(s, members, &out->count);
    return true;
}

static bool scan_value(scanner *s, size_t at)
{
    int c = next(s);
    lc_node *out = node_at(s, at);
    *out = (lc_node){.style = LC_STYLE_JSON, .where = here(s)};
    if (c < 0)
        return fail_at_end(s);
    if (++s->nodes > s->in.limits->nodes)
        return over_limit(s, s->in.limits->by_user
                                 ? "the document has too many values; --max-nodes raises the limit"
                                 : "the document has too many values: make it smaller");
    switch (c) {
    case '{':
        return scan_object(s, at);
    case '[':
        return scan_array(s, at);
    case '"':
        out->kind = LC_NODE_STRING;
        return scan_string(s, &out->as.text);
    case 't':
    case 'f':
        out->kind = LC_NODE_BOOL;
        out->boolean = c == 't';
        out->as.text = out->boolean ? LC_STR("true") : LC_STR("false");
        return scan_word(s, out->boolean ? "true" : "false");
    case 'n':
        out->kind = LC_NODE_NULL;
        out->as.text = LC_STR("null");
        return scan_word(s, "null");
    default:
        out->kind = LC_NODE_NUMBER;
        return lc_json_lex_number(&s->in, &out->as.text) || refuse_token(s);
    }
}

static lc_status parse(lc_source *out, scanner *s)
{
    bool ok = scan_value(s, push(s, sizeof(lc_node)));
    if (ok && next(s) >= 0)
        ok = fail_expected(s, "there is more after the end of the document: remove it, or give a "
                              "file with one JSON document");
    if (ok) {
        out->documents = pop(s, 0);
        out->count = 1;
    }
    lc_heap_free(s->pending.bytes);
    return ok ? LC_OK : s->status;
}

/* The lexer relies on UTF-8; all of the part is checked first. */
static bool check_utf8(scanner *s)
{
    lc_str part = {s->in.at, (size_t)(s->in.end - s->in.at)};
    size_t bad = lc_utf8_first_bad(part);
    return bad == part.len ||
           fail_at(s, here(s) + bad, "this byte is not UTF-8: save the file as UTF-8");
}

static void skip_mark(scanner *s)
{
    if (lc_str_starts_with(s->text, LC_STR("\xEF\xBB\xBF")))
        s->in.at += 3;
}

/* The input and the result of parse_text. */
typedef struct parsing {
    bool last_wins, certain;
} parsing;

static lc_status parse_text(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                            const lc_limits *limits, lc_diags *diags, parsing *how)
{
    *out = (lc_source){.file = file, .text = text, .json = true};
    scanner s = scanner_over(arena, file, text, (lc_json_range){0, text.len}, limits, diags);
    s.last_wins = how->last_wins;
    if (!check_utf8(&s))
        return s.status;
    skip_mark(&s);
    lc_status status = parse(out, &s);
    how->certain = s.certain;
    return status;
}

lc_status lc_json_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                        const lc_limits *limits, lc_diags *diags)
{
    return parse_text(out, arena, file, text, limits, diags, &(parsing){0});
}

lc_status lc_json_try(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                      const lc_limits *limits, lc_diags *diags, bool *certain)
{
    parsing how = {0};
    lc_status status = parse_text(out, arena, file, text, limits, diags, &how);
    *certain = how.certain;
    return status;
}

lc_status lc_json_parse_last(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                             const lc_limits *limits, lc_diags *diags)
{
    return parse_text(out, arena, file, text, limits, diags, &(parsing){.last_wins = true});
}

/* ---- Index mode. */

lc_status lc_json_each_member(lc_str file, lc_str text, lc_json_range object,
                              bool (*member)(void *context, lc_str key, size_t key_at,
                                             lc_json_range value),
                              void *context, lc_arena *arena, lc_diags *diags)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    scanner s = scanner_over(arena, file, text, object, &limits, diags);
    if (object.from == 0)
        skip_mark(&s);
    if (next(&s) != '{') {
        fail_here(&s, "an object is expected here");
        return s.status;
    }
    s.open = here(&s);
    s.depth = 1;
    s.in.at++;
    lc_json_items items = {.close = '}'};
    while (more(&s, &items)) {
        lc_str key, value;
        size_t key_at;
        if (!scan_key(&s, &key, &key_at))
            return s.status;
        if (!lc_json_lex_skip(&s.in, &value)) {
            refuse_token(&s);
            return s.status;
        }
        lc_json_range range = {here(&s) - value.len, here(&s)};
        if (!member(context, key, key_at, range))
            return LC_OK;
    }
    return items.failed ? s.status : LC_OK;
}

lc_status lc_json_parse_range(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                              lc_json_range range, const lc_limits *limits, lc_diags *diags)
{
    *out = (lc_source){.file = file, .text = text, .json = true};
    scanner s = scanner_over(arena, file, text, range, limits, diags);
    return check_utf8(&s) ? parse(out, &s) : s.status;
}
