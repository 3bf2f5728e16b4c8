/* What is kept of instances while their calls arrive. Only for the files of this folder.
 *
 * Calls own arenas (lc_recorded_call). A phase owns its calls, an instance its phases; both are on
 * the heap, so that finished ones can be freed before the recording ends. Marks and index entries
 * are in the arena of a call, and must be removed from their index before the arena is freed. */
#ifndef LC_RECORDING_INSTANCES_INTERNAL_H
#define LC_RECORDING_INSTANCES_INTERNAL_H

#include "lifecheck/recording/instances.h"
#include "recording/instances/upstream_causes.h"

#include "lifecheck/base/index.h"
#include "lifecheck/contract/contract.h"

typedef struct lc_object_type lc_object_type;
typedef struct lc_instance lc_instance;
typedef struct lc_phase lc_phase;

/* A key by which the next call about an object is recognised. In the arena of a call. */
typedef struct lc_expected {
    lc_index_entry entry; /* the item is the phase */
    struct lc_expected *next;
} lc_expected;

/* The calls of one process about one object. On the heap, owned by its instance. */
struct lc_phase {
    lc_object_type *type;
    lc_instance *instance; /* never NULL once the phase is in the list */
    uint64_t process, session;
    lc_str address;                   /* that the recording gives one of its calls; "": none */
    LC_VEC(lc_recorded_call *) calls; /* in order of arrival; on the heap */
    lc_recorded_call *generated;      /* a GenerateResourceConfig call for the import, or NULL */
    /* The first call of each kind, or NULL. */
    lc_call *upgrade, *import, *move, *read, *plan, *create, *destroy_plan, *apply, *destroy,
        *alone;
    /* The configuration of the plan, or of a call that has no plan, without write-only values. */
    const lc_value *config;
    /* The state that was upgraded, read by the schema; NULL: there is none, or it does not fit. */
    const lc_value *stored;
    const lc_value *state;  /* the object now, as it was returned; NULL: none, or not known */
    const lc_value *handed; /* the same as the client sends it in its next request */
    lc_expected *expected;
    lc_expected *returned;   /* the objects that the provider returned in it */
    lc_index_entry pending;  /* among the creates that no apply has carried out yet */
    size_t mask;             /* number of the mask that `pending` is indexed with */
    uint64_t first, last;    /* arrivals */
    uint64_t walked;         /* arrival of the last validation of a validate walk before the plan */
    uint64_t planned_before; /* the last session before this one in which its type was planned */
    lc_phase *continues;     /* the phase whose plan is applied, or planned again, here */
    lc_phase
        *astray; /* the phase that its first call should have continued, but it has other values */
    lc_phase *applied_by, *destroyed_by; /* the phases that continue this one */
    bool open_choice; /* several plans fit its apply, and none of them was chosen */
    bool apart;       /* it does not begin with the state that the phase before it ended with */
};

/* The last phases of an instance that are searched for the plan of an apply. */
#define LC_PHASES_COMPARED 512

/* One resource instance, data source, ephemeral resource or action. */
struct lc_instance {
    lc_object_type *type;
    uint64_t number;           /* in order of first calls */
    LC_VEC(lc_phase *) phases; /* in order of first calls; on the heap */
    struct lc_mark *marks;     /* the last one first */
    size_t mark_count;
    uint64_t touched;           /* arrival of its last call */
    char *name;                 /* on the heap; NULL: it has none yet */
    lc_str recorded_address;    /* address that the recording gives one of its calls, or "" */
    lc_str address;             /* "": not known */
    bool looked_up;             /* the address was looked up */
    size_t shown;               /* number of calls when it was last shown as unfinished */
    lc_instance *next, *before; /* of all */
};

/* What an instance is recognised by. */
typedef enum lc_mark_kind {
    LC_MARK_STATE, /* a state that it may be stored in, or that a phase began with */
    LC_MARK_IDENTITY,
    LC_MARK_CONFIG, /* of a data source, an ephemeral resource or an action */
} lc_mark_kind;

/* In the arena of a call. */
typedef struct lc_mark {
    lc_index_entry entry;  /* the item is the instance */
    const lc_phase *phase; /* that the call belongs to; the mark moves with it */
    lc_mark_kind kind;
    const lc_value *value;
    struct lc_mark *next;
} lc_mark;

/* A validation that no phase has taken yet. In the arena of its call. */
typedef struct lc_waiting {
    lc_index_entry entry;
    lc_recorded_call *call;
    bool walk;   /* of the validate walk, where references are still unknown */
    size_t mask; /* set while they are settled */
    struct lc_waiting *next, *before;
} lc_waiting;

/* Which attributes at the top of a configuration are not wholly known (a mask). */
typedef struct lc_known_attributes {
    unsigned char *open; /* by slot, 1: not wholly known; on the heap */
    size_t count;
} lc_known_attributes;

/* A client that plans again the creates that were not carried out does so in the same order. So of
 * equal ones the next belongs to an instance after the last one that was found. */
typedef struct lc_again {
    uint64_t session, hash;
    lc_instance *last; /* NULL: none was found yet */
} lc_again;

/* Remembers searches among waiting creates that found only creates of the same walk of the client.
 * Such a search is not repeated for an equal create of this walk, because all creates that are
 * added meanwhile belong to this walk, too. If there is no place for a search, it is repeated. */
#define LC_SEARCHES 16
typedef struct lc_fruitless {
    uint64_t hash[LC_SEARCHES], session[LC_SEARCHES]; /* by hash; session 0: none */
} lc_fruitless;

/* All instances of one type and kind of one provider. In the arena of lc_instances. */
struct lc_object_type {
    uint64_t number; /* from 1 */
    lc_str name;
    lc_schema_kind kind;
    lc_index expected;                 /* phases by what may come next */
    lc_index returned;                 /* phases by the objects that came back in them */
    lc_index known;                    /* instances by their marks */
    lc_index pending;                  /* phases that planned a create, by mask and what is known */
    LC_VEC(lc_known_attributes) masks; /* on the heap */
    lc_index waiting;                  /* validations by configuration */
    lc_again again;
    lc_fruitless no_again, no_create; /* of first_again and of find_create */
    lc_waiting *first, *last;
    size_t waiting_count;
    uint64_t validations;             /* all there were */
    lc_phase *upgraded;               /* the last phase that began with an upgrade, or NULL */
    uint64_t planned, planned_before; /* sessions in which it was planned last */
    uint64_t walked;                  /* arrival of the last validation in a validate walk */
    lc_object_type *namesake;         /* the first of this name, of any provider; counts for all: */
    uint64_t cases;                   /* instances that were named with a number */
    uint64_t left;                    /* instances that are there at the end */
    uint64_t open_choices;            /* applies that were not joined with a plan */
    lc_loc open_choice;               /* the first of them */
    lc_object_type *next;
};

/* A walk of a command in one process. */
typedef struct lc_command_walk {
    uint64_t process;
    uint64_t begun;                      /* arrival of its first call */
    uint64_t validates, others, applies; /* calls */
    bool configured;
    uint64_t configured_after; /* arrival of the last call of any process before that */
    uint64_t last;             /* arrival of its last call */
    uint64_t walk; /* which walk of the client: processes that run at the same time share one */
    bool settings_taken;      /* ConfigureProvider returned no error */
    uint32_t provider_config; /* a number for each configuration of a provider; 0: not known */
} lc_command_walk;

/* The address that a recording gives a call. */
typedef struct lc_recorded_address {
    lc_str address;
    bool several; /* it gives more than one */
} lc_recorded_address;

/* An object whose identity recorded calls have shown. */
typedef struct lc_identified {
    const lc_schema *schema;
    lc_known_object object; /* state NULL: it is gone */
} lc_identified;

/* All calls of one function of one provider, all its lists of one type, or all calls of one of its
 * state stores. In the arena of lc_instances. */
typedef struct lc_functions {
    lc_str name;
    const lc_schema *schema;
    LC_VEC(lc_recorded_call *) calls;
    lc_table seen; /* calls that were seen already */
    struct lc_functions *next;
} lc_functions;

struct lc_instances {
    lc_arena *arena;
    lc_str file;
    lc_diags *diags;
    lc_take_case take;
    void *context;
    lc_table types;     /* lc_object_type by provider, kind and name */
    lc_table namesakes; /* the first of them, by kind and name */
    lc_object_type *first_type, *last_type;
    lc_instance *first, *last;
    LC_VEC(lc_command_walk) sessions; /* by number, from 1; on the heap */
    lc_table provider_configs;        /* their numbers, by bytes */
    lc_table by_process;              /* the current session */
    uint64_t session;                 /* where the recording has no processes */
    uint64_t made, arrival;
    uint64_t last_arrival;
    uint64_t last_other;          /* arrival of the last call that is not a validation */
    bool complete;                /* no call is missing */
    bool given_early;             /* an instance was given before the end */
    size_t held, held_next;       /* bytes, and when to look for what can be given */
    uint64_t short_looks;         /* applies for which only the last plans were searched */
    uint64_t cut;                 /* instances that were given before they were complete */
    lc_upstream_causes *upstream; /* violations that changed configurations of other instances */
    const struct lc_log_findings *logged;
    struct lc_addresses *addresses; /* or NULL */
    lc_table functions;             /* lc_functions by provider and name */
    lc_functions *first_function, *last_function;
    size_t functions_held; /* bytes */
    uint64_t functions_dropped;
    LC_VEC(lc_identified) identified;
    lc_table addressed; /* calls to lc_recorded_address, by process and number */
    uint64_t torn;      /* instances with calls of several addresses */
    lc_loc torn_at;     /* the first of them */
    lc_so_far so_far;
};

/* ---- Values. */

/* The value of a field that was given, or NULL. */
const lc_value *lc_given(const lc_field *field);
bool lc_given_null(const lc_field *field);
bool lc_given_same(const lc_field *a, const lc_field *b);
/* Can `last` be what `first` became when unknowns became known? */
bool lc_may_become(const lc_value *first, const lc_value *last);

/* ---- phases.c */

/* The phase that the call continues; NULL: it begins one. Sets the exact kind of the call. */
lc_phase *lc_phase_find(lc_object_type *type, lc_recorded_call *call);
/* A new phase for a call, which lc_phase_add adds. */
lc_phase *lc_phase_new(lc_object_type *type, lc_recorded_call *call);
void lc_phase_add(lc_phase *phase, lc_recorded_call *call);
/* Adds a validation, which does not change what may follow. */
void lc_phase_add_validation(lc_phase *phase, lc_recorded_call *call);
/* The phase of the import that returned the object of a generated configuration, or NULL. */
lc_phase *lc_phase_imported(lc_object_type *type, const lc_recorded_call *call);
/* Frees the phase and its calls. */
void lc_phase_free(lc_instances *all, lc_phase *phase);
/* When all calls are there: phases that begin with an object, or an apply, that no call of their
 * process has led to are added to the instance of the phase that is nearest by its values. */
void lc_phases_settle(lc_instances *all);
/* The first plan of the object, with which the apply must agree: in a replace that of the create.
 * NULL: there is no such plan. */
lc_call *lc_phase_initial(const lc_phase *phase);
uint64_t lc_phase_arrival(const lc_phase *phase, const lc_call *call);

/* ---- instance_link.c */

/* Gives a new phase its instance, an existing one or a new one. */
void lc_instance_link(lc_instances *all, lc_phase *phase);
/* Call after each call that was added to a phase: updates the marks of its instance. */
void lc_instance_advance(lc_instances *all, lc_phase *phase);
void lc_instance_free(lc_instances *all, lc_instance *instance);
/* How many phases of the instance began before. */
size_t lc_phases_before(const lc_instance *instance, uint64_t arrival);
/* Moves all phases and marks of `from` to `to`, and frees `from`. */
void lc_instance_merge(lc_instances *all, lc_instance *to, lc_instance *from);
void lc_instance_move(lc_instances *all, lc_phase *phase, lc_instance *to);

/* ---- known_attributes.c */

/* The number of the mask that a configuration has; SIZE_MAX: it is not a known object. */
size_t lc_known_attributes_of(lc_object_type *type, const lc_value *config);
/* Hashes what is known under a mask. False: the configuration has other attributes, or is NULL. */
bool lc_known_attributes_project(uint64_t *out, const lc_object_type *type, size_t mask,
                                 const lc_value *config);

/* ---- plan_link.c */

/* A create, or an action, waits for what carries it out. */
void lc_plan_wait(lc_phase *phase, const lc_recorded_call *call);
/* So does an object that could not be created: it is planned again. */
void lc_plan_wait_again(lc_phase *phase);
/* Finds the plan that an apply, a destroy or an invoked action carries out. */
void lc_plan_carry_out(lc_instances *all, lc_phase *phase);
/* The instance whose create is planned again in this phase, or NULL. */
lc_instance *lc_plan_again(const lc_instances *all, lc_phase *phase);
/* Numbers the walks of the client, for lc_plan_settle. */
void lc_sessions_number(lc_instances *all);
/* At the end of the recording: joins final plans that were refused, and applies that several plans
 * fitted until others were joined. */
void lc_plan_settle(lc_instances *all, const lc_object_type *type);

/* ---- validations.c */

void lc_validation_add(lc_instances *all, lc_object_type *type, lc_recorded_call *call);
/* The validations of its configuration go to the phase. */
void lc_validations_take(lc_phase *phase);
/* A session begins: what was only validated since the last other call was the walk before it. */
void lc_validations_walked(lc_instances *all, uint64_t process);
/* Those with unknown references go to the one instance whose configuration they became. */
void lc_validations_settle(lc_instances *all, lc_object_type *type);
/* What is left: one case a type. */
void lc_validations_give(lc_instances *all, lc_object_type *type);

/* ---- instances.c */

/* Can calls with these addresses, or "", be about one object? */
static inline bool lc_may_be_one(lc_str a, lc_str b)
{
    return a.len == 0 || b.len == 0 || lc_str_eq(a, b);
}
/* The address that the recording gives a call; NULL: none. */
const lc_recorded_address *lc_recorded_address_of(const lc_instances *all, uint64_t process,
                                                  uint64_t seq);

/* The current session of a process; NULL: none has begun. */
const lc_command_walk *lc_current_session(const lc_instances *all, uint64_t process);

/* ---- functions.c */

/* The cases of all functions that were called; frees the calls. */
void lc_functions_give(lc_instances *all);

/* ---- lists.c */

/* Remembers the object that a call gave by its identity. */
void lc_lists_see(lc_instances *all, const lc_recorded_call *call);
/* Gives a ListResource call the objects of its type that were seen so far. */
void lc_lists_compare(const lc_instances *all, lc_recorded_call *call);

/* ---- instance_case.c */

void lc_instance_give(lc_instances *all, lc_instance *instance, bool open);
/* The requirements that the apply of this phase violated, for those that were configured with its
 * values. */
void lc_instance_remember(lc_instances *all, lc_phase *phase);
/* Addresses of all instances; those with the same one become one. */
void lc_instance_addresses(lc_instances *all);
/* A case of validations alone. */
void lc_instance_give_validations(lc_instances *all, lc_object_type *type,
                                  lc_recorded_call *const *calls, size_t count);
/* A case of the calls of a function. */
void lc_instance_give_functions(lc_instances *all, const lc_functions *functions);
/* Did only violations by other instances change the configuration from the one phase to the other?
 */
bool lc_instance_upstream_causes(lc_causes *out, lc_arena *arena, const lc_instances *all,
                                 const lc_phase *from, const lc_phase *to);

#endif
