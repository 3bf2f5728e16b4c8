/* A hash table from byte strings to pointers, and growing arrays. Module base.
 *
 * Keys and values are borrowed and must live as long as the table. Entries cannot be removed. */
#ifndef LIFECHECK_BASE_TABLE_H
#define LIFECHECK_BASE_TABLE_H

#include "lifecheck/base/str.h"

/* A hash table of pointers by string; keys and values are borrowed. */
typedef struct lc_table {
    lc_arena *arena;
    struct lc_table_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} lc_table;

/* Makes an empty table. Its slots live in `arena` and move when it grows, so a table must not be
 * copied while entries are still added. */
void lc_table_init(lc_table *table, lc_arena *arena);
/* The value of `key`; NULL if the table does not have it. */
void *lc_table_get(const lc_table *table, lc_str key);
/* Adds or replaces an entry; returns the former value or NULL. `value` is not NULL. */
void *lc_table_put(lc_table *table, lc_str key, void *value);
/* For tables whose values are indices of an array. They are stored plus one, so that NULL stays
 * "none". */
#define LC_NO_INDEX SIZE_MAX /* result if there is no such key */
static inline size_t lc_table_get_index(const lc_table *table, lc_str key)
{
    return (size_t)(uintptr_t)lc_table_get(table, key) - 1;
}
static inline void lc_table_put_index(lc_table *table, lc_str key, size_t index)
{
    lc_table_put(table, key, (void *)(uintptr_t)(index + 1));
}

/* Empties a table that is not needed any more; its slots are freed if they are large. */
void lc_table_release(lc_table *table);

/* LC_VEC declares a growing array in an arena, zero-initialised when empty; LC_PUSH appends a
 * zeroed element and returns a pointer to it. Elements may move: a pointer to one is valid until
 * the next push. lc_grow does the work. */
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
