/* Finds the rules that pasted messages of a core report.
 *
 * Text is compared without white space, because a terminal may wrap lines anywhere. A value is
 * skipped as a balanced whole, so that its contents never count as a part of the message.
 * match_tables.h has the patterns. A value in a pattern is %v, an address %a, a provider %q, a gap
 * %*. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/diagnose/error_lookup.h"

#include "diagnose/match_tables.h"

#include <string.h>

/* Limits for pasted text: matches, bytes of one value, bytes of one message. */
#define MAX_FOUND 200
#define MAX_VALUE 100000
#define MAX_BLOCK 4000

/* ---- Indices of the tables by first character. Without them every pattern would be tried at every
 * character of the text. */

typedef enum table { HEADS, TEXTS, WHOLES, BARES, SAID, TABLES } table;

typedef struct row_list {
    bool made;
    LC_VEC(size_t) list; /* rows, in the order of the table */
} row_list;

/* The last occurrence of a literal that ends a value. */
typedef struct ending {
    const char *literal;
    size_t last; /* its offset plus 1; 0: not found */
} ending;

/* Caches for one text. */
typedef struct finder {
    lc_arena *arena;
    row_list rows[TABLES][256];
    LC_VEC(ending) endings;
    size_t dull; /* paths that begin before this offset are known to lead nowhere */
} finder;

/* NULL: the table has no such row. */
static const char *pattern_at(table t, size_t i)
{
    if (t == HEADS)
        return i < sizeof heads / sizeof *heads ? heads[i].pattern : NULL;
    if (t == TEXTS)
        return i < sizeof texts / sizeof *texts ? texts[i].pattern : NULL;
    if (t == WHOLES)
        return i < sizeof wholes / sizeof *wholes ? wholes[i].pattern : NULL;
    if (t == BARES)
        return i < sizeof bares / sizeof *bares ? bares[i].pattern : NULL;
    return i < lc_core_message_count() ? lc_core_message_at(i)->summary : NULL;
}

/* A pattern that begins with a value may begin with any character. */
static bool may_begin(const char *pattern, unsigned char lower)
{
    while (*pattern == '^' || *pattern == ' ' || *pattern == '`')
        pattern++;
    return *pattern == '%' || (unsigned char)lc_to_lower(*pattern) == lower;
}

/* Text without white space. `first` marks the first character of a line, `gap` a character that was
 * preceded by white space. */
typedef struct dense {
    lc_str text;
    const bool *first, *gap;
    lc_str clean;       /* with its white space */
    const size_t *from; /* where each character is in `clean` */
    finder *find;
} dense;

/* What a pattern captures, as parts of the dense text; where the first two values begin. */
typedef struct captured {
    lc_str address, path, provider;
    const char *values[LC_ERROR_VALUES];
    size_t value_count;
} captured;

/* The vertex of the graph in the current log line: `vertex "ADDRESS (destroy)" error:`. */
typedef struct vertex {
    lc_str address;
    bool destroys;
} vertex;

static char at_of(const dense *d, size_t at)
{
    return at < d->text.len ? d->text.ptr[at] : '\0';
}

/* The rows of a table that may begin at `at`; computed once per character. */
static const row_list *rows_at(const dense *d, table t, size_t at)
{
    unsigned char lower = (unsigned char)lc_to_lower(at_of(d, at));
    row_list *out = &d->find->rows[t][lower];
    for (size_t i = 0; !out->made && pattern_at(t, i); i++) {
        if (may_begin(pattern_at(t, i), lower))
            *LC_PUSH(d->find->arena, &out->list, size_t) = i;
    }
    out->made = true;
    return out;
}

static bool is_word(char c)
{
    return lc_is_alnum(c) || c == '_' || c == '-';
}

/* Does the text continue with the literal, up to its first %? White space and letter case are
 * ignored. */
static bool says(const dense *d, size_t at, const char *literal)
{
    for (; *literal && *literal != '%'; literal++) {
        if (*literal == ' ' || *literal == '`')
            continue;
        if (lc_to_lower(at_of(d, at)) != lc_to_lower(*literal))
            return false;
        at++;
    }
    return true;
}

/* ---- Values, addresses and paths. */

static bool skip_quoted(const dense *d, size_t *at)
{
    size_t i = *at + 1;
    while (i < d->text.len && at_of(d, i) != '"')
        i += at_of(d, i) == '\\' ? 2 : 1;
    if (i >= d->text.len)
        return false;
    *at = i + 1;
    return true;
}

static bool begins_block(const dense *d, size_t at)
{
    return d->first[at] && (says(d, at, "Error:") || says(d, at, "Warning:"));
}

/* Does a bullet, paragraph or block begin here? No value extends into these. */
static bool ends_message(const dense *d, size_t at)
{
    return (d->first[at] && at_of(d, at) == '-') || begins_block(d, at) ||
           (d->gap[at] && says(d, at, "This is a bug"));
}

/* Does the literal occur after `at`? Cached, because most values without an end are recognised by
 * this. */
static bool occurs_behind(const dense *d, size_t at, const char *literal)
{
    finder *f = d->find;
    size_t i = 0;
    while (i < f->endings.count && f->endings.items[i].literal != literal)
        i++;
    if (i == f->endings.count) {
        size_t last = d->text.len;
        while (last > 0 && !says(d, last - 1, literal))
            last--;
        *LC_PUSH(f->arena, &f->endings, ending) = (ending){literal, last};
    }
    return f->endings.items[i].last > at;
}

/* Skips a balanced value that is followed by `rest`, the remaining pattern. If nothing remains, the
 * value extends to the end of the message and must not be empty. */
static bool skip_value(const dense *d, size_t *at, const char *rest)
{
    size_t i = *at, depth = 0;
    if (*rest && !occurs_behind(d, i, rest))
        return false;
    while (i < d->text.len && i - *at < MAX_VALUE) {
        char c = at_of(d, i);
        if (i > *at && depth == 0 && says(d, i, rest)) {
            *at = i;
            return true;
        }
        if (ends_message(d, i))
            return i > *at && !*rest;
        if (c == '"') {
            if (!skip_quoted(d, &i))
                return false;
            continue;
        }
        if ((c == ')' || c == ']' || c == '}') && depth-- == 0)
            return false;
        depth += c == '(' || c == '[' || c == '{';
        i++;
    }
    *at = i;
    return !*rest && depth == 0;
}

/* An instance key in escaped quotes: the whole address is inside of quotes. */
static bool skip_escaped(const dense *d, size_t *at)
{
    size_t i = *at + 2;
    if (!(at_of(d, *at) == '\\' && at_of(d, *at + 1) == '"'))
        return false;
    while (i < d->text.len && !(at_of(d, i) == '\\' && at_of(d, i + 1) == '"'))
        i++;
    if (i >= d->text.len)
        return false;
    *at = i + 2;
    return true;
}

/* [0], ["key"] or [\"key\"]. */
static bool skip_index(const dense *d, size_t *at)
{
    size_t i = *at + 1;
    if (at_of(d, *at) != '[')
        return false;
    bool escaped = skip_escaped(d, &i);
    if (!escaped && at_of(d, i) == '"' && !skip_quoted(d, &i))
        return false;
    while (!escaped && i < d->text.len && at_of(d, i) != ']' && at_of(d, i) != '"')
        i++;
    if (at_of(d, i) != ']')
        return false;
    *at = i + 1;
    return true;
}

/* The end of a word. A gap ends it only if the pattern continues there, because a terminal may
 * wrap a line inside the word. */
static size_t skip_word(const dense *d, size_t at, const char *rest)
{
    while (is_word(at_of(d, at)) && !(d->gap[at] && *rest && says(d, at, rest)))
        at++;
    return at;
}

/* A path of attributes and indices, or an empty string. */
static lc_str take_path(const dense *d, size_t *at, const char *rest)
{
    size_t from = *at;
    for (;;) {
        if (at_of(d, *at) == '.' && is_word(at_of(d, *at + 1)) && !d->gap[*at + 1])
            *at = skip_word(d, *at + 1, rest);
        else if (!skip_index(d, at))
            return lc_str_sub(d->text, from, *at);
    }
}

/* What people write instead of a name: <module>, ***, [redacted]. */
static bool is_mask(char c)
{
    return c == '<' || c == '>' || c == '*';
}

static size_t skip_masked(const dense *d, size_t at, const char *rest)
{
    while ((is_word(at_of(d, at)) || is_mask(at_of(d, at))) &&
           !(d->gap[at] && *rest && says(d, at, rest)))
        at++;
    return at;
}

/* An address of names and dots, in which at least one name is masked. */
static bool take_masked(const dense *d, size_t *at, const char *rest, captured *out)
{
    size_t i = *at, names = 0;
    bool masked = false;
    for (;; i++) {
        size_t from = i;
        i = skip_masked(d, i, rest);
        if (i == from)
            return false;
        for (size_t k = from; k < i; k++)
            masked |= is_mask(at_of(d, k));
        names++;
        skip_index(d, &i);
        if (at_of(d, i) != '.')
            break;
    }
    if (!masked || names < 2)
        return false;
    out->address = lc_str_sub(d->text, *at, i);
    *at = i;
    return true;
}

/* An address TYPE.NAME[KEY], optionally after module.NAME[KEY]. and data. A path may follow
 * directly. */
static bool take_plain_address(const dense *d, size_t *at, const char *rest, captured *out)
{
    size_t i = *at;
    while (says(d, i, "module.")) {
        i = skip_word(d, i + 7, rest);
        skip_index(d, &i);
        if (at_of(d, i++) != '.')
            return false;
    }
    i += says(d, i, "data.") ? 5 : 0;
    size_t type = i;
    i = skip_word(d, i, rest);
    if (i == type || at_of(d, i) != '.')
        return false;
    size_t name = i + 1;
    i = skip_word(d, name, rest);
    if (i == name)
        return false;
    skip_index(d, &i);
    out->address = lc_str_sub(d->text, *at, i);
    *at = i;
    out->path = take_path(d, at, rest);
    return true;
}

/* A masked name after a plain address means that the whole address is masked. */
static bool take_address(const dense *d, size_t *at, const char *rest, captured *out)
{
    size_t plain = *at;
    captured found = *out;
    if (take_plain_address(d, &plain, rest, &found) && !is_mask(at_of(d, plain)) &&
        !(at_of(d, plain) == '.' && is_mask(at_of(d, plain + 1)))) {
        *out = found;
        *at = plain;
        return true;
    }
    return take_masked(d, at, rest, out);
}

/* "aws", "a/b", "provider[\"a/b\"]", provider["a/b"] or provider.aws. */
static bool take_provider(const dense *d, size_t *at, captured *out)
{
    size_t i = *at + (at_of(d, *at) == '"');
    bool bracket = says(d, i, "provider[");
    i += bracket ? 9 : says(d, i, "provider.") ? 9 : 0;
    while (bracket && (at_of(d, i) == '"' || at_of(d, i) == '\\'))
        i++;
    size_t from = i;
    while (is_word(at_of(d, i)) || (at_of(d, i) && strchr("./:", at_of(d, i))))
        i++;
    if (i == from)
        return false;
    out->provider = lc_str_sub(d->text, from, i);
    while (at_of(d, i) == '"' || at_of(d, i) == '\\' || at_of(d, i) == ']')
        i++;
    if (bracket && at_of(d, i) == '.') {
        i = skip_word(d, i + 1, "");
        i += at_of(d, i) == '"';
    }
    *at = i;
    return true;
}

/* ---- Patterns. */

/* Skips to where `rest` continues, within the same message. */
static bool skip_gap(const dense *d, size_t *at, const char *rest)
{
    for (size_t i = *at; i < d->text.len && i - *at < MAX_BLOCK && !begins_block(d, i); i++) {
        if (says(d, i, rest)) {
            *at = i;
            return true;
        }
    }
    return false;
}

static bool follows(const dense *d, size_t at, const char *front, size_t len)
{
    return at >= len && says(d, at - len, front);
}

/* Can a summary begin here: at the start of a line, or after "Error:" and the like? */
static bool is_summary_place(const dense *d, size_t at)
{
    return d->first[at] || follows(d, at, "Error:", 6) || follows(d, at, "Warning:", 8) ||
           follows(d, at, "error loading state:", 18) ||
           (at >= 1 && d->first[at - 1] && at_of(d, at - 1) == '-');
}

/* Skips or captures what a % of the pattern matches; `rest` is the pattern after it. */
static bool take(const dense *d, size_t *at, char what, const char *rest, captured *out)
{
    while (*rest == ' ')
        rest++;
    switch (what) {
    case 'v':
        if (out->value_count < LC_ERROR_VALUES)
            out->values[out->value_count++] = d->text.ptr + *at;
        return skip_value(d, at, rest);
    case 'a':
        return take_address(d, at, rest, out);
    case 'q':
        return take_provider(d, at, out);
    default:
        return skip_gap(d, at, rest);
    }
}

/* Matches the whole pattern at *at, and advances *at past it. A leading ^ requires the place of a
 * summary. */
static bool match(const dense *d, size_t *at, const char *pattern, captured *out)
{
    size_t i = *at;
    if (*pattern == '^' && !is_summary_place(d, i))
        return false;
    for (pattern += *pattern == '^'; *pattern; pattern++) {
        if (*pattern == '%') {
            pattern++;
            if (!take(d, &i, *pattern, pattern + 1, out))
                return false;
        } else if (*pattern != ' ' && *pattern != '`') {
            if (lc_to_lower(at_of(d, i)) != lc_to_lower(*pattern))
                return false;
            i++;
        }
    }
    *at = i;
    return true;
}

/* ---- Results. */

static bool is_same(const lc_error_match *a, const lc_error_match *b)
{
    return a->rule == b->rule && a->topic == b->topic && a->call == b->call &&
           a->effect == b->effect && lc_str_eq(a->address, b->address) &&
           lc_str_eq(a->path, b->path);
}

/* A message is often pasted several times; each match is listed once. */
static void add(lc_error_matches *out, lc_arena *arena, lc_error_match found)
{
    for (size_t i = 0; i < out->count; i++) {
        if (is_same(&out->items[i], &found))
            return;
    }
    if (out->count < MAX_FOUND)
        *LC_PUSH(arena, out, lc_error_match) = found;
}

/* If there is more than one match from `first` on, the text does not show which is meant. */
static void mark_unsure(lc_error_matches *out, size_t first)
{
    for (size_t i = first; out->count - first > 1 && i < out->count; i++)
        out->items[i].unsure = true;
}

/* The rule of a string in a comparison, or LC_RULE_COUNT. An unknown value in a result has a rule
 * of its own. */
static lc_rule rule_in(size_t text, walk w)
{
    bool unknown = w == APPLY && texts[text].rules[FINAL] == LC_RULE_FINAL_BECAME_UNKNOWN;
    return unknown ? LC_RULE_RESPONSE_UNKNOWN : texts[text].rules[w];
}

/* A string about values under its head; values are kept from where they begin in the clean text. */
static void add_of_text(lc_error_matches *out, lc_arena *arena, const dense *d, size_t text,
                        const head *h, const captured *c)
{
    lc_error_match found = {.rule = rule_in(text, h->walk),
                            .hidden = texts[text].hidden,
                            .call = h->call,
                            .cores = h->cores,
                            .effect = h->effect,
                            .address = c->address,
                            .path = c->path,
                            .provider = c->provider,
                            .words = texts[text].pattern};
    for (size_t i = 0; i < c->value_count; i++)
        found.values[found.value_count++] =
            lc_str_sub(d->clean, d->from[c->values[i] - d->text.ptr], d->clean.len);
    if (found.rule != LC_RULE_COUNT)
        add(out, arena, found);
}

/* Matches an optional path and one of the strings about values. */
static bool add_text(lc_error_matches *out, lc_arena *arena, const dense *d, size_t *at,
                     const head *h, captured c)
{
    size_t i = *at;
    lc_str path = take_path(d, &i, "");
    i += at_of(d, i) == ':';
    const row_list *rows = rows_at(d, TEXTS, i);
    for (size_t k = 0; k < rows->list.count; k++) {
        size_t end = i, t = rows->list.items[k];
        captured in_text = {.address = c.address, .provider = c.provider};
        if (rule_in(t, h->walk) == LC_RULE_COUNT || !match(d, &end, texts[t].pattern, &in_text))
            continue;
        in_text.path = path.len ? path : c.path;
        add_of_text(out, arena, d, t, h, &in_text);
        *at = end;
        return true;
    }
    return false;
}

/* Tolerated problems are listed in one warning, a bullet for each. */
static void add_bullets(lc_error_matches *out, lc_arena *arena, const dense *d, size_t *at,
                        const head *h, captured c)
{
    size_t i = *at;
    c.path = LC_STR_EMPTY;
    while (i < d->text.len && !begins_block(d, i)) {
        if (at_of(d, i) != '-' || !d->first[i])
            break;
        i++;
        if (!add_text(out, arena, d, &i, h, c))
            break;
        while (i < d->text.len && !d->first[i])
            i++;
    }
    *at = i > *at ? i : *at + 1;
}

/* Several heads can have the same words; the one whose text follows is right. */
static bool try_heads(lc_error_matches *out, lc_arena *arena, const dense *d, size_t *at)
{
    const row_list *rows = rows_at(d, HEADS, *at);
    for (size_t k = 0; k < rows->list.count; k++) {
        captured c = {0};
        size_t end = *at, h = rows->list.items[k];
        if (!match(d, &end, heads[h].pattern, &c))
            continue;
        if (heads[h].effect == LC_EFFECT_TOLERATED) {
            add_bullets(out, arena, d, &end, &heads[h], c);
            *at = end;
            return true;
        }
        if (add_text(out, arena, d, &end, &heads[h], c)) {
            *at = end;
            return true;
        }
    }
    return false;
}

/* Several rules can have the same words: all of them are listed, as unsure. */
static void add_wholes(lc_error_matches *out, lc_arena *arena, size_t first, const captured *c)
{
    size_t before = out->count;
    for (size_t w = first; w < sizeof wholes / sizeof *wholes; w++) {
        if (strcmp(wholes[w].pattern, wholes[first].pattern) == 0)
            add(out, arena,
                (lc_error_match){.rule = wholes[w].rule,
                                 .call = wholes[w].call,
                                 .cores = wholes[w].cores,
                                 .effect = wholes[w].effect,
                                 .address = c->address,
                                 .path = c->path,
                                 .provider = c->provider,
                                 .words = wholes[w].pattern});
    }
    mark_unsure(out, before);
}

static bool try_wholes(lc_error_matches *out, lc_arena *arena, const dense *d, size_t *at)
{
    const row_list *rows = rows_at(d, WHOLES, *at);
    for (size_t k = 0; k < rows->list.count; k++) {
        captured c = {0};
        size_t end = *at, w = rows->list.items[k];
        if (!match(d, &end, wholes[w].pattern, &c))
            continue;
        add_wholes(out, arena, w, &c);
        *at = end > *at ? end : *at + 1;
        return true;
    }
    return false;
}

/* ---- Messages of which only the summary was pasted. */

lc_str lc_error_text_unescape(lc_arena *arena, lc_str text)
{
    lc_buf out = {0};
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '\\' || i + 1 == text.len || text.ptr[i + 1] != '"')
            lc_buf_add_char(&out, text.ptr[i]);
    }
    return lc_buf_take(arena, &out);
}

/* A log line `vertex "ADDRESS (destroy)" error: SUMMARY`. It gives the address, and whether the
 * object is destroyed. */
static bool try_vertex(lc_arena *arena, const dense *d, size_t *at, vertex *out)
{
    captured c = {0};
    size_t i = *at, from;
    if (!says(d, i, "vertex"))
        return false;
    i += 6;
    while (at_of(d, i) == '\\' || at_of(d, i) == '"')
        i++;
    from = i;
    if (!take_address(d, &i, "", &c))
        return false;
    size_t end = i;
    while (end < d->text.len && end - i < 100 && !says(d, end, "\"error:"))
        end++;
    if (!says(d, end, "\"error:"))
        return false;
    out->address = lc_error_text_unescape(arena, lc_str_sub(d->text, from, i));
    out->destroys = says(d, i, "(destroy") || says(d, i, "(orphan") || says(d, i, "(deposed");
    *at = end + 1; /* a summary follows `error:` */
    return true;
}

/* Some summaries are used for destroying and for other operations, with different rules. */
static bool is_meant(size_t row, const vertex *v)
{
    lc_fact destroys = bares[row].destroys;
    return destroys == LC_NOT_KNOWN || (destroys == LC_YES) == v->destroys || v->address.len == 0;
}

/* The first row of the summary at this place; SIZE_MAX: no row fits. */
static size_t find_bare(const dense *d, size_t at)
{
    const row_list *rows = rows_at(d, BARES, at);
    for (size_t k = 0; k < rows->list.count; k++) {
        size_t end = at, b = rows->list.items[k];
        captured ignored = {0};
        if (match(d, &end, bares[b].pattern, &ignored))
            return b;
    }
    return SIZE_MAX;
}

/* Several rules can have the same summary: all of them are listed, as unsure. */
static void add_bare(lc_error_matches *out, lc_arena *arena, size_t first, const vertex *v)
{
    size_t before = out->count;
    for (size_t b = first; b < sizeof bares / sizeof *bares; b++) {
        if (strcmp(bares[b].pattern, bares[first].pattern) == 0 && is_meant(b, v))
            add(out, arena,
                (lc_error_match){.rule = bares[b].rule,
                                 .call = bares[b].call,
                                 .family = bares[b].family,
                                 .cores = bares[b].cores,
                                 .effect = LC_EFFECT_ERROR,
                                 .address = v->address,
                                 .words = bares[b].pattern + 1});
    }
    mark_unsure(out, before);
}

/* ---- A string about values without the head that introduces it. */

static const head no_head[] = {{PLAN, LC_CALL_PLAN, LC_BOTH_CORES, LC_EFFECT_ERROR, ""},
                               {APPLY, LC_CALL_APPLY, LC_BOTH_CORES, LC_EFFECT_ERROR, ""},
                               {FINAL, LC_CALL_FINAL_PLAN, LC_BOTH_CORES, LC_EFFECT_ERROR, ""}};

/* Without a head the comparison is not known, so the rules of all three are listed. */
static bool try_alone(lc_error_matches *out, lc_arena *arena, const dense *d, size_t *at)
{
    size_t i = *at;
    if (at_of(d, i) == '.' && i < d->find->dull)
        return false;
    lc_str path = take_path(d, &i, "");
    i += path.len && at_of(d, i) == ':';
    const row_list *rows = rows_at(d, TEXTS, i);
    for (size_t r = 0; r < rows->list.count; r++) {
        size_t end = i, before = out->count, t = rows->list.items[r];
        captured values = {0};
        bool begins = path.len || d->first[i] || strncmp(texts[t].pattern, "root ", 5) == 0;
        if (!begins || !match(d, &end, texts[t].pattern, &values))
            continue;
        values.path = path;
        for (size_t h = 0; h < WALKS; h++)
            add_of_text(out, arena, d, t, &no_head[h], &values);
        mark_unsure(out, before);
        *at = end;
        return out->count > before;
    }
    if (path.len && !memchr(path.ptr, '[', path.len))
        d->find->dull = i; /* each step inside this path begins a path with the same end */
    return false;
}

/* ---- Messages about whole plans, configurations and states. */

static size_t dense_length(const char *literal)
{
    size_t len = 0;
    for (; *literal; literal++)
        len += *literal != ' ';
    return len;
}

/* Is this the summary, and not the beginning of a longer one? Messages of Cloud Control may occur
 * anywhere. */
static bool is_summary(const dense *d, size_t at, const lc_core_message *said)
{
    size_t end = at + dense_length(said->summary);
    const char *last = said->summary + strlen(said->summary) - 1;
    if (!says(d, at, said->summary))
        return false;
    if (said->cores == LC_NO_CORE)
        return true;
    bool ends = end >= d->text.len || d->first[end] || at_of(d, end) == ':';
    return is_summary_place(d, at) && (ends || !is_word(*last));
}

static size_t end_of_block(const dense *d, size_t at)
{
    size_t end = at;
    while (end < d->text.len && end - at < MAX_BLOCK && !begins_block(d, end))
        end++;
    return end;
}

static bool block_says(const dense *d, size_t from, size_t to, const char *words)
{
    for (; from < to; from++) {
        size_t at = from;
        captured ignored = {0};
        if (match(d, &at, words, &ignored))
            return true;
    }
    return false;
}

/* The length of the longest summary that begins here, or 0. */
static size_t longest_summary(const dense *d, size_t at)
{
    size_t longest = 0;
    const row_list *rows = rows_at(d, SAID, at);
    for (size_t i = 0; i < rows->list.count; i++) {
        const lc_core_message *said = lc_core_message_at(rows->list.items[i]);
        size_t len = dense_length(said->summary);
        if (said->use != LC_MESSAGE_COMMON && len > longest && is_summary(d, at, said))
            longest = len;
    }
    return longest;
}

/* How to choose among rows with the same summary: by words of the detail, only those without such
 * words, or all. */
typedef enum choice { BY_WORDS, BY_SUMMARY, ALL_OF_THEM } choice;

typedef struct block {
    size_t at, rest, end; /* offsets of the summary, of the detail, and of its end */
} block;

static bool is_chosen(const dense *d, const block *b, const lc_core_message *said, choice how)
{
    if (said->use == LC_MESSAGE_COMMON || b->at + dense_length(said->summary) != b->rest ||
        !is_summary(d, b->at, said))
        return false;
    if (how == BY_WORDS)
        return *said->words && block_says(d, b->rest, b->end, said->words);
    return how == ALL_OF_THEM || !*said->words;
}

static size_t count_chosen(const dense *d, const block *b, choice how)
{
    size_t count = 0;
    for (size_t i = 0; i < lc_core_message_count(); i++)
        count += is_chosen(d, b, lc_core_message_at(i), how);
    return count;
}

static void add_core_messages(lc_error_matches *out, lc_arena *arena, const dense *d,
                              const block *b, choice how)
{
    bool warning = follows(d, b->at, "Warning:", 8);
    size_t first = out->count;
    for (size_t i = 0; i < lc_core_message_count(); i++) {
        const lc_core_message *said = lc_core_message_at(i);
        if (is_chosen(d, b, said, how))
            add(out, arena,
                (lc_error_match){.rule = said->rule,
                                 .topic = said->topic,
                                 .call = LC_CALL_SCHEMA,
                                 .cores = said->cores,
                                 .effect = warning ? LC_EFFECT_NONE : LC_EFFECT_ERROR,
                                 .words = said->summary});
    }
    mark_unsure(out, first);
}

/* The words of the detail decide. Without a detail, every rule with the summary is listed. */
static bool try_core_messages(lc_error_matches *out, lc_arena *arena, const dense *d, size_t *at)
{
    size_t len = longest_summary(d, *at);
    if (len == 0)
        return false;
    block b = {*at, *at + len, end_of_block(d, *at + len)};
    choice how = b.rest == b.end                     ? ALL_OF_THEM
                 : count_chosen(d, &b, BY_WORDS) > 0 ? BY_WORDS
                                                     : BY_SUMMARY;
    add_core_messages(out, arena, d, &b, how);
    *at = b.rest;
    return true;
}

/* One arena allocation each, as long as the text. */
static dense make_dense(lc_arena *arena, lc_str clean)
{
    char *text = LC_NEW_ARRAY(arena, char, clean.len + 1);
    bool *first = LC_NEW_ARRAY(arena, bool, clean.len + 1);
    bool *gap = LC_NEW_ARRAY(arena, bool, clean.len + 1);
    size_t *from = LC_NEW_ARRAY(arena, size_t, clean.len + 1);
    size_t len = 0;
    bool starts = true, behind = true;
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.ptr[i];
        starts |= c == '\n';
        if (c == ' ' || c == '\t' || c == '\n' || c == '\0' || c == '`') {
            behind |= c != '`'; /* people quote with back ticks, so these are not a gap */
            continue;
        }
        text[len] = c;
        from[len] = i;
        gap[len] = behind;
        first[len++] = starts;
        starts = behind = false;
    }
    text[len] = '\0';
    first[len] = gap[len] = true;
    finder *find = LC_NEW(arena, finder);
    find->arena = arena;
    return (dense){{text, len}, first, gap, clean, from, find};
}

/* A summary whose detail was not recognised (yet); decided when the next one begins. */
typedef struct pending {
    size_t row; /* index in bares, or SIZE_MAX */
    size_t at;
    vertex vertex;
} pending;

static const head *head_of(lc_call_kind call)
{
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        if (heads[h].call == call && heads[h].effect == LC_EFFECT_ERROR)
            return &heads[h];
    }
    return NULL;
}

/* The head may be damaged while path and text are intact: then the text is looked for with the head
 * of the summary's rule. */
static bool add_without_head(lc_error_matches *out, lc_arena *arena, const dense *d,
                             const pending *p, size_t end)
{
    const head *h = bares[p->row].family ? head_of(bares[p->row].call) : NULL;
    size_t before = out->count;
    captured c = {.address = p->vertex.address};
    for (size_t at = p->at; h && at < end;) {
        size_t path = at;
        bool has_path = take_path(d, &path, "").len > 0;
        if (!(has_path || d->first[at]) || !add_text(out, arena, d, &at, h, c))
            at++;
    }
    return out->count > before;
}

static void end_pending(lc_error_matches *out, lc_arena *arena, const dense *d, pending *p,
                        size_t end)
{
    if (p->row != SIZE_MAX && !add_without_head(out, arena, d, p, end))
        add_bare(out, arena, p->row, &p->vertex);
    p->row = SIZE_MAX;
}

static void set_address(lc_error_matches *out, size_t from, const vertex *v)
{
    for (size_t i = from; i < out->count; i++) {
        if (out->items[i].address.len == 0)
            out->items[i].address = v->address;
    }
}

/* One pass over the text. The most specific patterns are tried first: heads, wholes, summaries. */
static void match_dense(lc_error_matches *out, lc_arena *arena, const dense *d, bool said)
{
    static const vertex none = {{"", 0}, false};
    vertex v = none;
    pending p = {SIZE_MAX, 0, none};
    for (size_t at = 0; at < d->text.len;) {
        size_t before = out->count;
        if (d->first[at])
            v = none;
        if (try_vertex(arena, d, &at, &v))
            continue;
        if (begins_block(d, at))
            end_pending(out, arena, d, &p, at);
        if (try_heads(out, arena, d, &at) || try_wholes(out, arena, d, &at)) {
            set_address(out, before, &v);
            p.row = SIZE_MAX;
            continue;
        }
        size_t row = find_bare(d, at);
        if (row != SIZE_MAX) {
            end_pending(out, arena, d, &p, at);
            p = (pending){row, at, v};
        } else if (said && try_core_messages(out, arena, d, &at)) {
            continue;
        }
        at++;
    }
    end_pending(out, arena, d, &p, d->text.len);
}

static void match_lines(lc_error_matches *out, lc_arena *arena, lc_str pasted, bool said)
{
    memset(out, 0, sizeof *out);
    dense d = make_dense(arena, lc_error_text_normalize(arena, pasted));
    match_dense(out, arena, &d, said);
    bool alone = said && out->count == 0;
    for (size_t at = 0; alone && at < d.text.len; at++)
        alone = !begins_block(&d, at); /* a summary would identify the rule */
    for (size_t at = 0; alone && at < d.text.len;)
        at += !try_alone(out, arena, &d, &at);
}

void lc_error_lookup(lc_error_matches *out, lc_arena *arena, lc_str pasted)
{
    match_lines(out, arena, pasted, false);
}

void lc_error_lookup_explain(lc_error_matches *out, lc_arena *arena, lc_str pasted)
{
    match_lines(out, arena, pasted, true);
}

/* ---- From a rule to its messages. */

void lc_error_words(lc_rule rule, void (*each)(void *context, lc_cores cores, const char *words),
                    void *context)
{
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (walk w = PLAN; w < WALKS; w++) {
            if (texts[t].rules[w] == rule && !texts[t].hidden)
                each(context, LC_BOTH_CORES, texts[t].pattern); /* as all heads are */
        }
    }
    for (size_t w = 0; w < sizeof wholes / sizeof *wholes; w++) {
        if (wholes[w].rule == rule)
            each(context, wholes[w].cores, wholes[w].pattern);
    }
    for (size_t i = 0; i < lc_core_message_count(); i++) {
        if (lc_core_message_at(i)->rule == rule)
            each(context, lc_core_message_at(i)->cores, lc_core_message_at(i)->summary);
    }
}
