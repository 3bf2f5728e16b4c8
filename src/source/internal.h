/* For the module source alone. */
#ifndef LC_SOURCE_INTERNAL_H
#define LC_SOURCE_INTERNAL_H

#include "lifecheck/node.h"

#endif
