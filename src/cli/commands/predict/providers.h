/* The providers that predict asks: which binaries there are, and their processes. */
#ifndef LC_CLI_COMMANDS_PREDICT_PROVIDERS_H
#define LC_CLI_COMMANDS_PREDICT_PROVIDERS_H

#include "cli/internal.h"
#include "lifecheck/drive/answers.h"

typedef struct lc_predict_providers lc_predict_providers;
/* Finds the providers that `init` installed for the configuration in this folder, and those that
 * --provider names. NULL: nothing is asked, or *status is an error, which was reported. */
lc_predict_providers *lc_predict_providers_open(const lc_cli *cli, lc_str folder, lc_exit *status);
/* Who judges what was asked: lc_answers_options.judge. */
void lc_predict_providers_judge(lc_predict_providers *providers,
                                void (*judge)(void *context, const lc_case *subject),
                                void *context);
/* For lc_prediction_files.ask, with the providers as its context. */
lc_run_provider lc_predict_providers_ask(void *context, const lc_configuration *config,
                                         const lc_run_provider *otherwise);
/* Ends all processes. NULL is ignored. */
void lc_predict_providers_end(lc_predict_providers *providers);
/* Lines for people about what was asked, and how. */
void lc_add_asked(lc_buf *out, const lc_prediction *prediction);

#endif
