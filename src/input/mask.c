/* Hiding by the schema that stands in the tree itself. A type is type JSON: text, or a list of a
 * word and what belongs to it. */
#include "input/mask.h"

#include "input/reduce.h"
#include "lifecheck/arena.h"

static bool is_flag(const lc_tree *holder, const char *name)
{
    const lc_tree *flag = lc_tree_get(holder, name);
    return flag && lc_str_is(flag->text, "true");
}

static const char *word_of(const lc_tree *type)
{
    static const char *const words[] = {"list", "set", "map", "tuple", "object"};
    for (size_t i = 0; type && type->count == 2 && i < 5; i++) {
        if (lc_str_is(type->below[0]->text, words[i]))
            return words[i];
    }
    return "";
}

/* ---- Tokens. What is a token already stays: places are reached by more than one reason. */

static lc_str token_of(lc_tokens *t, lc_str text)
{
    lc_str token = lc_token_text(t, text);
    if (token.len && !lc_table_get(&t->texts, token)) {
        lc_str *slot = LC_NEW(t->arena, lc_str);
        *slot = token;
        lc_table_put(&t->texts, token, slot);
    }
    return token;
}

static lc_str token_of_number(lc_tokens *t, lc_str literal)
{
    lc_str made = lc_str_printf(t->arena, "number %.*s", LC_FMT(literal));
    if (lc_table_get(&t->texts, made))
        return literal;
    lc_str token = lc_token_number(t, literal);
    lc_str *slot = LC_NEW(t->arena, lc_str);
    *slot = token;
    lc_table_put(&t->texts, lc_str_printf(t->arena, "number %.*s", LC_FMT(token)), slot);
    return token;
}

/* ---- Hiding all of a value. */

static void hide(lc_tokens *t, lc_tree *tree, const lc_tree *type);

static const lc_tree *type_below(const lc_tree *type, const lc_tree *child, size_t index)
{
    lc_str word = lc_str_from_c(word_of(type));
    if (word.len == 0)
        return NULL;
    const lc_tree *inner = type->below[1];
    if (lc_str_is(word, "tuple"))
        return index < inner->count ? inner->below[index] : NULL;
    if (!lc_str_is(word, "object"))
        return inner;
    for (size_t i = 0; i < inner->count; i++) {
        if (lc_str_eq(inner->below[i]->key, child->key))
            return inner->below[i];
    }
    return NULL;
}

/* Names within a dynamic value are data like its map keys. */
static bool is_dynamic(const lc_tree *type)
{
    return type && type->count == 0 && lc_str_is(type->text, "dynamic");
}

static void hide_names(lc_tokens *t, lc_tree *type)
{
    lc_str word = lc_str_from_c(word_of(type));
    if (word.len == 0)
        return;
    lc_tree *inner = type->below[1];
    bool object = lc_str_is(word, "object");
    if (!object && !lc_str_is(word, "tuple")) {
        hide_names(t, inner);
        return;
    }
    for (size_t i = 0; i < inner->count; i++) {
        if (object)
            inner->below[i]->key = token_of(t, inner->below[i]->key);
        hide_names(t, inner->below[i]);
    }
}

static void hide_typed(lc_tokens *t, lc_tree *content, const lc_tree *type)
{
    lc_tree *value = lc_tree_get(content, "value"), *own = lc_tree_get(content, "type");
    if (value)
        hide(t, value, is_dynamic(type) ? type : own);
    if (own && is_dynamic(type))
        hide_names(t, own);
}

/* True: the mapping is a marker, and is done. */
static bool hide_marker(lc_tokens *t, lc_tree *tree, const lc_tree *type)
{
    if (tree->kind != LC_NODE_MAPPING || tree->count != 1)
        return false;
    lc_tree *content = tree->below[0];
    if (lc_str_is(content->key, "$unknown")) {
        content->kind = LC_NODE_BOOL;
        content->text = LC_STR("true");
        content->count = 0;
        return true;
    }
    if (lc_str_is(content->key, "$typed")) {
        hide_typed(t, content, type);
        return true;
    }
    if (lc_str_is(content->key, "$sensitive") || lc_str_is(content->key, "$literal")) {
        hide(t, content, type);
        return true;
    }
    return lc_str_is(content->key, "$null") || lc_str_is(content->key, "$msgpack");
}

static void hide(lc_tokens *t, lc_tree *tree, const lc_tree *type)
{
    bool dynamic = is_dynamic(type);
    bool keys = dynamic || lc_str_is(lc_str_from_c(word_of(type)), "map");
    if (hide_marker(t, tree, type))
        return;
    if (tree->kind == LC_NODE_STRING)
        tree->text = token_of(t, tree->text);
    else if (tree->kind == LC_NODE_NUMBER)
        tree->text = token_of_number(t, tree->text);
    for (size_t i = 0; i < tree->count; i++) {
        hide(t, tree->below[i], dynamic ? type : type_below(type, tree->below[i], i));
        if (keys && tree->kind == LC_NODE_MAPPING)
            tree->below[i]->key = token_of(t, tree->below[i]->key);
    }
}

/* ---- Objects of the schema. */

static void mask_object(lc_tokens *t, lc_tree *value, const lc_tree *block, bool stored);

static void hide_nested(lc_tokens *t, lc_tree *value, const lc_tree *nested);

static bool is_one(const lc_tree *holder)
{
    const lc_tree *mode = lc_tree_get(holder, "nesting_mode");
    return mode && (lc_str_is(mode->text, "single") || lc_str_is(mode->text, "group"));
}

static bool is_map(const lc_tree *holder)
{
    const lc_tree *mode = lc_tree_get(holder, "nesting_mode");
    return mode && lc_str_is(mode->text, "map");
}

static void hide_attribute(lc_tokens *t, lc_tree *value, const lc_tree *attribute)
{
    const lc_tree *nested = lc_tree_get(attribute, "nested_type");
    if (nested)
        hide_nested(t, value, nested);
    else
        hide(t, value, lc_tree_get(attribute, "type"));
}

static void hide_nested_object(lc_tokens *t, lc_tree *object, const lc_tree *nested)
{
    const lc_tree *attributes = lc_tree_get(nested, "attributes");
    if (hide_marker(t, object, NULL))
        return;
    for (size_t i = 0; i < object->count; i++) {
        const lc_tree *found = NULL;
        for (size_t k = 0; attributes && k < attributes->count; k++) {
            if (lc_str_eq(attributes->below[k]->key, object->below[i]->key))
                found = attributes->below[k];
        }
        if (found)
            hide_attribute(t, object->below[i], found);
        else
            hide(t, object->below[i], NULL);
    }
}

static void hide_nested(lc_tokens *t, lc_tree *value, const lc_tree *nested)
{
    if (is_one(nested)) {
        hide_nested_object(t, value, nested);
        return;
    }
    if (hide_marker(t, value, NULL))
        return;
    for (size_t i = 0; i < value->count; i++) {
        hide_nested_object(t, value->below[i], nested);
        if (is_map(nested))
            value->below[i]->key = token_of(t, value->below[i]->key);
    }
}

static const lc_tree *part_of(const lc_tree *block, const char *list, lc_str name)
{
    const lc_tree *parts = lc_tree_get(block, list);
    for (size_t i = 0; parts && i < parts->count; i++) {
        if (lc_str_eq(parts->below[i]->key, name))
            return parts->below[i];
    }
    return NULL;
}

static void mask_elements(lc_tokens *t, lc_tree *value, const lc_tree *holder, const lc_tree *block,
                          bool stored)
{
    if (is_one(holder)) {
        mask_object(t, value, block, stored);
        return;
    }
    for (size_t i = 0; i < value->count; i++)
        mask_object(t, value->below[i], block, stored);
}

static void mask_member(lc_tokens *t, lc_tree *value, const lc_tree *block, bool stored)
{
    const lc_tree *attribute = part_of(block, "attributes", value->key);
    const lc_tree *type = part_of(block, "block_types", value->key);
    const lc_tree *nested = attribute ? lc_tree_get(attribute, "nested_type") : NULL;
    const lc_tree *inner = type ? lc_tree_get(type, "block") : NULL;
    if (attribute && (is_flag(attribute, "sensitive") || is_flag(attribute, "write_only")))
        hide_attribute(t, value, attribute);
    else if (nested)
        mask_elements(t, value, nested, nested, stored);
    else if (inner)
        mask_elements(t, value, type, inner, stored);
    else if (!attribute && stored)
        hide(t, value, NULL);
}

static bool has_secret(const lc_tree *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        const lc_tree *child = schema->below[i];
        if (is_flag(child, "sensitive") || is_flag(child, "write_only") || has_secret(child))
            return true;
    }
    return false;
}

void lc_mask_all(lc_tokens *tokens, lc_tree *value)
{
    hide(tokens, value, NULL);
}

/* A value as bytes or of a type of its own does not go by the schema: all of it is hidden. */
static void mask_object(lc_tokens *t, lc_tree *value, const lc_tree *block, bool stored)
{
    lc_str first = value->count == 1 ? value->below[0]->key : LC_STR_EMPTY;
    if (lc_str_is(first, "$sensitive")) {
        mask_object(t, value->below[0], block, stored);
    } else if (lc_str_is(first, "$typed") || lc_str_is(first, "$json")) {
        if (has_secret(block))
            hide(t, value, NULL);
    } else if (value->kind == LC_NODE_MAPPING) {
        for (size_t i = 0; i < value->count; i++)
            mask_member(t, value->below[i], block, stored);
    }
}

/* ---- Marked places. */

static const lc_tree *type_of_member(const lc_tree *block, lc_str name)
{
    const lc_tree *attribute = part_of(block, "attributes", name);
    return attribute ? lc_tree_get(attribute, "type") : NULL;
}

/* Everything under a mark, wherever it is. */
static void hide_marked(lc_tokens *t, lc_tree *tree, const lc_tree *type)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_tree *child = tree->below[i];
        if (lc_str_is(child->key, "$sensitive"))
            hide(t, child, type);
        else
            hide_marked(t, child, type_below(type, child, i));
    }
}

static lc_tree *child_at(lc_tree *tree, const lc_step *step)
{
    if (tree->kind == LC_NODE_MAPPING && tree->count == 1 &&
        lc_str_is(tree->below[0]->key, "$typed"))
        return lc_tree_get(tree->below[0], "value");
    if (step->kind == LC_STEP_INDEX)
        return tree->kind == LC_NODE_SEQUENCE && step->index < tree->count
                   ? tree->below[step->index]
                   : NULL;
    for (size_t i = 0; tree->kind == LC_NODE_MAPPING && i < tree->count; i++) {
        if (lc_str_eq(tree->below[i]->key, step->name))
            return tree->below[i];
    }
    return NULL;
}

static void mark_at(lc_arena *arena, lc_tree *object, lc_path path)
{
    lc_tree *at = object;
    for (size_t i = 0; at && i < path.count; i++)
        at = child_at(at, &path.steps[i]);
    if (!at || (at->count == 1 && lc_str_is(at->below[0]->key, "$sensitive")))
        return;
    lc_tree *inner = LC_NEW(arena, lc_tree);
    *inner = *at;
    inner->key = LC_STR("$sensitive");
    lc_str key = at->key;
    *at = *lc_tree_new(arena, LC_NODE_MAPPING, NULL);
    at->key = key;
    lc_tree_push(arena, at, inner);
}

void lc_mask_mark(lc_arena *arena, lc_tree *root, const lc_case *subject)
{
    lc_trees objects = {0};
    lc_find_objects(arena, &objects, root);
    for (size_t i = 0; i < objects.count; i++) {
        for (size_t k = 0; k < subject->sensitive.count; k++)
            mark_at(arena, objects.items[i], subject->sensitive.items[k]);
    }
}

/* ---- All of the scenario. */

static bool is_private(lc_str key)
{
    static const char *const keys[] = {"private", "planned_private", "prior_private",
                                       "source_private", "target_private"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (lc_str_is(key, keys[i]))
            return true;
    }
    return false;
}

/* Base64 becomes text that is marked as such; none stays none. */
static void hide_private(lc_tokens *t, lc_tree *tree)
{
    if (tree->kind != LC_NODE_STRING || tree->text.len == 0)
        return;
    lc_str key = tree->key;
    lc_tree *text = lc_tree_text(t->arena, "$text", token_of(t, tree->text));
    *tree = *lc_tree_new(t->arena, LC_NODE_MAPPING, NULL);
    tree->key = key;
    lc_tree_push(t->arena, tree, text);
}

static void hide_object(lc_tokens *t, lc_tree *object, const lc_tree *block)
{
    static const char *const kept[] = {"attributes", "raw_state", "source_state"};
    bool stored = false;
    for (size_t i = 0; i < 3; i++)
        stored |= lc_str_is(object->key, kept[i]);
    for (size_t i = 0; i < object->count; i++) {
        lc_tree *member = object->below[i];
        if (lc_str_is(member->key, "$sensitive"))
            hide(t, member, NULL);
        else
            hide_marked(t, member, type_of_member(block, member->key));
        if (member->count == 1 && lc_str_is(member->below[0]->key, "$sensitive"))
            hide(t, member->below[0], type_of_member(block, member->key));
    }
    mask_object(t, object, block, stored);
}

static void hide_in(lc_tokens *t, lc_tree *tree, const lc_tree *schema)
{
    const lc_tree *own = lc_tree_get(tree, "schema");
    schema = own ? own : schema;
    const lc_tree *block = schema ? lc_tree_get(schema, "block") : NULL;
    for (size_t i = 0; i < tree->count; i++) {
        lc_tree *child = tree->below[i];
        if (child == own || tree->kind != LC_NODE_MAPPING) {
            if (child != own)
                hide_in(t, child, schema);
        } else if (lc_is_object_key(child->key)) {
            hide_object(t, child, block ? block : child);
        } else if (is_private(child->key)) {
            hide_private(t, child);
        } else if (child->kind == LC_NODE_STRING &&
                   (lc_str_is(child->key, "id") || lc_str_is(child->key, "import_id"))) {
            child->text = token_of(t, child->text);
        } else {
            hide_in(t, child, schema);
        }
    }
}

/* Texts that are the format's own are never secrets. */
static bool is_own_word(lc_str key)
{
    static const char *const keys[] = {
        "schema",   "rpc",  "phase", "leg",       "resource",         "code",           "reason",
        "severity", "type", "$null", "type_name", "source_type_name", "recorded_action"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (lc_str_is(key, keys[i]))
            return true;
    }
    return false;
}

/* Names of attributes and blocks, also those inside of types. */
static void add_names(lc_table *names, const lc_tree *tree, bool in_schema)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_tree *child = tree->below[i];
        if (in_schema && child->key.len)
            lc_table_put(names, child->key, child);
        add_names(names, child, in_schema || lc_str_is(child->key, "schema"));
    }
}

typedef struct cleaner {
    lc_tokens *tokens;
    lc_table names;
} cleaner;

static lc_str cleaned(const cleaner *c, lc_str text)
{
    return lc_tokens_clean(c->tokens, c->tokens->arena, text);
}

static void clean(const cleaner *c, lc_tree *tree, bool in_object)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_tree *child = tree->below[i];
        bool word = tree->kind == LC_NODE_MAPPING && !in_object && is_own_word(child->key);
        bool typed = lc_str_is(tree->key, "$typed") && lc_str_is(child->key, "type");
        if (word || typed)
            continue;
        if (child->kind == LC_NODE_STRING)
            child->text = cleaned(c, child->text);
        clean(c, child, in_object || lc_is_object_key(child->key));
        bool own = child->key.len == 0 || child->key.ptr[0] == '$';
        if (in_object && !own && !lc_table_get(&c->names, child->key))
            child->key = cleaned(c, child->key);
    }
}

void lc_mask_secrets(lc_tokens *tokens, lc_tree *root)
{
    cleaner c = {.tokens = tokens};
    hide_in(tokens, root, NULL);
    lc_mask_documents(tokens, root);
    lc_table_init(&c.names, tokens->arena);
    add_names(&c.names, root, false);
    clean(&c, root, false);
}
