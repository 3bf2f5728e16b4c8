/* Redaction of plans and states.
 *
 * First everything about one object is gathered by its address. A value that is marked sensitive in
 * one part of the document appears in others without a mark, and a name that is redacted must be
 * redacted everywhere: in values, in after_unknown and sensitive marks, in paths, in the
 * configuration. Then the objects are redacted, and last every other text that contains a secret.
 */
#include "redact/document.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/configuration/address.h"

#include <string.h>

/* The resource that a node belongs to. */
typedef struct position {
    lc_str type, provider, address, previous;
    bool data;
} position;

const lc_block *lc_redact_block(const lc_redact_doc *d, lc_str type, lc_str provider, bool data)
{
    lc_diags quiet;
    lc_diags_init(&quiet, d->r->scratch);
    const lc_schema *s = type.len
                             ? lc_schemas_get(d->schemas, data ? LC_KIND_DATA : LC_KIND_RESOURCE,
                                              provider, type, (lc_loc){d->r->file, 0, 0}, &quiet)
                             : NULL;
    return s ? s->block : NULL;
}

/* Warns if a type has no schema: then only what the document itself marks is redacted. */
static const lc_block *block_at(lc_redact_doc *d, const position *a)
{
    const lc_block *block = lc_redact_block(d, a->type, a->provider, a->data);
    if (block || !a->type.len || d->r->tokens.all || lc_table_put(&d->unread, a->type, d))
        return block;
    lc_diag_warning(d->r->diags, (lc_loc){d->r->file, 0, 0},
                    "no schema for \"%.*s\": only what is marked here is redacted, not what the "
                    "schema calls sensitive; --schema names a document, --all-values redacts all",
                    LC_FMT(a->type));
    return NULL;
}

/* ---- Gathering. */

/* The object at an address; "" makes a new one that no other part of the document shows. */
static lc_redact_object *object_at(lc_redact_doc *d, lc_str address, const lc_block *block)
{
    lc_arena *arena = d->r->scratch;
    lc_redact_object *o = address.len ? lc_table_get(&d->by_address, address) : NULL;
    if (!o) {
        o = LC_NEW(arena, lc_redact_object);
        *LC_PUSH(arena, &d->objects, lc_redact_object *) = o;
        if (address.len)
            lc_table_put(&d->by_address, address, o);
        o->address = address;
    }
    o->block = o->block ? o->block : block;
    return o;
}

static void add_part(const lc_redact_doc *d, lc_redact_object *o, const lc_node *node)
{
    if (node)
        *LC_PUSH(d->r->scratch, &o->parts, const lc_node *) = node;
}

static void add_marks(const lc_redact_doc *d, lc_redact_object *o, const lc_node *node)
{
    if (node)
        *LC_PUSH(d->r->scratch, &o->marks, const lc_node *) = node;
    add_part(d, o, node);
}

static void add_change(const lc_redact_doc *d, lc_redact_object *o, const lc_node *change)
{
    const lc_node *paths = lc_node_get(change, "replace_paths");
    add_part(d, o, lc_node_get(change, "before"));
    add_part(d, o, lc_node_get(change, "after"));
    add_part(d, o, lc_node_get(change, "after_unknown"));
    add_marks(d, o, lc_node_get(change, "before_sensitive"));
    add_marks(d, o, lc_node_get(change, "after_sensitive"));
    if (paths)
        *LC_PUSH(d->r->scratch, &o->paths, const lc_node *) = paths;
}

/* An object that was moved is one object: what is marked at its new address is secret at the old.
 */
static void gather_change(lc_redact_doc *d, const position *a, const lc_node *change)
{
    const lc_block *block = block_at(d, a);
    add_change(d, object_at(d, a->address, block), change);
    if (a->previous.len)
        add_change(d, object_at(d, a->previous, block), change);
}

static void gather_values(lc_redact_doc *d, const position *a, const lc_node *node)
{
    lc_redact_object *o = object_at(d, a->address, block_at(d, a));
    add_part(d, o, lc_node_get(node, "values"));
    add_marks(d, o, lc_node_get(node, "sensitive_values"));
}

static lc_redact_object *output_at(lc_redact_doc *d, lc_str name)
{
    return object_at(d, lc_str_printf(d->r->scratch, "output %.*s", LC_FMT(name)), NULL);
}

static void gather_outputs(lc_redact_doc *d, const lc_node *outputs, bool changes)
{
    for (uint32_t i = 0; i < lc_node_member_count(outputs); i++) {
        const lc_member *m = &outputs->as.members[i];
        lc_redact_object *o = output_at(d, m->key);
        if (changes) {
            add_change(d, o, &m->value);
            continue;
        }
        add_part(d, o, lc_node_get(&m->value, "value"));
        if (lc_node_is_true(lc_node_get(&m->value, "sensitive"))) {
            add_marks(d, o, lc_node_get(&m->value, "sensitive"));
            if (lc_node_get(&m->value, "type"))
                lc_redact_names(d->r, lc_node_get(&m->value, "type"));
        }
    }
}

/* ---- Resources: their instances, those with equal marks once. */

static bool is_new_object(const lc_redact_doc *d, lc_redact_group *g, const lc_redact_object *o)
{
    lc_buf marks = {0};
    for (size_t i = 0; i < o->marks.count; i++) {
        lc_node_add_json(&marks, o->marks.items[i]);
        lc_buf_add_char(&marks, '\n');
    }
    lc_str key = lc_buf_take(d->r->scratch, &marks);
    return !lc_table_put(&g->reported, key, g);
}

static void add_to_group(lc_redact_doc *d, lc_redact_object *o)
{
    lc_address parsed;
    lc_str why;
    size_t at;
    lc_arena *arena = d->r->scratch;
    if (!lc_address_parse(&parsed, arena, o->address, &why, &at))
        return;
    parsed = lc_address_config(arena, &parsed);
    lc_str key = lc_address_text(arena, &parsed);
    lc_redact_group *g = lc_table_get(&d->by_config, key);
    if (!g) {
        g = LC_NEW(arena, lc_redact_group);
        lc_table_init(&g->reported, arena);
        lc_table_put(&d->by_config, key, g);
    }
    if (is_new_object(d, g, o))
        *LC_PUSH(arena, &g->objects, lc_redact_object *) = o;
}

/* ---- Marks. */

void lc_redact_marked(lc_redactor *r, const lc_node *node, const lc_node *marks,
                      const lc_type *type, bool expressions)
{
    const lc_node *constant = expressions ? lc_node_get(node, "constant_value") : NULL;
    if (constant) {
        node = constant;
        expressions = false;
    }
    if (lc_node_is_true(marks) && expressions)
        lc_redact_constants(r, node);
    else if (lc_node_is_true(marks))
        lc_redact_secret(r, node, type);
    bool items = marks->kind == LC_NODE_SEQUENCE && node->kind == LC_NODE_SEQUENCE;
    for (uint32_t i = 0; items && i < marks->count && i < node->count; i++)
        lc_redact_marked(r, &node->as.items[i], &marks->as.items[i], lc_type_of_item(type, i),
                         expressions);
    if (marks->kind != LC_NODE_MAPPING || node->kind != LC_NODE_MAPPING)
        return;
    lc_finder find = {.arena = r->scratch, .node = node};
    for (uint32_t i = 0; i < marks->count; i++) {
        const lc_member *m = &marks->as.members[i];
        const lc_node *value = lc_finder_get(&find, m->key);
        if (value)
            lc_redact_marked(r, value, &m->value, lc_type_of_member(type, m->key), expressions);
    }
}

static void redact_parts(lc_redactor *r, const lc_redact_object *o)
{
    for (size_t i = 0; i < o->parts.count; i++) {
        const lc_node *part = o->parts.items[i];
        if (r->tokens.all || (o->block && part->kind == LC_NODE_MAPPING))
            lc_redact_by_block(r, part, o->block);
        for (size_t k = 0; k < o->marks.count; k++)
            lc_redact_marked(r, part, o->marks.items[k], lc_redact_type(o), false);
    }
}

/* ---- Paths: how many steps lead to what is secret. */

static size_t depth_in_schema(const lc_block *block, const lc_redact_steps *path)
{
    const lc_nested_type *nested = NULL;
    for (size_t i = 0; (block || nested) && i < path->list.count; i++) {
        lc_str name = path->list.items[i].name;
        const lc_attribute *a =
            nested ? lc_nested_attribute(nested, name) : lc_block_attribute(block, name);
        const lc_block_type *b = nested ? NULL : lc_block_block(block, name);
        if (a && lc_is_secret(a))
            return i + 1;
        nested = a ? a->nested : NULL;
        block = b ? b->block : NULL;
        if ((nested && !lc_nests_one(nested->nesting)) || (b && !lc_nests_one(b->nesting)))
            i++;
    }
    return SIZE_MAX;
}

static size_t depth_in_marks(const lc_node *marks, const lc_redact_steps *path)
{
    for (size_t i = 0; marks; i++) {
        if (lc_node_is_true(marks))
            return i;
        if (i == path->list.count)
            break;
        const lc_redact_step *s = &path->list.items[i];
        if (marks->kind == LC_NODE_SEQUENCE && s->name.len == 0)
            marks = s->index < marks->count ? &marks->as.items[s->index] : NULL;
        else
            marks = lc_node_value(marks, s->name);
    }
    return SIZE_MAX;
}

size_t lc_redact_depth(const lc_redactor *r, const lc_redact_object *o, const lc_redact_steps *path)
{
    size_t depth = r->tokens.all && o->block ? 0 : depth_in_schema(o->block, path);
    for (size_t i = 0; i < o->marks.count; i++) {
        size_t marked = depth_in_marks(o->marks.items[i], path);
        depth = marked < depth ? marked : depth;
    }
    return depth;
}

/* From `depth` on names are data, except attribute names of the type. */
void lc_redact_mark_steps(lc_redact_steps *path, size_t depth, const lc_type *type)
{
    for (size_t i = 0; i < path->list.count; i++) {
        lc_redact_step *s = &path->list.items[i];
        bool named = type && type->kind == LC_TYPE_OBJECT;
        const lc_type *below = s->name.len ? lc_type_of_member(type, s->name)
                                           : lc_type_of_item(type, (uint32_t)s->index);
        s->secret |= i >= depth && s->name.len && !(named && below);
        type = below;
    }
}

static void add_step(const lc_redactor *r, lc_redact_steps *out, const lc_node *node)
{
    lc_redact_step *s = LC_PUSH(r->scratch, &out->list, lc_redact_step);
    *s = (lc_redact_step){LC_STR_EMPTY, 0, node, false};
    if (node->kind == LC_NODE_STRING)
        s->name = node->as.text;
    for (size_t i = 0; node->kind == LC_NODE_NUMBER && i < node->as.text.len && i < 9; i++)
        s->index = s->index * 10 + (uint64_t)(node->as.text.ptr[i] - '0');
}

/* A path as plans write it: ["name", 0, "key"]. */
static void read_steps(const lc_redactor *r, lc_redact_steps *out, const lc_node *path)
{
    *out = (lc_redact_steps){0};
    for (uint32_t i = 0; i < lc_node_item_count(path); i++)
        add_step(r, out, &path->as.items[i]);
}

static void redact_steps(lc_redactor *r, const lc_redact_object *o, lc_redact_steps *path,
                         size_t depth)
{
    lc_redact_mark_steps(path, depth, lc_redact_type(o));
    for (size_t i = 0; i < path->list.count; i++) {
        if (path->list.items[i].secret)
            lc_redact_text(r, path->list.items[i].node);
    }
}

static void redact_path(lc_redactor *r, const lc_redact_object *o, const lc_node *path)
{
    lc_redact_steps at;
    read_steps(r, &at, path);
    redact_steps(r, o, &at, lc_redact_depth(r, o, &at));
}

static void redact_paths(lc_redactor *r, const lc_redact_object *o)
{
    for (size_t i = 0; i < o->paths.count; i++) {
        const lc_node *list = o->paths.items[i];
        for (uint32_t k = 0; list->kind == LC_NODE_SEQUENCE && k < list->count; k++)
            redact_path(r, o, &list->as.items[k]);
    }
}

static void redact_relevant(lc_redact_doc *d, const lc_node *list)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node *path = lc_node_get(&list->as.items[i], "attribute");
        const lc_redact_group *g =
            lc_table_get(&d->by_config, lc_node_text(&list->as.items[i], "resource"));
        for (size_t k = 0; g && path && k < g->objects.count; k++)
            redact_path(d->r, g->objects.items[k], path);
    }
}

/* ---- States: sensitive places are paths. */

static lc_str joined(const lc_redactor *r, const lc_redact_steps *path, size_t count)
{
    lc_buf key = {0};
    for (size_t i = 0; i < count; i++) {
        const lc_redact_step *s = &path->list.items[i];
        if (s->name.len)
            lc_buf_add_str(&key, s->name);
        else
            lc_buf_printf(&key, "%llu", (unsigned long long)s->index);
        lc_buf_add_char(&key, '\0');
    }
    return lc_buf_take(r->scratch, &key);
}

/* A path as state files write it:
 * [{"type":"get_attr","value":"name"}, {"type":"index","value":{"value":K,"type":T}}] */
static void read_state_path(const lc_redactor *r, lc_redact_steps *out, const lc_node *path)
{
    *out = (lc_redact_steps){0};
    for (uint32_t i = 0; i < lc_node_item_count(path); i++) {
        const lc_node *value = lc_node_get(&path->as.items[i], "value");
        const lc_node *key = lc_node_get(value, "value");
        if (key || value)
            add_step(r, out, key ? key : value);
    }
}

static const lc_node *value_within(const lc_node *at)
{
    bool wrapped = at && at->kind == LC_NODE_MAPPING && at->count == 2 && lc_node_get(at, "type");
    return wrapped && lc_node_get(at, "value") ? lc_node_get(at, "value") : at;
}

/* A path into a set or list redacts all of its elements. */
static void redact_at(lc_redactor *r, const lc_redact_steps *path, const lc_node *at,
                      const lc_type *type)
{
    for (size_t i = 0; at && i < path->list.count; i++) {
        lc_str name = path->list.items[i].name;
        at = value_within(at);
        if (!at || at->kind == LC_NODE_SEQUENCE)
            break;
        type = lc_type_of_member(type, name);
        at = lc_node_value(at, name);
    }
    if (at)
        lc_redact_secret(r, at, type);
}

static void redact_instance(lc_redactor *r, const lc_node *instance, const lc_block *block)
{
    const lc_node *list = lc_node_get(instance, "sensitive_attributes");
    const lc_node *attributes = lc_node_get(instance, "attributes");
    lc_redact_object o = {.block = block};
    lc_table secret;
    lc_table_init(&secret, r->scratch);
    if (attributes && (block || r->tokens.all))
        lc_redact_by_block(r, attributes, block);
    uint32_t count = list && list->kind == LC_NODE_SEQUENCE ? list->count : 0;
    lc_redact_steps *paths = LC_NEW_ARRAY(r->scratch, lc_redact_steps, count);
    for (uint32_t i = 0; i < count; i++) {
        read_state_path(r, &paths[i], &list->as.items[i]);
        lc_table_put(&secret, joined(r, &paths[i], paths[i].list.count), &paths[i]);
        if (attributes)
            redact_at(r, &paths[i], attributes, lc_redact_type(&o));
    }
    for (uint32_t i = 0; i < count; i++) {
        lc_redact_steps *p = &paths[i];
        size_t depth = lc_redact_depth(r, &o, p);
        for (size_t k = 1; k < p->list.count && k < depth; k++)
            depth = lc_table_get(&secret, joined(r, p, k)) ? k : depth;
        redact_steps(r, &o, p, depth);
    }
}

/* ---- All of a document. */

static void walk(lc_redact_doc *d, const lc_node *node, const position *outer);

static bool has_one(const lc_node *node, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lc_node_get(node, keys[i]))
            return true;
    }
    return false;
}

/* A member that names it and one that belongs to a resource: any others may be missing. */
static bool is_resource(const lc_node *node)
{
    static const char *const names[] = {"address", "name", "instances"}, *const kinds[] = {
                                                                             "type", "mode",
                                                                             "change", "values"};
    return has_one(node, names, 3) && has_one(node, kinds, 4);
}

/* Are these the values of an object? `values` is also the name of a whole state, in the root of a
 * state or below prior_state of a plan. */
static bool has_values(const lc_redact_doc *d, const lc_node *node)
{
    return lc_node_get(node, "values") && node != d->root &&
           node != lc_node_get(d->root, "prior_state");
}

static void look_at(lc_redact_doc *d, const lc_node *node, const position *a)
{
    lc_redactor *r = d->r;
    const lc_node *bytes = lc_node_get(node, "private"), *identity = lc_node_get(node, "identity"),
                  *flat = lc_node_get(node, "attributes_flat");
    if (lc_node_get(node, "before") || lc_node_get(node, "after") ||
        lc_node_get(node, "after_unknown"))
        gather_change(d, a, node);
    if (has_values(d, node))
        gather_values(d, a, node);
    if (lc_node_get(node, "attributes")) {
        r->bare = false;
        redact_instance(r, node, block_at(d, a));
        r->bare = true;
    }
    if (bytes)
        lc_redact_secret(r, bytes, NULL);
    if (flat) /* of a client so old that no schema is known: all of it may be secret */
        lc_redact_value(r, flat, NULL);
    const lc_node *id = lc_node_get(lc_node_get(node, "importing"), "id");
    if (id && id->kind == LC_NODE_STRING)
        lc_redact_text(r, id);
    static const char *const asked[] = {"before_identity", "after_identity", "importing",
                                        "generated_config"};
    for (size_t i = 0; r->tokens.all && i < sizeof asked / sizeof *asked; i++) {
        if (lc_node_get(node, asked[i]))
            lc_redact_value(r, lc_node_get(node, asked[i]), NULL);
    }
    if (r->tokens.all && identity)
        lc_redact_value(r, identity, NULL);
}

/* Below these members everything is data, regardless of the names of its keys. */
static bool is_value(const lc_redact_doc *d, const lc_node *node, lc_str key)
{
    static const char *const keys[] = {
        "before",          "after",      "after_unknown", "before_sensitive",
        "after_sensitive", "attributes", "configuration", NULL};
    return lc_str_is_one_of(key, keys, NULL) || (lc_str_is(key, "values") && has_values(d, node));
}

static void walk_members(lc_redact_doc *d, const lc_node *node, const position *a)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_str_is(m->key, "output_changes") || lc_str_is(m->key, "outputs"))
            gather_outputs(d, &m->value, lc_str_is(m->key, "output_changes"));
        else if (!is_value(d, node, m->key))
            walk(d, &m->value, a);
    }
}

static void walk(lc_redact_doc *d, const lc_node *node, const position *outer)
{
    position a = *outer;
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        walk(d, &node->as.items[i], outer);
    if (node->kind != LC_NODE_MAPPING)
        return;
    if (is_resource(node))
        a = (position){lc_node_text(node, "type"), lc_node_text(node, "provider_name"),
                       lc_node_text(node, "address"), lc_node_text(node, "previous_address"),
                       lc_str_is(lc_node_text(node, "mode"), "data")};
    look_at(d, node, &a);
    walk_members(d, node, &a);
}

/* Members that give the document its structure. A secret that equals one is not revealed there. */
static bool is_structural(lc_str key)
{
    static const char *const keys[] = {"address",
                                       "previous_address",
                                       "module_address",
                                       "module",
                                       "type",
                                       "name",
                                       "mode",
                                       "provider",
                                       "provider_name",
                                       "provider_config_key",
                                       "full_name",
                                       "actions",
                                       "action_reason",
                                       "references",
                                       "resource",
                                       "format_version",
                                       "terraform_version",
                                       "lineage",
                                       "timestamp",
                                       "status",
                                       "reason",
                                       "deposed",
                                       "dependencies",
                                       "depends_on",
                                       "index_key",
                                       "schema_version",
                                       "replace_paths",
                                       "relevant_attributes",
                                       "sensitive_attributes",
                                       NULL};
    return lc_str_is_one_of(key, keys, NULL);
}

static void redact_texts(lc_redactor *r, const lc_node *node)
{
    if (node->kind == LC_NODE_STRING && !lc_redact_sub(r, node)) {
        lc_str redacted = lc_tokens_redact(&r->tokens, r->scratch, node->as.text);
        if (!lc_str_eq(redacted, node->as.text))
            lc_redact_put_text(r, node, redacted);
    }
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        redact_texts(r, &node->as.items[i]);
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        if (!is_structural(node->as.members[i].key))
            redact_texts(r, &node->as.members[i].value);
    }
}

static void redact_all(lc_redact_doc *d)
{
    const lc_node *root = d->root;
    const position none = {LC_STR_EMPTY, LC_STR_EMPTY, LC_STR_EMPTY, LC_STR_EMPTY, false};
    walk(d, root, &none);
    for (size_t i = 0; i < d->objects.count; i++)
        add_to_group(d, d->objects.items[i]);
    for (size_t i = 0; i < d->objects.count; i++) {
        redact_parts(d->r, d->objects.items[i]);
        redact_paths(d->r, d->objects.items[i]);
    }
    redact_relevant(d, lc_node_get(root, "relevant_attributes"));
    lc_redact_configuration(d, root);
    redact_texts(d->r, root);
}

void lc_redact_document(lc_redactor *r, lc_json_kind kind, lc_buf *out, lc_str text,
                        lc_schemas *schemas)
{
    lc_source source;
    lc_table_init(&r->subs, r->scratch);
    if (lc_json_parse(&source, r->scratch, r->file, text, &r->limits, r->diags) != LC_OK ||
        !lc_json_is(kind, &source, r->diags))
        return;
    lc_redact_doc d = {.r = r, .schemas = schemas, .root = &source.documents[0]};
    lc_table_init(&d.by_address, r->scratch);
    lc_table_init(&d.by_config, r->scratch);
    lc_table_init(&d.unread, r->scratch);
    r->bare = true;
    redact_all(&d);
    lc_redact_write(r, out, d.root);
    lc_buf_add_char(out, '\n');
}
