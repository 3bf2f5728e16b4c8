/* Family config: a configuration that no core would send. Then the evidence is wrong, and not the
 * provider. */
#include "contract/judge.h"
#include "contract/walk/visit.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;   /* the first call that carries this configuration */
    const lc_field *field; /* whose places are shown */
    bool planned;          /* a plan was made with it */
} context;

static lc_finding *emit(context *x, lc_rule rule, const lc_trail *at, lc_str note)
{
    return lc_emit(x->j, &(lc_breach){.rule = rule,
                                      .call = x->call,
                                      .path = lc_path_from_trail(x->j->scratch, at),
                                      .field = x->field,
                                      .promised_by = LC_COLUMN_NONE,
                                      .broken_by = LC_COLUMN_CONFIG,
                                      .note = note});
}

/* ---- config/required-missing. */

/* Does the input spell the attribute out? An explicit null satisfies the cores' check for required
 * arguments, which looks at the syntax; a missing argument does not. */
static bool is_written(const context *x, lc_path path)
{
    lc_loc here = lc_field_locate(x->field, path);
    lc_loc above = lc_field_locate(x->field, (lc_path){path.steps, path.count - 1});
    return here.line != above.line || here.column != above.column;
}

static bool required(lc_visit *visit, const lc_attribute *a, const lc_value *v, const lc_trail *at)
{
    context *x = visit->context;
    if (!a->required || !lc_is_null(v))
        return true;
    lc_finding *f =
        emit(x, LC_RULE_CONFIG_REQUIRED_MISSING, at, LC_STR("a required attribute is not set"));
    bool written = is_written(x, f->path);
    for (int core = 0; core < LC_CORE_COUNT; core++)
        lc_finding_effect(f, (lc_core)core, written ? LC_EFFECT_NONE : LC_EFFECT_ERROR);
    if (!written)
        lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_MISSING_ARGUMENT, LC_STR_EMPTY);
    return true;
}

/* ---- Blocks. */

/* Of null collections only maps, and lists with a dynamic attribute inside, make the cores panic in
 * a plan. */
static void null_block(context *x, const lc_block_type *b, const lc_trail *at)
{
    lc_finding *f = emit(x, LC_RULE_CONFIG_NULL_BLOCK, at,
                         LC_STR("null instead of an empty collection of blocks"));
    bool crash = x->planned && (b->nesting == LC_NESTING_MAP ||
                                (b->nesting == LC_NESTING_LIST && b->dynamic_inside));
    for (int core = 0; core < LC_CORE_COUNT; core++)
        lc_finding_effect(f, (lc_core)core, crash ? LC_EFFECT_CRASH : LC_EFFECT_NONE);
}

/* min_items and max_items, of wholly known values only: unknown blocks may turn out to be any
 * number. */
static void limits(context *x, const lc_block_type *b, const lc_value *v, const lc_trail *at)
{
    size_t count = lc_is_known(v) ? v->count : 0;
    bool single = b->nesting == LC_NESTING_SINGLE;
    if (single)
        count = lc_is_null(v) ? 0 : 1;
    if (!lc_is_wholly_known(v) || (lc_is_null(v) && !single))
        return;
    if (b->min_items > 0 && count < (size_t)b->min_items) {
        lc_finding *f = emit(x, LC_RULE_CONFIG_BLOCK_MIN, at,
                             lc_str_printf(x->j->scratch, "%zu blocks, at least %lld are required",
                                           count, (long long)b->min_items));
        lc_str message = lc_str_printf(x->j->scratch,
                                       single ? LC_DETAIL_MISSING_BLOCK : LC_DETAIL_TOO_FEW_BLOCKS,
                                       LC_FMT(b->name));
        lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_CONFIG, message);
    }
    if (!single && b->max_items > 0 && count > (size_t)b->max_items) {
        lc_finding *f = emit(x, LC_RULE_CONFIG_BLOCK_MAX, at,
                             lc_str_printf(x->j->scratch, "%zu blocks, at most %lld are allowed",
                                           count, (long long)b->max_items));
        lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_CONFIG,
                         lc_str_printf(x->j->scratch, LC_DETAIL_TOO_MANY_BLOCKS, LC_FMT(b->name)));
    }
}

static void block(context *x, const lc_block *s, const lc_value *v, const lc_trail *at);

static void block_elements(context *x, const lc_block_type *b, const lc_value *v,
                           const lc_trail *at)
{
    for (size_t i = 0; i < v->count; i++) {
        const lc_value *element = &v->as.many.elems[i];
        lc_trail trail = lc_element_trail(at, v, i, false);
        if (lc_is_unknown(element))
            emit(x, LC_RULE_CONFIG_UNKNOWN_ELEMENT, &trail,
                 LC_STR("a block that is itself unknown inside a known collection"));
        else if (lc_fits_block(element, b->block))
            block(x, b->block, element, &trail);
    }
}

/* Terraform makes null of empty computed blocks, and ignore_changes may take null from the prior
 * state: then a null block is not a mistake. */
static void block_type(context *x, const lc_block_type *b, const lc_value *v, const lc_trail *at)
{
    bool ignored = x->j->view->run->ignore_all || x->j->view->run->ignore_changes.count > 0;
    bool single = b->nesting == LC_NESTING_SINGLE;
    if (lc_is_null(v) && !single) {
        if (!b->computed && !ignored)
            null_block(x, b, at);
        return;
    }
    limits(x, b, v, at);
    if (!lc_is_known(v))
        return;
    if (single || b->nesting == LC_NESTING_GROUP)
        block(x, b->block, v, at);
    else if (lc_type_is_collection(v->type) || b->dynamic_inside)
        block_elements(x, b, v, at);
}

static void block(context *x, const lc_block *s, const lc_value *v, const lc_trail *at)
{
    if (!lc_is_known(v) || !lc_fits_block(v, s))
        return;
    for (size_t i = 0; i < s->block_count; i++) {
        lc_trail trail = lc_trail_attr(at, s->blocks[i].name);
        block_type(x, &s->blocks[i], &v->as.many.elems[s->blocks[i].slot], &trail);
    }
}

static void object(context *x, const lc_value *v)
{
    lc_visit visit = {x, required, NULL};
    if (!x->j->view
             ->call[LC_CALL_VALIDATE]) /* otherwise validate/required-null judges the response */
        lc_visit_object(&visit, x->j->view->block, v);
    block(x, x->j->view->block, v, NULL);
}

/* ---- The apply phase. */

static void each_unknown(void *opaque, lc_path path)
{
    context *x = opaque;
    lc_finding *f = lc_emit(x->j, &(lc_breach){.rule = LC_RULE_CONFIG_FINAL_UNKNOWN,
                                               .call = x->call,
                                               .path = path,
                                               .field = x->field,
                                               .promised_by = LC_COLUMN_NONE,
                                               .broken_by = LC_COLUMN_CONFIG,
                                               .note = LC_STR("still unknown in the apply phase")});
    lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_CONFIG_UNKNOWN, LC_STR_EMPTY);
}

static void each_mismatch(void *opaque, lc_path path, const lc_value *before, const lc_value *after)
{
    context *x = opaque;
    (void)after;
    /* A write-only value may be another one at apply; wo/config-dropped checks that there is
     * one. */
    const lc_attribute *a = lc_block_attribute_at(x->j->view->block, path);
    if (!lc_is_wholly_known(before) || (a && a->write_only))
        return;
    lc_emit(x->j,
            &(lc_breach){.rule = LC_RULE_CONFIG_INITIAL_FINAL_MISMATCH,
                         .call = x->call,
                         .path = path,
                         .field = x->field,
                         .promised_by = LC_COLUMN_NONE,
                         .broken_by = LC_COLUMN_CONFIG,
                         .note = LC_STR("the configured value differs from the one at plan")});
}

/* A placeholder for the validation that comes first, for a configuration with which no call was
 * made yet. In `scratch`. */
static const lc_call *validation_to_come(lc_judge *j)
{
    const lc_field *field = &j->view->run->config;
    if (field->state == LC_FIELD_ABSENT || !field->value || lc_is_null(field->value))
        return NULL;
    lc_call *call = LC_NEW(j->scratch, lc_call);
    call->kind = LC_CALL_VALIDATE;
    call->loc = field->loc;
    call->deposed = LC_STR_EMPTY;
    return call;
}

static const lc_call *first_of(const lc_run_view *v, const lc_call_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (v->call[kinds[i]])
            return v->call[kinds[i]];
    }
    return NULL;
}

/* ---- config/ephemeral-outside-writeonly. */

/* Is the attribute at the path, or one above it, write-only? */
static bool takes_ephemeral(const lc_block *block, lc_path path)
{
    for (; path.count; path.count--) {
        const lc_attribute *a = lc_block_attribute_at(block, path);
        if (a && a->write_only)
            return true;
    }
    return false;
}

static void judge_ephemeral(context *x, const lc_value *config)
{
    const lc_run *run = x->j->view->run;
    for (size_t i = 0; i < run->ephemeral.count; i++) {
        const lc_located_path *where = &run->ephemeral.items[i];
        const lc_value *part = lc_path_apply(x->j->scratch, config, where->path);
        if (takes_ephemeral(x->j->view->block, where->path) || (part && lc_is_null(part)))
            continue;
        lc_finding *f =
            lc_emit(x->j, &(lc_breach){.rule = LC_RULE_CONFIG_EPHEMERAL_OUTSIDE_WRITEONLY,
                                       .call = x->call,
                                       .path = where->path,
                                       .loc = where->loc,
                                       .promised_by = LC_COLUMN_NONE,
                                       .broken_by = LC_COLUMN_CONFIG,
                                       .note = LC_STR("an ephemeral value for an attribute that is "
                                                      "stored")});
        lc_finding_quote(x->j, f, LC_TF, LC_SUMMARY_EPHEMERAL_TERRAFORM, LC_STR_EMPTY);
        lc_finding_quote(x->j, f, LC_OT, LC_SUMMARY_EPHEMERAL_OPENTOFU, LC_STR_EMPTY);
    }
}

static void judge_final_config(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *call = first_of(v, (lc_call_kind[]){LC_CALL_FINAL_PLAN, LC_CALL_APPLY}, 2);
    const lc_field *field = &v->run->final_config;
    if (!call || field->state != LC_FIELD_GIVEN || lc_is_null(field->value))
        return;
    context x = {j, call, field, call->kind == LC_CALL_FINAL_PLAN};
    lc_each_unknown(j->scratch, field->value, each_unknown, &x);
    object(&x, field->value);
    if (v->config && lc_is_known(v->config))
        lc_each_difference(j->scratch, v->config, field->value, each_mismatch, &x);
}

/* Configurations that were recorded with single calls of the apply phase. */
static void judge_sent_config(lc_judge *j, const lc_call *call)
{
    if (!call || call->config.state != LC_FIELD_GIVEN || lc_is_null(call->config.value))
        return;
    context x = {j, call, &call->config, false};
    lc_each_unknown(j->scratch, call->config.value, each_unknown, &x);
}

const lc_call *lc_config_call(lc_judge *j)
{
    static const lc_call_kind kinds[] = {LC_CALL_VALIDATE, LC_CALL_PLAN,  LC_CALL_PLAN_CREATE,
                                         LC_CALL_DATA,     LC_CALL_OPEN,  LC_CALL_FINAL_PLAN,
                                         LC_CALL_APPLY,    LC_CALL_ACTION};
    const lc_call *call = first_of(j->view, kinds, sizeof kinds / sizeof *kinds);
    return call ? call : validation_to_come(j);
}

void lc_judge_config(lc_judge *j)
{
    const lc_run_view *v = j->view;
    const lc_call *call = lc_config_call(j);
    const lc_call *plan = v->call[LC_CALL_PLAN];
    const lc_field *field = &v->run->config;
    if (field->state == LC_FIELD_ABSENT && plan)
        field = &plan->config;
    if (call && field->state == LC_FIELD_UNDECODABLE) {
        lc_emit(j, &(lc_breach){.rule = LC_RULE_CONFIG_TYPE,
                                .call = call,
                                .path = field->problem_path,
                                .loc = field->loc,
                                .promised_by = LC_COLUMN_NONE,
                                .broken_by = LC_COLUMN_CONFIG,
                                .note = lc_problem_message(j, field)});
    }
    if (call && field->state == LC_FIELD_GIVEN) {
        context x = {j, call, field, v->call[LC_CALL_PLAN] != NULL};
        object(&x, field->value);
        judge_ephemeral(&x, field->value);
    }
    judge_final_config(j);
    judge_sent_config(j, v->call[LC_CALL_FINAL_PLAN]);
    judge_sent_config(j, v->call[LC_CALL_APPLY]);
}
