/* Sets in AssertObjectCompatible: every planned element must be compatible with some actual one,
 * and the other way round. This is coverage, not matching: elements may share a partner.
 *
 * The cores try all pairs. Here (contract-algorithms 4.14) plain elements are found by their hash,
 * and an element that is not plain is compared only with those that agree with it wherever it is
 * known.
 *
 * The "face" of an element is a hash over those of its parts that can only be compatible with equal
 * parts. Which parts these are depends on the element, and is called its mask. All elements of one
 * mask (the "models") share one hash index of the other side. Within a bucket the full comparison
 * decides. If nothing but unrefined unknowns is left to compare, the whole bucket is compatible,
 * and each of its elements is marked once. */
#include "contract/walk/walk.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <stdlib.h>
#include <string.h>

/* Full comparisons in one walk; beyond that the set is not evaluated (lc_walk.gave_up). */
#define MAX_PAIRS ((size_t)2 << 20)
/* Each mask costs an index of the whole other side; with more masks one common index is used. */
#define MAX_MASKS 16

/* One of the two sets. All arrays are per element, in the scratch arena. */
typedef struct side {
    const lc_value *elems;
    size_t count;
    lc_cores *hit; /* the cores that found a partner for it */
    bool *plain;   /* it can be found by its hash alone */
} side;

typedef struct matcher {
    lc_walk *w;
    const lc_block *block; /* NULL: set value */
    lc_core_progress progress;
    side planned, actual; /* as in the walk */
    bool same_types;      /* else no value is compatible with an unknown because it is known */
} matcher;

/* ---- Plain elements: compatible with an equal element and nothing else. */

/* Map blocks, computed blocks and blocks with a dynamic attribute inside have rules of their own
 * about null and keys, under which different values can be compatible. */
static bool plain_blocks(const lc_block *block, const lc_value *v)
{
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        const lc_value *child = &v->as.many.elems[b->slot];
        if (b->nesting == LC_NESTING_MAP || b->computed || b->dynamic_inside)
            return false;
        if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP) {
            if (lc_is_known(child) && !plain_blocks(b->block, child))
                return false;
            continue;
        }
        if (!lc_is_known(child))
            return false;
        for (size_t k = 0; k < child->count; k++) {
            if (lc_is_known(&child->as.many.elems[k]) &&
                !plain_blocks(b->block, &child->as.many.elems[k]))
                return false;
        }
    }
    return true;
}

static bool is_plain(const matcher *m, const lc_value *v)
{
    if (!lc_is_wholly_known(v) || v->type->has_dynamic)
        return false;
    return !m->block || lc_is_null(v) || plain_blocks(m->block, v);
}

/* ---- Hash index: chains of element numbers by face. Numbers are stored + 1, so that 0 ends a
 * chain. */

typedef struct face_entry {
    uint64_t face;
    uint32_t next; /* element + 1 */
} face_entry;

typedef struct face_index {
    uint32_t *head; /* element + 1, by face & mask */
    face_entry *entries;
    size_t mask;
} face_index;

static void index_init(face_index *index, lc_arena *arena, size_t count)
{
    size_t capacity = 16;
    while (capacity < count * 2)
        capacity *= 2;
    LC_ASSERT(count < UINT32_MAX);
    index->mask = capacity - 1;
    index->head = lc_arena_zalloc(arena, lc_mul_size(capacity, sizeof *index->head));
    index->entries = LC_NEW_ARRAY(arena, face_entry, count);
}

static void index_add(face_index *index, size_t element, uint64_t face)
{
    uint32_t *head = &index->head[face & index->mask];
    index->entries[element] = (face_entry){face, *head};
    *head = (uint32_t)element + 1;
}

static size_t with_face(const face_index *index, size_t at, uint64_t face)
{
    while (at && index->entries[at - 1].face != face)
        at = index->entries[at - 1].next;
    return at;
}

static size_t index_first(const face_index *index, uint64_t face)
{
    return with_face(index, index->head[face & index->mask], face);
}

static size_t index_after(const face_index *index, size_t at)
{
    const face_entry *entry = &index->entries[at - 1];
    return with_face(index, entry->next, entry->face);
}

/* Two plain elements with the same hash: if they are equal, each is the other's partner in both
 * cores. */
static bool meet(matcher *m, size_t planned, size_t actual)
{
    const lc_value *x = &m->planned.elems[planned], *y = &m->actual.elems[actual];
    if (!lc_type_equal(x->type, y->type) || lc_value_equals(x, y) != LC_TRUE)
        return false;
    m->planned.hit[planned] = m->actual.hit[actual] = LC_BOTH_CORES;
    return true;
}

/* Both sets are in cty's order, so unchanged elements are found by walking both in parallel, which
 * reads memory in order. Returns how many planned elements have found their partner. */
static size_t match_in_order(matcher *m)
{
    size_t i = 0;
    while (i < m->planned.count && i < m->actual.count && m->planned.plain[i] &&
           m->actual.plain[i] && meet(m, i, i))
        i++;
    return i;
}

static void match_plain(matcher *m)
{
    size_t met = match_in_order(m);
    if (met == m->planned.count)
        return;
    face_index index;
    index_init(&index, m->w->arena, m->actual.count);
    for (size_t i = met; i < m->actual.count; i++) {
        if (m->actual.plain[i])
            index_add(&index, i, lc_value_hash(&m->actual.elems[i]));
    }
    for (size_t i = met; i < m->planned.count; i++) {
        if (!m->planned.plain[i])
            continue;
        size_t at = index_first(&index, lc_value_hash(&m->planned.elems[i]));
        while (
            at &&
            !meet(m, i, at - 1)) /* the elements of a set differ, so there is at most one partner */
            at = index_after(&index, at);
    }
}

/* ---- Faces. */

/* A firm part must be equal on both sides. Without dynamic: its untyped nulls are compatible with
 * anything. */
static bool is_firm(const lc_value *v)
{
    return lc_is_wholly_known(v) && !v->type->has_dynamic;
}

/* The mask of a value: which of its parts are firm. Only objects are looked into. */
static uint64_t value_mask(const lc_value *v, uint64_t hash)
{
    if (is_firm(v))
        return lc_hash_mix(hash, 1);
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_OBJECT)
        return lc_hash_mix(hash, 2);
    hash = lc_hash_mix(hash, 3);
    for (size_t i = 0; i < v->count; i++)
        hash = value_mask(&v->as.many.elems[i], hash);
    return hash;
}

/* The face of `v` under the mask of `model`. False: `v` has another shape and cannot be
 * compatible. */
static bool value_face(const lc_value *model, const lc_value *v, uint64_t *hash)
{
    if (is_firm(model)) {
        *hash = lc_hash_mix(*hash, lc_value_hash(v));
        return true;
    }
    if (!lc_is_known(model) || model->type->kind != LC_TYPE_OBJECT)
        return true;
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_OBJECT || v->count != model->count)
        return false;
    for (size_t i = 0; i < model->count; i++) {
        if (!value_face(&model->as.many.elems[i], &v->as.many.elems[i], hash))
            return false;
    }
    return true;
}

/* Of blocks only the attributes count: nested blocks have rules of their own about null and
 * unknown. If a computed block is inside not even they count, since Terraform may drop the errors
 * it found there. */
static uint64_t element_mask(const matcher *m, const lc_value *v)
{
    if (!m->block)
        return value_mask(v, 7);
    if (!lc_is_known(v) || m->block->any_computed_block)
        return 9;
    uint64_t hash = 11;
    for (size_t i = 0; i < m->block->attribute_count; i++)
        hash = value_mask(&v->as.many.elems[m->block->attributes[i].slot], hash);
    return hash;
}

static bool element_face(const matcher *m, const lc_value *model, const lc_value *v, uint64_t *hash)
{
    *hash = 13;
    if (!m->block)
        return value_face(model, v, hash);
    if (!lc_is_known(model) || m->block->any_computed_block)
        return true;
    if (!lc_is_known(v))
        return false;
    for (size_t i = 0; i < m->block->attribute_count; i++) {
        uint32_t slot = m->block->attributes[i].slot;
        if (!value_face(&model->as.many.elems[slot], &v->as.many.elems[slot], hash))
            return false;
    }
    return true;
}

/* Are all parts that are not firm unrefined unknowns, so that any known value is compatible
 * there? */
static bool rest_is_open(const lc_value *v)
{
    if (is_firm(v))
        return true;
    if (lc_is_unknown(v))
        return !lc_value_refinement(v);
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_OBJECT)
        return false;
    for (size_t i = 0; i < v->count; i++) {
        if (!rest_is_open(&v->as.many.elems[i]))
            return false;
    }
    return true;
}

static bool is_open(const matcher *m, const lc_value *v)
{
    if (v->type->has_dynamic || (m->block && (m->block->block_count > 0 || !lc_is_known(v))))
        return false;
    return rest_is_open(v);
}

/* ---- Elements that are not plain: full comparisons, counted against the limit. */

/* Compare in quiet mode, and only for the cores that still lack a partner for one of the two. */
static void try_pair(matcher *m, size_t x, size_t y)
{
    lc_cores open = m->progress.live & ~(m->planned.hit[x] & m->actual.hit[y]);
    if (!open)
        return;
    if (++m->w->pairs > MAX_PAIRS) {
        m->w->gave_up = true;
        return;
    }
    bool quiet = m->w->quiet;
    m->w->quiet = true;
    lc_core_progress progress = {open, LC_NO_CORE, -1, 0};
    lc_cores found =
        m->block ? lc_compat_block(m->w, m->block, &m->planned.elems[x], &m->actual.elems[y], NULL,
                                   progress)
                 : lc_compat_value(m->w, &m->planned.elems[x], &m->actual.elems[y], NULL, progress);
    m->w->quiet = quiet;
    m->planned.hit[x] |= open & ~found;
    m->actual.hit[y] |= open & ~found;
}

/* The models of one side, to be sorted by mask. */
typedef struct model_order {
    uint64_t mask;
    size_t element;
} model_order;

static int by_mask(const void *a, const void *b)
{
    const model_order *x = a, *y = b;
    if (x->mask != y->mask)
        return x->mask < y->mask ? -1 : 1;
    return (x->element > y->element) - (x->element < y->element);
}

typedef struct group {
    const model_order *models; /* of one mask */
    size_t count;
    bool reversed; /* the models are actual elements */
} group;

/* Mark a bucket whose elements are all compatible with an open planned element. `marked` remembers
 * the buckets, by their first element, so that each is walked once however many models share it. */
static void mark_bucket(matcher *m, size_t model, const face_index *index, size_t first,
                        bool *marked)
{
    m->planned.hit[model] = LC_BOTH_CORES;
    if (marked[first - 1])
        return;
    marked[first - 1] = true;
    for (size_t at = first; at; at = index_after(index, at))
        m->actual.hit[at - 1] = LC_BOTH_CORES;
}

/* One model against the bucket of its face. `marked` NULL: the other side is not wholly known, and
 * then no bucket is compatible as a whole. */
static void match_model(matcher *m, const group *g, size_t model, const face_index *index,
                        bool *marked)
{
    const side *models = g->reversed ? &m->actual : &m->planned;
    uint64_t face;
    element_face(m, &models->elems[model], &models->elems[model], &face);
    size_t first = index_first(index, face);
    if (!first)
        return;
    if (marked && is_open(m, &m->planned.elems[model])) {
        mark_bucket(m, model, index, first, marked);
        return;
    }
    for (size_t at = first; at && !m->w->gave_up; at = index_after(index, at)) {
        if (g->reversed)
            try_pair(m, at - 1, model);
        else
            try_pair(m, model, at - 1);
    }
}

/* All models of one mask against an index of the other side. An unknown block on the other side has
 * no face where the models are known: it is not indexed, and is compared with every model. */
static void match_group(matcher *m, const group *g)
{
    const side *models = g->reversed ? &m->actual : &m->planned;
    const side *others = g->reversed ? &m->planned : &m->actual;
    const lc_value *model = &models->elems[g->models[0].element];
    face_index index;
    index_init(&index, m->w->arena, others->count);
    bool all_known = true;
    for (size_t i = 0; i < others->count && !m->w->gave_up; i++) {
        uint64_t face;
        const lc_value *other = &others->elems[i];
        all_known &= lc_is_wholly_known(other);
        if (m->block && lc_is_unknown(other) && lc_is_known(model)) {
            for (size_t k = 0; k < g->count; k++) {
                size_t e = g->models[k].element;
                if (g->reversed)
                    try_pair(m, i, e);
                else
                    try_pair(m, e, i);
            }
        } else if (element_face(m, model, other, &face)) {
            index_add(&index, i, face);
        }
    }
    bool *marked = NULL;
    if (all_known && !g->reversed && m->same_types)
        marked = lc_arena_zalloc(m->w->arena, others->count);
    for (size_t k = 0; k < g->count && !m->w->gave_up; k++)
        match_model(m, g, g->models[k].element, &index, marked);
}

/* ---- Every mask costs an index, so with many masks they share one. Its faces cover only the parts
 * that are firm in every model; buckets get larger, and the limit bounds the number of pairs. */

static size_t part_count(const matcher *m, const lc_type *type)
{
    if (m->block)
        return m->block->any_computed_block ? 0 : m->block->attribute_count;
    return type->kind == LC_TYPE_OBJECT ? type->count : 0;
}

static const lc_value *part_of(const matcher *m, const lc_value *v, size_t part)
{
    return &v->as.many.elems[m->block ? m->block->attributes[part].slot : part];
}

static bool common_face(const matcher *m, const bool *firm, size_t parts, const lc_value *v,
                        uint64_t *hash)
{
    *hash = 17;
    if (!lc_is_known(v))
        return false;
    for (size_t i = 0; i < parts; i++) {
        if (!firm[i])
            continue;
        if (!is_firm(part_of(m, v, i)))
            return false;
        *hash = lc_hash_mix(*hash, lc_value_hash(part_of(m, v, i)));
    }
    return true;
}

static bool *firm_in_all(const matcher *m, const group *g, size_t parts)
{
    const side *models = g->reversed ? &m->actual : &m->planned;
    bool *firm = lc_arena_alloc(m->w->arena, parts);
    memset(firm, true, parts);
    for (size_t k = 0; k < g->count; k++) {
        for (size_t i = 0; i < parts; i++)
            firm[i] = firm[i] && is_firm(part_of(m, &models->elems[g->models[k].element], i));
    }
    return firm;
}

static void match_common(matcher *m, const group *g)
{
    const side *models = g->reversed ? &m->actual : &m->planned;
    const side *others = g->reversed ? &m->planned : &m->actual;
    size_t parts = part_count(m, models->elems[g->models[0].element].type);
    bool *firm = firm_in_all(m, g, parts);
    face_index index;
    uint64_t face;
    index_init(&index, m->w->arena, others->count);
    for (size_t i = 0; i < others->count; i++) {
        if (common_face(m, firm, parts, &others->elems[i], &face))
            index_add(&index, i, face);
    }
    for (size_t k = 0; k < g->count; k++) {
        size_t model = g->models[k].element;
        common_face(m, firm, parts, &models->elems[model], &face);
        size_t at = index_first(&index, face);
        for (; at && !m->w->gave_up; at = index_after(&index, at))
            try_pair(m, g->reversed ? at - 1 : model, g->reversed ? model : at - 1);
        for (size_t i = 0; m->block && i < others->count && !m->w->gave_up; i++) {
            if (lc_is_unknown(&others->elems[i]))
                try_pair(m, g->reversed ? i : model, g->reversed ? model : i);
        }
    }
}

/* The elements are in ascending order already, so one mask alone needs no sorting. */
static void sort_by_mask(model_order *order, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && by_mask(&order[sorted - 1], &order[sorted]) < 0)
        sorted++;
    if (sorted < count)
        qsort(order, count, sizeof *order, by_mask);
}

/* `order` is sorted, and not empty. */
static size_t count_masks(const model_order *order, size_t count)
{
    size_t masks = 1;
    for (size_t i = 1; i < count; i++)
        masks += order[i].mask != order[i - 1].mask;
    return masks;
}

/* Move known elements to the front; returns their number. Only they have parts for a common
 * face. */
static size_t known_first(const side *models, model_order *order, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (!lc_is_known(&models->elems[order[i].element]))
            continue;
        model_order swap = order[known];
        order[known++] = order[i];
        order[i] = swap;
    }
    return known;
}

/* Find partners for the elements of one side that are not plain. `reversed`: of the actual side. */
static void match_side(matcher *m, bool reversed)
{
    side *models = reversed ? &m->actual : &m->planned;
    model_order *order = LC_NEW_ARRAY(m->w->arena, model_order, models->count);
    size_t count = 0, from = 0;
    for (size_t i = 0; i < models->count; i++) {
        if (!models->plain[i])
            order[count++] = (model_order){element_mask(m, &models->elems[i]), i};
    }
    if (!count)
        return;
    sort_by_mask(order, count);
    if (count_masks(order, count) > MAX_MASKS) {
        from = known_first(models, order, count);
        if (from)
            match_common(m, &(group){order, from, reversed});
        sort_by_mask(order + from, count - from);
    }
    for (size_t to; from < count && !m->w->gave_up; from = to) {
        for (to = from + 1; to < count && order[to].mask == order[from].mask;)
            to++;
        match_group(m, &(group){&order[from], to - from, reversed});
    }
}

/* ---- Elements without a partner. */

/* Raise an issue for every element without a partner, for the cores in `cores`; if no core is live,
 * for every element for which no core found a partner. */
static lc_cores unmatched(matcher *m, const side *s, bool planned, lc_cores cores,
                          const lc_trail *at)
{
    lc_walk *w = m->w;
    lc_cores found = LC_NO_CORE;
    for (size_t i = 0; i < s->count; i++) {
        lc_core_progress progress = m->progress;
        progress.live &= ~s->hit[i] & cores;
        bool no_live_core = !m->progress.live;
        if (!progress.live && !(no_live_core && !s->hit[i]))
            continue;
        found |= progress.live;
        if (w->quiet)
            continue;
        lc_rule rule = planned ? (w->final ? LC_RULE_FINAL_SET_PLANNED_UNMATCHED
                                           : LC_RULE_APPLY_SET_PLANNED_UNMATCHED)
                               : (w->final ? LC_RULE_FINAL_SET_ACTUAL_UNMATCHED
                                           : LC_RULE_APPLY_SET_ACTUAL_UNMATCHED);
        lc_issue *issue = lc_raise(w, rule, at, progress,
                                   planned ? "a planned set element is not found"
                                           : "a set element was not planned");
        lc_issue_quote(w, issue, LC_BOTH_CORES,
                       planned ? LC_TEXT_COMPAT_SET_PLANNED_UNMATCHED
                               : LC_TEXT_COMPAT_SET_ACTUAL_UNMATCHED,
                       (lc_text_arg[]){LC_ARG_VALUE(&s->elems[i])}, 1);
    }
    return found;
}

/* The cores compare the lengths last: more elements than planned is an error of its own. */
static lc_cores grew(matcher *m, const lc_value *n, const lc_value *a, const lc_trail *at)
{
    lc_walk *w = m->w;
    if (a->count <= n->count)
        return LC_NO_CORE;
    if (w->quiet)
        return m->progress.live;
    lc_rule rule = m->block
                       ? (w->final ? LC_RULE_FINAL_BLOCK_SET_GREW : LC_RULE_APPLY_BLOCK_SET_GREW)
                       : (w->final ? LC_RULE_FINAL_SET_GREW : LC_RULE_APPLY_SET_GREW);
    lc_issue *issue = lc_raise(w, rule, at, m->progress, "the set has more elements than planned");
    lc_issue_quote(w, issue, LC_BOTH_CORES,
                   m->block ? LC_TEXT_COMPAT_BLOCK_SET_GREW : LC_TEXT_COMPAT_SET_GREW,
                   (lc_text_arg[]){LC_ARG_COUNT(n->count), LC_ARG_COUNT(a->count)}, 2);
    return m->progress.live;
}

static void side_init(matcher *m, side *s, const lc_value *set)
{
    s->elems = set->as.many.elems;
    s->count = set->count;
    s->hit = lc_arena_zalloc(m->w->arena, lc_mul_size(s->count, sizeof *s->hit));
    s->plain = LC_NEW_ARRAY(m->w->arena, bool, s->count);
    for (size_t i = 0; i < s->count; i++)
        s->plain[i] = is_plain(m, &s->elems[i]);
}

/* A core that misses a planned element returns before it looks at actual ones. */
lc_cores lc_compat_set(lc_walk *w, const lc_block *block, const lc_value *n, const lc_value *a,
                       const lc_trail *at, lc_core_progress progress)
{
    matcher m = {w, block, progress, {0}, {0}, lc_type_equal(n->type, a->type)};
    side_init(&m, &m.planned, n);
    side_init(&m, &m.actual, a);
    match_plain(&m);
    lc_core_progress real = m.progress;
    if (!m.progress.live)
        m.progress.live = LC_BOTH_CORES; /* no core gets here; find out what one would report */
    match_side(&m, false);
    match_side(&m, true);
    m.progress = real;
    if (w->gave_up) /* the rules about elements are then not checked; the lengths can still be
                       compared */
        return grew(&m, n, a, at);
    size_t before = w->issues.count;
    lc_cores missing = unmatched(&m, &m.planned, true, LC_BOTH_CORES, at);
    /* Where no core is live, report no more than a core would: planned elements first, and actual
     * ones only if each of those has a partner. */
    bool silent = !progress.live && w->issues.count > before;
    lc_cores found = missing;
    lc_cores rest = progress.live & ~missing;
    if (rest || (!progress.live && !silent))
        found |= unmatched(&m, &m.actual, false, rest, at);
    return found | grew(&m, n, a, at);
}
