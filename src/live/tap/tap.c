/* A connection as a whole: its two sides, its calls, and its failure. */
#include "live/tap/tap.h"
#include "live/tap/parts.h"

#include <string.h>

lc_tap *lc_tap_open(const lc_limits *limits, void (*ended)(void *context, const lc_tap_call *call),
                    void *context)
{
    if (!lc_tap_available())
        return NULL;
    lc_tap *tap = lc_heap_alloc(sizeof *tap);
    size_t limit = limits->input_bytes;
    *tap = (lc_tap){.message_limit = limit,
                    .held_limit = limit > SIZE_MAX / 2 ? SIZE_MAX : limit * 2,
                    .ended = ended,
                    .context = context,
                    .scratch = lc_arena_new_small()};
    for (int side = 0; side < 2; side++) {
        tap->sides[side].need = LC_TAP_HEAD;
        tap->sides[side].hpack = lc_hpack_new();
    }
    return tap;
}

void lc_tap_fail(lc_tap *tap, const char *why)
{
    if (!tap->why)
        tap->why = why;
}

bool lc_tap_bytes(lc_tap *tap, lc_tap_side side, lc_str bytes, int64_t now, const char **why)
{
    if (!tap->why) {
        tap->now = now;
        lc_tap_read_frames(tap, side, bytes);
        if (tap->why) {
            tap->lost = lc_tap_unanswered_calls(tap);
            lc_tap_forget(tap);
        }
    }
    if (tap->why)
        *why = tap->why;
    return !tap->why;
}

size_t lc_tap_unanswered_calls(const lc_tap *tap)
{
    size_t count = tap->lost;
    for (const lc_tap_stream *s = tap->first; s; s = s->next)
        count += s->of_provider;
    return count;
}

void lc_tap_close(lc_tap *tap, int64_t now)
{
    if (!tap)
        return;
    tap->now = now;
    lc_tap_tear(tap);
    lc_tap_drop(tap);
}

void lc_tap_drop(lc_tap *tap)
{
    if (!tap)
        return;
    lc_tap_forget(tap);
    lc_tap_frames_release(&tap->sides[LC_TAP_CLIENT]);
    lc_tap_frames_release(&tap->sides[LC_TAP_PROVIDER]);
    lc_index_release(&tap->streams);
    lc_arena_free(tap->scratch);
    lc_heap_free(tap);
}
