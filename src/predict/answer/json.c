/* Predictions as JSON for reports. No values of objects are written. A change of this form that
 * breaks a reader of it raises VERSION, which lifecheck-predict(1) documents. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

#define VERSION 1

static const char *const mode_names[] = {[LC_RUN_NORMAL] = "normal",
                                         [LC_RUN_DESTROY] = "destroy",
                                         [LC_RUN_REFRESH_ONLY] = "refresh-only"};

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
    if (loc.column)
        lc_json_uint(w, "column", loc.column);
}

static void add_why(lc_json *w, const char *name, const lc_run_change *c, const lc_why *why)
{
    if (!why || !why->text.len)
        return;
    lc_json_object(w, name);
    lc_json_c(w, "behavior", lc_behavior_name(why->behavior));
    add_text(w, "setting", why->setting);
    add_loc(w, why->loc);
    add_text(w, "text", why->text);
    if (lc_run_why_is_implied(c, why))
        lc_json_bool(w, "implied", true);
    lc_json_end_object(w);
}

static void add_action(lc_json *w, const char *name, lc_plan_action action)
{
    lc_json_raw(w, name, lc_str_from_c(lc_plan_action_text(action)));
}

static void add_possible(lc_json *w, unsigned possible)
{
    lc_json_array(w, "possible");
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (possible & LC_PLAN_BIT(a))
            add_action(w, NULL, (lc_plan_action)a);
    }
    lc_json_end_array(w);
}

static void add_open(lc_json *w, const lc_run_change *c)
{
    if (lc_run_is_firm(c) || !c->undecided)
        return;
    add_text(w, "open_because", c->undecided->reason);
    if (!c->undecided_at.line)
        return;
    lc_json_object(w, "open_at");
    add_loc(w, c->undecided_at);
    lc_json_end_object(w);
}

/* The strings have keys below sensitive values redacted. */
static void add_paths(lc_json *w, const lc_run_change *c)
{
    if (!c->replace_path_count)
        return;
    lc_json_array(w, "replace_paths");
    for (size_t i = 0; i < c->replace_path_count; i++)
        lc_json_str(w, NULL, c->replace_texts[i]);
    lc_json_end_array(w);
}

/* Only if there are several. */
static void add_reasons(lc_json *w, const lc_run_change *c)
{
    if (!(c->reasons & (c->reasons - 1)))
        return;
    lc_json_array(w, "reasons");
    for (int reason = LC_PLAN_REASON_NONE; reason < LC_PLAN_REASON_UNKNOWN; reason++) {
        if (c->reasons >> reason & 1)
            lc_json_c(w, NULL, reason ? lc_plan_reason_text((lc_plan_reason)reason) : "none");
    }
    lc_json_end_array(w);
}

static void add_learned(lc_json *w, const lc_run_change *c)
{
    static const char *const effects[] = {"replace", "in-place", "unchanged", "kept"};
    if (!c->learned)
        return;
    lc_json_object(w, "learned");
    add_text(w, "attribute", c->learned->path);
    lc_json_c(w, "effect", effects[c->learned->effect]);
    if (!c->learned->stated)
        lc_json_uint(w, "seen", c->learned->count);
    if (c->contested)
        lc_json_bool(w, "contested", true);
    add_text(w, "file", c->learned->loc.file);
    if (c->learned->loc.line)
        lc_json_uint(w, "line", c->learned->loc.line);
    lc_json_end_object(w);
}

static void add_cause(lc_json *w, const lc_prediction *prediction, const lc_run_cause *cause)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "path", cause->path);
    lc_json_c(w, "how", lc_cause_kind_name(cause->kind));
    if (cause->forces)
        lc_json_bool(w, "forces_replace", true);
    if (cause->drifted)
        lc_json_bool(w, "drifted", true);
    if (!cause->set)
        lc_json_bool(w, "computed", true);
    add_loc(w, cause->loc);
    add_text(w, "through", cause->through);
    if (cause->up >= 0)
        lc_json_str(w, "address", prediction->changes.items[cause->up].text);
    add_text(w, "input", cause->input);
    if (cause->refer_count)
        lc_json_array(w, "refers_to");
    for (size_t i = 0; i < cause->refer_count; i++)
        lc_json_str(w, NULL, cause->refers[i]);
    if (cause->refer_count)
        lc_json_end_array(w);
    if (cause->refers_left)
        lc_json_int(w, "refers_to_more", (int64_t)cause->refers_left);
    lc_json_end_object(w);
}

static void add_causes(lc_json *w, const lc_prediction *prediction, const lc_run_change *c)
{
    lc_json_array(w, "causes");
    for (size_t i = 0; i < c->cause_count; i++)
        add_cause(w, prediction, &c->causes[i]);
    lc_json_end_array(w);
}

static void add_change(lc_json *w, const lc_prediction *prediction, const lc_run_change *c,
                       lc_arena *scratch)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "address", c->text);
    lc_json_c(w, "mode", lc_resource_mode_name(c->address.mode));
    add_text(w, "deposed", c->deposed);
    add_text(w, "previous_address", c->previous);
    add_loc(w, c->place);
    add_action(w, "actions", c->action);
    add_possible(w, lc_run_possible(c));
    lc_json_bool(w, "firm", lc_run_is_firm(c));
    lc_json_c(w, "sign", lc_run_sign(c));
    lc_json_str(w, "fate", lc_run_fate(scratch, c));
    add_text(w, "reason", lc_str_from_c(lc_plan_reason_text(c->reason)));
    add_reasons(w, c);
    if (c->importing)
        lc_json_bool(w, "importing", true);
    add_paths(w, c);
    add_open(w, c);
    if (!lc_run_is_firm(c) && c->undecided && c->configured != LC_MAYBE)
        lc_json_bool(w, "configured", c->configured == LC_TRUE);
    add_text(w, "rests_on", c->rests_on);
    add_text(w, "answered_by", c->answered_by);
    add_learned(w, c);
    add_why(w, "why", c, &c->why);
    add_why(w, "order", c, c->order);
    add_why(w, "moved", c, c->moved);
    add_why(w, "prevents", c, c->prevents);
    if (c->cause_count)
        add_causes(w, prediction, c);
    if (c->trigger >= 0)
        lc_json_str(w, "triggered_by", prediction->changes.items[c->trigger].text);
    lc_json_str(w, "because", lc_run_because(scratch, prediction, c));
    lc_json_end_object(w);
}

void lc_prediction_add_json(lc_buf *out, const lc_prediction *prediction)
{
    lc_json w = {.out = out};
    lc_arena *scratch = lc_arena_new();
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < prediction->changes.count; i++) {
        lc_arena_reset(scratch);
        add_change(&w, prediction, &prediction->changes.items[i], scratch);
    }
    lc_json_end_array(&w);
    lc_arena_free(scratch);
}

static void add_foreseen(lc_json *w, const lc_run_change *c)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "address", c->text);
    add_text(w, "deposed", c->deposed);
    add_text(w, "previous_address", c->previous);
    add_possible(w, lc_run_possible(c));
    add_text(w, "reason", lc_str_from_c(lc_plan_reason_text(c->reason)));
    add_open(w, c);
    add_why(w, "why", c, &c->why);
    add_why(w, "moved", c, c->moved);
    lc_json_end_object(w);
}

void lc_prediction_add_short_json(lc_buf *out, const lc_prediction *prediction)
{
    lc_json w = {.out = out};
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < prediction->changes.count; i++)
        add_foreseen(&w, &prediction->changes.items[i]);
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

static void add_output_note(lc_json *w, const lc_run_output *o)
{
    bool open = o->possible != LC_PLAN_BIT(o->action);
    lc_buf text = {0};
    lc_buf_printf(&text, "output %.*s: %s%s", LC_FMT(o->name), lc_plan_action_text(o->action),
                  open ? " (undecided)" : "");
    if (o->undecided)
        lc_buf_printf(&text, ": %.*s", LC_FMT(o->undecided->reason));
    add_note(w, lc_buf_str(&text), LC_STR_EMPTY, (lc_loc){LC_STR_EMPTY, 0, 0});
    lc_buf_release(&text);
}

void lc_prediction_add_notes_json(lc_buf *out, const lc_prediction *prediction)
{
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
        add_made_note(&w, "undecided instances: ", o->undecided->reason, o->address, o->loc);
    }
    for (size_t i = 0; i < prediction->outputs.count; i++)
        add_output_note(&w, &prediction->outputs.items[i]);
    lc_json_end_array(&w);
}

/* ---- The prediction as a whole. */

static void add_counts(lc_json *w, const lc_prediction_counts *n)
{
    lc_json_uint(w, "objects", n->objects);
    lc_json_uint(w, "firm", n->firm);
    lc_json_uint(w, "open", n->open);
    lc_json_uint(w, "assumed", n->assumed);
    lc_json_uint(w, "blocks_open", n->unexpanded);
    lc_json_uint(w, "failed", n->errors);
    lc_json_array(w, "actions");
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++) {
        if (!n->actions[a])
            continue;
        lc_json_object(w, NULL);
        add_action(w, "actions", (lc_plan_action)a);
        lc_json_uint(w, "count", n->actions[a]);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
}

static void add_error(lc_json *w, const lc_run_error *e)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "summary", e->summary);
    add_text(w, "address", e->address);
    add_text(w, "detail", e->detail);
    add_text(w, "fix", lc_core_message_fix(e->summary));
    add_loc(w, e->loc);
    lc_json_end_object(w);
}

static void add_unexpanded(lc_json *w, const lc_run_open *o)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "address", o->address);
    add_text(w, "because", o->undecided->reason);
    add_loc(w, o->loc);
    lc_json_end_object(w);
}

static void add_output(lc_json *w, const lc_run_output *o)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "name", o->name);
    add_action(w, "actions", o->action);
    add_possible(w, o->possible);
    lc_json_bool(w, "firm", o->possible == LC_PLAN_BIT(o->action));
    if (o->undecided)
        lc_json_str(w, "open_because", o->undecided->reason);
    lc_json_end_object(w);
}

static void add_open_reasons(lc_json *w, lc_arena *arena, const lc_prediction *prediction)
{
    size_t count;
    const lc_open_reason *list = lc_prediction_reasons(&count, arena, prediction);
    lc_json_array(w, "open_because");
    for (size_t i = 0; i < count; i++) {
        lc_json_object(w, NULL);
        lc_json_str(w, "because", list[i].text);
        lc_json_uint(w, "count", list[i].count);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
}

/* In addition to its name: the version for which the prediction holds. */
static void add_client(lc_json *w, lc_arena *scratch, const lc_prediction *prediction)
{
    const lc_client_version *client = &prediction->client;
    if (client->from) {
        lc_json_str(w, "client_version", client->version);
        lc_json_c(w, "client_version_from", client->from);
    }
    lc_json_str(w, "holds_for", lc_client_version_words(scratch, prediction->profile, client));
}

static void add_names(lc_json *w, const char *key, const lc_str *names, size_t count)
{
    if (!count)
        return;
    lc_json_array(w, key);
    for (size_t i = 0; i < count; i++)
        lc_json_str(w, NULL, names[i]);
    lc_json_end_array(w);
}

static void add_one_asked(lc_json *w, const lc_run_asked *a)
{
    lc_json_object(w, NULL);
    lc_json_str(w, "name", a->name);
    lc_json_str(w, "source", a->provider);
    if (a->version.len)
        lc_json_str(w, "version", a->version);
    lc_json_bool(w, "asked", a->used);
    lc_json_bool(w, "online", a->online);
    if (a->why.len)
        lc_json_str(w, "because", a->why);
    lc_json_uint(w, "calls", a->calls);
    lc_json_uint(w, "restarts", a->died);
    add_names(w, "invented", a->invented, a->invented_count);
    add_names(w, "left_out", a->left_out, a->left_out_count);
    lc_json_end_object(w);
}

/* The provider configurations that were asked; nothing if none was. */
static void add_asked(lc_json *w, const lc_prediction *prediction)
{
    if (!prediction->asked_count)
        return;
    lc_json_array(w, "providers");
    for (size_t i = 0; i < prediction->asked_count; i++)
        add_one_asked(w, &prediction->asked[i]);
    lc_json_end_array(w);
}

void lc_prediction_add_summary_json(lc_buf *out, const lc_prediction *prediction)
{
    lc_json w = {.out = out};
    lc_arena *scratch = lc_arena_new();
    lc_prediction_counts n = lc_prediction_count(prediction);
    lc_json_object(&w, NULL);
    lc_json_uint(&w, "version", VERSION);
    lc_json_c(&w, "client", lc_profile_name(prediction->profile));
    add_client(&w, scratch, prediction);
    lc_json_c(&w, "actions_of", prediction->taken ? "plan" : "prediction");
    lc_json_c(&w, "mode", mode_names[prediction->mode]);
    lc_json_c(&w, "state", lc_prediction_state_name(lc_prediction_state_of(prediction)));
    lc_json_str(&w, "text", lc_prediction_words(scratch, prediction));
    add_counts(&w, &n);
    add_open_reasons(&w, scratch, prediction);
    add_asked(&w, prediction);
    lc_json_array(&w, "errors");
    for (size_t i = 0; i < prediction->errors.count; i++)
        add_error(&w, &prediction->errors.items[i]);
    lc_json_end_array(&w);
    lc_json_array(&w, "open_blocks");
    for (size_t i = 0; i < prediction->open.count; i++)
        add_unexpanded(&w, &prediction->open.items[i]);
    lc_json_end_array(&w);
    lc_json_array(&w, "outputs");
    for (size_t i = 0; i < prediction->outputs.count; i++)
        add_output(&w, &prediction->outputs.items[i]);
    lc_json_end_array(&w);
    lc_json_end_object(&w);
    lc_arena_free(scratch);
}
