/* Inside module cli: commands, options, output. */
#ifndef LC_CLI_INTERNAL_H
#define LC_CLI_INTERNAL_H

#include "lifecheck/cloudformation/cloudformation.h"
#include "lifecheck/configuration/configuration.h"
#include "lifecheck/files/output_file.h"
#include "lifecheck/predict/learned.h"
#include "lifecheck/redact/redact.h"
#include "lifecheck/runner/checker.h"
#include "lifecheck/runner/evidence_set.h"
#include "lifecheck/scenario/planning_input.h"

#include <sys/types.h>

typedef enum lc_exit {
    LC_EXIT_OK = 0,
    LC_EXIT_FAILED = 1, /* a case does not conform or meet its expectation */
    LC_EXIT_USAGE = 2,
    LC_EXIT_INPUT = 3,    /* an input was not understood, or nothing was judged */
    LC_EXIT_INTERNAL = 4, /* out of memory, a bug, or the report could not be written */
    LC_EXIT_STOPPED = 5,  /* the budget for everything ran out before everything was asked */
} lc_exit;

/* ---- The command line. */

typedef enum lc_command {
#define COMMAND(id, ...) LC_COMMAND_##id,
#include "cli/commands.def"
#undef COMMAND
    LC_COMMAND_COUNT
} lc_command;

/* Does it run a client, whose standard output is not for its own reports? */
static inline bool lc_command_runs_client(lc_command command)
{
    return command == LC_COMMAND_RECORD || command == LC_COMMAND_SERVE;
}

typedef enum lc_option {
#define OPTION(id, ...) LC_OPTION_##id,
#include "cli/options.def"
#undef OPTION
    LC_OPTION_COUNT
} lc_option;

typedef enum lc_option_kind {
    LC_ARGUMENT_FLAG,
    LC_ARGUMENT_TEXT,
    LC_ARGUMENT_LIST,
    LC_ARGUMENT_CHOICE,
    LC_ARGUMENT_NUMBER,
} lc_option_kind;

typedef enum lc_option_scope {
    LC_SCOPE_SETTING, /* about a project: the settings file may have it */
    LC_SCOPE_ONCE,    /* about one run */
    LC_SCOPE_WRITES,  /* about the outputs of one run */
} lc_option_scope;

typedef enum lc_option_group {
    LC_GROUP_OWN,
    LC_GROUP_INPUTS,
    LC_GROUP_COUNTS,
    LC_GROUP_EVERY,
    LC_GROUP_COUNT
} lc_option_group;

typedef struct lc_option_info {
    const char *name;
    lc_option_kind kind;
    char letter;          /* 0: none */
    const char *argument; /* "": none */
    const char *values;   /* words of a choice; the largest of a number */
    const char *preset;   /* the default, if it has a name */
    lc_option_scope scope;
    lc_option_group group;
    unsigned commands; /* bits 1 << lc_command */
    const char *help;
} lc_option_info;
const lc_option_info *lc_option_get(lc_option option);
/* The description of an option in the help of a command. */
const char *lc_option_help(lc_option option, lc_command command);
/* Does the command not work without the option? */
bool lc_option_is_needed(lc_option option, lc_command command);

/* What the values of an option name. */
typedef enum lc_file_use {
    LC_NAMES_NOTHING,
    LC_NAMES_FILE,
    LC_NAMES_FOLDER,
    LC_NAMES_PATH, /* a file or a folder */
    LC_NAMES_OUTPUT,
    LC_NAMES_OUTPUT_FOLDER,
} lc_file_use;

typedef struct lc_command_info {
    const char *name;
    const char *words;   /* the arguments, for the usage text */
    const char *formats; /* words of --format; the first is the default */
    const char *takes;   /* what completes a word: words, FILE, RULE */
    const char *help;
} lc_command_info;
const lc_command_info *lc_command_get(lc_command command);

/* Where a setting comes from; a later row overrides an earlier one. */
typedef enum lc_setting_origin {
    LC_FROM_DEFAULT,
    LC_FROM_FILE,
    LC_FROM_ENVIRONMENT,
    LC_FROM_FLAG,
} lc_setting_origin;

/* The content of .lifecheck.yaml, apart from options. */
typedef struct lc_config {
    lc_str file; /* "": not given */
    LC_VEC(lc_ignore) ignores;
    lc_words exclude; /* globs of paths that a walk skips */
    lc_loc places[LC_OPTION_COUNT];
} lc_config;

/* A report that is required, and where. */
typedef struct lc_wanted {
    unsigned format; /* which of the command's formats; of those that judge: lc_format */
    lc_str path;     /* "": standard output */
} lc_wanted;

/* A choice that was not made, and has no default. */
#define LC_UNSET 0xffffffffu

/* The values of options, read once before the command begins: a field for each option, and
 * values that several options determine. Fields of options that the command does not take have
 * their defaults. Everything lives in cli->arena. */
typedef struct lc_options {
#define LC_FIELD_FLAG                bool
#define LC_FIELD_TEXT                lc_str /* "": not given */
#define LC_FIELD_LIST                lc_words
#define LC_FIELD_CHOICE              unsigned /* which of the values, or LC_UNSET */
#define LC_FIELD_NUMBER              uint64_t /* 0: not given, and no default */
#define OPTION(id, field, kind, ...) LC_FIELD_##kind field;
#include "cli/options.def"
#undef OPTION
    lc_policy policy; /* of commands that judge */
    lc_limits limits;
    lc_profile profile;               /* --as, of configurations; OpenTofu without it */
    lc_str as_version;                /* of the client of --as; or empty */
    lc_input_kind input_kind;         /* UNKNOWN: what it looks like */
    lc_report_options style;          /* of reports; the format is set for each of them */
    lc_wanted wanted[LC_MAX_REPORTS]; /* the first is what goes to standard output or --output */
    size_t wanted_count;
} lc_options;

typedef struct lc_cli {
    lc_arena *arena;
    lc_command command;
    bool named_command;   /* the command was given as the first word */
    lc_words words;       /* without the command */
    size_t before_dashes; /* how many of them stand before `--`; SIZE_MAX: it is not given */
    lc_words values[LC_OPTION_COUNT]; /* of options without an argument: one empty word */
    lc_setting_origin origins[LC_OPTION_COUNT];
    lc_config config;
    lc_options options; /* once lc_options_read has succeeded */
} lc_cli;

/* Without the settings file. False: an error was reported on standard error; the exit status is
 * LC_EXIT_USAGE. `environment` is asked for LIFECHECK_* variables (getenv). */
bool lc_cli_parse(lc_cli *out, lc_arena *arena, int argc, char **argv,
                  char *(*environment)(const char *name));
/* Warns on standard error about LIFECHECK_* variables that are misspelled. */
void lc_cli_report_variables(const lc_cli *cli, char **environment);
/* Fills in cli->options. False: an option does not take its value, which was reported. */
bool lc_options_read(lc_cli *cli);
/* The settings file: that of --settings, else the nearest .lifecheck.yaml upwards. Fills in what
 * neither a flag nor a variable has set. False: it has errors, which were reported with their
 * places. */
bool lc_config_read(lc_cli *cli);
/* The same for its text; `cli->config.file` has its name already. `named`: the user named the
 * file, so it is trusted. */
void lc_config_read_text(lc_cli *cli, lc_str text, bool named, lc_diags *diags);
/* Can everything that options name be read and written? All that cannot is reported with its
 * option, missing inputs also in the reports of the run: LC_EXIT_INPUT or LC_EXIT_INTERNAL. Nothing
 * is made but the folder of a report that is below the folder for scenarios. (named_files.c) */
lc_exit lc_cli_check_files(const lc_cli *cli);
/* The same for the inputs of one option; what cannot be read is added to `diags`. */
bool lc_cli_can_read(const lc_cli *cli, lc_option option, lc_diags *diags);
/* Without the address of ADDRESS=FILE, the format of cloudformation:FILE and the case of
 * FILE#CASE, unless a file has the whole name. */
lc_str lc_cli_path(const lc_cli *cli, lc_str value);
/* The path of an input that a value of the option names, or "". */
lc_str lc_cli_input_path(const lc_cli *cli, lc_option option, lc_str value);
/* Does the command take the option? */
bool lc_option_is_allowed(lc_option option, lc_command command);
/* Add a value; that of an option that is not repeatable replaces the former one. */
void lc_cli_add(lc_cli *cli, lc_option option, lc_str value);
bool lc_cli_has(const lc_cli *cli, lc_option option);
/* The last value given, or "". */
lc_str lc_cli_text(const lc_cli *cli, lc_option option);
/* `--format`, or `LIFECHECK_FORMAT` or `FILE:LINE:COLUMN: format` if the value came from there. In
 * cli->arena. */
lc_str lc_cli_option_name(const lc_cli *cli, lc_option option);
/* Reports each of `count` options that was given on the command line, where it would be ignored;
 * `why`: what it needs. True: there is one, which is a mistake of usage. */
bool lc_cli_refuse_idle(const lc_cli *cli, const lc_option *given, size_t count, const char *why);
/* The next word of `words`, which moves on; false at its end. */
bool lc_next_word(const char **words, lc_str *out);
/* --schema, --log, --new-state. */
lc_capture_options lc_cli_capture(const lc_cli *cli);
/* --var, --var-file and --var-environment. */
lc_variable_sources lc_cli_variables(const lc_cli *cli);
/* Which files a configuration may name. */
lc_config_access lc_cli_access(const lc_cli *cli);
/* The day of --today, of SOURCE_DATE_EPOCH, or else this one. False: wrong, reported. */
bool lc_cli_today(lc_date *out, const lc_cli *cli);
/* The client whose requests a provider is asked with: Terraform unless --as opentofu. */
lc_core lc_cli_client(const lc_cli *cli);

/* One line on standard error: `lifecheck: ...`, controls replaced. */
void lc_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Each line of the text as a message. */
void lc_report_lines(lc_str text);
/* Each of them with its place, on standard error. True if none is an error. */
bool lc_report_diags(const lc_diags *diags);
/* `what "word" does not exist; did you mean "near"?`, the question if there is a near one. */
void lc_report_unknown_word(const char *what, lc_str word, lc_str near, const char *hint);

/* The name of a command that is near this word (a likely misspelling), or "". */
lc_str lc_command_nearest(lc_str word);
bool lc_command_find(lc_command *out, lc_str name);
/* The usage of the command that was named, or the list of all commands. */
void lc_add_help(lc_buf *out, const lc_cli *cli);
/* What `lifecheck version` prints. */
void lc_add_version(lc_buf *out);
/* The columns of the terminal at this descriptor, by the variable COLUMNS or by the terminal's own
 * word, whichever first is between `least` and `most`; LC_USUAL_COLUMNS if neither is; 0: it is not
 * a terminal. */
#define LC_USUAL_COLUMNS 80
unsigned lc_terminal_columns(int fd, unsigned least, unsigned most);

/* ---- Output. */

typedef struct lc_sink {
    int fd;
    const char *name; /* for messages */
    bool failed;
} lc_sink;
/* Write and clear `bytes`. A failure is reported once; later writes are dropped. */
void lc_sink_write(lc_sink *sink, lc_buf *bytes);
/* Replaces control characters in the text from `from` on, because names in inputs may contain
 * any. Tabs and line breaks stay, and so do colours that are added later. */
void lc_clean_text(lc_buf *text, size_t from);
/* The formats of commands that do not judge. */
enum { LC_IN_TEXT, LC_IN_JSON };
/* Is this format required, on standard output or as a report? */
bool lc_wants(const lc_cli *cli, unsigned format);
/* Writes the output of a command in one of its formats, to all places that want this format:
 * standard output or the file of --output, and those of --report. Releases `bytes`. Returns the
 * exit status of a command that did only that. */
lc_exit lc_print(const lc_cli *cli, unsigned format, lc_buf *bytes);
/* One of them only. */
lc_exit lc_write_wanted(const lc_cli *cli, const lc_wanted *wanted, lc_str bytes);
/* The same for text and JSON; control characters in the text are replaced. */
lc_exit lc_print_both(const lc_cli *cli, lc_buf *text, lc_buf *json);
/* A string of lines with labels, folded at --width, or at a default of the command. */
typedef struct lc_page {
    lc_buf text;
    int label; /* columns of the labels */
    size_t width;
} lc_page;
lc_page lc_page_begin(const lc_cli *cli, int label, size_t width);
/* Nothing for an empty text. */
void lc_page_add(lc_page *page, const char *label, lc_str text);

/* May a result be written to this file? An existing file of --output is not overwritten without
 * --force, and a report never replaces an input. A refusal is reported. */
lc_exit lc_may_write(const lc_cli *cli, const lc_wanted *wanted);
/* True: the file of --output exists and may not be overwritten. Asked before any work is done. */
bool lc_is_in_the_way(const lc_cli *cli);

/* ---- Baselines. */

/* --baseline and --write-baseline. *out stays NULL without either; else it lives in cli->arena.
 * An existing file of --write-baseline is refused without --force if it is not the one of
 * --baseline, because its counts could grow. */
lc_exit lc_baseline_open(lc_baseline **out, const lc_cli *cli, const lc_limits *limits);
/* --write-baseline, by a new file that replaces the old one when it is complete. Unless `all`
 * inputs were understood the file stays as it is, because their findings are not known. */
lc_exit lc_baseline_close(lc_baseline *baseline, const lc_cli *cli, bool all);

/* ---- Files to check. */

/* The files that `words` name, as lc_items_find does it; what the settings file excludes is
 * skipped. A first word that is a misspelt command makes what follows it no list of inputs: its
 * error is the only item. In cli->arena. */
void lc_find_items(lc_items *out, const lc_cli *cli, const lc_words *words, lc_input_kind wanted);
/* Each folder of which nothing was taken is reported, with the command for a configuration in it.
 */
void lc_report_empty_folders(const lc_items *items);
/* Judges an item for what its cases show (checker->observe). Returns the number of its errors,
 * which are reported. */
size_t lc_observe_item(lc_checker *checker, const lc_item *item);
/* Reads the files that options name and none of the items needed, and reports their errors on
 * standard error. Returns how many. */
size_t lc_observe_named(lc_checker *checker);
/* How the sides of a comparison are judged. */
lc_evidence_options lc_cli_evidence_options(const lc_cli *cli, lc_input_kind wanted);
/* For lc_checker. */
#define LC_EMPTY_ADVICE "; --allow-empty permits that"

/* Judges, and again whenever a file has changed, until SIGINT or SIGTERM comes. Returns the status
 * of the last run. (watch.c) */
lc_exit lc_watch(const lc_cli *cli, lc_exit (*judge)(const lc_cli *cli));

/* Adds a line `KIND TYPE PROVIDER` to a list of types. */
void lc_add_type_line(lc_buf *out, lc_str provider, lc_schema_kind kind, lc_str type);

/* The copy of a capture directory to the folder of --output, which must not exist. */
lc_exit lc_redact_folder(const lc_cli *cli, lc_arena *arena, lc_schema_store *store, lc_str from,
                         const lc_redact_options *options, lc_diags *diags);

/* lc_meter_start, unless --quiet is given. */
lc_meter *lc_cli_meter(lc_meter *meter, const lc_cli *cli, size_t total, const char *what);

/* What --learn names: *out stays NULL without it. `checker` has limits, schemas and a policy; it
 * is borrowed. An input that cannot be understood is reported on standard error: LC_EXIT_INPUT. */
lc_exit lc_learn(lc_learned **out, const lc_cli *cli, const lc_checker *checker);
/* False: the file of --learned exists and is not of that kind, so that it will not be overwritten,
 * which is reported. */
bool lc_learned_may_write(const lc_cli *cli);
/* --learned; `learned` may be NULL. Reports mistakes. */
lc_exit lc_learned_write(const lc_cli *cli, const lc_learned *learned);

/* ---- Commands. */

#define COMMAND(id, name, ...) lc_exit lc_cmd_##name(const lc_cli *cli);
#include "cli/commands.def"
#undef COMMAND
/* Rules that match, as a list. */
void lc_rules_add_json(lc_buf *out, lc_str glob);
lc_exit lc_explain_error(const lc_cli *cli);
/* Who prints a message: for people, and as the member `cores`, which has only clients. */
lc_str lc_cores_words(lc_cores cores);
void lc_cores_add_json(lc_doc *doc, lc_cores set);
/* init --from. */
lc_exit lc_init_from(const lc_cli *cli);
lc_exit lc_cfn_documents(const lc_cli *cli);
/* cfn name, and with `back` cfn property. */
lc_exit lc_cfn_names(const lc_cli *cli, bool back);

#endif
