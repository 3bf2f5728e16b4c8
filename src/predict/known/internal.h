/* Responses of the types that are known (lifecheck/predict/predict.h), and objects of them
 * attribute by attribute. */
#ifndef LC_PREDICT_KNOWN_INTERNAL_H
#define LC_PREDICT_KNOWN_INTERNAL_H

#include "lifecheck/predict/predict.h"

/* The attributes of an object being changed; the slots are those of the schema. */
typedef struct lc_known_edit {
    lc_arena *arena;
    const lc_schema *schema;
    lc_value *elems;
} lc_known_edit;

/* A copy of the object's attributes. */
lc_known_edit lc_known_edit_of(lc_arena *arena, const lc_schema *schema, const lc_value *object);
/* The value of an attribute that the schema has. */
lc_value *lc_known_slot(lc_known_edit *e, const char *name);
const lc_value *lc_known_attribute(const lc_value *object, const char *name);
/* The object with the changed attributes. */
const lc_value *lc_known_done(lc_known_edit *e);
/* Adds an attribute to the paths that require a replace. */
void lc_known_replace_for(lc_run_question *ask, const char *name);

/* Each answers a question whose schema has the attributes of the type. */
void lc_known_plan_terraform_data(lc_run_question *ask);
void lc_known_import_terraform_data(lc_run_question *ask);
void lc_known_plan_null_resource(lc_run_question *ask);
void lc_known_import_null_resource(lc_run_question *ask);
void lc_known_read_remote_state(lc_run_question *ask, const lc_files *files);
/* The object of a null_resource as terraform_data. */
const lc_value *lc_known_from_null_resource(lc_arena *arena, const lc_schema *schema,
                                            const lc_value *object);

#endif
