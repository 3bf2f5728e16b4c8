/* Reads nodes as schemas: blocks, attributes, nested types, block types and identities, in the
 * structure of `providers schema -json` (values-and-wire 4.1).
 *
 * A schema that the cores would refuse is kept as it is written, because judging it is the work of
 * validate.c. Errors are only what a schema cannot hold: values of the wrong kind, names given
 * twice, and too much depth. Recursion is bounded by LC_MAX_DEPTH, counted over blocks and nested
 * types together. */
#include "lifecheck/base/arena.h"
#include "schema/internal.h"

#include <stdlib.h>
#include <string.h>

/* The keys of each part. The enumerators are indices into `found`, which lc_schema_members fills in
 * the order of the table. Keys after the last enumerator are accepted and ignored. */
enum {
    SCHEMA_VERSION,
    SCHEMA_BLOCK,
    SCHEMA_IDENTITY,
    SCHEMA_IDENTITY_VERSION,
    SCHEMA_KIND,
    SCHEMA_FUNCTIONS,
    SCHEMA_CLOUDFORMATION, /* read by the module scenario, accepted here */
    SCHEMA_AS
};
static const lc_schema_key schema_names[] = {
    {"version", LC_TAKES_NUMBER, 0},
    {"block", LC_TAKES_PART, LC_PART_BLOCK},
    {"identity", LC_TAKES_PART, LC_PART_IDENTITY},
    {"identity_version", LC_TAKES_NUMBER, 0},
    {"kind", LC_TAKES_ANYTHING, 0},
    {"functions", LC_TAKES_PARTS, LC_PART_FUNCTION},
    {"cloudformation", LC_TAKES_ANYTHING, 0},
    {"as", LC_TAKES_ANYTHING, 0},
};
static const lc_schema_keyset schema_set = SCHEMA_KEYS("a schema", schema_names);

enum {
    BLOCK_ATTRIBUTES,
    BLOCK_TYPES,
    BLOCK_DEPRECATED,
    BLOCK_MESSAGE,
    BLOCK_COMPUTED,
    BLOCK_DESCRIPTION,
};
static const lc_schema_key block_names[] = {
    {"attributes", LC_TAKES_PARTS, LC_PART_ATTRIBUTE},
    {"block_types", LC_TAKES_PARTS, LC_PART_BLOCK_TYPE},
    {"deprecated", LC_TAKES_FLAG, 0},
    {"deprecation_message", LC_TAKES_TEXT, 0},
    {"computed", LC_TAKES_FLAG, 0},
    {"description", LC_TAKES_ANYTHING, 0},
    {"description_kind", LC_TAKES_ANYTHING, 0},
};
static const lc_schema_keyset block_set = SCHEMA_KEYS("a block", block_names);

enum {
    ATTR_TYPE,
    ATTR_NESTED,
    ATTR_REQUIRED,
    ATTR_OPTIONAL,
    ATTR_COMPUTED,
    ATTR_SENSITIVE,
    ATTR_WRITE_ONLY,
    ATTR_DEPRECATED,
    ATTR_MESSAGE,
    ATTR_DESCRIPTION,
};
static const lc_schema_key attr_names[] = {
    {"type", LC_TAKES_TYPE, 0},
    {"nested_type", LC_TAKES_PART, LC_PART_NESTED_TYPE},
    {"required", LC_TAKES_FLAG, 0},
    {"optional", LC_TAKES_FLAG, 0},
    {"computed", LC_TAKES_FLAG, 0},
    {"sensitive", LC_TAKES_FLAG, 0},
    {"write_only", LC_TAKES_FLAG, 0},
    {"deprecated", LC_TAKES_FLAG, 0},
    {"deprecation_message", LC_TAKES_TEXT, 0},
    {"description", LC_TAKES_ANYTHING, 0},
    {"description_kind", LC_TAKES_ANYTHING, 0},
};
static const lc_schema_keyset attr_set = SCHEMA_KEYS("an attribute", attr_names);

enum { NESTED_ATTRIBUTES, NESTED_MODE, NESTED_MIN, NESTED_MAX };
static const lc_schema_key nested_names[] = {
    {"attributes", LC_TAKES_PARTS, LC_PART_ATTRIBUTE},
    {"nesting_mode", LC_TAKES_NESTING, 0},
    {"min_items", LC_TAKES_NUMBER, 0},
    {"max_items", LC_TAKES_NUMBER, 0},
};
static const lc_schema_keyset nested_set = SCHEMA_KEYS("a nested type", nested_names);

enum { TYPE_MODE, TYPE_BLOCK, TYPE_MIN, TYPE_MAX, TYPE_COMPUTED };
static const lc_schema_key type_names[] = {
    {"nesting_mode", LC_TAKES_NESTING, 0}, {"block", LC_TAKES_PART, LC_PART_BLOCK},
    {"min_items", LC_TAKES_NUMBER, 0},     {"max_items", LC_TAKES_NUMBER, 0},
    {"computed", LC_TAKES_FLAG, 0},
};
static const lc_schema_keyset type_set = SCHEMA_KEYS("a block type", type_names);

enum { IDENTITY_SCHEMA_VERSION, IDENTITY_ATTRIBUTES };
static const lc_schema_key identity_names[] = {
    {"version", LC_TAKES_NUMBER, 0},
    {"attributes", LC_TAKES_PARTS, LC_PART_IDENTITY_ATTRIBUTE},
};
static const lc_schema_keyset identity_set = SCHEMA_KEYS("an identity schema", identity_names);

enum { ID_TYPE, ID_REQUIRED, ID_OPTIONAL, ID_DESCRIPTION };
static const lc_schema_key id_names[] = {
    {"type", LC_TAKES_TYPE, 0},
    {"required_for_import", LC_TAKES_FLAG, 0},
    {"optional_for_import", LC_TAKES_FLAG, 0},
    {"description", LC_TAKES_ANYTHING, 0},
};
static const lc_schema_keyset id_set = SCHEMA_KEYS("an identity attribute", id_names);

const lc_schema_key *lc_schema_part_keys(lc_schema_part part, size_t *count)
{
    static const lc_schema_keyset *const sets[LC_PART_COUNT] = {
        [LC_PART_BLOCK] = &block_set,
        [LC_PART_ATTRIBUTE] = &attr_set,
        [LC_PART_NESTED_TYPE] = &nested_set,
        [LC_PART_BLOCK_TYPE] = &type_set,
        [LC_PART_IDENTITY] = &identity_set,
        [LC_PART_IDENTITY_ATTRIBUTE] = &id_set,
        [LC_PART_FUNCTION] = &lc_schema_function_keys,
        [LC_PART_PARAMETER] = &lc_schema_parameter_keys,
    };
    *count = sets[part]->count;
    return sets[part]->keys;
}

/* ---- Parts. */

/* Does the member hold a message? An empty text means absence, as on the wire. */
static bool has_text(lc_schema_reader *r, const lc_member *member)
{
    if (!member)
        return false;
    if (member->value.kind == LC_NODE_STRING && !member->value.tag)
        return member->value.as.text.len > 0;
    schema_error(r, member->value.where, "\"%.*s\" takes a string, not %s", LC_FMT(member->key),
                 lc_node_kind_name(&member->value));
    return false;
}

/* Descriptions are for people only, so anything else than text is passed over. */
static lc_str read_description(lc_schema_reader *r, const lc_member *member)
{
    bool text = member && member->value.kind == LC_NODE_STRING && !member->value.tag;
    return text && member->value.as.text.len ? lc_str_copy(r->arena, member->value.as.text)
                                             : LC_STR_EMPTY;
}

static void unknown_nesting(lc_schema_reader *r, const lc_node *node, lc_str text)
{
    static const lc_nesting all[] = {LC_NESTING_SINGLE, LC_NESTING_GROUP, LC_NESTING_LIST,
                                     LC_NESTING_SET, LC_NESTING_MAP};
    lc_str names[sizeof all / sizeof *all];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        names[i] = lc_str_from_c(lc_nesting_name(all[i]));
    lc_str near = lc_str_nearest(text, names, sizeof all / sizeof *all);
    schema_error(r, node->where,
                 "a nesting mode is \"single\", \"group\", \"list\", \"set\" or \"map\"%s%.*s%s",
                 LC_FMT_NEAR(near));
}

/* A nesting mode. A missing or unknown mode is a fault of the provider in a document, but an error
 * of the author in an inline schema, except "invalid", which is what the cores print for an unknown
 * mode. */
static lc_nesting read_nesting(lc_schema_reader *r, lc_str *text, const lc_node *parent,
                               const lc_member *member)
{
    *text = LC_STR_EMPTY;
    if (!member) {
        if (r->strict)
            schema_error(r, parent->where, "\"nesting_mode\" is missing");
        return LC_NESTING_INVALID;
    }
    if (member->value.kind != LC_NODE_STRING || member->value.tag) {
        schema_error(r, member->value.where, "\"nesting_mode\" takes a string, not %s",
                     lc_node_kind_name(&member->value));
        return LC_NESTING_INVALID;
    }
    *text = lc_str_copy(r->arena, member->value.as.text);
    lc_nesting nesting = LC_NESTING_INVALID;
    lc_nesting_from_name(&nesting, *text);
    if (r->strict && nesting == LC_NESTING_INVALID && !lc_str_is(*text, "invalid"))
        unknown_nesting(r, &member->value, *text);
    return nesting;
}

static uint32_t mapping_count(lc_schema_reader *r, const lc_member *member, const char *what)
{
    return member && lc_schema_read_mapping(r, &member->value, what) ? member->value.count : 0;
}

/* ---- Attributes. */

static lc_attribute *read_attributes(lc_schema_reader *r, size_t *count, const lc_member *members,
                                     unsigned depth);

static lc_nested_type *read_nested(lc_schema_reader *r, const lc_node *node, unsigned depth)
{
    lc_nested_type *nested = LC_NEW(r->arena, lc_nested_type);
    if (depth > LC_MAX_DEPTH) {
        lc_schema_too_deep(r, node->where, "the schema");
        return NULL;
    }
    const lc_member *found[SCHEMA_MAX_KEYS];
    if (!lc_schema_members(r, found, node, &nested_set))
        return NULL;
    lc_attribute *attributes =
        read_attributes(r, &nested->attribute_count, found[NESTED_ATTRIBUTES], depth);
    nested->nesting = read_nesting(r, &nested->nesting_text, node, found[NESTED_MODE]);
    lc_schema_read_integer(r, &nested->min_items, found[NESTED_MIN]);
    lc_schema_read_integer(r, &nested->max_items, found[NESTED_MAX]);
    /* Old cores always printed both members, as zeros. */
    nested->has_items = nested->min_items != 0 || nested->max_items != 0;
    lc_schema_finish_nested(r->arena, nested, attributes);
    return nested;
}

/* An invalid type is a fault of the provider in a document. In an inline schema no provider sent
 * it, so it is an error of the author. */
static void read_attribute_type(lc_schema_reader *r, lc_attribute *a, const lc_member *type)
{
    a->type = lc_schema_read_type(r, &type->value, &a->type_invalid);
    if (r->strict && a->type_invalid)
        lc_schema_report_type(r, &type->value);
}

static void read_attribute(lc_schema_reader *r, lc_attribute *a, const lc_member *member,
                           unsigned depth)
{
    const lc_member *found[SCHEMA_MAX_KEYS];
    if (!lc_schema_members(r, found, &member->value, &attr_set))
        return;
    if (found[ATTR_TYPE])
        read_attribute_type(r, a, found[ATTR_TYPE]);
    if (found[ATTR_NESTED])
        a->nested = read_nested(r, &found[ATTR_NESTED]->value, depth + 1);
    lc_schema_read_flag(r, &a->required, found[ATTR_REQUIRED]);
    lc_schema_read_flag(r, &a->optional, found[ATTR_OPTIONAL]);
    lc_schema_read_flag(r, &a->computed, found[ATTR_COMPUTED]);
    lc_schema_read_flag(r, &a->sensitive, found[ATTR_SENSITIVE]);
    lc_schema_read_flag(r, &a->write_only, found[ATTR_WRITE_ONLY]);
    lc_schema_read_flag(r, &a->deprecated, found[ATTR_DEPRECATED]);
    a->has_deprecation_message = has_text(r, found[ATTR_MESSAGE]);
    a->description = read_description(r, found[ATTR_DESCRIPTION]);
}

static void read_identity_attribute(lc_schema_reader *r, lc_attribute *a, const lc_member *member)
{
    const lc_member *found[SCHEMA_MAX_KEYS];
    if (!lc_schema_members(r, found, &member->value, &id_set))
        return;
    if (found[ID_TYPE])
        read_attribute_type(r, a, found[ID_TYPE]);
    lc_schema_read_flag(r, &a->required, found[ID_REQUIRED]);
    lc_schema_read_flag(r, &a->optional, found[ID_OPTIONAL]);
    a->description = read_description(r, found[ID_DESCRIPTION]);
}

/* Breaks ties of equal names by their position, so that the error is reported at the later one. */
static int by_position(lc_loc a, lc_loc b)
{
    if (a.line != b.line)
        return a.line < b.line ? -1 : 1;
    return (a.column > b.column) - (a.column < b.column);
}

static int attributes_by_name(const void *a, const void *b)
{
    const lc_attribute *x = a, *y = b;
    int order = lc_str_cmp(x->name, y->name);
    return order ? order : by_position(x->loc, y->loc);
}

static int blocks_by_name(const void *a, const void *b)
{
    const lc_block_type *x = a, *y = b;
    int order = lc_str_cmp(x->name, y->name);
    return order ? order : by_position(x->loc, y->loc);
}

/* Reports names that differ in the text and are equal in NFC. Equal bytes do not occur: the keys of
 * a mapping node are distinct. */
static bool given_twice(lc_schema_reader *r, lc_str former, lc_str name, lc_loc loc)
{
    if (!lc_str_eq(former, name))
        return false;
    lc_diag_error(r->diags, loc, "the name \"%.*s\" is given twice", LC_FMT(name));
    if (r->status == LC_OK)
        r->status = LC_EINPUT;
    return true;
}

/* Sorts by name for binary search, and drops duplicates so that names stay unique. */
static void sort_attributes(lc_schema_reader *r, lc_attribute *items, size_t *count)
{
    size_t kept = 0;
    if (*count)
        qsort(items, *count, sizeof *items, attributes_by_name);
    for (size_t i = 0; i < *count; i++) {
        if (i == 0 || !given_twice(r, items[kept - 1].name, items[i].name, items[i].loc))
            items[kept++] = items[i];
    }
    *count = kept;
}

static void sort_block_types(lc_schema_reader *r, lc_block_type *items, size_t *count)
{
    size_t kept = 0;
    if (*count)
        qsort(items, *count, sizeof *items, blocks_by_name);
    for (size_t i = 0; i < *count; i++) {
        if (i == 0 || !given_twice(r, items[kept - 1].name, items[i].name, items[i].loc))
            items[kept++] = items[i];
    }
    *count = kept;
}

/* A depth of 0 reads identity attributes, which have other keys; blocks begin at depth 1. */
static lc_attribute *read_attributes(lc_schema_reader *r, size_t *count, const lc_member *members,
                                     unsigned depth)
{
    *count = mapping_count(r, members, "\"attributes\"");
    lc_attribute *attributes = LC_NEW_ARRAY(r->arena, lc_attribute, *count);
    for (size_t i = 0; i < *count; i++) {
        const lc_member *member = &members->value.as.members[i];
        lc_attribute *a = &attributes[i];
        memset(a, 0, sizeof *a);
        a->name = lc_schema_name(r, member->key);
        a->loc = lc_schema_loc(r, member->where);
        if (depth)
            read_attribute(r, a, member, depth);
        else
            read_identity_attribute(r, a, member);
        lc_schema_finish_attribute(a);
    }
    sort_attributes(r, attributes, count);
    return attributes;
}

/* ---- Blocks. */

static const lc_block *read_block(lc_schema_reader *r, const lc_node *node, bool *computed,
                                  unsigned depth);

/* Always leaves a block in type->block, so that nothing else has to test for NULL. `computed` may
 * be a member of the block type or of its block; both set the flag of the block type. */
static void read_block_type(lc_schema_reader *r, lc_block_type *type, const lc_member *member,
                            unsigned depth)
{
    const lc_member *block = NULL;
    const lc_member *found[SCHEMA_MAX_KEYS];
    if (lc_schema_members(r, found, &member->value, &type_set)) {
        block = found[TYPE_BLOCK];
        type->nesting = read_nesting(r, &type->nesting_text, &member->value, found[TYPE_MODE]);
        lc_schema_read_integer(r, &type->min_items, found[TYPE_MIN]);
        lc_schema_read_integer(r, &type->max_items, found[TYPE_MAX]);
        lc_schema_read_flag(r, &type->computed, found[TYPE_COMPUTED]);
    }
    type->block = block ? read_block(r, &block->value, &type->computed, depth + 1)
                        : lc_schema_empty_block(r->arena);
    lc_schema_finish_block_type(r->arena, type);
}

static lc_block_type *read_block_types(lc_schema_reader *r, size_t *count, const lc_member *members,
                                       unsigned depth)
{
    *count = mapping_count(r, members, "\"block_types\"");
    lc_block_type *types = LC_NEW_ARRAY(r->arena, lc_block_type, *count);
    for (size_t i = 0; i < *count; i++) {
        const lc_member *member = &members->value.as.members[i];
        memset(&types[i], 0, sizeof types[i]);
        types[i].name = lc_schema_name(r, member->key);
        types[i].loc = lc_schema_loc(r, member->where);
        read_block_type(r, &types[i], member, depth);
    }
    sort_block_types(r, types, count);
    return types;
}

/* `computed` is the flag of the block type that holds the block; NULL at the root, where it has no
 * meaning. Never returns NULL. */
static const lc_block *read_block(lc_schema_reader *r, const lc_node *node, bool *computed,
                                  unsigned depth)
{
    lc_block *block = LC_NEW(r->arena, lc_block);
    lc_attribute *attributes = NULL;
    lc_block_type *types = NULL;
    const lc_member *found[SCHEMA_MAX_KEYS];
    if (depth > LC_MAX_DEPTH) {
        lc_schema_too_deep(r, node->where, "the schema");
    } else if (lc_schema_members(r, found, node, &block_set)) {
        attributes = read_attributes(r, &block->attribute_count, found[BLOCK_ATTRIBUTES], depth);
        types = read_block_types(r, &block->block_count, found[BLOCK_TYPES], depth);
        lc_schema_read_flag(r, &block->deprecated, found[BLOCK_DEPRECATED]);
        block->has_deprecation_message = has_text(r, found[BLOCK_MESSAGE]);
        block->description = read_description(r, found[BLOCK_DESCRIPTION]);
        if (computed)
            lc_schema_read_flag(r, computed, found[BLOCK_COMPUTED]);
        else if (found[BLOCK_COMPUTED] && r->strict)
            schema_error(r, found[BLOCK_COMPUTED]->where,
                         "\"computed\" has no meaning for the whole object");
    }
    lc_schema_finish_block(r->arena, block, attributes, types);
    return block;
}

/* ---- The schema. */

lc_status lc_schema_read_identity(lc_schema *out, lc_schema_reader *r, const lc_node *node)
{
    const lc_member *found[SCHEMA_MAX_KEYS];
    if (!lc_schema_members(r, found, node, &identity_set))
        return r->status;
    lc_attribute *attributes =
        read_attributes(r, &out->identity_count, found[IDENTITY_ATTRIBUTES], 0);
    out->has_identity = true;
    out->identity = attributes;
    out->identity_type = lc_schema_attributes_type(r->arena, attributes, out->identity_count);
    lc_schema_read_integer(r, &out->identity_version, found[IDENTITY_SCHEMA_VERSION]);
    return r->status;
}

const lc_block *lc_schema_empty_block(lc_arena *arena)
{
    lc_block *block = LC_NEW(arena, lc_block);
    lc_schema_finish_block(arena, block, NULL, NULL);
    return block;
}

/* Documents have identities and functions in groups of their own, so document.c adds them; in an
 * inline schema they are members. */
lc_status lc_schema_read(lc_schema *out, lc_schema_reader *r, const lc_node *node)
{
    const lc_member *found[SCHEMA_MAX_KEYS];
    if (!lc_schema_members(r, found, node, &schema_set))
        return r->status;
    out->has_block = found[SCHEMA_BLOCK] != NULL;
    out->block = out->has_block ? read_block(r, &found[SCHEMA_BLOCK]->value, NULL, 1)
                                : lc_schema_empty_block(r->arena);
    out->not_legacy = lc_schema_is_not_legacy(out->block);
    lc_schema_read_integer(r, &out->version, found[SCHEMA_VERSION]);
    if (!r->strict)
        return r->status;
    if (found[SCHEMA_IDENTITY])
        lc_schema_read_identity(out, r, &found[SCHEMA_IDENTITY]->value);
    lc_schema_read_integer(r, &out->identity_version, found[SCHEMA_IDENTITY_VERSION]);
    out->managed_without_identity = out->kind == LC_KIND_LIST && !out->has_identity;
    if (found[SCHEMA_FUNCTIONS] && out->kind != LC_KIND_PROVIDER)
        schema_error(r, found[SCHEMA_FUNCTIONS]->where,
                     "\"functions\" belong to a schema of kind provider");
    else if (found[SCHEMA_FUNCTIONS])
        lc_schema_read_functions(out, r, &found[SCHEMA_FUNCTIONS]->value);
    return r->status;
}

/* Computing a line and column from an offset of JSON text needs a walk over the text; `places`
 * keeps marks so that many attributes do not cost one walk each. */
lc_status lc_schema_from_node(const lc_schema **out, lc_arena *arena, const lc_source *source,
                              const lc_node *node, lc_schema_kind kind, lc_str type_name,
                              lc_diags *diags)
{
    lc_text_places places;
    lc_schema_reader r = {arena, source, NULL, diags, true, LC_OK};
    lc_schema *schema = LC_NEW(arena, lc_schema);
    if (source->json) {
        lc_text_places_init(&places, arena, source->file, source->text);
        r.places = &places;
    }
    schema->kind = kind;
    schema->type_name = lc_str_copy(arena, type_name);
    schema->provider = LC_STR_EMPTY;
    schema->loc = lc_node_loc(source, node);
    if (lc_schema_read(schema, &r, node) == LC_OK)
        *out = schema;
    return r.status;
}
