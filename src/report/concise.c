/* One line a finding, for editors and grep:
 *
 *     FILE:LINE:COLUMN: severity[rule] object path: why
 *
 * Line and column are left out where they are not known. Findings of one cause share a line, which
 * names each of them; with -v each has its own. Nothing else is written. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

#include <string.h>

static void begin_line(lc_buf *out, lc_loc loc, lc_severity severity, lc_str rule)
{
    lc_text_words(out, loc.file.len ? loc.file : LC_STR("-"));
    if (loc.line)
        lc_buf_printf(out, ":%u:%u", (unsigned)loc.line, (unsigned)loc.column);
    lc_buf_printf(out, ": %s[%.*s] ", lc_severity_name(severity), LC_FMT(rule));
}

static void add_line(lc_buf *out, lc_loc loc, lc_severity severity, const char *kind, lc_str words)
{
    begin_line(out, loc, severity, lc_str_from_c(kind));
    lc_text_words(out, words);
    lc_buf_add_char(out, '\n');
}

static void add_what(lc_buf *out, const lc_finding *f)
{
    lc_text_words(out, f->message.len ? f->message : lc_rule_get(f->rule)->title);
}

static void add_joined(lc_buf *out, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_buf_printf(out, ", and %s[%.*s]: ", lc_severity_name(lc_shown_severity(judged, i)),
                  LC_FMT(lc_rule_get(f->rule)->slug));
    add_what(out, f);
}

/* `joins` NULL: each finding has its own line. */
static void add_finding(lc_buf *out, const lc_judged *judged, const lc_join_of *joins, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    const lc_case *c = &judged->scenario->subject;
    lc_loc loc = f->loc.file.len ? f->loc : (lc_loc){c->file, 0, 0};
    begin_line(out, loc, lc_shown_severity(judged, i), lc_rule_get(f->rule)->slug);
    lc_str object = f->address.len ? f->address : c->resource.len ? c->resource : c->type;
    lc_text_words(out, object);
    if (object.len && f->path_text.len)
        lc_buf_add_char(out, ' ');
    lc_text_words(out, f->path_text);
    lc_buf_add_c(out, ": ");
    add_what(out, f);
    if (f->diagnosis.id.len) {
        lc_buf_add_c(out, ": ");
        lc_text_words(out, f->diagnosis.why);
    }
    for (size_t k = joins ? joins[i].next : LC_NO_FINDING; k != LC_NO_FINDING; k = joins[k].next)
        add_joined(out, judged, k);
    lc_buf_add_char(out, '\n');
}

static void add_remarks(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    bool known = judged->expectation == LC_EXPECTATION_KNOWN_FAILING;
    for (size_t i = 0; !known && i < judged->failures.count; i++) {
        const lc_expectation_failure *failure = &judged->failures.items[i];
        if (strcmp(failure->kind, "unexpected") != 0) /* a finding of its own */
            add_line(out, failure->loc, LC_ERROR, failure->kind, failure->detail);
    }
    for (size_t i = 0; i < judged->notes.count; i++) {
        const lc_expectation_failure *note = &judged->notes.items[i];
        bool fails = strcmp(note->kind, "required") == 0;
        if (fails || !options->quiet)
            add_line(out, note->loc, fails ? LC_ERROR : LC_WARNING, note->kind, note->detail);
    }
    for (size_t i = 0; i < judged->lints.count; i++) {
        const lc_lint_note *note = &judged->lints.items[i];
        if (!options->quiet || judged->lint_severities[i] >= options->policy.fail_on)
            add_line(out, note->loc, judged->lint_severities[i], lc_lint_get(note->lint)->id,
                     note->message);
    }
}

static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    size_t count = judged->judgement.findings.count;
    lc_arena *arena = lc_arena_new();
    bool *shown = LC_NEW_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++)
        shown[i] = lc_text_shows(options, judged, i);
    lc_join_of *joins = options->verbose ? NULL : lc_joins_of(arena, judged, shown);
    for (size_t i = 0; i < count; i++) {
        if (shown[i] && (!joins || joins[i].lead == i))
            add_finding(out, judged, joins, i);
    }
    lc_arena_free(arena);
    add_remarks(out, options, judged);
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    if (diag->severity == LC_DIAG_ERROR || !options->quiet)
        add_line(out, diag->loc, lc_diag_level(diag), "input", diag->message);
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    (void)report;
    (void)summary;
    (void)out;
}

const lc_writer lc_writer_concise = {
    .add_case = add_case,
    .add_diag = add_diag,
    .take = lc_take_at_once,
    .end = end,
};
