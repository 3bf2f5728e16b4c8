/* Messages of the provider protocol: an input is a protocol and the name of a message, a line
 * break, and its bytes, or its nodes as JSON. Laws for what is read: it can be written, and read
 * again it is the same; the bytes that were written are written again; so they are from the JSON of
 * the nodes; entries of maps are found without nodes, and can be left out. Laws for what is
 * written: it can be read, and is written the same way. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const lc_node *parse(lc_arena *arena, lc_str json)
{
    lc_source *source = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    return lc_json_parse(source, arena, LC_STR("input"), json, &limits, &diags) == LC_OK
               ? source->documents
               : NULL;
}

static bool write(lc_str *out, lc_arena *arena, const lc_wire_message *message, const lc_node *node)
{
    lc_buf bytes = {0};
    lc_str why = LC_STR_EMPTY;
    bool ok = lc_wire_write(&bytes, arena, message, node, &why);
    LC_ASSERT(ok || (bytes.len == 0 && why.len > 0));
    *out = lc_buf_take(arena, &bytes);
    return ok;
}

/* `bytes` were written. */
static void check_written(lc_arena *arena, const lc_wire_message *message, lc_str bytes,
                          const lc_node *same, uint64_t unknown)
{
    lc_wire_reader reader = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    lc_node node;
    lc_str again;
    LC_ASSERT(lc_wire_read(&node, &reader, message, bytes));
    LC_ASSERT(reader.unknown <= unknown && reader.why.len == 0);
    LC_ASSERT(!same || lc_node_same(arena, same, &node));
    LC_ASSERT(write(&again, arena, message, &node));
    LC_ASSERT(lc_str_eq(again, bytes));
}

static bool count_entry(void *context, lc_str field, lc_str key, const lc_wire_message *type,
                        lc_str value)
{
    size_t *left = context;
    LC_ASSERT(field.len > 0 && (key.ptr || key.len == 0) && type && (value.ptr || value.len == 0));
    return --*left > 0;
}

static bool not_wanted(void *context, lc_str field, lc_str key)
{
    (void)context;
    (void)key;
    LC_ASSERT(field.len > 0);
    return false;
}

static void check_entries(lc_arena *arena, const lc_wire_message *message, lc_str bytes)
{
    lc_wire_reader reader = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    lc_node node;
    size_t left = 1000;
    LC_ASSERT(lc_wire_each_entry(&reader, message, bytes, count_entry, &left));
    reader.wanted = not_wanted;
    LC_ASSERT(lc_wire_read(&node, &reader, message, bytes));
    for (size_t i = 0; i < lc_node_member_count(&node); i++) {
        const lc_member *m = &node.as.members[i];
        LC_ASSERT(!lc_str_ends_with(m->key, LC_STR("_schemas")));
    }
}

static void try_bytes(lc_arena *arena, const lc_wire_message *message, lc_str in)
{
    lc_wire_reader reader = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    lc_node node;
    lc_str bytes, from_json;
    if (!lc_wire_read(&node, &reader, message, in)) {
        LC_ASSERT(reader.why.len > 0 && reader.at <= in.len);
        return;
    }
    uint64_t unknown = reader.unknown;
    LC_ASSERT(write(&bytes, arena, message, &node));
    check_written(arena, message, bytes, &node, unknown);
    const lc_node *recorded = parse(arena, lc_node_json(arena, &node));
    LC_ASSERT(recorded && write(&from_json, arena, message, recorded));
    LC_ASSERT(lc_str_eq(from_json, bytes));
    check_entries(arena, message, in);
}

static void try_nodes(lc_arena *arena, const lc_wire_message *message, lc_str in)
{
    const lc_node *node = parse(arena, in);
    lc_str bytes;
    if (node && write(&bytes, arena, message, node))
        check_written(arena, message, bytes, NULL, UINT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str in = {(const char *)data, size};
    size_t line = lc_str_find(in, 0, '\n');
    if (line > 2 && line < in.len) {
        const lc_wire_message *message =
            lc_wire_message_named(in.ptr[0] - '0', lc_str_sub(in, 2, line));
        lc_str rest = lc_str_sub(in, line + 1, in.len);
        if (message) {
            try_bytes(arena, message, rest);
            try_nodes(arena, message, rest);
        }
    }
    lc_arena_free(arena);
    return 0;
}
