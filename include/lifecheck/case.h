/* The case: one resource instance object under one schema history, as runs of calls.
 * Module contract. Inputs (scenario files, captures, ...) fill it; rules only look at it.
 *
 * Every field of a call is given, derived, absent or undecodable. Absent is not null. Facts about
 * a call are yes, no or not known. All memory is in the file arena of the input. */
#ifndef LIFECHECK_CASE_H
#define LIFECHECK_CASE_H

#include "lifecheck/cloudcontrol.h"
#include "lifecheck/codec.h"
#include "lifecheck/diag.h"
#include "lifecheck/enum.h"
#include "lifecheck/path.h"
#include "lifecheck/rule.h"
#include "lifecheck/schema.h"
#include "lifecheck/table.h"
#include "lifecheck/value.h"

typedef enum lc_fact { LC_NOT_KNOWN, LC_NO, LC_YES } lc_fact;

typedef enum lc_field_state {
    LC_FIELD_ABSENT,
    LC_FIELD_GIVEN,
    LC_FIELD_DERIVED,
    LC_FIELD_UNDECODABLE, /* given, but `problem` says why it is no value of the type */
} lc_field_state;

/* Finds the place in the input of a part of a field's value; the nearest enclosing place if the
 * part is not written out. */
typedef struct lc_locator {
    lc_loc (*locate)(const void *context, lc_path path);
    const void *context;
} lc_locator;

typedef struct lc_field {
    lc_field_state state;
    lc_loc loc;            /* of the whole field */
    const lc_value *value; /* given, derived */
    lc_locator locator;    /* locate NULL: only `loc` is known */
    lc_wire_problem problem;
    lc_path problem_path;         /* undecodable: where inside the object */
    unsigned wire_notes;          /* LC_WIRE_NOTE_*, when it came as bytes */
    size_t wire_used;             /* bytes that the value took of them */
    bool untyped;                 /* no schema says what it is: the value has the type it shows */
    bool wire_msgpack, wire_json; /* it, or a part of it, came as such bytes */
} lc_field;

static inline bool lc_field_has_value(const lc_field *field)
{
    return field->state == LC_FIELD_GIVEN || field->state == LC_FIELD_DERIVED;
}
/* Where a part of the field's value stands in its input; where the field does if that is not known.
 */
lc_loc lc_field_locate(const lc_field *field, lc_path path);

typedef struct lc_located_path {
    lc_path path;
    lc_loc loc;
} lc_located_path;

typedef LC_VEC(lc_located_path) lc_path_list;

#define LC_PROVIDER_SEVERITIES(X)                                                                  \
    X(LC_SEVERITY_INVALID, "invalid") /* 0 or undefined on the wire */                             \
    X(LC_SEVERITY_ERROR, "error")                                                                  \
    X(LC_SEVERITY_WARNING, "warning")
LC_ENUM(lc_provider_severity, LC_PROVIDER_SEVERITIES);

typedef struct lc_provider_diag {
    lc_provider_severity severity;
    lc_str summary, detail;
    bool has_path;
    lc_path path;
    lc_loc loc;
} lc_provider_diag;

/* A stored object in its raw form, as in a state file. */
typedef struct lc_raw_state {
    bool given;
    lc_loc loc;
    int64_t schema_version;
    bool has_attributes;
    lc_field attributes; /* objects and tuples of the JSON core types, no schema applied */
    bool has_identity;
    lc_field identity;
    int64_t identity_schema_version;
    bool has_private;
    lc_str private_data;
    lc_fact tainted;
    lc_loc tainted_loc; /* line 0: it is not written */
} lc_raw_state;

typedef struct lc_imported {
    lc_loc loc;
    bool has_type_name;
    lc_str type_name;
    lc_field state;
    lc_field identity;
    bool has_private;
    lc_str private_data;
} lc_imported;

/* What an invoked action reports. */
#define LC_EVENT_KINDS(X)                                                                          \
    X(LC_EVENT_PROGRESS, "progress")                                                               \
    X(LC_EVENT_COMPLETED, "completed")                                                             \
    X(LC_EVENT_UNKNOWN, "unknown")
LC_ENUM(lc_event_kind, LC_EVENT_KINDS);

typedef struct lc_event {
    lc_event_kind kind;
    lc_loc loc;
} lc_event;

typedef struct lc_call {
    lc_call_kind kind;
    uint32_t index; /* place in the run, from 1 */
    lc_loc loc;     /* of the group, or of the short key that implied the call */
    lc_str deposed; /* deposed key, or "" */

    /* Request. Absent ones are derived from the run where the contract knows how. */
    lc_field config;      /* as sent */
    lc_field prior_state; /* read: current_state */
    lc_field proposed;    /* proposed_new_state */
    lc_field planned;     /* apply: planned_state */
    lc_field prior_identity;
    lc_raw_state raw; /* upgrade: raw_state; move: source_state */
    bool has_request_private;
    lc_str request_private;
    bool has_type_name;
    lc_str type_name;
    bool has_import_id;
    lc_str import_id;
    bool command_line; /* import by the command, not by a block */
    lc_fact applying;  /* data: read in the apply phase */

    /* Response. `result` is the object: upgraded_state, new_state, planned_state, state, result,
     * target_state. */
    lc_field result;
    lc_field identity;
    bool has_requires_replace;
    lc_path_list requires_replace;
    lc_fact legacy; /* legacy_type_system */
    lc_fact deferred;
    lc_fact deferral_allowed; /* by the client, in this request; not known: what the run says */
    lc_str deferred_reason;
    lc_loc deferred_loc;
    bool has_diagnostics;
    LC_VEC(lc_provider_diag) diagnostics;
    lc_fact failed;           /* an error diagnostic came back, or no answer at all */
    lc_fact broke;            /* a gRPC status came back instead of an answer */
    lc_str broke_with;        /* its code, as "UNAVAILABLE" */
    uint32_t provider_config; /* of recordings: a number for each way in which the provider was
                                 configured; 0: not known */
    lc_loc broke_loc;
    bool has_private;
    lc_str private_data;
    LC_VEC(lc_imported) imported;
    lc_field generated_config;
    lc_field prepared_config;
    lc_fact streamed; /* action: a stream of events came back; not known: it was not invoked */
    LC_VEC(lc_event) events;
} lc_call;

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

typedef struct lc_capabilities {
    lc_fact plan_destroy, move_resource_state, generate_resource_config; /* of the provider */
    lc_fact deferral_allowed, write_only_attributes_allowed, computed_blocks_allowed; /* client */
} lc_capabilities;

/* A promise that a client says was broken, without the values: in a log, where it was tolerated, or
 * in an error with which it stopped. */
#define LC_LOGGED_OTHERS 3
typedef struct lc_logged {
    lc_rule rule;
    lc_rule others[LC_LOGGED_OTHERS]; /* that the same words may be about */
    size_t other_count;
    bool family; /* `rule` stands for any of its family */
    bool beside; /* told in a file beside the recording, which may be of another run */
    bool hidden; /* the value is a secret: `rule` is one of those of its family that it can be */
    lc_call_kind call;
    lc_str address, type, provider;
    bool has_path; /* false: somewhere in the object */
    lc_path path;
    lc_str core_path; /* the same as the core spells it */
    lc_cores cores;   /* who says such things */
    lc_effect effect;
    lc_str note; /* for the finding */
    lc_loc loc;
    bool judged; /* set when a case has the finding by its values */
} lc_logged;

/* What the provider sent to the service, and what the service said; NULL: not stated. */
typedef struct lc_cloud_control {
    lc_loc loc;
    lc_cfn_doc *desired_state, *patch, *current_state;
    bool not_found; /* the service says that there is no such object */
    bool has_identifier, has_identifiers;
    lc_str identifier;
    const lc_str *identifiers; /* of all objects of the type, as the service lists them */
    size_t identifier_count;
    lc_loc desired_state_loc, patch_loc, current_state_loc, identifier_loc;
} lc_cloud_control;

/* A part of the final configuration that differs from the initial one because another instance of
 * the same input broke a promise, and its client only logged it. */
typedef struct lc_cause {
    lc_path path;     /* in the configuration */
    lc_str name;      /* of the other instance's case */
    lc_rule rule;     /* that it broke */
    lc_str path_text; /* where, as findings show it */
    lc_loc loc;
} lc_cause;

typedef struct lc_run {
    lc_loc loc;
    const lc_schema *schema;
    LC_VEC(lc_call) calls; /* in order */
    bool order_known;      /* number and order of calls are evidence (`calls:`, recordings) */

    /* Circumstances. */
    lc_fact tainted, create_before_destroy, force_replace, refresh_only;
    lc_action recorded; /* the action that the client's plan has, or LC_ACTION_NONE */
    lc_loc recorded_loc;
    lc_fact depends_on_pending; /* data: something it depends on is about to change */
    bool has_tainted;           /* stated by its own key, not only by previous_run_state */
    bool ignore_all;
    bool has_ignore_changes;
    lc_path_list ignore_changes;
    lc_path_list ephemeral; /* configured values that come from ephemeral ones */
    lc_str deposed;
    lc_capabilities capabilities;
    const lc_cloud_control *cloud_control; /* NULL: nothing is known of it */
    lc_field prior_identity;
    bool has_prior_private;
    lc_str prior_private;

    /* What the user wrote; the cores send what follows from it. */
    lc_field config;
    lc_field final_config;
    /* The prior state of the run, also of `read.new_state` when that is how it was given. */
    lc_field prior_state;
    lc_raw_state previous_run_state;

    /* What a log says of calls of this type, of this or another instance. */
    lc_logged *const *logged;
    size_t told_count;
    lc_str address; /* of the instance, where it is known: what is told of others is not of it */
    bool only_told; /* there is nothing else: each is a finding of this run */
    bool schema_unknown; /* ... and `schema` stands for one that nobody has given */
    bool only_answers;   /* calls of a log of which nobody has the values: judged is how they were
                            answered, which conforms if it finds nothing */

    LC_VEC(lc_cause) origins; /* of recordings */
    /* Of recordings: NO: nothing was applied, so that nobody knows whether what was read is stored.
     */
    lc_fact stored;
    bool apart; /* it is not known to begin with what the run before left */

    /* Set by lc_case_prepare: names of derived fields ("prior_state"), for the report. */
    LC_VEC(lc_str) derived;
} lc_run;

#define LC_SOURCE_KINDS(X)                                                                         \
    X(LC_SOURCE_SCENARIO, "scenario")                                                              \
    X(LC_SOURCE_RPC, "rpc")                                                                        \
    X(LC_SOURCE_PLAN, "plan")                                                                      \
    X(LC_SOURCE_LOG, "log")
LC_ENUM(lc_source_kind, LC_SOURCE_KINDS);

typedef struct lc_case {
    lc_source_kind source;
    lc_str file;
    uint32_t document; /* from 1 */
    lc_str name;
    lc_loc loc;
    lc_str resource; /* address for messages; the type if none was given */
    lc_str type;
    LC_VEC(lc_run) runs;
    /* Places that the input declares sensitive beside the schema's flags. A step below a set marks
     * the whole set. */
    LC_VEC(lc_path) sensitive;
    const struct lc_planning *planning; /* NULL: one object and its calls */
} lc_case;

#endif
