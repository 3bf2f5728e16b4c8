/* Asking a provider what a scenario gives, in the order of a client: what it answers becomes the
 * case that is judged. Applies what was planned if that is required, and destroys what was created.
 * Without processes of its own: the caller starts them. Module drive.
 *
 * Only the command drive includes this; who only looks at a provider includes client.h. */
#ifndef LIFECHECK_DRIVE_DRIVE_H
#define LIFECHECK_DRIVE_DRIVE_H

#include "lifecheck/drive/changing.h"
#include "lifecheck/drive/client.h"
#include "lifecheck/verdict/verdict.h"

/* How scenarios are driven. Copied; what it points to is borrowed until lc_driver_close. Hooks get
 * `context` as their first argument. */
typedef struct lc_driver_options {
    lc_core as;     /* whose requests */
    lc_str version; /* as lc_client_options have it */
    lc_str address; /* of the provider */
    lc_limits limits;
    int64_t timeout_ms;
    bool apply; /* nothing is applied without */
    /* The provider's own configuration, where a scenario has none; NULL: none. */
    const lc_node *provider_config;
    const lc_source *provider_config_source;
    lc_rpc_schemas *schemas; /* of the provider, filled in by lc_driver_open */
    void *context;
    /* Starts a process of the provider. False: it does not serve, which was reported. `last`: it is
     * started only to destroy objects, also after a signal. */
    bool (*begin)(void *context, lc_peer *out, bool last);
    /* Ends the process that was begun last. */
    void (*end)(void *context);
    /* Must the driver stop? Then it makes only calls that destroy what it created. */
    bool (*stopped)(void *context);
    /* As lc_client_options have it; NULL: not needed. */
    void (*on_call)(void *context, const lc_live_call *call);
    void (*on_event)(void *context, lc_live_weight weight, lc_str text);
    void (*on_not_destroyed)(void *context, const lc_undestroyed_object *object);
    /* The next calls are about another object of this type. */
    void (*on_set_aside)(void *context, const lc_schema *schema);
} lc_driver_options;

typedef struct lc_driver lc_driver;

/* Starts a process and asks it for schemas. The process remains for validations. NULL: reported, by
 * the hook or in `diags`. */
lc_driver *lc_driver_open(lc_arena *arena, const lc_driver_options *options, lc_diags *diags);
/* For lc_schema_store.provided. */
const lc_schema *lc_driver_schema(void *driver, lc_schema_kind kind, lc_str type);

/* The result for one scenario, which does not depend on whether its case has findings. */
typedef enum lc_drive_result {
    LC_DRIVE_ANSWERED, /* it answered as long as it was asked */
    LC_DRIVE_BROKEN,   /* it exited, hung or sent an invalid answer */
    LC_DRIVE_NOTHING,  /* nothing was asked: no process, or no configuration */
} lc_drive_result;
/* Asks what the scenario gives, which was read by the schemas of the provider. `out` gets the
 * scenario with what was answered, in `arena`; what is stated in `scenario` becomes what is
 * expected. */
lc_drive_result lc_driver_run(lc_driver *driver, lc_scenario *out, lc_arena *arena,
                              const lc_scenario *scenario, lc_diags *diags);
/* What would be asked, one line a call, without asking. */
void lc_driver_list(const lc_driver *driver, lc_buf *out, const lc_scenario *scenario);

#endif
