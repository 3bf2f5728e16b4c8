/* Look-ups in a schema: names by binary search, attributes by path as the cores do it, and whether
 * a path can exist. */
#include "schema/internal.h"

/* ---- By name. */

static const lc_attribute *find_attribute(const lc_attribute *items, size_t count, lc_str name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = lc_str_cmp(items[middle].name, name);
        if (order == 0)
            return &items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const lc_attribute *lc_block_attribute(const lc_block *block, lc_str name)
{
    return find_attribute(block->attributes, block->attribute_count, name);
}

const lc_attribute *lc_nested_attribute(const lc_nested_type *nested, lc_str name)
{
    return find_attribute(nested->attributes, nested->attribute_count, name);
}

const lc_block_type *lc_block_block(const lc_block *block, lc_str name)
{
    size_t low = 0, high = block->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = lc_str_cmp(block->blocks[middle].name, name);
        if (order == 0)
            return &block->blocks[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- AttributeByPath. */

static lc_path rest_of(lc_path path, size_t from)
{
    return (lc_path){path.steps + from, path.count - from};
}

/* A name that the nested type does not have is skipped rather than refused: Object.AttributeByPath
 * of both cores continues with the next step, and messages depend on the result. */
static const lc_attribute *nested_attribute_at(const lc_nested_type *nested, lc_path path)
{
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        const lc_attribute *a = lc_nested_attribute(nested, path.steps[i].name);
        if (!a)
            continue;
        if (i + 1 == path.count)
            return a;
        if (!a->nested)
            return NULL;
        nested = a->nested;
    }
    return NULL;
}

/* Block.AttributeByPath: index steps are skipped, so a path through a list block finds the
 * attribute of the block. */
const lc_attribute *lc_block_attribute_at(const lc_block *block, lc_path path)
{
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        const lc_attribute *a = lc_block_attribute(block, path.steps[i].name);
        if (a && i + 1 == path.count)
            return a;
        if (a)
            return a->nested ? nested_attribute_at(a->nested, rest_of(path, i + 1)) : NULL;
        const lc_block_type *type = lc_block_block(block, path.steps[i].name);
        if (!type)
            return NULL;
        block = type->block;
    }
    return NULL;
}

/* ---- Can a path exist? Each function below_X says whether `path` can continue inside an X. An
 * empty path names the X itself. Wildcards ([*], .*) match if any of their alternatives does. */

static bool below_block(const lc_block *block, lc_path path);
static bool below_nested(const lc_nested_type *nested, lc_path path);

/* Does the step name an element of a collection of this kind? `kind` is a kind of type, because
 * blocks and nested types with a nesting mode are such collections too. */
static bool names_element(const lc_step *step, lc_type_kind kind)
{
    if (step->kind == LC_STEP_ANY_KEY)
        return true;
    if (kind == LC_TYPE_MAP)
        return step->kind == LC_STEP_KEY;
    if (kind == LC_TYPE_SET)
        return step->kind == LC_STEP_ELEMENT;
    return step->kind == LC_STEP_INDEX;
}

static bool names_nested_element(const lc_step *step, lc_nesting nesting)
{
    if (nesting == LC_NESTING_MAP)
        return names_element(step, LC_TYPE_MAP);
    return names_element(step, nesting == LC_NESTING_SET ? LC_TYPE_SET : LC_TYPE_LIST);
}

static bool below_type(const lc_type *type, lc_path path);

static bool below_object(const lc_type *type, lc_path path)
{
    if (path.steps[0].kind == LC_STEP_ATTR) {
        long index = lc_type_attr_index(type, path.steps[0].name);
        return index >= 0 && below_type(type->as.attrs[index].type, rest_of(path, 1));
    }
    bool found = false;
    for (uint32_t i = 0; path.steps[0].kind == LC_STEP_ANY_ATTR && i < type->count && !found; i++)
        found = below_type(type->as.attrs[i].type, rest_of(path, 1));
    return found;
}

static bool below_tuple(const lc_type *type, lc_path path)
{
    const lc_step *step = &path.steps[0];
    if (step->kind == LC_STEP_INDEX)
        return step->index < type->count &&
               below_type(type->as.items[step->index], rest_of(path, 1));
    bool found = false;
    for (uint32_t i = 0; step->kind == LC_STEP_ANY_KEY && i < type->count && !found; i++)
        found = below_type(type->as.items[i], rest_of(path, 1));
    return found;
}

static bool below_type(const lc_type *type, lc_path path)
{
    if (path.count == 0)
        return true;
    switch (type->kind) {
    case LC_TYPE_DYNAMIC:
        return true;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        return names_element(&path.steps[0], type->kind) &&
               below_type(type->as.elem, rest_of(path, 1));
    case LC_TYPE_TUPLE:
        return below_tuple(type, path);
    case LC_TYPE_OBJECT:
        return below_object(type, path);
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        break;
    }
    return false;
}

/* An attribute with a nested type continues by its nesting mode, others by their type. */
static bool below_attribute(const lc_attribute *a, lc_path path)
{
    if (path.count == 0)
        return true;
    if (!a->nested)
        return below_type(a->implied, path);
    if (!lc_schema_nesting_is_many(a->nested->nesting))
        return below_nested(a->nested, path);
    return names_nested_element(&path.steps[0], a->nested->nesting) &&
           below_nested(a->nested, rest_of(path, 1));
}

static bool below_nested(const lc_nested_type *nested, lc_path path)
{
    if (path.count == 0)
        return true;
    if (path.steps[0].kind == LC_STEP_ATTR) {
        const lc_attribute *a = lc_nested_attribute(nested, path.steps[0].name);
        return a && below_attribute(a, rest_of(path, 1));
    }
    bool found = false;
    bool any = path.steps[0].kind == LC_STEP_ANY_ATTR;
    for (size_t i = 0; any && i < nested->attribute_count && !found; i++)
        found = below_attribute(&nested->attributes[i], rest_of(path, 1));
    return found;
}

static bool below_block_type(const lc_block_type *type, lc_path path)
{
    if (path.count == 0)
        return true;
    if (!lc_schema_nesting_is_many(type->nesting))
        return below_block(type->block, path);
    return names_nested_element(&path.steps[0], type->nesting) &&
           below_block(type->block, rest_of(path, 1));
}

static bool below_block(const lc_block *block, lc_path path)
{
    if (path.count == 0)
        return true;
    const lc_step *step = &path.steps[0];
    if (step->kind == LC_STEP_ATTR) {
        const lc_attribute *a = lc_block_attribute(block, step->name);
        const lc_block_type *type = lc_block_block(block, step->name);
        return a ? below_attribute(a, rest_of(path, 1))
                 : type && below_block_type(type, rest_of(path, 1));
    }
    bool found = false;
    bool any = step->kind == LC_STEP_ANY_ATTR;
    for (size_t i = 0; any && i < block->attribute_count && !found; i++)
        found = below_attribute(&block->attributes[i], rest_of(path, 1));
    for (size_t i = 0; any && i < block->block_count && !found; i++)
        found = below_block_type(&block->blocks[i], rest_of(path, 1));
    return found;
}

bool lc_schema_has_path(const lc_schema *schema, lc_path path)
{
    return below_block(schema->block, path);
}
