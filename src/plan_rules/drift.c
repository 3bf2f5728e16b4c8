/* Changes outside of the plan: resource_drift, and the prior state compared with the state file or
 * the stored objects of the scenario. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/plain_json.h"
#include "lifecheck/predict/predict.h"

/* ---- Entries of resource_drift. */

/* Values can only be compared if the schema version is the same; otherwise they were upgraded. */
static bool same_version(lc_plan_rules *r, const lc_node *object, const lc_state_object *stored)
{
    lc_num n;
    int64_t version = -1;
    const lc_node *node = lc_node_given(object, "schema_version");
    return node && node->kind == LC_NODE_NUMBER &&
           lc_num_from_text(&n, r->scratch, node->as.text, 40) == LC_NUM_OK &&
           lc_num_to_int64(n, &version) && version == stored->schema_version;
}

/* Why the entry is impossible; NULL: it is possible. A refresh finds an object updated or deleted;
 * a no-op entry shows a move, in refresh-only plans. */
static const char *wrong_drift(lc_plan_rules *r, const lc_plan_change *d)
{
    lc_str key = lc_plan_key(r->scratch, d->address, d->deposed);
    const lc_plan_object *prior = lc_table_get(&r->plan->prior_by_address, key);
    switch (d->action) {
    case LC_PLAN_UPDATE:
        if (!prior)
            return "prior_state does not have it";
        return lc_same_or_null(r->scratch, d->after, prior->values)
                   ? NULL
                   : "prior_state has other values than the refresh";
    case LC_PLAN_DELETE:
        return prior ? "the refresh did not find it, but prior_state has it" : NULL;
    case LC_PLAN_NOOP:
        if (!d->previous_address.len)
            return "it did not change";
        return r->options.mode == LC_PLAN_NORMAL || r->options.mode == LC_PLAN_DESTROY
                   ? "its move belongs in resource_changes"
                   : NULL;
    case LC_PLAN_UNKNOWN:
    case LC_PLAN_CREATE:
    case LC_PLAN_READ:
    case LC_PLAN_DELETE_CREATE:
    case LC_PLAN_CREATE_DELETE:
    case LC_PLAN_FORGET:
    case LC_PLAN_CREATE_FORGET:
    case LC_PLAN_FORGET_CREATE:
        break;
    }
    return "only objects that were changed or are gone are drift";
}

/* The object in the state file, at its address before moves. */
static const lc_state_object *stored_before(const lc_plan_rules *r, const lc_plan_change *d)
{
    lc_str address = d->previous_address.len ? d->previous_address : d->address;
    return r->facts->state ? lc_state_get(r->facts->state, r->scratch, address, d->deposed) : NULL;
}

static const lc_node *prior_node(const lc_plan_rules *r, const lc_plan_change *d)
{
    lc_str key = lc_plan_key(r->scratch, d->address, d->deposed);
    const lc_plan_object *prior = lc_table_get(&r->plan->prior_by_address, key);
    return prior ? prior->node : NULL;
}

/* True if an entry of the object was already found to contradict prior_state. */
static bool is_reported(const lc_plan_rules *r, const lc_plan_change *d)
{
    const lc_plan_change *c =
        lc_table_get(&r->plan->by_address, lc_plan_key(r->scratch, d->address, d->deposed));
    return c && (*lc_wrong(r, c) & LC_WRONG_BEFORE);
}

static void check_drift(lc_plan_rules *r, const lc_plan_change *d)
{
    if (is_reported(r, d))
        return;
    const char *why = wrong_drift(r, d);
    const lc_state_object *stored = stored_before(r, d);
    if (!why && stored && stored->attributes && same_version(r, prior_node(r, d), stored) &&
        !d->previous_address.len && d->before &&
        !lc_same_as_stored(r->scratch, d->before, NULL, stored->attributes))
        why = "the stored object differs from the one before the drift";
    if (why)
        lc_report_change(r, LC_RULE_RUN_DRIFT_SHAPE, d, NULL, ".change",
                         "%.*s in resource_drift: %s", LC_FMT(d->address), why);
}

/* ---- The state file. */

/* Moves and deletions that the plan shows, by the key before it. */
typedef struct moved {
    lc_table to;   /* key before -> entry */
    lc_table gone; /* key before -> drift entry */
} moved;

static void find_moves(lc_plan_rules *r, moved *m, const lc_plan_changes *list, bool drift)
{
    for (size_t i = 0; i < list->count; i++) {
        lc_plan_change *c = &list->items[i];
        lc_str before = c->previous_address.len ? c->previous_address : c->address;
        lc_str key = lc_plan_key(r->scratch, before, c->deposed);
        if (drift && c->action == LC_PLAN_DELETE)
            lc_table_put(&m->gone, key, c);
        if (c->previous_address.len)
            lc_table_put(&m->to, key, c);
    }
}

/* A stored object, from a state file or a scenario. */
typedef struct stored {
    lc_str address, deposed, type;
    lc_loc loc;
    const lc_state_object *object; /* NULL: from a scenario */
    const lc_run_prior *prior;     /* NULL: from a state file */
} stored;

static void report(lc_plan_rules *r, const stored *o, const char *what)
{
    lc_report_at(r, LC_RULE_RUN_PRIOR_VS_FILE, o->address, o->loc, "", "%.*s%s%.*s %s",
                 LC_FMT(o->address), o->deposed.len ? " deposed " : "", LC_FMT(o->deposed), what);
}

/* True if the scenario gives another value. False also if it gives none, or if one of the values
 * cannot be decoded. */
static bool is_stated_otherwise(lc_plan_rules *r, const stored *o, const lc_plan_object *prior)
{
    const lc_run_provider *p = &r->facts->stated_by;
    const lc_schema *schema =
        p->schema(p->context, lc_resource_mode_kind(o->prior->address.mode), LC_STR_EMPTY, o->type);
    const lc_value *value;
    lc_value planned;
    lc_path_list sensitive = {0};
    lc_str error;
    lc_plain_json bare = {.arena = r->scratch, .limits = LC_LIMITS_DEFAULT};
    return schema && prior->values &&
           p->stored(p->context, r->scratch, o->prior, schema, NULL, &value, &sensitive, &error) &&
           lc_plain_json_value(&planned, &bare, schema->block->implied, prior->values, NULL) &&
           lc_value_equals(value, &planned) == LC_FALSE;
}

static bool differs(lc_plan_rules *r, const stored *o, const lc_plan_object *prior)
{
    if (o->prior)
        return is_stated_otherwise(r, o, prior);
    return o->object->attributes && same_version(r, prior->node, o->object) &&
           !lc_same_as_stored(r->scratch, prior->values, NULL, o->object->attributes);
}

/* A stored object must be in prior_state, at its new address, or have been deleted. Without a
 * refresh its values must be the same. */
static void check_stored(lc_plan_rules *r, moved *m, lc_table *seen, const stored *o)
{
    lc_str key = lc_plan_key(r->scratch, o->address, o->deposed);
    const lc_plan_change *move = lc_table_get(&m->to, key);
    lc_str now = move ? lc_plan_key(r->scratch, move->address, o->deposed) : key;
    lc_plan_object *prior = lc_table_get(&r->plan->prior_by_address, now);
    if (prior)
        lc_table_put(seen, now, prior);
    if (!prior && !lc_table_get(&m->gone, key) && !lc_table_get(&m->gone, now))
        report(r, o,
               o->prior ? "is stored, but neither in prior_state nor found gone"
                        : "is in the state file, but neither in prior_state nor found gone");
    else if (prior && r->options.refresh == LC_NO && (!move || lc_str_eq(move->type, o->type)) &&
             differs(r, o, prior))
        report(r, o, "is in prior_state with other values, though nothing was refreshed");
}

/* Objects in prior_state that were not stored, apart from imported ones. */
static void check_not_stored(lc_plan_rules *r, const lc_table *seen)
{
    for (size_t i = 0; i < r->plan->prior.count; i++) {
        const lc_plan_object *o = &r->plan->prior.items[i];
        bool imported = o->change && o->change->importing;
        lc_str key = lc_plan_key(r->scratch, o->address, o->deposed);
        if (o->managed && !imported && !lc_table_get(seen, key))
            lc_report_plan(r, LC_RULE_RUN_PRIOR_VS_FILE, o->address, o->node, "",
                           r->facts->state ? "%.*s is in prior_state, but not in the state file"
                                           : "%.*s is in prior_state, but not stored",
                           LC_FMT(o->address));
    }
}

static void check_objects(lc_plan_rules *r, moved *m, lc_table *seen, const lc_state_file *state)
{
    for (size_t i = 0; i < state->objects.count; i++) {
        const lc_state_object *o = &state->objects.items[i];
        const lc_state_resource *resource = &state->resources.items[o->resource];
        if (!o->refused && resource->kind == LC_KIND_RESOURCE)
            check_stored(r, m, seen,
                         &(stored){o->address, o->deposed, resource->type, o->loc, o, NULL});
    }
}

static void check_stated(lc_plan_rules *r, moved *m, lc_table *seen, const lc_run_priors *priors)
{
    for (size_t i = 0; i < priors->list.count; i++) {
        const lc_run_prior *p = &priors->list.items[i];
        if (p->address.mode == LC_MODE_MANAGED)
            check_stored(r, m, seen,
                         &(stored){lc_address_text(r->scratch, &p->address), p->deposed,
                                   p->address.type, p->loc, NULL, p});
    }
}

static void check_file(lc_plan_rules *r)
{
    moved m;
    lc_table seen;
    lc_table_init(&m.to, r->scratch);
    lc_table_init(&m.gone, r->scratch);
    lc_table_init(&seen, r->scratch);
    find_moves(r, &m, &r->plan->changes, false);
    find_moves(r, &m, &r->plan->drift, true);
    if (r->facts->state)
        check_objects(r, &m, &seen, r->facts->state);
    else
        check_stated(r, &m, &seen, r->facts->stated);
    check_not_stored(r, &seen);
}

void lc_plan_rules_drift(lc_plan_rules *r)
{
    if (r->plan->drift.count)
        lc_planning_checked(r->planner, LC_RULE_RUN_DRIFT_SHAPE);
    for (size_t i = 0; i < r->plan->drift.count; i++)
        check_drift(r, &r->plan->drift.items[i]);
    if (!r->facts->state && !r->facts->stated) {
        LC_PLAN_RULES_LACKS(r, LC_NEED_STATE_FILE, LC_RULE_RUN_PRIOR_VS_FILE);
    } else if (!r->errored && r->options.mode != LC_PLAN_DESTROY) {
        /* Destroy plans show no moves, so addresses cannot be compared. */
        lc_planning_checked(r->planner, LC_RULE_RUN_PRIOR_VS_FILE);
        check_file(r);
    }
}
