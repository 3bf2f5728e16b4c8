/* Logs: what the SDK tells of each call beside its data files (captures section 3). Lines are JSON
 * or text; a line counts if it has tf_rpc and comes from sdk.proto. */
#include "capture.h"

#include "lifecheck/arena.h"

#include <string.h>

void lc_log_init(lc_log *log, lc_arena *arena)
{
    memset(log, 0, sizeof *log);
    lc_table_init(&log->by_id, arena);
    lc_table_init(&log->writer, arena);
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

static bool contains(lc_str text, const char *word)
{
    lc_str w = lc_str_from_c(word);
    for (size_t i = 0; i + w.len <= text.len; i++) {
        if (text.ptr[i] == w.ptr[0] && memcmp(text.ptr + i, w.ptr, w.len) == 0)
            return true;
    }
    return false;
}

/* ---- JSON lines. */

static bool read_json(lc_log_line *out, lc_arena *arena, lc_str text, const lc_limits *limits)
{
    lc_source source;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    if (lc_json_parse(&source, arena, LC_STR_EMPTY, text, limits, &quiet) != LC_OK ||
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

/* ---- Text lines: `TIME [LEVEL] NAME: MESSAGE: key=value key="a b" ...` */

static size_t skip_to(lc_str s, size_t at, char c)
{
    while (at < s.len && s.ptr[at] != c)
        at++;
    return at;
}

static lc_str unquote(lc_arena *arena, lc_str s, size_t *at)
{
    lc_buf out = {0};
    for (++*at; *at < s.len && s.ptr[*at] != '"'; ++*at) {
        if (s.ptr[*at] == '\\' && *at + 1 < s.len)
            ++*at;
        lc_buf_add_char(&out, s.ptr[*at]);
    }
    *at += *at < s.len;
    lc_str text = lc_buf_copy(arena, &out);
    lc_buf_release(&out);
    return text;
}

static bool is_key_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '@' || c == '-' || c == '.';
}

static void read_pairs(lc_log_line *out, lc_arena *arena, lc_str s)
{
    size_t at = 0;
    while (at < s.len) {
        size_t key = at;
        while (at < s.len && is_key_char(s.ptr[at]))
            at++;
        if (at == s.len || s.ptr[at] != '=' || at == key) {
            at = skip_to(s, at, ' ') + 1;
            continue;
        }
        lc_str name = lc_str_sub(s, key, at++);
        if (at < s.len && s.ptr[at] == '"') {
            put(out, name, unquote(arena, s, &at));
        } else {
            size_t end = skip_to(s, at, ' ');
            put(out, name, lc_str_sub(s, at, end));
            at = end;
        }
        at++;
    }
}

static bool read_text(lc_log_line *out, lc_arena *arena, lc_str s)
{
    size_t level = skip_to(s, 0, '[');
    size_t name = skip_to(s, skip_to(s, level, ']'), ':');
    if (name + 2 >= s.len)
        return false;
    lc_str rest = lc_str_sub(s, name + 2, s.len);
    size_t colon = skip_to(rest, 0, ':');
    if (colon == rest.len)
        return false;
    out->message = lc_str_sub(rest, 0, colon);
    read_pairs(out, arena, lc_str_sub(rest, colon + 1 < rest.len ? colon + 2 : rest.len, rest.len));
    return true;
}

/* ---- What a line tells. */

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

static lc_str base_name(lc_str path)
{
    size_t from = path.len;
    while (from && path.ptr[from - 1] != '/' && path.ptr[from - 1] != '\\')
        from--;
    return lc_str_sub(path, from, path.len);
}

static void wrote(lc_log *log, lc_arena *arena, lc_log_call *call, lc_str path)
{
    lc_str name = lc_str_copy(arena, base_name(path));
    lc_log_call *before = lc_table_put(&log->writer, name, call);
    *LC_PUSH(arena, &call->files, lc_str) = name;
    if (before)
        *LC_PUSH(arena, &log->overwritten, lc_str) = name;
}

/* `AttributeName("ports").ElementKeyInt(40)` */
static bool read_attribute(lc_path *out, lc_arena *arena, lc_str text)
{
    LC_VEC(lc_step) steps = {0};
    size_t at = 0;
    while (at < text.len) {
        size_t open = skip_to(text, at, '('), close = skip_to(text, open, ')');
        if (close == text.len)
            break;
        lc_str word = lc_str_sub(text, at, open), arg = lc_str_sub(text, open + 1, close);
        bool quoted = arg.len >= 2 && arg.ptr[0] == '"';
        lc_str inner = lc_str_copy(arena, quoted ? lc_str_sub(arg, 1, arg.len - 1) : arg);
        lc_step step = {LC_STEP_ATTR, inner, 0, NULL};
        if (lc_str_is(word, "ElementKeyValue"))
            break; /* an element of a set, as Go prints it: the place is the set */
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
    } else if (lc_str_starts_with(l->message, LC_STR("Error from downstream"))) {
        call->failed = true;
    }
}

bool lc_log_line_read(lc_log_line *out, lc_arena *arena, lc_str text, const lc_limits *limits)
{
    *out = (lc_log_line){.message = LC_STR_EMPTY};
    if (!contains(text, "tf_rpc") || !contains(text, "sdk.proto"))
        return false;
    bool ok =
        text.ptr[0] == '{' ? read_json(out, arena, text, limits) : read_text(out, arena, text);
    return ok && lc_log_line_get(out, "tf_rpc").len &&
           lc_str_is(lc_log_line_get(out, "@module"), "sdk.proto");
}

void lc_log_read(lc_log *log, lc_arena *arena, lc_str file, lc_str text, const lc_limits *limits)
{
    lc_arena *scratch = lc_arena_new();
    lc_log_line line;
    uint32_t number = 0;
    for (size_t at = 0; at < text.len;) {
        size_t end = skip_to(text, at, '\n');
        number++;
        if (end > at && lc_log_line_read(&line, scratch, lc_str_sub(text, at, end), limits))
            take(log, arena, &line, (lc_loc){file, number, 1});
        lc_arena_reset(scratch);
        at = end + 1;
    }
    log->lines += number;
    lc_arena_free(scratch);
}
