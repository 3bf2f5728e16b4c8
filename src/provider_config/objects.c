/* What stored objects need of the configuration, and advice in which order to change both. */
#include "lifecheck/catalog/core_message.h"
#include "provider_config/internal.h"

/* What `moved` blocks and implied moves may do to objects. */
typedef struct moving {
    /* Configuration addresses of both ends of `moved` blocks. */
    lc_table from, to;
    /* Addresses of resource instances and module instances that have objects. */
    lc_table occupied;
    bool unreadable; /* some `moved` block cannot be read */
} moving;

/* One stored object while it is checked. */
typedef struct object_check {
    lc_provider_model *m;
    const moving *moved;
    const lc_state_file *state;
    const lc_state_object *object;
    /* The block that still declares its resource, or NULL. */
    const lc_config_resource *block;
    bool expanded; /* the client knows the instances of modules when it asks */
    /* Its provider address, as the profile's client reads it. */
    lc_provider_address stored;
    lc_str text; /* text of `stored` */
} object_check;

/* Adds a problem at the position of the object's provider address. */
static lc_config_problem *report(object_check *check, lc_rule rule, lc_config_stage stage,
                                 const char *summary, lc_str detail)
{
    lc_config_problem *p =
        lc_provider_problem(check->m, rule, stage, (lc_source_pos){0}, summary, "");
    p->detail = detail;
    p->loc = check->object->provider_loc.line ? check->object->provider_loc : check->object->loc;
    p->address = check->object->deposed.len > 0
                     ? lc_str_printf(check->m->arena, "%.*s (deposed %.*s)",
                                     LC_FMT(check->object->address), LC_FMT(check->object->deposed))
                     : check->object->address;
    return p;
}

static lc_str name_config(const object_check *check, const lc_provider_config *c)
{
    lc_provider_address a = {.module = c->module->path, .fqn = c->fqn, .alias = c->alias};
    return lc_provider_address_text(check->m->arena, &a);
}

/* ---- The stored address, looked up in the configuration. */

/* Notes what must be restored, once per configuration or instance. */
static void remember_missing(object_check *check, lc_str what)
{
    lc_str once = lc_str_printf(check->m->arena, "missing %.*s", LC_FMT(what));
    if (!lc_table_put(&check->m->reported, once, check->m))
        *LC_PUSH(check->m->arena, &check->m->missing, lc_str) = what;
}

static void report_missing_config(object_check *check)
{
    remember_missing(check, check->text);
    report(check, LC_RULE_PROVIDER_ORPHAN_CONFIG, LC_STAGE_GRAPH, LC_SUMMARY_NO_PROVIDER_CONFIG,
           lc_str_printf(check->m->arena, "its provider configuration is gone: %.*s",
                         LC_FMT(check->text)));
}

static void report_missing_key(object_check *check, const lc_provider_config *c)
{
    lc_provider_address a = {c->module->path, c->fqn, c->alias, true, check->stored.key, false};
    remember_missing(check, lc_provider_address_text(check->m->arena, &a));
    report(check, LC_RULE_PROVIDER_ORPHAN_KEY, LC_STAGE_PLAN, LC_SUMMARY_NO_PROVIDER_INSTANCE,
           lc_str_printf(check->m->arena, "its provider instance is gone: key \"%.*s\" of %.*s",
                         LC_FMT(check->stored.key), LC_FMT(name_config(check, c))));
}

static void report_missing_single(object_check *check, const lc_provider_config *c)
{
    lc_str name = name_config(check, c);
    remember_missing(check, lc_str_printf(check->m->arena, "%.*s without for_each", LC_FMT(name)));
    report(check, LC_RULE_PROVIDER_ORPHAN_NO_KEY, LC_STAGE_PLAN, LC_SUMMARY_NO_PROVIDER_INSTANCE,
           lc_str_printf(check->m->arena,
                         "it is stored without a key, and %.*s has instances with keys now",
                         LC_FMT(name)));
}

/* Checks that the configuration still has the instance of the stored key. */
static void need_key(object_check *check, const lc_provider_config *c)
{
    if (c->keys.undecided || c->unusable || c->keys.unknown)
        return;
    if (check->stored.keyed && !(c->repeats && lc_table_get(&c->by_key, check->stored.key)))
        report_missing_key(check, c);
    else if (!check->stored.keyed && c->repeats)
        report_missing_single(check, c);
}

/* In the document a removed key is a removed alias; the rule depends on whether a repeated block
 * remains. */
static bool has_repeated_block(const object_check *check)
{
    const lc_module *module = check->m->config->root;
    lc_address address;
    lc_str why;
    size_t at;
    if (check->stored.module.len > 0)
        module = lc_address_parse(&address, check->m->arena, check->stored.module, &why, &at)
                     ? lc_config_module_at(check->m->config, &address)
                     : NULL;
    lc_provider_entry *many =
        module ? lc_provider_slot(check->m, module, check->stored.fqn, LC_STR("*")) : NULL;
    return many && many->config;
}

/* The configuration that is passed to the stored module under that name. */
static const lc_provider_config *passed_config(const object_check *check)
{
    lc_provider_target target;
    lc_address address;
    lc_str why;
    size_t at;
    if (check->stored.module.len == 0 ||
        !lc_address_parse(&address, check->m->arena, check->stored.module, &why, &at))
        return NULL;
    const lc_module *module = lc_config_module_at(check->m->config, &address);
    lc_provider_entry *slot =
        module ? lc_provider_slot(check->m, module, check->stored.fqn, check->stored.alias) : NULL;
    if (!slot || !slot->passed)
        return NULL;
    lc_provider_ref ref = {.ok = true, .alias = check->stored.alias};
    lc_provider_follow(&target, check->m, module, &ref, NULL, check->stored.fqn);
    return target.config;
}

/* An object whose resource is gone needs exactly the configuration that it is stored with. */
static void need_stored(object_check *check)
{
    const lc_provider_config *c = lc_provider_config_at(check->m, &check->stored);
    bool document = check->m->config->profile == LC_PROFILE_DOCUMENT;
    if (!c || (c->block && lc_provider_is_empty_block(c->block) && c->module->parent)) {
        const lc_provider_config *passed = passed_config(check);
        c = passed ? passed : c;
    }
    /* The default configuration of the root module always exists. */
    if (!c && check->stored.alias.len == 0 && !check->stored.keyed && check->stored.module.len == 0)
        return;
    if (!c && document && has_repeated_block(check)) {
        remember_missing(check, check->text);
        report(check, LC_RULE_PROVIDER_ORPHAN_KEY, LC_STAGE_PLAN, "",
               lc_str_printf(check->m->arena, "its provider instance is gone: %.*s",
                             LC_FMT(check->text)));
    } else if (!c)
        report_missing_config(check);
    else if (!document)
        need_key(check, c);
}

/* ---- A resource that is still declared: its block names the configuration, the stored key selects
 * the instance. */

/* True if the module instance that determines the key is still declared: the one whose call has the
 * key, or the object's own. Even if all its resource instances are gone, a literal key is then
 * known. */
static bool has_module_instance(const object_check *check, const lc_provider_target *t)
{
    size_t depth = t->key_child ? t->key_child->depth : check->object->parsed.module_count;
    lc_address module = check->object->parsed;
    module.module_count = depth;
    module = lc_address_module(&module);
    return depth == 0 || lc_table_get(&check->m->module, lc_address_text(check->m->arena, &module));
}

/* The key that the module call selects, from another instance of the resource or a literal. False:
 * it cannot be determined. */
static bool key_of_call(const object_check *check, const lc_provider_target *t, lc_str *key)
{
    lc_address resource = lc_address_resource(&check->object->parsed);
    size_t index =
        lc_table_get_index(&check->m->sibling, lc_address_text(check->m->arena, &resource));
    const lc_provider_use *use = index != LC_NO_INDEX ? &check->m->uses.items[index] : NULL;
    const lc_value *written = lc_expr_constant(t->key);
    if (use && use->state == LC_USE_RESOLVED && use->keyed)
        *key = use->key;
    else if (written && lc_is_known(written) && written->type->kind == LC_TYPE_STRING)
        *key = written->as.string;
    else
        return false;
    return true;
}

/* The configuration to which the block leads. False: its reference cannot be read. */
static bool find_target(const object_check *check, lc_provider_target *target)
{
    const lc_module *module = check->block->module;
    lc_profile profile = check->m->config->profile;
    lc_provider_ref ref = {.ok = true, .name = lc_provider_name_of_type(check->block->type)};
    if (check->block->provider)
        ref = lc_provider_ref_parse(check->block->provider, profile);
    if (!ref.ok)
        return false;
    lc_str fqn = lc_provider_of(check->m->arena, profile, module, ref.name);
    lc_provider_follow(target, check->m, module, &ref, check->block->provider, fqn);
    return true;
}

/* As OpenTofu resolves the provider of an orphan: the block's reference without evaluation of the
 * key, else the stored key. */
static void need_declared(object_check *check)
{
    lc_provider_target target;
    if (!find_target(check, &target))
        return;
    if (check->m->config->profile == LC_PROFILE_DOCUMENT) {
        if (target.key)
            need_stored(check);
        return;
    }
    if (!target.config || !target.key)
        return;
    bool evaluated = check->expanded && has_module_instance(check, &target);
    lc_str chosen;
    if (target.key_child && evaluated && key_of_call(check, &target, &chosen)) {
        check->stored.keyed = true;
        check->stored.key = chosen;
        need_key(check, target.config);
        return;
    }
    lc_provider_address now = {.module = target.config->module->path,
                               .fqn = target.config->fqn,
                               .alias = target.config->alias};
    /* The block leads to another configuration than the stored one. */
    bool other = !lc_provider_address_same_config(&now, &check->stored);
    if (other && !evaluated) {
        report(check, LC_RULE_PROVIDER_FALLBACK, LC_STAGE_PLAN, LC_SUMMARY_PROVIDER_FALLBACK,
               lc_str_printf(check->m->arena, "it is stored with %.*s, and the block names %.*s",
                             LC_FMT(check->text), LC_FMT(name_config(check, target.config))));
        return;
    }
    if (other && check->stored.keyed)
        report(check, LC_RULE_PROVIDER_REASSIGNED, LC_STAGE_PLAN, "",
               lc_str_printf(check->m->arena, "it is stored with %.*s, and uses %.*s",
                             LC_FMT(check->text), LC_FMT(name_config(check, target.config))))
            ->warning = true;
    need_key(check, target.config);
}

/* ---- Objects. */

/* True if a `moved` block may move the object elsewhere. Module predict handles moves; here the
 * object is skipped. */
static bool may_move(const object_check *check)
{
    lc_address address = lc_address_config(check->m->arena, &check->object->parsed);
    if (check->moved->unreadable ||
        lc_table_get(&check->moved->from, lc_address_text(check->m->arena, &address)))
        return true;
    for (lc_address module = lc_address_module(&address); module.module_count > 0;
         module.module_count--)
        if (lc_table_get(&check->moved->from, lc_address_text(check->m->arena, &module)))
            return true;
    return false;
}

/* The counterpart of no key and [0], if the block's repetition changed between the two. */
static bool implied_key(lc_key *key, const lc_config_repetition *r)
{
    bool single = !r->count && !r->for_each;
    if (key->kind == LC_KEY_INT && key->number == 0 && single)
        *key = LC_NO_KEY;
    else if (key->kind == LC_KEY_NONE && r->count)
        *key = lc_key_int(0);
    else
        return false;
    return true;
}

/* An implied move needs a free destination. */
static bool is_taken(const object_check *check, const lc_address *address)
{
    lc_str text = lc_address_text(check->m->arena, address);
    lc_address config = lc_address_config(check->m->arena, address);
    return lc_table_get(&check->moved->occupied, text) ||
           lc_table_get(&check->moved->to, lc_address_text(check->m->arena, &config));
}

/* OpenTofu implies moves of module instances, too. True: the address was changed. */
static bool move_modules(const object_check *check, lc_address *address)
{
    bool any = false;
    lc_module_step *steps = LC_NEW_ARRAY(check->m->arena, lc_module_step, address->module_count);
    const lc_module *m = check->m->config->root;
    for (size_t i = 0; i < address->module_count; i++) {
        const lc_config_call *call =
            m ? lc_table_get(&m->call_by_name, address->modules[i].name) : NULL;
        steps[i] = address->modules[i];
        m = call ? call->child : NULL;
        lc_address there = {.modules = steps, .module_count = i + 1};
        if (!call || !implied_key(&steps[i].key, &call->repetition))
            continue;
        if (is_taken(check, &there))
            steps[i] = address->modules[i];
        else
            any = true;
    }
    address->modules = steps;
    return any;
}

/* The declared instance to which an object moves implicitly, or NULL. */
static const lc_provider_use *implied_use(const object_check *check)
{
    lc_address there = check->object->parsed;
    bool terraform = check->m->config->profile == LC_PROFILE_TERRAFORM;
    bool moves = !terraform && there.module_count > 0 && move_modules(check, &there);
    lc_key key = there.key;
    if (check->block && implied_key(&key, &check->block->repetition)) {
        lc_address instance = there;
        instance.key = key;
        if (!is_taken(check, &instance)) {
            there = instance;
            moves = true;
        }
    }
    const lc_provider_use *use =
        moves ? lc_provider_use_at(check->m, lc_address_text(check->m->arena, &there)) : NULL;
    return use && !use->instances_unknown ? use : NULL;
}

/* True if all instances of the object's resource are known; native files and remote modules may
 * declare more. */
static bool is_known(const object_check *check)
{
    lc_address resource = lc_address_resource(&check->object->parsed);
    const lc_module *m = check->m->config->root;
    for (size_t i = 0; m; i++) {
        if (m->incomplete)
            return false;
        const lc_config_call *call =
            i < check->object->parsed.module_count
                ? lc_table_get(&m->call_by_name, check->object->parsed.modules[i].name)
                : NULL;
        if (call && !call->child)
            return false;
        m = call ? call->child : NULL;
    }
    lc_address config = lc_address_config(check->m->arena, &resource);
    const lc_provider_use *a =
        lc_provider_use_at(check->m, lc_address_text(check->m->arena, &resource));
    const lc_provider_use *b =
        lc_provider_use_at(check->m, lc_address_text(check->m->arena, &config));
    return !(a && a->instances_unknown) && !(b && b->instances_unknown);
}

/* Compares the stored provider with the one that is used now. A difference is a warning, because
 * the clients read the object with the new one. */
static void compare_use(object_check *check, const lc_provider_use *use)
{
    lc_provider_address now;
    if (use->state != LC_USE_RESOLVED || check->stored.legacy)
        return;
    lc_provider_use_address(&now, use);
    lc_str text = lc_provider_address_text(check->m->arena, &now);
    if (lc_str_eq(text, check->text))
        return;
    if (!lc_str_eq(now.fqn, check->stored.fqn)) {
        report(check, LC_RULE_PROVIDER_TYPE_CHANGE, LC_STAGE_PLAN, "",
               lc_str_printf(check->m->arena, "it is stored by %.*s, and read by %.*s",
                             LC_FMT(check->stored.fqn), LC_FMT(now.fqn)))
            ->warning = true;
        return;
    }
    /* The same configuration gained or lost its key, which OpenTofu adopts. */
    bool adopts =
        lc_provider_address_same_config(&now, &check->stored) && now.keyed != check->stored.keyed;
    if (!adopts)
        report(check, LC_RULE_PROVIDER_REASSIGNED, LC_STAGE_PLAN, "",
               lc_str_printf(check->m->arena, "it is stored with %.*s, and uses %.*s now",
                             LC_FMT(check->text), LC_FMT(text)))
            ->warning = true;
}

static lc_str stored_provider(const object_check *check)
{
    bool terraform = check->m->config->profile == LC_PROFILE_TERRAFORM;
    return terraform ? check->state->resources.items[check->object->resource].provider
                     : lc_state_provider(check->state, check->object);
}

/* Reads the provider address as the profile's client does. False: it reads none. */
static bool read_stored(object_check *check, lc_str text)
{
    bool terraform = check->m->config->profile == LC_PROFILE_TERRAFORM;
    lc_eval_error why;
    check->text = text;
    lc_profile profile = check->m->config->profile;
    if (check->text.len == 0 ||
        !lc_provider_address_parse(&check->stored, check->m->arena, profile, check->text, &why) ||
        (terraform && check->stored.keyed))
        return false;
    if (!check->stored.legacy)
        check->text = lc_provider_address_text(check->m->arena, &check->stored);
    return true;
}

/* What the destruction of an object needs. Terraform destroys a deposed one with the stored
 * configuration, OpenTofu with that of the block. */
static void need_destroyer(object_check *check)
{
    bool by_block =
        check->m->config->profile != LC_PROFILE_TERRAFORM || check->object->deposed.len == 0;
    if (check->block && by_block)
        need_declared(check);
    else
        need_stored(check);
}

/* Declared instances are compared; orphans must have what their destruction needs. */
static void check_object(object_check *check)
{
    const lc_provider_use *use = lc_provider_use_at(check->m, check->object->address);
    bool deposed = check->object->deposed.len > 0;
    if (check->object->parsed.mode != LC_MODE_MANAGED || check->object->refused ||
        !read_stored(check, stored_provider(check)))
        return;
    if (use && !use->instances_unknown && !deposed) {
        compare_use(check, use);
        return;
    }
    check->block = lc_config_resource_at(check->m->config, &check->object->parsed);
    if (!is_known(check) || may_move(check))
        return;
    use = deposed ? NULL : implied_use(check);
    if (use) {
        compare_use(check, use);
        return;
    }
    check->expanded = !deposed;
    need_destroyer(check);
}

const lc_config_problem *lc_provider_check_orphan(lc_provider_model *model,
                                                  const lc_provider_orphan *orphan)
{
    size_t before = model->config->problems.count;
    const lc_state_object object = {.address = orphan->text,
                                    .parsed = *orphan->address,
                                    .deposed = orphan->deposed,
                                    .loc = orphan->loc};
    object_check check = {.m = model, .object = &object, .expanded = orphan->expanded};
    if (!read_stored(&check, orphan->provider) || !is_known(&check))
        return NULL;
    check.block = lc_config_resource_at(model->config, orphan->address);
    need_destroyer(&check);
    for (size_t i = before; i < model->config->problems.count; i++) {
        if (!model->config->problems.items[i].warning)
            return &model->config->problems.items[i];
    }
    return NULL;
}

/* Ends of `moved` blocks are relative to the module; here they are made absolute, without keys. */
static void remember_moved(moving *moved, const lc_provider_model *m, const lc_module *module)
{
    lc_module_step *steps = LC_NEW_ARRAY(m->arena, lc_module_step, module->depth);
    const lc_module *up = module;
    for (size_t d = module->depth; d-- > 0; up = up->parent)
        steps[d] = (lc_module_step){up->call->name, LC_NO_KEY};
    lc_address state_instance = {.modules = steps, .module_count = module->depth};
    for (size_t i = 0; i < module->moved.count; i++) {
        lc_address from;
        if (!lc_config_address(&from, m->arena, &module->moved.items[i].from)) {
            moved->unreadable = true;
            continue;
        }
        lc_address config = lc_address_config(m->arena, &from);
        lc_address whole = lc_address_within(m->arena, &state_instance, &config);
        lc_table_put(&moved->from, lc_address_text(m->arena, &whole), moved);
        if (!lc_config_address(&from, m->arena, &module->moved.items[i].to))
            continue;
        config = lc_address_config(m->arena, &from);
        whole = lc_address_within(m->arena, &state_instance, &config);
        lc_table_put(&moved->to, lc_address_text(m->arena, &whole), moved);
    }
}

static void remember_occupied(moving *moved, const lc_provider_model *m, const lc_state_file *state)
{
    for (size_t i = 0; i < state->objects.count; i++) {
        lc_address module = lc_address_module(&state->objects.items[i].parsed);
        lc_table_put(&moved->occupied, state->objects.items[i].address, moved);
        for (; module.module_count > 0; module.module_count--)
            lc_table_put(&moved->occupied, lc_address_text(m->arena, &module), moved);
    }
}

void lc_provider_check_objects(lc_provider_model *model, const lc_state_file *state)
{
    moving moved = {0};
    lc_table_init(&moved.from, model->arena);
    lc_table_init(&moved.to, model->arena);
    lc_table_init(&moved.occupied, model->arena);
    remember_occupied(&moved, model, state);
    for (size_t i = 0; i < model->config->modules.count; i++)
        remember_moved(&moved, model, model->config->modules.items[i]);
    for (size_t i = 0; i < state->objects.count; i++) {
        object_check check = {
            .m = model, .moved = &moved, .state = state, .object = &state->objects.items[i]};
        check_object(&check);
    }
}

/* ---- One configuration after another. */

/* An object that the next configuration does not declare is destroyed in that step, with the
 * provider instance that it has now. That instance must still exist then. */
static void check_step(lc_provider_model *after, const lc_provider_use *use)
{
    lc_provider_address was;
    lc_provider_use_address(&was, use);
    const lc_provider_config *now = lc_provider_config_at(after, &was);
    bool there = now || (was.alias.len == 0 && !was.keyed && was.module.len == 0);
    if (now && now->repeats && (now->keys.undecided || now->unusable || now->keys.unknown))
        return;
    if (now && after->config->profile != LC_PROFILE_DOCUMENT)
        there = was.keyed ? now->repeats && lc_table_get(&now->by_key, was.key) : !now->repeats;
    if (there)
        return;
    lc_config_problem *p = lc_provider_problem(after, LC_RULE_PROVIDER_TWO_STEP, LC_STAGE_PLAN,
                                               after->config->root->place, "", "");
    p->address = use->text;
    p->detail = lc_str_printf(
        after->arena, "the object is removed in the same step as its provider instance %.*s",
        LC_FMT(lc_provider_address_text(after->arena, &was)));
}

void lc_provider_check_step(const lc_provider_model *before, lc_provider_model *after)
{
    for (size_t i = 0; i < before->uses.count; i++) {
        const lc_provider_use *use = &before->uses.items[i];
        if (use->state != LC_USE_RESOLVED || use->resource->mode != LC_MODE_MANAGED ||
            lc_provider_use_at(after, use->text))
            continue;
        lc_address config = lc_address_config(after->arena, &use->address);
        const lc_provider_use *whole =
            lc_provider_use_at(after, lc_address_text(after->arena, &config));
        if (!(whole && whole->instances_unknown))
            check_step(after, use);
    }
}

/* ---- Plans as JSON name provider blocks, never instance keys. */

void lc_provider_check_plan(lc_provider_model *model, const lc_source *source, const lc_node *plan)
{
    const lc_node *config = lc_node_get(plan, "configuration");
    const lc_node *list = lc_node_get(config, "provider_config");
    for (uint32_t i = 0; i < lc_node_member_count(list); i++) {
        const lc_member *m = &list->as.members[i];
        if (m->value.kind != LC_NODE_MAPPING)
            continue;
        lc_provider_address address = {.module = lc_node_text(&m->value, "module_address"),
                                       .fqn = lc_node_text(&m->value, "full_name"),
                                       .alias = lc_node_text(&m->value, "alias")};
        const lc_provider_config *c = lc_provider_config_at(model, &address);
        if (!c || !c->repeats)
            continue;
        lc_config_problem *p = lc_provider_problem(
            model, LC_RULE_PROVIDER_SHOW_JSON, LC_STAGE_PLAN, (lc_source_pos){source, m->where, 0},
            "", "the plan names the block, not which of its instances an object uses");
        p->address = m->key;
        p->warning = true;
    }
}

/* ---- Advice. */

static bool has_members(const lc_state_file *state)
{
    for (size_t i = 0; i < state->objects.count; i++)
        if (state->objects.items[i].has_provider)
            return true;
    return false;
}

static bool has_iteration(const lc_provider_model *m)
{
    for (size_t i = 0; i < m->configs.count; i++)
        if (m->configs.items[i]->repeats || m->configs.items[i]->alias_is_key)
            return true;
    return false;
}

static void advise(lc_provider_lines *out, lc_arena *arena, lc_str line)
{
    *LC_PUSH(arena, out, lc_str) = line;
}

#define MOST_NAMED 5 /* the others are only counted */

static lc_str name_missing(const lc_provider_model *m)
{
    lc_buf buf = {0};
    size_t count = m->missing.count;
    for (size_t i = 0; i < count && i < MOST_NAMED; i++)
        lc_buf_printf(&buf, "%s%.*s", i ? ", " : "", LC_FMT(m->missing.items[i]));
    if (count > MOST_NAMED)
        lc_buf_printf(&buf, " and %zu more", count - MOST_NAMED);
    return lc_buf_take(m->arena, &buf);
}

static void advise_missing(lc_provider_lines *out, const lc_provider_model *m)
{
    if (m->missing.count == 0)
        return;
    bool one = m->missing.count == 1;
    advise(out, m->arena,
           lc_str_printf(m->arena, "restore %.*s, without resources that use %s",
                         LC_FMT(name_missing(m)), one ? "it" : "them"));
    advise(out, m->arena, LC_STR("apply: the objects are destroyed, and the state forgets them"));
    advise(out, m->arena,
           one ? LC_STR("remove it again, and apply") : LC_STR("remove them again, and apply"));
}

/* Without repeated blocks an apply writes addresses that older clients read. */
static void advise_downgrade(lc_provider_lines *out, const lc_provider_model *m)
{
    if (has_iteration(m))
        advise(out, m->arena,
               LC_STR("give each configuration a block of its own, without for_each"));
    advise(out, m->arena,
           LC_STR("apply once with a client that knows provider instances, even if nothing "
                  "changes: it writes addresses that every client reads"));
    advise(out, m->arena,
           LC_STR("check the state: no object has a `provider` of its own; only then go back"));
}

void lc_provider_advise(lc_provider_advice *out, const lc_provider_model *model,
                        const lc_state_file *state, const lc_provider_reader *reader)
{
    *out = (lc_provider_advice){0};
    advise_missing(&out->next, model);
    if (has_members(state) && !lc_provider_reader_knows_instances(reader))
        advise_downgrade(&out->downgrade, model);
}
