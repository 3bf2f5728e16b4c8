/* The files of --baseline and --write-baseline. */
#include "internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool read_file(lc_baseline *b, lc_str file, const lc_limits *limits)
{
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, b->arena);
    if (lc_file_read(&text, b->arena, file, limits->input_bytes, &diags) == LC_OK)
        lc_baseline_read(b, file, text, &diags);
    return lc_tell_diags(&diags);
}

lc_exit lc_baseline_open(lc_baseline **out, const lc_cli *cli, const lc_limits *limits)
{
    bool known = lc_cli_has(cli, LC_OPTION_BASELINE);
    *out = NULL;
    if (lc_cli_has(cli, LC_OPTION_BASELINE_STRICT) && !known) {
        lc_tell("a strict baseline needs a baseline: --baseline FILE");
        return LC_EXIT_USAGE;
    }
    if (!known && !lc_cli_has(cli, LC_OPTION_WRITE_BASELINE))
        return LC_EXIT_OK;
    lc_baseline *b = LC_NEW(cli->arena, lc_baseline);
    lc_baseline_init(b, cli->arena, !known);
    *out = b;
    if (known && !read_file(b, lc_cli_text(cli, LC_OPTION_BASELINE), limits))
        return LC_EXIT_INPUT;
    return LC_EXIT_OK;
}

lc_exit lc_baseline_close(lc_baseline *baseline, const lc_cli *cli)
{
    lc_str path = lc_cli_text(cli, LC_OPTION_WRITE_BASELINE);
    lc_buf out = {0};
    if (!baseline || path.len == 0)
        return LC_EXIT_OK;
    const char *name = lc_str_to_c(cli->arena, path);
    const char *part = lc_str_to_c(cli->arena, lc_str_printf(cli->arena, "%.*s.new", LC_FMT(path)));
    lc_sink sink = {open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), part, false};
    lc_baseline_print(&out, baseline);
    if (sink.fd >= 0)
        lc_sink_write(&sink, &out);
    lc_buf_release(&out);
    if (sink.fd >= 0 && !sink.failed && close(sink.fd) == 0 && rename(part, name) == 0)
        return LC_EXIT_OK;
    if (!sink.failed)
        lc_tell("%s cannot be written: %s", name, strerror(errno));
    return LC_EXIT_INTERNAL;
}
