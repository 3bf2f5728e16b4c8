/* What a client does when it asks a provider: requests as Terraform or OpenTofu makes them from
 * values, and answers as calls of a case, read as those of a recording are. Without sockets: the
 * bytes are carried by a peer. Module drive.
 *
 * Only calls that need no service are here. Those that read the world are in reading.h, those that
 * change it in changing.h. */
#ifndef LIFECHECK_DRIVE_CLIENT_H
#define LIFECHECK_DRIVE_CLIENT_H

#include "lifecheck/contract/case.h"
#include "lifecheck/live/session.h"
#include "lifecheck/recording/rpc_schemas.h"

/* Who answers: a process of a provider, or in tests a function. */
typedef struct lc_peer {
    void *context;
    int protocol; /* 5 or 6; 0, of one that was dialled: it is found out */
    void (*ask)(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count);
    /* As lc_call.last_words, of a provider that does not answer any more. NULL: not needed. */
    lc_str (*last_words)(void *context, lc_arena *arena);
} lc_peer;

/* What the client is doing in the provider's process. */
typedef enum lc_client_walk {
    LC_WALK_PLAN,         /* or validating; stored objects are as the state file has them */
    LC_WALK_PLAN_DESTROY, /* of objects that were refreshed by another process */
    LC_WALK_APPLY,        /* Terraform announces in this call that it allows deferral */
} lc_client_walk;

/* Which client is imitated, and the provider that it talks to. Copied; what it points to is
 * borrowed for the life of the client. */
typedef struct lc_client_options {
    lc_core as;     /* whose requests */
    lc_str version; /* version that the client reports; "": the newest that we know. Terraform
                       supports identities from 1.12 on */
    lc_client_walk walk;
    lc_limits limits;
    lc_peer peer;
    int64_t timeout_ms;                                  /* of a call; 0: what is usual */
    bool no_deferral, no_write_only, no_computed_blocks; /* capabilities that are not offered */
    bool in_order; /* paths that require replacement, and diagnostics, in an order of their own:
                      some providers give them in another each time */
    /* Asks for schemas that are known also where the provider says that it can do without. */
    bool asks_again;
    /* Sees every call that was made, for recordings; NULL: not needed. */
    void (*on_call)(void *context, const lc_live_call *call);
    void *on_call_context;
} lc_client_options;

typedef struct lc_client lc_client;

/* Asks for schemas as a client does (GetProviderSchema, GetResourceIdentitySchemas, ...). NULL: no
 * usable answer; reported. `schemas` may be shared by clients of one provider: what was read
 * already is used. */
lc_client *lc_client_open(lc_arena *arena, const lc_client_options *options,
                          lc_rpc_schemas *schemas, lc_diags *diags);
/* NULL: the provider has no such type. The provider's own configuration: LC_KIND_PROVIDER, "". */
const lc_schema *lc_client_schema(const lc_client *client, lc_schema_kind kind, lc_str type);
/* The names of the types of a kind, in order: *out is an array in the arena. */
size_t lc_client_types(const lc_client *client, lc_schema_kind kind, const lc_str **out,
                       lc_arena *arena);
const lc_capabilities *lc_client_capabilities(const lc_client *client); /* of the provider */
/* These, and what the client offers while it plans: what rules about its runs look at. */
lc_capabilities lc_client_run_capabilities(const lc_client *client);

/* Each function makes one call and fills `out` as a recording of it would: the fields of the
 * request, those of the answer, or a call that failed without one. Everything is in `arena`. `loc`
 * is the location that findings report. */

/* Validates (prepares) and, if that brings no error, configures; the last of both calls is `out`,
 * of which only failure and diagnostics mean anything. `config` NULL: none was written. */
void lc_client_configure(lc_client *client, lc_call *out, lc_arena *arena, const lc_value *config,
                         lc_loc loc);
/* Of any kind of schema; the provider's own configuration too. */
void lc_client_validate(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                        const lc_value *config, lc_loc loc);
/* `raw` has attributes. */
void lc_client_upgrade(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                       const lc_raw_state *raw, lc_loc loc);

/* Plans an action, which only Terraform does. `config` is wholly known or not. */
void lc_client_plan_action(lc_client *client, lc_call *out, lc_arena *arena,
                           const lc_schema *schema, const lc_value *config, lc_loc loc);

/* Asks for the result of a function of the provider; arguments without a value are null. Clients
 * ask a provider that is not configured. `schema` is that of the provider. */
void lc_client_call_function(lc_client *client, lc_call *out, lc_arena *arena,
                             const lc_schema *schema, const lc_function_call *function, lc_loc loc);

/* The request of one PlanResourceChange. Values are of the type of the schema, and borrowed. */
typedef struct lc_plan_question {
    lc_call_kind kind;     /* plan, plan_create, destroy_plan, final_plan */
    const lc_value *prior; /* NULL: null */
    const lc_value *config;
    const lc_value *proposed; /* NULL: the client's own ProposedNew */
    const lc_value *identity; /* prior identity, or NULL */
    lc_str private_data;
    lc_str planned_private; /* of a final plan: what the plan before gave; from Terraform 1.16 on */
} lc_plan_question;
/* If the client would crash before it asks, out has neither a request nor an answer, and it is not
 * known whether it failed. */
void lc_client_plan(lc_client *client, lc_call *out, lc_arena *arena, const lc_schema *schema,
                    const lc_plan_question *question, lc_loc loc);
/* Several plans at once: out[i] is that of questions[i]. */
void lc_client_plan_together(lc_client *client, lc_call *out, lc_arena *arena,
                             const lc_schema *schema, const lc_plan_question *questions,
                             size_t count, lc_loc loc);

#endif
