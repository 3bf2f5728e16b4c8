/* Writes YAML line by line. libyaml's emitter cannot write comments, which are half of the text
 * here. */
#include "lifecheck/yaml_json/yaml_writer.h"
#include "lifecheck/base/ascii.h"
#include "yaml_json/internal.h"

#include <stdarg.h>
#include <stdio.h>

#define WIDTH     100
#define NARROWEST 30 /* minimal width of a remark, however deep */

static void spaces(lc_buf *out, unsigned count)
{
    lc_buf_printf(out, "%*s", (int)count, "");
}

/* ---- Lines. */

/* Names in remarks come from inputs. A line break would end the remark, so control characters
 * become `?`. */
static void add_remark(lc_buf *out, lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        lc_buf_add_char(out, (char)(c < 0x20 || c == 0x7f ? '?' : c));
    }
}

/* Bullets are part of the indentation: `- ` takes two columns. In a line that is switched off, the
 * `#` is at the column where the disabled part begins. */
void lc_yaml_write_begin(lc_yaml_writer *o)
{
    unsigned before = o->indent - 2 * o->bullets;
    if (o->off) {
        unsigned at = o->off - 1 < before ? o->off - 1 : before;
        spaces(o->out, at);
        lc_buf_add_c(o->out, o->aside ? "# " : "#");
        spaces(o->out, before - at);
    } else {
        spaces(o->out, before);
    }
    for (; o->bullets; o->bullets--)
        lc_buf_add_c(o->out, "- ");
}

void lc_yaml_write_key(lc_yaml_writer *o, lc_str key)
{
    lc_yaml_write_begin(o);
    lc_yaml_write_add_text(o->out, key);
    lc_buf_add_char(o->out, ':');
}

void lc_yaml_write_end(lc_yaml_writer *o, lc_str note)
{
    if (note.len) {
        lc_buf_add_c(o->out, "  # ");
        add_remark(o->out, note);
    }
    lc_buf_add_char(o->out, '\n');
}

void lc_yaml_write_item(lc_yaml_writer *o)
{
    o->indent += 2;
    o->bullets++;
}

void lc_yaml_write_gap(lc_yaml_writer *o)
{
    lc_buf_add_char(o->out, '\n');
}

/* ---- Remarks. */

/* Where to break `text`: at the last space within `width`, or else at the first space. */
static size_t fold(lc_str text, size_t width)
{
    if (text.len <= width)
        return text.len;
    size_t at = width;
    while (at && text.ptr[at] != ' ')
        at--;
    return at ? at : lc_str_find(text, 0, ' ');
}

static void add_note(lc_yaml_writer *o, lc_str text)
{
    size_t room = o->indent + NARROWEST < WIDTH ? WIDTH - o->indent - 2 : NARROWEST;
    do {
        size_t len = fold(text, room);
        spaces(o->out, o->indent);
        lc_buf_add_c(o->out, "# ");
        add_remark(o->out, lc_str_sub(text, 0, len));
        lc_buf_add_char(o->out, '\n');
        text = lc_str_sub(text, len < text.len ? len + 1 : len, text.len);
    } while (text.len);
}

void lc_yaml_write_note(lc_yaml_writer *o, const char *format, ...)
{
    char text[2000];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0)
        add_note(o, lc_str_from_c(text));
}

/* ---- Scalars. */

static bool is_letter(char c)
{
    return lc_is_letter(c) || c == '_';
}

/* Words that some YAML reader takes for another kind of value (YAML 1.1), or that scenarios give a
 * meaning. */
static bool is_reserved(lc_str text)
{
    static const char *const words[] = {"null", "true", "false", "yes",     "no", "on",
                                        "off",  "y",    "n",     "unknown", NULL};
    char low[16];
    if (text.len >= sizeof low)
        return false;
    for (size_t i = 0; i < text.len; i++)
        low[i] = lc_to_lower(text.ptr[i]);
    return lc_str_is_one_of((lc_str){low, text.len}, words, NULL);
}

/* A file path, which cannot be a number. */
static bool begins_path(lc_str text)
{
    return lc_str_starts_with(text, LC_STR("/")) || lc_str_starts_with(text, LC_STR("./")) ||
           lc_str_starts_with(text, LC_STR("../"));
}

/* Conservative: everything that could be more than a word is quoted. */
static bool is_plain(lc_str text)
{
    if (text.len == 0 || is_reserved(text) || !(is_letter(text.ptr[0]) || begins_path(text)))
        return false;
    for (size_t i = 1; i < text.len; i++) {
        char c = text.ptr[i];
        bool inner =
            lc_is_digit(c) || c == '-' || c == '.' || c == '/' || (c == ' ' && i + 1 < text.len);
        if (!is_letter(c) && !inner)
            return false;
    }
    return true;
}

void lc_yaml_write_add_text(lc_buf *out, lc_str text)
{
    if (is_plain(text))
        lc_buf_add_str(out, text);
    else
        lc_buf_add_json(out, text, false);
}
