/* Writing a case as a scenario: what write.c and schema.c share. */
#ifndef LC_SCENARIO_WRITE_H
#define LC_SCENARIO_WRITE_H

#include "lifecheck/base/json.h"
#include "lifecheck/scenario/scenario.h"

/* Writes the schema as an inline one, with types as type JSON. A schema that was derived from a
 * CloudFormation resource type is written as that type, because all else follows from it. */
void lc_write_schema(lc_json *w, const char *key, const lc_schema *schema);

#endif
