/* Honest plans, made as the plugin framework makes them: configured values are kept, defaults
 * filled in, and what a change may change is unknown if there is a change. */
#include "peer.h"

#include "lifecheck/codec/codec.h"

#include <stdio.h>
#include <string.h>

/* ---- Small values */

const lc_value *peer_text(lc_arena *arena, lc_str text)
{
    lc_value *v = LC_NEW(arena, lc_value);
    lc_value_set_string(v, arena, text);
    return v;
}

const lc_value *peer_null(lc_arena *arena, const lc_type *type)
{
    lc_value *v = LC_NEW(arena, lc_value);
    lc_value_set_null(v, type);
    return v;
}

const lc_value *peer_unknown(lc_arena *arena, const lc_type *type)
{
    lc_value *v = LC_NEW(arena, lc_value);
    lc_value_set_unknown(v, type);
    return v;
}

static const lc_value *get(const lc_value *object, lc_str name)
{
    static const lc_value nothing = {.type = &lc_type_dynamic, .state = LC_NULL};
    const lc_value *v = object && lc_is_known(object) ? lc_value_attr(object, name) : NULL;
    return v ? v : &nothing;
}

const lc_value *peer_get(const lc_value *object, const char *name)
{
    return get(object, lc_str_from_c(name));
}

const lc_value *peer_with(lc_arena *arena, const lc_value *object, const char *name,
                          const lc_value *value)
{
    long at = lc_type_attr_index(object->type, lc_str_from_c(name));
    if (!lc_is_known(object) || at < 0)
        return object;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, object->count), *out = LC_NEW(arena, lc_value);
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    elems[at] = *value;
    lc_value_set_object(out, arena, object->type, elems);
    return out;
}

/* ---- What follows from other values */

static void add_text(lc_buf *out, const lc_value *v)
{
    if (!lc_is_known(v))
        return;
    if (v->type->kind == LC_TYPE_STRING)
        lc_buf_add_str(out, v->as.string);
    else if (v->type->kind == LC_TYPE_NUMBER)
        lc_num_add_text(out, v->as.number);
}

static const lc_value *digest(lc_arena *arena, const lc_value *config)
{
    if (!lc_is_wholly_known(config))
        return peer_unknown(arena, &lc_type_string);
    return peer_text(arena,
                     lc_str_printf(arena, "%016llx", (unsigned long long)lc_value_hash(config)));
}

static const lc_value *count(lc_arena *arena, const lc_value *of)
{
    lc_value *v = LC_NEW(arena, lc_value);
    lc_length length = {.known = true};
    if (!lc_is_null(of))
        length = lc_value_length(of);
    if (!length.known)
        return peer_unknown(arena, &lc_type_number);
    lc_value_set_number(v, LC_NUM((int64_t)length.min));
    return v;
}

static const lc_value *given(lc_arena *arena, const lc_value *of)
{
    const lc_refinement *refinement = lc_value_refinement(of);
    lc_value *v = LC_NEW(arena, lc_value);
    if (lc_is_unknown(of) && !(refinement && refinement->not_null))
        return peer_unknown(arena, &lc_type_bool);
    lc_value_set_bool(v, !lc_is_null(of));
    return v;
}

static const lc_value *joined(lc_arena *arena, const peer_attribute *row, const lc_value *siblings)
{
    lc_buf text = {0};
    const char *name = row->more;
    if (row->how == PREFIXED)
        lc_buf_add_c(&text, "of-");
    for (;; name++) {
        size_t len = strcspn(name, ",");
        const lc_value *of = get(siblings, (lc_str){name, len});
        if (lc_is_unknown(of)) {
            lc_buf_release(&text);
            return peer_unknown(arena, &lc_type_string);
        }
        add_text(&text, of);
        name += len;
        if (!*name)
            return peer_text(arena, lc_buf_take(arena, &text));
        lc_buf_add_char(&text, '/');
    }
}

const lc_value *peer_derived(lc_arena *arena, const peer_attribute *row, const lc_value *siblings,
                             const lc_value *config)
{
    if (row->how == PREFIXED || row->how == JOINED)
        return joined(arena, row, siblings);
    if (row->how == GIVEN)
        return given(arena, peer_get(siblings, row->more));
    if (row->how == COUNT)
        return count(arena, peer_get(siblings, row->more));
    return row->how == DIGEST ? digest(arena, config) : NULL;
}

/* ---- Walking */

typedef struct walk {
    lc_arena *arena;
    const lc_value *config; /* of the whole object */
    bool marks;             /* values that the change may change are unknown */
} walk;

static void plan_object(lc_value *out, const walk *w, const char *in, const lc_value *config,
                        const lc_value *proposed);

static const lc_value *default_of(lc_arena *arena, const peer_attribute *row, const lc_type *type)
{
    const lc_value *v;
    lc_wire_result result;
    bool ok = lc_ctyjson_decode(&v, arena, lc_str_from_c(row->more), type, &result);
    return ok ? v : peer_null(arena, type);
}

static void plan_absent(lc_value *out, const walk *w, const peer_attribute *row,
                        const lc_type *type, const lc_value *proposed)
{
    bool stored = row->how == ONCE || row->how == REVISED;
    bool marked = w->marks && (row->how == REVISED || lc_is_null(proposed));
    if (row->how == DEFAULT)
        *out = *default_of(w->arena, row, type);
    else if (stored && marked)
        lc_value_set_unknown(out, type);
    else if (stored && !lc_is_null(proposed))
        *out = *proposed;
    else
        lc_value_set_null(out, type);
}

static const lc_value *beside(const lc_value *proposed, const lc_value *config, uint32_t i)
{
    static const lc_value nothing = {.type = &lc_type_dynamic, .state = LC_NULL};
    const lc_value *v = NULL;
    if (!lc_is_known(proposed))
        return &nothing;
    if (config->type->kind == LC_TYPE_MAP)
        v = lc_value_key(proposed, config->as.many.keys[i]);
    else if (config->type->kind == LC_TYPE_LIST && i < proposed->count)
        v = &proposed->as.many.elems[i];
    return v ? v : &nothing;
}

static void plan_inside(lc_value *out, const walk *w, const peer_inside *row,
                        const lc_value *config, const lc_value *proposed)
{
    char in[128];
    const lc_type *type = config->type;
    snprintf(in, sizeof in, "%s.%s", row->in, row->name);
    if (!lc_is_known(config)) {
        *out = *config;
        return;
    }
    if (type->kind == LC_TYPE_OBJECT) {
        plan_object(out, w, in, config, proposed);
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(w->arena, lc_value, config->count);
    for (uint32_t i = 0; i < config->count; i++)
        plan_object(&elems[i], w, in, &config->as.many.elems[i], beside(proposed, config, i));
    if (type->kind == LC_TYPE_LIST) {
        lc_value_set_list(out, w->arena, type, elems, config->count);
    } else if (type->kind == LC_TYPE_SET) {
        lc_value_set_set(out, w->arena, type, elems, config->count);
    } else {
        lc_str *keys = LC_NEW_ARRAY(w->arena, lc_str, config->count);
        memcpy(keys, config->as.many.keys, config->count * sizeof *keys);
        lc_value_set_map(out, w->arena, type, keys, elems, config->count);
    }
}

static void plan_attribute(lc_value *out, const walk *w, lc_str in, const lc_type_attr *attr,
                           const lc_value *config, const lc_value *proposed)
{
    const peer_inside *inside = peer_inside_of(in, attr->name);
    const peer_attribute *row = peer_attribute_of(in, attr->name);
    if (inside)
        plan_inside(out, w, inside, config, proposed);
    else if (row && row->flags & WO)
        lc_value_set_null(out, attr->type);
    else if (!row || !lc_is_null(config))
        *out = *config;
    else
        plan_absent(out, w, row, attr->type, proposed);
}

static void plan_object(lc_value *out, const walk *w, const char *in, const lc_value *config,
                        const lc_value *proposed)
{
    const lc_type *type = config->type;
    lc_str path = lc_str_from_c(in);
    if (!lc_is_known(config)) {
        *out = *config;
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(w->arena, lc_value, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        plan_attribute(&elems[i], w, path, &type->as.attrs[i], &config->as.many.elems[i],
                       get(proposed, type->as.attrs[i].name));
    lc_value_set_object(out, w->arena, type, elems);
    for (uint32_t i = 0; i < type->count; i++) {
        const peer_attribute *row = peer_attribute_of(path, type->as.attrs[i].name);
        const lc_value *v = row && lc_is_null(&config->as.many.elems[i])
                                ? peer_derived(w->arena, row, out, w->config)
                                : NULL;
        if (v)
            elems[i] = *v;
    }
    lc_value_set_object(out, w->arena, type, elems);
}

static void add_replacements(peer_plan *plan)
{
    const lc_type *type = plan->planned->type;
    for (uint32_t i = 0; i < type->count; i++) {
        lc_str name = type->as.attrs[i].name;
        const peer_attribute *row = peer_attribute_of(plan->call->schema->type_name, name);
        if (row && row->flags & REPL &&
            !lc_value_same(get(plan->prior, name), get(plan->planned, name)))
            *LC_PUSH(plan->call->arena, &plan->replace, lc_str) = name;
    }
}

void peer_plan_honestly(peer_plan *plan)
{
    lc_arena *arena = plan->call->arena;
    bool creates = lc_is_null(plan->prior);
    walk w = {.arena = arena, .config = plan->config, .marks = creates};
    plan->planned_private = LC_STR("{\"peer\":1}");
    if (lc_is_null(plan->config)) {
        plan->planned = plan->config;
        return;
    }
    char in[128];
    snprintf(in, sizeof in, "%.*s", LC_FMT(plan->call->schema->type_name));
    lc_value *planned = LC_NEW(arena, lc_value);
    plan_object(planned, &w, in, plan->config, plan->proposed);
    if (!creates && !lc_value_same(planned, plan->prior)) {
        w.marks = true;
        plan_object(planned, &w, in, plan->config, plan->proposed);
    }
    plan->planned = planned;
    if (!creates)
        add_replacements(plan);
}
