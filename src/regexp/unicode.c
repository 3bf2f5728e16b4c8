/* Translates \p{...}: categories and scripts of Unicode, by the names that Go knows. Mirrors
 * parseUnicodeClass and unicodeTable of regexp/syntax in Go 1.26. */
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/str.h"
#include "regexp/internal.h"

#include <string.h>

/* A class by name. Under (?i) Go adds the code points that the class folds to: these are in `folds`
 * if they are few; if there are many, `many` is set, and the class cannot be translated. */
typedef struct unicode_class {
    const char *name;     /* as canonical() writes it */
    const char *property; /* PCRE2's */
    const uint32_t *folds;
    bool many, opposite;
} unicode_class;

static const uint32_t iota_subscript[] = {0x345, 0};
static const uint32_t iotas[] = {0x399, 0x3B9, 0x1FBE, 0};
static const uint32_t mus[] = {0x39C, 0x3BC, 0};
static const uint32_t micro_and_subscript[] = {0xB5, 0x345, 0};

static const unicode_class categories[] = {
    {"Any", "Any", NULL, false, false},
    {"Assigned", "Cn", NULL, false, true},
    {"C", "C", NULL, false, false},
    {"Cc", "Cc", NULL, false, false},
    {"Cf", "Cf", NULL, false, false},
    {"Cn", "Cn", NULL, false, false},
    {"Co", "Co", NULL, false, false},
    {"Cs", "Cs", NULL, false, false},
    {"L", "L", iota_subscript, false, false},
    {"Lc", "L&", NULL, false, false},
    {"Ll", "Ll", NULL, true, false},
    {"Lm", "Lm", NULL, false, false},
    {"Lo", "Lo", NULL, false, false},
    {"Lt", "Lt", NULL, true, false},
    {"Lu", "Lu", NULL, true, false},
    {"M", "M", iotas, false, false},
    {"Mc", "Mc", NULL, false, false},
    {"Me", "Me", NULL, false, false},
    {"Mn", "Mn", iotas, false, false},
    {"N", "N", NULL, false, false},
    {"Nd", "Nd", NULL, false, false},
    {"Nl", "Nl", NULL, false, false},
    {"No", "No", NULL, false, false},
    {"P", "P", NULL, false, false},
    {"Pc", "Pc", NULL, false, false},
    {"Pd", "Pd", NULL, false, false},
    {"Pe", "Pe", NULL, false, false},
    {"Pf", "Pf", NULL, false, false},
    {"Pi", "Pi", NULL, false, false},
    {"Po", "Po", NULL, false, false},
    {"Ps", "Ps", NULL, false, false},
    {"S", "S", NULL, false, false},
    {"Sc", "Sc", NULL, false, false},
    {"Sk", "Sk", NULL, false, false},
    {"Sm", "Sm", NULL, false, false},
    {"So", "So", NULL, false, false},
    {"Z", "Z", NULL, false, false},
    {"Zl", "Zl", NULL, false, false},
    {"Zp", "Zp", NULL, false, false},
    {"Zs", "Zs", NULL, false, false},
    {"Common", "sc:Common", mus, false, false},
    {"Greek", "sc:Greek", micro_and_subscript, false, false},
    {"Inherited", "sc:Inherited", iotas, false, false},
};

/* Long names of categories. */
static const char *const aliases[][2] = {
    {"Casedletter", "Lc"},
    {"Closepunctuation", "Pe"},
    {"Combiningmark", "M"},
    {"Connectorpunctuation", "Pc"},
    {"Control", "Cc"},
    {"Currencysymbol", "Sc"},
    {"Dashpunctuation", "Pd"},
    {"Decimalnumber", "Nd"},
    {"Enclosingmark", "Me"},
    {"Finalpunctuation", "Pf"},
    {"Format", "Cf"},
    {"Initialpunctuation", "Pi"},
    {"Letter", "L"},
    {"Letternumber", "Nl"},
    {"Lineseparator", "Zl"},
    {"Lowercaseletter", "Ll"},
    {"Mark", "M"},
    {"Mathsymbol", "Sm"},
    {"Modifierletter", "Lm"},
    {"Modifiersymbol", "Sk"},
    {"Nonspacingmark", "Mn"},
    {"Number", "N"},
    {"Openpunctuation", "Ps"},
    {"Other", "C"},
    {"Otherletter", "Lo"},
    {"Othernumber", "No"},
    {"Otherpunctuation", "Po"},
    {"Othersymbol", "So"},
    {"Paragraphseparator", "Zp"},
    {"Privateuse", "Co"},
    {"Punctuation", "P"},
    {"Separator", "Z"},
    {"Spaceseparator", "Zs"},
    {"Spacingmark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecaseletter", "Lt"},
    {"Unassigned", "Cn"},
    {"Uppercaseletter", "Lu"},
    {"Cntrl", "Cc"},
    {"Digit", "Nd"},
    {"Punct", "P"},
};

/* Scripts that Go finds. Go removes underscores from the name before the look-up, but its table of
 * scripts has them, so scripts of two words are never found. */
static const char *const scripts[] = {
    "Adlam",      "Ahom",        "Arabic",     "Armenian",   "Avestan",    "Balinese",
    "Bamum",      "Batak",       "Bengali",    "Bhaiksuki",  "Bopomofo",   "Brahmi",
    "Braille",    "Buginese",    "Buhid",      "Carian",     "Chakma",     "Cham",
    "Cherokee",   "Chorasmian",  "Coptic",     "Cuneiform",  "Cypriot",    "Cyrillic",
    "Deseret",    "Devanagari",  "Dogra",      "Duployan",   "Elbasan",    "Elymaic",
    "Ethiopic",   "Georgian",    "Glagolitic", "Gothic",     "Grantha",    "Gujarati",
    "Gurmukhi",   "Han",         "Hangul",     "Hanunoo",    "Hatran",     "Hebrew",
    "Hiragana",   "Javanese",    "Kaithi",     "Kannada",    "Katakana",   "Kawi",
    "Kharoshthi", "Khmer",       "Khojki",     "Khudawadi",  "Lao",        "Latin",
    "Lepcha",     "Limbu",       "Lisu",       "Lycian",     "Lydian",     "Mahajani",
    "Makasar",    "Malayalam",   "Mandaic",    "Manichaean", "Marchen",    "Medefaidrin",
    "Miao",       "Modi",        "Mongolian",  "Mro",        "Multani",    "Myanmar",
    "Nabataean",  "Nandinagari", "Newa",       "Nko",        "Nushu",      "Ogham",
    "Oriya",      "Osage",       "Osmanya",    "Palmyrene",  "Phoenician", "Rejang",
    "Runic",      "Samaritan",   "Saurashtra", "Sharada",    "Shavian",    "Siddham",
    "Sinhala",    "Sogdian",     "Soyombo",    "Sundanese",  "Syriac",     "Tagalog",
    "Tagbanwa",   "Takri",       "Tamil",      "Tangsa",     "Tangut",     "Telugu",
    "Thaana",     "Thai",        "Tibetan",    "Tifinagh",   "Tirhuta",    "Toto",
    "Ugaritic",   "Vai",         "Vithkuqi",   "Wancho",     "Yezidi",     "Yi"};

#define LONGEST 24 /* longer than every name */

/* The form in which names are compared: a capital first, then lowercase, without separators. False:
 * longer than every name, or empty. */
static bool canonical(char out[LONGEST], lc_str name)
{
    size_t length = 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c == '_' || c == '-' || c == ' ')
            continue;
        if (length + 1 == LONGEST || c == '\0')
            return false;
        out[length] = length == 0 ? lc_to_upper(c) : lc_to_lower(c);
        length++;
    }
    out[length] = '\0';
    return length > 0;
}

static const unicode_class *category(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(aliases[i][0], name) == 0)
            name = aliases[i][1];
    }
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
        if (strcmp(categories[i].name, name) == 0)
            return &categories[i];
    }
    return NULL;
}

static bool is_script(const char *name)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        if (strcmp(scripts[i], name) == 0)
            return true;
    }
    return false;
}

/* ---- Writing. */

static void add_property(lc_go_pattern *p, const char *property, bool opposite)
{
    lc_buf_printf(p->out, "\\%c{%s}", opposite ? 'P' : 'p', property);
}

/* "Ascii" with the two code points that fold to ASCII letters. */
static void add_ascii(lc_go_pattern *p, bool opposite, bool in_class)
{
    if (!in_class)
        lc_buf_add_char(p->out, '[');
    if (!opposite)
        lc_go_add_range(p, 0, 0x7F);
    else if (!p->fold)
        lc_go_add_range(p, 0x80, 0x10FFFF);
    if (p->fold && !opposite) {
        lc_go_add_rune(p, 0x17F);
        lc_go_add_rune(p, 0x212A);
    } else if (p->fold) {
        lc_go_add_range(p, 0x80, 0x17E);
        lc_go_add_range(p, 0x180, 0x2129);
        lc_go_add_range(p, 0x212B, 0x10FFFF);
    }
    if (!in_class)
        lc_buf_add_char(p->out, ']');
}

/* A class in a class can be extended by single code points, but not reduced by them, so its
 * opposite cannot be translated there. */
static void add_with_folds(lc_go_pattern *p, const unicode_class *class, bool opposite,
                           bool in_class)
{
    if (in_class && opposite) {
        p->beyond = "the opposite of a category that folds, in a class";
        return;
    }
    if (!in_class)
        lc_buf_add_c(p->out, opposite ? "[^" : "[");
    add_property(p, class->property, false);
    for (const uint32_t *rune = class->folds; *rune; rune++)
        lc_go_add_rune(p, *rune);
    if (!in_class)
        lc_buf_add_char(p->out, ']');
}

/* A ^ in the name inverts the class once more. */
static void add_class(lc_go_pattern *p, lc_str name, bool opposite, bool in_class)
{
    char text[LONGEST];
    if (name.len && name.ptr[0] == '^') {
        opposite = !opposite;
        name = lc_str_sub(name, 1, name.len);
    }
    bool some = canonical(text, name);
    const unicode_class *class = some ? category(text) : NULL;
    if (class && class->many && p->fold)
        p->beyond = "a category of letters that folds";
    else if (class && class->folds && p->fold)
        add_with_folds(p, class, opposite, in_class);
    else if (class)
        add_property(p, class->property, opposite != class->opposite);
    else if (some && strcmp(text, "Ascii") == 0)
        add_ascii(p, opposite, in_class);
    else if (some && is_script(text))
        lc_buf_printf(p->out, "\\%c{sc:%s}", opposite ? 'P' : 'p', text);
    else
        lc_go_fail(p, "invalid character class range");
}

void lc_go_unicode_class(lc_go_pattern *p, bool opposite, bool in_class)
{
    size_t start = p->at;
    if (!lc_go_more(p)) {
        lc_go_fail(p, "invalid character class range");
        return;
    }
    if (lc_go_rune(p) != '{') {
        add_class(p, lc_str_sub(p->text, start, p->at), opposite, in_class);
        return;
    }
    const char *end = memchr(p->text.ptr + p->at, '}', p->text.len - p->at);
    if (!end) {
        lc_go_fail(p, "invalid character class range");
        return;
    }
    lc_str name = lc_str_sub(p->text, p->at, (size_t)(end - p->text.ptr));
    p->at += name.len + 1;
    add_class(p, name, opposite, in_class);
}
