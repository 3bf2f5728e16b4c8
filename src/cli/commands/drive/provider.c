/* The provider that drive asks. */
#include "cli/commands/drive/provider.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/codec/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Which provider. */

/* *status is set to what a failure of the next step would be. */
bool lc_drive_provider_init(lc_drive_provider *p, const lc_cli *cli, lc_exit *status)
{
    *p = (lc_drive_provider){.cli = cli, .provider_options.log = -1, .never_started = true};
    *status = LC_EXIT_USAGE;
    if (cli->options.provider.count != 1) {
        lc_message("drive runs one provider: give --provider BINARY once");
        return false;
    }
    lc_provider_options_read(&p->provider_options, cli);
    lc_str type = lc_provider_file_type(p->provider_options.where);
    if (p->provider_options.provider.address.len == 0)
        p->provider_options.provider.address = type.len ? type : LC_STR("provider");
    *LC_PUSH(cli->arena, &p->providers.list, lc_live_provider) = p->provider_options.provider;
    *status = LC_EXIT_INPUT;
    if (!lc_provider_options_read_settings(&p->provider_options))
        return false;
    *status = LC_EXIT_INTERNAL;
    if (!lc_provider_options_open_log(&p->provider_options))
        return false;
    p->recorder = lc_recorder_open_named(cli, cli->options.record, status);
    if (p->recorder)
        lc_recorder_client(p->recorder, LC_STR("lifecheck"));
    return p->recorder != NULL;
}

void lc_drive_provider_end(lc_drive_provider *p)
{
    while (p->count)
        lc_drive_end(p);
    lc_provider_options_close(&p->provider_options);
}

/* ---- Processes. */

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    lc_session_ask(context, out, arena, questions, count);
}

/* Scenarios give it something. */
static lc_str last_words(void *context, lc_arena *arena)
{
    lc_str how;
    return lc_provider_last_words(context, arena, true, &how);
}

static lc_session *start(lc_drive_provider *p, lc_str *why, lc_str *log)
{
    lc_session_options options = lc_provider_session_options(&p->provider_options);
    options.context = p->recorder;
    options.on_event = lc_recorder_report;
    return lc_session_open(p->cli->arena, &options, why, log);
}

bool lc_drive_begin(void *context, lc_peer *out, bool last)
{
    lc_drive_provider *p = context;
    lc_str why, log;
    LC_ASSERT(p->count < LC_MOST_SESSIONS);
    if (!last && lc_session_stopped())
        return false;
    lc_session *session = start(p, &why, &log);
    /* If a signal ended the start, what was created is destroyed all the same; a second signal ends
     * this too. */
    if (!session && last && lc_session_stopped())
        session = start(p, &why, &log);
    if (!session) {
        lc_recorder_report(p->recorder, LC_LIVE_ERROR,
                           lc_str_printf(p->cli->arena, "%.*s does not serve: %.*s",
                                         LC_FMT(p->provider_options.where), LC_FMT(why)),
                           log);
        return false;
    }
    p->never_started = false;
    p->sessions[p->count++] = session;
    *out = (lc_peer){session, lc_session_protocol(session), ask, last_words};
    return true;
}

/* A process that is gone before we end it is reported, with how it ended. */
void lc_drive_end(void *context)
{
    lc_drive_provider *p = context;
    lc_session *session = p->sessions[--p->count];
    if (!lc_session_is_alive(session) && !lc_session_stopped()) {
        lc_str log;
        lc_str how = lc_session_end_text(session, p->cli->arena, &log);
        p->died++;
        lc_recorder_report(p->recorder, LC_LIVE_ERROR,
                           lc_str_printf(p->cli->arena, "the provider %.*s", LC_FMT(how)), log);
    }
    lc_session_close(session);
}

bool lc_drive_stopped(void *context)
{
    (void)context;
    return lc_session_stopped() != 0;
}

void lc_drive_on_call(void *context, const lc_live_call *call)
{
    lc_drive_provider *p = context;
    p->calls++;
    if (call->cut && call->status == 0)
        lc_recorder_report(p->recorder, LC_LIVE_WARNING,
                           lc_str_printf(p->cli->arena,
                                         "%.*s was ended after %zu messages of its response",
                                         LC_FMT(lc_file_name(call->path)), call->response_count),
                           LC_STR_EMPTY);
    lc_recorder_call(p->recorder, call);
}

void lc_drive_on_event(void *context, lc_live_weight weight, lc_str text)
{
    lc_drive_provider *p = context;
    lc_recorder_report(p->recorder, weight, text, LC_STR_EMPTY);
}

/* In the recording an object that is set aside has an address of its own, or its calls would be
 * taken for those of the object that replaces it. */
void lc_drive_on_set_aside(void *context, const lc_schema *schema)
{
    lc_drive_provider *p = context;
    lc_recorder_address(p->recorder, lc_str_printf(p->cli->arena, "%.*s.set-aside%zu",
                                                   LC_FMT(schema->type_name), ++p->set_aside));
}

/* ---- What could not be destroyed. */

#define MAX_OBJECT_FILES 1000

static void write_undestroyed(lc_buf *out, const lc_drive_provider *p,
                              const lc_undestroyed_object *object)
{
    lc_json w = {.out = out, .indent = 2, .spaced = true};
    lc_buf private_data = {0};
    lc_base64_encode(&private_data, object->private_data);
    lc_json_object(&w, NULL);
    lc_json_str(&w, "provider", p->provider_options.provider.address);
    lc_json_str(&w, "resource", object->resource);
    lc_json_str(&w, "type", object->type);
    lc_json_int(&w, "schema_version", object->schema->version);
    lc_json_bool(&w, "exists", object->certain);
    if (object->state)
        lc_value_add_scenario_json(lc_json_value(&w, "state"), object->state,
                                   object->schema->block->implied);
    lc_json_str(&w, "private", lc_buf_str(&private_data));
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
    lc_buf_release(&private_data);
}

/* A new file that only its owner reads, since all of the object is in it. */
static lc_str keep_undestroyed(lc_drive_provider *p, const lc_undestroyed_object *object)
{
    lc_arena *arena = p->cli->arena;
    lc_buf json = {0};
    lc_str name = LC_STR_EMPTY;
    int fd = -1;
    for (errno = EEXIST; fd < 0 && errno == EEXIST && p->object_files < MAX_OBJECT_FILES;) {
        name = lc_str_printf(arena, "lifecheck-left-%.*s-%d.json",
                             LC_FMT(lc_file_word(arena, object->type)), ++p->object_files);
        fd = open(lc_str_to_c(arena, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    write_undestroyed(&json, p, object);
    bool good = fd >= 0 && lc_write_all(fd, lc_buf_str(&json));
    if (fd >= 0)
        good = close(fd) == 0 && good;
    lc_buf_release(&json);
    return good ? name : LC_STR_EMPTY;
}

/* Its id, unless that is a secret. */
static lc_str id_of(const lc_undestroyed_object *object)
{
    const lc_attribute *a = lc_block_attribute(object->schema->block, LC_STR("id"));
    const lc_value *id = object->state ? lc_value_attr(object->state, LC_STR("id")) : NULL;
    bool shown = a && !a->sensitive && id && lc_is_known(id) && id->type->kind == LC_TYPE_STRING;
    return shown ? id->as.string : LC_STR_EMPTY;
}

void lc_drive_on_not_destroyed(void *context, const lc_undestroyed_object *object)
{
    lc_drive_provider *p = context;
    lc_str id = id_of(object), file = keep_undestroyed(p, object);
    p->not_destroyed = true;
    lc_buf how = {0};
    if (object->settings_loc.file.len)
        lc_buf_printf(&how, ", with the configuration of the provider in %.*s, line %u",
                      LC_FMT(object->settings_loc.file), object->settings_loc.line);
    lc_message("NOT DESTROYED: %.*s%s%.*s%s%s: destroy it manually%.*s; %s%.*s",
               LC_FMT(object->resource), id.len ? " (id " : "", LC_FMT(id), id.len ? ")" : "",
               object->certain ? " exists" : " may exist, the provider did not report it",
               LC_FMT(lc_buf_str(&how)),
               file.len ? "its last known values are in "
                        : "its last known values could not be written to a file",
               LC_FMT(file));
    lc_buf_release(&how);
}
