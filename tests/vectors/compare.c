/* Compares answers of the vectors program with recorded verdicts.
 *
 *   compare RECORDED.jsonl ANSWERS.jsonl
 *
 * Errors are compared as multisets of (path, message), values and verdicts exactly. A line that the
 * recording could not decide (a panic, a random answer) needs any answer. A refusal with a reason
 * (`stricter`) and a documented divergence (`diverges`) are counted as skipped. Of recorded plans
 * (lines with `files`) what an answer leaves open is left out, and the line counted as skipped.
 * Prints the first differences and, last, how many passed, failed and were skipped; exit status 1
 * if any failed. */
#include "compare_results.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/table.h"
#include "lifecheck/yaml_json/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 10

static const char *const members[] = {"ot", "tf", "ot_marked", "tf_marked", "result"};
static const char *const exact[] = {"value",      "type",     "changed",      "equals",
                                    "raw_equals", "includes", "wholly_known", "value_type",
                                    "json",       "msgpack"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* A node as text with sorted members: equal strings are equal values. */
static int by_key(const void *a, const void *b)
{
    const lc_member *const *x = a, *const *y = b;
    return lc_str_cmp((*x)->key, (*y)->key);
}

static void canonical(lc_buf *buf, lc_arena *arena, const lc_node *node)
{
    if (node->kind == LC_NODE_SEQUENCE) {
        lc_buf_add_char(buf, '[');
        for (size_t i = 0; i < node->count; i++) {
            canonical(buf, arena, &node->as.items[i]);
            lc_buf_add_char(buf, ',');
        }
        lc_buf_add_char(buf, ']');
    } else if (node->kind == LC_NODE_MAPPING) {
        const lc_member **order = LC_NEW_ARRAY(arena, const lc_member *, node->count);
        for (size_t i = 0; i < node->count; i++)
            order[i] = &node->as.members[i];
        if (node->count)
            qsort(order, node->count, sizeof *order, by_key);
        lc_buf_add_char(buf, '{');
        for (size_t i = 0; i < node->count; i++) {
            lc_buf_add_json(buf, order[i]->key, false);
            canonical(buf, arena, &order[i]->value);
            lc_buf_add_char(buf, ',');
        }
        lc_buf_add_char(buf, '}');
    } else if (node->kind == LC_NODE_STRING) {
        lc_buf_add_json(buf, node->as.text, false);
    } else {
        lc_buf_add_str(buf, node->as.text);
    }
}

static lc_str text_of(lc_arena *arena, const lc_node *node)
{
    lc_buf buf = {0};
    canonical(&buf, arena, node);
    lc_str text = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return text;
}

static bool is_true(const lc_node *node)
{
    return lc_node_is_true(node);
}

static bool is_undecided(const lc_node *node)
{
    return is_true(lc_node_get(node, "panic")) || is_true(lc_node_get(node, "nondeterministic"));
}

/* ---- Errors. */

static int by_text(const void *a, const void *b)
{
    return lc_str_cmp(*(const lc_str *)a, *(const lc_str *)b);
}

static lc_str *error_keys(lc_arena *arena, const lc_node *errors)
{
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, errors->count);
    for (size_t i = 0; i < errors->count; i++) {
        const lc_node *error = &errors->as.items[i];
        const lc_node *path = lc_node_get(error, "path"), *message = lc_node_get(error, "msg");
        keys[i] = !path || !message
                      ? text_of(arena, error)
                      : lc_str_printf(arena, "%.*s %.*s", LC_FMT(text_of(arena, path)),
                                      LC_FMT(message->as.text));
    }
    if (errors->count)
        qsort(keys, errors->count, sizeof *keys, by_text);
    return keys;
}

static bool same_errors(lc_arena *arena, const lc_node *want, const lc_node *got)
{
    if (!got || got->kind != LC_NODE_SEQUENCE || got->count != want->count)
        return false;
    lc_str *a = error_keys(arena, want), *b = error_keys(arena, got);
    for (size_t i = 0; i < want->count; i++) {
        if (!lc_str_eq(a[i], b[i]))
            return false;
    }
    return true;
}

/* ---- One member of a line. */

typedef enum outcome { PASSED, FAILED, SKIPPED } outcome;

static outcome compare_exact(lc_arena *arena, const lc_node *want, const lc_node *got)
{
    for (size_t i = 0; i < COUNT(exact); i++) {
        const lc_node *a = lc_node_get(want, exact[i]), *b = lc_node_get(got, exact[i]);
        if (!a || (a->kind == LC_NODE_MAPPING && is_undecided(a)))
            continue;
        if (!b || !lc_str_eq(text_of(arena, a), text_of(arena, b)))
            return lc_node_get(got, "diverges") ? SKIPPED : FAILED;
    }
    return PASSED;
}

static outcome compare_member(lc_arena *arena, const lc_node *want, const lc_node *got)
{
    if (!got)
        return FAILED;
    if (is_undecided(want))
        return PASSED;
    const lc_node *errors = lc_node_get(want, "errors"), *ok = lc_node_get(want, "ok");
    if (errors)
        return same_errors(arena, errors, lc_node_get(got, "errors")) ? PASSED : FAILED;
    if (ok) {
        if (is_true(ok) != is_true(lc_node_get(got, "ok")))
            return is_true(ok) && lc_node_get(got, "stricter") ? SKIPPED : FAILED;
        if (!is_true(ok))
            return PASSED;
    } else if (lc_node_get(want, "error")) {
        return lc_node_get(got, "error") ? PASSED : FAILED;
    }
    return compare_exact(arena, want, got);
}

/* ---- Files. */

static bool read_lines(lc_source **out, size_t *count, lc_arena *arena, const char *file)
{
    struct {
        lc_source *items;
        size_t count, capacity;
    } lines = {0};
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.json_depth = 100000; /* recorded bodies are nested deeply */
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, arena);
    bool ok = lc_file_read(&text, arena, lc_str_from_c(file), limits.input_bytes, &diags) == LC_OK;
    for (size_t from = 0, to; ok && from < text.len; from = to + 1) {
        const char *end = memchr(text.ptr + from, '\n', text.len - from);
        to = end ? (size_t)(end - text.ptr) : text.len;
        lc_source *line = LC_PUSH(arena, &lines, lc_source);
        ok = lc_json_parse(line, arena, lc_str_from_c(file), lc_str_sub(text, from, to), &limits,
                           &diags) == LC_OK;
    }
    if (!ok)
        fprintf(stderr, "compare: %s cannot be read\n", file);
    *out = lines.items;
    *count = lines.count;
    return ok;
}

static lc_str id_of(const lc_source *line)
{
    const lc_node *id = lc_node_get(&line->documents[0], "id");
    return id ? id->as.text : LC_STR_EMPTY;
}

/* ---- Recorded plans: errors as a set, changes as a multiset, without what the answer leaves open.
 */

static bool is_open(const lc_node *open, const lc_node *change)
{
    const lc_node *address = lc_node_get(change, "address");
    for (size_t i = 0; open && address && i < open->count; i++) {
        if (lc_str_eq(open->as.items[i].as.text, address->as.text))
            return true;
    }
    return false;
}

/* Sorted canonical strings. */
static lc_str *item_texts(size_t *count, lc_arena *arena, const lc_node *list, const lc_node *open)
{
    lc_str *texts = LC_NEW_ARRAY(arena, lc_str, list ? list->count : 0);
    *count = 0;
    for (size_t i = 0; list && i < list->count; i++) {
        if (!is_open(open, &list->as.items[i]))
            texts[(*count)++] = text_of(arena, &list->as.items[i]);
    }
    if (*count)
        qsort(texts, *count, sizeof *texts, by_text);
    return texts;
}

static size_t without_twins(lc_str *texts, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!kept || !lc_str_eq(texts[kept - 1], texts[i]))
            texts[kept++] = texts[i];
    }
    return kept;
}

static bool same_items(lc_arena *arena, const lc_node *want, const lc_node *got, const char *name,
                       bool as_set)
{
    size_t a_count, b_count;
    const lc_node *open = as_set ? NULL : lc_node_get(got, "cannot_tell");
    lc_str *a = item_texts(&a_count, arena, lc_node_get(want, name), open);
    lc_str *b = item_texts(&b_count, arena, lc_node_get(got, name), open);
    if (as_set) {
        a_count = without_twins(a, a_count);
        b_count = without_twins(b, b_count);
    }
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; i++)
        same = lc_str_eq(a[i], b[i]);
    return same;
}

static outcome compare_client(lc_arena *arena, const lc_node *want, const lc_node *got)
{
    const lc_node *a = lc_node_get(want, "outputs"), *b = lc_node_get(got, "outputs");
    if (!same_items(arena, want, got, "errors", true) ||
        !same_items(arena, want, got, "changes", false) ||
        (a && b && !lc_str_eq(text_of(arena, a), text_of(arena, b))))
        return FAILED;
    return lc_node_get(got, "cannot_tell") ? SKIPPED : PASSED;
}

static outcome compare_plans(lc_arena *arena, const lc_node *want, const lc_node *got, bool show)
{
    static const char *const clients[] = {"terraform", "opentofu"};
    outcome result = PASSED;
    for (size_t i = 0; i < COUNT(clients); i++) {
        const lc_node *a = lc_node_get(want, clients[i]);
        const lc_node *b = got ? lc_node_get(got, clients[i]) : NULL;
        outcome one = !a ? PASSED : b ? compare_client(arena, a, b) : FAILED;
        if (one == FAILED && show)
            printf("%.*s %s:\n  recorded %.*s\n  answer   %.*s\n",
                   LC_FMT(lc_node_get(want, "id")->as.text), clients[i], LC_FMT(text_of(arena, a)),
                   LC_FMT(b ? text_of(arena, b) : LC_STR("none")));
        if (one == FAILED || (one == SKIPPED && result == PASSED))
            result = one;
    }
    return result;
}

/* Recorded results of expressions, files and type constraints. */
static outcome compare_results(lc_arena *arena, const lc_node *want, const lc_node *got, bool show)
{
    static const char *const clients[] = {"ot", "tf"};
    outcome result = PASSED;
    if (got && lc_node_get(got, "skipped"))
        return SKIPPED;
    for (size_t i = 0; i < COUNT(clients); i++) {
        const lc_node *a = lc_node_get(want, clients[i]);
        const lc_node *b = got ? lc_node_get(got, clients[i]) : NULL;
        if (!a || vectors_same_result(arena, a, b))
            continue;
        result = FAILED;
        if (show)
            printf("%.*s %s:\n  recorded %.*s\n  answer   %.*s\n",
                   LC_FMT(lc_node_get(want, "id")->as.text), clients[i], LC_FMT(text_of(arena, a)),
                   LC_FMT(b ? text_of(arena, b) : LC_STR("none")));
    }
    return result;
}

static outcome compare_line(lc_arena *arena, const lc_node *want, const lc_node *got, bool show)
{
    if (vectors_is_result(want))
        return compare_results(arena, want, got, show);
    if (lc_node_get(want, "files"))
        return compare_plans(arena, want, got, show);
    outcome result = PASSED;
    for (size_t i = 0; i < COUNT(members); i++) {
        const lc_node *a = lc_node_get(want, members[i]);
        if (!a)
            continue;
        const lc_node *b = got ? lc_node_get(got, members[i]) : NULL;
        outcome one = compare_member(arena, a, b);
        if (one == FAILED && show)
            printf("%.*s %s: recorded %.*s, got %.*s\n", LC_FMT(lc_node_get(want, "id")->as.text),
                   members[i], LC_FMT(text_of(arena, a)),
                   LC_FMT(b ? text_of(arena, b) : LC_STR("no answer")));
        if (one == FAILED || (one == SKIPPED && result == PASSED))
            result = one;
    }
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: compare RECORDED.jsonl ANSWERS.jsonl\n");
        return 2;
    }
    lc_arena *arena = lc_arena_new();
    lc_source *want, *got;
    size_t want_count, got_count, totals[3] = {0, 0, 0};
    if (!read_lines(&want, &want_count, arena, argv[1]) ||
        !read_lines(&got, &got_count, arena, argv[2]) || want_count == 0) {
        lc_arena_free(arena);
        return 3;
    }
    lc_table answers;
    lc_table_init(&answers, arena);
    for (size_t i = 0; i < got_count; i++)
        lc_table_put(&answers, id_of(&got[i]), &got[i]);
    for (size_t i = 0; i < want_count; i++) {
        const lc_source *answer = lc_table_get(&answers, id_of(&want[i]));
        totals[compare_line(arena, &want[i].documents[0], answer ? &answer->documents[0] : NULL,
                            totals[FAILED] < SHOWN)]++;
    }
    printf("%zu passed, %zu failed, %zu skipped\n", totals[PASSED], totals[FAILED],
           totals[SKIPPED]);
    lc_arena_free(arena);
    return totals[FAILED] != 0;
}
