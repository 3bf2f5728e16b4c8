/* Predictions as JSON for reports. No values of objects are written. */
#include "predict/internal.h"

static void add_text(lc_json *w, const char *name, lc_str text)
{
    if (text.len)
        lc_json_str(w, name, text);
}

static void add_loc(lc_json *w, lc_loc loc)
{
    if (!loc.line)
        return;
    add_text(w, "file", loc.file);
    lc_json_uint(w, "line", loc.line);
}

static void add_why(lc_json *w, const char *name, const lc_why *why)
{
    if (!why || !why->text.len)
        return;
    lc_json_object(w, name);
    lc_json_c(w, "behavior", lc_behavior_name(why->behavior));
    add_text(w, "setting", why->setting);
    add_loc(w, why->loc);
    add_text(w, "text", why->text);
    lc_json_end_object(w);
}

static void add_action(lc_json *w, const char *name, lc_plan_action action)
{
    lc_json_raw(w, name, lc_str_from_c(lc_plan_action_text(action)));
}

/* Only if there is more than one possible action. */
static void add_possible(lc_json *w, const lc_run_change *c)
{
    if (c->possible == LC_PLAN_BIT(c->action))
        return;
    lc_json_array(w, "possible");
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (c->possible & LC_PLAN_BIT(a))
            add_action(w, NULL, (lc_plan_action)a);
    }
    lc_json_end_array(w);
    if (c->undecided)
        add_text(w, "open_because", c->undecided->reason);
}

/* The texts have keys below sensitive values redacted. */
static void add_paths(lc_json *w, const lc_run_change *c)
{
    if (!c->replace_path_count)
        return;
    lc_json_array(w, "replace_paths");
    for (size_t i = 0; i < c->replace_path_count; i++)
        lc_json_str(w, NULL, c->replace_texts[i]);
    lc_json_end_array(w);
}

static void add_change(lc_json *w, const lc_run_change *c)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "address", c->text);
    add_text(w, "deposed", c->deposed);
    add_text(w, "previous_address", c->previous);
    add_action(w, "actions", c->action);
    add_text(w, "reason", lc_str_from_c(lc_plan_reason_text(c->reason)));
    if (c->importing)
        lc_json_bool(w, "importing", true);
    add_paths(w, c);
    add_possible(w, c);
    add_why(w, "why", &c->why);
    add_why(w, "order", c->order);
    add_why(w, "moved", c->moved);
    lc_json_end_object(w);
}

void lc_prediction_add_json(lc_buf *out, const lc_prediction *prediction)
{
    lc_json w = {.out = out};
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < prediction->changes.count; i++)
        add_change(&w, &prediction->changes.items[i]);
    lc_json_end_array(&w);
}

/* ---- Errors, open instances and outputs. */

static void add_note(lc_json *w, lc_str text, lc_str address, lc_loc loc)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "text", text);
    add_text(w, "address", address);
    add_loc(w, loc);
    lc_json_end_object(w);
}

static void add_made_note(lc_json *w, const char *before, lc_str what, lc_str address, lc_loc loc)
{
    lc_buf text = {0};
    lc_buf_printf(&text, "%s%.*s", before, LC_FMT(what));
    add_note(w, lc_buf_str(&text), address, loc);
    lc_buf_release(&text);
}

static void add_output(lc_json *w, const lc_run_output *o)
{
    bool open = o->possible != LC_PLAN_BIT(o->action);
    lc_buf text = {0};
    lc_buf_printf(&text, "output %.*s: %s%s", LC_FMT(o->name), lc_plan_action_text(o->action),
                  open ? " (undecided)" : "");
    add_note(w, lc_buf_str(&text), LC_STR_EMPTY, (lc_loc){LC_STR_EMPTY, 0, 0});
    lc_buf_release(&text);
}

void lc_prediction_add_notes_json(lc_buf *out, const lc_prediction *prediction)
{
    const lc_loc nowhere = {LC_STR_EMPTY, 0, 0};
    lc_json w = {.out = out};
    if (!prediction->errors.count && !prediction->open.count && !prediction->outputs.count)
        return;
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < prediction->errors.count; i++) {
        const lc_run_error *e = &prediction->errors.items[i];
        add_made_note(&w, "the client fails: ", e->summary, e->address, e->loc);
    }
    for (size_t i = 0; i < prediction->open.count; i++) {
        const lc_run_open *o = &prediction->open.items[i];
        lc_loc loc = o->undecided->place.source ? lc_source_pos_loc(o->undecided->place) : nowhere;
        add_made_note(&w, "undecided instances: ", o->undecided->reason, o->address, loc);
    }
    for (size_t i = 0; i < prediction->outputs.count; i++)
        add_output(&w, &prediction->outputs.items[i]);
    lc_json_end_array(&w);
}
