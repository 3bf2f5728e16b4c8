/* The implementation of lifecheck/drive/answers.h: sessions (sessions.c) and the queries to them
 * (answers.c). */
#ifndef LC_DRIVE_ANSWERS_H
#define LC_DRIVE_ANSWERS_H

#include "lifecheck/drive/answers.h"

/* A process of a provider, and the provider configuration that it serves. */
typedef struct lc_query_session {
    lc_provider_answers *owner;
    struct lc_query_binary *binary;
    const lc_run_settings *settings; /* NULL: none, of the process that gives the schemas */
    lc_run_asked report;
    const lc_value *value; /* what it is configured with; NULL: nothing, `report.why` */
    lc_client *client;
    lc_answer_process process;
    bool running;
    bool tried;     /* it was configured, or cannot be */
    lc_str reached; /* the first host that it tried since this was cleared */
    lc_table known; /* method and request -> lc_live_call: the same question has the same answer */
} lc_query_session;

/* A provider: its schemas are read once, for any number of configurations. */
typedef struct lc_query_binary {
    lc_str address, version;
    bool exists; /* the caller has a binary */
    lc_rpc_schemas schemas;
    lc_client *client;     /* that read the schemas, also when its process has ended; NULL: none */
    lc_query_session bare; /* without a configuration; the first one takes its process over */
    lc_str why;            /* why it cannot be asked; or empty */
} lc_query_binary;

/* What was asked about the object that is being planned (answer_case.c). */
typedef struct lc_query_object {
    lc_str address;
    const lc_schema *schema; /* NULL: none was asked about */
    lc_run run;
    lc_run_question question; /* of its last plan; if `planned` */
    bool planned;
} lc_query_object;

struct lc_provider_answers {
    lc_arena *arena;
    lc_query_object object;
    lc_answers_options options;
    lc_core core;
    lc_run_provider otherwise;
    lc_table binaries;              /* source address -> lc_query_binary */
    lc_table sessions;              /* lc_run_settings.key -> lc_query_session */
    LC_VEC(lc_query_binary *) used; /* those that exist */
    LC_VEC(lc_query_session *) list;
    lc_table judged; /* addresses of objects: a prediction may be made twice */
};

/* NULL: no binary, or it has no such type. */
const lc_schema *lc_query_schema(lc_provider_answers *answers, lc_schema_kind kind, lc_str provider,
                                 lc_str type);
/* The session of a provider configuration, with a configured process. NULL: no process can be
 * asked; *why, or empty if there is no binary. */
lc_query_session *lc_query_session_for(lc_provider_answers *answers,
                                       const lc_run_settings *settings, lc_str *why);
/* A call was not answered: ends the process. Why, as a clause. */
lc_str lc_query_session_lost(lc_query_session *session, lc_arena *arena, const lc_call *call);
/* Any process of the provider, configured or not: functions do not depend on that. NULL: there is
 * none; *why, or empty if there is no binary. */
lc_query_session *lc_query_session_any(lc_provider_answers *answers, lc_str provider, lc_str *why);

/* Notes calls about an object; lc_run_provider.ended judges them. */
void lc_query_note_upgrade(lc_provider_answers *answers, lc_arena *arena, const lc_run_prior *prior,
                           const lc_schema *schema, const lc_raw_state *raw, const lc_call *call);
void lc_query_note_validate(lc_provider_answers *answers, const lc_run_question *question,
                            const lc_client *client, const lc_call *call);
void lc_query_note_plan(lc_provider_answers *answers, const lc_run_question *question,
                        const lc_call *call);
void lc_query_judge(void *answers);
/* lc_run_provider.asked */
const lc_run_asked *lc_query_list(void *answers, lc_arena *arena, size_t *count);
/* "hashicorp/aws", and "hashicorp/aws 5.100.0". */
lc_str lc_query_name(const lc_query_session *session);
lc_str lc_query_words(const lc_query_session *session);

#endif
