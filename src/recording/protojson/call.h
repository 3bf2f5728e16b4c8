/* What the readers of recorded messages share. */
#ifndef LC_PROTOJSON_CALL_H
#define LC_PROTOJSON_CALL_H

#include "lifecheck/recording/protojson.h"

/* A DynamicValue by its type. */
void lc_pj_dynamic(lc_field *out, const lc_pj_reader *reader, const lc_node *value,
                   const lc_type *type);
/* An identity whose schema is not known, with the type that its bytes have; absent if they have
 * none. */
void lc_pj_untyped_identity(lc_field *out, const lc_pj_reader *reader, const lc_node *data);
/* Adds a diagnostic to the call; an error makes it a failed one. Returns its severity. */
lc_provider_severity lc_pj_diagnostic(lc_call *call, const lc_pj_reader *reader,
                                      const lc_node *node);

#endif
