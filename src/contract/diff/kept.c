/* What has kept its name and place from a stored object to one of another form: in an upgrade
 * between versions, or in a move between types. Only leaves are compared, and by meaning: after
 * conversion to the new type. */
#include "contract/judge.h"
#include "contract/walk/visit.h"

typedef struct context {
    const lc_judge *j;
    void (*each)(void *context, lc_path path);
    void *context;
} context;

/* A stored value that does not convert to the new type cannot be compared, and counts as the
 * same. */
static bool same_leaf(context *x, const lc_value *raw, const lc_value *now)
{
    const lc_value *as_now;
    lc_str why;
    if (raw->type == now->type)
        return lc_value_same(raw, now);
    return !lc_value_convert(&as_now, x->j->scratch, raw, now->type, &why) ||
           lc_value_same(as_now, now);
}

static bool is_keyed(const lc_value *v)
{
    return v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP;
}

static bool is_ordered(const lc_value *v)
{
    return v->type->kind == LC_TYPE_TUPLE || v->type->kind == LC_TYPE_LIST;
}

static void compare_kept(context *x, const lc_type *type, const lc_value *raw, const lc_value *now,
                         const lc_trail *at);

static const lc_type *member_type(const lc_type *type, lc_str key)
{
    if (type->kind == LC_TYPE_MAP)
        return type->as.elem;
    long at = type->kind == LC_TYPE_OBJECT ? lc_type_attr_index(type, key) : -1;
    return at < 0 ? NULL : type->as.attrs[at].type;
}

static void compare_kept_members(context *x, const lc_type *type, const lc_value *raw,
                                 const lc_value *now, const lc_trail *at)
{
    bool map = now->type->kind == LC_TYPE_MAP;
    for (size_t i = 0; i < now->count; i++) {
        lc_str key = lc_entry_key(now, i);
        const lc_value *before = lc_entry(raw, key);
        const lc_type *member = member_type(type, key);
        lc_trail trail = map ? lc_trail_key(at, key) : lc_trail_attr(at, key);
        if (before && member)
            compare_kept(x, member, before, &now->as.many.elems[i], &trail);
    }
}

static void compare_kept_items(context *x, const lc_type *type, const lc_value *raw,
                               const lc_value *now, const lc_trail *at)
{
    for (size_t i = 0; i < now->count && raw->count == now->count; i++) {
        lc_trail trail = lc_trail_index(at, i);
        const lc_type *item = type->kind == LC_TYPE_TUPLE ? type->as.items[i] : type->as.elem;
        compare_kept(x, item, &raw->as.many.elems[i], &now->as.many.elems[i], &trail);
    }
}

/* A dynamic value is stored together with its type, as {"type": ..., "value": ...}. */
static const lc_value *unwrapped(context *x, const lc_type *type, const lc_value *raw)
{
    if (type->kind != LC_TYPE_DYNAMIC || raw->type->kind != LC_TYPE_OBJECT)
        return raw;
    const lc_value *value = lc_stored_decode(x->j->scratch, raw, type, false);
    return value ? value : raw;
}

/* `raw` is the stored value, `now` the new one and `type` its type in the schema. Where the kinds
 * differ there is nothing to compare: the upgrade has given the place another form. */
static void compare_kept(context *x, const lc_type *type, const lc_value *raw, const lc_value *now,
                         const lc_trail *at)
{
    if (!lc_is_known(raw) || lc_is_unknown(now))
        return;
    raw = unwrapped(x, type, raw);
    if (!lc_is_known(raw))
        return;
    bool leaf = lc_type_is_primitive(raw->type) && lc_type_is_primitive(now->type);
    lc_path path = lc_path_from_trail(x->j->scratch, leaf ? at : NULL);
    path = lc_path_by_schema(x->j->scratch, x->j->view->block, path);
    if (leaf && !same_leaf(x, raw, now) && !lc_path_is_write_only(x->j->view->block, path))
        x->each(x->context, path);
    if (leaf || lc_is_null(now))
        return;
    type = type->kind == LC_TYPE_DYNAMIC ? now->type : type;
    if (is_keyed(raw) && is_keyed(now))
        compare_kept_members(x, type, raw, now, at);
    else if (is_ordered(raw) && is_ordered(now))
        compare_kept_items(x, type, raw, now, at);
}

void lc_each_kept_change(const lc_judge *j, const lc_value *raw, const lc_value *now,
                         void (*each)(void *context, lc_path path), void *context_of_each)
{
    context x = {j, each, context_of_each};
    compare_kept(&x, j->view->block->implied, raw, now, NULL);
}
