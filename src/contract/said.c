/* The list of what is said of whole plans, configurations and states. */
#include "lifecheck/said.h"

#define ROW(id, cores, summary, words, use)                                                        \
    {LC_RULE_##id, LC_MATTER_NONE, cores, summary, words, LC_SAID_##use},

static const lc_said list[] = {
#define LC_SAID(id, cores, summary, words)  ROW(id, cores, summary, words, BOTH)
#define LC_HEARD(id, cores, summary, words) ROW(id, cores, summary, words, HEARD)
#define LC_ASIDE(id, cores, summary)        ROW(id, cores, summary, "", ASIDE)
#define LC_MATTERED(id, cores, summary, words)                                                     \
    {LC_RULE_COUNT, LC_MATTER_##id, cores, summary, words, LC_SAID_BOTH},
#define LC_MATTER(...)
#include "contract/said.def"
#undef LC_SAID
#undef LC_HEARD
#undef LC_ASIDE
#undef LC_MATTERED
#undef LC_MATTER
};

size_t lc_said_count(void)
{
    return sizeof list / sizeof *list;
}

const lc_said *lc_said_at(size_t i)
{
    return &list[i];
}

lc_str lc_said_summary(lc_rule rule, lc_core core)
{
    for (size_t i = 0; i < lc_said_count(); i++) {
        if (list[i].rule == rule && list[i].use != LC_SAID_HEARD && (list[i].cores >> core & 1u))
            return lc_str_from_c(list[i].summary);
    }
    return LC_STR_EMPTY;
}

bool lc_said_is(lc_rule rule, lc_str summary)
{
    for (size_t i = 0; i < lc_said_count(); i++) {
        if (list[i].rule == rule && lc_str_is(summary, list[i].summary))
            return true;
    }
    return false;
}

const lc_matter_info *lc_matter_get(lc_matter matter)
{
    static const lc_matter_info infos[] = {
        {"", "", "", ""},
#define LC_SAID(...)
#define LC_HEARD(...)
#define LC_ASIDE(...)
#define LC_MATTERED(...)
#define LC_MATTER(id, name, title, meaning, advice) {name, title, meaning, advice},
#include "contract/said.def"
#undef LC_SAID
#undef LC_HEARD
#undef LC_ASIDE
#undef LC_MATTERED
#undef LC_MATTER
    };
    return &infos[matter];
}
