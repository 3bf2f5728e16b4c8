/* Compares two versions of a schema: can the new version read the objects in existing state files?
 *
 * If both have the same version number, UpgradeResourceState gets the stored JSON and the provider
 * has no upgrader for it: the new schema must read the JSON as it is. An attribute of another type
 * makes that fail, unless its JSON is also valid for the new type. An attribute that was removed
 * does not: both cores remove it from the stored JSON before they send it
 * (stripRemovedStateAttributes, also inside nested objects), so its value is lost, and only
 * configurations that set it break. */
#include "lifecheck/schema/change.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"

/* The outline that is being made, and the arena it is in. */
typedef struct outline {
    lc_schema_shape *out;
    lc_arena *arena;
} outline;

static void add_attributes(outline *o, lc_str path, const lc_attribute *attributes, size_t count);

/* Adding a place can move the array, so callers keep the path, not the pointer, across recursion.
 */
static lc_schema_path *add_place(outline *o, lc_str parent, lc_str name)
{
    lc_schema_path *place = LC_PUSH(o->arena, &o->out->places, lc_schema_path);
    place->path = lc_str_printf(o->arena, "%.*s.%.*s", LC_FMT(parent), LC_FMT(name));
    place->type = place->form = LC_STR_EMPTY;
    return place;
}

static void add_attribute(outline *o, lc_str parent, const lc_attribute *a)
{
    lc_schema_path *place = add_place(o, parent, a->name);
    lc_str path = place->path;
    place->form = lc_type_text(o->arena, a->implied);
    place->required = a->required;
    place->optional = a->optional;
    place->computed = a->computed;
    place->sensitive = a->sensitive;
    place->write_only = a->write_only;
    place->deprecated = a->deprecated;
    if (!a->nested) {
        place->type = a->type ? lc_type_text(o->arena, a->type) : LC_STR_EMPTY;
        return;
    }
    place->nesting = a->nested->nesting;
    add_attributes(o, path, a->nested->attributes, a->nested->attribute_count);
}

static void add_attributes(outline *o, lc_str path, const lc_attribute *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_attribute(o, path, &attributes[i]);
}

static void add_block(outline *o, lc_str path, const lc_block *block)
{
    add_attributes(o, path, block->attributes, block->attribute_count);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        lc_schema_path *place = add_place(o, path, type->name);
        lc_str below = place->path;
        place->block = true;
        place->nesting = type->nesting;
        place->min_items = type->min_items;
        place->max_items = type->max_items;
        place->form = lc_type_text(o->arena, type->implied);
        add_block(o, below, type->block);
    }
}

static void add_identity_attribute(outline *o, const lc_attribute *a)
{
    lc_schema_path *place = add_place(o, LC_STR("identity"), a->name);
    place->identity = true;
    place->required = a->required;
    place->optional = !a->required;
    place->type = place->form = a->type ? lc_type_text(o->arena, a->type) : LC_STR_EMPTY;
}

void lc_schema_shape_of(lc_schema_shape *out, lc_arena *arena, const lc_schema *schema)
{
    outline o = {out, arena};
    *out = (lc_schema_shape){.version = schema->version,
                             .identity_version = schema->identity_version,
                             .has_identity = schema->has_identity,
                             .identity_known = schema->has_identity};
    add_block(&o, LC_STR_EMPTY, schema->block);
    for (size_t i = 0; i < schema->identity_count; i++)
        add_identity_attribute(&o, &schema->identity[i]);
}

static void add_parameter(outline *o, lc_str name, const lc_type *type, bool required)
{
    lc_schema_path *place = add_place(o, LC_STR_EMPTY, name);
    place->type = type ? lc_type_text(o->arena, type) : LC_STR_EMPTY;
    place->form = place->type;
    place->required = required;
    place->computed = !required;
}

void lc_schema_shape_of_function(lc_schema_shape *out, lc_arena *arena, const lc_function *function)
{
    outline o = {out, arena};
    *out = (lc_schema_shape){0};
    for (size_t i = 0; i < function->parameter_count; i++) {
        bool variadic = function->variadic && i + 1 == function->parameter_count;
        lc_str name = variadic ? LC_STR("rest") : lc_str_printf(arena, "parameter%zu", i + 1);
        add_parameter(&o, name, function->parameters[i].type, !variadic);
    }
    add_parameter(&o, LC_STR("result"), function->return_type, false);
}

/* ---- Comparing. */

LC_ENUM_NAMES(lc_change_kind, LC_CHANGE_KINDS);
LC_ENUM_NAMES(lc_upgrade_class, LC_UPGRADE_CLASSES);

typedef struct comparison {
    lc_changes *out;
    lc_arena *arena;
} comparison;

static lc_upgrade_class class_of(lc_change_kind kind)
{
    return kind == LC_CHANGE_DEPRECATED || kind == LC_CHANGE_SENSITIVE_LOST ? LC_CLASS_MENTION
           : kind == LC_CHANGE_COMPUTED_LOST                                ? LC_CLASS_SURPRISES
                                                                            : LC_CLASS_BREAKS;
}

static void add(comparison *c, lc_change_kind kind, bool stored, lc_str path, lc_str message)
{
    *LC_PUSH(c->arena, c->out, lc_change) =
        (lc_change){kind, stored, class_of(kind), path, message};
}

/* Is every JSON value of type `before` also read as type `after`? JSON has no sets, maps or lists
 * of its own: sets and lists are arrays, maps and objects are objects, and numbers and bools are
 * converted to strings. Attributes that are missing in the JSON become null, and those that `after`
 * does not have are removed before. */
static bool reads_as(const lc_type *before, const lc_type *after)
{
    bool array = before->kind == LC_TYPE_LIST || before->kind == LC_TYPE_SET;
    switch (after->kind) {
    case LC_TYPE_STRING:
        return lc_type_is_primitive(before);
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
        return array && reads_as(before->as.elem, after->as.elem);
    case LC_TYPE_MAP:
        if (before->kind == LC_TYPE_MAP)
            return reads_as(before->as.elem, after->as.elem);
        for (size_t i = 0; before->kind == LC_TYPE_OBJECT && i < before->count; i++) {
            if (!reads_as(before->as.attrs[i].type, after->as.elem))
                return false;
        }
        return before->kind == LC_TYPE_OBJECT;
    case LC_TYPE_OBJECT:
        for (size_t i = 0; i < after->count; i++) {
            const lc_type_attr *a = &after->as.attrs[i];
            long index = before->kind == LC_TYPE_OBJECT ? lc_type_attr_index(before, a->name) : -1;
            const lc_type *was = before->kind == LC_TYPE_MAP ? before->as.elem
                                 : index >= 0                ? before->as.attrs[index].type
                                                             : NULL;
            if (was && !reads_as(was, a->type))
                return false;
        }
        return before->kind == LC_TYPE_OBJECT || before->kind == LC_TYPE_MAP;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_DYNAMIC:
    case LC_TYPE_TUPLE:
        break;
    }
    return lc_type_equal(before, after);
}

/* Outlines hold types as strings because the two schemas need not exist at the same time. The
 * strings are parsed only where they differ. */
static bool form_reads_as(lc_arena *arena, lc_str before, lc_str after)
{
    const lc_type *was, *is;
    lc_str why;
    size_t at;
    if (lc_str_eq(before, after))
        return true;
    return lc_typetext_parse(&was, arena, before, &why, &at) &&
           lc_typetext_parse(&is, arena, after, &why, &at) && reads_as(was, is);
}

static const char *nesting_words(const lc_schema_path *place)
{
    return place->nesting == LC_NESTING_INVALID ? "no nesting" : lc_nesting_name(place->nesting);
}

static lc_str kind_words(lc_arena *arena, const lc_schema_path *place)
{
    if (place->block)
        return lc_str_printf(arena, "a %s block", nesting_words(place));
    if (place->nesting != LC_NESTING_INVALID)
        return lc_str_printf(arena, "a nested attribute (%s)", nesting_words(place));
    return place->type;
}

static bool is_list(lc_str type)
{
    return lc_str_starts_with(type, LC_STR("list("));
}

/* Clients convert a string wherever it is used, and a value that cannot be configured may have more
 * members. A set has no indices. */
static bool is_compatible(const lc_schema_path *before, const lc_schema_path *after)
{
    bool settable = before->required || before->optional || after->required || after->optional;
    return lc_str_is(after->type, "string") ||
           (!settable && is_list(before->type) == is_list(after->type));
}

/* What counts is the JSON of the whole value: an attribute of type list(object) and a list block
 * have the same JSON, so a change from one to the other does not break stored objects. Inside of
 * places with equal nesting, compare_places is called for each child, so only the nesting itself is
 * compared here. */
static void compare_kinds(comparison *c, const lc_schema_path *before, const lc_schema_path *after)
{
    bool nested = before->nesting != LC_NESTING_INVALID;
    lc_str message =
        lc_str_printf(c->arena, "was %.*s, is %.*s", LC_FMT(kind_words(c->arena, before)),
                      LC_FMT(kind_words(c->arena, after)));
    bool dynamic = lc_str_is(before->form, "dynamic") || lc_str_is(after->form, "dynamic");
    bool blocks = before->block || after->block; /* a dynamic block type hides the types below it */
    bool breaks = !form_reads_as(c->arena, before->form, after->form) ||
                  (dynamic && blocks && before->nesting != after->nesting);
    if (before->nesting != after->nesting)
        add(c, nested && after->nesting ? LC_CHANGE_NESTING : LC_CHANGE_TYPE, breaks, before->path,
            message);
    else if (!lc_str_eq(before->type, after->type) ||
             (dynamic && blocks && !lc_str_eq(before->form, after->form))) {
        add(c, LC_CHANGE_TYPE, breaks, before->path, message);
        if (!breaks && is_compatible(before, after))
            c->out->items[c->out->count - 1].of = LC_CLASS_MENTION;
    }
}

static void compare_marks(comparison *c, const lc_schema_path *before, const lc_schema_path *after)
{
    bool settable = before->required || before->optional;
    if (settable && !after->required && !after->optional)
        add(c, LC_CHANGE_READ_ONLY, false, before->path,
            LC_STR("could be configured, cannot: configurations that set it stop working"));
    /* SDKv2 has it so in every type, and refuses a configured one. */
    if (lc_str_is(before->path, ".id") && before->optional && before->computed &&
        !after->optional && !after->required)
        c->out->items[c->out->count - 1].of = LC_CLASS_MENTION;
    if (!before->write_only && after->write_only)
        add(c, LC_CHANGE_WRITE_ONLY, false, before->path,
            LC_STR("was stored, is write-only: objects that store it are refused"));
    if (before->write_only && !after->write_only)
        add(c, LC_CHANGE_WRITE_ONLY, false, before->path,
            LC_STR("was write-only, is stored from now on"));
    if (before->sensitive && !after->sensitive && !after->write_only)
        add(c, LC_CHANGE_SENSITIVE_LOST, false, before->path,
            LC_STR("was sensitive, is shown from now on"));
    if (!before->deprecated && after->deprecated)
        add(c, LC_CHANGE_DEPRECATED, false, before->path, LC_STR("is deprecated"));
}

static void compare_items(comparison *c, const lc_schema_path *before, const lc_schema_path *after)
{
    bool fewer =
        after->max_items > 0 && (before->max_items == 0 || after->max_items < before->max_items);
    if (before->block != after->block)
        return;
    if (after->min_items > before->min_items)
        add(c, LC_CHANGE_ITEMS, false, before->path,
            lc_str_printf(c->arena, "at least %lld were needed, %lld are",
                          (long long)before->min_items, (long long)after->min_items));
    if (fewer)
        add(c, LC_CHANGE_ITEMS, false, before->path,
            before->max_items
                ? lc_str_printf(c->arena, "at most %lld were allowed, %lld are",
                                (long long)before->max_items, (long long)after->max_items)
                : lc_str_printf(c->arena, "any number was allowed, at most %lld are",
                                (long long)after->max_items));
}

static void compare_places(comparison *c, const lc_schema_path *before, const lc_schema_path *after)
{
    compare_kinds(c, before, after);
    compare_items(c, before, after);
    if (before->block || after->block)
        return;
    compare_marks(c, before, after);
    if (!before->required && after->required)
        add(c, LC_CHANGE_REQUIRED, false, before->path,
            LC_STR("was optional, is required: configurations without it stop working"));
    else if (before->computed && !after->computed)
        add(c, LC_CHANGE_COMPUTED_LOST, false, before->path,
            LC_STR("was computed, is not: plans remove the provider's value"));
}

/* A version that is raised has an upgrader for what is stored; import blocks have none. */
static void compare_identity(comparison *c, const lc_schema_path *before,
                             const lc_schema_path *after, bool upgraded)
{
    if (!lc_str_eq(before->type, after->type))
        add(c, LC_CHANGE_TYPE, !upgraded, before->path,
            lc_str_printf(c->arena, "was %.*s, is %.*s", LC_FMT(before->type),
                          LC_FMT(after->type)));
    if (!before->required && after->required)
        add(c, LC_CHANGE_REQUIRED, false, before->path,
            LC_STR("is required for import: import blocks without it stop working"));
}

/* Is `path` inside the place `parent`? Children of a removed place are not reported again. */
static bool is_below(lc_str path, lc_str parent)
{
    return parent.len && path.len > parent.len && path.ptr[parent.len] == '.' &&
           lc_str_starts_with(path, parent);
}

/* What is new and required, unless it is inside of something new that is not. */
static void add_required(comparison *c, const lc_schema_shape *before, const lc_schema_shape *after)
{
    lc_table places;
    lc_str new = LC_STR_EMPTY;
    lc_table_init(&places, c->arena);
    for (size_t i = 0; i < before->places.count; i++)
        lc_table_put(&places, before->places.items[i].path, &before->places.items[i]);
    for (size_t i = 0; i < after->places.count; i++) {
        const lc_schema_path *place = &after->places.items[i];
        if (lc_table_get(&places, place->path) || is_below(place->path, new) ||
            (place->identity && !before->has_identity))
            continue; /* an identity that is new was not asked for before */
        new = place->path;
        if (place->required || place->min_items > 0)
            add(c, LC_CHANGE_REQUIRED_ADDED, false, place->path,
                lc_str_printf(c->arena, "is new and required: configurations without it stop "
                                        "working"));
    }
}

static bool is_same_place(const lc_schema_path *a, const lc_schema_path *b)
{
    return lc_str_eq(a->path, b->path) && a->block == b->block && a->nesting == b->nesting &&
           lc_str_eq(a->type, b->type) && a->required == b->required &&
           a->optional == b->optional && a->computed == b->computed &&
           a->sensitive == b->sensitive && a->write_only == b->write_only &&
           a->deprecated == b->deprecated && a->min_items == b->min_items &&
           a->max_items == b->max_items;
}

bool lc_schema_shape_equal(const lc_schema_shape *a, const lc_schema_shape *b)
{
    bool same = a->version == b->version && a->identity_version == b->identity_version &&
                a->has_identity == b->has_identity && a->places.count == b->places.count;
    for (size_t i = 0; same && i < a->places.count; i++)
        same = is_same_place(&a->places.items[i], &b->places.items[i]);
    return same;
}

void lc_schema_shape_compare(lc_changes *out, lc_arena *arena, const lc_schema_shape *before,
                             const lc_schema_shape *after)
{
    comparison c = {out, arena};
    lc_table places;
    lc_str gone = LC_STR_EMPTY;
    if (after->version < before->version)
        add(&c, LC_CHANGE_VERSION_BACK, true, LC_STR("."),
            lc_str_printf(arena, "the schema version was %lld, is %lld", (long long)before->version,
                          (long long)after->version));
    bool upgraded = after->identity_version > before->identity_version;
    if (before->has_identity && after->has_identity &&
        after->identity_version < before->identity_version)
        add(&c, LC_CHANGE_VERSION_BACK, true, LC_STR("identity"),
            lc_str_printf(arena, "the version of the identity was %lld, is %lld",
                          (long long)before->identity_version, (long long)after->identity_version));
    lc_table_init(&places, arena);
    for (size_t i = 0; i < after->places.count; i++)
        lc_table_put(&places, after->places.items[i].path, &after->places.items[i]);
    for (size_t i = 0; i < before->places.count; i++) {
        const lc_schema_path *place = &before->places.items[i];
        const lc_schema_path *now = lc_table_get(&places, place->path);
        if (place->identity && !after->identity_known)
            continue;
        if (now && place->identity) {
            compare_identity(&c, place, now, upgraded);
        } else if (now) {
            compare_places(&c, place, now);
        } else if (!is_below(place->path, gone)) {
            gone = place->path;
            add(&c, LC_CHANGE_REMOVED, false, place->path,
                lc_str_printf(arena, "was %.*s, is gone", LC_FMT(kind_words(arena, place))));
            if (place->identity && upgraded)
                out->items[out->count - 1].of = LC_CLASS_MENTION;
        }
    }
    add_required(&c, before, after);
}
