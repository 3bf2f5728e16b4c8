/* Recorded type constraints: the variable block of a line, and what becomes of the values that the
 * variable is given. */
#include "constraints.h"
#include "expressions.h"
#include "marked.h"
#include "native.h"

#include "lifecheck/arena.h"
#include "lifecheck/codec.h"
#include "lifecheck/core_message.h"
#include "lifecheck/json.h"
#include "lifecheck/variable.h"

typedef struct file {
    const lc_source *source;
    const lc_node *text;
} file;

static bool open_folder(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    const file *f = context;
    const lc_node *root = vectors_native(arena, f->text->as.text, f->text);
    lc_source *json = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    if (lc_json_parse(json, arena, LC_STR("x.tf.json"), f->text->as.text, &limits, &diags) == LC_OK)
        *LC_PUSH(arena, &out->files, lc_config_file) =
            (lc_config_file){LC_STR("x.tf.json"), json, &json->documents[0], false};
    else if (root)
        *LC_PUSH(arena, &out->files, lc_config_file) =
            (lc_config_file){LC_STR("x.tf.json"), f->source, root, false};
    return path.len == 0;
}

static void write_problems(lc_json *w, const lc_configuration *config)
{
    lc_json_object(w, NULL);
    lc_json_array(w, "error");
    for (size_t i = 0; i < config->problems.count; i++) {
        const lc_config_problem *p = &config->problems.items[i];
        lc_loc loc = p->place.source ? lc_source_pos_loc(p->place) : p->loc;
        if (p->warning)
            continue;
        lc_json_object(w, NULL);
        lc_json_str(w, "summary", p->summary);
        lc_json_uint(w, "line", loc.line);
        lc_json_uint(w, "column", loc.column);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
    lc_json_end_object(w);
}

static void write_value(lc_json *w, const char *key, const lc_config_variable *v,
                        const lc_marked *given)
{
    vectors_result result = {0};
    lc_arena *arena = lc_arena_new();
    result.ok = lc_variable_value(&result.value, arena, v, given, &result.trouble);
    lc_buf *out = lc_json_value(w, key);
    if (result.ok)
        vectors_result_write(out, &result, 0);
    else
        lc_buf_add_c(out, "{\"convert_error\":true}");
    lc_arena_free(arena);
}

/* The value of the expression, given to the variable. */
static void write_given(lc_json *w, lc_arena *arena, vectors_scope *s, const lc_config_variable *v,
                        lc_str text)
{
    vectors_result result = vectors_evaluate(arena, s, text);
    if (result.ok)
        write_value(w, NULL, v, &result.value);
    else
        vectors_result_write(lc_json_value(w, NULL), &result, 0);
}

static void write_variable(lc_json *w, lc_arena *arena, vectors_scope *s, const lc_node *line,
                           const lc_config_variable *v)
{
    const lc_type *type = v->constraint.type ? v->constraint.type : &lc_type_dynamic;
    const lc_node *values = lc_node_get(line, "values");
    lc_json_object(w, NULL);
    lc_typejson_encode(lc_json_value(w, "constraint"), type);
    lc_json_bool(w, "nullable", !v->not_nullable);
    lc_json_c(w, "parse", v->constraint.is_expression ? "expression" : "literal");
    if (v->initial) {
        vectors_result result = {.ok = true, .value = {lc_expr_constant(v->initial), NULL}};
        vectors_result_write(lc_json_value(w, "default"), &result, 0);
        write_value(w, "unset", v, NULL);
    }
    lc_json_array(w, "values");
    for (uint32_t i = 0; i < lc_node_item_count(values); i++)
        write_given(w, arena, s, v, values->as.items[i].as.text);
    lc_json_end_array(w);
    lc_json_end_object(w);
}

static bool has_errors(const lc_configuration *config)
{
    for (size_t i = 0; i < config->problems.count; i++)
        if (!config->problems.items[i].warning)
            return true;
    return false;
}

void vectors_constraint_answer(lc_buf *out, lc_arena *arena, const lc_source *source,
                               const lc_node *line)
{
    file f = {source, lc_node_get(line, "text")};
    lc_config_loader loader = {.context = &f, .open = open_folder};
    for (size_t i = 0; i < 2; i++) {
        lc_configuration config;
        lc_diags diags;
        vectors_scope s;
        lc_json w = {.out = out};
        lc_diags_init(&diags, arena);
        lc_buf_printf(out, ",\"%s\":", vectors_clients[i].name);
        vectors_scope_make(&s, arena, vectors_clients[i].profile, line);
        lc_status status =
            lc_configuration_read(&config, arena, vectors_clients[i].profile, &loader, &diags);
        if (status != LC_OK || has_errors(&config) || !config.root->variables.count)
            write_problems(&w, &config);
        else
            write_variable(&w, arena, &s, line, config.root->variables.items[0]);
    }
}
