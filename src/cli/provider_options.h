/* The provider that drive and probe ask, as the options give it. */
#ifndef LC_CLI_PROVIDER_OPTIONS_H
#define LC_CLI_PROVIDER_OPTIONS_H

#include "cli/internal.h"
#include "lifecheck/live/session.h"

typedef struct lc_provider_options {
    const lc_cli *cli;
    lc_live_provider provider; /* its address is "" unless the user gave one */
    lc_str where;              /* the part after the address */
    lc_source settings;        /* of --provider-config; no document: not given */
    int log;                   /* for its standard error, or -1 */
    uint64_t started;          /* processes */
} lc_provider_options;

/* From --provider, which is given once: [ADDRESS=]BINARY, or unix:PATH or tcp:HOST:PORT of one that
 * runs. Nothing is opened. */
void lc_provider_options_read(lc_provider_options *out, const lc_cli *cli);
/* Reads --provider-config. False: reported. */
bool lc_provider_options_read_settings(lc_provider_options *options);
/* The mapping of the settings, or NULL. */
const lc_node *lc_provider_options_settings(const lc_provider_options *options);
/* Creates --provider-log. False: reported. */
bool lc_provider_options_open_log(lc_provider_options *options);
void lc_provider_options_close(lc_provider_options *options);
/* For its next process. */
lc_session_options lc_provider_session_options(lc_provider_options *options);
/* The line in which a provider that died reported the reason, followed by some lines of its stack;
 * "": it reported none. *how it ended, "" while it runs. `given`: the user configured the provider,
 * and a line may quote the values. */
lc_str lc_provider_last_words(lc_session *session, lc_arena *arena, bool given, lc_str *how);

#endif
