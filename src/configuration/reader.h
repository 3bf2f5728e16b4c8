/* Reading configurations, shared by its files. */
#ifndef LC_CONFIGURATION_READER_H
#define LC_CONFIGURATION_READER_H

#include "lifecheck/arena.h"
#include "lifecheck/configuration.h"

typedef struct lc_config_reader {
    lc_configuration *config;
    lc_arena *arena;
    const lc_config_loader *loader;
    lc_diags *diags;
    /* The file being read. */
    lc_module *module;
    const lc_source *source;
    bool converted;
} lc_config_reader;

/* One block with its labels. */
typedef struct lc_config_block {
    lc_str labels[2];
    lc_source_pos place; /* of the last label, or of the block */
    const lc_node *body;
} lc_config_block;
typedef void (*config_take)(lc_config_reader *r, const lc_config_block *block);

/* Every block of a root key; objects and arrays of objects at each level. `take` gets mappings. */
void lc_config_each_block(lc_config_reader *r, const lc_member *member, unsigned labels,
                          config_take take);

/* The same without labels, of a member of a block; `take` gets every mapping. */
void lc_config_each_body(lc_config_reader *r, const lc_node *node, lc_source_pos place,
                         config_take take);

lc_source_pos lc_config_place(const lc_config_reader *r, const lc_node *node);
lc_source_pos lc_config_key_place(const lc_config_reader *r, const lc_member *member);
bool lc_config_is_comment(const lc_member *member);

/* A problem of the profile's core; `summary` empty for ours. */
lc_config_problem *lc_config_trouble(lc_config_reader *r, lc_source_pos place, const char *summary,
                                     const char *detail);

/* Tell a name that the language does not take for one. */
void lc_config_check_name(lc_config_reader *r, lc_str name, lc_source_pos place,
                          const char *summary);

/* Values of members in their kinds. Trouble is told. */
const lc_expr *lc_config_template(lc_config_reader *r, const lc_node *node);
lc_config_ref lc_config_reference(lc_config_reader *r, const lc_node *node);
/* Of a provider configuration: OpenTofu reads what is quoted once more. */
lc_config_ref lc_config_provider_reference(lc_config_reader *r, const lc_node *node);
lc_config_ref lc_config_provider_reference_of(lc_config_reader *r, lc_str text,
                                              lc_source_pos place);
void lc_config_references(lc_config_reader *r, lc_config_refs *out, const lc_node *node);
lc_config_flag lc_config_read_flag(lc_config_reader *r, const lc_member *member);
/* One that must be written there: a template is a mistake. */
lc_config_flag lc_config_static_flag(lc_config_reader *r, const lc_member *member);
lc_str lc_config_text(lc_config_reader *r, const lc_node *node);

/* The members of a block that are none of `names` (NULL at the end), as an object; `blocks`: there
 * may be blocks among them, and dynamic ones. */
const lc_expr *lc_config_rest(lc_config_reader *r, const lc_node *body, const char *const *names,
                              bool blocks, size_t *count);
/* Tell every member that is none of `names`. */
void lc_config_only(lc_config_reader *r, const lc_node *body, const char *const *names);
bool lc_config_named(lc_str name, const char *const *names);

void lc_config_read_resource(lc_config_reader *r, const lc_config_block *block,
                             lc_resource_mode mode, lc_str check);
void lc_config_read_call(lc_config_reader *r, const lc_config_block *block);
void lc_config_conditions_read(lc_config_reader *r, lc_config_conditions *out, const lc_node *node);

#endif
