/* Arenas: memory with one common lifetime. Module base.
 *
 * Lifetimes, longest first: store (schemas, immutable after loading), file (nodes, values, cases),
 * report (findings), scratch (reset after each case). A pointer may only point to the same or a
 * longer lifetime. Allocation never returns NULL: running out of memory ends the program with one
 * line and exit status 4. */
#ifndef LIFECHECK_BASE_ARENA_H
#define LIFECHECK_BASE_ARENA_H

#include "lifecheck/base/str.h"

/* A new arena. lc_arena_free frees it with everything allocated from it; NULL is ignored there. */
lc_arena *lc_arena_new(void);
/* The same with a small first chunk, for many arenas with little in each. */
lc_arena *lc_arena_new_small(void);
void lc_arena_free(lc_arena *arena);
/* Frees all objects, and keeps one chunk for reuse. */
void lc_arena_reset(lc_arena *arena);

/* `size` bytes, aligned to 8, which suffices for all our types. Not zeroed; lc_arena_zalloc zeroes.
 * Size 0 gives a valid pointer. */
void *lc_arena_alloc(lc_arena *arena, size_t size);
void *lc_arena_zalloc(lc_arena *arena, size_t size);
/* `count * size` bytes with a check for overflow. Not zeroed. */
void *lc_arena_array(lc_arena *arena, size_t count, size_t size);
/* The same with the bytes of `items`, which may be NULL if there are none. */
void *lc_arena_copy(lc_arena *arena, const void *items, size_t count, size_t size);
/* Changes the size of an object of `old_size` bytes (NULL and 0: allocates one); the contents that
 * fit are kept. The old object must not be used any more, nor pointers into it. A large object is
 * reallocated; the old memory of a small one may remain unused. */
void *lc_arena_resize(lc_arena *arena, void *object, size_t old_size, size_t size);
/* The object is not needed any more: a large one is freed at once, a small one with the arena.
 * `size` is that of its allocation. NULL is ignored. */
void lc_arena_release(void *object, size_t size);
/* Bytes allocated since creation or reset, without those that were freed early. */
size_t lc_arena_used(const lc_arena *arena);

#define LC_NEW(arena, type)          ((type *)lc_arena_zalloc((arena), sizeof(type)))
#define LC_NEW_ARRAY(arena, type, n) ((type *)lc_arena_array((arena), (n), sizeof(type)))

/* Heap memory for the few things that grow and are not in an arena; the caller frees it. Never
 * NULL. */
void *lc_heap_alloc(size_t size);
void *lc_heap_resize(void *block, size_t size);
void lc_heap_free(void *block);
/* Makes GMP use these allocators. Call once, before anything else. */
void lc_heap_install(void);

/* a*b and a+b for sizes; an overflow ends the program like running out of memory. */
size_t lc_mul_size(size_t a, size_t b);
size_t lc_add_size(size_t a, size_t b);

#endif
