/* Remembers violations by the pair of the planned value and the value that replaced it. */
#include "recording/instances/upstream_causes.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/key.h"
#include "lifecheck/contract/contract.h"

#include <stdlib.h>
#include <string.h>

#define MIN_TEXT   4    /* bytes; shorter strings are too common to follow */
#define MIN_NUMBER 1000 /* smaller absolute values are too common to follow */
#define MAX_SET    256  /* elements of a set that are compared, since this is quadratic */

/* An instance that violated requirements. */
typedef struct breaker {
    lc_str name;
    struct breaker *merged; /* into another one, or NULL */
} breaker;

typedef struct promise {
    uint64_t arrival; /* of the apply that broke it */
    breaker *by;
    lc_cause origin;      /* without the name */
    struct promise *next; /* of the same two values */
} promise;

struct lc_upstream_causes {
    lc_arena *arena;
    lc_table by_values; /* both values (key_of) -> list of violations */
    lc_table breakers;  /* by the number of the instance */
    size_t count;
};

lc_upstream_causes *lc_upstream_causes_new(lc_arena *arena)
{
    lc_upstream_causes *causes = LC_NEW(arena, lc_upstream_causes);
    causes->arena = arena;
    causes->count = 0;
    lc_table_init(&causes->by_values, arena);
    lc_table_init(&causes->breakers, arena);
    return causes;
}

static breaker *breaker_of(const lc_upstream_causes *causes, uint64_t instance)
{
    return lc_table_get(&causes->breakers, LC_BYTES_OF(instance));
}

static breaker *new_breaker(lc_upstream_causes *causes, uint64_t instance, lc_str name)
{
    uint64_t *key = LC_NEW(causes->arena, uint64_t);
    breaker *made = LC_NEW(causes->arena, breaker);
    *key = instance;
    made->name = lc_str_copy(causes->arena, name);
    lc_table_put(&causes->breakers, LC_BYTES_OF(*key), made);
    return made;
}

void lc_upstream_causes_name(lc_upstream_causes *causes, uint64_t instance, lc_str name)
{
    breaker *known = breaker_of(causes, instance);
    if (known)
        known->name = lc_str_copy(causes->arena, name);
}

void lc_upstream_causes_merge(lc_upstream_causes *causes, uint64_t from, uint64_t to)
{
    breaker *known = breaker_of(causes, from), *other = breaker_of(causes, to);
    if (known)
        known->merged = other ? other : new_breaker(causes, to, known->name);
}

static lc_str name_of(const breaker *by)
{
    while (by->merged)
        by = by->merged;
    return by->name;
}

bool lc_upstream_causes_any(const lc_upstream_causes *causes)
{
    return causes->count > 0;
}

/* ---- Values. */

static bool is_large(const lc_value *v)
{
    lc_num least = lc_num_from_int(MIN_NUMBER), below = lc_num_from_int(-MIN_NUMBER);
    return !lc_num_is_inf(v->as.number) &&
           (lc_num_cmp(v->as.number, least) >= 0 || lc_num_cmp(v->as.number, below) <= 0);
}

static bool is_common(lc_str text)
{
    static const char *const words[] = {"true",    "false",   "null", "none",
                                        "default", "enabled", NULL};
    return lc_str_is_one_of(text, words, NULL);
}

static bool can_be_followed(const lc_value *v)
{
    if (!lc_is_known(v))
        return false;
    if (v->type->kind == LC_TYPE_NUMBER)
        return is_large(v);
    return v->type->kind == LC_TYPE_STRING && v->as.string.len >= MIN_TEXT &&
           v->as.string.len <= LC_MAX_UPSTREAM_TEXT && !is_common(v->as.string);
}

/* With type and length, so that two values together make an unambiguous key. */
static void add_value(lc_buf *out, const lc_value *v)
{
    lc_buf text = {0};
    if (v->type->kind == LC_TYPE_STRING)
        lc_buf_add_str(&text, v->as.string);
    else
        lc_num_add_text(&text, v->as.number);
    lc_buf_printf(out, "%c%zu:", v->type->kind == LC_TYPE_STRING ? 's' : 'n', text.len);
    lc_buf_add_str(out, lc_buf_str(&text));
    lc_buf_release(&text);
}

/* False: one of the values is not followed. */
static bool key_of(lc_buf *out, const lc_value *promised, const lc_value *came)
{
    if (!can_be_followed(promised) || !can_be_followed(came) ||
        promised->type->kind != came->type->kind)
        return false;
    add_value(out, promised);
    add_value(out, came);
    return true;
}

/* ---- Remembering. */

/* Did a core tolerate this violation by an apply, so that other instances got the new value? */
static bool was_let_pass(const lc_finding *f)
{
    return f->call.kind == LC_CALL_APPLY && lc_finding_blame(f) == LC_PROVIDER &&
           f->broken_by == LC_COLUMN_NEW && lc_finding_is_tolerated(f);
}

static lc_loc copy_loc(lc_arena *arena, lc_loc loc)
{
    loc.file = lc_str_copy(arena, loc.file);
    return loc;
}

static void add(lc_upstream_causes *causes, lc_str key, breaker *by, const lc_finding *f,
                uint64_t arrival)
{
    promise *known = lc_table_get(&causes->by_values, key);
    bool again =
        known && known->arrival == arrival && lc_str_eq(known->origin.path_text, f->path_text);
    if (causes->count == LC_MAX_UPSTREAM_CAUSES || again)
        return;
    promise *made = LC_NEW(causes->arena, promise);
    *made = (promise){arrival,
                      by,
                      {.rule = f->rule,
                       .path_text = lc_str_copy(causes->arena, f->path_text),
                       .loc = copy_loc(causes->arena, f->loc)},
                      known};
    lc_table_put(&causes->by_values, lc_str_copy(causes->arena, key), made);
    causes->count++;
}

static void remember(lc_upstream_causes *causes, lc_arena *scratch, const lc_case *subject,
                     breaker *by, const lc_finding *f, uint64_t arrival)
{
    const lc_call *apply = lc_run_call(&subject->runs.items[0], LC_CALL_APPLY);
    if (!apply || !lc_field_has_value(&apply->planned) || !lc_field_has_value(&apply->result))
        return;
    const lc_value *promised = lc_path_apply(scratch, apply->planned.value, f->path);
    const lc_value *came = lc_path_apply(scratch, apply->result.value, f->path);
    lc_buf key = {0};
    if (promised && came && key_of(&key, promised, came))
        add(causes, lc_buf_str(&key), by, f, arrival);
    lc_buf_release(&key);
}

void lc_upstream_causes_take(lc_upstream_causes *causes, lc_case *subject, uint64_t instance,
                             uint64_t arrival)
{
    lc_arena *report = lc_arena_new(), *scratch = lc_arena_new();
    lc_judgement judgement;
    breaker *by = breaker_of(causes, instance);
    lc_case_judge(&judgement, report, scratch, subject);
    for (size_t i = 0; i < judgement.findings.count; i++) {
        const lc_finding *f = &judgement.findings.items[i];
        if (!was_let_pass(f))
            continue;
        by = by ? by : new_breaker(causes, instance, subject->resource);
        remember(causes, scratch, subject, by, f, arrival);
    }
    lc_arena_free(report);
    lc_arena_free(scratch);
}

/* ---- Following. */

typedef struct follower {
    const lc_upstream_causes *promises;
    lc_arena *arena;
    lc_causes *out;
    uint64_t from, to;
} follower;

/* The only violation between the two calls that turned one value into the other; NULL: none, or
 * several. */
static const promise *find(const follower *f, const lc_value *before, const lc_value *after)
{
    const promise *found = NULL;
    lc_buf key = {0};
    bool several = false;
    if (key_of(&key, before, after)) {
        for (const promise *p = lc_table_get(&f->promises->by_values, lc_buf_str(&key)); p;
             p = p->next) {
            if (p->arrival <= f->from || p->arrival >= f->to)
                continue;
            several |= found != NULL;
            found = p;
        }
    }
    lc_buf_release(&key);
    return several ? NULL : found;
}

static bool explain(const follower *f, const lc_trail *at, const lc_value *before,
                    const lc_value *after);

static bool explain_leaf(const follower *f, const lc_trail *at, const lc_value *before,
                         const lc_value *after)
{
    const promise *p = find(f, before, after);
    if (!p)
        return false;
    lc_cause *o = LC_PUSH(f->arena, f->out, lc_cause);
    *o = p->origin;
    o->name = name_of(p->by);
    o->path = lc_path_from_trail(f->arena, at);
    return true;
}

/* The only element of `a` that `b` does not have; NULL: none, or several. */
static const lc_value *alone(const lc_value *a, const lc_value *b)
{
    const lc_value *found = NULL;
    for (size_t i = 0; i < a->count; i++) {
        bool there = false;
        for (size_t k = 0; k < b->count && !there; k++)
            there = lc_value_raw_equal(&a->as.many.elems[i], &b->as.many.elems[k]);
        if (!there && found)
            return NULL;
        found = there ? found : &a->as.many.elems[i];
    }
    return found;
}

/* Elements of sets are identified by their values only, so at most one may have changed. The path
 * is that of the set. */
static bool explain_set(const follower *f, const lc_trail *at, const lc_value *before,
                        const lc_value *after)
{
    if (!lc_is_wholly_known(before))
        return true; /* it cannot be known which element became which */
    if (before->count != after->count || before->count > MAX_SET || !lc_is_wholly_known(after))
        return false;
    const lc_value *x = alone(before, after), *y = alone(after, before);
    return x && y && lc_type_is_primitive(x->type) && explain_leaf(f, at, x, y);
}

static bool explain_members(const follower *f, const lc_trail *at, const lc_value *before,
                            const lc_value *after)
{
    for (size_t i = 0; i < before->count; i++) {
        lc_trail inner = lc_trail_part(at, before, i);
        if (before->type->kind == LC_TYPE_MAP &&
            !lc_str_eq(before->as.many.keys[i], after->as.many.keys[i]))
            return false;
        if (!explain(f, &inner, &before->as.many.elems[i], &after->as.many.elems[i]))
            return false;
    }
    return true;
}

static bool explain(const follower *f, const lc_trail *at, const lc_value *before,
                    const lc_value *after)
{
    if (lc_is_unknown(before) || lc_value_same(before, after))
        return true;
    if (!lc_is_known(before) || !lc_is_known(after) || before->type->kind != after->type->kind)
        return false;
    if (lc_type_is_primitive(before->type))
        return explain_leaf(f, at, before, after);
    if (before->type->kind == LC_TYPE_SET)
        return explain_set(f, at, before, after);
    return before->count == after->count && explain_members(f, at, before, after);
}

bool lc_upstream_causes_explain(lc_causes *out, lc_arena *arena, const lc_upstream_causes *promises,
                                const lc_value *before, const lc_value *after, uint64_t from,
                                uint64_t to)
{
    follower f = {promises, arena, out, from, to};
    out->count = 0;
    return explain(&f, NULL, before, after) && out->count > 0;
}
