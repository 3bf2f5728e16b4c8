/* The restrictions that keywords put on values: bounds, lengths, enums, patterns; section
 * "Attribute Validation" of the documentation. Where the provider's generator fails, the profile
 * LC_CFN_AWSCC reports an error. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"

/* ---- Numbers. */

bool lc_cfn_integer(const lc_node *node, lc_arena *arena, bool strict, lc_num *out)
{
    if (node->kind != LC_NODE_NUMBER)
        return false;
    lc_str text = node->as.text;
    for (size_t i = 0; strict && i < text.len; i++) {
        if ((text.ptr[i] < '0' || text.ptr[i] > '9') && !(i == 0 && text.ptr[i] == '-'))
            return false;
    }
    int64_t small;
    return lc_num_from_text(out, arena, text, LC_MAX_DIGITS) == LC_NUM_OK &&
           lc_num_is_whole(*out) && (!strict || lc_num_to_int64(*out, &small));
}

/* The restrictions that are being read; `any`: there is at least one. */
typedef struct checker {
    lc_cfn_reader *reader;
    const lc_cfn_view *view;
    const lc_cfn_property *property;
    lc_cfn_checks *checks;
    bool any;
} checker;

static bool is_strict(const checker *c)
{
    return c->reader->type->profile == LC_CFN_AWSCC;
}

/* Reports a keyword that the generator refuses (an error in LC_CFN_AWSCC) and the documentation
 * ignores (a note). */
static void refuse(checker *c, const lc_node *at, const char *what)
{
    lc_cfn_reader *r = c->reader;
    lc_str path = lc_cfn_property_path(r, c->property);
    lc_cfn_report_problem(r, is_strict(c) ? LC_CFN_FAULT_UNSUPPORTED : LC_CFN_FAULT_NOTE,
                          is_strict(c), at->where, c->view->place, "%.*s %s", LC_FMT(path), what);
}

/* The generator unmarshals bounds of integers into Go's int, so 1.0 is an error there. */
static void read_bound(checker *c, lc_cfn_bound *out, lc_cfn_key key, bool whole)
{
    const lc_node *node = c->view->keys[key];
    if (!node)
        return;
    lc_num n;
    if (whole && is_strict(c) && !lc_cfn_integer(node, c->reader->arena, true, &n)) {
        refuse(c, node, "has a bound that is not written as a whole number");
        return;
    }
    if (lc_num_from_text(&n, c->reader->arena, node->as.text, LC_MAX_DIGITS) != LC_NUM_OK) {
        refuse(c, node, "has a bound that is out of range");
        return;
    }
    *out = (lc_cfn_bound){true, n};
    c->any = true;
}

/* ---- Enums. */

static bool read_choice(checker *c, lc_value *slot, const lc_node *node, bool text)
{
    lc_num n;
    if (text && node->kind == LC_NODE_STRING) {
        lc_value_set_string(slot, c->reader->arena, node->as.text);
        return true;
    }
    if (text || node->kind != LC_NODE_NUMBER ||
        lc_num_from_text(&n, c->reader->arena, node->as.text, LC_MAX_DIGITS) != LC_NUM_OK)
        return false;
    lc_value_set_number(slot, n);
    return true;
}

static void read_choices(checker *c, bool text)
{
    const lc_node *list = c->view->keys[CFN_ENUM];
    if (!list || list->count == 0)
        return;
    lc_value *choices = LC_NEW_ARRAY(c->reader->arena, lc_value, list->count);
    size_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (read_choice(c, &choices[count], &list->as.items[i], text))
            count++;
        else
            refuse(c, &list->as.items[i], "has a choice that is not a value of its type");
    }
    c->checks->one_of = choices;
    c->checks->one_of_count = count;
    c->any = true;
}

/* ---- Forms. */

static void check_format(checker *c, const char *only)
{
    const lc_node *format = c->view->keys[CFN_FORMAT];
    if (format && !lc_str_is(format->as.text, only)) {
        lc_str what = lc_str_printf(c->reader->arena, "has unsupported format: %.*s",
                                    LC_FMT(format->as.text));
        refuse(c, format, lc_str_to_c(c->reader->arena, what));
    }
}

/* The generator has no validators for an enum of numbers, nor for bounds of numbers in a list. */
static void check_number(checker *c, bool element)
{
    read_bound(c, &c->checks->minimum, CFN_MINIMUM, false);
    read_bound(c, &c->checks->maximum, CFN_MAXIMUM, false);
    check_format(c, "double");
    if (c->view->keys[CFN_ENUM] && is_strict(c))
        refuse(c, c->view->keys[CFN_ENUM], "has an enum, which is not supported for a number");
    read_choices(c, false);
    if (element && is_strict(c) && (c->checks->minimum.is || c->checks->maximum.is))
        refuse(c, c->view->node, "is of unsupported type for list item validation: number");
}

static void check_integer(checker *c)
{
    read_bound(c, &c->checks->minimum, CFN_MINIMUM, true);
    read_bound(c, &c->checks->maximum, CFN_MAXIMUM, true);
    check_format(c, "int64");
    read_choices(c, false);
}

/* Compiles each pattern text once. Patterns that Go refuses restrict nothing, and those that cannot
 * be matched here are not checked; both are reported, once. */
static void read_pattern(checker *c, const lc_node *node)
{
    lc_cfn_reader *r = c->reader;
    lc_cfn_checks *known = lc_table_get(&r->patterns, node->as.text);
    if (known) {
        c->checks->pattern = known->pattern;
        c->checks->compiled = known->compiled;
        c->checks->pattern_use = known->pattern_use;
        c->checks->pattern_why = known->pattern_why;
        return;
    }
    c->checks->pattern = node->as.text;
    c->checks->pattern_use =
        lc_pattern_new(&c->checks->compiled, &c->checks->pattern_why, r->arena, node->as.text);
    lc_table_put(&r->patterns, node->as.text, c->checks);
    if (c->checks->pattern_use != LC_PATTERN_USABLE)
        lc_cfn_report_problem(r, LC_CFN_FAULT_NOTE, false, node->where, c->view->place, "%s: %.*s",
                              c->checks->pattern_use == LC_PATTERN_NOT_GO
                                  ? "this pattern restricts nothing, because Go refuses it"
                                  : "this pattern is not checked",
                              LC_FMT(c->checks->pattern_why));
}

static void check_string(checker *c)
{
    const lc_node *pattern = c->view->keys[CFN_PATTERN];
    read_bound(c, &c->checks->min_length, CFN_MIN_LENGTH, false);
    read_bound(c, &c->checks->max_length, CFN_MAX_LENGTH, false);
    read_choices(c, true);
    if (pattern && pattern->as.text.len) {
        read_pattern(c, pattern);
        c->any = true;
    }
}

const lc_cfn_checks *lc_cfn_read_checks(lc_cfn_reader *r, const lc_cfn_view *view, lc_cfn_form form,
                                        const lc_cfn_property *p, bool element)
{
    lc_cfn_checks *checks = LC_NEW(r->arena, lc_cfn_checks);
    checker c = {r, view, p, checks, false};
    checks->pattern = checks->pattern_why = LC_STR_EMPTY;
    switch (form) {
    case LC_CFN_INTEGER:
        check_integer(&c);
        break;
    case LC_CFN_NUMBER:
        check_number(&c, element);
        break;
    case LC_CFN_STRING:
    case LC_CFN_DATE_TIME:
        check_string(&c);
        break;
    case LC_CFN_LIST:
    case LC_CFN_MULTISET:
    case LC_CFN_ORDERED_SET:
    case LC_CFN_SET:
        read_bound(&c, &checks->min_items, CFN_MIN_ITEMS, false);
        read_bound(&c, &checks->max_items, CFN_MAX_ITEMS, false);
        break;
    case LC_CFN_BOOLEAN:
    case LC_CFN_JSON:
    case LC_CFN_OBJECT:
    case LC_CFN_MAP:
        break;
    }
    return c.any ? checks : NULL;
}
