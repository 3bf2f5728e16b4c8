/* The scenario format as a JSON Schema (draft 2020-12), for editors.
 *
 * It is made from the lists that the reader reads by (format.h), and holds what can be said without
 * knowing the schema of a resource type: which keys stand where, and what each takes. Only keywords
 * that older drafts have too are used, because editors lag behind. An editor sees a scalar with a
 * tag as its text, so that places of values take text as well. */
#include "input/forecast.h"
#include "input/internal.h"
#include "lifecheck/bug.h"
#include "lifecheck/diagnose.h"

#include <string.h>

#define CORE_VERSION "(@[0-9]([0-9.]*[0-9])?)?"

/* ---- Pieces of text. */

static void add_name(lc_buf *out, const char *text)
{
    lc_buf_add_json(out, lc_str_from_c(text), false);
}

static void add_comma(lc_buf *out, bool *any)
{
    if (*any)
        lc_buf_add_char(out, ',');
    *any = true;
}

static void add_ref(lc_buf *out, const char *prefix, const char *name, const char *help)
{
    lc_buf_printf(out, "{\"$ref\":\"#/$defs/%s%s\"", prefix, name);
    if (*help) {
        lc_buf_add_c(out, ",\"description\":");
        add_name(out, help);
    }
    lc_buf_add_char(out, '}');
}

static void add_list(lc_buf *out, const char *item, const char *also)
{
    lc_buf_add_c(out, "{\"type\":\"array\",\"items\":");
    add_ref(out, "", item, "");
    lc_buf_printf(out, "%s}", also);
}

/* ---- Words. Names of rules and diagnoses are literals, so they end with a NUL. */

static const char *rule_word(size_t i)
{
    return i < LC_RULE_COUNT ? lc_rule_get((lc_rule)i)->slug.ptr : NULL;
}

static const char *diagnosis_word(size_t i)
{
    if (i == 0)
        return "none";
    return i <= lc_diagnosis_count() ? lc_diagnosis_get(i - 1)->name.ptr : NULL;
}

static const char *effect_word(size_t i)
{
    return i < LC_EFFECT_ERROR_UNLESS_LEGACY ? lc_effect_name((lc_effect)i) : NULL;
}

static const char *rpc_word(size_t i)
{
    lc_call_kind kind;
    const char *name = lc_word_rpc(i, &kind);
    bool behind = !name && (i == 0 || lc_word_rpc(i - 1, &kind));
    return behind ? "GenerateResourceConfig" : name;
}

/* Lists as in plans, and the one word of those that have no other. */
static void add_plan_actions(lc_buf *out)
{
    lc_buf_add_c(out, "{\"enum\":[");
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        lc_str list = lc_str_from_c(lc_plan_action_text((lc_plan_action)a));
        lc_buf_printf(out, "%s%.*s", a > LC_PLAN_NOOP ? "," : "", LC_FMT(list));
        if (!memchr(list.ptr, ',', list.len))
            lc_buf_printf(out, ",%.*s", LC_FMT(lc_str_sub(list, 1, list.len - 1)));
    }
    lc_buf_add_c(out, "]}");
}

/* ---- Definitions. */

typedef struct definition {
    const char *name;
    const char *json;              /* the schema itself, or */
    const char *const *words;      /* one of these, or */
    const char *(*word)(size_t i); /* one of these words, or */
    void (*write)(lc_buf *out);    /* what this writes, or */
    const lc_keyset *keys;         /* a mapping with these keys, or */
    const char *item;              /* a list of these definitions, or */
    const char *each;              /* a mapping from any key to this definition */
    const char *also;              /* further members */
    bool nullable;
} definition;

static void add_words(lc_buf *out, const definition *d)
{
    const char *word;
    lc_buf_add_c(out, "{\"enum\":[");
    for (size_t i = 0; (word = d->words ? d->words[i] : d->word(i)); i++) {
        lc_buf_add_c(out, i ? "," : "");
        add_name(out, word);
    }
    lc_buf_add_c(out, "]}");
}

#define MARKED                                                                                     \
    "^$|^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^\\\\s*([\\\\[{]|null)"
#define FORM_OF_SCHEMA                                                                             \
    ",\"if\":{\"anyOf\":[{\"required\":[\"file\"]},{\"required\":[\"cloudformation\"],"            \
    "\"properties\":{\"block\":false}}]},"                                                         \
    "\"then\":{\"properties\":{\"version\":false,"                                                 \
    "\"block\":false,\"identity\":false,\"identity_version\":false,\"functions\":false},"          \
    "\"anyOf\":[{\"required\":[\"type\"]},{\"required\":[\"cloudformation\"]},"                    \
    "{\"required\":[\"kind\"],\"properties\":"                                                     \
    "{\"kind\":{\"const\":\"provider\"}}}]},\"else\":{\"properties\":{\"file\":false,"             \
    "\"provider\":false,\"type\":false},\"anyOf\":[{\"required\":[\"block\"]},"                    \
    "{\"required\":[\"identity\"]},{\"required\":[\"functions\"]}],"                               \
    "\"if\":{\"required\":[\"as\"]},\"then\":{\"required\":[\"cloudformation\"]}}"
#define ONE_FOR_EACH(what)                                                                         \
    "{\"anyOf\":[{\"$ref\":\"#/$defs/" what "\"},{\"type\":\"object\",\"patternProperties\":"      \
    "{\"^(opentofu|terraform)" CORE_VERSION "$\":{\"$ref\":\"#/$defs/" what "\"}},"                \
    "\"additionalProperties\":false,\"minProperties\":1}]}"

#define OR_NULL(what) "{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#/$defs/" what "\"}]}"

static const definition definitions[LC_SHAPE_COUNT_OF_SHAPES] = {
    [LC_SHAPE_CLOUDFORMATION] = {"cloudformation", .json = "{\"type\":[\"string\",\"object\"]}"},
    [LC_SHAPE_ANYTHING] = {"anything", .json = "true"},
    [LC_SHAPE_RESERVED] = {"reserved", .json = "{\"not\":{}}"},
    [LC_SHAPE_VERSION] = {"version", .json = "{\"const\":1}"},
    [LC_SHAPE_NAME] = {"name",
                       .json = "{\"type\":[\"string\",\"number\",\"boolean\"],\"minLength\":1}"},
    [LC_SHAPE_TEXT] = {"text", .json = "{\"type\":[\"string\",\"number\",\"boolean\"]}"},
    [LC_SHAPE_REASON] = {"reason",
                         .json = "{\"type\":[\"string\",\"number\",\"boolean\"],\"minLength\":1}"},
    [LC_SHAPE_FLAG] = {"flag", .json = "{\"type\":\"boolean\"}"},
    [LC_SHAPE_COUNT] = {"count", .json = "{\"type\":\"integer\",\"minimum\":0}"},
    [LC_SHAPE_NUMBER] = {"whole-number", .json = "{\"type\":[\"integer\",\"null\"]}"},
    [LC_SHAPE_DAY] = {"day", .json = "{\"type\":\"string\","
                                     "\"pattern\":\"^[0-9]{4}-[0-9]{2}-[0-9]{2}$\"}"},
    [LC_SHAPE_BYTES] = {"bytes", .json =
                                     "{\"type\":[\"string\",\"number\",\"boolean\",\"object\"],"
                                     "\"properties\":{\"$text\":{\"$ref\":\"#/$defs/text\"}},"
                                     "\"required\":[\"$text\"],\"additionalProperties\":false,"
                                     "\"description\":\"base64, or !text and the text itself\"}"},
    [LC_SHAPE_PATH] = {"path", .json = "{\"type\":\"string\",\"pattern\":\"^[.]\",\"description\":"
                                       "\"as '.list[0].leaf'; '.' is the whole object\"}"},
    [LC_SHAPE_PATHS] = {"paths", .item = "path"},
    [LC_SHAPE_IGNORE_CHANGES] = {"ignore-changes", .json = "{\"anyOf\":[{\"const\":\"all\"},"
                                                           "{\"$ref\":\"#/$defs/paths\"}]}"},
    [LC_SHAPE_DEPOSED] = {"deposed", .json = "{\"type\":[\"boolean\",\"string\",\"number\"]}"},
    [LC_SHAPE_OBJECT] = {"object", .json = "{\"type\":[\"object\",\"null\",\"string\"],"
                                           "\"pattern\":\"" MARKED "\",\"description\":"
                                           "\"a value by the schema; text behind a marker only\"}"},
    [LC_SHAPE_RULE] = {"rule", .word = rule_word},
    [LC_SHAPE_RULES] = {"rules", .json = "{\"anyOf\":[{\"$ref\":\"#/$defs/rule\"},"
                                         "{\"type\":\"string\",\"pattern\":\"[*?]\"}]}"},
    [LC_SHAPE_RULES_LIST] = {"list-of-rules", .item = "rules"},
    [LC_SHAPE_CALL_NAME] = {"call-name", .words = lc_call_kind_names},
    [LC_SHAPE_DIAGNOSIS] = {"diagnosis", .word = diagnosis_word},
    [LC_SHAPE_EFFECT] = {"effect", .word = effect_word},
    [LC_SHAPE_ACTION_NAME] = {"action-name", .words = lc_action_names + LC_ACTION_NOOP},
    [LC_SHAPE_ACTIONS] = {"actions", .json = ONE_FOR_EACH("action-name")},
    [LC_SHAPE_SEVERITY] = {"severity", .words = lc_severity_words},
    [LC_SHAPE_STATUS_CODE] = {"status-code", .words = lc_status_code_names},
    [LC_SHAPE_RPC] = {"rpc", .word = rpc_word},
    [LC_SHAPE_PHASE] = {"phase", .words = lc_phase_names},
    [LC_SHAPE_DATA_PHASE] = {"phase-of-a-data-source", .words = lc_data_phase_names},
    [LC_SHAPE_LEG] = {"leg", .words = lc_leg_names},
    [LC_SHAPE_SCHEMA_KIND] = {"kind", .words = lc_schema_kind_names},
    [LC_SHAPE_STORED] = {"stored-state", .keys = &lc_stored_keys, .nullable = true},
    [LC_SHAPE_CAPABILITIES] = {"capabilities", .keys = &lc_capability_keys},
    [LC_SHAPE_CLOUD_CONTROL] = {"cloud-control", .keys = &lc_cloud_control_keys},
    [LC_SHAPE_DIAGNOSTIC] = {"diagnostic", .keys = &lc_diagnostic_keys},
    [LC_SHAPE_DIAGNOSTICS] = {"diagnostics", .item = "diagnostic"},
    [LC_SHAPE_STATUS] = {"status", .keys = &lc_status_keys},
    [LC_SHAPE_DEFERRED] = {"deferred", .keys = &lc_deferred_keys, .nullable = true},
    [LC_SHAPE_IMPORTED] = {"imported-object", .keys = &lc_imported_keys},
    [LC_SHAPE_IMPORTED_LIST] = {"imported-objects", .item = "imported-object"},
    [LC_SHAPE_EVENT] = {"event", .keys = &lc_event_keys,
                        .also = ",\"minProperties\":1,\"maxProperties\":1"},
    [LC_SHAPE_EVENTS] = {"events", .json = "{\"type\":[\"array\",\"null\"],"
                                           "\"items\":{\"$ref\":\"#/$defs/event\"}}"},
    [LC_SHAPE_PROGRESS] = {"progress", .keys = &lc_progress_keys},
    [LC_SHAPE_COMPLETED] = {"completed", .keys = &lc_completed_keys},
    [LC_SHAPE_EXPECT] = {"expectation", .keys = &lc_expect_keys, .also = ",\"minProperties\":1"},
    [LC_SHAPE_FINDING] = {"expected-finding", .keys = &lc_finding_keys,
                          .also = ",\"patternProperties\":{\"^(opentofu|terraform)" CORE_VERSION
                                  "$\":{\"$ref\":\"#/$defs/effect\"}}"},
    [LC_SHAPE_FINDINGS] = {"expected-findings", .item = "expected-finding"},
    [LC_SHAPE_IGNORE] = {"accepted-finding", .keys = &lc_ignore_keys},
    [LC_SHAPE_IGNORES] = {"accepted-findings", .item = "accepted-finding"},
    [LC_SHAPE_KNOWN_FAILING] = {"known-failing", .keys = &lc_failing_keys},
    [LC_SHAPE_SCHEMA] = {"schema", .keys = &lc_schema_keys, .also = FORM_OF_SCHEMA},
    [LC_SHAPE_BLOCK] = {"block-of-a-schema", .json = OR_NULL("block")},
    [LC_SHAPE_IDENTITY] = {"identity-of-a-schema", .json = OR_NULL("identity")},
    [LC_SHAPE_FUNCTIONS] = {"functions", .json = "{\"type\":[\"object\",\"null\"],"
                                                 "\"additionalProperties\":"
                                                 "{\"$ref\":\"#/$defs/function\"}}"},
    [LC_SHAPE_STRING] = {"string", .json = "{\"type\":\"string\"}"},
    [LC_SHAPE_STRINGS] = {"strings", .item = "string"},
    [LC_SHAPE_MAPPING] = {"mapping", .json = "{\"type\":\"object\"}"},
    [LC_SHAPE_PROFILE] = {"profile", .words = lc_profile_names},
    [LC_SHAPE_CLIENT] = {"client", .words = lc_core_names},
    [LC_SHAPE_PLAN_MODE] = {"mode-of-a-plan", .words = lc_plan_mode_names + LC_PLAN_NORMAL},
    [LC_SHAPE_BEHAVIOR] = {"behavior", .words = lc_behavior_names},
    [LC_SHAPE_PLAN_ACTIONS] = {"actions-of-a-plan", .write = add_plan_actions},
    [LC_SHAPE_USER] = {"resource-in-short", .keys = &lc_user_keys},
    [LC_SHAPE_MODULE_USER] = {"module-in-short", .keys = &lc_module_user_keys},
    [LC_SHAPE_USERS] = {"resources-in-short",
                        .json = "{\"type\":\"object\",\"patternProperties\":"
                                "{\"^(.*[.])?module[.][^.\\\\[]+(\\\\[[^\\\\]]*\\\\])?$\":"
                                "{\"$ref\":\"#/$defs/module-in-short\"}},\"additionalProperties\":"
                                "{\"$ref\":\"#/$defs/resource-in-short\"}}"},
    [LC_SHAPE_CONFIGURATION] = {"configuration",
                                .json = "{\"type\":\"object\",\"properties\":{\"resources\":"
                                        "{\"$ref\":\"#/$defs/resources-in-short\"}}}"},
    [LC_SHAPE_ANSWER] = {"answer", .keys = &lc_answer_keys},
    [LC_SHAPE_ANSWERS] = {"answers", .each = "answer"},
    [LC_SHAPE_READ_OBJECT] = {"read-object", .json = "{\"anyOf\":[{\"const\":\"gone\"},"
                                                     "{\"$ref\":\"#/$defs/object\"}]}"},
    [LC_SHAPE_STORED_OBJECT] = {"stored-object", .keys = &lc_stored_object_keys},
    [LC_SHAPE_STORED_OBJECTS] = {"stored-objects", .each = "stored-object"},
    [LC_SHAPE_STATE] = {"state", .json = "{\"type\":\"object\",\"if\":{\"required\":"
                                         "[\"version\"]},\"else\":"
                                         "{\"$ref\":\"#/$defs/stored-objects\"}}"},
    [LC_SHAPE_PREDICTED] = {"predicted", .keys = &lc_predicted_keys, .nullable = true},
    [LC_SHAPE_PREDICTIONS] = {"predictions", .each = "predicted"},
    [LC_SHAPE_PROVIDER_BLOCKS] = {"provider-blocks",
                                  .json = "{\"type\":\"array\",\"items\":{\"type\":\"object\","
                                          "\"required\":[\"name\"],\"properties\":{\"name\":"
                                          "{\"$ref\":\"#/$defs/text\"},\"module\":"
                                          "{\"$ref\":\"#/$defs/text\"}}}}"},
    [LC_SHAPE_PROVIDER_STATE] = {"state-of-providers",
                                 .json = "{\"type\":\"object\",\"if\":{\"required\":"
                                         "[\"resources\"]},\"else\":{\"additionalProperties\":"
                                         "{\"$ref\":\"#/$defs/text\"}}}"},
    [LC_SHAPE_PROVIDER_EXPECT] = {"expected-providers",
                                  .json = "{\"type\":\"object\",\"additionalProperties\":{\"type\":"
                                          "[\"string\",\"number\",\"boolean\",\"null\"]}}"},
    [LC_SHAPE_STEPS] = {"steps", .item = "providers"},
    [LC_SHAPE_PLANNING] = {"planning", .keys = &lc_planning_keys},
    [LC_SHAPE_PROVIDERS] = {"providers", .keys = &lc_provider_keys},
    [LC_SHAPE_CALLS] = {"calls", .item = "call"},
    [LC_SHAPE_MESSAGE] = {"message", .json = "{\"type\":\"object\"}"},
    [LC_SHAPE_GENERATED] = {"generated-configuration", .keys = &lc_generated_keys},
    [LC_SHAPE_RUNS] = {"runs", .item = "run", .also = ",\"minItems\":1"},
    [LC_SHAPE_CASES] = {"cases", .item = "case", .also = ",\"minItems\":1"},
};

static void add_required(lc_buf *out, const lc_keyset *keys)
{
    bool any = false;
    for (size_t i = 0; i < keys->count; i++) {
        if (!keys->rows[i].required)
            continue;
        lc_buf_add_c(out, any ? "" : ",\"required\":[");
        add_comma(out, &any);
        add_name(out, keys->rows[i].name);
    }
    lc_buf_add_c(out, any ? "]" : "");
}

static void add_rows(lc_buf *out, const lc_keyset *keys, bool *any)
{
    for (size_t i = 0; i < keys->count; i++) {
        const lc_key_row *row = &keys->rows[i];
        add_comma(out, any);
        add_name(out, row->name);
        lc_buf_add_char(out, ':');
        add_ref(out, "", definitions[row->shape].name, row->help);
    }
}

static void add_mapping(lc_buf *out, const definition *d)
{
    bool any = false;
    lc_buf_printf(out, "{\"type\":%s,\"properties\":{",
                  d->nullable ? "[\"object\",\"null\"]" : "\"object\"");
    add_rows(out, d->keys, &any);
    lc_buf_add_char(out, '}');
    add_required(out, d->keys);
    lc_buf_printf(out, ",\"additionalProperties\":false%s}", d->also ? d->also : "");
}

static void add_map(lc_buf *out, const definition *d)
{
    lc_buf_add_c(out, "{\"type\":\"object\",\"additionalProperties\":");
    add_ref(out, "", d->each, "");
    lc_buf_add_char(out, '}');
}

/* What has a definition in the table; the others are made of several lists below. */
static void add_definitions(lc_buf *out, bool *any)
{
    for (size_t i = 0; i < LC_SHAPE_COUNT_OF_SHAPES; i++) {
        const definition *d = &definitions[i];
        if (!d->name)
            continue;
        add_comma(out, any);
        add_name(out, d->name);
        lc_buf_add_char(out, ':');
        if (d->json)
            lc_buf_add_c(out, d->json);
        else if (d->words || d->word)
            add_words(out, d);
        else if (d->write)
            d->write(out);
        else if (d->keys)
            add_mapping(out, d);
        else if (d->each)
            add_map(out, d);
        else
            add_list(out, d->item, d->also ? d->also : "");
    }
}

/* ---- Schemas written in place. */

static const char *const part_names[LC_PART_COUNT] = {
    [LC_PART_BLOCK] = "block",
    [LC_PART_ATTRIBUTE] = "attribute",
    [LC_PART_NESTED_TYPE] = "nested-type",
    [LC_PART_BLOCK_TYPE] = "block-type",
    [LC_PART_IDENTITY] = "identity",
    [LC_PART_IDENTITY_ATTRIBUTE] = "identity-attribute",
    [LC_PART_FUNCTION] = "function",
    [LC_PART_PARAMETER] = "parameter",
};

static void add_nestings(lc_buf *out)
{
    lc_buf_add_c(out, "{\"enum\":[");
    for (int n = LC_NESTING_SINGLE; n <= LC_NESTING_MAP; n++)
        lc_buf_printf(out, "\"%s\",", lc_nesting_name((lc_nesting)n));
    lc_buf_add_c(out, "\"invalid\"]}");
}

static void add_part_key(lc_buf *out, const lc_schema_key *key)
{
    switch (key->takes) {
    case LC_TAKES_ANYTHING:
        lc_buf_add_c(out, "true");
        return;
    case LC_TAKES_FLAG:
        lc_buf_add_c(out, "{\"type\":[\"boolean\",\"null\"]}");
        return;
    case LC_TAKES_NUMBER:
        lc_buf_add_c(out, "{\"type\":[\"integer\",\"null\"]}");
        return;
    case LC_TAKES_TEXT:
        lc_buf_add_c(out, "{\"type\":[\"string\",\"null\"]}");
        return;
    case LC_TAKES_TYPE:
        lc_buf_add_c(out, "{\"type\":[\"string\",\"array\",\"null\"],\"description\":"
                          "\"as list(string), or type JSON\"}");
        return;
    case LC_TAKES_NESTING:
        add_nestings(out);
        return;
    case LC_TAKES_PART:
        lc_buf_add_c(out, "{\"anyOf\":[{\"type\":\"null\"},");
        add_ref(out, "", part_names[key->part], "");
        lc_buf_add_c(out, "]}");
        return;
    case LC_TAKES_PARTS:
        lc_buf_add_c(out, "{\"type\":[\"object\",\"null\"],\"additionalProperties\":");
        add_ref(out, "", part_names[key->part], "");
        lc_buf_add_char(out, '}');
        return;
    case LC_TAKES_LIST:
        lc_buf_add_c(out, "{\"type\":[\"array\",\"null\"],\"items\":");
        add_ref(out, "", part_names[key->part], "");
        lc_buf_add_char(out, '}');
        return;
    }
    LC_UNREACHABLE();
}

static void add_part(lc_buf *out, lc_schema_part part)
{
    size_t count;
    const lc_schema_key *keys = lc_schema_part_keys(part, &count);
    bool any = false, nests = false;
    add_name(out, part_names[part]);
    lc_buf_add_c(out, ":{\"type\":\"object\",\"properties\":{");
    for (size_t i = 0; i < count; i++) {
        add_comma(out, &any);
        add_name(out, keys[i].name);
        lc_buf_add_char(out, ':');
        add_part_key(out, &keys[i]);
        nests |= keys[i].takes == LC_TAKES_NESTING;
    }
    lc_buf_printf(out, "}%s,\"additionalProperties\":false}",
                  nests ? ",\"required\":[\"nesting_mode\"]" : "");
}

static void add_parts(lc_buf *out)
{
    for (int part = 0; part < LC_PART_COUNT; part++) {
        lc_buf_add_char(out, ',');
        add_part(out, (lc_schema_part)part);
    }
}

/* ---- Calls. */

static void add_fields(lc_buf *out, lc_call_kind kind, unsigned form)
{
    lc_call_field field;
    bool any = false;
    lc_buf_add_c(out, ":{\"type\":\"object\",\"properties\":{");
    for (size_t i = 0; lc_call_field_get(&field, i); i++) {
        if (!(field.calls & LC_CALL_BIT(kind)) || !(field.forms & form))
            continue;
        add_comma(out, &any);
        add_name(out, field.name);
        lc_buf_add_char(out, ':');
        add_ref(out, "", definitions[field.shape].name, "");
    }
    lc_buf_add_c(out, "},\"additionalProperties\":false}");
}

static void add_groups(lc_buf *out)
{
    for (int kind = 0; kind < LC_CALL_KIND_COUNT; kind++) {
        lc_buf_printf(out, ",\"group-%s\"", lc_call_kind_name((lc_call_kind)kind));
        add_fields(out, (lc_call_kind)kind, LC_FORM_GROUP);
    }
}

/* The kinds that one RPC can be (a plan, a final plan, ...) have the same fields there. */
static void add_messages(lc_buf *out)
{
    lc_call_kind kind;
    const char *rpc;
    for (size_t i = 0; (rpc = lc_word_rpc(i, &kind)); i++) {
        lc_buf_printf(out, ",\"request-of-%s\"", rpc);
        add_fields(out, kind, LC_FORM_REQUEST);
        lc_buf_printf(out, ",\"response-of-%s\"", rpc);
        add_fields(out, kind, LC_FORM_RESPONSE);
    }
}

static void add_call(lc_buf *out)
{
    lc_call_kind kind;
    const char *rpc;
    lc_buf also = {0};
    lc_buf_add_c(&also, ",\"allOf\":[");
    for (size_t i = 0; (rpc = lc_word_rpc(i, &kind)); i++)
        lc_buf_printf(&also,
                      "{\"if\":{\"properties\":{\"rpc\":{\"const\":\"%s\"}}},\"then\":"
                      "{\"properties\":{\"request\":{\"$ref\":\"#/$defs/request-of-%s\"},"
                      "\"response\":{\"$ref\":\"#/$defs/response-of-%s\"}}}},",
                      rpc, rpc, rpc);
    lc_buf_printf(&also,
                  "{\"if\":{\"properties\":{\"rpc\":{\"const\":\"GenerateResourceConfig\"}}},"
                  "\"then\":{\"properties\":{\"response\":{\"$ref\":\"#/$defs/%s\"}}}}]",
                  definitions[LC_SHAPE_GENERATED].name);
    lc_buf_add_char(&also, '\0');
    definition d = {.keys = &lc_call_keys, .also = lc_buf_str(&also).ptr};
    lc_buf_add_c(out, ",\"call\":");
    add_mapping(out, &d);
    lc_buf_release(&also);
}

/* ---- Documents, cases and runs. */

static void add_case_key(lc_buf *out, lc_case_key key)
{
    lc_shape shape = lc_key_shape(key);
    const char *name = lc_key_name(key), *help = lc_key_help(key);
    if (shape == LC_SHAPE_GROUP) {
        add_ref(out, "group-", name, help);
    } else if (shape == LC_SHAPE_GROUPS) {
        lc_buf_printf(
            out, "{\"description\":\"%s\",\"if\":{\"type\":\"array\"},\"then\":{\"items\":", help);
        add_ref(out, "group-", name, "");
        lc_buf_add_c(out, "},\"else\":");
        add_ref(out, "group-", name, "");
        lc_buf_add_char(out, '}');
    } else {
        add_ref(out, "", definitions[shape].name, help);
    }
}

static void add_place(lc_buf *out, const char *name, unsigned place, const char *also)
{
    bool any = false;
    lc_buf_printf(out, ",\"%s\":{\"type\":\"object\",\"properties\":{", name);
    for (int key = 0; key < LC_KEY_COUNT; key++) {
        if (!lc_key_is_allowed(lc_key_flags((lc_case_key)key), place))
            continue;
        add_comma(out, &any);
        add_name(out, lc_key_name((lc_case_key)key));
        lc_buf_add_char(out, ':');
        add_case_key(out, (lc_case_key)key);
    }
    lc_buf_printf(out, "},\"additionalProperties\":false%s}", also);
}

static void add_places(lc_buf *out)
{
    add_place(out, "run", LC_AT_RUN, "");
    add_place(out, "case", LC_AT_CASE, "");
    add_place(out, "document", LC_AT_DOCUMENT,
              ",\"patternProperties\":{\"^x-\":true},\"required\":[\"lifecheck\"],"
              "\"anyOf\":[{\"required\":[\"schema\"]},{\"required\":[\"cases\"]},"
              "{\"required\":[\"runs\"]},{\"required\":[\"planning\"]},"
              "{\"required\":[\"providers\"]}]");
}

/* ---- Layout: lists of words are filled, what is flat and short stays on its line. */

#define COLUMNS 100

typedef struct layout {
    lc_buf *out;
    size_t depth, line; /* where the line begins */
    size_t flat;        /* up to here there are no breaks */
    bool words;         /* in a list of words */
} layout;

static void break_line(layout *l)
{
    if (l->out->len && l->out->ptr[l->out->len - 1] == ' ')
        l->out->len--;
    lc_buf_add_char(l->out, '\n');
    l->line = l->out->len;
    for (size_t i = 0; i < l->depth; i++)
        lc_buf_add_c(l->out, "  ");
}

static size_t text_end(lc_str json, size_t at)
{
    for (at++; at < json.len && json.ptr[at] != '"'; at++)
        at += json.ptr[at] == '\\';
    return at + 1;
}

/* The end of what opens at `at`, if it holds no other bracket and fits into the line; else 0. */
static size_t flat_end(const layout *l, lc_str json, size_t at)
{
    size_t end = at + 1, room = COLUMNS - (l->out->len - l->line);
    while (end < json.len && !memchr("{}[]", json.ptr[end], 4))
        end = json.ptr[end] == '"' ? text_end(json, end) : end + 1;
    bool closed = end < json.len && (json.ptr[end] == '}' || json.ptr[end] == ']');
    return closed && end - at < room ? end + 1 : 0;
}

static void add_bracket(layout *l, lc_str json, size_t at)
{
    char c = json.ptr[at];
    bool opens = c == '{' || c == '[', words = l->words;
    size_t flat = opens ? flat_end(l, json, at) : 0;
    l->words = c == '[' && !flat && json.ptr[at + 1] == '"';
    l->flat = flat ? flat : l->flat;
    if (at < l->flat) {
        lc_buf_add_char(l->out, c);
        return;
    }
    l->depth -= !opens;
    if (!opens && !words)
        break_line(l);
    lc_buf_add_char(l->out, c);
    l->depth += opens;
    if (opens)
        break_line(l);
}

static void add_mark(layout *l, char c, bool flat)
{
    lc_buf_add_char(l->out, c);
    if (c == ',' && !l->words && !flat)
        break_line(l);
    else if (c == ':' || c == ',')
        lc_buf_add_char(l->out, ' ');
}

static void lay_out(lc_buf *out, lc_str json)
{
    layout l = {.out = out};
    for (size_t at = 0; at < json.len;) {
        size_t end = at + 1;
        if (json.ptr[at] == '"') {
            end = text_end(json, at);
            if (l.words && out->len - l.line + (end - at) > COLUMNS)
                break_line(&l);
            lc_buf_add_str(out, lc_str_sub(json, at, end));
        } else if (memchr("{}[]", json.ptr[at], 4)) {
            add_bracket(&l, json, at);
        } else {
            add_mark(&l, json.ptr[at], at < l.flat);
        }
        at = end;
    }
    lc_buf_add_char(out, '\n');
}

void lc_scenario_json_schema(lc_buf *out)
{
    lc_buf json = {0};
    bool any = false;
    lc_buf_add_c(&json, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
                        "\"title\":\"lifecheck scenario, format 1\",\"description\":"
                        "\"Made by: lifecheck schema scenario\","
                        "\"if\":{\"type\":\"array\"},\"then\":{\"items\":"
                        "{\"$ref\":\"#/$defs/document\"},\"minItems\":1},"
                        "\"else\":{\"$ref\":\"#/$defs/document\"},\"$defs\":{");
    add_definitions(&json, &any);
    add_parts(&json);
    add_groups(&json);
    add_messages(&json);
    add_call(&json);
    add_places(&json);
    lc_buf_add_c(&json, "}}");
    lay_out(out, lc_buf_str(&json));
    lc_buf_release(&json);
}
