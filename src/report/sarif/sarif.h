/* Inside the SARIF report: which rules it declares. */
#ifndef LC_REPORT_SARIF_H
#define LC_REPORT_SARIF_H

#include "report/internal.h"

typedef struct lc_sarif_rule {
    lc_str id;
    uint64_t index; /* in driver.rules */
} lc_sarif_rule;
lc_sarif_rule lc_sarif_catalogue_rule(lc_rule rule);
lc_sarif_rule lc_sarif_lint_rule(lc_lint lint);
/* `kind` of an lc_expectation_failure. */
lc_sarif_rule lc_sarif_failure_rule(const char *kind);
const char *lc_sarif_level(lc_severity severity);
/* All rules, as member `rules` of the driver; `url` as in lc_report_options. */
void lc_sarif_add_rules(lc_doc *driver, lc_str url);

#endif
