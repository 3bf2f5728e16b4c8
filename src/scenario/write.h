/* A case written as a scenario. */
#ifndef LC_SCENARIO_WRITE_H
#define LC_SCENARIO_WRITE_H

#include "lifecheck/input.h"
#include "lifecheck/json.h"

/* The schema as an inline one, types as type JSON; of one that follows from a CloudFormation
 * resource type that type, and nothing that follows from it. */
void lc_write_schema(lc_json *w, const char *key, const lc_schema *schema);
/* The whole case as JSON, with what was given and without what was derived. Facts that are not
 * known are left out, and what came as bytes that are no value stands as other such bytes. */
void lc_write_case(lc_buf *out, const lc_case *subject);

#endif
