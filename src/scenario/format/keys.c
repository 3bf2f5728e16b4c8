/* Keys: which are allowed where, and reading the scalars and lists of the format itself.
 *
 * Every mapping of the format is read with lc_in_layer or lc_in_keys. A key that no reader uses is
 * therefore always reported, with the nearest key that is allowed there. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"
#include "scenario/internal.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned flags;
    lc_shape shape;
    const char *help;
} keys[LC_KEY_COUNT] = {
#define KEY(id, name, flags, shape, help) {name, flags, LC_SHAPE_##shape, help},
#include "scenario/format/keys.def"
#undef KEY
};

const char *lc_key_name(lc_case_key key)
{
    return keys[key].name;
}

unsigned lc_key_flags(lc_case_key key)
{
    return keys[key].flags;
}

lc_shape lc_key_shape(lc_case_key key)
{
    return keys[key].shape;
}

const char *lc_key_help(lc_case_key key)
{
    return keys[key].help;
}

/* The nearest layer wins: run, case, document. */
const lc_member *lc_layers_get(const lc_layers *scope, lc_case_key key)
{
    for (size_t i = 0; i < scope->count; i++) {
        if (scope->layers[i]->member[key])
            return scope->layers[i]->member[key];
    }
    return NULL;
}

const lc_node *lc_layers_value(const lc_layers *scope, lc_case_key key)
{
    const lc_member *member = lc_layers_get(scope, key);
    return member ? &member->value : NULL;
}

lc_loc lc_in_loc(const lc_in *in, const lc_node *node)
{
    return lc_reader_loc(&in->values, node);
}

lc_loc lc_in_key_loc(const lc_in *in, const lc_member *member)
{
    return lc_reader_where(&in->values, member->where);
}

/* ---- Keys of a case. */

/* A document may have all keys, a case those that are not of documents only. */
bool lc_key_is_allowed(unsigned flags, unsigned place)
{
    if (place == LC_AT_DOCUMENT)
        return true;
    if (place == LC_AT_CASE)
        return !(flags & LC_AT_DOCUMENT);
    return (flags & LC_AT_RUN) != 0;
}

static lc_case_key key_find(lc_str name)
{
    unsigned i = 0;
    while (i < LC_KEY_COUNT && !lc_str_is(name, keys[i].name))
        i++;
    return (lc_case_key)i;
}

static const char *place_name(unsigned place)
{
    if (place == LC_AT_DOCUMENT)
        return "a scenario";
    return place == LC_AT_CASE ? "a case" : "a run";
}

static void unknown_case_key(lc_in *in, const lc_member *member, unsigned place)
{
    lc_str names[LC_KEY_COUNT];
    size_t count = 0;
    const char *ours = lc_foreign_key(member->key);
    if (ours) {
        lc_diag_error(in->diags, lc_in_key_loc(in, member), "%s has no key \"%.*s\"; %s",
                      place_name(place), LC_FMT(member->key), ours);
        return;
    }
    for (unsigned i = 0; i < LC_KEY_COUNT; i++) {
        if (lc_key_is_allowed(keys[i].flags, place))
            names[count++] = lc_str_from_c(keys[i].name);
    }
    lc_in_unknown_key(in, member, place_name(place), names, count);
}

/* Keys of a document that begin with x- are free for the author. */
bool lc_in_layer(lc_in *in, lc_layer *out, const lc_node *node, unsigned place)
{
    const lc_str schema = lc_str_from_c(keys[LC_KEY_SCHEMA].name);
    memset(out, 0, sizeof *out);
    out->node = node;
    if (!lc_in_mapping(in, node, place_name(place)))
        return false;
    bool ok = true;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        if (place == LC_AT_DOCUMENT && lc_str_starts_with(member->key, LC_STR("x-")))
            continue;
        lc_case_key key = key_find(member->key);
        if (key < LC_KEY_COUNT && lc_key_is_allowed(keys[key].flags, place)) {
            out->member[key] = member;
            continue;
        }
        unknown_case_key(in, member, place);
        out->misspells_schema |= lc_str_nearest(member->key, &schema, 1).len > 0;
        ok = false;
    }
    return ok;
}

/* ---- Keys of other mappings. */

void lc_in_unknown_key(lc_in *in, const lc_member *member, const char *what, const lc_str *names,
                       size_t count)
{
    lc_loc loc = lc_in_key_loc(in, member);
    lc_str mistake = lc_key_mistake(in->arena, member->key);
    if (mistake.len) {
        lc_diag_error(in->diags, loc, "%.*s", LC_FMT(mistake));
        return;
    }
    lc_str near = lc_str_nearest(member->key, names, count);
    if (near.len)
        lc_diag_error(in->diags, loc, "%s has no key \"%.*s\"; did you mean \"%.*s\"?", what,
                      LC_FMT(member->key), LC_FMT(near));
    else
        lc_diag_error(in->diags, loc, "%s has no key \"%.*s\"", what, LC_FMT(member->key));
}

#define MAX_KEYSET 24 /* of the arrays on the stack below */

bool lc_in_keys(lc_in *in, const lc_member **found, const lc_node *node, const lc_keyset *set,
                const char *what)
{
    LC_ASSERT(set->count <= MAX_KEYSET);
    for (size_t i = 0; i < set->count; i++)
        found[i] = NULL;
    if (!lc_in_mapping(in, node, what))
        return false;
    lc_str names[MAX_KEYSET];
    for (size_t i = 0; i < set->count; i++)
        names[i] = lc_str_from_c(set->rows[i].name);
    bool ok = true;
    for (uint32_t m = 0; m < node->count; m++) {
        const lc_member *member = &node->as.members[m];
        size_t i = 0;
        while (i < set->count && !lc_str_eq(member->key, names[i]))
            i++;
        if (i < set->count) {
            found[i] = member;
            continue;
        }
        lc_in_unknown_key(in, member, what, names, set->count);
        ok = false;
    }
    return ok;
}

/* ---- Scalars and lists of the format. */

/* Markers and tags are for values of the schema. Here they would be ignored, so they are an error.
 */
static bool untagged(lc_in *in, const lc_node *node, const char *what)
{
    lc_node content;
    if (lc_node_marker(&content, node) == LC_MARKER_NONE)
        return true;
    lc_str spelling = lc_marker_spelling(in->arena, node);
    lc_diag_error(in->diags, lc_in_loc(in, node), "%s takes no marker, this one is %.*s", what,
                  LC_FMT(spelling));
    return false;
}

/* How a mapping or list is written that beginners give as a word. */
static const char *example_of(const char *what)
{
    static const char *const examples[][2] = {
        {"a schema", "{file: schemas.json, type: TYPE}"},
        {"a block", "{attributes: {name: {type: string, optional: true}}}"},
        {"expect", "{action: update}"},
        {"findings", "[{rule: apply/changed}]"},
        {"an expected finding", "{rule: apply/changed}"},
        {"requires_replace", "[.name]"},
        {"cases", "[{name: first, config: {...}}]"},
        {"calls", "[{rpc: PlanResourceChange, request: {...}, response: {...}}]"},
        {"diagnostics", "[{severity: error, summary: words}]"},
        {"not_checked", "['apply/*']"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        if (strcmp(examples[i][0], what) == 0)
            return examples[i][1];
    }
    return NULL;
}

static bool wrong_kind(lc_in *in, const lc_node *node, const char *what, const char *want)
{
    const char *example = example_of(what);
    lc_diag_error(in->diags, lc_in_loc(in, node), "%s takes %s, not %s%s%s%s", what, want,
                  lc_node_kind_name(node), example ? ": write `" : "", example ? example : "",
                  example ? "`" : "");
    return false;
}

/* YAML reads `name: 12` as a number; as a string it is what is written. JSON has its own strings.
 */
bool lc_in_text(lc_in *in, lc_str *out, const lc_node *node, const char *what)
{
    if (!untagged(in, node, what))
        return false;
    bool scalar = node->kind == LC_NODE_NUMBER || node->kind == LC_NODE_BOOL;
    if (node->kind != LC_NODE_STRING && !(scalar && node->style != LC_STYLE_JSON))
        return wrong_kind(in, node, what, "a string");
    *out = node->as.text;
    return true;
}

bool lc_in_bool(lc_in *in, bool *out, const lc_node *node, const char *what)
{
    if (!untagged(in, node, what))
        return false;
    if (node->kind != LC_NODE_BOOL)
        return wrong_kind(in, node, what, "true or false");
    *out = node->boolean;
    return true;
}

bool lc_in_fact(lc_in *in, lc_fact *out, const lc_node *node, const char *what)
{
    bool is = false;
    if (!lc_in_bool(in, &is, node, what))
        return false;
    *out = is ? LC_YES : LC_NO;
    return true;
}

bool lc_in_count(lc_in *in, int64_t *out, const lc_node *node, const char *what)
{
    if (!untagged(in, node, what))
        return false;
    lc_num n;
    if (node->kind == LC_NODE_NUMBER &&
        lc_num_from_text(&n, in->arena, node->as.text, in->values.limits.digits) == LC_NUM_OK &&
        lc_num_to_int64(n, out) && *out >= 0)
        return true;
    lc_diag_error(in->diags, lc_in_loc(in, node), "%s takes a whole number from 0", what);
    return false;
}

bool lc_in_sequence(lc_in *in, const lc_node *node, const char *what)
{
    if (!untagged(in, node, what))
        return false;
    return node->kind == LC_NODE_SEQUENCE || wrong_kind(in, node, what, "a list");
}

bool lc_in_mapping(lc_in *in, const lc_node *node, const char *what)
{
    if (!untagged(in, node, what))
        return false;
    return node->kind == LC_NODE_MAPPING || wrong_kind(in, node, what, "a mapping");
}

bool lc_in_path(lc_in *in, lc_path *out, const lc_node *node, bool pattern)
{
    lc_str text, why;
    size_t at;
    if (!lc_in_text(in, &text, node, "a path"))
        return false;
    if (text.len == 0 || text.ptr[0] != '.') {
        lc_diag_error(in->diags, lc_in_loc(in, node), "a path starts with a dot, as in '.name'");
        return false;
    }
    if (lc_path_parse(out, in->arena, text, pattern, &why, &at))
        return true;
    lc_diag_error(in->diags, lc_in_loc(in, node), "this is not a path: %.*s (at character %zu)",
                  LC_FMT(why), lc_utf8_count(lc_str_sub(text, 0, at)) + 1);
    return false;
}

bool lc_in_path_list(lc_in *in, lc_path_list *out, const lc_node *node, const char *what)
{
    if (!lc_in_sequence(in, node, what))
        return false;
    bool ok = true;
    for (uint32_t i = 0; i < node->count; i++) {
        lc_located_path *path = LC_PUSH(in->arena, out, lc_located_path);
        path->loc = lc_in_loc(in, &node->as.items[i]);
        ok = lc_in_path(in, &path->path, &node->as.items[i], false) && ok;
    }
    return ok;
}

bool lc_in_bytes(lc_in *in, lc_str *out, const lc_node *node, const char *what)
{
    lc_node content;
    lc_str text;
    size_t at;
    if (lc_node_marker(&content, node) == LC_MARKER_TEXT)
        return lc_in_text(in, out, &content, "the marker for text");
    if (!lc_in_text(in, &text, node, what))
        return false;
    if (lc_base64_decode(out, in->arena, text, &at))
        return true;
    lc_diag_error(in->diags, lc_in_loc(in, node),
                  "%s takes base64, or !text and the string itself; character %zu is not base64",
                  what, at + 1);
    return false;
}

const char *lc_scenario_key(size_t index)
{
    return index < LC_KEY_COUNT ? lc_key_name((lc_case_key)index) : NULL;
}
