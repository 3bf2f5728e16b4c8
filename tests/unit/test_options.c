/* The table of options, for every command: what it takes, from the command line and from the
 * environment, and which values it refuses. */
#include "unit.h"

#include "cli/internal.h"

#include <stdio.h>
#include <string.h>

static const char *variable, *variable_value;

static char *environment(const char *name)
{
    static char value[64];
    if (!variable || strcmp(name, variable) != 0)
        return NULL;
    snprintf(value, sizeof value, "%s", variable_value);
    return value;
}

/* A value that the option takes in this command. */
static lc_str good_value(lc_option option, lc_command command)
{
    const lc_option_info *info = lc_option_get(option);
    const char *words = option == LC_OPTION_FORMAT         ? lc_command_get(command)->formats
                        : info->kind == LC_ARGUMENT_CHOICE ? info->values
                        : info->kind == LC_ARGUMENT_NUMBER ? "1"
                                                           : "x";
    lc_str word;
    return lc_next_word(&words, &word) ? word : LC_STR("x");
}

static bool parse(lc_cli *cli, lc_arena *arena, lc_command command, lc_str word)
{
    char program[] = "lifecheck", help[] = "--help";
    char *argv[] = {program, lc_str_to_c(arena, lc_str_from_c(lc_command_get(command)->name)),
                    lc_str_to_c(arena, word), help};
    return lc_cli_parse(cli, arena, word.len ? 4 : 2, argv, environment);
}

static lc_str written(lc_arena *arena, lc_option option, lc_str value)
{
    const lc_option_info *info = lc_option_get(option);
    if (info->kind == LC_ARGUMENT_FLAG)
        return lc_str_printf(arena, "--%s", info->name);
    return lc_str_printf(arena, "--%s=%.*s", info->name, LC_FMT(value));
}

/* `settings` takes what `check` takes; otherwise the row says it. */
static bool takes(lc_option option, lc_command command)
{
    unsigned commands = lc_option_get(option)->commands;
    return (commands & 1u << command) ||
           (command == LC_COMMAND_SETTINGS && (commands & 1u << LC_COMMAND_CHECK));
}

/* Each command takes exactly the options of its rows, and finds the value that was given. */
START_TEST(command_line)
{
    lc_command command = (lc_command)_i;
    lc_arena *arena = lc_arena_new();
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        lc_option option = (lc_option)i;
        lc_str value = good_value(option, command), word = written(arena, option, value);
        lc_cli cli;
        bool taken = parse(&cli, arena, command, word);
        ck_assert_msg(taken == takes(option, command), "%s %.*s: %d", lc_command_get(command)->name,
                      LC_FMT(word), taken);
        if (!taken)
            continue;
        ck_assert_msg(cli.command == command && lc_cli_has(&cli, option) &&
                          cli.origins[option] == LC_FROM_FLAG,
                      "%.*s", LC_FMT(word));
        if (lc_option_get(option)->kind != LC_ARGUMENT_FLAG)
            CHECK_TEXT(lc_option_get(option)->name, lc_cli_text(&cli, option), value);
    }
    lc_arena_free(arena);
}
END_TEST

/* A value of a choice or a number that is none is refused, for every command that has the option.
 */
START_TEST(refused_values)
{
    lc_command command = (lc_command)_i;
    lc_arena *arena = lc_arena_new();
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        lc_option option = (lc_option)i;
        lc_option_kind kind = lc_option_get(option)->kind;
        bool checked = kind == LC_ARGUMENT_CHOICE || kind == LC_ARGUMENT_NUMBER ||
                       option == LC_OPTION_FORMAT || option == LC_OPTION_REPORT;
        lc_cli cli;
        if (!checked || !takes(option, command))
            continue;
        lc_str word = written(arena, option, LC_STR("nonsense"));
        ck_assert(parse(&cli, arena, command, word));
        ck_assert_msg(!lc_options_read(&cli), "%s %.*s", lc_command_get(command)->name,
                      LC_FMT(word));
        if (kind != LC_ARGUMENT_CHOICE && kind != LC_ARGUMENT_NUMBER)
            continue;
        word = written(arena, option, good_value(option, command));
        ck_assert(parse(&cli, arena, command, word));
        ck_assert_msg(lc_options_read(&cli), "%s %.*s", lc_command_get(command)->name,
                      LC_FMT(word));
    }
    lc_arena_free(arena);
}
END_TEST

/* A variable sets the option of commands that take it, and is passed over by the others. Outputs
 * are for the commands whose purpose they are. */
START_TEST(variables)
{
    lc_command command = (lc_command)_i;
    lc_arena *arena = lc_arena_new();
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        lc_option option = (lc_option)i;
        char name[64] = "LIFECHECK_";
        lc_cli cli;
        if (option == LC_OPTION_HELP || option == LC_OPTION_VERSION || option == LC_OPTION_REPORT ||
            option == LC_OPTION_OUTPUT)
            continue;
        size_t at = strlen(name);
        for (const char *c = lc_option_get(option)->name; *c; c++)
            name[at++] = *c == '-' ? '_' : (char)(*c - 'a' + 'A');
        name[at] = '\0';
        variable = name;
        bool flag = lc_option_get(option)->kind == LC_ARGUMENT_FLAG;
        variable_value = flag ? "maybe" : lc_str_to_c(arena, good_value(option, command));
        if (flag)
            ck_assert_msg(parse(&cli, arena, command, LC_STR("--help")) != takes(option, command),
                          "%s %s", lc_command_get(command)->name, name);
        variable_value = flag ? "yes" : variable_value;
        ck_assert(parse(&cli, arena, command, LC_STR("--help")));
        ck_assert_msg((cli.origins[option] == LC_FROM_ENVIRONMENT) == takes(option, command),
                      "%s %s", lc_command_get(command)->name, name);
        variable = NULL;
    }
    lc_arena_free(arena);
}
END_TEST

/* Names and letters are those of one option, presets are values, and nothing is without help. */
START_TEST(rows)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        const lc_option_info *a = lc_option_get((lc_option)i);
        ck_assert_msg(*a->help && a->commands, "%s", a->name);
        ck_assert_msg((a->kind == LC_ARGUMENT_FLAG) == !*a->argument, "%s", a->name);
        if (a->kind == LC_ARGUMENT_CHOICE && *a->values && *a->preset)
            ck_assert_msg(strstr(a->values, a->preset) != NULL, "%s", a->name);
        for (unsigned k = 0; k < i; k++) {
            const lc_option_info *b = lc_option_get((lc_option)k);
            ck_assert_msg(strcmp(a->name, b->name) != 0, "%s", a->name);
            ck_assert_msg(!a->letter || a->letter != b->letter, "%s, %s", a->name, b->name);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("options");
    TCase *all = tcase_create("table");
    if (!freopen("/dev/null", "w", stderr))
        return EXIT_FAILURE;
    tcase_add_loop_test(all, command_line, 0, LC_COMMAND_COUNT);
    tcase_add_loop_test(all, refused_values, 0, LC_COMMAND_COUNT);
    tcase_add_loop_test(all, variables, 0, LC_COMMAND_COUNT);
    tcase_add_test(all, rows);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
