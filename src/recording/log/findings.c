/* Violations that a log reports. They are given to instances whose values may show the same, and
 * become separate cases if no values show them. */
#include "lifecheck/recording/log_findings.h"

#include "lifecheck/base/arena.h"

#include <string.h>

typedef struct lc_logged_list {
    LC_VEC(lc_logged *) list;
    bool shown; /* given to a run, so the recording has calls of this type */
} lc_logged_list;

void lc_log_findings_init(lc_log_findings *set, lc_arena *arena)
{
    *set = (lc_log_findings){.arena = arena};
    lc_table_init(&set->by_type, arena);
    lc_table_init(&set->by_address, arena);
    lc_table_init(&set->known, arena);
}

static void add_to(lc_log_findings *set, lc_table *table, lc_str key, lc_logged *logged)
{
    lc_logged_list *found = lc_table_get(table, key);
    if (!found) {
        found = LC_NEW(set->arena, lc_logged_list);
        lc_table_put(table, key, found);
    }
    *LC_PUSH(set->arena, &found->list, lc_logged *) = logged;
}

/* Core often plans an instance twice, and then logs the same twice. */
static lc_str identity_of(lc_arena *arena, const lc_logged *logged)
{
    return lc_str_printf(arena, "%d %d %d %.*s %.*s", (int)logged->rule, (int)logged->call,
                         logged->family, LC_FMT(logged->core_path), LC_FMT(logged->address));
}

/* Is there a finding of the same call and instance that names the exact rule? */
static bool is_reported_better(const lc_log_findings *set, const lc_logged *logged)
{
    const lc_logged_list *list = lc_table_get(&set->by_address, logged->address);
    for (size_t i = 0; logged->family && i < list->list.count; i++) {
        const lc_logged *other = list->list.items[i];
        if (!other->family && other->call == logged->call && other->effect == logged->effect)
            return true;
    }
    return false;
}

void lc_log_findings_add(lc_log_findings *set, const lc_logged *logged)
{
    lc_str identity = identity_of(set->arena, logged);
    if (lc_table_get(&set->known, identity))
        return;
    lc_logged *copy = LC_NEW(set->arena, lc_logged);
    *copy = *logged;
    lc_table_put(&set->known, identity, copy);
    *LC_PUSH(set->arena, &set->list, lc_logged *) = copy;
    add_to(set, &set->by_type, copy->type, copy);
    add_to(set, &set->by_address, copy->address, copy);
}

void lc_log_findings_show(const lc_log_findings *set, lc_run *run, lc_str type)
{
    lc_logged_list *logged = lc_table_get(&set->by_type, type);
    if (!logged)
        return;
    logged->shown = true;
    run->logged = logged->list.items;
    run->logged_count = logged->list.count;
}

/* ---- The rest. */

/* A file next to a recording may belong to another run, unless the recording has calls of the type.
 */
static bool is_of_another_run(const lc_log_findings *set, const lc_logged *logged)
{
    const lc_logged_list *same = lc_table_get(&set->by_type, logged->type);
    return logged->beside && !same->shown;
}

typedef struct rest {
    lc_log_findings *set;
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

/* Adds the call that the log is about. Only the log's finding is known about it. */
static void add_call(lc_run *run, lc_arena *arena, const lc_logged *logged)
{
    if (lc_run_call(run, logged->call))
        return;
    lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
    call->kind = logged->call;
    call->index = (uint32_t)run->calls.count;
    call->loc = logged->loc;
    call->deposed = LC_STR_EMPTY;
    call->legacy = logged->effect == LC_EFFECT_TOLERATED ? LC_YES : LC_NOT_KNOWN;
}

static void fill_run(lc_run *run, const rest *r, lc_arena *arena, size_t first)
{
    const lc_logged *head = r->set->list.items[first];
    const lc_logged_list *same = lc_table_get(&r->set->by_address, head->address);
    LC_VEC(lc_logged *) mine = {0};
    for (size_t i = 0; i < same->list.count; i++) {
        lc_logged *logged = same->list.items[i];
        if (logged->judged || is_reported_better(r->set, logged) ||
            is_of_another_run(r->set, logged))
            continue;
        *LC_PUSH(arena, &mine, lc_logged *) = logged;
        add_call(run, arena, logged);
        logged->judged = true;
    }
    run->loc = head->loc;
    run->deposed = LC_STR_EMPTY;
    run->only_logged = true;
    run->logged = mine.items;
    run->logged_count = mine.count;
}

/* Without a schema any place may be sensitive, even map keys, so the whole object counts as such.
 */
static lc_scenario *make_case(const rest *r, lc_arena *arena, size_t first)
{
    const lc_logged *head = r->set->list.items[first];
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

void lc_log_findings_rest(lc_log_findings *set, lc_str file,
                          const lc_schema *(*schema_of)(void *context, lc_str provider,
                                                        lc_str type),
                          void *schemas, lc_take_case take, void *context)
{
    rest r = {set, file, schema_of, schemas};
    for (size_t i = 0; i < set->list.count; i++) {
        const lc_logged *logged = set->list.items[i];
        if (logged->judged || is_reported_better(set, logged) || is_of_another_run(set, logged))
            continue;
        lc_arena *arena = lc_arena_new();
        take(context, make_case(&r, arena, i));
        lc_arena_free(arena);
    }
}
