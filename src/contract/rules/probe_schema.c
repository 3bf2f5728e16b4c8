/* probe/schema-changed: one build of a provider returned two different schemas. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

typedef struct comparison {
    lc_judge *j;
    uint32_t before; /* number of the run that has the other schema */
} comparison;

static void differs(const comparison *c, const lc_trail *at)
{
    lc_str note =
        lc_str_printf(c->j->scratch, "another schema than in run %u", (unsigned)c->before);
    lc_emit_in_schema(c->j, LC_RULE_PROBE_SCHEMA_CHANGED, lc_path_from_trail(c->j->scratch, at),
                      c->j->view->run->loc, note);
}

static bool same_type(const lc_type *a, const lc_type *b)
{
    return a && b ? lc_type_equal(a, b) : a == b;
}

static bool same_flags(const lc_attribute *a, const lc_attribute *b)
{
    return a->required == b->required && a->optional == b->optional && a->computed == b->computed &&
           a->sensitive == b->sensitive && a->write_only == b->write_only &&
           a->deprecated == b->deprecated && same_type(a->type, b->type) &&
           (a->nested != NULL) == (b->nested != NULL);
}

/* Both lists are in the order of names. A name that one of them does not have is a difference of
 * what has the list. */
static void compare_attributes(const comparison *c, const lc_attribute *a, size_t a_count,
                               const lc_attribute *b, size_t b_count, const lc_trail *at)
{
    bool same_names = a_count == b_count;
    for (size_t i = 0; same_names && i < a_count; i++)
        same_names = lc_str_eq(a[i].name, b[i].name);
    if (!same_names) {
        differs(c, at);
        return;
    }
    for (size_t i = 0; i < a_count; i++) {
        lc_trail here = lc_trail_attr(at, a[i].name);
        const lc_nested_type *x = a[i].nested, *y = b[i].nested;
        if (!same_flags(&a[i], &b[i]) || (x && x->nesting != y->nesting))
            differs(c, &here);
        else if (x)
            compare_attributes(c, x->attributes, x->attribute_count, y->attributes,
                               y->attribute_count, &here);
    }
}

static void compare_blocks(const comparison *c, const lc_block *a, const lc_block *b,
                           const lc_trail *at)
{
    compare_attributes(c, a->attributes, a->attribute_count, b->attributes, b->attribute_count, at);
    bool same_names = a->block_count == b->block_count;
    for (size_t i = 0; same_names && i < a->block_count; i++)
        same_names = lc_str_eq(a->blocks[i].name, b->blocks[i].name);
    if (!same_names) {
        differs(c, at);
        return;
    }
    for (size_t i = 0; i < a->block_count; i++) {
        const lc_block_type *x = &a->blocks[i], *y = &b->blocks[i];
        lc_trail here = lc_trail_attr(at, x->name);
        if (x->nesting != y->nesting || x->min_items != y->min_items ||
            x->max_items != y->max_items || x->computed != y->computed)
            differs(c, &here);
        else
            compare_blocks(c, x->block, y->block, &here);
    }
}

static bool same_thing(const lc_schema *a, const lc_schema *b)
{
    return a->kind == b->kind && lc_str_eq(a->type_name, b->type_name);
}

/* The schema of the last run of the prober before this one. What it was compared with before need
 * not be compared again. */
void lc_judge_asked_schema(lc_judge *j)
{
    const lc_schema *now = j->view->schema;
    if (!j->view->run->probed || j->view->run->newer)
        return;
    for (uint32_t number = j->view->number - 1; number > 0; number--) {
        const lc_run *run = &j->subject->runs.items[number - 1];
        if (!run->probed || !same_thing(run->schema, now))
            continue;
        if (run->schema == now)
            return;
        lc_probe_judged(j, LC_RULE_PROBE_SCHEMA_CHANGED);
        comparison c = {j, number};
        if (run->schema->version != now->version)
            differs(&c, NULL);
        compare_blocks(&c, run->schema->block, now->block, NULL);
        return;
    }
}
