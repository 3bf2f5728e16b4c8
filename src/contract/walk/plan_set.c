/* Sets in a plan. Both cores trust the provider there; the document does not. Set elements have no
 * keys by which planned ones could be paired with configured ones, so a finding is made only if no
 * pairing keeps the rules of a plan. The prior value of an attribute may be that of any prior
 * element. */
#include "contract/walk/walk.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "lifecheck/base/table.h"

#define MAX_PAIRS                                                                                  \
    ((size_t)1 << 22) /* compared in one walk; sets that would need more are left undecided */

/* The schema of an element: attributes, and of blocks the block types inside. */
typedef struct parts {
    const lc_attribute *attributes;
    size_t attribute_count;
    const lc_block_type *blocks;
    size_t block_count;
} parts;

/* The three sets at one place. `configured` and `planned` may be unknown or null, too. */
typedef struct sets {
    parts of;
    const lc_value *configured, *prior, *planned; /* prior may be NULL */
} sets;

/* The number of elements; 0 for NULL, null and unknown sets. */
static size_t known_count(const lc_value *set)
{
    return set && lc_is_known(set) ? set->count : 0;
}

/* ---- Sets of hashes, with open addressing; never more than half full. */

typedef struct hash_set {
    uint64_t *slots;
    size_t mask;
} hash_set;

static hash_set hash_set_new(lc_arena *arena, size_t count)
{
    hash_set set = {NULL, 16};
    while (set.mask < 2 * count)
        set.mask *= 2;
    set.slots = lc_arena_zalloc(arena, lc_mul_size(set.mask, sizeof *set.slots));
    set.mask--;
    return set;
}

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

/* ---- Parts of elements. */

static size_t part_count(const parts *of)
{
    return of->attribute_count + of->block_count;
}

static const lc_value *part_of(lc_walk *w, const parts *of, size_t i, const lc_value *element)
{
    if (i < of->attribute_count)
        return lc_part(w, element, of->attributes[i].slot, of->attributes[i].implied);
    const lc_block_type *b = &of->blocks[i - of->attribute_count];
    return lc_part(w, element, b->slot, b->implied);
}

/* For each part the hashes of the values that it has in any prior element. */
static hash_set *prior_values(lc_walk *w, const sets *s)
{
    size_t count = part_count(&s->of), elements = known_count(s->prior);
    hash_set *values = LC_NEW_ARRAY(w->arena, hash_set, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = hash_set_new(w->arena, elements);
        for (size_t k = 0; k < elements; k++) {
            const lc_value *element = &s->prior->as.many.elems[k];
            if (lc_is_known(element))
                hash_set_add(&values[i], lc_value_hash(part_of(w, &s->of, i, element)));
        }
    }
    return values;
}

/* ---- Pairs. */

/* The states of a remembered pair; and which prior element a part may have kept its value from. */
enum { NOT_TRIED, FITS, FITS_NOT };
enum { NO_PRIOR, ANY_PRIOR, ONE_PRIOR };

typedef struct pairing {
    lc_walk *w;
    const sets *s;
    const hash_set *prior; /* by part */
    lc_arena *trials;      /* reset after each trial */
    unsigned char *tried;  /* planned by configured; NULL: not remembered */
    size_t *planned_of;    /* by configured element: 1 + its planned partner, or 0 */
    bool *paired;          /* by planned element: it has a partner */
    bool *visited;         /* by configured element, during one search */
} pairing;

/* Run the rules of a plan for one part in a trial walk of its own. Sets inside count against the
 * same limit of pairs. */
static bool allows(pairing *p, size_t part, const lc_value *c, const lc_value *n)
{
    const parts *of = &p->s->of;
    lc_walk trial = {.arena = p->trials, .quiet = true, .trial = true, .pairs = p->w->pairs};
    bool yes = part < of->attribute_count
                   ? lc_plan_allows_attribute(&trial, &of->attributes[part], c, n)
                   : lc_plan_allows_block(&trial, &of->blocks[part - of->attribute_count], c, n);
    p->w->pairs = trial.pairs;
    p->w->undecided |= trial.undecided;
    lc_walk_release(&trial);
    lc_arena_reset(p->trials);
    return yes;
}

static bool is_kept(const pairing *p, size_t part, const lc_value *planned, int which,
                    const lc_value *prior)
{
    if (which == ANY_PRIOR)
        return hash_set_has(&p->prior[part], lc_value_hash(planned));
    return which == ONE_PRIOR && lc_value_same(planned, part_of(p->w, &p->s->of, part, prior));
}

/* Each part must be the configured value, one that is kept from the prior state, or one that the
 * rules of a plan allow. */
static bool part_fits(pairing *p, size_t i, const lc_value *c, const lc_value *n, int which,
                      const lc_value *prior)
{
    const lc_value *configured = part_of(p->w, &p->s->of, i, c);
    const lc_value *planned = part_of(p->w, &p->s->of, i, n);
    return lc_value_same(planned, configured) ||
           (!lc_is_null(configured) && is_kept(p, i, planned, which, prior)) ||
           allows(p, i, configured, planned);
}

/* Can the planned element come from the configured one? */
static bool fits_with(pairing *p, const lc_value *c, const lc_value *n, int which,
                      const lc_value *prior)
{
    if (!lc_is_known(c) || !lc_is_known(n))
        return !lc_is_null(c) && !lc_is_null(n);
    for (size_t i = 0; i < part_count(&p->s->of); i++) {
        if (!part_fits(p, i, c, n, which, prior))
            return false;
    }
    return true;
}

static const lc_value *element(const lc_value *set, size_t i)
{
    return &set->as.many.elems[i];
}

static bool fits(pairing *p, size_t planned, size_t configured)
{
    unsigned char *known =
        p->tried ? &p->tried[planned * p->s->configured->count + configured] : NULL;
    if (known && *known != NOT_TRIED)
        return *known == FITS;
    bool yes = fits_with(p, element(p->s->configured, configured), element(p->s->planned, planned),
                         ANY_PRIOR, NULL);
    if (known)
        *known = yes ? FITS : FITS_NOT;
    return yes;
}

static bool fits_any(pairing *p, size_t planned)
{
    for (size_t c = 0; c < p->s->configured->count; c++) {
        if (fits(p, planned, c))
            return true;
    }
    return false;
}

/* Find a configured element for a planned one; elements that were paired before may change theirs
 * (an augmenting path). Each call takes a new configured element, so recursion is bounded by their
 * number. */
static bool find_partner(pairing *p, size_t planned)
{
    for (size_t c = 0; c < p->s->configured->count; c++) {
        if (p->visited[c] || !fits(p, planned, c))
            continue;
        p->visited[c] = true;
        if (p->planned_of[c] == 0 || find_partner(p, p->planned_of[c] - 1)) {
            p->planned_of[c] = planned + 1;
            return true;
        }
    }
    return false;
}

/* Pair the elements that are planned exactly as configured: often all of them. Returns how many
 * planned elements are left. */
static size_t pair_same(pairing *p)
{
    lc_table by_hash;
    const lc_value *c = p->s->configured, *n = p->s->planned;
    size_t left = n->count;
    lc_table_init(&by_hash, p->w->arena);
    for (size_t i = 0; i < c->count; i++) {
        size_t *slot = LC_NEW(p->w->arena, size_t);
        uint64_t hash = lc_value_hash(element(c, i));
        *slot = i;
        lc_table_put(&by_hash, lc_str_copy(p->w->arena, LC_BYTES_OF(hash)), slot);
    }
    for (size_t i = 0; i < n->count; i++) {
        uint64_t hash = lc_value_hash(element(n, i));
        const size_t *at = lc_table_get(&by_hash, LC_BYTES_OF(hash));
        if (!at || p->planned_of[*at] || !lc_value_same(element(n, i), element(c, *at)))
            continue;
        p->planned_of[*at] = i + 1;
        p->paired[i] = true;
        left--;
    }
    return left;
}

/* Do all kept values of the pair come from one prior element, or does it keep no value? Values of
 * several elements may be right, and are reported as unproven. Also true if the limit of pairs
 * prevents the check. */
static bool has_one_prior(pairing *p, size_t planned, size_t c)
{
    const lc_value *configured = element(p->s->configured, c), *n = element(p->s->planned, planned);
    size_t count = known_count(p->s->prior);
    if (p->w->pairs + count > MAX_PAIRS || fits_with(p, configured, n, NO_PRIOR, NULL))
        return true;
    p->w->pairs += count;
    for (size_t k = 0; k < count; k++) {
        if (fits_with(p, configured, n, ONE_PRIOR, element(p->s->prior, k)))
            return true;
    }
    return false;
}

/* ---- What does not fit, for a reader. */

/* The number of parts of a pair that do not fit; their names are appended to `names`, unless it is
 * NULL. */
static size_t misfits(pairing *p, const lc_value *c, const lc_value *n, lc_buf *names)
{
    const parts *of = &p->s->of;
    size_t count = 0;
    for (size_t i = 0; i < part_count(of); i++) {
        if (part_fits(p, i, c, n, ANY_PRIOR, NULL))
            continue;
        lc_str name = i < of->attribute_count ? of->attributes[i].name
                                              : of->blocks[i - of->attribute_count].name;
        if (names)
            lc_buf_printf(names, "%s.%.*s", count ? ", " : "", LC_FMT(name));
        count++;
    }
    return count;
}

/* The place of the element, in the order in which sets are shown, and the parts in which the
 * closest configured element has another value: no parts if each one fits some element, or if the
 * limit of pairs prevents the comparison. */
static void add_expectation(pairing *p, size_t planned, lc_buf *out)
{
    const lc_value *n = element(p->s->planned, planned), *closest = NULL;
    size_t count = p->s->configured->count, fewest = SIZE_MAX;
    lc_buf_printf(out, " (element %zu of %zu", planned + 1, known_count(p->s->planned));
    bool looks = lc_is_known(n) && p->w->pairs + count <= MAX_PAIRS;
    p->w->pairs += looks ? count : 0;
    for (size_t k = 0; k < count && looks; k++) {
        const lc_value *c = element(p->s->configured, k);
        size_t differ = lc_is_known(c) ? misfits(p, c, n, NULL) : SIZE_MAX;
        closest = differ < fewest ? c : closest;
        fewest = differ < fewest ? differ : fewest;
    }
    if (closest && fewest) {
        lc_buf_add_c(out, "; the closest configured one has another value at ");
        misfits(p, closest, n, out);
    }
    lc_buf_add_char(out, ')');
}

static void raise_element(pairing *p, size_t planned, const lc_trail *at, lc_core_progress progress,
                          bool proven)
{
    lc_trail trail = lc_trail_element(at, element(p->s->planned, planned));
    progress.live = progress.masked = LC_NO_CORE;
    lc_issue *issue =
        lc_raise(p->w, LC_RULE_PLAN_SET_ELEMENT, &trail, progress,
                 proven ? "a planned set element corresponds to no configured or prior one"
                        : "a planned set element that mixes values of several prior ones");
    if (!issue)
        return;
    lc_buf note = {0};
    issue->unproven = !proven;
    lc_buf_add_str(&note, issue->note);
    add_expectation(p, planned, &note);
    issue->note = lc_buf_take(p->w->arena, &note);
}

/* Pair one to one: as many planned elements as possible get a configured one of their own (maximum
 * bipartite matching). Those that are left have no explanation under any pairing. */
static void pair_all(pairing *p, const lc_trail *at, lc_core_progress progress)
{
    const lc_value *c = p->s->configured, *n = p->s->planned;
    for (size_t i = 0; i < n->count; i++) {
        for (size_t k = 0; k < c->count; k++)
            p->visited[k] = false;
        if (!p->paired[i])
            p->paired[i] = find_partner(p, i);
    }
    for (size_t i = 0; i < n->count; i++) {
        if (!p->paired[i])
            raise_element(p, i, at, progress, true);
    }
    for (size_t k = 0; k < c->count && !p->w->quiet; k++) {
        if (p->planned_of[k] && !has_one_prior(p, p->planned_of[k] - 1, k))
            raise_element(p, p->planned_of[k] - 1, at, progress, false);
    }
}

/* Pair each element separately, so that several planned elements may come from one configured
 * element. For sets of different size, which unknowns can explain, and for sets with too many pairs
 * to remember. */
static void pair_each(pairing *p, const lc_trail *at, lc_core_progress progress)
{
    for (size_t i = 0; i < p->s->planned->count; i++) {
        if (!p->paired[i] && !fits_any(p, i))
            raise_element(p, i, at, progress, true);
    }
}

/* `all`: as many planned as configured elements, and few enough to try and remember every pair. */
static void check_elements(lc_walk *w, const sets *s, const lc_trail *at, lc_core_progress progress)
{
    size_t planned = known_count(s->planned), configured = known_count(s->configured);
    if ((w->quiet && !w->trial) || planned == 0 || configured == 0)
        return;
    pairing p = {.w = w, .s = s};
    p.planned_of = lc_arena_zalloc(w->arena, lc_mul_size(configured, sizeof *p.planned_of));
    p.paired = lc_arena_zalloc(w->arena, planned);
    p.visited = lc_arena_zalloc(w->arena, configured);
    size_t left = pair_same(&p);
    if (left == 0)
        return;
    size_t room = w->pairs < MAX_PAIRS ? MAX_PAIRS - w->pairs : 0;
    bool all = planned == configured && planned <= room / configured;
    if (!all && left > room / configured) {
        w->undecided = true;
        return;
    }
    w->pairs += (all ? planned : left) * configured;
    p.tried = all ? lc_arena_zalloc(w->arena, planned * configured) : NULL;
    p.trials = lc_arena_new_small();
    p.prior = prior_values(w, s);
    if (all)
        pair_all(&p, at, progress);
    else
        pair_each(&p, at, progress);
    lc_arena_free(p.trials);
}

/* More blocks than configured are always wrong. Fewer are right if unknown ones may become
 * equal. */
void lc_check_plan_block_set(lc_walk *w, const lc_block_type *b, const lc_value *p,
                             const lc_value *c, const lc_value *n, const lc_trail *at,
                             lc_core_progress progress)
{
    size_t configured = known_count(c);
    bool fewer = n->count < configured && lc_is_wholly_known(n) && lc_is_wholly_known(c);
    if (n->count > configured || fewer) {
        lc_core_progress no_core = {LC_NO_CORE, LC_NO_CORE, progress.follows, progress.tf_from};
        lc_raise(w, LC_RULE_PLAN_BLOCK_SET_COUNT, at, no_core,
                 "the plan has another number of blocks than the configuration");
        return;
    }
    sets s = {
        {b->block->attributes, b->block->attribute_count, b->block->blocks, b->block->block_count},
        c,
        p,
        n};
    check_elements(w, &s, at, progress);
}

void lc_check_plan_nested_set(lc_walk *w, const lc_nested_type *t, const lc_value *p,
                              const lc_value *c, const lc_value *n, const lc_trail *at,
                              lc_core_progress progress)
{
    sets s = {{t->attributes, t->attribute_count, NULL, 0}, c, p, n};
    check_elements(w, &s, at, progress);
}
