/* The proxy that a provider without a network finds: it refuses every connection at once, and knows
 * to which host it was meant. Names that do not resolve are errors that providers try again for
 * minutes; a refusal of a proxy is final. Only what is asked of the proxy is read, never more than
 * a line, and nothing is passed on. */
#define _GNU_SOURCE /* memmem */
#include "live/session/gateway.h"
#include "live/internal.h"

#include "lifecheck/base/arena.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REQUEST_BYTES 4096

/* A connection whose request has not come yet. */
typedef struct caller {
    int fd; /* -1: free */
    size_t length;
    char request[REQUEST_BYTES];
} caller;

struct lc_gateway {
    int listener;
    lc_buf first; /* the first host since the last question */
    size_t count;
    caller callers[LC_GATEWAY_CALLERS];
};

int lc_gateway_listen(uint16_t *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t length = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    lc_live_prepare(fd);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 64) == 0 &&
        getsockname(fd, (struct sockaddr *)&at, &length) == 0) {
        *port = ntohs(at.sin_port);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

lc_gateway *lc_gateway_new(lc_arena *arena, int listener)
{
    lc_gateway *g = LC_NEW(arena, lc_gateway);
    g->listener = listener;
    for (size_t i = 0; i < LC_GATEWAY_CALLERS; i++)
        g->callers[i].fd = -1;
    return g;
}

static void end_caller(caller *c)
{
    close(c->fd);
    c->fd = -1;
    c->length = 0;
}

void lc_gateway_free(lc_gateway *g)
{
    if (!g)
        return;
    close(g->listener);
    for (size_t i = 0; i < LC_GATEWAY_CALLERS; i++) {
        if (g->callers[i].fd >= 0)
            end_caller(&g->callers[i]);
    }
    lc_buf_release(&g->first);
}

/* The host of `CONNECT HOST:PORT HTTP/1.1` or `GET http://HOST/PATH HTTP/1.1`: paths and arguments
 * may hold secrets. */
static lc_str host_of(lc_str request)
{
    size_t from = lc_str_find(request, 0, ' ');
    lc_str target = lc_str_sub(request, from < request.len ? from + 1 : from, request.len);
    target = lc_str_sub(target, 0, lc_str_find(target, 0, ' '));
    for (size_t i = 0; i + 3 <= target.len; i++) {
        if (memcmp(target.ptr + i, "://", 3) == 0) {
            target = lc_str_sub(target, i + 3, target.len);
            break;
        }
    }
    target = lc_str_sub(target, 0, lc_str_find(target, 0, '/'));
    size_t user = lc_str_find(target, 0, '@');
    return user < target.len ? lc_str_sub(target, user + 1, target.len) : target;
}

static void refuse(lc_gateway *g, caller *c)
{
    static const char answer[] =
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    lc_str host = host_of((lc_str){c->request, c->length});
    if (!g->count++)
        lc_buf_add_str(&g->first, host.len ? host : LC_STR("a host"));
    ssize_t n = send(c->fd, answer, sizeof answer - 1, MSG_NOSIGNAL);
    (void)n; /* a client that closes early has learned the same */
    end_caller(c);
}

static void read_request(lc_gateway *g, caller *c)
{
    ssize_t n = recv(c->fd, c->request + c->length, REQUEST_BYTES - c->length, 0);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        end_caller(c);
        return;
    }
    c->length += (size_t)n;
    if (c->length == REQUEST_BYTES || memmem(c->request, c->length, "\r\n\r\n", 4))
        refuse(g, c);
}

static void accept_callers(lc_gateway *g)
{
    for (size_t i = 0; i < LC_GATEWAY_CALLERS; i++) {
        if (g->callers[i].fd >= 0)
            continue;
        g->callers[i].fd = lc_live_accept(g->listener);
        if (g->callers[i].fd < 0)
            return;
    }
}

size_t lc_gateway_watch(const lc_gateway *g, struct pollfd *out)
{
    size_t count = 0, callers = 0;
    for (size_t i = 0; g && i < LC_GATEWAY_CALLERS; i++) {
        callers += g->callers[i].fd >= 0;
        if (g->callers[i].fd >= 0)
            out[count++] = (struct pollfd){.fd = g->callers[i].fd, .events = POLLIN};
    }
    if (g && callers < LC_GATEWAY_CALLERS)
        out[count++] = (struct pollfd){.fd = g->listener, .events = POLLIN};
    return count;
}

void lc_gateway_work(lc_gateway *g)
{
    if (!g)
        return;
    accept_callers(g);
    for (size_t i = 0; i < LC_GATEWAY_CALLERS; i++) {
        if (g->callers[i].fd >= 0)
            read_request(g, &g->callers[i]);
    }
}

lc_str lc_gateway_take(lc_gateway *g, lc_arena *arena)
{
    if (!g || !g->count)
        return LC_STR_EMPTY;
    lc_str host = lc_buf_copy(arena, &g->first);
    g->count = 0;
    g->first.len = 0;
    return host;
}

/* ---- A listener of another process. */

bool lc_gateway_send(int channel, int listener)
{
    char byte = 0;
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof listener);
    memcpy(CMSG_DATA(head), &listener, sizeof listener);
    return sendmsg(channel, &message, MSG_NOSIGNAL) == 1;
}

int lc_gateway_receive(int channel)
{
    char byte;
    int listener = -1;
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t n;
    do {
        n = recvmsg(channel, &message, 0);
    } while (n < 0 && errno == EINTR);
    const struct cmsghdr *head = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof listener))
        memcpy(&listener, CMSG_DATA(head), sizeof listener);
    lc_live_prepare(listener);
    return listener;
}
