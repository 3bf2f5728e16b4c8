/* Known findings (baselines): reading, counting, writing.
 *
 * {"lifecheck_baseline": 2, "entries": [
 *  {"fingerprint": "...", "count": 2, "rule": "...", "type": "...", "path": "..."}
 * ]} */
#include "lifecheck/verdict/baseline.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/yaml_json/node.h"

#include <stdlib.h>

#define MAX_COUNT 1000000000u

typedef struct reader {
    lc_baseline *baseline;
    lc_source source;
    lc_diags *diags;
} reader;

void lc_baseline_init(lc_baseline *out, lc_arena *arena, bool learns)
{
    *out = (lc_baseline){.arena = arena, .learns = learns};
    lc_table_init(&out->by_fingerprint, arena);
}

/* ---- Reading. */

static void read_text(reader *r, lc_str *out, const lc_member *member)
{
    if (member->value.kind == LC_NODE_STRING)
        *out = member->value.as.text;
    else
        lc_diag_error(r->diags, lc_node_loc(&r->source, &member->value), "%.*s is a string",
                      LC_FMT(member->key));
}

/* At most nine digits, so that the number cannot overflow. */
static void read_count(reader *r, uint64_t *out, const lc_node *node)
{
    lc_str text = node->kind == LC_NODE_NUMBER ? node->as.text : LC_STR_EMPTY;
    bool ok = text.len > 0 && text.len <= 9;
    *out = 0;
    for (size_t i = 0; ok && i < text.len; i++) {
        ok = lc_is_digit(text.ptr[i]);
        *out = *out * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    if (!ok || *out == 0)
        lc_diag_error(r->diags, lc_node_loc(&r->source, node),
                      "count is a whole number from 1 to %u", MAX_COUNT - 1);
}

static void read_member(reader *r, lc_known *known, const lc_member *member)
{
    if (lc_str_is(member->key, "fingerprint"))
        read_text(r, &known->fingerprint, member);
    else if (lc_str_is(member->key, "rule"))
        read_text(r, &known->rule, member);
    else if (lc_str_is(member->key, "type"))
        read_text(r, &known->type, member);
    else if (lc_str_is(member->key, "path"))
        read_text(r, &known->path, member);
    else if (lc_str_is(member->key, "count"))
        read_count(r, &known->count, &member->value);
    else
        lc_diag_error(r->diags, lc_where_loc(&r->source, member->where),
                      "the key \"%.*s\" is not known in an entry of a baseline",
                      LC_FMT(member->key));
}

static lc_known *add(lc_baseline *b, lc_known known)
{
    lc_known *kept = LC_NEW(b->arena, lc_known);
    *kept = known;
    *LC_PUSH(b->arena, &b->list, lc_known *) = kept;
    lc_table_put(&b->by_fingerprint, kept->fingerprint, kept);
    return kept;
}

static void read_entry(reader *r, const lc_node *node)
{
    lc_known known = {.loc = lc_node_loc(&r->source, node)};
    uint32_t count = node->kind == LC_NODE_MAPPING ? node->count : 0;
    for (uint32_t i = 0; i < count; i++)
        read_member(r, &known, &node->as.members[i]);
    if (known.fingerprint.len == 0 || !lc_node_get(node, "count"))
        lc_diag_error(r->diags, known.loc, "an entry of a baseline has a fingerprint and a count");
    else if (lc_table_get(&r->baseline->by_fingerprint, known.fingerprint))
        lc_diag_error(r->diags, known.loc, "this fingerprint is listed twice");
    else
        add(r->baseline, known);
}

static lc_status refuse(lc_diags *diags, lc_loc loc)
{
    lc_diag_error(diags, loc, "this is not a baseline of version 2; --write-baseline makes one");
    return LC_EINPUT;
}

/* All entries are read, so that all errors are reported at once. */
lc_status lc_baseline_read(lc_baseline *out, lc_str file, lc_str text, lc_diags *diags)
{
    reader r = {.baseline = out, .diags = diags};
    lc_limits limits = LC_LIMITS_DEFAULT;
    size_t errors = diags->errors;
    if (!lc_begins_like_json(text))
        return refuse(diags, (lc_loc){file, 1, 1});
    lc_status status = lc_json_parse(&r.source, out->arena, file, text, &limits, diags);
    if (status != LC_OK)
        return status;
    const lc_node *root = r.source.documents;
    const lc_node *entries = NULL, *version = NULL;
    if (root->kind == LC_NODE_MAPPING) {
        entries = lc_node_get(root, "entries");
        version = lc_node_get(root, "lifecheck_baseline");
    }
    if (!entries || entries->kind != LC_NODE_SEQUENCE || !version ||
        version->kind != LC_NODE_NUMBER || !lc_str_is(version->as.text, "2"))
        return refuse(diags, lc_node_loc(&r.source, root));
    for (uint32_t i = 0; i < entries->count; i++)
        read_entry(&r, &entries->as.items[i]);
    return diags->errors > errors ? LC_EINPUT : LC_OK;
}

/* ---- Counting. */

/* A baseline that learns accepts every finding and counts it. Otherwise only as many findings as
 * listed are known; further ones with the same fingerprint are new. */
bool lc_baseline_take(lc_baseline *b, lc_str fingerprint, lc_str rule, lc_str type, lc_str path)
{
    lc_known *known = lc_table_get(&b->by_fingerprint, fingerprint);
    if (!known && b->learns)
        known = add(b, (lc_known){.fingerprint = lc_str_copy(b->arena, fingerprint),
                                  .rule = lc_str_copy(b->arena, rule),
                                  .type = lc_str_copy(b->arena, type),
                                  .path = lc_str_copy(b->arena, path)});
    if (!known)
        return false;
    if (b->learns)
        known->count++;
    known->found++;
    return known->found <= known->count;
}

/* ---- Writing. */

/* Sorted by what people see, so that findings of one type are neighbours in a review. */
static int compare(const void *a, const void *b)
{
    const lc_known *x = *(lc_known *const *)a, *y = *(lc_known *const *)b;
    int order = lc_str_cmp(x->rule, y->rule);
    order = order ? order : lc_str_cmp(x->type, y->type);
    order = order ? order : lc_str_cmp(x->path, y->path);
    return order ? order : lc_str_cmp(x->fingerprint, y->fingerprint);
}

static void write_known(lc_json *w, const lc_known *known, uint64_t count)
{
    lc_json_break(w, 2);
    lc_json_object(w, NULL);
    lc_json_str(w, "fingerprint", known->fingerprint);
    lc_json_uint(w, "count", count);
    lc_json_str(w, "rule", known->rule);
    lc_json_str(w, "type", known->type);
    lc_json_str(w, "path", known->path);
    lc_json_end_object(w);
}

/* One entry per line, so that changing an entry changes one line. Counts never grow: an entry of
 * which fewer were found gets smaller, unless its rule was not looked for. */
void lc_baseline_print(lc_buf *out, lc_baseline *b)
{
    lc_json w = {.out = out, .spaced = true};
    if (b->list.count)
        qsort(b->list.items, b->list.count, sizeof *b->list.items, compare);
    lc_json_object(&w, NULL);
    lc_json_uint(&w, "lifecheck_baseline", 2);
    lc_json_array(&w, "entries");
    for (size_t i = 0; i < b->list.count; i++) {
        const lc_known *known = b->list.items[i];
        bool less = known->found < known->count && !known->aside;
        uint64_t count = less ? known->found : known->count;
        if (count)
            write_known(&w, known, count);
    }
    if (w.more)
        lc_json_break(&w, 0);
    lc_json_end_array(&w);
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
}

lc_str lc_known_complaint(lc_arena *arena, const lc_known *known)
{
    if (known->found >= known->count || known->aside)
        return LC_STR_EMPTY;
    return lc_str_printf(arena,
                         "the baseline has %llu of %.*s at %.*s in %.*s, and %llu %s found; "
                         "--write-baseline makes it smaller",
                         (unsigned long long)known->count, LC_FMT(known->rule), LC_FMT(known->path),
                         LC_FMT(known->type.len ? known->type : LC_STR("(no type)")),
                         (unsigned long long)known->found, known->found == 1 ? "was" : "were");
}
