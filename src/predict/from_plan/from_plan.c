/* Prediction from a plan alone: the ordinary pipeline runs with the configuration that the plan
 * prints. Source: runs-and-providers 0, 1.5 and 2.3 to 2.11.
 *
 * Keys that cannot be determined are those that the plan has, and data sources wait for changes
 * that the plan has. Lifecycle settings and moved, removed and import blocks are not printed, so
 * everything that they decide is opened afterwards, change by change. */
#include "predict/from_plan/internal.h"

#define BIT(name)        LC_PLAN_BIT(LC_PLAN_##name)
#define REASON_BIT(name) (1u << LC_PLAN_REASON_##name)
#define ENDS             (BIT(DELETE) | BIT(FORGET))
/* Possible reasons besides the predicted one: an object may be forgotten instead of deleted. */
#define FORGOT (REASON_BIT(FORGOT_IN_CONFIG) | REASON_BIT(FORGOT_IN_STATE))

typedef struct key_list {
    LC_VEC(lc_key) list;
} key_list;

/* What the plan contains next to its configuration. */
struct evidence {
    const lc_plan *plan;
    lc_table keys; /* address without its last key -> key_list * */
    lc_table seen; /* addresses that are in those lists already */
    /* Resource in its module instance, if something of it is created or changed. */
    lc_table pending;
    bool limited; /* not all instances were examined */
    /* The last data source for which `waits` was computed. */
    const lc_resource_instance *asked;
    bool waits;
};

/* ---- What the plan has. */

/* Records that the plan has the instance key of a block. */
static void note_key(lc_predictor *pred, const lc_address *block, lc_str instance, lc_key key)
{
    struct evidence *e = pred->evidence;
    if (lc_table_put(&e->seen, instance, e))
        return;
    lc_str text = lc_address_text(pred->arena, block);
    key_list *keys = lc_table_get(&e->keys, text);
    if (!keys) {
        keys = LC_NEW(pred->arena, key_list);
        lc_table_put(&e->keys, text, keys);
    }
    *LC_PUSH(pred->arena, &keys->list, lc_key) = key;
}

/* Records the keys of all module instances around an address. */
static void note_modules(lc_predictor *pred, const lc_address *address)
{
    lc_address with = lc_address_module(address);
    lc_module_step *steps = LC_NEW_ARRAY(pred->arena, lc_module_step, address->module_count);
    for (size_t i = 0; i < address->module_count; i++) {
        lc_address without = with;
        with.module_count = without.module_count = i + 1;
        memcpy(steps, address->modules, (i + 1) * sizeof *steps);
        steps[i].key = LC_NO_KEY;
        without.modules = steps;
        note_key(pred, &without, lc_address_text(pred->arena, &with), address->modules[i].key);
    }
}

/* An entry that does not end its object shows that the instance is declared. One that deletes an
 * object because of its key shows at least that the module instance is declared. */
static void note_change(lc_predictor *pred, const lc_plan_change *c)
{
    bool ends = lc_plan_action_ends(c->action);
    if (!c->parses || !c->block || c->deposed.len || c->generated_config ||
        c->action == LC_PLAN_UNKNOWN || (ends && !lc_plan_reason_is_of_repetition(c->reason)))
        return;
    note_modules(pred, &c->parsed);
    lc_address resource = lc_address_resource(&c->parsed);
    if (!ends)
        note_key(pred, &resource, lc_address_text(pred->arena, &c->parsed), c->parsed.key);
    if (c->action != LC_PLAN_NOOP && c->action != LC_PLAN_READ && !ends &&
        c->parsed.mode == LC_MODE_MANAGED)
        lc_table_put(&pred->evidence->pending, lc_address_text(pred->arena, &resource), pred);
}

static void gather(lc_predictor *pred)
{
    struct evidence *e = pred->evidence = LC_NEW(pred->arena, struct evidence);
    e->plan = pred->in->plan;
    lc_table_init(&e->keys, pred->arena);
    lc_table_init(&e->seen, pred->arena);
    lc_table_init(&e->pending, pred->arena);
    for (size_t i = 0; i < e->plan->changes.count; i++)
        note_change(pred, &e->plan->changes.items[i]);
}

/* ---- Keys. */

/* True if the repetition can have keys of this kind. */
static bool may_have(const lc_expansion *keys, lc_key key)
{
    switch (keys->kind) {
    case REPEAT_NONE:
    case REPEAT_ENABLED:
        return key.kind == LC_KEY_NONE;
    case REPEAT_COUNT:
        return key.kind == LC_KEY_INT;
    case REPEAT_EACH:
        return key.kind == LC_KEY_STRING;
    case REPEAT_HIDDEN:
        break;
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    return lc_key_cmp(((const lc_repetition *)a)->key, ((const lc_repetition *)b)->key);
}

/* The first index that is missing; -1: none. Indices of count have no gaps. */
static int64_t gap_of(const lc_repetitions *found)
{
    for (size_t i = 0; i < found->list.count; i++) {
        if (found->list.items[i].key.number != (int64_t)i)
            return (int64_t)i;
    }
    return -1;
}

static bool is_hidden(const lc_predictor *pred, const lc_config_repetition *repetition,
                      const lc_repetitions *found)
{
    return repetition->may_be_hidden || found->undecided ||
           (pred->evidence->limited && lc_config_repeats(repetition));
}

/* The result has no each.value, because the plan does not show it. */
static lc_repetitions keys_from_plan(lc_expansion *out, lc_predictor *pred, lc_str address,
                                     bool limited)
{
    lc_repetitions found = {0};
    const key_list *has = lc_table_get(&pred->evidence->keys, address);
    pred->evidence->limited |= limited;
    out->guessed = out->kind == REPEAT_HIDDEN
                       ? "a plan does not show a count or for_each that is a bare function call"
                       : "a plan shows what the expression refers to, not the expression";
    for (size_t i = 0; has && i < has->list.count; i++) {
        if (may_have(out, has->list.items[i]))
            *LC_PUSH(pred->arena, &found.list, lc_repetition) =
                (lc_repetition){.key = has->list.items[i]};
    }
    if (found.list.count > 1)
        qsort(found.list.items, found.list.count, sizeof *found.list.items, by_key);
    if (out->kind == REPEAT_COUNT)
        out->gap = gap_of(&found);
    return found;
}

static void fill_gap(lc_predictor *pred, lc_expansion *keys)
{
    if (keys->gap < 0)
        return;
    lc_repetition *list = LC_NEW_ARRAY(pred->arena, lc_repetition, keys->count + 1);
    memcpy(list, keys->list, keys->count * sizeof *list);
    list[keys->count] = (lc_repetition){.key = lc_key_int(keys->gap)};
    keys->list = list;
    lc_predict_index_key(pred, keys, keys->count++);
}

/* ---- What may be declared. */

static const lc_undecided *undecided(lc_predictor *pred, const char *reason)
{
    return lc_undecided_new(pred->arena, lc_str_from_c(reason), (lc_source_pos){NULL, 0, 0});
}

/* The block of a resource in its module instance. *guessed: why the keys of a module call on the
 * path were taken from the plan; else NULL. NULL: it has no block, or the module instance is not
 * declared; if *guessed is set, it may be declared. */
static const lc_resource_instance *find_block(lc_predictor *pred, const lc_address *address,
                                              const lc_config_resource *config,
                                              const char **guessed)
{
    const lc_module_instance *m = pred->root;
    *guessed = NULL;
    for (size_t i = 0; i < address->module_count; i++) {
        const lc_module_step *step = &address->modules[i];
        const lc_call_instance *call = lc_table_get(&m->calls, step->name);
        m = lc_predict_module_child(m, step);
        if (!m) {
            *guessed = call && may_have(&call->keys, step->key) ? call->keys.guessed : NULL;
            return NULL;
        }
        *guessed = call->keys.guessed ? call->keys.guessed : *guessed;
    }
    return config ? lc_table_get(&m->resources, config->address) : NULL;
}

/* An object whose block the plan itself generates (import) counts as declared. */
static const lc_undecided *open_in_plan(lc_predictor *pred, const lc_address *address, lc_str text)
{
    const lc_plan_change *entry = lc_table_get(&pred->evidence->plan->by_address, text);
    const lc_config_resource *config = lc_config_resource_at(pred->config, address);
    const char *guessed;
    if (entry && (entry->generated_config || entry->importing))
        return undecided(pred, "the plan writes its block");
    if (!config)
        return NULL;
    const lc_resource_instance *block = find_block(pred, address, config, &guessed);
    if (!block)
        return guessed ? undecided(pred, "its module instance may be declared") : NULL;
    /* Keys that cannot be determined are those whose objects the plan keeps. */
    bool ends = entry && lc_plan_action_ends(entry->action);
    return block->keys.guessed && may_have(&block->keys, address->key) && !ends
               ? undecided(pred, block->keys.guessed)
               : NULL;
}

/* ---- Reads. */

/* Only direct references in the same module count, see data.c. */
static bool waits_for_change(lc_predictor *pred, const lc_resource_instance *resource)
{
    lc_references refs = {.arena = pred->scratch};
    lc_arena_reset(pred->scratch);
    lc_expr_references(&refs, resource->config->body);
    lc_str module = resource->module->text;
    for (size_t i = 0; i < refs.list.count; i++) {
        const lc_reference *ref = refs.list.items[i];
        lc_str text = lc_str_printf(pred->scratch, "%.*s%s%.*s.%.*s", LC_FMT(module),
                                    module.len ? "." : "", LC_FMT(ref->type), LC_FMT(ref->name));
        if (ref->root == LC_ROOT_RESOURCE && lc_table_get(&pred->evidence->pending, text))
            return true;
    }
    return false;
}

/* A data source is read during planning, which is not an entry, or during apply. All instances of a
 * resource have the same answer, so it is computed once. */
static void plan_data(lc_predictor *pred, const lc_resource_instance *resource,
                      lc_planned_instance *item)
{
    struct evidence *e = pred->evidence;
    if (e->asked != resource)
        e->waits = waits_for_change(pred, resource);
    e->asked = resource;
    item->value =
        lc_undecided_value(pred->arena, LC_STR("a plan does not have the values that are read"),
                           resource->config->place);
    if (!e->waits && !lc_table_get(&e->plan->by_address, item->text))
        return;
    lc_run_change *c = lc_predict_change(pred, &item->address, item->text, LC_STR_EMPTY);
    c->config = resource->config;
    c->action = LC_PLAN_READ;
    c->possible = BIT(READ) | (e->waits ? 0 : BIT(NOOP));
}

/* ---- Opening what depends on settings that a plan does not print. */

/* All forms of a replace, or those of the client that made the plan. */
static unsigned replaces(const lc_plan *plan)
{
    return LC_PLAN_REPLACES & ~(plan->by_terraform  ? BIT(FORGET_CREATE)
                                : plan->by_opentofu ? BIT(CREATE_FORGET)
                                                    : 0u);
}

static void open_read(lc_predictor *pred, lc_run_change *c)
{
    bool waits = !(c->possible & BIT(NOOP));
    c->reasons = REASON_BIT(READ_CONFIG_UNKNOWN) | REASON_BIT(READ_DEPENDENCY_PENDING) |
                 REASON_BIT(READ_CHECK_NESTED);
    c->sure = c->sure && waits;
    c->why = lc_predict_why_plain(waits ? "a resource that it refers to has a change in this plan"
                                        : "whether its read waits for the apply is not known");
    c->undecided =
        waits ? NULL : undecided(pred, "a plan does not contain all that a read depends on");
}

static void open_update(lc_predictor *pred, lc_run_change *c)
{
    unsigned others = c->possible & ~LC_PLAN_REPLACES;
    if (!(c->possible & ENDS))
        c->undecided = undecided(
            pred,
            "it depends on the provider and on lifecycle settings, which a plan does not contain");
    c->possible = others | replaces(pred->evidence->plan);
}

static void open_replace(lc_predictor *pred, lc_run_change *c)
{
    c->possible = replaces(pred->evidence->plan);
    c->reasons = REASON_BIT(REPLACE_TAINTED) | REASON_BIT(REPLACE_TRIGGERS);
    c->undecided =
        undecided(pred, "the order depends on lifecycle settings, which a plan does not contain");
}

static void open_create(lc_run_change *c)
{
    c->reasons = REASON_BIT(NONE) | REASON_BIT(REPLACE_TRIGGERS);
    c->undecided = NULL;
    if (!c->sure)
        c->why = lc_predict_why_plain("the plan has it, and it has no object yet");
}

/* Other reasons for which the object may end, if its block may have a repetition that is not
 * printed. */
static unsigned hidden_reasons(const lc_predictor *pred, lc_key key)
{
    if (key.kind == LC_KEY_NONE)
        return is_opentofu(pred) ? REASON_BIT(DELETE_ENABLED_FALSE) : 0;
    return key.kind == LC_KEY_INT ? REASON_BIT(DELETE_COUNT_INDEX) : REASON_BIT(DELETE_EACH_KEY);
}

static void open_delete(lc_predictor *pred, lc_run_change *c, const lc_resource_instance *block)
{
    bool by_key = lc_plan_reason_is_of_repetition(c->reason);
    c->possible = ENDS;
    c->reasons = 1u << c->reason | FORGOT;
    c->undecided =
        undecided(pred, "a plan does not contain removed blocks, nor settings that forget objects");
    if (by_key && block && block->keys.kind == REPEAT_HIDDEN)
        c->reasons |= hidden_reasons(pred, c->address.key);
    c->why.behavior = LC_BEHAVIOR_DEFAULT; /* the setting is not printed */
    c->why.setting = LC_STR_EMPTY;
    if (by_key && block)
        c->why = lc_predict_why_plain(block->keys.guessed ? "the plan does not keep its key"
                                                          : "its block does not have its key");
    if (pred->in->options.mode == LC_RUN_DESTROY)
        c->why = lc_predict_why_plain("all objects are destroyed (-destroy)");
}

static void open_deposed(lc_run_change *c)
{
    c->possible = ENDS;
    c->reasons = REASON_BIT(NONE) | FORGOT;
}

static void copy_move(lc_predictor *pred, lc_run_change *c)
{
    const lc_plan_change *entry = lc_table_get(&pred->evidence->plan->by_address,
                                               lc_plan_key(pred->arena, c->text, c->deposed));
    lc_why moved = lc_predict_why_plain("the plan says that it was moved");
    c->previous = entry ? entry->previous_address : LC_STR_EMPTY;
    c->moved = c->previous.len && !c->deposed.len ? lc_why_copy(pred->arena, &moved) : NULL;
}

/* Replaces the certain action by the set of actions and reasons that unprinted settings allow. */
static void open_change(lc_predictor *pred, lc_run_change *c)
{
    const char *guessed;
    const lc_resource_instance *block = find_block(pred, &c->address, c->config, &guessed);
    bool gap = block && block->keys.gap >= 0 && c->address.key.kind == LC_KEY_INT &&
               c->address.key.number == block->keys.gap;
    copy_move(pred, c);
    c->order = NULL;
    if (c->deposed.len) {
        open_deposed(c);
        return;
    }
    if (c->action == LC_PLAN_DELETE) {
        open_delete(pred, c, block);
        return;
    }
    c->sure = gap || (block && !guessed && !block->keys.guessed);
    if (c->action == LC_PLAN_READ)
        open_read(pred, c);
    else if (c->action == LC_PLAN_CREATE)
        open_create(c);
    else if (c->action == LC_PLAN_UPDATE)
        open_update(pred, c);
    else
        open_replace(pred, c);
}

/* ---- The whole plan. */

/* Printed expressions refer to nothing but variables, so blocks can be planned in the order of the
 * modules, callers first. */
static void plan_blocks(lc_predictor *pred)
{
    for (uint32_t i = 0; i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        for (size_t k = 0; k < m->calls.count; k++) {
            lc_graph_node node = {.kind = NODE_CALL, .module = i, .block = m->calls.items[k]};
            lc_predict_expand_call(pred, &node);
        }
        for (size_t k = 0; k < m->resources.count; k++) {
            lc_graph_node node = {
                .kind = NODE_RESOURCE, .module = i, .block = m->resources.items[k]};
            lc_predict_plan_resource(pred, &node);
        }
    }
}

/* Options and moves of the plan are already applied: everything is selected, and the objects have
 * their new addresses. */
static void predict_from_plan(lc_predictor *pred)
{
    lc_repetition none = {.key = LC_NO_KEY};
    gather(pred);
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        lc_state_instance *instance = pred->state_instances.items[i];
        const lc_plan_change *entry =
            lc_table_get(&pred->evidence->plan->by_address, instance->text);
        instance->selected = true;
        instance->previous = entry ? entry->previous_address : LC_STR_EMPTY;
    }
    pred->root = lc_predict_module_instance(pred, pred->config->root, NULL, &none);
    if (pred->in->options.mode == LC_RUN_DESTROY) {
        lc_predict_plan_destroy(pred);
    } else {
        lc_predict_plan_deposed(pred);
        plan_blocks(pred);
        lc_predict_plan_orphans(pred);
    }
    for (size_t i = 0; i < pred->out->changes.count; i++)
        open_change(pred, &pred->out->changes.items[i]);
    pred->out->complete = !pred->evidence->limited;
}

const lc_plan_source lc_predict_plan_source = {
    .predict = predict_from_plan,
    .keys = keys_from_plan,
    .is_hidden = is_hidden,
    .fill_gap = fill_gap,
    .open_around = open_in_plan,
    .data = plan_data,
};

/* ---- The mode of the plan. */

/* True if an entry cannot be in a destroy plan: it is not deleted, or deleted for a reason. */
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

/* Deletions without a reason are those of a destroy plan, perhaps a limited one. If entries
 * contradict each other, the majority decides. */
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

/* The objects of the prior state, at the addresses after the plan's own moves. */
static void find_priors(lc_run_priors *out, lc_arena *arena, const lc_plan *plan)
{
    for (size_t i = 0; i < plan->prior.count; i++) {
        const lc_plan_object *object = &plan->prior.items[i];
        lc_address address;
        lc_str because;
        size_t at;
        lc_str key = lc_plan_key(arena, object->address, object->deposed);
        if (object->managed && lc_table_get(&plan->prior_by_address, key) == object &&
            lc_address_parse(&address, arena, object->address, &because, &at) &&
            !lc_address_is_module(&address))
            *LC_PUSH(arena, &out->list, lc_run_prior) = (lc_run_prior){
                .address = address, .deposed = object->deposed, .tainted = object->tainted};
    }
}

void lc_run_predict_from_plan(lc_prediction *out, lc_arena *arena, const lc_plan *plan,
                              const lc_plan_options *options)
{
    lc_run_priors priors = {0};
    lc_plan_mode mode = mode_of(plan, options);
    *out = (lc_prediction){.no_plan = mode != LC_PLAN_NORMAL && mode != LC_PLAN_DESTROY};
    lc_table_init(&out->index, arena);
    if (out->no_plan || !plan->has_configuration || !plan->root_module)
        return;
    find_priors(&priors, arena, plan);
    /* The plan contains the refreshed state, so nothing is read again. */
    lc_run_input input = {.config = lc_plan_configuration(arena, plan),
                          .priors = &priors,
                          .plan = plan,
                          .options.no_refresh = true};
    input.options.mode = mode == LC_PLAN_DESTROY ? LC_RUN_DESTROY : LC_RUN_NORMAL;
    lc_run_predict(out, arena, &input);
}
