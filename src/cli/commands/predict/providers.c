/* The providers that predict asks. They run without a network, with an environment of their own, in
 * the folder of the configuration, as a client would start them there. */
#include "cli/commands/predict/providers.h"
#include "cli/provider_options.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/live/live.h"
#include "lifecheck/live/session.h"

#include <string.h>
#include <sys/stat.h>

struct lc_predict_providers {
    const lc_cli *cli;
    lc_str folder; /* of the root module */
    lc_live_providers found;
    lc_source settings; /* of --provider-config; no document: not given */
    lc_diags diags;
    lc_provider_answers *answers;
    uint64_t started;
    void (*judge)(void *context, const lc_case *subject); /* or NULL */
    void *judge_context;
    LC_VEC(lc_str) warned; /* each warning once, however many processes there are */
};

/* ---- Which binaries. */

static const lc_live_provider *find(const lc_predict_providers *p, lc_str address)
{
    for (size_t i = 0; i < p->found.list.count; i++) {
        const lc_live_provider *one = &p->found.list.items[i];
        if (one->binary.len && lc_live_is_address(one->address, address))
            return one;
    }
    return NULL;
}

static bool has(void *context, lc_str address, lc_str *version, lc_str *why)
{
    const lc_live_provider *one = find(context, address);
    if (!one)
        return false;
    *version = one->version.len ? one->version : lc_provider_file_version(one->binary);
    lc_live_is_trusted(one, why);
    return true;
}

/* ---- Processes. */

static void warn(void *context, lc_live_weight weight, lc_str text, lc_str log)
{
    lc_predict_providers *p = context;
    (void)log; /* it may quote what the provider was given */
    for (size_t i = 0; i < p->warned.count; i++) {
        if (lc_str_eq(p->warned.items[i], text))
            return;
    }
    *LC_PUSH(p->cli->arena, &p->warned, lc_str) = lc_str_copy(p->cli->arena, text);
    if (weight != LC_LIVE_NOTE)
        lc_message("%.*s", LC_FMT(text));
}

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    lc_session_ask(context, out, arena, questions, count);
}

static bool begin(void *context, lc_answer_process *out, lc_str address, lc_arena *arena,
                  lc_str *why)
{
    lc_predict_providers *p = context;
    const lc_options *o = &p->cli->options;
    const lc_live_provider *provider = find(p, address);
    lc_words env = {0};
    lc_str log;
    lc_provider_environment(&env, p->cli, arena, address);
    lc_session_options options = {.provider = provider,
                                  .process = ++p->started,
                                  .emptied = true,
                                  .env = env.items,
                                  .env_count = env.count,
                                  .offline = !o->online,
                                  .refused = !o->online,
                                  .guarded = true,
                                  .folder = p->folder,
                                  .start_ms = (int64_t)o->start_timeout * 1000,
                                  .log = -1,
                                  .limits = o->limits,
                                  .context = p,
                                  .on_event = warn};
    lc_session *session = lc_session_open(arena, &options, why, &log);
    if (!session) {
        *why = lc_str_printf(arena, "its provider cannot be started: %.*s", LC_FMT(*why));
        return false;
    }
    *out = (lc_answer_process){session, {session, lc_session_protocol(session), ask, NULL}};
    return true;
}

static void end(void *context, lc_answer_process *process)
{
    (void)context;
    lc_session_close(process->process);
}

static bool stopped(void *context)
{
    (void)context;
    return lc_session_stopped() != 0;
}

/* ---- Opening. */

/* The folder of the root module, also if one of its files is named. */
static lc_str folder_of(lc_arena *arena, lc_str config)
{
    struct stat info;
    if (stat(lc_str_to_c(arena, config), &info) == 0 && S_ISDIR(info.st_mode))
        return config;
    lc_str name = lc_file_name(config);
    return name.len == config.len ? LC_STR(".") : lc_str_sub(config, 0, config.len - name.len);
}

lc_predict_providers *lc_predict_providers_open(const lc_cli *cli, lc_str folder, lc_exit *status)
{
    const lc_options *o = &cli->options;
    *status = LC_EXIT_OK;
    if (o->no_provider || !lc_live_available() || !folder.len)
        return NULL;
    lc_predict_providers *p = LC_NEW(cli->arena, lc_predict_providers);
    p->cli = cli;
    p->folder = folder_of(cli->arena, folder);
    lc_diags_init(&p->diags, cli->arena);
    lc_live_search search = {.named = o->provider.items,
                             .named_count = o->provider.count,
                             .folder = p->folder,
                             .installed = o->providers};
    lc_live_find(&p->found, cli->arena, &search, &p->diags);
    if (!lc_report_diags(&p->diags) ||
        !lc_provider_settings_read(&p->settings, cli,
                                   "the settings of providers are a mapping from their names, such "
                                   "as aws or aws.west, to their arguments")) {
        *status = LC_EXIT_INPUT;
        return NULL;
    }
    return p->found.list.count ? p : NULL;
}

/* ---- Asking. */

void lc_predict_providers_judge(lc_predict_providers *p,
                                void (*judge)(void *context, const lc_case *subject), void *context)
{
    p->judge = judge;
    p->judge_context = context;
}

static void judge_case(void *context, const lc_case *subject)
{
    lc_predict_providers *p = context;
    p->judge(p->judge_context, subject);
}

lc_run_provider lc_predict_providers_ask(void *context, const lc_configuration *config,
                                         const lc_run_provider *otherwise)
{
    lc_predict_providers *p = context;
    const lc_options *o = &p->cli->options;
    lc_answers_options options = {.limits = o->limits,
                                  .timeout_ms = (int64_t)o->timeout * 1000,
                                  .online = o->online,
                                  .settings = p->settings.count ? &p->settings : NULL,
                                  .diags = &p->diags,
                                  .context = p,
                                  .has = has,
                                  .begin = begin,
                                  .end = end,
                                  .judge = p->judge ? judge_case : NULL,
                                  .file = p->cli->options.config,
                                  .stopped = stopped};
    lc_core core = config->profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    p->answers = lc_provider_answers_new(p->cli->arena, &options, core, otherwise);
    return lc_provider_answers_run(p->answers);
}

void lc_predict_providers_end(lc_predict_providers *p)
{
    if (p && p->answers)
        lc_provider_answers_close(p->answers);
}

static void add_names(lc_buf *out, const char *before, const lc_str *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lc_buf_printf(out, "%s%.*s", i ? ", " : before, LC_FMT(names[i]));
}

static void add_one(lc_buf *out, const lc_run_asked *a)
{
    lc_buf_printf(out, "provider %.*s: %.*s%s%.*s", LC_FMT(a->name), LC_FMT(a->provider),
                  a->version.len ? " " : "", LC_FMT(a->version));
    if (!a->used) {
        lc_buf_printf(out, " was not used: %.*s\n",
                      LC_FMT(a->why.len ? a->why : LC_STR("no object needed it")));
        return;
    }
    lc_buf_printf(out, ", %s, %llu call%s", a->online ? "online" : "offline",
                  (unsigned long long)a->calls, a->calls == 1 ? "" : "s");
    add_names(out, "; generated: ", a->invented, a->invented_count);
    add_names(out, "; left out: ", a->left_out, a->left_out_count);
    if (a->died)
        lc_buf_printf(out, "; started again %u time%s", a->died, a->died == 1 ? "" : "s");
    lc_buf_add_char(out, '\n');
}

void lc_add_asked(lc_buf *out, const lc_prediction *prediction)
{
    for (size_t i = 0; i < prediction->asked_count; i++)
        add_one(out, &prediction->asked[i]);
}
