/* Recorded type constraints: the variable block of a line, and what becomes of the values that the
 * variable is given. */
#include "constraints.h"
#include "expressions.h"
#include "files.h"
#include "marked.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/configuration/variable.h"

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
    vectors_result result = vectors_evaluate_text(arena, s, text);
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

void vectors_constraint_answer(lc_buf *out, lc_arena *arena, const lc_node *line)
{
    for (size_t i = 0; i < 2; i++) {
        lc_configuration config;
        vectors_scope s;
        lc_json w = {.out = out};
        lc_profile profile = vectors_clients[i].profile;
        vectors_scope_make(&s, arena, profile, line);
        vectors_file_read(&config, arena, profile, "x.tf", lc_node_text(line, "text"));
        lc_buf_printf(out, ",\"%s\":", vectors_clients[i].name);
        if (config.root && config.root->variables.count && !vectors_file_refused(&config)) {
            write_variable(&w, arena, &s, line, config.root->variables.items[0]);
            continue;
        }
        lc_json_object(&w, NULL);
        vectors_file_errors(&w, arena, &config, false);
        lc_json_end_object(&w);
    }
}
