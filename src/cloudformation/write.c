/* Writes derived schemas as a schema document. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/cloudformation/cloudformation.h"
#include "lifecheck/codec/codec.h"

#include <stdlib.h>
#include <string.h>

/* ---- The order of members is that of the clients. */

typedef struct writer {
    lc_json json;
    bool data;
} writer;

static void add_attributes(writer *w, const lc_cfn_shape *object, const char *id);

static void add_description(lc_json *w, lc_str text)
{
    if (text.len)
        lc_json_str(w, "description", text);
    lc_json_c(w, "description_kind", "plain");
}

static void add_flags(lc_json *w, bool required, bool optional, bool computed)
{
    if (required)
        lc_json_bool(w, "required", true);
    if (optional)
        lc_json_bool(w, "optional", true);
    if (computed)
        lc_json_bool(w, "computed", true);
}

/* Must agree with nesting_of in flags.c, which makes the same schema in memory. */
static const char *nesting(lc_cfn_form form)
{
    return form == LC_CFN_OBJECT ? "single"
           : form == LC_CFN_MAP  ? "map"
           : form == LC_CFN_SET  ? "set"
                                 : "list";
}

static void add_type(writer *w, const lc_cfn_shape *shape)
{
    const lc_cfn_shape *object = shape->element ? shape->element : shape;
    if (object->form != LC_CFN_OBJECT) {
        lc_typejson_encode(lc_json_value(&w->json, "type"), shape->type);
        return;
    }
    lc_json_object(&w->json, "nested_type");
    add_attributes(w, object, NULL);
    lc_json_c(&w->json, "nesting_mode", nesting(shape->form));
    lc_json_end_object(&w->json);
}

static void add_attribute(writer *w, const lc_cfn_property *p)
{
    lc_json_key(&w->json, p->attribute);
    lc_json_object(&w->json, NULL);
    add_type(w, p->shape);
    add_description(&w->json, p->description);
    if (w->data)
        add_flags(&w->json, false, false, true);
    else
        add_flags(&w->json, p->required, p->optional, p->computed);
    lc_json_end_object(&w->json);
}

static void add_string(lc_json *w, const char *name, const char *type, const char *description,
                       bool required)
{
    lc_json_object(w, name);
    lc_json_raw(w, "type", lc_str_from_c(type));
    add_description(w, lc_str_from_c(description));
    add_flags(w, required, false, !required);
    lc_json_end_object(w);
}

/* `id` is the description of the attribute `id`, which only the root object has. */
static void add_attributes(writer *w, const lc_cfn_shape *object, const char *id)
{
    lc_json_object(&w->json, "attributes");
    for (size_t i = 0; i < object->slot_count; i++) {
        if (object->by_slot[i])
            add_attribute(w, object->by_slot[i]);
        else
            add_string(&w->json, "id", "\"string\"", id, w->data);
    }
    lc_json_end_object(&w->json);
}

static void begin_schema(lc_json *w, lc_str name, int version)
{
    lc_json_key(w, name);
    lc_json_object(w, NULL);
    lc_json_int(w, "version", version);
    lc_json_object(w, "block");
}

static void end_schema(lc_json *w, lc_str description)
{
    add_description(w, description);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

#define ID_DESCRIPTION "Uniquely identifies the resource."

static void add_resource(writer *w, const lc_cfn_type *t)
{
    lc_buf text = {0};
    begin_schema(&w->json, t->terraform_name, w->data ? 0 : 1);
    add_attributes(w, t->root, ID_DESCRIPTION);
    if (w->data)
        lc_buf_printf(&text, "Data Source schema for %.*s", LC_FMT(t->name));
    end_schema(&w->json, w->data ? lc_buf_str(&text) : t->description);
    lc_buf_release(&text);
}

static void add_plural(lc_json *w, const lc_cfn_type *t)
{
    lc_buf text = {0};
    begin_schema(w, t->plural_name, 0);
    lc_json_object(w, "attributes");
    add_string(w, "id", "\"string\"", "Uniquely identifies the data source.", false);
    add_string(w, "ids", "[\"set\",\"string\"]", "Set of Resource Identifiers.", false);
    lc_json_end_object(w);
    lc_buf_printf(&text, "Plural Data Source schema for %.*s", LC_FMT(t->name));
    end_schema(w, lc_buf_str(&text));
    lc_buf_release(&text);
}

/* One member of a group of schemas: a type, and whether its plural data source is meant. */
typedef struct entry {
    const lc_cfn_type *type;
    lc_str name;
    bool plural;
} entry;

LC_ORDER_BY_STR(by_name, entry, name)

static void add_group(writer *w, const char *key, entry *entries, size_t count)
{
    if (count)
        qsort(entries, count, sizeof *entries, by_name);
    lc_json_object(&w->json, key);
    for (size_t i = 0; i < count; i++) {
        /* The same type given twice is written once. */
        if (i && lc_str_eq(entries[i].name, entries[i - 1].name))
            continue;
        if (entries[i].plural)
            add_plural(&w->json, entries[i].type);
        else
            add_resource(w, entries[i].type);
    }
    lc_json_end_object(&w->json);
}

/* The schema of the provider's configuration, without attributes: only the resource types are
 * known. */
static void add_provider(lc_json *w)
{
    lc_json_object(w, "provider");
    lc_json_uint(w, "version", 0);
    lc_json_object(w, "block");
    add_description(w, LC_STR_EMPTY);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void add_schemas(writer *w, entry *resources, size_t resource_count, entry *data,
                        size_t data_count)
{
    lc_json_object(&w->json, NULL);
    lc_json_c(&w->json, "format_version", "1.0");
    lc_json_object(&w->json, "provider_schemas");
    lc_json_object(&w->json, "registry.terraform.io/hashicorp/awscc");
    add_provider(&w->json);
    add_group(w, "resource_schemas", resources, resource_count);
    w->data = true;
    add_group(w, "data_source_schemas", data, data_count);
    lc_json_end_object(&w->json);
    lc_json_end_object(&w->json);
    lc_json_end_object(&w->json);
}

void lc_cfn_add_document(lc_buf *out, const lc_cfn_type *const *types, size_t count)
{
    lc_arena *arena = lc_arena_new();
    entry *resources = LC_NEW_ARRAY(arena, entry, count);
    entry *data = LC_NEW_ARRAY(arena, entry, lc_mul_size(count, 2));
    size_t resource_count = 0, data_count = 0;
    writer w = {.json = {.out = out, .html = true}};
    for (size_t i = 0; i < count; i++) {
        const lc_cfn_type *t = types[i];
        if (t->resource)
            resources[resource_count++] = (entry){t, t->terraform_name, false};
        if (t->data)
            data[data_count++] = (entry){t, t->terraform_name, false};
        if (t->plural)
            data[data_count++] = (entry){t, t->plural_name, true};
    }
    add_schemas(&w, resources, resource_count, data, data_count);
    lc_arena_free(arena);
}
