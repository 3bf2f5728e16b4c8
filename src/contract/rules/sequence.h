/* The family sequence: for its two files alone. */
#ifndef LC_CONTRACT_RULES_SEQUENCE_H
#define LC_CONTRACT_RULES_SEQUENCE_H

#include "contract/judge.h"

/* May a client send `sent` where a call returned `got`? It replaces unknowns by null, and may
 * normalize blocks as for SDKv2. False if `got` is null or unknown. */
bool lc_may_be_sent(lc_judge *j, const lc_value *got, const lc_value *sent);
/* What is sent with each call, and whether it may be made at all (sequence_calls.c). */
void lc_judge_sequence_calls(lc_judge *j);

#endif
