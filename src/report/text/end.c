/* The end of the text report: what could not be checked, how often each rule is violated, the
 * sums. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- What could not be checked. */

static void add_gap(const lc_text *text, const lc_gap *gap)
{
    lc_buf *out = text->out;
    lc_buf line = {0};
    lc_buf_printf(&line, "%.*s:", LC_FMT(gap->reason));
    for (size_t i = 0; i < gap->name_count; i++)
        lc_buf_printf(&line, "%s %.*s", i ? "," : "", LC_FMT(gap->names[i]));
    lc_buf_printf(&line, " (%zu)", gap->rule_count);
    lc_buf_add_c(out, "  ");
    lc_text_add_folded(text, lc_buf_str(&line), 2, 4);
    lc_buf_add_char(out, '\n');
    lc_buf_release(&line);
    if (strcmp(gap->missing, "prior_state") == 0)
        lc_buf_add_c(out, "    write `prior_state: null` if this is a create\n");
}

void lc_text_gaps(const lc_text *text, const lc_judgement *judgement)
{
    lc_arena *arena = lc_arena_new();
    lc_gaps gaps;
    lc_gaps_init(&gaps, judgement);
    for (unsigned need = 0; need <= LC_NEED_COUNT; need++) {
        lc_gap gap;
        if (lc_gap_of(&gap, arena, &gaps, (lc_need)need))
            add_gap(text, &gap);
    }
    lc_arena_free(arena);
}

/* ---- What no case could check. */

#define MOST_NAMES 3 /* of rules or families that lack one input */
#define MOST_NEEDS 5 /* inputs that are named together */

/* The rules of all cases as if they were one. `brief`: a rule counts as checked if no one could
 * have given what it needs. */
static lc_judgement *sum_of(lc_arena *arena, const lc_summary *s, bool brief)
{
    lc_judgement *all = LC_NEW(arena, lc_judgement);
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        bool passed_over = brief && s->rule_not_checked[rule] && !s->rule_givable[rule];
        all->coverage[rule] = s->rule_checked[rule] || passed_over ? LC_COVER_CHECKED
                              : s->rule_not_checked[rule]          ? LC_COVER_NOT_CHECKED
                                                                   : LC_COVER_NOT_APPLICABLE;
        all->missing[rule] = (lc_need)s->rule_missing[rule];
    }
    return all;
}

/* The input that most rules lack is named with them, the others only with their number. */
static void add_gap_list(lc_buf *out, const lc_gap *gaps, size_t count, size_t most)
{
    size_t rest = 0, named = 0;
    const lc_gap *first = &gaps[most];
    for (size_t i = 0; i < first->name_count && i < MOST_NAMES; i++)
        lc_buf_printf(out, "%s%.*s", i ? ", " : "", LC_FMT(first->names[i]));
    lc_buf_printf(out, "%s (%zu) need%s %s", first->name_count > MOST_NAMES ? ", ..." : "",
                  first->rule_count, first->rule_count == 1 ? "s" : "", first->missing);
    for (size_t i = 0; i < count; i++)
        rest += i == most ? 0 : gaps[i].rule_count;
    if (rest)
        lc_buf_printf(out, "; %zu more need%s ", rest, rest == 1 ? "s" : "");
    for (size_t i = 0; i < count; i++) {
        if (i != most && named++ < MOST_NEEDS)
            lc_buf_printf(out, "%s%s", named > 1 ? ", " : "", gaps[i].missing);
    }
    lc_buf_add_c(out, named > MOST_NEEDS ? ", ..." : "");
}

static bool lacks(const lc_gap *gaps, size_t count, const char *input)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(gaps[i].missing, input) == 0)
            return true;
    }
    return false;
}

static void add_short_gaps(const lc_text *text, lc_arena *arena, const lc_judgement *all)
{
    lc_gaps gaps;
    lc_gap *list = LC_NEW_ARRAY(arena, lc_gap, LC_NEED_COUNT);
    size_t count = 0, most = 0;
    lc_buf line = {0};
    lc_gaps_init(&gaps, all);
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        if (!lc_gap_of(&list[count], arena, &gaps, (lc_need)need))
            continue;
        if (list[count].rule_count > list[most].rule_count)
            most = count;
        count++;
    }
    if (count == 0)
        return;
    lc_buf_add_c(&line, "not checked: ");
    add_gap_list(&line, list, count, most);
    lc_buf_add_c(&line, " (-v: all)");
    if (lacks(list, count, "prior_state"))
        lc_buf_add_c(&line, "; write `prior_state: null` if this is a create");
    lc_text_add_folded(text, lc_buf_str(&line), 0, 2);
    lc_buf_add_char(text->out, '\n');
    lc_buf_release(&line);
}

static void add_coverage(const lc_text *text, const lc_summary *s)
{
    lc_arena *arena = lc_arena_new();
    lc_judgement *all = sum_of(arena, s, !text->options->verbose);
    if (s->unapplied)
        lc_buf_printf(text->out, "%llu change%s planned and not applied%s\n",
                      (unsigned long long)s->unapplied, s->unapplied == 1 ? " was" : "s were",
                      text->options->verbose ? "" : " (-v: which)");
    if (text->options->verbose && s->cases > 1 && s->judged_any) {
        lc_buf_add_c(text->out, "in no case:\n");
        lc_text_gaps(text, all);
    } else if (!text->options->verbose && s->judged_any && s->logs == s->cases) {
        lc_text_add_folded(text,
                           LC_STR("not checked: what needs values, which a log does not have; "
                                  "`lifecheck record -- terraform apply` records them (-v: all)"),
                           0, 2);
        lc_buf_add_char(text->out, '\n');
    } else if (!text->options->verbose && s->judged_any) {
        add_short_gaps(text, arena, all);
    }
    lc_arena_free(arena);
}

/* ---- How often each rule is violated. */

typedef struct broken_rule {
    lc_rule rule;
    uint32_t count;
} broken_rule;

static int by_count(const void *a, const void *b)
{
    const broken_rule *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static void add_statistics(const lc_text *text, const lc_summary *s)
{
    broken_rule list[LC_RULE_COUNT];
    size_t count = 0, widest = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        size_t width = lc_rule_get((lc_rule)rule)->slug.len;
        if (s->rule_findings[rule] == 0)
            continue;
        list[count++] = (broken_rule){(lc_rule)rule, s->rule_findings[rule]};
        widest = width > widest ? width : widest;
    }
    if (count)
        qsort(list, count, sizeof *list, by_count);
    for (size_t i = 0; i < count; i++) {
        const lc_rule_info *info = lc_rule_get(list[i].rule);
        lc_severity severity = (lc_severity)s->rule_severity[list[i].rule];
        lc_buf_printf(text->out, "%6u  %-7s  %-*.*s  ", (unsigned)list[i].count,
                      lc_severity_name(severity), (int)widest, LC_FMT(info->slug));
        lc_text_add_folded(text, info->title, 19 + widest, 19 + widest);
        lc_buf_add_char(text->out, '\n');
    }
    lc_buf_add_c(text->out, count ? "\n" : "");
}

/* ---- The last line. */

static void add_part(lc_buf *out, const char **separator, uint64_t n, const char *one,
                     const char *many)
{
    if (n == 0)
        return;
    lc_buf_printf(out, "%s%llu %s", *separator, (unsigned long long)n, n == 1 ? one : many);
    *separator = ", ";
}

static void add_cases(lc_buf *out, const lc_summary *s)
{
    const char *separator = ": ";
    lc_buf_printf(out, "%llu case%s", (unsigned long long)s->cases, plural(s->cases));
    add_part(out, &separator, s->plain_conform - s->only_known - s->do_not_pass - s->partial,
             "conforms", "conform");
    add_part(out, &separator, s->partial, "conforms as far as it is known",
             "conform as far as they are known");
    add_part(out, &separator, s->only_known, "has known findings only", "have known findings only");
    add_part(out, &separator, s->do_not_pass, "does not pass", "do not pass");
    add_part(out, &separator, s->plain_violate, "violates", "violate");
    add_part(out, &separator, s->plain_not_judged, "not checked", "not checked");
    add_part(out, &separator, s->met, "meets its expectation", "meet their expectation");
    add_part(out, &separator, s->unmet, "does not meet its expectation",
             "do not meet their expectation");
    add_part(out, &separator, s->known_failing, "known to fail", "known to fail");
}

static void add_lint_counts(lc_buf *out, const lc_summary *s)
{
    uint64_t bad = s->lints[LC_ERROR] + s->lints[LC_WARNING];
    lc_buf_printf(out, ", %llu mistake%s in scenarios", (unsigned long long)bad, plural(bad));
    if (s->lints[LC_INFO])
        lc_buf_printf(out, " and %llu remark%s", (unsigned long long)s->lints[LC_INFO],
                      plural(s->lints[LC_INFO]));
}

void lc_text_narrowed(lc_buf *out, const char *before, const lc_policy *policy)
{
    if (policy->narrowed.len == 0)
        return;
    lc_buf_printf(out, "%snarrowed by ", before);
    lc_text_words(out, policy->narrowed);
    lc_buf_add_char(out, '\n');
}

static lc_paint color_of(const lc_summary *s)
{
    if (s->failed || s->errors)
        return LC_PAINT_BAD;
    return s->open_warnings || s->only_known || !s->judged_any ? LC_PAINT_WARN : LC_PAINT_GOOD;
}

static void add_findings(lc_buf *out, const lc_summary *s)
{
    lc_buf_printf(out, "; %llu error%s, %llu warning%s", (unsigned long long)s->open_errors,
                  plural(s->open_errors), (unsigned long long)s->open_warnings,
                  plural(s->open_warnings));
    if (s->open_infos)
        lc_buf_printf(out, ", %llu info%s", (unsigned long long)s->open_infos,
                      plural(s->open_infos));
    if (s->known)
        lc_buf_printf(out, ", %llu known by the baseline", (unsigned long long)s->known);
    if (s->errors)
        lc_buf_printf(out, ", %llu input error%s", (unsigned long long)s->errors,
                      plural(s->errors));
    if (s->linted)
        add_lint_counts(out, s);
}

static void add_sums(const lc_text *text, const lc_summary *s, bool titled)
{
    unsigned checked = 0, applicable = 0;
    lc_buf line = {0};
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        checked += s->rule_checked[rule];
        applicable += s->rule_checked[rule] || s->rule_not_checked[rule];
    }
    if (s->plain_violate && !titled) {
        lc_summary_add_violations(&line, s);
        lc_buf_add_c(&line, "; ");
    }
    add_cases(&line, s);
    add_findings(&line, s);
    lc_buf_printf(&line, "; %u of %u rule%s checked", checked, applicable, plural(applicable));
    lc_text_paint(text, color_of(s));
    lc_text_add_folded(text, lc_buf_str(&line), 0, 2);
    lc_text_paint(text, LC_PAINT_NONE);
    lc_buf_add_char(text->out, '\n');
    lc_buf_release(&line);
}

void lc_text_end(lc_buf *out, const lc_report_options *options, const lc_summary *s, lc_str lens,
                 bool titled)
{
    lc_text text = {out, options, NULL};
    if (options->statistics)
        add_statistics(&text, s);
    if (options->quiet)
        return;
    lc_text_lens(&text, lens, options->verbose);
    add_coverage(&text, s);
    add_sums(&text, s, titled);
    lc_text_narrowed(out, "", &options->policy);
}
