/* What the configuration of the client requires, compared with what is served. */
#ifndef LC_CLI_SERVE_REQUIRED_H
#define LC_CLI_SERVE_REQUIRED_H

#include "cli/internal.h"
#include "lifecheck/live/live.h"
#include "lifecheck/serve/serve.h"

/* The served provider with this complete address; NULL: there is none. */
typedef lc_served *(*lc_find_served)(const void *context, lc_str address);

/* Adds an error for each provider that the configuration of the command's folder requires, and that
 * is neither served nor installed, and for each of its resources whose type the schema does not
 * have. Only where the command is a client that will ask providers, and the folder has a
 * configuration that can be read: else nothing is added. The served providers learn what modules
 * set in `provider_meta`, whatever the command is. */
void lc_serve_check_required(const lc_cli *cli, const lc_live_search *search, lc_find_served find,
                             const void *context, lc_diags *diags);

#endif
