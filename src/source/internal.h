/* Shared inside the source module only. */
#ifndef LC_SOURCE_INTERNAL_H
#define LC_SOURCE_INTERNAL_H

#include "lifecheck/node.h"

#endif
