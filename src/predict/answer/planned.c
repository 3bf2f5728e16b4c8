/* A plan in hand: its actions are taken as they are, and what is asked is why. */
#include "predict/answer/internal.h"

/* ---- Reasons that the plan itself gives. */

static const struct {
    lc_behavior behavior;
    const char *setting, *text;
} reasons[LC_PLAN_REASON_UNKNOWN + 1] = {
    [LC_PLAN_REASON_REPLACE_CANNOT_UPDATE] = {LC_BEHAVIOR_PROVIDER, "requires_replace",
                                              "the provider cannot change it in place"},
    [LC_PLAN_REASON_REPLACE_TAINTED] = {LC_BEHAVIOR_DEFAULT, "",
                                        "the object is tainted: creating it did not finish"},
    [LC_PLAN_REASON_REPLACE_REQUEST] = {LC_BEHAVIOR_SINGLE_RUN, "-replace",
                                        "the options of this run ask for it"},
    [LC_PLAN_REASON_REPLACE_TRIGGERS] = {LC_BEHAVIOR_CONFIGURATION,
                                         "lifecycle.replace_triggered_by",
                                         "something that replace_triggered_by names changes"},
    [LC_PLAN_REASON_DELETE_NO_RESOURCE_CONFIG] = {LC_BEHAVIOR_DEFAULT, "", "no block declares it"},
    [LC_PLAN_REASON_DELETE_WRONG_REPETITION] =
        {LC_BEHAVIOR_DEFAULT, "", "its key is of another kind than its block's repetition"},
    [LC_PLAN_REASON_DELETE_COUNT_INDEX] = {LC_BEHAVIOR_DEFAULT, "count",
                                           "count does not reach its index"},
    [LC_PLAN_REASON_DELETE_EACH_KEY] = {LC_BEHAVIOR_DEFAULT, "for_each",
                                        "for_each does not have its key"},
    [LC_PLAN_REASON_DELETE_NO_MODULE] = {LC_BEHAVIOR_DEFAULT, "",
                                         "its module instance is not declared"},
    [LC_PLAN_REASON_DELETE_NO_MOVE_TARGET] = {LC_BEHAVIOR_CONFIGURATION, "moved",
                                              "it was moved to an address without a block"},
    [LC_PLAN_REASON_DELETE_ENABLED_FALSE] = {LC_BEHAVIOR_CONFIGURATION, "lifecycle.enabled",
                                             "its block is not enabled"},
    [LC_PLAN_REASON_FORGOT_IN_CONFIG] = {LC_BEHAVIOR_CONFIGURATION, "lifecycle.destroy",
                                         "its block says that its objects are forgotten"},
    [LC_PLAN_REASON_FORGOT_IN_STATE] = {LC_BEHAVIOR_CONFIGURATION, "lifecycle.destroy",
                                        "the block that created it said that objects are "
                                        "forgotten"},
    [LC_PLAN_REASON_READ_CONFIG_UNKNOWN] = {LC_BEHAVIOR_DEFAULT, "",
                                            "its configuration is known after apply"},
    [LC_PLAN_REASON_READ_DEPENDENCY_PENDING] = {LC_BEHAVIOR_DEFAULT, "",
                                                "something that it depends on changes"},
    [LC_PLAN_REASON_READ_CHECK_NESTED] = {LC_BEHAVIOR_DEFAULT, "", "it is in a check block"},
};

typedef struct taker {
    lc_prediction *out;
    lc_arena *arena;
    lc_plan *plan;
    const lc_prediction *predicted; /* or NULL */
    lc_plan_mode mode;
} taker;

static bool is_gone(const taker *t, const lc_plan_change *entry)
{
    const lc_plan_change *drift = lc_table_get(
        &t->plan->drift_by_address, lc_plan_key(t->arena, entry->address, entry->deposed));
    return drift && drift->action == LC_PLAN_DELETE;
}

static lc_why why_setting(lc_behavior behavior, const char *setting, const char *text)
{
    return (lc_why){behavior, lc_str_from_c(setting), {LC_STR_EMPTY, 0, 0}, lc_str_from_c(text)};
}

static const char *plain_why(const taker *t, const lc_plan_change *entry)
{
    lc_plan_action action = entry->action;
    if (action == LC_PLAN_NOOP)
        return LC_WHY_SAME;
    if (action == LC_PLAN_READ)
        return "it is read when the plan is applied";
    if (action == LC_PLAN_DELETE)
        return "it is not declared";
    if (action != LC_PLAN_CREATE)
        return LC_WHY_CHANGED;
    return is_gone(t, entry) ? "it is declared, and its object does not exist" : LC_WHY_NEW;
}

/* Where the plan gives no reason. */
static lc_why why_of_action(const taker *t, const lc_plan_change *entry)
{
    lc_plan_action action = entry->action;
    if (entry->deposed.len)
        return lc_predict_why_plain("a deposed object is left from an earlier replace");
    if (lc_plan_imports(entry) && action != LC_PLAN_CREATE)
        return why_setting(LC_BEHAVIOR_CONFIGURATION, "import",
                           action == LC_PLAN_NOOP
                               ? "it is imported, and agrees with the configuration"
                               : "it is imported, and differs from the configuration");
    if (action == LC_PLAN_DELETE && t->mode == LC_PLAN_DESTROY)
        return why_setting(LC_BEHAVIOR_SINGLE_RUN, "-destroy",
                           "the options of this run ask for it");
    if (action == LC_PLAN_FORGET)
        return why_setting(LC_BEHAVIOR_CONFIGURATION, "removed",
                           "it is forgotten, and not destroyed");
    return lc_predict_why_plain(plain_why(t, entry));
}

static lc_why why_of(const taker *t, const lc_plan_change *entry)
{
    lc_plan_reason reason = entry->reason;
    if (!reasons[reason].text)
        return why_of_action(t, entry);
    return (lc_why){reasons[reason].behavior,
                    lc_str_from_c(reasons[reason].setting),
                    {LC_STR_EMPTY, 0, 0},
                    lc_str_from_c(reasons[reason].text)};
}

/* What was predicted from the configuration says more, if it comes to the same. */
static void take_predicted(lc_run_change *c, const lc_run_change *p)
{
    bool same = p->possible == LC_PLAN_BIT(c->action) && p->reason == c->reason;
    c->place = p->place;
    c->config = p->config;
    c->create_first = p->create_first;
    if (same && (p->why.loc.line || p->why.setting.len || p->why.behavior != LC_BEHAVIOR_DEFAULT))
        c->why = p->why;
    if (p->moved && lc_str_eq(p->previous, c->previous))
        c->moved = p->moved;
    if (p->order && lc_plan_action_replaces(c->action) && (p->possible & LC_PLAN_BIT(c->action)) &&
        !(p->possible & LC_PLAN_REPLACES & ~LC_PLAN_BIT(c->action)))
        c->order = p->order;
}

/* ---- Causes. */

/* A read is of something new: what it is asked for and is not known. */
static void unknown_arguments(lc_cause_list *out, const lc_plan_change *entry)
{
    const lc_node *unknown = entry->after_unknown;
    for (uint32_t i = 0; unknown && unknown->kind == LC_NODE_MAPPING && i < unknown->count; i++) {
        lc_step step = {LC_STEP_ATTR, unknown->as.members[i].key, 0, NULL};
        if (unknown->as.members[i].value.kind != LC_NODE_BOOL ||
            lc_node_is_true(&unknown->as.members[i].value))
            lc_cause_add(out, LC_CAUSE_UNKNOWN, (lc_path){&step, 1});
    }
}

/* Only names of attributes, because keys may be secret. */
static void take_paths(taker *t, lc_run_change *c, const lc_plan_change *entry)
{
    const lc_node *paths = entry->replace_paths;
    uint32_t count = paths && paths->kind == LC_NODE_SEQUENCE ? paths->count : 0;
    lc_str *texts = LC_NEW_ARRAY(t->arena, lc_str, count);
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *path = &paths->as.items[i];
        const lc_node *first =
            path->kind == LC_NODE_SEQUENCE && path->count ? path->as.items : NULL;
        if (first && first->kind == LC_NODE_STRING)
            texts[c->replace_path_count++] =
                lc_str_printf(t->arena, ".%.*s", LC_FMT(first->as.text));
    }
    c->replace_texts = texts;
}

static void take_causes(taker *t, lc_run_change *c, const lc_plan_change *entry)
{
    lc_cause_list causes = {.arena = t->arena};
    if (entry->action == LC_PLAN_UPDATE || lc_plan_action_replaces(entry->action))
        lc_cause_differences(&causes, t->plan, entry);
    else if (entry->action == LC_PLAN_READ)
        unknown_arguments(&causes, entry);
    c->causes = causes.list.items;
    c->cause_count = causes.list.count;
    c->causes_left = causes.left;
    take_paths(t, c, entry);
}

/* ---- Entries. */

static lc_run_change *take_entry(taker *t, const lc_plan_change *entry)
{
    uint32_t index = (uint32_t)t->out->changes.count;
    lc_run_change *c = LC_PUSH(t->arena, &t->out->changes, lc_run_change);
    *c = (lc_run_change){.address = entry->parsed,
                         .text = entry->address,
                         .deposed = entry->deposed,
                         .previous = entry->previous_address,
                         .action = entry->action,
                         .possible = LC_PLAN_BIT(entry->action),
                         .reason = entry->reason,
                         .sure = true,
                         .importing = lc_plan_imports(entry),
                         .trigger = -1};
    lc_table_put_index(&t->out->index, lc_plan_key(t->arena, c->text, c->deposed), index);
    c->why = why_of(t, entry);
    if (c->previous.len && !c->deposed.len && !lc_str_eq(c->previous, c->text)) {
        lc_why moved = {LC_BEHAVIOR_CONFIGURATION,
                        LC_STR_EMPTY,
                        {LC_STR_EMPTY, 0, 0},
                        lc_str_printf(t->arena, "it was %.*s before", LC_FMT(c->previous))};
        c->moved = lc_why_copy(t->arena, &moved);
    }
    const lc_run_change *p = t->predicted ? lc_run_find(t->predicted, c->text, c->deposed) : NULL;
    if (p)
        take_predicted(c, p);
    take_causes(t, c, entry);
    return c;
}

/* The client puts these off to a later run, and says for which reason. */
static void take_deferred(taker *t, const lc_plan_change *entry)
{
    if (!entry->parses || entry->action == LC_PLAN_UNKNOWN)
        return;
    lc_run_change *c = take_entry(t, entry);
    lc_undecided *why = LC_NEW(t->arena, lc_undecided);
    why->reason = lc_str_printf(t->arena, "the client defers it to a later run: %.*s",
                                LC_FMT(entry->deferred));
    c->undecided = why;
    c->possible |= LC_PLAN_BIT(LC_PLAN_NOOP);
}

static void take_outputs(taker *t)
{
    for (size_t i = 0; i < t->plan->outputs.count; i++) {
        const lc_plan_output *o = &t->plan->outputs.items[i];
        if (o->action != LC_PLAN_UNKNOWN)
            *LC_PUSH(t->arena, &t->out->outputs, lc_run_output) =
                (lc_run_output){o->name, NULL, o->action, LC_PLAN_BIT(o->action), NULL};
    }
}

void lc_run_take_plan(lc_prediction *out, lc_arena *arena, lc_plan *plan,
                      const lc_configuration *config, const lc_prediction *predicted)
{
    lc_plan_options options = {0};
    lc_plan_infer(&options, plan);
    taker t = {out, arena, plan, config ? predicted : NULL, options.mode};
    *out =
        (lc_prediction){.taken = true,
                        .profile = plan->by_terraform ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU,
                        .mode = options.mode == LC_PLAN_DESTROY        ? LC_RUN_DESTROY
                                : options.mode == LC_PLAN_REFRESH_ONLY ? LC_RUN_REFRESH_ONLY
                                                                       : LC_RUN_NORMAL,
                        .complete = true};
    out->config = config ? config
                  : plan->has_configuration && plan->root_module
                      ? lc_plan_configuration(arena, plan)
                      : NULL;
    out->client = out->config ? out->config->client
                              : (lc_client_version){.version = plan->version, .from = "the plan"};
    lc_table_init(&out->index, arena);
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *entry = &plan->changes.items[i];
        if (entry->parses && entry->action != LC_PLAN_UNKNOWN)
            take_entry(&t, entry);
    }
    for (size_t i = 0; i < plan->deferred.count; i++)
        take_deferred(&t, &plan->deferred.items[i]);
    take_outputs(&t);
    if (plan->errored == LC_YES)
        *LC_PUSH(arena, &out->errors, lc_run_error) =
            (lc_run_error){.summary = LC_STR("planning failed, and the plan is not complete")};
    lc_run_trace(out, arena);
}
