/* Since which versions of the clients a rule is checked: versions.def as data. Module catalog. */
#ifndef LIFECHECK_CATALOG_VERSIONS_H
#define LIFECHECK_CATALOG_VERSIONS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/catalog/rule.h"

#define LC_NEVER 255 /* no version of this client has the check */
/* The oldest version of Terraform whose proposed values are known: those of older ones are not
 * mirrored. */
#define LC_OLDEST_MIRRORED 4

/* The newest version whose checks are known, of either client. */
#define LC_NEWEST_MINOR 17

/* Versions of one client, 1.x as x. */
typedef struct lc_since {
    unsigned since; /* 0: always; LC_NEVER */
    unsigned until; /* the last one; 0: still */
} lc_since;

/* Reads the version in `terraform@1.5`, "1.5.7" or "1.17.0-dev" as 5 or 17. False, and 0: it is not
 * a version 1.x. */
bool lc_version_read(unsigned *minor, lc_str version);
/* False: both clients have always checked the rule in this call. LC_CALL_KIND_COUNT: in whatever
 * call. */
bool lc_versions_of(lc_since out[LC_CORE_COUNT], lc_rule rule, lc_call_kind call);
/* Does version 1.`minor` have the check? 0: the newest version. */
bool lc_version_checks(lc_rule rule, lc_call_kind call, lc_core core, unsigned minor);
/* Appends "since Terraform 1.8; OpenTofu: never". False: nothing, both always. */
bool lc_versions_add_words(lc_buf *out, lc_rule rule, lc_call_kind call);
/* All that is known of the rule: "read: since Terraform 1.8; OpenTofu: never", what old versions do
 * otherwise, and whether very old ones do not tolerate it. Nothing: all versions do the same. */
void lc_versions_add_all(lc_buf *out, lc_rule rule);

#endif
