/* Addresses of recorded instances. Each value in the calls of an instance that some addresses had
 * at some time excludes all other addresses; if one is left in the end, it is the instance's.
 * Values are compared as a whole, and two instances that look the same get no address. A
 * configuration gives the address of an instance that values do not identify, if the type has one
 * block and one instance. */
#include "recording/addresses.h"

#include "lifecheck/recording/capture.h"
#include "lifecheck/scenario/evidence.h"
#include "recording/log/client_errors.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/index.h"

#include <stdlib.h>

#define MAX_ALIKE 64 /* addresses with one value; a value that more have identifies none */

/* A value that an address had at some time. */
typedef struct known {
    lc_index_entry entry; /* by the value; the item is this */
    lc_str address;
    const lc_value *value;
} known;

/* What is known of one type by one of its schemas: those of several providers may differ. */
typedef struct known_values {
    const lc_schema *schema; /* NULL: there is no schema */
    lc_index values;
    struct known_values *next; /* of the type */
} known_values;

/* What is known of one type. */
typedef struct known_type {
    known_values *first;
    lc_str declared; /* address of its only block, or empty */
    bool repeated;   /* several blocks, or one that is repeated */
} known_type;

/* A document that is not a file. */
typedef struct named_text {
    lc_str name, json;
} named_text;

struct lc_addresses {
    lc_arena *arena;
    lc_limits limits;
    lc_log *log;
    lc_schema_of schema_of;
    void *context;
    lc_used *used;
    lc_diags *diags;
    lc_table by_type;     /* known_type, by kind and type */
    lc_table by_provider; /* known_values, by kind, type and provider */
    LC_VEC(known_values *) values;
    lc_table taken; /* files */
    LC_VEC(lc_str) files, read;
    LC_VEC(named_text) texts;
    bool opened, too_many;
    bool cause; /* parts of the configuration are in files that are not read */
    size_t asked, found;
};

lc_addresses *lc_addresses_new(lc_arena *arena, const lc_limits *limits, lc_log *log,
                               lc_schema_of schema_of, void *context, lc_used *used,
                               lc_diags *diags)
{
    lc_addresses *a = LC_NEW(arena, lc_addresses);
    a->arena = arena;
    a->limits = *limits;
    a->log = log;
    a->schema_of = schema_of;
    a->context = context;
    a->used = used;
    a->diags = diags;
    lc_table_init(&a->by_type, arena);
    lc_table_init(&a->by_provider, arena);
    lc_table_init(&a->taken, arena);
    return a;
}

/* ---- Files. */

void lc_addresses_take(lc_addresses *a, lc_str path)
{
    if (lc_table_get(&a->taken, path))
        return;
    path = lc_str_copy(a->arena, path);
    if (a->files.count == LC_MAX_EVIDENCE) {
        if (!a->too_many)
            lc_diag_warning(a->diags, (lc_loc){path, 0, 0},
                            "addresses are looked for in %d files at most; this one and those "
                            "after it are skipped",
                            LC_MAX_EVIDENCE);
        a->too_many = true;
        return;
    }
    lc_table_put(&a->taken, path, a);
    *LC_PUSH(a->arena, &a->files, lc_str) = path;
}

void lc_addresses_take_text(lc_addresses *a, lc_str name, lc_str json)
{
    *LC_PUSH(a->arena, &a->texts, named_text) = (named_text){name, json};
}

static bool may_be_evidence(lc_str name)
{
    return lc_str_ends_with(name, LC_STR(".json")) || lc_str_ends_with(name, LC_STR(".jsonl")) ||
           lc_str_ends_with(name, LC_STR(".tfstate")) ||
           lc_str_ends_with(name, LC_STR(".tfstate.backup")); /* all that is left after a destroy */
}

static bool is_native(lc_str name)
{
    return lc_str_ends_with(name, LC_STR(".tf")) || lc_str_ends_with(name, LC_STR(".tofu")) ||
           lc_str_ends_with(name, LC_STR(".tofu.json"));
}

void lc_addresses_take_folder(lc_addresses *a, lc_str folder)
{
    lc_str *names;
    size_t count;
    lc_folder_list(&names, &count, a->arena, folder);
    for (size_t i = 0; i < count; i++) {
        a->cause |= is_native(names[i]); /* HCL is not read */
        if (may_be_evidence(names[i]))
            lc_addresses_take(
                a, lc_str_printf(a->arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(names[i])));
    }
}

/* ---- What they hold. */

static known_type *type_of(lc_addresses *a, lc_schema_kind kind, lc_str type)
{
    lc_str key = lc_str_printf(a->arena, "%d %.*s", (int)kind, LC_FMT(type));
    known_type *t = lc_table_get(&a->by_type, key);
    if (!t) {
        t = LC_NEW(a->arena, known_type);
        lc_table_put(&a->by_type, key, t);
    }
    return t;
}

static known_values *values_by(lc_addresses *a, known_type *type, const lc_schema *schema)
{
    known_values **at = &type->first;
    while (*at && (*at)->schema != schema)
        at = &(*at)->next;
    if (!*at) {
        *at = LC_NEW(a->arena, known_values);
        (*at)->schema = schema;
        *LC_PUSH(a->arena, &a->values, known_values *) = *at;
    }
    return *at;
}

static known_values *values_of(lc_addresses *a, lc_schema_kind kind, lc_str provider, lc_str type)
{
    lc_str key = lc_str_printf(a->arena, "%d %.*s %.*s", (int)kind, LC_FMT(type), LC_FMT(provider));
    known_values *values = lc_table_get(&a->by_provider, key);
    if (!values) {
        const lc_schema *schema = a->schema_of(a->context, kind, provider, type);
        values = values_by(a, type_of(a, kind, type), schema);
        lc_table_put(&a->by_provider, key, values);
    }
    return values;
}

static void add_value(lc_addresses *a, known_values *type, lc_str address, const lc_value *value)
{
    if (!lc_is_known(value) || address.len == 0)
        return;
    uint64_t hash = lc_value_hash(value);
    for (lc_index_entry *e = lc_index_first(&type->values, hash); e; e = lc_index_next(e)) {
        if (lc_str_eq(((const known *)e->item)->address, address))
            return;
    }
    known *k = LC_NEW(a->arena, known);
    k->address = address;
    k->value = value;
    lc_index_put(&type->values, &k->entry, hash, k);
}

/* Values in plans are plain JSON, so they need the type of the schema. */
static void add_node(lc_addresses *a, known_values *type, lc_str address, const lc_node *values,
                     const lc_node *unknown)
{
    lc_plain_json bare = {.arena = a->arena, .limits = a->limits};
    lc_value *value = LC_NEW(a->arena, lc_value);
    if (type->schema && values && values->kind == LC_NODE_MAPPING &&
        lc_plain_json_value(value, &bare, type->schema->block->implied, values, unknown))
        add_value(a, type, address, value);
}

static known_values *values_of_entry(lc_addresses *a, lc_str mode, lc_str provider, lc_str type)
{
    return values_of(a, lc_str_is(mode, "data") ? LC_KIND_DATA : LC_KIND_RESOURCE, provider, type);
}

/* Changes of deposed objects count for the same address as the current object. */
static void add_changes(lc_addresses *a, const lc_plan_changes *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const lc_plan_change *c = &list->items[i];
        known_values *type = values_of_entry(a, c->mode, c->provider_name, c->type);
        add_node(a, type, c->address, c->before, NULL);
        add_node(a, type, c->address, c->after, c->after_unknown);
    }
}

/* Most objects of prior_state equal `before` of their change, which was added already; comparing
 * nodes is cheaper than reading the value again. */
static void add_prior(lc_addresses *a, const lc_plan_object *o)
{
    const lc_plan_change *c = o->change;
    if (c && c->fits && c->before && o->values && lc_node_same(a->arena, c->before, o->values))
        return;
    known_values *type =
        values_of_entry(a, lc_node_text(o->node, "mode"), lc_node_text(o->node, "provider_name"),
                        lc_node_text(o->node, "type"));
    add_node(a, type, o->address, o->values, NULL);
}

static void add_plan(lc_addresses *a, const lc_source *source, lc_diags *diags)
{
    lc_plan plan;
    lc_arena *scratch = lc_arena_new();
    if (lc_plan_from_node(&plan, scratch, source, source->documents, diags) == LC_OK) {
        add_changes(a, &plan.changes);
        add_changes(a, &plan.drift);
        for (size_t i = 0; i < plan.prior.count; i++)
            add_prior(a, &plan.prior.items[i]);
    }
    lc_arena_free(scratch);
}

/* An invalid file only means fewer addresses; the calls are judged anyway, so these are warnings.
 */
static void warn(const lc_addresses *a, const lc_diags *found)
{
    for (size_t i = 0; i < found->count; i++)
        lc_diag_warning(a->diags, found->items[i].loc, "no addresses are read from this: %.*s",
                        LC_FMT(found->items[i].message));
}

/* ---- A configuration in JSON: a block without repetition is one instance. */

static void add_block(lc_addresses *a, lc_schema_kind kind, lc_str type, const lc_member *block)
{
    known_type *t = type_of(a, kind, type);
    const lc_node *body = &block->value;
    if (body->kind == LC_NODE_SEQUENCE && body->count == 1)
        body = &body->as.items[0];
    t->repeated |= t->declared.len > 0 || body->kind != LC_NODE_MAPPING ||
                   lc_node_get(body, "count") || lc_node_get(body, "for_each");
    t->declared = lc_str_printf(a->arena, "%s%.*s.%.*s", kind == LC_KIND_DATA ? "data." : "",
                                LC_FMT(type), LC_FMT(block->key));
}

static void add_blocks(lc_addresses *a, lc_schema_kind kind, const lc_node *types)
{
    for (uint32_t i = 0; i < lc_node_member_count(types); i++) {
        const lc_node *blocks = &types->as.members[i].value;
        for (uint32_t k = 0; blocks->kind == LC_NODE_MAPPING && k < blocks->count; k++)
            add_block(a, kind, types->as.members[i].key, &blocks->as.members[k]);
    }
}

static void add_configuration(lc_addresses *a, const lc_node *root)
{
    const lc_node *resources = lc_node_get(root, "resource"), *data = lc_node_get(root, "data");
    /* Modules have blocks of their own, and blocks in lists are not taken apart. */
    a->cause |= root->kind != LC_NODE_MAPPING || lc_node_get(root, "module") ||
                (resources && resources->kind != LC_NODE_MAPPING) ||
                (data && data->kind != LC_NODE_MAPPING);
    add_blocks(a, LC_KIND_RESOURCE, resources);
    add_blocks(a, LC_KIND_DATA, data);
}

static void open_configuration(lc_addresses *a, lc_str path, lc_str bytes, lc_source *source)
{
    lc_diags found;
    lc_diags_init(&found, a->arena);
    if (lc_json_parse(source, a->arena, path, bytes, &a->limits, &found) == LC_OK)
        add_configuration(a, &source->documents[0]);
    warn(a, &found);
    if (found.errors == 0)
        *LC_PUSH(a->arena, &a->read, lc_str) = path;
}

static void add_state(lc_addresses *a, const lc_source *source, lc_diags *diags)
{
    const lc_state_file *state = lc_state_document(a->arena, source, diags);
    for (size_t i = 0; state && i < state->objects.count; i++) {
        const lc_state_object *o = &state->objects.items[i];
        const lc_state_resource *resource = &state->resources.items[o->resource];
        known_values *type =
            values_of(a, resource->kind, lc_state_provider_source(state, o), resource->type);
        lc_field field;
        if (!type->schema)
            continue;
        lc_state_object_value(&field, a->arena, o, type->schema);
        if (field.state == LC_FIELD_GIVEN)
            add_value(a, type, o->address, field.value);
    }
}

#define HEAD ((size_t)64 << 10) /* bytes by which the kind of a file is detected */

/* Not a recording: a folder may contain large ones, and their calls are not addresses. */
static bool is_worth_reading(lc_str path)
{
    lc_str head;
    lc_arena *scratch = lc_arena_new();
    bool worth = lc_file_head(&head, scratch, path, HEAD) && !lc_looks_like_rpc(head);
    lc_arena_free(scratch);
    return worth;
}

static void open_document(lc_addresses *a, lc_json_kind kind, lc_str name, lc_str json)
{
    lc_diags found;
    lc_source *source = LC_NEW(a->arena, lc_source);
    lc_diags_init(&found, a->arena);
    if (lc_json_parse(source, a->arena, name, json, &a->limits, &found) == LC_OK &&
        lc_json_is(kind, source, &found)) {
        if (kind == LC_JSON_PLAN)
            add_plan(a, source, &found);
        else
            add_state(a, source, &found);
    }
    warn(a, &found);
    if (found.errors == 0)
        *LC_PUSH(a->arena, &a->read, lc_str) = name;
}

static lc_json_kind kind_of(lc_str json)
{
    return lc_json_evidence(lc_str_sub(json, 0, json.len < HEAD ? json.len : HEAD));
}

static void open_file(lc_addresses *a, lc_str path)
{
    lc_str bytes;
    lc_diags quiet;
    lc_diags_init(&quiet, a->arena);
    if (!is_worth_reading(path) ||
        lc_file_read(&bytes, a->arena, path, a->limits.input_bytes, &quiet) != LC_OK)
        return;
    lc_json_kind kind = kind_of(bytes);
    if (lc_str_ends_with(path, LC_STR(".tf.json")))
        open_configuration(a, path, bytes, LC_NEW(a->arena, lc_source));
    else if (kind == LC_JSON_OTHER)
        lc_client_error_file(a->log, a->arena, path, bytes, &a->limits);
    else
        open_document(a, kind, path, bytes);
}

void lc_addresses_open(lc_addresses *a)
{
    for (size_t i = 0; !a->opened && i < a->files.count; i++)
        open_file(a, a->files.items[i]);
    for (size_t i = 0; !a->opened && i < a->texts.count; i++) {
        const named_text *t = &a->texts.items[i];
        if (kind_of(t->json) != LC_JSON_OTHER)
            open_document(a, kind_of(t->json), t->name, t->json);
    }
    a->opened = true;
}

/* ---- Which address. */

/* Equal, except that unknowns are equal regardless of their refinements: plans do not print those.
 */
static bool looks_same(const lc_value *a, const lc_value *b)
{
    if (lc_is_unknown(a) || lc_is_unknown(b))
        return lc_is_unknown(a) && lc_is_unknown(b);
    if (lc_value_raw_equal(a, b))
        return true;
    bool deep = !lc_is_null(a) && !lc_is_null(b) && a->type->kind == b->type->kind &&
                !lc_is_wholly_known(a) && !lc_is_wholly_known(b);
    bool members = a->type->kind == LC_TYPE_OBJECT || a->type->kind == LC_TYPE_LIST ||
                   a->type->kind == LC_TYPE_TUPLE;
    if (!deep || !members || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (!looks_same(&a->as.many.elems[i], &b->as.many.elems[i]))
            return false;
    }
    return true;
}

typedef struct candidates {
    lc_str items[MAX_ALIKE];
    size_t count;
    bool any; /* some value has narrowed them down */
} candidates;

static bool holds(const candidates *list, lc_str address)
{
    for (size_t i = 0; i < list->count; i++) {
        if (lc_str_eq(list->items[i], address))
            return true;
    }
    return false;
}

/* Keeps only the candidates that have this value too. A value that no address has changes nothing:
 * plans and states of other times may be the only ones that are there. */
static void narrow(candidates *left, const known_values *type, const lc_field *field)
{
    candidates fit = {.count = 0};
    size_t matched = 0;
    const lc_value *value = field->value;
    if (!lc_field_has_value(field) || !lc_is_known(value) || (left->any && left->count == 0))
        return;
    for (lc_index_entry *e = lc_index_first(&type->values, lc_value_hash(value)); e;
         e = lc_index_next(e)) {
        const known *k = e->item;
        if (!looks_same(value, k->value))
            continue;
        if (++matched > MAX_ALIKE)
            return;
        if (!left->any || holds(left, k->address))
            fit.items[fit.count++] = k->address;
    }
    if (!matched)
        return;
    *left = fit;
    left->any = true;
}

/* The values that were read by the schema of the run; without such values, those of another
 * version. */
static const known_values *values_for(const known_type *type, const lc_schema *schema)
{
    const known_values *found = type ? type->first : NULL;
    while (found && found->schema != schema)
        found = found->next;
    return found || !type ? found : type->first;
}

/* Validations are left out: a configuration is not a value of the object. */
lc_str lc_addresses_of(lc_addresses *a, const lc_run *run)
{
    candidates left = {.count = 0};
    lc_addresses_open(a);
    a->asked++;
    lc_arena *scratch = lc_arena_new();
    lc_str key =
        lc_str_printf(scratch, "%d %.*s", (int)run->schema->kind, LC_FMT(run->schema->type_name));
    const known_values *type = values_for(lc_table_get(&a->by_type, key), run->schema);
    for (size_t i = 0; type && i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->kind == LC_CALL_VALIDATE)
            continue;
        narrow(&left, type, &call->prior_state);
        narrow(&left, type, &call->planned);
        narrow(&left, type, &call->result);
    }
    lc_arena_free(scratch);
    a->found += left.count == 1;
    return left.count == 1 ? left.items[0] : LC_STR_EMPTY;
}

lc_str lc_addresses_declared(lc_addresses *a, lc_schema_kind kind, lc_str type_name)
{
    lc_arena *scratch = lc_arena_new();
    lc_str key = lc_str_printf(scratch, "%d %.*s", (int)kind, LC_FMT(type_name));
    const known_type *type = lc_table_get(&a->by_type, key);
    lc_arena_free(scratch);
    bool declared = type && type->declared.len && !type->repeated && !a->cause;
    a->found += declared;
    return declared ? type->declared : LC_STR_EMPTY;
}

void lc_addresses_report(const lc_addresses *a)
{
    lc_buf out = {0};
    for (size_t i = 0; i < a->read.count; i++)
        lc_buf_printf(&out, "%s%.*s", i ? ", " : "", LC_FMT(a->read.items[i]));
    lc_buf_printf(&out, ": addresses of %zu of %zu cases", a->found, a->asked);
    if (a->read.count && a->asked)
        lc_used_add(a->used, &out);
    lc_buf_release(&out);
}

void lc_addresses_close(lc_addresses *a)
{
    for (size_t i = 0; i < a->values.count; i++)
        lc_index_release(&a->values.items[i]->values);
}
