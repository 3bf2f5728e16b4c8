/* The providers that --old and --new name: both are started without a network and asked for
 * schemas; if there is one of each version, the newer one is asked what it makes of objects and
 * configurations of the older one. Nothing is applied but with --apply. */
#include "cli/checking.h"
#include "cli/commands/gate/gate.h"
#include "cli/provider_process.h"
#include "cli/scenario_file.h"
#include "cli/seeds.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/drive/answers.h"

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
    lc_outcome outcome;
    lc_probe_result result;
    uint64_t shard[2]; /* I and N; 0 and 0: all types */
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
    lc_meter_tick(s->all->checker ? s->all->checker->meter : NULL);
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

/* ---- Findings. */

static void judged(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                   lc_scenario *scenario, lc_str text)
{
    lc_gate_binaries *b = ((side *)context)->all;
    (void)type;
    if (finding && finding->file.len &&
        !lc_write_scenario(b->arena, b->folder, finding->file, text))
        b->failed = true;
    lc_check_case(&b->outcome, b->checker, scenario);
    lc_outcome_clear(&b->outcome);
}

static void type_done(void *context, const lc_probe_type *type)
{
    const side *s = context;
    (void)type;
    if (s->all->checker->meter)
        s->all->checker->meter->done++;
}

static void report_line(void *context, lc_str text)
{
    const side *s = context;
    lc_meter_wipe(s->all->checker->meter);
    lc_message("%.*s", LC_FMT(text));
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
                                  .type = type_done,
                                  .on_event = report_line};
    out->shard_index = b->shard[0];
    out->shard_of = b->shard[1];
    lc_split_words(&types, b->arena, o->type);
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
        lc_message("%.*s cannot be asked for its schema", LC_FMT(s->word));
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
    if (!lc_cli_shard(b->shard, cli) || !find_binaries(b))
        return false;
    if (b->shard[1] && (!b->sides[0].word.len || !b->sides[1].word.len)) {
        lc_message("--shard is about types of two binaries: give both --old and --new one");
        return false;
    }
    bool any = b->sides[0].word.len || b->sides[1].word.len;
    if (cli->options.apply && !(b->sides[0].word.len && b->sides[1].word.len)) {
        lc_message("--apply needs a binary of the provider in --old and another in --new");
        return false;
    }
    if (any && !lc_live_available()) {
        lc_message("this lifecheck was built without libnghttp2, which binaries need: install "
                   "libnghttp2-dev and build it again");
        return false;
    }
    *status = LC_EXIT_INPUT;
    for (size_t i = 0; i < 2; i++) {
        if (b->sides[i].word.len && !open_side(b, &b->sides[i])) {
            lc_gate_binaries_close(b);
            return false;
        }
    }
    return true;
}

/* ---- Evidence. */

static const lc_schema_kind kinds[] = {LC_KIND_RESOURCE, LC_KIND_DATA, LC_KIND_EPHEMERAL,
                                       LC_KIND_LIST, LC_KIND_ACTION};

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

static bool read_seeds(lc_gate_binaries *b)
{
    lc_seeds *seeds = LC_NEW(b->arena, lc_seeds);
    if (!lc_seeds_read(seeds, b->arena, b->cli, b->sides[0].prober))
        return false;
    if (seeds->unfit)
        lc_message("%zu given object%s not fit the schema of the old version, the first: %.*s",
                   seeds->unfit, seeds->unfit == 1 ? " does" : "s do", LC_FMT(seeds->why_unfit));
    if (seeds->of_version)
        lc_message("%zu given object%s another schema version than the old version: not asked",
                   seeds->of_version, seeds->of_version == 1 ? " has" : "s have");
    if (seeds->foreign)
        lc_message("%zu given object%s of types that the old version does not have", seeds->foreign,
                   seeds->foreign == 1 ? " is" : "s are");
    b->sides[0].options.seeds = seeds->list.items;
    b->sides[0].options.seed_count = seeds->list.count;
    return true;
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
    checker->meter =
        lc_cli_meter(&b->meter, b->cli, lc_prober_type_count(b->sides[0].prober), "type");
    b->result = *lc_prober_compare(b->sides[0].prober, b->sides[1].prober, &b->control);
    b->compared = true;
    lc_meter_wipe(checker->meter);
    checker->meter = NULL;
    lc_outcome_release(&b->outcome);
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

/* ---- What was not asked. */

typedef struct gap {
    lc_str why;
    uint64_t count; /* of trials */
    size_t types;
    lc_str first;
} gap;
typedef LC_VEC(gap) gaps;

static void add_gap(gaps *out, lc_arena *arena, lc_str type, lc_str why, uint64_t count)
{
    size_t i = 0;
    while (i < out->count && !lc_str_eq(out->items[i].why, why))
        i++;
    if (i == out->count)
        *LC_PUSH(arena, out, gap) = (gap){why, 0, 0, type};
    out->items[i].count += count;
    out->items[i].types++;
}

static void find_gaps(gaps *out, const lc_gate *g)
{
    const lc_probe_result *r = g->compared;
    for (size_t i = 0; r && i < r->types.count; i++) {
        const lc_probe_type *type = &r->types.items[i];
        for (size_t k = 0; k < type->gaps.count; k++)
            add_gap(out, g->arena, type->name, type->gaps.items[k].why, type->gaps.items[k].count);
        if (type->gaps.count == 0 && type->laws[LC_LAW_39].trials == 0)
            add_gap(out, g->arena, type->name, type->laws[LC_LAW_39].why, 1);
    }
}

void lc_gate_list_gaps(lc_gate_lines *out, const lc_gate *g)
{
    gaps all = {0};
    find_gaps(&all, g);
    for (size_t i = 0; i < all.count; i++) {
        const gap *one = &all.items[i];
        *LC_PUSH(g->arena, out, lc_str) = lc_str_printf(
            g->arena, "%.*s: %llu time%s, of %zu type%s (%.*s%s)", LC_FMT(one->why),
            (unsigned long long)one->count, one->count == 1 ? "" : "s", one->types,
            one->types == 1 ? "" : "s", LC_FMT(one->first), one->types > 1 ? ", ..." : "");
    }
}

void lc_gate_add_gaps_text(lc_buf *out, const lc_gate *g)
{
    const lc_probe_result *r = g->compared;
    uint64_t trials = 0;
    lc_gate_lines lines = {0};
    if (!r)
        return;
    for (size_t i = 0; i < r->types.count; i++)
        trials += r->types.items[i].laws[LC_LAW_39].trials;
    lc_buf_printf(out,
                  "\nboth versions were asked: %llu times about %zu type%s and function%s, with "
                  "%llu calls in %.1f s\n",
                  (unsigned long long)trials, r->types.count, r->types.count == 1 ? "" : "s",
                  r->types.count == 1 ? "" : "s", (unsigned long long)r->calls,
                  (double)r->took_ms / 1000);
    if (r->not_configured.len)
        lc_buf_printf(out, "  the old version could not be configured: %.*s\n",
                      LC_FMT(r->not_configured));
    lc_gate_list_gaps(&lines, g);
    lc_buf_add_c(out, "what was not asked\n");
    for (size_t i = 0; i < lines.count; i++)
        lc_buf_printf(out, "  %.*s\n", LC_FMT(lines.items[i]));
    if (lines.count == 0)
        lc_buf_add_c(out, "  nothing\n");
}

void lc_gate_add_gaps_json(lc_doc *doc, const lc_gate *g)
{
    const lc_probe_result *r = g->compared;
    if (!r)
        return;
    lc_doc *asked = lc_doc_add_object(doc, "asked");
    lc_doc_add_uint(asked, "calls", r->calls);
    lc_doc_add_uint(asked, "milliseconds", (uint64_t)r->took_ms);
    lc_doc_add_uint(asked, "died", r->died);
    lc_doc_add_uint(asked, "hung", r->hung);
    lc_doc *types = lc_doc_add_array(asked, "types");
    for (size_t i = 0; i < r->types.count; i++) {
        const lc_probe_type *type = &r->types.items[i];
        lc_doc *entry = lc_doc_add_object(types, NULL);
        lc_doc_add_str(entry, "type", type->name);
        lc_doc_add_uint(entry, "trials", type->laws[LC_LAW_39].trials);
        lc_doc_add_uint(entry, "configurations", type->configurations);
        lc_doc_add_uint(entry, "calls", type->calls);
        lc_doc *not_asked = lc_doc_add_array(entry, "not_asked");
        for (size_t k = 0; k < type->gaps.count; k++) {
            lc_doc *why = lc_doc_add_object(not_asked, NULL);
            lc_doc_add_str(why, "why", type->gaps.items[k].why);
            lc_doc_add_uint(why, "count", type->gaps.items[k].count);
        }
    }
}
