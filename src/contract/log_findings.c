/* Violations that a core's log reports without the values.
 *
 * Where the case has the values, these are judged, and the log only confirms the finding: there is
 * one finding, not two. Otherwise the entry of the log is the finding. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

/* The key by which findings and entries of a log are matched: the rule's slug, or only its family
 * (a log does not show how a sensitive value has changed); and the path as the cores spell it, or
 * "*" if the log has no path. */
static lc_str key_of(lc_arena *arena, lc_rule rule, bool family, const lc_str *path)
{
    lc_str slug = lc_rule_get(rule)->slug;
    size_t len = slug.len;
    for (size_t i = 0; family && i < slug.len; i++)
        len = slug.ptr[i] == '/' ? i : len;
    return lc_str_printf(arena, "%.*s %.*s", (int)len, slug.ptr,
                         LC_FMT(path ? *path : LC_STR("*")));
}

/* A finding is entered under each key by which an entry may look for it. */
static void index_finding(lc_judge *j, lc_table *found, lc_finding *f)
{
    lc_buf text = {0};
    lc_path_add_core(&text, f->path);
    lc_str path = lc_buf_str(&text);
    lc_table_put(found, key_of(j->scratch, f->rule, false, NULL), f);
    lc_table_put(found, key_of(j->scratch, f->rule, false, &path), f);
    lc_table_put(found, key_of(j->scratch, f->rule, true, NULL), f);
    lc_table_put(found, key_of(j->scratch, f->rule, true, &path), f);
    lc_buf_release(&text);
}

static bool has_finding(lc_judge *j, const lc_table *found, const lc_logged *logged)
{
    const lc_str *path = logged->has_path ? &logged->core_path : NULL;
    bool family = logged->hidden || logged->family;
    if (lc_table_get(found, key_of(j->scratch, logged->rule, family, path)))
        return true;
    for (size_t i = 0; i < logged->other_count; i++) {
        if (lc_table_get(found, key_of(j->scratch, logged->others[i], false, path)))
            return true;
    }
    return false;
}

/* Mark the entries of the log that a finding of this run confirms. Those about other addresses are
 * not of this run. */
static void confirm(lc_judge *j, const lc_run *run)
{
    lc_table found;
    lc_table_init(&found, j->scratch);
    for (size_t i = 0; i < j->out->findings.count; i++) {
        if (j->out->findings.items[i].run == j->view->number)
            index_finding(j, &found, &j->out->findings.items[i]);
    }
    for (size_t i = 0; i < run->logged_count; i++) {
        lc_logged *logged = run->logged[i];
        if (!run->address.len || lc_str_eq(run->address, logged->address))
            logged->judged = logged->judged || has_finding(j, &found, logged);
    }
}

/* The effect is that of the log: an error outweighs the catalogue's effect, another effect only
 * fills in `none`. */
static void emit_logged(lc_judge *j, const lc_logged *logged)
{
    const lc_call *call = j->view->call[logged->call];
    lc_finding *f = lc_emit(j, &(lc_breach){.rule = logged->rule,
                                            .call = call,
                                            .path = logged->path,
                                            .loc = logged->loc,
                                            .promised_by = LC_COLUMN_NONE,
                                            .broken_by = LC_COLUMN_NONE,
                                            .note = logged->note});
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        bool stopped = logged->effect == LC_EFFECT_ERROR;
        if (logged->cores & 1u << core && (stopped || f->core[core].effect == LC_EFFECT_NONE))
            f->core[core].effect = logged->effect;
    }
    j->out->coverage[logged->rule] = LC_COVER_CHECKED;
}

void lc_judge_logged(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; run->only_logged && i < run->logged_count; i++)
        emit_logged(j, run->logged[i]);
    if (!run->only_logged && run->logged_count)
        confirm(j, run);
}

/* Rules about an answer as such, which need no values. */
static bool needs_no_schema(lc_rule rule)
{
    return rule == LC_RULE_WIRE_DIAG_SEVERITY || rule == LC_RULE_WIRE_RPC_ERROR ||
           rule == LC_RULE_DEFERRED_NOT_ALLOWED || rule == LC_RULE_DEFERRED_REASON;
}

/* A log states for every answer how many diagnostics came, and of which severity. */
static bool states_diagnostics(const lc_run *run)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].has_diagnostics)
            return true;
    }
    return false;
}

void lc_cover_without_schema(lc_judge *j)
{
    lc_judgement *out = j->out;
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (needs_no_schema((lc_rule)rule) || lc_rule_domain((lc_rule)rule) != LC_DOMAIN_LIFECYCLE)
            continue;
        out->coverage[rule] = LC_COVER_NOT_CHECKED;
        out->missing[rule] = LC_NEED_SCHEMA;
    }
    if (states_diagnostics(j->view->run))
        out->coverage[LC_RULE_WIRE_DIAG_SEVERITY] = LC_COVER_CHECKED;
}
