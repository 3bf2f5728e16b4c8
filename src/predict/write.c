/* Predictions as JSON, for reports. No values of objects are in it. */
#include "predict/internal.h"

static void add_text(lc_buf *out, const char *name, lc_str text)
{
    if (!text.len)
        return;
    lc_buf_printf(out, ",\"%s\":", name);
    lc_buf_add_json(out, text, false);
}

static void add_why(lc_buf *out, const char *name, const lc_why *why)
{
    if (!why || !why->text.len)
        return;
    lc_buf_printf(out, ",\"%s\":{\"behavior\":\"%s\"", name, lc_behavior_name(why->behavior));
    add_text(out, "setting", why->setting);
    if (why->loc.line) {
        add_text(out, "file", why->loc.file);
        lc_buf_printf(out, ",\"line\":%u", (unsigned)why->loc.line);
    }
    add_text(out, "text", why->text);
    lc_buf_add_char(out, '}');
}

static void add_possible(lc_buf *out, const lc_run_change *c)
{
    if (c->possible == LC_PLAN_BIT(c->action))
        return;
    lc_buf_add_c(out, ",\"possible\":[");
    const char *comma = "";
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (!(c->possible & LC_PLAN_BIT(a)))
            continue;
        lc_buf_printf(out, "%s%s", comma, lc_plan_action_text((lc_plan_action)a));
        comma = ",";
    }
    lc_buf_add_char(out, ']');
    if (c->undecided)
        add_text(out, "open_because", c->undecided->reason);
}

static void add_paths(lc_buf *out, const lc_run_change *c)
{
    if (!c->replace_path_count)
        return;
    lc_buf_add_c(out, ",\"replace_paths\":[");
    for (size_t i = 0; i < c->replace_path_count; i++) {
        lc_buf_add_c(out, i ? "," : "");
        lc_buf_add_json(out, c->replace_texts[i], false);
    }
    lc_buf_add_char(out, ']');
}

static void add_change(lc_buf *out, const lc_run_change *c)
{
    lc_buf_add_c(out, "{\"address\":");
    lc_buf_add_json(out, c->text, false);
    add_text(out, "deposed", c->deposed);
    add_text(out, "previous_address", c->previous);
    lc_buf_printf(out, ",\"actions\":%s", lc_plan_action_text(c->action));
    add_text(out, "reason", lc_str_from_c(lc_plan_reason_text(c->reason)));
    if (c->importing)
        lc_buf_add_c(out, ",\"importing\":true");
    add_paths(out, c);
    add_possible(out, c);
    add_why(out, "why", &c->why);
    add_why(out, "order", c->order);
    add_why(out, "moved", c->moved);
    lc_buf_add_char(out, '}');
}

void lc_prediction_add_json(lc_buf *out, const lc_prediction *prediction)
{
    lc_buf_add_char(out, '[');
    for (size_t i = 0; i < prediction->changes.count; i++) {
        lc_buf_add_c(out, i ? "," : "");
        add_change(out, &prediction->changes.items[i]);
    }
    lc_buf_add_char(out, ']');
}

/* ---- Beside the changes. */

static void add_note(lc_buf *out, lc_str text, lc_str address, lc_loc loc)
{
    lc_buf_add_c(out, out->len ? ",{\"text\":" : "[{\"text\":");
    lc_buf_add_json(out, text, false);
    add_text(out, "address", address);
    if (loc.line) {
        add_text(out, "file", loc.file);
        lc_buf_printf(out, ",\"line\":%u", (unsigned)loc.line);
    }
    lc_buf_add_char(out, '}');
}

static void add_made_note(lc_buf *out, const char *before, lc_str what, lc_str address, lc_loc loc)
{
    lc_buf text = {0};
    lc_buf_printf(&text, "%s%.*s", before, LC_FMT(what));
    add_note(out, lc_buf_str(&text), address, loc);
    lc_buf_release(&text);
}

void lc_prediction_add_notes_json(lc_buf *out, const lc_prediction *prediction)
{
    const lc_loc nowhere = {LC_STR_EMPTY, 0, 0};
    for (size_t i = 0; i < prediction->errors.count; i++) {
        const lc_run_error *e = &prediction->errors.items[i];
        add_made_note(out, "the client fails: ", e->summary, e->address, e->loc);
    }
    for (size_t i = 0; i < prediction->open.count; i++) {
        const lc_run_open *o = &prediction->open.items[i];
        lc_loc loc = o->undecided->place.source ? lc_source_pos_loc(o->undecided->place) : nowhere;
        add_made_note(out, "cannot tell its instances: ", o->undecided->reason, o->address, loc);
    }
    for (size_t i = 0; i < prediction->outputs.count; i++) {
        const lc_run_output *o = &prediction->outputs.items[i];
        bool open = o->possible != LC_PLAN_BIT(o->action);
        lc_buf text = {0};
        lc_buf_printf(&text, "output %.*s: %s%s", LC_FMT(o->name), lc_plan_action_text(o->action),
                      open ? " (cannot tell)" : "");
        add_note(out, lc_buf_str(&text), LC_STR_EMPTY, nowhere);
        lc_buf_release(&text);
    }
    if (out->len)
        lc_buf_add_char(out, ']');
}
