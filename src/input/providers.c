/* What stands under `providers` in a scenario. */
#include "internal.h"
#include "lifecheck/planning.h"

const lc_planning *lc_in_providers(lc_in *in, const lc_node *node)
{
    lc_diag_error(in->diags, lc_in_loc(in, node),
                  "a document with the key \"providers\" is not judged by this version");
    return NULL;
}
