/* Promises that a log says were broken: shown to the instances whose values may tell the same, and
 * cases of their own where none do. */
#include "input/told.h"

#include "lifecheck/arena.h"

#include <string.h>

typedef struct lc_told_list {
    LC_VEC(lc_told *) list;
    bool shown; /* to a run: the recording has calls of this type */
} lc_told_list;

void lc_told_init(lc_told_set *set, lc_arena *arena)
{
    *set = (lc_told_set){.arena = arena};
    lc_table_init(&set->by_type, arena);
    lc_table_init(&set->by_address, arena);
    lc_table_init(&set->known, arena);
}

static void add_to(lc_told_set *set, lc_table *table, lc_str key, lc_told *told)
{
    lc_told_list *found = lc_table_get(table, key);
    if (!found) {
        found = LC_NEW(set->arena, lc_told_list);
        lc_table_put(table, key, found);
    }
    *LC_PUSH(set->arena, &found->list, lc_told *) = told;
}

/* The same call of the same instance is often planned twice, and logged twice. */
static lc_str identity_of(lc_arena *arena, const lc_told *told)
{
    return lc_str_printf(arena, "%d %d %d %.*s %.*s", (int)told->rule, (int)told->call,
                         told->family, LC_FMT(told->core_path), LC_FMT(told->address));
}

/* Is there one of the same call and instance that says which promise it was? */
static bool is_told_better(const lc_told_set *set, const lc_told *told)
{
    const lc_told_list *list = lc_table_get(&set->by_address, told->address);
    for (size_t i = 0; told->family && i < list->list.count; i++) {
        const lc_told *other = list->list.items[i];
        if (!other->family && other->call == told->call && other->effect == told->effect)
            return true;
    }
    return false;
}

void lc_told_add(lc_told_set *set, const lc_told *told)
{
    lc_str identity = identity_of(set->arena, told);
    if (lc_table_get(&set->known, identity))
        return;
    lc_told *copy = LC_NEW(set->arena, lc_told);
    *copy = *told;
    lc_table_put(&set->known, identity, copy);
    *LC_PUSH(set->arena, &set->list, lc_told *) = copy;
    add_to(set, &set->by_type, copy->type, copy);
    add_to(set, &set->by_address, copy->address, copy);
}

void lc_told_show(const lc_told_set *set, lc_run *run, lc_str type)
{
    lc_told_list *told = lc_table_get(&set->by_type, type);
    if (!told)
        return;
    told->shown = true;
    run->told = told->list.items;
    run->told_count = told->list.count;
}

/* ---- The rest. */

/* What lies beside a recording may be of another run. */
static bool is_of_another_run(const lc_told_set *set, const lc_told *told)
{
    const lc_told_list *same = lc_table_get(&set->by_type, told->type);
    return told->beside && !same->shown;
}

typedef struct rest {
    lc_told_set *set;
    lc_str file;
    const lc_schema *(*schema_of)(void *context, lc_str provider, lc_str type);
    void *schemas;
} rest;

const lc_schema *lc_no_schema(lc_arena *arena, lc_str type)
{
    static const char text[] = "{\"version\":0,\"block\":{}}";
    const lc_schema *schema = NULL;
    lc_source *source = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    if (lc_json_parse(source, arena, LC_STR_EMPTY, lc_str_from_c(text), &limits, &quiet) == LC_OK)
        lc_schema_from_node(&schema, arena, source, &source->documents[0], LC_KIND_RESOURCE, type,
                            &quiet);
    return schema;
}

/* The call that it is said of: of the call itself the log has nothing that is judged here. */
static void add_call(lc_run *run, lc_arena *arena, const lc_told *told)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == told->call)
            return;
    }
    lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
    call->kind = told->call;
    call->index = (uint32_t)run->calls.count;
    call->loc = told->loc;
    call->deposed = LC_STR_EMPTY;
    call->legacy = told->effect == LC_EFFECT_TOLERATED ? LC_YES : LC_NOT_KNOWN;
}

static void fill_run(lc_run *run, const rest *r, lc_arena *arena, size_t first)
{
    const lc_told *head = r->set->list.items[first];
    const lc_told_list *same = lc_table_get(&r->set->by_address, head->address);
    LC_VEC(lc_told *) mine = {0};
    for (size_t i = 0; i < same->list.count; i++) {
        lc_told *told = same->list.items[i];
        if (told->judged || is_told_better(r->set, told) || is_of_another_run(r->set, told))
            continue;
        *LC_PUSH(arena, &mine, lc_told *) = told;
        add_call(run, arena, told);
        told->judged = true;
    }
    run->loc = head->loc;
    run->deposed = LC_STR_EMPTY;
    run->only_told = true;
    run->told = mine.items;
    run->told_count = mine.count;
}

/* Without a schema every place may be a secret, the keys of maps among them. */
static lc_scenario *make_case(const rest *r, lc_arena *arena, size_t first)
{
    const lc_told *head = r->set->list.items[first];
    lc_str type = head->type;
    lc_scenario *s = LC_NEW(arena, lc_scenario);
    lc_run *run = LC_PUSH(arena, &s->subject.runs, lc_run);
    s->subject.source = LC_SOURCE_LOG;
    s->subject.file = r->file;
    s->subject.document = 1;
    s->subject.type = type;
    s->subject.name = s->subject.resource = head->address;
    s->subject.loc = head->loc;
    s->expects = LC_NEW_ARRAY(arena, lc_expectation, 1);
    memset(s->expects, 0, sizeof *s->expects);
    run->schema = r->schema_of(r->schemas, head->provider, type);
    run->schema_unknown = !run->schema;
    if (!run->schema) {
        run->schema = lc_no_schema(arena, type);
        *LC_PUSH(arena, &s->subject.sensitive, lc_path) = LC_PATH_ROOT;
    }
    fill_run(run, r, arena, first);
    return s;
}

void lc_told_rest(lc_told_set *set, lc_str file,
                  const lc_schema *(*schema_of)(void *context, lc_str provider, lc_str type),
                  void *schemas, lc_take_case take, void *context)
{
    rest r = {set, file, schema_of, schemas};
    for (size_t i = 0; i < set->list.count; i++) {
        const lc_told *told = set->list.items[i];
        if (told->judged || is_told_better(set, told) || is_of_another_run(set, told))
            continue;
        lc_arena *arena = lc_arena_new();
        take(context, make_case(&r, arena, i));
        lc_arena_free(arena);
    }
}
