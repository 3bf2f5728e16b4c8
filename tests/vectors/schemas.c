/* Answers to the schema lines of the vectors, computed by the module schema alone. A fault that
 * makes a core crash has no strings to compare, so the answer says `panic`. */
#include "schemas.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/schema/schema.h"

static void add_core(lc_buf *out, const lc_schema_problems *problems, bool opentofu)
{
    bool first = true, crash = false;
    lc_buf_add_c(out, "{\"errors\":[");
    for (size_t i = 0; i < problems->count; i++) {
        const lc_schema_problem *p = &problems->items[i];
        lc_str text = opentofu ? p->opentofu : p->terraform;
        crash |= opentofu ? p->opentofu_crash : p->terraform_crash;
        if (!text.len)
            continue;
        lc_buf_add_c(out, first ? "" : ",");
        lc_buf_add_json(out, text, false);
        first = false;
    }
    lc_buf_add_char(out, ']');
    lc_buf_add_c(out, crash ? ",\"panic\":true}" : "}");
}

static void add_problems(lc_buf *out, lc_arena *arena, const lc_schema *schema)
{
    lc_schema_problems problems = {0};
    lc_schema_validate(&problems, arena, schema);
    lc_buf_add_c(out, "\"ot\":");
    add_core(out, &problems, true);
    lc_buf_add_c(out, ",\"tf\":");
    add_core(out, &problems, false);
}

static void add_implied_type(lc_buf *out, const lc_schema *schema)
{
    lc_buf_add_c(out, "\"ot\":{\"type\":");
    lc_typejson_encode(out, schema->block->implied);
    lc_buf_add_c(out, "},\"tf\":{\"type\":");
    lc_typejson_encode(out, schema->block->implied);
    lc_buf_add_c(out, "}");
}

void vectors_schema_answer(lc_buf *out, lc_arena *arena, const lc_node *line, lc_str fn)
{
    static const char refused[] = "{\"error\":\"the schema cannot be read\"}";
    const lc_node *node = lc_node_get(line, "schema");
    const lc_schema *schema;
    lc_diags diags;
    lc_source source = {.json = true};
    lc_diags_init(&diags, arena);
    if (!node || lc_schema_from_node(&schema, arena, &source, node, LC_KIND_RESOURCE, LC_STR_EMPTY,
                                     &diags) != LC_OK)
        lc_buf_printf(out, "\"ot\":%s,\"tf\":%s", refused, refused);
    else if (lc_str_is(fn, "implied_type"))
        add_implied_type(out, schema);
    else
        add_problems(out, arena, schema);
}
