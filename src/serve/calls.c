/* Calls about objects, answered as a provider does that keeps every requirement of the lifecycle.
 */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/codec/plain_json.h"
#include "lifecheck/contract/contract.h"
#include "serve/internal.h"

#include <unistd.h>

static const lc_type *type_of(const lc_serve_call *call)
{
    return call->schema->block->implied;
}

static void reply_value(lc_serve_call *call, const lc_value *value)
{
    call->reply.value = value;
    call->reply.type = type_of(call);
}

static void reply_private(lc_serve_call *call, lc_str bytes)
{
    call->reply.private_data = bytes;
    call->reply.has_private = true;
}

static lc_str bytes_of(lc_serve_call *call, const char *field)
{
    lc_str bytes = LC_STR_EMPTY;
    lc_pj_bytes(&bytes, call->arena, call->request, field);
    return bytes;
}

static lc_serve_maker maker_of(const lc_serve_call *call, lc_str key)
{
    return (lc_serve_maker){.arena = call->arena,
                            .settings = lc_serve_settings(call),
                            .type = call->schema->type_name,
                            .key = key,
                            .data = call->schema->kind == LC_KIND_DATA};
}

/* A key for values that are the same whenever they are read. */
static lc_str steady_key(lc_serve_call *call, const lc_value *config)
{
    lc_buf bytes = {0};
    lc_msgpack_encode(&bytes, config, type_of(call));
    lc_str key = lc_str_printf(
        call->arena, "%016llx",
        (unsigned long long)lc_fingerprint_join(lc_str_fingerprint(call->schema->type_name),
                                                lc_str_fingerprint(lc_buf_str(&bytes))));
    lc_buf_release(&bytes);
    return key;
}

/* The identity of the request, else one made from the object. */
static void reply_identity(lc_serve_call *call, const char *field, const lc_value *state,
                           lc_str key)
{
    const lc_value *given = NULL;
    lc_serve_maker m = maker_of(call, key);
    if (!call->schema->identity_type || lc_is_null(state) || call->reply.identity)
        return;
    if (field)
        given = lc_serve_identity(call, field);
    call->reply.identity = given && lc_is_known(given) && lc_is_wholly_known(given)
                               ? given
                               : lc_serve_make_identity(&m, call->schema, state);
}

/* ---- Stored objects. */

static bool keep(lc_serve_call *call, lc_str key, const lc_value *state)
{
    lc_buf json = {0};
    lc_str why;
    bool ok = lc_ctyjson_encode(&json, state, type_of(call), &why) &&
              lc_serve_keep(call->served->options.objects, call->arena, call->schema->type_name,
                            key, lc_buf_str(&json), &why);
    lc_buf_release(&json);
    if (!ok)
        lc_serve_error(call, "Object cannot be kept", why);
    return ok;
}

/* Stored JSON, which people may have changed. NULL: an error of the answer. */
static const lc_value *stored_value(lc_serve_call *call, lc_str json)
{
    const lc_value *v;
    lc_wire_result result;
    if (lc_ctyjson_decode(&v, call->arena, json, type_of(call), &result))
        return v;
    lc_serve_error(call, "Stored object cannot be read",
                   lc_str_printf(call->arena, "%.*s at %.*s.", LC_FMT(result.problem.message),
                                 LC_FMT(result.problem.path)));
    return NULL;
}

/* ---- Upgrades. */

static bool parse(lc_source *out, lc_serve_call *call, lc_str json)
{
    lc_diags diags;
    lc_diags_init(&diags, call->arena);
    return lc_json_parse(out, call->arena, LC_STR("state"), json, &call->served->options.limits,
                         &diags) == LC_OK;
}

/* An attribute as it is written in a state. False: bare->why. Values below dynamic are wrapped
 * there, with their types, and an object around one has all its attributes. */
static bool from_attribute(lc_value *out, lc_plain_json *bare, const lc_type *type,
                           const lc_node *node)
{
    const lc_value *v;
    lc_wire_result result;
    if (!type->has_dynamic)
        return lc_plain_json_value(out, bare, type, node, NULL);
    if (lc_ctyjson_decode(&v, bare->arena, lc_node_json(bare->arena, node), type, &result)) {
        *out = *v;
        return true;
    }
    bare->why = result.problem.message;
    return false;
}

/* What the schema has of an object as it is written in a state; the rest is null. */
static const lc_value *from_state(lc_serve_call *call, lc_str json)
{
    const lc_type *type = type_of(call);
    lc_source source;
    lc_value *elems = LC_NEW_ARRAY(call->arena, lc_value, type->count + 1);
    lc_value *out = LC_NEW(call->arena, lc_value);
    lc_plain_json bare = {.arena = call->arena, .limits = call->served->options.limits};
    if (!parse(&source, call, json)) {
        lc_serve_error(call, "Stored state is not JSON", LC_STR("Its raw_state cannot be parsed."));
        return NULL;
    }
    if (lc_node_is_null(source.documents))
        return lc_serve_null(call->arena, type);
    for (uint32_t i = 0; i < type->count; i++) {
        const lc_node *node = lc_node_value(source.documents, type->as.attrs[i].name);
        if (!node)
            lc_value_set_null(&elems[i], type->as.attrs[i].type);
        else if (!from_attribute(&elems[i], &bare, type->as.attrs[i].type, node)) {
            lc_serve_error(call, "Stored state does not fit the schema",
                           lc_str_printf(call->arena, "%.*s: %.*s.", LC_FMT(type->as.attrs[i].name),
                                         LC_FMT(bare.why)));
            return NULL;
        }
    }
    lc_value_set_object(out, call->arena, type, elems);
    return lc_state_handed_on(call->arena, call->schema->block, out);
}

/* The schema has one version only, so an upgrade is reading by it. That the state is newer is what
 * clients check themselves before they call; the message is theirs. */
void lc_serve_upgrade(lc_serve_call *call)
{
    const lc_node *raw = lc_pj_get(call->request, "raw_state");
    int64_t version = lc_pj_int(call->request, "version");
    lc_str json = LC_STR_EMPTY;
    lc_pj_bytes(&json, call->arena, raw, "json");
    if (version > call->schema->version)
        lc_serve_error(call, "Resource instance managed by newer provider version",
                       lc_str_printf(call->arena,
                                     "The state has schema version %lld of %.*s, the schema that "
                                     "is served has %lld.",
                                     (long long)version, LC_FMT(call->schema->type_name),
                                     (long long)call->schema->version));
    else if (!json.len)
        lc_serve_error(call, "Stored state cannot be read",
                       LC_STR("It is in the format of Terraform 0.11 or has no values."));
    else
        reply_value(call, from_state(call, json));
}

void lc_serve_upgrade_identity(lc_serve_call *call)
{
    lc_str json = LC_STR_EMPTY;
    lc_source source;
    lc_value *out = LC_NEW(call->arena, lc_value);
    lc_plain_json bare = {.arena = call->arena, .limits = call->served->options.limits};
    lc_pj_bytes(&json, call->arena, lc_pj_get(call->request, "raw_identity"), "json");
    if (!call->schema->identity_type || !parse(&source, call, json) ||
        !lc_plain_json_value(out, &bare, call->schema->identity_type, source.documents, NULL))
        lc_serve_error(call, "Stored identity cannot be read", bare.why);
    else
        call->reply.identity = out;
}

/* The source may be of any provider: what both schemas have is taken over. The object that is left
 * behind belongs to its own provider, so nothing is forgotten here. */
void lc_serve_move(lc_serve_call *call)
{
    lc_serve_objects *objects = call->served->options.objects;
    lc_str json = LC_STR_EMPTY, key = lc_serve_new_key(objects, call->arena);
    lc_pj_bytes(&json, call->arena, lc_pj_get(call->request, "source_state"), "json");
    const lc_value *state = from_state(call, json);
    if (!state || !keep(call, key, state))
        return;
    reply_value(call, state);
    reply_private(call, lc_serve_private(objects, call->arena, key));
    reply_identity(call, NULL, state, key);
}

/* ---- Plans. */

/* The answer of an input to a request with these values, one or two. Its identity becomes that of
 * the reply, so that none is made. An input may be of another version of the schema: an answer of
 * another type is not used. */
static const lc_serve_answer *stated(lc_serve_call *call, lc_serve_question what,
                                     const lc_value *first, const lc_value *second)
{
    const lc_value *const values[] = {first, second};
    const lc_serve_answer *answer =
        lc_serve_stated_find(call, what, call->schema->type_name, values, second ? 2 : 1);
    if (answer && answer->identity && call->schema->identity_type &&
        lc_type_conforms(answer->identity->type, call->schema->identity_type))
        call->reply.identity = answer->identity;
    return answer && lc_type_conforms(answer->value->type, type_of(call)) ? answer : NULL;
}

/* A change that was seen to replace an object does it here, too. */
static void reply_replacements(lc_serve_call *call, const lc_value *prior, const lc_value *planned)
{
    const lc_learned_answer learned =
        lc_learned_ask(call->served->options.learned, call->arena, call->schema,
                       call->schema->type_name, prior, planned);
    if (!learned.by || learned.by->effect != LC_LEARNED_REPLACED)
        return;
    lc_step *step = LC_NEW(call->arena, lc_step);
    lc_str path = learned.by->path;
    *step = (lc_step){LC_STEP_ATTR, lc_str_sub(path, 0, lc_str_find(path, 0, '.')), 0, NULL};
    *LC_PUSH(call->arena, &call->reply.replace, lc_path) = (lc_path){step, 1};
}

/* What follows from the schema, or what the inputs state. */
static void reply_plan(lc_serve_call *call, const lc_value *proposed)
{
    const lc_block *block = call->schema->block;
    const lc_serve_answer *answer = stated(call, LC_SERVE_PLAN, call->prior, call->config);
    bool exists = !lc_is_null(call->prior);
    if (answer) {
        reply_value(call, answer->value);
        for (size_t i = 0; i < answer->replace.count; i++)
            *LC_PUSH(call->arena, &call->reply.replace, lc_path) = answer->replace.items[i];
        return;
    }
    proposed = lc_without_write_only(call->arena, block, proposed);
    if (exists && lc_value_same(call->prior, proposed)) { /* else the plan would never be empty */
        reply_value(call, call->prior);
        return;
    }
    reply_value(call, lc_serve_with_unknowns(call->arena, block, proposed));
    if (exists && call->served->options.learned)
        reply_replacements(call, call->prior, call->reply.value);
}

void lc_serve_plan(lc_serve_call *call)
{
    const lc_type *type = type_of(call);
    const lc_value *prior = lc_serve_value(call, call->request, "prior_state", type);
    const lc_value *config = lc_serve_value(call, call->request, "config", type);
    const lc_value *proposed = lc_serve_value(call, call->request, "proposed_new_state", type);
    call->prior = prior;
    call->config = config;
    if (!prior || !config || !proposed || !lc_serve_conforms(call, config))
        return;
    /* also in the second plan of a replace, whose answer is for the delete too */
    reply_private(call, bytes_of(call, "prior_private"));
    if (lc_is_null(proposed)) {
        reply_value(call, proposed);
        return;
    }
    reply_plan(call, proposed);
    if (!lc_is_null(prior) && call->schema->identity_type) {
        const lc_value *identity = lc_serve_identity(call, "prior_identity");
        call->reply.identity = identity && lc_is_known(identity) ? identity : NULL;
    }
}

/* A create, an update or, with a null plan, a delete. The object gets a new key if it has none: a
 * create, or an update of one that another store keeps, whose state the client has. */
void lc_serve_apply(lc_serve_call *call)
{
    lc_serve_objects *objects = call->served->options.objects;
    const lc_type *type = type_of(call);
    const lc_value *prior = lc_serve_value(call, call->request, "prior_state", type);
    const lc_value *planned = lc_serve_value(call, call->request, "planned_state", type);
    lc_str private_data = bytes_of(call, "planned_private");
    bool foreign;
    lc_str key = lc_serve_key_of(objects, call->arena, private_data, &foreign);
    call->prior = prior;
    call->config = lc_serve_value(call, call->request, "config", type);
    if (!prior || !planned || !call->config)
        return;
    if (lc_is_null(planned)) {
        if (key.len)
            lc_serve_forget(objects, call->arena, call->schema->type_name, key);
        reply_value(call, planned);
        return;
    }
    if (!key.len || foreign || lc_is_null(prior)) {
        key = lc_serve_new_key(objects, call->arena);
        private_data = lc_serve_private(objects, call->arena, key);
    }
    lc_serve_maker m = maker_of(call, key);
    const lc_serve_answer *answer = stated(call, LC_SERVE_APPLY, prior, planned);
    const lc_value *state =
        answer ? answer->value : lc_serve_fill(&m, call->schema->block, planned);
    if (!keep(call, key, state)) { /* what was there is as it was */
        state = prior;
        private_data = bytes_of(call, "planned_private");
    }
    reply_value(call, state);
    reply_private(call, private_data);
    reply_identity(call, "planned_identity", state, key);
}

/* ---- Reading. */

/* What is stored wins over what the client has, since people may have changed it. A store in memory
 * knows nothing of objects of an earlier process: their state stays as the client sends it. */
void lc_serve_read(lc_serve_call *call)
{
    lc_serve_objects *objects = call->served->options.objects;
    const lc_value *state = lc_serve_value(call, call->request, "current_state", type_of(call));
    lc_str private_data = bytes_of(call, "private"), json;
    bool foreign;
    lc_str key = lc_serve_key_of(objects, call->arena, private_data, &foreign);
    if (!state)
        return;
    const lc_serve_answer *answer = stated(call, LC_SERVE_READ, state, NULL);
    if (answer) {
        state = answer->value;
    } else if (key.len && !foreign) {
        lc_serve_found found =
            lc_serve_find(objects, call->arena, call->schema->type_name, key, &json);
        if (found == LC_SERVE_HERE)
            state = stored_value(call, json);
        else if (found == LC_SERVE_GONE) /* a client plans to create it again */
            state = lc_serve_null(call->arena, type_of(call));
    }
    if (!state)
        return;
    reply_value(call, state);
    if (!lc_is_null(state))
        reply_private(call, private_data);
    reply_identity(call, "current_identity", state, key.len ? key : steady_key(call, state));
}

/* An object of which only the id is known: what is required is there, too. */
typedef struct importer {
    lc_serve_maker maker;
    const lc_schema *schema;
    const lc_value *identity; /* NULL: the id */
    lc_str id;
} importer;

static const lc_value *imported(void *context, const lc_value *object, const lc_attribute *a,
                                const lc_value *v)
{
    importer *im = context;
    bool root = object->type == im->schema->block->implied;
    const lc_value *given = root && im->identity ? lc_value_attr(im->identity, a->name) : NULL;
    lc_value slot;
    if (given && lc_is_known(given) && lc_type_equal(given->type, a->implied))
        return given;
    if (root && lc_str_is(a->name, "id") && a->implied->kind == LC_TYPE_STRING && im->id.len) {
        lc_value_set_string(&slot, im->maker.arena, im->id);
        return lc_value_new(im->maker.arena, &slot);
    }
    if (lc_is_null(v) && !a->write_only && (a->required || a->computed))
        return lc_serve_make(&im->maker, a);
    return NULL;
}

/* Any id exists: the import is what is tried here, and needs no object to be prepared for it. */
static const lc_value *new_import(lc_serve_call *call, lc_str key)
{
    const lc_block *block = call->schema->block;
    importer im = {maker_of(call, key), call->schema, NULL, lc_pj_text(call->request, "id")};
    if (call->schema->identity_type)
        im.identity = lc_serve_identity(call, "identity");
    const lc_value *empty = lc_block_empty_value(call->arena, block);
    return lc_serve_changed(call->arena, block, empty, imported, &im);
}

/* The object with this ID, which is made if there is none. NULL: an error is the response. */
static const lc_value *find_or_import(lc_serve_call *call, lc_str *key)
{
    lc_serve_objects *objects = call->served->options.objects;
    lc_str type = call->schema->type_name, id = lc_pj_text(call->request, "id"), json;
    *key = id.len ? lc_serve_key_by_id(objects, call->arena, type, id) : LC_STR_EMPTY;
    if (key->len && lc_serve_find(objects, call->arena, type, *key, &json) == LC_SERVE_HERE)
        return stored_value(call, json);
    *key = lc_serve_new_key(objects, call->arena);
    const lc_value *state = new_import(call, *key);
    return keep(call, *key, state) ? state : NULL;
}

/* The folder is locked, so that clients that import one ID at the same time get one object. */
void lc_serve_import(lc_serve_call *call)
{
    lc_serve_objects *objects = call->served->options.objects;
    lc_str key;
    int locked = lc_serve_lock_folder(objects);
    const lc_value *state = find_or_import(call, &key);
    if (locked >= 0)
        close(locked);
    if (!state)
        return;
    reply_value(call, state);
    reply_private(call, lc_serve_private(objects, call->arena, key));
    reply_identity(call, "identity", state, key);
}

/* ---- Data sources, ephemeral resources. */

/* `key`: of an ephemeral object, new for each. "": of a data source, whose values are made from its
 * configuration, so that each read gives the same. */
static void reply_computed(lc_serve_call *call, lc_str key)
{
    const lc_block *block = call->schema->block;
    const lc_value *config = lc_serve_value(call, call->request, "config", type_of(call));
    call->config = config;
    if (!config)
        return;
    const lc_serve_answer *answer =
        stated(call, key.len ? LC_SERVE_OPEN : LC_SERVE_DATA, config, NULL);
    if (answer) {
        reply_value(call, answer->value);
        return;
    }
    if (!lc_is_wholly_known(config)) {
        lc_serve_error(call, "Configuration is not known yet",
                       LC_STR("It has unknown values: a client waits until they are known."));
        return;
    }
    lc_serve_maker m = maker_of(call, key.len ? key : steady_key(call, config));
    const lc_value *marked = lc_serve_with_unknowns(call->arena, block, config);
    reply_value(call, lc_serve_fill(&m, block, marked));
}

void lc_serve_data(lc_serve_call *call)
{
    reply_computed(call, LC_STR_EMPTY);
}

void lc_serve_open(lc_serve_call *call)
{
    lc_serve_objects *objects = call->served->options.objects;
    lc_str key = lc_serve_new_key(objects, call->arena);
    reply_computed(call, key);
    reply_private(call, lc_serve_private(objects, call->arena, key));
}

/* Without a field renew_at in the answer a client does not ask again. */
void lc_serve_renew(lc_serve_call *call)
{
    reply_private(call, bytes_of(call, "private"));
}
