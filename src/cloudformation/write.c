/* Derived schemas as documents, and as a listing that gives the reason for every flag. */
#include "lifecheck/arena.h"
#include "lifecheck/cloudformation.h"
#include "lifecheck/codec.h"

#include <stdlib.h>
#include <string.h>

/* ---- Documents, in the order of members that the clients write. */

typedef struct writer {
    lc_buf *out;
    bool data;
} writer;

static void add_attributes(writer *w, const lc_cfn_shape *object, const char *id);

static void add_description(lc_buf *out, lc_str text)
{
    if (text.len) {
        lc_buf_add_c(out, "\"description\":");
        lc_buf_add_json(out, text, true);
        lc_buf_add_char(out, ',');
    }
    lc_buf_add_c(out, "\"description_kind\":\"plain\"");
}

static void add_flags(lc_buf *out, bool required, bool optional, bool computed)
{
    if (required)
        lc_buf_add_c(out, ",\"required\":true");
    if (optional)
        lc_buf_add_c(out, ",\"optional\":true");
    if (computed)
        lc_buf_add_c(out, ",\"computed\":true");
}

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
        lc_buf_add_c(w->out, "\"type\":");
        lc_typejson_encode(w->out, shape->type);
        return;
    }
    lc_buf_add_c(w->out, "\"nested_type\":{\"attributes\":{");
    add_attributes(w, object, NULL);
    lc_buf_printf(w->out, "},\"nesting_mode\":\"%s\"}", nesting(shape->form));
}

static void add_attribute(writer *w, const lc_cfn_property *p)
{
    lc_buf_add_json(w->out, p->attribute, true);
    lc_buf_add_c(w->out, ":{");
    add_type(w, p->shape);
    lc_buf_add_char(w->out, ',');
    add_description(w->out, p->description);
    if (w->data)
        add_flags(w->out, false, false, true);
    else
        add_flags(w->out, p->required, p->optional, p->computed);
    lc_buf_add_char(w->out, '}');
}

static void add_string(lc_buf *out, const char *name, const char *type, const char *description,
                       bool required)
{
    lc_buf_printf(out, "\"%s\":{\"type\":%s,", name, type);
    add_description(out, lc_str_from_c(description));
    add_flags(out, required, false, !required);
    lc_buf_add_char(out, '}');
}

static void add_attributes(writer *w, const lc_cfn_shape *object, const char *id)
{
    for (size_t i = 0; i < object->slot_count; i++) {
        if (i)
            lc_buf_add_char(w->out, ',');
        if (object->by_slot[i])
            add_attribute(w, object->by_slot[i]);
        else
            add_string(w->out, "id", "\"string\"", id, w->data);
    }
}

static void begin_schema(lc_buf *out, lc_str name, int version)
{
    lc_buf_add_json(out, name, true);
    lc_buf_printf(out, ":{\"version\":%d,\"block\":{\"attributes\":{", version);
}

static void end_schema(lc_buf *out, lc_str description)
{
    lc_buf_add_c(out, "},");
    add_description(out, description);
    lc_buf_add_c(out, "}}");
}

#define ID_DESCRIPTION "Uniquely identifies the resource."

static void add_resource(lc_buf *out, const lc_cfn_type *t, bool data)
{
    writer w = {out, data};
    lc_buf text = {0};
    begin_schema(out, t->terraform_name, data ? 0 : 1);
    add_attributes(&w, t->root, ID_DESCRIPTION);
    if (data)
        lc_buf_printf(&text, "Data Source schema for %.*s", LC_FMT(t->name));
    end_schema(out, data ? lc_buf_str(&text) : t->description);
    lc_buf_release(&text);
}

static void add_plural(lc_buf *out, const lc_cfn_type *t)
{
    lc_buf text = {0};
    begin_schema(out, t->plural_name, 0);
    add_string(out, "id", "\"string\"", "Uniquely identifies the data source.", false);
    lc_buf_add_char(out, ',');
    add_string(out, "ids", "[\"set\",\"string\"]", "Set of Resource Identifiers.", false);
    lc_buf_printf(&text, "Plural Data Source schema for %.*s", LC_FMT(t->name));
    end_schema(out, lc_buf_str(&text));
    lc_buf_release(&text);
}

/* One entry of a group: a type and which of its schemas. */
typedef struct entry {
    const lc_cfn_type *type;
    lc_str name;
    bool plural;
} entry;

static int by_name(const void *a, const void *b)
{
    return lc_str_cmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static void add_group(lc_buf *out, entry *entries, size_t count, bool data)
{
    if (count)
        qsort(entries, count, sizeof *entries, by_name);
    for (size_t i = 0; i < count; i++) {
        /* The same type given twice is one. */
        if (i && lc_str_eq(entries[i].name, entries[i - 1].name))
            continue;
        if (i)
            lc_buf_add_char(out, ',');
        if (entries[i].plural)
            add_plural(out, entries[i].type);
        else
            add_resource(out, entries[i].type, data);
    }
}

void lc_cfn_add_document(lc_buf *out, const lc_cfn_type *const *types, size_t count)
{
    lc_arena *arena = lc_arena_new();
    entry *resources = LC_NEW_ARRAY(arena, entry, count);
    entry *data = LC_NEW_ARRAY(arena, entry, lc_mul_size(count, 2));
    size_t resource_count = 0, data_count = 0;
    for (size_t i = 0; i < count; i++) {
        const lc_cfn_type *t = types[i];
        if (t->resource)
            resources[resource_count++] = (entry){t, t->terraform_name, false};
        if (t->data)
            data[data_count++] = (entry){t, t->terraform_name, false};
        if (t->plural)
            data[data_count++] = (entry){t, t->plural_name, true};
    }
    lc_buf_add_c(out, "{\"format_version\":\"1.0\",\"provider_schemas\":{"
                      "\"registry.terraform.io/hashicorp/awscc\":{\"provider\":{\"version\":0,"
                      "\"block\":{\"description_kind\":\"plain\"}},\"resource_schemas\":{");
    add_group(out, resources, resource_count, false);
    lc_buf_add_c(out, "},\"data_source_schemas\":{");
    add_group(out, data, data_count, true);
    lc_buf_add_c(out, "}}}}");
    lc_arena_free(arena);
}
