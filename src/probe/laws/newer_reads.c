/* Law 39 about reading, importing, identities and moves. Objects are read only from a provider
 * without a network, so that nothing real is read. Where the older version tries to reach its
 * service, nothing is compared. */
#include "lifecheck/base/arena.h"
#include "probe/laws/newer.h"

#define MOST_MOVES      60 /* types of a provider, each of which may take objects of each other */
#define MOST_UNREADABLE 3  /* types that need their service; after them no type is read any more */
#define MOST_UNREAD     5 /* objects without a state; after them none of the type is read any more */
#define LOWER_VERSIONS  10 /* schema versions below the current one that are upgraded */

/* ---- Reading. */

/* Did the older version try to reach its service? Its response then says nothing about the object,
 * and the type is not read again. */
static bool needs_service(lc_trial *trial)
{
    lc_peer_cache *cache = trial->exam->cache;
    bool needs = cache->reached.len > 0 || cache->unavailable;
    cache->reached = LC_STR_EMPTY;
    if (needs && !trial->exam->unreadable) {
        trial->exam->unreadable = true;
        trial->exam->prober->unreadable++;
    }
    return needs;
}

/* Once an object of any type was read, a type that needs its service only ends its own reads. */
static bool may_be_read(const lc_trial *trial)
{
    const lc_prober *prober = trial->exam->prober;
    return prober->options->offline && !trial->exam->unreadable &&
           (prober->readable > 0 || prober->unreadable < MOST_UNREADABLE);
}

/* The identity, if the object has an attribute of the same name and type for each of its. */
static const lc_value *identity_of(lc_arena *arena, const lc_schema *schema, const lc_value *object)
{
    const lc_type *type = schema->identity_type;
    lc_value slot, *elems = LC_NEW_ARRAY(arena, lc_value, (type ? type->count : 0) + 1);
    for (size_t i = 0; type && i < type->count; i++) {
        const lc_value *part = lc_value_attr(object, type->as.attrs[i].name);
        if (!part || lc_is_null(part) || !lc_type_equal(part->type, type->as.attrs[i].type))
            return NULL;
        elems[i] = *part;
    }
    if (!type)
        return NULL;
    lc_value_set_object(&slot, arena, type, elems);
    return lc_value_new(arena, &slot);
}

static bool is_state(const lc_field *field)
{
    return lc_field_has_value(field) && !lc_is_null(field->value) &&
           lc_is_wholly_known(field->value);
}

void lc_newer_read_stored(lc_trial *trial, lc_newer_stored *stored)
{
    lc_trial outside = lc_newer_outside(trial);
    stored->identity = identity_of(trial->arena, trial->exam->schema, stored->value);
    if (!may_be_read(trial))
        return;
    lc_trial_begin_run(&outside, stored->value, NULL);
    const lc_call call = *lc_trial_query_read(
        &outside, &(lc_stored_object){stored->value, stored->identity, stored->private_data},
        false);
    if (needs_service(trial))
        return;
    if (!lc_answered(&call) || !is_state(&call.result)) {
        trial->exam->unreadable = ++trial->exam->unread >= MOST_UNREAD;
        return;
    }
    trial->exam->prober->readable++;
    stored->read = call.result.value;
    if (is_state(&call.identity))
        stored->identity = call.identity.value;
}

bool lc_newer_query_data(lc_trial *trial)
{
    const lc_value *config = trial->spec->config, *newer = lc_newer_config(trial, config);
    if (!newer)
        return false;
    trial->why = "reading needs its service";
    if (!may_be_read(trial))
        return false;
    lc_trial_begin_run(trial, NULL, config);
    /* Twice: what differs between these reads is not a difference between the versions. */
    for (size_t i = 0; i < 2; i++) {
        const lc_call *call = lc_trial_query_data(trial, config);
        if (needs_service(trial))
            return false;
        trial->why = "the old version does not read it without a service";
        if (!lc_answered(call))
            return false;
    }
    trial->exam->prober->readable++;
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, newer);
    lc_trial_query_data(trial, newer);
    return true;
}

/* ---- Importing. */

static bool is_string(const lc_value *v)
{
    return v && lc_is_known(v) && v->type->kind == LC_TYPE_STRING;
}

/* What users usually import an object by: its id, or else its first string. "": it has neither. */
static lc_str import_id(const lc_examination *exam, const lc_value *object)
{
    const lc_value *id = lc_value_attr(object, LC_STR("id"));
    const lc_block *block = exam->schema->block;
    for (size_t i = 0; !is_string(id) && i < block->attribute_count; i++)
        id = lc_value_attr(object, block->attributes[i].name);
    return is_string(id) ? id->as.string : LC_STR_EMPTY;
}

bool lc_newer_query_import(lc_trial *trial)
{
    lc_newer_stored s;
    bool by_identity = trial->spec->variant == LC_NEWER_IDENTIFIED;
    if (!lc_newer_find_stored(trial, &s))
        return false;
    lc_str id = by_identity ? LC_STR_EMPTY : import_id(trial->exam, s.value);
    trial->why = "the object has no import ID";
    if (!trial->exam->prober->options->offline || (by_identity ? !s.identity : id.len == 0))
        return false;
    lc_trial_begin_run(trial, NULL, NULL);
    const lc_call *old = lc_trial_query_import(trial, id, s.identity);
    trial->why = "the old version does not import it without a service";
    if (needs_service(trial) || !lc_answered(old) || old->imported.count == 0)
        return false;
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, NULL);
    lc_trial_query_import(trial, id, s.identity);
    return true;
}

/* ---- Identities. */

bool lc_newer_query_identity(lc_trial *trial)
{
    lc_newer_stored s;
    const lc_examination *exam = trial->exam;
    if (!lc_newer_find_stored(trial, &s))
        return false;
    trial->why = "no identity of the object is known";
    if (!s.identity)
        return false;
    lc_trial_begin_run(trial, NULL, NULL);
    lc_trial_query_identity(trial, s.identity, exam->schema->identity_version);
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, NULL);
    lc_trial_query_identity(trial, s.identity, exam->schema->identity_version);
    return true;
}

/* ---- Moves. */

/* MoveResourceState with the stored object as the source. */
static const lc_call *query_move(lc_trial *trial, const lc_newer_stored *stored)
{
    lc_run *run = lc_trial_begin_run(trial, NULL, NULL);
    run->previous_run_state = stored->raw;
    run->prior_state = (lc_field){.loc = run->loc};
    return lc_trial_query_move(trial, &stored->raw, trial->exam->schema->type_name);
}

bool lc_newer_query_move(lc_trial *trial)
{
    lc_newer_stored s;
    if (!lc_newer_find_stored(trial, &s))
        return false;
    trial->moves = true;
    const lc_call *old = query_move(trial, &s);
    trial->why = "the old version does not move it";
    trial->moves = !needs_service(trial) && lc_answered(old) && lc_field_has_value(&old->result) &&
                   !lc_is_null(old->result.value);
    if (!trial->moves)
        return false;
    trial->newer = true;
    query_move(trial, &s);
    return true;
}

/* Few types accept objects of another type of the provider. Which do, the old version shows. */
static void try_moves(lc_examination *exam, const lc_trial_spec *spec)
{
    const lc_str *names;
    lc_arena *arena = lc_arena_new();
    size_t count = lc_client_types(exam->cache->client, LC_KIND_RESOURCE, &names, arena);
    bool can = lc_client_capabilities(exam->cache->client)->move_resource_state == LC_YES;
    for (size_t i = 0; can && count <= MOST_MOVES && i < count && !exam->stop; i++) {
        lc_trial_spec move = *spec;
        move.variant = LC_NEWER_MOVED;
        move.target = names[i];
        if (!lc_str_eq(names[i], exam->schema->type_name) &&
            lc_prober_schema(exam->newer, LC_KIND_RESOURCE, names[i]))
            lc_run_trial(exam, &move);
    }
    lc_arena_free(arena);
}

void lc_newer_try_reads(lc_examination *exam, const lc_trial_spec *spec)
{
    const lc_schema *newer = exam->newer_schema, *older = exam->schema;
    lc_trial_spec next = *spec;
    for (unsigned i = 1; i <= LOWER_VERSIONS && i <= older->version && !exam->stop; i++) {
        next.variant = LC_NEWER_LOWER + i;
        lc_run_trial(exam, &next);
    }
    try_moves(exam, spec);
    next.variant = LC_NEWER_IMPORTED;
    lc_run_trial(exam, &next);
    if (!older->identity_type || !newer->identity_type)
        return;
    next.variant = LC_NEWER_IDENTIFIED;
    lc_run_trial(exam, &next);
    if (older->identity_version < newer->identity_version) {
        next.variant = LC_NEWER_IDENTITY;
        lc_run_trial(exam, &next);
    }
}
