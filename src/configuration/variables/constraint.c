/* Type constraints from their expressions. Source: typeexpr of HCL, whose places errors have, and
 * the cores' decodeVariableType. */
#include "configuration/variables/defaults.h"

#include "configuration/expression/tree.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/catalog/core_message.h"

#include <stdlib.h>

/* The state while one constraint is read: its errors, in the cores' order. */
typedef struct type_reader {
    lc_arena *arena;
    lc_eval_error *trouble; /* of the caller: the first error */
    lc_eval_error *last;    /* NULL: no error so far */
} type_reader;

/* A type and the defaults within it, or NULL. After an error the type is dynamic. */
typedef struct read_type {
    const lc_type *type;
    const lc_type_defaults *defaults;
} read_type;

static const read_type any = {&lc_type_dynamic, NULL};

static void add_error(type_reader *r, lc_eval_error error)
{
    lc_eval_error *to = r->last ? LC_NEW(r->arena, lc_eval_error) : r->trouble;
    *to = error;
    to->next = NULL;
    if (r->last)
        r->last->next = to;
    r->last = to;
}

static void add_errors(type_reader *r, const lc_eval_error *errors)
{
    for (; errors; errors = errors->next)
        add_error(r, *errors);
}

static read_type refuse(type_reader *r, lc_source_pos place, const char *detail)
{
    add_error(r, (lc_eval_error){LC_STR(LC_SUMMARY_TYPE), lc_str_from_c(detail), place, NULL});
    return any;
}

/* ---- What an expression is. */

/* A bare word; empty: the expression is not one. */
static lc_str keyword(const lc_expr *expr)
{
    const lc_reference *ref = expr->kind == LC_EXPR_REFERENCE ? expr->as.reference : NULL;
    return ref && ref->path_count == 0 ? ref->head : LC_STR_EMPTY;
}

static bool is_call_of(const lc_expr *expr, const char *name)
{
    return expr->kind == LC_EXPR_CALL && lc_str_is(expr->as.name, name);
}

/* The opening parenthesis of a call. Nearly always it follows the name at once. */
static lc_source_pos arguments_of(const lc_expr *call)
{
    lc_source_pos place = call->place;
    place.offset += (uint32_t)call->as.name.len;
    return place;
}

static bool is_primitive_name(lc_str name, const lc_type **type)
{
    *type = lc_str_is(name, "string")   ? &lc_type_string
            : lc_str_is(name, "number") ? &lc_type_number
            : lc_str_is(name, "bool")   ? &lc_type_bool
                                        : NULL;
    return *type != NULL;
}

static bool collection_kind(lc_str name, lc_type_kind *kind)
{
    *kind = lc_str_is(name, "list")  ? LC_TYPE_LIST
            : lc_str_is(name, "set") ? LC_TYPE_SET
            : lc_str_is(name, "map") ? LC_TYPE_MAP
                                     : LC_TYPE_DYNAMIC;
    return *kind != LC_TYPE_DYNAMIC;
}

/* ---- Types. */

static read_type read(type_reader *r, const lc_expr *expr);

/* The defaults of a type with those of its parts; NULL: no defaults. */
static const lc_type_defaults *defaults_of(type_reader *r, const lc_type *type,
                                           const lc_value **values,
                                           const lc_type_defaults **children, size_t count)
{
    bool has_values = false, has_children = false;
    for (size_t i = 0; i < count; i++) {
        has_values |= values && values[i];
        has_children |= children[i] != NULL;
    }
    if (!has_values && !has_children)
        return NULL;
    lc_type_defaults *d = LC_NEW(r->arena, lc_type_defaults);
    *d = (lc_type_defaults){type, has_values ? values : NULL, has_children ? children : NULL};
    return d;
}

static read_type read_collection(type_reader *r, lc_type_kind kind, const lc_expr *elem)
{
    read_type part = read(r, elem);
    const lc_type_defaults **child = LC_NEW_ARRAY(r->arena, const lc_type_defaults *, 1);
    child[0] = part.defaults;
    read_type out = {lc_type_collection(r->arena, kind, part.type), NULL};
    out.defaults = defaults_of(r, out.type, NULL, child, 1);
    return out;
}

static read_type read_tuple(type_reader *r, const lc_expr *list)
{
    if (list->kind != LC_EXPR_TUPLE)
        return refuse(r, list->place, "a tuple type has a list of types");
    const lc_type **items = LC_NEW_ARRAY(r->arena, const lc_type *, list->count);
    const lc_type_defaults **children =
        LC_NEW_ARRAY(r->arena, const lc_type_defaults *, list->count);
    for (size_t i = 0; i < list->count; i++) {
        read_type part = read(r, list->items[i]);
        items[i] = part.type;
        children[i] = part.defaults;
    }
    read_type out = {lc_type_tuple(r->arena, items, list->count), NULL};
    out.defaults = defaults_of(r, out.type, NULL, children, list->count);
    return out;
}

/* An attribute of an object type while it is read. */
typedef struct attribute {
    lc_type_attr attr;
    const lc_value *value;         /* its default; NULL: none */
    const lc_type_defaults *child; /* the defaults within it */
} attribute;

/* The default in `optional(type, default)`, before it is converted. */
static void read_default(type_reader *r, const lc_expr *expr, attribute *a)
{
    lc_marked v;
    lc_eval_error trouble;
    if (lc_evaluate_constant(&v, r->arena, expr, &trouble)) {
        a->attr.optional = true;
        a->value = v.value;
    } else {
        add_errors(r, &trouble);
    }
}

/* Unwraps `optional(...)`. NULL: it has no type. */
static const lc_expr *read_optional(type_reader *r, const lc_expr *expr, attribute *a)
{
    if (!is_call_of(expr, "optional"))
        return expr;
    if (expr->count < 1) {
        refuse(r, arguments_of(expr), "optional() has the type of the attribute");
        return NULL;
    }
    a->attr.optional = expr->count == 1;
    if (expr->count == 2)
        read_default(r, expr->items[1], a);
    else if (expr->count > 2)
        refuse(r, arguments_of(expr), "optional() has a type and a default, nothing else");
    return expr->items[0];
}

static bool read_attribute(type_reader *r, const lc_expr *expr, attribute *a)
{
    const lc_expr *type = read_optional(r, expr, a);
    const lc_value *converted;
    lc_str why;
    if (!type)
        return false;
    read_type part = read(r, type);
    a->attr.type = part.type;
    a->child = part.defaults;
    if (!a->value || lc_value_convert(&converted, r->arena, a->value, part.type, &why)) {
        a->value = a->value ? converted : NULL;
        return true;
    }
    add_error(
        r, (lc_eval_error){LC_STR(LC_SUMMARY_OPTIONAL_DEFAULT), why, expr->items[1]->place, NULL});
    a->value = NULL;
    return true;
}

LC_ORDER_BY_STR(by_name, attribute, attr.name)

static read_type make_object(type_reader *r, attribute *list, size_t count)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(r->arena, lc_type_attr, count);
    const lc_value **values = LC_NEW_ARRAY(r->arena, const lc_value *, count);
    const lc_type_defaults **children = LC_NEW_ARRAY(r->arena, const lc_type_defaults *, count);
    if (count)
        qsort(list, count, sizeof *list, by_name);
    for (size_t i = 0; i < count; i++) {
        attrs[i] = list[i].attr;
        values[i] = list[i].value;
        children[i] = list[i].child;
    }
    read_type out = {lc_type_object(r->arena, attrs, count), NULL};
    out.defaults = defaults_of(r, out.type, values, children, count);
    return out;
}

static read_type read_object(type_reader *r, const lc_expr *map)
{
    if (map->kind != LC_EXPR_OBJECT)
        return refuse(r, map->place, "an object type has names and their types in braces");
    attribute *list = LC_NEW_ARRAY(r->arena, attribute, map->count / 2);
    lc_table names;
    size_t count = 0;
    lc_table_init(&names, r->arena);
    for (size_t i = 0; i + 1 < map->count; i += 2) {
        const lc_expr *key = map->items[i];
        const lc_value *name = lc_expr_constant(key);
        if (!lc_expr_is_bare_key(key) || !name || name->type->kind != LC_TYPE_STRING) {
            refuse(r, key->place, "an attribute of an object type has a bare name");
            continue;
        }
        if (lc_table_get(&names, name->as.string)) {
            refuse(r, key->place, "an object type has every attribute once");
            continue;
        }
        list[count] = (attribute){.attr.name = name->as.string};
        if (read_attribute(r, map->items[i + 1], &list[count]))
            lc_table_put(&names, name->as.string, &list[count++]);
    }
    return make_object(r, list, count);
}

static read_type refuse_arguments(type_reader *r, const lc_expr *call)
{
    return refuse(r, call->count > 1 ? call->items[1]->place : arguments_of(call),
                  "this type has one argument");
}

static const char no_type[] =
    "there is no such type; these are string, number, bool, any, list(TYPE), set(TYPE), map(TYPE), "
    "tuple([TYPE]), object({NAME = TYPE})";

static read_type read_call(type_reader *r, const lc_expr *call)
{
    const lc_type *primitive;
    lc_type_kind kind;
    lc_str name = call->as.name;
    bool object = lc_str_is(name, "object"), tuple = lc_str_is(name, "tuple");
    if (is_primitive_name(name, &primitive) || lc_str_is(name, "any"))
        return refuse(r, arguments_of(call), "this type has no arguments");
    if (!collection_kind(name, &kind) && !object && !tuple)
        return refuse(r, call->place,
                      lc_str_is(name, "optional") ? "only attributes of objects are optional"
                                                  : no_type);
    if (call->count != 1)
        return refuse_arguments(r, call);
    return object  ? read_object(r, call->items[0])
           : tuple ? read_tuple(r, call->items[0])
                   : read_collection(r, kind, call->items[0]);
}

static read_type read(type_reader *r, const lc_expr *expr)
{
    lc_str word = keyword(expr);
    read_type out = any;
    if (expr->kind == LC_EXPR_CALL)
        return read_call(r, expr);
    if (is_primitive_name(word, &out.type))
        return out;
    if (lc_str_is(word, "any"))
        return any;
    return refuse(r, expr->place, word.len ? no_type : "a type is required");
}

/* ---- Variables. */

static bool finish(lc_constraint *out, const type_reader *r, read_type is)
{
    *out = (lc_constraint){&lc_type_dynamic, NULL, true};
    if (r->last)
        return false;
    *out = (lc_constraint){is.type, is.defaults, !lc_type_is_primitive(is.type)};
    return true;
}

/* `list` and `map` alone are as old as the language. */
static bool read_legacy(type_reader *r, const lc_expr *expr, read_type *out)
{
    lc_str word = keyword(expr);
    bool list = lc_str_is(word, "list");
    if (list || lc_str_is(word, "map"))
        out->type =
            lc_type_collection(r->arena, list ? LC_TYPE_LIST : LC_TYPE_MAP, &lc_type_dynamic);
    return list || lc_str_is(word, "map");
}

/* The type in quotes, as before Terraform 0.12. */
static void refuse_quoted(type_reader *r, const lc_expr *expr)
{
    lc_marked v;
    lc_eval_error trouble;
    if (!lc_evaluate_constant(&v, r->arena, expr, &trouble)) {
        add_errors(r, &trouble);
        return;
    }
    lc_str text = lc_is_known(v.value) ? v.value->as.string : LC_STR_EMPTY;
    bool old = lc_str_is(text, "string") || lc_str_is(text, "list") || lc_str_is(text, "map");
    add_error(r,
              (lc_eval_error){old ? LC_STR(LC_SUMMARY_QUOTED_TYPE) : LC_STR(LC_SUMMARY_LEGACY_TYPE),
                              LC_STR("a type is written without quotes"), expr->place, NULL});
}

/* A string in quotes; a template that is only one interpolation is not a string. */
static bool is_quoted(const lc_expr *expr)
{
    const lc_value *v = expr->kind == LC_EXPR_LITERAL ? expr->as.value : NULL;
    return expr->kind == LC_EXPR_TEMPLATE || (v && v->type->kind == LC_TYPE_STRING);
}

bool lc_constraint_read_type(lc_constraint *out, lc_arena *arena, const lc_expr *expr,
                             lc_eval_error *trouble)
{
    type_reader r = {arena, trouble, NULL};
    return finish(out, &r, read(&r, expr));
}

bool lc_constraint_read(lc_constraint *out, lc_arena *arena, const lc_expr *expr,
                        lc_eval_error *trouble)
{
    type_reader r = {arena, trouble, NULL};
    read_type is = any;
    if (is_quoted(expr))
        refuse_quoted(&r, expr);
    else if (!read_legacy(&r, expr, &is))
        is = read(&r, expr);
    return finish(out, &r, is);
}

bool lc_constraint_read_json(lc_constraint *out, lc_arena *arena, const lc_source *source,
                             const lc_node *node, lc_eval_error *trouble)
{
    type_reader r = {arena, trouble, NULL};
    const lc_expr *expr;
    lc_eval_error syntax;
    read_type is = any;
    lc_source_pos place = lc_source_pos_of(source, node);
    if (node->kind != LC_NODE_STRING || !lc_expr_parse(&expr, arena, node->as.text, place, &syntax))
        refuse(&r, place, "a type is required");
    else if (!read_legacy(&r, expr, &is))
        is = read(&r, expr);
    return finish(out, &r, is);
}

bool lc_evaluate_constant(lc_marked *out, lc_arena *arena, const lc_expr *expr,
                          lc_eval_error *trouble)
{
    lc_scope nothing = {.lookup = NULL};
    return lc_evaluate(out, arena, expr, &nothing, 0, trouble);
}
