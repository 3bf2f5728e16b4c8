/* lifecheck rules: the catalogue as a table, as JSON, as tab-separated values, as a man page, or as
 * a page of Markdown or HTML. */
#include "cli/commands/clauses.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/versions.h"
#include "lifecheck/diagnose/diagnose.h"
#include "lifecheck/diagnose/error_lookup.h"
#include "lifecheck/yaml_json/document.h"

#include <string.h>

/* ---- Text. */

/* Effects are those that remain when no condition holds; one word if both clients do the same. */
static void add_row(lc_buf *out, const lc_rule_info *info)
{
    lc_buf effects = {0};
    const char *first = lc_effect_name(info->effects[LC_OPENTOFU].last);
    const char *second = lc_effect_name(info->effects[LC_TERRAFORM].last);
    lc_buf_add_c(&effects, first);
    if (strcmp(first, second) != 0)
        lc_buf_printf(&effects, "/%s", second);
    lc_buf_printf(out, "%-34.*s %-10s %-8s %-19.*s %.*s\n", LC_FMT(info->slug),
                  lc_strength_name(info->strength), lc_blame_name(info->blame),
                  LC_FMT(lc_buf_str(&effects)), LC_FMT(info->title));
    lc_buf_release(&effects);
}

/* Scripts cut these columns, so none is removed: the fourth is always `judged`. */
static void add_tsv_row(lc_buf *out, const lc_rule_info *info)
{
    lc_buf_printf(out, "%.*s\t%s\t%s\tjudged\t%.*s\t%.*s\t%.*s\n", LC_FMT(info->slug),
                  lc_strength_name(info->strength), lc_blame_name(info->blame),
                  LC_FMT(info->effects[LC_OPENTOFU].text), LC_FMT(info->effects[LC_TERRAFORM].text),
                  LC_FMT(info->title));
}

/* ---- JSON. */

static void add_message(void *context, lc_cores cores, const char *words)
{
    lc_doc *message = lc_doc_add_object(context, NULL);
    lc_cores_add_json(message, cores);
    lc_doc_add_str(message, "by", lc_cores_words(cores));
    lc_doc_add_c(message, "pattern", words + (*words == '^'));
}

/* Member names are older than the words of today ("promise", "judged"); programs read them. */
static void add_record(lc_doc *list, lc_rule rule)
{
    const lc_rule_info *info = lc_rule_get(rule);
    lc_buf versions = {0};
    lc_doc *doc = lc_doc_add_object(list, NULL);
    lc_doc_add_str(doc, "rule", info->slug);
    lc_doc_add_c(doc, "strength", lc_strength_name(info->strength));
    lc_doc_add_c(doc, "blame", lc_blame_name(info->blame));
    lc_doc_add_bool(doc, "judged", true);
    lc_doc_add_str(doc, "title", info->title);
    lc_doc_add_str(doc, "promise", info->requirement);
    lc_doc_add_str(doc, "applies_when", info->applies_when);
    lc_doc_add_str(doc, "opentofu", info->effects[LC_OPENTOFU].text);
    lc_doc_add_str(doc, "terraform", info->effects[LC_TERRAFORM].text);
    lc_doc *calls = lc_doc_add_array(doc, "calls");
    for (unsigned kind = 0; kind < LC_CALL_KIND_COUNT; kind++) {
        if (info->calls & LC_CALL_BIT(kind))
            lc_doc_add_c(calls, NULL, lc_call_kind_name((lc_call_kind)kind));
    }
    lc_doc *needs = lc_doc_add_array(doc, "needs");
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        if (info->needs >> need & 1u)
            lc_doc_add_c(needs, NULL, lc_need_name((lc_need)need));
    }
    lc_doc *fix = lc_doc_add_object(doc, "fix");
    lc_doc_add_str(fix, "framework", lc_rule_fix(info, LC_SDK_FRAMEWORK));
    lc_doc_add_str(fix, "sdkv2", lc_rule_fix(info, LC_SDK_SDKV2));
    lc_doc_add_str(doc, "quote", info->quote);
    lc_doc_add_str(doc, "clause", info->clause);
    lc_doc_add_str(doc, "core_function", info->core_function);
    lc_versions_add_all(&versions, rule);
    if (versions.len)
        lc_doc_add_str(doc, "versions", lc_buf_str(&versions));
    lc_error_words(rule, add_message, lc_doc_add_array(doc, "messages"));
    lc_doc_add_uint(doc, "since", info->since ? info->since : 1);
    lc_buf_release(&versions);
}

/* ---- The man page, section 7. */

/* Text that roff leaves as it is. */
static void add_roff(lc_buf *out, lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool line_start = out->len && out->ptr[out->len - 1] == '\n';
        if (line_start && (c == '.' || c == '\''))
            lc_buf_add_c(out, "\\&");
        if (c == '\\')
            lc_buf_add_c(out, "\\e");
        else if (c == '-')
            lc_buf_add_c(out, "\\-");
        else
            lc_buf_add_char(out, c);
    }
}

static void add_man_head(lc_buf *out)
{
    lc_buf_add_c(
        out,
        ".\\\" Made by: lifecheck rules --format man\n.TH LIFECHECK\\-RULES 7 \"\" \"lifecheck\" "
        "\"lifecheck\"\n.SH NAME\nlifecheck\\-rules \\- the rules that lifecheck checks\n.SH "
        "DESCRIPTION\nA rule is one requirement of the contract between a provider and its "
        "client.\nIts strength says how strict the requirement is:\nmust and should are words of "
        "the lifecycle document,\ncore is enforced by a client but is in no "
        "document,\nconvention is a protocol comment or a check of an SDK,\nsmell is a "
        "heuristic.\nThe next word says who is at fault: the provider, the client, or the "
        "evidence itself.\nThe effects are those of a violation in OpenTofu and Terraform;\nthe "
        "first condition that is met applies.\n.PP\n.B lifecheck explain\n.I RULE\nalso shows "
        "the source of the requirement and the inputs that are needed to check it.\nIt also "
        "explains diagnoses, which are listed at the end.\n");
}

static void add_man_rule(lc_buf *out, lc_rule rule)
{
    const lc_rule_info *info = lc_rule_get(rule);
    lc_buf versions = {0};
    lc_buf_add_c(out, ".TP\n.B ");
    add_roff(out, info->slug);
    lc_buf_add_c(out, "\n");
    add_roff(out, info->requirement);
    lc_buf_printf(out, "\n.br\n%s, %s.", lc_strength_name(info->strength),
                  lc_blame_name(info->blame));
    lc_buf_add_c(out, " OpenTofu: ");
    add_roff(out, info->effects[LC_OPENTOFU].text);
    lc_buf_add_c(out, ". Terraform: ");
    add_roff(out, info->effects[LC_TERRAFORM].text);
    lc_buf_add_c(out, ".\n");
    lc_versions_add_all(&versions, rule);
    if (versions.len) {
        lc_buf_add_c(out, "Versions: ");
        add_roff(out, lc_buf_str(&versions));
        lc_buf_add_c(out, ".\n");
    }
    lc_buf_release(&versions);
}

static void add_man_diagnoses(lc_buf *out)
{
    lc_buf_add_c(out, ".SH DIAGNOSES\nThe cause of a violation, as far as the values show it. A "
                      "finding has the most specific one.\nExact ones are proved by the values, "
                      "likely ones are the usual cause.\nA diagnosis never changes a verdict.\n");
    for (size_t i = 0; i < lc_diagnosis_count(); i++) {
        const lc_diagnosis_info *info = lc_diagnosis_get(i);
        lc_buf_add_c(out, ".TP\n.B ");
        add_roff(out, info->name);
        lc_buf_printf(out, "\n%s: ", info->exact ? "Exact" : "Likely");
        add_roff(out, info->why);
        lc_buf_add_c(out, ".\nSeen in: ");
        add_roff(out, info->looks_at);
        lc_buf_add_c(out, ".\n.br\nFramework: ");
        add_roff(out, info->fix_framework);
        lc_buf_add_c(out, ". SDKv2: ");
        add_roff(out, info->fix_sdkv2);
        lc_buf_add_c(out, ".\n");
    }
}

static void add_man(lc_buf *out)
{
    lc_str family = LC_STR_EMPTY;
    add_man_head(out);
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (!lc_str_eq(family, lc_rule_family((lc_rule)rule))) {
            family = lc_rule_family((lc_rule)rule);
            lc_buf_add_c(out, ".SH FAMILY ");
            add_roff(out, family);
            lc_buf_add_c(out, "\n");
        }
        add_man_rule(out, (lc_rule)rule);
    }
    add_man_diagnoses(out);
    lc_buf_add_c(out, ".SH SEE ALSO\n.BR lifecheck (1),\n.BR lifecheck\\-scenario (5)\n");
}

/* ---- The command. */

enum { TEXT, JSON, TSV, MAN, MARKDOWN, HTML };

void lc_rules_add_json(lc_buf *out, lc_str glob)
{
    lc_doc *list = lc_doc_array();
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (lc_str_matches_glob(lc_rule_get((lc_rule)rule)->slug, glob))
            add_record(list, (lc_rule)rule);
    }
    lc_doc_print(out, list);
    lc_buf_add_char(out, '\n');
}

static void add_rows(lc_buf *out, lc_str glob, unsigned format)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        const lc_rule_info *info = lc_rule_get((lc_rule)rule);
        if (!lc_str_matches_glob(info->slug, glob))
            continue;
        if (format == TSV)
            add_tsv_row(out, info);
        else
            add_row(out, info);
    }
}

lc_exit lc_cmd_rules(const lc_cli *cli)
{
    lc_str glob = cli->words.count ? cli->words.items[0] : LC_STR("*");
    lc_exit status = LC_EXIT_OK;
    if (cli->words.count > 1) {
        lc_message("rules takes one pattern; quote it, as in 'apply/*'");
        return LC_EXIT_USAGE;
    }
    if (cli->options.clauses && (lc_wants(cli, TSV) || lc_wants(cli, MAN) ||
                                 lc_wants(cli, MARKDOWN) || lc_wants(cli, HTML))) {
        lc_message("--clauses has the formats text and json");
        return LC_EXIT_USAGE;
    }
    if (!lc_rule_any_matches(glob)) {
        lc_report_unknown_word("the rule", glob, lc_rule_nearest(glob),
                               "`lifecheck rules` lists them");
        return LC_EXIT_USAGE;
    }
    for (unsigned format = TEXT; format <= HTML && status == LC_EXIT_OK; format++) {
        lc_buf out = {0};
        if (!lc_wants(cli, format))
            continue;
        if (cli->options.clauses)
            lc_clauses_add(&out, glob, format == JSON);
        else if (format == JSON)
            lc_rules_add_json(&out, glob);
        else if (format == MAN)
            add_man(&out);
        else if (format == MARKDOWN || format == HTML)
            lc_report_rules(&out, format == HTML, glob);
        else
            add_rows(&out, glob, format);
        status = lc_print(cli, format, &out);
    }
    return status;
}
