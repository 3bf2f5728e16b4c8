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

/* The salt is random, but what the function refuses is certain. A smaller cost than 4 means 10. */
bool lc_fn_bcrypt(lc_fn_call *c)
{
    int64_t cost = 10;
    if (c->count > 1 && !lc_fn_int(c, 1, &cost))
        return lc_fn_fail(c, "the cost is not a whole number");
    if (c->count > 2)
        return lc_fn_fail(c, "there are more than two arguments");
    if (lc_fn_text(c, 0).len > 72 || cost > 31)
        return lc_fn_fail(c, "the string is longer than 72 bytes, or the cost larger than 31");
    return lc_fn_give_unknown(c);
}
