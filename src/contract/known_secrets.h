/* Strings that are secret wherever they appear: alone, as a part of a longer string, or in base64.
 * The work for a string does not depend on how many secrets there are. Private to the module
 * contract. */
#ifndef LC_CONTRACT_KNOWN_SECRETS_H
#define LC_CONTRACT_KNOWN_SECRETS_H

#include "lifecheck/base/str.h"

typedef struct lc_known_secrets lc_known_secrets;

/* In `arena`; copies what it is given. */
lc_known_secrets *lc_known_secrets_new(lc_arena *arena);
/* Strings of less than four bytes, true, false and short numbers do not count: they are equal to
 * others by chance. */
void lc_known_secrets_add(lc_known_secrets *known, lc_str secret);
bool lc_known_secrets_any(const lc_known_secrets *known);
/* Is it a secret, or does it contain one of LC_SECRET_PART bytes or more? */
#define LC_SECRET_PART 8
bool lc_known_secrets_in(const lc_known_secrets *known, lc_str text);

#endif
