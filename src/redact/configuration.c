/* Redaction of the configuration of a plan: variables, constants, and names in references. */
#include "redact/document.h"

#include "lifecheck/base/arena.h"

void lc_redact_constants(lc_redactor *r, const lc_node *node)
{
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        lc_redact_constants(r, &node->as.items[i]);
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_str_is(m->key, "constant_value"))
            lc_redact_secret(r, &m->value, NULL);
        else
            lc_redact_constants(r, &m->value);
    }
}

/* ---- Expressions as what a schema's secrets are looked for in. */

/* What holds a constant holds a part of the object. */
static lc_secret_place expression_of(const lc_secret_walk *w, lc_secret_place object,
                                     lc_secret_part kind, lc_str name, uint32_t slot)
{
    (void)w;
    (void)slot;
    const lc_node *part = lc_node_value(object.node, name);
    return (lc_secret_place){
        .node = kind == LC_SECRET_ATTRIBUTE ? lc_node_get(part, "constant_value") : part};
}

static bool has_members(const lc_node *node, lc_nesting nesting)
{
    return nesting == LC_NESTING_MAP && node->kind == LC_NODE_MAPPING;
}

static uint32_t blocks_of(const lc_secret_walk *w, lc_secret_place *part, lc_nesting nesting)
{
    (void)w;
    const lc_node *node = part->node;
    return node->kind == LC_NODE_SEQUENCE || has_members(node, nesting) ? node->count : 1;
}

static lc_secret_place block_of(const lc_secret_walk *w, lc_secret_place part, lc_nesting nesting,
                                uint32_t i)
{
    (void)w;
    const lc_node *node = part.node;
    if (node->kind == LC_NODE_SEQUENCE)
        return (lc_secret_place){.node = &node->as.items[i]};
    return has_members(node, nesting) ? (lc_secret_place){.node = &node->as.members[i].value}
                                      : part;
}

/* What the schema does not have, because it is of another version. */
static void redact_other_expressions(const lc_secret_walk *w, lc_secret_place object,
                                     const lc_block *block, const lc_nested_type *nested)
{
    for (uint32_t i = 0; !nested && i < object.node->count; i++) {
        const lc_member *m = &object.node->as.members[i];
        if (!lc_block_attribute(block, m->key) && !lc_block_block(block, m->key))
            lc_redact_constants(w->context, &m->value);
    }
}

static void redact_expressions(lc_redactor *r, const lc_node *node, const lc_block *block)
{
    lc_secret_walk walk = lc_redact_walk(r);
    walk.all = r->tokens.all;
    walk.part = expression_of;
    walk.others = r->tokens.all ? redact_other_expressions : NULL;
    walk.elements = blocks_of;
    walk.element = block_of;
    lc_walk_secrets(&walk, (lc_secret_place){.node = node}, block);
}

/* ---- References: `type.name.attribute`, `var.name.attribute`. */

typedef struct piece {
    size_t from, to; /* in the text */
    bool quoted, number;
} piece;

typedef struct pieces {
    lc_str text;
    LC_VEC(piece) list;
} pieces;

static size_t bracket_end(lc_str text, size_t at, bool *quoted)
{
    *quoted = at < text.len && text.ptr[at] == '"';
    size_t end = *quoted ? at + 1 : at;
    while (end < text.len && text.ptr[end] != (*quoted ? '"' : ']'))
        end += *quoted && text.ptr[end] == '\\' && end + 1 < text.len ? 2 : 1;
    return end;
}

static void split(const lc_redactor *r, pieces *out, lc_str text)
{
    *out = (pieces){.text = text};
    for (size_t at = 0; at < text.len;) {
        bool quoted = false, bracket = text.ptr[at] == '[';
        size_t from = bracket || text.ptr[at] == '.' ? at + 1 : at, end = from;
        if (bracket)
            end = bracket_end(text, from, &quoted);
        while (!bracket && end < text.len && text.ptr[end] != '.' && text.ptr[end] != '[')
            end++;
        *LC_PUSH(r->scratch, &out->list, piece) =
            (piece){from + quoted, end, quoted, bracket && !quoted};
        at = end + (bracket ? 1 + quoted : 0);
    }
}

static lc_str piece_text(const pieces *p, size_t i)
{
    return i < p->list.count ? lc_str_sub(p->text, p->list.items[i].from, p->list.items[i].to)
                             : LC_STR_EMPTY;
}

static void read_pieces(const lc_redactor *r, lc_redact_steps *out, const pieces *p, size_t first)
{
    *out = (lc_redact_steps){0};
    for (size_t i = first; i < p->list.count; i++) {
        lc_str name = p->list.items[i].number ? LC_STR_EMPTY : piece_text(p, i);
        *LC_PUSH(r->scratch, &out->list, lc_redact_step) = (lc_redact_step){name, 0, NULL, false};
    }
}

/* The text with tokens instead of what is secret. */
static void put_pieces(lc_redactor *r, const lc_node *node, const pieces *p,
                       const lc_redact_steps *path, size_t first)
{
    lc_buf out = {0};
    size_t done = 0;
    for (size_t i = 0; i < path->list.count; i++) {
        const piece *at = &p->list.items[first + i];
        if (!path->list.items[i].secret)
            continue;
        lc_buf_add_str(&out, lc_str_sub(p->text, done, at->from));
        lc_buf_add_str(&out, lc_token_text(&r->tokens, piece_text(p, first + i)));
        done = at->to;
    }
    lc_buf_add_str(&out, lc_str_sub(p->text, done, p->text.len));
    if (done)
        lc_redact_put_text(r, node, lc_buf_copy(r->scratch, &out));
    lc_buf_release(&out);
}

/* A module of the configuration. */
typedef struct module {
    const lc_node *node;
    lc_str prefix; /* of addresses in it */
} module;

static bool is_declared_secret(const lc_redact_doc *d, const lc_node *list, lc_str name)
{
    return d->r->tokens.all || lc_node_is_true(lc_node_get(lc_node_value(list, name), "sensitive"));
}

/* How many pieces name what is referred to; 0: nothing that has values of its own. */
static size_t referred(const pieces *p)
{
    lc_str root = piece_text(p, 0);
    size_t count = lc_str_is(root, "var")                                 ? 2
                   : lc_str_is(root, "data") || lc_str_is(root, "module") ? 3
                   : lc_str_is(root, "local") || lc_str_is(root, "each")  ? 0
                                                                          : 2;
    size_t key = lc_str_is(root, "module") ? 2 : count;
    bool indexed = count && !lc_str_is(root, "var") && key < p->list.count &&
                   p->text.ptr[p->list.items[key].from - 1 - p->list.items[key].quoted] == '[';
    return count + indexed;
}

static void mark_reference(lc_redact_doc *d, const module *m, const pieces *p,
                           lc_redact_steps *path)
{
    lc_redactor *r = d->r;
    lc_str root = piece_text(p, 0), name = piece_text(p, 1);
    if (lc_str_is(root, "var")) {
        if (is_declared_secret(d, lc_node_get(m->node, "variables"), name))
            lc_redact_mark_steps(path, 0, NULL);
        return;
    }
    if (lc_str_is(root, "module")) {
        const lc_node *called =
            lc_node_get(lc_node_value(lc_node_get(m->node, "module_calls"), name), "module");
        if (is_declared_secret(d, lc_node_get(called, "outputs"), piece_text(p, referred(p) - 1)))
            lc_redact_mark_steps(path, 0, NULL);
        return;
    }
    bool data = lc_str_is(root, "data");
    lc_str address =
        lc_str_printf(r->scratch, "%.*s%s%.*s.%.*s", LC_FMT(m->prefix), data ? "data." : "",
                      LC_FMT(data ? name : root), LC_FMT(data ? piece_text(p, 2) : name));
    const lc_redact_group *g = lc_table_get(&d->by_config, address);
    lc_redact_object unseen = {.block = lc_redact_block(d, data ? name : root, LC_STR_EMPTY, data)};
    if (!g)
        lc_redact_mark_steps(path, lc_redact_depth(r, &unseen, path), lc_redact_type(&unseen));
    for (size_t i = 0; g && i < g->objects.count; i++)
        lc_redact_mark_steps(path, lc_redact_depth(r, g->objects.items[i], path),
                             lc_redact_type(g->objects.items[i]));
}

static void redact_reference(lc_redact_doc *d, const module *m, const lc_node *node)
{
    pieces p;
    lc_redact_steps path;
    split(d->r, &p, node->as.text);
    size_t first = referred(&p);
    if (first == 0 || first >= p.list.count)
        return;
    read_pieces(d->r, &path, &p, first);
    mark_reference(d, m, &p, &path);
    put_pieces(d->r, node, &p, &path, first);
}

static void redact_references(lc_redact_doc *d, const module *m, const lc_node *node)
{
    const lc_node *list = lc_node_get(node, "references");
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        if (list->as.items[i].kind == LC_NODE_STRING)
            redact_reference(d, m, &list->as.items[i]);
    }
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        redact_references(d, m, &node->as.items[i]);
    for (uint32_t i = 0; !list && i < lc_node_member_count(node); i++)
        redact_references(d, m, &node->as.members[i].value);
}

/* ---- Modules. */

/* A template of JSON syntax. It stays a template whose value cannot be determined. */
static void redact_template(lc_redactor *r, const lc_node *text)
{
    lc_str token = lc_token_text(&r->tokens, text->as.text);
    bool template = lc_str_starts_with(text->as.text, LC_STR("${"));
    lc_redact_put_text(
        r, text, template ? lc_str_printf(r->scratch, "${local.%.*s}", LC_FMT(token)) : token);
}

/* The value of a constant count, and the keys of a constant for_each, determine the keys of
 * instances, which are part of every address; everything else in such a constant is a value. */
static void redact_repetition(lc_redactor *r, const lc_node *block)
{
    static const char *const names[] = {"count_expression", "for_each_expression"};
    for (int each = 0; each < 2; each++) {
        const lc_node *constant = lc_node_get(lc_node_get(block, names[each]), "constant_value");
        bool keys = each && constant && constant->kind == LC_NODE_MAPPING;
        for (uint32_t i = 0; keys && i < constant->count; i++)
            lc_redact_secret(r, &constant->as.members[i].value, NULL);
        if (!constant || keys || (!each && constant->kind == LC_NODE_NUMBER))
            continue;
        if (constant->kind == LC_NODE_STRING)
            redact_template(r, constant);
        else
            lc_redact_secret(r, constant, NULL);
    }
}

/* A resource's constants: by its schema, and by what is marked in its instances. */
static void redact_resource(lc_redact_doc *d, const module *m, const lc_node *resource)
{
    lc_redactor *r = d->r;
    const lc_node *expressions = lc_node_get(resource, "expressions");
    bool data = lc_str_is(lc_node_text(resource, "mode"), "data");
    const lc_block *block = lc_redact_block(d, lc_node_text(resource, "type"), LC_STR_EMPTY, data);
    const lc_redact_group *g =
        lc_table_get(&d->by_config, lc_str_printf(r->scratch, "%.*s%.*s", LC_FMT(m->prefix),
                                                  LC_FMT(lc_node_text(resource, "address"))));
    if (r->tokens.all && lc_node_get(resource, "provisioners"))
        lc_redact_constants(r, lc_node_get(resource, "provisioners"));
    if (r->tokens.all)
        redact_repetition(r, resource);
    if (!expressions)
        return;
    if (block)
        redact_expressions(r, expressions, block);
    else if (r->tokens.all)
        lc_redact_constants(r, expressions);
    for (size_t i = 0; g && i < g->objects.count; i++) {
        const lc_redact_object *o = g->objects.items[i];
        for (size_t k = 0; k < o->marks.count; k++)
            lc_redact_marked(r, expressions, o->marks.items[k], lc_redact_type(o), true);
    }
}

static void redact_declared(lc_redact_doc *d, const lc_node *list, bool variables)
{
    for (uint32_t i = 0; i < lc_node_member_count(list); i++) {
        const lc_node *one = &list->as.members[i].value;
        const lc_node *value = lc_node_get(one, variables ? "default" : "expression");
        const lc_node *description = lc_node_get(one, "description");
        if (d->r->tokens.all && description && description->kind == LC_NODE_STRING)
            lc_redact_text(d->r, description);
        if (!value || !(d->r->tokens.all || lc_node_is_true(lc_node_get(one, "sensitive"))))
            continue;
        if (variables)
            lc_redact_secret(d->r, value, NULL);
        else
            lc_redact_constants(d->r, value);
    }
}

static void redact_arguments(lc_redact_doc *d, const lc_node *call)
{
    const lc_node *expressions = lc_node_get(call, "expressions");
    const lc_node *variables = lc_node_get(lc_node_get(call, "module"), "variables");
    for (uint32_t i = 0; i < lc_node_member_count(expressions); i++) {
        const lc_member *m = &expressions->as.members[i];
        if (is_declared_secret(d, variables, m->key))
            lc_redact_constants(d->r, &m->value);
    }
}

/* As deep as the text nests, which is bounded. */
static void redact_module(lc_redact_doc *d, const module *m)
{
    const lc_node *resources = lc_node_get(m->node, "resources"),
                  *calls = lc_node_get(m->node, "module_calls");
    const lc_node *outputs = lc_node_get(m->node, "outputs");
    redact_declared(d, lc_node_get(m->node, "variables"), true);
    redact_declared(d, outputs, false);
    if (outputs)
        redact_references(d, m, outputs);
    for (uint32_t i = 0; i < lc_node_item_count(resources); i++)
        redact_resource(d, m, &resources->as.items[i]);
    if (resources)
        redact_references(d, m, resources);
    for (uint32_t i = 0; i < lc_node_member_count(calls); i++) {
        const lc_member *call = &calls->as.members[i];
        module inner = {
            lc_node_get(&call->value, "module"),
            lc_str_printf(d->r->scratch, "%.*smodule.%.*s.", LC_FMT(m->prefix), LC_FMT(call->key))};
        redact_arguments(d, &call->value);
        if (d->r->tokens.all)
            redact_repetition(d->r, &call->value);
        if (lc_node_get(&call->value, "expressions"))
            redact_references(d, m, lc_node_get(&call->value, "expressions"));
        if (inner.node)
            redact_module(d, &inner);
    }
}

void lc_redact_configuration(lc_redact_doc *d, const lc_node *root)
{
    const lc_node *configuration = lc_node_get(root, "configuration"),
                  *given = lc_node_get(root, "variables");
    const module m = {lc_node_get(configuration, "root_module"), LC_STR_EMPTY};
    const lc_node *providers = lc_node_get(configuration, "provider_config");
    for (uint32_t i = 0; i < lc_node_member_count(given); i++) {
        const lc_member *v = &given->as.members[i];
        const lc_node *value = lc_node_get(&v->value, "value");
        if (value && is_declared_secret(d, lc_node_get(m.node, "variables"), v->key))
            lc_redact_secret(d->r, value, NULL);
    }
    if (providers)
        lc_redact_constants(d->r, providers);
    if (m.node)
        redact_module(d, &m);
}
