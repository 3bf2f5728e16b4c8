/* What value, schema and contract say of the recorded inputs: no second implementation here, only
 * decoding, calling and writing down. */
#include "lifecycle.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/schema/schema.h"

static const lc_value *decode(lc_arena *arena, const lc_node *line, const char *member,
                              const lc_type *type)
{
    const lc_node *node = lc_node_get(line, member);
    lc_str bytes;
    size_t at;
    const lc_value *value = NULL;
    lc_wire_result result;
    if (!node || !lc_base64_decode(&bytes, arena, node->as.text, &at) ||
        !lc_msgpack_decode(&value, arena, bytes, type, &result))
        return NULL;
    return value;
}

static void add_step(lc_buf *out, const lc_step *step)
{
    if (step->kind == LC_STEP_ATTR || (step->kind == LC_STEP_KEY && step->index)) {
        lc_buf_add_c(out, "{\"attr\":");
        lc_buf_add_json(out, step->name, false);
    } else if (step->kind == LC_STEP_INDEX) {
        lc_buf_printf(out, "{\"index\":\"%llu\"", (unsigned long long)step->index);
    } else if (step->kind == LC_STEP_KEY) {
        lc_buf_add_c(out, "{\"key\":");
        lc_buf_add_json(out, step->name, false);
    } else {
        lc_buf_add_c(out, "{\"set\":true");
    }
    lc_buf_add_char(out, '}');
}

static void add_errors(lc_buf *out, const char *name, const lc_core_errors *errors)
{
    lc_buf_printf(out, ",\"%s\":", name);
    if (errors->crash) {
        lc_buf_add_c(out, "{\"panic\":true}");
        return;
    }
    lc_buf_add_c(out, "{\"errors\":[");
    for (size_t i = 0; i < errors->count; i++) {
        const lc_core_error *error = &errors->items[i];
        lc_buf_add_c(out, i ? ",{\"path\":[" : "{\"path\":[");
        for (size_t k = 0; k < error->path.count; k++) {
            if (k)
                lc_buf_add_char(out, ',');
            add_step(out, &error->path.steps[k]);
        }
        lc_buf_add_c(out, "],\"tmpl\":");
        lc_buf_add_json(out, error->template, false);
        lc_buf_add_c(out, ",\"msg\":");
        lc_buf_add_json(out, error->message, false);
        lc_buf_add_char(out, '}');
    }
    lc_buf_add_c(out, "]}");
}

static void add_value(lc_buf *out, const char *name, const lc_value *value, const lc_type *type,
                      const char *more)
{
    lc_buf_printf(out, ",\"%s\":", name);
    if (!value) {
        lc_buf_add_c(out, "{\"panic\":true}");
        return;
    }
    lc_buf bytes = {0};
    lc_msgpack_encode(&bytes, value, type);
    lc_buf_add_c(out, "{\"value\":\"");
    lc_base64_encode(out, lc_buf_str(&bytes));
    lc_buf_printf(out, "\"%s}", more);
    lc_buf_release(&bytes);
}

static void answer_compatible(lc_buf *out, lc_arena *arena, const lc_block *block,
                              const lc_node *line)
{
    const lc_value *planned = decode(arena, line, "planned", block->implied);
    const lc_value *actual = decode(arena, line, "actual", block->implied);
    if (!planned || !actual)
        return;
    for (int marked = 0; marked < 2; marked++) {
        lc_core_errors errors[LC_CORE_COUNT];
        lc_core_compatible(errors, arena, block, planned, actual, marked);
        add_errors(out, marked ? "ot_marked" : "ot", &errors[LC_OPENTOFU]);
        add_errors(out, marked ? "tf_marked" : "tf", &errors[LC_TERRAFORM]);
    }
}

static void answer_plan(lc_buf *out, lc_arena *arena, const lc_block *block, const lc_node *line)
{
    const lc_value *prior = decode(arena, line, "prior", block->implied);
    const lc_value *config = decode(arena, line, "config", block->implied);
    const lc_value *planned = decode(arena, line, "planned", block->implied);
    if (!prior || !config || !planned)
        return;
    lc_core_errors errors[LC_CORE_COUNT];
    lc_core_plan_valid(errors, arena, block, prior, config, planned);
    add_errors(out, "ot", &errors[LC_OPENTOFU]);
    add_errors(out, "tf", &errors[LC_TERRAFORM]);
}

static void answer_proposed(lc_buf *out, lc_arena *arena, const lc_block *block,
                            const lc_node *line, bool data)
{
    const lc_value *config = decode(arena, line, "config", block->implied);
    const lc_value *prior = data ? NULL : decode(arena, line, "prior", block->implied);
    if (!config || (!data && !prior))
        return;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        const lc_value *value = data ? lc_planned_data(arena, (lc_core)core, block, config)
                                     : lc_proposed_new(arena, (lc_core)core, block, prior, config);
        add_value(out, core == LC_OPENTOFU ? "ot" : "tf", value, block->implied, "");
    }
}

static void answer_normalize(lc_buf *out, lc_arena *arena, const lc_block *block,
                             const lc_node *line)
{
    const lc_value *value = decode(arena, line, "value", block->implied);
    if (!value)
        return;
    const lc_value *normal = lc_normalize_legacy(arena, block, value);
    bool changed = normal && !lc_value_raw_equal(normal, value);
    const char *more = changed ? ",\"changed\":true" : ",\"changed\":false";
    add_value(out, "ot", normal, block->implied, more);
    add_value(out, "tf", normal, block->implied, more);
}

bool vectors_lifecycle_answer(lc_buf *out, lc_arena *arena, const lc_source *source,
                              const lc_node *line, lc_str fn)
{
    static const char *const known[] = {"plan_valid", "compatible", "proposed_new", "planned_data",
                                        "normalize_legacy"};
    size_t which = 0;
    while (which < 5 && !lc_str_is(fn, known[which]))
        which++;
    if (which == 5)
        return false;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    const lc_schema *schema;
    const lc_node *node = lc_node_get(line, "schema");
    if (!node || lc_schema_from_node(&schema, arena, source, node, LC_KIND_RESOURCE, LC_STR_EMPTY,
                                     &diags) != LC_OK)
        return true;
    if (which == 0)
        answer_plan(out, arena, schema->block, line);
    else if (which == 1)
        answer_compatible(out, arena, schema->block, line);
    else if (which == 4)
        answer_normalize(out, arena, schema->block, line);
    else
        answer_proposed(out, arena, schema->block, line, which == 3);
    return true;
}
