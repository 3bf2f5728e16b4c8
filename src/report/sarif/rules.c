/* The rules of a SARIF report: all of them, violated or not, so that a finding that no longer
 * occurs counts as fixed. Their order gives the ruleIndex of results: the catalogue, then mistakes
 * of scenarios, then other reasons why a case fails. */
#include "lifecheck/base/ascii.h"
#include "report/sarif/sarif.h"

#include <string.h>

/* A reason why a case fails that is not a violation. */
typedef struct other_rule {
    const char *kind; /* of an lc_expectation_failure; each has a row */
    const char *id, *title, *help;
    lc_severity severity;
} other_rule;

static const other_rule others[] = {
    {"missing", "scenario/missing", "An expected finding was not found",
     "The scenario expects a finding that was not found. Correct the expectation, or find out why "
     "the violation is no longer found.",
     LC_ERROR},
    {"action", "scenario/action", "Another action than expected",
     "The calls lead to another action than the scenario expects.", LC_ERROR},
    {"proposed_new_state", "scenario/proposed-new-state",
     "Another proposed new state than expected",
     "A client computes another proposed new state than the scenario expects.", LC_ERROR},
    {"not_checked", "scenario/not-checked", "A rule was checked, or not, against the expectation",
     "The rules that could not be checked are not those that the scenario names.", LC_ERROR},
    {"stale", "scenario/stale", "A known failure is gone or has expired",
     "The case is marked known_failing. Remove the mark, or renew its date.", LC_ERROR},
    {"ignore-unused", "scenario/ignore-unused", "An ignore matches no finding",
     "Remove the entry: the finding that it accepted is gone.", LC_WARNING},
    {"ignore-expired", "scenario/ignore-expired", "An ignore has expired",
     "Fix the finding that it ignores, or renew its date.", LC_WARNING},
    {"open", "scenario/open", "An expectation or prediction is undecided",
     "The expectation or prediction is neither certain nor impossible: give the schema, the "
     "state, the provider's response or the values that are missing.",
     LC_WARNING},
    {"required", "scenario/required", "A required rule could not be checked",
     "The option --require names a rule that could not be checked here; give the input that is "
     "missing.",
     LC_ERROR},
};
#define OTHER_COUNT (sizeof others / sizeof others[0])

const char *lc_sarif_level(lc_severity severity)
{
    static const char *const levels[] = {"none", "note", "warning", "error"};
    return levels[severity];
}

lc_sarif_rule lc_sarif_catalogue_rule(lc_rule rule)
{
    return (lc_sarif_rule){lc_rule_get(rule)->slug, (uint64_t)rule};
}

lc_sarif_rule lc_sarif_lint_rule(lc_lint lint)
{
    return (lc_sarif_rule){lc_str_from_c(lc_lint_get(lint)->id),
                           (uint64_t)LC_RULE_COUNT + (uint64_t)lint};
}

lc_sarif_rule lc_sarif_failure_rule(const char *kind)
{
    size_t i = 0;
    while (i + 1 < OTHER_COUNT && strcmp(others[i].kind, kind) != 0)
        i++;
    return (lc_sarif_rule){lc_str_from_c(others[i].id),
                           (uint64_t)LC_RULE_COUNT + (uint64_t)LC_LINT_COUNT + i};
}

/* ---- Descriptors. */

static void add_text(lc_doc *parent, const char *key, lc_str text)
{
    lc_doc_add_str(lc_doc_add_object(parent, key), "text", text);
}

static void add_level(lc_doc *rule, lc_severity severity)
{
    lc_doc *configuration = lc_doc_add_object(rule, "defaultConfiguration");
    lc_doc_add_c(configuration, "level", lc_sarif_level(severity));
}

/* The severity of a violation under the default policy, of a provider that does not use the legacy
 * type system. */
static lc_severity usual_severity(lc_rule rule)
{
    const lc_rule_info *info = lc_rule_get(rule);
    lc_policy policy = {.as = LC_PROFILE_DOCUMENT, .fail_on = LC_ERROR};
    lc_finding finding = {.rule = rule, .legacy = LC_NO};
    if (lc_worst_severity(&policy, rule) == LC_ERROR)
        return LC_ERROR;
    for (int core = 0; core < LC_CORE_COUNT; core++)
        finding.core[core].effect = info->effects[core].last;
    return lc_severity_of(&policy, &finding);
}

static void add_help(lc_doc *rule, const lc_rule_info *info)
{
    lc_buf text = {0}, markdown = {0};
    lc_str framework = lc_rule_fix(info, LC_SDK_FRAMEWORK), sdkv2 = lc_rule_fix(info, LC_SDK_SDKV2);
    bool same = lc_str_eq(framework, sdkv2);
    lc_buf_printf(&text, "%.*s\n\n%s%.*s", LC_FMT(info->requirement),
                  same ? "" : "terraform-plugin-framework: ", LC_FMT(framework));
    if (!same)
        lc_buf_printf(&text, "\n\nSDKv2: %.*s", LC_FMT(sdkv2));
    lc_buf_printf(&markdown, "%.*s\n", LC_FMT(info->requirement));
    if (info->quote.len)
        lc_buf_printf(&markdown, "\n> %.*s\n>\n> %.*s\n", LC_FMT(info->quote),
                      LC_FMT(info->clause));
    lc_buf_printf(&markdown, same ? "\n%s%.*s\n" : "\n* %s%.*s\n",
                  same ? "" : "**terraform-plugin-framework**: ", LC_FMT(framework));
    if (!same)
        lc_buf_printf(&markdown, "* **SDKv2**: %.*s\n", LC_FMT(sdkv2));
    lc_buf_printf(&markdown, "\nOpenTofu: `%.*s`. Terraform: `%.*s`.\n",
                  LC_FMT(info->effects[LC_OPENTOFU].text),
                  LC_FMT(info->effects[LC_TERRAFORM].text));
    lc_doc *help = lc_doc_add_object(rule, "help");
    lc_doc_add_str(help, "text", lc_buf_str(&text));
    lc_doc_add_str(help, "markdown", lc_buf_str(&markdown));
    lc_buf_release(&text);
    lc_buf_release(&markdown);
}

/* How rarely a finding is a false alarm: viewers sort by it, and hide what is low. */
static const char *precision(lc_strength strength)
{
    switch (strength) {
    case LC_MUST:
    case LC_SHOULD:
    case LC_CORE_RULE:
        return "very-high";
    case LC_CONVENTION:
        return "high";
    case LC_SMELL:
        break;
    }
    return "medium";
}

static void add_properties(lc_doc *rule, lc_rule which, lc_severity severity)
{
    const lc_rule_info *info = lc_rule_get(which);
    static const char *const problems[] = {"recommendation", "recommendation", "warning", "error"};
    lc_doc *properties = lc_doc_add_object(rule, "properties");
    lc_doc *tags = lc_doc_add_array(properties, "tags");
    lc_doc_add_str(tags, NULL, lc_rule_family(which));
    lc_doc_add_c(tags, NULL, lc_strength_name(info->strength));
    lc_doc_add_c(tags, NULL, lc_blame_name(info->blame));
    lc_doc_add_c(properties, "precision", precision(info->strength));
    lc_doc_add_c(properties, "problem.severity", problems[severity]);
}

/* `apply/changed` becomes ApplyChanged, which viewers show next to the id. */
static void add_name(lc_doc *rule, lc_str id)
{
    lc_buf name = {0};
    bool word_begins = true;
    for (size_t i = 0; i < id.len; i++) {
        bool in_word = lc_is_alnum(id.ptr[i]);
        if (in_word)
            lc_buf_add_char(&name, word_begins ? lc_to_upper(id.ptr[i]) : id.ptr[i]);
        word_begins = !in_word;
    }
    lc_doc_add_str(rule, "name", lc_buf_str(&name));
    lc_buf_release(&name);
}

static void add_help_uri(lc_doc *rule, lc_str url, lc_str id)
{
    lc_buf uri = {0};
    if (url.len == 0)
        return;
    lc_buf_printf(&uri, "%.*s%.*s", LC_FMT(url), LC_FMT(id));
    lc_doc_add_str(rule, "helpUri", lc_buf_str(&uri));
    lc_buf_release(&uri);
}

static void add_catalogue_rule(lc_doc *rules, lc_rule which, lc_str url)
{
    const lc_rule_info *info = lc_rule_get(which);
    lc_severity severity = usual_severity(which);
    lc_doc *rule = lc_doc_add_object(rules, NULL);
    lc_doc_add_str(rule, "id", info->slug);
    add_name(rule, info->slug);
    add_help_uri(rule, url, info->slug);
    add_text(rule, "shortDescription", info->title);
    add_text(rule, "fullDescription", info->requirement);
    add_help(rule, info);
    add_level(rule, severity);
    add_properties(rule, which, severity);
}

static void add_plain_rule(lc_doc *rules, const char *id, const char *title, const char *help,
                           lc_severity severity)
{
    lc_doc *rule = lc_doc_add_object(rules, NULL);
    lc_doc_add_c(rule, "id", id);
    add_name(rule, lc_str_from_c(id));
    add_text(rule, "shortDescription", lc_str_from_c(title));
    add_text(rule, "help", lc_str_from_c(help));
    add_level(rule, severity);
}

void lc_sarif_add_rules(lc_doc *driver, lc_str url)
{
    lc_doc *rules = lc_doc_add_array(driver, "rules");
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        add_catalogue_rule(rules, (lc_rule)rule, url);
    for (unsigned lint = 0; lint < LC_LINT_COUNT; lint++) {
        const lc_lint_info *info = lc_lint_get((lc_lint)lint);
        add_plain_rule(rules, info->id, info->title, info->fix,
                       info->kind == LC_LINT_ADVICE ? LC_INFO : LC_WARNING);
    }
    for (size_t i = 0; i < OTHER_COUNT; i++)
        add_plain_rule(rules, others[i].id, others[i].title, others[i].help, others[i].severity);
}
