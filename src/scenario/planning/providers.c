/* The key `providers` of a scenario: a configuration (in JSON syntax or in short), states, expected
 * provider instances, and steps that are applied one after another. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/provider_config/provider_config.h"

#include <string.h>

enum {
    PROFILE,
    CONFIG,
    CONFIG_DIR,
    MODULES,
    REQUIRED,
    BLOCKS,
    USE,
    VARIABLES,
    WORKSPACE,
    STATE,
    STATE_FILE,
    NEXT_STATE,
    NEXT_STATE_FILE,
    PLAN,
    PLAN_FILE,
    READER,
    EXPECT,
    SEQUENCE,
};

static const lc_key_row rows[] = {
    {"profile", LC_SHAPE_PROFILE, false, "whose rules: document (default), opentofu or terraform"},
    {"config", LC_SHAPE_MAPPING, false, "the root module in JSON syntax"},
    {"config_dir", LC_SHAPE_TEXT, false, "a folder of *.tf.json files, or one of them"},
    {"modules", LC_SHAPE_MAPPING, false, "modules that `config` calls, by folder"},
    {"required", LC_SHAPE_MAPPING, false, "in short: sources of providers by local name"},
    {"blocks", LC_SHAPE_PROVIDER_BLOCKS, false, "in short: provider blocks"},
    {"use", LC_SHAPE_USERS, false, "in short: resources and modules that use them"},
    {"variables", LC_SHAPE_MAPPING, false, "values of the root module's variables"},
    {"workspace", LC_SHAPE_TEXT, false, ""},
    {"state", LC_SHAPE_PROVIDER_STATE, false,
     "provider addresses by object, or a state with resources"},
    {"state_file", LC_SHAPE_TEXT, false, ""},
    {"next_state", LC_SHAPE_PROVIDER_STATE, false, "what was written after applying"},
    {"next_state_file", LC_SHAPE_TEXT, false, ""},
    {"plan", LC_SHAPE_ANYTHING, false, "a plan as JSON"},
    {"plan_file", LC_SHAPE_TEXT, false, ""},
    {"reader", LC_SHAPE_TEXT, false, "the client that is to read the state, as terraform@1.11"},
    {"expect", LC_SHAPE_PROVIDER_EXPECT, false, "provider address by resource instance"},
    {"sequence", LC_SHAPE_STEPS, false, "configurations that are applied one after another"},
};
const lc_keyset lc_provider_keys = LC_KEYSET(rows);
#define KEYS (sizeof(rows) / sizeof(rows[0]))

typedef struct reading {
    lc_in *in;
    const lc_member *found[KEYS];
    lc_profile profile;
} reading;

static bool text_of(reading *r, int key, lc_str *out)
{
    *out = LC_STR_EMPTY;
    return !r->found[key] || lc_in_text(r->in, out, &r->found[key]->value, rows[key].name);
}

/* ---- Configurations. */

static const lc_node *node_of(const reading *r, int key)
{
    return r->found[key] ? &r->found[key]->value : NULL;
}

static lc_provider_model *read_model(reading *r)
{
    lc_config_nodes nodes = {node_of(r, CONFIG_DIR),
                             node_of(r, CONFIG),
                             node_of(r, MODULES),
                             {node_of(r, REQUIRED), node_of(r, BLOCKS), node_of(r, USE)}};
    lc_given_configuration *given = lc_in_configuration(r->in, &nodes, r->profile);
    if (!given || !text_of(r, WORKSPACE, &given->around.workspace) ||
        !lc_in_variables(r->in, given, node_of(r, VARIABLES)))
        return NULL;
    size_t errors = r->in->diags->errors;
    lc_provider_model *model = lc_provider_model_open(given, r->in->arena, r->in->diags);
    return r->in->diags->errors > errors ? NULL : model;
}

/* ---- States. */

static const lc_source *named_file(reading *r, int key)
{
    lc_str path;
    return text_of(r, key, &path) ? lc_in_json_file(r->in, path) : NULL;
}

/* NULL: it is not given, or cannot be read, which is reported. */
static lc_state_file *read_state(reading *r, int inline_key, int file_key)
{
    const lc_source *file;
    if (r->found[file_key]) {
        file = named_file(r, file_key);
        return file ? lc_state_read(r->in->arena, file, file->documents, r->in->diags) : NULL;
    }
    if (!r->found[inline_key])
        return NULL;
    const lc_node *node = &r->found[inline_key]->value;
    if (!lc_in_mapping(r->in, node, rows[inline_key].name))
        return NULL;
    node = lc_in_short_state(r->in, node, r->profile);
    return lc_state_read(r->in->arena, r->in->source, node, r->in->diags);
}

static const lc_node *read_plan(reading *r, const lc_source **source)
{
    if (r->found[PLAN]) {
        *source = r->in->source;
        return &r->found[PLAN]->value;
    }
    *source = r->found[PLAN_FILE] ? named_file(r, PLAN_FILE) : NULL;
    return *source ? (*source)->documents : NULL;
}

/* ---- What is expected. */

/* `null` expects that the object has no provider instance. */
static bool read_expected(reading *r, lc_provider_facts *facts)
{
    size_t errors = r->in->diags->errors;
    if (!r->found[EXPECT])
        return true;
    const lc_node *node = &r->found[EXPECT]->value;
    if (!lc_in_mapping(r->in, node, "expect"))
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        lc_provider_expected e = {m->key, LC_STR_EMPTY, lc_in_loc(r->in, &m->value)};
        if (m->value.kind == LC_NODE_NULL ||
            lc_in_text(r->in, &e.instance, &m->value, "an expected provider instance"))
            *LC_PUSH(r->in->arena, &facts->expected, lc_provider_expected) = e;
    }
    return r->in->diags->errors == errors;
}

/* ---- Steps. */

static lc_provider_model *read_step(lc_in *in, const lc_node *node, lc_profile profile)
{
    reading step = {.in = in, .profile = profile};
    return lc_in_keys(in, step.found, node, &lc_provider_keys, "a step") ? read_model(&step) : NULL;
}

/* The model of the last step. Problems of the earlier steps are added to it, since one case reports
 * them all. */
static lc_provider_model *read_steps(reading *r)
{
    const lc_node *list = &r->found[SEQUENCE]->value;
    lc_provider_model *model = NULL;
    if (!lc_in_sequence(r->in, list, "sequence"))
        return NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        lc_provider_model *next = read_step(r->in, &list->as.items[i], r->profile);
        if (!next)
            return NULL;
        if (model)
            lc_provider_check_step(model, next);
        /* `model` holds the problems of all earlier steps. */
        for (size_t k = 0; model && k < model->config->problems.count; k++)
            *LC_PUSH(r->in->arena, &next->config->problems, lc_config_problem) =
                model->config->problems.items[k];
        model = next;
    }
    if (!model)
        lc_diag_error(r->in->diags, lc_in_loc(r->in, list), "a sequence has steps");
    return model;
}

/* ---- Everything. */

/* At most one key of each pair is allowed. */
static bool check_pairs(reading *r)
{
    static const int pairs[][2] = {
        {CONFIG, CONFIG_DIR},   {CONFIG, BLOCKS},
        {CONFIG, USE},          {CONFIG, REQUIRED},
        {CONFIG_DIR, BLOCKS},   {CONFIG_DIR, USE},
        {CONFIG_DIR, REQUIRED}, {CONFIG_DIR, MODULES},
        {STATE, STATE_FILE},    {NEXT_STATE, NEXT_STATE_FILE},
        {PLAN, PLAN_FILE},      {SEQUENCE, CONFIG},
        {SEQUENCE, CONFIG_DIR}, {SEQUENCE, BLOCKS},
        {SEQUENCE, USE},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        const lc_member *second = r->found[pairs[i][1]];
        if (!r->found[pairs[i][0]] || !second)
            continue;
        lc_diag_error(r->in->diags, lc_in_key_loc(r->in, second),
                      "\"%s\" cannot be used together with \"%s\"", rows[pairs[i][1]].name,
                      rows[pairs[i][0]].name);
        ok = false;
    }
    return ok;
}

static bool read_reader(reading *r, lc_provider_reader *out)
{
    lc_str text;
    if (!r->found[READER] || (text_of(r, READER, &text) && lc_provider_reader_parse(out, text)))
        return true;
    lc_diag_error(r->in->diags, lc_in_loc(r->in, &r->found[READER]->value),
                  "a reader is terraform@1.11, opentofu@1.8 or the like");
    return false;
}

const lc_planning *lc_in_providers(lc_in *in, const lc_node *node)
{
    reading r = {.in = in, .profile = LC_PROFILE_DOCUMENT};
    size_t errors = in->diags->errors;
    if (!lc_in_keys(in, r.found, node, &lc_provider_keys, "providers") ||
        !lc_in_profile(in, &r.profile, node_of(&r, PROFILE), false) || !check_pairs(&r))
        return NULL;
    lc_provider_inputs inputs = {.has_sequence = r.found[SEQUENCE] != NULL};
    inputs.model = r.found[SEQUENCE] ? read_steps(&r) : read_model(&r);
    inputs.state = read_state(&r, STATE, STATE_FILE);
    inputs.next_state = read_state(&r, NEXT_STATE, NEXT_STATE_FILE);
    inputs.plan = read_plan(&r, &inputs.plan_source);
    if (in->diags->errors > errors || !inputs.model || !read_reader(&r, &inputs.reader))
        return NULL;
    lc_provider_facts *facts = lc_provider_facts_new(in->arena, &inputs);
    if (!read_expected(&r, facts))
        return NULL;
    return lc_provider_planning(in->arena, facts);
}
