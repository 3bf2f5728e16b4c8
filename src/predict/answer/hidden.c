/* Replaces instance keys that may not be shown in everything of a prediction that is printed. */
#include "predict/internal.h"

/* What the previous state or a plan of the same run has in an address may be shown. */
static void show_known(lc_predictor *pred)
{
    for (size_t i = 0; pred->in->priors && i < pred->in->priors->list.count; i++)
        lc_show_keys(&pred->hidden, pred->arena, &pred->in->priors->list.items[i].address);
    for (size_t i = 0; pred->in->made && i < pred->in->made->changes.count; i++)
        if (pred->in->made->changes.items[i].parses)
            lc_show_keys(&pred->hidden, pred->arena, &pred->in->made->changes.items[i].parsed);
}

static lc_str shown(const lc_predictor *pred, lc_str text)
{
    return lc_hidden_text(&pred->hidden, text);
}

static const lc_undecided *shown_undecided(lc_predictor *pred, const lc_undecided *u)
{
    return u ? lc_undecided_new(pred->arena, shown(pred, u->reason), u->place) : NULL;
}

static const lc_why *shown_why(lc_predictor *pred, const lc_why *why)
{
    if (!why)
        return NULL;
    lc_why *copy = LC_NEW(pred->arena, lc_why);
    *copy = *why;
    copy->text = shown(pred, why->text);
    return copy;
}

/* The change is found by both strings of its address. */
static void hide_change(lc_predictor *pred, size_t index)
{
    lc_run_change *c = &pred->out->changes.items[index];
    c->text = shown(pred, c->text);
    lc_table_put_index(&pred->out->index, lc_plan_key(pred->arena, c->text, c->deposed), index);
    c->why = *shown_why(pred, &c->why);
    c->order = shown_why(pred, c->order);
    c->moved = shown_why(pred, c->moved);
    c->prevents = shown_why(pred, c->prevents);
    c->undecided = shown_undecided(pred, c->undecided);
    c->rests_on = shown(pred, c->rests_on);
    c->forced_outside = shown(pred, c->forced_outside);
}

void lc_predict_hide(lc_predictor *pred)
{
    lc_prediction *out = pred->out;
    if (!pred->hidden.count)
        return;
    show_known(pred);
    out->hides_keys = true;
    for (size_t i = 0; i < out->changes.count; i++)
        hide_change(pred, i);
    for (size_t i = 0; i < out->errors.count; i++) {
        lc_run_error *e = &out->errors.items[i];
        e->summary = shown(pred, e->summary);
        e->address = shown(pred, e->address);
        e->detail = shown(pred, e->detail);
    }
    for (size_t i = 0; i < out->open.count; i++) {
        lc_run_open *o = &out->open.items[i];
        o->matched = o->address;
        o->address = shown(pred, o->address);
        o->undecided = shown_undecided(pred, o->undecided);
    }
    for (size_t i = 0; i < out->outputs.count; i++)
        out->outputs.items[i].undecided = shown_undecided(pred, out->outputs.items[i].undecided);
    for (size_t i = 0; i < out->blocked.count; i++) {
        out->blocked.items[i].from = shown(pred, out->blocked.items[i].from);
        out->blocked.items[i].to = shown(pred, out->blocked.items[i].to);
    }
    for (size_t i = 0; i < out->no_objects.count; i++)
        out->no_objects.items[i] = shown(pred, out->no_objects.items[i]);
}
