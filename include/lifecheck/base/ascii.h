/* Classes of ASCII characters, independent of the locale. Module base.
 *
 * Bytes of 0x80 and above belong to no class. Characters may also be given as an int, with -1 for
 * the end of a string. */
#ifndef LIFECHECK_BASE_ASCII_H
#define LIFECHECK_BASE_ASCII_H

#include <stdbool.h>

/* ASCII alone, whatever the locale; other bytes, and -1 for an end, are none of these. */
static inline bool lc_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool lc_is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool lc_is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool lc_is_letter(int c)
{
    return lc_is_upper(c) || lc_is_lower(c);
}

static inline bool lc_is_alnum(int c)
{
    return lc_is_letter(c) || lc_is_digit(c);
}

/* The white space of JSON: space, tab, line feed, carriage return. */
static inline bool lc_is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Other characters than ASCII letters are returned unchanged. */
static inline char lc_to_lower(char c)
{
    return lc_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char lc_to_upper(char c)
{
    return lc_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

/* The value of a hexadecimal digit of either case; -1 for every other character. */
static inline int lc_hex_digit(int c)
{
    return lc_is_digit(c)         ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

#endif
