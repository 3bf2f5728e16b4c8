/* What is printed when a whole plan, configuration or state is refused: the one list of summaries,
 * src/contract/said.def, and the rules behind them. Those who judge take what they quote from here,
 * and pasted errors are looked up here. Module contract. Pure. */
#ifndef LIFECHECK_SAID_H
#define LIFECHECK_SAID_H

#include "lifecheck/rule.h"

/* What an error is about that no rule is behind: the author of the configuration has to act. */
typedef enum lc_matter {
    LC_MATTER_NONE,
#define LC_SAID(...)
#define LC_HEARD(...)
#define LC_ASIDE(...)
#define LC_MATTERED(...)
#define LC_MATTER(id, ...) LC_MATTER_##id,
#include "contract/said.def"
#undef LC_SAID
#undef LC_HEARD
#undef LC_ASIDE
#undef LC_MATTERED
#undef LC_MATTER
    LC_MATTER_COUNT
} lc_matter;

typedef struct lc_matter_info {
    const char *name, *title, *meaning, *advice;
} lc_matter_info;
const lc_matter_info *lc_matter_get(lc_matter matter);

typedef enum lc_said_use {
    LC_SAID_BOTH,  /* findings quote it, and it leads back to the rule */
    LC_SAID_ASIDE, /* much else is said in this way too: it leads back to nothing */
    LC_SAID_HEARD, /* it leads back to the rule, but says no more than that something is near */
} lc_said_use;

typedef struct lc_said {
    lc_rule rule;     /* LC_RULE_COUNT: none, `matter` says what it is about */
    lc_matter matter; /* LC_MATTER_NONE: there is a rule */
    lc_cores cores;   /* LC_NO_CORE: Cloud Control, the service */
    const char *summary;
    const char *words; /* of the detail, where they tell rules with one summary apart; or "" */
    lc_said_use use;
} lc_said;

size_t lc_said_count(void);
const lc_said *lc_said_at(size_t i);
/* What the core says first when the rule is broken, or "". */
lc_str lc_said_summary(lc_rule rule, lc_core core);
/* Is this one of the summaries of the rule? */
bool lc_said_is(lc_rule rule, lc_str summary);

#endif
