/* format and formatlist: go-cty's own verbs, of which those of numbers are printed as Go's fmt
 * prints big.Float and big.Int. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/configuration/configuration.h"

#include <string.h>

/* A width or precision beyond this has no use. Go's own limit is the same. */
#define MAX_WIDTH 1000000

/* One verb: %[flags][width][.precision][[index]]letter. */
typedef struct verb {
    bool sharp, zero, minus, plus, space;
    int64_t width, precision; /* -1: none */
    int64_t index;            /* of the argument, from 1 */
    char letter;
} verb;

/* A format and the values that it consumes. */
typedef struct formatting {
    lc_fn_call *c;
    lc_str format;
    size_t at;
    const lc_value *const *values;
    size_t count;
    int64_t next, highest; /* indices from 1; highest 0: no verb yet */
    lc_buf *out;
    const char *why;       /* an error */
    const char *undecided; /* what lifecheck does not do */
} formatting;

static bool fail(formatting *f, const char *why)
{
    f->why = f->why ? f->why : why;
    return false;
}

static char peek(const formatting *f)
{
    return f->at < f->format.len ? f->format.ptr[f->at] : '\0';
}

/* ---- Reading a verb. */

static bool read_flag(verb *v, char c)
{
    v->sharp |= c == '#';
    v->zero |= c == '0';
    v->minus |= c == '-';
    v->plus |= c == '+';
    v->space |= c == ' ';
    return c && strchr("#0-+ ", c);
}

/* Decimal digits; larger numbers than MAX_WIDTH are only recognised as too large. */
static int64_t read_number(formatting *f)
{
    int64_t n = 0;
    for (; lc_is_digit(peek(f)); f->at++)
        n = n > MAX_WIDTH ? n : n * 10 + (peek(f) - '0');
    return n;
}

/* Numbers of widths and indices do not begin with zero. */
static bool begins_number(const formatting *f)
{
    return peek(f) >= '1' && peek(f) <= '9';
}

static bool read_index(formatting *f, verb *v)
{
    if (peek(f) != '[')
        return true;
    f->at++;
    if (!begins_number(f))
        return fail(f, "the format has a wrong index");
    v->index = read_number(f);
    return peek(f) == ']' ? (f->at++, true) : fail(f, "the format has a wrong index");
}

/* Reads what follows the percent sign. */
static bool read_verb(formatting *f, verb *v)
{
    *v = (verb){.width = -1, .precision = -1, .index = f->next};
    while (read_flag(v, peek(f)))
        f->at++;
    if (begins_number(f))
        v->width = read_number(f);
    if (peek(f) == '.') {
        f->at++;
        v->precision = read_number(f);
    }
    if (!read_index(f, v))
        return false;
    v->letter = peek(f);
    if (!lc_is_letter(v->letter))
        return fail(f, "the format has a wrong character, or ends too early");
    f->at++;
    if (v->width > MAX_WIDTH || v->precision > MAX_WIDTH)
        f->undecided = "the format has a width above a million";
    return true;
}

/* ---- Padding. */

static void add_times(lc_buf *out, char c, int64_t times)
{
    for (int64_t i = 0; i < times && !out->overflow; i++)
        lc_buf_add_char(out, c);
}

/* Strings are padded to a number of grapheme clusters. */
static void add_padded(lc_buf *out, const verb *v, lc_str text)
{
    int64_t missing = v->width < 0 ? 0 : v->width - (int64_t)lc_grapheme_count(text);
    if (!v->minus)
        add_times(out, v->zero ? '0' : ' ', missing);
    lc_buf_add_str(out, text);
    if (v->minus)
        add_times(out, v->zero ? '0' : ' ', missing);
}

static const char *sign_of(const verb *v, bool negative)
{
    return negative ? "-" : v->plus ? "+" : v->space ? " " : "";
}

/* ---- Numbers. */

/* As big.Float.Format. */
static bool add_float(formatting *f, const verb *v, lc_num n)
{
    lc_buf digits = {0};
    bool general = v->letter == 'g' || v->letter == 'G', inf = lc_num_is_inf(n);
    int64_t precision = v->precision >= 0 || general ? v->precision : 6;
    bool negative = lc_num_sign(n) < 0 || lc_num_is_negative_zero(n);
    const char *sign = inf && !negative ? v->space ? " " : "+" : sign_of(v, negative);
    if (!lc_num_add_float(&digits, n, v->letter, precision))
        f->undecided = "the number has too many digits";
    int64_t missing = v->width - (int64_t)strlen(sign) - (int64_t)digits.len;
    bool zeros = v->zero && !inf;
    if (!zeros && !v->minus)
        add_times(f->out, ' ', missing);
    lc_buf_add_c(f->out, sign);
    if (zeros)
        add_times(f->out, '0', missing);
    lc_buf_add_str(f->out, lc_buf_str(&digits));
    if (!zeros && v->minus)
        add_times(f->out, ' ', missing);
    lc_buf_release(&digits);
    return true;
}

static int base_of(char letter)
{
    return letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'd' ? 10 : 16;
}

static const char *prefix_of(const verb *v)
{
    if (!v->sharp)
        return "";
    switch (v->letter) {
    case 'b':
        return "0b";
    case 'o':
        return "0";
    case 'x':
        return "0x";
    case 'X':
        return "0X";
    default:
        return "";
    }
}

/* As big.Int.Format. */
static void add_digits(lc_buf *out, const verb *v, const char *sign, lc_buf *digits)
{
    const char *prefix = prefix_of(v);
    int64_t length = (int64_t)digits->len;
    int64_t zeros = v->precision > length ? v->precision - length : 0;
    if (v->precision == 0 && length == 1 && digits->ptr[0] == '0')
        return;
    length += zeros + (int64_t)strlen(sign) + (int64_t)strlen(prefix);
    int64_t missing = v->width > length ? v->width - length : 0;
    bool fill = !v->minus && v->zero && v->precision < 0;
    if (!v->minus && !fill)
        add_times(out, ' ', missing);
    lc_buf_add_c(out, sign);
    lc_buf_add_c(out, prefix);
    add_times(out, '0', zeros + (fill ? missing : 0));
    for (size_t i = 0; v->letter == 'X' && i < digits->len; i++)
        digits->ptr[i] = lc_to_upper(digits->ptr[i]);
    lc_buf_add_str(out, lc_buf_str(digits));
    if (v->minus)
        add_times(out, ' ', missing);
}

static bool add_whole(formatting *f, const verb *v, lc_num n)
{
    lc_buf digits = {0};
    if (!lc_num_is_whole(n))
        return fail(f, "the format needs a whole number");
    if (lc_num_add_whole(&digits, n, base_of(v->letter)))
        add_digits(f->out, v, sign_of(v, lc_num_sign(n) < 0), &digits);
    else
        f->undecided = "the number has too many digits";
    lc_buf_release(&digits);
    return true;
}

/* ---- One value. */

static bool convert(formatting *f, const lc_value **value, const lc_type *want)
{
    lc_str why;
    return lc_value_convert(value, f->c->e->arena, *value, want, &why) ||
           fail(f, "an argument of the format is of another type");
}

static bool add_json(formatting *f, const verb *v, const lc_value *value)
{
    lc_buf json = {0};
    lc_str why;
    bool ok = lc_ctyjson_encode(&json, value, value->type, &why) ||
              fail(f, "an argument of the format has no JSON form");
    if (ok)
        add_padded(f->out, v, lc_buf_str(&json));
    lc_buf_release(&json);
    return ok;
}

/* %v: strings and numbers as they are, all else as JSON. */
static bool add_any(formatting *f, const verb *v, const lc_value *value)
{
    if (v->sharp || lc_is_null(value) ||
        (value->type->kind != LC_TYPE_STRING && value->type->kind != LC_TYPE_NUMBER))
        return add_json(f, v, value);
    lc_buf text = {0};
    if (value->type->kind == LC_TYPE_STRING)
        lc_buf_add_str(&text, value->as.string);
    else
        lc_num_add_go(&text, value->as.number);
    add_padded(f->out, v, lc_buf_str(&text));
    lc_buf_release(&text);
    return true;
}

/* %s and %q: at most `precision` clusters. */
static bool add_text(formatting *f, const verb *v, const lc_value *value)
{
    lc_str text;
    lc_value cut;
    if (!convert(f, &value, &lc_type_string))
        return false;
    text = value->as.string;
    size_t end = 0;
    for (int64_t i = 0; i < v->precision && end < text.len; i++)
        end = lc_grapheme_end(text, end);
    if (v->precision > 0)
        text.len = end;
    if (v->letter == 's') {
        add_padded(f->out, v, text);
        return true;
    }
    lc_value_set_string(&cut, f->c->e->arena, text);
    return add_json(f, v, &cut);
}

static bool add_value(formatting *f, const verb *v, const lc_value *value)
{
    if (v->letter == 'v')
        return add_any(f, v, value);
    if (lc_is_null(value))
        return fail(f, "null cannot be formatted");
    if (v->letter == 's' || v->letter == 'q')
        return add_text(f, v, value);
    if (v->letter == 't') {
        if (convert(f, &value, &lc_type_bool))
            lc_buf_add_c(f->out, value->as.boolean ? "true" : "false");
        return !f->why;
    }
    if (!strchr("bdoxXeEfgG", v->letter))
        return fail(f, "the format has an unknown verb");
    if (!convert(f, &value, &lc_type_number))
        return false;
    bool whole = strchr("bdoxX", v->letter) != NULL;
    return whole ? add_whole(f, v, value->as.number) : add_float(f, v, value->as.number);
}

/* ---- The whole format. */

static bool add_verb(formatting *f)
{
    verb v;
    if (!read_verb(f, &v))
        return false;
    f->highest = v.index > f->highest ? v.index : f->highest;
    f->next = v.index + 1;
    if ((uint64_t)v.index > f->count)
        return fail(f, "there are too few arguments for the format");
    return f->undecided || add_value(f, &v, f->values[v.index - 1]);
}

/* Processes the format; false: f->why has the error. */
static bool run(formatting *f)
{
    f->next = 1;
    while (f->at < f->format.len && !f->undecided && !f->out->overflow) {
        size_t percent = lc_str_find(f->format, f->at, '%');
        lc_buf_add_str(f->out, lc_str_sub(f->format, f->at, percent));
        f->at = percent + 1;
        if (percent == f->format.len)
            break;
        if (peek(f) == '%')
            lc_buf_add_char(f->out, f->format.ptr[f->at++]);
        else if (!add_verb(f))
            return false;
    }
    if (f->out->overflow)
        f->undecided = "the string would be larger than 16 MiB";
    return true;
}

static const lc_value *const *values_of(lc_fn_call *c)
{
    const lc_value **values = LC_NEW_ARRAY(c->e->arena, const lc_value *, c->count);
    for (size_t i = 1; i < c->count; i++)
        values[i - 1] = lc_fn_arg(c, i);
    return values;
}

/* With an unknown argument only the part before the first verb is known. */
static bool unknown_text(lc_fn_call *c)
{
    lc_str format = lc_fn_text(c, 0);
    size_t percent = lc_str_find(format, 0, '%');
    lc_value v;
    if (percent == format.len)
        return lc_fn_give_unknown(c);
    lc_refinement known = {.has_prefix = true, .not_null = true};
    known.prefix = lc_safe_prefix(lc_str_sub(format, 0, percent));
    if (known.prefix.len == 0 || !lc_value_set_refined(&v, c->e->arena, &lc_type_string, &known))
        return lc_fn_give_unknown(c);
    return lc_fn_give(c, &v);
}

static bool args_known(const lc_fn_call *c)
{
    bool known = true;
    for (size_t i = 1; i < c->count; i++)
        known &= lc_is_wholly_known(lc_fn_arg(c, i));
    return known;
}

/* A null of unknown type: before Terraform 1.12 and OpenTofu 1.10 the result is unknown. */
static bool depends_on_version(const lc_fn_call *c)
{
    const lc_scope *scope = c->e->scope;
    bool untyped = false;
    for (size_t i = 1; i < c->count; i++) {
        const lc_value *v = lc_fn_arg(c, i);
        untyped |= lc_is_null(v) && v->type->kind == LC_TYPE_DYNAMIC;
    }
    return untyped && scope->client &&
           lc_client_has(scope->client, scope->profile, 12, 10) != LC_TRUE;
}

static bool leave_to_version(lc_fn_call *c)
{
    return lc_fn_give_undecided(c, "a null without a type is formatted in another way by Terraform "
                                   "before 1.12 and OpenTofu before 1.10");
}

bool lc_fn_format(lc_fn_call *c)
{
    lc_buf out = LC_MADE_TEXT;
    if (depends_on_version(c))
        return leave_to_version(c);
    if (!args_known(c))
        return unknown_text(c);
    formatting f = {.c = c,
                    .format = lc_fn_text(c, 0),
                    .values = values_of(c),
                    .count = c->count - 1,
                    .out = &out};
    bool ok = run(&f);
    if (ok && !f.undecided && (uint64_t)f.highest < f.count)
        ok = lc_fn_bad_argument(c, (size_t)f.highest + 1, "the format does not use the argument");
    else if (!ok)
        ok = lc_fn_fail(c, f.why);
    else
        ok = f.undecided ? lc_fn_give_undecided(c, f.undecided)
                         : lc_fn_give_text(c, lc_buf_copy(c->e->arena, &out));
    lc_buf_release(&out);
    return ok;
}

/* ---- formatlist: one text for each round; sequences give one element to each. */

static bool is_sequence(const lc_value *v)
{
    return !lc_is_null(v) && lc_fn_is_list(v);
}

/* How many rounds there are, SIZE_MAX: no argument decides; *open: an argument decides that is not
 * known. False: an error is set. */
static bool rounds_of(lc_fn_call *c, size_t *rounds, bool *open)
{
    *rounds = SIZE_MAX;
    *open = false;
    for (size_t i = 1; i < c->count; i++) {
        const lc_value *v = lc_fn_arg(c, i);
        bool tuple = v->type->kind == LC_TYPE_TUPLE;
        bool unsized_one = lc_is_unknown(v) || lc_fn_is_open_set(v);
        if (!is_sequence(v)) {
            *open |=
                lc_is_unknown(v) && v->type->kind == LC_TYPE_DYNAMIC && !lc_value_refinement(v);
            continue;
        }
        *open |= unsized_one;
        if (!tuple && unsized_one)
            continue;
        size_t length = tuple ? v->type->count : v->count;
        if (*rounds != SIZE_MAX && *rounds != length)
            return lc_fn_bad_argument(c, i, "its length differs from that of another list");
        *rounds = length;
    }
    return true;
}

/* The values of the next round; `at` has the position in each sequence. At an unknown value go-cty
 * ends the round without a step in the sequences that follow. */
static bool take_round(lc_fn_call *c, size_t *at, const lc_value **values)
{
    bool known = true;
    for (size_t i = 1; known && i < c->count; i++) {
        const lc_value *v = lc_fn_arg(c, i);
        values[i - 1] = is_sequence(v) ? &v->as.many.elems[at[i]++] : v;
        known = lc_is_wholly_known(values[i - 1]);
    }
    return known;
}

static void set_unknown_text(lc_value *to, lc_arena *arena)
{
    lc_refinement r = {.not_null = true};
    if (!lc_value_set_refined(to, arena, &lc_type_string, &r))
        lc_value_set_unknown(to, &lc_type_string);
}

/* The text of one round. */
static bool format_round(lc_fn_call *c, formatting *f, lc_value *to)
{
    bool ok = run(f);
    if (ok && !f->undecided && (uint64_t)f->highest < f->count)
        ok = fail(f, "the format does not use all arguments");
    if (ok)
        lc_value_set_string(to, c->e->arena, lc_buf_copy(c->e->arena, f->out));
    lc_buf_clear(f->out);
    return ok || lc_fn_fail(c, f->why);
}

static bool format_rounds(lc_fn_call *c, size_t rounds)
{
    lc_arena *arena = c->e->arena;
    lc_buf out = LC_MADE_TEXT;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, rounds);
    const lc_value **values = LC_NEW_ARRAY(arena, const lc_value *, c->count);
    size_t *at = lc_arena_zalloc(arena, (c->count + 1) * sizeof *at);
    const char *undecided = NULL;
    size_t made = 0;
    bool ok = true;
    for (size_t i = 0; ok && !undecided && i < rounds; i++) {
        formatting f = {.c = c,
                        .format = lc_fn_text(c, 0),
                        .values = values,
                        .count = c->count - 1,
                        .out = &out};
        set_unknown_text(&elems[i], arena);
        ok = !take_round(c, at, values) || format_round(c, &f, &elems[i]);
        undecided = f.undecided;
        made += lc_is_known(&elems[i]) ? elems[i].as.string.len : 0;
        if (made > LC_MAX_MADE_TEXT)
            undecided = "the strings would be larger than 16 MiB";
    }
    lc_buf_release(&out);
    lc_value v;
    if (!ok || undecided)
        return ok && lc_fn_give_undecided(c, undecided);
    return lc_value_set_list(&v, arena, c->type, elems, rounds) && lc_fn_give(c, &v);
}

bool lc_fn_formatlist(lc_fn_call *c)
{
    size_t rounds;
    bool open;
    lc_value none;
    if (depends_on_version(c))
        return leave_to_version(c);
    if (!rounds_of(c, &rounds, &open))
        return false;
    if (open)
        return lc_fn_give_unknown(c);
    if (rounds == 0)
        return lc_value_set_list(&none, c->e->arena, c->type, NULL, 0) && lc_fn_give(c, &none);
    return format_rounds(c, rounds == SIZE_MAX ? 1 : rounds);
}
