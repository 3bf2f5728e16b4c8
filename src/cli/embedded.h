/* Scenarios that are part of the program. */
#ifndef LC_CLI_EMBEDDED_H
#define LC_CLI_EMBEDDED_H

#include "lifecheck/str.h"

#include <stdbool.h>

typedef struct lc_embedded {
    const char *slug;
    bool fails; /* the scenario that breaks the promise, else the near miss */
    const char *path, *text;
} lc_embedded;
/* NULL: there is none of this kind. */
const lc_embedded *lc_embedded_scenario(lc_str slug, bool fails);

#endif
