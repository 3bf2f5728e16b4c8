/* Since which versions of the clients a rule is checked: versions.def as data. Module catalog. */
#ifndef LIFECHECK_CATALOG_VERSIONS_H
#define LIFECHECK_CATALOG_VERSIONS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/catalog/rule.h"

#define LC_NEVER 255 /* no version of this client has the check */
/* The first versions of Terraform that report an unknown nested attribute whose attributes are
 * Computed or unknown in the configuration, and a null block where the configuration is null as
 * well. */
#define LC_NESTED_UNKNOWN_SINCE 5
#define LC_BLOCK_NULL_SINCE     16

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
/* Does version 1.`minor` have the check, which these versions have? 0: the newest version. */
bool lc_since_has(const lc_since *since, unsigned minor);
/* Appends "since Terraform 1.8; OpenTofu: never" of these versions. */
void lc_since_add_words(lc_buf *out, const lc_since versions[LC_CORE_COUNT]);
/* All that is known of the rule: "read: since Terraform 1.8; OpenTofu: never", what old versions do
 * otherwise, whether very old ones do not tolerate it, and which client was seen to stop at a
 * violation. Nothing: all versions do the same. */
void lc_versions_add_all(lc_buf *out, lc_rule rule);

/* Appends what a version of Terraform does that its verdict here does not mirror, a sentence for
 * each line; nothing: all is mirrored. */
void lc_versions_add_not_mirrored(lc_buf *out, unsigned minor);

#endif
