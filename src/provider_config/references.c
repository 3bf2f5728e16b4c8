/* References to provider configurations: whether they are written correctly. */
#include "provider_config/internal.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/catalog/core_message.h"

#include <string.h>

lc_config_problem *lc_provider_problem(lc_provider_model *m, lc_rule rule, lc_config_stage stage,
                                       lc_source_pos place, const char *summary, const char *detail)
{
    lc_config_problem *p = lc_config_problem_add(m->config, place, summary);
    p->rule = rule;
    p->stage = stage;
    p->detail = lc_str_from_c(detail);
    return p;
}

/* A reference, where it is written. */
typedef struct site {
    lc_provider_model *m;
    const lc_module *module;
    const lc_config_ref *written;
    lc_provider_ref ref;
    lc_str address; /* address of the block with the reference */
    bool left;      /* the child's side of an entry in `providers` */
} site;

static void report(site *s, lc_rule rule, const char *summary, const char *detail)
{
    lc_provider_problem(s->m, rule, LC_STAGE_PARSE, s->written->place, summary, detail)->address =
        s->address;
}

/* ---- Errors. What is written instead of a reference decides the rule and the core's summary. */

static bool starts(const site *s, const char *what)
{
    return lc_str_starts_with(s->written->text, lc_str_from_c(what));
}

static bool has_splat(lc_str text)
{
    for (size_t i = 0; i + 1 < text.len; i++)
        if ((text.ptr[i] == '[' || text.ptr[i] == '.') && text.ptr[i + 1] == '*')
            return true;
    return false;
}

static bool has_two_dots(lc_str text)
{
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.ptr[i] == '.' && text.ptr[i + 1] == '.')
            return true;
    return false;
}

/* Names that begin references to values. */
static bool is_value_name(lc_str name)
{
    static const char *const names[] = {"local", "var",  "each",   "count", "self",
                                        "data",  "path", "module", NULL};
    return lc_str_is_one_of(name, names, NULL);
}

/* A provider may have such a name if the module declares it. */
static bool is_declared(const lc_module *module, lc_str name)
{
    if (lc_config_required_at(module, name))
        return true;
    for (size_t i = 0; i < module->providers.count; i++)
        if (lc_str_eq(module->providers.items[i]->name, name))
            return true;
    return false;
}

/* A value is used instead of a provider configuration. */
static bool is_indirect(const site *s)
{
    return s->ref.name.len > 0 && is_value_name(s->ref.name) &&
           !is_declared(s->module, s->ref.name);
}

bool lc_provider_name_is_usable(const lc_module *module, lc_str name)
{
    return lc_provider_name_is_normal(name) && !(is_value_name(name) && !is_declared(module, name));
}

static void report_not_text(site *s)
{
    bool terraform = s->m->config->profile == LC_PROFILE_TERRAFORM;
    report(s, LC_RULE_PROVIDER_REF_SYNTAX,
           terraform ? LC_SUMMARY_INVALID_PROVIDER_REF : LC_SUMMARY_EXPECTED_STRING,
           "a reference is written as a string");
}

static void report_template(site *s)
{
    bool terraform = s->m->config->profile == LC_PROFILE_TERRAFORM;
    report(s, LC_RULE_PROVIDER_REF_TEMPLATE,
           terraform ? LC_SUMMARY_INVALID_PROVIDER_REF : LC_SUMMARY_INVALID_CHARACTER,
           "a reference is written bare in its string, without ${ and }");
    if (terraform)
        return;
    lc_provider_problem(s->m, LC_RULE_COUNT, LC_STAGE_PARSE, s->written->place,
                        LC_SUMMARY_INVALID_EXPRESSION, "")
        ->echo = true;
}

static void report_key(site *s)
{
    lc_profile profile = s->m->config->profile;
    if (s->left && profile != LC_PROFILE_TERRAFORM) {
        report(s, LC_RULE_PROVIDER_MAP_LEFT_KEY, LC_SUMMARY_INVALID_PROVIDER_REF,
               "the module's own name has no key");
        return;
    }
    if (s->ref.key_is_dynamic)
        report(s, LC_RULE_PROVIDER_REF_DYNAMIC_CONFIG, LC_SUMMARY_INVALID_PROVIDER_REF,
               "only the key of a reference may be computed, and nothing follows it");
    else if (profile == LC_PROFILE_OPENTOFU && s->ref.alias.len == 0)
        report(s, LC_RULE_PROVIDER_KEY_NEEDS_ALIAS, LC_SUMMARY_INVALID_PROVIDER_REF,
               "a key follows an alias: NAME.ALIAS[KEY]");
    else
        report(s, LC_RULE_PROVIDER_REF_SYNTAX, LC_SUMMARY_INVALID_PROVIDER_REF,
               profile == LC_PROFILE_TERRAFORM
                   ? "Terraform's references have no keys"
                   : "a key of the document follows the name: it is an alias itself");
}

/* OpenTofu first parses the text as an expression, and reports what is wrong with that. */
static const char *summary_of(const site *s)
{
    lc_str text = s->written->text;
    if (s->m->config->profile == LC_PROFILE_TERRAFORM || s->written->expr)
        return LC_SUMMARY_INVALID_PROVIDER_REF;
    if (text.len == 0)
        return LC_SUMMARY_MISSING_EXPRESSION;
    return text.ptr[text.len - 1] == '.' || has_two_dots(text) ? LC_SUMMARY_INVALID_ATTRIBUTE_NAME
                                                               : LC_SUMMARY_INVALID_PROVIDER_REF;
}

/* From the most specific mistake to the general one. */
static void report_wrong(site *s)
{
    if (!s->written->is_text)
        report_not_text(s);
    else if (starts(s, "${"))
        report_template(s);
    else if (starts(s, "\""))
        report(s, LC_RULE_PROVIDER_REF_QUOTED, LC_SUMMARY_INVALID_PROVIDER_REF,
               "the reference has quotes of its own within its string");
    else if (has_splat(s->written->text))
        report(s, LC_RULE_PROVIDER_REF_SPLAT, LC_SUMMARY_INVALID_PROVIDER_REF,
               "there is no reference to all instances");
    else if (is_indirect(s))
        report(s, LC_RULE_PROVIDER_REF_INDIRECT, LC_SUMMARY_INVALID_PROVIDER_REF,
               "a value cannot be used as a provider configuration");
    else if (s->ref.key)
        report_key(s);
    else
        report(s, LC_RULE_PROVIDER_REF_SYNTAX, summary_of(s),
               "a reference is a name, perhaps with an alias and a key");
}

/* ---- Names. */

bool lc_provider_name_is_normal(lc_str name)
{
    bool dash = true; /* no dash at the beginning, and no two in a row */
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = lc_is_lower(c) || lc_is_digit(c) || (unsigned char)c >= 0x80;
        if (!letter && (c != '-' || dash))
            return false;
        dash = c == '-';
    }
    return name.len > 0 && !dash;
}

/* Checks one reference, and its local name. */
static void check_site(site *s)
{
    s->ref = lc_provider_ref_parse(s->written, s->m->config->profile);
    /* OpenTofu parses a key on the child's side and rejects it later (modules.c). */
    if (s->left && s->ref.key && s->ref.alias.len > 0 &&
        s->m->config->profile != LC_PROFILE_TERRAFORM)
        return;
    if (s->ref.ok && s->written->quoted) {
        report(s, LC_RULE_PROVIDER_REF_QUOTED, LC_SUMMARY_QUOTED_REFERENCE,
               "the reference has quotes of its own within its string");
        s->m->config->problems.items[s->m->config->problems.count - 1].warning = true;
    }
    if (!s->ref.ok) {
        report_wrong(s);
    } else if (is_indirect(s)) {
        lc_provider_problem(s->m, LC_RULE_PROVIDER_REF_INDIRECT, LC_STAGE_GRAPH, s->written->place,
                            "", "this names a provider of that name, not a value")
            ->address = s->address;
    } else if (!lc_provider_name_is_normal(s->ref.name)) {
        report(s, LC_RULE_PROVIDER_REF_NAME, LC_SUMMARY_INVALID_PROVIDER_NAME,
               "names of providers have lower case letters, digits and single dashes");
    }
}

/* ---- Everywhere. */

static void check_call(lc_provider_model *m, const lc_config_call *call)
{
    lc_str address = lc_address_below(m->arena, call->module->path,
                                      lc_str_printf(m->arena, "module.%.*s", LC_FMT(call->name)));
    for (size_t i = 0; i < call->providers.count; i++) {
        const lc_config_passed *p = &call->providers.items[i];
        site left = {m, call->module, &p->child, {0}, address, true};
        site right = {m, call->module, &p->parent, {0}, address, false};
        check_site(&left);
        check_site(&right);
    }
}

/* Aliases in configuration_aliases must begin with the local name that they are listed under. */
static void check_required(lc_provider_model *m, const lc_config_required *req)
{
    if (!lc_provider_name_is_normal(req->local_name))
        lc_provider_problem(m, LC_RULE_PROVIDER_REF_NAME, LC_STAGE_PARSE, req->value_place,
                            LC_SUMMARY_INVALID_PROVIDER_NAME,
                            "names of providers have lower case letters, digits and single dashes");
    for (size_t i = 0; i < req->aliases.list.count; i++) {
        const lc_config_ref *written = &req->aliases.list.items[i];
        lc_provider_ref ref = lc_provider_ref_parse(written, LC_PROFILE_TERRAFORM);
        if (ref.ok && !lc_str_eq(ref.name, req->local_name))
            lc_provider_problem(m, LC_RULE_PROVIDER_REF_SYNTAX, LC_STAGE_PARSE, req->aliases_place,
                                LC_SUMMARY_INVALID_ALIASES,
                                "an alias begins with the name that it is listed under");
    }
}

static void check_module(lc_provider_model *m, const lc_module *module)
{
    m->config->at = module;
    for (size_t i = 0; i < module->required.count; i++)
        check_required(m, &module->required.items[i]);
    for (size_t i = 0; i < module->resources.count; i++) {
        const lc_config_resource *res = module->resources.items[i];
        if (!res->provider)
            continue;
        site s = {m,
                  module,
                  res->provider,
                  {0},
                  lc_address_below(m->arena, module->path, res->address),
                  false};
        check_site(&s);
    }
    for (size_t i = 0; i < module->imports.count; i++) {
        const lc_config_import *import = &module->imports.items[i];
        if (!import->provider)
            continue;
        site s = {m, module, import->provider, {0}, import->to.text, false};
        check_site(&s);
    }
    for (size_t i = 0; i < module->calls.count; i++)
        check_call(m, module->calls.items[i]);
}

void lc_provider_check_references(lc_provider_model *m)
{
    for (size_t i = 0; i < m->config->modules.count; i++)
        check_module(m, m->config->modules.items[i]);
}
