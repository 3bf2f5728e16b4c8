/* Secrets of resources that were made from CloudFormation resource types. They go by name, at all
 * depths: too much is hidden rather than too little. */
#include "input/mask.h"

#include "input/reduce.h"
#include "lifecheck/arena.h"
#include "lifecheck/cloudcontrol.h"

typedef struct masker {
    lc_tokens *tokens;
    lc_table attributes; /* names of those that hold secrets */
    size_t count;
} masker;

static void add_name(masker *m, lc_str attribute)
{
    m->count++;
    lc_table_put(&m->attributes, attribute, m);
}

/* ---- Which ones. */

static void add_write_only(masker *m, const lc_mutable *type)
{
    const lc_mutable *list = lc_mutable_get(type, "writeOnlyProperties");
    for (size_t i = 0; list && i < list->count; i++) {
        lc_cfn_tokens tokens;
        if (lc_cfn_pointer_parse(&tokens, m->tokens->arena, list->below[i]->text) && tokens.count)
            add_name(m, lc_cfn_attribute_name(m->tokens->arena, tokens.items[tokens.count - 1]));
    }
}

static void collect(masker *m, const lc_mutable *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        const lc_mutable *child = tree->below[i];
        if (lc_str_is(tree->key, "schema") && lc_str_is(child->key, "cloudformation"))
            add_write_only(m, child);
        else if (child->count == 1 && lc_str_is(child->below[0]->key, "$sensitive"))
            add_name(m, child->key);
        collect(m, child);
    }
}

/* ---- Where. */

static bool is_secret(const masker *m, lc_str name, bool property)
{
    if (property)
        name = lc_cfn_attribute_name(m->tokens->arena, name);
    return lc_table_get(&m->attributes, name) != NULL;
}

/* `properties`: names are CloudFormation's. */
static void hide_named(const masker *m, lc_mutable *tree, bool properties)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->below[i];
        if (tree->kind == LC_NODE_MAPPING && is_secret(m, child->key, properties))
            lc_mask_all(m->tokens, child);
        else
            hide_named(m, child, properties);
    }
}

static void hide_operation(const masker *m, lc_mutable *operation)
{
    lc_cfn_tokens tokens;
    const lc_mutable *path = lc_mutable_get(operation, "path");
    lc_mutable *value = lc_mutable_get(operation, "value");
    bool secret = false;
    if (!value)
        return;
    if (path && lc_cfn_pointer_parse(&tokens, m->tokens->arena, path->text)) {
        for (size_t i = 0; i < tokens.count; i++)
            secret |= is_secret(m, tokens.items[i], true);
    }
    if (secret)
        lc_mask_all(m->tokens, value);
    else
        hide_named(m, value, true);
}

static void hide_control(const masker *m, lc_mutable *control)
{
    for (size_t i = 0; i < control->count; i++) {
        lc_mutable *document = control->below[i];
        if (!lc_str_is(document->key, "patch"))
            hide_named(m, document, true);
        for (size_t k = 0; lc_str_is(document->key, "patch") && k < document->count; k++)
            hide_operation(m, document->below[k]);
    }
}

static void hide_all(const masker *m, lc_mutable *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->below[i];
        if (lc_str_is(child->key, "schema"))
            continue;
        if (lc_str_is(child->key, "cloud_control"))
            hide_control(m, child);
        else if (tree->kind == LC_NODE_MAPPING && lc_is_object_key(child->key))
            hide_named(m, child, false);
        else
            hide_all(m, child);
    }
}

void lc_mask_documents(lc_tokens *tokens, lc_mutable *root)
{
    masker m = {.tokens = tokens};
    lc_table_init(&m.attributes, tokens->arena);
    collect(&m, root);
    if (m.count)
        hide_all(&m, root);
}
