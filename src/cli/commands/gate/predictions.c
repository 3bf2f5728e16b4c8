/* The user's own infrastructure under both versions: each predicts the plan of --config and --state
 * with the answers of its provider, and what differs is reported. */
#include "cli/checking.h"
#include "cli/commands/gate/gate.h"
#include "cli/commands/predict/providers.h"
#include "lifecheck/base/arena.h"

typedef struct forecast {
    lc_cli cli; /* with the binary of the version as its provider */
    lc_prediction_files files;
    lc_schema_store store;
    lc_predict_providers *providers;
    const lc_prediction *result;
} forecast;

static bool predict(forecast *f, lc_arena *arena, const lc_cli *cli, lc_str word)
{
    lc_exit status = LC_EXIT_OK;
    lc_diags diags;
    const lc_plan_evidence *facts = NULL;
    /* As after a refresh that changes nothing: marks that an older state has not are not a change
     * of a version. */
    lc_plan_options options = {.mode = LC_PLAN_NORMAL, .refresh = LC_YES};
    lc_str *named = LC_NEW(arena, lc_str);
    *named = word;
    f->cli = *cli;
    f->cli.options.provider = (lc_words){.items = named, .count = 1};
    f->files = (lc_prediction_files){.config = cli->options.config,
                                     .state = cli->options.state.items[0],
                                     .profile_given = lc_cli_has(cli, LC_OPTION_AS),
                                     .profile = (lc_profile)cli->options.profile,
                                     .limits = cli->options.limits,
                                     .access = lc_cli_access(cli),
                                     .schemas = lc_cli_capture(cli),
                                     .variables = lc_cli_variables(cli),
                                     .open_variables = true,
                                     .unwritten = true};
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&f->store, arena, cli->options.limits);
    f->providers = lc_predict_providers_open(&f->cli, cli->options.config, &status);
    if (!f->providers)
        return false;
    f->files.ask = lc_predict_providers_ask;
    f->files.ask_context = f->providers;
    lc_prediction_case(&facts, arena, &f->store, &f->files, &options, &diags);
    lc_predict_providers_end(f->providers);
    f->result = facts ? facts->shown : NULL;
    return lc_report_diags(&diags) && f->result;
}

/* ---- Comparing. */

static lc_str action_of(const lc_run_change *c)
{
    static const char *const words[] = {"unknown", "no change", "create",
                                        "read",    "update",    "delete"};
    if (!c)
        return LC_STR("no object");
    return lc_plan_action_replaces(c->action)         ? LC_STR("replace")
           : c->action < sizeof words / sizeof *words ? lc_str_from_c(words[c->action])
                                                      : LC_STR("forget");
}

static lc_upgrade_class class_of(const lc_run_change *now)
{
    bool ends = now && (lc_plan_action_replaces(now->action) || now->action == LC_PLAN_DELETE);
    return ends ? LC_CLASS_BREAKS : LC_CLASS_SURPRISES;
}

static void compare(lc_gate *g, const lc_prediction *before, const lc_prediction *after)
{
    for (size_t i = 0; i < after->changes.count; i++) {
        const lc_run_change *now = &after->changes.items[i],
                            *was = lc_run_find(before, now->text, now->deposed);
        bool open = !lc_run_is_firm(now) || (was && !lc_run_is_firm(was));
        g->predicted++;
        g->predicted_open += open;
        if (open || (was && was->action == now->action))
            continue;
        *LC_PUSH(g->arena, &g->own, lc_own_change) =
            (lc_own_change){lc_str_copy(g->arena, now->text), action_of(was), action_of(now),
                            lc_run_because(g->arena, after, now), class_of(now)};
    }
}

static void compare_errors(lc_gate *g, const lc_prediction *before, const lc_prediction *after)
{
    if (before->errors.count || !after->errors.count)
        return;
    const lc_run_error *e = &after->errors.items[0];
    *LC_PUSH(g->arena, &g->own, lc_own_change) =
        (lc_own_change){lc_str_copy(g->arena, e->address), LC_STR("a plan"), LC_STR("an error"),
                        lc_str_copy(g->arena, e->summary), LC_CLASS_BREAKS};
}

bool lc_gate_compare_predictions(lc_gate *g, lc_str old, lc_str new)
{
    const lc_options *o = &g->cli->options;
    forecast before = {0}, after = {0};
    if (!o->config.len || o->state.count != 1 || !lc_is_folder(g->arena, o->config))
        return true;
    if (!predict(&before, g->arena, g->cli, old) || !predict(&after, g->arena, g->cli, new))
        return false;
    compare(g, before.result, after.result);
    compare_errors(g, before.result, after.result);
    return true;
}

/* ---- Showing. */

void lc_gate_add_own_text(lc_buf *out, const lc_gate *g)
{
    if (!g->predicted)
        return;
    lc_buf_printf(out, "\nthe plan of %.*s under the new version, where it differs\n",
                  LC_FMT(g->cli->options.config));
    for (size_t i = 0; i < g->own.count; i++) {
        const lc_own_change *c = &g->own.items[i];
        lc_buf_printf(out, "  %.*s: %.*s, was %.*s%s%.*s\n", LC_FMT(c->address), LC_FMT(c->now),
                      LC_FMT(c->was), c->why.len ? ": " : "", LC_FMT(c->why));
    }
    if (g->own.count == 0)
        lc_buf_add_c(out, "  nothing\n");
    if (g->predicted_open)
        lc_buf_printf(out, "  %zu of %zu objects are undecided\n", g->predicted_open, g->predicted);
}

void lc_gate_add_own_json(lc_doc *doc, const lc_gate *g)
{
    if (!g->predicted)
        return;
    lc_doc *list = lc_doc_add_array(doc, "own_plan");
    for (size_t i = 0; i < g->own.count; i++) {
        const lc_own_change *c = &g->own.items[i];
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_str(entry, "address", c->address);
        lc_doc_add_c(entry, "class", lc_upgrade_class_name(c->of));
        lc_doc_add_str(entry, "old", c->was);
        lc_doc_add_str(entry, "new", c->now);
        lc_doc_add_str(entry, "why", c->why);
    }
}

uint64_t lc_gate_own_failing(const lc_gate *g)
{
    uint64_t count = 0;
    for (size_t i = 0; i < g->own.count; i++)
        count += g->own.items[i].of == LC_CLASS_BREAKS;
    return count;
}
