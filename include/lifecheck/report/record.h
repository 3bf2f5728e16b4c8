/* JSON reports read back: judged cases as records. Module report.
 *
 * A record is a judged case without its values' types: what reports print of it is there, the
 * values, schemas and calls that it was judged by are not. */
#ifndef LIFECHECK_REPORT_RECORD_H
#define LIFECHECK_REPORT_RECORD_H

#include "lifecheck/report/report.h"
#include "lifecheck/yaml_json/node.h"

/* A JSON report that was read back. Borrows its text. */
typedef struct lc_records {
    lc_source source; /* of the report */
    lc_policy policy; /* it was judged by: as, strict, fail_on, select, ignore */
    const lc_node *cases, *errors;
    const lc_node *probe; /* about a provider that was asked; NULL: none was */
    bool sharded;         /* then `shard` is set */
    lc_shard shard;
} lc_records;

/* A natural number of a report that is read back; 0: there is none. `mapping` may be NULL. */
uint64_t lc_record_number(const lc_node *mapping, const char *key);
/* Does the text begin like a JSON report? */
bool lc_looks_like_report(lc_str text);
/* Read a report of --format json; its nodes and `text` live as long as `arena`. Another version of
 * the format, and rules that this version does not have, are errors. */
lc_status lc_records_read(lc_records *out, lc_arena *arena, lc_str file, lc_str text,
                          const lc_limits *limits, lc_diags *diags);
/* The number of judged cases. */
size_t lc_records_case_count(const lc_records *records);
/* Case number `at`, from 0, in `arena`. */
void lc_record_case(lc_judged *out, lc_arena *arena, const lc_records *records, size_t at);
/* The number of errors and warnings about inputs. */
size_t lc_records_error_count(const lc_records *records);
/* Error number `at`, from 0; its strings are borrowed from the records. */
lc_diag lc_record_error(const lc_records *records, size_t at);

#endif
