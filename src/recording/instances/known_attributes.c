/* Configurations by the attributes whose values are known (the mask). A configuration with unknowns
 * and what it became are equal in these attributes, and so have the same hash. This finds them
 * without comparing all pairs. */
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"

#define MAX_MASKS 64 /* of a type, to bound the work */

static bool is_object(const lc_value *config)
{
    return config && lc_is_known(config) && config->type->kind == LC_TYPE_OBJECT;
}

static bool has_mask(const lc_known_attributes *mask, const lc_value *config)
{
    if (mask->count != config->count)
        return false;
    for (size_t i = 0; i < mask->count; i++) {
        if (mask->open[i] != !lc_is_wholly_known(&config->as.many.elems[i]))
            return false;
    }
    return true;
}

static void add_mask(lc_object_type *type, const lc_value *config)
{
    if (type->masks.count == type->masks.capacity) {
        type->masks.capacity = type->masks.capacity ? type->masks.capacity * 2 : 4;
        type->masks.items = lc_heap_resize(
            type->masks.items, lc_mul_size(type->masks.capacity, sizeof *type->masks.items));
    }
    /* The last mask that fits in leaves every attribute open, and serves all others. */
    bool last = type->masks.count == MAX_MASKS - 1;
    lc_known_attributes *mask = &type->masks.items[type->masks.count++];
    *mask = (lc_known_attributes){lc_heap_alloc(config->count), config->count};
    for (size_t i = 0; i < config->count; i++)
        mask->open[i] = last || !lc_is_wholly_known(&config->as.many.elems[i]);
}

size_t lc_known_attributes_of(lc_object_type *type, const lc_value *config)
{
    size_t at = 0;
    if (!is_object(config))
        return SIZE_MAX;
    while (at < type->masks.count && !has_mask(&type->masks.items[at], config))
        at++;
    if (at == MAX_MASKS)
        return MAX_MASKS - 1;
    if (at == type->masks.count)
        add_mask(type, config);
    return at;
}

bool lc_known_attributes_project(uint64_t *out, const lc_object_type *type, size_t number,
                                 const lc_value *config)
{
    const lc_known_attributes *mask =
        number < type->masks.count ? &type->masks.items[number] : NULL;
    if (!mask || !is_object(config) || config->count != mask->count)
        return false;
    uint64_t hash = lc_hash_mix((uint64_t)number, mask->count);
    for (size_t i = 0; i < mask->count; i++) {
        if (!mask->open[i])
            hash = lc_hash_mix(hash, lc_value_hash(&config->as.many.elems[i]));
    }
    *out = hash;
    return true;
}
