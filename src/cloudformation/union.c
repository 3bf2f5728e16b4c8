/* oneOf, anyOf and allOf. Where a schema has no properties of its own, the provider merges the
 * properties of all oneOf branches, and treats allOf in a similar way. It ignores all other
 * branches; properties in these are reported, so that nothing is lost silently. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"

#define MOST_NESTED 50 /* limit for unions inside unions */

/* ---- Properties that are ignored. */

/* A property that the schema has itself is not lost with the branch. */
static bool has_member(const lc_cfn_view *view, lc_str name)
{
    size_t low = 0, high = view->member_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = lc_str_cmp(view->members[middle].name, name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static void report_ignored(lc_cfn_reader *r, const lc_cfn_view *view, const lc_node *branch,
                           const lc_cfn_place *place, const char *keyword, unsigned depth);

static void report_ignored_list(lc_cfn_reader *r, const lc_cfn_view *view, const lc_node *list,
                                const lc_cfn_place *place, const char *keyword, unsigned depth)
{
    for (uint32_t i = 0; list && i < list->count; i++) {
        lc_str token = lc_str_printf(r->arena, "%u", i);
        report_ignored(r, view, &list->as.items[i], lc_cfn_reader_place(r, place, token), keyword,
                       depth);
    }
}

/* Reports all properties in a branch that is not derived, at any depth of unions. */
static void report_ignored(lc_cfn_reader *r, const lc_cfn_view *view, const lc_node *branch,
                           const lc_cfn_place *place, const char *keyword, unsigned depth)
{
    static const char *const unions[] = {"oneOf", "anyOf", "allOf"};
    const lc_node *properties = lc_node_get_kind(branch, "properties", LC_NODE_MAPPING);
    const lc_cfn_place *at =
        properties ? lc_cfn_reader_place(r, place, LC_STR("properties")) : place;
    for (uint32_t i = 0; properties && i < properties->count; i++) {
        const lc_member *m = &properties->as.members[i];
        if (!has_member(view, m->key))
            lc_cfn_report_problem(
                r, LC_CFN_FAULT_LEFT_OUT, false, m->where, lc_cfn_reader_place(r, at, m->key),
                "property %.*s is not derived: it is below %s, which is not read here",
                LC_FMT(m->key), keyword);
    }
    if (lc_node_get_kind(branch, "$ref", LC_NODE_STRING))
        lc_cfn_report_problem(r, LC_CFN_FAULT_NOTE, false, branch->where, place,
                              "a branch of %s that is a $ref is not followed", keyword);
    for (size_t i = 0; depth < MOST_NESTED && i < sizeof unions / sizeof *unions; i++) {
        const lc_node *list = lc_node_get_kind(branch, unions[i], LC_NODE_SEQUENCE);
        if (list)
            report_ignored_list(r, view, list,
                                lc_cfn_reader_place(r, place, lc_str_from_c(unions[i])), unions[i],
                                depth + 1);
    }
}

/* The conditional keywords (if, then, else, not), whose value is a schema, and dependencies, which
 * is a mapping of names to schemas. */
static void report_ignored_conditions(lc_cfn_reader *r, const lc_cfn_view *view)
{
    static const struct {
        lc_cfn_key key;
        const char *name;
    } single[] = {{CFN_IF, "if"}, {CFN_THEN, "then"}, {CFN_ELSE, "else"}, {CFN_NOT, "not"}};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        const lc_node *node = view->keys[single[i].key];
        if (node)
            report_ignored(r, view, node,
                           lc_cfn_reader_place(r, view->place, lc_str_from_c(single[i].name)),
                           single[i].name, 1);
    }
    const lc_node *dependencies = view->keys[CFN_DEPENDENCIES];
    if (!dependencies || dependencies->kind != LC_NODE_MAPPING)
        return;
    const lc_cfn_place *place = lc_cfn_reader_place(r, view->place, LC_STR("dependencies"));
    for (uint32_t i = 0; i < dependencies->count; i++)
        report_ignored(r, view, &dependencies->as.members[i].value,
                       lc_cfn_reader_place(r, place, dependencies->as.members[i].key),
                       "dependencies", 1);
}

static void report_ignored_union(lc_cfn_reader *r, const lc_cfn_view *view, lc_cfn_key key,
                                 const char *name)
{
    if (view->keys[key])
        report_ignored_list(r, view, view->keys[key],
                            lc_cfn_reader_place(r, view->place, lc_str_from_c(name)), name, 1);
}

/* ---- Merging members. */

/* Members by name. A later one replaces an earlier one of the same name. */
typedef struct members {
    lc_cfn_reader *reader;
    lc_table index; /* name to position, because items move when the list grows */
    LC_VEC(lc_cfn_shape_member) list;
} members;

typedef struct position {
    size_t index;
} position;

static void init_members(members *all, lc_cfn_reader *r)
{
    *all = (members){.reader = r};
    lc_table_init(&all->index, r->arena);
}

static void add_merged(members *all, lc_cfn_shape_member member)
{
    position *known = lc_table_get(&all->index, member.name);
    if (known) {
        all->list.items[known->index] = member;
        return;
    }
    known = LC_NEW(all->reader->arena, position);
    known->index = all->list.count;
    lc_table_put(&all->index, member.name, known);
    *LC_PUSH(all->reader->arena, &all->list, lc_cfn_shape_member) = member;
}

/* A schema with members is an object, regardless of its "type". */
static void set_members(members *all, lc_cfn_view *view)
{
    if (all->list.count == 0)
        return;
    lc_cfn_sort(all->list.items, all->list.count);
    view->members = all->list.items;
    view->member_count = all->list.count;
    view->type = CFN_OBJECT;
}

static void add_properties(members *all, const lc_node *branch, const lc_cfn_place *place)
{
    const lc_node *properties = lc_node_get_kind(branch, "properties", LC_NODE_MAPPING);
    if (!properties)
        return;
    lc_cfn_reader *r = all->reader;
    const lc_cfn_place *at = lc_cfn_reader_place(r, place, LC_STR("properties"));
    for (uint32_t i = 0; i < properties->count; i++) {
        const lc_member *m = &properties->as.members[i];
        add_merged(all, (lc_cfn_shape_member){m->key, m->where, &m->value,
                                              lc_cfn_reader_place(r, at, m->key)});
    }
}

static void add_branches(members *all, const lc_cfn_view *view, lc_cfn_key key, const char *name)
{
    lc_cfn_reader *r = all->reader;
    const lc_node *list = view->keys[key];
    const lc_cfn_place *place = lc_cfn_reader_place(r, view->place, lc_str_from_c(name));
    for (uint32_t i = 0; i < list->count; i++) {
        lc_str token = lc_str_printf(r->arena, "%u", i);
        add_properties(all, &list->as.items[i], lc_cfn_reader_place(r, place, token));
    }
}

/* Siblings of a $ref are ignored, unions included. allOf is not merged here but when it is
 * resolved, because its branches may be references. */
void lc_cfn_unite(lc_cfn_reader *r, lc_cfn_view *view)
{
    if (view->keys[CFN_REF])
        return;
    bool bare = view->member_count == 0 && !view->keys[CFN_PATTERN_PROPERTIES];
    if (bare && view->keys[CFN_ONE_OF]) {
        members all;
        init_members(&all, r);
        add_branches(&all, view, CFN_ONE_OF, "oneOf");
        set_members(&all, view);
    }
    report_ignored_union(r, view, CFN_ONE_OF, "oneOf");
    report_ignored_union(r, view, CFN_ANY_OF, "anyOf");
    if (view->member_count || view->keys[CFN_PATTERN_PROPERTIES])
        report_ignored_union(r, view, CFN_ALL_OF, "allOf");
    report_ignored_conditions(r, view);
}

/* ---- allOf. */

/* Adds the keywords of a branch: the first branch that has a keyword wins. */
static void merge(lc_cfn_view *whole, members *all, const lc_cfn_view *branch)
{
    for (int k = 0; k < CFN_KEYS; k++) {
        if (!whole->keys[k] && k != CFN_REF && k != CFN_ALL_OF && k != CFN_DEFAULT)
            whole->keys[k] = branch->keys[k];
    }
    if (whole->required == NULL && whole->keys[CFN_REQUIRED] == branch->keys[CFN_REQUIRED])
        whole->required = branch->required;
    if (whole->type == CFN_NONE) {
        whole->type = branch->type;
        whole->type_text = branch->type_text;
    }
    for (size_t i = 0; i < branch->member_count; i++)
        add_merged(all, branch->members[i]);
}

/* Remembers the definitions that a branch refers to, each once. */
static void remember_definitions(lc_cfn_reader *r, lc_cfn_view *whole, lc_table *seen,
                                 const lc_cfn_frame *frame)
{
    for (const lc_cfn_frame *f = frame; f; f = f->up) {
        if (!lc_table_put(seen, f->name, whole))
            *LC_PUSH(r->arena, &whole->passed, lc_str) = f->name;
    }
}

/* The documentation's rule: each branch is resolved and merged. False: `use` has the reason. */
static bool merge_branches(lc_cfn_reader *r, lc_cfn_view *whole, const lc_cfn_view *view,
                           lc_cfn_use *use)
{
    members all;
    lc_table seen;
    const lc_node *list = view->keys[CFN_ALL_OF];
    const lc_cfn_place *place = lc_cfn_reader_place(r, view->place, LC_STR("allOf"));
    init_members(&all, r);
    lc_table_init(&seen, r->arena);
    for (uint32_t i = 0; i < list->count; i++) {
        lc_str token = lc_str_printf(r->arena, "%u", i);
        lc_cfn_use branch =
            lc_cfn_resolve(r, &list->as.items[i], lc_cfn_reader_place(r, place, token), NULL);
        if (!branch.view) {
            lc_cfn_fail_use(use, branch.at, branch.fault, branch.broken);
            return false;
        }
        merge(whole, &all, branch.view);
        if (branch.default_node)
            whole->whole_default = branch.default_node;
        remember_definitions(r, whole, &seen, branch.frame);
    }
    set_members(&all, whole);
    return true;
}

/* The generator infers the type from the default's JSON. */
static lc_cfn_json_type type_of_default(const lc_node *node)
{
    switch ((lc_node_kind)node->kind) {
    case LC_NODE_BOOL:
        return CFN_BOOLEAN;
    case LC_NODE_NUMBER:
        return CFN_NUMBER;
    case LC_NODE_STRING:
        return CFN_STRING;
    case LC_NODE_SEQUENCE:
        return CFN_ARRAY;
    case LC_NODE_MAPPING:
    case LC_NODE_NULL:
        break;
    }
    return CFN_OBJECT;
}

/* The generator's rule: with a default, only the type of the default is used. Otherwise properties
 * are merged, unless a branch has a $ref, which the generator does not resolve: the result is then
 * an object without a schema. */
static void merge_as_provider(lc_cfn_reader *r, lc_cfn_view *whole, const lc_cfn_view *view)
{
    const lc_node *list = view->keys[CFN_ALL_OF];
    bool reference = false;
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_node *branch = &list->as.items[i];
        const lc_node *value = lc_node_given(branch, "default");
        reference = reference || lc_node_get_kind(branch, "$ref", LC_NODE_STRING);
        if (value)
            whole->whole_default = value;
    }
    if (whole->whole_default) {
        whole->type = type_of_default(whole->whole_default);
    } else if (!reference) {
        members all;
        init_members(&all, r);
        add_branches(&all, view, CFN_ALL_OF, "allOf");
        set_members(&all, whole);
    }
}

/* Merges once for each schema, and keeps failures too, because several schemas may refer to the
 * same one. */
static void merge_all_of(lc_cfn_reader *r, lc_cfn_view *view)
{
    lc_cfn_view *whole = LC_NEW(r->arena, lc_cfn_view);
    lc_cfn_use *failure = LC_NEW(r->arena, lc_cfn_use);
    *whole = *view;
    view->busy = true;
    r->unions++;
    bool ok = true;
    if (r->type->profile == LC_CFN_AWSCC) {
        merge_as_provider(r, whole, view);
    } else if (r->unions > MOST_NESTED) {
        lc_cfn_fail_use(failure, view, LC_CFN_FAULT_INPUT, LC_STR("allOf is nested too deeply"));
        ok = false;
    } else {
        ok = merge_branches(r, whole, view, failure);
    }
    r->unions--;
    view->busy = false;
    if (ok)
        view->whole = whole;
    else
        view->failure = failure;
}

const lc_cfn_view *lc_cfn_all_of(lc_cfn_reader *r, lc_cfn_view *view, lc_cfn_use *use)
{
    if (view->busy) {
        lc_cfn_fail_use(use, view, LC_CFN_FAULT_RECURSIVE,
                        LC_STR("allOf leads back to its own schema"));
        return NULL;
    }
    if (!view->whole && !view->failure)
        merge_all_of(r, view);
    if (view->failure) {
        lc_cfn_fail_use(use, view->failure->at, view->failure->fault, view->failure->broken);
        return NULL;
    }
    if (!use->default_node)
        use->default_node = view->whole->whole_default;
    return view->whole;
}
