/* Configurations that the schema does not accept. The clients see to blocks and to most attributes;
 * a provider refuses the rest, and so does one that is served: what comes after it is the client's
 * fault. */
#include "lifecheck/base/arena.h"
#include "serve/internal.h"

typedef struct check {
    lc_serve_call *call;
    lc_str at; /* the block or object, with a dot behind it; "": the root */
} check;

static lc_str place(const check *c, lc_str name)
{
    return lc_str_printf(c->call->arena, "%.*s%.*s.", LC_FMT(c->at), LC_FMT(name));
}

static void refuse(const check *c, const char *summary, lc_str name, const char *why)
{
    lc_serve_error(c->call, summary,
                   lc_str_printf(c->call->arena, "%.*s%.*s %s.", LC_FMT(c->at), LC_FMT(name), why));
}

static void check_attributes(const check *c, const lc_attribute *all, size_t count,
                             const lc_value *object);

/* The object, or each of the collection. */
static void check_nested(const check *c, const lc_attribute *a, const lc_value *v)
{
    const lc_nested_type *n = a->nested;
    const check inner = {c->call, place(c, a->name)};
    bool single = n->nesting == LC_NESTING_SINGLE || n->nesting == LC_NESTING_GROUP;
    if (single)
        check_attributes(&inner, n->attributes, n->attribute_count, v);
    for (uint32_t i = 0; !single && lc_is_known(v) && i < v->count; i++)
        check_attributes(&inner, n->attributes, n->attribute_count, &v->as.many.elems[i]);
}

static void check_attributes(const check *c, const lc_attribute *all, size_t count,
                             const lc_value *object)
{
    if (!lc_is_known(object) || object->type->kind != LC_TYPE_OBJECT)
        return;
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &all[i];
        const lc_value *v = lc_value_attr(object, a->name);
        if (v && a->required && lc_is_null(v))
            refuse(c, "Missing required argument", a->name, "is required");
        else if (v && a->computed && !a->optional && !a->required && !lc_is_null(v))
            refuse(c, "Invalid configuration of a read-only attribute", a->name,
                   "is computed, so it cannot be set");
        else if (v && a->nested)
            check_nested(c, a, v);
    }
}

static void check_block(const check *c, const lc_block *block, const lc_value *v);

/* A group that is not there is an object of nulls. */
static void check_blocks(const check *c, const lc_block_type *b, const lc_value *v)
{
    const check inner = {c->call, place(c, b->name)};
    bool single = b->nesting == LC_NESTING_SINGLE;
    if (b->nesting == LC_NESTING_GROUP || (single && lc_is_null(v)))
        return;
    /* In the protocol no blocks are an empty collection; null is a mistake of the client. */
    if (lc_is_null(v) && !b->computed)
        refuse(c, "Invalid blocks", b->name, "is null instead of an empty collection of blocks");
    if (single)
        check_block(&inner, b->block, v);
    for (uint32_t i = 0; !single && lc_is_known(v) && i < v->count; i++)
        check_block(&inner, b->block, &v->as.many.elems[i]);
}

/* Blocks are nested less deep than LC_MAX_DEPTH: reading the schema saw to that. */
static void check_block(const check *c, const lc_block *block, const lc_value *v)
{
    if (!lc_is_known(v) || v->type->kind != LC_TYPE_OBJECT)
        return;
    check_attributes(c, block->attributes, block->attribute_count, v);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_value *inner = lc_value_attr(v, block->blocks[i].name);
        if (inner)
            check_blocks(c, &block->blocks[i], inner);
    }
}

bool lc_serve_conforms(lc_serve_call *call, const lc_value *config)
{
    size_t errors = call->reply.diags.count;
    check_block(&(check){call, LC_STR_EMPTY}, call->schema->block, config);
    return call->reply.diags.count == errors;
}
