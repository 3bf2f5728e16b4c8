/* One object while its change is determined. Shared by object.c, decide.c and orphan.c. */
#ifndef LC_PREDICT_OBJECT_H
#define LC_PREDICT_OBJECT_H

#include "predict/internal.h"

typedef struct lc_planned_object {
    lc_predictor *r;
    /* For everything that is needed only until the change is recorded. */
    lc_arena *arena;
    const lc_graph_node *node;
    const lc_config_resource *config; /* NULL: no block declares it */
    const lc_repetition *instance;    /* NULL: not declared */
    lc_module_instance *module;       /* NULL: not declared */
    lc_address address;
    lc_str text;
    lc_state_instance *state_instance; /* NULL: nothing is stored */
    /* The stored object; NULL: none, or the refresh found it gone. */
    const lc_run_prior *prior;
    const lc_schema *schema; /* NULL: not known */
    /* Of its provider configuration, if providers are asked; or NULL. */
    const lc_run_settings *settings;
    /* Value of the stored object after refresh; NULL: not known, or none. */
    const lc_value *before;
    /* It may also be stored with other types, and then differs where this one does; or NULL. */
    const lc_value *other;
    lc_path_list sensitive;         /* sensitive paths of the stored object */
    bool gone;                      /* the refresh found no object */
    bool failed;                    /* an error was reported */
    const lc_import_target *import; /* NULL: not imported */
    bool requested;                 /* addressed by -replace */
    lc_trigger_result trigger;
    const lc_config_ref *trigger_by;
    const lc_undecided *undecided; /* why the action is open, or NULL */
    /* The configuration as an object of the schema; value NULL: not known. */
    lc_marked given;
    /* What the provider gets of it: without changes that are ignored. Value NULL: not known. */
    lc_marked sent;
    const lc_value *after; /* planned new state; NULL: not known */
    lc_str private_data;   /* planned private data */
    bool again;            /* a replace is planned a second time */
    lc_str answered_by;    /* the provider that planned it; or empty */
    lc_str open_because;   /* why it did not; or empty */
    bool assumed;          /* `after` is an assumption: no provider answered */
    /* requires_replace without the paths that do not differ */
    lc_path_list paths;
    /* For an open action: the likeliest, and LC_PLAN_BIT of all possible ones, with
     * LC_PLAN_DELETE_CREATE for any replace. 0: not judged. */
    lc_plan_action likely;
    unsigned possible;
    lc_learned_answer learned; /* what makes it likely */
    /* The likely no-op is one of values: the proposed new state is the prior state. */
    bool same;
    /* A no-op although the configuration differs from the prior state. */
    bool normalized;
} lc_planned_object;

/* Loads the stored object (`deposed` "" for the current one), then refreshes it with
 * ReadResource. */
void lc_predict_object_load(lc_planned_object *o, lc_str deposed);
void lc_predict_object_refresh(lc_planned_object *o, lc_str deposed);

/* The likely action of an object of which nothing is known. A plan is made because something
 * changes; otherwise most objects stay as they are. */
static inline lc_plan_action lc_predict_likely(const lc_predictor *pred)
{
    return pred->from_plan ? LC_PLAN_UPDATE : LC_PLAN_NOOP;
}

/* settle.c: the configuration if its undecided parts are as in the prior state. */
const lc_value *lc_predict_settle(lc_arena *arena, lc_marked given, const lc_value *prior,
                                  const lc_block *block);
/* Plain JSON does not show types: makes parts of the configuration undecided that look like those
 * of the prior state. */
void lc_predict_doubt_types(lc_planned_object *o);
/* The object without values of write-only attributes. */
const lc_value *lc_predict_without_write_only(lc_arena *arena, const lc_value *object,
                                              const lc_block *block);
/* Adds the sensitive places of the object, by marks, to the case. */
void lc_predict_note_secrets(lc_case *out, lc_planned_object *o);
/* configured.c: appends what the configuration sets otherwise than it is stored; nothing below
 * sensitive values is named. False: nothing. What is not set, or undecided, is not a difference. */
struct lc_cause_list;
bool lc_predict_configured(struct lc_cause_list *out, lc_marked config, lc_marked before,
                           const lc_block *block);
/* Null, or a zero value, which older SDKs do not distinguish from null. */
bool lc_predict_is_zero(const lc_value *v);
/* The proposed new state, with what is stored of each attribute and block that the configuration
 * does not set otherwise. */
const lc_value *lc_predict_kept(lc_arena *arena, lc_marked config, const lc_value *before,
                                const lc_value *proposed, const lc_block *block);
/* The sensitive paths of the stored object, without attributes that are sensitive by schema. */
void lc_predict_stored_sensitive(lc_path_list *out, lc_planned_object *o);
/* True if the schema leaves a provider no choice: it must plan this configuration. Source:
 * AssertPlanValid, which binds all but Computed attributes that are not configured. */
bool lc_predict_binds(const lc_value *config, const lc_block *block);

/* The value of references to an object whose planned state is not known: what no provider can plan
 * otherwise is known in it. False: nothing is. */
bool lc_predict_certain_parts(lc_marked *out, lc_planned_object *o, const lc_undecided *undecided);

/* The action by values alone: create, no-op, update, or LC_PLAN_DELETE_CREATE for any replace;
 * LC_PLAN_UNKNOWN: open. */
lc_plan_action lc_predict_decide(lc_planned_object *o);
/* The action that a replace becomes here (create first, forget), and the reason for the order. */
lc_plan_action lc_predict_replace_action(lc_planned_object *o, lc_why *order);

/* Whether an object is forgotten instead of destroyed. */
typedef struct lc_forgotten {
    bool forget;
    /* LC_PLAN_REASON_NONE: the reason is that of a delete */
    lc_plan_reason reason;
    lc_why why;
} lc_forgotten;
/* Is the object let go instead of destroyed? */
lc_forgotten lc_predict_forgotten(lc_planned_object *o, const lc_run_prior *prior);

/* Appends the change of the object, with everything but reason and why. */
lc_run_change *lc_predict_object_change(lc_planned_object *o, lc_str deposed,
                                        lc_plan_action action);
/* The value of references to an instance that is not planned in this run. */
lc_marked lc_predict_stored_value(lc_planned_object *o);
/* True if the instance has an object under a key that its block does not have, and this plan keeps
 * it; then *out is its value. */
bool lc_predict_orphan_stays(lc_marked *out, lc_predictor *pred, lc_state_instance *instance);
/* Plans the deposed objects of the instance. */
void lc_predict_deposed(lc_planned_object *o);
/* Plans an instance that is no longer declared. False: an error was reported. */
bool lc_predict_orphan(lc_predictor *pred, lc_state_instance *instance);
/* Checks prevent_destroy. False: the change destroys the object nevertheless; reported. */
bool lc_predict_protect(lc_planned_object *o, lc_run_change *c);

#endif
