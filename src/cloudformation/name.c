/* Names: from CloudFormation's to Terraform's. The provider has two functions for property names:
 * one for attributes and one for identity attributes. They treat digits and some words differently.
 * Both work on bytes, and both are mirrored with their oddities (IPs becomes i_ps). */
#include "cloudformation/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/cloudformation/cloudformation.h"

#include <string.h>

static lc_str trim(lc_str s)
{
    size_t from = 0, to = s.len;
    while (from < to && strchr(" \t\n\v\f\r", s.ptr[from]))
        from++;
    while (to > from && strchr(" \t\n\v\f\r", s.ptr[to - 1]))
        to--;
    return lc_str_sub(s, from, to);
}

static void add_lower(lc_buf *out, lc_str s)
{
    for (size_t i = 0; i < s.len; i++)
        lc_buf_add_char(out, lc_to_lower(s.ptr[i]));
}

/* ---- Attributes. */

/* Words that would be split wrongly: the spelling in property names, and the one that is used to
 * make attribute names. Replaced wherever they occur. */
static const char *const respellings[][2] = {
    {"CloudFormation", "Cloudformation"},
    {"CloudFront", "Cloudfront"},
    {"CloudWatch", "Cloudwatch"},
    {"CNAMEs", "Cnames"},
    {"FSx", "Fsx"},
    {"OTel", "Otel"},
};

bool lc_cfn_add_words(lc_buf *out, lc_str s, bool back)
{
    bool other = false;
    for (size_t i = 0; i < s.len;) {
        size_t w = 0, count = sizeof respellings / sizeof *respellings;
        lc_str rest = lc_str_sub(s, i, s.len);
        while (w < count && !lc_str_starts_with(rest, lc_str_from_c(respellings[w][back])))
            w++;
        if (w < count)
            lc_buf_add_c(out, respellings[w][!back]);
        else
            lc_buf_add_char(out, s.ptr[i]);
        other |= w < count;
        i += w < count ? strlen(respellings[w][back]) : 1;
    }
    return other;
}

/* Does a word end at `c`, given the next character? */
static bool is_border(char c, char next)
{
    if (lc_is_upper(c))
        return lc_is_lower(next);
    if (lc_is_lower(c))
        return lc_is_upper(next) || lc_is_digit(next);
    return lc_is_digit(c) && lc_is_letter(next);
}

/* An underscore at each border; a capital before a lowercase letter belongs to the following word
 * (ARNList becomes arn_list). */
static void add_snake(lc_buf *out, lc_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool border = i + 1 < s.len && is_border(c, s.ptr[i + 1]);
        if (border && lc_is_upper(c) && i && lc_is_upper(s.ptr[i - 1]))
            lc_buf_add_char(out, '_');
        lc_buf_add_char(out, lc_is_alnum(c) ? lc_to_lower(c) : '_');
        if (border && !lc_is_upper(c))
            lc_buf_add_char(out, '_');
    }
}

lc_str lc_cfn_attribute_name(lc_arena *arena, lc_str property)
{
    lc_buf respelled = {0}, out = {0};
    lc_cfn_add_words(&respelled, trim(property), false);
    add_snake(&out, lc_buf_str(&respelled));
    lc_buf_release(&respelled);
    return lc_buf_take(arena, &out);
}

/* The name after provider and service: flow_log for awscc_ec2_flow_log. */
static lc_str relative_name(lc_str terraform_name)
{
    size_t at = 0;
    for (int part = 0; part < 2; part++) {
        while (at < terraform_name.len && terraform_name.ptr[at] != '_')
            at++;
        at += at < terraform_name.len;
    }
    return lc_str_sub(terraform_name, at, terraform_name.len);
}

lc_str lc_cfn_root_name(lc_arena *arena, lc_str attribute, lc_str terraform_name)
{
    if (lc_str_is(attribute, "provider"))
        return LC_STR("provider_name");
    if (!lc_str_is(attribute, "id"))
        return attribute;
    return lc_str_printf(arena, "%.*s_id", LC_FMT(relative_name(terraform_name)));
}

/* ---- Identity attributes. */

/* Mirrors ReplaceAll of the regular expression (.)([A-Z][a-z]+) by "${1}_${2}": matches do not
 * overlap, and the dot does not match a line feed. */
static void split_words(lc_buf *out, lc_str s)
{
    for (size_t i = 0; i < s.len;) {
        bool word = i + 2 < s.len && s.ptr[i] != '\n' && lc_is_upper(s.ptr[i + 1]) &&
                    lc_is_lower(s.ptr[i + 2]);
        lc_buf_add_char(out, s.ptr[i++]);
        if (!word)
            continue;
        lc_buf_add_char(out, '_');
        lc_buf_add_char(out, s.ptr[i++]);
        while (i < s.len && lc_is_lower(s.ptr[i]))
            lc_buf_add_char(out, s.ptr[i++]);
    }
}

/* The second step mirrors ([a-z0-9])([A-Z]), then everything is converted to lowercase. */
lc_str lc_cfn_identity_name(lc_arena *arena, lc_str property)
{
    lc_buf words = {0}, out = {0};
    split_words(&words, property);
    lc_str s = lc_buf_str(&words);
    for (size_t i = 0; i < s.len; i++) {
        lc_buf_add_char(&out, lc_to_lower(s.ptr[i]));
        if (i + 1 < s.len && (lc_is_lower(s.ptr[i]) || lc_is_digit(s.ptr[i])) &&
            lc_is_upper(s.ptr[i + 1]))
            lc_buf_add_char(&out, '_');
    }
    lc_buf_release(&words);
    return lc_buf_take(arena, &out);
}

/* ---- Types. */

static bool is_part(lc_str part)
{
    if (part.len < 2 || part.len > 64)
        return false;
    for (size_t i = 0; i < part.len; i++) {
        if (!lc_is_alnum(part.ptr[i]))
            return false;
    }
    return true;
}

/* Removes the part before the next "::" from *rest; false if there is no other part. */
static bool next_part(lc_str *part, lc_str *rest)
{
    for (size_t i = 0; i + 1 < rest->len; i++) {
        if (rest->ptr[i] == ':' && rest->ptr[i + 1] == ':') {
            *part = lc_str_sub(*rest, 0, i);
            *rest = lc_str_sub(*rest, i + 2, rest->len);
            return true;
        }
    }
    return false;
}

bool lc_cfn_type_name(lc_str *out, lc_arena *arena, lc_str name)
{
    lc_str organization, service, resource = name;
    if (!next_part(&organization, &resource) || !next_part(&service, &resource) ||
        !is_part(organization) || !is_part(service) || !is_part(resource))
        return false;
    lc_buf text = {0};
    lc_buf_add_c(&text, "awscc_");
    add_lower(&text, service);
    lc_buf_add_char(&text, '_');
    lc_buf_add_str(&text, lc_cfn_attribute_name(arena, resource));
    *out = lc_buf_take(arena, &text);
    return true;
}

/* ---- Plurals. */

typedef struct plural_rule {
    const char *ending;
    const char *instead; /* replaces the last `cut` characters */
    size_t cut;
} plural_rule;

/* The rules of the provider's library for plurals. The first ending that fits decides; it need not
 * be a whole word. "^y" is a y after a consonant, and "^fe" an fe that does not follow an f. */
static const plural_rule plural_rules[] = {
    {"person", "people", 6},
    {"man", "men", 3},
    {"child", "children", 5},
    {"sex", "sexes", 3},
    {"move", "moves", 4},
    {"lens", "lenses", 4},
    {"quiz", "quizzes", 4},
    {"matrix", "ices", 2},
    {"matrex", "ices", 2},
    {"vertix", "ices", 2},
    {"vertex", "ices", 2},
    {"indix", "ices", 2},
    {"index", "ices", 2},
    {"x", "es", 0},
    {"ch", "es", 0},
    {"ss", "es", 0},
    {"sh", "es", 0},
    {"^y", "ies", 1},
    {"^fe", "ves", 2},
    {"lf", "ves", 1},
    {"rf", "ves", 1},
    {"sis", "ses", 3},
    {"ia", "", 0},
    {"ta", "", 0},
    {"tum", "a", 2},
    {"ium", "a", 2},
    {"buffalo", "es", 0},
    {"tomato", "es", 0},
    {"bus", "es", 0},
    {"alias", "es", 0},
    {"status", "es", 0},
    {"octopus", "i", 2},
    {"virus", "i", 2},
    {"s", "", 0},
    {"", "s", 0},
};

static bool is_consonant_y(lc_str s)
{
    if (s.len < 2 || s.ptr[s.len - 1] != 'y')
        return false;
    return lc_str_ends_with(s, LC_STR("quy")) || !strchr("aeiouy", s.ptr[s.len - 2]);
}

static bool has_ending(lc_str s, const char *ending)
{
    if (strcmp(ending, "^y") == 0)
        return is_consonant_y(s);
    if (strcmp(ending, "^fe") == 0)
        return s.len > 2 && lc_str_ends_with(s, LC_STR("fe")) && s.ptr[s.len - 3] != 'f';
    return lc_str_ends_with(s, lc_str_from_c(ending));
}

/* Some rule always matches: the ending of the last one is empty. */
static lc_str pluralize(lc_arena *arena, lc_str s)
{
    const plural_rule *rule = plural_rules;
    while (!has_ending(s, rule->ending))
        rule++;
    return lc_str_printf(arena, "%.*s%s", LC_FMT(lc_str_sub(s, 0, s.len - rule->cut)),
                         rule->instead);
}

/* Where the plural equals the singular, the provider appends "_plural" to some endings and "s" to a
 * digit; otherwise there is no plural data source. */
lc_str lc_cfn_plural_name(lc_arena *arena, lc_str name)
{
    static const char *const same[] = {"efs",   "hdfs",    "nfs",     "zfs",
                                       "tions", "issions", "windows", "settings"};
    lc_str plural = pluralize(arena, name);
    if (!lc_str_eq(plural, name) || name.len == 0)
        return plural;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (lc_str_ends_with(name, lc_str_from_c(same[i])))
            return lc_str_printf(arena, "%.*s_plural", LC_FMT(name));
    }
    return lc_is_digit(name.ptr[name.len - 1]) ? lc_str_printf(arena, "%.*ss", LC_FMT(name)) : name;
}
