/* Sums over cases, and what could not be checked in one case. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

#include <string.h>

/* ---- Sums. */

bool lc_has_known(const lc_judged *judged)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (judged->suppressors[i] == LC_SUPPRESSED_BY_BASELINE &&
            judged->severities[i] == LC_ERROR)
            return true;
    }
    return false;
}

static void count_verdict(lc_summary *s, const lc_judged *judged)
{
    bool plain = judged->expectation == LC_EXPECTATION_NONE;
    switch (judged->verdict) {
    case LC_CONFORMS:
        s->conform++;
        s->plain_conform += plain;
        s->do_not_pass += plain && !judged->passes;
        s->only_known += plain && judged->passes && lc_has_known(judged);
        s->partial += plain && judged->passes && !lc_has_known(judged) && judged->judgement.partial;
        break;
    case LC_VIOLATES:
        s->violate++;
        s->plain_violate += plain;
        s->resources_violate += plain && judged->scenario->subject.type.len;
        break;
    case LC_NOT_JUDGED:
        s->not_judged++;
        s->plain_not_judged += plain;
        break;
    case LC_VERDICT_ERROR:
        break;
    }
}

static void count_findings(lc_summary *s, const lc_judged *judged)
{
    bool violates = judged->verdict == LC_VIOLATES && judged->expectation == LC_EXPECTATION_NONE;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        bool known = judged->suppressors[i] == LC_SUPPRESSED_BY_BASELINE;
        s->known += known;
        s->ignored += judged->suppressed[i].len && !known;
        if (judged->suppressed[i].len)
            continue;
        s->findings[judged->severities[i]]++;
        if (!lc_is_open(judged, i))
            continue;
        lc_severity severity = lc_shown_severity(judged, i);
        s->violations[severity] += violates;
        s->open_errors += severity == LC_ERROR;
        s->open_warnings += severity == LC_WARNING;
        s->open_infos += severity == LC_INFO;
        lc_rule rule = judged->judgement.findings.items[i].rule;
        s->rule_findings[rule]++;
        if (severity > s->rule_severity[rule])
            s->rule_severity[rule] = (uint8_t)severity;
    }
}

static void count_lints(lc_summary *s, const lc_judged *judged)
{
    s->linted |= judged->linted;
    for (size_t i = 0; i < judged->lints.count; i++)
        s->lints[judged->lint_severities[i]]++;
}

static void add_uses(lc_ignore_use *sum, const lc_ignore_use *more)
{
    for (size_t i = 0; i < sizeof sum->bits / sizeof sum->bits[0]; i++)
        sum->bits[i] |= more->bits[i];
}

/* Of all cases the first input that is missing, so that the order of cases does not matter; one
 * that could have been given comes first. */
static void add_missing_input(lc_summary *s, unsigned rule, uint8_t missing, bool givable)
{
    if (!s->rule_not_checked[rule] || (givable && !s->rule_givable[rule]) ||
        (givable == s->rule_givable[rule] && missing < s->rule_missing[rule]))
        s->rule_missing[rule] = missing;
    s->rule_not_checked[rule] = true;
    s->rule_givable[rule] |= givable;
}

static void count_rules(lc_summary *s, const lc_judgement *judgement, lc_source_kind source)
{
    s->logs += source == LC_SOURCE_LOG;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_need missing = judgement->missing[rule];
        s->rule_checked[rule] |= judgement->coverage[rule] == LC_COVER_CHECKED;
        if (judgement->coverage[rule] == LC_COVER_NOT_CHECKED)
            add_missing_input(s, rule, (uint8_t)missing, lc_source_can_give(source, missing));
    }
}

static uint64_t unapplied_runs(const lc_judged *judged)
{
    const lc_case *c = &judged->scenario->subject;
    uint64_t count = 0;
    for (size_t i = 0; i < c->runs.count; i++)
        count += lc_run_is_unapplied(c, &judged->judgement, i);
    return count;
}

void lc_summary_add_case(lc_summary *s, const lc_judged *judged)
{
    s->cases++;
    count_lints(s, judged);
    count_verdict(s, judged);
    count_findings(s, judged);
    add_uses(&s->ignores_used, &judged->ignores_used);
    s->met += judged->expectation == LC_EXPECTATION_MET;
    s->unmet += judged->expectation == LC_EXPECTATION_UNMET;
    s->known_failing += judged->expectation == LC_EXPECTATION_KNOWN_FAILING;
    s->failed |= !judged->passes;
    s->judged_any |= judged->verdict != LC_NOT_JUDGED || judged->expectation != LC_EXPECTATION_NONE;
    s->stopped |= lc_client_stops(judged);
    s->unapplied += unapplied_runs(judged);
    count_rules(s, &judged->judgement, judged->scenario->subject.source);
    lc_predicted_add(&s->predicted, judged->judgement.prediction);
}

static void add_rules(lc_summary *s, const lc_summary *more)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        s->rule_checked[rule] |= more->rule_checked[rule];
        if (more->rule_not_checked[rule])
            add_missing_input(s, rule, more->rule_missing[rule], more->rule_givable[rule]);
        s->rule_findings[rule] += more->rule_findings[rule];
        if (more->rule_severity[rule] > s->rule_severity[rule])
            s->rule_severity[rule] = more->rule_severity[rule];
    }
}

void lc_summary_add(lc_summary *s, const lc_summary *more)
{
    s->cases += more->cases;
    s->logs += more->logs;
    s->conform += more->conform;
    s->violate += more->violate;
    s->not_judged += more->not_judged;
    lc_predicted_sum(&s->predicted, &more->predicted);
    s->plain_conform += more->plain_conform;
    s->partial += more->partial;
    s->plain_violate += more->plain_violate;
    s->resources_violate += more->resources_violate;
    s->plain_not_judged += more->plain_not_judged;
    s->met += more->met;
    s->unmet += more->unmet;
    s->known_failing += more->known_failing;
    s->errors += more->errors;
    for (int severity = 0; severity <= LC_ERROR; severity++)
        s->findings[severity] += more->findings[severity];
    for (int severity = 0; severity <= LC_ERROR; severity++)
        s->lints[severity] += more->lints[severity];
    for (int severity = 0; severity <= LC_ERROR; severity++)
        s->violations[severity] += more->violations[severity];
    s->linted |= more->linted;
    s->ignored += more->ignored;
    s->known += more->known;
    s->open_errors += more->open_errors;
    s->open_warnings += more->open_warnings;
    s->open_infos += more->open_infos;
    s->do_not_pass += more->do_not_pass;
    s->only_known += more->only_known;
    add_rules(s, more);
    add_uses(&s->ignores_used, &more->ignores_used);
    s->unapplied += more->unapplied;
    s->failed |= more->failed;
    s->judged_any |= more->judged_any;
    s->stopped |= more->stopped;
}

/* ---- Which findings are new. */

/* A case with an expectation uses the default policy, even for findings that the options hide. */
lc_severity lc_shown_severity(const lc_judged *judged, size_t finding)
{
    lc_policy policy = {.as = LC_PROFILE_DOCUMENT, .fail_on = LC_ERROR};
    lc_severity severity = judged->severities[finding];
    if (judged->expectation == LC_EXPECTATION_NONE)
        return severity;
    lc_severity usual = lc_severity_of(&policy, &judged->judgement.findings.items[finding]);
    return usual > severity ? usual : severity;
}

bool lc_is_open(const lc_judged *judged, size_t finding)
{
    if (judged->suppressed[finding].len)
        return false;
    switch (judged->expectation) {
    case LC_EXPECTATION_NONE:
        return judged->severities[finding] != LC_HIDDEN;
    case LC_EXPECTATION_UNMET:
        return !judged->expected[finding];
    case LC_EXPECTATION_MET:
    case LC_EXPECTATION_KNOWN_FAILING:
        break;
    }
    return false;
}

bool lc_has_changes(const lc_judged *judged)
{
    if (!judged->passes || judged->notes.count || judged->lints.count)
        return true;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (lc_is_open(judged, i))
            return true;
    }
    return false;
}

size_t lc_tallies(lc_tally out[LC_TALLIES], const lc_summary *s)
{
    const lc_tally all[LC_TALLIES] = {
        {"error", "violate", s->plain_violate},
        {"error", "not as expected", s->unmet},
        {"error", "do not pass", s->do_not_pass},
        {"warning", "have known findings only", s->only_known},
        {"good", "conform", s->plain_conform - s->only_known - s->do_not_pass},
        {"good", "as expected", s->met},
        {"warning", "known to fail", s->known_failing},
        {"none", "not checked", s->plain_not_judged},
        {"error", s->open_errors == 1 ? "error" : "errors", s->open_errors},
        {"warning", s->open_warnings == 1 ? "warning" : "warnings", s->open_warnings},
        {"none", s->open_infos == 1 ? "info" : "infos", s->open_infos},
        {"error", s->errors == 1 ? "input error" : "input errors", s->errors}};
    size_t count = 0;
    for (size_t i = 0; i < LC_TALLIES; i++) {
        if (all[i].count)
            out[count++] = all[i];
    }
    return count;
}

void lc_summary_add_violations(lc_buf *out, const lc_summary *s)
{
    lc_severity worst = LC_ERROR;
    while (worst > LC_INFO && s->violations[worst] == 0)
        worst--;
    unsigned long long found = s->violations[worst];
    lc_buf_printf(out, "%llu violation%s in %llu %s%s", found, found == 1 ? "" : "s",
                  (unsigned long long)s->plain_violate,
                  s->resources_violate == s->plain_violate ? "resource" : "case",
                  s->plain_violate == 1 ? "" : "s");
}

static const char *summary_words(const lc_summary *s)
{
    if (s->failed)
        return s->unmet ? "expectations are not met" : "a case does not pass";
    if (s->errors)
        return "an input could not be understood";
    if (!s->judged_any)
        return "nothing was checked";
    if (s->only_known)
        return "only known findings are left";
    if (s->met + s->known_failing == 0)
        return "no violations";
    return s->plain_conform ? "no violations, and all expectations are met"
                            : "all cases meet their expectation";
}

void lc_summary_add_title(lc_buf *out, const lc_summary *s)
{
    lc_buf_add_c(out, "lifecheck: ");
    if (!s->predicted.cases || s->predicted.cases != s->cases) {
        if (s->failed && s->plain_violate)
            lc_summary_add_violations(out, s);
        else
            lc_buf_add_c(out, summary_words(s));
        return;
    }
    lc_predicted_add_words(out, &s->predicted);
    if (s->open_errors)
        lc_buf_printf(out, "; %llu error%s", (unsigned long long)s->open_errors,
                      s->open_errors == 1 ? "" : "s");
}

/* ---- Coverage. */

lc_rule_counts lc_count_rules(const lc_judgement *judgement)
{
    lc_rule_counts counts = {.not_applicable = lc_domain_rules(judgement->domain)};
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (judgement->coverage[rule] == LC_COVER_NOT_APPLICABLE)
            continue;
        counts.checked += judgement->coverage[rule] == LC_COVER_CHECKED;
        counts.not_checked += judgement->coverage[rule] == LC_COVER_NOT_CHECKED;
        counts.not_applicable -= lc_rule_domain((lc_rule)rule) == judgement->domain;
    }
    return counts;
}

/* ---- Gaps. */

/* Inputs are bits of `needs`. A few more numbers are not inputs. */
_Static_assert(LC_NEED_COUNT < 64, "one bit for each input");
enum { NOTHING_YET = LC_NEED_COUNT + 1, SEVERAL };

/* The rules of a family are mostly adjacent, so the last family is tried first. */
static size_t family_of(lc_gaps *gaps, lc_rule rule)
{
    lc_str name = lc_rule_family(rule);
    for (size_t i = gaps->family_count; i-- > 0;) {
        if (lc_str_eq(name, gaps->family[i].name))
            return i;
    }
    size_t added = gaps->family_count++;
    gaps->family[added].name = name;
    gaps->family[added].lacks = NOTHING_YET;
    return added;
}

static void add_missing(unsigned *of_family, unsigned missing)
{
    *of_family = *of_family == NOTHING_YET || *of_family == missing ? missing : SEVERAL;
}

/* One pass over all rules, which also collects the families. */
static size_t find_lacking(lc_gaps *out, uint16_t *rules, uint16_t *families)
{
    const lc_judgement *judgement = out->judgement;
    size_t count = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_coverage coverage = judgement->coverage[rule];
        if (coverage != LC_COVER_CHECKED && coverage != LC_COVER_NOT_CHECKED)
            continue;
        bool lacks = coverage == LC_COVER_NOT_CHECKED;
        unsigned missing = lacks ? (unsigned)judgement->missing[rule] : (unsigned)SEVERAL;
        size_t family = family_of(out, (lc_rule)rule);
        add_missing(&out->family[family].lacks, missing);
        if (!lacks)
            continue;
        rules[count] = (uint16_t)rule;
        families[count++] = (uint16_t)family;
        out->needs |= (uint64_t)1 << missing;
        out->from[missing + 1]++;
    }
    return count;
}

void lc_gaps_init(lc_gaps *out, const lc_judgement *judgement)
{
    uint16_t rules[LC_RULE_COUNT], families[LC_RULE_COUNT], at[LC_NEED_COUNT + 2];
    out->judgement = judgement;
    out->needs = 0;
    out->family_count = 0;
    memset(out->from, 0, sizeof out->from);
    size_t count = find_lacking(out, rules, families);
    for (size_t need = 0; need <= LC_NEED_COUNT; need++)
        out->from[need + 1] = (uint16_t)(out->from[need + 1] + out->from[need]);
    memcpy(at, out->from, sizeof at);
    for (size_t i = 0; i < count; i++) {
        size_t place = at[judgement->missing[rules[i]]]++;
        out->rules[place] = rules[i];
        out->families[place] = families[i];
    }
}

/* Everything of the family that applies does not have this input. */
static bool whole_family_lacks(const lc_gaps *gaps, size_t family, lc_need need)
{
    return gaps->family[family].lacks == need;
}

static lc_str starred(lc_arena *arena, lc_str family)
{
    char *name = lc_arena_alloc(arena, family.len + 2);
    memcpy(name, family.ptr, family.len);
    memcpy(name + family.len, "/*", 2);
    return (lc_str){name, family.len + 2};
}

lc_str lc_not_checked_reason(lc_arena *arena, lc_need need)
{
    if (need == LC_NEED_LIMIT)
        return LC_STR("not checked: a limit was reached");
    return lc_str_printf(arena, "not checked: needs %s", lc_need_name(need));
}

bool lc_gap_of(lc_gap *out, lc_arena *arena, const lc_gaps *gaps, lc_need need)
{
    bool reported[LC_RULE_COUNT];
    if (!(gaps->needs & (uint64_t)1 << need))
        return false;
    memset(reported, 0, gaps->family_count * sizeof *reported);
    out->by_version = need == LC_NEED_COUNT;
    out->missing = out->by_version ? "this version" : lc_need_name(need);
    out->reason = out->by_version ? LC_STR("not checked by this version")
                                  : lc_not_checked_reason(arena, need);
    out->name_count = out->rule_count = 0;
    for (size_t i = gaps->from[need]; i < gaps->from[need + 1]; i++) {
        unsigned rule = gaps->rules[i];
        size_t family = gaps->families[i];
        out->rule_count++;
        if (!whole_family_lacks(gaps, family, need))
            out->names[out->name_count++] = lc_rule_get((lc_rule)rule)->slug;
        else if (!reported[family])
            out->names[out->name_count++] = starred(arena, gaps->family[family].name);
        reported[family] = true;
    }
    return true;
}
