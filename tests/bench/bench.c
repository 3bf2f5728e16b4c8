/* What things cost: processor time of one thread and memory, next to the libraries' own parsers.
 *
 *   bench VECTORS-DIR LIFECHECK
 *
 * Prints a table; judges nothing. Ratios are made of figures of the same run. */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/contract/contract.h"
#include "lifecheck/plan_rules/plan_rules.h"
#include "lifecheck/yaml_json/node.h"

#include <cJSON.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 1.0

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const lc_schema *schema_of(lc_arena *arena, const lc_source *source, const lc_node *node)
{
    lc_diags diags;
    const lc_schema *schema = NULL;
    lc_diags_init(&diags, arena);
    lc_schema_from_node(&schema, arena, source, node, LC_KIND_RESOURCE, LC_STR_EMPTY, &diags);
    return schema;
}

/* ---- Lines of recorded verdicts: decode and check for both cores. */

typedef struct line {
    const lc_schema *schema;
    lc_str bytes[3];
} line;

typedef LC_VEC(line) line_list;

static void add_line(line_list *lines, lc_arena *arena, lc_str text, bool plan)
{
    static const char *const of_plan[] = {"prior", "config", "planned"};
    static const char *const of_apply[] = {"planned", "actual"};
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, arena);
    if (lc_json_parse(&source, arena, LC_STR("line"), text, &limits, &diags) != LC_OK)
        return;
    const lc_node *root = &source.documents[0];
    line *out = LC_PUSH(arena, lines, line);
    out->schema = schema_of(arena, &source, lc_node_get(root, "schema"));
    for (int i = 0; i < (plan ? 3 : 2); i++) {
        size_t at;
        const lc_node *node = lc_node_get(root, plan ? of_plan[i] : of_apply[i]);
        lc_base64_decode(&out->bytes[i], arena, node->as.text, &at);
    }
}

/* A call of its own, so that valgrind counts it alone. */
__attribute__((noinline)) static void judge_line(lc_arena *scratch, const line *l, bool plan,
                                                 bool check)
{
    const lc_value *v[3];
    lc_wire_result result;
    lc_core_errors errors[LC_CORE_COUNT];
    const lc_block *block = l->schema->block;
    bool ok = true;
    lc_arena_reset(scratch);
    lc_decoder *decoder = lc_decoder_new(scratch);
    for (int i = 0; i < (plan ? 3 : 2) && ok; i++)
        ok = lc_decode_msgpack(&v[i], decoder, l->bytes[i], block->implied, &result);
    lc_decoder_free(decoder);
    if (!ok)
        return;
    if (check && plan)
        lc_core_plan_valid(errors, scratch, block, v[0], v[1], v[2]);
    else if (check)
        lc_core_compatible(errors, scratch, block, v[0], v[1], false);
}

static double time_lines(lc_arena *scratch, const line_list *lines, bool plan, bool check)
{
    double start = cpu();
    size_t rounds = 0;
    do {
        for (size_t i = 0; i < lines->count; i++)
            judge_line(scratch, &lines->items[i], plan, check);
        rounds++;
    } while (cpu() - start < SECONDS);
    return (cpu() - start) / (double)rounds / (double)lines->count * 1e6;
}

static void bench_lines(const char *dir, const char *name, bool plan)
{
    lc_arena *arena = lc_arena_new(), *scratch = lc_arena_new();
    lc_diags diags;
    lc_str text, file = lc_str_printf(arena, "%s/%s.jsonl", dir, name);
    line_list lines = {0};
    lc_diags_init(&diags, arena);
    if (lc_file_read(&text, arena, file, LC_MAX_INPUT_BYTES, &diags) == LC_OK) {
        for (size_t from = 0; from < text.len;) {
            const char *end = memchr(text.ptr + from, '\n', text.len - from);
            size_t to = end ? (size_t)(end - text.ptr) : text.len;
            add_line(&lines, arena, lc_str_sub(text, from, to), plan);
            from = to + 1;
        }
    } else
        fprintf(stderr, "bench: %.*s cannot be read\n", LC_FMT(file));
    if (lines.count)
        printf("%-28s %8.2f us a line, of which decoding %.2f us (%zu lines, both cores)\n", name,
               time_lines(scratch, &lines, plan, true), time_lines(scratch, &lines, plan, false),
               lines.count);
    lc_arena_free(scratch);
    lc_arena_free(arena);
}

/* ---- Many objects. */

typedef struct shape {
    const char *mode; /* list or set */
    bool block, unknown;
    size_t count;
} shape;

static lc_str objects(lc_arena *arena, const shape *s, bool unknown)
{
    lc_buf buf = {0};
    size_t n = s->count;
    char head[8] = {(char)0x81,      (char)0xA1,     'x',    (char)0xDD, (char)(n >> 24),
                    (char)(n >> 16), (char)(n >> 8), (char)n};
    lc_buf_add(&buf, head, sizeof head);
    for (size_t i = 0; i < n; i++) {
        lc_buf_add(&buf, "\x84\xA2id", 4);
        if (unknown)
            lc_buf_add(&buf, "\xD4\0\0", 3);
        else
            lc_buf_printf(&buf, "\xAAid%08zu", i);
        lc_buf_printf(&buf, "\xA4name\xACname%08zu\xA2on\xC3\xA4port", i * 7919 % n);
        char port[3] = {(char)0xCD, (char)(i % 60000 >> 8), (char)(i % 60000)};
        lc_buf_add(&buf, port, sizeof port);
    }
    lc_str bytes = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return bytes;
}

static const lc_schema *shape_schema(lc_arena *arena, const shape *s)
{
    static const char block[] =
        "{\"version\":0,\"block\":{\"block_types\":{\"x\":{\"nesting_mode\":\"%s\",\"block\":{"
        "\"attributes\":{\"id\":{\"type\":\"string\",\"computed\":true},\"name\":{\"type\":"
        "\"string\",\"required\":true},\"on\":{\"type\":\"bool\",\"required\":true},\"port\":{"
        "\"type\":\"number\",\"required\":true}}}}}}}";
    static const char attribute[] =
        "{\"version\":0,\"block\":{\"attributes\":{\"x\":{\"optional\":true,\"computed\":true,"
        "\"type\":[\"%s\",[\"object\",{\"id\":\"string\",\"name\":\"string\",\"on\":\"bool\","
        "\"port\":\"number\"}]]}}}}";
    lc_buf text = {0};
    const char *format = s->block ? block : attribute, *hole = strstr(format, "%s");
    lc_buf_add(&text, format, (size_t)(hole - format));
    lc_buf_add_c(&text, s->mode);
    lc_buf_add_c(&text, hole + 2);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, arena);
    lc_json_parse(&source, arena, LC_STR("schema"), lc_buf_copy(arena, &text), &limits, &diags);
    lc_buf_release(&text);
    return schema_of(arena, &source, &source.documents[0]);
}

typedef struct cost {
    double decode, compatible, plan, total; /* milliseconds */
    double memory;                          /* of decoded values, times the bytes */
} cost;

static cost measure(const shape *s)
{
    lc_arena *arena = lc_arena_new(), *scratch = lc_arena_new();
    const lc_schema *schema = shape_schema(arena, s);
    const lc_type *type = schema->block->implied;
    lc_str planned = objects(arena, s, s->unknown), actual = objects(arena, s, false);
    const lc_value *config, *n, *a;
    lc_wire_result result;
    lc_core_errors errors[LC_CORE_COUNT];
    lc_value null;
    lc_value_set_null(&null, type);
    double start = cpu();
    /* Without a memory, else the second of them costs nothing. */
    lc_msgpack_decode(&config, scratch, planned, type, &result);
    lc_msgpack_decode(&n, scratch, planned, type, &result);
    lc_msgpack_decode(&a, scratch, actual, type, &result);
    double decoded = cpu();
    cost c = {.memory = (double)lc_arena_used(scratch) / (double)(2 * planned.len + actual.len)};
    lc_core_compatible(errors, scratch, schema->block, n, a, false);
    double compared = cpu();
    lc_core_plan_valid(errors, scratch, schema->block, &null, config, n);
    double end = cpu();
    c.decode = (decoded - start) * 1e3;
    c.compatible = (compared - decoded) * 1e3;
    c.plan = (end - compared) * 1e3;
    c.total = (end - start) * 1e3;
    lc_arena_free(scratch);
    lc_arena_free(arena);
    return c;
}

/* The best of five: the others were disturbed. */
static double bench_shape(const shape *s)
{
    cost best = measure(s);
    for (int i = 1; i < 5; i++) {
        cost c = measure(s);
        if (c.total < best.total)
            best = c;
    }
    printf(
        "%s %-9s %-7s %7zu   decode %7.1f ms (memory %.1fx)  compatible %7.1f ms  plan %7.1f ms\n",
        s->mode, s->block ? "block" : "attribute", s->unknown ? "unknown" : "known", s->count,
        best.decode, best.memory, best.compatible, best.plan);
    return best.total;
}

static void bench_shapes(void)
{
    for (int block = 0; block < 2; block++) {
        for (int unknown = 0; unknown < 2; unknown++) {
            shape s = {"set", block, unknown, 10000};
            double few = bench_shape(&s);
            s.count = 100000;
            printf("    ten times the elements: %.1f times the time\n", bench_shape(&s) / few);
        }
    }
    bench_shape(&(shape){"list", true, false, 100000});
    bench_shape(&(shape){"list", true, true, 100000});
}

/* ---- Parsers side by side. */

static double rate(size_t bytes, size_t rounds, double seconds)
{
    return (double)bytes * (double)rounds / seconds / 1e6;
}

static void bench_msgpack(void)
{
    lc_arena *arena = lc_arena_new(), *scratch = lc_arena_new();
    shape s = {"list", true, false, 20000};
    const lc_schema *schema = shape_schema(arena, &s);
    lc_str bytes = objects(arena, &s, false);
    size_t ours = 0, theirs = 0;
    double start = cpu(), our_time, their_time;
    do {
        const lc_value *v;
        lc_wire_result result;
        lc_arena_reset(scratch);
        lc_msgpack_decode(&v, scratch, bytes, schema->block->implied, &result);
        ours++;
    } while ((our_time = cpu() - start) < SECONDS);
    double memory = (double)lc_arena_used(scratch) / (double)bytes.len;
    start = cpu();
    do {
        msgpack_unpacked unpacked;
        msgpack_unpacked_init(&unpacked);
        msgpack_unpack_next(&unpacked, bytes.ptr, bytes.len, NULL);
        msgpack_unpacked_destroy(&unpacked);
        theirs++;
    } while ((their_time = cpu() - start) < SECONDS);
    printf("msgpack decode   %7.0f MB/s, msgpack-c %.0f MB/s; memory %.1f times the bytes\n",
           rate(bytes.len, ours, our_time), rate(bytes.len, theirs, their_time), memory);
    lc_arena_free(scratch);
    lc_arena_free(arena);
}

static void bench_json(void)
{
    lc_arena *scratch = lc_arena_new();
    lc_buf text = {0};
    lc_buf_add_char(&text, '[');
    for (int i = 0; i < 20000; i++)
        lc_buf_printf(&text, "%s{\"id\":\"i-%08d\",\"name\":\"name %d\",\"on\":true,\"port\":%d}",
                      i ? "," : "", i, i, i);
    lc_buf_add_char(&text, ']');
    lc_buf_add_char(&text, '\0');
    lc_str json = {text.ptr, text.len - 1};
    lc_limits limits = LC_LIMITS_DEFAULT;
    size_t ours = 0, theirs = 0;
    double start = cpu(), our_time, their_time;
    do {
        lc_source source;
        lc_diags diags;
        lc_arena_reset(scratch);
        lc_diags_init(&diags, scratch);
        lc_json_parse(&source, scratch, LC_STR("json"), json, &limits, &diags);
        ours++;
    } while ((our_time = cpu() - start) < SECONDS);
    double memory = (double)(lc_arena_used(scratch) + json.len) / (double)json.len;
    start = cpu();
    do {
        cJSON_Delete(cJSON_Parse(text.ptr));
        theirs++;
    } while ((their_time = cpu() - start) < SECONDS);
    printf("JSON parse       %7.0f MB/s, cJSON     %.0f MB/s; memory with the text %.1f times the "
           "bytes\n",
           rate(json.len, ours, our_time), rate(json.len, theirs, their_time), memory);
    lc_buf_release(&text);
    lc_arena_free(scratch);
}

/* ---- A plan as JSON: judging it as a whole, against parsing it alone. */

#define CHANGES 50000

static void add_object(lc_buf *buf, const char *zone)
{
    lc_buf_printf(buf,
                  "{\"id\":\"d-1\",\"name\":\"a disk of some name\",\"rules\":[{\"cidr\":"
                  "\"10.0.0.0/8\",\"port\":80},{\"cidr\":\"10.0.0.0/8\",\"port\":443}],\"size\":1,"
                  "\"tags\":{\"env\":\"prod\",\"team\":\"blue\"},\"zone\":\"%s\"}",
                  zone);
}

static void add_head(lc_buf *buf, unsigned i)
{
    lc_buf_printf(buf,
                  "%s{\"address\":\"demo_disk.d[%u]\",\"mode\":\"managed\",\"type\":\"demo_disk\","
                  "\"name\":\"d\",\"index\":%u,\"provider_name\":\"example.test/demo/demo\",",
                  i ? "," : "", i, i);
}

static void add_tree(lc_buf *buf, const char *zone)
{
    for (unsigned i = 0; i < CHANGES; i++) {
        add_head(buf, i);
        lc_buf_add_c(buf, "\"schema_version\":0,\"sensitive_values\":{},\"values\":");
        add_object(buf, zone);
        lc_buf_add_char(buf, '}');
    }
}

static void make_plan(lc_buf *buf)
{
    lc_buf_add_c(buf, "{\"format_version\":\"1.2\",\"applyable\":true,\"complete\":true,"
                      "\"errored\":false,\"planned_values\":{\"root_module\":{\"resources\":[");
    add_tree(buf, "b");
    lc_buf_add_c(buf, "]}},\"resource_changes\":[");
    for (unsigned i = 0; i < CHANGES; i++) {
        add_head(buf, i);
        lc_buf_add_c(buf, "\"change\":{\"actions\":[\"update\"],\"before\":");
        add_object(buf, "a");
        lc_buf_add_c(buf, ",\"after\":");
        add_object(buf, "b");
        lc_buf_add_c(buf, ",\"after_unknown\":{},\"before_sensitive\":{},"
                          "\"after_sensitive\":{}}}");
    }
    lc_buf_add_c(buf, "],\"prior_state\":{\"values\":{\"root_module\":{\"resources\":[");
    add_tree(buf, "a");
    lc_buf_add_c(buf, "]}}},\"configuration\":{\"provider_config\":{\"demo\":{\"full_name\":"
                      "\"example.test/demo/demo\"}},\"root_module\":{\"resources\":[{\"address\":"
                      "\"demo_disk.d\",\"provider_config_key\":\"demo\"}]}}}");
}

static void judge_plan_evidence(lc_planner *planner, const void *facts)
{
    lc_plan_evidence_judge(planner, facts);
}

static size_t judge_plan(lc_arena *arena, const lc_source *source, lc_diags *diags)
{
    lc_plan plan;
    lc_run run = {.loc = {source->file, 0, 0}};
    lc_plan_evidence facts = {.plan = &plan};
    lc_planning planning = {LC_DOMAIN_RUN, judge_plan_evidence, &facts};
    lc_case subject = {.planning = &planning};
    lc_judgement out;
    subject.runs.items = &run;
    subject.runs.count = 1;
    lc_plan_from_node(&plan, arena, source, source->documents, diags);
    lc_planning_judge(&out, arena, arena, &subject);
    return out.findings.count;
}

static void bench_plan(void)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_buf text = {0};
    make_plan(&text);
    lc_diags_init(&diags, arena);
    double start = cpu();
    lc_json_parse(&source, arena, LC_STR("plan"), lc_buf_str(&text), &limits, &diags);
    double parsed = cpu() - start;
    size_t memory = lc_arena_used(arena) + text.len;
    start = cpu();
    size_t findings = judge_plan(arena, &source, &diags);
    double judged = cpu() - start;
    printf(
        "plan as JSON     %7.2f s for %d changes in %zu MB, of which parsing %.2f s: %.1f times; "
        "memory %.1f times (%zu findings)\n",
        parsed + judged, CHANGES, text.len >> 20, parsed, (parsed + judged) / parsed,
        (double)(lc_arena_used(arena) + text.len) / (double)memory, findings);
    lc_buf_release(&text);
    lc_arena_free(arena);
}

/* ---- Start-up: one small scenario, the child's own processor time. */

static void bench_start(const char *lifecheck)
{
    static const char scenario[] = "scenarios/plan/mismatch-config";
    struct rusage before, after;
    enum { RUNS = 20 };
    getrusage(RUSAGE_CHILDREN, &before);
    for (int i = 0; i < RUNS; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            if (!freopen("/dev/null", "w", stdout))
                _exit(127);
            execl(lifecheck, lifecheck, scenario, (char *)NULL);
            _exit(127);
        }
        waitpid(child, NULL, 0);
    }
    getrusage(RUSAGE_CHILDREN, &after);
    double used = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1e3 +
                  (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e3 +
                  (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1e3 +
                  (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e3;
    printf("start-up         %7.2f ms of processor time on %s\n", used / RUNS, scenario);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: bench VECTORS-DIR LIFECHECK\n");
        return 2;
    }
    lc_heap_install();
    bench_lines(argv[1], "plan_valid", true);
    bench_lines(argv[1], "compatible", false);
    bench_shapes();
    bench_msgpack();
    bench_json();
    bench_plan();
    bench_start(argv[2]);
    return 0;
}
