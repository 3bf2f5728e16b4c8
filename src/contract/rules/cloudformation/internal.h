/* What the rules about CloudFormation resource types share: walking an object beside its shape. */
#ifndef LC_CONTRACT_RULES_CLOUDFORMATION_INTERNAL_H
#define LC_CONTRACT_RULES_CLOUDFORMATION_INTERNAL_H

#include "contract/judge.h"

#include "lifecheck/cloudformation.h"

/* One walk. The object may be of a provider's own schema, so members are found by name, and what
 * is of another type than its shape is passed over. */
typedef struct lc_cfn_visit lc_cfn_visit;
struct lc_cfn_visit {
    void *context;
    /* Each property of known objects. `in_set`: below an element of a set, which has no place in
     * another value. False: what is below it is not visited. */
    bool (*property)(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *v,
                     const lc_trail *at);
    bool in_set;
};
void lc_cfn_visit_object(lc_cfn_visit *visit, const lc_cfn_shape *object, const lc_value *v,
                         const lc_trail *at);

/* The type of the run's schema if its rules are judged, else NULL. */
const lc_cfn_type *lc_cfn_of(const lc_judge *j);
/* The property at a path of an object, indices and keys passed over, or NULL. */
const lc_cfn_property *lc_cfn_property_at(const lc_cfn_type *type, lc_path path);
/* Is the property, or one that holds it, in the list that `is` asks for? */
bool lc_cfn_above(const lc_cfn_property *p, bool (*is)(const lc_cfn_property *p));

/* The identifier that an object of the type has. False: it cannot be told. */
bool lc_cfn_identifier(lc_str *out, lc_arena *arena, const lc_cfn_type *type,
                       const lc_value *object);

/* A finding about a place in a call's result, or in the configuration. */
typedef struct lc_cfn_report {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field;
    lc_column promised_by, broken_by;
} lc_cfn_report;
lc_finding *lc_cfn_emit(const lc_cfn_report *s, lc_rule rule, const lc_trail *at,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The parts of the family. */
void lc_judge_cfn_config(lc_judge *j, const lc_cfn_type *type);
void lc_judge_cfn_plan(lc_judge *j, const lc_cfn_type *type);
void lc_judge_cfn_state(lc_judge *j, const lc_cfn_type *type);
void lc_judge_cfn_documents(lc_judge *j, const lc_cfn_type *type);

#endif
