/* Which clients know a name of the language, and since which minor version of major version 1: a
 * set of cores with LC_SINCE. Taken from the tagged sources of both clients. */
#ifndef LC_CONFIGURATION_SINCE_H
#define LC_CONFIGURATION_SINCE_H

#include "lifecheck/catalog/rule.h"

/* The first minor versions that know the name; 0: every one does. */
#define LC_SINCE(terraform, opentofu) ((uint32_t)(terraform) << 8 | (uint32_t)(opentofu) << 16)

static inline lc_cores lc_cores_in(uint32_t known)
{
    return known & LC_BOTH_CORES;
}

static inline unsigned lc_terraform_since(uint32_t known)
{
    return known >> 8 & 0xffu;
}

static inline unsigned lc_opentofu_since(uint32_t known)
{
    return known >> 16 & 0xffu;
}

#endif
