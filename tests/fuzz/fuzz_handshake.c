/* Where a provider listens: an input is read as its handshake and as the value of
 * TF_REATTACH_PROVIDERS. Laws: what is read can be written, and is read the same again; as a word
 * of a shell, a string keeps its bytes. */
#include "lifecheck/base/bug.h"
#include "lifecheck/live/live.h"
#include "live/handshake.h"
#include "live/reattach.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_handshake(lc_arena *arena, lc_str in)
{
    lc_handshake first, again;
    lc_str why;
    if (!lc_handshake_read(&first, arena, in, &why)) {
        LC_ASSERT(why.len > 0 && why.len < 400);
        return;
    }
    lc_str line = lc_str_printf(arena, "1|%d|%s|%.*s|grpc|", first.protocol,
                                first.tcp ? "tcp" : "unix", LC_FMT(first.address));
    if (line.len > LC_HANDSHAKE_MAX) /* the bar at the end may be one too many */
        return;
    LC_ASSERT(lc_handshake_read(&again, arena, line, &why));
    LC_ASSERT(again.protocol == first.protocol && again.tcp == first.tcp &&
              lc_str_eq(again.address, first.address));
}

static void check_same(const lc_reattaches *first, const lc_reattaches *again)
{
    LC_ASSERT(first->list.count == again->list.count);
    for (size_t i = 0; i < first->list.count; i++) {
        const lc_reattach *a = &first->list.items[i], *b = &again->list.items[i];
        LC_ASSERT(lc_str_eq(a->provider, b->provider) && lc_str_eq(a->address, b->address));
        LC_ASSERT(a->protocol == b->protocol && a->pid == b->pid && a->tcp == b->tcp);
    }
}

static void try_reattach(lc_arena *arena, lc_str in)
{
    lc_reattaches first, again;
    lc_str why;
    lc_buf text = {0};
    if (!lc_reattach_read(&first, arena, in, &why)) {
        LC_ASSERT(why.len > 0);
        return;
    }
    lc_reattach_write(&text, &first);
    LC_ASSERT(lc_reattach_read(&again, arena, lc_buf_str(&text), &why));
    check_same(&first, &again);
    lc_buf_release(&text);
}

/* What a shell makes of a word in single quotes. */
static void try_word(lc_str in)
{
    lc_buf word = {0}, back = {0};
    lc_add_shell_word(&word, in);
    LC_ASSERT(word.len >= 2 && word.ptr[0] == '\'' && word.ptr[word.len - 1] == '\'');
    bool inside = false;
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '\'')
            inside = !inside;
        else if (inside)
            lc_buf_add_char(&back, word.ptr[i]);
        else
            lc_buf_add_char(&back, word.ptr[i + 1]), i++;
    }
    LC_ASSERT(!inside && lc_str_eq(lc_buf_str(&back), in));
    lc_buf_release(&word);
    lc_buf_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str in = {(const char *)data, size};
    try_handshake(arena, in);
    try_reattach(arena, in);
    try_word(in);
    lc_arena_free(arena);
    return 0;
}
