#include "redact/secrets.h"
#include "lifecheck/base/bug.h"

bool lc_is_secret(const lc_attribute *a)
{
    return a->sensitive || a->write_only || a->secret;
}

bool lc_has_secrets(const lc_block *block)
{
    return block->any_sensitive || block->any_write_only || block->any_secret;
}

static bool nests_secrets(const lc_nested_type *nested)
{
    return nested->any_sensitive || nested->any_write_only || nested->any_secret;
}

bool lc_nests_one(lc_nesting nesting)
{
    return nesting == LC_NESTING_SINGLE || nesting == LC_NESTING_GROUP;
}

static bool is_given(lc_secret_place place)
{
    return place.node != NULL;
}

static void walk_object(const lc_secret_walk *w, lc_secret_place object, const lc_block *block,
                        const lc_nested_type *nested);

static void walk_elements(const lc_secret_walk *w, lc_secret_place part, lc_nesting nesting,
                          const lc_block *block, const lc_nested_type *nested)
{
    uint32_t count = w->elements(w, &part, nesting);
    for (uint32_t i = 0; i < count; i++)
        walk_object(w, w->element(w, part, nesting, i), block, nested);
    if (count && w->leave)
        w->leave(w, part);
}

static void walk_attribute(const lc_secret_walk *w, lc_secret_place object, lc_secret_part kind,
                           const lc_attribute *a)
{
    bool secret = w->all || lc_is_secret(a);
    if (!secret && !(a->nested && (w->others || nests_secrets(a->nested))))
        return;
    lc_secret_place part = w->part(w, object, kind, a->name, a->slot);
    if (!is_given(part))
        return;
    if (secret)
        w->redact(w, part, a->implied);
    else
        walk_elements(w, part, a->nested->nesting, NULL, a->nested);
}

static void walk_block(const lc_secret_walk *w, lc_secret_place object, const lc_block_type *b)
{
    if (!w->all && !w->others && !lc_has_secrets(b->block))
        return;
    lc_secret_place part = w->part(w, object, LC_SECRET_BLOCK, b->name, b->slot);
    if (is_given(part))
        walk_elements(w, part, b->nesting, b->block, NULL);
}

static void walk_object(const lc_secret_walk *w, lc_secret_place object, const lc_block *block,
                        const lc_nested_type *nested)
{
    LC_ASSERT(block || nested);
    const lc_attribute *attributes = block ? block->attributes : nested->attributes;
    size_t count = block ? block->attribute_count : nested->attribute_count;
    if (!w->enter(w, &object, block ? block->implied : nested->object))
        return;
    for (size_t i = 0; i < count; i++)
        walk_attribute(w, object, block ? LC_SECRET_ATTRIBUTE : LC_SECRET_NESTED_ATTRIBUTE,
                       &attributes[i]);
    for (size_t i = 0; block && i < block->block_count; i++)
        walk_block(w, object, &block->blocks[i]);
    if (w->others)
        w->others(w, object, block, nested);
    if (w->leave)
        w->leave(w, object);
}

void lc_walk_secrets(const lc_secret_walk *walk, lc_secret_place object, const lc_block *block)
{
    walk_object(walk, object, block, NULL);
}
