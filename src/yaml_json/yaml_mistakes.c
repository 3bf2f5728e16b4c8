/* Syntax errors of YAML in plain words. libyaml's messages are about tokens; for the usual mistakes
 * ours describe what is wrong in the text and what to write instead.
 *
 * Only the text around the error is looked at. Messages quote keys and punctuation, never values,
 * which may be secrets. */
#include "yaml_json/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

#include <string.h>

typedef struct text {
    lc_arena *arena;
    lc_str all;
    const lc_yaml_fault *fault;
    lc_str line; /* of the problem */
    size_t at;   /* byte offset of the problem in `line` */
} text;

/* ---- Lines. */

/* The line that begins at `from`, without its line break. */
static lc_str line_from(lc_str all, size_t from)
{
    size_t to = lc_str_find(all, from, '\n');
    if (to > from && all.ptr[to - 1] == '\r')
        to--;
    return lc_str_sub(all, from, to);
}

static size_t offset_of_line(lc_str all, size_t line)
{
    size_t from = 0;
    while (line > 0 && from < all.len)
        line -= all.ptr[from++] == '\n';
    return from;
}

static lc_str line_at(lc_str all, size_t line)
{
    return line_from(all, offset_of_line(all, line));
}

/* The byte offset of a column, which counts code points. */
static size_t byte_of(lc_str line, size_t column)
{
    size_t at = 0;
    while (at < line.len && column > 0) {
        at++;
        while (at < line.len && ((unsigned char)line.ptr[at] & 0xC0) == 0x80)
            at++;
        column--;
    }
    return at;
}

static char char_at(lc_str line, size_t at)
{
    return at < line.len ? line.ptr[at] : '\0';
}

static size_t indent_of(lc_str line)
{
    size_t at = 0;
    while (char_at(line, at) == ' ')
        at++;
    return at;
}

/* Nothing but spaces or a comment. */
static bool is_idle(lc_str line)
{
    size_t at = indent_of(line);
    return at == line.len || line.ptr[at] == '#';
}

/* A line of the text: its number, and the offset of its beginning. */
typedef struct cursor {
    size_t line, from;
} cursor;

static cursor cursor_at(lc_str all, size_t line)
{
    return (cursor){line, offset_of_line(all, line)};
}

static lc_str cursor_line(lc_str all, cursor c)
{
    return line_from(all, c.from);
}

#define FAR 1000 /* lines above a mistake that are looked at */

/* To the next line above that has content. False: no such line is near enough. */
static bool go_up(lc_str all, cursor *c)
{
    cursor at = *c;
    while (at.from > 0 && c->line - at.line < FAR) {
        at.from--;
        while (at.from > 0 && all.ptr[at.from - 1] != '\n')
            at.from--;
        at.line--;
        if (!is_idle(cursor_line(all, at))) {
            *c = at;
            return true;
        }
    }
    return false;
}

static bool is_word(char c)
{
    return lc_is_alnum(c) || c == '_' || c == '-';
}

/* The key that a line begins with, after the dashes of list items, if it is a plain word. */
static lc_str key_of(lc_str line)
{
    size_t from = indent_of(line), to;
    while (char_at(line, from) == '-' && char_at(line, from + 1) == ' ')
        from += 1 + indent_of(lc_str_sub(line, from + 1, line.len));
    for (to = from; is_word(char_at(line, to)); to++)
        continue;
    bool colon = char_at(line, to) == ':' && (to + 1 == line.len || line.ptr[to + 1] == ' ');
    return colon && to - from <= 60 ? lc_str_sub(line, from, to) : LC_STR_EMPTY;
}

/* ---- Markers and paths. */

/* The last `!word` before the error if a bracket or comma touches it: libyaml then takes that for a
 * part of the tag. */
static lc_str swallowed_tag(lc_str line, size_t column)
{
    size_t end = column < line.len ? column : line.len;
    for (size_t i = end; i-- > 0;) {
        if (line.ptr[i] == ' ')
            break;
        if (line.ptr[i] != '!')
            continue;
        size_t to = i + 1;
        while (to < line.len && !strchr("},] \t", line.ptr[to]))
            to++;
        return to < line.len && line.ptr[to] != ' ' ? lc_str_sub(line, i, to) : LC_STR_EMPTY;
    }
    return LC_STR_EMPTY;
}

static bool begins_path(lc_str line, size_t i)
{
    char before = i ? line.ptr[i - 1] : ' ';
    return line.ptr[i] == '.' && i + 1 < line.len && strchr(" [,{:", before) &&
           (lc_is_lower(line.ptr[i + 1]) || line.ptr[i + 1] == '_');
}

/* An unquoted path with brackets, such as .list[0] in flow style, where brackets begin a sequence.
 */
static lc_str unquoted_path(lc_str line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (!begins_path(line, i))
            continue;
        size_t to = i, open = 0;
        bool bracket = false;
        for (; to < line.len && !strchr(" ,}", line.ptr[to]); to++) {
            if (line.ptr[to] == ']' && open == 0)
                break;
            open += line.ptr[to] == '[';
            open -= line.ptr[to] == ']';
            bracket |= line.ptr[to] == '[';
        }
        if (bracket)
            return lc_str_sub(line, i, to);
    }
    return LC_STR_EMPTY;
}

/* Are there two tags in a row, the second of which begins at `column`? */
static bool second_tag(lc_str line, size_t column)
{
    size_t to = column;
    if (column >= line.len || line.ptr[column] != '!')
        return false;
    while (to > 0 && line.ptr[to - 1] == ' ')
        to--;
    size_t from = to;
    while (from > 0 && !strchr(" ,[{", line.ptr[from - 1]))
        from--;
    return to < column && from < to && line.ptr[from] == '!';
}

static lc_str of_the_format(const text *t)
{
    lc_str tag = swallowed_tag(t->line, t->at + 1), path = unquoted_path(t->line);
    if (second_tag(t->line, t->at))
        return LC_STR("a value has one tag: write the inner marker as a map, as in "
                      "!sensitive {$unknown: true}");
    if (tag.len)
        return lc_str_printf(
            t->arena, "put a space after %.*s: a bracket or comma must not touch it", LC_FMT(tag));
    if (path.len)
        return lc_str_printf(t->arena, "quote the path: '%.*s'", LC_FMT(path));
    return LC_STR_EMPTY;
}

/* ---- HCL. */

/* `name {`, `resource "type" "name" {`, or `name = value` (not ==). */
static bool is_hcl(lc_str line)
{
    size_t at = indent_of(line);
    if (!lc_is_letter(char_at(line, at)) && char_at(line, at) != '_')
        return false;
    while (is_word(char_at(line, at)))
        at++;
    at += indent_of(lc_str_sub(line, at, line.len));
    if (char_at(line, at) == '=')
        return char_at(line, at + 1) != '=';
    while (char_at(line, at) == '"') {
        at = lc_str_find(line, at + 1, '"') + 1;
        if (at >= line.len)
            return false;
        at += indent_of(lc_str_sub(line, at, line.len));
    }
    return at + 1 == line.len && line.ptr[at] == '{';
}

/* libyaml continues for some lines before it notices; the first of them is the mistake. */
static lc_str of_hcl(const text *t, lc_yaml_place *place)
{
    cursor above = cursor_at(t->all, t->fault->at.line);
    go_up(t->all, &above);
    size_t lines[] = {t->fault->begin.line, above.line, t->fault->at.line};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        lc_str line = line_at(t->all, lines[i]);
        if (lines[i] > t->fault->at.line || !is_hcl(line))
            continue;
        *place = (lc_yaml_place){lines[i], indent_of(line)};
        return LC_STR("this is HCL, and a scenario is YAML: write `name: value` for an argument, "
                      "and for a block `name:` with its arguments indented below");
    }
    return LC_STR_EMPTY;
}

/* ---- Indentation. */

/* A line above that the wrong one may belong to, and its column. */
typedef struct level {
    cursor at;
    size_t column;
    bool item, found;
} level;

static size_t distance(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

static void weigh(level *best, size_t column, level candidate)
{
    candidate.found = true;
    if (!best->found || distance(candidate.column, column) < distance(best->column, column))
        *best = candidate;
}

/* The open level that is nearest to `column`, which fits none; the innermost of two. A line above
 * is a level if its indentation is less than that of all lines between, and a key after a dash is
 * another level. */
static level nearest_level(const text *t, size_t column)
{
    level best = {.found = false};
    cursor c = cursor_at(t->all, t->fault->at.line);
    size_t least = SIZE_MAX, first = c.line;
    while (least > 0 && first - c.line < FAR && go_up(t->all, &c)) {
        lc_str s = cursor_line(t->all, c);
        size_t dash = indent_of(s), key = dash;
        while (char_at(s, key) == '-' && char_at(s, key + 1) == ' ')
            key += 1 + indent_of(lc_str_sub(s, key + 1, s.len));
        if (key < least && key > dash)
            weigh(&best, column, (level){.at = c, .column = key});
        if (dash < least)
            weigh(&best, column, (level){.at = c, .column = dash, .item = key > dash});
        least = dash < least ? dash : least;
    }
    best.found = best.found && best.column != column;
    return best;
}

/* "the keys of "attributes" (line 5)": by the line above that is indented less than the level. */
static lc_str owner_of(const text *t, level l)
{
    cursor c = l.at;
    while (l.at.line - c.line < FAR && go_up(t->all, &c)) {
        lc_str s = cursor_line(t->all, c), key = key_of(s);
        if (indent_of(s) >= l.column)
            continue;
        if (key.len)
            return lc_str_printf(t->arena, "the %s of \"%.*s\" (line %zu) have",
                                 l.item ? "items" : "keys", LC_FMT(key), c.line + 1);
        break;
    }
    return lc_str_printf(t->arena, "line %zu has", l.at.line + 1);
}

static lc_str of_indentation(const text *t)
{
    size_t column = indent_of(t->line);
    level best = nearest_level(t, column);
    if (!best.found)
        return LC_STR_EMPTY;
    lc_str owner = owner_of(t, best);
    return lc_str_printf(
        t->arena,
        "this line does not fit the lines around it: it is indented by %zu space%s, and %.*s %zu",
        column, column == 1 ? "" : "s", LC_FMT(owner), best.column);
}

/* ---- By the message of libyaml. */

/* The offset of the colon after the line's first key, before `to` and with a space after it; else
 * 0. */
static size_t colon_before(lc_str line, size_t to)
{
    for (size_t i = 1; i < to && i + 1 < line.len; i++) {
        if (line.ptr[i] == ':' && line.ptr[i + 1] == ' ')
            return i;
    }
    return 0;
}

/* "mapping values are not allowed": a colon where no key can be. */
static lc_str of_colon(const text *t)
{
    if (colon_before(t->line, t->at))
        return LC_STR("a string with a colon and a space in it needs quotes, as in name: 'a: b'");
    cursor up = cursor_at(t->all, t->fault->at.line);
    if (!go_up(t->all, &up))
        return LC_STR_EMPTY;
    lc_str above = cursor_line(t->all, up);
    if (!colon_before(above, above.len) && !lc_str_ends_with(above, LC_STR(":")))
        return lc_str_printf(
            t->arena, "line %zu has no key: write `key: value`, with a space after the colon",
            up.line + 1);
    if (indent_of(t->line) > indent_of(above))
        return lc_str_printf(t->arena,
                             "this line is indented by %zu spaces, deeper than line %zu, which "
                             "has a value already: give both %zu",
                             indent_of(t->line), up.line + 1, indent_of(above));
    return LC_STR_EMPTY;
}

/* "could not find expected ':'": `begin` is the word that would be the key. */
static lc_str of_missing_colon(const text *t, lc_yaml_place *place)
{
    lc_str line = line_at(t->all, t->fault->begin.line);
    size_t from = byte_of(line, t->fault->begin.column), to = from;
    while (is_word(char_at(line, to)))
        to++;
    *place = t->fault->begin;
    if (char_at(line, to) == ':' && to > from)
        return lc_str_printf(t->arena, "put a space after the colon of \"%.*s\"",
                             LC_FMT(lc_str_sub(line, from, to)));
    return LC_STR("this line is not `key: value`: a colon and a space are missing");
}

/* "did not find expected key", in a mapping whose keys are one below the other. */
static lc_str of_key(const text *t)
{
    char c = char_at(t->line, t->at);
    bool first = indent_of(t->line) == t->at;
    if (c == '}' || c == ']')
        return lc_str_printf(t->arena, "this '%c' closes nothing: remove it", c);
    if (first && c == '-' && char_at(t->line, t->at + 1) == ' ')
        return lc_str_printf(t->arena,
                             "an item of a list stands among the keys of a mapping (line %zu): "
                             "a list needs a key of its own, as in `key:`, above it",
                             t->fault->begin.line + 1);
    if (first) {
        lc_str indentation = of_indentation(t);
        return indentation.len ? indentation
                               : LC_STR("a key is expected here, as in `name: value`");
    }
    return LC_STR("there is more after the end of the value: a comma, a line break or quotes "
                  "around the whole are missing");
}

/* "did not find expected '-' indicator". */
static lc_str of_item(const text *t)
{
    return lc_str_printf(t->arena,
                         "this is not an item of the list of line %zu: indent it to belong to the "
                         "item, or begin it with '- '",
                         t->fault->begin.line + 1);
}

static char bracket_at(const text *t, lc_yaml_place place)
{
    lc_str line = line_at(t->all, place.line);
    return char_at(line, byte_of(line, place.column));
}

/* "did not find expected ',' or '}'" (or ']'): `begin` is the bracket that is open. */
static lc_str of_flow(const text *t)
{
    const lc_yaml_fault *fault = t->fault;
    char open = bracket_at(t, fault->begin), close = open == '[' ? ']' : '}';
    char c = char_at(t->line, t->at), before = t->at ? t->line.ptr[t->at - 1] : '\0';
    size_t line = fault->begin.line + 1, column = fault->begin.column + 1;
    if (c == '{' && before == '$')
        return LC_STR("a string with ${ in it needs quotes");
    if (c == ':' && fault->begin.line == fault->at.line)
        return LC_STR("a string with a colon and a space in it needs quotes, or a comma is missing "
                      "before this key");
    if (fault->begin.line != fault->at.line)
        return lc_str_printf(t->arena,
                             "a '%c' or a comma is missing before this: the '%c' of line %zu, "
                             "column %zu is still open",
                             close, open, line, column);
    if (c == '}' || c == ']')
        return lc_str_printf(t->arena,
                             "this '%c' does not fit: the '%c' of column %zu needs a '%c' first", c,
                             open, column, close);
    return lc_str_printf(t->arena, "a comma or the '%c' of the '%c' of column %zu is expected here",
                         close, open, column);
}

static lc_str of_first_char(const text *t)
{
    char c = char_at(t->line, t->at);
    if (c == '\t')
        return LC_STR("this is a tab, which cannot indent in YAML: use spaces");
    if (c != '@' && c != '`' && c != '%')
        return LC_STR_EMPTY;
    return lc_str_printf(t->arena, "a string that begins with '%c' needs quotes", c);
}

/* "did not find expected node content". */
static lc_str of_missing_value(const text *t)
{
    char c = char_at(t->line, t->at);
    if (c == '\0')
        return LC_STR("a value is missing here: is a bracket not closed, or the file cut off?");
    return lc_str_printf(
        t->arena, "a value is missing before this '%c'; a string that begins with it needs quotes",
        c);
}

/* Mistakes that are rare enough to need no look at the text around them. */
static lc_str of_rare(const lc_yaml_fault *fault)
{
    static const struct {
        const char *problem, *message;
    } rows[] = {
        {"expected <document start>", "there is more after the end of the document: remove it, or "
                                      "write --- before another document"},
        {"unknown escape",
         "this is not an escape: write \\\\ for a backslash, or use single quotes"},
        {"hexdecimal number",
         "hexadecimal digits are missing: two after \\x, four after \\u, eight "
         "after \\U"},
        {"expected comment or line break",
         "the text after > or a vertical bar begins on the next line"},
        {"incompatible YAML", "remove this line: only YAML 1.1 and 1.2 are read"},
        {"directive", "a line that begins with '%' needs quotes, or is to be removed"},
        {"tag", "a string that begins with '!' needs quotes, unless it is a marker such as "
                "!unknown"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strstr(fault->problem, rows[i].problem) || strstr(fault->context, rows[i].problem))
            return lc_str_from_c(rows[i].message);
    }
    return LC_STR_EMPTY;
}

static lc_str of_problem(const text *t, lc_yaml_place *place)
{
    const char *problem = t->fault->problem;
    bool tab = char_at(t->line, t->at) == '\t';
    if (tab || strstr(problem, "cannot start any token"))
        return of_first_char(t);
    if (strstr(problem, "mapping values are not allowed"))
        return of_colon(t);
    if (strstr(problem, "could not find expected ':'"))
        return of_missing_colon(t, place);
    if (strstr(problem, "did not find expected key"))
        return of_key(t);
    if (strstr(problem, "expected '-' indicator"))
        return of_item(t);
    if (strstr(problem, "expected ',' or"))
        return of_flow(t);
    bool quoted = strstr(t->fault->context, "quoted scalar") != NULL;
    if (quoted && strstr(problem, "found unexpected")) {
        *place = t->fault->begin;
        return LC_STR("this quote is never closed");
    }
    if (strstr(t->fault->context, "scanning an alias") ||
        strstr(t->fault->context, "scanning an anchor"))
        return lc_str_printf(t->arena, "a string that begins with '%c' needs quotes",
                             bracket_at(t, t->fault->begin));
    if (strstr(problem, "expected node content"))
        return of_missing_value(t);
    return of_rare(t->fault);
}

lc_str lc_yaml_explain(lc_arena *arena, lc_str all, const lc_yaml_fault *fault,
                       lc_yaml_place *place)
{
    text t = {arena, all, fault, line_at(all, fault->at.line), 0};
    t.at = byte_of(t.line, fault->at.column);
    lc_str message = of_the_format(&t);
    if (!message.len)
        message = of_hcl(&t, place);
    if (!message.len)
        message = of_problem(&t, place);
    if (message.len)
        return message;
    return lc_str_printf(arena, "%s%s%s", fault->context, *fault->context ? ": " : "",
                         fault->problem);
}
