/* The configuration of a provider that must not reach its cloud. Module offline_config. Everything
 * lives in the arena given. */
#ifndef LIFECHECK_OFFLINE_CONFIG_SETTINGS_H
#define LIFECHECK_OFFLINE_CONFIG_SETTINGS_H

#include "lifecheck/configuration/expression.h"
#include "lifecheck/schema/schema.h"

/* Part of an evaluated provider configuration with which no cloud is reached: what shapes plans is
 * kept, credentials are generated, what reaches out is left out. */
typedef struct lc_offline_settings {
    const lc_value *value; /* NULL: it is not known what is kept, and `why` */
    lc_str why;
    LC_VEC(lc_str) invented, left_out;
} lc_offline_settings;
void lc_settings_offline(lc_offline_settings *out, lc_arena *arena, const lc_schema *schema,
                         lc_str provider, lc_marked given);
/* The configuration as it is, for a provider with the network. */
void lc_settings_whole(lc_offline_settings *out, lc_marked given);
/* Does the answer of the data source depend on generated credentials? */
bool lc_settings_sign(lc_str type);
/* Variables of the environment that shape plans of a provider, as the clients' users set them: an
 * array that ends with NULL; NULL: none. */
const char *const *lc_settings_environment(lc_str provider);

#endif
