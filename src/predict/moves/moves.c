/* Moves: statements from `moved` blocks and from changes of repetition, the addresses that they
 * match, and the order in which they run. Follows package refactoring of both cores. */
#include "predict/moves/internal.h"

/* ---- Reading. */

/* The end of a statement that `module` declares (NULL: the root). */
static lc_move_endpoint endpoint_of(lc_predictor *pred, const lc_module *module,
                                    const lc_address *relative)
{
    lc_move_endpoint end = {0};
    lc_address declaring = {0};
    lc_str why;
    size_t at;
    if (module && module->path.len)
        lc_address_parse(&declaring, pred->arena, module->path, &why, &at);
    end.declared = declaring.module_count;
    end.address = lc_address_within(pred->arena, &declaring, relative);
    if (lc_address_is_module(relative))
        end.kind = relative->modules[relative->module_count - 1].key.kind == LC_KEY_NONE
                       ? END_CALL
                       : END_MODULE;
    else
        end.kind = relative->key.kind == LC_KEY_NONE ? END_RESOURCE : END_INSTANCE;
    lc_address config = lc_address_config(pred->arena, &end.address);
    end.config = lc_address_text(pred->arena, &config);
    return end;
}

/* Both ends get the same kind: if only one has a key, the other one means the instance without a
 * key. */
static void unify(lc_move_statement *s)
{
    if (s->from.kind != s->to.kind) {
        lc_move_endpoint_kind kind =
            s->from.kind == END_INSTANCE || s->to.kind == END_INSTANCE ? END_INSTANCE : END_MODULE;
        s->from.kind = s->to.kind = kind;
    }
}

/* Invalid statements were reported by check.c; they are skipped here. */
static void read_statement(lc_moves *out, lc_predictor *pred, const lc_config_moved *block)
{
    lc_address from, to;
    if (!lc_config_address(&from, pred->arena, &block->from) ||
        !lc_config_address(&to, pred->arena, &block->to) ||
        lc_address_is_module(&from) != lc_address_is_module(&to))
        return;
    if (from.mode != LC_MODE_MANAGED || to.mode != LC_MODE_MANAGED)
        return;
    lc_move_statement *s = LC_PUSH(pred->arena, &out->list, lc_move_statement);
    s->from = endpoint_of(pred, block->module, &from);
    s->to = endpoint_of(pred, block->module, &to);
    s->block = block;
    s->place = block->place;
    unify(s);
}

/* An implied statement moves one instance and is declared in the root. */
static void imply(lc_moves *out, lc_predictor *pred, const lc_address *from, const lc_address *to)
{
    lc_move_statement *s = LC_PUSH(pred->arena, &out->list, lc_move_statement);
    s->from = endpoint_of(pred, NULL, from);
    s->to = endpoint_of(pred, NULL, to);
    s->from.kind = s->to.kind = lc_address_is_module(from) ? END_MODULE : END_INSTANCE;
}

static bool endpoint_step(const lc_move_endpoint *end, size_t i, const lc_module_step *step);

/* True if an explicit statement has the address, with any instance key, or something inside the
 * module as an end. Such addresses get no implied move. */
static bool names_it(lc_predictor *pred, const lc_table *explicit_ends, const lc_address *address)
{
    lc_address config = lc_address_config(pred->arena, address);
    const lc_move_endpoint_list *list =
        lc_table_get(explicit_ends, lc_address_text(pred->arena, &config));
    for (size_t i = 0; list && i < list->list.count; i++) {
        const lc_move_endpoint *end = list->list.items[i];
        bool same = true;
        for (size_t j = 0; same && j < address->module_count; j++)
            same = endpoint_step(end, j, &address->modules[j]);
        if (same)
            return true;
    }
    return false;
}

static void index_under(lc_predictor *pred, lc_table *ends, lc_str text,
                        const lc_move_endpoint *end)
{
    lc_move_endpoint_list *list = lc_table_get(ends, text);
    if (!list) {
        list = LC_NEW(pred->arena, lc_move_endpoint_list);
        lc_table_put(ends, text, list);
    }
    *LC_PUSH(pred->arena, &list->list, const lc_move_endpoint *) = end;
}

/* An end inside a module is also indexed under the module, see names_it. */
static void index_end(lc_predictor *pred, lc_table *ends, const lc_move_endpoint *end)
{
    index_under(pred, ends, end->config, end);
    if (lc_address_is_module(&end->address) || !end->address.module_count)
        return;
    lc_address module = lc_address_module(&end->address);
    module = lc_address_config(pred->arena, &module);
    index_under(pred, ends, lc_address_text(pred->arena, &module), end);
}

/* When count was added, the instance without a key becomes [0], and the reverse. False: for_each
 * implies no move. */
static bool implied_keys(lc_key *from, lc_key *to, const lc_config_repetition *repetition)
{
    if (repetition->for_each)
        return false;
    *from = repetition->count ? LC_NO_KEY : lc_key_int(0);
    *to = repetition->count ? lc_key_int(0) : LC_NO_KEY;
    return true;
}

static void imply_for_resource(lc_moves *out, lc_predictor *pred, const lc_table *ends,
                               const lc_state_instance *instance)
{
    const lc_config_resource *config = lc_config_resource_at(pred->config, &instance->address);
    lc_key from, to;
    if (!config || instance->address.mode != LC_MODE_MANAGED ||
        !implied_keys(&from, &to, &config->repetition) || !lc_key_eq(from, instance->address.key) ||
        names_it(pred, ends, &instance->address))
        return;
    lc_address target = instance->address;
    target.key = to;
    imply(out, pred, &instance->address, &target);
}

/* OpenTofu also implies moves of module instances. */
static void imply_for_module(lc_moves *out, lc_predictor *pred, const lc_table *ends,
                             lc_table *seen, const lc_address *module)
{
    lc_str text = lc_address_text(pred->arena, module);
    if (lc_table_put(seen, text, seen))
        return;
    const lc_module *config = lc_config_module_at(pred->config, module);
    lc_key from, to, key = module->modules[module->module_count - 1].key;
    if (!config || !config->call || !implied_keys(&from, &to, &config->call->repetition) ||
        !lc_key_eq(from, key) || names_it(pred, ends, module))
        return;
    lc_module_step *steps = LC_NEW_ARRAY(pred->arena, lc_module_step, module->module_count);
    memcpy(steps, module->modules, module->module_count * sizeof *steps);
    steps[module->module_count - 1].key = to;
    lc_address target = *module;
    target.modules = steps;
    imply(out, pred, module, &target);
}

/* Implied moves are collected separately, because the index points into the list of explicit
 * ones. */
static void imply_moves(lc_moves *out, lc_predictor *pred)
{
    lc_table ends, seen;
    lc_table_init(&ends, pred->arena);
    lc_table_init(&seen, pred->arena);
    size_t written = out->list.count;
    for (size_t i = 0; i < written; i++) {
        index_end(pred, &ends, &out->list.items[i].from);
        index_end(pred, &ends, &out->list.items[i].to);
    }
    /* Appending to the list would move the ends that the index points to. */
    lc_moves more = {0};
    for (size_t i = 0; i < pred->state_instances.count; i++) {
        const lc_state_instance *instance = pred->state_instances.items[i];
        imply_for_resource(&more, pred, &ends, instance);
        if (!is_opentofu(pred))
            continue;
        lc_address module = lc_address_module(&instance->address);
        for (size_t n = 1; n <= instance->address.module_count; n++) {
            module.module_count = n;
            imply_for_module(&more, pred, &ends, &seen, &module);
        }
    }
    for (size_t i = 0; i < more.list.count; i++)
        *LC_PUSH(pred->arena, &out->list, lc_move_statement) = more.list.items[i];
}

void lc_predict_moves_read(lc_moves *out, lc_predictor *pred)
{
    for (size_t i = 0; i < pred->config->modules.count; i++) {
        const lc_module *m = pred->config->modules.items[i];
        for (size_t j = 0; j < m->moved.count; j++)
            read_statement(out, pred, &m->moved.items[j]);
    }
    imply_moves(out, pred);
}

/* ---- Matching. */

/* True if a step matches the end: steps of the declaring module and of a whole call match any
 * key. */
static bool endpoint_step(const lc_move_endpoint *end, size_t i, const lc_module_step *step)
{
    const lc_module_step *own = &end->address.modules[i];
    bool any = i < end->declared || (end->kind == END_CALL && i + 1 == end->address.module_count);
    return lc_str_eq(own->name, step->name) && (any || lc_key_eq(own->key, step->key));
}

static bool selects_modules(const lc_move_endpoint *end, const lc_address *address)
{
    for (size_t i = 0; i < end->address.module_count; i++) {
        if (!endpoint_step(end, i, &address->modules[i]))
            return false;
    }
    return true;
}

/* The result has the destination's steps, with the keys of the declaring module's instance,
 * followed by the steps inside a moved module. */
bool lc_predict_move_destination(lc_address *out, lc_arena *arena, const lc_move_statement *s,
                                 const lc_address *address)
{
    const lc_move_endpoint *from = &s->from, *to = &s->to;
    bool whole_module = from->kind == END_CALL || from->kind == END_MODULE;
    size_t own = from->address.module_count;
    if (address->module_count < own || (!whole_module && address->module_count != own) ||
        !selects_modules(from, address))
        return false;
    if (!whole_module &&
        (address->mode != from->address.mode || !lc_str_eq(address->type, from->address.type) ||
         !lc_str_eq(address->name, from->address.name) ||
         (from->kind == END_INSTANCE && !lc_key_eq(address->key, from->address.key))))
        return false;
    size_t rest = address->module_count - own, count = to->address.module_count + rest;
    lc_module_step *steps = LC_NEW_ARRAY(arena, lc_module_step, count);
    for (size_t i = 0; i < to->address.module_count; i++)
        steps[i] = i < to->declared ? address->modules[i] : to->address.modules[i];
    if (from->kind == END_CALL)
        steps[to->address.module_count - 1].key = address->modules[own - 1].key;
    for (size_t i = 0; i < rest; i++)
        steps[to->address.module_count + i] = address->modules[own + i];
    *out = *address;
    out->modules = steps;
    out->module_count = count;
    if (!whole_module) {
        out->type = to->address.type;
        out->name = to->address.name;
        if (from->kind == END_INSTANCE)
            out->key = to->address.key;
    }
    return true;
}

/* ---- Order. A statement runs after another one that ends where it begins, and after those about
 * something inside what it moves: a module is moved after what is in it. */

/* True if the first `count` steps can denote the same module instance. */
static bool steps_meet(const lc_move_endpoint *a, const lc_move_endpoint *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_module_step *x = &a->address.modules[i], *y = &b->address.modules[i];
        bool any = i < a->declared || i < b->declared ||
                   (a->kind == END_CALL && i + 1 == a->address.module_count) ||
                   (b->kind == END_CALL && i + 1 == b->address.module_count);
        if (!lc_str_eq(x->name, y->name) || (!any && !lc_key_eq(x->key, y->key)))
            return false;
    }
    return true;
}

static bool is_module_end(const lc_move_endpoint *end)
{
    return end->kind == END_CALL || end->kind == END_MODULE;
}

/* True if both ends can denote the same object. */
static bool chains(const lc_move_endpoint *from, const lc_move_endpoint *to)
{
    if (is_module_end(from) != is_module_end(to) ||
        from->address.module_count != to->address.module_count ||
        !steps_meet(from, to, from->address.module_count))
        return false;
    if (is_module_end(from))
        return true;
    const lc_address *a = &from->address, *b = &to->address;
    if (a->mode != b->mode || !lc_str_eq(a->type, b->type) || !lc_str_eq(a->name, b->name))
        return false;
    return from->kind == END_RESOURCE || to->kind == END_RESOURCE || lc_key_eq(a->key, b->key);
}

/* True if the inner end lies inside the outer one. */
static bool is_within(const lc_move_endpoint *inner, const lc_move_endpoint *outer)
{
    size_t own = inner->address.module_count, other = outer->address.module_count;
    if (inner->kind == END_INSTANCE && outer->kind == END_RESOURCE)
        return own == other && steps_meet(inner, outer, own) &&
               inner->address.mode == outer->address.mode &&
               lc_str_eq(inner->address.type, outer->address.type) &&
               lc_str_eq(inner->address.name, outer->address.name);
    if (!is_module_end(outer) || own < other || (is_module_end(inner) && own == other))
        return false;
    return steps_meet(inner, outer, other);
}

/* True if only the key of a module call changes: both ends of a statement inside it lie within both
 * ends of this one. */
static bool only_reindexes(const lc_move_statement *s)
{
    return is_module_end(&s->from) && is_module_end(&s->to) &&
           (s->from.kind == END_MODULE || s->to.kind == END_MODULE) &&
           lc_str_eq(s->from.config, s->to.config);
}

/* The conditions of the cores' graph of statements. Between a new key of a module and a statement
 * inside the module there would be a cycle; the one inside comes later. */
static bool runs_after(const lc_move_statement *a, const lc_move_statement *b)
{
    if (chains(&a->from, &b->to))
        return true;
    if (!is_within(&a->from, &b->to) && !is_within(&a->to, &b->to) &&
        !is_within(&b->from, &a->from) && !is_within(&b->to, &a->from))
        return false;
    return a->to.declared >= b->to.declared || !only_reindexes(a);
}

/* Index of statements by what their ends address, so that not all pairs are compared. */
typedef struct order {
    lc_predictor *r;
    lc_moves *m;
    lc_table ends; /* text -> id_list of the statements that have it at an end */
} order;

static void index_text(order *o, lc_str text, uint32_t id)
{
    lc_id_list *list = lc_table_get(&o->ends, text);
    if (!list) {
        list = LC_NEW(o->r->arena, lc_id_list);
        lc_table_put(&o->ends, text, list);
    }
    if (!list->count || list->items[list->count - 1] != id)
        *LC_PUSH(o->r->arena, list, uint32_t) = id;
}

/* Keys of the index: `=` one instance, `#` all instances, `*` the whole resource. */
static lc_str key_text(order *o, const lc_move_endpoint *end, char kind)
{
    lc_buf text = {0};
    lc_buf_add_str(&text, end->config);
    if (kind == '=')
        lc_key_add(&text, end->address.key);
    lc_buf_add_char(&text, kind);
    return lc_buf_take(o->r->arena, &text);
}

static lc_str module_text(order *o, const lc_move_endpoint *end, size_t steps)
{
    lc_address module = lc_address_module(&end->address);
    module.module_count = steps;
    module = lc_address_config(o->r->arena, &module);
    return lc_address_text(o->r->arena, &module);
}

static void index_ends(order *o, uint32_t id, const lc_move_endpoint *end)
{
    if (end->kind == END_INSTANCE) {
        index_text(o, key_text(o, end, '='), id);
        index_text(o, key_text(o, end, '#'), id);
    } else if (end->kind == END_RESOURCE) {
        index_text(o, key_text(o, end, '*'), id);
    }
    for (size_t n = 1; n <= end->address.module_count; n++)
        index_text(o, module_text(o, end, n), id);
}

/* Adds an edge for each candidate that really must run first. */
static void try_after(order *o, uint32_t a, const lc_id_list *list)
{
    for (size_t i = 0; list && i < list->count; i++) {
        uint32_t b = list->items[i];
        lc_move_statement *s = &o->m->list.items[a];
        if (a != b && runs_after(s, &o->m->list.items[b]) &&
            (!s->after.count || s->after.items[s->after.count - 1] != b))
            *LC_PUSH(o->r->arena, &s->after, uint32_t) = b;
    }
}

/* Candidates for one end; runs_after decides. */
static void find_after(order *o, uint32_t id, const lc_move_endpoint *end)
{
    if (is_module_end(end)) {
        try_after(o, id, lc_table_get(&o->ends, end->config));
    } else {
        try_after(o, id, lc_table_get(&o->ends, key_text(o, end, '*')));
        bool single = end->kind == END_INSTANCE;
        try_after(o, id, lc_table_get(&o->ends, key_text(o, end, single ? '=' : '#')));
    }
    for (size_t n = 1; n <= end->address.module_count; n++) {
        lc_str text = lc_str_printf(o->r->arena, "%.*s@", LC_FMT(module_text(o, end, n)));
        try_after(o, id, lc_table_get(&o->ends, text));
    }
}

/* Whole modules have a key of their own (`@`): they concern everything inside. */
static void index_statement(order *o, uint32_t id)
{
    const lc_move_statement *s = &o->m->list.items[id];
    const lc_move_endpoint *ends[] = {&s->from, &s->to};
    for (size_t i = 0; i < 2; i++) {
        index_ends(o, id, ends[i]);
        if (is_module_end(ends[i]))
            index_text(o, lc_str_printf(o->r->arena, "%.*s@", LC_FMT(ends[i]->config)), id);
    }
}

void lc_predict_moves_order(lc_predictor *pred, lc_moves *m)
{
    order o = {pred, m, {0}};
    lc_table_init(&o.ends, pred->arena);
    size_t count = m->list.count, done = 0;
    for (uint32_t id = 0; id < count; id++)
        index_statement(&o, id);
    for (uint32_t id = 0; id < count; id++) {
        find_after(&o, id, &m->list.items[id].from);
        find_after(&o, id, &m->list.items[id].to);
    }
    /* Kahn's algorithm: a statement is next when all that must run before it have run. */
    m->order = LC_NEW_ARRAY(pred->arena, uint32_t, count);
    uint32_t *waiting = lc_arena_zalloc(pred->arena, lc_mul_size(count, sizeof *waiting));
    lc_id_list *next = lc_arena_zalloc(pred->arena, lc_mul_size(count, sizeof *next));
    for (uint32_t id = 0; id < count; id++) {
        const lc_id_list *after = &m->list.items[id].after;
        waiting[id] = (uint32_t)after->count;
        for (size_t i = 0; i < after->count; i++)
            *LC_PUSH(pred->arena, &next[after->items[i]], uint32_t) = id;
        if (!after->count)
            m->order[done++] = id;
    }
    for (size_t i = 0; i < done; i++) {
        const lc_id_list *later = &next[m->order[i]];
        for (size_t j = 0; j < later->count; j++) {
            if (--waiting[later->items[j]] == 0)
                m->order[done++] = later->items[j];
        }
    }
    m->cyclic = done < count;
}
