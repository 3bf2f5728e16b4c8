/* Recorded calls, judged as they come: streams, folders of data files, plans and
 * states. */
#include "lifecheck/base/arena.h"
#include "runner/internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE     ((size_t)256 << 10)
#define MOST_HELD ((size_t)8 << 20)
#define TAIL      ((size_t)8 << 20) /* bytes in which addresses are looked for at first */

typedef struct stream_check {
    lc_outcome *out;
    lc_checker *checker;
    bool as_it_comes; /* findings are shown before the pipe ends */
    bool stopped;
    const lc_stream *stream; /* a recording that is judged as its client; NULL: another input */
    lc_recorded_policy own;  /* for it */
} stream_check;

/* The findings of a file are kept until its errors are known, up to a limit of memory. */
static bool holds_much(const lc_outcome *out)
{
    size_t held = 0;
    for (size_t i = 0; i < LC_MAX_REPORTS; i++)
        held += out->cases[i].len;
    return held > MOST_HELD;
}

static void take_case(void *context, lc_scenario *scenario)
{
    stream_check *c = context;
    if (c->stopped)
        return;
    if (c->stream)
        lc_checker_take_client(c->checker, &c->own, lc_stream_recording(c->stream));
    lc_check_case(c->out, c->checker, scenario);
    lc_meter_tick(c->checker->meter);
    if ((c->as_it_comes || holds_much(c->out)) && c->checker->progress &&
        !c->checker->progress(c->checker->progress_context, c->out))
        c->stopped = true;
}

/* True: the pipe has no data now, so a read would block. */
static bool has_to_wait(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return poll(&wanted, 1, 0) == 0;
}

static void read_all(lc_stream *stream, const stream_check *c, int fd, lc_arena *arena, lc_str file,
                     lc_diags *diags)
{
    char *bytes = lc_arena_alloc(arena, PIECE);
    while (!c->stopped) {
        if (has_to_wait(fd))
            lc_stream_show(stream);
        ssize_t n = lc_fd_some(fd, bytes, PIECE);
        if (n < 0)
            lc_diag_error(diags, (lc_loc){file, 0, 0}, "cannot be read: %s",
                          lc_read_problem(errno));
        if (n <= 0)
            return;
        lc_stream_bytes(stream, (lc_str){bytes, (size_t)n});
        if (c->checker->meter)
            c->checker->meter->bytes += (size_t)n;
        lc_meter_tick(c->checker->meter);
    }
}

/* A recording has the addresses of its calls at its end. */
static void read_addresses(lc_stream *stream, int fd)
{
    struct stat s;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size <= 0)
        return;
    size_t size = (size_t)s.st_size, count = size < TAIL ? size : TAIL, got = 0;
    lc_arena *arena = lc_arena_new();
    char *bytes = lc_arena_alloc(arena, count);
    while (got < count) {
        ssize_t n = pread(fd, bytes + got, count - got, (off_t)(size - count + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    lc_stream_addresses(stream, (lc_str){bytes, got});
    lc_arena_free(arena);
}

void lc_check_stream(lc_outcome *out, lc_checker *checker, lc_str file, int fd, lc_str head,
                     lc_arena *arena, lc_diags *diags)
{
    stream_check c = {.out = out, .checker = checker, .as_it_comes = lc_reads_once(fd)};
    const lc_policy *policy = checker->policy;
    lc_stream *stream = lc_stream_open(arena, &checker->store, file, diags, take_case, &c);
    if (policy && policy->as_recorded)
        c.stream = stream;
    for (size_t i = 0; i < checker->capture.schema_count; i++) {
        lc_str path = checker->capture.schemas[i];
        lc_schema_doc *doc = lc_schema_store_add(&checker->store, path, diags);
        if (doc)
            lc_stream_schema(stream, doc);
    }
    if (!c.as_it_comes) {
        read_addresses(stream, fd);
        lc_stream_beside(stream, lc_file_folder(file), checker->capture.used);
    }
    if (checker->capture.log.len)
        lc_stream_log(stream, checker->capture.log, checker->capture.used);
    lc_stream_bytes(stream, head);
    read_all(stream, &c, fd, arena, file, diags);
    if (checker->capture.declares)
        lc_stream_types(stream, checker->capture.declares, checker->capture.declares_context);
    if (checker->capture.about)
        checker->capture.about(checker->capture.about_context, lc_stream_recording(stream));
    lc_outcome_origin(out, checker, file, lc_stream_recording(stream));
    lc_stream_stats stats = lc_stream_end(stream);
    if (c.stream)
        lc_checker_name_client(checker, out, file, diags);
    checker->policy = policy;
    if (diags->errors && stats.methods == 0)
        return; /* the first line was reported */
    if (checker->input == LC_INPUT_CALLS && stats.methods == 0)
        lc_diag_error(diags, (lc_loc){file, 1, 1},
                      "no line of this is a recorded call; is it the right file?");
    else if (stats.foreign)
        lc_diag_warning(diags, (lc_loc){file, 0, 0}, "%llu line%s held no recorded call",
                        (unsigned long long)stats.foreign, stats.foreign == 1 ? "" : "s");
}

void lc_check_capture(lc_outcome *out, lc_checker *checker, lc_str folder, lc_arena *arena,
                      lc_diags *diags)
{
    stream_check c = {.out = out, .checker = checker};
    out->kind = LC_INPUT_CAPTURE;
    out->opened = true;
    lc_capture_read(arena, &checker->store, folder, &checker->capture, diags, take_case, &c);
}

void lc_check_log(lc_outcome *out, lc_checker *checker, lc_str file, lc_str text, lc_arena *arena,
                  lc_diags *diags)
{
    stream_check c = {.out = out, .checker = checker};
    lc_log_alone_read(arena, &checker->store, file, text, &checker->capture, diags, take_case, &c);
}

void lc_check_json(lc_outcome *out, lc_checker *checker, lc_json_kind kind, lc_str file,
                   lc_str text, lc_arena *arena, lc_diags *diags)
{
    stream_check c = {.out = out, .checker = checker};
    lc_json_evidence_read(kind, arena, &checker->store, file, text, &checker->capture, diags,
                          take_case, &c);
}
