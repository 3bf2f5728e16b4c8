/* A service that stores the keys of a map in one form only (lower case, without white space around
 * them) returns each of them as another key: a key is lost and another one appears. Both have one
 * cause. */
#include "contract/diff/key_forms.h"

#include "contract/walk/walk.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"

#define MAX_NAMED 3 /* pairs that a string names */

static bool has_keys(const lc_value *v)
{
    return lc_is_known(v) && (v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT);
}

/* The indices of the keys of `of` that `in` does not have, in `arena`. */
static size_t *keys_without(lc_arena *arena, const lc_value *of, const lc_value *in, size_t *count)
{
    size_t *out = LC_NEW_ARRAY(arena, size_t, of->count);
    *count = 0;
    for (size_t i = 0; i < of->count; i++) {
        if (!lc_entry(in, lc_entry_key(of, i)))
            out[(*count)++] = i;
    }
    return out;
}

/* What a key is found by: its form, and with `value` the hash of its value too. */
static lc_str form_of(lc_arena *arena, const lc_value *v, size_t index, bool value)
{
    lc_str folded = lc_fold_key(arena, lc_entry_key(v, index));
    uint64_t hash = value ? lc_value_hash(&v->as.many.elems[index]) : 0;
    return value ? lc_str_printf(arena, "%.*s%016llx", LC_FMT(folded), (unsigned long long)hash)
                 : folded;
}

/* Pair the keys that have no partner yet, each with the first that has the same form. */
static void pair_forms(lc_key_forms *x, lc_arena *arena, const size_t *lost, const size_t *gained,
                       bool value)
{
    lc_table groups; /* keys of one form, in a list that begins at first[group] */
    size_t *first = LC_NEW_ARRAY(arena, size_t, x->broken->count);
    size_t *next = LC_NEW_ARRAY(arena, size_t, x->broken->count);
    lc_table_init(&groups, arena);
    for (size_t i = x->gained; i-- > 0;) {
        size_t at = gained[i];
        if (x->was[at] != LC_NO_INDEX)
            continue;
        lc_str form = form_of(arena, x->broken, at, value);
        size_t group = lc_table_get_index(&groups, form);
        next[at] = group == LC_NO_INDEX ? LC_NO_INDEX : first[group];
        if (group == LC_NO_INDEX)
            lc_table_put_index(&groups, form, group = at);
        first[group] = at;
    }
    for (size_t i = 0; i < x->lost; i++) {
        size_t at = lost[i];
        size_t group = x->now[at] == LC_NO_INDEX
                           ? lc_table_get_index(&groups, form_of(arena, x->promised, at, value))
                           : LC_NO_INDEX;
        if (group == LC_NO_INDEX || first[group] == LC_NO_INDEX)
            continue;
        x->now[at] = first[group];
        x->was[first[group]] = at;
        first[group] = next[first[group]];
        x->paired++;
    }
    lc_table_release(&groups);
}

/* Keys that have the same value too come first: two keys may have one form. */
bool lc_pair_keys(lc_key_forms *out, lc_arena *arena, const lc_value *promised,
                  const lc_value *broken)
{
    *out = (lc_key_forms){.promised = promised, .broken = broken};
    if (!has_keys(promised) || !has_keys(broken))
        return false;
    size_t *lost = keys_without(arena, promised, broken, &out->lost);
    size_t *gained = keys_without(arena, broken, promised, &out->gained);
    if (!out->lost || !out->gained)
        return false;
    out->now = LC_NEW_ARRAY(arena, size_t, promised->count);
    out->was = LC_NEW_ARRAY(arena, size_t, broken->count);
    for (size_t i = 0; i < promised->count; i++)
        out->now[i] = LC_NO_INDEX;
    for (size_t i = 0; i < broken->count; i++)
        out->was[i] = LC_NO_INDEX;
    pair_forms(out, arena, lost, gained, true);
    pair_forms(out, arena, lost, gained, false);
    return out->paired > 0;
}

void lc_key_form_add(lc_buf *out, const lc_key_forms *forms, size_t promised)
{
    size_t broken = forms->now[promised];
    lc_buf_add_go_quoted(out, lc_entry_key(forms->promised, promised));
    lc_buf_add_c(out, ", now ");
    lc_buf_add_go_quoted(out, lc_entry_key(forms->broken, broken));
    if (lc_value_equals(&forms->promised->as.many.elems[promised],
                        &forms->broken->as.many.elems[broken]) == LC_FALSE)
        lc_buf_add_c(out, " with another value");
}

static lc_str name_pairs(lc_arena *arena, const lc_key_forms *forms)
{
    lc_buf out = {0};
    size_t named = 0;
    for (size_t i = 0; i < forms->promised->count && named < MAX_NAMED; i++) {
        if (forms->now[i] == LC_NO_INDEX)
            continue;
        lc_buf_add_c(&out, named++ ? "; " : "");
        lc_key_form_add(&out, forms, i);
    }
    if (forms->paired > named)
        lc_buf_printf(&out, "; and %zu more", forms->paired - named);
    return lc_buf_take(arena, &out);
}

lc_difference_kind lc_compare_keys(lc_arena *arena, const lc_value *promised,
                                   const lc_value *broken, lc_str *where)
{
    lc_key_forms forms;
    if (!lc_pair_keys(&forms, arena, promised, broken) || forms.paired != forms.lost ||
        forms.paired != forms.gained)
        return LC_UNLIKE;
    if (where)
        *where = name_pairs(arena, &forms);
    for (size_t i = 0; i < promised->count; i++) {
        size_t at = forms.now[i];
        const lc_value *other = at == LC_NO_INDEX ? lc_entry(broken, lc_entry_key(promised, i))
                                                  : &broken->as.many.elems[at];
        if (!lc_value_same(&promised->as.many.elems[i], other))
            return LC_DIFFERENCE_KEY_AND_VALUE;
    }
    return LC_DIFFERENCE_KEY;
}
