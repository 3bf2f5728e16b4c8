/* Files that options name and no input needed: they are read nevertheless, so that a mistake in
 * them does not depend on the inputs. */
#include "lifecheck/base/arena.h"
#include "lifecheck/recording/capture.h"
#include "lifecheck/runner/checker.h"

#define KIND(kind)        (1U << LC_INPUT_##kind)
#define WITH_STATES       (KIND(PLAN) | KIND(STATE))
#define WITH_LOG          (WITH_STATES | KIND(CALLS) | KIND(CAPTURE))
#define WITH_SCHEMAS      (WITH_LOG | KIND(LOG))
#define IS_NOT_READ(with) ((kinds & (with)) == 0)

/* A file of an option that no kind of the inputs uses. */
static void report_idle(lc_diags *diags, lc_str file, const char *option, const char *with)
{
    if (file.len)
        lc_diag_error(diags, (lc_loc){file, 0, 0},
                      "%s has no effect: it needs %s among the inputs; leave it out", option, with);
}

static void report_idle_options(const lc_capture_options *named, unsigned kinds, lc_diags *diags)
{
    if (IS_NOT_READ(WITH_LOG))
        report_idle(diags, named->log, "--log", "a recording, plan or state");
    if (IS_NOT_READ(WITH_STATES)) {
        report_idle(diags, named->prior_state, "--prior-state", "a plan or state");
        report_idle(diags, named->new_state, "--new-state", "a plan or state");
    }
}

void lc_read_named(lc_schema_store *store, const lc_capture_options *named, unsigned kinds,
                   lc_diags *diags)
{
    const lc_limits *limits = &store->limits;
    const lc_str states[] = {named->prior_state, named->new_state};
    lc_log log;
    for (size_t i = 0; IS_NOT_READ(WITH_SCHEMAS) && i < named->schema_count; i++)
        lc_schema_store_add(store, named->schemas[i], diags);
    lc_log_init(&log, store->arena);
    if (IS_NOT_READ(WITH_LOG) && named->log.len)
        lc_log_open_named(&log, store->arena, named->log, limits, diags);
    if (IS_NOT_READ(WITH_STATES)) {
        for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
            if (states[i].len)
                lc_state_document_open(store->arena, states[i], limits, diags);
        }
    }
    if (kinds && diags->errors == 0)
        report_idle_options(named, kinds, diags);
}
