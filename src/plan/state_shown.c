/* Converts a state as `show -json` prints it into the form of a state file, so that there is one
 * reader. The clients print no serial, no lineage, no private data, and no types of dynamic
 * attributes: a caller that decodes values checks lc_state_object.shown. */
#include "lifecheck/plan/state.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <string.h>

/* The resources collected so far. */
typedef struct maker {
    lc_arena *arena;
    LC_VEC(lc_node) resources;
} maker;

/* ---- Nodes. */

static lc_node text_node(uint64_t where, lc_str text)
{
    return (lc_node){
        .kind = LC_NODE_STRING, .style = LC_STYLE_QUOTED, .where = where, .as.text = text};
}

/* A mapping under construction; no mapping made here has more than 10 members. */
typedef struct mapping {
    lc_arena *arena;
    uint64_t where;
    uint32_t count;
    lc_member members[10];
} mapping;

static void put(mapping *m, const char *key, lc_node value)
{
    LC_ASSERT(m->count < sizeof m->members / sizeof *m->members);
    m->members[m->count++] = (lc_member){lc_str_from_c(key), value.where, value};
}

/* Copies a member under another name, unless it is absent or null. */
static void carry(mapping *m, const char *key, const lc_node *from, const char *member)
{
    const lc_node *value = lc_node_get(from, member);
    if (value && value->kind != LC_NODE_NULL)
        put(m, key, *value);
}

static lc_node mapping_node(const mapping *m)
{
    lc_member *members = LC_NEW_ARRAY(m->arena, lc_member, m->count);
    memcpy(members, m->members, m->count * sizeof *members);
    return (lc_node){
        .kind = LC_NODE_MAPPING, .where = m->where, .count = m->count, .as.members = members};
}

static lc_node sequence_node(lc_arena *arena, uint64_t where, const lc_node *items, size_t count)
{
    lc_node *copy = LC_NEW_ARRAY(arena, lc_node, count);
    if (count)
        memcpy(copy, items, count * sizeof *copy);
    return (lc_node){
        .kind = LC_NODE_SEQUENCE, .where = where, .count = (uint32_t)count, .as.items = copy};
}

/* ---- Objects and modules. Each object becomes a resource of its own with one instance. */

static lc_node instance_of(maker *k, const lc_node *object)
{
    mapping m = {.arena = k->arena, .where = object->where};
    const lc_node *tainted = lc_node_get(object, "tainted");
    carry(&m, "index_key", object, "index");
    carry(&m, "deposed", object, "deposed_key");
    carry(&m, "schema_version", object, "schema_version");
    carry(&m, "attributes", object, "values");
    carry(&m, "identity", object, "identity");
    carry(&m, "identity_schema_version", object, "identity_schema_version");
    carry(&m, "dependencies", object, "depends_on");
    if (lc_node_is_true(tainted))
        put(&m, "status", text_node(tainted->where, LC_STR("tainted")));
    carry(&m, "sensitive_values", object, "sensitive_values");
    return mapping_node(&m);
}

/* The printed provider is a source address; state files wrap it in provider["..."]. */
static void add_object(maker *k, const lc_node *object, const lc_node *module)
{
    mapping m = {.arena = k->arena, .where = object->where};
    const lc_node *provider = lc_node_get(object, "provider_name");
    if (object->kind != LC_NODE_MAPPING)
        return;
    if (module && module->kind == LC_NODE_STRING)
        put(&m, "module", *module);
    carry(&m, "mode", object, "mode");
    carry(&m, "type", object, "type");
    carry(&m, "name", object, "name");
    if (provider && provider->kind == LC_NODE_STRING)
        put(&m, "provider",
            text_node(provider->where,
                      lc_str_printf(k->arena, "provider[\"%.*s\"]", LC_FMT(provider->as.text))));
    lc_node instance = instance_of(k, object);
    put(&m, "instances", sequence_node(k->arena, object->where, &instance, 1));
    *LC_PUSH(k->arena, &k->resources, lc_node) = mapping_node(&m);
}

/* Recursion is bounded by the limit for the nesting of JSON. */
static void add_module(maker *k, const lc_node *module)
{
    if (!module || module->kind != LC_NODE_MAPPING)
        return;
    const lc_node *objects = lc_node_get(module, "resources");
    const lc_node *children = lc_node_get(module, "child_modules");
    for (uint32_t i = 0; i < lc_node_item_count(objects); i++)
        add_object(k, &objects->as.items[i], lc_node_get(module, "address"));
    for (uint32_t i = 0; i < lc_node_item_count(children); i++)
        add_module(k, &children->as.items[i]);
}

bool lc_state_is_shown(const lc_node *root)
{
    const lc_node *values = lc_node_get(root, "values");
    return lc_node_is(values, LC_NODE_MAPPING) && lc_node_get(root, "format_version") &&
           !lc_node_get(root, "planned_values") && !lc_node_get(root, "version");
}

const lc_node *lc_state_stored(lc_arena *arena, const lc_node *root)
{
    if (!lc_state_is_shown(root))
        return root;
    maker k = {.arena = arena};
    mapping m = {.arena = arena, .where = root->where};
    const lc_node *values = lc_node_get(root, "values");
    lc_node version = {.kind = LC_NODE_NUMBER, .where = root->where, .as.text = LC_STR("4")};
    add_module(&k, lc_node_get(values, "root_module"));
    put(&m, "version", version);
    carry(&m, "terraform_version", root, "terraform_version");
    carry(&m, "outputs", values, "outputs");
    carry(&m, "check_results", root, "checks");
    put(&m, "resources", sequence_node(arena, values->where, k.resources.items, k.resources.count));
    lc_node *out = LC_NEW(arena, lc_node);
    *out = mapping_node(&m);
    return out;
}
