/* A log without the values of its calls: violations that the core reports, and diagnostics. Of all
 * other calls only the outcome is known. */
#include "lifecheck/recording/capture.h"
#include "lifecheck/recording/log_findings.h"
#include "lifecheck/scenario/evidence.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

#include <string.h>

typedef struct alone {
    lc_arena *arena;
    lc_str file;
    lc_schemas schemas;
    lc_log log;
    lc_take_case take;
    void *context;
} alone;

/* NULL is not an error here: messages of the core can be judged without a schema. */
static const lc_schema *schema_of(alone *a, lc_schema_kind kind, lc_str provider, lc_str type)
{
    lc_diags quiet;
    lc_diags_init(&quiet, a->arena);
    return lc_schemas_get(&a->schemas, kind, provider, type, (lc_loc){a->file, 1, 1}, &quiet);
}

static const lc_schema *schema_of_type(void *context, lc_str provider, lc_str type)
{
    return schema_of(context, LC_KIND_RESOURCE, provider, type);
}

/* A log does not name the instance of a call; the request ID distinguishes calls. */
static lc_str name_of(lc_arena *arena, const lc_log_call *call)
{
    return lc_str_printf(arena, "%.*s (request %.*s)", LC_FMT(call->type), LC_FMT(call->id));
}

static void add_case(const alone *a, const lc_log_call *logged, const lc_schema *schema,
                     lc_pj_rpc rpc)
{
    lc_arena *arena = lc_arena_new();
    lc_scenario *s = LC_NEW(arena, lc_scenario);
    lc_run *run = LC_PUSH(arena, &s->subject.runs, lc_run);
    lc_call *call = LC_PUSH(arena, &run->calls, lc_call);
    s->subject.source = LC_SOURCE_LOG;
    s->subject.file = a->file;
    s->subject.document = 1;
    s->subject.type = logged->type;
    s->subject.name = s->subject.resource = name_of(arena, logged);
    s->subject.loc = run->loc = logged->loc;
    s->expects = LC_NEW_ARRAY(arena, lc_expectation, 1);
    memset(s->expects, 0, sizeof *s->expects);
    run->schema = schema ? schema : lc_no_schema(arena, logged->type);
    run->schema_unknown = run->only_answers = !schema;
    run->deposed = LC_STR_EMPTY;
    run->capabilities = a->log.provider;
    run->capabilities.deferral_allowed = logged->client.deferral_allowed;
    lc_pj_call_begin(call, rpc, logged->loc);
    call->index = 1;
    lc_log_call_set(call, arena, logged);
    call->legacy = logged->legacy ? LC_YES : LC_NOT_KNOWN;
    a->take(a->context, s);
    lc_arena_free(arena);
}

/* ---- All other calls form one case: that there was a response, and how they ended. */

typedef struct whole {
    lc_arena *arena;
    lc_run run;
    size_t calls;
    bool seen[LC_CALL_KIND_COUNT];
} whole;

/* Of calls without diagnostics or deferral the first one of each kind represents all. */
static void take_answer(whole *w, const lc_log_call *logged, lc_pj_rpc rpc)
{
    lc_call call;
    w->calls++;
    lc_pj_call_begin(&call, rpc, logged->loc);
    if (logged->diagnostics.count == 0 && !logged->deferred && w->seen[call.kind])
        return;
    w->seen[call.kind] |= logged->answered;
    call.index = (uint32_t)w->run.calls.count + 1;
    call.deferral_allowed = logged->client.deferral_allowed;
    lc_log_call_set(&call, w->arena, logged);
    *LC_PUSH(w->arena, &w->run.calls, lc_call) = call;
}

/* Without a schema the paths of diagnostics cannot be checked, but an invalid severity can. */
static bool has_no_severity(const lc_log_call *logged)
{
    for (size_t i = 0; i < logged->diagnostics.count; i++) {
        if (logged->diagnostics.items[i].severity == LC_SEVERITY_INVALID)
            return true;
    }
    return false;
}

static void take_call(alone *a, whole *w, const lc_log_call *logged)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(logged->rpc);
    const lc_schema *schema = NULL;
    if (rpc < LC_PJ_UPGRADE || rpc == LC_PJ_LIST)
        return;
    if (logged->diagnostics.count)
        schema = schema_of(a, lc_pj_kind_of(rpc), logged->provider, logged->type);
    if (schema || has_no_severity(logged))
        add_case(a, logged, schema, rpc);
    else
        take_answer(w, logged, rpc);
}

static void add_whole(const alone *a, whole *w)
{
    lc_scenario *s = LC_NEW(w->arena, lc_scenario);
    lc_str name = lc_str_printf(w->arena, "%zu call%s", w->calls, w->calls == 1 ? "" : "s");
    s->subject.source = LC_SOURCE_LOG;
    s->subject.file = a->file;
    s->subject.document = 1;
    s->subject.name = s->subject.resource = name;
    s->subject.type = LC_STR_EMPTY;
    s->subject.loc = w->run.loc = w->run.calls.items[0].loc;
    s->expects = LC_NEW_ARRAY(w->arena, lc_expectation, 1);
    memset(s->expects, 0, sizeof *s->expects);
    w->run.schema = lc_no_schema(w->arena, LC_STR_EMPTY);
    w->run.schema_unknown = true;
    w->run.only_answers = !a->log.unclear;
    w->run.deposed = LC_STR_EMPTY;
    w->run.capabilities = a->log.provider;
    *LC_PUSH(w->arena, &s->subject.runs, lc_run) = w->run;
    a->take(a->context, s);
}

void lc_log_alone_read(lc_arena *arena, lc_schema_store *store, lc_str file, lc_str text,
                       const lc_capture_options *options, lc_diags *diags,
                       void (*take)(void *context, lc_scenario *scenario), void *context)
{
    alone *a = LC_NEW(arena, alone);
    *a = (alone){.arena = arena, .file = file, .take = take, .context = context};
    lc_schemas_open(&a->schemas, arena, store, file, options, diags);
    lc_log_init(&a->log, arena);
    lc_log_read(&a->log, arena, file, text, &store->limits, diags);
    bool empty = a->log.calls.count == 0 && a->log.logged.list.count == 0;
    if (empty && !lc_looks_like_log(text))
        lc_diag_error(diags, (lc_loc){file, 1, 1},
                      "this is not a line of a log: leave out --input, or give what TF_LOG=JSON "
                      "writes");
    else if (empty)
        lc_diag_warning(diags, (lc_loc){file, 1, 1},
                        "this log has no line of the provider protocol and no violation; "
                        "TF_LOG=JSON writes them");
    lc_log_summarize(&a->log, options->used, file);
    whole w = {.arena = lc_arena_new()};
    for (size_t i = 0; i < a->log.calls.count; i++)
        take_call(a, &w, a->log.calls.items[i]);
    lc_log_findings_rest(&a->log.logged, file, schema_of_type, a, take, context);
    if (w.calls)
        add_whole(a, &w);
    lc_arena_free(w.arena);
}

/* ---- Detection: `{"@...` of a JSON log, `TIME [LEVEL]` of a string log. */

static bool is_time(lc_str s)
{
    static const char shape[] = "9999-99-99T99:99:99";
    for (size_t i = 0; i < sizeof shape - 1; i++) {
        bool digit = i < s.len && lc_is_digit(s.ptr[i]);
        if (i >= s.len || (shape[i] == '9' ? !digit : s.ptr[i] != shape[i]))
            return false;
    }
    return true;
}

bool lc_looks_like_log(lc_str text)
{
    size_t end = 0;
    text = lc_without_bom(text);
    while (end < text.len && end < 4096 && text.ptr[end] != '\n')
        end++;
    lc_str line = lc_str_sub(text, 0, end);
    if (lc_str_starts_with(line, LC_STR("{\"@")))
        return lc_log_contains(line, "\"@level\":") || lc_log_contains(line, "\"@message\":");
    return is_time(line) && lc_log_contains(line, " [") && lc_log_contains(line, "]");
}
