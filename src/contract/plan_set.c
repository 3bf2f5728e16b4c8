/* Sets in a plan: both cores trust the provider there, the document does not. A finding is made
 * only where no reading of the plan could be right, since elements have no names to pair them by.
 */
#include "walk.h"

#include "lifecheck/arena.h"

typedef struct candidates {
    const lc_value *sets[2]; /* configuration and prior, or NULL */
} candidates;

/* Hashes of the values that one attribute has in the elements of both sets. */
typedef struct hash_set {
    uint64_t *slots;
    size_t mask;
    bool any_unknown; /* an element of which nothing is known: anything may be meant */
} hash_set;

static void hash_set_add(hash_set *set, uint64_t hash)
{
    hash |= 1; /* 0 marks a free slot */
    size_t i = (hash >> 1) & set->mask;
    while (set->slots[i] && set->slots[i] != hash)
        i = (i + 1) & set->mask;
    set->slots[i] = hash;
}

static bool hash_set_has(const hash_set *set, uint64_t hash)
{
    hash |= 1;
    size_t i = (hash >> 1) & set->mask;
    while (set->slots[i] && set->slots[i] != hash)
        i = (i + 1) & set->mask;
    return set->slots[i] == hash;
}

static size_t known_count(const lc_value *set)
{
    return set && lc_is_known(set) ? set->count : 0;
}

static hash_set hash_set_new(lc_walk *w, const candidates *c)
{
    hash_set set = {NULL, 16, false};
    while (set.mask < 2 * (known_count(c->sets[0]) + known_count(c->sets[1])))
        set.mask *= 2;
    set.slots = lc_arena_zalloc(w->arena, lc_mul_size(set.mask, sizeof *set.slots));
    set.mask--;
    return set;
}

static hash_set values_of(lc_walk *w, const lc_attribute *a, const candidates *c)
{
    hash_set set = hash_set_new(w, c);
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < known_count(c->sets[s]); i++) {
            const lc_value *element = &c->sets[s]->as.many.elems[i];
            if (lc_is_known(element))
                hash_set_add(&set, lc_value_hash(&element->as.many.elems[a->slot]));
            else
                set.any_unknown = true;
        }
    }
    return set;
}

/* An element that the configuration or the prior state holds as it is. */
static hash_set whole_elements(lc_walk *w, const candidates *c)
{
    hash_set set = hash_set_new(w, c);
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < known_count(c->sets[s]); i++)
            hash_set_add(&set, lc_value_hash(&c->sets[s]->as.many.elems[i]));
    }
    return set;
}

static bool buildable(const lc_attribute *attributes, size_t count, const hash_set *values,
                      const lc_value *element)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        if (a->computed || a->nested || a->write_only || values[i].any_unknown)
            continue;
        if (!hash_set_has(&values[i], lc_value_hash(&element->as.many.elems[a->slot])))
            return false;
    }
    return true;
}

static void check_elements(lc_walk *w, const lc_attribute *attributes, size_t count,
                           const candidates *c, const lc_value *planned, const lc_trail *at,
                           lc_reach reach)
{
    if (w->quiet || known_count(c->sets[0]) == 0)
        return;
    hash_set whole = whole_elements(w, c);
    hash_set *values = NULL;
    for (size_t i = 0; i < planned->count; i++) {
        const lc_value *element = &planned->as.many.elems[i];
        if (!lc_is_known(element) || hash_set_has(&whole, lc_value_hash(element)))
            continue;
        if (!values) {
            values = LC_NEW_ARRAY(w->arena, hash_set, count);
            for (size_t k = 0; k < count; k++)
                values[k] = values_of(w, &attributes[k], c);
        }
        if (buildable(attributes, count, values, element))
            continue;
        lc_trail trail = lc_trail_element(at, element);
        reach.live = reach.masked = LC_NO_CORE;
        lc_raise(w, LC_RULE_PLAN_SET_ELEMENT, &trail, reach,
                 "a planned set element that neither the configuration nor the prior state "
                 "explains");
    }
}

void lc_check_plan_block_set(lc_walk *w, const lc_block_type *b, const lc_value *p,
                             const lc_value *c, const lc_value *n, const lc_trail *at,
                             lc_reach reach)
{
    size_t configured = known_count(c);
    bool fewer = n->count < configured && lc_is_wholly_known(n) && lc_is_wholly_known(c);
    if (n->count > configured || fewer) {
        lc_reach nobody = {LC_NO_CORE, LC_NO_CORE, reach.follows, reach.tf_from};
        lc_raise(w, LC_RULE_PLAN_BLOCK_SET_COUNT, at, nobody,
                 "the plan has another number of blocks than the configuration");
        return;
    }
    candidates both = {{c, p}};
    check_elements(w, b->block->attributes, b->block->attribute_count, &both, n, at, reach);
}

void lc_check_plan_nested_set(lc_walk *w, const lc_nested_type *t, const lc_value *p,
                              const lc_value *c, const lc_value *n, const lc_trail *at,
                              lc_reach reach)
{
    candidates both = {{c, p}};
    check_elements(w, t->attributes, t->attribute_count, &both, n, at, reach);
}
