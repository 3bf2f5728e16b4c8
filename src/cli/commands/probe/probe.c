/* lifecheck probe: a whole provider is asked for plans of configurations made from its schema. */
#include "cli/commands/probe/probe.h"
#include "cli/seeds.h"
#include "lifecheck/base/arena.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/probe"

typedef lc_probe probe;

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
    lc_split_words(&words, p->arena, &p->cli->options.type);
    p->options.types = words.items;
    p->options.type_count = words.count;
}

/* A claim is about all laws, whatever else is selected. */
static bool read_laws(probe *p)
{
    lc_words globs = {0};
    lc_str bad;
    if (p->cli->options.claim.len)
        *LC_PUSH(p->arena, &globs, lc_str) = LC_STR("*");
    lc_split_words(&globs, p->arena, &p->cli->options.law);
    if (lc_laws_select(p->options.laws, globs.items, globs.count, p->cli->options.strict, &bad))
        return true;
    lc_str ids[LC_LAW_COUNT];
    for (lc_law law = 0; law < LC_LAW_COUNT; law++)
        ids[law] = lc_law_get(law)->id;
    lc_str near = lc_str_nearest(bad, ids, LC_LAW_COUNT);
    lc_message("no law is called \"%.*s\"%s%.*s%s; lifecheck-probe(1) lists them", LC_FMT(bad),
               LC_FMT_NEAR(near));
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

/* A step of a path from its end, from 0. */
static lc_str step_of(lc_str path, unsigned back)
{
    size_t end = path.len;
    for (;; back--) {
        size_t from = end;
        while (from && path.ptr[from - 1] != '/')
            from--;
        if (back == 0)
            return lc_str_sub(path, from, end);
        if (from == 0)
            return LC_STR_EMPTY;
        end = from - 1;
    }
}

/* The name, source and version of the provider for configurations: of its address, of a folder laid
 * out as that of `init` (NAMESPACE/NAME/VERSION/SYSTEM/FILE), or of its file's name. */
static void name_provider(probe *p)
{
    const lc_live_provider *provider = &p->provider_options.provider;
    lc_probe_options *out = &p->options;
    lc_str path = provider->binary, file = lc_provider_file_type(path);
    bool installed = file.len && lc_str_eq(step_of(path, 3), file);
    bool addressed = lc_str_find(provider->address, 0, '/') < provider->address.len;
    out->name = addressed ? step_of(provider->address, 0) : file.len ? file : LC_STR("example");
    if (addressed)
        out->source = provider->address;
    else
        out->source = lc_str_printf(p->arena, "%.*s/%.*s",
                                    LC_FMT(installed ? step_of(path, 4) : LC_STR("hashicorp")),
                                    LC_FMT(out->name));
    if (lc_str_starts_with(out->source, LC_STR("registry.terraform.io/")))
        out->source = lc_str_sub(out->source, 22, out->source.len);
    lc_str version = lc_provider_file_version(path);
    out->release = provider->version.len ? provider->version
                   : version.len         ? version
                   : installed           ? step_of(path, 2)
                                         : LC_STR_EMPTY;
}

/* Does no value come from the user, the environment or a service? Then none is a secret, and one
 * in a sensitive attribute is worth showing. */
static bool is_generated(const probe *p)
{
    const lc_options *o = &p->cli->options;
    return o->offline && !p->provider_options.provider.dial.len && !o->provider_config.len &&
           o->env.count == 0 && o->config.len == 0 && o->state.count == 0;
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
    name_provider(p);
    out->folder = p->folder;
    out->seed = o->seed;
    out->budget_ms = o->claim.len ? 0 : (int64_t)o->budget * 1000;
    out->most_calls = o->calls;
    out->timeout_ms = (int64_t)o->timeout * 1000;
    out->offline = o->offline;
    out->generated = is_generated(p);
    out->shard_index = p->c.shard.index;
    out->shard_of = p->c.shard.of;
    lc_probe_set_hooks(p);
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

/* Scenarios of an earlier run are seeds too, and come first: what failed before is asked again. */
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

/* ---- Targets. */

static bool failed_before(const probe *p, const lc_probe_target *target, lc_arena *arena)
{
    for (size_t i = 0; i < p->options.seed_count; i++) {
        const lc_probe_seed *seed = &p->options.seeds[i];
        if (seed->kept && lc_str_eq(lc_kind_and_type(arena, seed->kind, seed->type), target->name))
            return true;
    }
    return false;
}

static bool find_targets(probe *p)
{
    p->target_count = lc_prober_targets(p->prober, &p->targets, p->arena);
    if (!lc_probe_leave_unchanged(p))
        return false;
    lc_arena *scratch = lc_arena_new();
    p->parts = lc_arena_zalloc(p->arena, lc_mul_size(p->target_count + 1, sizeof *p->parts));
    p->lost = lc_arena_zalloc(p->arena, lc_mul_size(p->target_count + 1, sizeof *p->lost));
    p->ranks = lc_arena_zalloc(p->arena, lc_mul_size(p->target_count + 1, sizeof *p->ranks));
    for (size_t i = 0; i < p->target_count; i++) {
        const lc_probe_target *target = &p->targets[i];
        p->ranks[i] = (lc_probe_rank){
            .target = i,
            .function = target->function != NULL,
            .own = !target->function && target->kind == LC_KIND_PROVIDER,
            .failing = failed_before(p, target, scratch),
        };
        lc_arena_reset(scratch);
    }
    lc_arena_free(scratch);
    return true;
}

/* ---- The end. */

static bool nothing_tried(const lc_probe_result *result)
{
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        if (lc_probe_tried(result, law))
            return false;
    }
    return true;
}

/* Of a part no baseline is made: it would lack what was not asked. */
static lc_exit keep_baseline(const probe *p)
{
    lc_str file = p->cli->options.write_baseline;
    if (!p->c.partial)
        return lc_baseline_close(p->c.policy.baseline, p->cli, p->c.summary.errors == 0);
    if (file.len)
        lc_message("%.*s is not written: not all laws were tried", LC_FMT(file));
    return LC_EXIT_OK;
}

/* Everything is written, even after a failure; the worst status wins. */
static lc_exit finish(probe *p)
{
    lc_probe_result *result = p->result;
    lc_probe_add_result(&p->c, p->arena, result);
    bool empty = nothing_tried(result);
    /* Types of which everything that was found is tolerated are not cases. */
    p->c.policy.allow_empty |= !empty || p->unchanged;
    lc_exit status = lc_finish_reports(&p->c);
    lc_exit pages = lc_probe_write_pages(p->cli, p->arena, result);
    lc_exit kept = keep_baseline(p);
    if (!lc_probe_write_costs(p->cli, p->arena, result) || !lc_probe_write_claim(p) ||
        lc_learned_write(p->cli, p->learned) != LC_EXIT_OK)
        kept = LC_EXIT_INTERNAL;
    if (status != LC_EXIT_OK && status != LC_EXIT_FAILED)
        return status;
    if (pages != LC_EXIT_OK || kept != LC_EXIT_OK || p->unwritten)
        return pages != LC_EXIT_OK ? pages : kept != LC_EXIT_OK ? kept : LC_EXIT_INTERNAL;
    if (empty && !p->c.sharded && !p->unchanged && !p->cli->options.policy.allow_empty) {
        lc_message("nothing could be tried");
        return LC_EXIT_INPUT;
    }
    return status;
}

/* ---- The command. */

static lc_str why_stopped(const probe *p)
{
    if (lc_session_stopped())
        return LC_STR("interrupted");
    return p->deadline && lc_milliseconds() >= p->deadline
               ? LC_STR("the total budget ran out")
               : LC_STR("the provider could not be started again");
}

static lc_exit ask_all(probe *p)
{
    int64_t began = lc_milliseconds();
    p->result = LC_NEW(p->arena, lc_probe_result);
    *p->result = *lc_prober_result(p->prober);
    if (!p->cli->options.quiet)
        p->c.checker.meter = lc_meter_start_long(&p->c.meter, p->to_ask, "type");
    bool began_well = lc_probe_ask_all(p);
    lc_meter_wipe(p->c.checker.meter);
    p->result->took_ms = lc_milliseconds() - began;
    lc_probe_take_parts(p, true);
    if (p->result->left_out)
        p->result->stopped = why_stopped(p);
    p->c.partial |= p->result->left_out > 0;
    lc_exit status = finish(p);
    if (p->result->left_out && p->checkpoint.len && !p->cli->options.quiet)
        lc_message("%zu of %zu types were not tested; --resume continues with %.*s",
                   p->result->left_out, p->target_count, LC_FMT(p->checkpoint));
    /* A run that is killed before its reports are there is not complete. */
    bool reported = status == LC_EXIT_OK || status == LC_EXIT_FAILED;
    if (!lc_probe_close_checkpoint(p, reported && p->result->left_out == 0))
        status = LC_EXIT_INTERNAL;
    return began_well || status == LC_EXIT_INTERNAL ? status : LC_EXIT_INPUT;
}

/* The order matters: schemas (one process), seeds and targets (none), then workers. */
static lc_exit run(probe *p)
{
    lc_diags diags;
    lc_diags_init(&diags, p->arena);
    p->prober = lc_prober_open(p->arena, &p->options, &diags);
    lc_report_diags(&diags);
    lc_str glob, near;
    if (p->prober && !p->cli->options.policy.allow_empty &&
        lc_prober_misses(p->prober, p->arena, &glob, &near)) {
        lc_message("no type matches '%.*s'%s%.*s%s", LC_FMT(glob),
                   near.len ? "; did you mean " : "", LC_FMT(near), near.len ? "?" : "");
        return LC_EXIT_USAGE;
    }
    if (!p->prober || !read_seeds(p, p->prober))
        return LC_EXIT_INPUT;
    lc_probe_end(p); /* the schemas are known; workers have processes of their own */
    lc_probe_leave_pages(&p->reporting, p->cli);
    lc_exit status = lc_begin_checking(&p->c, &p->reporting);
    if (status != LC_EXIT_OK)
        return status;
    if (!find_targets(p) || !lc_probe_open_checkpoint(p))
        return LC_EXIT_INPUT;
    lc_probe_find_order(p);
    return ask_all(p);
}

/* Of a run that is not complete, whatever was found until then: its report says that. */
static lc_exit status_of(const probe *p, lc_exit status)
{
    int signal = lc_session_stopped();
    if (status == LC_EXIT_USAGE || status == LC_EXIT_INTERNAL)
        return status;
    if (signal && (!p->result || p->result->left_out))
        return (lc_exit)(128 + signal);
    return p->result && p->result->left_out && p->deadline ? LC_EXIT_STOPPED : status;
}

static lc_exit probe_provider(probe *p)
{
    lc_exit status = LC_EXIT_INPUT;
    if (!lc_provider_options_open_log(&p->provider_options))
        return LC_EXIT_INTERNAL;
    if (lc_probe_start(p))
        status = run(p);
    lc_probe_end(p);
    lc_provider_options_close(&p->provider_options);
    if (p->c.checker.store_arena)
        lc_arena_free(p->c.checker.store_arena);
    return status_of(p, status);
}

lc_exit lc_cmd_probe(const lc_cli *cli)
{
    probe *p = LC_NEW(cli->arena, probe);
    const lc_options *o = &cli->options;
    p->cli = cli;
    p->arena = cli->arena;
    p->folder = o->output.len ? o->output : LC_STR(".lifecheck" FOLDER);
    p->checkpoint = o->checkpoint;
    p->checkpoint_fd = -1;
    if (o->resume && !p->checkpoint.len)
        p->checkpoint = lc_str_printf(p->arena, "%.*s.checkpoint", LC_FMT(p->folder));
    if (o->total_budget)
        p->deadline = lc_milliseconds() + (int64_t)o->total_budget * 1000;
    if (!lc_live_available()) {
        lc_message("this lifecheck was built without libnghttp2, which probe needs: install "
                   "libnghttp2-dev and build it again");
        return LC_EXIT_USAGE;
    }
    if (cli->words.count || o->provider.count != 1) {
        lc_message("probe takes one provider: lifecheck probe --provider ./terraform-provider-x");
        return LC_EXIT_USAGE;
    }
    if (o->learned.len)
        p->learned = lc_learned_new(p->arena);
    p->c.cli = cli;
    if (!lc_read_shard(&p->c) || !lc_leave_baseline_to_merge(&p->c) || !read_laws(p) ||
        !read_provider(p) ||
        !lc_part_jobs(&p->jobs, cli, p->provider_options.provider.dial.len > 0) ||
        (o->claim.len && !lc_probe_claims_all(p)))
        return LC_EXIT_USAGE;
    if (!lc_provider_options_read_settings(&p->provider_options))
        return LC_EXIT_INPUT;
    set_options(p);
    return probe_provider(p);
}
