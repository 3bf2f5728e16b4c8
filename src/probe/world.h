/* Calls of a trial that read or change the world: only where two versions are compared. Without a
 * network nothing real is read; only with options->apply anything is applied. Inside module probe.
 */
#ifndef LC_PROBE_WORLD_H
#define LC_PROBE_WORLD_H

#include "lifecheck/drive/changing.h"
#include "probe/internal.h"

/* Each adds the call to the last run; the result is valid until the next one. */
/* `again`: although it was asked before. */
const lc_call *lc_trial_query_read(lc_trial *trial, const lc_stored_object *stored, bool again);
const lc_call *lc_trial_query_data(lc_trial *trial, const lc_value *config);
/* By the id, or if that is "" by the identity. */
const lc_call *lc_trial_query_import(lc_trial *trial, lc_str id, const lc_value *identity);
/* `type`: the type that the object had. */
const lc_call *lc_trial_query_move(lc_trial *trial, const lc_raw_state *raw, lc_str type);
const lc_call *lc_trial_query_identity(lc_trial *trial, const lc_value *identity, int64_t version);
/* Changes the world: only with options->apply. */
const lc_call *lc_trial_query_apply(lc_trial *trial, const lc_apply_question *question);

#endif
