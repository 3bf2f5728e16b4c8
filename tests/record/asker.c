/* Asks a provider what a recording asked, by the functions of lifecheck/live/session.h, and
 * compares the answers. Prints a line for every answer that differs or has a status, and a summary.
 * Status 0: all answers are equal; 1: some are not; 3: the provider could not be asked. */
#include "calls.h"
#include "h2.h"

#include "lifecheck/live/session.h"
#include "lifecheck/yaml_json/node.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define NUMBERS(X)                                                                                 \
    X(at_once, "at-once", "calls asked together; 1 unless given")                                  \
    X(repeat, "repeat", "asks everything so often")                                                \
    X(timeout, "timeout", "milliseconds for a call")                                               \
    X(start, "start", "milliseconds for the handshake")                                            \
    X(grace, "grace", "milliseconds for the end")                                                  \
    X(max, "max", "bytes of a message")                                                            \
    X(large, "large", "bytes are added to every request")                                          \
    X(wait, "wait", "milliseconds between two questions")
#define NUMBER_FIELD(name, option, text) size_t name;
#define NUMBER_HELP(name, option, text)  "  --" option " N  " text "\n"
#define NUMBER_ROW(name, option, text)   {"--" option, &a->name},

static const char help[] = "asker [OPTION...] BINARY|unix:PATH|tcp:HOST:PORT RECORDING\n" NUMBERS(
    NUMBER_HELP) "  --only NAME  leaves the other calls out\n"
                 "  --emptied, --offline, --env NAME[=VALUE]  of the provider\n"
                 "  --log  its standard error to ours\n"
                 "  --go-on  asks on after the provider is gone, or a signal\n"
                 "  --figures  prints calls and times\n";

typedef struct asker {
    lc_arena *arena, *scratch;
    NUMBERS(NUMBER_FIELD)
    const char *only, *binary;
    bool emptied, offline, go_on, figures, log;
    LC_VEC(lc_str) env;
    recorded *calls;
    lc_session *session;
    size_t asked, equal, different, failed;
    int64_t own_us; /* processor time that asking took us */
} asker;

/* ---- Calls */

static lc_str body_of(lc_arena *arena, const lc_live_call *call)
{
    lc_buf body = {0};
    for (size_t i = 0; i < call->response_count; i++)
        lc_grpc_add_message(&body, call->responses[i], false);
    return lc_buf_take(arena, &body);
}

static void look(asker *a, const lc_live_call *call, const recorded_call *wanted)
{
    bool equal = call->status == wanted->status && !call->cut &&
                 lc_str_eq(body_of(a->scratch, call), wanted->response);
    a->asked++;
    a->equal += equal;
    a->failed += call->status != 0;
    a->different += !equal && call->status == 0;
    if (equal)
        return;
    printf("%s %d%s %zu: %.*s\n", wanted->method->name, call->status, call->cut ? " cut" : "",
           call->response_count, LC_FMT(call->status_text));
    fflush(stdout);
}

static bool goes_on(const asker *a)
{
    return a->go_on || (lc_session_is_alive(a->session) && !lc_session_stopped());
}

static int64_t own_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void ask(asker *a, const recorded_call *const *calls, size_t count)
{
    lc_question *questions = LC_NEW_ARRAY(a->scratch, lc_question, count);
    lc_live_call *out = LC_NEW_ARRAY(a->scratch, lc_live_call, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        bool compressed;
        questions[i] = (lc_question){.method = calls[i]->method, .timeout_ms = (int64_t)a->timeout};
        lc_buf request = {0};
        h2_add_messages(&request, calls[i]->request, a->large, false);
        lc_grpc_next(lc_buf_take(a->scratch, &request), &at, &questions[i].request, &compressed);
    }
    int64_t before = own_time();
    lc_session_ask(a->session, out, a->scratch, questions, count);
    a->own_us += own_time() - before;
    for (size_t i = 0; i < count; i++)
        look(a, &out[i], calls[i]);
    lc_arena_reset(a->scratch);
    if (a->wait)
        poll(NULL, 0, (int)a->wait);
}

static void ask_all(asker *a)
{
    const recorded_call **calls = LC_NEW_ARRAY(a->arena, const recorded_call *, a->at_once);
    size_t count = 0;
    for (size_t i = 0; i < a->calls->calls.count && goes_on(a); i++) {
        const recorded_call *call = &a->calls->calls.items[i];
        if (a->only && strcmp(a->only, call->method->name) != 0)
            continue;
        calls[count++] = call;
        if (count < a->at_once)
            continue;
        ask(a, calls, count);
        count = 0;
    }
    if (count && goes_on(a))
        ask(a, calls, count);
}

/* ---- The session */

static void print_log(lc_str log)
{
    printf("log: %zu bytes: %.*s\n", log.len,
           LC_FMT(lc_str_sub(log, 0, lc_str_find(log, 0, '\n'))));
}

static void tell(void *context, lc_live_weight weight, lc_str text, lc_str log)
{
    (void)context, (void)weight, (void)log;
    printf("told: %.*s\n", LC_FMT(text));
}

static lc_live_provider provider_of(const asker *a)
{
    lc_str text = lc_str_from_c(a->binary);
    bool local = lc_str_starts_with(text, LC_STR("unix:"));
    bool tcp = lc_str_starts_with(text, LC_STR("tcp:"));
    lc_live_provider provider = {.address = LC_STR("example.test/tests/thing"),
                                 .binary = local || tcp ? LC_STR_EMPTY : text,
                                 .protocol = a->calls->calls.items[0].method->protocol,
                                 .tcp = tcp,
                                 .dial = lc_str_sub(text,
                                                    local ? 5
                                                    : tcp ? 4
                                                          : 0,
                                                    text.len)};
    return provider;
}

static bool open_session(asker *a, const lc_live_provider *provider)
{
    lc_str why, log;
    lc_session_options options = {.provider = provider,
                                  .process = 1,
                                  .emptied = a->emptied,
                                  .env = a->env.items,
                                  .env_count = a->env.count,
                                  .offline = a->offline,
                                  .start_ms = (int64_t)a->start,
                                  .grace_ms = (int64_t)a->grace,
                                  .log = a->log ? STDERR_FILENO : -1,
                                  .limits = LC_LIMITS_DEFAULT,
                                  .on_event = tell};
    if (a->max)
        options.limits.input_bytes = a->max;
    a->session = lc_session_open(a->arena, &options, &why, &log);
    if (a->session)
        return true;
    printf("not opened: %.*s\n", LC_FMT(why));
    if (log.len)
        print_log(log);
    if (lc_session_stopped())
        printf("stopped by signal %d\n", lc_session_stopped());
    return false;
}

static void print_figures(const asker *a)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("%zu calls, %.3f ms of our processor time each, %ld KiB at most\n", a->asked,
           a->asked ? (double)a->own_us / 1000 / (double)a->asked : 0, used.ru_maxrss);
}

static void summarize(asker *a)
{
    lc_str log;
    lc_str end = lc_session_end_text(a->session, a->arena, &log);
    printf("%zu calls, %zu equal, %zu different, %zu failed\n", a->asked, a->equal, a->different,
           a->failed);
    if (!lc_session_is_alive(a->session)) {
        printf("the provider %.*s\n", LC_FMT(end));
        print_log(log);
    }
    if (lc_session_stopped())
        printf("stopped by signal %d\n", lc_session_stopped());
    if (a->figures)
        print_figures(a);
    fflush(stdout);
}

/* ---- The command line */

static void usage(void)
{
    fputs(help, stderr);
    exit(2);
}

static bool take_number(asker *a, const char *name, const char *value)
{
    const struct {
        const char *name;
        size_t *to;
    } rows[] = {NUMBERS(NUMBER_ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *rows[i].to = value ? strtoull(value, NULL, 10) : 0;
        return true;
    }
    return false;
}

static bool take_flag(asker *a, const char *name)
{
    const struct {
        const char *name;
        bool *to;
    } rows[] = {{"--emptied", &a->emptied},
                {"--offline", &a->offline},
                {"--go-on", &a->go_on},
                {"--log", &a->log},
                {"--figures", &a->figures}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return *rows[i].to = true;
    }
    return false;
}

static int read_options(asker *a, int count, char **arguments)
{
    int i = 1;
    for (; i < count && strncmp(arguments[i], "--", 2) == 0; i++) {
        const char *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (take_flag(a, arguments[i]))
            continue;
        if (strcmp(arguments[i], "--only") == 0)
            a->only = value;
        else if (strcmp(arguments[i], "--env") == 0 && value)
            *LC_PUSH(a->arena, &a->env, lc_str) = lc_str_from_c(value);
        else if (!take_number(a, arguments[i], value))
            usage();
        i++;
    }
    return i;
}

int main(int count, char **arguments)
{
    asker a = {.arena = lc_arena_new(), .scratch = lc_arena_new(), .at_once = 1, .repeat = 1};
    int at = read_options(&a, count, arguments);
    if (at + 2 != count)
        usage();
    a.binary = arguments[at];
    a.calls = recorded_read(a.arena, arguments[at + 1]);
    lc_live_provider provider = provider_of(&a);
    int status = 3;
    if (open_session(&a, &provider)) {
        for (size_t i = 0; i < a.repeat && goes_on(&a); i++)
            ask_all(&a);
        summarize(&a);
        lc_session_close(a.session);
        status = a.equal == a.asked ? 0 : 1;
    }
    lc_arena_free(a.scratch);
    lc_arena_free(a.arena);
    return status;
}
