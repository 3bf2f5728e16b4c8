/* lifecheck redact: a copy that can be shared. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

#include <sys/stat.h>

static bool is_folder(const lc_cli *cli, lc_str path)
{
    struct stat s;
    return stat(lc_str_to_c(cli->arena, path), &s) == 0 && S_ISDIR(s.st_mode);
}

/* A capture directory is copied as a folder, anything else as one stream. */
static lc_exit redact(const lc_cli *cli, lc_arena *arena)
{
    const lc_options *o = &cli->options;
    lc_redact_options options = {
        .input = o->input_kind, .all = o->all_values, .capture = lc_cli_capture(cli)};
    lc_schema_store store;
    lc_diags diags;
    lc_str text, file = cli->words.items[0];
    lc_buf out = {0};
    lc_schema_store_init(&store, arena, o->limits);
    lc_diags_init(&diags, arena);
    if (is_folder(cli, file)) {
        lc_exit folder = lc_redact_folder(cli, arena, &store, file, &options, &diags);
        lc_report_diags(&diags);
        return folder;
    }
    bool ok = lc_file_read(&text, arena, file, o->limits.input_bytes, &diags) == LC_OK &&
              lc_redact(&out, arena, &store, file, text, &options, &diags);
    lc_report_diags(&diags);
    lc_exit status = ok ? lc_print(cli, LC_IN_TEXT, &out) : LC_EXIT_INPUT;
    lc_buf_release(&out);
    return status;
}

lc_exit lc_cmd_redact(const lc_cli *cli)
{
    if (cli->words.count != 1) {
        lc_message(
            "redact takes one input: a stream of calls, a capture directory, a plan or a state, "
            "or - for standard input");
        return LC_EXIT_USAGE;
    }
    lc_arena *arena = lc_arena_new();
    lc_exit status = redact(cli, arena);
    lc_arena_free(arena);
    return status;
}
