/* What providers answer while a run is predicted: the same requests that the client would send, to
 * processes of the providers, one for each provider configuration. Without processes of its own:
 * the caller starts them. Module drive.
 *
 * Only what a provider computes without a network counts. A call during which it tried to reach a
 * host, one that was not answered, and everything of a provider that cannot be configured is left
 * open with the reason. Nothing is applied, imported or refreshed. */
#ifndef LIFECHECK_DRIVE_ANSWERS_H
#define LIFECHECK_DRIVE_ANSWERS_H

#include "lifecheck/drive/client.h"
#include "lifecheck/predict/predict.h"

/* A process that the caller has started; ended with lc_answers_options.end. */
typedef struct lc_answer_process {
    void *process;
    lc_peer peer;
} lc_answer_process;

/* How providers answer while a run is predicted. */
typedef struct lc_answers_options {
    lc_limits limits;
    int64_t timeout_ms; /* of a call; 0: what is usual */
    /* Settings of the user, by name (aws.west), type (aws) or source address, which replace those
     * of the configuration; NULL: none. Reports mistakes in `diags`. */
    const lc_source *settings;
    lc_diags *diags;
    bool online; /* providers may use the network, with their own configuration */
    void *context;
    /* Is there a binary for this source address? Asked once. *version is its version, or empty;
     * *why is why it may not be run, or empty. */
    bool (*has)(void *context, lc_str provider, lc_str *version, lc_str *why);
    /* Starts a process. False: *why, a sentence that may be shown. */
    bool (*begin)(void *context, lc_answer_process *out, lc_str provider, lc_arena *arena,
                  lc_str *why);
    void (*end)(void *context, lc_answer_process *process);
    /* Takes what was asked about one object, once. `file` becomes its file. NULL: not needed. The
     * case lives until it returns. */
    void (*judge)(void *context, const lc_case *subject);
    lc_str file;
    /* Has the user asked the program to end? Then nothing more is asked. */
    bool (*stopped)(void *context);
} lc_answers_options;

typedef struct lc_provider_answers lc_provider_answers;

/* `core`: whose requests are sent, of its newest version that is known; `otherwise` answers what no
 * provider is asked, and what a provider leaves open. Everything lives in the arena; options and
 * `otherwise` are copied.
 */
lc_provider_answers *lc_provider_answers_new(lc_arena *arena, const lc_answers_options *options,
                                             lc_core core, const lc_run_provider *otherwise);
/* The callbacks that a prediction asks. */
lc_run_provider lc_provider_answers_run(lc_provider_answers *answers);
/* Ends all processes. Answers that were given stay known. */
void lc_provider_answers_close(lc_provider_answers *answers);

#endif
