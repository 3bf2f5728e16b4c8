/* Family schema: the problems that lc_schema_validate has found, as findings. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

static const lc_rule rule_of[LC_FAULT_COUNT] = {
    [LC_FAULT_PROVIDER_MISSING] = LC_RULE_SCHEMA_PROVIDER_MISSING,
    [LC_FAULT_NEGATIVE_VERSION] = LC_RULE_SCHEMA_NEGATIVE_VERSION,
    [LC_FAULT_ATTR_NO_FLAG] = LC_RULE_SCHEMA_ATTR_NO_FLAG,
    [LC_FAULT_ATTR_OPTIONAL_REQUIRED] = LC_RULE_SCHEMA_ATTR_OPTIONAL_REQUIRED,
    [LC_FAULT_ATTR_COMPUTED_REQUIRED] = LC_RULE_SCHEMA_ATTR_COMPUTED_REQUIRED,
    [LC_FAULT_ATTR_NO_TYPE] = LC_RULE_SCHEMA_ATTR_NO_TYPE,
    [LC_FAULT_ATTR_TWO_TYPES] = LC_RULE_SCHEMA_ATTR_TWO_TYPES,
    [LC_FAULT_ATTR_TYPE_JSON] = LC_RULE_SCHEMA_ATTR_TYPE_JSON,
    [LC_FAULT_NESTING_INVALID] = LC_RULE_SCHEMA_NESTING_INVALID,
    [LC_FAULT_SET_DYNAMIC] = LC_RULE_SCHEMA_SET_DYNAMIC,
    [LC_FAULT_SET_WRITEONLY] = LC_RULE_SCHEMA_SET_WRITEONLY,
    [LC_FAULT_BLOCK_NAME_COLLISION] = LC_RULE_SCHEMA_BLOCK_NAME_COLLISION,
    [LC_FAULT_BLOCK_NAME] = LC_RULE_SCHEMA_BLOCK_NAME,
    [LC_FAULT_ATTR_NAME] = LC_RULE_SCHEMA_ATTR_NAME,
    [LC_FAULT_ITEMS_NEGATIVE] = LC_RULE_SCHEMA_ITEMS_NEGATIVE,
    [LC_FAULT_SINGLE_ITEMS] = LC_RULE_SCHEMA_SINGLE_ITEMS,
    [LC_FAULT_GROUP_ITEMS] = LC_RULE_SCHEMA_GROUP_ITEMS,
    [LC_FAULT_LIST_SET_ITEMS] = LC_RULE_SCHEMA_LIST_SET_ITEMS,
    [LC_FAULT_MAP_ITEMS] = LC_RULE_SCHEMA_MAP_ITEMS,
    [LC_FAULT_COMPUTED_BLOCK_CHILDREN] = LC_RULE_SCHEMA_COMPUTED_BLOCK_CHILDREN,
    [LC_FAULT_COMPUTED_BLOCK_GROUP] = LC_RULE_SCHEMA_COMPUTED_BLOCK_GROUP,
    [LC_FAULT_COMPUTED_BLOCK_MIN] = LC_RULE_SCHEMA_COMPUTED_BLOCK_MIN,
    [LC_FAULT_DEPRECATION_MESSAGE] = LC_RULE_SCHEMA_DEPRECATION_MESSAGE,
    [LC_FAULT_NESTED_OBJECT_ITEMS] = LC_RULE_SCHEMA_NESTED_OBJECT_ITEMS,
    [LC_FAULT_DUPLICATE_NAME] = LC_RULE_SCHEMA_DUPLICATE_NAME,
    [LC_FAULT_RESERVED_ROOT_NAME] = LC_RULE_SCHEMA_RESERVED_ROOT_NAME,
    [LC_FAULT_WRITEONLY_COMPUTED] = LC_RULE_SCHEMA_WRITEONLY_COMPUTED,
    [LC_FAULT_WRITEONLY_CHILDREN] = LC_RULE_SCHEMA_WRITEONLY_CHILDREN,
    [LC_FAULT_WRITEONLY_ELSEWHERE] = LC_RULE_SCHEMA_WRITEONLY_ELSEWHERE,
    [LC_FAULT_IDENTITY_FLAGS] = LC_RULE_IDENTITY_SCHEMA_FLAGS,
    [LC_FAULT_IDENTITY_TYPE] = LC_RULE_IDENTITY_SCHEMA_TYPE,
    [LC_FAULT_LIST_IDENTITY] = LC_RULE_LIST_IDENTITY_SCHEMA,
    [LC_FAULT_FUNCTION_TYPE] = LC_RULE_FUNCTION_SCHEMA_TYPE,
    [LC_FAULT_FUNCTION_NAME] = LC_RULE_FUNCTION_PARAM_NAME,
    [LC_FAULT_FUNCTION_DUPLICATE] = LC_RULE_FUNCTION_DUPLICATE_PARAM,
};

/* `wordless`: the core stops with an error whose text is not known. */
static void set_core_effect(lc_judge *j, lc_finding *f, lc_core core, lc_str text, bool crash,
                            bool wordless)
{
    lc_finding_effect(f, core,
                      crash                  ? LC_EFFECT_CRASH
                      : text.len || wordless ? LC_EFFECT_ERROR
                                             : LC_EFFECT_NONE);
    if (text.len)
        lc_finding_quote(j, f, 1u << core, LC_SUMMARY_INVALID_SCHEMA, text);
}

/* A provider may send computed blocks only to clients that have announced that they know them. */
static void unsupported_blocks(lc_judge *j, const lc_block *s, const lc_trail *at)
{
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        lc_trail trail = lc_trail_attr(at, b->name);
        if (b->computed)
            lc_emit_in_schema(j, LC_RULE_SCHEMA_COMPUTED_BLOCK_UNSUPPORTED,
                              lc_path_from_trail(j->scratch, &trail), b->loc,
                              LC_STR("a Computed block, but the client does not allow them"));
        unsupported_blocks(j, b->block, &trail);
    }
}

void lc_judge_schema(lc_judge *j)
{
    lc_schema_problems problems = {0};
    lc_schema_validate(&problems, j->scratch, j->view->schema);
    for (size_t i = 0; i < problems.count; i++) {
        const lc_schema_problem *p = &problems.items[i];
        lc_rule rule = rule_of[p->fault];
        lc_finding *f = lc_emit_in_schema(j, rule, p->path, p->loc, p->message);
        set_core_effect(j, f, LC_OPENTOFU, p->opentofu, p->opentofu_crash, false);
        set_core_effect(j, f, LC_TERRAFORM, p->terraform, p->terraform_crash, p->terraform_error);
    }
    if (j->view->run->capabilities.computed_blocks_allowed == LC_NO)
        unsupported_blocks(j, j->view->block, NULL);
}
