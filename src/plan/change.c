/* One entry of resource_changes, resource_drift or deferred_changes. */
#include "plan/plan_reader.h"

#include "lifecheck/base/arena.h"

/* In the order of lc_plan_action, so that the enum is the index. */
static const struct {
    lc_plan_action action;
    const char *first, *second; /* second: NULL if the list has one action */
    const char *text;
} actions[] = {
    {LC_PLAN_UNKNOWN, "", NULL, "[]"},
    {LC_PLAN_NOOP, "no-op", NULL, "[\"no-op\"]"},
    {LC_PLAN_CREATE, "create", NULL, "[\"create\"]"},
    {LC_PLAN_READ, "read", NULL, "[\"read\"]"},
    {LC_PLAN_UPDATE, "update", NULL, "[\"update\"]"},
    {LC_PLAN_DELETE, "delete", NULL, "[\"delete\"]"},
    {LC_PLAN_DELETE_CREATE, "delete", "create", "[\"delete\",\"create\"]"},
    {LC_PLAN_CREATE_DELETE, "create", "delete", "[\"create\",\"delete\"]"},
    {LC_PLAN_FORGET, "forget", NULL, "[\"forget\"]"},
    {LC_PLAN_CREATE_FORGET, "create", "forget", "[\"create\",\"forget\"]"},
    {LC_PLAN_FORGET_CREATE, "forget", "create", "[\"forget\",\"create\"]"},
};

const char *lc_plan_action_text(lc_plan_action action)
{
    return actions[action].text;
}

static bool is_text(const lc_node *node, const char *text)
{
    return node->kind == LC_NODE_STRING && lc_str_is(node->as.text, text);
}

lc_plan_action lc_plan_action_of(const lc_node *list)
{
    if (!list || list->kind != LC_NODE_SEQUENCE || list->count < 1 || list->count > 2)
        return LC_PLAN_UNKNOWN;
    for (size_t i = 1; i < sizeof actions / sizeof *actions; i++) {
        if (is_text(&list->as.items[0], actions[i].first) &&
            (list->count == 2) == (actions[i].second != NULL) &&
            (list->count == 1 || is_text(&list->as.items[1], actions[i].second)))
            return actions[i].action;
    }
    return LC_PLAN_UNKNOWN;
}

static const char *const reasons[] = {
    "",
#define REASON_TEXT(id, text) text,
    LC_PLAN_REASONS(REASON_TEXT)
#undef REASON_TEXT
        "",
};

const char *lc_plan_reason_text(lc_plan_reason reason)
{
    return reasons[reason];
}

/* LC_PLAN_REASON_UNKNOWN: the text is not in the list. */
static lc_plan_reason reason_from_text(lc_str text)
{
    for (unsigned i = LC_PLAN_REASON_NONE; i < LC_PLAN_REASON_UNKNOWN; i++) {
        if (lc_str_is(text, reasons[i]))
            return (lc_plan_reason)i;
    }
    return LC_PLAN_REASON_UNKNOWN;
}

/* ---- Consistency of the address with the other members. */

/* Compares `index` with the instance key; 40 digits are more than any index needs. */
static bool index_fits(lc_plan *plan, const lc_node *index, lc_key key)
{
    lc_num n;
    int64_t number;
    switch (key.kind) {
    case LC_KEY_NONE:
        return !index;
    case LC_KEY_INT:
        return index && index->kind == LC_NODE_NUMBER &&
               lc_num_from_text(&n, plan->arena, index->as.text, 40) == LC_NUM_OK &&
               lc_num_to_int64(n, &number) && number == key.number;
    case LC_KEY_STRING:
        return index && index->kind == LC_NODE_STRING && lc_str_eq(index->as.text, key.text);
    }
    return false;
}

static bool module_fits(const lc_plan_change *c)
{
    lc_str module = c->module_address;
    if (!c->parsed.module_count)
        return module.len == 0;
    /* The address is canonical, so the module is its beginning, up to the resource. */
    return module.len && lc_str_starts_with(c->address, module) && c->address.len > module.len &&
           c->address.ptr[module.len] == '.' &&
           !lc_str_starts_with(lc_str_sub(c->address, module.len + 1, c->address.len),
                               LC_STR("module."));
}

/* The name of the first member that contradicts the address; NULL: none. An unknown index (deferred
 * changes) is not a contradiction. */
static const char *field_that_differs(lc_plan *plan, const lc_plan_change *c)
{
    if (!module_fits(c))
        return "module_address";
    if (!lc_str_is(c->mode, lc_resource_mode_name(c->parsed.mode)))
        return "mode";
    if (!lc_str_eq(c->type, c->parsed.type))
        return "type";
    if (!lc_str_eq(c->name, c->parsed.name))
        return "name";
    if (!index_fits(plan, c->index, c->parsed.key) && !lc_node_given(c->node, "index_unknown"))
        return "index";
    return NULL;
}

/* Only a canonical address counts as parsed, because rules and tables compare strings. */
static void read_address(lc_plan_change *c, lc_plan *plan)
{
    lc_str why;
    size_t at;
    lc_buf text = {0};
    if (lc_address_parse(&c->parsed, plan->arena, c->address, &why, &at) &&
        !lc_address_is_module(&c->parsed)) {
        lc_address_add(&text, &c->parsed);
        c->parses = lc_str_eq(lc_buf_str(&text), c->address);
    }
    lc_buf_release(&text);
    c->differs = c->parses ? field_that_differs(plan, c) : NULL;
    c->fits = c->parses && !c->differs;
}

/* The position of a member, even if it is null; if it is absent, of the change. */
static uint64_t place_of(const lc_node *change, const char *key)
{
    const lc_node *value = lc_node_get(change, key);
    return value ? value->where : change->where;
}

void lc_plan_read_change(lc_plan_change *out, lc_plan *plan, const lc_node *node)
{
    const lc_node *change = lc_node_given(node, "change");
    *out = (lc_plan_change){.node = node, .deferred = LC_STR_EMPTY};
    out->address = lc_node_text(node, "address");
    out->deposed = lc_node_text(node, "deposed");
    out->previous_address = lc_node_text(node, "previous_address");
    out->module_address = lc_node_text(node, "module_address");
    out->mode = lc_node_text(node, "mode");
    out->type = lc_node_text(node, "type");
    out->name = lc_node_text(node, "name");
    out->provider_name = lc_node_text(node, "provider_name");
    out->index = lc_node_given(node, "index");
    out->reason_text = lc_node_text(node, "action_reason");
    out->reason = reason_from_text(out->reason_text);
    read_address(out, plan);
    if (!change || change->kind != LC_NODE_MAPPING)
        return;
    out->change = change;
    out->actions = lc_node_given(change, "actions");
    out->action = lc_plan_action_of(out->actions);
    out->before = lc_node_given(change, "before");
    out->after = lc_node_given(change, "after");
    out->after_unknown = lc_node_given(change, "after_unknown");
    out->before_sensitive = lc_node_given(change, "before_sensitive");
    out->after_sensitive = lc_node_given(change, "after_sensitive");
    out->replace_paths = lc_node_given(change, "replace_paths");
    out->importing = lc_node_given(change, "importing");
    out->generated_config = lc_node_given(change, "generated_config");
    out->before_identity = lc_node_given(change, "before_identity");
    out->after_identity = lc_node_given(change, "after_identity");
    out->before_where = place_of(change, "before");
    out->after_where = place_of(change, "after");
}
