/* The blocks of one file, except resources and module calls (resource.c). */
#include "configuration/blocks.h"

#include "configuration/body.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/configuration/variable.h"

#include <string.h>

/* ---- Versions. */

/* The text of a version constraint; empty if it is null or none. `exact`: other types are not
 * converted to a string. */
static lc_str read_version(lc_config_reader *r, lc_config_value value, bool exact)
{
    size_t known = r->config->problems.count;
    const lc_value *text = NULL, *v = lc_config_constant(r, value);
    lc_str why;
    if (!v && !exact)
        return LC_STR_EMPTY;
    r->config->problems.count = known;
    if (v && lc_is_null(v) && !exact)
        return LC_STR_EMPTY;
    bool fits = v && lc_is_known(v) && (!exact || v->type->kind == LC_TYPE_STRING) &&
                lc_value_convert(&text, r->arena, v, &lc_type_string, &why);
    if (fits && lc_version_is_constraint(text->as.string))
        return text->as.string;
    lc_config_report(r, lc_config_value_place(value), LC_SUMMARY_VERSION_CONSTRAINT,
                     "this is not a version constraint");
    return LC_STR_EMPTY;
}

/* ---- terraform. */

static void read_source(lc_config_reader *r, lc_config_required *req, lc_config_value value)
{
    size_t known = r->config->problems.count;
    const lc_value *v = lc_config_constant(r, value);
    lc_source_pos place = lc_config_value_place(value);
    r->config->problems.count = known;
    if (!v || !lc_is_known(v) || v->type->kind != LC_TYPE_STRING) {
        lc_config_report(r, place, LC_SUMMARY_INVALID_SOURCE, "a string is required here");
        return;
    }
    const char *wrong = lc_provider_source_error(v->as.string);
    if (wrong)
        lc_config_report_name(r, place, wrong,
                              "%s is not in the form [HOST/][NAMESPACE/]TYPE, where namespace and "
                              "type have letters, digits and single dashes",
                              v->as.string);
    else
        req->source = v->as.string;
}

/* Names are checked with the other references to providers (module provider_config). */
static void read_aliases(lc_config_reader *r, lc_config_required *req, lc_config_value value)
{
    req->aliases_place = lc_config_value_place(value);
    lc_config_references(r, &req->aliases, value, true);
}

/* One member of an entry. False: the client reads no further. */
static bool read_requirement(lc_config_reader *r, lc_config_required *req, lc_config_value key,
                             lc_config_value value)
{
    const lc_value *name = lc_config_constant(r, key);
    bool text = name && lc_is_known(name) && name->type->kind == LC_TYPE_STRING;
    if (text && lc_str_is(name->as.string, "source"))
        read_source(r, req, value);
    else if (text && lc_str_is(name->as.string, "version"))
        req->version = read_version(r, value, true);
    else if (text && lc_str_is(name->as.string, "configuration_aliases"))
        read_aliases(r, req, value);
    else if (text)
        lc_config_report_name(r, lc_config_value_place(key), LC_SUMMARY_REQUIRED_PROVIDERS_OBJECT,
                              "%s is none of source, version and configuration_aliases",
                              name->as.string);
    return !text ||
           lc_str_is_one_of(
               name->as.string,
               (const char *const[]){"source", "version", "configuration_aliases", NULL}, NULL);
}

/* True for a string or another simple value, the form of Terraform 0.12: a version constraint. */
static bool is_simple(lc_config_reader *r, lc_config_value value)
{
    size_t known = r->config->problems.count;
    const lc_value *v = lc_config_constant(r, value);
    r->config->problems.count = known;
    return v && lc_type_is_primitive(v->type);
}

static void take_required(void *context, lc_str name, const lc_config_argument *argument)
{
    lc_config_reader *r = context;
    lc_config_required *req = LC_PUSH(r->arena, &r->module->required, lc_config_required);
    *req = (lc_config_required){.local_name = name,
                                .place = argument->place,
                                .value_place = lc_config_value_place(argument->value)};
    if (!lc_table_get(&r->module->required_by_name, name))
        lc_table_put_index(&r->module->required_by_name, name, r->module->required.count - 1);
    lc_config_values pairs = {0};
    if (is_simple(r, argument->value)) {
        req->version = read_version(r, argument->value, false);
        return;
    }
    if (!lc_config_pairs(r, &pairs, argument->value))
        lc_config_report(r, lc_config_value_place(argument->value),
                         LC_SUMMARY_REQUIRED_PROVIDERS_OBJECT,
                         "an entry is an object or a version constraint");
    for (size_t i = 0; i + 1 < pairs.list.count; i += 2)
        if (!read_requirement(r, req, pairs.list.items[i], pairs.list.items[i + 1]))
            break;
}

static void take_required_providers(lc_config_reader *r, const lc_config_block *block)
{
    if (r->module->requires_providers)
        lc_config_report(r, block->type_place, LC_SUMMARY_DUPLICATE_REQUIRED_PROVIDERS,
                         "a module can have only one required_providers block");
    r->module->requires_providers = true;
    lc_body_each_argument(r, &block->body, take_required, r);
}

/* A file that overrides others may replace their backend. */
static bool is_second_backend(const lc_config_reader *r, lc_setting_kind kind)
{
    for (size_t i = 0;
         kind == LC_SETTING_BACKEND && !r->overriding && i < r->module->settings.count; i++) {
        if (r->module->settings.items[i].kind == LC_SETTING_BACKEND)
            return true;
    }
    return false;
}

static void take_setting(lc_config_reader *r, const lc_config_block *block, lc_setting_kind kind)
{
    static const lc_body_name nothing[] = {{NULL, 0, 0}};
    if (is_second_backend(r, kind))
        lc_config_report(r, block->place, LC_SUMMARY_DUPLICATE_BACKEND,
                         "a module can have only one backend block");
    lc_config_setting *s = LC_PUSH(r->arena, &r->module->settings, lc_config_setting);
    *s = (lc_config_setting){.kind = kind, .label = block->labels[0], .place = block->place};
    s->body = lc_body_rest(r, &block->body, nothing, NULL, NULL);
}

/* A version of the client that the module requires. */
static void add_version(lc_config_reader *r, const lc_config_argument *argument)
{
    lc_str text = read_version(r, argument->value, false);
    if (text.len)
        *LC_PUSH(r->arena, &r->module->versions, lc_config_version) =
            (lc_config_version){text, argument->place};
}

/* OpenTofu looks at `required_version` only in files that are for it alone. */
static void take_version(lc_config_reader *r, const lc_config_argument *argument)
{
    bool own = lc_str_ends_with(r->file, LC_STR(".tofu")) ||
               lc_str_ends_with(r->file, LC_STR(".tofu.json"));
    if (own || r->config->profile != LC_PROFILE_OPENTOFU)
        add_version(r, argument);
}

/* `language`, where OpenTofu looks for the versions that the module is made for. */
static void take_language(lc_config_reader *r, const lc_config_block *block)
{
    static const lc_body_name names[] = {{"edition", LC_NAME_ARGUMENT, 0},
                                         {"experiments", LC_NAME_ARGUMENT, 0},
                                         {"compatible_with", LC_NAME_BLOCK, 0},
                                         {NULL, 0, 0}};
    static const lc_body_name versions[] = {{"opentofu", LC_NAME_ARGUMENT, 0}, {NULL, 0, 0}};
    if (r->config->profile != LC_PROFILE_OPENTOFU)
        return;
    if (r->overriding) {
        lc_config_report(r, block->declared, LC_SUMMARY_OVERRIDE_LANGUAGE,
                         "such blocks belong in other files");
        return;
    }
    lc_body_content content = lc_body_read(r, &block->body, names);
    for (size_t i = 0; i < content.blocks.count; i++) {
        lc_body_content with = lc_body_read_some(r, &content.blocks.items[i].body, versions);
        const lc_config_argument *own = lc_body_argument(&with, "opentofu");
        if (own)
            add_version(r, own);
    }
}

static void take_terraform(lc_config_reader *r, const lc_config_block *block)
{
    static const lc_body_name names[] = {{"required_version", LC_NAME_ARGUMENT, 0},
                                         {"experiments", LC_NAME_ARGUMENT, 0},
                                         {"language", LC_NAME_ARGUMENT, 0},
                                         {"backend", LC_NAME_LABELLED, 0},
                                         {"cloud", LC_NAME_BLOCK, LC_SINCE(1, 0)},
                                         {"required_providers", LC_NAME_BLOCK, 0},
                                         {"provider_meta", LC_NAME_LABELLED, 0},
                                         {"encryption", LC_NAME_BLOCK, LC_OT | LC_SINCE(0, 7)},
                                         {"state_store", LC_NAME_LABELLED, LC_TF | LC_SINCE(14, 0)},
                                         {NULL, 0, 0}};
    lc_body_content content = lc_body_read(r, &block->body, names);
    const lc_config_argument *version = lc_body_argument(&content, "required_version");
    if (version)
        take_version(r, version);
    for (size_t i = 0; i < content.blocks.count; i++) {
        const lc_config_block *inner = &content.blocks.items[i];
        if (lc_block_is(inner, "required_providers"))
            take_required_providers(r, inner);
        else if (lc_block_is(inner, "backend"))
            take_setting(r, inner, LC_SETTING_BACKEND);
        else if (lc_block_is(inner, "cloud"))
            take_setting(r, inner, LC_SETTING_CLOUD);
        else if (lc_block_is(inner, "provider_meta"))
            take_setting(r, inner, LC_SETTING_PROVIDER_META);
        else
            take_setting(r, inner, LC_SETTING_ENCRYPTION);
    }
}

/* ---- provider. */

/* Arguments and blocks that the client itself reads or reserves; all others are the provider's. */
static const lc_body_name provider_names[] = {{"alias", LC_NAME_ARGUMENT, 0},
                                              {"version", LC_NAME_ARGUMENT, 0},
                                              {"count", LC_NAME_ARGUMENT, 0},
                                              {"for_each", LC_NAME_ARGUMENT, 0},
                                              {"depends_on", LC_NAME_ARGUMENT, 0},
                                              {"source", LC_NAME_ARGUMENT, 0},
                                              {"_", LC_NAME_BLOCK, 0},
                                              {"lifecycle", LC_NAME_BLOCK, 0},
                                              {"locals", LC_NAME_BLOCK, 0},
                                              {NULL, 0, 0}};

/* Whether the alias is usable is decided with the other names of providers. */
static void read_alias(lc_config_reader *r, lc_config_provider *p,
                       const lc_config_argument *argument)
{
    p->alias_place = argument->place;
    p->has_alias = true;
    p->alias = lc_config_text(r, argument->value);
    p->alias_valid = lc_is_identifier(p->alias);
}

/* Names that both clients reserve for future use. */
static void check_reserved(lc_config_reader *r, const lc_body_content *content)
{
    static const char *const reserved[] = {"depends_on", "source", NULL};
    for (size_t i = 0; reserved[i]; i++) {
        const lc_config_argument *argument = lc_body_argument(content, reserved[i]);
        if (argument)
            lc_config_report(r, argument->place, LC_SUMMARY_RESERVED_PROVIDER_ARGUMENT,
                             "the client reserves this argument");
    }
    for (size_t i = 0; i < content->blocks.count; i++)
        if (!lc_block_is(&content->blocks.items[i], "_"))
            lc_config_report(r, content->blocks.items[i].type_place,
                             LC_SUMMARY_RESERVED_PROVIDER_BLOCK, "the client reserves this block");
}

/* The content of the escaping block `_`; NULL if there is no such block. */
const lc_config_body *lc_config_escaped(lc_config_reader *r, const lc_body_content *content)
{
    const lc_config_body *found = NULL;
    for (size_t i = 0; i < content->blocks.count; i++) {
        const lc_config_block *block = &content->blocks.items[i];
        if (!lc_block_is(block, "_"))
            continue;
        if (found)
            lc_config_report(r, block->declared, LC_SUMMARY_DUPLICATE_ESCAPE,
                             "a block has one escaping block `_`");
        else
            found = &block->body;
    }
    return found;
}

static void take_provider(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_provider *p = LC_NEW(r->arena, lc_config_provider);
    lc_body_content content = lc_body_read_some(r, &block->body, provider_names);
    const lc_config_argument *alias = lc_body_argument(&content, "alias");
    const lc_config_argument *version = lc_body_argument(&content, "version");
    p->module = r->module;
    p->name = block->labels[0];
    p->place = block->place;
    *LC_PUSH(r->arena, &r->module->providers, lc_config_provider *) = p;
    if (alias)
        read_alias(r, p, alias);
    p->has_version = version != NULL;
    if (version)
        p->version = read_version(r, version->value, false);
    lc_config_read_repetition(r, &p->repetition, &content);
    check_reserved(r, &content);
    p->body = lc_body_rest(r, &block->body, provider_names, lc_config_escaped(r, &content),
                           &p->argument_count);
}

/* ---- variable, locals, output. */

static const lc_body_name variable_names[] = {{"description", LC_NAME_ARGUMENT, 0},
                                              {"default", LC_NAME_ARGUMENT, 0},
                                              {"type", LC_NAME_ARGUMENT, 0},
                                              {"sensitive", LC_NAME_ARGUMENT, 0},
                                              {"ephemeral", LC_NAME_ARGUMENT, LC_SINCE(10, 11)},
                                              {"nullable", LC_NAME_ARGUMENT, LC_SINCE(1, 0)},
                                              {"const", LC_NAME_ARGUMENT, LC_SINCE(15, 12)},
                                              {"deprecated", LC_NAME_ARGUMENT, LC_SINCE(15, 10)},
                                              {"validation", LC_NAME_BLOCK, 0},
                                              {NULL, 0, 0}};

/* True if the flag is given as `value`; one that is not a constant is a problem. */
static bool flag_is(lc_config_reader *r, const lc_body_content *content, const char *name,
                    bool value)
{
    const lc_config_argument *argument = lc_body_argument(content, name);
    lc_config_flag flag = {0};
    if (argument)
        flag = lc_config_static_flag(r, argument);
    return flag.literal && flag.value == value;
}

static lc_config_description read_description(lc_config_reader *r, const lc_body_content *content)
{
    const lc_config_argument *argument = lc_body_argument(content, "description");
    lc_config_description out = {argument != NULL, LC_STR_EMPTY};
    if (argument)
        out.text = lc_config_text(r, argument->value);
    return out;
}

/* The `type`, as an expression or in JSON syntax as a string. */
static void read_type(lc_config_reader *r, lc_constraint *out, lc_config_value value)
{
    lc_eval_error trouble;
    bool ok = value.expr
                  ? lc_constraint_read(out, r->arena, value.expr, &trouble)
                  : lc_constraint_read_json(out, r->arena, value.source, value.node, &trouble);
    if (!ok)
        lc_config_report_errors(r, &trouble);
}

/* The default is literal, and has to fit the type. */
static void read_initial(lc_config_reader *r, lc_config_variable *v, lc_config_value value)
{
    lc_eval_error trouble;
    const lc_expr *literal =
        value.expr ? value.expr : lc_expr_literal(r->arena, value.source, value.node);
    if (!lc_variable_default(v, r->arena, literal, &trouble))
        lc_config_report_errors(r, &trouble);
}

/* A validation must look at the variable itself. */
static void read_validation(lc_config_reader *r, lc_config_variable *v,
                            const lc_config_block *block)
{
    lc_config_read_condition(r, &v->validations, block);
    if (r->overriding)
        return;
    const lc_expr *condition = v->validations.list.items[v->validations.list.count - 1].condition;
    lc_references refs = {r->arena, {NULL, 0, 0}};
    if (!condition)
        return;
    lc_expr_references(&refs, condition);
    for (size_t i = 0; i < refs.list.count; i++)
        if (refs.list.items[i]->root == LC_ROOT_VARIABLE &&
            lc_str_eq(refs.list.items[i]->name, v->name))
            return;
    lc_config_report(r, lc_expr_pos(condition), LC_SUMMARY_VALIDATION_REFERENCE,
                     "the condition of a validation refers to its variable");
}

/* Terraform needs the values of such variables before it asks for secrets. */
static void check_constant(lc_config_reader *r, const lc_config_variable *v)
{
    if (v->sensitive)
        lc_config_report(r, v->place, LC_SUMMARY_CONST_SENSITIVE,
                         "const and sensitive exclude each other");
    if (v->ephemeral)
        lc_config_report(r, v->place, LC_SUMMARY_CONST_EPHEMERAL,
                         "const and ephemeral exclude each other");
}

static void read_variable(lc_config_reader *r, lc_config_variable *v,
                          const lc_body_content *content)
{
    const lc_config_argument *type = lc_body_argument(content, "type");
    const lc_config_argument *initial = lc_body_argument(content, "default");
    r->about = v->name;
    v->description = read_description(r, content);
    if (type)
        read_type(r, &v->constraint, type->value);
    v->sensitive = flag_is(r, content, "sensitive", true);
    v->ephemeral = flag_is(r, content, "ephemeral", true);
    v->not_nullable = flag_is(r, content, "nullable", false);
    v->constant = flag_is(r, content, "const", true);
    v->constant_false = flag_is(r, content, "const", false);
    if (v->constant && r->config->profile == LC_PROFILE_TERRAFORM)
        check_constant(r, v);
    v->has_sensitive = lc_body_argument(content, "sensitive") != NULL;
    v->has_ephemeral = lc_body_argument(content, "ephemeral") != NULL;
    v->has_nullable = lc_body_argument(content, "nullable") != NULL;
    if (initial)
        read_initial(r, v, initial->value);
    for (size_t i = 0; i < content->blocks.count; i++)
        read_validation(r, v, &content->blocks.items[i]);
    r->about = LC_STR_EMPTY;
}

static void take_variable(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_variable *v = LC_NEW(r->arena, lc_config_variable);
    lc_body_content content = lc_body_read(r, &block->body, variable_names);
    v->name = block->labels[0];
    v->place = block->place;
    lc_config_check_name(r, v->name, block->label_places[0], LC_SUMMARY_VARIABLE_NAME);
    if (lc_config_call_has(v->name))
        lc_config_report(r, block->label_places[0], LC_SUMMARY_VARIABLE_NAME,
                         "module calls have an argument or block of this name");
    const lc_config_variable *first = lc_table_get(&r->module->variable, v->name);
    if (first) {
        lc_config_report_duplicate(r, v->place, LC_SUMMARY_DUPLICATE_VARIABLE, first->place);
        return;
    }
    lc_table_put(&r->module->variable, v->name, v);
    *LC_PUSH(r->arena, &r->module->variables, lc_config_variable *) = v;
    read_variable(r, v, &content);
}

static void take_local(void *context, lc_str name, const lc_config_argument *argument)
{
    lc_config_reader *r = context;
    lc_config_check_name(r, name, argument->place, LC_SUMMARY_LOCAL_NAME);
    const lc_config_local *first = lc_table_get(&r->module->local, name);
    if (first) {
        lc_config_report_duplicate(r, argument->place, LC_SUMMARY_DUPLICATE_LOCAL, first->place);
        return;
    }
    lc_config_local *local = LC_NEW(r->arena, lc_config_local);
    *local = (lc_config_local){name, lc_config_template(r, argument->value), argument->place};
    lc_table_put(&r->module->local, name, local);
    *LC_PUSH(r->arena, &r->module->locals, lc_config_local *) = local;
}

static void take_locals(lc_config_reader *r, const lc_config_block *block)
{
    lc_body_each_argument(r, &block->body, take_local, r);
}

static const lc_body_name output_names[] = {{"description", LC_NAME_ARGUMENT, 0},
                                            {"value", LC_NAME_REQUIRED, 0},
                                            {"depends_on", LC_NAME_ARGUMENT, 0},
                                            {"sensitive", LC_NAME_ARGUMENT, 0},
                                            {"ephemeral", LC_NAME_ARGUMENT, LC_SINCE(10, 11)},
                                            {"deprecated", LC_NAME_ARGUMENT, LC_SINCE(15, 10)},
                                            {"type", LC_NAME_ARGUMENT, LC_TF | LC_SINCE(15, 0)},
                                            {"precondition", LC_NAME_BLOCK, LC_SINCE(2, 0)},
                                            {"postcondition", LC_NAME_BLOCK, 0},
                                            {NULL, 0, 0}};

static void read_output(lc_config_reader *r, lc_config_output *o, const lc_body_content *content)
{
    const lc_config_argument *value = lc_body_argument(content, "value");
    const lc_config_argument *depends = lc_body_argument(content, "depends_on");
    const lc_config_argument *deprecated = lc_body_argument(content, "deprecated");
    const lc_config_argument *type = lc_body_argument(content, "type");
    o->description = read_description(r, content);
    if (value)
        o->value = lc_config_template(r, value->value);
    if (type) {
        lc_constraint *constraint = LC_NEW(r->arena, lc_constraint);
        read_type(r, constraint, type->value);
        o->type = constraint;
    }
    if (deprecated && !r->module->parent && r->config->profile == LC_PROFILE_TERRAFORM)
        lc_config_report(r, deprecated->place, LC_SUMMARY_ROOT_DEPRECATED,
                         "no module calls the root module");
    o->sensitive = flag_is(r, content, "sensitive", true);
    o->ephemeral = flag_is(r, content, "ephemeral", true);
    o->has_sensitive = lc_body_argument(content, "sensitive") != NULL;
    o->has_ephemeral = lc_body_argument(content, "ephemeral") != NULL;
    if (depends)
        lc_config_references(r, &o->depends_on, depends->value, true);
    for (size_t i = 0; i < content->blocks.count; i++) {
        const lc_config_block *block = &content->blocks.items[i];
        if (lc_block_is(block, "precondition"))
            lc_config_read_condition(r, &o->preconditions, block);
        else
            lc_config_report(r, block->type_place, LC_SUMMARY_NO_POSTCONDITIONS,
                             "outputs have preconditions only");
    }
}

static void take_output(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_output *o = LC_NEW(r->arena, lc_config_output);
    lc_body_content content = lc_body_read(r, &block->body, output_names);
    o->name = block->labels[0];
    o->place = block->place;
    lc_config_check_name(r, o->name, block->label_places[0], LC_SUMMARY_OUTPUT_NAME);
    const lc_config_output *first = lc_table_get(&r->module->output, o->name);
    if (first) {
        lc_config_report_duplicate(r, o->place, LC_SUMMARY_DUPLICATE_OUTPUT, first->place);
        return;
    }
    lc_table_put(&r->module->output, o->name, o);
    *LC_PUSH(r->arena, &r->module->outputs, lc_config_output *) = o;
    read_output(r, o, &content);
}

/* ---- moved, removed, import. */

/* The reference that a required argument contains. */
static lc_config_ref reference_at(lc_config_reader *r, const lc_body_content *content,
                                  const char *name, lc_source_pos place)
{
    const lc_config_argument *argument = lc_body_argument(content, name);
    return argument ? lc_config_reference(r, argument->value) : (lc_config_ref){.place = place};
}

static void take_moved(lc_config_reader *r, const lc_config_block *block)
{
    static const lc_body_name names[] = {
        {"from", LC_NAME_REQUIRED, 0}, {"to", LC_NAME_REQUIRED, 0}, {NULL, 0, 0}};
    lc_body_content content = lc_body_read(r, &block->body, names);
    lc_config_ref from = reference_at(r, &content, "from", block->place);
    lc_config_ref to = reference_at(r, &content, "to", block->place);
    *LC_PUSH(r->arena, &r->module->moved, lc_config_moved) =
        (lc_config_moved){r->module, from, to, block->place};
}

static void take_removed(lc_config_reader *r, const lc_config_block *block)
{
    static const lc_body_name names[] = {{"from", LC_NAME_REQUIRED, 0},
                                         {"lifecycle", LC_NAME_BLOCK, LC_SINCE(7, 10)},
                                         {"connection", LC_NAME_BLOCK, LC_TF | LC_SINCE(9, 0)},
                                         {"provisioner", LC_NAME_LABELLED, LC_SINCE(9, 10)},
                                         {NULL, 0, 0}};
    static const lc_body_name lifecycle[] = {{"destroy", LC_NAME_ARGUMENT, 0}, {NULL, 0, 0}};
    lc_body_content content = lc_body_read(r, &block->body, names);
    lc_config_removed removed = {.module = r->module, .place = block->place};
    removed.from = reference_at(r, &content, "from", block->place);
    for (size_t i = 0; i < content.blocks.count; i++) {
        if (!lc_block_is(&content.blocks.items[i], "lifecycle"))
            continue;
        lc_body_content inner = lc_body_read(r, &content.blocks.items[i].body, lifecycle);
        const lc_config_argument *destroy = lc_body_argument(&inner, "destroy");
        if (destroy)
            removed.destroy = lc_config_static_flag(r, destroy);
    }
    *LC_PUSH(r->arena, &r->module->removed, lc_config_removed) = removed;
}

static const lc_expr *expr_at(lc_config_reader *r, const lc_body_content *content, const char *name)
{
    const lc_config_argument *argument = lc_body_argument(content, name);
    return argument ? lc_config_template(r, argument->value) : NULL;
}

/* Missing arguments are reported with the other problems of imports. */
static void take_import(lc_config_reader *r, const lc_config_block *block)
{
    static const lc_body_name names[] = {
        {"provider", LC_NAME_ARGUMENT, 0}, {"for_each", LC_NAME_ARGUMENT, LC_SINCE(7, 7)},
        {"id", LC_NAME_ARGUMENT, 0},       {"identity", LC_NAME_ARGUMENT, LC_SINCE(12, 12)},
        {"to", LC_NAME_REQUIRED, 0},       {NULL, 0, 0}};
    lc_body_content content = lc_body_read(r, &block->body, names);
    const lc_config_argument *provider = lc_body_argument(&content, "provider");
    const lc_config_argument *to = lc_body_argument(&content, "to");
    lc_config_import import = {.module = r->module, .to = {.place = block->place}};
    import.place = block->place;
    if (to) {
        import.to = lc_config_free_reference(r, to->value);
        import.to_place = to->place;
    }
    import.id = expr_at(r, &content, "id");
    import.identity = expr_at(r, &content, "identity");
    import.for_each = expr_at(r, &content, "for_each");
    if (provider) {
        lc_config_ref *ref = LC_NEW(r->arena, lc_config_ref);
        *ref = lc_config_provider_reference(r, provider->value);
        import.provider = ref;
    }
    *LC_PUSH(r->arena, &r->module->imports, lc_config_import) = import;
}

/* ---- check. */

/* The clients drop assertions with which something is wrong. */
static bool take_assert(lc_config_reader *r, lc_config_check *check, const lc_config_block *block)
{
    bool good = lc_config_read_condition(r, &check->asserts, block);
    if (!good && check->asserts.list.count)
        check->asserts.list.count--;
    return good;
}

/* Takes the last check back if the module has one of its name already. */
static bool is_second_check(lc_config_reader *r, const lc_config_block *block)
{
    lc_str name = block->labels[0];
    for (size_t i = 0; i + 1 < r->module->checks.count; i++) {
        if (!lc_str_eq(r->module->checks.items[i].name, name))
            continue;
        lc_config_problem *p =
            lc_config_report(r, block->place, "", "the module has two of this name");
        p->summary =
            lc_str_printf(r->arena, "Duplicate check \"%.*s\" configuration", LC_FMT(name));
        r->module->checks.count--;
        return true;
    }
    return false;
}

/* Data sources nested in a check block belong to the module like all others; only the name of the
 * check is noted with them. */
static void take_check(lc_config_reader *r, const lc_config_block *block)
{
    if (r->overriding) {
        lc_config_report(r, block->declared, LC_SUMMARY_OVERRIDE_CHECK,
                         "such blocks belong in other files");
        return;
    }
    static const lc_body_name names[] = {
        {"data", LC_NAME_TYPED, 0}, {"assert", LC_NAME_BLOCK, 0}, {NULL, 0, 0}};
    lc_body_content content = lc_body_read(r, &block->body, names);
    lc_config_check *check = LC_PUSH(r->arena, &r->module->checks, lc_config_check);
    *check = (lc_config_check){.name = block->labels[0], .place = block->place};
    lc_config_check_name(r, check->name, block->label_places[0], LC_SUMMARY_CHECK_NAME);
    if (is_second_check(r, block))
        return;
    const lc_config_block *data = NULL;
    size_t good = 0;
    for (size_t i = 0; i < content.blocks.count; i++) {
        const lc_config_block *inner = &content.blocks.items[i];
        if (lc_block_is(inner, "assert")) {
            good += take_assert(r, check, inner);
        } else if (data) {
            lc_config_report(r, inner->declared, LC_SUMMARY_SECOND_DATA,
                             "a check block can have only one data source");
        } else {
            data = inner;
            lc_config_read_resource(r, inner, LC_MODE_DATA, block->labels[0]);
        }
    }
    if (!good)
        lc_config_report(r, block->declared, LC_SUMMARY_NO_ASSERT,
                         "a check block needs an assert block");
}

/* ---- Files. */

static void take_resource(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_read_resource(r, block, LC_MODE_MANAGED, LC_STR_EMPTY);
}

static void take_data(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_read_resource(r, block, LC_MODE_DATA, LC_STR_EMPTY);
}

static void take_ephemeral(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_read_resource(r, block, LC_MODE_EPHEMERAL, LC_STR_EMPTY);
}

static void take_misplaced(lc_config_reader *r, const lc_config_block *block)
{
    lc_config_report(r, block->type_place, LC_SUMMARY_MISPLACED_REQUIRED_PROVIDERS,
                     "it belongs in a `terraform` block");
}

/* The blocks of a file. Both cores accept those of newer versions, but nothing in them affects a
 * prediction. */
static const lc_body_name file_names[] = {{"terraform", LC_NAME_BLOCK, 0},
                                          {"required_providers", LC_NAME_BLOCK, 0},
                                          {"provider", LC_NAME_LABELLED, 0},
                                          {"variable", LC_NAME_LABELLED, 0},
                                          {"locals", LC_NAME_BLOCK, 0},
                                          {"output", LC_NAME_LABELLED, 0},
                                          {"module", LC_NAME_LABELLED, 0},
                                          {"resource", LC_NAME_TYPED, 0},
                                          {"data", LC_NAME_TYPED, 0},
                                          {"ephemeral", LC_NAME_TYPED, LC_SINCE(10, 11)},
                                          {"moved", LC_NAME_BLOCK, LC_SINCE(1, 0)},
                                          {"removed", LC_NAME_BLOCK, LC_SINCE(7, 7)},
                                          {"import", LC_NAME_BLOCK, LC_SINCE(5, 0)},
                                          {"check", LC_NAME_LABELLED, LC_SINCE(5, 0)},
                                          {"action", LC_NAME_TYPED, LC_TF | LC_SINCE(14, 0)},
                                          {"language", LC_NAME_BLOCK, LC_OT | LC_SINCE(0, 12)},
                                          {NULL, 0, 0}};

static const struct {
    const char *type;
    void (*take)(lc_config_reader *r, const lc_config_block *block);
} kinds[] = {
    {"terraform", take_terraform},
    {"required_providers", take_misplaced},
    {"provider", take_provider},
    {"variable", take_variable},
    {"locals", take_locals},
    {"output", take_output},
    {"module", lc_config_read_call},
    {"resource", take_resource},
    {"data", take_data},
    {"ephemeral", take_ephemeral},
    {"moved", take_moved},
    {"removed", take_removed},
    {"language", take_language},
    {"import", take_import},
    {"check", take_check},
};

static void take_block(lc_config_reader *r, const lc_config_block *block)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (lc_block_is(block, kinds[k].type))
            kinds[k].take(r, block);
}

void lc_config_read_file(lc_config_reader *r, const lc_config_file *file)
{
    lc_arena *of_file = lc_arena_new(), *of_block = lc_arena_new();
    lc_config_body body = {.source = file->source, .node = file->root, .native = file->native};
    r->source = file->source;
    r->file = file->name;
    r->converted = file->converted;
    r->scratch = of_file;
    lc_body_content content = lc_body_read(r, &body, file_names);
    r->scratch = of_block;
    for (size_t i = 0; i < content.blocks.count; i++) {
        take_block(r, &content.blocks.items[i]);
        lc_arena_reset(of_block);
    }
    r->scratch = NULL;
    lc_arena_free(of_block);
    lc_arena_free(of_file);
}
