/* Calls about no single object: lists of a type, and calls of a state store. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "scenario/calls.h"

/* ---- Lists. */

enum { EVENT_NAME, EVENT_IDENTITY, EVENT_OBJECT, EVENT_ERROR, EVENT_WARNING, EVENT_KEYS };
static const lc_key_row listed_rows[] = {
    {"display_name", LC_SHAPE_TEXT, false, ""},
    {"identity", LC_SHAPE_IDENTITY_VALUE, false, "left out: the event has none"},
    {"resource_object", LC_SHAPE_VALUE, false, ""},
    {"error", LC_SHAPE_FLAG, false, "it has an error diagnostic"},
    {"warning", LC_SHAPE_FLAG, false, "it has another diagnostic"},
};
const lc_keyset lc_listed_keys = LC_KEYSET(listed_rows);

static void read_listed(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    const lc_member *found[EVENT_KEYS];
    lc_str name;
    lc_listed *e = LC_PUSH(c->in->arena, &call->list->events, lc_listed);
    *e = (lc_listed){.loc = lc_in_loc(c->in, node)};
    if (!lc_in_keys(c->in, found, node, &lc_listed_keys, "an event"))
        return;
    if (found[EVENT_NAME])
        lc_in_text(c->in, &name, &found[EVENT_NAME]->value, "display_name");
    if (found[EVENT_IDENTITY])
        lc_in_identity(c->in, &e->identity, &found[EVENT_IDENTITY]->value, c->run->schema);
    if (found[EVENT_OBJECT])
        lc_in_object(c->in, &e->object, &found[EVENT_OBJECT]->value, c->run->schema, false);
    if (found[EVENT_ERROR])
        lc_in_bool(c->in, &e->failed, &found[EVENT_ERROR]->value, "error");
    if (found[EVENT_WARNING])
        lc_in_bool(c->in, &e->warned, &found[EVENT_WARNING]->value, "warning");
    if (e->failed)
        call->failed = LC_YES;
}

enum { KNOWN_IDENTITY, KNOWN_STATE, KNOWN_CREATED, KNOWN_KEYS };
static const lc_key_row known_rows[] = {
    {"identity", LC_SHAPE_IDENTITY_VALUE, true, ""},
    {"state", LC_SHAPE_VALUE, false, "as in the last response about it"},
    {"created", LC_SHAPE_FLAG, false, "it was created, and not destroyed before the list"},
};
const lc_keyset lc_known_object_keys = LC_KEYSET(known_rows);

static void read_known(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    const lc_member *found[KNOWN_KEYS];
    lc_field identity = {0}, state = {0};
    lc_known_object o = {.loc = lc_in_loc(c->in, node)};
    if (!lc_in_keys(c->in, found, node, &lc_known_object_keys, "a known object"))
        return;
    if (found[KNOWN_IDENTITY])
        lc_in_identity(c->in, &identity, &found[KNOWN_IDENTITY]->value, c->run->schema);
    else
        lc_diag_error(c->in->diags, o.loc, "a known object needs the key \"identity\"");
    if (found[KNOWN_STATE])
        lc_in_object(c->in, &state, &found[KNOWN_STATE]->value, c->run->schema, false);
    if (found[KNOWN_CREATED])
        lc_in_bool(c->in, &o.created, &found[KNOWN_CREATED]->value, "created");
    o.identity = lc_field_has_value(&identity) ? identity.value : NULL;
    o.state = lc_field_has_value(&state) ? state.value : NULL;
    if (o.identity && lc_is_wholly_known(o.identity))
        *LC_PUSH(c->in->arena, &call->list->known, lc_known_object) = o;
}

/* ---- State stores. */

const char *const lc_store_op_words[] = {"configure", "read",   "write",  "lock",
                                         "unlock",    "states", "delete", NULL};

enum { CHUNK_BYTES, CHUNK_LENGTH, CHUNK_TOTAL, CHUNK_START, CHUNK_END, CHUNK_ERROR, CHUNK_KEYS };
static const lc_key_row chunk_rows[] = {
    {"bytes", LC_SHAPE_BYTES, false, "never shown"},
    {"length", LC_SHAPE_COUNT, false, "of bytes that are not known"},
    {"total_length", LC_SHAPE_COUNT, false, "of all chunks"},
    {"start", LC_SHAPE_COUNT, false,
     "the position of the first byte; without start and end the "
     "chunk has no range"},
    {"end", LC_SHAPE_COUNT, false, "the position of the last byte"},
    {"error", LC_SHAPE_FLAG, false, "it has an error diagnostic"},
};
const lc_keyset lc_chunk_keys = LC_KEYSET(chunk_rows);

static bool count_in(lc_call_reader *c, int64_t *out, const lc_member *member, const char *what)
{
    return member && lc_in_count(c->in, out, &member->value, what);
}

static void read_chunk(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    const lc_member *found[CHUNK_KEYS];
    int64_t length = 0;
    lc_chunk *chunk = LC_PUSH(c->in->arena, &call->store->chunks, lc_chunk);
    *chunk = (lc_chunk){.loc = lc_in_loc(c->in, node)};
    if (!lc_in_keys(c->in, found, node, &lc_chunk_keys, "a chunk"))
        return;
    if (found[CHUNK_BYTES] &&
        lc_in_bytes(c->in, &chunk->bytes, &found[CHUNK_BYTES]->value, "bytes"))
        chunk->length = chunk->bytes.len;
    else if (count_in(c, &length, found[CHUNK_LENGTH], "a length"))
        chunk->length = (uint64_t)length;
    count_in(c, &chunk->total, found[CHUNK_TOTAL], "a length");
    chunk->has_range = found[CHUNK_START] || found[CHUNK_END];
    count_in(c, &chunk->start, found[CHUNK_START], "a position");
    count_in(c, &chunk->end, found[CHUNK_END], "a position");
    if (found[CHUNK_ERROR])
        lc_in_bool(c->in, &chunk->failed, &found[CHUNK_ERROR]->value, "error");
}

static void read_op(lc_call_reader *c, lc_store_call *call, const lc_node *node)
{
    lc_str text;
    size_t word;
    if (!lc_in_text(c->in, &text, node, "the name of a call"))
        return;
    if (lc_str_is_one_of(text, lc_store_op_words, &word))
        call->op = (lc_store_op)word;
    else
        lc_diag_error(c->in->diags, lc_in_loc(c->in, node),
                      "a call of a state store is configure, read, write, lock, unlock, states or "
                      "delete");
}

static void read_states(lc_call_reader *c, lc_store_call *call, const lc_node *node)
{
    call->states_known = true;
    for (uint32_t i = 0; i < node->count; i++) {
        lc_str *state = LC_PUSH(c->in->arena, &call->states, lc_str);
        *state = LC_STR_EMPTY;
        lc_in_text(c->in, state, &node->as.items[i], "the name of a state");
    }
}

/* ---- Both. */

void lc_stream_begin(lc_call_reader *c, lc_call *call)
{
    if (call->kind == LC_CALL_LIST && !call->list) {
        call->list = LC_NEW(c->in->arena, lc_list_call);
        *call->list = (lc_list_call){0};
    }
    if (call->kind == LC_CALL_STORE && !call->store) {
        call->store = LC_NEW(c->in->arena, lc_store_call);
        *call->store = (lc_store_call){.state_id = LC_STR_EMPTY, .lock_id = LC_STR_EMPTY};
    }
}

static void read_items(lc_call_reader *c, lc_call *call, const lc_node *node, const char *what,
                       void (*read)(lc_call_reader *c, lc_call *call, const lc_node *node))
{
    if (!lc_in_sequence(c->in, node, what))
        return;
    for (uint32_t i = 0; i < node->count; i++)
        read(c, call, &node->as.items[i]);
}

void lc_stream_set(lc_call_reader *c, lc_call *call, lc_call_target what, const lc_node *node)
{
    lc_in *in = c->in;
    if (what == LIMIT)
        lc_in_count(in, &call->list->limit, node, "a limit");
    else if (what == INCLUDE_OBJECT)
        lc_in_bool(in, &call->list->include_object, node, "include_resource_object");
    else if (what == FILTERED)
        lc_in_bool(in, &call->list->filtered, node, "filtered");
    else if (what == LISTED)
        read_items(c, call, node, "events", read_listed);
    else if (what == KNOWN_OBJECTS)
        read_items(c, call, node, "known", read_known);
    else if (what == STORE_OP)
        read_op(c, call->store, node);
    else if (what == STATE_ID)
        lc_in_text(in, &call->store->state_id, node, "the name of a state");
    else if (what == LOCK_ID)
        lc_in_text(in, &call->store->lock_id, node, "the ID of a lock");
    else if (what == CHUNK_SIZE)
        lc_in_count(in, &call->store->chunk_size, node, "a chunk size");
    else if (what == CHUNKS)
        read_items(c, call, node, "chunks", read_chunk);
    else if (what == STATES && lc_in_sequence(in, node, "states"))
        read_states(c, call->store, node);
}
