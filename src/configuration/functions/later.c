/* Functions whose results are known only when a plan is applied. */
#include "configuration/functions/functions.h"

bool lc_fn_timestamp(lc_fn_call *c)
{
    return lc_fn_give_unknown(c);
}

bool lc_fn_uuid(lc_fn_call *c)
{
    return lc_fn_give_unknown(c);
}

bool lc_fn_bcrypt(lc_fn_call *c)
{
    return lc_fn_give_unknown(c);
}
