/* What a case exercises of its schema apart from rules: sets of objects, and whether one of them
 * ever had an unknown. In such sets providers and cores lose track of elements, so a gate needs to
 * know if no recording exercised them. */
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"

typedef struct exercise {
    lc_set_uses *out;
    lc_arena *arena;
} exercise;

/* A place inside the schema; each level is on the stack of the walk. */
typedef struct place {
    const struct place *up;
    lc_str name;
} place;

static void add_path(lc_buf *out, const place *at)
{
    if (!at)
        return;
    add_path(out, at->up);
    lc_buf_add_char(out, '.');
    lc_buf_add_str(out, at->name);
}

/* Each set is entered once, however many values are walked. */
static void note_set(exercise *x, const place *at, const lc_value *value)
{
    lc_buf path = {0};
    bool unknown = value && !lc_is_wholly_known(value);
    add_path(&path, at);
    for (size_t i = 0; i < x->out->count; i++) {
        if (lc_str_eq(x->out->items[i].path, lc_buf_str(&path))) {
            x->out->items[i].unknown |= unknown;
            lc_buf_release(&path);
            return;
        }
    }
    *LC_PUSH(x->arena, x->out, lc_set_use) = (lc_set_use){lc_buf_copy(x->arena, &path), unknown};
    lc_buf_release(&path);
}

static const lc_value *member(const lc_value *object, lc_str name)
{
    bool is_object = object && lc_is_known(object) && object->type->kind == LC_TYPE_OBJECT;
    return is_object ? lc_value_attr(object, name) : NULL;
}

static void walk_block(exercise *x, const place *at, const lc_block *block, const lc_value *value);
static void walk_attributes(exercise *x, const place *at, const lc_attribute *attributes,
                            size_t count, const lc_value *value);

/* What is inside a nested value: blocks or nested attributes; the other one is NULL. */
typedef struct inside {
    const lc_block *block;
    const lc_nested_type *nested;
} inside;

static void walk_inside(exercise *x, const place *at, inside in, const lc_value *object)
{
    if (in.block)
        walk_block(x, at, in.block, object);
    else
        walk_attributes(x, at, in.nested->attributes, in.nested->attribute_count, object);
}

/* In addition to each element, the schema is walked once without a value, so that sets in empty
 * collections are visited too. */
static void walk_nested(exercise *x, const place *at, lc_nesting nesting, inside in,
                        const lc_value *value)
{
    bool many = nesting != LC_NESTING_SINGLE && nesting != LC_NESTING_GROUP;
    if (nesting == LC_NESTING_SET)
        note_set(x, at, value);
    if (!many) {
        walk_inside(x, at, in, value);
        return;
    }
    walk_inside(x, at, in, NULL);
    for (uint32_t i = 0; value && lc_is_known(value) && i < value->count; i++)
        walk_inside(x, at, in, &value->as.many.elems[i]);
}

static void walk_attributes(exercise *x, const place *at, const lc_attribute *attributes,
                            size_t count, const lc_value *value)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        place below = {at, a->name};
        if (a->nested)
            walk_nested(x, &below, a->nested->nesting, (inside){NULL, a->nested},
                        member(value, a->name));
    }
}

static void walk_block(exercise *x, const place *at, const lc_block *block, const lc_value *value)
{
    walk_attributes(x, at, block->attributes, block->attribute_count, value);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        place below = {at, type->name};
        walk_nested(x, &below, type->nesting, (inside){type->block, NULL},
                    member(value, type->name));
    }
}

static void walk_field(exercise *x, const lc_block *block, const lc_field *field)
{
    if (lc_field_has_value(field))
        walk_block(x, NULL, block, field->value);
}

void lc_case_set_uses(lc_set_uses *out, lc_arena *arena, const lc_case *c)
{
    exercise x = {out, arena};
    *out = (lc_set_uses){0};
    for (size_t i = 0; i < c->runs.count; i++) {
        const lc_run *run = &c->runs.items[i];
        if (!run->schema || run->schema_unknown)
            continue;
        walk_block(&x, NULL, run->schema->block, NULL);
        walk_field(&x, run->schema->block, &run->config);
        for (size_t k = 0; out->count && k < run->calls.count; k++) {
            walk_field(&x, run->schema->block, &run->calls.items[k].config);
            walk_field(&x, run->schema->block, &run->calls.items[k].planned);
            walk_field(&x, run->schema->block, &run->calls.items[k].result);
        }
    }
}
