/* Objects of a schema with generated values, written as YAML. */
#ifndef LC_SCENARIO_SCAFFOLD_INTERNAL_H
#define LC_SCENARIO_SCAFFOLD_INTERNAL_H

#include "lifecheck/scenario/scaffold.h"
#include "lifecheck/yaml_json/yaml_writer.h"

/* Whose object it is. */
typedef enum lc_stage {
    LC_STAGE_CONFIG,
    LC_STAGE_PLANNED,
    LC_STAGE_NEW, /* all is known */
} lc_stage;

/* Attributes and nested blocks of one object. */
typedef struct lc_members {
    const lc_attribute *attributes;
    size_t attribute_count;
    const lc_block_type *blocks;
    size_t block_count;
    const lc_attribute *subject; /* the attribute that changes, or NULL */
    bool changed;                /* with its second value */
} lc_members;

/* `key:` and below it the object, or `{}`. `first`: no other state has been written. */
void lc_scaffold_object(lc_yaml_writer *o, lc_stage stage, bool first, lc_str key,
                        lc_members members);
lc_members lc_scaffold_members(const lc_block *block);
/* The attribute whose change is easy to understand: best one that users have to set. NULL: none. */
const lc_attribute *lc_scaffold_subject(lc_members members);

#endif
