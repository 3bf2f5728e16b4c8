/* Internals of the model, shared by its files. Problems are added to m->config. */
#ifndef LC_PROVIDER_CONFIG_INTERNAL_H
#define LC_PROVIDER_CONFIG_INTERNAL_H

#include "lifecheck/base/arena.h"
#include "lifecheck/provider_config/provider_config.h"

/* What a module has under a source and alias: a block of its own, or what its caller passes. */
typedef struct lc_provider_entry {
    lc_provider_config *config; /* a block, or NULL */
    /* NULL: nothing is passed; takes precedence over an empty block */
    const lc_config_passed *passed;
    lc_provider_ref parent; /* the parsed reference passed->parent */
} lc_provider_entry;

/* Where a reference leads. */
typedef struct lc_provider_target {
    lc_provider_config *config; /* NULL: it leads nowhere */
    lc_use_way way;
    /* The key that selects an instance: of the resource's own reference, or of a module call on the
     * way. NULL: none. */
    const lc_expr *key;
    const lc_config_ref *key_ref;
    const lc_module *key_module; /* module in which the key is evaluated */
    /* The called module of that call; NULL: the key is the resource's own. */
    const lc_module *key_child;
    /* Last reference on the way through calls, or NULL. */
    const lc_config_ref *passed;
    bool two_keys; /* a second key follows on the way, which is an error */
} lc_provider_target;

/* Adds a problem; `summary` and `detail` are constants. */
lc_config_problem *lc_provider_problem(lc_provider_model *m, lc_rule rule, lc_config_stage stage,
                                       lc_source_pos place, const char *summary,
                                       const char *detail);
/* The entry of a module for a source and alias ("": default configuration), or NULL; the second
 * function creates it. */
lc_provider_entry *lc_provider_slot(const lc_provider_model *m, const lc_module *module, lc_str fqn,
                                    lc_str alias);
lc_provider_entry *lc_provider_slot_make(lc_provider_model *m, const lc_module *module, lc_str fqn,
                                         lc_str alias);
/* A new configuration, which is appended to m->configs. */
lc_provider_config *lc_provider_config_new(lc_provider_model *m, const lc_module *module,
                                           const lc_config_provider *block, lc_str fqn,
                                           lc_str alias);
/* Follows a reference from `module` through the calls around it. `written` is NULL for a resource
 * without `provider`. */
void lc_provider_follow(lc_provider_target *out, lc_provider_model *m, const lc_module *module,
                        const lc_provider_ref *ref, const lc_config_ref *written, lc_str fqn);

/* The stages, in this order; the resolution follows check_keys. */
void lc_provider_check_references(lc_provider_model *m);
void lc_provider_expand_blocks(lc_provider_model *m);
void lc_provider_check_modules(lc_provider_model *m);
void lc_provider_check_keys(lc_provider_model *m);
void lc_provider_check_values(lc_provider_model *m);

/* An empty block (a proxy in older versions): what the caller passes takes its place. */
static inline bool lc_provider_is_empty_block(const lc_config_provider *block)
{
    return block->argument_count == 0;
}
/* True if the block makes the module configure the provider itself; a version constraint
 * suffices. */
static inline bool lc_provider_is_own_block(const lc_config_provider *block)
{
    return block->argument_count > 0 || block->has_version;
}
/* True if the profile has repeated provider blocks. */
static inline bool lc_provider_iterates(const lc_provider_model *m)
{
    return m->config->profile != LC_PROFILE_TERRAFORM;
}
/* True if the name is a valid local name: lower case letters, digits and single dashes. */
bool lc_provider_name_is_normal(lc_str name);
/* The same, and not the name of a kind of value (`var`, `each`, ...), unless the module declares a
 * provider of that name. */
bool lc_provider_name_is_usable(const lc_module *module, lc_str name);
/* The source address as the other client completes it, with its own registry. */
lc_str lc_provider_other_name(const lc_provider_model *m, lc_str fqn);
/* True for the root module if required_providers has the provider: then its default configuration
 * exists without a block. */
bool lc_provider_is_required(const lc_provider_model *m, const lc_module *module, lc_str fqn);

#endif
