/* Identifiers of the configuration language: UAX 31, with an underscore at the start and hyphens
 * inside. */
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

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

/* Letters, marks and digits that Unicode got after its version 9.0, whose tables HCL's scanner has.
 * The ranges contain nothing that HCL knows. */
static bool is_new(uint32_t rune)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {{0x560, 0x560},     {0x588, 0x588},     {0x5EF, 0x5EF},     {0x7FD, 0x7FD},
                  {0x860, 0x89F},     {0x8B5, 0x8B5},     {0x8BE, 0x8D3},     {0x9FC, 0x9FE},
                  {0xAFA, 0xAFF},     {0xB55, 0xB55},     {0xC04, 0xC04},     {0xC3C, 0xC3C},
                  {0xC5D, 0xC5D},     {0xCDD, 0xCDD},     {0xCF3, 0xD00},     {0xD04, 0xD04},
                  {0xD3B, 0xD3C},     {0xD81, 0xD81},     {0xE86, 0xE86},     {0xE89, 0xE89},
                  {0xE8C, 0xE8C},     {0xE8E, 0xE93},     {0xE98, 0xE98},     {0xEA0, 0xEA0},
                  {0xEA8, 0xEA9},     {0xEAC, 0xEAC},     {0xEBA, 0xEBA},     {0xECE, 0xECE},
                  {0x170D, 0x170D},   {0x1715, 0x171F},   {0x180F, 0x180F},   {0x1878, 0x1878},
                  {0x1ABF, 0x1ACE},   {0x1B4C, 0x1B4C},   {0x1C90, 0x1CBF},   {0x1CF7, 0x1CF7},
                  {0x1CFA, 0x1CFA},   {0x1DF6, 0x1DFA},   {0x2C2F, 0x2C2F},   {0x2C5F, 0x2C5F},
                  {0x312E, 0x312F},   {0x31BB, 0x31BF},   {0x4DB6, 0x4DBF},   {0x9FD6, 0x9FFF},
                  {0xA7AF, 0xA7AF},   {0xA7B8, 0xA7F6},   {0xA82C, 0xA82C},   {0xA8FE, 0xA8FF},
                  {0xAB66, 0xAB69},   {0x1032D, 0x1032F}, {0x10570, 0x105BC}, {0x10780, 0x107BA},
                  {0x10A34, 0x10A35}, {0x10D00, 0x10FF6}, {0x11070, 0x11075}, {0x110C2, 0x110C2},
                  {0x11144, 0x11147}, {0x111C9, 0x111C9}, {0x111CE, 0x111CF}, {0x1123F, 0x11241},
                  {0x1133B, 0x1133B}, {0x1145E, 0x11461}, {0x116B8, 0x116B8}, {0x1171A, 0x1171A},
                  {0x11740, 0x1183A}, {0x11900, 0x11ABF}, {0x11D00, 0x11FB0}, {0x12F90, 0x12FF0},
                  {0x1342F, 0x13455}, {0x16A70, 0x16AC9}, {0x16E40, 0x16E7F}, {0x16F45, 0x16F4F},
                  {0x16F7F, 0x16F87}, {0x16FE1, 0x16FF1}, {0x187ED, 0x187F7}, {0x18AF3, 0x1AFFE},
                  {0x1B002, 0x1B2FB}, {0x1CF00, 0x1CF46}, {0x1DF00, 0x1DF2A}, {0x1E030, 0x1E7FE},
                  {0x1E94B, 0x1E94B}, {0x1FBF0, 0x1FBF9}, {0x2A6D7, 0x2A6DF}, {0x2B735, 0x2B739},
                  {0x2CEB0, 0x2EBE0}, {0x30000, 0x323AF}};
    size_t from = 0, to = sizeof ranges / sizeof *ranges;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (rune > ranges[middle].to)
            from = middle + 1;
        else
            to = middle;
    }
    return from < sizeof ranges / sizeof *ranges && rune >= ranges[from].from;
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
        /* Pattern_Syntax, though its category is a letter; and two that were signs in Unicode 9 */
        return rune != 0x2E2F && rune != 0x1CF2 && rune != 0x1CF3 && !is_new(rune);
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
        return !is_new(rune);
    default:
        return rune == '-' || rune == 0x1CF2 || rune == 0x1CF3 || lc_rune_starts_identifier(rune) ||
               is_old_part(rune);
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
