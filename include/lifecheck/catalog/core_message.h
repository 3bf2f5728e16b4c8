/* What clients and services print when something is wrong: the list
 * lifecheck/catalog/core_messages.def as data, with the rule of each message. Findings and
 * predictions quote it; pasted errors and logs are looked up in it. Module catalog. Pure; all
 * strings are constants. */
#ifndef LIFECHECK_CATALOG_CORE_MESSAGE_H
#define LIFECHECK_CATALOG_CORE_MESSAGE_H

#include "lifecheck/catalog/rule.h"

/* Who prints a message, apart from the cores: further bits of lc_cores. */
#define LC_MESSAGE_BY_FRAMEWORK 4u /* terraform-plugin-framework */
#define LC_MESSAGE_BY_TESTING   8u /* terraform-plugin-testing */

/* The strings that the cores' walks over values print (AssertPlanValid, AssertObjectCompatible). */
typedef enum lc_core_text {
#define LC_TEXT(id, ...)        LC_TEXT_##id,
#define LC_TEXT_QUOTED(id, ...) LC_TEXT_##id,
#include "lifecheck/catalog/core_messages.def"
    LC_CORE_TEXT_COUNT
} lc_core_text;
/* A constant, with %v, %q, %d or %s where a core puts values. */
const char *lc_core_text_template(lc_core_text text);

/* What an error is about if it has no rule: the author of the configuration has to act. */
typedef enum lc_error_topic {
    LC_TOPIC_NONE,
#define LC_TOPIC(id, ...) LC_TOPIC_##id,
#include "lifecheck/catalog/core_messages.def"
    LC_TOPIC_COUNT
} lc_error_topic;

/* Strings about a topic, for `explain --error`. */
typedef struct lc_error_topic_info {
    const char *name, *title, *meaning, *advice;
} lc_error_topic_info;
/* Never NULL; of LC_TOPIC_NONE all strings are empty. */
const lc_error_topic_info *lc_error_topic_get(lc_error_topic topic);

/* What a row of the list may be used for. */
typedef enum lc_core_message_kind {
    LC_MESSAGE_QUOTED, /* findings quote it, and looking it up finds the rule */
    LC_MESSAGE_COMMON, /* findings quote it, but many other errors have the same text: it is not
                         looked up */
    LC_MESSAGE_NEAR,   /* looking it up finds the rule, but findings do not quote it */
} lc_core_message_kind;

/* An error with which a client refuses a whole plan, configuration or state. */
typedef struct lc_core_message {
    /* LC_RULE_COUNT: it has no rule, and `topic` names what it is about. */
    lc_rule rule;
    /* LC_TOPIC_NONE: there is a rule. */
    lc_error_topic topic;
    /* Who prints it; LC_NO_CORE: the Cloud Control service. */
    lc_cores cores;
    const char *summary;
    /* Pattern of the detail that distinguishes rules with the same summary, or "". */
    const char *words;
    lc_core_message_kind use;
} lc_core_message;

/* The rows in the order of the list; `i` below the count. */
size_t lc_core_message_count(void);
const lc_core_message *lc_core_message_at(size_t i);
/* The summary that the core prints for a violation of the rule, a constant; "" without one. */
lc_str lc_core_message_summary(lc_rule rule, lc_core core);
/* What the author of a configuration changes after an error with this summary, a constant; empty:
 * it is not known. */
lc_str lc_core_message_fix(lc_str summary);
/* Is this one of the summaries of the rule? */
bool lc_core_message_is(lc_rule rule, lc_str summary);

#endif
