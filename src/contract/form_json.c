/* Where two JSON documents differ. */
#include "form.h"

#include "lifecheck/arena.h"
#include "lifecheck/buf.h"
#include "lifecheck/table.h"

#define MAX_POINTERS 3
#define MAX_KEY      40

typedef struct step {
    const struct step *up;
    lc_str key; /* of a member, or */
    size_t index;
    bool in_array;
} step;

typedef struct search {
    lc_arena *arena;
    lc_buf text;
    size_t count, masked;
} search;

/* Controls are escaped: this is printed. Keys that are too long to be read are cut. */
static void add_pointer(lc_buf *out, const step *at)
{
    if (!at)
        return;
    add_pointer(out, at->up);
    lc_buf_add_char(out, '/');
    if (at->in_array) {
        lc_buf_printf(out, "%zu", at->index);
        return;
    }
    lc_buf quoted = {0}, key = {0};
    for (size_t i = 0; i < at->key.len && i < MAX_KEY; i++) {
        char c = at->key.ptr[i];
        if (c == '~' || c == '/')
            lc_buf_add_c(&key, c == '~' ? "~0" : "~1");
        else
            lc_buf_add_char(&key, c);
    }
    lc_buf_add_json(&quoted, lc_buf_str(&key), false);
    lc_buf_add_str(out, lc_str_sub(lc_buf_str(&quoted), 1, quoted.len - 1));
    lc_buf_add_c(out, at->key.len > MAX_KEY ? "..." : "");
    lc_buf_release(&quoted);
    lc_buf_release(&key);
}

static void add_difference(search *s, const step *at, const lc_node *a, const lc_node *b)
{
    if (a && b && a->kind == LC_NODE_STRING && b->kind == LC_NODE_STRING &&
        lc_is_masked(a->as.text, b->as.text))
        s->masked++;
    if (s->count++ >= MAX_POINTERS)
        return;
    lc_buf_add_c(&s->text, s->text.len ? ", " : "");
    if (at)
        add_pointer(&s->text, at);
    else
        lc_buf_add_c(&s->text, "the root");
}

static void search_nodes(search *s, const step *at, const lc_node *a, const lc_node *b);

/* The members of `m` by key; the table holds pointers to pointers, for these are to constants. */
static void index_members(lc_table *out, lc_arena *arena, const lc_node *m)
{
    const lc_node **values = LC_NEW_ARRAY(arena, const lc_node *, m->count);
    lc_table_init(out, arena);
    for (size_t i = 0; i < m->count; i++) {
        values[i] = &m->as.members[i].value;
        lc_table_put(out, m->as.members[i].key, &values[i]);
    }
}

static void search_members(search *s, const step *at, const lc_node *a, const lc_node *b)
{
    lc_table ours, theirs;
    index_members(&ours, s->arena, a);
    index_members(&theirs, s->arena, b);
    for (size_t i = 0; i < a->count; i++) {
        const lc_member *m = &a->as.members[i];
        const lc_node *const *other = lc_table_get(&theirs, m->key);
        step below = {at, m->key, 0, false};
        if (other)
            search_nodes(s, &below, &m->value, *other);
        else
            add_difference(s, &below, &m->value, NULL);
    }
    for (size_t i = 0; i < b->count; i++) {
        step below = {at, b->as.members[i].key, 0, false};
        if (!lc_table_get(&ours, b->as.members[i].key))
            add_difference(s, &below, NULL, &b->as.members[i].value);
    }
}

static void search_nodes(search *s, const step *at, const lc_node *a, const lc_node *b)
{
    if (a->kind == LC_NODE_MAPPING && b->kind == LC_NODE_MAPPING) {
        search_members(s, at, a, b);
    } else if (a->kind == LC_NODE_SEQUENCE && b->kind == LC_NODE_SEQUENCE && a->count == b->count) {
        for (size_t i = 0; i < a->count; i++) {
            step below = {at, LC_STR_EMPTY, i, true};
            search_nodes(s, &below, &a->as.items[i], &b->as.items[i]);
        }
    } else if (!lc_nodes_same(s->arena, a, b)) {
        add_difference(s, at, a, b);
    }
}

bool lc_json_differences(lc_arena *arena, lc_str promised, lc_str broken, lc_str *where,
                         bool *all_masked)
{
    lc_source both[2];
    search s = {.arena = arena};
    if (!lc_parse_both_json(both, arena, promised, broken))
        return false;
    search_nodes(&s, NULL, &both[0].documents[0], &both[1].documents[0]);
    if (s.count > MAX_POINTERS)
        lc_buf_printf(&s.text, " and %zu more", s.count - MAX_POINTERS);
    *where = lc_buf_copy(arena, &s.text);
    *all_masked = s.count == s.masked;
    lc_buf_release(&s.text);
    return s.count > 0;
}
