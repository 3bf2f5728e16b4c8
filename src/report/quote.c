/* Lines of the input where the values of a finding are written.
 *
 * A line is only shown if no secret can be in it: either the whole input has none, or the line
 * holds nothing but a key and the very value that the report shows anyway. */
#include "report/quote.h"
#include "lifecheck/utf8.h"

#include "lifecheck/arena.h"
#include "lifecheck/ascii.h"

#include <stdlib.h>

#define MOST_COLUMNS 300 /* of a line that is shown: longer ones are written by programs */

/* ---- Lines of a text. */

struct lc_quotable {
    lc_arena *arena;
    lc_str file, text;
    bool secrets;
    bool indexed;
    size_t *starts; /* of each line */
    size_t count;
    LC_VEC(lc_quoted_line) lines; /* in place of a text */
};

lc_quotable *lc_quotable_new(lc_arena *arena, lc_str file, lc_str text, bool secrets)
{
    lc_quotable *q = LC_NEW(arena, lc_quotable);
    *q = (lc_quotable){.arena = arena, .file = file, .text = text, .secrets = secrets};
    return q;
}

void lc_quotable_add_line(lc_quotable *q, lc_quoted_line line)
{
    *LC_PUSH(q->arena, &q->lines, lc_quoted_line) = line;
}

bool lc_quotable_has_secrets(const lc_quotable *q)
{
    return q->secrets;
}

static void find_lines(lc_quotable *q)
{
    size_t count = 1;
    for (size_t i = 0; i < q->text.len; i++)
        count += q->text.ptr[i] == '\n';
    q->starts = LC_NEW_ARRAY(q->arena, size_t, count);
    q->starts[q->count++] = 0;
    for (size_t i = 0; i < q->text.len; i++) {
        if (q->text.ptr[i] == '\n')
            q->starts[q->count++] = i + 1;
    }
    q->indexed = true;
}

static lc_str given_line(const lc_quotable *q, uint32_t number)
{
    for (size_t i = 0; i < q->lines.count; i++) {
        if (q->lines.items[i].number == number)
            return q->lines.items[i].text;
    }
    return LC_STR_EMPTY;
}

/* Empty: there is no such line, or it is too long. */
static lc_str line_at(lc_quotable *q, uint32_t number)
{
    if (q->text.len == 0)
        return given_line(q, number);
    if (!q->indexed)
        find_lines(q);
    if (number == 0 || number > q->count)
        return LC_STR_EMPTY;
    size_t from = q->starts[number - 1], to = lc_str_find(q->text, from, '\n');
    if (to > from && q->text.ptr[to - 1] == '\r')
        to--;
    lc_str line = lc_str_sub(q->text, from, to);
    bool shown = line.len <= (size_t)MOST_COLUMNS * 4 && lc_utf8_count(line) <= MOST_COLUMNS;
    return shown && lc_utf8_valid(line) ? line : LC_STR_EMPTY;
}

static bool is_blank(lc_str line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] != ' ' && line.ptr[i] != '\t')
            return false;
    }
    return true;
}

/* Letter case does not matter. */
static bool holds(lc_str line, const char *word)
{
    lc_str w = lc_str_from_c(word);
    for (size_t i = 0; i + w.len <= line.len; i++) {
        size_t n = 0;
        while (n < w.len && lc_to_lower(line.ptr[i + n]) == w.ptr[n])
            n++;
        if (n == w.len)
            return true;
    }
    return false;
}

/* What is wrong with an input may be that it does not say yet what is secret. */
static bool names_secret(lc_str line)
{
    static const char *const words[] = {"passw", "secret", "token", "credential", "private", "key"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (holds(line, words[i]))
            return true;
    }
    return false;
}

static lc_str line_of_diag(lc_quotable *q, uint32_t number)
{
    lc_str line = line_at(q, number);
    return is_blank(line) || names_secret(line) ? LC_STR_EMPTY : line;
}

void lc_quotable_add(lc_diag *diag, lc_quotable *q)
{
    lc_buf text = {0};
    if (!q || q->secrets || diag->loc.line == 0 || !lc_str_eq(diag->loc.file, q->file))
        return;
    lc_str line = line_of_diag(q, diag->loc.line);
    lc_str before = diag->loc.line > 1 ? line_of_diag(q, diag->loc.line - 1) : LC_STR_EMPTY;
    if (line.len == 0)
        return;
    if (before.len)
        lc_buf_printf(&text, "%.*s\n", LC_FMT(before));
    lc_buf_add_str(&text, line);
    diag->quote = lc_buf_take(q->arena, &text);
}

/* ---- The part of a line that is a value. */

static bool ends_plain(lc_str line, size_t at)
{
    char c = line.ptr[at];
    bool last = at + 1 >= line.len;
    return c == '}' || c == ']' || (c == ',' && (last || line.ptr[at + 1] == ' ')) ||
           (c == ' ' && !last && line.ptr[at + 1] == '#');
}

static size_t end_of_quoted(lc_str line, size_t at)
{
    char quote = line.ptr[at];
    for (size_t i = at + 1; i < line.len; i++) {
        if (quote == '"' && line.ptr[i] == '\\')
            i++;
        else if (line.ptr[i] == quote && quote == '\'' && i + 1 < line.len &&
                 line.ptr[i + 1] == quote)
            i++;
        else if (line.ptr[i] == quote)
            return i + 1;
    }
    return line.len;
}

static size_t end_of_collection(lc_str line, size_t at)
{
    size_t depth = 0;
    for (size_t i = at; i < line.len; i++) {
        char c = line.ptr[i];
        if (c == '"' || c == '\'')
            i = end_of_quoted(line, i) - 1;
        depth += c == '{' || c == '[';
        if ((c == '}' || c == ']') && --depth == 0)
            return i + 1;
    }
    return line.len;
}

/* `at` is below line.len. */
static size_t end_of_value(lc_str line, size_t at)
{
    char c = line.ptr[at];
    size_t end = at;
    if (c == '"' || c == '\'')
        return end_of_quoted(line, at);
    if (c == '{' || c == '[')
        return end_of_collection(line, at);
    while (end < line.len && !ends_plain(line, end))
        end++;
    while (end > at && line.ptr[end - 1] == ' ')
        end--;
    return end > at ? end : at + 1;
}

static bool is_same_text(lc_str token, lc_str json)
{
    lc_buf text = {0}, again = {0};
    bool quoted = token.len > 1 && token.ptr[0] == '\'';
    lc_str inside = quoted ? lc_str_sub(token, 1, token.len - 1) : token;
    for (size_t i = 0; i < inside.len; i++) {
        lc_buf_add_char(&text, inside.ptr[i]);
        i += quoted && inside.ptr[i] == '\'';
    }
    lc_buf_add_json(&again, lc_buf_str(&text), false);
    bool same = lc_str_eq(lc_buf_str(&again), json);
    lc_buf_release(&text);
    lc_buf_release(&again);
    return same;
}

/* Is the token this value, so that nothing else need be shown of it? */
static bool says(lc_str token, const lc_redacted_text *value)
{
    lc_str json = value->json;
    if (!value->given || value->secret || token.len == 0)
        return false;
    if (lc_str_eq(token, json))
        return true;
    if (lc_str_is(json, "{\"$unknown\":true}"))
        return lc_str_is(token, "!unknown");
    return json.len && json.ptr[0] == '"' && token.ptr[0] != '"' && is_same_text(token, json);
}

/* ---- What else the line holds. */

static bool is_of_key(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/* Only blanks, dashes of lists and one key are before the value, and at most a comma behind it. */
static bool is_alone(lc_str line, size_t from, size_t to)
{
    size_t i = 0;
    while (i < from && (line.ptr[i] == ' ' || line.ptr[i] == '-'))
        i++;
    bool key = i < from, quoted = key && line.ptr[i] == '"';
    i += quoted;
    while (i < from && is_of_key(line.ptr[i]))
        i++;
    i += quoted && i < from && line.ptr[i] == '"';
    i += key && i < from && line.ptr[i] == ':';
    while (i < from && line.ptr[i] == ' ')
        i++;
    while (to < line.len && (line.ptr[to] == ' ' || line.ptr[to] == ','))
        to++;
    return i == from && to == line.len;
}

static size_t offset_of(lc_str line, uint32_t column)
{
    size_t at = 0;
    for (uint32_t i = 1; i < column && at < line.len; i++)
        lc_utf8_next(line, &at);
    return at;
}

static bool quote_at(lc_quote *out, lc_quotable *q, lc_loc loc, const lc_redacted_text *value)
{
    if (loc.line == 0 || loc.column == 0 || !lc_str_eq(loc.file, q->file))
        return false;
    lc_str line = line_at(q, loc.line);
    size_t from = offset_of(line, loc.column);
    if (from >= line.len)
        return false;
    size_t to = end_of_value(line, from);
    lc_str token = lc_str_sub(line, from, to);
    *out = (lc_quote){.number = loc.line, .line = line, .from = from, .to = to};
    out->says = value && says(token, value);
    return q->secrets ? out->says && is_alone(line, from, to)
                      : !lc_str_contains(line, LC_STR("private"));
}

size_t lc_quotes_of(lc_quote out[LC_QUOTES], const lc_judged *judged, const lc_finding *f)
{
    lc_quotable *q = judged->quotable;
    const lc_column columns[] = {f->promised_by, f->broken_by};
    size_t count = 0;
    for (size_t i = 0; q && i < LC_QUOTES; i++) {
        if (columns[i] == LC_COLUMN_NONE)
            continue;
        lc_loc loc = lc_column_place(judged, f, columns[i]);
        if (!quote_at(&out[count], q, loc, &f->values[columns[i]]))
            continue;
        out[count++].column = columns[i];
    }
    if (q && count == 0 && quote_at(out, q, f->loc, NULL))
        out[count++].column = LC_COLUMN_NONE;
    if (count == 2 && out[0].number > out[1].number) {
        lc_quote first = out[1];
        out[1] = out[0];
        out[0] = first;
    }
    return count;
}

static int by_number(const void *a, const void *b)
{
    const lc_quoted_line *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void add_remark_line(lc_quotable *q, lc_quoted_line *lines, size_t *count, lc_loc loc)
{
    lc_diag diag = {.loc = loc};
    lc_quotable_add(&diag, q);
    for (uint32_t back = 0; diag.quote.len && back < 2; back++) {
        lc_str line = loc.line > back ? line_of_diag(q, loc.line - back) : LC_STR_EMPTY;
        if (line.len)
            lines[(*count)++] = (lc_quoted_line){loc.line - back, line};
    }
}

size_t lc_quoted_lines(const lc_quoted_line **out, lc_arena *arena, const lc_judged *judged)
{
    size_t remarks = judged->failures.count + judged->notes.count + judged->lints.count;
    size_t count = 0, kept = 0, most = 2 * (judged->judgement.findings.count + remarks);
    lc_quoted_line *lines = LC_NEW_ARRAY(arena, lc_quoted_line, most);
    lc_quote quotes[LC_QUOTES];
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        size_t n = lc_quotes_of(quotes, judged, &judged->judgement.findings.items[i]);
        for (size_t k = 0; k < n; k++)
            lines[count++] = (lc_quoted_line){quotes[k].number, quotes[k].line};
    }
    for (size_t i = 0; i < judged->failures.count; i++)
        add_remark_line(judged->quotable, lines, &count, judged->failures.items[i].loc);
    for (size_t i = 0; i < judged->notes.count; i++)
        add_remark_line(judged->quotable, lines, &count, judged->notes.items[i].loc);
    for (size_t i = 0; i < judged->lints.count; i++)
        add_remark_line(judged->quotable, lines, &count, judged->lints.items[i].loc);
    if (count)
        qsort(lines, count, sizeof *lines, by_number);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || lines[i].number != lines[i - 1].number)
            lines[kept++] = lines[i];
    }
    *out = lines;
    return kept;
}
