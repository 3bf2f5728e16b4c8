/* Bounds on whatever an input controls. Module base. */
#ifndef LIFECHECK_LIMITS_H
#define LIFECHECK_LIMITS_H

#include <stddef.h>

typedef struct lc_limits {
    size_t input_bytes; /* one input file */
    size_t depth;       /* values and YAML */
    size_t json_depth;
    size_t nodes;
    size_t digits; /* of one number */
    size_t alias_nodes;
} lc_limits;

#define LC_MAX_INPUT_BYTES ((size_t)256 << 20)
#define LC_MAX_DEPTH       200
#define LC_MAX_JSON_DEPTH  1000
#define LC_MAX_NODES       50000000
#define LC_MAX_DIGITS      100000
#define LC_MAX_ALIAS_NODES 1000000
#define LC_MAX_DIAGS       100

#define LC_LIMITS_DEFAULT                                                                          \
    ((lc_limits){LC_MAX_INPUT_BYTES, LC_MAX_DEPTH, LC_MAX_JSON_DEPTH, LC_MAX_NODES, LC_MAX_DIGITS, \
                 LC_MAX_ALIAS_NODES})

#endif
