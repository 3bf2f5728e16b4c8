/* Header blocks, decoded by nghttp2's HPACK (RFC 7541).
 *
 * A peer bounds the table of an encoder by SETTINGS_HEADER_TABLE_SIZE, but every size that the
 * encoder then chooses is announced in its header blocks. So it suffices to allow any announced
 * size up to a bound of our own; when exactly the settings take effect does not matter. */
#include "lifecheck/base/bug.h"
#include "live/http2.h"
#include "live/tap/parts.h"

#ifdef LC_WITH_NGHTTP2
#include <nghttp2/nghttp2.h>

#define TABLE_LIMIT ((size_t)1 << 20)

struct lc_hpack {
    nghttp2_hd_inflater *inflater;
};

bool lc_tap_available(void)
{
    return true;
}

lc_hpack *lc_hpack_new(void)
{
    lc_hpack *hpack = lc_heap_alloc(sizeof *hpack);
    if (nghttp2_hd_inflate_new2(&hpack->inflater, lc_http2_memory()) != 0 ||
        nghttp2_hd_inflate_change_table_size(hpack->inflater, TABLE_LIMIT) != 0)
        lc_out_of_memory(); /* the only reason there is */
    return hpack;
}

void lc_hpack_free(lc_hpack *hpack)
{
    if (!hpack)
        return;
    nghttp2_hd_inflate_del(hpack->inflater);
    lc_heap_free(hpack);
}

/* nghttp2 owns the strings only until the next field. Of equal names the first one counts, so that
 * a short block cannot ask for many copies. */
static void keep_field(lc_tap_fields *out, lc_arena *arena, const nghttp2_nv *nv)
{
    const struct {
        const char *name;
        lc_str *to;
    } wanted[] = {{":path", &out->path},
                  {":status", &out->http_status},
                  {"grpc-status", &out->grpc_status},
                  {"grpc-message", &out->grpc_message}};
    lc_str name = {(const char *)nv->name, nv->namelen};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!wanted[i].to->ptr && lc_str_is(name, wanted[i].name))
            *wanted[i].to = lc_str_copy(arena, (lc_str){(const char *)nv->value, nv->valuelen});
    }
}

bool lc_hpack_read(lc_tap_fields *out, lc_hpack *hpack, lc_arena *arena, lc_str block)
{
    const uint8_t *at = (const uint8_t *)block.ptr;
    size_t left = block.len;
    int flags = 0;
    *out = (lc_tap_fields){0};
    while (!(flags & NGHTTP2_HD_INFLATE_FINAL)) {
        nghttp2_nv nv;
        ssize_t used = nghttp2_hd_inflate_hd2(hpack->inflater, &nv, &flags, at, left, 1);
        if (used < 0 || (size_t)used > left)
            return false;
        if (flags & NGHTTP2_HD_INFLATE_EMIT)
            keep_field(out, arena, &nv);
        else if (used == 0 && !(flags & NGHTTP2_HD_INFLATE_FINAL))
            return false;
        at += used;
        left -= (size_t)used;
    }
    return nghttp2_hd_inflate_end_headers(hpack->inflater) == 0;
}

#else

bool lc_tap_available(void)
{
    return false;
}

lc_hpack *lc_hpack_new(void)
{
    return NULL;
}

void lc_hpack_free(lc_hpack *hpack)
{
    (void)hpack;
}

bool lc_hpack_read(lc_tap_fields *out, lc_hpack *hpack, lc_arena *arena, lc_str block)
{
    (void)hpack;
    (void)arena;
    (void)block;
    *out = (lc_tap_fields){0};
    return false;
}

#endif
