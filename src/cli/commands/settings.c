/* lifecheck settings: every setting that `check` would use here, as a settings file, and with
 * --show-origin where it comes from. */
#include "cli/internal.h"

static bool is_shown(lc_option option)
{
    return option != LC_OPTION_HELP && option != LC_OPTION_VERSION &&
           option != LC_OPTION_SETTINGS && option != LC_OPTION_NO_SETTINGS &&
           (lc_option_get(option)->commands & 1u << LC_COMMAND_CHECK) != 0;
}

/* ---- Values. */

static void add_list(lc_buf *out, const lc_words *values)
{
    lc_json w = {.out = out, .spaced = true};
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < values->count; i++)
        lc_json_str(&w, NULL, values->items[i]);
    lc_json_end_array(&w);
}

static void add_value(lc_buf *out, const lc_cli *cli, lc_option option)
{
    const lc_option_info *info = lc_option_get(option);
    const lc_words *values = &cli->values[option];
    if (info->kind == LC_ARGUMENT_FLAG)
        lc_buf_add_c(out, values->count ? "true" : "false");
    else if (info->kind == LC_ARGUMENT_LIST)
        add_list(out, values);
    else if (values->count)
        lc_buf_add_json(out, values->items[0], false);
    else
        lc_buf_add_c(out, *info->preset ? info->preset : "null");
}

static lc_str place_name(const lc_cli *cli, lc_loc place)
{
    return lc_str_printf(cli->arena, "%.*s:%u:%u", LC_FMT(place.file), (unsigned)place.line,
                         (unsigned)place.column);
}

static lc_str origin_of(const lc_cli *cli, lc_option option)
{
    switch (cli->origins[option]) {
    case LC_FROM_DEFAULT:
        break;
    case LC_FROM_FILE:
        return place_name(cli, cli->config.places[option]);
    case LC_FROM_ENVIRONMENT:
    case LC_FROM_FLAG:
        return lc_cli_option_name(cli, option);
    }
    return LC_STR("built-in");
}

/* ---- Lines. */

static void add_line(lc_buf *out, const lc_cli *cli, const char *key, lc_buf *value, lc_str origin)
{
    lc_buf line = {0};
    lc_buf_printf(&line, "%s%.*s", key, LC_FMT(lc_buf_str(value)));
    if (lc_cli_has(cli, LC_OPTION_SHOW_ORIGIN))
        lc_buf_printf(out, "%-32.*s # %.*s\n", LC_FMT(lc_buf_str(&line)), LC_FMT(origin));
    else
        lc_buf_printf(out, "%.*s\n", LC_FMT(lc_buf_str(&line)));
    lc_buf_release(&line);
    lc_buf_clear(value);
}

static void add_option(lc_buf *out, const lc_cli *cli, lc_option option)
{
    lc_buf value = {0};
    add_value(&value, cli, option);
    /* A settings file cannot unset an option, and has no options of a single run. */
    bool unset =
        lc_str_is(lc_buf_str(&value), "null") || lc_option_get(option)->scope != LC_SCOPE_SETTING;
    add_line(out, cli,
             lc_str_to_c(cli->arena, lc_str_printf(cli->arena, "%s%s: ", unset ? "# " : "",
                                                   lc_option_get(option)->name)),
             &value, origin_of(cli, option));
    lc_buf_release(&value);
}

static void add_member(lc_buf *out, const char *key, lc_str text)
{
    if (text.len == 0)
        return;
    lc_buf_printf(out, ", %s: ", key);
    lc_buf_add_json(out, text, false);
}

static void add_ignore(lc_buf *out, const lc_cli *cli, const lc_ignore *ignore)
{
    lc_buf value = {0}, path = {0};
    lc_buf_add_c(&value, "{rule: ");
    lc_buf_add_json(&value, ignore->rule, false);
    add_member(&value, "type", ignore->type);
    add_member(&value, "resource", ignore->resource);
    if (ignore->has_path)
        lc_path_add_text(&path, ignore->path);
    add_member(&value, "path", lc_buf_str(&path));
    add_member(&value, "reason", ignore->reason);
    if (ignore->until)
        lc_buf_printf(&value, ", until: %.*s", LC_FMT(lc_date_text(cli->arena, ignore->until)));
    lc_buf_add_char(&value, '}');
    add_line(out, cli, "  - ", &value, place_name(cli, ignore->loc));
    lc_buf_release(&value);
    lc_buf_release(&path);
}

/* Ignored rules and accepted findings are one list in the file. It has one item a line if any
 * item has a reason. */
static void add_ignores(lc_buf *out, const lc_cli *cli)
{
    const lc_words *globs = &cli->values[LC_OPTION_IGNORE];
    lc_buf value = {0};
    if (cli->config.ignores.count == 0) {
        add_option(out, cli, LC_OPTION_IGNORE);
        return;
    }
    lc_buf_add_c(out, "ignore:\n");
    for (size_t i = 0; i < globs->count; i++) {
        lc_buf_add_json(&value, globs->items[i], false);
        add_line(out, cli, "  - ", &value, origin_of(cli, LC_OPTION_IGNORE));
    }
    for (size_t i = 0; i < cli->config.ignores.count; i++)
        add_ignore(out, cli, &cli->config.ignores.items[i]);
    lc_buf_release(&value);
}

lc_exit lc_cmd_settings(const lc_cli *cli)
{
    lc_buf out = {0}, value = {0};
    const lc_config *config = &cli->config;
    if (cli->words.count) {
        lc_message("settings takes no argument");
        return LC_EXIT_USAGE;
    }
    lc_buf_printf(&out, "# %.*s\n",
                  LC_FMT(config->file.len ? config->file : LC_STR("no settings file")));
    for (unsigned i = 0; i < LC_OPTION_COUNT; i++) {
        if (i == LC_OPTION_IGNORE)
            add_ignores(&out, cli);
        else if (is_shown((lc_option)i))
            add_option(&out, cli, (lc_option)i);
    }
    add_list(&value, &config->exclude);
    add_line(&out, cli, "exclude: ", &value,
             config->exclude.count ? config->file : LC_STR("built-in"));
    lc_buf_release(&value);
    return lc_print(cli, LC_IN_TEXT, &out);
}
