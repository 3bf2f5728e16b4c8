/* lifecheck explain: one row of the catalogue of rules or of the table of diagnoses, in full. */
#include "cli/embedded.h"
#include "cli/internal.h"
#include "lifecheck/arena.h"
#include "lifecheck/diagnose.h"
#include "lifecheck/document.h"
#include "lifecheck/error_lookup.h"
#include "lifecheck/utf8.h"

#include <string.h>

#define BLANK "               " /* below a label */
#define LABEL (sizeof BLANK - 1)
#define WIDTH 100

/* ---- Labelled, folded lines. */

static void add_folded(lc_buf *out, lc_str text)
{
    lc_buf_add_folded(out, text, LABEL, WIDTH, LC_STR(BLANK));
    lc_buf_add_char(out, '\n');
}

static void add_line(lc_buf *out, const char *label, lc_str text)
{
    if (text.len == 0)
        return;
    lc_buf_printf(out, "  %-*s", (int)LABEL - 2, label);
    add_folded(out, text);
}

static void add_prefixed(lc_buf *out, const char *label, const char *prefix, lc_str text)
{
    lc_buf line = {0};
    if (text.len == 0)
        return;
    lc_buf_printf(&line, "%s%.*s", prefix, LC_FMT(text));
    add_line(out, label, lc_buf_str(&line));
    lc_buf_release(&line);
}

/* ---- The row. */

static void add_strength(lc_buf *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    lc_buf_printf(&line, "%s; the blame is on the %s", lc_strength_name(info->strength),
                  lc_blame_name(info->blame));
    if (!info->judged)
        lc_buf_add_c(&line, "; not judged by this version");
    add_line(out, "strength", lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_document(lc_buf *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    if (info->quote.len)
        lc_buf_printf(&line, "\"%.*s\" (%.*s)", LC_FMT(info->quote), LC_FMT(info->clause));
    else
        lc_buf_add_str(&line, info->clause);
    add_line(out, "document", lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_calls(lc_buf *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    unsigned all = (1u << LC_RPC_KIND_COUNT) - 1u;
    if (info->calls == all)
        lc_buf_add_c(&line, "every call");
    for (unsigned kind = 0; info->calls != all && kind < LC_CALL_KIND_COUNT; kind++) {
        const char *rpc = lc_call_rpc((lc_call_kind)kind);
        if (info->calls & LC_CALL_BIT(kind))
            lc_buf_printf(&line, *rpc ? "%s%s (%s)" : "%s%s%s", line.len ? ", " : "",
                          lc_call_kind_name((lc_call_kind)kind), rpc);
    }
    add_line(out, "judged in", lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_needs(lc_buf *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        if (info->needs >> need & 1u)
            lc_buf_printf(&line, "%s%s", line.len ? ", " : "", lc_need_name((lc_need)need));
    }
    add_line(out, "needs", lc_buf_str(&line));
    lc_buf_release(&line);
}

/* ---- What the cores say, and what it looks like in a scenario. */

static void each_words(void *context, const char *words)
{
    lc_buf *out = context;
    add_line(out, "", lc_str_from_c(words + (*words == '^')));
}

static void add_says(lc_buf *out, lc_rule rule)
{
    lc_buf words = {0};
    lc_error_words(rule, each_words, &words);
    if (words.len) {
        add_line(out, "they say",
                 LC_STR("(%v a value, %a an address, %q a provider, %* anything)"));
        lc_buf_add_str(out, lc_buf_str(&words));
    }
    lc_buf_release(&words);
}

static void add_scenario(lc_buf *out, lc_str slug, bool fails)
{
    const lc_embedded *e = lc_embedded_scenario(slug, fails);
    if (!e)
        return;
    lc_buf_printf(out, "\n%s: %s\n", fails ? "broken" : "kept, as a near miss", e->path);
    for (const char *c = e->text, *start = c; *c; c++) {
        if (c == start || c[-1] == '\n')
            lc_buf_add_c(out, *c == '\n' ? "" : "  ");
        lc_buf_add_char(out, *c);
    }
}

/* One where both SDKs want the same, or neither can help. */
static void add_fixes(lc_buf *out, lc_str framework, lc_str sdkv2)
{
    if (lc_str_eq(framework, sdkv2)) {
        add_line(out, "fix", framework);
        return;
    }
    add_prefixed(out, "fix", "framework: ", framework);
    add_prefixed(out, "", "SDKv2: ", sdkv2);
}

static void add_explanation(lc_buf *out, lc_rule rule, const lc_rule_info *info)
{
    lc_buf_printf(out, "%.*s: %.*s\n", LC_FMT(info->slug), LC_FMT(info->title));
    add_line(out, "promise", info->promise);
    add_strength(out, info);
    add_document(out, info);
    add_calls(out, info);
    add_line(out, "applies when", info->applies_when);
    add_needs(out, info);
    add_line(out, "OpenTofu", info->effects[LC_OPENTOFU]);
    add_line(out, "Terraform", info->effects[LC_TERRAFORM]);
    add_says(out, rule);
    add_line(out, "mirrors", info->core_function);
    add_fixes(out, info->fix_framework, info->fix_sdkv2);
    add_scenario(out, info->slug, true);
    add_scenario(out, info->slug, false);
}

/* ---- Diagnoses: their names have no slash. */

static void add_diagnosis(lc_buf *out, const lc_diagnosis_info *info)
{
    lc_buf_printf(out, "%.*s: a diagnosis, %s\n", LC_FMT(info->name),
                  info->exact ? "exact: the values prove it" : "likely: the usual cause");
    add_line(out, "why", info->why);
    add_line(out, "seen in", info->looks_at);
    add_fixes(out, info->fix_framework, info->fix_sdkv2);
}

static void add_diagnosis_json(lc_buf *out, const lc_diagnosis_info *info)
{
    lc_doc *list = lc_doc_array(), *doc = lc_doc_add_object(list, NULL);
    lc_doc_add_str(doc, "diagnosis", info->name);
    lc_doc_add_c(doc, "confidence", info->exact ? "exact" : "likely");
    lc_doc_add_str(doc, "why", info->why);
    lc_doc_add_str(doc, "seen_in", info->looks_at);
    lc_doc *fix = lc_doc_add_object(doc, "fix");
    lc_doc_add_str(fix, "framework", info->fix_framework);
    lc_doc_add_str(fix, "sdkv2", info->fix_sdkv2);
    lc_doc_print(out, list);
    lc_buf_add_char(out, '\n');
}

static lc_exit tell_unknown(lc_str word)
{
    bool rule = word.len && memchr(word.ptr, '/', word.len);
    lc_str near = rule ? lc_rule_nearest(word) : lc_diagnosis_nearest(word);
    if (!rule && near.len == 0)
        near = lc_rule_nearest(word);
    lc_report_unknown_word(rule ? "the rule" : "the rule or diagnosis", word, near);
    return LC_EXIT_USAGE;
}

lc_exit lc_cmd_explain(const lc_cli *cli)
{
    static const char *const formats[] = {"text", "json", NULL};
    unsigned format = 0;
    lc_rule rule;
    lc_buf out = {0};
    if (!lc_cli_choice(cli, LC_OPTION_FORMAT, formats, &format))
        return LC_EXIT_USAGE;
    if (lc_cli_has(cli, LC_OPTION_ERROR))
        return lc_explain_error(cli, format == 1);
    if (cli->words.count != 1) {
        lc_message("explain takes one rule, as in lifecheck explain apply/changed, or --error");
        return LC_EXIT_USAGE;
    }
    const lc_diagnosis_info *diagnosis = lc_diagnosis_find(cli->words.items[0]);
    if (diagnosis && format == 1)
        add_diagnosis_json(&out, diagnosis);
    else if (diagnosis)
        add_diagnosis(&out, diagnosis);
    if (diagnosis)
        return lc_print(&out);
    if (!lc_rule_from_slug(&rule, cli->words.items[0]))
        return tell_unknown(cli->words.items[0]);
    if (format == 1)
        return lc_cmd_rules(cli);
    add_explanation(&out, rule, lc_rule_get(rule));
    return lc_print(&out);
}
