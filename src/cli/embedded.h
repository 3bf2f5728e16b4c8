/* Files that are part of the program. */
#ifndef LC_CLI_EMBEDDED_H
#define LC_CLI_EMBEDDED_H

#include "lifecheck/str.h"

#include <stdbool.h>

typedef struct lc_embedded {
    const char *path, *text;
} lc_embedded;
/* By its path in the repository; NULL: it is not part of the program. */
const lc_embedded *lc_embedded_file(lc_str path);
/* The first scenario that breaks the promise, else the first near miss; NULL: there is none of this
 * kind. */
const lc_embedded *lc_embedded_scenario(lc_str slug, bool fails);

#endif
