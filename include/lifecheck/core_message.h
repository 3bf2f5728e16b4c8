/* What is printed when a whole plan, configuration or state is refused: the one list of summaries,
 * src/catalog/core_message.def, and the rules behind them. Those who judge take what they quote
 * from here, and pasted errors are looked up here. Module contract. Pure. */
#ifndef LIFECHECK_CORE_MESSAGE_H
#define LIFECHECK_CORE_MESSAGE_H

#include "lifecheck/rule.h"

/* What an error is about that no rule is behind: the author of the configuration has to act. */
typedef enum lc_error_topic {
    LC_TOPIC_NONE,
#define LC_CORE_MESSAGE(...)
#define LC_CORE_MESSAGE_NEAR(...)
#define LC_CORE_MESSAGE_COMMON(...)
#define LC_CORE_MESSAGE_TOPIC(...)
#define LC_TOPIC(id, ...) LC_TOPIC_##id,
#include "catalog/core_message.def"
#undef LC_CORE_MESSAGE
#undef LC_CORE_MESSAGE_NEAR
#undef LC_CORE_MESSAGE_COMMON
#undef LC_CORE_MESSAGE_TOPIC
#undef LC_TOPIC
    LC_TOPIC_COUNT
} lc_error_topic;

typedef struct lc_error_topic_info {
    const char *name, *title, *meaning, *advice;
} lc_error_topic_info;
const lc_error_topic_info *lc_error_topic_get(lc_error_topic matter);

typedef enum lc_core_message_kind {
    LC_MESSAGE_BOTH,  /* findings quote it, and it leads back to the rule */
    LC_MESSAGE_ASIDE, /* much else is said in this way too: it leads back to nothing */
    LC_MESSAGE_HEARD, /* it leads back to the rule, but says no more than that something is near */
} lc_core_message_kind;

typedef struct lc_core_message {
    lc_rule rule;          /* LC_RULE_COUNT: none, `matter` says what it is about */
    lc_error_topic matter; /* LC_TOPIC_NONE: there is a rule */
    lc_cores cores;        /* LC_NO_CORE: Cloud Control, the service */
    const char *summary;
    const char *words; /* of the detail, where they tell rules with one summary apart; or "" */
    lc_core_message_kind use;
} lc_core_message;

size_t lc_core_message_count(void);
const lc_core_message *lc_core_message_at(size_t i);
/* What the core says first when the rule is broken, or "". */
lc_str lc_core_message_summary(lc_rule rule, lc_core core);
/* Is this one of the summaries of the rule? */
bool lc_core_message_is(lc_rule rule, lc_str summary);

#endif
