/* Shared by the files that read configurations. Strings and nodes are borrowed from the files;
 * everything that is made lives in the reader's arena. */
#ifndef LC_CONFIGURATION_READER_H
#define LC_CONFIGURATION_READER_H

#include "lifecheck/base/arena.h"
#include "lifecheck/configuration/configuration.h"
#include "lifecheck/configuration/native.h"

/* State while the modules of one configuration are read. */
typedef struct lc_config_reader {
    lc_configuration *config;
    lc_arena *arena;
    lc_arena *scratch; /* what bodies have, until their file or top-level block is read */
    const lc_config_loader *loader;
    lc_diags *diags;
    /* The module and file being read. */
    lc_module *module;
    const lc_source *source;
    bool converted;  /* see lc_config_file.converted */
    lc_str file;     /* its name */
    lc_str about;    /* address of the resource being read, or empty */
    bool overriding; /* an override file is read; `module` has its content */
} lc_config_reader;

/* The value of an argument as it is written. */
typedef struct lc_config_value {
    const lc_source *source;
    const lc_node *node; /* in JSON syntax; else NULL */
    const lc_expr *expr; /* in native syntax; else NULL */
} lc_config_value;

/* The body of a block, or a whole file. */
typedef struct lc_config_body {
    const lc_source *source;
    const lc_node *node;          /* in JSON syntax: an object, or an array of objects */
    const lc_native_body *native; /* in native syntax; else NULL */
} lc_config_body;

/* One block. */
typedef struct lc_config_block {
    const char *type;
    lc_str labels[2];
    lc_source_pos label_places[2];
    lc_source_pos type_place;
    /* Where the client places the block: at its first word, or in JSON syntax at its brace. */
    lc_source_pos declared;
    /* Where reports place it: at the last label, or at a block without labels. */
    lc_source_pos place;
    lc_config_body body;
} lc_config_block;

/* Adds a problem found in the current module; see lc_config_problem_add. `summary` is the core's,
 * or empty if only lifecheck cannot go on; `detail` is lifecheck's text. */
lc_config_problem *lc_config_report(lc_config_reader *r, lc_source_pos place, const char *summary,
                                    const char *detail);
/* Adds what clients report only before these minor versions (0: none of that client's does). The
 * caller fills in the rest of the problem; its module is the current one. */
lc_config_newer *lc_config_newer_add(lc_config_reader *r, unsigned terraform, unsigned opentofu);
/* The same for what is declared a second time; `first` is the place of the first declaration. */
lc_config_problem *lc_config_report_duplicate(lc_config_reader *r, lc_source_pos place,
                                              const char *summary, lc_source_pos first);
/* The same with a detail about `name`, which replaces %s in `format`. */
void lc_config_report_name(lc_config_reader *r, lc_source_pos place, const char *summary,
                           const char *format, lc_str name);
/* Adds the errors of a parser or an evaluation. */
void lc_config_report_errors(lc_config_reader *r, const lc_eval_error *trouble);

/* Adds a problem with `summary` if `name` is not an identifier. */
void lc_config_check_name(lc_config_reader *r, lc_str name, lc_source_pos place,
                          const char *summary);

/* ---- Values: values.c. What cannot be read is added to the problems; a value is returned in any
 * case (undecided, empty or without reference). */

lc_source_pos lc_config_value_place(lc_config_value value);
/* HCL's JSON syntax ignores members with the key "//". */
bool lc_config_is_comment(const lc_member *member);
/* The value as an expression; in JSON syntax strings are templates. */
const lc_expr *lc_config_template(lc_config_reader *r, lc_config_value value);
/* A reference. Nothing is added to the problems. */
lc_config_ref lc_config_reference(lc_config_reader *r, lc_config_value value);
/* The same; indices may be computed. */
lc_config_ref lc_config_free_reference(lc_config_reader *r, lc_config_value value);
/* The same for a provider configuration: OpenTofu also accepts the reference in quotes. */
lc_config_ref lc_config_provider_reference(lc_config_reader *r, lc_config_value value);
/* A list of references. `strict`: entries that are not references are problems; else indices may be
 * computed, and other expressions are kept. */
void lc_config_references(lc_config_reader *r, lc_config_refs *out, lc_config_value value,
                          bool strict);
/* The keyword that the value is, such as `all`; else empty. */
lc_str lc_config_keyword(lc_config_reader *r, lc_config_value value);
/* The value of a constant expression; NULL: it is unknown, or cannot be evaluated, which is
 * reported. */
const lc_value *lc_config_constant(lc_config_reader *r, lc_config_value value);

typedef struct lc_config_values {
    LC_VEC(lc_config_value) list;
} lc_config_values;
/* The elements of a list that is written as such. False: it is not written as a list, and a problem
 * is added. */
bool lc_config_list(lc_config_reader *r, lc_config_values *out, lc_config_value value);
/* Keys and values of an object that is written as such, in turn. False: it is not written as an
 * object. */
bool lc_config_pairs(lc_config_reader *r, lc_config_values *out, lc_config_value value);

typedef struct lc_config_argument lc_config_argument;
/* A flag; `literal` is false if the value has to be evaluated. */
lc_config_flag lc_config_read_flag(lc_config_reader *r, const lc_config_argument *argument);
/* A flag that has to be a literal bool: a template is a problem. */
lc_config_flag lc_config_static_flag(lc_config_reader *r, const lc_config_argument *argument);
/* Literal text; empty if it is null or not a string. */
lc_str lc_config_text(lc_config_reader *r, lc_config_value value);

/* ---- Override files: merge.c. Reads the file with `read`, and merges its content into the current
 * module. */
void lc_config_override(lc_config_reader *r, const lc_config_file *file,
                        void (*read)(lc_config_reader *r, const lc_config_file *file));

/* ---- Test files: tests.c. Adds a call to the current module for each run block that names a
 * module. `folder`: of the file, relative to the root module's. */
void lc_config_read_tests(lc_config_reader *r, lc_str folder, const lc_config_file *file);

/* ---- Blocks: blocks.c, resource.c. Each reads a block into the current module. */

/* `check`: name of the check block around it, or empty. */
void lc_config_read_resource(lc_config_reader *r, const lc_config_block *block,
                             lc_resource_mode mode, lc_str check);
void lc_config_read_call(lc_config_reader *r, const lc_config_block *block);
/* True for the client's own arguments and blocks of module calls, which no variable may be named
 * after. */
bool lc_config_call_has(lc_str name);
/* A precondition, postcondition, validation or assertion. False: something is wrong with it. */
bool lc_config_read_condition(lc_config_reader *r, lc_config_conditions *out,
                              const lc_config_block *block);
typedef struct lc_body_content lc_body_content;
/* `count` and `for_each`. */
void lc_config_read_repetition(lc_config_reader *r, lc_config_repetition *out,
                               const lc_body_content *content);
/* The content of the escaping block `_`; NULL if there is no such block. */
const lc_config_body *lc_config_escaped(lc_config_reader *r, const lc_body_content *content);

#endif
