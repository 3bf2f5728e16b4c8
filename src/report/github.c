/* Workflow commands of GitHub Actions: annotations at the places of findings.
 *
 * GitHub shows only the first ten errors and the first ten warnings of a step. So the worst come
 * first, the last of ten has the number of the rest, and findings of one cause share an annotation;
 * with -v each has its own. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

#include <string.h>

#define MOST_SHOWN 10

enum { ERRORS, WARNINGS, NOTICES, LEVELS };
static const char *const commands[LEVELS] = {"error", "warning", "notice"};

/* ---- Commands. */

static void add_escaped(lc_buf *out, lc_str text, bool property)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool escape =
            c == '%' || (unsigned char)c < 0x20 || c == 0x7f || (property && strchr(":,", c));
        if (escape)
            lc_buf_printf(out, "%%%02X", (unsigned)(unsigned char)c);
        else
            lc_buf_add_char(out, c);
    }
}

static void add_properties(lc_buf *out, const lc_report_options *options, lc_loc loc, lc_str title)
{
    bool known = loc.file.len && !lc_str_is(loc.file, "-");
    lc_buf file = {0};
    if (known) {
        lc_add_file(&file, options, loc.file);
        lc_buf_add_c(out, "file=");
        add_escaped(out, lc_buf_str(&file), true);
        lc_buf_add_char(out, ',');
    }
    if (known && loc.line)
        lc_buf_printf(out, "line=%u,", loc.line);
    if (known && loc.line && loc.column)
        lc_buf_printf(out, "col=%u,", loc.column);
    lc_buf_add_c(out, "title=");
    add_escaped(out, title, true);
    lc_buf_release(&file);
}

typedef struct annotation {
    lc_severity severity;
    lc_loc loc;
    lc_str title, message;
} annotation;

static void add_command(lc_buf *out, const lc_report_options *options, const annotation *a)
{
    lc_buf line = {0};
    unsigned level = a->severity == LC_ERROR     ? ERRORS
                     : a->severity == LC_WARNING ? WARNINGS
                                                 : NOTICES;
    lc_part part = {.kind = level};
    lc_buf_printf(&line, "::%s ", commands[level]);
    add_properties(&line, options, a->loc, a->title);
    lc_buf_add_c(&line, "::");
    add_escaped(&line, a->message, false);
    lc_buf_add_char(&line, '\n');
    part.text = lc_buf_str(&line);
    lc_part_add(out, &part);
    lc_buf_release(&line);
}

/* ---- A case. */

static void add_message(lc_buf *out, const lc_judged *judged, const lc_join_of *joins, size_t i)
{
    const lc_finding *all = judged->judgement.findings.items;
    lc_plain_finding(out, judged, i);
    for (size_t k = joins ? joins[i].next : LC_NO_FINDING; k != LC_NO_FINDING; k = joins[k].next) {
        const lc_rule_info *rule = lc_rule_get(all[k].rule);
        lc_buf_printf(out, "\nand %.*s: ", LC_FMT(rule->slug));
        lc_text_words(out, all[k].message.len ? all[k].message : rule->title);
    }
    lc_buf_printf(out, "\nmore: lifecheck explain %.*s", LC_FMT(lc_rule_get(all[i].rule)->slug));
}

/* `joins` NULL: each finding has its own annotation. */
static void add_finding(lc_buf *out, const lc_report_options *options, const lc_judged *judged,
                        const lc_join_of *joins, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_buf where = {0}, title = {0}, message = {0};
    lc_plain_where(&where, judged, i);
    lc_buf_printf(&title, "%.*s%s%.*s", LC_FMT(lc_rule_get(f->rule)->slug), where.len ? ": " : "",
                  LC_FMT(lc_buf_str(&where)));
    add_message(&message, judged, joins, i);
    add_command(out, options,
                &(annotation){lc_shown_severity(judged, i),
                              f->loc.file.len ? f->loc : judged->scenario->subject.loc,
                              lc_buf_str(&title), lc_buf_str(&message)});
    lc_buf_release(&where);
    lc_buf_release(&title);
    lc_buf_release(&message);
}

static void add_findings(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    size_t count = judged->judgement.findings.count;
    lc_arena *arena = lc_arena_new();
    bool *shown = LC_NEW_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++)
        shown[i] = lc_is_open(judged, i);
    lc_join_of *joins = options->verbose ? NULL : lc_joins_of(arena, judged, shown);
    for (size_t i = 0; i < count; i++) {
        if (shown[i] && (!joins || joins[i].lead == i))
            add_finding(out, options, judged, joins, i);
    }
    lc_arena_free(arena);
}

static void add_line(lc_buf *out, const lc_report_options *options, annotation a)
{
    lc_buf words = {0};
    lc_text_words(&words, a.message);
    a.message = lc_buf_str(&words);
    add_command(out, options, &a);
    lc_buf_release(&words);
}

static void add_failures(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    bool known = judged->expectation == LC_EXPECTATION_KNOWN_FAILING;
    for (size_t i = 0; i < judged->failures.count; i++) {
        const lc_expectation_failure *failure = &judged->failures.items[i];
        if (!known && strcmp(failure->kind, "unexpected") != 0) /* reported with the finding */
            add_line(out, options,
                     (annotation){LC_ERROR, failure->loc, lc_str_from_c(failure->kind),
                                  failure->detail});
    }
    for (size_t i = 0; i < judged->notes.count; i++) {
        const lc_expectation_failure *note = &judged->notes.items[i];
        bool fails = strcmp(note->kind, "required") == 0;
        add_line(out, options,
                 (annotation){fails ? LC_ERROR : LC_WARNING, note->loc, lc_str_from_c(note->kind),
                              note->detail});
    }
}

static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    add_findings(out, options, judged);
    add_failures(out, options, judged);
    for (size_t i = 0; i < judged->lints.count; i++) {
        const lc_lint_note *note = &judged->lints.items[i];
        add_line(out, options,
                 (annotation){judged->lint_severities[i], note->loc,
                              lc_str_from_c(lc_lint_get(note->lint)->id), note->message});
    }
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    add_line(out, options,
             (annotation){lc_diag_level(diag), diag->loc, LC_STR("input"), diag->message});
}

/* ---- The end: the annotations to show are kept until everything is judged, the rest is
 * counted. */

static void keep(lc_report *report, lc_str parts)
{
    lc_part part;
    while (lc_part_next(&part, &parts)) {
        if (report->counts[part.kind]++ < MOST_SHOWN)
            lc_part_add(&report->body, &part);
    }
}

static void take(lc_report *report, lc_str cases, lc_str errors, lc_buf *out)
{
    (void)out;
    keep(report, errors);
    keep(report, cases);
}

static void add_level(const lc_report *report, unsigned level, lc_buf *out)
{
    uint64_t count = report->counts[level], shown = 0;
    uint64_t most = count > MOST_SHOWN ? MOST_SHOWN - 1 : MOST_SHOWN;
    lc_str parts = lc_buf_str(&report->body);
    lc_part part;
    while (lc_part_next(&part, &parts)) {
        if (part.kind == level && shown++ < most)
            lc_buf_add_str(out, part.text);
    }
    if (count > most)
        lc_buf_printf(out, "::%s title=lifecheck::%llu more; the summary of the job lists them\n",
                      commands[level], (unsigned long long)(count - most));
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    lc_report_options plain = {.policy = report->options->policy};
    for (unsigned level = 0; level < LEVELS; level++)
        add_level(report, level, out);
    lc_text_end(out, &plain, summary, LC_STR_EMPTY, false);
}

const lc_writer lc_writer_github = {
    .add_case = add_case,
    .add_diag = add_diag,
    .take = take,
    .end = end,
};
