/* Providers that modules pass to each other, and the keys of references. */
#include "lifecheck/catalog/core_message.h"
#include "provider_config/internal.h"

/* A module call while it is checked. */
typedef struct passing {
    lc_provider_model *m;
    const lc_config_call *call;
    lc_str address;
    /* A block could not be parsed: what modules require is not compared. */
    bool requirements_unknown;
} passing;

static void report(passing *p, lc_rule rule, lc_source_pos place, const char *summary,
                   const char *detail)
{
    lc_provider_problem(p->m, rule, LC_STAGE_MODULES, place, summary, detail)->address = p->address;
}

/* ---- Entries of what is passed. */

bool lc_provider_is_required(const lc_provider_model *m, const lc_module *module, lc_str fqn)
{
    for (size_t i = 0; !module->parent && i < module->required.count; i++) {
        lc_str name = module->required.items[i].local_name;
        if (lc_str_eq(lc_provider_of(m->arena, m->config->profile, module, name), fqn))
            return true;
    }
    return false;
}

static lc_str missing_text(const lc_provider_model *m, const lc_module *module, lc_str fqn,
                           lc_str alias)
{
    lc_provider_address missing = {.module = module->path, .fqn = fqn, .alias = alias};
    lc_str text = lc_provider_address_text(m->arena, &missing);
    return lc_str_printf(m->arena, "missing provider %.*s", LC_FMT(text));
}

/* A caller can pass its blocks, what was passed to itself, and in the root module what it requires.
 * It does not inherit configurations in order to pass them. */
static void check_parent(lc_provider_model *m, const lc_config_call *call,
                         const lc_config_passed *p, const lc_provider_ref *parent, lc_str fqn)
{
    lc_profile profile = m->config->profile;
    bool by_key = parent->key && profile == LC_PROFILE_DOCUMENT;
    const lc_provider_entry *many = lc_provider_slot(m, call->module, fqn, LC_STR("*"));
    bool known = by_key || lc_provider_slot(m, call->module, fqn, parent->alias) ||
                 (parent->alias.len == 0 && lc_provider_is_required(m, call->module, fqn));
    bool doubtful =
        call->module->incomplete ||
        (many && parent->alias.len > 0 && (many->config->keys.undecided || many->config->unusable));
    /* Invalid names are reported by references.c. */
    if (known || doubtful || !lc_provider_name_is_usable(call->module, parent->name))
        return;
    lc_config_problem *problem = lc_provider_problem(m, LC_RULE_PROVIDER_CONFIG_MISSING,
                                                     LC_STAGE_GRAPH, p->parent.place, "", "");
    problem->summary = missing_text(m, call->module, fqn, parent->alias);
    problem->other = missing_text(m, call->module, lc_provider_other_name(m, fqn), parent->alias);
    problem->detail =
        lc_str_printf(m->arena, "%.*s is not defined there, and an inherited one cannot be passed",
                      LC_FMT(p->parent.text));
    problem->address = call->child->path;
}

/* Registers what a call passes. Invalid references were reported already. */
static void add_slots(lc_provider_model *m, const lc_config_call *call)
{
    lc_profile profile = m->config->profile;
    for (size_t i = 0; i < call->providers.count; i++) {
        const lc_config_passed *p = &call->providers.items[i];
        lc_provider_ref child = lc_provider_ref_parse(&p->child, profile);
        lc_provider_ref parent = lc_provider_ref_parse(&p->parent, profile);
        if (!child.ok || child.key || !parent.ok)
            continue;
        lc_str fqn = lc_provider_of(m->arena, profile, call->child, child.name);
        lc_provider_entry *slot = lc_provider_slot_make(m, call->child, fqn, child.alias);
        slot->passed = p;
        slot->parent = parent;
        check_parent(m, call, p, &parent, fqn);
    }
}

/* ---- The entries of `providers`. */

/* The provider that a name stands for, as the cores compare it here: an undeclared name is in the
 * default namespace without a host. */
static lc_str type_of(const passing *p, const lc_module *module, lc_str name)
{
    const lc_config_required *req =
        p->requirements_unknown ? NULL : lc_config_required_at(module, name);
    if (req)
        return lc_provider_of(p->m->arena, p->m->config->profile, module, name);
    return lc_str_printf(p->m->arena, "hashicorp/%.*s", LC_FMT(name));
}

static bool same_type(lc_str a, lc_str b)
{
    if (lc_str_eq(a, b))
        return true;
    /* A full source equals a default name without its host. */
    lc_str longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;
    return lc_str_starts_with(shorter, LC_STR("hashicorp/")) &&
           lc_str_starts_with(longer, LC_STR("registry.")) && lc_str_ends_with(longer, shorter);
}

/* The block of a local name and alias in a module, or NULL. */
static const lc_config_provider *own_block(const lc_module *module, lc_str name, lc_str alias)
{
    for (size_t i = 0; i < module->providers.count; i++) {
        const lc_config_provider *b = module->providers.items[i];
        if (lc_str_eq(b->name, name) && lc_str_eq(b->has_alias ? b->alias : LC_STR_EMPTY, alias))
            return b;
    }
    return NULL;
}

/* True if configuration_aliases of the module names the configuration. */
static bool asks_for(const lc_module *module, const lc_provider_ref *ref)
{
    const lc_config_required *req = lc_config_required_at(module, ref->name);
    for (size_t i = 0; req && i < req->aliases.list.count; i++) {
        lc_provider_ref alias =
            lc_provider_ref_parse(&req->aliases.list.items[i], LC_PROFILE_TERRAFORM);
        if (lc_str_eq(alias.name, ref->name) && lc_str_eq(alias.alias, ref->alias))
            return true;
    }
    return false;
}

/* Follows validateProviderConfigs of both cores. */
static void check_passed(passing *p, const lc_config_passed *entry, const lc_provider_ref *child,
                         const lc_provider_ref *parent)
{
    const lc_module *called = p->call->child;
    const lc_config_provider *block = own_block(called, child->name, child->alias);
    lc_source_pos place = entry->child.place;
    if (block && lc_provider_is_own_block(block)) {
        report(p, LC_RULE_PROVIDER_MAP_OVERRIDE, place, LC_SUMMARY_PROVIDER_OVERRIDE,
               "the module configures this provider itself");
        return;
    }
    bool known = lc_config_required_at(called, child->name) || asks_for(called, child) || block;
    if (!known && !called->incomplete) {
        lc_config_problem *problem = lc_provider_problem(
            p->m, LC_RULE_PROVIDER_MAP_UNDEFINED, LC_STAGE_MODULES, place,
            LC_SUMMARY_UNDEFINED_PROVIDER, "the module does not say which provider this is");
        problem->warning = true;
        problem->address = p->address;
    }
    bool incomplete = called->incomplete || p->call->module->incomplete;
    /* If the caller requires the child's name, that requirement is compared. */
    bool by_child = child->alias.len == 0 && lc_config_required_at(p->call->module, child->name);
    lc_str given = type_of(p, p->call->module, by_child ? child->name : parent->name);
    if (!incomplete && !same_type(type_of(p, called, child->name), given))
        report(p, LC_RULE_PROVIDER_MAP_TYPE, place, LC_SUMMARY_PROVIDER_TYPE_MISMATCH,
               "the module expects a configuration of another provider");
}

/* Every entry of one call: a key on the child's side, duplicates, then the entry itself. */
static void check_entries(passing *p)
{
    lc_profile profile = p->m->config->profile;
    lc_table before;
    lc_table_init(&before, p->m->arena);
    for (size_t i = 0; i < p->call->providers.count; i++) {
        const lc_config_passed *entry = &p->call->providers.items[i];
        lc_provider_ref child = lc_provider_ref_parse(&entry->child, profile);
        lc_provider_ref parent = lc_provider_ref_parse(&entry->parent, profile);
        if (child.key && child.alias.len > 0 && profile != LC_PROFILE_TERRAFORM) {
            lc_provider_problem(p->m, LC_RULE_PROVIDER_MAP_LEFT_KEY, LC_STAGE_LOAD,
                                entry->child.place, LC_SUMMARY_INVALID_MODULE_PROVIDER,
                                "the module's own name has no key")
                ->address = p->address;
            continue;
        }
        if (!child.ok)
            continue;
        if (lc_table_put(
                &before,
                lc_str_printf(p->m->arena, "%.*s %.*s", LC_FMT(child.name), LC_FMT(child.alias)),
                p))
            report(p, LC_RULE_PROVIDER_MAP_DUPLICATE, entry->child.place,
                   LC_SUMMARY_DUPLICATE_PROVIDER_ADDRESS,
                   "the module is given this configuration twice");
        if (parent.ok && p->call->child)
            check_passed(p, entry, &child, &parent);
    }
}

/* ---- What a module requires. */

static bool is_passed(const lc_provider_model *m, const lc_config_call *call,
                      const lc_provider_ref *want)
{
    for (size_t i = 0; call && i < call->providers.count; i++) {
        lc_provider_ref child =
            lc_provider_ref_parse(&call->providers.items[i].child, m->config->profile);
        if (lc_str_eq(child.name, want->name) && lc_str_eq(child.alias, want->alias))
            return true;
    }
    return false;
}

/* Each alias in configuration_aliases must be passed, or be a block of the module. */
static void check_wanted(lc_provider_model *m, const lc_module *module)
{
    for (size_t i = 0; i < module->required.count; i++) {
        const lc_config_required *req = &module->required.items[i];
        for (size_t k = 0; k < req->aliases.list.count; k++) {
            const lc_config_ref *written = &req->aliases.list.items[k];
            lc_provider_ref want = lc_provider_ref_parse(written, LC_PROFILE_TERRAFORM);
            const lc_config_provider *own = own_block(module, want.name, want.alias);
            if (!want.ok || (own && lc_provider_is_own_block(own)) ||
                is_passed(m, module->call, &want) || (module->incomplete && !own))
                continue;
            lc_config_problem *p =
                lc_provider_problem(m, LC_RULE_PROVIDER_MAP_MISSING, LC_STAGE_MODULES,
                                    module->call->place, LC_SUMMARY_MISSING_PROVIDER_CONFIG, "");
            p->detail =
                lc_str_printf(m->arena, "no module call passes %.*s", LC_FMT(written->text));
            p->address = module->path;
        }
    }
}

/* Terraform requires a block for each alias in configuration_aliases of the root module. */
static void check_root_aliases(lc_provider_model *m, const lc_module *root)
{
    for (size_t i = 0; i < root->required.count && !root->incomplete; i++) {
        const lc_config_refs *aliases = &root->required.items[i].aliases;
        for (size_t k = 0; k < aliases->list.count; k++) {
            const lc_config_ref *written = &aliases->list.items[k];
            lc_provider_ref want = lc_provider_ref_parse(written, LC_PROFILE_TERRAFORM);
            if (!want.ok || want.alias.len == 0 || own_block(root, want.name, want.alias))
                continue;
            lc_config_problem *p =
                lc_provider_problem(m, LC_RULE_PROVIDER_MAP_MISSING, LC_STAGE_GRAPH, written->place,
                                    LC_SUMMARY_UNDEFINED_PROVIDER_CONFIG, "");
            p->alone = true;
            p->detail = lc_str_printf(m->arena, "the root module has no block for %.*s",
                                      LC_FMT(written->text));
        }
    }
}

/* ---- Modules with providers of their own. */

/* The arguments of a call that forbid provider blocks in the module. */
static bool forbids_blocks(const lc_provider_model *m, const lc_config_call *call)
{
    bool enabled = call->repetition.enabled && m->config->profile != LC_PROFILE_TERRAFORM;
    return call->repetition.count || call->repetition.for_each || enabled ||
           call->depends_on.list.count > 0;
}

/* Such an argument of any call around the module counts. */
static void check_own_blocks(lc_provider_model *m, const lc_module *module)
{
    const lc_config_provider *full = NULL;
    const lc_config_call *why = NULL;
    for (size_t i = 0; i < module->providers.count && !full; i++)
        if (lc_provider_is_own_block(module->providers.items[i]))
            full = module->providers.items[i];
    for (const lc_module *at = module; full && at->call && !why; at = at->parent)
        if (forbids_blocks(m, at->call))
            why = at->call;
    if (!why)
        return;
    lc_config_problem *p = lc_provider_problem(
        m, LC_RULE_PROVIDER_LOCAL_IN_REPEATED, LC_STAGE_MODULES, why->place,
        m->config->profile == LC_PROFILE_TERRAFORM ? LC_SUMMARY_MODULE_NOT_REPEATABLE_BEFORE
                                                   : LC_SUMMARY_MODULE_NOT_REPEATABLE,
        "a module in it configures a provider itself");
    p->address = module->path;
}

/* True if some block could not be parsed. */
static bool are_requirements_unknown(const lc_provider_model *m)
{
    for (size_t i = 0; i < m->config->problems.count; i++)
        if (m->config->problems.items[i].stage == LC_STAGE_PARSE &&
            !m->config->problems.items[i].warning)
            return true;
    return false;
}

/* Entries of callers are made before those of the modules they call, as modules are listed in that
 * order. */
void lc_provider_check_modules(lc_provider_model *m)
{
    bool requirements_unknown = are_requirements_unknown(m);
    for (size_t i = 0; i < m->config->modules.count; i++) {
        const lc_module *module = m->config->modules.items[i];
        m->config->at = module;
        if (module->call)
            check_wanted(m, module);
        else if (m->config->profile == LC_PROFILE_TERRAFORM)
            check_root_aliases(m, module);
        check_own_blocks(m, module);
        for (size_t k = 0; k < module->calls.count; k++) {
            const lc_config_call *call = module->calls.items[k];
            lc_str address = lc_address_below(
                m->arena, module->path, lc_str_printf(m->arena, "module.%.*s", LC_FMT(call->name)));
            passing p = {m, call, address, requirements_unknown};
            if (call->child)
                add_slots(m, call);
            check_entries(&p);
        }
    }
}

/* ---- Keys of references (OpenTofu only). */

/* A reference while its key is checked. */
typedef struct keyed {
    lc_provider_model *m;
    const lc_module *module;
    const lc_config_ref *written;
    lc_str fqn;
    lc_str address;
    const char *summary;
    /* for_each of the block with the reference, or NULL */
    const lc_expr *for_each;
    /* The block has objects that must be destroyed at some time. */
    bool keeps_objects;
} keyed;

static void report_key(keyed *k, lc_rule rule, const char *detail)
{
    lc_provider_problem(k->m, rule, LC_STAGE_LOAD, k->written->place, k->summary, detail)->address =
        k->address;
}

/* True if both are written alike and refer to something. */
static bool same_expression(lc_arena *arena, const lc_expr *a, const lc_expr *b)
{
    lc_references seen = {.arena = arena};
    if (!a || !b || !lc_expr_same(a, b))
        return false;
    lc_expr_references(&seen, a);
    return seen.list.count > 0;
}

/* Warning of OpenTofu: if an element is removed from a for_each that resource and provider share,
 * the provider instance needed to destroy the object is removed with it. */
static void check_same(keyed *k, const lc_provider_config *c)
{
    if (!c->block || !same_expression(k->m->arena, c->block->repetition.for_each, k->for_each))
        return;
    lc_config_problem *p = lc_provider_problem(
        k->m, LC_RULE_PROVIDER_SAME_FOR_EACH, LC_STAGE_PLAN, k->written->place,
        LC_SUMMARY_SAME_FOR_EACH_IN_RESOURCE,
        "removing an element also removes the instance that is needed to destroy its objects");
    p->warning = true;
    p->address = k->address;
}

/* A repeated block requires a key, and a single one must not have one. */
static void check_key(keyed *k)
{
    lc_provider_ref ref = lc_provider_ref_parse(k->written, k->m->config->profile);
    if (!ref.ok)
        return;
    lc_provider_entry *slot = lc_provider_slot(k->m, k->module, k->fqn, ref.alias);
    const lc_provider_config *c = slot ? slot->config : NULL;
    if (!ref.key) {
        if (c && c->repeats)
            report_key(k, LC_RULE_PROVIDER_KEY_REQUIRED,
                       "the block is repeated: one of its instances is chosen by a key");
        return;
    }
    if (!c && k->module->incomplete)
        return;
    if (!c)
        report_key(
            k,
            slot && slot->parent.key ? LC_RULE_PROVIDER_TWO_KEYS : LC_RULE_PROVIDER_BLOCK_MISSING,
            slot && slot->parent.key ? "the module call has chosen an instance already"
                                     : "the module has no provider block of this name and alias");
    else if (!c->repeats)
        report_key(k, LC_RULE_PROVIDER_KEY_UNEXPECTED, "the block is not repeated: it has no keys");
    else if (k->keeps_objects)
        check_same(k, c);
}

static lc_str fqn_of_name(const lc_provider_model *m, const lc_module *module,
                          const lc_config_ref *written)
{
    lc_provider_ref ref = lc_provider_ref_parse(written, m->config->profile);
    return lc_provider_of(m->arena, m->config->profile, module, ref.name);
}

static void check_keys_of_call(lc_provider_model *m, const lc_config_call *call)
{
    for (size_t i = 0; i < call->providers.count; i++) {
        const lc_config_ref *written = &call->providers.items[i].parent;
        keyed k = {m,
                   call->module,
                   written,
                   fqn_of_name(m, call->module, written),
                   lc_address_below(m->arena, call->module->path,
                                    lc_str_printf(m->arena, "module.%.*s", LC_FMT(call->name))),
                   LC_SUMMARY_INVALID_MODULE_PROVIDER,
                   call->repetition.for_each,
                   true};
        check_key(&k);
    }
}

void lc_provider_check_keys(lc_provider_model *m)
{
    if (m->config->profile != LC_PROFILE_OPENTOFU)
        return;
    for (size_t i = 0; i < m->config->modules.count; i++) {
        const lc_module *module = m->config->modules.items[i];
        m->config->at = module;
        for (size_t k = 0; k < module->resources.count; k++) {
            const lc_config_resource *res = module->resources.items[k];
            if (!res->provider)
                continue;
            keyed one = {m,
                         module,
                         res->provider,
                         fqn_of_name(m, module, res->provider),
                         lc_address_below(m->arena, module->path, res->address),
                         LC_SUMMARY_INVALID_RESOURCE_PROVIDER,
                         res->repetition.for_each,
                         res->mode == LC_MODE_MANAGED};
            check_key(&one);
        }
        for (size_t k = 0; k < module->calls.count; k++)
            check_keys_of_call(m, module->calls.items[k]);
    }
}
