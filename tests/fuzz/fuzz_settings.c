/* The configuration file, .lifecheck.yaml: any text is read or refused, never both. Laws: an error
 * has a line and a column; a setting that is taken is an option that may be set there, of the
 * command that asks, in as many values as it has, and never one of an output or of a single run;
 * its place is inside the text; a flag keeps its value; a file that no one has named names no file
 * outside of its folder; ignores have a rule and a reason; and reading twice gives the same. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FOLDER    LC_STR("/nonexistent/")
#define FILE_NAME LC_STR("/nonexistent/.lifecheck.yaml")

static void check_place(lc_loc loc, uint32_t lines)
{
    LC_ASSERT(loc.line > 0 && loc.line <= lines && loc.column > 0);
    LC_ASSERT(lc_str_eq(loc.file, FILE_NAME));
}

static void check_file(lc_str value, bool named)
{
    if (named || value.len == 0) /* which is not a file */
        return;
    LC_ASSERT(lc_str_starts_with(value, FOLDER));
    value = lc_str_sub(value, FOLDER.len, value.len);
    LC_ASSERT(!lc_str_is(value, "-") && !lc_str_is(value, "..") &&
              !lc_str_starts_with(value, LC_STR("../")));
    for (size_t i = 0; i + 4 <= value.len; i++)
        LC_ASSERT(memcmp(value.ptr + i, "/../", 4) != 0);
}

static void check_option(const lc_cli *cli, lc_option option, bool named, uint32_t lines)
{
    static const lc_option never[] = {
        LC_OPTION_REPORT,    LC_OPTION_OUTPUT,   LC_OPTION_WRITE_BASELINE,
        LC_OPTION_FORCE,     LC_OPTION_SETTINGS, LC_OPTION_NO_SETTINGS,
        LC_OPTION_NEW_STATE, LC_OPTION_INPUT,    LC_OPTION_SECRETS};
    const lc_option_info *info = lc_option_get(option);
    const lc_words *values = &cli->values[option];
    if (cli->origins[option] != LC_FROM_FILE) {
        LC_ASSERT(values->count == 0 || cli->origins[option] == LC_FROM_FLAG);
        return;
    }
    LC_ASSERT(info->scope == LC_SCOPE_SETTING);
    LC_ASSERT(cli->command == LC_COMMAND_SETTINGS || (info->commands & 1u << cli->command));
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        LC_ASSERT(option != never[i]);
    LC_ASSERT(info->kind == LC_ARGUMENT_LIST || values->count <= 1);
    check_place(cli->config.places[option], lines);
    for (size_t i = 0; i < values->count; i++) {
        LC_ASSERT(info->kind != LC_ARGUMENT_FLAG || values->items[i].len == 0);
        if (strcmp(info->argument, "FILE") == 0)
            check_file(values->items[i], named);
    }
}

static void check_ignores(const lc_config *config, uint32_t lines)
{
    LC_ASSERT(config->ignores.count <= LC_MAX_IGNORES);
    for (size_t i = 0; i < config->ignores.count; i++) {
        const lc_ignore *ignore = &config->ignores.items[i];
        check_place(ignore->loc, lines);
        LC_ASSERT(ignore->rule.len > 0 && ignore->reason.len > 0);
    }
}

static bool read_settings(lc_cli *cli, lc_arena *arena, lc_str text, bool named, lc_diags *diags)
{
    memset(cli, 0, sizeof *cli);
    cli->arena = arena;
    /* Its length decides who asks. */
    cli->command = text.len % 8 == 7   ? LC_COMMAND_SETTINGS
                   : text.len % 8 == 6 ? (lc_command)(text.len / 8 % LC_COMMAND_COUNT)
                                       : LC_COMMAND_CHECK;
    cli->config.file = FILE_NAME;
    lc_cli_add(cli, LC_OPTION_FAIL_ON, LC_STR("info"));
    cli->origins[LC_OPTION_FAIL_ON] = LC_FROM_FLAG;
    lc_diags_init(diags, arena);
    lc_config_read_text(cli, text, named, diags);
    return diags->errors == 0;
}

static void check_same(const lc_cli *a, const lc_cli *b)
{
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        LC_ASSERT(a->origins[i] == b->origins[i] && a->values[i].count == b->values[i].count);
        for (size_t k = 0; k < a->values[i].count; k++)
            LC_ASSERT(lc_str_eq(a->values[i].items[k], b->values[i].items[k]));
    }
    LC_ASSERT(a->config.ignores.count == b->config.ignores.count);
    LC_ASSERT(a->config.exclude.count == b->config.exclude.count);
}

static void look(lc_arena *arena, lc_str text, bool named, uint32_t lines)
{
    lc_cli *cli = LC_NEW(arena, lc_cli), *again = LC_NEW(arena, lc_cli);
    lc_diags diags, same;
    bool ok = read_settings(cli, arena, text, named, &diags);
    LC_ASSERT(read_settings(again, arena, text, named, &same) == ok && same.count == diags.count);
    check_same(cli, again);
    for (size_t i = 0; i < diags.count; i++) {
        LC_ASSERT(diags.items[i].message.len > 0);
        check_place(diags.items[i].loc, lines);
    }
    LC_ASSERT(lc_str_is(lc_cli_text(cli, LC_OPTION_FAIL_ON), "info"));
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++)
        check_option(cli, (lc_option)i, named, lines);
    if (ok)
        check_ignores(&cli->config, lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = {(const char *)data, size};
    uint32_t lines = 2; /* an end may be reported on the line after the last */
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r' || data[i] >= 0x80;
    look(arena, text, false, lines);
    look(arena, text, true, lines);
    lc_arena_free(arena);
    return 0;
}
