/* Names: from Terraform's attribute names back to CloudFormation's property names. If the schema of
 * the type is known, lc_cfn_properties_of is exact. Otherwise lc_cfn_candidates finds all names
 * that map to the attribute, because snake case loses the letter case: arn may come from Arn, ARN
 * or arn.
 *
 * The candidates are built word by word. look_ahead computes first which states can still reach the
 * end, so that the search never runs into a dead end. */
#include "cloudformation/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/cloudformation/cloudformation.h"

#include <stdlib.h>
#include <string.h>

/* ---- Words. */

#define MOST_WORDS 64

/* The spellings of a word in a property name. Whether an underscore is put between two words
 * depends only on the last character of the first and the first character of the second one. */
typedef enum form { CAPITAL, UPPER, LOWER, FORMS } form;

typedef enum end { START, UPPER_END, LOWER_END, DIGIT_END, ENDS } end;

static bool has_letters(lc_str word)
{
    return word.len > 0 && lc_is_lower(word.ptr[0]);
}

/* Lowercase letters, digits, or lowercase letters followed by digits: what can be between
 * underscores. */
static bool is_word(lc_str word)
{
    size_t i = 0;
    while (i < word.len && lc_is_lower(word.ptr[i]))
        i++;
    while (i < word.len && lc_is_digit(word.ptr[i]))
        i++;
    return word.len > 0 && i == word.len;
}

/* Can the word have this spelling, without repeating another one? Digits have no case, and a word
 * with digits after its letters must be all capitals, or the naming function would split it. */
static bool is_form(lc_str word, form f)
{
    bool digit = lc_is_digit(word.ptr[word.len - 1]);
    if (!has_letters(word))
        return f == UPPER;
    if (f == CAPITAL)
        return word.len > 1 && !digit;
    return f == UPPER || !digit;
}

static end end_of(lc_str word, form f)
{
    if (lc_is_digit(word.ptr[word.len - 1]))
        return DIGIT_END;
    return f == UPPER ? UPPER_END : LOWER_END;
}

/* Does the naming function put exactly one underscore between a word with the end `before` and
 * `word`? */
static bool may_follow(end before, lc_str word, form f)
{
    bool letters = has_letters(word);
    switch (before) {
    case START:
        return true;
    case UPPER_END:
        return letters && f == CAPITAL;
    case LOWER_END:
        return !letters || f != LOWER;
    case DIGIT_END:
        return letters;
    case ENDS:
        break;
    }
    return false;
}

/* ---- Putting words together. */

typedef struct candidate {
    lc_str name;
    unsigned cost; /* low for usual spellings */
} candidate;

/* The search for candidates. feasible[i][e]: the words from i on can follow a word with end e. */
typedef struct search {
    lc_arena *arena;
    lc_str attribute;
    lc_str words[MOST_WORDS];
    size_t count;
    bool literal; /* the property name may have underscores itself */
    bool feasible[MOST_WORDS + 1][ENDS];
    LC_VEC(candidate) found;
    size_t tries;
    bool more; /* there are more than the limit */
} search;

/* Fills `feasible` from the last word to the first. */
static void look_ahead(search *s)
{
    for (int e = 0; e < ENDS; e++)
        s->feasible[s->count][e] = true;
    for (size_t i = s->count; i-- > 0;) {
        for (int e = 0; e < ENDS; e++) {
            s->feasible[i][e] = false;
            for (form f = CAPITAL; f < FORMS; f++) {
                lc_str word = s->words[i];
                if (is_form(word, f) && (s->literal || may_follow((end)e, word, f)) &&
                    s->feasible[i + 1][end_of(word, f)])
                    s->feasible[i][e] = true;
            }
        }
    }
}

/* Capitalised words are the usual spelling (0); all capitals are rarer, and all lowercase is
 * rarest. */
static unsigned cost_of(lc_str word, form f, size_t i)
{
    if (!has_letters(word) || word.len == 1)
        return f == LOWER;
    return f == CAPITAL ? 0 : f == UPPER ? 2 : i == 0 ? 3 : 4;
}

static void add_word(lc_buf *out, lc_str word, form f)
{
    for (size_t i = 0; i < word.len; i++)
        lc_buf_add_char(out, f == UPPER || (f == CAPITAL && i == 0) ? lc_to_upper(word.ptr[i])
                                                                    : word.ptr[i]);
}

/* The naming function itself decides whether a candidate is right. */
static void keep(search *s, lc_str name, unsigned cost)
{
    if (s->tries++ >= LC_MAX_CFN_CANDIDATES) {
        s->more = true;
        return;
    }
    if (!lc_str_eq(lc_cfn_attribute_name(s->arena, name), s->attribute))
        return;
    *LC_PUSH(s->arena, &s->found, candidate) = (candidate){name, cost};
}

/* The naming function respells some words first (CloudFront), so the name in their original
 * spelling is a candidate too, and a likelier one. */
static void keep_written(search *s, lc_str name, unsigned cost)
{
    lc_buf out = {0};
    bool other = lc_cfn_add_words(&out, name, true);
    if (other)
        keep(s, lc_buf_copy(s->arena, &out), cost);
    lc_buf_release(&out);
    keep(s, name, cost + other);
}

/* Extends the name by word i in each spelling from which the end can be reached. Recursion is at
 * most MOST_WORDS deep. */
static void put_together(search *s, lc_buf *name, size_t i, end before, unsigned cost)
{
    size_t mark = name->len;
    if (i == s->count) {
        keep_written(s, lc_buf_copy(s->arena, name), cost);
        return;
    }
    for (form f = CAPITAL; f < FORMS && !s->more; f++) {
        lc_str word = s->words[i];
        if (!is_form(word, f) || !s->feasible[i + 1][end_of(word, f)])
            continue;
        bool follows = may_follow(before, word, f);
        if (!follows && !s->literal)
            continue;
        if (!follows)
            lc_buf_add_char(name, '_');
        add_word(name, word, f);
        put_together(s, name, i + 1, end_of(word, f), cost + cost_of(word, f, i) + 4 * !follows);
        name->len = mark;
    }
}

static int by_cost(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : lc_str_cmp(x->name, y->name);
}

/* Splits the attribute name at underscores. False: a part is not a word, or there are too many
 * parts; then no property has this attribute name. */
static bool split(search *s)
{
    for (size_t at = 0; at <= s->attribute.len; at++) {
        size_t from = at;
        at = lc_str_find(s->attribute, at, '_');
        lc_str word = lc_str_sub(s->attribute, from, at);
        if (!is_word(word) || s->count == MOST_WORDS)
            return false;
        s->words[s->count++] = word;
    }
    return true;
}

/* Property names without underscores are tried first; only if none fits may the property name have
 * underscores itself. */
bool lc_cfn_candidates(const lc_str **out, size_t *count, lc_arena *arena, lc_str attribute)
{
    search s = {.arena = arena, .attribute = attribute};
    lc_buf name = {0};
    *out = NULL;
    *count = 0;
    if (!split(&s))
        return true;
    look_ahead(&s);
    s.literal = !s.feasible[0][START];
    if (s.literal)
        look_ahead(&s);
    if (s.feasible[0][START])
        put_together(&s, &name, 0, START, 0);
    lc_buf_release(&name);
    if (s.found.count)
        qsort(s.found.items, s.found.count, sizeof *s.found.items, by_cost);
    lc_str *names = LC_NEW_ARRAY(arena, lc_str, s.found.count);
    for (size_t i = 0; i < s.found.count; i++) {
        /* A word of one letter has the same spelling as a capital and as all capitals, so equal
         * names are neighbours. */
        if (*count == 0 || !lc_str_eq(names[*count - 1], s.found.items[i].name))
            names[(*count)++] = s.found.items[i].name;
    }
    *out = names;
    return !s.more;
}

/* ---- Names in a known type. */

static void collect(lc_cfn_properties *out, lc_arena *arena, const lc_cfn_shape *shape,
                    lc_str attribute)
{
    while (shape && shape->element)
        shape = shape->element;
    for (size_t i = 0; shape && shape->form == LC_CFN_OBJECT && i < shape->member_count; i++) {
        const lc_cfn_property *p = &shape->members[i];
        if (p->attribute.len && lc_str_eq(p->attribute, attribute))
            *LC_PUSH(arena, out, const lc_cfn_property *) = p;
        collect(out, arena, p->shape, attribute);
    }
}

static int by_property(const void *a, const void *b)
{
    const lc_cfn_property *x = *(const lc_cfn_property *const *)a;
    const lc_cfn_property *y = *(const lc_cfn_property *const *)b;
    int order = lc_str_cmp(x->name, y->name);
    /* Equal names in the order of the file. */
    return order ? order : (x->where > y->where) - (x->where < y->where);
}

void lc_cfn_properties_of(lc_cfn_properties *out, lc_arena *arena, const lc_cfn_type *type,
                          lc_str attribute)
{
    *out = (lc_cfn_properties){0};
    collect(out, arena, type->root, attribute);
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_property);
}

void lc_cfn_add_path(lc_buf *out, const lc_cfn_property *p)
{
    const lc_cfn_property *way[2 * LC_MAX_DEPTH];
    size_t count = 0;
    for (; p && count < sizeof way / sizeof *way; p = p->parent)
        way[count++] = p;
    while (count) {
        lc_buf_add_str(out, way[--count]->name);
        lc_buf_add_c(out, count ? "/" : "");
    }
}
