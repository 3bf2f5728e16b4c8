/* Why a promise was broken and what to change. Module diagnose. Pure: a finding in, an explanation
 * out. A diagnosis is advice; it never changes a verdict. */
#ifndef LIFECHECK_DIAGNOSE_H
#define LIFECHECK_DIAGNOSE_H

#include "lifecheck/contract.h"

/* Fill in the diagnosis of a finding, if one is known. Texts are constants. */
void lc_diagnose(lc_finding *finding);

#endif
