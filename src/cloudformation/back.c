/* Names: Terraform's back to CloudFormation's. Of a type whose schema is known the way back is
 * exact; otherwise all names are found that become the attribute's, for snake case forgets which
 * letters were capitals: arn is of Arn, of ARN and of arn. */
#include "cloudformation/internal.h"

#include "lifecheck/arena.h"
#include "lifecheck/ascii.h"
#include "lifecheck/cloudformation.h"

#include <stdlib.h>
#include <string.h>

/* ---- Words. */

#define MOST_WORDS 64

/* How a word can have been written. Between two words an underscore comes of the last letter of
 * one and the first of the other alone. */
typedef enum form { CAPITAL, UPPER, LOWER, FORMS } form;

typedef enum end { START, UPPER_END, LOWER_END, DIGIT_END, ENDS } end;

static bool has_letters(lc_str word)
{
    return word.len > 0 && lc_is_lower(word.ptr[0]);
}

/* Small letters, digits, or small letters and then digits. */
static bool is_word(lc_str word)
{
    size_t i = 0;
    while (i < word.len && lc_is_lower(word.ptr[i]))
        i++;
    while (i < word.len && lc_is_digit(word.ptr[i]))
        i++;
    return word.len > 0 && i == word.len;
}

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

/* Does just one underscore come between them? */
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
    unsigned cost; /* how unusual it is */
} candidate;

typedef struct search {
    lc_arena *arena;
    lc_str attribute;
    lc_str words[MOST_WORDS];
    size_t count;
    bool literal; /* underscores may be the property's own */
    bool feasible[MOST_WORDS + 1][ENDS];
    LC_VEC(candidate) found;
    size_t tries;
    bool more; /* they were too many */
} search;

/* From which ends the rest can be reached, from the last word on. */
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

/* Words that the provider writes in another way before it looks at letters. */
static void keep_written(search *s, lc_str name, unsigned cost)
{
    lc_buf out = {0};
    bool other = lc_cfn_add_words(&out, name, true);
    if (other)
        keep(s, lc_buf_copy(s->arena, &out), cost);
    lc_buf_release(&out);
    keep(s, name, cost + other);
}

/* Only ways that come to an end are gone; each is a candidate. */
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

/* False: no word of letters and digits stands somewhere, or there are too many. */
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
        /* A word of one letter is the same as a capital and as all capitals. */
        if (*count == 0 || !lc_str_eq(names[*count - 1], s.found.items[i].name))
            names[(*count)++] = s.found.items[i].name;
    }
    *out = names;
    return !s.more;
}

/* ---- Of a type. */

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
    /* Deeper ones are made after those that hold them. */
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
