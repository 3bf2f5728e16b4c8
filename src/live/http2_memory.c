/* Allocation functions for nghttp2: ours, so that running out of memory is reported as everywhere
 * else. */
#include "live/http2_memory.h"
#include "lifecheck/base/arena.h"

#ifdef LC_WITH_NGHTTP2
#include <nghttp2/nghttp2.h>
#include <string.h>

static void *allocate(size_t size, void *user)
{
    (void)user;
    return lc_heap_alloc(size);
}

static void release(void *block, void *user)
{
    (void)user;
    lc_heap_free(block);
}

static void *allocate_zeroed(size_t count, size_t size, void *user)
{
    (void)user;
    size_t bytes = lc_mul_size(count, size);
    return memset(lc_heap_alloc(bytes), 0, bytes);
}

static void *resize(void *block, size_t size, void *user)
{
    (void)user;
    return lc_heap_resize(block, size);
}

void *lc_http2_memory(void)
{
    static const nghttp2_mem memory = {NULL, allocate, release, allocate_zeroed, resize};
    return (void *)(uintptr_t)&memory; /* nghttp2 only reads it */
}

#else

void *lc_http2_memory(void)
{
    return NULL;
}

#endif
