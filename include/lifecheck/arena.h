/* Arenas: memory with one common lifetime. Module base.
 *
 * Lifetimes, longest first: store (schemas, frozen after load), file (nodes, values, cases),
 * report (findings, copied out), scratch (reset after each case). A pointer may point to the same
 * or a longer life only. Allocation never returns NULL: lack of memory ends the program with one
 * line and exit status 4, here and nowhere else. */
#ifndef LIFECHECK_ARENA_H
#define LIFECHECK_ARENA_H

#include "lifecheck/str.h"

/* Freed, with all that was taken from it, by lc_arena_free; NULL is ignored there. */
lc_arena *lc_arena_new(void);
/* The same for little, of which there are many. */
lc_arena *lc_arena_new_small(void);
void lc_arena_free(lc_arena *arena);
/* Forget everything; keep a block for reuse. */
void lc_arena_reset(lc_arena *arena);

/* `size` bytes aligned for any object of ours (8). Not zeroed. Size 0 gives a valid pointer. */
void *lc_arena_alloc(lc_arena *arena, size_t size);
void *lc_arena_zalloc(lc_arena *arena, size_t size);
/* `count * size` with overflow checked. */
void *lc_arena_array(lc_arena *arena, size_t count, size_t size);
/* An object of `old_size` bytes (NULL and 0: none yet) becomes one of `size`; what both have room
 * for is kept. The old one is gone: nothing may point to it or into it. A large one is moved
 * without leaving anything behind, a small one may leave its old place unused. */
void *lc_arena_resize(lc_arena *arena, void *object, size_t old_size, size_t size);
/* An object of an arena is needed no more: a large one is freed at once, a small one with the
 * arena. NULL is ignored. */
void lc_arena_release(void *object, size_t size);
/* Bytes handed out since creation or reset, without what was released at once. */
size_t lc_arena_used(const lc_arena *arena);

#define LC_NEW(arena, type)          ((type *)lc_arena_zalloc((arena), sizeof(type)))
#define LC_NEW_ARRAY(arena, type, n) ((type *)lc_arena_array((arena), (n), sizeof(type)))

/* Heap memory for the few things that grow and are not in an arena. Same rule on exhaustion. */
void *lc_heap_alloc(size_t size);
void *lc_heap_resize(void *block, size_t size);
void lc_heap_free(void *block);
/* Give third-party libraries that allow it (GMP) the checked allocator. Call once, first. */
void lc_heap_install(void);

/* a*b and a+b; overflow is treated as lack of memory. */
size_t lc_mul_size(size_t a, size_t b);
size_t lc_add_size(size_t a, size_t b);

#endif
