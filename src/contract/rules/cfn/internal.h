/* What the rules about CloudFormation resource types share: walking an object together with its
 * shape, and emitting findings. For this folder, and for rules/plan.c. Types and shapes belong to
 * the schema. */
#ifndef LC_CONTRACT_RULES_CFN_INTERNAL_H
#define LC_CONTRACT_RULES_CFN_INTERNAL_H

#include "contract/judge.h"

#include "lifecheck/cloudformation/cloudformation.h"

/* A walk over an object together with its shape. The object may be of a provider's own schema, so
 * members are found by name, and values of another kind than their shape are skipped. */
typedef struct lc_cfn_visit lc_cfn_visit;
struct lc_cfn_visit {
    void *context;
    /* Called for each property of known objects; never NULL. False: the inside of the property is
     * not visited. `in_set` is true inside an element of a set, which has no counterpart in another
     * value. */
    bool (*property)(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *v,
                     const lc_trail *at);
    bool in_set;
};
/* Visit an object of the shape; nothing happens if it is not known. `at` is its trail, NULL for the
 * root. */
void lc_cfn_visit_object(lc_cfn_visit *visit, const lc_cfn_shape *object, const lc_value *v,
                         const lc_trail *at);

/* The CloudFormation type of the run's schema, if that is of a resource; else NULL. */
const lc_cfn_type *lc_cfn_of(const lc_judge *j);
/* The property at a path of an object, with indices and keys skipped; or NULL. */
const lc_cfn_property *lc_cfn_property_at(const lc_cfn_type *type, lc_path path);
/* Does `is` hold for the property, or for one that contains it? */
bool lc_cfn_above(const lc_cfn_property *p, bool (*is)(const lc_cfn_property *p));

/* The identifier of an object of the type, in `arena`. False: it cannot be computed. */
bool lc_cfn_identifier(lc_str *out, lc_arena *arena, const lc_cfn_type *type,
                       const lc_value *object);

/* What findings about one field share: the call's result, or the configuration. */
typedef struct lc_cfn_report {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field;
    lc_column promised_by, broken_by;
} lc_cfn_report;
/* Add a finding at `at`, with a printf format as message. Valid until the next finding is added. */
lc_finding *lc_cfn_emit(const lc_cfn_report *s, lc_rule rule, const lc_trail *at,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The parts of the family; each judges the run of `j->view`. */
void lc_judge_cfn_config(lc_judge *j, const lc_cfn_type *type);
void lc_judge_cfn_plan(lc_judge *j, const lc_cfn_type *type);
void lc_judge_cfn_state(lc_judge *j, const lc_cfn_type *type);
void lc_judge_cfn_documents(lc_judge *j, const lc_cfn_type *type);

#endif
