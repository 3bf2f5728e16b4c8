/* A process of the provider that probe and gate ask. They end it and start it again; while it does
 * not run, calls have the status that a client sees then. */
#ifndef LC_CLI_PROVIDER_PROCESS_H
#define LC_CLI_PROVIDER_PROCESS_H

#include "cli/provider_options.h"

typedef struct lc_provider_process {
    const lc_cli *cli;
    lc_str word;         /* the provider as the user named it, for messages */
    lc_session *session; /* NULL: it does not run */
    lc_arena *arena;     /* of the session */
} lc_provider_process;

/* Starts it, or connects to one that runs. False: reported. */
bool lc_provider_process_start(lc_provider_process *process, const lc_session_options *options);
void lc_provider_process_end(lc_provider_process *process);
/* As lc_session_ask. */
void lc_provider_process_ask(lc_provider_process *process, lc_live_call *out, lc_arena *arena,
                             const lc_question *questions, size_t count);
/* Why it exited, or else how it ended; "": it does not run, or runs still. */
lc_str lc_provider_process_last_words(const lc_provider_process *process, lc_arena *arena);

/* For lc_probe_hooks, whatever the context. */
bool lc_provider_process_stopped(void *context);
int64_t lc_provider_process_now(void *context);

#endif
