/* Schemas as messages of the protocol. */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "serve/internal.h"

const lc_schema *lc_serve_schema(const lc_served *served, lc_schema_kind kind, lc_str name)
{
    return lc_table_get(&served->by_name[kind], name);
}

bool lc_served_has(const lc_served *served, lc_schema_kind kind, lc_str type)
{
    return lc_serve_schema(served, kind, type) != NULL;
}

static void add_type(lc_json *w, const char *key, const lc_type *type)
{
    lc_buf text = {0};
    lc_typejson_encode(&text, type);
    lc_serve_add_bytes(w, key, lc_buf_str(&text));
    lc_buf_release(&text);
}

/* Fields with default values are left out. */
static void add_flag(lc_json *w, const char *key, bool flag)
{
    if (flag)
        lc_json_bool(w, key, true);
}

static void add_text(lc_json *w, const char *key, lc_str text)
{
    if (text.len)
        lc_json_str(w, key, text);
}

static void add_nesting(lc_json *w, lc_nesting nesting)
{
    /* In the order of lc_nesting. */
    static const char *const modes[] = {"INVALID", "SINGLE", "GROUP", "LIST", "SET", "MAP"};
    lc_json_c(w, "nesting", modes[nesting]);
}

static void add_attributes(lc_json *w, const lc_attribute *all, size_t count);

static void add_each_attribute(lc_json *w, const lc_attribute *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &all[i];
        lc_json_object(w, NULL);
        lc_json_str(w, "name", a->name);
        add_text(w, "description", a->description);
        add_flag(w, "required", a->required);
        add_flag(w, "optional", a->optional);
        add_flag(w, "computed", a->computed);
        add_flag(w, "sensitive", a->sensitive);
        add_flag(w, "write_only", a->write_only);
        add_flag(w, "deprecated", a->deprecated);
        if (a->nested) {
            lc_json_object(w, "nested_type");
            add_attributes(w, a->nested->attributes, a->nested->attribute_count);
            add_nesting(w, a->nested->nesting);
            lc_json_end_object(w);
        } else if (a->type) {
            add_type(w, "type", a->type);
        }
        lc_json_end_object(w);
    }
}

static void add_attributes(lc_json *w, const lc_attribute *all, size_t count)
{
    lc_json_array(w, "attributes");
    add_each_attribute(w, all, count);
    lc_json_end_array(w);
}

/* `schema`: the type whose block this is, which gets what --break adds; NULL for blocks in it. */
static void add_block(lc_json *w, const lc_served *served, const lc_schema *schema,
                      const lc_block *block)
{
    lc_json_object(w, "block");
    lc_json_array(w, "attributes");
    add_each_attribute(w, block->attributes, block->attribute_count);
    if (schema)
        lc_serve_add_broken(w, NULL, served, schema, LC_SERVE_PART_ATTRIBUTES);
    lc_json_end_array(w);
    lc_json_array(w, "block_types");
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        lc_json_object(w, NULL);
        lc_json_str(w, "type_name", type->name);
        add_block(w, served, NULL, type->block);
        add_nesting(w, type->nesting);
        lc_json_int(w, "min_items", type->min_items);
        lc_json_int(w, "max_items", type->max_items);
        lc_json_end_object(w);
    }
    if (schema)
        lc_serve_add_broken(w, NULL, served, schema, LC_SERVE_PART_BLOCKS);
    lc_json_end_array(w);
    add_text(w, "description", block->description);
    add_flag(w, "deprecated", block->deprecated);
    lc_json_end_object(w);
}

/* The schema of an action is wrapped: ActionSchema has it as a member. */
static void add_schema(lc_json *w, const lc_served *served, const lc_schema *schema)
{
    lc_json_object(w, NULL);
    if (schema->kind == LC_KIND_ACTION)
        lc_json_object(w, "schema");
    if (!lc_serve_add_broken(w, "version", served, schema, LC_SERVE_PART_VERSION))
        lc_json_int(w, "version", schema->version);
    add_block(w, served, schema, schema->block);
    if (schema->kind == LC_KIND_ACTION)
        lc_json_end_object(w);
    lc_json_end_object(w);
}

static void add_kind(lc_json *w, const lc_served *served, const char *key, lc_schema_kind kind)
{
    lc_json_object(w, key);
    for (size_t i = 0; i < served->types.count; i++) {
        const lc_schema *schema = served->types.items[i];
        if (schema->kind != kind)
            continue;
        lc_json_key(w, schema->type_name);
        add_schema(w, served, schema);
    }
    lc_json_end_object(w);
}

static void add_parameter(lc_json *w, const char *key, const lc_parameter *p)
{
    lc_json_object(w, key);
    lc_json_str(w, "name", p->name);
    if (p->type)
        add_type(w, "type", p->type);
    add_flag(w, "allow_null_value", p->nullable);
    add_flag(w, "allow_unknown_values", p->takes_unknown);
    lc_json_end_object(w);
}

static void add_function(lc_json *w, const lc_function *f)
{
    size_t plain = f->parameter_count - f->variadic;
    lc_json_object(w, NULL);
    lc_json_array(w, "parameters");
    for (size_t i = 0; i < plain; i++)
        add_parameter(w, NULL, &f->parameters[i]);
    lc_json_end_array(w);
    if (f->variadic)
        add_parameter(w, "variadic_parameter", &f->parameters[plain]);
    lc_json_object(w, "return");
    if (f->return_type)
        add_type(w, "type", f->return_type);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

void lc_serve_add_functions(lc_json *w, const lc_served *served)
{
    const lc_schema *provider = lc_serve_schema(served, LC_KIND_PROVIDER, LC_STR_EMPTY);
    lc_json_object(w, "functions");
    for (size_t i = 0; provider && i < provider->function_count; i++) {
        lc_json_key(w, provider->functions[i].name);
        add_function(w, &provider->functions[i]);
    }
    lc_serve_add_broken(w, "broken", served, NULL, LC_SERVE_PART_FUNCTION);
    lc_json_end_object(w);
}

static bool has_meta(const lc_served *served, lc_str name)
{
    for (size_t i = 0; i < served->meta.count; i++) {
        if (lc_str_eq(served->meta.items[i], name))
            return true;
    }
    return false;
}

void lc_served_add_meta(lc_served *served, lc_str name)
{
    if (!has_meta(served, name))
        *LC_PUSH(served->arena, &served->meta, lc_str) = lc_str_copy(served->arena, name);
}

/* What published modules set, for those that are not installed yet. */
void lc_serve_add_published_meta(lc_served *served)
{
    static const struct {
        const char *provider, *name;
    } rows[] = {{"hashicorp/google", "module_name"},
                {"hashicorp/google-beta", "module_name"},
                {"hashicorp/aws", "user_agent"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lc_str provider = lc_str_from_c(rows[i].provider);
        if (lc_str_ends_with(served->options.within, provider))
            lc_served_add_meta(served, lc_str_from_c(rows[i].name));
    }
}

static void add_meta(lc_json *w, const lc_served *served)
{
    if (!served->meta.count)
        return;
    lc_json_object(w, "provider_meta");
    lc_json_object(w, "block");
    lc_json_array(w, "attributes");
    for (size_t i = 0; i < served->meta.count; i++) {
        lc_json_object(w, NULL);
        lc_json_str(w, "name", served->meta.items[i]);
        add_type(w, "type", &lc_type_dynamic);
        add_flag(w, "optional", true);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

/* With plan_destroy clients ask for the plan of a destroy, too: that is another call to look at. */
static void add_capabilities(lc_json *w)
{
    lc_json_object(w, "server_capabilities");
    lc_json_bool(w, "plan_destroy", true);
    lc_json_bool(w, "move_resource_state", true);
    lc_json_end_object(w);
}

/* Clients need a schema of the provider, even if nothing can be configured. */
static void add_provider(lc_json *w, const lc_served *served)
{
    static const lc_block empty = {0};
    static const lc_schema nothing = {.kind = LC_KIND_PROVIDER, .block = &empty};
    const lc_schema *provider = lc_serve_schema(served, LC_KIND_PROVIDER, LC_STR_EMPTY);
    if (lc_serve_add_broken(w, NULL, served, NULL, LC_SERVE_PART_NO_PROVIDER))
        return;
    lc_json_key(w, LC_STR("provider"));
    add_schema(w, served, provider ? provider : &nothing);
}

void lc_serve_add_schemas(lc_json *w, const lc_served *served)
{
    add_provider(w, served);
    add_meta(w, served);
    add_kind(w, served, "resource_schemas", LC_KIND_RESOURCE);
    add_kind(w, served, "data_source_schemas", LC_KIND_DATA);
    add_kind(w, served, "ephemeral_resource_schemas", LC_KIND_EPHEMERAL);
    add_kind(w, served, "list_resource_schemas", LC_KIND_LIST);
    add_kind(w, served, "action_schemas", LC_KIND_ACTION);
    if (served->options.protocol == 6)
        add_kind(w, served, "state_store_schemas", LC_KIND_STORE);
    lc_serve_add_functions(w, served);
    add_capabilities(w);
}

static void add_names(lc_json *w, const lc_served *served, const char *key, lc_schema_kind kind)
{
    lc_json_array(w, key);
    for (size_t i = 0; i < served->types.count; i++) {
        if (served->types.items[i]->kind != kind)
            continue;
        lc_json_object(w, NULL);
        lc_json_str(w, "type_name", served->types.items[i]->type_name);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
}

/* The names alone: what clients ask before they need a schema. */
void lc_serve_add_metadata(lc_json *w, const lc_served *served)
{
    const lc_schema *provider = lc_serve_schema(served, LC_KIND_PROVIDER, LC_STR_EMPTY);
    add_capabilities(w);
    add_names(w, served, "resources", LC_KIND_RESOURCE);
    add_names(w, served, "data_sources", LC_KIND_DATA);
    add_names(w, served, "ephemeral_resources", LC_KIND_EPHEMERAL);
    add_names(w, served, "list_resources", LC_KIND_LIST);
    add_names(w, served, "actions", LC_KIND_ACTION);
    if (served->options.protocol == 6)
        add_names(w, served, "state_stores", LC_KIND_STORE);
    lc_json_array(w, "functions");
    for (size_t i = 0; provider && i < provider->function_count; i++) {
        lc_json_object(w, NULL);
        lc_json_str(w, "name", provider->functions[i].name);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
}

static void add_identity(lc_json *w, const lc_schema *schema)
{
    lc_json_key(w, schema->type_name);
    lc_json_object(w, NULL);
    lc_json_int(w, "version", schema->identity_version);
    lc_json_array(w, "identity_attributes");
    for (size_t i = 0; i < schema->identity_count; i++) {
        const lc_attribute *a = &schema->identity[i];
        lc_json_object(w, NULL);
        lc_json_str(w, "name", a->name);
        if (a->type)
            add_type(w, "type", a->type);
        add_flag(w, "required_for_import", a->required);
        add_flag(w, "optional_for_import", a->optional);
        add_text(w, "description", a->description);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
    lc_json_end_object(w);
}

void lc_serve_add_identities(lc_json *w, const lc_served *served)
{
    lc_json_object(w, "identity_schemas");
    for (size_t i = 0; i < served->types.count; i++) {
        const lc_schema *schema = served->types.items[i];
        if (schema->kind == LC_KIND_RESOURCE && schema->has_identity && schema->identity_type)
            add_identity(w, schema);
    }
    lc_json_end_object(w);
}
