/* A provider for tests: starts as go-plugin's providers do and answers with the calls of a
 * recording, or misbehaves. It gets no arguments, so what it does is said by the environment, or
 * by lines NAME=VALUE in the file PROGRAM.env beside it (the environment wins):
 *
 *   RECORDING   the calls to answer; says the protocol
 *   FAULT       words of FAULTS, separated by commas
 *   FAULT_AT    the fault happens at this call of its kind; 1 unless given
 *   FAULT_SIZE  megabytes of `big` (200), `flood` and `flood-stdout` (50); KB of `long-status`
 *   FAULT_TEXT  for standard error before it dies
 *   PEER_LOG    a file to which it appends "PID start", "PID connection", "PID call NAME HOW" */
#include "calls.h"
#include "h2.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define COOKIE          "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"
#define MAX_CONNECTIONS 64
#define SLOW_MS         50

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
    recorded *calls;
    bool faults[FAULT_COUNT];
    uint64_t at, size; /* FAULT_AT; FAULT_SIZE or 0 */
    uint64_t plans, applies, answered;
    bool deaf;
    char path[128]; /* of the socket */
    int log;        /* -1: none */
    h2_connection *connections[MAX_CONNECTIONS];
    pending *waiting;
    bool stop, die;
    h2_stream *held; /* its answer waits for Stop */
    lc_arena *arena;
} provider;

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

static void say(const provider *p, const char *what, const char *more, const char *how)
{
    char line[256];
    int n = snprintf(line, sizeof line, "%ld %s%s%s%s%s\n", (long)getpid(), what, *more ? " " : "",
                     more, *how ? " " : "", how);
    if (p->log >= 0 && n > 0 && write(p->log, line, (size_t)n) < 0)
        _exit(4);
}

/* ---- Deaths and floods */

static void panic(const provider *p, const char *where)
{
    if (p->faults[SECRET_STDERR])
        fprintf(stderr, "%s\n", setting("FAULT_TEXT", "no text was given"));
    fprintf(stderr,
            "panic: runtime error: invalid memory address or nil pointer dereference\n\n"
            "goroutine 1 [running]:\nmain.%s(...)\n",
            where);
    for (int i = 2; i < 30; i++)
        fprintf(stderr, "\ngoroutine %d [select]:\nmain.wait(...)\n", i);
    _exit(2);
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

static void leave(const provider *p, int status)
{
    if (*p->path)
        unlink(p->path);
    _exit(status);
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
static int send_due(provider *p)
{
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
        h2_add_message(&stream->out, LC_STR_EMPTY, false);
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
        h2_add_message(&stream->out, LC_STR_EMPTY, false);
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
        leave(p, 0);
    p->deaf |= plan && p->faults[DEAF];
    if (plan && p->faults[CLOSE])
        shutdown(stream->connection->fd, SHUT_RDWR);
    if (plan && p->faults[EXIT_IN_PLAN])
        leave(p, 3);
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
        say(p, "call", text, "shutdown");
        p->stop = !p->faults[IGNORES_SHUTDOWN];
        refuse(p, stream);
        return;
    }
    if (p->held && lc_str_starts_with(name, LC_STR("Stop"))) {
        h2_answer(p->held);
        p->held = NULL;
    }
    bool schema = lc_str_is(name, "GetSchema") || lc_str_is(name, "GetProviderSchema");
    recorded_group *group = recorded_same(p->calls, path, body);
    say(p, "call", text, group ? "equal" : "");
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
        lc_buf_add_c(&stream->connection->out, "HTTP/1.1 400 Bad Request\r\n\r\nthis is no frame "
                                               "and no further one will come");
    p->die |= p->faults[DIE_AFTER] && p->answered == p->at;
}

/* ---- The start */

static void read_settings(provider *p, const char *program)
{
    static const char *const words[] = {FAULTS(FAULT_WORD) NULL};
    char line[4096], *rest = NULL;
    FILE *file = fopen(lc_str_to_c(p->arena, lc_str_printf(p->arena, "%s.env", program)), "r");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, '=');
        line[strcspn(line, "\n")] = '\0';
        if (value) {
            *value = '\0';
            setenv(line, value + 1, 0);
        }
    }
    if (file)
        fclose(file);
    snprintf(line, sizeof line, "%s", setting("FAULT", ""));
    for (char *word = strtok_r(line, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        size_t at;
        if (!lc_str_is_one_of(lc_str_from_c(word), words, &at)) {
            fprintf(stderr, "unknown FAULT %s\n", word);
            _exit(4);
        }
        p->faults[at] = true;
    }
    p->at = strtoull(setting("FAULT_AT", "1"), NULL, 10);
    p->size = strtoull(setting("FAULT_SIZE", "0"), NULL, 10);
    const char *log = setting("PEER_LOG", NULL);
    p->log = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

static int listen_at(provider *p, char *address, size_t size)
{
    bool tcp = p->faults[TCP];
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof port;
    int fd = socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM, 0), n;
    if (tcp) {
        if (bind(fd, (struct sockaddr *)&port, len) == 0)
            getsockname(fd, (struct sockaddr *)&port, &len);
        n = snprintf(address, size, "127.0.0.1:%d", ntohs(port.sin_port));
    } else {
        n = snprintf(address, size, "%s/plugin%ld",
                     setting("PLUGIN_UNIX_SOCKET_DIR", setting("TMPDIR", "/tmp")), (long)getpid());
        memcpy(local.sun_path, address, sizeof local.sun_path - 1);
        memcpy(p->path, address, size);
        unlink(address); /* of an earlier process with this id */
        if (n >= (int)sizeof local.sun_path ||
            bind(fd, (struct sockaddr *)&local, sizeof local) != 0)
            n = 0;
    }
    if (n <= 0 || listen(fd, 64) != 0) {
        fprintf(stderr, "%s: cannot listen: %s\n", address, strerror(errno));
        _exit(4);
    }
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

static void accept_one(provider *p, int listener)
{
    static const h2_events events = {on_request, on_closed};
    int fd = accept(listener, NULL, NULL);
    size_t i = 0;
    while (i < MAX_CONNECTIONS && p->connections[i])
        i++;
    if (fd < 0 || i == MAX_CONNECTIONS) {
        if (fd >= 0)
            close(fd);
        return;
    }
    say(p, "connection", "", "");
    if (p->faults[NO_GREETING])
        return;
    if (p->faults[NO_HTTP2])
        dprintf(fd, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    p->connections[i] = h2_open(fd, true, &events);
    p->connections[i]->user = p;
}

static void serve(provider *p, int listener)
{
    while (!p->stop) {
        struct pollfd polled[1 + MAX_CONNECTIONS] = {{.fd = listener, .events = POLLIN}};
        int timeout = send_due(p);
        for (size_t i = 0; i < MAX_CONNECTIONS; i++)
            polled[1 + i] = p->connections[i] && !p->deaf
                                ? (struct pollfd){.fd = p->connections[i]->fd,
                                                  .events = h2_wants(p->connections[i])}
                                : (struct pollfd){.fd = -1};
        if (poll(polled, 1 + MAX_CONNECTIONS, timeout) < 0 && errno != EINTR)
            return;
        for (size_t i = 0; i < MAX_CONNECTIONS && !p->stop; i++) {
            h2_connection *connection = p->connections[i];
            if (!connection || !polled[1 + i].revents || p->deaf)
                continue;
            bool on =
                !(polled[1 + i].revents & (POLLIN | POLLHUP | POLLERR)) || h2_read(connection);
            on = (p->stop || h2_write(connection)) && on;
            if (p->die)
                raise(SIGKILL);
            if (!on) {
                p->connections[i] = NULL;
                h2_close(connection);
            }
        }
        if (polled[0].revents)
            accept_one(p, listener);
    }
}

int main(int count, char **arguments)
{
    static provider p;
    char address[sizeof p.path] = "";
    const char *cookie = getenv("TF_PLUGIN_MAGIC_COOKIE");
    (void)count;
    if (!cookie || strcmp(cookie, COOKIE) != 0) {
        fputs("This binary is a plugin. These are not meant to be executed directly.\n"
              "Please execute the program that consumes these plugins, which will\n"
              "load any plugins automatically\n",
              stderr);
        return 1;
    }
    p.arena = lc_arena_new();
    read_settings(&p, arguments[0]);
    signal(SIGINT, SIG_IGN); /* as go-plugin: the terminal's Ctrl-C is for the client */
    signal(SIGTERM, p.faults[IGNORES_TERM] ? SIG_IGN : SIG_DFL);
    say(&p, "start", "", "");
    p.calls = recorded_read(p.arena, setting("RECORDING", "recording.jsonl"));
    int listener = listen_at(&p, address, sizeof address);
    if (p.faults[LEAVES_CHILD] && fork() == 0)
        for (;;)
            pause();
    fprintf(stderr, "{\"@level\":\"debug\",\"@message\":\"plugin address\",\"address\":\"%s\"}\n",
            address);
    handshake(&p, address);
    serve(&p, listener);
    leave(&p, 0);
}
