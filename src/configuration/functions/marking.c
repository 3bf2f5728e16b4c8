/* Functions that look at marks or change them: sensitive, nonsensitive, issensitive. */
#include "configuration/functions/functions.h"

static bool same_type(lc_fn_call *c)
{
    return lc_fn_set_type(c, lc_fn_arg(c, 0)->type);
}

bool lc_fn_sensitive_type(lc_fn_call *c)
{
    return same_type(c);
}

bool lc_fn_sensitive(lc_fn_call *c)
{
    c->result = lc_marked_with(c->e->arena, c->args[0], LC_MARK_SENSITIVE, NULL);
    return true;
}
