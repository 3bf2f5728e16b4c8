/* State files: header, outputs, resources. It follows statefile.prepareStateV4 of both cores; where
 * they stop at an object, it is marked as rejected and reading continues. */
#include "plan/state_reader.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"

#include <string.h>

#define MAX_DIGITS 40 /* of whole numbers: more than fit into 64 bits */

lc_loc lc_state_loc(const lc_state_reader *r, const lc_node *node)
{
    return lc_lines_loc(r->out->lines, node->where);
}

void lc_state_odd(lc_state_reader *r, lc_state_fault fault, lc_str address, lc_str text,
                  const lc_node *at)
{
    lc_state_oddity *o = LC_PUSH(r->arena, &r->out->oddities, lc_state_oddity);
    *o = (lc_state_oddity){fault, address, text, lc_state_loc(r, at), LC_STR_EMPTY, LC_STR_EMPTY};
}

void lc_state_refuse(lc_state_reader *r, const char *summary, lc_str detail)
{
    lc_state_oddity *o = &r->out->oddities.items[r->out->oddities.count - 1];
    o->summary = lc_str_from_c(summary);
    o->detail = detail;
}

/* ---- Members. */

const lc_node *lc_state_member(lc_state_reader *r, const lc_node *mapping, const char *key,
                               lc_node_kind kind, lc_str address)
{
    const lc_node *value = lc_node_get(mapping, key);
    if (lc_node_is(value, kind))
        return value;
    if (!lc_node_is_null(value))
        lc_state_odd(r, LC_FAULTY_MEMBER, address, lc_str_from_c(key), value);
    return NULL;
}

lc_str lc_state_text(lc_state_reader *r, const lc_node *mapping, const char *key, lc_str address)
{
    const lc_node *value = lc_state_member(r, mapping, key, LC_NODE_STRING, address);
    return value ? value->as.text : LC_STR_EMPTY;
}

/* 0 if the member is absent or no whole number. */
int64_t lc_state_whole(lc_state_reader *r, const lc_node *mapping, const char *key, lc_str address)
{
    lc_num n;
    int64_t out = 0;
    const lc_node *value = lc_state_member(r, mapping, key, LC_NODE_NUMBER, address);
    if (value && (lc_num_from_text(&n, r->arena, value->as.text, MAX_DIGITS) != LC_NUM_OK ||
                  !lc_num_to_int64(n, &out)))
        lc_state_odd(r, LC_FAULTY_MEMBER, address, lc_str_from_c(key), value);
    return out;
}

/* ---- Resources. */

/* A mode that is not a string was reported as a faulty member already. */
static void read_mode(lc_state_reader *r, lc_state_resource *resource, const lc_node *node)
{
    const lc_node *mode = lc_node_get(node, "mode");
    if (lc_str_is(resource->mode, "managed") || lc_str_is(resource->mode, "data"))
        return;
    resource->refused = true;
    if (mode && mode->kind != LC_NODE_STRING && mode->kind != LC_NODE_NULL)
        return; /* reported already */
    lc_state_odd(r, LC_FAULTY_MODE, resource->address, resource->mode, mode ? mode : node);
    lc_state_refuse(r, LC_SUMMARY_STATE_MODE,
                    lc_str_printf(r->arena,
                                  "State contains a resource with mode \"%.*s\" (\"%.*s\" "
                                  "\"%.*s\") which is not supported.",
                                  LC_FMT(resource->mode), LC_FMT(resource->type),
                                  LC_FMT(resource->name)));
}

/* An invalid module address leaves the resource in the root, marked as rejected. */
static void read_module(lc_state_reader *r, lc_state_resource *resource, const lc_node *node)
{
    lc_address module = {0};
    lc_str why;
    size_t at;
    bool ok = !resource->module.len ||
              (lc_address_parse(&module, r->arena, resource->module, &why, &at) &&
               lc_address_is_module(&module));
    if (!ok)
        module = (lc_address){0};
    resource->parsed = module;
    resource->parsed.mode = resource->kind == LC_KIND_DATA ? LC_MODE_DATA : LC_MODE_MANAGED;
    resource->parsed.type = resource->type;
    resource->parsed.name = resource->name;
    resource->address = lc_address_text(r->arena, &resource->parsed);
    if (ok)
        return;
    resource->refused = true;
    lc_state_odd(r, LC_FAULTY_MODULE, resource->address, resource->module,
                 lc_node_get(node, "module"));
    lc_state_refuse(r, LC_SUMMARY_STATE_MODULE_ADDRESS, LC_STR_EMPTY);
}

/* Objects are appended while their resource is the last one, so they are consecutive. */
static void read_resource(lc_state_reader *r, const lc_node *node)
{
    lc_str none = LC_STR_EMPTY;
    if (node->kind != LC_NODE_MAPPING) {
        lc_state_odd(r, LC_FAULTY_MEMBER, none, LC_STR("resources"), node);
        return;
    }
    lc_state_resource *resource = LC_PUSH(r->arena, &r->out->resources, lc_state_resource);
    *resource = (lc_state_resource){.loc = lc_state_loc(r, node)};
    resource->module = lc_state_text(r, node, "module", none);
    resource->mode = lc_state_text(r, node, "mode", none);
    resource->type = lc_state_text(r, node, "type", none);
    resource->name = lc_state_text(r, node, "name", none);
    resource->kind = lc_str_is(resource->mode, "data") ? LC_KIND_DATA : LC_KIND_RESOURCE;
    read_module(r, resource, node);
    resource->has_each = lc_state_text(r, node, "each", resource->address).len > 0;
    resource->first = r->out->objects.count;
    const lc_node *provider =
        lc_state_member(r, node, "provider", LC_NODE_STRING, resource->address);
    resource->has_provider = provider && provider->as.text.len;
    resource->provider = provider ? provider->as.text : LC_STR_EMPTY;
    resource->provider_loc = provider ? lc_state_loc(r, provider) : resource->loc;
    read_mode(r, resource, node);
    const lc_node *instances =
        lc_state_member(r, node, "instances", LC_NODE_SEQUENCE, resource->address);
    for (uint32_t i = 0; instances && i < instances->count; i++)
        lc_state_read_object(r, &instances->as.items[i]);
    resource->count = r->out->objects.count - resource->first;
}

/* ---- Outputs. */

static void read_outputs(lc_state_reader *r, const lc_node *root)
{
    const lc_node *outputs = lc_state_member(r, root, "outputs", LC_NODE_MAPPING, LC_STR_EMPTY);
    for (uint32_t i = 0; outputs && i < outputs->count; i++) {
        const lc_member *m = &outputs->as.members[i];
        lc_state_output *output = LC_PUSH(r->arena, &r->out->outputs, lc_state_output);
        output->name = m->key;
        output->value = lc_node_get(&m->value, "value");
        output->type = lc_node_get(&m->value, "type");
        output->sensitive = lc_node_is_true(lc_node_get(&m->value, "sensitive"));
        output->loc = lc_lines_loc(r->out->lines, m->where);
    }
}

/* ---- Tables. The cores reject the second object of one key; it is reported and not indexed. */

static lc_str deposed_key(lc_arena *arena, lc_str address, lc_str deposed)
{
    return lc_str_printf(arena, "%.*s %.*s", LC_FMT(address), LC_FMT(deposed));
}

/* Rejects a repeated object with the error of the cores. */
static void second(lc_state_reader *r, lc_state_object *o)
{
    bool deposed = o->deposed.len > 0;
    lc_str detail =
        deposed ? lc_str_printf(r->arena,
                                "Instance %.*s deposed object \"%.*s\" appears multiple times in "
                                "the state file.",
                                LC_FMT(o->address), LC_FMT(o->deposed))
                : lc_str_printf(r->arena, "Instance %.*s appears multiple times in the state file.",
                                LC_FMT(o->address));
    o->refused = true;
    lc_state_odd(r, deposed ? LC_FAULTY_DEPOSED_TWICE : LC_FAULTY_TWICE, o->address, o->deposed,
                 o->node);
    lc_state_refuse(r, LC_SUMMARY_STATE_DUPLICATE, detail);
}

/* After all objects are read, because the lists do not move any more. */
static void index_objects(lc_state_reader *r)
{
    lc_state_file *s = r->out;
    for (size_t i = 0; i < s->resources.count; i++) {
        lc_state_resource *resource = &s->resources.items[i];
        if (!resource->refused && !lc_table_get(&s->by_resource, resource->address))
            lc_table_put(&s->by_resource, resource->address, resource);
    }
    for (size_t i = 0; i < s->objects.count; i++) {
        lc_state_object *o = &s->objects.items[i];
        lc_table *table = o->deposed.len ? &s->deposed : &s->current;
        lc_str key = o->deposed.len ? deposed_key(r->arena, o->address, o->deposed) : o->address;
        if (o->refused)
            continue;
        if (lc_table_get(table, key))
            second(r, o);
        else
            lc_table_put(table, key, o);
    }
}

/* ---- The file. */

/* Reports what else the document may be: encrypted, an old version, or no state at all. */
static bool is_version_4(const lc_source *source, const lc_node *root, lc_diags *diags)
{
    const lc_node *version = lc_node_get(root, "version");
    bool number = version && version->kind == LC_NODE_NUMBER;
    lc_loc loc = lc_node_loc(source, version ? version : root);
    if (lc_node_get(root, "encryption_version") || lc_node_get(root, "encrypted_data"))
        lc_diag_error(diags, lc_node_loc(source, root),
                      "this state is encrypted; `tofu state pull` prints it in the clear");
    else if (number && lc_str_is(version->as.text, "4"))
        return true;
    else if (number && version->as.text.len == 1 && version->as.text.ptr[0] >= '1' &&
             version->as.text.ptr[0] <= '3')
        lc_diag_error(diags, loc,
                      "a state of version %.*s; any apply of a current client rewrites it as "
                      "version 4",
                      LC_FMT(version->as.text));
    else if (number)
        lc_diag_error(diags, loc, "a state of version %.*s; clients refuse every version except 4",
                      LC_FMT(version->as.text));
    else
        lc_diag_error(diags, loc,
                      "this is not a state file of version 4: `terraform state pull` prints one");
    return false;
}

bool lc_state_is(const lc_node *root)
{
    return lc_state_is_shown(root) ||
           (lc_node_get(root, "version") &&
            (lc_node_get(root, "resources") || lc_node_get(root, "encrypted_data")));
}

static void read_header(lc_state_reader *r, const lc_node *root)
{
    lc_state_file *s = r->out;
    s->loc = lc_state_loc(r, root);
    s->terraform_version = lc_state_text(r, root, "terraform_version", LC_STR_EMPTY);
    s->lineage = lc_state_text(r, root, "lineage", LC_STR_EMPTY);
    s->has_serial = lc_state_member(r, root, "serial", LC_NODE_NUMBER, LC_STR_EMPTY) != NULL;
    s->serial = lc_state_whole(r, root, "serial", LC_STR_EMPTY);
    s->check_results = lc_node_given(root, "check_results");
}

lc_status lc_state_from_node(lc_state_file *out, lc_arena *arena, const lc_source *source,
                             const lc_node *root, lc_diags *diags)
{
    lc_state_reader r = {out, arena};
    *out = (lc_state_file){.source = source,
                           .lines = lc_lines_new(arena, source),
                           .root = root,
                           .terraform_version = LC_STR_EMPTY};
    lc_table_init(&out->current, arena);
    lc_table_init(&out->deposed, arena);
    lc_table_init(&out->by_resource, arena);
    if (root->kind != LC_NODE_MAPPING) {
        lc_diag_error(diags, lc_node_loc(source, root),
                      "this is not a state file of version 4: `terraform state pull` prints one");
        return LC_EINPUT;
    }
    out->shown = lc_state_is_shown(root);
    root = lc_state_stored(arena, root);
    if (!is_version_4(source, root, diags))
        return LC_EINPUT;
    read_header(&r, root);
    read_outputs(&r, root);
    const lc_node *resources =
        lc_state_member(&r, root, "resources", LC_NODE_SEQUENCE, LC_STR_EMPTY);
    out->has_resources = resources != NULL;
    for (uint32_t i = 0; resources && i < resources->count; i++)
        read_resource(&r, &resources->as.items[i]);
    index_objects(&r);
    return LC_OK;
}

const lc_state_object *lc_state_get(const lc_state_file *state, lc_arena *arena, lc_str address,
                                    lc_str deposed)
{
    return deposed.len ? lc_table_get(&state->deposed, deposed_key(arena, address, deposed))
                       : lc_table_get(&state->current, address);
}

lc_str lc_state_provider(const lc_state_file *state, const lc_state_object *object)
{
    return object->has_provider ? object->provider
                                : state->resources.items[object->resource].provider;
}

lc_str lc_state_provider_source(const lc_state_file *state, const lc_state_object *object)
{
    lc_str text = lc_state_provider(state, object);
    const char *open = text.len ? memchr(text.ptr, '"', text.len) : NULL;
    if (!open)
        return LC_STR_EMPTY;
    lc_str rest = lc_str_sub(text, (size_t)(open - text.ptr) + 1, text.len);
    const char *close = rest.len ? memchr(rest.ptr, '"', rest.len) : NULL;
    return close ? lc_str_sub(rest, 0, (size_t)(close - rest.ptr)) : rest;
}
