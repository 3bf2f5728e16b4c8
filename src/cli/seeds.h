/* The inputs of probing in addition to generated ones: configurations and stored objects from files
 * of the user. */
#ifndef LC_CLI_SEEDS_H
#define LC_CLI_SEEDS_H

#include "cli/internal.h"
#include "lifecheck/probe/probe.h"

typedef struct lc_seeds {
    LC_VEC(lc_probe_seed) list; /* in the order of the files and of what is in them */
    size_t foreign;             /* objects of types that the provider does not have */
    size_t of_version;          /* objects of another schema version than the provider has */
    size_t unfit;               /* objects that do not fit the provider's schema */
    lc_str why_unfit;           /* the first of these: its type, and what does not fit */
    bool of_configuration;      /* --config is a configuration */
    LC_VEC(lc_str) types;       /* that it or a state names, as --type takes them */
} lc_seeds;

/* Reads --config (scenarios, recordings or plans, as a file or a folder of them; or a configuration
 * in JSON syntax, with the variables of its folder) and the state of --state. Values are fitted to
 * the schemas of the prober. Everything is in `arena`; errors are reported. False: a file could not
 * be read. */
bool lc_seeds_read(lc_seeds *out, lc_arena *arena, const lc_cli *cli, const lc_prober *prober);

#endif
