/* Faults of a schema that no core checks: rules of the protocol's documentation, rules that the
 * SDKs enforce when a provider is built, and members that the cores ignore silently. */
#include "schema/internal.h"

/* A write-only value is never stored, so the provider cannot compute it, it cannot hold stored
 * parts, and it has no meaning outside of managed resources. */
static void check_write_only(lc_schema_checker *c, const lc_attribute *a, const lc_trail *at,
                             const lc_attribute *parent, bool within_computed)
{
    if (a->write_only && (a->computed || within_computed))
        lc_schema_report_problem(c, LC_FAULT_WRITEONLY_COMPUTED, at, a->loc,
                                 a->computed
                                     ? "a write-only attribute that is computed"
                                     : "a write-only attribute in a computed nested attribute");
    if (parent && parent->write_only && !a->write_only)
        lc_schema_report_problem(
            c, LC_FAULT_WRITEONLY_CHILDREN, at, a->loc,
            "an attribute that is not write-only in a write-only nested attribute");
    if (a->write_only && c->schema->kind != LC_KIND_RESOURCE)
        lc_schema_report_problem(c, LC_FAULT_WRITEONLY_ELSEWHERE, at, a->loc,
                                 "a write-only attribute of what is not a managed resource");
}

void lc_schema_check_attribute(lc_schema_checker *c, const lc_attribute *a, const lc_trail *at,
                               const lc_attribute *parent, bool within_computed)
{
    if (!lc_schema_is_plain_name(a->name))
        lc_schema_report_problem(
            c, LC_FAULT_ATTR_NAME, at, a->loc,
            "an attribute name of other than lowercase letters, digits and underscores");
    check_write_only(c, a, at, parent, within_computed);
    if (a->nested && a->nested->has_items)
        lc_schema_report_problem(c, LC_FAULT_NESTED_OBJECT_ITEMS, at, a->loc,
                                 "a nested attribute with item limits, which have no effect");
}

void lc_schema_check_duplicates(lc_schema_checker *c, const lc_block *block, const lc_trail *at,
                                lc_loc loc)
{
    for (size_t i = 0; i < block->duplicate_count; i++) {
        lc_trail trail = lc_trail_attr(at, block->duplicates[i]);
        lc_schema_report_problem(c, LC_FAULT_DUPLICATE_NAME, &trail, loc,
                                 "a name that is listed twice");
    }
}

/* Meta-arguments of the language: a configuration could never set an attribute of such a name. */
static bool is_reserved(lc_schema_kind kind, lc_str name)
{
    static const char *const of_provider[] = {"alias", "version", NULL};
    static const char *const of_resource[] = {"connection", "count",    "depends_on",  "for_each",
                                              "lifecycle",  "provider", "provisioner", NULL};
    const char *const *names = kind == LC_KIND_PROVIDER ? of_provider : of_resource;
    return (kind == LC_KIND_RESOURCE || kind == LC_KIND_DATA || kind == LC_KIND_PROVIDER) &&
           lc_str_is_one_of(name, names, NULL);
}

static void check_reserved(lc_schema_checker *c, lc_str name, lc_loc loc)
{
    lc_trail trail = lc_trail_attr(NULL, name);
    if (is_reserved(c->schema->kind, name))
        lc_schema_report_problem(c, LC_FAULT_RESERVED_ROOT_NAME, &trail, loc,
                                 "a root name that the language keeps for itself");
}

void lc_schema_check_root_names(lc_schema_checker *c)
{
    const lc_block *block = c->schema->block;
    for (size_t i = 0; i < block->attribute_count; i++)
        check_reserved(c, block->attributes[i].name, block->attributes[i].loc);
    for (size_t i = 0; i < block->block_count; i++)
        check_reserved(c, block->blocks[i].name, block->blocks[i].loc);
}
