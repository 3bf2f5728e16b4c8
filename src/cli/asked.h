/* The provider that drive and probe ask, as the options give it. */
#ifndef LC_CLI_ASKED_H
#define LC_CLI_ASKED_H

#include "cli/internal.h"
#include "lifecheck/live/session.h"

typedef struct lc_asked {
    const lc_cli *cli;
    lc_live_provider provider; /* its address is "" unless the user gave one */
    lc_str where;              /* what stands behind the address */
    lc_source settings;        /* of --provider-config; no document: not given */
    int log;                   /* for its standard error, or -1 */
    uint64_t started;          /* processes */
} lc_asked;

/* From --provider, which is given once: [ADDRESS=]BINARY, or unix:PATH or tcp:HOST:PORT of one that
 * runs. Nothing is opened. */
void lc_asked_read(lc_asked *out, const lc_cli *cli);
/* Reads --provider-config. False: reported. */
bool lc_asked_read_settings(lc_asked *asked);
/* The mapping of the settings, or NULL. */
const lc_node *lc_asked_settings(const lc_asked *asked);
/* Creates --provider-log. False: reported. */
bool lc_asked_open_log(lc_asked *asked);
void lc_asked_close(lc_asked *asked);
/* For its next process. */
lc_session_options lc_asked_session(lc_asked *asked);
/* The line in which a provider that died said why, and behind it some lines of its stack; "": it
 * said nothing. *how it ended, "" while it lives. `given`: the user gave it something, which a line
 * may quote. */
lc_str lc_asked_last_words(lc_session *session, lc_arena *arena, bool given, lc_str *how);

#endif
