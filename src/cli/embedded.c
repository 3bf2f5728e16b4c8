/* The table is made when the program is built: scenarios, and the templates of completion. */
#include "cli/embedded.h"

#include <string.h>

static const lc_embedded files[] = {
#include "embedded.inc"
};
#define FILES (sizeof files / sizeof files[0])

const lc_embedded *lc_embedded_file(lc_str path)
{
    for (size_t i = 0; i < FILES; i++) {
        if (lc_str_is(path, files[i].path))
            return &files[i];
    }
    return NULL;
}

/* scenarios/<family>/<rule>/fail-<why>.yaml: the build takes the first of each rule and kind. */
const lc_embedded *lc_embedded_scenario(lc_str slug, bool fails)
{
    static const char folder[] = "scenarios/";
    const char *kind = fails ? "/fail-" : "/pass-";
    for (size_t i = 0; i < FILES; i++) {
        lc_str path = lc_str_from_c(files[i].path);
        if (!lc_str_starts_with(path, lc_str_from_c(folder)))
            continue;
        path = lc_str_sub(path, sizeof folder - 1, path.len);
        if (lc_str_starts_with(path, slug) &&
            lc_str_starts_with(lc_str_sub(path, slug.len, path.len), lc_str_from_c(kind)))
            return &files[i];
    }
    return NULL;
}
