/* A recording that ends before any call about an object contains schemas only. A client requests
 * them first, and stops there if one is invalid. */
#include "recording/protojson/schemas_alone.h"

#include "lifecheck/base/arena.h"

typedef struct alone {
    const lc_rpc_schemas *schemas;
    lc_take_case take;
    void *context;
} alone;

lc_scenario *lc_schemas_case(lc_arena *arena, lc_str file, lc_loc at)
{
    lc_scenario *s = LC_NEW(arena, lc_scenario);
    s->subject.source = LC_SOURCE_RPC;
    s->subject.file = file;
    s->subject.document = 1;
    s->subject.type = LC_STR_EMPTY;
    s->subject.loc = at;
    return s;
}

void lc_schemas_give(lc_scenario *s, lc_arena *arena, lc_take_case take, void *context)
{
    s->subject.name = s->subject.resource;
    s->expects = lc_arena_zalloc(arena, s->subject.runs.count * sizeof *s->expects);
    take(context, s);
}

/* A client that gets no schema of the provider itself stops there. So it is missing only in a
 * recording that ends there; before other calls it was left out of the recording. */
static const lc_schema *schema_of(lc_arena *arena, lc_rpc_type *type)
{
    const lc_schema *schema = lc_rpc_type_schema(type);
    if (!schema || type->kind != LC_KIND_PROVIDER || !type->one->provider_missing)
        return schema;
    lc_schema *missing = LC_NEW(arena, lc_schema);
    *missing = *schema;
    missing->provider_missing = true;
    return missing;
}

static void add_run(const alone *a, lc_scenario *s, lc_arena *arena, lc_rpc_type *type)
{
    lc_run *run = LC_PUSH(arena, &s->subject.runs, lc_run);
    run->loc = type->one->at;
    run->schema = schema_of(arena, type);
    run->deposed = LC_STR_EMPTY;
    run->capabilities = a->schemas->any.capabilities;
    run->capabilities.computed_blocks_allowed = LC_NOT_KNOWN; /* only later requests show it */
}

static bool is_at_fault(lc_rpc_type *type)
{
    lc_schema_problems problems = {0};
    lc_arena *arena = lc_arena_new();
    lc_schema_validate(&problems, arena, schema_of(arena, type));
    lc_arena_free(arena);
    return problems.count > 0;
}

static void take_one(const alone *a, lc_rpc_type *type)
{
    lc_arena *arena = lc_arena_new();
    lc_scenario *s = lc_schemas_case(arena, a->schemas->file, type->one->at);
    s->subject.type = type->name;
    s->subject.resource = lc_kind_and_type(arena, type->kind, type->name);
    add_run(a, s, arena, type);
    lc_schemas_give(s, arena, a->take, a->context);
    lc_arena_free(arena);
}

/* All valid schemas, as runs of one case. */
static void take_rest(const alone *a, const lc_rpc_schema *one, const bool *taken)
{
    lc_arena *arena = lc_arena_new();
    lc_scenario *s = lc_schemas_case(arena, a->schemas->file, one->at);
    for (size_t i = 0; i < one->types.count; i++) {
        if (!taken[i])
            add_run(a, s, arena, &one->types.items[i]);
    }
    size_t count = s->subject.runs.count;
    s->subject.resource = lc_str_printf(arena, "%zu schema%s", count, count == 1 ? "" : "s");
    if (count)
        lc_schemas_give(s, arena, a->take, a->context);
    lc_arena_free(arena);
}

static void take_document(const alone *a, const lc_rpc_schema *one)
{
    lc_arena *arena = lc_arena_new();
    bool *taken = lc_arena_zalloc(arena, one->types.count + 1);
    for (size_t i = 0; i < one->types.count; i++) {
        lc_rpc_type *type = &one->types.items[i];
        bool none = !lc_rpc_type_schema(type);
        taken[i] = none || is_at_fault(type);
        if (taken[i] && !none)
            take_one(a, type);
    }
    take_rest(a, one, taken);
    lc_arena_free(arena);
}

void lc_rpc_schemas_of_providers(const lc_rpc_schemas *schemas, lc_take_case take, void *context)
{
    alone a = {schemas, take, context};
    for (size_t i = 0; i < schemas->count; i++) {
        const lc_rpc_schema *one = &schemas->all[i];
        for (size_t k = 0; k < one->types.count; k++) {
            lc_rpc_type *type = &one->types.items[k];
            if (type->kind == LC_KIND_PROVIDER && !one->provider_missing &&
                lc_rpc_type_schema(type) && is_at_fault(type))
                take_one(&a, type);
        }
    }
}

void lc_rpc_schemas_alone(const lc_rpc_schemas *schemas, lc_take_case take, void *context)
{
    alone a = {schemas, take, context};
    for (size_t i = 0; i < schemas->count; i++)
        take_document(&a, &schemas->all[i]);
}
