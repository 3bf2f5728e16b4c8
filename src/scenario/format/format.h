/* The scenario format as data: which keys are allowed where, and what each takes. The reader and
 * the JSON Schema for editors (schema.c) use the same lists, so neither knows a key that the
 * other does not. */
#ifndef LC_SCENARIO_FORMAT_H
#define LC_SCENARIO_FORMAT_H

#include "lifecheck/base/json.h"
#include "lifecheck/scenario/scenario.h"

/* What a key takes. Each is a definition of the JSON Schema. */
typedef enum lc_shape {
    LC_SHAPE_CLOUDFORMATION, /* a resource type schema or its file */
    LC_SHAPE_ANYTHING,       /* not restricted by the format */
    LC_SHAPE_RESERVED,
    LC_SHAPE_VERSION,
    LC_SHAPE_NAME,
    LC_SHAPE_TEXT,
    LC_SHAPE_REASON,
    LC_SHAPE_FLAG,
    LC_SHAPE_COUNT,
    LC_SHAPE_NUMBER,
    LC_SHAPE_DAY,
    LC_SHAPE_BYTES,
    LC_SHAPE_PATH,
    LC_SHAPE_PATHS,
    LC_SHAPE_IGNORE_CHANGES,
    LC_SHAPE_DEPOSED,
    LC_SHAPE_OBJECT,         /* a value that the format knows nothing of */
    LC_SHAPE_VALUE,          /* an object by the schema of the resource type */
    LC_SHAPE_IDENTITY_VALUE, /* and by its identity schema */

    LC_SHAPE_RULE,
    LC_SHAPE_RULES, /* a rule or a pattern of rules */
    LC_SHAPE_RULES_LIST,
    LC_SHAPE_CALL_NAME,
    LC_SHAPE_DIAGNOSIS,
    LC_SHAPE_EFFECT,
    LC_SHAPE_ACTION_NAME,
    LC_SHAPE_ACTIONS, /* one, or one for each core */
    LC_SHAPE_SEVERITY,
    LC_SHAPE_STATUS_CODE,
    LC_SHAPE_RPC,
    LC_SHAPE_PHASE,
    LC_SHAPE_DATA_PHASE,
    LC_SHAPE_LEG,
    LC_SHAPE_SCHEMA_KIND,

    LC_SHAPE_STORED,
    LC_SHAPE_CAPABILITIES,
    LC_SHAPE_CLOUD_CONTROL,
    LC_SHAPE_DIAGNOSTIC,
    LC_SHAPE_DIAGNOSTICS,
    LC_SHAPE_STATUS,
    LC_SHAPE_DEFERRED,
    LC_SHAPE_IMPORTED,
    LC_SHAPE_IMPORTED_LIST,
    LC_SHAPE_EVENT,
    LC_SHAPE_EVENTS,
    LC_SHAPE_LISTED_ONE,
    LC_SHAPE_LISTED,
    LC_SHAPE_KNOWN_OBJECT,
    LC_SHAPE_KNOWN_OBJECTS,
    LC_SHAPE_STORE_OP,
    LC_SHAPE_CHUNK,
    LC_SHAPE_CHUNKS,
    LC_SHAPE_ARGUMENTS,
    LC_SHAPE_FUNCTION_ERROR,
    LC_SHAPE_PROGRESS,
    LC_SHAPE_COMPLETED,
    LC_SHAPE_EXPECT,
    LC_SHAPE_FINDING,
    LC_SHAPE_FINDINGS,
    LC_SHAPE_IGNORE,
    LC_SHAPE_IGNORES,
    LC_SHAPE_KNOWN_FAILING,
    LC_SHAPE_SCHEMA,
    LC_SHAPE_BLOCK,
    LC_SHAPE_IDENTITY,
    LC_SHAPE_FUNCTIONS,

    LC_SHAPE_STRING, /* text only; LC_SHAPE_TEXT also allows numbers and bools */
    LC_SHAPE_STRINGS,
    LC_SHAPE_MAPPING, /* read by another format's reader */
    LC_SHAPE_PROFILE,
    LC_SHAPE_CLIENT,
    LC_SHAPE_PLAN_MODE,
    LC_SHAPE_BEHAVIOR,
    LC_SHAPE_PLAN_ACTIONS, /* as in plans, or a set */
    LC_SHAPE_ACTION_SET,   /* names of lc_plan_action_names, one or a list */
    LC_SHAPE_USER,         /* a resource in short */
    LC_SHAPE_MODULE_USER,
    LC_SHAPE_USERS,
    LC_SHAPE_CONFIGURATION,
    LC_SHAPE_ANSWER,
    LC_SHAPE_ANSWERS,
    LC_SHAPE_READ_OBJECT,
    LC_SHAPE_STORED_OBJECT,
    LC_SHAPE_STORED_OBJECTS,
    LC_SHAPE_STATE,
    LC_SHAPE_PREDICTED,
    LC_SHAPE_PREDICTIONS,
    LC_SHAPE_PROVIDER_BLOCKS,
    LC_SHAPE_PROVIDER_STATE,
    LC_SHAPE_PROVIDER_EXPECT,
    LC_SHAPE_STEPS,
    LC_SHAPE_DRIVE,
    LC_SHAPE_DRIVE_STEP,
    LC_SHAPE_DRIVE_STEPS,
    LC_SHAPE_PLANNING,
    LC_SHAPE_PROVIDERS,

    LC_SHAPE_CALL,
    LC_SHAPE_CALLS,
    LC_SHAPE_MESSAGE, /* a request or a response; the RPC decides which fields it has */
    LC_SHAPE_GENERATED,
    LC_SHAPE_GROUP,  /* the call group with the same name as the key */
    LC_SHAPE_GROUPS, /* one or a list */
    LC_SHAPE_RUN,
    LC_SHAPE_RUNS,
    LC_SHAPE_CASE,
    LC_SHAPE_CASES,
    LC_SHAPE_DOCUMENT,
    LC_SHAPE_COUNT_OF_SHAPES
} lc_shape;

/* ---- Keys of documents, cases and runs. */

/* Where a key is allowed, and what it is. Flags in keys.def. */
enum {
    LC_AT_DOCUMENT = 1, /* of a document only */
    LC_AT_CASE = 2,     /* of a document or of an item of `cases` */
    LC_AT_RUN = 4,      /* ... or of an item of `runs` */
    LC_IS_GROUP = 8,    /* a call group; its call kind has the same name */
    LC_IS_SHORT = 16,   /* a short key that is a field of a call */
};

typedef enum lc_case_key {
#define KEY(id, ...) LC_KEY_##id,
#include "scenario/format/keys.def"
#undef KEY
    LC_KEY_COUNT
} lc_case_key;
const char *lc_key_name(lc_case_key key);
unsigned lc_key_flags(lc_case_key key);
lc_shape lc_key_shape(lc_case_key key);
const char *lc_key_help(lc_case_key key);
/* Is a key with these flags allowed at `place` (LC_AT_DOCUMENT, LC_AT_CASE or LC_AT_RUN)? */
bool lc_key_is_allowed(unsigned flags, unsigned place);

/* ---- Keys of other mappings. */

typedef struct lc_key_row {
    const char *name;
    lc_shape shape;
    bool required;
    const char *help; /* for editors; "" where the name suffices */
} lc_key_row;

/* All keys of one mapping; anything else there is an error. */
typedef struct lc_keyset {
    const lc_key_row *rows;
    size_t count;
} lc_keyset;
/* clang-format off */
#define LC_KEYSET(array) {(array), sizeof(array) / sizeof *(array)}
/* clang-format on */

/* Each is defined next to the reader of its mapping, in the order of that reader's enum. */
extern const lc_keyset lc_stored_keys, lc_capability_keys, lc_diagnostic_keys, lc_status_keys,
    lc_deferred_keys, lc_imported_keys, lc_event_keys, lc_progress_keys, lc_function_error_keys,
    lc_completed_keys, lc_expect_keys, lc_finding_keys, lc_ignore_keys, lc_failing_keys,
    lc_schema_keys, lc_call_keys, lc_cloud_control_keys, lc_generated_keys, lc_provider_keys,
    lc_planning_keys, lc_answer_keys, lc_stored_object_keys, lc_drive_keys, lc_predicted_keys,
    lc_user_keys, lc_module_user_keys, lc_listed_keys, lc_known_object_keys, lc_chunk_keys;

/* ---- Values of one resource type. (typed_schema.c) */

/* The contents that marked values can have where an editor sees only text, as far as a pattern can
 * check them: nothing, base64, JSON. A JSON string without its quotes. */
#define LC_MARKED_TEXT                                                                             \
    "^$|^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^\\\\s*([\\\\[{]|null)"

/* Write one member of the definitions: `name` is the object of the block, or of these attributes.
 */
void lc_typed_object(lc_json *w, const char *name, const lc_block *block);
void lc_typed_identity(lc_json *w, const char *name, const lc_schema *schema);
/* What the two above refer to. */
void lc_typed_definitions(lc_json *w);

/* ---- Fields of calls. */

/* The spellings that a field belongs to: call groups; requests and responses of the long form. */
enum { LC_FORM_GROUP = 1, LC_FORM_REQUEST = 2, LC_FORM_RESPONSE = 4 };

typedef struct lc_call_field {
    const char *name;
    unsigned calls; /* bits LC_CALL_BIT(kind) */
    unsigned forms;
    lc_shape shape;
} lc_call_field;
/* The field with this index; false after the last one. */
bool lc_call_field_get(lc_call_field *out, size_t index);

/* ---- Lists of words, ended by NULL. */

extern const char *const lc_severity_words[]; /* in lower case, then in the protocol's upper case */
extern const char *const lc_phase_names[];
extern const char *const lc_data_phase_names[];
extern const char *const lc_store_op_words[];
extern const char *const lc_drive_step_names[];
extern const char *const lc_leg_names[];
/* The RPC names of the long form by index, NULL after the last one. *kind: the call kind in the
 * usual phase and leg. */
const char *lc_word_rpc(size_t i, lc_call_kind *kind);

#endif
