/* Calls of a recording that no rule looks at, counted by name, each with the reason. */
#ifndef LC_RECORDING_UNSEEN_H
#define LC_RECORDING_UNSEEN_H

#include "lifecheck/base/arena.h"
#include "lifecheck/recording/recording.h"

/* Counts one call. `why` NULL: the reason that belongs to calls of this name. Names are copied to
 * the arena; beyond LC_MAX_UNSEEN names all others count as one. */
void lc_unseen_add(lc_recording *out, lc_arena *arena, lc_str rpc, const char *why, lc_loc loc);
/* Reports them as notes, but for calls of the provider as a whole (lc_unseen.session). */
void lc_unseen_report(const lc_recording *recording, lc_diags *diags);

#endif
