/* What a trial has found: which law it belongs to, and whether it is new. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_SHOWN 3 /* of one rule and law */

/* ---- Which law. */

/* One of the words of `rules`, exactly or as a glob. */
static bool lists(const lc_law_info *law, lc_str slug, bool exactly)
{
    for (size_t at = 0; at < law->rules.len;) {
        size_t end = lc_str_find(law->rules, at, ' ');
        lc_str word = lc_str_sub(law->rules, at, end);
        if (exactly ? lc_str_eq(word, slug) : lc_str_matches_glob(slug, word))
            return true;
        at = end + 1;
    }
    return false;
}

/* A call without an answer belongs to law 41, whatever the call was. A rule that one law lists by
 * name belongs to this law. Rules about final plans belong to law 1 or 2 unless the law of the
 * trial lists them too. Every other rule is about a single answer: law 32. */
static lc_law law_of(const lc_trial_spec *spec, lc_rule rule, bool stored)
{
    lc_law tried = spec->law;
    lc_str slug = lc_rule_get(rule)->slug;
    if (rule == LC_RULE_WIRE_RPC_ERROR)
        return LC_LAW_41;
    if (lc_str_is(lc_rule_family(rule), "gate"))
        return LC_LAW_39;
    if (tried != LC_LAW_32 && lists(lc_law_get(tried), slug, true))
        return tried;
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        if (lists(lc_law_get(law), slug, true))
            return law;
    }
    if (tried != LC_LAW_32 && lists(lc_law_get(tried), slug, false))
        return tried;
    if (lc_str_starts_with(slug, LC_STR("final/")))
        return stored ? LC_LAW_2 : LC_LAW_1;
    return LC_LAW_32;
}

/* A generated object has null where a plan has an unknown, which no real object has. What such a
 * null contradicts is not the provider's fault. */
static bool is_of_unknown(const lc_trial *trial, const lc_finding *f)
{
    bool null = false;
    const lc_value *planned =
        trial->invented_from ? lc_path_apply(trial->arena, trial->invented_from, f->path) : NULL;
    for (size_t i = 0; i < LC_COLUMN_COUNT; i++) {
        bool one = i == (size_t)f->promised_by || i == (size_t)f->broken_by;
        null |= one && f->values[i].given &&
                (lc_str_is(f->values[i].json, "null") ||
                 lc_str_is(f->values[i].json, "{\"$sensitive\":\"null\"}"));
    }
    return null && planned && lc_is_unknown(planned);
}

lc_str lc_place_of(lc_arena *arena, const lc_finding *finding)
{
    lc_buf place = {0};
    lc_add_type_path(&place, finding);
    return lc_buf_take(arena, &place);
}

/* ---- Confirming. */

/* Is a finding taken: does it fail, or are two versions compared, whose differences all count? */
static bool is_wanted(const lc_examination *exam, const lc_judged *judged, size_t i)
{
    if (!exam->newer)
        return lc_finding_fails(judged, exam->prober->options->policy, i);
    return judged->severities[i] > LC_HIDDEN &&
           lc_str_is(lc_rule_family(judged->judgement.findings.items[i].rule), "gate");
}

bool lc_has_finding(const lc_examination *exam, const lc_trial *trial, const lc_judged *judged,
                    lc_rule rule, lc_str place)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        if (f->rule == rule && !is_of_unknown(trial, f) && is_wanted(exam, judged, i) &&
            lc_str_eq(lc_place_of(trial->arena, f), place))
            return true;
    }
    return false;
}

/* An object that no apply made may be one that none can make. So what is found with one has to be
 * there with another, of which nothing is null that the provider computes, unless it refuses it.
 * A provider that ends is at fault with any. */
bool lc_is_confirmed(const lc_trial *trial, lc_rule rule, lc_str place)
{
    lc_judged judged;
    if (!trial->invented_from || trial->filled || rule == LC_RULE_WIRE_RPC_ERROR ||
        lc_is_wholly_known(trial->invented_from))
        return true;
    lc_trial again = {
        .exam = trial->exam, .spec = trial->spec, .arena = lc_arena_new(), .filled = true};
    bool built = lc_trial_judge(&again, &judged);
    bool out_of_budget = trial->exam->cache->exhausted;
    bool confirmed = built ? lc_has_finding(trial->exam, &again, &judged, rule, place)
                           : again.refused || out_of_budget;
    lc_arena_free(again.arena);
    return confirmed;
}

/* ---- Calls that were cut short. */

static bool was_cut_short(const lc_trial *trial)
{
    for (size_t i = 0; i < trial->scenario.subject.runs.count; i++) {
        const lc_run *run = &trial->scenario.subject.runs.items[i];
        for (size_t k = 0; k < run->calls.count; k++) {
            if (lc_str_is(run->calls.items[k].broke_with, "DeadlineExceeded"))
                return true;
        }
    }
    return false;
}

/* A provider without network access may wait for the network until the deadline; it is at fault
 * only if it had access. */
static void excuse_waiting(const lc_trial *trial, lc_probe_finding *finding)
{
    lc_prober *prober = trial->exam->prober;
    if (!prober->options->offline || finding->rule != LC_RULE_WIRE_RPC_ERROR ||
        !was_cut_short(trial))
        return;
    finding->fails = false;
    finding->severity = LC_WARNING;
    finding->message = lc_str_printf(
        prober->arena, "%.*s; without a network it may have waited for one: run without --offline",
        LC_FMT(finding->message));
}

/* ---- New findings. */

/* Laws 1 to 8 detect the same violation in many ways; it is reported once, for the law that
 * detected it first. */
static lc_str key_of(lc_examination *exam, lc_law law, lc_rule rule, lc_str at)
{
    if (lc_str_starts_with(lc_rule_get(rule)->slug, LC_STR("final/")))
        law = LC_LAW_1;
    return lc_str_printf(exam->arena, "%d %d %.*s", (int)law, (int)rule, LC_FMT(at));
}

static bool is_new(lc_examination *exam, lc_law law, lc_rule rule, lc_str at)
{
    return lc_table_put(&exam->seen, key_of(exam, law, rule, at), exam) == NULL;
}

/* Findings about what a client sends would be errors of lifecheck itself; they are reported, not
 * counted. */
static void doubt_ourselves(lc_examination *exam, const lc_finding *f)
{
    const lc_probe_hooks *hooks = &exam->prober->options->hooks;
    lc_str place = lc_place_of(exam->arena, f);
    if (!hooks->on_event || !is_new(exam, LC_LAW_COUNT, f->rule, place))
        return;
    hooks->on_event(hooks->context,
                    lc_str_printf(exam->arena,
                                  "a bug in lifecheck, please report it: %.*s: %.*s at %.*s",
                                  LC_FMT(exam->result->name), LC_FMT(lc_rule_get(f->rule)->slug),
                                  LC_FMT(f->path_text)));
}

/* What a single answer breaks with any value is not about the values that a law tries. */
static bool is_of_all(lc_examination *exam, lc_law law, lc_rule rule, lc_str at)
{
    lc_str slug = lc_rule_get(rule)->slug;
    bool single = !lc_str_starts_with(slug, LC_STR("final/")) &&
                  !lists(lc_law_get(law), slug, true) && law != LC_LAW_32;
    return single &&
           lc_table_get(&exam->seen, lc_str_printf(exam->arena, "%d %d %.*s", (int)LC_LAW_32,
                                                   (int)rule, LC_FMT(at)));
}

/* Findings that differ in their places only have the same cause, most often. */
static size_t alike(const lc_examination *exam, const lc_probe_finding *finding)
{
    size_t count = 0;
    for (size_t i = 0; i < exam->result->findings.count; i++) {
        const lc_probe_finding *f = &exam->result->findings.items[i];
        count += f->fails && f->law == finding->law && f->rule == finding->rule;
    }
    return count;
}

/* How it exited is known once it was started anew, which shrinking has done. */
static void add_last_words(lc_examination *exam, lc_probe_finding *finding)
{
    lc_str words = exam->cache->last_words;
    size_t end = lc_str_find(words, 0, '\n');
    if (finding->rule == LC_RULE_WIRE_RPC_ERROR && words.len) {
        finding->message = lc_str_printf(exam->prober->arena, "%.*s: %.*s",
                                         LC_FMT(finding->message), (int)end, words.ptr);
        if (end < words.len)
            finding->stack = lc_str_sub(words, end + 1, words.len);
    }
    exam->cache->last_words = LC_STR_EMPTY;
}

static lc_probe_finding describe(const lc_trial *trial, const lc_judged *judged, size_t i)
{
    lc_arena *arena = trial->exam->prober->arena;
    const lc_finding *f = &judged->judgement.findings.items[i];
    return (lc_probe_finding){
        .law = law_of(trial->spec, f->rule, trial->invented_from || trial->spec->real),
        .rule = f->rule,
        .severity = judged->severities[i],
        .call = f->call.kind,
        .place = lc_place_of(arena, f),
        .path = lc_str_copy(arena, f->path_text),
        .message = lc_str_copy(arena, f->message),
        .tolerated = lc_finding_is_tolerated(f),
        .fails = is_wanted(trial->exam, judged, i),
        .stack = LC_STR_EMPTY,
        .file = LC_STR_EMPTY,
        .unwritten = LC_STR_EMPTY,
        .terraform = LC_STR_EMPTY,
        .confirmed = LC_STR_EMPTY,
        .unconfirmed = LC_STR_EMPTY};
}

/* Reported at the lowest severity: only an object of a state file could confirm it. */
static void take_doubtful(lc_examination *exam, lc_probe_finding *finding)
{
    lc_str key = key_of(exam, finding->law, finding->rule, finding->place);
    if (lc_table_put(&exam->seen, lc_str_printf(exam->arena, "? %.*s", LC_FMT(key)), exam))
        return;
    finding->fails = false;
    finding->severity = LC_INFO;
    finding->message = lc_str_printf(exam->prober->arena,
                                     "%.*s (not confirmed: only with a generated stored object of "
                                     "which Computed values are null)",
                                     LC_FMT(finding->message));
    *LC_PUSH(exam->prober->arena, &exam->result->findings, lc_probe_finding) = *finding;
}

/* Is it there too when another process of the older version takes the place of the newer one? */
static bool shows_in_older(lc_trial *trial, const lc_probe_finding *finding)
{
    lc_examination *exam = trial->exam;
    lc_prober *newer = exam->newer, *other = newer ? lc_prober_controller(exam->prober) : NULL;
    const lc_schema *schema = exam->newer_schema;
    lc_judged judged;
    if (!other)
        return false;
    exam->newer = other;
    exam->newer_schema = lc_prober_schema(other, exam->schema->kind, exam->schema->type_name);
    lc_trial again = {.exam = exam, .spec = trial->spec, .arena = lc_arena_new()};
    bool shows = exam->newer_schema && lc_trial_judge(&again, &judged) &&
                 lc_has_finding(exam, &again, &judged, finding->rule, finding->place);
    lc_arena_free(again.arena);
    exam->newer = newer;
    exam->newer_schema = schema;
    return shows;
}

static void take(lc_trial *trial, const lc_judged *judged, size_t i)
{
    lc_examination *exam = trial->exam;
    lc_probe_finding finding = describe(trial, judged, i);
    if (lc_table_get(&exam->seen, key_of(exam, finding.law, finding.rule, finding.place)) ||
        is_of_all(exam, finding.law, finding.rule, finding.place))
        return;
    if (finding.fails && !lc_is_confirmed(trial, finding.rule, finding.place)) {
        take_doubtful(exam, &finding);
        return;
    }
    if (shows_in_older(trial, &finding)) {
        (void)is_new(exam, finding.law, finding.rule, finding.place);
        lc_not_tried(exam, finding.law,
                     "another process of the old version also responds differently");
        return;
    }
    (void)is_new(exam, finding.law, finding.rule, finding.place);
    excuse_waiting(trial, &finding);
    if (finding.fails && alike(exam, &finding) < MOST_SHOWN)
        lc_show_finding(trial, judged, &finding);
    else if (finding.fails)
        finding.unwritten = LC_STR("scenarios show the same at other places");
    add_last_words(exam, &finding);
    *LC_PUSH(exam->prober->arena, &exam->result->findings, lc_probe_finding) = finding;
    exam->result->failing += finding.fails;
    exam->result->tolerated += !finding.fails && finding.tolerated;
    exam->result->warnings +=
        !finding.fails && !finding.tolerated && finding.severity >= LC_WARNING;
}

/* What follows from another finding counts only where the law asks for it by name. */
static bool counts(const lc_trial *trial, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    bool own =
        f->follows < 0 || lists(lc_law_get(trial->spec->law), lc_rule_get(f->rule)->slug, true);
    if (trial->exam->newer) /* the caller that gathers them applies the ignores */
        return f->follows < 0;
    return judged->severities[i] > LC_HIDDEN && judged->suppressed[i].len == 0 && own &&
           lc_policy_selects(trial->exam->prober->options->policy, f->rule);
}

static void take_all(lc_trial *trial, const lc_judged *judged)
{
    lc_examination *exam = trial->exam;
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        if (exam->newer && !is_wanted(exam, judged, i))
            continue;
        if (lc_finding_blame(f) != LC_PROVIDER)
            doubt_ourselves(exam, f);
        else if (counts(trial, judged, i) && !is_of_unknown(trial, f))
            take(trial, judged, i);
    }
}

void lc_add_gap(lc_examination *exam, const char *why, uint32_t count)
{
    size_t i = 0;
    while (i < exam->result->gaps.count && !lc_str_is(exam->result->gaps.items[i].why, why))
        i++;
    if (i == exam->result->gaps.count)
        *LC_PUSH(exam->prober->arena, &exam->result->gaps, lc_probe_gap) =
            (lc_probe_gap){lc_str_from_c(why), 0};
    exam->result->gaps.items[i].count += count;
}

void lc_not_tried(lc_examination *exam, lc_law law, const char *why)
{
    lc_probe_law *result = &exam->result->laws[law];
    if (exam->newer)
        lc_add_gap(exam, why, 1);
    result->skipped++;
    if (result->why.len == 0)
        result->why = lc_str_from_c(why);
}

void lc_run_trial(lc_examination *exam, const lc_trial_spec *spec)
{
    lc_judged judged;
    lc_trial trial = {.exam = exam, .spec = spec, .arena = lc_arena_new()};
    if (exam->stop || !lc_peer_cache_has_budget(exam->cache)) {
        exam->stop = true;
        lc_not_tried(exam, spec->law, "time or calls ran out");
    } else if (!lc_trial_judge(&trial, &judged)) {
        lc_not_tried(exam, spec->law, trial.why ? trial.why : "its precondition is not met");
    } else {
        exam->result->laws[spec->law].trials++;
        take_all(&trial, &judged);
    }
    lc_arena_free(trial.arena);
}
