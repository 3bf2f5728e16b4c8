/* The view of one run: derived fields, what each core sends, and the action that follows.
 *
 * Only these fields are derived: upgraded_state from previous_run_state at the same version,
 * prior_state from upgraded_state, final_config from a wholly known config, previous_run_state from
 * the run before, and the proposed new state. Everything else stays absent, so that no rule judges
 * what was never stated. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

const lc_call *lc_run_call(const lc_run *run, lc_call_kind kind)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == kind)
            return &run->calls.items[i];
    }
    return NULL;
}

const lc_provider_diag *lc_call_first_error(const lc_call *call)
{
    for (size_t i = 0; i < call->diagnostics.count; i++) {
        if (call->diagnostics.items[i].severity == LC_SEVERITY_ERROR)
            return &call->diagnostics.items[i];
    }
    return NULL;
}

static void note_derived(lc_run *run, lc_arena *arena, const char *name)
{
    lc_str *slot = LC_PUSH(arena, &run->derived, lc_str);
    *slot = lc_str_from_c(name);
}

static void derive(lc_run *run, lc_arena *arena, lc_field *field, const lc_value *value, lc_loc loc,
                   const char *name)
{
    *field = (lc_field){0};
    field->state = LC_FIELD_DERIVED;
    field->value = value;
    field->loc = loc;
    note_derived(run, arena, name);
}

static const lc_value *value_of(const lc_field *field)
{
    return lc_field_has_value(field) ? field->value : NULL;
}

/* What the state file holds: the raw state in the request of an upgrade, or the one that the run
 * states. Decoded only if it has the current schema version. */
static void find_stored(lc_run_view *v, lc_arena *arena)
{
    const lc_call *upgrade = v->call[LC_CALL_UPGRADE];
    const lc_raw_state *raw =
        upgrade && upgrade->raw.given ? &upgrade->raw : &v->run->previous_run_state;
    if (!raw->given || !raw->has_attributes || !lc_field_has_value(&raw->attributes))
        return;
    v->stored_raw = raw;
    if (raw->schema_version == v->schema->version)
        v->stored = lc_stored_decode(arena, raw->attributes.value, v->block->implied, true);
}

/* The state that the run before has saved, if this run states none. A schema of the same version
 * may differ in form, because a recording can have two; then the state is decoded anew. */
static const lc_value *state_from_before(const lc_run_view *v, lc_arena *arena,
                                         const lc_run_view *before)
{
    if (!before || !before->saved || v->run->previous_run_state.given)
        return NULL;
    const lc_type *had = before->block->implied, *has = v->block->implied;
    if (before->schema->version != v->schema->version)
        return NULL;
    if (before->schema == v->schema || lc_type_conforms(before->saved->type, has))
        return before->saved;
    bool plain =
        !had->has_dynamic && !has->has_dynamic; /* a dynamic value is stored with its type */
    return plain ? lc_stored_decode(arena, before->saved, has, true) : NULL;
}

/* The upgraded state is the result of an upgrade or of a move, or the stored one at the same
 * version. An import has none. */
static void find_upgraded(lc_run_view *v, lc_arena *arena, const lc_run_view *before)
{
    const lc_call *upgrade = v->call[LC_CALL_UPGRADE], *move = v->call[LC_CALL_MOVE];
    find_stored(v, arena);
    if (v->stored_raw)
        v->stored_version = v->stored_raw->schema_version;
    if (before && !v->run->previous_run_state.given && !v->stored_raw) {
        v->saved_before = before->saved;
        v->stored_version = before->schema->version;
    }
    if (!v->stored_raw) {
        v->stored = state_from_before(v, arena, before);
        v->stored_derived = v->stored != NULL;
    }
    if (v->call[LC_CALL_IMPORT])
        return;
    if (move) {
        v->upgraded = value_of(&move->result);
        return;
    }
    if (upgrade && upgrade->result.state != LC_FIELD_ABSENT) {
        v->upgraded = value_of(&upgrade->result);
        return;
    }
    v->upgraded = v->stored;
    if (v->upgraded && v->stored_derived)
        note_derived(v->run, arena, "previous_run_state");
    if (v->upgraded)
        note_derived(v->run, arena, "upgraded_state");
}

static bool is_before_plan(const lc_run_view *v, const lc_call *read)
{
    const lc_call *plan = v->call[v->deleting ? LC_CALL_DESTROY_PLAN : LC_CALL_PLAN];
    return !plan || read->index < plan->index;
}

/* A read after the plan is of the changed object, and does not show the prior state. */
static void derive_prior(lc_run_view *v, lc_arena *arena)
{
    lc_run *run = v->run;
    lc_call *upgrade = v->call[LC_CALL_UPGRADE], *read = v->call[LC_CALL_READ];
    if (run->prior_state.state != LC_FIELD_ABSENT || v->call[LC_CALL_IMPORT] ||
        v->call[LC_CALL_MOVE])
        return;
    if (read && is_before_plan(v, read)) {
        if (lc_field_has_value(&read->result))
            run->prior_state = read->result;
        return;
    }
    lc_loc loc = upgrade && upgrade->result.state != LC_FIELD_ABSENT ? upgrade->result.loc
                 : v->stored_derived                                 ? run->loc
                                                                     : run->previous_run_state.loc;
    if (v->upgraded)
        derive(run, arena, &run->prior_state, v->upgraded, loc, "prior_state");
}

/* The first call of each kind, but of several plans the last one: Terraform may plan before it has
 * read, as a first guess, and the client continues with the last answer. */
static void find_calls(lc_run_view *v)
{
    for (size_t i = 0; i < v->run->calls.count; i++) {
        lc_call *call = &v->run->calls.items[i];
        /* an action is planned and invoked by calls of one kind: the invoked one counts */
        bool invoked = call->kind == LC_CALL_ACTION && call->streamed != LC_NOT_KNOWN;
        if (!v->call[call->kind] || call->kind == LC_CALL_PLAN || invoked)
            v->call[call->kind] = call;
    }
}

/* Without any configuration, calls of a delete alone show that the run is one. */
static void find_config(lc_run_view *v, lc_arena *arena)
{
    /* The requests that contain the configuration, where the run itself does not state it. */
    static const lc_call_kind asking[] = {LC_CALL_PLAN, LC_CALL_DATA, LC_CALL_OPEN, LC_CALL_ACTION};
    lc_run *run = v->run;
    const lc_call *plan = v->call[LC_CALL_PLAN];
    v->config = value_of(&run->config);
    for (size_t i = 0; i < sizeof asking / sizeof *asking && !v->config; i++) {
        if (v->call[asking[i]])
            v->config = value_of(&v->call[asking[i]]->config);
    }
    if (run->final_config.state == LC_FIELD_ABSENT && v->config && lc_is_wholly_known(v->config) &&
        !lc_is_null(v->config) && (v->call[LC_CALL_FINAL_PLAN] || v->call[LC_CALL_APPLY]))
        derive(run, arena, &run->final_config, v->config, run->config.loc, "final_config");
    v->final_config = value_of(&run->final_config);
    v->deleting = v->config && lc_is_null(v->config);
    if (!v->config && !plan && !v->call[LC_CALL_FINAL_PLAN] && !v->call[LC_CALL_APPLY] &&
        (v->call[LC_CALL_DESTROY_PLAN] || v->call[LC_CALL_DESTROY]))
        v->deleting = true;
}

/* The configuration as one core sends it with a plan: the recorded one, or the written one after
 * ignore_changes (if `ignoring`) and Terraform's preparation of computed blocks. */
static const lc_value *sent_config(const lc_run_view *v, lc_arena *arena, int core,
                                   const lc_call *call, const lc_value *written, bool ignoring)
{
    if (call && lc_field_has_value(&call->config))
        return call->config.value;
    if (!written || !lc_is_known(written))
        return written;
    if (ignoring && v->sent_prior)
        written = lc_ignore_changes(arena, v->run, v->block, v->sent_prior, written);
    return core == LC_TERRAFORM ? lc_prepare_computed_blocks(arena, v->block, written) : written;
}

/* The create of a replace is planned without ignore_changes, because there is no prior state. */
static void compute_requests(lc_run_view *v, lc_arena *arena, int core)
{
    lc_core_run *c = &v->core[core];
    bool replaced = v->run->tainted == LC_YES;
    c->config = sent_config(v, arena, core, v->call[LC_CALL_PLAN], v->config, true);
    c->create_config = sent_config(v, arena, core, v->call[LC_CALL_PLAN_CREATE], v->config, false);
    c->final_config =
        sent_config(v, arena, core, v->call[LC_CALL_FINAL_PLAN], v->final_config, !replaced);
    if (v->deleting || !c->config || !v->sent_prior || lc_is_null(c->config))
        return;
    c->proposed = lc_proposed_new(arena, core, v->block, v->sent_prior, c->config);
    c->proposed_crash = !c->proposed;
}

static bool is_replace(lc_action action)
{
    return action == LC_ACTION_DELETE_THEN_CREATE || action == LC_ACTION_CREATE_THEN_DELETE;
}

/* Recordings may lack requires_replace. A second plan with null prior state shows then that the
 * client decided to replace; the order of apply and destroy shows which way. */
static lc_action action_by_calls(const lc_run_view *v, lc_action action)
{
    const lc_call *plan = v->call[LC_CALL_PLAN], *apply = v->call[LC_CALL_APPLY];
    const lc_call *destroy = v->call[LC_CALL_DESTROY];
    if (!v->call[LC_CALL_PLAN_CREATE] || plan->has_requires_replace || !v->run->order_known ||
        is_replace(action) || v->run->recorded != LC_ACTION_NONE)
        return action;
    return apply && destroy && apply->index < destroy->index ? LC_ACTION_CREATE_THEN_DELETE
                                                             : LC_ACTION_DELETE_THEN_CREATE;
}

/* Sets the action of a core; it stays LC_ACTION_NONE where the plan failed or an input is
 * missing. */
static void decide(lc_run_view *v, lc_arena *arena, int core)
{
    lc_core_run *c = &v->core[core];
    const lc_call *plan = v->call[LC_CALL_PLAN];
    if (v->schema->kind == LC_KIND_DATA) {
        c->action = v->call[LC_CALL_DATA] ? LC_ACTION_READ : LC_ACTION_NONE;
        return;
    }
    if (v->deleting) {
        const lc_call *destroy_plan = v->call[LC_CALL_DESTROY_PLAN];
        if (!destroy_plan || destroy_plan->failed != LC_YES)
            c->action = v->prior && lc_is_null(v->prior) ? LC_ACTION_NOOP : LC_ACTION_DELETE;
        return;
    }
    const lc_value *planned = plan && plan->failed != LC_YES ? value_of(&plan->result) : NULL;
    if (!planned || !v->sent_prior)
        return;
    if (plan->legacy == LC_YES)
        planned = lc_ignore_changes(arena, v->run, NULL, v->sent_prior, planned);
    lc_replace_filter(&c->paths, arena, core, v->block, v->sent_prior, planned,
                      &plan->requires_replace);
    if (!c->paths.invalid)
        c->action =
            action_by_calls(v, lc_decide_action(core, v->run, v->sent_prior, planned, &c->paths));
}

const char *lc_no_action(const lc_run_view *v)
{
    const lc_call *plan = v->call[v->deleting ? LC_CALL_DESTROY_PLAN : LC_CALL_PLAN];
    if (v->core[0].action != LC_ACTION_NONE && v->core[1].action != LC_ACTION_NONE)
        return NULL;
    if (v->schema->kind == LC_KIND_DATA)
        return "the data source is not read";
    if (plan && plan->failed == LC_YES)
        return "the plan failed";
    if (!plan || !value_of(&plan->result))
        return "no planned_state is stated";
    return v->sent_prior ? "requires_replace is not valid" : "the prior_state is not known";
}

/* Find the planned state that the final plan must keep (`initial`) and the one that the apply must
 * keep (`promised`). Of a replace it is that of the second plan, but a tainted object is planned
 * once, with a null prior state. What an apply was sent counts more than what a plan returned. */
static void find_promises(lc_run_view *v)
{
    v->replacing = is_replace(v->core[0].action) || is_replace(v->core[1].action);
    bool twice = v->replacing && v->run->tainted != LC_YES;
    const lc_call *create = v->call[LC_CALL_PLAN_CREATE], *plan = v->call[LC_CALL_PLAN];
    const lc_call *last = v->call[LC_CALL_FINAL_PLAN], *apply = v->call[LC_CALL_APPLY];
    if (twice || (create && !plan)) {
        v->initial = create ? value_of(&create->result) : NULL;
        v->initial_column = LC_COLUMN_PLAN_CREATE;
    } else {
        v->initial = plan ? value_of(&plan->result) : NULL;
        v->initial_column = LC_COLUMN_PLANNED;
    }
    v->promised = v->initial;
    v->promised_column = v->initial_column;
    if (last && last->result.state != LC_FIELD_ABSENT) {
        v->promised = value_of(&last->result);
        v->promised_column = LC_COLUMN_FINAL_PLANNED;
    }
    if (apply && lc_field_has_value(&apply->planned)) {
        v->promised = apply->planned.value;
        v->promised_column = LC_COLUMN_FINAL_PLANNED;
    }
}

/* What came back from the last call that changes the object. An answer with an error need not have
 * an object: that is null to the cores. */
static const lc_value *returned(const lc_run_view *v, lc_arena *arena, const lc_call *last)
{
    if (!last || last->failed != LC_YES || last->result.state != LC_FIELD_ABSENT)
        return last ? value_of(&last->result) : NULL;
    lc_value *none = LC_NEW(arena, lc_value);
    lc_value_set_null(none, v->block->implied);
    return none;
}

/* The state at the end of the run: the result of its apply, or the prior state if nothing was
 * applied. A failed apply that returns null leaves the prior state. NULL (not known) where a
 * changed refresh may not have been stored. */
static void find_saved(lc_run_view *v, lc_arena *arena)
{
    const lc_call *last = v->call[v->deleting ? LC_CALL_DESTROY : LC_CALL_APPLY];
    const lc_value *result = returned(v, arena, last);
    bool destroyed = v->call[LC_CALL_DESTROY] && !v->deleting && last &&
                     v->call[LC_CALL_DESTROY]->index < last->index;
    bool changed = v->prior && v->upgraded && !lc_value_same(v->prior, v->upgraded);
    v->saved = v->run->stored == LC_NO && changed ? NULL : v->prior;
    if (last) {
        v->saved = result;
        if (result && lc_is_null(result) && last->failed == LC_YES && !destroyed)
            v->saved = v->prior;
    }
    if (v->saved && lc_is_known(v->saved))
        v->saved = lc_value_unknown_as_null(arena, v->saved);
}

/* Does the run begin with the object that the one before has applied, as clients hand it on? */
static bool follows_apply(const lc_run_view *v, lc_arena *arena, const lc_run_view *before)
{
    if (!lc_applied_config(before) || !before->saved || !lc_is_known(before->saved) ||
        !v->upgraded || before->schema->version != v->schema->version)
        return false;
    const lc_value *left = lc_state_handed_on(arena, before->block, before->saved);
    return lc_value_same(lc_state_handed_on(arena, v->block, v->upgraded), left);
}

/* Each step needs those before it: the prior state follows from the upgraded one, requests from the
 * prior state, actions from requests, required values from actions. */
void lc_run_view_make(lc_run_view *view, lc_arena *scratch, lc_case *subject, size_t run,
                      const lc_run_view *before)
{
    *view = (lc_run_view){0};
    view->run = &subject->runs.items[run];
    view->number = (uint32_t)run + 1;
    view->schema = view->run->schema;
    view->block = view->schema->block;
    find_calls(view);
    find_config(view, scratch);
    find_upgraded(view, scratch, before);
    derive_prior(view, scratch);
    view->prior = value_of(&view->run->prior_state);
    view->sent_prior = view->prior;
    if (view->run->tainted == LC_YES) {
        lc_value *null = LC_NEW(scratch, lc_value);
        lc_value_set_null(null, view->block->implied);
        view->sent_prior = null;
    }
    const lc_call *plan = view->call[LC_CALL_PLAN];
    if (plan && lc_field_has_value(&plan->prior_state))
        view->sent_prior = plan->prior_state.value;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        compute_requests(view, scratch, core);
        decide(view, scratch, core);
    }
    if (view->core[0].proposed && !(plan && plan->proposed.state != LC_FIELD_ABSENT))
        note_derived(view->run, scratch, "proposed_new_state");
    find_promises(view);
    find_saved(view, scratch);
    view->after_apply = before && follows_apply(view, scratch, before);
}

const lc_value *lc_applied_config(const lc_run_view *v)
{
    const lc_call *apply = v->call[LC_CALL_APPLY];
    if (!apply || apply->failed == LC_YES)
        return NULL;
    if (lc_field_has_value(&apply->config))
        return apply->config.value;
    return v->final_config ? v->final_config : v->config;
}

const lc_value *lc_call_object(const lc_call *call)
{
    if (!call || call->result.state != LC_FIELD_GIVEN)
        return NULL;
    return call->result.value;
}

lc_column lc_call_column(lc_call_kind kind)
{
    switch (kind) {
    case LC_CALL_PLAN:
    case LC_CALL_DESTROY_PLAN:
        return LC_COLUMN_PLANNED;
    case LC_CALL_PLAN_CREATE:
        return LC_COLUMN_PLAN_CREATE;
    case LC_CALL_FINAL_PLAN:
        return LC_COLUMN_FINAL_PLANNED;
    case LC_CALL_APPLY:
    case LC_CALL_DESTROY:
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
        return LC_COLUMN_NEW;
    case LC_CALL_REREAD:
        return LC_COLUMN_REREAD;
    case LC_CALL_READ:
        return LC_COLUMN_PRIOR;
    case LC_CALL_UPGRADE:
    case LC_CALL_MOVE:
        return LC_COLUMN_UPGRADED;
    case LC_CALL_SCHEMA:
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_IMPORT:
    case LC_CALL_VALIDATE:
    case LC_CALL_LIST:
    case LC_CALL_ACTION:
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        return LC_COLUMN_NONE;
    }
    return LC_COLUMN_NONE;
}
