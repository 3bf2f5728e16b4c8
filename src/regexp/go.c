/* The parser for Go's regular expressions: accepts what regexp.Compile accepts, and writes an
 * equivalent pattern for PCRE2. Mirrors `parse` of regexp/syntax with the flags of Perl syntax.
 *
 * Groups and repeats are written as they are in PCRE2. Groups capture only if that is required, and
 * then without their names, which Go allows to repeat. Assertions are put into groups, because Go
 * allows repeating them. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/str.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"
#include "regexp/internal.h"

#include <string.h>

/* Wrapping an operand in a group moves its text, so the number of wrapped operands is limited. */
#define MOST_ENCLOSED 1000

/* A group that is open. */
typedef struct group {
    bool operand;    /* there is an operand that can be repeated */
    bool repeated;   /* the operand has a repeat already */
    bool fold;       /* whether (?i) is in effect outside of it */
    size_t start;    /* offset of the last operand in the translation */
    uint32_t weight; /* the largest product of nested counted repeats in it */
    uint32_t last;   /* weight of the last operand */
    /* The last operand matches the empty text; it captures, or something in it does. */
    bool last_empty, last_captures;
    bool solid; /* an operand before it, in the same alternative, does not match the empty text */
    bool empty; /* an alternative before this one matches it */
    bool captures; /* the group captures, or something in it does */
} group;

typedef struct parser {
    lc_go_pattern p;
    lc_arena *arena;
    LC_VEC(group) groups;  /* the innermost is the last */
    lc_group_names *names; /* of groups that capture; NULL: none does */
    bool after_repeat;     /* a repeat cannot follow a repeat */
    unsigned enclosed;     /* number of operands that `enclose` has wrapped */
    lc_str pending; /* flags that are not written yet, because in Go a repeat after them applies to
                       the operand before them */
} parser;

static group *inner(parser *g)
{
    return &g->groups.items[g->groups.count - 1];
}

/* Go limits the product of nested repeats, so a group remembers the heaviest of its operands. */
static void add_weight(group *in)
{
    if (in->operand && in->last > in->weight)
        in->weight = in->last;
}

/* The alternative matches the empty text, if all its operands do. */
static void end_alternative(group *in)
{
    in->empty |= !in->solid && (!in->operand || in->last_empty);
    in->solid = false;
}

static void write_flags(parser *g)
{
    lc_buf_add_str(g->p.out, g->pending);
    g->pending = LC_STR_EMPTY;
}

static void begin_operand(parser *g)
{
    group *in = inner(g);
    add_weight(in);
    write_flags(g);
    in->solid |= in->operand && !in->last_empty;
    in->last_empty = in->last_captures = false;
    in->operand = true;
    in->repeated = false;
    in->last = 1;
    in->start = g->p.out->len;
}

/* ---- Groups. */

static bool is_name(lc_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool word = c == '_' || lc_is_alnum(c);
        if (!word)
            return false;
    }
    return name.len > 0;
}

static void open_group(parser *g, const char *open)
{
    if (g->groups.count > LC_MAX_HEIGHT) {
        lc_go_fail(&g->p, "expression nests too deeply");
        return;
    }
    begin_operand(g);
    lc_buf_add_c(g->p.out, open);
    bool captures = lc_str_is(lc_str_from_c(open), "(");
    *LC_PUSH(g->arena, &g->groups, group) =
        (group){.weight = 1, .fold = g->p.fold, .captures = captures};
}

/* A group that captures in Go. */
static void capturing_group(parser *g, lc_str name)
{
    if (g->names)
        *LC_PUSH(g->arena, &g->names->list, lc_str) = name;
    open_group(g, g->names ? "(" : "(?:");
}

/* A group with a name, which is at p->at + skip. Go accepts repeated names. */
static void named_group(parser *g, size_t skip)
{
    lc_go_pattern *p = &g->p;
    p->at += skip;
    const char *end = memchr(p->text.ptr + p->at, '>', p->text.len - p->at);
    lc_str name = end ? lc_str_sub(p->text, p->at, (size_t)(end - p->text.ptr)) : LC_STR_EMPTY;
    if (!is_name(name)) {
        lc_go_fail(p, "invalid named capture");
        return;
    }
    p->at += name.len + 1;
    capturing_group(g, name);
}

/* (?flags) applies to the rest of the group, (?flags:...) to a group of its own. */
static void end_flags(parser *g, lc_str text, bool opens, bool fold)
{
    lc_go_pattern *p = &g->p;
    if (opens) {
        open_group(g, "(?");
        lc_buf_printf(p->out, "%.*s:", LC_FMT(text));
    } else if (g->pending.len > MOST_ENCLOSED) {
        p->beyond = "flags without end";
    } else {
        g->pending = lc_str_printf(g->arena, "%.*s(?%.*s)", LC_FMT(g->pending), LC_FMT(text));
    }
    p->fold = fold;
}

/* Parses `(?flags)` or `(?flags:`, beginning after the question mark. */
static void flags(parser *g)
{
    lc_go_pattern *p = &g->p;
    size_t start = p->at;
    bool minus = false, flag_after = false, fold = p->fold;
    while (lc_go_more(p)) {
        char c = p->text.ptr[p->at++];
        if (c && strchr("imsU", c)) {
            flag_after = true;
            fold = c == 'i' ? !minus : fold;
        } else if (c == '-' && !minus) {
            minus = true;
            flag_after = false;
        } else if ((c == ':' || c == ')') && (!minus || flag_after)) {
            end_flags(g, lc_str_sub(p->text, start, p->at - 1), c == ':', fold);
            return;
        } else {
            break;
        }
    }
    lc_go_fail(p, "invalid or unsupported Perl syntax");
}

static void open_parenthesis(parser *g)
{
    lc_go_pattern *p = &g->p;
    if (lc_go_peek(p, 1) != '?') {
        p->at++;
        capturing_group(g, LC_STR_EMPTY);
    } else if (lc_go_peek(p, 2) == 'P' && lc_go_peek(p, 3) == '<') {
        named_group(g, 4);
    } else if (lc_go_peek(p, 2) == '<') {
        named_group(g, 3);
    } else {
        p->at += 2;
        flags(g);
    }
}

static void close_parenthesis(parser *g)
{
    if (g->groups.count == 1) {
        lc_go_fail(&g->p, "unexpected )");
        return;
    }
    group *in = inner(g);
    add_weight(in);
    write_flags(g);
    end_alternative(in);
    group closed = *in;
    g->p.fold = in->fold;
    g->groups.count--;
    g->p.at++;
    in = inner(g);
    in->last = closed.weight;
    in->last_empty = closed.empty;
    in->last_captures = closed.captures;
    in->captures |= closed.captures;
    lc_buf_add_char(g->p.out, ')');
}

static void alternative(parser *g)
{
    add_weight(inner(g));
    write_flags(g);
    end_alternative(inner(g));
    inner(g)->operand = false;
    g->p.at++;
    lc_buf_add_char(g->p.out, '|');
}

/* ---- Repeats. */

/* A decimal number without a leading zero. Larger numbers than the limit are not computed, only
 * recognised as too large. */
static bool number(lc_go_pattern *p, size_t *at, uint32_t *out)
{
    size_t start = *at;
    *out = 0;
    while (*at < p->text.len && lc_is_digit(p->text.ptr[*at])) {
        uint32_t digit = (uint32_t)(p->text.ptr[*at] - '0');
        *out = *out > LC_MAX_REPEAT ? *out : *out * 10 + digit;
        ++*at;
    }
    return *at > start && !(*at - start > 1 && p->text.ptr[start] == '0');
}

typedef struct counts {
    uint32_t least, most;
    bool open; /* no upper bound */
} counts;

/* Parses `{n}`, `{n,}` or `{n,m}`. False: the brace is an ordinary character. */
static bool counted(lc_go_pattern *p, counts *out, size_t *end)
{
    size_t at = p->at + 1;
    *out = (counts){0, 0, false};
    if (!number(p, &at, &out->least))
        return false;
    out->most = out->least;
    if (at < p->text.len && p->text.ptr[at] == ',') {
        at++;
        out->open = at < p->text.len && p->text.ptr[at] == '}';
        if (!out->open && !number(p, &at, &out->most))
            return false;
    }
    *end = at + 1;
    return at < p->text.len && p->text.ptr[at] == '}';
}

/* Go's check of repeat counts: each count and the product of nested ones are limited to 1000. */
static void weigh(parser *g, const counts *c)
{
    group *in = inner(g);
    uint32_t times = c->open ? c->least : c->most;
    bool none = !c->open && c->most == 0;
    if (c->least > LC_MAX_REPEAT || (!c->open && (c->most > LC_MAX_REPEAT || c->least > c->most))) {
        lc_go_fail(&g->p, "invalid repeat count");
        return;
    }
    in->last = none ? 1 : times ? in->last * times : in->last;
    if (in->last > LC_MAX_REPEAT)
        lc_go_fail(&g->p, "invalid repeat count");
}

/* Wraps an operand that is repeated already into a group, before it is repeated again (flags were
 * between the repeats). Two repeats in a row have another meaning in PCRE2: possessive or lazy. */
static void enclose(parser *g)
{
    lc_buf *out = g->p.out;
    size_t start = inner(g)->start, length = out->len - start;
    if (++g->enclosed > MOST_ENCLOSED) {
        g->p.beyond = "repeats of repeats without end";
        return;
    }
    lc_buf_add_c(out, "(?:");
    memmove(out->ptr + start + 3, out->ptr + start, length);
    memcpy(out->ptr + start, "(?:", 3);
    lc_buf_add_char(out, ')');
}

/* Copies the repeat, with the question mark that makes it lazy. */
static void end_repeat(parser *g, size_t end)
{
    lc_go_pattern *p = &g->p;
    size_t start = p->at;
    p->at = end;
    if (lc_go_peek(p, 0) == '?')
        p->at++;
    if (inner(g)->repeated)
        enclose(g);
    inner(g)->repeated = true;
    lc_buf_add_str(p->out, lc_str_sub(p->text, start, p->at));
}

static void repeat(parser *g, size_t end, const counts *c)
{
    group *in = inner(g);
    if (!in->operand) {
        lc_go_fail(&g->p, "missing argument to repetition operator");
    } else if (g->after_repeat) {
        lc_go_fail(&g->p, "invalid nested repetition operator");
    } else {
        if (g->names && c->open && in->last_empty && in->last_captures)
            g->names->unsure = true;
        in->last_empty |= c->least == 0;
        end_repeat(g, end);
    }
}

static void literal(parser *g, uint32_t rune)
{
    begin_operand(g);
    if (!g->p.why)
        lc_go_add_rune(&g->p, rune);
}

/* An opening brace: a counted repeat (true) or an ordinary character (false). */
static bool brace(parser *g)
{
    counts c;
    size_t end;
    if (!counted(&g->p, &c, &end)) {
        g->p.at++;
        literal(g, '{');
        return false;
    }
    if (inner(g)->operand && !g->after_repeat)
        weigh(g, &c);
    if (!g->p.why)
        repeat(g, end, &c);
    return true;
}

/* ---- Backslashes outside of classes. */

static void assertion(parser *g, const char *text, size_t length)
{
    begin_operand(g);
    inner(g)->last_empty = true;
    g->p.at += length;
    lc_buf_printf(g->p.out, "(?:%s)", text);
}

/* Everything between \Q and \E, or the end of the pattern, is literal. */
static void quoted(parser *g)
{
    lc_go_pattern *p = &g->p;
    p->at += 2;
    while (lc_go_more(p) && !(lc_go_peek(p, 0) == '\\' && lc_go_peek(p, 1) == 'E')) {
        uint32_t rune = lc_go_rune(p);
        literal(g, rune);
    }
    if (lc_go_more(p))
        p->at += 2;
}

static void backslash(parser *g)
{
    lc_go_pattern *p = &g->p;
    switch (lc_go_peek(p, 1)) {
    case 'A':
        assertion(g, "\\A", 2);
        return;
    case 'b':
        assertion(g, "\\b", 2);
        return;
    case 'B':
        assertion(g, "\\B", 2);
        return;
    case 'z':
        assertion(g, "\\z", 2);
        return;
    case 'Q':
        quoted(g);
        return;
    default:
        break;
    }
    begin_operand(g);
    if (!lc_go_class_escape(p, false)) {
        uint32_t rune = lc_go_escape(p);
        if (!p->why)
            lc_go_add_rune(p, rune);
    }
}

/* ---- The whole. */

/* Translates the next part of the pattern. True: it was a repeat, which cannot be followed by
 * another repeat. */
static bool step(parser *g)
{
    lc_go_pattern *p = &g->p;
    switch (lc_go_peek(p, 0)) {
    case '(':
        open_parenthesis(g);
        return false;
    case ')':
        close_parenthesis(g);
        return false;
    case '|':
        alternative(g);
        return false;
    case '^':
        assertion(g, "^", 1);
        return false;
    case '$':
        assertion(g, "$", 1);
        return false;
    case '.':
        begin_operand(g);
        p->at++;
        lc_buf_add_char(p->out, '.');
        return false;
    case '[':
        begin_operand(g);
        lc_go_class(p);
        return false;
    case '*':
    case '+':
    case '?': {
        char c = lc_go_peek(p, 0);
        counts times = {c == '+', 1, c != '?'};
        repeat(g, p->at + 1, &times);
        return true;
    }
    case '{':
        return brace(g);
    case '\\':
        backslash(g);
        return false;
    default:
        break;
    }
    literal(g, lc_go_rune(p));
    return false;
}

const char *lc_pattern_translate(lc_buf *out, const char **beyond, lc_arena *arena, lc_str text,
                                 lc_group_names *groups)
{
    parser g = {
        .p = {.text = text, .out = out}, .arena = arena, .names = groups, .pending = LC_STR_EMPTY};
    *LC_PUSH(arena, &g.groups, group) = (group){.weight = 1};
    while (!g.p.why && lc_go_more(&g.p))
        g.after_repeat = step(&g);
    if (!g.p.why && g.groups.count > 1)
        g.p.why = "missing closing )";
    *beyond = g.p.beyond;
    return g.p.why;
}
