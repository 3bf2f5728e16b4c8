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

/* ---- Signs and words of the clients. */

static const struct {
    const char *sign, *firm, *open;
} shown[] = {
    [LC_PLAN_NOOP] = {" ", "stays as it is", "stay as it is"},
    [LC_PLAN_CREATE] = {"+", "will be created", "be created"},
    [LC_PLAN_READ] = {"<=", "will be read during apply", "be read during apply"},
    [LC_PLAN_UPDATE] = {"~", "will be updated in-place", "be updated in-place"},
    [LC_PLAN_DELETE] = {"-", "will be destroyed", "be destroyed"},
    [LC_PLAN_DELETE_CREATE] = {"-/+", "must be replaced", "be replaced"},
    [LC_PLAN_CREATE_DELETE] = {"+/-", "must be replaced", "be replaced"},
    [LC_PLAN_FORGET] = {".", "will no longer be managed, but will not be destroyed",
                        "no longer be managed"},
    [LC_PLAN_CREATE_FORGET] = {"+/.", "must be replaced, and the former object is not destroyed",
                               "be replaced"},
    [LC_PLAN_FORGET_CREATE] = {"./+", "must be replaced, and the former object is not destroyed",
                               "be replaced"},
};

const char *lc_run_sign(const lc_run_change *change)
{
    return lc_run_is_firm(change) && change->action ? shown[change->action].sign : "?";
}

/* Of several possible actions the likely one first. */
static lc_str open_fate(lc_arena *arena, const lc_run_change *c)
{
    unsigned rest = lc_run_possible(c) & ~LC_PLAN_BIT(c->action);
    lc_buf text = {0};
    lc_buf_printf(&text, "may %s", c->action ? shown[c->action].open : "change");
    rest &= lc_plan_action_replaces(c->action) ? ~LC_PLAN_REPLACES : ~0u;
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (!(rest & LC_PLAN_BIT(a)))
            continue;
        rest &= lc_plan_action_replaces((lc_plan_action)a) ? ~LC_PLAN_REPLACES : ~LC_PLAN_BIT(a);
        lc_buf_printf(&text, "%s%s", rest ? ", " : " or ", shown[a].open);
    }
    return lc_buf_take(arena, &text);
}

lc_str lc_run_fate(lc_arena *arena, const lc_run_change *change)
{
    if (!lc_run_is_firm(change) || !change->action)
        return open_fate(arena, change);
    if (change->reason == LC_PLAN_REASON_REPLACE_TAINTED)
        return LC_STR("is tainted, so must be replaced");
    if (change->reason == LC_PLAN_REASON_REPLACE_REQUEST)
        return LC_STR("will be replaced, as requested");
    if (change->reason == LC_PLAN_REASON_REPLACE_TRIGGERS &&
        lc_plan_action_replaces(change->action))
        return LC_STR("will be replaced due to changes in replace_triggered_by");
    return lc_str_from_c(shown[change->action].firm);
}
