/* The values of one run side by side: a row for each path, a column for each object. A value that
 * differs from the state to its left is marked, and so is the value of a finding; paths without a
 * mark are shown on demand. An object that is null as a whole has no column.
 *
 * All values are shown through lc_case_show, which redacts secrets, and the walk does not enter a
 * secret value. */
#include "lifecheck/base/arena.h"
#include "report/html/internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROWS   300
#define FEW_ROWS    12 /* are shown at once, more on demand */
#define MOST_DEPTH  30
#define MOST_SHOWN  160
#define MOST_PROBED 4 /* findings that are linked from one row */
#define SAME        "same"
#define CHANGED     "diff" /* as long */

typedef struct tree {
    lc_buf *out;
    lc_arena *arena;
    const lc_judged *judged;
    const lc_run *run;
    size_t number; /* of the run, from 1 */
    lc_column columns[LC_COLUMN_COUNT];
    size_t count;
    size_t rows, changed; /* of leaves */
    bool cut;
} tree;

/* The values at one path, by column; NULL: no value. */
typedef struct cells {
    const lc_value *at[LC_COLUMN_COUNT];
} cells;

/* ---- Columns. */

static lc_call_ref last_call(const lc_run *run)
{
    lc_call_ref ref = {LC_CALL_PLAN, 0};
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        bool result = call->kind != LC_CALL_UPGRADE && call->kind != LC_CALL_VALIDATE &&
                      call->kind != LC_CALL_UPGRADE_IDENTITY;
        if (result && (lc_field_has_value(&call->result)))
            ref = (lc_call_ref){call->kind, call->index};
    }
    return ref;
}

static void choose_columns(tree *t, cells *roots, bool verbose)
{
    static const lc_column all[] = {
        LC_COLUMN_CONFIG,      LC_COLUMN_PRIOR,         LC_COLUMN_PROPOSED, LC_COLUMN_PLANNED,
        LC_COLUMN_PLAN_CREATE, LC_COLUMN_FINAL_PLANNED, LC_COLUMN_NEW,      LC_COLUMN_REREAD};
    lc_call_ref ref = last_call(t->run);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const lc_field *field = lc_column_field(t->run, ref, all[i]);
        if (!field || !lc_field_has_value(field) || lc_is_null(field->value) ||
            (all[i] == LC_COLUMN_PROPOSED && !verbose))
            continue;
        roots->at[t->count] = field->value;
        t->columns[t->count++] = all[i];
    }
}

/* ---- Cells. */

static bool is_state(lc_column column)
{
    return column != LC_COLUMN_CONFIG && column != LC_COLUMN_PROPOSED;
}

/* Does the value differ from that of the state before? A value that was
 * unknown differs only if the new one contradicts it; a configuration is not a state. */
static bool differs(const tree *t, const cells *row, size_t i)
{
    size_t before = i;
    while (before > 0 && !is_state(t->columns[before - 1]))
        before--;
    if (before == 0 || !is_state(t->columns[i]))
        return false;
    const lc_value *was = row->at[before - 1], *is = row->at[i];
    if (!was || !is)
        return was != is;
    if (!lc_is_wholly_known(was))
        return lc_value_equals(was, is) == LC_FALSE;
    return !lc_value_raw_equal(was, is);
}

static bool is_empty(const tree *t, const cells *row)
{
    for (size_t i = 0; i < t->count; i++) {
        if (row->at[i] && !lc_is_null(row->at[i]))
            return false;
    }
    return true;
}

static lc_str show(const tree *t, lc_path path, const lc_value *value)
{
    return lc_case_show(t->arena, &t->judged->scenario->subject, t->run->schema, path, value).json;
}

/* Is this the value that one of the findings calls wrong? */
static bool is_broken(const tree *t, size_t i, const size_t *found, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (t->judged->judgement.findings.items[found[k]].broken_by == t->columns[i])
            return true;
    }
    return false;
}

static void add_cells(const tree *t, lc_path path, const cells *row, const size_t *found,
                      size_t count)
{
    for (size_t i = 0; i < t->count; i++) {
        lc_buf_printf(t->out, "<td class=\"v%s\">",
                      is_broken(t, i, found, count) ? " broken"
                      : differs(t, row, i)          ? " diff"
                                                    : "");
        if (row->at[i])
            lc_html_value(t->out, show(t, path, row->at[i]), MOST_SHOWN);
        lc_buf_add_c(t->out, "</td>");
    }
}

static bool any_differs(const tree *t, const cells *row)
{
    for (size_t i = 0; i < t->count; i++) {
        if (differs(t, row, i))
            return true;
    }
    return false;
}

/* ---- Rows. */

static bool begins_with(lc_path path, lc_path prefix)
{
    return path.count >= prefix.count && lc_path_eq((lc_path){path.steps, prefix.count}, prefix);
}

/* Is it one of the leaves that differ? */
static bool is_evidence(const lc_finding *f, lc_path path)
{
    lc_buf text = {0};
    bool found = false;
    if (!f->evidence || path.count <= f->path.count || !begins_with(path, f->path))
        return false;
    lc_path_add_text(&text, path);
    for (size_t i = 0; !found && i < f->evidence->count; i++)
        found = lc_str_eq(f->evidence->rows[i].path_text, lc_buf_str(&text));
    lc_buf_release(&text);
    return found;
}

/* A leaf also has the findings about paths inside of it, and those that it is evidence of. */
static bool is_about(const tree *t, size_t finding, lc_path path, bool leaf)
{
    const lc_finding *f = &t->judged->judgement.findings.items[finding];
    if (f->run != t->number || lc_shown_severity(t->judged, finding) == LC_HIDDEN)
        return false;
    if (leaf && is_evidence(f, path))
        return true;
    return path.count > 0 && begins_with(f->path, path) && (leaf || f->path.count == path.count);
}

static size_t find_about(const tree *t, lc_path path, bool leaf, size_t found[MOST_PROBED])
{
    size_t count = 0;
    for (size_t i = 0; count < MOST_PROBED && i < t->judged->judgement.findings.count; i++) {
        if (is_about(t, i, path, leaf))
            found[count++] = i;
    }
    return count;
}

static void add_name(const tree *t, lc_path path)
{
    lc_buf text = {0}, words = {0};
    lc_path last = {path.steps + path.count - 1, 1};
    lc_path_add_text(&text, last);
    lc_text_words(&words, lc_buf_str(&text));
    for (size_t i = 1; i < path.count; i++)
        lc_buf_add_c(t->out, "&emsp;");
    lc_markup_add(t->out, lc_buf_str(&words));
    lc_buf_release(&text);
    lc_buf_release(&words);
}

/* Returns the position in the page of the flag for a changed row. For a row with children it is
 * filled in after they are written. */
static size_t add_row(tree *t, lc_path path, const cells *row, bool leaf)
{
    size_t found[MOST_PROBED], count = find_about(t, path, leaf, found), mark;
    bool changed = count || (leaf && any_differs(t, row));
    lc_buf_add_c(t->out, "<tr class=\"");
    mark = t->out->len;
    lc_buf_printf(t->out, "%s%s\"><th scope=\"row\" class=\"path\">", changed ? CHANGED : SAME,
                  count ? " broken" : "");
    add_name(t, path);
    for (size_t i = 0; i < count; i++)
        lc_buf_printf(t->out, " <a href=\"#%cf%zu\" title=\"finding %zu\">&#10007;</a>",
                      LC_HTML_MARK, found[i] + 1, found[i] + 1);
    lc_buf_add_c(t->out, "</th>");
    if (leaf)
        add_cells(t, path, row, found, count);
    else
        lc_buf_printf(t->out, "<td class=\"d\" colspan=\"%zu\"></td>", t->count);
    lc_buf_add_c(t->out, "</tr>\n");
    t->rows += leaf;
    t->changed += changed;
    return mark;
}

/* ---- The walk: children of all values at a path, in order. */

typedef enum shape { LEAF, MEMBERS, ITEMS } shape;

static shape shape_of(const lc_value *v)
{
    switch (v->type->kind) {
    case LC_TYPE_OBJECT:
    case LC_TYPE_MAP:
        return MEMBERS;
    case LC_TYPE_LIST:
    case LC_TYPE_TUPLE:
        return ITEMS;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
    case LC_TYPE_SET:
        break;
    }
    return LEAF;
}

/* A row has children if its values have the same shape, none is secret, and one is not empty. */
static shape shape_of_row(const tree *t, lc_path path, const cells *row)
{
    shape found = LEAF;
    size_t parts = 0;
    for (size_t i = 0; i < t->count; i++) {
        const lc_value *v = row->at[i];
        if (!v || lc_is_null(v))
            continue;
        shape one = lc_is_known(v) ? shape_of(v) : LEAF;
        if (one == LEAF || (found != LEAF && one != found))
            return LEAF;
        found = one;
        parts += v->count;
    }
    if (parts == 0)
        return LEAF;
    for (size_t i = 0; found != LEAF && i < t->count; i++) {
        if (row->at[i] &&
            lc_case_show(t->arena, &t->judged->scenario->subject, t->run->schema, path, row->at[i])
                .secret)
            return LEAF;
    }
    return path.count > MOST_DEPTH ? LEAF : found;
}

static lc_str key_at(const lc_value *v, size_t i)
{
    return v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
}

static const lc_value *member(const lc_value *v, lc_str key)
{
    if (!v || !lc_is_known(v))
        return NULL;
    return v->type->kind == LC_TYPE_MAP ? lc_value_key(v, key) : lc_value_attr(v, key);
}

/* Keys of all columns, sorted, each once. */
static size_t collect_keys(const tree *t, const cells *row, lc_str **out)
{
    size_t total = 0, count = 0, kept = 0;
    for (size_t i = 0; i < t->count; i++)
        total += row->at[i] && lc_is_known(row->at[i]) ? row->at[i]->count : 0;
    *out = LC_NEW_ARRAY(t->arena, lc_str, total);
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; row->at[i] && lc_is_known(row->at[i]) && k < row->at[i]->count; k++)
            (*out)[count++] = key_at(row->at[i], k);
    }
    lc_str_sort(*out, count);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || !lc_str_eq((*out)[kept - 1], (*out)[i]))
            (*out)[kept++] = (*out)[i];
    }
    return kept;
}

static void walk(tree *t, const lc_trail *up, const cells *row);

static void walk_members(tree *t, const lc_trail *up, const cells *row)
{
    lc_str *keys;
    size_t count = collect_keys(t, row, &keys);
    for (size_t k = 0; k < count && !t->cut; k++) {
        cells child = {{NULL}};
        bool map = false;
        for (size_t i = 0; i < t->count; i++) {
            child.at[i] = member(row->at[i], keys[k]);
            map |= child.at[i] && row->at[i]->type->kind == LC_TYPE_MAP;
        }
        lc_trail step = map ? lc_trail_key(up, keys[k]) : lc_trail_attr(up, keys[k]);
        walk(t, &step, &child);
    }
}

static void walk_items(tree *t, const lc_trail *up, const cells *row)
{
    size_t most = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (row->at[i] && lc_is_known(row->at[i]) && row->at[i]->count > most)
            most = row->at[i]->count;
    }
    for (size_t k = 0; k < most && !t->cut; k++) {
        cells child = {{NULL}};
        for (size_t i = 0; i < t->count; i++) {
            const lc_value *v = row->at[i];
            if (v && lc_is_known(v) && k < v->count)
                child.at[i] = &v->as.many.elems[k];
        }
        lc_trail step = lc_trail_index(up, k);
        walk(t, &step, &child);
    }
}

/* `up` is NULL at the root, which has no row of its own. */
static void walk(tree *t, const lc_trail *up, const cells *row)
{
    lc_path path = up ? lc_path_from_trail(t->arena, up) : LC_PATH_ROOT;
    if (is_empty(t, row))
        return;
    if (t->rows >= MOST_ROWS) {
        t->cut = true;
        return;
    }
    shape parts = shape_of_row(t, path, row);
    size_t mark = up ? add_row(t, path, row, parts == LEAF) : 0, before = t->changed;
    if (parts == MEMBERS)
        walk_members(t, up, row);
    else if (parts == ITEMS)
        walk_items(t, up, row);
    if (up && t->changed > before)
        memcpy(t->out->ptr + mark, CHANGED, sizeof CHANGED - 1);
}

static void add_table(tree *t, const cells *roots)
{
    lc_html_begin_table(t->out, "tree", "values");
    lc_buf_add_c(t->out, "<th scope=\"col\">path</th>");
    for (size_t i = 0; i < t->count; i++)
        lc_buf_printf(t->out, "<th scope=\"col\">%s</th>", lc_column_name(t->columns[i]));
    lc_buf_add_c(t->out, "</tr></thead><tbody>\n");
    walk(t, NULL, roots);
    lc_html_end_table(t->out);
    if (t->changed)
        lc_buf_add_c(t->out, "<p class=\"dim\"><span class=\"key broken\">violation</span> "
                             "<span class=\"key diff\">differs from the state before</span></p>\n");
    if (t->cut)
        lc_buf_printf(t->out, "<p class=\"dim\">Only the first %d paths are shown.</p>\n",
                      MOST_ROWS);
}

/* If there are few paths, all are shown. Of many, those that change are shown, the others when
 * the box is ticked. */
static void add_frame(lc_buf *out, const tree *t, bool verbose)
{
    bool few = t->rows <= FEW_ROWS, some = !few && !t->cut && t->changed && !verbose;
    lc_buf_printf(out, "<details%s><summary class=\"dim\">values</summary>\n",
                  few || some ? " open" : "");
    if (some)
        lc_buf_printf(out,
                      "<input type=\"checkbox\" class=\"all\" id=\"%cr%zu\"><label for=\"%cr%zu\" "
                      "class=\"dim\">all %zu paths</label>\n",
                      LC_HTML_MARK, t->number, LC_HTML_MARK, t->number, t->rows);
    lc_buf_add_str(out, lc_buf_str(t->out));
    lc_buf_add_c(out, "</details>\n");
}

void lc_html_tree(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                  size_t run)
{
    lc_buf table = {0};
    tree t = {.out = &table,
              .arena = lc_arena_new(),
              .judged = judged,
              .run = &judged->scenario->subject.runs.items[run],
              .number = run + 1};
    cells roots = {{NULL}};
    choose_columns(&t, &roots, options->verbose);
    if (t.count && t.run->schema) {
        add_table(&t, &roots);
        add_frame(out, &t, options->verbose);
    }
    lc_buf_release(&table);
    lc_arena_free(t.arena);
}
