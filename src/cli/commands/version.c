/* lifecheck version: what a bug report needs to know of this program. */
#include "cli/commit.h"
#include "cli/internal.h"

#if defined __clang__
#define COMPILER "clang " __clang_version__
#elif defined __GNUC__
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

#ifdef LC_WITH_NGHTTP2
#define FEATURES "with nghttp2 (record can run a client)"
#else
#define FEATURES "without nghttp2 (record cannot run a client)"
#endif

void lc_add_version(lc_buf *out)
{
    lc_buf_printf(out, "lifecheck %s", LC_VERSION);
    if (*LC_COMMIT)
        lc_buf_printf(out, " (commit %s)", LC_COMMIT);
    lc_buf_printf(out, "\nbuilt by %s, %s\nmirrors opentofu %s, terraform %s\n", COMPILER, FEATURES,
                  LC_MIRRORED_OPENTOFU, LC_MIRRORED_TERRAFORM);
}

lc_exit lc_cmd_version(const lc_cli *cli)
{
    lc_buf out = {0};
    if (cli->words.count) {
        lc_message("version takes no argument");
        return LC_EXIT_USAGE;
    }
    lc_add_version(&out);
    return lc_print(cli, LC_IN_TEXT, &out);
}
