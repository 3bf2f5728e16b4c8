/* What the files of law 39 share. Inside module probe. */
#ifndef LC_PROBE_LAWS_NEWER_H
#define LC_PROBE_LAWS_NEWER_H

#include "probe/world.h"

/* Variants of the law; of functions there is one. LC_NEWER_LOWER + n: as LC_NEWER_UPGRADED, but the
 * object is one of a schema version that is n lower than that of the older version. */
enum {
    LC_NEWER_UPGRADED,
    LC_NEWER_VALIDATED,
    LC_NEWER_CREATED,
    LC_NEWER_DESTROYED,
    LC_NEWER_CHANGED,
    LC_NEWER_CONFIGURED, /* the provider itself */
    LC_NEWER_DATA,
    LC_NEWER_IMPORTED,
    LC_NEWER_IDENTIFIED, /* imported by its identity */
    LC_NEWER_IDENTITY,   /* the identity is upgraded */
    LC_NEWER_MOVED,
    LC_NEWER_APPLIED,
    LC_NEWER_LOWER,
};

/* A stored object of the older version. */
typedef struct lc_newer_stored {
    const lc_value *value;
    lc_str private_data;
    lc_raw_state raw;
    const lc_value *identity; /* NULL: none is known */
    const lc_value *read;     /* what reading it gives; NULL: it cannot be read */
} lc_newer_stored;

/* The same trial, whose calls do not become part of its case. */
static inline lc_trial lc_newer_outside(const lc_trial *trial)
{
    return (lc_trial){.exam = trial->exam, .spec = trial->spec, .arena = trial->arena};
}
/* The object of the trial, or a generated one. False: there is none; trial->why is set. */
bool lc_newer_find_stored(lc_trial *trial, lc_newer_stored *out);
/* What the newer version makes of the object, outside the case. NULL: nothing; trial->why is set.
 */
const lc_value *lc_newer_upgrade(lc_trial *trial, const lc_newer_stored *stored);
/* NULL: no client sends the configuration to the newer version. */
const lc_value *lc_newer_config(lc_trial *trial, const lc_value *config);

/* Without a service: what reading the object gives, which reading again gives too. Not in the case.
 * Leaves *stored as it is if the older version does not know. */
void lc_newer_read_stored(lc_trial *trial, lc_newer_stored *stored);
bool lc_newer_query_data(lc_trial *trial);
bool lc_newer_query_import(lc_trial *trial);
bool lc_newer_query_identity(lc_trial *trial);
bool lc_newer_query_move(lc_trial *trial);
/* Of both versions, with --apply: creates an object and destroys one. */
bool lc_newer_query_applied(lc_trial *trial);
/* Makes real objects of the subjects that have none, with the older version, and destroys them. */
void lc_newer_create_subjects(lc_examination *exam);
void lc_newer_destroy_subjects(lc_examination *exam);
/* Do both versions accept it? False: trial->why is set. */
bool lc_newer_accepts(lc_trial *trial, const lc_value *config, const lc_value *newer);
/* Finds the trials of imports, identities and moves for a subject. */
void lc_newer_try_reads(lc_examination *exam, const lc_trial_spec *spec);

#endif
