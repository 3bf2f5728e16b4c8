/* Elements of sets without an equal on the other side ("strays"), compared with the most similar
 * ones. An element of a set is identified by its content alone, so which element a changed one was
 * can only be guessed. */
#include "contract/diff/facts.h"

#include "lifecheck/base/arena.h"

#include <stdlib.h>

#define MAX_STRAYS   16 /* required elements without an equal that are compared */
#define MAX_PARTNERS 64 /* returned ones */
#define MAX_PLACES   3  /* names that are listed */

typedef struct pairing {
    const lc_judge *j;
    const bool *computed; /* by part: is the attribute computed? */
    bool configured;      /* required is the configured value: null leaves a computed part open */
    lc_near near;
    size_t parts; /* number of parts that differ, so far */
    lc_buf where;
} pairing;

/* The most similar element for a stray: its index, its number of parts, and how many of these
 * differ. */
typedef struct score {
    size_t partner, parts, differ;
} score;

/* Collect up to `max` indices of elements of `set` whose hash no element of `other` has.
 * Near-linear. */
static size_t find_strays(lc_arena *arena, const lc_value *set, const lc_value *other, size_t *out,
                          size_t max)
{
    size_t count = 0;
    const uint64_t *hashes = lc_value_element_hashes(arena, other);
    for (size_t i = 0; i < set->count && count < max; i++) {
        uint64_t hash = lc_value_hash(&set->as.many.elems[i]);
        if (!lc_hash_is_among(hash, hashes, other->count))
            out[count++] = i;
    }
    return count;
}

/* ---- Parts of elements: the attributes of an object, or else the element itself as one part. */

static size_t part_count(const lc_value *element)
{
    return lc_is_known(element) && element->type->kind == LC_TYPE_OBJECT ? element->count : 1;
}

static const lc_value *part(const lc_value *element, size_t i)
{
    bool object = lc_is_known(element) && element->type->kind == LC_TYPE_OBJECT;
    return object ? &element->as.many.elems[i] : element;
}

/* An unknown required part may become anything. */
static bool may_be_same(const pairing *x, const lc_value *p, const lc_value *n, size_t i)
{
    bool open = x->configured && x->computed[i] && lc_is_null(part(p, i));
    return open || lc_is_unknown(part(p, i)) || lc_value_same(part(p, i), part(n, i));
}

/* By part of an element: is the attribute computed? */
static const bool *find_computed(const lc_judge *j, lc_path path, const lc_type *element)
{
    bool object = element->kind == LC_TYPE_OBJECT;
    bool *computed = LC_NEW_ARRAY(j->scratch, bool, object ? element->count + 1 : 1);
    lc_step *steps = LC_NEW_ARRAY(j->scratch, lc_step, path.count + 1);
    for (size_t i = 0; i < path.count; i++)
        steps[i] = path.steps[i];
    computed[0] = false;
    for (size_t i = 0; object && i < element->count; i++) {
        steps[path.count] = (lc_step){LC_STEP_ATTR, element->as.attrs[i].name, 0, NULL};
        const lc_attribute *a =
            lc_block_attribute_at(j->view->block, (lc_path){steps, path.count + 1});
        computed[i] = a && a->computed;
    }
    return computed;
}

/* SIZE_MAX: the two have different numbers of parts and cannot be compared. */
static size_t count_differences(const pairing *x, const lc_value *p, const lc_value *n)
{
    size_t parts = part_count(p), differ = 0;
    if (parts != part_count(n))
        return SIZE_MAX;
    for (size_t i = 0; i < parts; i++)
        differ += !may_be_same(x, p, n, i);
    return differ;
}

/* The element of `broken` with the fewest different parts, of those with an index in `among`, or of
 * the first `count` if that is NULL. */
static score find_partner(const pairing *x, const lc_value *p, const lc_value *broken,
                          const size_t *among, size_t count)
{
    score best = {SIZE_MAX, part_count(p), SIZE_MAX};
    for (size_t i = 0; i < count; i++) {
        size_t at = among ? among[i] : i;
        size_t differ = count_differences(x, p, &broken->as.many.elems[at]);
        if (differ < best.differ)
            best = (score){at, best.parts, differ};
    }
    return best;
}

/* ---- What differs in a pair. */

static void add_place(pairing *x, lc_str name, lc_str where)
{
    lc_buf place = {0};
    lc_buf_printf(&place, ".%.*s%s%.*s", LC_FMT(name), where.len ? " at " : "", LC_FMT(where));
    if (x->parts <= MAX_PLACES) {
        lc_buf_add_c(&x->where, x->where.len ? ", " : "");
        lc_buf_add_str(&x->where, lc_buf_str(&place));
    }
    lc_buf_release(&place);
}

static void add_pair(pairing *x, const lc_value *p, const lc_value *n)
{
    bool object = p->type->kind == LC_TYPE_OBJECT;
    for (size_t i = 0; i < part_count(p); i++) {
        const lc_value *a = part(p, i), *b = part(n, i);
        lc_str where;
        if (may_be_same(x, p, n, i))
            continue;
        lc_difference_kind difference_kind = lc_compare_closely(x->j->scratch, a, b, &where);
        x->near.difference_kind = x->parts == 0 || x->near.difference_kind == difference_kind
                                      ? difference_kind
                                      : LC_UNLIKE;
        x->parts++;
        if (object)
            add_place(x, p->type->as.attrs[i].name, where);
    }
}

/* Are all differing parts either computed, or the same value in another form? */
static bool differs_in_form(const pairing *x, const lc_value *p, const lc_value *n)
{
    for (size_t i = 0; i < part_count(p); i++) {
        lc_str where;
        if (x->computed[i] || may_be_same(x, p, n, i))
            continue;
        lc_difference_kind difference_kind =
            lc_compare_closely(x->j->scratch, part(p, i), part(n, i), &where);
        if (difference_kind == LC_UNLIKE || difference_kind >= LC_DIFFERENCE_OTHER_DOCUMENT)
            return false;
    }
    return true;
}

/* Is the pair similar enough to be one element that changed? Fewer than half of its parts may
 * differ. `alone`: there is only one stray on each side, so that exactly half will do as well. */
static bool is_near(const pairing *x, const lc_value *p, const lc_value *n, score s, bool alone)
{
    if (s.partner == SIZE_MAX || s.differ == SIZE_MAX)
        return false;
    return s.differ * 2 < s.parts + alone || differs_in_form(x, p, n);
}

/* ---- Sets. */

/* The returned set is smaller: does another required element also correspond to the partner of the
 * stray, so that both have become one element? */
static bool has_collapsed(const pairing *x, const lc_value *promised, const lc_value *broken,
                          size_t stray)
{
    const lc_value *p = &promised->as.many.elems[stray];
    size_t count = broken->count < MAX_PARTNERS ? broken->count : MAX_PARTNERS;
    score s = find_partner(x, p, broken, NULL, count);
    if (s.partner == SIZE_MAX || s.differ == SIZE_MAX)
        return false;
    const lc_value *n = &broken->as.many.elems[s.partner];
    if (!differs_in_form(x, p, n))
        return false;
    for (size_t i = 0; i < promised->count && i < MAX_PARTNERS; i++) {
        const lc_value *other = &promised->as.many.elems[i];
        if (i != stray && part_count(other) == part_count(n) && differs_in_form(x, other, n))
            return true;
    }
    return false;
}

/* Strays have different hashes, and yet may be equal, because an unknown part may become anything:
 * such pairs are removed from both lists. Returns how many strays remain. */
static size_t drop_matching(const pairing *x, const lc_value *promised, const lc_value *broken,
                            size_t *strays, size_t count, size_t *partners, size_t *partner_count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const lc_value *p = &promised->as.many.elems[strays[i]];
        size_t k = 0;
        while (k < *partner_count &&
               count_differences(x, p, &broken->as.many.elems[partners[k]]) != 0)
            k++;
        if (k == *partner_count)
            strays[kept++] = strays[i];
        else
            partners[k] = partners[--*partner_count];
    }
    return kept;
}

static void pair_strays(pairing *x, const lc_value *promised, const lc_value *broken)
{
    size_t strays[MAX_STRAYS], partners[MAX_PARTNERS];
    lc_arena *scratch = x->j->scratch;
    size_t count = find_strays(scratch, promised, broken, strays, MAX_STRAYS);
    size_t others = find_strays(scratch, broken, promised, partners, MAX_PARTNERS);
    count = drop_matching(x, promised, broken, strays, count, partners, &others);
    for (size_t i = 0; i < count; i++) {
        const lc_value *p = &promised->as.many.elems[strays[i]];
        score s = find_partner(x, p, broken, partners, others);
        if (broken->count < promised->count && has_collapsed(x, promised, broken, strays[i]))
            x->near.diff_facts |= LC_DIFF_FACT_SET_COLLAPSED;
        bool alone = count == 1 && others == 1 && s.parts > 1;
        if (s.partner == SIZE_MAX || !is_near(x, p, &broken->as.many.elems[s.partner], s, alone))
            continue;
        add_pair(x, p, &broken->as.many.elems[s.partner]);
        x->near.diff_facts |= LC_DIFF_FACT_SET_NEAR;
    }
}

lc_near lc_compare_sets(const lc_judge *j, lc_path path, bool configured, const lc_value *promised,
                        const lc_value *broken)
{
    pairing x = {.j = j, .configured = configured};
    x.computed = find_computed(j, path, promised->type->as.elem);
    pair_strays(&x, promised, broken);
    if (x.parts > MAX_PLACES)
        lc_buf_printf(&x.where, " and %zu more", x.parts - MAX_PLACES);
    x.near.where = lc_buf_copy(j->scratch, &x.where);
    lc_buf_release(&x.where);
    return x.near;
}
