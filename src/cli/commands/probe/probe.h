/* Inside the command `probe`, and what `merge` shares with it.
 *
 * A worker asks about one type after another, and sends what came of each as a line of JSON: its
 * part. This process makes the reports from the parts, in the order of types, whoever asked and in
 * which order. So the reports are the same with any number of workers. */
#ifndef LC_CLI_COMMANDS_PROBE_PROBE_H
#define LC_CLI_COMMANDS_PROBE_PROBE_H

#include "cli/checking.h"
#include "cli/commands/probe/part.h"
#include "cli/provider_process.h"
#include "lifecheck/probe/probe.h"

#define LC_PROBE_PEERS 2

typedef struct lc_probe_process {
    struct lc_probe *probe;
    lc_provider_process of;
} lc_probe_process;

/* In which order a target is asked. */
typedef struct lc_probe_rank {
    size_t target;
    bool function, own; /* the latter: the provider's own configuration */
    bool failing;       /* when it was asked last */
    int64_t at;         /* when that was, in seconds since 1970; 0: never */
} lc_probe_rank;

typedef struct lc_probe {
    const lc_cli *cli;
    lc_cli reporting; /* the same, with the reports that the checker writes */
    lc_arena *arena;
    lc_checking c;
    lc_provider_options provider_options;
    lc_probe_process processes[LC_PROBE_PEERS];
    lc_probe_options options;
    lc_prober *prober;
    lc_str folder;
    lc_str client; /* "Terraform 1.11.4"; "": it cannot be run; ptr NULL: not asked yet */
    /* In a worker. */
    lc_part_writer part;
    size_t asked; /* types, by the processes that run */
    /* In this process. */
    unsigned jobs;
    const lc_probe_target *targets; /* in the order of reports */
    size_t target_count;
    lc_probe_rank *ranks; /* by target */
    size_t *order;        /* in which those are asked that have no part */
    size_t to_ask;        /* of `order` */
    size_t resumed;       /* parts that the checkpoint had */
    lc_str *parts;        /* by target; ptr NULL: there is none */
    bool *lost;           /* by target: its worker exited */
    size_t taken;         /* targets whose parts are in the reports */
    lc_probe_result *result;
    lc_learned *learned; /* of all parts; NULL: without --learned */
    int64_t deadline;    /* of lc_milliseconds, for everything; 0: none */
    lc_str checkpoint;   /* its file; "": none */
    int checkpoint_fd;   /* -1: closed */
    bool unchanged;      /* types were left out, because their schemas are as they were */
    bool unwritten;      /* a scenario could not be written; reported */
    bool report_bad;     /* the reports could not be written; reported */
} lc_probe;

/* ---- asker.c: processes and workers. */

/* Fills in the hooks of the prober. */
void lc_probe_set_hooks(lc_probe *p);
/* Starts the processes of the provider, and gives them to the prober. False: reported. */
bool lc_probe_start(lc_probe *p);
void lc_probe_end(lc_probe *p);
/* Asks about everything that has no part yet. False: workers could not begin. */
bool lc_probe_ask_all(lc_probe *p);

/* ---- issue.c: a finding for those who maintain the provider. */

/* Tries it with a client if --confirm is given, and adds it to the part that is being made. */
void lc_probe_make_issue(lc_probe *p, const lc_probe_type *type, lc_probe_finding *finding,
                         const lc_probe_repro *repro);
/* The folder for what is made of the finding with this scenario. */
lc_str lc_probe_issue_folder(lc_arena *arena, lc_str folder, lc_str file);

/* ---- claim.c */

/* No option asks for less than everything. False: reported. */
bool lc_probe_claims_all(const lc_probe *p);
/* Writes the claim of --claim and its badge, of a complete run. False: reported. */
bool lc_probe_write_claim(lc_probe *p);

/* ---- since.c */

/* Drops the targets that --since knows as they are. False: reported. */
bool lc_probe_leave_unchanged(lc_probe *p);

/* ---- checkpoint.c: what was asked before. */

/* Reads --checkpoint, takes the parts of a run that --resume goes on with, or begins the file anew.
 * False: reported. */
bool lc_probe_open_checkpoint(lc_probe *p);
/* False: reported. Without a checkpoint nothing happens. */
bool lc_probe_add_to_checkpoint(lc_probe *p, lc_str part);
bool lc_probe_close_checkpoint(lc_probe *p, bool complete);
/* Fills in `order`. */
void lc_probe_find_order(lc_probe *p);

/* ---- results.c: parts to reports. */

/* The command line without pages: they are about the provider as a whole. */
void lc_probe_leave_pages(lc_cli *reporting, const lc_cli *cli);
/* Takes the parts that are there, in the order of types, as far as none is missing; with `rest`
 * also those after a gap. False: writing failed. */
bool lc_probe_take_parts(lc_probe *p, bool rest);
/* A case was reported: if a baseline lists what it shows, so is its finding known. */
void lc_probe_note_case(lc_probe_result *result, const lc_judged *judged);
/* Adds the part of each report that is about the provider as a whole; before the reports end. */
void lc_probe_add_result(lc_checking *c, lc_arena *arena, const lc_probe_result *result);
/* --costs: a table of what each type took. False: reported. */
bool lc_probe_write_costs(const lc_cli *cli, lc_arena *arena, const lc_probe_result *result);
lc_exit lc_probe_write_pages(const lc_cli *cli, lc_arena *arena, const lc_probe_result *result);

#endif
