/* Inside of the outlook: which instances the blocks of a plan's configuration have. */
#ifndef LC_PREDICT_PLAN_ONLY_H
#define LC_PREDICT_PLAN_ONLY_H

#include "lifecheck/plan_only.h"
#include "lifecheck/scope.h"

typedef enum lc_plan_only_repeat {
    LC_PLAN_ONLY_HIDDEN,
    LC_PLAN_ONLY_ONE,
    LC_PLAN_ONLY_COUNT,
    LC_PLAN_ONLY_EACH
} lc_plan_only_repeat;

typedef struct lc_plan_only_instance_keys {
    lc_plan_only_repeat kind; /* HIDDEN: what repeats it is not shown, if anything does */
    bool certain;             /* else the keys are those that the plan has */
    const char *undecided;    /* why they are not certain */
    const lc_key *list;       /* in order */
    size_t count;
    lc_table by_text; /* key text -> outlook_keys */
    int64_t gap;      /* a key of count that has to be there, and that the plan lacks; or -1 */
} lc_plan_only_instance_keys;

/* A module instance that is declared. */
typedef struct lc_plan_only_module {
    const struct lc_plan_only_module *caller; /* NULL: the root */
    const lc_node *node, *call;               /* of the configuration; the root has no call */
    lc_address address;
    lc_str text;  /* of the address */
    bool certain; /* it is declared whatever the plan says */
} lc_plan_only_module;

typedef struct lc_plan_only {
    lc_arena *arena;
    lc_plan *plan;
    lc_prediction *out;
    lc_table reported; /* address without its last key -> key_list: what the plan has */
    lc_table seen;     /* addresses that are in those lists */
    lc_table pending;  /* resource in its module instance: something of it is created or changed */
    lc_table modules;  /* address of a module instance -> outlook_module */
    lc_table keys;     /* address of a block in its module instance, without key -> outlook_keys */
    lc_table objects;  /* addresses that have a change */
    size_t expanded;
    bool limited; /* not all instances were looked at */
    lc_eval_context around;
    lc_configuration config;
    lc_module none;
    lc_module_scope *scope; /* of nothing: for expressions without references */
} lc_plan_only;

/* plan_only_keys.c */
void lc_plan_only_prepare(lc_plan_only *o);
/* The keys of a block, `text` in the module instance `m`; kept in `keys`. */
const lc_plan_only_instance_keys *lc_plan_only_keys(lc_plan_only *o, const lc_plan_only_module *m,
                                                    const lc_node *block, lc_str text);
bool lc_plan_only_has(const lc_plan_only_instance_keys *keys, lc_key key);
/* Does the kind of the key fit the block, as far as it is shown? */
bool lc_plan_only_fits(const lc_plan_only_instance_keys *keys, lc_key key);

#endif
