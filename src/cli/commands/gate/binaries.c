/* The providers that --old and --new name: both are started without a network and asked for
 * schemas; if there is one of each version, the newer one is asked what it makes of objects and
 * configurations of the older one. Nothing is applied but with --apply. */
#include "cli/checking.h"
#include "cli/commands/drive/undestroyed.h"
#include "cli/commands/gate/gate.h"
#include "cli/commands/probe/part.h"
#include "cli/provider_process.h"
#include "cli/seeds.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/drive/answers.h"
#include "lifecheck/offline_config/settings.h"
#include "lifecheck/runner/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct side {
    lc_gate_binaries *all;
    lc_str word; /* as the user gave it; "": the side has no binary */
    lc_cli cli;  /* with the binary as its provider */
    lc_provider_options asked;
    lc_provider_process process;
    lc_probe_options options;
    lc_prober *prober;
} side;

struct lc_gate_binaries {
    const lc_cli *cli;
    lc_arena *arena;
    side sides[3]; /* of the old version, the new one, and the old one once more if it is needed */
    lc_probe_control control;
    lc_str folder;
    lc_meter meter;
    lc_checker *checker;
    /* In a worker. */
    lc_part_writer part;
    size_t asked; /* types, by the processes that run */
    /* In this process. */
    const lc_probe_target *targets; /* in the order of reports */
    size_t target_count;
    size_t *order;  /* in which they are compared */
    lc_str *parts;  /* by target; ptr NULL: there is none */
    lc_shard whole; /* no shard: for records that can be joined */
    lc_probe_result result;
    unsigned jobs;
    uint64_t shard[2]; /* I and N; 0 and 0: all types */
    bool dialled;      /* one of them runs already */
    bool compared, failed;
};

/* ---- Which words. */

/* A program: an executable of this or another system, or a script that may be executed. */
static bool is_program(const char *path)
{
    static const char *const heads[] = {"\x7f"
                                        "ELF",
                                        "#!", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ"};
    char head[4] = {0};
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || access(path, X_OK) != 0)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; n == sizeof head && i < sizeof heads / sizeof *heads; i++) {
        if (memcmp(head, heads[i], strlen(heads[i])) == 0)
            return true;
    }
    return false;
}

static bool is_binary(lc_arena *arena, lc_str word)
{
    size_t at = lc_str_find(word, 0, '=');
    bool whole = access(lc_str_to_c(arena, word), F_OK) == 0;
    lc_str path = at < word.len && !whole ? lc_str_sub(word, at + 1, word.len) : word;
    return lc_str_starts_with(path, LC_STR("unix:")) || lc_str_starts_with(path, LC_STR("tcp:")) ||
           is_program(lc_str_to_c(arena, path));
}

/* ---- Processes. */

static void report_event(void *context, lc_live_weight weight, lc_str text, lc_str log)
{
    const side *s = context;
    (void)log; /* may hold secrets; --provider-log has it */
    if (weight != LC_LIVE_NOTE || s->cli.options.verbose)
        lc_message("%.*s", LC_FMT(text));
}

/* "hashicorp/aws" of terraform-provider-aws_v5.100.0_x5, by which its stand-in settings are found.
 */
static lc_str address_of(lc_arena *arena, const side *s)
{
    lc_str type = lc_provider_file_type(s->asked.where);
    if (s->asked.provider.address.len)
        return s->asked.provider.address;
    return type.len ? lc_str_printf(arena, "hashicorp/%.*s", LC_FMT(type))
                    : lc_file_name(s->asked.where);
}

static bool start(side *s)
{
    lc_words env = {0};
    lc_arena *scratch = lc_arena_new_small();
    lc_provider_environment(&env, &s->cli, scratch, s->options.provider);
    lc_session_options options = lc_provider_session_options(&s->asked);
    options.emptied = true;
    options.env = env.items;
    options.env_count = env.count;
    options.offline = options.refused = !s->cli.options.online;
    options.context = s;
    options.on_event = report_event;
    s->process.cli = &s->cli;
    s->process.word = s->word;
    bool good = lc_provider_process_start(&s->process, &options);
    lc_arena_free(scratch);
    return good;
}

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    side *s = context;
    lc_provider_process_ask(&s->process, out, arena, questions, count);
}

static bool restart(void *context, int peer)
{
    side *s = context;
    (void)peer;
    lc_provider_process_end(&s->process);
    return start(s);
}

static lc_str last_words(void *context, lc_arena *arena, int peer)
{
    const side *s = context;
    (void)peer;
    return lc_provider_process_last_words(&s->process, arena);
}

/* ---- In a worker: the part of one type. */

static void judged(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                   lc_scenario *scenario, lc_str text)
{
    lc_gate_binaries *b = ((side *)context)->all;
    (void)type;
    lc_part_add_case(&b->part, finding, scenario, text);
}

static void report_line(void *context, lc_str text)
{
    (void)context;
    lc_message("%.*s", LC_FMT(text));
}

static void not_destroyed(void *context, const lc_undestroyed_object *object)
{
    const side *s = context;
    lc_report_undestroyed(s->all->arena, s->options.provider, object);
}

/* The control is started when it is needed first. */
static bool begin(void *context)
{
    lc_gate_binaries *b = context;
    lc_report_options style = b->cli->options.style;
    style.policy = *b->checker->policy;
    style.shard = &b->whole;
    lc_part_begin(&b->part, b->checker, &style);
    for (size_t i = 0; i < 2; i++) {
        if (!start(&b->sides[i]))
            return false;
        lc_prober_begin(b->sides[i].prober);
    }
    return true;
}

static bool work(void *context, size_t task, lc_buf *out)
{
    lc_gate_binaries *b = context;
    lc_prober *older = b->sides[0].prober;
    if (b->asked == LC_PART_MOST_ASKED && !b->dialled) {
        for (size_t i = 0; i < 2; i++)
            lc_prober_restart(b->sides[i].prober);
        b->asked = 0;
    }
    b->asked++;
    const lc_probe_type *type = lc_prober_ask(older, &b->targets[task]);
    bool done = type && !lc_session_stopped();
    if (done)
        lc_part_write(&b->part, out, type, lc_prober_result(older)->not_configured);
    lc_part_clear(&b->part);
    return done;
}

static void end(void *context)
{
    lc_gate_binaries *b = context;
    lc_gate_binaries_close(b);
    lc_part_release(&b->part);
}

/* ---- Beginning. */

static lc_str own_command(const lc_gate_binaries *b)
{
    lc_buf out = {0};
    lc_buf_add_c(&out, "lifecheck gate --old ");
    lc_add_shell_word(&out, b->sides[0].word);
    lc_buf_add_c(&out, " --new ");
    lc_add_shell_word(&out, b->sides[1].word);
    return lc_buf_take(b->arena, &out);
}

static void set_options(lc_gate_binaries *b, side *s)
{
    const lc_options *o = &b->cli->options;
    lc_probe_options *out = &s->options;
    lc_words types = {0};
    out->as = lc_cli_client(b->cli);
    out->policy = &o->policy;
    out->limits = o->limits;
    out->version = s->asked.provider.version;
    out->provider_config = lc_provider_options_settings(&s->asked);
    out->provider_config_source = &s->asked.settings;
    out->command = own_command(b);
    out->folder = b->folder;
    out->laws[LC_LAW_39] = true;
    out->seed = o->seed;
    out->budget_ms = (int64_t)o->budget * 1000;
    out->most_calls = o->calls;
    out->timeout_ms = (int64_t)o->timeout * 1000;
    out->offline = !o->online;
    out->apply = o->apply;
    out->hooks = (lc_probe_hooks){.context = s,
                                  .clock = lc_provider_process_now,
                                  .restart = restart,
                                  .last_words = last_words,
                                  .stopped = lc_provider_process_stopped,
                                  .judged = judged,
                                  .on_event = report_line,
                                  .not_destroyed = not_destroyed};
    out->shard_index = b->shard[0];
    out->shard_of = b->shard[1];
    lc_split_words(&types, b->arena, &o->type);
    out->types = types.items;
    out->type_count = types.count;
}

/* What the provider is configured with where the user gave nothing. */
static void set_stand_in(lc_gate_binaries *b, side *s)
{
    const lc_schema *schema = lc_prober_schema(s->prober, LC_KIND_PROVIDER, LC_STR_EMPTY);
    lc_offline_settings settings;
    if (!schema || s->options.provider_config)
        return;
    lc_marked empty = {.value = lc_block_empty_value(b->arena, schema->block)};
    lc_settings_offline(&settings, b->arena, schema, s->options.provider, empty);
    s->options.stand_in = settings.value;
}

static bool open_side(lc_gate_binaries *b, side *s)
{
    lc_diags diags;
    lc_diags_init(&diags, b->arena);
    s->all = b;
    s->cli = *b->cli;
    s->cli.options.provider = (lc_words){.items = &s->word, .count = 1};
    lc_provider_options_read(&s->asked, &s->cli);
    s->options.provider = address_of(b->arena, s);
    if (!lc_provider_options_read_settings(&s->asked) || !start(s))
        return false;
    set_options(b, s);
    s->options.peer = (lc_peer){s, lc_session_protocol(s->process.session), ask, NULL};
    s->prober = lc_prober_open(b->arena, &s->options, &diags);
    if (!s->prober)
        lc_message("%.*s does not return its schema", LC_FMT(s->word));
    lc_report_diags(&diags);
    if (s->prober)
        set_stand_in(b, s);
    return s->prober != NULL;
}

/* A provider that runs already is not started once more. */
static lc_prober *open_control(void *context)
{
    lc_gate_binaries *b = context;
    side *s = &b->sides[2];
    s->word = b->sides[0].word;
    return b->sides[0].asked.provider.dial.len == 0 && open_side(b, s) ? s->prober : NULL;
}

/* Of each side at most one word is a provider. */
static bool find_binaries(lc_gate_binaries *b)
{
    const lc_words *words[] = {&b->cli->options.old, &b->cli->options.new};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < words[i]->count; k++) {
            if (!is_binary(b->arena, words[i]->items[k]))
                continue;
            if (b->sides[i].word.len) {
                lc_message("%s names two providers", i == 0 ? "--old" : "--new");
                return false;
            }
            b->sides[i].word = words[i]->items[k];
        }
    }
    return true;
}

/* False: an option needs another binary, or this build cannot ask any. */
static bool can_open(const lc_gate_binaries *b)
{
    const lc_cli *cli = b->cli;
    bool any = b->sides[0].word.len || b->sides[1].word.len;
    bool both = b->sides[0].word.len && b->sides[1].word.len;
    if (b->shard[1] && !both) {
        lc_message("--shard is about types of two binaries: give both --old and --new one");
        return false;
    }
    if (lc_cli_has(cli, LC_OPTION_JOBS) && !both) {
        lc_message("--jobs is about types of two binaries: give both --old and --new one");
        return false;
    }
    if (cli->options.apply && !both) {
        lc_message("--apply needs a binary of the provider in --old and another in --new");
        return false;
    }
    if (any && !lc_live_available()) {
        lc_message("this lifecheck was built without libnghttp2, which binaries need: install "
                   "libnghttp2-dev and build it again");
        return false;
    }
    return true;
}

/* Options that recordings and other inputs leave without work. */
static bool has_idle_options(const lc_gate_binaries *b)
{
    static const lc_option compared[] = {
        LC_OPTION_STATE,       LC_OPTION_CONFIG,          LC_OPTION_VAR,
        LC_OPTION_VAR_FILE,    LC_OPTION_VAR_ENVIRONMENT, LC_OPTION_TYPE,
        LC_OPTION_MODULE_ROOT, LC_OPTION_PRIVATE_FILES,   LC_OPTION_APPLY,
    };
    static const lc_option run[] = {LC_OPTION_PROVIDER_CONFIG, LC_OPTION_ENV, LC_OPTION_ONLINE,
                                    LC_OPTION_PROVIDER_LOG};
    size_t binaries = (b->sides[0].word.len > 0) + (b->sides[1].word.len > 0);
    bool idle =
        binaries < 2 && lc_cli_refuse_idle(b->cli, compared, sizeof compared / sizeof *compared,
                                           "it needs two binaries, in --old and in --new");
    if (binaries == 0)
        idle |= lc_cli_refuse_idle(b->cli, run, sizeof run / sizeof *run,
                                   "neither --old nor --new names a binary");
    return idle;
}

bool lc_gate_binaries_open(lc_gate_binaries **out, const lc_cli *cli, lc_exit *status)
{
    lc_gate_binaries *b = LC_NEW(cli->arena, lc_gate_binaries);
    b->cli = cli;
    b->arena = cli->arena;
    b->folder = cli->options.scenarios.len ? cli->options.scenarios : LC_STR(".lifecheck/gate");
    b->sides[0].word = b->sides[1].word = b->sides[2].word = LC_STR_EMPTY;
    b->sides[0].asked.log = b->sides[1].asked.log = b->sides[2].asked.log = -1;
    b->control = (lc_probe_control){open_control, b};
    *status = LC_EXIT_USAGE;
    *out = b;
    if (!lc_cli_shard(b->shard, cli) || !find_binaries(b) || !can_open(b) || has_idle_options(b))
        return false;
    *status = LC_EXIT_INPUT;
    for (size_t i = 0; i < 2; i++) {
        if (b->sides[i].word.len && !open_side(b, &b->sides[i])) {
            lc_gate_binaries_close(b);
            return false;
        }
        b->dialled |= b->sides[i].word.len && b->sides[i].asked.provider.dial.len;
    }
    *status = LC_EXIT_USAGE;
    if (lc_part_jobs(&b->jobs, cli, b->dialled))
        return true;
    lc_gate_binaries_close(b);
    return false;
}

/* ---- Evidence. */

static const lc_schema_kind kinds[] = {LC_KIND_RESOURCE, LC_KIND_DATA,   LC_KIND_EPHEMERAL,
                                       LC_KIND_LIST,     LC_KIND_ACTION, LC_KIND_STORE};

static void add_kind(lc_evidence_set *set, const side *s, lc_schema_kind kind)
{
    static const lc_str own = {"", 0};
    const lc_str *names = &own;
    size_t count =
        kind == LC_KIND_PROVIDER ? 1 : lc_prober_types(s->prober, kind, &names, set->arena);
    for (size_t i = 0; i < count; i++) {
        const lc_schema *schema = lc_prober_schema(s->prober, kind, names[i]);
        if (schema)
            lc_evidence_set_add_schema(set, schema);
    }
}

bool lc_gate_binaries_take(void *context, lc_evidence_set *set, lc_str word)
{
    const lc_gate_binaries *b = context;
    for (size_t i = 0; i < 2; i++) {
        const side *s = &b->sides[i];
        if (!s->prober || s->word.ptr != word.ptr)
            continue;
        add_kind(set, s, LC_KIND_PROVIDER);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            add_kind(set, s, kinds[k]);
        return true;
    }
    return false;
}

/* Two versions of a provider have some type in common. */
static bool is_same_provider(const lc_gate_binaries *b)
{
    size_t all = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const lc_str *names;
        size_t count = lc_prober_types(b->sides[0].prober, kinds[i], &names, b->arena);
        for (size_t k = 0; k < count; k++) {
            if (lc_prober_schema(b->sides[1].prober, kinds[i], names[k]))
                return true;
        }
        all += count;
    }
    return all == 0;
}

bool lc_gate_binaries_are_two(const lc_gate_binaries *b)
{
    return b->sides[0].prober && b->sides[1].prober && is_same_provider(b);
}

static bool are_comparable(lc_gate_binaries *b)
{
    const lc_probe_options *old = &b->sides[0].options, *new = &b->sides[1].options;
    lc_str glob, near;
    if (!is_same_provider(b)) {
        lc_message("%.*s and %.*s are different providers: they have no type in common",
                   LC_FMT(b->sides[0].word), LC_FMT(b->sides[1].word));
        return false;
    }
    if (old->peer.protocol != new->peer.protocol)
        lc_message("the old version speaks protocol %d, the new one %d", old->peer.protocol,
                   new->peer.protocol);
    if (lc_prober_misses(b->sides[0].prober, b->arena, &glob, &near)) {
        lc_message("no type of the old version matches '%.*s'%s%.*s%s", LC_FMT(glob),
                   near.len ? "; did you mean " : "", LC_FMT(near), near.len ? "?" : "");
        return false;
    }
    return true;
}

/* A user with a configuration upgrades the types in it; all others would take hours. */
static void select_types(lc_gate_binaries *b, lc_seeds *seeds)
{
    if (!seeds->of_configuration || b->cli->options.type.count || !seeds->types.count)
        return;
    *LC_PUSH(b->arena, &seeds->types, lc_str) = LC_STR("provider");
    *LC_PUSH(b->arena, &seeds->types, lc_str) = LC_STR("function.*");
    for (size_t i = 0; i < 2; i++) {
        b->sides[i].options.types = seeds->types.items;
        b->sides[i].options.type_count = seeds->types.count;
    }
    lc_message("only the types that %.*s uses are tested; --type '*' tests all",
               LC_FMT(b->cli->options.config));
}

static bool read_seeds(lc_gate_binaries *b)
{
    lc_seeds *seeds = LC_NEW(b->arena, lc_seeds);
    if (!lc_seeds_read(seeds, b->arena, b->cli, b->sides[0].prober))
        return false;
    if (seeds->unfit)
        lc_message("%zu given object%s not fit the schema of the old version, the first: %.*s",
                   seeds->unfit, seeds->unfit == 1 ? " does" : "s do", LC_FMT(seeds->why_unfit));
    if (seeds->of_version)
        lc_message("%zu given object%s another schema version than the old version: not tested",
                   seeds->of_version, seeds->of_version == 1 ? " has" : "s have");
    if (seeds->foreign)
        lc_message("%zu given object%s of types that the old version does not have", seeds->foreign,
                   seeds->foreign == 1 ? " is" : "s are");
    select_types(b, seeds);
    b->sides[0].options.seeds = seeds->list.items;
    b->sides[0].options.seed_count = seeds->list.count;
    return true;
}

/* ---- In this process. */

static bool take(void *context, size_t task, lc_str part)
{
    lc_gate_binaries *b = context;
    b->parts[task] = lc_str_copy(b->arena, part);
    if (b->checker->meter)
        b->checker->meter->done++;
    return true;
}

static void lost(void *context, size_t task)
{
    lc_gate_binaries *b = context;
    b->failed = true;
    lc_meter_wipe(b->checker->meter);
    lc_message("internal error while %.*s was compared", LC_FMT(b->targets[task].name));
}

static bool stopped(void *context)
{
    lc_gate_binaries *b = context;
    lc_meter_tick(b->checker->meter);
    return lc_session_stopped() != 0;
}

/* Functions are called before the provider is configured, and its own configuration comes last. */
static void find_targets(lc_gate_binaries *b)
{
    size_t k = 0;
    b->target_count = lc_prober_targets(b->sides[0].prober, &b->targets, b->arena);
    b->order = LC_NEW_ARRAY(b->arena, size_t, b->target_count + 1);
    b->parts = LC_NEW_ARRAY(b->arena, lc_str, b->target_count + 1);
    for (size_t i = 0; i < b->target_count; i++)
        b->parts[i] = (lc_str){0};
    for (int types = 0; types <= 1; types++) {
        for (size_t i = 0; i < b->target_count; i++) {
            if ((b->targets[i].function == NULL) == types)
                b->order[k++] = i;
        }
    }
}

static void take_part(lc_gate_binaries *b, lc_str text)
{
    lc_probe_part part;
    lc_judged judged;
    lc_checker *checker = b->checker;
    if (!lc_part_open(&part, b->arena, text, checker->policy, &checker->limits)) {
        b->failed = true;
        return;
    }
    if (b->result.not_configured.len == 0)
        b->result.not_configured = lc_str_copy(b->arena, part.not_configured);
    lc_probe_result_take(&b->result, b->arena, &part.type);
    bool written = lc_part_write_scenarios(&part, b->arena, b->folder);
    b->failed = b->failed || !written || part.type.undestroyed;
    for (size_t i = 0; i < lc_records_case_count(&part.records); i++) {
        lc_record_case(&judged, part.arena, &part.records, i);
        checker->observe(checker->observe_context, &judged);
    }
    lc_part_close(&part);
}

static void take_parts(lc_gate_binaries *b)
{
    for (size_t i = 0; i < b->target_count; i++) {
        if (b->parts[i].ptr)
            take_part(b, b->parts[i]);
        else
            b->result.left_out++;
    }
    if (b->result.left_out)
        b->result.stopped = lc_session_stopped()
                                ? LC_STR("interrupted")
                                : LC_STR("the provider could not be started again");
}

static void compare_all(lc_gate_binaries *b)
{
    int64_t began = lc_milliseconds();
    lc_prober_compare_with(b->sides[0].prober, b->sides[1].prober, &b->control);
    find_targets(b);
    lc_gate_binaries_close(b); /* the schemas are known; workers have processes of their own */
    b->result = *lc_prober_result(b->sides[0].prober);
    b->checker->meter = lc_cli_meter(&b->meter, b->cli, b->target_count, "type");
    lc_crew crew = {.context = b,
                    .jobs = b->jobs,
                    .order = b->order,
                    .count = b->target_count,
                    .begin = begin,
                    .work = work,
                    .end = end,
                    .take = take,
                    .lost = lost,
                    .stopped = stopped};
    if (!lc_crew_run(&crew))
        b->failed = true;
    lc_meter_wipe(b->checker->meter);
    b->checker->meter = NULL;
    b->result.took_ms = lc_milliseconds() - began;
    take_parts(b);
}

void lc_gate_binaries_compare(void *context, lc_evidence_set *set, lc_checker *checker)
{
    lc_gate_binaries *b = context;
    (void)set;
    if (!b->sides[0].prober || !b->sides[1].prober)
        return;
    if (!are_comparable(b) || !read_seeds(b)) {
        b->failed = true;
        return;
    }
    b->checker = checker;
    compare_all(b);
    b->compared = true;
    if (b->result.stopped.len) {
        lc_message("%zu type%s not compared: %.*s", b->result.left_out,
                   b->result.left_out == 1 ? " was" : "s were", LC_FMT(b->result.stopped));
        b->failed = true;
    }
}

const lc_probe_result *lc_gate_binaries_result(const lc_gate_binaries *b)
{
    return b->compared ? &b->result : NULL;
}

lc_str lc_gate_binaries_provider(const lc_gate_binaries *b, size_t at)
{
    const side *s = &b->sides[at];
    if (!s->prober || s->asked.provider.address.len)
        return s->word;
    return lc_str_printf(b->arena, "%.*s=%.*s", LC_FMT(s->options.provider), LC_FMT(s->word));
}

bool lc_gate_binaries_are_good(const lc_gate_binaries *b)
{
    return !b->failed;
}

void lc_gate_binaries_close(lc_gate_binaries *b)
{
    for (size_t i = 0; i < 3; i++)
        lc_provider_process_end(&b->sides[i].process);
}
