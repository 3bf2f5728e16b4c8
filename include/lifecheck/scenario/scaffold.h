/* Makes a first scenario for a resource type, from its schema. Module scenario. */
#ifndef LIFECHECK_SCENARIO_SCAFFOLD_H
#define LIFECHECK_SCENARIO_SCAFFOLD_H

#include "lifecheck/base/buf.h"
#include "lifecheck/schema/schema.h"
#include "lifecheck/value/path.h"

/* A fault of the schema itself. It breaks a rule, so the scenario must expect that finding. */
typedef struct lc_scaffold_fault {
    lc_str rule;
    lc_path path;
    /* All strings and the schema belong to the caller. */
} lc_scaffold_fault;

/* What happens to the object of a resource. */
#define LC_SCAFFOLD_ACTIONS(X)                                                                     \
    X(LC_SCAFFOLD_CREATE, "create")                                                                \
    X(LC_SCAFFOLD_UPDATE, "update")                                                                \
    X(LC_SCAFFOLD_DELETE, "delete")                                                                \
    X(LC_SCAFFOLD_REPLACE, "replace")                                                              \
    X(LC_SCAFFOLD_NOOP, "no-op")                                                                   \
    X(LC_SCAFFOLD_IMPORT, "import")
LC_ENUM(lc_scaffold_action, LC_SCAFFOLD_ACTIONS);

/* What a new scenario is to be about. */
typedef struct lc_scaffold {
    lc_str schema_file; /* as the scenario names it: relative to the scenario */
    lc_str file;        /* of the scenario itself, named in its comments */
    const lc_schema *schema;
    lc_str provider; /* to be named in the scenario, or empty */
    lc_scaffold_action action;
    const lc_scaffold_fault *faults;
    size_t fault_count;
} lc_scaffold;

/* Most bytes of a scenario that is made. */
#define LC_SCAFFOLD_MAX ((size_t)64 << 20)

/* Can the scaffold contain an update or replace? Not of a type without attributes. */
bool lc_scaffold_can_change(const lc_schema *schema);
/* Appends a complete scenario with comments to `out`: the action of a resource, a data source
 * that is read or an ephemeral resource that is opened. Optional lines are commented out by a `#`
 * without a space; the scenario passes with and without them. False: it is larger than
 * LC_SCAFFOLD_MAX. */
bool lc_scaffold_write(lc_buf *out, const lc_scaffold *starter);
/* Appends such a scenario as JSON, which has no comments. */
void lc_scaffold_as_json(lc_buf *out, lc_str yaml);

#endif
