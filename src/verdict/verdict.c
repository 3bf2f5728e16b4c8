/* From a judgement to what the exit status depends on.
 *
 * The order matters: ignores come first, because what they suppress is not compared with anything;
 * then severities by the policy; then the expectation, which is compared under the default policy;
 * then the verdict, which uses the given policy. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/contract/planning.h"
#include "lifecheck/diagnose/diagnose.h"
#include "verdict/internal.h"

#include <stdio.h>
#include <string.h>

LC_ENUM_NAMES(lc_verdict, LC_VERDICTS);

LC_ENUM_NAMES(lc_suppressor, LC_SUPPRESSORS);

LC_ENUM_NAMES(lc_expectation_result, LC_EXPECTATION_RESULTS);

void lc_add_failure(lc_judged *judged, lc_arena *arena, const char *kind, lc_loc loc, lc_str detail)
{
    *LC_PUSH(arena, &judged->failures, lc_expectation_failure) =
        (lc_expectation_failure){kind, detail, loc};
}

void lc_add_note(lc_judged *judged, lc_arena *arena, const char *kind, lc_loc loc, lc_str detail)
{
    *LC_PUSH(arena, &judged->notes, lc_expectation_failure) =
        (lc_expectation_failure){kind, detail, loc};
}

/* ---- Severities. */

static bool matches_any(lc_str slug, const lc_str *globs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lc_str_matches_glob(slug, globs[i]))
            return true;
    }
    return false;
}

/* Without --select all rules are selected; --ignore wins. */
bool lc_policy_selects(const lc_policy *policy, lc_rule rule)
{
    lc_str slug = lc_rule_get(rule)->slug;
    return (policy->select_count == 0 || matches_any(slug, policy->select, policy->select_count)) &&
           !matches_any(slug, policy->ignore, policy->ignore_count);
}

/* Entries of rules that were not checked must not shrink, and are not reported as unused. */
void lc_policy_set_aside(const lc_policy *policy)
{
    for (size_t i = 0; policy->baseline && i < policy->baseline->list.count; i++) {
        lc_known *known = policy->baseline->list.items[i];
        lc_rule rule;
        known->aside = lc_rule_from_slug(&rule, known->rule) && !lc_policy_selects(policy, rule);
    }
}

/* A finding from doubtful evidence (a recording that may be incomplete) is at most a warning. The
 * evidence of a scenario is what its author states, so it is never doubtful. */
static lc_severity severity_in_case(const lc_policy *policy, const lc_case *c, const lc_finding *f)
{
    if (!lc_policy_selects(policy, f->rule))
        return LC_HIDDEN;
    lc_severity severity = lc_severity_of(policy, f);
    bool capped = f->doubtful && c->source != LC_SOURCE_SCENARIO && severity > LC_WARNING;
    return capped ? LC_WARNING : severity;
}

/* ---- Fingerprints: stable when values, indices and keys change. */

void lc_add_type_path(lc_buf *out, const lc_finding *finding)
{
    lc_path path = finding->path;
    for (size_t i = 0; i + finding->unnamed < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        lc_buf_add_char(out, '.');
        lc_buf_add_str(out, path.steps[i].name);
    }
}

/* An address without instance keys, which may change: "module.m.demo_disk.a". */
static void add_without_keys(lc_buf *buf, lc_str address)
{
    bool key = false, quoted = false;
    for (size_t i = 0; i < address.len; i++) {
        char c = address.ptr[i];
        if (c == '"')
            quoted = !quoted;
        if (quoted && c == '\\' && ++i < address.len)
            continue;
        if (!quoted && c == '[')
            key = true;
        if (!key)
            lc_buf_add_char(buf, c);
        if (!quoted && c == ']')
            key = false;
    }
}

/* Rule, address, type and path, separated by NUL so that no two combinations give the same bytes.
 * Fingerprints are stored in baselines: this must not change. */
static void add_fingerprint(char out[17], const lc_case *c, const lc_finding *f)
{
    lc_buf buf = {0};
    lc_buf_add_str(&buf, lc_rule_get(f->rule)->slug);
    lc_buf_add_char(&buf, '\0');
    add_without_keys(&buf, f->address);
    lc_buf_add_char(&buf, '\0');
    lc_buf_add_str(&buf, c->type);
    lc_buf_add_char(&buf, '\0');
    lc_add_type_path(&buf, f);
    uint64_t hash = lc_str_fingerprint(lc_buf_str(&buf));
    snprintf(out, 17, "%08lx%08lx", (unsigned long)(hash >> 32 & 0xffffffffu),
             (unsigned long)(hash & 0xffffffffu));
    lc_buf_release(&buf);
}

/* Sets severities and fingerprints of all findings. */
static void grade(lc_judged *out, lc_arena *arena, const lc_policy *policy)
{
    const lc_case *c = &out->scenario->subject;
    size_t count = out->judgement.findings.count;
    out->severities = LC_NEW_ARRAY(arena, lc_severity, count);
    out->fingerprints = lc_arena_array(arena, count, sizeof *out->fingerprints);
    for (size_t i = 0; i < count; i++) {
        const lc_finding *f = &out->judgement.findings.items[i];
        out->severities[i] = severity_in_case(policy, c, f);
        add_fingerprint(out->fingerprints[i], c, f);
    }
}

lc_str lc_finding_about(const lc_judged *judged, const lc_finding *finding)
{
    return finding->address.len ? finding->address : judged->scenario->subject.type;
}

/* ---- The verdict. */

/* A run without calls, configuration and states. */
static bool holds_nothing(const lc_run *run)
{
    return run->calls.count == 0 && run->logged_count == 0 &&
           run->config.state == LC_FIELD_ABSENT && run->final_config.state == LC_FIELD_ABSENT &&
           run->prior_state.state == LC_FIELD_ABSENT && !run->previous_run_state.given;
}

static bool holds_only_schema(const lc_case *c)
{
    for (size_t i = 0; i < c->runs.count; i++) {
        if (!holds_nothing(&c->runs.items[i]))
            return false;
    }
    return true;
}

/* Rules about schemas, or about calls that failed, do not judge an object. A recording may end
 * before there is an object: it is then judged by the rules that do apply. */
static bool is_about_objects(lc_rule rule)
{
    return lc_rule_get(rule)->calls != LC_CALL_BIT(LC_CALL_SCHEMA) &&
           rule != LC_RULE_WIRE_RPC_ERROR;
}

/* Was a rule checked whose findings can have at least the severity `least`? A case for which this
 * is false must not pass as conforming. */
static bool was_checked(const lc_judged *judged, const lc_policy *policy, lc_severity least)
{
    bool schemas = judged->only_schema && judged->scenario->subject.source != LC_SOURCE_SCENARIO;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if ((schemas || is_about_objects((lc_rule)rule)) &&
            judged->judgement.coverage[rule] == LC_COVER_CHECKED &&
            lc_policy_selects(policy, (lc_rule)rule) &&
            lc_worst_severity(policy, (lc_rule)rule) >= least)
            return true;
    }
    return false;
}

/* A run that only has answers of a provider is judged even by rules that give information only. */
static bool was_judged(const lc_judged *judged, const lc_policy *policy)
{
    const lc_case *c = &judged->scenario->subject;
    bool only_answers = c->runs.count == 1 && c->runs.items[0].only_answers;
    return was_checked(judged, policy, only_answers ? LC_INFO : LC_WARNING);
}

/* Warnings that blame someone other than the provider fail nothing: a recording of one object tests
 * the provider only. A plan is judged as it is, regardless of the client that made it. */
bool lc_blame_can_fail(const lc_finding *finding)
{
    return lc_finding_blame(finding) == LC_PROVIDER ||
           lc_finding_domain(finding) != LC_DOMAIN_LIFECYCLE;
}

/* An error fails a case regardless of the blame. */
bool lc_finding_fails(const lc_judged *judged, const lc_policy *policy, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_severity severity = judged->severities[i];
    return severity != LC_HIDDEN && severity >= policy->fail_on && judged->suppressed[i].len == 0 &&
           (severity == LC_ERROR || lc_blame_can_fail(f));
}

static bool has_violation(const lc_judged *judged, const lc_policy *policy)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (lc_finding_fails(judged, policy, i))
            return true;
    }
    return false;
}

/* Does a client whose verdict counts stop at the finding? */
static bool stops_client(const lc_policy *policy, const lc_finding *f)
{
    static const lc_profile others[] = {
        [LC_OPENTOFU] = LC_PROFILE_TERRAFORM, [LC_TERRAFORM] = LC_PROFILE_OPENTOFU};
    if (policy->client && lc_client_accepts(policy->client, f))
        return false;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (policy->as != others[core] && lc_effect_stops(f->core[core].effect))
            return true;
    }
    return false;
}

/* A client stops or crashes, though the provider is not to blame: what the provider does is not
 * judged then. */
static bool stops_at_evidence(const lc_judged *judged, const lc_policy *policy)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        bool doubtful = f->doubtful && judged->scenario->subject.source != LC_SOURCE_SCENARIO;
        if (stops_client(policy, f) && !doubtful && !lc_blame_can_fail(f) &&
            judged->severities[i] != LC_HIDDEN && judged->suppressed[i].len == 0)
            return true;
    }
    return false;
}

bool lc_client_stops(const lc_judged *judged)
{
    lc_policy either = lc_default_policy();
    return judged->verdict == LC_NOT_JUDGED && judged->expectation == LC_EXPECTATION_NONE &&
           stops_at_evidence(judged, &either);
}

static lc_verdict verdict_of(const lc_judged *judged, const lc_policy *policy)
{
    if (has_violation(judged, policy))
        return LC_VIOLATES;
    if (judged->judgement.open_expectation || stops_at_evidence(judged, policy))
        return LC_NOT_JUDGED;
    return was_judged(judged, policy) ? LC_CONFORMS : LC_NOT_JUDGED;
}

/* ---- The expectation, and known_failing. */

/* A known_failing case must fail, and only until its date; otherwise the mark is stale and fails
 * it. */
static void settle_known_failing(lc_judged *out, lc_arena *arena, const lc_policy *policy,
                                 bool fails)
{
    const lc_scenario *s = out->scenario;
    lc_date until = s->known_failing_until;
    out->expectation = LC_EXPECTATION_KNOWN_FAILING;
    if (!fails) {
        out->expectation = LC_EXPECTATION_UNMET;
        lc_add_failure(out, arena, "stale", s->known_failing_loc,
                       LC_STR("the case is marked known_failing, but it no longer fails"));
    } else if (until && policy->today && until < policy->today) {
        out->expectation = LC_EXPECTATION_UNMET;
        lc_add_failure(out, arena, "stale", s->known_failing_loc,
                       lc_str_printf(arena, "known_failing expired on %.*s",
                                     LC_FMT(lc_date_text(arena, until))));
    }
}

/* With an expectation, a case passes if the expectation is met, regardless of the verdict. */
static void settle_expectation(lc_judged *out, lc_arena *arena, const lc_policy *policy)
{
    bool given = lc_has_expectation(out->scenario);
    if (given) {
        lc_compare_expectations(out, arena);
        out->expectation = out->failures.count ? LC_EXPECTATION_UNMET : LC_EXPECTATION_MET;
    }
    if (out->scenario->known_failing) {
        bool fails = given ? out->failures.count > 0 : out->verdict == LC_VIOLATES;
        settle_known_failing(out, arena, policy, fails);
    }
    out->passes = out->expectation == LC_EXPECTATION_NONE
                      ? out->verdict != LC_VIOLATES
                      : out->expectation != LC_EXPECTATION_UNMET;
}

/* What a scenario expects, but could not be compared. */
static void list_open(lc_judged *out, lc_arena *arena)
{
    for (size_t i = 0; i < out->judgement.open_expectations.count; i++) {
        const lc_open_expectation *open = &out->judgement.open_expectations.items[i];
        lc_add_note(out, arena, "open", open->loc, open->text);
    }
}

/* --require: rules that must have been checked, lest a case passes because of missing inputs. */
static void check_required(lc_judged *out, lc_arena *arena, const lc_policy *policy)
{
    for (unsigned rule = 0; policy->require_count && rule < LC_RULE_COUNT; rule++) {
        lc_str slug = lc_rule_get((lc_rule)rule)->slug;
        if (out->judgement.coverage[rule] != LC_COVER_NOT_CHECKED ||
            !matches_any(slug, policy->require, policy->require_count))
            continue;
        lc_need need = out->judgement.missing[rule];
        lc_str why = need == LC_NEED_COUNT
                         ? LC_STR("this version does not check it")
                         : lc_str_printf(arena, "%s is missing", lc_need_name(need));
        lc_add_note(out, arena, "required", out->scenario->subject.loc,
                    lc_str_printf(arena, "%.*s is required and not checked: %.*s", LC_FMT(slug),
                                  LC_FMT(why)));
        out->passes = false;
    }
}

/* A case with an expectation is compared with that alone: baseline, ignores of the project and
 * --select do not apply to it. */
static bool states_itself(const lc_scenario *scenario)
{
    return scenario->known_failing || lc_has_expectation(scenario);
}

/* In the order of the report, so that of more findings than known the last ones count as new. */
static void suppress_known(lc_judged *out, lc_baseline *baseline)
{
    lc_buf path = {0};
    for (size_t i = 0; i < out->judgement.findings.count; i++) {
        const lc_finding *f = &out->judgement.findings.items[i];
        if (out->severities[i] == LC_HIDDEN || out->suppressed[i].len)
            continue;
        lc_buf_clear(&path);
        lc_add_type_path(&path, f);
        if (!lc_baseline_take(baseline, lc_str_from_c(out->fingerprints[i]),
                              lc_rule_get(f->rule)->slug, lc_finding_about(out, f),
                              path.len ? lc_buf_str(&path) : LC_STR(".")))
            continue;
        out->suppressed[i] = LC_STR(LC_BASELINE_REASON);
        out->suppressors[i] = LC_SUPPRESSED_BY_BASELINE;
    }
    lc_buf_release(&path);
}

void lc_policy_leave_out(const lc_policy *policy, lc_judgement *judgement)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (!lc_policy_selects(policy, (lc_rule)rule))
            judgement->coverage[rule] = LC_COVER_LEFT_OUT;
    }
}

/* For a case that another process judged without the baseline: its verdict remains unless known
 * findings were all that violated. */
void lc_verdict_apply_baseline(lc_judged *out, const lc_policy *policy)
{
    if (!policy->baseline || out->expectation != LC_EXPECTATION_NONE)
        return;
    bool violated = has_violation(out, policy);
    suppress_known(out, policy->baseline);
    if (!violated || has_violation(out, policy))
        return;
    out->verdict = LC_CONFORMS;
    out->passes = true;
    for (size_t i = 0; i < out->notes.count; i++)
        out->passes &= strcmp(out->notes.items[i].kind, "required") != 0;
}

/* Keeps only the judgement of *out; everything else is computed. */
void lc_verdict_apply(lc_judged *out, lc_arena *report, const lc_scenario *scenario,
                      const lc_policy *policy)
{
    size_t count = out->judgement.findings.count;
    lc_judgement judgement = out->judgement;
    memset(out, 0, sizeof *out);
    out->judgement = judgement;
    out->scenario = scenario;
    out->client = policy->client;
    out->only_schema = holds_only_schema(&scenario->subject);
    out->expected = lc_arena_zalloc(report, lc_mul_size(count, sizeof(bool)));
    out->suppressed = LC_NEW_ARRAY(report, lc_str, count);
    out->suppressors = lc_arena_zalloc(report, lc_mul_size(count, sizeof *out->suppressors));
    for (size_t i = 0; i < count; i++)
        out->suppressed[i] = LC_STR_EMPTY;
    lc_apply_ignores(out, report, policy->today);
    if (!states_itself(scenario)) {
        lc_apply_policy_ignores(out, policy);
        lc_policy_leave_out(policy, &out->judgement);
    }
    grade(out, report, policy);
    if (policy->baseline && !states_itself(scenario))
        suppress_known(out, policy->baseline);
    out->verdict = verdict_of(out, policy);
    out->can_fail = was_checked(out, policy, policy->fail_on);
    settle_expectation(out, report, policy);
    list_open(out, report);
    check_required(out, report, policy);
}

void lc_verdict_judge(lc_judged *out, lc_arena *report, lc_arena *scratch, lc_scenario *scenario,
                      const lc_policy *policy)
{
    if (scenario->subject.planning)
        lc_planning_judge(&out->judgement, report, scratch, &scenario->subject);
    else
        lc_case_judge(&out->judgement, report, scratch, &scenario->subject);
    for (size_t i = 0; i < out->judgement.findings.count; i++)
        lc_diagnose(report, &out->judgement.findings.items[i]);
    lc_verdict_apply(out, report, scenario, policy);
    lc_case_set_uses(&out->sets, report, &scenario->subject);
}
