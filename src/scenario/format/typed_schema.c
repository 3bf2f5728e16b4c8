/* Values of one resource type as a JSON Schema, for `lifecheck schema scenario --type`: attributes,
 * blocks and nested types, with their descriptions.
 *
 * Markers are allowed everywhere. With a $-key, or with a tag before a mapping, a marker is a
 * mapping; an editor sees a tagged scalar as text. Nothing is required, because values of a plan
 * or state are often written in part. Recursion is bounded by the readers of schemas and types. */
#include "lifecheck/base/bug.h"
#include "scenario/internal.h"

#include <string.h>

/* Strings for scalars, in addition to those for markers. A word in small letters is not taken for
 * base64: it is a mistake. */
#define JSON_TEXT "^\\\\s*([\\\\[{\\\"]|null$)"
#define BASE64    "^(?=.*[A-Z0-9+/=])([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
#define SCALAR(type, text, message)                                                                \
    "{\"if\":{\"type\":\"object\"},\"then\":{\"$ref\":\"#/$defs/marked-scalar\"},\"else\":"        \
    "{\"type\":[\"" type "\",\"null\",\"string\"],\"pattern\":\"^$|" text "|" JSON_TEXT "|" BASE64 \
    "\",\"patternErrorMessage\":\"" message "\"}}"

static const struct {
    const char *name, *json;
} fixed[] = {
    {"string-value", "{\"if\":{\"type\":\"object\"},\"then\":{\"$ref\":\"#/$defs/marked-scalar\"},"
                     "\"else\":{\"type\":[\"string\",\"number\",\"boolean\",\"null\"]}}"},
    {"number-value", SCALAR("number", "^[-+]?[0-9][0-9.eE+-]*$", "a number, or a marker")},
    {"bool-value", SCALAR("boolean", "^(true|false)$", "true, false, or a marker")},
};

/* The keys of !unknown {...} that a value of this kind can have in addition to not_null. */
static const struct {
    const char *name, *keys;
} marked[] = {
    {"marked-scalar", ",\"prefix\":true,\"min\":true,\"max\":true"},
    {"marked-collection", ",\"min_length\":true,\"max_length\":true"},
    {"marked-object", ""},
};

/* ---- Markers. */

static void add_marker_keys(lc_json *w)
{
    lc_buf key = {0};
    lc_json_object(w, NULL);
    lc_json_c(w, "type", "object");
    lc_json_object(w, "properties");
    for (int m = LC_MARKER_UNKNOWN; m < LC_MARKER_FOREIGN; m++) {
        lc_buf_clear(&key);
        lc_buf_printf(&key, "$%s", lc_marker_name((lc_marker)m));
        lc_json_key(w, lc_buf_str(&key));
        lc_json_bool(w, NULL, true);
    }
    lc_json_end_object(w);
    lc_json_bool(w, "additionalProperties", false);
    lc_json_uint(w, "minProperties", 1);
    lc_json_uint(w, "maxProperties", 1);
    lc_json_end_object(w);
    lc_buf_release(&key);
}

static void add_marked(lc_json *w, const char *name, const char *keys)
{
    lc_buf refined = {0};
    lc_buf_printf(&refined,
                  "{\"type\":\"object\",\"minProperties\":1,\"properties\":{\"not_null\":true%s},"
                  "\"additionalProperties\":false}",
                  keys);
    lc_json_object(w, name);
    lc_json_array(w, "anyOf");
    add_marker_keys(w);
    lc_json_raw(w, NULL,
                LC_STR("{\"type\":\"object\",\"required\":[\"type\",\"value\"],"
                       "\"maxProperties\":2}"));
    lc_json_raw(w, NULL, lc_buf_str(&refined));
    lc_json_end_array(w);
    lc_json_end_object(w);
    lc_buf_release(&refined);
}

void lc_typed_definitions(lc_json *w)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        lc_json_raw(w, fixed[i].name, lc_str_from_c(fixed[i].json));
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        add_marked(w, marked[i].name, marked[i].keys);
}

/* Begins the `else` of a test for this mark. The caller ends both objects. */
static void begin_unmarked(lc_json *w, const char *mark, const char *type)
{
    lc_buf target = {0};
    lc_buf_printf(&target, "#/$defs/%s", mark);
    lc_json_object(w, "if");
    lc_json_str(w, "$ref", lc_buf_str(&target));
    lc_json_end_object(w);
    lc_json_object(w, "else");
    lc_json_array(w, "type");
    lc_json_c(w, NULL, type);
    lc_json_c(w, NULL, "null");
    lc_json_c(w, NULL, "string");
    lc_json_end_array(w);
    lc_json_raw(w, "pattern", LC_STR("\"" LC_MARKED_TEXT "\""));
    lc_json_c(w, "patternErrorMessage",
              strcmp(type, "array") == 0 ? "a list, or a marker" : "a mapping, or a marker");
    lc_buf_release(&target);
}

static void begin_fields(lc_json *w)
{
    begin_unmarked(w, "marked-object", "object");
    lc_json_object(w, "properties");
}

static void end_fields(lc_json *w)
{
    lc_json_end_object(w);
    lc_json_bool(w, "additionalProperties", false);
    lc_json_end_object(w);
}

/* ---- Types. The caller has begun the object and ends it. */

static void add_type(lc_json *w, const lc_type *type);

static void add_elements(lc_json *w, const lc_type *type, const char *json_type, const char *key)
{
    begin_unmarked(w, "marked-collection", json_type);
    lc_json_object(w, key);
    add_type(w, type->as.elem);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void add_object_type(lc_json *w, const lc_type *type)
{
    begin_fields(w);
    for (uint32_t i = 0; i < type->count; i++) {
        lc_json_key(w, type->as.attrs[i].name);
        lc_json_object(w, NULL);
        add_type(w, type->as.attrs[i].type);
        lc_json_end_object(w);
    }
    end_fields(w);
}

static void add_type(lc_json *w, const lc_type *type)
{
    switch (type->kind) {
    case LC_TYPE_STRING:
        lc_json_c(w, "$ref", "#/$defs/string-value");
        return;
    case LC_TYPE_NUMBER:
        lc_json_c(w, "$ref", "#/$defs/number-value");
        return;
    case LC_TYPE_BOOL:
        lc_json_c(w, "$ref", "#/$defs/bool-value");
        return;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        add_elements(w, type, "array", "items");
        return;
    case LC_TYPE_MAP:
        add_elements(w, type, "object", "additionalProperties");
        return;
    case LC_TYPE_TUPLE:
        begin_unmarked(w, "marked-collection", "array");
        lc_json_end_object(w);
        return;
    case LC_TYPE_OBJECT:
        add_object_type(w, type);
        return;
    case LC_TYPE_DYNAMIC:
        return;
    }
    LC_UNREACHABLE();
}

/* ---- Attributes and blocks. */

static void add_attributes(lc_json *w, const lc_attribute *attributes, size_t count);

/* Objects in the nesting of the mode; `fields` writes the properties of one of them. */
static void add_nesting(lc_json *w, lc_nesting nesting,
                        void (*fields)(lc_json *w, const void *context), const void *context)
{
    bool map = nesting == LC_NESTING_MAP, list = nesting == LC_NESTING_LIST;
    bool many = map || list || nesting == LC_NESTING_SET;
    if (nesting == LC_NESTING_INVALID)
        return;
    if (many) {
        begin_unmarked(w, "marked-collection", map ? "object" : "array");
        lc_json_object(w, map ? "additionalProperties" : "items");
    }
    begin_fields(w);
    fields(w, context);
    end_fields(w);
    if (many) {
        lc_json_end_object(w);
        lc_json_end_object(w);
    }
}

static void nested_fields(lc_json *w, const void *context)
{
    const lc_nested_type *nested = context;
    add_attributes(w, nested->attributes, nested->attribute_count);
}

/* Editors show the title as a heading, and the description below it and next to completions. */
static void add_heading(lc_json *w, lc_str name, lc_buf *facts, lc_str description)
{
    lc_json_str(w, "title", name);
    if (description.len)
        lc_buf_printf(facts, "\n\n%.*s", LC_FMT(description));
    lc_json_str(w, "description", lc_buf_str(facts));
    lc_buf_release(facts);
}

static void describe(lc_json *w, const lc_attribute *a)
{
    const struct {
        bool set;
        const char *word;
    } flags[] = {{a->required, "required"},     {a->optional, "optional"},
                 {a->computed, "computed"},     {a->sensitive, "sensitive"},
                 {a->write_only, "write-only"}, {a->deprecated, "deprecated"}};
    lc_buf facts = {0};
    if (a->nested)
        lc_buf_printf(&facts, "nested %s", lc_nesting_name(a->nested->nesting));
    else if (a->type)
        lc_type_add_text(&facts, a->type);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (flags[i].set)
            lc_buf_printf(&facts, ", %s", flags[i].word);
    }
    add_heading(w, a->name, &facts, a->description);
}

static void add_attributes(lc_json *w, const lc_attribute *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        lc_json_key(w, a->name);
        lc_json_object(w, NULL);
        describe(w, a);
        if (a->nested)
            add_nesting(w, a->nested->nesting, nested_fields, a->nested);
        else if (a->type)
            add_type(w, a->type);
        lc_json_end_object(w);
    }
}

static void block_fields(lc_json *w, const void *context)
{
    const lc_block *block = context;
    add_attributes(w, block->attributes, block->attribute_count);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        lc_buf facts = {0};
        lc_buf_printf(&facts, "%s block", lc_nesting_name(b->nesting));
        lc_json_key(w, b->name);
        lc_json_object(w, NULL);
        add_heading(w, b->name, &facts, b->block->description);
        add_nesting(w, b->nesting, block_fields, b->block);
        lc_json_end_object(w);
    }
}

void lc_typed_object(lc_json *w, const char *name, const lc_block *block)
{
    lc_json_object(w, name);
    add_nesting(w, LC_NESTING_SINGLE, block_fields, block);
    lc_json_end_object(w);
}

void lc_typed_identity(lc_json *w, const char *name, const lc_schema *schema)
{
    lc_json_object(w, name);
    begin_fields(w);
    add_attributes(w, schema->identity, schema->identity_count);
    end_fields(w);
    lc_json_end_object(w);
}
