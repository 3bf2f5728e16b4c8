/* The provider-instances model, shared by its files. */
#ifndef LC_PROVIDER_CONFIG_INTERNAL_H
#define LC_PROVIDER_CONFIG_INTERNAL_H

#include "lifecheck/arena.h"
#include "lifecheck/provider_config.h"

/* What a module knows a configuration as: one of its own blocks, or what the call passes. */
typedef struct lc_provider_entry {
    lc_provider_config *config;     /* a block, or NULL */
    const lc_config_passed *passed; /* or NULL; wins where the block is empty */
    lc_provider_ref parent;         /* of `passed` */
} lc_provider_entry;

/* Where a reference leads. */
typedef struct lc_provider_target {
    lc_provider_config *config; /* NULL: nowhere */
    lc_use_way way;
    /* The key that chooses an instance: the resource's own, or that of a call. */
    const lc_expr *key;
    const lc_config_ref *key_ref;
    const lc_module *key_module; /* where it stands */
    const lc_module *key_child;  /* the module whose call it is; NULL: the resource's own */
    const lc_config_ref *passed; /* the last reference on the way through calls, or NULL */
    bool two_keys;
} lc_provider_target;

lc_config_problem *lc_provider_problem(lc_provider_model *m, lc_rule rule, lc_config_stage stage,
                                       lc_source_pos place, const char *summary,
                                       const char *detail);
/* Where `alias` is empty: the default configuration. */
lc_provider_entry *lc_provider_slot(const lc_provider_model *m, const lc_module *module, lc_str fqn,
                                    lc_str alias);
lc_provider_entry *lc_provider_slot_make(lc_provider_model *m, const lc_module *module, lc_str fqn,
                                         lc_str alias);
lc_provider_config *lc_provider_config_new(lc_provider_model *m, const lc_module *module,
                                           const lc_config_provider *block, lc_str fqn,
                                           lc_str alias);
void lc_provider_follow(lc_provider_target *out, lc_provider_model *m, const lc_module *module,
                        const lc_provider_ref *ref, const lc_config_ref *written, lc_str fqn);

/* The stages, in this order. */
void lc_provider_check_references(lc_provider_model *m);
void lc_provider_expand_blocks(lc_provider_model *m);
void lc_provider_check_modules(lc_provider_model *m);
void lc_provider_check_keys(lc_provider_model *m);
void lc_provider_check_values(lc_provider_model *m);

/* A block that stands for a configuration which is passed. */
static inline bool lc_provider_is_empty_block(const lc_config_provider *block)
{
    return block->argument_count == 0;
}
/* ... and one that counts as the module's own: an old version constraint suffices. */
static inline bool lc_provider_is_own_block(const lc_config_provider *block)
{
    return block->argument_count > 0 || block->has_version;
}
/* Does the profile know repeated blocks? */
static inline bool lc_provider_iterates(const lc_provider_model *m)
{
    return m->config->profile != LC_PROFILE_TERRAFORM;
}
bool lc_provider_name_is_normal(lc_str name);
/* ... and no name of values, unless the module has a provider called so. */
bool lc_provider_name_is_usable(const lc_module *module, lc_str name);
/* The provider's address for the other client, whose registry is another one. */
lc_str lc_provider_elsewhere(const lc_provider_model *m, lc_str fqn);
/* Has the root module its default configuration even without a block? */
bool lc_provider_is_required(const lc_provider_model *m, const lc_module *module, lc_str fqn);

#endif
