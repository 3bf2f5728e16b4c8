/* A capture directory to calls: each group of data files becomes a call. */
#include "lifecheck/recording/capture.h"

#include "lifecheck/base/arena.h"
#include "recording/addresses.h"

#include <stdlib.h>
#include <string.h>

typedef struct capture {
    lc_capture files;
    lc_instances *instances;
    uint64_t arrival;
    lc_table providers; /* by address: a number */
    uint64_t provider_count;
} capture;

/* ---- Fields. */

typedef struct lc_message_target {
    const char *field;
    lc_capture_part part;
    size_t offset; /* of the lc_field in lc_call */
} lc_message_target;

/* clang-format off */
#define T(name, part, member) {name, LC_CAPTURE_##part, offsetof(lc_call, member)}
/* clang-format on */
static const lc_message_target targets[] = {
    T("Config", REQUEST, config),
    T("CurrentState", REQUEST, prior_state),
    T("PriorState", REQUEST, prior_state),
    T("ProposedNewState", REQUEST, proposed),
    T("PlannedState", REQUEST, planned),
    T("PlannedState", RESPONSE, result),
    T("NewState", RESPONSE, result),
    T("UpgradedState", RESPONSE, result),
    T("TargetState", RESPONSE, result),
    T("State", RESPONSE, result),
    T("Result", RESPONSE, result),
    T("State", REQUEST, prior_state),
    T("Config", RESPONSE, generated_config),
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

/* legacy_type_system is in no data file. Only the legacy SDK sets it, and that always has a
 * provider_meta schema, so a call without such a value does not come from it. */
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
    if (!lc_data_file_read(&bytes, r->arena, &c->files, file))
        return;
    r->loc = lc_data_file_loc(&c->files, file);
    if (bytes.len == 0 && !lc_str_is(file->extension, "empty")) {
        lc_diag_error(c->files.diags, r->loc, "this data file is cut: no value has no bytes");
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

/* Each start of a provider is a process, but no file has its number. So only the provider
 * distinguishes calls, since several providers may write into one log. */
static uint64_t process_of(capture *c, const lc_data_group *g)
{
    uint64_t *number = lc_table_get(&c->providers, g->provider);
    if (!number) {
        number = LC_NEW(c->files.arena, uint64_t);
        *number = LC_ONLY_PROVIDER + c->provider_count++;
        lc_table_put(&c->providers, g->provider, number);
    }
    return *number;
}

/* An import writes files for its objects only, so a response without files imported nothing. */
static bool imports_nothing(const capture *c, lc_pj_rpc rpc, const lc_data_group *g)
{
    const lc_log_call *logged = g->logged;
    return rpc == LC_PJ_IMPORT && logged && logged->answered && !logged->failed &&
           logged->files.count == 0 && !logged->unwritten && c->files.log.writer.count > 0;
}

/* A message of the core proves the flag for its call, regardless of what the files suggest. */
static void set_proven(const capture *c, lc_call *call, const lc_data_group *g)
{
    lc_str type = g->type;
    if (g->logged && g->logged->legacy)
        call->legacy = LC_YES;
    if (call->legacy != LC_NOT_KNOWN)
        return;
    bool legacy = g->logged && lc_log_legacy(&c->files.log, c->files.arena, g->rpc, type);
    bool strict = lc_log_strict(&c->files.log, c->files.arena, g->rpc, type);
    if (legacy != strict)
        call->legacy = legacy ? LC_YES : LC_NO;
}

static void take_start(capture *c, const lc_data_group *g)
{
    lc_arena *scratch = lc_arena_new();
    lc_str config;
    bool known = g->count == 1 && lc_str_is(g->parts[0]->field, "Config") &&
                 lc_data_file_read(&config, scratch, &c->files, g->parts[0]);
    lc_instances_started(c->instances, process_of(c, g), known ? &config : NULL);
    lc_arena_free(scratch);
}

static lc_recorded_call *begin_call(capture *c, const lc_schema *schema, lc_pj_rpc rpc,
                                    const lc_data_group *g)
{
    lc_recorded_call *r = lc_recorded_call_new();
    r->schema = schema;
    r->process = process_of(c, g);
    r->arrival = ++c->arrival;
    r->invoked = rpc == LC_PJ_INVOKE_ACTION;
    r->capabilities = c->files.log.provider;
    return r;
}

static void add_call(void *context, const lc_data_group *g)
{
    capture *c = context;
    lc_pj_rpc rpc = lc_pj_rpc_of(g->rpc);
    bool logged = g->logged && (g->logged->diagnostics.count > 0 || imports_nothing(c, rpc, g));
    if (rpc == LC_PJ_SCHEMA || rpc == LC_PJ_CONFIGURE)
        take_start(c, g);
    if (rpc < LC_PJ_UPGRADE || rpc == LC_PJ_LIST || (g->count == 0 && !logged))
        return;
    const lc_schema *schema = lc_data_group_schema(&c->files, rpc, g);
    if (!schema)
        return;
    lc_recorded_call *r = begin_call(c, schema, rpc, g);
    lc_pj_reader reader = {r->arena,
                           lc_decoder_new(r->arena),
                           schema,
                           g->count ? lc_data_file_loc(&c->files, g->parts[0]) : g->logged->loc,
                           c->files.store->limits,
                           false};
    lc_pj_call_begin(&r->call, rpc, reader.loc);
    r->call.legacy = schema->not_legacy ? LC_NO : LC_NOT_KNOWN;
    for (size_t i = 0; i < g->count; i++)
        set_part(c, &r->call, &reader, g->parts[i]);
    lc_decoder_free(reader.decoder);
    set_proven(c, &r->call, g);
    if (imports_nothing(c, rpc, g))
        r->call.imported.items = LC_NEW(r->arena, lc_imported);
    if (g->logged) {
        lc_log_call_set(&r->call, r->arena, g->logged);
        r->capabilities.deferral_allowed = g->logged->client.deferral_allowed;
    }
    if (rpc == LC_PJ_GENERATE)
        lc_instances_generated(c->instances, r);
    else
        lc_instances_add(c->instances, r);
}

/* Plans and states of the same run are read by the schemas of its calls. */
static const lc_schema *schema_of(void *context, lc_schema_kind kind, lc_str provider, lc_str type)
{
    const capture *c = context;
    return lc_capture_schema(&c->files, kind, provider, type);
}

static lc_addresses *take_evidence(capture *c, lc_used *used)
{
    lc_addresses *addresses = lc_addresses_new(c->files.arena, &c->files.store->limits,
                                               &c->files.log, schema_of, c, used, c->files.diags);
    for (size_t i = 0; i < c->files.evidence.count; i++)
        lc_addresses_take(addresses, c->files.evidence.items[i]);
    lc_addresses_open(addresses);
    lc_instances_addresses(c->instances, addresses);
    return addresses;
}

static const lc_schema *schema_of_type(void *context, lc_str provider, lc_str type)
{
    const capture *c = context;
    return lc_capture_schema(&c->files, LC_KIND_RESOURCE, provider, type);
}

void lc_capture_read(lc_arena *arena, lc_schema_store *store, lc_str folder,
                     const lc_capture_options *options, lc_diags *diags,
                     void (*take)(void *context, lc_scenario *scenario), void *context)
{
    capture c = {.files = {.arena = arena, .store = store, .folder = folder, .diags = diags}};
    c.files.take = add_call;
    c.files.context = &c;
    lc_table_init(&c.providers, arena);
    c.instances = lc_instances_new(arena, folder, diags, take, context);
    lc_capture_open(&c.files, options);
    if (c.files.files.count == 0)
        return;
    for (size_t i = 0; options->declares && i < c.files.schemas.count; i++)
        options->declares(options->declares_context, c.files.schemas.items[i]);
    lc_instances_logged(c.instances, &c.files.log.logged);
    lc_addresses *addresses = take_evidence(&c, options->used);
    lc_capture_pair(&c.files);
    lc_instances_end(c.instances);
    lc_addresses_report(addresses);
    lc_addresses_close(addresses);
    lc_log_findings_rest(&c.files.log.logged, folder, schema_of_type, &c, take, context);
}
