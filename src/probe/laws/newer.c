/* Law 39: what a newer version makes of objects and configurations of the older one. In each trial
 * the older version gets each request twice, so that what it returns differently by itself is
 * known, and the newer one once. The case has a run of each version. */
#include "probe/laws/newer.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/contract/contract.h"

#include <string.h>

#define MOST_VARIED  400 /* configurations made from one */
#define MOST_CHANGED 60

/* ---- The configuration in the newer version. */

/* Does the value set something that the type has no place for? */
static bool sets_more(const lc_value *v, const lc_type *type)
{
    if (!lc_is_known(v) || v->type->kind < LC_TYPE_LIST || type->kind < LC_TYPE_LIST)
        return false;
    bool object = v->type->kind == LC_TYPE_OBJECT && type->kind == LC_TYPE_OBJECT;
    bool many = lc_type_is_collection(v->type) && lc_type_is_collection(type);
    for (uint32_t i = 0; (object || many) && i < v->count; i++) {
        const lc_value *part = &v->as.many.elems[i];
        long at = object ? lc_type_attr_index(type, v->type->as.attrs[i].name) : 0;
        bool empty = lc_is_null(part) || (lc_is_known(part) && part->type->kind >= LC_TYPE_LIST &&
                                          lc_count_leaves(part) == 0);
        const lc_type *inner = many ? type->as.elem : at >= 0 ? type->as.attrs[at].type : NULL;
        if (inner ? sets_more(part, inner) : !empty)
            return true;
    }
    return false;
}

/* The value as one of another type, in which objects may have other attributes, at any depth. What
 * a value does not name is null, or as an empty block has it. `block`: of the value, or NULL.
 * False: it has no such form. */
static bool in_type(lc_value *out, lc_arena *arena, const lc_value *v, const lc_type *type,
                    const lc_block *block);

static bool object_in_type(lc_value *out, lc_arena *arena, const lc_value *v, const lc_type *type,
                           const lc_block *block)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, type->count + 1);
    for (size_t i = 0; i < type->count; i++) {
        lc_str name = type->as.attrs[i].name;
        const lc_value *part = lc_value_attr(v, name);
        const lc_block_type *inner = block ? lc_block_block(block, name) : NULL;
        lc_value none;
        lc_value_set_null(&none, type->as.attrs[i].type);
        if (inner && (!part || lc_is_null(part)))
            part = lc_block_type_empty_value(arena, inner);
        if (!in_type(&elems[i], arena, part ? part : &none, type->as.attrs[i].type,
                     inner ? inner->block : NULL))
            return false;
    }
    lc_value_set_object(out, arena, type, elems);
    return true;
}

static bool many_in_type(lc_value *out, lc_arena *arena, const lc_value *v, const lc_type *type,
                         const lc_block *block)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, v->count + 1);
    for (uint32_t i = 0; i < v->count; i++) {
        if (!in_type(&elems[i], arena, &v->as.many.elems[i], type->as.elem, block))
            return false;
    }
    if (type->kind != LC_TYPE_MAP)
        return type->kind == LC_TYPE_LIST ? lc_value_set_list(out, arena, type, elems, v->count)
                                          : lc_value_set_set(out, arena, type, elems, v->count);
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, v->count + 1);
    for (uint32_t i = 0; i < v->count; i++)
        keys[i] = v->as.many.keys[i];
    return lc_value_set_map(out, arena, type, keys, elems, v->count);
}

static bool in_type(lc_value *out, lc_arena *arena, const lc_value *v, const lc_type *type,
                    const lc_block *block)
{
    const lc_value *converted = v;
    lc_str why;
    bool other = !lc_type_equal(v->type, type);
    bool whole = other && lc_is_known(v) && v->type->kind == type->kind;
    if (other && lc_is_null(v)) {
        lc_value_set_null(out, type);
        return true;
    }
    if (whole && type->kind == LC_TYPE_OBJECT)
        return object_in_type(out, arena, v, type, block);
    if (whole && lc_type_is_collection(type))
        return many_in_type(out, arena, v, type, block);
    if (!lc_value_convert(&converted, arena, v, type, &why))
        return false;
    *out = *converted;
    return true;
}

static const lc_value *in_newer(lc_arena *arena, const lc_block *block, const lc_value *config)
{
    lc_value out;
    return in_type(&out, arena, config, block->implied, block) ? lc_value_new(arena, &out) : NULL;
}

/* NULL: no client sends it to the newer version, which the comparison of schemas is about. */
const lc_value *lc_newer_config(lc_trial *trial, const lc_value *config)
{
    const lc_schema *schema = trial->exam->newer_schema;
    trial->why = "the configuration does not fit the schema of the new version";
    const lc_value *out = sets_more(config, schema->block->implied)
                              ? NULL
                              : in_newer(trial->arena, schema->block, config);
    lc_arena *scratch = lc_arena_new();
    bool sendable = out && lc_config_is_sendable(scratch, schema, out);
    lc_arena_free(scratch);
    return sendable ? out : NULL;
}

static bool is_usable(const lc_call *call)
{
    return lc_answered(call) && lc_field_has_value(&call->result);
}

static bool says_the_same(const lc_call *a, const lc_call *b)
{
    const lc_value *x = lc_field_has_value(&a->result) ? a->result.value : NULL;
    const lc_value *y = lc_field_has_value(&b->result) ? b->result.value : NULL;
    return lc_answered(a) == lc_answered(b) && (x && y ? lc_value_raw_equal(x, y) : x == y);
}

/* The second response of the older version is part of the case only if it differs. */
static void keep_once(lc_trial *trial, const lc_call *first, const lc_call *second)
{
    lc_case *subject = &trial->scenario.subject;
    if (says_the_same(first, second))
        subject->runs.items[subject->runs.count - 1].calls.count--;
}

static lc_call plan_of_older(lc_trial *trial, lc_trial_plan plan)
{
    const lc_call first = *lc_trial_query_plan(trial, &plan);
    if (!is_usable(&first))
        return first;
    plan.again = true;
    const lc_call second = *lc_trial_query_plan(trial, &plan);
    keep_once(trial, &first, &second);
    return lc_answered(&second) ? first : second;
}

/* ---- Validation, new objects. */

static bool ask_validated(lc_trial *trial)
{
    const lc_value *config = trial->spec->config, *newer = lc_newer_config(trial, config);
    if (!newer)
        return false;
    lc_trial_begin_run(trial, NULL, config);
    const lc_call first = *lc_trial_query_validation(trial, config);
    trial->why = "the old version does not accept the configuration";
    if (!lc_answered(&first))
        return false;
    trial->exam->cache->bypass = true;
    const lc_call second = *lc_trial_query_validation(trial, config);
    trial->exam->cache->bypass = false;
    keep_once(trial, &first, &second);
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, newer);
    lc_trial_query_validation(trial, newer);
    return true;
}

/* The provider's own configuration. */
static bool ask_configured(lc_trial *trial)
{
    const lc_value *config = trial->spec->config, *newer = lc_newer_config(trial, config);
    if (!newer)
        return false;
    lc_trial_begin_run(trial, NULL, config);
    trial->why = "the old version cannot be configured without its service";
    if (!lc_answered(lc_trial_query_configure(trial, config)))
        return false;
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, newer);
    lc_trial_query_configure(trial, newer);
    return true;
}

/* What the newer version refuses to validate it is not asked to plan. */
bool lc_newer_accepts(lc_trial *trial, const lc_value *config, const lc_value *newer)
{
    trial->why = "the old version does not accept the configuration";
    trial->newer = false;
    if (!lc_trial_accepts(trial, config))
        return false;
    trial->why = "the new version does not accept the configuration";
    trial->newer = true;
    bool accepted = lc_trial_accepts(trial, newer) && !trial->broke;
    trial->newer = false;
    return accepted;
}

static bool ask_created(lc_trial *trial)
{
    const lc_value *config = trial->spec->config, *newer = lc_newer_config(trial, config);
    if (!newer || !lc_newer_accepts(trial, config, newer))
        return false;
    lc_trial_plan plan = {.kind = LC_CALL_PLAN, .config = config};
    lc_trial_begin_run(trial, NULL, config);
    const lc_call old = plan_of_older(trial, plan);
    trial->why = "the old version does not plan the configuration";
    if (!is_usable(&old))
        return false;
    trial->newer = true;
    plan.config = newer;
    lc_trial_begin_run(trial, NULL, newer);
    lc_trial_query_plan(trial, &plan);
    return true;
}

/* ---- Objects that exist. */

/* Does the older version upgrade the object to the same, and plan no change of it? */
static bool is_no_change(lc_trial *trial, const lc_newer_stored *s)
{
    lc_trial outside = lc_newer_outside(trial);
    lc_trial_begin_run(&outside, s->value, trial->spec->config);
    const lc_call up = *lc_trial_query_upgrade(&outside, &s->raw);
    if (!is_usable(&up) || !lc_value_same(up.result.value, s->value))
        return false;
    const lc_call plan =
        *lc_trial_query_plan(&outside, &(lc_trial_plan){.kind = LC_CALL_PLAN,
                                                        .prior = s->value,
                                                        .config = trial->spec->config,
                                                        .private_data = s->private_data});
    const lc_block *block = trial->exam->schema->block;
    return is_usable(&plan) && lc_is_known(plan.result.value) &&
           lc_value_same(lc_state_handed_on(trial->arena, block, plan.result.value),
                         lc_state_handed_on(trial->arena, block, s->value));
}

/* A generated object is used only if the older version upgrades it to the same object, and plans no
 * change of it. */
static bool generate_stored(lc_trial *trial, lc_newer_stored *out)
{
    static const lc_invention ways[] = {LC_INVENT_ALL, LC_INVENT_ID, LC_INVENT_NULL};
    lc_trial outside = lc_newer_outside(trial);
    lc_trial_begin_run(&outside, NULL, trial->spec->config);
    const lc_call plan = *lc_trial_query_plan(
        &outside, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = trial->spec->config});
    trial->why = "the old version does not plan the configuration";
    if (!is_usable(&plan) || !lc_is_known(plan.result.value))
        return false;
    trial->why = "the old version refuses a generated object";
    trial->older_plan = plan.result.value;
    out->private_data = plan.private_data.ptr ? plan.private_data : LC_STR_EMPTY;
    for (size_t i = 0; i < 3; i++) {
        out->value = lc_invent(trial->arena, trial->exam->schema->block, plan.result.value, ways[i],
                               plan.legacy == LC_YES);
        if (out->value && lc_raw_of(&out->raw, trial, out->value) && is_no_change(trial, out))
            return true;
    }
    return false;
}

/* Gives the stored object a lower schema version. False: the older version does not upgrade it to
 * the same object. */
static bool take_lower_version(lc_trial *trial, lc_newer_stored *out)
{
    lc_trial outside = lc_newer_outside(trial);
    out->raw.schema_version -= trial->spec->variant - LC_NEWER_LOWER;
    lc_trial_begin_run(&outside, NULL, NULL);
    const lc_call *up = lc_trial_query_upgrade(&outside, &out->raw);
    trial->why = "the old version does not upgrade the object from a lower schema version";
    return is_usable(up) && lc_value_same(up->result.value, out->value);
}

bool lc_newer_find_stored(lc_trial *trial, lc_newer_stored *out)
{
    *out = (lc_newer_stored){.value = trial->spec->real, .private_data = trial->spec->private_data};
    if (!out->private_data.ptr)
        out->private_data = LC_STR_EMPTY;
    if (out->value ? !lc_raw_of(&out->raw, trial, out->value) : !generate_stored(trial, out))
        return false;
    lc_newer_read_stored(trial, out);
    if (trial->spec->variant >= LC_NEWER_LOWER)
        return take_lower_version(trial, out);
    return true;
}

static lc_field given(const lc_trial *trial, const lc_value *value)
{
    return (lc_field){
        .state = LC_FIELD_GIVEN, .loc = {trial->exam->result->name, 0, 0}, .value = value};
}

/* Upgrades the object in the last run, which is of the newer version: twice, as clients do. It is
 * planned as a refresh leaves it. NULL: there is nothing to plan. */
static const lc_value *upgrade(lc_trial *trial, const lc_newer_stored *s)
{
    lc_raw_state again;
    const lc_call call = *lc_trial_query_upgrade(trial, &s->raw);
    if (!is_usable(&call) || !lc_is_known(call.result.value))
        return NULL;
    if (lc_raw_of(&again, trial, call.result.value))
        lc_trial_query_upgrade(trial, &again);
    return lc_state_handed_on(trial->arena, trial->exam->newer_schema->block, call.result.value);
}

/* Reads the upgraded object in the last run. One that cannot be read is planned as it is, so that
 * what is wrong with the plan is found in the same run. */
static const lc_value *read_newer(lc_trial *trial, const lc_newer_stored *s,
                                  const lc_value *upgraded)
{
    const lc_schema *schema = trial->exam->newer_schema;
    const lc_value *identity = schema->identity_type && s->identity &&
                                       lc_type_equal(schema->identity_type, s->identity->type)
                                   ? s->identity
                                   : NULL;
    const lc_call *call =
        lc_trial_query_read(trial, &(lc_stored_object){upgraded, identity, s->private_data}, false);
    const lc_value *read =
        is_usable(call) && lc_is_known(call->result.value) && lc_is_wholly_known(call->result.value)
            ? lc_state_handed_on(trial->arena, schema->block, call->result.value)
            : NULL;
    return read ? read : upgraded;
}

const lc_value *lc_newer_upgrade(lc_trial *trial, const lc_newer_stored *s)
{
    lc_trial outside = lc_newer_outside(trial);
    outside.newer = true;
    lc_trial_begin_run(&outside, NULL, NULL);
    trial->why = "the new version does not upgrade the object";
    const lc_value *upgraded = upgrade(&outside, s);
    return upgraded && s->read ? read_newer(&outside, s, upgraded) : upgraded;
}

/* Reads the object in the run of the older version, twice: the prior state of its plan. */
static const lc_value *read_older(lc_trial *trial, const lc_newer_stored *s, lc_run *run)
{
    const lc_stored_object stored = {s->value, s->identity, s->private_data};
    lc_trial_query_read(trial, &stored, false);
    const lc_call *second = lc_trial_query_read(trial, &stored, true);
    const lc_value *read = is_usable(second) && lc_is_wholly_known(second->result.value)
                               ? second->result.value
                               : s->read;
    if (!lc_is_null(read))
        run->prior_state = given(trial, read);
    return lc_is_null(read) ? s->value : read;
}

/* An object with its configuration, of which the older version plans no change: what do the
 * upgrade, the read and the plan of the newer version return? */
static bool ask_upgraded(lc_trial *trial)
{
    lc_newer_stored s;
    const lc_value *config = trial->spec->config, *newer = lc_newer_config(trial, config);
    if (trial->exam->newer_schema->version < trial->exam->schema->version) {
        trial->why = "the schema version of the new version is lower, so that no client upgrades";
        return false;
    }
    if (!lc_newer_find_stored(trial, &s) || (newer && !lc_newer_accepts(trial, config, newer)))
        return false;
    lc_trial_plan plan = {
        .kind = LC_CALL_PLAN, .prior = s.value, .config = config, .private_data = s.private_data};
    lc_run *run = lc_trial_begin_run(trial, s.value, config);
    run->previous_run_state = s.raw;
    lc_trial_query_upgrade(trial, &s.raw);
    if (s.read)
        plan.prior = read_older(trial, &s, run);
    const lc_call old = plan_of_older(trial, plan);
    trial->newer = true;
    run = lc_trial_begin_run(trial, NULL, newer);
    run->previous_run_state = s.raw;
    run->prior_state = (lc_field){.loc = run->loc};
    plan.prior = upgrade(trial, &s);
    plan.config = newer;
    if (!plan.prior)
        return true;
    if (s.read)
        plan.prior = read_newer(trial, &s, plan.prior);
    run = &trial->scenario.subject.runs.items[1];
    run->prior_state = given(trial, plan.prior);
    if (newer && is_usable(&old))
        lc_trial_query_plan(trial, &plan);
    return true;
}

/* What the client plans with after it has read the object, if that is possible. */
static const lc_value *as_read(const lc_newer_stored *s)
{
    return s->read ? s->read : s->value;
}

/* A change of the configuration, planned by both versions. */
static bool ask_changed(lc_trial *trial)
{
    lc_newer_stored s;
    const lc_value *edited = trial->spec->edited, *newer = lc_newer_config(trial, edited);
    if (!newer || !lc_newer_find_stored(trial, &s) || !lc_newer_accepts(trial, edited, newer))
        return false;
    lc_trial_plan plan = {.kind = LC_CALL_PLAN,
                          .prior = as_read(&s),
                          .config = edited,
                          .private_data = s.private_data};
    lc_trial_begin_run(trial, plan.prior, edited);
    const lc_call old = plan_of_older(trial, plan);
    trial->why = "the old version does not plan the change";
    if (!is_usable(&old))
        return false;
    plan.prior = lc_newer_upgrade(trial, &s);
    plan.config = newer;
    if (!plan.prior)
        return false;
    trial->newer = true;
    lc_trial_begin_run(trial, plan.prior, newer);
    lc_trial_query_plan(trial, &plan);
    return true;
}

static const lc_value *null_object(lc_trial *trial, const lc_schema *schema)
{
    lc_value *null = LC_NEW(trial->arena, lc_value);
    lc_value_set_null(null, schema->block->implied);
    return null;
}

static bool plans_destroys(const lc_peer_cache *cache)
{
    return lc_client_capabilities(cache->client)->plan_destroy == LC_YES;
}

static bool ask_destroyed(lc_trial *trial)
{
    lc_newer_stored s;
    trial->why = "a version does not declare plan_destroy, so clients do not plan the destroy";
    if (!plans_destroys(trial->exam->cache) || !plans_destroys(&trial->exam->newer->main) ||
        !lc_newer_find_stored(trial, &s))
        return false;
    lc_trial_plan plan = {.kind = LC_CALL_DESTROY_PLAN,
                          .prior = as_read(&s),
                          .config = null_object(trial, trial->exam->schema),
                          .private_data = s.private_data};
    lc_trial_begin_run(trial, plan.prior, NULL);
    trial->why = "the old version does not plan the destroy";
    if (!lc_answered(lc_trial_query_plan(trial, &plan)))
        return false;
    plan.prior = lc_newer_upgrade(trial, &s);
    plan.config = null_object(trial, trial->exam->newer_schema);
    if (!plan.prior)
        return false;
    trial->newer = true;
    lc_trial_begin_run(trial, plan.prior, NULL);
    lc_trial_query_plan(trial, &plan);
    return true;
}

/* ---- Functions. */

static bool ask_function(lc_trial *trial)
{
    const lc_function *f =
        lc_schema_function(trial->exam->newer_schema, trial->exam->function->name);
    const lc_arguments *arguments = trial->spec->arguments;
    trial->why = "the new version has no function that takes the arguments";
    if (!f || arguments->count < f->parameter_count - f->variadic ||
        (!f->variadic && arguments->count > f->parameter_count))
        return false;
    lc_trial_begin_run(trial, NULL, NULL);
    lc_trial_call_function(trial, arguments, false, false);
    lc_trial_call_function(trial, arguments, false, true);
    trial->newer = true;
    lc_trial_begin_run(trial, NULL, NULL);
    lc_trial_call_function(trial, arguments, false, false);
    return true;
}

/* The older version may accept a value that it would never have stored. An error of the newer one
 * about such a value, for example about a generated id that it parses, says nothing about real
 * objects. */
static bool is_about_generated(lc_trial *trial, const lc_call *call)
{
    for (size_t i = 0; trial->older_plan && i < call->diagnostics.count; i++) {
        const lc_provider_diag *d = &call->diagnostics.items[i];
        const lc_value *planned = d->severity == LC_SEVERITY_ERROR && d->has_path && d->path.count
                                      ? lc_path_apply(trial->arena, trial->older_plan, d->path)
                                      : NULL;
        if (planned && !lc_is_wholly_known(planned))
            return true;
    }
    return false;
}

static bool refuses_generated(lc_trial *trial)
{
    const lc_case *subject = &trial->scenario.subject;
    const lc_run *run = subject->runs.count ? &subject->runs.items[subject->runs.count - 1] : NULL;
    for (size_t i = 0; run && run->newer && i < run->calls.count; i++) {
        if (is_about_generated(trial, &run->calls.items[i])) {
            trial->why = "the new version refuses a generated value";
            return true;
        }
    }
    return false;
}

static bool query(lc_trial *trial)
{
    if (trial->spec->arguments)
        return ask_function(trial);
    switch (trial->spec->variant) {
    case LC_NEWER_VALIDATED:
        return ask_validated(trial);
    case LC_NEWER_CONFIGURED:
        return ask_configured(trial);
    case LC_NEWER_DATA:
        return lc_newer_query_data(trial);
    case LC_NEWER_IMPORTED:
    case LC_NEWER_IDENTIFIED:
        return lc_newer_query_import(trial);
    case LC_NEWER_IDENTITY:
        return lc_newer_query_identity(trial);
    case LC_NEWER_MOVED:
        return lc_newer_query_move(trial);
    case LC_NEWER_APPLIED:
        return lc_newer_query_applied(trial);
    case LC_NEWER_CREATED:
        return ask_created(trial);
    case LC_NEWER_DESTROYED:
        return ask_destroyed(trial);
    case LC_NEWER_CHANGED:
        return ask_changed(trial);
    default:
        return ask_upgraded(trial);
    }
}

bool lc_query_newer(lc_trial *trial)
{
    return query(trial) && !refuses_generated(trial);
}

/* ---- Finding trials. */

static void try_all(lc_examination *exam, const lc_value *config, const lc_subject *real)
{
    static const unsigned of_objects[] = {LC_NEWER_VALIDATED, LC_NEWER_CREATED, LC_NEWER_UPGRADED};
    static const unsigned of_data[] = {LC_NEWER_VALIDATED, LC_NEWER_DATA};
    bool data = exam->schema->kind == LC_KIND_DATA;
    const unsigned *variants = data ? of_data : of_objects;
    size_t count = exam->plans ? 3 : data ? 2 : 1; /* without a configured provider: validation */
    for (size_t i = 0; i < count && !exam->stop; i++) {
        bool of_object = variants[i] == LC_NEWER_UPGRADED && real;
        lc_run_trial(
            exam, &(lc_trial_spec){.law = LC_LAW_39,
                                   .variant = variants[i],
                                   .config = config,
                                   .real = of_object ? real->real : NULL,
                                   .private_data = of_object ? real->private_data : LC_STR_EMPTY});
    }
}

/* The slot of the form for a leaf, ".rule.port". */
static lc_slot *slot_of(lc_slot *form, lc_str name)
{
    lc_slot *slot = form;
    for (size_t at = 1; slot && at < name.len;) {
        size_t end = lc_str_find(name, at, '.');
        lc_str part = lc_str_sub(name, at, end);
        lc_slot *found = NULL;
        for (size_t i = 0; i < slot->count && !found; i++) {
            if (lc_str_eq(slot->below[i].name, part))
                found = &slot->below[i];
        }
        slot = found;
        at = end + 1;
    }
    return slot;
}

/* Values at the limits of what an upgrade could flatten: letter case, space, leading zeros, empty
 * strings, numbers that no double has. */
static const char *const strings[] = {"", "Aa", " a b ", "007", "\xc3\xa4", "1.0", "true"};
static const char *const numbers[] = {"0", "-1", "2.5", "9007199254740993"};

static const lc_value *text_value(lc_arena *arena, const char *text)
{
    lc_value slot;
    lc_value_set_string(&slot, arena, lc_str_from_c(text));
    return lc_value_new(arena, &slot);
}

static const lc_value *number_value(lc_arena *arena, const char *text)
{
    lc_value slot;
    lc_num n;
    if (lc_num_from_text(&n, arena, lc_str_from_c(text), 100) != LC_NUM_OK)
        return NULL;
    lc_value_set_number(&slot, n);
    return lc_value_new(arena, &slot);
}

typedef struct variety {
    lc_examination *exam;
    lc_arena *arena;
    const lc_value *config;
    const lc_leaf *leaf;
    size_t tried;
} variety;

static void try_with(variety *v, const lc_value *value)
{
    lc_examination *exam = v->exam;
    if (!value || exam->stop || v->tried >= MOST_VARIED)
        return;
    const lc_value *edited = lc_spot_set(v->arena, v->config, v->leaf->spot, value);
    if (!edited || lc_value_raw_equal(edited, v->config))
        return;
    v->tried++;
    try_all(exam, edited, NULL);
}

static void try_scalars(variety *v)
{
    const lc_type *type = v->leaf->value->type;
    lc_slot *slot = slot_of(v->exam->form, v->leaf->name);
    lc_str name = v->leaf->attribute ? v->leaf->attribute->name : LC_STR_EMPTY;
    for (unsigned turn = 1; slot && turn <= 3; turn++)
        try_with(v, lc_make_value(v->arena, type, name, &slot->wish, turn));
    for (size_t i = 0; type->kind == LC_TYPE_STRING && i < sizeof strings / sizeof *strings; i++)
        try_with(v, text_value(v->arena, strings[i]));
    for (size_t i = 0; type->kind == LC_TYPE_NUMBER && i < sizeof numbers / sizeof *numbers; i++)
        try_with(v, number_value(v->arena, numbers[i]));
}

/* None, one, several in no sorted order, equal ones. */
static void try_collections(variety *v)
{
    const lc_value *value = v->leaf->value;
    const lc_type *type = value->type;
    if (!lc_is_known(value) || value->count == 0)
        return;
    const lc_value *one = &value->as.many.elems[0];
    try_with(v, lc_with_elements(v->arena, value, one, 0));
    try_with(v, lc_with_elements(v->arena, value, one, 1));
    if (type->as.elem->kind == LC_TYPE_STRING) {
        lc_value *elems = LC_NEW_ARRAY(v->arena, lc_value, 3);
        elems[0] = *text_value(v->arena, "Zz");
        elems[1] = *text_value(v->arena, "a");
        elems[2] = *text_value(v->arena, "Zz");
        const lc_value *three = lc_with_elements(v->arena, value, one, 3);
        bool list = type->kind != LC_TYPE_SET && three && three->count == 3;
        try_with(v, list ? lc_with_values(v->arena, three, elems) : NULL);
    }
    try_with(v, lc_with_elements(v->arena, value, one, 2));
}

static const lc_value *cleared(const variety *v)
{
    lc_value slot;
    if (v->leaf->block)
        return lc_block_type_empty_value(v->arena, v->leaf->block);
    lc_value_set_null(&slot, v->leaf->value->type);
    return lc_value_new(v->arena, &slot);
}

static void vary(lc_examination *exam, const lc_value *config)
{
    lc_arena *arena = lc_arena_new();
    lc_leaves leaves = {0};
    lc_find_leaves(&leaves, arena, exam->schema->block, config);
    variety v = {exam, arena, config, NULL, 0};
    for (size_t i = 0; i < leaves.count && !exam->stop; i++) {
        v.leaf = &leaves.items[i];
        const lc_type *type = v.leaf->value->type;
        bool optional = v.leaf->attribute && v.leaf->attribute->optional && !v.leaf->element;
        if (optional || v.leaf->block)
            try_with(&v, cleared(&v));
        if (lc_type_is_primitive(type))
            try_scalars(&v);
        else if (lc_type_is_collection(type) && !v.leaf->in_set)
            try_collections(&v);
    }
    lc_arena_free(arena);
}

/* One attribute at a time is set to something else. */
static void change(lc_examination *exam, const lc_subject *subject)
{
    lc_arena *arena = lc_arena_new();
    lc_leaves leaves = {0};
    lc_find_leaves(&leaves, arena, exam->schema->block, subject->config);
    for (size_t i = 0; i < leaves.count && i < MOST_CHANGED && !exam->stop; i++) {
        const lc_leaf *leaf = &leaves.items[i];
        lc_slot *slot = slot_of(exam->form, leaf->name);
        if (!leaf->attribute || leaf->element || !slot || !lc_type_is_primitive(leaf->value->type))
            continue;
        for (unsigned turn = 0; turn < 2; turn++) {
            const lc_value *value =
                lc_make_value(arena, leaf->value->type, leaf->attribute->name, &slot->wish, turn);
            const lc_value *edited = lc_spot_set(arena, subject->config, leaf->spot, value);
            if (edited && !lc_value_raw_equal(edited, subject->config))
                lc_run_trial(exam, &(lc_trial_spec){.law = LC_LAW_39,
                                                    .variant = LC_NEWER_CHANGED,
                                                    .config = subject->config,
                                                    .edited = edited,
                                                    .real = subject->real,
                                                    .private_data = subject->private_data});
        }
    }
    lc_arena_free(arena);
}

/* The end of an object, and the other ways to it. */
static void try_object(lc_examination *exam, const lc_subject *subject)
{
    lc_trial_spec spec = {.law = LC_LAW_39,
                          .variant = LC_NEWER_DESTROYED,
                          .config = subject->config,
                          .real = subject->real,
                          .private_data = subject->private_data};
    if (exam->schema->kind == LC_KIND_PROVIDER)
        spec.variant = LC_NEWER_CONFIGURED;
    else if (!exam->plans)
        return;
    lc_run_trial(exam, &spec);
    if (exam->plans)
        lc_newer_try_reads(exam, &spec);
    spec.variant = LC_NEWER_APPLIED;
    if (exam->plans && exam->prober->options->apply)
        lc_run_trial(exam, &spec);
}

void lc_find_newer(lc_examination *exam)
{
    lc_newer_create_subjects(exam);
    for (size_t i = 0; i < exam->subjects.count && !exam->stop; i++) {
        const lc_subject *subject = &exam->subjects.items[i];
        try_all(exam, subject->config, subject->real ? subject : NULL);
        try_object(exam, subject);
    }
    for (size_t i = 0; i < exam->subjects.count && !exam->stop; i++) {
        vary(exam, exam->subjects.items[i].config);
        if (i == 0 && exam->plans)
            change(exam, &exam->subjects.items[0]);
    }
    for (size_t i = 0; i < exam->arguments.count && !exam->stop; i++)
        lc_run_trial(exam,
                     &(lc_trial_spec){.law = LC_LAW_39, .arguments = &exam->arguments.items[i]});
    if (exam->subjects.count + exam->arguments.count == 0)
        lc_not_tried(exam, LC_LAW_39, "the old version accepts no configuration");
    lc_newer_destroy_subjects(exam);
}
