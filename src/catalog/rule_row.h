/* What the words in the rows of the catalogue (src/catalog/rules/) expand to.
 * Included by rule.c alone, so that the short names cannot collide with others. */
#ifndef LIFECHECK_CATALOG_RULE_ROW_H
#define LIFECHECK_CATALOG_RULE_ROW_H

/* ---- Calls and needs. */

/* Of calls about objects: those of functions and state stores have no object. */
#define ANY_CALL (((1u << LC_RPC_KIND_COUNT) - 1u) & ~(C(FUNCTION) | C(STORE)))
#define C(kind)  LC_CALL_BIT(LC_CALL_##kind)
#define N(need)  ((uint64_t)1 << LC_NEED_##need)

/* ---- Strings, and the effects of a core. */

#define NAME_OF_NONE                "none"
#define NAME_OF_LOGGED              "logged"
#define NAME_OF_TOLERATED           "tolerated"
#define NAME_OF_ERROR_OR_TOLERATED  "error-or-tolerated"
#define NAME_OF_ERROR               "error"
#define NAME_OF_CRASH               "crash"
#define NAME_OF_ERROR_UNLESS_LEGACY "error-unless-legacy"

/* clang-format off */
#define S(text) {(text), sizeof(text) - 1}
#define EFFECT(effect) {.text = S(NAME_OF_##effect), .last = LC_EFFECT_##effect}
#define EFFECTS(conditions, effect)                                                                \
    {.text = S(conditions "; " NAME_OF_##effect), .last = LC_EFFECT_##effect}
/* clang-format on */

/* ---- Fixes that several rules share. */

#define FIX_STABLE_PLAN                                                                            \
    "Base the plan on configuration and prior state alone (no clock, no remote lookup), or plan "  \
    "the value unknown the first time."
#define FIX_STABLE_DIFF                                                                            \
    "In CustomizeDiff use only configuration and state (no clock, no remote lookup), or "          \
    "d.SetNewComputed the first time."
#define FIX_NO_SDK_ACTIONS   "SDKv2 has no actions; serve them from the framework and mux."
#define FIX_NO_SDK_FUNCTIONS "SDKv2 has no functions; serve them from the framework and mux."
#define FIX_NO_SDK_CLOUD_CONTROL                                                                   \
    "The Cloud Control provider does not use SDKv2. If your own provider does, it has the same "   \
    "requirement."

#define REPORT_TO_CLIENT "if the finding is still there, report a bug in the client."
#define FIX_PLAN_AGAIN                                                                             \
    "Make the plan again with the state and the configuration that belong "                        \
    "together; " REPORT_TO_CLIENT
#define FIX_PLAN_AGAIN_WITH_OPTIONS                                                                \
    "Make the plan again with the configuration, the state and the options that belong "           \
    "together; " REPORT_TO_CLIENT
#define FIX_SAY_OPTIONS                                                                            \
    "Not the provider's fault: give the options that the plan was made with, or make it again."
#define FIX_EDITED_FILE                                                                            \
    "A client never writes this: find out what edited the file, or report a bug in the client, "   \
    "with the plan."
#define FIX_RESTORE_STATE                                                                          \
    "Restore the state from a backup (`state push`), or correct this member manually and push it " \
    "with a higher serial."
#define FIX_POLICY                                                                                 \
    "If the change is intended, allow it with --allow; otherwise change the line that the "        \
    "finding names."
#define FIX_POLICY_OPEN                                                                            \
    "The message ends with the reason. If a schema is missing, give --schema; if a module is "     \
    "missing, run `init`; if a value is missing, give --var or --prior-state. If the provider "    \
    "decides, give a plan, or --learn."
#define FIX_POLICY_IDLE                                                                            \
    "Give --prior-state, or a plan; instead of `delete` forbid `destroy`, which also matches "     \
    "replacements."
#define FIX_POLICY_UNMATCHED                                                                       \
    "Check the spelling of the pattern: **.TYPE.* also matches in modules. If several "            \
    "configurations share a policy, use --ignore run/policy-unmatched."
#define FIX_PAIR_OF_STATES                                                                         \
    "Check that the two files are the state before and the state after, of the same "              \
    "configuration, and that nothing else ran in between."

#endif
