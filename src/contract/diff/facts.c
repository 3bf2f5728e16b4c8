/* Facts about the values at a finding's place, for explanations. They are computed here, when the
 * finding is made, because the finding holds no values; the module diagnose interprets them. */
#include "contract/diff/facts.h"

#include "lifecheck/base/arena.h"

/* Sizes of the caches below, and the longest list in which neighbours are looked at. */
#define MEMO_SLOTS     8
#define SAME_SLOTS     16
#define MAX_NEIGHBOURS 64

/* Cached answers about pairs of collections, which many findings inside them ask for. Values are
 * compared by address; a slot is overwritten by the next pair. */
typedef struct seen {
    const lc_value *a, *b;
    bool yes;
} seen;

typedef struct seen_sets {
    const lc_value *a, *b;
    lc_near near;
} seen_sets;

struct lc_diff_memo {
    seen same[SAME_SLOTS];
    seen lists[MEMO_SLOTS]; /* is the list permuted? by depth of the path */
    seen_sets sets[MEMO_SLOTS];
    const lc_run_view *view; /* the run that the members below are about */
    bool same_inputs, open_inputs, config_is_prior;
};

/* The place of one finding, and the values there. */
typedef struct place_facts {
    lc_judge *j;
    lc_finding *f;
    const lc_breach *b;
    lc_path path; /* path up to the first set, below which places have no counterparts */
    const lc_value *config, *prior, *promised, *broken;
} place_facts;

static const lc_value *at(const place_facts *facts, lc_column column)
{
    return lc_column_part(facts->j, column, facts->b->call->kind, facts->path);
}

static const lc_value *in(const place_facts *facts, const lc_value *whole)
{
    return whole ? lc_path_apply(facts->j->scratch, whole, facts->path) : NULL;
}

static struct lc_diff_memo *memo_of(lc_judge *j)
{
    if (!j->memo)
        j->memo = LC_NEW(j->scratch, struct lc_diff_memo);
    return j->memo;
}

/* Thousands of findings may be about one set, whose columns are then compared only once. */
static bool is_same(const place_facts *facts, const lc_value *a, const lc_value *b)
{
    if (lc_type_is_primitive(a->type))
        return lc_value_same(a, b);
    uint64_t hash = lc_hash_mix((uint64_t)(uintptr_t)a, (uint64_t)(uintptr_t)b);
    seen *memo = &memo_of(facts->j)->same[hash % SAME_SLOTS];
    if (memo->a != a || memo->b != b)
        *memo = (seen){a, b, lc_value_same(a, b)};
    return memo->yes;
}

static bool both_same(const place_facts *facts, const lc_value *a, const lc_value *b)
{
    return a && b && lc_is_known(a) && lc_is_known(b) && is_same(facts, a, b);
}

/* ---- One place in several columns. */

static unsigned state_diff_facts(const lc_value *v, unsigned null, unsigned unknown, unsigned known)
{
    return !v ? 0 : lc_is_null(v) ? null : lc_is_unknown(v) ? unknown : known;
}

static unsigned flag_diff_facts(const place_facts *facts)
{
    const lc_attribute *a = lc_block_attribute_at(facts->j->view->block, facts->f->path);
    unsigned diff_facts = 0;
    if (!a)
        return 0;
    diff_facts |= a->computed ? LC_DIFF_FACT_COMPUTED : 0;
    diff_facts |= a->optional || a->required ? LC_DIFF_FACT_OPTIONAL : 0;
    bool scalar = a->implied->kind == LC_TYPE_BOOL || a->implied->kind == LC_TYPE_NUMBER;
    return diff_facts | (scalar ? LC_DIFF_FACT_SCALAR : 0);
}

/* What the value is in the columns, and which of them are equal. */
static unsigned column_diff_facts(const place_facts *facts)
{
    unsigned diff_facts = state_diff_facts(facts->config, LC_DIFF_FACT_CONFIG_NULL,
                                           LC_DIFF_FACT_CONFIG_UNKNOWN, LC_DIFF_FACT_CONFIG_KNOWN) |
                          state_diff_facts(facts->promised, LC_DIFF_FACT_PROMISED_NULL, 0,
                                           LC_DIFF_FACT_PROMISED_KNOWN) |
                          state_diff_facts(facts->broken, LC_DIFF_FACT_BROKEN_NULL,
                                           LC_DIFF_FACT_BROKEN_UNKNOWN, LC_DIFF_FACT_BROKEN_KNOWN);
    if (facts->config &&
        !lc_is_wholly_known(facts->config)) /* a known list may have unknown elements */
        diff_facts &= ~(unsigned)LC_DIFF_FACT_CONFIG_KNOWN;
    diff_facts |=
        both_same(facts, facts->promised, facts->prior) ? LC_DIFF_FACT_PROMISED_IS_PRIOR : 0;
    diff_facts |= both_same(facts, facts->broken, facts->prior) ? LC_DIFF_FACT_BROKEN_IS_PRIOR : 0;
    diff_facts |=
        both_same(facts, facts->broken, facts->config) ? LC_DIFF_FACT_BROKEN_IS_CONFIG : 0;
    const lc_value *before = facts->j->view->sent_prior;
    return diff_facts | (before && lc_is_null(before) ? LC_DIFF_FACT_CREATE : 0);
}

/* ---- The configuration, from plan to apply. */

/* Does every configured attribute of the root equal the prior one? Null ones may be computed. */
static bool is_unchanged(const lc_value *config, const lc_value *prior)
{
    if (!config || !prior || !lc_is_known(config) || !lc_is_known(prior) ||
        !lc_is_wholly_known(config) || config->count != prior->count)
        return false;
    for (size_t i = 0; i < config->count; i++) {
        const lc_value *c = &config->as.many.elems[i], *p = &prior->as.many.elems[i];
        if (!lc_is_null(c) && !lc_value_same(c, p))
            return false;
    }
    return true;
}

/* Facts about whole configurations, computed once per run. */
static const struct lc_diff_memo *run_memo_of(lc_judge *j)
{
    const lc_run_view *v = j->view;
    struct lc_diff_memo *memo = memo_of(j);
    if (memo->view != v) {
        memo->view = v;
        memo->same_inputs = v->config && lc_is_wholly_known(v->config) &&
                            (!v->final_config || lc_value_same(v->config, v->final_config));
        memo->open_inputs = v->config && !lc_is_wholly_known(v->config);
        memo->config_is_prior = is_unchanged(v->config, v->prior);
    }
    return memo;
}

static unsigned input_diff_facts(const place_facts *facts)
{
    const lc_run_view *v = facts->j->view;
    const struct lc_diff_memo *memo = run_memo_of(facts->j);
    const lc_value *first = in(facts, v->config), *last = in(facts, v->final_config);
    unsigned diff_facts = memo->same_inputs ? LC_DIFF_FACT_SAME_INPUTS : 0;
    diff_facts |= memo->open_inputs ? LC_DIFF_FACT_OPEN_INPUTS : 0;
    diff_facts |= memo->config_is_prior ? LC_DIFF_FACT_CONFIG_IS_PRIOR : 0;
    diff_facts |= first && !lc_is_wholly_known(first) ? LC_DIFF_FACT_CONFIG_PARTLY_UNKNOWN : 0;
    if (first && last && first != last && lc_is_wholly_known(first) && !is_same(facts, first, last))
        diff_facts |= LC_DIFF_FACT_CONFIG_CHANGED;
    return diff_facts;
}

/* The client sent another proposed new state than today's cores compute, and the plan is equal to
 * it. */
static unsigned proposed_diff_facts(const place_facts *facts)
{
    const lc_call *call = facts->b->call;
    if (call->kind != LC_CALL_PLAN || call->proposed.state != LC_FIELD_GIVEN || !facts->broken)
        return 0;
    const lc_value *sent = in(facts, call->proposed.value);
    const lc_value *computed = in(facts, facts->j->view->core[LC_TERRAFORM].proposed);
    bool follows =
        sent && computed && is_same(facts, sent, facts->broken) && !is_same(facts, sent, computed);
    return follows ? LC_DIFF_FACT_FOLLOWS_PROPOSED : 0;
}

/* ---- Lists above the place. */

static bool is_permuted(place_facts *facts, size_t depth)
{
    lc_path above = {facts->path.steps, depth};
    const lc_value *a =
        lc_column_part(facts->j, facts->b->promised_by, facts->b->call->kind, above);
    const lc_value *b = lc_column_part(facts->j, facts->b->broken_by, facts->b->call->kind, above);
    seen *memo = &memo_of(facts->j)->lists[depth % MEMO_SLOTS];
    if (!a || !b || !lc_is_known(a) || !lc_is_known(b))
        return false;
    if (memo->a != a || memo->b != b)
        *memo = (seen){a, b, lc_list_is_permuted(facts->j->scratch, a, b)};
    return memo->yes;
}

/* Is the returned value the one that another element of the list had before? Then elements were
 * confused. */
static bool is_neighbours(const place_facts *facts, size_t depth)
{
    lc_path above = {facts->path.steps, depth};
    const lc_value *list = lc_column_part(facts->j, LC_COLUMN_PRIOR, facts->b->call->kind, above);
    lc_path below = {facts->path.steps + depth + 1, facts->path.count - depth - 1};
    if (!list || !lc_is_known(list) || !below.count || list->count > MAX_NEIGHBOURS ||
        (list->type->kind != LC_TYPE_LIST && list->type->kind != LC_TYPE_TUPLE))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const lc_value *other = lc_path_apply(facts->j->scratch, &list->as.many.elems[i], below);
        if (i != facts->path.steps[depth].index && both_same(facts, other, facts->broken))
            return true;
    }
    return false;
}

static unsigned list_diff_facts(place_facts *facts)
{
    unsigned diff_facts = 0;
    for (size_t i = 0; i < facts->path.count; i++) {
        if (facts->path.steps[i].kind != LC_STEP_INDEX)
            continue;
        diff_facts |= is_permuted(facts, i) ? LC_DIFF_FACT_PERMUTED : 0;
        diff_facts |= is_neighbours(facts, i) ? LC_DIFF_FACT_NEIGHBOUR : 0;
    }
    return diff_facts;
}

/* ---- Paths of replaces. */

static unsigned path_diff_facts(const place_facts *facts)
{
    lc_arena *scratch = facts->j->scratch;
    const lc_value *before = facts->j->view->prior;
    unsigned diff_facts = 0;
    if (before && lc_path_apply_hcl(scratch, before, facts->f->path))
        diff_facts |= LC_DIFF_FACT_IN_PRIOR;
    for (size_t i = 1; i < facts->f->path.count; i++) {
        const lc_value *above = lc_column_part(facts->j, LC_COLUMN_PLANNED, facts->b->call->kind,
                                               (lc_path){facts->f->path.steps, i});
        if (above && above->type->kind == LC_TYPE_SET)
            diff_facts |= LC_DIFF_FACT_IN_SET;
    }
    return diff_facts;
}

/* The final plan requires a replace because of a value that was unknown in the first plan. */
static unsigned replace_diff_facts(const place_facts *facts)
{
    const lc_call *call = facts->b->call;
    const lc_value *initial = facts->j->view->initial;
    for (size_t i = 0; initial && i < call->requires_replace.count; i++) {
        const lc_value *v =
            lc_path_apply(facts->j->scratch, initial, call->requires_replace.items[i].path);
        if (v && lc_is_unknown(v))
            return LC_DIFF_FACT_LATE_REPLACE;
    }
    return 0;
}

/* ---- The pair itself. */

static lc_near near_of(place_facts *facts)
{
    seen_sets *memo = &memo_of(facts->j)->sets[facts->path.count % MEMO_SLOTS];
    if (memo->a != facts->promised || memo->b != facts->broken)
        *memo = (seen_sets){facts->promised, facts->broken,
                            lc_compare_sets(facts->j, facts->path,
                                            facts->b->promised_by == LC_COLUMN_CONFIG,
                                            facts->promised, facts->broken)};
    return memo->near;
}

static size_t text_length(const lc_value *v)
{
    return v->type->kind == LC_TYPE_STRING && lc_is_known(v) ? v->as.string.len : 0;
}

/* Long strings may be parsed as documents: their nodes go into an arena of their own, freed at
 * once. */
static lc_difference_kind compare_values(const place_facts *facts, const lc_value *p,
                                         const lc_value *n, lc_str *where)
{
    if (text_length(p) + text_length(n) <= LC_BIG_TEXTS)
        return lc_compare_closely(facts->j->scratch, p, n, where);
    lc_arena *arena = lc_arena_new();
    lc_difference_kind difference_kind = lc_compare_closely(arena, p, n, where);
    *where = lc_str_copy(facts->j->scratch, *where);
    lc_arena_free(arena);
    return difference_kind;
}

static void compare_pair(place_facts *facts)
{
    lc_str where = LC_STR_EMPTY;
    const lc_value *p = facts->promised, *n = facts->broken;
    if (!p || !n || facts->f->path.count == 0)
        return;
    if (p->type->kind == LC_TYPE_SET && n->type->kind == LC_TYPE_SET && lc_is_known(p) &&
        lc_is_known(n)) {
        lc_near near = near_of(facts);
        facts->f->difference_kind = near.difference_kind;
        facts->f->diff_facts |= near.diff_facts | LC_DIFF_FACT_SETS;
        where = near.where;
    } else {
        facts->f->difference_kind = compare_values(facts, p, n, &where);
    }
    /* Names of members are as secret as the text that they are in. */
    lc_sensitivity_mark place = lc_sensitivity_at(facts->j->sensitivity, facts->path);
    if (where.len && !lc_sensitivity_touched(place) && !lc_mark_knows_any(place, p) &&
        !lc_mark_knows_any(place, n) && !lc_mark_knows(place, where))
        facts->f->diff_fact_text = lc_str_copy(facts->j->report, where);
}

void lc_diff_facts_collect(lc_judge *j, lc_finding *f, const lc_breach *b)
{
    place_facts facts = {.j = j, .f = f, .b = b, .path = lc_path_up_to_set(b->path)};
    f->diff_facts = j->view->run->create_before_destroy == LC_YES ? LC_DIFF_FACT_CREATE_FIRST : 0;
    f->diff_facts |= b->call && b->call->failed == LC_YES ? LC_DIFF_FACT_FAILED : 0;
    if (!b->call || b->apart) /* the path is not one of the object */
        return;
    facts.config = at(&facts, LC_COLUMN_CONFIG);
    facts.prior = at(&facts, LC_COLUMN_PRIOR);
    facts.promised = at(&facts, b->promised_by);
    facts.broken = at(&facts, b->broken_by);
    f->diff_facts |= flag_diff_facts(&facts) | column_diff_facts(&facts) |
                     input_diff_facts(&facts) | proposed_diff_facts(&facts) |
                     list_diff_facts(&facts);
    f->diff_facts |= facts.path.count < b->path.count ? LC_DIFF_FACT_IN_SET : 0;
    if (b->rule == LC_RULE_REPLACE_PATH_INVALID)
        f->diff_facts |= path_diff_facts(&facts);
    if (b->rule == LC_RULE_FINAL_ACTION_CHANGED)
        f->diff_facts |= replace_diff_facts(&facts);
    compare_pair(&facts);
}
