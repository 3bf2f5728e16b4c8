/* The two documents around the lifecycle as cases: which action every object of a configuration
 * gets, and which provider instance does it. Module contract. Pure.
 *
 * A planning case has one run without calls and without a schema; what it holds is known to the
 * part that judges it. Rules of the other domains do not apply to it. Findings name the object that
 * they are about (`address`) and a place within what was judged (`path`: of a plan the members of
 * the resource change, of a configuration the arguments of the block). */
#ifndef LIFECHECK_PLANNING_H
#define LIFECHECK_PLANNING_H

#include "lifecheck/contract.h"

/* What judging one planning case writes to. */
typedef struct lc_planner {
    lc_arena *report, *scratch; /* results, and what may go afterwards */
    const lc_case *subject;
    lc_judgement *out;
} lc_planner;

/* What a planning case holds: borrowed, it lives as long as the case. */
typedef struct lc_planning {
    lc_domain domain;
    /* Emits findings and says what was checked; never stops early. Rules of the domain that it says
     * nothing of do not apply. */
    void (*judge)(lc_planner *planner, const void *facts);
    const void *facts;
} lc_planning;

/* Judge a case with `planning`, as lc_case_judge does others. */
void lc_planning_judge(lc_judgement *out, lc_arena *report, lc_arena *scratch, const lc_case *c);

/* ---- For those who judge. */

/* The rule was checked, here or elsewhere in the case. */
void lc_planning_checked(lc_planner *planner, lc_rule rule);
/* The rule could not be checked for want of an input; being checked elsewhere wins. */
void lc_planning_lacks(lc_planner *planner, lc_rule rule, lc_need missing);

/* A limit was reached before the rule was checked to the end, and nothing was found until then. */
void lc_planning_limit(lc_planner *planner, lc_rule rule);

/* An expectation was compared; or it could not be, for an answer that is open, and then the case
 * does not conform. */
void lc_planning_compared(lc_planner *planner, lc_rule rule);
void lc_planning_open(lc_planner *planner, lc_rule rule, lc_need missing);

typedef struct lc_planning_breach {
    lc_rule rule;
    lc_str address; /* of the object or block, canonical; empty: the whole plan or configuration */
    lc_path path;   /* empty: the object as a whole */
    lc_loc loc;
    lc_str message; /* one line, our words, nothing secret */
} lc_planning_breach;

/* A finding; the rule counts as checked. Effects are those of the catalogue's last column; they may
 * be changed in what is returned, which is valid until the next finding. */
lc_finding *lc_planning_emit(lc_planner *planner, const lc_planning_breach *breach);
/* ... with what the cores say: summaries as they print them, empty for a core that says nothing. */
void lc_planning_quote(lc_finding *finding, lc_core core, lc_effect effect, lc_str summary);

#endif
