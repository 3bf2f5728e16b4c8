/* What the configuration of a provider says of the values that the provider computes: its region,
 * its project, its default tags. A client configures a provider once for each of its connections,
 * and the provider of each has its own configuration. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "lifecheck/probe/values.h"
#include "serve/internal.h"

#define TAGS   LC_STR("tags")
#define REGION LC_STR("region")

bool lc_serve_read_settings(lc_serve_call *call, const lc_value **out)
{
    call->schema = lc_serve_schema(call->served, LC_KIND_PROVIDER, LC_STR_EMPTY);
    *out = NULL;
    if (!call->schema)
        return true;
    *out = lc_serve_value(call, call->request, "config", call->schema->block->implied);
    return *out != NULL;
}

bool lc_serve_configure(lc_serve_call *call)
{
    lc_served *served = call->served;
    lc_arena *arena = call->arena;
    const lc_value **kept = LC_NEW(served->arena, const lc_value *);
    call->arena = served->arena; /* the configuration outlives the call */
    bool good = lc_serve_read_settings(call, kept);
    call->arena = arena;
    if (*kept)
        lc_table_put(&served->settings, lc_str_copy(served->arena, LC_BYTES_OF(call->connection)),
                     kept);
    return good;
}

const lc_value *lc_serve_settings(const lc_serve_call *call)
{
    const lc_value **kept = lc_table_get(&call->served->settings, LC_BYTES_OF(call->connection));
    return kept ? *kept : NULL;
}

static lc_str text_at(const lc_value *settings, lc_str name)
{
    const lc_value *v = settings ? lc_value_attr(settings, name) : NULL;
    return v && lc_is_known(v) && v->type->kind == LC_TYPE_STRING ? v->as.string : LC_STR_EMPTY;
}

/* Only names that say where objects are: a setting of another name can be a secret. */
lc_str lc_serve_setting(const lc_value *settings, lc_str name)
{
    static const char *const places[] = {"region",          "zone",      "location",  "project",
                                         "subscription_id", "tenant_id", "namespace", NULL};
    return lc_str_is_one_of(name, places, NULL) ? text_at(settings, name) : LC_STR_EMPTY;
}

lc_str lc_serve_in_region(lc_arena *arena, const lc_value *settings, lc_str text)
{
    lc_str table = lc_named_text(REGION, LC_TYPE_STRING), region = text_at(settings, REGION);
    size_t at = lc_str_find_str(text, table);
    if (!region.len || at == text.len)
        return text;
    return lc_str_printf(arena, "%.*s%.*s%.*s", (int)at, text.ptr, LC_FMT(region),
                         LC_FMT(lc_str_sub(text, at + table.len, text.len)));
}

/* The tags in the block default_tags; NULL: there are none. */
static const lc_value *default_tags(const lc_value *settings)
{
    const lc_value *block = settings ? lc_value_attr(settings, LC_STR("default_tags")) : NULL;
    if (block && lc_is_known(block) && block->type->kind != LC_TYPE_OBJECT)
        block = block->count ? &block->as.many.elems[0] : NULL;
    return block ? lc_value_attr(block, TAGS) : NULL;
}

static uint32_t add_tags(lc_str *keys, lc_value *elems, uint32_t count, const lc_value *tags)
{
    for (uint32_t i = 0; i < tags->count; i++) {
        keys[count] = tags->as.many.keys[i];
        elems[count++] = tags->as.many.elems[i];
    }
    return count;
}

const lc_value *lc_serve_all_tags(lc_arena *arena, const lc_value *settings, const lc_value *tags)
{
    const lc_value *defaults = default_tags(settings);
    lc_value slot;
    if (!defaults || !lc_is_known(defaults) || !lc_is_wholly_known(defaults) ||
        !lc_type_equal(defaults->type, tags->type))
        return tags;
    uint32_t most = defaults->count + (lc_is_known(tags) ? tags->count : 0), count;
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, most + 1);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, most + 1);
    count = add_tags(keys, elems, 0, defaults);
    if (lc_is_known(tags))
        count = add_tags(keys, elems, count, tags); /* of equal keys the last counts */
    return lc_value_set_map(&slot, arena, tags->type, keys, elems, count)
               ? lc_value_new(arena, &slot)
               : tags;
}
