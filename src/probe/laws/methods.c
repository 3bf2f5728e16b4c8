/* How each law is tried, and in which order: what is strong and cheap first. */
#include "probe/internal.h"

static const lc_method methods[LC_LAW_COUNT] = {
    [LC_LAW_1] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_2] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_3] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_4] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_5] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_6] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_7] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_8] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_9] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_10] = {lc_find_unknown, lc_query_completion},
    [LC_LAW_11] = {lc_find_validation, lc_query_validation},
    [LC_LAW_12] = {lc_find_validation, lc_query_validation},
    [LC_LAW_13] = {lc_find_validation, lc_query_validation},
    [LC_LAW_14] = {lc_find_validation, lc_query_validation},
    [LC_LAW_15] = {lc_find_settings, lc_query_settings},
    [LC_LAW_16] = {lc_find_again, lc_query_again},
    [LC_LAW_17] = {lc_find_again, lc_query_again},
    [LC_LAW_18] = {lc_find_again, lc_query_again},
    [LC_LAW_19] = {lc_find_again, lc_query_again},
    [LC_LAW_20] = {lc_find_again, lc_query_again},
    [LC_LAW_21] = {lc_find_stored, lc_query_stored},
    [LC_LAW_22] = {lc_find_stored, lc_query_stored},
    [LC_LAW_23] = {lc_find_stored, lc_query_stored},
    [LC_LAW_24] = {lc_find_spelling, lc_query_stored},
    [LC_LAW_25] = {lc_find_stored, lc_query_stored},
    [LC_LAW_26] = {lc_find_stored, lc_query_stored},
    [LC_LAW_27] = {lc_find_stored, lc_query_stored},
    [LC_LAW_28] = {lc_find_value, lc_query_value},
    [LC_LAW_29] = {lc_find_value, lc_query_value},
    [LC_LAW_30] = {lc_find_value, lc_query_value},
    [LC_LAW_31] = {lc_find_value, lc_query_value},
    [LC_LAW_32] = {lc_find_again, lc_query_again},
    [LC_LAW_33] = {lc_find_stored, lc_query_stored},
    [LC_LAW_34] = {lc_find_stored, lc_query_stored},
    [LC_LAW_35] = {lc_find_stored, lc_query_stored},
    [LC_LAW_36] = {lc_find_again, lc_query_again},
    [LC_LAW_37] = {lc_find_upgrade, lc_query_upgrade},
    [LC_LAW_38] = {lc_find_upgrade, lc_query_upgrade},
    [LC_LAW_39] = {NULL, lc_query_newer}, /* newer.c finds its trials */
    [LC_LAW_40] = {lc_find_upgrade, lc_query_upgrade},
    [LC_LAW_41] = {lc_find_again, lc_query_again},
    /* 42: functions.c, without configurations */
};

const lc_method *lc_method_of(lc_law law)
{
    return &methods[law];
}

static const lc_law order[] = {
    LC_LAW_41, LC_LAW_32, LC_LAW_16, LC_LAW_1,  LC_LAW_13, LC_LAW_11, LC_LAW_2,
    LC_LAW_28, LC_LAW_29, LC_LAW_30, LC_LAW_3,  LC_LAW_33, LC_LAW_37, LC_LAW_21,
    LC_LAW_5,  LC_LAW_4,  LC_LAW_7,  LC_LAW_8,  LC_LAW_10, LC_LAW_12, LC_LAW_17,
    LC_LAW_22, LC_LAW_26, LC_LAW_31, LC_LAW_34, LC_LAW_36, LC_LAW_18, LC_LAW_20,
    LC_LAW_6,  LC_LAW_23, LC_LAW_25, LC_LAW_19, LC_LAW_14, LC_LAW_38, LC_LAW_40,
    LC_LAW_9,  LC_LAW_35, LC_LAW_24, LC_LAW_27, LC_LAW_15, LC_LAW_42,
};

lc_law lc_law_in_order(size_t at)
{
    return at < sizeof order / sizeof *order ? order[at] : LC_LAW_COUNT;
}
