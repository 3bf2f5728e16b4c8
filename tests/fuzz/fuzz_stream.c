/* Recorded calls: any bytes are taken or refused. Laws: wherever the stream is cut, and whether
 * lines come as text or as nodes, the same cases come out, with the same diagnostics; each has a
 * schema and calls numbered from 1; judging them finds nothing twice. Types of a document that is
 * there from the beginning need no schema call. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/recording/recording.h"
#include "small_schemas.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct outcome {
    size_t cases, calls, findings, diags, errors, methods;
    lc_arena *report, *scratch;
} outcome;

static lc_limits small_limits(void)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.nodes = 100000;
    limits.digits = 1000;
    return limits;
}

/* Read once: what is done most is done least. */
static lc_schema_doc *document(void)
{
    static lc_schema_doc *doc;
    if (!doc) {
        lc_arena *arena = lc_arena_new();
        lc_limits limits = LC_LIMITS_DEFAULT;
        lc_diags diags;
        lc_diags_init(&diags, arena);
        LC_ASSERT(lc_schema_doc_from_text(&doc, arena, LC_STR("small.json"),
                                          lc_str_from_c(small_schemas), &limits, &diags) == LC_OK);
    }
    return doc;
}

static void check_run(const lc_run *run, outcome *out)
{
    LC_ASSERT(run->schema);
    for (size_t i = 0; i < run->calls.count; i++) {
        LC_ASSERT(run->calls.items[i].index == i + 1);
        out->calls += run->calls.items[i].kind != LC_CALL_SCHEMA; /* of a schema call that failed */
    }
}

static void take(void *context, lc_scenario *scenario)
{
    outcome *out = context;
    lc_case *c = &scenario->subject;
    lc_judgement judgement;
    LC_ASSERT(c->runs.count > 0 && c->name.len > 0);
    for (size_t i = 0; i < c->runs.count; i++)
        check_run(&c->runs.items[i], out);
    lc_case_judge(&judgement, out->report, out->scratch, c);
    out->cases++;
    out->findings += judgement.findings.count;
    lc_arena_reset(out->scratch);
}

/* A line is given as nodes if it is JSON. */
static void give_line(lc_stream *stream, lc_str text, size_t from, size_t to)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = small_limits();
    lc_source source;
    lc_diags quiet;
    lc_str line = lc_str_sub(text, from, to);
    lc_diags_init(&quiet, arena);
    if (lc_json_parse(&source, arena, LC_STR("line"), line, &limits, &quiet) == LC_OK)
        lc_stream_call(stream, source.documents, line);
    else
        lc_stream_bytes(stream, lc_str_sub(text, from, to < text.len ? to + 1 : to));
    lc_arena_free(arena);
}

/* `piece` 0: line by line, as nodes. */
static void give(lc_stream *stream, lc_str text, size_t piece)
{
    for (size_t at = 0, next; at < text.len; at = next) {
        size_t end = piece ? 0 : lc_str_find(text, at, '\n');
        next = piece ? at + piece : end + 1;
        if (piece)
            lc_stream_bytes(stream, lc_str_sub(text, at, next < text.len ? next : text.len));
        else
            give_line(stream, text, at, end);
    }
}

static outcome read_in_pieces(lc_str text, size_t piece)
{
    lc_arena *arena = lc_arena_new(), *stored = lc_arena_new();
    lc_schema_store store;
    lc_diags diags;
    outcome out = {.report = lc_arena_new(), .scratch = lc_arena_new()};
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, stored, small_limits());
    lc_stream *stream = lc_stream_open(arena, &store, LC_STR("fuzz.jsonl"), &diags, take, &out);
    lc_stream_schema(stream, document());
    give(stream, text, piece);
    lc_stream_stats stats = lc_stream_end(stream);
    LC_ASSERT(out.calls == stats.calls);
    out.methods = stats.methods;
    out.diags = diags.count;
    out.errors = diags.errors;
    lc_arena_free(out.report);
    lc_arena_free(out.scratch);
    lc_arena_free(arena);
    lc_arena_free(stored);
    return out;
}

static void expect_same(const outcome *whole, outcome other)
{
    LC_ASSERT(whole->cases == other.cases && whole->calls == other.calls &&
              whole->findings == other.findings && whole->methods == other.methods);
    LC_ASSERT(whole->diags == other.diags && whole->errors == other.errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_str text = {(const char *)data, size};
    lc_looks_like_rpc(text);
    lc_json_evidence(text);
    outcome whole = read_in_pieces(text, size ? size : 1);
    if (size < 2)
        return 0;
    expect_same(&whole, read_in_pieces(text, size > 100000 ? 4096 : size < 64 ? 1 : 7));
    expect_same(&whole, read_in_pieces(text, 0));
    return 0;
}
