/* From single calls to chains: what a run did with one instance (captures section 6).
 *
 * An open chain waits for calls that begin with what its last one ended in. Comparisons start with
 * hashes; open chains are bounded, so that a call costs at most a fixed number of them. */
#include "addresses.h"
#include "promises.h"
#include "told.h"

#include "lifecheck/arena.h"

#include <stdlib.h>
#include <string.h>

struct lc_chain {
    const lc_schema *schema;
    uint64_t process; /* of its last call */
    uint64_t number;  /* in order of first calls */
    lc_capabilities capabilities;
    lc_recorded *links;
    size_t count, capacity;
    uint64_t signature;   /* of all values, to tell chains that are the same */
    bool apart;           /* several chains would have fitted */
    lc_origins origins;   /* in the arena of a link */
    lc_str name, address; /* in the arena of a link; "": not told yet, not known */
    lc_arena *generated;  /* a configuration of the import */
    lc_so_far so_far;
    size_t shown; /* links it had then */
};

struct lc_chains {
    lc_arena *arena;
    lc_str file;
    lc_take_case take;
    void *context;
    lc_chain *open[LC_MAX_CHAINS + 1];
    size_t count;
    uint64_t made;
    lc_table numbers; /* of cases, by type */
    lc_promises *promises;
    const lc_told_set *told;
    lc_addresses *addresses; /* or NULL */
};

void lc_chains_told(lc_chains *chains, const struct lc_told_set *told)
{
    chains->told = told;
}

lc_chains *lc_chains_new(lc_arena *arena, lc_str file, lc_take_case take, void *context)
{
    lc_chains *c = LC_NEW(arena, lc_chains);
    c->arena = arena;
    c->file = file;
    c->take = take;
    c->context = context;
    lc_table_init(&c->numbers, arena);
    c->promises = lc_promises_new(arena);
    return c;
}

void lc_chains_addresses(lc_chains *chains, lc_addresses *addresses)
{
    chains->addresses = addresses;
}

/* ---- Values. */

static const lc_value *value_of(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN ? field->value : NULL;
}

static bool same(const lc_field *a, const lc_field *b)
{
    const lc_value *x = value_of(a), *y = value_of(b);
    return x && y && lc_value_raw_equal(x, y);
}

static bool is_null(const lc_field *field)
{
    return value_of(field) && lc_is_null(field->value);
}

/* May `last` be what `first` became once unknowns were known? */
static bool resolves(const lc_value *first, const lc_value *last)
{
    if (lc_is_unknown(first) || lc_value_same(first, last))
        return true;
    if (lc_is_wholly_known(first) || lc_is_null(first) || !lc_is_known(last) ||
        first->type->kind != last->type->kind)
        return false;
    if (first->type->kind == LC_TYPE_SET || first->count != last->count)
        return first->type->kind == LC_TYPE_SET;
    for (size_t i = 0; i < first->count; i++) {
        if (!resolves(&first->as.many.elems[i], &last->as.many.elems[i]))
            return false;
    }
    return true;
}

static bool may_become(const lc_field *first, const lc_field *last)
{
    const lc_value *x = value_of(first), *y = value_of(last);
    return x && y && resolves(x, y);
}

static uint64_t mix_field(uint64_t hash, const lc_field *field)
{
    const lc_value *v = value_of(field);
    return lc_hash_mix(hash, v ? lc_value_hash(v) : (uint64_t)field->state);
}

static uint64_t signature_of(const lc_call *call)
{
    uint64_t hash = lc_hash_mix((uint64_t)call->kind, lc_str_hash(call->request_private));
    hash = mix_field(hash, &call->config);
    hash = mix_field(hash, &call->prior_state);
    hash = mix_field(hash, &call->planned);
    hash = mix_field(hash, &call->result);
    return lc_hash_mix(hash, lc_str_hash(call->private_data));
}

/* ---- Chains. */

static const lc_call *call_of(const lc_chain *chain, lc_call_kind kind)
{
    for (size_t i = 0; i < chain->count; i++) {
        if (chain->links[i].call.kind == kind)
            return &chain->links[i].call;
    }
    return NULL;
}

static void add_link(lc_chain *chain, const lc_recorded *link)
{
    if (chain->count == chain->capacity) {
        chain->capacity = chain->capacity ? chain->capacity * 2 : 8;
        chain->links =
            lc_heap_resize(chain->links, lc_mul_size(chain->capacity, sizeof *chain->links));
    }
    chain->links[chain->count++] = *link;
    chain->process = link->process;
    chain->signature = lc_hash_mix(chain->signature, signature_of(&link->call));
    if (link->capabilities.deferral_allowed == LC_YES)
        chain->capabilities.deferral_allowed = LC_YES;
}

static lc_chain *new_chain(lc_chains *c, const lc_recorded *link)
{
    lc_chain *chain = lc_heap_alloc(sizeof *chain);
    *chain = (lc_chain){.schema = link->schema,
                        .number = ++c->made,
                        .capabilities = link->capabilities,
                        .signature = 1};
    add_link(chain, link);
    return chain;
}

static void free_chain(lc_chain *chain)
{
    for (size_t i = 0; i < chain->count; i++)
        lc_arena_free(chain->links[i].arena);
    if (chain->generated)
        lc_arena_free(chain->generated);
    lc_so_far_release(&chain->so_far);
    lc_heap_free(chain->links);
    lc_heap_free(chain);
}

/* ---- A chain as a case. */

/* Where the plan and the apply read the state: what was read last before the plan. */
static void set_prior(lc_run *run)
{
    const lc_call *plan = NULL;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->kind == LC_CALL_READ && call->result.state != LC_FIELD_ABSENT && !plan)
            run->prior_state = call->result;
        bool plans = call->kind == LC_CALL_PLAN || call->kind == LC_CALL_DESTROY_PLAN ||
                     call->kind == LC_CALL_APPLY || call->kind == LC_CALL_DESTROY;
        plan = plan ? plan : plans ? call : NULL;
    }
    if (run->prior_state.state == LC_FIELD_ABSENT && plan)
        run->prior_state = plan->prior_state;
}

static int by_arrival(const void *a, const void *b)
{
    const lc_recorded *x = a, *y = b;
    return (x->arrival > y->arrival) - (x->arrival < y->arrival);
}

static void fill_run(lc_run *run, lc_arena *arena, lc_chain *chain)
{
    qsort(chain->links, chain->count, sizeof *chain->links, by_arrival);
    run->loc = chain->links[0].call.loc;
    run->schema = chain->schema;
    run->order_known = !chain->apart;
    run->deposed = LC_STR_EMPTY;
    run->refresh_only = LC_NO;
    run->capabilities = chain->capabilities;
    for (size_t i = 0; i < chain->count; i++) {
        lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
        *call = chain->links[i].call;
        call->index = (uint32_t)i + 1;
    }
    set_prior(run);
}

static uint64_t number_of(lc_chains *c, lc_str what)
{
    uint64_t *number = lc_table_get(&c->numbers, what);
    if (!number) {
        number = LC_NEW(c->arena, uint64_t);
        lc_table_put(&c->numbers, lc_str_copy(c->arena, what), number);
    }
    return ++*number;
}

/* An instance has one case a run; those after the first are numbered. A name that was told stays.
 */
static void name_chain(lc_chains *c, lc_chain *chain, const lc_run *run)
{
    lc_arena *arena = chain->links[0].arena;
    lc_str type = chain->schema->type_name;
    lc_str address = c->addresses ? lc_addresses_of(c->addresses, run) : LC_STR_EMPTY;
    uint64_t number = number_of(c, type);
    chain->address = lc_str_copy(arena, address);
    if (address.len)
        number = number_of(c, address);
    chain->name = address.len && number == 1
                      ? chain->address
                      : lc_str_printf(arena, "%.*s#%llu", LC_FMT(address.len ? address : type),
                                      (unsigned long long)number);
}

/* Names are given in the order in which cases are complete, whoever was looked at before. */
static void fill_case(lc_case *out, lc_chains *c, lc_arena *arena, lc_chain *chain, bool named)
{
    out->source = LC_SOURCE_RPC;
    out->file = c->file;
    out->document = 1;
    out->type = chain->schema->type_name;
    fill_run(LC_PUSH(arena, &out->runs, lc_run), arena, chain);
    if (!chain->name.len && named)
        name_chain(c, chain, &out->runs.items[0]);
    out->name = chain->name;
    out->resource = chain->address.len ? chain->address : chain->name.len ? chain->name : out->type;
    out->runs.items[0].address = chain->address;
    out->loc = chain->links[0].call.loc;
    const lc_call *final = call_of(chain, LC_CALL_FINAL_PLAN);
    if (final && chain->origins.count) /* else it follows from the first one */
        out->runs.items[0].final_config = final->config;
    for (size_t i = 0; i < chain->origins.count; i++)
        *LC_PUSH(arena, &out->origins, lc_origin) = chain->origins.items[i];
}

static void give_case(lc_chains *c, lc_chain *chain, bool open)
{
    lc_arena *arena = lc_arena_new();
    lc_scenario *s = LC_NEW(arena, lc_scenario);
    fill_case(&s->subject, c, arena, chain, !open);
    s->expects = LC_NEW_ARRAY(arena, lc_expectation, 1);
    memset(s->expects, 0, sizeof *s->expects);
    if (c->told && !open)
        lc_told_show(c->told, &s->subject.runs.items[0], s->subject.type);
    chain->so_far.open = open;
    if (open || chain->so_far.count)
        s->so_far = &chain->so_far;
    c->take(c->context, s);
    lc_arena_free(arena);
}

static void close_chain(lc_chains *c, lc_chain *chain)
{
    give_case(c, chain, false);
    free_chain(chain);
}

void lc_chains_show(lc_chains *c)
{
    for (size_t i = 0; i < c->count; i++) {
        lc_chain *chain = c->open[i];
        if (chain->shown != chain->count)
            give_case(c, chain, true);
        chain->shown = chain->count;
    }
}

/* Did the apply break what the plan said, so that only the flag of the old SDK can have let it
 * pass? */
static bool broke_promise(const lc_call *apply)
{
    return apply->legacy != LC_NO && !is_null(&apply->planned) && value_of(&apply->planned) &&
           value_of(&apply->result) && !may_become(&apply->planned, &apply->result);
}

static void remember_promises(lc_chains *c, lc_chain *chain, uint64_t arrival)
{
    lc_arena *arena = lc_arena_new();
    lc_case *subject = LC_NEW(arena, lc_case);
    fill_case(subject, c, arena, chain, true);
    lc_promises_take(c->promises, subject, arrival);
    lc_arena_free(arena);
}

static void remove_open(lc_chains *c, size_t at)
{
    c->count--;
    memmove(&c->open[at], &c->open[at + 1], (c->count - at) * sizeof *c->open);
}

static void open_chain(lc_chains *c, lc_chain *chain)
{
    if (c->count == LC_MAX_CHAINS) {
        lc_chain *oldest = c->open[0];
        remove_open(c, 0);
        close_chain(c, oldest);
    }
    c->open[c->count++] = chain;
}

/* ---- Which call may follow: the kind it is there, or LC_CALL_SCHEMA if it does not fit. */

#define NO_FIT LC_CALL_SCHEMA

static bool was_imported(const lc_chain *chain, const lc_field *state)
{
    const lc_call *import = call_of(chain, LC_CALL_IMPORT);
    for (size_t i = 0; import && i < import->imported.count; i++) {
        if (same(&import->imported.items[i].state, state))
            return true;
    }
    return false;
}

static lc_call_kind fit_read(const lc_chain *chain, const lc_recorded *r)
{
    const lc_call *upgrade = call_of(chain, LC_CALL_UPGRADE), *move = call_of(chain, LC_CALL_MOVE);
    if (chain->process != r->process || call_of(chain, LC_CALL_READ) ||
        call_of(chain, LC_CALL_PLAN))
        return NO_FIT;
    bool fits = (upgrade && same(&upgrade->result, &r->call.prior_state)) ||
                (move && same(&move->result, &r->call.prior_state)) ||
                was_imported(chain, &r->call.prior_state);
    return fits ? LC_CALL_READ : NO_FIT;
}

/* The object that a first plan begins with. */
static const lc_field *refreshed(const lc_chain *chain)
{
    const lc_call *read = call_of(chain, LC_CALL_READ);
    const lc_call *upgrade = call_of(chain, LC_CALL_UPGRADE);
    return read ? &read->result : upgrade ? &upgrade->result : NULL;
}

static bool is_replaced(const lc_call *plan)
{
    return plan && plan->requires_replace.count > 0 && !is_null(&plan->prior_state);
}

/* Did only broken promises of others change the configuration since it was planned? */
static bool was_changed_elsewhere(lc_origins *out, lc_arena *arena, const lc_chains *c,
                                  const lc_chain *chain, const lc_recorded *r)
{
    uint64_t planned = 0;
    for (size_t i = 0; i < chain->count; i++) {
        lc_call_kind kind = chain->links[i].call.kind;
        if (kind == LC_CALL_PLAN || kind == LC_CALL_PLAN_CREATE)
            planned = chain->links[i].arrival;
    }
    const lc_call *plan = call_of(chain, LC_CALL_PLAN);
    const lc_value *before = plan ? value_of(&plan->config) : NULL;
    const lc_value *after = value_of(&r->call.config);
    return lc_promises_any(c->promises) && before && after &&
           lc_promises_explain(out, arena, c->promises, before, after, planned, r->arrival);
}

static lc_call_kind fit_plan(const lc_chains *c, const lc_chain *chain, const lc_recorded *r)
{
    const lc_call *q = &r->call;
    const lc_call *plan = call_of(chain, LC_CALL_PLAN);
    const lc_call *create = call_of(chain, LC_CALL_PLAN_CREATE);
    const lc_field *before = refreshed(chain);
    bool here = chain->process == r->process;
    if (call_of(chain, LC_CALL_FINAL_PLAN) || call_of(chain, LC_CALL_APPLY) ||
        call_of(chain, LC_CALL_DESTROY_PLAN))
        return NO_FIT;
    if (!plan) {
        bool begins = here && before && same(before, &q->prior_state);
        return !begins ? NO_FIT : is_null(&q->config) ? LC_CALL_DESTROY_PLAN : LC_CALL_PLAN;
    }
    if (is_null(&q->config))
        return NO_FIT;
    if (here && is_replaced(plan) && !create && is_null(&q->prior_state) &&
        lc_str_eq(plan->private_data, q->request_private) && same(&plan->config, &q->config))
        return LC_CALL_PLAN_CREATE;
    bool fresh = create || is_null(&plan->prior_state);
    bool prior = fresh ? is_null(&q->prior_state) : same(&plan->prior_state, &q->prior_state);
    bool config = !here && prior &&
                  (may_become(&plan->config, &q->config) ||
                   was_changed_elsewhere(&(lc_origins){0}, r->arena, c, chain, r));
    return config ? LC_CALL_FINAL_PLAN : NO_FIT;
}

static lc_call_kind fit_destroy(const lc_chain *chain, const lc_recorded *r)
{
    const lc_call *plan = call_of(chain, LC_CALL_DESTROY_PLAN);
    const lc_call *create = call_of(chain, LC_CALL_PLAN_CREATE);
    const lc_call *old = call_of(chain, LC_CALL_PLAN);
    if (call_of(chain, LC_CALL_DESTROY))
        return NO_FIT;
    if (create && old && same(&old->prior_state, &r->call.prior_state) &&
        lc_str_eq(create->private_data, r->call.request_private))
        return LC_CALL_DESTROY;
    bool fits = plan && same(&plan->prior_state, &r->call.prior_state) &&
                lc_str_eq(plan->private_data, r->call.request_private);
    return fits ? LC_CALL_DESTROY : NO_FIT;
}

static lc_call_kind fit_apply(const lc_chain *chain, const lc_recorded *r)
{
    const lc_call *final = call_of(chain, LC_CALL_FINAL_PLAN);
    if (is_null(&r->call.planned))
        return fit_destroy(chain, r);
    bool fits = final && chain->process == r->process && !call_of(chain, LC_CALL_APPLY) &&
                same(&final->result, &r->call.planned) && same(&final->config, &r->call.config) &&
                same(&final->prior_state, &r->call.prior_state) &&
                lc_str_eq(final->private_data, r->call.request_private);
    return fits ? LC_CALL_APPLY : NO_FIT;
}

static bool was_invoked(const lc_chain *chain)
{
    for (size_t i = 0; i < chain->count; i++) {
        if (chain->links[i].invoked)
            return true;
    }
    return false;
}

/* An action is invoked after it was planned. */
static lc_call_kind fit_action(const lc_chain *chain, const lc_recorded *r)
{
    const lc_call *plan = call_of(chain, LC_CALL_ACTION);
    bool fits = plan && r->invoked && !was_invoked(chain) && chain->process != r->process &&
                may_become(&plan->config, &r->call.config);
    return fits ? LC_CALL_ACTION : NO_FIT;
}

static lc_call_kind fit(const lc_chains *c, const lc_chain *chain, const lc_recorded *r)
{
    if (chain->schema != r->schema)
        return NO_FIT;
    if (r->call.kind == LC_CALL_READ)
        return fit_read(chain, r);
    if (r->call.kind == LC_CALL_PLAN)
        return fit_plan(c, chain, r);
    if (r->call.kind == LC_CALL_ACTION)
        return fit_action(chain, r);
    return r->call.kind == LC_CALL_APPLY ? fit_apply(chain, r) : NO_FIT;
}

/* ---- Joining. */

typedef struct match {
    size_t at;
    lc_call_kind kind;
    bool found, several;
} match;

static match find(const lc_chains *c, const lc_recorded *r)
{
    match m = {0, NO_FIT, false, false};
    for (size_t i = 0; i < c->count; i++) {
        lc_call_kind kind = fit(c, c->open[i], r);
        if (kind == NO_FIT)
            continue;
        if (m.found && c->open[i]->signature != c->open[m.at]->signature)
            m.several = true;
        if (!m.found)
            m = (match){i, kind, true, false};
    }
    return m;
}

/* What the apply phase read of the state before it planned again goes to the same chain. */
static void take_upgrade(lc_chains *c, lc_chain *into, const lc_recorded *r)
{
    for (size_t i = 0; i < c->count; i++) {
        lc_chain *other = c->open[i];
        bool only_upgrade = other != into && other->schema == r->schema &&
                            other->process == r->process && other->count == 1 &&
                            other->links[0].call.kind == LC_CALL_UPGRADE;
        const lc_call *old = call_of(into, LC_CALL_PLAN);
        if (!only_upgrade || !old || !same(&other->links[0].call.result, &old->prior_state))
            continue;
        add_link(into, &other->links[0]);
        lc_heap_free(other->links);
        lc_heap_free(other);
        remove_open(c, i);
        return;
    }
}

/* Validations, those of the validate walk too, wait as chains of their own for a plan of the same
 * configuration. */
static void take_validations(lc_chains *c, lc_chain *into, const lc_recorded *r)
{
    for (size_t i = 0; i < c->count;) {
        lc_chain *other = c->open[i];
        bool waits = other != into && other->schema == r->schema && other->count == 1 &&
                     other->links[0].call.kind == LC_CALL_VALIDATE;
        if (!waits || !same(&other->links[0].call.config, &r->call.config)) {
            i++;
            continue;
        }
        add_link(into, &other->links[0]);
        lc_heap_free(other->links);
        lc_heap_free(other);
        remove_open(c, i);
    }
}

static bool is_finished(const lc_chain *chain)
{
    bool replaced = call_of(chain, LC_CALL_PLAN_CREATE) != NULL;
    bool applied = call_of(chain, LC_CALL_APPLY) != NULL;
    bool destroyed = call_of(chain, LC_CALL_DESTROY) != NULL;
    lc_call_kind only = chain->links[0].call.kind;
    if (chain->count == 1 && (only == LC_CALL_DATA || only == LC_CALL_OPEN))
        return true;
    if (was_invoked(chain))
        return true;
    return replaced ? applied && destroyed : applied || destroyed;
}

static bool takes_validations(lc_call_kind kind)
{
    return kind == LC_CALL_PLAN || kind == LC_CALL_FINAL_PLAN || kind == LC_CALL_DATA ||
           kind == LC_CALL_OPEN || kind == LC_CALL_ACTION;
}

void lc_chains_add(lc_chains *c, lc_recorded *r)
{
    match m = find(c, r);
    lc_chain *chain;
    if (m.found && !m.several) {
        chain = c->open[m.at];
        r->call.kind = m.kind;
        if (m.kind == LC_CALL_FINAL_PLAN || m.kind == LC_CALL_DESTROY)
            take_upgrade(c, chain, r);
        if (m.kind == LC_CALL_FINAL_PLAN)
            was_changed_elsewhere(&chain->origins, r->arena, c, chain, r);
        if (takes_validations(m.kind))
            take_validations(c, chain, r);
        add_link(chain, r);
    } else {
        if (r->call.kind == LC_CALL_PLAN && is_null(&r->call.config))
            r->call.kind = LC_CALL_DESTROY_PLAN;
        if (r->call.kind == LC_CALL_APPLY && is_null(&r->call.planned))
            r->call.kind = LC_CALL_DESTROY;
        chain = new_chain(c, r);
        chain->apart = m.several;
        open_chain(c, chain);
        if (takes_validations(r->call.kind))
            take_validations(c, chain, r);
    }
    if (r->call.kind == LC_CALL_APPLY && broke_promise(&r->call))
        remember_promises(c, chain, r->arrival);
    for (size_t i = 0; i < c->count && is_finished(chain); i++) {
        if (c->open[i] != chain)
            continue;
        remove_open(c, i);
        close_chain(c, chain);
        return;
    }
}

static lc_call *import_of(lc_chain *chain)
{
    for (size_t i = 0; i < chain->count; i++) {
        if (chain->links[i].call.kind == LC_CALL_IMPORT)
            return &chain->links[i].call;
    }
    return NULL;
}

void lc_chains_generated(lc_chains *c, lc_recorded *r)
{
    lc_chain *found = NULL;
    bool several = false;
    for (size_t i = 0; i < c->count; i++) {
        lc_chain *chain = c->open[i];
        const lc_call *read = call_of(chain, LC_CALL_READ);
        if (chain->schema != r->schema || chain->process != r->process || chain->generated ||
            !import_of(chain) || !read || !same(&read->result, &r->call.prior_state))
            continue;
        several = several || (found && found->signature != chain->signature);
        found = found ? found : chain;
    }
    if (!found || several || r->call.generated_config.state == LC_FIELD_ABSENT) {
        lc_arena_free(r->arena);
        return;
    }
    lc_call *import = import_of(found);
    if (import)
        import->generated_config = r->call.generated_config;
    found->generated = r->arena;
}

void lc_chains_end(lc_chains *c)
{
    for (size_t i = 0; i < c->count; i++)
        close_chain(c, c->open[i]);
    c->count = 0;
}
