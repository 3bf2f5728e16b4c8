/* The list of core messages as data. The .def file is included once for each kind of rows. */
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/base/bug.h"

/* The strings as the cores have them, with Go's verbs instead of values. */
static const char *const templates[LC_CORE_TEXT_COUNT] = {
#define LC_GO_Q                  "%q"
#define LC_GO_D                  "%d"
#define LC_GO_S                  "%s"
#define LC_TEXT(id, text, ...)   [LC_TEXT_##id] = text,
#define LC_TEXT_QUOTED(id, text) [LC_TEXT_##id] = text,
#include "lifecheck/catalog/core_messages.def"
};

const char *lc_core_text_template(lc_core_text text)
{
    LC_ASSERT((unsigned)text < LC_CORE_TEXT_COUNT);
    return templates[text];
}

#define ROW(id, cores, summary, words, use)                                                        \
    {LC_RULE_##id, LC_TOPIC_NONE, cores, summary, words, LC_MESSAGE_##use},

static const lc_core_message refusals[] = {
#define LC_CORE_MESSAGE(id, cores, summary, words)      ROW(id, cores, summary, words, QUOTED)
#define LC_CORE_MESSAGE_COMMON(id, cores, summary)      ROW(id, cores, summary, "", COMMON)
#define LC_CORE_MESSAGE_NEAR(id, cores, summary, words) ROW(id, cores, summary, words, NEAR)
#define LC_CORE_MESSAGE_TOPIC(id, cores, summary, words)                                           \
    {LC_RULE_COUNT, LC_TOPIC_##id, cores, summary, words, LC_MESSAGE_QUOTED},
#include "lifecheck/catalog/core_messages.def"
};

size_t lc_core_message_count(void)
{
    return sizeof refusals / sizeof *refusals;
}

const lc_core_message *lc_core_message_at(size_t i)
{
    return &refusals[i];
}

/* A NEAR message belongs to a neighbouring check: it explains a pasted error, but is not what the
 * client prints for this rule. */
lc_str lc_core_message_summary(lc_rule rule, lc_core core)
{
    for (size_t i = 0; i < lc_core_message_count(); i++) {
        const lc_core_message *r = &refusals[i];
        if (r->rule == rule && r->use != LC_MESSAGE_NEAR && (r->cores >> core & 1u))
            return lc_str_from_c(r->summary);
    }
    return LC_STR_EMPTY;
}

/* Other than lc_core_message_summary, of either client and of every version. */
bool lc_core_message_is(lc_rule rule, lc_str summary)
{
    for (size_t i = 0; i < lc_core_message_count(); i++) {
        if (refusals[i].rule == rule && lc_str_is(summary, refusals[i].summary))
            return true;
    }
    return false;
}

lc_str lc_core_message_fix(lc_str summary)
{
    static const struct {
        const char *summary;
        bool begins; /* with it */
        const char *fix;
    } rows[] = {
#define LC_FIX(summary, fix)        {summary, false, fix},
#define LC_FIX_BEGINS(summary, fix) {summary, true, fix},
#include "catalog/core_fixes.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].begins ? lc_str_starts_with(summary, lc_str_from_c(rows[i].summary))
                           : lc_str_is(summary, rows[i].summary))
            return lc_str_from_c(rows[i].fix);
    }
    return LC_STR_EMPTY;
}

const lc_error_topic_info *lc_error_topic_get(lc_error_topic topic)
{
    static const lc_error_topic_info infos[] = {
        {"", "", "", ""},
#define LC_TOPIC(id, name, title, meaning, advice) {name, title, meaning, advice},
#include "lifecheck/catalog/core_messages.def"
    };
    return &infos[topic];
}
