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

/* An object of the user for which the new version plans something else. */
typedef struct lc_own_change {
    lc_str address, was, now, why;
    lc_upgrade_class of;
} lc_own_change;

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
    LC_VEC(lc_str) missing;          /* what was required and not judged */
    LC_VEC(lc_str) unexercised;      /* one line each */
    const lc_probe_result *compared; /* what two binaries were asked; NULL: nothing */
    LC_VEC(lc_own_change) own;
    size_t predicted, predicted_open; /* objects of the user */
    uint64_t failing;                 /* new findings at or above --fail-on */
    uint64_t of_others;               /* likewise, but not blamed on the provider */
    uint64_t tolerated;
} lc_gate;

/* The providers that --old and --new name. False: *status says why, which was reported. */
typedef struct lc_gate_binaries lc_gate_binaries;
bool lc_gate_binaries_open(lc_gate_binaries **out, const lc_cli *cli, lc_exit *status);
/* Are they two versions of one provider? */
bool lc_gate_binaries_are_two(const lc_gate_binaries *binaries);
/* For lc_evidence_options: the schemas of a binary; and what both versions are asked, which is done
 * with the evidence of the new one. */
bool lc_gate_binaries_take(void *context, lc_evidence_set *side, lc_str word);
void lc_gate_binaries_compare(void *context, lc_evidence_set *side, lc_checker *checker);
/* NULL: nothing was asked. */
const lc_probe_result *lc_gate_binaries_result(const lc_gate_binaries *binaries);
/* False: something could not be asked or written, which was reported. */
bool lc_gate_binaries_are_good(const lc_gate_binaries *binaries);
void lc_gate_binaries_close(lc_gate_binaries *binaries);
/* What was not asked, with reasons and counts. */
void lc_gate_add_gaps_text(lc_buf *out, const lc_gate *gate);
void lc_gate_add_gaps_json(lc_doc *doc, const lc_gate *gate);

/* [ADDRESS=]BINARY of a side, with its address; "": it has none. */
lc_str lc_gate_binaries_provider(const lc_gate_binaries *binaries, size_t side);
/* With --config and --state: what both versions plan for them. False: reported. */
bool lc_gate_compare_predictions(lc_gate *gate, lc_str old, lc_str new);
void lc_gate_add_own_text(lc_buf *out, const lc_gate *gate);
void lc_gate_add_own_json(lc_doc *doc, const lc_gate *gate);
/* How many of them break something. */
uint64_t lc_gate_own_failing(const lc_gate *gate);

/* Each line is one item: "why: how often, of which types". */
typedef LC_VEC(lc_str) lc_gate_lines;
void lc_gate_list_gaps(lc_gate_lines *out, const lc_gate *gate);
/* A draft of a changelog for those who upgrade; nothing unless two binaries were compared. */
void lc_gate_draft_changelog(lc_gate_lines *out, const lc_gate *gate);

/* Fills what follows from the evidence of both sides: `diffs` and all below, but for `compared` and
 * `own`. */
void lc_gate_compare(lc_gate *gate);
/* Breaking changes of schemas. */
uint64_t lc_gate_count_breaks(const lc_gate *gate);
/* Is there no case and no type in what was given for this side? */
bool lc_gate_saw_nothing(const lc_evidence_set *side);
/* Fills probe_losses. */
void lc_gate_compare_probes(lc_gate *gate);
lc_exit lc_gate_status(const lc_gate *gate);
/* The last lines of the text report: the verdict, and what it is about. */
void lc_gate_add_verdict(lc_buf *out, const lc_gate *gate);
/* Counts of the rules of a type in calls of a kind, by their result. */
size_t lc_gate_count_cells(const lc_evidence_type *type, unsigned kind, lc_cell cell);
/* what is reported of a type, data source or function that the new version does not have. */
const char *lc_gate_gone_words(lc_str name);
lc_str lc_gate_type_name(const lc_evidence_type *type);
/* The reports. */
void lc_gate_add_text(lc_buf *out, const lc_gate *gate);
void lc_gate_add_json(lc_buf *out, const lc_gate *gate);
/* Markdown and HTML, as far as they are required. */
lc_exit lc_gate_print_pages(const lc_gate *gate);

#endif
