/* From breaches to findings: effects by call, places in the input, values that may be shown; and
 * the order of findings at the end. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <stdlib.h>
#include <string.h>

LC_ENUM_NAMES(lc_column, LC_COLUMNS);

lc_loc lc_field_locate(const lc_field *field, lc_path path)
{
    if (!field->locator.locate)
        return field->loc;
    return field->locator.locate(field->locator.context, path);
}

/* ---- What a core does with a breach in this call. */

/* The catalogue's effect with two exceptions: the cores do not check the second plan of a replace
 * against its configuration, and Terraform does not check a deferred plan. */
static lc_effect effect_in_call(const lc_breach *b, int core)
{
    const lc_rule_info *info = lc_rule_get(b->rule);
    lc_effect effect = info->effects[core].last;
    bool plan_rule = lc_str_starts_with(info->slug, LC_STR("plan/"));
    const lc_call *call = b->call;
    if (plan_rule && call && call->kind == LC_CALL_PLAN_CREATE)
        return LC_EFFECT_NONE;
    if (plan_rule && call && core == LC_TERRAFORM && call->deferred == LC_YES)
        return LC_EFFECT_NONE;
    if (effect != LC_EFFECT_ERROR_UNLESS_LEGACY)
        return effect;
    if (!call || call->legacy == LC_NO)
        return LC_EFFECT_ERROR;
    return call->legacy == LC_YES ? LC_EFFECT_TOLERATED : LC_EFFECT_ERROR_OR_TOLERATED;
}

static bool is_lenient(lc_effect effect)
{
    return effect == LC_EFFECT_TOLERATED || effect == LC_EFFECT_ERROR_OR_TOLERATED;
}

bool lc_finding_is_tolerated(const lc_finding *finding)
{
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (is_lenient(finding->core[core].effect))
            return true;
    }
    return false;
}

lc_effect lc_finding_effect_if(const lc_finding *finding, lc_core core, bool legacy)
{
    lc_effect effect = finding->core[core].effect;
    bool depends = is_lenient(effect) ||
                   (effect == LC_EFFECT_ERROR && lc_rule_get(finding->rule)->effects[core].last ==
                                                     LC_EFFECT_ERROR_UNLESS_LEGACY);
    if (!depends)
        return effect;
    return legacy ? LC_EFFECT_TOLERATED : LC_EFFECT_ERROR;
}

/* ---- Columns. */

/* The configuration that the call is about: that of the plan phase for calls before the apply
 * phase. */
static const lc_value *config_of(const lc_run_view *v, lc_call_kind kind)
{
    bool first = kind < LC_CALL_FINAL_PLAN;
    return v->final_config && !(first && v->config) ? v->final_config : v->config;
}

static const lc_value *column_value(const lc_judge *j, lc_column column, lc_call_kind kind)
{
    const lc_run_view *v = j->view;
    lc_call *const *calls = v->call;
    lc_call *call = NULL;
    switch (column) {
    case LC_COLUMN_CONFIG:
        return config_of(v, kind);
    case LC_COLUMN_STORED:
        return v->stored;
    case LC_COLUMN_UPGRADED:
        return v->upgraded;
    case LC_COLUMN_PRIOR:
        return v->prior;
    case LC_COLUMN_PROPOSED:
        call = calls[LC_CALL_PLAN];
        if (call && lc_field_has_value(&call->proposed))
            return call->proposed.value;
        return v->core[LC_OPENTOFU].proposed;
    case LC_COLUMN_PLANNED:
        if (calls[LC_CALL_DATA])
            return lc_field_has_value(&calls[LC_CALL_DATA]->planned)
                       ? calls[LC_CALL_DATA]->planned.value
                       : NULL;
        call = calls[v->deleting ? LC_CALL_DESTROY_PLAN : LC_CALL_PLAN];
        break;
    case LC_COLUMN_PLAN_CREATE:
        call = calls[LC_CALL_PLAN_CREATE];
        break;
    case LC_COLUMN_FINAL_PLANNED:
        call = calls[LC_CALL_APPLY]; /* the planned state in the request is what it has to keep */
        if (kind == LC_CALL_APPLY && call && lc_field_has_value(&call->planned))
            return call->planned.value;
        call = calls[LC_CALL_FINAL_PLAN];
        break;
    case LC_COLUMN_NEW:
        call = calls[LC_CALL_APPLY]     ? calls[LC_CALL_APPLY]
               : calls[LC_CALL_DESTROY] ? calls[LC_CALL_DESTROY]
               : calls[LC_CALL_DATA]    ? calls[LC_CALL_DATA]
                                        : calls[LC_CALL_OPEN];
        break;
    case LC_COLUMN_REREAD:
        call = calls[LC_CALL_REREAD];
        break;
    case LC_COLUMN_NONE:
        break;
    }
    return call && lc_field_has_value(&call->result) ? call->result.value : NULL;
}

/* The value at a path of the schema. Map blocks with a dynamic attribute inside are objects, so
 * that a key of the schema's path is an attribute of the value. */
static const lc_value *part_at(const lc_judge *j, const lc_value *whole, lc_path path)
{
    const lc_value *part = lc_path_apply(j->scratch, whole, path);
    if (part || path.count == 0)
        return part;
    lc_step *steps = LC_NEW_ARRAY(j->scratch, lc_step, path.count);
    for (size_t i = 0; i < path.count; i++) {
        steps[i] = path.steps[i];
        if (steps[i].kind == LC_STEP_KEY && steps[i].index)
            steps[i].kind = LC_STEP_ATTR;
    }
    return lc_path_apply(j->scratch, whole, (lc_path){steps, path.count});
}

const lc_value *lc_column_part(const lc_judge *j, lc_column column, lc_call_kind kind, lc_path path)
{
    const lc_value *whole = column_value(j, column, kind);
    return whole ? part_at(j, whole, path) : NULL;
}

/* Add the leaves in which the required and the returned value differ. */
static void compare_columns(lc_judge *j, lc_finding *f, const lc_breach *b)
{
    const lc_value *promised = lc_column_part(j, b->promised_by, b->call->kind, b->path);
    const lc_value *broken = lc_column_part(j, b->broken_by, b->call->kind, b->path);
    if (!promised || !broken)
        return;
    lc_finding_evidence(j, f, promised, broken);
}

/* The schema's type decides how a value is shown: for dynamic with its type. NULL: the value's own
 * type. */
static const lc_type *type_at(const lc_judge *j, lc_path path)
{
    if (path.count == 0)
        return j->view->block->implied;
    const lc_attribute *a = lc_block_attribute_at(j->view->block, path);
    return a && a->implied->kind == LC_TYPE_DYNAMIC ? &lc_type_dynamic : NULL;
}

/* Stored and upgraded states are shown for the calls that carry them over; later they are the prior
 * state. */
static bool is_column_of(lc_column column, const lc_finding *f)
{
    if (column != LC_COLUMN_STORED && column != LC_COLUMN_UPGRADED)
        return true;
    return f->call.kind == LC_CALL_UPGRADE || f->call.kind == LC_CALL_READ ||
           f->call.kind == LC_CALL_MOVE;
}

/* Elements of a set have no counterparts in other columns. To see what a planned one should be, the
 * whole sets are needed. */
static lc_path shown_path(const lc_finding *f)
{
    return f->rule == LC_RULE_PLAN_SET_ELEMENT ? lc_path_up_to_set(f->path) : f->path;
}

static void show_columns(lc_judge *j, lc_finding *f)
{
    lc_path path = shown_path(f);
    lc_sensitivity_mark place = lc_sensitivity_at(j->sensitivity, path);
    const lc_type *want = type_at(j, path);
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!is_column_of((lc_column)column, f))
            continue;
        const lc_value *part = lc_column_part(j, (lc_column)column, f->call.kind, path);
        if (part)
            f->values[column] = lc_show(j->report, place, part, want ? want : part->type);
    }
}

/* ---- One finding. */

static void describe_path(lc_judge *j, lc_finding *f)
{
    lc_buf text = {0}, steps = {0};
    f->unnamed = lc_show_path(&text, &steps, j->sensitivity, f->path);
    f->path_text = lc_buf_copy(j->report, &text);
    f->steps_json = lc_buf_copy(j->report, &steps);
    lc_buf_release(&text);
    lc_buf_release(&steps);
}

/* All elements of a set without a partner have findings with the path of the set. Their columns,
 * facts and evidence are the same; to compute them for each would take time quadratic in the size
 * of the set. */
static bool show_as_before(lc_judge *j, lc_finding *f)
{
    if (j->out->findings.count < 2)
        return false;
    const lc_finding *last = f - 1;
    if (last->rule != f->rule || last->run != f->run || last->call.kind != f->call.kind ||
        last->call.index != f->call.index || last->promised_by != f->promised_by ||
        last->broken_by != f->broken_by || !lc_path_eq(last->path, f->path))
        return false;
    f->path_text = last->path_text;
    f->steps_json = last->steps_json;
    memcpy(f->values, last->values, sizeof f->values);
    f->difference_kind = last->difference_kind;
    f->diff_facts = last->diff_facts;
    f->diff_fact_text = last->diff_fact_text;
    f->evidence = last->evidence;
    return true;
}

/* The order of steps counts: evidence reads the columns that show_columns has filled in. */
lc_finding *lc_emit(lc_judge *j, const lc_breach *breach)
{
    lc_breach in_schema = *breach;
    const lc_breach *b = &in_schema;
    if (b->call && !b->apart)
        in_schema.path = lc_path_by_schema(j->scratch, j->view->block, b->path);
    lc_finding *f = LC_PUSH(j->report, &j->out->findings, lc_finding);
    f->rule = b->rule;
    f->run = j->view->number;
    f->call =
        b->call ? (lc_call_ref){b->call->kind, b->call->index} : (lc_call_ref){LC_CALL_SCHEMA, 0};
    f->follows = -1;
    f->path = lc_path_copy(j->report, b->path);
    f->loc = b->field ? lc_field_locate(b->field, b->path) : b->loc;
    f->message = lc_str_copy(j->report, b->note);
    f->promised_by = b->promised_by;
    f->broken_by = b->broken_by;
    f->legacy = b->call ? b->call->legacy : LC_NO;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        f->core[core].effect = effect_in_call(b, core);
        f->core[core].exact = true;
    }
    if (show_as_before(j, f))
        return f;
    describe_path(j, f);
    if (b->call && !b->apart)
        show_columns(j, f);
    lc_diff_facts_collect(j, f, b);
    if (b->call && !b->apart && b->path.count)
        compare_columns(j, f, b);
    return f;
}

lc_finding *lc_emit_at(lc_judge *j, lc_rule rule, const lc_call *call, lc_path path,
                       const char *note)
{
    return lc_emit(j, &(lc_breach){.rule = rule,
                                   .call = call,
                                   .path = path,
                                   .field = &call->result,
                                   .promised_by = LC_COLUMN_NONE,
                                   .broken_by = lc_call_column(call->kind),
                                   .note = lc_str_from_c(note)});
}

lc_str lc_problem_message(const lc_judge *j, const lc_field *field)
{
    lc_str message = field->problem.message;
    lc_buf text = {0};
    if (!lc_sensitivity_at(j->sensitivity, field->problem_path).secret)
        return message;
    for (size_t at = 0; at < message.len; at++) {
        size_t end = at;
        if (message.ptr[at] == '"')
            for (end++; end < message.len && message.ptr[end] != '"'; end++)
                end += message.ptr[end] == '\\';
        if (end > at)
            lc_buf_add_c(&text, "(sensitive)");
        else
            lc_buf_add_char(&text, message.ptr[at]);
        at = end;
    }
    return lc_buf_take(j->report, &text);
}

lc_finding *lc_emit_aside(lc_judge *j, lc_rule rule, const lc_call *call, lc_loc loc, lc_str note)
{
    return lc_emit(j, &(lc_breach){.rule = rule,
                                   .call = call,
                                   .path = LC_PATH_ROOT,
                                   .loc = loc,
                                   .promised_by = LC_COLUMN_NONE,
                                   .broken_by = LC_COLUMN_NONE,
                                   .note = note,
                                   .apart = true});
}

lc_finding *lc_emit_in_schema(lc_judge *j, lc_rule rule, lc_path path, lc_loc loc, lc_str note)
{
    if (!loc.line)
        loc = j->view->schema->loc.line ? j->view->schema->loc : j->view->run->loc;
    return lc_emit(j, &(lc_breach){.rule = rule,
                                   .path = path,
                                   .loc = loc,
                                   .promised_by = LC_COLUMN_NONE,
                                   .broken_by = LC_COLUMN_NONE,
                                   .note = note});
}

void lc_finding_effect(lc_finding *f, lc_core core, lc_effect effect)
{
    f->core[core].effect = effect;
}

void lc_finding_quote(lc_judge *j, lc_finding *f, lc_cores cores, const char *summary,
                      lc_str message)
{
    lc_str copy = lc_str_copy(j->report, message);
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!(cores & 1u << core))
            continue;
        f->core[core].summary = lc_str_from_c(summary);
        f->core[core].message = copy;
    }
}

void lc_finding_misses(lc_judge *j, lc_finding *f, lc_call_kind kind)
{
    lc_call_ref *also = LC_NEW(j->report, lc_call_ref);
    *also = f->call;
    f->also = also;
    f->also_count = 1;
    f->call.kind = kind;
}

/* ---- Issues of a walk. */

/* The summary with which both cores report errors of the walk. */
static const char *summary_of(lc_rule rule)
{
    lc_str slug = lc_rule_get(rule)->slug;
    if (lc_str_starts_with(slug, LC_STR("plan/")))
        return LC_SUMMARY_INVALID_PLAN;
    if (lc_str_starts_with(slug, LC_STR("final/")))
        return LC_SUMMARY_INCONSISTENT_FINAL_PLAN;
    if (rule == LC_RULE_EPHEMERAL_CONFIG_CHANGED)
        return LC_SUMMARY_INVALID_EPHEMERAL;
    return LC_SUMMARY_INCONSISTENT_RESULT;
}

/* `<path>: <text>`, as a core prints it after the address. At a secret the path is the redacted
 * one. */
static lc_str core_message(lc_judge *j, const lc_issue *issue, int core)
{
    if (issue->text[core].len == 0)
        return LC_STR_EMPTY;
    lc_sensitivity_mark place = lc_sensitivity_at(j->sensitivity, issue->path);
    lc_buf buf = {0};
    if (issue->core_path[core].count) {
        lc_buf steps = {0};
        if (place.secret || lc_mark_knows_key(place, issue->path))
            lc_show_path(&buf, &steps, j->sensitivity, issue->path);
        else
            lc_path_add_core(&buf, issue->core_path[core]);
        lc_buf_release(&steps);
        lc_buf_add_c(&buf, ": ");
    }
    lc_buf_add_str(&buf, issue->text[core]);
    return lc_buf_take(j->report, &buf);
}

static void set_core_view(lc_judge *j, lc_finding *f, const lc_issue *issue, lc_cores crashed,
                          int core)
{
    lc_cores bit = 1u << core;
    lc_core_view *view = &f->core[core];
    if (issue->crash & bit) {
        view->effect = LC_EFFECT_CRASH;
        return;
    }
    if (!((issue->cores | issue->masked) & bit)) {
        view->effect = LC_EFFECT_NONE;
        return;
    }
    view->masked = (issue->masked | crashed) & bit;
    if (view->effect == LC_EFFECT_NONE)
        return;
    view->summary = lc_str_from_c(summary_of(f->rule));
    view->message = core_message(j, issue, core);
    view->exact = !(issue->inexact & bit);
    view->since = core == LC_TERRAFORM ? issue->tf_since : 0;
}

/* A write-only value that was returned, or an unknown that was left, differs from the required
 * value only because it is there: such a difference follows from wo/returned or
 * response/unknown. */
long lc_log_findings_above(const lc_judge *j, const lc_finding *f)
{
    for (size_t i = 0; i < j->out->findings.count; i++) {
        const lc_finding *reported = &j->out->findings.items[i];
        size_t count = reported->path.count < f->path.count ? reported->path.count : f->path.count;
        bool is_cause =
            reported->rule == LC_RULE_WO_RETURNED || reported->rule == LC_RULE_RESPONSE_UNKNOWN;
        if (is_cause && reported->run == f->run && reported->call.index == f->call.index &&
            reported->path.count == count &&
            lc_path_eq(reported->path, (lc_path){f->path.steps, count}))
            return (long)i;
    }
    return -1;
}

/* The rule response/type has judged the responses. A walk has found that cores panic on such a
 * shape: set the effect of the finding at or above the place. */
static void note_panic(lc_judge *j, const lc_issue *issue, const lc_breach *like, size_t *from)
{
    size_t findings = j->out->findings.count;
    for (size_t n = 0; n < findings; n++) {
        size_t i = (*from + n) % findings; /* issues and findings are in the order of the walk, so
                                              the search continues where it ended */
        lc_finding *f = &j->out->findings.items[i];
        size_t count = f->path.count;
        if (f->rule != LC_RULE_RESPONSE_TYPE || f->run != j->view->number || !like->call ||
            f->call.index != like->call->index || count > issue->path.count ||
            !lc_path_eq(f->path, (lc_path){issue->path.steps, count}))
            continue;
        for (int core = 0; core < LC_CORE_COUNT; core++) {
            if (issue->crash & (1u << core))
                lc_finding_effect(f, (lc_core)core, LC_EFFECT_CRASH);
        }
        *from = i;
        return;
    }
}

/* Of several lost keys of a map some may be there in another form. */
static void note_key_form(lc_judge *j, lc_finding *f, const lc_issue *issue)
{
    f->difference_kind = issue->key_form.len ? LC_DIFFERENCE_KEY_AND_VALUE : LC_UNLIKE;
    f->diff_fact_text = lc_sensitivity_touched(lc_sensitivity_at(j->sensitivity, f->path))
                            ? LC_STR_EMPTY
                            : lc_str_copy(j->report, issue->key_form);
}

/* `places` maps issues to their findings, to translate `follows`. An issue with LC_RULE_COUNT was
 * dropped by the caller. */
void lc_emit_issues(lc_judge *j, const lc_walk *walk, const lc_breach *like)
{
    j->gave_up |= walk->gave_up;
    j->sets_undecided |= walk->undecided;
    const lc_value *judged = like->field ? like->field->value : NULL;
    bool reported = j->view->block->any_write_only || (judged && !lc_is_wholly_known(judged));
    long *places = LC_NEW_ARRAY(j->scratch, long, walk->issues.count);
    size_t panics = 0;
    for (size_t i = 0; i < walk->issues.count; i++) {
        const lc_issue *issue = &walk->issues.items[i];
        places[i] = -1;
        if (issue->rule == LC_RULE_RESPONSE_TYPE)
            note_panic(j, issue, like, &panics);
        /* the rules about responses report these themselves */
        if (issue->rule == LC_RULE_COUNT || issue->rule == LC_RULE_RESPONSE_UNKNOWN ||
            issue->rule == LC_RULE_RESPONSE_TYPE || issue->rule == LC_RULE_WO_RETURNED)
            continue;
        lc_breach breach = *like;
        breach.rule = issue->rule;
        breach.path = issue->path;
        breach.note = issue->note;
        lc_finding *f = lc_emit(j, &breach);
        places[i] = (long)j->out->findings.count - 1;
        f->unproven = issue->unproven;
        if (issue->of_key)
            note_key_form(j, f, issue);
        for (int core = 0; core < LC_CORE_COUNT; core++)
            set_core_view(j, f, issue, walk->crashed, core);
    }
    for (size_t i = 0; i < walk->issues.count; i++) { /* an issue may follow from a later one */
        if (places[i] < 0)
            continue;
        lc_finding *f = &j->out->findings.items[places[i]];
        long follows = walk->issues.items[i].follows;
        f->follows = follows >= 0 ? places[follows] : reported ? lc_log_findings_above(j, f) : -1;
    }
}

/* ---- Order. Findings are sorted by run, call, path and rule; one of a later call is merged into
 * the same finding of an earlier call. */

typedef struct entry {
    const lc_finding *finding;
    long was;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *ea = a, *eb = b;
    const lc_finding *x = ea->finding, *y = eb->finding;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    if (x->call.index != y->call.index)
        return x->call.index < y->call.index ? -1 : 1;
    int order = lc_path_cmp(x->path, y->path);
    if (!order)
        order = (x->rule > y->rule) - (x->rule < y->rule);
    if (!order)
        order = lc_str_cmp(x->message, y->message);
    return order ? order : (ea->was > eb->was) - (ea->was < eb->was);
}

static uint64_t merge_key(const lc_finding *f)
{
    return lc_hash_mix(lc_hash_mix(f->run, f->rule), lc_path_hash(f->path));
}

/* Merge a finding into that of an earlier call: each core keeps its strongest effect, and columns
 * that are still empty are filled in. */
static void absorb(lc_judge *j, lc_finding *into, const lc_finding *f)
{
    lc_call_ref *also = LC_NEW_ARRAY(j->report, lc_call_ref, into->also_count + 1);
    if (into->also_count)
        memcpy(also, into->also, into->also_count * sizeof *also);
    also[into->also_count++] = f->call;
    into->also = also;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (f->core[core].effect > into->core[core].effect)
            into->core[core] = f->core[core];
    }
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!into->values[column].given)
            into->values[column] = f->values[column];
    }
}

/* The findings that were kept for one rule and path of a run, in a chain of the hash table. There
 * may be many of one call, because elements of a set have one path; these are not merged with each
 * other. */
typedef struct chain {
    struct chain *next;
    lc_finding *latest;
    lc_finding *before; /* the latest of an earlier call, or NULL */
} chain;

static chain *chain_of(lc_judge *j, chain **bucket, const lc_finding *f)
{
    for (chain *c = *bucket; c; c = c->next) {
        if (c->latest->run == f->run && c->latest->rule == f->rule &&
            lc_path_eq(c->latest->path, f->path))
            return c;
    }
    chain *added = LC_NEW(j->scratch, chain);
    added->next = *bucket;
    return *bucket = added;
}

/* The finding of an earlier call that `f` is to be merged into, or NULL. Findings about the schema
 * (index 0) are not merged into. */
static lc_finding *earlier(const chain *c, const lc_finding *f)
{
    lc_finding *found = c->latest;
    if (found && found->call.index == f->call.index)
        found = c->before;
    return found && found->call.index > 0 ? found : NULL;
}

static void keep(chain *c, lc_finding *f)
{
    if (c->latest && c->latest->call.index != f->call.index)
        c->before = c->latest;
    c->latest = f;
}

/* `now` maps old to new positions, to translate `follows`. With the hash table everything but the
 * sorting is linear. */
void lc_findings_arrange(lc_judge *j)
{
    size_t count = j->out->findings.count;
    entry *entries = LC_NEW_ARRAY(j->scratch, entry, count);
    for (size_t i = 0; i < count; i++)
        entries[i] = (entry){&j->out->findings.items[i], (long)i};
    if (count)
        qsort(entries, count, sizeof *entries, compare);
    lc_finding *ordered = LC_NEW_ARRAY(j->report, lc_finding, count);
    long *now = LC_NEW_ARRAY(j->scratch, long, count);
    size_t capacity = 16, kept = 0;
    while (capacity < count * 2)
        capacity *= 2;
    chain **buckets = lc_arena_zalloc(j->scratch, lc_mul_size(capacity, sizeof *buckets));
    for (size_t i = 0; i < count; i++) {
        const lc_finding *f = entries[i].finding;
        now[entries[i].was] = -1;
        if (f->rule == LC_RULE_COUNT) /* merged with another one before */
            continue;
        chain *c = chain_of(j, &buckets[merge_key(f) & (capacity - 1)], f);
        lc_finding *same = earlier(c, f);
        if (same) {
            absorb(j, same, f);
        } else {
            same = &ordered[kept++];
            *same = *f;
            keep(c, same);
        }
        now[entries[i].was] = same - ordered;
    }
    for (size_t i = 0; i < kept; i++) {
        if (ordered[i].follows >= 0)
            ordered[i].follows = now[ordered[i].follows];
    }
    j->out->findings.items = ordered;
    j->out->findings.count = kept;
    j->out->findings.capacity = count;
}
