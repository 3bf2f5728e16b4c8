/* The evidence of a finding about an object, list, map or set: the leaves in which the required and
 * the returned value differ. An element of a set without an equal is compared with the most similar
 * one. A string that is a JSON or YAML document has leaves itself. */
#include "contract/diff/value_diff.h"
#include "contract/judge.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"

#include <string.h>

#define MAX_ROWS       20
#define MAX_STEPS      100000 /* pairs of values that are visited for one finding */
#define MAX_CANDIDATES 8      /* partners that are tried for each part of a set element */
#define MAX_DOCUMENT   (1024 * 1024)
#define MAX_OTHER      (128 * 1024) /* for the other columns, each of which is parsed as well */
#define MAX_PART       4096         /* bytes of JSON shown for one place of a document */

/* The search for one finding: rows so far, and where it is in relation to sets. */
typedef struct search {
    lc_judge *j;
    lc_finding *finding;
    LC_VEC(lc_evidence_row) rows;
    size_t more, steps;
    /* Below a set (`apart`) a place of another column is looked up in that column's most similar
     * element. */
    bool apart;
    size_t base;                                   /* number of steps to the element */
    const lc_value *partners[LC_COLUMN_COUNT + 1]; /* NULL for the two compared columns */
} search;

static void show(search *s, lc_evidence_row *row, lc_column column, lc_path path, const lc_value *v)
{
    if (column != LC_COLUMN_NONE && v)
        row->values[column] =
            lc_show(s->j->report, lc_sensitivity_at(s->j->sensitivity, path), v, v->type);
}

/* The value of another column at a path; NULL: there is no value, or it cannot be determined which
 * one it is. */
static const lc_value *other_part(search *s, lc_column column, lc_path path)
{
    if (!s->apart)
        return lc_column_part(s->j, column, s->finding->call.kind, path);
    lc_path below = {path.steps + s->base, path.count - s->base};
    return s->partners[column] ? lc_path_apply(s->j->scratch, s->partners[column], below) : NULL;
}

static void show_others(search *s, lc_evidence_row *row, lc_path path)
{
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!row->values[column].given && s->finding->values[column].given)
            show(s, row, (lc_column)column, path, other_part(s, (lc_column)column, path));
    }
}

/* A value that was planned unknown may become anything; rules report the exceptions. */
static bool was_open(const search *s, const lc_value *a, const lc_value *b)
{
    lc_column by = s->finding->promised_by;
    return a && b && lc_is_unknown(a) &&
           (by == LC_COLUMN_PLANNED || by == LC_COLUMN_PLAN_CREATE ||
            by == LC_COLUMN_FINAL_PLANNED);
}

/* A Computed attribute that is not configured is the provider's to choose. */
static bool is_free(const search *s, const lc_trail *at, const lc_value *a)
{
    if (s->finding->promised_by != LC_COLUMN_CONFIG || !lc_is_null(a))
        return false;
    const lc_attribute *attribute =
        lc_block_attribute_at(s->j->view->block, lc_path_from_trail(s->j->scratch, at));
    return attribute && attribute->computed;
}

static lc_evidence_row *new_row(search *s, lc_path path)
{
    if (s->rows.count == MAX_ROWS) {
        s->more++;
        return NULL;
    }
    lc_buf text = {0}, steps = {0};
    lc_evidence_row *row = LC_PUSH(s->j->report, &s->rows, lc_evidence_row);
    lc_show_path(&text, &steps, s->j->sensitivity, path);
    row->path_text = lc_buf_take(s->j->report, &text);
    lc_buf_release(&steps);
    return row;
}

/* ---- Documents in strings. */

typedef struct documents {
    const lc_node *roots[LC_COLUMN_COUNT]; /* NULL: the column has no document there */
} documents;

static bool is_text(const lc_value *v)
{
    return v && v->type->kind == LC_TYPE_STRING && lc_is_known(v) &&
           v->as.string.len <= MAX_DOCUMENT;
}

/* Parse the other columns as documents of the same kind as the required string, or ignore them. */
static void read_others(search *s, lc_arena *arena, documents *d, lc_path path, lc_str promised)
{
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        const lc_value *v = s->finding->values[column].given && !d->roots[column]
                                ? other_part(s, (lc_column)column, path)
                                : NULL;
        lc_source *both = lc_arena_alloc(arena, 2 * sizeof *both);
        if (is_text(v) && v->as.string.len <= MAX_OTHER && promised.len <= MAX_OTHER &&
            lc_parse_both_documents(both, arena, promised, v->as.string))
            d->roots[column] = &both[1].documents[0];
    }
}

static lc_redacted_text show_part(search *s, const lc_node *node)
{
    lc_redacted_text shown = {true, false, LC_STR_EMPTY};
    lc_buf text = {.limit = MAX_PART};
    lc_sensitivity_mark root = lc_sensitivity_root(s->j->sensitivity);
    lc_node_add_json(&text, node);
    if (text.overflow) {
        lc_buf_clear(&text);
        lc_show_elided(&text, lc_str_from_c(lc_node_kind_name(node)));
    }
    if (lc_mark_knows(root, lc_buf_str(&text)) ||
        (node->kind == LC_NODE_STRING && lc_mark_knows(root, node->as.text))) {
        lc_buf_clear(&text);
        lc_show_secret(&text);
        shown.secret = true;
    }
    shown.json = lc_buf_take(s->j->report, &text);
    return shown;
}

/* The node of a column at the place of a difference. If items were inserted into an array, the same
 * index is another item in the other columns, so nothing is shown of them. */
static const lc_node *part_in(const search *s, const documents *d, lc_column column,
                              const lc_document_difference *difference)
{
    if (column == s->finding->promised_by)
        return difference->a;
    if (column == s->finding->broken_by)
        return difference->b;
    bool moved = difference->at->in_array && (!difference->a || !difference->b);
    return d->roots[column] && !moved ? lc_document_at(d->roots[column], difference->at) : NULL;
}

static void add_pointer_row(search *s, const documents *d, lc_path path,
                            const lc_document_difference *difference)
{
    lc_evidence_row *row = new_row(s, path);
    lc_buf pointer = {0};
    if (!row)
        return;
    lc_pointer_add(&pointer, difference->at);
    row->pointer = lc_buf_copy(s->j->report, &pointer);
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        const lc_node *node = part_in(s, d, (lc_column)column, difference);
        if (node)
            row->values[column] = show_part(s, node);
    }
    lc_buf_release(&pointer);
}

static bool compare_documents(search *s, lc_arena *arena, lc_path path, lc_str a, lc_str b)
{
    lc_document_differences differences;
    documents d = {{NULL}};
    lc_source both[2];
    if (!lc_parse_both_documents(both, arena, a, b))
        return false;
    lc_documents_compare(&differences, arena, &both[0].documents[0], &both[1].documents[0]);
    if (differences.count == 0 || !differences.first.items[0].at)
        return false;
    d.roots[s->finding->promised_by] = &both[0].documents[0];
    d.roots[s->finding->broken_by] = &both[1].documents[0];
    read_others(s, arena, &d, path, a);
    for (size_t i = 0; i < differences.first.count; i++)
        add_pointer_row(s, &d, path, &differences.first.items[i]);
    s->more += differences.count - differences.first.count;
    return true;
}

/* Add a row for each differing place of two documents. False: the strings are not documents, or
 * they differ only as a whole or in form. A document with a secret inside counts as one secret. */
static bool add_documents(search *s, lc_path path, const lc_value *a, const lc_value *b)
{
    const lc_finding *f = s->finding;
    lc_sensitivity_mark place = lc_sensitivity_at(s->j->sensitivity, path);
    if (!is_text(a) || !is_text(b) || f->promised_by == LC_COLUMN_NONE ||
        f->broken_by == LC_COLUMN_NONE || lc_sensitivity_touched(place) ||
        lc_mark_knows_any(place, a) || lc_mark_knows_any(place, b))
        return false;
    bool big = a->as.string.len + b->as.string.len > LC_BIG_TEXTS;
    lc_arena *arena = big ? lc_arena_new() : s->j->scratch;
    bool added = compare_documents(s, arena, path, a->as.string, b->as.string);
    if (big)
        lc_arena_free(arena);
    return added;
}

/* ---- Rows. */

/* Add a row for a leaf; `a` or `b` is NULL where the place is missing. */
static void add_row(search *s, const lc_trail *at, const lc_value *a, const lc_value *b)
{
    lc_path path = lc_path_from_trail(s->j->scratch, at);
    if (was_open(s, a, b) || add_documents(s, path, a, b))
        return;
    lc_evidence_row *row = new_row(s, path);
    if (!row)
        return;
    show(s, row, s->finding->promised_by, path, a);
    show(s, row, s->finding->broken_by, path, b);
    show_others(s, row, path);
}

static void walk(search *s, const lc_trail *at, const lc_value *a, const lc_value *b);

/* ---- Sets: each element without an equal is compared with the most similar one of the others. */

typedef struct strays {
    const lc_value **items;
    size_t count;
} strays;

/* The elements of `of` that have no equal in `in`, found by hash. */
static strays without_equal(search *s, const lc_value *of, const lc_value *in)
{
    strays out = {LC_NEW_ARRAY(s->j->scratch, const lc_value *, of->count), 0};
    lc_table all;
    lc_table_init(&all, s->j->scratch);
    for (size_t i = 0; i < in->count; i++) {
        uint64_t *key = LC_NEW(s->j->scratch, uint64_t);
        *key = lc_value_hash(&in->as.many.elems[i]);
        lc_table_put(&all, LC_BYTES_OF(*key), key);
    }
    for (size_t i = 0; i < of->count; i++) {
        uint64_t key = lc_value_hash(&of->as.many.elems[i]);
        if (!lc_table_get(&all, LC_BYTES_OF(key)))
            out.items[out.count++] = &of->as.many.elems[i];
    }
    return out;
}

/* How many attributes of two objects are the same. */
static size_t equal_parts(const lc_value *a, const lc_value *b)
{
    size_t same = 0;
    for (size_t i = 0; i < a->count && i < b->count; i++)
        same += lc_value_same(&a->as.many.elems[i], &b->as.many.elems[i]);
    return same;
}

/* The elements that have a certain value in a certain attribute; only the first few are compared.
 */
typedef struct holders {
    size_t at[MAX_CANDIDATES];
    size_t count;
} holders;

static uint64_t part_key(const lc_value *v, size_t part)
{
    return lc_hash_mix((uint64_t)part, lc_value_hash(&v->as.many.elems[part]));
}

static void index_parts(search *s, lc_table *table, const strays *others)
{
    lc_table_init(table, s->j->scratch);
    for (size_t i = 0; i < others->count; i++) {
        for (size_t part = 0; lc_is_known(others->items[i]) && part < others->items[i]->count;
             part++) {
            uint64_t *key = LC_NEW(s->j->scratch, uint64_t);
            *key = part_key(others->items[i], part);
            lc_str text = LC_BYTES_OF(*key);
            holders *h = lc_table_get(table, text);
            if (!h) {
                h = LC_NEW(s->j->scratch, holders);
                lc_table_put(table, text, h);
            }
            if (h->count < MAX_CANDIDATES)
                h->at[h->count++] = i;
        }
    }
}

/* The element with the most equal attributes that is not taken, found by an index of attribute
 * values, so that not all pairs are compared; others->count if there is no such element. */
static size_t nearest(const lc_table *table, const strays *others, const bool *taken,
                      const lc_value *x)
{
    size_t best = others->count, most = 0;
    for (size_t part = 0; part < x->count; part++) {
        uint64_t key = part_key(x, part);
        const holders *h = lc_table_get(table, LC_BYTES_OF(key));
        for (size_t i = 0; h && i < h->count; i++) {
            size_t near = taken[h->at[i]] ? 0 : equal_parts(x, others->items[h->at[i]]);
            if (near > most) {
                most = near;
                best = h->at[i];
            }
        }
    }
    return best;
}

static bool pairs_up(const lc_value *x)
{
    return x->type->kind == LC_TYPE_OBJECT && lc_is_known(x);
}

/* The sets of the other columns, indexed once to look for the same element in each. */
typedef struct columns {
    strays all[LC_COLUMN_COUNT];
    lc_table tables[LC_COLUMN_COUNT];
    bool *none; /* all false: an element may correspond to several */
} columns;

static void index_columns(search *s, columns *c, const lc_trail *at)
{
    lc_path path = lc_path_from_trail(s->j->scratch, at);
    size_t most = 0;
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        const lc_value *v =
            s->finding->values[column].given ? other_part(s, (lc_column)column, path) : NULL;
        c->all[column] = (strays){0};
        if (!v || v->type->kind != LC_TYPE_SET || !lc_is_known(v) ||
            v->type->as.elem->kind != LC_TYPE_OBJECT)
            continue;
        c->all[column].items = LC_NEW_ARRAY(s->j->scratch, const lc_value *, v->count);
        for (size_t i = 0; i < v->count; i++)
            c->all[column].items[c->all[column].count++] = &v->as.many.elems[i];
        index_parts(s, &c->tables[column], &c->all[column]);
        most = v->count > most ? v->count : most;
    }
    c->none = lc_arena_zalloc(s->j->scratch, most);
}

/* Find the most similar element in each other column, if at least half of its attributes are equal:
 * a wrong partner would suggest a change that never happened. */
static void find_partners(search *s, const columns *c, const lc_value *x, size_t base)
{
    s->base = base;
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        const strays *all = &c->all[column];
        size_t near =
            all->count && pairs_up(x) ? nearest(&c->tables[column], all, c->none, x) : all->count;
        bool good = near < all->count && equal_parts(x, all->items[near]) * 2 >= x->count;
        s->partners[column] = good ? all->items[near] : NULL;
    }
    s->partners[s->finding->promised_by] = s->partners[s->finding->broken_by] = NULL;
}

/* Begin an element. Partners in other columns are searched in the outermost set only: a guess
 * inside another guess is not reliable. */
static void begin_element(search *s, const columns *c, const lc_trail *at, const lc_value *x,
                          bool outermost)
{
    s->apart = true;
    if (outermost && s->rows.count < MAX_ROWS)
        find_partners(s, c, x, lc_trail_depth(at) + 1);
    else
        memset(s->partners, 0, sizeof s->partners);
}

static void walk_set(search *s, const lc_trail *at, const lc_value *a, const lc_value *b)
{
    strays mine = without_equal(s, a, b), others = without_equal(s, b, a);
    bool *taken = lc_arena_zalloc(s->j->scratch, others.count), apart = s->apart;
    lc_table table;
    columns c;
    bool objects = a->type == b->type && a->type->as.elem->kind == LC_TYPE_OBJECT;
    if (objects)
        index_parts(s, &table, &others);
    if (!apart)
        index_columns(s, &c, at);
    for (size_t i = 0; i < mine.count; i++) {
        lc_trail trail = lc_trail_element(at, mine.items[i]);
        size_t near = objects && pairs_up(mine.items[i])
                          ? nearest(&table, &others, taken, mine.items[i])
                          : others.count;
        if (near < others.count)
            taken[near] = true;
        begin_element(s, &c, at, mine.items[i], !apart);
        if (near < others.count)
            walk(s, &trail, mine.items[i], others.items[near]);
        else
            add_row(s, &trail, mine.items[i], NULL);
    }
    for (size_t i = 0; i < others.count; i++) {
        lc_trail trail = lc_trail_element(at, others.items[i]);
        if (taken[i])
            continue;
        begin_element(s, &c, at, others.items[i], !apart);
        add_row(s, &trail, NULL, others.items[i]);
    }
    s->apart = apart;
}

/* ---- Other containers. */

static void walk_sequence(search *s, const lc_trail *at, const lc_value *a, const lc_value *b)
{
    size_t most = a->count > b->count ? a->count : b->count;
    for (size_t i = 0; i < most; i++) {
        lc_trail trail = lc_trail_index(at, i);
        const lc_value *x = i < a->count ? &a->as.many.elems[i] : NULL;
        const lc_value *y = i < b->count ? &b->as.many.elems[i] : NULL;
        if (x && y)
            walk(s, &trail, x, y);
        else
            add_row(s, &trail, x, y);
    }
}

/* Merge two lists of names, both of which are sorted. */
static void walk_named(search *s, const lc_trail *at, const lc_value *a, const lc_value *b)
{
    bool map = a->type->kind == LC_TYPE_MAP;
    for (size_t i = 0, k = 0; i < a->count || k < b->count;) {
        lc_str x = i == a->count ? LC_STR_EMPTY
                   : map         ? a->as.many.keys[i]
                                 : a->type->as.attrs[i].name;
        lc_str y = k == b->count ? LC_STR_EMPTY
                   : map         ? b->as.many.keys[k]
                                 : b->type->as.attrs[k].name;
        int order = i == a->count ? 1 : k == b->count ? -1 : lc_str_cmp(x, y);
        lc_str name = order > 0 ? y : x;
        lc_trail trail = map ? lc_trail_key(at, name) : lc_trail_attr(at, name);
        const lc_value *p = order <= 0 ? &a->as.many.elems[i++] : NULL;
        const lc_value *q = order >= 0 ? &b->as.many.elems[k++] : NULL;
        if (p && q)
            walk(s, &trail, p, q);
        else
            add_row(s, &trail, p, q);
    }
}

static void walk(search *s, const lc_trail *at, const lc_value *a, const lc_value *b)
{
    if (++s->steps > MAX_STEPS || lc_value_same(a, b) || is_free(s, at, a))
        return;
    bool both = lc_is_known(a) && lc_is_known(b) && a->type->kind == b->type->kind;
    if (both && (a->type->kind == LC_TYPE_OBJECT || a->type->kind == LC_TYPE_MAP))
        walk_named(s, at, a, b);
    else if (both && (a->type->kind == LC_TYPE_LIST || a->type->kind == LC_TYPE_TUPLE))
        walk_sequence(s, at, a, b);
    else if (both && a->type->kind == LC_TYPE_SET)
        walk_set(s, at, a, b);
    else
        add_row(s, at, a, b);
}

/* The trail of a path. */
static const lc_trail *trail_of(lc_arena *arena, lc_path path)
{
    const lc_trail *up = NULL;
    for (size_t i = 0; i < path.count; i++) {
        lc_trail *trail = LC_NEW(arena, lc_trail);
        *trail = (lc_trail){up, path.steps[i]};
        up = trail;
    }
    return up;
}

static void search_values(search *s, const lc_value *promised, const lc_value *broken)
{
    if (lc_type_is_primitive(promised->type))
        add_documents(s, s->finding->path, promised, broken);
    else
        walk(s, trail_of(s->j->scratch, s->finding->path), promised, broken);
}

void lc_finding_evidence(lc_judge *j, lc_finding *f, const lc_value *promised,
                         const lc_value *broken)
{
    if (f->path.count == 0 || !lc_is_known(promised) || !lc_is_known(broken))
        return;
    search s = {.j = j, .finding = f};
    search_values(&s, promised, broken);
    if (!s.rows.count)
        return;
    lc_evidence *evidence = LC_NEW(j->report, lc_evidence);
    *evidence = (lc_evidence){s.rows.items, s.rows.count, s.more};
    f->evidence = evidence;
}
