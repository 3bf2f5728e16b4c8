/* google.protobuf.Timestamp as protojson writes it: a time in RFC 3339, in UTC. */
#ifndef LC_WIRE_TIMESTAMP_H
#define LC_WIRE_TIMESTAMP_H

#include "lifecheck/base/str.h"

/* The text, in `arena`, with as many groups of three decimals as are needed. False: the year is not
 * one of 1 to 9999, or the nanoseconds are not below a second. */
bool lc_wire_timestamp_text(lc_str *out, lc_arena *arena, int64_t seconds, int32_t nanos);
/* False: the text is not a time. Every offset from UTC is understood. */
bool lc_wire_timestamp_parse(lc_str text, int64_t *seconds, int32_t *nanos);

#endif
