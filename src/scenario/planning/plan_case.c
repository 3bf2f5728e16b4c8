/* A plan as a whole, and states, as one case of the run model. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/contract/planning.h"

/* ---- Schemas. They are needed for every object, so results are kept by type. */

typedef struct types {
    lc_schemas *schemas;
    lc_table known; /* kind, provider and type -> type_schema */
} types;

typedef struct type_schema {
    const lc_schema *schema; /* or NULL */
} type_schema;

static const lc_schema *look_up(lc_schemas *s, lc_schema_kind kind, lc_str provider, lc_str type)
{
    const lc_schema *schema = NULL;
    lc_diags quiet;
    for (size_t i = 0; i < s->docs.count; i++) {
        lc_diags_init(&quiet, s->arena);
        if (lc_schema_doc_get(&schema, s->docs.items[i], kind, provider, type,
                              (lc_loc){LC_STR_EMPTY, 0, 0}, &quiet) == LC_OK)
            return schema;
    }
    return NULL;
}

static const lc_schema *schema_of(void *context, lc_schema_kind kind, lc_str provider, lc_str type)
{
    types *t = context;
    lc_arena *arena = t->schemas->arena;
    lc_buf key = {0};
    lc_buf_printf(&key, "%d %.*s %.*s", (int)kind, LC_FMT(provider), LC_FMT(type));
    type_schema *found = lc_table_get(&t->known, lc_buf_str(&key));
    if (!found) {
        found = LC_NEW(arena, type_schema);
        found->schema = look_up(t->schemas, kind, provider, type);
        lc_table_put(&t->known, lc_buf_copy(arena, &key), found);
    }
    lc_buf_release(&key);
    return found->schema;
}

void lc_plan_evidence_use_schemas(lc_plan_evidence *facts, lc_arena *arena, lc_schemas *schemas)
{
    if (!schemas || !schemas->docs.count)
        return;
    types *t = LC_NEW(arena, types);
    t->schemas = schemas;
    lc_table_init(&t->known, arena);
    facts->schema = schema_of;
    facts->schemas = t;
}

/* ---- What there is. */

bool lc_operation_read(lc_operation *out, lc_arena *arena, lc_str text, lc_loc loc, lc_diags *diags)
{
    lc_str why;
    if (!lc_operation_parse(out, arena, text, &why)) {
        lc_diag_error(diags, loc, "%.*s", LC_FMT(why));
        return false;
    }
    out->loc = loc;
    return true;
}

static void judge(lc_planner *planner, const void *facts)
{
    lc_plan_evidence_judge(planner, facts);
}

const lc_planning *lc_plan_evidence_planning(lc_arena *arena, const lc_plan_evidence *facts)
{
    lc_planning *planning = LC_NEW(arena, lc_planning);
    *planning = (lc_planning){LC_DOMAIN_RUN, judge, facts};
    return planning;
}

lc_scenario *lc_plan_evidence_scenario(lc_arena *arena, const lc_plan_evidence *facts, lc_str file,
                                       const char *name, lc_loc loc)
{
    lc_scenario *s = LC_NEW(arena, lc_scenario);
    lc_case *c = &s->subject;
    c->source = LC_SOURCE_PLAN;
    c->file = file;
    c->loc = loc;
    c->document = 1;
    c->name = lc_str_from_c(name);
    c->resource = c->type = LC_STR_EMPTY;
    lc_scenario_set_planning(s, arena, lc_plan_evidence_planning(arena, facts));
    return s;
}

lc_scenario *lc_plan_case(lc_arena *arena, lc_str file, const lc_plan_case_inputs *inputs,
                          lc_diags *diags)
{
    lc_plan_evidence *facts = LC_NEW(arena, lc_plan_evidence);
    facts->plan = inputs->plan;
    facts->state = inputs->state;
    facts->next_state = inputs->next_state;
    lc_plan_evidence_use_schemas(facts, arena, inputs->schemas);
    lc_str operation = inputs->options ? inputs->options->operation : LC_STR_EMPTY;
    if (operation.len)
        lc_operation_read(&facts->operation, arena, operation,
                          (lc_loc){LC_STR("--operation"), 0, 0}, diags);
    if (!facts->plan && !facts->state && !facts->next_state)
        return NULL;
    const lc_state_file *state = facts->state ? facts->state : facts->next_state;
    lc_loc loc = facts->plan ? lc_plan_loc(facts->plan, facts->plan->root) : state->loc;
    return lc_plan_evidence_scenario(
        arena, facts, file, facts->plan ? "the plan as a whole" : "the state as a whole", loc);
}
