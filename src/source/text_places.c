/* Lines and columns in large strings. A schema document may be one line of 100 MB, where counting
 * from the start for every attribute would be quadratic. So the text is scanned once, at the first
 * look-up, with a mark every STRIDE bytes; a look-up counts on from the nearest mark, or from the
 * previous result if that is nearer. */
#include "lifecheck/source/text_places.h"

#define STRIDE ((size_t)1 << 10)

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Columns count code points. The text is valid UTF-8: other text is refused before. */
static lc_text_mark count_on(lc_str text, lc_text_mark mark, size_t to)
{
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
