/* Which attribute a property becomes. The provider keeps one map for all depths, name to name and
 * back; what cannot be in it keeps the provider from having the type, while a map for each object
 * would do. So the document's profile tells and goes on. */
#include "cloudformation/internal.h"
#include "lifecheck/arena.h"

typedef struct name_entry {
    lc_str name;
    const lc_cfn_property *parent; /* of the first property of the name */
} name_entry;

static lc_str fold(lc_cfn_reader *r, lc_str name)
{
    name_entry *known = lc_table_get(&r->folded, name);
    if (!known) {
        known = LC_NEW(r->arena, name_entry);
        known->name = lc_cfn_attribute_name(r->arena, name);
        lc_table_put(&r->folded, name, known);
    }
    return known->name;
}

static void remember(lc_cfn_reader *r, lc_table *table, lc_str key, lc_str name,
                     const lc_cfn_property *parent)
{
    name_entry *entry = LC_NEW(r->arena, name_entry);
    *entry = (name_entry){name, parent};
    lc_table_put(table, key, entry);
}

/* ---- The one map. */

static void tell(lc_cfn_reader *r, const lc_cfn_property *p, lc_str message)
{
    lc_cfn_report_problem(r, LC_CFN_FAULT_FLAT_MAP, r->type->profile == LC_CFN_AWSCC, p->where,
                          p->place, "%.*s", LC_FMT(message));
}

static void enter_map(lc_cfn_reader *r, const lc_cfn_property *p)
{
    const name_entry *former = lc_table_get(&r->names, p->attribute);
    /* Two in one object are told where they lose their slot. */
    bool together = former && former->parent == p->parent && r->type->profile == LC_CFN_DOCUMENT;
    if (former && !lc_str_eq(former->name, p->name) && !together)
        tell(r, p,
             lc_str_printf(r->arena, "%.*s overwrites %.*s for Terraform attribute %.*s",
                           LC_FMT(p->name), LC_FMT(former->name), LC_FMT(p->attribute)));
    const name_entry *back = lc_table_get(&r->back, p->name);
    if (back && !lc_str_eq(back->name, p->attribute))
        tell(r, p,
             lc_str_printf(r->arena, "duplicate mapping: %.*s is attribute %.*s and attribute %.*s",
                           LC_FMT(p->name), LC_FMT(back->name), LC_FMT(p->attribute)));
    if (!former)
        remember(r, &r->names, p->attribute, p->name, p->parent);
    if (!back)
        remember(r, &r->back, p->name, p->attribute, p->parent);
}

/* ---- Names that the root has other uses for. */

/* The resource's part of awscc_ec2_flow_log is flow_log. */
static lc_str relative_name(lc_str terraform_name)
{
    size_t at = 0;
    for (int part = 0; part < 2; part++) {
        while (at < terraform_name.len && terraform_name.ptr[at] != '_')
            at++;
        at += at < terraform_name.len;
    }
    return lc_str_sub(terraform_name, at, terraform_name.len);
}

static void check_reserved(lc_cfn_reader *r, const lc_cfn_property *p)
{
    static const char *const refused[] = {"count", "depends_on", "for_each", "lifecycle", NULL};
    static const char *const doubtful[] = {"connection", "provisioner", NULL};
    if (lc_str_is_one_of(p->attribute, refused, NULL)) {
        lc_str message = lc_str_printf(
            r->arena, "top-level property %.*s conflicts with Terraform meta-argument: %.*s",
            LC_FMT(p->name), LC_FMT(p->attribute));
        lc_cfn_report_problem(r, LC_CFN_FAULT_RESERVED, true, p->where, p->place, "%.*s",
                              LC_FMT(message));
        if (r->type->suppressed.len == 0)
            r->type->suppressed = message;
    }
    if (lc_str_is_one_of(p->attribute, doubtful, NULL))
        lc_cfn_report_problem(r, LC_CFN_FAULT_NOTE, false, p->where, p->place,
                              "%.*s is a block of every resource; this is not checked",
                              LC_FMT(p->attribute));
}

/* `id` and `provider` get other names, if those are free. */
static bool rename_top(lc_cfn_reader *r, lc_cfn_property *p)
{
    bool id = lc_str_is(p->attribute, "id");
    if (!id && !lc_str_is(p->attribute, "provider"))
        return true;
    lc_str relative = relative_name(r->type->terraform_name);
    lc_str other =
        id ? lc_str_printf(r->arena, "%.*s_id", LC_FMT(relative)) : LC_STR("provider_name");
    if (lc_table_get(&r->names, other)) {
        p->why_not = lc_str_printf(r->arena, "top-level property %.*s conflicts with %s",
                                   LC_FMT(other), id ? "id" : "provider");
        lc_cfn_report_problem(r, LC_CFN_FAULT_FLAT_MAP, true, p->where, p->place, "%.*s",
                              LC_FMT(p->why_not));
        p->attribute = LC_STR_EMPTY;
        return false;
    }
    p->attribute = other;
    return true;
}

bool lc_cfn_give_name(lc_cfn_reader *r, lc_cfn_property *p, const lc_cfn_shape_member *member)
{
    p->attribute = fold(r, member->name);
    if (p->attribute.len == 0) {
        p->why_not = LC_STR("a property without a name");
        lc_cfn_report_problem(r, LC_CFN_FAULT_INPUT, true, p->where, p->place, "%.*s",
                              LC_FMT(p->why_not));
        return false;
    }
    if (!p->parent) {
        check_reserved(r, p);
        if (!rename_top(r, p))
            return false;
    }
    enter_map(r, p);
    return true;
}
