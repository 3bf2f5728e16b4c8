/* lifecheck init --from: the object of a plan or state as a scenario. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/extract/extract.h"
#include "lifecheck/scenario/evidence.h"

#include <string.h>

#define HEAD ((size_t)64 << 10) /* bytes by which the kind of a file is recognised */

typedef struct search {
    const lc_cli *cli;
    lc_arena *arena;
    lc_str address;
    LC_VEC(lc_str) others; /* addresses, for a suggestion */
    lc_buf out;
    bool found, written;
} search;

/* The case of the whole plan (`planning`) is skipped; other addresses are kept for a suggestion. */
static void take_case(void *context, lc_scenario *scenario)
{
    search *s = context;
    const lc_case *subject = &scenario->subject;
    if (subject->planning || s->found)
        return;
    s->found = lc_str_eq(subject->resource, s->address);
    if (s->found)
        s->written = lc_extract_case(&s->out, s->arena, subject, s->cli->options.secrets,
                                     &s->cli->options.limits);
    else
        *LC_PUSH(s->arena, &s->others, lc_str) = lc_str_copy(s->arena, subject->resource);
}

static lc_exit report_missing(const search *s)
{
    lc_str near = lc_str_nearest(s->address, s->others.items, s->others.count);
    if (s->found)
        lc_message("%.*s cannot be written as a scenario", LC_FMT(s->address));
    else if (near.len)
        lc_message("no object has the address \"%.*s\"; did you mean \"%.*s\"?", LC_FMT(s->address),
                   LC_FMT(near));
    else
        lc_message("no object has the address \"%.*s\"; lifecheck inspect shows what is there",
                   LC_FMT(s->address));
    return LC_EXIT_INPUT;
}

/* Errors of other objects do not matter once this one was written. */
static lc_exit read_evidence(search *s, lc_str file, lc_str text, lc_diags *diags)
{
    lc_schema_store store;
    lc_capture_options capture = lc_cli_capture(s->cli);
    lc_json_kind kind = lc_json_evidence(lc_str_sub(text, 0, text.len < HEAD ? text.len : HEAD));
    if (kind == LC_JSON_OTHER) {
        lc_message(
            "%.*s is neither a plan as `terraform show -json plan.out` prints it, nor a state",
            LC_FMT(file));
        return LC_EXIT_INPUT;
    }
    lc_schema_store_init(&store, s->arena, s->cli->options.limits);
    lc_json_evidence_read(kind, s->arena, &store, file, text, &capture, diags, take_case, s);
    if (diags->errors && !s->written) {
        lc_report_diags(diags);
        return LC_EXIT_INPUT;
    }
    return s->written ? LC_EXIT_OK : report_missing(s);
}

lc_exit lc_init_from(const lc_cli *cli)
{
    lc_arena *arena = lc_arena_new();
    search s = {.cli = cli, .arena = arena, .address = cli->options.address};
    lc_str text, file = cli->options.from;
    lc_diags diags;
    lc_exit status = LC_EXIT_INPUT;
    lc_diags_init(&diags, arena);
    if (s.address.len == 0) {
        lc_message("init --from takes --address too: the object of the plan or state");
        status = LC_EXIT_USAGE;
    } else if (lc_file_read(&text, arena, file, cli->options.limits.input_bytes, &diags) != LC_OK) {
        lc_report_diags(&diags);
    } else {
        status = read_evidence(&s, file, text, &diags);
    }
    if (status == LC_EXIT_OK)
        status = lc_write_wanted(cli, &cli->options.wanted[0], lc_buf_str(&s.out));
    lc_buf_release(&s.out);
    lc_arena_free(arena);
    return status;
}
