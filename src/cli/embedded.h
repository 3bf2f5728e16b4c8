/* Files that are part of the program. */
#ifndef LC_CLI_EMBEDDED_H
#define LC_CLI_EMBEDDED_H

#include "lifecheck/base/str.h"

#include <stdbool.h>

typedef struct lc_embedded {
    const char *path, *text;
} lc_embedded;
/* The file with this path in the repository, static; NULL: it is not part of the program. */
const lc_embedded *lc_embedded_file(lc_str path);
/* The first scenario that violates the rule, or, without `fails`, the first near miss, static;
 * NULL: the rule has no such scenario. */
const lc_embedded *lc_embedded_scenario(lc_str slug, bool fails);

#endif
