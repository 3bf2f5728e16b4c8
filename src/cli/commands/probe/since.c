/* --since: types whose schema is the same as in a document are not asked about. */
#include "cli/commands/probe/probe.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/schema/change.h"

#include <string.h>

typedef struct comparison {
    lc_probe *p;
    lc_schema_doc *doc;
    lc_table known; /* names of the document's types, as --type has them */
    lc_arena *scratch;
} comparison;

/* Asking a document for a type that it does not have would be an error. */
static void note_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    comparison *c = context;
    (void)provider;
    lc_str name =
        kind == LC_KIND_PROVIDER ? LC_STR("provider") : lc_kind_and_type(c->p->arena, kind, type);
    lc_table_put(&c->known, lc_str_copy(c->p->arena, name), c);
}

/* A function is compared by the schema of the provider, which has all of them. */
static const lc_schema *former(comparison *c, const lc_probe_target *target)
{
    const lc_schema *schema = NULL;
    bool own = target->kind == LC_KIND_PROVIDER;
    lc_diags quiet;
    lc_diags_init(&quiet, c->scratch);
    if (!lc_table_get(&c->known, own ? LC_STR("provider") : target->name))
        return NULL;
    lc_schema_doc_get(&schema, c->doc, target->kind, LC_STR_EMPTY,
                      own ? LC_STR_EMPTY : target->schema->type_name, (lc_loc){0}, &quiet);
    return schema;
}

static bool is_the_same(comparison *c, const lc_probe_target *target)
{
    lc_schema_shape before = {0}, after = {0};
    const lc_schema *old = former(c, target);
    if (!old)
        return false;
    if (!target->function) {
        lc_schema_shape_of(&before, c->scratch, old);
        lc_schema_shape_of(&after, c->scratch, target->schema);
        return lc_schema_shape_equal(&before, &after);
    }
    const lc_function *function = lc_schema_function(old, target->function->name);
    if (!function)
        return false;
    lc_schema_shape_of_function(&before, c->scratch, function);
    lc_schema_shape_of_function(&after, c->scratch, target->function);
    return lc_schema_shape_equal(&before, &after);
}

/* A run that leaves types out is partial: it must not write a baseline, which would lack theirs. */
static void drop_unchanged(comparison *c)
{
    lc_probe *p = c->p;
    lc_probe_target *kept = LC_NEW_ARRAY(p->arena, lc_probe_target, p->target_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < p->target_count; i++) {
        if (!is_the_same(c, &p->targets[i]))
            kept[count++] = p->targets[i];
        lc_arena_reset(c->scratch);
    }
    if (!p->cli->options.quiet)
        lc_message("%zu of %zu type%s changed since %.*s", count, p->target_count,
                   p->target_count == 1 ? "" : "s", LC_FMT(p->cli->options.since));
    p->c.partial |= count < p->target_count;
    p->unchanged = count < p->target_count;
    p->targets = kept;
    p->target_count = count;
}

bool lc_probe_leave_unchanged(lc_probe *p)
{
    comparison c = {.p = p};
    lc_diags diags;
    lc_str since = p->cli->options.since;
    if (!since.len)
        return true;
    lc_diags_init(&diags, p->arena);
    c.doc = lc_schema_store_get(&p->c.checker.store, since, (lc_loc){since, 0, 0}, &diags);
    if (!lc_report_diags(&diags) || !c.doc)
        return false;
    c.scratch = lc_arena_new();
    lc_table_init(&c.known, p->arena);
    lc_schema_doc_each(c.doc, note_type, &c);
    drop_unchanged(&c);
    lc_arena_free(c.scratch);
    return true;
}
