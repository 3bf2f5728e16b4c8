/* Go syntax of values, as core messages print them: cty's GoString (contract-algorithms 4.0). */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "value/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* cty abbreviates a refinement that is only "not null". */
static void add_refinement(lc_buf *buf, const lc_refinement *r)
{
    bool only_not_null = r->not_null && !r->has_prefix && !r->has_min && !r->has_max &&
                         !r->has_min_len && !r->has_max_len;
    if (only_not_null) {
        lc_buf_add_c(buf, ".RefineNotNull()");
        return;
    }
    lc_buf_add_c(buf, ".Refine()");
    if (r->not_null)
        lc_buf_add_c(buf, ".NotNull()");
    if (r->has_prefix) {
        lc_buf_add_c(buf, ".StringPrefixFull(");
        lc_buf_add_go_quoted(buf, r->prefix);
        lc_buf_add_char(buf, ')');
    }
    lc_value bound;
    if (r->has_min) {
        lc_value_set_number(&bound, r->min);
        lc_buf_add_c(buf, ".NumberLowerBound(");
        lc_value_add_go(buf, &bound);
        lc_buf_add_c(buf, r->min_inclusive ? ", true)" : ", false)");
    }
    if (r->has_max) {
        lc_value_set_number(&bound, r->max);
        lc_buf_add_c(buf, ".NumberUpperBound(");
        lc_value_add_go(buf, &bound);
        lc_buf_add_c(buf, r->max_inclusive ? ", true)" : ", false)");
    }
    if (r->has_min_len)
        lc_buf_printf(buf, ".CollectionLengthLowerBound(%llu)", (unsigned long long)r->min_len);
    if (r->has_max_len)
        lc_buf_printf(buf, ".CollectionLengthUpperBound(%llu)", (unsigned long long)r->max_len);
    lc_buf_add_c(buf, ".NewValue()");
}

/* A denormal number has fewer bits than 53: tries the shortest text that reads back as the same
 * number, as Go prints it. */
static void add_denormal(lc_buf *buf, double d)
{
    lc_arena *arena = lc_arena_new();
    char text[32];
    for (int digits = 0; digits < DBL_DECIMAL_DIG; digits++) {
        lc_num same;
        snprintf(text, sizeof text, "%.*e", digits, d);
        if (lc_num_from_text(&same, arena, lc_str_from_c(text), 2048) == LC_NUM_OK &&
            lc_num_nearest_double(same) == d)
            break;
    }
    lc_buf_add_c(buf, text);
    lc_arena_free(arena);
}

/* Core prints a number that fits a float64 from that float64, regardless of the precision that it
 * had. Only long digit strings show the difference, so short ones are kept. */
static void add_double(lc_buf *buf, lc_num n, double d)
{
    if (fabs(d) < DBL_MIN) {
        add_denormal(buf, d);
        return;
    }
    size_t before = buf->len;
    lc_num_add_go(buf, n);
    if (buf->len - before <= 18)
        return;
    lc_arena *arena = lc_arena_new();
    lc_num same;
    buf->len = before;
    lc_num_from_double(&same, arena, d);
    lc_num_add_go(buf, same);
    lc_arena_free(arena);
}

/* Three constructors, as in cty's GoString: whole numbers, those that fit a float64, and others as
 * text. */
static void add_number(lc_buf *buf, lc_num n)
{
    double d;
    if (lc_num_is_whole(n)) {
        lc_buf_add_c(buf, "cty.NumberIntVal(");
        lc_num_add_go(buf, n);
    } else if (lc_num_to_double(n, &d)) {
        lc_buf_add_c(buf, "cty.NumberFloatVal(");
        add_double(buf, n, d);
    } else {
        lc_buf_add_c(buf, "cty.MustParseNumberVal(\"");
        lc_num_add_text(buf, n);
        lc_buf_add_char(buf, '"');
    }
    lc_buf_add_char(buf, ')');
}

static void add_elements(lc_buf *buf, const lc_value *v, const char *constructor)
{
    lc_buf_add_c(buf, constructor);
    lc_buf_add_c(buf, "([]cty.Value{");
    for (size_t i = 0; i < v->count; i++) {
        if (i)
            lc_buf_add_c(buf, ", ");
        lc_value_add_go(buf, &v->as.many.elems[i]);
    }
    lc_buf_add_c(buf, "})");
}

static void add_members(lc_buf *buf, const lc_value *v, const char *constructor)
{
    lc_buf_add_c(buf, constructor);
    lc_buf_add_c(buf, "(map[string]cty.Value{");
    for (size_t i = 0; i < v->count; i++) {
        if (i)
            lc_buf_add_c(buf, ", ");
        lc_buf_add_go_quoted(buf, v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i]
                                                               : v->type->as.attrs[i].name);
        lc_buf_add_char(buf, ':');
        lc_value_add_go(buf, &v->as.many.elems[i]);
    }
    lc_buf_add_c(buf, "})");
}

static void add_empty(lc_buf *buf, const lc_value *v, const char *constructor)
{
    lc_buf_add_c(buf, constructor);
    lc_buf_add_char(buf, '(');
    lc_type_add_go(buf, v->type->as.elem);
    lc_buf_add_char(buf, ')');
}

/* What makes a collection of this kind, and what makes an empty one. */
static const struct {
    const char *full, *empty;
} constructors[] = {
    [LC_TYPE_LIST] = {"cty.ListVal", "cty.ListValEmpty"},
    [LC_TYPE_SET] = {"cty.SetVal", "cty.SetValEmpty"},
    [LC_TYPE_MAP] = {"cty.MapVal", "cty.MapValEmpty"},
    [LC_TYPE_TUPLE] = {"cty.TupleVal", "cty.EmptyTupleVal"},
    [LC_TYPE_OBJECT] = {"cty.ObjectVal", "cty.EmptyObjectVal"},
};

static void add_collection(lc_buf *buf, const lc_value *v)
{
    lc_type_kind kind = v->type->kind;
    if (v->count && (kind == LC_TYPE_MAP || kind == LC_TYPE_OBJECT))
        add_members(buf, v, constructors[kind].full);
    else if (v->count)
        add_elements(buf, v, constructors[kind].full);
    else if (kind == LC_TYPE_TUPLE || kind == LC_TYPE_OBJECT)
        lc_buf_add_c(buf, constructors[kind].empty); /* its type has no element type */
    else
        add_empty(buf, v, constructors[kind].empty);
}

static void add_known(lc_buf *buf, const lc_value *v)
{
    switch (v->type->kind) {
    case LC_TYPE_BOOL:
        lc_buf_add_c(buf, v->as.boolean ? "cty.True" : "cty.False");
        return;
    case LC_TYPE_NUMBER:
        add_number(buf, v->as.number);
        return;
    case LC_TYPE_STRING:
        lc_buf_add_c(buf, "cty.StringVal(");
        lc_buf_add_go_quoted(buf, v->as.string);
        lc_buf_add_char(buf, ')');
        return;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        add_collection(buf, v);
        return;
    case LC_TYPE_DYNAMIC:
        break;
    }
    LC_UNREACHABLE();
}

void lc_value_add_go(lc_buf *buf, const lc_value *v)
{
    if (lc_is_known(v)) {
        add_known(buf, v);
        return;
    }
    if (lc_is_unknown(v) && v->type->kind == LC_TYPE_DYNAMIC) {
        lc_buf_add_c(buf, "cty.DynamicVal");
        return;
    }
    lc_buf_add_c(buf, lc_is_null(v) ? "cty.NullVal(" : "cty.UnknownVal(");
    lc_type_add_go(buf, v->type);
    lc_buf_add_char(buf, ')');
    if (lc_value_refinement(v))
        add_refinement(buf, lc_value_refinement(v));
}

/* cty's Value.Length gives a number, or an unknown number refined by the bounds. */
void lc_length_add_go(lc_buf *buf, lc_length length)
{
    lc_value v;
    if (length.known) {
        lc_value_set_number(&v, lc_num_from_int((int64_t)length.min));
        lc_value_add_go(buf, &v);
        return;
    }
    lc_refinement r = {.not_null = true,
                       .has_min = true,
                       .has_max = true,
                       .min_inclusive = true,
                       .max_inclusive = true};
    r.min = lc_num_from_int((int64_t)length.min);
    r.max = lc_num_from_int((int64_t)length.max);
    lc_value_set_unknown(&v, &lc_type_number);
    lc_buf_add_c(buf, "cty.UnknownVal(cty.Number)");
    add_refinement(buf, &r);
}
