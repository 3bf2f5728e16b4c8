/* Names of sets of actions. */
#include "predict/internal.h"

#define BIT(action) LC_PLAN_BIT(LC_PLAN_##action)
#define DESTROYS    (BIT(DELETE) | BIT(DELETE_CREATE) | BIT(CREATE_DELETE))
#define CHANGES     (BIT(CREATE) | BIT(UPDATE) | BIT(DELETE) | BIT(FORGET) | LC_PLAN_REPLACES)

const lc_plan_action_name lc_plan_action_names[] = {
    {"no-op", BIT(NOOP)},
    {"create", BIT(CREATE)},
    {"read", BIT(READ)},
    {"update", BIT(UPDATE)},
    {"delete", BIT(DELETE)},
    {"forget", BIT(FORGET)},
    {"replace", LC_PLAN_REPLACES},
    {"delete-create", BIT(DELETE_CREATE)},
    {"create-delete", BIT(CREATE_DELETE)},
    {"create-forget", BIT(CREATE_FORGET)},
    {"forget-create", BIT(FORGET_CREATE)},
    {"destroy", DESTROYS},
    {"*", CHANGES},
    {NULL, 0},
};

bool lc_plan_action_set(unsigned *out, lc_str name)
{
    for (const lc_plan_action_name *n = lc_plan_action_names; n->name; n++) {
        if (lc_str_is(name, n->name)) {
            *out = n->actions;
            return true;
        }
    }
    return false;
}

static lc_str trimmed(lc_str text)
{
    size_t from = 0, end = text.len;
    while (from < end && text.ptr[from] == ' ')
        from++;
    while (end > from && text.ptr[end - 1] == ' ')
        end--;
    return lc_str_sub(text, from, end);
}

bool lc_plan_action_sets(unsigned *out, lc_str names, lc_str *wrong)
{
    *out = 0;
    for (size_t at = 0; at <= names.len;) {
        size_t end = lc_str_find(names, at, ',');
        unsigned one;
        *wrong = trimmed(lc_str_sub(names, at, end));
        if (lc_str_is(*wrong, "configured"))
            one = LC_PLAN_CONFIGURED;
        else if (!lc_plan_action_set(&one, *wrong))
            return false;
        *out |= one;
        at = end + 1;
    }
    return true;
}

static const struct {
    unsigned actions;
    const char *words;
} fates[] = {
    {LC_PLAN_CONFIGURED, "configured otherwise than it is stored"},
    {LC_PLAN_REPLACES, "replaced"},
    {BIT(DELETE), "deleted"},
    {BIT(FORGET), "forgotten"},
    {BIT(UPDATE), "updated"},
    {BIT(CREATE), "created"},
    {BIT(READ), "read"},
    {BIT(NOOP), "left as it is"},
};

lc_str lc_plan_action_fates(lc_arena *arena, unsigned actions)
{
    lc_buf text = {0};
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++) {
        if (actions & fates[i].actions)
            lc_buf_printf(&text, "%s%s", text.len ? " or " : "", fates[i].words);
    }
    return lc_buf_take(arena, &text);
}
