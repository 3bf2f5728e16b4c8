/* Writing results. Whatever could not be written is told once and ends with its own status. */
#include "internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int fd, lc_str bytes)
{
    size_t at = 0;
    while (at < bytes.len) {
        ssize_t n = write(fd, bytes.ptr + at, bytes.len - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

void lc_sink_write(lc_sink *sink, lc_buf *bytes)
{
    if (!sink->failed && !write_all(sink->fd, lc_buf_str(bytes))) {
        lc_tell("%s cannot be written: %s", sink->name, strerror(errno));
        sink->failed = true;
    }
    lc_buf_clear(bytes);
}

lc_exit lc_print(lc_buf *bytes)
{
    lc_sink sink = {STDOUT_FILENO, "standard output", false};
    lc_sink_write(&sink, bytes);
    lc_buf_release(bytes);
    return sink.failed ? LC_EXIT_INTERNAL : LC_EXIT_OK;
}
