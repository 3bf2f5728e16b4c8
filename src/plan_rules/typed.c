/* Entries of a plan against the schema of their type, if it is known in the same version. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/plain_json.h"

/* ---- Which schema. */

/* The schema version of the entry, from the first part of the plan that has it. */
static bool same_version(lc_plan_rules *r, const lc_plan_change *c, const lc_schema *schema)
{
    const lc_node *node = c->planned ? c->planned->node : c->block ? c->block->node : NULL;
    const lc_node *version = lc_node_given(node       ? node
                                           : c->prior ? c->prior->node
                                                      : NULL,
                                           "schema_version");
    lc_num n;
    int64_t number;
    return version && version->kind == LC_NODE_NUMBER &&
           lc_num_from_text(&n, r->scratch, version->as.text, 40) == LC_NUM_OK &&
           lc_num_to_int64(n, &number) && number == schema->version;
}

static const lc_schema *schema_of(lc_plan_rules *r, const lc_plan_change *c)
{
    lc_schema_kind kind = lc_str_is(c->mode, "data") ? LC_KIND_DATA : LC_KIND_RESOURCE;
    const lc_schema *schema =
        r->facts->schema ? r->facts->schema(r->facts->schemas, kind, c->provider_name, c->type)
                         : NULL;
    return schema && same_version(r, c, schema) ? schema : NULL;
}

/* ---- The attributes of the object. */

/* The name of a schema attribute that is neither in the value nor unknown. */
static lc_str missing_name(lc_plan_rules *r, const lc_type *type, const lc_node *value,
                           const lc_node *unknown)
{
    lc_finder v = {.arena = r->scratch, .node = value}, u = {.arena = r->scratch, .node = unknown};
    for (size_t i = 0; i < type->count; i++) {
        lc_str name = type->as.attrs[i].name;
        if (!lc_finder_get(&v, name) && !lc_node_has_true(lc_finder_get(&u, name)))
            return name;
    }
    return LC_STR_EMPTY;
}

/* The name of a member that the schema does not have. */
static lc_str extra_name(const lc_block *block, const lc_node *value)
{
    for (uint32_t i = 0; i < value->count; i++) {
        lc_str name = value->as.members[i].key;
        if (!lc_block_attribute(block, name) && !lc_block_block(block, name))
            return name;
    }
    return LC_STR_EMPTY;
}

/* False: names are wrong, so values are not decoded. */
static bool check_names(lc_plan_rules *r, const lc_plan_change *c, const lc_schema *schema,
                        const lc_node *value, const lc_node *unknown, const char *side)
{
    if (value->kind != LC_NODE_MAPPING)
        return true;
    lc_str missing = missing_name(r, schema->block->implied, value, unknown);
    lc_str extra = extra_name(schema->block, value);
    const char *path = *side == 'b' ? ".change.before" : ".change.after";
    if (missing.len)
        lc_report_change(r, LC_RULE_RUN_ATTRIBUTE_SET, c, value, path,
                         "%.*s: the schema has \"%.*s\", which is neither known nor unknown %s it",
                         LC_FMT(c->address), LC_FMT(missing), side);
    else if (extra.len)
        lc_report_change(r, LC_RULE_RUN_ATTRIBUTE_SET, c, value, path,
                         "%.*s: the object %s it has \"%.*s\", which the schema does not have",
                         LC_FMT(c->address), side, LC_FMT(extra));
    return !missing.len && !extra.len;
}

/* ---- Its values. */

/* The reason of the decoder names types and paths, never values. */
static const lc_value *decode(lc_plan_rules *r, const lc_plan_change *c, const lc_schema *schema,
                              const lc_node *known, const lc_node *unknown, const char *side)
{
    lc_plain_json bare = {.arena = r->scratch, .limits = LC_LIMITS_DEFAULT};
    lc_value *value = LC_NEW(r->scratch, lc_value);
    if (lc_plain_json_value(value, &bare, schema->block->implied, known, unknown))
        return value;
    lc_report_change(r, LC_RULE_RUN_SCHEMA_TYPE, c, known ? known : c->change,
                     *side == 'b' ? ".change.before" : ".change.after",
                     "%.*s: the object %s it does not fit the schema: %.*s", LC_FMT(c->address),
                     side, LC_FMT(bare.why));
    return NULL;
}

/* A Computed attribute of the new object must not have the value of the old one. Only strings are
 * compared: numbers and bools are often equal by chance. */
static void check_kept(lc_plan_rules *r, const lc_plan_change *c, const lc_schema *schema,
                       const lc_value *before, const lc_value *after)
{
    for (size_t i = 0; i < schema->block->attribute_count; i++) {
        const lc_attribute *a = &schema->block->attributes[i];
        const lc_value *was = lc_value_attr(before, a->name), *is = lc_value_attr(after, a->name);
        if (!a->computed || a->optional || a->required || !was || !is || !lc_is_known(was) ||
            !lc_is_known(is) || was->type->kind != LC_TYPE_STRING || !was->as.string.len ||
            lc_value_equals(was, is) != LC_TRUE)
            continue;
        lc_report_change(r, LC_RULE_RUN_REPLACE_KEPT_COMPUTED, c, c->after,
                         lc_str_to_c(r->scratch, lc_str_printf(r->scratch, ".change.after.%.*s",
                                                               LC_FMT(a->name))),
                         "%.*s: the new object is planned with the \"%.*s\" of the old one",
                         LC_FMT(c->address), LC_FMT(a->name));
    }
}

/* The object after is only decoded if something of it is known or unknown. */
static void check_change(lc_plan_rules *r, const lc_plan_change *c, const lc_schema *schema)
{
    const lc_value *before = NULL, *after = NULL;
    bool partly = c->after || lc_node_has_true(c->after_unknown);
    if (c->before && check_names(r, c, schema, c->before, NULL, "before"))
        before = decode(r, c, schema, c->before, NULL, "before");
    if (partly && (!c->after || check_names(r, c, schema, c->after, c->after_unknown, "after")))
        after = decode(r, c, schema, c->after, c->after_unknown, "after");
    if (before && after && lc_is_known(before) && lc_is_known(after) &&
        lc_plan_action_replaces(c->action))
        check_kept(r, c, schema, before, after);
}

void lc_plan_rules_typed(lc_plan_rules *r)
{
    if (!r->facts->schema) {
        LC_PLAN_RULES_LACKS(r, LC_NEED_SCHEMAS, LC_RULE_RUN_ATTRIBUTE_SET, LC_RULE_RUN_SCHEMA_TYPE,
                            LC_RULE_RUN_REPLACE_KEPT_COMPUTED);
        return;
    }
    /* Values are decoded one entry at a time, because all together would be as large as the
     * plan. */
    lc_arena *whole = r->scratch;
    r->scratch = lc_arena_new();
    for (size_t i = 0; i < r->plan->changes.count; i++) {
        const lc_plan_change *c = &r->plan->changes.items[i];
        unsigned wrong = LC_WRONG_ACTION | LC_WRONG_BEFORE | LC_WRONG_AFTER | LC_WRONG_IDENTITY;
        const lc_schema *schema = *lc_wrong(r, c) & wrong ? NULL : schema_of(r, c);
        if (!schema)
            continue;
        LC_PLAN_RULES_CHECKS(r, LC_RULE_RUN_ATTRIBUTE_SET, LC_RULE_RUN_SCHEMA_TYPE,
                             LC_RULE_RUN_REPLACE_KEPT_COMPUTED);
        check_change(r, c, schema);
        lc_arena_reset(r->scratch);
    }
    lc_arena_free(r->scratch);
    r->scratch = whole;
}
