/* Input of a prediction from states and plans: objects with their values, and outputs. */
#include "predict/internal.h"

#include "lifecheck/catalog/core_message.h"
#include "lifecheck/codec/plain_json.h"
#include "lifecheck/provider_config/provider_config.h"

/* True if the client accepts the provider of an object. Terraform reads it of the resource alone
 * and skips what it cannot parse; OpenTofu stops with *refused. Terraform does not know instance
 * keys of providers. */
static bool is_read(lc_str provider, lc_arena *arena, lc_arena *scratch, lc_core core,
                    lc_state_oddity *refused)
{
    lc_provider_address address;
    lc_eval_error why;
    if (provider.len == 0)
        return false;
    lc_profile profile = core == LC_TERRAFORM ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU;
    bool ok = lc_provider_address_parse(&address, scratch, profile, provider, &why);
    if (!ok && core == LC_OPENTOFU) {
        refused->summary = lc_str_copy(arena, why.summary);
        refused->detail = lc_str_copy(arena, why.detail);
    }
    return ok && !(core == LC_TERRAFORM && address.keyed);
}

static lc_str provider_of(const lc_state_file *state, const lc_state_object *object, lc_core core)
{
    return core == LC_TERRAFORM ? state->resources.items[object->resource].provider
                                : lc_state_provider(state, object);
}

lc_run_prior *lc_run_add_prior(lc_run_priors *out, lc_arena *arena, const lc_address *address,
                               lc_str deposed, const void *origin)
{
    lc_run_prior *p = LC_PUSH(arena, &out->list, lc_run_prior);
    p->address = *address;
    p->deposed = deposed;
    p->provider = LC_STR_EMPTY;
    p->origin = origin;
    return p;
}

/* OpenTofu has one error of text for each. */
static void refuse(lc_run_priors *out, lc_arena *arena, lc_core core, const lc_state_oddity *odd)
{
    lc_run_refusal *refusal = LC_PUSH(arena, &out->refusals, lc_run_refusal);
    refusal->loc = odd->loc;
    refusal->summary = odd->summary;
    if (core == LC_OPENTOFU)
        refusal->summary = lc_str_printf(arena, LC_SUMMARY_LOADING_STATE_OPENTOFU "%.*s: %.*s",
                                         LC_FMT(odd->summary), LC_FMT(odd->detail));
}

/* What the client says to the file, and to the first provider that OpenTofu cannot parse. */
static void find_refusals(lc_run_priors *out, lc_arena *arena, const lc_state_file *state,
                          lc_core core, const lc_state_oddity *provider)
{
    for (size_t i = 0; i < state->oddities.count; i++) {
        if (state->oddities.items[i].summary.len)
            refuse(out, arena, core, &state->oddities.items[i]);
    }
    if (provider->summary.len)
        refuse(out, arena, core, provider);
}

static bool same_dependencies(const lc_state_object *a, const lc_state_object *b)
{
    bool same = a->dependency_count == b->dependency_count;
    for (size_t i = 0; same && i < a->dependency_count; i++)
        same = lc_str_eq(a->dependencies[i].address, b->dependencies[i].address);
    return same;
}

static lc_address_list dependencies_of(lc_arena *arena, const lc_state_object *object)
{
    lc_address_list list = {0};
    for (size_t i = 0; i < object->dependency_count; i++) {
        if (object->dependencies[i].parses)
            *LC_PUSH(arena, &list.list, lc_address) = object->dependencies[i].parsed;
    }
    return list;
}

/* Consecutive objects usually have the same provider and the same dependencies: they share one
 * list. */
void lc_run_priors_from_state(lc_run_priors *out, lc_arena *arena, const lc_state_file *state,
                              lc_core core, lc_str *refused)
{
    lc_str last = LC_STR_EMPTY;
    const lc_state_object *before = NULL;
    lc_address_list needed = {0};
    bool good = false;
    lc_arena *scratch = lc_arena_new();
    lc_state_oddity odd = {.loc = state->loc};
    for (size_t i = 0; i < state->objects.count; i++) {
        const lc_state_object *object = &state->objects.items[i];
        lc_str provider = provider_of(state, object, core);
        if (object->refused)
            continue;
        if (i == 0 || !lc_str_eq(provider, last)) {
            lc_arena_reset(scratch);
            good = is_read(provider, arena, scratch, core, &odd);
            last = provider;
        }
        if (!good)
            continue;
        lc_run_prior *p = lc_run_add_prior(out, arena, &object->parsed, object->deposed, object);
        p->state = state;
        p->shown = object->shown;
        p->tainted = object->tainted;
        p->create_before_destroy = object->create_before_destroy == LC_YES;
        p->skip_destroy = object->skip_destroy == LC_YES;
        p->schema_version = object->schema_version;
        p->provider = provider;
        p->loc = object->loc;
        if (!before || !same_dependencies(before, object))
            needed = dependencies_of(arena, object);
        p->dependencies = needed;
        before = object;
    }
    *refused = odd.detail;
    find_refusals(out, arena, state, core, &odd);
    lc_arena_free(scratch);
}

static void add_dependencies(lc_run_prior *p, lc_arena *arena, const lc_node *list)
{
    lc_address address;
    lc_str why;
    size_t at;
    for (uint32_t i = 0; list && list->kind == LC_NODE_SEQUENCE && i < list->count; i++) {
        const lc_node *item = &list->as.items[i];
        if (item->kind == LC_NODE_STRING &&
            lc_address_parse(&address, arena, item->as.text, &why, &at))
            *LC_PUSH(arena, &p->dependencies.list, lc_address) = address;
    }
}

/* Imported objects are in the plan's prior state, but were not in the state before the plan. */
void lc_run_priors_from_plan(lc_run_priors *out, lc_arena *arena, lc_plan *plan)
{
    for (size_t i = 0; i < plan->prior.count; i++) {
        const lc_plan_object *object = &plan->prior.items[i];
        const lc_plan_change *change = object->change;
        lc_str text =
            change && change->previous_address.len ? change->previous_address : object->address;
        lc_address address;
        lc_str why;
        size_t at;
        if (!object->managed || lc_plan_imports(change) ||
            !lc_address_parse(&address, arena, text, &why, &at))
            continue;
        lc_run_prior *p = lc_run_add_prior(out, arena, &address, object->deposed, object);
        p->shown = true;
        p->tainted = object->tainted;
        p->loc = lc_plan_loc(plan, object->node);
        add_dependencies(p, arena, lc_node_given(object->node, "depends_on"));
    }
}

/* ---- Values. */

typedef struct sensitive_paths {
    lc_path_list *out;
    lc_arena *arena;
} sensitive_paths;

static void add_sensitive(void *context, lc_path path)
{
    sensitive_paths *s = context;
    *LC_PUSH(s->arena, s->out, lc_located_path) =
        (lc_located_path){lc_path_copy(s->arena, path), {LC_STR_EMPTY, 0, 0}};
}

/* The clients ignore attributes that the schema does not have. Returns a copy of the node without
 * them, which is only made if decoding failed. */
static const lc_node *strip(lc_arena *arena, const lc_node *node, const lc_type *type,
                            unsigned depth)
{
    bool object = type->kind == LC_TYPE_OBJECT;
    const lc_type *elem = lc_type_is_collection(type) ? type->as.elem : NULL;
    if (depth > LC_MAX_DEPTH || (!object && !elem))
        return node;
    lc_node *copy = LC_NEW(arena, lc_node);
    *copy = *node;
    copy->count = 0;
    if (node->kind == LC_NODE_MAPPING) {
        lc_member *members = LC_NEW_ARRAY(arena, lc_member, node->count);
        for (uint32_t i = 0; i < node->count; i++) {
            const lc_member *m = &node->as.members[i];
            long at = object ? lc_type_attr_index(type, m->key) : 0;
            if (at < 0)
                continue;
            const lc_type *inner = object ? type->as.attrs[at].type : elem;
            members[copy->count] = *m;
            members[copy->count++].value = *strip(arena, &m->value, inner, depth + 1);
        }
        copy->as.members = members;
    } else if (node->kind == LC_NODE_SEQUENCE && elem) {
        lc_node *items = LC_NEW_ARRAY(arena, lc_node, node->count);
        for (uint32_t i = 0; i < node->count; i++)
            items[copy->count++] = *strip(arena, &node->as.items[i], elem, depth + 1);
        copy->as.items = items;
    } else {
        return node;
    }
    return copy;
}

/* Decodes strictly first, because a copy without unknown attributes is rarely needed. */
static bool decode(lc_field *out, lc_arena *arena, const lc_state_object *object,
                   const lc_schema *schema)
{
    lc_state_object_value(out, arena, object, schema);
    if (lc_field_has_value(out) || !object->attributes)
        return lc_field_has_value(out);
    lc_state_object stripped = *object;
    stripped.attributes = strip(arena, object->attributes, schema->block->implied, 0);
    *out = (lc_field){0};
    lc_state_object_value(out, arena, &stripped, schema);
    return lc_field_has_value(out);
}

void lc_run_stored_sensitive(lc_path_list *out, lc_arena *arena, const lc_run_prior *prior,
                             const lc_schema *schema)
{
    sensitive_paths s = {out, arena};
    lc_state_sensitive(arena, prior->origin, schema, add_sensitive, &s);
}

/* A stored schema version above the schema's is an error of both clients. An older one has to be
 * upgraded by the provider, so its value is not known. */
bool lc_run_stored_in_state(void *context, lc_arena *arena, const lc_run_prior *prior,
                            const lc_schema *schema, const lc_run_settings *settings,
                            const lc_value **out, lc_path_list *sensitive, lc_str *error)
{
    const lc_state_object *object = prior->origin;
    lc_field field = {0};
    (void)context;
    (void)settings;
    *error = LC_STR_EMPTY;
    if (object->schema_version > schema->version) {
        *error = LC_STR(LC_SUMMARY_NEWER_STATE);
        return false;
    }
    if (!decode(&field, arena, object, schema))
        return false;
    *out = field.value;
    lc_run_stored_sensitive(sensitive, arena, prior, schema);
    return true;
}

bool lc_run_stored_in_plan(void *context, lc_arena *arena, const lc_run_prior *prior,
                           const lc_schema *schema, const lc_run_settings *settings,
                           const lc_value **out, lc_path_list *sensitive, lc_str *error)
{
    const lc_plan_object *object = prior->origin;
    lc_field field = {0};
    sensitive_paths s = {sensitive, arena};
    (void)context;
    (void)settings;
    *error = LC_STR_EMPTY;
    if (object->values)
        lc_field_from_plain_json(&field, arena, schema, object->values, NULL);
    if (!lc_field_has_value(&field))
        return false;
    *out = field.value;
    lc_plain_json_marks(arena, schema->block->implied, object->sensitive_values, add_sensitive, &s);
    return true;
}

/* ---- Outputs. */

/* The value, decoded with the type that is stored with it. NULL: not decodable. */
static const lc_value *output_value(lc_arena *arena, const lc_state_output *output)
{
    if (!output->value || !output->type)
        return NULL;
    lc_str type_text = lc_node_json(arena, output->type);
    lc_str value_text = lc_node_json(arena, output->value);
    const lc_type *type;
    const lc_value *value;
    lc_wire_problem problem;
    lc_wire_result result;
    if (!lc_typejson_decode(&type, arena, type_text, &problem) ||
        !lc_ctyjson_decode(&value, arena, value_text, type, &result))
        return NULL;
    return value;
}

const lc_run_prior_output *lc_run_outputs_from_state(size_t *count, lc_arena *arena,
                                                     const lc_state_file *state)
{
    lc_run_prior_output *out = LC_NEW_ARRAY(arena, lc_run_prior_output, state->outputs.count);
    for (size_t i = 0; i < state->outputs.count; i++) {
        const lc_state_output *o = &state->outputs.items[i];
        out[i] = (lc_run_prior_output){o->name, output_value(arena, o), o->sensitive};
    }
    *count = state->outputs.count;
    return out;
}
