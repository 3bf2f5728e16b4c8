/* Lines and columns in large strings. A schema document may be one line of 100 MB, where counting
 * from the start for every attribute would be quadratic. So the text is scanned once, at the first
 * look-up, with a mark every STRIDE bytes; a look-up counts on from the nearest mark, or from the
 * previous result if that is nearer. */
#include "lifecheck/yaml_json/text_places.h"

#include <string.h>

#define STRIDE ((size_t)1 << 10)

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

#define EACH_BYTE(n) (0x0101010101010101u * (n))

/* Counts on over words without a line break; stops at the first other one, or near `to`. */
static lc_text_mark count_words(lc_str text, lc_text_mark mark, size_t to)
{
    for (uint64_t word; to - mark.offset >= sizeof word; mark.offset += sizeof word) {
        memcpy(&word, text.ptr + mark.offset, sizeof word);
        uint64_t breaks = word ^ EACH_BYTE('\n');
        if ((breaks - EACH_BYTE(1)) & ~breaks & EACH_BYTE(0x80))
            break;
        uint64_t continuations = word >> 7 & ~(word >> 6) & EACH_BYTE(1);
        mark.column += 8 - (uint32_t)(continuations * EACH_BYTE(1) >> 56);
    }
    return mark;
}

/* Columns count code points. The text is valid UTF-8: other text is refused before. */
static lc_text_mark count_on(lc_str text, lc_text_mark mark, size_t to)
{
    if (mark.offset < to)
        mark = count_words(text, mark, to);
    for (size_t i = mark.offset; i < to; i++) {
        if (text.ptr[i] == '\n') {
            mark.line++;
            mark.column = 1;
        } else if (!is_continuation(text.ptr[i])) {
            mark.column++;
        }
    }
    mark.offset = to;
    return mark;
}

void lc_text_places_init(lc_text_places *places, lc_arena *arena, lc_str file, lc_str text)
{
    *places = (lc_text_places){.arena = arena, .file = file, .text = text};
    places->last = (lc_text_mark){0, 1, 1};
}

static void make_marks(lc_text_places *places)
{
    size_t count = places->text.len / STRIDE + 1;
    places->marks = LC_NEW_ARRAY(places->arena, lc_text_mark, count);
    places->marks[0] = (lc_text_mark){0, 1, 1};
    for (size_t i = 1; i < count; i++)
        places->marks[i] = count_on(places->text, places->marks[i - 1], i * STRIDE);
}

lc_loc lc_text_places_at(lc_text_places *places, size_t offset)
{
    if (places->all_at.line)
        return places->all_at;
    if (offset > places->text.len)
        offset = places->text.len;
    if (!places->marks)
        make_marks(places);
    lc_text_mark from = places->marks[offset / STRIDE];
    if (places->last.offset <= offset && places->last.offset > from.offset)
        from = places->last;
    places->last = count_on(places->text, from, offset);
    return (lc_loc){places->file, places->last.line, places->last.column};
}
