/* Makes a first scenario for a resource type, from its schema. Module scenario. */
#ifndef LIFECHECK_SCAFFOLD_H
#define LIFECHECK_SCAFFOLD_H

#include "lifecheck/buf.h"
#include "lifecheck/path.h"
#include "lifecheck/schema.h"

/* A fault of the schema itself. It breaks a rule, so the scenario must expect that finding. */
typedef struct lc_scaffold_fault {
    lc_str rule;
    lc_path path;
    /* All strings and the schema belong to the caller. */
} lc_scaffold_fault;

typedef struct lc_scaffold {
    lc_str schema_file; /* as the scenario names it: relative to the scenario */
    lc_str file;        /* of the scenario itself, named in its comments */
    const lc_schema *schema;
    lc_str provider; /* to be named in the scenario, or empty */
    const lc_scaffold_fault *faults;
    size_t fault_count;
} lc_scaffold;

/* Most bytes of a scenario that is made. */
#define LC_SCAFFOLD_MAX ((size_t)64 << 20)

/* Appends a complete scenario with comments to `out`: a resource that is created, a data source
 * that is read or an ephemeral resource that is opened. Optional lines are commented out by a `#`
 * without a space; the scenario passes with and without them. False: it is larger than
 * LC_SCAFFOLD_MAX. */
bool lc_scaffold_write(lc_buf *out, const lc_scaffold *starter);
/* Appends such a scenario as JSON, which has no comments. */
void lc_scaffold_as_json(lc_buf *out, lc_str yaml);

#endif
