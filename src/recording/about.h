/* Addresses in a recording: lines without `rpc`. See lc_recording_take for the others. */
#ifndef LC_RECORDING_ABOUT_H
#define LC_RECORDING_ABOUT_H

#include "lifecheck/recording/instances.h"

/* Takes the member `addresses` of a line: [{address, calls: [[process, seq], ...]}, ...]. Anything
 * else in it is ignored. */
void lc_recording_take_addresses(lc_instances *instances, lc_arena *arena,
                                 const lc_node *addresses);

#endif
