/* What clients print when something is wrong: the one list of it, lifecheck/core_messages.def, with
 * the rules behind it. Those who judge quote it, and pasted errors and logs are looked up in it.
 * Module catalog. Pure; all texts are constants. */
#ifndef LIFECHECK_CORE_MESSAGE_H
#define LIFECHECK_CORE_MESSAGE_H

#include "lifecheck/rule.h"

/* Who says so, beside the cores. */
#define LC_MESSAGE_BY_FRAMEWORK 4u /* terraform-plugin-framework */
#define LC_MESSAGE_BY_TESTING   8u /* terraform-plugin-testing */

/* The texts that a walk over values quotes. */
typedef enum lc_core_text {
#define LC_TEXT(id, ...)        LC_TEXT_##id,
#define LC_TEXT_QUOTED(id, ...) LC_TEXT_##id,
#include "lifecheck/core_messages.def"
    LC_CORE_TEXT_COUNT
} lc_core_text;
/* The text with %v, %q, %d or %s where a core puts values. */
const char *lc_core_text_template(lc_core_text text);

/* What an error is about that no rule is behind: the author of the configuration has to act. */
typedef enum lc_error_topic {
    LC_TOPIC_NONE,
#define LC_TOPIC(id, ...) LC_TOPIC_##id,
#include "lifecheck/core_messages.def"
    LC_TOPIC_COUNT
} lc_error_topic;

typedef struct lc_error_topic_info {
    const char *name, *title, *meaning, *advice;
} lc_error_topic_info;
const lc_error_topic_info *lc_error_topic_get(lc_error_topic matter);

/* What a row of the list is good for. */
typedef enum lc_core_message_kind {
    LC_MESSAGE_BOTH,  /* findings quote it, and it leads back to the rule */
    LC_MESSAGE_ASIDE, /* much else is said in this way too: it leads back to nothing */
    LC_MESSAGE_HEARD, /* it leads back to the rule, but is too vague to be quoted */
} lc_core_message_kind;

/* An error that refuses a whole plan, configuration or state. */
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
