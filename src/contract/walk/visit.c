/* Walking an object together with its schema. Values without the shape of blocks (possible with a
 * dynamic attribute inside) are skipped: response/type reports them. */
#include "contract/walk/visit.h"

static void visit_attributes(lc_visit *x, const lc_attribute *attributes, size_t count,
                             const lc_value *v, const lc_trail *at);

static void visit_nested(lc_visit *x, const lc_nested_type *t, const lc_value *v,
                         const lc_trail *at)
{
    if (!lc_is_known(v))
        return;
    if (t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP) {
        visit_attributes(x, t->attributes, t->attribute_count, v, at);
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        const lc_value *element = &v->as.many.elems[i];
        lc_trail trail = lc_element_trail(at, v, i, true);
        if (lc_is_null(element) && x->null_element)
            x->null_element(x, t, element, &trail);
        visit_attributes(x, t->attributes, t->attribute_count, element, &trail);
    }
}

static void visit_attributes(lc_visit *x, const lc_attribute *attributes, size_t count,
                             const lc_value *v, const lc_trail *at)
{
    for (size_t i = 0; lc_is_known(v) && i < count; i++) {
        const lc_attribute *a = &attributes[i];
        const lc_value *part = &v->as.many.elems[a->slot];
        lc_trail trail = lc_trail_attr(at, a->name);
        if (x->attribute(x, a, part, &trail) && a->nested)
            visit_nested(x, a->nested, part, &trail);
    }
}

static void visit_block(lc_visit *x, const lc_block *s, const lc_value *v, const lc_trail *at);

static void visit_blocks(lc_visit *x, const lc_block_type *b, const lc_value *v, const lc_trail *at)
{
    if (!lc_is_known(v))
        return;
    if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP) {
        visit_block(x, b->block, v, at);
        return;
    }
    for (size_t i = 0; lc_holds_blocks(b, v) && i < v->count; i++) {
        lc_trail trail = lc_element_trail(at, v, i, false);
        visit_block(x, b->block, &v->as.many.elems[i], &trail);
    }
}

static void visit_block(lc_visit *x, const lc_block *s, const lc_value *v, const lc_trail *at)
{
    if (!lc_is_known(v) || !lc_fits_block(v, s))
        return;
    visit_attributes(x, s->attributes, s->attribute_count, v, at);
    for (size_t i = 0; i < s->block_count; i++) {
        lc_trail trail = lc_trail_attr(at, s->blocks[i].name);
        visit_blocks(x, &s->blocks[i], &v->as.many.elems[s->blocks[i].slot], &trail);
    }
}

void lc_visit_object(lc_visit *visit, const lc_block *block, const lc_value *object)
{
    visit_block(visit, block, object, NULL);
}

bool lc_path_is_write_only(const lc_block *block, lc_path path)
{
    for (; block->any_write_only && path.count; path.count--) {
        const lc_attribute *a = lc_block_attribute_at(block, path);
        if (a && a->write_only)
            return true;
    }
    return false;
}

/* ---- Null elements where the cores look for sensitive attributes. */

typedef struct holders {
    void (*each)(void *context, const lc_trail *at);
    void *context;
} holders;

static bool may_hold_secrets(lc_visit *visit, const lc_attribute *a, const lc_value *v,
                             const lc_trail *at)
{
    (void)visit, (void)v, (void)at;
    return a->nested && a->nested->any_sensitive;
}

static void null_holder(lc_visit *visit, const lc_nested_type *t, const lc_value *v,
                        const lc_trail *at)
{
    holders *h = visit->context;
    (void)v;
    if (t->any_sensitive)
        h->each(h->context, at);
}

void lc_each_null_secret_holder(const lc_block *block, const lc_value *object,
                                void (*each)(void *context, const lc_trail *at), void *context)
{
    holders h = {each, context};
    lc_visit visit = {&h, may_hold_secrets, null_holder};
    if (block->any_sensitive)
        lc_visit_object(&visit, block, object);
}
