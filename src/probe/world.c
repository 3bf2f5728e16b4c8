/* Calls of a trial that read or change the world. What may change is asked for anew each time.
 *
 * Each function here does three things: it takes a place for the call, lets the client fill it, and
 * puts the number of the call back, which the client overwrites with the rest. */
#include "probe/world.h"

/* `again`: the answer of the same trial is compared with an earlier one, so it must be a new one.
 */
const lc_call *lc_trial_query_read(lc_trial *trial, const lc_stored_object *stored, bool again)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_peer_cache *cache = lc_trial_cache(trial);
    cache->bypass = again;
    lc_client_read(cache->client, call, trial->arena, lc_trial_schema(trial), stored,
                   lc_trial_place(trial));
    cache->bypass = false;
    lc_trial_finish_call(call, index);
    return call;
}

const lc_call *lc_trial_query_data(lc_trial *trial, const lc_value *config)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_peer_cache *cache = lc_trial_cache(trial);
    cache->bypass = true;
    lc_client_read_data(cache->client, call, trial->arena, lc_trial_schema(trial), config,
                        lc_trial_place(trial));
    cache->bypass = false;
    lc_trial_finish_call(call, index);
    return call;
}

/* Import, move and the upgrade of an identity change nothing, so an earlier answer will do. */
const lc_call *lc_trial_query_import(lc_trial *trial, lc_str id, const lc_value *identity)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_client_import(lc_trial_cache(trial)->client, call, trial->arena, lc_trial_schema(trial), id,
                     identity, lc_trial_place(trial));
    lc_trial_finish_call(call, index);
    return call;
}

const lc_call *lc_trial_query_move(lc_trial *trial, const lc_raw_state *raw, lc_str type)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_client_move(lc_trial_cache(trial)->client, call, trial->arena, lc_trial_schema(trial), raw,
                   type, lc_prober_address(trial->exam->prober, trial->arena),
                   lc_trial_place(trial));
    lc_trial_finish_call(call, index);
    return call;
}

const lc_call *lc_trial_query_identity(lc_trial *trial, const lc_value *identity, int64_t version)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_client_upgrade_identity(lc_trial_cache(trial)->client, call, trial->arena,
                               lc_trial_schema(trial), identity, version, lc_trial_place(trial));
    lc_trial_finish_call(call, index);
    return call;
}

const lc_call *lc_trial_query_apply(lc_trial *trial, const lc_apply_question *question)
{
    lc_call *call = lc_trial_next_call(trial);
    uint32_t index = call->index;
    lc_peer_cache *cache = lc_trial_cache(trial);
    cache->bypass = true;
    lc_client_apply(cache->client, call, trial->arena, lc_trial_schema(trial), question,
                    lc_trial_place(trial));
    cache->bypass = false;
    lc_trial_finish_call(call, index);
    return call;
}
