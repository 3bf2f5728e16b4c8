/* What a core's log says of the calls of a run: broken promises, without the values.
 *
 * Where the values are there, they are judged, and the log only confirms it: one finding. Where
 * they are not, the log is the finding. */
#include "judge.h"

#include "lifecheck/arena.h"

/* A secret is told without what became of it: any rule of the family may be meant. */
static bool may_be(const lc_told *told, lc_rule rule)
{
    lc_str a = lc_rule_get(told->rule)->slug, b = lc_rule_get(rule)->slug;
    size_t family = 0;
    while (family < a.len && a.ptr[family] != '/')
        family++;
    return told->rule == rule ||
           (told->hidden && lc_str_starts_with(b, lc_str_sub(a, 0, family + 1)));
}

static bool is_at(const lc_told *told, lc_path path)
{
    lc_buf text = {0};
    lc_path_add_core(&text, path);
    bool same = !told->has_path || lc_str_eq(lc_buf_str(&text), told->core_path);
    lc_buf_release(&text);
    return same;
}

static bool is_judged(const lc_judge *j, const lc_told *told)
{
    for (size_t i = 0; i < j->out->findings.count; i++) {
        const lc_finding *f = &j->out->findings.items[i];
        if (f->run == j->view->number && may_be(told, f->rule) && is_at(told, f->path))
            return true;
    }
    return false;
}

static void emit_told(lc_judge *j, const lc_told *told)
{
    const lc_call *call = j->view->call[told->call];
    lc_finding *f = lc_emit(j, &(lc_breach){.rule = told->rule,
                                            .call = call,
                                            .path = told->path,
                                            .loc = told->loc,
                                            .promised_by = LC_COLUMN_NONE,
                                            .broken_by = LC_COLUMN_NONE,
                                            .note = told->note});
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (told->cores & 1u << core && f->core[core].effect == LC_EFFECT_NONE)
            f->core[core].effect = told->effect;
    }
    j->out->coverage[told->rule] = LC_COVER_CHECKED;
}

void lc_judge_told(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->told_count; i++) {
        lc_told *told = run->told[i];
        if (run->only_told)
            emit_told(j, told);
        else if (!told->judged)
            told->judged = is_judged(j, told);
    }
}

void lc_cover_nothing(lc_judgement *out)
{
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (out->coverage[rule] == LC_COVER_CHECKED)
            continue;
        out->coverage[rule] = LC_COVER_NOT_CHECKED;
        out->missing[rule] = lc_rule_get((lc_rule)rule)->judged ? LC_NEED_SCHEMA : LC_NEED_COUNT;
    }
}
