/* A provider for tests: starts as go-plugin's providers do (plugin.h) and answers with the calls of
 * a recording, or misbehaves, as settings say:
 *
 *   RECORDING   the calls to answer; says the protocol
 *   FAULT       words of FAULTS, separated by commas
 *   FAULT_AT    the fault happens at this call of its kind; 1 unless given
 *   FAULT_SIZE  megabytes of `big` (200), `flood` and `flood-stdout` (50); KB of `long-status`
 *   FAULT_TEXT  for standard error before it exits
 *   PEER_LOG    a file to which it appends "PID start", "PID connection", "PID call NAME HOW" */
#include "calls.h"
#include "plugin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SLOW_MS 50

#define FAULTS(X)                                                                                  \
    X(NO_HANDSHAKE, "no-handshake")         /* never prints the line */                            \
    X(GARBAGE, "garbage")                   /* prints another text */                              \
    X(EARLY_EXIT, "early-exit")             /* panics before the line */                           \
    X(PROTOCOL_4, "protocol-4")             /* the line says another protocol, */                  \
    X(PROTOCOL_7, "protocol-7")             /* */                                                  \
    X(TLS, "tls")                           /* has a certificate, */                               \
    X(NETRPC, "netrpc")                     /* or another kind of connection */                    \
    X(TCP, "tcp")                           /* listens on a port; no fault */                      \
    X(DIE_IN_APPLY, "die-in-apply")         /* panics in ApplyResourceChange, */                   \
    X(KILL_IN_APPLY, "kill-in-apply")       /* is killed there, */                                 \
    X(EXIT_IN_APPLY, "exit-in-apply")       /* ends there with status 0 */                         \
    X(DIE_AFTER, "die-after")               /* is killed when so many calls are answered */        \
    X(SECRET_STDERR, "secret-stderr")       /* prints FAULT_TEXT and panics in an apply */         \
    X(HANG, "hang")                         /* never answers PlanResourceChange */                 \
    X(RESET, "reset")                       /* resets a PlanResourceChange */                      \
    X(GOAWAY, "goaway")                     /* takes no calls after a PlanResourceChange */        \
    X(FLOOD, "flood")                       /* standard error: much at the start and in calls */   \
    X(FLOOD_STDOUT, "flood-stdout")         /* the same on standard output */                      \
    X(NO_GREETING, "no-greeting")           /* accepts connections and says nothing */             \
    X(NO_HTTP2, "no-http2")                 /* greets with something else */                       \
    X(DEAF, "deaf")                         /* reads nothing from a PlanResourceChange on, */      \
    X(CLOSE, "close")                       /* closes the connection there, */                     \
    X(EXIT_IN_PLAN, "exit-in-plan")         /* or ends */                                          \
    X(UNTIL_STOP, "until-stop")             /* answers an apply when it is asked to stop */        \
    X(NO_TRAILERS, "no-trailers")           /* answers it without a status, */                     \
    X(HEADERS_ONLY, "headers-only")         /* without a message and a status, */                  \
    X(NO_MESSAGE, "no-message")             /* without a message, */                               \
    X(HALF, "half")                         /* with half of one, */                                \
    X(TWICE, "twice")                       /* with two, */                                        \
    X(NO_PREFIX, "no-prefix")               /* with what is none, */                               \
    X(LONG_STATUS, "long-status")           /* or with a status and FAULT_SIZE KB of text */       \
    X(LEAVES_CHILD, "leaves-child")         /* a child of its own has all that it has open */      \
    X(BIG, "big")                           /* pads the answer that has the schema */              \
    X(UNKNOWN_FIELDS, "unknown-fields")     /* adds field 9999 to answers */                       \
    X(UNKNOWN_METHOD, "unknown-method")     /* answers unknown calls with an empty message */      \
    X(GARBAGE_FRAMES, "garbage-frames")     /* no HTTP/2 after the first answer */                 \
    X(COMPRESSED, "compressed")             /* says that answers are compressed */                 \
    X(SLOW, "slow")                         /* answers after 50 ms */                              \
    X(IGNORES_TERM, "ignores-term")         /* goes on after SIGTERM, */                           \
    X(IGNORES_SHUTDOWN, "ignores-shutdown") /* or after Shutdown */

#define FAULT_ID(id, word)   id,
#define FAULT_WORD(id, word) word,
enum { FAULTS(FAULT_ID) FAULT_COUNT };

/* An answer that is not due yet. */
typedef struct pending {
    struct pending *next;
    h2_stream *stream; /* NULL: it was reset */
    int64_t due;
} pending;

typedef struct provider {
    plugin plugin;
    recorded *calls;
    bool faults[FAULT_COUNT];
    uint64_t at, size; /* FAULT_AT; FAULT_SIZE or 0 */
    uint64_t plans, applies, answered;
    pending *waiting;
    h2_stream *held; /* its answer waits for Stop */
    lc_arena *arena;
} provider;

/* ---- Deaths and floods */

static void panic(const provider *p, const char *where)
{
    if (p->faults[SECRET_STDERR])
        fprintf(stderr, "%s\n", plugin_setting("FAULT_TEXT", "no text was given"));
    plugin_panic(where);
}

static void flood(const provider *p, int fault, int fd, uint64_t megabytes)
{
    char line[1024];
    if (!p->faults[fault])
        return;
    memset(line, 'x', sizeof line);
    memcpy(line, "[DEBUG] ", 8);
    line[sizeof line - 1] = '\n';
    for (uint64_t i = 0; i < megabytes << 10; i++)
        if (write(fd, line, sizeof line) < 0 && errno != EINTR)
            _exit(4);
}

/* ---- Answers */

static void send_later(provider *p, h2_stream *stream)
{
    pending *answer = lc_heap_alloc(sizeof *answer), **link = &p->waiting;
    *answer = (pending){.stream = stream, .due = h2_now() + SLOW_MS};
    stream->user = answer;
    while (*link)
        link = &(*link)->next;
    *link = answer;
}

/* Sends the answers that are due; returns how many milliseconds the next one has, or -1. */
static int send_due(void *user)
{
    provider *p = user;
    int64_t now = h2_now();
    while (p->waiting && p->waiting->due <= now) {
        pending *answer = p->waiting;
        p->waiting = answer->next;
        if (answer->stream) {
            answer->stream->user = NULL;
            h2_answer(answer->stream);
        }
        lc_heap_free(answer);
    }
    return p->waiting ? (int)(p->waiting->due - now) : -1;
}

/* What is wrong with the answer to a plan. */
static void spoil(const provider *p, h2_stream *stream)
{
    stream->no_trailers = p->faults[NO_TRAILERS] || p->faults[HEADERS_ONLY];
    if (p->faults[HEADERS_ONLY] || p->faults[NO_MESSAGE])
        lc_buf_clear(&stream->out);
    if (p->faults[HALF])
        stream->out.len /= 2;
    if (p->faults[TWICE])
        lc_grpc_add_message(&stream->out, LC_STR_EMPTY, false);
    if (p->faults[NO_PREFIX])
        stream->out.ptr[0] = 'N';
    if (p->faults[LONG_STATUS]) {
        stream->status = H2_INTERNAL;
        lc_buf_clear(&stream->out);
        for (uint64_t i = 0; i < p->size << 10; i++)
            lc_buf_add_char(&stream->message, 'x');
    }
}

static void answer(provider *p, h2_stream *stream, recorded_group *group, bool schema)
{
    const recorded_call *call = group->calls.items[group->next++ % group->calls.count];
    bool big = p->faults[BIG] && schema;
    stream->compressed = p->faults[COMPRESSED];
    stream->status = call->status;
    for (size_t i = 0; i < call->message.len; i++) /* as gRPC encodes it */
        if (call->message.ptr[i] < ' ' || call->message.ptr[i] > '~' || call->message.ptr[i] == '%')
            lc_buf_printf(&stream->message, "%%%02X", (unsigned char)call->message.ptr[i]);
        else
            lc_buf_add_char(&stream->message, call->message.ptr[i]);
    h2_add_messages(&stream->out, call->response,
                    big                         ? (p->size ? p->size : 200) << 20
                    : p->faults[UNKNOWN_FIELDS] ? 1
                                                : 0,
                    stream->compressed);
    if (strstr(call->path, "/PlanResourceChange") && p->plans == p->at)
        spoil(p, stream);
    if (p->faults[UNTIL_STOP] && strstr(call->path, "/ApplyResourceChange"))
        p->held = stream;
    else if (p->faults[SLOW])
        send_later(p, stream);
    else
        h2_answer(stream);
}

static void refuse(provider *p, h2_stream *stream)
{
    stream->status = H2_UNIMPLEMENTED;
    if (p->faults[UNKNOWN_METHOD]) {
        stream->status = 0;
        lc_grpc_add_message(&stream->out, LC_STR_EMPTY, false);
    } else {
        lc_buf_add_c(&stream->message, "unknown method");
    }
    h2_answer(stream);
}

/* The faults of one kind of call. True: there is no answer. */
static bool misbehaves(provider *p, h2_stream *stream, lc_str name)
{
    bool plan = lc_str_is(name, "PlanResourceChange") && ++p->plans == p->at;
    bool apply = lc_str_is(name, "ApplyResourceChange") && ++p->applies == p->at;
    if (apply && p->faults[KILL_IN_APPLY])
        raise(SIGKILL);
    if (apply && (p->faults[DIE_IN_APPLY] || p->faults[SECRET_STDERR]))
        panic(p, "apply");
    if (apply && p->faults[EXIT_IN_APPLY])
        plugin_leave(&p->plugin, 0);
    p->plugin.deaf |= plan && p->faults[DEAF];
    if (plan && p->faults[CLOSE])
        shutdown(stream->connection->fd, SHUT_RDWR);
    if (plan && p->faults[EXIT_IN_PLAN])
        plugin_leave(&p->plugin, 3);
    if (plan && p->faults[GOAWAY])
        h2_goaway(stream->connection);
    if (plan && p->faults[RESET])
        h2_reset(stream);
    flood(p, FLOOD, STDERR_FILENO, 1);
    flood(p, FLOOD_STDOUT, STDOUT_FILENO, 1);
    return (plan && (p->faults[RESET] || p->faults[CLOSE])) ||
           (p->faults[HANG] && lc_str_is(name, "PlanResourceChange") && p->plans >= p->at);
}

static void on_request(h2_stream *stream)
{
    provider *p = stream->connection->user;
    lc_str path = lc_buf_str(&stream->path), body = lc_buf_str(&stream->in);
    lc_str name = lc_file_name(path);
    char *text = lc_str_to_c(p->arena, name);
    if (lc_str_is(path, "/plugin.GRPCController/Shutdown")) {
        plugin_say(&p->plugin, "call", text, "shutdown");
        p->plugin.stop = !p->faults[IGNORES_SHUTDOWN];
        refuse(p, stream);
        return;
    }
    if (p->held && lc_str_starts_with(name, LC_STR("Stop"))) {
        h2_answer(p->held);
        p->held = NULL;
    }
    bool schema = lc_str_is(name, "GetSchema") || lc_str_is(name, "GetProviderSchema");
    recorded_group *group = recorded_same(p->calls, path, body);
    plugin_say(&p->plugin, "call", text, group ? "equal" : "");
    if (misbehaves(p, stream, name))
        return;
    if (!group)
        group = recorded_similar(p->calls, path, body);
    if (group)
        answer(p, stream, group, schema);
    else
        refuse(p, stream);
}

static void on_closed(h2_stream *stream)
{
    provider *p = stream->connection->user;
    pending *answer = stream->user;
    if (answer)
        answer->stream = NULL;
    if (p->held == stream)
        p->held = NULL;
    if (!stream->answered || !lc_str_starts_with(lc_buf_str(&stream->path), LC_STR("/tfplugin")))
        return;
    p->answered++;
    if (p->faults[GARBAGE_FRAMES] && p->answered == p->at)
        lc_buf_add_c(&stream->connection->out.bytes,
                     "HTTP/1.1 400 Bad Request\r\n\r\nthis is no frame "
                     "and no further one will come");
    p->plugin.die |= p->faults[DIE_AFTER] && p->answered == p->at;
}

/* ---- The start */

static void read_settings(provider *p)
{
    static const char *const words[] = {FAULTS(FAULT_WORD) NULL};
    plugin_faults(p->faults, words);
    p->at = strtoull(plugin_setting("FAULT_AT", "1"), NULL, 10);
    p->size = strtoull(plugin_setting("FAULT_SIZE", "0"), NULL, 10);
}

/* Listens on a port; *address is where. */
static int listen_on_port(char *address, size_t size)
{
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof port;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&port, len) != 0 || listen(fd, 64) != 0 ||
        getsockname(fd, (struct sockaddr *)&port, &len) != 0) {
        fprintf(stderr, "cannot listen: %s\n", strerror(errno));
        _exit(4);
    }
    snprintf(address, size, "127.0.0.1:%d", ntohs(port.sin_port));
    return fd;
}

static void handshake(const provider *p, const char *address)
{
    int protocol = p->calls->calls.items[0].method->protocol;
    if (p->faults[NO_HANDSHAKE])
        for (;;)
            pause();
    if (p->faults[EARLY_EXIT])
        panic(p, "init");
    flood(p, FLOOD, STDERR_FILENO, p->size ? p->size : 50); /* the line comes when it was read */
    if (p->faults[GARBAGE]) {
        puts("Hello from a wrapper script; \033[1mthe provider is not here\033[0m");
    } else {
        protocol = p->faults[PROTOCOL_4] ? 4 : p->faults[PROTOCOL_7] ? 7 : protocol;
        printf("1|%d|%s|%s|%s|%s\n", protocol, p->faults[TCP] ? "tcp" : "unix", address,
               p->faults[NETRPC] ? "netrpc" : "grpc",
               p->faults[TLS] ? "MIIBszCCARWgAwIBAgIBATAKBggqhkjOPQQDBDAUMRIwEAYDVQQD" : "");
    }
    fflush(stdout);
    flood(p, FLOOD_STDOUT, STDOUT_FILENO, p->size ? p->size : 50);
}

/* ---- Service */

static bool greets(void *user, int fd)
{
    const provider *p = user;
    if (p->faults[NO_HTTP2])
        dprintf(fd, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    return !p->faults[NO_GREETING];
}

int main(int count, char **arguments)
{
    static const h2_events events = {on_request, on_closed};
    static provider p;
    char address[sizeof p.plugin.path];
    (void)count;
    p.plugin.events = &events;
    p.plugin.user = &p;
    p.plugin.due = send_due;
    p.plugin.greets = greets;
    plugin_begin(&p.plugin, arguments[0]);
    p.arena = lc_arena_new();
    read_settings(&p);
    signal(SIGTERM, p.faults[IGNORES_TERM] ? SIG_IGN : SIG_DFL);
    p.calls = recorded_read(p.arena, plugin_setting("RECORDING", "recording.jsonl"));
    int listener =
        p.faults[TCP] ? listen_on_port(address, sizeof address) : plugin_listen(&p.plugin);
    if (!p.faults[TCP])
        memcpy(address, p.plugin.path, sizeof address);
    if (p.faults[LEAVES_CHILD] && fork() == 0)
        for (;;)
            pause();
    fprintf(stderr, "{\"@level\":\"debug\",\"@message\":\"plugin address\",\"address\":\"%s\"}\n",
            address);
    handshake(&p, address);
    plugin_serve(&p.plugin, listener);
    plugin_leave(&p.plugin, 0);
}
