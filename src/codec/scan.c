/* JSON for the codec: the tokens of the lexer, in the terms of the codec, over white space. */
#include "codec/internal.h"
#include "lifecheck/base/ascii.h"

lc_json_scan lc_json_scan_over(lc_str text, lc_codec_trouble *trouble)
{
    lc_json_scan s = {lc_json_lexer_over(text, trouble->arena), trouble};
    s.in.like_go = true;
    return s;
}

size_t lc_json_scan_here(lc_json_scan *s)
{
    lc_json_lex_space(&s->in);
    return lc_json_lex_offset(&s->in);
}

int lc_json_scan_peek(lc_json_scan *s)
{
    lc_json_lex_space(&s->in);
    return lc_json_lex_peek(&s->in);
}

static bool refuse(lc_json_scan *s, const char *message)
{
    return lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, lc_json_lex_offset(&s->in), "%s", message);
}

/* Report what the lexer has found in a string or number. Only these faults can be: the others are
 * those of strict reading and of values that are passed over unchecked. */
static bool refuse_token(lc_json_scan *s)
{
    static const char *const messages[] = {
        [LC_JSON_OPEN_STRING] = "the input ends inside a string",
        [LC_JSON_CONTROL] = "a string holds a control character",
        [LC_JSON_BAD_ESCAPE] = "a string holds an unknown escape",
        [LC_JSON_BAD_HEX] = "four hexadecimal digits are required after \\u",
        [LC_JSON_NO_DIGIT] = "a digit is required",
        [LC_JSON_NO_FRACTION] = "a digit is required after the decimal point",
        [LC_JSON_NO_EXPONENT] = "a digit is required in the exponent",
    };
    lc_json_fault fault = s->in.fault;
    if (fault == LC_JSON_BAD_ESCAPE && s->in.at == s->in.end)
        fault = LC_JSON_OPEN_STRING;
    if (fault == LC_JSON_BAD_HEX)
        s->in.at = s->in.fault_from + 1; /* the place is the `u` */
    return refuse(s, messages[fault]);
}

static const char *found_word(int c)
{
    switch (c) {
    case '{':
        return "an object";
    case '[':
        return "an array";
    case '"':
        return "a string";
    case 't':
    case 'f':
        return "a bool";
    case 'n':
        return "null";
    default:
        return c == '-' || lc_is_digit(c) ? "a number" : "something else";
    }
}

bool lc_json_scan_unexpected(lc_json_scan *s, const char *what)
{
    int c = lc_json_scan_peek(s);
    if (c < 0)
        return lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, lc_json_lex_offset(&s->in),
                               "the input ends where %s is required", what);
    return lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, lc_json_lex_offset(&s->in),
                           "%s is required, found %s", what, found_word(c));
}

bool lc_json_scan_char(lc_json_scan *s, char c, const char *what)
{
    if (lc_json_scan_peek(s) != (unsigned char)c)
        return lc_json_scan_unexpected(s, what);
    s->in.at++;
    return true;
}

/* ---- Tokens. */

bool lc_json_scan_string(lc_json_scan *s, lc_str *out)
{
    if (lc_json_scan_peek(s) != '"')
        return lc_json_scan_unexpected(s, "a string");
    return lc_json_lex_string(&s->in, out) || refuse_token(s);
}

bool lc_json_scan_number(lc_json_scan *s, lc_str *out)
{
    lc_json_lex_space(&s->in);
    return lc_json_lex_number(&s->in, out) || refuse_token(s);
}

bool lc_json_scan_word(lc_json_scan *s, const char *word)
{
    size_t at = lc_json_scan_here(s);
    return lc_json_lex_word(&s->in, word) ||
           lc_codec_refuse(s->trouble, LC_WIRE_REFUSED, at, "'%s' is required", word);
}

bool lc_json_scan_more(lc_json_scan *s, lc_json_items *items)
{
    bool first = !items->begun;
    if (lc_json_lex_more(&s->in, items)) {
        /* The lexer takes an input that ends after the opening bracket for a first item to come. */
        items->failed =
            first && s->in.at == s->in.end && !refuse(s, "the input ends inside a value");
        return !items->failed;
    }
    if (items->failed)
        lc_json_scan_unexpected(s, items->close == ']' ? "',' or ']'" : "',' or '}'");
    return false;
}

/* ---- Whole values. */

static bool skip_value(lc_json_scan *s, unsigned depth);

static bool skip_container(lc_json_scan *s, char close, unsigned depth)
{
    lc_json_items items = {.close = close};
    if (!codec_check_depth(s->trouble, lc_json_lex_offset(&s->in), depth))
        return false;
    s->in.at++;
    while (lc_json_scan_more(s, &items)) {
        if (close == '}' && (!lc_json_scan_string(s, NULL) || !lc_json_scan_char(s, ':', "':'")))
            return false;
        if (!skip_value(s, depth + 1))
            return false;
    }
    return !items.failed;
}

static bool skip_value(lc_json_scan *s, unsigned depth)
{
    lc_str ignored;
    int c = lc_json_scan_peek(s);
    switch (c) {
    case '{':
        return skip_container(s, '}', depth);
    case '[':
        return skip_container(s, ']', depth);
    case '"':
        return lc_json_scan_string(s, NULL);
    case 't':
        return lc_json_scan_word(s, "true");
    case 'f':
        return lc_json_scan_word(s, "false");
    case 'n':
        return lc_json_scan_word(s, "null");
    default:
        if (c == '-' || lc_is_digit(c))
            return lc_json_scan_number(s, &ignored);
        return lc_json_scan_unexpected(s, "a value");
    }
}

bool lc_json_scan_skip(lc_json_scan *s, lc_str *out, unsigned depth)
{
    lc_json_lex_space(&s->in);
    const char *from = s->in.at;
    if (!skip_value(s, depth))
        return false;
    *out = (lc_str){from, (size_t)(s->in.at - from)};
    return true;
}
