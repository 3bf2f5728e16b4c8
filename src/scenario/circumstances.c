/* The circumstances of a run (facts about it that are not part of a call), and the object as the
 * state stores it.
 *
 * A scenario states everything, so a circumstance that is left out is "no". There are two
 * exceptions, which most authors do not know: whether the provider plans deletes (plan_destroy),
 * and whether it moves states, as long as no `capabilities` are written. */
#include "lifecheck/base/arena.h"
#include "scenario/internal.h"

/* ---- Objects of the schema. */

/* The one reader of the file, which collects the sensitive paths of the case. */
static lc_value_reader *reader_for(lc_in *in, bool config)
{
    in->values.diags = in->diags;
    in->values.config = config;
    return &in->values;
}

void lc_in_object(lc_in *in, lc_field *out, const lc_node *node, const lc_schema *schema,
                  bool config)
{
    if (schema)
        lc_read_object(out, reader_for(in, config), node, schema->block);
}

/* Without an identity schema the identity is read without a type: its presence alone violates a
 * rule, so it must not be dropped. */
void lc_in_identity(lc_in *in, lc_field *out, const lc_node *node, const lc_schema *schema)
{
    if (!schema)
        return;
    const lc_type *type = schema->identity_type ? schema->identity_type : &lc_type_dynamic;
    lc_read_typed(out, reader_for(in, false), node, type);
}

/* ---- Raw state. */

/* The path of a place in the raw object as a path in the typed object. Raw state is JSON, so its
 * collections are all objects and tuples; here they get the types of the schema. A path into a set
 * ends at the set, because the elements have no order. */
static lc_path typed_path(lc_arena *arena, lc_path raw, const lc_type *type)
{
    lc_step *steps = LC_NEW_ARRAY(arena, lc_step, raw.count);
    for (size_t i = 0; i < raw.count; i++) {
        steps[i] = raw.steps[i];
        if (!type)
            continue;
        bool sequence = type->kind == LC_TYPE_LIST || type->kind == LC_TYPE_MAP;
        if (type->kind == LC_TYPE_OBJECT) {
            long at = lc_type_attr_index(type, steps[i].name);
            type = at < 0 ? NULL : type->as.attrs[at].type;
        } else if (sequence) {
            if (type->kind == LC_TYPE_MAP)
                steps[i].kind = LC_STEP_KEY;
            type = type->as.elem;
        } else {
            return (lc_path){steps, i};
        }
    }
    return (lc_path){steps, raw.count};
}

/* Places marked sensitive in the stored form are sensitive in the upgraded object as well. Without
 * this a secret that is written only in the stored form could be printed from the other one. */
static void add_typed_paths(lc_in *in, size_t from, const lc_schema *schema)
{
    size_t count = in->values.sensitive.count;
    for (size_t i = from; i < count; i++) {
        lc_path path = in->values.sensitive.items[i];
        path = typed_path(in->arena, path, schema->block->implied);
        *LC_PUSH(in->arena, &in->values.sensitive, lc_path) = path;
    }
}

void lc_in_raw_attributes(lc_in *in, lc_field *out, const lc_node *node, const lc_schema *schema)
{
    size_t from = in->values.sensitive.count;
    lc_node content;
    lc_marker marker = lc_node_marker(&content, node);
    if (marker == LC_MARKER_NONE && node->kind != LC_NODE_NULL &&
        !lc_in_mapping(in, node, "a stored object"))
        return;
    lc_read_raw(out, reader_for(in, false), node);
    if (schema)
        add_typed_paths(in, from, schema);
}

enum { SCHEMA_VERSION, ATTRIBUTES, IDENTITY, IDENTITY_VERSION, PRIVATE, TAINTED, STORED_KEYS };
static const lc_key_row stored_rows[] = {
    {"schema_version", LC_SHAPE_COUNT, false, "of the schema that the object was stored with"},
    {"attributes", LC_SHAPE_OBJECT, false, "the object as it is stored"},
    {"identity", LC_SHAPE_OBJECT, false, ""},
    {"identity_schema_version", LC_SHAPE_COUNT, false, ""},
    {"private", LC_SHAPE_BYTES, false, "private data of the provider"},
    {"tainted", LC_SHAPE_FLAG, false, ""},
};
const lc_keyset lc_stored_keys = LC_KEYSET(stored_rows);

/* `previous_run_state: null`: nothing was stored, the same as attributes that are null. */
static void set_nothing(lc_in *in, lc_raw_state *out, const lc_node *node)
{
    out->has_attributes = true;
    lc_read_raw(&out->attributes, reader_for(in, false), node);
}

/* The blocks that an author leaves out are added only if the object has the schema's own version:
 * for an older version an absent block may mean something else. */
void lc_in_previous_run_state(lc_in *in, lc_raw_state *out, const lc_member *member,
                              const lc_schema *schema)
{
    const lc_member *found[STORED_KEYS];
    const lc_node *node = &member->value;
    out->given = true;
    out->loc = lc_in_loc(in, node);
    out->tainted = LC_NO;
    if (node->kind == LC_NODE_NULL && !node->tag) {
        set_nothing(in, out, node);
        return;
    }
    if (!lc_in_keys(in, found, node, &lc_stored_keys, "the previous run state"))
        return;
    if (found[SCHEMA_VERSION])
        lc_in_count(in, &out->schema_version, &found[SCHEMA_VERSION]->value, "schema_version");
    if (found[ATTRIBUTES]) {
        out->has_attributes = true;
        lc_in_raw_attributes(in, &out->attributes, &found[ATTRIBUTES]->value, schema);
        if (schema && out->schema_version == schema->version &&
            lc_field_has_value(&out->attributes))
            out->attributes.value =
                lc_stored_with_blocks(in->arena, schema->block, out->attributes.value);
    }
    if (found[IDENTITY]) {
        out->has_identity = true;
        lc_read_raw(&out->identity, reader_for(in, false), &found[IDENTITY]->value);
    }
    if (found[IDENTITY_VERSION])
        lc_in_count(in, &out->identity_schema_version, &found[IDENTITY_VERSION]->value,
                    "identity_schema_version");
    if (found[PRIVATE])
        out->has_private =
            lc_in_bytes(in, &out->private_data, &found[PRIVATE]->value, "private data");
    if (found[TAINTED]) {
        out->tainted_loc = lc_in_loc(in, &found[TAINTED]->value);
        lc_in_fact(in, &out->tainted, &found[TAINTED]->value, "tainted");
    }
}

/* ---- Circumstances proper. */

enum {
    PLAN_DESTROY,
    MOVE_STATE,
    GENERATE_CONFIG,
    DEFERRAL,
    WRITE_ONLY,
    COMPUTED_BLOCKS,
    SCHEMA_OPTIONAL,
    CAPABILITY_KEYS
};
static const lc_key_row capability_rows[] = {
    {"plan_destroy", LC_SHAPE_FLAG, false, "of the provider"},
    {"move_resource_state", LC_SHAPE_FLAG, false, "of the provider"},
    {"generate_resource_config", LC_SHAPE_FLAG, false, "of the provider"},
    {"deferral_allowed", LC_SHAPE_FLAG, false, "of the client"},
    {"write_only_attributes_allowed", LC_SHAPE_FLAG, false, "of the client"},
    {"computed_blocks_allowed", LC_SHAPE_FLAG, false, "of the client"},
    {"get_provider_schema_optional", LC_SHAPE_FLAG, false, "of the provider"},
};
const lc_keyset lc_capability_keys = LC_KEYSET(capability_rows);

void lc_in_capabilities(lc_in *in, lc_capabilities *out, const lc_node *node)
{
    const lc_member *found[CAPABILITY_KEYS];
    lc_fact schema_optional; /* no rule depends on it */
    lc_fact *facts[CAPABILITY_KEYS] = {
        &out->plan_destroy,     &out->move_resource_state,           &out->generate_resource_config,
        &out->deferral_allowed, &out->write_only_attributes_allowed, &out->computed_blocks_allowed,
        &schema_optional,
    };
    if (!lc_in_keys(in, found, node, &lc_capability_keys, "capabilities"))
        return;
    for (int i = 0; i < CAPABILITY_KEYS; i++) {
        if (found[i])
            lc_in_fact(in, facts[i], &found[i]->value, capability_rows[i].name);
    }
}

/* A list of paths, or the word `all`, as in configurations. */
static void read_ignore_changes(lc_in *in, lc_run *run, const lc_node *node)
{
    run->has_ignore_changes = true;
    if (node->kind == LC_NODE_STRING && !node->tag && lc_str_is(node->as.text, "all"))
        run->ignore_all = true;
    else if (node->kind == LC_NODE_SEQUENCE)
        lc_in_path_list(in, &run->ignore_changes, node, "ignore_changes");
    else
        lc_diag_error(in->diags, lc_in_loc(in, node),
                      "ignore_changes takes a list of paths, or all");
}

/* Reported at the later of the two places, and naming the earlier one. */
static void report_tainted_twice(lc_in *in, lc_loc run, lc_loc stored)
{
    bool run_first =
        run.line < stored.line || (run.line == stored.line && run.column < stored.column);
    lc_loc first = run_first ? run : stored;
    lc_diag_error(in->diags, run_first ? stored : run, "tainted differs from line %u, column %u",
                  first.line, first.column);
}

/* A state file marks the stored object as tainted; a run may state it as well. Both must agree. */
static void read_tainted(lc_in *in, lc_run *run, const lc_member *member)
{
    const lc_raw_state *stored = &run->previous_run_state;
    run->tainted = stored->given ? stored->tainted : LC_NO;
    if (!member)
        return;
    run->has_tainted = true;
    if (!lc_in_fact(in, &run->tainted, &member->value, "tainted"))
        return;
    if (stored->tainted_loc.line && stored->tainted != run->tainted)
        report_tainted_twice(in, lc_in_loc(in, &member->value), stored->tainted_loc);
}

/* `deposed: true` gives the object a key of its own; a string is the deposed key of core. */
static void read_deposed(lc_in *in, lc_run *run, const lc_node *node)
{
    if (node->kind == LC_NODE_BOOL && !node->tag) {
        run->deposed = node->boolean ? LC_STR("deposed") : LC_STR_EMPTY;
        return;
    }
    lc_in_text(in, &run->deposed, node, "deposed");
}

static void read_fact(lc_in *in, lc_fact *out, const lc_layers *scope, lc_case_key key)
{
    const lc_node *node = lc_layers_value(scope, key);
    *out = LC_NO;
    if (node)
        lc_in_fact(in, out, node, lc_key_name(key));
}

static lc_fact read_flag(lc_in *in, const lc_layers *scope, lc_case_key key)
{
    lc_fact flag;
    read_fact(in, &flag, scope, key);
    return flag;
}

/* Ephemeral values must not be stored, so they are treated as sensitive and never printed. */
static void read_ephemeral(lc_in *in, lc_run *run, const lc_node *node)
{
    lc_in_path_list(in, &run->ephemeral, node, "ephemeral_values");
    for (size_t i = 0; i < run->ephemeral.count; i++)
        *LC_PUSH(in->arena, &in->values.sensitive, lc_path) = run->ephemeral.items[i].path;
}

static void read_recorded_action(lc_in *in, lc_run *run, const lc_node *node)
{
    lc_str name;
    run->recorded_loc = lc_in_loc(in, node);
    if (lc_in_text(in, &name, node, "recorded_action") &&
        (!lc_action_from_name(&run->recorded, name) || run->recorded == LC_ACTION_NONE))
        lc_diag_error(in->diags, run->recorded_loc,
                      "there is no action \"%.*s\"; an action is create, read, update, no-op, "
                      "delete, delete-then-create, create-then-delete or forget",
                      LC_FMT(name));
}

void lc_in_configured(lc_in *in, lc_run *run, const lc_layers *scope)
{
    if (!lc_layers_value(scope, LC_KEY_CONFIGURED))
        return;
    lc_fact configured = read_flag(in, scope, LC_KEY_CONFIGURED);
    for (size_t i = 0; i < run->calls.count; i++)
        run->calls.items[i].configured = configured;
}

/* Call this after lc_in_previous_run_state, because taint may come from there. */
void lc_in_circumstances(lc_in *in, lc_run *run, const lc_layers *scope)
{
    const lc_node *ignored = lc_layers_value(scope, LC_KEY_IGNORE_CHANGES);
    const lc_node *deposed = lc_layers_value(scope, LC_KEY_DEPOSED);
    const lc_node *capabilities = lc_layers_value(scope, LC_KEY_CAPABILITIES);
    const lc_node *identity = lc_layers_value(scope, LC_KEY_PRIOR_IDENTITY);
    const lc_node *bytes = lc_layers_value(scope, LC_KEY_PRIOR_PRIVATE);
    read_tainted(in, run, lc_layers_get(scope, LC_KEY_TAINTED));
    read_fact(in, &run->create_before_destroy, scope, LC_KEY_CREATE_BEFORE_DESTROY);
    read_fact(in, &run->force_replace, scope, LC_KEY_FORCE_REPLACE);
    read_fact(in, &run->refresh_only, scope, LC_KEY_REFRESH_ONLY);
    run->probed = read_flag(in, scope, LC_KEY_PROBED) == LC_YES;
    run->newer = read_flag(in, scope, LC_KEY_NEWER) == LC_YES;
    if (read_flag(in, scope, LC_KEY_ALL_CALLS) == LC_YES)
        run->all_calls = LC_YES;
    if (lc_layers_value(scope, LC_KEY_IN_METADATA))
        run->in_metadata = read_flag(in, scope, LC_KEY_IN_METADATA);
    read_fact(in, &run->depends_on_pending, scope, LC_KEY_DEPENDS_ON_PENDING);
    if (lc_layers_value(scope, LC_KEY_EPHEMERAL_VALUES))
        read_ephemeral(in, run, lc_layers_value(scope, LC_KEY_EPHEMERAL_VALUES));
    if (lc_layers_value(scope, LC_KEY_RECORDED_ACTION))
        read_recorded_action(in, run, lc_layers_value(scope, LC_KEY_RECORDED_ACTION));
    run->deposed = LC_STR_EMPTY;
    lc_fact moves = capabilities ? LC_NO : LC_NOT_KNOWN;
    run->capabilities = (lc_capabilities){LC_NOT_KNOWN, moves, LC_NO, LC_NO, LC_NO, LC_NO};
    if (ignored)
        read_ignore_changes(in, run, ignored);
    if (deposed)
        read_deposed(in, run, deposed);
    if (capabilities)
        lc_in_capabilities(in, &run->capabilities, capabilities);
    if (lc_layers_value(scope, LC_KEY_CLOUD_CONTROL))
        run->cloud_control = lc_in_cloud_control(in, lc_layers_value(scope, LC_KEY_CLOUD_CONTROL));
    if (identity)
        lc_in_identity(in, &run->prior_identity, identity, run->schema);
    if (bytes)
        run->has_prior_private =
            lc_in_bytes(in, &run->prior_private, bytes, lc_key_name(LC_KEY_PRIOR_PRIVATE));
}
