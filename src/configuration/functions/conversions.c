/* tostring, tonumber ... tomap, and convert. */
#include "configuration/functions/functions.h"

/* The conversion must exist for the type alone; whether it works for the value is checked later. */
static bool conversion_type(lc_fn_call *c, const lc_type *want)
{
    lc_value any;
    const lc_value *to;
    lc_str why;
    lc_value_set_unknown(&any, lc_fn_arg(c, 0)->type);
    if (!lc_value_convert(&to, c->e->arena, &any, want, &why))
        return lc_fn_bad_argument(c, 0, "the value cannot be converted to this type");
    return lc_fn_set_type(c, want);
}

/* In Terraform an unknown argument keeps its own marks. */
static bool convert_to(lc_fn_call *c)
{
    lc_str why;
    if (lc_is_unknown(lc_fn_arg(c, 0))) {
        lc_fn_give_unknown(c);
        lc_fn_add_marks(c, 0);
        return true;
    }
    if (lc_marked_convert(&c->result, c->e->arena, c->args[0], c->type, &why))
        return true;
    return lc_fn_bad_argument(c, 0, "the value cannot be converted to this type");
}

bool lc_fn_tostring_type(lc_fn_call *c)
{
    return conversion_type(c, &lc_type_string);
}

bool lc_fn_tostring(lc_fn_call *c)
{
    return convert_to(c);
}

bool lc_fn_tonumber_type(lc_fn_call *c)
{
    return conversion_type(c, &lc_type_number);
}

bool lc_fn_tonumber(lc_fn_call *c)
{
    return convert_to(c);
}

bool lc_fn_tobool_type(lc_fn_call *c)
{
    return conversion_type(c, &lc_type_bool);
}

bool lc_fn_tobool(lc_fn_call *c)
{
    return convert_to(c);
}

static const lc_type *collection_of_any(lc_fn_call *c, lc_type_kind kind)
{
    return lc_type_collection(c->e->arena, kind, &lc_type_dynamic);
}

bool lc_fn_tolist_type(lc_fn_call *c)
{
    return conversion_type(c, collection_of_any(c, LC_TYPE_LIST));
}

bool lc_fn_toset_type(lc_fn_call *c)
{
    return conversion_type(c, collection_of_any(c, LC_TYPE_SET));
}

bool lc_fn_tomap_type(lc_fn_call *c)
{
    return conversion_type(c, collection_of_any(c, LC_TYPE_MAP));
}

bool lc_fn_tolist(lc_fn_call *c)
{
    return convert_to(c);
}

bool lc_fn_toset(lc_fn_call *c)
{
    return convert_to(c);
}

bool lc_fn_tomap(lc_fn_call *c)
{
    return convert_to(c);
}

/* ---- convert. */

bool lc_fn_convert_type(lc_fn_call *c)
{
    const lc_type *type = c->constraint.type;
    return lc_fn_set_type(c, type ? lc_type_without_optional(type) : &lc_type_dynamic);
}

bool lc_fn_convert(lc_fn_call *c)
{
    lc_str why;
    return lc_constraint_apply(&c->result, c->e->arena, &c->constraint, c->args[0], &why) ||
           lc_fn_bad_argument(c, 0, "the value cannot be converted to this type");
}
