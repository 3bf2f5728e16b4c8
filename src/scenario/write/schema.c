/* A schema written as the inline schema of a scenario, with the faults that rules look for. */
#include "lifecheck/cloudformation/cloudcontrol.h"
#include "scenario/write/write.h"

static void add_flag(lc_json *w, const char *name, bool is)
{
    if (is)
        lc_json_bool(w, name, true);
}

static void add_items(lc_json *w, int64_t min, int64_t max)
{
    if (min)
        lc_json_int(w, "min_items", min);
    if (max)
        lc_json_int(w, "max_items", max);
}

/* Strings of messages are not kept, only that there was one. */
static void add_deprecation(lc_json *w, bool deprecated, bool has_message)
{
    add_flag(w, "deprecated", deprecated);
    if (has_message)
        lc_json_c(w, "deprecation_message", "deprecated");
}

static void add_nesting(lc_json *w, lc_nesting nesting)
{
    lc_json_c(w, "nesting_mode",
              nesting == LC_NESTING_INVALID ? "invalid" : lc_nesting_name(nesting));
}

static void add_invalid_type(lc_json *w)
{
    lc_json_array(w, "type");
    lc_json_c(w, NULL, "invalid");
    lc_json_end_array(w);
}

static void add_attributes(lc_json *w, const lc_attribute *attributes, size_t count);

/* An attribute may have a type, a nested type, both or none; the last two are faults that a rule
 * reports, so they are written as they are. */
static void add_type(lc_json *w, const lc_attribute *a)
{
    if (a->type_invalid)
        add_invalid_type(w);
    else if (a->type)
        lc_typejson_encode(lc_json_value(w, "type"), a->type);
    if (!a->nested)
        return;
    lc_json_object(w, "nested_type");
    add_nesting(w, a->nested->nesting);
    add_items(w, a->nested->min_items, a->nested->max_items);
    add_attributes(w, a->nested->attributes, a->nested->attribute_count);
    lc_json_end_object(w);
}

static void add_attribute(lc_json *w, const lc_attribute *a)
{
    lc_json_key(w, a->name);
    lc_json_object(w, NULL);
    add_type(w, a);
    add_flag(w, "required", a->required);
    add_flag(w, "optional", a->optional);
    add_flag(w, "computed", a->computed);
    add_flag(w, "sensitive", a->sensitive);
    add_flag(w, "write_only", a->write_only);
    add_deprecation(w, a->deprecated, a->has_deprecation_message);
    lc_json_end_object(w);
}

static void add_attributes(lc_json *w, const lc_attribute *attributes, size_t count)
{
    lc_json_object(w, "attributes");
    for (size_t i = 0; i < count; i++)
        add_attribute(w, &attributes[i]);
    lc_json_end_object(w);
}

static void add_block(lc_json *w, const lc_block *block);

static void add_block_types(lc_json *w, const lc_block_type *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_block_type *b = &types[i];
        lc_json_key(w, b->name);
        lc_json_object(w, NULL);
        add_nesting(w, b->nesting);
        add_items(w, b->min_items, b->max_items);
        add_flag(w, "computed", b->computed);
        add_block(w, b->block);
        lc_json_end_object(w);
    }
}

/* Blocks with an unusable nesting mode are in a separate list of the schema and are written like
 * the others. */
static void add_block(lc_json *w, const lc_block *block)
{
    lc_json_object(w, "block");
    add_attributes(w, block->attributes, block->attribute_count);
    if (block->block_count || block->unusable_count) {
        lc_json_object(w, "block_types");
        add_block_types(w, block->blocks, block->block_count);
        add_block_types(w, block->unusable, block->unusable_count);
        lc_json_end_object(w);
    }
    add_deprecation(w, block->deprecated, block->has_deprecation_message);
    lc_json_end_object(w);
}

static void add_identity(lc_json *w, const lc_schema *s)
{
    lc_json_object(w, "identity");
    lc_json_int(w, "version", s->identity_version);
    lc_json_object(w, "attributes");
    for (size_t i = 0; i < s->identity_count; i++) {
        const lc_attribute *a = &s->identity[i];
        lc_json_key(w, a->name);
        lc_json_object(w, NULL);
        if (a->type && !a->type_invalid)
            lc_typejson_encode(lc_json_value(w, "type"), a->type);
        else
            add_invalid_type(w);
        add_flag(w, "required_for_import", a->required);
        add_flag(w, "optional_for_import", a->optional);
        lc_json_end_object(w);
    }
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void add_function_type(lc_json *w, const char *name, const lc_type *type)
{
    if (type)
        lc_typejson_encode(lc_json_value(w, name), type);
}

static void add_parameter(lc_json *w, const char *key, const lc_parameter *p)
{
    lc_json_object(w, key);
    lc_json_str(w, "name", p->name);
    add_function_type(w, "type", p->type);
    if (p->nullable)
        lc_json_bool(w, "is_nullable", true);
    if (p->says_unknown)
        lc_json_bool(w, "allow_unknown_values", p->takes_unknown);
    lc_json_end_object(w);
}

static void add_function(lc_json *w, const lc_function *f)
{
    size_t positional = f->parameter_count - f->variadic;
    lc_json_key(w, f->name);
    lc_json_object(w, NULL);
    lc_json_array(w, "parameters");
    for (size_t i = 0; i < positional; i++)
        add_parameter(w, NULL, &f->parameters[i]);
    lc_json_end_array(w);
    if (f->variadic)
        add_parameter(w, "variadic_parameter", &f->parameters[positional]);
    add_function_type(w, "return_type", f->return_type);
    lc_json_end_object(w);
}

static void add_functions(lc_json *w, const lc_schema *s)
{
    lc_json_object(w, "functions");
    for (size_t i = 0; i < s->function_count; i++)
        add_function(w, &s->functions[i]);
    lc_json_end_object(w);
}

/* The CloudFormation type that the schema was derived from, or is compared with. */
static void add_cloudformation(lc_json *w, const lc_schema *s)
{
    const lc_cfn_type *type = s->cloudformation;
    if (!s->captured && !lc_str_eq(s->type_name, type->terraform_name))
        lc_json_str(w, "type", s->type_name);
    if (type->profile == LC_CFN_AWSCC)
        lc_json_c(w, "as", "awscc");
    lc_node_add_json(lc_json_value(w, "cloudformation"), type->node);
}

void lc_write_schema(lc_json *w, const char *key, const lc_schema *s)
{
    bool derived = s->cloudformation && !s->captured;
    lc_json_object(w, key);
    if (!derived)
        lc_json_int(w, "version", s->version);
    if (s->kind != LC_KIND_RESOURCE)
        lc_json_c(w, "kind", lc_schema_kind_name(s->kind));
    if (s->has_block && !derived)
        add_block(w, s->block);
    if (s->has_identity)
        add_identity(w, s);
    if (s->function_count)
        add_functions(w, s);
    if (s->cloudformation)
        add_cloudformation(w, s);
    lc_json_end_object(w);
}
