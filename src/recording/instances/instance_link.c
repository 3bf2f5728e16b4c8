/* Which instance a phase belongs to.
 *
 * A phase that begins with an object belongs to the instance that was left in this state. A phase
 * that creates an object belongs to the instance whose create was planned with this configuration.
 */
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"

#include <string.h>

#define MAX_MARKS 12 /* of an instance; the oldest are dropped */

/* ---- Marks. */

static uint64_t key_of(lc_mark_kind kind, const lc_value *v)
{
    return lc_hash_mix((uint64_t)kind, lc_value_hash(v));
}

static void forget_oldest(lc_instance *instance)
{
    lc_mark **at = &instance->marks;
    while ((*at)->next)
        at = &(*at)->next;
    lc_index_take(&instance->type->known, &(*at)->entry);
    *at = NULL;
    instance->mark_count--;
}

static void learn(const lc_phase *phase, lc_arena *arena, lc_mark_kind kind, const lc_value *value)
{
    lc_instance *instance = phase->instance;
    if (!value || !lc_is_known(value))
        return;
    uint64_t key = key_of(kind, value);
    for (const lc_mark *m = instance->marks; m; m = m->next) {
        if (m->kind == kind && m->entry.hash == key && lc_value_raw_equal(m->value, value))
            return;
    }
    lc_mark *mark = LC_NEW(arena, lc_mark);
    *mark = (lc_mark){.phase = phase, .kind = kind, .value = value, .next = instance->marks};
    instance->marks = mark;
    lc_index_put(&instance->type->known, &mark->entry, key, instance);
    if (++instance->mark_count > MAX_MARKS)
        forget_oldest(instance);
}

/* Drops the marks of all states, or with `value` those of equal states. */
static void forget_states(lc_instance *instance, const lc_value *value)
{
    for (lc_mark **at = &instance->marks; *at;) {
        lc_mark *m = *at;
        if (m->kind != LC_MARK_STATE || (value && !lc_value_same(m->value, value))) {
            at = &m->next;
            continue;
        }
        lc_index_take(&instance->type->known, &m->entry);
        *at = m->next;
        instance->mark_count--;
    }
}

/* ---- Instances. */

/* Keeps the phases in order of their first calls; most are added at the end. */
static void push_phase(lc_instance *instance, lc_phase *phase)
{
    if (instance->phases.count == instance->phases.capacity) {
        instance->phases.capacity = instance->phases.capacity ? instance->phases.capacity * 2 : 4;
        instance->phases.items =
            lc_heap_resize(instance->phases.items,
                           lc_mul_size(instance->phases.capacity, sizeof *instance->phases.items));
    }
    size_t at = instance->phases.count++;
    for (; at && instance->phases.items[at - 1]->first > phase->first; at--)
        instance->phases.items[at] = instance->phases.items[at - 1];
    instance->phases.items[at] = phase;
    phase->instance = instance;
    if (phase->last > instance->touched)
        instance->touched = phase->last;
    instance->recorded_address =
        instance->recorded_address.len ? instance->recorded_address : phase->address;
}

size_t lc_phases_before(const lc_instance *instance, uint64_t arrival)
{
    size_t low = 0, high = instance->phases.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (instance->phases.items[middle]->first < arrival)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_phase(lc_phase *phase)
{
    lc_instance *instance = phase->instance;
    size_t at = 0;
    while (instance->phases.items[at] != phase)
        at++;
    instance->phases.count--;
    memmove(&instance->phases.items[at], &instance->phases.items[at + 1],
            (instance->phases.count - at) * sizeof *instance->phases.items);
}

static lc_instance *new_instance(lc_instances *all, lc_object_type *type)
{
    lc_instance *instance = lc_heap_alloc(sizeof *instance);
    *instance = (lc_instance){
        .type = type, .number = ++all->made, .address = LC_STR_EMPTY, .before = all->last};
    if (all->last)
        all->last->next = instance;
    else
        all->first = instance;
    all->last = instance;
    return instance;
}

/* Frees the instance. Its phases were freed before, or belong to another one. */
static void free_instance(lc_instances *all, lc_instance *instance)
{
    if (instance->type->again.last == instance)
        instance->type->again.last = NULL;
    if (instance->before)
        instance->before->next = instance->next;
    else
        all->first = instance->next;
    if (instance->next)
        instance->next->before = instance->before;
    else
        all->last = instance->before;
    lc_heap_free(instance->phases.items);
    lc_heap_free(instance->name);
    lc_heap_free(instance);
}

void lc_instance_free(lc_instances *all, lc_instance *instance)
{
    for (lc_mark *m = instance->marks; m; m = m->next)
        lc_index_take(&instance->type->known, &m->entry);
    for (size_t i = 0; i < instance->phases.count; i++)
        lc_phase_free(all, instance->phases.items[i]);
    free_instance(all, instance);
}

void lc_instance_merge(lc_instances *all, lc_instance *to, lc_instance *from)
{
    while (from->marks) {
        lc_mark *m = from->marks;
        from->marks = m->next;
        lc_index_take(&from->type->known, &m->entry);
        lc_index_put(&to->type->known, &m->entry, m->entry.hash, to);
        m->next = to->marks;
        to->marks = m;
        to->mark_count++;
    }
    for (size_t i = 0; i < from->phases.count; i++)
        push_phase(to, from->phases.items[i]);
    to->shown += from->shown;
    lc_upstream_causes_merge(all->upstream, from->number, to->number);
    free_instance(all, from);
}

/* ---- Objects that are there. */

static bool is_in_session(const lc_instance *instance, const lc_phase *phase)
{
    const lc_phase *last =
        instance->phases.count ? instance->phases.items[instance->phases.count - 1] : NULL;
    return last && last->session == phase->session && !last->apply && !last->destroy;
}

/* Of several instances in the same state the one with the lowest number that has no calls in this
 * session. Which one it really is cannot be determined, and makes no difference to the rules. */
static lc_instance *find(const lc_phase *phase, lc_mark_kind kind, const lc_value *value)
{
    lc_instance *found = NULL, *busy = NULL;
    if (!value || !lc_is_known(value))
        return NULL;
    uint64_t key = key_of(kind, value);
    for (lc_index_entry *e = lc_index_first(&phase->type->known, key); e; e = lc_index_next(e)) {
        lc_instance *instance = e->item;
        const lc_mark *mark = (const lc_mark *)(const void *)e;
        if (mark->kind != kind || !lc_value_same(mark->value, value) ||
            instance == phase->instance ||
            !lc_may_be_one(instance->recorded_address, phase->address))
            continue;
        if (is_in_session(instance, phase))
            busy = busy && busy->number < instance->number ? busy : instance;
        else
            found = found && found->number < instance->number ? found : instance;
    }
    return found || kind == LC_MARK_CONFIG ? found : busy;
}

/* The instance of the object that a phase begins with. */
static lc_instance *find_stored(const lc_phase *phase, lc_recorded_call *r)
{
    const lc_call *call = &r->call;
    if (call->kind == LC_CALL_UPGRADE) {
        lc_instance *found = find(phase, LC_MARK_STATE, phase->stored);
        return found ? found : find(phase, LC_MARK_STATE, lc_given(&call->result));
    }
    if (call->kind == LC_CALL_MOVE)
        return find(phase, LC_MARK_STATE, lc_given(&call->result));
    if (call->kind == LC_CALL_IMPORT)
        return find(phase, LC_MARK_STATE, phase->state);
    return find(phase, LC_MARK_STATE, lc_given(&call->prior_state));
}

/* After an upgrade the state may differ from all that was returned; then the identity that the
 * object was imported, read or planned with connects them. */
static void link_by_identity(lc_instances *all, lc_phase *phase, const lc_recorded_call *r)
{
    if (phase->instance->phases.count != 1 || !phase->upgrade)
        return;
    lc_instance *found = find(phase, LC_MARK_IDENTITY, lc_given(&r->call.prior_identity));
    if (!found || found->number > phase->instance->number)
        return;
    lc_instance_merge(all, found, phase->instance);
}

void lc_instance_link(lc_instances *all, lc_phase *phase)
{
    lc_recorded_call *r = phase->calls.items[phase->calls.count - 1];
    lc_instance *found = NULL;
    if (phase->alone && !r->invoked)
        found = find(phase, LC_MARK_CONFIG, phase->config);
    else if (r->call.kind == LC_CALL_PLAN && lc_given_null(&r->call.prior_state))
        found = lc_plan_again(all, phase);
    else
        found = find_stored(phase, r);
    push_phase(found ? found : new_instance(all, phase->type), phase);
}

/* Marks live in the arena of a call, so they must move with the phase of that call. */
static void move_marks(lc_instance *to, lc_instance *from, const lc_phase *phase)
{
    for (lc_mark **at = &from->marks; *at;) {
        lc_mark *m = *at;
        if (m->phase != phase) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        from->mark_count--;
        lc_index_take(&from->type->known, &m->entry);
        lc_index_put(&to->type->known, &m->entry, m->entry.hash, to);
        m->next = to->marks;
        to->marks = m;
        if (++to->mark_count > MAX_MARKS)
            forget_oldest(to);
    }
}

void lc_instance_move(lc_instances *all, lc_phase *phase, lc_instance *to)
{
    lc_instance *from = phase->instance;
    if (from == to)
        return;
    if (from->phases.count == 1) {
        lc_instance_merge(all, to, from);
        return;
    }
    move_marks(to, from, phase);
    remove_phase(phase);
    push_phase(to, phase);
}

/* ---- What a call shows. */

static void learn_states(lc_phase *phase, lc_recorded_call *r)
{
    if (r->call.kind == LC_CALL_UPGRADE)
        learn(phase, r->arena, LC_MARK_STATE, phase->stored);
    learn(phase, r->arena, LC_MARK_STATE, phase->state);
    learn(phase, r->arena, LC_MARK_STATE, phase->handed);
    learn(phase, r->arena, LC_MARK_IDENTITY, lc_given(&r->call.identity));
    if (phase->alone)
        learn(phase, r->arena, LC_MARK_CONFIG, phase->config);
}

/* After the apply the instance has the new state only. With create_before_destroy the old object is
 * still there until its destroy. */
static void take_apply(lc_instances *all, lc_phase *phase, lc_recorded_call *r)
{
    lc_plan_carry_out(all, phase);
    bool first = phase->continues && phase->continues->create && !phase->continues->destroyed_by;
    if (phase->apply->failed != LC_YES && !first)
        forget_states(phase->instance, NULL);
    if (phase->apply->failed == LC_YES && lc_given_null(&phase->apply->result))
        lc_plan_wait_again(phase);
    learn_states(phase, r);
}

static void take_destroy(lc_instances *all, lc_phase *phase)
{
    lc_plan_carry_out(all, phase);
    bool last = phase->continues && phase->continues->applied_by;
    if (phase->destroy->failed != LC_YES)
        forget_states(phase->instance, last ? lc_given(&phase->destroy->prior_state) : NULL);
}

void lc_instance_advance(lc_instances *all, lc_phase *phase)
{
    lc_recorded_call *r = phase->calls.items[phase->calls.count - 1];
    if (r->call.kind == LC_CALL_READ || r->call.kind == LC_CALL_PLAN)
        link_by_identity(all, phase, r);
    phase->instance->touched = r->arrival;
    if (phase->instance->recorded_address.len == 0)
        phase->instance->recorded_address = phase->address;
    if (r->call.kind == LC_CALL_APPLY)
        take_apply(all, phase, r);
    else if (r->call.kind == LC_CALL_DESTROY)
        take_destroy(all, phase);
    else
        learn_states(phase, r);
    if (r->invoked)
        lc_plan_carry_out(all, phase);
    lc_plan_wait(phase, r);
}
