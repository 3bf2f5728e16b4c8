/* A case written as a scenario. */
#ifndef LC_SCENARIO_WRITE_H
#define LC_SCENARIO_WRITE_H

#include "lifecheck/json.h"
#include "lifecheck/scenario.h"

/* The schema as an inline one, types as type JSON; of one that follows from a CloudFormation
 * resource type that type, and nothing that follows from it. */
void lc_write_schema(lc_json *w, const char *key, const lc_schema *schema);

#endif
