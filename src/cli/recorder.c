/* Calls that `record` sees: to lines of the recording, redacted unless they are to be kept as they
 * are, and to the judge, which sees the true values. */
#include "cli/recorder.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/recording/call_line.h"
#include "lifecheck/redact/redact.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_CLIENTS 8                  /* programs that are listed */
#define MOST_WAITING ((size_t)16 << 20) /* bytes of calls whose schema is not known yet */
#define MOST_NAMES   100                /* that are tried for a recording without a name */

/* The position of a line, so that an address can later be linked to its calls. */
typedef struct line_place {
    uint64_t process, seq;
} line_place;

/* A call of a provider whose schema has not come yet. */
typedef struct waiting_call {
    lc_arena *arena; /* of the call */
    lc_live_call call;
} waiting_call;

struct lc_recorder {
    const lc_cli *cli;
    lc_arena *arena;   /* of the recording */
    lc_arena *scratch; /* of a call */
    lc_str name;       /* of the recording */
    int fd;            /* -1: it could not be written any more */
    bool secrets;      /* keep them */
    bool unnamed;      /* nothing is written */
    lc_buf out;        /* lines that are not written yet */
    LC_VEC(line_place) lines;
    lc_checking *checking; /* NULL: nothing is judged */
    lc_recorded_policy own;
    lc_outcome outcome;
    lc_stream *stream;
    lc_diags diags;
    lc_diags quiet; /* of redaction: judging reports the same */
    lc_redact_stream *redact;
    lc_schema_answers schemas;
    lc_json addresses; /* buffer for the line that describes them */
    lc_buf address_line;
    bool addressed;                /* addresses will be supplied */
    lc_str address;                /* of the calls that come, or "" */
    LC_VEC(line_place) of_address; /* those that came */
    LC_VEC(lc_str) clients;
    LC_VEC(lc_str) others; /* providers that a test brought along */
    lc_table known;        /* addresses of providers whose schema has come */
    LC_VEC(waiting_call) waiting;
    size_t waiting_bytes;
    lc_str version; /* of the client */
    uint64_t calls, unknown_calls, unreadable, lost;
    bool write_failed;
};

/* ---- The file. */

/* The first recording of a second has number 1. */
static lc_str default_name(lc_arena *arena, int number)
{
    time_t now = time(NULL);
    struct tm parts;
    char text[64];
    gmtime_r(&now, &parts);
    strftime(text, sizeof text, "recording-%Y%m%dT%H%M%SZ", &parts);
    return number == 1 ? lc_str_printf(arena, "%s.jsonl", text)
                       : lc_str_printf(arena, "%s-%d.jsonl", text, number);
}

/* The file is private, because it contains secrets, whatever the umask. */
static int create(const lc_recorder *r)
{
    int fd = open(lc_str_to_c(r->arena, r->name),
                  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
    if (fd >= 0)
        fchmod(fd, 0600);
    return fd;
}

static bool open_file(lc_recorder *r, lc_str given)
{
    int number = 1;
    do {
        r->name = given.len ? given : default_name(r->arena, number);
        r->fd = create(r);
    } while (r->fd < 0 && errno == EEXIST && given.len == 0 && number++ < MOST_NAMES);
    if (r->fd < 0)
        lc_message("%.*s cannot be written: %s%s", LC_FMT(r->name), strerror(errno),
                   errno == EEXIST ? "; a recording is never overwritten" : "");
    return r->fd >= 0;
}

/* A line is written whole or not at all. A full disk is reported once, and the client continues. */
static bool write_line(lc_recorder *r)
{
    size_t at = 0;
    if (r->unnamed) {
        lc_buf_clear(&r->out);
        return true;
    }
    while (r->fd >= 0 && at < r->out.len) {
        ssize_t n = write(r->fd, r->out.ptr + at, r->out.len - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        at += (size_t)n;
    }
    bool whole = r->fd >= 0 && at == r->out.len;
    if (!whole && !r->write_failed)
        lc_message("%.*s cannot be written: %s; the command continues, and is checked, but the "
                   "recording ends here",
                   LC_FMT(r->name), strerror(errno));
    r->write_failed |= !whole;
    r->lost += !whole;
    if (!whole && r->fd >= 0 && at)
        r->lost += ftruncate(r->fd, lseek(r->fd, 0, SEEK_CUR) - (off_t)at) != 0;
    if (!whole && r->fd >= 0) {
        close(r->fd);
        r->fd = -1;
    }
    lc_buf_clear(&r->out);
    return whole;
}

/* ---- Judging. */

static void note_call(lc_recorder *r, uint32_t line)
{
    lc_json *w = &r->addresses;
    if (line == 0 || line > r->lines.count)
        return;
    lc_json_array(w, NULL);
    lc_json_uint(w, NULL, r->lines.items[line - 1].process);
    lc_json_uint(w, NULL, r->lines.items[line - 1].seq);
    lc_json_end_array(w);
}

/* Which calls are about the object of a case, by their lines. */
static void note_address(lc_recorder *r, const lc_case *subject)
{
    lc_json *w = &r->addresses;
    lc_str address = subject->runs.count ? subject->runs.items[0].address : LC_STR_EMPTY;
    if (address.len == 0)
        return;
    lc_json_object(w, NULL);
    lc_json_str(w, "address", address);
    lc_json_array(w, "calls");
    for (size_t i = 0; i < subject->runs.count; i++) {
        const lc_run *run = &subject->runs.items[i];
        for (size_t k = 0; k < run->calls.count; k++)
            note_call(r, run->calls.items[k].loc.line);
    }
    lc_json_end_array(w);
    lc_json_end_object(w);
}

static void take_case(void *context, lc_scenario *scenario)
{
    lc_recorder *r = context;
    bool open = scenario->so_far && scenario->so_far->open;
    if (!open)
        note_address(r, &scenario->subject);
    if (!r->checking)
        return;
    lc_recording about = *lc_stream_recording(r->stream);
    if (r->clients.count)
        about.client = r->clients.items[0];
    lc_checker_take_client(&r->checking->checker, &r->own, &about);
    lc_check_case(&r->outcome, &r->checking->checker, scenario);
}

static bool give_outcome(lc_recorder *r)
{
    lc_item item = {r->name, LC_STR_EMPTY, LC_STR_EMPTY, LC_STR_EMPTY, false};
    bool ok = lc_take_outcome(r->checking, &item, &r->outcome);
    lc_outcome_clear(&r->outcome);
    return ok;
}

static lc_exit open_judge(lc_recorder *r)
{
    lc_checking *c = LC_NEW(r->arena, lc_checking);
    c->on_stderr = true;
    lc_exit status = lc_begin_checking(c, r->cli);
    if (status != LC_EXIT_OK)
        return status;
    r->outcome.repeats = lc_repeats_new();
    r->checking = c;
    r->stream = lc_stream_open(r->arena, &c->checker.store, r->name, &r->diags, take_case, r);
    return LC_EXIT_OK;
}

void lc_recorder_idle(void *recorder)
{
    lc_recorder *r = recorder;
    if (!r->checking)
        return;
    lc_stream_show(r->stream);
    give_outcome(r);
}

/* ---- Lines. */

static void write_header(lc_recorder *r)
{
    lc_json w = {.out = &r->out};
    lc_json_object(&w, NULL);
    lc_json_object(&w, "recording");
    lc_json_uint(&w, "format", 1);
    lc_json_c(&w, "by", "lifecheck " LC_VERSION);
    lc_json_bool(&w, "redacted", !r->secrets);
    lc_json_end_object(&w);
    lc_json_end_object(&w);
    lc_buf_add_char(&r->out, '\n');
}

/* Written, and seen by the judge as the same line of the same file. */
static void add_plain_line(lc_recorder *r)
{
    *LC_PUSH(r->arena, &r->lines, line_place) = (line_place){0, 0};
    if (r->stream)
        lc_stream_bytes(r->stream, lc_buf_str(&r->out));
    write_line(r);
}

static lc_node raw_node(lc_arena *arena, lc_str bytes)
{
    lc_buf base64 = {0};
    lc_member *raw = LC_NEW(arena, lc_member);
    lc_base64_encode(&base64, bytes);
    raw->key = LC_STR("raw");
    raw->value = (lc_node){.kind = LC_NODE_STRING, .style = LC_STYLE_JSON};
    raw->value.as.text = lc_buf_take(arena, &base64);
    return (lc_node){
        .kind = LC_NODE_MAPPING, .style = LC_STYLE_JSON, .count = 1, .as.members = raw};
}

static lc_call_messages read_messages(lc_recorder *r, const lc_wire_message *type, bool stream,
                                      const lc_str *list, size_t count)
{
    lc_node *nodes = LC_NEW_ARRAY(r->scratch, lc_node, count + 1);
    for (size_t i = 0; i < count; i++) {
        lc_wire_reader reader = {.arena = r->scratch, .limits = r->cli->options.limits};
        if (type && lc_wire_read(&nodes[i], &reader, type, list[i]))
            continue;
        r->unreadable += type != NULL;
        nodes[i] = raw_node(r->scratch, list[i]);
    }
    return (lc_call_messages){nodes, (uint32_t)count, stream || count > 1};
}

static lc_str method_name(lc_str path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return lc_str_sub(path, at, path.len);
}

static int protocol_of(lc_str path)
{
    bool plugin = lc_str_starts_with(path, LC_STR("/tfplugin")) && path.len > 9;
    return plugin ? path.ptr[9] - '0' : 0;
}

static lc_call_line line_of(lc_recorder *r, const lc_live_call *call, const lc_wire_method *method)
{
    return (lc_call_line){
        .process = call->process,
        .seq = call->seq,
        .began = call->began,
        .took = call->took,
        .protocol = protocol_of(call->path),
        .provider = call->provider->address,
        .rpc = method_name(call->path),
        .request =
            read_messages(r, method ? method->request : NULL, method && method->request_stream,
                          call->requests, call->request_count),
        .response =
            read_messages(r, method ? method->response : NULL, method && method->response_stream,
                          call->responses, call->response_count),
        .cut = call->cut,
        .status = call->status,
        .status_text = call->status_text,
    };
}

/* The first version that a client names counts. */
static void note_version(lc_recorder *r, const lc_call_line *line)
{
    lc_str version = line->request.count ? lc_pj_text(&line->request.items[0], "terraform_version")
                                         : LC_STR_EMPTY;
    if (version.len && r->version.len == 0)
        r->version = lc_str_copy(r->arena, version);
}

/* With --secrets the redacted line is not written, but redaction still collects the secrets: logs
 * are masked. */
static void write_plain(lc_buf *out, const lc_node *root, lc_str text)
{
    lc_buf_clear(out);
    if (text.len)
        lc_buf_add_str(out, text);
    else
        lc_node_add_json(out, root);
    lc_buf_add_char(out, '\n');
}

/* To the judge and to the file. `text` is needed only for calls that return schemas. */
static void give_line(lc_recorder *r, const lc_live_call *call, const lc_node *root, lc_str text)
{
    *LC_PUSH(r->arena, &r->lines, line_place) = (line_place){call->process, call->seq};
    if (r->stream)
        lc_stream_call(r->stream, root, text);
    lc_redact_stream_call(r->redact, &r->out, root, text);
    if (r->secrets)
        write_plain(&r->out, root, text);
    write_line(r);
}

/* False: the answer cannot be read. */
static bool take_schema(lc_recorder *r, const lc_live_call *call, const lc_wire_method *method)
{
    lc_call_line line = {.process = call->process,
                         .seq = call->seq,
                         .began = call->began,
                         .took = call->took,
                         .protocol = method->protocol,
                         .provider = call->provider->address,
                         .rpc = lc_str_from_c(method->name)};
    lc_node root;
    lc_buf text = {0};
    lc_schema_answer answer = lc_schema_answer_line(&text, &r->schemas, &line, method,
                                                    call->responses[0], &r->cli->options.limits);
    if (answer == LC_SCHEMA_NEW) {
        lc_call_line_node(&root, r->scratch, &line);
        give_line(r, call, &root, lc_buf_str(&text));
    }
    lc_buf_release(&text);
    return answer != LC_SCHEMA_UNREADABLE;
}

static void take_call(lc_recorder *r, const lc_live_call *call, const lc_wire_method *method)
{
    lc_node root;
    lc_call_line line = line_of(r, call, method);
    lc_str text = LC_STR_EMPTY;
    r->unknown_calls += method == NULL;
    note_version(r, &line);
    lc_call_line_node(&root, r->scratch, &line);
    if (lc_pj_rpc_of(line.rpc) == LC_PJ_IDENTITIES || lc_pj_rpc_of(line.rpc) == LC_PJ_SCHEMA)
        text = lc_node_json(r->scratch, &root);
    give_line(r, call, &root, text);
}

/* Those that were found before are in a list of their own; tests bring a few. */
static void note_provider(lc_recorder *r, const lc_live_provider *provider)
{
    if (!provider->of_test)
        return;
    for (size_t i = 0; i < r->others.count; i++) {
        if (lc_str_eq(r->others.items[i], provider->address))
            return;
    }
    *LC_PUSH(r->arena, &r->others, lc_str) = lc_str_copy(r->arena, provider->address);
}

static bool is_schema(const lc_live_call *call, const lc_wire_method *method)
{
    return method && lc_pj_rpc_of(lc_str_from_c(method->name)) == LC_PJ_SCHEMA &&
           call->status == 0 && !call->cut && call->response_count == 1;
}

static void take(lc_recorder *r, const lc_live_call *call)
{
    const lc_wire_method *method = lc_wire_method_of(call->path);
    if (!is_schema(call, method) || !take_schema(r, call, method))
        take_call(r, call, method);
    lc_arena_reset(r->scratch);
}

/* ---- Calls without a schema yet. Until the schema is known, secrets in a call cannot be
 * recognised, and the call cannot be judged. A client asks for the schema first, but its answer may
 * end after that of a quicker call. */

static lc_str *copies(lc_arena *arena, const lc_str *list, size_t count)
{
    lc_str *out = LC_NEW_ARRAY(arena, lc_str, count + 1);
    for (size_t i = 0; i < count; i++)
        out[i] = lc_str_copy(arena, list[i]);
    return out;
}

static void wait_for_schema(lc_recorder *r, const lc_live_call *call)
{
    lc_arena *arena = lc_arena_new_small();
    waiting_call *w = LC_PUSH(r->arena, &r->waiting, waiting_call);
    *w = (waiting_call){arena, *call};
    w->call.path = lc_str_copy(arena, call->path);
    w->call.status_text = lc_str_copy(arena, call->status_text);
    w->call.requests = copies(arena, call->requests, call->request_count);
    w->call.responses = copies(arena, call->responses, call->response_count);
    r->waiting_bytes += lc_arena_used(arena);
}

/* Those of one provider, in their order; NULL: all of them. */
static void take_waiting(lc_recorder *r, const lc_live_provider *provider)
{
    size_t left = 0;
    for (size_t i = 0; i < r->waiting.count; i++) {
        waiting_call w = r->waiting.items[i];
        if (provider && !lc_str_eq(w.call.provider->address, provider->address)) {
            r->waiting.items[left++] = w;
            continue;
        }
        r->waiting_bytes -= lc_arena_used(w.arena);
        take(r, &w.call);
        lc_arena_free(w.arena);
    }
    r->waiting.count = left;
}

/* ---- Addresses that are known without looking at values. */

static void end_address(lc_recorder *r)
{
    lc_json *w = &r->addresses;
    if (r->address.len && r->of_address.count) {
        lc_json_object(w, NULL);
        lc_json_str(w, "address", r->address);
        lc_json_array(w, "calls");
        for (size_t i = 0; i < r->of_address.count; i++) {
            lc_json_array(w, NULL);
            lc_json_uint(w, NULL, r->of_address.items[i].process);
            lc_json_uint(w, NULL, r->of_address.items[i].seq);
            lc_json_end_array(w);
        }
        lc_json_end_array(w);
        lc_json_end_object(w);
    }
    r->of_address.count = 0;
}

void lc_recorder_address(lc_recorder *r, lc_str address)
{
    end_address(r);
    r->addressed = true;
    r->address = lc_str_copy(r->arena, address);
}

static void note_of_address(lc_recorder *r, const lc_live_call *call)
{
    if (r->address.len && lc_pj_rpc_of(method_name(call->path)) >= LC_PJ_UPGRADE)
        *LC_PUSH(r->arena, &r->of_address, line_place) = (line_place){call->process, call->seq};
}

void lc_recorder_call(void *recorder, const lc_live_call *call)
{
    lc_recorder *r = recorder;
    lc_str address = call->provider->address;
    const lc_wire_method *method = lc_wire_method_of(call->path);
    bool schema = is_schema(call, method);
    note_provider(r, call->provider);
    note_of_address(r, call);
    r->calls++;
    if (!schema && !lc_table_get(&r->known, address) && r->waiting_bytes < MOST_WAITING) {
        wait_for_schema(r, call);
        return;
    }
    take(r, call);
    if (schema && !lc_table_put(&r->known, lc_str_copy(r->arena, address), r))
        take_waiting(r, call->provider);
}

void lc_recorder_client(void *recorder, lc_str program)
{
    lc_recorder *r = recorder;
    for (size_t i = 0; i < r->clients.count; i++) {
        if (lc_str_eq(r->clients.items[i], program))
            return;
    }
    if (program.len && r->clients.count < MOST_CLIENTS)
        *LC_PUSH(r->arena, &r->clients, lc_str) = lc_str_copy(r->arena, program);
}

/* Kept until the end: an address is asked for when its case is given. */
void lc_recorder_evidence(void *recorder, lc_str path, lc_str json)
{
    lc_recorder *r = recorder;
    if (r->stream)
        lc_stream_evidence(r->stream, lc_str_copy(r->arena, path), lc_str_copy(r->arena, json));
}

/* ---- Messages for the user. A log may quote secrets; those that occurred in calls are
 * replaced. */

#define LOG_LINES 12
#define LOG_WIDTH 1000

static bool is_panic(lc_str line)
{
    return lc_str_starts_with(line, LC_STR("panic: ")) ||
           lc_str_starts_with(line, LC_STR("fatal error: "));
}

/* From a panic on, whose goroutines follow it, or so many lines before the end. */
static size_t begin_of(lc_str log)
{
    size_t starts[LOG_LINES] = {0}, count = 0;
    for (size_t at = 0; at < log.len; at = lc_str_find(log, at, '\n') + 1) {
        if (is_panic(lc_str_sub(log, at, log.len)))
            return at;
        starts[count++ % LOG_LINES] = at;
    }
    return count < LOG_LINES ? 0 : starts[count % LOG_LINES];
}

static void report_log(lc_recorder *r, lc_str log)
{
    lc_buf text = {0};
    log = lc_redact_stream_text(r->redact, r->scratch, log);
    size_t at = begin_of(log);
    for (int i = 0; i < LOG_LINES && at < log.len; i++) {
        size_t to = lc_str_find(log, at, '\n');
        bool cut = to - at > LOG_WIDTH;
        lc_buf_printf(&text, "  | %.*s%s\n", LC_FMT(lc_str_sub(log, at, cut ? at + LOG_WIDTH : to)),
                      cut ? " ..." : "");
        at = to + 1;
    }
    lc_clean_text(&text, 0);
    lc_sink sink = {STDERR_FILENO, "standard error", false};
    lc_sink_write(&sink, &text);
    lc_buf_release(&text);
    lc_arena_reset(r->scratch);
}

void lc_recorder_report(void *recorder, lc_live_weight weight, lc_str text, lc_str log)
{
    lc_recorder *r = recorder;
    if (weight == LC_LIVE_NOTE && r->cli->options.quiet)
        return;
    lc_message("%.*s", LC_FMT(lc_redact_stream_text(r->redact, r->scratch, text)));
    if (log.len)
        report_log(r, log);
}

/* ---- The end. */

static void write_facts(lc_recorder *r, const lc_live_providers *providers,
                        const lc_live_result *result)
{
    lc_json w = {.out = &r->out};
    lc_json_object(&w, NULL);
    lc_json_object(&w, "recording");
    if (r->clients.count || r->version.len) {
        lc_json_object(&w, "client");
        if (r->clients.count)
            lc_json_str(&w, "name", r->clients.items[0]);
        if (r->version.len)
            lc_json_str(&w, "version", r->version);
        lc_json_end_object(&w);
    }
    lc_json_array(&w, "providers");
    for (size_t i = 0; i < providers->list.count; i++) {
        const lc_live_provider *p = &providers->list.items[i];
        lc_json_object(&w, NULL);
        lc_json_str(&w, "address", p->address);
        if (p->version.len)
            lc_json_str(&w, "version", p->version);
        lc_json_end_object(&w);
    }
    for (size_t i = 0; i < r->others.count; i++) {
        lc_json_object(&w, NULL);
        lc_json_str(&w, "address", r->others.items[i]);
        lc_json_end_object(&w);
    }
    lc_json_end_array(&w);
    lc_json_uint(&w, "calls", r->calls);
    lc_json_uint(&w, "repeated_schemas", r->schemas.repeated);
    lc_json_uint(&w, "lost", r->lost + result->unreadable);
    lc_json_end_object(&w);
    lc_json_end_object(&w);
    lc_buf_add_char(&r->out, '\n');
}

static void write_addresses(lc_recorder *r)
{
    lc_json_end_array(&r->addresses);
    lc_json_end_object(&r->addresses);
    lc_buf_add_char(&r->address_line, '\n');
    lc_buf_add_str(&r->out, lc_buf_str(&r->address_line));
    write_line(r);
}

static lc_exit judge_end(lc_recorder *r, bool complete, lc_str folder)
{
    lc_checking *c = r->checking;
    if (complete)
        lc_stream_complete(r->stream);
    lc_stream_beside(r->stream, folder, NULL);
    lc_outcome_origin(&r->outcome, &c->checker, r->name, lc_stream_recording(r->stream));
    lc_stream_end(r->stream);
    lc_checker_name_client(&c->checker, &r->outcome, r->name, &r->diags);
    lc_outcome_repeats(&r->outcome, c->checker.reports, c->checker.report_count);
    lc_outcome_diags(&r->outcome, &c->checker, &r->diags);
    give_outcome(r);
    lc_arena_free(c->checker.store_arena);
    lc_exit status = lc_finish_reports(c);
    lc_exit written = lc_baseline_close(c->policy.baseline, r->cli, c->summary.errors == 0);
    return status == LC_EXIT_OK || status == LC_EXIT_FAILED || status == LC_EXIT_INPUT
               ? (written == LC_EXIT_OK ? status : written)
               : status;
}

static void free_recorder(lc_recorder *r)
{
    for (size_t i = 0; i < r->waiting.count; i++)
        lc_arena_free(r->waiting.items[i].arena);
    if (r->redact)
        lc_redact_stream_close(r->redact);
    if (r->fd >= 0)
        close(r->fd);
    lc_buf_release(&r->out);
    lc_buf_release(&r->address_line);
    lc_arena_free(r->scratch);
    lc_arena_free(r->arena);
}

/* Drafts of reports vanish with their descriptors. */
static void drop_judge(lc_recorder *r)
{
    lc_checking *c = r->checking;
    lc_stream_end(r->stream);
    lc_outcome_repeats(&r->outcome, c->checker.reports, c->checker.report_count);
    lc_outcome_release(&r->outcome);
    for (size_t i = 0; i < c->count; i++) {
        lc_output_file_discard(&c->outputs[i].file);
        lc_buf_release(&c->outputs[i].bytes);
    }
    lc_arena_free(c->checker.store_arena);
}

void lc_recorder_drop(lc_recorder *r)
{
    if (r->checking)
        drop_judge(r);
    if (r->fd >= 0)
        unlink(lc_str_to_c(r->arena, r->name));
    free_recorder(r);
}

lc_exit lc_recorder_close(lc_recorder *r, const lc_live_providers *providers,
                          const lc_live_result *result, lc_str folder)
{
    lc_exit status = LC_EXIT_OK;
    take_waiting(r, NULL);
    write_facts(r, providers, result);
    add_plain_line(r);
    if (r->checking)
        status = judge_end(r, r->lost + result->unreadable == 0, folder);
    end_address(r);
    if (r->checking || r->addressed)
        write_addresses(r);
    if (r->unknown_calls && !r->checking)
        lc_message("%llu call%s of methods that lifecheck does not know: a newer provider protocol",
                   (unsigned long long)r->unknown_calls, r->unknown_calls == 1 ? " is" : "s are");
    if (r->unnamed && !r->checking)
        status = LC_EXIT_OK;
    else if (r->unnamed)
        ;
    else if (r->write_failed)
        lc_message(
            "of %llu call%s, %.*s has only the first ones: it could not be written to the end",
            (unsigned long long)r->calls, r->calls == 1 ? "" : "s", LC_FMT(r->name));
    else if (!r->cli->options.quiet)
        lc_message("%llu call%s recorded in %.*s%s", (unsigned long long)r->calls,
                   r->calls == 1 ? "" : "s", LC_FMT(r->name),
                   r->secrets ? ", with secrets" : ", redacted");
    if (r->write_failed)
        status = LC_EXIT_INTERNAL;
    else if (r->calls == 0 && status == LC_EXIT_OK && !r->unnamed &&
             !r->cli->options.policy.allow_empty)
        status = LC_EXIT_INPUT;
    free_recorder(r);
    return status;
}

static lc_recorder *new_recorder(const lc_cli *cli)
{
    lc_arena *arena = lc_arena_new();
    lc_recorder *r = LC_NEW(arena, lc_recorder);
    r->cli = cli;
    r->arena = arena;
    r->scratch = lc_arena_new();
    r->secrets = cli->options.secrets;
    r->fd = -1;
    r->name = r->address = r->version = LC_STR_EMPTY;
    lc_diags_init(&r->diags, arena);
    lc_diags_init(&r->quiet, arena);
    lc_schema_answers_init(&r->schemas, arena);
    lc_table_init(&r->known, arena);
    r->addresses.out = &r->address_line;
    lc_json_object(&r->addresses, NULL);
    lc_json_array(&r->addresses, "addresses");
    return r;
}

static lc_recorder *begin_recorder(lc_recorder *r, lc_exit status)
{
    if (status != LC_EXIT_OK) {
        lc_recorder_drop(r);
        return NULL;
    }
    r->redact = lc_redact_stream_open(r->arena, r->name, &r->cli->options.limits, &r->quiet);
    write_header(r);
    add_plain_line(r);
    return r;
}

lc_recorder *lc_recorder_open(const lc_cli *cli, lc_exit *status)
{
    lc_recorder *r = new_recorder(cli);
    *status = open_file(r, cli->options.output) ? LC_EXIT_OK : LC_EXIT_INTERNAL;
    if (*status == LC_EXIT_OK && !cli->options.no_judge)
        *status = open_judge(r);
    return begin_recorder(r, *status);
}

lc_recorder *lc_recorder_open_judging(const lc_cli *cli, lc_exit *status)
{
    lc_recorder *r;
    if (cli->options.output.len)
        return lc_recorder_open(cli, status);
    r = new_recorder(cli);
    r->unnamed = true;
    r->name = LC_STR("calls");
    *status = open_judge(r);
    return begin_recorder(r, *status);
}

lc_recorder *lc_recorder_open_named(const lc_cli *cli, lc_str name, lc_exit *status)
{
    lc_recorder *r = new_recorder(cli);
    r->unnamed = name.len == 0;
    *status = r->unnamed || open_file(r, name) ? LC_EXIT_OK : LC_EXIT_INTERNAL;
    return begin_recorder(r, *status);
}
