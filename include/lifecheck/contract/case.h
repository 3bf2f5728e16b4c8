/* The case: one resource instance object under one schema history, as runs of calls. Module
 * contract.
 *
 * Inputs (scenario files, captures, logs, ...) fill a case; rules only read it. The one exception
 * are derived fields, which lc_case_judge fills in.
 *
 * A field of a call is absent, given, derived or undecodable. Absent is not null: null is a value.
 * Facts about a call are yes, no or not known, so that a rule never takes a missing fact for an
 * answer. All memory of a case is in the arena of the input file, and lives as long as that;
 * nothing is freed separately. */
#ifndef LIFECHECK_CONTRACT_CASE_H
#define LIFECHECK_CONTRACT_CASE_H

#include "lifecheck/base/diag.h"
#include "lifecheck/base/enum.h"
#include "lifecheck/base/table.h"
#include "lifecheck/catalog/rule.h"
#include "lifecheck/cloudformation/cloudcontrol.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/schema/schema.h"
#include "lifecheck/value/path.h"
#include "lifecheck/value/value.h"

/* Three-valued: LC_NOT_KNOWN (0) is what a field has that no input sets. */
typedef enum lc_fact { LC_NOT_KNOWN, LC_NO, LC_YES } lc_fact;

/* Whether and whence a field has a value. */
typedef enum lc_field_state {
    LC_FIELD_ABSENT,      /* no input states it */
    LC_FIELD_GIVEN,       /* the input has it */
    LC_FIELD_DERIVED,     /* computed from other fields of the case */
    LC_FIELD_UNDECODABLE, /* given, but it is not a value of the type: `problem` has the reason */
} lc_field_state;

/* Finds the place in the input of a part of a field's value. `locate` returns the nearest enclosing
 * place if the input does not spell the part out. `context` belongs to the input, with the life of
 * the case. */
typedef struct lc_locator {
    lc_loc (*locate)(const void *context, lc_path path);
    const void *context;
} lc_locator;

/* One value of a request or response, or of the run. The value, if there is one, is borrowed from
 * the arena of the input. */
typedef struct lc_field {
    lc_field_state state;
    /* Place of the whole field in the input. */
    lc_loc loc;
    /* Set if given or derived, else NULL. */
    const lc_value *value;
    /* `locate` NULL: only `loc` is known. */
    lc_locator locator;
    lc_wire_problem problem; /* undecodable: what is wrong */
    /* Undecodable: where inside the object. */
    lc_path problem_path;
    /* LC_WIRE_NOTE_* bits, if it came as bytes. */
    unsigned wire_notes;
    /* How many of these bytes the value took. */
    size_t wire_used;
    /* The schema was not available: the value has the type that its JSON form suggests. A missing
     * identity is null. */
    bool untyped;
    /* It, or a part of it, came in this encoding. */
    bool wire_msgpack, wire_json;
} lc_field;

/* Stated, or derived from what is: `value` may be read then. */
static inline bool lc_field_has_value(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN || field->state == LC_FIELD_DERIVED;
}
/* The place in the input of a part of the field's value; that of the field if its parts have
 * none. */
lc_loc lc_field_locate(const lc_field *field, lc_path path);

/* A path that the input states, such as an element of requires_replace, and where it states it. */
typedef struct lc_located_path {
    lc_path path;
    lc_loc loc;
} lc_located_path;

/* In the order of the input. */
typedef LC_VEC(lc_located_path) lc_path_list;

/* Severities of diagnostics as the protocol has them. */
#define LC_PROVIDER_SEVERITIES(X)                                                                  \
    X(LC_SEVERITY_INVALID, "invalid") /* 0 or undefined on the wire */                             \
    X(LC_SEVERITY_ERROR, "error")                                                                  \
    X(LC_SEVERITY_WARNING, "warning")
LC_ENUM(lc_provider_severity, LC_PROVIDER_SEVERITIES);

/* A diagnostic of a response. `path` is set only if `has_path`; an empty path is the whole
 * object. */
typedef struct lc_provider_diag {
    lc_provider_severity severity;
    lc_str summary, detail;
    bool has_path;
    lc_path path;
    lc_loc loc;
} lc_provider_diag;

/* A stored object in its raw form, as a state file or the request of UpgradeResourceState holds it.
 * If `given` is false nothing else is set. */
typedef struct lc_raw_state {
    bool given;
    lc_loc loc;
    int64_t schema_version;
    bool has_attributes;
    /* A value of objects and tuples, as the JSON has them: no schema was applied. */
    lc_field attributes;
    bool has_identity;
    lc_field identity;
    int64_t identity_schema_version;
    bool has_private;
    lc_str private_data;
    lc_fact tainted;
    /* Line 0: the input does not state it. */
    lc_loc tainted_loc;
} lc_raw_state;

/* One object that ImportResourceState returned. */
typedef struct lc_imported {
    lc_loc loc;
    bool has_type_name;
    lc_str type_name;
    lc_field state;
    lc_field identity;
    bool has_private;
    lc_str private_data;
} lc_imported;

/* What an invoked action reports in its stream. */
#define LC_EVENT_KINDS(X)                                                                          \
    X(LC_EVENT_PROGRESS, "progress")                                                               \
    X(LC_EVENT_COMPLETED, "completed")                                                             \
    X(LC_EVENT_UNKNOWN, "unknown")
LC_ENUM(lc_event_kind, LC_EVENT_KINDS);

/* An event of an action's stream, and where it is stated. */
typedef struct lc_event {
    lc_event_kind kind;
    lc_loc loc;
} lc_event;

/* Fields of an answer that a scenario spells out, as bits; the others it leaves to their defaults.
 */
enum {
    LC_STATES_OBJECT = 1 << 0,
    LC_STATES_IDENTITY = 1 << 1,
    LC_STATES_PRIVATE = 1 << 2,
    LC_STATES_REPLACE = 1 << 3,
    LC_STATES_LEGACY = 1 << 4,
    LC_STATES_DEFERRED = 1 << 5,
    LC_STATES_DIAGNOSTICS = 1 << 6,
    LC_STATES_STATUS = 1 << 7,
    LC_STATES_IMPORTED = 1 << 8,
};

/* A call of a provider function. Values have the types of its signature, or those that their text
 * suggests if the schema does not have the function. They are never shown: any of them may come
 * from a secret. */
typedef struct lc_function_call {
    lc_str name;
    bool has_arguments;
    LC_VEC(lc_field) arguments; /* absent: its value is not known */
    lc_field result;            /* absent: none came, or its value is not known */
    bool has_error;
    lc_loc error_loc;
    bool has_error_argument; /* the error is about one argument */
    int64_t error_argument;  /* from 0 */
} lc_function_call;

/* What ListResource says of one object. */
typedef struct lc_listed {
    lc_loc loc;
    lc_field identity; /* absent: the event has none */
    lc_field object;   /* resource_object; absent: none */
    bool failed;       /* it has an error diagnostic */
    bool warned;       /* it has another diagnostic */
} lc_listed;

/* An object that other calls of the input gave: what a list of its type is compared with. */
typedef struct lc_known_object {
    lc_loc loc;
    const lc_value *identity; /* wholly known */
    const lc_value *state;    /* as the last answer about it had it */
    bool created;             /* here, and not destroyed before the list */
} lc_known_object;

/* A ListResource call. Identities and objects are read by the schema of the managed type. */
typedef struct lc_list_call {
    int64_t limit; /* 0: not stated */
    bool include_object;
    bool filtered; /* its configuration is not wholly null, or not known: some objects may be left
                      out */
    LC_VEC(lc_listed) events;
    LC_VEC(lc_known_object) known;
} lc_list_call;

/* What a client asks of a state store. */
#define LC_STORE_OPS(X)                                                                            \
    X(LC_STORE_CONFIGURE, "configure")                                                             \
    X(LC_STORE_READ, "read")                                                                       \
    X(LC_STORE_WRITE, "write")                                                                     \
    X(LC_STORE_LOCK, "lock")                                                                       \
    X(LC_STORE_UNLOCK, "unlock")                                                                   \
    X(LC_STORE_STATES, "states")                                                                   \
    X(LC_STORE_DELETE, "delete")
LC_ENUM(lc_store_op, LC_STORE_OPS);

/* One message of a stream of state bytes. */
typedef struct lc_chunk {
    lc_loc loc;
    uint64_t length;
    lc_str bytes; /* never shown; ptr NULL: only their length is known */
    int64_t total;
    bool has_range;
    int64_t start, end; /* `end` is the position of the last byte */
    bool failed;        /* it has an error diagnostic */
} lc_chunk;

/* One call of a state store. State is never shown: it holds every secret of a configuration. */
typedef struct lc_store_call {
    lc_store_op op;
    lc_str state_id;
    lc_str lock_id;     /* that an unlock sends, or a lock returned */
    int64_t chunk_size; /* that the store chose; 0: none, or not stated */
    uint64_t config;    /* of a configure: a hash of its configuration; 0: not stated */
    bool states_known;
    LC_VEC(lc_str) states; /* that GetStates returned */
    LC_VEC(lc_chunk) chunks;
} lc_store_call;

/* One call of an RPC: request, response, and facts about both. Which fields make sense follows from
 * the kind; the others stay absent. */
typedef struct lc_call {
    lc_call_kind kind;
    uint32_t index; /* position in the run, from 1 */
    /* Place of the call in the input, or of the short key that implies the call. */
    lc_loc loc;
    /* Key of the deposed object that it is about, or "". */
    lc_str deposed;

    /* Request. Where the contract knows how, rules compute absent fields from the run. */
    lc_field config;      /* as sent */
    lc_field prior_state; /* of a read: current_state */
    lc_field proposed;    /* proposed_new_state */
    lc_field planned;     /* of an apply: planned_state */
    lc_field prior_identity;
    lc_field planned_identity; /* of an apply */
    /* Of an upgrade: raw_state; of a move: source_state. */
    lc_raw_state raw;
    bool has_request_private;
    lc_str request_private;
    bool has_type_name;
    lc_str type_name;
    bool has_import_id;
    lc_str import_id;
    /* The import command was used, not an import block. */
    bool command_line;
    /* Data source: it was read in the apply phase. */
    lc_fact applying;

    /* Response. `result` is the returned object, which the protocol calls upgraded_state,
     * new_state, planned_state, state, result or target_state. */
    lc_field result;
    lc_field identity;
    bool has_requires_replace;
    lc_path_list requires_replace;
    lc_fact legacy; /* the flag legacy_type_system */
    lc_fact deferred;
    /* Did the client allow it in this request? Not known: the run's capabilities decide. */
    lc_fact deferral_allowed;
    lc_str deferred_reason;
    lc_loc deferred_loc;
    bool has_diagnostics;
    LC_VEC(lc_provider_diag) diagnostics;
    /* An error diagnostic came back, or no response at all. */
    lc_fact failed;
    /* A gRPC status came back instead of a response. */
    lc_fact broke;
    /* It failed because lifecheck was stopped; the provider is not at fault. */
    bool interrupted;
    /* The code of the status, "UNAVAILABLE". */
    lc_str broke_with;
    /* What the provider wrote when it exited: a line, followed by lines of its stack; "": nothing
     * that may be shown. */
    lc_str last_words;
    /* Of recordings: a number for each way in which the provider was configured; 0: not known. */
    uint32_t provider_config;
    /* Was the provider configured before this call? */
    lc_fact configured;
    /* LC_NO: it sends an object that no call of its process has returned. */
    lc_fact returned_before;
    lc_loc broke_loc;
    bool has_private;
    lc_str private_data;
    LC_VEC(lc_imported) imported;
    lc_field generated_config;
    lc_loc generate_loc; /* of the call that generates it; line 0: none was made, or not known */
    lc_field prepared_config;
    /* Action: did a stream of events come back? Not known: it was not invoked. */
    lc_fact streamed;
    LC_VEC(lc_event) events;

    /* LC_STATES_* bits. */
    unsigned stated;
    /* The expected answer: the fields that `stated` of that call names. NULL: none. */
    const struct lc_call *expected;
    /* Of a function, else NULL. */
    lc_function_call *function;
    /* Of a list of objects, of a state store; else NULL. */
    lc_list_call *list;
    lc_store_call *store;
} lc_call;

/* What a client does with an object, as plans name it. */
#define LC_ACTIONS(X)                                                                              \
    X(LC_ACTION_NONE, "none") /* not determined */                                                 \
    X(LC_ACTION_NOOP, "no-op")                                                                     \
    X(LC_ACTION_CREATE, "create")                                                                  \
    X(LC_ACTION_READ, "read")                                                                      \
    X(LC_ACTION_UPDATE, "update")                                                                  \
    X(LC_ACTION_DELETE, "delete")                                                                  \
    X(LC_ACTION_DELETE_THEN_CREATE, "delete-then-create")                                          \
    X(LC_ACTION_CREATE_THEN_DELETE, "create-then-delete")                                          \
    X(LC_ACTION_FORGET, "forget")
LC_ENUM(lc_action, LC_ACTIONS);

/* What provider and client have announced about themselves. */
typedef struct lc_capabilities {
    lc_fact plan_destroy, move_resource_state, generate_resource_config; /* of the provider */
    lc_fact deferral_allowed, write_only_attributes_allowed, computed_blocks_allowed; /* client */
} lc_capabilities;

/* A violation that a client's log or error message reports, without the values: one that the client
 * tolerated, or one at which it stopped. */
#define LC_LOGGED_OTHERS 3
typedef struct lc_logged {
    lc_rule rule;
    /* Other rules that the same words can be about. */
    lc_rule others[LC_LOGGED_OTHERS];
    size_t other_count;
    /* The words fit any rule of the family of `rule`. */
    bool family;
    /* It is in a file next to the recording, which may belong to another run. */
    bool beside;
    /* The value is sensitive, so the text does not distinguish rules: `rule` is one of its family
     * that fit. */
    bool hidden;
    lc_call_kind call;
    lc_str address, type, provider;
    /* False: the text names no place in the object. */
    bool has_path;
    lc_path path;
    /* The path in the core's spelling, for comparison with findings. */
    lc_str core_path;
    /* The cores that print such a string. */
    lc_cores cores;
    lc_effect effect;
    lc_str note; /* the finding's message */
    lc_loc loc;
    /* Set when judging a case finds the same by its values. */
    bool judged;
} lc_logged;

/* What a Cloud Control provider sent to the service and what the service answered. Documents are
 * NULL where the input does not state them. */
typedef struct lc_cloud_control {
    lc_loc loc;
    lc_cfn_doc *desired_state, *patch, *current_state;
    /* The service answered that there is no such object. */
    bool not_found;
    bool has_identifier, has_identifiers;
    lc_str identifier;
    /* Of all objects of the type, from the service's list. */
    const lc_str *identifiers;
    size_t identifier_count;
    lc_loc desired_state_loc, patch_loc, current_state_loc, identifier_loc;
} lc_cloud_control;

/* A part of the final configuration that differs from the initial one because another instance in
 * the same input violated a requirement, and its client only logged that. The change is then not
 * this provider's fault. */
typedef struct lc_cause {
    lc_path path; /* place in the configuration */
    /* Name of the other instance's case. */
    lc_str name;
    /* The rule that the other instance broke. */
    lc_rule rule;
    /* The place of that finding, as it is shown. */
    lc_str path_text;
    lc_loc loc;
} lc_cause;

/* One run of a client over the object: usually refresh, plan and apply. Fields that the cores
 * compute (what they send, which action follows) are not here but in the contract's view of the
 * run. */
typedef struct lc_run {
    lc_loc loc;
    const lc_schema *schema;
    LC_VEC(lc_call) calls; /* in order */
    /* The input knows the number and order of calls (`calls:`, recordings), so that rules may
     * count them. */
    bool order_known;
    /* LC_YES: the calls are all that were made about the object in these processes of the
     * provider, so that a call that is not there was not made. */
    lc_fact all_calls;
    /* LC_NO: the client has validated no configuration of this type, and no call is missing. */
    lc_fact validated;

    /* Circumstances: options of the client, the object's condition, the resource's lifecycle
     * block. */
    lc_fact tainted, create_before_destroy, force_replace, refresh_only;
    /* The action that the client's plan states, or LC_ACTION_NONE. */
    lc_action recorded;
    lc_loc recorded_loc;
    /* Data source: something that it depends on has a pending change. */
    lc_fact depends_on_pending;
    /* The input has a separate key for it, in addition to that of previous_run_state. */
    bool has_tainted;
    bool ignore_all;
    bool has_ignore_changes;
    lc_path_list ignore_changes;
    /* Where configured values come from ephemeral ones. */
    lc_path_list ephemeral;
    lc_str deposed;
    lc_capabilities capabilities;
    /* NULL: not a Cloud Control provider, or not stated. */
    const lc_cloud_control *cloud_control;
    lc_field prior_identity;
    bool has_prior_private;
    lc_str prior_private;

    /* The configuration as the user wrote it, at plan and at apply. What a core sends is computed
     * from it (ignore_changes, computed blocks). */
    lc_field config;
    lc_field final_config;
    /* The prior state of the run, that is the refreshed state. It is set from `read.new_state` as
     * well. */
    lc_field prior_state;
    lc_raw_state previous_run_state;

    /* What logs and errors report about calls of this type, of this or another instance;
     * `logged_count` entries. */
    lc_logged *const *logged;
    size_t logged_count;
    /* Address of the instance, or "": what is logged about other addresses is not about this
     * run. */
    lc_str address;
    /* The log is all there is: each entry is a finding of this run. */
    bool only_logged;
    /* `schema` is a placeholder, because no input has the schema. */
    bool schema_unknown;
    /* Calls of a log without their values: only the answers as such are judged, and the case
     * conforms if nothing is found. */
    bool only_answers;

    /* Of recordings: causes in other instances, and whether what was read got stored. LC_NO:
     * nothing was applied, so that the client may have thrown the refreshed state away. */
    LC_VEC(lc_cause) origins;
    lc_fact stored;
    /* It is not known to start from the object that the run before left, so the two are not
     * compared. */
    bool apart;
    /* Its calls are requests of a prober to one build of the provider, and not what a client did
     * with an object. So it is independent of other runs, as `apart`; `prior_state` is what the
     * prober sent and not the answer of a read; and no rule about what clients do applies. */
    bool probed;
    /* It is of a newer version of the provider than the run before it, which was asked the same. */
    bool newer;
    /* Does the answer of GetMetadata list the type? */
    lc_fact in_metadata;

    /* Filled in by lc_case_judge: the names of derived fields ("prior_state"), for the report. */
    LC_VEC(lc_str) derived;
} lc_run;

/* The first call of a kind, or NULL. */
const lc_call *lc_run_call(const lc_run *run, lc_call_kind kind);
/* The first error diagnostic of a call, or NULL. */
const lc_provider_diag *lc_call_first_error(const lc_call *call);

/* What kind of input a case was made from. */
#define LC_SOURCE_KINDS(X)                                                                         \
    X(LC_SOURCE_SCENARIO, "scenario")                                                              \
    X(LC_SOURCE_RPC, "rpc")                                                                        \
    X(LC_SOURCE_PLAN, "plan")                                                                      \
    X(LC_SOURCE_LOG, "log")
LC_ENUM(lc_source_kind, LC_SOURCE_KINDS);

/* A case, with all its runs in order of time. */
typedef struct lc_case {
    lc_source_kind source;
    lc_str file;
    uint32_t document; /* from 1 */
    lc_str name;
    lc_loc loc;
    /* The address for messages, or the type if none was given. */
    lc_str resource;
    lc_str type;
    LC_VEC(lc_run) runs;
    /* Places that the input declares sensitive, in addition to the schema's flags. A path into a
     * set marks the whole set, because its elements have no names. */
    LC_VEC(lc_path) sensitive;
    /* For a case whose calls were sent to a provider: why some were not sent, so that it cannot
     * conform; or empty. */
    lc_str unasked;
    /* Filled in by lc_case_judge: strings of sensitive values, which are not shown elsewhere
     * either; NULL: no such strings. */
    const struct lc_known_secrets *secrets;
    /* Not NULL: a case of planning.h, with one run and without calls. */
    const struct lc_planning *planning;
} lc_case;

#endif
