/* Schemas: an input is opened as a schema document, and every type of it is read; it is also read
 * as an inline schema. Laws for what is accepted: every name has its slot, the empty value has the
 * implied type, every attribute is found at its path, and validation names a place for everything
 * it says. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_nested(const lc_nested_type *nested)
{
    LC_ASSERT(nested->object->count == nested->attribute_count);
    for (size_t i = 0; i < nested->attribute_count; i++) {
        const lc_attribute *a = &nested->attributes[i];
        LC_ASSERT(lc_nested_attribute(nested, a->name) == a);
        LC_ASSERT(lc_str_eq(nested->object->as.attrs[a->slot].name, a->name));
        LC_ASSERT(lc_type_equal(nested->object->as.attrs[a->slot].type, a->implied));
        if (a->nested)
            check_nested(a->nested);
    }
}

static void check_block(lc_arena *arena, const lc_schema *schema, const lc_block *block,
                        const lc_trail *at)
{
    LC_ASSERT(block->implied->count == block->attribute_count + block->block_count);
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        lc_trail trail = lc_trail_attr(at, a->name);
        LC_ASSERT(lc_str_eq(block->implied->as.attrs[a->slot].name, a->name));
        LC_ASSERT(lc_block_attribute_at(schema->block, lc_path_from_trail(arena, &trail)) == a);
        if (a->nested)
            check_nested(a->nested);
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        lc_trail trail = lc_trail_attr(at, b->name);
        LC_ASSERT(lc_str_eq(block->implied->as.attrs[b->slot].name, b->name));
        LC_ASSERT(b->nesting != LC_NESTING_INVALID);
        check_block(arena, schema, b->block, &trail);
    }
}

static void check_schema(lc_arena *arena, const lc_schema *schema)
{
    lc_schema_problems problems = {0};
    check_block(arena, schema, schema->block, NULL);
    LC_ASSERT(
        lc_type_conforms(lc_block_empty_value(arena, schema->block)->type, schema->block->implied));
    lc_schema_validate(&problems, arena, schema);
    for (size_t i = 0; i < problems.count; i++)
        LC_ASSERT(problems.items[i].message.len > 0 && problems.items[i].loc.line > 0);
}

typedef struct visit {
    lc_arena *arena;
    lc_schema_doc *doc;
    lc_diags *diags;
} visit;

static void visit_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    visit *v = context;
    const lc_schema *schema;
    size_t errors = v->diags->errors;
    lc_loc at = {LC_STR("fuzz"), 1, 1};
    lc_status status = lc_schema_doc_get(&schema, v->doc, kind, provider, type, at, v->diags);
    LC_ASSERT((status == LC_OK) == (v->diags->errors == errors));
    if (status == LC_OK)
        check_schema(v->arena, schema);
}

static void try_document(lc_arena *arena, lc_str text, const lc_limits *limits)
{
    lc_diags diags;
    visit v = {arena, NULL, &diags};
    lc_diags_init(&diags, arena);
    lc_status status = lc_schema_doc_from_text(&v.doc, arena, LC_STR("fuzz"), text, limits, &diags);
    LC_ASSERT((status == LC_OK) == (diags.errors == 0));
    if (status == LC_OK)
        lc_schema_doc_each(v.doc, visit_type, &v);
}

static void try_inline(lc_arena *arena, lc_str text, const lc_limits *limits)
{
    lc_diags diags;
    lc_source source;
    const lc_schema *schema;
    lc_diags_init(&diags, arena);
    if (lc_source_parse(&source, arena, LC_STR("fuzz"), text, limits, &diags) != LC_OK)
        return;
    for (size_t i = 0; i < source.count; i++) {
        size_t errors = diags.errors;
        lc_status status = lc_schema_from_node(&schema, arena, &source, &source.documents[i],
                                               LC_KIND_RESOURCE, LC_STR("fuzz"), &diags);
        LC_ASSERT((status == LC_OK) == (diags.errors == errors));
        if (status == LC_OK)
            check_schema(arena, schema);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = {(const char *)data, size};
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.nodes = 100000;
    try_document(arena, text, &limits);
    try_inline(arena, text, &limits);
    lc_arena_free(arena);
    return 0;
}
