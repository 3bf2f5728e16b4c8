/* base64gzip and base64gunzip. */
#include "configuration/functions/texts/deflate.h"
#include "configuration/functions/texts/texts.h"

#include <string.h>
#include <zlib.h>

static void put_word(lc_buf *buf, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        lc_buf_add_char(buf, (char)(word >> 8 * i & 0xFF));
}

/* The head has neither a name nor a time, and the system is "unknown", as Go writes it. */
bool lc_fn_base64gzip(lc_fn_call *c)
{
    lc_str text = lc_fn_text(c, 0);
    lc_buf buf = {0};
    if (text.len > LC_MAX_MADE_TEXT)
        return lc_fn_give_undecided(c, "the string is larger than 16 MiB");
    lc_buf_add(&buf, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    lc_deflate(&buf, text);
    put_word(&buf, (uint32_t)crc32(crc32(0, NULL, 0), (const Bytef *)text.ptr, (uInt)text.len));
    put_word(&buf, (uint32_t)text.len);
    bool ok = lc_fn_give_base64(c, lc_buf_str(&buf));
    lc_buf_release(&buf);
    return ok;
}

/* One member after another, until the input ends. False: an error. */
static bool inflate_all(z_stream *z, lc_buf *out)
{
    Bytef chunk[16384];
    int state = Z_OK;
    while (state == Z_OK && !out->overflow) {
        z->next_out = chunk;
        z->avail_out = sizeof chunk;
        state = inflate(z, Z_NO_FLUSH);
        lc_buf_add(out, chunk, sizeof chunk - z->avail_out);
        if (state == Z_STREAM_END && z->avail_in > 0)
            state = inflateReset(z);
    }
    return state == Z_STREAM_END || out->overflow;
}

static voidpf heap_block(voidpf nothing, uInt count, uInt size)
{
    (void)nothing;
    return lc_heap_alloc(lc_mul_size(count, size));
}

static void heap_frees(voidpf nothing, voidpf block)
{
    (void)nothing;
    lc_heap_free(block);
}

static bool gunzip(lc_str bytes, lc_buf *out)
{
    z_stream z = {.zalloc = heap_block, .zfree = heap_frees};
    z.next_in = (Bytef *)(uintptr_t)bytes.ptr;
    z.avail_in = (uInt)bytes.len;
    if (bytes.len == 0 || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
        return false;
    bool ok = inflate_all(&z, out);
    inflateEnd(&z);
    return ok;
}

bool lc_fn_base64gunzip(lc_fn_call *c)
{
    lc_buf out = LC_MADE_TEXT;
    lc_str bytes;
    if (!lc_fn_from_base64(c, lc_fn_text(c, 0), &bytes))
        return lc_fn_fail(c, "the string is not Base64");
    bool ok = gunzip(bytes, &out);
    if (!ok)
        lc_buf_release(&out);
    ok = ok ? lc_fn_give_made(c, &out) : lc_fn_fail(c, "the bytes are not compressed by gzip");
    if (ok)
        lc_fn_add_marks(c, 0);
    return ok;
}
