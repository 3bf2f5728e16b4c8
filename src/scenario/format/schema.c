/* The scenario format as a JSON Schema (draft 2020-12), for editors.
 *
 * It is made from the same lists that the reader uses (format.h). It holds what does not depend on
 * the schema of a resource type: which keys are allowed where, and what each accepts. It uses only
 * keywords that older drafts have as well, because editors do not support the newest ones. An
 * editor shows a YAML scalar with a tag (!unknown) as plain text, so text is allowed wherever a
 * value is. */
#include "lifecheck/base/bug.h"
#include "lifecheck/base/json.h"
#include "lifecheck/diagnose/diagnose.h"
#include "lifecheck/wire/grpc_status.h"
#include "scenario/internal.h"
#include "scenario/planning/answers_in_plan.h"

#include <string.h>

#define COLUMNS      100 /* of the lines it is printed in */
#define CORE_VERSION "(@[0-9]([0-9.]*[0-9])?)?"

/* ---- Pieces. */

/* "key": a reference to a definition, with a description unless `help` is empty. */
static void add_ref(lc_json *w, const char *key, const char *prefix, const char *name,
                    const char *help)
{
    lc_buf target = {0};
    lc_buf_printf(&target, "#/$defs/%s%s", prefix, name);
    lc_json_object(w, key);
    lc_json_str(w, "$ref", lc_buf_str(&target));
    if (*help) {
        lc_json_c(w, "title", key);
        lc_json_c(w, "description", help);
    }
    lc_json_end_object(w);
    lc_buf_release(&target);
}

static void begin_object(lc_json *w, const char *key)
{
    lc_json_object(w, key);
    lc_json_c(w, "type", "object");
}

/* "type": either of the two. */
static void add_types(lc_json *w, const char *type, const char *other)
{
    lc_json_array(w, "type");
    lc_json_c(w, NULL, type);
    lc_json_c(w, NULL, other);
    lc_json_end_array(w);
}

/* ---- Words. Names of diagnoses are string literals, so they end with a NUL. */

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

/* GenerateResourceConfig is not a separate call kind (its response belongs to the import), so it is
 * added after the last RPC of the list. */
static const char *rpc_word(size_t i)
{
    lc_call_kind kind;
    const char *name = lc_word_rpc(i, &kind);
    bool behind = !name && (i == 0 || lc_word_rpc(i - 1, &kind));
    return behind ? "GenerateResourceConfig" : name;
}

/* Editors show the title and description of the one alternative that holds; of an enum they would
 * list all rules. */
static void add_rules(lc_json *w)
{
    lc_json_object(w, NULL);
    lc_json_array(w, "anyOf");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        const lc_rule_info *info = lc_rule_get((lc_rule)rule);
        lc_json_object(w, NULL);
        lc_json_str(w, "const", info->slug);
        lc_json_str(w, "title", info->title);
        lc_json_str(w, "description", info->requirement);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
    lc_json_end_object(w);
}

static void add_action_names(lc_json *w)
{
    lc_json_object(w, NULL);
    lc_json_array(w, "enum");
    for (const lc_plan_action_name *n = lc_plan_action_names; n->name; n++)
        lc_json_c(w, NULL, n->name);
    lc_json_end_array(w);
    lc_json_end_object(w);
}

/* One name, or a list of them. */
static void add_action_set(lc_json *w)
{
    lc_json_object(w, NULL);
    lc_json_array(w, "anyOf");
    add_action_names(w);
    lc_json_object(w, NULL);
    lc_json_c(w, "type", "array");
    lc_json_uint(w, "minItems", 1);
    lc_json_bool(w, "uniqueItems", true);
    lc_json_key(w, LC_STR("items"));
    add_action_names(w);
    lc_json_end_object(w);
    lc_json_end_array(w);
    lc_json_end_object(w);
}

/* Lists of actions as plans print them, and names; an action that is alone may be written without
 * the list. */
static void add_plan_actions(lc_json *w)
{
    lc_json_object(w, NULL);
    lc_json_array(w, "anyOf");
    lc_json_object(w, NULL);
    lc_json_array(w, "enum");
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++)
        lc_json_raw(w, NULL, lc_str_from_c(lc_plan_action_text((lc_plan_action)a)));
    lc_json_end_array(w);
    lc_json_end_object(w);
    lc_json_raw(w, NULL, LC_STR("{\"$ref\":\"#/$defs/set-of-actions\"}"));
    lc_json_end_array(w);
    lc_json_end_object(w);
}

/* ---- Definitions. */

typedef struct member {
    const char *key, *json;
} member;

/* One definition of the JSON Schema. Exactly one of `json` to `each` is set. */
typedef struct definition {
    const char *name;
    const char *json;              /* the schema itself, or */
    const char *const *words;      /* one of these, or */
    const char *(*word)(size_t i); /* one of these words, or */
    void (*write)(lc_json *w);     /* what this writes, or */
    const lc_keyset *keys;         /* a mapping with these keys, or */
    const char *item;              /* a list of these definitions, or */
    const char *each;              /* a mapping from any key to this definition */
    member also[4];                /* further members, the last without a key */
    bool nullable;
} definition;

static void add_words(lc_json *w, const definition *d)
{
    const char *word;
    lc_json_object(w, NULL);
    lc_json_array(w, "enum");
    for (size_t i = 0; (word = d->words ? d->words[i] : d->word(i)); i++)
        lc_json_c(w, NULL, word);
    lc_json_end_array(w);
    lc_json_end_object(w);
}

#define IF_FROM_FILE                                                                               \
    "{\"anyOf\":[{\"required\":[\"file\"]},{\"required\":[\"cloudformation\"],"                    \
    "\"properties\":{\"block\":false}}]}"
#define FROM_FILE                                                                                  \
    "{\"properties\":{\"version\":false,"                                                          \
    "\"block\":false,\"identity\":false,\"identity_version\":false,\"functions\":false},"          \
    "\"anyOf\":[{\"required\":[\"type\"]},{\"required\":[\"cloudformation\"]},"                    \
    "{\"required\":[\"kind\"],\"properties\":"                                                     \
    "{\"kind\":{\"const\":\"provider\"}}}]}"
#define IN_PLACE                                                                                   \
    "{\"properties\":{\"file\":false,"                                                             \
    "\"provider\":false,\"type\":false},\"anyOf\":[{\"required\":[\"block\"]},"                    \
    "{\"required\":[\"identity\"]},{\"required\":[\"functions\"]}],"                               \
    "\"if\":{\"required\":[\"as\"]},\"then\":{\"required\":[\"cloudformation\"]}}"
#define ONE_FOR_EACH(what)                                                                         \
    "{\"anyOf\":[{\"$ref\":\"#/$defs/" what "\"},{\"type\":\"object\",\"patternProperties\":"      \
    "{\"^(opentofu|terraform)" CORE_VERSION "$\":{\"$ref\":\"#/$defs/" what "\"}},"                \
    "\"additionalProperties\":false,\"minProperties\":1}]}"

/* What is allowed is given in one way, and there may be exceptions. */
#define ALLOWED                                                                                    \
    "[{\"required\":[\"actions\"],\"properties\":{\"any_of\":false}},"                             \
    "{\"required\":[\"any_of\"],\"properties\":{\"actions\":false}},"                              \
    "{\"required\":[\"not\"],\"properties\":{\"actions\":false,\"any_of\":false}}]"
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
                                     "\"description\":\"base64, or !text and the string itself\"}"},
    [LC_SHAPE_PATH] = {"path", .json = "{\"type\":\"string\",\"pattern\":\"^[.]\",\"description\":"
                                       "\"as '.list[0].leaf'; '.' is the whole object\"}"},
    [LC_SHAPE_PATHS] = {"paths", .item = "path"},
    [LC_SHAPE_IGNORE_CHANGES] = {"ignore-changes", .json = "{\"anyOf\":[{\"const\":\"all\"},"
                                                           "{\"$ref\":\"#/$defs/paths\"}]}"},
    [LC_SHAPE_DEPOSED] = {"deposed", .json = "{\"type\":[\"boolean\",\"string\",\"number\"]}"},
    [LC_SHAPE_OBJECT] = {"object",
                         .json = "{\"type\":[\"object\",\"null\",\"string\"],"
                                 "\"pattern\":\"" LC_MARKED_TEXT "\",\"description\":"
                                 "\"a value by the schema; a plain string only after a tag\"}"},
    [LC_SHAPE_VALUE] = {"value", .json = "{\"$ref\":\"#/$defs/object\"}"},
    [LC_SHAPE_IDENTITY_VALUE] = {"identity-value", .json = "{\"$ref\":\"#/$defs/object\"}"},
    [LC_SHAPE_RULE] = {"rule", .write = add_rules},
    [LC_SHAPE_RULES] = {"rules", .json = "{\"anyOf\":[{\"$ref\":\"#/$defs/rule\"},"
                                         "{\"type\":\"string\",\"pattern\":\"[*?]\"}]}"},
    [LC_SHAPE_RULES_LIST] = {"list-of-rules", .item = "rules"},
    [LC_SHAPE_CALL_NAME] = {"call-name", .words = lc_call_kind_names},
    [LC_SHAPE_DIAGNOSIS] = {"diagnosis", .word = diagnosis_word},
    [LC_SHAPE_EFFECT] = {"effect", .word = effect_word},
    [LC_SHAPE_ACTION_NAME] = {"action-name", .words = lc_action_names + LC_ACTION_NOOP},
    [LC_SHAPE_ACTIONS] = {"actions", .json = ONE_FOR_EACH("action-name")},
    [LC_SHAPE_SEVERITY] = {"severity", .words = lc_severity_words},
    [LC_SHAPE_STATUS_CODE] = {"status-code", .words = lc_grpc_status_names},
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
                        .also = {{"minProperties", "1"}, {"maxProperties", "1"}}},
    [LC_SHAPE_EVENTS] = {"events", .json = "{\"type\":[\"array\",\"null\"],"
                                           "\"items\":{\"$ref\":\"#/$defs/event\"}}"},
    [LC_SHAPE_LISTED_ONE] = {"listed-object", .keys = &lc_listed_keys},
    [LC_SHAPE_LISTED] = {"listed-objects", .item = "listed-object"},
    [LC_SHAPE_KNOWN_OBJECT] = {"known-object", .keys = &lc_known_object_keys},
    [LC_SHAPE_KNOWN_OBJECTS] = {"known-objects", .item = "known-object"},
    [LC_SHAPE_STORE_OP] = {"call-of-a-state-store", .words = lc_store_op_words},
    [LC_SHAPE_CHUNK] = {"chunk", .keys = &lc_chunk_keys},
    [LC_SHAPE_CHUNKS] = {"chunks", .item = "chunk"},
    [LC_SHAPE_ARGUMENTS] = {"arguments", .json = "{\"type\":\"array\"}"},
    [LC_SHAPE_FUNCTION_ERROR] = {"function-error", .keys = &lc_function_error_keys,
                                 .nullable = true},
    [LC_SHAPE_PROGRESS] = {"progress", .keys = &lc_progress_keys},
    [LC_SHAPE_COMPLETED] = {"completed", .keys = &lc_completed_keys},
    [LC_SHAPE_EXPECT] = {"expectation", .keys = &lc_expect_keys, .also = {{"minProperties", "1"}}},
    [LC_SHAPE_FINDING] = {"expected-finding", .keys = &lc_finding_keys,
                          .also = {{"patternProperties", "{\"^(opentofu|terraform)" CORE_VERSION
                                                         "$\":{\"$ref\":\"#/$defs/effect\"}}"}}},
    [LC_SHAPE_FINDINGS] = {"expected-findings", .item = "expected-finding"},
    [LC_SHAPE_IGNORE] = {"accepted-finding", .keys = &lc_ignore_keys},
    [LC_SHAPE_IGNORES] = {"accepted-findings", .item = "accepted-finding"},
    [LC_SHAPE_KNOWN_FAILING] = {"known-failing", .keys = &lc_failing_keys},
    [LC_SHAPE_SCHEMA] = {"schema", .keys = &lc_schema_keys,
                         .also = {{"if", IF_FROM_FILE}, {"then", FROM_FILE}, {"else", IN_PLACE}}},
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
    [LC_SHAPE_ACTION_SET] = {"set-of-actions", .write = add_action_set},
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
    [LC_SHAPE_PREDICTED] = {"predicted", .keys = &lc_predicted_keys, .nullable = true,
                            .also = {{"anyOf", ALLOWED}}},
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
    [LC_SHAPE_DRIVE] = {"drive", .keys = &lc_drive_keys},
    [LC_SHAPE_DRIVE_STEP] = {"step-of-drive", .words = lc_drive_step_names},
    [LC_SHAPE_DRIVE_STEPS] = {"steps-of-drive", .item = "step-of-drive"},
    [LC_SHAPE_PLANNING] = {"planning", .keys = &lc_planning_keys},
    [LC_SHAPE_PROVIDERS] = {"providers", .keys = &lc_provider_keys},
    [LC_SHAPE_CALLS] = {"calls", .item = "call"},
    [LC_SHAPE_MESSAGE] = {"message", .json = "{\"type\":\"object\"}"},
    [LC_SHAPE_GENERATED] = {"generated-configuration", .keys = &lc_generated_keys},
    [LC_SHAPE_RUNS] = {"runs", .item = "run", .also = {{"minItems", "1"}}},
    [LC_SHAPE_CASES] = {"cases", .item = "case", .also = {{"minItems", "1"}}},
};

static void add_required(lc_json *w, const lc_keyset *keys)
{
    bool any = false;
    for (size_t i = 0; i < keys->count; i++) {
        if (!keys->rows[i].required)
            continue;
        if (!any)
            lc_json_array(w, "required");
        lc_json_c(w, NULL, keys->rows[i].name);
        any = true;
    }
    if (any)
        lc_json_end_array(w);
}

static void add_rows(lc_json *w, const lc_keyset *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        const lc_key_row *row = &keys->rows[i];
        add_ref(w, row->name, "", definitions[row->shape].name, row->help);
    }
}

static void add_raw_members(lc_json *w, const member *also)
{
    for (; also->key; also++)
        lc_json_raw(w, also->key, lc_str_from_c(also->json));
}

/* Begins an object with the keys of a list. The caller may add members, and ends the object. */
static void begin_mapping(lc_json *w, const char *key, const definition *d)
{
    lc_json_object(w, key);
    if (d->nullable)
        add_types(w, "object", "null");
    else
        lc_json_c(w, "type", "object");
    lc_json_object(w, "properties");
    add_rows(w, d->keys);
    lc_json_end_object(w);
    add_required(w, d->keys);
    lc_json_bool(w, "additionalProperties", false);
    add_raw_members(w, d->also);
}

static void add_list(lc_json *w, const definition *d)
{
    lc_json_object(w, NULL);
    lc_json_c(w, "type", "array");
    add_ref(w, "items", "", d->item, "");
    add_raw_members(w, d->also);
    lc_json_end_object(w);
}

static void add_map(lc_json *w, const definition *d)
{
    begin_object(w, NULL);
    add_ref(w, "additionalProperties", "", d->each, "");
    lc_json_end_object(w);
}

static void add_definition(lc_json *w, const definition *d)
{
    lc_json_key(w, lc_str_from_c(d->name));
    if (d->json) {
        lc_json_raw(w, NULL, lc_str_from_c(d->json));
    } else if (d->words || d->word) {
        add_words(w, d);
    } else if (d->write) {
        d->write(w);
    } else if (d->keys) {
        begin_mapping(w, NULL, d);
        lc_json_end_object(w);
    } else if (d->each) {
        add_map(w, d);
    } else {
        add_list(w, d);
    }
}

/* The definitions of the table above; all others are made from several lists below. With the
 * schema of a type its objects are not free. */
static void add_definitions(lc_json *w, const lc_schema *schema)
{
    for (size_t i = 0; i < LC_SHAPE_COUNT_OF_SHAPES; i++) {
        const char *name = definitions[i].name;
        if (schema && i == LC_SHAPE_VALUE)
            lc_typed_object(w, name, schema->block);
        else if (schema && i == LC_SHAPE_IDENTITY_VALUE && schema->has_identity)
            lc_typed_identity(w, name, schema);
        else if (name)
            add_definition(w, &definitions[i]);
    }
    if (schema)
        lc_typed_definitions(w);
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

/* The keys of an inline schema come from the schema reader's own table (lc_schema_part_keys). */
static void add_nestings(lc_json *w)
{
    lc_json_array(w, "enum");
    for (int n = LC_NESTING_SINGLE; n <= LC_NESTING_MAP; n++)
        lc_json_c(w, NULL, lc_nesting_name((lc_nesting)n));
    lc_json_c(w, NULL, "invalid");
    lc_json_end_array(w);
}

static void add_taken(lc_json *w, const lc_schema_key *key)
{
    switch (key->takes) {
    case LC_TAKES_ANYTHING:
        return;
    case LC_TAKES_FLAG:
        add_types(w, "boolean", "null");
        return;
    case LC_TAKES_NUMBER:
        add_types(w, "integer", "null");
        return;
    case LC_TAKES_TEXT:
        add_types(w, "string", "null");
        return;
    case LC_TAKES_TYPE:
        lc_json_raw(w, "type", LC_STR("[\"string\",\"array\",\"null\"]"));
        lc_json_c(w, "description", "as list(string), or type JSON");
        return;
    case LC_TAKES_NESTING:
        add_nestings(w);
        return;
    case LC_TAKES_PART:
        lc_json_array(w, "anyOf");
        lc_json_raw(w, NULL, LC_STR("{\"type\":\"null\"}"));
        add_ref(w, NULL, "", part_names[key->part], "");
        lc_json_end_array(w);
        return;
    case LC_TAKES_PARTS:
        add_types(w, "object", "null");
        add_ref(w, "additionalProperties", "", part_names[key->part], "");
        return;
    case LC_TAKES_LIST:
        add_types(w, "array", "null");
        add_ref(w, "items", "", part_names[key->part], "");
        return;
    }
    LC_UNREACHABLE();
}

static void add_part_key(lc_json *w, const lc_schema_key *key)
{
    if (key->takes == LC_TAKES_ANYTHING) {
        lc_json_bool(w, key->name, true);
        return;
    }
    lc_json_object(w, key->name);
    add_taken(w, key);
    lc_json_end_object(w);
}

/* Without a nesting mode neither a nested type nor a block type can be read. */
static void add_part(lc_json *w, lc_schema_part part)
{
    size_t count;
    const lc_schema_key *keys = lc_schema_part_keys(part, &count);
    bool nests = false;
    begin_object(w, part_names[part]);
    lc_json_object(w, "properties");
    for (size_t i = 0; i < count; i++) {
        add_part_key(w, &keys[i]);
        nests |= keys[i].takes == LC_TAKES_NESTING;
    }
    lc_json_end_object(w);
    if (nests)
        lc_json_raw(w, "required", LC_STR("[\"nesting_mode\"]"));
    lc_json_bool(w, "additionalProperties", false);
    lc_json_end_object(w);
}

/* ---- Calls. */

/* The fields of one call in one spelling, as the definition PREFIX + NAME. */
static void add_fields(lc_json *w, const char *prefix, const char *name, lc_call_kind kind,
                       unsigned form)
{
    lc_call_field field;
    lc_buf key = {0};
    lc_buf_printf(&key, "%s%s", prefix, name);
    lc_json_key(w, lc_buf_str(&key));
    begin_object(w, NULL);
    lc_json_object(w, "properties");
    for (size_t i = 0; lc_call_field_get(&field, i); i++) {
        if ((field.calls & LC_CALL_BIT(kind)) && (field.forms & form))
            add_ref(w, field.name, "", definitions[field.shape].name, "");
    }
    lc_json_end_object(w);
    lc_json_bool(w, "additionalProperties", false);
    lc_json_end_object(w);
    lc_buf_release(&key);
}

static void add_groups(lc_json *w)
{
    for (int kind = 0; kind < LC_CALL_KIND_COUNT; kind++)
        add_fields(w, "group-", lc_call_kind_name((lc_call_kind)kind), (lc_call_kind)kind,
                   LC_FORM_GROUP);
}

/* The call kinds that one RPC can have (plan, final plan, ...) share the fields of its messages. */
static void add_messages(lc_json *w)
{
    lc_call_kind kind;
    const char *rpc;
    for (size_t i = 0; (rpc = lc_word_rpc(i, &kind)); i++) {
        add_fields(w, "request-of-", rpc, kind, LC_FORM_REQUEST);
        add_fields(w, "response-of-", rpc, kind, LC_FORM_RESPONSE);
    }
}

/* If `rpc` is this one, then `request` and `response` are its messages. */
static void add_rpc(lc_json *w, const char *rpc, const char *request, const char *response_prefix,
                    const char *response)
{
    lc_json_object(w, NULL);
    lc_json_object(w, "if");
    lc_json_object(w, "properties");
    lc_json_object(w, "rpc");
    lc_json_c(w, "const", rpc);
    lc_json_end_object(w);
    lc_json_end_object(w);
    lc_json_end_object(w);
    lc_json_object(w, "then");
    lc_json_object(w, "properties");
    if (request)
        add_ref(w, "request", "request-of-", request, "");
    add_ref(w, "response", response_prefix, response, "");
    lc_json_end_object(w);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void add_call(lc_json *w)
{
    lc_call_kind kind;
    const char *rpc;
    definition d = {.keys = &lc_call_keys};
    begin_mapping(w, "call", &d);
    lc_json_array(w, "allOf");
    for (size_t i = 0; (rpc = lc_word_rpc(i, &kind)); i++)
        add_rpc(w, rpc, rpc, "response-of-", rpc);
    add_rpc(w, "GenerateResourceConfig", NULL, "", definitions[LC_SHAPE_GENERATED].name);
    lc_json_end_array(w);
    lc_json_end_object(w);
}

/* ---- Documents, cases and runs. */

/* A call group that may be written once, or several times in a list. */
static void add_groups_key(lc_json *w, const char *name, const char *help)
{
    lc_json_object(w, name);
    lc_json_c(w, "title", name);
    lc_json_c(w, "description", help);
    lc_json_raw(w, "if", LC_STR("{\"type\":\"array\"}"));
    lc_json_object(w, "then");
    add_ref(w, "items", "group-", name, "");
    lc_json_end_object(w);
    add_ref(w, "else", "group-", name, "");
    lc_json_end_object(w);
}

static void add_case_key(lc_json *w, lc_case_key key)
{
    lc_shape shape = lc_key_shape(key);
    const char *name = lc_key_name(key), *help = lc_key_help(key);
    if (shape == LC_SHAPE_GROUP)
        add_ref(w, name, "group-", name, help);
    else if (shape == LC_SHAPE_GROUPS)
        add_groups_key(w, name, help);
    else
        add_ref(w, name, "", definitions[shape].name, help);
}

/* The keys of a run, a case or a document. */
static void add_place(lc_json *w, const char *name, unsigned place, const member *also)
{
    begin_object(w, name);
    lc_json_object(w, "properties");
    for (int key = 0; key < LC_KEY_COUNT; key++) {
        if (lc_key_is_allowed(lc_key_flags((lc_case_key)key), place))
            add_case_key(w, (lc_case_key)key);
    }
    lc_json_end_object(w);
    lc_json_bool(w, "additionalProperties", false);
    add_raw_members(w, also);
    lc_json_end_object(w);
}

/* Keys with the prefix x- are free for the author, for YAML anchors above all. */
static void add_places(lc_json *w)
{
    static const member of_document[] = {
        {"patternProperties", "{\"^x-\":true}"},
        {"required", "[\"lifecheck\"]"},
        {"anyOf", "[{\"required\":[\"schema\"]},{\"required\":[\"cases\"]},"
                  "{\"required\":[\"runs\"]},{\"required\":[\"planning\"]},"
                  "{\"required\":[\"providers\"]}]"},
        {0},
    };
    static const member none[] = {{0}};
    add_place(w, "run", LC_AT_RUN, none);
    add_place(w, "case", LC_AT_CASE, none);
    add_place(w, "document", LC_AT_DOCUMENT, of_document);
}

/* ---- The whole. */

static void add_definitions_of_all(lc_json *w, const lc_schema *schema)
{
    lc_json_object(w, "$defs");
    add_definitions(w, schema);
    for (int part = 0; part < LC_PART_COUNT; part++)
        add_part(w, (lc_schema_part)part);
    add_groups(w);
    add_messages(w);
    add_call(w);
    add_places(w);
    lc_json_end_object(w);
}

static void add_title(lc_json *w, const lc_schema *schema)
{
    lc_buf title = {0}, made = {0};
    lc_buf_add_c(&title, "lifecheck scenario, format 1");
    lc_buf_add_c(&made, "Made by: lifecheck schema scenario");
    if (schema) {
        lc_buf_printf(&title, ", of %.*s", LC_FMT(schema->type_name));
        lc_buf_printf(&made, " --schema FILE --type %.*s --kind %s", LC_FMT(schema->type_name),
                      lc_schema_kind_name(schema->kind));
    }
    lc_json_str(w, "title", lc_buf_str(&title));
    lc_json_str(w, "description", lc_buf_str(&made));
    lc_buf_release(&title);
    lc_buf_release(&made);
}

/* A file holds one document, or several in a list. */
void lc_scenario_json_schema(lc_buf *out, const lc_schema *schema)
{
    static const member head[] = {
        {"if", "{\"type\":\"array\"}"},
        {"then", "{\"items\":{\"$ref\":\"#/$defs/document\"},\"minItems\":1}"},
        {"else", "{\"$ref\":\"#/$defs/document\"}"},
        {0},
    };
    lc_buf json = {0};
    lc_json w = {.out = &json}, laid_out = {.out = out, .spaced = true, .indent = 2};
    lc_json_object(&w, NULL);
    lc_json_c(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    add_title(&w, schema);
    add_raw_members(&w, head);
    add_definitions_of_all(&w, schema);
    lc_json_end_object(&w);
    lc_json_lay_out(&laid_out, lc_buf_str(&json), COLUMNS);
    lc_buf_add_char(out, '\n');
    lc_buf_release(&json);
}
