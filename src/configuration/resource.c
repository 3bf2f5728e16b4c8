/* Blocks of resources, data sources, ephemeral resources and module calls. */
#include "configuration/body.h"

#include "lifecheck/catalog/core_message.h"

#include <string.h>

/* ---- Repetition. */

void lc_config_read_repetition(lc_config_reader *r, lc_config_repetition *out,
                               const lc_body_content *content)
{
    const lc_config_argument *count = lc_body_argument(content, "count");
    const lc_config_argument *each = lc_body_argument(content, "for_each");
    if (count) {
        out->count = lc_config_template(r, count->value);
        out->count_place = count->place;
    }
    if (each) {
        out->for_each = lc_config_template(r, each->value);
        out->for_each_place = each->place;
    }
}

/* A block is repeated in one way. */
static void check_repetition(lc_config_reader *r, const lc_config_repetition *n)
{
    bool tofu = r->config->profile == LC_PROFILE_OPENTOFU;
    if (n->count && n->for_each)
        lc_config_report(r, tofu ? n->count_place : n->for_each_place,
                         LC_SUMMARY_INVALID_COMBINATION "\"count\" and \"for_each\"",
                         "only one of the two is allowed");
    else if (n->enabled && n->count)
        lc_config_report(r, n->enabled_place,
                         LC_SUMMARY_INVALID_COMBINATION "\"count\" and \"enabled\"",
                         "only one of the two is allowed");
    else if (n->enabled && n->for_each)
        lc_config_report(r, n->enabled_place,
                         LC_SUMMARY_INVALID_COMBINATION "\"enabled\" and \"for_each\"",
                         "only one of the two is allowed");
}

/* `enabled` of a lifecycle block (OpenTofu only). */
static void read_enabled(lc_config_reader *r, lc_config_repetition *out,
                         const lc_body_content *lifecycle)
{
    const lc_config_argument *enabled = lc_body_argument(lifecycle, "enabled");
    if (!enabled)
        return;
    out->enabled = lc_config_template(r, enabled->value);
    out->enabled_place = enabled->place;
}

/* ---- Conditions. */

static bool has_references(lc_config_reader *r, const lc_expr *expr)
{
    lc_references refs = {r->arena, {NULL, 0, 0}};
    lc_expr_references(&refs, expr);
    return refs.list.count > 0;
}

/* A condition without any reference is an error, because it is constant. */
bool lc_config_read_condition(lc_config_reader *r, lc_config_conditions *out,
                              const lc_config_block *block)
{
    static const lc_body_name names[] = {
        {"condition", LC_NAME_REQUIRED, 0}, {"error_message", LC_NAME_REQUIRED, 0}, {NULL, 0, 0}};
    size_t known = r->config->problems.count;
    if (r->overriding) {
        lc_config_report(r, block->declared, "", "such blocks belong into other files")->summary =
            lc_str_printf(r->arena, "Can't override %s blocks", block->type);
        return false;
    }
    lc_body_content content = lc_body_read(r, &block->body, names);
    const lc_config_argument *condition = lc_body_argument(&content, "condition");
    const lc_config_argument *message = lc_body_argument(&content, "error_message");
    lc_config_condition *c = LC_PUSH(r->arena, &out->list, lc_config_condition);
    *c = (lc_config_condition){.place = block->place};
    if (message)
        c->message = lc_config_template(r, message->value);
    if (condition)
        c->condition = lc_config_template(r, condition->value);
    if (c->condition && !has_references(r, c->condition)) {
        lc_source_pos place = lc_config_value_place(condition->value);
        lc_config_report(r, place, "",
                         "a condition must refer to an object, otherwise it checks "
                         "nothing")
            ->summary = lc_str_printf(r->arena, "Invalid %s expression", block->type);
    }
    return r->config->problems.count == known;
}

/* ---- lifecycle. */

static const lc_body_name lifecycle_names[] = {
    {"create_before_destroy", LC_NAME_ARGUMENT, 0},
    {"prevent_destroy", LC_NAME_ARGUMENT, 0},
    {"ignore_changes", LC_NAME_ARGUMENT, 0},
    {"replace_triggered_by", LC_NAME_ARGUMENT, LC_SINCE(2, 0)},
    {"enabled", LC_NAME_ARGUMENT, LC_OT | LC_SINCE(0, 11)},
    {"destroy", LC_NAME_ARGUMENT, LC_SINCE(16, 12)},
    {"precondition", LC_NAME_BLOCK, LC_SINCE(2, 0)},
    {"postcondition", LC_NAME_BLOCK, LC_SINCE(2, 0)},
    {"action_trigger", LC_NAME_BLOCK, LC_TF | LC_SINCE(14, 0)},
    {NULL, 0, 0}};

/* `["*"]` was the keyword once. */
static bool is_star(lc_config_reader *r, lc_config_value value)
{
    const lc_expr *expr = value.expr ? value.expr : lc_config_template(r, value);
    const lc_value *v = lc_expr_constant(expr);
    return v && lc_is_known(v) && v->type->kind == LC_TYPE_STRING && lc_str_is(v->as.string, "*");
}

/* `ignore_changes` is the keyword "all" or a list of references. */
static void read_ignored(lc_config_reader *r, lc_config_lifecycle *out, lc_config_value value)
{
    lc_config_values list = {0};
    if (lc_str_is(lc_config_keyword(r, value), "all")) {
        out->ignore_all = true;
        return;
    }
    lc_config_list(r, &list, value);
    for (size_t i = 0; i < list.list.count; i++) {
        if (is_star(r, list.list.items[i])) {
            out->ignore_all = true;
            lc_config_report(r, lc_config_value_place(value), LC_SUMMARY_IGNORE_CHANGES_WILDCARD,
                             "everything is ignored by `ignore_changes = all`");
            continue;
        }
        lc_config_ref ref = lc_config_reference(r, list.list.items[i]);
        if (ref.reference)
            *LC_PUSH(r->arena, &out->ignore_changes.list, lc_config_ref) = ref;
        else
            lc_config_report(r, ref.place, LC_SUMMARY_INVALID_EXPRESSION,
                             "a plain name of an attribute is required here");
    }
}

/* OpenTofu requires `destroy` to be a literal bool: there is neither conversion nor evaluation. */
static lc_config_flag read_constant_flag(lc_config_reader *r, const lc_config_argument *argument)
{
    lc_config_flag flag = lc_config_read_flag(r, argument);
    const lc_value *v = flag.given ? lc_expr_constant(flag.expr) : NULL;
    flag.given = true;
    flag.literal = v && v->type->kind == LC_TYPE_BOOL && lc_is_known(v);
    flag.value = flag.literal && v->as.boolean;
    return flag;
}

/* OpenTofu evaluates prevent_destroy, but first tries it without any references. In that first step
 * a string of JSON syntax is taken as literal text, not as a template. */
static lc_config_flag read_protection(lc_config_reader *r, const lc_config_argument *argument)
{
    lc_config_flag flag = lc_config_read_flag(r, argument);
    const lc_node *node = argument->value.node;
    bool itself = flag.given && (lc_expr_constant(flag.expr) ||
                                 (node && node->kind == LC_NODE_STRING && !r->converted));
    flag.unfit = itself && !flag.literal;
    return flag;
}

static void read_flags(lc_config_reader *r, lc_config_lifecycle *l, const lc_body_content *content)
{
    const lc_config_argument *first = lc_body_argument(content, "create_before_destroy");
    const lc_config_argument *prevent = lc_body_argument(content, "prevent_destroy");
    const lc_config_argument *destroy = lc_body_argument(content, "destroy");
    bool terraform = r->config->profile == LC_PROFILE_TERRAFORM;
    if (first)
        l->create_before_destroy = lc_config_static_flag(r, first);
    if (prevent)
        l->prevent_destroy =
            terraform ? lc_config_static_flag(r, prevent) : read_protection(r, prevent);
    if (destroy)
        l->destroy = terraform ? lc_config_static_flag(r, destroy) : read_constant_flag(r, destroy);
}

/* Settings of managed resources only. */
static void refuse_flags(lc_config_reader *r, const lc_config_resource *res,
                         const lc_body_content *content)
{
    const char *summary = res->mode == LC_MODE_DATA ? LC_SUMMARY_DATA_LIFECYCLE
                          : r->config->profile == LC_PROFILE_OPENTOFU
                              ? LC_SUMMARY_EPHEMERAL_LIFECYCLE_OPENTOFU
                              : LC_SUMMARY_EPHEMERAL_LIFECYCLE;
    for (size_t i = 0; content->names[i].name; i++)
        if (content->arguments[i].place.source && strcmp(content->names[i].name, "enabled") != 0)
            lc_config_report(r, content->arguments[i].place, summary,
                             "only managed resources have this setting");
}

/* What an entry of replace_triggered_by refers to in addition to its resource: the key of the
 * instance. */
static void check_trigger_key(lc_config_reader *r, const lc_config_ref *ref, const lc_reference *to)
{
    bool each = to->root == LC_ROOT_EACH;
    if (!each && to->root != LC_ROOT_COUNT)
        lc_config_report(r, ref->place, LC_SUMMARY_REPLACE_TRIGGER_REFERENCE,
                         "only resources, count.index and each.key can be used here");
    else if (!lc_str_is(to->path[0].name, each ? "key" : "index"))
        lc_config_report(r, ref->place,
                         each ? LC_SUMMARY_REPLACE_TRIGGER_EACH : LC_SUMMARY_REPLACE_TRIGGER_COUNT,
                         each ? "only each.key can be used here"
                              : "only count.index can be used here");
}

/* One entry of replace_triggered_by: an expression with exactly one resource. */
static void check_trigger(lc_config_reader *r, const lc_config_ref *ref, const lc_expr *expr)
{
    lc_references refs = {r->arena, {NULL, 0, 0}};
    lc_eval_error trouble = {0};
    size_t resources = 0;
    if (!expr) {
        lc_config_report_errors(r, &ref->trouble);
        return;
    }
    lc_expr_certain_references(&refs, expr, r->config->profile);
    for (size_t i = 0; i < refs.list.count; i++) {
        if (!lc_reference_check(refs.list.items[i], r->config->profile, &trouble)) {
            lc_config_report_errors(r, &trouble);
            return;
        }
    }
    for (size_t i = 0; i < refs.list.count; i++) {
        lc_root root = refs.list.items[i]->root;
        if (root == LC_ROOT_RESOURCE || root == LC_ROOT_DATA || root == LC_ROOT_EPHEMERAL)
            resources++;
        else
            check_trigger_key(r, ref, refs.list.items[i]);
    }
    if (resources != 1)
        lc_config_report(r, ref->place, LC_SUMMARY_REPLACE_TRIGGER,
                         "a reference to one resource is required");
}

/* A string of JSON is parsed; one of the native syntax is a value, not a reference. */
static void read_triggers(lc_config_reader *r, lc_config_refs *out, lc_config_value value)
{
    lc_config_values values = {0};
    lc_config_references(r, out, value, false);
    if (out->list.count && lc_config_list(r, &values, value))
        for (size_t i = 0; i < out->list.count; i++)
            check_trigger(r, &out->list.items[i],
                          values.list.items[i].expr ? values.list.items[i].expr
                                                    : out->list.items[i].expr);
}

/* The events of a trigger: keywords, each once. */
static void check_events(lc_config_reader *r, const lc_config_values *events)
{
    static const char *const known[] = {"before_create",
                                        "after_create",
                                        "before_update",
                                        "after_update",
                                        "before_destroy",
                                        "after_destroy",
                                        NULL};
    unsigned seen = 0;
    for (size_t i = 0; i < events->list.count; i++) {
        lc_config_value value = events->list.items[i];
        lc_str word = lc_config_keyword(r, value);
        size_t at = 0;
        bool is_known = lc_str_is_one_of(word, known, &at);
        if (!is_known || (seen >> at & 1u))
            lc_config_report(r, lc_config_value_place(value), "",
                             is_known ? "the event is listed already"
                                      : "an event is before or after a create, update or destroy")
                ->summary =
                is_known ? lc_str_printf(r->arena, "Duplicate \"%.*s\" event", LC_FMT(word))
                         : lc_str_printf(r->arena, "Invalid \"event\" value %.*s", LC_FMT(word));
        seen |= is_known ? 1u << at : 0;
    }
}

static void check_on_failure(lc_config_reader *r, const lc_config_argument *argument)
{
    static const char *const known[] = {"halt", "taint", "continue", NULL};
    if (!lc_str_is_one_of(lc_config_keyword(r, argument->value), known, NULL))
        lc_config_report(r, lc_config_value_place(argument->value), LC_SUMMARY_ON_FAILURE_ACTION,
                         "the keywords are halt, taint and continue");
}

/* Actions run during an apply: they change no planned action, so that only what Terraform rejects
 * is looked for. */
static void read_action_trigger(lc_config_reader *r, const lc_config_resource *res,
                                const lc_config_block *block)
{
    static const lc_body_name names[] = {{"events", LC_NAME_REQUIRED, 0},
                                         {"condition", LC_NAME_ARGUMENT, 0},
                                         {"actions", LC_NAME_REQUIRED, 0},
                                         {"on_failure", LC_NAME_ARGUMENT, LC_SINCE(16, 0)},
                                         {NULL, 0, 0}};
    if (res->mode != LC_MODE_MANAGED) {
        lc_config_report(r, block->type_place,
                         res->mode == LC_MODE_DATA ? LC_SUMMARY_DATA_LIFECYCLE_BLOCK
                                                   : LC_SUMMARY_EPHEMERAL_LIFECYCLE_BLOCK,
                         "only managed resources trigger actions");
        return;
    }
    lc_body_content content = lc_body_read(r, &block->body, names);
    const lc_config_argument *events = lc_body_argument(&content, "events");
    const lc_config_argument *actions = lc_body_argument(&content, "actions");
    const lc_config_argument *failure = lc_body_argument(&content, "on_failure");
    lc_config_values event_list = {0}, action_list = {0};
    bool lists = (!events || lc_config_list(r, &event_list, events->value)) &&
                 (!actions || lc_config_list(r, &action_list, actions->value));
    check_events(r, &event_list);
    if (failure)
        check_on_failure(r, failure);
    if (lists && !action_list.list.count)
        lc_config_report(r, block->declared, LC_SUMMARY_NO_ACTIONS, "the list of actions is empty");
    if (lists && !event_list.list.count)
        lc_config_report(r, block->declared, LC_SUMMARY_NO_EVENTS, "the list of events is empty");
}

const lc_config_lifecycle lc_config_no_lifecycle = {0};

static void read_lifecycle(lc_config_reader *r, lc_config_resource *res,
                           const lc_config_block *block)
{
    lc_config_lifecycle *l = LC_NEW(r->arena, lc_config_lifecycle);
    *l = *res->lifecycle;
    res->lifecycle = l;
    lc_body_content content = lc_body_read(r, &block->body, lifecycle_names);
    const lc_config_argument *triggers = lc_body_argument(&content, "replace_triggered_by");
    const lc_config_argument *ignored = lc_body_argument(&content, "ignore_changes");
    read_enabled(r, &res->repetition, &content);
    if (res->mode == LC_MODE_MANAGED) {
        read_flags(r, l, &content);
        if (triggers)
            read_triggers(r, &l->replace_triggered_by, triggers->value);
        if (ignored)
            read_ignored(r, l, ignored->value);
    } else {
        refuse_flags(r, res, &content);
    }
    for (size_t i = 0; i < content.blocks.count; i++) {
        const lc_config_block *inner = &content.blocks.items[i];
        if (lc_block_is(inner, "action_trigger"))
            read_action_trigger(r, res, inner);
        else
            lc_config_read_condition(
                r, lc_block_is(inner, "precondition") ? &l->preconditions : &l->postconditions,
                inner);
    }
}

/* ---- Provisioners. */

/* The keyword of an argument, which must be one of two; true for the second. */
static bool read_keyword(lc_config_reader *r, const lc_config_argument *argument, const char *first,
                         const char *second, const char *summary)
{
    lc_str word = argument ? lc_config_keyword(r, argument->value) : LC_STR_EMPTY;
    if (argument && !lc_str_is(word, first) && !lc_str_is(word, second))
        lc_config_report(r, lc_config_value_place(argument->value), summary,
                         "one of two keywords is required here");
    return lc_str_is(word, second);
}

static const lc_expr *whole_body(lc_config_reader *r, const lc_config_block *block)
{
    static const lc_body_name nothing[] = {{NULL, 0, 0}};
    return lc_body_rest(r, &block->body, nothing, NULL, NULL);
}

/* The connection of a resource or provisioner. */
static void read_connection(lc_config_reader *r, const lc_expr **out, const lc_config_block *block)
{
    if (*out)
        lc_config_report(r, block->declared, LC_SUMMARY_DUPLICATE_CONNECTION,
                         "only one connection block is allowed");
    else
        *out = whole_body(r, block);
}

static const lc_body_name provisioner_names[] = {
    {"when", LC_NAME_ARGUMENT, 0},    {"on_failure", LC_NAME_ARGUMENT, 0}, {"_", LC_NAME_BLOCK, 0},
    {"connection", LC_NAME_BLOCK, 0}, {"lifecycle", LC_NAME_BLOCK, 0},     {NULL, 0, 0}};

static void read_provisioner(lc_config_reader *r, lc_config_resource *res,
                             const lc_config_block *block)
{
    lc_body_content content = lc_body_read_some(r, &block->body, provisioner_names);
    lc_config_provisioner p = {.type = block->labels[0], .place = block->place};
    p.destroy = read_keyword(r, lc_body_argument(&content, "when"), "create", "destroy",
                             LC_SUMMARY_WHEN_KEYWORD);
    p.goes_on = read_keyword(r, lc_body_argument(&content, "on_failure"), "fail", "continue",
                             LC_SUMMARY_ON_FAILURE_KEYWORD);
    for (size_t i = 0; i < content.blocks.count; i++) {
        const lc_config_block *inner = &content.blocks.items[i];
        if (lc_block_is(inner, "connection"))
            read_connection(r, &p.connection, inner);
        else if (lc_block_is(inner, "lifecycle"))
            lc_config_report(r, inner->type_place, LC_SUMMARY_RESERVED_PROVISIONER_BLOCK,
                             "the client reserves this block");
    }
    p.body = lc_body_rest(r, &block->body, provisioner_names, lc_config_escaped(r, &content), NULL);
    *LC_PUSH(r->arena, &res->provisioners, lc_config_provisioner) = p;
}

/* ---- Resources. */

/* Arguments and blocks that the core reads itself; all others are the provider's. */
static const lc_body_name managed_names[] = {
    {"count", LC_NAME_ARGUMENT, 0},    {"for_each", LC_NAME_ARGUMENT, 0},
    {"provider", LC_NAME_ARGUMENT, 0}, {"depends_on", LC_NAME_ARGUMENT, 0},
    {"locals", LC_NAME_BLOCK, 0},      {"lifecycle", LC_NAME_BLOCK, 0},
    {"connection", LC_NAME_BLOCK, 0},  {"provisioner", LC_NAME_LABELLED, 0},
    {"_", LC_NAME_BLOCK, 0},           {NULL, 0, 0}};
static const lc_body_name other_names[] = {
    {"count", LC_NAME_ARGUMENT, 0},    {"for_each", LC_NAME_ARGUMENT, 0},
    {"provider", LC_NAME_ARGUMENT, 0}, {"depends_on", LC_NAME_ARGUMENT, 0},
    {"lifecycle", LC_NAME_BLOCK, 0},   {"locals", LC_NAME_BLOCK, 0},
    {"_", LC_NAME_BLOCK, 0},           {NULL, 0, 0}};

static lc_str resource_address(lc_config_reader *r, const lc_config_resource *res)
{
    lc_address address = {.mode = res->mode, .type = res->type, .name = res->name};
    return lc_address_text(r->arena, &address);
}

/* The summaries depend on the mode of the resource; both cores print the same ones. */
static void check_names(lc_config_reader *r, const lc_config_resource *res,
                        const lc_config_block *block)
{
    static const char *const types[] = {[LC_MODE_EPHEMERAL] = LC_SUMMARY_EPHEMERAL_TYPE_NAME,
                                        [LC_MODE_DATA] = LC_SUMMARY_DATA_TYPE_NAME,
                                        [LC_MODE_MANAGED] = LC_SUMMARY_RESOURCE_TYPE_NAME};
    static const char *const names[] = {[LC_MODE_EPHEMERAL] = LC_SUMMARY_EPHEMERAL_NAME,
                                        [LC_MODE_DATA] = LC_SUMMARY_DATA_NAME,
                                        [LC_MODE_MANAGED] = LC_SUMMARY_RESOURCE_NAME};
    lc_config_check_name(r, res->type, block->label_places[0], types[res->mode]);
    lc_config_check_name(r, res->name, block->label_places[1], names[res->mode]);
}

/* Registers the resource under its address, unless the module already has one of this address.
 * A duplicate is reported and not read. */
static bool declare_resource(lc_config_reader *r, lc_config_resource *res, const char *keyword)
{
    const lc_config_resource *first = lc_table_get(&r->module->resource, res->address);
    if (first) {
        lc_config_problem *p = lc_config_report_duplicate(r, res->place, "", first->place);
        p->summary = lc_str_printf(r->arena, "Duplicate %s \"%.*s\" configuration", keyword,
                                   LC_FMT(res->type));
        p->address = res->address;
        return false;
    }
    lc_table_put(&r->module->resource, res->address, res);
    *LC_PUSH(r->arena, &r->module->resources, lc_config_resource *) = res;
    return true;
}

/* A data source of a check block is one object, and the check manages it. */
static void check_nested(lc_config_reader *r, lc_config_resource *res)
{
    lc_config_repetition *n = &res->repetition;
    if (res->check.len && n->count)
        lc_config_report(r, n->count_place, LC_SUMMARY_COUNT_ATTRIBUTE,
                         "data sources of check blocks are not repeated");
    if (res->check.len && n->for_each)
        lc_config_report(r, n->for_each_place, LC_SUMMARY_FOR_EACH_ATTRIBUTE,
                         "data sources of check blocks are not repeated");
    if (res->check.len)
        n->count = n->for_each = NULL;
}

static void read_nested(lc_config_reader *r, lc_config_resource *res,
                        const lc_body_content *content)
{
    static const char *const reserved[] = {[LC_MODE_MANAGED] = LC_SUMMARY_RESERVED_RESOURCE_BLOCK,
                                           [LC_MODE_DATA] = LC_SUMMARY_RESERVED_DATA_BLOCK,
                                           [LC_MODE_EPHEMERAL] =
                                               LC_SUMMARY_RESERVED_EPHEMERAL_BLOCK};
    bool lifecycle = false;
    for (size_t i = 0; i < content->blocks.count; i++) {
        const lc_config_block *block = &content->blocks.items[i];
        if (lc_block_is(block, "lifecycle")) {
            if (lifecycle)
                lc_config_report(r, block->declared, LC_SUMMARY_DUPLICATE_LIFECYCLE,
                                 "a resource has one");
            else
                read_lifecycle(r, res, block);
            lifecycle = true;
        } else if (lc_block_is(block, "connection")) {
            read_connection(r, &res->connection, block);
        } else if (lc_block_is(block, "provisioner")) {
            read_provisioner(r, res, block);
        } else if (!lc_block_is(block, "_")) {
            lc_config_report(r, block->type_place, reserved[res->mode],
                             "the client reserves this block");
        }
    }
}

static void read_arguments(lc_config_reader *r, lc_config_resource *res,
                           const lc_body_content *content)
{
    const lc_config_argument *provider = lc_body_argument(content, "provider");
    const lc_config_argument *depends = lc_body_argument(content, "depends_on");
    lc_config_read_repetition(r, &res->repetition, content);
    check_nested(r, res);
    if (provider) {
        lc_config_ref *ref = LC_NEW(r->arena, lc_config_ref);
        *ref = lc_config_provider_reference(r, provider->value);
        res->provider = ref;
    }
    if (depends)
        lc_config_references(r, &res->depends_on, depends->value, true);
}

void lc_config_read_resource(lc_config_reader *r, const lc_config_block *block,
                             lc_resource_mode mode, lc_str check)
{
    const char *keyword = mode == LC_MODE_DATA        ? "data"
                          : mode == LC_MODE_EPHEMERAL ? "ephemeral"
                                                      : "resource";
    const lc_body_name *names = mode == LC_MODE_MANAGED ? managed_names : other_names;
    lc_config_resource *res = LC_NEW(r->arena, lc_config_resource);
    res->module = r->module;
    res->mode = mode;
    res->type = block->labels[0];
    res->name = block->labels[1];
    res->place = block->place;
    res->type_place = block->label_places[0];
    res->check = check;
    res->lifecycle = &lc_config_no_lifecycle;
    res->address = resource_address(r, res);
    lc_body_content content = lc_body_read_some(r, &block->body, names);
    check_names(r, res, block);
    r->about = res->address;
    if (declare_resource(r, res, keyword)) {
        read_arguments(r, res, &content);
        read_nested(r, res, &content);
        check_repetition(r, &res->repetition);
        res->body = lc_body_rest(r, &block->body, names, lc_config_escaped(r, &content), NULL);
    }
    r->about = LC_STR_EMPTY;
}

/* ---- Module calls. */

/* The `providers` argument of a module call. Keys are references, too. */
static void read_passed(lc_config_reader *r, lc_config_call *call, lc_config_value value)
{
    lc_config_values pairs = {0};
    call->has_providers = true;
    if (!lc_config_pairs(r, &pairs, value))
        lc_config_report(r, lc_config_value_place(value), LC_SUMMARY_INVALID_EXPRESSION,
                         "`providers` is an object of references");
    for (size_t i = 0; i + 1 < pairs.list.count; i += 2) {
        lc_config_passed *p = LC_PUSH(r->arena, &call->providers, lc_config_passed);
        p->child = lc_config_provider_reference(r, pairs.list.items[i]);
        p->parent = lc_config_provider_reference(r, pairs.list.items[i + 1]);
    }
}

/* Blocks that a module call cannot have, except that OpenTofu reads `lifecycle`. */
static void read_call_blocks(lc_config_reader *r, lc_config_call *call,
                             const lc_body_content *content)
{
    static const lc_body_name lifecycle[] = {{"enabled", LC_NAME_ARGUMENT, 0}, {NULL, 0, 0}};
    for (size_t i = 0; i < content->blocks.count; i++) {
        const lc_config_block *block = &content->blocks.items[i];
        bool enabled =
            r->config->profile != LC_PROFILE_TERRAFORM && lc_block_is(block, "lifecycle");
        if (enabled) {
            lc_body_content inner = lc_body_read(r, &block->body, lifecycle);
            read_enabled(r, &call->repetition, &inner);
        } else if (lc_block_is(block, "providers")) {
            lc_config_report(r, block->type_place, LC_SUMMARY_UNSUPPORTED_BLOCK,
                             "providers is an argument: write `providers = {`");
        } else if (!lc_block_is(block, "_")) {
            lc_config_report(r, block->type_place, LC_SUMMARY_RESERVED_MODULE_BLOCK,
                             "the client reserves this block");
        }
    }
}

static const lc_body_name call_names[] = {
    {"source", LC_NAME_REQUIRED, 0},
    {"version", LC_NAME_ARGUMENT, 0},
    {"count", LC_NAME_ARGUMENT, 0},
    {"for_each", LC_NAME_ARGUMENT, 0},
    {"depends_on", LC_NAME_ARGUMENT, 0},
    {"providers", LC_NAME_ARGUMENT, 0},
    {"ignore_nested_deprecations", LC_NAME_ARGUMENT, LC_TF | LC_SINCE(15, 0)},
    {"_", LC_NAME_BLOCK, 0},
    {"lifecycle", LC_NAME_BLOCK, 0},
    {"locals", LC_NAME_BLOCK, 0},
    {"provider", LC_NAME_LABELLED, 0},
    {"providers", LC_NAME_BLOCK, 0},
    {NULL, 0, 0}};

bool lc_config_call_has(lc_str name)
{
    for (size_t i = 0; call_names[i].name; i++)
        if (lc_str_is(name, call_names[i].name))
            return true;
    return false;
}

/* What only clients report that need a constant: Terraform before 1.15. */
static void leave_to_older(lc_config_reader *r, size_t known)
{
    for (size_t i = known; i < r->config->problems.count; i++)
        lc_config_newer_add(r, 15, 0)->problem = r->config->problems.items[i];
    r->config->problems.count = known;
}

/* Clients evaluate the source before they plan; it is known at once if it is a constant. */
static void read_source(lc_config_reader *r, lc_config_call *call,
                        const lc_config_argument *argument)
{
    size_t known = r->config->problems.count;
    call->source_place = lc_config_value_place(argument->value);
    call->source_value = lc_config_template(r, argument->value);
    r->config->problems.count = known;
    call->source = lc_config_text(r, argument->value);
    if (r->config->profile == LC_PROFILE_OPENTOFU)
        r->config->problems.count = known;
    else if (r->config->profile == LC_PROFILE_TERRAFORM)
        leave_to_older(r, known);
}

static void read_call(lc_config_reader *r, lc_config_call *call, const lc_config_block *block,
                      const lc_body_content *content)
{
    const lc_config_argument *source = lc_body_argument(content, "source");
    const lc_config_argument *version = lc_body_argument(content, "version");
    const lc_config_argument *providers = lc_body_argument(content, "providers");
    const lc_config_argument *depends = lc_body_argument(content, "depends_on");
    if (source)
        read_source(r, call, source);
    if (version)
        call->version_value = lc_config_template(r, version->value);
    if (providers)
        read_passed(r, call, providers->value);
    if (depends)
        lc_config_references(r, &call->depends_on, depends->value, true);
    lc_config_read_repetition(r, &call->repetition, content);
    read_call_blocks(r, call, content);
    check_repetition(r, &call->repetition);
    call->arguments =
        lc_body_rest(r, &block->body, call_names, lc_config_escaped(r, content), NULL);
}

void lc_config_read_call(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_call *call = LC_NEW(r->arena, lc_config_call);
    lc_body_content content = lc_body_read_some(r, &block->body, call_names);
    call->module = r->module;
    call->name = block->labels[0];
    call->place = block->place;
    lc_config_check_name(r, call->name, block->label_places[0], LC_SUMMARY_MODULE_NAME);
    if (lc_table_get(&r->module->call_by_name, call->name)) {
        lc_config_report(r, block->place, LC_SUMMARY_DUPLICATE_MODULE,
                         "the module calls two modules by this name");
        return;
    }
    lc_table_put(&r->module->call_by_name, call->name, call);
    *LC_PUSH(r->arena, &r->module->calls, lc_config_call *) = call;
    read_call(r, call, block, &content);
}
