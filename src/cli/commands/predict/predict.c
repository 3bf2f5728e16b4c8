/* lifecheck predict: predicts what a client plans for every object of a configuration, and why;
 * a plan is compared with the prediction. */
#include "cli/checking.h"
#include "cli/commands/predict/providers.h"
#include "cli/commands/predict/selected.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/files/output_file.h"
#include "lifecheck/scenario/planning_input.h"

#include <errno.h>
#include <string.h>

typedef struct predictor {
    lc_checking c;
    lc_arena *arena;
    lc_diags diags;
    lc_prediction_files files;
    lc_plan_options options;
    lc_predict_providers *providers; /* NULL: no provider is asked */
    lc_outcome answers;              /* cases of what providers answered, with findings */
    lc_learned *learned;             /* NULL: neither --learn nor --learned */
} predictor;

/* ---- The table. */

static lc_str object_text(lc_arena *arena, const lc_run_change *c)
{
    lc_str text = c->text;
    if (c->deposed.len)
        text = lc_str_printf(arena, "%.*s (deposed %.*s)", LC_FMT(text), LC_FMT(c->deposed));
    return text;
}

static void add_why(lc_buf *out, int indent, const lc_why *why)
{
    bool plain = why->behavior == LC_BEHAVIOR_DEFAULT;
    lc_buf_printf(out, "%*s%s%s%.*s", indent, "", plain ? "" : lc_behavior_name(why->behavior),
                  plain ? "" : ": ", LC_FMT(why->text));
    if (why->setting.len)
        lc_buf_printf(out, " (%.*s", LC_FMT(why->setting));
    if (why->setting.len && why->loc.line)
        lc_buf_printf(out, " at %.*s:%u", LC_FMT(why->loc.file), (unsigned)why->loc.line);
    lc_buf_add_c(out, why->setting.len ? ")\n" : "\n");
}

static void add_seen(lc_buf *out, lc_arena *arena, const lc_learned_fact *seen)
{
    lc_buf_printf(out, "%.*s (%.*s", LC_FMT(lc_learned_words(arena, seen)), LC_FMT(seen->loc.file));
    if (seen->loc.line)
        lc_buf_printf(out, ":%u", (unsigned)seen->loc.line);
    if (seen->stated)
        lc_buf_add_c(out, ": create-only)");
    else
        lc_buf_printf(out, ", seen %llu time%s)", (unsigned long long)seen->count,
                      seen->count == 1 ? "" : "s");
}

static void add_learned(lc_buf *out, lc_arena *arena, const lc_run_change *c)
{
    lc_buf_add_c(out, "    learned: ");
    add_seen(out, arena, c->learned);
    lc_buf_add_c(out, c->contested ? "; the opposite was seen as well\n" : "\n");
}

/* Details that the reasons above do not contain. */
static void add_causes(lc_buf *out, lc_arena *arena, const lc_prediction *prediction,
                       const lc_run_change *c)
{
    for (size_t i = 0; i < c->cause_count; i++)
        lc_buf_printf(out, "    %.*s\n",
                      LC_FMT(lc_run_cause_words(arena, prediction, &c->causes[i])));
    if (c->causes_left)
        lc_buf_printf(out, "    and %zu more attributes\n", c->causes_left);
    if (!c->cause_count && c->trigger >= 0 && c->action != LC_PLAN_CREATE &&
        lc_run_why_is_implied(c, &c->why))
        lc_buf_printf(out, "    %.*s\n", LC_FMT(lc_run_because(arena, prediction, c)));
}

static void add_change(lc_buf *out, lc_arena *arena, const lc_prediction *prediction,
                       const lc_run_change *c)
{
    lc_buf_printf(out, "%3s %.*s %.*s%s", lc_run_sign(c), LC_FMT(object_text(arena, c)),
                  LC_FMT(lc_run_fate(arena, c)), c->importing ? " (import)" : "");
    bool open = c->undecided && c->possible != LC_PLAN_BIT(c->action);
    if (open)
        lc_buf_printf(out, ": %.*s", LC_FMT(c->undecided->reason));
    lc_buf_add_char(out, '\n');
    if (!lc_run_why_is_implied(c, &c->why))
        add_why(out, 4, &c->why);
    if (c->order && !lc_run_why_is_implied(c, c->order))
        add_why(out, 4, c->order);
    if (c->moved)
        add_why(out, 4, c->moved);
    if (c->prevents)
        add_why(out, 4, c->prevents);
    if (c->learned)
        add_learned(out, arena, c);
    if (c->rests_on.len)
        lc_buf_printf(out, "    assumed: %.*s returns the values in the state\n",
                      LC_FMT(c->rests_on));
    add_causes(out, arena, prediction, c);
}

static const char *output_fate(lc_plan_action action, bool firm)
{
    if (action == LC_PLAN_NOOP)
        return firm ? "stays" : "may stay";
    if (action == LC_PLAN_CREATE)
        return firm ? "is added" : "may be added";
    if (action == LC_PLAN_DELETE)
        return firm ? "is removed" : "may be removed";
    return firm ? "changes" : "may change";
}

/* Outputs that stay as they are are left out. */
static void add_output(lc_buf *out, const lc_run_output *o)
{
    bool firm = o->possible == LC_PLAN_BIT(o->action);
    bool adds = o->action == LC_PLAN_CREATE, drops = o->action == LC_PLAN_DELETE;
    if (firm && o->action == LC_PLAN_NOOP)
        return;
    lc_buf_printf(out, "  %s output.%.*s %s",
                  !firm   ? "?"
                  : adds  ? "+"
                  : drops ? "-"
                          : "~",
                  LC_FMT(o->name), output_fate(o->action, firm));
    if (o->undecided)
        lc_buf_printf(out, ": %.*s", LC_FMT(o->undecided->reason));
    lc_buf_add_c(out, "\n");
}

static void add_rest(lc_buf *out, const lc_prediction *prediction)
{
    for (size_t i = 0; i < prediction->open.count; i++) {
        const lc_run_open *o = &prediction->open.items[i];
        lc_buf_printf(out, "%.*s  undecided instances: %.*s", LC_FMT(o->address),
                      LC_FMT(o->undecided->reason));
        if (o->loc.line)
            lc_buf_printf(out, " (%.*s:%u)", LC_FMT(o->loc.file), (unsigned)o->loc.line);
        lc_buf_add_char(out, '\n');
    }
    for (size_t i = 0; i < prediction->outputs.count; i++) {
        add_output(out, &prediction->outputs.items[i]);
    }
    for (size_t i = 0; i < prediction->errors.count; i++) {
        const lc_run_error *e = &prediction->errors.items[i];
        lc_str what = e->summary.len ? e->summary : e->detail;
        lc_buf_printf(out, "the client fails: %.*s", LC_FMT(what));
        if (e->address.len)
            lc_buf_printf(out, ": %.*s", LC_FMT(e->address));
        if (e->loc.line)
            lc_buf_printf(out, " (%.*s:%u)", LC_FMT(e->loc.file), (unsigned)e->loc.line);
        lc_buf_add_c(out, "\n");
        if (e->summary.len && e->detail.len)
            lc_buf_printf(out, "    %.*s\n", LC_FMT(e->detail));
    }
}

/* All that was learned, for --verbose. */
static void add_all_learned(lc_buf *out, lc_arena *arena, const lc_learned *learned)
{
    for (size_t i = 0; i < lc_learned_count(learned); i++) {
        lc_buf_add_c(out, "learned: ");
        add_seen(out, arena, lc_learned_get(learned, i));
        lc_buf_add_char(out, '\n');
    }
}

/* Objects that do not change are listed in one line, without --verbose. */
static bool is_quiet(const predictor *p, const lc_run_change *c)
{
    return c->possible == LC_PLAN_BIT(LC_PLAN_NOOP) && !c->moved && !c->importing &&
           !p->c.cli->options.style.verbose;
}

/* What destroys something comes first, and what stays as it is last; what is certain before what
 * is possible. */
static unsigned rank_of(const lc_run_change *c)
{
    unsigned destroys =
        LC_PLAN_BIT(LC_PLAN_DELETE) | LC_PLAN_BIT(LC_PLAN_FORGET) | LC_PLAN_REPLACES;
    bool firm = lc_run_is_firm(c);
    if (LC_PLAN_BIT(c->action) & destroys)
        return firm ? 0 : 1;
    if (c->action == LC_PLAN_NOOP)
        return firm ? 5 : 4;
    return c->action == LC_PLAN_UPDATE ? 2 : 3;
}

#define MOST_QUIET 12 /* that are named in the line */

static void add_quiet(const predictor *p, lc_buf *out, const lc_prediction *prediction)
{
    size_t count = 0;
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        if (!is_quiet(p, c) || count++ >= MOST_QUIET)
            continue;
        lc_buf_printf(out, "%s%.*s", count == 1 ? "    unchanged: " : ", ",
                      LC_FMT(object_text(p->arena, c)));
    }
    if (count > MOST_QUIET)
        lc_buf_printf(out, " and %zu more (-v)", count - MOST_QUIET);
    lc_buf_add_c(out, count ? "\n" : "");
}

static void add_table(const predictor *p, lc_buf *out, const lc_plan_evidence *facts)
{
    lc_arena *arena = p->arena;
    const lc_prediction *prediction = facts->shown;
    for (unsigned rank = 0; rank <= 5; rank++) {
        for (size_t i = 0; i < prediction->changes.count; i++) {
            const lc_run_change *c = &prediction->changes.items[i];
            if (!is_quiet(p, c) && rank_of(c) == rank)
                add_change(out, arena, prediction, c);
        }
    }
    add_quiet(p, out, prediction);
    add_rest(out, prediction);
    if (prediction->hides_keys)
        lc_buf_add_c(out,
                     "keys that come from files, or from sensitive outputs of other states, are "
                     "not shown: --show-file-values shows them\n");
    lc_buf_printf(out, "%.*s\n", LC_FMT(lc_prediction_plan_words(arena, prediction)));
    lc_buf_printf(out, "%s: %.*s\n", prediction->taken ? "plan" : "prediction",
                  LC_FMT(lc_prediction_words(arena, prediction)));
    lc_buf_printf(out, "for %.*s\n",
                  LC_FMT(lc_client_version_words(arena, prediction->profile, &prediction->client)));
    lc_add_asked(out, prediction);
    if (facts->run && !facts->plan && !facts->state && prediction->changes.count)
        lc_buf_add_c(out, "no state was read: every object is new (--prior-state "
                          "terraform.tfstate?)\n");
    if (!facts->run)
        lc_buf_add_c(out, "reasons come from the plan only; add --config DIR to see lifecycle "
                          "settings, locals and source lines\n");
}

/* ---- */

static bool is_text(const predictor *p)
{
    return p->c.options[0].format == LC_FORMAT_TEXT;
}

static void predict(predictor *p)
{
    lc_outcome outcome = {.opened = true};
    const lc_plan_evidence *facts = NULL;
    lc_diags_init(&p->diags, p->arena);
    lc_scenario *scenario = lc_prediction_case(&facts, p->arena, &p->c.checker.store, &p->files,
                                               &p->options, &p->diags);
    lc_item item = {.file = p->files.plan.len ? p->files.plan : p->files.config};
    if (scenario) {
        lc_buf *out = &p->c.outputs[0].bytes;
        if (facts->shown && is_text(p)) {
            size_t from = out->len;
            add_table(p, out, facts);
            p->c.options[0].predicted = true;
            if (p->files.learned && p->c.cli->options.verbose)
                add_all_learned(out, p->arena, p->files.learned);
            lc_clean_text(out, from);
            lc_buf_add_c(out, "\n");
        }
        if (facts->shown && p->learned)
            lc_learned_from_prediction(p->learned, facts->shown);
        lc_check_case(&outcome, &p->c.checker, scenario);
        lc_report_unknown_addresses(p->arena, facts, item.file, &p->diags);
        if (facts->run)
            lc_report_undeclared_values(p->arena, facts->run->config, &p->diags);
    }
    lc_outcome_diags(&outcome, &p->c.checker, &p->diags);
    lc_take_outcome(&p->c, &item, &outcome);
    lc_outcome_release(&outcome);
}

/* ---- What providers answered. */

/* Judges what was asked about an object. Only cases with findings are reported, since the
 * prediction is what was asked for. */
static void judge_answers(void *context, const lc_case *subject)
{
    predictor *p = context;
    lc_arena *arena = lc_arena_new();
    lc_expectation *expects = LC_NEW(arena, lc_expectation);
    lc_scenario first = {.subject = *subject, .expects = expects}, again = first;
    lc_outcome trial = {.opened = true};
    lc_check_case(&trial, &p->c.checker, &first);
    bool found = trial.summary.open_errors || trial.summary.open_warnings;
    lc_outcome_release(&trial);
    if (found)
        lc_check_case(&p->answers, &p->c.checker, &again);
    lc_arena_free(arena);
}

/* ---- The command. */

static void read_mode(predictor *p)
{
    unsigned mode = p->c.cli->options.mode;
    p->options.has_mode = mode != LC_UNSET;
    if (p->options.has_mode || !p->files.plan.len)
        p->options.mode = (lc_plan_mode)(LC_PLAN_NORMAL + (p->options.has_mode ? mode : 0));
}

static bool read_addresses(predictor *p, lc_option option, const lc_str **out, size_t *count)
{
    const lc_words *words = &p->c.cli->values[option];
    lc_address address;
    lc_str why;
    size_t at;
    *out = words->items;
    *count = words->count;
    for (size_t i = 0; i < words->count; i++) {
        if (lc_address_parse(&address, p->arena, words->items[i], &why, &at))
            continue;
        lc_message("%.*s takes an address, not \"%.*s\": %.*s",
                   LC_FMT(lc_cli_option_name(p->c.cli, option)), LC_FMT(words->items[i]),
                   LC_FMT(why));
        return false;
    }
    return true;
}

static bool read_clauses(predictor *p, lc_option option, lc_policy_clauses *out)
{
    const lc_words *words = &p->c.cli->values[option];
    lc_str why;
    for (size_t i = 0; i < words->count; i++) {
        if (lc_policy_clause_add(out, p->arena, words->items[i], option != LC_OPTION_REQUIRE_FIRM,
                                 &why))
            continue;
        lc_message("%.*s takes a policy, not %.*s", LC_FMT(lc_cli_option_name(p->c.cli, option)),
                   LC_FMT(why));
        return false;
    }
    return true;
}

static bool read_policy(predictor *p)
{
    lc_action_policy *policy = LC_NEW(p->arena, lc_action_policy);
    p->files.policy = policy;
    return read_clauses(p, LC_OPTION_FORBID, &policy->forbid) &&
           read_clauses(p, LC_OPTION_ALLOW, &policy->allow) &&
           read_clauses(p, LC_OPTION_REQUIRE_FIRM, &policy->firm);
}

static bool read_options(predictor *p)
{
    const lc_cli *cli = p->c.cli;
    lc_plan_options *o = &p->options;
    if (!read_addresses(p, LC_OPTION_REPLACE, &o->replace, &o->replace_count) ||
        !read_addresses(p, LC_OPTION_TARGET, &o->target, &o->target_count) ||
        !read_addresses(p, LC_OPTION_EXCLUDE, &o->exclude, &o->exclude_count))
        return false;
    o->has_replace = o->replace_count > 0;
    o->has_target = o->target_count > 0 || o->exclude_count > 0;
    o->refresh = cli->options.no_refresh ? LC_NO : LC_YES;
    p->files.profile_given = lc_cli_has(cli, LC_OPTION_AS);
    p->files.profile = (lc_profile)cli->options.profile;
    p->files.client_version = cli->options.as_version;
    p->files.workspace = cli->options.workspace;
    p->files.fresh_data = cli->options.fresh_data;
    p->files.trust_state = cli->options.trust_state;
    p->files.trust_learned = cli->options.trust_learned;
    p->files.schemas = lc_cli_capture(cli);
    read_mode(p);
    p->files.variables = lc_cli_variables(cli);
    p->files.access = lc_cli_access(cli);
    p->files.open_variables = cli->options.open_variables;
    return true;
}

/* Does a report show the prediction, in addition to the table? */
static bool is_shown(const predictor *p)
{
    for (size_t i = 0; i < p->c.count; i++) {
        lc_format f = p->c.options[i].format;
        if (f == LC_FORMAT_JSON || f == LC_FORMAT_JSONL || f == LC_FORMAT_HTML ||
            f == LC_FORMAT_MARKDOWN)
            return true;
    }
    return false;
}

/* Options about a configuration, with a plan alone. */
static bool has_idle_options(const lc_cli *cli)
{
    static const lc_option options[] = {LC_OPTION_VAR,
                                        LC_OPTION_VAR_FILE,
                                        LC_OPTION_VAR_ENVIRONMENT,
                                        LC_OPTION_OPEN_VARIABLES,
                                        LC_OPTION_MODULE_ROOT,
                                        LC_OPTION_PRIVATE_FILES};
    return lc_cli_refuse_idle(cli, options, sizeof options / sizeof *options,
                              "a plan has its own values; --config FOLDER names a configuration");
}

/* The plan, configuration and states that the command line names. */
static bool read_files(predictor *p)
{
    const lc_cli *cli = p->c.cli;
    p->files.config = cli->options.config;
    p->files.state = cli->options.prior_state;
    p->files.next_state = cli->options.new_state;
    p->files.plan = cli->words.count ? cli->words.items[0] : LC_STR_EMPTY;
    if (!p->files.config.len && p->files.plan.len && lc_is_folder(p->arena, p->files.plan)) {
        p->files.config = p->files.plan; /* a folder is a configuration */
        p->files.plan = LC_STR_EMPTY;
    }
    if (cli->words.count > 1 || (!cli->words.count && !p->files.config.len)) {
        lc_message("predict takes a plan, --config FOLDER with the *.tf files, or both; a plan "
                   "is the output of `terraform show -json plan.out`");
        return false;
    }
    return p->files.config.len || !has_idle_options(cli);
}

lc_exit lc_cmd_predict(const lc_cli *cli)
{
    predictor *p = LC_NEW(cli->arena, predictor);
    p->c.cli = cli;
    p->arena = cli->arena;
    if (!read_files(p) || !read_options(p) || !read_policy(p))
        return LC_EXIT_USAGE;
    p->c.policy = cli->options.policy;
    p->c.checker.limits = cli->options.limits;
    p->files.limits = p->c.checker.limits;
    p->c.tables = true;
    lc_exit status = lc_open_reports(&p->c);
    if (status != LC_EXIT_OK)
        return status;
    p->files.unwritten = !is_shown(p);
    lc_schema_store_init(&p->c.checker.store, p->arena, p->c.checker.limits);
    status = lc_learn(&p->learned, cli, &p->c.checker);
    p->files.learned = p->learned;
    if (status != LC_EXIT_OK)
        return status;
    p->providers = lc_predict_providers_open(cli, p->files.config, &status);
    if (status != LC_EXIT_OK)
        return status;
    p->files.ask = p->providers ? lc_predict_providers_ask : NULL;
    p->files.ask_context = p->providers;
    p->answers.opened = true;
    if (p->providers)
        lc_predict_providers_judge(p->providers, judge_answers, p);
    predict(p);
    lc_predict_providers_end(p->providers);
    if (p->answers.summary.cases)
        lc_take_outcome(&p->c, &(lc_item){.file = p->files.config}, &p->answers);
    lc_outcome_release(&p->answers);
    lc_exit written = lc_learned_write(cli, p->learned);
    status = lc_finish_reports(&p->c);
    return written == LC_EXIT_OK ? status : written;
}
