/* Text: quoting as Go's strconv does it, NFC as golang.org/x/text does it. One row differs from the
 * latter on purpose, "low bits that look like A". */
#include "unit.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/base/enum.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <ctype.h>
#include <string.h>

typedef struct row {
    const char *name;
    lc_str in;
    lc_str want;
} row;

/* clang-format off */
#define ROW(name, in, want) {name, {in, sizeof(in) - 1}, {want, sizeof(want) - 1}}
/* clang-format on */

static const row quotes[] = {
    ROW("empty", "", "\"\""),
    ROW("letters", "ab c", "\"ab c\""),
    ROW("quote and backslash", "a\"b\\c", "\"a\\\"b\\\\c\""),
    ROW("apostrophe", "it's", "\"it's\""),
    ROW("named controls", "\a\b\f\n\r\t\v", "\"\\a\\b\\f\\n\\r\\t\\v\""),
    ROW("other controls", "\x01\x1b\x1f\x7f", "\"\\x01\\x1b\\x1f\\x7f\""),
    ROW("NUL", "a\0b", "\"a\\x00b\""),
    ROW("printable beyond ASCII", "\xc3\xa9\xe6\x97\xa5", "\"\xc3\xa9\xe6\x97\xa5\""),
    ROW("an emoji", "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""),
    ROW("a mark alone", "\xcc\x81", "\"\xcc\x81\""),
    ROW("C1 control", "\xc2\x85", "\"\\u0085\""),
    ROW("no-break space", "\xc2\xa0", "\"\\u00a0\""),
    ROW("soft hyphen", "\xc2\xad", "\"\\u00ad\""),
    ROW("zero width space", "\xe2\x80\x8b", "\"\\u200b\""),
    ROW("line separator", "\xe2\x80\xa8", "\"\\u2028\""),
    ROW("byte order mark", "\xef\xbb\xbf", "\"\\ufeff\""),
    ROW("private use", "\xee\x80\x80", "\"\\ue000\""),
    ROW("replacement character", "\xef\xbf\xbd", "\"\xef\xbf\xbd\""),
    ROW("not assigned", "\xcd\xb8", "\"\\u0378\""),
    ROW("language tag", "\xf3\xa0\x80\x81", "\"\\U000e0001\""),
    ROW("last code point", "\xf4\x8f\xbf\xbf", "\"\\U0010ffff\""),
    ROW("of Unicode 15", "\xf0\x9f\xab\xa8", "\"\xf0\x9f\xab\xa8\""),
    ROW("of Unicode 16", "\xf0\x9f\xab\xa9", "\"\\U0001fae9\""),
    ROW("a bad byte", "a\xff\x62", "\"a\\xffb\""),
    ROW("a cut sequence", "\xe2\x80", "\"\\xe2\\x80\""),
    ROW("a surrogate", "\xed\xa0\x80", "\"\\xed\\xa0\\x80\""),
    ROW("an overlong form", "\xc0\x80", "\"\\xc0\\x80\""),
};

static void check_text(const char *name, lc_str got, lc_str want)
{
    ck_assert_msg(lc_str_eq(got, want), "%s: %.*s, not %.*s", name, LC_FMT(got), LC_FMT(want));
}

#define COLOURS(X)                                                                                 \
    X(RED, "red")                                                                                  \
    X(GREEN, "green")                                                                              \
    X(OTHER, "")
LC_ENUM(colour, COLOURS);
LC_ENUM_NAMES(colour, COLOURS);

/* One list is an enum, its words, and the way from one to the other and back. */
START_TEST(test_text_enum)
{
    colour found = RED;
    size_t at = 7;
    ck_assert_int_eq(LC_ENUM_COUNT(COLOURS), 3);
    ck_assert_str_eq(colour_name(GREEN), "green");
    ck_assert(colour_from_name(&found, LC_STR("green")) && found == GREEN);
    ck_assert(!colour_from_name(&found, LC_STR("Red")) && found == GREEN);
    ck_assert(colour_from_name(&found, LC_STR_EMPTY) && found == OTHER);
    ck_assert(!lc_str_is_one_of(LC_STR("re"), colour_names, &at) && at == 7);
    ck_assert(lc_str_is_one_of(LC_STR("red"), colour_names, NULL));
    ck_assert(lc_str_is(lc_str_nearest_word(LC_STR("gren"), colour_names), "green"));
    ck_assert(lc_str_nearest_word(LC_STR("violet"), colour_names).len == 0);
}
END_TEST

START_TEST(test_text_quoted)
{
    lc_buf buf = {0};
    lc_buf_add_go_quoted(&buf, quotes[_i].in);
    check_text(quotes[_i].name, lc_buf_str(&buf), quotes[_i].want);
    lc_buf_release(&buf);
}
END_TEST

static const row normals[] = {
    ROW("empty", "", ""),
    ROW("e and acute", "e\xcc\x81", "\xc3\xa9"),
    ROW("composed already", "caf\xc3\xa9", "caf\xc3\xa9"),
    ROW("within text", "cafe\xcc\x81 noir", "caf\xc3\xa9 noir"),
    ROW("angstrom sign", "\xe2\x84\xab", "\xc3\x85"),
    ROW("greek tonos, one for one", "\xcd\xb4", "\xca\xb9"),
    ROW("marks in order", "a\xcc\x81\xcc\xa3", "\xe1\xba\xa1\xcc\x81"),
    ROW("three to one", "o\xcc\x82\xcc\x81", "\xe1\xbb\x91"),
    ROW("a mark blocked", "a\xcc\xb4\xcc\xb4\xcc\x81", "\xc3\xa1\xcc\xb4\xcc\xb4"),
    ROW("excluded from composition", "\xe0\xa5\x98", "\xe0\xa4\x95\xe0\xa4\xbc"),
    ROW("hangul syllable", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", "\xea\xb0\x81"),
    ROW("hangul and U+11A7", "\xea\xb0\x80\xe1\x86\xa7", "\xea\xb0\x80\xe1\x86\xa7"),
    ROW("hangul parts and U+11A7", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa7",
        "\xea\xb0\x80\xe1\x86\xa7"),
    ROW("U+11A7 and more",
        "\xe1\x86\xa7"
        "e\xcc\x81",
        "\xe1\x86\xa7\xc3\xa9"),
    ROW("above 16 bits", "\xf0\x91\x82\x99\xf0\x91\x82\xba", "\xf0\x91\x82\x9a"),
    ROW("low bits that look like A", "\xf0\x90\x81\x81\xcc\x81", "\xf0\x90\x81\x81\xcc\x81"),
    ROW("compatibility forms stay", "\xef\xac\x81\xc2\xb2", "\xef\xac\x81\xc2\xb2"),
    ROW("a bad byte separates", "e\xff\xcc\x81", "e\xff\xcc\x81"),
    ROW("between bad bytes",
        "\xff"
        "e\xcc\x81\xff",
        "\xff\xc3\xa9\xff"),
    ROW("a cut sequence at the end", "e\xcc\x81\xcc", "\xc3\xa9\xcc"),
    ROW("NUL", "\0e\xcc\x81", "\0\xc3\xa9"),
};

/* Numbers, and what fits next to what does not fit into what is there. */
START_TEST(test_text_buffer)
{
    static const uint64_t numbers[] = {0, 9, 10, 4294967296, UINT64_MAX};
    lc_buf buf = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        lc_buf_add_uint(&buf, numbers[i]);
        lc_buf_add_char(&buf, ' ');
    }
    check_text("numbers", lc_buf_str(&buf), LC_STR("0 9 10 4294967296 18446744073709551615 "));
    for (size_t len = 0; len < 200; len++) {
        size_t before = buf.len;
        lc_buf_printf(&buf, "%*d", (int)len + 1, 7);
        ck_assert_uint_eq(buf.len, before + len + 1);
        ck_assert_int_eq(buf.ptr[buf.len - 1], '7');
    }
    lc_buf_release(&buf);
    lc_buf bounded = {.limit = 8};
    lc_buf_printf(&bounded, "%s", "seven..");
    lc_buf_printf(&bounded, "%s", "more");
    check_text("bounded", lc_buf_str(&bounded), LC_STR("seven.."));
    ck_assert(bounded.overflow);
    lc_buf_release(&bounded);
}
END_TEST

START_TEST(test_text_normal)
{
    lc_arena *arena = lc_arena_new();
    lc_str got = lc_nfc(arena, normals[_i].in);
    check_text(normals[_i].name, got, normals[_i].want);
    lc_str again = lc_nfc(arena, got);
    ck_assert_msg(again.ptr == got.ptr, "%s: normal text is copied", normals[_i].name);
    lc_arena_free(arena);
}
END_TEST

/* "a", then `count` times two marks whose order is wrong. */
static lc_str long_run(lc_arena *arena, size_t count)
{
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "a");
    for (size_t i = 0; i < count; i++)
        lc_buf_add_c(&buf, "\xcc\x95\xcc\xb4"); /* classes 232 and 1 */
    lc_str out = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return out;
}

static size_t count_joiners(lc_str s)
{
    size_t count = 0;
    for (size_t at = 0; at < s.len;)
        count += lc_utf8_next(s, &at) == 0x034F;
    return count;
}

/* UAX 15's stream-safe text: U+034F after every 30 marks. */
START_TEST(test_text_long_runs)
{
    static const struct {
        size_t pairs, joiners;
    } runs[] = {{1, 0}, {15, 0}, {16, 1}, {30, 1}, {31, 2}};
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        lc_str got = lc_nfc(arena, long_run(arena, runs[i].pairs));
        ck_assert_msg(count_joiners(got) == runs[i].joiners, "%zu pairs: %zu joiners",
                      runs[i].pairs, count_joiners(got));
        ck_assert_msg(got.len == 1 + 4 * runs[i].pairs + 2 * runs[i].joiners, "nothing is lost");
    }
    lc_str first = lc_nfc(arena, long_run(arena, 15));
    ck_assert(lc_str_starts_with(first, LC_STR("a\xcc\xb4\xcc\xb4")));
    ck_assert(lc_str_ends_with(first, LC_STR("\xcc\x95\xcc\x95")));
    lc_arena_free(arena);
}
END_TEST

/* Marks of class 0 count as well: Jamo vowels and finals, and the vowel signs that compose. */
START_TEST(test_text_combining_starters)
{
    static const struct {
        uint32_t rune;
        size_t joiners;
    } rows[] = {
        {0x1160, 0}, {0x1161, 1}, {0x1175, 1}, {0x1176, 0}, {0x11A6, 0},  {0x11A8, 1},
        {0x11C2, 1}, {0x11C3, 0}, {0x09BD, 0}, {0x09BE, 1}, {0x11930, 1}, {0x11931, 0},
    };
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lc_buf text = {0};
        for (int n = 0; n < 31; n++) {
            char bytes[4];
            lc_buf_add(&text, bytes, lc_utf8_put(bytes, rows[i].rune));
        }
        ck_assert_msg(count_joiners(lc_nfc(arena, lc_buf_str(&text))) == rows[i].joiners,
                      "31 times U+%04X", (unsigned)rows[i].rune);
        lc_buf_release(&text);
    }
    lc_arena_free(arena);
}
END_TEST

/* Long text is composed in pieces, but never between a letter and its mark, be it the first mark of
 * all. */
START_TEST(test_text_pieces)
{
    lc_arena *arena = lc_arena_new();
    for (size_t letters = 1; letters < 9000; letters = letters * 3 / 2 + 1) {
        lc_buf text = {0};
        for (size_t i = 0; i < letters; i++)
            lc_buf_add_char(&text, 'a');
        lc_buf_add_c(&text, "\xcc\x80"
                            "b");
        lc_str got = lc_nfc(arena, lc_buf_str(&text));
        ck_assert_msg(lc_str_ends_with(got, LC_STR("\xc3\xa0"
                                                   "b")),
                      "%zu letters and a mark", letters);
        lc_buf_release(&text);
    }
    lc_arena_free(arena);
}
END_TEST

/* Quadratic ordering would take minutes. */
static const struct {
    const char *text;
    bool is;
} identifiers[] = {
    {"a", true},
    {"_", true},
    {"a-b_1", true},
    {"gr\xc3\xb6\xc3\x9f"
     "e",
     true},
    {"\xe2\x85\xa7", true}, /* a Roman numeral */
    {"a\xc2\xb7"
     "b",
     true},              /* a middle dot, of old */
    {"e\xcc\x81", true}, /* with a combining mark */
    {"", false},
    {"1a", false},
    {"-a", false},
    {"a.b", false},
    {"a b", false},
    {"\xcc\x81"
     "e",
     false},
    {"\xe2\x82\xac", false}, /* a currency sign */
    {"a\xff", false},        /* no UTF-8 */
};

/* What older versions of Unicode took for a letter, or for a part, and the neighbours. */
static const struct {
    uint32_t rune;
    bool starts, follows;
} letters[] = {
    {0xB6, false, false},   {0xB7, false, true},    {0xB8, false, false},   {0x386, true, true},
    {0x387, false, true},   {0x1368, false, false}, {0x1369, false, true},  {0x1371, false, true},
    {0x1372, false, false}, {0x1884, true, true},   {0x1885, true, true},   {0x1886, true, true},
    {0x1887, true, true},   {0x19DA, false, true},  {0x19DB, false, false}, {0x2117, false, false},
    {0x2118, true, true},   {0x212D, true, true},   {0x212E, true, true},   {0x309B, true, true},
    {0x309C, true, true},   {0x309A, false, true},  {0x2E2F, false, false}, {0x2167, true, true},
    {0x203F, false, true},  {0x0660, false, true},  {0x20AC, false, false}, {0x01C5, true, true},
};

START_TEST(test_text_letters)
{
    char text[16] = "a";
    size_t len = lc_utf8_put(text + 1, letters[_i].rune);
    ck_assert_msg(lc_is_identifier((lc_str){text + 1, len}) == letters[_i].starts, "U+%04X starts",
                  (unsigned)letters[_i].rune);
    ck_assert_msg(lc_is_identifier((lc_str){text, len + 1}) == letters[_i].follows,
                  "U+%04X follows", (unsigned)letters[_i].rune);
}
END_TEST

START_TEST(test_text_identifiers)
{
    ck_assert_msg(lc_is_identifier(lc_str_from_c(identifiers[_i].text)) == identifiers[_i].is,
                  "\"%s\"", identifiers[_i].text);
}
END_TEST

START_TEST(test_text_many_marks)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = long_run(arena, 200000);
    lc_str got = lc_nfc(arena, text);
    ck_assert_uint_eq(count_joiners(got), (400000 - 1) / 30);
    lc_arena_free(arena);
}
END_TEST

/* Every code point of the planes in use, between letters, is normal after one round. */
START_TEST(test_text_all_code_points)
{
    lc_arena *arena = lc_arena_new();
    for (uint32_t r = 1; r <= 0x10FFFF; r++) {
        if ((r >= 0xD800 && r <= 0xDFFF) || (r >= 0x34000 && r < 0xE0000) || r >= 0xE1000)
            continue;
        char bytes[8] = "a";
        size_t len = 1 + lc_utf8_put(bytes + 1, r);
        bytes[len++] = 'b';
        lc_str once = lc_nfc(arena, (lc_str){bytes, len});
        ASSERT_EACH(lc_nfc(arena, once).ptr == once.ptr, "U+%04X", (unsigned)r);
        lc_arena_reset(arena);
    }
    lc_arena_free(arena);
}
END_TEST

/* The C locale is the one that a program begins with. */
START_TEST(test_ascii_classes)
{
    for (int c = -1; c < 256; c++) {
        ck_assert_msg(lc_is_digit(c) == !!isdigit(c), "%d", c);
        ck_assert_msg(lc_is_upper(c) == !!isupper(c), "%d", c);
        ck_assert_msg(lc_is_lower(c) == !!islower(c), "%d", c);
        ck_assert_msg(lc_is_letter(c) == !!isalpha(c), "%d", c);
        ck_assert_msg(lc_is_alnum(c) == !!isalnum(c), "%d", c);
        ck_assert_msg(lc_is_space(c) == (isspace(c) && c != '\v' && c != '\f'), "%d", c);
        ck_assert_msg((lc_hex_digit(c) >= 0) == !!isxdigit(c), "%d", c);
        if (c >= 0 && c < 128) {
            ck_assert_msg(lc_to_lower((char)c) == tolower(c), "%d", c);
            ck_assert_msg(lc_to_upper((char)c) == toupper(c), "%d", c);
        }
    }
    for (int i = 0; i < 16; i++) {
        ck_assert_int_eq(lc_hex_digit("0123456789abcdef"[i]), i);
        ck_assert_int_eq(lc_hex_digit("0123456789ABCDEF"[i]), i);
    }
}
END_TEST

static const struct {
    const char *text;
    size_t column, width;
    const char *want;
} folds[] = {
    {"", 2, 10, ""},
    {"one two", 0, 7, "one two"},
    {"one two", 0, 6, "one\n> two"},
    {"one two", 1, 7, "one\n> two"},
    {"one two", 9, 7, "one\n> two"},
    {"longer than that", 0, 4, "longer\n> than\n> that"},
    {"line\nbreaks", 0, 20, "line breaks"},
    {"\xc3\xa4\xc3\xb6\xc3\xbc x", 0, 5, "\xc3\xa4\xc3\xb6\xc3\xbc x"},
};

START_TEST(test_folding)
{
    lc_buf buf = {0};
    lc_buf_add_folded(&buf, lc_str_from_c(folds[_i].text), folds[_i].column, folds[_i].width,
                      LC_STR("> "));
    CHECK_TEXT(folds[_i].text, lc_buf_str(&buf), lc_str_from_c(folds[_i].want));
    lc_buf_release(&buf);
}
END_TEST

/* The clusters of a string, separated by bars. */
static const row clusters[] = {
    ROW("letters", "ab", "a|b"),
    ROW("line end", "a\r\nb\rc\n", "a|\r\n|b|\r|c|\n"),
    ROW("accents", "e\xcc\x81\xcc\xa7x", "e\xcc\x81\xcc\xa7|x"),
    ROW("flags", "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xf0\x9f\x87\xa9",
        "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa|\xf0\x9f\x87\xa9"),
    ROW("family", "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9z",
        "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9|z"),
    ROW("joiner after a letter", "a\xe2\x80\x8d\xf0\x9f\x91\xa9", "a\xe2\x80\x8d|\xf0\x9f\x91\xa9"),
    ROW("hangul", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8\xea\xb0\x80",
        "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8|\xea\xb0\x80"),
    ROW("invalid", "\xff\xcc\x81", "\xff|\xcc\x81"),
    ROW("prepended",
        "\xd8\x80"
        "1",
        "\xd8\x80"
        "1"),
};

START_TEST(grapheme)
{
    lc_buf buf = {0};
    size_t count = 0;
    for (size_t at = 0, end; at < clusters[_i].in.len; at = end, count++) {
        end = lc_grapheme_end(clusters[_i].in, at);
        if (at > 0)
            lc_buf_add_char(&buf, '|');
        lc_buf_add_str(&buf, lc_str_sub(clusters[_i].in, at, end));
    }
    CHECK_TEXT(clusters[_i].name, lc_buf_str(&buf), clusters[_i].want);
    ck_assert_uint_eq(count, lc_grapheme_count(clusters[_i].in));
    lc_buf_release(&buf);
}
END_TEST

static const row prefixes[] = {
    ROW("none", "", ""),
    ROW("letter", "a", ""),
    ROW("letters", "ab", "a"),
    ROW("blank", "a ", "a "),
    ROW("line", "a\n", "a"),
    ROW("equals", "a=", "a"),
    ROW("behind a line", "a\nb ", "a"),
    ROW("pair of line ends", "a\r\nb-", "a\r\nb-"),
    ROW("letter behind a line", "a\n1b", "a\n1"),
    ROW("mark behind a line", "a\n1\xcc\x81", "a\n"),
    ROW("letter with accent behind a line", "a\n1\xc3\xa9", "a\n1"),
    ROW("digit behind a line", "a\n12", "a"),
    ROW("accent", "-\xcc\x81", ""),
    ROW("slash", "x/y/", "x/y/"),
};

START_TEST(prefix)
{
    CHECK_TEXT(prefixes[_i].name, lc_safe_prefix(prefixes[_i].in), prefixes[_i].want);
}
END_TEST

static const row file_words[] = {
    ROW("a type", "random_pet", "random_pet"),
    ROW("a function", "function.shout", "function.shout"),
    ROW("a path", "../a/b", "_._a_b-c65c987e70564cb5"),
    ROW("upper case", "Foo", "foo-0dad0a39845b3025"),
    ROW("an option", "-rf", "_rf-3952400a03fdc0ae"),
    ROW("the folder above", "..", "_.-6e44f99a92b3b80a"),
    ROW("a line break", "a\nb", "a_b-b93f0ebdd70051fb"),
    ROW("nothing", "", "_-d34402ebbbc786d6"),
};

START_TEST(file_word)
{
    lc_arena *arena = lc_arena_new();
    CHECK_TEXT(file_words[_i].name, lc_file_word(arena, file_words[_i].in), file_words[_i].want);
    lc_arena_free(arena);
}
END_TEST

/* Files hold fingerprints; a mixed hash is the folded product of 128 bits. */
START_TEST(hashes_are_those_of_every_machine)
{
    ck_assert_uint_eq(lc_str_fingerprint(LC_STR("a fingerprint of more than two words")),
                      0xac6a53fa1dff9c9cu);
    ck_assert_uint_eq(lc_hash_mix(0x123456789abcdef0u, 0xfedcba9876543210u), 0x1cecb8b3b600a9ffu);
    ck_assert_uint_eq(lc_hash_mix(UINT64_MAX, 0), 0x3e5a16ae2c1a8e7eu);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("text");
    TCase *tc = tcase_create("text");
    ADD_ROWS(tc, test_text_quoted, quotes);
    ADD_ROWS(tc, grapheme, clusters);
    ADD_ROWS(tc, prefix, prefixes);
    ADD_ROWS(tc, file_word, file_words);
    ADD_ROWS(tc, test_text_normal, normals);
    tcase_add_test(tc, test_text_enum);
    tcase_add_test(tc, test_text_buffer);
    tcase_add_test(tc, test_text_long_runs);
    tcase_add_test(tc, test_text_combining_starters);
    tcase_add_loop_test(tc, test_text_letters, 0, sizeof letters / sizeof *letters);
    tcase_add_test(tc, test_text_pieces);
    tcase_add_test(tc, test_text_many_marks);
    tcase_add_loop_test(tc, test_text_identifiers, 0, sizeof identifiers / sizeof *identifiers);
    tcase_add_test(tc, test_text_all_code_points);
    tcase_add_test(tc, test_ascii_classes);
    tcase_add_test(tc, hashes_are_those_of_every_machine);
    ADD_ROWS(tc, test_folding, folds);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
