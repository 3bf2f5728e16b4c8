/* The attribute name of each property. The provider has one map of names for all depths, in both
 * directions. Where two properties conflict in that map, the generator refuses the whole type,
 * although a map for each object would do. The documentation's profile therefore only reports such
 * conflicts. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"

typedef struct name_entry {
    lc_str name;
    const lc_cfn_property *parent; /* parent of the first property with the name */
} name_entry;

/* A cache: expanded definitions repeat the same names many times. */
static lc_str attribute_name(lc_cfn_reader *r, lc_str name)
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

/* ---- The map of names. */

static void report_conflict(lc_cfn_reader *r, const lc_cfn_property *p, lc_str message)
{
    lc_cfn_report_problem(r, LC_CFN_FAULT_FLAT_MAP, r->type->profile == LC_CFN_AWSCC, p->where,
                          p->place, "%.*s", LC_FMT(message));
}

static void enter_map(lc_cfn_reader *r, const lc_cfn_property *p)
{
    const name_entry *former = lc_table_get(&r->names, p->attribute);
    /* Two properties of one object are reported by drop_second of shape.c. */
    bool together = former && former->parent == p->parent && r->type->profile == LC_CFN_DOCUMENT;
    if (former && !lc_str_eq(former->name, p->name) && !together)
        report_conflict(r, p,
                        lc_str_printf(r->arena, "%.*s overwrites %.*s for Terraform attribute %.*s",
                                      LC_FMT(p->name), LC_FMT(former->name), LC_FMT(p->attribute)));
    const name_entry *back = lc_table_get(&r->back, p->name);
    if (back && !lc_str_eq(back->name, p->attribute))
        report_conflict(
            r, p,
            lc_str_printf(r->arena, "duplicate mapping: %.*s is attribute %.*s and attribute %.*s",
                          LC_FMT(p->name), LC_FMT(back->name), LC_FMT(p->attribute)));
    if (!former)
        remember(r, &r->names, p->attribute, p->name, p->parent);
    if (!back)
        remember(r, &r->back, p->name, p->attribute, p->parent);
}

/* ---- Names that are reserved at the root. */

/* The generator refuses some meta-arguments. It does not check "connection" and "provisioner",
 * which Terraform reserves too. */
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

/* Properties that would become `id` or `provider` get another name; false if that is taken. */
static bool rename_top(lc_cfn_reader *r, lc_cfn_property *p)
{
    lc_str other = lc_cfn_root_name(r->arena, p->attribute, r->type->terraform_name);
    if (lc_str_eq(other, p->attribute))
        return true;
    if (lc_table_get(&r->names, other)) {
        p->why_not = lc_str_printf(r->arena, "top-level property %.*s conflicts with %.*s",
                                   LC_FMT(other), LC_FMT(p->attribute));
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
    p->attribute = attribute_name(r, member->name);
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
