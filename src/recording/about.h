/* Lines without `rpc` of a recording. See lc_recording_take for the rest. */
#ifndef LC_RECORDING_ABOUT_H
#define LC_RECORDING_ABOUT_H

#include "lifecheck/recording/instances.h"

/* Takes the member `addresses` of a line: [{address, calls: [[process, seq], ...]}, ...]. Anything
 * else in it is ignored. */
void lc_recording_take_addresses(lc_instances *instances, lc_arena *arena,
                                 const lc_node *addresses);

/* Takes the client of the member `recording` of a line alone; NULL: nothing. */
void lc_recording_take_client(lc_recording *out, lc_arena *arena, const lc_node *recording);

#endif
