/* Carrying out moves, and validating them after planning. */
#include "lifecheck/catalog/core_message.h"
#include "predict/moves/internal.h"

/* State while the statements run. */
typedef struct mover {
    lc_predictor *r;
    lc_moves *m;
    /* Instances by the configuration address at which they were entered, and by each module path
     * around it. Entries are not removed when an instance moves on, so users compare its current
     * address. */
    lc_table by_config, by_module;
    lc_table by_instance; /* by configuration address and instance key */
    /* Number of instances in each resource, and directly in each module instance; decides whether a
     * destination is free. */
    lc_table in_resource, in_module;
} mover;

typedef struct counter {
    size_t count;
} counter;

static counter *count_of(mover *v, lc_table *table, lc_str text)
{
    counter *c = lc_table_get(table, text);
    if (!c) {
        c = LC_NEW(v->r->arena, counter);
        lc_table_put(table, text, c);
    }
    return c;
}

static lc_str resource_text(mover *v, const lc_address *address)
{
    lc_address resource = lc_address_resource(address);
    return lc_address_text(v->r->arena, &resource);
}

static lc_str module_text(mover *v, const lc_address *address)
{
    lc_address module = lc_address_module(address);
    return lc_address_text(v->r->arena, &module);
}

static void list_instance(mover *v, lc_table *table, lc_str text, lc_state_instance *instance)
{
    lc_state_instance_list *list = lc_table_get(table, text);
    if (!list) {
        list = LC_NEW(v->r->arena, lc_state_instance_list);
        lc_table_put(table, text, list);
    }
    *LC_PUSH(v->r->arena, &list->list, lc_state_instance *) = instance;
}

/* Enters an instance under its current address. */
static void enter_instance(mover *v, lc_state_instance *instance)
{
    lc_arena *arena = v->r->arena;
    lc_address config = lc_address_config(arena, &instance->address);
    list_instance(v, &v->by_config, lc_address_text(arena, &config), instance);
    config.key = instance->address.key;
    list_instance(v, &v->by_instance, lc_address_text(arena, &config), instance);
    lc_address module = lc_address_module(&config);
    for (size_t n = 1; n <= config.module_count; n++) {
        module.module_count = n;
        list_instance(v, &v->by_module, lc_address_text(arena, &module), instance);
    }
    count_of(v, &v->in_resource, resource_text(v, &instance->address))->count++;
    count_of(v, &v->in_module, module_text(v, &instance->address))->count++;
    lc_table_put(&v->r->state_instance_at, instance->text, instance);
}

/* Only the counts must be exact; see the tables above. */
static void uncount_instance(mover *v, const lc_state_instance *instance)
{
    count_of(v, &v->in_resource, resource_text(v, &instance->address))->count--;
    count_of(v, &v->in_module, module_text(v, &instance->address))->count--;
}

/* The instance at an address; the entry may be of one that has moved on. */
static lc_state_instance *instance_at(mover *v, lc_str text)
{
    lc_state_instance *instance = lc_table_get(&v->r->state_instance_at, text);
    return instance && lc_str_eq(instance->text, text) ? instance : NULL;
}

/* Moves one instance. Its first address is remembered; if it returns there, it did not move. */
static void move_instance(mover *v, lc_state_instance *instance, const lc_address *to,
                          const lc_move_statement *s)
{
    uncount_instance(v, instance);
    if (!instance->previous.len)
        instance->previous = instance->text;
    instance->address = *to;
    instance->text = lc_address_text(v->r->arena, to);
    instance->moved = s->block;
    instance->implied = !s->block;
    if (lc_str_eq(instance->previous, instance->text))
        instance->previous = LC_STR_EMPTY;
    enter_instance(v, instance);
}

/* Records a move that was not carried out because the destination is occupied. */
static void record_blocked(mover *v, lc_str from, lc_str to)
{
    lc_run_blocked *b = LC_PUSH(v->r->arena, &v->r->out->blocked, lc_run_blocked);
    b->from = from;
    b->to = to;
}

/* Whether a group moves: a resource, or the objects directly in a module instance. Both clients
 * decide per group, so either all of it moves or nothing. */
typedef enum decision { MOVES = 1, STAYS } decision;

/* The decision for a group is made when its first object is examined, and remembered. */
static bool decide(mover *v, lc_table *decisions, lc_table *occupied, lc_str from, lc_str to)
{
    uintptr_t known = (uintptr_t)lc_table_get(decisions, from);
    if (!known) {
        known = count_of(v, occupied, to)->count ? STAYS : MOVES;
        lc_table_put(decisions, from, (void *)known);
        if (known == STAYS)
            record_blocked(v, from, to);
    }
    return known == MOVES;
}

/* A single instance moves if there is no object at its destination. */
static bool may_move(mover *v, lc_table *decisions, const lc_move_statement *s,
                     const lc_state_instance *instance, const lc_address *to)
{
    switch (s->from.kind) {
    case END_CALL:
    case END_MODULE:
        return decide(v, decisions, &v->in_module, module_text(v, &instance->address),
                      module_text(v, to));
    case END_RESOURCE:
        return decide(v, decisions, &v->in_resource, resource_text(v, &instance->address),
                      resource_text(v, to));
    case END_INSTANCE:
        break;
    }
    lc_str text = lc_address_text(v->r->arena, to);
    if (!instance_at(v, text))
        return true;
    record_blocked(v, instance->text, text);
    return false;
}

/* The list may grow while its instances move; only those that were there before are visited. */
static void apply(mover *v, const lc_move_statement *s)
{
    bool module = s->from.kind == END_CALL || s->from.kind == END_MODULE;
    const lc_state_instance_list *list =
        lc_table_get(module ? &v->by_module : &v->by_config, s->from.config);
    if (s->from.kind == END_INSTANCE) {
        lc_address config = lc_address_config(v->r->arena, &s->from.address);
        config.key = s->from.address.key;
        list = lc_table_get(&v->by_instance, lc_address_text(v->r->arena, &config));
    }
    lc_table decisions;
    lc_table_init(&decisions, v->r->arena);
    size_t count = list ? list->list.count : 0;
    for (size_t i = 0; i < count; i++) {
        lc_state_instance *instance = list->list.items[i];
        lc_address to;
        if (instance_at(v, instance->text) == instance &&
            lc_predict_move_destination(&to, v->r->arena, s, &instance->address) &&
            !lc_address_eq(&to, &instance->address) && may_move(v, &decisions, s, instance, &to))
            move_instance(v, instance, &to, s);
    }
}

/* An object that moved to another type must be accepted by the provider (MoveResourceState). */
static void check_types(lc_predictor *pred)
{
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        const lc_state_instance *instance = pred->state_instances.items[i];
        if (!instance->previous.len || !instance->current ||
            lc_str_eq(instance->current->address.type, instance->address.type))
            continue;
        const lc_run_provider *p = &pred->in->provider;
        const lc_schema *schema = lc_predict_schema_at(pred, &instance->address, instance->current);
        const lc_value *value;
        lc_str error = LC_STR_EMPTY;
        if (schema && p->move &&
            !p->move(p->context, pred->arena, instance->current, instance->address.type, schema,
                     &value, &error) &&
            error.len) {
            lc_predict_error(pred, error, instance->text,
                             instance->moved ? instance->moved->place
                                             : (lc_source_pos){NULL, 0, 0});
            pred->stop = true;
        }
    }
}

/* Statements run in their order, each on the result of those before it. */
void lc_predict_moves_apply(lc_predictor *pred)
{
    lc_moves *m = LC_NEW(pred->arena, lc_moves);
    lc_predict_moves_read(m, pred);
    lc_predict_moves_order(pred, m);
    pred->moves = m;
    if (!m->list.count || m->cyclic)
        return;
    mover v = {.r = pred, .m = m};
    lc_table_init(&v.by_config, pred->arena);
    lc_table_init(&v.by_instance, pred->arena);
    lc_table_init(&v.by_module, pred->arena);
    lc_table_init(&v.in_resource, pred->arena);
    lc_table_init(&v.in_module, pred->arena);
    for (size_t i = 0; i < pred->state_instances.count; i++)
        enter_instance(&v, pred->state_instances.items[i]);
    for (size_t i = 0; i < m->list.count; i++)
        apply(&v, &m->list.items[m->order[i]]);
    check_types(pred);
}

/* ---- With -target and -exclude, both addresses of a moved object must be selected. */

void lc_predict_moves_check_selection(lc_predictor *pred)
{
    const lc_run_options *o = &pred->in->options;
    if (!o->targets.list.count && !o->excludes.list.count)
        return;
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        const lc_state_instance *instance = pred->state_instances.items[i];
        const lc_run_prior *first =
            instance->current ? instance->current : instance->deposed.items[0];
        if (!instance->previous.len)
            continue;
        bool was = lc_predict_covered(pred, &first->address);
        bool is = lc_predict_covered(pred, &instance->address);
        bool out = o->targets.list.count ? !was || !is : was || is;
        if (!out)
            continue;
        lc_predict_error(pred, LC_STR(LC_SUMMARY_MOVE_EXCLUDED), instance->text,
                         instance->moved ? instance->moved->place : (lc_source_pos){NULL, 0, 0});
        pred->stop = true;
        return;
    }
}

/* ---- Validation, as refactoring.ValidateMoves of both cores. */

static bool declared_instance(lc_predictor *pred, const lc_address *address)
{
    lc_module_instance *module = lc_predict_module_find(pred, address);
    if (!module || lc_address_is_module(address))
        return module != NULL;
    lc_address relative = lc_address_resource(address);
    relative.module_count = 0;
    const lc_resource_instance *resource =
        lc_table_get(&module->resources, lc_address_text(pred->arena, &relative));
    lc_buf key = {0};
    lc_key_add(&key, address->key);
    bool found = resource && lc_table_get(&resource->keys.by_text, lc_buf_str(&key));
    lc_buf_release(&key);
    return found;
}

/* True if the `from` address still exists in this instance of the declaring module. Only what this
 * plan evaluated is known, so other objects do not count. */
static bool still_declared(lc_predictor *pred, const lc_move_endpoint *end,
                           const lc_address *absolute)
{
    lc_address address = *absolute;
    if (end->kind == END_CALL) {
        address.module_count--;
        lc_module_instance *caller = lc_predict_module_find(pred, &address);
        lc_str name = absolute->modules[absolute->module_count - 1].name;
        return caller && lc_table_get(&caller->calls, name);
    }
    if (end->kind != END_RESOURCE)
        return declared_instance(pred, &address);
    address = lc_address_module(absolute);
    lc_module_instance *module = lc_predict_module_find(pred, &address);
    address = lc_address_resource(absolute);
    address.module_count = 0;
    return module && lc_table_get(&module->resources, lc_address_text(pred->arena, &address));
}

/* The statements seen so far, in absolute addresses. */
typedef struct checker {
    lc_predictor *r;
    lc_table from, to; /* absolute text -> text of the other end */
} checker;

static void move_error(checker *c, const lc_move_statement *s, const char *summary)
{
    lc_predict_error(c->r, lc_str_from_c(summary), s->from.config, s->place);
}

/* Checks a statement in one instance of the module that declares it. */
static void check_pair(checker *c, const lc_move_statement *s, const lc_address *module)
{
    lc_predictor *pred = c->r;
    lc_address from = s->from.address, to = s->to.address;
    lc_module_step *steps = LC_NEW_ARRAY(pred->arena, lc_module_step, from.module_count);
    lc_module_step *other = LC_NEW_ARRAY(pred->arena, lc_module_step, to.module_count);
    for (size_t i = 0; i < from.module_count; i++)
        steps[i] = i < s->from.declared ? module->modules[i] : from.modules[i];
    for (size_t i = 0; i < to.module_count; i++)
        other[i] = i < s->to.declared ? module->modules[i] : to.modules[i];
    from.modules = steps;
    to.modules = other;
    lc_str a = lc_address_text(pred->arena, &from), b = lc_address_text(pred->arena, &to);
    /* Resources and calls have a mark in their strings, because their text may equal that of an
     * instance without a key. */
    lc_str kind =
        s->from.kind == END_RESOURCE || s->from.kind == END_CALL ? LC_STR(" *") : LC_STR("");
    lc_str a_key = lc_str_printf(pred->arena, "%.*s%.*s", LC_FMT(a), LC_FMT(kind));
    lc_str b_key = lc_str_printf(pred->arena, "%.*s%.*s", LC_FMT(b), LC_FMT(kind));
    if (lc_str_eq(a, b)) {
        move_error(c, s, LC_SUMMARY_MOVE_REDUNDANT);
        return;
    }
    const lc_str *was = lc_table_get(&c->from, a_key), *came = lc_table_get(&c->to, b_key);
    if (was && !lc_str_eq(*was, b))
        move_error(c, s, LC_SUMMARY_MOVE_AMBIGUOUS);
    else if (s->block && still_declared(pred, &s->from, &from))
        move_error(c, s, LC_SUMMARY_MOVE_STILL_EXISTS);
    if (came && !lc_str_eq(*came, a))
        move_error(c, s, LC_SUMMARY_MOVE_AMBIGUOUS);
    lc_str *ends = LC_NEW_ARRAY(pred->arena, lc_str, 2);
    ends[0] = b;
    ends[1] = a;
    lc_table_put(&c->from, a_key, &ends[0]);
    lc_table_put(&c->to, b_key, &ends[1]);
}

static void check_statement(checker *c, const lc_move_statement *s)
{
    lc_predictor *pred = c->r;
    lc_address declaring = lc_address_module(&s->from.address);
    declaring.module_count = s->from.declared;
    const lc_module *config = lc_config_module_at(pred->config, &declaring);
    if (!config)
        return;
    uint32_t index = lc_predict_module_index(pred, config);
    for (size_t i = 0; i < pred->instances[index].count; i++)
        check_pair(c, s, &pred->instances[index].items[i]->address);
}

/* Errors of validation replace all others, so earlier errors are put aside and restored if there
 * are none. */
bool lc_predict_moves_validate(lc_predictor *pred)
{
    const lc_moves *m = pred->moves;
    size_t before = pred->out->errors.count;
    checker c = {.r = pred};
    lc_table_init(&c.from, pred->arena);
    lc_table_init(&c.to, pred->arena);
    pred->out->errors.count = 0;
    lc_run_error *kept = pred->out->errors.items;
    size_t kept_count = before, capacity = pred->out->errors.capacity;
    pred->out->errors.items = NULL;
    pred->out->errors.capacity = 0;
    for (size_t i = 0; i < m->list.count; i++) {
        if (m->list.items[i].block)
            check_statement(&c, &m->list.items[i]);
    }
    if (m->cyclic && !pred->out->errors.count)
        lc_predict_error(pred, LC_STR(LC_SUMMARY_MOVE_CYCLE), LC_STR_EMPTY,
                         (lc_source_pos){NULL, 0, 0});
    if (pred->out->errors.count)
        return false; /* they take precedence over all others */
    pred->out->errors.items = kept;
    pred->out->errors.count = kept_count;
    pred->out->errors.capacity = capacity;
    return true;
}
