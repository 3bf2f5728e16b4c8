/* Recordings that are checked and redacted call by call: the same as from their text. */
#include "unit.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/recording/rpc_schemas.h"
#include "lifecheck/redact/redact.h"

#include <string.h>

static lc_arena *arena;
static lc_diags diags;
static lc_limits limits;
static lc_schema_store store;

static void setup(void)
{
    arena = lc_arena_new();
    limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, arena, limits);
}

static void teardown(void)
{
    lc_arena_free(arena);
}

/* ---- Cases. */

/* Writes what is in a case, and the lines that its calls come from. */
static void take(void *context, lc_scenario *scenario)
{
    lc_buf *out = context;
    const lc_case *c = &scenario->subject;
    lc_buf_printf(out, "%.*s\n", LC_FMT(c->resource));
    for (size_t i = 0; i < c->runs.count; i++) {
        for (size_t k = 0; k < c->runs.items[i].calls.count; k++)
            lc_buf_printf(out, " %u", c->runs.items[i].calls.items[k].loc.line);
    }
    lc_write_case(out, c);
}

/* What a caller does with a line: gives it as text, as nodes, or as nodes without the response of a
 * schema call. */
typedef enum feed { TEXT, NODES, NODES_WITHOUT_SCHEMAS } feed;

static bool has_schemas(const lc_node *root)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(lc_pj_text(root, "rpc"));
    return rpc == LC_PJ_SCHEMA || rpc == LC_PJ_IDENTITIES;
}

static lc_node *parse(lc_arena *scratch, lc_str line)
{
    lc_source source;
    lc_diags quiet;
    lc_diags_init(&quiet, scratch);
    ck_assert_int_eq(lc_json_parse(&source, scratch, LC_STR("line"), line, &limits, &quiet), LC_OK);
    return source.documents;
}

static void drop_response(lc_node *root)
{
    while (!lc_str_is(root->as.members[root->count - 1].key, "rpc"))
        root->count--;
}

/* Nodes and text are overwritten once the call was taken: nothing of them may be kept. */
static void feed_nodes(lc_stream *stream, lc_str line, feed how)
{
    lc_arena *scratch = lc_arena_new();
    char *copy = lc_str_to_c(scratch, line);
    lc_str text = {copy, line.len};
    lc_node *root = parse(scratch, text);
    if (has_schemas(root) && how == NODES_WITHOUT_SCHEMAS)
        drop_response(root);
    lc_stream_call(stream, root, text);
    memset(copy, 'x', line.len);
    lc_arena_free(scratch);
}

static lc_str line_at(lc_str text, size_t *at)
{
    size_t end = lc_str_find(text, *at, '\n');
    lc_str line = lc_str_sub(text, *at, end);
    *at = end + 1;
    return line;
}

static lc_str cases_of(lc_str text, feed how, lc_stream_stats *stats)
{
    lc_buf out = {0};
    lc_stream *stream = lc_stream_open(arena, &store, LC_STR("f.jsonl"), &diags, take, &out);
    if (how == TEXT)
        lc_stream_bytes(stream, text);
    for (size_t at = 0; how != TEXT && at < text.len;)
        feed_nodes(stream, line_at(text, &at), how);
    *stats = lc_stream_end(stream);
    lc_str cases = lc_buf_copy(arena, &out);
    lc_buf_release(&out);
    return cases;
}

static const char *const captures[] = {
    "aws-write-only-split",
    "fault-apply-value-changed",
    "fault-destroy-plan-not-null",
    "fault-final-value-changed",
    "fault-none",
    "fault-read-json-normalized",
    "random-replace",
    "sdk2-random-import",
    "time-update",
    "unapplied-plan-two-runs",
    "update-not-joined",
};

static lc_str capture(const char *name)
{
    lc_str text, path = lc_str_printf(arena, "testdata/captures/%s.jsonl", name);
    ck_assert_int_eq(lc_file_read(&text, arena, path, limits.input_bytes, &diags), LC_OK);
    return text;
}

static void check_feeds(const char *name, lc_str text)
{
    lc_stream_stats stats, other;
    lc_str want = cases_of(text, TEXT, &stats);
    size_t told = diags.count;
    ck_assert_msg(want.len > 0 && stats.calls > 0, "%s gives no cases", name);
    for (feed how = NODES; how <= NODES_WITHOUT_SCHEMAS; how++) {
        lc_diags_init(&diags, arena);
        CHECK_TEXT(name, cases_of(text, how, &other), want);
        ck_assert_msg(memcmp(&stats, &other, sizeof stats) == 0, "%s: other counts", name);
        ck_assert_msg(diags.count == told, "%s: other messages", name);
    }
}

START_TEST(calls_as_nodes)
{
    check_feeds(captures[_i], capture(captures[_i]));
}
END_TEST

/* A schema line that is so long that it is split. */
START_TEST(long_schema_line)
{
    lc_str text = capture("fault-none");
    lc_buf long_text = {0};
    lc_str head = LC_STR("\"resource_schemas\":{");
    size_t at = 0;
    while (!lc_str_starts_with(lc_str_sub(text, at, text.len), head))
        at++;
    lc_buf_add_str(&long_text, lc_str_sub(text, 0, at + head.len));
    for (int i = 0; i < 3000; i++)
        lc_buf_printf(&long_text,
                      "\"lifecheck_other_%d\":{\"block\":{\"attributes\":[{\"name\":\"id\","
                      "\"type\":\"InN0cmluZyI=\",\"computed\":true}]}},",
                      i);
    lc_buf_add_str(&long_text, lc_str_sub(text, at + head.len, text.len));
    ck_assert_uint_gt(long_text.len, 256 << 10);
    check_feeds("long", lc_buf_copy(arena, &long_text));
    lc_buf_release(&long_text);
}
END_TEST

/* Text and nodes in turns: lines are counted alike. */
START_TEST(both_ways)
{
    lc_str text = capture("fault-none");
    lc_stream_stats stats, mixed;
    lc_str want = cases_of(text, TEXT, &stats);
    lc_buf out = {0};
    lc_stream *stream = lc_stream_open(arena, &store, LC_STR("f.jsonl"), &diags, take, &out);
    bool nodes = false;
    for (size_t at = 0; at < text.len; nodes = !nodes) {
        lc_str line = line_at(text, &at);
        if (nodes)
            feed_nodes(stream, line, NODES);
        else
            lc_stream_bytes(stream, lc_str_printf(arena, "%.*s\n", LC_FMT(line)));
    }
    mixed = lc_stream_end(stream);
    CHECK_TEXT("in turns", lc_buf_str(&out), want);
    ck_assert_uint_eq(stats.calls, mixed.calls);
    lc_buf_release(&out);
}
END_TEST

/* ---- What is reported of a recording. */

typedef struct told_row {
    const char *name, *line;
    const char *want; /* the message; "": none */
} told_row;

#define FIELDS "fields that lifecheck does not know"
#define RAW    "messages that the recorder could not read"
#define CUT    "not recorded as a whole"

static const told_row told_rows[] = {
    {"a call of no interest", "{'rpc':'StopProvider','request':{},'response':{}}", ""},
    {"a field", "{'rpc':'StopProvider','request':{'unknown_fields':'CAE='}}", "1 call has " FIELDS},
    {"a field, by its other name", "{'rpc':'StopProvider','request':{'unknownFields':'CAE='}}",
     "1 call has " FIELDS},
    {"a field, redacted", "{'rpc':'StopProvider','request':{'unknown_fields':{'bytes':2}}}",
     "1 call has " FIELDS},
    {"a field in a list", "{'rpc':'StopProvider','response':{'a':[{},{'unknown_fields':'CAE='}]}}",
     "1 call has " FIELDS},
    {"a name that looks like it",
     "{'rpc':'GetFunctions','response':{'functions':{'unknown_fields':{'summary':'s'}}}}", ""},
    {"a string that looks like it",
     "{'rpc':'GetFunctions','response':{'summary':'\\'unknown_fields\\':\\'CAE=\\''}}", ""},
    {"a message", "{'rpc':'NewCall','request':{'raw':'CAE='},'response':{'raw':''}}",
     "1 call has " RAW},
    {"a message, redacted", "{'rpc':'NewCall','response':{'raw':'','bytes':2}}", "1 call has " RAW},
    {"one of several messages", "{'rpc':'NewCall','responses':[{},{'raw':'CAE='}]}",
     "1 call has " RAW},
    {"of a call that is known", "{'rpc':'PlanResourceChange','request':{'raw':'CAE='}}",
     "1 call has " RAW},
    {"a cut call", "{'rpc':'PlanResourceChange','request':{'type_name':'no_such'},'cut':true}",
     "1 call was " CUT},
    {"cut schemas", "{'rpc':'GetProviderSchema','request':{},'cut':true}", "1 call was " CUT},
    {"a call that is not cut", "{'rpc':'StopProvider','request':{},'cut':false}", ""},
    {"about itself", "{'recording':{'format':1,'lost':0}}", ""},
    {"a format that is not said", "{'recording':{}}", ""},
    {"addresses", "{'addresses':[{'address':'a.b','calls':[[1,2]]}]}", ""},
    {"odd addresses",
     "{'addresses':[1,{'address':2},{'calls':[[1,2]]},{'address':'a.b','calls':[[],"
     "[1],7,['x',-1],[1,2,3]]}]}",
     ""},
    {"a lost call", "{'recording':{'format':1,'lost':1}}", "1 call was lost"},
    {"lost calls, the last number counts",
     "{'recording':{'lost':7}}\n{'recording':{'lost':2}}\n{'recording':{'format':1}}",
     "2 calls were lost"},
    {"no call was lost after all", "{'recording':{'lost':7}}\n{'recording':{'lost':0}}", ""},
    {"two calls", "{'rpc':'NewCall','request':{'raw':''}}\n{'rpc':'NewCall','request':{'raw':''}}",
     "2 calls have " RAW},
};

START_TEST(told)
{
    const told_row *row = &told_rows[_i];
    lc_stream_stats stats;
    cases_of(quoted(arena, row->line), TEXT, &stats);
    ck_assert_msg(diags.errors == 0, "%s: errors", row->name);
    ck_assert_msg(diags.count == (row->want[0] != '\0'), "%s: %zu messages", row->name,
                  diags.count);
    if (diags.count) {
        ck_assert_msg(lc_str_starts_with(diags.items[0].message, lc_str_from_c(row->want)),
                      "%s: %.*s", row->name, LC_FMT(diags.items[0].message));
        ck_assert_uint_le(diags.items[0].loc.line, 1);
    }
    ck_assert_uint_eq(stats.foreign, 0);
}
END_TEST

/* ---- What a recording says about itself. */

START_TEST(about)
{
    lc_buf out = {0};
    lc_stream *stream = lc_stream_open(arena, &store, LC_STR("f.jsonl"), &diags, take, &out);
    const lc_recording *r = lc_stream_recording(stream);
    ck_assert(!r->stated);
    lc_stream_bytes(stream,
                    quoted(arena, "{'recording':{'format':1,'by':'lifecheck 0.1.0','redacted':true,"
                                  "'client':{'name':'terraform','version':'1.11.4'},'providers':["
                                  "{'address':'a/b/c','version':'1','protocol':5},{'version':'7'},"
                                  "{'address':'a/b/d'}]}}\n"
                                  "{'recording':{'client':{'name':'tofu'},'providers':[{'address':"
                                  "'a/b/d','version':'2','protocol':6}]}}\n"));
    ck_assert(r->stated && r->redacted);
    CHECK_TEXT("by", r->by, LC_STR("lifecheck 0.1.0"));
    CHECK_TEXT("client", r->client, LC_STR("tofu"));
    CHECK_TEXT("version", r->client_version, LC_STR("1.11.4"));
    ck_assert_uint_eq(r->providers.count, 2);
    CHECK_TEXT("address", r->providers.items[0].address, LC_STR("a/b/c"));
    ck_assert_uint_eq(r->providers.items[0].protocol, 5);
    CHECK_TEXT("later version", r->providers.items[1].version, LC_STR("2"));
    ck_assert_uint_eq(r->providers.items[1].protocol, 6);
    lc_stream_end(stream);
    ck_assert_uint_eq(diags.count, 0);
    lc_buf_release(&out);
}
END_TEST

/* Nothing behind it is checked or copied: it may mean anything. */
START_TEST(newer_format)
{
    lc_stream_stats stats;
    lc_str head = quoted(arena, "{'recording':{'format':2}}\n");
    lc_str text = lc_str_printf(arena, "%.*s%.*s", LC_FMT(head), LC_FMT(capture("fault-none")));
    lc_redact_options options = {.input = LC_INPUT_CALLS};
    lc_buf out = {0};
    CHECK_TEXT("cases", cases_of(text, TEXT, &stats), LC_STR_EMPTY);
    ck_assert_uint_eq(diags.errors, 1);
    ck_assert(lc_str_starts_with(diags.items[0].message, LC_STR("this recording has format 2")));
    ck_assert(!lc_redact(&out, arena, &store, LC_STR("f"), text, &options, &diags));
    lc_buf_release(&out);
}
END_TEST

typedef struct looks_row {
    const char *text;
    bool want;
} looks_row;

static const looks_row looks_rows[] = {
    {"{'recording':{'format':1}}", true},
    {"\n { 'recording' : {", true},
    {"{'recording':1}", false},
    {"{'a':{'recording':{}}}", false},
    {"{'recording", false},
    {"{}", false},
    {"{'process':1,'rpc':'x'}", true},
};

START_TEST(looks_like_recording)
{
    ck_assert(lc_looks_like_rpc(quoted(arena, looks_rows[_i].text)) == looks_rows[_i].want);
}
END_TEST

/* ---- Addresses. */

/* fault-none, and the same in other processes: two instances. */
static lc_str twice(void)
{
    lc_str once = capture("fault-none");
    lc_buf out = {0};
    lc_buf_add_str(&out, once);
    for (size_t at = 0; at < once.len; at++) {
        lc_str rest = lc_str_sub(once, at, once.len);
        bool process = lc_str_starts_with(rest, LC_STR("\"process\":30"));
        lc_buf_add_str(&out, process ? LC_STR("\"process\":4") : lc_str_sub(rest, 0, 1));
        at += process ? strlen("\"process\":30") - 1 : 0;
    }
    lc_str both = lc_buf_copy(arena, &out);
    lc_buf_release(&out);
    return both;
}

typedef struct address_row {
    const char *name, *line;
    const char *want; /* names of cases */
    size_t warnings;
    bool late; /* only behind the calls: before them it would keep apart what belongs together */
} address_row;

#define THING(calls) "{'address':'lifecheck_thing.a','calls':[" calls "]}"
#define OTHER(calls) "{'address':'module.m.lifecheck_thing.b[0]','calls':[" calls "]}"

static const address_row address_rows[] = {
    {"none", "{'addresses':[]}", "lifecheck_thing#1 lifecheck_thing#2 ", 0, false},
    {"of one call", "{'addresses':[" THING("[30643,6]") "]}",
     "lifecheck_thing.a lifecheck_thing#1 ", 0, false},
    {"of both", "{'addresses':[" THING("[30576,5],[30643,5]") "," OTHER("[4643,6]") "]}",
     "lifecheck_thing.a module.m.lifecheck_thing.b[0] ", 0, false},
    {"in two lines",
     "{'addresses':[" THING("[30576,5]") "]}\n{'addresses':[" OTHER("[4643,6]") "]}",
     "lifecheck_thing.a module.m.lifecheck_thing.b[0] ", 0, false},
    {"the same of both", "{'addresses':[" THING("[30643,6],[4643,6]") "]}", "lifecheck_thing.a ", 0,
     false},
    {"of calls that are not there", "{'addresses':[" THING("[30643,7],[1,6],[0,0]") "]}",
     "lifecheck_thing#1 lifecheck_thing#2 ", 0, false},
    {"of calls without objects", "{'addresses':[" THING("[30542,1],[30643,3]") "]}",
     "lifecheck_thing#1 lifecheck_thing#2 ", 0, false},
    {"of validations, which are of a block", "{'addresses':[" THING("[30643,4],[30576,4]") "]}",
     "lifecheck_thing#1 lifecheck_thing#2 ", 0, false},
    {"two of one instance", "{'addresses':[" THING("[30576,5]") "," OTHER("[30643,6]") "]}",
     "lifecheck_thing#1 lifecheck_thing#2 ", 1, true},
    {"two of one call", "{'addresses':[" THING("[30643,6]") "," OTHER("[30643,6]") "]}",
     "lifecheck_thing#1 lifecheck_thing#2 ", 1, true},
    {"numbers as texts", "{'addresses':[" THING("['30643','6']") "]}",
     "lifecheck_thing.a lifecheck_thing#1 ", 0, false},
};

static void take_name(void *context, lc_scenario *scenario)
{
    lc_buf_printf(context, "%.*s ", LC_FMT(scenario->subject.resource));
}

static void check_names(const address_row *row, lc_str text)
{
    lc_buf out = {0};
    lc_diags_init(&diags, arena);
    lc_stream *stream = lc_stream_open(arena, &store, LC_STR("f.jsonl"), &diags, take_name, &out);
    lc_stream_bytes(stream, text);
    lc_stream_end(stream);
    CHECK_TEXT(row->name, lc_buf_str(&out), lc_str_from_c(row->want));
    ck_assert_msg(diags.count == row->warnings && diags.errors == 0, "%s: messages", row->name);
    lc_buf_release(&out);
}

/* Before the calls, behind them, and between them. */
START_TEST(addressed)
{
    const address_row *row = &address_rows[_i];
    lc_str calls = twice(), line = quoted(arena, row->line);
    size_t half = lc_str_find(calls, calls.len / 2, '\n');
    lc_str begin = lc_str_sub(calls, 0, half), end = lc_str_sub(calls, half + 1, calls.len);
    check_names(row, lc_str_printf(arena, "%.*s%.*s\n", LC_FMT(calls), LC_FMT(line)));
    if (row->late)
        return;
    check_names(row, lc_str_printf(arena, "%.*s\n%.*s", LC_FMT(line), LC_FMT(calls)));
    check_names(row,
                lc_str_printf(arena, "%.*s\n%.*s\n%.*s", LC_FMT(begin), LC_FMT(line), LC_FMT(end)));
}
END_TEST

/* An unknown field of a schema in a line that is split: the schema counts all the same. */
START_TEST(unknown_field_of_long_schema)
{
    lc_buf text = {0};
    lc_stream_stats stats;
    lc_buf_add_str(&text, quoted(arena, "{'rpc':'GetProviderSchema','response':{'resource_schemas':"
                                        "{'unknown_fields':{'version':1,'block':{}}"));
    for (int i = 0; i < 6000; i++)
        lc_buf_add_str(
            &text,
            quoted(arena,
                   lc_str_to_c(arena,
                               lc_str_printf(arena, ",'t%d':{'block':{},'version':'%d'}", i, i))));
    size_t plain = text.len;
    for (int i = 0; i < 2; i++) {
        text.len = plain;
        if (i)
            lc_buf_add_str(&text, quoted(arena, ",'u':{'block':{'unknown_fields':'CAE='}}"));
        lc_buf_add_str(&text, LC_STR("}}}"));
        for (int k = 0; k < 100000; k++)
            lc_buf_add_char(&text, ' ');
        lc_diags_init(&diags, arena);
        cases_of(lc_buf_str(&text), TEXT, &stats);
        ck_assert_uint_eq(stats.methods, 1);
        ck_assert_uint_eq(diags.count, (size_t)i);
    }
    lc_buf_release(&text);
}
END_TEST

/* ---- Providers. */

static lc_str base64(const char *text)
{
    lc_buf out = {0};
    lc_base64_encode(&out, quoted(arena, text));
    lc_str copy = lc_buf_copy(arena, &out);
    lc_buf_release(&out);
    return copy;
}

/* `,'provider':...` of a line, or nothing. */
static lc_str from(const char *provider)
{
    return provider ? lc_str_printf(arena, ",'provider':'%s'", provider) : LC_STR_EMPTY;
}

static void add_line(lc_buf *out, lc_str line)
{
    lc_buf_add_str(out, quoted(arena, lc_str_to_c(arena, line)));
    lc_buf_add_char(out, '\n');
}

/* A schema with one type t, with one attribute. */
static void add_schema(lc_buf *out, const char *provider, const char *type, const char *flags)
{
    add_line(out,
             lc_str_printf(arena,
                           "{'process':1%.*s,'rpc':'GetProviderSchema','request':{},'response':"
                           "{'provider':{'block':{}},'resource_schemas':{'t':{'block':{"
                           "'attributes':[{'name':'id','type':'%.*s',%s}]}}}}}",
                           LC_FMT(from(provider)), LC_FMT(base64(type)), flags));
}

static void add_identities(lc_buf *out, const char *provider)
{
    add_line(out, lc_str_printf(arena,
                                "{'process':1%.*s,'rpc':'GetResourceIdentitySchemas','request':{},"
                                "'response':{'identity_schemas':{'t':{'identity_attributes':["
                                "{'name':'id','type':'%.*s','required_for_import':true}]}}}}",
                                LC_FMT(from(provider)), LC_FMT(base64("'string'"))));
}

static void add_read(lc_buf *out, const char *provider, int process, const char *state)
{
    lc_str value = base64(state);
    add_line(out, lc_str_printf(arena,
                                "{'process':%d%.*s,'rpc':'ReadResource','request':{'type_name':'t',"
                                "'current_state':{'json':'%.*s'}},"
                                "'response':{'new_state':{'json':'%.*s'}}}",
                                process, LC_FMT(from(provider)), LC_FMT(value), LC_FMT(value)));
}

#define P "registry.test/a/p"
#define Q "registry.test/b/q"

/* Name of the case, calls, and how many of them have values of the schema's type. */
static void take_reads(void *context, lc_scenario *scenario)
{
    const lc_case *c = &scenario->subject;
    size_t calls = 0, good = 0;
    for (size_t i = 0; i < c->runs.count; i++) {
        for (size_t k = 0; k < c->runs.items[i].calls.count; k++, calls++)
            good += c->runs.items[i].calls.items[k].result.state == LC_FIELD_GIVEN;
    }
    lc_buf_printf(context, "%.*s %zu/%zu ", LC_FMT(c->name), good, calls);
}

static void check_reads(const char *name, lc_buf *text, const char *want, size_t errors)
{
    lc_buf out = {0};
    lc_diags_init(&diags, arena);
    lc_stream *stream = lc_stream_open(arena, &store, LC_STR("f.jsonl"), &diags, take_reads, &out);
    lc_stream_bytes(stream, lc_buf_str(text));
    lc_stream_end(stream);
    CHECK_TEXT(name, lc_buf_str(&out), lc_str_from_c(want));
    ck_assert_msg(diags.errors == errors, "%s: %zu errors", name, diags.errors);
    lc_buf_release(&out);
    lc_buf_clear(text);
}

START_TEST(types_of_two_providers)
{
    lc_buf text = {0};
    add_schema(&text, P, "'string'", "'computed':true");
    add_schema(&text, Q, "'number'", "'computed':true");
    add_read(&text, P, 2, "{'id':'a'}");
    add_read(&text, Q, 3, "{'id':7}");
    add_read(&text, P, 4, "{'id':'b'}");
    check_reads("two schemas", &text, "t#1 1/1 t#2 1/1 t#3 1/1 ", 0);

    add_schema(&text, P, "'string'", "'computed':true");
    add_schema(&text, P, "'number'", "'computed':true");
    add_read(&text, P, 2, "{'id':7}");
    add_schema(&text, P, "'string'", "'computed':true");
    add_read(&text, P, 3, "{'id':'a'}");
    check_reads("two versions, and the first again", &text, "t#1 1/1 t#2 1/1 ", 0);

    add_schema(&text, Q, "'number'", "'computed':true");
    add_read(&text, P, 2, "{'id':7}");
    add_read(&text, NULL, 3, "{'id':8}");
    check_reads("no schema of the provider: any", &text, "t#1 1/1 t#2 1/1 ", 0);

    add_schema(&text, Q, "'number'", "'computed':true");
    add_line(&text, LC_STR("{'provider':'" P "','rpc':'GetProviderSchema','request':{},"
                           "'response':{'provider':{'block':{}}}}"));
    add_read(&text, P, 2, "{'id':7}");
    check_reads("a type that the provider does not have", &text, "", 1);
    lc_buf_release(&text);
}
END_TEST

/* The same object in two processes is one instance, but not of two providers. */
START_TEST(instances_of_two_providers)
{
    static const char *const others[] = {NULL, P, Q};
    static const char *const want[] = {"t#1 2/2 ", "t#1 2/2 ", "t#1 1/1 t#2 1/1 "};
    lc_buf text = {0};
    for (int i = 0; i < 3; i++) {
        add_schema(&text, i ? P : NULL, "'string'", "'computed':true");
        add_schema(&text, others[i], "'string'", "'computed':true");
        add_read(&text, i ? P : NULL, 2, "{'id':'a'}");
        add_read(&text, others[i], 3, "{'id':'a'}");
        check_reads(i ? others[i] : "none", &text, want[i], 0);
    }
    lc_buf_release(&text);
}
END_TEST

/* An address is that of one provider's instance, too. */
START_TEST(addresses_of_two_providers)
{
    lc_buf text = {0};
    add_schema(&text, P, "'string'", "'computed':true");
    add_schema(&text, Q, "'string'", "'computed':true");
    add_line(&text, LC_STR("{'addresses':[{'address':'t.a','calls':[[2,1],[3,1]]}]}"));
    for (int process = 2; process < 4; process++)
        add_line(&text, lc_str_printf(arena,
                                      "{'process':%d,'seq':1,'provider':'%s','rpc':'ReadResource',"
                                      "'request':{'type_name':'t','current_state':{'json':'%.*s'}},"
                                      "'response':{'new_state':{'json':'%.*s'}}}",
                                      process, process == 2 ? P : Q, LC_FMT(base64("{'id':'a'}")),
                                      LC_FMT(base64("{'id':'a'}"))));
    check_reads("one address", &text, "t.a 1/1 t.a 1/1 ", 0);
    lc_buf_release(&text);
}
END_TEST

static void take_schema_lines(lc_rpc_schemas *out, lc_buf *text)
{
    lc_rpc_schemas_init(out, arena, LC_STR("f"), limits);
    lc_str lines = lc_buf_copy(arena, text);
    for (size_t at = 0; at < lines.len;) {
        lc_str line = line_at(lines, &at);
        const lc_node *root = parse(arena, line);
        lc_rpc_schemas_take(out, lc_pj_rpc_of(lc_pj_text(root, "rpc")), root, line, (lc_loc){0},
                            &diags);
    }
    lc_buf_clear(text);
}

static bool has_identity(lc_rpc_schemas *schemas, const char *provider)
{
    const lc_rpc_provider *p =
        lc_rpc_schemas_provider(schemas, lc_str_from_c(provider), (lc_loc){0}, &diags);
    const lc_schema *schema = lc_rpc_schemas_get(schemas, arena, p, LC_KIND_RESOURCE, LC_STR("t"));
    ck_assert(schema);
    return schema->identity_type != NULL;
}

/* Calls of two providers come in any order, when they start at the same time. */
START_TEST(identities_of_two_providers)
{
    lc_rpc_schemas *schemas = LC_NEW(arena, lc_rpc_schemas);
    lc_buf text = {0};
    add_schema(&text, P, "'string'", "'computed':true");
    add_schema(&text, Q, "'number'", "'computed':true");
    add_identities(&text, P);
    take_schema_lines(schemas, &text);
    ck_assert(has_identity(schemas, P) && !has_identity(schemas, Q));

    add_identities(&text, Q);
    add_schema(&text, P, "'string'", "'computed':true");
    add_schema(&text, Q, "'number'", "'computed':true");
    take_schema_lines(schemas, &text);
    ck_assert(!has_identity(schemas, P) && has_identity(schemas, Q));

    add_schema(&text, P, "'string'", "'computed':true");
    add_identities(&text, Q);
    add_schema(&text, Q, "'string'", "'computed':true");
    take_schema_lines(schemas, &text);
    ck_assert_msg(has_identity(schemas, Q), "identities before a schema that is there already");
    ck_assert_uint_eq(diags.count, 0);
    lc_buf_release(&text);
}
END_TEST

START_TEST(secrets_of_two_providers)
{
    lc_buf text = {0}, out = {0};
    lc_redact_options options = {.input = LC_INPUT_CALLS};
    add_schema(&text, P, "'string'", "'computed':true,'sensitive':true");
    add_schema(&text, Q, "'string'", "'computed':true");
    add_read(&text, P, 2, "{'id':'hunter2-of-p'}");
    add_read(&text, Q, 3, "{'id':'open-of-q'}");
    ck_assert(lc_redact(&out, arena, &store, LC_STR("f"), lc_buf_str(&text), &options, &diags));
    lc_str copy = lc_buf_str(&out);
    ck_assert(!lc_str_contains(copy, base64("{'id':'hunter2-of-p'}")));
    ck_assert(lc_str_contains(copy, base64("{'id':'open-of-q'}")));
    lc_buf_release(&text);
    lc_buf_release(&out);
}
END_TEST

/* ---- Redaction. */

typedef struct copy_row {
    const char *line, *want;
} copy_row;

static const copy_row copy_rows[] = {
    {"{'rpc':'NewCall','request':{'raw':'aHVudGVy'},'response':{'raw':''}}",
     "{'rpc':'NewCall','request':{'raw':'','bytes':6},'response':{'raw':'','bytes':0}}"},
    {"{'rpc':'NewCall','request':{'raw':'','bytes':6,'more':'hunter'}}",
     "{'rpc':'NewCall','request':{'raw':'','bytes':6}}"},
    {"{'rpc':'NewCall','request':{'raw':'hunter!'}}",
     "{'rpc':'NewCall','request':{'raw':'','bytes':7}}"},
    {"{'rpc':'NewCall','requests':[{'raw':'aHVudGVy'},{'a':'hunter'}],'responses':[{'a':1}]}",
     "{'rpc':'NewCall','requests':[{'raw':'','bytes':6},{}],'responses':[]}"},
    {"{'rpc':'NewCall','request':{'a':'hunter'}}", "{'rpc':'NewCall','request':{}}"},
    {"{'rpc':'ReadResource','request':{'unknown_fields':'aHVudGVy','a':[{'unknownFields':'aA=='}]}"
     "}",
     "{'rpc':'ReadResource','request':{'unknown_fields':{'bytes':6},'a':[{'unknownFields':{'bytes':"
     "1}}]"
     "}}"},
    {"{'rpc':'ReadResource','request':{'unknown_fields':{'bytes':6,'more':'hunter'}}}",
     "{'rpc':'ReadResource','request':{'unknown_fields':{'bytes':6}}}"},
    {"{'rpc':'ReadResource','request':{'unknown_fields':'hunter!'}}",
     "{'rpc':'ReadResource','request':{'unknown_fields':{'bytes':7}}}"},
    {"{'rpc':'GetProviderSchema','response':{'unknown_fields':'aHVudGVy','provider':{'block':{"
     "'unknown_fields':'aHVudGVy'}}},'unknown_fields':'aHVudGVy'}",
     "{'rpc':'GetProviderSchema','response':{'unknown_fields':{'bytes':6},'provider':{'block':{"
     "'unknown_fields':{'bytes':6}}}},'unknown_fields':{'bytes':6}}"},
    {"{'rpc':'InvokeAction','request':{},'responses':[{'raw':'aHVudGVy'},{'progress':{}}]}",
     "{'rpc':'InvokeAction','request':{},'responses':[{'raw':'','bytes':6},{'progress':{}}]}"},
    {"{'recording':{'format':1,'redacted':false,'client':{'name':'tofu'}},'more':'hunter'}",
     "{'recording':{'format':1,'client':{'name':'tofu'},'redacted':true}}"},
    {"{'addresses':[{'address':'a.b[0]','calls':[[1,4],[1,7]]}]}",
     "{'addresses':[{'address':'a.b[0]','calls':[[1,4],[1,7]]}]}"},
    {"{'rpc':'PlanResourceChange','request':{'raw':'aHVudGVy'},'cut':true}",
     "{'rpc':'PlanResourceChange','request':{'raw':'','bytes':6},'cut':true}"},
};

START_TEST(state_of_old_form)
{
    lc_buf out = {0};
    lc_redact_options options = {.input = LC_INPUT_CALLS};
    lc_str line =
        quoted(arena, "{'rpc':'UpgradeResourceState','request':{'type_name':'t','raw_state':"
                      "{'flatmap':{'id':'hunter2-a','tags.%':'hunter2-b'}}}}");
    ck_assert(lc_redact(&out, arena, &store, LC_STR("f"), line, &options, &diags));
    ck_assert(!lc_str_contains(lc_buf_str(&out), LC_STR("hunter2")));
    ck_assert(lc_str_contains(lc_buf_str(&out), LC_STR("\"tags.%\"")));
    lc_buf_release(&out);
}
END_TEST

/* A schema line that is so long that it is copied type by type, unless it has something to redact.
 */
START_TEST(long_schema_line_copied)
{
    static const char *const rows[][2] = {
        {"", ""},
        {",'error':{'code':'x'}", ",'error':{'code':'x'}"},
        {",'unknown_fields':'aHVudGVy'", ",'unknown_fields':{'bytes':6}"},
        {",'unkn\\u006fwn_fields':'aHVudGVy'", ",'unknown_fields':{'bytes':6}"},
    };
    lc_redact_options options = {.input = LC_INPUT_CALLS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lc_buf line = {0}, out = {0}, want = {0};
        lc_buf_add_str(&line, quoted(arena, "{'rpc':'GetSchema','response':{'resource_schemas':{"));
        for (int k = 0; k < 9000; k++)
            lc_buf_printf(&line, "%s\"t%d\":{\"block\":{},\"version\":\"%d\"}", k ? "," : "", k, k);
        lc_buf_add_str(&line, LC_STR("}}"));
        lc_buf_add_str(&want, lc_buf_str(&line));
        lc_buf_printf(&line, "%.*s}", LC_FMT(quoted(arena, rows[i][0])));
        lc_buf_printf(&want, "%.*s}\n", LC_FMT(quoted(arena, rows[i][1])));
        ck_assert_uint_gt(line.len, 256 << 10);
        ck_assert(lc_redact(&out, arena, &store, LC_STR("f"), lc_buf_str(&line), &options, &diags));
        ck_assert_msg(lc_str_eq(lc_buf_str(&out), lc_buf_str(&want)), "row %zu", i);
        lc_buf_release(&line);
        lc_buf_release(&out);
        lc_buf_release(&want);
    }
}
END_TEST

/* Once, and again from the copy. */
START_TEST(copied)
{
    const copy_row *row = &copy_rows[_i];
    lc_str line = quoted(arena, row->line);
    lc_redact_options options = {.input = LC_INPUT_CALLS};
    for (int i = 0; i < 2; i++) {
        lc_buf out = {0};
        ck_assert(lc_redact(&out, arena, &store, LC_STR("f"), line, &options, &diags));
        line = lc_buf_copy(arena, &out);
        CHECK_TEXT(row->line, lc_str_sub(line, 0, line.len - 1), quoted(arena, row->want));
        lc_buf_release(&out);
    }
}
END_TEST

static void redact_nodes(lc_redact_stream *stream, lc_buf *out, lc_str line, bool schemas)
{
    lc_arena *scratch = lc_arena_new();
    lc_node *root = parse(scratch, line);
    if (has_schemas(root) && !schemas)
        drop_response(root);
    lc_redact_stream_call(stream, out, root, line);
    lc_arena_free(scratch);
}

START_TEST(redacted_one_by_one)
{
    lc_str text = capture(captures[_i]);
    for (int schemas = 0; schemas < 2; schemas++) {
        lc_buf whole = {0}, single = {0};
        lc_redact_options options = {.input = LC_INPUT_CALLS};
        ck_assert(lc_redact(&whole, arena, &store, LC_STR("f"), text, &options, &diags));
        lc_redact_stream *stream = lc_redact_stream_open(arena, LC_STR("f"), &limits, &diags);
        for (size_t at = 0; at < text.len;)
            redact_nodes(stream, &single, line_at(text, &at), schemas);
        lc_redact_stream_close(stream);
        CHECK_TEXT(captures[_i], lc_buf_str(&single), lc_buf_str(&whole));
        lc_buf_release(&whole);
        lc_buf_release(&single);
    }
}
END_TEST

/* The configuration of a provider, so that all of it is secret; in MessagePack. */
#define CONFIGURE                                                                                  \
    "{'rpc':'ConfigureProvider','request':{'config':{'json':'"                                     \
    "eyJ0b2tlbiI6Imh1bnRlcjItaHVudGVyMiJ9'"                                                        \
    "}},'response':{}}"
#define SCHEMA                                                                                     \
    "{'rpc':'GetProviderSchema','request':{},'response':{'provider':{'block':{'attributes':["      \
    "{'name':'token','type':'InN0cmluZyI=','optional':true}]}}}}"

START_TEST(text_of_another_source)
{
    lc_buf out = {0};
    lc_str log = LC_STR("dial: token hunter2-hunter2 refused");
    lc_redact_stream *stream = lc_redact_stream_open(arena, LC_STR("f"), &limits, &diags);
    redact_nodes(stream, &out, quoted(arena, SCHEMA), true);
    CHECK_TEXT("before", lc_redact_stream_text(stream, arena, log), log);
    redact_nodes(stream, &out, quoted(arena, CONFIGURE), true);
    lc_str after = lc_redact_stream_text(stream, arena, log);
    ck_assert_msg(strstr(lc_str_to_c(arena, after), "hunter2") == NULL, "%.*s", LC_FMT(after));
    ck_assert(lc_str_starts_with(after, LC_STR("dial: token ")));
    lc_redact_stream_close(stream);
    lc_buf_release(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("stream");
    TCase *judged = tcase_create("judged"), *redacted = tcase_create("redacted");
    tcase_add_checked_fixture(judged, setup, teardown);
    tcase_add_checked_fixture(redacted, setup, teardown);
    ADD_ROWS(judged, calls_as_nodes, captures);
    tcase_add_test(judged, long_schema_line);
    tcase_add_test(judged, both_ways);
    ADD_ROWS(judged, told, told_rows);
    tcase_add_test(judged, unknown_field_of_long_schema);
    tcase_add_test(judged, about);
    tcase_add_test(judged, newer_format);
    ADD_ROWS(judged, looks_like_recording, looks_rows);
    ADD_ROWS(judged, addressed, address_rows);
    tcase_add_test(judged, types_of_two_providers);
    tcase_add_test(judged, instances_of_two_providers);
    tcase_add_test(judged, addresses_of_two_providers);
    tcase_add_test(judged, identities_of_two_providers);
    ADD_ROWS(redacted, copied, copy_rows);
    tcase_add_test(redacted, secrets_of_two_providers);
    tcase_add_test(redacted, long_schema_line_copied);
    tcase_add_test(redacted, state_of_old_form);
    ADD_ROWS(redacted, redacted_one_by_one, captures);
    tcase_add_test(redacted, text_of_another_source);
    suite_add_tcase(suite, judged);
    suite_add_tcase(suite, redacted);
    return suite_run(suite);
}
