/* Normalises pasted text line by line: removes colours, boxes, timestamps and the marks of CI
 * systems. */
#include "lifecheck/diagnose/error_lookup.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/yaml_json/node.h"

#include <string.h>

/* ---- Colours are ESC [ ... letter. Other control characters are dropped. */

static void add_plain(lc_buf *out, lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\x1b' && i + 1 < text.len && text.ptr[i + 1] == '[') {
            i += 2;
            while (i < text.len && (lc_is_digit(text.ptr[i]) || text.ptr[i] == ';'))
                i++;
        } else if ((unsigned char)c >= ' ' || c == '\n' || c == '\t') {
            if (c != '\x7f')
                lc_buf_add_char(out, c);
        }
    }
}

/* ---- What precedes the text of a line. */

/* Does the text at `at` have this shape? A 9 matches any digit. */
static bool fits(lc_str s, size_t at, const char *shape)
{
    for (; *shape; shape++, at++) {
        if (at >= s.len || (*shape == '9' ? !lc_is_digit(s.ptr[at]) : s.ptr[at] != *shape))
            return false;
    }
    return true;
}

/* The offset after a timestamp at `at`; without a timestamp `at` itself. */
static size_t skip_time(lc_str s, size_t at)
{
    if (!fits(s, at, "9999-99-99T99:99:99") && !fits(s, at, "9999-99-99 99:99:99"))
        return at;
    at += 19;
    while (at < s.len && s.ptr[at] != ' ' && s.ptr[at] != '\t')
        at++;
    return at;
}

/* Skips up to a timestamp, which may follow columns: `job TAB step TAB time` (GitHub). A line that
 * begins with white space has no such columns. Quotes end the search, since they begin a value. */
static size_t skip_columns(lc_str s)
{
    bool columns = s.len && s.ptr[0] != ' ' && s.ptr[0] != '\t';
    for (size_t i = 0; i < s.len && i < 300; i++) {
        bool begins = i == 0 || (columns && s.ptr[i - 1] == '\t');
        size_t end = begins ? skip_time(s, i) : i;
        if (end > i)
            return end;
        if (s.ptr[i] == '"')
            return 0;
    }
    return 0;
}

/* Frames of core's error boxes, commands of CI systems, quotation marks of mails and tables. */
static size_t skip_mark(lc_str s, size_t at)
{
    static const char *const marks[] = {"\xE2\x94\x82", "\xE2\x95\xB7", "\xE2\x95\xB5", "##[error]",
                                        "##[warning]",  "::error::",    "> ",           "| "};
    lc_str rest = lc_str_sub(s, at, s.len);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (lc_str_starts_with(rest, lc_str_from_c(marks[i])))
            return at + strlen(marks[i]);
    }
    return at;
}

/* Marks and timestamps can be repeated and in any order. */
static lc_str strip_line(lc_str s)
{
    size_t at = 0, was;
    s = lc_str_sub(s, skip_columns(s), s.len);
    do {
        was = at;
        while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\t'))
            at++;
        at = skip_time(s, at);
        at = skip_mark(s, at);
    } while (at != was);
    return lc_str_sub(s, at, s.len);
}

/* ---- JSON: diagnostics and log lines, at any depth, become text as a core prints it. */

/* A log line with a diagnostic repeats it as its @message, so that is skipped. */
static void add_node(lc_buf *out, const lc_node *node)
{
    if (node->kind == LC_NODE_SEQUENCE) {
        for (uint32_t i = 0; i < node->count; i++)
            add_node(out, &node->as.items[i]);
    }
    if (node->kind != LC_NODE_MAPPING)
        return;
    const lc_node *summary = lc_node_get(node, "summary"), *detail = lc_node_get(node, "detail");
    const lc_node *message = lc_node_get(node, "@message");
    if (message && message->kind == LC_NODE_STRING && !lc_node_get(node, "diagnostic"))
        lc_buf_printf(out, "%.*s\n\n", LC_FMT(message->as.text));
    if (summary && summary->kind == LC_NODE_STRING)
        lc_buf_printf(out, "Error: %.*s\n\n", LC_FMT(summary->as.text));
    if (summary && detail && detail->kind == LC_NODE_STRING)
        lc_buf_printf(out, "%.*s\n\n", LC_FMT(detail->as.text));
    for (uint32_t i = 0; i < node->count; i++)
        add_node(out, &node->as.members[i].value);
}

/* False: the text is not JSON, and nothing was added. */
static bool add_json(lc_buf *out, lc_arena *arena, lc_str text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, arena);
    if (text.len < 2 || (text.ptr[0] != '{' && text.ptr[0] != '[') ||
        lc_json_parse(&source, arena, LC_STR("-"), text, &limits, &diags) != LC_OK)
        return false;
    lc_buf found = {0};
    add_node(&found, &source.documents[0]);
    add_plain(out, lc_buf_str(&found));
    lc_buf_release(&found);
    return true;
}

/* The whole text may be one JSON document, or any of its lines may be one. */
lc_str lc_error_text_normalize(lc_arena *arena, lc_str pasted)
{
    lc_buf plain = {0}, out = {0};
    add_plain(&plain, lc_str_sub(pasted, 0,
                                 pasted.len < LC_ERROR_TEXT_MAX ? pasted.len : LC_ERROR_TEXT_MAX));
    lc_str text = lc_buf_str(&plain);
    if (!add_json(&out, arena, text)) {
        for (size_t from = 0, to; from < text.len; from = to + 1) {
            const char *end = memchr(text.ptr + from, '\n', text.len - from);
            to = end ? (size_t)(end - text.ptr) : text.len;
            lc_str line = strip_line(lc_str_sub(text, from, to));
            if (!add_json(&out, arena, line)) {
                lc_buf_add_str(&out, line);
                lc_buf_add_char(&out, '\n');
            }
        }
    }
    lc_str clean = lc_buf_copy(arena, &out);
    lc_buf_release(&plain);
    lc_buf_release(&out);
    return clean;
}
