/* Keys of tables that are not text: the bytes of a pointer or of a hash. Module base. */
#ifndef LIFECHECK_BASE_KEY_H
#define LIFECHECK_BASE_KEY_H

#include "lifecheck/base/str.h"

/* Borrowed: the variable has to live as long as the key. */
#define LC_BYTES_OF(variable) ((lc_str){(const char *)&(variable), sizeof(variable)})

#endif
