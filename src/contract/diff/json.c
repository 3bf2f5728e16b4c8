/* Where two JSON or YAML documents differ: a parallel walk that collects places as chains of
 * steps. */
#include "contract/diff/value_diff.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"

#include <string.h>

/* Limits of what is printed: places, and characters of a key. */
#define MAX_POINTERS 3
#define MAX_KEY      40

typedef struct search {
    lc_arena *arena;
    lc_document_differences *out;
} search;

/* ---- Pointers. */

static lc_str beginning(lc_str key)
{
    size_t at = 0;
    for (size_t count = 0; at < key.len && count < MAX_KEY; count++)
        lc_utf8_next(key, &at);
    return lc_str_sub(key, 0, at);
}

/* The JSON writer escapes control characters, because pointers are printed to terminals. */
void lc_pointer_add(lc_buf *out, const lc_document_step *at)
{
    if (!at)
        return;
    lc_pointer_add(out, at->up);
    lc_buf_add_char(out, '/');
    if (at->in_array) {
        lc_buf_printf(out, "%zu", at->index);
        return;
    }
    lc_buf quoted = {0}, key = {0};
    lc_str kept = beginning(at->key);
    for (size_t i = 0; i < kept.len; i++) {
        char c = kept.ptr[i];
        if (c == '~' || c == '/')
            lc_buf_add_c(&key, c == '~' ? "~0" : "~1");
        else
            lc_buf_add_char(&key, c);
    }
    lc_buf_add_json(&quoted, lc_buf_str(&key), false);
    lc_buf_add_str(out, lc_str_sub(lc_buf_str(&quoted), 1, quoted.len - 1));
    lc_buf_add_c(out, kept.len < at->key.len ? "..." : "");
    lc_buf_release(&quoted);
    lc_buf_release(&key);
}

const lc_node *lc_document_at(const lc_node *root, const lc_document_step *at)
{
    const lc_node *above = at ? lc_document_at(root, at->up) : NULL;
    if (!at)
        return root;
    if (!above)
        return NULL;
    if (at->in_array)
        return above->kind == LC_NODE_SEQUENCE && at->index < above->count
                   ? &above->as.items[at->index]
                   : NULL;
    return lc_node_value(above, at->key);
}

/* Copy a chain of steps, which is on the stack of the walk, into the arena. */
static const lc_document_step *keep(lc_arena *arena, const lc_document_step *at)
{
    if (!at)
        return NULL;
    lc_document_step *copy = LC_NEW(arena, lc_document_step);
    *copy = *at;
    copy->up = keep(arena, at->up);
    return copy;
}

/* ---- The search. */

static void add_difference(search *s, const lc_document_step *at, const lc_node *a,
                           const lc_node *b)
{
    if (a && b && a->kind == LC_NODE_STRING && b->kind == LC_NODE_STRING &&
        lc_is_masked(a->as.text, b->as.text))
        s->out->masked++;
    if (s->out->count++ < LC_MOST_DIFFERENCES)
        *LC_PUSH(s->arena, &s->out->first, lc_document_difference) =
            (lc_document_difference){keep(s->arena, at), a, b};
}

static void search_nodes(search *s, const lc_document_step *at, const lc_node *a, const lc_node *b);

/* The members of `m` by key. The table has no constant values, so it holds pointers to pointers to
 * the nodes. */
static void index_members(lc_table *out, lc_arena *arena, const lc_node *m)
{
    const lc_node **values = LC_NEW_ARRAY(arena, const lc_node *, m->count);
    lc_table_init(out, arena);
    for (size_t i = 0; i < m->count; i++) {
        values[i] = &m->as.members[i].value;
        lc_table_put(out, m->as.members[i].key, &values[i]);
    }
}

static void search_members(search *s, const lc_document_step *at, const lc_node *a,
                           const lc_node *b)
{
    lc_table ours, theirs;
    index_members(&ours, s->arena, a);
    index_members(&theirs, s->arena, b);
    for (size_t i = 0; i < a->count; i++) {
        const lc_member *m = &a->as.members[i];
        const lc_node *const *other = lc_table_get(&theirs, m->key);
        lc_document_step below = {at, m->key, 0, false};
        if (other)
            search_nodes(s, &below, &m->value, *other);
        else
            add_difference(s, &below, &m->value, NULL);
    }
    for (size_t i = 0; i < b->count; i++) {
        lc_document_step below = {at, b->as.members[i].key, 0, false};
        if (!lc_table_get(&ours, b->as.members[i].key))
            add_difference(s, &below, NULL, &b->as.members[i].value);
    }
}

static void search_items(search *s, const lc_document_step *at, const lc_node *a, const lc_node *b)
{
    for (size_t i = 0; i < a->count; i++) {
        lc_document_step below = {at, LC_STR_EMPTY, i, true};
        search_nodes(s, &below, &a->as.items[i], &b->as.items[i]);
    }
}

/* Arrays of different length: if one is the other with items inserted in one place, these are the
 * difference; otherwise the array as a whole is. */
static void search_lengths(search *s, const lc_document_step *at, const lc_node *a,
                           const lc_node *b)
{
    const lc_node *longer = a->count > b->count ? a : b, *shorter = longer == a ? b : a;
    size_t front = 0, back = 0, more = longer->count - shorter->count;
    while (front < shorter->count &&
           lc_node_same(s->arena, &a->as.items[front], &b->as.items[front]))
        front++;
    while (back < shorter->count - front &&
           lc_node_same(s->arena, &a->as.items[a->count - 1 - back],
                        &b->as.items[b->count - 1 - back]))
        back++;
    if (front + back < shorter->count) {
        add_difference(s, at, a, b);
        return;
    }
    for (size_t i = front; i < front + more; i++) {
        lc_document_step below = {at, LC_STR_EMPTY, i, true};
        const lc_node *item = &longer->as.items[i];
        add_difference(s, &below, longer == a ? item : NULL, longer == b ? item : NULL);
    }
}

/* YAML tags (!Ref and the like) are part of a value. */
static void search_nodes(search *s, const lc_document_step *at, const lc_node *a, const lc_node *b)
{
    bool tags = a->tag && b->tag ? strcmp(a->tag, b->tag) == 0 : a->tag == b->tag;
    if (tags && a->kind == LC_NODE_MAPPING && b->kind == LC_NODE_MAPPING)
        search_members(s, at, a, b);
    else if (tags && a->kind == LC_NODE_SEQUENCE && b->kind == LC_NODE_SEQUENCE)
        (a->count == b->count ? search_items : search_lengths)(s, at, a, b);
    else if (!lc_node_same(s->arena, a, b))
        add_difference(s, at, a, b);
}

void lc_documents_compare(lc_document_differences *out, lc_arena *arena, const lc_node *a,
                          const lc_node *b)
{
    *out = (lc_document_differences){0};
    search_nodes(&(search){arena, out}, NULL, a, b);
}

/* ---- As a string. */

static void add_place(lc_buf *out, const lc_document_step *at)
{
    lc_buf_add_c(out, out->len ? ", " : "");
    if (at)
        lc_pointer_add(out, at);
    else
        lc_buf_add_c(out, "the root");
}

static lc_str keep_text(lc_arena *arena, lc_buf *text, size_t count)
{
    if (count > MAX_POINTERS)
        lc_buf_printf(text, " and %zu more", count - MAX_POINTERS);
    return lc_buf_take(arena, text);
}

bool lc_document_differences_text(lc_arena *arena, const lc_source both[2], lc_str *where,
                                  bool *all_masked)
{
    lc_document_differences d;
    lc_buf text = {0};
    lc_documents_compare(&d, arena, &both[0].documents[0], &both[1].documents[0]);
    for (size_t i = 0; i < d.first.count && i < MAX_POINTERS; i++)
        add_place(&text, d.first.items[i].at);
    *where = keep_text(arena, &text, d.count);
    *all_masked = d.count == d.masked;
    return d.count > 0;
}

/* ---- The same members in another order. */

typedef struct orders {
    lc_arena *arena;
    lc_buf text;
    size_t count;
} orders;

/* The documents are equal as JSON, so members have counterparts wherever they were moved to. */
static void search_orders(orders *o, const lc_document_step *at, const lc_node *a, const lc_node *b)
{
    bool members = a->kind == LC_NODE_MAPPING, moved = false;
    if ((!members && a->kind != LC_NODE_SEQUENCE) || b->kind != a->kind || b->count != a->count)
        return;
    for (uint32_t i = 0; members && i < a->count && !moved; i++)
        moved = !lc_str_eq(a->as.members[i].key, b->as.members[i].key);
    if (moved && at && o->count++ < MAX_POINTERS) /* the pointer of the root is empty */
        add_place(&o->text, at);
    lc_table others;
    if (moved)
        index_members(&others, o->arena, b);
    for (uint32_t i = 0; i < a->count; i++) {
        lc_document_step below = {at, members ? a->as.members[i].key : LC_STR_EMPTY, i, !members};
        const lc_node *const *found = moved ? lc_table_get(&others, below.key) : NULL;
        const lc_node *mine = members ? &a->as.members[i].value : &a->as.items[i];
        const lc_node *other = found     ? *found
                               : moved   ? NULL
                               : members ? &b->as.members[i].value
                                         : &b->as.items[i];
        if (other)
            search_orders(o, &below, mine, other);
    }
}

lc_str lc_json_orders(lc_arena *arena, lc_str a, lc_str b)
{
    lc_source both[2];
    orders o = {.arena = arena};
    if (lc_parse_both_json(both, arena, a, b))
        search_orders(&o, NULL, &both[0].documents[0], &both[1].documents[0]);
    return keep_text(arena, &o.text, o.count);
}
