/* State stores: states by their name, each kept as an object with its lock. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "serve/internal.h"

#include <unistd.h>

/* What Terraform proposes, and the most that it accepts. */
#define USUAL_CHUNK ((int64_t)8 << 20)
#define MOST_CHUNK  ((int64_t)128 << 20)

/* A state as it is kept. */
typedef struct state {
    lc_str id;
    lc_str lock;  /* the ID of the lock; "": not locked */
    lc_str bytes; /* NULL pointer: not written yet, or deleted */
} state;

/* Objects of a store do not mix with those of a resource type of the same name. */
static lc_str kept_as(const lc_serve_call *call)
{
    return lc_str_printf(call->arena, "%.*s.state", LC_FMT(call->schema->type_name));
}

/* The key becomes part of a file name, in which not every character of an ID may be. */
static lc_str key_of(lc_serve_call *call, lc_str id)
{
    return lc_str_printf(call->arena, "%016llx", (unsigned long long)lc_str_fingerprint(id));
}

static state parse(lc_serve_call *call, lc_str json)
{
    lc_source source;
    lc_diags diags;
    state s = {LC_STR_EMPTY, LC_STR_EMPTY, {NULL, 0}};
    lc_diags_init(&diags, call->arena);
    if (lc_json_parse(&source, call->arena, LC_STR("state"), json, &call->served->options.limits,
                      &diags) != LC_OK)
        return s;
    s.id = lc_node_text(source.documents, "id");
    s.lock = lc_node_text(source.documents, "lock");
    if (lc_node_get(source.documents, "bytes"))
        lc_pj_bytes(&s.bytes, call->arena, source.documents, "bytes");
    return s;
}

/* An empty state if none is kept. The ID is compared, because another ID may have the same
 * fingerprint, and the file may have been edited. */
static state find(lc_serve_call *call, lc_str id)
{
    lc_str json;
    state s = {id, LC_STR_EMPTY, {NULL, 0}};
    if (lc_serve_find(call->served->options.objects, call->arena, kept_as(call), key_of(call, id),
                      &json) == LC_SERVE_HERE)
        s = parse(call, json);
    if (!lc_str_eq(s.id, id))
        lc_serve_error(call, "State cannot be read",
                       lc_str_printf(call->arena, "What is kept of %.*s was changed.", LC_FMT(id)));
    return s;
}

/* A state that is neither written nor locked need not be kept. */
static void keep(lc_serve_call *call, const state *s)
{
    lc_serve_objects *objects = call->served->options.objects;
    lc_buf json = {0};
    lc_json w = {.out = &json};
    lc_str why;
    if (!s->lock.len && !s->bytes.ptr) {
        lc_serve_forget(objects, call->arena, kept_as(call), key_of(call, s->id));
        return;
    }
    lc_json_object(&w, NULL);
    lc_json_str(&w, "id", s->id);
    lc_json_str(&w, "lock", s->lock);
    if (s->bytes.ptr)
        lc_serve_add_bytes(&w, "bytes", s->bytes);
    lc_json_end_object(&w);
    if (!lc_serve_keep(objects, call->arena, kept_as(call), key_of(call, s->id), lc_buf_str(&json),
                       &why))
        lc_serve_error(call, "State cannot be kept", why);
    lc_buf_release(&json);
}

/* ---- Calls. */

/* The client proposes how large a chunk is, the provider decides. */
void lc_serve_store_configure(lc_serve_call *call)
{
    int64_t chunk = lc_pj_int(lc_pj_get(call->request, "capabilities"), "chunk_size");
    lc_serve_validate(call);
    chunk = chunk > 0 && chunk < MOST_CHUNK ? chunk : USUAL_CHUNK;
    call->served->chunk = chunk;
    lc_json_object(call->w, "capabilities");
    lc_json_int(call->w, "chunk_size", chunk);
    lc_json_end_object(call->w);
}

/* The end of a range is its last byte. */
static void send_chunk(lc_serve_call *call, lc_str bytes, size_t at, size_t end)
{
    lc_buf json = {0};
    lc_json w = {.out = &json};
    lc_json_object(&w, NULL);
    lc_serve_add_bytes(&w, "bytes", lc_str_sub(bytes, at, end));
    lc_json_int(&w, "total_length", (int64_t)bytes.len);
    lc_json_object(&w, "range");
    lc_json_int(&w, "start", (int64_t)at);
    lc_json_int(&w, "end", (int64_t)end - 1);
    lc_json_end_object(&w);
    lc_json_end_object(&w);
    lc_serve_send(call, &json);
    lc_buf_release(&json);
}

/* A state that is not there has no chunks. */
void lc_serve_store_read(lc_serve_call *call)
{
    state s = find(call, lc_pj_text(call->request, "state_id"));
    size_t size = (size_t)(call->served->chunk ? call->served->chunk : USUAL_CHUNK), end;
    call->streamed = !call->reply.diags.count;
    for (size_t at = 0; call->streamed && at < s.bytes.len; at = end) {
        end = s.bytes.len - at > size ? at + size : s.bytes.len;
        send_chunk(call, s.bytes, at, end);
    }
}

/* Chunks in the order of the stream; only the first message has `meta`. */
void lc_serve_store_write(lc_serve_call *call)
{
    lc_buf out = {0};
    state s = find(call, lc_pj_text(lc_pj_get(call->request, "meta"), "state_id"));
    int64_t total = lc_pj_int(call->request, "total_length");
    for (size_t i = 0; i < call->request_count; i++) {
        lc_str bytes = LC_STR_EMPTY;
        lc_pj_bytes(&bytes, call->arena, &call->request[i], "bytes");
        lc_buf_add_str(&out, bytes);
    }
    s.bytes = lc_buf_take(call->arena, &out);
    if ((uint64_t)total != s.bytes.len)
        lc_serve_error(call, "State is incomplete",
                       lc_str_printf(call->arena, "%lld bytes were announced, %zu arrived.",
                                     (long long)total, s.bytes.len));
    if (!s.bytes.ptr)
        s.bytes = LC_STR(""); /* written, but empty */
    if (!call->reply.diags.count)
        keep(call, &s);
}

/* Only one of several processes gets the lock. */
void lc_serve_store_lock(lc_serve_call *call)
{
    lc_serve_objects *objects = call->served->options.objects;
    int held = lc_serve_lock_folder(objects);
    state s = find(call, lc_pj_text(call->request, "state_id"));
    if (s.lock.len) {
        lc_serve_error(call, "State is locked",
                       lc_str_printf(call->arena, "The ID of the lock is %.*s.", LC_FMT(s.lock)));
    } else {
        s.lock = lc_serve_new_key(objects, call->arena);
        keep(call, &s);
        lc_json_str(call->w, "lock_id", s.lock);
    }
    if (held >= 0)
        close(held);
}

void lc_serve_store_unlock(lc_serve_call *call)
{
    state s = find(call, lc_pj_text(call->request, "state_id"));
    if (!lc_str_eq(s.lock, lc_pj_text(call->request, "lock_id"))) {
        lc_serve_error(call, "State cannot be unlocked",
                       s.lock.len ? LC_STR("The given ID is not the ID of its lock.")
                                  : LC_STR("It is not locked."));
        return;
    }
    s.lock = LC_STR_EMPTY;
    keep(call, &s);
}

/* A state may be locked before it is first written; then it is not listed. */
static bool add_id(void *context, lc_str key, lc_str json)
{
    lc_serve_call *call = context;
    state s = parse(call, json);
    (void)key;
    if (s.bytes.ptr)
        lc_json_str(call->w, NULL, s.id);
    return true;
}

void lc_serve_store_states(lc_serve_call *call)
{
    lc_json_array(call->w, "state_ids");
    lc_serve_each(call->served->options.objects, call->arena, kept_as(call), add_id, call);
    lc_json_end_array(call->w);
}

/* The lock stays, because the client releases it afterwards. */
void lc_serve_store_delete(lc_serve_call *call)
{
    state s = find(call, lc_pj_text(call->request, "state_id"));
    s.bytes = (lc_str){NULL, 0};
    keep(call, &s);
}
