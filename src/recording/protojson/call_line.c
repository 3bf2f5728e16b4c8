/* A call that has ended as the node of its line in a recording: what `record` writes is what the
 * reader of recordings (call.c, ../stream.c) takes. */
#include "lifecheck/recording/call_line.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/wire/grpc_status.h"

#include <time.h>

#define MOST_MEMBERS 12

typedef struct builder {
    lc_arena *arena;
    lc_member *members;
    uint32_t count;
} builder;

static void add(builder *b, const char *key, lc_node node)
{
    LC_ASSERT(b->count < MOST_MEMBERS);
    b->members[b->count++] = (lc_member){.key = lc_str_from_c(key), .value = node};
}

static lc_node text(lc_str s)
{
    return (lc_node){.kind = LC_NODE_STRING, .style = LC_STYLE_JSON, .as.text = s};
}

static lc_node number(lc_arena *arena, uint64_t n)
{
    return (lc_node){.kind = LC_NODE_NUMBER,
                     .style = LC_STYLE_JSON,
                     .as.text = lc_str_printf(arena, "%llu", (unsigned long long)n)};
}

/* RFC 3339 with microseconds. */
static lc_node time_node(lc_arena *arena, int64_t microseconds)
{
    time_t seconds = (time_t)(microseconds / 1000000);
    struct tm parts;
    char day[32];
    gmtime_r(&seconds, &parts);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
    return text(lc_str_printf(arena, "%s.%06dZ", day, (int)(microseconds % 1000000)));
}

static lc_node milliseconds(lc_arena *arena, int64_t microseconds)
{
    return (lc_node){.kind = LC_NODE_NUMBER,
                     .style = LC_STYLE_JSON,
                     .as.text = lc_str_printf(arena, "%lld.%03d", (long long)(microseconds / 1000),
                                              (int)(microseconds % 1000))};
}

/* As Go spells it. */
static lc_str code_of(lc_arena *arena, int status)
{
    const char *known = lc_grpc_status_in_go(status);
    return known ? lc_str_from_c(known) : lc_str_printf(arena, "Code(%d)", status);
}

static lc_node error_node(const lc_call_line *line, lc_arena *arena)
{
    lc_member *members = LC_NEW_ARRAY(arena, lc_member, 2);
    members[0] = (lc_member){.key = LC_STR("code"), .value = text(code_of(arena, line->status))};
    members[1] = (lc_member){.key = LC_STR("message"), .value = text(line->status_text)};
    return (lc_node){
        .kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON, .count = 2, .as.members = members};
}

/* ---- The line. */

/* One message, or the list of a stream. */
static void add_messages(builder *b, const char *one, const char *many,
                         const lc_call_messages *messages)
{
    if (messages->stream)
        add(b, many,
            (lc_node){.kind = LC_NODE_SEQUENCE,
                      .style = LC_STYLE_JSON,
                      .count = messages->count,
                      .as.items = messages->items});
    else if (messages->count)
        add(b, one, messages->items[0]);
}

static lc_node true_node(void)
{
    return (lc_node){
        .kind = LC_NODE_BOOL, .style = LC_STYLE_JSON, .boolean = true, .as.text = LC_STR("true")};
}

void lc_call_line_node(lc_node *out, lc_arena *arena, const lc_call_line *line)
{
    builder b = {arena, LC_NEW_ARRAY(arena, lc_member, MOST_MEMBERS), 0};
    add(&b, "process", number(arena, line->process));
    add(&b, "seq", number(arena, line->seq));
    add(&b, "time", time_node(arena, line->began));
    add(&b, "duration_ms", milliseconds(arena, line->took));
    add(&b, "protocol", number(arena, (uint64_t)line->protocol));
    add(&b, "provider", text(line->provider));
    add(&b, "rpc", text(line->rpc));
    if (line->cut)
        add(&b, "cut", true_node());
    add_messages(&b, "request", "requests", &line->request);
    add_messages(&b, "response", "responses", &line->response);
    if (line->status)
        add(&b, "error", error_node(line, arena));
    *out = (lc_node){
        .kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON, .count = b.count, .as.members = b.members};
}
