/* The action of a declared object by values: the request to the provider, and what follows from its
 * response. */
#include "lifecheck/catalog/versions.h"
#include "predict/object.h"

static const lc_value *null_of(lc_arena *arena, const lc_block *block)
{
    lc_value v;
    lc_value_set_null(&v, block->implied);
    return lc_value_new(arena, &v);
}

/* ---- ignore_changes. */

/* False: not a path. The reference is converted to the path syntax of this program. */
static bool add_ignored(lc_path_list *out, lc_arena *arena, const lc_config_ref *ref)
{
    const lc_reference *reference = ref->reference;
    lc_str text = reference ? reference->text : ref->text, why;
    size_t at;
    lc_path path;
    lc_str full = lc_str_printf(arena, ".%.*s", LC_FMT(text));
    if (!lc_path_parse(&path, arena, full, false, &why, &at))
        return false;
    *LC_PUSH(arena, out, lc_located_path) = (lc_located_path){path, {LC_STR_EMPTY, 0, 0}};
    return true;
}

/* The ignored paths in the form of a run, which the contract module reads. */
static void read_ignored(lc_run *out, lc_planned_object *o)
{
    const lc_config_lifecycle *l = o->config->lifecycle;
    out->ignore_all = l->ignore_all;
    for (size_t i = 0; i < l->ignore_changes.list.count; i++)
        add_ignored(&out->ignore_changes, o->arena, &l->ignore_changes.list.items[i]);
    out->has_ignore_changes = l->ignore_all || out->ignore_changes.count > 0;
}

/* The configuration without ignored changes. The function of the contract module restores values,
 * so that prediction and rules agree. */
static lc_marked with_ignored(lc_planned_object *o, const lc_value *prior, lc_marked config)
{
    lc_run ignore = {0};
    read_ignored(&ignore, o);
    return lc_predict_ignored(o->arena, &ignore, o->schema->block, config,
                              lc_predict_marked_at(o->arena, prior, &o->sensitive));
}

/* ---- The provider. */

/* What a provider's answer is judged by. */
static void add_circumstances(lc_run_question *q, lc_planned_object *o)
{
    lc_run *ignored = LC_NEW(o->arena, lc_run);
    lc_case secrets = {0};
    read_ignored(ignored, o);
    lc_predict_note_secrets(&secrets, o);
    q->ignored = ignored;
    q->sensitive = secrets.sensitive.items;
    q->sensitive_count = secrets.sensitive.count;
}

/* Asks the provider to plan. False: its response is not known. */
static bool question(lc_run_question *q, lc_planned_object *o, const lc_value *prior,
                     const lc_value *config, const lc_value *written)
{
    const lc_run_provider *p = &o->r->in->provider;
    *q = (lc_run_question){.arena = o->arena,
                           .address = o->address,
                           .text = o->text,
                           .deposed = LC_STR_EMPTY,
                           .schema = o->schema,
                           .prior = prior,
                           .config = config,
                           .written = written,
                           .settings = o->settings,
                           .stored = prior && !lc_is_null(prior) ? o->prior : NULL,
                           .private_data = o->private_data,
                           .again = o->again};
    if (p->asks)
        add_circumstances(q, o);
    q->proposed = lc_proposed_new(o->arena, o->r->core, o->schema->block, prior, config);
    if (q->proposed && p->plan)
        p->plan(p->context, q);
    return q->known;
}

/* Clients undo what a provider with a legacy type system plans for ignored values. */
static const lc_value *reverted(lc_planned_object *o, const lc_value *prior,
                                const lc_run_question *q)
{
    lc_run ignore = {0};
    if (!q->legacy || !q->out || lc_is_null(prior) || lc_is_null(q->out))
        return q->out;
    read_ignored(&ignore, o);
    return lc_ignore_changes(o->arena, &ignore, NULL, prior, q->out);
}

/* The same, for the plan itself: its errors are reported. False also if there was one. */
static bool ask(lc_planned_object *o, const lc_value *prior, const lc_value *config,
                const lc_value *written)
{
    lc_run_question q;
    question(&q, o, prior, config, written);
    if (q.known && q.out && lc_is_null(q.out)) {
        *LC_PUSH(o->r->arena, &o->r->out->no_objects, lc_str) = o->text;
        q.known = false;
    }
    if (q.error.len && !q.errors.count) {
        lc_predict_error(o->r, q.error, o->text, o->config->place);
        o->failed = true;
    }
    o->failed |= lc_predict_provider_errors(o->r, &q, o->text, o->config);
    o->after = q.known ? reverted(o, prior, &q) : NULL;
    o->private_data = q.private_data;
    o->answered_by = q.answered_by;
    o->open_because = q.open_because;
    o->paths = q.requires_replace;
    o->assumed = q.assumed;
    return q.known && !o->failed;
}

/* Keeps only the requires_replace paths at which the value differs, as the cores do. */
static void keep_paths(lc_planned_object *o, const lc_value *prior)
{
    lc_replace_paths kept;
    lc_replace_filter(&kept, o->arena, o->r->core, o->schema->block, prior, o->after, &o->paths);
    lc_path_list list = {0};
    for (size_t i = 0; i < kept.count; i++)
        *LC_PUSH(o->arena, &list, lc_located_path) =
            (lc_located_path){kept.kept[i], {LC_STR_EMPTY, 0, 0}};
    o->paths = list;
}

/* ---- Marks. A change of sensitivity alone turns a no-op into an update. */

void lc_predict_stored_sensitive(lc_path_list *out, lc_planned_object *o)
{
    for (size_t i = 0; i < o->sensitive.count; i++) {
        lc_path path = o->sensitive.items[i].path;
        const lc_attribute *a = path.count ? lc_block_attribute_at(o->schema->block, path) : NULL;
        if (!a || !a->sensitive)
            *LC_PUSH(o->arena, out, lc_located_path) = o->sensitive.items[i];
    }
}

/* Are they the same paths? `now` is sorted; `was` is sorted here. */
static bool same_paths(const lc_path_list *now, lc_path_list *was)
{
    lc_predict_sort_paths(was);
    if (now->count != was->count)
        return false;
    for (size_t i = 0; i < now->count; i++) {
        if (!lc_path_eq(now->items[i].path, was->items[i].path))
            return false;
    }
    return true;
}

/* The paths outside of undecided parts, of which no one knows whether they are sensitive. */
static lc_path_list decided_paths(lc_planned_object *o, const lc_path_list *paths)
{
    lc_path_list open = {0}, out = {0};
    lc_predict_marked_paths(&open, o->arena, o->sent, LC_MARK_UNDECIDED, o->schema->block);
    for (size_t i = 0; i < paths->count; i++) {
        bool decided = true;
        for (size_t k = 0; decided && k < open.count; k++)
            decided = !lc_path_overlaps(paths->items[i].path, open.items[k].path);
        if (decided)
            *LC_PUSH(o->arena, &out, lc_located_path) = paths->items[i];
    }
    return out;
}

/* Are the attributes that are sensitive by schema sensitive in the stored object too? `stored` is
 * sorted. Elements of sets are left out: their marks are on the set. */
static bool schema_marks_are_stored(lc_arena *arena, const lc_block *block, const lc_value *v,
                                    const lc_trail *trail, const lc_path_list *stored)
{
    if (!block->any_sensitive || !lc_is_known(v) || lc_is_null(v))
        return true;
    for (size_t i = 0; i < block->attribute_count; i++) {
        lc_trail at = lc_trail_attr(trail, block->attributes[i].name);
        if (block->attributes[i].sensitive &&
            !lc_predict_has_path(stored, lc_path_from_trail(arena, &at)))
            return false;
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        const lc_value *inner = &v->as.many.elems[type->slot];
        lc_trail at = lc_trail_attr(trail, type->name);
        if (type->nesting == LC_NESTING_SET || !lc_is_known(inner) || lc_is_null(inner))
            continue;
        bool single = inner->type->kind == LC_TYPE_OBJECT && type->nesting != LC_NESTING_MAP;
        if (single && !schema_marks_are_stored(arena, type->block, inner, &at, stored))
            return false;
        for (uint32_t k = 0; !single && k < inner->count; k++) {
            lc_trail element = lc_trail_part(&at, inner, k);
            if (!schema_marks_are_stored(arena, type->block, &inner->as.many.elems[k], &element,
                                         stored))
                return false;
        }
    }
    return true;
}

/* Without a refresh, which would add them, the marks of the schema are compared with what the state
 * has. Source: valueMarksEqual(plannedNewVal, priorVal) in Terraform since 1.8, where plans add
 * schema.SensitivePaths; ValueMarks in OpenTofu. Older clients have not stored them. */
static bool lacks_schema_marks(lc_planned_object *o)
{
    unsigned minor;
    lc_path_list was = {0};
    bool old = lc_version_read(&minor, o->r->config->client.version) && minor < 8;
    if (!o->r->in->options.no_refresh || !o->prior || o->prior->shown || old)
        return false;
    for (size_t i = 0; i < o->sensitive.count; i++)
        *LC_PUSH(o->arena, &was, lc_located_path) = o->sensitive.items[i];
    lc_predict_sort_paths(&was);
    return !schema_marks_are_stored(o->arena, o->schema->block, o->after, NULL, &was);
}

/* Compares the sensitive paths, apart from attributes that are sensitive by schema. */
static bool marks_differ(lc_planned_object *o, lc_marked after)
{
    lc_path_list now = {0}, was = {0};
    lc_predict_marked_paths(&now, o->arena, after, LC_MARK_SENSITIVE, o->schema->block);
    lc_predict_stored_sensitive(&was, o);
    now = decided_paths(o, &now);
    was = decided_paths(o, &was);
    return !same_paths(&now, &was);
}

/* ---- The decision. */

/* The action is open; the planned state is not known then. */
static lc_plan_action open_answer(lc_planned_object *o, const lc_undecided *undecided)
{
    o->after = NULL;
    if (undecided)
        o->undecided = undecided;
    return LC_PLAN_UNKNOWN;
}

static const lc_undecided *not_answered(lc_planned_object *o)
{
    lc_str reason = o->open_because.len ? o->open_because
                    : o->schema         ? LC_STR("it depends on the response of the provider")
                                        : LC_STR("the type's schema is not known");
    return lc_undecided_new(o->arena, reason, o->config->place);
}

/* A replace is planned a second time from null, as a create with the whole configuration, ignored
 * changes included. The paths that required it are kept. */
static void plan_anew(lc_planned_object *o)
{
    lc_path_list paths = o->paths;
    if (lc_marks_all(o->given) & LC_MARK_UNDECIDED) {
        o->after = NULL;
        o->undecided = o->given.marks->undecided;
        return;
    }
    o->again = true;
    ask(o, null_of(o->arena, o->schema->block), o->given.value, NULL);
    o->paths = paths;
}

static bool has_before(const lc_planned_object *o)
{
    return o->prior != NULL || o->import != NULL;
}

/* No-op or update, for the planned state `o->after`. */
static lc_plan_action in_place(lc_planned_object *o, const lc_value *prior)
{
    lc_marked after = lc_predict_marks_carried(o->arena, o->after, o->sent, o->schema->block);
    bool differs = lc_value_equals(o->after, prior) != LC_TRUE || marks_differ(o, after) ||
                   lacks_schema_marks(o);
    return differs ? LC_PLAN_UPDATE : LC_PLAN_NOOP;
}

/* What the provider is going to plan for a configuration; LC_PLAN_UNKNOWN: not known, or only
 * assumed. */
static lc_plan_action trial(lc_planned_object *o, const lc_value *prior, const lc_value *config)
{
    lc_run_question q;
    if (!question(&q, o, prior, config, NULL) || q.assumed || !q.out || lc_is_null(q.out))
        return LC_PLAN_UNKNOWN;
    o->after = q.out;
    o->paths = q.requires_replace;
    keep_paths(o, prior);
    lc_plan_action action = o->paths.count ? LC_PLAN_DELETE_CREATE : in_place(o, prior);
    o->after = NULL;
    return action;
}

/* A provider that is not asked does what was learned of the type, or else keeps what the
 * configuration does not set otherwise, and plans the rest as it is proposed, without write-only
 * values. A change of sensitivity alone is an update of any provider. */
static lc_plan_action guess(lc_planned_object *o, const lc_value *prior, lc_marked config)
{
    lc_planned_object t = *o;
    const lc_block *block = o->schema->block;
    const lc_value *proposed =
        lc_proposed_new(o->arena, o->r->core, o->schema->block, prior, config.value);
    if (!proposed)
        return LC_PLAN_UPDATE;
    proposed = lc_predict_without_write_only(o->arena, proposed, block);
    o->same = lc_value_equals(proposed, prior) == LC_TRUE;
    t.after =
        o->same ? proposed : lc_predict_kept(o->arena, config, prior, proposed, o->schema->block);
    lc_plan_action action = in_place(&t, prior);
    if (action == LC_PLAN_UPDATE && lc_value_equals(t.after, prior) == LC_TRUE)
        return action;
    o->learned =
        lc_learned_ask(o->r->in->learned, o->r->arena, o->schema, o->address.type, prior, t.after);
    return o->learned.action ? o->learned.action : action;
}

/* Was each value that the configuration does not set, and that is not a zero value, seen to be a
 * default? Otherwise it may have been removed from the configuration. */
static bool keeps_defaults(const lc_planned_object *o, const lc_value *prior,
                           const lc_value *config)
{
    const lc_type *type = o->schema->block->implied;
    for (uint32_t i = 0; i < prior->count; i++) {
        const lc_value *c = &config->as.many.elems[i], *p = &prior->as.many.elems[i];
        lc_str name = type->as.attrs[i].name;
        const lc_attribute *a = lc_block_attribute(o->schema->block, name);
        bool set = a ? !lc_is_null(c) : !lc_is_known(c) || c->count > 0;
        if (!set && !lc_predict_is_zero(p) && !(a && a->computed) &&
            !lc_learned_keeps(o->r->in->learned, o->schema, o->address.type, name))
            return false;
    }
    return true;
}

/* The action is open between that for undecided parts that are as before, and that for others: the
 * more a configuration differs, the more a provider changes. They may also be sensitive, which
 * alone is an update. */
static lc_plan_action between(lc_planned_object *o, lc_plan_action same, lc_plan_action other)
{
    static const lc_plan_action by_weight[] = {LC_PLAN_NOOP, LC_PLAN_UPDATE, LC_PLAN_DELETE_CREATE};
    bool inside = false;
    for (size_t i = 0; i < sizeof by_weight / sizeof *by_weight; i++) {
        lc_plan_action a = by_weight[i];
        bool edge = a == same || a == other;
        if (inside || edge)
            o->possible |= LC_PLAN_BIT(a);
        inside = edge ? !inside && same != other : inside;
    }
    if (same == LC_PLAN_NOOP)
        o->possible |= LC_PLAN_BIT(LC_PLAN_UPDATE);
    o->likely = same;
    return o->possible == LC_PLAN_BIT(same) ? same : LC_PLAN_UNKNOWN;
}

/* The action of an object whose configuration or triggers are in part undecided. */
static lc_plan_action decide_doubted(lc_planned_object *o)
{
    const lc_value *prior = o->before;
    const lc_value *as_before = lc_predict_settle(o->arena, o->given, prior, o->schema->block);
    lc_marked config = with_ignored(o, prior, (lc_marked){as_before, o->given.marks});
    lc_plan_action same = trial(o, prior, config.value);
    lc_plan_action other = trial(o, o->other ? o->other : prior, o->sent.value);
    if (same == LC_PLAN_UNKNOWN || other == LC_PLAN_UNKNOWN) {
        o->likely = guess(o, prior, config);
        return LC_PLAN_UNKNOWN;
    }
    if (o->trigger == FIRED_MAYBE)
        other = LC_PLAN_DELETE_CREATE;
    return between(o, same, other);
}

/* The provider does not report it: the object stays as it is if the schema does not allow anything
 * else. */
static lc_plan_action decide_unasked(lc_planned_object *o, const lc_value *prior, lc_marked config)
{
    o->likely = guess(o, prior, config);
    bool trusted = o->r->in->trust_learned && o->learned.action && !o->learned.contested;
    if (trusted && o->likely != LC_PLAN_NOOP)
        return o->likely;
    trusted = trusted && (o->same || keeps_defaults(o, prior, config.value));
    bool bound = o->same && lc_predict_binds(config.value, o->schema->block);
    if (!trusted && (o->likely != LC_PLAN_NOOP || !bound))
        return open_answer(o, NULL);
    o->after = prior;
    o->undecided = NULL;
    return LC_PLAN_NOOP;
}

/* The configuration is not known, or it is not known whether something forces a replace. */
static lc_plan_action decide_undecided(lc_planned_object *o, bool tainted, bool forced, bool valued)
{
    bool from_nothing = !has_before(o) || tainted;
    const lc_undecided *undecided = o->given.marks && o->given.marks->undecided
                                        ? o->given.marks->undecided
                                    : o->undecided ? o->undecided
                                                   : not_answered(o);
    o->undecided = undecided;
    if (tainted || (forced && !from_nothing))
        return LC_PLAN_DELETE_CREATE;
    if (from_nothing)
        return LC_PLAN_CREATE;
    lc_plan_action base = valued ? decide_doubted(o) : LC_PLAN_UNKNOWN;
    return base == LC_PLAN_UNKNOWN ? open_answer(o, undecided) : base;
}

/* Update or no-op, by comparing values and marks. */
static lc_plan_action decide_in_place(lc_planned_object *o, const lc_value *prior)
{
    if (in_place(o, prior) == LC_PLAN_UPDATE)
        return LC_PLAN_UPDATE;
    const lc_value *as_written =
        lc_proposed_new(o->arena, o->r->core, o->schema->block, prior, o->given.value);
    o->normalized = as_written && lc_value_equals(as_written, prior) != LC_TRUE;
    return LC_PLAN_NOOP;
}

/* Follows the cores' plan(): ask with the prior state and the configuration without ignored
 * changes; a replace if anything forces it; else update or no-op by comparing values and marks. A
 * tainted object is planned like a create, and becomes a replace. Where values are not known, only
 * what is certain is decided. */
lc_plan_action lc_predict_decide(lc_planned_object *o)
{
    bool tainted = o->prior && o->prior->tainted;
    bool forced = o->requested || o->trigger == FIRED;
    bool from_nothing = !has_before(o) || tainted;
    bool valued = o->schema && o->given.value && (from_nothing || o->before);
    const lc_value *prior =
        from_nothing && o->schema ? null_of(o->arena, o->schema->block) : o->before;
    if (valued && !from_nothing)
        lc_predict_doubt_types(o);
    lc_marked config = !valued || from_nothing ? o->given : with_ignored(o, prior, o->given);
    bool known = valued && !(lc_marks_all(config) & LC_MARK_UNDECIDED);
    if (valued && (known || !from_nothing))
        o->sent = config;
    if (!known || o->trigger == FIRED_MAYBE)
        return decide_undecided(o, tainted, forced, valued);
    lc_plan_action anew = tainted ? LC_PLAN_DELETE_CREATE : LC_PLAN_CREATE;
    if (!ask(o, prior, config.value, o->given.value)) {
        if (o->failed)
            return LC_PLAN_UNKNOWN;
        o->undecided = not_answered(o);
        if (from_nothing)
            return anew;
        return forced ? LC_PLAN_DELETE_CREATE : decide_unasked(o, prior, config);
    }
    keep_paths(o, prior);
    if (from_nothing)
        return anew;
    if (forced || o->paths.count) {
        plan_anew(o);
        return LC_PLAN_DELETE_CREATE;
    }
    return decide_in_place(o, prior);
}

/* ---- The order of a replace. */

static bool flag_is(const lc_config_flag *flag, bool value)
{
    return flag->given && flag->literal && flag->value == value;
}

/* `destroy = false` forgets the old object, regardless of create_before_destroy. Terraform (1.16)
 * forgets only one that is tainted, after the new one was created, and destroys others.
 * Otherwise the effective create_before_destroy decides, which a dependent may force. */
lc_plan_action lc_predict_replace_action(lc_planned_object *o, lc_why *order)
{
    const lc_config_lifecycle *l = o->config->lifecycle;
    bool tainted = o->prior && o->prior->tainted;
    if (flag_is(&l->destroy, false) && (is_opentofu(o->r) || tainted)) {
        *order =
            lc_predict_why(o->r, LC_BEHAVIOR_CONFIGURATION, "lifecycle.destroy", l->destroy.place,
                           "the object before is forgotten; create_before_destroy does not matter");
        return is_opentofu(o->r) ? LC_PLAN_FORGET_CREATE : LC_PLAN_CREATE_FORGET;
    }
    if (!o->node || !o->node->create_first) {
        *order = lc_predict_why_plain("the object is destroyed first, then created");
        return LC_PLAN_DELETE_CREATE;
    }
    const lc_graph_node *by = &o->r->graph.nodes.items[o->node->forced_by];
    const lc_config_resource *config = by->block;
    lc_source_pos place = config->lifecycle->create_before_destroy.place;
    if (by == o->node)
        *order = lc_predict_why(o->r, LC_BEHAVIOR_CONFIGURATION, "lifecycle.create_before_destroy",
                                place, "the new object is created first, as the block requires");
    else
        *order = lc_predict_why(
            o->r, LC_BEHAVIOR_CONFIGURATION, "lifecycle.create_before_destroy", place,
            "the new object is created first, because %.*s depends on it and requires that",
            LC_FMT(by->text));
    return LC_PLAN_CREATE_DELETE;
}
