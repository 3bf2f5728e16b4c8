/* The leaves of a violation as a table: a row for each, a column for each object with a value
 * there. Also the excerpts of long values. */
#include "lifecheck/base/utf8.h"
#include "report/internal.h"

#define GAP        2
#define MOST_WIDE  110 /* of the table, unless reports are folded elsewhere */
#define MOST_CELL  36
#define LEAST_CELL 12
#define MOST_LEAF  48

/* ---- Excerpts. */

static size_t rune_start(lc_str text, size_t at)
{
    while (at > 0 && at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80)
        at--;
    return at;
}

static size_t begin_alike(lc_str a, lc_str b)
{
    size_t i = 0;
    while (i < a.len && i < b.len && a.ptr[i] == b.ptr[i])
        i++;
    return i;
}

/* The offset at which the value begins to differ from the expected one; for the expected value,
 * from the actual one. */
static size_t first_difference(const lc_finding *f, const lc_redacted_text *values,
                               lc_column column)
{
    if (f->promised_by == LC_COLUMN_NONE || f->broken_by == LC_COLUMN_NONE)
        return 0;
    lc_str promised = values[f->promised_by].json, here = values[column].json;
    if (lc_str_eq(promised, here))
        here = values[f->broken_by].json;
    return begin_alike(promised, here);
}

lc_excerpt lc_excerpt_of(const lc_finding *f, const lc_redacted_text *values, lc_column column,
                         size_t most)
{
    lc_str json = values[column].json;
    size_t from = 0, same = first_difference(f, values, column), count = 0;
    if (most == 0 || lc_utf8_count(json) <= most)
        return (lc_excerpt){json, false, false};
    if (same > most / 2 && same < json.len)
        from = rune_start(json, same - most / 4);
    size_t at = from;
    while (at < json.len && count < most) {
        lc_utf8_next(json, &at);
        count++;
    }
    return (lc_excerpt){lc_str_sub(json, from, at), from > 0, at < json.len};
}

/* ---- Which columns. */

static bool is_promise_or_breach(const lc_finding *f, lc_column column)
{
    return column == f->promised_by || column == f->broken_by;
}

bool lc_column_is_informative(const lc_finding *f, const lc_redacted_text *values, lc_column column)
{
    if (!values[column].given)
        return false;
    if (is_promise_or_breach(f, column))
        return true;
    for (int other = 0; other < LC_COLUMN_COUNT; other++) {
        bool before = other < (int)column || is_promise_or_breach(f, (lc_column)other);
        if (before && other != (int)column && values[other].given &&
            lc_str_eq(values[other].json, values[column].json))
            return false;
    }
    return true;
}

/* The columns that have something new for any of the leaves. */
static void evidence_columns(bool out[LC_COLUMN_COUNT], const lc_finding *f)
{
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        out[column] = is_promise_or_breach(f, (lc_column)column);
        for (size_t i = 0; i < f->evidence->count && !out[column]; i++)
            out[column] =
                lc_column_is_informative(f, f->evidence->rows[i].values, (lc_column)column);
    }
}

const char *lc_column_mark(const lc_finding *f, lc_column column)
{
    return column == f->broken_by ? "actual" : column == f->promised_by ? "expected" : "";
}

/* ---- The table. */

typedef struct table {
    const lc_text *text;
    const lc_finding *finding;
    unsigned indent;
    size_t rows;
    bool columns[LC_COLUMN_COUNT];
    size_t leaf, widths[LC_COLUMN_COUNT];
    size_t cell; /* the most that is shown of a value */
} table;

void lc_leaf_add_name(lc_buf *out, const lc_finding *f, const lc_evidence_row *row)
{
    bool same = lc_str_eq(row->path_text, f->path_text);
    if (!row->pointer.len || !same)
        lc_buf_add_str(out, row->path_text);
    if (row->pointer.len)
        lc_buf_printf(out, "%s%.*s", same ? "" : " ", LC_FMT(row->pointer));
}

static void add_cell(lc_buf *out, const table *t, size_t i, lc_column column)
{
    const lc_redacted_text *values = t->finding->evidence->rows[i].values;
    if (!values[column].given) {
        lc_buf_add_char(out, '-');
        return;
    }
    lc_excerpt e = lc_excerpt_of(t->finding, values, column, t->cell);
    lc_buf_add_c(out, e.front ? "..." : "");
    lc_text_words(out, e.text);
    lc_buf_add_c(out, e.back ? "..." : "");
}

static size_t at_least(size_t width, size_t other)
{
    return width > other ? width : other;
}

static size_t measure(table *t)
{
    lc_buf cell = {0};
    size_t all = t->indent + t->leaf;
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!t->columns[column])
            continue;
        t->widths[column] = at_least(lc_str_from_c(lc_column_name((lc_column)column)).len,
                                     lc_str_from_c(lc_column_mark(t->finding, column)).len);
        for (size_t i = 0; i < t->rows; i++) {
            lc_buf_clear(&cell);
            add_cell(&cell, t, i, (lc_column)column);
            t->widths[column] = at_least(t->widths[column], lc_text_columns(lc_buf_str(&cell)));
        }
        all += GAP + t->widths[column];
    }
    lc_buf_release(&cell);
    return all;
}

static void measure_leaves(table *t)
{
    lc_buf name = {0};
    t->leaf = lc_str_from_c("differs").len;
    for (size_t i = 0; i < t->rows; i++) {
        lc_buf_clear(&name);
        lc_leaf_add_name(&name, t->finding, &t->finding->evidence->rows[i]);
        size_t width = lc_text_columns(lc_buf_str(&name));
        t->leaf = at_least(t->leaf, width < MOST_LEAF ? width : MOST_LEAF);
    }
    lc_buf_release(&name);
}

/* Adds the text, padded with spaces to the width. */
static void add_padded(const table *t, lc_str text, size_t width)
{
    size_t count = lc_text_columns(text);
    lc_buf_add_str(t->text->out, text);
    lc_buf_printf(t->text->out, "%*s", (int)((count < width ? width - count : 0) + GAP), "");
}

static void end_line(const table *t)
{
    lc_buf *out = t->text->out;
    while (out->len && out->ptr[out->len - 1] == ' ')
        out->len--;
    lc_buf_add_char(out, '\n');
}

static void add_heads(const table *t, const char *first, bool marks)
{
    lc_buf_printf(t->text->out, "%*s", (int)t->indent, "");
    add_padded(t, lc_str_from_c(first), t->leaf);
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (t->columns[column])
            add_padded(t,
                       lc_str_from_c(marks ? lc_column_mark(t->finding, (lc_column)column)
                                           : lc_column_name((lc_column)column)),
                       t->widths[column]);
    }
    end_line(t);
}

static void add_leaf(const table *t, size_t i)
{
    lc_buf cell = {0}, name = {0};
    lc_buf_printf(t->text->out, "%*s", (int)t->indent, "");
    lc_leaf_add_name(&name, t->finding, &t->finding->evidence->rows[i]);
    lc_text_words(&cell, lc_buf_str(&name));
    add_padded(t, lc_buf_str(&cell), t->leaf);
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!t->columns[column])
            continue;
        lc_buf_clear(&cell);
        add_cell(&cell, t, i, (lc_column)column);
        add_padded(t, lc_buf_str(&cell), t->widths[column]);
    }
    end_line(t);
    lc_buf_release(&cell);
    lc_buf_release(&name);
}

void lc_text_leaves(const lc_text *text, const lc_finding *f, unsigned indent, size_t rows)
{
    size_t most = text->options->width ? text->options->width : MOST_WIDE;
    table t = {.text = text, .finding = f, .indent = indent, .rows = rows, .cell = MOST_CELL};
    evidence_columns(t.columns, f);
    measure_leaves(&t);
    while (measure(&t) > most && t.cell > LEAST_CELL)
        t.cell -= 4;
    add_heads(&t, "differs", false);
    add_heads(&t, "", true);
    for (size_t i = 0; i < rows; i++)
        add_leaf(&t, i);
}
