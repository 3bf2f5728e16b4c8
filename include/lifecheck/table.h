/* A hash table from byte strings to pointers. Keys are borrowed. Module base. */
#ifndef LIFECHECK_TABLE_H
#define LIFECHECK_TABLE_H

#include "lifecheck/str.h"

typedef struct lc_table {
    lc_arena *arena;
    struct lc_table_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} lc_table;

/* An empty table. Its slots live in `arena`; they move when it grows, so nobody copies a table that
 * is still added to. */
void lc_table_init(lc_table *table, lc_arena *arena);
/* The value of `key`, or NULL. */
void *lc_table_get(const lc_table *table, lc_str key);
/* Add or replace; returns the former value or NULL. `value` is not NULL. */
void *lc_table_put(lc_table *table, lc_str key, void *value);
/* Tables whose values are places in an array. */
#define LC_NO_INDEX SIZE_MAX /* there is no such key */
static inline size_t lc_table_get_index(const lc_table *table, lc_str key)
{
    return (size_t)(uintptr_t)lc_table_get(table, key) - 1;
}
static inline void lc_table_put_index(lc_table *table, lc_str key, size_t index)
{
    lc_table_put(table, key, (void *)(uintptr_t)(index + 1));
}

/* The table is needed no more. */
void lc_table_release(lc_table *table);

/* A growing array in an arena: the element after the last, zeroed. Elements may move: nothing may
 * point to one while more are added. */
void *lc_grow(lc_arena *arena, void *items, size_t *count, size_t *capacity, size_t size);
#define LC_PUSH(arena, vec, type)                                                                  \
    ((type *)((vec)->items =                                                                       \
                  lc_grow((arena), (vec)->items, &(vec)->count, &(vec)->capacity, sizeof(type))) + \
     (vec)->count - 1)
#define LC_VEC(type)                                                                               \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

#endif
