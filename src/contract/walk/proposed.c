/* ProposedNew and the data source placeholder of both cores (contract-algorithms 4.2, 4.3): `p` is
 * the prior value, `c` the configured one.
 *
 * The cores differ in one place: for a key of a map that the prior state does not have, Terraform
 * merges with a null or unknown prior element, and OpenTofu takes the configured element as it is.
 * A NULL result means that the core crashes: the elements of a nested collection came out with
 * different types (because of dynamic attributes), or a block with a dynamic attribute inside,
 * which may have any shape, does not have an attribute. */
#include "contract/walk/proposed.h"

#include "contract/walk/rebuild.h"
#include "lifecheck/base/arena.h"

static const lc_value *merge_nested(lc_proposer *pr, const lc_nested_type *t, const lc_value *p,
                                    const lc_value *c);

static const lc_value *null_of(lc_proposer *pr, const lc_type *type)
{
    lc_value *v = LC_NEW(pr->arena, lc_value);
    lc_value_set_null(v, type);
    return v;
}

/* A part of the prior or configured object: of a null object a null, of an unknown object an
 * unknown. Its type is that of the object's own type, which is more precise than the schema below
 * dynamic. */
static const lc_value *part(lc_proposer *pr, const lc_value *whole, uint32_t slot,
                            const lc_type *type)
{
    if (lc_is_known(whole))
        return &whole->as.many.elems[slot];
    if (whole->type->kind == LC_TYPE_OBJECT && slot < whole->type->count)
        type = whole->type->as.attrs[slot].type;
    if (lc_is_null(whole))
        return null_of(pr, type);
    lc_value *v = LC_NEW(pr->arena, lc_value);
    lc_value_set_unknown(v, type);
    return v;
}

static bool nested_element_from_config(const lc_nested_type *t, const lc_value *element);

/* Did a part of this prior value of an optional and computed nested attribute come from the
 * configuration? Yes if an attribute that is not computed has a value. Then the removal from the
 * configuration counts, and the prior value is not kept. */
static bool from_config(const lc_nested_type *t, const lc_value *v)
{
    if (!lc_is_known(v))
        return false;
    if (t->nesting == LC_NESTING_LIST || t->nesting == LC_NESTING_SET ||
        t->nesting == LC_NESTING_MAP) {
        for (size_t i = 0; i < v->count; i++) {
            if (nested_element_from_config(t, &v->as.many.elems[i]))
                return true;
        }
        return false;
    }
    return nested_element_from_config(t, v);
}

static bool nested_element_from_config(const lc_nested_type *t, const lc_value *element)
{
    if (!lc_is_known(element))
        return false;
    for (size_t i = 0; i < t->attribute_count; i++) {
        const lc_attribute *a = &t->attributes[i];
        const lc_value *v = lc_value_attr(element, a->name);
        if (!v || lc_is_null(v))
            continue;
        if (!a->computed || (a->nested && from_config(a->nested, v)))
            return true;
    }
    return false;
}

/* A Computed attribute without a configured value keeps the prior one; otherwise the configuration
 * wins. */
static const lc_value *merge_attribute(lc_proposer *pr, const lc_attribute *a, const lc_value *p,
                                       const lc_value *c)
{
    if (a->computed && lc_is_null(c))
        return a->optional && a->nested && from_config(a->nested, p) ? c : p;
    return a->nested ? merge_nested(pr, a->nested, p, c) : c;
}

/* ---- Elements: blocks are merged by ProposedNew, objects of nested attributes attribute by
 * attribute. */

static const lc_value *merge_object(lc_proposer *pr, const lc_nested_type *t, const lc_value *p,
                                    const lc_value *c)
{
    if (lc_is_null(c))
        return c;
    c = lc_as_nested(pr->arena, c, t);
    p = lc_as_nested(pr->arena, p, t);
    if (!c || !p)
        return NULL;
    lc_value *elems = LC_NEW_ARRAY(pr->arena, lc_value, t->attribute_count);
    for (size_t i = 0; i < t->attribute_count; i++) {
        const lc_attribute *a = &t->attributes[i];
        const lc_value *merged = merge_attribute(pr, a, part(pr, p, a->slot, a->implied),
                                                 part(pr, c, a->slot, a->implied));
        if (!merged)
            return NULL;
        elems[a->slot] = *merged;
    }
    lc_value *out = LC_NEW(pr->arena, lc_value);
    lc_value_set_object(out, pr->arena, t->object, elems);
    return out;
}

static const lc_value *merge_root(lc_proposer *pr, const lc_block *s, const lc_value *p,
                                  const lc_value *c);

const lc_value *lc_merge_element(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                                 const lc_value *c)
{
    return kind->nested ? merge_object(pr, kind->nested, p, c) : merge_root(pr, kind->block, p, c);
}

/* ---- Collections. Blocks with a dynamic attribute inside may have any value here. */

/* Can a core take the element with an index or key of `c` from `p`, or does it crash? It can if `p`
 * is null or unknown. But an element of an unknown value without a type is not an object that a
 * block in a list could be merged with. */
static bool can_be_indexed(const lc_element_kind *kind, const lc_value *p, const lc_value *c)
{
    bool by_key = c->type->kind == LC_TYPE_MAP || c->type->kind == LC_TYPE_OBJECT;
    if (kind->nesting == LC_NESTING_MAP ? !by_key : by_key || lc_type_is_primitive(c->type))
        return false;
    if (lc_is_unknown(p))
        return kind->nesting != LC_NESTING_LIST || !kind->block || p->type->kind != LC_TYPE_DYNAMIC;
    if (!lc_is_known(p) || kind->nesting == LC_NESTING_SET)
        return true;
    if (kind->nesting == LC_NESTING_MAP)
        return p->type->kind == c->type->kind;
    return p->type->kind == LC_TYPE_LIST || p->type->kind == LC_TYPE_TUPLE;
}

/* An element beyond the end of the prior list is taken as it is configured. */
static bool merge_list_element(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                               const lc_value *c, size_t i, lc_value *out)
{
    const lc_value *ce = &c->as.many.elems[i];
    const lc_value *pe = NULL, *merged = ce;
    lc_value unknown;
    if (lc_is_unknown(p)) {
        lc_value_set_unknown(&unknown, kind->object);
        pe = &unknown;
    } else if (lc_is_known(p) && i < p->count) {
        pe = &p->as.many.elems[i];
    }
    if (pe)
        merged = lc_merge_element(pr, kind, pe, ce);
    if (merged)
        *out = *merged;
    return merged != NULL;
}

static bool merge_map_element(lc_proposer *pr, const lc_element_kind *kind, const lc_value *p,
                              const lc_value *c, size_t i, lc_value *out)
{
    const lc_value *ce = &c->as.many.elems[i];
    const lc_value *pe = NULL, *merged = ce;
    lc_value missing;
    if (lc_is_known(p)) {
        lc_str key = c->type->kind == LC_TYPE_MAP ? c->as.many.keys[i] : c->type->as.attrs[i].name;
        pe = p->type->kind == LC_TYPE_MAP      ? lc_value_key(p, key)
             : p->type->kind == LC_TYPE_OBJECT ? lc_value_attr(p, key)
                                               : NULL;
    }
    if (!pe && pr->core == LC_TERRAFORM) {
        if (lc_is_unknown(p))
            lc_value_set_unknown(&missing, ce->type);
        else
            lc_value_set_null(&missing, ce->type);
        pe = &missing;
    }
    if (pe)
        merged = lc_merge_element(pr, kind, pe, ce);
    if (merged)
        *out = *merged;
    return merged != NULL;
}

/* The result has the schema's type if both are collections, else (tuples, objects) the elements'
 * types. */
static const lc_value *merge_collection(lc_proposer *pr, const lc_element_kind *kind,
                                        const lc_value *p, const lc_value *c)
{
    if (!lc_is_known(c) || (c->count == 0 && !lc_type_is_primitive(c->type)))
        return c;
    if (!can_be_indexed(kind, p, c))
        return NULL;
    lc_value *elems = LC_NEW_ARRAY(pr->arena, lc_value, c->count);
    if (kind->nesting == LC_NESTING_SET) {
        if (!lc_merge_set_elements(pr, kind, p, c, elems))
            return NULL;
    } else {
        for (size_t i = 0; i < c->count; i++) {
            bool ok = kind->nesting == LC_NESTING_LIST
                          ? merge_list_element(pr, kind, p, c, i, &elems[i])
                          : merge_map_element(pr, kind, p, c, i, &elems[i]);
            if (!ok)
                return NULL;
        }
    }
    bool as_declared = lc_type_is_collection(c->type) && lc_type_is_collection(kind->collection);
    return lc_rebuild(pr->arena, c, as_declared ? kind->collection : c->type, elems);
}

static const lc_value *merge_nested(lc_proposer *pr, const lc_nested_type *t, const lc_value *p,
                                    const lc_value *c)
{
    if (!lc_is_known(c))
        return c;
    if (t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP)
        return merge_object(pr, t, p, c);
    lc_element_kind kind = {t->nesting, NULL, t, t->object, t->implied};
    return merge_collection(pr, &kind, p, c);
}

static const lc_value *merge_block_type(lc_proposer *pr, const lc_block_type *b, const lc_value *p,
                                        const lc_value *c)
{
    if (lc_is_unknown(c))
        return c;
    switch (b->nesting) {
    case LC_NESTING_SINGLE:
        return lc_is_null(c) ? c : merge_root(pr, b->block, p, c);
    case LC_NESTING_GROUP:
        return merge_root(pr, b->block, p, c);
    case LC_NESTING_LIST:
    case LC_NESTING_SET:
    case LC_NESTING_MAP:
        return merge_collection(
            pr, &(lc_element_kind){b->nesting, b->block, NULL, b->block->implied, b->implied}, p,
            c);
    case LC_NESTING_INVALID:
        break;
    }
    return c;
}

/* merge(S, p, c) of the reference: attribute by attribute, block by block. */
static const lc_value *merge(lc_proposer *pr, const lc_block *s, const lc_value *p,
                             const lc_value *c)
{
    if (!lc_is_known(c))
        return p;
    c = lc_as_block(pr->arena, c, s);
    p = lc_as_block(pr->arena, p, s);
    if (!c || !p)
        return NULL;
    lc_value *elems = LC_NEW_ARRAY(pr->arena, lc_value, s->attribute_count + s->block_count);
    for (size_t i = 0; i < s->attribute_count; i++) {
        const lc_attribute *a = &s->attributes[i];
        const lc_value *merged = merge_attribute(pr, a, part(pr, p, a->slot, a->implied),
                                                 part(pr, c, a->slot, a->implied));
        if (!merged)
            return NULL;
        elems[a->slot] = *merged;
    }
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        const lc_value *merged = merge_block_type(pr, b, part(pr, p, b->slot, b->implied),
                                                  part(pr, c, b->slot, b->implied));
        if (!merged)
            return NULL;
        elems[b->slot] = *merged;
    }
    lc_value *out = LC_NEW(pr->arena, lc_value);
    lc_value_set_object(out, pr->arena, s->implied, elems);
    return out;
}

/* A create merges with an object of nulls and empty block collections, as the cores do. */
static const lc_value *merge_root(lc_proposer *pr, const lc_block *s, const lc_value *p,
                                  const lc_value *c)
{
    if (lc_is_null(c) && lc_is_null(p))
        return p;
    if (lc_is_null(p))
        p = lc_block_empty_value(pr->arena, s);
    return merge(pr, s, p, c);
}

const lc_value *lc_proposed_new(lc_arena *arena, lc_core core, const lc_block *block,
                                const lc_value *prior, const lc_value *config)
{
    lc_proposer pr = {arena, core};
    return merge_root(&pr, block, prior, config);
}

/* PlannedDataResourceObject: a merge with a wholly unknown prior object. */
const lc_value *lc_planned_data(lc_arena *arena, lc_core core, const lc_block *block,
                                const lc_value *config)
{
    lc_proposer pr = {arena, core};
    lc_value *unknown = LC_NEW(arena, lc_value);
    lc_value_set_unknown(unknown, block->implied);
    return merge(&pr, block, unknown, config);
}
