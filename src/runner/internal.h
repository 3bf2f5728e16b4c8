/* Inside module runner: the readers of the kinds of inputs, and workers. */
#ifndef LC_RUNNER_INTERNAL_H
#define LC_RUNNER_INTERNAL_H

#include "lifecheck/runner/checker.h"

/* lc_check_case with arenas of the caller, which are reset after each complete case. */
void lc_check_case_in(lc_outcome *out, lc_checker *checker, lc_scenario *scenario, lc_arena *report,
                      lc_arena *scratch);

/* Calls recorded in a file or pipe. `head` has been read from `fd` already. */
void lc_check_stream(lc_outcome *out, lc_checker *checker, lc_str file, int fd, lc_str head,
                     lc_arena *arena, lc_diags *diags);
void lc_check_json(lc_outcome *out, lc_checker *checker, lc_json_kind kind, lc_str file,
                   lc_str text, lc_arena *arena, lc_diags *diags);
void lc_check_log(lc_outcome *out, lc_checker *checker, lc_str file, lc_str text, lc_arena *arena,
                  lc_diags *diags);
void lc_check_capture(lc_outcome *out, lc_checker *checker, lc_str folder, lc_arena *arena,
                      lc_diags *diags);

/* lc_check_items with several processes. */
void lc_check_in_workers(lc_checker *checker, const lc_items *items, unsigned jobs,
                         lc_consume consume, void *context);

#endif
