/* The line of a position, as reports may show it: a file of a configuration can hold secrets in
 * every literal, so what is written in quotes, in heredocs and in comments is left out, and also
 * the length of it. */
#include "configuration/syntax/scan.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/configuration/expression.h"

#define MOST_BYTES  (1u << 18) /* of a file, before the line: they are scanned again */
#define MOST_LINE   300        /* bytes; longer lines are written by programs */
#define MOST_DIGITS 3          /* of a number that is shown; longer ones can be secrets */

typedef struct masking {
    lc_buf out;
    lc_str text;
    size_t from, to; /* of the line */
    size_t subject;  /* of the position */
    uint32_t column;
    enum { LINE_START, BLOCK_TYPE, LABEL, OTHER } state;
} masking;

/* Blocks whose labels are names of types and objects. */
static bool has_labels(lc_str type)
{
    static const char *const types[] = {
        "resource", "data",    "ephemeral",   "module", "variable", "output", "provider",
        "check",    "dynamic", "provisioner", "list",   "action",   NULL};
    return lc_str_is_one_of(type, types, NULL);
}

/* Follows `type "label" "label"`, whose strings are shown. */
static bool is_label(masking *m, lc_token t)
{
    bool label = m->state == LABEL && t.type == LC_TOKEN_QUOTED;
    if (t.type == LC_TOKEN_NEWLINE || t.type == LC_TOKEN_COMMENT)
        m->state = LINE_START;
    else if (m->state == LINE_START && t.type == LC_TOKEN_IDENTIFIER)
        m->state = has_labels(lc_str_sub(m->text, t.from, t.to)) ? BLOCK_TYPE : OTHER;
    else if (m->state == BLOCK_TYPE && t.type == LC_TOKEN_OPEN_QUOTE)
        m->state = LABEL;
    else if (m->state == LABEL && t.type == LC_TOKEN_CLOSE_QUOTE)
        m->state = BLOCK_TYPE;
    else if (!label)
        m->state = OTHER;
    return label;
}

static bool is_masked(lc_token t)
{
    return t.type == LC_TOKEN_QUOTED || t.type == LC_TOKEN_TEXT || t.type == LC_TOKEN_BAD_UTF8 ||
           t.type == LC_TOKEN_INVALID || (t.type == LC_TOKEN_NUMBER && t.to - t.from > MOST_DIGITS);
}

static void add_part(masking *m, size_t from, size_t to, bool masked)
{
    from = from < m->from ? m->from : from;
    to = to < m->to ? to : m->to;
    if (from >= to)
        return;
    if (from <= m->subject && m->subject < to) {
        size_t before = masked ? from : m->subject;
        m->column = (uint32_t)(lc_utf8_count(lc_buf_str(&m->out)) +
                               lc_utf8_count(lc_str_sub(m->text, from, before)) + 1);
    }
    if (masked)
        lc_buf_add_c(&m->out, "...");
    else
        lc_buf_add_str(&m->out, lc_str_sub(m->text, from, to));
}

static void mask_line(masking *m, lc_arena *arena)
{
    lc_scanner s;
    lc_scan_begin(&s, arena, m->text, LC_SCAN_CODE);
    for (size_t at = 0; at < m->to;) {
        lc_token t = lc_scan(&s, at);
        bool masked = !is_label(m, t) && is_masked(t);
        add_part(m, at, t.from, false);
        if (t.type == LC_TOKEN_EOF || !lc_scan_accept(&s, t))
            return;
        if (t.type != LC_TOKEN_COMMENT)
            add_part(m, t.from, t.to, masked);
        at = t.to;
    }
}

static void find_line(masking *m)
{
    m->from = m->to = m->subject;
    while (m->from > 0 && m->text.ptr[m->from - 1] != '\n')
        m->from--;
    while (m->to < m->text.len && m->text.ptr[m->to] != '\n')
        m->to++;
    m->to -= m->to > m->from && m->text.ptr[m->to - 1] == '\r';
}

lc_quoted lc_source_pos_quote(lc_arena *arena, lc_source_pos place)
{
    lc_quoted none = {LC_STR_EMPTY, 0};
    size_t subject = (size_t)place.where + place.offset;
    if (!place.source || !place.source->native || subject >= place.source->text.len ||
        subject > MOST_BYTES)
        return none;
    masking m = {.text = place.source->text, .subject = subject};
    find_line(&m);
    if (m.to - m.from > MOST_LINE || !lc_utf8_valid(lc_str_sub(m.text, m.from, m.to)))
        return none;
    lc_arena *scratch = lc_arena_new_small();
    mask_line(&m, scratch);
    lc_arena_free(scratch);
    while (m.out.len && m.out.ptr[m.out.len - 1] == ' ')
        m.out.len--;
    lc_str line = lc_buf_take(arena, &m.out);
    if (subject == m.to)
        m.column = (uint32_t)lc_utf8_count(line) + 1;
    return m.column ? (lc_quoted){line, m.column} : none;
}
