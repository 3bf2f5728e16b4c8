/* lifecheck redact: a copy that can be shared. */
#include "cli/internal.h"
#include "lifecheck/arena.h"

#include <sys/stat.h>

static void tell(const lc_diags *diags)
{
    for (size_t i = 0; i < diags->count; i++) {
        const lc_diag *d = &diags->items[i];
        if (d->loc.line)
            lc_message("%.*s:%u:%u: %.*s", LC_FMT(d->loc.file), d->loc.line, d->loc.column,
                       LC_FMT(d->message));
        else
            lc_message("%.*s: %.*s", LC_FMT(d->loc.file), LC_FMT(d->message));
    }
}

static bool is_folder(const lc_cli *cli, lc_str path)
{
    struct stat s;
    return stat(lc_str_to_c(cli->arena, path), &s) == 0 && S_ISDIR(s.st_mode);
}

static lc_exit redact(const lc_cli *cli, lc_arena *arena, const lc_limits *limits,
                      lc_input_kind input)
{
    lc_redact_options options = {
        .input = input, .all = lc_cli_has(cli, LC_OPTION_ALL), .capture = lc_cli_capture(cli)};
    lc_schema_store store;
    lc_diags diags;
    lc_str text, file = cli->words.items[0];
    lc_buf out = {0};
    lc_schema_store_init(&store, arena, *limits);
    lc_diags_init(&diags, arena);
    if (is_folder(cli, file)) {
        lc_exit folder = lc_redact_folder(cli, arena, &store, file, &options, &diags);
        tell(&diags);
        return folder;
    }
    bool ok = lc_file_read(&text, arena, file, limits->input_bytes, &diags) == LC_OK &&
              lc_redact(&out, arena, &store, file, text, &options, &diags);
    tell(&diags);
    lc_exit status = ok ? lc_write_result(cli, &out) : LC_EXIT_INPUT;
    lc_buf_release(&out);
    return status;
}

lc_exit lc_cmd_redact(const lc_cli *cli)
{
    lc_limits limits;
    lc_input_kind input = LC_INPUT_UNKNOWN;
    if (cli->words.count != 1) {
        lc_message(
            "redact takes one input: a stream of calls, a capture directory, a plan or a state, "
            "or - for standard input");
        return LC_EXIT_USAGE;
    }
    if (!lc_cli_limits(cli, &limits) || !lc_cli_input(cli, &input))
        return LC_EXIT_USAGE;
    lc_arena *arena = lc_arena_new();
    lc_exit status = redact(cli, arena, &limits, input);
    lc_arena_free(arena);
    return status;
}
