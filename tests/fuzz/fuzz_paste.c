/* Pasted messages: any bytes. Laws: results are bounded in number and in length, and each names a
 * rule or a matter with the message it was found by; asking twice gives the same, and what is found
 * of the lifecycle alone is found next to the rest too. A string that cleaning leaves as it is can
 * stand in a box, be indented, coloured, quoted or logged with times, and says the same. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/diagnose/error_lookup.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_FOUND 200
#define BOX        "\xE2\x94\x82" /* the wall of a box */
#define BOX_TOP    "\xE2\x95\xB7\n"
#define BOX_BOTTOM "\xE2\x95\xB5\n"

/* What stands around a string, and before and behind each of its lines. */
typedef struct frame {
    const char *top, *before, *behind, *bottom;
} frame;

static const frame frames[] = {
    {"", "", "\r", ""},
    {"", "   \t ", " ", "\n\n"},
    {BOX_TOP, BOX " ", "", BOX_BOTTOM},
    {BOX_TOP, BOX, "  \r", BOX_BOTTOM},
    {"\x1b[31m" BOX_TOP, BOX "\x1b[0m\x1b[1;31m ", "\x1b[0m", BOX_BOTTOM "\x1b[0m"},
    {"\n", "2026-01-02T03:04:05.678Z ", "", ""},
    {"", "2026-01-02T03:04:05.6789012Z ##[error]" BOX " ", "", ""},
    {"", "plan\tapply\t2026-01-02T03:04:05Z " BOX " ", "", ""},
    {"", "> ", "", ""},
    {"", "> | " BOX " ", "", "\n> \n"},
};

static void check_text(lc_str text, size_t most)
{
    LC_ASSERT(text.len <= most && (text.len == 0 || text.ptr));
}

static void check_found(const lc_error_matches *found, lc_str clean)
{
    LC_ASSERT(found->count <= MOST_FOUND);
    for (size_t i = 0; i < found->count; i++) {
        const lc_error_match *r = &found->items[i];
        LC_ASSERT((r->rule < LC_RULE_COUNT) != (r->topic != LC_TOPIC_NONE));
        LC_ASSERT(r->words && *r->words);
        LC_ASSERT(!(r->cores & ~LC_BOTH_CORES & ~LC_MESSAGE_BY_FRAMEWORK & ~LC_MESSAGE_BY_TESTING));
        check_text(r->address, clean.len);
        check_text(r->path, clean.len);
        check_text(r->provider, clean.len);
    }
}

static bool is_same(const lc_error_match *a, const lc_error_match *b)
{
    return a->rule == b->rule && a->topic == b->topic && a->call == b->call &&
           a->cores == b->cores && a->effect == b->effect && a->words == b->words &&
           a->hidden == b->hidden && a->unsure == b->unsure && a->family == b->family &&
           lc_str_eq(a->address, b->address) && lc_str_eq(a->path, b->path) &&
           lc_str_eq(a->provider, b->provider);
}

static void check_same(const lc_error_matches *a, const lc_error_matches *b)
{
    LC_ASSERT(a->count == b->count);
    for (size_t i = 0; i < a->count; i++)
        LC_ASSERT(is_same(&a->items[i], &b->items[i]));
}

static lc_str framed(lc_arena *arena, lc_str text, const frame *f)
{
    lc_buf out = {0};
    lc_buf_add_c(&out, f->top);
    for (size_t from = 0, to; from < text.len; from = to + 1) {
        const char *end = memchr(text.ptr + from, '\n', text.len - from);
        to = end ? (size_t)(end - text.ptr) : text.len;
        lc_buf_add_c(&out, f->before);
        lc_buf_add_str(&out, lc_str_sub(text, from, to));
        lc_buf_add_c(&out, f->behind);
        lc_buf_add_char(&out, '\n');
    }
    lc_buf_add_c(&out, f->bottom);
    return lc_buf_take(arena, &out);
}

static void check_frame(lc_arena *arena, lc_str clean, const lc_error_matches *found,
                        const frame *f)
{
    lc_error_matches again;
    lc_error_lookup_explain(&again, arena, framed(arena, clean, f));
    check_same(found, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = {(const char *)data, size};
    lc_str clean = lc_error_text_normalize(arena, text);
    lc_error_matches all, again, lifecycle;
    lc_error_lookup_explain(&all, arena, text);
    lc_error_lookup_explain(&again, arena, text);
    lc_error_lookup(&lifecycle, arena, text);
    LC_ASSERT(clean.len <= 2 * size + 16);
    check_found(&all, clean);
    check_found(&lifecycle, clean);
    check_same(&all, &again);
    LC_ASSERT(lifecycle.count == 0 || all.count > 0);
    /* One frame an input, so that all inputs are quick; the bytes choose. */
    if (size && lc_str_eq(lc_error_text_normalize(arena, clean), clean))
        check_frame(arena, clean, &all,
                    &frames[(data[0] + size) % (sizeof frames / sizeof *frames)]);
    lc_arena_free(arena);
    return 0;
}
