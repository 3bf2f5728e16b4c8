/* Validates a schema. Mirrors InternalValidate of configschema in both cores, message by message,
 * and the version checks at loading; validate_convention.c adds what no core checks.
 *
 * Each problem has the text of each core, so that one walk serves both. The cores differ: OpenTofu
 * does not check write-only attributes in sets, computed blocks and deprecation messages, and has
 * no list resources and actions. Neither core validates the schema of a provider's configuration.
 * In messages, attributes of nested types appear without their parents: only blocks make a prefix.
 */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/table.h"
#include "schema/internal.h"

/* Sets of cores, as bits. */
enum { OPENTOFU = 1, TERRAFORM = 2, BOTH = 3 };

/* Memory limit for the problems of one schema: each has its whole path and prefix, so they can be
 * much larger than the schema. Further problems are dropped. */
#define MOST_BYTES ((size_t)64 << 20)

/* The block whose contents are being checked. */
typedef struct place {
    const lc_trail *at; /* NULL at the root */
    lc_loc loc;
    bool computed;   /* the block is a computed one */
    bool within_set; /* the cores compute its implied type, as a part of a set's */
} place;

lc_schema_problem *lc_schema_report_problem(lc_schema_checker *c, lc_schema_fault fault,
                                            const lc_trail *at, lc_loc loc, const char *message)
{
    lc_schema_problem *problem = &c->spare;
    if (c->bytes < MOST_BYTES) {
        problem = LC_PUSH(c->arena, c->out, lc_schema_problem);
        problem->path = lc_path_from_trail(c->arena, at);
        c->bytes += sizeof *problem + problem->path.count * sizeof *problem->path.steps;
    }
    problem->fault = fault;
    problem->loc = loc;
    problem->opentofu = problem->terraform = LC_STR_EMPTY;
    problem->message = lc_str_from_c(message);
    return problem;
}

static bool is_unknown_to_opentofu(const lc_schema *schema)
{
    return schema->kind == LC_KIND_LIST || schema->kind == LC_KIND_ACTION ||
           schema->kind == LC_KIND_STORE;
}

/* The cores that call InternalValidate for this kind of schema. */
static unsigned checking_cores(const lc_schema *schema)
{
    if (schema->kind == LC_KIND_PROVIDER)
        return 0;
    return is_unknown_to_opentofu(schema) ? TERRAFORM : BOTH;
}

static void set_core_text(lc_schema_checker *c, lc_schema_problem *problem, unsigned cores,
                          lc_str text)
{
    cores &= checking_cores(c->schema);
    if (cores & OPENTOFU)
        problem->opentofu = text;
    if (cores & TERRAFORM)
        problem->terraform = text;
}

/* The names of the enclosing blocks, as prefixes of messages have them. Recursion is as deep as the
 * schema, at most LC_MAX_DEPTH. */
static void add_prefix(lc_buf *buf, const lc_trail *block)
{
    if (!block)
        return;
    add_prefix(buf, block->up);
    lc_buf_add_str(buf, block->step.name);
    lc_buf_add_char(buf, '.');
}

/* The text that a core prints about `name` in a block. Empty above the memory limit. */
static lc_str message_about(lc_schema_checker *c, const lc_trail *block, lc_str name,
                            const char *text)
{
    lc_buf buf = {0};
    if (c->bytes >= MOST_BYTES)
        return LC_STR_EMPTY;
    add_prefix(&buf, block);
    lc_buf_add_str(&buf, name);
    lc_buf_add_c(&buf, ": ");
    lc_buf_add_c(&buf, text);
    lc_str out = lc_buf_take(c->arena, &buf);
    c->bytes += out.len;
    return out;
}

/* ---- Attributes: Attribute.internalValidate. */

typedef struct attribute_place {
    const place *in;
    const lc_attribute *attribute;
    const lc_trail *at;
    const lc_attribute *parent; /* NULL: directly in a block */
    bool within_set;            /* inside a set, nested or of blocks */
    bool within_computed;       /* inside a computed nested attribute */
} attribute_place;

static lc_schema_problem *attribute_problem(lc_schema_checker *c, const attribute_place *p,
                                            lc_schema_fault fault, const char *message,
                                            unsigned cores, const char *text)
{
    lc_schema_problem *problem =
        lc_schema_report_problem(c, fault, p->at, p->attribute->loc, message);
    set_core_text(c, problem, cores, message_about(c, p->in->at, p->attribute->name, text));
    return problem;
}

static void check_flags(lc_schema_checker *c, const attribute_place *p)
{
    const lc_attribute *a = p->attribute;
    if (a->has_deprecation_message && !a->deprecated)
        attribute_problem(c, p, LC_FAULT_DEPRECATION_MESSAGE,
                          "a deprecation message on an attribute that is not deprecated", TERRAFORM,
                          "DeprecationMessage must not be set when Deprecated is false");
    if (!a->required && !a->optional && !a->computed)
        attribute_problem(c, p, LC_FAULT_ATTR_NO_FLAG,
                          "an attribute that is neither required, optional nor computed", BOTH,
                          "must set Optional, Required or Computed");
    if (a->optional && a->required)
        attribute_problem(c, p, LC_FAULT_ATTR_OPTIONAL_REQUIRED,
                          "an attribute that is both optional and required", BOTH,
                          "cannot set both Optional and Required");
    if (a->computed && a->required)
        attribute_problem(c, p, LC_FAULT_ATTR_COMPUTED_REQUIRED,
                          "an attribute that is both computed and required", BOTH,
                          "cannot set both Computed and Required");
}

/* For faults that make the cores panic before they can report them. */
static void set_crash(lc_schema_checker *c, lc_schema_problem *problem)
{
    unsigned cores = checking_cores(c->schema);
    problem->opentofu_crash = (cores & OPENTOFU) != 0;
    problem->terraform_crash = (cores & TERRAFORM) != 0;
}

/* Both cores panic when they convert the schema response, for schemas of every kind. */
static void bad_type(lc_schema_checker *c, const attribute_place *p)
{
    lc_schema_problem *problem =
        lc_schema_report_problem(c, LC_FAULT_ATTR_TYPE_JSON, p->at, p->attribute->loc,
                                 "an attribute whose type is not a valid type");
    problem->opentofu_crash = problem->terraform_crash = true;
}

/* `first` is the index of the first problem of this attribute. Inside a set, the cores compute the
 * implied type before they report what is wrong with it, and panic then. */
static void check_types(lc_schema_checker *c, const attribute_place *p, size_t first)
{
    const lc_attribute *a = p->attribute;
    bool has_type = a->type || a->type_invalid;
    if (a->type_invalid)
        bad_type(c, p);
    if (!has_type && !a->nested) {
        lc_schema_problem *problem = attribute_problem(
            c, p, LC_FAULT_ATTR_NO_TYPE, "an attribute without a type and without a nested type",
            BOTH, "either Type or NestedType must be defined");
        if (p->within_set)
            set_crash(c, problem);
    }
    if (!has_type || !a->nested)
        return;
    /* Terraform's code assigns a new list of errors here instead of appending, so the earlier ones
     * are lost; and neither core prints the prefix of the block. */
    for (size_t i = first; i < c->out->count; i++)
        c->out->items[i].terraform = LC_STR_EMPTY;
    lc_schema_problem *problem =
        lc_schema_report_problem(c, LC_FAULT_ATTR_TWO_TYPES, p->at, a->loc,
                                 "an attribute with both a type and a nested type");
    set_core_text(c, problem, BOTH,
                  message_about(c, NULL, a->name, "Type and NestedType cannot both be set"));
    if (p->within_set && !p->parent)
        set_crash(c, problem);
}

/* Does the implied type of a nested type have a dynamic attribute? In OpenTofu, the implied type of
 * a nested type in mode group is an empty object, so it has none. */
static bool nested_has_dynamic(const lc_nested_type *nested, unsigned core)
{
    if (!nested->object->has_dynamic || nested->nesting == LC_NESTING_INVALID ||
        (core == OPENTOFU && nested->nesting == LC_NESTING_GROUP))
        return false;
    for (size_t i = 0; i < nested->attribute_count; i++) {
        const lc_attribute *a = &nested->attributes[i];
        if (a->nested ? nested_has_dynamic(a->nested, core) : a->type && a->type->has_dynamic)
            return true;
    }
    return false;
}

/* implied->has_dynamic is a quick "no" only: it is also true for an attribute without a usable
 * type, which is another fault. */
static bool block_has_dynamic(const lc_block *block, unsigned core)
{
    if (!block->implied->has_dynamic)
        return false;
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        if (a->nested ? nested_has_dynamic(a->nested, core) : a->type && a->type->has_dynamic)
            return true;
    }
    for (size_t i = 0; i < block->block_count; i++) {
        if (block_has_dynamic(block->blocks[i].block, core))
            return true;
    }
    return false;
}

/* The fault is the same in both cores, the words are not: OpenTofu says "blocks" for nested
 * attributes too. */
static void check_nested_set(lc_schema_checker *c, const attribute_place *p)
{
    const lc_nested_type *nested = p->attribute->nested;
    unsigned cores = (nested_has_dynamic(nested, OPENTOFU) ? OPENTOFU : 0u) |
                     (nested_has_dynamic(nested, TERRAFORM) ? TERRAFORM : 0u);
    if (cores) {
        lc_schema_problem *problem =
            lc_schema_report_problem(c, LC_FAULT_SET_DYNAMIC, p->at, p->attribute->loc,
                                     "a set of nested objects that holds a dynamic attribute");
        lc_str name = p->attribute->name;
        set_core_text(
            c, problem, cores & OPENTOFU,
            message_about(c, p->in->at, name,
                          "NestingSet blocks may not contain attributes of cty.DynamicPseudoType"));
        set_core_text(
            c, problem, cores & TERRAFORM,
            message_about(
                c, p->in->at, name,
                "NestingSet attributes may not contain attributes of cty.DynamicPseudoType"));
    }
    if (nested->any_write_only)
        attribute_problem(c, p, LC_FAULT_SET_WRITEONLY,
                          "a set of nested objects that holds a write-only attribute", TERRAFORM,
                          "NestingSet attributes may not contain WriteOnly attributes");
}

static void check_attribute(lc_schema_checker *c, const attribute_place *p);

static void check_nested(lc_schema_checker *c, const attribute_place *p)
{
    const lc_nested_type *nested = p->attribute->nested;
    bool within_set = p->within_set || nested->nesting == LC_NESTING_SET;
    bool computed = p->within_computed || p->attribute->computed;
    switch (nested->nesting) {
    case LC_NESTING_INVALID:
        attribute_problem(c, p, LC_FAULT_NESTING_INVALID,
                          "a nested attribute whose nesting mode is none", BOTH,
                          "invalid nesting mode nestingModeInvalid");
        within_set = false;
        break;
    case LC_NESTING_GROUP:
        attribute_problem(c, p, LC_FAULT_NESTING_INVALID,
                          "a nested attribute with the nesting mode group", OPENTOFU,
                          "invalid nesting mode NestingGroup");
        break;
    case LC_NESTING_SET:
        check_nested_set(c, p);
        break;
    case LC_NESTING_SINGLE:
    case LC_NESTING_LIST:
    case LC_NESTING_MAP:
        break;
    }
    for (size_t i = 0; i < nested->attribute_count; i++) {
        const lc_attribute *child = &nested->attributes[i];
        lc_trail trail = lc_trail_attr(p->at, child->name);
        attribute_place below = {p->in, child, &trail, p->attribute, within_set, computed};
        check_attribute(c, &below);
    }
}

static void check_attribute(lc_schema_checker *c, const attribute_place *p)
{
    size_t first = c->out->count;
    check_flags(c, p);
    check_types(c, p, first);
    lc_schema_check_attribute(c, p->attribute, p->at, p->parent, p->within_computed);
    if (p->attribute->nested)
        check_nested(c, p);
}

static void check_block_attribute(lc_schema_checker *c, const place *in, const lc_attribute *a)
{
    lc_trail trail = lc_trail_attr(in->at, a->name);
    attribute_place p = {in, a, &trail, NULL, in->within_set, false};
    check_attribute(c, &p);
    if (in->computed && !a->computed)
        attribute_problem(c, &p, LC_FAULT_COMPUTED_BLOCK_CHILDREN,
                          "an attribute of a Computed block that is not Computed", TERRAFORM,
                          "all attributes within computed blocks must also be computed");
}

/* ---- Blocks: Block.internalValidate. */

typedef struct block_place {
    const place *in;
    const lc_block_type *type;
    const lc_trail *at;
} block_place;

static lc_schema_problem *block_problem(lc_schema_checker *c, const block_place *p,
                                        lc_schema_fault fault, const char *message, unsigned cores,
                                        const char *text)
{
    lc_schema_problem *problem = lc_schema_report_problem(c, fault, p->at, p->type->loc, message);
    set_core_text(c, problem, cores, message_about(c, p->in->at, p->type->name, text));
    return problem;
}

bool lc_schema_is_plain_name(lc_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char x = name.ptr[i];
        if (!lc_is_lower(x) && !lc_is_digit(x) && x != '_')
            return false;
    }
    return name.len > 0;
}

static void check_block_name(lc_schema_checker *c, const block_place *p, bool collides)
{
    if (collides)
        block_problem(c, p, LC_FAULT_BLOCK_NAME_COLLISION,
                      "a name that is both an attribute and a block", BOTH,
                      "name defined as both attribute and child block type");
    else if (!lc_schema_is_plain_name(p->type->name))
        block_problem(c, p, LC_FAULT_BLOCK_NAME,
                      "a block name of other than lowercase letters, digits and underscores", BOTH,
                      "name may contain only lowercase letters, digits and underscores");
}

/* min_items equals max_items for a single block: (0, 0) is optional, (1, 1) is required. */
static void check_single_items(lc_schema_checker *c, const block_place *p)
{
    int64_t min = p->type->min_items;
    if (min != p->type->max_items)
        block_problem(c, p, LC_FAULT_SINGLE_ITEMS, "a single block with different item limits",
                      BOTH, "MinItems and MaxItems must match in NestingSingle mode");
    else if (min < 0 || min > 1)
        block_problem(c, p, LC_FAULT_SINGLE_ITEMS,
                      "a single block with item limits other than 0 and 1", BOTH,
                      "MinItems and MaxItems must be set to either 0 or 1 in NestingSingle mode");
}

static void check_many_items(lc_schema_checker *c, const block_place *p)
{
    const lc_block_type *type = p->type;
    bool set = type->nesting == LC_NESTING_SET;
    if (type->min_items > type->max_items && type->max_items != 0)
        block_problem(c, p, LC_FAULT_LIST_SET_ITEMS, "min_items is greater than max_items", BOTH,
                      set ? "MinItems must be less than or equal to MaxItems in NestingSet mode"
                          : "MinItems must be less than or equal to MaxItems in NestingList mode");
}

static void check_computed_items(lc_schema_checker *c, const block_place *p)
{
    if (p->type->computed && p->type->min_items > 0)
        block_problem(c, p, LC_FAULT_COMPUTED_BLOCK_MIN, "a Computed block with min_items",
                      TERRAFORM, "Computed cannot be used when MinItems > 0");
}

static void check_block_set(lc_schema_checker *c, const block_place *p)
{
    const lc_block *block = p->type->block;
    unsigned cores = (block_has_dynamic(block, OPENTOFU) ? OPENTOFU : 0u) |
                     (block_has_dynamic(block, TERRAFORM) ? TERRAFORM : 0u);
    if (cores)
        block_problem(c, p, LC_FAULT_SET_DYNAMIC, "a set of blocks that holds a dynamic attribute",
                      cores,
                      "NestingSet blocks may not contain attributes of cty.DynamicPseudoType");
    if (block->any_write_only)
        block_problem(c, p, LC_FAULT_SET_WRITEONLY,
                      "a set of blocks that holds a write-only attribute", TERRAFORM,
                      "NestingSet blocks may not contain WriteOnly attributes");
}

/* A group block always exists, so limits and computed have no meaning for it. */
static void check_group(lc_schema_checker *c, const block_place *p, bool limited)
{
    if (limited)
        block_problem(c, p, LC_FAULT_GROUP_ITEMS, "a group block with item limits", BOTH,
                      "MinItems and MaxItems cannot be used in NestingGroup mode");
    if (p->type->computed)
        block_problem(c, p, LC_FAULT_COMPUTED_BLOCK_GROUP, "a computed group block", TERRAFORM,
                      "NestingGroup blocks cannot be computed");
}

static void check_nesting(lc_schema_checker *c, const block_place *p)
{
    bool limited = p->type->min_items != 0 || p->type->max_items != 0;
    switch (p->type->nesting) {
    case LC_NESTING_SINGLE:
        check_single_items(c, p);
        return;
    case LC_NESTING_GROUP:
        check_group(c, p, limited);
        return;
    case LC_NESTING_LIST:
        check_many_items(c, p);
        check_computed_items(c, p);
        return;
    case LC_NESTING_SET:
        check_many_items(c, p);
        check_computed_items(c, p);
        check_block_set(c, p);
        return;
    case LC_NESTING_MAP:
        if (limited)
            block_problem(c, p, LC_FAULT_MAP_ITEMS, "a map block with item limits", BOTH,
                          "MinItems and MaxItems must both be 0 in NestingMap mode");
        check_computed_items(c, p);
        return;
    case LC_NESTING_INVALID:
        block_problem(c, p, LC_FAULT_NESTING_INVALID, "a block whose nesting mode is none", BOTH,
                      "invalid nesting mode nestingModeInvalid");
        return;
    }
}

static void check_block(lc_schema_checker *c, const lc_block *block, const place *in);

static void check_block_type(lc_schema_checker *c, const lc_block *parent, const place *in,
                             const lc_block_type *type)
{
    lc_trail trail = lc_trail_attr(in->at, type->name);
    block_place p = {in, type, &trail};
    bool collides = lc_block_attribute(parent, type->name) != NULL;
    check_block_name(c, &p, collides);
    if (type->min_items < 0 || type->max_items < 0)
        block_problem(c, &p, LC_FAULT_ITEMS_NEGATIVE, "a negative item limit", BOTH,
                      "MinItems and MaxItems must both be greater than zero");
    if (in->computed && !type->computed)
        block_problem(c, &p, LC_FAULT_COMPUTED_BLOCK_CHILDREN,
                      "a block within a Computed block that is not Computed", TERRAFORM,
                      "all nested blocks within computed blocks must also be computed");
    check_nesting(c, &p);
    bool in_type = !collides && type->nesting != LC_NESTING_INVALID;
    place inside = {
        .at = &trail,
        .loc = type->loc,
        .computed = type->computed,
        .within_set = type->nesting == LC_NESTING_SET || (in->within_set && in_type),
    };
    check_block(c, type->block, &inside);
}

static void check_deprecation(lc_schema_checker *c, const lc_block *block, const place *in)
{
    if (!block->has_deprecation_message || block->deprecated)
        return;
    lc_schema_problem *problem =
        lc_schema_report_problem(c, LC_FAULT_DEPRECATION_MESSAGE, in->at, in->loc,
                                 "a deprecation message on a block that is not deprecated");
    const lc_trail *parent = in->at ? in->at->up : NULL;
    lc_str name = in->at ? in->at->step.name : LC_STR("top-level block");
    set_core_text(c, problem, TERRAFORM,
                  message_about(c, parent, name,
                                "DeprecationMessage must not be set when Deprecated is false"));
}

/* Merges usable and unusable block types, which are both sorted, so that problems come in order of
 * names. *i and *k count those that were visited; NULL at the end. */
static const lc_block_type *next_type(const lc_block *block, size_t *i, size_t *k)
{
    if (*i == block->block_count && *k == block->unusable_count)
        return NULL;
    if (*k == block->unusable_count)
        return &block->blocks[(*i)++];
    if (*i == block->block_count ||
        lc_str_cmp(block->unusable[*k].name, block->blocks[*i].name) < 0)
        return &block->unusable[(*k)++];
    return &block->blocks[(*i)++];
}

static void check_block(lc_schema_checker *c, const lc_block *block, const place *in)
{
    size_t usable = 0, unusable = 0;
    const lc_block_type *type;
    check_deprecation(c, block, in);
    lc_schema_check_duplicates(c, block, in->at, in->loc);
    for (size_t i = 0; i < block->attribute_count; i++)
        check_block_attribute(c, in, &block->attributes[i]);
    while ((type = next_type(block, &usable, &unusable)))
        check_block_type(c, block, in, type);
}

/* ---- The whole schema. */

static void check_identity_type_missing(lc_schema_checker *c, const attribute_place *p)
{
    if (p->attribute->type_invalid)
        bad_type(c, p);
    else
        attribute_problem(c, p, LC_FAULT_ATTR_NO_TYPE, "an identity attribute without a type",
                          TERRAFORM, "either Type or NestedType must be defined");
}

/* Terraform's checks of an identity schema at loading; OpenTofu has none of them. */
static void check_identity_attribute(lc_schema_checker *c, const lc_attribute *a)
{
    lc_trail trail = lc_trail_attr(NULL, a->name);
    place in = {.at = NULL};
    attribute_place p = {&in, a, &trail, NULL, false, false};
    if (a->required == a->optional)
        attribute_problem(c, &p, LC_FAULT_IDENTITY_FLAGS,
                          a->required ? "an identity attribute that is both required and optional"
                                        " for import"
                                      : "an identity attribute that is neither required nor"
                                        " optional for import",
                          TERRAFORM,
                          a->required ? "cannot set both Optional and Required"
                                      : "must set Optional, Required or Computed");
    if (!a->type) {
        check_identity_type_missing(c, &p);
        return;
    }
    const char *kind = a->type->kind == LC_TYPE_MAP      ? "map"
                       : a->type->kind == LC_TYPE_SET    ? "set"
                       : a->type->kind == LC_TYPE_OBJECT ? "object"
                                                         : NULL;
    if (!kind)
        return;
    lc_schema_problem *problem =
        lc_schema_report_problem(c, LC_FAULT_IDENTITY_TYPE, &trail, a->loc,
                                 "an identity attribute that is neither a primitive nor a list");
    set_core_text(c, problem, TERRAFORM,
                  lc_str_printf(c->arena, "%.*s is a %s, which is not allowed in identity schemas",
                                LC_FMT(a->name), kind));
}

/* Terraform has no version check for ephemeral resources, OpenTofu none for kinds that it does not
 * have. */
static void check_versions(lc_schema_checker *c)
{
    const lc_schema *schema = c->schema;
    lc_str text = LC_STR("invalid negative schema version");
    if (schema->version < 0) {
        lc_schema_problem *problem = lc_schema_report_problem(
            c, LC_FAULT_NEGATIVE_VERSION, NULL, schema->loc, "a negative schema version");
        /* The version of a provider's configuration is checked, unlike its contents. */
        problem->opentofu = is_unknown_to_opentofu(schema) ? LC_STR_EMPTY : text;
        problem->terraform = schema->kind == LC_KIND_EPHEMERAL ? LC_STR_EMPTY : text;
    }
    if (schema->identity_version < 0) {
        lc_schema_problem *problem = lc_schema_report_problem(
            c, LC_FAULT_NEGATIVE_VERSION, NULL, schema->loc, "a negative identity schema version");
        problem->terraform = text;
    }
}

/* A list resource returns identities of its managed resource type, so that type needs an identity
 * schema. The managed type has the same name. */
static void check_list(lc_schema_checker *c)
{
    if (!c->schema->managed_without_identity)
        return;
    lc_schema_problem *problem =
        lc_schema_report_problem(c, LC_FAULT_LIST_IDENTITY, NULL, c->schema->loc,
                                 "a list resource whose managed type has no identity schema");
    problem->terraform = lc_str_printf(c->arena, "Identity schema not found for resource type %.*s",
                                       LC_FMT(c->schema->type_name));
}

void lc_schema_validate(lc_schema_problems *out, lc_arena *arena, const lc_schema *schema)
{
    lc_schema_checker c = {.arena = arena, .out = out, .schema = schema};
    if (schema->provider_missing) {
        lc_schema_problem *problem =
            lc_schema_report_problem(&c, LC_FAULT_PROVIDER_MISSING, NULL, schema->loc,
                                     "the document has no schema of the provider itself");
        problem->opentofu = problem->terraform = LC_STR("missing provider schema");
    }
    check_versions(&c);
    lc_schema_check_root_names(&c);
    check_block(&c, schema->block, &(place){.loc = schema->loc});
    for (size_t i = 0; i < schema->identity_count; i++)
        check_identity_attribute(&c, &schema->identity[i]);
    check_list(&c);
    lc_schema_check_functions(&c);
}
