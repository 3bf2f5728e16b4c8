/* lifecheck probe: a whole provider is asked for plans of configurations made from its schema. */
#include "lifecheck/probe/probe.h"
#include "cli/checking.h"
#include "cli/commands/probe/probe_pages.h"
#include "cli/provider_process.h"
#include "cli/scenario_file.h"
#include "cli/seeds.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FOLDER "/probe"
#define PEERS  2

typedef struct process {
    struct probe *probe;
    lc_provider_process of;
} process;

typedef struct probe {
    const lc_cli *cli;
    lc_cli reporting; /* the same, with the reports that the checker writes */
    lc_arena *arena;
    lc_checking c;
    lc_outcome outcome;
    lc_provider_options provider_options;
    process processes[PEERS];
    lc_probe_options options;
    lc_str folder;
    bool unwritten; /* a scenario could not be written; reported */
} probe;

/* ---- Processes. */

static void report_event(void *context, lc_live_weight weight, lc_str text, lc_str log)
{
    const probe *p = context;
    (void)log; /* may hold secrets; --provider-log has it */
    if (weight != LC_LIVE_NOTE || !p->cli->options.quiet)
        lc_message("%.*s", LC_FMT(text));
}

static bool start(process *one)
{
    probe *p = one->probe;
    lc_session_options options = lc_provider_session_options(&p->provider_options);
    options.emptied = true;
    options.context = p;
    options.on_event = report_event;
    return lc_provider_process_start(&one->of, &options);
}

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    process *one = context;
    lc_meter_tick(one->probe->c.checker.meter);
    lc_provider_process_ask(&one->of, out, arena, questions, count);
}

static bool restart(void *context, int peer)
{
    probe *p = context;
    lc_provider_process_end(&p->processes[peer].of);
    return start(&p->processes[peer]);
}

static lc_str last_words(void *context, lc_arena *arena, int peer)
{
    const probe *p = context;
    return lc_provider_process_last_words(&p->processes[peer].of, arena);
}

/* ---- Scenarios of what fails. */

/* One that cannot be written is reported once. */
static void write_scenario(probe *p, lc_str file, lc_str text)
{
    if (!p->unwritten)
        p->unwritten = !lc_write_scenario(p->arena, p->folder, file, text);
}

/* Findings that do not fail are only counted, since the same ones occur for very many types. */
static void be_quiet(probe *p, bool quiet)
{
    for (size_t i = 0; i < p->c.count; i++) {
        if (p->c.options[i].format == LC_FORMAT_TEXT)
            p->c.options[i].quiet = quiet || p->cli->options.quiet;
    }
}

static void judged(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                   lc_scenario *scenario, lc_str text)
{
    probe *p = context;
    lc_item item = {type->name, LC_STR_EMPTY, LC_STR_EMPTY, LC_STR_EMPTY, false};
    if (finding && finding->file.len)
        write_scenario(p, finding->file, text);
    be_quiet(p, !finding && !p->cli->options.verbose);
    lc_check_case(&p->outcome, &p->c.checker, scenario);
    be_quiet(p, p->cli->options.quiet);
    lc_take_outcome(&p->c, &item, &p->outcome);
    lc_outcome_clear(&p->outcome);
}

static void type_done(void *context, const lc_probe_type *type)
{
    const probe *p = context;
    (void)type;
    if (p->c.checker.meter)
        p->c.checker.meter->done++;
}

static void report_line(void *context, lc_str text)
{
    const probe *p = context;
    lc_meter_wipe(p->c.checker.meter);
    lc_message("%.*s", LC_FMT(text));
}

/* ---- Options. */

static bool file_exists(const probe *p, lc_str path)
{
    return access(lc_str_to_c(p->arena, path), F_OK) == 0;
}

static bool read_provider(probe *p)
{
    lc_live_provider *provider = &p->provider_options.provider;
    lc_provider_options_read(&p->provider_options, p->cli);
    if (provider->address.len == 0)
        provider->address = lc_file_name(p->provider_options.where);
    if (provider->dial.len || file_exists(p, provider->binary))
        return true;
    lc_message("%.*s: %s", LC_FMT(provider->binary), strerror(errno));
    return false;
}

static void split_types(probe *p)
{
    lc_words words = {0};
    lc_split_words(&words, p->arena, p->cli->options.type);
    p->options.types = words.items;
    p->options.type_count = words.count;
}

static bool read_laws(probe *p)
{
    const lc_words *given = &p->cli->options.law;
    lc_words globs = {0};
    lc_str bad;
    for (size_t i = 0; i < given->count; i++)
        lc_split_words(&globs, p->arena, given->items[i]);
    if (lc_laws_select(p->options.laws, globs.items, globs.count, p->cli->options.strict, &bad))
        return true;
    lc_str ids[LC_LAW_COUNT];
    for (lc_law law = 0; law < LC_LAW_COUNT; law++)
        ids[law] = lc_law_get(law)->id;
    lc_str near = lc_str_nearest(bad, ids, LC_LAW_COUNT);
    lc_message("no law is called \"%.*s\"%s%.*s%s; lifecheck-probe(1) lists them", LC_FMT(bad),
               near.len ? "; did you mean \"" : "", LC_FMT(near), near.len ? "\"?" : "");
    return false;
}

/* As in the scenarios' line that asks again, with all on which the answers depend. Variables are
 * named without their values, which may be secrets. */
static lc_str own_command(const probe *p)
{
    const lc_options *o = &p->cli->options;
    lc_buf out = {0};
    lc_buf_add_c(&out, "lifecheck probe --provider ");
    lc_add_shell_word(&out, o->provider.items[0]);
    for (size_t i = 0; i < o->env.count; i++) {
        lc_str variable = o->env.items[i];
        lc_buf_add_c(&out, " --env ");
        lc_add_shell_word(&out, lc_str_sub(variable, 0, lc_str_find(variable, 0, '=')));
    }
    if (o->provider_config.len) {
        lc_buf_add_c(&out, " --provider-config ");
        lc_add_shell_word(&out, o->provider_config);
    }
    if (lc_cli_has(p->cli, LC_OPTION_AS))
        lc_buf_printf(&out, " --as %s", lc_profile_name(o->policy.as));
    if (o->offline)
        lc_buf_add_c(&out, " --offline");
    if (lc_cli_has(p->cli, LC_OPTION_TIMEOUT))
        lc_buf_printf(&out, " --timeout %llu", (unsigned long long)o->timeout);
    return lc_buf_take(p->arena, &out);
}

static void set_options(probe *p)
{
    const lc_options *o = &p->cli->options;
    lc_probe_options *out = &p->options;
    out->as = lc_cli_client(p->cli);
    out->policy = &o->policy; /* a baseline counts once, when a case is reported */
    out->limits = o->limits;
    out->provider = p->provider_options.provider.address;
    out->version = p->provider_options.provider.version;
    out->provider_config = lc_provider_options_settings(&p->provider_options);
    out->provider_config_source = &p->provider_options.settings;
    out->command = own_command(p);
    out->folder = p->folder;
    out->seed = o->seed;
    out->budget_ms = (int64_t)o->budget * 1000;
    out->most_calls = o->calls;
    out->timeout_ms = (int64_t)o->timeout * 1000;
    out->offline = o->offline;
    out->hooks = (lc_probe_hooks){p,
                                  lc_provider_process_now,
                                  restart,
                                  last_words,
                                  lc_provider_process_stopped,
                                  judged,
                                  type_done,
                                  report_line};
    split_types(p);
}

/* ---- Seeds: what failed before, then what the user names. */

static void add_seeds(probe *p, const lc_seeds *seeds, bool kept)
{
    size_t count = p->options.seed_count;
    lc_probe_seed *all = LC_NEW_ARRAY(p->arena, lc_probe_seed, count + seeds->list.count + 1);
    if (count)
        memcpy(all, p->options.seeds, count * sizeof *all);
    for (size_t i = 0; i < seeds->list.count; i++) {
        all[count] = seeds->list.items[i];
        all[count++].kept = kept;
    }
    p->options.seeds = all;
    p->options.seed_count = count;
}

static bool read_seeds(probe *p, const lc_prober *prober)
{
    lc_cli kept = *p->cli;
    lc_seeds seeds;
    kept.options.config = p->folder;
    kept.options.state = (lc_words){0};
    kept.options.quiet = true;
    if (file_exists(p, p->folder) && lc_seeds_read(&seeds, p->arena, &kept, prober))
        add_seeds(p, &seeds, true);
    if (!lc_seeds_read(&seeds, p->arena, p->cli, prober))
        return false;
    add_seeds(p, &seeds, false);
    if (seeds.unfit)
        lc_message("%zu given object%s not fit the provider's schema, the first: %.*s", seeds.unfit,
                   seeds.unfit == 1 ? " does" : "s do", LC_FMT(seeds.why_unfit));
    return true;
}

/* ---- Reports. */

static bool is_page(unsigned format)
{
    return format == LC_FORMAT_MARKDOWN || format == LC_FORMAT_HTML;
}

/* Pages are about the provider as a whole; all other formats are those of `check`. */
static lc_exit open_reports(probe *p)
{
    p->reporting = *p->cli;
    p->reporting.options.wanted_count = 0;
    for (size_t i = 0; i < p->cli->options.wanted_count; i++) {
        const lc_wanted *wanted = &p->cli->options.wanted[i];
        if (!is_page(wanted->format))
            p->reporting.options.wanted[p->reporting.options.wanted_count++] = *wanted;
    }
    return lc_begin_checking(&p->c, &p->reporting);
}

static lc_exit write_pages(probe *p, const lc_probe_result *result)
{
    lc_exit status = LC_EXIT_OK;
    for (size_t i = 0; i < p->cli->options.wanted_count; i++) {
        const lc_wanted *wanted = &p->cli->options.wanted[i];
        lc_sheet sheet = {0};
        lc_buf out = {0};
        if (!is_page(wanted->format))
            continue;
        lc_probe_sheet(&sheet, p->arena, result);
        if (wanted->format == LC_FORMAT_HTML)
            lc_sheet_html(&out, &sheet, p->cli->options.rules_url);
        else
            lc_sheet_markdown(&out, &sheet, 0);
        lc_exit written = lc_write_wanted(p->cli, wanted, lc_buf_str(&out));
        status = written == LC_EXIT_OK ? status : written;
        lc_buf_release(&out);
    }
    return status;
}

/* The part of each report that is about the provider as a whole. */
static void add_result(probe *p, const lc_probe_result *result)
{
    lc_buf json = {0};
    lc_probe_add_json(&json, result);
    lc_str member = lc_buf_take(p->arena, &json);
    for (size_t i = 0; i < p->c.count; i++) {
        lc_buf *out = &p->c.outputs[i].bytes;
        size_t from = out->len;
        p->c.options[i].probe = member;
        if (p->c.options[i].format != LC_FORMAT_TEXT)
            continue;
        lc_probe_add_text(out, result, p->cli->options.verbose);
        lc_clean_text(out, from);
    }
}

static bool nothing_tried(const lc_probe_result *result)
{
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        if (lc_probe_tried(result, law))
            return false;
    }
    return true;
}

static lc_exit finish(probe *p, lc_probe_result *result)
{
    add_result(p, result);
    bool empty = nothing_tried(result);
    /* Types of which everything that was found is excused are no cases. */
    p->c.policy.allow_empty |= !empty;
    lc_exit status = lc_finish_reports(&p->c);
    lc_exit pages = write_pages(p, result);
    lc_exit kept = lc_baseline_close(p->c.policy.baseline, p->cli, p->c.summary.errors == 0);
    if (status != LC_EXIT_OK && status != LC_EXIT_FAILED)
        return status;
    if (pages != LC_EXIT_OK || kept != LC_EXIT_OK || p->unwritten)
        return pages != LC_EXIT_OK ? pages : kept != LC_EXIT_OK ? kept : LC_EXIT_INTERNAL;
    if (empty && !p->cli->options.policy.allow_empty) {
        lc_message("nothing could be tried");
        return LC_EXIT_INPUT;
    }
    return status;
}

/* ---- The command. */

static int64_t own_time(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return ((int64_t)usage.ru_utime.tv_sec + (int64_t)usage.ru_stime.tv_sec) * 1000000 +
           (int64_t)usage.ru_utime.tv_usec + (int64_t)usage.ru_stime.tv_usec;
}

static lc_exit run(probe *p)
{
    lc_diags diags;
    lc_diags_init(&diags, p->arena);
    p->options.peer =
        (lc_peer){&p->processes[0], lc_session_protocol(p->processes[0].of.session), ask, NULL};
    if (p->processes[1].of.session)
        p->options.other =
            (lc_peer){&p->processes[1], lc_session_protocol(p->processes[1].of.session), ask, NULL};
    lc_prober *prober = lc_prober_open(p->arena, &p->options, &diags);
    lc_report_diags(&diags);
    lc_str glob, near;
    if (prober && !p->cli->options.policy.allow_empty &&
        lc_prober_misses(prober, p->arena, &glob, &near)) {
        lc_message("no type matches '%.*s'%s%.*s%s", LC_FMT(glob),
                   near.len ? "; did you mean " : "", LC_FMT(near), near.len ? "?" : "");
        return LC_EXIT_USAGE;
    }
    if (!prober || !read_seeds(p, prober))
        return LC_EXIT_INPUT;
    lc_exit status = open_reports(p);
    if (status != LC_EXIT_OK)
        return status;
    lc_probe_result *result = LC_NEW(p->arena, lc_probe_result);
    p->c.checker.meter = lc_cli_meter(&p->c.meter, p->cli, lc_prober_type_count(prober), "type");
    *result = *lc_prober_run(prober);
    lc_meter_wipe(p->c.checker.meter);
    result->own_us = own_time();
    return finish(p, result);
}

static bool needs_second(const probe *p)
{
    const bool *laws = p->options.laws;
    return p->provider_options.provider.dial.len == 0 &&
           (laws[LC_LAW_15] || laws[LC_LAW_17] || laws[LC_LAW_20] || laws[LC_LAW_42]);
}

static lc_exit probe_provider(probe *p)
{
    lc_exit status = LC_EXIT_INPUT;
    for (int i = 0; i < PEERS; i++)
        p->processes[i] = (process){p, {.cli = p->cli, .word = p->cli->options.provider.items[0]}};
    if (!lc_provider_options_open_log(&p->provider_options))
        return LC_EXIT_INTERNAL;
    if (start(&p->processes[0]) && (!needs_second(p) || start(&p->processes[1])))
        status = run(p);
    for (int i = 0; i < PEERS; i++)
        lc_provider_process_end(&p->processes[i].of);
    lc_provider_options_close(&p->provider_options);
    if (p->c.checker.store_arena)
        lc_arena_free(p->c.checker.store_arena);
    lc_outcome_release(&p->outcome);
    int signal = lc_session_stopped();
    bool alone = status == LC_EXIT_OK || status == LC_EXIT_INPUT;
    return signal && alone ? (lc_exit)(128 + signal) : status;
}

lc_exit lc_cmd_probe(const lc_cli *cli)
{
    probe *p = LC_NEW(cli->arena, probe);
    const lc_options *o = &cli->options;
    p->cli = cli;
    p->arena = cli->arena;
    p->folder = o->output.len ? o->output : LC_STR(".lifecheck" FOLDER);
    if (!lc_live_available()) {
        lc_message("this lifecheck was built without libnghttp2, which probe needs: install "
                   "libnghttp2-dev and build it again");
        return LC_EXIT_USAGE;
    }
    if (cli->words.count || o->provider.count != 1) {
        lc_message("probe takes one provider: lifecheck probe --provider ./terraform-provider-x");
        return LC_EXIT_USAGE;
    }
    if (!read_laws(p) || !read_provider(p))
        return LC_EXIT_USAGE;
    if (!lc_provider_options_read_settings(&p->provider_options))
        return LC_EXIT_INPUT;
    set_options(p);
    return probe_provider(p);
}
