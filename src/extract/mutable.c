#include "extract/mutable.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

lc_mutable *lc_mutable_new(lc_arena *arena, lc_node_kind kind, const char *key)
{
    lc_mutable *tree = LC_NEW(arena, lc_mutable);
    tree->kind = kind;
    tree->key = lc_str_from_c(key ? key : "");
    tree->text = LC_STR_EMPTY;
    return tree;
}

lc_mutable *lc_mutable_text(lc_arena *arena, const char *key, lc_str text)
{
    lc_mutable *tree = lc_mutable_new(arena, LC_NODE_STRING, key);
    tree->text = text;
    return tree;
}

void lc_mutable_push(lc_arena *arena, lc_mutable *parent, lc_mutable *child)
{
    *LC_PUSH(arena, parent, lc_mutable *) = child;
}

static lc_mutable *from_node(lc_arena *arena, lc_str key, const lc_node *node)
{
    lc_mutable *tree = lc_mutable_new(arena, (lc_node_kind)node->kind, NULL);
    tree->key = lc_str_copy(arena, key);
    if (node->kind == LC_NODE_SEQUENCE) {
        for (uint32_t i = 0; i < node->count; i++)
            lc_mutable_push(arena, tree, from_node(arena, LC_STR_EMPTY, &node->as.items[i]));
    } else if (node->kind == LC_NODE_MAPPING) {
        for (uint32_t i = 0; i < node->count; i++)
            lc_mutable_push(arena, tree,
                            from_node(arena, node->as.members[i].key, &node->as.members[i].value));
    } else {
        tree->text = lc_str_copy(arena, node->as.text);
    }
    return tree;
}

lc_mutable *lc_mutable_from_json(lc_arena *arena, lc_str json, const lc_limits *limits)
{
    lc_source source;
    lc_diags quiet;
    lc_arena *scratch = lc_arena_new();
    lc_diags_init(&quiet, scratch);
    bool ok = lc_json_parse(&source, scratch, LC_STR_EMPTY, json, limits, &quiet) == LC_OK &&
              source.count == 1;
    lc_mutable *tree = ok ? from_node(arena, LC_STR_EMPTY, source.documents) : NULL;
    lc_arena_free(scratch);
    return tree;
}

lc_mutable *lc_mutable_get(const lc_mutable *mapping, const char *key)
{
    for (size_t i = 0; i < mapping->count; i++) {
        if (!mapping->items[i]->gone && lc_str_is(mapping->items[i]->key, key))
            return mapping->items[i];
    }
    return NULL;
}

size_t lc_mutable_count(const lc_mutable *tree)
{
    size_t count = 0;
    for (size_t i = 0; i < tree->count; i++)
        count += !tree->items[i]->gone;
    return count;
}

/* ---- JSON. */

/* Numbers and booleans are written as they were read. */
static void write_scalar(lc_json *w, const lc_mutable *tree)
{
    if (tree->kind == LC_NODE_STRING)
        lc_json_str(w, NULL, tree->text);
    else if (tree->kind == LC_NODE_NULL)
        lc_json_null(w, NULL);
    else
        lc_json_raw(w, NULL, tree->text);
}

static bool is_scalar(const lc_mutable *tree)
{
    return tree->kind != LC_NODE_SEQUENCE && tree->kind != LC_NODE_MAPPING;
}

static void write_tree(lc_json *w, const lc_mutable *tree)
{
    bool mapping = tree->kind == LC_NODE_MAPPING;
    if (is_scalar(tree)) {
        write_scalar(w, tree);
        return;
    }
    (mapping ? lc_json_object : lc_json_array)(w, NULL);
    for (size_t i = 0; i < tree->count; i++) {
        const lc_mutable *child = tree->items[i];
        if (child->gone)
            continue;
        if (mapping)
            lc_json_key(w, child->key);
        write_tree(w, child);
    }
    (mapping ? lc_json_end_object : lc_json_end_array)(w);
}

void lc_mutable_add_json(lc_buf *out, const lc_mutable *tree)
{
    lc_json w = {.out = out};
    write_tree(&w, tree);
}

/* ---- YAML. Only strings that are certainly read as text are written without quotes. */

#define LINE 88 /* columns; a collection that fits into them is written on one line */

static bool is_word(lc_str s)
{
    static const char *const others[] = {"null", "Null",  "NULL",  "true",  "True",
                                         "TRUE", "false", "False", "FALSE", NULL};
    for (const char *const *other = others; *other; other++) {
        if (lc_str_is(s, *other))
            return false;
    }
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = lc_is_letter(c) || c == '_' || c == '$';
        bool inner = lc_is_digit(c) || c == '-' || c == '/' || c == '.';
        if (!letter && !(inner && i))
            return false;
    }
    return s.len > 0;
}

/* Words with spaces between them, as names of cases are. */
static bool is_phrase(lc_str s)
{
    size_t from = 0;
    for (size_t i = 0; i <= s.len; i++) {
        if (i < s.len && s.ptr[i] != ' ')
            continue;
        if (!is_word(lc_str_sub(s, from, i)))
            return false;
        from = i + 1;
    }
    return true;
}

static bool is_path(lc_str s)
{
    return s.len > 0 && s.ptr[0] == '.' && (s.len == 1 || is_word(lc_str_sub(s, 1, s.len)));
}

static void add_word(lc_buf *out, lc_str s)
{
    if (is_path(s))
        lc_buf_printf(out, "'%.*s'", LC_FMT(s));
    else if (is_phrase(s))
        lc_buf_add_str(out, s);
    else
        lc_buf_add_json(out, s, false);
}

static bool is_plain_unknown(const lc_mutable *tree)
{
    const lc_mutable *flag =
        tree->kind == LC_NODE_MAPPING ? lc_mutable_get(tree, "$unknown") : NULL;
    return flag && lc_mutable_count(tree) == 1 && flag->kind == LC_NODE_BOOL &&
           lc_str_is(flag->text, "true");
}

static void add_flow(lc_buf *out, const lc_mutable *tree)
{
    bool mapping = tree->kind == LC_NODE_MAPPING, first = true;
    if (is_scalar(tree)) {
        lc_json w = {.out = out};
        if (tree->kind == LC_NODE_STRING)
            add_word(out, tree->text);
        else
            write_scalar(&w, tree);
        return;
    }
    if (is_plain_unknown(tree)) {
        lc_buf_add_c(out, "!unknown "); /* a comma would be part of the tag */
        return;
    }
    lc_buf_add_char(out, mapping ? '{' : '[');
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->items[i]->gone)
            continue;
        if (!first)
            lc_buf_add_c(out, ", ");
        first = false;
        if (mapping) {
            add_word(out, tree->items[i]->key);
            lc_buf_add_c(out, ": ");
        }
        add_flow(out, tree->items[i]);
    }
    lc_buf_add_char(out, mapping ? '}' : ']');
}

static size_t depth_of(const lc_mutable *tree)
{
    size_t depth = 0;
    for (size_t i = 0; !is_scalar(tree) && i < tree->count; i++) {
        size_t below = tree->items[i]->gone ? 0 : depth_of(tree->items[i]);
        depth = below > depth ? below : depth;
    }
    return is_scalar(tree) ? 0 : depth + 1;
}

/* Writes a collection on the rest of the line, if it fits and is not nested too deeply to read. */
static bool add_on_line(lc_buf *out, const lc_mutable *tree, size_t used)
{
    lc_buf flow = {0};
    bool fits = is_plain_unknown(tree);
    if (fits)
        lc_buf_add_c(&flow, "!unknown");
    else
        add_flow(&flow, tree);
    fits = fits || is_scalar(tree) || lc_mutable_count(tree) == 0 ||
           (used + flow.len <= LINE && depth_of(tree) < 3);
    if (fits)
        lc_buf_add_str(out, lc_buf_str(&flow));
    lc_buf_release(&flow);
    return fits;
}

static void add_indent(lc_buf *out, size_t depth)
{
    for (size_t i = 0; i < depth; i++)
        lc_buf_add_c(out, "  ");
}

/* `started`: the first line has its indentation already. */
static void add_block(lc_buf *out, const lc_mutable *tree, size_t depth, bool started)
{
    bool mapping = tree->kind == LC_NODE_MAPPING;
    for (size_t i = 0; i < tree->count; i++) {
        const lc_mutable *child = tree->items[i];
        size_t from = out->len;
        if (child->gone)
            continue;
        if (!started)
            add_indent(out, depth);
        started = false;
        if (mapping) {
            add_word(out, child->key);
            lc_buf_add_c(out, ": ");
        } else {
            lc_buf_add_c(out, "- ");
        }
        if (add_on_line(out, child, out->len - from)) {
            lc_buf_add_char(out, '\n');
        } else if (mapping) {
            out->ptr[out->len - 1] = '\n';
            add_block(out, child, depth + 1, false);
        } else {
            add_block(out, child, depth + 1, true);
        }
    }
}

void lc_mutable_add_yaml(lc_buf *out, const lc_mutable *root)
{
    add_block(out, root, 0, false);
}
