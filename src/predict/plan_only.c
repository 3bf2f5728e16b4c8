/* Which action every object gets, as far as a plan by itself tells it. */
#include "predict/plan_only.h"

#include "lifecheck/arena.h"

#include <stdlib.h>

#define BIT(name)        LC_PLAN_BIT(LC_PLAN_##name)
#define REASON_BIT(name) (1u << LC_PLAN_REASON_##name)
#define ENDS             (BIT(DELETE) | BIT(FORGET))
/* Whatever the reason of a delete is, objects may be let go for another. */
#define FORGOT (REASON_BIT(FORGOT_IN_CONFIG) | REASON_BIT(FORGOT_IN_STATE))

/* ---- Changes. */

static lc_why why(const char *text)
{
    return (lc_why){LC_BEHAVIOR_DEFAULT, LC_STR_EMPTY, {LC_STR_EMPTY, 0, 0}, lc_str_from_c(text)};
}

static const lc_undecided *undecided(lc_plan_only *o, const char *reason)
{
    lc_undecided *d = LC_NEW(o->arena, lc_undecided);
    *d = (lc_undecided){lc_str_from_c(reason), {NULL, 0, 0}};
    return d;
}

static const lc_why *moved_why(lc_arena *arena)
{
    lc_why moved = why("the plan says that it was moved");
    return lc_why_copy(arena, &moved);
}

static lc_run_change *add(lc_plan_only *o, const lc_address *address, lc_str text,
                          lc_plan_action action, unsigned possible)
{
    lc_run_change *c = LC_PUSH(o->arena, &o->out->changes, lc_run_change);
    const lc_plan_change *entry = lc_table_get(&o->plan->by_address, text);
    c->address = *address;
    c->text = text;
    c->deposed = LC_STR_EMPTY;
    c->action = action;
    c->possible = possible;
    c->previous = entry ? entry->previous_address : LC_STR_EMPTY;
    if (c->previous.len)
        c->moved = moved_why(o->arena);
    lc_table_put(&o->objects, text, o);
    return c;
}

/* ---- Declared objects. */

static unsigned replaces(const lc_plan_only *o)
{
    return LC_PLAN_REPLACES & ~(o->plan->by_terraform  ? BIT(FORGET_CREATE)
                                : o->plan->by_opentofu ? BIT(CREATE_FORGET)
                                                       : 0u);
}

static void add_managed(lc_plan_only *o, const lc_address *address, lc_str text, bool sure)
{
    const lc_plan_object *prior = lc_table_get(&o->plan->prior_by_address, text);
    lc_run_change *c;
    if (!prior) {
        c = add(o, address, text, LC_PLAN_CREATE, BIT(CREATE));
        c->reasons = REASON_BIT(NONE) | REASON_BIT(REPLACE_TRIGGERS);
        c->why = why(sure ? "it is declared, and has no object yet"
                          : "the plan has it, and it has no object yet");
    } else if (prior->tainted) {
        c = add(o, address, text, LC_PLAN_DELETE_CREATE, replaces(o));
        c->reason = LC_PLAN_REASON_REPLACE_TAINTED;
        c->reasons = REASON_BIT(REPLACE_TAINTED) | REASON_BIT(REPLACE_TRIGGERS);
        c->why = why("the object is tainted: creating it did not come to its end");
        c->undecided =
            undecided(o, "the order is for settings of lifecycle, which a plan does not hold");
    } else {
        c = add(o, address, text, LC_PLAN_UPDATE, BIT(NOOP) | BIT(UPDATE) | replaces(o));
        c->why = why("whether it changes, and how, cannot be told");
        c->undecided = undecided(
            o, "it is for the provider, and for settings of lifecycle that a plan does not "
               "hold");
    }
    c->sure = sure;
}

/* The resource in its module instance, of a reference such as `demo_disk.a[0].id`. */
static bool is_pending(lc_plan_only *o, const lc_plan_only_module *m, lc_str reference)
{
    size_t end = 0, dots = 0;
    for (; end < reference.len && reference.ptr[end] != '['; end++) {
        if (reference.ptr[end] == '.' && ++dots == 2)
            break;
    }
    lc_str text = lc_str_printf(o->arena, "%.*s%s%.*s", LC_FMT(m->text), m->text.len ? "." : "",
                                LC_FMT(lc_str_sub(reference, 0, end)));
    return dots && lc_table_get(&o->pending, text) != NULL;
}

static bool any_pending(lc_plan_only *o, const lc_plan_only_module *m, const lc_node *list)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        if (list->as.items[i].kind == LC_NODE_STRING && is_pending(o, m, list->as.items[i].as.text))
            return true;
    }
    return false;
}

static bool refers_to_pending(lc_plan_only *o, const lc_plan_only_module *m, const lc_node *node)
{
    if (!node)
        return false;
    for (uint32_t i = 0; node->kind == LC_NODE_MAPPING && i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        if (lc_str_is(member->key, "constant_value"))
            continue;
        if (lc_str_is(member->key, "references") && any_pending(o, m, &member->value))
            return true;
        if (refers_to_pending(o, m, &member->value))
            return true;
    }
    for (uint32_t i = 0; node->kind == LC_NODE_SEQUENCE && i < node->count; i++) {
        if (refers_to_pending(o, m, &node->as.items[i]))
            return true;
    }
    return false;
}

/* Read now, and there is no entry; or when the plan is applied. */
static void add_data(lc_plan_only *o, const lc_address *address, lc_str text, bool waits, bool sure)
{
    const lc_plan_change *entry = lc_table_get(&o->plan->by_address, text);
    if (!waits && !entry)
        return;
    lc_run_change *c = add(o, address, text, LC_PLAN_READ, BIT(READ) | (waits ? 0 : BIT(NOOP)));
    c->reasons = REASON_BIT(READ_CONFIG_UNKNOWN) | REASON_BIT(READ_DEPENDENCY_PENDING) |
                 REASON_BIT(READ_CHECK_NESTED);
    c->sure = sure && waits;
    c->why = why(waits ? "a resource that it refers to has a change in this plan"
                       : "whether its reading waits cannot be told");
    if (!waits)
        c->undecided = undecided(o, "a plan does not hold all that a read depends on");
}

/* ---- Blocks. */

/* Where the plan has no instance either. */
static void note_open(lc_plan_only *o, lc_str text, const lc_plan_only_instance_keys *keys)
{
    if (keys->certain || keys->count)
        return;
    lc_run_open *open = LC_PUSH(o->arena, &o->out->open, lc_run_open);
    open->address = text;
    open->undecided = undecided(o, keys->undecided);
}

static bool read_block(lc_address *out, const lc_node *block)
{
    lc_str mode = lc_node_text(block, "mode");
    *out = (lc_address){
        .type = lc_node_text(block, "type"), .name = lc_node_text(block, "name"), .key = LC_NO_KEY};
    out->mode = lc_str_is(mode, "data") ? LC_MODE_DATA : LC_MODE_MANAGED;
    return out->type.len && out->name.len &&
           (lc_str_is(mode, "data") || lc_str_is(mode, "managed"));
}

static void add_instance(lc_plan_only *o, const lc_address *address, bool waits, bool sure)
{
    lc_str text = lc_address_text(o->arena, address);
    if (lc_table_get(&o->objects, text))
        return;
    if (address->mode == LC_MODE_MANAGED)
        add_managed(o, address, text, sure);
    else
        add_data(o, address, text, waits, sure);
}

static void plan_block(lc_plan_only *o, const lc_plan_only_module *m, const lc_node *block)
{
    lc_address inner;
    if (!read_block(&inner, block))
        return;
    lc_address address = lc_address_within(o->arena, &m->address, &inner);
    lc_str text = lc_address_text(o->arena, &address);
    const lc_plan_only_instance_keys *keys = lc_plan_only_keys(o, m, block, text);
    bool waits = address.mode == LC_MODE_DATA &&
                 (refers_to_pending(o, m, lc_node_given(block, "expressions")) ||
                  any_pending(o, m, lc_node_given(block, "depends_on")));
    note_open(o, text, keys);
    for (size_t i = 0; i < keys->count; i++) {
        address.key = keys->list[i];
        add_instance(o, &address, waits, m->certain && keys->certain);
    }
    if (keys->gap >= 0) {
        address.key = lc_key_int(keys->gap);
        add_instance(o, &address, waits, true);
    }
}

/* ---- Modules. */

typedef LC_VEC(lc_plan_only_module *) module_list;

static void add_module(lc_plan_only *o, module_list *list, lc_plan_only_module *m)
{
    m->text = lc_address_text(o->arena, &m->address);
    lc_table_put(&o->modules, m->text, m);
    *LC_PUSH(o->arena, list, lc_plan_only_module *) = m;
}

static void call_module(lc_plan_only *o, module_list *list, const lc_plan_only_module *caller,
                        const lc_member *call)
{
    const lc_node *node = lc_node_given(&call->value, "module");
    lc_module_step *step = LC_NEW(o->arena, lc_module_step);
    *step = (lc_module_step){call->key, LC_NO_KEY};
    lc_address inner = {.modules = step, .module_count = 1, .key = LC_NO_KEY};
    lc_address block = lc_address_within(o->arena, &caller->address, &inner);
    lc_str text = lc_address_text(o->arena, &block);
    const lc_plan_only_instance_keys *keys = lc_plan_only_keys(o, caller, &call->value, text);
    note_open(o, text, keys);
    for (size_t i = 0; node && i < keys->count; i++) {
        lc_plan_only_module *m = LC_NEW(o->arena, lc_plan_only_module);
        step->key = keys->list[i];
        *m = (lc_plan_only_module){.caller = caller, .node = node, .call = &call->value};
        m->address = lc_address_within(o->arena, &caller->address, &inner);
        m->certain = caller->certain && keys->certain;
        add_module(o, list, m);
    }
    step->key = LC_NO_KEY;
}

static void plan_modules(lc_plan_only *o)
{
    module_list list = {0};
    lc_plan_only_module *root = LC_NEW(o->arena, lc_plan_only_module);
    *root = (lc_plan_only_module){.node = o->plan->root_module, .certain = true};
    root->address.mode = LC_MODE_MANAGED;
    root->address.type = root->address.name = LC_STR_EMPTY;
    root->address.key = LC_NO_KEY;
    add_module(o, &list, root);
    for (size_t i = 0; i < list.count; i++) {
        const lc_plan_only_module *m = list.items[i];
        const lc_node *blocks = lc_node_given(m->node, "resources");
        const lc_node *calls = lc_node_given(m->node, "module_calls");
        for (uint32_t k = 0; k < lc_node_item_count(blocks); k++)
            plan_block(o, m, &blocks->as.items[k]);
        for (uint32_t k = 0; k < lc_node_member_count(calls); k++)
            call_module(o, &list, m, &calls->as.members[k]);
    }
}

/* ---- Objects that nothing declares. */

static unsigned reasons_of_key(const lc_plan_only_instance_keys *keys, lc_key key, bool terraform)
{
    bool hidden = keys->kind == LC_PLAN_ONLY_HIDDEN;
    unsigned wrong = REASON_BIT(DELETE_WRONG_REPETITION);
    if (key.kind == LC_KEY_NONE)
        return wrong | (hidden && !terraform ? REASON_BIT(DELETE_ENABLED_FALSE) : 0);
    unsigned fits =
        key.kind == LC_KEY_INT ? REASON_BIT(DELETE_COUNT_INDEX) : REASON_BIT(DELETE_EACH_KEY);
    return hidden ? wrong | fits : lc_plan_only_fits(keys, key) ? fits : wrong;
}

static lc_plan_reason first_reason(unsigned reasons)
{
    unsigned reason = 0;
    while (reason < LC_PLAN_REASON_UNKNOWN && !(reasons >> reason & 1))
        reason++;
    return (lc_plan_reason)reason;
}

static void add_ending(lc_plan_only *o, const lc_address *address, lc_str text, unsigned reasons,
                       const char *because)
{
    lc_run_change *c = add(o, address, text, LC_PLAN_DELETE, ENDS);
    c->reason = first_reason(reasons);
    c->reasons = reasons | FORGOT;
    c->why = why(because);
    c->undecided = undecided(o, "a plan does not hold removed blocks, nor what lets objects go");
}

/* No module instance on the way is missing for certain; *open: one may be. */
static bool is_inside(lc_plan_only *o, const lc_address *address, bool *open)
{
    lc_address at = lc_address_module(address);
    *open = false;
    for (size_t i = 0; i < address->module_count; i++) {
        lc_address block = at;
        lc_module_step *steps = LC_NEW_ARRAY(o->arena, lc_module_step, i + 1);
        for (size_t k = 0; k <= i; k++)
            steps[k] = address->modules[k];
        steps[i].key = LC_NO_KEY;
        block.modules = steps;
        block.module_count = at.module_count = i + 1;
        const lc_plan_only_instance_keys *keys =
            lc_table_get(&o->keys, lc_address_text(o->arena, &block));
        lc_key key = address->modules[i].key;
        if (!keys || lc_plan_only_has(keys, key))
            continue;
        *open = !keys->certain && lc_plan_only_fits(keys, key);
        return *open;
    }
    return true;
}

static void add_open(lc_plan_only *o, const lc_address *address, lc_str text, const char *because)
{
    lc_run_change *c =
        add(o, address, text, LC_PLAN_UPDATE, BIT(NOOP) | BIT(UPDATE) | ENDS | replaces(o));
    c->why = why("whether it is declared cannot be told");
    c->undecided = undecided(o, because);
}

static void add_orphan(lc_plan_only *o, const lc_address *address, lc_str text)
{
    const lc_plan_change *entry = lc_table_get(&o->plan->by_address, text);
    lc_address config = lc_address_config(o->arena, address);
    bool declared =
        lc_table_get(&o->plan->blocks_by_address, lc_address_text(o->arena, &config)) != NULL;
    bool open;
    if (entry && (entry->generated_config || entry->importing)) {
        add_open(o, address, text, "the plan writes its block");
        return;
    }
    if (!declared) {
        bool moved = entry && entry->previous_address.len;
        add_ending(
            o, address, text,
            moved ? REASON_BIT(DELETE_NO_MOVE_TARGET) : REASON_BIT(DELETE_NO_RESOURCE_CONFIG),
            moved ? "it was moved to where nothing is declared" : "no block declares it any more");
        return;
    }
    if (!is_inside(o, address, &open)) {
        add_ending(o, address, text, REASON_BIT(DELETE_NO_MODULE),
                   "the module instance that holds it is not declared");
        return;
    }
    lc_address resource = lc_address_resource(address);
    const lc_plan_only_instance_keys *keys =
        open ? NULL : lc_table_get(&o->keys, lc_address_text(o->arena, &resource));
    /* Keys that cannot be told are those that the plan keeps. */
    bool ends = entry && lc_plan_action_ends(entry->action);
    if (!keys || (!keys->certain && lc_plan_only_fits(keys, address->key) && !ends)) {
        add_open(o, address, text, keys ? keys->undecided : "its module instance may be declared");
        return;
    }
    add_ending(o, address, text, reasons_of_key(keys, address->key, o->plan->by_terraform),
               keys->certain ? "its block does not have its key"
                             : "the plan does not keep its key");
}

static void add_deposed(lc_plan_only *o, const lc_address *address, const lc_plan_object *object)
{
    lc_run_change *c = LC_PUSH(o->arena, &o->out->changes, lc_run_change);
    c->address = *address;
    c->text = object->address;
    c->deposed = object->deposed;
    c->previous = object->change ? object->change->previous_address : LC_STR_EMPTY;
    c->action = LC_PLAN_DELETE;
    c->possible = ENDS;
    c->reasons = REASON_BIT(NONE) | FORGOT;
    c->why = why("a deposed object is what a replace left behind");
}

static void plan_stored(lc_plan_only *o, bool destroy)
{
    for (size_t i = 0; i < o->plan->prior.count; i++) {
        const lc_plan_object *object = &o->plan->prior.items[i];
        lc_address address;
        lc_str because;
        size_t at;
        if (!object->managed ||
            !lc_address_parse(&address, o->arena, object->address, &because, &at) ||
            lc_address_is_module(&address))
            continue;
        if (object->deposed.len)
            add_deposed(o, &address, object);
        else if (lc_table_get(&o->objects, object->address))
            continue;
        else if (destroy)
            add_ending(o, &address, object->address, REASON_BIT(NONE),
                       "all objects are destroyed (-destroy)");
        else
            add_orphan(o, &address, object->address);
    }
}

/* ---- */

static int by_address(const void *a, const void *b)
{
    const lc_run_change *x = a, *y = b;
    int order = lc_address_cmp(&x->address, &y->address);
    return order ? order : lc_str_cmp(x->deposed, y->deposed);
}

static void arrange(lc_plan_only *o)
{
    lc_prediction *out = o->out;
    if (out->changes.count > 1)
        qsort(out->changes.items, out->changes.count, sizeof *out->changes.items, by_address);
    for (size_t i = 0; i < out->changes.count; i++) {
        const lc_run_change *c = &out->changes.items[i];
        lc_table_put_index(&out->index, lc_plan_key(o->arena, c->text, c->deposed), i);
    }
}

/* Whatever is not deleted, or deleted for a reason, is in no plan that destroys everything. */
static bool shows_normal(const lc_plan_change *c)
{
    bool forgot =
        c->reason == LC_PLAN_REASON_FORGOT_IN_CONFIG || c->reason == LC_PLAN_REASON_FORGOT_IN_STATE;
    if (!c->fits || c->deposed.len || c->parsed.mode != LC_MODE_MANAGED ||
        c->action == LC_PLAN_UNKNOWN)
        return false;
    return lc_plan_action_ends(c->action) ? c->reason != LC_PLAN_REASON_NONE && !forgot
                                          : c->action == LC_PLAN_CREATE || c->before;
}

/* Deletes without a reason are of a plan that destroys, perhaps not everything. Where entries
 * contradict each other, most of them say what the plan is. */
static lc_plan_mode mode_of(const lc_plan *plan, const lc_plan_options *options)
{
    size_t normal = 0, destroy = 0;
    for (size_t i = 0; i < plan->changes.count; i++) {
        const lc_plan_change *c = &plan->changes.items[i];
        normal += shows_normal(c);
        destroy +=
            c->action == LC_PLAN_DELETE && !c->deposed.len && c->reason == LC_PLAN_REASON_NONE;
    }
    return options->has_mode || options->mode != LC_PLAN_NORMAL || destroy <= normal
               ? options->mode
               : LC_PLAN_DESTROY;
}

void lc_predict_from_plan(lc_prediction *out, lc_arena *arena, lc_plan *plan,
                          const lc_plan_options *options)
{
    lc_plan_only o = {.arena = arena, .plan = plan, .out = out};
    lc_plan_mode mode = mode_of(plan, options);
    *out = (lc_prediction){.no_plan = mode != LC_PLAN_NORMAL && mode != LC_PLAN_DESTROY};
    lc_table_init(&out->index, arena);
    if (out->no_plan || !plan->has_configuration || !plan->root_module)
        return;
    lc_plan_only_prepare(&o);
    if (mode == LC_PLAN_NORMAL)
        plan_modules(&o);
    plan_stored(&o, mode == LC_PLAN_DESTROY);
    out->complete = !o.limited;
    arrange(&o);
}
