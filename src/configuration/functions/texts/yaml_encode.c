/* yamlencode: the bytes of go-cty-yaml, whose writer is that of old versions of libyaml. Strings
 * are in quotation marks, or, with line feeds, in a literal block; the same applies to keys. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/utf8.h"

#define WIDTH   80 /* quoted strings are folded at the first space after this column */
#define INDENT  2
#define LONGEST 128 /* bytes of a key before a colon */

typedef struct writer {
    lc_buf *out;
    int indent, column;
    bool spaced;    /* white space was written last */
    bool at_indent; /* the line has only indentation and indicators */
    bool open;      /* the document has no visible end */
} writer;

/* The position of a node. */
typedef enum place { ROOT, ITEM, VALUE, KEY, LONG_KEY } place;

static void put(writer *w, lc_str text, int columns)
{
    lc_buf_add_str(w->out, text);
    w->column += columns;
}

static void put_break(writer *w)
{
    lc_buf_add_char(w->out, '\n');
    w->column = 0;
}

static void indicator(writer *w, const char *text, bool needs_space, bool keeps_indent)
{
    lc_str s = lc_str_from_c(text);
    if (needs_space && !w->spaced)
        put(w, LC_STR(" "), 1);
    put(w, s, (int)s.len);
    w->spaced = false;
    w->at_indent = w->at_indent && keeps_indent;
    w->open = false;
}

static void new_line(writer *w)
{
    int indent = w->indent < 0 ? 0 : w->indent;
    if (!w->at_indent || w->column > indent || (w->column == indent && !w->spaced))
        put_break(w);
    while (w->column < indent)
        put(w, LC_STR(" "), 1);
    w->spaced = w->at_indent = true;
}

/* ---- Characters. */

static bool is_break(uint32_t r)
{
    return r == '\r' || r == '\n' || r == 0x85 || r == 0x2028 || r == 0x2029;
}

/* What old YAML prints as it is: nothing above U+FFFF. */
static bool is_printable(uint32_t r)
{
    return r == '\n' || (r >= 0x20 && r <= 0x7E) ||
           (r >= 0xA0 && r < 0xFFFE && !(r >= 0xD800 && r < 0xE000) && r != 0xFEFF);
}

/* What decides in which style a string is written. */
typedef struct text_facts {
    bool multiline;  /* there are line breaks */
    bool block;      /* it may be written as a literal block */
    bool byte_order; /* it begins with a byte order mark: then all of it is escaped */
} text_facts;

static text_facts look_at(lc_str text)
{
    text_facts facts = {.block = text.len > 0};
    facts.byte_order = lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF"));
    bool space = false;
    for (size_t at = 0; at < text.len;) {
        uint32_t r = lc_utf8_next(text, &at);
        bool line_end = is_break(r);
        facts.multiline |= line_end;
        if (!is_printable(r) || (space && line_end) || (r == ' ' && at == text.len))
            facts.block = false;
        space = r == ' ';
    }
    return facts;
}

/* ---- Scalars. */

static void plain(writer *w, lc_str text, place where)
{
    if (!w->spaced)
        put(w, LC_STR(" "), 1);
    put(w, text, (int)text.len);
    w->spaced = w->at_indent = false;
    if (where == ROOT)
        w->open = true;
}

static void escape(writer *w, uint32_t r)
{
    static const struct {
        uint32_t rune;
        char letter;
    } short_ones[] = {{0, '0'},     {7, 'a'},    {8, 'b'},    {9, 't'},      {10, 'n'},
                      {11, 'v'},    {12, 'f'},   {13, 'r'},   {27, 'e'},     {'"', '"'},
                      {'\\', '\\'}, {0x85, 'N'}, {0xA0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
    char text[16];
    for (size_t i = 0; i < sizeof short_ones / sizeof *short_ones; i++) {
        if (short_ones[i].rune == r) {
            char pair[2] = {'\\', short_ones[i].letter};
            put(w, (lc_str){pair, 2}, 2);
            return;
        }
    }
    int digits = r <= 0xFF ? 2 : r <= 0xFFFF ? 4 : 8;
    text[0] = '\\';
    text[1] = digits == 2 ? 'x' : digits == 4 ? 'u' : 'U';
    for (int i = 0; i < digits; i++)
        text[2 + i] = "0123456789ABCDEF"[r >> 4 * (digits - 1 - i) & 0xF];
    put(w, (lc_str){text, (size_t)digits + 2}, digits + 2);
}

static void quoted(writer *w, lc_str text, const text_facts *facts, bool folds)
{
    bool space = false;
    indicator(w, "\"", true, false);
    for (size_t at = 0, from = 0; at < text.len && !w->out->overflow; from = at) {
        uint32_t r = lc_utf8_next(text, &at);
        bool fold = folds && r == ' ' && !space && w->column > WIDTH && from > 0 && at < text.len;
        if (fold) {
            new_line(w);
            if (text.ptr[at] == ' ')
                put(w, LC_STR("\\"), 1);
        } else if (!is_printable(r) || facts->byte_order || is_break(r) || r == '"' || r == '\\') {
            escape(w, r);
        } else {
            put(w, lc_str_sub(text, from, at), 1);
        }
        space = r == ' ' && !facts->byte_order;
    }
    indicator(w, "\"", false, false);
}

/* Offset of the last character. */
static size_t last_at(lc_str text)
{
    size_t at = text.len;
    while (at > 0 && ((unsigned char)text.ptr[--at] & 0xC0) == 0x80)
        ;
    return at;
}

static bool breaks_at(lc_str text, size_t at)
{
    return at < text.len && is_break(lc_utf8_next(text, &at));
}

/* An indicator gives the indentation if the text begins with white space; another one decides
 * whether its last line breaks are kept. */
static void block_hints(writer *w, lc_str text)
{
    size_t last = last_at(text);
    if (text.ptr[0] == ' ' || breaks_at(text, 0))
        indicator(w, "2", false, false);
    if (!breaks_at(text, last))
        indicator(w, "-", false, false);
    else if (last == 0 || breaks_at(text, last_at(lc_str_sub(text, 0, last))))
        indicator(w, "+", false, false);
}

static void literal(writer *w, lc_str text)
{
    bool begins = true;
    indicator(w, "|", true, false);
    block_hints(w, text);
    put_break(w);
    w->at_indent = w->spaced = true;
    for (size_t at = 0, from = 0; at < text.len; from = at) {
        if (is_break(lc_utf8_next(text, &at))) {
            put(w, lc_str_sub(text, from, at), 0);
            w->column = 0;
            w->at_indent = begins = true;
            continue;
        }
        if (begins)
            new_line(w);
        put(w, lc_str_sub(text, from, at), 1);
        w->at_indent = begins = false;
    }
}

static void text_node(writer *w, lc_str text, place where)
{
    text_facts facts = look_at(text);
    bool feeds = lc_str_find(text, 0, '\n') < text.len;
    int indent = w->indent;
    w->indent = indent < 0 ? INDENT : indent + INDENT;
    if (feeds && facts.block && where != KEY)
        literal(w, text);
    else
        quoted(w, text, &facts, where != KEY);
    w->indent = indent;
}

/* ---- Nodes. */

static void node(writer *w, const lc_value *v, place where);

static void sequence(writer *w, const lc_value *v, place where)
{
    int indent = w->indent;
    if (v->count == 0) {
        indicator(w, "[", true, false);
        w->spaced = true;
        indicator(w, "]", false, false);
        return;
    }
    /* Below a key the items have its column. */
    bool below_key = where == VALUE && !w->at_indent;
    w->indent = indent < 0 ? 0 : below_key ? indent : indent + INDENT;
    for (uint32_t i = 0; i < v->count && !w->out->overflow; i++) {
        new_line(w);
        indicator(w, "-", true, true);
        node(w, &v->as.many.elems[i], ITEM);
    }
    w->indent = indent;
}

static void member(writer *w, lc_str key, const lc_value *value)
{
    text_facts facts = look_at(key);
    new_line(w);
    if (!facts.multiline && key.len <= LONGEST) {
        text_node(w, key, KEY);
        indicator(w, ":", false, false);
    } else {
        indicator(w, "?", true, true);
        text_node(w, key, LONG_KEY);
        new_line(w);
        indicator(w, ":", true, true);
    }
    node(w, value, VALUE);
}

static void mapping(writer *w, const lc_value *v)
{
    int indent = w->indent;
    if (v->count == 0) {
        indicator(w, "{", true, false);
        w->spaced = true;
        indicator(w, "}", false, false);
        return;
    }
    w->indent = indent < 0 ? 0 : indent + INDENT;
    for (uint32_t i = 0; i < v->count && !w->out->overflow; i++)
        member(w, lc_fn_key_at(v, i), &v->as.many.elems[i]);
    w->indent = indent;
}

static void number(writer *w, lc_num n, place where)
{
    lc_buf text = {0};
    lc_num_add_text(&text, n);
    plain(w, lc_buf_str(&text), where);
    lc_buf_release(&text);
}

static void node(writer *w, const lc_value *v, place where)
{
    if (lc_is_null(v))
        plain(w, LC_STR("null"), where);
    else if (v->type->kind == LC_TYPE_STRING)
        text_node(w, v->as.string, where);
    else if (v->type->kind == LC_TYPE_NUMBER)
        number(w, v->as.number, where);
    else if (v->type->kind == LC_TYPE_BOOL)
        plain(w, v->as.boolean ? LC_STR("true") : LC_STR("false"), where);
    else if (lc_fn_is_map(v))
        mapping(w, v);
    else
        sequence(w, v, where);
}

bool lc_fn_yamlencode(lc_fn_call *c)
{
    lc_buf out = LC_MADE_TEXT;
    writer w = {.out = &out, .indent = -1, .spaced = true, .at_indent = true};
    if (!lc_is_wholly_known(lc_fn_arg(c, 0)))
        return lc_fn_give_unknown(c);
    node(&w, lc_fn_arg(c, 0), ROOT);
    new_line(&w);
    if (w.open) {
        indicator(&w, "...", true, false);
        new_line(&w);
    }
    return lc_fn_give_made(c, &out);
}
