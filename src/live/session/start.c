/* How a provider comes to serve: what it finds around it, its handshake, the connection. */
#define _GNU_SOURCE /* environ */
#include "live/session/parts.h"

#include "lifecheck/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Its environment. */

typedef LC_VEC(char *) words;

static void add_word(lc_session *s, words *list, lc_str text)
{
    *LC_PUSH(s->arena, list, char *) = lc_str_to_c(s->arena, text);
}

static void add_variable(lc_session *s, words *list, const char *name, lc_str value)
{
    add_word(s, list, lc_str_printf(s->arena, "%s=%.*s", name, LC_FMT(value)));
}

static lc_str name_of(lc_str entry)
{
    return lc_str_sub(entry, 0, lc_str_find(entry, 0, '='));
}

/* Of equal names a program may take any, so there is one of each. */
static bool is_set(const lc_session *s, lc_str entry)
{
    const lc_session_options *o = &s->options;
    for (size_t i = 0; i < o->env_count; i++) {
        if (lc_str_eq(name_of(o->env[i]), name_of(entry)))
            return true;
    }
    return false;
}

static void add_own(lc_session *s, words *list)
{
    for (size_t i = 0; environ[i]; i++) {
        if (!is_set(s, lc_str_from_c(environ[i])))
            *LC_PUSH(s->arena, list, char *) = environ[i];
    }
}

static void add_few(lc_session *s, words *list)
{
    const char *path = getenv("PATH");
    const struct {
        const char *name;
        lc_str value;
    } few[] = {{"PATH", lc_str_from_c(path ? path : "/usr/local/bin:/usr/bin:/bin")},
               {"HOME", lc_str_printf(s->arena, "%.*s/home", LC_FMT(s->folder))},
               {"TMPDIR", lc_str_printf(s->arena, "%.*s/tmp", LC_FMT(s->folder))}};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        if (!is_set(s, lc_str_from_c(few[i].name)))
            add_variable(s, list, few[i].name, few[i].value);
    }
}

static void add_named(lc_session *s, words *list)
{
    const lc_session_options *o = &s->options;
    for (size_t i = 0; i < o->env_count; i++) {
        const char *name = lc_str_to_c(s->arena, name_of(o->env[i]));
        const char *ours = getenv(name);
        if (name_of(o->env[i]).len < o->env[i].len)
            add_word(s, list, o->env[i]);
        else if (ours)
            add_variable(s, list, name, lc_str_from_c(ours));
    }
}

/* Replaces the value of a variable that the user gave in logs. Shorter values would cut words
 * apart, and are not secrets. */
#define SHORTEST_SECRET 4

static lc_str value_of(const lc_session *s, lc_str entry)
{
    lc_str name = name_of(entry);
    const char *ours = name.len == entry.len ? getenv(lc_str_to_c(s->arena, name)) : NULL;
    return name.len < entry.len ? lc_str_sub(entry, name.len + 1, entry.len)
           : ours               ? lc_str_from_c(ours)
                                : LC_STR_EMPTY;
}

static void add_masked(lc_buf *out, lc_str text, lc_str value, lc_str name)
{
    for (size_t at = 0; at < text.len;) {
        if (lc_str_starts_with(lc_str_sub(text, at, text.len), value)) {
            lc_buf_printf(out, "($%.*s)", LC_FMT(name));
            at += value.len;
        } else {
            lc_buf_add_char(out, text.ptr[at++]);
        }
    }
}

lc_str lc_session_log(const lc_session *s, lc_arena *arena)
{
    lc_str text = s->process ? lc_buf_copy(arena, &s->process->tail) : LC_STR_EMPTY;
    for (size_t i = 0; i < s->options.env_count; i++) {
        lc_str entry = s->options.env[i], value = value_of(s, entry);
        lc_buf masked = {0};
        if (value.len < SHORTEST_SECRET || !lc_str_contains(text, value))
            continue;
        add_masked(&masked, text, value, name_of(entry));
        text = lc_buf_take(arena, &masked);
    }
    return text;
}

/* Providers in Go use the proxy that these name, for all but loopback addresses. */
static void add_gateway(lc_session *s, words *list)
{
    static const char *const names[] = {"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"};
    lc_str at = lc_str_printf(s->arena, "http://127.0.0.1:%u", (unsigned)s->gateway_port);
    for (size_t i = 0; s->gateway_port && i < sizeof names / sizeof *names; i++)
        add_variable(s, list, names[i], at);
}

static char **environment_of(lc_session *s)
{
    words list = {0};
    if (s->options.emptied)
        add_few(s, &list);
    else
        add_own(s, &list);
    add_named(s, &list);
    add_gateway(s, &list);
    *LC_PUSH(s->arena, &list, char *) = NULL;
    return list.items;
}

/* ---- Its folder. */

static bool make_folder(lc_session *s, const char *name, lc_str *why)
{
    lc_str path = lc_str_printf(s->arena, "%.*s/%s", LC_FMT(s->folder), name);
    if (mkdir(lc_str_to_c(s->arena, path), 0700) == 0)
        return true;
    *why = lc_str_printf(s->arena, "no folder at %.*s: %s", LC_FMT(path), strerror(errno));
    return false;
}

static bool make_folders(lc_session *s, lc_str *why)
{
    s->folder = lc_live_folder_new(s->arena, sizeof "/plugin4294967295", &s->folder_lock, why);
    return s->folder.len &&
           (!s->options.emptied || (make_folder(s, "home", why) && make_folder(s, "tmp", why))) &&
           (!s->options.guarded ||
            (make_folder(s, "view", why) && make_folder(s, "view/upper", why) &&
             make_folder(s, "view/work", why)));
}

/* ---- Its process. */

static void warn(const lc_session *s, const char *text)
{
    const lc_session_options *o = &s->options;
    if (o->on_event)
        o->on_event(o->context, LC_LIVE_WARNING, lc_str_from_c(text), LC_STR_EMPTY);
}

/* What is wrong with the file; NULL: nothing that can be seen. */
static const char *unusable(lc_session *s)
{
    struct stat info;
    const char *path = lc_str_to_c(s->arena, s->options.provider->binary);
    if (stat(path, &info) != 0)
        return errno == ENOENT ? "there is no such file; give the binary of the provider, as `go "
                                 "build` makes it"
                               : strerror(errno);
    if (S_ISDIR(info.st_mode))
        return "it is a folder; give the binary of the provider";
    return !S_ISREG(info.st_mode) || access(path, X_OK) != 0
               ? "this file cannot be executed; give the binary of the provider, or `chmod +x` it"
               : NULL;
}

/* Without a network it has its own loopback address, where it has to listen itself. Else we do.
 * False: *why. */
static bool prepare_gateway(lc_session *s, bool offline, int channel[2], lc_str *why)
{
    if (offline) {
        s->gateway_port = LC_GATEWAY_PORT;
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, channel) == 0) {
            fcntl(channel[0], F_SETFD, FD_CLOEXEC);
            fcntl(channel[1], F_SETFD, FD_CLOEXEC);
            return true;
        }
    } else {
        int listener = lc_gateway_listen(&s->gateway_port);
        if (listener >= 0)
            s->gateway = lc_gateway_new(s->arena, listener);
        if (listener >= 0)
            return true;
    }
    *why = lc_str_printf(s->arena, "no proxy can be made for it: %s", strerror(errno));
    return false;
}

static void take_gateway(lc_session *s, const int channel[2])
{
    if (channel[0] < 0)
        return;
    close(channel[1]);
    int listener = s->process ? lc_gateway_receive(channel[0]) : -1;
    if (listener >= 0)
        s->gateway = lc_gateway_new(s->arena, listener);
    close(channel[0]);
}

static bool launch(lc_session *s, lc_str *why)
{
    const char *mistake = unusable(s);
    if (mistake) {
        *why = lc_str_from_c(mistake);
        return false;
    }
    if (!make_folders(s, why))
        return false;
    bool offline = s->options.offline && lc_live_can_be_offline();
    if (s->options.offline && !offline)
        warn(s, LC_ON_LINUX ? "the provider can reach the network: this system does not allow "
                              "lifecheck to block it (user namespaces are not allowed here)"
                            : "the provider can reach the network: this system has no "
                              "namespaces; only the variables of a proxy that refuses all "
                              "requests are set");
    if (s->options.guarded && !lc_live_can_be_guarded())
        warn(s, "the provider can write files: this system does not allow lifecheck to prevent "
                "it (no Landlock)");
    char full[4096]; /* "." would remain the folder below its private view */
    const char *working =
        s->options.folder.len ? realpath(lc_str_to_c(s->arena, s->options.folder), full) : NULL;
    int channel[2] = {-1, -1};
    if (s->options.refused && !prepare_gateway(s, offline, channel, why))
        return false;
    lc_live_surroundings around = {.sockets = s->folder,
                                   .folder = working ? lc_str_from_c(working) : LC_STR_EMPTY,
                                   .environment = environment_of(s),
                                   .offline = offline,
                                   .own =
                                       s->options.guarded ? lc_str_to_c(s->arena, s->folder) : NULL,
                                   .working = working,
                                   .gateway = channel[1] > 0 ? channel[1] : 0};
    s->process = lc_live_process_start(s->options.provider, &around, why, s->arena);
    take_gateway(s, channel);
    return s->process != NULL;
}

static bool was_stopped(const lc_session *s, lc_str *why)
{
    if (s->interrupted || s->forced)
        *why = lc_session_signal_text(s->arena);
    return s->interrupted || s->forced;
}

static bool await_handshake(lc_session *s, lc_str *why)
{
    lc_live_process *p = s->process;
    while (!p->ready && !p->failed && !s->interrupted && !s->forced)
        lc_session_turn(s, INT64_MAX);
    if (was_stopped(s, why))
        return false;
    *why = p->why;
    s->protocol = p->ready ? p->handshake.protocol : 0;
    return p->ready;
}

/* ---- The connection. */

static bool dial(lc_session *s, lc_str *why)
{
    const lc_live_process *p = s->process;
    const lc_live_provider *provider = s->options.provider;
    bool tcp = p ? p->handshake.tcp : provider->tcp;
    lc_str address = p ? p->handshake.address : provider->dial;
    if (p && tcp && s->options.offline) {
        *why = lc_str_printf(s->arena,
                             "it listens at %.*s, and without a network only sockets of the file "
                             "system are dialled",
                             LC_FMT(address));
        return false;
    }
    s->fd = lc_live_dial(tcp, address);
    if (s->fd < 0)
        *why = lc_str_printf(s->arena, "it cannot be reached at %.*s: %.*s", LC_FMT(address),
                             LC_FMT(lc_live_error_text(s->arena, errno)));
    return s->fd >= 0;
}

/* It accepts connections before it can answer, and may be something else. */
static bool await_greeting(lc_session *s, lc_str *why)
{
    int64_t until = lc_live_now() + s->start_ms * 1000;
    while (!lc_http2_settings_received(s->http2) && !s->closed && !s->interrupted && !s->forced &&
           lc_live_now() < until)
        lc_session_turn(s, until);
    if (was_stopped(s, why))
        return false;
    if (s->closed)
        *why = lc_str_printf(s->arena, "it %.*s before it served", LC_FMT(s->end));
    else if (!lc_http2_settings_received(s->http2))
        *why = lc_str_printf(s->arena, "it accepted the connection, but sent nothing within %.*s",
                             LC_FMT(lc_live_time_text(s->arena, s->start_ms)));
    return !s->closed && lc_http2_settings_received(s->http2);
}

/* Its output after the handshake arrives over the connection; if we did not read it, the provider
 * would block once the pipe is full. */
static void drain_output(lc_session *s)
{
    s->output = (lc_http2_call){.path = LC_STR("/plugin.GRPCStdio/StreamStdio"),
                                .request = LC_STR_EMPTY,
                                .several = true,
                                .dropped = true,
                                .arena = s->arena};
    lc_http2_begin(s->http2, &s->output);
}

bool lc_session_start(lc_session *s, lc_str *why)
{
    rlim_t descriptors;
    if (!lc_live_take_descriptors(s->arena, 0, &descriptors, why))
        return false;
    s->http2 = lc_http2_open(&s->options.limits);
    if (!s->http2) {
        *why = LC_STR("this lifecheck was built without nghttp2, and cannot call a provider");
        return false;
    }
    s->protocol = s->options.provider->protocol;
    if (s->options.provider->binary.len && (!launch(s, why) || !await_handshake(s, why)))
        return false;
    if (!dial(s, why) || !await_greeting(s, why))
        return false;
    if (s->process)
        drain_output(s);
    return true;
}
