/* The table is made from scenarios/ when the program is built. */
#include "cli/embedded.h"

static const lc_embedded scenarios[] = {
#include "scenarios.inc"
};

const lc_embedded *lc_embedded_scenario(lc_str slug, bool fails)
{
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        if (scenarios[i].fails == fails && lc_str_is(slug, scenarios[i].slug))
            return &scenarios[i];
    }
    return NULL;
}
