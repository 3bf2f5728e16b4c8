/* A capture directory to calls: paired by the log where there is one, else by the order in which
 * the SDK writes the fields of a call. What cannot be paired for certain is told and left out. */
#include "capture.h"

#include "addresses.h"
#include "lifecheck/arena.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct capture {
    lc_arena *arena;
    lc_schema_store *store;
    lc_str folder;
    lc_diags *diags;
    lc_chains *chains;
    lc_log log;
    LC_VEC(lc_data_file) files;
    lc_table by_name;
    LC_VEC(lc_schema_doc *) docs;
    LC_VEC(lc_str) doc_paths, evidence; /* evidence: what may be a plan or a state */
    LC_VEC(const lc_schema *) schemas;  /* of all types */
    lc_table processes;                 /* by provider: how many have been started */
    lc_table told;                      /* types without a schema */
    uint64_t arrival;
    uint64_t process;
    bool configured;
} capture;

/* The files of one call. */
typedef struct group {
    lc_str rpc, type, provider;
    const lc_log_call *logged; /* or NULL */
    const lc_data_file *parts[16];
    size_t count;
    bool incomplete; /* some of its files hold another call's bytes */
} group;

static lc_str path_of(const capture *c, lc_str name)
{
    return lc_str_printf(c->arena, "%.*s/%.*s", LC_FMT(c->folder), LC_FMT(name));
}

static lc_loc loc_of(const capture *c, const lc_data_file *file)
{
    return (lc_loc){path_of(c, file->name), 0, 0};
}

/* ---- Types. */

static void each_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    capture *c = context;
    const lc_schema *schema;
    lc_diags quiet;
    lc_diags_init(&quiet, c->arena);
    if (kind != LC_KIND_PROVIDER &&
        lc_schema_doc_get(&schema, c->docs.items[c->docs.count - 1], kind, provider, type,
                          (lc_loc){c->folder, 0, 0}, &quiet) == LC_OK)
        *LC_PUSH(c->arena, &c->schemas, const lc_schema *) = schema;
}

static const lc_schema *schema_named(const capture *c, lc_schema_kind kind, const group *g)
{
    const lc_schema *found = NULL;
    for (size_t i = 0; i < c->schemas.count; i++) {
        const lc_schema *s = c->schemas.items[i];
        if (s->kind != kind || !lc_str_eq(s->type_name, g->type))
            continue;
        if (g->provider.len == 0 || lc_str_eq(s->provider, g->provider))
            return s;
        found = found ? found : s;
    }
    return found;
}

static bool read_part(lc_str *out, lc_arena *arena, const capture *c, const lc_data_file *file)
{
    *out = LC_STR_EMPTY;
    if (lc_str_is(file->extension, "empty"))
        return true;
    lc_limits limits = c->store->limits;
    return lc_file_read(out, arena, path_of(c, file->name), limits.input_bytes, c->diags) == LC_OK;
}

/* Do all values of this part of the group that are not null decode by the schema? */
static bool fits(const capture *c, lc_arena *scratch, const group *g, lc_capture_part part,
                 const lc_schema *schema, bool *any)
{
    for (size_t i = 0; i < g->count; i++) {
        lc_str bytes;
        const lc_value *v;
        lc_wire_result result;
        const lc_data_file *file = g->parts[i];
        if (file->part != part || !lc_str_is(file->extension, "msgpack") ||
            lc_str_is(file->field, "ProviderMeta") || !read_part(&bytes, scratch, c, file) ||
            bytes.len < 2)
            continue;
        *any = true;
        if (!lc_msgpack_decode(&v, scratch, bytes, schema->block->implied, &result))
            return false;
    }
    return true;
}

static size_t find_fitting(const capture *c, lc_schema_kind kind, const group *g,
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

/* Without a log the type is the only one whose form the values have: those of the request, which
 * come from the client; only if it has none those of the answer, which is to be judged. */
static const lc_schema *schema_fitting(capture *c, lc_schema_kind kind, const group *g)
{
    const lc_schema *found = NULL;
    size_t count = find_fitting(c, kind, g, LC_CAPTURE_REQUEST, &found);
    if (count == SIZE_MAX)
        count = find_fitting(c, kind, g, LC_CAPTURE_RESPONSE, &found);
    if (count == 1)
        return found;
    lc_diag_warning(c->diags, loc_of(c, g->parts[0]),
                    count == SIZE_MAX
                        ? "a %.*s call without a value tells nothing of its type; a log would"
                    : count ? "this %.*s call has the form of several types; a log would tell which"
                            : "this %.*s call has the form of no type of the schemas",
                    LC_FMT(g->rpc));
    return NULL;
}

static const lc_schema *schema_of(capture *c, lc_pj_rpc rpc, const group *g)
{
    lc_schema_kind kind = lc_pj_kind_of(rpc);
    if (g->type.len == 0)
        return schema_fitting(c, kind, g);
    const lc_schema *schema = schema_named(c, kind, g);
    if (!schema && !lc_table_put(&c->told, g->type, c))
        lc_diag_error(c->diags, (lc_loc){c->folder, 0, 0},
                      "no schema for \"%.*s\": its calls are not judged; put the schema document "
                      "beside the capture or name it with --schema",
                      LC_FMT(g->type));
    return schema;
}

/* ---- Fields. */

typedef struct target {
    const char *field;
    lc_capture_part part;
    size_t offset; /* of the lc_field in lc_call */
} target;

#define T(name, part, member)                                                                      \
    {                                                                                              \
        name, LC_CAPTURE_##part, offsetof(lc_call, member)                                         \
    }
static const target targets[] = {
    T("Config", REQUEST, config),          T("CurrentState", REQUEST, prior_state),
    T("PriorState", REQUEST, prior_state), T("ProposedNewState", REQUEST, proposed),
    T("PlannedState", REQUEST, planned),   T("PlannedState", RESPONSE, result),
    T("NewState", RESPONSE, result),       T("UpgradedState", RESPONSE, result),
    T("TargetState", RESPONSE, result),    T("State", RESPONSE, result),
    T("Result", RESPONSE, result),
};

static lc_field *field_of(lc_call *call, const lc_data_file *file)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (targets[i].part == file->part && lc_str_is(file->field, targets[i].field))
            return (lc_field *)(void *)((char *)call + targets[i].offset);
    }
    return NULL;
}

static void set_private(lc_call *call, const lc_data_file *file, lc_str bytes)
{
    if (file->part == LC_CAPTURE_REQUEST) {
        call->has_request_private = true;
        call->request_private = bytes;
    } else {
        call->has_private = true;
        call->private_data = bytes;
    }
}

static void set_imported(lc_call *call, const lc_pj_reader *r, const lc_data_file *file,
                         lc_str bytes)
{
    bool private_part = lc_str_is(file->field, "Private");
    lc_imported *o = call->imported.count ? &call->imported.items[call->imported.count - 1] : NULL;
    if (!o || (!private_part && o->state.state != LC_FIELD_ABSENT)) {
        o = LC_PUSH(r->arena, &call->imported, lc_imported);
        *o = (lc_imported){.loc = r->loc, .type_name = LC_STR_EMPTY, .private_data = LC_STR_EMPTY};
    }
    if (private_part) {
        o->has_private = true;
        o->private_data = bytes;
    } else {
        lc_pj_value(&o->state, r, bytes, LC_STR_EMPTY, r->schema->block->implied);
    }
}

/* The flag itself is in no file. But the old SDK alone sets it, and always has a provider_meta
 * schema, so that a call without such a value is none of its. */
static void set_legacy(lc_call *call, const lc_data_file *file)
{
    if (lc_str_is(file->extension, "empty"))
        call->legacy = LC_NO;
}

static void set_part(capture *c, lc_call *call, lc_pj_reader *r, const lc_data_file *file)
{
    lc_str bytes;
    bool json = lc_str_is(file->extension, "json");
    bool private_part = lc_str_ends_with(file->field, LC_STR("Private"));
    if (lc_str_is(file->field, "ProviderMeta")) {
        set_legacy(call, file);
        return;
    }
    if (!read_part(&bytes, r->arena, c, file))
        return;
    r->loc = loc_of(c, file);
    if (bytes.len == 0 && !lc_str_is(file->extension, "empty")) {
        lc_diag_error(c->diags, r->loc, "this data file is cut: no value has no bytes");
        return;
    }
    if (file->part == LC_CAPTURE_IMPORTED) {
        set_imported(call, r, file, bytes);
        return;
    }
    if (private_part) {
        set_private(call, file, bytes);
        return;
    }
    lc_field *field = field_of(call, file);
    if (field)
        lc_pj_value(field, r, json ? LC_STR_EMPTY : bytes, json ? bytes : LC_STR_EMPTY,
                    r->schema->block->implied);
}

/* ---- One call. */

/* Each start of a provider is a process; several providers take turns in one log. */
static uint64_t process_of(capture *c, const group *g, lc_pj_rpc rpc)
{
    uint64_t *state = lc_table_get(&c->processes, g->provider);
    if (!state) {
        state = LC_NEW_ARRAY(c->arena, uint64_t, 2);
        state[0] = ++c->process;
        state[1] = 0;
        lc_table_put(&c->processes, g->provider, state);
    }
    bool starts = rpc == LC_PJ_SCHEMA || rpc == LC_PJ_CONFIGURE;
    if (starts && state[1]) {
        state[0] = ++c->process;
        state[1] = 0;
    }
    state[1] |= !starts;
    return state[0];
}

/* An import writes files for each of its objects, and none else. */
static bool imports_nothing(const capture *c, lc_pj_rpc rpc, const group *g)
{
    const lc_log_call *logged = g->logged;
    return rpc == LC_PJ_IMPORT && logged && logged->answered && !logged->failed &&
           logged->files.count == 0 && !logged->unwritten && c->log.writer.count > 0;
}

/* A message of the core is a proof for its call, whatever the files look like. */
static void set_proven(const capture *c, lc_call *call, const group *g)
{
    if (g->logged && g->logged->legacy)
        call->legacy = LC_YES;
    else if (call->legacy == LC_NOT_KNOWN && g->logged &&
             lc_log_legacy(&c->log, c->arena, g->rpc, g->type))
        call->legacy = LC_YES;
}

static void add_call(capture *c, const group *g)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(g->rpc);
    uint64_t process = process_of(c, g, rpc);
    bool told = g->logged && (g->logged->diagnostics.count > 0 || imports_nothing(c, rpc, g));
    if (rpc < LC_PJ_UPGRADE || (g->count == 0 && !told))
        return;
    const lc_schema *schema = schema_of(c, rpc, g);
    if (!schema)
        return;
    lc_recorded r = {.arena = lc_arena_new(),
                     .schema = schema,
                     .process = process,
                     .arrival = ++c->arrival,
                     .capabilities = c->log.provider};
    lc_pj_reader reader = {r.arena, schema, g->count ? loc_of(c, g->parts[0]) : g->logged->loc,
                           c->store->limits, false};
    lc_pj_call_begin(&r.call, rpc, reader.loc);
    r.call.legacy = schema->not_legacy ? LC_NO : LC_NOT_KNOWN;
    for (size_t i = 0; i < g->count; i++)
        set_part(c, &r.call, &reader, g->parts[i]);
    set_proven(c, &r.call, g);
    if (imports_nothing(c, rpc, g))
        r.call.imported.items = LC_NEW(r.arena, lc_imported);
    if (g->logged) {
        lc_log_call_set(&r.call, r.arena, g->logged);
        r.capabilities.deferral_allowed = g->logged->client.deferral_allowed;
    }
    lc_chains_add(c->chains, &r);
}

/* ---- Pairing by the log. */

static void add_part(group *g, const lc_data_file *file)
{
    if (g->count < sizeof g->parts / sizeof *g->parts)
        g->parts[g->count++] = file;
}

static void add_logged(capture *c, const lc_log_call *logged)
{
    group g = {
        .rpc = logged->rpc, .type = logged->type, .provider = logged->provider, .logged = logged};
    size_t lost = 0;
    for (size_t i = 0; i < logged->files.count; i++) {
        lc_data_file *file = lc_table_get(&c->by_name, logged->files.items[i]);
        bool mine = lc_table_get(&c->log.writer, logged->files.items[i]) == logged;
        if (file)
            file->claimed = true;
        if (file && mine)
            add_part(&g, file);
        else
            lost++;
    }
    if (lost)
        lc_diag_warning(c->diags, logged->loc,
                        "%zu data file%s of this %.*s call %s overwritten by a later call, or %s "
                        "missing: the call is incomplete",
                        lost, lost == 1 ? "" : "s", LC_FMT(logged->rpc), lost == 1 ? "was" : "were",
                        lost == 1 ? "is" : "are");
    add_call(c, &g);
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

static bool has_part(const group *g, const lc_data_file *file)
{
    for (size_t i = 0; i < g->count; i++) {
        if (g->parts[i]->part == file->part && lc_str_eq(g->parts[i]->field, file->field))
            return file->part != LC_CAPTURE_IMPORTED;
    }
    return false;
}

static bool answered(const group *g)
{
    return g->count && g->parts[g->count - 1]->part != LC_CAPTURE_REQUEST;
}

/* Does the file begin another call of the same method? */
static bool begins(const group *g, const lc_data_file *file)
{
    return has_part(g, file) || (file->part == LC_CAPTURE_REQUEST && answered(g));
}

static void end_group(capture *c, group *g)
{
    bool twice = g->incomplete;
    if (twice)
        lc_diag_warning(c->diags, loc_of(c, g->parts[0]),
                        "%.*s calls overlap here, and without a log their files cannot be told "
                        "apart: they are left out",
                        LC_FMT(g->rpc));
    else if (g->count)
        add_call(c, g);
    g->count = 0;
    g->incomplete = false;
}

static void add_file(capture *c, group *groups, size_t *count, size_t capacity,
                     const lc_data_file *file)
{
    size_t i = 0;
    while (i < *count && !lc_str_eq(groups[i].rpc, file->rpc))
        i++;
    if (i == capacity)
        return;
    if (i == *count)
        groups[(*count)++] =
            (group){.rpc = file->rpc, .type = LC_STR_EMPTY, .provider = LC_STR_EMPTY};
    group *g = &groups[i];
    /* A second request before the answer to the first: two calls at once. */
    if (file->part == LC_CAPTURE_REQUEST && has_part(g, file) && !answered(g) && g->count > 1)
        g->incomplete = true;
    else if (begins(g, file))
        end_group(c, g);
    add_part(g, file);
}

#define MAX_METHODS 32

static void pair_by_order(capture *c)
{
    group *groups = LC_NEW_ARRAY(c->arena, group, MAX_METHODS);
    size_t count = 0, unclaimed = 0;
    for (size_t i = 0; i < c->files.count; i++) {
        if (c->files.items[i].claimed)
            continue;
        unclaimed++;
        add_file(c, groups, &count, MAX_METHODS, &c->files.items[i]);
    }
    for (size_t i = 0; i < count; i++)
        end_group(c, &groups[i]);
    if (unclaimed && c->log.calls.count)
        lc_diag_warning(c->diags, (lc_loc){c->folder, 0, 0},
                        "%zu data file%s stand%s in no line of the log and %s paired by order",
                        unclaimed, unclaimed == 1 ? "" : "s", unclaimed == 1 ? "s" : "",
                        unclaimed == 1 ? "is" : "are");
}

/* ---- The folder and what lies beside it. */

static void index_file(capture *c, const char *name)
{
    lc_data_file file;
    if (!lc_data_file_parse(&file, lc_str_copy(c->arena, lc_str_from_c(name))))
        return;
    *LC_PUSH(c->arena, &c->files, lc_data_file) = file;
}

static bool list_files(capture *c)
{
    DIR *dir = opendir(lc_str_to_c(c->arena, c->folder));
    if (!dir) {
        lc_diag_error(c->diags, (lc_loc){c->folder, 0, 0}, "%s", strerror(errno));
        return false;
    }
    for (struct dirent *entry; (entry = readdir(dir));)
        index_file(c, entry->d_name);
    closedir(dir);
    if (c->files.count)
        qsort(c->files.items, c->files.count, sizeof(lc_data_file), by_time);
    lc_table_init(&c->by_name, c->arena);
    for (size_t i = 0; i < c->files.count; i++)
        lc_table_put(&c->by_name, c->files.items[i].name, &c->files.items[i]);
    return true;
}

static void open_schema(capture *c, lc_str path)
{
    lc_schema_doc *doc = lc_schema_store_get(c->store, path, (lc_loc){path, 0, 0}, c->diags);
    if (!doc)
        return;
    *LC_PUSH(c->arena, &c->docs, lc_schema_doc *) = doc;
    *LC_PUSH(c->arena, &c->doc_paths, lc_str) = path;
    lc_schema_doc_each(doc, each_type, c);
}

static int compare_names(const void *a, const void *b)
{
    return lc_str_cmp(*(const lc_str *)a, *(const lc_str *)b);
}

/* Logs, schema documents, plans and states in a folder, in order of names. */
static void look_in(capture *c, lc_str folder)
{
    LC_VEC(lc_str) names = {0};
    DIR *dir = opendir(lc_str_to_c(c->arena, folder));
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        *LC_PUSH(c->arena, &names, lc_str) = lc_str_copy(c->arena, lc_str_from_c(entry->d_name));
    if (dir)
        closedir(dir);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    for (size_t i = 0; i < names.count; i++) {
        lc_str path = lc_str_printf(c->arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(names.items[i]));
        if (lc_str_ends_with(path, LC_STR(".log")))
            lc_log_open(&c->log, c->arena, path, &c->store->limits, c->diags);
        else if (lc_str_ends_with(path, LC_STR("schema.json")))
            open_schema(c, path);
        else if (lc_str_ends_with(path, LC_STR(".json")) ||
                 lc_str_ends_with(path, LC_STR(".tfstate")))
            *LC_PUSH(c->arena, &c->evidence, lc_str) = path;
    }
}

static lc_str parent_of(const capture *c)
{
    lc_str folder = c->folder;
    while (folder.len > 1 && folder.ptr[folder.len - 1] == '/')
        folder.len--;
    size_t cut = folder.len;
    while (cut && folder.ptr[cut - 1] != '/')
        cut--;
    if (cut == 0)
        return LC_STR(".");
    return lc_str_sub(folder, 0, cut > 1 ? cut - 1 : 1);
}

/* Plans and states of the run are read by the schemas of its calls. */
static lc_addresses *read_evidence(capture *c, const lc_capture_options *options)
{
    lc_capture_options by = {.log = LC_STR_EMPTY,
                             .new_state = LC_STR_EMPTY,
                             .schemas = c->doc_paths.items,
                             .schema_count = c->doc_paths.count,
                             .used = options->used};
    lc_addresses *addresses = lc_addresses_new(c->arena, c->store, &by, c->diags);
    for (size_t i = 0; c->docs.count && i < c->evidence.count; i++)
        lc_addresses_take(addresses, c->evidence.items[i]);
    lc_chains_addresses(c->chains, addresses);
    return addresses;
}

static const lc_schema *schema_told(void *context, lc_str provider, lc_str type)
{
    return schema_named(context, LC_KIND_RESOURCE, &(group){.type = type, .provider = provider});
}

void lc_capture_read(lc_arena *arena, lc_schema_store *store, lc_str folder,
                     const lc_capture_options *options, lc_diags *diags,
                     void (*take)(void *context, lc_scenario *scenario), void *context)
{
    capture c = {.arena = arena, .store = store, .folder = folder, .diags = diags};
    c.chains = lc_chains_new(arena, folder, take, context);
    lc_log_init(&c.log, arena);
    lc_chains_told(c.chains, &c.log.told);
    lc_table_init(&c.processes, arena);
    lc_table_init(&c.told, arena);
    if (!list_files(&c))
        return;
    if (c.files.count == 0) {
        lc_diag_error(diags, (lc_loc){folder, 0, 0}, "no data files in this folder");
        return;
    }
    for (size_t i = 0; i < options->schema_count; i++)
        open_schema(&c, options->schemas[i]);
    if (options->log.len)
        lc_log_open_named(&c.log, arena, options->log, &store->limits, diags);
    look_in(&c, folder);
    look_in(&c, parent_of(&c));
    if (c.log.files.count)
        lc_log_tell(&c.log, options->used, LC_STR("log"));
    if (c.docs.count == 0)
        lc_diag_error(diags, (lc_loc){folder, 0, 0},
                      "no schema document beside the capture, and none named with --schema");
    lc_addresses *addresses = read_evidence(&c, options);
    for (size_t i = 0; i < c.log.calls.count; i++)
        add_logged(&c, c.log.calls.items[i]);
    pair_by_order(&c);
    lc_chains_end(c.chains);
    lc_addresses_tell(addresses);
    lc_told_rest(&c.log.told, folder, schema_told, &c, take, context);
}

bool lc_looks_like_capture(lc_str folder)
{
    lc_arena *arena = lc_arena_new();
    DIR *dir = opendir(lc_str_to_c(arena, folder));
    bool found = false;
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        lc_data_file file;
        found = lc_data_file_parse(&file, lc_str_from_c(entry->d_name));
    }
    if (dir)
        closedir(dir);
    lc_arena_free(arena);
    return found;
}
