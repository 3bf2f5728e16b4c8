/* How far a long run has come, in one line on a terminal.
 *
 * It goes to standard error if that is a terminal and a person looks at it, appears after a second,
 * and is wiped before anything else is written there and at the end. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MS 1000 /* until the line appears */
#define EACH_MS  100  /* between two of them */
#define WIPE     "\r\033[K"

int64_t lc_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What CI systems call a terminal is a file to be read later. */
static bool is_watched(void)
{
    const char *term = getenv("TERM"), *ci = getenv("CI");
    bool in_ci = ci && *ci && strcmp(ci, "false") != 0 && strcmp(ci, "0") != 0;
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 && !in_ci;
}

lc_meter *lc_meter_start(lc_meter *meter, const lc_cli *cli, size_t files)
{
    if (lc_cli_has(cli, LC_OPTION_QUIET) || !is_watched())
        return NULL;
    *meter = (lc_meter){
        .files = files, .started = lc_milliseconds(), .beside_report = isatty(STDOUT_FILENO)};
    return meter;
}

static void add_count(lc_buf *out, uint64_t count, const char *what)
{
    if (count)
        lc_buf_printf(out, ", %llu %s%s", (unsigned long long)count, what, count == 1 ? "" : "s");
}

static void draw(lc_meter *meter, int64_t elapsed)
{
    lc_buf line = {0};
    lc_buf_printf(&line, WIPE "%zu of %zu file%s", meter->done, meter->files,
                  meter->files == 1 ? "" : "s");
    add_count(&line, meter->cases, "case");
    if (meter->bytes >> 20)
        lc_buf_printf(&line, ", %llu MiB", (unsigned long long)(meter->bytes >> 20));
    lc_buf_printf(&line, ", %lld s\r", (long long)(elapsed / 1000));
    ssize_t written = write(STDERR_FILENO, line.ptr, line.len);
    (void)written;
    lc_buf_release(&line);
    meter->visible = true;
}

void lc_meter_tick(lc_meter *meter)
{
    if (!meter)
        return;
    int64_t elapsed = lc_milliseconds() - meter->started;
    if (elapsed < FIRST_MS || elapsed - meter->drawn < EACH_MS)
        return;
    meter->drawn = elapsed;
    draw(meter, elapsed);
}

void lc_meter_wipe(lc_meter *meter)
{
    if (!meter || !meter->visible)
        return;
    ssize_t written = write(STDERR_FILENO, WIPE, sizeof WIPE - 1);
    (void)written;
    meter->visible = false;
}
