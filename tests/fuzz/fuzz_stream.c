/* Recorded calls: any bytes are taken or refused. Laws: wherever the stream is cut, the same cases
 * come out; each has a schema and calls numbered from 1; judging them finds nothing twice. */
#include "lifecheck/arena.h"
#include "lifecheck/bug.h"
#include "lifecheck/contract.h"
#include "lifecheck/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct outcome {
    size_t cases, calls, findings;
} outcome;

static void take(void *context, lc_scenario *scenario)
{
    outcome *out = context;
    lc_case *c = &scenario->subject;
    lc_judgement judgement;
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    LC_ASSERT(c->runs.count == 1 && c->runs.items[0].schema && c->name.len > 0);
    for (size_t i = 0; i < c->runs.items[0].calls.count; i++)
        LC_ASSERT(c->runs.items[0].calls.items[i].index == i + 1);
    lc_case_judge(&judgement, report, scratch, c);
    out->cases++;
    out->calls += c->runs.items[0].calls.count;
    out->findings += judgement.findings.count;
    lc_arena_free(report);
    lc_arena_free(scratch);
}

static outcome read_in_pieces(lc_str text, size_t piece)
{
    lc_arena *arena = lc_arena_new(), *stored = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_schema_store store;
    lc_diags diags;
    outcome out = {0, 0, 0};
    limits.nodes = 100000;
    limits.digits = 1000;
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, stored, limits);
    lc_stream *stream = lc_stream_open(arena, &store, LC_STR("fuzz.jsonl"), &diags, take, &out);
    for (size_t at = 0; at < text.len; at += piece)
        lc_stream_bytes(stream,
                        lc_str_sub(text, at, text.len - at < piece ? text.len : at + piece));
    lc_stream_stats stats = lc_stream_end(stream);
    LC_ASSERT(out.calls == stats.calls);
    lc_arena_free(arena);
    lc_arena_free(stored);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_str text = {(const char *)data, size};
    lc_looks_like_rpc(text);
    lc_json_evidence(text);
    outcome whole = read_in_pieces(text, size ? size : 1);
    outcome cut = read_in_pieces(text, size > 100000 ? 4096 : 7);
    LC_ASSERT(whole.cases == cut.cases && whole.calls == cut.calls &&
              whole.findings == cut.findings);
    return 0;
}
