/* Validation. The strings are worded as those of the frameworks, because those who ask learn from
 * them. */
#include "peer.h"

#include "lifecheck/codec/codec.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(...) lc_str_printf(call->arena, __VA_ARGS__)

/* The words of a list, separated by commas. */
static size_t split(lc_str *out, size_t room, const char *text)
{
    size_t n = 0;
    for (; *text && n < room; n++) {
        out[n] = (lc_str){text, strcspn(text, ",")};
        text += out[n].len + (text[out[n].len] == ',');
    }
    return n;
}

static void one_of(peer_call *call, const peer_check *check, lc_str name, lc_str text)
{
    lc_str words[8];
    size_t n = split(words, 8, check->more);
    lc_buf list = {0};
    for (size_t i = 0; i < n; i++) {
        if (lc_str_eq(text, words[i])) {
            lc_buf_release(&list);
            return;
        }
        lc_buf_printf(&list, "%s\"%.*s\"", i ? check->kind == ONE_OF ? " " : ", " : "",
                      LC_FMT(words[i]));
    }
    lc_str all = lc_buf_take(call->arena, &list);
    if (check->kind == ONE_OF)
        peer_error(call, name, "Invalid Attribute Value Match",
                   TEXT("Attribute %.*s value must be one of: [%.*s], got: \"%.*s\"", LC_FMT(name),
                        LC_FMT(all), LC_FMT(text)));
    else
        peer_error(call, name,
                   lc_str_to_c(call->arena, TEXT("expected %.*s to be one of [%.*s], got %.*s",
                                                 LC_FMT(name), LC_FMT(all), LC_FMT(text))),
                   LC_STR_EMPTY);
}

static void between(peer_call *call, const peer_check *check, lc_str name, lc_num number)
{
    lc_str ends[2];
    lc_buf text = {0};
    split(ends, 2, check->more);
    int64_t low = strtoll(ends[0].ptr, NULL, 10), high = strtoll(ends[1].ptr, NULL, 10);
    if (lc_num_cmp(number, LC_NUM(low)) >= 0 && lc_num_cmp(number, LC_NUM(high)) <= 0)
        return;
    lc_num_add_text(&text, number);
    lc_str got = lc_buf_take(call->arena, &text);
    if (check->kind == BETWEEN)
        peer_error(call, name, "Invalid Attribute Value",
                   TEXT("Attribute %.*s value must be between %lld and %lld, got: %.*s",
                        LC_FMT(name), (long long)low, (long long)high, LC_FMT(got)));
    else
        peer_error(call, name,
                   lc_str_to_c(call->arena,
                               TEXT("expected %.*s to be in the range (%lld - %lld), got %.*s",
                                    LC_FMT(name), (long long)low, (long long)high, LC_FMT(got))),
                   LC_STR_EMPTY);
}

static bool matches(peer_call *call, const char *pattern, lc_str text)
{
    regex_t compiled;
    if (memchr(text.ptr, 0, text.len) || regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool is = regexec(&compiled, lc_str_to_c(call->arena, text), 0, NULL, 0) == 0;
    regfree(&compiled);
    return is;
}

static void rfc3339(peer_call *call, lc_str name, lc_str text)
{
    if (!matches(call,
                 "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:"
                 "[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",
                 text))
        peer_error(call, name, "Invalid RFC3339 String Value",
                   TEXT("A string value was provided that is not valid RFC3339 string "
                        "format.\n\nGiven Value: %.*s\nError: parsing time \"%.*s\" as "
                        "\"2006-01-02T15:04:05Z07:00\": cannot parse \"%.*s\" as \"2006\"",
                        LC_FMT(text), LC_FMT(text), LC_FMT(text)));
}

static void json(peer_call *call, lc_str name, lc_str text)
{
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, call->arena);
    if (lc_json_parse(&source, call->arena, LC_STR("policy"), text, &LC_LIMITS_DEFAULT, &diags) !=
        LC_OK)
        peer_error(call, name,
                   lc_str_to_c(call->arena, TEXT("\"%.*s\" contains an invalid JSON: invalid "
                                                 "character looking for beginning of value",
                                                 LC_FMT(name))),
                   LC_STR_EMPTY);
}

static void check_text(peer_call *call, const peer_check *check, lc_str name, lc_str text)
{
    if (check->kind == ONE_OF || check->kind == ONE_OF_SDK)
        one_of(call, check, name, text);
    else if (check->kind == RFC3339)
        rfc3339(call, name, text);
    else if (check->kind == JSON)
        json(call, name, text);
    else if (check->kind == PATTERN && !matches(call, check->more, text))
        peer_error(call, name, "Invalid Attribute Value Match",
                   TEXT("Attribute %.*s value must match regular expression '%s', got: %.*s",
                        LC_FMT(name), check->more, LC_FMT(text)));
}

/* Validators of several attributes leave it to a later time if one of them is unknown. */
static void check_group(peer_call *call, const peer_check *check, const lc_value *config)
{
    lc_str names[8];
    size_t n = split(names, 8, check->of), given = 0;
    for (size_t i = 0; i < n; i++) {
        const lc_value *v = lc_value_attr(config, names[i]);
        if (lc_is_unknown(v))
            return;
        given += !lc_is_null(v);
    }
    if (check->kind == CONFLICTS && given > 1)
        peer_error(call, names[0], "Invalid Attribute Combination",
                   TEXT("Attribute \"%.*s\" cannot be specified when \"%.*s\" is specified",
                        LC_FMT(names[1]), LC_FMT(names[0])));
    if (check->kind == EXACTLY_ONE && given > 1)
        peer_error(call, names[0], "Invalid Attribute Combination",
                   TEXT("%zu attributes specified when one (and only one) of [%s] is required",
                        given, check->of));
    if (check->kind == EXACTLY_ONE && given == 0)
        peer_error(call, names[0], "Missing Attribute Configuration",
                   TEXT("Exactly one of these attributes must be configured: [%s]", check->of));
}

static void run_check(peer_call *call, const peer_check *check, const lc_value *config)
{
    lc_str name = lc_str_from_c(check->of);
    if (check->kind == CONFLICTS || check->kind == EXACTLY_ONE) {
        check_group(call, check, config);
        return;
    }
    const lc_value *v = lc_value_attr(config, name);
    if (lc_is_unknown(v) && check->kind == ONE_OF && call->p->faults[REJECTS_UNKNOWN])
        peer_error(call, name, "Invalid Attribute Value Match",
                   TEXT("Attribute %.*s value must be one of: [\"basic\" \"standard\" \"premium\"],"
                        " got: <unknown>",
                        LC_FMT(name)));
    if (!lc_is_known(v))
        return;
    if (v->type->kind == LC_TYPE_NUMBER)
        between(call, check, name, v->as.number);
    else
        check_text(call, check, name, v->as.string);
}

/* ---- What schemas demand */

static void demand(peer_call *call, lc_str in, const lc_value *object);

static void demand_inside(peer_call *call, const peer_inside *inside, const lc_value *v)
{
    lc_str in = TEXT("%s.%s", inside->in, inside->name), name = lc_str_from_c(inside->name);
    if (v->type->kind == LC_TYPE_OBJECT) {
        demand(call, in, v);
        return;
    }
    if (lc_is_unknown(v))
        return;
    size_t count = lc_is_known(v) ? v->count : 0;
    if (count < (size_t)inside->min || (inside->max && count > (size_t)inside->max))
        peer_error(call, name, "Invalid Attribute Value",
                   TEXT("Attribute %s list must contain at least %lld elements and at most %lld "
                        "elements, got: %zu",
                        inside->name, (long long)inside->min, (long long)inside->max, count));
    for (size_t i = 0; i < count; i++)
        demand(call, in, &v->as.many.elems[i]);
}

static void demand(peer_call *call, lc_str in, const lc_value *object)
{
    if (!lc_is_known(object))
        return;
    for (uint32_t i = 0; i < object->type->count; i++) {
        lc_str name = object->type->as.attrs[i].name;
        const lc_value *v = &object->as.many.elems[i];
        const peer_inside *inside = peer_inside_of(in, name);
        const peer_attribute *row = peer_attribute_of(in, name);
        if (inside)
            demand_inside(call, inside, v);
        else if (row && row->flags & REQ && lc_is_null(v))
            peer_error(call, name, "Missing Configuration for Required Attribute",
                       TEXT("Must set a configuration value for the %.*s attribute as the provider "
                            "has marked it as required.",
                            LC_FMT(name)));
    }
}

static void bend(peer_call *call, const lc_value *config)
{
    const bool *faults = call->p->faults;
    const lc_value *size = peer_get(config, "size");
    if (faults[INCONSISTENT] && lc_is_unknown(peer_get(config, "port")))
        peer_error(call, LC_STR("kind"), "Invalid Attribute Combination",
                   LC_STR("Attribute \"port\" must be specified when \"kind\" is specified"));
    if (!lc_str_is(call->schema->type_name, "peer_thing"))
        return;
    if (faults[REJECTS_DEFAULT] && lc_is_unknown(size))
        peer_error(call, LC_STR("size"), "Invalid Attribute Value",
                   LC_STR("Attribute size value must be at least 1, got: 0"));
    if (faults[REJECTS_NULL] && lc_is_null(size))
        peer_error(call, LC_STR("size"), "Invalid Attribute Value",
                   LC_STR("Attribute size value must be at least 1, got: null"));
    if (faults[VALIDATE_DIES] && lc_is_unknown(peer_get(config, "title")))
        plugin_panic("validate");
}

void peer_validate(peer_call *call, const lc_value *config)
{
    if (!lc_is_known(config))
        return;
    if (!lc_str_is(call->schema->type_name, "peer_trusting"))
        demand(call, call->schema->type_name, config);
    for (size_t i = 0; i < peer_check_count; i++)
        if (lc_str_is(call->schema->type_name, peer_checks[i].in))
            run_check(call, &peer_checks[i], config);
    bend(call, config);
}
