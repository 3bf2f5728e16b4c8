/* What an input is, and whether a text is a scenario, for walks over folders full of other files.
 *
 * Only the keys of the root are looked for, by their place in the text: no nodes are built and no
 * more than the first part of the file is read. Block YAML is told by lines, because its root keys
 * start in the first column; JSON and flow YAML by brackets. A text that turns out to be broken
 * further down is still a scenario, so that its error is reported and not skipped. */
#include "lifecheck/ascii.h"
#include "lifecheck/input.h"

#define ENOUGH ((size_t)256 << 10)

static const lc_str wanted = {"lifecheck", sizeof "lifecheck" - 1};

static size_t skip_blanks(lc_str s, size_t at)
{
    while (at < s.len && lc_is_space(s.ptr[at]))
        at++;
    return at;
}

/* Is the wanted key, bare or quoted, at `at`, with its colon? */
static bool key_at(lc_str s, size_t at)
{
    char quote = at < s.len && (s.ptr[at] == '"' || s.ptr[at] == '\'') ? s.ptr[at] : '\0';
    if (quote)
        at++;
    if (!lc_str_starts_with(lc_str_sub(s, at, s.len), wanted))
        return false;
    at += wanted.len;
    if (quote && (at >= s.len || s.ptr[at++] != quote))
        return false;
    at = skip_blanks(s, at);
    return at < s.len && s.ptr[at] == ':' &&
           (quote || at + 1 == s.len || lc_is_space(s.ptr[at + 1]));
}

lc_str lc_without_bom(lc_str text)
{
    bool marked = lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF"));
    return marked ? lc_str_sub(text, 3, text.len) : text;
}

/* ---- Flow style. */

/* An apostrophe opens a string only where a value or key may start. */
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

static size_t after_comment(lc_str s, size_t at)
{
    while (at < s.len && s.ptr[at] != '\n')
        at++;
    return at;
}

static size_t skip_comments(lc_str s, size_t at)
{
    at = skip_blanks(s, at);
    while (at < s.len && s.ptr[at] == '#')
        at = skip_blanks(s, after_comment(s, at));
    return at;
}

/* The mapping that starts at `at` with its bracket. */
static bool flow_mapping_has_key(lc_str s, size_t at)
{
    size_t depth = 0;
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
            return false;
        at++;
        if (key_may_follow) {
            at = skip_comments(s, at);
            if (key_at(s, at))
                return true;
        }
    }
    return false;
}

static bool flow_has_key(lc_str s, size_t at)
{
    if (s.ptr[at] == '[')
        at = skip_comments(s, at + 1);
    return at < s.len && s.ptr[at] == '{' && flow_mapping_has_key(s, at);
}

/* ---- Block style. */

static size_t line_end(lc_str s, size_t at)
{
    while (at < s.len && s.ptr[at] != '\n')
        at++;
    return at;
}

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

/* Nothing but white space, a comment or a directive. */
static bool is_idle(lc_str line)
{
    size_t at = skip_blanks(line, 0);
    return at == line.len || line.ptr[at] == '#' || line.ptr[0] == '%';
}

/* Keys of the root stand in the first column; those of the first item of a root list in that of
 * the item's first key. */
static bool block_has_key(lc_str s, size_t at)
{
    bool started = false;
    size_t column = 0;
    while (at < s.len) {
        size_t end = line_end(s, at);
        lc_str line = lc_str_sub(s, at, end);
        at = end + 1;
        if (is_idle(line) || (is_document_mark(line) && !started))
            continue;
        bool item = is_marker(line, "-");
        if (started && (item || is_document_mark(line)))
            return false;
        if (item) {
            line = lc_str_sub(line, 1, line.len);
            column = indent_of(line) + 1;
        }
        started = true;
        size_t first = indent_of(line);
        if (first + item == column && key_at(line, first))
            return true;
    }
    return false;
}

bool lc_looks_like_scenario(lc_str text)
{
    lc_str s = lc_str_sub(text, 0, text.len < ENOUGH ? text.len : ENOUGH);
    s = lc_without_bom(s);
    size_t at = skip_comments(s, 0);
    if (lc_str_starts_with(lc_str_sub(s, at, s.len), LC_STR("---")))
        at = skip_comments(s, at + 3);
    if (at < s.len && (s.ptr[at] == '{' || s.ptr[at] == '['))
        return flow_has_key(s, at);
    return block_has_key(s, 0);
}

/* ---- All kinds. */

static const struct {
    const char *name, *text;
} kinds[LC_INPUT_KINDS] = {
    [LC_INPUT_UNKNOWN] = {"unknown", "nothing that is known"},
    [LC_INPUT_SCENARIOS] = {"scenarios", "scenarios"},
    [LC_INPUT_CALLS] = {"calls", "a stream of recorded calls"},
    [LC_INPUT_CAPTURE] = {"capture", "a capture directory"},
    [LC_INPUT_PLAN] = {"plan", "a plan as JSON"},
    [LC_INPUT_STATE] = {"state", "a state file"},
    [LC_INPUT_LOG] = {"log", "a log"},
};

const char *lc_input_name(lc_input_kind kind)
{
    return kinds[kind].name;
}

const char *lc_input_describe(lc_input_kind kind)
{
    return kinds[kind].text;
}

lc_input_kind lc_input_detect(lc_str head)
{
    if (lc_looks_like_rpc(head))
        return LC_INPUT_CALLS;
    switch (lc_json_evidence(head)) {
    case LC_JSON_PLAN:
        return LC_INPUT_PLAN;
    case LC_JSON_STATE:
        return LC_INPUT_STATE;
    case LC_JSON_OTHER:
        break;
    }
    if (lc_looks_like_log(head))
        return LC_INPUT_LOG;
    return lc_looks_like_scenario(head) ? LC_INPUT_SCENARIOS : LC_INPUT_UNKNOWN;
}
