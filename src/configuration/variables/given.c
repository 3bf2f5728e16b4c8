/* Values that users give for variables of the root module, and the cores' errors about them. */
#include "lifecheck/configuration/scope.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"

#include <string.h>

static void keep(lc_eval_context *around, lc_arena *arena, lc_str name, lc_marked value)
{
    lc_marked *kept = LC_NEW(arena, lc_marked);
    *kept = value;
    lc_table_put(&around->variables, name, kept);
}

/* A problem with the value of a variable. The cores look at values once all modules are loaded. */
static lc_config_problem *add_problem(lc_configuration *config, lc_str name, lc_source_pos place,
                                      lc_str summary, lc_str detail)
{
    lc_config_problem *p = lc_config_problem_add(config, place, "");
    p->summary = summary;
    p->detail = detail;
    p->address = name;
    p->stage = LC_STAGE_GRAPH;
    p->module = config->root;
    return p;
}

static void add_problems(lc_configuration *config, lc_str name, const lc_eval_error *errors)
{
    for (; errors; errors = errors->next)
        add_problem(config, name, errors->place, errors->summary, errors->detail);
}

static const lc_config_variable *declared(const lc_configuration *config, lc_str name)
{
    return lc_table_get(&config->root->variable, name);
}

/* A value in a file for a variable that the root module does not have. */
static void add_undeclared(lc_configuration *config, lc_str name, lc_source_pos place, bool warning)
{
    add_problem(config, name, place, LC_STR(LC_SUMMARY_UNDECLARED_VALUE),
                LC_STR("the root module declares no variable of this name"))
        ->warning = warning;
}

static bool literal(lc_marked *out, lc_arena *arena, const lc_source *source, const lc_node *node,
                    lc_eval_error *trouble)
{
    return lc_evaluate_constant(out, arena, lc_expr_literal(arena, source, node), trouble);
}

void lc_variables_give_written(lc_eval_context *around, lc_arena *arena, const lc_source *source,
                               const lc_node *values)
{
    for (uint32_t i = 0; i < lc_node_member_count(values); i++) {
        const lc_member *m = &values->as.members[i];
        lc_marked value;
        lc_eval_error trouble;
        if (literal(&value, arena, source, &m->value, &trouble))
            keep(around, arena, m->key, value);
    }
}

void lc_variables_give(lc_configuration *config, lc_eval_context *around, const lc_source *source,
                       const lc_node *values)
{
    for (uint32_t i = 0; i < lc_node_member_count(values); i++) {
        const lc_member *m = &values->as.members[i];
        lc_marked value;
        lc_eval_error trouble;
        if (!declared(config, m->key))
            add_undeclared(config, m->key, (lc_source_pos){source, m->where, 0}, true);
        else if (literal(&value, config->arena, source, &m->value, &trouble))
            keep(around, config->arena, m->key, value);
        else
            add_problems(config, m->key, &trouble);
    }
}

/* A file of values has arguments only. False: it has blocks, and gives no values. */
static bool refuse_blocks(lc_configuration *config, const lc_config_file *file)
{
    const lc_native_body *body = file->native;
    size_t declarations = 0;
    for (size_t i = 0; i < body->block_count; i++) {
        const lc_native_block *b = &body->blocks[i];
        if (!lc_str_is(b->type, "variable") || b->label_count != 1)
            continue;
        add_problem(config, b->labels[0].text, (lc_source_pos){file->source, 0, b->at.from},
                    LC_STR(LC_SUMMARY_DECLARATION_IN_VALUES),
                    LC_STR("a file of values has arguments, NAME = VALUE"));
        declarations++;
    }
    if (!declarations && body->block_count)
        add_problem(
            config, LC_STR_EMPTY, (lc_source_pos){file->source, 0, body->blocks[0].at.from},
            lc_str_printf(config->arena, LC_SUMMARY_UNEXPECTED_BLOCK, LC_FMT(body->blocks[0].type)),
            LC_STR("a file of values has arguments, NAME = VALUE"));
    return body->block_count == 0;
}

static void give_native(lc_configuration *config, lc_eval_context *around,
                        const lc_config_file *file)
{
    for (size_t i = 0; i < file->native->argument_count; i++) {
        const lc_native_argument *a = &file->native->arguments[i];
        lc_marked value;
        lc_eval_error trouble;
        if (!declared(config, a->name))
            add_undeclared(config, a->name, (lc_source_pos){file->source, 0, a->at.from}, true);
        else if (lc_evaluate_constant(&value, config->arena, a->expr, &trouble))
            keep(around, config->arena, a->name, value);
        else
            add_problems(config, a->name, &trouble);
    }
}

void lc_variables_give_file(lc_configuration *config, lc_eval_context *around,
                            const lc_config_file *file)
{
    if (file->root)
        lc_variables_give(config, around, file->source, file->root);
    if (file->native && refuse_blocks(config, file))
        give_native(config, around, file);
}

void lc_variables_give_text(lc_configuration *config, lc_eval_context *around, lc_str name,
                            lc_str text, bool must_be_declared)
{
    const lc_config_variable *v = declared(config, name);
    lc_marked value;
    lc_eval_error trouble;
    if (!v && must_be_declared)
        add_undeclared(config, name, (lc_source_pos){NULL, 0, 0}, false);
    if (!v)
        return;
    if (lc_variable_from_text(&value, config->arena, v, text, &trouble))
        keep(around, config->arena, name, value);
    else
        add_problems(config, name, &trouble);
}

void lc_variables_give_option(lc_configuration *config, lc_eval_context *around, lc_str option)
{
    const char *equals = memchr(option.ptr, '=', option.len);
    size_t at = equals ? (size_t)(equals - option.ptr) : 0;
    if (at)
        lc_variables_give_text(config, around, lc_str_sub(option, 0, at),
                               lc_str_sub(option, at + 1, option.len), true);
    else
        add_problem(config, LC_STR_EMPTY, (lc_source_pos){NULL, 0, 0},
                    LC_STR(LC_SUMMARY_VAR_OPTION), LC_STR("--var takes NAME=VALUE"));
}

void lc_variables_require(lc_configuration *config, const lc_eval_context *around)
{
    for (size_t i = 0; i < config->root->variables.count; i++) {
        const lc_config_variable *v = config->root->variables.items[i];
        if (!v->initial && !lc_table_get(&around->variables, v->name))
            add_problem(
                config, v->name, v->place, LC_STR(LC_SUMMARY_NO_VALUE),
                lc_str_printf(config->arena,
                              "it has no default, and no value is given; give one with --var "
                              "%.*s=VALUE or --var-file FILE",
                              LC_FMT(v->name)));
    }
}
