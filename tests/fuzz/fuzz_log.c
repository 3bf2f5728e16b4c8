/* Logs: any bytes are taken or refused. Laws: each case has a schema and findings with a place
 * inside the text, and every violation that the core reports becomes a finding of one case only. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/recording/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t count_lines(lc_str text)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return lines;
}

static void take(void *context, lc_scenario *scenario)
{
    const uint32_t *lines = context;
    lc_case *c = &scenario->subject;
    lc_judgement judgement;
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    LC_ASSERT(c->runs.count == 1 && c->runs.items[0].schema && c->runs.items[0].calls.count > 0);
    lc_case_judge(&judgement, report, scratch, c);
    LC_ASSERT(!c->runs.items[0].only_logged || judgement.findings.count > 0);
    for (size_t i = 0; i < judgement.findings.count; i++) {
        lc_loc loc = judgement.findings.items[i].loc;
        LC_ASSERT(loc.line > 0 && loc.line <= *lines && loc.column > 0);
    }
    lc_arena_free(report);
    lc_arena_free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_str text = {(const char *)data, size};
    lc_arena *arena = lc_arena_new(), *stored = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_used used = {.arena = arena};
    lc_capture_options options = {.log = LC_STR_EMPTY, .new_state = LC_STR_EMPTY, .used = &used};
    lc_schema_store store;
    lc_diags diags;
    uint32_t lines = count_lines(text);
    limits.nodes = 100000;
    limits.digits = 1000;
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, stored, limits);
    lc_looks_like_log(text);
    lc_log_alone_read(arena, &store, LC_STR("fuzz.log"), text, &options, &diags, take, &lines);
    lc_arena_free(arena);
    lc_arena_free(stored);
    return 0;
}
