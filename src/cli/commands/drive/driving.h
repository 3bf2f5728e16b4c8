/* The provider that drive asks: its processes, the recording of its calls, and what it leaves. */
#ifndef LC_CLI_COMMANDS_DRIVING_H
#define LC_CLI_COMMANDS_DRIVING_H

#include "cli/asked.h"
#include "cli/recorder.h"
#include "lifecheck/drive/drive.h"

/* No more processes are open at once: one that validates, one of the walk. */
#define LC_MOST_SESSIONS 2

typedef struct lc_driven_provider {
    const lc_cli *cli;
    lc_asked asked;
    lc_live_providers providers; /* it alone */
    lc_recorder *recorder;
    lc_session *sessions[LC_MOST_SESSIONS];
    size_t count;
    uint64_t died, calls;
    bool never_came; /* no process has served */
    bool left;       /* objects could not be destroyed */
    int left_files;
    size_t set_aside; /* objects of scenarios that have another one by now */
} lc_driven_provider;

/* Reads --provider and opens the log. False: told. */
bool lc_driven_provider_init(lc_driven_provider *out, const lc_cli *cli, lc_exit *status);
void lc_driven_provider_end(lc_driven_provider *provider);

/* For lc_driver_options, with the provider as the context. */
bool lc_driven_begin(void *context, lc_peer *out, bool last);
void lc_driven_end(void *context);
bool lc_driven_stopped(void *context);
void lc_driven_made(void *context, const lc_live_call *call);
void lc_driven_tell(void *context, lc_live_weight weight, lc_str text);
void lc_driven_left(void *context, const lc_left_object *object);
void lc_driven_another(void *context, const lc_schema *schema);

#endif
