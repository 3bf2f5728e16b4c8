/* Opens configurations (a folder or file, nodes in JSON syntax or in short form), and reads the
 * values of their variables. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/configuration/variable.h"

#include <string.h>

/* ---- Configurations. */

/* Files with errors of syntax cannot be judged. False: there are some. Like the clients, this then
 * reports everything that is wrong with the blocks of all files. */
static bool report_syntax(const lc_configuration *config, lc_diags *diags)
{
    bool clean = true;
    for (size_t i = 0; i < config->problems.count; i++)
        clean = clean && !config->problems.items[i].syntax;
    for (size_t i = 0; !clean && i < config->problems.count; i++) {
        const lc_config_problem *p = &config->problems.items[i];
        if (!p->warning)
            lc_config_diagnose(diags, p->place, p->summary, p->detail);
    }
    return clean;
}

/* Reads the configuration that a loader finds. */
static lc_given_configuration *read_modules(lc_arena *arena, lc_profile profile,
                                            const lc_config_loader *loader, lc_diags *diags)
{
    lc_given_configuration *given = LC_NEW(arena, lc_given_configuration);
    given->loader = *loader;
    given->config = LC_NEW(arena, lc_configuration);
    given->around.config = given->config;
    given->around.workspace = LC_STR_EMPTY;
    lc_table_init(&given->around.variables, arena);
    bool ok = lc_configuration_read(given->config, arena, profile, loader, diags) == LC_OK;
    return report_syntax(given->config, diags) && ok ? given : NULL;
}

lc_given_configuration *lc_configuration_open(lc_arena *arena, const lc_config_source *source,
                                              lc_diags *diags)
{
    lc_config_loader loader;
    bool ok = lc_config_dir_open(&loader, arena, source, diags);
    lc_given_configuration *given =
        ok ? read_modules(arena, source->profile, &loader, diags) : NULL;
    if (given)
        given->config->budget->memory = source->limits.memory;
    return given;
}

static lc_given_configuration *open_named(lc_in *in, const lc_node *dir, lc_profile profile)
{
    lc_str path;
    if (!lc_in_text(in, &path, dir, "config_dir"))
        return NULL;
    lc_config_source source = {lc_beside(in->arena, in->source->file, path),
                               lc_in_loc(in, dir),
                               profile,
                               in->values.limits,
                               {0}};
    return lc_configuration_open(in->arena, &source, in->diags);
}

lc_given_configuration *lc_in_configuration(lc_in *in, const lc_config_nodes *nodes,
                                            lc_profile profile)
{
    const lc_node *root = nodes->root, *modules = nodes->modules;
    lc_config_loader loader;
    if (nodes->dir)
        return open_named(in, nodes->dir, profile);
    if (!root && !lc_in_short_config(in, &root, &modules, &nodes->shorts))
        return NULL;
    if (modules && !lc_in_mapping(in, modules, "modules"))
        return NULL;
    lc_config_inline(&loader, in->arena, in->source, root, modules);
    return read_modules(in->arena, profile, &loader, in->diags);
}

bool lc_in_profile(lc_in *in, lc_profile *out, const lc_node *node, bool client)
{
    lc_str name;
    if (!node)
        return true;
    if (!lc_in_text(in, &name, node, "profile"))
        return false;
    if (lc_profile_from_name(out, name) && !(client && *out == LC_PROFILE_DOCUMENT))
        return true;
    if (client)
        return lc_in_refuse(in, node, "a profile is opentofu or terraform");
    lc_diag_error(in->diags, lc_in_loc(in, node),
                  "a profile is document, opentofu or terraform, not \"%.*s\"", LC_FMT(name));
    return false;
}

/* ---- Values of variables. */

/* With the values of all variables: opens the modules whose source depends on them. */
static bool open_computed(lc_given_configuration *given, lc_diags *diags)
{
    bool ok = lc_configuration_open_computed(given->config, &given->loader, &given->around,
                                             diags) == LC_OK;
    return report_syntax(given->config, diags) && ok;
}

bool lc_in_variables(lc_in *in, lc_given_configuration *given, const lc_node *node)
{
    if (node && !lc_in_mapping(in, node, "variables"))
        return false;
    lc_variables_from_folder(given);
    if (node)
        lc_variables_give(given->config, &given->around, in->source, node);
    return open_computed(given, in->diags);
}

/* Plans write variables as {"name": {"value": ...}}. */
static void give_of_plan(lc_given_configuration *given, lc_arena *arena, const lc_plan *plan)
{
    const lc_node *node = lc_node_get(plan->root, "variables");
    if (!node || node->kind != LC_NODE_MAPPING)
        return;
    lc_member *members = LC_NEW_ARRAY(arena, lc_member, node->count);
    lc_node values = {.kind = LC_NODE_MAPPING, .as.members = members};
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *variable = &node->as.members[i];
        const lc_node *value = lc_node_get(&variable->value, "value");
        if (value)
            members[values.count++] = (lc_member){variable->key, variable->where, *value};
    }
    lc_variables_give_written(&given->around, arena, plan->source, &values);
}

static void give_words(lc_given_configuration *given, const lc_str *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lc_variables_give_option(given->config, &given->around, words[i]);
}

/* The clients pass over variables of their environment that are not declared. */
static void give_environment(lc_given_configuration *given, const lc_str *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = memchr(words[i].ptr, '=', words[i].len);
        size_t at = equals ? (size_t)(equals - words[i].ptr) : words[i].len;
        lc_variables_give_text(given->config, &given->around, lc_str_sub(words[i], 0, at),
                               lc_str_sub(words[i], equals ? at + 1 : at, words[i].len), false);
    }
}

static bool give_file(lc_given_configuration *given, lc_arena *arena, lc_str path,
                      const lc_limits *limits, lc_diags *diags)
{
    lc_str text;
    lc_config_file file;
    if (lc_file_read(&text, arena, path, limits->input_bytes, diags) != LC_OK)
        return false;
    lc_config_file_parse(&file, arena, path, path, text);
    for (const lc_eval_error *e = file.errors; e; e = e->next)
        lc_config_diagnose(diags, e->place, e->summary, e->detail);
    lc_variables_give_file(given->config, &given->around, &file);
    return !file.errors;
}

static bool give_options(lc_given_configuration *given, lc_arena *arena,
                         const lc_variable_sources *from, const lc_limits *limits, lc_diags *diags)
{
    for (size_t i = 0; i < from->file_count; i++)
        if (!give_file(given, arena, from->files[i], limits, diags))
            return false;
    give_words(given, from->words, from->word_count);
    return true;
}

bool lc_variables_from_user(lc_given_configuration *given, lc_arena *arena,
                            const lc_variable_sources *from, const lc_limits *limits,
                            lc_diags *diags)
{
    give_environment(given, from->environment, from->environment_count);
    lc_variables_from_folder(given);
    return give_options(given, arena, from, limits, diags) && open_computed(given, diags);
}

/* A variable without a type gets a string from an option, and a number from a file. */
static bool same_text(lc_arena *arena, lc_marked a, lc_marked b)
{
    lc_str why;
    return lc_marked_convert(&a, arena, a, &lc_type_string, &why) &&
           lc_marked_convert(&b, arena, b, &lc_type_string, &why) &&
           lc_value_raw_equal(a.value, b.value);
}

/* Does a given value mean another one than the plan was made with? */
static bool contradicts(lc_arena *arena, const lc_config_variable *v, const lc_marked *given,
                        const lc_marked *used)
{
    lc_marked a, b;
    lc_eval_error trouble;
    return given && used && lc_variable_value(&a, arena, v, given, &trouble) &&
           lc_variable_value(&b, arena, v, used, &trouble) &&
           !lc_value_raw_equal(a.value, b.value) && !same_text(arena, a, b);
}

/* Problems in the environment or in files next to the configuration did not stop the client, as
 * there is a plan. */
bool lc_variables_of_plan(lc_given_configuration *given, lc_arena *arena, const lc_plan *plan,
                          const lc_variable_sources *from, const lc_limits *limits, lc_diags *diags)
{
    lc_table *values = &given->around.variables;
    size_t problems = given->config->problems.count;
    give_environment(given, from->environment, from->environment_count);
    lc_variables_from_folder(given);
    given->config->problems.count = problems;
    lc_table around = *values;
    lc_table_init(values, arena);
    if (!give_options(given, arena, from, limits, diags))
        return false;
    lc_table options = *values;
    lc_table_init(values, arena);
    give_of_plan(given, arena, plan);
    for (size_t i = 0; i < given->config->root->variables.count; i++) {
        const lc_config_variable *v = given->config->root->variables.items[i];
        lc_marked *used = lc_table_get(values, v->name), *option = lc_table_get(&options, v->name);
        if (contradicts(arena, v, option, used))
            lc_diag_warning(diags, (lc_loc){plan->source->file, 0, 0},
                            "the plan was made with another value of the variable %.*s than the "
                            "options give; that of the plan is used",
                            LC_FMT(v->name));
        lc_marked *other = option ? option : lc_table_get(&around, v->name);
        if (!used && other)
            lc_table_put(values, v->name, other);
    }
    return open_computed(given, diags);
}
