/* Pasted messages of a core: what a terminal, a CI system or a JSON stream made of them is undone,
 * and the rules behind them are named. Module diagnose. Pure. */
#ifndef LIFECHECK_ERROR_LOOKUP_H
#define LIFECHECK_ERROR_LOOKUP_H

#include "lifecheck/core_message.h"
#include "lifecheck/table.h"

#define LC_ERROR_TEXT_MAX (1u << 20) /* more than this is cut off */

typedef struct lc_error_match {
    lc_rule rule;          /* LC_RULE_COUNT: none, `matter` says what it is about */
    lc_error_topic matter; /* else LC_TOPIC_NONE */
    bool hidden;           /* the value is sensitive: `rule` is one of several that it can be */
    bool unsure;           /* several rules are told in these words: each of them is named */
    bool family;       /* all that is told is that some rule of the family of `rule` is broken */
    lc_call_kind call; /* LC_CALL_SCHEMA: the message does not tell */
    lc_cores cores;    /* who says so; LC_NO_CORE: the Cloud Control service */
    lc_effect effect;
    lc_str address, path, provider; /* empty: the message does not tell */
    const char *words;              /* the pattern of it: %v is a value */
} lc_error_match;

typedef LC_VEC(lc_error_match) lc_error_matches;

/* The lines without colours, boxes, timestamps and marks of CI systems; JSON lines as text. */
lc_str lc_error_text_normalize(lc_arena *arena, lc_str pasted);
/* What is quoted, without the escapes of the quotes in it, such as those of keys in an address. */
lc_str lc_error_text_unescape(lc_arena *arena, lc_str quoted);
/* What can be said for sure of a pasted text: rules of the lifecycle. Values are not kept. */
void lc_error_lookup(lc_error_matches *out, lc_arena *arena, lc_str pasted);
/* ... and what is said of whole plans, configurations and states (core_message.h). */
void lc_error_lookup_explain(lc_error_matches *out, lc_arena *arena, lc_str pasted);

/* Calls `each` with the patterns of a rule's messages, if any are known: %v is a value, %a an
 * address, %q a provider, %* anything. */
void lc_error_words(lc_rule rule, void (*each)(void *context, const char *words), void *context);

#endif
