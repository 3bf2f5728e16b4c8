/* AssertObjectCompatible of both cores in one walk (contract-algorithms 4.6): `n` is the planned
 * value, `a` the actual one. Every function returns the cores that found an error, so that the
 * comparison of sets can ask "would there be an error?" in quiet mode without building messages.
 *
 * Because of a computed block Terraform may return early and lose the errors that it had collected,
 * and even the path. We report everything, and only note what Terraform would not have printed.
 * Labels (V1, C6a) are those of the reference's pseudocode. */
#include "contract/walk/walk.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

/* The families final/ and apply/ have the same rules, and share this walk. */
#define RULE(w, name) ((w)->final ? LC_RULE_FINAL_##name : LC_RULE_APPLY_##name)

/* In quiet mode the answer is complete as soon as every live core has found an error: comparing
 * sets would cost too much without this. */
static bool is_settled(const lc_walk *w, lc_core_progress progress, lc_cores found)
{
    return w->quiet && (found & progress.live) == progress.live;
}

/* ---- Values. */

static lc_cores raise_value(lc_walk *w, lc_rule rule, const lc_trail *at, lc_core_progress progress,
                            const char *note, lc_core_text message, const lc_value *x,
                            const lc_value *y)
{
    if (!w->quiet) {
        lc_issue *issue = lc_raise(w, rule, at, progress, note);
        lc_issue_quote(w, issue, LC_BOTH_CORES, message,
                       (lc_text_arg[]){LC_ARG_VALUE(x), LC_ARG_VALUE(y)}, 2);
    }
    return progress.live;
}

static lc_cores raise_type(lc_walk *w, const lc_value *n, const lc_value *a, const lc_trail *at,
                           lc_core_progress progress)
{
    if (w->quiet)
        return progress.live;
    lc_buf why = {0};
    lc_type_add_mismatch(&why, a->type, n->type);
    lc_issue *issue = lc_raise(w, RULE(w, VALUE_TYPE), at, progress,
                               "the value has another type than was planned");
    lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_COMPAT_VALUE_TYPE,
                   (lc_text_arg[]){LC_ARG_WORD(lc_buf_str(&why))}, 1);
    lc_buf_release(&why);
    return progress.live;
}

/* The cores name the element by its index, or by its quoted key. */
static lc_cores raise_element(lc_walk *w, bool vanished, const lc_value *in, size_t index,
                              const lc_trail *at, lc_core_progress progress)
{
    if (w->quiet)
        return progress.live;
    lc_buf key = {0};
    if (in->type->kind == LC_TYPE_MAP)
        lc_buf_add_go_quoted(&key, lc_entry_key(in, index));
    else
        lc_buf_printf(&key, "%zu", index);
    lc_issue *issue = vanished ? lc_raise(w, RULE(w, ELEMENT_VANISHED), at, progress,
                                          "a planned element is missing")
                               : lc_raise(w, RULE(w, ELEMENT_APPEARED), at, progress,
                                          "an element that was not planned appeared");
    lc_issue_quote(w, issue, LC_BOTH_CORES,
                   vanished ? LC_TEXT_COMPAT_ELEMENT_VANISHED : LC_TEXT_COMPAT_ELEMENT_APPEARED,
                   (lc_text_arg[]){LC_ARG_WORD(lc_buf_str(&key))}, 1);
    lc_buf_release(&key);
    return progress.live;
}

/* The element of `in` with the index or key that the element of `of` has, or NULL. */
static const lc_value *partner(const lc_value *in, const lc_value *of, size_t index)
{
    if (of->type->kind == LC_TYPE_MAP)
        return lc_value_key(in, of->as.many.keys[index]);
    return index < in->count ? &in->as.many.elems[index] : NULL;
}

/* Lists, maps and tuples. */
static lc_cores compat_elements(lc_walk *w, const lc_value *n, const lc_value *a,
                                const lc_trail *at, lc_core_progress progress)
{
    lc_cores found = LC_NO_CORE;
    lc_key_issues keys = {0};
    for (size_t i = 0; i < n->count && !is_settled(w, progress, found); i++) {
        const lc_value *other = partner(a, n, i);
        if (!other) {
            found |= raise_element(w, true, n, i, at, progress);
            lc_issue_of_key(w, &keys, n, a, true, i);
            continue;
        }
        lc_trail trail = lc_element_trail(at, n, i, false);
        found |= lc_compat_value(w, &n->as.many.elems[i], other, &trail, progress);
    }
    for (size_t i = 0; i < a->count && !is_settled(w, progress, found); i++) {
        if (partner(n, a, i))
            continue;
        found |= raise_element(w, false, a, i, at, progress);
        lc_issue_of_key(w, &keys, n, a, false, i);
    }
    return found;
}

/* Both types conform, so the same type has the same order of attributes; otherwise look up the
 * name. */
static lc_cores compat_object(lc_walk *w, const lc_value *n, const lc_value *a, const lc_trail *at,
                              lc_core_progress progress)
{
    lc_cores found = LC_NO_CORE;
    for (size_t i = 0; i < n->count && !is_settled(w, progress, found); i++) {
        lc_str name = n->type->as.attrs[i].name;
        const lc_value *other = a->type == n->type ? &a->as.many.elems[i] : lc_value_attr(a, name);
        lc_trail trail = lc_trail_attr(at, name);
        found |= lc_compat_value(w, &n->as.many.elems[i], other, &trail, progress);
    }
    return found;
}

static lc_cores compat_known(lc_walk *w, const lc_value *n, const lc_value *a, const lc_trail *at,
                             lc_core_progress progress)
{
    switch (n->type->kind) {
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        if (lc_value_equals(a, n) == LC_TRUE)
            return LC_NO_CORE;
        return raise_value(w, RULE(w, CHANGED), at, progress, "the value is not the planned one",
                           LC_TEXT_COMPAT_CHANGED, n, a);
    case LC_TYPE_LIST:
    case LC_TYPE_MAP:
    case LC_TYPE_TUPLE:
        return compat_elements(w, n, a, at, progress);
    case LC_TYPE_OBJECT:
        return compat_object(w, n, a, at, progress);
    case LC_TYPE_SET:
        return lc_compat_set(w, NULL, n, a, at, progress);
    case LC_TYPE_DYNAMIC:
        break;
    }
    LC_UNREACHABLE();
}

/* V6. After an apply this is reported by response/unknown. */
static lc_cores raise_unknown(lc_walk *w, const lc_trail *at, lc_core_progress progress)
{
    if (w->final)
        return raise_value(w, LC_RULE_FINAL_BECAME_UNKNOWN, at, progress,
                           "known in the initial plan, unknown in the final one",
                           LC_TEXT_COMPAT_BECAME_UNKNOWN, NULL, NULL);
    if (!w->quiet) {
        lc_issue *issue = lc_raise(w, LC_RULE_RESPONSE_UNKNOWN, at, progress, "still unknown");
        lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_COMPAT_BECAME_UNKNOWN, NULL, 0);
    }
    return progress.live;
}

/* The tests are in the order of assertValueCompatible. V1: the cores accept anything for an untyped
 * null or unknown; a value instead of the null is reported as what no core checks. */
lc_cores lc_compat_value(lc_walk *w, const lc_value *n, const lc_value *a, const lc_trail *at,
                         lc_core_progress progress)
{
    if (n->type->kind == LC_TYPE_DYNAMIC) { /* V1 */
        if (lc_is_null(n) && !lc_is_null(a)) {
            lc_core_progress no_core = {LC_NO_CORE, LC_NO_CORE, progress.follows, progress.tf_from};
            lc_raise(w, RULE(w, WAS_NULL), at, no_core,
                     "planned as an untyped null, but has a value");
        }
        return LC_NO_CORE;
    }
    if (a->type != n->type && !lc_type_conforms(a->type, n->type)) /* V2 */
        return raise_type(w, n, a, at, progress);
    if (lc_is_unknown(n)) { /* V3 */
        if (!lc_value_refinement(n) || lc_value_includes(n, a) != LC_FALSE)
            return LC_NO_CORE;
        return raise_value(w, RULE(w, REFINEMENT), at, progress,
                           "the value contradicts the refinement of the unknown",
                           LC_TEXT_COMPAT_REFINEMENT, a, n);
    }
    if (lc_is_null(a)) { /* V4 */
        if (lc_is_null(n))
            return LC_NO_CORE;
        return raise_value(w, RULE(w, BECAME_NULL), at, progress, "planned with a value, but null",
                           LC_TEXT_COMPAT_BECAME_NULL, n, NULL);
    }
    if (lc_is_null(n)) /* V5 */
        return raise_value(w, RULE(w, WAS_NULL), at, progress, "planned null, but has a value",
                           LC_TEXT_COMPAT_WAS_NULL, a, NULL);
    if (lc_is_unknown(a)) /* V6 */
        return raise_unknown(w, at, progress);
    return compat_known(w, n, a, at, progress);
}

/* ---- Attributes of a block. For everything below a sensitive attribute a core has one error,
 * which names the attribute only. */

/* Sensitive by its flag, by marks inside a nested attribute (if the values carry marks), or by an
 * explicit mark. */
static bool is_collapsed(const lc_walk *w, const lc_attribute *attr, const lc_value *n,
                         const lc_value *a, const lc_trail *at)
{
    if (attr->sensitive)
        return true;
    if (w->marked && attr->nested && attr->nested->any_sensitive &&
        (lc_nested_has_mark(attr->nested, n) || lc_nested_has_mark(attr->nested, a)))
        return true;
    return w->sensitivity && lc_sensitivity_touches(w->sensitivity, at);
}

/* Give all issues of the attribute, from `first` on, the core's general words and the attribute's
 * path. The cores print them once: every issue after the first is marked as collapsed into it. */
static void collapse(lc_walk *w, size_t first, const lc_trail *at, lc_core_progress progress)
{
    bool reported = false;
    for (size_t i = first; i < w->issues.count; i++) {
        lc_issue *issue = &w->issues.items[i];
        if (!(issue->cores | issue->masked))
            continue;
        lc_issue_quote(w, issue, LC_BOTH_CORES, LC_TEXT_COMPAT_SENSITIVE, NULL, 0);
        issue->inexact = LC_NO_CORE; /* these are the core's own words */
        lc_path path = lc_path_from_trail(w->arena, at);
        size_t from = progress.tf_from > path.count ? path.count : progress.tf_from;
        issue->core_path[LC_OPENTOFU] = path;
        issue->core_path[LC_TERRAFORM] = (lc_path){path.steps + from, path.count - from};
        if (reported)
            issue->collapsed = issue->cores;
        reported = true;
    }
}

static lc_cores compat_attribute(lc_walk *w, const lc_attribute *attr, const lc_value *n,
                                 const lc_value *a, const lc_trail *up, lc_core_progress progress)
{
    lc_trail at = lc_trail_attr(up, attr->name);
    size_t first = w->issues.count;
    lc_cores found = lc_compat_value(w, n, a, &at, progress);
    if (!w->quiet && w->issues.count != first && is_collapsed(w, attr, n, a, &at))
        collapse(w, first, &at, progress);
    return found;
}

/* ---- Blocks. */

static lc_cores raise_block_count(lc_walk *w, lc_rule rule, const lc_trail *at,
                                  lc_core_progress progress, const char *note, lc_core_text message,
                                  const lc_value *n, const lc_value *a)
{
    if (!w->quiet) {
        lc_issue *issue = lc_raise(w, rule, at, progress, note);
        lc_issue_quote(w, issue, LC_BOTH_CORES, message,
                       (lc_text_arg[]){LC_ARG_COUNT(n->count), LC_ARG_COUNT(a->count)}, 2);
    }
    return progress.live;
}

/* Null or unknown where the other value has blocks. No core checks this, or both crash
 * (`crash`). */
static void note_nullness(lc_walk *w, const lc_value *n, const lc_value *a, lc_cores crash,
                          const lc_trail *at, lc_core_progress progress)
{
    if (!crash && lc_is_null(a) && lc_is_known(n) && n->count == 0)
        return; /* reported by response/null-block */
    lc_core_progress no_core = {LC_NO_CORE, LC_NO_CORE, progress.follows, progress.tf_from};
    lc_issue *issue = lc_raise(w, RULE(w, BLOCK_NULLNESS), at, no_core,
                               lc_is_null(n) ? "planned null, but there are blocks"
                                             : "planned with blocks, but null or unknown");
    if (issue)
        issue->crash = crash;
    w->crashed |= crash;
}

/* Can the two collections be compared block by block? If not, the reason has been raised. A result
 * that is unknown after an apply is reported by response/unknown; an empty one for a planned null
 * is not a difference. */
static bool both_known(lc_walk *w, const lc_value *n, const lc_value *a, const lc_trail *at,
                       lc_core_progress progress)
{
    if (lc_is_known(n) && lc_is_known(a))
        return true;
    bool planned_some = lc_is_known(n) || lc_is_null(n);
    if (planned_some && !(lc_is_null(n) && lc_is_null(a)) &&
        !(lc_is_null(n) && lc_is_known(a) && a->count == 0) && !(lc_is_unknown(a) && !w->final))
        note_nullness(w, n, a, LC_NO_CORE, at, progress);
    return false;
}

/* If the numbers differ the cores stop; blocks that have a partner are compared all the same. */
static lc_cores compat_list_block(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                  const lc_value *a, const lc_trail *at, lc_core_progress progress)
{
    if (!both_known(w, n, a, at, progress))
        return LC_NO_CORE;
    lc_cores found = LC_NO_CORE;
    if (n->count != a->count) {
        found = raise_block_count(w, RULE(w, BLOCK_COUNT), at, progress,
                                  "the number of blocks is not the planned one",
                                  LC_TEXT_COMPAT_BLOCK_COUNT, n, a);
        if (w->quiet)
            return found;
        progress = lc_core_progress_after(w, progress, &w->issues.items[w->issues.count - 1]);
    }
    size_t count = n->count < a->count ? n->count : a->count;
    for (size_t i = 0; i < count && !is_settled(w, progress, found); i++) {
        lc_trail trail = lc_trail_index(at, i);
        found |= lc_compat_block(w, b->block, &n->as.many.elems[i], &a->as.many.elems[i], &trail,
                                 progress);
    }
    return found;
}

static lc_cores raise_key(lc_walk *w, bool vanished, lc_str key, const lc_trail *at,
                          lc_core_progress progress)
{
    if (!w->quiet) {
        lc_issue *issue = vanished ? lc_raise(w, RULE(w, BLOCK_KEY_VANISHED), at, progress,
                                              "a planned block key is missing")
                                   : lc_raise(w, RULE(w, BLOCK_KEY_APPEARED), at, progress,
                                              "a block key that was not planned appeared");
        lc_issue_quote(w, issue, LC_BOTH_CORES,
                       vanished ? LC_TEXT_COMPAT_BLOCK_KEY_VANISHED
                                : LC_TEXT_COMPAT_BLOCK_KEY_APPEARED,
                       (lc_text_arg[]){LC_ARG_WORD(key)}, 1);
    }
    return progress.live;
}

/* The entries of a map block. In map form the cores compare only the number of keys, so a renamed
 * key is reported as what no core checks; in object form (a dynamic attribute inside) they compare
 * keys. */
static lc_cores compat_map_entries(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                   const lc_value *a, bool new_keys, const lc_trail *at,
                                   lc_core_progress progress)
{
    bool as_object = n->type->kind == LC_TYPE_OBJECT;
    bool same_count = n->count == a->count;
    lc_core_progress of_keys = progress;
    if (!as_object)
        of_keys.live = of_keys.masked = LC_NO_CORE;
    lc_cores found = LC_NO_CORE;
    lc_key_issues keys = {0};
    for (size_t i = 0; i < n->count && !is_settled(w, progress, found); i++) {
        lc_str key = lc_entry_key(n, i);
        const lc_value *other = lc_entry(a, key);
        lc_trail trail = lc_element_trail(at, n, i, false);
        if (other)
            found |= lc_compat_block(w, b->block, &n->as.many.elems[i], other, &trail, progress);
        if (other || !(as_object || same_count))
            continue;
        found |= raise_key(w, true, key, at, of_keys);
        lc_issue_of_key(w, &keys, n, a, true, i);
    }
    new_keys = new_keys && (as_object || same_count);
    for (size_t i = 0; i < a->count && new_keys && !is_settled(w, progress, found); i++) {
        if (lc_entry(n, lc_entry_key(a, i)))
            continue;
        found |= raise_key(w, false, lc_entry_key(a, i), at, of_keys);
        lc_issue_of_key(w, &keys, n, a, false, i);
    }
    return found;
}

/* A null or unknown object with known keys, as a known object of nulls or unknowns. */
static const lc_value *as_known_object(lc_walk *w, const lc_value *v)
{
    if (lc_is_known(v))
        return v;
    lc_value *elems = LC_NEW_ARRAY(w->arena, lc_value, v->type->count);
    for (size_t i = 0; i < v->type->count; i++)
        elems[i] = *lc_part(w, v, (uint32_t)i, v->type->as.attrs[i].type);
    lc_value *out = LC_NEW(w->arena, lc_value);
    lc_value_set_object(out, w->arena, v->type, elems);
    return out;
}

static bool share_a_key(const lc_type *a, const lc_type *b)
{
    for (size_t i = 0; i < a->count; i++) {
        if (lc_type_attr_index(b, a->as.attrs[i].name) >= 0)
            return true;
    }
    return false;
}

/* Map blocks in object form. The keys are those of the types, regardless of the values, and the
 * cores crash when they take an attribute of a null object. */
static lc_cores compat_object_blocks(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                     const lc_value *a, const lc_trail *at,
                                     lc_core_progress progress)
{
    if (a->type->kind != LC_TYPE_OBJECT ||
        ((lc_is_null(n) || lc_is_null(a)) && share_a_key(n->type, a->type))) {
        note_nullness(w, n, a, progress.live, at, progress);
        return LC_NO_CORE;
    }
    lc_cores found = LC_NO_CORE;
    if (!lc_is_known(n) && n->type->count == 0)
        return found;
    const lc_value *planned = as_known_object(w, n), *actual = as_known_object(w, a);
    return compat_map_entries(w, b, planned, actual, lc_is_known(n), at, progress);
}

static lc_cores compat_map_block(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                 const lc_value *a, const lc_trail *at, lc_core_progress progress)
{
    if (n->type->kind == LC_TYPE_OBJECT)
        return compat_object_blocks(w, b, n, a, at, progress);
    if (lc_is_known(n) && lc_is_unknown(a)) {
        note_nullness(w, n, a, progress.live, at, progress);
        return LC_NO_CORE;
    }
    if (!both_known(w, n, a, at, progress))
        return LC_NO_CORE;
    if (n->count == a->count)
        return compat_map_entries(w, b, n, a, true, at, progress);
    lc_cores found = raise_block_count(w, RULE(w, BLOCK_COUNT), at, progress,
                                       "the number of blocks is not the planned one",
                                       LC_TEXT_COMPAT_BLOCK_COUNT, n, a);
    if (w->quiet)
        return found;
    progress = lc_core_progress_after(w, progress, &w->issues.items[w->issues.count - 1]);
    return found | compat_map_entries(w, b, n, a, true, at, progress);
}

static lc_cores compat_set_block(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                 const lc_value *a, const lc_trail *at, lc_core_progress progress)
{
    if (!both_known(w, n, a, at, progress))
        return LC_NO_CORE;
    return lc_compat_set(w, b->block, n, a, at, progress);
}

/* Known values of which one is not a collection for list or map blocks. The cores compare the
 * lengths before anything else. Then they look every key of `n` up in `a`: this panics in a set or
 * object, and finds nothing where one has indices and the other has keys. */
static lc_cores compat_other_kinds(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                   const lc_value *a, const lc_trail *at, lc_core_progress progress)
{
    lc_type_kind from = n->type->kind, in = a->type->kind;
    bool counted = (b->nesting == LC_NESTING_LIST ||
                    (b->nesting == LC_NESTING_MAP && from != LC_TYPE_OBJECT)) &&
                   !lc_type_is_primitive(n->type) && !lc_type_is_primitive(a->type);
    if (counted && n->count != a->count)
        return raise_block_count(w, RULE(w, BLOCK_COUNT), at, progress,
                                 "the number of blocks is not the planned one",
                                 LC_TEXT_COMPAT_BLOCK_COUNT, n, a);
    bool unlike_keys = from == LC_TYPE_LIST || from == LC_TYPE_TUPLE
                           ? in == LC_TYPE_MAP
                           : (from == LC_TYPE_MAP || from == LC_TYPE_OBJECT) &&
                                 (in == LC_TYPE_LIST || in == LC_TYPE_TUPLE);
    if (!counted || (n->count && !unlike_keys))
        lc_walk_panic(w, at, progress);
    return LC_NO_CORE;
}

static lc_cores compat_block_type(lc_walk *w, const lc_block_type *b, const lc_value *n,
                                  const lc_value *a, const lc_trail *at, lc_core_progress progress)
{
    if (!lc_holds_blocks(b, n) || !lc_holds_blocks(b, a)) {
        return lc_is_known(n) && lc_is_known(a) ? compat_other_kinds(w, b, n, a, at, progress)
                                                : LC_NO_CORE;
    }
    switch (b->nesting) {
    case LC_NESTING_SINGLE:
    case LC_NESTING_GROUP:
        if (lc_is_unknown(n) && lc_is_null(a))
            return LC_NO_CORE;
        return lc_compat_block(w, b->block, n, a, at, progress);
    case LC_NESTING_LIST:
        return compat_list_block(w, b, n, a, at, progress);
    case LC_NESTING_MAP:
        return compat_map_block(w, b, n, a, at, progress);
    case LC_NESTING_SET:
        return compat_set_block(w, b, n, a, at, progress);
    case LC_NESTING_INVALID:
        break;
    }
    return LC_NO_CORE;
}

/* C6a: Terraform reports a null computed collection at the object around it, and returns: the last
 * step of its path is cut off, and it is masked for the blocks that follow. */
static lc_cores null_computed_block(lc_walk *w, const lc_trail *at, lc_core_progress *progress)
{
    lc_core_progress terraform = *progress;
    terraform.live &= LC_TF;
    terraform.masked &= LC_TF;
    if (!w->quiet) {
        lc_issue *issue = lc_raise(w, RULE(w, COMPUTED_BLOCK_NULL), at, terraform,
                                   "a Computed block collection is null");
        lc_issue_quote(w, issue, LC_TF, LC_TEXT_COMPAT_COMPUTED_BLOCK_NULL, NULL, 0);
        if (issue->core_path[LC_TERRAFORM].count)
            issue->core_path[LC_TERRAFORM].count--;
    }
    progress->live &= ~LC_TF;
    progress->masked |= LC_TF;
    return terraform.live;
}

/* C6b: Terraform compares a computed block that was planned unknown as one value and returns only
 * the errors of this comparison. So the errors that it had found in this object (from `first` on)
 * are lost, and the paths of the new ones begin at the block. */
static lc_cores unknown_computed_block(lc_walk *w, const lc_value *n, const lc_value *a,
                                       const lc_trail *at, size_t first, lc_core_progress *progress,
                                       lc_cores *found)
{
    lc_core_progress terraform = *progress;
    terraform.live &= LC_TF;
    terraform.masked &= LC_TF;
    terraform.tf_from = lc_trail_depth(at);
    for (size_t i = first; i < w->issues.count; i++) {
        lc_issue *issue = &w->issues.items[i];
        issue->masked |= issue->cores & terraform.live;
        issue->cores &= ~terraform.live;
    }
    *found &= ~LC_TF;
    *found |= lc_compat_value(w, n, a, at, terraform) & LC_TF;
    progress->live &= ~LC_TF;
    progress->masked |= LC_TF;
    return *found;
}

/* C2, C3: one of the two is null. */
static lc_cores raise_one_null(lc_walk *w, bool planned_null, const lc_trail *at,
                               lc_core_progress progress)
{
    if (w->quiet)
        return progress.live;
    lc_rule rule = planned_null     ? RULE(w, PRESENT)
                   : at || w->final ? RULE(w, ABSENT)
                                    : LC_RULE_APPLY_NULL_RESULT;
    lc_issue *issue = lc_raise(w, rule, at, progress,
                               planned_null ? "not planned, but present" : "planned, but absent");
    const char *tail =
        lc_core_text_template(planned_null ? LC_TEXT_COMPAT_PRESENT : LC_TEXT_COMPAT_ABSENT);
    lc_text_arg arg = LC_ARG_WORD(lc_str_from_c(tail));
    lc_issue_quote(w, issue, LC_OT, at ? LC_TEXT_COMPAT_BLOCK : LC_TEXT_COMPAT_ROOT_OPENTOFU, &arg,
                   1);
    lc_issue_quote(w, issue, LC_TF, at ? LC_TEXT_COMPAT_BLOCK : LC_TEXT_COMPAT_ROOT_TERRAFORM, &arg,
                   1);
    return progress.live;
}

/* A block with a computed block inside must be walked to its end even in quiet mode, because a
 * later computed block can take Terraform's earlier errors back (C6b). */
static bool is_finished(const lc_walk *w, const lc_block *s, lc_core_progress progress,
                        lc_cores found)
{
    return !s->any_computed_block && is_settled(w, progress, found);
}

lc_cores lc_compat_block(lc_walk *w, const lc_block *s, const lc_value *n, const lc_value *a,
                         const lc_trail *at, lc_core_progress progress)
{
    if (lc_is_null(n) != lc_is_null(a))
        return raise_one_null(w, lc_is_null(n), at, progress);
    if (lc_is_null(n)) /* C4 */
        return LC_NO_CORE;
    a = lc_walk_as_block(w, a, s, at, progress);
    n = a ? lc_walk_as_block(w, n, s, at, progress) : NULL;
    if (!n)
        return LC_NO_CORE;
    lc_cores found = LC_NO_CORE;
    size_t first = w->issues.count;
    for (size_t i = 0; i < s->attribute_count && !is_finished(w, s, progress, found);
         i++) { /* C5 */
        const lc_attribute *attr = &s->attributes[i];
        found |= compat_attribute(w, attr, lc_part(w, n, attr->slot, attr->implied),
                                  lc_part(w, a, attr->slot, attr->implied), at, progress);
    }
    for (size_t i = 0; i < s->block_count && !is_finished(w, s, progress, found); i++) { /* C6 */
        const lc_block_type *b = &s->blocks[i];
        const lc_value *planned = lc_part(w, n, b->slot, b->implied);
        const lc_value *actual = lc_part(w, a, b->slot, b->implied);
        lc_trail trail = lc_trail_attr(at, b->name);
        if (b->computed && (progress.live & LC_TF)) {
            if (lc_is_null(actual) && b->nesting != LC_NESTING_SINGLE)
                found |= null_computed_block(w, &trail, &progress);
            else if (lc_is_unknown(planned))
                unknown_computed_block(w, planned, actual, &trail, first, &progress, &found);
        }
        found |= compat_block_type(w, b, planned, actual, &trail, progress);
    }
    return found;
}

lc_cores lc_check_compatible(lc_walk *walk, const lc_block *block, const lc_value *planned,
                             const lc_value *actual, lc_core_progress progress)
{
    return lc_compat_block(walk, block, planned, actual, NULL, progress);
}
