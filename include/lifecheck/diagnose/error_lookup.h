/* Looks up pasted messages of a core: undoes what terminals, CI systems and JSON streams did to
 * them, and names the rules that they report. Module diagnose. Pure. */
#ifndef LIFECHECK_DIAGNOSE_ERROR_LOOKUP_H
#define LIFECHECK_DIAGNOSE_ERROR_LOOKUP_H

#include "lifecheck/base/table.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/contract/contract.h"

#define LC_ERROR_TEXT_MAX (1u << 20) /* longer text is cut off */
#define LC_ERROR_VALUES   2

/* One message that was recognised. Its strings live in the arena of the look-up. */
typedef struct lc_error_match {
    lc_rule rule;         /* LC_RULE_COUNT: no rule, see `topic` */
    lc_error_topic topic; /* what it is about if there is no rule, else LC_TOPIC_NONE */
    bool hidden;          /* the value is sensitive: `rule` is one of several possible ones */
    bool unsure;          /* several rules have these words; there is a match for each */
    bool family;          /* only known: the violated rule is of the family of `rule` */
    lc_call_kind call;    /* LC_CALL_SCHEMA: not known from the message */
    lc_cores cores;       /* which cores print it; LC_NO_CORE: the Cloud Control service */
    lc_effect effect;
    lc_str address, path, provider; /* empty: not in the message */
    const char *words;              /* its pattern, a constant: %v is a value */
    /* Its first values in Go syntax, each with the rest of the text after it. */
    lc_str values[LC_ERROR_VALUES];
    size_t value_count;
} lc_error_match;

/* What a pasted text was recognised as, in its order. */
typedef LC_VEC(lc_error_match) lc_error_matches;

/* The text without colours, boxes, timestamps and marks of CI systems, and with JSON turned into
 * text. In `arena`. */
lc_str lc_error_text_normalize(lc_arena *arena, lc_str pasted);
/* Quoted text without the escapes of the quotes in it, such as those of keys in an address. In
 * `arena`. */
lc_str lc_error_text_unescape(lc_arena *arena, lc_str quoted);
/* Fills *out with the rules of the lifecycle that can be recognised in a pasted text. Everything
 * lives in `arena`. */
void lc_error_lookup(lc_error_matches *out, lc_arena *arena, lc_str pasted);
/* The same, including messages about whole plans, configurations and states (core_message.h), and
 * strings without their beginning. */
void lc_error_lookup_explain(lc_error_matches *out, lc_arena *arena, lc_str pasted);

/* What the two values of a message show: why they differ, and what to change. Empty: nothing, or
 * they are not whole. Its strings are constants or live in `arena`. */
lc_diagnosis lc_error_diagnose(lc_arena *arena, const lc_error_match *found);

/* Calls `each` with the patterns of a rule's messages, if there are any, and the cores that print
 * them: %v is a value, %a an address, %q a provider, %* anything. */
void lc_error_words(lc_rule rule, void (*each)(void *context, lc_cores cores, const char *words),
                    void *context);

#endif
