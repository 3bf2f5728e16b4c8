/* lifecheck verify: is a claim of `probe --claim` true? It is about this binary and these rules, it
 * has not expired, and the same run has the same result. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/live/alone.h"
#include "lifecheck/live/live.h"
#include "lifecheck/yaml_json/document.h"
#include "lifecheck/yaml_json/node.h"

#include <stdlib.h>

#define MOST_SHOWN 10 /* findings that only one side has */

typedef struct verify {
    const lc_cli *cli;
    lc_arena *arena;
    lc_source claim, again;
    lc_buf out;
    lc_str folder; /* for what the run writes */
} verify;

static const lc_node *root_of(const lc_source *source)
{
    return source->count == 1 && source->documents->kind == LC_NODE_MAPPING ? source->documents
                                                                            : NULL;
}

static bool is_claim(const lc_node *root)
{
    const lc_node *result = root ? lc_node_get(root, "result") : NULL;
    const lc_node *run = root ? lc_node_get(root, "run") : NULL;
    return root && lc_node_get(root, "lifecheck_claim") && result && run &&
           result->kind == LC_NODE_MAPPING && run->kind == LC_NODE_MAPPING;
}

/* The two members that everything else here reads are known to be mappings afterwards. */
static bool read_claim(verify *v, lc_source *out, lc_str file)
{
    const lc_limits *limits = &v->cli->options.limits;
    lc_str text;
    lc_diags diags;
    lc_diags_init(&diags, v->arena);
    if (lc_file_read(&text, v->arena, file, limits->input_bytes, &diags) != LC_OK)
        return lc_report_diags(&diags);
    bool json = lc_begins_like_json(text);
    if (!json || (lc_json_parse(out, v->arena, file, text, limits, &diags) == LC_OK &&
                  !is_claim(root_of(out))))
        lc_diag_error(&diags, (lc_loc){file, 1, 1},
                      "this is not a claim: lifecheck probe --claim FILE writes one");
    return lc_report_diags(&diags);
}

/* ---- What can be said without asking. */

static void no(verify *v, const char *what, lc_str claimed, lc_str is)
{
    lc_buf_printf(&v->out, "not true: %s: claimed %.*s, is %.*s\n", what, LC_FMT(claimed),
                  LC_FMT(is));
}

/* Cheap checks first; a claim that fails one of them is not asked about. Dates compare as strings:
 * YYYY-MM-DD. */
static bool is_about_it(verify *v, lc_str binary, lc_str today)
{
    const lc_node *root = root_of(&v->claim);
    char hash[65] = "";
    lc_live_hash_file(hash, lc_str_to_c(v->arena, binary));
    lc_str claimed = lc_node_text(root, "binary_sha256"), until = lc_node_text(root, "expires");
    if (!lc_str_is(claimed, hash))
        no(v, "the binary's SHA-256", claimed, lc_str_from_c(hash));
    if (!lc_str_is(lc_node_text(root, "rules"), LC_RULES_VERSION))
        no(v, "the version of the rules", lc_node_text(root, "rules"), LC_STR(LC_RULES_VERSION));
    if (!lc_str_is(lc_node_text(root, "lifecheck"), LC_VERSION))
        no(v, "the version of lifecheck", lc_node_text(root, "lifecheck"), LC_STR(LC_VERSION));
    if (lc_str_cmp(until, today) < 0)
        no(v, "it has expired", until, today);
    return v->out.len == 0;
}

/* ---- The same run again. */

static lc_str number_of(verify *v, const lc_node *run, const char *key)
{
    const lc_node *at = lc_node_get(run, key);
    bool good = at && at->kind == LC_NODE_NUMBER;
    return good ? lc_str_copy(v->arena, at->as.text) : LC_STR("0");
}

static bool is_set(const lc_node *run, const char *key)
{
    const lc_node *at = lc_node_get(run, key);
    return at && at->kind == LC_NODE_BOOL && at->boolean;
}

static void add(verify *v, char **argv, int *argc, lc_str word)
{
    argv[(*argc)++] = lc_str_to_c(v->arena, word);
}

static void add_option(verify *v, char **argv, int *argc, const char *option, lc_str value)
{
    add(v, argv, argc, lc_str_from_c(option));
    add(v, argv, argc, value);
}

/* The command line of the claimed run, read by the same parser: what a run is made of is in the
 * claim, what it needs to run (settings, variables, the number of processes) comes from the user.
 */
static bool fill(verify *v, lc_cli *probe, lc_str binary, lc_str file)
{
    const lc_node *run = lc_node_get(root_of(&v->claim), "run");
    const lc_options *o = &v->cli->options;
    static const char *const always[] = {"lifecheck", "probe", "--quiet", "--force",
                                         "--no-settings"};
    char *argv[256] = {0};
    int argc = 0;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        add(v, argv, &argc, lc_str_from_c(always[i]));
    add_option(v, argv, &argc, "--provider",
               lc_str_printf(v->arena, "%.*s=%.*s",
                             LC_FMT(lc_node_text(root_of(&v->claim), "provider")), LC_FMT(binary)));
    add_option(v, argv, &argc, "--claim", file);
    add_option(v, argv, &argc, "-o", lc_str_printf(v->arena, "%.*s/found", LC_FMT(v->folder)));
    add_option(v, argv, &argc, "--seed", number_of(v, run, "seed"));
    add_option(v, argv, &argc, "--calls", number_of(v, run, "calls"));
    add_option(v, argv, &argc, "--jobs",
               lc_str_printf(v->arena, "%llu", (unsigned long long)(o->jobs ? o->jobs : 1)));
    if (!lc_str_is(number_of(v, run, "timeout"), "0"))
        add_option(v, argv, &argc, "--timeout", number_of(v, run, "timeout"));
    if (is_set(run, "offline"))
        add(v, argv, &argc, LC_STR("--offline"));
    if (lc_node_text(run, "as").len)
        add_option(v, argv, &argc, "--as", lc_node_text(run, "as"));
    if (o->provider_config.len)
        add_option(v, argv, &argc, "--provider-config", o->provider_config);
    for (size_t i = 0; i < o->env.count && argc < 250; i++)
        add_option(v, argv, &argc, "--env", o->env.items[i]);
    if (!lc_cli_parse(probe, v->arena, argc, argv, getenv) || !lc_config_read(probe) ||
        !lc_options_read(probe))
        return false;
    probe->options.wanted_count = 0; /* the claim is all that is needed */
    return true;
}

static bool has(const lc_node *list, lc_str item, lc_arena *arena)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (lc_str_eq(lc_node_json(arena, &list->as.items[i]), item))
            return true;
    }
    return false;
}

static void compare_lists(verify *v, const lc_node *claimed, const lc_node *found, const char *what)
{
    size_t shown = 0;
    for (uint32_t i = 0; claimed->kind == LC_NODE_SEQUENCE && i < claimed->count; i++) {
        lc_str item = lc_node_json(v->arena, &claimed->as.items[i]);
        if (!has(found, item, v->arena) && shown++ < MOST_SHOWN)
            lc_buf_printf(&v->out, "  claimed, not %s: %.*s\n", what, LC_FMT(item));
    }
    for (uint32_t i = 0; claimed->kind == LC_NODE_SEQUENCE && i < found->count; i++) {
        lc_str item = lc_node_json(v->arena, &found->as.items[i]);
        if (!has(claimed, item, v->arena) && shown++ < MOST_SHOWN)
            lc_buf_printf(&v->out, "  %s, not claimed: %.*s\n", what, LC_FMT(item));
    }
}

/* Members are compared as JSON, those of lists one by one, so that the difference is short. */
static void compare(verify *v)
{
    const lc_node *claimed = lc_node_get(root_of(&v->claim), "result");
    const lc_node *found = lc_node_get(root_of(&v->again), "result");
    for (uint32_t i = 0; i < found->count; i++) {
        const lc_member *member = &found->as.members[i];
        const char *key = lc_str_to_c(v->arena, member->key);
        const lc_node *was = lc_node_get(claimed, key);
        lc_str is = lc_node_json(v->arena, &member->value);
        lc_str said = was ? lc_node_json(v->arena, was) : LC_STR("nothing");
        if (lc_str_eq(is, said))
            continue;
        if (was && member->value.kind == LC_NODE_SEQUENCE) {
            lc_buf_printf(&v->out, "not true: %s\n", key);
            compare_lists(v, was, &member->value, "found");
        } else {
            no(v, key, said, is);
        }
    }
}

static lc_exit ask_again(verify *v, lc_str binary)
{
    lc_cli probe;
    lc_str file = lc_str_printf(v->arena, "%.*s/claim.json", LC_FMT(v->folder));
    if (!fill(v, &probe, binary, file))
        return LC_EXIT_INPUT;
    lc_exit status = lc_cmd_probe(&probe);
    if (status != LC_EXIT_OK && status != LC_EXIT_FAILED)
        return status;
    if (!read_claim(v, &v->again, file))
        return LC_EXIT_INPUT;
    compare(v);
    return LC_EXIT_OK;
}

static lc_exit finish(verify *v)
{
    const lc_node *root = root_of(&v->claim), *result = lc_node_get(root, "result");
    lc_str version = lc_node_text(root, "version"); /* of the name of the binary, so it may be "" */
    bool good = v->out.len == 0;
    if (good)
        lc_buf_printf(&v->out, "true: %.*s%s%.*s %s, %.*s of %.*s types configured, until %.*s\n",
                      LC_FMT(lc_node_text(root, "provider")), version.len ? " " : "",
                      LC_FMT(version),
                      is_set(result, "conforms") ? "conforms" : "has the findings that are claimed",
                      LC_FMT(number_of(v, result, "configured")),
                      LC_FMT(number_of(v, result, "types")), LC_FMT(lc_node_text(root, "expires")));
    lc_clean_text(&v->out, 0);
    lc_exit printed = lc_print(v->cli, LC_IN_TEXT, &v->out);
    return printed != LC_EXIT_OK ? printed : good ? LC_EXIT_OK : LC_EXIT_FAILED;
}

lc_exit lc_cmd_verify(const lc_cli *cli)
{
    verify v = {.cli = cli, .arena = cli->arena};
    int lock = -1;
    lc_date today;
    lc_str why = LC_STR_EMPTY;
    if (cli->words.count != 2) {
        lc_message("verify takes a claim and a binary: lifecheck verify claim.json "
                   "./terraform-provider-x");
        return LC_EXIT_USAGE;
    }
    if (!lc_cli_today(&today, cli))
        return LC_EXIT_USAGE;
    if (!read_claim(&v, &v.claim, cli->words.items[0]))
        return LC_EXIT_INPUT;
    if (is_about_it(&v, cli->words.items[1], lc_date_text(v.arena, today))) {
        v.folder = lc_alone_folder(v.arena, &lock, &why);
        if (!v.folder.len) {
            lc_message("no folder can be made: %.*s", LC_FMT(why));
            return LC_EXIT_INTERNAL;
        }
        lc_exit status = ask_again(&v, cli->words.items[1]);
        lc_alone_folder_remove(v.arena, v.folder, lock);
        if (status != LC_EXIT_OK) {
            lc_buf_release(&v.out);
            return status;
        }
    }
    return finish(&v);
}
