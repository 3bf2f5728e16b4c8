/* What lifecheck gate found out, for its reports. */
#ifndef LC_CLI_COMMANDS_GATE_H
#define LC_CLI_COMMANDS_GATE_H

#include "cli/internal.h"

typedef struct lc_type_breaks {
    lc_str type;
    lc_changes changes;
    int64_t before, after; /* versions of the schema */
    bool gone;             /* the type */
} lc_type_breaks;

/* Something that probing reached in the old version only. */
typedef struct lc_probe_loss {
    lc_str type; /* "": of the whole provider */
    lc_str what, why;
} lc_probe_loss;

typedef struct lc_gate {
    const lc_cli *cli;
    lc_arena *arena;
    const lc_policy *policy;
    lc_evidence_set before, after;
    lc_finding_diffs diffs;
    LC_VEC(lc_type_breaks) breaks;   /* stored objects break: the version is not higher */
    LC_VEC(lc_type_breaks) others;   /* same version, but stored objects do not break */
    LC_VEC(lc_type_breaks) bumped;   /* with a higher version */
    LC_VEC(const lc_sum *) restless; /* change again after every apply */
    LC_VEC(lc_probe_loss) probe_losses;
    LC_VEC(lc_str) missing;     /* what was required and not judged */
    LC_VEC(lc_str) unexercised; /* one line each */
    uint64_t failing;           /* new findings at or above --fail-on */
    uint64_t of_others;         /* likewise, but not blamed on the provider */
    uint64_t tolerated;
} lc_gate;

/* Fills probe_losses. */
void lc_gate_compare_probes(lc_gate *gate);
lc_exit lc_gate_status(const lc_gate *gate);
/* The last lines of the text report: the verdict, and what it is about. */
void lc_gate_add_verdict(lc_buf *out, const lc_gate *gate);
/* Counts of the rules of a type in calls of a kind, by their result. */
size_t lc_gate_count_cells(const lc_evidence_type *type, unsigned kind, lc_cell cell);
lc_str lc_gate_type_name(const lc_evidence_type *type);
/* Markdown and HTML, as far as they are wanted. */
lc_exit lc_gate_print_pages(const lc_gate *gate);

#endif
