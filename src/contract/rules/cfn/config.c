/* What the type requires of a configuration (section "Attribute Validation" of the resource
 * behavior document), and whether the provider's validation found it. Null and unknown values pass
 * every check. */
#include "contract/rules/cfn/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"

#include <stdlib.h>

typedef struct context {
    lc_judge *j;
    const lc_cfn_type *type;
    lc_cfn_report report;
    bool accepted; /* the validation returned no error */
} context;

/* Report what the configuration breaks, and if validation accepted it, that the provider does not
 * check it. */
static void emit_broken(context *x, lc_rule rule, const lc_trail *at, const char *note)
{
    lc_cfn_emit(&x->report, rule, at, "%s", note);
    long cause = (long)x->j->out->findings.count - 1;
    if (x->accepted)
        lc_cfn_emit(&x->report, LC_RULE_CFN_MISSING_VALIDATION, at,
                    "validation accepts this configuration: %s", note)
            ->follows = cause;
}

/* ---- Numbers. */

static lc_str bounds_text(context *x, const lc_cfn_bound *low, const lc_cfn_bound *high)
{
    lc_buf text = {0};
    lc_buf_add_c(&text, low->is && high->is ? "between " : low->is ? "at least " : "at most ");
    if (low->is)
        lc_num_add_text(&text, low->number);
    if (low->is && high->is)
        lc_buf_add_c(&text, " and ");
    if (high->is)
        lc_num_add_text(&text, high->number);
    return lc_buf_take(x->j->scratch, &text);
}

static bool is_within(lc_num n, const lc_cfn_bound *low, const lc_cfn_bound *high)
{
    return !(low->is && lc_num_cmp(n, low->number) < 0) &&
           !(high->is && lc_num_cmp(n, high->number) > 0);
}

static void check_bounds(context *x, lc_rule rule, lc_num n, const lc_cfn_bound *low,
                         const lc_cfn_bound *high, const char *what, const lc_trail *at)
{
    if (is_within(n, low, high))
        return;
    lc_str bounds = bounds_text(x, low, high);
    lc_str note = lc_str_printf(x->j->scratch, "%s must be %.*s", what, LC_FMT(bounds));
    emit_broken(x, rule, at, lc_str_to_c(x->j->scratch, note));
}

static bool is_choice(const lc_cfn_checks *c, const lc_value *v)
{
    for (size_t i = 0; i < c->one_of_count; i++) {
        if (lc_value_raw_equal(&c->one_of[i], v))
            return true;
    }
    return c->one_of == NULL;
}

static void check_choice(context *x, const lc_cfn_checks *c, const lc_value *v, const lc_trail *at)
{
    if (is_choice(c, v))
        return;
    lc_str note = lc_str_printf(x->j->scratch,
                                "the value must be one of the %zu that the type "
                                "lists",
                                c->one_of_count);
    emit_broken(x, LC_RULE_CFN_CONFIG_ENUM, at, lc_str_to_c(x->j->scratch, note));
}

/* Cloud Control documents are JSON that is read with 64-bit floats. */
static void check_number(context *x, const lc_cfn_shape *shape, const lc_value *v,
                         const lc_trail *at)
{
    int64_t small;
    double as_double;
    lc_num n = v->as.number;
    if (shape->form == LC_CFN_INTEGER && !lc_num_to_int64(n, &small))
        emit_broken(x, LC_RULE_CFN_CONFIG_RANGE, at, "the value must be a whole number of 64 bits");
    else if (!lc_num_to_double(n, &as_double) &&
             (shape->form == LC_CFN_INTEGER || lc_num_is_whole(n)))
        lc_cfn_emit(&x->report, LC_RULE_CFN_NUMBER_PRECISION, at,
                    "a JSON document of doubles cannot hold this number exactly");
    if (!shape->checks)
        return;
    check_bounds(x, LC_RULE_CFN_CONFIG_RANGE, n, &shape->checks->minimum, &shape->checks->maximum,
                 "the value", at);
    check_choice(x, shape->checks, v, at);
}

/* ---- Strings. */

/* The AWSCC provider counts bytes and the service characters: where the two disagree, that is a
 * finding of its own. */
static void check_length(context *x, const lc_cfn_checks *c, lc_str text, const lc_trail *at)
{
    lc_num bytes = lc_num_from_uint(x->j->scratch, text.len);
    lc_num characters = lc_num_from_uint(x->j->scratch, lc_utf8_count(text));
    bool fits = is_within(bytes, &c->min_length, &c->max_length);
    check_bounds(x, LC_RULE_CFN_CONFIG_LENGTH, bytes, &c->min_length, &c->max_length,
                 "the length in bytes", at);
    if (fits != is_within(characters, &c->min_length, &c->max_length))
        lc_cfn_emit(&x->report, LC_RULE_CFN_LENGTH_UNITS, at,
                    "%zu bytes are %zu characters: the provider counts bytes, the service "
                    "characters",
                    text.len, lc_utf8_count(text));
}

/* A pattern that is unusable, or a search that takes too many steps, leaves the rule unchecked. */
static void check_pattern(context *x, const lc_cfn_checks *c, lc_str text, const lc_trail *at)
{
    lc_pattern_match match = c->compiled
                                 ? lc_pattern_search(c->compiled, text, &x->j->long_searches)
                                 : LC_PATTERN_MATCHES;
    if (match == LC_PATTERN_UNDECIDED || c->pattern_use == LC_PATTERN_UNUSABLE)
        x->j->pattern_undecided = true;
    if (match == LC_PATTERN_DIFFERS) {
        lc_str note = lc_str_printf(x->j->scratch, "the value must match the pattern %.*s",
                                    LC_FMT(c->pattern));
        emit_broken(x, LC_RULE_CFN_CONFIG_PATTERN, at, lc_str_to_c(x->j->scratch, note));
    }
}

static void check_text(context *x, const lc_cfn_shape *shape, const lc_value *v, const lc_trail *at)
{
    char time[LC_CFN_TIME];
    lc_str json;
    lc_str text = v->as.string;
    if (shape->form == LC_CFN_DATE_TIME && !lc_cfn_date_time(text, time))
        emit_broken(x, LC_RULE_CFN_CONFIG_DATETIME, at, "the value must be a time by RFC 3339");
    if (shape->form == LC_CFN_JSON && !lc_cfn_json(&json, x->j->scratch, text))
        emit_broken(x, LC_RULE_CFN_CONFIG_JSON, at, "the value must be a JSON document");
    if (!shape->checks)
        return;
    check_length(x, shape->checks, text, at);
    check_pattern(x, shape->checks, text, at);
    check_choice(x, shape->checks, v, at);
}

/* ---- Arrays. */

/* Does a list have equal elements? Sorted by hash, so that not all pairs are compared. Elements
 * with unknowns equal none. */
static bool has_repeats(lc_arena *arena, const lc_value *v)
{
    lc_hashed_value *all = LC_NEW_ARRAY(arena, lc_hashed_value, v->count);
    size_t count = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        if (lc_is_wholly_known(&v->as.many.elems[i]))
            all[count++] = lc_hashed(&v->as.many.elems[i]);
    }
    lc_sort_by_hash(all, count);
    for (size_t i = 1; i < count; i++) {
        if (all[i].hash == all[i - 1].hash && lc_value_same(all[i].value, all[i - 1].value))
            return true;
    }
    return false;
}

static void check_value(context *x, const lc_cfn_shape *shape, const lc_value *v,
                        const lc_trail *at);

static void check_array(context *x, const lc_cfn_shape *shape, const lc_value *v,
                        const lc_trail *at)
{
    if (v->count == 0)
        lc_cfn_emit(&x->report, LC_RULE_CFN_EMPTY_CONTAINER, at,
                    "the service does not store an empty value: it is read as null");
    if (shape->checks)
        check_bounds(x, LC_RULE_CFN_CONFIG_ITEMS, lc_num_from_uint(x->j->scratch, v->count),
                     &shape->checks->min_items, &shape->checks->max_items, "the number of elements",
                     at);
    if (shape->form == LC_CFN_ORDERED_SET && has_repeats(x->j->scratch, v))
        emit_broken(x, LC_RULE_CFN_CONFIG_UNIQUE, at, "an element is listed twice");
    for (uint32_t i = 0; i < v->count; i++) {
        lc_trail trail = shape->form == LC_CFN_SET ? lc_trail_element(at, &v->as.many.elems[i])
                                                   : lc_trail_index(at, i);
        check_value(x, shape->element, &v->as.many.elems[i], &trail);
    }
}

/* Objects are visited property by property elsewhere; what maps hold is not checked. */
static void check_value(context *x, const lc_cfn_shape *shape, const lc_value *v,
                        const lc_trail *at)
{
    if (!lc_is_known(v))
        return;
    lc_type_kind kind = v->type->kind;
    if ((shape->form == LC_CFN_INTEGER || shape->form == LC_CFN_NUMBER) && kind == LC_TYPE_NUMBER)
        check_number(x, shape, v, at);
    else if ((shape->form == LC_CFN_STRING || shape->form == LC_CFN_DATE_TIME ||
              shape->form == LC_CFN_JSON) &&
             kind == LC_TYPE_STRING)
        check_text(x, shape, v, at);
    else if (lc_cfn_is_array(shape->form) && (kind == LC_TYPE_LIST || kind == LC_TYPE_SET))
        check_array(x, shape, v, at);
    else if (shape->form == LC_CFN_MAP && kind == LC_TYPE_MAP && v->count == 0)
        lc_cfn_emit(&x->report, LC_RULE_CFN_EMPTY_CONTAINER, at,
                    "the service does not store an empty value: it is read as null");
}

/* ---- Properties. */

static bool check_property(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *v,
                           const lc_trail *at)
{
    context *x = visit->context;
    if (p->computed && !p->optional) {
        if (!lc_is_null(v))
            lc_cfn_emit(&x->report, LC_RULE_CFN_CONFIG_READONLY, at,
                        "the read-only property %.*s cannot be configured", LC_FMT(p->name));
        return false;
    }
    if ((p->required || p->not_null) && lc_is_null(v)) {
        lc_cfn_emit(&x->report, LC_RULE_CFN_CONFIG_REQUIRED, at,
                    "the required property %.*s is null", LC_FMT(p->name));
        return false;
    }
    check_value(x, p->shape, v, at);
    return true;
}

void lc_judge_cfn_config(lc_judge *j, const lc_cfn_type *type)
{
    const lc_run_view *v = j->view;
    const lc_call *call = lc_config_call(j);
    if (!call || !v->config || lc_is_null(v->config))
        return;
    context x = {.j = j, .type = type};
    x.report = (lc_cfn_report){j, call, &v->run->config, LC_COLUMN_NONE, LC_COLUMN_CONFIG};
    x.accepted = call->kind == LC_CALL_VALIDATE && call->failed == LC_NO;
    lc_cfn_visit visit = {&x, check_property, false};
    lc_cfn_visit_object(&visit, type->root, v->config, NULL);
}
