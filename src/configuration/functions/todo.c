#include "configuration/functions/functions.h"
bool lc_fn_coalesce_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_concat_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_distinct_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_element_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_flatten_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_keys_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_lookup_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_merge_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_one_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_reverse_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_setintersection_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_setsubtract_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_setunion_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_slice_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_values_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
bool lc_fn_zipmap_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, &lc_type_dynamic);
}
