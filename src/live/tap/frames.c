/* The bytes of one side to frames of HTTP/2 (RFC 9113), in pieces that are cut anywhere. A payload
 * is handed on as it comes; only header blocks are gathered, because they are decoded as a whole.
 *
 * A side's SETTINGS need not be read: the one that matters, SETTINGS_HEADER_TABLE_SIZE, only bounds
 * what the encoder of the other side may announce in its own header blocks, see tap/fields.c. */
#include "live/tap/parts.h"

#include <string.h>

enum { DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, CONTINUATION = 9 };
enum { END_STREAM = 0x1, END_HEADERS = 0x4, PADDED = 0x8, WITH_PRIORITY = 0x20 };

#define BLOCK_LIMIT ((size_t)1 << 20)
/* Frames may be longer only if the receiver allows it, and the short types never need to be. */
#define SHORT_FRAME ((size_t)16 << 10)

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
#define PREFACE (sizeof preface - 1)

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The next bytes of the input, at most `most`. */
static lc_str take(lc_str *bytes, size_t most)
{
    lc_str taken = {bytes->ptr, bytes->len < most ? bytes->len : most};
    *bytes = lc_str_sub(*bytes, taken.len, bytes->len);
    return taken;
}

static void read_preface(lc_tap *tap, lc_tap_frames *f, lc_str *bytes)
{
    lc_str piece = take(bytes, PREFACE - f->preface);
    if (memcmp(piece.ptr, preface + f->preface, piece.len) != 0)
        lc_tap_fail(tap, "the client does not begin with the preface of HTTP/2 (is it TLS?)");
    f->preface += piece.len;
}

/* Bytes before the body whose number the type of the frame decides. */
static size_t fixed_bytes(const lc_tap_frames *f)
{
    size_t pad = f->flags & PADDED ? 1 : 0;
    switch (f->type) {
    case DATA:
        return pad;
    case HEADERS:
        return pad + (f->flags & WITH_PRIORITY ? 5 : 0);
    case RST_STREAM:
        return 4;
    default:
        return 0;
    }
}

/* What is wrong with a frame of this type and stream at this point; NULL: nothing. */
static const char *misplaced(const lc_tap_frames *f, lc_tap_side side)
{
    if (!f->settled && f->type != SETTINGS)
        return LC_TAP_WHY(side, "the first frame of ", " is not a SETTINGS frame of HTTP/2");
    if (f->in_block != (f->type == CONTINUATION))
        return LC_TAP_WHY(side, "a header block of ", " is not continued where it has to be");
    if (f->length > SHORT_FRAME && f->type != DATA && f->type != HEADERS && f->type != CONTINUATION)
        return LC_TAP_WHY(side, "what ", " sends is not HTTP/2: a frame is too long for its kind");
    if (f->type == PUSH_PROMISE)
        return LC_TAP_WHY(side, "", " pushes a response, which gRPC does not allow");
    if (f->stream == 0 && (f->type <= HEADERS || f->type == RST_STREAM))
        return LC_TAP_WHY(side, "a frame of ", " belongs to no call");
    return NULL;
}

static void read_head(lc_tap *tap, lc_tap_side side)
{
    lc_tap_frames *f = &tap->sides[side];
    uint32_t before = f->stream;
    f->length = big_endian(f->head) >> 8;
    f->type = f->head[3];
    f->flags = f->head[4];
    f->stream = big_endian(f->head + 5) & 0x7FFFFFFF;
    f->need += fixed_bytes(f);
    const char *why = misplaced(f, side);
    if (!why && f->in_block && f->stream != before)
        why = LC_TAP_WHY(side, "a header block of ", " is continued by another call");
    if (!why && f->length < f->need - LC_TAP_HEAD)
        why = LC_TAP_WHY(side, "a frame of ", " is shorter than its own fields");
    if (why)
        lc_tap_fail(tap, why);
    f->settled = true;
}

/* The head and the fixed bytes are there. */
static void begin_frame(lc_tap *tap, lc_tap_side side)
{
    lc_tap_frames *f = &tap->sides[side];
    bool padded = f->type <= HEADERS && f->flags & PADDED;
    f->body = f->length - (f->need - LC_TAP_HEAD);
    f->padding = padded ? f->head[LC_TAP_HEAD] : 0;
    if (f->padding > f->body)
        lc_tap_fail(tap, LC_TAP_WHY(side, "a frame of ", " has more padding than bytes"));
    else
        f->body -= f->padding;
    if (f->type == HEADERS) {
        f->in_block = true;
        f->block_ends_stream = f->flags & END_STREAM;
        lc_buf_clear(&f->block);
        f->block.limit = BLOCK_LIMIT;
    }
}

static void gather_head(lc_tap *tap, lc_tap_side side, lc_str *bytes)
{
    lc_tap_frames *f = &tap->sides[side];
    lc_str piece = take(bytes, f->need - f->have);
    memcpy(f->head + f->have, piece.ptr, piece.len);
    f->have += piece.len;
    if (f->have == LC_TAP_HEAD)
        read_head(tap, side);
    if (f->have == f->need && !tap->why)
        begin_frame(tap, side);
}

static void read_body(lc_tap *tap, lc_tap_side side, lc_str *bytes)
{
    lc_tap_frames *f = &tap->sides[side];
    lc_str piece = take(bytes, f->body);
    f->body -= piece.len;
    if (f->type == DATA)
        lc_tap_data(tap, side, f->stream, piece);
    else if (f->in_block)
        lc_buf_add_str(&f->block, piece);
    if (f->block.overflow)
        lc_tap_fail(tap, LC_TAP_WHY(side, "a header block of ", " is longer than 1 MiB"));
}

static void end_block(lc_tap *tap, lc_tap_side side)
{
    lc_tap_frames *f = &tap->sides[side];
    lc_tap_fields fields;
    f->in_block = false;
    if (lc_hpack_read(&fields, f->hpack, tap->scratch, lc_buf_str(&f->block)))
        lc_tap_headers(tap, side, f->stream, &fields, f->block_ends_stream);
    else
        lc_tap_fail(tap, LC_TAP_WHY(side, "a header block of ", " cannot be decoded"));
    lc_arena_reset(tap->scratch);
}

static void end_frame(lc_tap *tap, lc_tap_side side)
{
    lc_tap_frames *f = &tap->sides[side];
    if (f->in_block && f->flags & END_HEADERS)
        end_block(tap, side);
    else if (f->type == DATA && f->flags & END_STREAM)
        lc_tap_data_end(tap, side, f->stream);
    else if (f->type == RST_STREAM)
        lc_tap_reset(tap, side, f->stream, big_endian(f->head + LC_TAP_HEAD));
    f->have = 0;
    f->need = LC_TAP_HEAD;
}

/* A frame without a body ends with its head, so its end is looked for after every step. */
void lc_tap_read_frames(lc_tap *tap, lc_tap_side side, lc_str bytes)
{
    lc_tap_frames *f = &tap->sides[side];
    while (bytes.len > 0 && !tap->why) {
        if (side == LC_TAP_CLIENT && f->preface < PREFACE) {
            read_preface(tap, f, &bytes);
            continue;
        }
        if (f->have < f->need)
            gather_head(tap, side, &bytes);
        else if (f->body > 0)
            read_body(tap, side, &bytes);
        else
            f->padding -= take(&bytes, f->padding).len;
        if (!tap->why && f->have == f->need && f->body == 0 && f->padding == 0)
            end_frame(tap, side);
    }
}

void lc_tap_frames_release(lc_tap_frames *frames)
{
    lc_buf_release(&frames->block);
    lc_hpack_free(frames->hpack);
}
