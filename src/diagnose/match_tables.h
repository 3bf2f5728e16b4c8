/* The patterns of core_messages.def as tables: heads introduce a path and one of the strings about
 * values; wholes are complete messages; bares are summaries without a detail. Inside module
 * diagnose; included by match.c alone. */
#ifndef LC_DIAGNOSE_MATCH_TABLES_H
#define LC_DIAGNOSE_MATCH_TABLES_H

#include "lifecheck/catalog/core_message.h"
#include "lifecheck/contract/case.h"

/* What the failing comparison was about: the plan, the final plan, or the result of an apply. */
typedef enum walk { PLAN, FINAL, APPLY, WALKS } walk;

/* The beginning of a message about values, up to the path. */
typedef struct head {
    walk walk;
    lc_call_kind call;
    lc_cores cores;
    lc_effect effect;
    const char *pattern;
} head;

static const head heads[] = {
#define LC_HEAD(walk, call, cores, effect, pattern) {walk, LC_CALL_##call, cores, effect, pattern},
#include "lifecheck/catalog/core_messages.def"
};

static const struct {
    lc_rule rules[WALKS]; /* LC_RULE_COUNT: not used in this comparison */
    bool hidden;          /* the value is sensitive, so several rules have this string */
    const char *pattern;
} texts[] = {
/* clang-format off */
#define IN_PLAN(name) {LC_RULE_PLAN_##name, LC_RULE_COUNT, LC_RULE_COUNT}
#define IN_FINAL_PLAN(name) {LC_RULE_COUNT, LC_RULE_FINAL_##name, LC_RULE_COUNT}
#define IN_RESULT(name) {LC_RULE_COUNT, LC_RULE_FINAL_##name, LC_RULE_APPLY_##name}
#define IN_NULL_RESULT {LC_RULE_COUNT, LC_RULE_FINAL_ABSENT, LC_RULE_APPLY_NULL_RESULT}
/* clang-format on */
#define LC_TEXT(id, words, ...)       {.pattern = words, __VA_ARGS__},
#define LC_TEXT_LOOKED_UP(words, ...) {.pattern = words, __VA_ARGS__},
#include "lifecheck/catalog/core_messages.def"
};

static const struct {
    lc_rule rule;
    lc_call_kind call;
    lc_cores cores;
    lc_effect effect;
    const char *pattern;
} wholes[] = {
#define LC_WHOLE(rule, call, cores, effect, pattern)                                               \
    {LC_RULE_##rule, LC_CALL_##call, cores, effect, pattern},
#include "lifecheck/catalog/core_messages.def"
};

static const struct {
    lc_rule rule;
    lc_call_kind call;
    bool family;
    lc_fact destroys;
    lc_cores cores;
    const char *pattern;
} bares[] = {
#define LC_BARE(rule, call, family, destroys, cores, pattern)                                      \
    {LC_RULE_##rule, LC_CALL_##call, family, destroys, cores, pattern},
#include "lifecheck/catalog/core_messages.def"
};

#endif
