/* Judging a planning case: coverage, findings and their order, for the modules that judge such
 * cases. */
#include "lifecheck/contract/planning.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <stdlib.h>
#include <string.h>

void lc_planning_checked(lc_planner *planner, lc_rule rule)
{
    planner->out->coverage[rule] = LC_COVER_CHECKED;
    planner->out->missing[rule] = LC_NEED_COUNT;
}

void lc_planning_lacks(lc_planner *planner, lc_rule rule, lc_need missing)
{
    if (planner->out->coverage[rule] != LC_COVER_NOT_APPLICABLE)
        return;
    planner->out->coverage[rule] = LC_COVER_NOT_CHECKED;
    planner->out->missing[rule] = missing;
}

void lc_planning_limit(lc_planner *planner, lc_rule rule)
{
    for (size_t i = 0; i < planner->out->findings.count; i++) {
        if (planner->out->findings.items[i].rule == rule)
            return;
    }
    planner->out->coverage[rule] = LC_COVER_NOT_CHECKED;
    planner->out->missing[rule] = LC_NEED_LIMIT;
}

/* One expectation that cannot be compared leaves the rule unchecked, regardless of the others. */
void lc_planning_open(lc_planner *planner, lc_rule rule, lc_need missing)
{
    planner->out->open_expectation = true;
    planner->out->coverage[rule] = LC_COVER_NOT_CHECKED;
    planner->out->missing[rule] = missing;
}

void lc_planning_report_open(lc_planner *planner, lc_loc loc, lc_str text)
{
    *LC_PUSH(planner->report, &planner->out->open_expectations, lc_open_expectation) =
        (lc_open_expectation){loc, lc_str_copy(planner->report, text)};
}

void lc_planning_compared(lc_planner *planner, lc_rule rule)
{
    if (planner->out->coverage[rule] != LC_COVER_NOT_CHECKED)
        lc_planning_checked(planner, rule);
}

/* ---- Findings. */

static void add_step(lc_json *w, const lc_step *step)
{
    lc_json_object(w, NULL);
    if (step->kind == LC_STEP_INDEX)
        lc_json_uint(w, "index", step->index);
    else
        lc_json_str(w, step->kind == LC_STEP_KEY ? "key" : "attribute", step->name);
    lc_json_end_object(w);
}

/* As lc_show_path does for objects, but nothing is redacted: these steps are members and
 * arguments. */
static void describe_path(lc_finding *f, lc_arena *arena)
{
    lc_buf text = {0}, steps = {0};
    lc_json w = {.out = &steps};
    if (f->path.count)
        lc_path_add_text(&text, f->path);
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < f->path.count; i++)
        add_step(&w, &f->path.steps[i]);
    lc_json_end_array(&w);
    f->path_text = lc_buf_copy(arena, &text);
    f->steps_json = lc_buf_copy(arena, &steps);
    lc_buf_release(&text);
    lc_buf_release(&steps);
}

lc_finding *lc_planning_emit(lc_planner *planner, const lc_planning_breach *breach)
{
    lc_arena *report = planner->report;
    lc_finding *f = LC_PUSH(report, &planner->out->findings, lc_finding);
    bool providers = lc_rule_domain(breach->rule) == LC_DOMAIN_PROVIDERS;
    f->rule = breach->rule;
    f->run = 1;
    f->call = (lc_call_ref){providers ? LC_CALL_PROVIDERS : LC_CALL_RUN, 0};
    f->follows = -1;
    f->address = lc_str_copy(report, breach->address);
    f->path = lc_path_copy(report, breach->path);
    f->loc = breach->loc;
    f->message = lc_str_copy(report, breach->message);
    f->promised_by = f->broken_by = LC_COLUMN_NONE;
    f->legacy = LC_NO;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        f->core[core].effect = lc_rule_get(breach->rule)->effects[core].last;
        f->core[core].exact = true;
    }
    describe_path(f, report);
    lc_planning_checked(planner, breach->rule);
    return f;
}

void lc_planning_quote(lc_finding *finding, lc_core core, lc_effect effect, lc_str summary)
{
    finding->core[core].effect = effect;
    finding->core[core].summary = summary;
}

/* ---- Order: by place in the input, because that is how a reader goes through a plan or
 * configuration. */

typedef struct entry {
    const lc_finding *finding;
    size_t was;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *ea = a, *eb = b;
    const lc_finding *x = ea->finding, *y = eb->finding;
    int order = lc_str_cmp(x->loc.file, y->loc.file);
    if (!order)
        order = (x->loc.line > y->loc.line) - (x->loc.line < y->loc.line);
    if (!order)
        order = lc_str_cmp(x->address, y->address);
    if (!order)
        order = lc_path_cmp(x->path, y->path);
    if (!order)
        order = (x->rule > y->rule) - (x->rule < y->rule);
    return order ? order : (ea->was > eb->was) - (ea->was < eb->was);
}

static void arrange(lc_judgement *out, lc_arena *report, lc_arena *scratch)
{
    size_t count = out->findings.count;
    if (count < 2)
        return;
    entry *entries = LC_NEW_ARRAY(scratch, entry, count);
    for (size_t i = 0; i < count; i++)
        entries[i] = (entry){&out->findings.items[i], i};
    qsort(entries, count, sizeof *entries, compare);
    long *now = LC_NEW_ARRAY(scratch, long, count);
    lc_finding *ordered = LC_NEW_ARRAY(report, lc_finding, count);
    for (size_t i = 0; i < count; i++) {
        ordered[i] = *entries[i].finding;
        now[entries[i].was] = (long)i;
    }
    for (size_t i = 0; i < count; i++) {
        if (ordered[i].follows >= 0)
            ordered[i].follows = now[ordered[i].follows];
    }
    out->findings.items = ordered;
    out->findings.capacity = count;
}

void lc_planning_judge(lc_judgement *out, lc_arena *report, lc_arena *scratch, const lc_case *c)
{
    LC_ASSERT(c->planning && c->runs.count == 1);
    memset(out, 0, sizeof *out);
    out->domain = c->planning->domain;
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        out->coverage[rule] = LC_COVER_NOT_APPLICABLE;
        out->missing[rule] = LC_NEED_COUNT;
    }
    out->runs = lc_arena_zalloc(report, sizeof *out->runs);
    lc_planner planner = {report, scratch, c, out};
    c->planning->judge(&planner, c->planning->facts);
    arrange(out, report, scratch);
}
