/* Provider sessions: one process for each provider configuration, configured once, and restarted
 * when it ends on its own. Answers are kept, since a prediction may ask twice. */
#include "drive/answers.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/offline_config/settings.h"
#include "lifecheck/scenario/scenario.h"

/* A provider that ends again and again is not started any more. */
#define MOST_DEATHS 10

/* ---- Names. */

/* The registries of both clients are left out. */
static lc_str short_address(lc_str address)
{
    static const char *const hosts[] = {"registry.terraform.io/", "registry.opentofu.org/"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        lc_str host = lc_str_from_c(hosts[i]);
        if (lc_str_starts_with(address, host))
            return lc_str_sub(address, host.len, address.len);
    }
    return address;
}

lc_str lc_query_name(const lc_query_session *s)
{
    return short_address(s->binary->address);
}

lc_str lc_query_words(const lc_query_session *s)
{
    lc_str name = lc_query_name(s);
    return s->binary->version.len ? lc_str_printf(s->owner->arena, "%.*s %.*s", LC_FMT(name),
                                                  LC_FMT(s->binary->version))
                                  : name;
}

/* ---- Calls, whose answers are kept. */

static lc_str key_of(lc_arena *arena, const lc_question *q)
{
    lc_buf key = {0};
    lc_buf_add_c(&key, q->method->name);
    lc_buf_add_str(&key, q->request); /* bytes, zeros among them */
    return lc_buf_take(arena, &key);
}

static lc_live_call keep(lc_arena *arena, const lc_live_call *call)
{
    lc_live_call out = *call;
    lc_str *responses = LC_NEW_ARRAY(arena, lc_str, call->response_count + 1);
    for (size_t i = 0; i < call->response_count; i++)
        responses[i] = lc_str_copy(arena, call->responses[i]);
    out.responses = responses;
    out.reached = lc_str_copy(arena, call->reached);
    out.requests = NULL;
    out.request_count = 0;
    return out;
}

static void ask_one(lc_query_session *s, lc_live_call *out, lc_arena *arena, const lc_question *q)
{
    lc_arena *own = s->owner->arena;
    lc_str key = key_of(arena, q);
    const lc_live_call *known = lc_table_get(&s->known, key);
    if (known) {
        *out = *known;
        return;
    }
    s->process.peer.ask(s->process.peer.context, out, arena, q, 1);
    s->report.calls++;
    if (out->status != 0)
        return;
    lc_live_call *kept = LC_NEW(own, lc_live_call);
    *kept = keep(own, out);
    lc_table_put(&s->known, lc_str_copy(own, key), kept);
}

/* One at a time, so that a host that is tried belongs to one call. */
static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    for (size_t i = 0; i < count; i++)
        ask_one(context, &out[i], arena, &questions[i]);
}

static void note_reached(void *context, const lc_live_call *call)
{
    lc_query_session *s = context;
    if (!s->reached.len && call->reached.len)
        s->reached = lc_str_copy(s->owner->arena, call->reached);
}

/* ---- Processes. */

static void end_session(lc_query_session *s)
{
    const lc_answers_options *o = &s->owner->options;
    if (s->running)
        o->end(o->context, &s->process);
    s->running = false;
    s->client = NULL;
}

/* The process of a binary that no configuration has taken yet, with what it has answered, or a new
 * one. False: report.why. */
static bool take_process(lc_query_session *s)
{
    lc_query_session *bare = &s->binary->bare;
    const lc_answers_options *o = &s->owner->options;
    if (s != bare && bare->running) {
        s->process = bare->process;
        s->known = bare->known;
        bare->running = false;
        lc_table_init(&bare->known, s->owner->arena);
        return true;
    }
    if (o->stopped(o->context)) {
        s->report.why = LC_STR("lifecheck was stopped before its provider responded");
        return false;
    }
    return o->begin(o->context, &s->process, s->binary->address, s->owner->arena, &s->report.why);
}

/* Begins the process, and asks it for its schemas unless they are known. */
static bool open_session(lc_query_session *s)
{
    lc_provider_answers *a = s->owner;
    lc_diags quiet;
    lc_diags_init(&quiet, a->arena);
    s->running = take_process(s);
    if (!s->running)
        return false;
    lc_client_options options = {
        .as = a->core,
        .version = LC_STR_EMPTY,
        .walk = LC_WALK_PLAN,
        .limits = a->options.limits,
        .peer = {s, s->process.peer.protocol, ask, s->process.peer.last_words},
        .timeout_ms = a->options.timeout_ms,
        .on_call = note_reached,
        .on_call_context = s};
    s->client = lc_client_open(a->arena, &options, &s->binary->schemas, &quiet);
    if (s->client)
        return true;
    s->report.why = LC_STR("its provider does not give its schemas");
    end_session(s);
    return false;
}

static void init_session(lc_query_session *s, lc_provider_answers *a, lc_query_binary *b,
                         const lc_run_settings *settings)
{
    *s = (lc_query_session){.owner = a, .binary = b, .settings = settings, .reached = LC_STR_EMPTY};
    lc_table_init(&s->known, a->arena);
    s->report = (lc_run_asked){.provider = b->address,
                               .version = b->version,
                               .name = settings ? settings->name : lc_file_name(b->address),
                               .online = a->options.online,
                               .why = b->why};
}

/* ---- Providers. */

static lc_query_binary *new_binary(lc_provider_answers *a, lc_str provider)
{
    lc_query_binary *b = LC_NEW(a->arena, lc_query_binary);
    b->address = lc_str_copy(a->arena, provider);
    b->version = b->why = LC_STR_EMPTY;
    b->exists =
        provider.len && a->options.has(a->options.context, b->address, &b->version, &b->why);
    lc_rpc_schemas_init(&b->schemas, a->arena, LC_STR("provider"), a->options.limits);
    lc_table_put(&a->binaries, b->address, b);
    init_session(&b->bare, a, b, NULL);
    if (!b->exists)
        return b;
    *LC_PUSH(a->arena, &a->used, lc_query_binary *) = b;
    if (!b->why.len && open_session(&b->bare))
        b->client = b->bare.client;
    else
        b->why = b->bare.report.why;
    return b;
}

static lc_query_binary *binary_of(lc_provider_answers *a, lc_str provider)
{
    lc_query_binary *b = lc_table_get(&a->binaries, provider);
    return b ? b : new_binary(a, provider);
}

const lc_schema *lc_query_schema(lc_provider_answers *a, lc_schema_kind kind, lc_str provider,
                                 lc_str type)
{
    lc_query_binary *b = binary_of(a, provider);
    return b->client ? lc_client_schema(b->client, kind, type) : NULL;
}

lc_query_session *lc_query_session_any(lc_provider_answers *a, lc_str provider, lc_str *why)
{
    lc_query_binary *b = binary_of(a, provider);
    lc_query_session *bare = &b->bare;
    *why = b->why;
    if (bare->running || !b->client)
        return bare->running ? bare : NULL;
    for (size_t i = 0; i < a->list.count; i++) {
        if (a->list.items[i]->binary == b && a->list.items[i]->running)
            return a->list.items[i];
    }
    bool opened = bare->report.died < MOST_DEATHS && open_session(bare);
    *why = bare->report.why;
    return opened ? bare : NULL;
}

/* ---- Settings. */

/* What the user gives for this configuration; NULL: nothing. */
static const lc_node *given_by_user(const lc_provider_answers *a, const lc_run_settings *settings)
{
    const lc_source *source = a->options.settings;
    const lc_node *root = source ? &source->documents[0] : NULL;
    const lc_str names[] = {settings->name, settings->provider, short_address(settings->provider),
                            lc_file_name(settings->provider)};
    for (size_t i = 0; root && i < sizeof names / sizeof *names; i++) {
        for (uint32_t k = 0; k < root->count; k++) {
            if (lc_str_eq(root->as.members[k].key, names[i]))
                return &root->as.members[k].value;
        }
    }
    return NULL;
}

static void read_user(lc_query_session *s, const lc_node *node, const lc_schema *schema)
{
    lc_provider_answers *a = s->owner;
    lc_field field = {0};
    lc_value_reader reader = {.arena = a->arena,
                              .source = a->options.settings,
                              .diags = a->options.diags,
                              .limits = a->options.limits,
                              .config = true};
    if (lc_read_object(&field, &reader, node, schema->block) == LC_OK && lc_field_has_value(&field))
        s->value = field.value;
    else
        s->report.why = LC_STR("the settings that are given for its provider cannot be read");
}

static void make_settings(lc_query_session *s)
{
    lc_provider_answers *a = s->owner;
    const lc_run_settings *settings = s->settings;
    const lc_schema *schema = lc_client_schema(s->binary->client, LC_KIND_PROVIDER, LC_STR_EMPTY);
    const lc_node *own = given_by_user(a, settings);
    lc_offline_settings made = {.why = LC_STR_EMPTY};
    if (!schema || settings->open_because.len) {
        s->report.why = schema ? settings->open_because
                               : LC_STR("its provider has no schema of its configuration");
    } else if (own) {
        read_user(s, own, schema);
    } else if (a->options.online) {
        lc_settings_whole(&made, settings->value);
        s->value = made.value;
        s->report.why = made.why;
    } else {
        lc_settings_offline(&made, a->arena, schema, settings->provider, settings->value);
        s->value = made.value;
        s->report.why = made.why;
        s->report.invented = made.invented.items;
        s->report.invented_count = made.invented.count;
        s->report.left_out = made.left_out.items;
        s->report.left_out_count = made.left_out.count;
    }
}

/* ---- Sessions. */

static bool configure(lc_query_session *s)
{
    lc_provider_answers *a = s->owner;
    lc_call call;
    s->reached = LC_STR_EMPTY;
    lc_client_configure(s->client, &call, a->arena, s->value, (lc_loc){LC_STR("provider"), 0, 0});
    if (call.failed != LC_YES)
        return true;
    lc_str name = lc_query_name(s);
    const lc_provider_diag *error = lc_call_first_error(&call);
    s->report.why =
        call.broke == LC_YES
            ? lc_str_printf(a->arena, "%.*s did not respond when it was configured: %.*s",
                            LC_FMT(name), LC_FMT(call.broke_with))
        : s->reached.len
            ? lc_str_printf(a->arena, "%.*s cannot be configured without reaching %.*s",
                            LC_FMT(name), LC_FMT(s->reached))
            : lc_str_printf(a->arena, "%.*s refuses its configuration: %.*s", LC_FMT(name),
                            LC_FMT(error ? error->summary : LC_STR_EMPTY));
    return false;
}

static void start(lc_query_session *s)
{
    s->tried = true;
    s->report.used = open_session(s) && configure(s);
    if (!s->report.used)
        end_session(s);
}

static lc_query_session *session_new(lc_provider_answers *a, const lc_run_settings *settings)
{
    lc_query_session *s = LC_NEW(a->arena, lc_query_session);
    init_session(s, a, binary_of(a, settings->provider), settings);
    if (s->binary->client) {
        make_settings(s);
        *LC_PUSH(a->arena, &a->list, lc_query_session *) = s;
    }
    lc_table_put(&a->sessions, settings->key, s);
    return s;
}

lc_query_session *lc_query_session_for(lc_provider_answers *a, const lc_run_settings *settings,
                                       lc_str *why)
{
    *why = LC_STR_EMPTY;
    if (!settings)
        return NULL;
    lc_query_session *s = lc_table_get(&a->sessions, settings->key);
    if (!s)
        s = session_new(a, settings);
    if (s->value && !s->running && (!s->tried || s->report.used) && s->report.died < MOST_DEATHS)
        start(s);
    *why = s->report.why;
    return s->running ? s : NULL;
}

lc_str lc_query_session_lost(lc_query_session *s, lc_arena *arena, const lc_call *call)
{
    lc_str name = lc_query_name(s);
    s->report.died++;
    end_session(s);
    if (s->report.died >= MOST_DEATHS)
        s->report.why = lc_str_printf(s->owner->arena, "%.*s exited %d times during its requests",
                                      LC_FMT(name), MOST_DEATHS);
    return lc_str_printf(
        arena, "%.*s did not respond (%.*s)%s%.*s", LC_FMT(name), LC_FMT(call->broke_with),
        call->last_words.len ? ": " : "",
        LC_FMT(lc_str_sub(call->last_words, 0, lc_str_find(call->last_words, 0, '\n'))));
}

/* ---- All of them. */

lc_provider_answers *lc_provider_answers_new(lc_arena *arena, const lc_answers_options *options,
                                             lc_core core, const lc_run_provider *otherwise)
{
    lc_provider_answers *a = LC_NEW(arena, lc_provider_answers);
    *a = (lc_provider_answers){
        .arena = arena, .options = *options, .core = core, .otherwise = *otherwise};
    lc_table_init(&a->binaries, arena);
    lc_table_init(&a->sessions, arena);
    lc_table_init(&a->judged, arena);
    return a;
}

void lc_provider_answers_close(lc_provider_answers *a)
{
    for (size_t i = 0; i < a->list.count; i++)
        end_session(a->list.items[i]);
    for (size_t i = 0; i < a->used.count; i++)
        end_session(&a->used.items[i]->bare);
}

const lc_run_asked *lc_query_list(void *context, lc_arena *arena, size_t *count)
{
    const lc_provider_answers *a = context;
    LC_VEC(lc_run_asked) list = {0};
    for (size_t i = 0; i < a->used.count; i++) {
        if (!a->used.items[i]->client)
            *LC_PUSH(arena, &list, lc_run_asked) = a->used.items[i]->bare.report;
    }
    for (size_t i = 0; i < a->list.count; i++)
        *LC_PUSH(arena, &list, lc_run_asked) = a->list.items[i]->report;
    *count = list.count;
    return list.items;
}
