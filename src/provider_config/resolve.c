/* Which provider instance each resource instance uses. */
#include "lifecheck/catalog/core_message.h"
#include "provider_config/internal.h"

#include <string.h>

/* ---- Where a reference leads. */

/* The implied empty default configuration of the root module; created when first needed. */
static lc_provider_config *implied(lc_provider_model *m, lc_str fqn)
{
    lc_provider_entry *slot = lc_provider_slot_make(m, m->config->root, fqn, LC_STR_EMPTY);
    if (!slot->config)
        slot->config = lc_provider_config_new(m, m->config->root, NULL, fqn, LC_STR_EMPTY);
    return slot->config;
}

/* The block of an entry, unless the caller passes something instead of an empty block. */
static lc_provider_config *own_config(const lc_provider_entry *slot)
{
    lc_provider_config *c = slot->config;
    bool stands = c && !(slot->passed && c->block && lc_provider_is_empty_block(c->block));
    return stands ? c : NULL;
}

/* Records a key found on the way; a second one is an error. False: the search ends, because in the
 * document the key itself is an alias, evaluated per instance. */
static bool take_key(lc_provider_target *out, const lc_provider_model *m, const lc_expr *key,
                     const lc_config_ref *written, const lc_module *module, const lc_module *child)
{
    if (!key)
        return true;
    out->two_keys |= out->key != NULL;
    if (!out->key) {
        out->key = key;
        out->key_ref = written;
        out->key_module = module;
        out->key_child = child;
    }
    return m->config->profile != LC_PROFILE_DOCUMENT;
}

/* Follows the cores' resolution: a block of the module, else what the caller passes, else (default
 * configurations only) the module around. Ends at the root at the latest. */
void lc_provider_follow(lc_provider_target *out, lc_provider_model *m, const lc_module *module,
                        const lc_provider_ref *ref, const lc_config_ref *written, lc_str fqn)
{
    lc_str alias = ref->alias;
    *out = (lc_provider_target){.way = written ? LC_USE_NAMED : LC_USE_DEFAULT};
    if (!take_key(out, m, ref->key, written, module, NULL))
        return;
    for (;;) {
        lc_provider_entry *slot = lc_provider_slot(m, module, fqn, alias);
        out->config = slot ? own_config(slot) : NULL;
        if (out->config) {
            if (!out->config->block && out->way != LC_USE_PASSED)
                out->way = LC_USE_IMPLIED;
            return;
        }
        if (slot && slot->passed) {
            out->passed = &slot->passed->parent;
            out->way = LC_USE_PASSED;
            alias = slot->parent.alias;
            if (!take_key(out, m, slot->parent.key, out->passed, module->parent, module))
                return;
        } else if (alias.len > 0) {
            return;
        } else if (out->way == LC_USE_PASSED) {
            /* What is passed must exist; nothing is inherited on that way. */
            out->config = lc_provider_is_required(m, module, fqn) ? implied(m, fqn) : NULL;
            return;
        } else if (!module->parent) {
            out->config = implied(m, fqn);
            out->way = LC_USE_IMPLIED;
            return;
        } else {
            out->way = LC_USE_INHERITED;
        }
        module = module->parent;
    }
}

/* ---- One instance. */

/* One resource instance while its provider is resolved. */
typedef struct resolving {
    lc_provider_model *m;
    lc_module_scope *scope;
    const lc_config_resource *resource;
    const lc_provider_target *target;
    lc_str fqn;
    lc_provider_use *use;
    bool hidden_key; /* of the provider instance */
} resolving;

/* Marks the use as failed. A problem that many instances have at the same position is added
 * once. */
static void report(resolving *r, lc_rule rule, lc_config_stage stage, lc_source_pos place,
                   lc_str summary, lc_str detail)
{
    lc_str once =
        lc_str_printf(r->m->arena, "%d %llu %u %.*s", (int)rule, (unsigned long long)place.where,
                      (unsigned)place.offset, LC_FMT(detail));
    r->use->state = LC_USE_FAILED;
    r->use->summary = summary;
    r->use->detail = detail;
    if (lc_table_put(&r->m->reported, once, r->m))
        return;
    lc_config_problem *p = lc_provider_problem(r->m, rule, stage, place, "", "");
    p->summary = summary;
    p->detail = detail;
    p->address = r->use->text;
}

static void undecided(lc_provider_use *use, lc_str reason, lc_source_pos place)
{
    use->state = LC_USE_UNDECIDED;
    use->undecided = reason;
    use->undecided_place = place;
}

/* The rule for an error of evaluating a key, by the core's summary. */
static lc_rule rule_of_key_trouble(lc_str summary)
{
    if (lc_str_starts_with(summary, LC_STR(LC_SUMMARY_EACH_WITHOUT_FOR_EACH)) ||
        lc_str_starts_with(summary, LC_STR(LC_SUMMARY_COUNT_WITHOUT_COUNT)))
        return LC_RULE_PROVIDER_EACH_UNAVAILABLE;
    if (lc_str_starts_with(summary, LC_STR(LC_SUMMARY_UNDECLARED)) ||
        lc_str_is(summary, LC_SUMMARY_NO_VALUE))
        return LC_RULE_PROVIDER_STATIC_UNDEFINED;
    return lc_str_is(summary, LC_SUMMARY_CYCLE) ? LC_RULE_PROVIDER_STATIC_CYCLE
                                                : LC_RULE_PROVIDER_KEY_VALUE;
}

static void report_key_error(resolving *r, const lc_eval_error *error)
{
    if (error->summary.len == 0)
        undecided(r->use, error->detail, error->place);
    else
        report(r, rule_of_key_trouble(error->summary), LC_STAGE_GRAPH, error->place, error->summary,
               error->detail);
}

/* The scope and instance with which the key is evaluated: the resource's own, or those of the
 * module call that has the key. */
static lc_module_scope *key_scope(const resolving *r, const lc_repetition *own,
                                  const lc_repetition **instance)
{
    lc_module_scope *scope = r->scope;
    *instance = own;
    if (!r->target->key_child)
        return scope;
    while (scope->module != r->target->key_child)
        scope = scope->up;
    *instance = &scope->instance;
    return scope->up;
}

static bool reject_key(resolving *r, const char *why)
{
    report(r, LC_RULE_PROVIDER_KEY_VALUE, LC_STAGE_PLAN, r->target->key_ref->place,
           LC_STR(LC_SUMMARY_INVALID_PROVIDER_KEY), lc_str_from_c(why));
    return false;
}

/* Checks a key and converts it to text, as OpenTofu does. */
static bool key_text(resolving *r, lc_marked v)
{
    const lc_value *text;
    lc_str why;
    unsigned marks = lc_marks_all(v);
    if (marks & LC_MARK_UNDECIDED) {
        undecided(r->use, v.marks->undecided->reason, v.marks->undecided->place);
        return false;
    }
    if (marks & ~(unsigned)LC_MARK_HIDDEN)
        return reject_key(r, "the key is sensitive or ephemeral");
    if (lc_is_null(v.value))
        return reject_key(r, "the key is null");
    if (lc_is_unknown(v.value))
        return reject_key(r, "the key is not known while planning");
    if (!lc_value_convert(&text, r->m->arena, v.value, &lc_type_string, &why))
        return reject_key(r, "the key is not a string");
    r->use->keyed = true;
    r->use->key = text->as.string;
    r->hidden_key = marks & LC_MARK_HIDDEN;
    if (r->hidden_key)
        lc_hide_key(&r->m->hidden, r->m->arena, lc_key_string(r->use->key));
    return true;
}

static bool evaluate_key(resolving *r, const lc_repetition *own)
{
    const lc_repetition *instance;
    lc_module_scope *scope = key_scope(r, own, &instance);
    lc_eval_error trouble;
    lc_marked v;
    if (lc_scope_evaluate(&v, scope, r->target->key, instance, &trouble))
        return key_text(r, v);
    report_key_error(r, &trouble);
    return false;
}

/* The instance of the key does not exist, or the keys are not known. */
static void report_missing_key(resolving *r, const lc_provider_config *c, const char *summary)
{
    if (c && c->keys.undecided) {
        undecided(r->use, c->keys.undecided->reason, c->keys.undecided->place);
        return;
    }
    if (c && c->unusable) { /* reported at the block */
        r->use->state = LC_USE_FAILED;
        return;
    }
    /* The block has no instances at all: an additional warning. */
    if (c && c->keys.list.count == 0 && !c->keys.unknown) {
        lc_provider_use before = *r->use;
        report(r, LC_RULE_PROVIDER_EMPTY, LC_STAGE_PLAN, c->block->place, LC_STR_EMPTY,
               LC_STR("the block has no instances, and resources that use it have"));
        *r->use = before;
        r->m->config->problems.items[r->m->config->problems.count - 1].warning = true;
    }
    report(r, LC_RULE_PROVIDER_KEY_MISSING, LC_STAGE_PLAN, r->target->key_ref->place,
           lc_str_from_c(summary),
           r->hidden_key
               ? LC_STR("there is no instance with the key, which is not shown")
               : lc_str_printf(r->m->arena, "there is no instance \"%.*s\"", LC_FMT(r->use->key)));
}

/* OpenTofu: the key selects an instance of the block. */
static void choose_instance(resolving *r, const lc_provider_config *c)
{
    r->use->config = c;
    if (!c->repeats) {
        r->use->state = LC_USE_FAILED; /* reported by check_keys */
        return;
    }
    if (!lc_table_get(&c->by_key, r->use->key))
        report_missing_key(r, c, LC_SUMMARY_NO_PROVIDER_INSTANCE);
}

/* The document: the key is an alias of its own. */
static void choose_alias(resolving *r)
{
    lc_provider_entry *slot = lc_provider_slot(r->m, r->target->key_module, r->fqn, r->use->key);
    lc_provider_entry *many = lc_provider_slot(r->m, r->target->key_module, r->fqn, LC_STR("*"));
    r->use->keyed = false;
    if (slot && slot->config)
        r->use->config = slot->config;
    else
        report_missing_key(r, many ? many->config : NULL, "");
}

/* True if the configuration may be defined in a file that is not read. */
static bool is_incomplete(const lc_module *module, const lc_provider_target *t)
{
    bool incomplete = module->incomplete;
    for (module = module->parent; module && t->way == LC_USE_PASSED; module = module->parent)
        incomplete |= module->incomplete;
    return incomplete;
}

/* No configuration was found: undecided if it may be in a file that is not read or among unknown
 * keys. */
static void report_missing_config(resolving *r)
{
    lc_str alias = r->use->reference;
    lc_provider_entry *many = lc_provider_slot(r->m, r->scope->module, r->fqn, LC_STR("*"));
    const lc_provider_config *c = many ? many->config : NULL;
    if (c && c->keys.undecided)
        undecided(r->use, c->keys.undecided->reason, c->keys.undecided->place);
    else if (is_incomplete(r->scope->module, r->target))
        undecided(r->use, LC_STR("not all files of the module could be read"), r->use->place);
    else if (r->target->way == LC_USE_PASSED)
        r->use->state = LC_USE_FAILED; /* reported at the call */
    else if (c && c->unusable)
        r->use->state = LC_USE_FAILED;
    else
        report(r, LC_RULE_PROVIDER_CONFIG_MISSING, LC_STAGE_GRAPH, r->use->place,
               LC_STR(LC_SUMMARY_NO_PROVIDER_CONFIG),
               lc_str_printf(r->m->arena, "no block defines %.*s", LC_FMT(alias)));
}

/* The order of the cases is that of the errors: what was reported before is not reported again. */
static void resolve_instance(resolving *r, const lc_repetition *own)
{
    const lc_provider_target *t = r->target;
    if (t->two_keys) { /* reported by check_keys */
        r->use->state = LC_USE_FAILED;
        return;
    }
    if (t->key && !evaluate_key(r, own))
        return;
    if (t->key && r->m->config->profile == LC_PROFILE_DOCUMENT)
        choose_alias(r);
    else if (t->key && t->config)
        choose_instance(r, t->config);
    else if (t->key)
        r->use->state = LC_USE_FAILED; /* reported by check_keys */
    else if (!t->config)
        report_missing_config(r);
    else if (t->config->repeats && lc_provider_iterates(r->m))
        r->use->state = LC_USE_FAILED; /* reported by check_keys */
    else
        r->use->config = t->config;
}

/* ---- A resource. */

/* The path of a module instance. */
typedef struct place_in_tree {
    const lc_module_step *steps;
    size_t count;
} place_in_tree;

/* Appends a use and indexes it. Uses of one resource in one module instance are consecutive. */
static lc_provider_use *new_use(lc_provider_model *m, const lc_config_resource *res,
                                const place_in_tree *at, lc_key key, const lc_provider_target *t)
{
    lc_provider_use *use = LC_PUSH(m->arena, &m->uses, lc_provider_use);
    use->address = (lc_address){at->steps, at->count, res->mode, res->type, res->name, key};
    use->text = lc_address_text(m->arena, &use->address);
    use->resource = res;
    use->way = t->way;
    use->place = res->provider ? res->provider->place : res->place;
    if (t->way == LC_USE_PASSED)
        use->reference = t->passed->text;
    else if (res->provider)
        use->reference = res->provider->text;
    lc_table_put_index(&m->use, use->text, m->uses.count - 1);
    lc_address resource = lc_address_resource(&use->address);
    lc_str whole = lc_address_text(m->arena, &resource);
    if (!lc_table_get(&m->sibling, whole))
        lc_table_put_index(&m->sibling, whole, m->uses.count - 1);
    return use;
}

/* A single use for a resource whose instances are not known. */
static void unknown_instances(lc_provider_model *m, const lc_config_resource *res,
                              const place_in_tree *at, const lc_provider_target *t, lc_str reason,
                              lc_source_pos place)
{
    lc_provider_use *use = new_use(m, res, at, LC_NO_KEY, t);
    use->instances_unknown = true;
    use->config = t->key ? NULL : t->config;
    undecided(use, reason, place);
}

static lc_provider_ref reference_of(const lc_provider_model *m, const lc_config_resource *res)
{
    if (res->provider)
        return lc_provider_ref_parse(res->provider, m->config->profile);
    return (lc_provider_ref){.ok = true, .name = lc_provider_name_of_type(res->type)};
}

const lc_provider_config *lc_provider_config_of(lc_provider_model *m, const lc_config_resource *res)
{
    lc_provider_target target = {0};
    lc_provider_ref ref = reference_of(m, res);
    lc_str fqn = lc_provider_of(m->arena, m->config->profile, res->module, ref.name);
    if (ref.ok && lc_provider_name_is_usable(res->module, ref.name))
        lc_provider_follow(&target, m, res->module, &ref, res->provider, fqn);
    return target.key ? NULL : target.config;
}

/* The reference is followed once per resource and module instance; only the key depends on the
 * resource instance. */
static void resolve_resource(lc_provider_model *m, lc_module_scope *scope,
                             const lc_config_resource *res, const place_in_tree *at)
{
    lc_provider_target target = {0};
    lc_provider_ref ref = reference_of(m, res);
    lc_str fqn = lc_provider_of(m->arena, m->config->profile, scope->module, ref.name);
    lc_repetitions instances;
    lc_eval_error trouble;
    if (ref.ok)
        lc_provider_follow(&target, m, scope->module, &ref, res->provider, fqn);
    if (!lc_scope_expand(&instances, scope, &res->repetition, &trouble)) {
        lc_str why = trouble.detail.len > 0 ? trouble.detail : trouble.summary;
        unknown_instances(m, res, at, &target, why, trouble.place);
        return;
    }
    if (instances.undecided) {
        unknown_instances(m, res, at, &target, instances.undecided->reason,
                          instances.undecided->place);
        return;
    }
    for (size_t i = 0; i < instances.list.count; i++) {
        const lc_repetition *one = &instances.list.items[i];
        if (one->hidden)
            lc_hide_key(&m->hidden, m->arena, one->key);
        resolving r = {.m = m,
                       .scope = scope,
                       .resource = res,
                       .target = &target,
                       .fqn = fqn,
                       .use = new_use(m, res, at, one->key, &target)};
        if (ref.ok && lc_provider_name_is_usable(scope->module, ref.name))
            resolve_instance(&r, one);
        else if (res->provider)
            r.use->state = LC_USE_FAILED; /* reported at the reference */
        else
            undecided(r.use, LC_STR("no provider can have the name that the type begins with"),
                      res->place);
    }
}

/* ---- Modules. */

static void resolve_module(lc_provider_model *m, lc_module_scope *scope, const place_in_tree *at);

static bool too_many(const lc_provider_model *m)
{
    return m->uses.count > LC_MAX_INSTANCES;
}

static void resolve_called(lc_provider_model *m, lc_module_scope *scope, const lc_config_call *call,
                           const place_in_tree *at, const lc_repetition *one)
{
    lc_module_step *steps = LC_NEW_ARRAY(m->arena, lc_module_step, at->count + 1);
    if (at->count > 0)
        memcpy(steps, at->steps, at->count * sizeof(*steps));
    steps[at->count] = (lc_module_step){call->name, one->key};
    place_in_tree below = {steps, at->count + 1};
    resolve_module(m, lc_module_scope_new(m->arena, m->around, call->child, scope, one), &below);
}

/* All resources of a module whose instances are not known, and of the modules that it calls. */
static void unknown_module(lc_provider_model *m, lc_module *module, const place_in_tree *at,
                           lc_str reason, lc_source_pos place)
{
    lc_provider_target nowhere = {0};
    lc_module_step *steps = LC_NEW_ARRAY(m->arena, lc_module_step, at->count + 1);
    if (at->count > 0)
        memcpy(steps, at->steps, at->count * sizeof(*steps));
    steps[at->count] = (lc_module_step){module->call->name, LC_NO_KEY};
    place_in_tree below = {steps, at->count + 1};
    for (size_t i = 0; i < module->resources.count; i++)
        unknown_instances(m, module->resources.items[i], &below, &nowhere, reason, place);
    for (size_t i = 0; i < module->calls.count; i++)
        if (module->calls.items[i]->child)
            unknown_module(m, module->calls.items[i]->child, &below, reason, place);
}

static void resolve_call(lc_provider_model *m, lc_module_scope *scope, const lc_config_call *call,
                         const place_in_tree *at)
{
    lc_repetitions instances;
    lc_eval_error trouble;
    if (!call->child)
        return;
    if (!lc_scope_expand(&instances, scope, &call->repetition, &trouble)) {
        lc_str why = trouble.detail.len > 0 ? trouble.detail : trouble.summary;
        unknown_module(m, call->child, at, why, trouble.place);
        return;
    }
    if (instances.undecided) {
        unknown_module(m, call->child, at, instances.undecided->reason, instances.undecided->place);
        return;
    }
    for (size_t i = 0; i < instances.list.count && !too_many(m); i++) {
        if (instances.list.items[i].hidden)
            lc_hide_key(&m->hidden, m->arena, instances.list.items[i].key);
        resolve_called(m, scope, call, at, &instances.list.items[i]);
    }
}

/* The recursion is bounded by the nesting of module calls. */
static void resolve_module(lc_provider_model *m, lc_module_scope *scope, const place_in_tree *at)
{
    const lc_module *module = scope->module;
    lc_address address = {.modules = at->steps, .module_count = at->count};
    lc_table_put(&m->module, lc_address_text(m->arena, &address), m);
    for (size_t i = 0; i < module->resources.count && !too_many(m); i++)
        resolve_resource(m, scope, module->resources.items[i], at);
    for (size_t i = 0; i < module->calls.count; i++)
        resolve_call(m, scope, module->calls.items[i], at);
}

static void resolve_uses(lc_provider_model *m)
{
    place_in_tree root = {NULL, 0};
    resolve_module(m, lc_module_scope_new(m->arena, m->around, m->config->root, NULL, NULL), &root);
}

/* ---- The whole model. */

void lc_provider_model_make(lc_provider_model *out, lc_arena *arena, lc_configuration *config,
                            const lc_eval_context *around)
{
    *out = (lc_provider_model){.arena = arena, .config = config, .around = around};
    lc_table_init(&out->use, arena);
    lc_table_init(&out->sibling, arena);
    lc_table_init(&out->module, arena);
    lc_table_init(&out->slots, arena);
    lc_table_init(&out->reported, arena);
    lc_provider_check_references(out);
    lc_provider_expand_blocks(out);
    lc_provider_check_modules(out);
    lc_provider_check_keys(out);
    resolve_uses(out);
    lc_provider_check_values(out);
}

const lc_provider_use *lc_provider_use_at(const lc_provider_model *model, lc_str address)
{
    size_t index = lc_table_get_index(&model->use, address);
    return index != LC_NO_INDEX ? &model->uses.items[index] : NULL;
}

void lc_provider_use_address(lc_provider_address *out, const lc_provider_use *use)
{
    const lc_provider_config *c = use->config;
    *out = (lc_provider_address){.module = c->module->path, .fqn = c->fqn};
    /* In the document a key is written as an alias if it is an identifier, else in brackets. */
    bool bracket = c->alias_is_key && !lc_is_identifier(c->alias);
    if (!bracket)
        out->alias = c->alias;
    out->keyed = bracket || use->keyed;
    out->key = bracket ? c->alias : use->key;
}

const lc_provider_config *lc_provider_config_at(const lc_provider_model *model,
                                                const lc_provider_address *address)
{
    lc_address module = {0};
    lc_str why;
    size_t at;
    const lc_module *m = model->config->root;
    if (address->module.len > 0) {
        if (!lc_address_parse(&module, model->arena, address->module, &why, &at))
            return NULL;
        m = lc_config_module_at(model->config, &module);
    }
    bool document = model->config->profile == LC_PROFILE_DOCUMENT;
    lc_str alias = document && address->keyed ? address->key : address->alias;
    lc_provider_entry *slot = m ? lc_provider_slot(model, m, address->fqn, alias) : NULL;
    return slot ? slot->config : NULL;
}
