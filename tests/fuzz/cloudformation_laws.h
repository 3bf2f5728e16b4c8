/* What holds for every input that is read as a CloudFormation resource type: nothing is lost (every
 * property has an attribute or a reason, and a reason is an error), names lead there and back,
 * flags are a combination that exists, defaults are of the attribute's type, and the document that
 * is written reads back as the same schema. */
#ifndef LC_S_FUZZ_CLOUDFORMATION_LAWS_H
#define LC_S_FUZZ_CLOUDFORMATION_LAWS_H

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/cloudformation/cloudformation.h"

#include <string.h>

typedef struct walk {
    const lc_cfn_type *type;
    size_t lost;
} walk;

static void check_object(walk *w, const lc_cfn_shape *object);

static void check_property(walk *w, const lc_cfn_shape *object, const lc_cfn_property *p)
{
    LC_ASSERT(p->place && p->name.len <= LC_MAX_INPUT_BYTES);
    if (!p->shape) {
        LC_ASSERT(p->why_not.len > 0);
        w->lost++;
        return;
    }
    LC_ASSERT(p->attribute.len > 0 && object->by_slot[p->slot] == p);
    LC_ASSERT(lc_cfn_member(object, p->name) == p);
    LC_ASSERT(lc_cfn_member_of(object, p->attribute) == p);
    LC_ASSERT(lc_type_equal(object->type->as.attrs[p->slot].type, p->shape->type));
    LC_ASSERT(p->required != p->computed && !(p->required && p->optional));
    LC_ASSERT(!p->default_value || lc_type_conforms(p->default_value->type, p->shape->type));
    const lc_cfn_shape *shape = p->shape;
    while (shape->element)
        shape = shape->element;
    if (shape->form == LC_CFN_OBJECT)
        check_object(w, shape);
}

static void check_object(walk *w, const lc_cfn_shape *object)
{
    for (size_t i = 0; i < object->member_count; i++)
        check_property(w, object, &object->members[i]);
}

static size_t count_attributes(const lc_attribute *attributes, size_t count)
{
    size_t all = count;
    for (size_t i = 0; i < count; i++) {
        if (attributes[i].nested)
            all += count_attributes(attributes[i].nested->attributes,
                                    attributes[i].nested->attribute_count);
    }
    return all;
}

static void check_same(const lc_attribute *a, const lc_attribute *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        LC_ASSERT(lc_str_eq(a[i].name, b[i].name));
        LC_ASSERT(lc_type_equal(a[i].implied, b[i].implied));
        LC_ASSERT(a[i].required == b[i].required && a[i].optional == b[i].optional &&
                  a[i].computed == b[i].computed);
        LC_ASSERT(!a[i].nested == !b[i].nested);
        if (a[i].nested) {
            LC_ASSERT(a[i].nested->nesting == b[i].nested->nesting);
            LC_ASSERT(a[i].nested->attribute_count == b[i].nested->attribute_count);
            check_same(a[i].nested->attributes, b[i].nested->attributes,
                       a[i].nested->attribute_count);
        }
    }
}

static void check_schema(lc_arena *arena, lc_schema_doc *doc, const lc_schema *want)
{
    const lc_schema *got;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    LC_ASSERT(lc_schema_doc_get(&got, doc, want->kind, LC_STR_EMPTY, want->type_name,
                                (lc_loc){LC_STR("fuzz"), 1, 1}, &diags) == LC_OK);
    LC_ASSERT(got->version == want->version);
    LC_ASSERT(got->block->attribute_count == want->block->attribute_count);
    LC_ASSERT(lc_type_equal(got->block->implied, want->block->implied));
    check_same(got->block->attributes, want->block->attributes, got->block->attribute_count);
}

static void check_document(lc_arena *arena, const lc_cfn_type *type)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_schema_doc *doc;
    lc_diags diags;
    lc_buf text = {0};
    lc_diags_init(&diags, arena);
    lc_cfn_add_document(&text, &type, 1);
    LC_ASSERT(lc_schema_doc_from_text(&doc, arena, LC_STR("fuzz"), lc_buf_str(&text), &limits,
                                      &diags) == LC_OK);
    if (type->resource) {
        LC_ASSERT(count_attributes(type->resource->block->attributes,
                                   type->resource->block->attribute_count) ==
                  type->attribute_count);
        check_schema(arena, doc, type->resource);
        check_schema(arena, doc, type->data);
        if (type->plural)
            check_schema(arena, doc, type->plural);
    }
    lc_buf_clear(&text);
    lc_cfn_add_text(&text, type);
    LC_ASSERT(text.len > 0);
    lc_buf_release(&text);
}

static void try_profile(lc_str text, lc_cfn_profile profile)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    const lc_cfn_type *type;
    limits.nodes = 100000;
    lc_diags_init(&diags, arena);
    lc_status status =
        lc_cfn_read(&type, arena, LC_STR("fuzz"), text, LC_STR_EMPTY, profile, &limits, &diags);
    LC_ASSERT((status == LC_OK) == (diags.errors == 0));
    if (status == LC_OK) {
        walk w = {type, 0};
        check_object(&w, type->root);
        LC_ASSERT(w.lost <= type->errors);
        LC_ASSERT((type->resource == NULL) == (type->suppressed.len > 0));
        LC_ASSERT(type->errors == 0 || type->problems.count > 0);
        for (size_t i = 0; i < type->problems.count; i++)
            LC_ASSERT(type->problems.items[i].message.len && type->problems.items[i].loc.line);
        check_document(arena, type);
    }
    lc_arena_free(arena);
}

static void check_laws(lc_str text)
{
    try_profile(text, LC_CFN_DOCUMENT);
    try_profile(text, LC_CFN_AWSCC);
}

#endif
