/* Handles the calls that `record` sees: writes lines of a recording, and judges cases. */
#ifndef LC_CLI_RECORDER_H
#define LC_CLI_RECORDER_H

#include "cli/checking.h"
#include "lifecheck/live/live.h"

typedef struct lc_recorder lc_recorder;
/* Creates the recording (mode 0600, a new file) and the reports. NULL: reported; *status is the
 * exit status of the command. */
lc_recorder *lc_recorder_open(const lc_cli *cli, lc_exit *status);
/* Judges without a recording unless --output names one. */
lc_recorder *lc_recorder_open_judging(const lc_cli *cli, lc_exit *status);
/* The same for a file of this name, without judging; "": nothing is written, but the recorder's
 * messages are masked all the same. */
lc_recorder *lc_recorder_open_named(const lc_cli *cli, lc_str name, lc_exit *status);
/* The calls about objects that follow are those of this address; "": not known. */
void lc_recorder_address(lc_recorder *recorder, lc_str address);
/* For lc_live_hooks, with the recorder as the context. */
void lc_recorder_call(void *recorder, const lc_live_call *call);
void lc_recorder_report(void *recorder, lc_live_weight weight, lc_str text, lc_str log);
void lc_recorder_client(void *recorder, lc_str program);
void lc_recorder_evidence(void *recorder, lc_str path, lc_str json);
void lc_recorder_idle(void *recorder);
/* Runs the command of `search`, or waits for clients if that has none, and closes the recorder. */
lc_exit lc_recorder_run(const lc_cli *cli, lc_recorder *recorder, const lc_live_search *search,
                        const lc_live_providers *providers);
/* Writes what is known at the end and all reports. `folder`: where the client worked, whose plans
 * and states name the objects. */
lc_exit lc_recorder_close(lc_recorder *recorder, const lc_live_providers *providers,
                          const lc_live_result *result, lc_str folder);
/* Nothing was run: the recording and the reports are not kept. */
void lc_recorder_drop(lc_recorder *recorder);

#endif
