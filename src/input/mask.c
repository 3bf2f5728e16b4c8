/* Hiding by the schema that stands in the tree itself. A type is type JSON: text, or a list of a
 * word and what belongs to it. */
#include "input/mask.h"

#include "input/reduce.h"
#include "lifecheck/arena.h"

static bool is_flag(const lc_mutable *holder, const char *name)
{
    const lc_mutable *flag = lc_mutable_get(holder, name);
    return flag && lc_str_is(flag->text, "true");
}

static const char *word_of(const lc_mutable *type)
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

static void hide(lc_tokens *t, lc_mutable *tree, const lc_mutable *type);

static const lc_mutable *type_below(const lc_mutable *type, const lc_mutable *child, size_t index)
{
    lc_str word = lc_str_from_c(word_of(type));
    if (word.len == 0)
        return NULL;
    const lc_mutable *inner = type->below[1];
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
static bool is_dynamic(const lc_mutable *type)
{
    return type && type->count == 0 && lc_str_is(type->text, "dynamic");
}

static void hide_names(lc_tokens *t, lc_mutable *type)
{
    lc_str word = lc_str_from_c(word_of(type));
    if (word.len == 0)
        return;
    lc_mutable *inner = type->below[1];
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

static void hide_typed(lc_tokens *t, lc_mutable *content, const lc_mutable *type)
{
    lc_mutable *value = lc_mutable_get(content, "value"), *own = lc_mutable_get(content, "type");
    if (value)
        hide(t, value, is_dynamic(type) ? type : own);
    if (own && is_dynamic(type))
        hide_names(t, own);
}

/* True: the mapping is a marker, and is done. */
static bool hide_marker(lc_tokens *t, lc_mutable *tree, const lc_mutable *type)
{
    if (tree->kind != LC_NODE_MAPPING || tree->count != 1)
        return false;
    lc_mutable *content = tree->below[0];
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

static void hide(lc_tokens *t, lc_mutable *tree, const lc_mutable *type)
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

static void mask_object(lc_tokens *t, lc_mutable *value, const lc_mutable *block, bool stored);

static void hide_nested(lc_tokens *t, lc_mutable *value, const lc_mutable *nested);

static bool is_one(const lc_mutable *holder)
{
    const lc_mutable *mode = lc_mutable_get(holder, "nesting_mode");
    return mode && (lc_str_is(mode->text, "single") || lc_str_is(mode->text, "group"));
}

static bool is_map(const lc_mutable *holder)
{
    const lc_mutable *mode = lc_mutable_get(holder, "nesting_mode");
    return mode && lc_str_is(mode->text, "map");
}

static void hide_attribute(lc_tokens *t, lc_mutable *value, const lc_mutable *attribute)
{
    const lc_mutable *nested = lc_mutable_get(attribute, "nested_type");
    if (nested)
        hide_nested(t, value, nested);
    else
        hide(t, value, lc_mutable_get(attribute, "type"));
}

static void hide_nested_object(lc_tokens *t, lc_mutable *object, const lc_mutable *nested)
{
    const lc_mutable *attributes = lc_mutable_get(nested, "attributes");
    if (hide_marker(t, object, NULL))
        return;
    for (size_t i = 0; i < object->count; i++) {
        const lc_mutable *found = NULL;
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

static void hide_nested(lc_tokens *t, lc_mutable *value, const lc_mutable *nested)
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

static const lc_mutable *part_of(const lc_mutable *block, const char *list, lc_str name)
{
    const lc_mutable *parts = lc_mutable_get(block, list);
    for (size_t i = 0; parts && i < parts->count; i++) {
        if (lc_str_eq(parts->below[i]->key, name))
            return parts->below[i];
    }
    return NULL;
}

static void mask_elements(lc_tokens *t, lc_mutable *value, const lc_mutable *holder,
                          const lc_mutable *block, bool stored)
{
    if (is_one(holder)) {
        mask_object(t, value, block, stored);
        return;
    }
    for (size_t i = 0; i < value->count; i++)
        mask_object(t, value->below[i], block, stored);
}

static void mask_member(lc_tokens *t, lc_mutable *value, const lc_mutable *block, bool stored)
{
    const lc_mutable *attribute = part_of(block, "attributes", value->key);
    const lc_mutable *type = part_of(block, "block_types", value->key);
    const lc_mutable *nested = attribute ? lc_mutable_get(attribute, "nested_type") : NULL;
    const lc_mutable *inner = type ? lc_mutable_get(type, "block") : NULL;
    if (attribute && (is_flag(attribute, "sensitive") || is_flag(attribute, "write_only")))
        hide_attribute(t, value, attribute);
    else if (nested)
        mask_elements(t, value, nested, nested, stored);
    else if (inner)
        mask_elements(t, value, type, inner, stored);
    else if (!attribute && stored)
        hide(t, value, NULL);
}

static bool has_secret(const lc_mutable *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        const lc_mutable *child = schema->below[i];
        if (is_flag(child, "sensitive") || is_flag(child, "write_only") || has_secret(child))
            return true;
    }
    return false;
}

void lc_mask_all(lc_tokens *tokens, lc_mutable *value)
{
    hide(tokens, value, NULL);
}

/* A value as bytes or of a type of its own does not go by the schema: all of it is hidden. */
static void mask_object(lc_tokens *t, lc_mutable *value, const lc_mutable *block, bool stored)
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

static const lc_mutable *type_of_member(const lc_mutable *block, lc_str name)
{
    const lc_mutable *attribute = part_of(block, "attributes", name);
    return attribute ? lc_mutable_get(attribute, "type") : NULL;
}

/* Everything under a mark, wherever it is. */
static void hide_marked(lc_tokens *t, lc_mutable *tree, const lc_mutable *type)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->below[i];
        if (lc_str_is(child->key, "$sensitive"))
            hide(t, child, type);
        else
            hide_marked(t, child, type_below(type, child, i));
    }
}

static lc_mutable *child_at(lc_mutable *tree, const lc_step *step)
{
    if (tree->kind == LC_NODE_MAPPING && tree->count == 1 &&
        lc_str_is(tree->below[0]->key, "$typed"))
        return lc_mutable_get(tree->below[0], "value");
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

static void mark_at(lc_arena *arena, lc_mutable *object, lc_path path)
{
    lc_mutable *at = object;
    for (size_t i = 0; at && i < path.count; i++)
        at = child_at(at, &path.steps[i]);
    if (!at || (at->count == 1 && lc_str_is(at->below[0]->key, "$sensitive")))
        return;
    lc_mutable *inner = LC_NEW(arena, lc_mutable);
    *inner = *at;
    inner->key = LC_STR("$sensitive");
    lc_str key = at->key;
    *at = *lc_mutable_new(arena, LC_NODE_MAPPING, NULL);
    at->key = key;
    lc_mutable_push(arena, at, inner);
}

void lc_mask_mark(lc_arena *arena, lc_mutable *root, const lc_case *subject)
{
    lc_mutable_list objects = {0};
    lc_find_objects(arena, &objects, root);
    for (size_t i = 0; i < objects.count; i++) {
        for (size_t k = 0; k < subject->sensitive.count; k++)
            mark_at(arena, objects.items[i], subject->sensitive.items[k]);
    }
}

/* ---- All of the scenario. */

static bool is_private(lc_str key)
{
    static const char *const keys[] = {"private",        "planned_private", "prior_private",
                                       "source_private", "target_private",  NULL};
    return lc_str_is_one_of(key, keys, NULL);
}

/* Base64 becomes text that is marked as such; none stays none. */
static void hide_private(lc_tokens *t, lc_mutable *tree)
{
    if (tree->kind != LC_NODE_STRING || tree->text.len == 0)
        return;
    lc_str key = tree->key;
    lc_mutable *text = lc_mutable_text(t->arena, "$text", token_of(t, tree->text));
    *tree = *lc_mutable_new(t->arena, LC_NODE_MAPPING, NULL);
    tree->key = key;
    lc_mutable_push(t->arena, tree, text);
}

static void hide_object(lc_tokens *t, lc_mutable *object, const lc_mutable *block)
{
    static const char *const kept[] = {"attributes", "raw_state", "source_state"};
    bool stored = false;
    for (size_t i = 0; i < 3; i++)
        stored |= lc_str_is(object->key, kept[i]);
    for (size_t i = 0; i < object->count; i++) {
        lc_mutable *member = object->below[i];
        if (lc_str_is(member->key, "$sensitive"))
            hide(t, member, NULL);
        else
            hide_marked(t, member, type_of_member(block, member->key));
        if (member->count == 1 && lc_str_is(member->below[0]->key, "$sensitive"))
            hide(t, member->below[0], type_of_member(block, member->key));
    }
    mask_object(t, object, block, stored);
}

static void hide_in(lc_tokens *t, lc_mutable *tree, const lc_mutable *schema)
{
    const lc_mutable *own = lc_mutable_get(tree, "schema");
    schema = own ? own : schema;
    const lc_mutable *block = schema ? lc_mutable_get(schema, "block") : NULL;
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->below[i];
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
        "schema",          "rpc",      "phase", "leg",   "resource",  "code",
        "reason",          "severity", "type",  "$null", "type_name", "source_type_name",
        "recorded_action", NULL};
    return lc_str_is_one_of(key, keys, NULL);
}

/* Names of attributes and blocks, also those inside of types. */
static void add_names(lc_table *names, const lc_mutable *tree, bool in_schema)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->below[i];
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
    return lc_tokens_redact(c->tokens, c->tokens->arena, text);
}

static void clean(const cleaner *c, lc_mutable *tree, bool in_object)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->below[i];
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

void lc_mask_secrets(lc_tokens *tokens, lc_mutable *root)
{
    cleaner c = {.tokens = tokens};
    hide_in(tokens, root, NULL);
    lc_mask_documents(tokens, root);
    lc_table_init(&c.names, tokens->arena);
    add_names(&c.names, root, false);
    clean(&c, root, false);
}
