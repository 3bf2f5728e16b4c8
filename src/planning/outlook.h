/* Inside of the outlook: which instances the blocks of a plan's configuration have. */
#ifndef LC_PLANNING_OUTLOOK_H
#define LC_PLANNING_OUTLOOK_H

#include "lifecheck/outlook.h"
#include "lifecheck/scope.h"

typedef enum outlook_repeat {
    OUTLOOK_HIDDEN,
    OUTLOOK_ONE,
    OUTLOOK_COUNT,
    OUTLOOK_EACH
} outlook_repeat;

typedef struct outlook_keys {
    outlook_repeat kind; /* HIDDEN: what repeats it is not shown, if anything does */
    bool certain;        /* else the keys are those that the plan has */
    const char *doubt;   /* why they are not certain */
    const lc_key *list;  /* in order */
    size_t count;
    lc_table by_text; /* key text -> outlook_keys */
    int64_t gap;      /* a key of count that has to be there, and that the plan lacks; or -1 */
} outlook_keys;

/* A module instance that is declared. */
typedef struct outlook_module {
    const struct outlook_module *caller; /* NULL: the root */
    const lc_node *node, *call;          /* of the configuration; the root has no call */
    lc_address address;
    lc_str text;  /* of the address */
    bool certain; /* it is declared whatever the plan says */
} outlook_module;

typedef struct outlook {
    lc_arena *arena;
    lc_plan *plan;
    lc_forecast *out;
    lc_table told;    /* address without its last key -> key_list: what the plan has */
    lc_table seen;    /* addresses that are in those lists */
    lc_table pending; /* resource in its module instance: something of it is created or changed */
    lc_table modules; /* address of a module instance -> outlook_module */
    lc_table keys;    /* address of a block in its module instance, without key -> outlook_keys */
    lc_table objects; /* addresses that have a change */
    size_t expanded;
    bool limited; /* not all instances were looked at */
    lc_surroundings around;
    lc_configuration config;
    lc_module none;
    lc_module_scope *scope; /* of nothing: for expressions without references */
} outlook;

/* outlook_keys.c */
void lc_outlook_prepare(outlook *o);
/* The keys of a block, `text` in the module instance `m`; kept in `keys`. */
const outlook_keys *lc_outlook_keys(outlook *o, const outlook_module *m, const lc_node *block,
                                    lc_str text);
bool lc_outlook_has(const outlook_keys *keys, lc_key key);
/* Does the kind of the key fit the block, as far as it is shown? */
bool lc_outlook_fits(const outlook_keys *keys, lc_key key);

#endif
