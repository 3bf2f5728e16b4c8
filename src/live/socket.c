/* Sockets. */
#define _GNU_SOURCE  /* the longest path of a socket differs between systems, and so do its flags  \
                      */
#include "live/internal.h"

#include "lifecheck/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 64

void lc_live_prepare(int fd)
{
    if (fd < 0)
        return;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* ---- Sockets. */

static bool unix_address(struct sockaddr_un *out, lc_str path)
{
    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    if (path.len >= sizeof out->sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out->sun_path, path.ptr, path.len);
    return true;
}

static int close_with(int fd, int error)
{
    close(fd);
    errno = error;
    return -1;
}

int lc_live_listen(lc_str path)
{
    struct sockaddr_un address;
    int fd = unix_address(&address, path) ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
    if (fd < 0)
        return -1;
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, BACKLOG) != 0)
        return close_with(fd, errno);
    lc_live_prepare(fd);
    return fd;
}

int lc_live_accept(int listener)
{
    int fd = accept(listener, NULL, NULL);
    lc_live_prepare(fd);
    return fd;
}

bool lc_live_hurry(int fd)
{
    const struct timeval second = {1, 0};
    return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) == 0 &&
           setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second) == 0 &&
           setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof second) == 0;
}

bool lc_live_send_all(int fd, lc_str text)
{
    for (size_t at = 0; at < text.len;) {
        ssize_t n = send(fd, text.ptr + at, text.len - at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static int dial_unix(lc_str path)
{
    struct sockaddr_un address;
    int fd = unix_address(&address, path) ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
    if (fd >= 0 && lc_live_hurry(fd) &&
        connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        return close_with(fd, errno);
    return fd;
}

static int dial_tcp(lc_str address)
{
    char host[256], port[16];
    size_t colon = address.len;
    struct addrinfo hints, *found = NULL;
    while (colon && address.ptr[colon - 1] != ':')
        colon--;
    if (colon < 2 || colon > sizeof host || address.len - colon >= sizeof port) {
        errno = EINVAL;
        return -1;
    }
    bool bracketed = address.ptr[0] == '['; /* an address of IPv6 */
    size_t from = bracketed, to = colon - 1 - (bracketed && address.ptr[colon - 2] == ']');
    memcpy(host, address.ptr + from, to - from);
    host[to - from] = '\0';
    memcpy(port, address.ptr + colon, address.len - colon);
    port[address.len - colon] = '\0';
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &hints, &found) != 0) {
        errno = EHOSTUNREACH;
        return -1;
    }
    int fd = -1;
    for (const struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd >= 0 && lc_live_hurry(fd) && connect(fd, a->ai_addr, a->ai_addrlen) != 0)
            fd = close_with(fd, errno);
    }
    freeaddrinfo(found);
    return fd;
}

int lc_live_dial(bool tcp, lc_str address)
{
    int fd = tcp ? dial_tcp(address) : dial_unix(address);
    lc_live_prepare(fd);
    return fd;
}
