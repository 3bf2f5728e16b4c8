/* The types whose behaviour is known, so that no one has to state it: which they are, their
 * schemas, and which of the functions of this folder answers a question. */
#include "predict/known/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/provider_config/provider_config.h"

#include <string.h>

/* Attributes as in a schema document. */
static const char terraform_data[] =
    "\"id\":{\"type\":\"string\",\"computed\":true},"
    "\"input\":{\"type\":\"dynamic\",\"optional\":true},"
    "\"output\":{\"type\":\"dynamic\",\"computed\":true},"
    "\"triggers_replace\":{\"type\":\"dynamic\",\"optional\":true}";
static const char null_resource[] =
    "\"id\":{\"type\":\"string\",\"computed\":true},"
    "\"triggers\":{\"type\":[\"map\",\"string\"],\"optional\":true}";
static const char remote_state[] = "\"backend\":{\"type\":\"string\",\"required\":true},"
                                   "\"config\":{\"type\":\"dynamic\",\"optional\":true},"
                                   "\"defaults\":{\"type\":\"dynamic\",\"optional\":true},"
                                   "\"outputs\":{\"type\":\"dynamic\",\"computed\":true},"
                                   "\"workspace\":{\"type\":\"string\",\"optional\":true}";

typedef struct row {
    lc_resource_mode mode;
    const char *type, *provider; /* `provider`: the end of its source address */
    const char *attributes;
    void (*plan)(lc_run_question *ask);
    void (*import)(lc_run_question *ask);
} row;

static const row rows[] = {
    {LC_MODE_MANAGED, "terraform_data", "builtin/terraform", terraform_data,
     lc_known_plan_terraform_data, lc_known_import_terraform_data},
    {LC_MODE_MANAGED, "null_resource", "hashicorp/null", null_resource, lc_known_plan_null_resource,
     lc_known_import_null_resource},
    {LC_MODE_DATA, "terraform_remote_state", "builtin/terraform", remote_state, NULL, NULL},
};
#define ROWS (sizeof rows / sizeof *rows)

struct lc_known_types {
    lc_arena *arena;
    lc_core core;
    const lc_files *files;
    const lc_schema *schemas[ROWS]; /* made at the first question */
    bool foreign[ROWS];             /* the type of another provider is meant */
};

/* ---- Which provider is meant. */

/* Does the block mean the provider of a row, whatever its host? */
static bool is_meant(lc_arena *arena, const lc_config_resource *block, lc_profile profile,
                     const row *known)
{
    lc_str name = lc_provider_name_of_type(block->type);
    if (block->provider)
        name = lc_provider_ref_parse(block->provider, profile).name;
    lc_str source = lc_provider_of(arena, profile, block->module, name);
    return lc_str_ends_with(source, lc_str_from_c(known->provider));
}

static void find_foreign(lc_known_types *known, const lc_module *module, lc_profile profile)
{
    for (size_t i = 0; i < module->resources.count; i++) {
        const lc_config_resource *block = module->resources.items[i];
        for (size_t k = 0; k < ROWS; k++) {
            if (rows[k].mode == block->mode && lc_str_is(block->type, rows[k].type) &&
                !is_meant(known->arena, block, profile, &rows[k]))
                known->foreign[k] = true;
        }
    }
}

lc_known_types *lc_known_types_new(lc_arena *arena, const lc_configuration *config)
{
    lc_known_types *known = LC_NEW(arena, lc_known_types);
    known->arena = arena;
    known->core = config->profile == LC_PROFILE_TERRAFORM ? LC_TERRAFORM : LC_OPENTOFU;
    known->files = &config->files;
    for (size_t i = 0; i < config->modules.count; i++)
        find_foreign(known, config->modules.items[i], config->profile);
    return known;
}

static size_t row_of(const lc_known_types *known, lc_resource_mode mode, lc_str type)
{
    for (size_t k = 0; k < ROWS; k++) {
        if (rows[k].mode == mode && lc_str_is(type, rows[k].type) && !known->foreign[k])
            return k;
    }
    return ROWS;
}

/* ---- Schemas. */

/* Parsed from its JSON form, like any other. */
static const lc_schema *parse(lc_arena *arena, const row *known)
{
    const lc_schema *schema;
    lc_source *source = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags none;
    lc_str text =
        lc_str_printf(arena, "{\"version\":0,\"block\":{\"attributes\":{%s}}}", known->attributes);
    lc_schema_kind kind = known->mode == LC_MODE_DATA ? LC_KIND_DATA : LC_KIND_RESOURCE;
    lc_diags_init(&none, arena);
    LC_ASSERT(lc_json_parse(source, arena, LC_STR_EMPTY, text, &limits, &none) == LC_OK &&
              lc_schema_from_node(&schema, arena, source, &source->documents[0], kind,
                                  lc_str_from_c(known->type), &none) == LC_OK);
    return schema;
}

const lc_schema *lc_known_schema(lc_known_types *known, lc_resource_mode mode, lc_str type)
{
    size_t k = row_of(known, mode, type);
    if (k == ROWS)
        return NULL;
    if (!known->schemas[k])
        known->schemas[k] = parse(known->arena, &rows[k]);
    return known->schemas[k];
}

bool lc_known_lacks(lc_resource_mode mode, lc_str provider, lc_str type)
{
    if (!lc_str_is(provider, "terraform.io/builtin/terraform"))
        return false;
    for (size_t k = 0; k < ROWS; k++) {
        if (rows[k].mode == mode && lc_str_is(type, rows[k].type))
            return false;
    }
    return true;
}

/* A schema document may describe a type of the same name in another way. */
static const row *row_for(lc_known_types *known, const lc_address *address, const lc_schema *schema)
{
    size_t k = row_of(known, address->mode, address->type);
    const lc_schema *own = lc_known_schema(known, address->mode, address->type);
    bool same = own && schema && lc_type_equal(own->block->implied, schema->block->implied);
    return same ? &rows[k] : NULL;
}

/* ---- Questions. */

bool lc_known_plan(lc_known_types *known, lc_run_question *ask)
{
    const row *k = row_for(known, &ask->address, ask->schema);
    if (k && k->plan)
        k->plan(ask);
    return k && k->plan;
}

bool lc_known_import(lc_known_types *known, lc_run_question *ask)
{
    const row *k = row_for(known, &ask->address, ask->schema);
    if (k && k->import)
        k->import(ask);
    return k && k->import;
}

bool lc_known_read_data(lc_known_types *known, lc_run_question *ask)
{
    const row *k = row_for(known, &ask->address, ask->schema);
    if (k)
        lc_known_read_remote_state(ask, known->files);
    return k != NULL;
}

/* What a client says to a move to terraform_data; empty: nothing. Terraform asks that the object is
 * of the official provider, whatever its host; OpenTofu looks at the type alone. */
static lc_str refused(const lc_known_types *known, lc_arena *arena, const lc_run_prior *prior)
{
    bool null = lc_str_is(prior->address.type, "null_resource");
    if (known->core == LC_OPENTOFU && !null)
        return lc_str_printf(arena, LC_SUMMARY_MOVE_BUILTIN_OPENTOFU, LC_FMT(prior->address.type));
    if (known->core == LC_OPENTOFU || (null && !prior->provider.len))
        return LC_STR_EMPTY;
    if (!lc_str_ends_with(prior->provider, LC_STR("hashicorp/null\"]")))
        return LC_STR(LC_SUMMARY_MOVE_BUILTIN_PROVIDER);
    return null ? LC_STR_EMPTY : LC_STR(LC_SUMMARY_MOVE_BUILTIN_TYPE);
}

bool lc_known_move(lc_known_types *known, lc_arena *arena, const lc_run_prior *prior,
                   const lc_run_move *move, const lc_value **out, lc_str *error)
{
    lc_address to = {.mode = LC_MODE_MANAGED, .type = move->type};
    const row *k = row_for(known, &to, move->schema);
    const lc_value *object;
    lc_path_list unused = {0};
    *error = LC_STR_EMPTY;
    if (!k || k->plan != lc_known_plan_terraform_data)
        return false;
    *error = refused(known, arena, prior);
    const lc_schema *schema = lc_known_schema(known, LC_MODE_MANAGED, prior->address.type);
    if (error->len || !schema ||
        !move->stored(move->context, arena, prior, schema, NULL, &object, &unused, error))
        return false;
    *out = lc_known_from_null_resource(arena, move->schema, object);
    return true;
}

/* ---- Objects attribute by attribute. */

lc_known_edit lc_known_edit_of(lc_arena *arena, const lc_schema *schema, const lc_value *object)
{
    lc_known_edit e = {arena, schema, LC_NEW_ARRAY(arena, lc_value, object->count)};
    memcpy(e.elems, object->as.many.elems, object->count * sizeof *e.elems);
    return e;
}

lc_value *lc_known_slot(lc_known_edit *e, const char *name)
{
    const lc_attribute *a = lc_block_attribute(e->schema->block, lc_str_from_c(name));
    LC_ASSERT(a != NULL);
    return &e->elems[a->slot];
}

const lc_value *lc_known_attribute(const lc_value *object, const char *name)
{
    const lc_value *v = lc_value_attr(object, lc_str_from_c(name));
    LC_ASSERT(v != NULL);
    return v;
}

const lc_value *lc_known_done(lc_known_edit *e)
{
    lc_value *object = LC_NEW(e->arena, lc_value);
    lc_value_set_object(object, e->arena, e->schema->block->implied, e->elems);
    return object;
}

void lc_known_replace_for(lc_run_question *ask, const char *name)
{
    lc_step *step = LC_NEW(ask->arena, lc_step);
    *step = (lc_step){LC_STEP_ATTR, lc_str_from_c(name), 0, NULL};
    *LC_PUSH(ask->arena, &ask->requires_replace, lc_located_path) =
        (lc_located_path){{step, 1}, {LC_STR_EMPTY, 0, 0}};
}
