/* The provider that drive asks: its processes, the recording of its calls, and what it leaves. */
#ifndef LC_CLI_COMMANDS_DRIVE_PROVIDER_H
#define LC_CLI_COMMANDS_DRIVE_PROVIDER_H

#include "cli/provider_options.h"
#include "cli/recorder.h"
#include "lifecheck/drive/drive.h"

/* The largest number of processes at once: one for validation, one for the walk,
 * and a second user of a state store. */
#define LC_MOST_SESSIONS 3

typedef struct lc_drive_provider {
    const lc_cli *cli;
    lc_provider_options provider_options;
    lc_live_providers providers; /* it alone */
    lc_recorder *recorder;
    lc_session *sessions[LC_MOST_SESSIONS];
    size_t count;
    uint64_t died, calls;
    bool never_started; /* no process has served */
    bool not_destroyed; /* objects could not be destroyed */
    size_t set_aside;   /* objects of scenarios that have another one by now */
} lc_drive_provider;

/* Reads --provider and opens the log. False: reported. */
bool lc_drive_provider_init(lc_drive_provider *out, const lc_cli *cli, lc_exit *status);
void lc_drive_provider_end(lc_drive_provider *provider);

/* For lc_driver_options, with the provider as the context. */
bool lc_drive_begin(void *context, lc_peer *out, bool last);
void lc_drive_end(void *context);
bool lc_drive_stopped(void *context);
void lc_drive_on_call(void *context, const lc_live_call *call);
void lc_drive_on_event(void *context, lc_live_weight weight, lc_str text);
void lc_drive_on_not_destroyed(void *context, const lc_undestroyed_object *object);
void lc_drive_on_set_aside(void *context, const lc_schema *schema);

#endif
