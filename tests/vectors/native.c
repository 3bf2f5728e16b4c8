/* Native syntax to the shape of JSON syntax, as far as the recordings need it: blocks with labels,
 * arguments on lines of their own, expressions taken as they are written. */
#include "native.h"

#include "lifecheck/arena.h"

#include <string.h>

typedef struct reader {
    lc_arena *arena;
    lc_str text;
    size_t at;
    uint64_t where;
    bool bad;
} reader;

typedef struct members {
    LC_VEC(lc_member) list;
} members;

static lc_node body(reader *r, unsigned depth);

static void skip(reader *r, bool lines)
{
    while (r->at < r->text.len) {
        char c = r->text.ptr[r->at];
        if (c == '#') {
            while (r->at < r->text.len && r->text.ptr[r->at] != '\n')
                r->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
            r->at++;
        } else {
            return;
        }
    }
}

static char peek(const reader *r)
{
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_-.", c));
}

static lc_str word(reader *r)
{
    size_t from = r->at;
    while (in_word(peek(r)))
        r->at++;
    return lc_str_sub(r->text, from, r->at);
}

static lc_str quoted(reader *r)
{
    size_t from = ++r->at;
    while (r->at < r->text.len && peek(r) != '"')
        r->at++;
    return lc_str_sub(r->text, from, r->at++);
}

static lc_node text_node(const reader *r, lc_str text)
{
    return (lc_node){
        .kind = LC_NODE_STRING, .style = LC_STYLE_QUOTED, .where = r->where, .as.text = text};
}

static lc_node mapping(const reader *r, const members *m)
{
    return (lc_node){.kind = LC_NODE_MAPPING,
                     .count = (uint32_t)m->list.count,
                     .where = r->where,
                     .as.members = m->list.items};
}

static void put(reader *r, members *m, lc_str key, lc_node value)
{
    *LC_PUSH(r->arena, &m->list, lc_member) = (lc_member){key, r->where, value};
}

/* To the end of the line, or of the brackets that it opens. */
static lc_str expression(reader *r)
{
    size_t from = r->at;
    int open = 0;
    for (; r->at < r->text.len && (open > 0 || peek(r) != '\n'); r->at++) {
        if (strchr("([{", peek(r)))
            open++;
        else if (strchr(")]}", peek(r)))
            open--;
    }
    size_t to = r->at;
    while (to > from && strchr(" \t\r", r->text.ptr[to - 1]))
        to--;
    return lc_str_sub(r->text, from, to);
}

static bool is_reference(lc_str name)
{
    return lc_str_is(name, "provider") || lc_str_is(name, "from") || lc_str_is(name, "to");
}

/* { NAME = REFERENCE ... } */
static lc_node passed(reader *r)
{
    members m = {0};
    r->at++;
    for (skip(r, true); peek(r) && peek(r) != '}'; skip(r, true)) {
        lc_str key = word(r);
        skip(r, false);
        if (!key.len || peek(r) != '=') {
            r->bad = true;
            break;
        }
        r->at++;
        skip(r, false);
        put(r, &m, key, text_node(r, expression(r)));
    }
    r->at++;
    return mapping(r, &m);
}

static lc_node argument(reader *r, lc_str name)
{
    bool text = peek(r) == '"';
    if (lc_str_is(name, "providers") && peek(r) == '{')
        return passed(r);
    lc_str written = expression(r);
    /* A text alone, and a reference that is quoted, is what stands within. */
    bool plain = text && written.len >= 2 && !memchr(written.ptr + 1, '"', written.len - 2);
    if (plain)
        return text_node(r, lc_str_sub(written, 1, written.len - 1));
    if (is_reference(name))
        return text_node(r, written);
    return text_node(r, lc_str_printf(r->arena, "${%.*s}", LC_FMT(written)));
}

static lc_node block(reader *r, unsigned depth)
{
    lc_str labels[2];
    size_t count = 0;
    for (skip(r, false); peek(r) == '"' && count < 2; skip(r, false))
        labels[count++] = quoted(r);
    if (peek(r) != '{') {
        r->bad = true;
        return (lc_node){.kind = LC_NODE_NULL};
    }
    r->at++;
    lc_node inner = body(r, depth + 1);
    r->at++;
    while (count > 0) {
        members m = {0};
        put(r, &m, labels[--count], inner);
        inner = mapping(r, &m);
    }
    return inner;
}

/* Blocks of one kind may stand anywhere: each is an item of an array. */
static void put_block(reader *r, members *m, lc_str kind, lc_node inner)
{
    for (size_t i = 0; i < m->list.count; i++) {
        lc_node *list = &m->list.items[i].value;
        if (!lc_str_eq(m->list.items[i].key, kind))
            continue;
        lc_node *items = LC_NEW_ARRAY(r->arena, lc_node, list->count + 1);
        memcpy(items, list->as.items, list->count * sizeof *items);
        items[list->count++] = inner;
        list->as.items = items;
        return;
    }
    lc_node *one = LC_NEW_ARRAY(r->arena, lc_node, 1);
    one[0] = inner;
    put(r, m, kind,
        (lc_node){.kind = LC_NODE_SEQUENCE, .count = 1, .where = r->where, .as.items = one});
}

static lc_node body(reader *r, unsigned depth)
{
    members m = {0};
    for (skip(r, true); peek(r) && peek(r) != '}' && !r->bad; skip(r, true)) {
        lc_str name = word(r);
        skip(r, false);
        r->bad |= !name.len || depth > 20;
        if (r->bad)
            break;
        if (peek(r) == '=') {
            r->at++;
            skip(r, false);
            put(r, &m, name, argument(r, name));
        } else {
            put_block(r, &m, name, block(r, depth));
        }
    }
    return mapping(r, &m);
}

const lc_node *vectors_native(lc_arena *arena, lc_str text, const lc_node *node)
{
    reader r = {.arena = arena, .text = text, .where = node->where};
    lc_node *out = LC_NEW(arena, lc_node);
    *out = body(&r, 0);
    return r.bad || r.at < text.len ? NULL : out;
}
