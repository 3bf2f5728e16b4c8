/* One object while its change is decided. */
#ifndef LC_PREDICT_OBJECT_H
#define LC_PREDICT_OBJECT_H

#include "predict/internal.h"

typedef struct lc_planned_object {
    lc_predictor *r;
    lc_arena *arena; /* of what is looked at only until the change is written */
    const lc_graph_node *node;
    const lc_config_resource *config; /* NULL: no block */
    const lc_repetition *instance;    /* NULL: not declared */
    lc_module_instance *module;       /* NULL: not declared */
    lc_address address;
    lc_str text;
    lc_state_instance *state_instance; /* NULL: nothing is stored */
    const lc_run_prior *prior;         /* the stored object; NULL: none, or it is gone */
    const lc_schema *schema;           /* NULL: not known */
    const lc_value *before;            /* its value; NULL: not known, or none */
    lc_path_list sensitive;            /* stored with marks */
    bool gone;                         /* a read found nothing */
    bool failed;                       /* an error was told */
    const lc_import_target *import;    /* NULL: it is not imported */
    bool requested;                    /* -replace */
    lc_trigger_result trigger;
    const lc_config_ref *trigger_by;
    const lc_undecided *undecided; /* why it is open, or NULL */
    lc_marked given;               /* the configuration by the schema; value NULL: not known */
    const lc_value *after;         /* as planned; NULL: not known */
    bool assumed;                  /* ... though nobody said so */
    lc_path_list paths;            /* requires_replace, those that count */
    lc_plan_action likely;         /* of an update that is open */
    bool normalized;               /* planned as it was, although the configuration differs */
} lc_planned_object;

/* What is stored, and what a read makes of it. */
void lc_predict_object_load(lc_planned_object *o, lc_str deposed);
void lc_predict_object_refresh(lc_planned_object *o, lc_str deposed);

/* The base action, by values alone: create, no-op, update or a replace; LC_PLAN_UNKNOWN: open. */
lc_plan_action lc_predict_decide(lc_planned_object *o);
/* The action that stands for a replace here, and why. */
lc_plan_action lc_predict_replace_action(lc_planned_object *o, lc_why *order);

typedef struct lc_forgotten {
    bool forget;
    lc_plan_reason reason; /* LC_PLAN_REASON_NONE: the reason of a delete */
    lc_why why;
} lc_forgotten;
/* Is the object let go instead of destroyed? */
lc_forgotten lc_predict_forgotten(lc_planned_object *o, const lc_run_prior *prior);

lc_run_change *lc_predict_object_change(lc_planned_object *o, lc_str deposed,
                                        lc_plan_action action);
/* What references to an instance give that is not planned. */
lc_marked lc_predict_stored_value(lc_planned_object *o);
/* Is there an object under a key that its block does not have, which stays? Its value then. */
bool lc_predict_orphan_stays(lc_marked *out, lc_predictor *r, lc_state_instance *h);
/* Objects of the instance that are deposed. */
void lc_predict_deposed(lc_planned_object *o);
/* False: an error was told. */
bool lc_predict_orphan(lc_predictor *r, lc_state_instance *h);
/* prevent_destroy. False: it is destroyed all the same; told. */
bool lc_predict_protect(lc_planned_object *o, const lc_run_change *c);

#endif
