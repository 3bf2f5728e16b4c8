/* The text report of one case, for people.
 *
 * A finding that meets its expectation is not shown. Any
 * other is shown in full, with the findings that follow from it indented below it. A rule that is
 * violated in very many places of one case is shown three times and counted. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

#define MANY  20
#define SHOWN 3
/* The same explanation is printed for this many findings of a rule in a row. */
#define EXPLAINED 2

#define MAX_NEST 8

/* ---- Words. */

void lc_text_words(lc_buf *out, lc_str words)
{
    size_t at = 0;
    while (at < words.len) {
        size_t start = at;
        if (lc_rune_is_control(lc_utf8_next(words, &at)))
            lc_buf_add_char(out, '?');
        else
            lc_buf_add_str(out, lc_str_sub(words, start, at));
    }
}

void lc_text_location(const lc_text *text, lc_loc loc)
{
    const char *bold = text->options->color ? "\033[1m" : "";
    const char *plain = text->options->color ? "\033[0m" : "";
    lc_buf_add_c(text->out, bold);
    lc_text_words(text->out, loc.file.len ? loc.file : LC_STR("-"));
    if (loc.line)
        lc_buf_printf(text->out, ":%u:%u", (unsigned)loc.line, (unsigned)loc.column);
    lc_buf_printf(text->out, ":%s ", plain);
}

void lc_text_severity(const lc_text *text, lc_severity severity)
{
    static const char *const colors[] = {"\033[0m", "\033[36m", "\033[33m", "\033[31m"};
    const char *color = text->options->color ? colors[severity] : "";
    const char *plain = text->options->color ? "\033[0m" : "";
    lc_buf_printf(text->out, "%s%s:%s ", color, lc_severity_name(severity), plain);
}

const char *lc_verdict_words(const lc_judged *judged)
{
    switch (judged->expectation) {
    case LC_EXPECTATION_MET:
        return "meets its expectation";
    case LC_EXPECTATION_UNMET:
        return "does not meet its expectation";
    case LC_EXPECTATION_KNOWN_FAILING:
        return "is known to fail";
    case LC_EXPECTATION_NONE:
        break;
    }
    if (judged->verdict == LC_NOT_JUDGED)
        return "is not checked";
    if (judged->verdict != LC_CONFORMS)
        return lc_verdict_name(judged->verdict);
    return !judged->passes             ? "does not pass"
           : lc_has_known(judged)      ? "has known findings only"
           : judged->judgement.partial ? "conforms as far as it is known"
                                       : "conforms";
}

/* ---- Findings of a case. */

#define NO_FINDING SIZE_MAX

typedef struct tally {
    size_t seen[LC_RULE_COUNT];
    const lc_finding *last[LC_RULE_COUNT]; /* the finding that was printed last, and how many */
    size_t alike[LC_RULE_COUNT];           /* before it, in a row, had the same explanation */
    size_t total[LC_RULE_COUNT];
    size_t *first_follower; /* of each finding, or NO_FINDING */
    size_t *next_follower;  /* of the same finding */
    bool *again;            /* of each finding: reported before, for another object of its type */
} tally;

bool lc_text_shows(const lc_report_options *options, const lc_judged *judged, size_t i)
{
    if (judged->reported && judged->reported[i])
        return false;
    if (options->verbose && !judged->suppressed[i].len && judged->severities[i] != LC_HIDDEN)
        return true;
    return lc_is_open(judged, i) &&
           (!options->quiet || judged->expectation != LC_EXPECTATION_NONE ||
            judged->severities[i] >= options->policy.fail_on);
}

static bool is_shown(const lc_text *text, size_t i)
{
    return lc_text_shows(text->options, text->judged, i);
}

static bool is_follower(const lc_text *text, const tally *t, size_t i)
{
    long follows = text->judged->judgement.findings.items[i].follows;
    return follows >= 0 && is_shown(text, (size_t)follows) && !t->again[follows];
}

/* Counts backwards, so that the linked lists of followers are in order. */
static void count_findings(const lc_text *text, lc_arena *arena, tally *t)
{
    const lc_judgement *judgement = &text->judged->judgement;
    size_t count = judgement->findings.count;
    memset(t, 0, sizeof *t);
    t->again = lc_arena_zalloc(arena, count * sizeof *t->again);
    for (size_t i = 0; i < count; i++)
        t->again[i] = is_shown(text, i) && lc_repeats_take(text, i);
    t->first_follower = LC_NEW_ARRAY(arena, size_t, count);
    t->next_follower = LC_NEW_ARRAY(arena, size_t, count);
    for (size_t i = 0; i < count; i++)
        t->first_follower[i] = NO_FINDING;
    for (size_t i = count; i-- > 0;) {
        if (!is_shown(text, i) || t->again[i])
            continue;
        t->total[judgement->findings.items[i].rule]++;
        if (!is_follower(text, t, i))
            continue;
        size_t *first = &t->first_follower[judgement->findings.items[i].follows];
        t->next_follower[i] = *first;
        *first = i;
    }
}

static bool has_room(const lc_text *text, tally *t, size_t i)
{
    lc_rule rule = text->judged->judgement.findings.items[i].rule;
    if (text->options->verbose || t->total[rule] <= MANY)
        return true;
    return t->seen[rule] < SHOWN;
}

static void add_rest(const lc_text *text, tally *t, size_t i, unsigned indent)
{
    lc_rule rule = text->judged->judgement.findings.items[i].rule;
    t->seen[rule]++;
    if (text->options->verbose || t->total[rule] <= MANY || t->seen[rule] != SHOWN)
        return;
    lc_buf_printf(text->out,
                  "%*s... and %zu more of %.*s; -v and --format json list all of them\n\n",
                  (int)indent, "", t->total[rule] - SHOWN, LC_FMT(lc_rule_get(rule)->slug));
}

/* Have two findings above this one had the same explanation? */
static bool is_explained(tally *t, const lc_finding *f)
{
    const lc_finding *last = t->last[f->rule];
    bool alike = last && !f->cause && !last->cause &&
                 lc_str_eq(last->diagnosis.why, f->diagnosis.why) &&
                 lc_str_eq(lc_finding_fix(last).framework, lc_finding_fix(f).framework);
    t->last[f->rule] = f;
    t->alike[f->rule] = alike ? t->alike[f->rule] + 1 : 0;
    return t->alike[f->rule] >= EXPLAINED;
}

/* Followers are printed directly after the finding that they follow from, one level deeper. */
static void add_finding(const lc_text *text, tally *t, size_t i, unsigned depth)
{
    if (has_room(text, t, i)) {
        lc_text_finding(text, i, depth * 2,
                        is_explained(t, &text->judged->judgement.findings.items[i]));
        add_rest(text, t, i, depth * 2);
    }
    for (size_t k = t->first_follower[i]; depth < MAX_NEST && k != NO_FINDING;
         k = t->next_follower[k])
        add_finding(text, t, k, depth + 1);
}

typedef struct placed {
    const lc_finding *finding;
    size_t index;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    lc_loc p = x->finding->loc, q = y->finding->loc;
    int file = lc_str_cmp(p.file, q.file);
    if (file)
        return file;
    if (p.line != q.line)
        return p.line < q.line ? -1 : 1;
    if (p.column != q.column)
        return p.column < q.column ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* In the order of their places, as one reads a file. */
static void add_findings(const lc_text *text)
{
    const lc_judgement *judgement = &text->judged->judgement;
    if (judgement->findings.count == 0)
        return;
    lc_arena *arena = lc_arena_new();
    placed *list = LC_NEW_ARRAY(arena, placed, judgement->findings.count);
    size_t count = 0;
    tally t;
    count_findings(text, arena, &t);
    for (size_t i = 0; i < judgement->findings.count; i++) {
        if (is_shown(text, i) && !t.again[i] && !is_follower(text, &t, i))
            list[count++] = (placed){&judgement->findings.items[i], i};
    }
    if (count)
        qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count; i++)
        add_finding(text, &t, list[i].index, 0);
    lc_arena_free(arena);
}

/* ---- Expectations and notes. */

static bool is_reported_by_finding(const lc_expectation_failure *failure)
{
    return strcmp(failure->kind, "unexpected") == 0;
}

/* About the scenario, not about the provider. */
static void add_remark(const lc_text *text, lc_severity severity, const char *kind, lc_loc loc,
                       lc_str words)
{
    lc_diag place = {.loc = loc};
    lc_text_headline(text, severity, lc_str_from_c(kind), words, 0);
    lc_quotable_add(&place, text->judged->quotable);
    unsigned digits = lc_text_digits(place.quote.text.len ? loc.line : 0);
    lc_text_arrow(text, loc, LC_STR_EMPTY, 0, digits);
    if (place.quote.text.len)
        lc_text_quote(text, place.quote, loc.line, digits);
    lc_buf_add_char(text->out, '\n');
}

static void add_failures(const lc_text *text)
{
    const lc_judged *judged = text->judged;
    for (size_t i = 0; i < judged->failures.count; i++) {
        const lc_expectation_failure *failure = &judged->failures.items[i];
        bool expected_to = judged->expectation == LC_EXPECTATION_KNOWN_FAILING;
        if (is_reported_by_finding(failure) || (expected_to && !text->options->verbose))
            continue;
        add_remark(text, expected_to ? LC_INFO : LC_ERROR, failure->kind, failure->loc,
                   failure->detail);
    }
}

static void add_notes(const lc_text *text)
{
    for (size_t i = 0; i < text->judged->notes.count; i++) {
        const lc_expectation_failure *note = &text->judged->notes.items[i];
        bool fails = strcmp(note->kind, "required") == 0;
        bool printed = text->options->predicted && text->judged->scenario->subject.planning &&
                       strcmp(note->kind, "open") == 0;
        if (printed || (text->options->quiet && !fails))
            continue;
        add_remark(text, fails ? LC_ERROR : LC_WARNING, note->kind, note->loc, note->detail);
    }
}

static void add_lints(const lc_text *text)
{
    const lc_judged *judged = text->judged;
    for (size_t i = 0; i < judged->lints.count; i++) {
        const lc_lint_note *note = &judged->lints.items[i];
        const lc_lint_info *info = lc_lint_get(note->lint);
        lc_severity severity = judged->lint_severities[i];
        if (text->options->quiet && severity < text->options->policy.fail_on)
            continue;
        add_remark(text, severity, info->id, note->loc, note->message);
        text->out->len--;
        lc_buf_add_c(text->out, "   = fix  ");
        lc_text_add_folded(text, lc_str_from_c(info->fix), 10, 10);
        lc_buf_add_c(text->out, "\n\n");
    }
}

/* ---- The case as a whole. */

static void add_case_line(const lc_text *text)
{
    const lc_case *c = &text->judged->scenario->subject;
    lc_rule_counts counts = lc_count_rules(&text->judged->judgement);
    lc_buf line = {0};
    lc_text_words(&line, c->file);
    if (c->name.len) {
        lc_buf_add_char(&line, '#');
        lc_text_words(&line, c->name);
    }
    lc_buf_printf(&line, ": %s; %u rule%s checked, ", lc_verdict_words(text->judged),
                  counts.checked, counts.checked == 1 ? "" : "s");
    lc_buf_printf(&line, "%u not checked, %u do not apply", counts.not_checked,
                  counts.not_applicable);
    lc_text_add_folded(text, lc_buf_str(&line), 0, 2);
    lc_buf_add_char(text->out, '\n');
    lc_buf_release(&line);
}

#define MOST_UNAPPLIED 8 /* reported one by one */

/* Plans without an apply are named, because their apply rules were not judged. */
static void add_unapplied(const lc_text *text)
{
    const lc_judged *judged = text->judged;
    const lc_case *c = &judged->scenario->subject;
    size_t reported = 0;
    for (size_t i = 0; i < c->runs.count; i++) {
        if (!lc_run_is_unapplied(c, &judged->judgement, i) || reported++ >= MOST_UNAPPLIED)
            continue;
        lc_action action = judged->judgement.runs[i].action[LC_OPENTOFU];
        if (action == LC_ACTION_NONE)
            action = judged->judgement.runs[i].action[LC_TERRAFORM];
        lc_buf_add_c(text->out, reported > 1 ? ", " : "  planned and not applied: ");
        lc_buf_add_c(text->out, lc_action_name(action));
        if (c->runs.count > 1)
            lc_buf_printf(text->out, " (run %zu)", i + 1);
    }
    if (reported > MOST_UNAPPLIED)
        lc_buf_printf(text->out, ", and %zu more", reported - MOST_UNAPPLIED);
    if (reported)
        lc_buf_add_char(text->out, '\n');
}

static void add_suppressed(const lc_text *text)
{
    const lc_judged *judged = text->judged;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        if (judged->suppressed[i].len == 0)
            continue;
        lc_buf_printf(text->out, "  ignored: %.*s at ", LC_FMT(lc_rule_get(f->rule)->slug));
        lc_text_words(text->out, f->path_text);
        lc_buf_add_c(text->out, ": ");
        lc_text_words(text->out, judged->suppressed[i]);
        lc_buf_add_char(text->out, '\n');
    }
}

/* A successful case is not shown, and a failed one has its reasons; these are the exceptions. */
static bool is_unexplained(const lc_judged *judged)
{
    return judged->expectation == LC_EXPECTATION_NONE &&
           (judged->verdict == LC_NOT_JUDGED || !judged->passes);
}

void lc_text_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_text text = {out, options, judged};
    size_t before = out->len;
    add_findings(&text);
    add_failures(&text);
    add_notes(&text);
    add_lints(&text);
    if (options->quiet)
        return;
    if (!options->verbose) {
        if (is_unexplained(judged) && out->len == before)
            add_case_line(&text);
        if (lc_client_stops(judged))
            lc_buf_add_c(out, "not checked: a client stops at the input of the case\n\n");
        else if (judged->verdict == LC_NOT_JUDGED && is_unexplained(judged))
            lc_text_gaps(&text, &judged->judgement);
        return;
    }
    add_case_line(&text);
    add_unapplied(&text);
    add_suppressed(&text);
    lc_text_gaps(&text, &judged->judgement);
    lc_buf_add_char(out, '\n');
}

void lc_text_so_far(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_text text = {out, options, judged};
    add_findings(&text);
}

lc_severity lc_diag_level(const lc_diag *diag)
{
    static const lc_severity levels[] = {
        [LC_DIAG_ERROR] = LC_ERROR, [LC_DIAG_WARNING] = LC_WARNING, [LC_DIAG_NOTE] = LC_INFO};
    return levels[diag->severity];
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    lc_text text = {out, options, NULL};
    if (options->quiet && diag->severity != LC_DIAG_ERROR)
        return;
    lc_report_options plain = {.policy = options->policy};
    lc_buf place = {0};
    lc_severity severity = lc_diag_level(diag);
    lc_text_location(&(lc_text){&place, &plain, NULL}, diag->loc);
    lc_text_severity(&(lc_text){&place, &plain, NULL}, severity);
    lc_text_location(&text, diag->loc);
    lc_text_severity(&text, severity);
    lc_text_add_folded(&text, diag->message, lc_utf8_count(lc_buf_str(&place)), 4);
    lc_buf_release(&place);
    lc_buf_add_char(out, '\n');
    if (diag->quote.text.len)
        lc_text_quote(&text, diag->quote, diag->loc.line, lc_text_digits(diag->loc.line));
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    lc_text_end(out, report->options, summary, lc_buf_str(&report->lens), false);
}

const lc_writer lc_writer_text = {
    .add_case = lc_text_case,
    .add_diag = add_diag,
    .take = lc_take_at_once,
    .end = end,
};
