/* Compares findings with the expectations of a scenario's author.
 *
 * In each run, expectations and findings are the two sides of a bipartite graph, with an edge where
 * a finding fits an expectation. We want a matching that covers all expectations, and all findings
 * that must be listed. Augmenting paths never uncover a node, so augmenting first from the findings
 * that must be listed, then from the expectations, covers as many of both as any matching can.
 * Specific expectations are augmented first, so that the vaguest are reported as missing. */
#include "lifecheck/base/arena.h"
#include "verdict/internal.h"

enum { EXPECTATIONS, FINDINGS };
#define UNPAIRED SIZE_MAX

/* One side of the graph. */
typedef struct party {
    size_t count;
    size_t *mate;   /* its partner on the other side, or UNPAIRED */
    size_t *parent; /* in a search: the node of the other side from which this one was reached */
    size_t *seen;   /* number of the last search that reached this node */
} party;

/* The comparison of one run. `wanted` has the expectations by specificity, `found` the findings of
 * the run that are not suppressed. */
typedef struct matching {
    lc_judged *judged;
    lc_arena *arena;
    const lc_expectation *expectation;
    uint32_t run; /* from 1 */
    const lc_expected_finding **wanted;
    size_t *found; /* indices in the judgement */
    bool *listed;  /* for each of `found`: it must be listed */
    party side[2];
    size_t *queue;
    size_t searches;         /* number of searches so far; see `seen` */
    lc_place_index wants;    /* expectations, by exact path or by rule */
    lc_place_index findings; /* findings, by exact path or by rule */
    lc_place_index rules;    /* all findings, by rule */
} matching;

static const lc_finding *finding_at(const matching *m, size_t i)
{
    return &m->judged->judgement.findings.items[m->found[i]];
}

/* ---- Does a finding fit an expectation? */

/* A finding that occurs in several calls is reported once; `also` has the others. */
static bool fits_call(const lc_expected_finding *want, const lc_finding *f)
{
    if (!want->has_call || want->call == f->call.kind)
        return true;
    for (size_t i = 0; i < f->also_count; i++) {
        if (f->also[i].kind == want->call)
            return true;
    }
    return false;
}

/* Effects that are stated for another version of a core are not compared. */
static bool fits_effects(const lc_expected_finding *want, const lc_finding *f)
{
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (want->has_effect[core] && want->current_core[core] &&
            want->effect[core] != f->core[core].effect)
            return false;
    }
    return true;
}

static bool fits_place(const lc_expected_finding *want, const lc_finding *f)
{
    return want->rule == f->rule && (!want->has_path || lc_path_matches(f->path, want->path)) &&
           (want->address.len == 0 || lc_str_eq(want->address, f->address));
}

static bool fits_diagnosis(const lc_expected_finding *want, const lc_finding *f)
{
    if (lc_str_is(want->diagnosis, "none"))
        return f->diagnosis.id.len == 0;
    return want->diagnosis.len == 0 || lc_str_eq(want->diagnosis, f->diagnosis.id);
}

static bool fits(const lc_expected_finding *want, const lc_finding *f)
{
    return fits_place(want, f) && fits_call(want, f) && fits_effects(want, f) &&
           fits_diagnosis(want, f);
}

static bool has_edge(const matching *m, int from, size_t a, size_t b)
{
    size_t expectation = from == EXPECTATIONS ? a : b;
    size_t finding = from == EXPECTATIONS ? b : a;
    return fits(m->wanted[expectation], finding_at(m, finding));
}

/* The nodes of the other side that can fit: those with the same exact path, and those of the rule
 * without one. This avoids trying all pairs. */
static void candidates_of(const matching *m, int from, size_t node, const lc_place_items *out[2])
{
    static const lc_place_items none = {NULL, 0, 0};
    out[1] = &none;
    if (from == FINDINGS) {
        const lc_finding *f = finding_at(m, node);
        out[0] = lc_place_index_at(&m->wants, f->rule, f->path);
        out[1] = lc_place_index_of_rule(&m->wants, f->rule);
        return;
    }
    const lc_expected_finding *want = m->wanted[node];
    bool exact = want->has_path && lc_path_is_exact(want->path);
    out[0] = exact ? lc_place_index_at(&m->findings, want->rule, want->path)
                   : lc_place_index_of_rule(&m->rules, want->rule);
}

/* ---- Matching. */

/* Exchanges matched and unmatched edges along the path that ends at `last`. */
static void flip(matching *m, int from, size_t last)
{
    party *here = &m->side[from], *there = &m->side[1 - from];
    while (last != UNPAIRED) {
        size_t node = there->parent[last];
        size_t next = here->mate[node];
        here->mate[node] = last;
        there->mate[last] = node;
        last = next;
    }
}

/* Breadth-first search for an augmenting path from `start` to an unmatched node of the other side.
 */
static void augment(matching *m, int from, size_t start)
{
    party *there = &m->side[1 - from];
    size_t head = 0, tail = 0;
    m->searches++;
    m->queue[tail++] = start;
    while (head < tail) {
        size_t node = m->queue[head++];
        const lc_place_items *candidates[2];
        candidates_of(m, from, node, candidates);
        for (size_t i = 0; i < candidates[0]->count + candidates[1]->count; i++) {
            size_t other = i < candidates[0]->count
                               ? candidates[0]->items[i]
                               : candidates[1]->items[i - candidates[0]->count];
            if (there->seen[other] == m->searches || !has_edge(m, from, node, other))
                continue;
            there->seen[other] = m->searches;
            there->parent[other] = node;
            if (there->mate[other] == UNPAIRED) {
                flip(m, from, other);
                return;
            }
            m->queue[tail++] = there->mate[other];
        }
    }
}

/* Path and address count most, since they determine the place. */
static unsigned specificity(const lc_expected_finding *want)
{
    return (want->has_path ? 8u : 0u) + (want->address.len ? 8u : 0u) + (want->has_call ? 1u : 0u) +
           (want->diagnosis.len ? 1u : 0u) + (want->has_effect[LC_OPENTOFU] ? 1u : 0u) +
           (want->has_effect[LC_TERRAFORM] ? 1u : 0u);
}

#define MOST_SPECIFIC 20
#define MOST_TRIED    1000 /* findings that may be what the author meant */

/* A stable sort by specificity, as the levels are few. */
static void collect_wanted(matching *m)
{
    size_t count = m->expectation->findings.count, n = 0;
    m->wanted = LC_NEW_ARRAY(m->arena, const lc_expected_finding *, count);
    for (unsigned level = MOST_SPECIFIC + 1; level-- > 0;) {
        for (size_t i = 0; i < count; i++) {
            if (specificity(&m->expectation->findings.items[i]) == level)
                m->wanted[n++] = &m->expectation->findings.items[i];
        }
    }
    m->side[EXPECTATIONS].count = count;
}

/* Must the finding be listed? In a run without an expectation, only if it would fail a case.
 * Otherwise warnings and errors must be, unless they follow from another finding. */
static bool has_to_be_listed(const matching *m, const lc_finding *f)
{
    lc_policy policy = lc_default_policy();
    lc_severity severity = lc_severity_of(&policy, f);
    if (!m->expectation->given)
        return severity == LC_ERROR && lc_blame_can_fail(f);
    return severity > LC_INFO && f->follows < 0;
}

static void collect_found(matching *m)
{
    const lc_judgement *judgement = &m->judged->judgement;
    size_t count = judgement->findings.count, n = 0;
    m->found = LC_NEW_ARRAY(m->arena, size_t, count);
    m->listed = LC_NEW_ARRAY(m->arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        const lc_finding *f = &judgement->findings.items[i];
        if (f->run != m->run || m->judged->suppressed[i].len)
            continue;
        m->found[n] = i;
        m->listed[n++] = has_to_be_listed(m, f);
    }
    m->side[FINDINGS].count = n;
}

static void prepare_sides(matching *m)
{
    for (int s = 0; s < 2; s++) {
        party *p = &m->side[s];
        p->mate = LC_NEW_ARRAY(m->arena, size_t, p->count);
        p->parent = LC_NEW_ARRAY(m->arena, size_t, p->count);
        p->seen = lc_arena_zalloc(m->arena, lc_mul_size(p->count, sizeof *p->seen));
        for (size_t i = 0; i < p->count; i++)
            p->mate[i] = UNPAIRED;
    }
    lc_place_index_init(&m->wants, m->arena);
    lc_place_index_init(&m->findings, m->arena);
    lc_place_index_init(&m->rules, m->arena);
    for (size_t i = 0; i < m->side[EXPECTATIONS].count; i++)
        lc_place_index_add(&m->wants, m->wanted[i]->rule,
                           m->wanted[i]->has_path ? &m->wanted[i]->path : NULL, i);
    for (size_t i = 0; i < m->side[FINDINGS].count; i++) {
        lc_place_index_add(&m->findings, finding_at(m, i)->rule, &finding_at(m, i)->path, i);
        lc_place_index_add(&m->rules, finding_at(m, i)->rule, NULL, i);
    }
    m->queue = LC_NEW_ARRAY(m->arena, size_t,
                            lc_add_size(m->side[EXPECTATIONS].count + 1, m->side[FINDINGS].count));
}

static void assign(matching *m)
{
    for (size_t i = 0; i < m->side[FINDINGS].count; i++) {
        if (m->listed[i])
            augment(m, FINDINGS, i);
    }
    for (size_t i = 0; i < m->side[EXPECTATIONS].count; i++) {
        if (m->side[EXPECTATIONS].mate[i] == UNPAIRED)
            augment(m, EXPECTATIONS, i);
    }
}

/* ---- Messages. */

static lc_str describe_wanted(lc_arena *arena, const lc_expected_finding *want)
{
    lc_buf buf = {0};
    lc_buf_add_str(&buf, lc_rule_get(want->rule)->slug);
    if (want->address.len)
        lc_buf_printf(&buf, " of %.*s", LC_FMT(want->address));
    if (want->has_path) {
        lc_buf_add_c(&buf, " at ");
        lc_path_add_text(&buf, want->path);
    }
    if (want->has_call)
        lc_buf_printf(&buf, " in %s", lc_call_kind_name(want->call));
    if (want->diagnosis.len)
        lc_buf_printf(&buf, " with diagnosis %.*s", LC_FMT(want->diagnosis));
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (want->has_effect[core])
            lc_buf_printf(&buf, ", %s: %s", lc_core_name((lc_core)core),
                          lc_effect_name(want->effect[core]));
    }
    return lc_buf_take(arena, &buf);
}

static lc_str describe_found(lc_arena *arena, const lc_finding *f)
{
    lc_str slug = lc_rule_get(f->rule)->slug;
    if (lc_finding_domain(f) != LC_DOMAIN_LIFECYCLE)
        return lc_str_printf(arena, "%.*s%s%.*s%s%.*s", LC_FMT(slug), f->address.len ? " of " : "",
                             LC_FMT(f->address), f->path_text.len ? " at " : "",
                             LC_FMT(f->path_text));
    return lc_str_printf(arena, "%.*s at %.*s in %s", LC_FMT(slug), LC_FMT(f->path_text),
                         lc_call_kind_name(f->call.kind));
}

/* A finding of the same rule without an expectation is probably the intended one, and the path of
 * the expectation is wrong. */
static lc_str describe_elsewhere(const matching *m, const lc_expected_finding *want)
{
    const lc_place_items *same = lc_place_index_of_rule(&m->rules, want->rule);
    for (size_t i = 0; want->has_path && i < same->count && i < MOST_TRIED; i++) {
        size_t at = same->items[i];
        if (m->side[FINDINGS].mate[at] == UNPAIRED && m->listed[at])
            return lc_str_printf(m->arena, "; found at %.*s: did you mean that path?",
                                 LC_FMT(finding_at(m, at)->path_text));
    }
    return LC_STR_EMPTY;
}

/* An unmatched finding at the same place shows what the author got nearly right. */
static lc_str describe_near(const matching *m, const lc_expected_finding *want)
{
    for (size_t i = 0; i < m->side[FINDINGS].count; i++) {
        const lc_finding *f = finding_at(m, i);
        if (m->side[FINDINGS].mate[i] != UNPAIRED || !fits_place(want, f))
            continue;
        lc_str id = f->diagnosis.id.len ? f->diagnosis.id : LC_STR("none");
        return lc_str_printf(m->arena,
                             "; found there in %s, diagnosis %.*s, opentofu: %s, terraform: %s",
                             lc_call_kind_name(f->call.kind), LC_FMT(id),
                             lc_effect_name(f->core[LC_OPENTOFU].effect),
                             lc_effect_name(f->core[LC_TERRAFORM].effect));
    }
    return describe_elsewhere(m, want);
}

static void add_missing(matching *m, const lc_expected_finding *want)
{
    lc_str what = describe_wanted(m->arena, want), near = describe_near(m, want);
    lc_add_failure(m->judged, m->arena, "missing", want->loc,
                   lc_str_printf(m->arena, "%.*s is expected and was not found%.*s", LC_FMT(what),
                                 LC_FMT(near)));
}

/* In the order of the scenario, not of the search. */
static void report_missing(matching *m)
{
    const lc_expected_finding *first = m->expectation->findings.items;
    bool *missing = lc_arena_zalloc(m->arena, lc_mul_size(m->side[EXPECTATIONS].count, 1));
    for (size_t i = 0; i < m->side[EXPECTATIONS].count; i++)
        missing[m->wanted[i] - first] = m->side[EXPECTATIONS].mate[i] == UNPAIRED;
    for (size_t i = 0; i < m->side[EXPECTATIONS].count; i++) {
        if (missing[i])
            add_missing(m, &first[i]);
    }
}

static void report_unexpected(matching *m)
{
    for (size_t i = 0; i < m->side[FINDINGS].count; i++) {
        const lc_finding *f = finding_at(m, i);
        bool matched = m->side[FINDINGS].mate[i] != UNPAIRED;
        m->judged->expected[m->found[i]] = matched || !m->listed[i];
        if (matched || !m->listed[i])
            continue;
        lc_str what = describe_found(m->arena, f);
        lc_add_failure(m->judged, m->arena, "unexpected", f->loc,
                       lc_str_printf(m->arena, "%.*s is not expected", LC_FMT(what)));
    }
}

/* ---- Action, proposed new state, coverage. */

/* `of`: "", or the client and a colon. */
static void compare_action(matching *m, const char *of, lc_action want, lc_action found)
{
    if (want == LC_ACTION_NONE || want == found)
        return;
    const char *none = m->judged->judgement.runs[m->run - 1].no_action;
    lc_str text = found == LC_ACTION_NONE
                      ? lc_str_printf(m->arena, "%s%s is expected, but no action follows: %s", of,
                                      lc_action_name(want), none)
                      : lc_str_printf(m->arena, "%s%s is expected, found %s", of,
                                      lc_action_name(want), lc_action_name(found));
    lc_add_failure(m->judged, m->arena, "action", m->expectation->action_loc, text);
}

/* One failure where both clients are expected to do the same, and do the same. */
static void compare_actions(matching *m, const lc_action found[LC_CORE_COUNT])
{
    const lc_action *want = m->expectation->action;
    if (want[LC_OPENTOFU] == want[LC_TERRAFORM] && found[LC_OPENTOFU] == found[LC_TERRAFORM]) {
        compare_action(m, "", want[LC_OPENTOFU], found[LC_OPENTOFU]);
        return;
    }
    compare_action(m, "opentofu: ", want[LC_OPENTOFU], found[LC_OPENTOFU]);
    compare_action(m, "terraform: ", want[LC_TERRAFORM], found[LC_TERRAFORM]);
}

static void compare_proposed(matching *m, lc_core core, const lc_value *found)
{
    const lc_value *want = m->expectation->proposed[core];
    if (!want || (found && lc_value_raw_equal(want, found)))
        return;
    lc_str where = LC_STR("none was determined");
    if (found)
        where = lc_first_difference(m->arena, want, found);
    lc_add_failure(m->judged, m->arena, "proposed_new_state", m->expectation->proposed_loc,
                   lc_str_printf(m->arena, "%s proposes another new state: %.*s",
                                 lc_core_name(core), LC_FMT(where)));
}

/* `not_checked` in a scenario guards against a case that checks more, or less, than its author
 * thinks. */
static void compare_coverage(matching *m, lc_str glob, lc_loc loc)
{
    const lc_judgement *judgement = &m->judged->judgement;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_str slug = lc_rule_get((lc_rule)rule)->slug;
        if (judgement->coverage[rule] == LC_COVER_NOT_CHECKED || !lc_str_matches_glob(slug, glob))
            continue;
        const char *found =
            judgement->coverage[rule] == LC_COVER_CHECKED ? "was checked" : "does not apply";
        lc_add_failure(m->judged, m->arena, "not_checked", loc,
                       lc_str_printf(m->arena, "%.*s is expected not to be checked, but it %s",
                                     LC_FMT(slug), found));
    }
}

static void compare_run(matching *m)
{
    const lc_run_result *result = &m->judged->judgement.runs[m->run - 1];
    collect_wanted(m);
    collect_found(m);
    prepare_sides(m);
    assign(m);
    compare_actions(m, result->action);
    for (int core = 0; core < LC_CORE_COUNT; core++)
        compare_proposed(m, (lc_core)core, result->proposed[core]);
    report_missing(m);
    report_unexpected(m);
    for (size_t i = 0; i < m->expectation->not_checked_count; i++)
        compare_coverage(m, m->expectation->not_checked[i].glob,
                         m->expectation->not_checked[i].loc);
}

bool lc_has_expectation(const lc_scenario *scenario)
{
    for (size_t i = 0; i < scenario->subject.runs.count; i++) {
        if (scenario->expects[i].given)
            return true;
    }
    return false;
}

void lc_compare_expectations(lc_judged *judged, lc_arena *arena)
{
    const lc_scenario *scenario = judged->scenario;
    for (size_t i = 0; i < scenario->subject.runs.count; i++) {
        matching m = {.judged = judged,
                      .arena = arena,
                      .expectation = &scenario->expects[i],
                      .run = (uint32_t)i + 1};
        compare_run(&m);
    }
}
