/* What a configuration sets otherwise than it is stored. What it does not set is not a difference:
 * the state also holds defaults, Computed values, and of older SDKs zero values. */
#include "predict/answer/internal.h"
#include "predict/object.h"

#define MAX_DOCUMENT ((size_t)1 << 20) /* bytes of a string that is compared as JSON */

/* Where a value stands. At most one of `block` and `nested` is given: what the schema says of its
 * objects. */
typedef struct where {
    const lc_block *block;
    const lc_nested_type *nested;
    bool blocks; /* nested blocks, of which none is written otherwise than as an empty list */
    bool secret; /* nothing within is named */
    const lc_trail *trail;
} where;

typedef struct comparing {
    lc_arena *arena;
    lc_cause_list *out; /* NULL: nothing is listed */
} comparing;

static bool differs(comparing *w, lc_marked now, lc_marked was, const where *at);

static bool note(comparing *w, lc_cause_kind kind, const where *at)
{
    if (w->out)
        lc_cause_add(w->out, kind, lc_path_from_trail(w->arena, at->trail));
    return true;
}

bool lc_predict_is_zero(const lc_value *v)
{
    if (!lc_is_known(v))
        return lc_is_null(v);
    lc_type_kind kind = v->type->kind;
    return kind == LC_TYPE_STRING   ? v->as.string.len == 0
           : kind == LC_TYPE_BOOL   ? !v->as.boolean
           : kind == LC_TYPE_NUMBER ? lc_num_sign(v->as.number) == 0
                                    : kind != LC_TYPE_OBJECT && v->count == 0;
}

static bool is_document(lc_str text)
{
    return text.len > 1 && text.len <= MAX_DOCUMENT && (text.ptr[0] == '{' || text.ptr[0] == '[');
}

/* Are both the same JSON document? Providers store documents in a normal form. */
static bool same_document(lc_str a, lc_str b)
{
    lc_source sources[2];
    lc_diags quiet;
    const lc_limits limits = LC_LIMITS_DEFAULT;
    if (!is_document(a) || !is_document(b))
        return false;
    lc_arena *arena = lc_arena_new();
    lc_diags_init(&quiet, arena);
    bool same = lc_json_parse(&sources[0], arena, LC_STR_EMPTY, a, &limits, &quiet) == LC_OK &&
                lc_json_parse(&sources[1], arena, LC_STR_EMPTY, b, &limits, &quiet) == LC_OK &&
                lc_node_same(arena, &sources[0].documents[0], &sources[1].documents[0]);
    lc_arena_free(arena);
    return same;
}

static bool same_leaf(const lc_value *now, const lc_value *was)
{
    return lc_value_raw_equal(now, was) ||
           (now->type->kind == LC_TYPE_STRING && was->type->kind == LC_TYPE_STRING &&
            same_document(now->as.string, was->as.string));
}

/* ---- Objects. */

static bool attribute_differs(comparing *w, lc_marked now, lc_marked was, const where *at,
                              const lc_attribute *a)
{
    lc_trail next = lc_trail_attr(at->trail, a->name);
    where inner = {
        .nested = a->nested, .secret = at->secret || a->sensitive || a->secret, .trail = &next};
    return !a->write_only &&
           differs(w, lc_predict_child(now, a->slot), lc_predict_child(was, a->slot), &inner);
}

static bool block_differs(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    const lc_block *block = at->block;
    bool any = false;
    for (size_t i = 0; i < block->attribute_count; i++)
        any |= attribute_differs(w, now, was, at, &block->attributes[i]);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *t = &block->blocks[i];
        lc_trail next = lc_trail_attr(at->trail, t->name);
        where inner = {.block = t->block, .blocks = true, .secret = at->secret, .trail = &next};
        any |= differs(w, lc_predict_child(now, t->slot), lc_predict_child(was, t->slot), &inner);
    }
    return any;
}

static bool nested_differs(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    bool any = false;
    for (size_t i = 0; i < at->nested->attribute_count; i++)
        any |= attribute_differs(w, now, was, at, &at->nested->attributes[i]);
    return any;
}

static bool object_differs(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    bool any = false;
    if (at->block)
        return block_differs(w, now, was, at);
    if (at->nested)
        return nested_differs(w, now, was, at);
    for (uint32_t i = 0; i < now.value->count; i++) {
        lc_str name = now.value->type->as.attrs[i].name;
        lc_trail next = lc_trail_attr(at->trail, name);
        where inner = {.secret = at->secret, .trail = &next};
        lc_marked part, before;
        part = lc_predict_child(now, i);
        if (!lc_predict_part(&before, was, name))
            any |= !lc_is_null(part.value) && note(w, LC_CAUSE_ADDED, &inner);
        else
            any |= differs(w, part, before, &inner);
    }
    return any;
}

/* ---- Collections. */

static lc_trail trail_of_key(const where *at, lc_str key)
{
    return lc_is_identifier(key) ? lc_trail_attr(at->trail, key) : lc_trail_key(at->trail, key);
}

static bool map_differs(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    bool any = false;
    lc_marked other;
    for (uint32_t i = 0; i < now.value->count; i++) {
        where inner = *at;
        lc_trail next = trail_of_key(at, now.value->as.many.keys[i]);
        inner.trail = &next;
        any |= lc_predict_part(&other, was, now.value->as.many.keys[i])
                   ? differs(w, lc_predict_child(now, i), other, &inner)
                   : note(w, LC_CAUSE_ADDED, &inner);
    }
    for (uint32_t i = 0; i < was.value->count; i++) {
        where inner = *at;
        lc_trail next = trail_of_key(at, was.value->as.many.keys[i]);
        inner.trail = &next;
        if (!lc_predict_part(&other, now, was.value->as.many.keys[i]))
            any |= note(w, LC_CAUSE_REMOVED, &inner);
    }
    return any;
}

static bool item_differs(comparing *w, lc_marked now, lc_marked was, const where *at, uint32_t i,
                         uint32_t k)
{
    where inner = *at;
    lc_trail next = lc_trail_index(at->trail, i);
    inner.trail = &next;
    inner.blocks = false;
    return differs(w, lc_predict_child(now, i), lc_predict_child(was, k), &inner);
}

/* Has each element one of its own in the other set? Both are sorted, so it is usually the first one
 * that is left. */
static bool set_differs(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    comparing quiet = {w->arena, NULL};
    uint32_t count = now.value->count, first = 0; /* that is not used */
    bool *used = lc_arena_zalloc(w->arena, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = first;
        while (k < count && (used[k] || item_differs(&quiet, now, was, at, i, k)))
            k++;
        if (k == count)
            return true;
        used[k] = true;
        while (first < count && used[first])
            first++;
    }
    return false;
}

static bool items_differ(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    uint32_t count = now.value->count;
    bool any = false, set = now.value->type->kind == LC_TYPE_SET;
    if (count != was.value->count)
        return note(w,
                    !count                          ? LC_CAUSE_REMOVED
                    : lc_predict_is_zero(was.value) ? LC_CAUSE_ADDED
                                                    : LC_CAUSE_CHANGED,
                    at);
    if (set && count > 1)
        return set_differs(w, now, was, at) && note(w, LC_CAUSE_CHANGED, at);
    bool named = !set || now.value->as.many.elems[0].type->kind == LC_TYPE_OBJECT;
    comparing quiet = {w->arena, NULL};
    for (uint32_t i = 0; i < count; i++)
        any |= item_differs(named ? w : &quiet, now, was, at, i, i);
    return any && (named || note(w, LC_CAUSE_CHANGED, at));
}

/* ---- */

/* Dynamic attributes make types of one schema differ, but not their names. */
static bool has_shape(const lc_value *v, const lc_type *want)
{
    bool same = v->count == want->count;
    for (uint32_t i = 0; same && i < v->count; i++)
        same = lc_str_eq(v->type->as.attrs[i].name, want->as.attrs[i].name);
    return same;
}

static bool parts_differ(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    lc_type_kind kind = now.value->type->kind, before = was.value->type->kind;
    const lc_type *want = at->block ? at->block->implied : at->nested ? at->nested->object : NULL;
    bool shaped = !want || kind != LC_TYPE_OBJECT ||
                  (has_shape(now.value, want) && has_shape(was.value, want));
    bool sequences = (kind == LC_TYPE_TUPLE || kind == LC_TYPE_LIST) &&
                     (before == LC_TYPE_TUPLE || before == LC_TYPE_LIST);
    if (kind == before && kind == LC_TYPE_OBJECT && shaped)
        return object_differs(w, now, was, at);
    if (kind == before && kind == LC_TYPE_MAP)
        return map_differs(w, now, was, at);
    if (sequences || (kind == before && kind == LC_TYPE_SET))
        return items_differ(w, now, was, at);
    return !same_leaf(now.value, was.value) && note(w, LC_CAUSE_CHANGED, at);
}

/* `now` is the configured value. What is null there is not set, and what lifecheck cannot determine
 * is taken to be as before. */
static bool differs(comparing *w, lc_marked now, lc_marked was, const where *at)
{
    comparing quiet = {w->arena, NULL};
    const unsigned secrets = LC_MARK_SENSITIVE | LC_MARK_HIDDEN;
    bool secret = w->out && (at->secret || ((lc_marks_self(now) | lc_marks_self(was)) & secrets));
    if ((lc_marks_self(now) & LC_MARK_UNDECIDED) || lc_is_null(now.value) ||
        (at->blocks && lc_is_known(now.value) && lc_predict_is_zero(now.value)))
        return false;
    if (!lc_is_known(now.value))
        return note(w, LC_CAUSE_UNKNOWN, at);
    if (lc_predict_is_zero(now.value) && lc_predict_is_zero(was.value))
        return false;
    if (!lc_is_known(was.value))
        return note(w, LC_CAUSE_ADDED, at);
    return secret ? parts_differ(&quiet, now, was, at) && note(w, LC_CAUSE_CHANGED, at)
                  : parts_differ(w, now, was, at);
}

bool lc_predict_configured(lc_cause_list *out, lc_marked config, lc_marked before,
                           const lc_block *block)
{
    comparing w = {out->arena, out};
    where at = {.block = block};
    return differs(&w, config, before, &at);
}

const lc_value *lc_predict_kept(lc_arena *arena, lc_marked config, const lc_value *before,
                                const lc_value *proposed, const lc_block *block)
{
    comparing quiet = {arena, NULL};
    lc_marked was = {before, NULL};
    where at = {.block = block};
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, proposed->count), object;
    for (uint32_t i = 0; i < proposed->count; i++)
        elems[i] = before->as.many.elems[i];
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (attribute_differs(&quiet, config, was, &at, a))
            elems[a->slot] = proposed->as.many.elems[a->slot];
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *t = &block->blocks[i];
        where inner = {.block = t->block, .blocks = true};
        if (differs(&quiet, lc_predict_child(config, t->slot), lc_predict_child(was, t->slot),
                    &inner))
            elems[t->slot] = proposed->as.many.elems[t->slot];
    }
    lc_value_set_object(&object, arena, proposed->type, elems);
    return lc_value_new(arena, &object);
}
