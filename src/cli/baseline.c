/* The files of --baseline and --write-baseline. */
#include "cli/checking.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static lc_exit read_file(lc_baseline *b, const lc_cli *cli, const lc_limits *limits)
{
    lc_str file = cli->options.baseline;
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, b->arena);
    if (lc_file_read(&text, b->arena, file, limits->input_bytes, &diags) == LC_OK)
        lc_baseline_read(b, file, text, &diags);
    return lc_report_diags(&diags) ? LC_EXIT_OK : lc_report_refused(cli, &diags);
}

/* Would --write-baseline overwrite a file other than that of --baseline? Its counts could grow. */
static bool is_in_the_way(const lc_cli *cli)
{
    struct stat there, known;
    lc_str path = cli->options.write_baseline;
    lc_str from = cli->options.baseline;
    if (path.len == 0 || cli->options.force || stat(lc_str_to_c(cli->arena, path), &there) != 0 ||
        !S_ISREG(there.st_mode))
        return false;
    if (from.len && stat(lc_str_to_c(cli->arena, from), &known) == 0 &&
        known.st_dev == there.st_dev && known.st_ino == there.st_ino)
        return false;
    lc_message("%.*s cannot be written: %s; --baseline %.*s makes it smaller, --force begins anew",
               LC_FMT(path), strerror(EEXIST), LC_FMT(path));
    return true;
}

lc_exit lc_baseline_open(lc_baseline **out, const lc_cli *cli, const lc_limits *limits)
{
    bool known = lc_cli_has(cli, LC_OPTION_BASELINE);
    *out = NULL;
    if (cli->options.baseline_strict && !known) {
        lc_message("a strict baseline needs a baseline: --baseline FILE");
        return LC_EXIT_USAGE;
    }
    if (!known && !cli->options.write_baseline.len)
        return LC_EXIT_OK;
    lc_baseline *b = LC_NEW(cli->arena, lc_baseline);
    lc_baseline_init(b, cli->arena, !known);
    *out = b;
    if (is_in_the_way(cli))
        return LC_EXIT_INTERNAL;
    return known ? read_file(b, cli, limits) : LC_EXIT_OK;
}

/* ---- Writing. */

/* `all`: every input was understood. Otherwise findings would vanish from the baseline that are
 * only not seen this time; a baseline that is begun anew has nothing to lose. */
lc_exit lc_baseline_close(lc_baseline *baseline, const lc_cli *cli, bool all)
{
    lc_str path = cli->options.write_baseline;
    lc_buf out = {0};
    if (!baseline || path.len == 0)
        return LC_EXIT_OK;
    const char *name = lc_str_to_c(cli->arena, path);
    if (!all && !baseline->learns) {
        lc_message("%s is not written: not all inputs were understood", name);
        return LC_EXIT_OK;
    }
    lc_baseline_print(&out, baseline);
    bool ok = lc_output_file_write(cli->arena, name, lc_buf_str(&out));
    if (!ok)
        lc_message("%s cannot be written: %s", name, strerror(errno));
    lc_buf_release(&out);
    return ok ? LC_EXIT_OK : LC_EXIT_INTERNAL;
}
