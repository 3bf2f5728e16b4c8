/* Converts JSON documents to values of shapes: what the provider stores of what the service
 * returns. Members are found by CloudFormation's names. An absent member is null; one without an
 * attribute is ignored. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/cloudformation/cloudformation.h"
#include "lifecheck/schema/schema_build.h"
#include "lifecheck/yaml_json/text_places.h"

#include <stdlib.h>
#include <string.h>

LC_ENUM_NAMES(lc_cfn_form, LC_CFN_FORMS);

bool lc_cfn_is_array(lc_cfn_form form)
{
    return form == LC_CFN_LIST || form == LC_CFN_MULTISET || form == LC_CFN_ORDERED_SET ||
           form == LC_CFN_SET;
}

/* ---- JSON documents as strings. */

LC_ORDER_POINTERS_BY_STR(members_by_key, lc_member, key)

static void write_sorted(lc_json *w, lc_arena *arena, const lc_node *node);

/* Sorted by key, as Go's encoding/json writes maps. */
static void write_members(lc_json *w, lc_arena *arena, const lc_node *node)
{
    const lc_member **sorted = LC_NEW_ARRAY(arena, const lc_member *, node->count);
    for (uint32_t i = 0; i < node->count; i++)
        sorted[i] = &node->as.members[i];
    if (node->count)
        qsort(sorted, node->count, sizeof *sorted, members_by_key);
    lc_json_object(w, NULL);
    for (uint32_t i = 0; i < node->count; i++) {
        lc_json_key(w, sorted[i]->key);
        write_sorted(w, arena, &sorted[i]->value);
    }
    lc_json_end_object(w);
}

static void write_sorted(lc_json *w, lc_arena *arena, const lc_node *node)
{
    if (lc_node_write_scalar(w, node))
        return;
    if (node->kind == LC_NODE_MAPPING) {
        write_members(w, arena, node);
        return;
    }
    lc_json_array(w, NULL);
    for (uint32_t i = 0; i < node->count; i++)
        write_sorted(w, arena, &node->as.items[i]);
    lc_json_end_array(w);
}

/* Compact, with sorted keys and Go's escapes, because the provider marshals such documents with
 * encoding/json. */
void lc_cfn_add_json(lc_buf *out, lc_arena *arena, const lc_node *node)
{
    lc_json w = {.out = out, .html = true};
    write_sorted(&w, arena, node);
}

/* ---- Values. */

static bool refuse(lc_str *why, lc_arena *arena, const lc_cfn_shape *shape, const lc_node *node)
{
    *why = lc_str_printf(arena, "%s where %s%s is expected", lc_node_kind_name(node),
                         shape->form == LC_CFN_INTEGER || shape->form == LC_CFN_OBJECT ||
                                 shape->form == LC_CFN_MULTISET || shape->form == LC_CFN_ORDERED_SET
                             ? "an "
                             : "a ",
                         lc_cfn_form_name(shape->form));
    return false;
}

/* A boolean may also be written as the string "true" or "false". */
static bool boolean_value(lc_value *slot, const lc_node *node)
{
    bool text = node->kind == LC_NODE_STRING;
    if (node->kind == LC_NODE_BOOL) {
        lc_value_set_bool(slot, node->boolean);
        return true;
    }
    if (!text || (!lc_str_is(node->as.text, "true") && !lc_str_is(node->as.text, "false")))
        return false;
    lc_value_set_bool(slot, lc_str_is(node->as.text, "true"));
    return true;
}

static bool number_value(lc_value *slot, lc_arena *arena, const lc_node *node, bool whole)
{
    lc_num n;
    bool text = node->kind == LC_NODE_NUMBER || node->kind == LC_NODE_STRING;
    if (!text || lc_num_from_text(&n, arena, node->as.text, LC_MAX_DIGITS) != LC_NUM_OK ||
        lc_num_is_inf(n) || (whole && !lc_num_is_whole(n)))
        return false;
    lc_value_set_number(slot, n);
    return true;
}

static bool string_value(lc_value *slot, lc_arena *arena, const lc_node *node)
{
    if (node->kind == LC_NODE_BOOL)
        lc_value_set_string(slot, arena, node->boolean ? LC_STR("true") : LC_STR("false"));
    else if (node->kind == LC_NODE_STRING || node->kind == LC_NODE_NUMBER)
        lc_value_set_string(slot, arena, node->as.text);
    else
        return false;
    return true;
}

static void json_value(lc_value *slot, lc_arena *arena, const lc_node *node)
{
    lc_buf text = {0};
    if (node->kind == LC_NODE_STRING)
        lc_buf_add_str(&text, node->as.text);
    else
        lc_cfn_add_json(&text, arena, node);
    lc_value_set_string(slot, arena, lc_buf_copy(arena, &text));
    lc_buf_release(&text);
}

/* Elements that do not fit fail the whole array; `why` is then of the element. */
static bool array_value(lc_value *slot, lc_arena *arena, const lc_cfn_shape *shape,
                        const lc_node *node, lc_str *why)
{
    if (node->kind != LC_NODE_SEQUENCE)
        return refuse(why, arena, shape, node);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!lc_cfn_value(&elems[i], arena, shape->element, &node->as.items[i], why))
            return false;
    }
    return shape->form == LC_CFN_SET
               ? lc_value_set_set(slot, arena, shape->type, elems, node->count)
               : lc_value_set_list(slot, arena, shape->type, elems, node->count);
}

static bool map_value(lc_value *slot, lc_arena *arena, const lc_cfn_shape *shape,
                      const lc_node *node, lc_str *why)
{
    if (node->kind != LC_NODE_MAPPING)
        return refuse(why, arena, shape, node);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, node->count);
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        keys[i] = lc_nfc(arena, node->as.members[i].key);
        if (!lc_cfn_value(&elems[i], arena, shape->element, &node->as.members[i].value, why))
            return false;
    }
    return lc_value_set_map(slot, arena, shape->type, keys, elems, node->count);
}

static bool object_value(lc_value *slot, lc_arena *arena, const lc_cfn_shape *shape,
                         const lc_node *node, lc_str *why)
{
    if (node->kind != LC_NODE_MAPPING)
        return refuse(why, arena, shape, node);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, shape->slot_count);
    for (size_t i = 0; i < shape->slot_count; i++)
        lc_value_set_null(&elems[i], shape->type->as.attrs[i].type);
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_cfn_property *p = lc_cfn_member(shape, node->as.members[i].key);
        if (p && p->shape &&
            !lc_cfn_value(&elems[p->slot], arena, p->shape, &node->as.members[i].value, why))
            return false;
    }
    lc_value_set_object(slot, arena, shape->type, elems);
    return true;
}

bool lc_cfn_value(lc_value *slot, lc_arena *arena, const lc_cfn_shape *shape, const lc_node *node,
                  lc_str *why)
{
    if (node->kind == LC_NODE_NULL) {
        lc_value_set_null(slot, shape->type);
        return true;
    }
    switch (shape->form) {
    case LC_CFN_BOOLEAN:
        return boolean_value(slot, node) || refuse(why, arena, shape, node);
    case LC_CFN_INTEGER:
    case LC_CFN_NUMBER:
        return number_value(slot, arena, node, shape->form == LC_CFN_INTEGER) ||
               refuse(why, arena, shape, node);
    case LC_CFN_STRING:
    case LC_CFN_DATE_TIME:
        return string_value(slot, arena, node) || refuse(why, arena, shape, node);
    case LC_CFN_JSON:
        json_value(slot, arena, node);
        return true;
    case LC_CFN_OBJECT:
        return object_value(slot, arena, shape, node, why);
    case LC_CFN_MAP:
        return map_value(slot, arena, shape, node, why);
    case LC_CFN_LIST:
    case LC_CFN_MULTISET:
    case LC_CFN_ORDERED_SET:
    case LC_CFN_SET:
        break;
    }
    return array_value(slot, arena, shape, node, why);
}
