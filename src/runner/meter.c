/* The progress of a long run, in one line on a terminal, or as lines in a log. */
#include "lifecheck/runner/meter.h"
#include "lifecheck/base/buf.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MS        1000  /* until the line appears */
#define REDRAW_MS       100   /* between two drawings of it */
#define LOG_MS          30000 /* between two lines of a log */
#define ESTIMATED_AFTER 3     /* items; fewer say too little about the rest */
#define WIPE            "\r\033[K"

int64_t lc_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* CI systems may offer a terminal whose output only goes to a file, where a line that is drawn over
 * and over is noise. */
static bool is_watched(void)
{
    const char *term = getenv("TERM"), *ci = getenv("CI");
    bool in_ci = ci && *ci && strcmp(ci, "false") != 0 && strcmp(ci, "0") != 0;
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 && !in_ci;
}

lc_meter *lc_meter_start(lc_meter *meter, size_t total, const char *what)
{
    if (!is_watched())
        return NULL;
    *meter = (lc_meter){.total = total,
                        .what = what,
                        .started = lc_milliseconds(),
                        .beside_report = isatty(STDOUT_FILENO)};
    return meter;
}

lc_meter *lc_meter_start_long(lc_meter *meter, size_t total, const char *what)
{
    if (lc_meter_start(meter, total, what))
        return meter;
    *meter = (lc_meter){.total = total, .what = what, .started = lc_milliseconds(), .lines = true};
    return meter;
}

/* The progress is only a help, so a write that fails is not an error of the run. Signal handlers
 * call this, too. */
static void show(const char *bytes, size_t count)
{
    ssize_t written = write(STDERR_FILENO, bytes, count);
    (void)written;
}

/* ---- Signals that end the program while the line is there. */

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define SIGNAL_COUNT (sizeof ending_signals / sizeof ending_signals[0])

/* Ends as a program that does not catch the signal: SA_RESETHAND has restored the default
 * handler. */
static void on_end(int number)
{
    show(WIPE, sizeof WIPE - 1);
    raise(number);
}

/* A signal whose handler is not `from` keeps it: the user ignores it, or the command handles it. */
static void replace_handlers(void (*from)(int), void (*to)(int))
{
    struct sigaction action, former;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = to;
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        if (sigaction(ending_signals[i], NULL, &former) == 0 && former.sa_handler == from)
            sigaction(ending_signals[i], &action, NULL);
    }
}

/* ---- The line. */

static void add_count(lc_buf *out, uint64_t count, const char *what)
{
    if (count)
        lc_buf_printf(out, ", %llu %s%s", (unsigned long long)count, what, count == 1 ? "" : "s");
}

/* Assumes that each item of the rest takes as long as those that are done. */
static void add_rest(lc_buf *out, const lc_meter *meter, int64_t elapsed)
{
    if (meter->done < ESTIMATED_AFTER || meter->done >= meter->total)
        return;
    int64_t left = elapsed / 1000 * (int64_t)(meter->total - meter->done) / (int64_t)meter->done;
    if (left < 120)
        lc_buf_printf(out, ", about %lld s left", (long long)left);
    else
        lc_buf_printf(out, ", about %lld min left", (long long)((left + 30) / 60));
}

static void write_line(const lc_meter *meter, int64_t elapsed)
{
    lc_buf line = {0};
    lc_buf_printf(&line, "lifecheck: %s %zu of %zu, %llu finding%s, %lld s", meter->what,
                  meter->done, meter->total, (unsigned long long)meter->findings,
                  meter->findings == 1 ? "" : "s", (long long)(elapsed / 1000));
    add_rest(&line, meter, elapsed);
    lc_buf_add_char(&line, '\n');
    show(line.ptr, line.len);
    lc_buf_release(&line);
}

static void draw(lc_meter *meter, int64_t elapsed)
{
    lc_buf line = {0};
    lc_buf_printf(&line, WIPE "%zu of %zu %s%s", meter->done, meter->total, meter->what,
                  meter->total == 1 ? "" : "s");
    add_count(&line, meter->cases, "case");
    add_count(&line, meter->findings, "finding");
    if (meter->bytes >> 20)
        lc_buf_printf(&line, ", %llu MiB", (unsigned long long)(meter->bytes >> 20));
    lc_buf_printf(&line, ", %lld s", (long long)(elapsed / 1000));
    if (meter->findings || meter->cases == 0)
        add_rest(&line, meter, elapsed);
    lc_buf_add_char(&line, '\r');
    if (!meter->visible)
        replace_handlers(SIG_DFL, on_end);
    show(line.ptr, line.len);
    lc_buf_release(&line);
    meter->visible = true;
}

void lc_meter_tick(lc_meter *meter)
{
    if (!meter)
        return;
    int64_t elapsed = lc_milliseconds() - meter->started;
    if (elapsed < FIRST_MS || elapsed - meter->drawn < (meter->lines ? LOG_MS : REDRAW_MS))
        return;
    meter->drawn = elapsed;
    if (meter->lines)
        write_line(meter, elapsed);
    else
        draw(meter, elapsed);
}

void lc_meter_wipe(lc_meter *meter)
{
    if (!meter || !meter->visible)
        return;
    show(WIPE, sizeof WIPE - 1);
    replace_handlers(on_end, SIG_DFL);
    meter->visible = false;
}
