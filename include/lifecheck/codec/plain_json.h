/* Values as plan JSON has them: bare JSON by the schema's type, with the unknowns in a second tree
 * of the same shape. Module codec. */
#ifndef LIFECHECK_CODEC_PLAIN_JSON_H
#define LIFECHECK_CODEC_PLAIN_JSON_H

#include "lifecheck/base/limits.h"
#include "lifecheck/value/path.h"
#include "lifecheck/yaml_json/node.h"

/* Arena and limits are set by the caller, the rest by a failure. */
typedef struct lc_plain_json {
    lc_arena *arena;
    lc_limits limits;
    lc_str why;      /* of a failure */
    lc_path failure; /* where */
} lc_plain_json;

/* The value of `type` that `known` and `unknown` make together; either may be NULL. Sets are built
 * after both are put together. False: the JSON does not have the form of the type. */
bool lc_plain_json_value(lc_value *out, lc_plain_json *bare, const lc_type *type,
                         const lc_node *known, const lc_node *unknown);
/* A place that a tree of marks calls sensitive (`true`), for each. */
void lc_plain_json_marks(lc_arena *arena, const lc_type *type, const lc_node *marks,
                         void (*each)(void *context, lc_path path), void *context);

#endif
