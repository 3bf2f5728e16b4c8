/* What came of asking a provider about one target, as a line of JSON: its part. A worker sends it,
 * and this process makes reports from the parts of all targets, so that they are the same with any
 * number of workers. */
#ifndef LC_CLI_COMMANDS_PROBE_PART_H
#define LC_CLI_COMMANDS_PROBE_PART_H

#include "cli/internal.h"
#include "lifecheck/probe/probe.h"
#include "lifecheck/report/record.h"
#include "lifecheck/runner/checker.h"

/* ---- In a worker. Zeroed before lc_part_begin. */

/* Of how many types the same process is asked: providers keep what they computed, and their memory
 * has to stay bounded. The provider must be one that can be started. */
#define LC_PART_MOST_ASKED 200

typedef struct lc_part_writer {
    lc_outcome outcome; /* the cases of the target, as records */
    lc_report_options record;
    lc_checker checker;
    lc_buf scenarios; /* a list in JSON */
    lc_buf issues;    /* the same, of what maintainers need; filled in by the command */
    /* What answers show of the target, filled in by the prober; NULL: nothing is learned. */
    lc_learned *learned;
    lc_arena *learned_arena;
} lc_part_writer;

/* Cases are judged as by `checker`, for reports in the style of `style`, whose `shard` is set:
 * records that can be joined have all that reports show. Baselines count when they are joined. */
void lc_part_begin(lc_part_writer *w, const lc_checker *checker, const lc_report_options *style);
/* What answers show of the next target, which its part gets: empty. Before each target. */
lc_learned *lc_part_learn(lc_part_writer *w);
/* Judges a case; `finding` and `text` as in lc_probe_hooks.judged. */
void lc_part_add_case(lc_part_writer *w, const lc_probe_finding *finding, lc_scenario *scenario,
                      lc_str text);
/* Appends the part. `not_configured` as in lc_probe_result. */
void lc_part_write(lc_part_writer *w, lc_buf *out, const lc_probe_type *type,
                   lc_str not_configured);
/* Forgets the cases of the target. */
void lc_part_clear(lc_part_writer *w);
void lc_part_release(lc_part_writer *w);

/* ---- In this process. */

/* --jobs of a command that asks providers; 1 without it. `dialled`: one of them runs already.
 * False: wrong, reported. */
bool lc_part_jobs(unsigned *out, const lc_cli *cli, bool dialled);

typedef struct lc_probe_part {
    lc_arena *arena; /* of the part, until lc_part_close */
    lc_probe_type type;
    lc_str not_configured;
    const lc_node *scenarios, *issues; /* lists; NULL: none */
    const lc_node *learned;            /* a document of lc_learned_add_json; NULL: none */
    lc_records records;
} lc_probe_part;

/* Reads a part; the strings of the type live in `arena`. False: it is not a part, reported; nothing
 * is to be closed. */
bool lc_part_open(lc_probe_part *out, lc_arena *arena, lc_str text, const lc_policy *policy,
                  const lc_limits *limits);
/* Does a finding of the type, as the result has it, have that scenario? */
bool lc_part_names(const lc_probe_part *part, lc_str file);
/* Writes the scenarios of findings that the result has, which are a bounded number, into the
 * folder. False: reported; one that cannot be written is the last. */
bool lc_part_write_scenarios(const lc_probe_part *part, lc_arena *arena, lc_str folder);
void lc_part_close(lc_probe_part *part);

#endif
