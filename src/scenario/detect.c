/* Is a string a scenario? For walks over folders that are full of other files.
 *
 * Only the keys of the root mapping are looked for, in the text itself: no nodes are built, and
 * only the first part of the file is read. In block YAML the root keys start in the first column;
 * in JSON and flow YAML brackets are counted. A file with an error further down is still a
 * scenario, so that the error is reported instead of the file being skipped. */
#include "lifecheck/base/ascii.h"
#include "lifecheck/scenario/scenario.h"

#define ENOUGH ((size_t)256 << 10) /* bytes that are looked at */

/* Which keys the root has: `lifecheck`, a similar one, the subject of a case, its data. */
enum { HEAD = 1, NEARLY_HEAD = 2, SUBJECT = 4, STATED = 8 };

static size_t skip_blanks(lc_str s, size_t at)
{
    while (at < s.len && lc_is_space(s.ptr[at]))
        at++;
    return at;
}

/* The key at `at`, bare or quoted, if a colon follows it; else empty. */
static lc_str key_at(lc_str s, size_t at)
{
    char quote = at < s.len && (s.ptr[at] == '"' || s.ptr[at] == '\'') ? s.ptr[at] : '\0';
    size_t from = quote ? ++at : at;
    while (at < s.len && (lc_is_alnum(s.ptr[at]) || s.ptr[at] == '_'))
        at++;
    lc_str key = lc_str_sub(s, from, at);
    if (quote && (at >= s.len || s.ptr[at++] != quote))
        return LC_STR_EMPTY;
    at = skip_blanks(s, at);
    bool colon =
        at < s.len && s.ptr[at] == ':' && (quote || at + 1 == s.len || lc_is_space(s.ptr[at + 1]));
    return colon ? key : LC_STR_EMPTY;
}

/* Other files may have SUBJECT and STATED keys too, so these count only together. `lifecycle` is
 * near `lifecheck` by letters, and common in other files. */
static unsigned meaning_of(lc_str key)
{
    static const char *const subjects[] = {"schema", "resource", NULL};
    static const char *const stated[] = {
        "config", "prior_state", "planned_state", "new_state", "cases", "runs", NULL};
    static const lc_str head = {"lifecheck", sizeof "lifecheck" - 1};
    if (lc_str_eq(key, head))
        return HEAD;
    if (lc_str_is_one_of(key, subjects, NULL))
        return SUBJECT;
    if (lc_str_is_one_of(key, stated, NULL))
        return STATED;
    bool near = key.len > 5 && lc_str_nearest(key, &head, 1).len;
    return near && !lc_str_is(key, "lifecycle") ? NEARLY_HEAD : 0;
}

/* ---- Flow style. */

/* An apostrophe opens a string only where a value or a key may start; elsewhere it is text. */
static bool opens_string(lc_str s, size_t at)
{
    if (s.ptr[at] != '\'')
        return s.ptr[at] == '"';
    while (at && lc_is_space(s.ptr[at - 1]))
        at--;
    return at && (s.ptr[at - 1] == '{' || s.ptr[at - 1] == '[' || s.ptr[at - 1] == ',' ||
                  s.ptr[at - 1] == ':');
}

static size_t after_string(lc_str s, size_t at)
{
    char quote = s.ptr[at++];
    while (at < s.len && s.ptr[at] != quote)
        at += s.ptr[at] == '\\' && quote == '"' ? 2 : 1;
    return at < s.len ? at + 1 : s.len;
}

static size_t skip_comments(lc_str s, size_t at)
{
    at = skip_blanks(s, at);
    while (at < s.len && s.ptr[at] == '#')
        at = skip_blanks(s, lc_str_find(s, at, '\n'));
    return at;
}

/* The keys of the flow mapping whose opening bracket is at `at`. */
static unsigned flow_mapping_keys(lc_str s, size_t at)
{
    size_t depth = 0;
    unsigned seen = 0;
    while (at < s.len) {
        char c = s.ptr[at];
        bool key_may_follow = (c == '{' && depth == 0) || (c == ',' && depth == 1);
        if (opens_string(s, at)) {
            at = after_string(s, at);
            continue;
        }
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            return seen;
        at++;
        if (key_may_follow) {
            at = skip_comments(s, at);
            seen |= meaning_of(key_at(s, at));
            if (seen & HEAD)
                return seen;
        }
    }
    return seen;
}

static unsigned flow_keys(lc_str s, size_t at)
{
    if (s.ptr[at] == '[')
        at = skip_comments(s, at + 1);
    return at < s.len && s.ptr[at] == '{' ? flow_mapping_keys(s, at) : 0;
}

/* ---- Block style. */

static bool is_marker(lc_str line, const char *marker)
{
    lc_str m = lc_str_from_c(marker);
    return lc_str_starts_with(line, m) && (line.len == m.len || lc_is_space(line.ptr[m.len]));
}

static size_t indent_of(lc_str line)
{
    size_t at = 0;
    while (at < line.len && line.ptr[at] == ' ')
        at++;
    return at;
}

static bool is_document_mark(lc_str line)
{
    return is_marker(line, "---") || is_marker(line, "...");
}

/* Only white space, a comment or a directive. */
static bool is_idle(lc_str line)
{
    size_t at = skip_blanks(line, 0);
    return at == line.len || line.ptr[at] == '#' || line.ptr[0] == '%';
}

/* The keys of the root are in the first column. If the root is a list, those of its first item are
 * in the column of that item's first key. */
static unsigned block_keys(lc_str s, size_t at)
{
    bool started = false;
    unsigned seen = 0;
    size_t column = 0;
    while (at < s.len) {
        size_t end = lc_str_find(s, at, '\n');
        lc_str line = lc_str_sub(s, at, end);
        at = end + 1;
        if (is_idle(line) || (is_document_mark(line) && !started))
            continue;
        bool item = is_marker(line, "-");
        if (started && (item || is_document_mark(line)))
            return seen;
        if (item) {
            line = lc_str_sub(line, 1, line.len);
            column = indent_of(line) + 1;
        }
        started = true;
        size_t first = indent_of(line);
        if (first + item == column)
            seen |= meaning_of(key_at(line, first));
        if (seen & HEAD)
            return seen;
    }
    return seen;
}

static unsigned root_keys(lc_str text)
{
    lc_str s = lc_str_sub(text, 0, text.len < ENOUGH ? text.len : ENOUGH);
    s = lc_without_bom(s);
    size_t at = skip_comments(s, 0);
    if (lc_str_starts_with(lc_str_sub(s, at, s.len), LC_STR("---")))
        at = skip_comments(s, at + 3);
    if (at < s.len && (s.ptr[at] == '{' || s.ptr[at] == '['))
        return flow_keys(s, at);
    return block_keys(s, 0);
}

bool lc_looks_like_scenario(lc_str text)
{
    return (root_keys(text) & HEAD) != 0;
}

/* The key `lifecheck` is missing or misspelt: an error to report, not a file to skip. */
bool lc_looks_like_headless_scenario(lc_str text)
{
    unsigned seen = root_keys(text);
    return (seen & STATED) && (seen & (SUBJECT | NEARLY_HEAD));
}
