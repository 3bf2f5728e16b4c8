/* Shared by the files that read configurations. Strings and nodes are borrowed from the files;
 * everything that is made lives in the reader's arena. */
#ifndef LC_CONFIGURATION_READER_H
#define LC_CONFIGURATION_READER_H

#include "lifecheck/arena.h"
#include "lifecheck/configuration.h"

/* State while the modules of one configuration are read. */
typedef struct lc_config_reader {
    lc_configuration *config;
    lc_arena *arena;
    const lc_config_loader *loader;
    lc_diags *diags;
    /* The module and file being read. */
    lc_module *module;
    const lc_source *source;
    bool converted; /* see lc_config_file.converted */
} lc_config_reader;

/* One block with its labels; valid during the call of config_take only. */
typedef struct lc_config_block {
    lc_str labels[2];
    /* Of the last label's key, or of a block without labels. */
    lc_source_pos place;
    const lc_node *body;
} lc_config_block;
typedef void (*config_take)(lc_config_reader *r, const lc_config_block *block);

/* Calls `take` for every block of the root key `member`. In JSON syntax a block type is a nesting
 * of as many objects as it has labels, and at every level there may be an array of objects. The
 * bodies passed are mappings. */
void lc_config_each_block(lc_config_reader *r, const lc_member *member, unsigned labels,
                          config_take take);

/* The same for nested blocks without labels, such as required_providers. */
void lc_config_each_body(lc_config_reader *r, const lc_node *node, lc_source_pos place,
                         config_take take);

/* The position of a node or of a member's key in the current file. */
lc_source_pos lc_config_place(const lc_config_reader *r, const lc_node *node);
lc_source_pos lc_config_key_place(const lc_config_reader *r, const lc_member *member);
/* HCL's JSON syntax ignores members with the key "//". */
bool lc_config_is_comment(const lc_member *member);

/* Adds a problem found in the current module; see lc_config_problem_add. `summary` is the core's,
 * or empty if only lifecheck cannot go on; `detail` is lifecheck's text. */
lc_config_problem *lc_config_report(lc_config_reader *r, lc_source_pos place, const char *summary,
                                    const char *detail);

/* Adds a problem with `summary` if `name` is not an identifier. */
void lc_config_check_name(lc_config_reader *r, lc_str name, lc_source_pos place,
                          const char *summary);

/* The value of an argument, read according to its kind. What cannot be read is added to the
 * problems; a value is returned in any case (undecided, empty or without reference). */
const lc_expr *lc_config_template(lc_config_reader *r, const lc_node *node);
lc_config_ref lc_config_reference(lc_config_reader *r, const lc_node *node);
/* The same for a provider configuration: OpenTofu also accepts the reference in quotes. */
lc_config_ref lc_config_provider_reference(lc_config_reader *r, const lc_node *node);
lc_config_ref lc_config_provider_reference_of(lc_config_reader *r, lc_str text,
                                              lc_source_pos place);
void lc_config_references(lc_config_reader *r, lc_config_refs *out, const lc_node *node);
/* A flag; `literal` is false if the value has to be evaluated. */
lc_config_flag lc_config_read_flag(lc_config_reader *r, const lc_member *member);
/* A flag that has to be a literal bool: a template is a problem. */
lc_config_flag lc_config_static_flag(lc_config_reader *r, const lc_member *member);
/* Literal text; empty if it is null or not a string. */
lc_str lc_config_text(lc_config_reader *r, const lc_node *node);

/* The members of a body whose key is not in `names` (terminated by NULL), as an object expression,
 * and their number. `blocks`: some of them may be blocks, dynamic blocks among them. */
const lc_expr *lc_config_rest(lc_config_reader *r, const lc_node *body, const char *const *names,
                              bool blocks, size_t *count);
/* Adds a problem for each member whose key is not in `names`. */
void lc_config_only(lc_config_reader *r, const lc_node *body, const char *const *names);
bool lc_config_named(lc_str name, const char *const *names);

/* Reads a block into the current module. `check`: name of the check block around it, or empty. */
void lc_config_read_resource(lc_config_reader *r, const lc_config_block *block,
                             lc_resource_mode mode, lc_str check);
void lc_config_read_call(lc_config_reader *r, const lc_config_block *block);
void lc_config_conditions_read(lc_config_reader *r, lc_config_conditions *out, const lc_node *node);

#endif
