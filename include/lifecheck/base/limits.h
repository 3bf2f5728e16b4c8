/* Limits for everything that an input controls, so that no input can exhaust memory, time or the
 * stack. Module base. */
#ifndef LIFECHECK_BASE_LIMITS_H
#define LIFECHECK_BASE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

/* The limits of reading one input; exceeding one gives LC_ELIMIT. */
typedef struct lc_limits {
    size_t input_bytes; /* bytes of one file */
    size_t depth;       /* nesting of values, and of YAML */
    size_t json_depth;
    size_t nodes;
    size_t digits; /* digits of one number */
    size_t alias_nodes;
    size_t memory; /* bytes of the values of expressions */
    bool by_user;  /* options set depth and nodes: messages name them */
} lc_limits;

/* The defaults. LC_MAX_DEPTH also limits recursion over values, types and schemas, so it decides
 * how much stack is needed. LC_MAX_DIAGS limits the diagnostics that are kept for one input. */
#define LC_MAX_INPUT_BYTES  ((size_t)256 << 20)
#define LC_MAX_NATIVE_BYTES ((size_t)32 << 20) /* of one file in native syntax */
#define LC_MAX_DEPTH        200
#define LC_MAX_JSON_DEPTH   1000
#define LC_MAX_NODES        50000000
#define LC_MAX_DIGITS       100000
#define LC_MAX_ALIAS_NODES  1000000
#define LC_MAX_MEMORY       ((size_t)1 << 30)
#define LC_MAX_DIAGS        100

#define LC_LIMITS_DEFAULT                                                                          \
    ((lc_limits){LC_MAX_INPUT_BYTES, LC_MAX_DEPTH, LC_MAX_JSON_DEPTH, LC_MAX_NODES, LC_MAX_DIGITS, \
                 LC_MAX_ALIAS_NODES, LC_MAX_MEMORY, false})

#endif
