/* Flags of attributes (required, optional, computed), by the section "Configurability" of the
 * documentation, defaults, and the Terraform schemas that are the result of all derivation. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"

#include <string.h>

/* ---- Flags. */

/* What an enclosing object means for its members. */
typedef struct around {
    bool computed_only, optional_computed; /* of the attribute that holds the object */
    bool requirement_lost; /* the provider does not find "required" of objects in maps */
} around;

/* The rules of the documentation, in its order. */
static void flags_of_document(lc_cfn_property *p)
{
    p->required = p->listed_required && !p->default_node;
    p->optional = !p->required && (!p->read_only || p->listed_required);
    p->computed = !p->required;
}

/* The generator's rules: below an attribute that is optional and computed, a required attribute
 * becomes optional and computed, with a validator that refuses null. */
static void flags_of_provider(lc_cfn_property *p, const around *in)
{
    bool required = p->listed_required && !in->requirement_lost;
    p->required = required && !p->default_node;
    p->optional = (required && p->default_node) || (!p->required && !p->read_only);
    p->computed = !p->required;
    if (p->required && in->optional_computed) {
        p->required = false;
        p->optional = p->computed = p->not_null = true;
    }
}

static void flag_object(lc_cfn_reader *r, const lc_cfn_shape *object, around in);

/* Below a read-only object everything is computed only, regardless of "required". An object is
 * flagged after the attribute that holds it. */
static void flag_member(lc_cfn_reader *r, lc_cfn_property *p, const around *in)
{
    if (r->type->profile == LC_CFN_DOCUMENT)
        flags_of_document(p);
    else
        flags_of_provider(p, in);
    if (p->listed_required && p->read_only && !in->requirement_lost)
        lc_cfn_report_problem(r, LC_CFN_FAULT_CONFLICT, false, p->where, p->place,
                              "%.*s is required and read-only", LC_FMT(lc_cfn_property_path(r, p)));
    if (p->read_only && p->write_only)
        lc_cfn_report_problem(r, LC_CFN_FAULT_NOTE, false, p->where, p->place,
                              "%.*s is read-only and write-only",
                              LC_FMT(lc_cfn_property_path(r, p)));
    if (in->computed_only) {
        p->required = p->optional = p->not_null = false;
        p->computed = p->within_computed = true;
    }
    if (!p->create_only && !p->read_only)
        r->type->updatable = true;
    around below = {p->computed && !p->optional, p->computed && p->optional, false};
    const lc_cfn_shape *shape = p->shape;
    while (shape->element) {
        below.requirement_lost = shape->form == LC_CFN_MAP && r->type->profile == LC_CFN_AWSCC;
        shape = shape->element;
    }
    if (shape->form == LC_CFN_OBJECT)
        flag_object(r, shape, below);
}

static void flag_object(lc_cfn_reader *r, const lc_cfn_shape *object, around in)
{
    for (size_t i = 0; i < object->member_count; i++) {
        if (object->members[i].shape)
            flag_member(r, &object->members[i], &in);
    }
}

/* ---- Defaults. */

/* Does the generator fail on this default? It cannot write some numbers and arrays as Go code. It
 * takes all others, even if they are not values of the attribute's type. */
static bool generator_fails(const lc_cfn_shape *shape, const lc_node *node)
{
    if (node->kind == LC_NODE_NUMBER)
        return shape->form != LC_CFN_INTEGER && shape->form != LC_CFN_NUMBER;
    if (node->kind != LC_NODE_SEQUENCE)
        return false;
    return !lc_cfn_is_array(shape->form) ||
           (node->count > 0 && !lc_type_equal(shape->element->type, &lc_type_string));
}

/* Defaults that the generated Go code converts: a string that strconv.ParseBool accepts, and a
 * number that is truncated to an integer. */
static bool generator_converts(lc_cfn_reader *r, lc_value *out, const lc_cfn_property *p)
{
    static const char *const words[] = {"1", "t", "T", "TRUE",  "True",
                                        "0", "f", "F", "FALSE", "False"};
    const lc_node *node = p->default_node;
    lc_num n;
    for (size_t i = 0; p->shape->form == LC_CFN_BOOLEAN && node->kind == LC_NODE_STRING &&
                       i < sizeof words / sizeof *words;
         i++) {
        if (lc_str_is(node->as.text, words[i])) {
            lc_value_set_bool(out, i < 5);
            return true;
        }
    }
    if (p->shape->form != LC_CFN_INTEGER || node->kind != LC_NODE_NUMBER ||
        lc_num_from_text(&n, r->arena, node->as.text, LC_MAX_DIGITS) != LC_NUM_OK)
        return false;
    double number;
    lc_num_to_double(n, &number);
    if (!(number > -1e15 && number < 1e15))
        return false;
    lc_value_set_number(out, lc_num_from_int((int64_t)number));
    return true;
}

/* In the profile LC_CFN_AWSCC a default that is not a value of the type is only a warning if the
 * generator accepts it. */
static void read_default(lc_cfn_reader *r, lc_cfn_property *p)
{
    lc_value value;
    lc_str why = LC_STR("the provider knows no such default");
    bool provider = r->type->profile == LC_CFN_AWSCC;
    bool stops = provider && generator_fails(p->shape, p->default_node);
    if (!stops && (lc_cfn_value(&value, r->arena, p->shape, p->default_node, &why) ||
                   (provider && generator_converts(r, &value, p)))) {
        p->default_value = lc_value_new(r->arena, &value);
        return;
    }
    lc_cfn_report_problem(r, LC_CFN_FAULT_DEFAULT, stops || !provider, p->default_node->where,
                          p->place, "the default of %.*s is not a value of its type: %.*s",
                          LC_FMT(lc_cfn_property_path(r, p)), LC_FMT(why));
}

static void read_defaults(lc_cfn_reader *r, const lc_cfn_shape *shape)
{
    while (shape->element)
        shape = shape->element;
    for (size_t i = 0; shape->form == LC_CFN_OBJECT && i < shape->member_count; i++) {
        lc_cfn_property *p = &shape->members[i];
        if (!p->shape)
            continue;
        read_defaults(r, p->shape);
        if (p->default_node)
            read_default(r, p);
    }
}

void lc_cfn_flags(lc_cfn_reader *r)
{
    flag_object(r, r->type->root, (around){false, false, false});
    read_defaults(r, r->type->root);
}

/* ---- Attributes. */

/* Makes either the schema of the resource or that of its data source. */
typedef struct maker {
    lc_cfn_reader *reader;
    bool data; /* the data source, where everything but `id` is computed */
} maker;

static lc_attribute *make_attributes(maker *m, const lc_cfn_shape *object);

static lc_nesting nesting_of(lc_cfn_form form)
{
    switch (form) {
    case LC_CFN_OBJECT:
        return LC_NESTING_SINGLE;
    case LC_CFN_MAP:
        return LC_NESTING_MAP;
    case LC_CFN_SET:
        return LC_NESTING_SET;
    case LC_CFN_LIST:
    case LC_CFN_MULTISET:
    case LC_CFN_ORDERED_SET:
        return LC_NESTING_LIST;
    case LC_CFN_BOOLEAN:
    case LC_CFN_INTEGER:
    case LC_CFN_NUMBER:
    case LC_CFN_STRING:
    case LC_CFN_DATE_TIME:
    case LC_CFN_JSON:
        break;
    }
    return LC_NESTING_INVALID;
}

/* The object that becomes a nested type; NULL if the attribute has a plain type. */
static const lc_cfn_shape *nested_object(const lc_cfn_shape *shape)
{
    const lc_cfn_shape *object = shape->element ? shape->element : shape;
    return object->form == LC_CFN_OBJECT ? object : NULL;
}

static void set_type(maker *m, lc_attribute *a, const lc_cfn_shape *shape)
{
    lc_arena *arena = m->reader->arena;
    const lc_cfn_shape *object = nested_object(shape);
    if (!object) {
        a->type = shape->type;
        lc_schema_finish_attribute(a);
        return;
    }
    lc_nested_type *nested = LC_NEW(arena, lc_nested_type);
    nested->nesting = nesting_of(shape->form);
    nested->nesting_text = lc_str_from_c(lc_nesting_name(nested->nesting));
    nested->attribute_count = object->slot_count;
    lc_schema_finish_nested(arena, nested, make_attributes(m, object));
    a->nested = nested;
    lc_schema_finish_attribute(a);
}

/* `id` is added by the provider: computed in the resource, required in the data source. */
static void make_id(maker *m, lc_attribute *a)
{
    a->name = LC_STR("id");
    a->loc = lc_cfn_loc(m->reader, m->reader->root->where);
    a->type = &lc_type_string;
    a->required = m->data;
    a->computed = !m->data;
    lc_schema_finish_attribute(a);
}

/* Attributes of an object, in slot order. attribute_count is counted for the resource only, since
 * the data source has the same ones. */
static lc_attribute *make_attributes(maker *m, const lc_cfn_shape *object)
{
    lc_attribute *attributes = LC_NEW_ARRAY(m->reader->arena, lc_attribute, object->slot_count);
    for (size_t i = 0; i < object->slot_count; i++) {
        const lc_cfn_property *p = object->by_slot[i];
        lc_attribute *a = &attributes[i];
        memset(a, 0, sizeof *a);
        m->reader->type->attribute_count += !m->data;
        if (!p) {
            make_id(m, a);
            continue;
        }
        a->name = p->attribute;
        a->loc = lc_cfn_loc(m->reader, p->where);
        a->required = p->required && !m->data;
        a->optional = p->optional && !m->data;
        a->computed = p->computed || m->data;
        a->secret = p->secret;
        set_type(m, a, p->shape);
    }
    return attributes;
}

/* ---- Schemas. */

/* Version 1 and the provider's address are those of awscc, which uses the new framework, hence
 * not_legacy. */
static const lc_schema *make_schema(lc_cfn_reader *r, lc_str name, bool data,
                                    lc_attribute *attributes, size_t count)
{
    lc_schema *schema = LC_NEW(r->arena, lc_schema);
    lc_block *block = LC_NEW(r->arena, lc_block);
    block->attribute_count = count;
    lc_schema_finish_block(r->arena, block, attributes, NULL);
    schema->kind = data ? LC_KIND_DATA : LC_KIND_RESOURCE;
    schema->type_name = name;
    schema->provider = LC_STR("registry.terraform.io/hashicorp/awscc");
    schema->loc = lc_cfn_loc(r, r->root->where);
    schema->version = data ? 0 : 1;
    schema->block = block;
    schema->has_block = true;
    schema->not_legacy = true;
    schema->cloudformation = r->type;
    return schema;
}

/* The plural data source lists the identifiers of all resources of the type. */
static const lc_schema *make_plural(lc_cfn_reader *r)
{
    static const char *const names[] = {"id", "ids"};
    lc_attribute *attributes = LC_NEW_ARRAY(r->arena, lc_attribute, 2);
    for (size_t i = 0; i < 2; i++) {
        memset(&attributes[i], 0, sizeof attributes[i]);
        attributes[i].name = lc_str_from_c(names[i]);
        attributes[i].loc = lc_cfn_loc(r, r->root->where);
        attributes[i].type =
            i ? lc_type_collection(r->arena, LC_TYPE_SET, &lc_type_string) : &lc_type_string;
        attributes[i].computed = true;
        lc_schema_finish_attribute(&attributes[i]);
    }
    return make_schema(r, r->type->plural_name, true, attributes, 2);
}

void lc_cfn_schemas(lc_cfn_reader *r)
{
    const lc_cfn_shape *root = r->type->root;
    maker resource = {r, false}, data = {r, true};
    r->type->resource = make_schema(r, r->type->terraform_name, false,
                                    make_attributes(&resource, root), root->slot_count);
    r->type->data = make_schema(r, r->type->terraform_name, true, make_attributes(&data, root),
                                root->slot_count);
    if (r->type->plural_name.len)
        r->type->plural = make_plural(r);
}

const lc_schema *lc_cfn_empty_schema(lc_arena *arena, const lc_cfn_type *type)
{
    lc_schema *schema = LC_NEW(arena, lc_schema);
    schema->kind = LC_KIND_RESOURCE;
    schema->type_name = type->terraform_name;
    schema->provider = LC_STR_EMPTY;
    schema->loc = (lc_loc){type->file, 1, 1};
    lc_block *block = LC_NEW(arena, lc_block);
    *block = *lc_schema_empty_block(arena);
    block->underived = type->suppressed;
    schema->block = block;
    schema->has_block = true;
    schema->cloudformation = type;
    return schema;
}
