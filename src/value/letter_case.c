/* Letter case and white space of Unicode, as Go's packages unicode and strings have them: character
 * by character, without rules for languages. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <utf8proc.h>

/* Go knows no capital letter for the sharp s. */
#define SHARP_S     0xDF
#define REPLACEMENT 0xFFFDu

static uint32_t change(uint32_t rune, lc_letter_case to)
{
    utf8proc_int32_t r = (utf8proc_int32_t)rune;
    if (rune == LC_RUNE_BAD)
        return REPLACEMENT;
    if (to == LC_LOWER)
        return (uint32_t)utf8proc_tolower(r);
    if (r == SHARP_S)
        return rune;
    return (uint32_t)(to == LC_UPPER ? utf8proc_toupper(r) : utf8proc_totitle(r));
}

bool lc_rune_is_space(uint32_t rune)
{
    return (rune >= '\t' && rune <= '\r') || rune == ' ' || rune == 0x85 || rune == 0xA0 ||
           rune == 0x1680 || (rune >= 0x2000 && rune <= 0x200A) || rune == 0x2028 ||
           rune == 0x2029 || rune == 0x202F || rune == 0x205F || rune == 0x3000;
}

bool lc_rune_is_letter(uint32_t rune)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)rune);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool lc_rune_is_digit(uint32_t rune)
{
    return utf8proc_category((utf8proc_int32_t)rune) == UTF8PROC_CATEGORY_ND;
}

/* Does a word begin after this character? Only white space counts beyond ASCII. */
static bool separates(uint32_t rune)
{
    if (rune < 0x80)
        return !lc_is_alnum((char)rune) && rune != '_';
    return rune != LC_RUNE_BAD && lc_rune_is_space(rune);
}

lc_str lc_to_case(lc_arena *arena, lc_str text, lc_letter_case to)
{
    lc_buf buf = {0};
    uint32_t before = ' ';
    for (size_t at = 0; at < text.len;) {
        uint32_t rune = lc_utf8_next(text, &at);
        char bytes[4];
        bool keep = to == LC_TITLE && !separates(before);
        before = rune;
        rune = keep && rune != LC_RUNE_BAD ? rune : change(rune, to);
        lc_buf_add(&buf, bytes, lc_utf8_put(bytes, rune));
    }
    return lc_buf_take(arena, &buf);
}

lc_str lc_trim_space(lc_str text)
{
    size_t from = text.len, end = 0;
    for (size_t at = 0; at < text.len;) {
        size_t start = at;
        if (lc_rune_is_space(lc_utf8_next(text, &at)))
            continue;
        from = start < from ? start : from;
        end = at;
    }
    return end > from ? lc_str_sub(text, from, end) : LC_STR_EMPTY;
}
