/* Configurations: the tree of modules, with what prediction and the rules about providers need of
 * every block, in native and in JSON syntax. Module configuration. Source: runs-and-providers 5.3,
 * and the cores' package configs.
 *
 * Strings in a JSON configuration are of three kinds, decided by their position: literal text
 * (alias, source, a variable's default), a bare reference (`provider`, depends_on, moved.from) or a
 * template. A configuration is read as the core of one profile (Terraform or OpenTofu) reads it.
 * What that core rejects becomes a problem with the core's summary; reading continues with the
 * rest.
 *
 * The caller supplies files through a loader, because they may be in a folder or inside another
 * document. Everything that is read lives in the arena passed to lc_configuration_read and borrows
 * from the files' nodes, so the nodes must live as long. */
#ifndef LIFECHECK_CONFIGURATION_CONFIGURATION_H
#define LIFECHECK_CONFIGURATION_CONFIGURATION_H

#include "lifecheck/catalog/rule.h"
#include "lifecheck/configuration/address.h"
#include "lifecheck/configuration/constraint.h"
#include "lifecheck/configuration/expression.h"
#include "lifecheck/configuration/native.h"

/* ---- Where files come from. */

/* One parsed file; what it holds is owned by the loader. */
typedef struct lc_config_file {
    lc_str name; /* file name without the folder */
    const lc_source *source;
    const lc_node *root; /* in JSON syntax; else NULL */
    /* From a plan, not from JSON syntax: every `${...}` is an expression. */
    bool converted;
    const lc_native_body *native; /* in native syntax; else NULL */
    const lc_eval_error *errors;  /* of the syntax; NULL: none */
} lc_config_file;

/* Parses a file by the syntax of its name: `.json` is JSON, all else native. out->errors has what
 * is wrong with it; *out also has the parts that could be read. `file` is the name that places
 * show. All is in the arena and borrows from the text. */
void lc_config_file_parse(lc_config_file *out, lc_arena *arena, lc_str name, lc_str file,
                          lc_str text);

/* True for the name of a configuration file of one of the clients. */
bool lc_config_is_file(lc_str name);
/* True for the name of a test file of the client. */
bool lc_config_is_test(lc_str name, lc_profile profile);

/* The files of one module. */
typedef struct lc_config_folder {
    LC_VEC(lc_config_file) files; /* any names, any order */
    bool incomplete;              /* some files could not be read, which is reported */
    lc_str refused;               /* why the folder is not opened, although it may be there */
} lc_config_folder;

/* Whether a client has installed a module. */
typedef enum lc_config_installed {
    LC_NOTHING_INSTALLED, /* nothing is known of installed modules */
    LC_NOT_INSTALLED,     /* others are, but not this one, or not from this source */
    LC_INSTALLED,
} lc_config_installed;

/* How module folders are opened. */
typedef struct lc_config_loader {
    void *context;
    /* Opens the folder at `path`, which is relative to the root module's folder ("" is the root's
     * own) and has no `.` steps. Returns false if there is no such folder. The loader itself
     * reports what is wrong with the files in it. */
    bool (*open)(void *context, lc_arena *arena, lc_str path, lc_config_folder *out);
    /* Finds a module that is not local: `key` are the names of the calls, such as `a.b`. *path is
     * then as for `open`. NULL: nothing is installed. */
    lc_config_installed (*installed)(void *context, lc_arena *arena, lc_str key, lc_str source,
                                     lc_str *path);
    /* Other files, which expressions read. */
    lc_files files;
} lc_config_loader;

/* ---- Blocks. `place` is the position of the block's key or of its body. */
typedef struct lc_module lc_module;

/* A bare reference, such as an entry of depends_on. */
typedef struct lc_config_ref {
    lc_str text;
    lc_source_pos place;
    bool is_text; /* false: the node is not a string */
    bool native;  /* written in native syntax */
    /* Of a provider configuration: the text contained it in quotes. */
    bool quoted;
    bool native_string;  /* native syntax: written as a string with quotes */
    const lc_expr *expr; /* NULL: the text does not parse; `trouble` has the error */
    lc_eval_error trouble;
    /* NULL: the expression is not a plain reference */
    const lc_reference *reference;
} lc_config_ref;

/* A list of references in the order in which they are written. */
typedef struct lc_config_refs {
    LC_VEC(lc_config_ref) list;
} lc_config_refs;

/* An argument that should be a literal bool, such as prevent_destroy. */
typedef struct lc_config_flag {
    bool given; /* the argument is there and, `destroy` aside, not null */
    /* Valid if `literal`: a literal bool, or text that converts to one. */
    bool value;
    bool literal;        /* `value` is valid */
    bool unfit;          /* of prevent_destroy: a constant that is not a bool */
    const lc_expr *expr; /* the value read as a template */
    lc_source_pos place;
} lc_config_flag;

/* How a block is repeated: its `count`, `for_each` or (OpenTofu) lifecycle `enabled`. */
typedef struct lc_config_repetition {
    const lc_expr *count, *for_each, *enabled;                /* NULL: not given */
    lc_source_pos count_place, for_each_place, enabled_place; /* of the keys */
    /* Configuration printed in a plan: the plan shows no repetition, but there may be one. */
    bool may_be_hidden;
} lc_config_repetition;

/* An entry of required_providers. */
typedef struct lc_config_required {
    lc_str local_name;      /* the key: the provider's name within the module */
    lc_str source;          /* as written, or empty */
    lc_str version;         /* the version constraint as written, or empty */
    lc_config_refs aliases; /* configuration_aliases */
    /* Of the key, of the entry's value and of the list of aliases. */
    lc_source_pos place, value_place, aliases_place;
} lc_config_required;

/* A provider block. */
typedef struct lc_config_provider {
    lc_module *module;
    lc_str name;                 /* local name: the block's label */
    bool has_alias, alias_valid; /* alias_valid: an identifier */
    bool has_version;            /* the deprecated argument `version` */
    lc_str alias, version;
    lc_config_repetition repetition;
    /* The provider's own arguments and blocks, as an object. */
    const lc_expr *body;
    size_t argument_count; /* how many of them there are */
    lc_source_pos place, alias_place;
} lc_config_provider;

/* A precondition, postcondition, validation or assertion. */
typedef struct lc_config_condition {
    const lc_expr *condition, *message; /* NULL: missing */
    lc_source_pos place;
} lc_config_condition;
/* Conditions in the order in which they are written. */
typedef struct lc_config_conditions {
    LC_VEC(lc_config_condition) list;
} lc_config_conditions;

/* The `description` of a variable or output. */
typedef struct lc_config_description {
    bool given;
    lc_str text;
} lc_config_description;

/* A variable block. */
typedef struct lc_config_variable {
    lc_str name;
    lc_config_description description;
    /* The default as a literal value, converted to the type; NULL: none. */
    const lc_expr *initial;
    lc_constraint constraint; /* the `type` */
    /* not_nullable: `nullable = false`; constant, constant_false: `const` is true, or false */
    bool sensitive, ephemeral, not_nullable, constant, constant_false;
    /* Which of them the block gives. */
    bool has_sensitive, has_ephemeral, has_nullable;
    lc_config_conditions validations;
    lc_source_pos place;
} lc_config_variable;

/* One entry of a `locals` block. */
typedef struct lc_config_local {
    lc_str name;
    const lc_expr *value;
    lc_source_pos place; /* of the key */
} lc_config_local;

/* The lifecycle block of a resource. */
typedef struct lc_config_lifecycle {
    lc_config_flag create_before_destroy, prevent_destroy, destroy;
    bool ignore_all; /* `ignore_changes = all` */
    /* Bare references; may be empty. */
    lc_config_refs ignore_changes, replace_triggered_by;
    lc_config_conditions preconditions, postconditions;
} lc_config_lifecycle;

/* That of a resource without the block. */
extern const lc_config_lifecycle lc_config_no_lifecycle;

/* A provisioner of a resource. */
typedef struct lc_config_provisioner {
    lc_str type;               /* label of the block */
    bool destroy, goes_on;     /* `when = destroy`, `on_failure = continue` */
    const lc_expr *body;       /* its arguments */
    const lc_expr *connection; /* NULL: none of its own */
    lc_source_pos place;
} lc_config_provisioner;

/* A block `resource`, `data` or `ephemeral`. */
typedef struct lc_config_resource {
    lc_module *module;
    lc_resource_mode mode;
    lc_str type, name;
    lc_str address; /* canonical address relative to its module */
    lc_config_repetition repetition;
    /* The `provider` argument; NULL: not given. */
    const lc_config_ref *provider;
    lc_config_refs depends_on;            /* bare references */
    const lc_config_lifecycle *lifecycle; /* not NULL: most have none, and share an empty one */
    /* Object of all other arguments and blocks, which JSON syntax cannot distinguish. */
    const lc_expr *body;
    LC_VEC(lc_config_provisioner) provisioners;
    const lc_expr *connection; /* NULL: none */
    /* Name of the check block that contains this data source; empty: none. */
    lc_str check;
    lc_source_pos place, type_place; /* type_place: of the first label */
} lc_config_resource;

/* One entry of a module call's `providers`: the child's name and the caller's configuration. */
typedef struct lc_config_passed {
    lc_config_ref child, parent;
} lc_config_passed;

/* A `module` block. */
typedef struct lc_config_call {
    lc_module *module; /* the calling module */
    lc_str name;       /* label of the block; of a run block the name of the installed module */
    lc_str run;        /* of a test file: label of the run block; else empty */
    /* The `source` argument as written, or its value; empty: it is not known. */
    lc_str source;
    /* The arguments as expressions, which OpenTofu evaluates; NULL: not given. */
    const lc_expr *source_value, *version_value;
    lc_source_pos source_place;
    /* NULL: the module is not there, or its source is not known */
    lc_module *child;
    lc_str refused; /* why its folder is not opened; empty: it is opened, or not there */
    lc_config_repetition repetition;
    const lc_expr *arguments; /* object of the child's variables */
    lc_config_refs depends_on;
    bool has_providers; /* `providers` is given, even if empty */
    /* In the order in which they are written. */
    LC_VEC(lc_config_passed) providers;
    lc_source_pos place;
} lc_config_call;

/* An `output` block. */
typedef struct lc_config_output {
    lc_str name; /* label of the block */
    lc_config_description description;
    const lc_expr *value;      /* NULL: not given */
    const lc_constraint *type; /* to which the value is converted; NULL: none */
    /* Only literal `true` counts. */
    bool sensitive, ephemeral;
    bool has_sensitive, has_ephemeral; /* which of them the block gives */
    lc_config_refs depends_on;
    lc_config_conditions preconditions;
    lc_source_pos place;
} lc_config_output;

/* A `moved` block. */
typedef struct lc_config_moved {
    /* The module that contains the block; addresses are relative to it. */
    lc_module *module;
    lc_config_ref from, to; /* read them with lc_config_address */
    lc_source_pos place;
} lc_config_moved;

/* A `removed` block. */
typedef struct lc_config_removed {
    lc_module *module;
    lc_config_ref from;
    lc_config_flag destroy; /* lifecycle.destroy */
    lc_source_pos place;
} lc_config_removed;

/* An `import` block. */
typedef struct lc_config_import {
    lc_module *module;
    /* Address of the target; its indices may be expressions. */
    lc_config_ref to;
    const lc_expr *id, *identity, *for_each; /* NULL: not given */
    const lc_config_ref *provider;           /* NULL: not given */
    lc_source_pos place, to_place;           /* to_place: of the argument `to` */
} lc_config_import;

/* A `check` block. Its nested data source is in `resources` of the module. */
typedef struct lc_config_check {
    lc_str name; /* label of the block */
    lc_config_conditions asserts;
    lc_source_pos place;
} lc_config_check;

/* A block of `terraform` that settles how the client itself works. Its arguments mean nothing here.
 */
typedef enum lc_setting_kind {
    LC_SETTING_BACKEND,
    LC_SETTING_CLOUD,
    LC_SETTING_PROVIDER_META,
    LC_SETTING_ENCRYPTION,
} lc_setting_kind;
typedef struct lc_config_setting {
    lc_setting_kind kind;
    lc_str label; /* type of the backend, or name of the provider; else empty */
    const lc_expr *body;
    lc_source_pos place;
} lc_config_setting;

/* A version of the client that a module requires. */
typedef struct lc_config_version {
    lc_str text;
    lc_source_pos place; /* of the argument */
} lc_config_version;

/* A module of the configuration, once per call path (not once per instance). */
struct lc_module {
    lc_module *parent;          /* NULL: the root */
    const lc_config_call *call; /* the call that leads here; NULL: the root */
    lc_str path;                /* configuration address: module.a.module.b; "" is the root */
    size_t depth;               /* number of calls from the root */
    lc_str folder;              /* path that was passed to the loader */
    lc_source_pos place;        /* of the first file */
    /* Not all of its files could be read, so the lists below may lack something. */
    bool incomplete;
    /* Blocks in the order of the sorted files and of each file. Those kept by pointer do not
     * move. */
    LC_VEC(lc_config_required) required;
    bool requires_providers; /* there is a required_providers block */
    LC_VEC(lc_config_provider *) providers;
    LC_VEC(lc_config_variable *) variables;
    LC_VEC(lc_config_local *) locals;
    LC_VEC(lc_config_resource *) resources;
    LC_VEC(lc_config_call *) calls;
    LC_VEC(lc_config_output *) outputs;
    LC_VEC(lc_config_moved) moved;
    LC_VEC(lc_config_removed) removed;
    LC_VEC(lc_config_import) imports;
    LC_VEC(lc_config_check) checks;
    LC_VEC(lc_config_setting) settings;
    LC_VEC(lc_config_version) versions; /* of the client, that the module requires */
    /* By name: lc_config_variable *, _local *, _call *, _output *. `resource` is by `address`. */
    lc_table variable, local, call_by_name, output, resource;
    /* Local name -> index of its first entry in `required`. */
    lc_table required_by_name;
};

/* The stage of a core that finds a problem. A core stops after a stage that found problems, except
 * that it always examines what modules pass to each other. */
typedef enum lc_config_stage {
    LC_STAGE_PARSE,   /* reading each block separately */
    LC_STAGE_LOAD,    /* loading modules: what is known without evaluation */
    LC_STAGE_MODULES, /* what modules pass to each other */
    LC_STAGE_GRAPH,   /* building the graph: references to names that are not declared */
    LC_STAGE_PLAN,    /* planning, instance by instance: other instances are still planned */
} lc_config_stage;

/* One complaint about the configuration, of a core or of lifecheck itself. */
typedef struct lc_config_problem {
    bool warning;
    bool alone;     /* the other core does not report it */
    lc_str summary; /* as the core of the profile prints it */
    /* The other core's summary where it is not the rule's usual one; else empty. */
    lc_str other;
    lc_str detail;  /* lifecheck's own words */
    lc_str said;    /* the core's own detail where rules need it; else empty */
    lc_str address; /* address of the block concerned; empty: none */
    lc_source_pos place;
    lc_loc loc;              /* used where there is no `place` */
    const lc_module *module; /* the module concerned; NULL: all or none */
    lc_config_stage stage;
    lc_rule rule; /* the rule that it breaks; LC_RULE_COUNT: none */
    bool syntax;  /* an error of syntax: the file is not read completely */
    bool echo;    /* the core prints it only as a consequence of another problem */
} lc_config_problem;

/* A problem only for clients that are older than a name or a rule of the language. */
typedef struct lc_config_newer {
    lc_config_problem problem;
    unsigned terraform, opentofu; /* the first minor version that accepts it; 0: every one does */
    /* Where the body of a block ends, in the source of its place; such a client does not read what
     * is in it. 0: an argument. */
    uint64_t end;
} lc_config_newer;

/* Reports an error at a position, `SUMMARY: DETAIL` with what is not empty, and quotes its line. */
void lc_config_diagnose(lc_diags *diags, lc_source_pos place, lc_str summary, lc_str detail);

/* The version of the client that runs, as far as it is known. */
typedef struct lc_client_version {
    lc_str version;   /* as written, for `required_version` a constraint; empty: not known */
    const char *from; /* what names it, such as "the state"; NULL: nothing does */
    /* Do && and || always evaluate both operands? Others short-circuit. LC_MAYBE: some of the
     * versions and clients that it may be do, others do not. */
    lc_tri both_operands;
    bool range;      /* LC_MAYBE because of several versions, not only because of two clients */
    bool constraint; /* `version` is one */
    bool known;      /* the client is that of the profile; false: perhaps the other one */
    /* Perhaps it is the version of the other client: OpenTofu with a state, which Terraform may
     * have written. Then it does not say which names of the language there are. */
    bool foreign;
} lc_client_version;
/* Does the client have what came with these minor versions of Terraform and OpenTofu (0: always)?
 * LC_MAYBE: some versions and clients that it may be have it, others do not. A client without a
 * version is a current one, which has everything. */
lc_tri lc_client_has(const lc_client_version *client, lc_profile profile, unsigned terraform,
                     unsigned opentofu);

/* A whole configuration. Owned by `arena`. */
typedef struct lc_configuration {
    lc_arena *arena;
    lc_profile profile;
    lc_client_version client; /* zero: a current version */
    lc_files files;           /* the loader's */
    lc_eval_budget *budget;
    lc_module *root;
    /* Callers before called modules, breadth first; then those of computed sources. */
    LC_VEC(lc_module *) modules;
    LC_VEC(lc_config_problem) problems;
    LC_VEC(lc_config_newer) newer; /* lc_client_find makes problems of those that apply */
    bool incomplete;               /* some module is */
    /* The module being examined: new problems are attributed to it. */
    const lc_module *at;
} lc_configuration;

/* A new, empty module below `parent`, in the arena. The root has neither parent nor call. */
lc_module *lc_config_module_new(lc_arena *arena, lc_module *parent, const lc_config_call *call);

/* Reads the root module and all modules that it calls by a literal source; for the others see
 * lc_configuration_open_computed. LC_EINPUT: there is no root
 * folder, or a file cannot be used; the reason is in `diags`. What the core itself would reject is
 * no error here: it is in `problems`. */
lc_status lc_configuration_read(lc_configuration *out, lc_arena *arena, lc_profile profile,
                                const lc_config_loader *loader, lc_diags *diags);
/* Opens the modules that the run blocks of test files name, and all modules that these call, after
 * the other modules of `config`, which the loader has read. `files` are those of one folder, whose
 * path is relative to the root module's folder. LC_EINPUT: as above. */
lc_status lc_configuration_open_tests(lc_configuration *config, const lc_config_loader *loader,
                                      lc_str folder, const lc_config_folder *files,
                                      lc_diags *diags);
/* Adds a problem of the module `config->at`; the rest of the struct may be filled in. The pointer
 * is valid until the next problem is added. */
lc_config_problem *lc_config_problem_add(lc_configuration *config, lc_source_pos place,
                                         const char *summary);

/* Version constraints, as `required_version` has them: conditions between commas. Is the text one;
 * does it allow a version (major.minor.patch); does it allow any release of a major version? What
 * is not a constraint allows everything. */
bool lc_version_is_constraint(lc_str text);
bool lc_version_allows(lc_str constraint, lc_str version);
bool lc_version_allows_major(lc_str constraint, unsigned major);

/* What names the version of the client. */
typedef struct lc_client_evidence {
    bool profile_known; /* the client of config->profile runs; false: perhaps the other one */
    lc_str given;       /* a version that the user names; or empty */
    lc_str plan_version, state_version; /* that wrote the plan and the state; or empty */
} lc_client_evidence;
/* Sets config->client: the version that the user names; else that which wrote the plan; else that
 * which wrote the state, if the modules allow it; else all that they allow. */
void lc_client_find(lc_configuration *config, const lc_client_evidence *evidence);
/* The client, its version, how that evaluates expressions otherwise than the version that is
 * mirrored, and which one that is; without a period, in the arena. */
lc_str lc_client_version_words(lc_arena *arena, lc_profile profile,
                               const lc_client_version *client);

/* The summary with which both clients refuse the text as the source address of a provider; NULL:
 * they accept it. */
const char *lc_provider_source_error(lc_str source);

/* The module at the address's path; keys are ignored. NULL if there is no such module. */
lc_module *lc_config_module_at(const lc_configuration *config, const lc_address *address);
/* The block that declares a resource or resource instance. NULL if there is no such block. */
lc_config_resource *lc_config_resource_at(const lc_configuration *config,
                                          const lc_address *address);
/* The required_providers entry of a local name. NULL if there is no such entry. */
const lc_config_required *lc_config_required_at(const lc_module *module, lc_str local_name);
/* Parses a bare reference as an address relative to its module. False: it is not an address. */
bool lc_config_address(lc_address *out, lc_arena *arena, const lc_config_ref *ref);
/* True if the block has count, for_each or enabled. */
bool lc_config_repeats(const lc_config_repetition *repetition);

#endif
