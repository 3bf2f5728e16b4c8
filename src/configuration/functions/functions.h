/* Functions, shared by their files. */
#ifndef LC_CONFIGURATION_FUNCTIONS_FUNCTIONS_H
#define LC_CONFIGURATION_FUNCTIONS_FUNCTIONS_H

#include "configuration/expression/eval.h"

/* ---- Results. Each sets c->result; the first two set an error instead and return false. */

bool lc_fn_fail(lc_fn_call *c, const char *detail);
bool lc_fn_bad_argument(lc_fn_call *c, const char *detail);
bool lc_fn_give(lc_fn_call *c, const lc_value *slot);
bool lc_fn_give_text(lc_fn_call *c, lc_str text);
bool lc_fn_give_number(lc_fn_call *c, int64_t n);
bool lc_fn_give_bool(lc_fn_call *c, bool is);
bool lc_fn_give_tuple(lc_fn_call *c, const lc_marked *items, size_t count);
bool lc_fn_give_list(lc_fn_call *c, const lc_marked *items, size_t count);
/* A list if `type` is a collection type, with its element type; else a tuple. */
bool lc_fn_give_like(lc_fn_call *c, const lc_marked *items, size_t count, const lc_type *type);

/* ---- Arguments. The first two convert; false: an error is set, because the argument is of another
 * type, null or unknown. */

bool lc_fn_argument(lc_fn_call *c, size_t at, const lc_type *want, const lc_value **out);
bool lc_fn_text_argument(lc_fn_call *c, size_t at, lc_str *out);
/* The argument without conversion. */
const lc_value *lc_fn_arg(const lc_fn_call *c, size_t at);
bool lc_fn_is_list(const lc_value *v);     /* a list, set or tuple */
bool lc_fn_is_sequence(const lc_value *v); /* a list or tuple */
/* A set of two or more elements that is not wholly known: unknown elements may turn out to be equal
 * to others, so its size and members are not known. */
bool lc_fn_is_open_set(const lc_value *v);
bool lc_fn_is_map(const lc_value *v); /* a map or object */
/* The key of a map, or the attribute name of an object, at the given position. */
lc_str lc_fn_key_at(const lc_value *map, uint32_t at);
/* Element `at` of argument `which`, with the marks of that element. */
lc_marked lc_fn_element(const lc_fn_call *c, size_t which, uint32_t at);

/* ---- The functions of the language, by the names that they have there. */

bool lc_fn_keys(lc_fn_call *c);
bool lc_fn_values(lc_fn_call *c);
bool lc_fn_merge(lc_fn_call *c);
bool lc_fn_zipmap(lc_fn_call *c);
bool lc_fn_lookup(lc_fn_call *c);
bool lc_fn_length(lc_fn_call *c);
bool lc_fn_concat(lc_fn_call *c);
bool lc_fn_element_at(lc_fn_call *c);
bool lc_fn_contains(lc_fn_call *c);
bool lc_fn_range(lc_fn_call *c);
bool lc_fn_flatten(lc_fn_call *c);
bool lc_fn_one(lc_fn_call *c);
bool lc_fn_coalesce(lc_fn_call *c);
bool lc_fn_reverse(lc_fn_call *c);
bool lc_fn_slice(lc_fn_call *c);
bool lc_fn_upper(lc_fn_call *c);
bool lc_fn_lower(lc_fn_call *c);
bool lc_fn_join(lc_fn_call *c);
bool lc_fn_split(lc_fn_call *c);
bool lc_fn_starts_with(lc_fn_call *c);
bool lc_fn_ends_with(lc_fn_call *c);
bool lc_fn_trim_space(lc_fn_call *c);
bool lc_fn_format(lc_fn_call *c);
bool lc_fn_str_contains(lc_fn_call *c);
bool lc_fn_trim_prefix(lc_fn_call *c);
bool lc_fn_trim_suffix(lc_fn_call *c);
bool lc_fn_replace(lc_fn_call *c);
bool lc_fn_largest(lc_fn_call *c);
bool lc_fn_smallest(lc_fn_call *c);
bool lc_fn_sort(lc_fn_call *c);
bool lc_fn_compact(lc_fn_call *c);
bool lc_fn_distinct(lc_fn_call *c);
bool lc_fn_set_union(lc_fn_call *c);
bool lc_fn_set_intersection(lc_fn_call *c);
bool lc_fn_set_subtract(lc_fn_call *c);
bool lc_fn_absolute(lc_fn_call *c);
bool lc_fn_rounded(lc_fn_call *c);
bool lc_fn_signum(lc_fn_call *c);
bool lc_fn_sum(lc_fn_call *c);
bool lc_fn_chomp(lc_fn_call *c);
bool lc_fn_reversed(lc_fn_call *c);
bool lc_fn_substr(lc_fn_call *c);
bool lc_fn_trim(lc_fn_call *c);
bool lc_fn_indent(lc_fn_call *c);
bool lc_fn_title(lc_fn_call *c);
bool lc_fn_base_name(lc_fn_call *c);
bool lc_fn_base64(lc_fn_call *c);
bool lc_fn_all_true(lc_fn_call *c);
bool lc_fn_any_true(lc_fn_call *c);
bool lc_fn_index(lc_fn_call *c);
bool lc_fn_json(lc_fn_call *c);

#endif
