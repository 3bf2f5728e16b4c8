/* Asking a provider what a scenario gives, in the order of a client: what it answers becomes the
 * case that is judged. Applies what was planned if that is wanted, and destroys what was created.
 * Without processes of its own: the caller starts them. Module drive.
 *
 * Only the command drive includes this; who only looks at a provider includes client.h. */
#ifndef LIFECHECK_DRIVE_DRIVE_H
#define LIFECHECK_DRIVE_DRIVE_H

#include "lifecheck/drive/client.h"
#include "lifecheck/verdict/verdict.h"

/* An object that was created, or may have been, and could not be destroyed. */
typedef struct lc_left_object {
    lc_str resource, type;
    const lc_value *state; /* by `schema`; what is known of it */
    const lc_schema *schema;
    lc_str private_data;
    /* Of the configuration of the provider that it was created with; file "": none was given. */
    lc_loc settings_loc;
    bool certain; /* false: the provider did not say whether it was created */
} lc_left_object;

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
    /* Starts a process of the provider. False: it does not serve, which was told. `last`: it is
     * only to destroy, also after a signal. */
    bool (*begin)(void *context, lc_peer *out, bool last);
    /* Ends the process that was begun last. */
    void (*end)(void *context);
    /* Should nothing more be asked, but what is needed to destroy? */
    bool (*stopped)(void *context);
    /* As lc_client_options have it; NULL: not wanted. */
    void (*made)(void *context, const lc_live_call *call);
    void (*tell)(void *context, lc_live_weight weight, lc_str text);
    void (*left)(void *context, const lc_left_object *object);
    /* The next calls are about another object of this type. */
    void (*another)(void *context, const lc_schema *schema);
} lc_driver_options;

typedef struct lc_driver lc_driver;

/* Starts a process and asks it for schemas. It stays for validations. NULL: told or reported. */
lc_driver *lc_driver_open(lc_arena *arena, const lc_driver_options *options, lc_diags *diags);
/* For lc_schema_store.provided. */
const lc_schema *lc_driver_schema(void *driver, lc_schema_kind kind, lc_str type);

typedef enum lc_driven {
    LC_DRIVEN,         /* it answered as long as it was asked */
    LC_DRIVEN_BROKEN,  /* it died, hung or broke its word */
    LC_DRIVEN_NOTHING, /* nothing was asked: no process, or no configuration */
} lc_driven;
/* Asks what the scenario gives, which was read by the schemas of the provider. `out` gets the
 * scenario with what was answered, in `arena`; what is stated in `scenario` becomes what is
 * expected. */
lc_driven lc_driver_run(lc_driver *driver, lc_scenario *out, lc_arena *arena,
                        const lc_scenario *scenario, lc_diags *diags);
/* What would be asked, one line a call, without asking. */
void lc_driver_list(const lc_driver *driver, lc_buf *out, const lc_scenario *scenario);

#endif
