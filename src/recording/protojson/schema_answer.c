/* The line of a schema call, made type by type. */
#include "lifecheck/recording/call_line.h"

#include "lifecheck/base/arena.h"

#include <stdlib.h>

/* One type of the answer. */
typedef struct entry {
    lc_str field, key;
    const lc_wire_message *type;
    lc_str bytes;
} entry;

typedef struct answer {
    lc_arena *arena; /* of the call */
    LC_VEC(entry) entries;
} answer;

void lc_schema_answers_init(lc_schema_answers *out, lc_arena *arena)
{
    *out = (lc_schema_answers){.arena = arena};
    lc_table_init(&out->seen, arena);
}

static bool collect(void *context, lc_str field, lc_str key, const lc_wire_message *type,
                    lc_str value)
{
    answer *a = context;
    *LC_PUSH(a->arena, &a->entries, entry) = (entry){field, key, type, value};
    return true;
}

static int by_name(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    int order = lc_str_cmp(a->field, b->field);
    return order ? order : lc_str_cmp(a->key, b->key);
}

static bool no_entry(void *context, lc_str field, lc_str key)
{
    (void)context;
    (void)field;
    (void)key;
    return false;
}

/* ---- Writing. */

static bool write_entry(lc_json *w, const entry *e, lc_arena *scratch, const lc_limits *limits)
{
    lc_node node;
    lc_wire_reader reader = {.arena = scratch, .limits = *limits};
    if (!lc_wire_read(&node, &reader, e->type, e->bytes))
        return false;
    lc_json_key(w, e->key);
    lc_node_add_json(lc_json_value(w, NULL), &node);
    lc_arena_reset(scratch);
    return true;
}

/* Equal keys do not occur: the last one would count, and comes last here too. */
static bool write_groups(lc_json *w, const answer *a, const lc_limits *limits)
{
    lc_arena *scratch = lc_arena_new();
    bool good = true;
    for (size_t i = 0; good && i < a->entries.count; i++) {
        const entry *e = &a->entries.items[i];
        bool first = i == 0 || !lc_str_eq(e[-1].field, e->field);
        bool last = i + 1 == a->entries.count || !lc_str_eq(e[1].field, e->field);
        bool again = !last && lc_str_eq(e[1].key, e->key);
        if (first)
            lc_json_object(w, lc_str_to_c(a->arena, e->field));
        good = again || write_entry(w, e, scratch, limits);
        if (last)
            lc_json_end_object(w);
    }
    lc_arena_free(scratch);
    return good;
}

static void write_members(lc_json *w, const lc_node *node)
{
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        lc_json_key(w, node->as.members[i].key);
        lc_node_add_json(lc_json_value(w, NULL), &node->as.members[i].value);
    }
}

static bool write_response(lc_buf *out, answer *a, const lc_node *rest, const lc_limits *limits)
{
    lc_json w = {.out = out};
    lc_json_object(&w, NULL);
    write_members(&w, rest);
    bool good = write_groups(&w, a, limits);
    lc_json_end_object(&w);
    return good;
}

static bool read_answer(answer *a, lc_node *rest, const lc_wire_method *method, lc_str bytes,
                        const lc_limits *limits)
{
    lc_wire_reader types = {.arena = a->arena, .limits = *limits}, others = types;
    others.wanted = no_entry;
    if (!lc_wire_read(rest, &others, method->response, bytes) ||
        !lc_wire_each_entry(&types, method->response, bytes, collect, a))
        return false;
    if (a->entries.count)
        qsort(a->entries.items, a->entries.count, sizeof(entry), by_name);
    return true;
}

/* Was this answer seen? The hash is that of tables, with keys of this process, so no caller can
 * make two answers collide. */
static bool is_repeated(lc_schema_answers *answers, lc_str provider, lc_str response)
{
    lc_str key = lc_str_printf(answers->arena, "%.*s %zu %016llx", LC_FMT(provider), response.len,
                               (unsigned long long)lc_str_hash(response));
    bool seen = lc_table_put(&answers->seen, key, answers) != NULL;
    answers->repeated += seen;
    return seen;
}

static void write_line(lc_buf *out, lc_arena *arena, const lc_call_line *line, lc_str response)
{
    static const lc_node nothing = {.kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON};
    lc_json w = {.out = out};
    lc_call_line whole = *line;
    lc_node root;
    whole.request = (lc_call_messages){&nothing, 1, false};
    whole.response = (lc_call_messages){NULL, 0, false};
    lc_call_line_node(&root, arena, &whole);
    lc_json_object(&w, NULL);
    write_members(&w, &root);
    lc_json_raw(&w, "response", response);
    lc_json_end_object(&w);
}

lc_schema_answer lc_schema_answer_line(lc_buf *out, lc_schema_answers *answers,
                                       const lc_call_line *line, const lc_wire_method *method,
                                       lc_str response, const lc_limits *limits)
{
    answer a = {.arena = lc_arena_new()};
    lc_node rest;
    lc_buf text = {0};
    lc_schema_answer result = LC_SCHEMA_UNREADABLE;
    if (read_answer(&a, &rest, method, response, limits) &&
        write_response(&text, &a, &rest, limits))
        result = is_repeated(answers, line->provider, lc_buf_str(&text)) ? LC_SCHEMA_REPEATED
                                                                         : LC_SCHEMA_NEW;
    if (result == LC_SCHEMA_NEW)
        write_line(out, a.arena, line, lc_buf_str(&text));
    lc_buf_release(&text);
    lc_arena_free(a.arena);
    return result;
}
