/* Reasons: strings for the rows of the decision table, and settings with their positions. */
#include "predict/internal.h"

#include <stdarg.h>
#include <stdio.h>

LC_ENUM_NAMES(lc_behavior, LC_BEHAVIORS);

lc_str lc_plan_action_words(lc_arena *arena, unsigned possible)
{
    lc_buf text = {0};
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (!(possible & LC_PLAN_BIT(a)))
            continue;
        lc_buf_add_c(&text, text.len ? " or " : "");
        lc_buf_add_c(&text, lc_plan_action_text((lc_plan_action)a));
    }
    return lc_buf_take(arena, &text);
}

const lc_why *lc_why_copy(lc_arena *arena, const lc_why *why)
{
    if (!why->text.len)
        return NULL;
    lc_why *copy = LC_NEW(arena, lc_why);
    *copy = *why;
    return copy;
}

lc_why lc_predict_why_plain(const char *text)
{
    return (lc_why){LC_BEHAVIOR_DEFAULT, LC_STR_EMPTY, {LC_STR_EMPTY, 0, 0}, lc_str_from_c(text)};
}

/* Strings are short; 511 bytes are enough even with two long addresses, and longer ones are cut. */
lc_why lc_predict_why(lc_predictor *pred, lc_behavior behavior, const char *setting,
                      lc_source_pos place, const char *format, ...)
{
    lc_why why = {behavior, lc_str_from_c(setting), lc_predict_loc(pred, place),
                  lc_str_from_c(format)};
    if (!strchr(format, '%')) /* a string constant, see internal.h */
        return why;
    char line[512];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    size_t length = len < 0 ? 0 : (size_t)len < sizeof line ? (size_t)len : sizeof line - 1;
    why.text = lc_str_copy(pred->arena, (lc_str){line, length});
    return why;
}

bool lc_run_why_is_implied(const lc_run_change *change, const lc_why *why)
{
    bool forced = false, plain = why->behavior == LC_BEHAVIOR_DEFAULT;
    if (why == change->order)
        return plain || !(change->possible & LC_PLAN_REPLACES);
    for (size_t i = 0; i < change->cause_count; i++)
        forced |= change->causes[i].forces;
    if (!plain)
        return forced && lc_str_is(why->setting, "requires_replace");
    return lc_str_is(why->text, LC_WHY_NEW) || lc_str_is(why->text, LC_WHY_SAME) ||
           (lc_str_is(why->text, LC_WHY_CHANGED) && change->cause_count) ||
           (lc_str_is(why->text, LC_WHY_OPEN) && change->undecided);
}

lc_tri lc_run_configured(const lc_run_change *change)
{
    bool changes = change->action == LC_PLAN_UPDATE || lc_plan_action_replaces(change->action);
    if (!lc_run_is_firm(change))
        return change->configured;
    for (size_t i = 0; changes && i < change->cause_count; i++) {
        if (change->causes[i].set && !change->causes[i].drifted)
            return LC_TRUE;
    }
    return LC_FALSE;
}
