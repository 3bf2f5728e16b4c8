/* What `serve` reads before it serves. */
#ifndef LC_CLI_SERVE_INPUTS_H
#define LC_CLI_SERVE_INPUTS_H

#include "cli/internal.h"
#include "lifecheck/serve/serve.h"

/* The answers of scenarios and recordings that `words` name, read by the schemas of --schema and
 * --provider-schema. Errors are reported. */
lc_exit lc_serve_read_inputs(lc_serve_stated **out, const lc_cli *cli, const lc_words *words);
/* --learn. *out stays NULL without it. */
lc_exit lc_serve_learn(lc_learned **out, const lc_cli *cli);

#endif
