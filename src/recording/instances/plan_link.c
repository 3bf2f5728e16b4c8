/* Which plan an apply carries out, and which plans were made again.
 *
 * A plan is the initial plan of an apply if the apply's planned state is what it planned. If the
 * apply has another planned state, it is its plan only if no other plan can have come between. A
 * process without applies only plans; its plan is a final one only if something proves this. */
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"

#include <stdlib.h>

#define MAX_EXPLAINED 256 /* plans that are compared if no hash of a configuration finds one */

/* ---- Waiting to be carried out. */

static bool looks_the_same(const lc_phase *a, const lc_phase *b)
{
    const lc_call *x = lc_phase_initial(a), *y = lc_phase_initial(b);
    return x && y && lc_given_same(&x->result, &y->result) &&
           lc_given_same(&x->config, &y->config) && lc_str_eq(x->private_data, y->private_data);
}

#define MAX_ALIKE 64 /* phases of an instance that are searched for plans that no apply follows */

/* Of plans that look the same, an apply carries out the last one, or the one before it if the last
 * one is the apply's own. Older ones need not wait, however often the object is planned. */
static void stop_waiting(const lc_phase *phase)
{
    const lc_instance *instance = phase->instance;
    size_t seen = 0;
    uint64_t session = phase->session, alike = 0;
    for (size_t i = instance->phases.count; i && seen < MAX_ALIKE; i--, seen++) {
        lc_phase *old = instance->phases.items[i - 1];
        if (old == phase || !old->pending.in || old->session >= session ||
            !looks_the_same(old, phase))
            continue;
        session = old->session;
        if (++alike > 1)
            lc_index_take(&old->type->pending, &old->pending);
    }
}

void lc_plan_wait(lc_phase *phase, const lc_recorded_call *r)
{
    bool create = r->call.kind == LC_CALL_PLAN_CREATE ||
                  (r->call.kind == LC_CALL_PLAN && lc_given_null(&r->call.prior_state)) ||
                  (r->call.kind == LC_CALL_ACTION && !r->invoked);
    if (!create)
        return;
    lc_plan_wait_again(phase);
    stop_waiting(phase);
}

#define NO_CONFIG 0 /* the hash of plans whose configuration is not in the recording */

void lc_plan_wait_again(lc_phase *phase)
{
    uint64_t hash = NO_CONFIG;
    if (phase->pending.in)
        return;
    phase->mask = lc_known_attributes_of(phase->type, phase->config);
    if (!phase->config ||
        lc_known_attributes_project(&hash, phase->type, phase->mask, phase->config))
        lc_index_put(&phase->type->pending, &phase->pending, hash, phase);
}

/* ---- How well does a plan fit what came later? */

typedef enum fit {
    NO_FIT,
    FITS_BY_TIME, /* another result, but it cannot be another plan */
    FITS_OPENLY,  /* the same result, with unknowns that became known */
    FITS_EXACTLY,
} fit;

/* No other session planned the type in between, and no validate walk began another run. */
static bool is_next(const lc_phase *from, const lc_phase *to)
{
    bool next = from->session == to->session || from->session == to->planned_before;
    return next && lc_phase_arrival(from, lc_phase_initial(from)) > to->walked;
}

static bool has_config(const lc_instances *all, const lc_phase *from, const lc_phase *to)
{
    if (!from->config || !to->config)
        return !from->config;
    if (lc_may_become(from->config, to->config))
        return true;
    lc_arena *scratch = lc_arena_new();
    lc_causes none = {0};
    bool explained = lc_instance_upstream_causes(&none, scratch, all, from, to);
    lc_arena_free(scratch);
    return explained;
}

/* The stored object that the later process got is the one refreshed before the plan, even if its
 * upgrade then changed it. */
static bool was_stored(const lc_phase *from, const lc_phase *to)
{
    const lc_value *before = lc_given(&lc_phase_initial(from)->prior_state);
    return before && to->stored && lc_value_same(to->stored, before);
}

static bool has_prior(const lc_phase *from, const lc_phase *to)
{
    const lc_call *first = lc_phase_initial(from), *last = to->plan ? to->plan : to->apply;
    if (lc_given_null(&first->prior_state))
        return lc_given_null(&last->prior_state);
    return lc_given_same(&first->prior_state, &last->prior_state) || was_stored(from, to);
}

/* Compares the planned objects: that of the apply, or of the later plan. */
static fit fit_results(const lc_phase *from, const lc_phase *to)
{
    const lc_call *first = lc_phase_initial(from);
    const lc_field *planned = to->apply ? &to->apply->planned : &to->plan->result;
    bool private_same = !to->apply || !to->apply->has_request_private || !first->has_private ||
                        lc_str_eq(to->apply->request_private, first->private_data);
    if (lc_given_same(&first->result, planned) && private_same)
        return FITS_EXACTLY;
    const lc_value *x = lc_given(&first->result), *y = lc_given(planned);
    return x && y && lc_may_become(x, y) ? FITS_OPENLY : NO_FIT;
}

/* Is this process known, and configured once since it began? */
static bool is_walk(const lc_instances *all, const lc_phase *phase)
{
    return phase->process > 0 && phase->process < LC_ONLY_PROVIDER &&
           all->sessions.items[phase->session - 1].configured;
}

/* A client plans an object once in a walk, and ends a walk before it begins the next one. So a plan
 * that came after a process was configured is not an initial plan of what this process plans, but
 * the plan of another object that looks the same: in this process, or in one that runs at the same
 * time. */
static bool in_one_walk(const lc_instances *all, const lc_phase *from, const lc_phase *to)
{
    return is_walk(all, to) && from->plan && to->plan &&
           from->first >= all->sessions.items[to->session - 1].begun;
}

static bool can_be_carried_out(const lc_instances *all, const lc_phase *from, const lc_phase *to)
{
    const lc_call *first = lc_phase_initial(from);
    return from != to && !in_one_walk(all, from, to) && !from->applied_by && !from->apply &&
           first && first->failed != LC_YES && from->first < to->first && (to->plan || to->apply) &&
           lc_may_be_one(from->address, to->address);
}

static fit fit_plan(const lc_instances *all, const lc_phase *from, const lc_phase *to)
{
    if (!can_be_carried_out(all, from, to) || !has_prior(from, to) || !has_config(all, from, to))
        return NO_FIT;
    fit how = fit_results(from, to);
    return how == NO_FIT && from->config && is_next(from, to) ? FITS_BY_TIME : how;
}

/* ---- The plan of a phase. */

typedef struct choice {
    lc_phase *found;
    fit how;
    bool several; /* others fit equally well, and differ */
} choice;

/* Plan and apply in one session count as distant: the initial plan was made in an earlier one. */
static uint64_t nearness(const lc_phase *from, const lc_phase *to)
{
    return from->session == to->session ? 0 : from->session;
}

/* Better fits come first, then plans of the same instance, then those of later sessions, then the
 * first plan in a session. */
static int compare(const choice *c, fit how, const lc_phase *from, const lc_phase *to)
{
    bool mine = from->instance == to->instance, its = c->found->instance == to->instance;
    uint64_t near = nearness(from, to), its_near = nearness(c->found, to);
    if (how != c->how)
        return how > c->how ? 1 : -1;
    if (mine != its)
        return mine ? 1 : -1;
    return (near > its_near) - (near < its_near);
}

static void consider(choice *c, const lc_instances *all, lc_phase *from, const lc_phase *to)
{
    fit how = fit_plan(all, from, to);
    if (how == NO_FIT)
        return;
    int order = c->found ? compare(c, how, from, to) : 1;
    if (order < 0)
        return;
    bool differs = order == 0 && how != FITS_EXACTLY && !looks_the_same(from, c->found);
    c->several = order == 0 && (c->several || differs);
    if (order > 0 || from->first < c->found->first)
        c->found = from;
    c->how = how;
}

/* Considers creates whose configuration changed only because of violations by other instances. */
static void consider_explained(choice *c, const lc_instances *all, const lc_phase *to)
{
    size_t seen = 0;
    for (lc_instance *i = all->last; i && seen < MAX_EXPLAINED; i = i->before) {
        if (i->type != to->type)
            continue;
        seen++;
        for (size_t k = 0; k < i->phases.count; k++) {
            if (i->phases.items[k]->pending.in)
                consider(c, all, i->phases.items[k], to);
        }
    }
}

/* Considers creates whose configuration is not in the recording. */
static void consider_without_config(choice *c, const lc_instances *all, const lc_phase *to)
{
    size_t seen = 0;
    for (lc_index_entry *e = lc_index_first(&to->type->pending, NO_CONFIG);
         e && seen < MAX_EXPLAINED; e = lc_index_next(e), seen++)
        consider(c, all, e->item, to);
}

/* Considers the last plans of the same instance before the phase. */
static choice find_own(lc_instances *all, const lc_phase *to)
{
    choice c = {NULL, NO_FIT, false};
    const lc_instance *instance = to->instance;
    size_t count = lc_phases_before(instance, to->first);
    size_t from = count > LC_PHASES_COMPARED ? count - LC_PHASES_COMPARED : 0;
    for (size_t i = from; i < count; i++)
        consider(&c, all, instance->phases.items[i], to);
    all->short_looks += from && !c.found && to->apply;
    return c;
}

static bool is_fruitless(const lc_fruitless *searches, uint64_t hash, const lc_phase *phase)
{
    size_t at = hash % LC_SEARCHES;
    return searches->session[at] == phase->session && searches->hash[at] == hash;
}

static void note_fruitless(lc_fruitless *searches, uint64_t hash, const lc_phase *phase)
{
    size_t at = hash % LC_SEARCHES;
    searches->hash[at] = hash;
    searches->session[at] = phase->session;
}

/* Considers creates whose configuration is known as far as the mask, and may be that of `to`. */
static void consider_alike(choice *c, const lc_instances *all, const lc_phase *to, size_t mask)
{
    lc_object_type *type = to->type;
    uint64_t hash;
    bool walk = is_walk(all, to) && to->plan, own = walk;
    if (!lc_known_attributes_project(&hash, type, mask, to->config) ||
        (walk && is_fruitless(&type->no_create, hash, to)))
        return;
    for (lc_index_entry *e = lc_index_first(&type->pending, hash); e; e = lc_index_next(e)) {
        lc_phase *from = e->item;
        own = own && (from == to || in_one_walk(all, from, to));
        if (from->mask == mask)
            consider(c, all, from, to);
    }
    if (own)
        note_fruitless(&type->no_create, hash, to);
}

/* An exact fit of the same instance ends the search: nothing fits better, and there may be many
 * equal objects. */
static choice find_create(lc_instances *all, const lc_phase *to)
{
    choice own = find_own(all, to), c = {NULL, NO_FIT, false};
    const lc_object_type *type = to->type;
    if (own.how == FITS_EXACTLY)
        return own;
    for (size_t m = 0; m < type->masks.count; m++)
        consider_alike(&c, all, to, m);
    if (!c.found)
        consider_without_config(&c, all, to);
    if (!c.found && lc_upstream_causes_any(all->upstream))
        consider_explained(&c, all, to);
    return c;
}

static bool creates(const lc_phase *phase)
{
    const lc_call *call = phase->plan ? phase->plan : phase->apply;
    return call && lc_given_null(&call->prior_state);
}

static void join(lc_instances *all, lc_phase *from, lc_phase *to)
{
    to->continues = from;
    from->applied_by = to;
    lc_index_take(&from->type->pending, &from->pending);
    lc_index_take(&to->type->pending, &to->pending);
    lc_instance_move(all, to, from->instance);
}

static void left_apart(lc_phase *phase)
{
    lc_object_type *type = phase->type;
    phase->open_choice = true;
    if (type->open_choices++ == 0)
        type->open_choice = phase->calls.items[phase->calls.count - 1]->call.loc;
}

/* ---- Destroys, of a plan of their own or as one half of a replace. */

/* The object that a phase is going to destroy. A tainted one was read, and then not planned. */
static const lc_field *doomed(const lc_phase *phase)
{
    if (phase->destroy_plan)
        return &phase->destroy_plan->prior_state;
    if (phase->create)
        return &phase->plan->prior_state;
    bool tainted = phase->plan && phase->read && lc_given_null(&phase->plan->prior_state);
    return tainted ? &phase->read->result : NULL;
}

static bool is_destroyed_by(const lc_phase *from, const lc_phase *to)
{
    const lc_call *last = from->destroy_plan ? from->destroy_plan : lc_phase_initial(from);
    const lc_field *object = doomed(from);
    if (from == to || !object || from->destroyed_by || from->destroy || from->first > to->first ||
        !lc_may_be_one(from->address, to->address) ||
        !lc_given_same(object, &to->destroy->prior_state))
        return false;
    return !to->destroy->has_request_private || !last->has_private ||
           lc_str_eq(last->private_data, to->destroy->request_private);
}

/* For a provider without plan_destroy core plans a delete itself, so only the upgrade is recorded.
 */
static bool is_left_unplanned(const lc_phase *from, const lc_phase *to)
{
    return from->upgrade && from->calls.count == 1 && from->session != to->session &&
           lc_given_same(&from->upgrade->result, &to->destroy->prior_state);
}

static lc_phase *find_destroy(const lc_phase *phase)
{
    const lc_instance *instance = phase->instance;
    lc_phase *last = NULL;
    for (size_t i = instance->phases.count; i; i--) {
        lc_phase *from = instance->phases.items[i - 1];
        if (is_destroyed_by(from, phase))
            return from;
        if (!last && from != phase)
            last = from;
    }
    return last && is_left_unplanned(last, phase) ? last : NULL;
}

/* With create_before_destroy the old object is deposed when the new one is created, and then
 * destroyed by a plan of its own in the same process. */
static lc_phase *find_deposing(const lc_phase *phase)
{
    const lc_instance *instance = phase->instance;
    for (size_t i = instance->phases.count; i; i--) {
        lc_phase *from = instance->phases.items[i - 1];
        if (from->create && from->applied_by && from->applied_by->session == phase->session &&
            !from->destroyed_by && from->first < phase->first &&
            lc_given_same(doomed(from), &phase->destroy->prior_state))
            return from;
    }
    return NULL;
}

static void carry_out_destroy(lc_phase *phase)
{
    lc_phase *from = phase->destroy_plan ? find_deposing(phase) : find_destroy(phase);
    phase->continues = from;
    if (from)
        from->destroyed_by = phase;
}

/* ---- Actions are planned and invoked with the same configuration. */

static void carry_out_action(lc_instances *all, lc_phase *phase)
{
    const lc_object_type *type = phase->type;
    lc_phase *found = NULL;
    for (size_t m = 0; m < type->masks.count; m++) {
        uint64_t hash;
        if (!lc_known_attributes_project(&hash, type, m, phase->config))
            continue;
        for (lc_index_entry *e = lc_index_first(&type->pending, hash); e; e = lc_index_next(e)) {
            lc_phase *from = e->item;
            if (from->mask == m && lc_may_become(from->config, phase->config))
                found = found && found->first < from->first ? found : from;
        }
    }
    if (found)
        join(all, found, phase);
}

void lc_plan_carry_out(lc_instances *all, lc_phase *phase)
{
    if (phase->alone) {
        carry_out_action(all, phase);
        return;
    }
    if (!phase->apply) {
        carry_out_destroy(phase);
        return;
    }
    if (phase->continues)
        return;
    choice c = creates(phase) ? find_create(all, phase) : find_own(all, phase);
    if (c.found && !c.several)
        join(all, c.found, phase);
    else if (c.several)
        left_apart(phase);
}

/* ---- When all calls are there. */

static bool applies(const lc_instances *all, const lc_phase *phase)
{
    return all->sessions.items[phase->session - 1].applies > 0;
}

static lc_fact deferral_allowed(const lc_phase *phase)
{
    for (size_t i = 0; i < phase->calls.count; i++) {
        if (&phase->calls.items[i]->call == phase->plan)
            return phase->calls.items[i]->capabilities.deferral_allowed;
    }
    return LC_NOT_KNOWN;
}

static bool is_validated(const lc_phase *phase)
{
    for (size_t i = 0; i < phase->calls.count; i++) {
        if (phase->calls.items[i]->call.kind == LC_CALL_VALIDATE)
            return true;
    }
    return false;
}

/* Is a plan that no apply carries out a final plan? It is if its session applies something else; if
 * it allows deferrals while the first plan did not, which Terraform does in the apply phase only;
 * or if it has no read or no validate walk before it, though the first plan had. */
static bool is_final(const lc_instances *all, const lc_phase *from, const lc_phase *to)
{
    const lc_command_walk *before = &all->sessions.items[from->session - 1];
    const lc_command_walk *now = &all->sessions.items[to->session - 1];
    bool one_walk = now->walk && now->walk == before->walk;
    if (!is_next(from, to) || from->session == to->session || one_walk)
        return false;
    bool walked =
        from->walked > 0 && is_validated(to) && to->walked == from->walked && now->configured;
    bool deferring = deferral_allowed(to) == LC_YES && deferral_allowed(from) == LC_NO;
    return applies(all, to) || deferring || walked || (to->upgrade && !to->read && from->read);
}

static bool waits(const lc_phase *phase)
{
    return phase->plan && !phase->apply && !phase->continues && !phase->applied_by;
}

/* A choice that was open may be decided now, because other phases have found their plans. */
static void settle(lc_instances *all, lc_phase *phase)
{
    choice c = creates(phase) ? find_create(all, phase) : find_own(all, phase);
    if (!c.found || c.several || !(phase->apply || is_final(all, c.found, phase)))
        return;
    join(all, c.found, phase);
    if (phase->open_choice)
        phase->type->open_choices--;
    phase->open_choice = false;
}

/* Phases are in order of their first calls, so the search ends at the beginning of the session. */
static bool has_session(const lc_instances *all, const lc_instance *instance, const lc_phase *next)
{
    uint64_t session = next->session, begun = all->sessions.items[session - 1].begun;
    bool beside = is_walk(all, next); /* another process of the same walk counts too */
    for (size_t i = instance->phases.count; i; i--) {
        const lc_phase *phase = instance->phases.items[i - 1];
        if (phase->session == session || (beside && phase->first >= begun))
            return true;
        if (phase->first < begun)
            return false;
    }
    return false;
}

static bool may_be_again(const lc_instances *all, const lc_phase *waiting, const lc_phase *phase)
{
    return waiting->pending.in && waiting->pending.hash == phase->pending.hash &&
           waiting->mask == phase->mask &&
           lc_may_be_one(waiting->instance->recorded_address, phase->address) &&
           !has_session(all, waiting->instance, phase) &&
           lc_value_raw_equal(waiting->config, phase->config);
}

/* The first of all waiting instances. *many: so many wait that searching them for each call would
 * cost too much. */
static lc_instance *first_again(const lc_instances *all, const lc_phase *phase, bool *many)
{
    lc_instance *found = NULL;
    lc_object_type *type = phase->type;
    size_t seen = 0;
    bool walk = is_walk(all, phase), own = walk;
    *many = false;
    if (walk && is_fruitless(&type->no_again, phase->pending.hash, phase))
        return NULL;
    for (lc_index_entry *e = lc_index_first(&type->pending, phase->pending.hash); e;
         e = lc_index_next(e), seen++) {
        const lc_phase *other = e->item;
        own = own && has_session(all, other->instance, phase);
        if ((!found || other->instance->number < found->number) && may_be_again(all, other, phase))
            found = other->instance;
    }
    if (own)
        note_fruitless(&type->no_again, phase->pending.hash, phase);
    *many = seen > MAX_ALIKE;
    return found;
}

static bool waits_for_again(const lc_instances *all, const lc_instance *i, const lc_phase *phase)
{
    size_t last = i->phases.count > MAX_ALIKE ? i->phases.count - MAX_ALIKE : 0;
    for (size_t k = i->phases.count; k > last; k--) {
        if (may_be_again(all, i->phases.items[k - 1], phase))
            return true;
    }
    return false;
}

static lc_instance *next_again(const lc_instances *all, const lc_phase *phase, lc_instance *after)
{
    lc_instance *i = after->next;
    while (i && !(i->type == phase->type && waits_for_again(all, i, phase)))
        i = i->next;
    return i;
}

/* A create that is planned again in another session with the same configuration belongs to the
 * first instance that waits for it. If several wait, they look the same so far, so any will do; if
 * many wait, the search continues after the last instance that was found. */
lc_instance *lc_plan_again(const lc_instances *all, lc_phase *phase)
{
    lc_object_type *type = phase->type;
    lc_again *again = &type->again;
    lc_instance *found = NULL;
    bool many = true;
    phase->mask = lc_known_attributes_of(type, phase->config);
    if (!lc_known_attributes_project(&phase->pending.hash, type, phase->mask, phase->config))
        return NULL;
    bool goes_on =
        again->last && again->session == phase->session && again->hash == phase->pending.hash;
    if (goes_on)
        found = next_again(all, phase, again->last);
    if (!found)
        found = first_again(all, phase, &many);
    *again = (lc_again){phase->session, phase->pending.hash, many ? found : NULL};
    return found;
}

typedef LC_VEC(lc_phase *) phase_list;

static int by_first(const void *a, const void *b)
{
    const lc_phase *const *x = a, *const *y = b;
    return ((*x)->first > (*y)->first) - ((*x)->first < (*y)->first);
}

void lc_plan_settle(lc_instances *all, const lc_object_type *type)
{
    phase_list list = {0};
    lc_arena *scratch = lc_arena_new();
    lc_sessions_number(all);
    for (lc_instance *i = all->first; i; i = i->next) {
        for (size_t k = 0; i->type == type && k < i->phases.count; k++) {
            if (waits(i->phases.items[k]) || i->phases.items[k]->open_choice)
                *LC_PUSH(scratch, &list, lc_phase *) = i->phases.items[k];
        }
    }
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, by_first);
    for (size_t i = 0; i < list.count; i++)
        settle(all, list.items[i]);
    lc_arena_free(scratch);
}
