/* Enums whose values have words. Module base.
 *
 * A list has the values, from 0, and their words. Everything else is derived from it:
 *
 *     #define LC_BLAMES(X) X(LC_PROVIDER, "provider") X(LC_CLIENT, "client")
 *
 *     LC_ENUM(lc_blame, LC_BLAMES);          in a header
 *
 *     LC_ENUM_NAMES(lc_blame, LC_BLAMES);    in one .c file
 *
 * This declares the type lc_blame; lc_blame_names, the words in order, with NULL at the end;
 * lc_blame_name(), the word of a value; and lc_blame_from_name(), which sets *out to the value of a
 * word, and returns false and leaves *out as it is for any other text. */
#ifndef LIFECHECK_BASE_ENUM_H
#define LIFECHECK_BASE_ENUM_H

#include "lifecheck/base/str.h"

/* What the macros below apply to each entry of a list. */
#define LC_ENUM_VALUE(value, word) value,
#define LC_ENUM_WORD(value, word)  word,
#define LC_ENUM_ONE(value, word)   +1

#define LC_ENUM(type, LIST)                                                                        \
    enum type { LIST(LC_ENUM_VALUE) };                                                             \
    extern const char *const type##_names[];                                                       \
    static inline const char *type##_name(enum type value)                                         \
    {                                                                                              \
        return type##_names[value];                                                                \
    }                                                                                              \
    static inline bool type##_from_name(enum type *out, lc_str name)                               \
    {                                                                                              \
        size_t at;                                                                                 \
        bool found = lc_str_is_one_of(name, type##_names, &at);                                    \
        *out = found ? (enum type)at : *out;                                                       \
        return found;                                                                              \
    }                                                                                              \
    typedef enum type type
#define LC_ENUM_NAMES(type, LIST) const char *const type##_names[] = {LIST(LC_ENUM_WORD) NULL}
/* The number of values, a constant expression. */
#define LC_ENUM_COUNT(LIST) (0 LIST(LC_ENUM_ONE))

#endif
