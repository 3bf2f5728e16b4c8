#include "calls.h"

#include "h2.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/recording/protojson.h"
#include "lifecheck/yaml_json/node.h"

#include <stdio.h>
#include <stdlib.h>

/* The names of gRPC's status codes, by number. */
static const char *const CODES[] = {
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
    NULL,
};

static _Noreturn void fail(const char *file, size_t line, const char *what, lc_str more)
{
    fprintf(stderr, "%s:%zu: %s%.*s\n", file, line, what, LC_FMT(more));
    exit(4);
}

/* ---- Messages */

static lc_str type_of(const lc_node *request)
{
    static const char *const names[] = {"type_name", "target_type_name", "action_type", "name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lc_str text = lc_pj_text(request, names[i]);
        if (text.len)
            return text;
    }
    return LC_STR_EMPTY;
}

/* The message without the unknown fields of its outermost level. */
static lc_node without_unknown(lc_arena *arena, const lc_node *message)
{
    lc_node known = *message;
    lc_member *members = LC_NEW_ARRAY(arena, lc_member, known.count);
    known.count = 0;
    for (uint32_t i = 0; i < message->count; i++)
        if (!lc_str_is(message->as.members[i].key, LC_WIRE_UNKNOWN_FIELDS))
            members[known.count++] = message->as.members[i];
    known.as.members = members;
    return known;
}

static bool read_message(lc_node *out, lc_arena *arena, const lc_wire_message *message, lc_str in)
{
    lc_wire_reader reader = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    return lc_wire_read(out, &reader, message, in);
}

bool recorded_canonical(lc_str *out, lc_arena *arena, const lc_wire_message *message, lc_str body,
                        bool known_only)
{
    lc_buf canonical = {0}, one = {0};
    lc_str in, why;
    lc_node node;
    size_t at = 0;
    bool compressed, ok = true;
    while (ok && lc_grpc_next(body, &at, &in, &compressed)) {
        ok = read_message(&node, arena, message, in);
        if (ok && known_only)
            node = without_unknown(arena, &node);
        lc_buf_clear(&one);
        ok = ok && lc_wire_write(&one, arena, message, &node, &why);
        lc_grpc_add_message(&canonical, lc_buf_str(&one), compressed);
    }
    lc_buf_release(&one);
    *out = lc_buf_take(arena, &canonical);
    return ok && at == body.len;
}

/* ---- Finding calls */

static lc_str key_of(lc_arena *arena, lc_str path, lc_str rest)
{
    lc_buf key = {0};
    lc_buf_add_str(&key, path);
    lc_buf_add_char(&key, '\n');
    lc_buf_add_str(&key, rest);
    return lc_buf_take(arena, &key);
}

static recorded_group *group_of(const lc_table *table, lc_str path, lc_str rest)
{
    lc_arena *scratch = lc_arena_new();
    recorded_group *group = lc_table_get(table, key_of(scratch, path, rest));
    lc_arena_free(scratch);
    return group;
}

static void add_to(lc_table *table, const recorded_call *call, lc_str rest)
{
    lc_str key = key_of(table->arena, lc_str_from_c(call->path), rest);
    recorded_group *group = lc_table_get(table, key);
    if (!group) {
        group = LC_NEW(table->arena, recorded_group);
        lc_table_put(table, key, group);
    }
    *LC_PUSH(table->arena, &group->calls, const recorded_call *) = call;
}

recorded_group *recorded_same(recorded *all, lc_str path, lc_str request)
{
    recorded_group *group = group_of(&all->by_request, path, request);
    const lc_wire_method *method = lc_wire_method_of(path);
    if (group || !method)
        return group;
    lc_arena *scratch = lc_arena_new();
    lc_str canonical;
    if (recorded_canonical(&canonical, scratch, method->request, request, true))
        group = group_of(&all->by_request, path, canonical);
    lc_arena_free(scratch);
    return group;
}

recorded_group *recorded_similar(recorded *all, lc_str path, lc_str request)
{
    const lc_wire_method *method = lc_wire_method_of(path);
    lc_arena *scratch = lc_arena_new();
    lc_str in;
    lc_node node;
    size_t at = 0;
    bool compressed;
    recorded_group *group = NULL;
    if (method && lc_grpc_next(request, &at, &in, &compressed) &&
        read_message(&node, scratch, method->request, in))
        group = group_of(&all->by_type, path, type_of(&node));
    lc_arena_free(scratch);
    return group;
}

/* ---- Reading */

typedef struct reading {
    recorded *all;
    const char *file;
    size_t line;
    lc_table processes; /* numbers */
} reading;

static void add_message(lc_buf *body, const reading *r, const lc_wire_message *message,
                        const lc_node *node)
{
    lc_buf bytes = {0};
    lc_str raw, why;
    if (lc_node_get(node, "raw") && lc_node_member_count(node) == 1) {
        if (!lc_pj_bytes(&raw, r->all->arena, node, "raw"))
            fail(r->file, r->line, "raw message is not base64", LC_STR_EMPTY);
        lc_buf_add_str(&bytes, raw);
    } else if (!lc_wire_write(&bytes, r->all->arena, message, node, &why)) {
        fail(r->file, r->line, "not the message of the protocol: ", why);
    }
    lc_grpc_add_message(body, lc_buf_str(&bytes), false);
    lc_buf_release(&bytes);
}

/* The messages of `one`, or of each item of `many`. */
static lc_str messages_of(const reading *r, const lc_wire_message *message, const lc_node *one,
                          const lc_node *many)
{
    lc_buf body = {0};
    if (one)
        add_message(&body, r, message, one);
    for (uint32_t i = 0; i < lc_node_item_count(many); i++)
        add_message(&body, r, message, lc_node_item(many, i));
    return lc_buf_take(r->all->arena, &body);
}

static size_t process_of(reading *r, const lc_node *node)
{
    lc_str name = lc_node_is_null(node) ? LC_STR_EMPTY : node->as.text;
    size_t number = lc_table_get_index(&r->processes, name);
    if (number == LC_NO_INDEX) {
        number = r->all->processes++;
        lc_table_put_index(&r->processes, name, number);
    }
    return number;
}

static void read_call(reading *r, const lc_node *root)
{
    lc_arena *arena = r->all->arena;
    lc_str rpc = lc_node_text(root, "rpc");
    int64_t protocol = lc_pj_int(root, "protocol");
    const lc_wire_method *method = lc_wire_method_named(protocol ? (int)protocol : 5, rpc);
    if (!method && !protocol)
        method = lc_wire_method_named(6, rpc);
    if (!method)
        fail(r->file, r->line, "no call of the protocol: ", rpc);
    const lc_node *error = lc_node_get(root, "error"), *request = lc_node_get(root, "request");
    recorded_call *call = LC_PUSH(arena, &r->all->calls, recorded_call);
    call->method = method;
    call->path = lc_str_to_c(
        arena, lc_str_printf(arena, "/tfplugin%d.Provider/%s", method->protocol, method->name));
    call->type = type_of(request);
    call->request = messages_of(r, method->request, request, lc_node_get(root, "requests"));
    call->response = messages_of(r, method->response, lc_node_get(root, "response"),
                                 lc_node_get(root, "responses"));
    call->message = lc_node_text(error, "message");
    size_t code = 2;
    if (error)
        lc_str_is_one_of(lc_node_text(error, "code"), CODES, &code);
    call->status = error ? (int)code : 0;
    call->process = process_of(r, lc_node_get(root, "process"));
    call->seq = (uint64_t)lc_pj_int(root, "seq");
    call->line = r->line;
}

static int by_process(const void *left, const void *right)
{
    const recorded_call *a = left, *b = right;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->seq != b->seq)
        return a->seq < b->seq ? -1 : 1;
    return a->line < b->line ? -1 : 1;
}

static void read_lines(reading *r, lc_str text, lc_diags *diags)
{
    for (size_t at = 0, end; at < text.len; at = end + 1) {
        end = lc_str_find(text, at, '\n');
        lc_str line = lc_str_sub(text, at, end);
        lc_source source;
        r->line++;
        if (line.len == 0)
            continue;
        if (lc_json_parse(&source, r->all->arena, lc_str_from_c(r->file), line, &LC_LIMITS_DEFAULT,
                          diags) != LC_OK)
            fail(r->file, r->line, "no JSON: ", diags->items[0].message);
        if (lc_node_get(source.documents, "rpc"))
            read_call(r, source.documents);
    }
}

recorded *recorded_read(lc_arena *arena, const char *file)
{
    recorded *all = LC_NEW(arena, recorded);
    all->arena = arena;
    lc_table_init(&all->by_request, arena);
    lc_table_init(&all->by_type, arena);
    reading r = {.all = all, .file = file};
    lc_table_init(&r.processes, arena);
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_str text;
    if (lc_file_read(&text, arena, lc_str_from_c(file), LC_MAX_INPUT_BYTES, &diags) != LC_OK)
        fail(file, 0, "cannot be read: ", diags.items[0].message);
    read_lines(&r, text, &diags);
    if (all->calls.count == 0)
        fail(file, r.line, "no recorded call", LC_STR_EMPTY);
    qsort(all->calls.items, all->calls.count, sizeof *all->calls.items, by_process);
    for (size_t i = 0; i < all->calls.count; i++) {
        add_to(&all->by_request, &all->calls.items[i], all->calls.items[i].request);
        add_to(&all->by_type, &all->calls.items[i], all->calls.items[i].type);
    }
    return all;
}
