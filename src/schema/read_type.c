/* Reads nodes as types: type JSON as go-cty's Type.UnmarshalJSON reads it (values-and-wire 1.2),
 * from JSON or YAML, and in inline schemas also type expressions. As in Go, the last of several
 * attributes with equal normalised names wins, and null means no attributes or no elements. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/codec/codec.h"
#include "schema/internal.h"

#include <stdlib.h>
#include <string.h>

/* The result of reading a type: TOO_DEEP is our limit, NO_TYPE a fault of the schema. */
typedef enum outcome { IS_TYPE, NO_TYPE, TOO_DEEP } outcome;

static outcome read_type(const lc_type **out, lc_schema_reader *r, const lc_node *node,
                         unsigned depth);

static bool is_text(const lc_node *node)
{
    return node->kind == LC_NODE_STRING && !node->tag;
}

static const lc_type *primitive(lc_str name)
{
    if (lc_str_is(name, "string"))
        return &lc_type_string;
    if (lc_str_is(name, "number"))
        return &lc_type_number;
    if (lc_str_is(name, "bool"))
        return &lc_type_bool;
    return lc_str_is(name, "dynamic") ? &lc_type_dynamic : NULL;
}

/* ---- Objects. */

typedef struct named_type {
    lc_type_attr attr;
    uint32_t order; /* position in the text, to find the last of equal names */
} named_type;

static int by_name(const void *a, const void *b)
{
    const named_type *x = a, *y = b;
    int order = lc_str_cmp(x->attr.name, y->attr.name);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* Sorts the attributes and keeps the last of those with equal names. */
static const lc_type *make_object(lc_arena *arena, named_type *named, uint32_t count)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(arena, lc_type_attr, count);
    size_t kept = 0;
    if (count)
        qsort(named, count, sizeof *named, by_name);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 == count || !lc_str_eq(named[i].attr.name, named[i + 1].attr.name))
            attrs[kept++] = named[i].attr;
    }
    return lc_type_object(arena, attrs, kept);
}

/* Values never have optional attributes, so the list is checked and then dropped. go-cty refuses
 * names in it that the object type does not have. */
static outcome check_optional(const lc_schema_reader *r, const lc_type *object,
                              const lc_node *names)
{
    if (names->kind == LC_NODE_NULL)
        return IS_TYPE;
    if (names->kind != LC_NODE_SEQUENCE || names->tag)
        return NO_TYPE;
    for (uint32_t i = 0; i < names->count; i++) {
        const lc_node *name = &names->as.items[i];
        if (!is_text(name) || lc_type_attr_index(object, lc_nfc(r->arena, name->as.text)) < 0)
            return NO_TYPE;
    }
    return IS_TYPE;
}

static outcome read_object(const lc_type **out, lc_schema_reader *r, const lc_node *node,
                           unsigned depth)
{
    const lc_node *attrs = &node->as.items[1];
    bool none = attrs->kind == LC_NODE_NULL;
    if (node->count > 3 || (!none && attrs->kind != LC_NODE_MAPPING) || attrs->tag)
        return NO_TYPE;
    uint32_t count = none ? 0 : attrs->count;
    named_type *named = LC_NEW_ARRAY(r->arena, named_type, count);
    for (uint32_t i = 0; i < count; i++) {
        const lc_member *member = &attrs->as.members[i];
        named[i] = (named_type){.order = i};
        named[i].attr.name = lc_schema_name(r, member->key);
        outcome found = read_type(&named[i].attr.type, r, &member->value, depth + 1);
        if (found != IS_TYPE)
            return found;
    }
    *out = make_object(r->arena, named, count);
    return node->count == 3 ? check_optional(r, *out, &node->as.items[2]) : IS_TYPE;
}

/* ---- The other kinds. */

static outcome read_tuple(const lc_type **out, lc_schema_reader *r, const lc_node *node,
                          unsigned depth)
{
    const lc_node *elems = &node->as.items[1];
    bool none = elems->kind == LC_NODE_NULL;
    if (node->count != 2 || (!none && elems->kind != LC_NODE_SEQUENCE) || elems->tag)
        return NO_TYPE;
    uint32_t count = none ? 0 : elems->count;
    const lc_type **items = LC_NEW_ARRAY(r->arena, const lc_type *, count);
    for (uint32_t i = 0; i < count; i++) {
        outcome found = read_type(&items[i], r, &elems->as.items[i], depth + 1);
        if (found != IS_TYPE)
            return found;
    }
    *out = lc_type_tuple(r->arena, items, count);
    return IS_TYPE;
}

static outcome read_collection(const lc_type **out, lc_schema_reader *r, const lc_node *node,
                               lc_type_kind kind, unsigned depth)
{
    const lc_type *elem;
    if (node->count != 2)
        return NO_TYPE;
    outcome found = read_type(&elem, r, &node->as.items[1], depth + 1);
    if (found == IS_TYPE)
        *out = lc_type_collection(r->arena, kind, elem);
    return found;
}

static outcome read_complex(const lc_type **out, lc_schema_reader *r, const lc_node *node,
                            unsigned depth)
{
    if (node->count < 2 || !is_text(&node->as.items[0]))
        return NO_TYPE;
    lc_str kind = node->as.items[0].as.text;
    if (lc_str_is(kind, "object"))
        return read_object(out, r, node, depth);
    if (lc_str_is(kind, "tuple"))
        return read_tuple(out, r, node, depth);
    if (lc_str_is(kind, "list"))
        return read_collection(out, r, node, LC_TYPE_LIST, depth);
    if (lc_str_is(kind, "set"))
        return read_collection(out, r, node, LC_TYPE_SET, depth);
    if (lc_str_is(kind, "map"))
        return read_collection(out, r, node, LC_TYPE_MAP, depth);
    return NO_TYPE;
}

static outcome read_type(const lc_type **out, lc_schema_reader *r, const lc_node *node,
                         unsigned depth)
{
    if (depth > LC_MAX_DEPTH)
        return TOO_DEEP;
    if (node->kind == LC_NODE_SEQUENCE && !node->tag)
        return read_complex(out, r, node, depth);
    *out = is_text(node) ? primitive(node->as.text) : NULL;
    return *out ? IS_TYPE : NO_TYPE;
}

/* ---- The type of an attribute. */

/* Names of types in other languages. */
static lc_str our_name(lc_str word)
{
    static const struct {
        const char *theirs, *ours;
    } names[] = {
        {"int", "number"},    {"integer", "number"}, {"int32", "number"},   {"int64", "number"},
        {"float", "number"},  {"float32", "number"}, {"float64", "number"}, {"double", "number"},
        {"num", "number"},    {"str", "string"},     {"text", "string"},    {"boolean", "bool"},
        {"array", "list"},    {"slice", "list"},     {"dict", "map"},       {"hash", "map"},
        {"struct", "object"}, {"record", "object"},  {"json", "string"},    {"block", "object"},
    };
    static const char *const known[] = {"string", "number", "bool",   "any",   "dynamic", "list",
                                        "set",    "map",    "object", "tuple", NULL};
    lc_str ours = LC_STR_EMPTY;
    if (lc_str_is_one_of(word, known, NULL))
        return ours;
    for (size_t i = 0; i < sizeof names / sizeof *names && !ours.len; i++) {
        size_t k = 0;
        while (k < word.len && names[i].theirs[k] == lc_to_lower(word.ptr[k]))
            k++;
        if (k == word.len && !names[i].theirs[k])
            ours = lc_str_from_c(names[i].ours);
    }
    return ours.len ? ours : lc_str_nearest_word(word, known);
}

/* What the author of a wrong type may have meant: the first word of it that is not a name of a
 * type, or a kind of collection that is not followed by a bracket. */
static lc_str type_hint(lc_arena *arena, lc_str text)
{
    static const char *const kinds[] = {"list", "set", "map", NULL};
    for (size_t from = 0; from < text.len; from++) {
        size_t to = from;
        while (to < text.len && (lc_is_alnum(text.ptr[to]) || text.ptr[to] == '_'))
            to++;
        lc_str word = lc_str_sub(text, from, to), ours = our_name(word);
        size_t sign = to;
        while (sign < text.len && text.ptr[sign] == ' ')
            sign++;
        if (sign < text.len && (text.ptr[sign] == '=' || text.ptr[sign] == ':')) {
            from = sign; /* the name of an attribute */
            continue;
        }
        if (ours.len)
            return lc_str_printf(arena, "; did you mean %.*s?", LC_FMT(ours));
        bool bare = to == text.len || text.ptr[to] != '(';
        if (bare && lc_str_is_one_of(word, kinds, NULL))
            return lc_str_printf(arena, "; a %.*s of strings is written %.*s(string)", LC_FMT(word),
                                 LC_FMT(word));
        from = to;
    }
    return LC_STR_EMPTY;
}

/* The hint for a type that is written as a list: [map string], [list, int], [set]. */
static lc_str list_hint(lc_arena *arena, const lc_node *node, unsigned depth)
{
    static const char *const kinds[] = {"list", "set", "map", "object", "tuple", NULL};
    const lc_node *first = lc_node_item(node, 0), *second = lc_node_item(node, 1);
    lc_str kind = lc_node_as_text(first);
    if (lc_str_find(kind, 0, ' ') < kind.len)
        return LC_STR("; a comma is missing");
    if (!first || !lc_str_is_one_of(kind, kinds, NULL)) {
        lc_str ours = our_name(kind);
        return ours.len ? lc_str_printf(arena, "; did you mean %.*s?", LC_FMT(ours)) : ours;
    }
    if (!second)
        return LC_STR("; the type of the elements is missing");
    if (second->kind == LC_NODE_SEQUENCE && depth < LC_MAX_DEPTH)
        return list_hint(arena, second, depth + 1);
    return second->kind == LC_NODE_STRING ? type_hint(arena, second->as.text) : LC_STR_EMPTY;
}

void lc_schema_report_type(lc_schema_reader *r, const lc_node *node)
{
    lc_str hint = list_hint(r->arena, node, 0);
    schema_error(
        r, node->where,
        "this is not a type; one is an expression such as map(string), or type JSON such as "
        "[map, string]%.*s",
        LC_FMT(hint));
}

static const lc_type *read_expression(lc_schema_reader *r, const lc_node *node)
{
    const lc_type *type;
    lc_str why;
    size_t at;
    /* The type may borrow names from the text, and the nodes may be freed before it. */
    lc_str text = lc_str_copy(r->arena, node->as.text);
    if (lc_typetext_parse(&type, r->arena, text, &why, &at))
        return lc_type_without_optional(type);
    lc_str hint = type_hint(r->arena, text);
    schema_error(r, node->where,
                 "this is not a type, neither as an expression nor as type JSON: %.*s%.*s",
                 LC_FMT(why), LC_FMT(hint));
    return NULL;
}

const lc_type *lc_schema_read_type(lc_schema_reader *r, const lc_node *node, bool *invalid)
{
    const lc_type *type;
    if (r->strict && is_text(node))
        return read_expression(r, node);
    if (r->strict && (node->kind != LC_NODE_SEQUENCE || node->tag)) {
        schema_error(r, node->where,
                     "a type is an expression such as list(string), or type JSON such as "
                     "[list, string]");
        return NULL;
    }
    switch (read_type(&type, r, node, 0)) {
    case IS_TYPE:
        return type;
    case NO_TYPE:
        *invalid = true;
        break;
    case TOO_DEEP:
        lc_schema_too_deep(r, node->where, "the type");
        break;
    }
    return NULL;
}
