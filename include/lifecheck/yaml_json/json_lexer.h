/* The tokens of JSON text: strings, numbers, words and white space. Module yaml_json.
 *
 * Readers of nodes, of values and of types look at their text through one of these. It knows the
 * grammar of RFC 8259 but has no messages: a function that returns false has set `fault`, and the
 * reader reports it in its own words and at the place that its users know. Nothing at or beyond
 * `end` is ever read. */
#ifndef LIFECHECK_YAML_JSON_JSON_LEXER_H
#define LIFECHECK_YAML_JSON_JSON_LEXER_H

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/base/str.h"

/* Why a token was refused. */
typedef enum lc_json_fault {
    LC_JSON_OPEN_STRING, /* the text ends before the closing quote */
    LC_JSON_CONTROL,     /* a control character in a string */
    LC_JSON_BAD_ESCAPE,  /* a backslash before another character, or at the end of the text */
    LC_JSON_BAD_HEX,     /* \u without four hexadecimal digits */
    LC_JSON_NO_DIGIT,    /* no number begins here */
    LC_JSON_ZERO_FIRST,  /* a number with a needless zero in front */
    LC_JSON_NO_FRACTION, /* no digit after the decimal point */
    LC_JSON_NO_EXPONENT,
    LC_JSON_LONG_NUMBER, /* more characters than limits->digits */
    LC_JSON_OTHER_WORD,
    LC_JSON_NO_VALUE, /* a closing bracket instead of a value */
    LC_JSON_CUT_OFF,  /* the text ends in a container */
    LC_JSON_TOO_DEEP, /* more than limits->json_depth containers in each other */
} lc_json_fault;

/* Begin with lc_json_lexer_over. Readers may move `at` and `end` to look at a part of the text. */
typedef struct lc_json_lexer {
    const char *start; /* offsets count from here */
    const char *at;
    const char *end;
    lc_arena *arena;         /* for strings that cannot stay in the text */
    const lc_limits *limits; /* NULL: numbers of any length */
    /* As Go's decoder: bytes of strings that are not UTF-8 become U+FFFD, and a number ends after
     * a zero that digits follow. Otherwise the text is known to be UTF-8. */
    bool like_go;
    bool mended; /* there were such bytes, so far */
    /* After false: what is wrong, and where the string, escape or number begins in which it is;
     * `at` is then at the character that is wrong. */
    lc_json_fault fault;
    const char *fault_from;
} lc_json_lexer;

/* Strict, at the beginning of `text`, which is borrowed. `arena` is for strings that need decoding.
 */
static inline lc_json_lexer lc_json_lexer_over(lc_str text, lc_arena *arena)
{
    const char *start = text.ptr ? text.ptr : "";
    return (lc_json_lexer){.start = start, .at = start, .end = start + text.len, .arena = arena};
}

/* Of `at`, in bytes from the beginning. */
static inline size_t lc_json_lex_offset(const lc_json_lexer *l)
{
    return (size_t)(l->at - l->start);
}

/* The next byte, or -1 at the end. Does not advance. */
static inline int lc_json_lex_peek(const lc_json_lexer *l)
{
    return l->at < l->end ? (unsigned char)*l->at : -1;
}

/* Skips the four characters that JSON takes for white space. */
static inline void lc_json_lex_space(lc_json_lexer *l)
{
    while (l->at < l->end && lc_is_space(*l->at))
        l->at++;
}

/* From the opening quote, where `at` is, past the closing one. The string points into the text if
 * nothing in it needs decoding, else into the arena. Half a surrogate pair is U+FFFD. `out` NULL:
 * it is only checked. */
bool lc_json_lex_string(lc_json_lexer *l, lc_str *out);
/* The literal, as it is written. */
bool lc_json_lex_number(lc_json_lexer *l, lc_str *out);
/* `word` is true, false or null; what follows it is not looked at. */
bool lc_json_lex_word(lc_json_lexer *l, const char *word);

/* The items of an array or members of an object, whose opening bracket was consumed. Begin with
 * {.close = ']'} or '}'. */
typedef struct lc_json_items {
    char close;
    bool begun;  /* the first item was asked for */
    bool failed; /* neither a comma nor the closing bracket is there */
} lc_json_items;
/* Over white space and a comma between items: true if one more item is to be read. False at the
 * end, whose bracket is consumed, or if items->failed, which readers may set too. */
static inline bool lc_json_lex_more(lc_json_lexer *l, lc_json_items *items)
{
    lc_json_lex_space(l);
    int c = lc_json_lex_peek(l);
    if (c == items->close) {
        l->at++;
        return false;
    }
    if (!items->begun) {
        items->begun = true;
        return true;
    }
    items->failed = c != ',';
    if (!items->failed)
        l->at++;
    return !items->failed;
}

/* Skips white space and one value without building it, as quickly as finding its end allows:
 * numbers, words and the depth are checked, but not which commas, colons and kinds of closing
 * brackets there are, nor escapes; a caller that needs the value parses it. An open string (for
 * which a control character counts too) is a fault of the place where the search ended. Needs
 * `limits`. `out` is the text of the value. */
bool lc_json_lex_skip(lc_json_lexer *l, lc_str *out);

#endif
