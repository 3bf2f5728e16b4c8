/* A scenario to begin with, made from a schema. Module scenario. */
#ifndef LIFECHECK_SCAFFOLD_H
#define LIFECHECK_SCAFFOLD_H

#include "lifecheck/buf.h"
#include "lifecheck/path.h"
#include "lifecheck/schema.h"

/* What is wrong with the schema itself, and has to be expected. */
typedef struct lc_scaffold_fault {
    lc_str rule;
    lc_path path;
} lc_scaffold_fault;

typedef struct lc_scaffold {
    lc_str schema_file; /* as the scenario names it */
    lc_str file;        /* of the scenario, for its remarks */
    const lc_schema *schema;
    lc_str provider; /* to be named in the scenario, or empty */
    const lc_scaffold_fault *faults;
    size_t fault_count;
} lc_scaffold;

/* Largest text that is made. */
#define LC_SCAFFOLD_MAX ((size_t)64 << 20)

/* A complete scenario with remarks, of a resource that is created, a data source that is read or an
 * ephemeral resource that is opened. What is optional is switched off by a `#` without a space;
 * with these taken away it is a scenario that passes, too. False: larger than LC_SCAFFOLD_MAX. */
bool lc_scaffold_write(lc_buf *out, const lc_scaffold *starter);
/* The text of a starter as JSON, which has no remarks. */
void lc_scaffold_as_json(lc_buf *out, lc_str yaml);

#endif
