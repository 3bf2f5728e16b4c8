/* The two documents around the lifecycle as cases: which action every object of a configuration
 * gets, and which provider instance carries it out. Module contract. Pure.
 *
 * A planning case has one run without calls and without a schema. What it holds is known only to
 * the module that judges it (predict, provider_config, plan_rules). Rules of other domains do not
 * apply to it. Its findings have the address of an object and a path inside what was judged: in a
 * plan the members of the resource change, in a configuration the arguments of the block. */
#ifndef LIFECHECK_CONTRACT_PLANNING_H
#define LIFECHECK_CONTRACT_PLANNING_H

#include "lifecheck/contract/contract.h"

/* What judging one planning case writes to. `report` holds the results, `scratch` intermediate
 * values. */
typedef struct lc_planner {
    lc_arena *report, *scratch;
    const lc_case *subject;
    lc_judgement *out;
} lc_planner;

/* What a planning case holds. It is borrowed by the case, and must live as long. */
typedef struct lc_planning {
    lc_domain domain;
    /* Emits findings and notes which rules were checked; never stops early. Rules that it does not
     * mention do not apply. */
    void (*judge)(lc_planner *planner, const void *facts);
    const void *facts;
} lc_planning;

/* Judge a case whose `planning` is set, as lc_case_judge does with the others. Never fails. */
void lc_planning_judge(lc_judgement *out, lc_arena *report, lc_arena *scratch, const lc_case *c);

/* ---- For `judge` functions. */

/* Note that the rule was checked. */
void lc_planning_checked(lc_planner *planner, lc_rule rule);
/* Note that the rule could not be checked because an input is missing. Counts only if nothing else
 * has been noted for the rule, and gives way to lc_planning_checked. */
void lc_planning_lacks(lc_planner *planner, lc_rule rule, lc_need missing);

/* Note that a limit was reached before the rule was checked to the end: it is not checked, unless a
 * finding exists already. */
void lc_planning_limit(lc_planner *planner, lc_rule rule);

/* Note that an expectation was compared, or that it could not be because the answer is open. One
 * open expectation leaves the rule unchecked, and the case has no verdict. */
void lc_planning_compared(lc_planner *planner, lc_rule rule);
void lc_planning_open(lc_planner *planner, lc_rule rule, lc_need missing);
/* Report which expectation that is, and why: one line, which is copied. */
void lc_planning_report_open(lc_planner *planner, lc_loc loc, lc_str text);

/* A violation; everything is copied. */
typedef struct lc_planning_breach {
    lc_rule rule;
    /* Address of the object or block, in canonical form; empty: the whole plan or configuration. */
    lc_str address;
    /* Empty: the object as a whole. */
    lc_path path;
    lc_loc loc;
    /* One line in our words, without anything secret. */
    lc_str message;
} lc_planning_breach;

/* Add a finding; the rule counts as checked. Effects are those of the catalogue, and the caller may
 * change them in the result, which is valid until the next finding is added. */
lc_finding *lc_planning_emit(lc_planner *planner, const lc_planning_breach *breach);
/* Set what a core does and the summary that it prints (empty: it prints nothing). Both are
 * borrowed. */
void lc_planning_quote(lc_finding *finding, lc_core core, lc_effect effect, lc_str summary);

#endif
