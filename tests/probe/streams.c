/* Lists, actions and a state store, with the faults that these can have. */
#include "peer.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/recording/protojson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Schemas. */

#define STRING            "InN0cmluZyI="
#define BLOCK(attributes) "{\"block\":{\"attributes\":[" attributes "]}}"

void peer_add_stream_schemas(peer_call *call)
{
    static const char prefix[] =
        BLOCK("{\"name\":\"prefix\",\"type\":\"" STRING "\",\"optional\":true}");
    static const char restart[] =
        "{\"schema\":" BLOCK("{\"name\":\"id\",\"type\":\"" STRING "\",\"required\":true}") "}";
    static const char bucket[] =
        BLOCK("{\"name\":\"bucket\",\"type\":\"" STRING "\",\"required\":true}");
    lc_json *w = call->w;
    lc_json_object(w, "list_resource_schemas");
    lc_json_raw(w, "peer_thing", lc_str_from_c(prefix));
    if (call->p->faults[LIST_SCHEMA])
        lc_json_raw(w, "peer_lists", lc_str_from_c(prefix));
    lc_json_end_object(w);
    lc_json_object(w, "action_schemas");
    lc_json_raw(w, "peer_restart", lc_str_from_c(restart));
    lc_json_end_object(w);
    lc_json_object(w, "state_store_schemas");
    lc_json_raw(w, "peer_store", lc_str_from_c(bucket));
    lc_json_end_object(w);
}

/* The configuration, whose only attribute is a string; "" for null. */
static lc_str only_text(peer_call *call, const char *name)
{
    lc_type_attr attr = {lc_str_from_c(name), &lc_type_string, false};
    const lc_value *config =
        peer_value(call, call->request, "config", lc_type_object(call->arena, &attr, 1));
    const lc_value *v = config ? peer_get(config, name) : NULL;
    return v && lc_is_known(v) && !lc_is_null(v) ? v->as.string : LC_STR_EMPTY;
}

/* ---- Lists. */

#define ENDLESS 5000

static void add_listed_identity(peer_call *call, lc_str id)
{
    const bool *faults = call->p->faults;
    lc_type_attr attr = {LC_STR("id"), &lc_type_string, false};
    lc_value elem = *peer_text(call->arena, id), object;
    if (faults[LIST_NO_IDENTITY])
        return;
    if (faults[LIST_UNKNOWN])
        elem = *peer_unknown(call->arena, &lc_type_string);
    if (faults[LIST_TYPE]) {
        attr.type = &lc_type_bool;
        lc_value_set_bool(&elem, true);
    }
    const lc_type *type = lc_type_object(call->arena, &attr, 1);
    lc_value_set_object(&object, call->arena, type, &elem);
    lc_json_object(call->w, "identity");
    peer_add_value(call, "identity_data", &object, type);
    lc_json_end_object(call->w);
}

static void add_event(peer_call *call, lc_str id, lc_str of, bool whole)
{
    const lc_value *state = peer_import(call, of);
    const lc_value *title = peer_get(state, "title");
    lc_json_str(call->w, "display_name", id);
    add_listed_identity(call, id);
    if (call->p->faults[LIST_DIFFERS] && lc_is_known(title))
        state = peer_with(call->arena, state, "title", peer_text(call->arena, LC_STR("other")));
    if (whole && !call->p->faults[LIST_NO_OBJECT])
        peer_add_value(call, "resource_object", state, state->type);
    peer_end_message(call);
}

void peer_list(peer_call *call)
{
    const bool *faults = call->p->faults;
    const lc_str *ids;
    lc_str prefix = only_text(call, "prefix");
    size_t count = peer_ids(call, call->schema->type_name, &ids), sent = 0;
    bool whole = lc_pj_bool(call->request, "include_resource_object");
    uint64_t limit = (uint64_t)lc_pj_int(call->request, "limit");
    if (faults[LIST_LATE] && count)
        count--;
    for (size_t i = 0; i < count && (sent < limit || faults[LIST_BEYOND]); i++) {
        if (!lc_str_starts_with(ids[i], prefix))
            continue;
        add_event(call, ids[i], ids[i], whole);
        for (size_t k = 0; k < ENDLESS && faults[LIST_ENDLESS]; k++)
            add_event(call, lc_str_printf(call->arena, "%.*s%zu", LC_FMT(ids[i]), k), ids[i],
                      whole);
        if (faults[LIST_TWICE] && i + 1 == count)
            add_event(call, ids[i], ids[i], whole);
        if (faults[LIST_ERROR] && sent == 0) {
            peer_error(call, LC_STR_EMPTY, "Cannot read the object", ids[i]);
            peer_add_errors(call, "diagnostic");
            peer_end_message(call);
        }
        sent++;
    }
}

/* ---- Actions. */

void peer_plan_action(peer_call *call)
{
    if (!call->p->faults[ACTION_DEFERS])
        return;
    lc_json_object(call->w, "deferred");
    lc_json_c(call->w, "reason", "ABSENT_PREREQ");
    lc_json_end_object(call->w);
}

static void progress(peer_call *call, const char *text)
{
    lc_json_object(call->w, "progress");
    lc_json_c(call->w, "message", text);
    lc_json_end_object(call->w);
    peer_end_message(call);
}

static void completed(peer_call *call)
{
    lc_json_object(call->w, "completed");
    lc_json_end_object(call->w);
    peer_end_message(call);
}

void peer_invoke_action(peer_call *call)
{
    const bool *faults = call->p->faults;
    if (faults[ACTION_SILENT])
        return;
    progress(call, "stopping");
    if (faults[ACTION_EMPTY])
        peer_end_message(call);
    progress(call, "starting");
    if (!faults[ACTION_ENDS])
        completed(call);
    if (faults[ACTION_AFTER])
        progress(call, "started");
}

/* ---- State stores. A state is a file of PEER_STATE, and so is its lock. */

#define CHUNK     4096
#define HUGE_SIZE (129 << 20)

static const char *file_of(peer_call *call, lc_str id, const char *what)
{
    return lc_str_to_c(call->arena, lc_str_printf(call->arena, "state.%.*s.%s", LC_FMT(id), what));
}

void peer_store_configure(peer_call *call)
{
    const bool *faults = call->p->faults;
    if (only_text(call, "bucket").len == 0)
        peer_error(call, LC_STR_EMPTY, "No bucket", LC_STR("The store needs one."));
    lc_json_object(call->w, "capabilities");
    lc_json_int(call->w, "chunk_size",
                faults[STORE_ZERO]   ? 0
                : faults[STORE_HUGE] ? HUGE_SIZE
                                     : CHUNK);
    lc_json_end_object(call->w);
}

static void add_chunk(peer_call *call, lc_str bytes, size_t total, size_t at)
{
    const bool *faults = call->p->faults;
    lc_json *w = call->w;
    peer_add_bytes(call, "bytes", bytes);
    lc_json_int(w, "total_length", (int64_t)total);
    if (!faults[STORE_NO_RANGE]) {
        lc_json_object(w, "range");
        lc_json_int(w, "start", (int64_t)at);
        lc_json_int(w, "end", (int64_t)(at + bytes.len) - !faults[STORE_RANGE]);
        lc_json_end_object(w);
    }
    peer_end_message(call);
}

void peer_store_read(peer_call *call)
{
    const bool *faults = call->p->faults;
    lc_str id = lc_pj_text(call->request, "state_id");
    lc_str state = peer_file_read(call, file_of(call, id, "json"));
    if (!state.len && faults[STORE_UNDEAD])
        state = peer_file_read(call, file_of(call, id, "gone"));
    size_t size = faults[STORE_CHUNKS] ? CHUNK / 2 : CHUNK, total = state.len;
    if (faults[STORE_LENGTH] && state.len)
        state.len--;
    for (size_t at = 0; at < state.len; at += size) {
        size_t end = at + size < state.len ? at + size : state.len;
        add_chunk(call, lc_str_sub(state, at, end), total, at);
    }
}

static lc_str written(peer_call *call)
{
    const bool *faults = call->p->faults;
    lc_buf out = {0};
    for (size_t i = 0; i < call->request_count; i++) {
        lc_str bytes = LC_STR_EMPTY;
        lc_pj_bytes(&bytes, call->arena, &call->requests[i], "bytes");
        for (size_t k = 0; k < bytes.len; k++) {
            if (!faults[STORE_LINES] || bytes.ptr[k] != '\r')
                lc_buf_add_char(&out, bytes.ptr[k]);
        }
    }
    return lc_buf_take(call->arena, &out);
}

void peer_store_write(peer_call *call)
{
    lc_str id = lc_pj_text(lc_pj_get(call->request, "meta"), "state_id"), state = written(call);
    lc_str before = peer_file_read(call, file_of(call, id, "json"));
    if (call->p->faults[STORE_TAIL] && before.len > state.len)
        state = lc_str_printf(call->arena, "%.*s%.*s", LC_FMT(state),
                              LC_FMT(lc_str_sub(before, state.len, before.len)));
    if (!call->p->faults[STORE_FORGETS])
        peer_file_write(call, file_of(call, id, "json"), state);
}

void peer_store_lock(peer_call *call)
{
    lc_str id = lc_pj_text(call->request, "state_id");
    const char *file = file_of(call, id, "lock");
    lc_str lock = lc_str_printf(call->arena, "lock-%ld-%llu", (long)getpid(),
                                (unsigned long long)call->p->count);
    if (call->p->faults[STORE_NO_LOCK])
        return;
    if (peer_file_read(call, file).len && !call->p->faults[STORE_LOCKS]) {
        peer_error(call, LC_STR_EMPTY, "State is locked", peer_file_read(call, file));
        return;
    }
    peer_file_write(call, file, lock);
    lc_json_str(call->w, "lock_id", lock);
}

void peer_store_unlock(peer_call *call)
{
    const char *file = file_of(call, lc_pj_text(call->request, "state_id"), "lock");
    if (lc_str_eq(peer_file_read(call, file), lc_pj_text(call->request, "lock_id")) ||
        call->p->faults[STORE_UNLOCKS])
        peer_file_write(call, file, LC_STR_EMPTY);
    else
        peer_error(call, LC_STR_EMPTY, "State is locked by another", LC_STR_EMPTY);
}

void peer_store_states(peer_call *call)
{
    const lc_str *ids;
    size_t count = call->p->faults[STORE_UNLISTED] ? 0 : peer_ids(call, LC_STR("state"), &ids);
    lc_json_array(call->w, "state_ids");
    for (size_t i = 0; i < count; i++)
        lc_json_str(call->w, NULL, ids[i]);
    if (call->p->faults[STORE_LISTS] && peer_file_read(call, "gone").len)
        lc_json_str(call->w, NULL, peer_file_read(call, "gone"));
    lc_json_end_array(call->w);
}

void peer_store_delete(peer_call *call)
{
    lc_str id = lc_pj_text(call->request, "state_id");
    if (call->p->faults[STORE_UNDEAD])
        peer_file_write(call, file_of(call, id, "gone"),
                        peer_file_read(call, file_of(call, id, "json")));
    if (call->p->faults[STORE_LISTS])
        peer_file_write(call, "gone", id);
    peer_file_write(call, file_of(call, id, "json"), LC_STR_EMPTY);
}
