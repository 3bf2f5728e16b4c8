/* Skipping containers of JSON quickly. Private to the module yaml_json. */
#ifndef LC_YAML_JSON_JSON_SKIP_H
#define LC_YAML_JSON_JSON_SKIP_H

#include "lifecheck/yaml_json/json_lexer.h"

/* Skips the container whose opening bracket is at l->at. Needs l->limits. False: it is not closed,
 * is nested too deeply, or something in it may be wrong; l->at is where it was. */
bool lc_json_skip_container(lc_json_lexer *l);

#endif
