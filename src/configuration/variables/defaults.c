/* Filling in the defaults of optional attributes. Source: typeexpr.Defaults of HCL. A value need
 * not have the type of the defaults: it is converted only afterwards. */
#include "configuration/variables/defaults.h"

#include "lifecheck/base/arena.h"

#include <stdlib.h>

static const lc_type_defaults *child(const lc_type_defaults *d, size_t at)
{
    return d->children ? d->children[at] : NULL;
}

/* The defaults of the element at an index, or of the attribute or element with a key. */
static const lc_type_defaults *child_at(const lc_type_defaults *d, size_t index)
{
    if (lc_type_is_collection(d->type))
        return child(d, 0);
    return d->type->kind == LC_TYPE_TUPLE && index < d->type->count ? child(d, index) : NULL;
}

static const lc_type_defaults *child_of(const lc_type_defaults *d, lc_str key)
{
    if (lc_type_is_collection(d->type))
        return child(d, 0);
    long at = lc_type_attr_index(d->type, key);
    return at >= 0 ? child(d, (size_t)at) : NULL;
}

/* Parts of a value that is built anew; `names` of maps and objects only. */
typedef struct parts {
    lc_arena *arena;
    lc_str *names;
    lc_value *elems;
    const lc_marks **marks;
    size_t count;
} parts;

static parts parts_new(lc_arena *arena, size_t room, bool named)
{
    return (parts){.arena = arena,
                   .names = named ? LC_NEW_ARRAY(arena, lc_str, room) : NULL,
                   .elems = LC_NEW_ARRAY(arena, lc_value, room),
                   .marks = LC_NEW_ARRAY(arena, const lc_marks *, room)};
}

static void add_part(parts *p, lc_marked v)
{
    p->elems[p->count] = *v.value;
    p->marks[p->count++] = v.marks;
}

/* The elements as values of one type, for a collection. False: they have none, and the result
 * becomes a tuple or object. */
static bool unify(parts *p)
{
    const lc_type **types = LC_NEW_ARRAY(p->arena, const lc_type *, p->count);
    for (size_t i = 0; i < p->count; i++)
        types[i] = p->elems[i].type;
    const lc_type *one = lc_type_unify(p->arena, types, p->count, true);
    lc_str why;
    if (!one)
        return false;
    for (size_t i = 0; i < p->count; i++) {
        lc_marked v = {lc_value_new(p->arena, &p->elems[i]), p->marks[i]};
        if (!lc_marked_convert(&v, p->arena, v, one, &why))
            return false;
        p->elems[i] = *v.value;
        p->marks[i] = v.marks;
    }
    return true;
}

static void set_tuple(parts *p, lc_value *out)
{
    const lc_type **types = LC_NEW_ARRAY(p->arena, const lc_type *, p->count);
    for (size_t i = 0; i < p->count; i++)
        types[i] = p->elems[i].type;
    lc_value_set_tuple(out, p->arena, lc_type_tuple(p->arena, types, p->count), p->elems, p->count);
}

/* The attributes of the type are sorted as the parts are. */
static void set_object(parts *p, lc_value *out)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(p->arena, lc_type_attr, p->count);
    for (size_t i = 0; i < p->count; i++)
        attrs[i] = (lc_type_attr){p->names[i], p->elems[i].type, false};
    lc_value_set_object(out, p->arena, lc_type_object(p->arena, attrs, p->count), p->elems);
}

/* The parts as a value of the kind of `was`, or a tuple or object. Marks of a set's elements are
 * marks of the set. */
static lc_marked build(parts *p, lc_marked was)
{
    lc_value v;
    lc_type_kind kind = was.value->type->kind;
    bool done = lc_type_is_collection(was.value->type) && unify(p);
    if (done) {
        const lc_type *want = lc_type_collection(p->arena, kind, p->elems[0].type);
        done = kind == LC_TYPE_MAP
                   ? lc_value_set_map(&v, p->arena, want, p->names, p->elems, p->count)
               : kind == LC_TYPE_SET ? lc_value_set_set(&v, p->arena, want, p->elems, p->count)
                                     : lc_value_set_list(&v, p->arena, want, p->elems, p->count);
    }
    if (!done && p->names)
        set_object(p, &v);
    else if (!done)
        set_tuple(p, &v);
    const lc_marks *marks =
        v.type->kind == LC_TYPE_SET ? NULL : lc_marks_join(p->arena, p->marks, p->count);
    lc_marked out = {lc_value_new(p->arena, &v), marks};
    unsigned self = lc_marks_self(was);
    return self ? lc_marked_with(p->arena, out, self, was.marks->undecided) : out;
}

static lc_marked part_of(lc_marked whole, size_t i)
{
    bool marked = whole.marks && i < whole.marks->count;
    return (lc_marked){&whole.value->as.many.elems[i], marked ? whole.marks->children[i] : NULL};
}

static lc_marked apply(lc_arena *arena, const lc_type_defaults *d, lc_marked v);

static lc_marked apply_to_sequence(lc_arena *arena, const lc_type_defaults *d, lc_marked v)
{
    if (v.value->count == 0 && lc_type_is_collection(v.value->type))
        return v;
    parts p = parts_new(arena, v.value->count, false);
    for (size_t i = 0; i < v.value->count; i++)
        add_part(&p, apply(arena, child_at(d, i), part_of(v, i)));
    return build(&p, v);
}

/* An unknown value that takes the place of a default which is not null is not null either. */
static lc_marked not_null(lc_arena *arena, lc_marked v)
{
    const lc_refinement *known = lc_value_refinement(v.value);
    lc_refinement r = known ? *known : (lc_refinement){0};
    lc_value out;
    r.not_null = true;
    if (!lc_is_unknown(v.value) || v.value->type->kind == LC_TYPE_DYNAMIC ||
        !lc_value_set_refined(&out, arena, v.value->type, &r))
        return v;
    return (lc_marked){lc_value_new(arena, &out), v.marks};
}

/* The value of an attribute that has a default. */
static lc_marked or_default(lc_arena *arena, const lc_type_defaults *d, size_t at, lc_marked v)
{
    const lc_value *fallback = d->values[at];
    if (!v.value || lc_is_null(v.value))
        return apply(arena, child(d, at), (lc_marked){fallback, NULL});
    return lc_is_null(fallback) ? v : not_null(arena, v);
}

static lc_str name_of(const lc_value *v, size_t i)
{
    return v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
}

/* Merges the attributes of the value with those that have defaults; both are sorted by name. */
static lc_marked apply_to_named(lc_arena *arena, const lc_type_defaults *d, lc_marked v)
{
    size_t has = v.value->count, more = d->values ? d->type->count : 0, i = 0, k = 0;
    parts p = parts_new(arena, has + more, true);
    while (i < has || k < more) {
        if (k < more && !d->values[k]) {
            k++;
            continue;
        }
        int order = i == has    ? 1
                    : k == more ? -1
                                : lc_str_cmp(name_of(v.value, i), d->type->as.attrs[k].name);
        lc_marked part = {NULL, NULL};
        lc_str name = order <= 0 ? name_of(v.value, i) : d->type->as.attrs[k].name;
        if (order <= 0)
            part = apply(arena, child_of(d, name), part_of(v, i));
        if (order >= 0)
            part = or_default(arena, d, k, part);
        p.names[p.count] = name;
        add_part(&p, part);
        i += order <= 0;
        k += order >= 0;
    }
    if (p.count == 0)
        return v;
    return build(&p, v);
}

static lc_marked apply(lc_arena *arena, const lc_type_defaults *d, lc_marked v)
{
    if (!d || !lc_is_known(v.value))
        return v;
    switch (v.value->type->kind) {
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_TUPLE:
        return apply_to_sequence(arena, d, v);
    case LC_TYPE_MAP:
    case LC_TYPE_OBJECT:
        return apply_to_named(arena, d, v);
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    return v;
}

bool lc_constraint_apply(lc_marked *out, lc_arena *arena, const lc_constraint *constraint,
                         lc_marked v, lc_str *why)
{
    *out = apply(arena, constraint->defaults, v);
    *why = LC_STR_EMPTY;
    return !constraint->type || lc_marked_convert(out, arena, *out, constraint->type, why);
}
