/* Provider blocks: the checks of each block, and its instances. */
#include "lifecheck/catalog/core_message.h"
#include "provider_config/internal.h"

/* ---- Entries: what a module has under a source and alias. */

static lc_str slot_name(const lc_provider_model *m, const lc_module *module, lc_str fqn,
                        lc_str alias)
{
    return lc_str_printf(m->arena, "%.*s %.*s %.*s", LC_FMT(module->path), LC_FMT(fqn),
                         LC_FMT(alias));
}

lc_provider_entry *lc_provider_slot(const lc_provider_model *m, const lc_module *module, lc_str fqn,
                                    lc_str alias)
{
    lc_buf buf = {0};
    lc_buf_printf(&buf, "%.*s %.*s %.*s", LC_FMT(module->path), LC_FMT(fqn), LC_FMT(alias));
    lc_provider_entry *slot = lc_table_get(&m->slots, lc_buf_str(&buf));
    lc_buf_release(&buf);
    return slot;
}

lc_provider_entry *lc_provider_slot_make(lc_provider_model *m, const lc_module *module, lc_str fqn,
                                         lc_str alias)
{
    lc_provider_entry *slot = lc_provider_slot(m, module, fqn, alias);
    if (slot)
        return slot;
    slot = LC_NEW(m->arena, lc_provider_entry);
    lc_table_put(&m->slots, slot_name(m, module, fqn, alias), slot);
    return slot;
}

lc_provider_config *lc_provider_config_new(lc_provider_model *m, const lc_module *module,
                                           const lc_config_provider *block, lc_str fqn,
                                           lc_str alias)
{
    lc_provider_config *c = LC_NEW(m->arena, lc_provider_config);
    c->module = module;
    c->block = block;
    c->fqn = fqn;
    c->alias = alias;
    lc_table_init(&c->by_key, m->arena);
    *LC_PUSH(m->arena, &m->configs, lc_provider_config *) = c;
    return c;
}

/* ---- Blocks by themselves. */

/* One block while it is expanded. */
typedef struct expanding {
    lc_provider_model *m;
    const lc_config_provider *block;
    lc_str address;
    /* Static evaluation, as OpenTofu does it for provider blocks. */
    lc_module_scope *scope;
} expanding;

/* Adds a problem about the block. */
static void report(expanding *x, lc_rule rule, lc_config_stage stage, lc_source_pos place,
                   const char *summary, const char *detail)
{
    lc_provider_problem(x->m, rule, stage, place, summary, detail)->address = x->address;
}

/* Which combinations of count, for_each and alias are allowed depends on the profile. */
static void check_repetition(expanding *x)
{
    const lc_config_repetition *r = &x->block->repetition;
    lc_profile profile = x->m->config->profile;
    if (profile == LC_PROFILE_DOCUMENT) {
        if (r->count && r->for_each)
            report(x, LC_RULE_PROVIDER_COUNT_AND_FOR_EACH, LC_STAGE_PARSE, r->for_each_place, "",
                   "a block has count or for_each, not both");
        if ((r->count || r->for_each) && x->block->has_alias)
            report(x, LC_RULE_PROVIDER_ALIAS_WITH_REPETITION, LC_STAGE_PARSE, x->block->alias_place,
                   "", "the keys of a repeated block are its aliases; it has no other alias");
        return;
    }
    if (r->count)
        report(x, LC_RULE_PROVIDER_COUNT, LC_STAGE_PARSE, r->count_place,
               LC_SUMMARY_RESERVED_PROVIDER_ARGUMENT,
               "the client reserves count in provider blocks");
    if (r->for_each && profile == LC_PROFILE_TERRAFORM)
        report(x, LC_RULE_PROVIDER_COUNT, LC_STAGE_PARSE, r->for_each_place,
               LC_SUMMARY_RESERVED_PROVIDER_ARGUMENT,
               "Terraform reserves for_each in provider blocks");
    if (r->for_each && profile == LC_PROFILE_OPENTOFU && !x->block->has_alias)
        report(x, LC_RULE_PROVIDER_FOR_EACH_WITHOUT_ALIAS, LC_STAGE_PARSE, lc_expr_pos(r->for_each),
               LC_SUMMARY_ALIAS_REQUIRED, "a repeated block has an alias");
}

static void check_names(expanding *x)
{
    if (!lc_provider_name_is_normal(x->block->name))
        report(x, LC_RULE_PROVIDER_REF_NAME, LC_STAGE_PARSE, x->block->place,
               LC_SUMMARY_INVALID_PROVIDER_NAME,
               "names of providers have lower case letters, digits and single dashes");
    if (x->block->has_alias && !x->block->alias_valid)
        report(x, LC_RULE_PROVIDER_ALIAS_NAME, LC_STAGE_PARSE, x->block->alias_place,
               LC_SUMMARY_INVALID_PROVIDER_ALIAS,
               "an alias is written as a name; it cannot be computed");
}

/* ---- for_each. */

/* The rule for an error of static evaluation, by the core's summary. */
static lc_rule rule_of_trouble(const lc_eval_error *error)
{
    if (lc_str_is(error->summary, LC_SUMMARY_STATIC_DYNAMIC) ||
        lc_str_is(error->summary, LC_SUMMARY_STATIC_MODULE_OUTPUT))
        return LC_RULE_PROVIDER_FOR_EACH_DYNAMIC;
    if (lc_str_is(error->summary, LC_SUMMARY_STATIC_CYCLE))
        return LC_RULE_PROVIDER_STATIC_CYCLE;
    if (lc_str_is(error->summary, LC_SUMMARY_STATIC_UNDEFINED_LOCAL) ||
        lc_str_is(error->summary, LC_SUMMARY_STATIC_UNDEFINED_VARIABLE) ||
        lc_str_starts_with(error->summary, LC_STR(LC_SUMMARY_STATIC_INPUT)) ||
        lc_str_is(error->summary, LC_SUMMARY_STATIC_NO_VALUE))
        return LC_RULE_PROVIDER_STATIC_UNDEFINED;
    if (lc_str_is(error->summary, LC_SUMMARY_STATIC_VARIABLE))
        return LC_RULE_PROVIDER_STATIC_CONST;
    return LC_RULE_COUNT;
}

static void report_error(expanding *x, lc_rule rule, const lc_eval_error *error)
{
    lc_config_problem *p = lc_provider_problem(x->m, rule, LC_STAGE_LOAD, error->place, "", "");
    p->summary = error->summary;
    p->detail = error->detail;
    p->address = x->address;
}

/* The keys are invalid, or (empty summary) lifecheck cannot evaluate them. */
static void reject_keys(expanding *x, lc_provider_config *c, lc_rule rule,
                        const lc_eval_error *error)
{
    if (error->summary.len > 0) {
        c->unusable = true;
        report_error(x, rule, error);
        return;
    }
    c->keys.undecided = lc_undecided_new(x->m->arena, error->detail, error->place);
}

/* OpenTofu also reports each value on the path to the one that failed. */
static void report_passed(expanding *x, const lc_troubles *passed)
{
    for (size_t i = 0; i < passed->list.count; i++) {
        const lc_eval_error *error = &passed->list.items[i];
        lc_config_problem *p =
            lc_provider_problem(x->m, LC_RULE_COUNT, LC_STAGE_LOAD, error->place, "", "");
        p->summary = error->summary;
        p->echo = true;
    }
}

static lc_rule rule_of_value(lc_marked v)
{
    if (lc_marks_self(v) & (LC_MARK_SENSITIVE | LC_MARK_EPHEMERAL))
        return LC_RULE_PROVIDER_FOR_EACH_SECRET;
    return lc_is_null(v.value) ? LC_RULE_PROVIDER_FOR_EACH_NULL : LC_RULE_PROVIDER_FOR_EACH_TYPE;
}

/* In the document's rules a key becomes an alias, which every text shows; so hidden keys are left
 * open. */
static void take_hidden(expanding *x, lc_provider_config *c, lc_source_pos place)
{
    bool hidden = c->keys.list.count && c->keys.list.items[0].hidden;
    if (hidden && x->m->config->profile == LC_PROFILE_DOCUMENT)
        c->keys = (lc_repetitions){
            .undecided = lc_undecided_new(x->m->arena,
                                          LC_STR("the keys are read from a file, and are not "
                                                 "shown; --show-file-values shows them"),
                                          place)};
    for (size_t i = 0; hidden && i < c->keys.list.count; i++)
        lc_hide_key(&x->m->hidden, x->m->arena, c->keys.list.items[i].key);
}

/* An unknown for_each is kept as unknown keys; any other failure loses them. */
static void keys_of_value(expanding *x, lc_provider_config *c, lc_marked v, lc_source_pos place)
{
    lc_eval_error trouble;
    lc_repetitions keys;
    if (lc_scope_each(&keys, x->m->arena, x->m->config->profile, v, place, &trouble) ||
        keys.unknown) {
        c->keys = keys;
        take_hidden(x, c, place);
    } else {
        reject_keys(x, c, rule_of_value(v), &trouble);
    }
}

/* The document allows count; the indices become keys as text. */
static void keys_of_count(expanding *x, lc_provider_config *c, const lc_config_repetition *r)
{
    lc_eval_error trouble;
    lc_config_repetition only = {.count = r->count};
    lc_repetitions numbers;
    if (!lc_scope_expand(&numbers, x->scope, &only, &trouble)) {
        lc_rule rule = rule_of_trouble(&trouble);
        reject_keys(x, c, rule == LC_RULE_COUNT ? LC_RULE_PROVIDER_FOR_EACH_TYPE : rule, &trouble);
        return;
    }
    c->keys.undecided = numbers.undecided;
    for (size_t i = 0; i < numbers.list.count; i++) {
        lc_repetition one = numbers.list.items[i];
        one.key = lc_key_string(lc_str_printf(x->m->arena, "%zu", i));
        *LC_PUSH(x->m->arena, &c->keys.list, lc_repetition) = one;
    }
}

/* for_each takes precedence if both are given, which is an error anyway. */
static void keys_of_block(expanding *x, lc_provider_config *c)
{
    const lc_config_repetition *r = &x->block->repetition;
    lc_troubles *passed = x->scope->around->passed;
    lc_eval_error trouble;
    lc_marked v;
    passed->list.count = 0;
    if (!r->for_each) {
        keys_of_count(x, c, r);
    } else if (lc_scope_evaluate(&v, x->scope, r->for_each, NULL, &trouble)) {
        keys_of_value(x, c, v, lc_expr_pos(r->for_each));
    } else {
        reject_keys(x, c, rule_of_trouble(&trouble), &trouble);
    }
    report_passed(x, passed);
    for (size_t i = 0; i < c->keys.list.count; i++)
        lc_table_put(&c->by_key, c->keys.list.items[i].key.text, &c->keys.list.items[i]);
}

/* ---- The document: keys of a repeated block are aliases. */

/* Registers an instance under its key. The key may conflict with an alias or with another block. */
static void claim_key(expanding *x, lc_str fqn, lc_str key)
{
    lc_provider_entry *slot = lc_provider_slot_make(x->m, x->block->module, fqn, key);
    if (slot->config) {
        bool repeated = slot->config->alias_is_key;
        lc_config_problem *p = lc_provider_problem(x->m,
                                                   repeated ? LC_RULE_PROVIDER_KEY_KEY_CONFLICT
                                                            : LC_RULE_PROVIDER_KEY_ALIAS_CONFLICT,
                                                   LC_STAGE_LOAD, x->block->place, "", "");
        p->detail = lc_str_printf(x->m->arena, "the key \"%.*s\" is %s already", LC_FMT(key),
                                  repeated ? "another block's" : "an alias");
        p->address = x->address;
        return;
    }
    slot->config = lc_provider_config_new(x->m, x->block->module, x->block, fqn, key);
    slot->config->alias_is_key = true;
    if (lc_is_identifier(key))
        return;
    lc_config_problem *p = lc_provider_problem(x->m, LC_RULE_PROVIDER_KEY_NOT_NAME, LC_STAGE_LOAD,
                                               x->block->place, "", "");
    p->detail = lc_str_printf(x->m->arena, "the key \"%.*s\" is not a name", LC_FMT(key));
    p->address = x->address;
    p->warning = true;
}

/* ---- Blocks of a module. */

static lc_str block_address(const lc_provider_model *m, const lc_config_provider *block)
{
    lc_buf buf = {0};
    lc_buf_printf(&buf, "provider.%.*s", LC_FMT(block->name));
    if (block->alias_valid)
        lc_buf_printf(&buf, ".%.*s", LC_FMT(block->alias));
    lc_str within = lc_buf_take(m->arena, &buf);
    return lc_address_below(m->arena, block->module->path, within);
}

/* True if the block has instances with keys in this profile. */
static bool repeats(const expanding *x)
{
    const lc_config_repetition *r = &x->block->repetition;
    lc_profile profile = x->m->config->profile;
    return profile != LC_PROFILE_TERRAFORM &&
           (r->for_each || (r->count && profile == LC_PROFILE_DOCUMENT));
}

#define REPEATED LC_STR("*") /* not an alias: the entry of the repeated block of a source */

/* A block that is one configuration; in OpenTofu it may have instances with keys. */
static void expand_single(expanding *x, lc_str fqn)
{
    lc_str alias = x->block->alias_valid ? x->block->alias : LC_STR_EMPTY;
    if (x->block->has_alias && !x->block->alias_valid)
        return;
    lc_provider_entry *slot = lc_provider_slot_make(x->m, x->block->module, fqn, alias);
    if (slot->config && slot->config->alias_is_key) {
        report(x, LC_RULE_PROVIDER_KEY_ALIAS_CONFLICT, LC_STAGE_LOAD, x->block->alias_place, "",
               "the alias is a key of another block already");
        return;
    }
    /* Blocks for another local name of the same source: only the first one is examined. */
    if (slot->config && slot->config->block &&
        !lc_str_eq(slot->config->block->name, x->block->name))
        return;
    if (slot->config) {
        report(x, LC_RULE_PROVIDER_DUPLICATE, LC_STAGE_PARSE, x->block->place,
               LC_SUMMARY_DUPLICATE_PROVIDER, "the module has this configuration twice");
        return;
    }
    slot->config = lc_provider_config_new(x->m, x->block->module, x->block, fqn, alias);
    slot->config->repeats = repeats(x);
    if (slot->config->repeats)
        keys_of_block(x, slot->config);
}

/* In the document each key of a repeated block is a configuration of its own. */
static void expand_repeated(expanding *x, lc_str fqn)
{
    lc_provider_config *c =
        lc_provider_config_new(x->m, x->block->module, x->block, fqn, LC_STR_EMPTY);
    lc_provider_entry *slot = lc_provider_slot_make(x->m, x->block->module, fqn, REPEATED);
    c->repeats = true;
    keys_of_block(x, c);
    /* A block whose keys are not known decides what is reported about missing ones. */
    if (!slot->config || (!slot->config->unusable && !slot->config->keys.undecided))
        slot->config = c;
    for (size_t i = 0; i < c->keys.list.count; i++)
        claim_key(x, fqn, c->keys.list.items[i].key.text);
}

static void expand_module(lc_provider_model *m, lc_module_scope *scope)
{
    const lc_module *module = scope->module;
    m->config->at = module;
    /* Single blocks first, so that an alias is registered before a key can conflict with it. */
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < module->providers.count; i++) {
            expanding x = {m, module->providers.items[i], LC_STR_EMPTY, scope};
            bool many = repeats(&x) && m->config->profile == LC_PROFILE_DOCUMENT;
            if (many != (round == 1))
                continue;
            x.address = block_address(m, x.block);
            lc_str fqn = lc_provider_of(m->arena, m->config->profile, module, x.block->name);
            check_names(&x);
            check_repetition(&x);
            if (many)
                expand_repeated(&x, fqn);
            else
                expand_single(&x, fqn);
        }
    }
}

/* Static evaluation does not know module instances, so variables get the call's arguments without
 * each and count. The recursion is bounded by the nesting of modules. */
static void expand_below(lc_provider_model *m, lc_module_scope *scope,
                         const lc_eval_context *around)
{
    expand_module(m, scope);
    for (size_t i = 0; i < scope->module->calls.count; i++) {
        const lc_module *child = scope->module->calls.items[i]->child;
        if (!child)
            continue;
        expand_below(m, lc_module_scope_new(m->arena, around, child, scope, NULL), around);
    }
}

/* The same context, made static and recording the errors on the way. */
void lc_provider_expand_blocks(lc_provider_model *m)
{
    lc_eval_context *around = LC_NEW(m->arena, lc_eval_context);
    *around = *m->around;
    around->is_static = true;
    around->outer = NULL;
    around->passed = LC_NEW(m->arena, lc_troubles);
    around->passed->arena = m->arena;
    expand_below(m, lc_module_scope_new(m->arena, around, m->config->root, NULL, NULL), around);
}
