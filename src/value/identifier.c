/* Identifiers of the configuration language: UAX 31, with an underscore at the start and hyphens
 * inside. */
#include "lifecheck/utf8.h"
#include "lifecheck/value.h"

#include <utf8proc.h>

/* Other_ID_Start and Other_ID_Continue, which Unicode has for compatibility with its older
 * versions. */
static bool is_old_start(uint32_t rune)
{
    return rune == 0x1885 || rune == 0x1886 || rune == 0x2118 || rune == 0x212E || rune == 0x309B ||
           rune == 0x309C;
}

static bool is_old_part(uint32_t rune)
{
    return rune == 0xB7 || rune == 0x387 || (rune >= 0x1369 && rune <= 0x1371) || rune == 0x19DA;
}

bool lc_rune_starts_identifier(uint32_t rune)
{
    switch ((int)utf8proc_category((utf8proc_int32_t)rune)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
        return rune != 0x2E2F; /* Pattern_Syntax, though its category is a letter */
    default:
        return rune == '_' || is_old_start(rune);
    }
}

bool lc_rune_is_in_identifier(uint32_t rune)
{
    switch ((int)utf8proc_category((utf8proc_int32_t)rune)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
        return true;
    default:
        return rune == '-' || lc_rune_starts_identifier(rune) || is_old_part(rune);
    }
}

bool lc_is_identifier(lc_str text)
{
    if (text.len == 0 || !lc_utf8_valid(text))
        return false;
    size_t at = 0;
    if (!lc_rune_starts_identifier(lc_utf8_next(text, &at)))
        return false;
    while (at < text.len) {
        if (!lc_rune_is_in_identifier(lc_utf8_next(text, &at)))
            return false;
    }
    return true;
}
