/* The table of laws, and which of them are asked. */
#include "lifecheck/probe/probe.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define S(text) {(text), sizeof(text) - 1}
/* clang-format on */

static const lc_law_info laws[LC_LAW_COUNT] = {
#define LAW(number, id, strength, asked, title, precondition, rules, guard)                        \
    [LC_LAW_##                                                                                     \
        number] = {number, S(id), strength, asked, S(title), S(precondition), S(rules), S(guard)},
#include "lifecheck/probe/laws.def"
};

const lc_law_info *lc_law_get(lc_law law)
{
    return &laws[law];
}

static bool is_default(const lc_law_info *law)
{
    return law->strength == LC_MUST || law->strength == LC_CORE_RULE;
}

static bool matches(const lc_law_info *law, lc_str glob)
{
    char number[16];
    int length = snprintf(number, sizeof number, "%u", law->number);
    return lc_str_matches_glob(law->id, glob) ||
           lc_str_matches_glob((lc_str){number, (size_t)length}, glob);
}

/* A law that the user names and that cannot be tried is still selected: it is reported as not
 * tried. */
static bool select_some(bool *out, lc_str glob)
{
    bool any = false;
    for (size_t i = 0; i < LC_LAW_COUNT; i++) {
        bool fits = matches(&laws[i], glob);
        out[i] |= fits;
        any |= fits;
    }
    return any;
}

bool lc_laws_select(bool out[LC_LAW_COUNT], const lc_str *globs, size_t count, bool all,
                    lc_str *bad)
{
    memset(out, 0, LC_LAW_COUNT * sizeof *out);
    for (size_t i = 0; count == 0 && i < LC_LAW_COUNT; i++)
        out[i] = laws[i].asked && (all || is_default(&laws[i]));
    for (size_t i = 0; i < count; i++) {
        if (!select_some(out, globs[i])) {
            *bad = globs[i];
            return false;
        }
    }
    return true;
}
