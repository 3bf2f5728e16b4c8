/* A scenario that is being driven: what the files of the driver share. */
#ifndef LC_DRIVE_DRIVER_H
#define LC_DRIVE_DRIVER_H

#include "lifecheck/contract/contract.h"
#include "lifecheck/drive/changing.h"
#include "lifecheck/drive/drive.h"

struct lc_driver {
    lc_driver_options options;
    lc_arena *arena;
    lc_client *validator; /* in the process that was begun first, which is never configured */
    bool validator_died;  /* that process has ended, and another is needed */
};

/* The object of a scenario between two runs. */
typedef struct lc_object_life {
    lc_stored_object stored; /* state NULL: there is no object */
    bool ours;               /* this scenario has created it */
    bool unsure;             /* an apply was not answered: it may exist in another form, or not */
    const lc_value *tried;   /* what that apply was to make */
    /* The configuration of the provider that it was made with: nothing changes it with another, in
     * which its id may be that of a stranger's object. */
    const lc_value *settings;
    lc_loc settings_loc;
} lc_object_life;

typedef LC_VEC(lc_object_life) lc_object_lives;

/* A run that is being driven. */
typedef struct lc_turn {
    lc_driver *driver;
    lc_arena *arena;
    lc_diags *diags;
    const lc_run *in; /* as the scenario has it */
    const lc_driving *driving;
    const lc_case *subject; /* for messages */
    lc_run *out;
    const lc_schema *schema;
    lc_client *client; /* of the process that is open; NULL: none */
    lc_object_life *life;
    lc_object_lives *others;  /* that the scenario has created, and that are not `life` any more */
    const lc_value *settings; /* configuration of the provider in this run; NULL: not read yet */
    lc_loc settings_loc;      /* file "": no configuration was given */
    lc_str import_id;
    lc_stored_object prior; /* after the refresh */
    bool asks_read;         /* the prior state comes from the provider */
    const lc_call *plan;    /* its answer counts; copies, because calls move */
    const lc_call *create;  /* the second plan of a replace */
    lc_action action;
    bool failed;   /* a client would stop here */
    bool broken;   /* the provider did not answer */
    bool asked;    /* anything at all */
    bool refused;  /* the configuration of the provider was refused by ValidateProviderConfig or
                      ConfigureProvider */
    bool foreseen; /* the scenario expects the error that ended it */
    bool tolerant; /* an error is an answer as any other, and ends nothing */
    bool cleaning; /* the run destroys what was created, also after a signal */
    const lc_schema *list; /* of the list resource that was asked; NULL: none */
    const lc_value *list_config;
    const lc_call *reread;   /* what the read is expected to return; or NULL */
    const lc_call *function; /* what the function is expected to return; or NULL */
} lc_turn;

/* Begins a process for a walk. False: it cannot go on. */
bool lc_turn_open(lc_turn *turn, lc_client_walk walk);
/* Begins a process for a walk, and configures the provider there. False: it cannot go on. */
bool lc_turn_begin(lc_turn *turn, lc_client_walk walk);
void lc_turn_end(lc_turn *turn);
/* The place that findings about a call name. */
lc_loc lc_turn_loc(const lc_turn *turn, lc_call_kind kind);
/* A node of the scenario as a configuration by a schema. NULL: it cannot be read, reported. */
const lc_value *lc_turn_read_config(lc_turn *turn, const lc_node *node, const lc_source *source,
                                    const lc_schema *schema);
/* Adds a call that was made, of this kind, unless a signal ended it, and notes whether it failed.
 * Returns a copy that stays where it is. */
const lc_call *lc_turn_add(lc_turn *turn, const lc_call *call, lc_call_kind kind);
/* May the call be made: is it among the steps, and has nothing failed or stopped? */
bool lc_turn_may_call(const lc_turn *turn, lc_call_kind kind);
bool lc_turn_is_stopped(const lc_turn *turn);
void lc_turn_report(const lc_turn *turn, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The value of a field, or NULL. */
const lc_value *lc_turn_value(const lc_field *field);
bool lc_turn_is_null(const lc_value *value);

/* The phases. */
void lc_turn_validate(lc_turn *turn);
void lc_turn_plan(lc_turn *turn);
void lc_turn_functions(lc_turn *turn);
void lc_turn_action(lc_turn *turn, bool applies);
void lc_turn_store(lc_turn *turn, bool applies);
/* Lists the objects of the type; from then on the run is one of the managed type. */
void lc_turn_list(lc_turn *turn);
/* The identities that the list of the run has, wholly known, at most `most` of them. *more is how
 * many there are besides. */
size_t lc_turn_listed(const lc_turn *turn, const lc_value **out, size_t most, size_t *more);
/* Imports and reads the object of an identity, as a client does that found it in a list. `known`
 * gets what was read; its state is NULL if that failed. */
void lc_turn_read_listed(lc_turn *turn, const lc_value *identity, lc_known_object *known);
/* Lists with objects, which are compared with what is known. Nothing is done where the type has no
 * list, or one that needs a configuration that is not given. */
void lc_turn_list_known(lc_turn *turn, const lc_known_object *known, size_t count);
void lc_turn_apply(lc_turn *turn);
/* Upgrades the prior object, which a plan holds as it was refreshed, in the process that applies.
 * A change begins with the result, a destroy with what was planned. */
lc_stored_object lc_turn_upgrade_planned(lc_turn *turn);
/* One plan of a configuration; `kind` is the call's kind. The result is a copy that stays valid. */
const lc_call *lc_turn_ask_plan(lc_turn *turn, lc_call_kind kind, const lc_stored_object *prior,
                                const lc_value *config);
/* What a client would reject about a plan, which ends the run. */
bool lc_turn_plan_is_valid(lc_turn *turn, const lc_call *plan);

#endif
