/* The process that serves: it listens at a socket for each provider, and one loop answers all
 * clients. */
#include "lifecheck/live/server.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/node.h"
#include "live/internal.h"
#include "live/server/http2.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_CONNECTIONS 1024
#define MOST_WORDS       ((size_t)16 << 20) /* bytes of what the process reports at its end */
#define FEW_FILES        64                 /* descriptors that are not connections */

struct lc_server {
    lc_str folder;
    int lock;
    pid_t pid;
    int control; /* our end: closed, it makes the process end; the process writes its words there */
};

/* ---- In the process. */

typedef struct serving {
    lc_arena *arena;
    const lc_server_hooks *hooks;
    lc_str folder; /* of the sockets */
    lc_server_side *sides;
    int *listeners;
    size_t count; /* of providers */
    lc_server_connection *connections[MOST_CONNECTIONS];
    struct pollfd *polled; /* control, listeners, connections */
    int control;
    size_t most; /* connections that there are descriptors for */
} serving;

static void accept_one(serving *s, size_t provider)
{
    size_t i = 0;
    while (i < s->most && s->connections[i])
        i++;
    int fd = i < s->most ? lc_live_accept(s->listeners[provider]) : -1;
    if (fd >= 0)
        s->connections[i] = lc_server_connection_new(fd, &s->sides[provider]);
}

static void watch(serving *s)
{
    bool room = false;
    for (size_t i = 0; i < s->most; i++) {
        lc_server_connection *c = s->connections[i];
        struct pollfd *p = &s->polled[1 + s->count + i];
        room |= !c;
        *p = c ? (struct pollfd){.fd = lc_server_connection_fd(c),
                                 .events = lc_server_connection_wants(c)}
               : (struct pollfd){.fd = -1};
    }
    for (size_t i = 0; i < s->count; i++)
        s->polled[1 + i] = (struct pollfd){.fd = room ? s->listeners[i] : -1, .events = POLLIN};
    s->polled[0] = (struct pollfd){.fd = s->control, .events = POLLIN};
}

/* False: the caller has closed its end, or is gone. */
static bool turn(serving *s)
{
    watch(s);
    if (poll(s->polled, (nfds_t)(1 + s->count + s->most), -1) < 0)
        return errno == EINTR;
    for (size_t i = 0; i < s->most; i++) {
        short events = s->polled[1 + s->count + i].revents;
        if (events && !lc_server_connection_work(s->connections[i], events)) {
            lc_server_connection_free(s->connections[i]);
            s->connections[i] = NULL;
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->polled[1 + i].revents & POLLIN)
            accept_one(s, i);
    }
    return s->polled[0].revents == 0;
}

/* The caller may be gone, so the folder is removed here. */
_Noreturn static void end(serving *s)
{
    lc_live_folder_remove(s->arena, s->folder, -1);
    _exit(0);
}

_Noreturn static void serve(serving *s)
{
    lc_buf words = {0};
    static const int ignored[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    while (turn(s))
        continue;
    s->hooks->end(s->hooks->context, &words);
    fcntl(s->control, F_SETFL, fcntl(s->control, F_GETFL) & ~O_NONBLOCK);
    lc_live_send_all(s->control, lc_buf_str(&words));
    lc_buf_release(&words);
    end(s);
}

/* ---- In the caller. */

static bool listen_all(serving *s, lc_live_providers *providers, lc_server *server, lc_str *why)
{
    for (size_t i = 0; i < s->count; i++) {
        lc_live_provider *p = &providers->list.items[i];
        p->dial = lc_str_printf(s->arena, "%.*s/serve%zu", LC_FMT(server->folder), i);
        s->sides[i].provider = i;
        s->listeners[i] = lc_live_listen(p->dial);
        if (s->listeners[i] < 0) {
            *why = lc_str_printf(s->arena, "no socket at %.*s: %.*s", LC_FMT(p->dial),
                                 LC_FMT(lc_live_error_text(s->arena, errno)));
            return false;
        }
    }
    return true;
}

static bool start(serving *s, lc_server *server, lc_str *why)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        *why = lc_live_error_text(s->arena, errno);
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    server->pid = fork();
    if (server->pid == 0) {
        close(ends[0]);
        if (server->lock >= 0)
            close(server->lock);
        s->control = ends[1];
        if (getppid() != parent)
            end(s);
        serve(s);
    }
    close(ends[1]);
    server->control = ends[0];
    if (server->pid > 0)
        return true;
    *why = lc_live_fork_error_text(s->arena, errno);
    return false;
}

static void close_listeners(serving *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->listeners[i] >= 0)
            close(s->listeners[i]);
    }
}

lc_server *lc_server_start(lc_arena *arena, lc_live_providers *providers,
                           const lc_server_hooks *hooks, const lc_limits *limits, lc_str *why)
{
    size_t count = providers->list.count;
    lc_server *server = LC_NEW(arena, lc_server);
    serving *s = LC_NEW(arena, serving);
    sigset_t all, mask;
    rlim_t have;
    *server = (lc_server){.control = -1, .lock = -1};
    *s = (serving){.arena = arena, .hooks = hooks, .count = count, .most = MOST_CONNECTIONS};
    s->sides = LC_NEW_ARRAY(arena, lc_server_side, count + 1);
    s->listeners = LC_NEW_ARRAY(arena, int, count + 1);
    s->polled = LC_NEW_ARRAY(arena, struct pollfd, 1 + count + MOST_CONNECTIONS);
    for (size_t i = 0; i < count; i++) {
        s->listeners[i] = -1;
        s->sides[i] = (lc_server_side){.hooks = hooks, .message_limit = limits->input_bytes};
    }
    if (!lc_live_take_descriptors(arena, FEW_FILES + 2 * count, &have, why))
        return NULL;
    if (have < MOST_CONNECTIONS + FEW_FILES + count)
        s->most = (size_t)have - FEW_FILES / 2 - count;
    /* From here on there is something to remove, which the process does. */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    server->folder = lc_live_folder_new(arena, sizeof "/serve4294967295", &server->lock, why);
    s->folder = server->folder;
    bool ok = server->folder.len && listen_all(s, providers, server, why) && start(s, server, why);
    close_listeners(s);
    if (!ok)
        lc_live_folder_remove(arena, server->folder, server->lock);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return ok ? server : NULL;
}

lc_str lc_server_end(lc_server *server, lc_arena *arena, lc_str *why)
{
    lc_str words = LC_STR_EMPTY;
    lc_diags diags;
    int status = 0;
    lc_diags_init(&diags, arena);
    shutdown(server->control, SHUT_WR);
    if (lc_fd_read(&words, arena, server->control, LC_STR("the process that serves"), MOST_WORDS,
                   &diags) != LC_OK)
        words = LC_STR_EMPTY;
    close(server->control);
    while (waitpid(server->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    *why = status ? lc_live_status_text(arena, status) : LC_STR_EMPTY;
    lc_live_folder_remove(arena, server->folder, server->lock);
    return words;
}
