/* A provider for tests that computes: it validates, plans, applies and reads as a good provider
 * does (types.def), unless FAULT names a fault (faults.def). It starts as go-plugin's
 * providers do; what it does is said by the environment or by PROGRAM.env (../record/plugin.h):
 *
 *   PROTOCOL    5 or 6; 6 unless given
 *   FAULT       words of faults.def, separated by commas
 *   UPGRADE     a word of upgrades.def: it is the next version, with this change
 *   PEER_STATE  a folder for what exists, which other processes then know too
 *   PEER_TYPES  names of further types, separated by `|`; those that begin with "twin" have more
 *               attributes than one
 *   PEER_WIDE   how many attributes a further type, peer_wide, has
 *   PEER_ORDER  lists whose order means nothing begin at another element in each process: "any"
 *   PEER_LOG    a file to which it appends "PID start", "PID connection", "PID call NAME TYPE"
 *
 * `provider upgrades` prints those of upgrades.def: word, what is found.
 * `provider faults` prints the faults: word, law, rules, type; `provider types` the types. */
#include "peer.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/recording/protojson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RACE_MS 5

/* ---- Messages */

void peer_error(peer_call *call, lc_str attribute, const char *summary, lc_str detail)
{
    peer_diag *diag = LC_PUSH(call->arena, &call->errors, peer_diag);
    *diag = (peer_diag){false, lc_str_from_c(summary), detail, attribute};
}

const lc_value *peer_value(peer_call *call, const lc_node *message, const char *field,
                           const lc_type *type)
{
    const lc_node *node = lc_pj_get(message, field);
    const lc_value *v;
    lc_wire_result result = {.problem.message = LC_STR("not base64")};
    lc_str bytes;
    if (!node)
        return peer_null(call->arena, type);
    if (lc_pj_bytes(&bytes, call->arena, node, "json") && bytes.len &&
        lc_ctyjson_decode(&v, call->arena, bytes, type, &result))
        return v;
    if (lc_pj_bytes(&bytes, call->arena, node, "msgpack") &&
        lc_msgpack_decode(&v, call->arena, bytes, type, &result))
        return v;
    peer_error(call, LC_STR_EMPTY, "Value cannot be decoded", result.problem.message);
    return NULL;
}

void peer_add_bytes(peer_call *call, const char *key, lc_str bytes)
{
    lc_buf text = {0};
    lc_base64_encode(&text, bytes);
    lc_json_str(call->w, key, lc_buf_str(&text));
    lc_buf_release(&text);
}

void peer_add_value(peer_call *call, const char *key, const lc_value *value, const lc_type *type)
{
    lc_buf bytes = {0};
    lc_msgpack_encode(&bytes, value, type);
    lc_json_object(call->w, key);
    peer_add_bytes(call, "msgpack", lc_buf_str(&bytes));
    lc_json_end_object(call->w);
    lc_buf_release(&bytes);
}

/* Where a list begins, as a language does that goes through its tables in any order. */
static size_t beginning(size_t count)
{
    return *plugin_setting("PEER_ORDER", "") && count ? (size_t)getpid() % count : 0;
}

void peer_add_errors(peer_call *call, const char *key)
{
    size_t first = beginning(call->errors.count);
    lc_json *w = call->w;
    if (!call->errors.count)
        return;
    lc_json_array(w, key);
    for (size_t i = 0; i < call->errors.count; i++) {
        const peer_diag *diag = &call->errors.items[(first + i) % call->errors.count];
        lc_json_object(w, NULL);
        lc_json_c(w, "severity", diag->warning ? "WARNING" : "ERROR");
        lc_json_str(w, "summary", diag->summary);
        lc_json_str(w, "detail", diag->detail);
        if (diag->attribute.len) {
            lc_json_object(w, "attribute");
            lc_json_array(w, "steps");
            lc_json_object(w, NULL);
            lc_json_str(w, "attribute_name", diag->attribute);
            lc_json_end_object(w);
            lc_json_end_array(w);
            lc_json_end_object(w);
        }
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
    call->errors.count = 0;
}

/* ---- Schemas */

static void add_capabilities(lc_json *w)
{
    lc_json_object(w, "server_capabilities");
    lc_json_bool(w, "plan_destroy", true);
    lc_json_bool(w, "move_resource_state", true);
    if (*plugin_setting("SCHEMAS_OPTIONAL", ""))
        lc_json_bool(w, "get_provider_schema_optional", true);
    lc_json_end_object(w);
}

static void add_schemas(peer_call *call, const char *key, lc_schema_kind kind)
{
    const peer_types *types = &call->p->types;
    lc_json_object(call->w, key);
    for (size_t i = 0; i < types->schemas.count; i++)
        if (types->schemas.items[i]->kind == kind)
            peer_type_write(call->w, lc_str_to_c(call->arena, types->schemas.items[i]->type_name),
                            types->schemas.items[i]);
    lc_json_end_object(call->w);
}

static void add_type(peer_call *call, const char *key, const char *type)
{
    peer_add_bytes(call, key, lc_str_from_c(type));
}

/* Upper case; null and unknown are allowed. */
static void add_shout(peer_call *call)
{
    lc_json *w = call->w;
    lc_json_object(w, "shout");
    lc_json_array(w, "parameters");
    lc_json_object(w, NULL);
    lc_json_c(w, "name", "text");
    add_type(call, "type", "\"string\"");
    lc_json_bool(w, "allow_null_value", true);
    lc_json_bool(w, "allow_unknown_values", true);
    lc_json_end_object(w);
    lc_json_end_array(w);
    lc_json_object(w, "return");
    add_type(call, "type", "\"string\"");
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void add_functions(peer_call *call)
{
    lc_json *w = call->w;
    lc_json_object(w, "functions");
    if (!peer_lacks_function(call->p, "shout"))
        add_shout(call);
    lc_json_object(w, "same"); /* whatever it is */
    lc_json_array(w, "parameters");
    lc_json_object(w, NULL);
    lc_json_c(w, "name", "value");
    add_type(call, "type", "\"dynamic\"");
    lc_json_end_object(w);
    lc_json_end_array(w);
    lc_json_object(w, "return");
    add_type(call, "type", "\"dynamic\"");
    lc_json_end_object(w);
    lc_json_end_object(w);
    lc_json_object(w, "length"); /* of all lists */
    lc_json_object(w, "variadic_parameter");
    lc_json_c(w, "name", "lists");
    add_type(call, "type", "[\"list\",\"string\"]");
    lc_json_end_object(w);
    lc_json_object(w, "return");
    add_type(call, "type", "\"number\"");
    lc_json_end_object(w);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void get_schema(peer_call *call)
{
    peer_type_write(call->w, "provider",
                    peer_type(&call->p->types, LC_KIND_PROVIDER, LC_STR_EMPTY));
    add_schemas(call, "resource_schemas", LC_KIND_RESOURCE);
    add_schemas(call, "data_source_schemas", LC_KIND_DATA);
    add_schemas(call, "ephemeral_resource_schemas", LC_KIND_EPHEMERAL);
    if (call->p->types.protocol == 6)
        peer_add_stream_schemas(call);
    add_capabilities(call->w);
    add_functions(call);
}

static void get_functions(peer_call *call)
{
    add_functions(call);
}

static void add_names(peer_call *call, const char *key, lc_schema_kind kind)
{
    const peer_types *types = &call->p->types;
    lc_json_array(call->w, key);
    for (size_t i = 0; i < types->schemas.count; i++) {
        const lc_schema *schema = types->schemas.items[i];
        if (schema->kind != kind ||
            (call->p->faults[LESS_METADATA] && lc_str_is(schema->type_name, "peer_thing")))
            continue;
        lc_json_object(call->w, NULL);
        lc_json_str(call->w, "type_name", schema->type_name);
        lc_json_end_object(call->w);
    }
    lc_json_end_array(call->w);
}

static void get_metadata(peer_call *call)
{
    static const char *const functions[] = {"shout", "same", "length"};
    add_capabilities(call->w);
    add_names(call, "resources", LC_KIND_RESOURCE);
    add_names(call, "data_sources", LC_KIND_DATA);
    add_names(call, "ephemeral_resources", LC_KIND_EPHEMERAL);
    lc_json_array(call->w, "functions");
    for (size_t i = 0; i < 3; i++) {
        lc_json_object(call->w, NULL);
        lc_json_c(call->w, "name", functions[i]);
        lc_json_end_object(call->w);
    }
    lc_json_end_array(call->w);
}

static void get_identities(peer_call *call)
{
    static const char *const types[] = {"peer_thing", "peer_checked"};
    lc_json *w = call->w;
    lc_json_object(w, "identity_schemas");
    if (strcmp(call->p->upgrade, "schema-no-identity") == 0) {
        lc_json_end_object(w);
        return;
    }
    for (size_t i = 0; i < (call->p->faults[IDENTITY_CHANGES] ? 2 : 1); i++) {
        lc_json_object(w, types[i]);
        if (call->p->upgrade[0] && strncmp(call->p->upgrade, "identity-", 9) == 0)
            lc_json_int(w, "version", 1);
        lc_json_array(w, "identity_attributes");
        lc_json_object(w, NULL);
        lc_json_c(w, "name", "id");
        add_type(call, "type",
                 strcmp(call->p->upgrade, "schema-identity-type") ? "\"string\"" : "\"number\"");
        lc_json_bool(w, "required_for_import", true);
        lc_json_end_object(w);
        lc_json_end_array(w);
        lc_json_end_object(w);
    }
    lc_json_end_object(w);
}

/* ---- The provider's own configuration, data, functions */

static void validate_provider(peer_call *call)
{
    lc_str msgpack;
    const lc_node *config = lc_pj_get(call->request, "config");
    if (call->p->types.protocol == 5 && lc_pj_bytes(&msgpack, call->arena, config, "msgpack")) {
        lc_json_object(call->w, "prepared_config");
        peer_add_bytes(call, "msgpack", msgpack);
        lc_json_end_object(call->w);
    }
}

static void configure(peer_call *call)
{
    const lc_schema *schema = peer_type(&call->p->types, LC_KIND_PROVIDER, LC_STR_EMPTY);
    const lc_value *config = peer_value(call, call->request, "config", schema->block->implied);
    lc_str bytes = LC_STR_EMPTY;
    if (config && !lc_is_wholly_known(config) && call->p->faults[CONFIGURE_DIES])
        plugin_panic("configure");
    if (config)
        peer_edit_validate(call, config);
    call->never = call->p->faults[CONFIGURE_HANGS];
    lc_pj_bytes(&bytes, call->arena, lc_pj_get(call->request, "config"), "msgpack");
    call->p->settings = lc_str_copy(call->p->arena, bytes);
}

static void validate(peer_call *call)
{
    const lc_value *config =
        peer_value(call, call->request, "config", call->schema->block->implied);
    if (config) {
        peer_validate(call, config);
        peer_edit_validate(call, config);
    }
}

/* The configuration with what follows from it. */
static void answer_config(peer_call *call, const char *key)
{
    const lc_type *type = call->schema->block->implied;
    const lc_value *config = peer_value(call, call->request, "config", type);
    for (uint32_t i = 0; config && i < type->count; i++) {
        lc_str name = type->as.attrs[i].name;
        const peer_attribute *row = peer_attribute_of(call->schema->type_name, name);
        const lc_value *v = row ? peer_derived(call->arena, row, config, config) : NULL;
        if (v)
            config = peer_with(call->arena, config, row->name, v);
    }
    if (config)
        peer_add_value(call, key, config, type);
}

static void read_data(peer_call *call)
{
    const lc_value *config =
        peer_value(call, call->request, "config", call->schema->block->implied);
    const lc_value *read = config ? peer_edit_object(call, READS, config) : NULL;
    if (read && read != config && !call->errors.count)
        peer_add_value(call, "state", read, read->type);
    else if (!call->errors.count)
        answer_config(call, "state");
}

static void open_session(peer_call *call)
{
    answer_config(call, "result");
}

static void nothing(peer_call *call)
{
    (void)call;
}

static const lc_value *shouted(peer_call *call, const lc_value *text)
{
    const bool *faults = call->p->faults;
    const char *more = "";
    bool edited = peer_edits_function(call->p, "shout", &more);
    if ((faults[FUNCTION_DIES] && lc_is_null(text)) || (edited && strcmp(more, "dies") == 0))
        abort();
    if (faults[RESULT_UNKNOWN])
        return peer_unknown(call->arena, &lc_type_string);
    if (!lc_is_known(text))
        return text;
    char *out = lc_str_to_c(call->arena, text->as.string);
    for (size_t i = 0; i < text->as.string.len; i++)
        out[i] = (char)(out[i] >= 'a' && out[i] <= 'z' ? out[i] - 32 : out[i]);
    lc_str all = {out, text->as.string.len};
    if (faults[IMPURE_ELSEWHERE])
        all = lc_str_printf(call->arena, "%s-%ld", out, (long)getpid());
    if (edited)
        all = lc_str_printf(call->arena, "%s%s", out, more);
    if (faults[IMPURE])
        all = lc_str_printf(call->arena, "%s-%llu", out, (unsigned long long)call->p->count);
    return peer_text(call->arena, all);
}

static void call_function(peer_call *call)
{
    const lc_node *arguments = lc_pj_get(call->request, "arguments");
    lc_str name = lc_pj_text(call->request, "name"), msgpack = LC_STR_EMPTY;
    bool shout = lc_str_is(name, "shout"), same = lc_str_is(name, "same");
    const lc_type *type = shout  ? &lc_type_string
                          : same ? &lc_type_dynamic
                                 : lc_type_collection(call->arena, LC_TYPE_LIST, &lc_type_string);
    int64_t length = 0;
    const lc_value *v = peer_null(call->arena, type);
    for (uint32_t i = 0; i < lc_node_item_count(arguments); i++) {
        lc_wire_result result;
        if (!lc_pj_bytes(&msgpack, call->arena, lc_node_item(arguments, i), "msgpack") ||
            !lc_msgpack_decode(&v, call->arena, msgpack, type, &result)) {
            lc_json_object(call->w, "error");
            lc_json_c(call->w, "text", "argument cannot be decoded");
            lc_json_int(call->w, "function_argument", i);
            lc_json_end_object(call->w);
            return;
        }
        length += lc_is_known(v) && !shout && !same ? v->count : 0;
    }
    const char *more = "";
    if (shout && peer_edits_function(call->p, "shout", &more) && strcmp(more, "error") == 0) {
        lc_json_object(call->w, "error");
        lc_json_c(call->w, "text", "no longer supported");
        lc_json_end_object(call->w);
        return;
    }
    if (same) {
        peer_add_value(call, "result", v, type);
        return;
    }
    lc_value number;
    lc_value_set_number(&number, LC_NUM(length));
    if (call->p->faults[RESULT_TYPE])
        shout = !shout, v = peer_text(call->arena, LC_STR("wrong"));
    if (shout)
        peer_add_value(call, "result", shouted(call, v), &lc_type_string);
    else
        peer_add_value(call, "result", &number, &lc_type_number);
}

/* ---- Objects */

static void add_identity(peer_call *call, const char *key, const lc_value *state)
{
    const lc_value *id = peer_get(state, "id");
    lc_type_attr *attr = LC_NEW(call->arena, lc_type_attr);
    *attr = (lc_type_attr){LC_STR("id"), &lc_type_string, false};
    if (call->p->faults[IDENTITY_TYPE])
        attr->type = &lc_type_bool;
    const lc_type *type = lc_type_object(call->arena, attr, 1);
    lc_value *elem = LC_NEW(call->arena, lc_value), object;
    bool has =
        lc_str_is(call->schema->type_name, "peer_thing") ||
        (call->p->faults[IDENTITY_CHANGES] && lc_str_is(call->schema->type_name, "peer_checked"));
    if (!has || !lc_is_known(id))
        return;
    *elem = call->p->faults[IDENTITY_UNKNOWN] ? *peer_unknown(call->arena, &lc_type_string) : *id;
    if (call->p->faults[IDENTITY_CHANGES])
        lc_value_set_string(
            elem, call->arena,
            lc_str_printf(call->arena, "id-%llu", (unsigned long long)call->p->count));
    if (call->p->faults[IDENTITY_TYPE])
        lc_value_set_bool(elem, true);
    lc_value_set_object(&object, call->arena, type, elem);
    lc_json_object(call->w, key);
    peer_add_value(call, "identity_data", &object, type);
    lc_json_end_object(call->w);
}

static void upgrade(peer_call *call)
{
    lc_str json = LC_STR_EMPTY;
    lc_pj_bytes(&json, call->arena, lc_pj_get(call->request, "raw_state"), "json");
    const lc_value *state = peer_upgrade(call, json, lc_pj_int(call->request, "version"));
    if (!call->errors.count && lc_is_known(state))
        state = peer_edit_object(call, UPGRADES, state);
    if (lc_pj_int(call->request, "version") < call->schema->version && !call->errors.count)
        state = peer_edit_object(call, LOWER, state);
    if (call->errors.count)
        return;
    if (call->p->faults[UPGRADE_TYPE])
        peer_add_value(call, "upgraded_state", peer_text(call->arena, LC_STR("a text")),
                       &lc_type_string);
    else
        peer_add_value(call, "upgraded_state", state, call->schema->block->implied);
}

static void upgrade_identity(peer_call *call)
{
    lc_type_attr *attr = LC_NEW(call->arena, lc_type_attr);
    *attr = (lc_type_attr){LC_STR("id"), &lc_type_string, false};
    const lc_value *identity =
        peer_value(call, call->request, "raw_identity", lc_type_object(call->arena, attr, 1));
    if (!identity)
        return;
    identity = peer_edit_object(call, IDENTITY_UPGRADES, identity);
    if (call->errors.count)
        return;
    lc_json_object(call->w, "upgraded_identity");
    peer_add_value(call, "identity_data", identity, identity->type);
    lc_json_end_object(call->w);
}

static void add_replacements(peer_call *call, const peer_plan *plan)
{
    size_t first = beginning(plan->replace.count);
    lc_json_array(call->w, "requires_replace");
    for (size_t i = 0; i < plan->replace.count; i++) {
        lc_json_object(call->w, NULL);
        lc_json_array(call->w, "steps");
        lc_json_object(call->w, NULL);
        lc_json_str(call->w, "attribute_name",
                    plan->replace.items[(first + i) % plan->replace.count]);
        lc_json_end_object(call->w);
        lc_json_end_array(call->w);
        lc_json_end_object(call->w);
    }
    lc_json_end_array(call->w);
}

static void add_plan(peer_call *call, const peer_plan *plan)
{
    const lc_type *type = call->schema->block->implied;
    if (call->p->faults[NO_STATE])
        return;
    if (call->p->faults[WRONG_TYPE] && lc_is_known(plan->planned))
        peer_add_value(call, "planned_state", peer_text(call->arena, LC_STR("a text")),
                       &lc_type_string);
    else
        peer_add_value(call, "planned_state", plan->planned, type);
    add_replacements(call, plan);
    if (!lc_is_null(plan->planned)) {
        peer_add_bytes(call, "planned_private", plan->planned_private);
        add_identity(call, "planned_identity", plan->planned);
    }
    if (plan->deferred) {
        lc_json_object(call->w, "deferred");
        lc_json_c(call->w, "reason", "RESOURCE_CONFIG_UNKNOWN");
        lc_json_end_object(call->w);
    }
}

static void plan_change(peer_call *call)
{
    const lc_type *type = call->schema->block->implied;
    const lc_node *request = call->request;
    peer_plan plan = {.call = call,
                      .prior = peer_value(call, request, "prior_state", type),
                      .config = peer_value(call, request, "config", type),
                      .proposed = peer_value(call, request, "proposed_new_state", type)};
    lc_pj_bytes(&plan.private_data, call->arena, request, "prior_private");
    lc_pj_bytes(&plan.raw_config, call->arena, lc_pj_get(request, "config"), "msgpack");
    if (call->errors.count)
        return;
    peer_plan_honestly(&plan);
    peer_plan_bend(&plan);
    peer_edit_plan(&plan);
    if (!call->errors.count)
        add_plan(call, &plan);
}

static void apply_change(peer_call *call)
{
    const lc_type *type = call->schema->block->implied;
    const lc_value *prior = peer_value(call, call->request, "prior_state", type);
    const lc_value *planned = peer_value(call, call->request, "planned_state", type);
    if (call->errors.count)
        return;
    const lc_value *state = peer_apply(call, prior, planned);
    state = peer_edit_object(call, lc_is_null(planned) ? DESTROYS : APPLIES, state);
    if (call->errors.count && call->p->upgrade[0])
        return;
    peer_add_value(call, "new_state", state, type);
    if (!lc_is_null(state)) {
        peer_add_bytes(call, "private", LC_STR("{\"peer\":1}"));
        add_identity(call, "new_identity", state);
    }
}

static void read_object(peer_call *call)
{
    const lc_type *type = call->schema->block->implied;
    const lc_value *state = peer_value(call, call->request, "current_state", type);
    lc_str private_data = LC_STR_EMPTY;
    lc_pj_bytes(&private_data, call->arena, call->request, "private");
    if (!state)
        return;
    state = peer_edit_object(call, READS, peer_read(call, state));
    if (call->errors.count)
        return;
    peer_add_value(call, "new_state", state, type);
    peer_add_bytes(call, "private", private_data);
    add_identity(call, "new_identity", state);
}

/* By its id, or by its identity. */
static lc_str imported_id(peer_call *call)
{
    lc_type_attr attr = {LC_STR("id"), &lc_type_string, false};
    lc_str id = lc_pj_text(call->request, "id");
    const lc_node *identity = lc_pj_get(call->request, "identity");
    if (id.len || !identity)
        return id;
    const lc_value *v =
        peer_value(call, identity, "identity_data", lc_type_object(call->arena, &attr, 1));
    return v && lc_is_wholly_known(v) && !lc_is_null(v) ? peer_get(v, "id")->as.string : id;
}

static void import_object(peer_call *call)
{
    const lc_value *state = peer_import(call, imported_id(call));
    state = peer_edit_object(call, IMPORTS, state);
    if (call->errors.count)
        return;
    lc_json_array(call->w, "imported_resources");
    lc_json_object(call->w, NULL);
    lc_json_str(call->w, "type_name", call->schema->type_name);
    peer_add_value(call, "state", state, call->schema->block->implied);
    peer_add_bytes(call, "private", LC_STR("{\"peer\":1}"));
    add_identity(call, "identity", state);
    lc_json_end_object(call->w);
    lc_json_end_array(call->w);
}

static void move_object(peer_call *call)
{
    lc_str json = LC_STR_EMPTY;
    lc_pj_bytes(&json, call->arena, lc_pj_get(call->request, "source_state"), "json");
    lc_str from = lc_pj_text(call->request, "source_type_name");
    bool known = call->p->local && lc_str_is(from, "peer_checked") &&
                 lc_str_is(call->schema->type_name, "peer_thing");
    if (!known && !lc_str_is(from, "peer_old")) {
        peer_error(call, LC_STR_EMPTY, "Unable to Move Resource State",
                   LC_STR("Only objects of peer_old can be moved."));
        return;
    }
    const lc_value *state = peer_upgrade(call, json, known ? call->schema->version : 0);
    state = peer_edit_object(call, MOVES, state);
    if (call->errors.count)
        return;
    peer_add_value(call, "target_state", state, call->schema->block->implied);
    peer_add_bytes(call, "target_private", LC_STR("{\"peer\":1}"));
    add_identity(call, "target_identity", state);
}

/* ---- Calls */

typedef struct handler {
    const char *name5, *name6;
    int kind; /* whose type the request names; -1: none */
    void (*answer)(peer_call *call);
} handler;

static const handler handlers[] = {
    {"GetSchema", "GetProviderSchema", -1, get_schema},
    {"GetMetadata", "GetMetadata", -1, get_metadata},
    {"GetFunctions", "GetFunctions", -1, get_functions},
    {"GetResourceIdentitySchemas", "GetResourceIdentitySchemas", -1, get_identities},
    {"PrepareProviderConfig", "ValidateProviderConfig", -1, validate_provider},
    {"Configure", "ConfigureProvider", -1, configure},
    {"Stop", "StopProvider", -1, nothing},
    {"CallFunction", "CallFunction", -1, call_function},
    {"ValidateResourceTypeConfig", "ValidateResourceConfig", LC_KIND_RESOURCE, validate},
    {"ValidateDataSourceConfig", "ValidateDataResourceConfig", LC_KIND_DATA, validate},
    {"ValidateEphemeralResourceConfig", "ValidateEphemeralResourceConfig", LC_KIND_EPHEMERAL,
     validate},
    {"UpgradeResourceState", "UpgradeResourceState", LC_KIND_RESOURCE, upgrade},
    {"UpgradeResourceIdentity", "UpgradeResourceIdentity", LC_KIND_RESOURCE, upgrade_identity},
    {"PlanResourceChange", "PlanResourceChange", LC_KIND_RESOURCE, plan_change},
    {"ApplyResourceChange", "ApplyResourceChange", LC_KIND_RESOURCE, apply_change},
    {"ReadResource", "ReadResource", LC_KIND_RESOURCE, read_object},
    {"ImportResourceState", "ImportResourceState", LC_KIND_RESOURCE, import_object},
    {"MoveResourceState", "MoveResourceState", LC_KIND_RESOURCE, move_object},
    {"ReadDataSource", "ReadDataSource", LC_KIND_DATA, read_data},
    {"OpenEphemeralResource", "OpenEphemeralResource", LC_KIND_EPHEMERAL, open_session},
    {"CloseEphemeralResource", "CloseEphemeralResource", LC_KIND_EPHEMERAL, nothing},
    {"", "ValidateListResourceConfig", -1, nothing},
    {"", "ListResource", LC_KIND_RESOURCE, peer_list},
    {"", "ValidateActionConfig", -1, nothing},
    {"", "PlanAction", -1, peer_plan_action},
    {"", "InvokeAction", -1, peer_invoke_action},
    {"", "ValidateStateStoreConfig", -1, nothing},
    {"", "ConfigureStateStore", -1, peer_store_configure},
    {"", "ReadStateBytes", -1, peer_store_read},
    {"", "WriteStateBytes", -1, peer_store_write},
    {"", "LockState", -1, peer_store_lock},
    {"", "UnlockState", -1, peer_store_unlock},
    {"", "GetStates", -1, peer_store_states},
    {"", "DeleteState", -1, peer_store_delete},
};

static const handler *handler_of(const peer *p, const char *name)
{
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
        if (strcmp(p->types.protocol == 5 ? handlers[i].name5 : handlers[i].name6, name) == 0)
            return &handlers[i];
    return NULL;
}

/* The type of the request. False: the provider does not have it. */
static bool find_schema(peer_call *call, const handler *h, lc_str *type)
{
    *type = lc_pj_text(call->request, "type_name");
    if (type->len == 0)
        *type = lc_pj_text(call->request, "target_type_name");
    if (h->kind < 0)
        return true;
    call->schema = peer_type(&call->p->types, (lc_schema_kind)h->kind, *type);
    return call->schema != NULL;
}

static void add_message(peer_call *call, lc_str json)
{
    lc_buf bytes = {0};
    lc_source source;
    lc_diags diags;
    lc_str why = LC_STR("no JSON");
    lc_diags_init(&diags, call->arena);
    if (lc_json_parse(&source, call->arena, LC_STR("answer"), json, &LC_LIMITS_DEFAULT, &diags) !=
            LC_OK ||
        !lc_wire_write(&bytes, call->arena, call->method->response, source.documents, &why)) {
        fprintf(stderr, "%s: the answer is not a message: %.*s\n", call->method->name, LC_FMT(why));
        _exit(4);
    }
    lc_grpc_add_message(call->out, lc_buf_str(&bytes), false);
    lc_buf_release(&bytes);
}

void peer_end_message(peer_call *call)
{
    lc_json *w = call->w;
    lc_json_end_object(w);
    add_message(call, lc_buf_str(w->out));
    lc_buf_clear(w->out);
    *w = (lc_json){.out = w->out};
    lc_json_object(w, NULL);
}

static void make_answer(peer_call *call, const handler *h)
{
    lc_buf json = {0};
    lc_json w = {.out = &json};
    lc_str type;
    call->w = &w;
    lc_json_object(&w, NULL);
    if (find_schema(call, h, &type))
        h->answer(call);
    else
        peer_error(call, LC_STR_EMPTY, "Unknown type", type);
    if (!call->method->response_stream) {
        peer_add_errors(call, "diagnostics");
        peer_end_message(call);
    }
    lc_buf_release(&json);
}

static void refuse(h2_stream *stream)
{
    stream->status = H2_UNIMPLEMENTED;
    lc_buf_add_c(&stream->message, "unknown method");
    h2_answer(stream);
}

/* All messages of a request. False: one cannot be read. */
static bool read_requests(peer_call *call, const h2_stream *stream)
{
    lc_wire_reader reader = {.arena = call->arena, .limits = LC_LIMITS_DEFAULT};
    LC_VEC(lc_node) all = {0};
    lc_str message;
    size_t at = 0;
    bool compressed;
    while (lc_grpc_next(lc_buf_str(&stream->in), &at, &message, &compressed)) {
        if (!lc_wire_read(LC_PUSH(call->arena, &all, lc_node), &reader, call->method->request,
                          message))
            return false;
    }
    call->requests = all.items;
    call->request_count = all.count;
    call->request = all.items;
    return all.count > 0;
}

static void answer(peer *p, h2_stream *stream)
{
    const lc_wire_method *method = lc_wire_method_of(lc_buf_str(&stream->path));
    const handler *h = method ? handler_of(p, method->name) : NULL;
    lc_arena *arena = lc_arena_new();
    peer_call call = {.p = p, .arena = arena, .method = method, .out = &stream->out};
    p->count++;
    if (h && method->protocol == p->types.protocol && read_requests(&call, stream)) {
        make_answer(&call, h);
        stream->status = 0;
        if (!call.never)
            h2_answer(stream);
    } else {
        refuse(stream);
    }
    lc_arena_free(arena);
}

/* ---- Service. With RACE, plans are answered a little later, and all that wait together see each
 * other. */

#define MAX_WAITING 256

static h2_stream *waiting[MAX_WAITING];
static int64_t due;

static void log_call(const peer *p, const h2_stream *stream, const char *name)
{
    lc_arena *arena = lc_arena_new();
    lc_wire_reader reader = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    const lc_wire_method *method = lc_wire_method_of(lc_buf_str(&stream->path));
    lc_node request;
    lc_str message, type = LC_STR_EMPTY;
    size_t at = 0;
    bool compressed;
    if (p->plugin.log >= 0 && method &&
        lc_grpc_next(lc_buf_str(&stream->in), &at, &message, &compressed) &&
        lc_wire_read(&request, &reader, method->request, message))
        type = lc_pj_text(&request, "type_name");
    plugin_say(&p->plugin, "call", name, lc_str_to_c(arena, type));
    lc_arena_free(arena);
}

static void on_request(h2_stream *stream)
{
    peer *p = stream->connection->user;
    lc_str path = lc_buf_str(&stream->path);
    char name[64];
    snprintf(name, sizeof name, "%.*s", LC_FMT(lc_file_name(path)));
    log_call(p, stream, name);
    if (lc_str_is(path, "/plugin.GRPCController/Shutdown")) {
        p->plugin.stop = true;
        refuse(stream);
    } else if (p->faults[RACE] && lc_str_ends_with(path, LC_STR("/PlanResourceChange")) &&
               p->waiting < MAX_WAITING) {
        waiting[p->waiting++] = stream;
        due = h2_now() + RACE_MS;
    } else {
        answer(p, stream);
    }
}

static void on_closed(h2_stream *stream)
{
    peer *p = stream->connection->user;
    for (size_t i = 0; i < p->waiting; i++)
        if (waiting[i] == stream)
            waiting[i] = NULL;
}

static int answer_due(void *user)
{
    peer *p = user;
    int64_t left = due - h2_now();
    if (!p->waiting)
        return -1;
    if (left > 0)
        return (int)left;
    for (size_t i = 0; i < p->waiting; i++)
        if (waiting[i])
            answer(p, waiting[i]);
    p->waiting = 0;
    for (size_t i = 0; i < PLUGIN_CONNECTIONS; i++)
        if (p->plugin.connections[i])
            h2_write(p->plugin.connections[i]);
    return -1;
}

static void add_types(peer_types *types)
{
    lc_str names = lc_str_from_c(plugin_setting("PEER_TYPES", "")), name;
    for (size_t at = 0; at < names.len; at += name.len + 1) {
        name = lc_str_sub(names, at, lc_str_find(names, at, '|'));
        peer_types_add(types, name, lc_str_starts_with(name, LC_STR("twin")) ? 9 : 1);
    }
    long wide = strtol(plugin_setting("PEER_WIDE", "0"), NULL, 10);
    if (wide > 0)
        peer_types_add(types, LC_STR("peer_wide"), (unsigned)wide);
}

static void print_tables(const char *what)
{
    static const char *const kinds[] = {
#define LC_KIND(id, name) name,
        LC_SCHEMA_KINDS(LC_KIND)};
    if (strcmp(what, "faults") == 0) {
#define FAULT(id, word, law, rules, type) printf("%s\t%d\t%s\t%s\n", word, law, rules, type);
#include "faults.def"
    }
    if (strcmp(what, "upgrades") == 0)
        peer_print_edits();
    if (strcmp(what, "types") == 0) {
#define TYPE(kind, name, version) printf("%s\t%s\t%d\n", kinds[kind], name, version);
#include "types.def"
    }
}

int main(int count, char **arguments)
{
    static const char *const words[] = {
#define FAULT(id, word, ...) word,
#include "faults.def"
        NULL};
    static const h2_events events = {on_request, on_closed};
    static peer p;
    static char extra[32];
    if (count == 2) {
        print_tables(arguments[1]);
        return 0;
    }
    plugin_begin(&p.plugin, arguments[0]);
    p.plugin.events = &events;
    p.plugin.user = &p;
    p.plugin.due = answer_due;
    p.arena = lc_arena_new();
    lc_table_init(&p.remembered, p.arena);
    plugin_faults(p.faults, words);
    p.types = (peer_types){.arena = p.arena,
                           .protocol = strcmp(plugin_setting("PROTOCOL", "6"), "5") == 0 ? 5 : 6};
    snprintf(extra, sizeof extra, "extra_%ld", (long)getpid());
    if (p.faults[OTHER_SCHEMA])
        p.types.extra = extra;
    p.local = *plugin_setting("LOCAL", "");
    peer_edit_types(&p, plugin_setting("UPGRADE", ""));
    peer_types_make(&p.types);
    add_types(&p.types);
    int listener = plugin_listen(&p.plugin);
    plugin_handshake(&p.plugin, p.types.protocol);
    plugin_serve(&p.plugin, listener);
    plugin_leave(&p.plugin, 0);
}
