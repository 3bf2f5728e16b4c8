/* Which places of a case are secret. Flags are looked up along the schema while a path is walked;
 * explicit marks are a small tree of steps. */
#include "contract/sensitivity.h"

#include "contract/known_secrets.h"
#include "contract/walk/walk.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/cloudformation/cloudformation.h"

struct lc_sensitivity {
    const lc_schema *schema;
    lc_path_node *marks; /* nodes with an item are marked; NULL: no marks */
    const lc_known_secrets *known;
};

/* A mark below a set marks the whole set, because its elements have no names that distinguish them.
 */
static void add_mark(lc_arena *arena, lc_path_node *root, lc_path path)
{
    size_t count = 0;
    while (count < path.count && path.steps[count].kind != LC_STEP_ELEMENT)
        count++;
    lc_path_node *node = lc_path_node_at(arena, root, (lc_path){path.steps, count});
    node->item = node;
}

/* Does the property, or a member at any depth, hold what CloudFormation calls write-only? */
static bool holds_write_only(const lc_cfn_property *p)
{
    const lc_cfn_shape *shape = p->shape;
    while (shape && shape->element)
        shape = shape->element;
    bool found = p->secret;
    for (size_t i = 0; shape && !found && i < shape->member_count; i++)
        found = holds_write_only(&shape->members[i]);
    return found;
}

/* The schema that a provider serves has no flag for what its CloudFormation type calls write-only,
 * so the attributes with such properties get marks. */
static void mark_write_only(lc_arena *arena, lc_sensitivity *sensitivity, const lc_cfn_type *type)
{
    for (size_t i = 0; i < type->root->member_count; i++) {
        const lc_cfn_property *p = &type->root->members[i];
        if (!p->attribute.len || !holds_write_only(p))
            continue;
        lc_step *step = LC_NEW(arena, lc_step);
        *step = (lc_step){LC_STEP_ATTR, p->attribute, 0, NULL};
        if (!sensitivity->marks)
            sensitivity->marks = LC_NEW(arena, lc_path_node);
        add_mark(arena, sensitivity->marks, (lc_path){step, 1});
    }
}

const lc_sensitivity *lc_sensitivity_new(lc_arena *arena, const lc_schema *schema,
                                         const lc_path *paths, size_t count)
{
    lc_sensitivity *sensitivity = LC_NEW(arena, lc_sensitivity);
    sensitivity->schema = schema;
    if (count)
        sensitivity->marks = LC_NEW(arena, lc_path_node);
    for (size_t i = 0; i < count; i++)
        add_mark(arena, sensitivity->marks, paths[i]);
    if (schema && schema->captured && schema->cloudformation && schema->cloudformation->root)
        mark_write_only(arena, sensitivity, schema->cloudformation);
    return sensitivity;
}

lc_sensitivity_mark lc_sensitivity_root(const lc_sensitivity *sensitivity)
{
    lc_sensitivity_mark place = {0};
    if (!sensitivity)
        return place;
    place.block = sensitivity->schema ? sensitivity->schema->block : NULL;
    place.marks = sensitivity->marks;
    place.known = sensitivity->known;
    place.secret = sensitivity->marks && sensitivity->marks->item;
    return place;
}

/* An attribute step leads down the schema. Indices, keys and elements stay with the schema of the
 * element. */
static void step_schema(lc_sensitivity_mark *place, lc_str name)
{
    const lc_attribute *a = NULL;
    const lc_block_type *b = NULL;
    if (place->block) {
        a = lc_block_attribute(place->block, name);
        b = a ? NULL : lc_block_block(place->block, name);
    } else if (place->nested) {
        a = lc_nested_attribute(place->nested, name);
    }
    /* A name that the schema does not have, next to a sensitive attribute, may be a copy of it
     * under another name. */
    place->secret |= !a && !b && (place->block || place->nested) && lc_sensitivity_touched(*place);
    place->block = b ? b->block : NULL;
    place->nested = a ? a->nested : NULL;
    place->keyed = b && b->nesting == LC_NESTING_MAP;
    if (a && (a->sensitive || a->write_only || a->secret))
        place->secret = true;
    if (a && !a->nested)
        place->loose = a->implied->has_dynamic;
}

lc_sensitivity_mark lc_sensitivity_step(lc_sensitivity_mark place, const lc_step *step)
{
    bool keyed = place.keyed;
    lc_step key = {LC_STEP_KEY, step->name, 0, NULL};
    place.keyed = false;
    if (step->kind == LC_STEP_ATTR && !keyed)
        step_schema(&place, step->name);
    if (place.marks) {
        const lc_path_node *marks = place.marks;
        place.marks = lc_path_node_child(marks, step);
        if (!place.marks && keyed && step->kind == LC_STEP_ATTR)
            place.marks = lc_path_node_child(marks, &key);
        if (place.marks && place.marks->item)
            place.secret = true;
    }
    return place;
}

lc_sensitivity_mark lc_sensitivity_at(const lc_sensitivity *sensitivity, lc_path path)
{
    lc_sensitivity_mark place = lc_sensitivity_root(sensitivity);
    for (size_t i = 0; i < path.count; i++)
        place = lc_sensitivity_step(place, &path.steps[i]);
    return place;
}

bool lc_sensitivity_touched(lc_sensitivity_mark place)
{
    return place.secret || place.marks ||
           (place.block && (place.block->any_sensitive || place.block->any_write_only ||
                            place.block->any_secret)) ||
           (place.nested && (place.nested->any_sensitive || place.nested->any_write_only ||
                             place.nested->any_secret));
}

static bool schema_has_secrets(const lc_schema *schema)
{
    return !schema || schema->cloudformation || schema->block->any_sensitive ||
           schema->block->any_write_only || schema->block->any_secret;
}

bool lc_case_may_hold_secrets(const lc_case *subject)
{
    bool any = subject->sensitive.count > 0 || subject->planning;
    for (size_t i = 0; i < subject->runs.count && !any; i++)
        any = schema_has_secrets(subject->runs.items[i].schema);
    return any;
}

/* ---- Strings of sensitive values, which are secret wherever they appear. */

static void find_secrets(lc_known_secrets *found, lc_sensitivity_mark place, const lc_value *v)
{
    if (!lc_is_known(v) || !lc_sensitivity_touched(place))
        return;
    if (place.secret && v->type->kind == LC_TYPE_STRING)
        lc_known_secrets_add(found, v->as.string);
    for (size_t i = 0; !lc_type_is_primitive(v->type) && i < v->count; i++) {
        lc_step step = lc_trail_part(NULL, v, i).step;
        find_secrets(found, lc_sensitivity_step(place, &step), &v->as.many.elems[i]);
    }
}

static void find_in_field(lc_known_secrets *found, lc_sensitivity_mark root, const lc_field *field)
{
    if (field->value)
        find_secrets(found, root, field->value);
}

static void find_in_run(lc_known_secrets *found, lc_sensitivity_mark root, const lc_run *run)
{
    find_in_field(found, root, &run->config);
    find_in_field(found, root, &run->final_config);
    find_in_field(found, root, &run->prior_state);
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        const lc_field *fields[] = {&call->config,  &call->prior_state, &call->proposed,
                                    &call->planned, &call->result,      &call->prepared_config};
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            find_in_field(found, root, fields[k]);
    }
}

void lc_case_find_secrets(lc_case *subject, lc_arena *report, lc_arena *scratch)
{
    lc_known_secrets *found = lc_known_secrets_new(report);
    subject->secrets = NULL;
    for (size_t i = 0; i < subject->runs.count; i++) {
        const lc_run *run = &subject->runs.items[i];
        lc_sensitivity_mark root =
            lc_sensitivity_root(lc_sensitivity_of_case(scratch, subject, run->schema));
        if (run->schema && !run->schema_unknown)
            find_in_run(found, root, run);
    }
    subject->secrets = lc_known_secrets_any(found) ? found : NULL;
}

const lc_sensitivity *lc_sensitivity_of_case(lc_arena *arena, const lc_case *subject,
                                             const lc_schema *schema)
{
    lc_sensitivity *s = LC_NEW(arena, lc_sensitivity);
    *s = *lc_sensitivity_new(arena, schema, subject->sensitive.items, subject->sensitive.count);
    s->known = subject->secrets;
    return s;
}

bool lc_mark_knows(lc_sensitivity_mark place, lc_str text)
{
    return place.known && lc_known_secrets_in(place.known, text);
}

bool lc_mark_knows_prefix(lc_sensitivity_mark place, const lc_value *v)
{
    const lc_refinement *r = lc_is_unknown(v) ? lc_value_refinement(v) : NULL;
    return r && r->has_prefix && lc_mark_knows(place, r->prefix);
}

bool lc_mark_knows_any(lc_sensitivity_mark place, const lc_value *v)
{
    if (!place.known || !lc_is_known(v))
        return lc_mark_knows_prefix(place, v);
    if (lc_type_is_primitive(v->type))
        return v->type->kind == LC_TYPE_STRING && lc_mark_knows(place, v->as.string);
    for (size_t i = 0; i < v->count; i++) {
        if ((v->type->kind == LC_TYPE_MAP && lc_mark_knows(place, v->as.many.keys[i])) ||
            lc_mark_knows_any(place, &v->as.many.elems[i]))
            return true;
    }
    return false;
}

bool lc_mark_knows_key(lc_sensitivity_mark place, lc_path path)
{
    for (size_t i = 0; place.known && i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        if ((step->kind == LC_STEP_KEY && lc_mark_knows(place, step->name)) ||
            (step->kind == LC_STEP_ELEMENT && step->element &&
             lc_mark_knows_any(place, step->element)))
            return true;
    }
    return false;
}

/* ---- Marks as the cores carry them in comparisons: explicit ones, and those of nested
 * attributes. */

static lc_sensitivity_mark place_of_trail(const lc_sensitivity *sensitivity, const lc_trail *at)
{
    if (!at)
        return lc_sensitivity_root(sensitivity);
    return lc_sensitivity_step(place_of_trail(sensitivity, at->up), &at->step);
}

bool lc_sensitivity_touches(const lc_sensitivity *sensitivity, const lc_trail *at)
{
    if (!sensitivity->marks)
        return false;
    lc_sensitivity explicit_only = {NULL, sensitivity->marks, NULL};
    lc_sensitivity_mark place = place_of_trail(&explicit_only, at);
    return place.secret || place.marks;
}

static bool element_has_mark(const lc_nested_type *t, const lc_value *element)
{
    if (!lc_is_known(element))
        return false;
    for (size_t i = 0; i < t->attribute_count; i++) {
        const lc_attribute *a = &t->attributes[i];
        if (a->sensitive)
            return true;
        const lc_value *part =
            a->nested && a->nested->any_sensitive ? lc_value_attr(element, a->name) : NULL;
        if (part && lc_nested_has_mark(a->nested, part))
            return true;
    }
    return false;
}

bool lc_nested_has_mark(const lc_nested_type *t, const lc_value *v)
{
    if (!lc_is_known(v))
        return false;
    if (t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP)
        return element_has_mark(t, v);
    for (size_t i = 0; i < v->count; i++) {
        if (element_has_mark(t, &v->as.many.elems[i]))
            return true;
    }
    return false;
}
