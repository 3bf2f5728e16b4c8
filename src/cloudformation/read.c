/* Reads a resource type schema: its root, and the order in which everything is derived. */
#include "cloudformation/internal.h"
#include "lifecheck/base/arena.h"

/* Indexes the members of a group by their JSON pointer, as targets of $ref. */
static void index_group(lc_cfn_reader *r, const char *key)
{
    const lc_node *group = lc_node_given(r->root, key);
    if (group && group->kind != LC_NODE_MAPPING)
        lc_cfn_report_problem(r, LC_CFN_FAULT_INPUT, true, group->where, NULL,
                              "\"%s\" takes an object, not %s", key, lc_node_kind_name(group));
    if (!group || group->kind != LC_NODE_MAPPING)
        return;
    for (uint32_t i = 0; i < group->count; i++) {
        const lc_member *m = &group->as.members[i];
        lc_table_put(&r->definitions, lc_str_printf(r->arena, "/%s/%.*s", key, LC_FMT(m->key)),
                     (void *)(uintptr_t)m);
    }
}

/* Notes why no schema is derived; the first reason is kept. */
static void suppress(lc_cfn_reader *r, lc_str why)
{
    if (r->type->suppressed.len == 0)
        r->type->suppressed = why;
}

static void input_problem(lc_cfn_reader *r, const lc_node *at, lc_str why)
{
    lc_cfn_report_problem(r, LC_CFN_FAULT_INPUT, true, at->where, NULL, "%.*s", LC_FMT(why));
    suppress(r, why);
}

/* The caller may override the type's name with a CloudFormation name (it has "::") or with a
 * Terraform name. */
static void read_names(lc_cfn_reader *r, lc_str given)
{
    lc_cfn_type *t = r->type;
    bool terraform = given.len > 0;
    for (size_t i = 0; i + 1 < given.len; i++)
        terraform = terraform && !(given.ptr[i] == ':' && given.ptr[i + 1] == ':');
    t->name = given.len && !terraform ? given : lc_node_text(r->root, "typeName");
    t->terraform_name = LC_STR_EMPTY;
    const lc_node *at = lc_node_given(r->root, "typeName");
    if (t->name.len == 0)
        input_problem(r, at ? at : r->root,
                      LC_STR("a type schema has a \"typeName\" such as AWS::EC2::Instance; `aws "
                             "cloudformation describe-type` prints one as its Schema"));
    else if (!lc_cfn_type_name(&t->terraform_name, r->arena, t->name))
        input_problem(r, at ? at : r->root,
                      LC_STR("a type name is three parts of 2 to 64 letters and digits with \"::\" "
                             "between them"));
    if (terraform)
        t->terraform_name = given;
}

/* ---- The plural data source. */

/* Does the schema of a list handler require arguments? */
static bool demands_something(const lc_node *schema)
{
    static const char *const keys[] = {"required", "allOf", "anyOf", "oneOf"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const lc_node *node = lc_node_get(schema, keys[i]);
        if (node && node->kind == LC_NODE_SEQUENCE && node->count)
            return true;
    }
    return false;
}

/* A list handler with required arguments cannot become a data source without arguments. The
 * documentation's profile assumes a list handler if the type does not list its handlers. */
static lc_str why_no_plural(lc_cfn_reader *r)
{
    const lc_node *handlers = lc_node_given(r->root, "handlers");
    bool known = lc_node_is(handlers, LC_NODE_MAPPING);
    const lc_node *list = lc_node_get(handlers, "list");
    if (!known && r->type->profile == LC_CFN_DOCUMENT)
        return LC_STR_EMPTY;
    if (!list)
        return LC_STR("the type has no list handler");
    const lc_node *schema = lc_node_get(list, "handlerSchema");
    if (lc_node_is(schema, LC_NODE_MAPPING) && demands_something(schema))
        return LC_STR("its list handler needs arguments");
    return LC_STR_EMPTY;
}

static void name_plural(lc_cfn_reader *r)
{
    lc_cfn_type *t = r->type;
    lc_str plural = lc_cfn_plural_name(r->arena, t->terraform_name);
    t->no_plural = why_no_plural(r);
    if (t->no_plural.len == 0 && lc_str_eq(plural, t->terraform_name))
        t->no_plural = LC_STR("the plural of its name is the name itself");
    t->plural_name = t->no_plural.len ? LC_STR_EMPTY : plural;
}

/* ---- Deriving. */

/* Reports definitions that no property refers to, because their properties do not become
 * attributes. */
static void report_unused(lc_cfn_reader *r)
{
    const lc_node *group = lc_node_given(r->root, "definitions");
    const lc_cfn_place *place = lc_cfn_reader_place(r, NULL, LC_STR("definitions"));
    for (uint32_t i = 0; i < lc_node_member_count(group); i++) {
        const lc_member *m = &group->as.members[i];
        lc_str pointer = lc_str_printf(r->arena, "/definitions/%.*s", LC_FMT(m->key));
        if (!lc_table_get(&r->used, pointer))
            lc_cfn_report_problem(r, LC_CFN_FAULT_NOTE, false, m->where,
                                  lc_cfn_reader_place(r, place, m->key),
                                  "no property leads to definition %.*s", LC_FMT(m->key));
    }
}

/* The generator gives up at the first error and derives nothing. Recursive definitions are found
 * before everything else, so they come first; among others the first error counts. */
static void give_up(lc_cfn_reader *r)
{
    const lc_cfn_problem *first = NULL;
    for (size_t i = 0; i < r->type->problems.count; i++) {
        const lc_cfn_problem *p = &r->type->problems.items[i];
        if (p->error && (!first || (p->fault == LC_CFN_FAULT_RECURSIVE &&
                                    first->fault != LC_CFN_FAULT_RECURSIVE)))
            first = p;
    }
    suppress(r, first ? first->message : LC_STR("the schema cannot be used"));
}

/* The order matters: names and shapes first, then the pointers that mark properties, then the flags
 * that depend on the marks, and the schemas at the end. */
static lc_status derive(lc_cfn_reader *r, lc_str type_name)
{
    const lc_node *properties = lc_node_given(r->root, "properties");
    lc_cfn_type *t = r->type;
    index_group(r, "definitions");
    index_group(r, "properties");
    read_names(r, type_name);
    t->description = lc_node_text(r->root, "description");
    if (!properties)
        input_problem(r, r->root, LC_STR("a type schema has \"properties\""));
    const lc_cfn_view *root = lc_cfn_look(r, r->root, NULL);
    if (root->broken.len)
        input_problem(r, r->root, root->broken);
    t->root = lc_cfn_read_shape(r, root);
    if (r->too_many) {
        lc_diag_error(r->diags, lc_cfn_loc(r, r->root->where),
                      "the type has more than %d properties after its definitions are inserted",
                      LC_MAX_CFN_ATTRIBUTES);
        return LC_ELIMIT;
    }
    t->name_count = r->names.count + (lc_table_get(&r->names, LC_STR("id")) == NULL);
    lc_cfn_pointers(r);
    lc_cfn_flags(r);
    name_plural(r);
    report_unused(r);
    if (t->errors && t->profile == LC_CFN_AWSCC)
        give_up(r);
    if (t->suppressed.len == 0)
        lc_cfn_schemas(r);
    return LC_OK;
}

static void init_tables(lc_cfn_reader *r)
{
    lc_table *const tables[] = {&r->definitions, &r->used,   &r->views,   &r->names,
                                &r->back,        &r->folded, &r->patterns};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        lc_table_init(tables[i], r->arena);
}

static lc_cfn_reader *new_reader(lc_arena *arena, lc_str file, lc_cfn_profile profile,
                                 lc_diags *diags)
{
    lc_cfn_reader *r = LC_NEW(arena, lc_cfn_reader);
    lc_cfn_type *type = LC_NEW(arena, lc_cfn_type);
    r->arena = arena;
    r->type = type;
    r->diags = diags;
    type->profile = profile;
    type->file = lc_str_copy(arena, file);
    type->name = type->description = type->terraform_name = LC_STR_EMPTY;
    type->plural_name = type->no_plural = type->suppressed = LC_STR_EMPTY;
    init_tables(r);
    return r;
}

static lc_status read_root(const lc_cfn_type **out, lc_cfn_reader *r, const lc_node *root,
                           lc_str type_name)
{
    r->root = r->type->node = root;
    if (root->kind != LC_NODE_MAPPING) {
        lc_diag_error(r->diags, lc_cfn_loc(r, root->where),
                      "a resource type schema is an object, not %s", lc_node_kind_name(root));
        return LC_EINPUT;
    }
    lc_status status = derive(r, type_name);
    if (status == LC_OK)
        *out = r->type;
    return status;
}

lc_status lc_cfn_read(const lc_cfn_type **out, lc_arena *arena, lc_str file, lc_str text,
                      lc_str type_name, lc_cfn_profile profile, const lc_limits *limits,
                      lc_diags *diags)
{
    lc_cfn_reader *r = new_reader(arena, file, profile, diags);
    if (lc_str_starts_with(text, LC_STR("\xEF\xBB\xBF")))
        text = lc_str_sub(text, 3, text.len);
    lc_text_places_init(&r->places, arena, r->type->file, text);
    lc_status status = lc_json_parse_last(&r->source, arena, r->type->file, text, limits, diags);
    return status == LC_OK ? read_root(out, r, &r->source.documents[0], type_name) : status;
}

/* For a type inside another document, where positions come from that document. */
bool lc_cfn_read_node(const lc_cfn_type **out, lc_arena *arena, const lc_source *source,
                      const lc_node *node, lc_cfn_profile profile, lc_diags *diags)
{
    lc_cfn_reader *r = new_reader(arena, source->file, profile, diags);
    r->lines = lc_lines_new(arena, source);
    return read_root(out, r, node, LC_STR_EMPTY) == LC_OK;
}
