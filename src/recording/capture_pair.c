/* Pairs the files of a capture directory into groups, one for each call: by the log if there is
 * one, else by the order in which the SDK writes the fields of a call. What cannot be paired for
 * certain is reported and left out. */
#include "lifecheck/recording/capture.h"

#include "lifecheck/base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static lc_str path_of(const lc_capture *c, lc_str name)
{
    return lc_str_printf(c->arena, "%.*s/%.*s", LC_FMT(c->folder), LC_FMT(name));
}

lc_loc lc_data_file_loc(const lc_capture *c, const lc_data_file *file)
{
    return (lc_loc){path_of(c, file->name), 0, 0};
}

/* ---- Types. */

static void each_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    lc_capture *c = context;
    const lc_schema *schema;
    lc_diags quiet;
    lc_diags_init(&quiet, c->arena);
    if (lc_schema_doc_get(&schema, c->docs.items[c->docs.count - 1], kind, provider, type,
                          (lc_loc){c->folder, 0, 0}, &quiet) != LC_OK)
        return;
    if (kind == LC_KIND_PROVIDER)
        *LC_PUSH(c->arena, &c->providers, const lc_schema *) = schema;
    else
        *LC_PUSH(c->arena, &c->schemas, const lc_schema *) = schema;
}

const lc_schema *lc_capture_schema(const lc_capture *c, lc_schema_kind kind, lc_str provider,
                                   lc_str type)
{
    const lc_schema *found = NULL;
    for (size_t i = 0; i < c->schemas.count; i++) {
        const lc_schema *s = c->schemas.items[i];
        if (s->kind != kind || !lc_str_eq(s->type_name, type))
            continue;
        if (provider.len == 0 || lc_str_eq(s->provider, provider))
            return s;
        found = found ? found : s;
    }
    return found;
}

bool lc_data_file_read(lc_str *out, lc_arena *arena, const lc_capture *c, const lc_data_file *file)
{
    *out = LC_STR_EMPTY;
    if (lc_str_is(file->extension, "empty"))
        return true;
    lc_limits limits = c->store->limits;
    return lc_file_read(out, arena, path_of(c, file->name), limits.input_bytes, c->diags) == LC_OK;
}

/* Do all values in this part of the group decode by the schema? Nulls fit any schema. */
static bool fits(const lc_capture *c, lc_arena *scratch, const lc_data_group *g,
                 lc_capture_part part, const lc_schema *schema, bool *any)
{
    for (size_t i = 0; i < g->count; i++) {
        lc_str bytes;
        const lc_value *v;
        lc_wire_result result;
        const lc_data_file *file = g->parts[i];
        if (file->part != part || !lc_str_is(file->extension, "msgpack") ||
            lc_str_is(file->field, "ProviderMeta") ||
            !lc_data_file_read(&bytes, scratch, c, file) || bytes.len < 2)
            continue;
        *any = true;
        if (!lc_msgpack_decode(&v, scratch, bytes, schema->block->implied, &result))
            return false;
    }
    return true;
}

static size_t find_fitting(const lc_capture *c, lc_schema_kind kind, const lc_data_group *g,
                           lc_capture_part part, const lc_schema **found)
{
    size_t count = 0;
    bool any = false;
    for (size_t i = 0; i < c->schemas.count; i++) {
        lc_arena *scratch = lc_arena_new();
        const lc_schema *s = c->schemas.items[i];
        if (s->kind == kind && fits(c, scratch, g, part, s, &any)) {
            *found = s;
            count++;
        }
        lc_arena_free(scratch);
    }
    return any ? count : SIZE_MAX;
}

/* Without a log the type is the only one whose schema fits the values. Requests are tried first,
 * since they come from the client; a response is what is judged, and may be wrong. */
static const lc_schema *schema_fitting(lc_capture *c, lc_schema_kind kind, const lc_data_group *g)
{
    const lc_schema *found = NULL;
    size_t count = find_fitting(c, kind, g, LC_CAPTURE_REQUEST, &found);
    if (count == SIZE_MAX)
        count = find_fitting(c, kind, g, LC_CAPTURE_RESPONSE, &found);
    if (count == 1)
        return found;
    lc_diag_warning(c->diags, lc_data_file_loc(c, g->parts[0]),
                    count == SIZE_MAX
                        ? "a %.*s call without a value does not show its type; a log would"
                    : count ? "this %.*s call fits several types; a log would show which"
                            : "this %.*s call fits no type of the schemas",
                    LC_FMT(g->rpc));
    return NULL;
}

const lc_schema *lc_data_group_schema(lc_capture *c, lc_pj_rpc rpc, const lc_data_group *g)
{
    lc_schema_kind kind = lc_pj_kind_of(rpc);
    if (g->type.len == 0)
        return schema_fitting(c, kind, g);
    const lc_schema *schema = lc_capture_schema(c, kind, g->provider, g->type);
    if (!schema && !lc_table_put(&c->logged, g->type, c))
        lc_diag_error(c->diags, (lc_loc){c->folder, 0, 0},
                      "no schema for \"%.*s\": its calls are not checked; put the schema document "
                      "next to the capture or name it with --schema",
                      LC_FMT(g->type));
    return schema;
}

/* ---- Pairing by the log. */

static void add_part(lc_data_group *g, const lc_data_file *file)
{
    if (g->count < sizeof g->parts / sizeof *g->parts)
        g->parts[g->count++] = file;
}

static void warn_of(const lc_capture *c, const lc_log_call *logged, size_t count, const char *what)
{
    if (count)
        lc_diag_warning(c->diags, logged->loc, "data files of this %.*s call %s: %zu",
                        LC_FMT(logged->rpc), what, count);
}

/* File names contain milliseconds only. If two calls wrote the same file, it is not known whose
 * bytes it holds, so nothing may be concluded from it. */
static void add_logged(lc_capture *c, const lc_log_call *logged)
{
    lc_data_group g = {
        .rpc = logged->rpc, .type = logged->type, .provider = logged->provider, .logged = logged};
    size_t missing = 0, shared = 0;
    for (size_t i = 0; i < logged->files.count; i++) {
        lc_str name = logged->files.items[i];
        lc_data_file *file = lc_table_get(&c->by_name, name);
        bool doubtful = lc_table_get(&c->log.shared, name) != NULL;
        if (file)
            file->claimed = true;
        missing += !file;
        shared += file && doubtful;
        if (file && !doubtful)
            add_part(&g, file);
    }
    warn_of(c, logged, missing, "are missing, and it is incomplete");
    warn_of(c, logged, shared,
            "were also written by another call in the same millisecond, and are left out");
    g.incomplete = missing + shared > 0;
    c->take(c->context, &g);
}

/* ---- Pairing by the order of files. */

static int by_time(const void *a, const void *b)
{
    const lc_data_file *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    unsigned i = lc_data_file_rank(x), k = lc_data_file_rank(y);
    return i != k ? (i < k ? -1 : 1) : lc_str_cmp(x->name, y->name);
}

static bool has_part(const lc_data_group *g, const lc_data_file *file)
{
    for (size_t i = 0; i < g->count; i++) {
        if (g->parts[i]->part == file->part && lc_str_eq(g->parts[i]->field, file->field))
            return file->part != LC_CAPTURE_IMPORTED;
    }
    return false;
}

static bool answered(const lc_data_group *g)
{
    return g->count && g->parts[g->count - 1]->part != LC_CAPTURE_REQUEST;
}

/* Does the file begin another call of the same RPC? */
static bool begins(const lc_data_group *g, const lc_data_file *file)
{
    return has_part(g, file) || (file->part == LC_CAPTURE_REQUEST && answered(g));
}

typedef LC_VEC(lc_data_group) groups;

static void end_group(lc_capture *c, groups *ended, lc_data_group *g)
{
    if (g->count)
        *LC_PUSH(c->arena, ended, lc_data_group) = *g;
    g->count = 0;
    g->incomplete = false;
}

static void give_group(const lc_capture *c, const lc_data_group *g)
{
    if (g->incomplete)
        lc_diag_warning(c->diags, lc_data_file_loc(c, g->parts[0]),
                        "%.*s calls overlap here, and without a log their files cannot be "
                        "distinguished: they are left out",
                        LC_FMT(g->rpc));
    else
        c->take(c->context, g);
}

/* Files are sorted by time, so the address of the first one orders groups. */
static int by_first_file(const void *a, const void *b)
{
    const lc_data_group *x = a, *y = b;
    return (x->parts[0] > y->parts[0]) - (x->parts[0] < y->parts[0]);
}

#define MAX_METHODS 32 /* RPCs with an unfinished call at one time */

static void add_file(lc_capture *c, groups *ended, lc_data_group *open, size_t *count,
                     const lc_data_file *file)
{
    size_t i = 0;
    while (i < *count && !lc_str_eq(open[i].rpc, file->rpc))
        i++;
    if (i == MAX_METHODS)
        return;
    if (i == *count)
        open[(*count)++] =
            (lc_data_group){.rpc = file->rpc, .type = LC_STR_EMPTY, .provider = LC_STR_EMPTY};
    lc_data_group *g = &open[i];
    /* A second request before the response to the first: two calls overlap. */
    if (file->part == LC_CAPTURE_REQUEST && has_part(g, file) && !answered(g) && g->count > 1)
        g->incomplete = true;
    else if (begins(g, file))
        end_group(c, ended, g);
    add_part(g, file);
}

static void pair_by_order(lc_capture *c)
{
    lc_data_group *open = LC_NEW_ARRAY(c->arena, lc_data_group, MAX_METHODS);
    groups ended = {0};
    size_t count = 0, unclaimed = 0;
    for (size_t i = 0; i < c->files.count; i++) {
        if (c->files.items[i].claimed)
            continue;
        unclaimed++;
        add_file(c, &ended, open, &count, &c->files.items[i]);
    }
    for (size_t i = 0; i < count; i++)
        end_group(c, &ended, &open[i]);
    /* Each group was ended by the next call of its own RPC, so they are not in order of time. */
    if (ended.count)
        qsort(ended.items, ended.count, sizeof *ended.items, by_first_file);
    for (size_t i = 0; i < ended.count; i++)
        give_group(c, &ended.items[i]);
    if (unclaimed && c->log.calls.count)
        lc_diag_warning(c->diags, (lc_loc){c->folder, 0, 0},
                        "%zu data file%s appear%s in no line of the log and %s paired by order",
                        unclaimed, unclaimed == 1 ? "" : "s", unclaimed == 1 ? "s" : "",
                        unclaimed == 1 ? "is" : "are");
}

/* ---- The folder and its neighbours. */

static bool list_files(lc_capture *c)
{
    lc_str *names;
    size_t count;
    if (!lc_folder_list(&names, &count, c->arena, c->folder)) {
        lc_diag_error(c->diags, (lc_loc){c->folder, 0, 0}, "%s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        lc_data_file file;
        if (lc_data_file_parse(&file, names[i]))
            *LC_PUSH(c->arena, &c->files, lc_data_file) = file;
    }
    if (c->files.count)
        qsort(c->files.items, c->files.count, sizeof(lc_data_file), by_time);
    lc_table_init(&c->by_name, c->arena);
    for (size_t i = 0; i < c->files.count; i++)
        lc_table_put(&c->by_name, c->files.items[i].name, &c->files.items[i]);
    return true;
}

static bool is_listed(const lc_paths *paths, lc_str path)
{
    for (size_t i = 0; i < paths->count; i++) {
        if (lc_str_eq(paths->items[i], path))
            return true;
    }
    return false;
}

static void read_log(lc_capture *c, lc_str path, bool named)
{
    const lc_limits *limits = &c->store->limits;
    size_t files = c->log.files.count;
    if (named)
        lc_log_open_named(&c->log, c->arena, path, limits, c->diags);
    else
        lc_log_open(&c->log, c->arena, path, limits, c->diags);
    if (c->log.files.count > files)
        *LC_PUSH(c->arena, &c->logs, lc_str) = path;
}

static void open_schema(lc_capture *c, lc_str path)
{
    lc_schema_doc *doc = lc_schema_store_add(c->store, path, c->diags);
    if (!doc || is_listed(&c->documents, path))
        return;
    *LC_PUSH(c->arena, &c->documents, lc_str) = path;
    *LC_PUSH(c->arena, &c->docs, lc_schema_doc *) = doc;
    lc_schema_doc_each(doc, each_type, c);
}

/* Logs and schema documents in a folder, in order of names. */
static void look_in(lc_capture *c, lc_str folder, bool logs, bool documents)
{
    lc_str *names;
    size_t count;
    lc_folder_list(&names, &count, c->arena, folder);
    for (size_t i = 0; i < count; i++) {
        lc_str path = lc_str_printf(c->arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(names[i]));
        if (logs && lc_str_ends_with(path, LC_STR(".log")))
            read_log(c, path, false);
        else if (documents && lc_str_ends_with(path, LC_STR("schema.json")))
            open_schema(c, path);
        else if (lc_str_ends_with(path, LC_STR(".json")) ||
                 lc_str_ends_with(path, LC_STR(".tfstate")))
            *LC_PUSH(c->arena, &c->evidence, lc_str) = path;
    }
}

void lc_capture_open(lc_capture *c, const lc_capture_options *options)
{
    lc_log_init(&c->log, c->arena);
    lc_table_init(&c->logged, c->arena);
    if (!list_files(c))
        return;
    if (c->files.count == 0) {
        lc_diag_error(c->diags, (lc_loc){c->folder, 0, 0},
                      "no data files are in this folder: TF_LOG_SDK_PROTO_DATA_DIR=DIR terraform "
                      "apply writes them");
        return;
    }
    for (size_t i = 0; i < options->schema_count; i++)
        open_schema(c, options->schemas[i]);
    if (options->log.len)
        read_log(c, options->log, true);
    size_t logs = c->logs.count, documents = c->documents.count;
    look_in(c, c->folder, true, true);
    /* The contents of the folder are complete; the folders around it may hold anything. */
    look_in(c, lc_file_folder(c->folder), c->logs.count == logs, c->documents.count == documents);
    if (c->log.files.count)
        lc_log_summarize(&c->log, options->used, LC_STR("log"));
    if (c->docs.count == 0)
        lc_diag_error(c->diags, (lc_loc){c->folder, 0, 0},
                      "no schema document next to the capture, and none named with --schema");
}

void lc_capture_pair(lc_capture *c)
{
    for (size_t i = 0; i < c->log.calls.count; i++)
        add_logged(c, c->log.calls.items[i]);
    pair_by_order(c);
}
