/* The functions that are evaluated: those that configurations use to build keys and names. Of other
 * functions only the names are known, and their results are undecided. */
#include "configuration/functions/functions.h"
#include "lifecheck/core_message.h"

#include <string.h>

/* How a function treats special arguments. Without a flag: a null argument is an error, a value
 * that is not wholly known makes the result unknown, and all marks move to the result. */
enum {
    /* Unknown elements are accepted; an unknown argument still makes the result unknown. */
    UNKNOWNS = 1,
    NULLS = 2,        /* null arguments are accepted */
    PARTS = 4,        /* elements keep their marks in the result */
    ALL_UNKNOWNS = 8, /* unknown arguments are accepted */
    ANYTHING = NULLS | PARTS | ALL_UNKNOWNS,
};

typedef struct function {
    const char *name;
    size_t least, most; /* number of arguments */
    bool (*call)(lc_fn_call *c);
    /* Type of the result if an argument is unknown; NULL: any. */
    const lc_type *result;
    unsigned takes;
} function;

#define MANY SIZE_MAX

bool lc_fn_fail(lc_fn_call *c, const char *detail)
{
    return lc_eval_fail(c->e, c->expr->place, LC_SUMMARY_FUNCTION_ERROR, detail);
}

bool lc_fn_bad_argument(lc_fn_call *c, const char *detail)
{
    return lc_eval_fail(c->e, c->expr->place, LC_SUMMARY_FUNCTION_ARGUMENT, detail);
}

bool lc_fn_give(lc_fn_call *c, const lc_value *slot)
{
    c->result = (lc_marked){lc_value_new(c->e->arena, slot), NULL};
    return true;
}

bool lc_fn_give_text(lc_fn_call *c, lc_str text)
{
    lc_value v;
    lc_value_set_string(&v, c->e->arena, text);
    return lc_fn_give(c, &v);
}

bool lc_fn_give_number(lc_fn_call *c, int64_t n)
{
    lc_value v;
    lc_value_set_number(&v, lc_num_from_int(n));
    return lc_fn_give(c, &v);
}

bool lc_fn_give_bool(lc_fn_call *c, bool is)
{
    lc_value v;
    lc_value_set_bool(&v, is);
    return lc_fn_give(c, &v);
}

bool lc_fn_give_tuple(lc_fn_call *c, const lc_marked *items, size_t count)
{
    c->result = lc_eval_tuple(c->e, items, count);
    return true;
}

/* A list of strings. */
bool lc_fn_give_list(lc_fn_call *c, const lc_marked *items, size_t count)
{
    lc_str why;
    return lc_marked_convert(&c->result, c->e->arena, lc_eval_tuple(c->e, items, count),
                             lc_type_collection(c->e->arena, LC_TYPE_LIST, &lc_type_string), &why);
}

bool lc_fn_give_like(lc_fn_call *c, const lc_marked *items, size_t count, const lc_type *type)
{
    lc_str why;
    lc_fn_give_tuple(c, items, count);
    return !lc_type_is_collection(type) ||
           lc_marked_convert(&c->result, c->e->arena, c->result,
                             lc_type_collection(c->e->arena, LC_TYPE_LIST, type->as.elem), &why);
}

/* The checks of the caller let no unknown argument through where this is used, unless the function
 * takes unknowns; then it is an error here. */
bool lc_fn_argument(lc_fn_call *c, size_t at, const lc_type *want, const lc_value **out)
{
    lc_str why;
    if (lc_value_convert(out, c->e->arena, c->args[at].value, want, &why) && lc_is_known(*out))
        return true;
    return lc_fn_bad_argument(c, "the argument is of another type");
}

bool lc_fn_text_argument(lc_fn_call *c, size_t at, lc_str *out)
{
    const lc_value *v;
    if (!lc_fn_argument(c, at, &lc_type_string, &v))
        return false;
    *out = v->as.string;
    return true;
}

const lc_value *lc_fn_arg(const lc_fn_call *c, size_t at)
{
    return c->args[at].value;
}

bool lc_fn_is_list(const lc_value *v)
{
    return lc_fn_is_sequence(v) || v->type->kind == LC_TYPE_SET;
}

bool lc_fn_is_sequence(const lc_value *v)
{
    return v->type->kind == LC_TYPE_LIST || v->type->kind == LC_TYPE_TUPLE;
}

bool lc_fn_is_open_set(const lc_value *v)
{
    return v->type->kind == LC_TYPE_SET && v->count > 1 && !lc_is_wholly_known(v);
}

bool lc_fn_is_map(const lc_value *v)
{
    return v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT;
}

lc_str lc_fn_key_at(const lc_value *map, uint32_t at)
{
    return map->type->kind == LC_TYPE_MAP ? map->as.many.keys[at] : map->type->as.attrs[at].name;
}

/* An element with what its collection bears for it. */
lc_marked lc_fn_element(const lc_fn_call *c, size_t which, uint32_t at)
{
    const lc_marked *whole = &c->args[which];
    lc_marked v = {&whole->value->as.many.elems[at], NULL};
    if (whole->marks && at < whole->marks->count)
        v.marks = whole->marks->children[at];
    return v;
}

/* ---- Conversions. */

static bool convert_to(lc_fn_call *c, const lc_type *want)
{
    lc_str why;
    if (lc_marked_convert(&c->result, c->e->arena, c->args[0], want, &why))
        return true;
    return lc_fn_bad_argument(c, "the argument cannot be converted");
}

static bool to_string(lc_fn_call *c)
{
    return convert_to(c, &lc_type_string);
}

static bool to_number(lc_fn_call *c)
{
    return convert_to(c, &lc_type_number);
}

static bool to_bool(lc_fn_call *c)
{
    return convert_to(c, &lc_type_bool);
}

static bool to_collection(lc_fn_call *c, lc_type_kind kind)
{
    return convert_to(c, lc_type_collection(c->e->arena, kind, &lc_type_dynamic));
}

static bool to_set(lc_fn_call *c)
{
    return to_collection(c, LC_TYPE_SET);
}

static bool to_list(lc_fn_call *c)
{
    return to_collection(c, LC_TYPE_LIST);
}

static bool to_map(lc_fn_call *c)
{
    return to_collection(c, LC_TYPE_MAP);
}

/* ---- Marks, and what is known only when it is applied. */

static bool sensitive(lc_fn_call *c)
{
    c->result = lc_marked_with(c->e->arena, c->args[0], LC_MARK_SENSITIVE, NULL);
    return true;
}

/* timestamp and uuid are unknown until apply. */
static bool later(lc_fn_call *c)
{
    c->result = lc_eval_unknown(c->e, &lc_type_string);
    return true;
}

static const function functions[] = {
    {"jsonencode", 1, 1, lc_fn_json, &lc_type_string, NULLS},
    {"index", 2, 2, lc_fn_index, &lc_type_number, 0},
    {"anytrue", 1, 1, lc_fn_any_true, &lc_type_bool, UNKNOWNS},
    {"alltrue", 1, 1, lc_fn_all_true, &lc_type_bool, UNKNOWNS},
    {"base64encode", 1, 1, lc_fn_base64, &lc_type_string, 0},
    {"basename", 1, 1, lc_fn_base_name, &lc_type_string, 0},
    {"title", 1, 1, lc_fn_title, &lc_type_string, 0},
    {"indent", 2, 2, lc_fn_indent, &lc_type_string, 0},
    {"trim", 2, 2, lc_fn_trim, &lc_type_string, 0},
    {"substr", 3, 3, lc_fn_substr, &lc_type_string, 0},
    {"strrev", 1, 1, lc_fn_reversed, &lc_type_string, 0},
    {"chomp", 1, 1, lc_fn_chomp, &lc_type_string, 0},
    {"sum", 1, 1, lc_fn_sum, &lc_type_number, 0},
    {"signum", 1, 1, lc_fn_signum, &lc_type_number, 0},
    {"floor", 1, 1, lc_fn_rounded, &lc_type_number, 0},
    {"ceil", 1, 1, lc_fn_rounded, &lc_type_number, 0},
    {"abs", 1, 1, lc_fn_absolute, &lc_type_number, 0},
    {"compact", 1, 1, lc_fn_compact, NULL, 0},
    {"distinct", 1, 1, lc_fn_distinct, NULL, 0},
    {"max", 0, MANY, lc_fn_largest, &lc_type_number, 0},
    {"min", 0, MANY, lc_fn_smallest, &lc_type_number, 0},
    {"replace", 3, 3, lc_fn_replace, &lc_type_string, 0},
    {"reverse", 1, 1, lc_fn_reverse, NULL, UNKNOWNS | PARTS},
    {"setintersection", 1, MANY, lc_fn_set_intersection, NULL, 0},
    {"setsubtract", 2, 2, lc_fn_set_subtract, NULL, 0},
    {"setunion", 1, MANY, lc_fn_set_union, NULL, 0},
    {"slice", 3, 3, lc_fn_slice, NULL, UNKNOWNS | PARTS},
    {"sort", 1, 1, lc_fn_sort, NULL, 0},
    {"strcontains", 2, 2, lc_fn_str_contains, &lc_type_bool, 0},
    {"trimprefix", 2, 2, lc_fn_trim_prefix, &lc_type_string, 0},
    {"trimsuffix", 2, 2, lc_fn_trim_suffix, &lc_type_string, 0},
    {"coalesce", 0, MANY, lc_fn_coalesce, NULL, ANYTHING},
    {"concat", 1, MANY, lc_fn_concat, NULL, UNKNOWNS | PARTS},
    {"contains", 2, 2, lc_fn_contains, NULL, ALL_UNKNOWNS},
    {"element", 2, 2, lc_fn_element_at, NULL, UNKNOWNS | PARTS},
    {"endswith", 2, 2, lc_fn_ends_with, &lc_type_bool, 0},
    {"flatten", 1, 1, lc_fn_flatten, NULL, UNKNOWNS | PARTS},
    {"format", 1, MANY, lc_fn_format, &lc_type_string, NULLS},
    {"join", 2, MANY, lc_fn_join, &lc_type_string, 0},
    {"keys", 1, 1, lc_fn_keys, NULL, UNKNOWNS | PARTS},
    {"length", 1, 1, lc_fn_length, &lc_type_number, UNKNOWNS | PARTS},
    {"lookup", 2, 3, lc_fn_lookup, NULL, ANYTHING},
    {"lower", 1, 1, lc_fn_lower, &lc_type_string, 0},
    {"merge", 0, MANY, lc_fn_merge, NULL, UNKNOWNS | NULLS | PARTS},
    {"one", 1, 1, lc_fn_one, NULL, UNKNOWNS | PARTS},
    {"range", 1, 3, lc_fn_range, NULL, 0},
    {"sensitive", 1, 1, sensitive, NULL, ANYTHING},
    {"split", 2, 2, lc_fn_split, NULL, 0},
    {"startswith", 2, 2, lc_fn_starts_with, &lc_type_bool, 0},
    {"timestamp", 0, 0, later, NULL, 0},
    {"tobool", 1, 1, to_bool, &lc_type_bool, ANYTHING},
    {"tolist", 1, 1, to_list, NULL, ANYTHING},
    {"tomap", 1, 1, to_map, NULL, ANYTHING},
    {"tonumber", 1, 1, to_number, &lc_type_number, ANYTHING},
    {"toset", 1, 1, to_set, NULL, ANYTHING},
    {"tostring", 1, 1, to_string, &lc_type_string, ANYTHING},
    {"trimspace", 1, 1, lc_fn_trim_space, &lc_type_string, 0},
    {"upper", 1, 1, lc_fn_upper, &lc_type_string, 0},
    {"uuid", 0, 0, later, NULL, 0},
    {"values", 1, 1, lc_fn_values, NULL, UNKNOWNS | PARTS},
    {"zipmap", 2, 2, lc_fn_zipmap, NULL, UNKNOWNS | PARTS},
};

/* Other functions of the cores, whose results are undecided here. */
static const char *const others[] = {
    "abspath",
    "base64decode",
    "base64gunzip",
    "base64gzip",
    "base64sha256",
    "base64sha512",
    "bcrypt",
    "chunklist",
    "cidrcontains",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "coalescelist",
    "csvdecode",
    "dirname",
    "ephemeralasnull",
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "formatdate",
    "formatlist",
    "issensitive",
    "jsondecode",
    "list",
    "log",
    "map",
    "matchkeys",
    "md5",
    "nonsensitive",
    "parseint",
    "pathexpand",
    "plantimestamp",
    "pow",
    "regex",
    "regexall",
    "rsadecrypt",
    "setproduct",
    "sha1",
    "sha256",
    "sha512",
    "templatefile",
    "templatestring",
    "textdecodebase64",
    "textencodebase64",
    "timeadd",
    "timecmp",
    "transpose",
    "type",
    "urldecode",
    "urlencode",
    "uuidv5",
    "yamldecode",
    "yamlencode",
    NULL,
};

/* `core::` is the explicit namespace of built-in functions. */
static const function *find(lc_str name)
{
    lc_str prefix = LC_STR("core::");
    if (lc_str_starts_with(name, prefix))
        name = lc_str_sub(name, prefix.len, name.len);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (lc_str_is(name, functions[i].name))
            return &functions[i];
    return NULL;
}

/* A name with `::` belongs to a provider; providers are not called here. */
static bool exists(lc_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] == ':')
            return true;
    return lc_str_is_one_of(name, others, NULL);
}

/* A function that is not evaluated: undecided, or an error if no core has it. */
static bool call_other(lc_fn_call *c)
{
    lc_str name = c->expr->as.name;
    if (!exists(name))
        return lc_eval_fail(c->e, c->expr->place, LC_SUMMARY_UNKNOWN_FUNCTION,
                            "there is no function of this name");
    c->result = lc_undecided_value(
        c->e->arena, lc_str_printf(c->e->arena, "the function %.*s is not evaluated", LC_FMT(name)),
        c->expr->place);
    return true;
}

/* Applies the rules of the enum above. *done: the result is already known to be unknown. */
static bool check_arguments(lc_fn_call *c, const function *f, bool *done)
{
    if (c->count < f->least || c->count > f->most)
        return lc_eval_fail(c->e, c->expr->place,
                            c->count < f->least ? LC_SUMMARY_TOO_FEW_ARGUMENTS
                                                : LC_SUMMARY_TOO_MANY_ARGUMENTS,
                            "the function takes another number of arguments");
    for (size_t i = 0; i < c->count; i++) {
        if (lc_is_null(lc_fn_arg(c, i)) && !(f->takes & NULLS))
            return lc_fn_bad_argument(c, "an argument is null");
        bool unknown = f->takes & UNKNOWNS ? lc_is_unknown(lc_fn_arg(c, i))
                                           : !lc_is_wholly_known(lc_fn_arg(c, i));
        *done |= unknown && !(f->takes & ALL_UNKNOWNS);
    }
    if (*done)
        c->result = lc_eval_unknown(c->e, f->result ? f->result : &lc_type_dynamic);
    return true;
}

/* The result gets the marks of the arguments: all of them, or, if elements keep theirs, those of
 * each argument as a whole. */
static void mark_result(lc_fn_call *c, bool parts)
{
    for (size_t i = 0; i < c->count; i++) {
        unsigned marks = parts ? lc_marks_self(c->args[i]) : lc_marks_all(c->args[i]);
        if (marks)
            c->result = lc_marked_with(c->e->arena, c->result, marks, c->args[i].marks->undecided);
    }
}

/* Functions may replace arguments while they work, so the original ones are restored before their
 * marks are taken. */
bool lc_function_call(lc_fn_call *c)
{
    const function *f = find(c->expr->as.name);
    bool done = false;
    if (!f) {
        if (!call_other(c))
            return false;
    } else if (!check_arguments(c, f, &done)) {
        return false;
    }
    lc_marked *args = c->args;
    size_t count = c->count;
    if (f && !done && !f->call(c))
        return false;
    c->args = args;
    c->count = count;
    mark_result(c, f && !done && (f->takes & PARTS));
    return true;
}
