/* A copy of a capture directory: the same data files with tokens instead of values, the logs with
 * the lines about calls only, and the schema documents as they are. */
#include "lifecheck/recording/capture.h"
#include "redact/redact.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/json.h"

#include <string.h>

typedef struct copier {
    lc_capture capture;
    lc_tokens tokens;
    lc_arena *scratch; /* of a group, a file, a line */
    lc_table done;     /* names of data files that were written */
    lc_table readable; /* IDs of calls all of whose values could be decoded */
    uint64_t emptied;
    lc_redacted_take take;
    void *context;
    bool failed;
} copier;

static void give(copier *c, lc_str name, lc_str bytes)
{
    if (!c->failed)
        c->failed = !c->take(c->context, name, bytes);
}

/* ---- Data files. */

static bool decodes(const copier *c, const lc_data_group *g, const lc_schema *schema)
{
    for (size_t i = 0; i < g->count; i++) {
        lc_str bytes;
        const lc_value *v;
        lc_wire_result result;
        if (!lc_str_is(g->parts[i]->extension, "msgpack"))
            continue;
        if (!lc_data_file_read(&bytes, c->scratch, &c->capture, g->parts[i]) ||
            !lc_msgpack_decode(&v, c->scratch, bytes, schema->block->implied, &result))
            return false;
    }
    return true;
}

/* The provider that the log names, else the only one whose configuration schema fits. */
static const lc_schema *provider_of(const copier *c, const lc_data_group *g)
{
    const lc_schema *found = NULL;
    for (size_t i = 0; i < c->capture.providers.count; i++) {
        const lc_schema *s = c->capture.providers.items[i];
        bool named = g->provider.len && lc_str_eq(s->provider, g->provider);
        if ((g->provider.len && !named) || !decodes(c, g, s))
            continue;
        if (found && !lc_str_eq(found->provider, s->provider))
            return NULL;
        found = found ? found : s; /* several documents: the first one counts */
    }
    return found;
}

static lc_str redacted_part(copier *c, const lc_data_file *file, const lc_schema *schema)
{
    lc_str bytes;
    bool json = lc_str_is(file->extension, "json");
    if (!lc_data_file_read(&bytes, c->scratch, &c->capture, file)) {
        c->failed = true;
        return LC_STR_EMPTY;
    }
    if (bytes.len == 0)
        return bytes;
    if (file->extension.len == 0)
        return lc_token_text(&c->tokens, bytes);
    /* no document has the schema of provider_meta */
    bool readable = schema && !lc_str_is(file->field, "ProviderMeta");
    c->emptied += !readable && bytes.len > 1;
    return lc_tokens_redact_bytes(&c->tokens, c->scratch, readable ? schema->block : NULL,
                                  readable ? schema->block->implied : NULL, bytes, json);
}

static void write_part(copier *c, const lc_data_file *file, const lc_schema *schema)
{
    if (lc_table_put(&c->done, file->name, c))
        return;
    lc_str bytes = redacted_part(c, file, schema);
    give(c, file->name, bytes);
}

static void write_group(void *context, const lc_data_group *g)
{
    copier *c = context;
    lc_pj_rpc rpc = lc_pj_rpc_of(g->rpc);
    bool provider = lc_redact_is_provider_call(g->rpc), all = c->tokens.all;
    const lc_schema *schema = provider ? provider_of(c, g)
                              : rpc >= LC_PJ_UPGRADE && g->count
                                  ? lc_data_group_schema(&c->capture, rpc, g)
                                  : NULL;
    c->tokens.all = all || provider;
    for (size_t i = 0; i < g->count; i++)
        write_part(c, g->parts[i], schema);
    c->tokens.all = all;
    if (g->logged && schema && !provider && !g->incomplete)
        lc_table_put(&c->readable, g->logged->id, c);
    lc_arena_reset(c->scratch);
}

/* Writes the files that were not paired with certainty. */
static void write_rest(copier *c)
{
    for (size_t i = 0; i < c->capture.files.count; i++) {
        write_part(c, &c->capture.files.items[i], NULL);
        lc_arena_reset(c->scratch);
    }
}

/* ---- Logs. */

static const char *const messages[] = {
    "Received request",
    "Sending request downstream",
    "Received downstream response",
    "Received downstream deferred response",
    "Response contains error diagnostic",
    "Response contains warning diagnostic",
    "Response contains unknown diagnostic",
    "Announced client capabilities",
    "No announced client capabilities",
    "Announced server capabilities",
    "Wrote protocol data file",
    "Served request",
    "Error from downstream",
};

/* The message of a line, as the SDK words it; NULL: the line is not copied. */
static const char *message_of(lc_str text)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        if (lc_str_starts_with(text, lc_str_from_c(messages[i])) &&
            (lc_str_is(text, messages[i]) || i + 1 == sizeof messages / sizeof *messages))
            return messages[i];
    }
    return NULL;
}

static bool is_plain(lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!(lc_is_alnum(c) || (c && strchr("_-.:/+@", c))))
            return false;
    }
    return text.len > 0 && text.len <= 256;
}

/* A path as the SDK prints it. Names of attributes stay, keys are data. */
static lc_str redact_path(copier *c, lc_str text)
{
    static const char key[] = "ElementKeyString(\"";
    lc_buf out = {0};
    size_t at = 0;
    while (at < text.len) {
        lc_str rest = lc_str_sub(text, at, text.len);
        if (lc_str_starts_with(rest, LC_STR("ElementKeyValue(")))
            break; /* a whole value, to the end of the line */
        if (!lc_str_starts_with(rest, lc_str_from_c(key))) {
            lc_buf_add_char(&out, text.ptr[at++]);
            continue;
        }
        size_t from = at + sizeof key - 1, end = from;
        while (end < text.len && text.ptr[end] != '"')
            end += text.ptr[end] == '\\' ? 2 : 1;
        end = end < text.len ? end : text.len;
        lc_str word = lc_str_sub(text, from, end);
        bool secret = c->tokens.all || lc_table_get(&c->tokens.texts, word);
        lc_buf_add_c(&out, key);
        lc_buf_add_str(&out, secret ? lc_token_text(&c->tokens, word)
                                    : lc_tokens_redact(&c->tokens, c->scratch, word));
        at = end;
    }
    return lc_buf_take(c->scratch, &out);
}

static bool is_structural(lc_str key)
{
    static const char *const keys[] = {"@level",
                                       "@module",
                                       "@timestamp",
                                       "timestamp",
                                       "tf_proto_version",
                                       "tf_provider_addr",
                                       "tf_req_id",
                                       "tf_req_duration_ms",
                                       "tf_resource_type",
                                       "tf_rpc",
                                       "tf_data_source_type",
                                       "tf_ephemeral_resource_type",
                                       "tf_action_type",
                                       "diagnostic_error_count",
                                       "diagnostic_warning_count",
                                       "diagnostic_severity",
                                       "tf_deferred_reason",
                                       NULL};
    return lc_str_is_one_of(key, keys, NULL) ||
           lc_str_starts_with(key, LC_STR("tf_server_capability_")) ||
           lc_str_starts_with(key, LC_STR("tf_client_capability_"));
}

/* The replacement of a field's value; false: the field is left out. */
static bool redact_member(copier *c, lc_str *out, const lc_log_pair *pair, bool readable)
{
    *out = pair->value;
    if (is_structural(pair->key)) { /* what is not a word may be anything, but equal ones stay so */
        if (!is_plain(pair->value))
            *out = lc_token_text(&c->tokens, pair->value);
        return is_plain(pair->key);
    }
    if (lc_str_is(pair->key, "tf_proto_data_file")) {
        lc_data_file file;
        *out = lc_foreign_file_name(pair->value);
        return lc_data_file_parse(&file, *out);
    }
    if (lc_str_is(pair->key, "diagnostic_attribute")) {
        *out = redact_path(c, pair->value);
        return true;
    }
    if (!lc_str_is(pair->key, "diagnostic_summary") && !lc_str_is(pair->key, "diagnostic_detail"))
        return false;
    /* if the call's values could not be decoded, it is unknown what the text quotes */
    *out = readable ? lc_tokens_redact(&c->tokens, c->scratch, pair->value)
                    : lc_token_text(&c->tokens, pair->value);
    return true;
}

static void write_line(copier *c, lc_buf *out, const lc_log_line *line)
{
    const char *message = message_of(line->message);
    lc_json w = {.out = out};
    bool readable = lc_table_get(&c->readable, lc_log_line_get(line, "tf_req_id")) != NULL;
    if (!message)
        return;
    lc_json_object(&w, NULL);
    lc_json_c(&w, "@message", message);
    for (size_t i = 0; i < line->count; i++) {
        lc_str value;
        if (!redact_member(c, &value, &line->pairs[i], readable))
            continue;
        lc_json_key(&w, line->pairs[i].key);
        lc_json_str(&w, NULL, value);
    }
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
}

/* ---- What the core reports about violations: `- .path: was cty.StringVal("a"), but now ...`. */

static size_t quote_end(lc_str s, size_t at)
{
    for (at++; at < s.len && s.ptr[at] != '"'; at++)
        at += s.ptr[at] == '\\';
    return at < s.len ? at : s.len;
}

/* Strings in quotes are values; those before the first colon are keys of the path. */
static void redact_bullet(copier *c, lc_buf *out, lc_str s)
{
    static const lc_str number = {"cty.Number", sizeof "cty.Number" - 1};
    bool behind = false;
    for (size_t at = 0; at < s.len; at++) {
        lc_str rest = lc_str_sub(s, at, s.len);
        behind |= lc_str_starts_with(rest, LC_STR(": "));
        if (s.ptr[at] == '"') {
            size_t end = quote_end(s, at);
            lc_str word = lc_str_sub(s, at + 1, end);
            bool secret = behind || c->tokens.all || lc_table_get(&c->tokens.texts, word);
            lc_buf_add_char(out, '"');
            lc_buf_add_str(out, secret ? lc_token_text(&c->tokens, word) : word);
            lc_buf_add_c(out, end < s.len ? "\"" : "");
            at = end;
        } else if (behind && lc_str_starts_with(rest, number)) {
            while (at < s.len && s.ptr[at] != '(')
                lc_buf_add_char(out, s.ptr[at++]);
            lc_buf_add_c(out, "(0");
            while (at + 1 < s.len && s.ptr[at + 1] != ')')
                at++;
        } else {
            lc_buf_add_char(out, s.ptr[at]);
        }
    }
}

/* Redacts a message of the core line by line; bullets contain values. */
static lc_str redact_core(copier *c, lc_str text)
{
    lc_buf out = {0};
    for (size_t at = 0; at <= text.len;) {
        size_t end = lc_str_find(text, at, '\n'), from = at;
        while (from < end && text.ptr[from] == ' ')
            from++;
        lc_str one = lc_str_sub(text, at, end);
        lc_buf_add_c(&out, at ? "\n" : "");
        if ((from < end && text.ptr[from] == '-') || lc_log_contains(one, "cty."))
            redact_bullet(c, &out, one);
        else
            lc_buf_add_str(&out, one); /* names of types and instances */
        at = end + 1;
    }
    return lc_buf_take(c->scratch, &out);
}

static void write_core(copier *c, lc_buf *out, lc_str text)
{
    lc_source source;
    lc_diags quiet;
    lc_limits limits = c->capture.store->limits;
    lc_diags_init(&quiet, c->scratch);
    if (text.ptr[0] != '{') {
        lc_buf_add_str(out, redact_core(c, text));
        lc_buf_add_char(out, '\n');
        return;
    }
    if (lc_json_parse(&source, c->scratch, LC_STR_EMPTY, text, &limits, &quiet) != LC_OK ||
        source.documents[0].kind != LC_NODE_MAPPING)
        return;
    const lc_node *message = lc_node_get(&source.documents[0], "@message");
    if (!message || message->kind != LC_NODE_STRING)
        return;
    lc_json w = {.out = out};
    lc_json_object(&w, NULL);
    lc_json_c(&w, "@level", "warn");
    lc_json_str(&w, "@message", redact_core(c, message->as.text));
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
}

static void write_log(copier *c, lc_str path, lc_str name)
{
    lc_limits limits = c->capture.store->limits;
    lc_arena *arena = lc_arena_new();
    lc_log_line line;
    lc_str text;
    lc_buf out = {0};
    size_t all = 0, kept = 0;
    if (lc_file_read(&text, arena, path, limits.input_bytes, c->capture.diags) != LC_OK)
        c->failed = true;
    for (size_t at = 0; at < text.len;) {
        uint32_t lines = 1;
        size_t end = lc_log_line_end(text, at, &lines), before = out.len;
        lc_str one = lc_str_sub(text, at, end);
        if (one.len && lc_log_is_core(one))
            write_core(c, &out, one);
        else if (one.len && lc_log_line_read(&line, c->scratch, one, &limits))
            write_line(c, &out, &line);
        all += lines;
        kept += out.len > before ? lines : 0;
        lc_arena_reset(c->scratch);
        at = end + 1;
    }
    if (kept < all)
        lc_diag_warning(c->capture.diags, (lc_loc){path, 0, 0},
                        "%zu of %zu lines have no files, diagnostics or capabilities of a call and "
                        "are left out",
                        all - kept, all);
    give(c, name, lc_buf_str(&out));
    lc_buf_release(&out);
    lc_arena_free(arena);
}

/* ---- The whole. */

/* In a folder of their own several are read in order of names, which is to stay as it was. */
static lc_str name_of(copier *c, const lc_paths *paths, size_t i, const char *ending)
{
    lc_str name = lc_foreign_file_name(paths->items[i]);
    bool fits = lc_str_ends_with(name, lc_str_from_c(ending));
    if (paths->count == 1 && fits)
        return name;
    const char *joint = fits || *ending == '.' ? "" : "-";
    return lc_str_printf(c->capture.arena, "%02zu-%.*s%s%s", i + 1, LC_FMT(name), joint,
                         fits ? "" : ending);
}

static void write_logs(copier *c)
{
    for (size_t i = 0; i < c->capture.logs.count && !c->failed; i++)
        write_log(c, c->capture.logs.items[i], name_of(c, &c->capture.logs, i, ".log"));
}

static void write_schemas(copier *c)
{
    lc_limits limits = c->capture.store->limits;
    const lc_paths *paths = &c->capture.documents;
    for (size_t i = 0; i < paths->count && !c->failed; i++) {
        lc_arena *arena = lc_arena_new();
        lc_str text;
        if (lc_file_read(&text, arena, paths->items[i], limits.input_bytes, c->capture.diags) !=
            LC_OK)
            c->failed = true;
        give(c, name_of(c, paths, i, "schema.json"), text);
        lc_arena_free(arena);
    }
}

/* What the clients' contract calls an error here only means that less can be read. */
static void warn(lc_diags *diags, const lc_diags *found)
{
    for (size_t i = 0; i < found->count; i++)
        lc_diag_warning(diags, found->items[i].loc, "%.*s", LC_FMT(found->items[i].message));
}

static void write_all(copier *c)
{
    lc_capture_pair(&c->capture);
    write_rest(c);
    write_logs(c);
    write_schemas(c);
    if (c->emptied)
        lc_diag_warning(c->capture.diags, (lc_loc){c->capture.folder, 0, 0},
                        "%llu data file%s that cannot be read without a schema %s emptied",
                        (unsigned long long)c->emptied, c->emptied == 1 ? "" : "s",
                        c->emptied == 1 ? "is" : "are");
}

bool lc_redact_capture(lc_arena *arena, lc_schema_store *store, lc_str folder,
                       const lc_redact_options *options, lc_diags *diags, lc_redacted_take take,
                       void *context)
{
    lc_diags found;
    copier c = {.capture = {.arena = arena, .store = store, .folder = folder, .diags = &found},
                .take = take,
                .context = context};
    c.capture.take = write_group;
    c.capture.context = &c;
    c.scratch = lc_arena_new();
    lc_diags_init(&found, arena);
    lc_tokens_init(&c.tokens, arena, options->all, store->limits);
    lc_table_init(&c.done, arena);
    lc_table_init(&c.readable, arena);
    lc_capture_open(&c.capture, &options->capture);
    c.failed = c.capture.files.count == 0 || c.capture.docs.count == 0;
    if (!c.failed)
        write_all(&c);
    warn(diags, &found);
    lc_arena_free(c.scratch);
    return !c.failed;
}
