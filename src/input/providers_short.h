/* Configurations and states in short, as nodes of their full form. */
#ifndef LC_INPUT_PROVIDERS_SHORT_H
#define LC_INPUT_PROVIDERS_SHORT_H

#include "input/internal.h"
#include "lifecheck/configuration.h"

typedef struct lc_short_config {
    const lc_node *required, *blocks, *use; /* each may be NULL */
} lc_short_config;

/* The root module, and the others by folder; places are those of what was written. False:
 * reported. */
bool lc_in_short_config(lc_in *in, const lc_node **root, const lc_node **modules,
                        const lc_short_config *shorts);

/* A state: with `resources` as it stands, else a mapping from objects to provider addresses, as the
 * profile's client writes it. NULL: reported. */
const lc_node *lc_in_short_state(lc_in *in, const lc_node *node, lc_profile profile);

#endif
