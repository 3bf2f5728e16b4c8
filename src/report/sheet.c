/* Titles and tables as Markdown and HTML: for commands that compare. */
#include "lifecheck/report/sheet.h"
#include "report/html/internal.h"

#include <string.h>

#define RESERVE   512 /* bytes below the limit that stay free for the last sentence */
#define MOST_ROWS 500 /* that a table in HTML shows */

/* Are the cells of this column code: names, paths, addresses? */
static bool is_code(const lc_sheet_part *part, size_t column)
{
    return part->codes >> column & 1;
}

static bool is_empty(const lc_sheet_part *part)
{
    return part->rows.count == 0 && part->lines.count == 0;
}

static bool has_severities(const lc_sheet_part *part)
{
    for (size_t i = 0; i < part->rows.count; i++) {
        if (part->rows.items[i].severity != LC_HIDDEN)
            return true;
    }
    return false;
}

/* LC_HIDDEN: the row has no severity. */
static const char *severity_words(lc_severity severity)
{
    return severity == LC_HIDDEN ? "" : lc_severity_name(severity);
}

/* ---- Markdown. A `limit` of bytes is that of a comment on a forge; 0: none. */

static void add_row(lc_buf *out, const lc_sheet_part *part, const lc_sheet_row *row)
{
    if (has_severities(part))
        lc_buf_printf(out, "| %s ", severity_words(row->severity));
    for (size_t i = 0; i < part->columns; i++) {
        lc_buf_add_c(out, "| ");
        if (is_code(part, i) && row->cells[i].len)
            lc_markdown_code(out, row->cells[i], true);
        else
            lc_markdown_words(out, row->cells[i]);
        lc_buf_add_char(out, ' ');
    }
    lc_buf_add_c(out, "|\n");
}

static void add_heads(lc_buf *out, const lc_sheet_part *part)
{
    bool severities = has_severities(part);
    lc_buf_add_c(out, severities ? "| " : "");
    for (size_t i = 0; i < part->columns; i++)
        lc_buf_printf(out, "| %s ", part->heads[i]);
    lc_buf_add_c(out, severities ? "|\n|---" : "|\n");
    for (size_t i = 0; i < part->columns; i++)
        lc_buf_add_c(out, "|---");
    lc_buf_add_c(out, "|\n");
}

/* Adds the piece if it fits below the limit, and empties it. False: it does not fit. */
static bool add_piece(lc_buf *out, lc_buf *piece, size_t limit)
{
    bool fits = !limit || out->len + piece->len + RESERVE <= limit;
    if (fits)
        lc_buf_add_str(out, lc_buf_str(piece));
    lc_buf_clear(piece);
    return fits;
}

/* Returns how many rows are left out. */
static size_t add_rows(lc_buf *out, const lc_sheet_part *part, size_t limit)
{
    lc_buf piece = {0};
    bool room = true;
    size_t left = part->rows.count;
    if (left) {
        add_heads(&piece, part);
        room = add_piece(out, &piece, limit);
    }
    for (size_t i = 0; room && i < part->rows.count; i++) {
        add_row(&piece, part, &part->rows.items[i]);
        room = add_piece(out, &piece, limit);
        left -= room;
    }
    lc_buf_add_c(out, part->rows.count ? "\n" : "");
    lc_buf_release(&piece);
    return left;
}

/* Returns how many lines are left out. */
static size_t add_lines(lc_buf *out, const lc_sheet_part *part, size_t limit)
{
    lc_buf piece = {0};
    size_t left = part->lines.count;
    for (size_t i = 0; i < part->lines.count; i++) {
        lc_buf_add_c(&piece, "* ");
        lc_markdown_words(&piece, part->lines.items[i]);
        lc_buf_add_char(&piece, '\n');
        if (!add_piece(out, &piece, limit))
            break;
        left--;
    }
    lc_buf_add_c(out, part->lines.count ? "\n" : "");
    lc_buf_release(&piece);
    return left;
}

/* Returns how many rows and lines of the part are left out. */
static size_t add_part(lc_buf *out, const lc_sheet_part *part, size_t limit)
{
    lc_buf head = {0};
    lc_buf_printf(&head, part->folded ? "<details><summary>%s</summary>\n\n" : "### %s\n\n",
                  part->title);
    if (part->clause)
        lc_buf_printf(&head, "%s\n\n", part->clause);
    bool fits = add_piece(out, &head, limit);
    lc_buf_release(&head);
    if (!fits)
        return part->rows.count + part->lines.count;
    size_t left = add_rows(out, part, limit);
    left += add_lines(out, part, limit);
    lc_buf_add_c(out, part->folded ? "</details>\n\n" : "");
    return left;
}

void lc_sheet_markdown(lc_buf *out, const lc_sheet *sheet, size_t limit)
{
    size_t left = 0;
    lc_buf_add_c(out, "## ");
    lc_markdown_words(out, sheet->title);
    lc_buf_add_c(out, "\n\n");
    for (size_t i = 0; i < sheet->notes.count; i++) {
        lc_markdown_words(out, sheet->notes.items[i]);
        lc_buf_add_c(out, "\n\n");
    }
    for (size_t i = 0; i < sheet->parts.count; i++) {
        if (!is_empty(&sheet->parts.items[i]))
            left += add_part(out, &sheet->parts.items[i], limit);
    }
    if (left)
        lc_buf_printf(out,
                      "%zu more row%s not shown: the report would be too long. The reports html "
                      "and json have everything.\n",
                      left, left == 1 ? " is" : "s are");
}

/* ---- HTML. */

static void add_html_words(lc_buf *out, lc_str text)
{
    lc_buf words = {0};
    lc_text_words(&words, text);
    lc_markup_add(out, lc_buf_str(&words));
    lc_buf_release(&words);
}

static void add_html_cell(lc_buf *out, const lc_sheet_part *part, const lc_sheet_row *row,
                          size_t column, lc_str rules_url)
{
    bool link = rules_url.len && strcmp(part->heads[column], "rule") == 0;
    lc_buf_printf(out, "<td data-c=\"%s\">", part->heads[column]);
    if (link) {
        lc_buf_add_c(out, "<a href=\"");
        lc_markup_add(out, rules_url);
        lc_markup_add(out, row->cells[column]);
        lc_buf_add_c(out, "\">");
    }
    lc_buf_add_c(out, is_code(part, column) ? "<code>" : "");
    add_html_words(out, row->cells[column]);
    lc_buf_add_c(out, is_code(part, column) ? "</code>" : "");
    lc_buf_add_c(out, link ? "</a></td>" : "</td>");
}

static void add_html_rows(lc_buf *out, const lc_sheet_part *part, lc_str rules_url)
{
    bool severities = has_severities(part);
    lc_html_begin_table(out, "values sheet", part->title);
    lc_buf_add_c(out, severities ? "<th scope=\"col\">severity</th>" : "");
    for (size_t i = 0; i < part->columns; i++)
        lc_buf_printf(out, "<th scope=\"col\">%s</th>", part->heads[i]);
    lc_buf_add_c(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < part->rows.count && i < MOST_ROWS; i++) {
        const char *severity = severity_words(part->rows.items[i].severity);
        lc_buf_add_c(out, "<tr>");
        if (severities)
            lc_buf_printf(out, "<td data-c=\"severity\"><span class=\"badge %s\">%s</span></td>",
                          severity, severity);
        for (size_t k = 0; k < part->columns; k++)
            add_html_cell(out, part, &part->rows.items[i], k, rules_url);
        lc_buf_add_c(out, "</tr>\n");
    }
    lc_html_end_table(out);
    if (part->rows.count > MOST_ROWS)
        lc_buf_printf(out, "<p class=\"dim\">and %zu more; --format json lists all of them</p>\n",
                      part->rows.count - MOST_ROWS);
}

static void add_html_part(lc_buf *out, const lc_sheet_part *part, lc_str rules_url)
{
    lc_buf_printf(out, part->folded ? "<details><summary><b>%s</b></summary>\n" : "<h2>%s</h2>\n",
                  part->title);
    if (part->clause)
        lc_buf_printf(out, "<p class=\"dim\">%s</p>\n", part->clause);
    if (part->rows.count)
        add_html_rows(out, part, rules_url);
    lc_buf_add_c(out, part->lines.count ? "<ul>\n" : "");
    for (size_t i = 0; i < part->lines.count; i++) {
        lc_buf_add_c(out, "<li>");
        add_html_words(out, part->lines.items[i]);
        lc_buf_add_c(out, "</li>\n");
    }
    lc_buf_add_c(out, part->lines.count ? "</ul>\n" : "");
    lc_buf_add_c(out, part->folded ? "</details>\n" : "");
}

void lc_sheet_html(lc_buf *out, const lc_sheet *sheet, lc_str rules_url)
{
    lc_buf title = {0};
    add_html_words(&title, sheet->title);
    lc_html_begin(out, lc_buf_str(&title));
    lc_buf_printf(out, "<h1 class=\"%s\">%.*s</h1>\n", sheet->mark, LC_FMT(lc_buf_str(&title)));
    for (size_t i = 0; i < sheet->notes.count; i++) {
        lc_buf_add_c(out, "<p>");
        add_html_words(out, sheet->notes.items[i]);
        lc_buf_add_c(out, "</p>\n");
    }
    lc_html_add_versions(out, "");
    for (size_t i = 0; i < sheet->parts.count; i++) {
        if (!is_empty(&sheet->parts.items[i]))
            add_html_part(out, &sheet->parts.items[i], rules_url);
    }
    lc_html_end(out);
    lc_buf_release(&title);
}
