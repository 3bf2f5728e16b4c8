/* Judges one item: recognises its kind and calls the reader. Runs in the main process and in
 * workers. */
#include "lifecheck/base/arena.h"
#include "runner/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD ((size_t)64 << 10) /* bytes that show the kind of a file */

static void judge_all(lc_outcome *out, lc_checker *checker, const lc_scenario_file *file,
                      lc_arena *arena, lc_diags *diags)
{
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    for (size_t i = 0; i < file->scenarios.count; i++) {
        lc_scenario *scenario = file->scenarios.items[i];
        out->has_cases = true;
        if (scenario && checker->replace)
            scenario = checker->replace(checker->replace_context, scenario, arena, diags);
        if (scenario)
            lc_check_case_in(out, checker, scenario, report, scratch);
    }
    lc_arena_free(report);
    lc_arena_free(scratch);
}

/* ---- Lines that reports may show. */

static bool any_case_has_secrets(const lc_scenario_file *file, bool *all)
{
    bool any = false;
    *all = file->scenarios.count > 0;
    for (size_t i = 0; i < file->scenarios.count; i++) {
        const lc_scenario *scenario = file->scenarios.items[i];
        *all &= scenario != NULL;
        any |= scenario && lc_case_may_hold_secrets(&scenario->subject);
    }
    return any;
}

/* If a case could not be read, only its source can show whether something in it is secret. A schema
 * document of its own may do so as well. */
static bool text_names_secrets(lc_str text)
{
    static const char *const words[] = {"sensitive", "write_only", "writeOnly", "private",
                                        "ephemeral", "file:",      "file\"",    "loudformation"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lc_str_contains(text, lc_str_from_c(words[i])))
            return true;
    }
    return !lc_str_contains(text, LC_STR("lifecheck"));
}

static void let_quote(lc_outcome *out, const lc_scenario_file *file, lc_str text, lc_arena *arena,
                      const lc_diags *diags)
{
    bool all, secrets = any_case_has_secrets(file, &all);
    if (out->reads_once)
        return;
    bool unknown = (diags->count || !all) && text_names_secrets(text);
    out->findings_in = lc_quotable_new(arena, file->file, text, secrets || (!all && unknown));
    out->errors_in = lc_quotable_new(arena, file->file, text, secrets || unknown);
}

/* A file that was read as a whole. */
static void check_text(lc_outcome *out, lc_checker *checker, const lc_item *item, lc_str text,
                       lc_arena *arena, lc_diags *diags)
{
    lc_scenario_file file;
    memset(&file, 0, sizeof file);
    switch (out->kind) {
    case LC_INPUT_PLAN:
    case LC_INPUT_STATE:
        lc_check_json(out, checker, out->kind == LC_INPUT_PLAN ? LC_JSON_PLAN : LC_JSON_STATE,
                      item->file, text, arena, diags);
        return;
    case LC_INPUT_LOG:
        lc_check_log(out, checker, item->file, text, arena, diags);
        return;
    case LC_INPUT_CAPTURE:
        lc_diag_error(diags, (lc_loc){item->file, 0, 0},
                      "a capture directory is a folder, not a file: leave out --input, or name "
                      "the folder");
        return;
    case LC_INPUT_UNKNOWN:
    case LC_INPUT_SCENARIOS:
    case LC_INPUT_CALLS:
        break;
    }
    lc_scenario_text_read(&file, arena, &checker->store, item->file, text, item->only, diags);
    let_quote(out, &file, text, arena, diags);
    judge_all(out, checker, &file, arena, diags);
}

bool lc_reads_once(int fd)
{
    struct stat info;
    return fd == STDIN_FILENO || (fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode));
}

static bool read_text(lc_str *out, lc_checker *checker, const lc_item *item, int fd, lc_str head,
                      bool all, lc_arena *arena, lc_diags *diags)
{
    lc_str rest;
    lc_buf whole = {0};
    *out = head;
    if (all && head.len <= checker->limits.input_bytes)
        return true;
    if (!lc_reads_once(fd))
        return lc_file_read(out, arena, item->file, checker->limits.input_bytes, diags) == LC_OK;
    if (lc_fd_read(&rest, arena, fd, item->file, checker->limits.input_bytes, diags) != LC_OK)
        return false;
    lc_buf_add_str(&whole, head);
    lc_buf_add_str(&whole, rest);
    *out = lc_buf_copy(arena, &whole);
    lc_buf_release(&whole);
    return true;
}

/* The kind is that of --input, otherwise that of the file's beginning. The first line of a pipe
 * is enough to recognise a stream of calls, which is judged as it arrives; every other kind is
 * read to its end. */
static lc_input_kind kind_of(const lc_checker *checker, const lc_item *item, lc_str text)
{
    if (checker->input != LC_INPUT_UNKNOWN)
        return checker->input;
    lc_input_kind kind = lc_input_detect(lc_str_sub(text, 0, text.len < HEAD ? text.len : HEAD));
    return kind == LC_INPUT_CALLS && item->only.len ? LC_INPUT_UNKNOWN : kind;
}

/* --input calls of a file that is recognised as another kind. */
static bool is_no_stream(const lc_checker *checker, lc_str file, lc_str head, lc_diags *diags)
{
    lc_input_kind kind = lc_input_detect(head);
    if (checker->input != LC_INPUT_CALLS || kind == LC_INPUT_UNKNOWN || kind == LC_INPUT_CALLS)
        return false;
    lc_diag_error(diags, (lc_loc){file, 1, 1},
                  "this is not a stream of recorded calls but %s: leave out --input",
                  lc_input_describe(kind));
    return true;
}

static void check_open(lc_outcome *out, lc_checker *checker, const lc_item *item, int fd,
                       lc_arena *arena, lc_diags *diags)
{
    bool all;
    lc_str text, head;
    bool read = lc_fd_head(&head, lc_arena_alloc(arena, HEAD), HEAD, fd, lc_reads_once(fd), &all);
    if (!read && errno == ETIMEDOUT) {
        lc_diag_error(diags, (lc_loc){item->file, 0, 0}, "cannot be read: %s",
                      lc_read_problem(errno));
        return;
    }
    out->opened = true;
    out->reads_once = lc_reads_once(fd);
    out->kind = kind_of(checker, item, head);
    if (out->kind == LC_INPUT_CALLS && is_no_stream(checker, item->file, head, diags))
        return;
    if (out->kind == LC_INPUT_CALLS) {
        lc_fd_await(fd);
        lc_check_stream(out, checker, item->file, fd, head, arena, diags);
    } else if (read_text(&text, checker, item, fd, head, all, arena, diags)) {
        out->kind = kind_of(checker, item, text);
        if (out->kind == LC_INPUT_CALLS) /* an empty first line may come before it */
            out->kind = LC_INPUT_UNKNOWN;
        check_text(out, checker, item, text, arena, diags);
    }
}

static void check_file(lc_outcome *out, lc_checker *checker, const lc_item *item, lc_arena *arena,
                       lc_diags *diags)
{
    bool standard = lc_str_is(item->file, "-");
    int fd = standard ? STDIN_FILENO : lc_file_open(lc_str_to_c(arena, item->file));
    if (fd < 0) {
        lc_diag_error(diags, (lc_loc){item->file, 0, 0}, "cannot be read: %s",
                      lc_read_problem(errno));
        return;
    }
    check_open(out, checker, item, fd, arena, diags);
    if (!standard)
        close(fd);
}

static void pass_over(lc_outcome *out, const lc_item *item, lc_diags *diags)
{
    out->kind = LC_INPUT_CAPTURE;
    out->opened = true;
    lc_diag_warning(diags, (lc_loc){item->file, 0, 0},
                    "the calls of this run are also in %.*s, which has more than the data files: "
                    "they are checked there",
                    LC_FMT(item->repeats));
}

/* Every input that is passed over is reported. A recording in a folder may be of a run without any
 * object. */
static void require_cases(const lc_outcome *out, const lc_checker *checker, const lc_item *item,
                          lc_diags *diags)
{
    lc_loc at = {item->file, 0, 0};
    if (out->has_cases || diags->count || (checker->policy && checker->policy->allow_empty))
        return;
    if (item->found)
        lc_diag_warning(diags, at, "nothing in it can be checked");
    else
        lc_diag_error(diags, at, "nothing in it can be checked%s",
                      checker->empty_advice ? checker->empty_advice : "");
}

void lc_check_item(lc_outcome *out, lc_checker *checker, const lc_item *item)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    memset(out, 0, sizeof *out);
    lc_diags_init(&diags, arena);
    out->repeats = lc_repeats_new();
    if (item->problem.len)
        lc_diag_error(&diags, (lc_loc){item->file, 0, 0}, "%.*s", LC_FMT(item->problem));
    else if (item->repeats.len)
        pass_over(out, item, &diags);
    else if (lc_is_folder(arena, item->file)) /* a walk returns only capture directories */
        lc_check_capture(out, checker, item->file, arena, &diags);
    else
        check_file(out, checker, item, arena, &diags);
    require_cases(out, checker, item, &diags);
    checker->kinds |= 1U << out->kind;
    lc_outcome_repeats(out, checker->reports, checker->report_count);
    lc_outcome_diags(out, checker, &diags);
    lc_arena_free(arena);
}
