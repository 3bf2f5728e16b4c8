/* What holds for every value: it is as its type says; what a value that is not wholly known says of
 * the one it becomes; and what two values have in common where no mark hides them. */
#ifndef LC_S_FUZZ_VALUE_LAWS_H
#define LC_S_FUZZ_VALUE_LAWS_H

#include "lifecheck/base/bug.h"
#include "lifecheck/configuration/expression.h"

static const lc_type *part_type(const lc_type *type, uint32_t i)
{
    if (type->kind == LC_TYPE_OBJECT)
        return type->as.attrs[i].type;
    return type->kind == LC_TYPE_TUPLE ? type->as.items[i] : type->as.elem;
}

static void check_value(const lc_value *v)
{
    bool unknown = lc_is_unknown(v);
    LC_ASSERT(v->type && lc_type_conforms(v->type, v->type));
    if (lc_is_known(v) && !lc_type_is_primitive(v->type)) {
        bool fixed = v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_TUPLE;
        LC_ASSERT(!fixed || v->count == v->type->count);
        for (uint32_t i = 0; i < v->count; i++) {
            const lc_value *part = &v->as.many.elems[i];
            check_value(part);
            LC_ASSERT(lc_type_conforms(part->type, part_type(v->type, i)));
            unknown |= !lc_is_wholly_known(part);
        }
    }
    LC_ASSERT(unknown == !lc_is_wholly_known(v));
}

static bool admits(const lc_value *before, const lc_value *v);

static bool has_element(const lc_value *set, const lc_value *element)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (lc_value_same(&set->as.many.elems[i], element))
            return true;
    }
    return false;
}

/* Elements that differ in what is unknown may become the same one. */
static bool admits_set(const lc_value *before, const lc_value *set)
{
    if (before->count < set->count || (before->count > 0 && set->count == 0))
        return false;
    for (uint32_t i = 0; i < before->count; i++) {
        const lc_value *element = &before->as.many.elems[i];
        if (lc_is_wholly_known(element) && lc_is_wholly_known(set) && !has_element(set, element))
            return false;
    }
    return true;
}

static bool admits(const lc_value *before, const lc_value *v)
{
    if (lc_is_unknown(before))
        return lc_is_unknown(v) || lc_value_includes(before, v) != LC_FALSE;
    if (lc_is_unknown(v) || lc_is_null(before) != lc_is_null(v))
        return false;
    if (lc_is_wholly_known(before) && lc_is_wholly_known(v))
        return lc_value_same(before, v);
    if (before->type->kind != v->type->kind)
        return false;
    if (before->type->kind == LC_TYPE_SET)
        return admits_set(before, v);
    for (uint32_t i = 0; before->count == v->count && i < v->count; i++) {
        if (!admits(&before->as.many.elems[i], &v->as.many.elems[i]))
            return false;
    }
    return before->count == v->count;
}

static const lc_marks *marks_of_part(const lc_marks *marks, uint32_t i)
{
    return marks && i < marks->count ? marks->children[i] : NULL;
}

static bool has_same_names(const lc_value *a, const lc_value *b)
{
    bool same = true;
    for (uint32_t i = 0; same && i < a->count && a->type->kind == LC_TYPE_MAP; i++)
        same = lc_str_eq(a->as.many.keys[i], b->as.many.keys[i]);
    for (uint32_t i = 0; same && i < a->count && a->type->kind == LC_TYPE_OBJECT; i++)
        same = lc_str_eq(a->type->as.attrs[i].name, b->type->as.attrs[i].name);
    return same;
}

/* The same to someone who sees no secrets. */
static bool seen_alike(const lc_value *a, const lc_marks *am, const lc_value *b, const lc_marks *bm)
{
    unsigned hidden = (am ? am->self : 0) | (bm ? bm->self : 0);
    if (hidden & LC_MARK_SENSITIVE)
        return true;
    if ((!am || !am->count) && (!bm || !bm->count))
        return lc_value_same(a, b);
    if (a->type->kind != b->type->kind || a->state != b->state || a->count != b->count ||
        !has_same_names(a, b))
        return false;
    bool same = true;
    for (uint32_t i = 0; same && lc_is_known(a) && i < a->count; i++)
        same = seen_alike(&a->as.many.elems[i], marks_of_part(am, i), &b->as.many.elems[i],
                          marks_of_part(bm, i));
    return same;
}

#endif
