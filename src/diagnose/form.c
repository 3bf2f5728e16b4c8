/* Values that differ in form: the commonest broken promise of all. */
#include "lifecheck/diagnose.h"

typedef struct signature {
    const char *id;
    bool exact;
    const char *why, *framework, *sdkv2;
} signature;

static const signature signatures[] = {
    [LC_UNLIKE] = {"", false, "", "", ""},
    [LC_LIKE_JSON] =
        {"json-equal", true,
         "the same JSON document; only the order of its keys or the white space differs",
         "use jsontypes.Normalized, or return the promised text unchanged",
         "use DiffSuppressFunc, or return the promised text unchanged"},
    [LC_LIKE_CASE] = {"case-only", true, "only letter case differs",
                      "use a custom string type with semantic equality, or return the promised "
                      "text unchanged",
                      "use DiffSuppressFunc, or return the promised text unchanged"},
    [LC_LIKE_LINE_END] = {"eol", true, "only line endings, or line breaks at the end, differ",
                          "return the promised text; compare after removing line breaks",
                          "return the promised text; use DiffSuppressFunc"},
    [LC_LIKE_SPACE] = {"space", true, "only white space differs",
                       "return the promised text; compare without white space",
                       "return the promised text; use DiffSuppressFunc"},
    [LC_LIKE_SLASH] = {"url-slash", true, "only a slash at the end differs",
                       "return the promised text; compare without the slash",
                       "return the promised text; use DiffSuppressFunc"},
    [LC_LIKE_DOT] = {"dns-dot", true, "only a dot at the end differs",
                     "return the promised text; compare without the dot",
                     "return the promised text; use DiffSuppressFunc"},
    [LC_LIKE_EMPTY] = {"null-empty", true, "null and empty are two different values",
                       "return null where the configuration is null, and empty where it is empty",
                       "set the attribute only if the remote system has a value"},
    [LC_LIKE_ORDER] = {"list-permuted", true, "the same elements in another order",
                       "use a set, or return the elements in the promised order",
                       "use TypeSet, or return the elements in the promised order"},
    [LC_LIKE_FLOAT] = {"precision", false, "the number went through a floating-point type",
                       "keep the number as types.Number or an integer type",
                       "keep the number as text or an integer"},
    [LC_LIKE_NUMBER] = {"stringified", true, "two spellings of the same number",
                        "use types.Number, or return the promised text unchanged",
                        "use a number type or DiffSuppressFunc"},
};

void lc_diagnose(lc_finding *finding)
{
    const signature *s = &signatures[finding->likeness];
    finding->diagnosis = (lc_diagnosis){lc_str_from_c(s->id), s->exact, lc_str_from_c(s->why),
                                        lc_str_from_c(s->framework), lc_str_from_c(s->sdkv2)};
}
