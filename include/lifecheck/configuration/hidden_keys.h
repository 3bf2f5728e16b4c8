/* Instance keys that a report may not show, because they come from a file or from a sensitive
 * output of another state (LC_MARK_HIDDEN). A token takes the place of each in every text that is
 * printed; addresses themselves keep the keys, so that patterns match them. A key that a state or a
 * plan has in an address is not a secret. Module configuration. */
#ifndef LIFECHECK_CONFIGURATION_HIDDEN_KEYS_H
#define LIFECHECK_CONFIGURATION_HIDDEN_KEYS_H

#include "lifecheck/base/table.h"
#include "lifecheck/configuration/address.h"

/* Which strings of keys are replaced, and by what. `shown` wins: a key of a state is not a
 * secret. */
typedef struct lc_hidden_keys {
    lc_arena *arena;        /* NULL: nothing is hidden yet */
    lc_table hidden, shown; /* strings of keys; of hidden ones the lc_str that is shown */
    size_t count;           /* of tokens */
} lc_hidden_keys;

/* Zero-initialised, then: */
void lc_hide_key(lc_hidden_keys *keys, lc_arena *arena, lc_key key);
/* The keys of this address may be shown. */
void lc_show_keys(lc_hidden_keys *keys, lc_arena *arena, const lc_address *address);
/* The text with tokens instead of hidden keys; in the arena of the keys, or `text` itself. */
lc_str lc_hidden_text(const lc_hidden_keys *keys, lc_str text);

#endif
