/* The configuration of a provider that must not reach its cloud: what shapes plans is kept,
 * credentials are generated, what reaches out is left out. */
#include "lifecheck/offline_config/settings.h"

#include "lifecheck/base/arena.h"

#include <string.h>

/* ---- The table (stand_ins.def). */

typedef enum row_kind { OF_PROVIDER, PUT_VALUE, DROP_NAME, SIGNED_TYPE } row_kind;

typedef struct row {
    row_kind kind;
    const char *name; /* of the provider, without its registry, or a pattern of an argument */
    const char *value;
} row;

static const row rows[] = {
#define PROVIDER(name)   {OF_PROVIDER, name, NULL},
#define PUT(name, value) {PUT_VALUE, name, value},
#define DROP(name)       {DROP_NAME, name, NULL},
#define SIGNED(type)     {SIGNED_TYPE, type, NULL},
#include "offline_config/stand_ins.def"
#undef PROVIDER
#undef PUT
#undef DROP
#undef SIGNED
};
#define ROWS (sizeof rows / sizeof *rows)
#define ANY  LC_STR("*") /* the provider of rows for those that have none */

/* registry.terraform.io/hashicorp/aws and hashicorp/aws are both "hashicorp/aws". */
static bool is_provider(lc_str address, const char *name)
{
    lc_str wanted = lc_str_from_c(name);
    return lc_str_ends_with(address, wanted) &&
           (address.len == wanted.len || address.ptr[address.len - wanted.len - 1] == '/');
}

/* The first row after that of the provider; ROWS: it has none. */
static size_t rows_of(lc_str provider)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].kind == OF_PROVIDER && is_provider(provider, rows[i].name))
            return i + 1;
    }
    return ROWS;
}

/* NULL: the argument is kept. */
static const row *row_for(size_t first, lc_str name)
{
    for (size_t i = first; i < ROWS && rows[i].kind != OF_PROVIDER; i++) {
        if (rows[i].kind != SIGNED_TYPE && lc_str_matches_glob(name, lc_str_from_c(rows[i].name)))
            return &rows[i];
    }
    return NULL;
}

bool lc_settings_sign(lc_str type)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].kind == SIGNED_TYPE && lc_str_is(type, rows[i].name))
            return true;
    }
    return false;
}

static const struct {
    const char *provider;
    const char *const *names;
} environments[] = {
    {"hashicorp/aws", (const char *const[]){"AWS_REGION", "AWS_DEFAULT_REGION", NULL}},
    {"hashicorp/google",
     (const char *const[]){"GOOGLE_PROJECT", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT",
                           "CLOUDSDK_CORE_PROJECT", "GOOGLE_REGION", "GCLOUD_REGION",
                           "CLOUDSDK_COMPUTE_REGION", "GOOGLE_ZONE", "GCLOUD_ZONE",
                           "CLOUDSDK_COMPUTE_ZONE", NULL}},
    {"hashicorp/google-beta",
     (const char *const[]){"GOOGLE_PROJECT", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT",
                           "CLOUDSDK_CORE_PROJECT", "GOOGLE_REGION", "GCLOUD_REGION",
                           "CLOUDSDK_COMPUTE_REGION", "GOOGLE_ZONE", "GCLOUD_ZONE",
                           "CLOUDSDK_COMPUTE_ZONE", NULL}},
    {"hashicorp/azurerm", (const char *const[]){"ARM_SUBSCRIPTION_ID", NULL}},
};

const char *const *lc_settings_environment(lc_str provider)
{
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++) {
        if (is_provider(provider, environments[i].provider))
            return environments[i].names;
    }
    return NULL;
}

/* ---- One argument. */

typedef struct making {
    lc_offline_settings *out;
    lc_arena *arena;
    size_t first; /* of the provider's rows; ROWS: it has none */
} making;

static void note(const making *m, bool invented, lc_str name)
{
    if (invented)
        *LC_PUSH(m->arena, &m->out->invented, lc_str) = name;
    else
        *LC_PUSH(m->arena, &m->out->left_out, lc_str) = name;
}

/* The text as a value of the attribute's type. */
static void put(const making *m, lc_value *slot, const lc_type *type, const char *text)
{
    if (type->kind == LC_TYPE_BOOL)
        lc_value_set_bool(slot, strcmp(text, "true") == 0);
    else if (type->kind == LC_TYPE_NUMBER)
        lc_value_set_number(slot, lc_num_from_int(text[0] - '0'));
    else if (type->kind == LC_TYPE_STRING)
        lc_value_set_string(slot, m->arena, lc_str_from_c(text));
    else
        lc_value_set_null(slot, type);
}

/* Names of arguments that hold credentials, for providers without rows. */
static bool names_credential(lc_str name)
{
    static const char *const parts[] = {"token",      "password",    "secret",  "credential",
                                        "passphrase", "private_key", "api_key", "access_key",
                                        "auth_key",   "apikey",      "app_key", "client_key"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (lc_str_contains(name, lc_str_from_c(parts[i])))
            return true;
    }
    return false;
}

/* The rule for providers without rows: what is a secret by its schema, by its name or by its mark
 * becomes another string; what is not set stays so. */
static bool is_secret(const lc_attribute *a, const lc_marks *marks)
{
    bool named = a->implied->kind != LC_TYPE_BOOL && names_credential(a->name);
    return a->sensitive || named || (marks && (marks->all & LC_MARK_SENSITIVE));
}

/* Of providers without rows: switches that are named alike wherever they exist. */
static const row *switch_for(const making *m, const lc_attribute *a)
{
    bool without_rows = m->first == ROWS;
    return without_rows && a->implied->kind == LC_TYPE_BOOL ? row_for(rows_of(ANY), a->name) : NULL;
}

static bool is_open(const lc_value *value, const lc_marks *marks)
{
    return !lc_is_wholly_known(value) || (marks && (marks->all & LC_MARK_UNDECIDED));
}

static void keep(const making *m, const lc_value *slot, const lc_marks *marks, lc_str name)
{
    if (is_open(slot, marks) && !m->out->why.len)
        m->out->why = lc_str_printf(m->arena, "%.*s of its provider's configuration is not known",
                                    LC_FMT(name));
}

static void make_attribute(const making *m, lc_value *slot, const lc_attribute *a,
                           const lc_marks *marks)
{
    const row *own = row_for(m->first, a->name), *r = own ? own : switch_for(m, a);
    bool set = !lc_is_null(slot);
    if (r && r->kind == PUT_VALUE) {
        put(m, slot, a->implied, r->value);
        note(m, true, a->name);
    } else if (r) {
        lc_value_set_null(slot, a->implied);
        if (set)
            note(m, false, a->name);
    } else if (m->first == ROWS && set && is_secret(a, marks)) {
        put(m, slot, a->implied, "offline");
        note(m, true, a->name);
    } else {
        keep(m, slot, marks, a->name);
    }
}

/* ---- Blocks. */

static void make_blocks_of(const making *m, lc_value *object, const lc_block *block,
                           const lc_marks *marks, lc_str name);

/* Sets cannot be rebuilt in place: their elements are sorted by value. */
static void make_elements(const making *m, lc_value *slot, const lc_block_type *b,
                          const lc_marks *marks)
{
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, slot->count + 1);
    if (slot->count)
        memcpy(elems, slot->as.many.elems, slot->count * sizeof *elems);
    for (size_t i = 0; i < slot->count; i++) {
        const lc_marks *inner = marks && i < marks->count ? marks->children[i] : marks;
        make_blocks_of(m, &elems[i], b->block, inner, b->name);
    }
    if (slot->type->kind == LC_TYPE_SET)
        lc_value_set_set(slot, m->arena, slot->type, elems, slot->count);
    else
        slot->as.many.elems = elems;
}

static void make_block(const making *m, lc_value *slot, const lc_block_type *b,
                       const lc_marks *marks)
{
    const row *r = row_for(m->first, b->name);
    bool single = b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP;
    bool set = !lc_is_null(slot) && (single || !lc_is_known(slot) || slot->count > 0);
    if (r) {
        lc_value empty = *lc_block_empty_value(m->arena, b->block);
        if (b->nesting == LC_NESTING_GROUP)
            *slot = empty;
        else if (single)
            lc_value_set_null(slot, b->implied);
        else if (lc_is_known(slot) && !lc_is_null(slot))
            slot->count = 0;
        else
            lc_value_set_null(slot, b->implied);
        if (set)
            note(m, false, b->name);
        return;
    }
    keep(m, slot, marks, b->name);
    if (m->first != ROWS || !set || is_open(slot, marks))
        return;
    if (single)
        make_blocks_of(m, slot, b->block, marks, b->name);
    else
        make_elements(m, slot, b, marks);
}

/* Credentials below a block of a provider without rows. */
static void make_blocks_of(const making *m, lc_value *object, const lc_block *block,
                           const lc_marks *marks, lc_str name)
{
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, object->count + 1);
    if (lc_is_null(object) || !lc_is_known(object))
        return;
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        const lc_marks *inner = marks && a->slot < marks->count ? marks->children[a->slot] : marks;
        if (!lc_is_null(&elems[a->slot]) && is_secret(a, inner)) {
            put(m, &elems[a->slot], a->implied, "offline");
            note(m, true, lc_str_printf(m->arena, "%.*s.%.*s", LC_FMT(name), LC_FMT(a->name)));
        }
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        const lc_marks *inner = marks && b->slot < marks->count ? marks->children[b->slot] : marks;
        make_block(m, &elems[b->slot], b, inner);
    }
    lc_value_set_object(object, m->arena, block->implied, elems);
}

void lc_settings_whole(lc_offline_settings *out, lc_marked given)
{
    *out = (lc_offline_settings){.why = LC_STR_EMPTY};
    if (given.value && !is_open(given.value, given.marks))
        out->value = given.value;
    else
        out->why = LC_STR("the configuration of its provider is not known");
}

void lc_settings_offline(lc_offline_settings *out, lc_arena *arena, const lc_schema *schema,
                         lc_str provider, lc_marked given)
{
    const lc_block *block = schema->block;
    making m = {out, arena, rows_of(provider)};
    *out = (lc_offline_settings){.why = LC_STR_EMPTY};
    if (!given.value || !lc_is_known(given.value) || lc_is_null(given.value)) {
        out->why = LC_STR("the configuration of its provider is not known");
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, given.value->count + 1), object;
    memcpy(elems, given.value->as.many.elems, given.value->count * sizeof *elems);
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        const lc_marks *marks =
            given.marks && a->slot < given.marks->count ? given.marks->children[a->slot] : NULL;
        make_attribute(&m, &elems[a->slot], a, marks);
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        const lc_marks *marks =
            given.marks && b->slot < given.marks->count ? given.marks->children[b->slot] : NULL;
        make_block(&m, &elems[b->slot], b, marks);
    }
    if (out->why.len)
        return;
    lc_value_set_object(&object, arena, block->implied, elems);
    out->value = lc_value_new(arena, &object);
}
