/* Markers: values that plain YAML and JSON cannot express (unknown, typed, sensitive, bytes).
 *
 * A marker is a local YAML tag (!unknown), or a mapping with exactly one $-key ($unknown). Both are
 * turned into the same pair of marker and content here; no other file looks at tags. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "scenario/internal.h"

LC_ENUM_NAMES(lc_marker, LC_MARKERS);

static lc_marker marker_find(lc_str name)
{
    lc_marker marker = LC_MARKER_NONE;
    lc_marker_from_name(&marker, name);
    return marker;
}

/* Tags other than markers are LC_MARKER_FOREIGN, an error. An unknown $-key is plain data. */
lc_marker lc_node_marker(lc_node *content, const lc_node *node)
{
    *content = *node;
    if (node->tag) {
        content->tag = NULL;
        lc_marker marker =
            node->tag[0] == '!' ? marker_find(lc_str_from_c(node->tag + 1)) : LC_MARKER_NONE;
        return marker == LC_MARKER_NONE ? LC_MARKER_FOREIGN : marker;
    }
    if (node->kind != LC_NODE_MAPPING || node->count != 1)
        return LC_MARKER_NONE;
    lc_str key = node->as.members[0].key;
    if (key.len == 0 || key.ptr[0] != '$')
        return LC_MARKER_NONE;
    lc_marker marker = marker_find(lc_str_sub(key, 1, key.len));
    if (marker != LC_MARKER_NONE)
        *content = node->as.members[0].value;
    return marker;
}

lc_str lc_marker_spelling(lc_arena *arena, const lc_node *node)
{
    if (node->tag)
        return lc_str_copy(arena, lc_str_from_c(node->tag));
    return node->as.members[0].key;
}

/* ---- Arguments. */

static void complain(lc_value_reader *reader, const lc_node *node, const char *what)
{
    lc_diag_error(reader->diags, lc_reader_loc(reader, node), "%s", what);
}

/* Type JSON may also be written as YAML: ["list", string]. */
static bool add_type_json(lc_json *w, const lc_node *node, size_t depth)
{
    bool mapping = node->kind == LC_NODE_MAPPING;
    if (node->tag || depth == 0)
        return false;
    if (node->kind == LC_NODE_STRING) {
        lc_json_str(w, NULL, node->as.text);
        return true;
    }
    if (!mapping && node->kind != LC_NODE_SEQUENCE)
        return false;
    (mapping ? lc_json_object : lc_json_array)(w, NULL);
    for (uint32_t i = 0; i < node->count; i++) {
        if (mapping)
            lc_json_key(w, node->as.members[i].key);
        if (!add_type_json(w, mapping ? &node->as.members[i].value : &node->as.items[i], depth - 1))
            return false;
    }
    (mapping ? lc_json_end_object : lc_json_end_array)(w);
    return true;
}

static bool type_from_json(lc_value_reader *reader, const lc_type **out, const lc_node *node)
{
    lc_buf buf = {0};
    lc_json w = {.out = &buf};
    lc_wire_problem problem;
    bool ok = add_type_json(&w, node, reader->limits.depth);
    lc_str text = lc_buf_take(reader->arena, &buf);
    if (!ok) {
        complain(reader, node, "a type is a string such as 'list(string)', or type JSON");
        return false;
    }
    if (lc_typejson_decode(out, reader->arena, text, &problem))
        return true;
    lc_diag_error(reader->diags, lc_reader_loc(reader, node), "this is not a type: %.*s",
                  LC_FMT(problem.message));
    return false;
}

bool lc_marker_type(lc_value_reader *reader, const lc_type **out, const lc_node *node)
{
    lc_str why;
    size_t at;
    if (node->kind != LC_NODE_STRING || node->tag)
        return type_from_json(reader, out, node);
    if (!lc_typetext_parse(out, reader->arena, node->as.text, &why, &at)) {
        lc_diag_error(reader->diags, lc_reader_loc(reader, node),
                      "this is not a type: %.*s (at character %zu)", LC_FMT(why), at + 1);
        return false;
    }
    *out = lc_type_without_optional(*out);
    return true;
}

bool lc_marker_typed(lc_value_reader *reader, const lc_type **type, const lc_node **value,
                     const lc_node *node)
{
    const lc_node *type_node = NULL;
    *value = NULL;
    bool ok = node->kind == LC_NODE_MAPPING && !node->tag;
    for (uint32_t i = 0; ok && i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        if (lc_str_is(member->key, "type"))
            type_node = &member->value;
        else if (lc_str_is(member->key, "value"))
            *value = &member->value;
        else
            ok = false;
    }
    if (ok && type_node && *value)
        return lc_marker_type(reader, type, type_node);
    complain(reader, node, "a typed value is written {type: T, value: V}");
    return false;
}

/* Numbers and bools are text as they are written in YAML; JSON has its own strings. */
bool lc_marker_text(lc_value_reader *reader, lc_str *out, const lc_node *node, const char *name)
{
    bool scalar =
        node->kind == LC_NODE_STRING || node->kind == LC_NODE_NUMBER || node->kind == LC_NODE_BOOL;
    if (scalar && !node->tag && (node->kind == LC_NODE_STRING || node->style != LC_STYLE_JSON)) {
        *out = node->as.text;
        return true;
    }
    lc_diag_error(reader->diags, lc_reader_loc(reader, node),
                  "the marker for %s takes a quoted string, not %s", name, lc_node_kind_name(node));
    return false;
}

/* ---- Refinements. */

static bool read_number(lc_value_reader *reader, lc_num *out, const lc_node *node)
{
    if (node->kind == LC_NODE_NUMBER && !node->tag &&
        lc_num_from_text(out, reader->arena, node->as.text, reader->limits.digits) == LC_NUM_OK)
        return true;
    complain(reader, node, "a bound of an unknown takes a number");
    return false;
}

/* A bound of a number: `min: 1` or `max: {value: 9, inclusive: false}`. */
static bool read_bound(lc_value_reader *reader, lc_num *out, bool *inclusive, const lc_node *node)
{
    *inclusive = true;
    if (node->kind != LC_NODE_MAPPING || node->tag)
        return read_number(reader, out, node);
    const lc_node *value = NULL;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        if (lc_str_is(member->key, "value")) {
            value = &member->value;
        } else if (lc_str_is(member->key, "inclusive") && member->value.kind == LC_NODE_BOOL) {
            *inclusive = member->value.boolean;
        } else {
            complain(reader, node, "a bound is written {value: N, inclusive: true or false}");
            return false;
        }
    }
    if (value)
        return read_number(reader, out, value);
    complain(reader, node, "a bound is written {value: N, inclusive: true or false}");
    return false;
}

static bool read_length(lc_value_reader *reader, uint64_t *out, const lc_node *node)
{
    lc_num n;
    int64_t length;
    if (node->kind == LC_NODE_NUMBER && !node->tag &&
        lc_num_from_text(&n, reader->arena, node->as.text, reader->limits.digits) == LC_NUM_OK &&
        lc_num_to_int64(n, &length) && length >= 0) {
        *out = (uint64_t)length;
        return true;
    }
    complain(reader, node, "a length of an unknown takes a whole number from 0");
    return false;
}

enum refinement_key { NOT_NULL, PREFIX, MIN, MAX, MIN_LENGTH, MAX_LENGTH, REFINEMENT_KEYS };

static const char *const refinement_names[REFINEMENT_KEYS] = {
    "not_null", "prefix", "min", "max", "min_length", "max_length"};

/* cty allows each refinement for certain types only. */
static bool refinement_fits(enum refinement_key key, const lc_type *type)
{
    switch (key) {
    case NOT_NULL:
        return type->kind != LC_TYPE_DYNAMIC;
    case PREFIX:
        return type->kind == LC_TYPE_STRING;
    case MIN:
    case MAX:
        return type->kind == LC_TYPE_NUMBER;
    case MIN_LENGTH:
    case MAX_LENGTH:
        return lc_type_is_collection(type);
    case REFINEMENT_KEYS:
        break;
    }
    LC_UNREACHABLE();
}

static bool read_refinement_value(lc_value_reader *reader, lc_refinement *r,
                                  enum refinement_key key, const lc_node *node)
{
    switch (key) {
    case NOT_NULL:
        r->not_null = node->boolean;
        if (node->kind == LC_NODE_BOOL && !node->tag)
            return true;
        complain(reader, node, "not_null takes true or false");
        return false;
    case PREFIX:
        r->has_prefix = lc_marker_text(reader, &r->prefix, node, "a prefix");
        r->prefix = r->has_prefix ? lc_nfc(reader->arena, r->prefix) : LC_STR_EMPTY;
        return r->has_prefix;
    case MIN:
        return r->has_min = read_bound(reader, &r->min, &r->min_inclusive, node);
    case MAX:
        return r->has_max = read_bound(reader, &r->max, &r->max_inclusive, node);
    case MIN_LENGTH:
        return r->has_min_len = read_length(reader, &r->min_len, node);
    case MAX_LENGTH:
        return r->has_max_len = read_length(reader, &r->max_len, node);
    case REFINEMENT_KEYS:
        break;
    }
    LC_UNREACHABLE();
}

static bool read_refinement_member(lc_value_reader *reader, lc_refinement *r,
                                   const lc_member *member, const lc_type *type)
{
    unsigned key = 0;
    while (key < REFINEMENT_KEYS && !lc_str_is(member->key, refinement_names[key]))
        key++;
    lc_loc loc = lc_reader_where(reader, member->where);
    if (key == REFINEMENT_KEYS) {
        lc_str names[REFINEMENT_KEYS];
        for (unsigned i = 0; i < REFINEMENT_KEYS; i++)
            names[i] = lc_str_from_c(refinement_names[i]);
        lc_str near = lc_str_nearest(member->key, names, REFINEMENT_KEYS);
        lc_diag_error(reader->diags, loc, "an unknown has no key \"%.*s\"%s%.*s%s",
                      LC_FMT(member->key), LC_FMT_NEAR(near));
        return false;
    }
    if (refinement_fits((enum refinement_key)key, type))
        return read_refinement_value(reader, r, (enum refinement_key)key, &member->value);
    lc_str text = lc_type_friendly(reader->arena, type);
    lc_diag_error(reader->diags, loc, "an unknown of type %.*s takes no \"%s\"", LC_FMT(text),
                  refinement_names[key]);
    return false;
}

/* go-cty turns an unknown that can be one value only (a null, an empty collection) into that value.
 */
static void note_refinement(lc_value_reader *reader, const lc_value *out, const lc_node *node)
{
    if (!reader->lints)
        return;
    if (!lc_is_unknown(out))
        lc_note(reader->lints, reader->arena, LC_LINT_UNKNOWN_SETTLED, lc_reader_loc(reader, node),
                "the refinements of this unknown leave one value, so it is known");
    else if (!lc_value_refinement(out))
        lc_note(reader->lints, reader->arena, LC_LINT_REFINEMENT_EMPTY, lc_reader_loc(reader, node),
                "this unknown has no refinement");
}

bool lc_marker_refinement(lc_value_reader *reader, lc_value *out, const lc_node *node,
                          const lc_type *type)
{
    lc_value_set_unknown(out, type);
    if (!node->tag && (node->kind == LC_NODE_NULL || (node->kind == LC_NODE_BOOL && node->boolean)))
        return true;
    if (node->tag || node->kind != LC_NODE_MAPPING) {
        complain(reader, node,
                 "the marker for unknown takes nothing, true, or a mapping of what is known");
        return false;
    }
    lc_refinement refinement = {0};
    bool ok = true;
    for (uint32_t i = 0; i < node->count; i++)
        ok = read_refinement_member(reader, &refinement, &node->as.members[i], type) && ok;
    if (ok && node->count == 0)
        note_refinement(reader, out, node);
    if (!ok || node->count == 0)
        return ok;
    if (lc_value_set_refined(out, reader->arena, type, &refinement)) {
        note_refinement(reader, out, node);
        return true;
    }
    lc_value_set_unknown(out, type);
    complain(reader, node, "the refinements of this unknown contradict each other");
    return false;
}
