/* rules --clauses. Inside module cli. */
#ifndef LC_CLI_CLAUSES_H
#define LC_CLI_CLAUSES_H

#include "cli/internal.h"

/* Appends the clauses of the documents, as text or as JSON, with the rules for each:
 * those of which a rule matches the glob; "*": all. */
void lc_clauses_add(lc_buf *out, lc_str glob, bool json);

#endif
