/* What stands under `planning` in a scenario. */
#include "lifecheck/planning.h"
#include "internal.h"

const lc_planning *lc_in_planning(lc_in *in, const lc_node *node)
{
    lc_diag_error(in->diags, lc_in_loc(in, node),
                  "a document with the key \"planning\" is not judged by this version");
    return NULL;
}
