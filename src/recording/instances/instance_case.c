/* An instance as a case. What was planned together and the apply that carried it out form one run;
 * runs follow each other in the order of their first calls. */
#include "lifecheck/recording/log_findings.h"
#include "recording/addresses.h"
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_phases {
    LC_VEC(const lc_phase *) list;
    bool tainted;
} run_phases;

typedef LC_VEC(run_phases) runs_of;

static size_t run_of(const runs_of *runs, const lc_phase *phase)
{
    for (size_t i = 0; i < runs->count; i++) {
        for (size_t k = 0; k < runs->items[i].list.count; k++) {
            if (runs->items[i].list.items[k] == phase)
                return i;
        }
    }
    return SIZE_MAX;
}

/* Core reads a tainted object and then plans with a null prior state, which is a phase of its own.
 */
static bool is_tainted(const lc_phase *read, const lc_phase *plan)
{
    return read->session == plan->session && read->read && !read->plan && !read->destroy_plan &&
           !read->apply && !read->destroy && plan->plan && !plan->upgrade &&
           lc_given_null(&plan->plan->prior_state);
}

static bool is_read_and_created(const lc_phase *phase)
{
    const lc_value *read = phase->read ? lc_given(&phase->read->result) : NULL;
    return read && lc_is_known(read) && phase->plan && lc_given_null(&phase->plan->prior_state);
}

/* Puts each phase into the run of the phase that it continues, else into a new run. */
static void group(runs_of *runs, lc_arena *arena, const lc_instance *instance)
{
    for (size_t i = 0; i < instance->phases.count; i++) {
        const lc_phase *phase = instance->phases.items[i];
        const lc_phase *before = i ? instance->phases.items[i - 1] : NULL;
        const lc_phase *from = phase->continues ? phase->continues : phase->astray;
        size_t at = from ? run_of(runs, from) : SIZE_MAX;
        bool tainted = at == SIZE_MAX && before && is_tainted(before, phase);
        if (tainted)
            at = run_of(runs, before);
        tainted |= is_read_and_created(phase);
        run_phases *run = at == SIZE_MAX ? LC_PUSH(arena, runs, run_phases) : &runs->items[at];
        run->tainted |= tainted;
        *LC_PUSH(arena, &run->list, const lc_phase *) = phase;
    }
}

/* ---- One run. */

static int by_arrival(const void *a, const void *b)
{
    const lc_recorded_call *const *x = a, *const *y = b;
    return ((*x)->arrival > (*y)->arrival) - ((*x)->arrival < (*y)->arrival);
}

typedef LC_VEC(const lc_recorded_call *) call_list;

static void list_calls(call_list *out, lc_arena *arena, const run_phases *run)
{
    for (size_t i = 0; i < run->list.count; i++) {
        const lc_phase *phase = run->list.items[i];
        for (size_t k = 0; k < phase->calls.count; k++)
            *LC_PUSH(arena, out, const lc_recorded_call *) = phase->calls.items[k];
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_arrival);
}

static bool is_applied_astray(const run_phases *run, const lc_phase *from)
{
    for (size_t i = 0; i < run->list.count; i++) {
        if (run->list.items[i]->astray == from && run->list.items[i]->apply)
            return true;
    }
    return false;
}

/* A plan is the final one if its phase has the apply, or if it repeats an earlier plan to be
 * applied.
 */
static bool is_final(const run_phases *run, const lc_call *call)
{
    for (size_t i = 0; i < run->list.count; i++) {
        const lc_phase *phase = run->list.items[i];
        if (phase->plan == call)
            return phase->apply || phase->continues || is_applied_astray(run, phase);
    }
    return false;
}

/* The prior state of the run: the last read before its first plan or apply, else what that got. */
static void set_prior(lc_run *run)
{
    const lc_call *plan = NULL;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->kind == LC_CALL_READ && call->result.state != LC_FIELD_ABSENT && !plan)
            run->prior_state = call->result;
        bool plans = call->kind == LC_CALL_PLAN || call->kind == LC_CALL_DESTROY_PLAN ||
                     call->kind == LC_CALL_FINAL_PLAN || call->kind == LC_CALL_APPLY ||
                     call->kind == LC_CALL_DESTROY;
        plan = plan ? plan : plans ? call : NULL;
    }
    if (run->prior_state.state == LC_FIELD_ABSENT && plan)
        run->prior_state = plan->prior_state;
}

/* In a recording `config` is set only if there are validations alone, since then no plan has it. */
static void set_configs(lc_run *run)
{
    const lc_call *final = lc_run_call(run, LC_CALL_FINAL_PLAN);
    const lc_call *validate = lc_run_call(run, LC_CALL_VALIDATE);
    if (final)
        run->final_config = final->config;
    if (validate && validate->index == run->calls.count)
        run->config = validate->config;
}

bool lc_instance_upstream_causes(lc_causes *out, lc_arena *arena, const lc_instances *all,
                                 const lc_phase *from, const lc_phase *to)
{
    const lc_call *first = lc_phase_initial(from), *last = to->plan ? to->plan : to->apply;
    const lc_value *before = first ? lc_given(&first->config) : NULL;
    const lc_value *after = last ? lc_given(&last->config) : NULL;
    return lc_upstream_causes_any(all->upstream) && before && after &&
           lc_upstream_causes_explain(out, arena, all->upstream, before, after,
                                      lc_phase_arrival(from, first), lc_phase_arrival(to, last));
}

static void set_origins(lc_run *run, lc_arena *arena, const lc_instances *all,
                        const run_phases *phases)
{
    lc_causes found = {0};
    for (size_t i = 0; i < phases->list.count; i++) {
        const lc_phase *phase = phases->list.items[i];
        if (phase->continues && phase->plan)
            lc_instance_upstream_causes(&found, arena, all, phase->continues, phase);
    }
    run->origins.items = found.items;
    run->origins.count = found.count;
}

/* Of a process that was configured later, or never though no call is missing, this call came too
 * early; but some calls need no configuration. */
static lc_fact configured_before(const lc_instances *all, const lc_recorded_call *r)
{
    static const unsigned free = LC_CALL_BIT(LC_CALL_VALIDATE) | LC_CALL_BIT(LC_CALL_UPGRADE) |
                                 LC_CALL_BIT(LC_CALL_UPGRADE_IDENTITY) | LC_CALL_BIT(LC_CALL_MOVE);
    bool known = r->process && r->process < LC_ONLY_PROVIDER && !(free & LC_CALL_BIT(r->call.kind));
    if (r->call.configured == LC_YES || !known)
        return r->call.configured;
    const lc_command_walk *last = lc_current_session(all, r->process);
    return all->complete || (last && last->settings_taken) ? LC_NO : LC_NOT_KNOWN;
}

static void fill_calls(lc_run *run, lc_arena *arena, const lc_instances *all,
                       const run_phases *phases)
{
    call_list calls = {0};
    list_calls(&calls, arena, phases);
    run->capabilities = calls.items[0]->capabilities;
    for (size_t i = 0; i < calls.count; i++) {
        const lc_recorded_call *r = calls.items[i];
        lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
        *call = r->call;
        call->index = (uint32_t)i + 1;
        if (call->kind == LC_CALL_PLAN && is_final(phases, &r->call))
            call->kind = LC_CALL_FINAL_PLAN;
        call->deferral_allowed = r->capabilities.deferral_allowed;
        call->configured = configured_before(all, r);
        run->schema = r->schema;
    }
    run->loc = run->calls.items[0].loc;
}

/* The client replaces the object although the plan does not require it: -replace, or
 * replace_triggered_by. */
static bool is_replaced_on_request(const run_phases *run)
{
    for (size_t i = 0; i < run->list.count; i++) {
        const lc_phase *phase = run->list.items[i];
        if (phase->create && phase->plan && phase->plan->has_requires_replace &&
            phase->plan->requires_replace.count == 0)
            return true;
    }
    return false;
}

static void fill_run(lc_run *run, lc_arena *arena, const lc_instances *all,
                     const run_phases *phases)
{
    const lc_phase *first = phases->list.items[0];
    run->order_known = true;
    run->all_calls = all->complete && !all->given_early ? LC_YES : LC_NOT_KNOWN;
    if (run->all_calls == LC_YES && first->type->validations == 0)
        run->validated = LC_NO;
    run->deposed = LC_STR_EMPTY;
    run->refresh_only = LC_NO;
    run->tainted = phases->tainted ? LC_YES : LC_NOT_KNOWN;
    run->force_replace = is_replaced_on_request(phases) ? LC_YES : LC_NOT_KNOWN;
    run->apart = first->apart;
    fill_calls(run, arena, all, phases);
    for (size_t i = 0; i < phases->list.count; i++)
        run->order_known &= !phases->list.items[i]->open_choice;
    set_prior(run);
    set_configs(run);
    set_origins(run, arena, all, phases);
    bool applied = lc_run_call(run, LC_CALL_APPLY) || lc_run_call(run, LC_CALL_DESTROY);
    run->stored = applied ? LC_NOT_KNOWN : LC_NO;
}

/* The object that the run begins with, from the first call that has it. */
static const lc_value *begin_of(const lc_run *run)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->kind == LC_CALL_UPGRADE)
            return lc_given(&call->result);
        if (call->kind == LC_CALL_IMPORT)
            return NULL;
        if (lc_given(&call->prior_state))
            return call->prior_state.value;
    }
    return NULL;
}

/* Does the run begin with the object that the run before left? If the recording has the stored
 * object (raw state of an upgrade), rules compare it. Else the objects must be equal, or the run
 * counts as separate (`apart`). */
static void follow(lc_run *run, const lc_run *before, lc_arena *arena)
{
    const lc_call *upgrade = lc_run_call(run, LC_CALL_UPGRADE);
    const lc_call *apply = lc_run_call(before, LC_CALL_APPLY);
    const lc_value *left = apply ? lc_given(&apply->result) : NULL, *begin = begin_of(run);
    bool same =
        left && begin && lc_value_same(lc_state_handed_on(arena, run->schema->block, left), begin);
    if (!same && !(upgrade && upgrade->raw.given))
        run->apart = true;
    if (same && apply->has_private && apply->failed != LC_YES && upgrade) {
        run->has_prior_private = true;
        run->prior_private = apply->private_data;
    }
}

/* ---- The case. */

static void fill_case(lc_case *out, lc_arena *arena, const lc_instances *all,
                      const lc_object_type *type)
{
    out->source = LC_SOURCE_RPC;
    out->file = all->file;
    out->document = 1;
    out->type = type->name;
    out->name = LC_STR_EMPTY;
    out->resource = lc_kind_and_type(arena, type->kind, type->name);
    out->loc = out->runs.items[0].loc;
}

static void fill_instance(lc_case *out, lc_arena *arena, const lc_instances *all,
                          const lc_instance *instance, const runs_of *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        lc_run *run = LC_PUSH(arena, &out->runs, lc_run);
        fill_run(run, arena, all, &runs->items[i]);
        if (i)
            follow(run, run - 1, arena);
        run->address = instance->address;
    }
    fill_case(out, arena, all, instance->type);
    if (instance->name) {
        out->name = lc_str_from_c(instance->name);
        out->resource = instance->address.len ? instance->address : out->name;
    }
}

/* ---- Names: an address, or the type with a number. An instance gets its name when its case is
 * finished, and keeps it. */

/* The address that the recording gives the calls of the instance. Validations are left out: one is
 * made for all instances of a block. False: several addresses. */
static bool recorded_address(lc_str *out, const lc_instances *all, const lc_instance *instance)
{
    *out = LC_STR_EMPTY;
    for (size_t i = 0; all->addressed.count && i < instance->phases.count; i++) {
        const lc_phase *phase = instance->phases.items[i];
        for (size_t k = 0; k < phase->calls.count; k++) {
            const lc_recorded_call *r = phase->calls.items[k];
            const lc_recorded_address *recorded =
                r->call.kind == LC_CALL_VALIDATE ? NULL
                                                 : lc_recorded_address_of(all, r->process, r->seq);
            if (recorded &&
                (recorded->several || (out->len && !lc_str_eq(*out, recorded->address))))
                return false;
            *out = recorded ? recorded->address : *out;
        }
    }
    return true;
}

static void ask_values(lc_instances *all, lc_instance *instance)
{
    lc_arena *scratch = lc_arena_new();
    runs_of runs = {0};
    lc_run run = {0};
    run_phases every = {0};
    for (size_t i = 0; i < instance->phases.count; i++)
        *LC_PUSH(scratch, &every.list, const lc_phase *) = instance->phases.items[i];
    *LC_PUSH(scratch, &runs, run_phases) = every;
    fill_calls(&run, scratch, all, &every);
    instance->address = lc_addresses_of(all->addresses, &run);
    lc_arena_free(scratch);
}

/* Addresses in the recording are certain, so values are compared only if it has none. */
static void ask_address(lc_instances *all, lc_instance *instance)
{
    bool one = recorded_address(&instance->address, all, instance);
    instance->looked_up = true;
    if (!one) {
        instance->address = LC_STR_EMPTY;
        if (all->torn++ == 0)
            all->torn_at = instance->phases.items[0]->calls.items[0]->call.loc;
    } else if (instance->address.len == 0 && all->addresses) {
        ask_values(all, instance);
    }
}

static void set_name(lc_instances *all, lc_instance *instance)
{
    char number[32];
    lc_buf name = {0};
    if (instance->name)
        return;
    if (!instance->looked_up)
        ask_address(all, instance);
    if (instance->address.len) {
        lc_buf_add_str(&name, instance->address);
    } else {
        snprintf(number, sizeof number, "#%llu",
                 (unsigned long long)++instance->type->namesake->cases);
        lc_buf_printf(&name, "%s%.*s%s", lc_kind_prefix(instance->type->kind),
                      LC_FMT(instance->type->name), number);
    }
    instance->name = lc_heap_alloc(name.len + 1);
    memcpy(instance->name, name.ptr, name.len);
    instance->name[name.len] = '\0';
    lc_upstream_causes_name(all->upstream, instance->number, lc_buf_str(&name));
    lc_buf_release(&name);
}

/* ---- Giving. */

static lc_scenario *new_scenario(lc_arena *arena)
{
    return LC_NEW(arena, lc_scenario);
}

static void hand_over(lc_instances *all, lc_arena *arena, lc_scenario *s, bool open)
{
    size_t runs = s->subject.runs.count;
    s->expects = lc_arena_zalloc(arena, lc_mul_size(runs, sizeof *s->expects));
    for (size_t i = 0; all->logged && !open && i < runs; i++)
        lc_log_findings_show(all->logged, &s->subject.runs.items[i], s->subject.type);
    all->so_far.open = open;
    if (open || all->so_far.count)
        s->so_far = &all->so_far;
    all->take(all->context, s);
}

/* `open`: the instance is not finished; the case is shown as unfinished and the name is not fixed
 * yet. */
void lc_instance_give(lc_instances *all, lc_instance *instance, bool open)
{
    lc_arena *arena = lc_arena_new();
    lc_scenario *s = new_scenario(arena);
    runs_of runs = {0};
    if (!open)
        set_name(all, instance);
    group(&runs, arena, instance);
    fill_instance(&s->subject, arena, all, instance, &runs);
    hand_over(all, arena, s, open);
    lc_arena_free(arena);
}

void lc_instance_give_validations(lc_instances *all, lc_object_type *type,
                                  lc_recorded_call *const *calls, size_t count)
{
    lc_arena *arena = lc_arena_new();
    lc_scenario *s = new_scenario(arena);
    for (size_t i = 0; i < count; i++) {
        lc_run *run = LC_PUSH(arena, &s->subject.runs, lc_run);
        lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
        *call = calls[i]->call;
        call->index = 1;
        run->loc = call->loc;
        run->schema = calls[i]->schema;
        run->deposed = run->address = LC_STR_EMPTY;
        run->capabilities = calls[i]->capabilities;
        run->order_known = run->apart = true;
        set_configs(run);
    }
    fill_case(&s->subject, arena, all, type);
    s->subject.name = lc_str_printf(arena, "%.*s (validation only)", LC_FMT(s->subject.resource));
    hand_over(all, arena, s, false);
    lc_arena_free(arena);
    for (size_t i = 0; i < count; i++) {
        all->held -= calls[i]->held;
        lc_arena_free(calls[i]->arena);
    }
}

/* One run, because calls of a function have no order that matters. */
void lc_instance_give_functions(lc_instances *all, const lc_functions *functions)
{
    lc_arena *arena = lc_arena_new();
    lc_scenario *s = new_scenario(arena);
    lc_run *run = LC_PUSH(arena, &s->subject.runs, lc_run);
    for (size_t i = 0; i < functions->calls.count; i++) {
        lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
        *call = functions->calls.items[i]->call;
        call->index = (uint32_t)i + 1;
    }
    run->loc = run->calls.items[0].loc;
    run->schema = functions->schema;
    run->deposed = run->address = LC_STR_EMPTY;
    run->capabilities = functions->calls.items[0]->capabilities;
    run->order_known = true;
    s->subject.source = LC_SOURCE_RPC;
    s->subject.file = all->file;
    s->subject.document = 1;
    s->subject.loc = run->loc;
    s->subject.type = s->subject.resource = s->subject.name = lc_str_copy(arena, functions->name);
    hand_over(all, arena, s, false);
    lc_arena_free(arena);
}

/* Judges the run up to its apply, so that instances configured with its values can refer to it. The
 * instance gets its name later: plans and states that give addresses come after the calls. */
void lc_instance_remember(lc_instances *all, lc_phase *phase)
{
    lc_arena *arena = lc_arena_new();
    lc_case *subject = LC_NEW(arena, lc_case);
    runs_of runs = {0};
    run_phases *run = LC_PUSH(arena, &runs, run_phases);
    if (phase->continues)
        *LC_PUSH(arena, &run->list, const lc_phase *) = phase->continues;
    *LC_PUSH(arena, &run->list, const lc_phase *) = phase;
    fill_instance(subject, arena, all, phase->instance, &runs);
    lc_upstream_causes_take(all->upstream, subject, phase->instance->number, phase->last);
    lc_arena_free(arena);
}

/* ---- One instance for each address. */

/* In a replace of a tainted object the destroy belongs to what core planned as a create. */
static void join_tainted(lc_instance *instance)
{
    const lc_phase *before = NULL;
    for (size_t i = 0; i < instance->phases.count; i++) {
        lc_phase *plan = instance->phases.items[i];
        bool tainted = before && is_tainted(before, plan) && !plan->destroyed_by;
        for (size_t k = i + 1; tainted && k < instance->phases.count; k++) {
            lc_phase *last = instance->phases.items[k];
            if (!last->destroy || last->continues ||
                !lc_given_same(&before->read->result, &last->destroy->prior_state))
                continue;
            last->continues = plan;
            plan->destroyed_by = last;
            break;
        }
        before = plan;
    }
}

/* Does the phase destroy a deposed object? A client does not destroy what it has just created: with
 * create_before_destroy it is the object before, which has the same address. */
static bool is_of_deposed(const lc_instance *instance, const lc_phase *phase)
{
    for (size_t i = 0; (phase->destroy_plan || phase->destroy) && i < instance->phases.count; i++) {
        const lc_phase *before = instance->phases.items[i];
        if (before->apply && lc_given_null(&before->apply->prior_state) &&
            before->session == phase->session && before->first < phase->first)
            return true;
    }
    return false;
}

/* Only the address connects these phases with those of the other instance, not their values. */
static void set_apart(const lc_instance *instance, const lc_instance *other)
{
    for (size_t i = 0; i < instance->phases.count; i++) {
        lc_phase *phase = instance->phases.items[i];
        phase->apart =
            !(phase->upgrade && phase->upgrade->raw.given) || is_of_deposed(other, phase);
    }
}

void lc_instance_addresses(lc_instances *all)
{
    lc_arena *scratch = lc_arena_new();
    lc_table by_address;
    lc_table_init(&by_address, scratch);
    if (all->addresses && all->first) /* files next to the recording may hold more than addresses */
        lc_addresses_open(all->addresses);
    for (lc_instance *i = all->first, *next; i; i = next) {
        next = i->next;
        ask_address(all, i);
        if (i->address.len == 0)
            continue;
        lc_str key = lc_str_printf(scratch, "%llu %.*s", (unsigned long long)i->type->number,
                                   LC_FMT(i->address));
        lc_instance *first = lc_table_get(&by_address, key);
        if (!first) {
            lc_table_put(&by_address, key, i);
            continue;
        }
        set_apart(i, first);
        lc_instance_merge(all, first, i);
        join_tainted(first);
    }
    lc_arena_free(scratch);
    for (lc_instance *i = all->first; i; i = i->next)
        i->type->namesake->left++;
    for (lc_instance *i = all->first; i && all->addresses; i = i->next) {
        const lc_object_type *named = i->type->namesake;
        if (i->address.len == 0 && named->left == 1 && named->cases == 0)
            i->address = lc_addresses_declared(all->addresses, i->type->kind, i->type->name);
    }
}
