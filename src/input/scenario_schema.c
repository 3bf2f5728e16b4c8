/* A schema as the inline schema of a scenario. */
#include "input/scenario_write.h"
#include "lifecheck/cloudcontrol.h"

static const char *comma(bool *any)
{
    const char *text = *any ? "," : "";
    *any = true;
    return text;
}

static void add_flag(lc_buf *out, const char *name, bool is)
{
    if (is)
        lc_buf_printf(out, ",\"%s\":true", name);
}

static void add_items(lc_buf *out, int64_t min, int64_t max)
{
    if (min)
        lc_buf_printf(out, ",\"min_items\":%lld", (long long)min);
    if (max)
        lc_buf_printf(out, ",\"max_items\":%lld", (long long)max);
}

static const char *nesting_text(lc_nesting nesting)
{
    return nesting == LC_NESTING_INVALID ? "invalid" : lc_nesting_name(nesting);
}

static void add_attributes(lc_buf *out, const lc_attribute *attributes, size_t count);

static void add_type(lc_buf *out, const lc_attribute *a)
{
    bool any = false;
    if (a->type_invalid || a->type)
        lc_buf_add_c(out, "\"type\":");
    if (a->type_invalid)
        lc_buf_add_c(out, "[\"invalid\"]");
    else if (a->type)
        lc_typejson_encode(out, a->type);
    any = a->type_invalid || a->type;
    if (!a->nested)
        return;
    lc_buf_printf(out, "%s\"nested_type\":{\"nesting_mode\":\"%s\"", comma(&any),
                  nesting_text(a->nested->nesting));
    add_items(out, a->nested->min_items, a->nested->max_items);
    lc_buf_add_char(out, ',');
    add_attributes(out, a->nested->attributes, a->nested->attribute_count);
    lc_buf_add_char(out, '}');
}

/* The type may be missing, which is a fault; the first flag then has no comma before it. */
static void add_attribute(lc_buf *out, const lc_attribute *a)
{
    lc_buf flags = {0};
    add_flag(&flags, "required", a->required);
    add_flag(&flags, "optional", a->optional);
    add_flag(&flags, "computed", a->computed);
    add_flag(&flags, "sensitive", a->sensitive);
    add_flag(&flags, "write_only", a->write_only);
    add_flag(&flags, "deprecated", a->deprecated);
    if (a->has_deprecation_message)
        lc_buf_add_c(&flags, ",\"deprecation_message\":\"deprecated\"");
    bool typed = a->type_invalid || a->type || a->nested;
    lc_buf_add_json(out, a->name, false);
    lc_buf_add_c(out, ":{");
    add_type(out, a);
    lc_str text = lc_buf_str(&flags);
    lc_buf_add_str(out, !typed && text.len ? lc_str_sub(text, 1, text.len) : text);
    lc_buf_add_char(out, '}');
    lc_buf_release(&flags);
}

static void add_attributes(lc_buf *out, const lc_attribute *attributes, size_t count)
{
    bool any = false;
    lc_buf_add_c(out, "\"attributes\":{");
    for (size_t i = 0; i < count; i++) {
        lc_buf_add_c(out, comma(&any));
        add_attribute(out, &attributes[i]);
    }
    lc_buf_add_char(out, '}');
}

static void add_block(lc_buf *out, const lc_block *block);

static void add_block_types(lc_buf *out, const lc_block_type *types, size_t count, bool *any)
{
    for (size_t i = 0; i < count; i++) {
        const lc_block_type *b = &types[i];
        lc_buf_add_c(out, comma(any));
        lc_buf_add_json(out, b->name, false);
        lc_buf_printf(out, ":{\"nesting_mode\":\"%s\"", nesting_text(b->nesting));
        add_items(out, b->min_items, b->max_items);
        add_flag(out, "computed", b->computed);
        lc_buf_add_c(out, ",\"block\":");
        add_block(out, b->block);
        lc_buf_add_char(out, '}');
    }
}

static void add_block(lc_buf *out, const lc_block *block)
{
    bool any = false;
    lc_buf_add_char(out, '{');
    add_attributes(out, block->attributes, block->attribute_count);
    if (block->block_count || block->unusable_count) {
        lc_buf_add_c(out, ",\"block_types\":{");
        add_block_types(out, block->blocks, block->block_count, &any);
        add_block_types(out, block->unusable, block->unusable_count, &any);
        lc_buf_add_char(out, '}');
    }
    add_flag(out, "deprecated", block->deprecated);
    if (block->has_deprecation_message)
        lc_buf_add_c(out, ",\"deprecation_message\":\"deprecated\"");
    lc_buf_add_char(out, '}');
}

static void add_identity(lc_buf *out, const lc_schema *s)
{
    bool any = false;
    lc_buf_printf(out, ",\"identity\":{\"version\":%lld,\"attributes\":{",
                  (long long)s->identity_version);
    for (size_t i = 0; i < s->identity_count; i++) {
        const lc_attribute *a = &s->identity[i];
        lc_buf_add_c(out, comma(&any));
        lc_buf_add_json(out, a->name, false);
        lc_buf_add_c(out, ":{\"type\":");
        if (a->type && !a->type_invalid)
            lc_typejson_encode(out, a->type);
        else
            lc_buf_add_c(out, "[\"invalid\"]");
        add_flag(out, "required_for_import", a->required);
        add_flag(out, "optional_for_import", a->optional);
        lc_buf_add_char(out, '}');
    }
    lc_buf_add_c(out, "}}");
}

static void add_function(lc_buf *out, const lc_function *f)
{
    lc_buf_add_json(out, f->name, false);
    lc_buf_add_c(out, ":{\"parameters\":[");
    for (size_t i = 0; i < f->parameter_count; i++) {
        lc_buf_add_c(out, i ? ",{\"name\":" : "{\"name\":");
        lc_buf_add_json(out, f->parameters[i].name, false);
        lc_buf_add_c(out, f->parameters[i].type_invalid ? "}" : ",\"type\":\"string\"}");
    }
    lc_buf_add_c(out, f->return_invalid ? "]}" : "],\"return_type\":\"string\"}");
}

static void add_functions(lc_buf *out, const lc_schema *s)
{
    bool any = false;
    lc_buf_add_c(out, ",\"functions\":{");
    for (size_t i = 0; i < s->function_count; i++) {
        lc_buf_add_c(out, comma(&any));
        add_function(out, &s->functions[i]);
    }
    lc_buf_add_char(out, '}');
}

/* The type that the schema was derived of, or is compared with. */
static void add_cloudformation(lc_buf *out, const lc_schema *s)
{
    const lc_cfn_type *type = s->cloudformation;
    if (!s->captured && !lc_str_eq(s->type_name, type->terraform_name)) {
        lc_buf_add_c(out, ",\"type\":");
        lc_buf_add_json(out, s->type_name, false);
    }
    if (type->profile == LC_CFN_AWSCC)
        lc_buf_add_c(out, ",\"as\":\"awscc\"");
    lc_buf_add_c(out, ",\"cloudformation\":");
    lc_node_add_json(out, type->node);
}

void lc_write_schema(lc_buf *out, const lc_schema *s)
{
    lc_buf_printf(out, "{\"version\":%lld", (long long)s->version);
    if (s->kind != LC_KIND_RESOURCE)
        lc_buf_printf(out, ",\"kind\":\"%s\"", lc_schema_kind_name(s->kind));
    if (s->has_block) {
        lc_buf_add_c(out, ",\"block\":");
        add_block(out, s->block);
    }
    if (s->has_identity)
        add_identity(out, s);
    if (s->function_count)
        add_functions(out, s);
    if (s->cloudformation)
        add_cloudformation(out, s);
    lc_buf_add_char(out, '}');
}
