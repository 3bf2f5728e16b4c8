/* Arenas and the heap. Every allocation of the program goes through here, so that running out of
 * memory is handled in one place. Built with LC_TEST_ALLOC, the allocation whose number is in the
 * environment variable LC_FAIL_ALLOC fails, so that tests reach that place. With LC_ARENA_MALLOC,
 * every object has a block of its own, so that valgrind detects overruns between objects. With
 * AddressSanitizer, bytes that may not be touched follow each object instead: a block of its own
 * would take a third of the time of the tests.
 *
 * An arena is a list of chunks. Small objects are cut from the first chunk; a large one has a chunk
 * of its own, which can therefore be resized and freed before the arena is. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <errno.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define FENCED 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined FENCED
#include <sanitizer/asan_interface.h>
#define FENCE 16 /* bytes behind an object that may not be touched */
#else
#define FENCE 0
#endif

#define FIRST_CHUNK ((size_t)16 << 10)
#define SMALL_CHUNK ((size_t)2 << 10)
#if FENCE /* larger blocks come from the system each time */
#define LAST_CHUNK ((size_t)64 << 10)
#else
#define LAST_CHUNK ((size_t)1 << 20)
#endif

/* Objects larger than this always have a chunk of their own, which can be resized and freed. */
#define LARGEST_SHARED (LAST_CHUNK / 4)

typedef struct chunk {
    struct chunk *next, *previous;
    lc_arena *owner;
    size_t size; /* usable bytes after this header */
} chunk;

struct lc_arena {
    chunk *chunks; /* small objects are cut from the first chunk */
    char *at;
    char *end;
    size_t used;
    size_t next_size;
};

_Noreturn void lc_bug(const char *file, int line, const char *what)
{
    fprintf(stderr, "lifecheck: bug at %s:%d: %s\n", file, line, what);
    abort();
}

/* Uses write and _exit, because stdio and exit handlers may allocate. */
_Noreturn void lc_out_of_memory(void)
{
    static const char message[] = "lifecheck: out of memory\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(4);
}

void lc_check_memory(void)
{
    if (errno == ENOMEM)
        lc_out_of_memory();
}

#ifdef LC_TEST_ALLOC
static bool refused(void)
{
    static long left = -1; /* used by tests only */
    if (left < 0) {
        const char *text = getenv("LC_FAIL_ALLOC");
        left = text ? atol(text) : 0;
    }
    return left > 0 && --left == 0;
}
#else
static bool refused(void)
{
    return false;
}
#endif

/* malloc(0) may return NULL, which must not look like a failure. */
void *lc_heap_alloc(size_t size)
{
    void *block = refused() ? NULL : malloc(size ? size : 1);
    if (!block)
        lc_out_of_memory();
    return block;
}

void *lc_heap_resize(void *block, size_t size)
{
    void *moved = refused() ? NULL : realloc(block, size ? size : 1);
    if (!moved)
        lc_out_of_memory();
    return moved;
}

void lc_heap_free(void *block)
{
    free(block);
}

static void *gmp_resize(void *block, size_t old_size, size_t size)
{
    (void)old_size;
    return lc_heap_resize(block, size);
}

static void gmp_free(void *block, size_t size)
{
    (void)size;
    free(block);
}

/* Files are read one after the other and need similar amounts of memory. By default glibc returns
 * the top of the heap to the system after each small file and requests it again. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

void lc_heap_install(void)
{
    keep_freed_memory();
    mp_set_memory_functions(lc_heap_alloc, gmp_resize, gmp_free);
}

size_t lc_mul_size(size_t a, size_t b)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        lc_out_of_memory();
    return product;
}

size_t lc_add_size(size_t a, size_t b)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        lc_out_of_memory();
    return sum;
}

static lc_arena *new_arena(size_t first_chunk)
{
    lc_arena *arena = lc_heap_alloc(sizeof *arena);
    memset(arena, 0, sizeof *arena);
    arena->next_size = first_chunk;
    return arena;
}

lc_arena *lc_arena_new(void)
{
    return new_arena(FIRST_CHUNK);
}

lc_arena *lc_arena_new_small(void)
{
    return new_arena(SMALL_CHUNK);
}

static void free_chunks(chunk *c)
{
    while (c) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
}

void lc_arena_free(lc_arena *arena)
{
    if (!arena)
        return;
    free_chunks(arena->chunks);
    free(arena);
}

#if defined LC_ARENA_MALLOC || FENCE
/* Nothing is kept, so that the use of an object that is gone is detected. */
void lc_arena_reset(lc_arena *arena)
{
    free_chunks(arena->chunks);
    arena->chunks = NULL;
    arena->at = arena->end = NULL;
    arena->used = 0;
}
#else
void lc_arena_reset(lc_arena *arena)
{
    chunk *keep = arena->chunks;
    arena->used = 0;
    if (!keep)
        return;
    free_chunks(keep->next);
    keep->next = NULL;
    arena->at = (char *)(keep + 1);
    arena->end = arena->at + keep->size;
}
#endif

/* Also repairs the pointers of the neighbours after realloc has moved a chunk. */
static void link_chunk(chunk *c, chunk *previous, chunk *next)
{
    c->previous = previous;
    c->next = next;
    if (next)
        next->previous = c;
    if (previous)
        previous->next = c;
    else
        c->owner->chunks = c;
}

static chunk *new_chunk(lc_arena *arena, size_t size)
{
    chunk *c = lc_heap_alloc(lc_add_size(sizeof(chunk), size));
    c->owner = arena;
    c->size = size;
    return c;
}

/* Resizes an object that has a chunk of its own; the object may move. */
static void *resize_chunk(void *object, size_t size)
{
    chunk *c = lc_heap_resize((chunk *)object - 1, lc_add_size(sizeof(chunk), size));
    c->owner->used += size - c->size;
    c->size = size;
    link_chunk(c, c->previous, c->next);
    return c + 1;
}

static void free_chunk(void *object)
{
    chunk *c = (chunk *)object - 1;
    if (c->next)
        c->next->previous = c->previous;
    if (c->previous)
        c->previous->next = c->next;
    else
        c->owner->chunks = c->next;
    c->owner->used -= c->size;
    lc_heap_free(c);
}

#ifdef LC_ARENA_MALLOC
void *lc_arena_alloc(lc_arena *arena, size_t size)
{
    chunk *c = new_chunk(arena, size);
    link_chunk(c, NULL, arena->chunks);
    arena->used += size;
    return c + 1;
}

void *lc_arena_resize(lc_arena *arena, void *object, size_t old_size, size_t size)
{
    (void)old_size;
    return object ? resize_chunk(object, size) : lc_arena_alloc(arena, size);
}

void lc_arena_release(void *object, size_t size)
{
    (void)size;
    if (object)
        free_chunk(object);
}
#else
/* A large object gets a chunk after the current one, whose rest can still be used. */
static void *alloc_large(lc_arena *arena, size_t size)
{
    chunk *current = arena->chunks, *c = new_chunk(arena, size);
    link_chunk(c, current, current ? current->next : NULL);
    return c + 1;
}

static size_t rounded(size_t size)
{
    return lc_add_size(size, 7 + FENCE) & ~(size_t)7;
}

/* The bytes of the object may be touched, those up to its rounded size may not. */
static void *fenced(void *object, size_t size)
{
#if FENCE
    ASAN_UNPOISON_MEMORY_REGION(object, size);
    ASAN_POISON_MEMORY_REGION((char *)object + size, rounded(size) - size);
#else
    (void)size;
#endif
    return object;
}

/* Nothing of it may be touched until an object is cut from it. */
static void forbid(void *at, size_t size)
{
#if FENCE
    ASAN_POISON_MEMORY_REGION(at, size);
#else
    (void)at;
    (void)size;
#endif
}

/* Chunks double in size, so that small arenas stay small. An object that would waste much of the
 * next chunk gets one of its own. */
void *lc_arena_alloc(lc_arena *arena, size_t wanted)
{
    size_t size = rounded(wanted);
    arena->used += size;
    if (size > LARGEST_SHARED)
        return fenced(alloc_large(arena, size), wanted);
    if (size > (size_t)(arena->end - arena->at)) {
        if (size > arena->next_size / 4)
            return fenced(alloc_large(arena, size), wanted);
        chunk *c = new_chunk(arena, arena->next_size);
        link_chunk(c, NULL, arena->chunks);
        if (arena->next_size < LAST_CHUNK)
            arena->next_size *= 2;
        arena->at = (char *)(c + 1);
        arena->end = arena->at + c->size;
        forbid(arena->at, c->size);
    }
    void *object = arena->at;
    arena->at += size;
    return fenced(object, wanted);
}

void *lc_arena_resize(lc_arena *arena, void *object, size_t old_size, size_t size)
{
    size_t old = rounded(old_size);
    if (object && old > LARGEST_SHARED)
        return fenced(resize_chunk(object, rounded(size)), size);
    if (object && (char *)object + old == arena->at && rounded(size) <= LARGEST_SHARED &&
        rounded(size) <=
            (size_t)(arena->end - (char *)object)) { /* the newest object can grow in place */
        arena->used += rounded(size) - old;
        arena->at = (char *)object + rounded(size);
        return fenced(object, size);
    }
    void *moved = lc_arena_alloc(arena, size);
    if (object) {
        memcpy(moved, object, old_size < size ? old_size : size);
        forbid(object, old_size);
    }
    return moved;
}

void lc_arena_release(void *object, size_t size)
{
    if (object && rounded(size) > LARGEST_SHARED)
        free_chunk(object);
}
#endif

void *lc_arena_zalloc(lc_arena *arena, size_t size)
{
    return memset(lc_arena_alloc(arena, size), 0, size);
}

void *lc_arena_array(lc_arena *arena, size_t count, size_t size)
{
    return lc_arena_alloc(arena, lc_mul_size(count, size));
}

void *lc_arena_copy(lc_arena *arena, const void *items, size_t count, size_t size)
{
    void *copy = lc_arena_array(arena, count, size);
    return count ? memcpy(copy, items, count * size) : copy;
}

size_t lc_arena_used(const lc_arena *arena)
{
    return arena->used;
}
