/* Comparators for qsort. Module base.
 *
 *     LC_ORDER_BY_STR(by_name, lc_type_attr, name)               of structures with a member of
 * type lc_str LC_ORDER_POINTERS_BY_STR(by_path, list_use, path)          of pointers to such
 * structures
 *
 * Each defines a static function. Where strings may be equal, the order of the two is that of
 * qsort: write a comparator with a further key. */
#ifndef LIFECHECK_BASE_SORT_H
#define LIFECHECK_BASE_SORT_H

#include "lifecheck/base/str.h"

#define LC_ORDER_BY_STR(function, type, member)                                                    \
    static int function(const void *a, const void *b)                                              \
    {                                                                                              \
        return lc_str_cmp(((const type *)a)->member, ((const type *)b)->member);                   \
    }
#define LC_ORDER_POINTERS_BY_STR(function, type, member)                                           \
    static int function(const void *a, const void *b)                                              \
    {                                                                                              \
        return lc_str_cmp((*(const type *const *)a)->member, (*(const type *const *)b)->member);   \
    }

#endif
