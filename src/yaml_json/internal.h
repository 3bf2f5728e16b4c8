/* For the module yaml_json alone. */
#ifndef LC_YAML_JSON_INTERNAL_H
#define LC_YAML_JSON_INTERNAL_H

#include "lifecheck/yaml_json/node.h"

/* As lc_json_parse, for a string that may be YAML. *certain: the error is a mistake of JSON, which
 * YAML would describe worse (it has a comment of JSON, or ends in the middle). */
lc_status lc_json_try(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                      const lc_limits *limits, lc_diags *diags, bool *certain);

/* A place in a string; both count from 0, columns in code points. */
typedef struct lc_yaml_place {
    size_t line, column;
} lc_yaml_place;

/* A syntax error as libyaml reports it: `context` describes what was being read, and began at
 * `begin`; it may be "". `problem` was found at `at`. */
typedef struct lc_yaml_fault {
    const char *context, *problem;
    lc_yaml_place begin, at;
} lc_yaml_fault;

/* The message for a syntax error: what is wrong in the terms of an author of YAML, and how to fix
 * it. *place is where to report it; it is set to fault->at before. */
lc_str lc_yaml_explain(lc_arena *arena, lc_str text, const lc_yaml_fault *fault,
                       lc_yaml_place *place);

#endif
