/* Correlating the elements of a configured set with those of the prior state (contract-algorithms
 * 4.2 validPrior, 4.14). As in the cores this is greedy: in cty's order of both sets each
 * configured element takes the first prior element that fits and is not taken yet.
 *
 * The cores try all pairs. A prior element can only fit if it equals the configured one in all
 * attributes that are not free, so candidates are found by a hash (the "face") over those. Which
 * attributes are free depends on the configured element (its mask); configured elements of one mask
 * share an index of the prior elements. */
#include "contract/walk/proposed.h"

#include "lifecheck/base/arena.h"

#include <string.h>

static bool valid_nested(const lc_nested_type *t, const lc_value *p, const lc_value *c);
static bool valid_block(const lc_block *s, const lc_value *p, const lc_value *c);

/* ---- validPrior: could the configured `c` have led to the prior `p`? */

/* A set that is not equal never fits: the cores do not correlate sets within sets. */
static bool valid_attribute(const lc_attribute *a, const lc_value *p, const lc_value *c)
{
    if (lc_value_same(c, p))
        return true;
    if (c->type->kind == LC_TYPE_SET)
        return false;
    if (a->nested)
        return valid_nested(a->nested, p, c);
    return a->computed && lc_is_null(c);
}

static bool valid_attributes(const lc_attribute *attributes, size_t count, const lc_value *p,
                             const lc_value *c)
{
    lc_value unknown;
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        const lc_value *part = &unknown;
        if (lc_is_known(c))
            part = &c->as.many.elems[a->slot];
        else
            lc_value_set_unknown(&unknown, a->implied);
        if (!valid_attribute(a, &p->as.many.elems[a->slot], part))
            return false;
    }
    return true;
}

/* An element: a block of `s`, or if `s` is NULL an object of `t`. Parts that are not in the prior
 * element need no check. */
static bool valid_object(const lc_block *s, const lc_nested_type *t, const lc_value *p,
                         const lc_value *c)
{
    if (!lc_is_known(p) || lc_value_same(c, p))
        return true;
    if (lc_is_null(c))
        return s ? s->attribute_count + s->block_count == 0 : t->attribute_count == 0;
    return s ? valid_block(s, p, c) : valid_attributes(t->attributes, t->attribute_count, p, c);
}

static const lc_value *counterpart(const lc_value *c, const lc_value *p, size_t i)
{
    if (p->type->kind == LC_TYPE_MAP)
        return c->type->kind == LC_TYPE_MAP ? lc_value_key(c, p->as.many.keys[i]) : NULL;
    if (p->type->kind == LC_TYPE_OBJECT)
        return lc_value_attr(c, p->type->as.attrs[i].name);
    return i < c->count ? &c->as.many.elems[i] : NULL;
}

/* A block with a dynamic attribute inside may hold elements of any shape, which cannot be
 * walked. */
static bool has_shape(const lc_value *v, const lc_type *object)
{
    return v->type == object || lc_type_conforms(v->type, object);
}

/* Every prior element needs a configured one with its key or index that could have led to it. */
static bool valid_collection(const lc_block *s, const lc_nested_type *t, const lc_value *p,
                             const lc_value *c)
{
    if (!lc_is_known(p))
        return true;
    const lc_type *object = s ? s->implied : t->object;
    lc_value unknown;
    for (size_t i = 0; i < p->count; i++) {
        const lc_value *element = &p->as.many.elems[i], *other = NULL;
        if (lc_is_known(c)) {
            other = counterpart(c, p, i);
        } else if (lc_is_unknown(c)) {
            lc_value_set_unknown(&unknown, element->type);
            other = &unknown;
        }
        if (!other || !has_shape(element, object) ||
            (lc_is_known(other) && !has_shape(other, object)) ||
            !valid_object(s, t, element, other))
            return false;
    }
    return true;
}

static bool valid_nested(const lc_nested_type *t, const lc_value *p, const lc_value *c)
{
    bool single = t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP;
    return single ? valid_object(NULL, t, p, c) : valid_collection(NULL, t, p, c);
}

static bool valid_block(const lc_block *s, const lc_value *p, const lc_value *c)
{
    if (!valid_attributes(s->attributes, s->attribute_count, p, c))
        return false;
    lc_value unknown;
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        const lc_value *prior = &p->as.many.elems[b->slot], *part = &unknown;
        if (lc_is_known(c))
            part = &c->as.many.elems[b->slot];
        else
            lc_value_set_unknown(&unknown, b->implied);
        if (lc_value_same(part, prior))
            continue;
        if (part->type->kind == LC_TYPE_SET)
            return false;
        bool single = b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP;
        if (!(single ? valid_object(b->block, NULL, prior, part)
                     : valid_collection(b->block, NULL, prior, part)))
            return false;
    }
    return true;
}

/* ---- Finding candidates. */

/* The attributes over which faces are made. `flat`: no attribute is nested and there are no
 * blocks. */
typedef struct shape {
    const lc_attribute *attributes;
    size_t count;
    bool flat;
} shape;

static shape shape_of(const lc_element_kind *kind)
{
    if (kind->nested)
        return (shape){kind->nested->attributes, kind->nested->attribute_count, kind->nested->flat};
    return (shape){kind->block->attributes, kind->block->attribute_count, kind->block->flat};
}

/* May the attribute differ between the configured element and a prior element that fits? For
 * elements that are not flat the answer does not depend on `model`. */
static bool is_free(const shape *s, const lc_attribute *a, const lc_value *model)
{
    if (!s->flat)
        return a->computed || a->nested;
    const lc_value *v = &model->as.many.elems[a->slot];
    return a->computed && lc_is_null(v) && v->type->kind != LC_TYPE_SET;
}

/* The hash of `v` over the attributes that are not free in `model`; *mask has the free ones. */
static uint64_t face(const shape *s, const lc_value *model, const lc_value *v, uint64_t *mask)
{
    uint64_t hash = 3;
    *mask = 5;
    for (size_t i = 0; i < s->count; i++) {
        bool free = is_free(s, &s->attributes[i], model);
        *mask = lc_hash_mix(*mask, free);
        if (!free)
            hash = lc_hash_mix(hash, lc_value_hash(&v->as.many.elems[s->attributes[i].slot]));
    }
    return hash;
}

/* An index of the prior elements by face, for one mask. Chains are in ascending order, because the
 * first element that fits has to be taken. */
typedef struct prior_index {
    struct prior_index *next;
    uint64_t mask;
    size_t *head; /* element + 1 */
    size_t *chain;
    uint64_t *faces;
    size_t buckets;
} prior_index;

/* The state while one set is correlated: prior elements, which of them are taken, and the
 * indexes. */
typedef struct correlator {
    lc_arena *arena;
    const lc_element_kind *kind;
    shape shape;
    const lc_value *prior;
    size_t count;
    bool *used;
    prior_index *indexes;
} correlator;

static prior_index *index_for(correlator *k, const lc_value *model, uint64_t mask)
{
    for (prior_index *index = k->indexes; index; index = index->next) {
        if (index->mask == mask)
            return index;
    }
    prior_index *index = LC_NEW(k->arena, prior_index);
    *index = (prior_index){k->indexes, mask, NULL, NULL, NULL, 16};
    while (index->buckets < k->count * 2)
        index->buckets *= 2;
    index->head = lc_arena_zalloc(k->arena, lc_mul_size(index->buckets, sizeof *index->head));
    index->chain = LC_NEW_ARRAY(k->arena, size_t, k->count);
    index->faces = LC_NEW_ARRAY(k->arena, uint64_t, k->count);
    for (size_t i = k->count; i-- > 0;) {
        if (!lc_is_known(&k->prior[i]))
            continue;
        uint64_t ignored;
        index->faces[i] = face(&k->shape, model, &k->prior[i], &ignored);
        size_t *head = &index->head[index->faces[i] & (index->buckets - 1)];
        index->chain[i] = *head;
        *head = i + 1;
    }
    k->indexes = index;
    return index;
}

static bool fits(const correlator *k, const lc_value *p, const lc_value *c)
{
    return lc_value_same(c, p) || valid_object(k->kind->block, k->kind->nested, p, c);
}

/* The first unused prior element that fits; k->count if no element fits. Used elements at the head
 * of a chain are unlinked, so that many equal faces are not searched again and again. */
static size_t find_indexed(correlator *k, const lc_value *c)
{
    uint64_t mask, want = face(&k->shape, c, c, &mask);
    prior_index *index = index_for(k, c, mask);
    size_t *head = &index->head[want & (index->buckets - 1)];
    while (*head && k->used[*head - 1])
        *head = index->chain[*head - 1];
    for (size_t at = *head; at; at = index->chain[at - 1]) {
        if (!k->used[at - 1] && index->faces[at - 1] == want && fits(k, &k->prior[at - 1], c))
            return at - 1;
    }
    return k->count;
}

static size_t find(correlator *k, const lc_value *c)
{
    size_t best = lc_is_known(c) ? find_indexed(k, c) : k->count;
    /* Known elements come from the index; a configured element that is not known has no face and is
     * compared with every one. Null and unknown prior elements, at the end of the order, fit
     * everything. */
    for (size_t i = lc_is_known(c) ? k->count : 0; !lc_is_known(c) && i < k->count; i++) {
        if (!k->used[i] && fits(k, &k->prior[i], c))
            return i;
    }
    for (size_t i = k->count; i-- > 0 && !lc_is_known(&k->prior[i]);) {
        if (!k->used[i] && i < best)
            best = i;
    }
    return best;
}

bool lc_merge_set_elements(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                           const lc_value *c, lc_value *out)
{
    correlator k = {pr->arena, kind, shape_of(kind), NULL, 0, NULL, NULL};
    if (lc_is_known(p)) {
        k.prior = p->as.many.elems;
        k.count = p->count;
    }
    k.used = lc_arena_zalloc(pr->arena, k.count);
    lc_value missing;
    lc_value_set_null(&missing, kind->object);
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *ce = &c->as.many.elems[i], *pe = &missing;
        size_t found = find(&k, ce);
        if (found < k.count) {
            k.used[found] = true;
            pe = &k.prior[found];
        }
        const lc_value *merged = lc_merge_element(pr, kind, pe, ce);
        if (!merged)
            return false;
        out[i] = *merged;
    }
    return true;
}
