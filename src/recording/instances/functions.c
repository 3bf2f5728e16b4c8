/* Calls of provider functions, lists, and calls of state stores. They are about no object: those of
 * one function, type or store are one case, which is given at the end, so that they are compared
 * through the whole recording. A call of a function that adds nothing new is not kept. */
#include "recording/instances/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"

/* Bytes of calls that are kept. */
#define MAX_HELD ((size_t)64 << 20)

static lc_functions *functions_of(lc_instances *all, const lc_recorded_call *r, lc_str name)
{
    lc_arena *scratch = lc_arena_new();
    lc_str key = lc_str_printf(scratch, "%llu %.*s", (unsigned long long)r->provider, LC_FMT(name));
    lc_functions *found = lc_table_get(&all->functions, key);
    if (!found) {
        found = LC_NEW(all->arena, lc_functions);
        found->name = lc_str_copy(all->arena, name);
        found->schema = r->schema;
        lc_table_init(&found->seen, all->arena);
        lc_table_put(&all->functions, lc_str_copy(all->arena, key), found);
        if (all->last_function)
            all->last_function->next = found;
        else
            all->first_function = found;
        all->last_function = found;
    }
    lc_arena_free(scratch);
    return found;
}

static uint64_t hash_of(uint64_t hash, const lc_field *field)
{
    return lc_hash_mix(hash, field->value ? lc_value_hash(field->value) : (uint64_t)field->state);
}

static uint64_t hash_of_call(const lc_recorded_call *r)
{
    const lc_function_call *f = r->call.function;
    uint64_t hash = lc_hash_mix(r->call.provider_config, f->has_error);
    for (size_t i = 0; i < f->arguments.count; i++)
        hash = hash_of(hash, &f->arguments.items[i]);
    return hash_of(hash, &f->result);
}

static bool same_field(const lc_field *a, const lc_field *b)
{
    return a->state == b->state && (a->value != NULL) == (b->value != NULL) &&
           (!a->value || lc_value_raw_equal(a->value, b->value));
}

static bool same_call(const lc_recorded_call *x, const lc_recorded_call *y)
{
    const lc_function_call *a = x->call.function, *b = y->call.function;
    bool same = x->schema == y->schema && x->call.provider_config == y->call.provider_config &&
                x->call.broke == y->call.broke && a->has_error == b->has_error &&
                a->has_error_argument == b->has_error_argument &&
                a->error_argument == b->error_argument &&
                a->arguments.count == b->arguments.count && same_field(&a->result, &b->result);
    for (size_t i = 0; same && i < a->arguments.count; i++)
        same = same_field(&a->arguments.items[i], &b->arguments.items[i]);
    return same;
}

/* A call that was made, and whether it was made again. */
typedef struct made_call {
    const lc_recorded_call *call;
    bool again;
} made_call;

/* Were the same arguments and result seen twice before? The second call shows that the function was
 * called again. Of calls with the same hash only the last is remembered, so more of them may be
 * kept; that only costs memory. */
static bool is_said(lc_instances *all, lc_functions *functions, const lc_recorded_call *r)
{
    uint64_t hash = hash_of_call(r);
    lc_str key = LC_BYTES_OF(hash);
    made_call *made = lc_table_get(&functions->seen, key);
    bool same = made && same_call(made->call, r), said = same && made->again;
    if (!made) {
        made = LC_NEW(all->arena, made_call);
        lc_table_put(&functions->seen, lc_str_copy(all->arena, key), made);
    }
    if (same)
        made->again = true;
    else
        *made = (made_call){r, false};
    return said;
}

static bool is_full(lc_instances *all, const lc_recorded_call *r)
{
    bool full = all->functions_held + lc_arena_used(r->arena) > MAX_HELD;
    all->functions_dropped += full;
    return full;
}

static void keep(lc_instances *all, lc_functions *functions, lc_recorded_call *r)
{
    all->functions_held += lc_arena_used(r->arena);
    *LC_PUSH(all->arena, &functions->calls, lc_recorded_call *) = r;
}

void lc_instances_function(lc_instances *all, lc_recorded_call *r)
{
    const lc_command_walk *session = lc_current_session(all, r->process);
    lc_str name = lc_str_printf(r->arena, "function %.*s", LC_FMT(r->call.function->name));
    r->call.provider_config = session ? session->provider_config : 0;
    lc_functions *functions = functions_of(all, r, name);
    if (is_full(all, r) || is_said(all, functions, r))
        lc_arena_free(r->arena);
    else
        keep(all, functions, r);
}

void lc_instances_gathered(lc_instances *all, lc_recorded_call *r, lc_str name)
{
    if (r->call.list)
        lc_lists_compare(all, r);
    if (is_full(all, r))
        lc_arena_free(r->arena);
    else
        keep(all, functions_of(all, r, name), r);
}

void lc_functions_give(lc_instances *all)
{
    for (lc_functions *f = all->first_function; f; f = f->next) {
        lc_instance_give_functions(all, f);
        for (size_t i = 0; i < f->calls.count; i++)
            lc_arena_free(f->calls.items[i]->arena);
    }
    if (all->functions_dropped)
        lc_diag_warning(all->diags, (lc_loc){all->file, 0, 0},
                        "more than %zu MiB of calls of functions, lists and state stores: the last "
                        "%llu are not checked",
                        MAX_HELD >> 20, (unsigned long long)all->functions_dropped);
}
