/* Shapes: the Terraform type of each property, by the section "Attribute Types" of the
 * documentation and by what the provider's generator accepts. A property without a Terraform type
 * is reported in the terms of the generator. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"

#include <stdlib.h>

/* The state of deriving one property. */
typedef struct builder {
    lc_cfn_reader *reader;
    lc_cfn_property *property;
    const lc_cfn_frame *frame;
    unsigned depth;
    lc_cfn_fault fault; /* the reason why there is no shape */
    lc_str why;
    uint64_t where;
    const lc_cfn_place *place;
} builder;

static const lc_cfn_shape *build_object(lc_cfn_reader *r, const lc_cfn_view *view,
                                        const lc_cfn_property *parent, const lc_cfn_frame *frame,
                                        unsigned depth);

lc_str lc_cfn_property_path(lc_cfn_reader *r, const lc_cfn_property *p)
{
    lc_str path = p->name;
    for (const lc_cfn_property *up = p->parent; up && path.len < 500; up = up->parent)
        path = lc_str_printf(r->arena, "%.*s/%.*s", LC_FMT(up->name), LC_FMT(path));
    return path;
}

/* ---- Properties without a type. */

/* Notes the first reason why there is no shape, and returns NULL for the caller to pass on. */
static const lc_cfn_shape *refuse(builder *b, lc_cfn_fault fault, const lc_cfn_view *at, lc_str why)
{
    b->fault = fault;
    b->why = why;
    b->where = at->keys[CFN_REF] ? at->keys[CFN_REF]->where : at->node->where;
    b->place = at->place;
    return NULL;
}

static const lc_cfn_shape *unsupported(builder *b, const lc_cfn_view *at, const char *what,
                                       const char *more)
{
    lc_cfn_reader *r = b->reader;
    return refuse(b, LC_CFN_FAULT_UNSUPPORTED, at,
                  lc_str_printf(r->arena, "%.*s is of unsupported type: %s%s",
                                LC_FMT(lc_cfn_property_path(r, b->property)), what, more));
}

static bool resolve(builder *b, lc_cfn_use *out, const lc_node *node, const lc_cfn_place *place)
{
    *out = lc_cfn_resolve(b->reader, node, place, b->frame);
    if (out->view)
        return true;
    refuse(b, out->fault, out->at, out->broken);
    return false;
}

/* ---- Simple types. */

static bool is_primitive(const lc_cfn_view *view)
{
    return view->type == CFN_BOOLEAN || view->type == CFN_INTEGER || view->type == CFN_NUMBER ||
           view->type == CFN_STRING;
}

/* Only the format "date-time" has an effect, because equal times may be written differently. */
static lc_cfn_form primitive_form(const lc_cfn_view *view)
{
    const lc_node *format = view->keys[CFN_FORMAT];
    if (view->type == CFN_BOOLEAN)
        return LC_CFN_BOOLEAN;
    if (view->type == CFN_INTEGER)
        return LC_CFN_INTEGER;
    if (view->type == CFN_NUMBER)
        return LC_CFN_NUMBER;
    return format && lc_str_is(format->as.text, "date-time") ? LC_CFN_DATE_TIME : LC_CFN_STRING;
}

static lc_cfn_shape *new_shape(builder *b, lc_cfn_form form)
{
    lc_cfn_shape *shape = LC_NEW(b->reader->arena, lc_cfn_shape);
    shape->form = form;
    shape->type = &lc_type_string;
    return shape;
}

/* A map or array of `element`; NULL if `element` is NULL, so that failures pass through. */
static lc_cfn_shape *collection_of(builder *b, lc_cfn_form form, const lc_cfn_shape *element)
{
    if (!element)
        return NULL;
    lc_cfn_shape *shape = new_shape(b, form);
    lc_type_kind kind = form == LC_CFN_MAP   ? LC_TYPE_MAP
                        : form == LC_CFN_SET ? LC_TYPE_SET
                                             : LC_TYPE_LIST;
    shape->element = element;
    shape->type = lc_type_collection(b->reader->arena, kind, element->type);
    return shape;
}

static const lc_cfn_shape *primitive_shape(builder *b, const lc_cfn_view *view, bool element)
{
    lc_cfn_shape *shape = new_shape(b, primitive_form(view));
    if (shape->form == LC_CFN_BOOLEAN)
        shape->type = &lc_type_bool;
    else if (shape->form == LC_CFN_INTEGER || shape->form == LC_CFN_NUMBER)
        shape->type = &lc_type_number;
    shape->checks = lc_cfn_read_checks(b->reader, view, shape->form, b->property, element);
    return shape;
}

static bool is_object(const lc_cfn_view *view)
{
    return view->type == CFN_OBJECT && view->member_count > 0;
}

static const lc_node *patterns_of(const lc_cfn_view *view)
{
    const lc_node *patterns = view->keys[CFN_PATTERN_PROPERTIES];
    return patterns && patterns->count ? patterns : NULL;
}

/* Nested properties are built recursively, up to LC_MAX_DEPTH. */
static const lc_cfn_shape *object_shape(builder *b, const lc_cfn_use *use)
{
    if (b->depth >= LC_MAX_DEPTH)
        return refuse(b, LC_CFN_FAULT_INPUT, use->view,
                      lc_str_printf(b->reader->arena, "properties are nested deeper than %d levels",
                                    LC_MAX_DEPTH));
    return build_object(b->reader, use->view, b->property, use->frame, b->depth + 1);
}

/* ---- Arrays. */

static bool flag(const lc_cfn_view *view, lc_cfn_key key, bool otherwise)
{
    return view->keys[key] ? view->keys[key]->boolean : otherwise;
}

/* uniqueItems is false and insertionOrder is true by default. Only unique items without an order
 * make a Terraform set; all others are lists. */
static lc_cfn_form aggregate(const lc_cfn_view *view)
{
    bool unique = flag(view, CFN_UNIQUE_ITEMS, false);
    bool ordered = flag(view, CFN_INSERTION_ORDER, true);
    if (unique)
        return ordered ? LC_CFN_ORDERED_SET : LC_CFN_SET;
    return ordered ? LC_CFN_LIST : LC_CFN_MULTISET;
}

static bool items_of(builder *b, lc_cfn_use *out, const lc_cfn_view *view)
{
    if (!view->keys[CFN_ITEMS]) {
        refuse(b, LC_CFN_FAULT_INPUT, view, LC_STR("an array has no \"items\""));
        return false;
    }
    const lc_cfn_place *place = lc_cfn_reader_place(b->reader, view->place, LC_STR("items"));
    return resolve(b, out, view->keys[CFN_ITEMS], place);
}

/* An array of primitive values. `container` names what holds it, for the message about other
 * elements. */
static const lc_cfn_shape *array_of_primitive(builder *b, const lc_cfn_view *view,
                                              const char *container)
{
    lc_cfn_use items;
    lc_cfn_form form = aggregate(view);
    if (!items_of(b, &items, view))
        return NULL;
    if (!is_primitive(items.view)) {
        lc_str what = lc_str_printf(b->reader->arena, "%s%s of ", container,
                                    form == LC_CFN_SET ? "set" : "list");
        return unsupported(b, items.view, lc_str_to_c(b->reader->arena, what),
                           lc_cfn_json_type_name(items.view->type));
    }
    return collection_of(b, form, primitive_shape(b, items.view, true));
}

static const lc_node *first_pattern(builder *b, const lc_cfn_view *view,
                                    const lc_cfn_place **place);

/* The generator accepts maps as elements of lists only, and only maps of primitive values. */
static const lc_cfn_shape *map_in_list(builder *b, const lc_cfn_use *items)
{
    lc_cfn_use value;
    const lc_cfn_place *place;
    const lc_node *node = first_pattern(b, items->view, &place);
    b->frame = items->frame;
    if (!resolve(b, &value, node, place))
        return NULL;
    if (!is_primitive(value.view))
        return unsupported(b, value.view, "list of key-value map of ",
                           lc_cfn_json_type_name(value.view->type));
    return collection_of(b, LC_CFN_MAP, primitive_shape(b, value.view, true));
}

/* A list of sets of primitive values. The provider derives a list of lists from it. */
static const lc_cfn_shape *array_in_list(builder *b, const lc_cfn_use *items)
{
    lc_cfn_reader *r = b->reader;
    b->frame = items->frame;
    if (aggregate(items->view) != LC_CFN_SET)
        return unsupported(b, items->view, "list of list", "");
    const lc_cfn_shape *inner = array_of_primitive(b, items->view, "list of ");
    if (!inner || r->type->profile == LC_CFN_DOCUMENT)
        return inner;
    lc_cfn_shape *list = collection_of(b, LC_CFN_LIST, inner->element);
    if (list)
        list->flattened = true;
    return list;
}

static const lc_cfn_shape *element_shape(builder *b, const lc_cfn_use *items, bool set)
{
    const lc_cfn_view *view = items->view;
    const char *of = set ? "set of " : "list of ";
    if (is_primitive(view))
        return primitive_shape(b, view, true);
    if (view->type == CFN_ARRAY)
        return set ? unsupported(b, view, "set of array", "") : array_in_list(b, items);
    if (view->type != CFN_OBJECT)
        return unsupported(b, view, of, lc_cfn_json_type_name(view->type));
    if (patterns_of(view) && view->member_count)
        return unsupported(b, view, of, "object with both properties and patternProperties");
    if (patterns_of(view))
        return set ? unsupported(b, view, "set of key-value map", "") : map_in_list(b, items);
    return is_object(view) ? object_shape(b, items) : unsupported(b, view, of, "undefined schema");
}

static const lc_cfn_shape *array_shape(builder *b, const lc_cfn_use *use)
{
    lc_cfn_use items;
    lc_cfn_form form = aggregate(use->view);
    b->frame = use->frame;
    if (!items_of(b, &items, use->view))
        return NULL;
    lc_cfn_shape *shape = collection_of(b, form, element_shape(b, &items, form == LC_CFN_SET));
    if (shape)
        shape->checks = lc_cfn_read_checks(b->reader, use->view, form, b->property, false);
    return shape;
}

/* ---- Maps. */

/* The first entry of patternProperties, in the order of the file, describes the values of a map;
 * the others are reported and ignored. The caller knows that there is one. */
static const lc_node *first_pattern(builder *b, const lc_cfn_view *view, const lc_cfn_place **place)
{
    lc_cfn_reader *r = b->reader;
    const lc_node *patterns = view->keys[CFN_PATTERN_PROPERTIES]; /* not empty */
    const lc_cfn_place *all = lc_cfn_reader_place(r, view->place, LC_STR("patternProperties"));
    for (uint32_t i = 1; i < patterns->count; i++)
        lc_cfn_report_problem(r, LC_CFN_FAULT_LEFT_OUT, false, patterns->as.members[i].where,
                              lc_cfn_reader_place(r, all, patterns->as.members[i].key),
                              "only the first pattern of a map counts");
    *place = lc_cfn_reader_place(r, all, patterns->as.members[0].key);
    return &patterns->as.members[0].value;
}

/* Maps nest two deep at most, and the inner map holds primitive values or arrays of them. */
static const lc_cfn_shape *map_in_map(builder *b, const lc_cfn_use *outer)
{
    lc_cfn_use value;
    const lc_cfn_place *place;
    const lc_node *node = first_pattern(b, outer->view, &place);
    b->frame = outer->frame;
    if (!resolve(b, &value, node, place))
        return NULL;
    b->frame = value.frame;
    if (is_primitive(value.view))
        return collection_of(b, LC_CFN_MAP, primitive_shape(b, value.view, true));
    if (value.view->type == CFN_ARRAY)
        return collection_of(
            b, LC_CFN_MAP, array_of_primitive(b, value.view, "key-value map of key-value map of "));
    return unsupported(b, value.view, "key-value map of key-value map of ",
                       lc_cfn_json_type_name(value.view->type));
}

/* For a map of sets of objects, the provider derives a map of objects: it drops the set. */
static const lc_cfn_shape *array_in_map(builder *b, const lc_cfn_use *value)
{
    lc_cfn_use items;
    bool set = aggregate(value->view) == LC_CFN_SET;
    b->frame = value->frame;
    if (set && b->reader->type->profile == LC_CFN_AWSCC && items_of(b, &items, value->view) &&
        is_object(items.view))
        return object_shape(b, &items);
    return array_of_primitive(b, value->view, "key-value map of ");
}

static const lc_cfn_shape *map_value(builder *b, const lc_cfn_use *value)
{
    const lc_cfn_view *view = value->view;
    if (is_primitive(view))
        return primitive_shape(b, view, true);
    if (view->type == CFN_ARRAY)
        return array_in_map(b, value);
    if (view->type != CFN_OBJECT)
        return unsupported(b, view, "key-value map of ", lc_cfn_json_type_name(view->type));
    if (patterns_of(view))
        return map_in_map(b, value);
    return is_object(view) ? object_shape(b, value)
                           : unsupported(b, view, "key-value map of undefined schema", "");
}

static const lc_cfn_shape *map_shape(builder *b, const lc_cfn_use *use, const lc_node *node,
                                     const lc_cfn_place *place)
{
    lc_cfn_use value;
    b->frame = use->frame;
    if (!resolve(b, &value, node, place))
        return NULL;
    return collection_of(b, LC_CFN_MAP, map_value(b, &value));
}

/* ---- Objects, maps, and objects without a schema. */

/* By what the schema has: both properties and patternProperties (refused), patternProperties (a
 * map), properties (an object), neither (a JSON document in a string). The documentation also takes
 * additionalProperties with a schema for a map; the generator does not. */
static const lc_cfn_shape *object_or_map(builder *b, const lc_cfn_use *use)
{
    lc_cfn_reader *r = b->reader;
    const lc_cfn_view *view = use->view;
    const lc_node *additional = view->keys[CFN_ADDITIONAL];
    const lc_cfn_place *place;
    if (patterns_of(view) && view->member_count)
        return refuse(b, LC_CFN_FAULT_UNSUPPORTED, view,
                      lc_str_printf(r->arena, "%.*s has both properties and patternProperties",
                                    LC_FMT(lc_cfn_property_path(r, b->property))));
    if (patterns_of(view)) {
        const lc_node *node = first_pattern(b, view, &place);
        return map_shape(b, use, node, place);
    }
    if (view->member_count)
        return object_shape(b, use);
    if (additional && additional->kind == LC_NODE_MAPPING && additional->count &&
        r->type->profile == LC_CFN_DOCUMENT) {
        place = lc_cfn_reader_place(r, view->place, LC_STR("additionalProperties"));
        lc_cfn_report_problem(r, LC_CFN_FAULT_NOTE, false, additional->where, place,
                              "additionalProperties with a schema is taken for a map");
        return map_shape(b, use, additional, place);
    }
    return new_shape(b, LC_CFN_JSON);
}

/* A schema without "type" is treated as an object. */
static const lc_cfn_shape *shape_of(builder *b, const lc_cfn_use *use)
{
    if (is_primitive(use->view))
        return primitive_shape(b, use->view, false);
    if (use->view->type == CFN_ARRAY)
        return array_shape(b, use);
    if (use->view->type == CFN_OTHER) {
        lc_str name = use->view->type_text;
        return unsupported(b, use->view, lc_str_to_c(b->reader->arena, name), "");
    }
    return object_or_map(b, use);
}

/* ---- Members. */

static void report_no_shape(lc_cfn_reader *r, lc_cfn_property *p, const builder *b)
{
    p->why_not = b->why;
    lc_cfn_report_problem(r, b->fault, true, b->where, b->place, "%.*s", LC_FMT(b->why));
}

/* A property whose attribute name was refused is still visited, so that problems below it are
 * reported; it gets no shape. */
static void build_member(lc_cfn_reader *r, lc_cfn_property *p, const lc_cfn_shape_member *member,
                         const lc_cfn_frame *frame, unsigned depth)
{
    builder b = {.reader = r, .property = p, .frame = frame, .depth = depth};
    lc_cfn_use use;
    if (!resolve(&b, &use, member->node, member->place)) {
        report_no_shape(r, p, &b);
        return;
    }
    p->description = use.description;
    p->default_node = use.default_node;
    const lc_cfn_shape *shape = shape_of(&b, &use);
    if (!shape)
        report_no_shape(r, p, &b);
    else if (p->attribute.len)
        p->shape = shape;
}

static int by_attribute(const void *a, const void *b)
{
    const lc_cfn_property *x = *(const lc_cfn_property *const *)a;
    const lc_cfn_property *y = *(const lc_cfn_property *const *)b;
    int order = lc_str_cmp(x->attribute, y->attribute);
    return order ? order : lc_str_cmp(x->name, y->name);
}

/* Two properties of an object with the same attribute name: the first one keeps the slot. */
static void drop_second(lc_cfn_reader *r, const lc_cfn_property *first, lc_cfn_property *second)
{
    second->shape = NULL;
    second->why_not =
        lc_str_printf(r->arena, "%.*s overwrites %.*s for Terraform attribute %.*s",
                      LC_FMT(second->name), LC_FMT(first->name), LC_FMT(first->attribute));
    if (r->type->profile == LC_CFN_DOCUMENT)
        lc_cfn_report_problem(r, LC_CFN_FAULT_FLAT_MAP, true, second->where, second->place, "%.*s",
                              LC_FMT(second->why_not));
}

/* Slots are the bytewise order of attribute names. The root also has `id`, which is not derived
 * from a property: its entry in by_slot is NULL. */
static void assign_slots(lc_cfn_reader *r, lc_cfn_shape *shape, bool root)
{
    lc_cfn_property **sorted = LC_NEW_ARRAY(r->arena, lc_cfn_property *, shape->member_count);
    size_t count = 0;
    for (size_t i = 0; i < shape->member_count; i++) {
        if (shape->members[i].shape)
            sorted[count++] = &shape->members[i];
    }
    if (count)
        qsort(sorted, count, sizeof *sorted, by_attribute);
    const lc_cfn_property **slots = LC_NEW_ARRAY(r->arena, const lc_cfn_property *, count + root);
    size_t used = 0;
    bool with_id = !root;
    const lc_cfn_property *last = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!with_id && lc_str_cmp(sorted[i]->attribute, LC_STR("id")) > 0) {
            slots[used++] = NULL;
            with_id = true;
        }
        if (last && lc_str_eq(last->attribute, sorted[i]->attribute)) {
            drop_second(r, last, sorted[i]);
            continue;
        }
        last = sorted[i];
        sorted[i]->slot = (uint32_t)used;
        slots[used++] = sorted[i];
    }
    if (!with_id)
        slots[used++] = NULL;
    shape->by_slot = slots;
    shape->slot_count = used;
}

/* The object type of the attributes; the entry without a property is `id`. */
static void set_object_type(lc_cfn_reader *r, lc_cfn_shape *shape)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(r->arena, lc_type_attr, shape->slot_count);
    for (size_t i = 0; i < shape->slot_count; i++) {
        const lc_cfn_property *p = shape->by_slot[i];
        attrs[i] = p ? (lc_type_attr){p->attribute, p->shape->type, false}
                     : (lc_type_attr){LC_STR("id"), &lc_type_string, false};
    }
    shape->type = lc_type_object(r->arena, attrs, shape->slot_count);
}

/* Expanding definitions can multiply the number of properties, hence the limit. The type is a
 * placeholder until assign_slots knows the attributes. */
static const lc_cfn_shape *build_object(lc_cfn_reader *r, const lc_cfn_view *view,
                                        const lc_cfn_property *parent, const lc_cfn_frame *frame,
                                        unsigned depth)
{
    lc_cfn_shape *shape = LC_NEW(r->arena, lc_cfn_shape);
    shape->form = LC_CFN_OBJECT;
    shape->type = &lc_type_empty_object;
    if (r->attributes + view->member_count > LC_MAX_CFN_ATTRIBUTES) {
        r->too_many = true;
        return shape;
    }
    r->attributes += view->member_count;
    shape->members = LC_NEW_ARRAY(r->arena, lc_cfn_property, view->member_count);
    shape->member_count = view->member_count;
    for (size_t i = 0; i < view->member_count; i++) {
        const lc_cfn_shape_member *member = &view->members[i];
        lc_cfn_property *p = &shape->members[i];
        *p = (lc_cfn_property){.name = member->name,
                               .place = member->place,
                               .where = member->where,
                               .parent = parent,
                               .attribute = LC_STR_EMPTY,
                               .description = LC_STR_EMPTY,
                               .why_not = LC_STR_EMPTY};
        p->listed_required = lc_cfn_requires(view, member->name);
        lc_cfn_give_name(r, p, member);
        build_member(r, p, member, frame, depth);
    }
    assign_slots(r, shape, parent == NULL);
    set_object_type(r, shape);
    return shape;
}

const lc_cfn_shape *lc_cfn_read_shape(lc_cfn_reader *r, const lc_cfn_view *root)
{
    return build_object(r, root, NULL, NULL, 1);
}
