/* Family cfn: resources whose schema was made from a CloudFormation resource type. Here: the walk
 * over objects, problems of the type itself, the provider's schema against the type, and data
 * sources that list objects. */
#include "contract/rules/cfn/internal.h"

#include "lifecheck/base/arena.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Walking. */

static bool is_kind(const lc_value *v, lc_cfn_form form)
{
    switch (form) {
    case LC_CFN_OBJECT:
        return v->type->kind == LC_TYPE_OBJECT;
    case LC_CFN_MAP:
        return v->type->kind == LC_TYPE_MAP;
    case LC_CFN_SET:
        return v->type->kind == LC_TYPE_SET;
    case LC_CFN_LIST:
    case LC_CFN_MULTISET:
    case LC_CFN_ORDERED_SET:
        return v->type->kind == LC_TYPE_LIST;
    case LC_CFN_BOOLEAN:
    case LC_CFN_INTEGER:
    case LC_CFN_NUMBER:
    case LC_CFN_STRING:
    case LC_CFN_DATE_TIME:
    case LC_CFN_JSON:
        break;
    }
    return lc_type_is_primitive(v->type);
}

static lc_trail element_trail(const lc_trail *at, const lc_value *v, uint32_t i)
{
    if (v->type->kind == LC_TYPE_MAP)
        return lc_trail_key(at, v->as.many.keys[i]);
    if (v->type->kind == LC_TYPE_SET)
        return lc_trail_element(at, &v->as.many.elems[i]);
    return lc_trail_index(at, i);
}

/* Values of another kind than the shape are skipped: cfn/schema-type has reported the schema. */
static void visit_below(lc_cfn_visit *visit, const lc_cfn_shape *shape, const lc_value *v,
                        const lc_trail *at)
{
    if (!lc_is_known(v) || !is_kind(v, shape->form))
        return;
    if (shape->form == LC_CFN_OBJECT) {
        lc_cfn_visit_object(visit, shape, v, at);
        return;
    }
    bool in_set = visit->in_set;
    for (uint32_t i = 0; shape->element && i < v->count; i++) {
        lc_trail trail = element_trail(at, v, i);
        visit->in_set = in_set || shape->form == LC_CFN_SET;
        visit_below(visit, shape->element, &v->as.many.elems[i], &trail);
    }
    visit->in_set = in_set;
}

void lc_cfn_visit_object(lc_cfn_visit *visit, const lc_cfn_shape *object, const lc_value *v,
                         const lc_trail *at)
{
    for (size_t i = 0; lc_is_known(v) && i < object->slot_count; i++) {
        const lc_cfn_property *p = object->by_slot[i];
        const lc_value *part = p ? lc_value_attr(v, p->attribute) : NULL;
        if (!part)
            continue;
        lc_trail trail = lc_trail_attr(at, p->attribute);
        if (visit->property(visit, p, part, &trail))
            visit_below(visit, p->shape, part, &trail);
    }
}

/* ---- Looking up types and properties. */

const lc_cfn_type *lc_cfn_of(const lc_judge *j)
{
    const lc_schema *schema = j->view->schema;
    return schema->kind == LC_KIND_RESOURCE ? schema->cloudformation : NULL;
}

const lc_cfn_property *lc_cfn_property_at(const lc_cfn_type *type, lc_path path)
{
    const lc_cfn_shape *shape = type->root;
    const lc_cfn_property *p = NULL;
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        while (shape && shape->element)
            shape = shape->element;
        if (!shape || shape->form != LC_CFN_OBJECT)
            return p;
        p = lc_cfn_member_of(shape, path.steps[i].name);
        shape = p ? p->shape : NULL;
    }
    return p;
}

bool lc_cfn_above(const lc_cfn_property *p, bool (*is)(const lc_cfn_property *p))
{
    for (; p; p = p->parent) {
        if (is(p))
            return true;
    }
    return false;
}

lc_finding *lc_cfn_emit(const lc_cfn_report *s, lc_rule rule, const lc_trail *at,
                        const char *format, ...)
{
    char note[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    lc_path path = lc_path_from_trail(s->j->scratch, at);
    return lc_emit(s->j, &(lc_breach){.rule = rule,
                                      .call = s->call,
                                      .path = path,
                                      .field = s->field,
                                      .loc = s->call ? s->call->loc : s->j->view->run->loc,
                                      .promised_by = s->promised_by,
                                      .broken_by = s->broken_by,
                                      .note = lc_str_from_c(note)});
}

/* ---- The type. */

static const lc_rule rule_of[] = {
    [LC_CFN_FAULT_INPUT] = LC_RULE_CFN_SCHEMA_INPUT,
    [LC_CFN_FAULT_RECURSIVE] = LC_RULE_CFN_SCHEMA_RECURSIVE,
    [LC_CFN_FAULT_UNSUPPORTED] = LC_RULE_CFN_UNSUPPORTED_TYPE,
    [LC_CFN_FAULT_RESERVED] = LC_RULE_CFN_RESERVED_NAME,
    [LC_CFN_FAULT_POINTER] = LC_RULE_CFN_SCHEMA_POINTER,
    [LC_CFN_FAULT_CONFLICT] = LC_RULE_CFN_SCHEMA_CONFLICT,
    [LC_CFN_FAULT_FLAT_MAP] = LC_RULE_CFN_SCHEMA_FLAT_MAP,
    [LC_CFN_FAULT_DEFAULT] = LC_RULE_CFN_DEFAULT_TYPE,
    [LC_CFN_FAULT_LEFT_OUT] = LC_RULE_COUNT,
    [LC_CFN_FAULT_NOTE] = LC_RULE_COUNT,
};

static void emit_problem(lc_judge *j, const lc_cfn_problem *p)
{
    lc_rule rule = rule_of[p->fault];
    if (rule == LC_RULE_COUNT)
        return;
    lc_str note = p->message;
    if (p->pointer.len)
        note = lc_str_printf(j->scratch, "%.*s: %.*s", LC_FMT(p->pointer), LC_FMT(p->message));
    lc_emit(j, &(lc_breach){.rule = rule,
                            .path = LC_PATH_ROOT,
                            .loc = p->loc,
                            .promised_by = LC_COLUMN_NONE,
                            .broken_by = LC_COLUMN_NONE,
                            .note = note});
}

/* ---- The provider's schema against the schema that follows from the type. */

typedef struct comparison {
    lc_judge *j;
    const lc_cfn_type *type;
} comparison;

static lc_finding *emit(comparison *cmp, lc_rule rule, const lc_trail *at, lc_loc loc, lc_str note)
{
    return lc_emit_in_schema(cmp->j, rule, lc_path_from_trail(cmp->j->scratch, at), loc, note);
}

static const char *flags_of(bool required, bool optional, bool computed)
{
    if (required)
        return "Required";
    if (optional)
        return computed ? "Optional and Computed" : "Optional";
    return computed ? "Computed" : "neither Required nor Optional nor Computed";
}

static void compare_flags(comparison *cmp, const lc_cfn_property *p, const lc_attribute *want,
                          const lc_attribute *got, const lc_trail *at)
{
    if (want->required == got->required && want->optional == got->optional &&
        want->computed == got->computed)
        return;
    emit(cmp, LC_RULE_CFN_SCHEMA_FLAGS, at, got->loc,
         lc_str_printf(cmp->j->scratch, "%.*s is %s in the provider's schema, and %s by its type",
                       LC_FMT(p->name), flags_of(got->required, got->optional, got->computed),
                       flags_of(want->required, want->optional, want->computed)));
}

static lc_str type_text(lc_judge *j, const lc_attribute *a)
{
    return a->nested ? lc_str_printf(j->scratch, "nested attributes (%s)",
                                     lc_nesting_name(a->nested->nesting))
                     : lc_type_text(j->scratch, a->implied);
}

static void compare_attributes(comparison *cmp, const lc_cfn_shape *object,
                               const lc_attribute *want, size_t want_count, const lc_attribute *got,
                               size_t got_count, const lc_trail *at);

static void compare_attribute(comparison *cmp, const lc_cfn_property *p, const lc_attribute *want,
                              const lc_attribute *got, const lc_trail *at)
{
    bool nested = want->nested && got->nested && want->nested->nesting == got->nested->nesting;
    bool same =
        nested || (!want->nested && !got->nested && lc_type_equal(want->implied, got->implied));
    if (!same) {
        lc_str is = type_text(cmp->j, got), should = type_text(cmp->j, want);
        emit(cmp, LC_RULE_CFN_SCHEMA_TYPE, at, got->loc,
             lc_str_printf(cmp->j->scratch,
                           "%.*s is %.*s in the provider's schema, and %.*s by its "
                           "type",
                           LC_FMT(p->name), LC_FMT(is), LC_FMT(should)));
        return;
    }
    compare_flags(cmp, p, want, got, at);
    if (!nested)
        return;
    const lc_cfn_shape *object = p->shape;
    while (object->element)
        object = object->element;
    compare_attributes(cmp, object, want->nested->attributes, want->nested->attribute_count,
                       got->nested->attributes, got->nested->attribute_count, at);
}

static void emit_missing(comparison *cmp, const lc_cfn_property *p, const lc_trail *at)
{
    if (p)
        emit(cmp, LC_RULE_CFN_SCHEMA_ATTRIBUTE, at, (lc_loc){0},
             lc_str_printf(cmp->j->scratch, "property %.*s has no attribute %.*s", LC_FMT(p->name),
                           LC_FMT(p->attribute)));
    else
        emit(cmp, LC_RULE_CFN_ID_ATTRIBUTE, at, (lc_loc){0}, LC_STR("there is no attribute id"));
}

static void compare_id(comparison *cmp, const lc_attribute *got, const lc_trail *at)
{
    bool right = !got->nested && lc_type_equal(got->implied, &lc_type_string) && got->computed &&
                 !got->required && !got->optional;
    if (!right)
        emit(cmp, LC_RULE_CFN_ID_ATTRIBUTE, at, got->loc,
             LC_STR("the attribute id must be a Computed string"));
}

/* Compare two lists of attributes, both sorted by name. `id` has no property: the provider adds
 * it. */
static void compare_attributes(comparison *cmp, const lc_cfn_shape *object,
                               const lc_attribute *want, size_t want_count, const lc_attribute *got,
                               size_t got_count, const lc_trail *at)
{
    size_t i = 0, k = 0;
    while (i < want_count || k < got_count) {
        int order = i == want_count  ? 1
                    : k == got_count ? -1
                                     : lc_str_cmp(want[i].name, got[k].name);
        lc_trail trail = lc_trail_attr(at, order <= 0 ? want[i].name : got[k].name);
        const lc_cfn_property *p = order <= 0 ? object->by_slot[want[i].slot] : NULL;
        if (order < 0)
            emit_missing(cmp, p, &trail);
        else if (order > 0)
            emit(cmp, LC_RULE_CFN_SCHEMA_ATTRIBUTE, &trail, got[k].loc,
                 LC_STR("the type has no property for this attribute"));
        else if (p)
            compare_attribute(cmp, p, &want[i], &got[k], &trail);
        else
            compare_id(cmp, &got[k], &trail);
        i += order <= 0;
        k += order >= 0;
    }
}

/* Only a schema that was read from a provider's document is compared, not one that was derived from
 * the type. */
static void compare(lc_judge *j, const lc_cfn_type *type)
{
    comparison cmp = {j, type};
    const lc_schema *got = j->view->schema;
    if (!got->captured || !type->resource)
        return;
    if (!lc_str_eq(got->type_name, type->terraform_name))
        emit(&cmp, LC_RULE_CFN_TYPE_NAME, NULL, got->loc,
             lc_str_printf(j->scratch, "%.*s is the resource type %.*s, not %.*s",
                           LC_FMT(type->name), LC_FMT(type->terraform_name),
                           LC_FMT(got->type_name)));
    compare_attributes(&cmp, type->root, type->resource->block->attributes,
                       type->resource->block->attribute_count, got->block->attributes,
                       got->block->attribute_count, NULL);
}

static void judge_cfn_schema(lc_judge *j, const lc_cfn_type *type)
{
    for (size_t i = 0; i < type->problems.count; i++)
        emit_problem(j, &type->problems.items[i]);
    compare(j, type);
}

/* ---- Lists. */

bool lc_cfn_lists(const lc_judge *j)
{
    const lc_schema *schema = j->view->schema;
    const lc_cfn_type *type = schema->cloudformation;
    return type && schema->kind == LC_KIND_DATA && type->plural_name.len &&
           lc_str_eq(schema->type_name, type->plural_name);
}

/* Compare in both directions. The attribute is a set, so no identifier occurs twice. */
static void compare_ids(lc_judge *j, const lc_call *call, const lc_value *ids)
{
    const lc_cloud_control *control = j->view->run->cloud_control;
    lc_table listed, known;
    size_t missing = 0, surplus = 0;
    lc_table_init(&listed, j->scratch);
    lc_table_init(&known, j->scratch);
    for (size_t i = 0; i < control->identifier_count; i++)
        lc_table_put(&listed, control->identifiers[i], j);
    for (uint32_t i = 0; i < ids->count; i++) {
        const lc_value *id = &ids->as.many.elems[i];
        if (!lc_is_known(id) || id->type->kind != LC_TYPE_STRING)
            continue;
        lc_table_put(&known, id->as.string, j);
        surplus += lc_table_get(&listed, id->as.string) == NULL;
    }
    for (size_t i = 0; i < control->identifier_count; i++)
        missing += lc_table_get(&known, control->identifiers[i]) == NULL;
    lc_trail at = lc_trail_attr(NULL, LC_STR("ids"));
    lc_cfn_report where = {j, call, &call->result, LC_COLUMN_NONE, LC_COLUMN_NEW};
    if (missing || surplus)
        lc_cfn_emit(&where, LC_RULE_CFN_LIST_IDS, &at,
                    "%zu identifiers of the service are missing, %zu are not in the service",
                    missing, surplus);
}

static void judge_list(lc_judge *j)
{
    const lc_call *call = j->view->call[LC_CALL_DATA];
    const lc_value *result = call ? lc_call_object(call) : NULL;
    if (!result || !lc_is_known(result) || call->failed == LC_YES || !j->view->run->cloud_control ||
        !j->view->run->cloud_control->has_identifiers)
        return;
    const lc_value *ids = lc_value_attr(result, LC_STR("ids"));
    if (ids && !lc_is_unknown(ids) && lc_type_is_collection(ids->type))
        compare_ids(j, call, ids);
}

/* The schema is judged once, in the first run that has it. */
void lc_judge_cfn(lc_judge *j)
{
    const lc_cfn_type *type = lc_cfn_of(j);
    if (lc_cfn_lists(j))
        judge_list(j);
    if (!type)
        return;
    if (!j->before || j->before->schema != j->view->schema)
        judge_cfn_schema(j, type);
    if (!type->resource)
        return;
    lc_judge_cfn_config(j, type);
    lc_judge_cfn_plan(j, type);
    lc_judge_cfn_state(j, type);
    lc_judge_cfn_documents(j, type);
}
