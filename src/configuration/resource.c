/* Blocks of resources, data sources, ephemeral resources and module calls. */
#include "configuration/reader.h"
#include "lifecheck/core_message.h"

/* ---- Repetition. */

static void read_repetition(lc_config_reader *r, lc_config_repetition *out, const lc_node *body)
{
    const lc_member *count = lc_node_member(body, LC_STR("count"));
    const lc_member *each = lc_node_member(body, LC_STR("for_each"));
    if (count) {
        out->count = lc_config_template(r, &count->value);
        out->count_place = lc_config_key_place(r, count);
    }
    if (each) {
        out->for_each = lc_config_template(r, &each->value);
        out->for_each_place = lc_config_key_place(r, each);
    }
    if (count && each)
        lc_config_report(r, out->for_each_place,
                         LC_SUMMARY_INVALID_COMBINATION "\"count\" and \"for_each\"",
                         "a block is repeated in one way");
}

/* `enabled` of a lifecycle block (OpenTofu only). It excludes count and for_each, which are read
 * before the lifecycle block. */
static void read_enabled(lc_config_reader *r, lc_config_repetition *out, const lc_member *m)
{
    out->enabled = lc_config_template(r, &m->value);
    out->enabled_place = lc_config_key_place(r, m);
    if (out->count || out->for_each)
        lc_config_report(r, out->enabled_place,
                         out->count ? LC_SUMMARY_INVALID_COMBINATION "\"count\" and \"enabled\""
                                    : LC_SUMMARY_INVALID_COMBINATION "\"enabled\" and \"for_each\"",
                         "a block is repeated in one way");
}

/* ---- Conditions. */

/* Conditions without a body that is an object are skipped; missing arguments stay NULL. */
void lc_config_conditions_read(lc_config_reader *r, lc_config_conditions *out, const lc_node *node)
{
    uint32_t count = node->kind == LC_NODE_SEQUENCE ? node->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *body = node->kind == LC_NODE_SEQUENCE ? &node->as.items[i] : node;
        if (body->kind != LC_NODE_MAPPING)
            continue;
        lc_config_condition *c = LC_PUSH(r->arena, &out->list, lc_config_condition);
        const lc_node *condition = lc_node_get(body, "condition");
        const lc_node *message = lc_node_get(body, "error_message");
        c->place = lc_config_place(r, body);
        c->condition = condition ? lc_config_template(r, condition) : NULL;
        c->message = message ? lc_config_template(r, message) : NULL;
    }
}

/* ---- lifecycle. */

/* `ignore_changes` is the keyword "all" or a list of references. */
static void read_ignored(lc_config_reader *r, lc_config_lifecycle *out, const lc_node *node)
{
    if (node->kind == LC_NODE_STRING && lc_str_is(node->as.text, "all"))
        out->ignore_all = true;
    else
        lc_config_references(r, &out->ignore_changes, node);
}

/* The arguments of lifecycle blocks that OpenTofu accepts, and those of Terraform. */
static const char *const lifecycle_names[] = {"create_before_destroy",
                                              "prevent_destroy",
                                              "ignore_changes",
                                              "replace_triggered_by",
                                              "precondition",
                                              "postcondition",
                                              "enabled",
                                              "destroy",
                                              NULL};
static const char *const lifecycle_terraform[] = {"create_before_destroy",
                                                  "prevent_destroy",
                                                  "ignore_changes",
                                                  "replace_triggered_by",
                                                  "precondition",
                                                  "postcondition",
                                                  NULL};

/* OpenTofu requires `destroy` to be a literal bool: there is neither conversion nor evaluation. */
static lc_config_flag read_constant_flag(lc_config_reader *r, const lc_member *m)
{
    lc_config_flag flag = lc_config_read_flag(r, m);
    const lc_value *v = flag.given ? lc_expr_constant(flag.expr) : NULL;
    flag.given = true;
    flag.literal = v && v->type->kind == LC_TYPE_BOOL && lc_is_known(v);
    flag.value = flag.literal && v->as.boolean;
    return flag;
}

/* OpenTofu evaluates prevent_destroy, but first tries it without any references. In that first step
 * a string of JSON syntax is taken as literal text, not as a template. */
static lc_config_flag read_protection(lc_config_reader *r, const lc_member *m)
{
    lc_config_flag flag = lc_config_read_flag(r, m);
    bool itself = flag.given && (lc_expr_constant(flag.expr) ||
                                 (m->value.kind == LC_NODE_STRING && !r->converted));
    flag.unfit = itself && !flag.literal;
    return flag;
}

static void read_lifecycle_member(lc_config_reader *r, lc_config_resource *res, const lc_member *m)
{
    lc_config_lifecycle *l = &res->lifecycle;
    if (lc_str_is(m->key, "create_before_destroy"))
        l->create_before_destroy = lc_config_static_flag(r, m);
    else if (lc_str_is(m->key, "prevent_destroy"))
        l->prevent_destroy = r->config->profile == LC_PROFILE_TERRAFORM
                                 ? lc_config_static_flag(r, m)
                                 : read_protection(r, m);
    else if (lc_str_is(m->key, "destroy"))
        l->destroy = read_constant_flag(r, m);
    else if (lc_str_is(m->key, "ignore_changes"))
        read_ignored(r, l, &m->value);
    else if (lc_str_is(m->key, "replace_triggered_by"))
        lc_config_references(r, &l->replace_triggered_by, &m->value);
    else if (lc_str_is(m->key, "precondition"))
        lc_config_conditions_read(r, &l->preconditions, &m->value);
    else if (lc_str_is(m->key, "postcondition"))
        lc_config_conditions_read(r, &l->postconditions, &m->value);
    else if (lc_str_is(m->key, "enabled"))
        read_enabled(r, &res->repetition, m);
}

/* JSON syntax allows an array of lifecycle blocks; the cores reject the second one. */
static void read_lifecycle(lc_config_reader *r, lc_config_resource *res, const lc_node *node)
{
    bool terraform = r->config->profile == LC_PROFILE_TERRAFORM;
    uint32_t count = node->kind == LC_NODE_SEQUENCE ? node->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *body = node->kind == LC_NODE_SEQUENCE ? &node->as.items[i] : node;
        if (body->kind != LC_NODE_MAPPING)
            continue;
        if (i > 0)
            lc_config_report(r, lc_config_place(r, body), LC_SUMMARY_DUPLICATE_LIFECYCLE,
                             "a resource has one");
        lc_config_only(r, body, terraform ? lifecycle_terraform : lifecycle_names);
        for (uint32_t k = 0; k < body->count; k++) {
            const lc_member *m = &body->as.members[k];
            if (!terraform || lc_config_named(m->key, lifecycle_terraform))
                read_lifecycle_member(r, res, m);
        }
    }
}

/* ---- Resources. */

/* Arguments and blocks that the core reads itself; all others are the provider's. */
static const char *const resource_names[] = {"count",     "for_each",    "provider",   "depends_on",
                                             "lifecycle", "provisioner", "connection", NULL};

static lc_str resource_address(lc_config_reader *r, const lc_config_resource *res)
{
    lc_address address = {.mode = res->mode, .type = res->type, .name = res->name};
    return lc_address_text(r->arena, &address);
}

/* The summaries depend on the mode of the resource; both cores print the same ones. */
static void check_names(lc_config_reader *r, const lc_config_resource *res)
{
    static const char *const types[] = {[LC_MODE_EPHEMERAL] = LC_SUMMARY_EPHEMERAL_TYPE_NAME,
                                        [LC_MODE_DATA] = LC_SUMMARY_DATA_TYPE_NAME,
                                        [LC_MODE_MANAGED] = LC_SUMMARY_RESOURCE_TYPE_NAME};
    static const char *const names[] = {[LC_MODE_EPHEMERAL] = LC_SUMMARY_EPHEMERAL_NAME,
                                        [LC_MODE_DATA] = LC_SUMMARY_DATA_NAME,
                                        [LC_MODE_MANAGED] = LC_SUMMARY_RESOURCE_NAME};
    lc_config_check_name(r, res->type, res->place, types[res->mode]);
    lc_config_check_name(r, res->name, res->place, names[res->mode]);
}

/* Registers the resource under its address, unless the module already has one of this address.
 * A duplicate is reported and not read. */
static bool declare_resource(lc_config_reader *r, lc_config_resource *res, const char *keyword)
{
    if (lc_table_get(&r->module->resource, res->address)) {
        lc_config_problem *p = lc_config_problem_add(r->config, res->place, "");
        p->summary = lc_str_printf(r->arena, "Duplicate %s \"%.*s\" configuration", keyword,
                                   LC_FMT(res->type));
        p->detail = LC_STR("the module declares it twice");
        p->address = res->address;
        return false;
    }
    lc_table_put(&r->module->resource, res->address, res);
    *LC_PUSH(r->arena, &r->module->resources, lc_config_resource *) = res;
    return true;
}

void lc_config_read_resource(lc_config_reader *r, const lc_config_block *block,
                             lc_resource_mode mode, lc_str check)
{
    const char *keyword = mode == LC_MODE_DATA        ? "data"
                          : mode == LC_MODE_EPHEMERAL ? "ephemeral"
                                                      : "resource";
    size_t count;
    lc_config_resource *res = LC_NEW(r->arena, lc_config_resource);
    res->module = r->module;
    res->mode = mode;
    res->type = block->labels[0];
    res->name = block->labels[1];
    res->place = block->place;
    res->check = check;
    res->address = resource_address(r, res);
    check_names(r, res);
    if (!declare_resource(r, res, keyword))
        return;
    read_repetition(r, &res->repetition, block->body);
    for (uint32_t i = 0; i < block->body->count; i++) {
        const lc_member *m = &block->body->as.members[i];
        if (lc_str_is(m->key, "provider")) {
            lc_config_ref *ref = LC_NEW(r->arena, lc_config_ref);
            *ref = lc_config_provider_reference(r, &m->value);
            res->provider = ref;
        } else if (lc_str_is(m->key, "depends_on")) {
            lc_config_references(r, &res->depends_on, &m->value);
        } else if (lc_str_is(m->key, "lifecycle")) {
            read_lifecycle(r, res, &m->value);
        } else if (lc_str_is(m->key, "provisioner")) {
            res->has_provisioners = true;
        } else if (lc_str_is(m->key, "connection")) {
            res->has_connection = true;
        }
    }
    res->body = lc_config_rest(r, block->body, resource_names, true, &count);
}

/* ---- Module calls. */

/* The `providers` argument of a module call. Keys are references, too. */
static void read_passed(lc_config_reader *r, lc_config_call *call, const lc_node *node)
{
    call->has_providers = true;
    if (node->kind != LC_NODE_MAPPING) {
        if (node->kind != LC_NODE_NULL)
            lc_config_report(r, lc_config_place(r, node), LC_SUMMARY_INVALID_EXPRESSION,
                             "`providers` is an object of references");
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_config_is_comment(m))
            continue;
        lc_config_passed *p = LC_PUSH(r->arena, &call->providers, lc_config_passed);
        p->child = lc_config_provider_reference_of(r, m->key, lc_config_key_place(r, m));
        p->parent = lc_config_provider_reference(r, &m->value);
    }
}

static void read_call_lifecycle(lc_config_reader *r, lc_config_call *call, const lc_member *member)
{
    if (r->config->profile == LC_PROFILE_TERRAFORM) {
        lc_config_report(r, lc_config_key_place(r, member), LC_SUMMARY_RESERVED_MODULE_BLOCK,
                         "Terraform keeps `lifecycle` of module calls for later");
        return;
    }
    const lc_node *node = &member->value;
    uint32_t count = node->kind == LC_NODE_SEQUENCE ? node->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const lc_node *body = node->kind == LC_NODE_SEQUENCE ? &node->as.items[i] : node;
        const lc_member *enabled =
            body->kind == LC_NODE_MAPPING ? lc_node_member(body, LC_STR("enabled")) : NULL;
        if (enabled)
            read_enabled(r, &call->repetition, enabled);
    }
}

static const char *const call_names[] = {"source",   "version",    "providers", "count",
                                         "for_each", "depends_on", "lifecycle", NULL};

void lc_config_read_call(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_call *call = LC_NEW(r->arena, lc_config_call);
    size_t count;
    call->module = r->module;
    call->name = block->labels[0];
    call->place = block->place;
    lc_config_check_name(r, call->name, call->place, LC_SUMMARY_MODULE_NAME);
    if (lc_table_get(&r->module->call_by_name, call->name)) {
        lc_config_report(r, block->place, LC_SUMMARY_DUPLICATE_MODULE,
                         "the module calls two modules by this name");
        return;
    }
    lc_table_put(&r->module->call_by_name, call->name, call);
    *LC_PUSH(r->arena, &r->module->calls, lc_config_call *) = call;
    read_repetition(r, &call->repetition, block->body);
    for (uint32_t i = 0; i < block->body->count; i++) {
        const lc_member *m = &block->body->as.members[i];
        if (lc_str_is(m->key, "source"))
            call->source = lc_config_text(r, &m->value);
        else if (lc_str_is(m->key, "providers"))
            read_passed(r, call, &m->value);
        else if (lc_str_is(m->key, "depends_on"))
            lc_config_references(r, &call->depends_on, &m->value);
        else if (lc_str_is(m->key, "lifecycle"))
            read_call_lifecycle(r, call, m);
    }
    call->arguments = lc_config_rest(r, block->body, call_names, false, &count);
}
