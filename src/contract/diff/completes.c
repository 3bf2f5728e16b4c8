/* Is one value what another becomes when its unknown values get known? */
#include "contract/judge.h"

/* Elements of sets are tried one with another, so that larger sets are left alone. */
#define MAX_ELEMENTS 32
/* Sets in sets multiply: so many pairs of values are compared at most. */
#define MAX_STEPS 100000

static bool completes(size_t *steps, const lc_value *known, const lc_value *open);

/* Elements of an open set and of a known one. `fits` has the pairs in which the open one can become
 * the known one. */
typedef struct matching {
    bool fits[MAX_ELEMENTS][MAX_ELEMENTS]; /* [known][open] */
    size_t known, open;
    int taken[MAX_ELEMENTS]; /* the known element that an open one becomes, or -1 */
} matching;

/* Gives the known element an open one of its own, moving others where that helps (Kuhn's
 * algorithm). */
static bool place(matching *m, size_t known, bool *tried)
{
    for (size_t open = 0; open < m->open; open++) {
        if (!m->fits[known][open] || tried[open])
            continue;
        tried[open] = true;
        if (m->taken[open] < 0 || place(m, (size_t)m->taken[open], tried)) {
            m->taken[open] = (int)known;
            return true;
        }
    }
    return false;
}

/* Every known element needs a separate open one to come from, and every open one becomes some known
 * element: two of them may become the same. */
static bool completes_set(size_t *steps, const lc_value *known, const lc_value *open)
{
    matching m = {.known = known->count, .open = open->count};
    if (known->count > open->count || open->count > MAX_ELEMENTS)
        return false;
    for (size_t i = 0; i < MAX_ELEMENTS; i++)
        m.taken[i] = -1;
    for (size_t o = 0; o < m.open; o++) {
        bool any = false;
        for (size_t k = 0; k < m.known; k++) {
            m.fits[k][o] = completes(steps, &known->as.many.elems[k], &open->as.many.elems[o]);
            any = any || m.fits[k][o];
        }
        if (!any)
            return false;
    }
    for (size_t k = 0; k < m.known; k++) {
        bool tried[MAX_ELEMENTS] = {false};
        if (!place(&m, k, tried))
            return false;
    }
    return true;
}

static bool same_keys(const lc_value *a, const lc_value *b)
{
    for (size_t i = 0; a->type->kind == LC_TYPE_MAP && i < a->count; i++) {
        if (!lc_str_eq(a->as.many.keys[i], b->as.many.keys[i]))
            return false;
    }
    return true;
}

static bool completes(size_t *steps, const lc_value *known, const lc_value *open)
{
    if (++*steps > MAX_STEPS)
        return false;
    if (lc_is_unknown(open))
        return lc_value_includes(open, known) != LC_FALSE;
    if (lc_is_wholly_known(open))
        return lc_value_same(known, open);
    if (!lc_is_known(known) || known->type->kind != open->type->kind)
        return false;
    if (open->type->kind == LC_TYPE_SET)
        return completes_set(steps, known, open);
    if (known->count != open->count || !same_keys(known, open))
        return false;
    for (size_t i = 0; i < open->count; i++) {
        if (!completes(steps, &known->as.many.elems[i], &open->as.many.elems[i]))
            return false;
    }
    return true;
}

bool lc_completes(const lc_value *known, const lc_value *open)
{
    size_t steps = 0;
    return completes(&steps, known, open);
}
