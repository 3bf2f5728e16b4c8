/* The two files of a client that select its providers: its settings (dev_overrides) and the lock
 * file of a folder. Only blocks and attributes with strings are read, in HCL's native syntax;
 * settings may be JSON. Unknown syntax is skipped without an error: reporting it is the client's
 * job. */
#include "live/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/yaml_json/node.h"

#include <string.h>

/* ---- Words: a name, a string in quotes, or one other character. */

typedef enum word_kind { WORD_END, WORD_NAME, WORD_TEXT, WORD_MARK } word_kind;

typedef struct words {
    lc_arena *arena;
    lc_str text;
    size_t at;
    word_kind kind;
    lc_str word;
} words;

static bool has(const words *w, const char *two)
{
    return w->at + 1 < w->text.len && w->text.ptr[w->at] == two[0] &&
           w->text.ptr[w->at + 1] == two[1];
}

/* False: neither white space nor a comment. */
static bool skip_one(words *w)
{
    if (lc_is_space(w->text.ptr[w->at])) {
        w->at++;
    } else if (w->text.ptr[w->at] == '#' || has(w, "//")) {
        w->at = lc_str_find(w->text, w->at, '\n');
    } else if (has(w, "/*")) {
        while (w->at < w->text.len && !has(w, "*/"))
            w->at++;
        w->at = w->at + 2 < w->text.len ? w->at + 2 : w->text.len;
    } else {
        return false;
    }
    return true;
}

static void take_text(words *w)
{
    lc_buf out = {0};
    for (w->at++; w->at < w->text.len && w->text.ptr[w->at] != '"'; w->at++) {
        if (w->text.ptr[w->at] == '\\' && w->at + 1 < w->text.len)
            w->at++; /* paths have \\ and \" */
        lc_buf_add_char(&out, w->text.ptr[w->at]);
    }
    w->at += w->at < w->text.len;
    w->word = lc_buf_take(w->arena, &out);
    w->kind = WORD_TEXT;
}

static bool is_name(char c)
{
    return lc_is_alnum(c) || c == '_' || c == '-';
}

static void next(words *w)
{
    while (w->at < w->text.len && skip_one(w))
        ;
    size_t from = w->at;
    w->kind = WORD_END;
    if (from == w->text.len)
        return;
    if (w->text.ptr[from] == '"') {
        take_text(w);
        return;
    }
    w->kind = is_name(w->text.ptr[from]) ? WORD_NAME : WORD_MARK;
    w->at++;
    while (w->kind == WORD_NAME && w->at < w->text.len && is_name(w->text.ptr[w->at]))
        w->at++;
    w->word = lc_str_sub(w->text, from, w->at);
}

static bool is_mark(const words *w, char c)
{
    return w->kind == WORD_MARK && w->word.ptr[0] == c;
}

/* Skips to the end of the block whose `{` is the current word. */
static void skip_block(words *w)
{
    size_t depth = 0;
    do {
        depth += is_mark(w, '{');
        depth -= is_mark(w, '}');
        next(w);
    } while (depth && w->kind != WORD_END);
}

/* ---- Settings of a client: provider_installation { dev_overrides { "ADDRESS" = "FOLDER" } }. */

typedef void (*take_override)(void *context, lc_str address, lc_str folder);

static void read_overrides(words *w, take_override each, void *context)
{
    for (next(w); w->kind != WORD_END && !is_mark(w, '}');) {
        lc_str address = w->word;
        bool named = w->kind == WORD_TEXT || w->kind == WORD_NAME;
        next(w);
        if (!named || (!is_mark(w, '=') && !is_mark(w, ':')))
            continue;
        next(w);
        if (w->kind == WORD_TEXT)
            each(context, address, w->word);
        next(w);
    }
}

static void read_installation(words *w, take_override each, void *context)
{
    for (next(w); w->kind != WORD_END && !is_mark(w, '}');) {
        bool wanted = w->kind == WORD_NAME && lc_str_is(w->word, "dev_overrides");
        next(w);
        if (wanted && is_mark(w, '=')) /* an attribute does the same */
            next(w);
        if (wanted && is_mark(w, '{'))
            read_overrides(w, each, context);
        else if (is_mark(w, '{'))
            skip_block(w);
        if (wanted && is_mark(w, '}'))
            next(w);
    }
}

static void json_overrides(const lc_node *root, take_override each, void *context)
{
    const lc_node *block = lc_node_get(root, "provider_installation");
    uint32_t blocks = lc_node_is(block, LC_NODE_SEQUENCE) ? block->count : 1;
    for (uint32_t i = 0; block && i < blocks; i++) {
        const lc_node *one = lc_node_is(block, LC_NODE_SEQUENCE) ? lc_node_item(block, i) : block;
        const lc_node *list = lc_node_get(one, "dev_overrides");
        if (lc_node_is(list, LC_NODE_SEQUENCE))
            list = lc_node_item(list, 0);
        for (uint32_t k = 0; k < lc_node_member_count(list); k++)
            each(context, list->as.members[k].key, lc_node_as_text(&list->as.members[k].value));
    }
}

void lc_live_overrides(lc_arena *arena, lc_str text, take_override each, void *context)
{
    words w = {.arena = arena, .text = text};
    lc_source source;
    lc_diags quiet;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&quiet, arena);
    next(&w);
    if (is_mark(&w, '{')) {
        if (lc_json_parse_last(&source, arena, LC_STR_EMPTY, text, &limits, &quiet) == LC_OK)
            json_overrides(&source.documents[0], each, context);
        return;
    }
    while (w.kind != WORD_END) {
        bool wanted = w.kind == WORD_NAME && lc_str_is(w.word, "provider_installation");
        next(&w);
        if (wanted && is_mark(&w, '{'))
            read_installation(&w, each, context);
        else if (is_mark(&w, '{'))
            skip_block(&w);
    }
}

/* ---- The lock file: provider "ADDRESS" { version = "..." }. */

/* hashes = ["h1:...", "zh:..."] */
static void read_hashes(lc_live_lock *out, words *w)
{
    for (next(w); w->kind != WORD_END && !is_mark(w, ']'); next(w)) {
        if (w->kind == WORD_TEXT)
            *LC_PUSH(w->arena, &out->hashes, lc_str) = w->word;
    }
}

static lc_live_lock read_locked(words *w)
{
    lc_live_lock out = {.version = LC_STR_EMPTY};
    for (next(w); w->kind != WORD_END && !is_mark(w, '}');) {
        bool version = w->kind == WORD_NAME && lc_str_is(w->word, "version");
        bool hashes = w->kind == WORD_NAME && lc_str_is(w->word, "hashes");
        next(w);
        if ((!version && !hashes) || !is_mark(w, '='))
            continue;
        next(w);
        if (version && w->kind == WORD_TEXT)
            out.version = w->word;
        else if (hashes && is_mark(w, '['))
            read_hashes(&out, w);
    }
    return out;
}

lc_live_lock lc_live_locked(lc_arena *arena, lc_str text, lc_str address)
{
    words w = {.arena = arena, .text = text};
    for (next(&w); w.kind != WORD_END;) {
        bool block = w.kind == WORD_NAME && lc_str_is(w.word, "provider");
        next(&w);
        if (!block || w.kind != WORD_TEXT)
            continue;
        bool wanted = lc_str_eq(w.word, address);
        next(&w);
        if (!is_mark(&w, '{'))
            continue;
        if (wanted)
            return read_locked(&w);
        skip_block(&w);
    }
    return (lc_live_lock){.version = LC_STR_EMPTY};
}
