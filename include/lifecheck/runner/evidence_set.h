/* One side of a comparison: the findings, coverage and schemas of any inputs; and the comparison of
 * the findings of two sides. Module runner. */
#ifndef LIFECHECK_RUNNER_EVIDENCE_SET_H
#define LIFECHECK_RUNNER_EVIDENCE_SET_H

#include "lifecheck/base/enum.h"
#include "lifecheck/probe/probe.h"
#include "lifecheck/report/record.h"
#include "lifecheck/runner/checker.h"
#include "lifecheck/schema/change.h"
#include "lifecheck/yaml_json/document.h"

/* Findings with the same fingerprint. */
typedef struct lc_sum {
    lc_str fingerprint, rule, type, path; /* path without indices and keys */
    uint64_t count;                       /* several recordings of one run count once */
    uint64_t tolerated; /* of these: tolerated because of SDKv2, errors without it */
    lc_severity worst;
    lc_blame blame;
    bool whole; /* of a whole plan or configuration, not of one object and its calls */
    lc_loc loc; /* of the first */
    lc_str message;
} lc_sum;

/* How far a rule was exercised for a type; a larger value wins over a smaller one. */
typedef enum lc_cell {
    LC_CELL_NEVER,    /* no case has such a call, or the rule never applied */
    LC_CELL_NO_INPUT, /* it applied, and its inputs were missing */
    LC_CELL_CHECKED,  /* in some case */
} lc_cell;

/* No type has this name. */
#define LC_EVIDENCE_WHOLE LC_STR("(whole plans and configurations)")

/* The evidence for one type. */
typedef struct lc_evidence_type {
    lc_str type; /* LC_EVIDENCE_WHOLE: whole plans and configurations */
    uint64_t cases;
    uint64_t actions[LC_ACTION_FORGET + 1]; /* cases with a run of this action in either core */
    uint64_t calls[LC_CALL_KIND_COUNT];     /* cases with such a call */
    uint8_t cells[LC_CALL_KIND_COUNT][LC_RULE_COUNT]; /* lc_cell */
    uint8_t rules[LC_RULE_COUNT];                     /* lc_cell, over all calls */
    lc_set_uses sets;
    bool managed;   /* a resource, as far as is known */
    bool has_shape; /* a schema was there, not only a report */
    lc_schema_shape shape;
} lc_evidence_type;

/* The evidence of one version of a provider: findings, exercised rules and schemas of all its
 * inputs. */
typedef struct lc_evidence_set {
    lc_arena *arena;
    lc_table sums_by_fingerprint, types_by_name;
    lc_table tallies;                       /* by fingerprint and folder */
    LC_VEC(lc_sum *) sums;                  /* sorted by severity, rule, type, path once gathered */
    LC_VEC(const lc_probe_result *) probes; /* of reports of probe */
    LC_VEC(lc_evidence_type *) types;       /* sorted by name */
    uint64_t cases, errors;
    unsigned kinds;     /* of the inputs that were judged, as bits (lc_checker) */
    bool any_document;  /* all types of a version are known */
    bool any_recording; /* all types of some provider are */
    bool any_report;    /* schemas of some cases are not known */
} lc_evidence_set;

/* How inputs are judged, and who takes their errors. Borrowed while a side is gathered. */
typedef struct lc_evidence_options {
    const lc_policy *policy;
    lc_limits limits;
    lc_capture_options capture;
    lc_item_options items;    /* `wanted` is the kind of every input */
    const char *empty_advice; /* as in lc_checker */
    /* Takes each error and warning of an input: a line, or several of one input. */
    void (*report_error)(lc_str text);
    /* Takes an input that is not a file of evidence. False: it is one. NULL: all are. */
    bool (*take)(void *context, lc_evidence_set *side, lc_str word);
    /* Judges further cases, of which only findings of the family gate count; NULL: there are none.
     */
    void (*more)(void *context, lc_evidence_set *side, lc_checker *checker);
    void *context;
} lc_evidence_options;

/* Gathers the inputs that `words` name: inputs that can be judged, JSON reports and schema
 * documents. Everything is in `arena`. */
void lc_evidence_set_gather(lc_evidence_set *out, lc_arena *arena, const lc_words *words,
                            const lc_evidence_options *options);
/* The schema of anything that the version has, of which all are added; the functions of the
 * provider are with its own. */
void lc_evidence_set_add_schema(lc_evidence_set *side, const lc_schema *schema);
/* The findings with this fingerprint; NULL: none. */
lc_sum *lc_evidence_set_sum(const lc_evidence_set *side, lc_str fingerprint);
/* The evidence for this type; NULL: none. */
lc_evidence_type *lc_evidence_set_type(const lc_evidence_set *side, lc_str type);
/* Does the entry represent whole plans and configurations? */
static inline bool lc_evidence_type_is_whole(const lc_evidence_type *type)
{
    return lc_str_eq(type->type, LC_EVIDENCE_WHOLE);
}

/* ---- Findings of two sides. */

#define LC_DIFFERENCES(X)                                                                          \
    X(LC_FINDING_NEW, "new")                                                                       \
    X(LC_FINDING_FIXED, "fixed")                                                                   \
    X(LC_FINDING_CHANGED, "changed")
LC_ENUM(lc_difference, LC_DIFFERENCES);

/* A finding that differs between two sides. */
typedef struct lc_finding_diff {
    lc_difference difference;
    const lc_sum *before, *after; /* NULL: not there */
} lc_finding_diff;
/* All differences, with counts by kind (`of`) and of equal findings (`same`). */
typedef struct lc_finding_diffs {
    lc_finding_diff *items;
    size_t count, capacity;
    size_t of[LC_FINDING_CHANGED + 1];
    size_t same;
} lc_finding_diffs;
/* New ones first, then fixed, then changed: another number or severity. */
void lc_evidence_set_compare(lc_finding_diffs *out, lc_arena *arena, const lc_evidence_set *before,
                             const lc_evidence_set *after);
/* `quiet`: only those that are new, or more than before. */
void lc_add_finding_diffs_text(lc_buf *out, const lc_finding_diffs *diffs, bool quiet);
/* Is it about two versions, and what do those meet who upgrade? */
bool lc_sum_is_of_upgrade(const lc_sum *sum);
lc_upgrade_class lc_sum_class(const lc_sum *sum);
/* True: the finding is new, or more frequent than before. */
bool lc_found_is_more(const lc_finding_diff *found);
/* The same as members of `parent`, always complete. */
void lc_add_finding_diffs_json(lc_doc *parent, const lc_finding_diffs *diffs);

#endif
