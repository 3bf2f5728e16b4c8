/* The blocks of one file, except resources and module calls (resource.c). */
#include "configuration/blocks.h"

#include "lifecheck/core_message.h"
#include "lifecheck/variable.h"

/* ---- terraform. */

static void read_aliases(lc_config_reader *r, lc_config_required *req, const lc_node *node)
{
    lc_config_references(r, &req->aliases, node);
}

static void read_required(lc_config_reader *r, const lc_member *m)
{
    lc_config_required *req = LC_PUSH(r->arena, &r->module->required, lc_config_required);
    *req = (lc_config_required){.local_name = m->key, .place = lc_config_key_place(r, m)};
    if (!lc_table_get(&r->module->required_by_name, m->key))
        lc_table_put_index(&r->module->required_by_name, m->key, r->module->required.count - 1);
    if (m->value.kind != LC_NODE_MAPPING)
        return; /* only a version constraint, the form of Terraform 0.12 */
    const lc_node *source = lc_node_get(&m->value, "source");
    const lc_node *aliases = lc_node_get(&m->value, "configuration_aliases");
    if (source)
        req->source = lc_config_text(r, source);
    if (aliases)
        read_aliases(r, req, aliases);
}

static void take_required(lc_config_reader *r, const lc_config_block *block)
{
    for (uint32_t i = 0; i < block->body->count; i++)
        if (!lc_config_is_comment(&block->body->as.members[i]))
            read_required(r, &block->body->as.members[i]);
}

static void take_terraform(lc_config_reader *r, const lc_config_block *block)
{
    const lc_member *m = lc_node_member(block->body, LC_STR("required_providers"));
    if (!m)
        return;
    if (r->module->requires_providers)
        lc_config_report(r, lc_config_key_place(r, m), LC_SUMMARY_DUPLICATE_REQUIRED_PROVIDERS,
                         "a module has one block required_providers");
    r->module->requires_providers = true;
    lc_config_each_body(r, &m->value, lc_config_key_place(r, m), take_required);
}

/* ---- provider. */

/* Arguments and blocks that the client itself reads or reserves; all others are the provider's. */
static const char *const provider_names[] = {
    "alias", "version", "for_each", "count", "source", "depends_on", "lifecycle", "locals", NULL};

static void read_alias(lc_config_reader *r, lc_config_provider *p, const lc_member *m)
{
    p->alias_place = lc_config_key_place(r, m);
    p->has_alias = true;
    p->alias_null = m->value.kind == LC_NODE_NULL;
    if (m->value.kind == LC_NODE_STRING)
        p->alias = m->value.as.text;
    else if (m->value.kind == LC_NODE_BOOL)
        p->alias = m->value.boolean ? LC_STR("true") : LC_STR("false");
    p->alias_valid = lc_is_identifier(p->alias);
}

/* Names that both clients reserve for future use. */
static void check_reserved(lc_config_reader *r, const lc_member *m)
{
    if (lc_str_is(m->key, "source") || lc_str_is(m->key, "depends_on"))
        lc_config_report(r, lc_config_key_place(r, m), LC_SUMMARY_RESERVED_PROVIDER_ARGUMENT,
                         "the client keeps this argument for later");
    else if (lc_str_is(m->key, "lifecycle") || lc_str_is(m->key, "locals"))
        lc_config_report(r, lc_config_key_place(r, m), LC_SUMMARY_RESERVED_PROVIDER_BLOCK,
                         "the client keeps this block for later");
}

static void take_provider(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_provider *p = LC_NEW(r->arena, lc_config_provider);
    p->module = r->module;
    p->name = block->labels[0];
    p->place = block->place;
    *LC_PUSH(r->arena, &r->module->providers, lc_config_provider *) = p;
    for (uint32_t i = 0; i < block->body->count; i++) {
        const lc_member *m = &block->body->as.members[i];
        lc_source_pos place = lc_config_key_place(r, m);
        if (lc_str_is(m->key, "alias")) {
            read_alias(r, p, m);
        } else if (lc_str_is(m->key, "for_each")) {
            p->repetition.for_each = lc_config_template(r, &m->value);
            p->repetition.for_each_place = place;
        } else if (lc_str_is(m->key, "count")) {
            p->repetition.count = lc_config_template(r, &m->value);
            p->repetition.count_place = place;
        }
        p->has_version |= lc_str_is(m->key, "version");
        check_reserved(r, m);
    }
    p->body = lc_config_rest(r, block->body, provider_names, true, &p->argument_count);
}

/* ---- variable, locals, output. */

static const char *const variable_names[] = {"description", "type",      "default",  "validation",
                                             "sensitive",   "ephemeral", "nullable", "deprecated",
                                             "const",       NULL};
/* Terraform has neither `deprecated` nor `const`. */
static const char *const variable_terraform[] = {
    "description", "type", "default", "validation", "sensitive", "ephemeral", "nullable", NULL};

/* What is wrong with the variable `name`. */
static void report_all(lc_config_reader *r, lc_str name, const lc_eval_error *errors)
{
    for (; errors; errors = errors->next) {
        lc_config_problem *p = lc_config_problem_add(r->config, errors->place, "");
        p->summary = errors->summary;
        p->detail = errors->detail;
        p->address = name;
    }
}

/* The default is literal, and has to fit the type. */
static void read_initial(lc_config_reader *r, lc_config_variable *v, const lc_node *node)
{
    lc_eval_error trouble;
    const lc_expr *literal = lc_expr_literal(r->arena, r->source, node);
    if (!lc_variable_default(v, r->arena, literal, &trouble))
        report_all(r, v->name, &trouble);
}

/* A flag that is not a literal counts as not set. */
static bool flag_is(lc_config_reader *r, const lc_node *body, const char *name, bool value)
{
    const lc_member *m = lc_node_member(body, lc_str_from_c(name));
    lc_config_flag flag = {0};
    if (m)
        flag = lc_config_read_flag(r, m);
    return flag.literal && flag.value == value;
}

static void read_variable(lc_config_reader *r, lc_config_variable *v, const lc_node *body)
{
    const lc_node *type = lc_node_get(body, "type"), *initial = lc_node_get(body, "default");
    lc_eval_error trouble;
    if (type && !lc_constraint_read_json(&v->constraint, r->arena, r->source, type, &trouble))
        report_all(r, v->name, &trouble);
    v->sensitive = flag_is(r, body, "sensitive", true);
    v->ephemeral = flag_is(r, body, "ephemeral", true);
    v->not_nullable = flag_is(r, body, "nullable", false);
    v->constant_false = flag_is(r, body, "const", false);
    if (initial)
        read_initial(r, v, initial);
    const lc_node *validations = lc_node_get(body, "validation");
    if (validations)
        lc_config_conditions_read(r, &v->validations, validations);
}

static void take_variable(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_variable *v = LC_NEW(r->arena, lc_config_variable);
    v->name = block->labels[0];
    v->place = block->place;
    lc_config_check_name(r, v->name, v->place, LC_SUMMARY_VARIABLE_NAME);
    lc_config_only(r, block->body,
                   r->config->profile == LC_PROFILE_TERRAFORM ? variable_terraform
                                                              : variable_names);
    if (lc_table_get(&r->module->variable, v->name)) {
        lc_config_report(r, v->place, LC_SUMMARY_DUPLICATE_VARIABLE,
                         "the module declares it twice");
        return;
    }
    lc_table_put(&r->module->variable, v->name, v);
    *LC_PUSH(r->arena, &r->module->variables, lc_config_variable *) = v;
    read_variable(r, v, block->body);
}

static void take_locals(lc_config_reader *r, const lc_config_block *block)
{
    for (uint32_t i = 0; i < block->body->count; i++) {
        const lc_member *m = &block->body->as.members[i];
        if (lc_config_is_comment(m))
            continue;
        lc_config_check_name(r, m->key, lc_config_key_place(r, m), LC_SUMMARY_LOCAL_NAME);
        if (lc_table_get(&r->module->local, m->key)) {
            lc_config_report(r, lc_config_key_place(r, m), LC_SUMMARY_DUPLICATE_LOCAL,
                             "the module defines it twice");
            continue;
        }
        lc_config_local *local = LC_NEW(r->arena, lc_config_local);
        *local =
            (lc_config_local){m->key, lc_config_template(r, &m->value), lc_config_key_place(r, m)};
        lc_table_put(&r->module->local, m->key, local);
        *LC_PUSH(r->arena, &r->module->locals, lc_config_local *) = local;
    }
}

static const char *const output_names[] = {"description", "value",        "sensitive",  "ephemeral",
                                           "depends_on",  "precondition", "deprecated", NULL};

static void take_output(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_output *o = LC_NEW(r->arena, lc_config_output);
    o->name = block->labels[0];
    o->place = block->place;
    lc_config_check_name(r, o->name, o->place, LC_SUMMARY_OUTPUT_NAME);
    lc_config_only(r, block->body, output_names);
    if (lc_table_get(&r->module->output, o->name)) {
        lc_config_report(r, o->place, LC_SUMMARY_DUPLICATE_OUTPUT, "the module defines it twice");
        return;
    }
    lc_table_put(&r->module->output, o->name, o);
    *LC_PUSH(r->arena, &r->module->outputs, lc_config_output *) = o;
    const lc_node *value = lc_node_get(block->body, "value");
    const lc_node *depends = lc_node_get(block->body, "depends_on");
    const lc_node *conditions = lc_node_get(block->body, "precondition");
    if (value)
        o->value = lc_config_template(r, value);
    if (depends)
        lc_config_references(r, &o->depends_on, depends);
    if (conditions)
        lc_config_conditions_read(r, &o->preconditions, conditions);
    o->sensitive = flag_is(r, block->body, "sensitive", true);
    o->ephemeral = flag_is(r, block->body, "ephemeral", true);
}

/* ---- moved, removed, import. */

static const char *const moved_names[] = {"from", "to", NULL};
static const char *const removed_names[] = {"from", "lifecycle", "provisioner", "connection", NULL};
static const char *const removed_lifecycle[] = {"destroy", NULL};
static const char *const import_names[] = {"to", "id", "identity", "for_each", "provider", NULL};

/* The reference that an argument contains; a problem if the argument is missing. */
static lc_config_ref required_reference(lc_config_reader *r, const lc_config_block *block,
                                        const char *name)
{
    const lc_node *node = lc_node_get(block->body, name);
    if (node)
        return lc_config_reference(r, node);
    lc_config_problem *p =
        lc_config_problem_add(r->config, block->place, LC_SUMMARY_MISSING_ARGUMENT);
    p->detail = lc_str_printf(r->arena, "the argument %s is required", name);
    return (lc_config_ref){.place = block->place};
}

static void take_moved(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_only(r, block->body, moved_names);
    lc_config_ref from = required_reference(r, block, "from");
    lc_config_ref to = required_reference(r, block, "to");
    *LC_PUSH(r->arena, &r->module->moved, lc_config_moved) =
        (lc_config_moved){r->module, from, to, block->place};
}

static void take_removed(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_only(r, block->body, removed_names);
    lc_config_removed removed = {
        .module = r->module, .from = required_reference(r, block, "from"), .place = block->place};
    const lc_node *lifecycle = lc_node_get(block->body, "lifecycle");
    uint32_t count = !lifecycle ? 0 : lifecycle->kind == LC_NODE_SEQUENCE ? lifecycle->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *body =
            lifecycle->kind == LC_NODE_SEQUENCE ? &lifecycle->as.items[i] : lifecycle;
        if (body->kind != LC_NODE_MAPPING)
            continue;
        lc_config_only(r, body, removed_lifecycle);
        const lc_member *destroy = lc_node_member(body, LC_STR("destroy"));
        if (destroy)
            removed.destroy = lc_config_static_flag(r, destroy);
    }
    *LC_PUSH(r->arena, &r->module->removed, lc_config_removed) = removed;
}

static void take_import(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_only(r, block->body, import_names);
    lc_config_import import = {
        .module = r->module, .to = required_reference(r, block, "to"), .place = block->place};
    const lc_node *id = lc_node_get(block->body, "id"),
                  *identity = lc_node_get(block->body, "identity"),
                  *each = lc_node_get(block->body, "for_each"),
                  *provider = lc_node_get(block->body, "provider");
    import.id = id ? lc_config_template(r, id) : NULL;
    import.identity = identity ? lc_config_template(r, identity) : NULL;
    import.for_each = each ? lc_config_template(r, each) : NULL;
    if (provider) {
        lc_config_ref *ref = LC_NEW(r->arena, lc_config_ref);
        *ref = lc_config_reference(r, provider);
        import.provider = ref;
    }
    *LC_PUSH(r->arena, &r->module->imports, lc_config_import) = import;
}

/* ---- check. */

typedef struct nested {
    lc_config_reader *r;
    lc_str check;
} nested;

/* Data sources nested in a check block belong to the module like all others; only the name of the
 * check is noted with them. */
static void read_check_data(lc_config_reader *r, const lc_node *types, lc_str check)
{
    for (uint32_t i = 0; i < types->count; i++) {
        const lc_member *type = &types->as.members[i];
        if (type->value.kind != LC_NODE_MAPPING || lc_config_is_comment(type))
            continue;
        for (uint32_t k = 0; k < type->value.count; k++) {
            const lc_member *name = &type->value.as.members[k];
            lc_config_block block = {
                {type->key, name->key}, lc_config_key_place(r, name), &name->value};
            if (name->value.kind == LC_NODE_MAPPING && !lc_config_is_comment(name))
                lc_config_read_resource(r, &block, LC_MODE_DATA, check);
        }
    }
}

static void take_check(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_check *check = LC_PUSH(r->arena, &r->module->checks, lc_config_check);
    *check = (lc_config_check){.name = block->labels[0], .place = block->place};
    lc_config_check_name(r, check->name, check->place, LC_SUMMARY_CHECK_NAME);
    const lc_node *asserts = lc_node_get(block->body, "assert");
    const lc_node *data = lc_node_get(block->body, "data");
    if (asserts)
        lc_config_conditions_read(r, &check->asserts, asserts);
    uint32_t count = !data ? 0 : data->kind == LC_NODE_SEQUENCE ? data->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *types = data->kind == LC_NODE_SEQUENCE ? &data->as.items[i] : data;
        if (types->kind == LC_NODE_MAPPING)
            read_check_data(r, types, block->labels[0]);
    }
}

/* ---- Files. */

static void take_resource(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_read_resource(r, block, LC_MODE_MANAGED, LC_STR_EMPTY);
}

static void take_data(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_read_resource(r, block, LC_MODE_DATA, LC_STR_EMPTY);
}

static void take_ephemeral(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_read_resource(r, block, LC_MODE_EPHEMERAL, LC_STR_EMPTY);
}

/* The root keys of a file. Both cores accept keys for which `take` is NULL, but nothing in such
 * blocks affects a prediction. */
static const struct {
    const char *name;
    unsigned labels;
    config_take take; /* NULL: the block is not examined */
} kinds[] = {
    {"terraform", 0, take_terraform},
    {"provider", 1, take_provider},
    {"variable", 1, take_variable},
    {"locals", 0, take_locals},
    {"output", 1, take_output},
    {"module", 1, lc_config_read_call},
    {"resource", 2, take_resource},
    {"data", 2, take_data},
    {"ephemeral", 2, take_ephemeral},
    {"moved", 0, take_moved},
    {"removed", 0, take_removed},
    {"import", 0, take_import},
    {"check", 1, take_check},
    {"action", 2, NULL},
    {"language", 0, NULL},
};

static void read_member(lc_config_reader *r, const lc_member *m)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!lc_str_is(m->key, kinds[i].name))
            continue;
        if (kinds[i].take)
            lc_config_each_block(r, m, kinds[i].labels, kinds[i].take);
        return;
    }
    lc_config_report(r, lc_config_key_place(r, m), LC_SUMMARY_EXTRANEOUS_PROPERTY,
                     "no block of this kind is known");
}

/* JSON syntax allows an object or an array of objects as the root of a file. */
static void read_root(lc_config_reader *r, const lc_node *root)
{
    if (root->kind != LC_NODE_MAPPING) {
        lc_config_report(r, lc_config_place(r, root), LC_SUMMARY_INCORRECT_JSON_TYPE,
                         "a file holds an object or an array of objects");
        return;
    }
    for (uint32_t i = 0; i < root->count; i++)
        if (!lc_config_is_comment(&root->as.members[i]))
            read_member(r, &root->as.members[i]);
}

void lc_config_read_file(lc_config_reader *r, const lc_config_file *file)
{
    r->source = file->source;
    r->converted = file->converted;
    if (file->root->kind != LC_NODE_SEQUENCE) {
        read_root(r, file->root);
        return;
    }
    for (uint32_t i = 0; i < file->root->count; i++)
        read_root(r, &file->root->as.items[i]);
}
