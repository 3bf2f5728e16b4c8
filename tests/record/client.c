/* A client for tests, which does with TF_REATTACH_PROVIDERS what Terraform does: it plays the calls
 * of recordings, each `process` on a connection of its own, before which it dials once to see
 * whether someone is there, and compares the answers. Status 0: every call was answered; 1: not,
 * reported in Terraform's words. `client --help` lists the options. */
#include "calls.h"
#include "h2.h"

#include "lifecheck/yaml_json/node.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RUNS        16
#define MAX_CONNECTIONS 64
#define TICK_MS         200
#define NO_ANSWER_MS    120000 /* nothing came for so long: give up, so that no test hangs */

/* Options with a number. */
#define NUMBERS(X)                                                                                 \
    X(connections, "connections", "at once; 1 unless given")                                       \
    X(parallel, "parallel", "calls of a connection at once; 1 unless given")                       \
    X(repeat, "repeat", "plays everything so often")                                               \
    X(large, "large", "bytes are added to every request")                                          \
    X(cancel, "cancel", "cancels this call when it is sent")                                       \
    X(abort, "abort", "ends without a word when this call is sent")                                \
    X(kill, "kill-provider", "after this answer; the one that PEER_LOG names last, or the Pid")    \
    X(exit, "exit", "status if all calls were answered")                                           \
    X(sleep, "sleep", "milliseconds before the end")
#define NUMBER_FIELD(name, option, text) size_t name;
#define NUMBER_HELP(name, option, text)  "  --" option " N  " text "\n"
#define NUMBER_ROW(name, option, text)   {"--" option, &c->name},

static const char help[] = "client [OPTION...] [--provider ADDRESS] RECORDING...\n" NUMBERS(
    NUMBER_HELP) "  --provider ADDRESS  for the recordings that follow; else the first of the "
                 "variable\n"
                 "  --redial  go on with a new connection after one broke, as gRPC does\n"
                 "  --shutdown  end the first provider at the end, which Terraform does to no "
                 "reattached one\n"
                 "  --expect-broken  status 5 if all calls were answered\n"
                 "  --print-env  print TF_REATTACH_PROVIDERS\n"
                 "  -state=FILE, -state-out=FILE  nothing is done with them\n"
                 "client state pull  prints the file that PULLED names\n";

/* A recording and where it is played. */
typedef struct run {
    recorded *calls;
    const char *path; /* of the socket */
    pid_t pid;
} run;

/* A process of a recording, on a connection. */
typedef struct play {
    struct client *client;
    run *run;
    size_t next, end; /* calls */
    size_t open;
    h2_connection *connection;
} play;

typedef struct client {
    lc_arena *arena;
    run runs[MAX_RUNS];
    size_t run_count;
    NUMBERS(NUMBER_FIELD)
    bool redial, expect_broken, shutdown;
    LC_VEC(play) plays;
    size_t next, first; /* play to begin, and the first one that is not over */
    size_t sent, answered, equal, failed;
    bool broken;
    int64_t heard; /* when something last came */
} client;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static _Noreturn void quit(int status, const char *what, const char *more)
{
    fflush(stdout);
    fprintf(stderr, "%s%s\n", what, more);
    exit(status);
}

/* ---- Calls */

static void tell_failure(const h2_stream *stream, const recorded_call *call)
{
    const char *title = stream->status == H2_UNAVAILABLE || stream->status < 0
                            ? "Plugin did not respond"
                        : stream->status == H2_UNIMPLEMENTED ? "Unsupported plugin method"
                        : stream->status == 1                ? "Request cancelled"
                                                             : "Plugin error";
    fprintf(stderr,
            "Error: %s\n\nThe plugin encountered an error, and failed to respond to the\n"
            "plugin%d.(*GRPCProvider).%s call. (status %d: %.*s)\n",
            title, call->method->protocol, call->method->name, stream->status,
            LC_FMT(lc_buf_str(&stream->message)));
}

static bool is_one_of(const recorded_group *group, const h2_stream *stream, lc_str body)
{
    for (size_t i = 0; i < group->calls.count; i++)
        if (group->calls.items[i]->status == stream->status &&
            lc_str_eq(group->calls.items[i]->response, body))
            return true;
    return false;
}

/* Is it the recorded answer, or that of an equal request? */
static bool is_recorded(play *p, const recorded_call *call, const h2_stream *stream)
{
    recorded_group *group = recorded_same(p->run->calls, lc_str_from_c(call->path), call->request);
    if (is_one_of(group, stream, lc_buf_str(&stream->in)))
        return true;
    lc_arena *scratch = lc_arena_new();
    lc_str body;
    bool is = recorded_canonical(&body, scratch, call->method->response, lc_buf_str(&stream->in),
                                 false) &&
              is_one_of(group, stream, body);
    lc_arena_free(scratch);
    return is;
}

static void kill_provider(pid_t pid)
{
    char line[256];
    long started = pid, seen;
    const char *log = getenv("PEER_LOG");
    FILE *file = log ? fopen(log, "r") : NULL;
    while (file && fgets(line, sizeof line, file))
        if (strstr(line, " start") && sscanf(line, "%ld", &seen) == 1)
            started = seen;
    if (file)
        fclose(file);
    kill((pid_t)started, SIGKILL);
}

static void on_closed(h2_stream *stream)
{
    const recorded_call *call = stream->user;
    play *p = stream->connection->user;
    if (!call)
        return;
    client *c = p->client;
    p->open--;
    bool equal = stream->status >= 0 && is_recorded(p, call, stream);
    if (!equal && stream->status != 0) {
        tell_failure(stream, call);
        c->failed++;
        c->broken |= !c->redial && (stream->status < 0 || stream->status == H2_UNAVAILABLE);
    }
    c->answered += stream->status >= 0;
    c->equal += equal;
    if (c->answered == c->kill && stream->status >= 0)
        kill_provider(p->run->pid);
}

static void send_call(play *p, const recorded_call *call)
{
    client *c = p->client;
    lc_buf body = {0};
    if (c->large)
        h2_add_messages(&body, call->request, c->large, false);
    h2_stream *stream =
        h2_call(p->connection, call->path, c->large ? lc_buf_str(&body) : call->request, false);
    stream->user = (void *)(uintptr_t)call;
    lc_buf_release(&body);
    p->open++;
    c->sent++;
    if (c->sent == c->abort || c->sent == c->cancel)
        h2_write(p->connection);
    if (c->sent == c->abort)
        _exit(1);
    if (c->sent == c->cancel) {
        stream->status = 1;
        h2_reset(stream);
    }
}

/* ---- Connections */

static bool dial(play *p)
{
    static const h2_events events = {.closed = on_closed};
    int fd = h2_dial(p->run->path);
    if (fd < 0)
        return false;
    p->connection = h2_open(fd, false, &events);
    p->connection->user = p;
    h2_call(p->connection, "/plugin.GRPCStdio/StreamStdio", LC_STR("\0\0\0\0\0"), false);
    h2_call(p->connection, "/plugin.GRPCBroker/StartStream", LC_STR_EMPTY, true);
    h2_ping(p->connection);
    return true;
}

static void hang_up(play *p)
{
    h2_connection *connection = p->connection;
    h2_close(connection);
    p->connection = NULL;
}

static void lost(play *p)
{
    hang_up(p);
    if (p->client->redial && p->next < p->end && dial(p))
        return;
    p->client->broken |= !p->client->redial || p->next < p->end;
}

/* Sends what may be sent; the play is over when everything was answered. */
static void go_on(play *p)
{
    client *c = p->client;
    bool closing = p->connection->goaway;
    while (p->next < p->end && p->open < c->parallel && !closing && !interrupted)
        send_call(p, &p->run->calls->calls.items[p->next++]);
    bool done = p->open == 0 && (p->next == p->end || interrupted);
    if (done && p->connection->pongs == 0)
        fputs("the ping was not answered\n", stderr);
    if (done)
        hang_up(p);
    else if (!h2_write(p->connection) || (closing && p->open == 0))
        lost(p);
}

static size_t begin_plays(client *c)
{
    size_t active = 0;
    while (c->first < c->next && !c->plays.items[c->first].connection)
        c->first++;
    for (size_t i = c->first; i < c->next; i++)
        active += c->plays.items[i].connection != NULL;
    for (; active < c->connections && c->next < c->plays.count && !interrupted; active++) {
        play *p = &c->plays.items[c->next++];
        int probe = h2_dial(p->run->path);
        if (probe < 0 || close(probe) != 0 || !dial(p)) {
            fprintf(stderr, "Error: Failed to instantiate provider\n\nnobody listens at %s\n",
                    p->run->path);
            c->broken = true;
            break;
        }
        go_on(p);
    }
    return active;
}

static void watch(client *c)
{
    for (size_t i = 0; i < c->run_count; i++)
        if (kill(c->runs[i].pid, 0) != 0 && errno == ESRCH)
            quit(1, "Error: Plugin did not respond\n\nthe process of the entry is gone", "");
    if (h2_now() - c->heard > NO_ANSWER_MS)
        quit(1, "no answer came for two minutes", "");
}

static void poll_plays(client *c)
{
    struct pollfd polled[MAX_CONNECTIONS];
    play *plays[MAX_CONNECTIONS];
    nfds_t count = 0;
    for (size_t i = c->first; i < c->next; i++)
        if (c->plays.items[i].connection) {
            h2_connection *connection = c->plays.items[i].connection;
            plays[count] = &c->plays.items[i];
            polled[count++] = (struct pollfd){.fd = connection->fd, .events = h2_wants(connection)};
        }
    if (poll(polled, count, TICK_MS) <= 0)
        return;
    c->heard = h2_now();
    for (nfds_t i = 0; i < count && !c->broken; i++)
        if (polled[i].revents & (POLLIN | POLLHUP | POLLERR) && !h2_read(plays[i]->connection))
            lost(plays[i]);
        else if (polled[i].revents)
            go_on(plays[i]);
}

static void play_all(client *c)
{
    int64_t watched = c->heard = h2_now();
    while (begin_plays(c) && !c->broken) {
        poll_plays(c);
        if (h2_now() - watched >= TICK_MS) {
            watched = h2_now();
            watch(c);
        }
    }
    for (size_t i = c->first; i < c->next; i++)
        if (c->plays.items[i].connection)
            hang_up(&c->plays.items[i]);
}

/* Waits until the provider hangs up, two seconds at most, as go-plugin does. */
static void shut_down(client *c)
{
    play last = {.client = c, .run = c->runs};
    if (!dial(&last))
        return;
    h2_call(last.connection, "/plugin.GRPCController/Shutdown", LC_STR("\0\0\0\0\0"), false);
    struct pollfd polled = {.fd = last.connection->fd, .events = POLLIN};
    bool on = h2_write(last.connection);
    for (int64_t end = h2_now() + 2000; on && h2_now() < end;)
        on = poll(&polled, 1, TICK_MS) <= 0 ||
             (h2_read(last.connection) && h2_write(last.connection));
    printf("the provider hung up: %s\n", on ? "no" : "yes");
    hang_up(&last);
}

/* ---- The start */

/* The entry of an address in the variable, or of the first. */
static void find_entry(client *c, run *out, const char *address)
{
    const char *text = getenv("TF_REATTACH_PROVIDERS");
    lc_diags diags;
    lc_diags_init(&diags, c->arena);
    lc_source source;
    if (!text || lc_json_parse(&source, c->arena, LC_STR("TF_REATTACH_PROVIDERS"),
                               lc_str_from_c(text), &LC_LIMITS_DEFAULT, &diags) != LC_OK)
        quit(3, "TF_REATTACH_PROVIDERS is missing or no JSON", "");
    const lc_node *entry = address ? lc_node_get(source.documents, address)
                           : lc_node_member_count(source.documents)
                               ? &source.documents->as.members[0].value
                               : NULL;
    const lc_node *pid = lc_node_get_kind(entry, "Pid", LC_NODE_NUMBER);
    lc_str path = lc_node_text(lc_node_get(entry, "Addr"), "String");
    if (!pid || path.len == 0 || !lc_str_is(lc_node_text(entry, "Protocol"), "grpc") ||
        !lc_node_is_true(lc_node_get(entry, "Test")))
        quit(3, "TF_REATTACH_PROVIDERS has no entry that can be used for ",
             address ? address : "any provider");
    out->pid = (pid_t)strtol(lc_str_to_c(c->arena, pid->as.text), NULL, 10);
    out->path = lc_str_to_c(c->arena, path);
}

static size_t *number_option(client *c, const char *name)
{
    const struct {
        const char *name;
        size_t *value;
    } options[] = {NUMBERS(NUMBER_ROW)};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(name, options[i].name) == 0)
            return options[i].value;
    return NULL;
}

static void read_arguments(client *c, char **arguments)
{
    const char *address = NULL;
    for (char **at = arguments + 1; *at; at++) {
        size_t *number = number_option(c, *at);
        if (strcmp(*at, "--print-env") == 0) {
            const char *value = getenv("TF_REATTACH_PROVIDERS");
            puts(value ? value : "");
        } else if (strcmp(*at, "--redial") == 0) {
            c->redial = true;
        } else if (strcmp(*at, "--shutdown") == 0) {
            c->shutdown = true;
        } else if (strcmp(*at, "--expect-broken") == 0) {
            c->expect_broken = true;
        } else if (number && at[1]) {
            *number = strtoul(*++at, NULL, 10);
        } else if (strcmp(*at, "--provider") == 0 && at[1]) {
            address = *++at;
        } else if (strncmp(*at + (strncmp(*at, "--", 2) == 0), "-state", 6) == 0) {
            continue;
        } else if (**at == '-' || c->run_count == MAX_RUNS) {
            quit(2, help, *at);
        } else {
            run *added = &c->runs[c->run_count++];
            find_entry(c, added, address);
            added->calls = recorded_read(c->arena, *at);
        }
    }
    c->parallel += c->parallel == 0;
    c->connections = c->connections == 0                ? 1
                     : c->connections > MAX_CONNECTIONS ? MAX_CONNECTIONS
                                                        : c->connections;
}

static void plan_plays(client *c)
{
    for (size_t turn = 0; turn < (c->repeat ? c->repeat : 1); turn++)
        for (size_t r = 0; r < c->run_count; r++) {
            const recorded *all = c->runs[r].calls;
            for (size_t i = 0, end; i < all->calls.count; i = end) {
                for (end = i; end < all->calls.count &&
                              all->calls.items[end].process == all->calls.items[i].process;)
                    end++;
                *LC_PUSH(c->arena, &c->plays, play) =
                    (play){.client = c, .run = &c->runs[r], .next = i, .end = end};
            }
        }
}

static int pull_state(lc_arena *arena)
{
    lc_str text;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    const char *file = getenv("PULLED");
    if (!file || lc_file_read(&text, arena, lc_str_from_c(file), SIZE_MAX, &diags) != LC_OK)
        return 1;
    fwrite(text.ptr, 1, text.len, stdout);
    return 0;
}

int main(int count, char **arguments)
{
    static client c;
    c.arena = lc_arena_new();
    if (count == 3 && strcmp(arguments[1], "state") == 0 && strcmp(arguments[2], "pull") == 0)
        return pull_state(c.arena);
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    read_arguments(&c, arguments);
    plan_plays(&c);
    int64_t began = h2_now();
    play_all(&c);
    if (c.shutdown)
        shut_down(&c);
    if (c.sleep)
        poll(NULL, 0, (int)c.sleep);
    printf("%zu calls, %zu answered, %zu equal, %zu failed\n", c.sent, c.answered, c.equal,
           c.failed);
    fprintf(stderr, "%lld ms\n", (long long)(h2_now() - began));
    if (interrupted)
        quit(1, "Interrupt received.", "");
    if (c.broken && c.failed == 0)
        quit(1, "Error: Plugin did not respond", "");
    return c.failed ? 1 : c.expect_broken ? 5 : (int)c.exit;
}
