/* A recorded file as the configuration that a client reads from it. */
#ifndef LC_S_VECTORS_FILES_H
#define LC_S_VECTORS_FILES_H

#include "lifecheck/base/json.h"
#include "lifecheck/configuration/configuration.h"

/* Reads `text`, the only file of a module, with the name. */
void vectors_file_read(lc_configuration *out, lc_arena *arena, lc_profile profile, const char *name,
                       lc_str text);
/* Did the client refuse it? */
bool vectors_file_refused(const lc_configuration *config);
/* Writes `"error":[...]`, unless there are none; `sorted` by place and summary, else in the order
 * in which the client finds them. */
void vectors_file_errors(lc_json *w, lc_arena *arena, const lc_configuration *config, bool sorted);

#endif
