/* Configurations and states in short. They are expanded into nodes of the JSON syntax (or of a
 * state file), so that one reader is enough. Nodes keep the places of what was written, so that
 * messages point there. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/provider_config/provider_config.h"

#include <string.h>

/* ---- Nodes. */

typedef struct members {
    LC_VEC(lc_member) list;
} members;

typedef struct items {
    LC_VEC(lc_node) list;
} items;

static void put(lc_in *in, members *m, lc_str key, lc_node value, uint64_t where)
{
    *LC_PUSH(in->arena, &m->list, lc_member) = (lc_member){key, where, value};
}

static lc_node mapping(const members *m, uint64_t where)
{
    return (lc_node){.kind = LC_NODE_MAPPING,
                     .count = (uint32_t)m->list.count,
                     .where = where,
                     .as.members = m->list.items};
}

static lc_node sequence(const items *m, uint64_t where)
{
    return (lc_node){.kind = LC_NODE_SEQUENCE,
                     .count = (uint32_t)m->list.count,
                     .where = where,
                     .as.items = m->list.items};
}

static lc_node text(lc_str t, uint64_t where)
{
    return (lc_node){
        .kind = LC_NODE_STRING, .style = LC_STYLE_QUOTED, .where = where, .as.text = t};
}

/* {key: value} */
static lc_node single(lc_in *in, lc_str key, lc_node value, uint64_t where)
{
    members m = {0};
    put(in, &m, key, value, where);
    return mapping(&m, where);
}

/* ---- Modules that are put together. Modules get folders after their names: the folder of
 * module.a.module.b is "a/b". */

typedef struct module {
    lc_str folder; /* "" is the root */
    items resources, data, calls, blocks;
    members required;
} module;

typedef struct building {
    lc_in *in;
    LC_VEC(module *) modules;
    lc_table by_folder;
} building;

static module *module_of(building *b, lc_str folder)
{
    module *m = lc_table_get(&b->by_folder, folder);
    if (m)
        return m;
    m = LC_NEW(b->in->arena, module);
    m->folder = folder;
    lc_table_put(&b->by_folder, folder, m);
    *LC_PUSH(b->in->arena, &b->modules, module *) = m;
    return m;
}

static lc_str folder_of(building *b, const lc_module_step *steps, size_t count)
{
    lc_buf buf = {0};
    for (size_t i = 0; i < count; i++)
        lc_buf_printf(&buf, "%s%.*s", i ? "/" : "", LC_FMT(steps[i].name));
    return lc_buf_take(b->in->arena, &buf);
}

/* In short form `for_each: [a, b]` means the set of these names, that is the map {a: a, b: b}. */
static lc_node for_each(building *b, const lc_node *node)
{
    members m = {0};
    if (node->kind != LC_NODE_SEQUENCE)
        return *node;
    for (uint32_t i = 0; i < node->count; i++)
        put(b->in, &m, node->as.items[i].as.text, text(node->as.items[i].as.text, node->where),
            node->as.items[i].where);
    return mapping(&m, node->where);
}

static bool is_name_list(building *b, const lc_node *node)
{
    for (uint32_t i = 0; i < lc_node_item_count(node); i++) {
        if (node->as.items[i].kind == LC_NODE_STRING)
            continue;
        lc_diag_error(b->in->diags, lc_in_loc(b->in, &node->as.items[i]),
                      "a list under for_each holds names");
        return false;
    }
    return true;
}

/* The members of a resource or module body, without those that only the short form has. */
static bool body_of(building *b, const lc_node *node, const char *without, const char *also,
                    members *out)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_str_is(m->key, without) || lc_str_is(m->key, also))
            continue;
        bool each = lc_str_is(m->key, "for_each");
        if (each && !is_name_list(b, &m->value))
            return false;
        put(b->in, out, m->key, each ? for_each(b, &m->value) : m->value, m->where);
    }
    return true;
}

/* ---- blocks. */

static bool folder_of_address(building *b, const lc_node *node, lc_str *out)
{
    lc_address address;
    lc_str why, written;
    size_t at;
    *out = LC_STR_EMPTY;
    if (!node)
        return true;
    if (!lc_in_text(b->in, &written, node, "a module"))
        return false;
    if (!lc_address_parse(&address, b->in->arena, written, &why, &at) ||
        !lc_address_is_module(&address)) {
        lc_diag_error(b->in->diags, lc_in_loc(b->in, node), "a module is written module.NAME");
        return false;
    }
    *out = folder_of(b, address.modules, address.module_count);
    return true;
}

static bool add_block(building *b, const lc_node *node)
{
    members body = {0};
    lc_str folder, name;
    if (!lc_in_mapping(b->in, node, "a provider block"))
        return false;
    const lc_node *named = lc_node_get(node, "name");
    if (!named) {
        lc_diag_error(b->in->diags, lc_in_loc(b->in, node), "a provider block has a name");
        return false;
    }
    if (!lc_in_text(b->in, &name, named, "a provider's name") ||
        !folder_of_address(b, lc_node_get(node, "module"), &folder) ||
        !body_of(b, node, "name", "module", &body))
        return false;
    lc_node block = single(b->in, name, mapping(&body, node->where), node->where);
    *LC_PUSH(b->in->arena, &module_of(b, folder)->blocks.list, lc_node) = block;
    return true;
}

/* ---- use. */

static const lc_key_row user_rows[] = {
    {"for_each", LC_SHAPE_ANYTHING, false, ""},
    {"count", LC_SHAPE_ANYTHING, false, ""},
    {"provider", LC_SHAPE_ANYTHING, false, ""},
    {"depends_on", LC_SHAPE_ANYTHING, false, ""},
    {"lifecycle", LC_SHAPE_ANYTHING, false, ""},
    {"arguments", LC_SHAPE_ANYTHING, false, "all else"},
};
const lc_keyset lc_user_keys = LC_KEYSET(user_rows);

static const lc_key_row module_user_rows[] = {
    {"for_each", LC_SHAPE_ANYTHING, false, ""},
    {"count", LC_SHAPE_ANYTHING, false, ""},
    {"providers", LC_SHAPE_ANYTHING, false, ""},
    {"depends_on", LC_SHAPE_ANYTHING, false, ""},
    {"lifecycle", LC_SHAPE_ANYTHING, false, ""},
    {"arguments", LC_SHAPE_ANYTHING, false, "all else"},
};
const lc_keyset lc_module_user_keys = LC_KEYSET(module_user_rows);

static bool check_user(building *b, const lc_member *m, bool call)
{
    const lc_member *found[sizeof user_rows / sizeof *user_rows];
    return lc_in_keys(b->in, found, &m->value, call ? &lc_module_user_keys : &lc_user_keys,
                      call ? "a module" : "a resource");
}

static bool add_user(building *b, const lc_member *m)
{
    lc_address address;
    lc_str why;
    size_t at;
    members body = {0};
    if (!lc_address_parse(&address, b->in->arena, m->key, &why, &at)) {
        lc_diag_error(b->in->diags, lc_in_key_loc(b->in, m), "%.*s", LC_FMT(why));
        return false;
    }
    bool call = lc_address_is_module(&address);
    if (!lc_in_mapping(b->in, &m->value, "what uses a provider") || !check_user(b, m, call) ||
        !body_of(b, &m->value, "arguments", "arguments", &body))
        return false;
    const lc_node *arguments = lc_node_get(&m->value, "arguments");
    for (uint32_t i = 0; i < lc_node_member_count(arguments); i++)
        put(b->in, &body, arguments->as.members[i].key, arguments->as.members[i].value,
            arguments->as.members[i].where);
    size_t depth = call ? address.module_count - 1 : address.module_count;
    module *of = module_of(b, folder_of(b, address.modules, depth));
    if (call) {
        lc_str name = address.modules[depth].name;
        module_of(b, folder_of(b, address.modules, depth + 1));
        put(b->in, &body, LC_STR("source"),
            text(lc_str_printf(b->in->arena, "./%.*s", LC_FMT(name)), m->where), m->where);
        *LC_PUSH(b->in->arena, &of->calls.list, lc_node) =
            single(b->in, name, mapping(&body, m->value.where), m->where);
        return true;
    }
    lc_node named = single(b->in, address.name, mapping(&body, m->value.where), m->where);
    items *list = address.mode == LC_MODE_DATA ? &of->data : &of->resources;
    *LC_PUSH(b->in->arena, &list->list, lc_node) = single(b->in, address.type, named, m->where);
    return true;
    /* A module call needs a `source`, and its module must exist even if it is empty. */
}

/* ---- required. A string is the source alone; a mapping is taken as it is. */

static bool add_required(building *b, const lc_member *m)
{
    lc_str source;
    if (m->value.kind == LC_NODE_MAPPING) {
        put(b->in, &module_of(b, LC_STR_EMPTY)->required, m->key, m->value, m->where);
        return true;
    }
    if (!lc_in_text(b->in, &source, &m->value, "a provider's source"))
        return false;
    put(b->in, &module_of(b, LC_STR_EMPTY)->required, m->key,
        single(b->in, LC_STR("source"), m->value, m->value.where), m->where);
    return true;
}

/* ---- Putting together. */

static void put_list(building *b, members *root, const char *key, const items *list, uint64_t where)
{
    if (list->list.count > 0)
        put(b->in, root, lc_str_from_c(key), sequence(list, where), where);
}

/* All modules share the required providers of the root: the short form writes them once. */
static lc_node finish_module(building *b, const module *m, const module *root_module,
                             uint64_t where)
{
    members root = {0};
    if (root_module->required.list.count > 0)
        put(b->in, &root, LC_STR("terraform"),
            single(b->in, LC_STR("required_providers"), mapping(&root_module->required, where),
                   where),
            where);
    put_list(b, &root, "provider", &m->blocks, where);
    put_list(b, &root, "resource", &m->resources, where);
    put_list(b, &root, "data", &m->data, where);
    put_list(b, &root, "module", &m->calls, where);
    return mapping(&root, where);
}

bool lc_in_short_config(lc_in *in, const lc_node **root, const lc_node **modules,
                        const lc_short_config *shorts)
{
    building b = {.in = in};
    lc_table_init(&b.by_folder, in->arena);
    const module *first = module_of(&b, LC_STR_EMPTY);
    const lc_node *any = shorts->use      ? shorts->use
                         : shorts->blocks ? shorts->blocks
                                          : shorts->required;
    uint64_t where = any ? any->where : 0;
    if ((shorts->required && !lc_in_mapping(in, shorts->required, "required")) ||
        (shorts->blocks && !lc_in_sequence(in, shorts->blocks, "blocks")) ||
        (shorts->use && !lc_in_mapping(in, shorts->use, "use")))
        return false;
    bool ok = true;
    for (uint32_t i = 0; shorts->required && i < shorts->required->count; i++)
        ok &= add_required(&b, &shorts->required->as.members[i]);
    for (uint32_t i = 0; shorts->blocks && i < shorts->blocks->count; i++)
        ok &= add_block(&b, &shorts->blocks->as.items[i]);
    for (uint32_t i = 0; shorts->use && i < shorts->use->count; i++)
        ok &= add_user(&b, &shorts->use->as.members[i]);
    members folders = {0};
    for (size_t i = 1; ok && i < b.modules.count; i++)
        put(in, &folders, b.modules.items[i]->folder,
            finish_module(&b, b.modules.items[i], first, where), where);
    lc_node *nodes = LC_NEW_ARRAY(in->arena, lc_node, 2);
    nodes[0] = finish_module(&b, first, first, where);
    nodes[1] = mapping(&folders, where);
    *root = &nodes[0];
    *modules = &nodes[1];
    return ok;
}

bool lc_in_short_resources(lc_in *in, const lc_node **root, const lc_node **modules)
{
    const lc_node *written = *root, *expanded;
    lc_short_config shorts = {.use = lc_node_get(written, "resources")};
    if (!lc_in_short_config(in, &expanded, modules, &shorts))
        return false;
    members whole = {0};
    for (uint32_t i = 0; i < expanded->count; i++)
        *LC_PUSH(in->arena, &whole.list, lc_member) = expanded->as.members[i];
    for (uint32_t i = 0; i < written->count; i++) {
        if (!lc_str_is(written->as.members[i].key, "resources"))
            *LC_PUSH(in->arena, &whole.list, lc_member) = written->as.members[i];
    }
    lc_node *node = LC_NEW(in->arena, lc_node);
    *node = mapping(&whole, expanded->where);
    *root = node;
    return true;
}

/* ---- States. All objects of one resource, as a state file groups them. */

typedef struct stored {
    lc_str resource;
    lc_address address;
    members top;
    items objects;
    LC_VEC(lc_provider_address) providers;
    LC_VEC(const lc_member *) written;
    LC_VEC(lc_key) keys;
    LC_VEC(lc_str) deposed;
} stored;

static lc_str address_text(lc_in *in, const lc_address *a)
{
    return lc_address_text(in->arena, a);
}

/* Splits "aws_x.y[0] (deposed 0a1b2c3d)"; *deposed is empty without such a suffix. */
static lc_str cut_deposed(lc_str key, lc_str *deposed)
{
    lc_str mark = LC_STR(" (deposed ");
    *deposed = LC_STR_EMPTY;
    for (size_t i = 0; i + mark.len < key.len; i++) {
        if (memcmp(key.ptr + i, mark.ptr, mark.len) != 0 || key.ptr[key.len - 1] != ')')
            continue;
        *deposed = lc_str_sub(key, i + mark.len, key.len - 1);
        return lc_str_sub(key, 0, i);
    }
    return key;
}

static bool take_stored(lc_in *in, lc_table *table, void *list, const lc_member *m)
{
    struct {
        LC_VEC(stored *) all;
    } *out = list;
    lc_address address;
    lc_provider_address provider;
    lc_str why, deposed, written;
    size_t at;
    lc_eval_error wrong;
    lc_str key = cut_deposed(m->key, &deposed);
    if (!lc_address_parse(&address, in->arena, key, &why, &at)) {
        lc_diag_error(in->diags, lc_in_key_loc(in, m), "%.*s", LC_FMT(why));
        return false;
    }
    if (!lc_in_text(in, &written, &m->value, "a provider address"))
        return false;
    if (!lc_provider_address_parse(&provider, in->arena, LC_PROFILE_DOCUMENT, written, &wrong)) {
        lc_diag_error(in->diags, lc_in_loc(in, &m->value), "this is not a provider address: %.*s",
                      LC_FMT(wrong.detail));
        return false;
    }
    lc_address resource = lc_address_resource(&address);
    lc_str name = address_text(in, &resource);
    stored *s = lc_table_get(table, name);
    if (!s) {
        s = LC_NEW(in->arena, stored);
        s->resource = name;
        s->address = address;
        lc_table_put(table, name, s);
        *LC_PUSH(in->arena, &out->all, stored *) = s;
    }
    *LC_PUSH(in->arena, &s->providers, lc_provider_address) = provider;
    *LC_PUSH(in->arena, &s->written, const lc_member *) = m;
    *LC_PUSH(in->arena, &s->keys, lc_key) = address.key;
    *LC_PUSH(in->arena, &s->deposed, lc_str) = deposed;
    return true;
}

/* Must each object have its own provider address? OpenTofu writes it to the instance if the
 * provider instance has a key; in the document's form it does so if the objects differ. */
static bool has_members(const stored *s, lc_profile profile)
{
    bool keyed = false, alike = true;
    for (size_t i = 0; i < s->providers.count; i++) {
        const lc_provider_address *a = &s->providers.items[i];
        keyed |= a->keyed;
        alike &= lc_provider_address_same_config(a, &s->providers.items[0]) &&
                 a->keyed == s->providers.items[0].keyed &&
                 lc_str_eq(a->key, s->providers.items[0].key);
    }
    return profile == LC_PROFILE_DOCUMENT ? !alike : keyed;
}

static lc_node object_node(lc_in *in, const stored *s, size_t at, bool own)
{
    members m = {0};
    uint64_t where = s->written.items[at]->where;
    lc_key key = s->keys.items[at];
    if (key.kind == LC_KEY_STRING)
        put(in, &m, LC_STR("index_key"), text(key.text, where), where);
    if (key.kind == LC_KEY_INT) {
        lc_node number = {.kind = LC_NODE_NUMBER, .where = where};
        number.as.text = lc_str_printf(in->arena, "%lld", (long long)key.number);
        put(in, &m, LC_STR("index_key"), number, where);
    }
    if (s->deposed.items[at].len > 0)
        put(in, &m, LC_STR("deposed"), text(s->deposed.items[at], where), where);
    if (own)
        put(in, &m, LC_STR("provider"), s->written.items[at]->value, where);
    return mapping(&m, where);
}

/* Clients that write the address to the instance do not write one to the resource. */
static lc_node resource_node(lc_in *in, stored *s, lc_profile profile)
{
    uint64_t where = s->written.items[0]->where;
    bool own = has_members(s, profile);
    lc_address holder = lc_address_module(&s->address);
    members m = {0};
    if (holder.module_count > 0)
        put(in, &m, LC_STR("module"), text(address_text(in, &holder), where), where);
    put(in, &m, LC_STR("mode"),
        text(s->address.mode == LC_MODE_DATA ? LC_STR("data") : LC_STR("managed"), where), where);
    put(in, &m, LC_STR("type"), text(s->address.type, where), where);
    put(in, &m, LC_STR("name"), text(s->address.name, where), where);
    if (own && profile == LC_PROFILE_DOCUMENT) {
        lc_provider_address plain = {.module = s->providers.items[0].module,
                                     .fqn = s->providers.items[0].fqn};
        put(in, &m, LC_STR("provider"), text(lc_provider_address_text(in->arena, &plain), where),
            where);
    } else if (!own) {
        put(in, &m, LC_STR("provider"), s->written.items[0]->value, where);
    }
    for (size_t i = 0; i < s->written.count; i++)
        *LC_PUSH(in->arena, &s->objects.list, lc_node) = object_node(in, s, i, own);
    put(in, &m, LC_STR("instances"), sequence(&s->objects, where), where);
    return mapping(&m, where);
}

static const lc_node *state_node(lc_in *in, const lc_node *resources, uint64_t where)
{
    members m = {0};
    lc_node version = {.kind = LC_NODE_NUMBER, .where = where, .as.text = LC_STR("4")};
    put(in, &m, LC_STR("version"), version, where);
    put(in, &m, LC_STR("resources"), *resources, where);
    lc_node *state = LC_NEW(in->arena, lc_node);
    *state = mapping(&m, where);
    return state;
}

/* A mapping with `resources` is a state already, at most without its version. */
const lc_node *lc_in_short_state(lc_in *in, const lc_node *node, lc_profile profile)
{
    struct {
        LC_VEC(stored *) all;
    } list = {0};
    lc_table table;
    lc_table_init(&table, in->arena);
    const lc_node *resources = lc_node_get(node, "resources");
    if (resources)
        return lc_node_get(node, "version") ? node : state_node(in, resources, node->where);
    for (uint32_t i = 0; i < node->count; i++)
        if (!take_stored(in, &table, &list, &node->as.members[i]))
            return NULL;
    items all = {0};
    for (size_t i = 0; i < list.all.count; i++)
        *LC_PUSH(in->arena, &all.list, lc_node) = resource_node(in, list.all.items[i], profile);
    lc_node sequence_node = sequence(&all, node->where);
    return state_node(in, &sequence_node, node->where);
}
