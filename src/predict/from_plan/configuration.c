/* The configuration as a plan prints it, in the form of one read from files.
 *
 * A plan prints blocks, literal counts and keys, and the references of other expressions. It
 * prints no locals, no lifecycle settings and no moved, removed or import blocks, and omits an
 * expression that is a bare function call. What is not printed therefore becomes an undecided
 * expression with the printed references; and a block without count and for_each may have one of
 * them nevertheless. */
#include "predict/from_plan/internal.h"

/* State while the configuration is read. */
typedef struct plan_reader {
    lc_arena *arena;
    const lc_plan *plan;
    lc_configuration *config;
    LC_VEC(const lc_node *) nodes; /* printed modules, by module index */
    lc_finder values;              /* values of root variables */
} plan_reader;

/* ---- Expressions. */

static bool is_template(lc_str text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if ((text.ptr[i] == '$' || text.ptr[i] == '%') && text.ptr[i + 1] == '{')
            return true;
    }
    return false;
}

/* A literal object with templates as keys is not complete. */
static bool has_template_key(const lc_node *mapping)
{
    for (uint32_t i = 0; i < mapping->count; i++) {
        if (is_template(mapping->as.members[i].key))
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

/* In a configuration written in JSON syntax the plan prints templates as text, together with their
 * references. NULL: the text is not such a template, but a literal that looks like one. */
static const lc_expr *parse_template(const plan_reader *p, const lc_node *expression,
                                     const lc_node *constant, lc_references *refs)
{
    const lc_expr *e;
    lc_eval_error trouble;
    lc_source_pos place = lc_source_pos_of(p->plan->source, constant);
    if (!lc_template_parse(&e, p->arena, constant->as.text, place, &trouble))
        return NULL;
    refs->arena = p->arena;
    lc_expr_references(refs, e);
    bool fits = !refs->list.count ? !references_of(expression)
                                  : is_listed(references_of(expression), refs->list.items[0]->text);
    return fits ? e : NULL;
}

/* The expression, if the plan prints all of it: a literal, a template without references, or a
 * plain reference to a variable. NULL: it does not. */
static const lc_expr *printed_expression(const plan_reader *p, const lc_node *expression)
{
    const lc_node *constant = lc_node_given(expression, "constant_value");
    bool text = constant && constant->kind == LC_NODE_STRING && is_template(constant->as.text);
    if (!constant || (constant->kind == LC_NODE_MAPPING && has_template_key(constant)))
        return NULL;
    if (!text)
        return constant->kind != LC_NODE_MAPPING && references_of(expression)
                   ? NULL
                   : lc_expr_literal(p->arena, p->plan->source, constant);
    lc_references refs = {0};
    const lc_expr *e = parse_template(p, expression, constant, &refs);
    const lc_reference *one = e ? lc_expr_reference(lc_expr_unwrapped(e)) : NULL;
    bool variable = one && one->root == LC_ROOT_VARIABLE && !one->count;
    return !refs.list.count || variable ? e : NULL;
}

typedef struct expr_list {
    LC_VEC(const lc_expr *) list;
} expr_list;

static void add_references(expr_list *out, const plan_reader *p, const lc_node *list)
{
    for (uint32_t i = 0; list && list->kind == LC_NODE_SEQUENCE && i < list->count; i++) {
        const lc_node *item = &list->as.items[i];
        const lc_expr *e;
        lc_eval_error trouble;
        if (item->kind == LC_NODE_STRING &&
            lc_traversal_parse(&e, p->arena, item->as.text, lc_source_pos_of(p->plan->source, item),
                               &trouble))
            *LC_PUSH(p->arena, &out->list, const lc_expr *) = e;
    }
}

/* Recursion is bounded by the limit for the nesting of JSON. */
static void find_references(expr_list *out, const plan_reader *p, const lc_node *node)
{
    for (uint32_t i = 0; node && node->kind == LC_NODE_MAPPING && i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_str_is(m->key, "references"))
            add_references(out, p, &m->value);
        if (!lc_str_is(m->key, "constant_value"))
            find_references(out, p, &m->value);
    }
    for (uint32_t i = 0; node && node->kind == LC_NODE_SEQUENCE && i < node->count; i++)
        find_references(out, p, &node->as.items[i]);
}

/* An undecided expression with the references that it has. */
static const lc_expr *not_printed(const plan_reader *p, const expr_list *about, const lc_node *node)
{
    return lc_expr_undecided_about(
        p->arena, LC_STR("a plan shows what the expression refers to, not the expression"),
        about->list.items, about->list.count, lc_source_pos_of(p->plan->source, node));
}

static const lc_expr *expression_of(const plan_reader *p, const lc_node *node)
{
    const lc_expr *e = printed_expression(p, node);
    expr_list about = {0};
    if (e)
        return e;
    find_references(&about, p, node);
    return not_printed(p, &about, node);
}

/* The value of a variable. The plan does not contain its type: for numbers and strings that makes
 * no difference where a number is required, but objects may have attributes with defaults. */
static const lc_expr *value_of_variable(const plan_reader *p, const lc_expr *e, const lc_node *node)
{
    const lc_value *v = lc_expr_constant(e);
    const expr_list none = {0};
    bool plain = v && !lc_is_null(v) && lc_type_is_primitive(v->type);
    return plain || lc_expr_reference(lc_expr_unwrapped(e)) ? e : not_printed(p, &none, node);
}

/* True if something within is printed as a template. Then the block is written in JSON syntax, for
 * which the plan prints all arguments. */
static bool is_json(const plan_reader *p, const lc_node *node)
{
    if (!node)
        return false;
    const lc_node *constant =
        node->kind == LC_NODE_MAPPING ? lc_node_given(node, "constant_value") : NULL;
    lc_references refs = {0};
    if (constant && constant->kind == LC_NODE_STRING && references_of(node))
        return is_template(constant->as.text) && parse_template(p, node, constant, &refs) &&
               refs.list.count;
    for (uint32_t i = 0; !constant && node->kind == LC_NODE_MAPPING && i < node->count; i++) {
        if (is_json(p, &node->as.members[i].value))
            return true;
    }
    for (uint32_t i = 0; node->kind == LC_NODE_SEQUENCE && i < node->count; i++) {
        if (is_json(p, &node->as.items[i]))
            return true;
    }
    return false;
}

/* ---- Blocks. */

/* `enabled` in lifecycle blocks (OpenTofu) is never printed. */
static void read_repetition(lc_config_repetition *out, const plan_reader *p, const lc_node *block)
{
    const lc_node *count = lc_node_given(block, "count_expression");
    const lc_node *each = count ? NULL : lc_node_given(block, "for_each_expression");
    if (count)
        out->count = expression_of(p, count);
    else if (each)
        out->for_each = expression_of(p, each);
    else
        out->may_be_hidden =
            !p->plan->by_terraform || !is_json(p, lc_node_given(block, "expressions"));
}

/* An argument is undecided: only what it refers to is printed. The references of depends_on are
 * those of an argument, too. */
static const lc_expr *read_body(const plan_reader *p, const lc_node *node)
{
    const lc_node *given = lc_node_given(node, "expressions");
    const lc_node *needs = lc_node_given(node, "depends_on");
    uint32_t count = given && given->kind == LC_NODE_MAPPING ? given->count : 0;
    lc_expr_member *members = LC_NEW_ARRAY(p->arena, lc_expr_member, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        expr_list about = {0};
        find_references(&about, p, &given->as.members[i].value);
        members[i] = (lc_expr_member){.name = given->as.members[i].key,
                                      .value = not_printed(p, &about, &given->as.members[i].value)};
    }
    if (needs) {
        expr_list about = {0};
        add_references(&about, p, needs);
        members[count++] =
            (lc_expr_member){.name = LC_STR("depends_on"), .value = not_printed(p, &about, needs)};
    }
    return lc_expr_object(p->arena, members, count, lc_source_pos_of(p->plan->source, node));
}

/* The body is undecided; only its references count. */
static void read_resource(const plan_reader *p, lc_module *m, const lc_node *node)
{
    lc_str mode = lc_node_text(node, "mode");
    lc_address address = {
        .type = lc_node_text(node, "type"), .name = lc_node_text(node, "name"), .key = LC_NO_KEY};
    address.mode = lc_str_is(mode, "data") ? LC_MODE_DATA : LC_MODE_MANAGED;
    lc_str text = lc_address_text(p->arena, &address);
    if (!address.type.len || !address.name.len || lc_table_get(&m->resource, text) ||
        (!lc_str_is(mode, "data") && !lc_str_is(mode, "managed")))
        return;
    lc_config_resource *c = LC_NEW(p->arena, lc_config_resource);
    c->lifecycle = &lc_config_no_lifecycle;
    c->module = m;
    c->mode = address.mode;
    c->type = address.type;
    c->name = address.name;
    c->address = text;
    c->place = lc_source_pos_of(p->plan->source, node);
    c->body = read_body(p, node);
    read_repetition(&c->repetition, p, node);
    *LC_PUSH(p->arena, &m->resources, lc_config_resource *) = c;
    lc_table_put(&m->resource, text, c);
}

/* A root variable has the value with which the plan was made, or its default. */
static void read_variable(plan_reader *p, lc_module *m, const lc_member *declared)
{
    const lc_node *given = m->parent ? NULL : lc_finder_get(&p->values, declared->key);
    const lc_node *value =
        given ? lc_node_given(given, "value") : lc_node_given(&declared->value, "default");
    lc_config_variable *v = LC_NEW(p->arena, lc_config_variable);
    v->name = declared->key;
    v->place = lc_source_pos_of(p->plan->source, &declared->value);
    if (value)
        v->initial = value_of_variable(p, lc_expr_literal(p->arena, p->plan->source, value), value);
    *LC_PUSH(p->arena, &m->variables, lc_config_variable *) = v;
    lc_table_put(&m->variable, v->name, v);
}

static const lc_expr *read_arguments(const plan_reader *p, const lc_node *call)
{
    const lc_node *given = lc_node_given(call, "expressions");
    uint32_t count = given && given->kind == LC_NODE_MAPPING ? given->count : 0;
    lc_expr_member *members = LC_NEW_ARRAY(p->arena, lc_expr_member, count);
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *node = &given->as.members[i].value;
        const lc_expr *e = printed_expression(p, node);
        members[i] =
            (lc_expr_member){.name = given->as.members[i].key,
                             .value = e ? value_of_variable(p, e, node) : expression_of(p, node)};
    }
    return lc_expr_object(p->arena, members, count, lc_source_pos_of(p->plan->source, call));
}

static void read_output(const plan_reader *p, lc_module *m, const lc_member *declared)
{
    const lc_node *value = lc_node_given(&declared->value, "expression");
    lc_config_output *o = LC_NEW(p->arena, lc_config_output);
    o->name = declared->key;
    o->place = lc_source_pos_of(p->plan->source, &declared->value);
    if (value)
        o->value = expression_of(p, value);
    *LC_PUSH(p->arena, &m->outputs, lc_config_output *) = o;
    lc_table_put(&m->output, o->name, o);
}

static lc_module *add_module(plan_reader *p, lc_module *parent, const lc_config_call *call,
                             const lc_node *node)
{
    lc_module *m = lc_config_module_new(p->arena, parent, call);
    *LC_PUSH(p->arena, &p->config->modules, lc_module *) = m;
    *LC_PUSH(p->arena, &p->nodes, const lc_node *) = node;
    return m;
}

static void read_call(plan_reader *p, lc_module *m, const lc_member *member)
{
    lc_config_call *c = LC_NEW(p->arena, lc_config_call);
    c->module = m;
    c->name = member->key;
    c->place = lc_source_pos_of(p->plan->source, &member->value);
    c->arguments = read_arguments(p, &member->value);
    read_repetition(&c->repetition, p, &member->value);
    c->child = add_module(p, m, c, lc_node_given(&member->value, "module"));
    *LC_PUSH(p->arena, &m->calls, lc_config_call *) = c;
    lc_table_put(&m->call_by_name, c->name, c);
}

static void read_module(plan_reader *p, lc_module *m, const lc_node *node)
{
    const lc_node *variables = lc_node_given(node, "variables");
    const lc_node *blocks = lc_node_given(node, "resources");
    const lc_node *calls = lc_node_given(node, "module_calls");
    const lc_node *outputs = lc_node_given(node, "outputs");
    for (uint32_t i = 0; variables && variables->kind == LC_NODE_MAPPING && i < variables->count;
         i++)
        read_variable(p, m, &variables->as.members[i]);
    for (uint32_t i = 0; blocks && blocks->kind == LC_NODE_SEQUENCE && i < blocks->count; i++)
        read_resource(p, m, &blocks->as.items[i]);
    for (uint32_t i = 0; calls && calls->kind == LC_NODE_MAPPING && i < calls->count; i++)
        read_call(p, m, &calls->as.members[i]);
    for (uint32_t i = 0; outputs && outputs->kind == LC_NODE_MAPPING && i < outputs->count; i++)
        read_output(p, m, &outputs->as.members[i]);
}

const lc_configuration *lc_plan_configuration(lc_arena *arena, const lc_plan *plan)
{
    lc_configuration *config = LC_NEW(arena, lc_configuration);
    plan_reader p = {.arena = arena, .plan = plan, .config = config};
    p.values = (lc_finder){.arena = arena, .node = lc_node_given(plan->root, "variables")};
    config->arena = arena;
    config->profile = plan->by_terraform ? LC_PROFILE_TERRAFORM : LC_PROFILE_OPENTOFU;
    lc_client_evidence evidence = {true, LC_STR_EMPTY, plan->version, LC_STR_EMPTY};
    lc_client_find(config, &evidence);
    config->root = add_module(&p, NULL, NULL, plan->root_module);
    /* The list grows during the loop: callers before called modules. */
    for (size_t i = 0; i < config->modules.count; i++)
        read_module(&p, config->modules.items[i], p.nodes.items[i]);
    return config;
}
