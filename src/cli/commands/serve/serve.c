/* lifecheck serve: runs a client with providers that are made of schemas, and judges what both say.
 */
#include "lifecheck/serve/serve.h"
#include "cli/commands/serve/inputs.h"
#include "cli/commands/serve/required.h"
#include "cli/recorder.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/live/server.h"

/* Where the schema of a provider is. */
typedef struct document {
    lc_str address, file;
} document;

typedef struct serving {
    const lc_cli *cli;
    lc_diags diags;
    lc_schema_store store;
    lc_serve_objects *objects;
    lc_serve_stated *stated;
    lc_learned *learned;
    lc_serve_break *breaks;
    LC_VEC(lc_served *) served; /* one for each of `providers` */
    lc_live_providers providers;
    LC_VEC(document) documents;
} serving;

/* ---- Which providers. */

static const char *const registries[] = {"registry.terraform.io/", "registry.opentofu.org/"};

/* An address of either registry without its host. */
static lc_str without_registry(lc_str address)
{
    for (size_t i = 0; i < 2; i++) {
        lc_str registry = lc_str_from_c(registries[i]);
        if (lc_str_starts_with(address, registry))
            return lc_str_sub(address, registry.len, address.len);
    }
    return address;
}

/* The document that has its schema; "": it is not served. */
static lc_str document_of(const serving *s, lc_str address)
{
    for (size_t i = 0; i < s->documents.count; i++) {
        if (lc_live_is_address(without_registry(s->documents.items[i].address),
                               without_registry(address)))
            return s->documents.items[i].file;
    }
    return LC_STR_EMPTY;
}

static lc_served *find_served(const void *context, lc_str address)
{
    const serving *s = context;
    for (size_t i = 0; i < s->providers.list.count; i++) {
        if (lc_str_eq(s->providers.list.items[i].address, address))
            return s->served.items[i];
    }
    return NULL;
}

static void add_provider(serving *s, lc_served *served, lc_str address)
{
    *LC_PUSH(s->cli->arena, &s->served, lc_served *) = served;
    *LC_PUSH(s->cli->arena, &s->providers.list, lc_live_provider) =
        (lc_live_provider){.address = address,
                           .version = LC_STR_EMPTY,
                           .binary = LC_STR_EMPTY,
                           .from = LC_STR("lifecheck serve"),
                           .named = true,
                           .protocol = s->cli->options.protocol == 0 ? 5 : 6};
}

/* A short address is one of the registry of the client, whichever that is. */
static void add_registered(serving *s, lc_served *served, lc_str address)
{
    lc_arena *arena = s->cli->arena;
    lc_str rest = without_registry(address);
    size_t slash = lc_str_find(address, 0, '/');
    bool hosted = lc_str_find(address, slash + (slash < address.len), '/') < address.len;
    if (hosted && rest.len == address.len) {
        add_provider(s, served, address);
        return;
    }
    if (slash == address.len)
        rest = lc_str_printf(arena, "hashicorp/%.*s", LC_FMT(address));
    for (size_t i = 0; i < 2; i++)
        add_provider(s, served, lc_str_printf(arena, "%s%.*s", registries[i], LC_FMT(rest)));
}

typedef struct provider_list {
    lc_arena *arena;
    LC_VEC(lc_str) items;
} provider_list;

static void note_provider(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    provider_list *list = context;
    (void)kind, (void)type;
    if (!list->items.count || !lc_str_eq(list->items.items[list->items.count - 1], provider))
        *LC_PUSH(list->arena, &list->items, lc_str) = provider;
}

static void serve_provider(serving *s, lc_schema_doc *doc, lc_str file, lc_str within,
                           lc_str address)
{
    const lc_serve_options options = {.limits = s->cli->options.limits,
                                      .protocol = s->cli->options.protocol == 0 ? 5 : 6,
                                      .address = address,
                                      .doc = doc,
                                      .within = within,
                                      .objects = s->objects,
                                      .stated = s->stated,
                                      .learned = s->learned,
                                      .breaks = s->breaks,
                                      .break_count = s->cli->options.breaks.count};
    lc_str before = document_of(s, address);
    if (before.len) {
        lc_diag_error(&s->diags, (lc_loc){file, 0, 0},
                      "two documents have a schema of %.*s, %.*s is the other: leave one of them "
                      "out",
                      LC_FMT(address), LC_FMT(before));
        return;
    }
    *LC_PUSH(s->cli->arena, &s->documents, document) = (document){address, file};
    lc_served *served = lc_served_new(s->cli->arena, &options, &s->diags);
    if (served)
        add_registered(s, served, address);
}

/* Each provider of a document, or with an address the one that it has. */
static void serve_document(serving *s, lc_str file, lc_str address)
{
    provider_list list = {.arena = s->cli->arena};
    lc_schema_doc *doc = lc_schema_store_add(&s->store, file, &s->diags);
    if (!doc)
        return;
    lc_schema_doc_each(doc, note_provider, &list);
    if (list.items.count == 0)
        lc_diag_error(&s->diags, (lc_loc){file, 0, 0},
                      "it has the schemas of no provider: run `init` where the configuration "
                      "requires one, then `terraform providers schema -json`");
    if (address.len && list.items.count > 1) {
        lc_diag_error(&s->diags, (lc_loc){file, 0, 0},
                      "it has %zu providers: give it with --schema, without an address",
                      list.items.count);
        return;
    }
    for (size_t i = 0; i < list.items.count; i++)
        serve_provider(s, doc, file, list.items.items[i],
                       address.len ? address : list.items.items[i]);
}

static bool find_providers(serving *s)
{
    const lc_options *o = &s->cli->options;
    for (size_t i = 0; i < o->schema.count; i++)
        serve_document(s, o->schema.items[i], LC_STR_EMPTY);
    for (size_t i = 0; i < o->provider_schema.count; i++) {
        lc_str word = o->provider_schema.items[i];
        size_t at = lc_str_find(word, 0, '=');
        if (at == 0 || at + 1 >= word.len) {
            lc_message("--provider-schema takes ADDRESS=FILE, such as hashicorp/aws=aws.json");
            return false;
        }
        serve_document(s, lc_str_sub(word, at + 1, word.len), lc_str_sub(word, 0, at));
    }
    if (!o->schema.count && !o->provider_schema.count) {
        lc_message("serve needs the schemas of the providers to serve: --schema FILE, where FILE "
                   "is the output of `terraform providers schema -json`");
        return false;
    }
    return true;
}

/* ---- Violations on purpose. */

/* For people in a line, for programs in lines. */
static void add_breakable(lc_buf *out, const char *between)
{
    for (size_t i = 0; lc_serve_breakable(i); i++)
        lc_buf_printf(out, "%s%s", i ? between : "", lc_serve_breakable(i));
}

static lc_exit print_breakable(const lc_cli *cli)
{
    lc_buf list = {0};
    add_breakable(&list, "\n");
    lc_buf_add_char(&list, '\n');
    return lc_print(cli, LC_IN_TEXT, &list);
}

static bool wants_breakable(const lc_cli *cli)
{
    const lc_words *words = &cli->options.breaks;
    return words->count && lc_str_is(words->items[0], "help");
}

static void refuse_break(lc_str word)
{
    lc_rule rule;
    lc_serve_break anywhere;
    size_t at = lc_str_find(word, 0, '@');
    lc_str slug = lc_str_sub(word, 0, at);
    if (lc_serve_break_read(&anywhere, slug)) {
        lc_message("--break %.*s: %s; write --break %.*s or --break %.*s@TYPE", LC_FMT(word),
                   at + 1 < word.len && word.ptr[at + 1] != '.'
                       ? "this rule is violated by a whole response or schema, not at a path"
                       : "the type is missing",
                   LC_FMT(slug), LC_FMT(slug));
        return;
    }
    bool known = lc_rule_from_slug(&rule, slug);
    lc_str near = known ? LC_STR_EMPTY : lc_rule_nearest(slug);
    if (near.len) {
        lc_message("--break %.*s: there is no such rule; did you mean \"%.*s\"?", LC_FMT(word),
                   LC_FMT(near));
        return;
    }
    lc_buf list = {0};
    add_breakable(&list, ", ");
    lc_message("--break %.*s: %s; RULE[@TYPE[.PATH]] takes %.*s", LC_FMT(word),
               known ? "a served provider cannot violate this rule" : "there is no such rule",
               LC_FMT(lc_buf_str(&list)));
    lc_buf_release(&list);
}

static bool read_breaks(serving *s)
{
    const lc_words *words = &s->cli->options.breaks;
    s->breaks = LC_NEW_ARRAY(s->cli->arena, lc_serve_break, words->count + 1);
    for (size_t i = 0; i < words->count; i++) {
        lc_str word = words->items[i];
        if (lc_serve_break_read(&s->breaks[i], word))
            continue;
        refuse_break(word);
        return false;
    }
    return true;
}

/* ---- The process that answers. */

static void send_message(void *context, lc_str message)
{
    lc_server_answer *out = context;
    lc_server_add_message(&out->messages, message);
}

/* The text of a status lives until the next call. */
static void answer(void *context, lc_server_answer *out, const lc_server_request *request)
{
    serving *s = context;
    lc_arena *arena = lc_arena_new();
    lc_str text;
    const lc_serve_request call = {request->connection, request->path, request->messages,
                                   request->count};
    out->status = lc_served_answer(s->served.items[request->provider], arena, &call, send_message,
                                   out, &text);
    lc_buf_add_str(&out->status_text, text);
    lc_arena_free(arena);
}

/* A violation that was asked for and did not happen is reported. */
static void end(void *context, lc_buf *out)
{
    const serving *s = context;
    if (!s->cli->options.quiet)
        lc_serve_stated_add_words(out, s->stated);
    for (size_t i = 0; i < s->cli->options.breaks.count; i++) {
        if (!s->breaks[i].count)
            lc_buf_printf(out,
                          "--break %.*s: no call had a place for it, so nothing was violated\n",
                          LC_FMT(s->cli->options.breaks.items[i]));
    }
}

static void report_words(lc_str words)
{
    for (size_t at = 0; at < words.len; at = lc_str_find(words, at, '\n') + 1)
        lc_message("%.*s", LC_FMT(lc_str_sub(words, at, lc_str_find(words, at, '\n'))));
}

static lc_exit run(serving *s, const lc_live_search *search)
{
    const lc_server_hooks hooks = {s, answer, end};
    lc_exit status;
    lc_str why;
    lc_server *server =
        lc_server_start(s->cli->arena, &s->providers, &hooks, &s->cli->options.limits, &why);
    if (!server) {
        lc_message("%.*s", LC_FMT(why));
        return LC_EXIT_INTERNAL;
    }
    lc_recorder *r = lc_recorder_open_judging(s->cli, &status);
    if (r)
        status = lc_recorder_run(s->cli, r, search, &s->providers);
    report_words(lc_server_end(server, s->cli->arena, &why));
    if (why.len)
        lc_message("the process that serves %.*s: a bug in lifecheck", LC_FMT(why));
    return why.len ? LC_EXIT_INTERNAL : status;
}

static bool has_one_client(const lc_cli *cli, const lc_live_search *search)
{
    if ((search->command_count > 0) != cli->options.listen)
        return true;
    lc_message(cli->options.listen
                   ? "serve takes a command or --listen, not both"
                   : "serve takes the command to run after --: lifecheck serve --schema "
                     "schemas.json -- terraform plan; or --listen");
    return false;
}

lc_exit lc_cmd_serve(const lc_cli *cli)
{
    serving *s = LC_NEW(cli->arena, serving);
    lc_cli *own = LC_NEW(cli->arena, lc_cli);
    size_t inputs = cli->before_dashes < cli->words.count ? cli->before_dashes : cli->words.count;
    const lc_live_search search = {.command = cli->words.items + inputs,
                                   .command_count = cli->words.count - inputs};
    lc_str why;
    if (!lc_live_available()) {
        lc_message("this lifecheck was built without libnghttp2, which serve needs: install "
                   "libnghttp2-dev and build it again");
        return LC_EXIT_USAGE;
    }
    if (wants_breakable(cli))
        return print_breakable(cli);
    if (!has_one_client(cli, &search))
        return LC_EXIT_USAGE;
    *own = *cli;
    own->options.policy.allow_empty = true; /* `init` asks nothing */
    s->cli = own;
    lc_diags_init(&s->diags, cli->arena);
    lc_schema_store_init(&s->store, cli->arena, cli->options.limits);
    s->objects = lc_serve_objects_new(cli->arena, cli->options.state_dir);
    const lc_words words = {cli->words.items, inputs, inputs};
    lc_exit status = lc_serve_learn(&s->learned, cli);
    if (status == LC_EXIT_OK)
        status = lc_serve_read_inputs(&s->stated, own, &words);
    if (status != LC_EXIT_OK)
        return status;
    if (!read_breaks(s) || !find_providers(s))
        return LC_EXIT_USAGE;
    lc_serve_check_required(own, &search, find_served, s, &s->diags);
    if (!lc_report_diags(&s->diags))
        return LC_EXIT_INPUT;
    if (!lc_serve_objects_open(s->objects, &why)) {
        lc_message("--state-dir: %.*s", LC_FMT(why));
        return LC_EXIT_INPUT;
    }
    return run(s, &search);
}
