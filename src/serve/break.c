/* Answers that violate one requirement on purpose: breaks.def has which, and how. */
#include "lifecheck/base/arena.h"
#include "lifecheck/probe/values.h"
#include "lifecheck/wire/grpc_status.h"
#include "serve/internal.h"

#include <string.h>

/* The columns of breaks.def, which says what they mean. */
typedef enum when { ANY, CREATE, UPDATE, DESTROY, INITIAL, FINAL, SAME } when;
typedef enum where {
    WHOLE,
    SET,
    UNSET,
    COMPUTED,
    FILLED,
    WRITE_ONLY,
    LIST,
    SETS,
    DYNAMIC,
    NESTED,
    NESTED_MAP,
    CHANGED,
    BLOCKS,
    SET_BLOCKS,
    MAP_BLOCKS,
    SINGLE_BLOCKS,
    BESIDE
} where;
typedef enum how {
    HOW_NULL,
    HOW_UNKNOWN,
    HOW_SOME,
    HOW_OTHER,
    HOW_OTHER_TYPE,
    HOW_OTHER_KEY,
    HOW_MORE,
    HOW_FEWER,
    HOW_PRIOR,
    HOW_CONFIG,
    HOW_KEPT,
    HOW_NULL_ELEMENT,
    HOW_UNKNOWN_ELEMENT,
    HOW_NOTHING,
    HOW_EMPTY,
    HOW_TEXT,
    HOW_FAIL,
    HOW_STATUS,
    HOW_JSON,
    HOW_SEVERITY,
    HOW_REFUSE_UNKNOWN,
    HOW_NO_SUCH_PATH,
    HOW_REPLACE_NOTHING,
    HOW_REPLACE_SAME,
    HOW_REPLACE_FINALLY,
    HOW_TWICE,
    HOW_NAMELESS,
    HOW_RENAMED,
    HOW_IDENTITY_UNKNOWN,
    HOW_IDENTITY_NONE,
    HOW_IDENTITY_OTHER,
    HOW_ERROR_BEFORE,
    HOW_AGAIN,
    HOW_EMPTY_BEFORE,
    HOW_NO_EVENTS,
    HOW_DEFER,
    HOW_DEFER_UNKNOWN,
    HOW_LEGACY,
    HOW_ADDED
} how;

typedef struct lc_serve_break_row {
    const char *rule;
    lc_pj_rpc rpc;
    when when;
    where where;
    how how;
    lc_serve_part part; /* of a schema, to which `json` is added */
    const char *json;
} row;

static const row rows[] = {
#define BREAK(rule, rpc, when, where, how) {rule, LC_PJ_##rpc, when, where, HOW_##how, 0, NULL},
#define ADDS(rule, part, json)                                                                     \
    {rule, LC_PJ_SCHEMA, ANY, BESIDE, HOW_ADDED, LC_SERVE_PART_##part, json},
#include "serve/breaks.def"
};

/* ---- What is asked for. */

const char *lc_serve_breakable(size_t index)
{
    return index < sizeof rows / sizeof *rows ? rows[index].rule : NULL;
}

/* Whether an attribute or a block is what violates the rule, so that a path can say which. */
static bool takes_path(const row *r)
{
    return r->where == BESIDE ? r->how == HOW_REFUSE_UNKNOWN || r->how == HOW_REPLACE_FINALLY ||
                                    r->how == HOW_REPLACE_SAME
                              : r->where != WHOLE;
}

/* RULE[@[data.]TYPE[.path]], the type as in an address. */
bool lc_serve_break_read(lc_serve_break *out, lc_str text)
{
    size_t at = lc_str_find(text, 0, '@');
    lc_str rule = lc_str_sub(text, 0, at), rest = lc_str_sub(text, at + (at < text.len), text.len);
    size_t dot = lc_str_find(rest, 0, '.');
    bool data = lc_str_is(lc_str_sub(rest, 0, dot), "data");
    dot = data && dot < rest.len ? lc_str_find(rest, dot + 1, '.') : dot;
    *out = (lc_serve_break){.type = lc_str_sub(rest, data ? 5 : 0, dot),
                            .path = lc_str_sub(rest, dot + (dot < rest.len), rest.len)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (lc_str_is(rule, rows[i].rule))
            out->row = &rows[i];
    }
    return out->row && (at == text.len || out->type.len) &&
           (!out->path.len || takes_path(out->row));
}

/* ---- Other values. */

static const lc_value *other(lc_arena *arena, const lc_value *v);

/* The container with another value in the first element that can have one. */
static const lc_value *other_members(lc_arena *arena, const lc_value *v)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
    memcpy(elems, v->as.many.elems, v->count * sizeof *elems);
    for (uint32_t i = 0; i < v->count; i++) {
        const lc_value *changed = other(arena, &elems[i]);
        if (!changed)
            continue;
        elems[i] = *changed;
        return lc_with_values(arena, v, elems);
    }
    return NULL;
}

/* NULL: there is no other value, as of an empty list. */
static const lc_value *other(lc_arena *arena, const lc_value *v)
{
    lc_value slot;
    int64_t n = 0;
    if (!lc_is_known(v))
        return NULL;
    if (v->type->kind == LC_TYPE_STRING)
        lc_value_set_string(&slot, arena, lc_str_printf(arena, "%.*s-other", LC_FMT(v->as.string)));
    else if (v->type->kind == LC_TYPE_BOOL)
        lc_value_set_bool(&slot, !v->as.boolean);
    else if (v->type->kind == LC_TYPE_NUMBER)
        lc_value_set_number(&slot, LC_NUM(lc_num_to_int64(v->as.number, &n) ? n + 1 : 1));
    else
        return other_members(arena, v);
    return lc_value_new(arena, &slot);
}

/* A collection with one element more or fewer. NULL: it has none. */
static const lc_value *resized(lc_arena *arena, const lc_value *v, bool more)
{
    lc_value slot = *v;
    uint32_t count = v->count + 1;
    lc_type_kind kind = v->type->kind;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, count);
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, count);
    if (!lc_is_known(v) || !v->count || !lc_type_is_collection(v->type))
        return NULL;
    memcpy(elems, v->as.many.elems, v->count * sizeof *elems);
    if (kind == LC_TYPE_MAP)
        memcpy(keys, v->as.many.keys, v->count * sizeof *keys);
    const lc_value *last = &v->as.many.elems[v->count - 1], *next = other(arena, last);
    /* An equal element would make no larger set. */
    elems[v->count] = next ? *next : *last;
    keys[v->count] = LC_STR("zzz-more");
    count = more ? count : v->count - 1;
    bool ok = kind == LC_TYPE_LIST  ? lc_value_set_list(&slot, arena, v->type, elems, count)
              : kind == LC_TYPE_SET ? lc_value_set_set(&slot, arena, v->type, elems, count)
                                    : lc_value_set_map(&slot, arena, v->type, keys, elems, count);
    return ok ? lc_value_new(arena, &slot) : NULL;
}

/* A map with another key for its last element. NULL: it has none. */
static const lc_value *with_other_key(lc_arena *arena, const lc_value *v)
{
    lc_value slot = *v;
    if (!lc_is_known(v) || !v->count || v->type->kind != LC_TYPE_MAP)
        return NULL;
    lc_str *keys = lc_arena_copy(arena, v->as.many.keys, v->count, sizeof *keys);
    lc_value *elems = lc_arena_copy(arena, v->as.many.elems, v->count, sizeof *elems);
    keys[v->count - 1] = LC_STR("zzz-other");
    return lc_value_set_map(&slot, arena, v->type, keys, elems, v->count)
               ? lc_value_new(arena, &slot)
               : NULL;
}

/* A collection whose first element is null, or unknown. NULL: it has none. */
static const lc_value *with_element(lc_arena *arena, const lc_value *v, bool unknown)
{
    if (!lc_is_known(v) || !v->count || !lc_type_is_collection(v->type))
        return NULL;
    lc_value *elems = lc_arena_copy(arena, v->as.many.elems, v->count, sizeof *elems);
    if (unknown)
        lc_value_set_unknown(&elems[0], v->type->as.elem);
    else
        lc_value_set_null(&elems[0], v->type->as.elem);
    return lc_with_values(arena, v, elems);
}

/* ---- One place. */

typedef struct bending {
    lc_serve_call *call;
    const lc_serve_break *b;
    lc_serve_maker maker;
    bool done;
    const lc_value *root; /* the whole object */
} bending;

static const lc_value *unknown_of(lc_arena *arena, const lc_type *type)
{
    lc_value slot;
    lc_value_set_unknown(&slot, type);
    return lc_value_new(arena, &slot);
}

/* Of an attribute of the object itself; NULL: it has none. */
static const lc_value *prior_of(const bending *x, const lc_attribute *a)
{
    return x->call->prior ? lc_value_attr(x->call->prior, a->name) : NULL;
}

/* A bool, or a string for a bool. */
static const lc_value *of_other_type(lc_arena *arena, const lc_value *v)
{
    lc_value slot;
    if (v->type->kind == LC_TYPE_BOOL)
        lc_value_set_string(&slot, arena, LC_STR("another type"));
    else
        lc_value_set_bool(&slot, true);
    return lc_value_new(arena, &slot);
}

/* The value that the reply gets in this place. NULL: it stays, and the next place is tried. `a` is
 * NULL for blocks, for which no value can be made. */
static const lc_value *bent(bending *x, const lc_attribute *a, const lc_type *type,
                            const lc_value *v, const lc_value *config)
{
    lc_arena *arena = x->call->arena;
    switch ((unsigned)x->b->row->how) {
    case HOW_NULL:
        return lc_serve_null(arena, type);
    case HOW_UNKNOWN:
        return unknown_of(arena, type);
    case HOW_SOME:
        return a ? lc_serve_make(&x->maker, a) : NULL;
    case HOW_OTHER:
        return lc_is_unknown(v) && a ? lc_serve_make(&x->maker, a) : other(arena, v);
    case HOW_OTHER_TYPE:
        return of_other_type(arena, v);
    case HOW_OTHER_KEY:
        return with_other_key(arena, v);
    case HOW_MORE:
    case HOW_FEWER:
        return resized(arena, v, x->b->row->how == HOW_MORE);
    case HOW_CONFIG:
        return config;
    case HOW_KEPT:
        return a ? prior_of(x, a) : NULL;
    case HOW_NULL_ELEMENT:
    case HOW_UNKNOWN_ELEMENT:
        return with_element(arena, v, x->b->row->how == HOW_UNKNOWN_ELEMENT);
    default:
        return NULL;
    }
}

/* The configuration of the attribute. NULL: not known here, because only the root object is paired
 * with its configuration. */
static const lc_value *config_of(const bending *x, const lc_value *object, const lc_attribute *a)
{
    const lc_value *config = x->call->config;
    return object == x->root && config ? lc_value_attr(config, a->name) : NULL;
}

/* `named`: the user has chosen the place, so that fewer kinds of attributes are passed over. An
 * `id` is left alone otherwise: with another one it would be another object. */
static bool is_place(const bending *x, const lc_attribute *a, const lc_value *v,
                     const lc_value *config)
{
    bool set = config ? lc_is_known(config) : lc_is_known(v) && !a->computed;
    const lc_value *prior = prior_of(x, a);
    bool named = x->b->path.len != 0, primitive = lc_type_is_primitive(a->implied) || named;
    switch ((unsigned)x->b->row->where) {
    case SET:
        return set && primitive && lc_is_known(v) && a->implied->kind != LC_TYPE_BOOL;
    case UNSET:
        return lc_is_null(v) && !a->computed && !a->write_only && primitive;
    case COMPUTED:
        return a->computed && primitive && (!config || lc_is_null(config));
    case FILLED:
        return lc_is_known(v) && primitive && (named || !lc_str_is(a->name, "id"));
    case WRITE_ONLY:
        return a->write_only && config && lc_is_known(config);
    case LIST:
        return set && !a->nested && lc_type_is_collection(a->implied) && lc_is_known(v) && v->count;
    case CHANGED:
        return set && config && prior && lc_is_known(prior) && !lc_value_same(config, prior);
    case SETS:
        return set && !a->nested && a->implied->kind == LC_TYPE_SET && lc_is_known(v) && v->count;
    case DYNAMIC:
        return set && a->implied->kind == LC_TYPE_DYNAMIC && lc_is_known(v);
    case NESTED:
        return set && a->nested && lc_is_known(v) && !a->computed;
    case NESTED_MAP:
        return set && a->nested && a->nested->nesting == LC_NESTING_MAP && lc_is_known(v);
    default:
        return false;
    }
}

/* Only the last name of the path is compared: the walk does not know where it is. */
static bool is_named(const bending *x, lc_str name)
{
    lc_str path = x->b->path;
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '.')
        at--;
    return path.len == 0 || lc_str_eq(lc_str_sub(path, at, path.len), name);
}

static const lc_value *bend_attribute(void *context, const lc_value *object, const lc_attribute *a,
                                      const lc_value *v)
{
    bending *x = context;
    const lc_value *config = config_of(x, object, a);
    if (x->done || !is_named(x, a->name) || !is_place(x, a, v, config))
        return NULL;
    const lc_value *changed = bent(x, a, a->implied, v, config);
    x->done = changed != NULL;
    return changed;
}

static bool is_block_place(where at, lc_nesting nesting)
{
    return at == BLOCKS       ? nesting == LC_NESTING_LIST
           : at == SET_BLOCKS ? nesting == LC_NESTING_SET
           : at == MAP_BLOCKS ? nesting == LC_NESTING_MAP
                              : at == SINGLE_BLOCKS && nesting == LC_NESTING_SINGLE;
}

/* Blocks of the root only. What is inside a collection with dynamic types has no one type. */
static const lc_value *bend_blocks(bending *x, const lc_block *block, const lc_value *object)
{
    lc_value *elems = LC_NEW_ARRAY(x->call->arena, lc_value, object->count + 1);
    if (!lc_is_known(object))
        return object;
    memcpy(elems, object->as.many.elems, object->count * sizeof *elems);
    for (size_t i = 0; i < block->block_count && !x->done; i++) {
        const lc_block_type *b = &block->blocks[i];
        lc_value *v = &elems[b->slot];
        bool full = lc_is_known(v) && v->count;
        where at = x->b->row->where;
        if (!is_block_place(at, b->nesting) || !is_named(x, b->name) ||
            (!full && (at == SINGLE_BLOCKS ||
                       (x->b->row->how != HOW_NULL && x->b->row->how != HOW_UNKNOWN))) ||
            b->dynamic_inside)
            continue;
        const lc_value *changed = bent(x, NULL, b->implied, v, NULL);
        x->done = changed != NULL;
        if (changed)
            *v = *changed;
    }
    return x->done ? lc_with_values(x->call->arena, object, elems) : object;
}

/* ---- The whole value, and what belongs to it. */

static bool bend_whole(bending *x)
{
    lc_serve_reply *reply = &x->call->reply;
    lc_arena *arena = x->call->arena;
    lc_value slot;
    switch ((unsigned)x->b->row->how) {
    case HOW_NULL:
        reply->value = lc_serve_null(arena, reply->type);
        return true;
    case HOW_FAIL:
        reply->value = lc_serve_null(arena, reply->type);
        lc_serve_error(x->call, "Object cannot be created",
                       LC_STR("This was requested with --break."));
        return true;
    case HOW_PRIOR:
        reply->value = x->call->prior;
        return true;
    case HOW_NOTHING:
        reply->value = NULL;
        reply->nothing = true;
        return true;
    case HOW_EMPTY:
        reply->value = lc_block_empty_value(arena, x->call->schema->block);
        return true;
    case HOW_TEXT:
        lc_value_set_string(&slot, arena, LC_STR("a string"));
        reply->value = lc_value_new(arena, &slot);
        reply->type = &lc_type_string;
        return true;
    default:
        return false;
    }
}

static lc_path path_of(const bending *x, lc_str name)
{
    lc_step *step = LC_NEW(x->call->arena, lc_step);
    *step = (lc_step){LC_STEP_ATTR, name, 0, NULL};
    return (lc_path){step, 1};
}

static bool add_replacement(bending *x, lc_str name)
{
    *LC_PUSH(x->call->arena, &x->call->reply.replace, lc_path) = path_of(x, name);
    return true;
}

/* `name`: of the attribute that it is about, or empty. */
static void add_diag(bending *x, const char *severity, lc_str summary, lc_str name)
{
    lc_serve_diag *diag = LC_PUSH(x->call->arena, &x->call->reply.diags, lc_serve_diag);
    *diag = (lc_serve_diag){.severity = severity,
                            .summary = summary,
                            .detail = LC_STR("This was requested with --break.")};
    if (name.len)
        diag->path = path_of(x, name);
}

static bool refuse_unknown(bending *x)
{
    const lc_block *block = x->call->schema->block;
    for (size_t i = 0; x->call->config && i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        const lc_value *v = lc_value_attr(x->call->config, a->name);
        if (!v || !is_named(x, a->name) || lc_is_wholly_known(v) || a->computed)
            continue;
        add_diag(x, "ERROR", LC_STR("Value is not known"), a->name);
        return true;
    }
    return false;
}

/* An attribute that changes, or one that does not; any in a create. */
static bool replace(bending *x, bool changes)
{
    const lc_block *block = x->call->schema->block;
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        const lc_value *before = lc_value_attr(x->call->prior, a->name);
        const lc_value *now = lc_value_attr(x->call->reply.value, a->name);
        if (is_named(x, a->name) && !a->write_only && now &&
            (!before || lc_value_same(before, now) != changes))
            return add_replacement(x, a->name);
    }
    return false;
}

/* Each of these belongs to a reply that has an identity; without one nothing can be violated. */
static bool bend_identity(bending *x)
{
    lc_serve_reply *reply = &x->call->reply;
    if (!reply->identity)
        return false;
    if (x->b->row->how == HOW_IDENTITY_NONE)
        reply->identity = NULL;
    else if (x->b->row->how == HOW_IDENTITY_UNKNOWN)
        reply->identity = unknown_of(x->call->arena, reply->identity->type);
    else
        reply->identity = other(x->call->arena, reply->identity);
    return true;
}

/* What accompanies the value. The change of a plan counts as violated only if it can be: a replace
 * in the second plan needs an attribute that changes, the flag of SDKv2 is wrong in protocol 6
 * only. */
static bool bend_beside(bending *x)
{
    lc_serve_reply *reply = &x->call->reply;
    switch ((unsigned)x->b->row->how) {
    case HOW_STATUS:
        reply->status = LC_GRPC_UNKNOWN;
        return true;
    case HOW_JSON:
        reply->json = lc_is_wholly_known(reply->value);
        return reply->json;
    case HOW_SEVERITY:
        add_diag(x, "INVALID", LC_STR("Neither error nor warning"), LC_STR_EMPTY);
        return true;
    case HOW_REFUSE_UNKNOWN:
        return refuse_unknown(x);
    case HOW_NO_SUCH_PATH:
        add_diag(x, "WARNING", LC_STR("An attribute that is not there"),
                 LC_STR("no_such_attribute"));
        return true;
    case HOW_REPLACE_NOTHING:
        return add_replacement(x, LC_STR("no_such_attribute"));
    case HOW_REPLACE_FINALLY:
        return x->call->served->configured % 2 == 0 && replace(x, true);
    case HOW_REPLACE_SAME:
        return replace(x, false);
    case HOW_TWICE:
        return reply->twice = true;
    case HOW_NAMELESS:
    case HOW_RENAMED:
        reply->renamed = true;
        reply->name = x->b->row->how == HOW_RENAMED ? LC_STR("another_type") : LC_STR_EMPTY;
        return true;
    case HOW_DEFER:
    case HOW_DEFER_UNKNOWN:
        reply->deferred = x->b->row->how == HOW_DEFER ? "ABSENT_PREREQ" : "UNKNOWN";
        return true;
    case HOW_NO_EVENTS:
        return reply->nothing = true;
    case HOW_EMPTY_BEFORE:
        return reply->empty_before = true;
    case HOW_AGAIN:
        return reply->again = true;
    case HOW_ERROR_BEFORE:
        return reply->error_before = true;
    case HOW_LEGACY:
        return reply->legacy = x->call->method->protocol == 6;
    default:
        return bend_identity(x);
    }
}

/* ---- All of it. */

/* The provider is configured once for a plan and again for its apply, so the number of
 * configurations distinguishes the first plan of a change (odd) from the final one (even). */
static bool is_time(const lc_serve_call *call, when at)
{
    const lc_value *prior = call->prior, *value = call->reply.value;
    bool creates = prior && lc_is_null(prior), destroys = value && lc_is_null(value);
    switch (at) {
    case ANY:
        return true;
    case CREATE:
        return creates && !destroys;
    case INITIAL:
        return creates && !destroys && call->served->configured % 2 == 1;
    case FINAL: /* something known must be planned before */
        return creates && !destroys;
    case UPDATE:
        return prior && !creates && !destroys && value && !lc_value_same(prior, value);
    case SAME:
        return prior && !creates && value && lc_value_same(prior, value);
    case DESTROY:
        return prior && !creates && destroys;
    }
    return false;
}

/* A final plan may resolve what was unknown: that violates nothing. So the first plan gets a known
 * value in this place, and the final one null, or a value that is made with another key. */
static const lc_value *bend_final(bending *x, const lc_value *value)
{
    const lc_block *block = x->call->schema->block;
    lc_serve_break first = *x->b;
    row some = *x->b->row;
    bool final = x->call->served->configured % 2 == 0;
    if (!final || some.how == HOW_OTHER) {
        some.how = HOW_SOME;
        first.row = &some;
    }
    bending inner = *x;
    inner.b = &first;
    if (final && x->b->row->how == HOW_OTHER)
        inner.maker.key = LC_STR("ffffffffffffffff");
    value = lc_serve_changed(x->call->arena, block, value, bend_attribute, &inner);
    x->done = inner.done;
    return value;
}

static bool bend(lc_serve_call *call, const lc_serve_break *b)
{
    const row *r = b->row;
    lc_serve_reply *reply = &call->reply;
    /* A key that no object has: what is made with it differs from all honest values. */
    bending x = {call,
                 b,
                 {call->arena, NULL, call->schema->type_name, LC_STR("0000000000000000"), false},
                 false,
                 reply->value};
    if (r->where == BESIDE)
        return bend_beside(&x);
    if (!reply->value)
        return false;
    if (r->where == WHOLE)
        return bend_whole(&x);
    if (r->when == FINAL)
        reply->value = bend_final(&x, reply->value);
    else if (r->where >= BLOCKS && r->where <= SINGLE_BLOCKS)
        reply->value = bend_blocks(&x, call->schema->block, reply->value);
    else
        reply->value =
            lc_serve_changed(call->arena, call->schema->block, reply->value, bend_attribute, &x);
    return x.done;
}

/* A reply with an error is left alone: clients look at nothing else in it. */
void lc_serve_bend(lc_serve_call *call)
{
    lc_pj_rpc rpc = lc_pj_rpc_of(lc_str_from_c(call->method->name));
    lc_served *s = call->served;
    for (size_t i = 0; i < s->options.break_count; i++) {
        lc_serve_break *b = &s->options.breaks[i];
        bool meant = call->schema && (!b->type.len || lc_str_eq(b->type, call->schema->type_name));
        if (meant && b->row->rpc == rpc && !call->reply.diags.count && is_time(call, b->row->when))
            b->count += bend(call, b);
    }
}

/* ---- Schemas. */

/* Managed resource types get what is wrong: the one of --break, or all. What has no type belongs to
 * the provider. */
static bool is_broken(const lc_serve_break *b, const lc_schema *schema)
{
    return !schema || (schema->kind == LC_KIND_RESOURCE &&
                       (!b->type.len || lc_str_eq(b->type, schema->type_name)));
}

bool lc_serve_add_broken(lc_json *w, const char *key, const lc_served *served,
                         const lc_schema *schema, lc_serve_part part)
{
    bool any = false;
    for (size_t i = 0; i < served->options.break_count; i++) {
        lc_serve_break *b = &served->options.breaks[i];
        if (b->row->how != HOW_ADDED || b->row->part != part || !is_broken(b, schema))
            continue;
        if (*b->row->json)
            lc_json_raw(w, key, lc_str_from_c(b->row->json));
        b->count++;
        any = true;
    }
    return any;
}
