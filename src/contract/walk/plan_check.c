/* AssertPlanValid of both cores in one walk (contract-algorithms 4.5).
 *
 * The tests are in the cores' own order, because an attribute gets the finding of the first test
 * that fails. Letters and numbers in comments (B5a, A6, N3) are the labels of the reference's
 * pseudocode. Where a core stops at a structural error, the walk continues with the elements that
 * can still be paired; their findings are marked as following from that error.
 *
 * `p` is the prior value (NULL: none), `c` the configured one, `n` the planned one. */
#include "contract/walk/rebuild.h"
#include "contract/walk/walk.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/catalog/versions.h"

static void plan_block(lc_walk *w, const lc_block *s, const lc_value *p, const lc_value *c,
                       const lc_value *n, const lc_trail *at, lc_core_progress progress);
static void plan_nested(lc_walk *w, const lc_attribute *a, const lc_value *p, const lc_value *c,
                        const lc_value *n, const lc_trail *at, lc_core_progress progress);

/* Both cores print the text, which has no places for values. */
static void quote_plain(lc_walk *w, lc_issue *issue, lc_core_text message)
{
    lc_issue_quote(w, issue, LC_BOTH_CORES, message, NULL, 0);
}

/* A part of the prior value. The cores make no difference between no prior value and a null one. */
static const lc_value *prior_part(lc_walk *w, const lc_value *p, uint32_t slot, const lc_type *type)
{
    return p && !lc_is_null(p) ? lc_part(w, p, slot, type) : NULL;
}

/* A6 and A9: the planned value is neither the configured one nor the prior one. */
static void raise_wrong_value(lc_walk *w, const lc_attribute *a, const lc_value *p,
                              const lc_value *c, const lc_value *n, const lc_trail *at,
                              lc_core_progress progress)
{
    bool has_prior = p && !lc_is_null(p);
    if (lc_is_null(c) && !lc_is_null(n)) {
        lc_issue *issue = lc_raise(w, LC_RULE_PLAN_NONCOMPUTED_VALUE, at, progress,
                                   "planned a value for an attribute that is neither Computed "
                                   "nor configured");
        lc_issue_quote(w, issue, LC_BOTH_CORES,
                       a->sensitive ? LC_TEXT_PLAN_NONCOMPUTED_SECRET
                                    : LC_TEXT_PLAN_NONCOMPUTED_VALUE,
                       (lc_text_arg[]){LC_ARG_VALUE(n)}, 1);
        return;
    }
    lc_rule rule = lc_is_null(c) ? LC_RULE_PLAN_NULL_TYPE : LC_RULE_PLAN_MISMATCH_CONFIG;
    lc_issue *issue =
        lc_raise(w, rule, at, progress,
                 lc_is_null(c) ? "planned null has another type than the configured null"
                 : has_prior   ? "planned neither the configured value nor the prior one"
                               : "the planned value is not the configured one");
    lc_core_text message =
        a->sensitive
            ? (has_prior ? LC_TEXT_PLAN_MISMATCH_SECRET_AND_PRIOR : LC_TEXT_PLAN_MISMATCH_SECRET)
            : (has_prior ? LC_TEXT_PLAN_MISMATCH_AND_PRIOR : LC_TEXT_PLAN_MISMATCH);
    lc_issue_quote(w, issue, LC_BOTH_CORES, message,
                   (lc_text_arg[]){LC_ARG_VALUE(n), LC_ARG_VALUE(c), LC_ARG_VALUE(p)}, 3);
}

/* ---- Is the planned value the configured one, apart from its form and from computed
 * attributes? */

static bool is_configured(lc_walk *w, const lc_attribute *a, const lc_value *c, const lc_value *n);

static bool object_is_configured(lc_walk *w, const lc_nested_type *t, const lc_value *c,
                                 const lc_value *n)
{
    if (!n || lc_is_null(c) || lc_is_null(n))
        return n && lc_is_null(c) == lc_is_null(n);
    for (size_t i = 0; i < t->attribute_count; i++) {
        const lc_attribute *a = &t->attributes[i];
        if (!is_configured(w, a, lc_part(w, c, a->slot, a->implied),
                           lc_part(w, n, a->slot, a->implied)))
            return false;
    }
    return true;
}

static bool holds_computed(const lc_nested_type *t)
{
    for (size_t i = 0; i < t->attribute_count; i++) {
        const lc_attribute *a = &t->attributes[i];
        if (a->computed || (a->nested && holds_computed(a->nested)))
            return true;
    }
    return false;
}

static bool nested_is_configured(lc_walk *w, const lc_nested_type *t, const lc_value *c,
                                 const lc_value *n)
{
    if (t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP)
        return object_is_configured(w, t, c, n);
    if (!lc_is_known(n) || c->count != n->count)
        return false;
    if (t->nesting == LC_NESTING_SET) /* elements have no keys, so that a Computed attribute may
                                         hide which one is meant */
        return holds_computed(t);
    for (size_t i = 0; i < c->count; i++) {
        const lc_value *planned =
            t->nesting == LC_NESTING_MAP ? lc_entry(n, lc_entry_key(c, i)) : lc_item(n, i);
        if (!object_is_configured(w, t, &c->as.many.elems[i], planned))
            return false;
    }
    return true;
}

static bool is_configured(lc_walk *w, const lc_attribute *a, const lc_value *c, const lc_value *n)
{
    if (lc_value_same(c, n) || a->write_only) /* a plan never holds a write-only value */
        return true;
    if (lc_is_null(c))
        return a->computed;
    if (a->nested && !lc_is_null(n))
        return nested_is_configured(w, a->nested, c, n);
    return lc_differs_in_form_only(w->arena, c, n);
}

/* A2: the provider kept the prior value. The cores accept this, but it is a smell if the
 * configuration has another value, or may have one: an unknown one can still become the prior
 * value. */
static void note_kept_prior(lc_walk *w, const lc_attribute *a, const lc_value *c, const lc_value *n,
                            const lc_trail *at, lc_core_progress progress)
{
    bool known = lc_is_wholly_known(c);
    if (w->quiet || a->write_only || (known && is_configured(w, a, c, n)))
        return;
    progress.live = LC_NO_CORE;
    lc_raise(w, LC_RULE_PLAN_KEPT_PRIOR, at, progress,
             known ? "the prior value is kept although the configuration has a different one"
                   : "the prior value is kept although the configured one is not known yet");
}

/* ---- Attributes. */

/* Computed, not configured, and it had a value: to plan another one makes a diff in every plan. No
 * core checks it. */
static void note_dropped_prior(lc_walk *w, const lc_value *p, const lc_value *n, const lc_trail *at,
                               lc_core_progress progress)
{
    if (w->quiet || !p || !lc_is_known(p) || lc_value_same(p, n))
        return;
    progress.live = LC_NO_CORE;
    lc_raise(w, LC_RULE_PLAN_PRIOR_DROPPED, at, progress,
             "a value that the provider set before is not kept");
}

/* A3 exists only in Terraform: it stops at write-only attributes, and OpenTofu continues with the
 * later tests. */
static void plan_write_only(lc_walk *w, const lc_value *n, const lc_trail *at,
                            lc_core_progress *progress)
{
    if (!lc_is_null(n) && (progress->live & LC_TF)) {
        lc_core_progress terraform = *progress;
        terraform.live = LC_TF;
        lc_issue *issue = lc_raise(w, LC_RULE_WO_RETURNED, at, terraform,
                                   "a write-only attribute is planned with a value");
        quote_plain(w, issue, LC_TEXT_PLAN_WRITE_ONLY);
    }
    progress->live &= ~LC_TF;
    progress->masked &= ~LC_TF;
}

/* The order of tests is that of assertPlannedAttrValid. */
static void plan_attr(lc_walk *w, const lc_attribute *a, const lc_value *p, const lc_value *c,
                      const lc_value *n, const lc_trail *at, lc_core_progress progress)
{
    if (lc_value_same(n, c)) { /* A1 */
        if (lc_is_null(c) && a->computed)
            note_dropped_prior(w, p, n, at, progress);
        return;
    }
    if (p && !lc_is_null(p) && !lc_is_null(c) && lc_value_same(n, p)) { /* A2 */
        note_kept_prior(w, a, c, n, at, progress);
        return;
    }
    if (a->write_only && ((progress.live | progress.masked) & LC_TF)) { /* A3 */
        plan_write_only(w, n, at, &progress);
        if (!(progress.live | progress.masked))
            return;
    }
    if (a->computed && !a->optional) { /* A4 */
        if (lc_is_null(c))
            note_dropped_prior(w, p, n, at, progress);
        return;
    }
    if (lc_is_null(c) && a->computed) { /* A5 */
        note_dropped_prior(w, p, n, at, progress);
        return;
    }
    if (lc_is_null(c) && !lc_is_null(n)) { /* A6 */
        raise_wrong_value(w, a, p, c, n, at, progress);
        return;
    }
    if (a->write_only && !lc_is_null(c) && lc_is_null(n)) /* A7: only OpenTofu gets here */
        return;
    if (a->nested) /* A8 */
        plan_nested(w, a, p, c, n, at, progress);
    else /* A9 */
        raise_wrong_value(w, a, p, c, n, at, progress);
}

/* ---- Nested attributes. */

/* Terraform takes the parts of a null object by the schema, also where the null has another type.
 */
static const lc_value *nested_part(lc_walk *w, const lc_value *object, const lc_attribute *a)
{
    if (!lc_is_null(object))
        return lc_part(w, object, a->slot, a->implied);
    lc_value *part = LC_NEW(w->arena, lc_value);
    lc_value_set_null(part, a->implied);
    return part;
}

static void plan_nested_object(lc_walk *w, const lc_nested_type *t, const lc_value *p,
                               const lc_value *c, const lc_value *n, const lc_trail *at,
                               lc_core_progress progress)
{
    n = lc_walk_as_nested(w, n, t, at, progress);
    c = n ? lc_walk_as_nested(w, c, t, at, progress) : NULL;
    if (c && p)
        p = lc_walk_as_nested(w, p, t, at, progress);
    for (size_t i = 0; c && i < t->attribute_count; i++) {
        const lc_attribute *a = &t->attributes[i];
        lc_trail trail = lc_trail_attr(at, a->name);
        plan_attr(w, a, prior_part(w, p, a->slot, a->implied), nested_part(w, c, a),
                  nested_part(w, n, a), &trail, progress);
    }
}

/* An element of a nested list or map. OpenTofu crashes on a null one; Terraform treats it as an
 * object of nulls. So from here on OpenTofu is masked, and only Terraform stays live. */
static void plan_nested_element(lc_walk *w, const lc_nested_type *t, const lc_value *p,
                                const lc_value *c, const lc_value *n, const lc_trail *at,
                                lc_core_progress progress)
{
    if (lc_is_null(c) || lc_is_null(n)) {
        if (progress.live & LC_OT)
            w->crashed |= LC_OT;
        if (lc_is_null(n) && !lc_is_null(c)) {
            lc_issue *issue = lc_raise(w, LC_RULE_PLAN_NESTED_NULL_ELEMENT, at,
                                       (lc_core_progress){LC_NO_CORE, progress.masked & LC_OT,
                                                          progress.follows, progress.tf_from},
                                       "an element of a nested collection is planned null");
            if (issue) {
                issue->crash = progress.live & LC_OT;
                progress.follows = (long)(issue - w->issues.items);
            }
        }
        progress.masked |= progress.live & LC_OT;
        progress.live &= ~LC_OT;
    }
    plan_nested_object(w, t, p && lc_is_null(p) ? NULL : p, c, n, at, progress);
}

/* The cores index the prior value, or ask for its members, and panic if it is unknown. No stored
 * state is unknown, but a faulty request can have one. */
static void note_unknown_prior(lc_walk *w, const lc_value *p, lc_core_progress progress)
{
    if (p && lc_is_unknown(p))
        w->crashed |= progress.live;
}

/* The cores stop here: *progress is what the elements are checked with afterwards. */
static void raise_nested_count(lc_walk *w, const lc_value *c, const lc_value *n, const lc_trail *at,
                               lc_core_progress *progress)
{
    lc_length planned = lc_value_length(n), configured = lc_value_length(c);
    lc_issue *issue = lc_raise(w, LC_RULE_PLAN_NESTED_COUNT, at, *progress,
                               "the plan has another number of elements than the configuration");
    lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_PLAN_NESTED_COUNT,
                   (lc_text_arg[]){LC_ARG_LENGTH(&planned), LC_ARG_LENGTH(&configured)}, 2);
    *progress = lc_core_progress_after(w, *progress, issue);
}

/* Elements are paired by index. If the numbers differ, those that have a partner are still
 * compared. */
static void plan_nested_list(lc_walk *w, const lc_nested_type *t, const lc_value *p,
                             const lc_value *c, const lc_value *n, const lc_trail *at,
                             lc_core_progress progress)
{
    if (!lc_is_known(c) || c->count != n->count)
        raise_nested_count(w, c, n, at, &progress);
    if (!lc_is_known(c))
        return;
    size_t count = c->count < n->count ? c->count : n->count;
    if (count)
        note_unknown_prior(w, p, progress);
    for (size_t i = 0; i < count; i++) {
        lc_trail trail = lc_trail_index(at, i);
        plan_nested_element(w, t, lc_item(p, i), &c->as.many.elems[i], &n->as.many.elems[i], &trail,
                            progress);
    }
}

static lc_issue *raise_key(lc_walk *w, lc_rule rule, const lc_trail *at, lc_core_progress progress,
                           const char *note, lc_core_text message, lc_str key)
{
    lc_issue *issue = lc_raise(w, rule, at, progress, note);
    lc_issue_quote(w, issue, LC_BOTH_CORES, message, (lc_text_arg[]){LC_ARG_WORD(key)}, 1);
    return issue;
}

/* Map blocks with a dynamic attribute inside are objects. Of these the cores report an extra key at
 * the collection, so the last step of their path is cut off. */
static void raise_extra_block_key(lc_walk *w, const lc_trail *at, lc_core_progress progress,
                                  lc_str key)
{
    lc_issue *issue = raise_key(w, LC_RULE_PLAN_BLOCK_KEY_EXTRA, at, progress,
                                "the plan has a block key that is not configured",
                                LC_TEXT_PLAN_BLOCK_KEY_EXTRA, key);
    for (int core = 0; issue && at->step.index && core < LC_CORE_COUNT; core++)
        issue->core_path[core].count--;
}

/* Elements are paired by key. If the numbers differ the cores stop before they look for missing and
 * extra keys, and so do we: the difference has been reported already. */
static void plan_nested_map(lc_walk *w, const lc_nested_type *t, const lc_value *p,
                            const lc_value *c, const lc_value *n, const lc_trail *at,
                            lc_core_progress progress)
{
    if (!lc_is_known(c) || c->count != n->count)
        raise_nested_count(w, c, n, at, &progress);
    if (!lc_is_known(c))
        return;
    bool counts_differ = c->count != n->count;
    lc_key_issues keys = {0};
    note_unknown_prior(w, p, progress);
    for (size_t i = 0; i < n->count; i++) {
        lc_str key = lc_entry_key(n, i);
        const lc_value *configured = lc_entry(c, key);
        lc_trail trail = lc_element_trail(at, n, i, true);
        if (configured)
            plan_nested_element(w, t, lc_entry(p, key), configured, &n->as.many.elems[i], &trail,
                                progress);
        if (configured || counts_differ)
            continue;
        raise_key(w, LC_RULE_PLAN_NESTED_KEY_EXTRA, at, progress,
                  "the plan has a key that is not configured", LC_TEXT_PLAN_NESTED_KEY_EXTRA, key);
        lc_issue_of_key(w, &keys, c, n, false, i);
    }
    for (size_t i = 0; i < c->count && !counts_differ; i++) {
        if (lc_entry(n, lc_entry_key(c, i)))
            continue;
        raise_key(w, LC_RULE_PLAN_NESTED_KEY_MISSING, at, progress,
                  "the plan does not have a configured key", LC_TEXT_PLAN_NESTED_KEY_MISSING,
                  lc_entry_key(c, i));
        lc_issue_of_key(w, &keys, c, n, true, i);
    }
}

/* The cores compare the lengths only, and an unknown in a set makes its length a range: it is an
 * error only if the ranges do not overlap. */
static void plan_nested_set(lc_walk *w, const lc_attribute *a, const lc_value *p, const lc_value *c,
                            const lc_value *n, const lc_trail *at, lc_core_progress progress)
{
    lc_length planned = lc_value_length(n), configured = lc_value_length(c);
    if (configured.min > planned.max || configured.max < planned.min)
        raise_nested_count(w, c, n, at, &progress);
    if (!lc_is_known(c)) {
        if (!a->computed) {
            progress.live = LC_NO_CORE;
            lc_raise(w, LC_RULE_PLAN_NESTED_SET_UNKNOWN_RESOLVED, at, progress,
                     "a nested set that is unknown in the configuration is planned as known");
        }
        return;
    }
    lc_check_plan_nested_set(w, a->nested, p, c, n, at, progress);
}

/* Blocks with a dynamic attribute inside may hold any value instead of the collection. */
static bool is_nested(const lc_nested_type *t, const lc_value *v)
{
    return !lc_is_known(v) || lc_is_collection_for(t->nesting, v);
}

/* Old versions look at the attributes of an unknown object one by one, and accept those that are
 * Computed, or unknown in the configuration. */
static bool old_accept_unknown(const lc_nested_type *t, const lc_value *c)
{
    bool all = t->nesting == LC_NESTING_SINGLE && is_nested(t, c);
    for (size_t i = 0; all && i < t->attribute_count; i++) {
        const lc_value *v = lc_value_attr(c, t->attributes[i].name);
        all = t->attributes[i].computed || (v && lc_is_unknown(v));
    }
    return all;
}

static void plan_nested_by_mode(lc_walk *w, const lc_attribute *a, const lc_value *p,
                                const lc_value *c, const lc_value *n, const lc_trail *at,
                                lc_core_progress progress)
{
    const lc_nested_type *t = a->nested;
    switch (t->nesting) {
    case LC_NESTING_SINGLE:
    case LC_NESTING_GROUP:
        plan_nested_object(w, t, p, c, n, at, progress);
        break;
    case LC_NESTING_LIST:
        plan_nested_list(w, t, p, c, n, at, progress);
        break;
    case LC_NESTING_MAP:
        plan_nested_map(w, t, p, c, n, at, progress);
        break;
    case LC_NESTING_SET:
        plan_nested_set(w, a, p, c, n, at, progress);
        break;
    case LC_NESTING_INVALID:
        break;
    }
}

static void plan_nested(lc_walk *w, const lc_attribute *a, const lc_value *p, const lc_value *c,
                        const lc_value *n, const lc_trail *at, lc_core_progress progress)
{
    const lc_nested_type *t = a->nested;
    if (lc_is_null(n)) { /* N1; two nulls are equal, also of different types */
        if (lc_is_null(c))
            return;
        quote_plain(w,
                    lc_raise(w, LC_RULE_PLAN_ABSENT, at, progress, "configured, but planned null"),
                    LC_TEXT_PLAN_ABSENT);
        return;
    }
    if (lc_is_unknown(n)) { /* N3 */
        lc_issue *issue = lc_raise(w, LC_RULE_PLAN_NESTED_UNKNOWN, at, progress,
                                   "configured, but planned unknown");
        if (issue && old_accept_unknown(t, c))
            issue->tf_since = LC_NESTED_UNKNOWN_SINCE;
        quote_plain(w, issue, LC_TEXT_PLAN_NESTED_UNKNOWN);
        return;
    }
    if (!is_nested(t, n) || !is_nested(t, c)) {
        lc_walk_panic(w, at, progress);
        return;
    }
    if (p && !is_nested(t, p))
        p = NULL;
    plan_nested_by_mode(w, a, p, c, n, at, progress);
}

/* ---- Blocks. */

static lc_issue *raise_block_null(lc_walk *w, const lc_block_type *b, const lc_trail *at,
                                  lc_core_progress progress)
{
    lc_issue *issue = lc_raise(w, LC_RULE_PLAN_BLOCK_NULL, at, progress,
                               "null instead of an empty collection of blocks");
    lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_PLAN_BLOCK_NULL,
                   (lc_text_arg[]){LC_ARG_WORD(lc_str_from_c(lc_nesting_name(b->nesting)))}, 1);
    return issue;
}

/* A null plan for a block that is not SINGLE. Terraform tests this before everything else (B5a),
 * OpenTofu only after the tests for equality and for an unknown configuration. */
static void plan_null_block(lc_walk *w, const lc_block_type *b, const lc_value *c,
                            const lc_value *n, const lc_trail *at, lc_core_progress progress)
{
    if (b->nesting == LC_NESTING_GROUP && !lc_is_null(c) && !lc_is_unknown(c)) {
        lc_issue *issue =
            lc_raise(w, LC_RULE_PLAN_ABSENT, at, progress, "configured, but planned null");
        lc_issue_quote(w, issue, LC_OT, LC_TEXT_PLAN_ABSENT, NULL, 0);
        lc_issue_quote(w, issue, LC_TF, LC_TEXT_PLAN_GROUP_NULL, NULL, 0);
        return;
    }
    lc_core_progress null_progress = progress;
    if (lc_is_unknown(c) || lc_value_raw_equal(n, c)) {
        null_progress.live &= LC_TF;
        null_progress.masked &= LC_TF;
    }
    lc_issue *issue = raise_block_null(w, b, at, null_progress);
    if (issue && lc_is_null(c))
        issue->tf_since = LC_BLOCK_NULL_SINCE;
    if (!lc_is_unknown(c))
        return;
    lc_core_progress dynamic_progress = lc_core_progress_after(w, progress, issue);
    dynamic_progress.live = progress.live & LC_OT;
    dynamic_progress.masked &= ~dynamic_progress.live;
    issue = lc_raise(w, LC_RULE_PLAN_DYNAMIC_BLOCK_CHANGED, at, dynamic_progress,
                     "a block that is unknown in the configuration is not planned unknown");
    lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_PLAN_DYNAMIC_BLOCK_CHANGED,
                   (lc_text_arg[]){LC_ARG_VALUE(n)}, 1);
}

static void plan_block_element(lc_walk *w, const lc_block_type *b, const lc_value *p,
                               const lc_value *c, const lc_value *n, const lc_trail *at,
                               lc_core_progress progress)
{
    if (lc_is_unknown(n)) {
        quote_plain(w,
                    lc_raise(w, LC_RULE_PLAN_BLOCK_ELEMENT_UNKNOWN, at, progress,
                             "a block element is itself planned unknown"),
                    LC_TEXT_PLAN_BLOCK_ELEMENT_UNKNOWN);
        return;
    }
    n = lc_walk_as_block(w, n, b->block, at, progress);
    c = n ? lc_walk_as_block(w, c, b->block, at, progress) : NULL;
    if (c && p && !lc_is_null(p))
        p = lc_walk_as_block(w, p, b->block, at, progress);
    else
        p = NULL;
    if (c)
        plan_block(w, b->block, p, c, n, at, progress);
}

/* Of a set, or of a set or map instead of the list of blocks, the cores look at elements that are
 * themselves unknown, and at nothing else. */
static void raise_unknown_elements(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                   const lc_trail *at, lc_core_progress progress)
{
    for (size_t i = 0; lc_is_known(n) && i < n->count; i++) {
        const lc_value *element = &n->as.many.elems[i];
        lc_trail trail = n->type->kind == LC_TYPE_SET ? lc_trail_element(at, element)
                                                      : lc_element_trail(at, n, i, false);
        if (lc_is_unknown(element))
            plan_block_element(w, b, NULL, element, element, &trail, progress);
    }
}

/* `crash`: the cores panic on the configured null, and report nothing. */
static void raise_block_count(lc_walk *w, const lc_value *c, const lc_value *n, bool crash,
                              const lc_trail *at, lc_core_progress *progress)
{
    lc_issue *issue = lc_raise(w, LC_RULE_PLAN_BLOCK_COUNT, at, *progress,
                               "the plan has another number of blocks than the configuration");
    lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_PLAN_BLOCK_COUNT,
                   (lc_text_arg[]){LC_ARG_COUNT(n->count), LC_ARG_COUNT(c->count)}, 2);
    if (issue && crash) {
        issue->crash = issue->cores;
        issue->cores = LC_NO_CORE;
    }
    *progress = lc_core_progress_after(w, *progress, issue);
}

/* A list block with a dynamic attribute inside is a tuple. The cores crash on a configured null in
 * place of it, but count a null list as empty. */
static void plan_list_block(lc_walk *w, const lc_block_type *b, const lc_value *p,
                            const lc_value *c, const lc_value *n, const lc_trail *at,
                            lc_core_progress progress)
{
    size_t configured = lc_is_known(c) ? c->count : 0;
    bool crash = lc_is_null(c) && b->dynamic_inside;
    if (crash)
        w->crashed |= progress.live;
    if (configured != n->count)
        raise_block_count(w, c, n, crash, at, &progress);
    size_t count = configured < n->count ? configured : n->count;
    if (!lc_holds_blocks(b, n) || !lc_holds_blocks(b, c)) { /* reported by response/type */
        raise_unknown_elements(w, b, n, at, progress);
        return;
    }
    if (count)
        note_unknown_prior(w, p, progress);
    for (size_t i = 0; i < count; i++) {
        lc_trail trail = lc_trail_index(at, i);
        plan_block_element(w, b, lc_item(p, i), &c->as.many.elems[i], &n->as.many.elems[i], &trail,
                           progress);
    }
}

/* In object form (dynamic attribute inside) the cores do not compare the number of keys, only the
 * keys. */
static void plan_map_block(lc_walk *w, const lc_block_type *b, const lc_value *p, const lc_value *c,
                           const lc_value *n, const lc_trail *at, lc_core_progress progress)
{
    bool as_object = n->type->kind == LC_TYPE_OBJECT;
    size_t configured = lc_is_known(c) ? c->count : 0;
    bool counts_differ = !as_object && configured != n->count;
    lc_key_issues keys = {0};
    if (lc_is_null(c))
        w->crashed |= progress.live;
    if (counts_differ || (lc_is_null(c) && n->count > 0))
        raise_block_count(w, c, n, lc_is_null(c), at, &progress);
    for (size_t i = 0; i < n->count; i++) {
        lc_str key = lc_entry_key(n, i);
        const lc_value *element = &n->as.many.elems[i], *other = lc_entry(c, key);
        lc_trail trail = lc_element_trail(at, n, i, false);
        if (!other && lc_is_unknown(element) && !as_object) {
            plan_block_element(w, b, NULL, element, element, &trail, progress);
        } else if (!other && !counts_differ && !lc_is_null(c)) {
            raise_extra_block_key(w, &trail, progress, key);
            lc_issue_of_key(w, &keys, c, n, false, i);
        } else if (other) {
            note_unknown_prior(w, p, progress);
            plan_block_element(w, b, lc_entry(p, key), other, element, &trail, progress);
        }
    }
    for (size_t i = 0; i < configured && !counts_differ; i++) {
        if (lc_entry(n, lc_entry_key(c, i)))
            continue;
        raise_key(w, LC_RULE_PLAN_BLOCK_KEY_MISSING, at, progress,
                  "the plan does not have a configured block key", LC_TEXT_PLAN_BLOCK_KEY_MISSING,
                  lc_entry_key(c, i));
        lc_issue_of_key(w, &keys, c, n, true, i);
    }
}

/* What is known in a set block no core checks. */
static void plan_set_block(lc_walk *w, const lc_block_type *b, const lc_value *p, const lc_value *c,
                           const lc_value *n, const lc_trail *at, lc_core_progress progress)
{
    raise_unknown_elements(w, b, n, at, progress);
    lc_check_plan_block_set(w, b, p, c, n, at, progress);
}

static void plan_block_by_mode(lc_walk *w, const lc_block_type *b, const lc_value *p,
                               const lc_value *c, const lc_value *n, const lc_trail *at,
                               lc_core_progress progress)
{
    switch (b->nesting) {
    case LC_NESTING_SINGLE:
    case LC_NESTING_GROUP:
        plan_block(w, b->block, p && lc_is_null(p) ? NULL : p, c, n, at, progress);
        break;
    case LC_NESTING_LIST:
        plan_list_block(w, b, p, c, n, at, progress);
        break;
    case LC_NESTING_MAP:
        plan_map_block(w, b, p, c, n, at, progress);
        break;
    case LC_NESTING_SET:
        plan_set_block(w, b, p, c, n, at, progress);
        break;
    case LC_NESTING_INVALID:
        break;
    }
}

/* Is this a known list, tuple or set instead of a map of blocks, which is decided by the number of
 * its elements? The cores panic on its keys only if both have the same number of them. */
static bool plan_other_map(lc_walk *w, const lc_value *n, const lc_value *c, const lc_trail *at,
                           lc_core_progress progress)
{
    lc_type_kind kind = n->type->kind;
    if (kind == LC_TYPE_MAP || kind == LC_TYPE_OBJECT || !lc_is_known(n) || !lc_is_known(c))
        return false;
    if (n->count != c->count)
        raise_block_count(w, c, n, false, at, &progress);
    return n->count != c->count || n->count == 0;
}

static void raise_block_unknown(lc_walk *w, const lc_block_type *b, const lc_trail *at,
                                lc_core_progress progress)
{
    lc_issue *issue = lc_raise(w, LC_RULE_PLAN_BLOCK_UNKNOWN, at, progress,
                               "a block is planned unknown, though the number of blocks is "
                               "configured");
    lc_issue_quote(w, issue, LC_OT, LC_TEXT_PLAN_BLOCK_UNKNOWN, NULL, 0);
    lc_issue_quote(w, issue, LC_TF,
                   b->computed ? LC_TEXT_PLAN_COMPUTED_BLOCK_UNKNOWN
                               : LC_TEXT_PLAN_NONCOMPUTED_BLOCK_UNKNOWN,
                   NULL, 0);
}

/* The order of tests is that of assertPlanValid for one block type. */
static void plan_block_type(lc_walk *w, const lc_block_type *b, const lc_value *p,
                            const lc_value *c, const lc_value *n, const lc_trail *at,
                            lc_core_progress progress)
{
    if (lc_is_null(n) && b->nesting != LC_NESTING_SINGLE) { /* B5a */
        plan_null_block(w, b, c, n, at, progress);
        return;
    }
    if (lc_value_raw_equal(n, c)) /* B5b */
        return;
    if (lc_is_unknown(c)) { /* B5c */
        lc_issue *issue = lc_raise(w, LC_RULE_PLAN_DYNAMIC_BLOCK_CHANGED, at, progress,
                                   "a block that is unknown in the configuration is not planned "
                                   "unknown");
        lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_PLAN_DYNAMIC_BLOCK_CHANGED,
                       (lc_text_arg[]){LC_ARG_VALUE(n)}, 1);
        return;
    }
    if (b->computed && lc_is_null(c)) { /* B5d */
        progress.live &= ~LC_TF;
        progress.masked &= ~LC_TF;
        if (!(progress.live | progress.masked))
            return;
    }
    if (lc_is_unknown(n)) { /* B5e */
        raise_block_unknown(w, b, at, progress);
        return;
    }
    bool countable = !lc_type_is_primitive(n->type) && !lc_type_is_primitive(c->type);
    if (b->nesting == LC_NESTING_MAP && countable && plan_other_map(w, n, c, at, progress))
        return;
    if ((b->nesting == LC_NESTING_LIST && countable) ||
        (lc_holds_blocks(b, n) && lc_holds_blocks(b, c)))
        plan_block_by_mode(w, b, p, c, n, at, progress);
    else
        lc_walk_panic(w, at, progress);
}

static void plan_block(lc_walk *w, const lc_block *s, const lc_value *p, const lc_value *c,
                       const lc_value *n, const lc_trail *at, lc_core_progress progress)
{
    if (lc_is_null(n) && !lc_is_null(c)) { /* B1 */
        quote_plain(w,
                    lc_raise(w, LC_RULE_PLAN_ABSENT, at, progress, "configured, but planned null"),
                    LC_TEXT_PLAN_ABSENT);
        return;
    }
    if (lc_is_null(c) && !lc_is_null(n)) { /* B2 */
        quote_plain(w,
                    lc_raise(w, LC_RULE_PLAN_PRESENT, at, progress, "not configured, but planned"),
                    LC_TEXT_PLAN_PRESENT);
        return;
    }
    if (lc_is_null(n)) /* B3 */
        return;
    for (size_t i = 0; i < s->attribute_count; i++) { /* B4 */
        const lc_attribute *a = &s->attributes[i];
        lc_trail trail = lc_trail_attr(at, a->name);
        plan_attr(w, a, prior_part(w, p, a->slot, a->implied), lc_part(w, c, a->slot, a->implied),
                  lc_part(w, n, a->slot, a->implied), &trail, progress);
    }
    for (size_t i = 0; i < s->block_count; i++) { /* B5 */
        const lc_block_type *b = &s->blocks[i];
        lc_trail trail = lc_trail_attr(at, b->name);
        plan_block_type(w, b, prior_part(w, p, b->slot, b->implied),
                        lc_part(w, c, b->slot, b->implied), lc_part(w, n, b->slot, b->implied),
                        &trail, progress);
    }
}

bool lc_plan_allows_attribute(lc_walk *w, const lc_attribute *a, const lc_value *c,
                              const lc_value *n)
{
    plan_attr(w, a, NULL, c, n, NULL, LC_PROGRESS_ALL);
    return w->raised == 0;
}

bool lc_plan_allows_block(lc_walk *w, const lc_block_type *b, const lc_value *c, const lc_value *n)
{
    plan_block_type(w, b, NULL, c, n, NULL, LC_PROGRESS_ALL);
    return w->raised == 0;
}

void lc_check_plan(lc_walk *walk, const lc_block *block, const lc_value *prior,
                   const lc_value *config, const lc_value *planned, lc_core_progress progress)
{
    plan_block(walk, block, prior && lc_is_null(prior) ? NULL : prior, config, planned, NULL,
               progress);
}
