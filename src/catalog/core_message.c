/* The list of what is said of whole plans, configurations and states. */
#include "lifecheck/core_message.h"

#define ROW(id, cores, summary, words, use)                                                        \
    {LC_RULE_##id, LC_TOPIC_NONE, cores, summary, words, LC_MESSAGE_##use},

static const lc_core_message list[] = {
#define LC_CORE_MESSAGE(id, cores, summary, words)      ROW(id, cores, summary, words, BOTH)
#define LC_CORE_MESSAGE_NEAR(id, cores, summary, words) ROW(id, cores, summary, words, HEARD)
#define LC_CORE_MESSAGE_COMMON(id, cores, summary)      ROW(id, cores, summary, "", ASIDE)
#define LC_CORE_MESSAGE_TOPIC(id, cores, summary, words)                                           \
    {LC_RULE_COUNT, LC_TOPIC_##id, cores, summary, words, LC_MESSAGE_BOTH},
#define LC_TOPIC(...)
#include "catalog/core_message.def"
#undef LC_CORE_MESSAGE
#undef LC_CORE_MESSAGE_NEAR
#undef LC_CORE_MESSAGE_COMMON
#undef LC_CORE_MESSAGE_TOPIC
#undef LC_TOPIC
};

size_t lc_core_message_count(void)
{
    return sizeof list / sizeof *list;
}

const lc_core_message *lc_core_message_at(size_t i)
{
    return &list[i];
}

lc_str lc_core_message_summary(lc_rule rule, lc_core core)
{
    for (size_t i = 0; i < lc_core_message_count(); i++) {
        if (list[i].rule == rule && list[i].use != LC_MESSAGE_HEARD && (list[i].cores >> core & 1u))
            return lc_str_from_c(list[i].summary);
    }
    return LC_STR_EMPTY;
}

bool lc_core_message_is(lc_rule rule, lc_str summary)
{
    for (size_t i = 0; i < lc_core_message_count(); i++) {
        if (list[i].rule == rule && lc_str_is(summary, list[i].summary))
            return true;
    }
    return false;
}

const lc_error_topic_info *lc_error_topic_get(lc_error_topic matter)
{
    static const lc_error_topic_info infos[] = {
        {"", "", "", ""},
#define LC_CORE_MESSAGE(...)
#define LC_CORE_MESSAGE_NEAR(...)
#define LC_CORE_MESSAGE_COMMON(...)
#define LC_CORE_MESSAGE_TOPIC(...)
#define LC_TOPIC(id, name, title, meaning, advice) {name, title, meaning, advice},
#include "catalog/core_message.def"
#undef LC_CORE_MESSAGE
#undef LC_CORE_MESSAGE_NEAR
#undef LC_CORE_MESSAGE_COMMON
#undef LC_CORE_MESSAGE_TOPIC
#undef LC_TOPIC
    };
    return &infos[matter];
}
