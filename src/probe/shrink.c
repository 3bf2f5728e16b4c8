/* Makes findings smaller: values are removed as long as the provider, asked again, violates the
 * same requirement at the same place. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#define PASSES        3
#define MOST_PARTS    400
#define LONG_TEXT     12
#define TIME_MS       10000 /* for one finding */
#define MOST_FOR_CASE 40    /* calls of one trial */
#define SHORT_TEXT    "a"

typedef struct shrinker {
    lc_examination *exam;
    lc_arena *arena;
    lc_trial_spec spec; /* as small as it is so far */
    lc_rule rule;
    lc_str place;
    uint64_t deadline; /* calls */
} shrinker;

/* ---- Does the violation still occur? */

static bool reproduces(shrinker *s, const lc_trial_spec *spec)
{
    lc_judged judged;
    if (s->exam->cache->calls >= s->deadline)
        return false;
    lc_trial trial = {.exam = s->exam, .spec = spec, .arena = lc_arena_new()};
    bool found = lc_trial_judge(&trial, &judged) &&
                 lc_has_finding(s->exam, &trial, &judged, s->rule, s->place) &&
                 lc_is_confirmed(&trial, s->rule, s->place);
    lc_arena_free(trial.arena);
    return found;
}

/* ---- One change, to all values of the trial alike. */

typedef enum change { CLEAR, REMOVE, SHORTEN } change;

static const lc_value *cleared(shrinker *s, const lc_leaf *leaf)
{
    lc_value slot;
    if (leaf->block)
        return lc_block_type_empty_value(s->arena, leaf->block);
    lc_value_set_null(&slot, leaf->value->type);
    return lc_value_new(s->arena, &slot);
}

static const lc_value *shorter(shrinker *s)
{
    lc_value slot;
    lc_value_set_string(&slot, s->arena, LC_STR(SHORT_TEXT));
    return lc_value_new(s->arena, &slot);
}

/* NULL: it cannot be changed so. A value that does not have the place stays as it is. */
static const lc_value *changed(shrinker *s, const lc_value *v, const lc_leaf *leaf, change how)
{
    const lc_value *at = v ? lc_spot_get(v, leaf->spot) : NULL;
    if (!at)
        return v;
    if (how == REMOVE)
        return lc_spot_remove(s->arena, v, leaf->spot);
    if (how == SHORTEN && !(lc_is_known(at) && at->type->kind == LC_TYPE_STRING))
        return v;
    return lc_spot_set(s->arena, v, leaf->spot, how == CLEAR ? cleared(s, leaf) : shorter(s));
}

static bool apply(shrinker *s, lc_trial_spec *spec, const lc_leaf *leaf, change how)
{
    const lc_value **values[] = {&spec->config, &spec->edited, &spec->other};
    for (size_t i = 0; i < 3; i++) {
        const lc_value *new = changed(s, *values[i], leaf, how);
        if (*values[i] && !new)
            return false;
        *values[i] = new;
    }
    return true;
}

static bool try_range(shrinker *s, const lc_leaves *parts, bool *done, size_t from, size_t to)
{
    lc_trial_spec smaller = s->spec;
    bool any = false;
    for (size_t i = from; i < to; i++) {
        if (done[i])
            continue;
        any = true;
        if (!apply(s, &smaller, &parts->items[i], CLEAR))
            return false;
    }
    if (!any || !reproduces(s, &smaller))
        return false;
    s->spec = smaller;
    for (size_t i = from; i < to; i++)
        done[i] = true;
    return true;
}

/* ---- What can be taken out. */

static bool can_be_cleared(const lc_leaf *leaf)
{
    if (leaf->in_set || leaf->element)
        return false;
    return leaf->block ? leaf->block->min_items <= 0 : leaf->attribute->optional;
}

/* Everything at once, then halves, down to single parts; outer parts come before inner ones. */
static bool clear_parts(shrinker *s)
{
    lc_leaves all = {0}, parts = {0};
    bool any = false;
    lc_find_leaves(&all, s->arena, s->exam->schema->block, s->spec.config);
    for (size_t i = 0; i < all.count && parts.count < MOST_PARTS; i++) {
        if (can_be_cleared(&all.items[i]))
            *LC_PUSH(s->arena, &parts, lc_leaf) = all.items[i];
    }
    bool *done = lc_arena_zalloc(s->arena, parts.count + 1);
    for (size_t size = parts.count; size > 0; size /= 2) {
        for (size_t from = 0; from < parts.count; from += size)
            any = try_range(s, &parts, done, from,
                            from + size < parts.count ? from + size : parts.count) ||
                  any;
    }
    return any;
}

/* The last ones first, so that the positions of the others stay. */
static bool remove_elements(shrinker *s)
{
    lc_leaves all = {0};
    bool any = false;
    lc_find_leaves(&all, s->arena, s->exam->schema->block, s->spec.config);
    for (size_t i = all.count; i > 0; i--) {
        const lc_leaf *leaf = &all.items[i - 1];
        const lc_value *v = leaf->value;
        for (uint32_t k = v->count; lc_is_known(v) && lc_type_is_collection(v->type) && k > 0;
             k--) {
            lc_trial_spec smaller = s->spec;
            lc_leaf element = *leaf;
            element.spot = lc_spot_below(s->arena, leaf->spot, k - 1);
            if (!apply(s, &smaller, &element, REMOVE) || !reproduces(s, &smaller))
                continue;
            s->spec = smaller;
            any = true;
        }
    }
    return any;
}

static void shorten_texts(shrinker *s)
{
    lc_leaves all = {0};
    lc_find_leaves(&all, s->arena, s->exam->schema->block, s->spec.config);
    for (size_t i = 0; i < all.count; i++) {
        const lc_leaf *leaf = &all.items[i];
        lc_trial_spec smaller = s->spec;
        bool text = lc_is_known(leaf->value) && leaf->value->type->kind == LC_TYPE_STRING;
        if (text && leaf->value->as.string.len > LONG_TEXT && !leaf->in_set &&
            apply(s, &smaller, leaf, SHORTEN) && reproduces(s, &smaller))
            s->spec = smaller;
    }
}

static void shrink_values(shrinker *s)
{
    bool smaller = true;
    for (int pass = 0; pass < PASSES && smaller; pass++) {
        smaller = clear_parts(s);
        smaller = remove_elements(s) || smaller;
    }
    shorten_texts(s);
}

/* ---- Functions. */

static bool try_arguments(shrinker *s, const lc_arguments *arguments)
{
    lc_trial_spec smaller = s->spec;
    lc_arguments *kept = LC_NEW(s->exam->arena, lc_arguments);
    *kept = *arguments;
    smaller.arguments = kept;
    if (!reproduces(s, &smaller))
        return false;
    s->spec = smaller;
    return true;
}

/* Fewer at the end, then simpler ones. */
static void shrink_arguments(shrinker *s)
{
    const lc_function *f = s->exam->function;
    size_t least = f->parameter_count - f->variadic;
    lc_arguments smaller = *s->spec.arguments;
    while (smaller.count > least && (smaller.count--, try_arguments(s, &smaller))) {
    }
    for (size_t i = 0; i < s->spec.arguments->count; i++) {
        if (lc_simpler_argument(&smaller, s->exam->arena, f, s->spec.arguments, i))
            try_arguments(s, &smaller);
    }
}

/* ---- All of it. */

static const lc_value *keep(lc_examination *exam, const lc_value *v)
{
    return v ? lc_value_copy(exam->arena, v, exam->schema->block->implied) : NULL;
}

/* What was found last has to be shrunk too, so shrinking has calls and time of its own. */
static void allow_more(lc_examination *exam, uint64_t calls)
{
    lc_peer_cache *cache = exam->cache;
    int64_t until = lc_prober_now(exam->prober) + TIME_MS;
    if (cache->max_calls && cache->max_calls < cache->calls + calls)
        cache->max_calls = cache->calls + calls;
    if (cache->deadline && cache->deadline < until)
        cache->deadline = until;
}

lc_trial_spec lc_shrink(lc_examination *exam, const lc_trial_spec *spec, lc_rule rule, lc_str place)
{
    const lc_probe_options *o = exam->prober->options;
    uint64_t calls = o->shrink_calls ? o->shrink_calls : LC_PROBE_SHRINK_CALLS;
    uint64_t most = exam->cache->max_calls;
    int64_t until = exam->cache->deadline;
    shrinker s = {.exam = exam,
                  .arena = lc_arena_new(),
                  .spec = *spec,
                  .rule = rule,
                  .place = place,
                  .deadline = exam->cache->calls + calls};
    allow_more(exam, calls + MOST_FOR_CASE);
    if (spec->arguments)
        shrink_arguments(&s);
    else
        shrink_values(&s);
    exam->cache->max_calls = most;
    exam->cache->deadline = until;
    s.spec.config = keep(exam, s.spec.config);
    s.spec.edited = keep(exam, s.spec.edited);
    s.spec.other = keep(exam, s.spec.other);
    lc_arena_free(s.arena);
    return s.spec;
}
