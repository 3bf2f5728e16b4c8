/* Objects without a declaration, rows 8 to 14 of the decision table, and destroy plans. */
#include "predict/object.h"

/* ---- Forgetting objects instead of destroying them. */

/* The clients differ in the default: a `removed` block without `destroy` destroys in Terraform and
 * forgets in OpenTofu. */
static bool removed_destroys(const lc_predictor *pred, const lc_config_removed *removed)
{
    if (removed->destroy.given)
        return !removed->destroy.literal || removed->destroy.value;
    return !is_opentofu(pred);
}

/* Several blocks may have one address; the first and the last one are kept. */
static void index_removed(lc_predictor *pred, const lc_config_removed *removed)
{
    lc_address from, declaring = {0};
    lc_str why;
    size_t at;
    if (!lc_config_address(&from, pred->arena, &removed->from))
        return;
    if (removed->module->path.len)
        lc_address_parse(&declaring, pred->arena, removed->module->path, &why, &at);
    lc_address full = lc_address_within(pred->arena, &declaring, &from);
    full = lc_address_config(pred->arena, &full);
    lc_str text = lc_address_text(pred->arena, &full);
    lc_removed_entry *e = lc_table_get(&pred->removed_at, text);
    if (!e) {
        e = LC_NEW(pred->arena, lc_removed_entry);
        e->first = removed;
        lc_table_put(&pred->removed_at, text, e);
    }
    e->last = removed;
    e->order = ++pred->removed_count;
}

void lc_predict_index_removed(lc_predictor *pred)
{
    lc_table_init(&pred->removed_at, pred->arena);
    for (size_t i = 0; i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        for (size_t j = 0; j < m->removed.count; j++)
            index_removed(pred, &m->removed.items[j]);
    }
}

/* The `removed` block that counts for an object. Terraform: of blocks for the same address the
 * first one; a block that forgets takes precedence over one that destroys. OpenTofu: the last block
 * that covers the object. */
static const lc_config_removed *removed_block(const lc_predictor *pred, const lc_address *address)
{
    const lc_config_removed *found = NULL;
    size_t order = 0;
    lc_address config = lc_address_config(pred->arena, address), at = config;
    for (size_t n = config.module_count + 1; n > 0; n--) {
        const lc_removed_entry *e =
            lc_table_get(&pred->removed_at, lc_address_text(pred->arena, &at));
        at = lc_address_module(&config);
        at.module_count = n - 1;
        if (!e)
            continue;
        if (is_opentofu(pred) && e->order > order)
            found = e->last;
        else if (!is_opentofu(pred) &&
                 (!found || (removed_destroys(pred, found) && !removed_destroys(pred, e->first))))
            found = e->first;
        order = e->order > order ? e->order : order;
    }
    return found;
}

/* The refresh before a destroy plan stores declared objects again, with the settings of their
 * blocks, so the stored skip_destroy does not count. */
static bool is_stored_anew(const lc_planned_object *o, const lc_run_prior *prior)
{
    const lc_predictor *pred = o->r;
    const lc_run_change *c = pred->refreshed && !prior->deposed.len
                                 ? lc_run_find(pred->refreshed, o->text, LC_STR_EMPTY)
                                 : NULL;
    return c && c->action != LC_PLAN_DELETE && c->action != LC_PLAN_FORGET;
}

/* The order of precedence: a `removed` block that destroys, the block's own `destroy`, the flag
 * stored with the object, a `removed` block that forgets. */
lc_forgotten lc_predict_forgotten(lc_planned_object *o, const lc_run_prior *prior)
{
    lc_predictor *pred = o->r;
    lc_forgotten f = {false, LC_PLAN_REASON_NONE, {0}};
    lc_source_pos none = {NULL, 0, 0};
    bool normal = pred->in->options.mode == LC_RUN_NORMAL;
    const lc_config_removed *removed =
        normal && pred->removed_count ? removed_block(pred, &o->address) : NULL;
    const lc_config_flag *flag = o->config ? &o->config->lifecycle->destroy : NULL;
    bool keeps = flag && flag->given && flag->literal && !flag->value;
    if (removed && removed_destroys(pred, removed))
        return f;
    if (keeps && !removed) {
        f = (lc_forgotten){
            true, is_opentofu(pred) ? LC_PLAN_REASON_FORGOT_IN_CONFIG : LC_PLAN_REASON_NONE,
            lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "lifecycle.destroy", flag->place,
                           "its block says that its objects are forgotten")};
    } else if (is_opentofu(pred) && prior && prior->skip_destroy && !is_stored_anew(o, prior)) {
        f = (lc_forgotten){
            true, LC_PLAN_REASON_FORGOT_IN_STATE,
            lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "lifecycle.destroy", none,
                           "the block that created it said that objects are forgotten")};
    } else if (removed) {
        f = (lc_forgotten){true, LC_PLAN_REASON_NONE,
                           lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "removed",
                                          removed->place, "a removed block forgets it")};
    }
    return f;
}

/* ---- Reasons. */

/* The reason depends on the kind of the object's key, compared with the repetition of its block. */
static lc_plan_reason reason_of_key(const lc_config_repetition *repetition, lc_key key)
{
    if (key.kind == LC_KEY_NONE)
        return repetition->enabled ? LC_PLAN_REASON_DELETE_ENABLED_FALSE
                                   : LC_PLAN_REASON_DELETE_WRONG_REPETITION;
    if (key.kind == LC_KEY_INT)
        return repetition->count ? LC_PLAN_REASON_DELETE_COUNT_INDEX
                                 : LC_PLAN_REASON_DELETE_WRONG_REPETITION;
    return repetition->for_each ? LC_PLAN_REASON_DELETE_EACH_KEY
                                : LC_PLAN_REASON_DELETE_WRONG_REPETITION;
}

static lc_plan_reason reason_of(lc_planned_object *o)
{
    if (!o->config)
        return o->state_instance->previous.len ? LC_PLAN_REASON_DELETE_NO_MOVE_TARGET
                                               : LC_PLAN_REASON_DELETE_NO_RESOURCE_CONFIG;
    if (!o->module)
        return LC_PLAN_REASON_DELETE_NO_MODULE;
    return reason_of_key(&o->config->repetition, o->address.key);
}

/* A `removed` block that forgets is the reason of a forget, see lc_predict_forgotten. */
static lc_why why_undeclared(lc_planned_object *o)
{
    const lc_config_removed *removed = removed_block(o->r, &o->address);
    if (!removed)
        return lc_predict_why_plain("no block declares it");
    return lc_predict_why(o->r, LC_BEHAVIOR_CONFIGURATION, "removed", removed->place,
                          "a removed block destroys it");
}

static lc_why why_of(lc_planned_object *o, lc_plan_reason reason)
{
    lc_predictor *pred = o->r;
    const lc_config_repetition *n = o->config ? &o->config->repetition : NULL;
    lc_source_pos none = {NULL, 0, 0};
    if (reason == LC_PLAN_REASON_DELETE_NO_MOVE_TARGET)
        return lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "moved",
                              o->state_instance->moved ? o->state_instance->moved->place : none,
                              "it was moved to an address without a block");
    if (reason == LC_PLAN_REASON_DELETE_NO_RESOURCE_CONFIG)
        return why_undeclared(o);
    if (reason == LC_PLAN_REASON_DELETE_NO_MODULE)
        return lc_predict_why_plain("its module instance is not declared");
    if (reason == LC_PLAN_REASON_DELETE_ENABLED_FALSE)
        return lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "lifecycle.enabled",
                              n->enabled_place, "its block is not enabled");
    if (reason == LC_PLAN_REASON_DELETE_COUNT_INDEX)
        return lc_predict_why(pred, LC_BEHAVIOR_DEFAULT, "", n->count_place,
                              "count does not reach its index");
    if (reason == LC_PLAN_REASON_DELETE_EACH_KEY)
        return lc_predict_why(pred, LC_BEHAVIOR_DEFAULT, "", n->for_each_place,
                              "for_each does not have its key");
    return lc_predict_why(pred, LC_BEHAVIOR_DEFAULT, "", o->config->place,
                          "its key is of another kind than its block's repetition");
}

/* ---- Planning. */

/* Why the keys of the module calls and the block around an object cannot be determined; NULL: they
 * can. *failed: an error was reported for them instead. */
static const lc_undecided *open_around(lc_planned_object *o, bool *failed)
{
    lc_module_instance *m = o->r->root;
    *failed = false;
    if (o->r->from_plan)
        return o->r->from_plan->open_around(o->r, &o->address, o->text);
    for (size_t i = 0; m && i < o->address.module_count; i++) {
        const lc_call_instance *c = lc_table_get(&m->calls, o->address.modules[i].name);
        if (!c)
            break;
        *failed = c->keys.failed;
        if (c->keys.undecided || c->keys.failed)
            return c->keys.undecided;
        m = lc_predict_module_child(m, &o->address.modules[i]);
    }
    const lc_resource_instance *resource =
        o->module && o->config ? lc_table_get(&o->module->resources, o->config->address) : NULL;
    *failed = resource && resource->keys.failed;
    return resource ? resource->keys.undecided : NULL;
}

/* The object may be declared in a module that is not in a local folder, or in a file in native
 * syntax. */
static const lc_undecided *may_be_declared_elsewhere(lc_planned_object *o)
{
    const lc_module *m = o->r->config->root;
    lc_arena *arena = o->r->arena;
    for (size_t i = 0; m; i++) {
        const lc_config_call *call =
            i < o->address.module_count ? lc_table_get(&m->call_by_name, o->address.modules[i].name)
                                        : NULL;
        if (m->incomplete)
            return lc_undecided_new(arena, LC_STR("not all files of the module could be read"),
                                    m->place);
        if (call && !call->child)
            return lc_undecided_new(arena, LC_STR("this module is not installed"), call->place);
        m = call ? call->child : NULL;
    }
    return NULL;
}

/* All actions are possible for an object that may or may not be declared. */
static void write_open(lc_planned_object *o)
{
    lc_run_change *c = lc_predict_object_change(o, LC_STR_EMPTY, lc_predict_likely(o->r));
    c->possible = LC_PLAN_BIT(LC_PLAN_NOOP) | LC_PLAN_BIT(LC_PLAN_UPDATE) |
                  LC_PLAN_BIT(LC_PLAN_DELETE) | LC_PLAN_BIT(LC_PLAN_FORGET) | LC_PLAN_REPLACES;
    c->why = lc_predict_why_plain("whether it is declared is not known");
    lc_predict_protect(o, c);
}

/* Fills in what the configuration still has of the instance: block, node, module instance. */
static lc_planned_object object_of(lc_predictor *pred, lc_state_instance *instance)
{
    lc_planned_object o = {
        .r = pred, .arena = pred->arena, .address = instance->address, .text = instance->text};
    o.config = lc_config_resource_at(pred->config, &instance->address);
    o.node = o.config ? lc_predict_graph_resource(pred, o.config) : NULL;
    lc_address module = lc_address_module(&instance->address);
    o.module = lc_predict_module_find(pred, &module);
    return o;
}

/* Plans the current object; deposed ones are planned separately. */
static bool plan_orphan(lc_planned_object *o, const lc_undecided *open)
{
    lc_predictor *pred = o->r;
    lc_forgotten f = {0};
    lc_predict_object_load(o, LC_STR_EMPTY);
    o->undecided = open;
    if (o->prior && !open && !lc_predict_provider_of_orphan(pred, o->state_instance, o->prior))
        return false;
    if (o->prior && !open)
        f = lc_predict_forgotten(o, o->prior);
    /* Terraform does not refresh an object that it forgets. */
    if (!f.forget || is_opentofu(pred))
        lc_predict_object_refresh(o, LC_STR_EMPTY);
    if (pred->in->options.mode != LC_RUN_NORMAL || !o->prior || o->failed)
        return !o->failed;
    if (open) {
        write_open(o);
        return true;
    }
    lc_plan_reason reason = reason_of(o);
    lc_run_change *c =
        lc_predict_object_change(o, LC_STR_EMPTY, f.forget ? LC_PLAN_FORGET : LC_PLAN_DELETE);
    c->reason = f.forget && f.reason != LC_PLAN_REASON_NONE ? f.reason : reason;
    c->why = f.forget ? f.why : why_of(o, reason);
    return lc_predict_protect(o, c);
}

/* An object without a block still needs its module's calls in the graph; if these failed or are
 * excluded, it is not planned. */
static bool needs_failed_call(const lc_predictor *pred, const lc_address *address)
{
    const lc_module *m = pred->config->root;
    for (size_t i = 0; m && i < address->module_count; i++) {
        const lc_config_call *call = lc_table_get(&m->call_by_name, address->modules[i].name);
        m = call ? call->child : NULL;
        const lc_graph_node *node = m ? lc_predict_graph_call(pred, m) : NULL;
        if (node && (node->failed || node->left_out))
            return true;
    }
    return false;
}

bool lc_predict_orphan(lc_predictor *pred, lc_state_instance *instance)
{
    lc_planned_object o = object_of(pred, instance);
    bool failed;
    instance->planned = true;
    if (!o.config && needs_failed_call(pred, &instance->address))
        return true;
    /* Module instances that are not declared cannot be distinguished by the keys of -target. */
    instance->selected = instance->selected || (o.node && o.node->selected && !o.module);
    if (!instance->selected || instance->address.mode != LC_MODE_MANAGED)
        return true;
    const lc_undecided *open = open_around(&o, &failed);
    if (failed)
        return false;
    if (!open && !o.config)
        open = may_be_declared_elsewhere(&o);
    return plan_orphan(&o, open);
}

/* Orphans remain in a refresh-only plan, and if options exclude them. */
bool lc_predict_orphan_stays(lc_marked *out, lc_predictor *pred, lc_state_instance *instance)
{
    lc_planned_object o = object_of(pred, instance);
    if (pred->in->options.mode == LC_RUN_NORMAL && instance->selected)
        return false;
    lc_predict_object_load(&o, LC_STR_EMPTY);
    if (instance->selected)
        lc_predict_object_refresh(&o, LC_STR_EMPTY);
    /* Unknown if there are only deposed objects. */
    *out = lc_predict_stored_value(&o);
    return !o.failed && (o.prior || instance->deposed.count);
}

/* A deposed object has no edges in the clients' graph: nothing refers to it, and it refers to
 * nothing. It is therefore selected only by an address of its own, and planned even if others
 * fail. */
static bool selects_deposed(const lc_predictor *pred, const lc_state_instance *instance)
{
    bool targets = pred->in->options.targets.list.count > 0;
    if (pred->in->options.mode == LC_RUN_DESTROY)
        /* In a destroy plan it follows the current object. */
        return instance->selected;
    return !pred->selection || lc_predict_covered(pred, &instance->address) == targets;
}

void lc_predict_plan_deposed(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        lc_state_instance *instance = pred->state_instances.items[i];
        if (!instance->deposed.count || instance->address.mode != LC_MODE_MANAGED ||
            !selects_deposed(pred, instance))
            continue;
        lc_planned_object o = object_of(pred, instance);
        o.state_instance = instance;
        lc_predict_deposed(&o);
    }
}

void lc_predict_plan_orphans(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        if (!pred->state_instances.items[i]->planned)
            lc_predict_orphan(pred, pred->state_instances.items[i]);
    }
}

/* ---- Destroy plans. An object is destroyed after the objects that depend on it, by the stored
 * dependencies. If an object fails, its dependencies are not planned. */

/* Objects are grouped by resource, because stored dependencies are resources. */
typedef struct destruction {
    lc_predictor *r;
    LC_VEC(lc_state_instance_list *) groups; /* by configuration address */
    lc_id_list *needs;                       /* by group: groups that it depends on */
    lc_table group_at;                       /* configuration address -> index */
    /* Resource and module instance, or `*` for all of these. */
    lc_table blocked;
    lc_id_list order; /* groups, dependencies first */
} destruction;

static const lc_id_list *needs_of(const void *context, uint32_t id)
{
    return &((const destruction *)context)->needs[id];
}

static void take(void *context, const uint32_t *ids, size_t count)
{
    destruction *d = context;
    for (size_t i = 0; i < count; i++)
        *LC_PUSH(d->r->arena, &d->order, uint32_t) = ids[i];
}

/* Calls `each` for every dependency of the instance's current and deposed objects. */
static void each_stored(destruction *d, const lc_state_instance *instance,
                        void (*each)(destruction *d, const lc_state_instance *instance,
                                     const lc_address *on))
{
    for (size_t i = 0; i < instance->deposed.count + 1; i++) {
        const lc_address_list *on =
            i ? &instance->deposed.items[i - 1]->dependencies : instance->depends;
        for (size_t j = 0; on && j < on->list.count; j++)
            each(d, instance, &on->list.items[j]);
    }
}

static size_t group_of(destruction *d, const lc_address *address)
{
    lc_address config = lc_address_config(d->r->arena, address);
    return lc_table_get_index(&d->group_at, lc_address_text(d->r->arena, &config));
}

/* Cycles of resources are possible here, as each object has its own dependencies. */
static void add_need(destruction *d, const lc_state_instance *instance, const lc_address *on)
{
    size_t from = group_of(d, &instance->address), to = group_of(d, on);
    if (from != LC_NO_INDEX && to != LC_NO_INDEX && from != to)
        *LC_PUSH(d->r->arena, &d->needs[from], uint32_t) = (uint32_t)to;
}

/* The key in `blocked`: a resource, in one module instance or (NULL) in all. */
static lc_str block_key(destruction *d, const lc_address *on, const lc_address *module)
{
    lc_address config = lc_address_config(d->r->arena, on), m = {0};
    if (module)
        m = lc_address_module(module);
    return lc_str_printf(d->r->arena, "%.*s %.*s", LC_FMT(lc_address_text(d->r->arena, &config)),
                         LC_FMT(module ? lc_address_text(d->r->arena, &m) : LC_STR("*")));
}

/* Blocks a dependency of a failed object. Within one module it is only blocked in the same module
 * instance. */
static void block(destruction *d, const lc_state_instance *instance, const lc_address *on)
{
    lc_address own = lc_address_config(d->r->arena, &instance->address);
    bool same = lc_module_path_eq(own.modules, own.module_count, on->modules, on->module_count);
    lc_table_put(&d->blocked, block_key(d, on, same ? &instance->address : NULL), d);
}

static bool is_blocked(destruction *d, const lc_state_instance *instance)
{
    return lc_table_get(&d->blocked, block_key(d, &instance->address, NULL)) ||
           lc_table_get(&d->blocked, block_key(d, &instance->address, &instance->address));
}

/* Plans the current object as deleted or forgotten. False: it failed, or prevent_destroy forbids
 * it. */
static bool destroy(lc_predictor *pred, lc_state_instance *instance)
{
    lc_planned_object o = object_of(pred, instance);
    bool good = true;
    if (!pred->refreshed && instance->current &&
        !lc_predict_provider_of_orphan(pred, instance, instance->current))
        return false;
    lc_predict_object_load(&o, LC_STR_EMPTY);
    lc_predict_object_refresh(&o, LC_STR_EMPTY);
    if (o.failed)
        return false;
    if (o.prior) {
        lc_forgotten f = lc_predict_forgotten(&o, o.prior);
        lc_run_change *c =
            lc_predict_object_change(&o, LC_STR_EMPTY, f.forget ? LC_PLAN_FORGET : LC_PLAN_DELETE);
        c->reason = f.forget ? f.reason : LC_PLAN_REASON_NONE;
        c->why = f.forget ? f.why
                          : lc_predict_why(pred, LC_BEHAVIOR_SINGLE_RUN, "-destroy",
                                           (lc_source_pos){NULL, 0, 0},
                                           "the options of this run ask for it");
        good = lc_predict_protect(&o, c);
    }
    return good;
}

static void destroy_deposed(lc_predictor *pred, lc_state_instance *instance)
{
    lc_planned_object o = object_of(pred, instance);
    o.state_instance = instance;
    if (instance->deposed.count && selects_deposed(pred, instance))
        lc_predict_deposed(&o);
}

static void group_instances(destruction *d)
{
    lc_predictor *pred = d->r;
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        lc_address config =
            lc_address_config(pred->arena, &pred->state_instances.items[i]->address);
        lc_str text = lc_address_text(pred->arena, &config);
        if (lc_table_get(&d->group_at, text))
            continue;
        *LC_PUSH(pred->arena, &d->groups, lc_state_instance_list *) =
            lc_table_get(&pred->by_config, text);
        lc_table_put_index(&d->group_at, text, d->groups.count - 1);
    }
    d->needs = lc_arena_zalloc(pred->arena, lc_mul_size(d->groups.count, sizeof *d->needs));
    for (size_t i = 0; i < pred->state_instances.count; i++)
        each_stored(d, pred->state_instances.items[i], add_need);
}

/* Groups are visited in reverse order: dependents first. */
void lc_predict_plan_destroy(lc_predictor *pred)
{
    destruction d = {.r = pred};
    lc_table_init(&d.group_at, pred->arena);
    lc_table_init(&d.blocked, pred->arena);
    group_instances(&d);
    lc_predict_components(pred->arena, d.groups.count, needs_of, take, &d);
    for (size_t i = d.order.count; i-- > 0;) {
        const lc_state_instance_list *group = d.groups.items[d.order.items[i]];
        for (size_t j = 0; j < group->list.count; j++) {
            lc_state_instance *instance = group->list.items[j];
            if (instance->address.mode != LC_MODE_MANAGED)
                continue;
            bool blocked = is_blocked(&d, instance);
            if (instance->selected && (blocked || !destroy(pred, instance)))
                each_stored(&d, instance, block);
            if (!blocked)
                destroy_deposed(pred, instance);
        }
    }
}
