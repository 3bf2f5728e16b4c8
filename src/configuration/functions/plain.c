/* Functions that are evaluated for simple input only: whole numbers, ASCII text, lists. For
 * anything else the result is undecided instead of perhaps wrong. */
#include "configuration/functions/functions.h"

#include "lifecheck/codec.h"

#include <string.h>

static bool undecided(lc_fn_call *c, const char *reason)
{
    c->result = lc_undecided_value(c->e->arena, lc_str_from_c(reason), c->expr->place);
    return true;
}

/* ---- JSON. */

bool lc_fn_jsonencode(lc_fn_call *c)
{
    if (!lc_fn_all_known(c))
        return lc_fn_give_unknown(c);
    lc_buf buf = {0};
    const lc_value *v = lc_fn_arg(c, 0);
    lc_str why;
    bool ok = lc_ctyjson_encode(&buf, v, v->type, &why)
                  ? lc_fn_give_text(c, lc_buf_copy(c->e->arena, &buf))
                  : undecided(c, "this value is not written as JSON");
    lc_buf_release(&buf);
    return ok;
}
