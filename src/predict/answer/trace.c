/* Where the new values of attributes come from: the expression that sets an attribute, and what it
 * refers to, through locals, variables and outputs of modules, until an object that changes. */
#include "lifecheck/base/key.h"
#include "predict/answer/internal.h"

#define MAX_REFERENCES 256 /* that are followed for one attribute */
#define MAX_HOPS       40

typedef struct tracer {
    lc_prediction *out;
    lc_arena *arena;
    lc_arena *scratch; /* reset for each change */
    lc_table lines;    /* the bytes of a pointer to a source -> lc_lines */
    lc_arena *index;   /* of the tables below; NULL: nothing was looked up yet */
    lc_table changes;  /* group_key -> index of the change that says most */
    lc_table several;  /* those of them that more than one object has */
    size_t budget;
} tracer;

/* ---- Places. */

static lc_loc loc_of(tracer *t, lc_source_pos place)
{
    if (!place.source)
        return (lc_loc){LC_STR_EMPTY, 0, 0};
    lc_str key = LC_BYTES_OF(place.source);
    const lc_lines **lines = lc_table_get(&t->lines, key);
    if (!lines) {
        lines = LC_NEW(t->arena, const lc_lines *);
        *lines = lc_lines_new(t->arena, place.source);
        lc_table_put(&t->lines, lc_str_copy(t->arena, key), lines);
    }
    return lc_source_pos_loc_in(*lines, place);
}

/* ---- Objects that change. */

static unsigned weight(const lc_run_change *c)
{
    if (c->deposed.len || c->action == LC_PLAN_NOOP)
        return 0;
    return lc_plan_action_replaces(c->action) ? 4
           : c->action == LC_PLAN_CREATE      ? 3
           : c->action == LC_PLAN_UPDATE      ? 2
                                              : 1;
}

/* May it change at all? */
static bool may_change(const lc_run_change *c)
{
    return weight(c) || (!c->deposed.len && c->possible & ~LC_PLAN_BIT(LC_PLAN_NOOP));
}

/* May it have values that are known after apply? */
static bool may_be_unknown(const lc_run_change *c)
{
    return may_change(c) &&
           c->possible & ~(LC_PLAN_BIT(LC_PLAN_NOOP) | LC_PLAN_BIT(LC_PLAN_DELETE) |
                           LC_PLAN_BIT(LC_PLAN_FORGET));
}

/* The objects of a resource: in a module instance, or (`wide`) in all instances of its module; all
 * that may change, or those that may have unknown values. */
static lc_str group_key(lc_arena *arena, const lc_address *a, bool wide, bool unknown)
{
    lc_address of = wide ? lc_address_config(arena, a) : lc_address_resource(a);
    return lc_str_printf(arena, "%c%c%.*s", wide ? '@' : '=', unknown ? '?' : '*',
                         LC_FMT(lc_address_text(arena, &of)));
}

static void index_under(tracer *t, lc_arena *scratch, bool wide, bool unknown, size_t index)
{
    const lc_run_change *items = t->out->changes.items;
    lc_str key = group_key(scratch, &items[index].address, wide, unknown);
    size_t known = lc_table_get_index(&t->changes, key);
    if (known == LC_NO_INDEX)
        key = lc_str_copy(t->index, key);
    else if (!lc_table_get(&t->several, key))
        lc_table_put_index(&t->several, lc_str_copy(t->index, key), known);
    if (known == LC_NO_INDEX || weight(&items[index]) > weight(&items[known]))
        lc_table_put_index(&t->changes, key, index);
}

/* Most plans explain no attribute by another object, and then need no index. */
static void index_changes(tracer *t)
{
    lc_arena *scratch = lc_arena_new_small();
    t->index = lc_arena_new();
    lc_table_init(&t->changes, t->index);
    lc_table_init(&t->several, t->index);
    for (size_t i = 0; i < t->out->changes.count; i++) {
        const lc_run_change *c = &t->out->changes.items[i];
        lc_arena_reset(scratch);
        for (int wide = 0; wide < 2; wide++) {
            if (may_change(c))
                index_under(t, scratch, wide, false, i);
            if (may_be_unknown(c))
                index_under(t, scratch, wide, true, i);
        }
    }
    lc_arena_free(scratch);
}

/* ---- References. */

/* Where an expression is evaluated: a module, the address of one of its instances, and the block
 * whose each and count it may use. */
typedef struct scene {
    const lc_module *module;
    lc_address at;
    const lc_config_resource *block; /* or NULL */
    const lc_config_call *call;      /* the same for a call */
    lc_key key;                      /* of each.key and count.index there; or none */
    bool wide;                       /* `at` may be any of the instances of its module */
    unsigned hops;
} scene;

/* What is known of an attribute's value while its expression is followed. */
typedef struct origin {
    lc_run_cause *cause;
    bool unknown; /* the value is known after apply */
    bool sure;    /* so far each expression has one reference, and nothing else decides its value */
    bool other;   /* something that is not followed may decide the value */
    bool moved;   /* each.key and count.index may be new */
    lc_str through;
    long up;      /* the object that may change the value, or -1 */
    bool several; /* there are more of them */
    long self;    /* the change that is explained, which does not explain itself */
} origin;

static void follow(tracer *t, origin *o, const lc_expr *e, const scene *s);

static bool is_fixed_key(const lc_reference *ref)
{
    return (ref->root == LC_ROOT_EACH && lc_str_is(ref->name, "key")) ||
           (ref->root == LC_ROOT_COUNT && lc_str_is(ref->name, "index"));
}

static lc_key key_of(const lc_ref_step *step, const scene *s)
{
    int64_t number;
    const lc_reference *ref =
        step->index ? lc_expr_reference(lc_expr_unwrapped(step->index)) : NULL;
    if (ref && is_fixed_key(ref) && !s->wide)
        return s->key;
    if (!step->key || !lc_is_known(step->key))
        return LC_NO_KEY;
    if (step->key->type->kind == LC_TYPE_STRING)
        return lc_key_string(step->key->as.string);
    if (step->key->type->kind == LC_TYPE_NUMBER && lc_num_to_int64(step->key->as.number, &number))
        return lc_key_int(number);
    return LC_NO_KEY;
}

static lc_address resource_of(const lc_reference *ref)
{
    return (lc_address){.mode = ref->root == LC_ROOT_DATA ? LC_MODE_DATA : LC_MODE_MANAGED,
                        .type = ref->type,
                        .name = ref->name,
                        .key = LC_NO_KEY};
}

/* The object that the reference names, or of several the one that says most; LC_NO_INDEX: none of
 * them changes. */
static size_t change_at(tracer *t, bool *several, const lc_reference *ref, const scene *s,
                        bool unknown)
{
    lc_address inner = resource_of(ref);
    if (ref->count && ref->steps[0].kind == LC_REF_INDEX)
        inner.key = key_of(&ref->steps[0], s);
    lc_address a = lc_address_within(t->scratch, &s->at, &inner);
    *several = false;
    if (inner.key.kind != LC_KEY_NONE && !s->wide) {
        const lc_run_change *c = lc_run_find(t->out, lc_address_text(t->scratch, &a), LC_STR_EMPTY);
        bool counts = c && (unknown ? may_be_unknown(c) : may_change(c));
        return counts ? (size_t)(c - t->out->changes.items) : LC_NO_INDEX;
    }
    if (!t->index)
        index_changes(t);
    lc_str key = group_key(t->scratch, &a, s->wide, unknown);
    *several = lc_table_get_index(&t->several, key) != LC_NO_INDEX;
    return lc_table_get_index(&t->changes, key);
}

/* ---- What is only referred to. */

static lc_str text_at(tracer *t, const lc_reference *ref, const scene *s)
{
    lc_str module = lc_address_text(t->scratch, &s->at);
    return lc_str_printf(t->arena, "%.*s%s%.*s", LC_FMT(module), module.len ? "." : "",
                         LC_FMT(ref->text));
}

/* A plan lists `a.b` and `a` for `a.b`. */
static bool is_part_of(lc_str shorter, lc_str longer)
{
    return shorter.len < longer.len && lc_str_eq(shorter, lc_str_sub(longer, 0, shorter.len)) &&
           (longer.ptr[shorter.len] == '.' || longer.ptr[shorter.len] == '[');
}

/* Removes each.key and what is listed twice. */
static void make_distinct(const origin *o, lc_references *refs)
{
    size_t kept = 0;
    for (size_t i = 0; i < refs->list.count; i++) {
        const lc_reference *ref = refs->list.items[i];
        bool drop = is_fixed_key(ref) && !o->moved;
        for (size_t k = 0; !drop && k < refs->list.count; k++)
            drop = k != i && (is_part_of(ref->text, refs->list.items[k]->text) ||
                              (k < kept && lc_str_eq(ref->text, refs->list.items[k]->text)));
        if (!drop)
            refs->list.items[kept++] = ref;
    }
    refs->list.count = kept;
}

static void set_refers(tracer *t, origin *o, const lc_references *refs, const scene *s)
{
    size_t count = refs->list.count < LC_MAX_REFERS ? refs->list.count : LC_MAX_REFERS;
    lc_str *texts = LC_NEW_ARRAY(t->arena, lc_str, LC_MAX_REFERS);
    if (o->cause->refer_count)
        return;
    for (size_t i = 0; i < count; i++)
        texts[i] = text_at(t, refs->list.items[i], s);
    o->cause->refers = texts;
    o->cause->refer_count = count;
    o->cause->refers_left = refs->list.count - count;
}

static void set_refer(tracer *t, origin *o, const lc_reference *ref, const scene *s)
{
    lc_references one = {.arena = t->scratch};
    *LC_PUSH(t->scratch, &one.list, const lc_reference *) = ref;
    set_refers(t, o, &one, s);
}

/* ---- Following. */

static void find_resource(tracer *t, origin *o, const lc_reference *ref, const scene *s)
{
    bool several;
    size_t found = change_at(t, &several, ref, s, o->unknown);
    lc_address at = resource_of(ref);
    /* Not declared: the iterator of a dynamic block around the expression. */
    o->other |= !lc_table_get(&s->module->resource, lc_address_text(t->scratch, &at));
    if (found == LC_NO_INDEX || (long)found == o->self)
        return;
    if (several || !weight(&t->out->changes.items[found])) {
        o->several = true;
        set_refer(t, o, ref, s);
    } else if (o->up < 0) {
        o->up = (long)found;
        o->through = text_at(t, ref, s);
    } else if (o->up != (long)found) {
        o->several = true;
    }
}

static void follow_variable(tracer *t, origin *o, const lc_reference *ref, const scene *s)
{
    const lc_module *m = s->module;
    if (!m->parent) {
        if (o->sure)
            o->cause->input = lc_str_printf(t->arena, "var.%.*s", LC_FMT(ref->name));
        return;
    }
    scene caller = {m->parent, s->at, NULL, m->call, LC_NO_KEY, s->wide, s->hops + 1};
    if (s->at.module_count)
        caller.key = s->at.modules[s->at.module_count - 1].key;
    caller.at.module_count -= caller.at.module_count > 0;
    const lc_expr *argument =
        m->call->arguments ? lc_expr_member_of(m->call->arguments, ref->name) : NULL;
    if (argument)
        follow(t, o, argument, &caller);
}

static void follow_output(tracer *t, origin *o, const lc_reference *ref, const scene *s)
{
    const lc_config_call *call = lc_table_get(&s->module->call_by_name, ref->name);
    size_t at = ref->count && ref->steps[0].kind == LC_REF_INDEX;
    lc_module_step *step = LC_NEW(t->scratch, lc_module_step);
    *step = (lc_module_step){ref->name, at ? key_of(&ref->steps[0], s) : LC_NO_KEY};
    lc_address inner = {.modules = step, .module_count = 1};
    if (!call || !call->child) {
        o->other = true;
        return;
    }
    bool one = ref->count > at && ref->steps[at].kind == LC_REF_ATTR;
    bool repeats = call->repetition.for_each || call->repetition.count;
    scene child = {
        call->child, lc_address_within(t->scratch, &s->at, &inner),         NULL,       NULL,
        LC_NO_KEY,   s->wide || (repeats && step->key.kind == LC_KEY_NONE), s->hops + 1};
    for (size_t i = 0; i < call->child->outputs.count; i++) {
        const lc_config_output *output = call->child->outputs.items[i];
        if (output->value && (!one || lc_str_eq(output->name, ref->steps[at].name)))
            follow(t, o, output->value, &child);
    }
}

static const lc_expr *repetition_of(const scene *s)
{
    const lc_config_repetition *n = s->block  ? &s->block->repetition
                                    : s->call ? &s->call->repetition
                                              : NULL;
    return !n ? NULL : n->for_each ? n->for_each : n->count;
}

static void follow_reference(tracer *t, origin *o, const lc_reference *ref, const scene *s)
{
    scene next = *s;
    next.hops++;
    if (ref->root == LC_ROOT_RESOURCE || ref->root == LC_ROOT_DATA) {
        find_resource(t, o, ref, s);
    } else if (ref->root == LC_ROOT_VARIABLE) {
        follow_variable(t, o, ref, s);
    } else if (ref->root == LC_ROOT_MODULE) {
        follow_output(t, o, ref, s);
    } else if (ref->root == LC_ROOT_LOCAL) {
        const lc_config_local *local = lc_table_get(&s->module->local, ref->name);
        follow(t, o, local ? local->value : NULL, &next);
    } else if (ref->root == LC_ROOT_EACH || ref->root == LC_ROOT_COUNT) {
        next.block = NULL;
        next.call = NULL;
        next.key = LC_NO_KEY;
        follow(t, o, repetition_of(s), &next);
    }
}

static void follow(tracer *t, origin *o, const lc_expr *e, const scene *s)
{
    lc_references refs = {.arena = t->scratch};
    if (!e || s->hops > MAX_HOPS || !t->budget) {
        o->other = true;
        return;
    }
    unsigned contents = lc_expr_contents(e);
    lc_expr_references(&refs, e);
    if (refs.list.count > t->budget) {
        refs.list.count = t->budget;
        o->other = true;
    }
    t->budget -= refs.list.count;
    make_distinct(o, &refs);
    o->other |= (contents & LC_EXPR_LATE) != 0;
    if (o->sure && (contents || refs.list.count != 1)) {
        o->sure = false;
        set_refers(t, o, &refs, s);
    }
    for (size_t i = 0; i < refs.list.count; i++)
        follow_reference(t, o, refs.list.items[i], s);
}

/* ---- The expression that sets an attribute. */

/* Member `name` of a body or object; of blocks of one type the one with this number. */
static const lc_expr *member_at(const lc_expr *object, lc_str name, uint64_t number)
{
    const lc_expr *value, *found = NULL;
    for (size_t i = 0; (value = lc_expr_value_at(object, i)); i++) {
        const lc_expr_block *block = lc_expr_block_of(value);
        lc_str key;
        lc_expr_key_at(&key, object, i);
        if (!lc_str_eq(block && block->dynamic ? block->type : key, name))
            continue;
        found = value;
        if (!block || block->dynamic || number-- == 0)
            break;
    }
    return found;
}

/* As deep as the path and the expression go together. */
static const lc_expr *expression_at(const lc_expr *body, lc_path path)
{
    const lc_expr *e = body;
    for (size_t i = 0; i < path.count; i++) {
        const lc_step *step = &path.steps[i];
        const lc_expr_block *block = lc_expr_block_of(e);
        const lc_expr *inner = block ? block->body : e, *next;
        if (step->kind == LC_STEP_INDEX) {
            next = lc_expr_is_tuple(inner) ? lc_expr_item_at(inner, (size_t)step->index) : NULL;
            if (!next && (lc_expr_is_object(inner) || block))
                continue; /* the block was chosen by its number before */
        } else {
            bool numbered = i + 1 < path.count && path.steps[i + 1].kind == LC_STEP_INDEX;
            next = inner && lc_expr_is_object(inner)
                       ? member_at(inner, step->name, numbered ? path.steps[i + 1].index : 0)
                       : NULL;
        }
        if (!next)
            return i ? e : NULL;
        e = next;
    }
    return e;
}

/* ---- One change. */

static scene scene_of(const lc_run_change *c)
{
    return (scene){c->config->module,
                   lc_address_module(&c->address),
                   c->config,
                   NULL,
                   c->address.key,
                   false,
                   0};
}

/* An object is named if nothing else can have changed the value: it is the only one that may have
 * unknown values, or all of the expression. */
static void name_origin(const origin *o)
{
    lc_run_cause *cause = o->cause;
    bool only = o->up >= 0 && !o->several && !o->other;
    if (only && (o->unknown || (o->sure && !cause->drifted))) {
        cause->through = o->through;
        cause->up = o->up;
    }
    if (cause->up >= 0 || cause->drifted)
        cause->input = LC_STR_EMPTY;
    if (cause->up >= 0 || cause->drifted || cause->input.len)
        cause->refer_count = cause->refers_left = 0;
}

static void trace_cause(tracer *t, const lc_run_change *c, long self, lc_run_cause *cause)
{
    const lc_expr *e = expression_at(c->config->body, cause->steps);
    origin o = {.cause = cause,
                .unknown = cause->kind == LC_CAUSE_UNKNOWN,
                .sure = true,
                .moved = c->previous.len > 0,
                .up = -1,
                .self = self};
    scene s = scene_of(c);
    cause->set = e != NULL;
    if (!e)
        return;
    const lc_expr_block *block = lc_expr_block_of(e);
    cause->loc = loc_of(t, block ? block->place : lc_expr_pos(e));
    t->budget = MAX_REFERENCES;
    follow(t, &o, e, &s);
    name_origin(&o);
}

/* What forces a replace first, then what the configuration sets; the provider's own values are
 * consequences, and reported only if there is nothing else. */
static int by_importance(const void *a, const void *b)
{
    const lc_run_cause *x = a, *y = b;
    if (x->forces != y->forces)
        return x->forces ? -1 : 1;
    if (x->set != y->set)
        return x->set ? -1 : 1;
    if ((x->up >= 0) != (y->up >= 0))
        return x->up >= 0 ? -1 : 1;
    return lc_path_cmp(x->steps, y->steps);
}

/* Of an open change all causes are configured. */
static void choose_causes(lc_run_change *c, lc_run_cause *causes)
{
    size_t count = c->cause_count, kept = 0;
    bool any = false, computed = c->action != LC_PLAN_READ &&
                                 (c->reason == LC_PLAN_REASON_NONE ||
                                  c->reason == LC_PLAN_REASON_REPLACE_CANNOT_UPDATE);
    for (size_t i = 0; i < count; i++)
        any |= causes[i].set || causes[i].forces;
    for (size_t i = 0; i < count; i++) {
        if (!lc_run_is_firm(c) || (any ? causes[i].set || causes[i].forces : computed))
            causes[kept++] = causes[i];
    }
    if (kept > 1)
        qsort(causes, kept, sizeof *causes, by_importance);
    c->causes_left += any ? 0 : kept > LC_MAX_CAUSES ? kept - LC_MAX_CAUSES : 0;
    c->cause_count = kept < LC_MAX_CAUSES ? kept : LC_MAX_CAUSES;
}

/* The line of the setting that ends an object. */
static lc_source_pos place_of_end(const lc_prediction *out, const lc_run_change *c)
{
    const lc_source_pos none = {NULL, 0, 0};
    const lc_config_repetition *n = c->config ? &c->config->repetition : NULL;
    if (c->reason == LC_PLAN_REASON_DELETE_NO_MODULE && out->config) {
        lc_address module = lc_address_module(&c->address);
        const lc_module *m = lc_config_module_at(out->config, &module);
        const lc_config_call *call = m ? m->call : NULL;
        return !call                       ? none
               : call->repetition.for_each ? call->repetition.for_each_place
               : call->repetition.count    ? call->repetition.count_place
                                           : call->place;
    }
    if (!n)
        return none;
    if (c->reason == LC_PLAN_REASON_DELETE_COUNT_INDEX)
        return n->count_place;
    if (c->reason == LC_PLAN_REASON_DELETE_EACH_KEY)
        return n->for_each_place;
    if (c->reason == LC_PLAN_REASON_DELETE_ENABLED_FALSE)
        return n->enabled_place;
    if (c->reason == LC_PLAN_REASON_DELETE_WRONG_REPETITION)
        return c->config->place;
    return none;
}

/* The first reference of replace_triggered_by whose object changes. */
static void trace_trigger(tracer *t, lc_run_change *c, long self)
{
    const lc_config_refs *refs = &c->config->lifecycle->replace_triggered_by;
    for (size_t i = 0; i < refs->list.count && c->trigger < 0; i++) {
        const lc_config_ref *ref = &refs->list.items[i];
        scene s = scene_of(c);
        bool several;
        size_t found =
            ref->reference ? change_at(t, &several, ref->reference, &s, false) : LC_NO_INDEX;
        if (found == LC_NO_INDEX || (long)found == self || !weight(&t->out->changes.items[found]))
            continue;
        c->trigger = (long)found;
        if (!c->why.loc.line && c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS)
            c->why.loc = loc_of(t, ref->place);
    }
}

static void trace_change(tracer *t, size_t index)
{
    lc_run_change *c = &t->out->changes.items[index];
    lc_run_cause *causes = LC_NEW_ARRAY(t->arena, lc_run_cause, c->cause_count);
    c->trigger = -1;
    if (!c->config && t->out->config && !c->deposed.len)
        c->config = lc_config_resource_at(t->out->config, &c->address);
    if (c->config && !c->place.line)
        c->place = loc_of(t, c->config->place);
    if (!c->why.loc.line)
        c->why.loc = loc_of(t, place_of_end(t->out, c));
    if (c->cause_count)
        memcpy(causes, c->causes, c->cause_count * sizeof *causes);
    for (size_t i = 0; c->config && c->config->body && i < c->cause_count; i++)
        trace_cause(t, c, (long)index, &causes[i]);
    if (c->config && c->reason == LC_PLAN_REASON_REPLACE_TRIGGERS)
        trace_trigger(t, c, (long)index);
    choose_causes(c, causes);
    c->causes = causes;
}

void lc_run_trace(lc_prediction *out, lc_arena *arena)
{
    tracer t = {.out = out, .arena = arena, .scratch = lc_arena_new()};
    lc_table_init(&t.lines, arena);
    for (size_t i = 0; i < out->changes.count; i++) {
        lc_arena_reset(t.scratch);
        trace_change(&t, i);
    }
    lc_arena_free(t.index);
    lc_arena_free(t.scratch);
}
