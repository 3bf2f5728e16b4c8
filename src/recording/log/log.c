/* Logs: what the SDK writes about each call in addition to its data files, and what the core writes
 * about violations. Lines are JSON or text. A line is used if it has tf_rpc and comes from
 * sdk.proto, or if it may be one of those messages of the core. A string line is continued by lines
 * that begin with a space. */
#include "lifecheck/recording/capture.h"
#include "recording/log/client_errors.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"

#include <string.h>
#include <sys/stat.h>

void lc_log_init(lc_log *log, lc_arena *arena)
{
    memset(log, 0, sizeof *log);
    lc_table_init(&log->by_id, arena);
    lc_table_init(&log->writer, arena);
    lc_table_init(&log->shared, arena);
    lc_table_init(&log->legacy, arena);
    lc_table_init(&log->strict, arena);
    lc_table_init(&log->files, arena);
    lc_log_findings_init(&log->logged, arena);
    log->provider =
        (lc_capabilities){LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NO, LC_NO, LC_NO};
}

lc_str lc_log_line_get(const lc_log_line *l, const char *key)
{
    for (size_t i = 0; i < l->count; i++) {
        if (lc_str_is(l->pairs[i].key, key))
            return l->pairs[i].value;
    }
    return LC_STR_EMPTY;
}

static void put(lc_log_line *l, lc_str key, lc_str value)
{
    if (l->count < LC_LOG_PAIRS)
        l->pairs[l->count++] = (lc_log_pair){key, value};
}

bool lc_log_contains(lc_str text, const char *word)
{
    return lc_str_contains(text, lc_str_from_c(word));
}

/* ---- JSON lines. */

static bool read_json(lc_log_line *out, lc_arena *arena, lc_str text, const lc_limits *limits,
                      lc_diags *diags)
{
    lc_source source;
    if (lc_json_parse(&source, arena, LC_STR_EMPTY, text, limits, diags) != LC_OK ||
        source.documents[0].kind != LC_NODE_MAPPING)
        return false;
    const lc_node *root = &source.documents[0];
    for (uint32_t i = 0; i < root->count; i++) {
        const lc_member *m = &root->as.members[i];
        lc_str value =
            m->value.kind == LC_NODE_BOOL ? (m->value.boolean ? LC_STR("true") : LC_STR("false"))
            : m->value.kind <= LC_NODE_STRING && m->value.kind != LC_NODE_NULL ? m->value.as.text
                                                                               : LC_STR_EMPTY;
        if (lc_str_is(m->key, "@message"))
            out->message = value;
        else
            put(out, m->key, value);
    }
    return true;
}

/* ---- Text lines, as go-hclog writes them: `TIME [LEVEL] NAME: MESSAGE: key=value key="a b" ...`
 */

static lc_str unquote(lc_arena *arena, lc_str s, size_t *at)
{
    lc_buf out = {0};
    for (++*at; *at < s.len && s.ptr[*at] != '"'; ++*at) {
        if (s.ptr[*at] == '\\' && *at + 1 < s.len)
            ++*at;
        lc_buf_add_char(&out, s.ptr[*at]);
    }
    *at += *at < s.len;
    return lc_buf_take(arena, &out);
}

static bool is_key_char(char c)
{
    return lc_is_alnum(c) || c == '_' || c == '@' || c == '-' || c == '.';
}

static size_t skip_word(lc_str s, size_t at)
{
    while (at < s.len && !lc_is_space(s.ptr[at]))
        at++;
    return at;
}

/* A value of several lines is written on separate lines, each after `  | `. */
static lc_str read_lines(lc_arena *arena, lc_str s, size_t *at)
{
    static const lc_str mark = {"\n  | ", sizeof "\n  | " - 1};
    lc_buf out = {0};
    while (lc_str_starts_with(lc_str_sub(s, *at, s.len), mark)) {
        size_t end = lc_str_find(s, *at + mark.len, '\n');
        if (out.len)
            lc_buf_add_char(&out, '\n');
        lc_buf_add_str(&out, lc_str_sub(s, *at + mark.len, end));
        *at = end;
    }
    return lc_buf_take(arena, &out);
}

static lc_str read_value(lc_arena *arena, lc_str s, size_t *at)
{
    if (*at < s.len && s.ptr[*at] == '"')
        return unquote(arena, s, at);
    if (*at < s.len && s.ptr[*at] == '\n')
        return read_lines(arena, s, at);
    size_t from = *at;
    *at = skip_word(s, from);
    return lc_str_sub(s, from, *at);
}

static void read_pairs(lc_log_line *out, lc_arena *arena, lc_str s)
{
    size_t at = 0;
    while (at < s.len) {
        size_t key = at;
        while (at < s.len && is_key_char(s.ptr[at]))
            at++;
        if (at == s.len || s.ptr[at] != '=' || at == key) {
            at = skip_word(s, at) + 1;
            continue;
        }
        lc_str name = lc_str_sub(s, key, at++);
        put(out, name, read_value(arena, s, &at));
        at += at < s.len && lc_is_space(s.ptr[at]);
    }
}

static bool read_text(lc_log_line *out, lc_arena *arena, lc_str s)
{
    size_t level = lc_str_find(s, 0, '[');
    size_t name = lc_str_find(s, lc_str_find(s, level, ']'), ':');
    if (name + 2 >= s.len)
        return false;
    lc_str rest = lc_str_sub(s, name + 2, s.len);
    size_t colon = lc_str_find(rest, 0, ':');
    if (colon == rest.len)
        return false;
    out->message = lc_str_sub(rest, 0, colon);
    read_pairs(out, arena, lc_str_sub(rest, colon + 1 < rest.len ? colon + 2 : rest.len, rest.len));
    return true;
}

void lc_log_call_set(lc_call *call, lc_arena *arena, const lc_log_call *logged)
{
    call->has_diagnostics = logged->answered;
    call->failed = logged->failed ? LC_YES : logged->answered ? LC_NO : LC_NOT_KNOWN;
    call->deferred = logged->deferred ? LC_YES : logged->answered ? LC_NO : LC_NOT_KNOWN;
    call->deferred_reason = logged->deferred_reason;
    call->deferred_loc = logged->loc;
    for (size_t i = 0; i < logged->diagnostics.count; i++)
        *LC_PUSH(arena, &call->diagnostics, lc_provider_diag) = logged->diagnostics.items[i];
}

/* ---- The SDK's messages. */

static lc_log_call *call_of(lc_log *log, lc_arena *arena, const lc_log_line *l, lc_loc loc)
{
    lc_str id = lc_log_line_get(l, "tf_req_id");
    lc_log_call *call = lc_table_get(&log->by_id, id);
    if (call)
        return call;
    call = LC_NEW(arena, lc_log_call);
    call->id = lc_str_copy(arena, id);
    call->rpc = lc_str_copy(arena, lc_log_line_get(l, "tf_rpc"));
    call->provider = lc_str_copy(arena, lc_log_line_get(l, "tf_provider_addr"));
    call->loc = loc;
    call->type = call->deferred_reason = LC_STR_EMPTY;
    call->client = (lc_capabilities){LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NOT_KNOWN, LC_NO, LC_NO, LC_NO};
    *LC_PUSH(arena, &log->calls, lc_log_call *) = call;
    call->order = log->calls.count;
    lc_table_put(&log->by_id, call->id, call);
    return call;
}

/* File names contain milliseconds only, so two calls can write the same one; it is `shared` then.
 */
static void wrote(lc_log *log, lc_arena *arena, lc_log_call *call, lc_str path)
{
    lc_str name = lc_str_copy(arena, lc_foreign_file_name(path));
    const lc_log_call *before = lc_table_put(&log->writer, name, call);
    *LC_PUSH(arena, &call->files, lc_str) = name;
    if (before && before != call)
        lc_table_put(&log->shared, name, call);
}

/* A path as the SDK prints it: `AttributeName("ports").ElementKeyInt(40)`. A set element is printed
 * as a Go value that cannot be parsed, so the path ends at the set. */
static bool read_attribute(lc_path *out, lc_arena *arena, lc_str text)
{
    LC_VEC(lc_step) steps = {0};
    size_t at = 0;
    while (at < text.len) {
        size_t open = lc_str_find(text, at, '('), close = lc_str_find(text, open, ')');
        if (close == text.len)
            break;
        lc_str word = lc_str_sub(text, at, open), arg = lc_str_sub(text, open + 1, close);
        bool quoted = arg.len >= 2 && arg.ptr[0] == '"';
        lc_str inner = lc_str_copy(arena, quoted ? lc_str_sub(arg, 1, arg.len - 1) : arg);
        lc_step step = {LC_STEP_ATTR, inner, 0, NULL};
        if (lc_str_is(word, "ElementKeyValue"))
            break; /* an element of a set */
        if (lc_str_is(word, "ElementKeyString"))
            step.kind = LC_STEP_KEY;
        if (lc_str_is(word, "ElementKeyInt")) {
            step = (lc_step){LC_STEP_INDEX, LC_STR_EMPTY, 0, NULL};
            for (size_t i = 0; i < arg.len && i < 18; i++)
                step.index = step.index * 10 + (uint64_t)(arg.ptr[i] - '0');
        }
        *LC_PUSH(arena, &steps, lc_step) = step;
        at = close + 2;
    }
    *out = (lc_path){steps.items, steps.count};
    return steps.count > 0;
}

static void diagnosed(lc_arena *arena, lc_log_call *call, const lc_log_line *l, lc_loc loc)
{
    lc_provider_diag *d = LC_PUSH(arena, &call->diagnostics, lc_provider_diag);
    lc_str severity = lc_log_line_get(l, "diagnostic_severity");
    *d = (lc_provider_diag){
        .severity = lc_str_is(severity, "ERROR")     ? LC_SEVERITY_ERROR
                    : lc_str_is(severity, "WARNING") ? LC_SEVERITY_WARNING
                                                     : LC_SEVERITY_INVALID,
        .summary = lc_str_copy(arena, lc_log_line_get(l, "diagnostic_summary")),
        .detail = lc_str_copy(arena, lc_log_line_get(l, "diagnostic_detail")),
        .loc = loc,
    };
    d->has_path = read_attribute(&d->path, arena, lc_log_line_get(l, "diagnostic_attribute"));
    call->failed = call->failed || d->severity == LC_SEVERITY_ERROR;
}

static void set_type(lc_arena *arena, lc_log_call *call, const lc_log_line *l)
{
    static const char *const keys[] = {"tf_resource_type", "tf_data_source_type",
                                       "tf_ephemeral_resource_type", "tf_action_type"};
    for (size_t i = 0; i < 4 && call->type.len == 0; i++)
        call->type = lc_str_copy(arena, lc_log_line_get(l, keys[i]));
}

static lc_fact fact(const lc_log_line *l, const char *key)
{
    return lc_str_is(lc_log_line_get(l, key), "true") ? LC_YES : LC_NO;
}

static void take(lc_log *log, lc_arena *arena, const lc_log_line *l, lc_loc loc)
{
    lc_log_call *call = call_of(log, arena, l, loc);
    set_type(arena, call, l);
    if (lc_str_is(l->message, "Wrote protocol data file")) {
        wrote(log, arena, call, lc_log_line_get(l, "tf_proto_data_file"));
    } else if (lc_str_is(l->message, "Announced server capabilities")) {
        log->provider.plan_destroy = fact(l, "tf_server_capability_plan_destroy");
        log->provider.move_resource_state = fact(l, "tf_server_capability_move_resource_state");
        log->provider.generate_resource_config =
            fact(l, "tf_server_capability_generate_resource_config");
    } else if (lc_str_is(l->message, "Announced client capabilities")) {
        call->client.deferral_allowed = fact(l, "tf_client_capability_deferral_allowed");
        call->client.write_only_attributes_allowed =
            fact(l, "tf_client_capability_write_only_attributes_allowed");
    } else if (lc_str_is(l->message, "Received downstream response")) {
        call->answered = true;
    } else if (lc_str_is(l->message, "Received downstream deferred response")) {
        call->deferred = true;
        call->deferred_reason = lc_str_copy(arena, lc_log_line_get(l, "tf_deferred_reason"));
    } else if (lc_str_starts_with(l->message, LC_STR("Response contains "))) {
        diagnosed(arena, call, l, loc);
    } else if (lc_str_is(l->message, "Unable to write protocol data file")) {
        call->unwritten = true;
    } else if (lc_str_starts_with(l->message, LC_STR("Error from downstream"))) {
        call->failed = true;
    }
}

/* ---- Lines. */

bool lc_log_line_read(lc_log_line *out, lc_arena *arena, lc_str text, const lc_limits *limits)
{
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    *out = (lc_log_line){.message = LC_STR_EMPTY};
    if (!lc_log_contains(text, "tf_rpc") || !lc_log_contains(text, "sdk.proto"))
        return false;
    bool ok = text.ptr[0] == '{' ? read_json(out, arena, text, limits, &quiet)
                                 : read_text(out, arena, text);
    return ok && lc_log_line_get(out, "tf_rpc").len &&
           lc_str_is(lc_log_line_get(out, "@module"), "sdk.proto");
}

typedef struct reader {
    lc_log *log;
    lc_arena *arena, *scratch;
    lc_str file;
    const lc_limits *limits;
    lc_diags *diags;
} reader;

/* Does the message contain a time, so that two processes wrote into one line? */
static bool holds_time(lc_str message)
{
    for (size_t i = 0; i + 11 <= message.len; i++) {
        const char *c = message.ptr + i;
        if (lc_is_digit(c[3]) && c[4] == '-' && lc_is_digit(c[5]) && c[7] == '-' &&
            lc_is_digit(c[9]) && c[10] == 'T')
            return true;
    }
    return false;
}

static bool is_protocol(lc_str text)
{
    return lc_log_contains(text, "tf_rpc") && lc_log_contains(text, "sdk.proto");
}

static void take_line(const reader *r, const lc_log_line *l, lc_loc loc)
{
    if (lc_log_line_get(l, "tf_rpc").len == 0 ||
        !lc_str_is(lc_log_line_get(l, "@module"), "sdk.proto"))
        return;
    if (lc_log_line_get(l, "tf_req_id").len)
        take(r->log, r->arena, l, loc);
    else
        lc_diag_error(r->diags, loc, "this line of the log has no tf_req_id: it is cut");
}

static size_t message_at(lc_str raw)
{
    static const lc_str key = {"\"@message\":\"", sizeof "\"@message\":\"" - 1};
    for (size_t i = 0; i + key.len <= raw.len; i++) {
        if (lc_str_starts_with(lc_str_sub(raw, i, raw.len), key))
            return i + key.len;
    }
    return raw.len;
}

static void take_json(const reader *r, lc_str text, lc_loc loc)
{
    lc_log_line l = {.message = LC_STR_EMPTY};
    lc_diags found;
    bool core = lc_log_is_core(text);
    bool open = lc_str_starts_with(text, LC_STR("{\"@")) && text.ptr[text.len - 1] != '}';
    lc_diags_init(&found, r->scratch);
    bool diagnostic = lc_log_contains(text, "\"diagnostic\":{") && !is_protocol(text);
    if (diagnostic) {
        lc_client_error_line(r->log, r->arena, r->file, text, loc.line, r->limits);
        return;
    }
    if (!core && !open && !is_protocol(text))
        return;
    if (!read_json(&l, r->scratch, text, r->limits, &found)) {
        if (found.count)
            loc.column = found.items[0].loc.column;
        lc_diag_error(
            r->diags, loc, "this line of the log is cut, or two were written into one%s%.*s",
            found.count ? ": " : "", LC_FMT(found.count ? found.items[0].message : LC_STR_EMPTY));
        return;
    }
    if (core)
        lc_log_core(r->log, r->arena, r->scratch,
                    &(lc_core_line){r->file, text, loc.line, true, l.message, message_at(text)},
                    r->diags);
    else
        take_line(r, &l, loc);
}

static void take_text(const reader *r, lc_str text, lc_loc loc)
{
    lc_log_line l = {.message = LC_STR_EMPTY};
    if (lc_log_is_core(text)) {
        lc_log_core(r->log, r->arena, r->scratch,
                    &(lc_core_line){r->file, text, loc.line, false, text, 0}, r->diags);
    } else if (lc_log_contains(text, "\"tf_rpc\":\"")) {
        lc_diag_error(r->diags, loc, "this line of the log has lost its beginning");
    } else if (is_protocol(text) && read_text(&l, r->scratch, text)) {
        if (holds_time(l.message))
            lc_diag_error(r->diags, loc, "two lines of the log were written into one");
        else
            take_line(r, &l, loc);
    }
}

size_t lc_log_line_end(lc_str text, size_t at, uint32_t *lines)
{
    size_t end = lc_str_find(text, at, '\n');
    *lines = 1;
    while (text.ptr[at] != '{' && end + 1 < text.len && text.ptr[end + 1] == ' ') {
        end = lc_str_find(text, end + 1, '\n');
        ++*lines;
    }
    return end;
}

void lc_log_read(lc_log *log, lc_arena *arena, lc_str file, lc_str text, const lc_limits *limits,
                 lc_diags *diags)
{
    reader r = {log, arena, lc_arena_new(), file, limits, diags};
    uint32_t number = 1, lines;
    text = lc_without_bom(text);
    if (lc_str_starts_with(text, LC_STR("\xFF\xFE")) ||
        lc_str_starts_with(text, LC_STR("\xFE\xFF")))
        lc_diag_error(diags, (lc_loc){file, 1, 1}, "this log is UTF-16; logs are read as UTF-8");
    for (size_t at = 0; at < text.len; number += lines) {
        size_t end = lc_log_line_end(text, at, &lines), last = end;
        while (last > at && text.ptr[last - 1] == '\r')
            last--;
        lc_str one = lc_str_sub(text, at, last);
        lc_loc loc = {file, number, 1};
        if (one.len && one.ptr[0] == '{')
            take_json(&r, one, loc);
        else if (one.len)
            take_text(&r, one, loc);
        if (end == text.len && one.len && one.ptr[0] != '{' && lc_looks_like_log(one))
            lc_diag_warning(diags, loc,
                            "the log ends in the middle of this line, or right after it");
        lc_arena_reset(r.scratch);
        at = end + 1;
    }
    log->lines += number - 1;
    lc_arena_free(r.scratch);
}

/* A file is identified by device and inode, so that it is read once regardless of its name. */
bool lc_log_open(lc_log *log, lc_arena *arena, lc_str path, const lc_limits *limits,
                 lc_diags *diags)
{
    struct stat info;
    lc_str text;
    if (stat(lc_str_to_c(arena, path), &info) == 0) {
        lc_str which = lc_str_printf(arena, "%llu %llu", (unsigned long long)info.st_dev,
                                     (unsigned long long)info.st_ino);
        if (lc_table_put(&log->files, which, log))
            return true;
    }
    if (lc_file_read(&text, arena, path, limits->input_bytes, diags) != LC_OK)
        return false;
    lc_log_read(log, arena, path, text, limits, diags);
    return true;
}

void lc_log_open_named(lc_log *log, lc_arena *arena, lc_str path, const lc_limits *limits,
                       lc_diags *diags)
{
    size_t errors = diags->errors;
    if (lc_log_open(log, arena, path, limits, diags) && diags->errors == errors &&
        log->calls.count == 0 && log->logged.list.count == 0)
        lc_diag_error(diags, (lc_loc){path, 1, 1},
                      "this log has no line of the provider protocol and no violation; "
                      "TF_LOG=JSON writes them");
}
