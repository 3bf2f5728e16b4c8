#include "plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define COOKIE "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"

const char *plugin_setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

static void read_settings(const char *program)
{
    char line[4096];
    FILE *file;
    if (snprintf(line, sizeof line, "%s.env", program) >= (int)sizeof line ||
        !(file = fopen(line, "r")))
        return;
    while (fgets(line, sizeof line, file)) {
        char *value = strchr(line, '=');
        line[strcspn(line, "\n")] = '\0';
        if (value) {
            *value = '\0';
            setenv(line, value + 1, 0);
        }
    }
    fclose(file);
}

void plugin_begin(plugin *p, const char *program)
{
    const char *cookie = getenv("TF_PLUGIN_MAGIC_COOKIE");
    if (!cookie || strcmp(cookie, COOKIE) != 0) {
        fputs("This binary is a plugin. These are not meant to be executed directly.\n"
              "Please execute the program that consumes these plugins, which will\n"
              "load any plugins automatically\n",
              stderr);
        exit(1);
    }
    read_settings(program);
    signal(SIGINT, SIG_IGN); /* as go-plugin: the terminal's Ctrl-C is for the client */
    const char *log = plugin_setting("PEER_LOG", NULL);
    p->log = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    plugin_say(p, "start", "", "");
}

void plugin_faults(bool *faults, const char *const *words)
{
    char text[4096], *rest = NULL;
    snprintf(text, sizeof text, "%s", plugin_setting("FAULT", ""));
    for (char *word = strtok_r(text, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        size_t at;
        if (!lc_str_is_one_of(lc_str_from_c(word), words, &at)) {
            fprintf(stderr, "unknown FAULT %s\n", word);
            _exit(4);
        }
        faults[at] = true;
    }
}

void plugin_say(const plugin *p, const char *what, const char *more, const char *how)
{
    char line[256];
    int n = snprintf(line, sizeof line, "%ld %s%s%s%s%s\n", (long)getpid(), what, *more ? " " : "",
                     more, *how ? " " : "", how);
    if (p->log >= 0 && n > 0 && write(p->log, line, (size_t)n) < 0)
        _exit(4);
}

_Noreturn void plugin_leave(const plugin *p, int status)
{
    if (*p->path)
        unlink(p->path);
    _exit(status);
}

_Noreturn void plugin_panic(const char *where)
{
    fprintf(stderr,
            "panic: runtime error: invalid memory address or nil pointer dereference\n\n"
            "goroutine 1 [running]:\nmain.%s({0xc000123456, 0x5})\n"
            "\t/home/builder/plugin/main.go:42 +0x1d\n",
            where);
    for (int i = 2; i < 30; i++)
        fprintf(stderr, "\ngoroutine %d [select]:\nmain.wait(...)\n", i);
    _exit(2);
}

int plugin_listen(plugin *p)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int n = snprintf(p->path, sizeof p->path, "%s/plugin%ld",
                     plugin_setting("PLUGIN_UNIX_SOCKET_DIR", plugin_setting("TMPDIR", "/tmp")),
                     (long)getpid());
    memcpy(local.sun_path, p->path, sizeof local.sun_path - 1);
    unlink(p->path); /* of an earlier process with this id */
    if (fd < 0 || n >= (int)sizeof local.sun_path ||
        bind(fd, (struct sockaddr *)&local, sizeof local) != 0 || listen(fd, 64) != 0) {
        fprintf(stderr, "%s: cannot listen: %s\n", p->path, strerror(errno));
        _exit(4);
    }
    return fd;
}

void plugin_handshake(const plugin *p, int protocol)
{
    fprintf(stderr, "{\"@level\":\"debug\",\"@message\":\"plugin address\",\"address\":\"%s\"}\n",
            p->path);
    printf("1|%d|unix|%s|grpc|\n", protocol, p->path);
    fflush(stdout);
}

static void accept_one(plugin *p, int listener)
{
    int fd = accept(listener, NULL, NULL);
    size_t i = 0;
    while (i < PLUGIN_CONNECTIONS && p->connections[i])
        i++;
    if (fd < 0 || i == PLUGIN_CONNECTIONS) {
        if (fd >= 0)
            close(fd);
        return;
    }
    plugin_say(p, "connection", "", "");
    if (p->greets && !p->greets(p->user, fd))
        return;
    p->connections[i] = h2_open(fd, true, p->events);
    p->connections[i]->user = p->user;
}

static void serve_one(plugin *p, size_t i, short events)
{
    h2_connection *connection = p->connections[i];
    bool on = !(events & (POLLIN | POLLHUP | POLLERR)) || h2_read(connection);
    on = (p->stop || h2_write(connection)) && on;
    if (p->die)
        raise(SIGKILL);
    if (!on) {
        p->connections[i] = NULL;
        h2_close(connection);
    }
}

void plugin_serve(plugin *p, int listener)
{
    while (!p->stop) {
        struct pollfd polled[1 + PLUGIN_CONNECTIONS] = {{.fd = listener, .events = POLLIN}};
        int timeout = p->due(p->user);
        nfds_t count = 1; /* no more than there may be descriptors */
        for (size_t i = 0; i < PLUGIN_CONNECTIONS; i++) {
            count = p->connections[i] ? 2 + i : count;
            polled[1 + i] = p->connections[i] && !p->deaf
                                ? (struct pollfd){.fd = p->connections[i]->fd,
                                                  .events = h2_wants(p->connections[i])}
                                : (struct pollfd){.fd = -1};
        }
        if (poll(polled, count, timeout) < 0 && errno != EINTR)
            return;
        for (size_t i = 0; i < PLUGIN_CONNECTIONS && !p->stop; i++)
            if (p->connections[i] && polled[1 + i].revents && !p->deaf)
                serve_one(p, i, polled[1 + i].revents);
        if (polled[0].revents)
            accept_one(p, listener);
    }
}
