/* Lines of the input where the values of a finding are written.
 *
 * No secret may be shown: if the input may have any, then of the line only a key and the very
 * value that the report shows anyway are kept; everything else is replaced by spaces. */
#include "report/text/quote.h"
#include "lifecheck/base/utf8.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 300 /* of a line that is shown: longer ones are written by programs */

/* ---- Lines of a string. */

struct lc_quotable {
    lc_arena *arena;
    lc_str file, text;
    bool secrets;
    bool indexed;
    size_t *starts; /* of each line */
    size_t count;
    LC_VEC(lc_quoted_line) lines; /* instead of a string */
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
    /* The end of a line that is too long is not looked for: a whole file may be one. */
    size_t from = q->starts[number - 1], most = (size_t)MOST_COLUMNS * 4;
    size_t left = q->text.len - from;
    lc_str line = lc_str_sub(q->text, from, from + (left < most + 2 ? left : most + 2));
    line.len = lc_str_find(line, 0, '\n');
    if (line.len && line.ptr[line.len - 1] == '\r')
        line.len--;
    bool shown = line.len <= most && lc_utf8_count(line) <= MOST_COLUMNS;
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

/* An input may be invalid exactly because it does not mark its secrets yet. */
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
    diag->quote = (lc_quoted){lc_buf_take(q->arena, &text), diag->loc.column};
}

/* ---- The part of a line that is a value. */

static bool ends_plain(lc_str line, size_t at)
{
    char c = line.ptr[at];
    bool last = at + 1 >= line.len;
    return c == '}' || c == ']' || ((c == ',' || c == ':') && (last || line.ptr[at + 1] == ' ')) ||
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
    return lc_is_letter(c) || lc_is_digit(c) || c == '_' || c == '-';
}

/* Where the key of the value begins, if it has a plain one. */
static size_t start_of_key(lc_str line, size_t from)
{
    size_t at = from;
    while (at > 0 && line.ptr[at - 1] == ' ')
        at--;
    if (at == 0 || line.ptr[at - 1] != ':')
        return from;
    at--;
    bool quoted = at > 0 && line.ptr[at - 1] == '"';
    at -= quoted;
    size_t end = at;
    while (at > 0 && is_of_key(line.ptr[at - 1]))
        at--;
    if (at == end || (quoted && (at == 0 || line.ptr[at - 1] != '"')))
        return from;
    return at - quoted;
}

/* With the mark that ends a plain value, perhaps after spaces. */
static size_t end_with_mark(lc_str line, size_t to)
{
    size_t at = to;
    while (at < line.len && line.ptr[at] == ' ')
        at++;
    return at < line.len && strchr(",]}#", line.ptr[at]) ? at + 1 : to;
}

/* Key and value keep their columns, and everything else is replaced by spaces. */
static void hide_rest(lc_quote *q, lc_arena *arena)
{
    lc_buf line = {0};
    for (size_t at = 0; at < q->shown_from; lc_utf8_next(q->source, &at))
        lc_buf_add_char(&line, ' ');
    size_t from = line.len + (q->from - q->shown_from);
    lc_buf_add_str(&line, lc_str_sub(q->source, q->shown_from, q->to));
    q->to = from + (q->to - q->from);
    q->from = from;
    q->line = lc_buf_take(arena, &line);
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
    out->source = line;
    out->shown_from = start_of_key(line, from);
    out->shown_to = end_with_mark(line, to);
    if (!q->secrets)
        return !lc_str_contains(line, LC_STR("private"));
    if (out->says)
        hide_rest(out, q->arena);
    return out->says;
}

/* What the finding brings itself. */
static lc_quote given_quote(lc_quoted given, uint32_t line)
{
    size_t from = given.column ? offset_of(given.text, given.column) : 0;
    return (lc_quote){.number = line,
                      .line = given.text,
                      .from = from,
                      .to = from + (from < given.text.len),
                      .source = given.text,
                      .column = LC_COLUMN_NONE};
}

/* The key of a value is quoted with it, so neither is quoted if the key is a secret. */
static bool has_secret_key(const lc_finding *f)
{
    return lc_str_contains(f->steps_json, LC_STR("{\"key\":{\"$sensitive\":"));
}

size_t lc_quotes_of(lc_quote out[LC_QUOTES], const lc_judged *judged, const lc_finding *f)
{
    lc_quotable *q = judged->quotable;
    const lc_column columns[] = {f->promised_by, f->broken_by};
    size_t count = 0;
    if (has_secret_key(f))
        return 0;
    for (size_t i = 0; q && i < LC_QUOTES; i++) {
        if (columns[i] == LC_COLUMN_NONE)
            continue;
        lc_loc loc = lc_column_place(judged, f, columns[i]);
        if (!quote_at(&out[count], q, loc, &f->values[columns[i]]))
            continue;
        out[count++].column = columns[i];
    }
    if (count == 0 && f->quote.text.len)
        out[count++] = given_quote(f->quote, f->loc.line);
    if (q && count == 0 && quote_at(out, q, f->loc, NULL))
        out[count++].column = LC_COLUMN_NONE;
    if (count == 2 && out[0].number > out[1].number) {
        lc_quote first = out[1];
        out[1] = out[0];
        out[0] = first;
    }
    return count;
}

/* ---- For a record: the lines that are shown, with everything else in them replaced by spaces if
 * the input may have secrets. */

typedef struct part {
    uint32_t number;
    lc_str line;
    size_t from, to; /* what is shown of it */
} part;
typedef LC_VEC(part) parts;

static int by_number(const void *a, const void *b)
{
    const part *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void add_remark_lines(parts *out, lc_arena *arena, lc_quotable *q, lc_loc loc)
{
    lc_diag diag = {.loc = loc};
    lc_quotable_add(&diag, q);
    for (uint32_t back = 0; diag.quote.text.len && back < 2 && back < loc.line; back++) {
        lc_str line = line_of_diag(q, loc.line - back);
        if (line.len)
            *LC_PUSH(arena, out, part) = (part){loc.line - back, line, 0, line.len};
    }
}

static void add_finding_lines(parts *out, lc_arena *arena, const lc_judged *judged, size_t i)
{
    lc_quote quotes[LC_QUOTES];
    size_t count = lc_quotes_of(quotes, judged, &judged->judgement.findings.items[i]);
    if (judged->judgement.findings.items[i].quote.text.len)
        return;
    for (size_t k = 0; k < count; k++) {
        const lc_quote *q = &quotes[k];
        part p = {q->number, q->source, q->shown_from, q->shown_to};
        if (!judged->quotable->secrets)
            p = (part){q->number, q->source, 0, q->source.len};
        *LC_PUSH(arena, out, part) = p;
    }
}

static void collect(parts *out, lc_arena *arena, const lc_judged *judged)
{
    lc_quotable *q = judged->quotable;
    for (size_t i = 0; i < judged->judgement.findings.count; i++)
        add_finding_lines(out, arena, judged, i);
    for (size_t i = 0; i < judged->failures.count; i++)
        add_remark_lines(out, arena, q, judged->failures.items[i].loc);
    for (size_t i = 0; i < judged->notes.count; i++)
        add_remark_lines(out, arena, q, judged->notes.items[i].loc);
    for (size_t i = 0; i < judged->lints.count; i++)
        add_remark_lines(out, arena, q, judged->lints.items[i].loc);
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_number);
}

/* What any of the parts shows of their line. */
static lc_str join(lc_arena *arena, const part *list, size_t count)
{
    lc_str line = list[0].line;
    bool *shown = lc_arena_zalloc(arena, line.len + 1);
    lc_buf out = {0};
    for (size_t i = 0; i < count; i++) {
        for (size_t at = list[i].from; at < list[i].to && at < line.len; at++)
            shown[at] = true;
    }
    for (size_t at = 0; at < line.len;) {
        size_t start = at;
        lc_utf8_next(line, &at);
        if (shown[start])
            lc_buf_add_str(&out, lc_str_sub(line, start, at));
        else
            lc_buf_add_char(&out, ' ');
    }
    return lc_buf_take(arena, &out);
}

size_t lc_quoted_lines(const lc_quoted_line **out, lc_arena *arena, const lc_judged *judged)
{
    parts list = {0};
    size_t kept = 0;
    if (judged->quotable)
        collect(&list, arena, judged);
    lc_quoted_line *lines = LC_NEW_ARRAY(arena, lc_quoted_line, list.count);
    for (size_t i = 0; i < list.count;) {
        size_t end = i;
        while (end < list.count && list.items[end].number == list.items[i].number)
            end++;
        lines[kept++] =
            (lc_quoted_line){list.items[i].number, join(arena, &list.items[i], end - i)};
        i = end;
    }
    *out = lines;
    return kept;
}
