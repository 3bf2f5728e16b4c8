/* Marks of values. A lc_marks is shared and never changed after it is built; a value without any
 * mark has NULL. */
#include "configuration/expression/tree.h"

static lc_marks *copy_marks(lc_arena *arena, const lc_marks *from)
{
    lc_marks *marks = LC_NEW(arena, lc_marks);
    if (from)
        *marks = *from;
    return marks;
}

lc_marked lc_marked_with(lc_arena *arena, lc_marked v, unsigned more, const lc_undecided *undecided)
{
    if ((lc_marks_self(v) & more) == more)
        return v;
    lc_marks *marks = copy_marks(arena, v.marks);
    marks->self |= more;
    marks->all |= more;
    if (!marks->undecided)
        marks->undecided = undecided;
    return (lc_marked){v.value, marks};
}

lc_marked lc_marked_without(lc_arena *arena, lc_marked v, unsigned less)
{
    if (!(lc_marks_self(v) & less))
        return v;
    lc_marks *marks = copy_marks(arena, v.marks);
    marks->self &= ~less;
    marks->all = marks->self;
    for (size_t i = 0; i < marks->count; i++)
        if (marks->children[i])
            marks->all |= marks->children[i]->all;
    return (lc_marked){v.value, marks->all ? marks : NULL};
}

const lc_undecided *lc_undecided_new(lc_arena *arena, lc_str reason, lc_source_pos place)
{
    lc_undecided *undecided = LC_NEW(arena, lc_undecided);
    *undecided = (lc_undecided){reason, place};
    return undecided;
}

lc_marked lc_marked_unknown(lc_arena *arena, const lc_type *type)
{
    lc_value v;
    lc_value_set_unknown(&v, type);
    return (lc_marked){lc_value_new(arena, &v), NULL};
}

lc_marked lc_undecided_value(lc_arena *arena, lc_str reason, lc_source_pos place)
{
    const lc_undecided *undecided = lc_undecided_new(arena, reason, place);
    return lc_marked_with(arena, lc_marked_unknown(arena, &lc_type_dynamic), LC_MARK_UNDECIDED,
                          undecided);
}

/* True if all parts are unknown values of known types. */
static bool is_unknown_throughout(const lc_value *v)
{
    if (lc_is_unknown(v))
        return v->type->kind != LC_TYPE_DYNAMIC;
    bool any = !lc_is_null(v) && !lc_type_is_primitive(v->type) && v->count > 0;
    for (size_t i = 0; any && i < v->count; i++)
        any = is_unknown_throughout(&v->as.many.elems[i]);
    return any;
}

static bool is_sure(const lc_value *v, const lc_marks *marks)
{
    if (!marks || !(marks->all & LC_MARK_UNDECIDED))
        return true;
    if (lc_is_unknown(v) || (marks->self & LC_MARK_UNDECIDED))
        return is_unknown_throughout(v);
    for (size_t i = 0; i < marks->count; i++)
        if (!is_sure(&v->as.many.elems[i], marks->children[i]))
            return false;
    return true;
}

bool lc_marked_type_is_sure(lc_marked v)
{
    return is_sure(v.value, v.marks);
}

/* As lc_marks_join, with marks of the collection itself. NULL if nothing is marked. */
static const lc_marks *marks_of(lc_arena *arena, unsigned self, const lc_undecided *undecided,
                                const lc_marks **children, size_t count)
{
    lc_marks marks = {self, self, undecided, count, (const lc_marks *const *)children};
    for (size_t i = 0; i < count; i++)
        if (children[i]) {
            marks.all |= children[i]->all;
            if (!marks.undecided)
                marks.undecided = children[i]->undecided;
        }
    return marks.all ? copy_marks(arena, &marks) : NULL;
}

const lc_marks *lc_marks_join(lc_arena *arena, const lc_marks **children, size_t count)
{
    return marks_of(arena, 0, NULL, children, count);
}

/* All marks of the elements as marks of the value itself, for a value whose elements cannot be
 * matched with those of the original. */
static const lc_marks *flatten(lc_arena *arena, const lc_marks *from)
{
    return from ? marks_of(arena, from->all, from->undecided, NULL, 0) : NULL;
}

/* ---- Copies. */

const lc_undecided *lc_undecided_copy(lc_arena *arena, const lc_undecided *undecided)
{
    if (!undecided)
        return NULL;
    lc_undecided *copy = LC_NEW(arena, lc_undecided);
    *copy = (lc_undecided){lc_str_copy(arena, undecided->reason), undecided->place};
    return copy;
}

/* Children are copied as deep as the value is nested, which the value's own limits bound. */
static const lc_marks *copy_all(lc_arena *arena, const lc_marks *from)
{
    if (!from)
        return NULL;
    lc_marks *marks = copy_marks(arena, from);
    const lc_marks **children = LC_NEW_ARRAY(arena, const lc_marks *, from->count);
    for (size_t i = 0; i < from->count; i++)
        children[i] = copy_all(arena, from->children[i]);
    marks->children = from->count ? (const lc_marks *const *)children : NULL;
    marks->undecided = lc_undecided_copy(arena, from->undecided);
    return marks;
}

lc_marked lc_marked_copy(lc_arena *arena, lc_marked v, const lc_type *shared)
{
    return (lc_marked){lc_value_copy(arena, v.value, shared), copy_all(arena, v.marks)};
}

/* ---- Conversion. Where elements are preserved, they keep their marks. */

static const lc_marks *follow(lc_arena *arena, lc_marked from, const lc_value *to,
                              const lc_type *want);

/* What a part of the value `to` was converted to; where that is any type, the type that it has. */
static const lc_type *part_type(const lc_type *want, const lc_value *part, size_t i)
{
    const lc_type *type = lc_type_is_collection(want)    ? want->as.elem
                          : want->kind == LC_TYPE_TUPLE  ? want->as.items[i]
                          : want->kind == LC_TYPE_OBJECT ? want->as.attrs[i].type
                                                         : &lc_type_dynamic;
    return type->kind == LC_TYPE_DYNAMIC ? part->type : type;
}

/* Parts that are null come without marks out of most of cty's conversions. */
static bool drops_null(const lc_type *from, const lc_type *to)
{
    return to->kind == LC_TYPE_OBJECT || (to->kind == LC_TYPE_LIST && from->kind != LC_TYPE_TUPLE);
}

/* Matches elements by attribute name or key, else by position. */
static const lc_marks *follow_parts(lc_arena *arena, lc_marked v, const lc_value *to,
                                    const lc_type *want)
{
    const lc_value *from = v.value;
    const lc_marks **children = LC_NEW_ARRAY(arena, const lc_marks *, to->count);
    bool named = from->type->kind == LC_TYPE_OBJECT || from->type->kind == LC_TYPE_MAP;
    bool drops = drops_null(from->type, to->type);
    for (uint32_t i = 0; i < to->count; i++) {
        children[i] = NULL;
        const lc_value *part = i < from->count ? &from->as.many.elems[i] : NULL;
        if (named) {
            lc_str name =
                to->type->kind == LC_TYPE_OBJECT ? to->type->as.attrs[i].name : to->as.many.keys[i];
            part = from->type->kind == LC_TYPE_OBJECT ? lc_value_attr(from, name)
                                                      : lc_value_key(from, name);
        }
        size_t at = part ? (size_t)(part - from->as.many.elems) : v.marks->count;
        if (at < v.marks->count && !(drops && lc_is_null(part)))
            children[i] = follow(arena, (lc_marked){part, v.marks->children[at]},
                                 &to->as.many.elems[i], part_type(want, &to->as.many.elems[i], i));
    }
    return marks_of(arena, v.marks->self, v.marks->undecided, children, to->count);
}

static bool is_set(const lc_value *v)
{
    return v->type->kind == LC_TYPE_SET;
}

/* The marks of all elements as marks of the set that they are converted to; those that are null
 * lose theirs in cty. */
static const lc_marks *set_marks(lc_arena *arena, lc_marked from)
{
    unsigned all = from.marks->self | (from.marks->all & LC_MARK_UNDECIDED);
    for (size_t i = 0; i < from.marks->count; i++)
        if (from.marks->children[i] && !lc_is_null(&from.value->as.many.elems[i]))
            all |= from.marks->children[i]->all;
    return marks_of(arena, all, from.marks->undecided, NULL, 0);
}

/* The marks of `to`, which was converted from `from`. Sets reorder and merge elements, so their
 * marks move to the set as a whole. */
static const lc_marks *follow(lc_arena *arena, lc_marked from, const lc_value *to,
                              const lc_type *want)
{
    const lc_value *v = from.value;
    if (!from.marks || from.marks->count == 0 || lc_type_equal(v->type, want))
        return from.marks;
    bool parts = lc_is_known(v) && lc_is_known(to) && !lc_type_is_primitive(v->type) &&
                 !lc_type_is_primitive(to->type) && !is_set(v) && !is_set(to);
    if (parts)
        return follow_parts(arena, from, to, want);
    bool elements = lc_is_known(v) && lc_is_known(to) && is_set(to);
    return elements ? set_marks(arena, from) : flatten(arena, from.marks);
}

bool lc_marked_convert(lc_marked *out, lc_arena *arena, lc_marked v, const lc_type *want,
                       lc_str *why)
{
    const lc_value *to;
    if (!lc_value_convert(&to, arena, v.value, want, why))
        return false;
    bool same = want->kind == LC_TYPE_DYNAMIC || lc_type_equal(v.value->type, want);
    *out = (lc_marked){to, same ? v.marks : follow(arena, v, to, want)};
    return true;
}
