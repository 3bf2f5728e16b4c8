/* Planning of declared managed instances: rows 1 to 7 of the decision table. */
#include "predict/object.h"
#include "lifecheck/catalog/core_message.h"
#include "predict/answer/internal.h"

/* ---- The stored object, and its refresh. */

/* Decodes the stored object. An object of another type is converted by the provider (moved between
 * types); if that is not possible, its value is not known. */
static void load_value(lc_planned_object *o, const lc_run_prior *prior)
{
    const lc_run_provider *p = &o->r->in->provider;
    lc_str error = LC_STR_EMPTY;
    if (!o->schema)
        return;
    if (!lc_str_eq(prior->address.type, o->address.type)) {
        if (!p->move ||
            !p->move(p->context, o->arena, prior, o->address.type, o->schema, &o->before, &error))
            o->before = NULL;
        return;
    }
    if (!p->stored || p->stored(p->context, o->arena, prior, o->schema, o->settings, &o->before,
                                &o->sensitive, &error))
        return;
    o->before = NULL;
    if (p->asks)
        o->open_because = LC_STR("its provider does not upgrade the stored object");
    if (error.len) {
        lc_predict_error(o->r, error, o->text,
                         o->config ? o->config->place : (lc_source_pos){NULL, 0, 0});
        o->failed = true;
    }
}

void lc_predict_object_load(lc_planned_object *o, lc_str deposed)
{
    o->state_instance = lc_predict_state_instance(o->r, o->text);
    if (o->state_instance && !deposed.len)
        o->prior = o->state_instance->current;
    for (size_t i = 0; o->state_instance && i < o->state_instance->deposed.count; i++) {
        if (deposed.len && lc_str_eq(o->state_instance->deposed.items[i]->deposed, deposed))
            o->prior = o->state_instance->deposed.items[i];
    }
    o->schema = o->config ? lc_run_schema(&o->r->in->provider, o->r->config, o->config)
                          : lc_predict_schema_at(o->r, &o->address, o->prior);
    o->settings = lc_predict_settings(o->r, &o->address, o->config, o->prior);
    if (o->prior)
        load_value(o, o->prior);
}

/* Without `read` the object stays as it is. An object that is gone counts as not stored from here
 * on. */
void lc_predict_object_refresh(lc_planned_object *o, lc_str deposed)
{
    const lc_run_provider *p = &o->r->in->provider;
    if (!o->prior || o->r->in->options.no_refresh || !p->read || o->failed)
        return;
    lc_run_question q = {.arena = o->arena,
                         .address = o->address,
                         .text = o->text,
                         .deposed = deposed,
                         .schema = o->schema,
                         .prior = o->before,
                         .known = o->before != NULL,
                         .out = o->before};
    p->read(p->context, &q);
    if (q.gone) {
        o->gone = true;
        o->prior = NULL;
        o->before = NULL;
        return;
    }
    o->before = q.known ? q.out : NULL;
}

/* ---- Changes. */

/* A destroy plan shows moves only if there was no refresh before it, which would have carried them
 * out. */
static bool shows_moves(const lc_predictor *pred)
{
    return pred->in->options.mode != LC_RUN_DESTROY || pred->in->options.no_refresh;
}

static const lc_type *shared_type(const lc_planned_object *o)
{
    return o->schema ? o->schema->block->implied : NULL;
}

/* Values are only copied if some trigger may compare them: most predictions need none. */
lc_run_change *lc_predict_object_change(lc_planned_object *o, lc_str deposed, lc_plan_action action)
{
    lc_run_change *c = lc_predict_change(o->r, &o->address, o->text, deposed);
    c->action = action;
    c->possible = LC_PLAN_BIT(action);
    c->config = o->config;
    c->prior = o->prior;
    c->before = o->r->watched ? lc_value_copy(o->r->arena, o->before, shared_type(o)) : NULL;
    c->undecided = lc_undecided_copy(o->r->arena, o->undecided);
    c->create_first = o->node && o->node->create_first;
    c->learned = o->learned.by;
    c->contested = o->learned.contested;
    c->answered_by = lc_str_copy(o->r->arena, o->answered_by);
    c->rests_on = o->node ? o->node->rests_on : LC_STR_EMPTY;
    if (o->node && !c->create_first && o->node->forced_outside)
        c->forced_outside = o->r->graph.nodes.items[o->node->forced_by].text;
    if (o->state_instance && o->state_instance->previous.len && shows_moves(o->r)) {
        const lc_state_instance *instance = o->state_instance;
        c->previous = instance->previous;
        lc_why moved =
            instance->moved
                ? lc_predict_why(o->r, LC_BEHAVIOR_CONFIGURATION, "moved", instance->moved->place,
                                 "it was %.*s before", LC_FMT(instance->previous))
                : lc_predict_why(o->r, LC_BEHAVIOR_DEFAULT, "", (lc_source_pos){NULL, 0, 0},
                                 "it was %.*s before: the repetition of its block changed",
                                 LC_FMT(instance->previous));
        c->moved = lc_why_copy(o->r->arena, &moved);
    }
    return c;
}

/* A prevent_destroy that OpenTofu must evaluate counts only if its value is known. */
static bool protects(lc_planned_object *o, const lc_config_flag *flag)
{
    lc_marked v;
    lc_eval_error trouble;
    lc_eval_scope scope = {.run = o->r, .module = o->module};
    if (flag->literal || !o->module)
        return flag->literal && flag->value;
    return lc_predict_evaluate(&v, &scope, flag->expr, &trouble) && lc_is_known(v.value) &&
           v.value->type->kind == LC_TYPE_BOOL && v.value->as.boolean;
}

/* If another action may leave the object alive, this is not an error, but noted. */
bool lc_predict_protect(lc_planned_object *o, lc_run_change *c)
{
    const lc_config_flag *flag = o->config ? &o->config->lifecycle->prevent_destroy : NULL;
    /* Terraform protects what it would forget in a replace, too. */
    unsigned destroys = LC_PLAN_BIT(LC_PLAN_DELETE) | LC_PLAN_BIT(LC_PLAN_DELETE_CREATE) |
                        LC_PLAN_BIT(LC_PLAN_CREATE_DELETE) | LC_PLAN_BIT(LC_PLAN_CREATE_FORGET);
    if (!flag || !flag->given || !(c->possible & destroys) || !protects(o, flag))
        return true;
    if (c->possible & ~destroys) {
        lc_why why =
            lc_predict_why(o->r, LC_BEHAVIOR_CONFIGURATION, "lifecycle.prevent_destroy",
                           flag->place, "the client stops if it is to be %s",
                           !(c->possible & LC_PLAN_REPLACES)           ? "deleted"
                           : c->possible & LC_PLAN_BIT(LC_PLAN_DELETE) ? "deleted or replaced"
                                                                       : "replaced");
        c->prevents = lc_why_copy(o->r->arena, &why);
        return true;
    }
    lc_predict_error(o->r,
                     is_opentofu(o->r) ? LC_STR(LC_SUMMARY_PREVENT_DESTROY_OPENTOFU)
                                       : LC_STR(LC_SUMMARY_PREVENT_DESTROY_TERRAFORM),
                     o->text, flag->place);
    return false;
}

/* OpenTofu requires lifecycle.destroy to be a literal bool; otherwise nothing of the block is
 * planned. */
static bool check_destruction(lc_predictor *pred, const lc_config_resource *config)
{
    const lc_config_flag *flag = config ? &config->lifecycle->destroy : NULL;
    if (!is_opentofu(pred) || !flag || !flag->given || flag->literal ||
        config->mode != LC_MODE_MANAGED)
        return true;
    lc_predict_error(pred, LC_STR(LC_SUMMARY_DESTROY_EXPRESSION),
                     lc_predict_config_text(pred, config), flag->place);
    return false;
}

/* Deposed objects are planned like the current one, each with its own stored value. */
void lc_predict_deposed(lc_planned_object *o)
{
    if (o->state_instance && o->state_instance->deposed.count &&
        !check_destruction(o->r, o->config))
        return;
    for (size_t i = 0; o->state_instance && i < o->state_instance->deposed.count; i++) {
        lc_planned_object d = *o;
        lc_str key = o->state_instance->deposed.items[i]->deposed;
        if (!lc_predict_provider_of_orphan(o->r, o->state_instance,
                                           o->state_instance->deposed.items[i]))
            continue;
        d.prior = NULL;
        d.before = NULL;
        d.gone = d.failed = false;
        d.undecided = NULL;
        d.sensitive = (lc_path_list){0};
        lc_predict_object_load(&d, key);
        lc_predict_object_refresh(&d, key);
        bool destroy = o->r->in->options.mode == LC_RUN_DESTROY;
        if (d.gone && destroy)
            continue;
        lc_forgotten f = lc_predict_forgotten(&d, o->state_instance->deposed.items[i]);
        lc_plan_action action = d.gone ? LC_PLAN_NOOP : f.forget ? LC_PLAN_FORGET : LC_PLAN_DELETE;
        lc_run_change *c = lc_predict_object_change(&d, key, action);
        c->prior = o->state_instance->deposed.items[i];
        if (f.forget && f.reason != LC_PLAN_REASON_NONE && !d.gone)
            c->reason = f.reason;
        c->why =
            d.gone ? lc_predict_why_plain("the read found it gone: there is nothing left to delete")
            : f.forget ? f.why
                       : lc_predict_why_plain("a deposed object is left from an earlier replace");
    }
}

/* ---- Reasons, by row of the table. */

static lc_why why_replaced(lc_planned_object *o, lc_plan_reason reason)
{
    lc_predictor *pred = o->r;
    lc_source_pos none = {NULL, 0, 0};
    if (reason == LC_PLAN_REASON_REPLACE_TRIGGERS)
        return lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "lifecycle.replace_triggered_by",
                              o->trigger_by ? o->trigger_by->place : none,
                              "%.*s changes, and replace_triggered_by names it",
                              LC_FMT(o->trigger_by ? o->trigger_by->text : LC_STR("something")));
    if (reason == LC_PLAN_REASON_REPLACE_TAINTED)
        return lc_predict_why_plain("the object is tainted: creating it did not finish");
    if (reason == LC_PLAN_REASON_REPLACE_REQUEST)
        return lc_predict_why(pred, LC_BEHAVIOR_SINGLE_RUN, "-replace", none,
                              "the options of this run ask for it");
    return lc_predict_why(pred, LC_BEHAVIOR_PROVIDER, "requires_replace", none,
                          "the provider says that a change cannot be made in place");
}

static lc_why why_kept(lc_planned_object *o)
{
    lc_predictor *pred = o->r;
    const lc_config_lifecycle *l = o->config->lifecycle;
    lc_source_pos none = {NULL, 0, 0};
    if (o->import)
        return lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "import", o->import->block->place,
                              "it is imported, and agrees with the configuration");
    if (!o->normalized)
        return lc_predict_why_plain(LC_WHY_SAME);
    if (l->ignore_all || l->ignore_changes.list.count)
        return lc_predict_why(pred, LC_BEHAVIOR_CONFIGURATION, "lifecycle.ignore_changes",
                              l->ignore_changes.list.count ? l->ignore_changes.list.items[0].place
                                                           : o->config->place,
                              "what differs is ignored");
    return lc_predict_why(pred, LC_BEHAVIOR_PROVIDER, "planned_state", none,
                          "the provider plans the prior value, so nothing changes");
}

static lc_why why_changed(lc_planned_object *o, lc_plan_action action)
{
    if (action == LC_PLAN_NOOP)
        return why_kept(o);
    if (action == LC_PLAN_CREATE)
        return lc_predict_why_plain(o->gone ? "it is declared, and the read found its object gone"
                                            : LC_WHY_NEW);
    if (o->import)
        return lc_predict_why(o->r, LC_BEHAVIOR_CONFIGURATION, "import", o->import->block->place,
                              "it is imported, and differs from the configuration");
    return lc_predict_why_plain(LC_WHY_CHANGED);
}

/* ---- Planning. */

/* The order of precedence is that of the cores. */
static lc_plan_reason reason_of_replace(const lc_planned_object *o)
{
    if (o->trigger == FIRED)
        return LC_PLAN_REASON_REPLACE_TRIGGERS;
    if (o->prior && o->prior->tainted)
        return LC_PLAN_REASON_REPLACE_TAINTED;
    return o->requested ? LC_PLAN_REASON_REPLACE_REQUEST : LC_PLAN_REASON_REPLACE_CANNOT_UPDATE;
}

/* Paths are sensitive by schema, by marks of the configuration or by those of the stored object. */
void lc_predict_note_secrets(lc_case *c, lc_planned_object *o)
{
    lc_path_list now = {0};
    lc_predict_marked_paths(&now, o->arena, o->given, LC_MARK_SENSITIVE | LC_MARK_HIDDEN,
                            o->schema->block);
    for (size_t i = 0; i < now.count; i++)
        *LC_PUSH(o->arena, &c->sensitive, lc_path) = now.items[i].path;
    for (size_t i = 0; i < o->sensitive.count; i++)
        *LC_PUSH(o->arena, &c->sensitive, lc_path) = o->sensitive.items[i].path;
}

/* The paths outlive the object's scratch arena, so they are copied. Their strings redact keys below
 * sensitive values. */
static void set_paths(lc_planned_object *o, lc_run_change *c)
{
    lc_path *paths = LC_NEW_ARRAY(o->r->arena, lc_path, o->paths.count);
    lc_str *texts = LC_NEW_ARRAY(o->r->arena, lc_str, o->paths.count);
    lc_case secrets = {0};
    if (o->paths.count)
        lc_predict_note_secrets(&secrets, o);
    for (size_t i = 0; i < o->paths.count; i++) {
        paths[i] = lc_path_copy(o->r->arena, o->paths.items[i].path);
        texts[i] = lc_case_show_path(o->r->arena, &secrets, o->schema, paths[i]);
    }
    c->replace_paths = paths;
    c->replace_texts = texts;
    c->replace_path_count = o->paths.count;
}

/* Only where both values are known to be what they are. */
static void set_causes(lc_planned_object *o, lc_run_change *c)
{
    lc_cause_list causes = {.arena = o->r->arena};
    if (!o->before || !o->after || !o->schema || c->deposed.len || lc_is_null(o->before))
        return;
    lc_cause_values(&causes, o->before, o->after, &o->paths);
    c->causes = causes.list.items;
    c->cause_count = causes.list.count;
    c->causes_left = causes.left;
}

/* Of an open change: what the configuration sets otherwise, which is known for certain. */
static void set_configured(lc_planned_object *o, lc_run_change *c)
{
    lc_cause_list causes = {.arena = o->r->arena};
    c->configured = LC_MAYBE;
    if (!o->before || !lc_is_known(o->before) || !o->sent.value)
        return;
    lc_marked before = lc_predict_marked_at(o->arena, o->before, &o->sensitive);
    c->configured = lc_predict_configured(&causes, o->sent, before, o->schema->block) ? LC_TRUE
                    : lc_marks_all(o->sent) & LC_MARK_UNDECIDED                       ? LC_MAYBE
                                                                                      : LC_FALSE;
    c->causes = causes.list.items;
    c->cause_count = causes.list.count;
    c->causes_left = causes.left;
}

/* The possible actions of an open change: if nothing restricts them all of no-op, update and
 * `replace`. */
static unsigned possible_of(const lc_planned_object *o, lc_plan_action replace)
{
    unsigned any = LC_PLAN_BIT(LC_PLAN_DELETE_CREATE), possible = o->possible;
    if (!possible)
        possible = LC_PLAN_BIT(LC_PLAN_NOOP) | LC_PLAN_BIT(LC_PLAN_UPDATE) | any;
    return possible & any ? (possible & ~any) | LC_PLAN_BIT(replace) : possible;
}

static lc_run_paths copy_paths(lc_arena *arena, const lc_path_list *list)
{
    lc_path *items = LC_NEW_ARRAY(arena, lc_path, list->count);
    for (size_t i = 0; i < list->count; i++)
        items[i] = lc_path_copy(arena, list->items[i].path);
    return (lc_run_paths){items, list->count};
}

/* What triggers compare: values, and Terraform their sensitivity too. */
static void set_watched(lc_planned_object *o, lc_run_change *c)
{
    lc_path_list now = {0}, was = {0};
    if (!o->r->watched)
        return;
    c->after = lc_value_copy(o->r->arena, o->after, shared_type(o));
    if (is_opentofu(o->r) || !o->after)
        return;
    lc_marked after = lc_predict_marks_carried(o->arena, o->after, o->sent, o->schema->block);
    lc_predict_marked_paths(&now, o->arena, after, LC_MARK_SENSITIVE, o->schema->block);
    lc_predict_stored_sensitive(&was, o);
    c->sensitive_before = copy_paths(o->r->arena, &was);
    c->sensitive_after = copy_paths(o->r->arena, &now);
}

static void write_open(lc_planned_object *o, lc_run_change *c, lc_plan_action base,
                       const lc_why *order)
{
    c->possible = possible_of(o, base);
    c->why = lc_predict_why_plain(LC_WHY_OPEN);
    c->order = lc_why_copy(o->r->arena, order);
    set_configured(o, c);
}

static void write_replace(lc_planned_object *o, lc_run_change *c, const lc_why *order)
{
    c->reason = reason_of_replace(o);
    if (o->trigger == FIRED_MAYBE)
        c->reasons = 1u << c->reason | 1u << LC_PLAN_REASON_REPLACE_TRIGGERS;
    c->why = why_replaced(o, c->reason);
    c->order = lc_why_copy(o->r->arena, order);
    set_paths(o, c);
    set_causes(o, c);
}

/* Turns the base action into the change. */
static lc_run_change *write_change(lc_planned_object *o, lc_plan_action base)
{
    bool open = base == LC_PLAN_UNKNOWN, replace = base == LC_PLAN_DELETE_CREATE;
    lc_why order = {0};
    lc_plan_action action = base;
    if (replace || open) {
        lc_plan_action lowered = lc_predict_replace_action(o, &order);
        action = !open ? lowered : o->likely ? o->likely : lc_predict_likely(o->r);
        if (open && action == LC_PLAN_DELETE_CREATE)
            action = lowered;
        base = lowered;
    }
    lc_run_change *c = lc_predict_object_change(o, LC_STR_EMPTY, action);
    c->importing = o->import != NULL;
    c->assumed = o->assumed && action == LC_PLAN_UPDATE;
    set_watched(o, c);
    if (open) {
        write_open(o, c, base, &order);
        return c;
    }
    if (replace) {
        write_replace(o, c, &order);
        return c;
    }
    c->why = why_changed(o, action);
    if (action == LC_PLAN_UPDATE)
        set_causes(o, c);
    if (o->trigger == FIRED) {
        c->reason = LC_PLAN_REASON_REPLACE_TRIGGERS;
        lc_why cause = why_replaced(o, c->reason);
        c->order = lc_why_copy(o->r->arena, &cause);
    } else if (o->trigger == FIRED_MAYBE) {
        c->reasons = 1u << c->reason | 1u << LC_PLAN_REASON_REPLACE_TRIGGERS;
    }
    return c;
}

/* Sets the value of references to the instance. Most instances of a resource have the same type;
 * sharing it keeps memory low. */
static void keep(lc_planned_instance *item, const lc_planned_object *o, lc_marked value)
{
    lc_predictor *pred = o->r;
    bool again = pred->kept_type && lc_type_equal(pred->kept_type, value.value->type);
    item->value = lc_marked_copy(pred->arena, value, again ? pred->kept_type : shared_type(o));
    pred->kept_type = item->value.value->type;
}

/* The value of a no-op is the prior state: the planned one may differ from it in ways that cty
 * considers equal. */
static void keep_value(lc_planned_instance *item, lc_planned_object *o, lc_run_change *c)
{
    lc_predictor *pred = o->r;
    bool same = c->action == LC_PLAN_NOOP && o->before;
    const lc_value *value = same ? o->before : o->after;
    if (value && c->possible == LC_PLAN_BIT(c->action)) {
        keep(item, o, lc_predict_marks_carried(o->arena, value, o->sent, o->schema->block));
        c->after = item->value.value;
        return;
    }
    const lc_undecided *undecided =
        c->undecided ? c->undecided
                     : lc_undecided_new(pred->arena, LC_STR("its planned value is not known"),
                                        o->config->place);
    lc_marked certain;
    if (lc_predict_certain_parts(&certain, o, undecided))
        keep(item, o, certain);
    else
        item->value = lc_undecided_value(pred->arena, undecided->reason, undecided->place);
}

/* ImportResourceState, unless the instance has an object already. The imported object takes the
 * place of the stored one. */
static void import_object(lc_planned_object *o)
{
    const lc_run_provider *p = &o->r->in->provider;
    const lc_import_target *t = lc_table_get(&o->r->imports, o->text);
    if (!t || t->ignored || (o->state_instance && (o->prior || o->gone)))
        return;
    if (t->failed) {
        if (t->error.len)
            lc_predict_error(o->r, t->error, o->text, t->place.source ? t->place : t->block->place);
        o->failed = true;
        return;
    }
    if (o->r->before_destroy)
        return;
    o->import = t;
    lc_run_question q = {.arena = o->arena,
                         .address = o->address,
                         .text = o->text,
                         .deposed = LC_STR_EMPTY,
                         .schema = o->schema,
                         .id = t->id};
    if (!o->schema || !t->id || !p->import)
        return;
    p->import(p->context, &q);
    if (q.gone || q.error.len) {
        lc_predict_error(o->r, q.error.len ? q.error : LC_STR(LC_SUMMARY_IMPORT_NONEXISTENT),
                         o->text, t->block->place);
        o->failed = true;
    }
    o->before = q.known ? q.out : NULL;
}

static void evaluate_body(lc_planned_object *o, const lc_eval_scope *scope)
{
    lc_eval_error trouble;
    if (!o->schema) {
        o->given = (lc_marked){NULL, NULL};
        return;
    }
    if (!lc_predict_body(&o->given, scope, o->config->body, o->schema->block, &trouble)) {
        lc_predict_eval_error(o->r, &trouble, o->text);
        o->failed = true;
    }
}

/* The order of the cores: import, triggers, preconditions, body, plan, prevent_destroy,
 * postconditions. An error ends the instance. */
static void plan_normal(lc_planned_object *o, lc_planned_instance *item)
{
    lc_predictor *pred = o->r;
    lc_eval_scope scope = {pred, o->module, o->instance, NULL, o->arena};
    import_object(o);
    if (o->failed)
        return;
    o->requested = lc_table_get(&pred->replace_at, o->text) != NULL;
    o->trigger = lc_predict_triggers(&o->trigger_by, &scope, o->config, &o->undecided);
    if (o->trigger == FIRED_ERROR ||
        !lc_predict_conditions(&scope, &o->config->lifecycle->preconditions,
                               LC_SUMMARY_RESOURCE_PRECONDITION, o->text)) {
        o->failed = true;
        return;
    }
    evaluate_body(o, &scope);
    if (o->failed)
        return;
    lc_plan_action base = lc_predict_decide(o);
    if (o->failed)
        return;
    lc_run_change *c = write_change(o, base);
    keep_value(item, o, c);
    scope.self = &item->value;
    if (!lc_predict_protect(o, c) ||
        !lc_predict_conditions(&scope, &o->config->lifecycle->postconditions,
                               LC_SUMMARY_RESOURCE_POSTCONDITION, o->text))
        o->failed = true;
}

/* The stored value if the instance is not planned; unknown if it never existed. */
lc_marked lc_predict_stored_value(lc_planned_object *o)
{
    if (o->before)
        return lc_predict_marks_carried(o->arena, o->before,
                                        lc_predict_marked_at(o->arena, o->before, &o->sensitive),
                                        o->schema->block);
    if (o->prior)
        return lc_undecided_value(o->arena, LC_STR("its stored value is not known"),
                                  o->config->place);
    return lc_marked_unknown(o->arena, o->schema ? o->schema->block->implied : &lc_type_dynamic);
}

/* An instance that options exclude, or a plan that does not plan declared objects, keeps its stored
 * value. */
static void plan_instance(lc_predictor *pred, const lc_graph_node *node,
                          lc_resource_instance *resource, lc_planned_instance *item)
{
    lc_planned_object o = {.r = pred,
                           .arena = pred->scratch,
                           .node = node,
                           .config = resource->config,
                           .instance = item->instance,
                           .module = resource->module,
                           .address = item->address,
                           .text = item->text};
    lc_arena_reset(pred->scratch);
    lc_predict_object_load(&o, LC_STR_EMPTY);
    if (o.state_instance)
        o.state_instance->planned = true;
    if (!lc_predict_selected(pred, node, &o.address)) {
        item->absent = !o.prior && !(o.state_instance && o.state_instance->deposed.count);
        keep(item, &o, lc_predict_stored_value(&o));
        return;
    }
    lc_predict_object_refresh(&o, LC_STR_EMPTY);
    if (pred->in->options.mode != LC_RUN_NORMAL) {
        item->absent = !o.prior && !(o.state_instance && o.state_instance->deposed.count);
        keep(item, &o, lc_predict_stored_value(&o));
        item->failed = o.failed;
        return;
    }
    if (!o.failed)
        plan_normal(&o, item);
    if (pred->in->provider.ended)
        pred->in->provider.ended(pred->in->provider.context);
    item->failed = o.failed;
}

/* ---- Resources. */

/* Creates the instances of a resource in one module instance, before any of them is planned. */
static lc_resource_instance *declare(lc_predictor *pred, const lc_config_resource *config,
                                     lc_module_instance *m)
{
    lc_resource_instance *resource = LC_NEW(pred->arena, lc_resource_instance);
    resource->config = config;
    resource->module = m;
    resource->text = lc_address_below(pred->arena, m->text, config->address);
    lc_table_put(&m->resources, config->address, resource);
    lc_predict_expand(&resource->keys, pred, &config->repetition, m, resource->text);
    if (pred->from_plan)
        pred->from_plan->fill_gap(pred, &resource->keys);
    resource->items =
        lc_arena_zalloc(pred->arena, lc_mul_size(resource->keys.count, sizeof *resource->items));
    lc_address inner = {NULL, 0, config->mode, config->type, config->name, LC_NO_KEY};
    for (size_t i = 0; i < resource->keys.count; i++) {
        lc_planned_instance *item = &resource->items[i];
        item->resource = resource;
        item->instance = &resource->keys.list[i];
        inner.key = item->instance->key;
        item->address = lc_address_within(pred->arena, &m->address, &inner);
        item->text = lc_address_text(pred->arena, &item->address);
    }
    if (resource->keys.undecided) {
        lc_run_open *open = LC_PUSH(pred->arena, &pred->out->open, lc_run_open);
        open->address = resource->text;
        open->undecided = resource->keys.undecided;
    }
    return resource;
}

/* Marks the objects of an instance as handled, because an error was reported for it. */
static void mark_handled(lc_predictor *pred, lc_str address)
{
    lc_state_instance *instance = lc_predict_state_instance(pred, address);
    if (instance)
        instance->planned = true;
}

/* The same for all objects of the block in this module instance. */
static void mark_all_handled(lc_predictor *pred, const lc_resource_instance *resource)
{
    const lc_address *module = &resource->module->address;
    const lc_state_instance_list *list =
        lc_table_get(&pred->by_config, lc_predict_config_text(pred, resource->config));
    for (size_t i = 0; list && i < list->list.count; i++) {
        lc_state_instance *instance = list->list.items[i];
        if (lc_module_path_eq(instance->address.modules, instance->address.module_count,
                              module->modules, module->module_count))
            instance->planned = true;
    }
}

/* Objects whose keys or module instances do not exist any more are planned together with their
 * block. */
static void plan_orphans_of(lc_predictor *pred, const lc_config_resource *config)
{
    const lc_state_instance_list *list =
        lc_table_get(&pred->by_config, lc_predict_config_text(pred, config));
    for (size_t i = 0; list && i < list->list.count; i++) {
        if (!list->list.items[i]->planned)
            lc_predict_orphan(pred, list->list.items[i]);
    }
}

static bool refers_to_self(lc_predictor *pred, const lc_config_conditions *conditions)
{
    lc_references refs = {pred->arena, {NULL, 0, 0}};
    for (size_t i = 0; i < conditions->list.count; i++) {
        if (conditions->list.items[i].condition)
            lc_expr_references(&refs, conditions->list.items[i].condition);
    }
    for (size_t i = 0; i < refs.list.count; i++) {
        if (refs.list.items[i]->root == LC_ROOT_SELF)
            return true;
    }
    return false;
}

/* A refresh-only plan evaluates conditions, too; one that is false is a warning. */
static void check_refreshed(lc_predictor *pred, lc_resource_instance *resource,
                            lc_planned_instance *item)
{
    const lc_config_lifecycle *l = resource->config->lifecycle;
    lc_marked self = item->value;
    lc_eval_scope scope = {pred, resource->module, item->instance, &self, NULL};
    if (item->failed || !self.value)
        return;
    if (!lc_predict_conditions(&scope, &l->preconditions, "", item->text))
        item->failed = true;
    if (!item->failed && item->absent && lc_predict_is_partial(pred, resource) &&
        refers_to_self(pred, &l->postconditions) &&
        !lc_predict_partial_self(&self, pred, resource, item)) {
        lc_predict_error(pred, LC_STR(LC_SUMMARY_INVALID_INDEX), item->text,
                         resource->config->place);
        item->failed = true;
    }
    if (!item->failed && !lc_predict_conditions(&scope, &l->postconditions, "", item->text))
        item->failed = true;
}

/* A reference of the block to itself precludes planning all its instances. In a prediction from a
 * plan alone the client has passed that check. */
static void plan_instances(lc_predictor *pred, const lc_graph_node *node,
                           lc_resource_instance *resource)
{
    const lc_config_resource *config = resource->config;
    if (!pred->from_plan && !lc_predict_self_reference(pred, resource)) {
        resource->failed = true;
        mark_all_handled(pred, resource);
        return;
    }
    for (size_t k = 0; k < resource->keys.count; k++) {
        lc_planned_instance *item = &resource->items[k];
        item->failed = item->failed || (lc_predict_selected(pred, node, &item->address) &&
                                        !lc_predict_provider_of(pred, item->text));
        if (item->failed)
            mark_handled(pred, item->text);
        else if (config->mode == LC_MODE_DATA && pred->from_plan)
            pred->from_plan->data(pred, resource, item);
        else if (config->mode == LC_MODE_DATA)
            lc_predict_plan_data(pred, node, resource, item);
        else if (config->mode == LC_MODE_EPHEMERAL)
            lc_predict_plan_ephemeral(pred, node, resource, item);
        else
            plan_instance(pred, node, resource, item);
        resource->failed = resource->failed || item->failed;
    }
    bool refreshed =
        pred->in->options.mode == LC_RUN_REFRESH_ONLY && config->mode == LC_MODE_MANAGED;
    for (size_t k = 0; refreshed && k < resource->keys.count; k++) {
        check_refreshed(pred, resource, &resource->items[k]);
        resource->failed = resource->failed || resource->items[k].failed;
    }
}

/* All module instances are expanded before any instance is planned. Keys of one module instance
 * that cannot be determined, an invalid import or destroy setting preclude the whole resource. */
void lc_predict_plan_resource(lc_predictor *pred, const lc_graph_node *node)
{
    const lc_config_resource *config = node->block;
    size_t count = pred->instances[node->module].count;
    lc_resource_instance **all = LC_NEW_ARRAY(pred->arena, lc_resource_instance *, count);
    size_t declared = 0;
    bool expanded = true;
    for (size_t i = 0; i < count; i++) {
        all[i] = declare(pred, config, pred->instances[node->module].items[i]);
        declared += all[i]->keys.count;
        expanded = expanded && !all[i]->keys.failed;
    }
    if (!declared)
        lc_predict_validate_block(pred, config);
    bool fit = pred->in->options.mode != LC_RUN_NORMAL || lc_predict_imports_of(pred, config);
    fit = check_destruction(pred, config) && fit && expanded;
    for (size_t i = 0; i < count; i++) {
        all[i]->failed = !fit;
        if (fit)
            plan_instances(pred, node, all[i]);
    }
    const lc_state_instance_list *list =
        lc_table_get(&pred->by_config, lc_predict_config_text(pred, config));
    for (size_t i = 0; !fit && list && i < list->list.count; i++)
        list->list.items[i]->planned = true;
    if (config->mode == LC_MODE_MANAGED)
        plan_orphans_of(pred, config);
}
