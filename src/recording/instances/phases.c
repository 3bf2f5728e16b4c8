/* Phases: the calls of one process about one object. After each call a phase registers a key for
 * each request that may follow, a hash of the values that this request has: the state of the
 * object, or the values of its plan. So the phase of a new call is found by one lookup. If several
 * phases fit, any will do, because all their calls so far have the same values. */
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"

#include <string.h>

#define FEW 64 /* candidates that are compared for one call, to bound the work */

/* ---- Values. */

const lc_value *lc_given(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN ? field->value : NULL;
}

bool lc_given_null(const lc_field *field)
{
    return lc_given(field) && lc_is_null(field->value);
}

bool lc_given_same(const lc_field *a, const lc_field *b)
{
    const lc_value *x = lc_given(a), *y = lc_given(b);
    return x && y && lc_value_raw_equal(x, y);
}

/* Elements of a set that were unknown may have become equal and so one element. So any set may
 * become any other. */
bool lc_may_become(const lc_value *first, const lc_value *last)
{
    if (lc_is_unknown(first) || lc_value_same(first, last))
        return true;
    if (lc_is_wholly_known(first) || lc_is_null(first) || !lc_is_known(last) ||
        first->type->kind != last->type->kind)
        return false;
    if (first->type->kind == LC_TYPE_SET || first->count != last->count)
        return first->type->kind == LC_TYPE_SET;
    for (size_t i = 0; i < first->count; i++) {
        if (!lc_may_become(&first->as.many.elems[i], &last->as.many.elems[i]))
            return false;
    }
    return true;
}

static bool is_object(const lc_value *v)
{
    return v && lc_is_known(v);
}

/* A client does not always send a state as it was returned: phase->handed is how it sends it. */
static bool is_state(const lc_phase *phase, const lc_field *prior)
{
    const lc_value *v = lc_given(prior);
    return is_object(v) && phase->state &&
           (lc_value_raw_equal(phase->state, v) ||
            (phase->handed != phase->state && lc_value_same(phase->handed, v)));
}

/* ---- What may come next. */

/* The request that a key is for. */
enum { BY_STATE, BY_CONFIG, BY_APPLY, BY_PLANNED, PLANNED_ANEW };

static uint64_t key_of(unsigned what, uint64_t process, uint64_t hash)
{
    return lc_hash_mix(lc_hash_mix(what, process), hash);
}

static uint64_t key_of_state(uint64_t process, const lc_value *state)
{
    return key_of(BY_STATE, process, lc_value_hash(state));
}

/* The second plan of a replace has a null prior state, so it is found by the configuration of the
 * first. */
static uint64_t key_of_create(uint64_t process, const lc_value *config)
{
    return key_of(BY_CONFIG, process, lc_value_hash(config));
}

/* An apply repeats the prior state and the configuration of its plan. */
static uint64_t key_of_apply(uint64_t process, const lc_call *call)
{
    uint64_t hash = lc_value_hash(lc_given(&call->config));
    return key_of(BY_APPLY, process,
                  lc_hash_mix(hash, lc_value_hash(lc_given(&call->prior_state))));
}

/* With ignore_changes the configuration of an apply is another than that of its plan: an apply is
 * also found by what was planned. */
static uint64_t key_of_planned(uint64_t process, const lc_value *prior, const lc_value *planned)
{
    return key_of(BY_PLANNED, process, lc_hash_mix(lc_value_hash(prior), lc_value_hash(planned)));
}

static void expect(lc_phase *phase, lc_arena *arena, uint64_t key)
{
    lc_expected *e = LC_NEW(arena, lc_expected);
    e->next = phase->expected;
    phase->expected = e;
    lc_index_put(&phase->type->expected, &e->entry, key, phase);
}

static void expect_nothing(lc_phase *phase)
{
    for (lc_expected *e = phase->expected; e; e = e->next)
        lc_index_take(&phase->type->expected, &e->entry);
    phase->expected = NULL;
}

/* Will core plan again with a null prior state? Where a recording has no requires_replace, every
 * change may be a replace. */
static bool is_replaced(const lc_call *plan)
{
    if (!plan || lc_given_null(&plan->prior_state))
        return false;
    return plan->has_requires_replace ? plan->requires_replace.count > 0
                                      : !lc_given_same(&plan->prior_state, &plan->result);
}

/* The last configuration of the instance, or NULL. */
static const lc_value *last_config(const lc_instance *instance)
{
    for (size_t i = instance ? instance->phases.count : 0; i; i--) {
        if (instance->phases.items[i - 1]->config)
            return instance->phases.items[i - 1]->config;
    }
    return NULL;
}

/* Both cores mark the object as tainted that a failed create returned. */
static bool is_tainted(const lc_instance *instance)
{
    for (size_t i = instance ? instance->phases.count : 0; i; i--) {
        const lc_call *apply = instance->phases.items[i - 1]->apply;
        if (apply)
            return apply->failed == LC_YES && lc_given_null(&apply->prior_state) &&
                   is_object(lc_given(&apply->result));
    }
    return false;
}

/* Core plans a create for an object that its refresh did not find, or that is tainted. */
static bool is_planned_anew(const lc_phase *phase)
{
    return phase->read && !phase->plan && phase->state &&
           (lc_is_null(phase->state) || is_tainted(phase->instance));
}

static void expect_plan_anew(lc_phase *phase, lc_arena *arena)
{
    const lc_value *config = last_config(phase->instance);
    expect(phase, arena, key_of(PLANNED_ANEW, phase->process, 0));
    if (config)
        expect(phase, arena, key_of(PLANNED_ANEW, phase->process, lc_value_hash(config)));
}

/* May the create of a replace follow? No plan says so if the user (-replace) or
 * replace_triggered_by requires replacement; then only a recorded address shows it. */
static bool may_be_replaced(const lc_phase *phase)
{
    return !phase->create && phase->config &&
           (is_replaced(phase->plan) ||
            (phase->address.len && phase->plan && is_object(lc_given(&phase->plan->prior_state))));
}

/* Registers what may follow. Nothing follows an apply within one phase. */
static void expect_next(lc_phase *phase, lc_arena *arena)
{
    const lc_call *plan = phase->create ? phase->create : phase->plan;
    expect_nothing(phase);
    if (phase->apply || phase->destroy)
        return;
    if (is_object(phase->state) && !phase->plan) {
        expect(phase, arena, key_of_state(phase->process, phase->state));
        if (phase->handed != phase->state)
            expect(phase, arena, key_of_state(phase->process, phase->handed));
    }
    if (is_planned_anew(phase))
        expect_plan_anew(phase, arena);
    if (may_be_replaced(phase))
        expect(phase, arena, key_of_create(phase->process, phase->config));
    if (plan && lc_given(&plan->config) && lc_given(&plan->prior_state))
        expect(phase, arena, key_of_apply(phase->process, plan));
    if (plan && lc_given(&plan->prior_state) && lc_given(&plan->result))
        expect(phase, arena,
               key_of_planned(phase->process, plan->prior_state.value, plan->result.value));
}

/* ---- Objects that came back in a process. */

static void return_object(lc_phase *phase, lc_arena *arena, const lc_value *object)
{
    if (!is_object(object))
        return;
    lc_expected *e = LC_NEW(arena, lc_expected);
    e->next = phase->returned;
    phase->returned = e;
    lc_index_put(&phase->type->returned, &e->entry, key_of_state(phase->process, object), phase);
}

/* Both as it was returned and as the client sends it. */
static void return_state(lc_phase *phase, const lc_recorded_call *r, const lc_value *state)
{
    if (!is_object(state))
        return;
    const lc_value *handed = lc_state_handed_on(r->arena, r->schema->block, state);
    return_object(phase, r->arena, state);
    if (handed != state)
        return_object(phase, r->arena, handed);
}

static void return_states(lc_phase *phase, const lc_recorded_call *r)
{
    lc_call_kind kind = r->call.kind;
    for (size_t i = 0; i < r->call.imported.count; i++)
        return_state(phase, r, lc_given(&r->call.imported.items[i].state));
    if (kind == LC_CALL_UPGRADE || kind == LC_CALL_MOVE || kind == LC_CALL_READ ||
        kind == LC_CALL_APPLY || kind == LC_CALL_DESTROY)
        return_state(phase, r, lc_given(&r->call.result));
}

static bool was_returned(const lc_phase *phase, const lc_value *object)
{
    uint64_t key = key_of_state(phase->process, object);
    return lc_index_first(&phase->type->returned, key) != NULL;
}

/* ---- Does the call continue the phase? */

/* FITS: the values fit, but private data or the planned object differ. It is taken if no phase fits
 * exactly: rules then report the difference. */
typedef enum fit { NO_FIT, FITS, FITS_EXACTLY } fit;

static fit by_private(bool known, lc_str had, const lc_call *q)
{
    bool differs = known && q->has_request_private && !lc_str_eq(had, q->request_private);
    return differs ? FITS : FITS_EXACTLY;
}

/* Compares with the private data that the object has now. */
static fit by_state_private(const lc_phase *phase, const lc_call *q)
{
    if (phase->destroy_plan && q->kind == LC_CALL_DESTROY)
        return by_private(phase->destroy_plan->has_private, phase->destroy_plan->private_data, q);
    if (phase->read)
        return by_private(phase->read->has_private, phase->read->private_data, q);
    if (phase->import && phase->import->imported.count == 1)
        return by_private(phase->import->imported.items[0].has_private,
                          phase->import->imported.items[0].private_data, q);
    return FITS_EXACTLY;
}

static fit fit_read(const lc_phase *phase, const lc_recorded_call *r)
{
    bool fits = !phase->read && !phase->plan && !phase->destroy_plan &&
                is_state(phase, &r->call.prior_state);
    return fits ? by_state_private(phase, &r->call) : NO_FIT;
}

static fit fit_plan(const lc_phase *phase, const lc_recorded_call *r)
{
    bool fits = !phase->plan && !phase->destroy_plan && is_state(phase, &r->call.prior_state);
    return fits ? by_state_private(phase, &r->call) : NO_FIT;
}

static fit fit_create(const lc_phase *phase, const lc_recorded_call *r)
{
    bool fits = may_be_replaced(phase) && r->config &&
                lc_value_raw_equal(phase->config, r->config) &&
                (is_replaced(phase->plan) || lc_str_eq(phase->address, r->address));
    return fits ? by_private(phase->plan->has_private, phase->plan->private_data, &r->call)
                : NO_FIT;
}

static fit fit_destroy(const lc_phase *phase, const lc_recorded_call *r)
{
    bool fits = !phase->plan && is_state(phase, &r->call.prior_state);
    return fits ? by_state_private(phase, &r->call) : NO_FIT;
}

static fit fit_apply(const lc_phase *phase, const lc_recorded_call *r)
{
    const lc_call *plan = phase->create ? phase->create : phase->plan;
    if (!plan || !lc_given_same(&plan->prior_state, &r->call.prior_state))
        return NO_FIT;
    bool same = lc_given_same(&plan->result, &r->call.planned);
    bool configured = lc_given_same(&plan->config, &r->call.config);
    if (!configured)
        return same ? FITS : NO_FIT;
    return same ? by_private(plan->has_private, plan->private_data, &r->call) : FITS;
}

static lc_phase *best_fit(const lc_object_type *type, uint64_t key, const lc_recorded_call *r,
                          fit (*fits)(const lc_phase *phase, const lc_recorded_call *r))
{
    lc_phase *found = NULL;
    size_t seen = 0;
    for (lc_index_entry *e = lc_index_first(&type->expected, key); e && seen < FEW;
         e = lc_index_next(e), seen++) {
        lc_phase *phase = e->item;
        bool may = phase->process == r->process && lc_may_be_one(phase->address, r->address);
        fit how = may ? fits(phase, r) : NO_FIT;
        if (how == FITS_EXACTLY)
            return phase;
        found = how == FITS && !found ? phase : found;
    }
    return found;
}

static lc_phase *find_by_state(const lc_object_type *type, const lc_recorded_call *r,
                               fit (*fits)(const lc_phase *phase, const lc_recorded_call *r))
{
    const lc_value *prior = lc_given(&r->call.prior_state);
    return is_object(prior) ? best_fit(type, key_of_state(r->process, prior), r, fits) : NULL;
}

static bool may_be_planned_anew(const lc_phase *phase, const lc_recorded_call *r)
{
    return is_planned_anew(phase) && phase->process == r->process &&
           lc_may_be_one(phase->address, r->address);
}

/* The only phase of the session; NULL: there is none, or several. */
static lc_phase *find_only_planned_anew(const lc_object_type *type, const lc_recorded_call *r)
{
    lc_phase *only = NULL;
    uint64_t key = key_of(PLANNED_ANEW, r->process, 0);
    for (lc_index_entry *e = lc_index_first(&type->expected, key); e; e = lc_index_next(e)) {
        lc_phase *phase = e->item;
        if (!may_be_planned_anew(phase, r) || phase->session != r->session)
            continue;
        if (only)
            return NULL;
        only = phase;
    }
    return only;
}

/* The phase whose instance had this configuration before, or else the only one of the session. */
static lc_phase *find_planned_anew(const lc_object_type *type, const lc_recorded_call *r)
{
    uint64_t key = key_of(PLANNED_ANEW, r->process, lc_value_hash(r->config));
    for (lc_index_entry *e = lc_index_first(&type->expected, key); e; e = lc_index_next(e)) {
        lc_phase *phase = e->item;
        const lc_value *config = last_config(phase->instance);
        if (may_be_planned_anew(phase, r) && config && lc_value_raw_equal(config, r->config))
            return phase;
    }
    return find_only_planned_anew(type, r);
}

/* A null configuration or proposed state means a plan to delete; a null prior state the create of a
 * replace, or a new object. */
static lc_phase *find_plan(const lc_object_type *type, lc_recorded_call *r)
{
    bool proposes_nothing =
        lc_given_null(&r->call.proposed) && !lc_given_null(&r->call.prior_state);
    if (lc_given_null(&r->call.config) || proposes_nothing) {
        r->call.kind = LC_CALL_DESTROY_PLAN;
        return find_by_state(type, r, fit_plan);
    }
    if (!lc_given_null(&r->call.prior_state) || !r->config)
        return find_by_state(type, r, fit_plan);
    lc_phase *replaced = best_fit(type, key_of_create(r->process, r->config), r, fit_create);
    if (replaced)
        r->call.kind = LC_CALL_PLAN_CREATE;
    return replaced ? replaced : find_planned_anew(type, r);
}

static lc_phase *find_apply(const lc_object_type *type, lc_recorded_call *r)
{
    if (lc_given_null(&r->call.planned)) {
        r->call.kind = LC_CALL_DESTROY;
        return find_by_state(type, r, fit_destroy);
    }
    const lc_value *prior = lc_given(&r->call.prior_state), *planned = lc_given(&r->call.planned);
    if (!lc_given(&r->call.config) || !prior)
        return NULL;
    lc_phase *found = best_fit(type, key_of_apply(r->process, &r->call), r, fit_apply);
    return found || !planned
               ? found
               : best_fit(type, key_of_planned(r->process, prior, planned), r, fit_apply);
}

/* Core upgrades an identity right after the object that it belongs to. */
static lc_phase *find_upgraded(const lc_object_type *type, const lc_recorded_call *r)
{
    lc_phase *phase = type->upgraded;
    bool fits = phase && phase->process == r->process && phase->calls.count == 1;
    return fits ? phase : NULL;
}

lc_phase *lc_phase_find(lc_object_type *type, lc_recorded_call *r)
{
    if (r->call.kind == LC_CALL_READ)
        return find_by_state(type, r, fit_read);
    if (r->call.kind == LC_CALL_PLAN)
        return find_plan(type, r);
    if (r->call.kind == LC_CALL_APPLY)
        return find_apply(type, r);
    return r->call.kind == LC_CALL_UPGRADE_IDENTITY ? find_upgraded(type, r) : NULL;
}

lc_phase *lc_phase_imported(lc_object_type *type, const lc_recorded_call *r)
{
    const lc_value *state = lc_given(&r->call.prior_state);
    if (!is_object(state))
        return NULL;
    uint64_t key = key_of_state(r->process, state);
    for (lc_index_entry *e = lc_index_first(&type->expected, key); e; e = lc_index_next(e)) {
        lc_phase *phase = e->item;
        if (phase->import && phase->read && !phase->generated && phase->process == r->process &&
            is_state(phase, &r->call.prior_state))
            return phase;
    }
    return NULL;
}

/* ---- Adding calls. */

/* The response of a failed call is not stored, except that of an apply. */
static void set_state(lc_phase *phase, lc_recorded_call *r, const lc_field *field)
{
    const lc_value *v = lc_given(field);
    bool applied = r->call.kind == LC_CALL_APPLY || r->call.kind == LC_CALL_DESTROY;
    if (!v || (r->call.failed == LC_YES && !applied))
        return;
    phase->state = v;
    phase->handed = lc_state_handed_on(r->arena, r->schema->block, v);
}

/* Several objects may be imported at once. The first is taken; a read of another one begins a phase
 * of its own. */
static void set_imported(lc_phase *phase, lc_recorded_call *r)
{
    if (r->call.imported.count)
        set_state(phase, r, &r->call.imported.items[0].state);
}

/* Where a phase keeps the first call of this kind. NULL: such a call is of no object. */
static lc_call **slot_of(lc_phase *phase, lc_call_kind kind)
{
    switch (kind) {
    case LC_CALL_UPGRADE:
        return &phase->upgrade;
    case LC_CALL_MOVE:
        return &phase->move;
    case LC_CALL_IMPORT:
        return &phase->import;
    case LC_CALL_READ:
        return &phase->read;
    case LC_CALL_PLAN:
        return &phase->plan;
    case LC_CALL_PLAN_CREATE:
        return &phase->create;
    case LC_CALL_DESTROY_PLAN:
        return &phase->destroy_plan;
    case LC_CALL_APPLY:
        return &phase->apply;
    case LC_CALL_DESTROY:
        return &phase->destroy;
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
    case LC_CALL_ACTION:
        return &phase->alone;
    case LC_CALL_SCHEMA:
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_VALIDATE:
    case LC_CALL_FINAL_PLAN:
    case LC_CALL_REREAD:
    case LC_CALL_LIST:
    case LC_CALL_FUNCTION:
    case LC_CALL_STORE:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        return NULL;
    }
    return NULL;
}

/* The state of the object after the call. The request of a read has one state, its response
 * another. */
static void take_states(lc_phase *phase, lc_recorded_call *r)
{
    lc_call_kind kind = r->call.kind;
    if (kind == LC_CALL_READ || kind == LC_CALL_PLAN || kind == LC_CALL_DESTROY_PLAN)
        set_state(phase, r, &r->call.prior_state);
    if (kind == LC_CALL_READ || kind == LC_CALL_UPGRADE || kind == LC_CALL_MOVE ||
        kind == LC_CALL_APPLY || kind == LC_CALL_DESTROY)
        set_state(phase, r, &r->call.result);
    if (kind == LC_CALL_IMPORT)
        set_imported(phase, r);
}

static void take(lc_phase *phase, lc_recorded_call *r)
{
    lc_call_kind kind = r->call.kind;
    lc_call **slot = slot_of(phase, kind);
    if (!slot)
        return;
    if (kind == LC_CALL_UPGRADE && !*slot)
        phase->stored = lc_stored_by_schema(r->arena, &r->call.raw, r->schema);
    *slot = *slot ? *slot : &r->call;
    if (kind == LC_CALL_PLAN || slot == &phase->alone || (kind == LC_CALL_APPLY && !phase->config))
        phase->config = r->config;
    take_states(phase, r);
}

static void push(lc_phase *phase, lc_recorded_call *r)
{
    if (phase->calls.count == phase->calls.capacity) {
        phase->calls.capacity = phase->calls.capacity ? phase->calls.capacity * 2 : 4;
        phase->calls.items = lc_heap_resize(
            phase->calls.items, lc_mul_size(phase->calls.capacity, sizeof *phase->calls.items));
    }
    phase->calls.items[phase->calls.count++] = r;
}

void lc_phase_add(lc_phase *phase, lc_recorded_call *r)
{
    push(phase, r);
    phase->last = r->arrival;
    phase->address = phase->address.len ? phase->address : r->address;
    take(phase, r);
    return_states(phase, r);
    if (r->call.kind == LC_CALL_PLAN) {
        phase->walked = phase->type->walked;
        phase->planned_before = phase->type->planned_before;
    }
    if (r->call.kind == LC_CALL_UPGRADE)
        phase->type->upgraded = phase;
    expect_next(phase, r->arena);
}

void lc_phase_add_validation(lc_phase *phase, lc_recorded_call *r)
{
    push(phase, r);
}

lc_phase *lc_phase_new(lc_object_type *type, lc_recorded_call *r)
{
    lc_phase *phase = lc_heap_alloc(sizeof *phase);
    *phase = (lc_phase){.type = type,
                        .process = r->process,
                        .session = r->session,
                        .first = r->arrival,
                        .walked = type->walked};
    return phase;
}

void lc_phase_free(lc_instances *all, lc_phase *phase)
{
    lc_object_type *type = phase->type;
    expect_nothing(phase);
    for (lc_expected *e = phase->returned; e; e = e->next)
        lc_index_take(&type->returned, &e->entry);
    lc_index_take(&type->pending, &phase->pending);
    if (type->upgraded == phase)
        type->upgraded = NULL;
    for (size_t i = 0; i < phase->calls.count; i++) {
        all->held -= phase->calls.items[i]->held;
        lc_arena_free(phase->calls.items[i]->arena);
    }
    if (phase->generated)
        lc_arena_free(phase->generated->arena);
    lc_heap_free(phase->calls.items);
    lc_heap_free(phase);
}

lc_call *lc_phase_initial(const lc_phase *phase)
{
    return phase->create ? phase->create : phase->plan;
}

uint64_t lc_phase_arrival(const lc_phase *phase, const lc_call *call)
{
    for (size_t i = 0; i < phase->calls.count; i++) {
        if (&phase->calls.items[i]->call == call)
            return phase->calls.items[i]->arrival;
    }
    return 0;
}

/* ---- Calls that continue no phase, although they must. Clients send the object that they
 * received. So in a process that was recorded since it was configured, such a call is a violation
 * of the client, or calls are missing in the recording. The call is added to the instance with the
 * most similar phase, so that rules compare the two. */

#define MAX_SEARCHES 1000 /* such calls for which the most similar phase is searched */
#define MAX_NEAREST  4096 /* phases that are compared with one call */

static lc_recorded_call *first_call(const lc_phase *phase)
{
    for (size_t i = 0; i < phase->calls.count; i++) {
        if (phase->calls.items[i]->call.kind != LC_CALL_VALIDATE)
            return phase->calls.items[i];
    }
    return NULL;
}

static bool is_astray(const lc_instances *all, const lc_phase *phase)
{
    const lc_recorded_call *r = first_call(phase);
    const lc_value *prior = r ? lc_given(&r->call.prior_state) : NULL;
    if (!r || phase->process == 0 || phase->process >= LC_ONLY_PROVIDER ||
        !all->sessions.items[phase->session - 1].configured)
        return false;
    switch ((int)r->call.kind) {
    case LC_CALL_READ: /* Terraform may read an object again after it has planned its delete */
        return is_object(prior) && !was_returned(phase, prior);
    case LC_CALL_PLAN:
    case LC_CALL_DESTROY_PLAN:
    case LC_CALL_DESTROY:
        return is_object(prior);
    case LC_CALL_APPLY:
        return true;
    default:
        return false;
    }
}

/* Can the phase have led to such a call? */
static bool may_lead_to(const lc_phase *from, const lc_phase *to, lc_call_kind kind)
{
    bool begun = from->upgrade || from->import || from->move;
    bool planned = from->plan || from->destroy_plan;
    if (from == to || from->process != to->process || from->first > to->first || from->astray ||
        !lc_may_be_one(from->address, to->address))
        return false;
    if (kind == LC_CALL_APPLY)
        return from->plan && !from->apply;
    if (kind == LC_CALL_DESTROY)
        return begun && !from->destroy && !from->apply;
    return begun && !planned && !from->apply && !from->destroy &&
           (kind != LC_CALL_READ || !from->read);
}

/* How many attributes at the top of the object are the same? One is added where both values are
 * null or both are not, which is more similar than a value next to none. */
static size_t same_attributes(const lc_field *a, const lc_field *b)
{
    const lc_value *x = lc_given(a), *y = lc_given(b);
    size_t same = 0;
    if (!x || !y || lc_is_null(x) != lc_is_null(y))
        return 0;
    if (!is_object(x) || !is_object(y) || x->count != y->count)
        return 1;
    for (size_t i = 0; i < x->count; i++)
        same += lc_value_same(&x->as.many.elems[i], &y->as.many.elems[i]);
    return same + 1;
}

static size_t likeness(const lc_phase *from, const lc_call *call)
{
    if (call->kind == LC_CALL_APPLY) {
        const lc_call *plan = lc_phase_initial(from);
        return same_attributes(&plan->result, &call->planned) +
               same_attributes(&plan->config, &call->config) +
               same_attributes(&plan->prior_state, &call->prior_state);
    }
    size_t best = 0;
    const lc_call *const shown[] = {from->upgrade, from->move, from->read};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        size_t same = shown[i] ? same_attributes(&shown[i]->result, &call->prior_state) : 0;
        best = same > best ? same : best;
    }
    for (size_t i = 0; from->import && i < from->import->imported.count; i++) {
        size_t same = same_attributes(&from->import->imported.items[i].state, &call->prior_state);
        best = same > best ? same : best;
    }
    return best;
}

static lc_phase *nearest(const lc_instances *all, const lc_phase *to, const lc_call *call)
{
    lc_phase *found = NULL;
    size_t best = 0, seen = 0;
    for (lc_instance *i = all->first; i && seen < MAX_NEAREST; i = i->next) {
        for (size_t k = 0; i->type == to->type && k < i->phases.count; k++) {
            lc_phase *from = i->phases.items[k];
            size_t same = may_lead_to(from, to, call->kind) ? likeness(from, call) : 0;
            seen++;
            if (same > best) {
                best = same;
                found = from;
            }
        }
    }
    return found;
}

/* The apply may have been joined with an earlier plan, which the plan in `from` repeats; then
 * `from` continues that plan. */
static void lead_to(lc_instances *all, lc_phase *from, lc_phase *to)
{
    to->astray = from;
    if (to->continues && to->apply && !from->continues) {
        from->continues = to->continues;
        from->continues->applied_by = from;
        to->continues = NULL;
        lc_instance_move(all, from, to->instance);
    }
    lc_instance_move(all, to, from->instance);
}

/* Does nothing if instances were given before the end, because those with the phases may be gone.
 */
void lc_phases_settle(lc_instances *all)
{
    LC_VEC(lc_phase *) list = {0};
    lc_arena *scratch = lc_arena_new();
    for (lc_instance *i = all->first; i && !all->given_early; i = i->next) {
        for (size_t k = 0; k < i->phases.count; k++) {
            if (list.count < MAX_SEARCHES && is_astray(all, i->phases.items[k]))
                *LC_PUSH(scratch, &list, lc_phase *) = i->phases.items[k];
        }
    }
    for (size_t i = 0; i < list.count; i++) {
        lc_recorded_call *r = first_call(list.items[i]);
        lc_phase *from = nearest(all, list.items[i], &r->call);
        if (from)
            lead_to(all, from, list.items[i]);
        else if (all->complete)
            r->call.returned_before = LC_NO;
    }
    lc_arena_free(scratch);
}
