/* Validations. Core validates a configuration right before its plan, and earlier in a validate
 * walk, where references are still unknown. Validations wait here for the phase that they belong
 * to. */
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"

#include <string.h>

#define MAX_WAITING 100000 /* of a type; above it the oldest become cases of their own */

static uint64_t key_of(const lc_value *config)
{
    return lc_value_hash(config);
}

static void take_out(lc_object_type *type, lc_waiting *w)
{
    lc_index_take(&type->waiting, &w->entry);
    if (w->before)
        w->before->next = w->next;
    else
        type->first = w->next;
    if (w->next)
        w->next->before = w->before;
    else
        type->last = w->before;
    type->waiting_count--;
}

/* In the validate walk the provider is not configured. */
static void mark_walk(lc_object_type *type, lc_waiting *w)
{
    w->walk = true;
    type->walked = w->call->arrival > type->walked ? w->call->arrival : type->walked;
}

void lc_validation_add(lc_instances *all, lc_object_type *type, lc_recorded_call *r)
{
    const lc_command_walk *session = &all->sessions.items[r->session - 1];
    lc_waiting *w = LC_NEW(r->arena, lc_waiting);
    *w = (lc_waiting){.call = r, .before = type->last};
    if (type->last)
        type->last->next = w;
    else
        type->first = w;
    type->last = w;
    type->waiting_count++;
    type->validations++;
    if (r->config)
        lc_index_put(&type->waiting, &w->entry, key_of(r->config), w);
    if (r->process && r->process < LC_ONLY_PROVIDER && !session->configured && session->others == 0)
        mark_walk(type, w);
    if (type->waiting_count > MAX_WAITING) {
        lc_waiting *oldest = type->first;
        lc_recorded_call *call = oldest->call;
        take_out(type, oldest);
        lc_instance_give_validations(all, type, &call, 1);
    }
}

void lc_validations_walked(lc_instances *all, uint64_t process)
{
    for (lc_object_type *type = all->first_type; type; type = type->next) {
        for (lc_waiting *w = type->last; w && w->call->arrival > all->last_other; w = w->before) {
            if (w->call->process == process)
                mark_walk(type, w);
        }
    }
}

/* The first validation of this configuration in a validate walk, or else in the session. */
static lc_waiting *find(const lc_phase *phase, const lc_value *config, bool walk)
{
    lc_waiting *found = NULL;
    const lc_object_type *type = phase->type;
    for (lc_index_entry *e = lc_index_first(&type->waiting, key_of(config)); e;
         e = lc_index_next(e)) {
        lc_waiting *w = e->item;
        bool fits = w->walk == walk && (walk || w->call->session == phase->session) &&
                    lc_value_raw_equal(w->call->config, config);
        if (fits && (!found || w->call->arrival < found->call->arrival))
            found = w;
    }
    return found;
}

static void give_to(lc_phase *phase, lc_waiting *w)
{
    lc_recorded_call *r = w->call;
    take_out(phase->type, w);
    lc_phase_add_validation(phase, r);
}

void lc_validations_take(lc_phase *phase)
{
    const lc_value *config = phase->config;
    if (!config)
        return;
    lc_waiting *mine = find(phase, config, false), *walk = find(phase, config, true);
    if (mine)
        give_to(phase, mine);
    if (walk)
        give_to(phase, walk);
}

/* ---- Validations that no plan has taken. */

/* A phase, indexed by the attributes of its configuration that the validations know (the mask). */
typedef struct candidate {
    lc_index_entry entry; /* the item is the candidate */
    lc_phase *phase;
} candidate;

typedef struct candidates {
    lc_index by_known;
    size_t mask;
} candidates;

static void list_phases(candidates *out, lc_arena *scratch, const lc_instances *all,
                        lc_object_type *type)
{
    uint64_t hash;
    for (lc_instance *i = all->first; i; i = i->next) {
        for (size_t k = 0; i->type == type && k < i->phases.count; k++) {
            lc_phase *phase = i->phases.items[k];
            if (!lc_known_attributes_project(&hash, type, out->mask, phase->config))
                continue;
            candidate *c = LC_NEW(scratch, candidate);
            c->phase = phase;
            lc_index_put(&out->by_known, &c->entry, hash, c);
        }
    }
}

/* The phase whose configuration the validated one became, in the first session that has one.
 * *several: phases of other instances fit as well. */
static lc_phase *find_became(bool *several, const candidates *among, const lc_object_type *type,
                             const lc_recorded_call *r)
{
    lc_phase *found = NULL;
    uint64_t hash;
    *several = false;
    if (!lc_known_attributes_project(&hash, type, among->mask, r->config))
        return NULL;
    for (lc_index_entry *e = lc_index_first(&among->by_known, hash); e; e = lc_index_next(e)) {
        lc_phase *phase = ((candidate *)e->item)->phase;
        if (phase->last < r->arrival || !lc_may_become(r->config, phase->config))
            continue;
        bool earlier = !found || phase->session < found->session;
        bool same = found && phase->session == found->session;
        *several = !earlier && (*several || (same && found->instance != phase->instance));
        found = earlier || (same && phase->first < found->first) ? phase : found;
    }
    return found;
}

/* Core validates a block once in a walk, regardless of its count or for_each. So the only remaining
 * validation of its walk belongs to the block of all instances that it fits. */
static bool is_last_of_walk(const lc_waiting *w)
{
    uint64_t session = w->call->session; /* validations of one session are neighbours */
    return !(w->before && w->before->call->session == session) &&
           !(w->next && w->next->call->session == session);
}

/* Settles the validations whose configurations are known in the same attributes. */
static void settle_mask(const lc_instances *all, lc_object_type *type, size_t mask, bool last)
{
    lc_arena *scratch = lc_arena_new();
    candidates among = {{0}, mask};
    list_phases(&among, scratch, all, type);
    for (lc_waiting *w = type->first, *next; w; w = next) {
        bool several;
        next = w->next;
        lc_phase *phase = w->mask == mask ? find_became(&several, &among, type, w->call) : NULL;
        if (phase && (!several || (last && is_last_of_walk(w))))
            give_to(phase, w);
    }
    lc_index_release(&among.by_known);
    lc_arena_free(scratch);
}

/* The first phase of the only instance of the type, if no phase of it has a configuration. */
static lc_phase *find_alone(const lc_instances *all, const lc_object_type *type)
{
    lc_phase *found = NULL;
    for (lc_instance *i = all->first; i; i = i->next) {
        if (i->type != type)
            continue;
        if (found)
            return NULL;
        found = i->phases.items[0];
        for (size_t k = 0; k < i->phases.count; k++) {
            if (i->phases.items[k]->config)
                return NULL;
        }
    }
    return found;
}

/* First the unambiguous ones, then those that are the last of their walk. */
void lc_validations_settle(lc_instances *all, lc_object_type *type)
{
    for (lc_waiting *w = type->first; w; w = w->next)
        w->mask = lc_known_attributes_of(type, w->call->config);
    size_t count = type->masks.count;
    for (size_t mask = 0; type->first && mask < count; mask++)
        settle_mask(all, type, mask, false);
    for (size_t mask = 0; type->first && mask < count; mask++)
        settle_mask(all, type, mask, true);
    lc_phase *alone = type->first ? find_alone(all, type) : NULL;
    while (alone && type->first)
        give_to(alone, type->first);
}

void lc_validations_give(lc_instances *all, lc_object_type *type)
{
    lc_recorded_call **calls = NULL;
    size_t count = 0;
    if (!type->first)
        return;
    calls = lc_heap_alloc(lc_mul_size(type->waiting_count, sizeof *calls));
    while (type->first) {
        calls[count++] = type->first->call;
        take_out(type, type->first);
    }
    lc_instance_give_validations(all, type, calls, count);
    lc_heap_free(calls);
}
