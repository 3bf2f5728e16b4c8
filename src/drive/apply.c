/* The apply phase of a run, in a process of its own. */
#include "drive/driver.h"

#include "lifecheck/base/arena.h"

static const lc_value *final_config(const lc_turn *t)
{
    const lc_value *config = lc_turn_value(&t->out->final_config);
    return config ? config : lc_turn_value(&t->out->config);
}

/* ---- What an apply leaves. */

/* The client stores the returned state, also if there are errors. Without an answer the state is
 * not known. */
static void store(lc_turn *t, const lc_call *apply, bool created)
{
    lc_object_life *life = t->life;
    const lc_value *state = lc_turn_value(&apply->result);
    life->settings = t->settings;
    life->settings_loc = t->settings_loc;
    if (apply->broke == LC_YES || !state) {
        life->unsure = true;
        life->tried = lc_turn_value(&apply->planned);
        life->ours |= created;
        return;
    }
    life->unsure = false;
    if (apply->failed == LC_YES && lc_is_null(state) && !created)
        return;
    life->stored = (lc_stored_object){NULL, lc_turn_value(&apply->identity), apply->private_data};
    if (!lc_is_null(state))
        life->stored.state = lc_value_unknown_as_null(t->arena, state);
    life->ours = life->stored.state && (life->ours || created);
}

/* Another object takes the place of the one that the scenario has created. */
static void set_aside(lc_turn *t)
{
    lc_object_life *life = t->life;
    if (life->ours && (life->stored.state || life->unsure))
        *LC_PUSH(t->arena, t->others, lc_object_life) = *life;
    *life = (lc_object_life){.stored = {NULL, NULL, LC_STR_EMPTY}};
}

static void ask_apply(lc_turn *t, const lc_apply_question *question)
{
    lc_call call;
    bool created = lc_turn_is_null(question->prior);
    if (created)
        set_aside(t);
    lc_call_kind kind = lc_turn_is_null(question->planned) ? LC_CALL_DESTROY : LC_CALL_APPLY;
    lc_client_apply(t->client, &call, t->arena, t->schema, question, lc_turn_loc(t, kind));
    store(t, lc_turn_add(t, &call, kind), created);
}

/* ---- Legs. */

static void destroy(lc_turn *t)
{
    const lc_call *plan = t->create ? t->create : t->plan;
    lc_apply_question question = {
        .prior = t->prior.state,
        .identity = plan && !t->create ? lc_turn_value(&plan->identity) : NULL,
        .private_data = plan ? plan->private_data : t->prior.private_data};
    ask_apply(t, &question);
}

/* The configuration is known now, so it is validated and planned again. */
static const lc_call *plan_again(lc_turn *t, const lc_stored_object *prior, const lc_value *config)
{
    lc_call call;
    lc_client_validate(t->client, &call, t->arena, t->schema, config,
                       lc_turn_loc(t, LC_CALL_VALIDATE));
    lc_turn_add(t, &call, LC_CALL_VALIDATE);
    if (t->failed || t->broken)
        return NULL;
    const lc_call *plan = lc_turn_ask_plan(t, LC_CALL_FINAL_PLAN, prior, config);
    t->failed |= !lc_turn_plan_is_valid(t, plan);
    return t->failed ? NULL : plan;
}

static void change(lc_turn *t, const lc_stored_object *prior)
{
    const lc_value *config = final_config(t);
    const lc_call *plan = plan_again(t, prior, config);
    if (!plan)
        return;
    lc_apply_question question = {.prior = prior->state,
                                  .planned = plan->result.value,
                                  .config = config,
                                  .identity = lc_turn_value(&plan->identity),
                                  .private_data = plan->private_data};
    ask_apply(t, &question);
}

/* What was replaced is destroyed with the rest at the end if that fails here. */
static void replace(lc_turn *t, bool create_first)
{
    static const lc_stored_object none = {NULL, NULL, {"", 0}};
    lc_object_life before = *t->life;
    size_t others = t->others->count;
    if (!create_first)
        destroy(t);
    if (t->failed || t->broken)
        return;
    change(t, &none);
    if (!create_first || t->failed || t->broken)
        return;
    lc_object_life made = *t->life;
    *t->life = before;
    t->others->count = others;
    destroy(t);
    if (!before.ours && (t->life->stored.state || t->life->unsure))
        lc_turn_report(t, "the object that was replaced could not be destroyed");
    set_aside(t);
    *t->life = made;
}

static void carry_out(lc_turn *t)
{
    lc_stored_object prior = lc_turn_upgrade_planned(t);
    if (t->failed || t->broken)
        return;
    if (t->action == LC_ACTION_DELETE)
        destroy(t);
    else if (t->action == LC_ACTION_DELETE_THEN_CREATE)
        replace(t, false);
    else if (t->action == LC_ACTION_CREATE_THEN_DELETE)
        replace(t, true);
    else
        change(t, &prior);
}

/* Why nothing is applied, although it was asked for; NULL: it can be. */
static const char *hindrance(const lc_turn *t)
{
    const lc_value *config = final_config(t);
    if (t->action != LC_ACTION_DELETE && !lc_is_wholly_known(config))
        return "nothing is applied: the configuration has unknown values, and there is no "
               "final_config";
    if (!t->plan && t->action != LC_ACTION_DELETE)
        return "nothing is applied: there is no plan";
    if (t->settings && !lc_is_wholly_known(t->settings))
        return "nothing is applied: the configuration of the provider has unknown values";
    if (t->life->stored.state && t->settings && !lc_value_same(t->life->settings, t->settings))
        return "nothing is applied: the object was made with another configuration of the "
               "provider than this run has";
    return NULL;
}

void lc_turn_apply(lc_turn *t)
{
    if (t->schema->kind != LC_KIND_RESOURCE || t->action == LC_ACTION_NONE ||
        t->action == LC_ACTION_NOOP || !lc_turn_may_call(t, LC_CALL_APPLY))
        return;
    const char *why = hindrance(t);
    if (why) {
        lc_turn_report(t, "%s", why);
        return;
    }
    if (!lc_turn_begin(t, LC_WALK_APPLY))
        return;
    carry_out(t);
    lc_turn_end(t);
}
