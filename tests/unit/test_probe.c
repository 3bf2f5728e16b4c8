/* Probing without a provider: values and what is learnt of them, places, laws, and a whole run
 * against a function that answers as a provider does. */
#include "unit.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/probe/probe.h"
#include "lifecheck/wire/grpc_status.h"
#include "probe/configurations/edit.h"
#include "probe/configurations/form.h"
#include "probe/internal.h"

#include <stdio.h>
#include <string.h>

/* ---- Laws. */

START_TEST(laws_by_name_and_number)
{
    static const struct {
        const char *glob;
        bool all;
        size_t first, count; /* 0: no law of that name */
    } rows[] = {{"16", false, LC_LAW_16, 1},
                {"unknown-completes", false, LC_LAW_1, 1},
                {"unknown-*", false, LC_LAW_1, 2},
                {"*", false, LC_LAW_1, LC_LAW_COUNT},
                {"nothing", false, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool laws[LC_LAW_COUNT];
        lc_str glob = lc_str_from_c(rows[i].glob), bad = LC_STR_EMPTY;
        size_t count = 0;
        bool ok = lc_laws_select(laws, &glob, 1, rows[i].all, &bad);
        ck_assert_msg(ok == (rows[i].count > 0), "%s", rows[i].glob);
        for (size_t k = 0; ok && k < LC_LAW_COUNT; k++)
            count += laws[k];
        ck_assert_msg(!ok || (count == rows[i].count && laws[rows[i].first]), "%s", rows[i].glob);
        ck_assert_msg(ok || lc_str_eq(bad, glob), "%s", rows[i].glob);
    }
}
END_TEST

START_TEST(laws_without_a_name)
{
    bool laws[LC_LAW_COUNT];
    lc_str bad;
    ck_assert(lc_laws_select(laws, NULL, 0, false, &bad));
    ck_assert(laws[LC_LAW_1] && laws[LC_LAW_34] && !laws[LC_LAW_11] && !laws[LC_LAW_39]);
    ck_assert(lc_laws_select(laws, NULL, 0, true, &bad));
    ck_assert(laws[LC_LAW_11] && !laws[LC_LAW_39]);
}
END_TEST

/* ---- Values. */

START_TEST(texts_of_patterns)
{
    static const struct {
        const char *pattern, *text;
    } rows[] = {{"^[a-z]{3,8}$", "aaa"},  {"^arn:aws:[a-z0-9-]+$", "arn:aws:a"},
                {"^(one|two)$", "one"},   {"[0-9]{12}", "111111111111"},
                {"^\\d+\\.\\d+$", "1.1"}, {"^[A-Z][[:alpha:]]*$", "Aa"},
                {"^a?b*c+$", "abc"},      {"^(?:x-)?[^a-y]$", "x-z"},
                {"^(?!no)yes$", ""},      {"((", ""}};
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lc_str text = lc_text_of_pattern(arena, lc_str_from_c(rows[i].pattern));
        ck_assert_msg(lc_str_is(text, rows[i].text), "%s: %.*s", rows[i].pattern, LC_FMT(text));
    }
    lc_arena_free(arena);
}
END_TEST

START_TEST(values_by_name)
{
    static const struct {
        const char *name, *text;
    } rows[] = {{"role_arn", "arn:aws:iam::123456789012:role/example"},
                {"Contact_Email", "user@example.com"},
                {"vpc_cidr", "10.0.0.0/16"},
                {"zzz", "example"}};
    lc_arena *arena = lc_arena_new();
    static const lc_wish nothing;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const lc_value *v =
            lc_make_value(arena, &lc_type_string, lc_str_from_c(rows[i].name), &nothing, 0);
        ck_assert_msg(lc_str_is(v->as.string, rows[i].text), "%s", rows[i].name);
    }
    lc_arena_free(arena);
}
END_TEST

/* ---- A schema to try with. */

static const lc_schema *schema_of(lc_arena *arena, const char *yaml)
{
    lc_source *source = LC_NEW(arena, lc_source);
    lc_diags diags;
    const lc_limits limits = LC_LIMITS_DEFAULT;
    const lc_schema *schema = NULL;
    lc_diags_init(&diags, arena);
    ck_assert(lc_yaml_parse(source, arena, LC_STR("schema"), lc_str_from_c(yaml), &limits,
                            &diags) == LC_OK);
    ck_assert(lc_schema_from_node(&schema, arena, source, source->documents, LC_KIND_RESOURCE,
                                  LC_STR("x_thing"), &diags) == LC_OK);
    return schema;
}

static const char small_schema[] =
    "block:\n"
    "  attributes:\n"
    "    id: {type: string, computed: true}\n"
    "    mode: {type: string, required: true}\n"
    "    note: {type: string, optional: true}\n"
    "    port: {type: number, optional: true}\n"
    "    tags: {type: [list, string], optional: true}\n"
    "  block_types:\n"
    "    rule:\n"
    "      nesting_mode: list\n"
    "      block: {attributes: {to: {type: string, required: true}}}\n";

static lc_slot *slot(lc_slot *root, const char *name)
{
    for (size_t i = 0; i < root->count; i++) {
        if (lc_str_is(root->below[i].name, name))
            return &root->below[i];
    }
    ck_abort_msg("%s", name);
    return NULL;
}

START_TEST(forms_say_what_is_set)
{
    lc_arena *arena = lc_arena_new();
    const lc_schema *schema = schema_of(arena, small_schema);
    lc_slot *form = lc_form_new(arena, schema->block);
    ck_assert(slot(form, "mode")->set && !slot(form, "note")->set && !slot(form, "rule")->set);
    ck_assert_uint_eq(lc_count_leaves(lc_form_value(arena, form, schema->block)), 1);
    lc_form_set(form, true);
    slot(form, "rule")->elements = 2;
    const lc_value *full = lc_form_value(arena, form, schema->block);
    ck_assert_uint_eq(lc_count_leaves(full), 6);
    ck_assert(lc_is_null(lc_value_attr(full, LC_STR("id"))));
    ck_assert_uint_eq(lc_value_attr(full, LC_STR("rule"))->count, 2);
    lc_arena_free(arena);
}
END_TEST

static void say(lc_call *call, lc_arena *arena, const char *path, const char *text)
{
    lc_provider_diag *diag = LC_PUSH(arena, &call->diagnostics, lc_provider_diag);
    lc_step *step = LC_NEW(arena, lc_step);
    diag->severity = LC_SEVERITY_ERROR;
    diag->summary = lc_str_from_c(text);
    diag->detail = LC_STR_EMPTY;
    diag->has_path = path != NULL;
    *step = (lc_step){.kind = LC_STEP_ATTR, .name = lc_str_from_c(path ? path : "")};
    diag->path = (lc_path){step, 1};
}

/* What a form says after a message about an attribute, as text. */
static lc_str learnt(lc_arena *arena, const char *path, const char *text, const char *about)
{
    const lc_schema *schema = schema_of(arena, small_schema);
    lc_slot *form = lc_form_new(arena, schema->block);
    lc_call call;
    memset(&call, 0, sizeof call);
    lc_form_set(form, true);
    say(&call, arena, path, text);
    if (!lc_form_learn(arena, form, &call))
        return LC_STR("nothing");
    const lc_value *v =
        lc_value_attr(lc_form_value(arena, form, schema->block), lc_str_from_c(about));
    lc_buf out = {0};
    lc_value_add_go(&out, v);
    return lc_buf_take(arena, &out);
}

START_TEST(learns_from_messages)
{
    static const struct {
        const char *path, *text, *about, *value;
    } rows[] = {
        {"mode", "expected mode to be one of [\"on\" \"off\"], got example", "mode",
         "cty.StringVal(\"on\")"},
        {"mode", "Attribute mode value must be one of: [\"slow\", \"fast\"], got: \"x\"", "mode",
         "cty.StringVal(\"slow\")"},
        {"note", "expected mode to be one of [\"on\" \"off\"], got example", "mode",
         "cty.StringVal(\"on\")"},
        {"note", "expected length of mode to be in the range (12 - 20), got example", "mode",
         "cty.StringVal(\"exampleaaaaa\")"},
        {"port", "expected port to be in the range (1024 - 65535), got 443", "port",
         "cty.NumberIntVal(1024)"},
        {"mode", "invalid value for mode (must match regular expression '^v[0-9]+$')", "mode",
         "cty.StringVal(\"v1\")"},
        {"mode", "\"mode\" is not a valid RFC3339 date", "mode",
         "cty.StringVal(\"2030-01-02T03:04:05Z\")"},
        {"mode", "string length must be at least 12", "mode", "cty.StringVal(\"exampleaaaaa\")"},
        {"note", "\"note\": conflicts with port", "note", "cty.NullVal(cty.String)"},
        {"note", "2 attributes specified when one (and only one) of [note,port] is required",
         "port", "cty.NullVal(cty.Number)"},
        {"note", "must begin with \"n-\"", "note", "cty.StringVal(\"n-example\")"},
        {"mode", "Invalid String Enum Value\nPath: mode\nGiven Value: x\nValid Values: [UP DOWN ]",
         "mode", "cty.StringVal(\"UP\")"},
        {"rule", "expected to to be one of [\"S3\"], got example", "rule",
         "cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"to\":cty.StringVal(\"S3\")"
         "})})"},
        {"note", "expected to to be one of [\"S3\"], got example", "rule",
         "cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"to\":cty.StringVal(\"S3\")"
         "})})"},
        {"mode", "Invalid Value Match: Attribute mode must conform to: ^z[0-9]$ , got: 1", "mode",
         "cty.StringVal(\"z1\")"},
        {"mode", "\"mode\" must be between 7 and 90 days inclusive", "mode",
         "cty.StringVal(\"7\")"},
        {"note", "what nobody understands", "note", "cty.NullVal(cty.String)"},
        {NULL, "what nobody understands", "note", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lc_arena *arena = lc_arena_new();
        lc_str is = learnt(arena, rows[i].path, rows[i].text, rows[i].about);
        const char *want = rows[i].value ? rows[i].value : "nothing";
        ck_assert_msg(lc_str_is(is, want), "%s: %.*s", rows[i].text, LC_FMT(is));
        lc_arena_free(arena);
    }
}
END_TEST

/* The old SDK gives errors in the order of a map. */
START_TEST(learns_the_same_in_any_order)
{
    static const char *const texts[] = {"\"note\": conflicts with port",
                                        "\"port\": conflicts with note"};
    lc_arena *arena = lc_arena_new();
    const lc_schema *schema = schema_of(arena, small_schema);
    const lc_value *learnt_so[2];
    for (size_t order = 0; order < 2; order++) {
        lc_slot *form = lc_form_new(arena, schema->block);
        lc_call call;
        memset(&call, 0, sizeof call);
        lc_form_set(form, true);
        say(&call, arena, NULL, texts[order]);
        say(&call, arena, NULL, texts[1 - order]);
        ck_assert(lc_form_learn(arena, form, &call));
        learnt_so[order] = lc_form_value(arena, form, schema->block);
    }
    ck_assert(lc_value_raw_equal(learnt_so[0], learnt_so[1]));
    lc_arena_free(arena);
}
END_TEST

START_TEST(needed_names_may_be_words)
{
    lc_arena *arena = lc_arena_new();
    const lc_schema *schema = schema_of(arena, small_schema);
    lc_slot *form = lc_form_new(arena, schema->block);
    lc_call call;
    memset(&call, 0, sizeof call);
    say(&call, arena, NULL, "note and port must be set when mode is on");
    ck_assert(lc_form_learn(arena, form, &call) && slot(form, "note")->set);
    ck_assert(lc_form_learn(arena, form, &call) && slot(form, "port")->set);
    ck_assert(!slot(form, "tags")->set);
    lc_arena_free(arena);
}
END_TEST

/* ---- Places. */

START_TEST(places_are_changed)
{
    lc_arena *arena = lc_arena_new();
    const lc_schema *schema = schema_of(arena, small_schema);
    lc_slot *form = lc_form_new(arena, schema->block);
    lc_leaves leaves = {0};
    lc_form_set(form, true);
    const lc_value *config = lc_form_value(arena, form, schema->block);
    lc_find_leaves(&leaves, arena, schema->block, config);
    ck_assert_uint_eq(leaves.count, 7); /* mode note port tags tags[0] rule rule[0].to */
    for (size_t i = 0; i < leaves.count; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        lc_value unknown;
        lc_value_set_unknown(&unknown, leaf->value->type);
        const lc_value *edited = lc_spot_set(arena, config, leaf->spot, &unknown);
        ck_assert(lc_spot_get(config, leaf->spot) && edited && !lc_is_wholly_known(edited));
        ck_assert(lc_is_unknown(lc_spot_get(edited, leaf->spot)));
        ck_assert(lc_is_wholly_known(config));
    }
    const lc_value *hidden = lc_all_unknown(arena, schema->block, config);
    ck_assert(lc_is_unknown(lc_value_attr(hidden, LC_STR("mode"))));
    ck_assert(lc_is_known(lc_value_attr(hidden, LC_STR("rule"))));
    lc_spot gone = lc_spot_below(arena, (lc_spot){NULL, 0}, 99);
    ck_assert(!lc_spot_get(config, gone) && !lc_spot_remove(arena, config, gone));
    lc_arena_free(arena);
}
END_TEST

/* Other bytes, the same value; what has an order keeps it. */
START_TEST(another_spelling_is_the_same_value)
{
    lc_arena *arena = lc_arena_new();
    const lc_wish two = {.elements = 2};
    static const lc_type_kind kinds[] = {LC_TYPE_SET, LC_TYPE_MAP, LC_TYPE_LIST};
    for (size_t i = 0; i < 3; i++) {
        const lc_type *type = lc_type_collection(arena, kinds[i], &lc_type_number);
        const lc_value *v = lc_make_value(arena, type, LC_STR("ports"), &two, 0), *back;
        lc_buf was = {0}, now = {0};
        lc_wire_result result;
        ck_assert_uint_eq(v->count, 2);
        lc_msgpack_encode(&was, v, type);
        lc_msgpack_encode(&now, lc_respelt(arena, v), type);
        bool same = lc_str_eq(lc_buf_str(&was), lc_buf_str(&now));
        ck_assert_int_eq(same, kinds[i] == LC_TYPE_LIST);
        ck_assert(lc_msgpack_decode(&back, arena, lc_buf_str(&now), type, &result));
        ck_assert(lc_value_raw_equal(v, back));
        lc_buf_release(&was);
        lc_buf_release(&now);
    }
    lc_arena_free(arena);
}
END_TEST

/* ---- Objects that could have been stored. */

static const char stored_schema[] = "block:\n"
                                    "  attributes:\n"
                                    "    id: {type: string, computed: true}\n"
                                    "    made_at: {type: string, computed: true}\n"
                                    "    name: {type: string, required: true}\n"
                                    "  block_types:\n"
                                    "    rule:\n"
                                    "      nesting_mode: list\n"
                                    "      block:\n"
                                    "        attributes:\n"
                                    "          note: {type: string, optional: true}\n"
                                    "          on: {type: bool, optional: true}\n"
                                    "          port: {type: number, optional: true}\n"
                                    "          to: {type: string, required: true}\n";

static lc_str invented(lc_arena *arena, bool id, lc_invention how, bool legacy)
{
    const lc_schema *schema = schema_of(arena, stored_schema);
    lc_slot *form = lc_form_new(arena, schema->block);
    lc_value unknown;
    lc_buf out = {0};
    lc_slot_set(slot(form, "rule"), true);
    const lc_value *plan = lc_form_value(arena, form, schema->block);
    lc_value_set_unknown(&unknown, &lc_type_string);
    for (uint32_t i = id ? 0 : 1; i < 2; i++)
        plan = lc_spot_set(arena, plan, (lc_spot){&i, 1}, &unknown);
    const lc_value *object = lc_invent(arena, schema->block, plan, how, legacy);
    if (!object)
        return LC_STR("none");
    lc_value_add_go(&out, object);
    return lc_buf_take(arena, &out);
}

#define MADE(id, at, note, on, port)                                                               \
    "cty.ObjectVal(map[string]cty.Value{\"id\":" id ", \"made_at\":" at                            \
    ", \"name\":cty.StringVal(\"example\"), \"rule\":cty.ListVal([]cty.Value{cty.ObjectVal("       \
    "map[string]cty.Value{\"note\":" note ", \"on\":" on ", \"port\":" port                        \
    ", \"to\":cty.StringVal(\"example\")})})})"
#define NULL_TEXT "cty.NullVal(cty.String)"
#define TEXT(t)   "cty.StringVal(\"" t "\")"

START_TEST(stored_objects_are_invented)
{
    static const struct {
        bool id, legacy;
        lc_invention how;
        const char *object;
    } rows[] = {
        {true, false, LC_INVENT_NULL,
         MADE(NULL_TEXT, NULL_TEXT, "cty.NullVal(cty.String)", "cty.NullVal(cty.Bool)",
              "cty.NullVal(cty.Number)")},
        {true, false, LC_INVENT_ID,
         MADE(TEXT("example"), NULL_TEXT, "cty.NullVal(cty.String)", "cty.NullVal(cty.Bool)",
              "cty.NullVal(cty.Number)")},
        {false, false, LC_INVENT_ID, "none"},
        {true, false, LC_INVENT_ALL,
         MADE(TEXT("example"), TEXT("2030-01-02T03:04:05Z"), "cty.NullVal(cty.String)",
              "cty.NullVal(cty.Bool)", "cty.NullVal(cty.Number)")},
        {true, true, LC_INVENT_ALL,
         MADE(TEXT("example"), TEXT("2030-01-02T03:04:05Z"), TEXT(""), "cty.False",
              "cty.NumberIntVal(0)")},
    };
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lc_str is = invented(arena, rows[i].id, rows[i].how, rows[i].legacy);
        ck_assert_msg(lc_str_is(is, rows[i].object), "%zu: %.*s", i, LC_FMT(is));
    }
    lc_arena_free(arena);
}
END_TEST

/* ---- A provider: x_thing with a name, a title and a slug that is made of the name. */

typedef struct peer {
    bool promises; /* the slug is known while the name is not */
    bool without;  /* the same, but only for an object that has no slug */
    size_t calls;
    lc_str last; /* the text of the last scenario */
    size_t findings, cases;
    lc_arena *arena;
    bool hangs; /* after 20 calls no plan gets a response in time */
    size_t waits;
} peer;

#define TYPE_STRING "\"type\":\"InN0cmluZyI=\"" /* "string" in base64 */
static const char schema_answer[] =
    "{\"provider\":{\"block\":{}},\"resource_schemas\":{\"x_thing\":{\"block\":{\"attributes\":["
    "{\"name\":\"name\"," TYPE_STRING ",\"required\":true},"
    "{\"name\":\"slug\"," TYPE_STRING ",\"computed\":true},"
    "{\"name\":\"title\"," TYPE_STRING ",\"optional\":true}]}}}}";

static const lc_node *parse(lc_arena *arena, lc_str json)
{
    lc_source *source = LC_NEW(arena, lc_source);
    const lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    ck_assert(lc_json_parse(source, arena, LC_STR("answer"), json, &limits, &diags) == LC_OK);
    return source->documents;
}

static const lc_type *thing_type(lc_arena *arena)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, 3);
    attrs[0] = (lc_type_attr){LC_STR("name"), &lc_type_string, false};
    attrs[1] = (lc_type_attr){LC_STR("slug"), &lc_type_string, false};
    attrs[2] = (lc_type_attr){LC_STR("title"), &lc_type_string, false};
    return lc_type_object(arena, attrs, 3);
}

static const lc_value *value_in(lc_arena *arena, const lc_node *request, const char *name)
{
    const lc_value *v = NULL;
    lc_wire_result result;
    lc_str bytes;
    ck_assert(lc_pj_bytes(&bytes, arena, lc_pj_get(request, name), "msgpack"));
    ck_assert(lc_msgpack_decode(&v, arena, bytes, thing_type(arena), &result));
    return v;
}

/* Known or not as the name is, but for the fault. */
static lc_str plan(const peer *p, lc_arena *arena, const lc_node *request)
{
    const lc_value *proposed = value_in(arena, request, "proposed_new_state");
    lc_buf bytes = {0}, base64 = {0};
    lc_value slot_of[3], planned = *proposed;
    if (lc_is_known(proposed)) {
        memcpy(slot_of, proposed->as.many.elems, sizeof slot_of);
        const lc_value *prior = value_in(arena, request, "prior_state");
        bool hole = p->without && lc_is_known(prior) && lc_is_null(&prior->as.many.elems[1]);
        bool known = lc_is_known(&slot_of[0]);
        if (p->without ? hole || (known && lc_is_known(prior)) : known || p->promises)
            lc_value_set_string(&slot_of[1], arena,
                                lc_str_printf(arena, "of %.*s",
                                              LC_FMT(known ? slot_of[0].as.string : LC_STR_EMPTY)));
        else
            lc_value_set_unknown(&slot_of[1], &lc_type_string);
        lc_value_set_object(&planned, arena, proposed->type, slot_of);
    }
    lc_msgpack_encode(&bytes, &planned, thing_type(arena));
    lc_base64_encode(&base64, lc_buf_str(&bytes));
    lc_str text = lc_str_printf(arena, "{\"planned_state\":{\"msgpack\":\"%.*s\"}}",
                                LC_FMT(lc_buf_str(&base64)));
    lc_buf_release(&bytes);
    lc_buf_release(&base64);
    return text;
}

static void answer(const peer *p, lc_live_call *out, lc_arena *arena, const lc_question *question)
{
    lc_node request;
    lc_wire_reader reader = {.arena = arena, .limits = LC_LIMITS_DEFAULT};
    lc_str name = lc_str_from_c(question->method->name), json = LC_STR("{}"), why;
    lc_buf bytes = {0};
    lc_str *response = LC_NEW(arena, lc_str);
    ck_assert(lc_wire_read(&request, &reader, question->method->request, question->request));
    if (lc_str_is(name, "GetProviderSchema"))
        json = lc_str_from_c(schema_answer);
    else if (lc_str_is(name, "PlanResourceChange"))
        json = plan(p, arena, &request);
    else if (lc_str_is(name, "UpgradeResourceState"))
        json = LC_STR("{\"diagnostics\":[{\"severity\":\"ERROR\",\"summary\":\"no\"}]}");
    ck_assert(lc_wire_write(&bytes, arena, question->method->response, parse(arena, json), &why));
    *response = lc_buf_take(arena, &bytes);
    *out = (lc_live_call){.path = LC_STR_EMPTY,
                          .responses = response,
                          .response_count = 1,
                          .status_text = LC_STR_EMPTY};
}

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    peer *p = context;
    p->calls += count;
    for (size_t i = 0; i < count; i++) {
        answer(p, &out[i], arena, &questions[i]);
        if (p->hangs && p->calls > 20 &&
            strcmp(questions[i].method->name, "PlanResourceChange") == 0) {
            out[i].status = LC_GRPC_DEADLINE_EXCEEDED;
            p->waits++;
        }
    }
}

static void judged(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                   lc_scenario *scenario, lc_str text)
{
    peer *p = context;
    ck_assert(lc_str_is(type->name, "x_thing") && scenario);
    p->cases += finding == NULL;
    p->findings += finding != NULL;
    if (finding)
        p->last = lc_str_copy(p->arena, text);
}

static bool restart(void *context, int which)
{
    (void)context;
    return which == 0;
}

/* The result of probing this provider as JSON. */
static lc_str probe(peer *p, lc_arena *arena, uint64_t most_calls)
{
    static const lc_policy policy = {.fail_on = LC_ERROR};
    lc_probe_options options = {.peer = {p, 6, ask},
                                .as = LC_TERRAFORM,
                                .policy = &policy,
                                .limits = LC_LIMITS_DEFAULT,
                                .provider = LC_STR("x"),
                                .version = LC_STR_EMPTY,
                                .command = LC_STR("lifecheck probe --provider x"),
                                .folder = LC_STR("found"),
                                .most_calls = most_calls,
                                .timeout_ms = 20000,
                                .hooks = {.context = p, .judged = judged, .restart = restart}};
    lc_str bad;
    lc_diags diags;
    lc_buf json = {0};
    p->arena = arena;
    lc_diags_init(&diags, arena);
    ck_assert(lc_laws_select(options.laws, NULL, 0, true, &bad));
    lc_prober *prober = lc_prober_open(arena, &options, &diags);
    ck_assert(prober && diags.errors == 0);
    const lc_probe_target *targets;
    size_t count = lc_prober_targets(prober, &targets, arena);
    for (size_t i = 0; i < count; i++)
        lc_prober_ask(prober, &targets[i]);
    lc_probe_add_json(&json, lc_prober_result(prober));
    return lc_buf_take(arena, &json);
}

START_TEST(an_honest_provider)
{
    lc_arena *arena = lc_arena_new();
    peer p = {0};
    lc_str json = probe(&p, arena, 0);
    lc_probe_result *r = lc_probe_from_node(arena, parse(arena, json));
    ck_assert_ptr_nonnull(r);
    ck_assert_uint_eq(r->types.count, 1);
    const lc_probe_type *t = &r->types.items[0];
    ck_assert(t->configured && t->asked_all);
    ck_assert_uint_eq(t->findings.count, 0);
    ck_assert_uint_eq(p.findings, 0);
    ck_assert_uint_eq(p.cases, 1);
    ck_assert(t->laws[LC_LAW_1].trials > 0 && t->laws[LC_LAW_16].trials > 0);
    ck_assert(t->laws[LC_LAW_17].trials == 0 && t->laws[LC_LAW_17].why.len > 0);
    lc_arena_free(arena);
}
END_TEST

/* No apply leaves an object without its slug. */
START_TEST(an_impossible_object_proves_nothing)
{
    lc_arena *arena = lc_arena_new();
    peer p = {.without = true};
    lc_str json = probe(&p, arena, 0);
    const lc_probe_type *t = &lc_probe_from_node(arena, parse(arena, json))->types.items[0];
    ck_assert_uint_eq(p.findings, 0);
    ck_assert_uint_eq(t->failing, 0);
    ck_assert_uint_eq(t->findings.count, 1);
    ck_assert_int_eq(t->findings.items[0].severity, LC_INFO);
    ck_assert(lc_str_contains(t->findings.items[0].message, LC_STR("not confirmed")));
    lc_arena_free(arena);
}
END_TEST

static bool passes(lc_arena *arena, lc_str text)
{
    lc_schema_store store;
    lc_scenario_file file;
    lc_diags diags;
    lc_judged judged_again;
    static const lc_policy policy = {.fail_on = LC_ERROR};
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, arena, LC_LIMITS_DEFAULT);
    ck_assert(lc_scenario_text_read(&file, arena, &store, LC_STR("found"), text, LC_STR_EMPTY,
                                    &diags) == LC_OK);
    ck_assert_uint_eq(file.scenarios.count, 1);
    lc_verdict_judge(&judged_again, arena, arena, file.scenarios.items[0], &policy);
    return judged_again.expectation == LC_EXPECTATION_MET && judged_again.passes;
}

START_TEST(a_broken_promise_becomes_a_small_scenario)
{
    lc_arena *arena = lc_arena_new();
    peer p = {.promises = true}, again = {.promises = true};
    lc_str json = probe(&p, arena, 0);
    const lc_probe_type *t = &lc_probe_from_node(arena, parse(arena, json))->types.items[0];
    ck_assert(t->findings.count > 0 && p.findings == t->failing);
    const lc_probe_finding *f = &t->findings.items[0];
    ck_assert(f->fails && f->law == LC_LAW_1 && f->rule == LC_RULE_FINAL_CHANGED);
    ck_assert(lc_str_is(f->place, ".slug"));
    ck_assert_uint_eq(f->leaves, 1);
    ck_assert(lc_str_contains(p.last, LC_STR("--law unknown-completes --seed 0")));
    ck_assert(passes(arena, p.last));
    ck_assert(lc_str_eq(json, probe(&again, arena, 0)) && lc_str_eq(p.last, again.last));
    lc_arena_free(arena);
}
END_TEST

START_TEST(what_was_not_asked_is_told)
{
    lc_arena *arena = lc_arena_new();
    peer p = {0};
    lc_str json = probe(&p, arena, 6);
    lc_probe_result *r = lc_probe_from_node(arena, parse(arena, json));
    lc_buf text = {0};
    ck_assert(!r->types.items[0].asked_all);
    ck_assert(r->types.items[0].laws[LC_LAW_29].trials == 0);
    lc_probe_add_text(&text, r, false);
    ck_assert(lc_str_contains(lc_buf_str(&text), LC_STR("not all laws were tried")));
    lc_buf_release(&text);
    lc_arena_free(arena);
}
END_TEST

/* Not by a clock: two runs end at the same place. */
START_TEST(a_provider_that_hangs_is_left_after_a_minute)
{
    lc_arena *arena = lc_arena_new();
    peer p = {.hangs = true};
    lc_str json = probe(&p, arena, 0);
    const lc_probe_type *t = &lc_probe_from_node(arena, parse(arena, json))->types.items[0];
    ck_assert(t->configured && !t->asked_all);
    ck_assert_uint_eq(t->hung, 3);
    ck_assert_uint_eq(p.waits, 3);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("probe");
    TCase *tests = tcase_create("probe");
    tcase_add_test(tests, laws_by_name_and_number);
    tcase_add_test(tests, laws_without_a_name);
    tcase_add_test(tests, texts_of_patterns);
    tcase_add_test(tests, values_by_name);
    tcase_add_test(tests, forms_say_what_is_set);
    tcase_add_test(tests, learns_from_messages);
    tcase_add_test(tests, learns_the_same_in_any_order);
    tcase_add_test(tests, needed_names_may_be_words);
    tcase_add_test(tests, places_are_changed);
    tcase_add_test(tests, another_spelling_is_the_same_value);
    tcase_add_test(tests, stored_objects_are_invented);
    tcase_add_test(tests, an_impossible_object_proves_nothing);
    tcase_add_test(tests, an_honest_provider);
    tcase_add_test(tests, a_broken_promise_becomes_a_small_scenario);
    tcase_add_test(tests, what_was_not_asked_is_told);
    tcase_add_test(tests, a_provider_that_hangs_is_left_after_a_minute);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
