/* Sums over cases, and what could not be checked in one case. */
#include "internal.h"
#include "lifecheck/arena.h"

#include <string.h>

/* ---- Sums. */

static void count_verdict(lc_summary *s, const lc_judged *judged)
{
    bool plain = judged->expectation == LC_EXPECTATION_NONE;
    switch (judged->verdict) {
    case LC_CONFORMS:
        s->conform++;
        s->plain_conform += plain;
        break;
    case LC_VIOLATES:
        s->violate++;
        s->plain_violate += plain;
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
        s->open_errors += severity == LC_ERROR;
        s->open_warnings += severity == LC_WARNING;
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
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        s->rule_checked[rule] |= judged->judgement.coverage[rule] == LC_COVER_CHECKED;
        s->rule_not_checked[rule] |= judged->judgement.coverage[rule] == LC_COVER_NOT_CHECKED;
    }
}

void lc_summary_add(lc_summary *s, const lc_summary *more)
{
    s->cases += more->cases;
    s->conform += more->conform;
    s->violate += more->violate;
    s->not_judged += more->not_judged;
    s->plain_conform += more->plain_conform;
    s->plain_violate += more->plain_violate;
    s->plain_not_judged += more->plain_not_judged;
    s->met += more->met;
    s->unmet += more->unmet;
    s->known_failing += more->known_failing;
    s->errors += more->errors;
    for (int severity = 0; severity <= LC_ERROR; severity++)
        s->findings[severity] += more->findings[severity];
    for (int severity = 0; severity <= LC_ERROR; severity++)
        s->lints[severity] += more->lints[severity];
    s->linted |= more->linted;
    s->ignored += more->ignored;
    s->known += more->known;
    s->open_errors += more->open_errors;
    s->open_warnings += more->open_warnings;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        s->rule_checked[rule] |= more->rule_checked[rule];
        s->rule_not_checked[rule] |= more->rule_not_checked[rule];
    }
    add_uses(&s->ignores_used, &more->ignores_used);
    s->failed |= more->failed;
    s->judged_any |= more->judged_any;
}

/* ---- Which findings are news. */

/* In a case with an expectation the default policy rules, whatever the options hide. */
lc_severity lc_shown_severity(const lc_judged *judged, size_t finding)
{
    lc_policy policy = {.as = LC_AS_DOCUMENT, .fail_on = LC_ERROR};
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

bool lc_has_news(const lc_judged *judged)
{
    if (!judged->passes || judged->notes.count || judged->lints.count)
        return true;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (lc_is_open(judged, i))
            return true;
    }
    return false;
}

const char *lc_summary_words(const lc_summary *s)
{
    if (s->failed)
        return "promises are broken";
    if (s->errors)
        return "an input could not be understood";
    return s->judged_any ? "all promises are kept" : "nothing was judged";
}

/* ---- Coverage. */

lc_rule_counts lc_count_rules(const lc_judgement *judgement)
{
    lc_rule_counts counts = {0, 0, 0};
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        counts.checked += judgement->coverage[rule] == LC_COVER_CHECKED;
        counts.not_applicable += judgement->coverage[rule] == LC_COVER_NOT_APPLICABLE &&
                                 lc_rule_domain((lc_rule)rule) == judgement->domain;
        counts.not_checked += judgement->coverage[rule] == LC_COVER_NOT_CHECKED;
    }
    return counts;
}

static lc_str family_of(unsigned rule)
{
    lc_str slug = lc_rule_get((lc_rule)rule)->slug;
    const char *slash = memchr(slug.ptr, '/', slug.len);
    return lc_str_sub(slug, 0, slash ? (size_t)(slash - slug.ptr) : slug.len);
}

static bool lacks(const lc_judgement *judgement, unsigned rule, lc_need need)
{
    return judgement->coverage[rule] == LC_COVER_NOT_CHECKED && judgement->missing[rule] == need;
}

/* Everything of the family that applies lacks this input. */
static bool whole_family_lacks(const lc_judgement *judgement, lc_str family, lc_need need)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        bool judged = lc_rule_get((lc_rule)rule)->judged || need == LC_NEED_COUNT;
        if (judged && judgement->coverage[rule] != LC_COVER_NOT_APPLICABLE &&
            lc_str_eq(family_of(rule), family) && !lacks(judgement, rule, need))
            return false;
    }
    return true;
}

static bool starts_family(const lc_judgement *judgement, unsigned rule, lc_need need)
{
    lc_str family = family_of(rule);
    for (unsigned earlier = 0; earlier < rule; earlier++) {
        if (lacks(judgement, earlier, need) && lc_str_eq(family_of(earlier), family))
            return false;
    }
    return true;
}

bool lc_gap_of(lc_gap *out, lc_arena *arena, const lc_judgement *judgement, lc_need need)
{
    out->by_version = need == LC_NEED_COUNT;
    out->missing = out->by_version ? "this version" : lc_need_name(need);
    out->name_count = out->rule_count = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (!lacks(judgement, rule, need))
            continue;
        out->rule_count++;
        lc_str family = family_of(rule);
        if (!whole_family_lacks(judgement, family, need))
            out->names[out->name_count++] = lc_rule_get((lc_rule)rule)->slug;
        else if (starts_family(judgement, rule, need))
            out->names[out->name_count++] = lc_str_printf(arena, "%.*s/*", LC_FMT(family));
    }
    return out->rule_count > 0;
}
