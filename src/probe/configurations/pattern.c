/* A string that a regular expression accepts: of alternatives the first, of repetitions the fewest,
 * at least one. What it cannot read (look-around, back references) gives no text. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "probe/configurations/form.h"

#define LONGEST 4000
#define DEEPEST 40

typedef struct reader {
    lc_str pattern;
    size_t at;
    bool bad;
    unsigned depth;
} reader;

static int peek(const reader *r)
{
    return r->at < r->pattern.len ? (unsigned char)r->pattern.ptr[r->at] : -1;
}

static int next(reader *r)
{
    int c = peek(r);
    r->at += c >= 0;
    return c;
}

static void read_choice(reader *r, lc_buf *out);

/* ---- One character. */

/* The characters of the class of \w, \d and the like. */
static char escaped(int c)
{
    switch (c) {
    case 'd':
        return '1';
    case 'w':
    case 'D':
    case 'S':
        return 'a';
    case 's':
        return ' ';
    case 'W':
        return '-';
    case 'n':
        return '\n';
    case 't':
        return '\t';
    default:
        return (char)c;
    }
}

/* [[:alpha:]] and the like. */
static char posix_class(reader *r)
{
    size_t end = lc_str_find(r->pattern, r->at, ']');
    lc_str name = lc_str_sub(r->pattern, r->at, end);
    r->at = end + 1 < r->pattern.len ? end + 1 : r->pattern.len;
    return lc_str_contains(name, LC_STR("digit"))   ? '1'
           : lc_str_contains(name, LC_STR("upper")) ? 'A'
                                                    : 'a';
}

static bool is_plain(const bool *set)
{
    for (int c = 'a'; c <= 'z'; c++) {
        if (set[c])
            return true;
    }
    return false;
}

/* A lower-case letter if the class has one, else a digit, else any character of it. */
static char pick(const bool *set)
{
    for (int c = 'a'; is_plain(set) && c <= 'z'; c++) {
        if (set[c])
            return (char)c;
    }
    for (int c = '0'; c <= '9'; c++) {
        if (set[c] && (c != '0' || !set['1']))
            return (char)c;
    }
    for (int c = '!'; c < 0x7f; c++) {
        if (set[c])
            return (char)c;
    }
    return set[' '] ? ' ' : '\0';
}

/* An escaped letter names a class, anything else itself. */
static void add_escape(bool *set, int c)
{
    for (int i = 0; i < 128; i++) {
        bool digit = lc_is_digit(i), word = lc_is_alnum(i) || i == '_', space = lc_is_space(i);
        set[i] = set[i] || (c == 'd' && digit) || (c == 'w' && word) || (c == 's' && space) ||
                 (c == 'S' && i > ' ' && i < 0x7f) || (c == 'D' && !digit && i > ' ' && i < 0x7f);
    }
    char plain = escaped(c);
    if (!lc_is_letter(c) || c == 'n' || c == 't')
        set[(unsigned char)plain & 127] = true;
}

/* A minus at the end of the class is a character. */
static void add_range(reader *r, bool *set, int from)
{
    if (peek(r) == '-' && r->at + 1 < r->pattern.len && r->pattern.ptr[r->at + 1] != ']') {
        r->at++;
        int to = next(r);
        to = to == '\\' ? next(r) : to;
        for (int c = from; c <= to && c < 128; c++)
            set[c] = true;
    } else if (from >= 0 && from < 128) {
        set[from] = true;
    }
}

static char read_class(reader *r)
{
    bool set[128] = {false}, negated = peek(r) == '^';
    r->at += negated;
    for (bool first = true; peek(r) >= 0 && (first || peek(r) != ']'); first = false) {
        int c = next(r);
        if (c == '\\')
            add_escape(set, next(r));
        else if (c == '[' && peek(r) == ':')
            set[(unsigned char)posix_class(r)] = true;
        else
            add_range(r, set, c);
    }
    r->bad |= next(r) != ']';
    for (int c = 0; negated && c < 128; c++)
        set[c] = !set[c] && c > ' ' && c < 0x7f;
    return pick(set);
}

/* ---- Repetitions. */

static bool read_number(reader *r, unsigned *out)
{
    size_t from = r->at;
    for (*out = 0; lc_is_digit(peek(r)); r->at++)
        *out = *out < LONGEST ? *out * 10 + (unsigned)(peek(r) - '0') : LONGEST;
    return r->at > from;
}

/* How often: {2,5}, *, +, ?, lazily or not. */
static unsigned read_count(reader *r)
{
    unsigned least = 1, most;
    int c = peek(r);
    if (c == '*' || c == '+' || c == '?') {
        r->at++;
    } else if (c == '{') {
        size_t from = r->at++;
        bool number = read_number(r, &least);
        if (peek(r) == ',') {
            r->at++;
            if (!read_number(r, &most))
                most = LONGEST;
        }
        if (!number || next(r) != '}') {
            r->at = from;
            return 1;
        }
        least = least ? least : 1;
    } else {
        return 1;
    }
    if (peek(r) == '?')
        r->at++;
    return least;
}

/* Counts are the pattern's: the text is limited, not the count. */
static void repeat(lc_buf *out, lc_str piece, unsigned count)
{
    for (unsigned i = 0; i < count && out->len < LONGEST; i++)
        lc_buf_add_str(out, piece);
}

/* ---- Groups, sequences, alternatives. */

static void read_group(reader *r, lc_buf *out)
{
    if (peek(r) == '?') {
        r->at++;
        int c = next(r);
        if (c == 'P' || c == '<')
            r->at = lc_str_find(r->pattern, r->at, '>') + 1;
        else if (c == '=' || c == '!')
            r->bad = true;
        else
            r->at = c == ':' ? r->at : lc_str_find(r->pattern, r->at, ':') + 1;
    }
    r->bad |= r->at > r->pattern.len || ++r->depth > DEEPEST;
    if (!r->bad)
        read_choice(r, out);
    r->depth--;
    r->bad |= next(r) != ')';
}

static void read_piece(reader *r, lc_buf *out)
{
    lc_buf piece = {0};
    int c = next(r);
    if (c == '(')
        read_group(r, &piece);
    else if (c == '[')
        lc_buf_add_char(&piece, read_class(r));
    else if (c == '\\' && (peek(r) == 'A' || peek(r) == 'z' || peek(r) == 'Z' || peek(r) == 'b'))
        r->at++;
    else if (c == '\\')
        lc_buf_add_char(&piece, escaped(next(r)));
    else if (c == '.')
        lc_buf_add_char(&piece, 'a');
    else if (c != '^' && c != '$')
        lc_buf_add_char(&piece, (char)c);
    repeat(out, lc_buf_str(&piece), read_count(r));
    lc_buf_release(&piece);
}

/* The first alternative, unless it is empty, as in (|a). */
static void read_choice(reader *r, lc_buf *out)
{
    lc_buf others = {0}, *to = out;
    while (!r->bad && peek(r) >= 0 && peek(r) != ')') {
        if (peek(r) == '|') {
            r->at++;
            to = &others;
        } else {
            read_piece(r, to);
        }
    }
    if (out->len == 0)
        lc_buf_add_str(out, lc_buf_str(&others));
    lc_buf_release(&others);
}

lc_str lc_text_of_pattern(lc_arena *arena, lc_str pattern)
{
    reader r = {pattern, 0, pattern.len > LONGEST, 0};
    lc_buf out = {.limit = LONGEST};
    if (!r.bad)
        read_choice(&r, &out);
    if (r.bad || out.overflow || r.at < pattern.len)
        lc_buf_clear(&out);
    return lc_buf_take(arena, &out);
}
