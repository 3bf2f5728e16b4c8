/* Errors with which a client stopped, in its own words: lines of its log, diagnostics in its JSON
 * output (`-json`, also of several commands in one document). They are evidence of violations, and
 * that no flag tolerated them. */
#ifndef LC_RECORDING_LOG_CLIENT_ERRORS_H
#define LC_RECORDING_LOG_CLIENT_ERRORS_H

#include "lifecheck/recording/capture.h"

/* A message, with the address that is reported with it, or "". Messages without a known rule are
 * ignored. */
void lc_client_error(lc_log *log, lc_arena *arena, lc_str message, lc_str address, lc_loc loc);
/* All error diagnostics in a line of JSON. */
void lc_client_error_line(lc_log *log, lc_arena *arena, lc_str file, lc_str text, uint32_t line,
                          const lc_limits *limits);
/* ... in the text of a file of JSON, or of JSON Lines; what has no diagnostics is passed over. */
void lc_client_error_file(lc_log *log, lc_arena *arena, lc_str file, lc_str text,
                          const lc_limits *limits);

#endif
