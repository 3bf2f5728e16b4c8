/* Keys of the blocks in a plan's configuration: from literals, from variables whose value is in the
 * plan, or else from the entries that the plan has. */
#include "predict/plan_only.h"

#include "lifecheck/arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct key_list {
    LC_VEC(lc_key) list;
} key_list;

/* ---- What the plan has. */

static void tell_key(lc_plan_only *o, const lc_address *block, lc_str instance, lc_key key)
{
    if (lc_table_put(&o->seen, instance, o))
        return;
    lc_str text = lc_address_text(o->arena, block);
    key_list *keys = lc_table_get(&o->reported, text);
    if (!keys) {
        keys = LC_NEW(o->arena, key_list);
        lc_table_put(&o->reported, text, keys);
    }
    *LC_PUSH(o->arena, &keys->list, lc_key) = key;
}

static void tell_modules(lc_plan_only *o, const lc_address *address)
{
    lc_address with = lc_address_module(address);
    lc_module_step *steps = LC_NEW_ARRAY(o->arena, lc_module_step, address->module_count);
    for (size_t i = 0; i < address->module_count; i++) {
        lc_address without = with;
        with.module_count = without.module_count = i + 1;
        memcpy(steps, address->modules, (i + 1) * sizeof *steps);
        steps[i].key = LC_NO_KEY;
        without.modules = steps;
        tell_key(o, &without, lc_address_text(o->arena, &with), address->modules[i].key);
    }
}

static bool ends_by_key(lc_plan_reason reason)
{
    return reason == LC_PLAN_REASON_DELETE_WRONG_REPETITION ||
           reason == LC_PLAN_REASON_DELETE_COUNT_INDEX ||
           reason == LC_PLAN_REASON_DELETE_EACH_KEY ||
           reason == LC_PLAN_REASON_DELETE_ENABLED_FALSE;
}

/* An entry that does not end its object says that the instance is declared; one that ends for the
 * sake of its key, that the module instance is. */
static void tell_change(lc_plan_only *o, const lc_plan_change *c)
{
    bool ends = lc_plan_action_ends(c->action);
    if (!c->parses || !c->block || c->deposed.len || c->generated_config ||
        c->action == LC_PLAN_UNKNOWN || (ends && !ends_by_key(c->reason)))
        return;
    tell_modules(o, &c->parsed);
    lc_address resource = lc_address_resource(&c->parsed);
    if (!ends)
        tell_key(o, &resource, lc_address_text(o->arena, &c->parsed), c->parsed.key);
    if (c->action != LC_PLAN_NOOP && c->action != LC_PLAN_READ && !ends &&
        c->parsed.mode == LC_MODE_MANAGED)
        lc_table_put(&o->pending, lc_address_text(o->arena, &resource), o);
}

void lc_plan_only_prepare(lc_plan_only *o)
{
    lc_table *tables[] = {&o->reported, &o->seen,    &o->pending,         &o->modules,
                          &o->keys,     &o->objects, &o->around.variables};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        lc_table_init(tables[i], o->arena);
    o->config.profile = o->plan->by_terraform ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU;
    o->around.config = &o->config;
    o->around.is_static = true;
    o->scope = lc_module_scope_new(o->arena, &o->around, &o->none, NULL, NULL);
    for (size_t i = 0; i < o->plan->changes.count; i++)
        tell_change(o, &o->plan->changes.items[i]);
}

/* ---- Expressions. */

static bool is_template(lc_str text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if ((text.ptr[i] == '$' || text.ptr[i] == '%') && text.ptr[i + 1] == '{')
            return true;
    }
    return false;
}

static const lc_node *references_of(const lc_node *expression)
{
    const lc_node *list = lc_node_given(expression, "references");
    return list && list->kind == LC_NODE_SEQUENCE && list->count ? list : NULL;
}

static bool is_listed(const lc_node *list, lc_str text)
{
    for (uint32_t i = 0; list && i < list->count; i++) {
        if (list->as.items[i].kind == LC_NODE_STRING && lc_str_eq(list->as.items[i].as.text, text))
            return true;
    }
    return false;
}

/* Where a configuration is written in JSON, templates stand as they are beside what they refer to.
 * NULL: it is none. */
static const lc_expr *parse_template(lc_plan_only *o, const lc_node *expression,
                                     const lc_node *constant, lc_references *refs)
{
    const lc_expr *e;
    lc_eval_error trouble;
    lc_source_pos place = lc_source_pos_of(o->plan->source, constant);
    if (!lc_template_parse(&e, o->arena, constant->as.text, place, &trouble))
        return NULL;
    refs->arena = o->arena;
    lc_expr_references(refs, e);
    bool fits = !refs->list.count ? !references_of(expression)
                                  : is_listed(references_of(expression), refs->list.items[0]->text);
    return fits ? e : NULL;
}

static const lc_expr *resolve(lc_plan_only *o, const lc_plan_only_module *m,
                              const lc_node *expression);

static const lc_expr *literal(lc_plan_only *o, const lc_node *node)
{
    return node ? lc_expr_literal(o->arena, o->plan->source, node) : NULL;
}

/* The declared type is not in the plan. For numbers and texts that does not matter where a number
 * is wanted; attributes of objects may have defaults. */
static const lc_expr *variable(lc_plan_only *o, const lc_plan_only_module *m, lc_str name)
{
    const lc_node *declared = lc_node_value(lc_node_given(m->node, "variables"), name);
    const lc_node *argument = lc_node_value(lc_node_given(m->call, "expressions"), name);
    const lc_expr *value;
    if (argument) {
        value = resolve(o, m->caller, argument);
    } else {
        const lc_node *given =
            m->caller ? NULL : lc_node_value(lc_node_given(o->plan->root, "variables"), name);
        value =
            literal(o, given ? lc_node_given(given, "value") : lc_node_given(declared, "default"));
    }
    const lc_value *v = value ? lc_expr_constant(value) : NULL;
    return v && !lc_is_null(v) && lc_type_is_primitive(v->type) ? value : NULL;
}

static bool has_template_key(const lc_node *mapping)
{
    for (uint32_t i = 0; i < mapping->count; i++) {
        if (is_template(mapping->as.members[i].key))
            return true;
    }
    return false;
}

/* An expression without references that has the value; NULL: it cannot be told. */
static const lc_expr *resolve(lc_plan_only *o, const lc_plan_only_module *m,
                              const lc_node *expression)
{
    const lc_node *constant = lc_node_given(expression, "constant_value");
    if (!constant)
        return NULL;
    if (constant->kind == LC_NODE_MAPPING)
        return has_template_key(constant) ? NULL : literal(o, constant);
    if (constant->kind != LC_NODE_STRING)
        return references_of(expression) ? NULL : literal(o, constant);
    if (!is_template(constant->as.text))
        return references_of(expression) ? NULL : literal(o, constant);
    lc_references refs = {0};
    const lc_expr *e = parse_template(o, expression, constant, &refs);
    if (!e || !refs.list.count)
        return e;
    const lc_reference *one = lc_expr_reference(e);
    return one && one->root == LC_ROOT_VARIABLE && !one->count ? variable(o, m, one->name) : NULL;
}

/* Is something within written as a template? Then the block is written in JSON, where all of its
 * arguments are shown. */
static bool is_json(lc_plan_only *o, const lc_node *node)
{
    if (!node)
        return false;
    const lc_node *constant =
        node->kind == LC_NODE_MAPPING ? lc_node_given(node, "constant_value") : NULL;
    lc_references refs = {0};
    if (constant && constant->kind == LC_NODE_STRING && references_of(node))
        return is_template(constant->as.text) && parse_template(o, node, constant, &refs) &&
               refs.list.count;
    for (uint32_t i = 0; !constant && node->kind == LC_NODE_MAPPING && i < node->count; i++) {
        if (is_json(o, &node->as.members[i].value))
            return true;
    }
    for (uint32_t i = 0; node->kind == LC_NODE_SEQUENCE && i < node->count; i++) {
        if (is_json(o, &node->as.items[i]))
            return true;
    }
    return false;
}

/* ---- Keys. */

static void add_key(lc_plan_only *o, lc_plan_only_instance_keys *keys, lc_key key)
{
    lc_buf text = {0};
    lc_key_add(&text, key);
    lc_table_put(&keys->by_text, lc_buf_copy(o->arena, &text), keys);
    lc_buf_release(&text);
}

bool lc_plan_only_has(const lc_plan_only_instance_keys *keys, lc_key key)
{
    lc_buf text = {0};
    lc_key_add(&text, key);
    bool found = lc_table_get(&keys->by_text, lc_buf_str(&text)) != NULL;
    lc_buf_release(&text);
    return found;
}

bool lc_plan_only_fits(const lc_plan_only_instance_keys *keys, lc_key key)
{
    switch (keys->kind) {
    case LC_PLAN_ONLY_ONE:
        return key.kind == LC_KEY_NONE;
    case LC_PLAN_ONLY_COUNT:
        return key.kind == LC_KEY_INT;
    case LC_PLAN_ONLY_EACH:
        return key.kind == LC_KEY_STRING;
    case LC_PLAN_ONLY_HIDDEN:
        break;
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    return lc_key_cmp(*(const lc_key *)a, *(const lc_key *)b);
}

/* Keys of count have no gaps, whatever it comes to. */
static int64_t gap_of(const lc_key *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].number != (int64_t)i)
            return (int64_t)i;
    }
    return -1;
}

static void take_told(lc_plan_only *o, lc_plan_only_instance_keys *keys, lc_str text)
{
    const key_list *reported = lc_table_get(&o->reported, text);
    lc_key *list = LC_NEW_ARRAY(o->arena, lc_key, reported ? reported->list.count : 0);
    for (size_t i = 0; reported && i < reported->list.count; i++) {
        if (lc_plan_only_fits(keys, reported->list.items[i]))
            list[keys->count++] = reported->list.items[i];
    }
    if (keys->count > 1)
        qsort(list, keys->count, sizeof *list, by_key);
    keys->list = list;
    if (keys->kind == LC_PLAN_ONLY_COUNT)
        keys->gap = gap_of(list, keys->count);
}

static bool expand(lc_plan_only *o, lc_plan_only_instance_keys *keys, const lc_expr *e)
{
    lc_config_repetition repetition = {0};
    lc_repetitions found;
    lc_eval_error trouble = {0};
    *(keys->kind == LC_PLAN_ONLY_COUNT ? &repetition.count : &repetition.for_each) = e;
    bool good = lc_scope_expand(&found, o->scope, &repetition, &trouble);
    o->limited |= good ? found.list.count > LC_MAX_INSTANCES - o->expanded : !trouble.summary.len;
    if (!good || o->limited || found.undecided || found.unknown)
        return false;
    lc_key *list = LC_NEW_ARRAY(o->arena, lc_key, found.list.count);
    for (size_t i = 0; i < found.list.count; i++)
        list[i] = found.list.items[i].key;
    keys->list = list;
    keys->count = found.list.count;
    return true;
}

/* `enabled` of OpenTofu's lifecycle blocks is not in a plan. */
static bool is_one(lc_plan_only *o, const lc_node *block)
{
    return o->plan->by_terraform && is_json(o, lc_node_given(block, "expressions"));
}

static const char *undecided_of(lc_plan_only_repeat kind)
{
    return kind == LC_PLAN_ONLY_HIDDEN
               ? "a plan does not show a count or for_each that is a bare function call"
               : "a plan shows what the expression refers to, not what it is";
}

static void find_keys(lc_plan_only *o, lc_plan_only_instance_keys *keys,
                      const lc_plan_only_module *m, const lc_node *block, lc_str text)
{
    static const lc_key none = {LC_KEY_NONE, 0, {"", 0}};
    const lc_node *count = lc_node_given(block, "count_expression");
    const lc_node *each = lc_node_given(block, "for_each_expression");
    keys->kind = count ? LC_PLAN_ONLY_COUNT : each ? LC_PLAN_ONLY_EACH : LC_PLAN_ONLY_HIDDEN;
    const lc_expr *e = count || each ? resolve(o, m, count ? count : each) : NULL;
    if (e) {
        keys->certain = expand(o, keys, e);
    } else if (keys->kind == LC_PLAN_ONLY_HIDDEN && is_one(o, block)) {
        keys->kind = LC_PLAN_ONLY_ONE;
        keys->certain = true;
        keys->list = &none;
        keys->count = 1;
    }
    if (!keys->certain) {
        take_told(o, keys, text);
        keys->undecided = undecided_of(keys->kind);
    }
}

const lc_plan_only_instance_keys *lc_plan_only_keys(lc_plan_only *o, const lc_plan_only_module *m,
                                                    const lc_node *block, lc_str text)
{
    lc_plan_only_instance_keys *keys = LC_NEW(o->arena, lc_plan_only_instance_keys);
    keys->gap = -1;
    lc_table_init(&keys->by_text, o->arena);
    find_keys(o, keys, m, block, text);
    o->expanded += keys->count;
    for (size_t i = 0; i < keys->count; i++)
        add_key(o, keys, keys->list[i]);
    lc_table_put(&o->keys, text, keys);
    return keys;
}
