/* Replaces instance keys that may not be shown in everything of a prediction that is printed. */
#include "predict/internal.h"

/* What the previous state or a plan of the same run has in an address may be shown. */
static void show_known(lc_predictor *r)
{
    for (size_t i = 0; r->in->priors && i < r->in->priors->list.count; i++)
        lc_show_keys(&r->hidden, r->arena, &r->in->priors->list.items[i].address);
    for (size_t i = 0; r->in->made && i < r->in->made->changes.count; i++)
        if (r->in->made->changes.items[i].parses)
            lc_show_keys(&r->hidden, r->arena, &r->in->made->changes.items[i].parsed);
}

static lc_str shown(const lc_predictor *r, lc_str text)
{
    return lc_hidden_text(&r->hidden, text);
}

static const lc_undecided *shown_undecided(lc_predictor *r, const lc_undecided *u)
{
    return u ? lc_undecided_new(r->arena, shown(r, u->reason), u->place) : NULL;
}

static const lc_why *shown_why(lc_predictor *r, const lc_why *why)
{
    if (!why)
        return NULL;
    lc_why *copy = LC_NEW(r->arena, lc_why);
    *copy = *why;
    copy->text = shown(r, why->text);
    return copy;
}

/* The change is found by both texts of its address. */
static void hide_change(lc_predictor *r, size_t index)
{
    lc_run_change *c = &r->out->changes.items[index];
    c->text = shown(r, c->text);
    lc_table_put_index(&r->out->index, lc_plan_key(r->arena, c->text, c->deposed), index);
    c->why = *shown_why(r, &c->why);
    c->order = shown_why(r, c->order);
    c->moved = shown_why(r, c->moved);
    c->prevents = shown_why(r, c->prevents);
    c->undecided = shown_undecided(r, c->undecided);
    c->rests_on = shown(r, c->rests_on);
    c->forced_outside = shown(r, c->forced_outside);
}

void lc_predict_hide(lc_predictor *r)
{
    lc_prediction *out = r->out;
    if (!r->hidden.count)
        return;
    show_known(r);
    out->hides_keys = true;
    for (size_t i = 0; i < out->changes.count; i++)
        hide_change(r, i);
    for (size_t i = 0; i < out->errors.count; i++) {
        lc_run_error *e = &out->errors.items[i];
        e->summary = shown(r, e->summary);
        e->address = shown(r, e->address);
        e->detail = shown(r, e->detail);
    }
    for (size_t i = 0; i < out->open.count; i++) {
        lc_run_open *o = &out->open.items[i];
        o->matched = o->address;
        o->address = shown(r, o->address);
        o->undecided = shown_undecided(r, o->undecided);
    }
    for (size_t i = 0; i < out->outputs.count; i++)
        out->outputs.items[i].undecided = shown_undecided(r, out->outputs.items[i].undecided);
    for (size_t i = 0; i < out->blocked.count; i++) {
        out->blocked.items[i].from = shown(r, out->blocked.items[i].from);
        out->blocked.items[i].to = shown(r, out->blocked.items[i].to);
    }
    for (size_t i = 0; i < out->no_objects.count; i++)
        out->no_objects.items[i] = shown(r, out->no_objects.items[i]);
}
