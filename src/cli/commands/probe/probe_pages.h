/* The pages of lifecheck probe: what a whole provider was asked and how it answered. */
#ifndef LC_CLI_COMMANDS_PROBE_PAGES_H
#define LC_CLI_COMMANDS_PROBE_PAGES_H

#include "lifecheck/probe/probe.h"
#include "lifecheck/report/sheet.h"

/* Strings are borrowed from the result, or in `arena`. */
void lc_probe_sheet(lc_sheet *out, lc_arena *arena, const lc_probe_result *result);
/* JUnit: a suite for each type, and a test for each law that was tried with it. */
void lc_probe_junit(lc_buf *out, lc_arena *arena, const lc_probe_result *result);

#endif
