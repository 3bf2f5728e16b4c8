/* From single calls to instances: each call is added to its phase, and a new phase to its instance.
 * Complete instances are given when too much is held, and all others at the end. */
#include "lifecheck/recording/log_findings.h"
#include "recording/addresses.h"
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lc_recorded_call *lc_recorded_call_new(void)
{
    lc_arena *arena = lc_arena_new_small();
    lc_recorded_call *call = LC_NEW(arena, lc_recorded_call);
    call->arena = arena;
    return call;
}

lc_instances *lc_instances_new(lc_arena *arena, lc_str file, lc_diags *diags, lc_take_case take,
                               void *context)
{
    lc_instances *all = LC_NEW(arena, lc_instances);
    all->arena = arena;
    all->file = file;
    all->diags = diags;
    all->take = take;
    all->context = context;
    lc_table_init(&all->types, arena);
    lc_table_init(&all->by_process, arena);
    lc_table_init(&all->provider_configs, arena);
    lc_table_init(&all->addressed, arena);
    lc_table_init(&all->namesakes, arena);
    lc_table_init(&all->functions, arena);
    all->upstream = lc_upstream_causes_new(arena);
    return all;
}

void lc_instances_logged(lc_instances *all, const lc_log_findings *logged)
{
    all->logged = logged;
}

void lc_instances_addresses(lc_instances *all, lc_addresses *addresses)
{
    all->addresses = addresses;
}

/* ---- Addresses that the recording itself gives calls. */

typedef struct call_key {
    uint64_t process, seq;
} call_key;

const lc_recorded_address *lc_recorded_address_of(const lc_instances *all, uint64_t process,
                                                  uint64_t seq)
{
    const call_key key = {process, seq};
    return lc_table_get(&all->addressed, LC_BYTES_OF(key));
}

void lc_instances_addressed(lc_instances *all, uint64_t process, uint64_t seq, lc_str address)
{
    const call_key key = {process, seq};
    lc_recorded_address *recorded = lc_table_get(&all->addressed, LC_BYTES_OF(key));
    if (recorded) {
        recorded->several |= !lc_str_eq(recorded->address, address);
    } else if (seq && all->addressed.count < LC_MAX_ADDRESSED) {
        call_key *kept = LC_NEW(all->arena, call_key);
        *kept = key;
        recorded = LC_NEW(all->arena, lc_recorded_address);
        recorded->address = address;
        lc_table_put(&all->addressed, LC_BYTES_OF(*kept), recorded);
    }
}

/* ---- Types. */

/* The first type of this name, to which `type` is added; `type` itself if it is the first. */
static lc_object_type *namesake_of(lc_instances *all, lc_object_type *type)
{
    lc_str key = lc_str_printf(all->arena, "%d %.*s", (int)type->kind, LC_FMT(type->name));
    lc_object_type *first = lc_table_get(&all->namesakes, key);
    if (!first)
        lc_table_put(&all->namesakes, key, type);
    return first ? first : type;
}

static lc_object_type *type_of(lc_instances *all, const lc_recorded_call *r)
{
    const lc_schema *schema = r->schema;
    lc_arena *scratch = lc_arena_new();
    lc_str key = lc_str_printf(scratch, "%llu %d %.*s", (unsigned long long)r->provider,
                               (int)schema->kind, LC_FMT(schema->type_name));
    lc_object_type *type = lc_table_get(&all->types, key);
    if (!type) {
        type = LC_NEW(all->arena, lc_object_type);
        type->number = all->types.count + 1;
        type->name = lc_str_copy(all->arena, schema->type_name);
        type->kind = schema->kind;
        type->namesake = namesake_of(all, type);
        lc_table_put(&all->types, lc_str_copy(all->arena, key), type);
        if (all->last_type)
            all->last_type->next = type;
        else
            all->first_type = type;
        all->last_type = type;
    }
    lc_arena_free(scratch);
    return type;
}

/* ---- Sessions: walks of a command in a process. If the recording has processes, each one is
 * configured at most once. If not, configuring a provider begins a new session. */

static uint64_t new_session(lc_instances *all, uint64_t process)
{
    if (all->sessions.count == all->sessions.capacity) {
        all->sessions.capacity = all->sessions.capacity ? all->sessions.capacity * 2 : 16;
        all->sessions.items = lc_heap_resize(
            all->sessions.items, lc_mul_size(all->sessions.capacity, sizeof *all->sessions.items));
    }
    all->sessions.items[all->sessions.count++] = (lc_command_walk){.process = process};
    return all->sessions.count;
}

const lc_command_walk *lc_current_session(const lc_instances *all, uint64_t process)
{
    char text[32];
    lc_str key = {text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)process)};
    const uint64_t *number = lc_table_get(&all->by_process, key);
    return number ? &all->sessions.items[*number - 1] : NULL;
}

static uint64_t *current_session(lc_instances *all, uint64_t process)
{
    char text[32];
    lc_str key = {text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)process)};
    uint64_t *number = lc_table_get(&all->by_process, key);
    if (!number) {
        number = LC_NEW(all->arena, uint64_t);
        *number = new_session(all, process);
        lc_table_put(&all->by_process, lc_str_copy(all->arena, key), number);
    }
    return number;
}

static bool is_known(uint64_t process)
{
    return process && process < LC_ONLY_PROVIDER;
}

/* Configurations are compared by number, so that their secrets do not get into cases. */
static uint32_t number_of_config(lc_instances *all, lc_str config)
{
    uint32_t *number = lc_table_get(&all->provider_configs, config);
    if (!number) {
        number = LC_NEW(all->arena, uint32_t);
        *number = (uint32_t)all->provider_configs.count + 1;
        lc_table_put(&all->provider_configs, lc_str_copy(all->arena, config), number);
    }
    return *number;
}

/* Providers are configured before the first call other than a validation, so a session that has
 * such calls already is over. */
void lc_instances_started(lc_instances *all, uint64_t process, const lc_str *config)
{
    uint64_t *number = current_session(all, process);
    const lc_command_walk *session = &all->sessions.items[*number - 1];
    if (!is_known(process))
        lc_validations_walked(all, process);
    if (session->others || (!is_known(process) && session->validates))
        *number = new_session(all, process);
    lc_command_walk *begun = &all->sessions.items[*number - 1];
    begun->configured = true;
    begun->configured_after = all->last_arrival;
    if (config)
        begun->provider_config = number_of_config(all, *config);
}

void lc_instances_configured(lc_instances *all, uint64_t process, bool failed)
{
    all->sessions.items[*current_session(all, process) - 1].settings_taken |= !failed;
}

void lc_instances_complete(lc_instances *all)
{
    all->complete = true;
}

/* A client ends a walk before it begins the next one, but it may start processes of one provider
 * for several configurations one after the other. */
void lc_sessions_number(lc_instances *all)
{
    uint64_t walk = 0, last = 0;
    for (size_t i = 0; i < all->sessions.count; i++) {
        lc_command_walk *s = &all->sessions.items[i];
        if (!s->configured)
            continue;
        walk += s->configured_after >= last;
        s->walk = walk;
        last = s->last > last ? s->last : last;
    }
}

/* ---- Adding. */

/* Everything that is known of a call before its phase: session, size, configuration. */
static void enter(lc_instances *all, lc_recorded_call *r)
{
    r->session = *current_session(all, r->process);
    lc_command_walk *session = &all->sessions.items[r->session - 1];
    r->call.provider_config = session->provider_config;
    r->call.configured = session->settings_taken ? LC_YES : LC_NOT_KNOWN;
    bool validates = r->call.kind == LC_CALL_VALIDATE;
    session->begun = session->begun ? session->begun : r->arrival;
    session->last = all->last_arrival = r->arrival;
    session->validates += validates;
    session->others += !validates;
    session->applies += r->call.kind == LC_CALL_APPLY;
    all->last_other = validates ? all->last_other : r->arrival;
    const lc_recorded_address *recorded =
        validates ? NULL : lc_recorded_address_of(all, r->process, r->seq);
    r->address = recorded && !recorded->several ? recorded->address : LC_STR_EMPTY;
    r->held = lc_arena_used(r->arena);
    all->held += r->held;
    const lc_value *config = lc_given(&r->call.config);
    r->config = config ? lc_without_write_only(r->arena, r->schema->block, config) : NULL;
}

static void note_plan(lc_object_type *type, const lc_recorded_call *r)
{
    if (r->call.kind != LC_CALL_PLAN || type->planned == r->session)
        return;
    type->planned_before = type->planned;
    type->planned = r->session;
}

/* Did the response of the apply break its plan, and can the client have tolerated it? Core
 * tolerates this for the legacy type system only. */
static bool broke_promise(const lc_call *apply)
{
    return apply->legacy != LC_NO && lc_given(&apply->planned) && !lc_given_null(&apply->planned) &&
           lc_given(&apply->result) && !lc_may_become(apply->planned.value, apply->result.value);
}

static bool takes_validations(lc_call_kind kind)
{
    return kind == LC_CALL_PLAN || kind == LC_CALL_DATA || kind == LC_CALL_OPEN ||
           kind == LC_CALL_ACTION;
}

static void forget_much(lc_instances *all);

void lc_instances_add(lc_instances *all, lc_recorded_call *r)
{
    lc_object_type *type = type_of(all, r);
    enter(all, r);
    if (r->call.kind == LC_CALL_VALIDATE) {
        lc_validation_add(all, type, r);
        return;
    }
    note_plan(type, r);
    lc_lists_see(all, r);
    lc_phase *phase = lc_phase_find(type, r);
    bool begins = phase == NULL;
    if (begins)
        phase = lc_phase_new(type, r);
    lc_phase_add(phase, r);
    if (begins)
        lc_instance_link(all, phase);
    lc_instance_advance(all, phase);
    if (takes_validations(r->call.kind))
        lc_validations_take(phase);
    if (r->call.kind == LC_CALL_APPLY && broke_promise(&r->call))
        lc_instance_remember(all, phase);
    if (all->held > LC_HELD_COMPLETE)
        forget_much(all);
}

void lc_instances_generated(lc_instances *all, lc_recorded_call *r)
{
    lc_phase *phase = lc_phase_imported(type_of(all, r), r);
    if (phase)
        phase->import->generate_loc = r->call.loc;
    if (!phase || r->call.generated_config.state == LC_FIELD_ABSENT) {
        lc_arena_free(r->arena);
        return;
    }
    phase->import->generated_config = r->call.generated_config;
    phase->generated = r;
}

/* ---- Giving cases. */

static void settle(lc_instances *all)
{
    for (lc_object_type *type = all->first_type; type; type = type->next) {
        lc_plan_settle(all, type);
        lc_validations_settle(all, type);
    }
}

static void give(lc_instances *all, lc_instance *instance)
{
    lc_instance_give(all, instance, false);
    lc_instance_free(all, instance);
}

/* Would its next call begin another run? */
static bool is_complete(const lc_instances *all, const lc_instance *instance)
{
    const lc_phase *last = instance->phases.items[instance->phases.count - 1];
    return last->apply || last->destroy || last->alone ||
           last->session + 1 < all->sessions.count; /* what was planned then was not applied */
}

static int by_touch(const void *a, const void *b)
{
    const lc_instance *const *x = a, *const *y = b;
    return ((*x)->touched > (*y)->touched) - ((*x)->touched < (*y)->touched);
}

/* Gives the instances that were not touched for the longest time, until `until` bytes are held. */
static void give_oldest(lc_instances *all, bool complete, size_t until)
{
    LC_VEC(lc_instance *) list = {0};
    lc_arena *scratch = lc_arena_new();
    for (lc_instance *i = all->first; i; i = i->next) {
        if (!complete || is_complete(all, i))
            *LC_PUSH(scratch, &list, lc_instance *) = i;
    }
    if (list.count)
        qsort(list.items, list.count, sizeof(lc_instance *), by_touch);
    for (size_t i = 0; i < list.count && all->held > until; i++) {
        all->cut += !complete;
        give(all, list.items[i]);
    }
    lc_arena_free(scratch);
}

/* Runs again only when half the limit was added, so that the cost per call does not depend on how
 * much is held. */
static void forget_much(lc_instances *all)
{
    if (all->held < all->held_next)
        return;
    settle(all);
    all->given_early = true;
    give_oldest(all, true, LC_HELD_COMPLETE / 2);
    if (all->held > LC_HELD_ALL)
        give_oldest(all, false, LC_HELD_ALL / 2);
    all->held_next = all->held + LC_HELD_COMPLETE / 2;
}

void lc_instances_show(lc_instances *all)
{
    for (lc_object_type *type = all->first_type; type; type = type->next)
        lc_plan_settle(all, type);
    for (lc_instance *i = all->first; i; i = i->next) {
        size_t calls = 0;
        for (size_t k = 0; k < i->phases.count; k++)
            calls += i->phases.items[k]->calls.count;
        if (i->shown != calls)
            lc_instance_give(all, i, true);
        i->shown = calls;
    }
}

static void tell_open_choices(const lc_instances *all)
{
    for (const lc_object_type *t = all->first_type; t; t = t->next) {
        if (t->open_choices)
            lc_diag_warning(all->diags, t->open_choice,
                            "%llu ApplyResourceChange call%s of %.*s may carry out several plans "
                            "that differ: they are checked without a plan",
                            (unsigned long long)t->open_choices, t->open_choices == 1 ? "" : "s",
                            LC_FMT(t->name));
    }
    if (all->short_looks)
        lc_diag_warning(all->diags, (lc_loc){all->file, 0, 0},
                        "%llu applies carry out none of the %d plans before them: of instances "
                        "that were planned more often, older plans were not looked at",
                        (unsigned long long)all->short_looks, LC_PHASES_COMPARED);
    if (all->torn)
        lc_diag_warning(all->diags, all->torn_at,
                        "the calls of %llu instance%s, joined by their values, have several "
                        "addresses in the recording: %s checked without an address",
                        (unsigned long long)all->torn, all->torn == 1 ? "" : "s",
                        all->torn == 1 ? "it is" : "they are");
    if (all->cut)
        lc_diag_warning(all->diags, (lc_loc){all->file, 0, 0},
                        "more than %zu MiB of calls were open at once: %llu instances were checked "
                        "before their changes were complete, so that their plans and applies are "
                        "cases of their own",
                        LC_HELD_ALL >> 20, (unsigned long long)all->cut);
}

static void release(lc_instances *all)
{
    for (lc_object_type *t = all->first_type; t; t = t->next) {
        lc_index_release(&t->expected);
        lc_index_release(&t->returned);
        lc_index_release(&t->known);
        lc_index_release(&t->pending);
        lc_index_release(&t->waiting);
        for (size_t i = 0; i < t->masks.count; i++)
            lc_heap_free(t->masks.items[i].open);
        lc_heap_free(t->masks.items);
    }
    lc_heap_free(all->sessions.items);
    lc_so_far_release(&all->so_far);
}

/* Addresses are determined last, since they may merge instances that values did not connect. */
void lc_instances_end(lc_instances *all)
{
    settle(all);
    lc_phases_settle(all);
    if (all->addresses || all->addressed.count)
        lc_instance_addresses(all);
    while (all->first)
        give(all, all->first);
    for (lc_object_type *type = all->first_type; type; type = type->next)
        lc_validations_give(all, type);
    lc_functions_give(all);
    tell_open_choices(all);
    release(all);
}
