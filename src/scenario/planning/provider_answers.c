/* What the run model requests from providers, answered from the scenario, or else from the plan and
 * state: schemas, stored objects, and the responses of read, plan and import. */
#include "scenario/planning/answers_in_plan.h"
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"

typedef struct answer {
    bool has_read, gone;
    const lc_value *planned, *read; /* or NULL */
    lc_path_list requires_replace;
} answer;

struct lc_answers {
    lc_arena *arena;
    const lc_plan_evidence *facts;
    lc_table by_address; /* address -> answer of the scenario */
    lc_known_types *types;
    bool guesses;
    lc_core core;
};

/* ---- Schemas. */

/* Documents are searched without the provider's address, so names of one registry match those of
 * the other. */
static const lc_schema *schema_of(void *context, lc_schema_kind kind, lc_str provider, lc_str type)
{
    lc_answers *known = context;
    const lc_plan_evidence *facts = known->facts;
    bool planned = kind == LC_KIND_RESOURCE || kind == LC_KIND_DATA;
    const lc_schema *given = NULL;
    (void)provider;
    if (facts->schema && planned)
        given = facts->schema(facts->schemas, kind, LC_STR_EMPTY, type);
    if (given || !planned)
        return given;
    return lc_known_schema(known->types, kind == LC_KIND_DATA ? LC_MODE_DATA : LC_MODE_MANAGED,
                           type);
}

const lc_value *lc_in_object_at(lc_in *in, lc_answers *known, const lc_node *node,
                                const lc_address *address)
{
    const lc_schema *schema =
        schema_of(known, lc_resource_mode_kind(address->mode), LC_STR_EMPTY, address->type);
    lc_field field = {0};
    if (!schema || node->kind == LC_NODE_NULL)
        return NULL;
    lc_in_object(in, &field, node, schema, false);
    return lc_field_has_value(&field) ? field.value : NULL;
}

/* ---- Answers. */

/* The stored object of an address: from the state file, from the scenario, or from the plan. */
static bool stored(void *context, lc_arena *arena, const lc_run_prior *prior,
                   const lc_schema *schema, const lc_run_settings *settings, const lc_value **out,
                   lc_path_list *sensitive, lc_str *error)
{
    const lc_answers *known = context;
    const lc_stored_value *object = prior->origin;
    *error = LC_STR_EMPTY;
    if (known->facts->state)
        return lc_run_stored_in_state(context, arena, prior, schema, settings, out, sensitive,
                                      error);
    if (!known->facts->stated)
        return lc_run_stored_in_plan(context, arena, prior, schema, settings, out, sensitive,
                                     error);
    *out = object->value;
    *sensitive = object->sensitive;
    return object->value != NULL;
}

static const answer *answer_to(const lc_answers *known, const lc_run_question *ask)
{
    return lc_table_get(&known->by_address, ask->text);
}

/* A plan reports in `resource_drift` what its refresh found: objects that changed, whose values are
 * then not known here, and objects that no longer exist. */
static void read_in_plan(const lc_answers *known, lc_run_question *ask)
{
    const lc_plan *plan = known->facts->plan;
    if (!plan || !known->facts->state)
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

/* Without an answer a read returns the prior object: nothing has drifted. */
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

/* In a replace core plans twice, the second time with a null prior state. An answer with
 * requires_replace is for the first plan, so the second uses the proposed new state. */
static void plan_object(void *context, lc_run_question *ask)
{
    const lc_answers *known = context;
    const answer *a = answer_to(known, ask);
    if (!a && lc_known_plan(known->types, ask))
        return;
    /* With a plan, the provider's response is in it; nothing else is assumed. */
    if (!a && known->facts->plan)
        lc_prediction_planned(known->facts->plan, ask);
    if (!a && !known->guesses && !ask->assumed)
        return;
    bool again = lc_is_null(ask->prior) && a && a->requires_replace.count > 0;
    ask->known = true;
    ask->assumed = !a;
    ask->out = a && a->planned && !again ? a->planned : lc_run_as_proposed(ask);
    if (a)
        ask->requires_replace = a->requires_replace;
}

/* A data source with the same arguments as before is taken to read what it read before, just as
 * managed objects are taken not to have drifted. */
static void read_stored(const lc_answers *known, lc_run_question *ask)
{
    const lc_state_file *state = known->facts->state;
    const lc_state_object *object = state ? lc_table_get(&state->current, ask->text) : NULL;
    lc_run_prior prior = {.address = ask->address, .origin = object};
    const lc_value *was;
    lc_path_list unused = {0};
    lc_str error;
    if (!object || !ask->schema ||
        !lc_run_stored_in_state(NULL, ask->arena, &prior, ask->schema, NULL, &was, &unused, &error))
        return;
    const lc_value *now =
        lc_proposed_new(ask->arena, known->core, ask->schema->block, was, ask->config);
    ask->known = ask->assumed = now && lc_value_equals(now, was) == LC_TRUE;
    ask->out = was;
}

static void read_data(void *context, lc_run_question *ask)
{
    const lc_answers *known = context;
    const answer *a = answer_to(known, ask);
    ask->out = a ? a->read : NULL;
    ask->known = ask->out != NULL;
    if (!a && known->facts->plan)
        lc_prediction_read(known->facts->plan, ask);
    if (!a && !ask->known && ask->config && !lc_known_read_data(known->types, ask))
        read_stored(known, ask);
}

static bool move(void *context, lc_arena *arena, const lc_run_prior *prior, lc_str type,
                 const lc_schema *schema, const lc_value **out, lc_str *error)
{
    const lc_answers *known = context;
    lc_run_move to = {type, schema, context, stored};
    return lc_known_move(known->types, arena, prior, &to, out, error);
}

static void import_object(void *context, lc_run_question *ask)
{
    const lc_answers *known = context;
    const answer *a = answer_to(context, ask);
    if (!a && lc_known_import(known->types, ask))
        return;
    ask->gone = a && a->has_read && a->gone;
    read_data(context, ask);
}

/* A document of all schemas of a provider also has that of its configuration; one that was cut down
 * to some types has not. */
static bool lacks(void *context, lc_resource_mode mode, lc_str provider, lc_str type)
{
    const lc_plan_evidence *facts = ((lc_answers *)context)->facts;
    if (lc_known_lacks(mode, provider, type))
        return true;
    return facts->schema && facts->schema(facts->schemas, LC_KIND_PROVIDER, provider, provider) &&
           !facts->schema(facts->schemas, lc_resource_mode_kind(mode), provider, type);
}

lc_answers *lc_answers_new(lc_arena *arena, const lc_plan_evidence *facts,
                           const lc_given_configuration *given, bool guesses)
{
    lc_answers *known = LC_NEW(arena, lc_answers);
    *known = (lc_answers){.arena = arena, .facts = facts, .guesses = guesses};
    known->types = lc_known_types_new(arena, given->config);
    known->core = given->config->profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    lc_table_init(&known->by_address, arena);
    return known;
}

lc_run_provider lc_answers_provider(lc_answers *known)
{
    return (lc_run_provider){.context = known,
                             .schema = schema_of,
                             .stored = stored,
                             .read = read_object,
                             .plan = plan_object,
                             .import = import_object,
                             .data = read_data,
                             .move = move,
                             .lacks = lacks};
}

/* ---- A scenario's own. */

static const lc_key_row rows[] = {
    {"planned", LC_SHAPE_OBJECT, false, "the planned object"},
    {"requires_replace", LC_SHAPE_PATHS, false, "paths that force a replace"},
    {"read", LC_SHAPE_READ_OBJECT, false, "the object as it is read or imported, or `gone`"},
};
const lc_keyset lc_answer_keys = LC_KEYSET(rows);

/* `planned: null` is a typed null, different from an answer without `planned`. */
static const lc_value *null_at(lc_answers *known, const lc_address *address)
{
    const lc_schema *schema =
        schema_of(known, lc_resource_mode_kind(address->mode), LC_STR_EMPTY, address->type);
    lc_value v;
    if (!schema)
        return NULL;
    lc_value_set_null(&v, schema->block->implied);
    return lc_value_new(known->arena, &v);
}

static bool read_answer(lc_in *in, lc_answers *known, const lc_member *m)
{
    const lc_member *found[sizeof rows / sizeof *rows];
    lc_address address;
    answer *a = LC_NEW(in->arena, answer);
    if (!lc_in_address(in, &address, m->key, m->where) ||
        !lc_in_keys(in, found, &m->value, &lc_answer_keys, "a response"))
        return false;
    if (found[0])
        a->planned = found[0]->value.kind == LC_NODE_NULL
                         ? null_at(known, &address)
                         : lc_in_object_at(in, known, &found[0]->value, &address);
    if (found[1] &&
        !lc_in_path_list(in, &a->requires_replace, &found[1]->value, "requires_replace"))
        return false;
    a->has_read = found[2] != NULL;
    a->gone = found[2] && found[2]->value.kind == LC_NODE_STRING;
    if (found[2] && a->gone && !lc_str_is(found[2]->value.as.text, "gone"))
        return lc_in_refuse(in, &found[2]->value, "what is read is an object, or `gone`");
    if (found[2] && !a->gone)
        a->read = lc_in_object_at(in, known, &found[2]->value, &address);
    lc_table_put(&known->by_address, lc_address_text(in->arena, &address), a);
    return true;
}

bool lc_in_answers(lc_in *in, lc_answers *known, const lc_node *node)
{
    bool ok = true;
    if (!node)
        return true;
    if (!lc_in_mapping(in, node, "provider"))
        return false;
    for (uint32_t i = 0; i < node->count; i++)
        ok &= read_answer(in, known, &node->as.members[i]);
    return ok;
}
