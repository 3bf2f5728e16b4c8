/* What stands under `planning` for the run model: a configuration, objects that are stored, answers
 * of providers, and what is expected of single objects. */
#include "input/forecast.h"
#include "input/planning_keys.h"

#include "lifecheck/arena.h"
#include "lifecheck/scope.h"

#include <string.h>

static const lc_key_row rows[] = {
    {"profile", LC_SHAPE_CLIENT, false, "whose rules"},
    {"config", LC_SHAPE_CONFIGURATION, false,
     "the root module in JSON syntax, or `resources` by address"},
    {"config_dir", LC_SHAPE_TEXT, false, "a folder of *.tf.json files, or one of them"},
    {"modules", LC_SHAPE_MAPPING, false, "modules that `config` calls, by folder"},
    {"variables", LC_SHAPE_MAPPING, false, "values of the root module's variables"},
    {"provider", LC_SHAPE_ANSWERS, false, "what the provider answers, by address"},
    {"expect", LC_SHAPE_PREDICTIONS, false, "what becomes of objects, by address"},
};
const lc_keyset lc_prediction_keys = LC_KEYSET(rows);

typedef struct answer {
    bool has_read, gone;
    const lc_value *planned, *read; /* or NULL */
    lc_path_list requires_replace;
} answer;

typedef struct world {
    lc_in *in;
    lc_plan_evidence *facts;
    const lc_node *mapping;
    lc_run_input *run;
    lc_run_priors *priors;
    lc_table answers;         /* address -> answer */
    lc_table drift;           /* of the plan, by address and deposed key */
    const lc_schema *builtin; /* when it was asked for */
    bool from_files;
} world;

static bool complain(world *w, const lc_node *at, const char *what)
{
    lc_diag_error(w->in->diags, lc_in_loc(w->in, at), "%s", what);
    return false;
}

static bool read_address(world *w, lc_address *out, lc_str text, uint64_t where)
{
    lc_str why;
    size_t at;
    if (lc_address_parse(out, w->in->arena, text, &why, &at))
        return true;
    lc_diag_error(w->in->diags, lc_where_loc(w->in->source, where), "this is no address: %.*s",
                  LC_FMT(why));
    return false;
}

/* ---- Schemas. */

static const lc_schema *schema_of(void *context, lc_resource_mode mode, lc_str type)
{
    world *w = context;
    lc_schema_kind kind = mode == LC_MODE_DATA ? LC_KIND_DATA : LC_KIND_RESOURCE;
    const lc_schema *given = NULL;
    if (w->facts->schema && mode != LC_MODE_EPHEMERAL)
        given = w->facts->schema(w->facts->schemas, kind, LC_STR_EMPTY, type);
    if (given || !lc_is_builtin(mode, type))
        return given;
    if (!w->builtin)
        w->builtin = lc_builtin_schema(w->in->arena);
    return w->builtin;
}

static const lc_value *read_value(world *w, const lc_node *node, const lc_address *address)
{
    const lc_schema *schema = schema_of(w, address->mode, address->type);
    lc_field field = {0};
    if (!schema || node->kind == LC_NODE_NULL)
        return NULL;
    lc_in_object(w->in, &field, node, schema, false);
    return lc_field_has_value(&field) ? field.value : NULL;
}

/* ---- Answers. */

static bool stored(void *context, lc_arena *arena, const lc_run_prior *prior,
                   const lc_schema *schema, const lc_value **out, lc_path_list *sensitive,
                   lc_str *error)
{
    const world *w = context;
    const lc_stored_value *object = prior->origin;
    *error = LC_STR_EMPTY;
    if (w->facts->state)
        return lc_run_stored_in_state(context, arena, prior, schema, out, sensitive, error);
    if (!w->facts->states_objects)
        return lc_run_stored_in_plan(context, arena, prior, schema, out, sensitive, error);
    *out = object->value;
    *sensitive = object->sensitive;
    return object->value != NULL;
}

static const answer *answer_to(const world *w, const lc_run_question *ask)
{
    return lc_table_get(&w->answers, ask->text);
}

/* A plan tells what its refresh found: what drifted, and what is not there any more. */
static void read_in_plan(const world *w, lc_run_question *ask)
{
    const lc_plan *plan = w->facts->plan;
    if (!plan || !w->facts->state)
        return;
    lc_str key = lc_plan_key(ask->arena, ask->text, ask->deposed);
    const lc_plan_change *drift = lc_table_get(&plan->drift_by_address, key);
    bool stored_there = lc_table_get(&plan->prior_by_address, key) != NULL;
    if (drift && drift->action == LC_PLAN_DELETE)
        ask->gone = true;
    else if (drift && drift->action == LC_PLAN_UPDATE)
        ask->known = false;
    else if (ask->deposed.len && plan->has_prior && !stored_there)
        ask->gone = true;
}

static void read_object(void *context, lc_run_question *ask)
{
    const answer *a = answer_to(context, ask);
    ask->known = ask->prior != NULL;
    ask->out = ask->prior;
    if (!a)
        read_in_plan(context, ask);
    if (!a || !a->has_read)
        return;
    ask->gone = a->gone;
    ask->out = a->read;
    ask->known = a->read != NULL;
}

/* Where the scenario says nothing: what is proposed, and what is computed is not known of a new
 * object. */
static const lc_value *as_proposed(const lc_run_question *ask)
{
    const lc_block *block = ask->schema->block;
    lc_value *elems = LC_NEW_ARRAY(ask->arena, lc_value, ask->proposed->count);
    memcpy(elems, ask->proposed->as.many.elems, ask->proposed->count * sizeof *elems);
    for (size_t i = 0; lc_is_null(ask->prior) && i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (a->computed && lc_is_null(&elems[a->slot]))
            lc_value_set_unknown(&elems[a->slot], a->implied);
    }
    lc_value object;
    lc_value_set_object(&object, ask->arena, block->implied, elems);
    return lc_value_new(ask->arena, &object);
}

static void plan_object(void *context, lc_run_question *ask)
{
    const answer *a = answer_to(context, ask);
    const world *w = context;
    if (!a && lc_is_builtin(ask->address.mode, ask->address.type)) {
        lc_builtin_plan(ask);
        return;
    }
    /* What really answered is in the plan that is given: nothing is made up beside it. */
    if (!a && w->facts->plan)
        lc_prediction_planned(w->facts->plan, ask);
    if (!a && (w->facts->plan || w->from_files) && !ask->assumed)
        return;
    bool again = lc_is_null(ask->prior) && a && a->requires_replace.count > 0;
    ask->known = true;
    ask->assumed = !a;
    ask->out = a && a->planned && !again ? a->planned : as_proposed(ask);
    if (a)
        ask->requires_replace = a->requires_replace;
}

static void import_object(void *context, lc_run_question *ask)
{
    const answer *a = answer_to(context, ask);
    const world *w = context;
    if (!a && lc_is_builtin(ask->address.mode, ask->address.type)) {
        lc_builtin_import(ask);
        return;
    }
    ask->gone = a && a->has_read && a->gone;
    ask->out = a ? a->read : NULL;
    ask->known = ask->out != NULL;
    if (!a && w->facts->plan)
        lc_prediction_read(w->facts->plan, ask);
}

static void read_data(void *context, lc_run_question *ask)
{
    const answer *a = answer_to(context, ask);
    const world *w = context;
    ask->out = a ? a->read : NULL;
    ask->known = ask->out != NULL;
    if (!a && w->facts->plan)
        lc_prediction_read(w->facts->plan, ask);
}

static const lc_key_row answer_rows[] = {
    {"planned", LC_SHAPE_OBJECT, false, "the planned object"},
    {"requires_replace", LC_SHAPE_PATHS, false, "paths that force a replace"},
    {"read", LC_SHAPE_READ_OBJECT, false, "the object as it is read or imported, or `gone`"},
};
const lc_keyset lc_answer_keys = LC_KEYSET(answer_rows);

static const lc_value *null_of(world *w, const lc_address *address)
{
    const lc_schema *schema = schema_of(w, address->mode, address->type);
    lc_value v;
    if (!schema)
        return NULL;
    lc_value_set_null(&v, schema->block->implied);
    return lc_value_new(w->in->arena, &v);
}

static bool read_answer(world *w, const lc_member *m)
{
    const lc_member *found[3];
    lc_address address;
    answer *a = LC_NEW(w->in->arena, answer);
    if (!read_address(w, &address, m->key, m->where) ||
        !lc_in_keys(w->in, found, &m->value, &lc_answer_keys, "an answer"))
        return false;
    if (found[0])
        a->planned = found[0]->value.kind == LC_NODE_NULL
                         ? null_of(w, &address)
                         : read_value(w, &found[0]->value, &address);
    if (found[1] &&
        !lc_in_path_list(w->in, &a->requires_replace, &found[1]->value, "requires_replace"))
        return false;
    a->has_read = found[2] != NULL;
    a->gone = found[2] && found[2]->value.kind == LC_NODE_STRING;
    if (found[2] && a->gone && !lc_str_is(found[2]->value.as.text, "gone"))
        return complain(w, &found[2]->value, "what is read is an object, or `gone`");
    if (found[2] && !a->gone)
        a->read = read_value(w, &found[2]->value, &address);
    lc_table_put(&w->answers, lc_address_text(w->in->arena, &address), a);
    return true;
}

static bool read_answers(world *w)
{
    const lc_node *node = lc_node_get(w->mapping, "provider");
    bool ok = true;
    if (!node)
        return true;
    if (!lc_in_mapping(w->in, node, "provider"))
        return false;
    for (uint32_t i = 0; i < node->count; i++)
        ok &= read_answer(w, &node->as.members[i]);
    return ok;
}

/* ---- What is stored. */

static const lc_key_row object_rows[] = {
    {"value", LC_SHAPE_OBJECT, false, "its value"},
    {"tainted", LC_SHAPE_FLAG, false, ""},
    {"create_before_destroy", LC_SHAPE_FLAG, false, "as it was stored"},
    {"skip_destroy", LC_SHAPE_FLAG, false, "as it was stored"},
    {"dependencies", LC_SHAPE_STRINGS, false, "addresses of resources, without keys"},
    {"sensitive", LC_SHAPE_PATHS, false, "paths that are stored as sensitive"},
    {"provider", LC_SHAPE_TEXT, false, "the address of its provider"},
    {"deposed", LC_SHAPE_STORED_OBJECTS, false, "objects that were set aside, by their keys"},
};
const lc_keyset lc_stored_object_keys = LC_KEYSET(object_rows);
#define OBJECT_KEYS (sizeof object_rows / sizeof *object_rows)

static bool read_flag(world *w, bool *out, const lc_member *m)
{
    return !m || lc_in_bool(w->in, out, &m->value, "a flag");
}

static bool read_dependencies(world *w, lc_run_prior *p, const lc_member *m)
{
    if (m && !lc_in_sequence(w->in, &m->value, "dependencies"))
        return false;
    for (uint32_t i = 0; m && i < m->value.count; i++) {
        const lc_node *item = &m->value.as.items[i];
        lc_address address;
        if (item->kind != LC_NODE_STRING)
            return complain(w, item, "a string is required here");
        if (!read_address(w, &address, item->as.text, item->where))
            return false;
        *LC_PUSH(w->in->arena, &p->dependencies.list, lc_address) = address;
    }
    return true;
}

static bool read_object_into(world *w, const lc_member **found, const lc_address *address,
                             lc_str deposed, lc_loc loc)
{
    lc_stored_value *object = LC_NEW(w->in->arena, lc_stored_value);
    lc_run_prior *p = lc_run_add_prior(w->priors, w->in->arena, address, deposed, object);
    p->loc = loc;
    if (!read_flag(w, &p->tainted, found[1]) ||
        !read_flag(w, &p->create_before_destroy, found[2]) ||
        !read_flag(w, &p->skip_destroy, found[3]) || !read_dependencies(w, p, found[4]))
        return false;
    if (found[5] && !lc_in_path_list(w->in, &object->sensitive, &found[5]->value, "sensitive"))
        return false;
    if (found[6] && !lc_in_text(w->in, &p->provider, &found[6]->value, "provider"))
        return false;
    if (found[0])
        object->value = read_value(w, &found[0]->value, address);
    return true;
}

static bool read_deposed(world *w, const lc_member *m, const lc_address *address)
{
    const lc_member *found[OBJECT_KEYS];
    if (!m)
        return true;
    if (!lc_in_mapping(w->in, &m->value, "deposed"))
        return false;
    for (uint32_t i = 0; i < m->value.count; i++) {
        const lc_member *d = &m->value.as.members[i];
        if (!lc_in_keys(w->in, found, &d->value, &lc_stored_object_keys, "an object") ||
            !read_object_into(w, found, address, d->key, lc_in_key_loc(w->in, d)))
            return false;
    }
    return true;
}

static bool read_instance(world *w, const lc_member *m)
{
    const lc_member *found[OBJECT_KEYS];
    lc_address address;
    if (!read_address(w, &address, m->key, m->where) ||
        !lc_in_keys(w->in, found, &m->value, &lc_stored_object_keys, "an object"))
        return false;
    /* Deposed objects alone: there is no current one. */
    bool current = !found[7] || m->value.count > 1;
    if (current && !read_object_into(w, found, &address, LC_STR_EMPTY, lc_in_key_loc(w->in, m)))
        return false;
    return read_deposed(w, found[7], &address);
}

static bool read_state(world *w)
{
    const lc_node *node = lc_node_get(w->mapping, "state");
    bool ok = true;
    w->run->priors = w->priors;
    if (w->facts->state) {
        lc_str refused;
        lc_core core = w->run->config->profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
        lc_run_priors_from_state(w->priors, w->in->arena, w->facts->state, core, &refused);
        w->run->outputs =
            lc_run_outputs_from_state(&w->run->output_count, w->in->arena, w->facts->state);
        return true;
    }
    if (!node && w->facts->plan)
        lc_run_priors_from_plan(w->priors, w->in->arena, w->facts->plan);
    if (!node)
        return true;
    if (!lc_in_mapping(w->in, node, "state"))
        return false;
    w->facts->states_objects = true;
    for (uint32_t i = 0; i < node->count; i++)
        ok &= read_instance(w, &node->as.members[i]);
    return ok;
}

/* ---- The configuration. */

static bool read_profile(world *w, lc_profile *out)
{
    const lc_node *node = lc_node_get(w->mapping, "profile");
    lc_str text = LC_STR("opentofu");
    if (w->facts->plan && w->facts->plan->by_terraform)
        text = LC_STR("terraform");
    if (node && !lc_in_text(w->in, &text, node, "profile"))
        return false;
    return (lc_profile_from_name(out, text) && *out != LC_PROFILE_DOCUMENT) ||
           complain(w, node, "a profile is opentofu or terraform");
}

/* In `config` resources may stand in short. */
static lc_given_configuration *read_config(world *w)
{
    lc_config_nodes nodes = {.dir = lc_node_get(w->mapping, "config_dir"),
                             .root = lc_node_get(w->mapping, "config"),
                             .modules = lc_node_get(w->mapping, "modules")};
    lc_profile profile;
    bool ok = read_profile(w, &profile);
    if (ok && nodes.dir && nodes.root)
        ok = complain(w, nodes.dir, "the configuration stands beside it as well: one of both");
    else if (ok && nodes.root)
        ok = lc_in_mapping(w->in, nodes.root, "config");
    if (ok && !nodes.dir && lc_node_get(nodes.root, "resources")) {
        if (nodes.modules && lc_in_mapping(w->in, nodes.modules, "modules"))
            complain(w, nodes.modules, "modules do not stand beside `resources`");
        ok = !nodes.modules && lc_in_short_resources(w->in, &nodes.root, &nodes.modules);
    }
    return ok ? lc_in_configuration(w->in, &nodes, profile) : NULL;
}

/* The values in the form of the run model. */
static void take_variables(world *w, const lc_given_configuration *given)
{
    const lc_module *root = given->config->root;
    lc_run_variable *list = LC_NEW_ARRAY(w->in->arena, lc_run_variable, root->variables.count);
    for (size_t i = 0; i < root->variables.count; i++) {
        lc_str name = root->variables.items[i]->name;
        const lc_marked *value = lc_table_get(&given->around.variables, name);
        if (value)
            list[w->run->variable_count++] = (lc_run_variable){name, value->value};
    }
    w->run->variables = list;
}

static void give_addresses(world *w, lc_address_list *out, const lc_str *texts, size_t count)
{
    lc_str why;
    size_t at;
    for (size_t i = 0; i < count; i++) {
        lc_address address;
        if (lc_address_parse(&address, w->in->arena, texts[i], &why, &at))
            *LC_PUSH(w->in->arena, &out->list, lc_address) = address;
    }
}

/* Options in the run model's form. */
static void give_options(lc_run_options *out, lc_arena *arena, const lc_plan_options *o)
{
    lc_in in = {.arena = arena};
    world w = {.in = &in};
    out->mode = o->mode == LC_PLAN_DESTROY        ? LC_RUN_DESTROY
                : o->mode == LC_PLAN_REFRESH_ONLY ? LC_RUN_REFRESH_ONLY
                                                  : LC_RUN_NORMAL;
    out->no_refresh = o->refresh == LC_NO;
    give_addresses(&w, &out->replace, o->replace, o->replace_count);
    give_addresses(&w, &out->targets, o->target, o->target_count);
    give_addresses(&w, &out->excludes, o->exclude, o->exclude_count);
}

/* ---- What is expected. */

static const lc_key_row expected_rows[] = {
    {"actions", LC_SHAPE_PLAN_ACTIONS, true, "one action, or the two of a replace"},
    {"reason", LC_SHAPE_TEXT, false, "as in plans"},
    {"previous_address", LC_SHAPE_TEXT, false, ""},
    {"behavior", LC_SHAPE_BEHAVIOR, false, "default, configuration, provider or single-run"},
    {"deposed", LC_SHAPE_TEXT, false, "its key"},
};
const lc_keyset lc_predicted_keys = LC_KEYSET(expected_rows);

static bool read_actions(world *w, lc_plan_action *out, const lc_node *node)
{
    lc_buf text = {0};
    lc_buf_add_char(&text, '[');
    for (uint32_t i = 0; node->kind == LC_NODE_SEQUENCE && i < node->count; i++) {
        lc_buf_add_c(&text, i ? "," : "");
        lc_buf_add_json(&text, node->as.items[i].as.text, false);
    }
    if (node->kind == LC_NODE_STRING)
        lc_buf_add_json(&text, node->as.text, false);
    lc_buf_add_char(&text, ']');
    *out = LC_PLAN_UNKNOWN;
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (lc_str_is(lc_buf_str(&text), lc_plan_action_text((lc_plan_action)a)))
            *out = (lc_plan_action)a;
    }
    lc_buf_release(&text);
    return *out != LC_PLAN_UNKNOWN || complain(w, node, "these are no actions of a plan");
}

static bool read_behavior(world *w, lc_str *out, const lc_node *node)
{
    if (!lc_in_text(w->in, out, node, "behavior"))
        return false;
    return lc_str_is_one_of(*out, lc_behavior_names, NULL) ||
           complain(w, node, "a behavior is default, configuration, provider or single-run");
}

static bool read_expected(world *w, const lc_member *m, lc_run_expected *e)
{
    const lc_member *found[5];
    lc_address address;
    *e = (lc_run_expected){.loc = lc_in_key_loc(w->in, m)};
    e->address = m->key;
    if (m->value.kind != LC_NODE_NULL && m->value.kind != LC_NODE_MAPPING)
        return complain(w, &m->value, "a mapping is required here, or null for no change");
    if (!read_address(w, &address, m->key, m->where))
        return false;
    e->address = lc_address_text(w->in->arena, &address);
    if (m->value.kind == LC_NODE_NULL)
        return true;
    if (!lc_in_keys(w->in, found, &m->value, &lc_predicted_keys, "an expectation"))
        return false;
    if (!found[0])
        return complain(w, &m->value, "actions are required here");
    e->given = true;
    if (!read_actions(w, &e->action, &found[0]->value))
        return false;
    e->has_reason = found[1] != NULL;
    e->has_previous = found[2] != NULL;
    return (!found[1] || lc_in_text(w->in, &e->reason, &found[1]->value, "reason")) &&
           (!found[2] || lc_in_text(w->in, &e->previous, &found[2]->value, "previous_address")) &&
           (!found[3] || read_behavior(w, &e->behavior, &found[3]->value)) &&
           (!found[4] || lc_in_text(w->in, &e->deposed, &found[4]->value, "deposed"));
}

static bool read_expectations(world *w)
{
    const lc_node *node = lc_node_get(w->mapping, "expect");
    bool ok = true;
    if (!node)
        return true;
    if (!lc_in_mapping(w->in, node, "expect"))
        return false;
    lc_run_expected *list = LC_NEW_ARRAY(w->in->arena, lc_run_expected, node->count);
    for (uint32_t i = 0; i < node->count; i++)
        ok &= read_expected(w, &node->as.members[i], &list[i]);
    w->facts->expected = list;
    w->facts->expected_count = node->count;
    return ok;
}

/* ---- */

static world *new_world(lc_in *in, lc_plan_evidence *facts, const lc_node *mapping)
{
    world *w = LC_NEW(in->arena, world);
    *w = (world){.in = LC_NEW(in->arena, lc_in), .facts = facts, .mapping = mapping};
    *w->in = *in;
    w->run = LC_NEW(in->arena, lc_run_input);
    w->priors = LC_NEW(in->arena, lc_run_priors);
    w->run->workspace = LC_STR_EMPTY;
    lc_table_init(&w->answers, in->arena);
    return w;
}

static void finish(world *w, const lc_given_configuration *given)
{
    take_variables(w, given);
    give_options(&w->run->options, w->in->arena, &w->facts->options);
    w->run->provider = (lc_run_provider){.context = w,
                                         .schema = schema_of,
                                         .stored = stored,
                                         .read = read_object,
                                         .plan = plan_object,
                                         .import = import_object,
                                         .data = read_data};
    w->facts->run = w->run;
}

bool lc_prediction_from_node(lc_plan_evidence *facts, lc_in *in, const lc_node *mapping)
{
    if (!lc_node_get(mapping, "config") && !lc_node_get(mapping, "config_dir"))
        return true;
    world *w = new_world(in, facts, mapping);
    lc_given_configuration *given = read_config(w);
    if (!given)
        return false;
    w->run->config = given->config;
    if (!read_answers(w) || !read_state(w) ||
        !lc_in_variables(w->in, given, lc_node_get(mapping, "variables")) || !read_expectations(w))
        return false;
    finish(w, given);
    return true;
}

/* ---- From files. */

static bool predict_from(lc_plan_evidence *facts, lc_arena *arena, const lc_prediction_files *files,
                         lc_diags *diags)
{
    static const lc_node none = {.kind = LC_NODE_MAPPING};
    lc_in in = {.arena = arena, .diags = diags};
    lc_config_source source = {files->config, {files->config, 0, 0}, files->profile, files->limits};
    lc_given_configuration *given = lc_configuration_open(arena, &source, diags);
    if (!given)
        return false;
    world *w = new_world(&in, facts, &none);
    w->from_files = true;
    w->run->config = given->config;
    w->run->workspace = files->workspace;
    read_state(w);
    if (facts->plan)
        lc_variables_from_plan(given, arena, facts->plan);
    lc_variables_from_folder(given, arena);
    lc_variables_from_words(given, arena, files->variables, files->variable_count);
    finish(w, given);
    return true;
}

static bool open_plan(lc_plan_evidence *facts, lc_arena *arena, const lc_prediction_files *files,
                      lc_diags *diags)
{
    if (!files->plan.len)
        return true;
    const lc_source *source = lc_json_open(arena, files->plan, &files->limits, diags);
    facts->plan = source ? lc_plan_read(arena, source, source->documents, diags) : NULL;
    if (facts->plan)
        lc_plan_infer(&facts->options, facts->plan);
    return facts->plan;
}

static bool open_state(lc_state_file **out, lc_arena *arena, lc_str path,
                       const lc_prediction_files *files, lc_diags *diags)
{
    if (path.len)
        *out = lc_state_open(arena, path, &files->limits, diags);
    return !path.len || *out;
}

lc_scenario *lc_prediction_case(const lc_plan_evidence **out, lc_arena *arena,
                                lc_schema_store *store, const lc_prediction_files *files,
                                const lc_plan_options *options, lc_diags *diags)
{
    lc_plan_evidence *facts = LC_NEW(arena, lc_plan_evidence);
    *out = facts;
    lc_schemas *schemas = LC_NEW(arena, lc_schemas);
    facts->options = *options;
    if (!open_plan(facts, arena, files, diags) ||
        !open_state(&facts->state, arena, files->state, files, diags) ||
        !open_state(&facts->next_state, arena, files->next_state, files, diags))
        return NULL;
    lc_str beside = files->plan.len ? files->plan : files->state.len ? files->state : LC_STR("./x");
    lc_schemas_open(schemas, arena, store, beside, &files->schemas, diags);
    lc_plan_evidence_use_schemas(facts, arena, schemas);
    if (files->config.len && !predict_from(facts, arena, files, diags))
        return NULL;
    facts->outlook = !facts->run && facts->plan;
    facts->prediction = lc_plan_evidence_predict(arena, facts);
    lc_scenario *s = LC_NEW(arena, lc_scenario);
    s->subject.source = LC_SOURCE_PLAN;
    s->subject.file = files->plan.len ? files->plan : files->config;
    s->subject.document = 1;
    s->subject.name = facts->plan ? LC_STR("the plan as a whole") : LC_STR("the run as a whole");
    s->subject.loc = (lc_loc){s->subject.file, 0, 0};
    s->subject.resource = s->subject.type = LC_STR_EMPTY;
    lc_scenario_set_planning(s, arena, lc_plan_evidence_planning(arena, facts));
    return s;
}
