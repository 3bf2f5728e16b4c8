/* Cases of a recording that are about no object, but about the provider's description of itself. */
#ifndef LC_RECORDING_PROTOJSON_SCHEMAS_ALONE_H
#define LC_RECORDING_PROTOJSON_SCHEMAS_ALONE_H

#include "lifecheck/recording/instances.h"
#include "lifecheck/recording/rpc_schemas.h"

/* One case for each type that is at fault and one for all others: what a recording that ends before
 * any call about an object is judged by. */
void lc_rpc_schemas_alone(const lc_rpc_schemas *schemas, lc_take_case take, void *context);

/* One case for each schema of a provider itself that is at fault. In a recording with calls about
 * objects those of types are judged with the calls, but what all calls share belongs to none. */
void lc_rpc_schemas_of_providers(const lc_rpc_schemas *schemas, lc_take_case take, void *context);

/* A case without runs, to which some are added; then it is given away. */
lc_scenario *lc_schemas_case(lc_arena *arena, lc_str file, lc_loc at);
void lc_schemas_give(lc_scenario *scenario, lc_arena *arena, lc_take_case take, void *context);

#endif
