/* The provider that a command asks, as the options give it. */
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
/* The same into a source of the caller, without documents if the option is not given. `what` is the
 * error about anything but a mapping. */
bool lc_provider_settings_read(lc_source *out, const lc_cli *cli, const char *what);
/* The mapping of the settings, or NULL. */
const lc_node *lc_provider_options_settings(const lc_provider_options *options);
/* Of terraform-provider-aws_v5.100.0_x5 the type aws, and the version 5.100.0; "": the file is
 * named otherwise. Borrowed. */
lc_str lc_provider_file_type(lc_str path);
lc_str lc_provider_file_version(lc_str path);
/* The variables that a provider with this source address gets where it gets none of ours but those
 * that shape plans, and those of --env. */
void lc_provider_environment(lc_words *out, const lc_cli *cli, lc_arena *arena, lc_str address);
/* Adds the types, globs or the like of an option that may be repeated, each a list with commas. An
 * empty string is one word, which names nothing: it must not select all. */
void lc_split_words(lc_words *out, lc_arena *arena, const lc_words *given);
/* Creates --provider-log. False: reported. */
bool lc_provider_options_open_log(lc_provider_options *options);
void lc_provider_options_close(lc_provider_options *options);
/* For its next process. */
lc_session_options lc_provider_session_options(lc_provider_options *options);
/* The line in which a provider that exited reported the reason, followed by some lines of its
 * stack;
 * "": it reported none. *how it ended, "" while it runs. `given`: the user configured the provider,
 * and a line may quote the values. */
lc_str lc_provider_last_words(lc_session *session, lc_arena *arena, bool given, lc_str *how);

#endif
