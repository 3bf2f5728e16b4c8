/* lifecheck explain: one row of the catalogue of rules or of the table of diagnoses, in full. */
#include "cli/embedded.h"
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/catalog/versions.h"
#include "lifecheck/diagnose/diagnose.h"
#include "lifecheck/diagnose/error_lookup.h"
#include "lifecheck/serve/serve.h"
#include "lifecheck/yaml_json/document.h"

#include <string.h>

#define LABEL 15 /* columns */
#define WIDTH 100

/* ---- Labelled, folded lines. */

static void add_prefixed(lc_page *out, const char *label, const char *prefix, lc_str text)
{
    lc_buf line = {0};
    if (text.len == 0)
        return;
    lc_buf_printf(&line, "%s%.*s", prefix, LC_FMT(text));
    lc_page_add(out, label, lc_buf_str(&line));
    lc_buf_release(&line);
}

/* ---- The row. */

static void add_strength(lc_page *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    lc_buf_printf(&line, "%s; at fault: %s", lc_strength_name(info->strength),
                  lc_blame_name(info->blame));
    lc_page_add(out, "strength", lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_document(lc_page *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    lc_rule_add_source(&line, info);
    lc_page_add(out, "source", lc_buf_str(&line));
    lc_buf_release(&line);
}

/* Most rules about the wire are checked in every call: the list would have them all. */
static void add_calls(lc_page *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    unsigned all = (1u << LC_RPC_KIND_COUNT) - 1u;
    unsigned objects = all & ~LC_CALL_BIT(LC_CALL_FUNCTION);
    if (info->calls == all)
        lc_buf_add_c(&line, "every call");
    else if (info->calls == objects)
        lc_buf_add_c(&line, "every call about an object");
    bool named = line.len > 0;
    for (unsigned kind = 0; !named && kind < LC_CALL_KIND_COUNT; kind++) {
        const char *rpc = lc_call_rpc((lc_call_kind)kind);
        if (info->calls & LC_CALL_BIT(kind))
            lc_buf_printf(&line, *rpc ? "%s%s (%s)" : "%s%s%s", line.len ? ", " : "",
                          lc_call_kind_name((lc_call_kind)kind), rpc);
    }
    lc_page_add(out, "checked in", lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_needs(lc_page *out, const lc_rule_info *info)
{
    lc_buf line = {0};
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        if (info->needs >> need & 1u)
            lc_buf_printf(&line, "%s%s", line.len ? ", " : "", lc_need_name((lc_need)need));
    }
    lc_page_add(out, "needs", lc_buf_str(&line));
    lc_buf_release(&line);
}

/* ---- Core messages, and an example scenario. */

static void each_words(void *context, lc_cores cores, const char *words)
{
    lc_page *out = context;
    lc_buf line = {0};
    lc_buf_add_c(&line, words + (*words == '^'));
    if (cores != LC_BOTH_CORES)
        lc_buf_printf(&line, " (%.*s)", LC_FMT(lc_cores_words(cores)));
    lc_page_add(out, "", lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_versions(lc_page *out, lc_rule rule)
{
    lc_buf line = {0};
    lc_versions_add_all(&line, rule);
    lc_page_add(out, "versions", lc_buf_str(&line));
    lc_buf_release(&line);
}

/* Built apart, so that the legend is only there if there is a message. */
static void add_says(lc_page *out, lc_rule rule)
{
    lc_page words = {.label = out->label, .width = out->width};
    lc_error_words(rule, each_words, &words);
    if (words.text.len) {
        lc_page_add(out, "message",
                    LC_STR("(%v a value, %a an address, %q a provider, %* anything)"));
        lc_buf_add_str(&out->text, lc_buf_str(&words.text));
    }
    lc_buf_release(&words.text);
}

static void add_scenario(lc_page *out, lc_str slug, bool fails)
{
    const lc_embedded *e = lc_embedded_scenario(slug, fails);
    if (!e)
        return;
    lc_buf_printf(&out->text, "\n%s: %s\n", fails ? "violation" : "near miss", e->path);
    for (const char *c = e->text, *start = c; *c; c++) {
        if (c == start || c[-1] == '\n')
            lc_buf_add_c(&out->text, *c == '\n' ? "" : "  ");
        lc_buf_add_char(&out->text, *c);
    }
}

/* One line if the fix is the same for both SDKs. */
static void add_fixes(lc_page *out, lc_str framework, lc_str sdkv2)
{
    if (lc_str_eq(framework, sdkv2)) {
        lc_page_add(out, "fix", framework);
        return;
    }
    add_prefixed(out, "fix", "framework: ", framework);
    add_prefixed(out, "", "SDKv2: ", sdkv2);
}

/* How to try what follows from a violation. */
static void add_break(lc_page *out, const lc_rule_info *info)
{
    lc_serve_break b;
    lc_buf text = {0};
    if (!lc_serve_break_read(&b, info->slug))
        return;
    lc_buf_printf(&text, "lifecheck serve --break %.*s violates it on purpose", LC_FMT(info->slug));
    lc_page_add(out, "try", lc_buf_str(&text));
    lc_buf_release(&text);
}

static void add_explanation(lc_page *out, lc_rule rule, const lc_rule_info *info)
{
    lc_buf_printf(&out->text, "%.*s: %.*s\n", LC_FMT(info->slug), LC_FMT(info->title));
    lc_page_add(out, "requirement", info->requirement);
    add_strength(out, info);
    add_document(out, info);
    add_calls(out, info);
    lc_page_add(out, "applies when", info->applies_when);
    add_needs(out, info);
    lc_page_add(out, "OpenTofu", info->effects[LC_OPENTOFU].text);
    lc_page_add(out, "Terraform", info->effects[LC_TERRAFORM].text);
    add_versions(out, rule);
    add_says(out, rule);
    lc_page_add(out, "mirrors", info->core_function);
    add_fixes(out, lc_rule_fix(info, LC_SDK_FRAMEWORK), lc_rule_fix(info, LC_SDK_SDKV2));
    add_break(out, info);
    add_scenario(out, info->slug, true);
    add_scenario(out, info->slug, false);
}

/* ---- Diagnoses: their names have no slash. */

static void add_diagnosis(lc_page *out, const lc_diagnosis_info *info)
{
    lc_buf_printf(&out->text, "%.*s: a diagnosis, %s\n", LC_FMT(info->name),
                  info->exact ? "exact: the values prove it" : "likely: the usual cause");
    lc_page_add(out, "why", info->why);
    lc_page_add(out, "seen in", info->looks_at);
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

/* The rules whose name has `word` after its slash: element-appeared is in several families. */
static bool report_families(lc_arena *arena, lc_str word)
{
    lc_buf list = {0};
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_str slug = lc_rule_get((lc_rule)rule)->slug;
        size_t slash = lc_str_find(slug, 0, '/');
        if (slash < slug.len && lc_str_eq(lc_str_sub(slug, slash + 1, slug.len), word))
            lc_buf_printf(&list, "%s%.*s", list.len ? ", " : "", LC_FMT(slug));
    }
    lc_str names = lc_buf_take(arena, &list);
    if (names.len)
        lc_message("a rule is named with its family: did you mean %.*s?", LC_FMT(names));
    return names.len > 0;
}

static bool is_family(lc_str word)
{
    unsigned i = 0;
    while (i < LC_RULE_COUNT && !lc_str_eq(lc_rule_family((lc_rule)i), word))
        i++;
    return i < LC_RULE_COUNT;
}

/* A pattern, a name without its family, or a misspelt name: each has its own advice. */
static lc_exit report_unknown(lc_arena *arena, lc_str word)
{
    if (lc_str_find(word, 0, '*') < word.len || lc_str_find(word, 0, '?') < word.len) {
        lc_message("explain takes one rule; lifecheck rules '%.*s' lists those of a pattern",
                   LC_FMT(word));
        return LC_EXIT_USAGE;
    }
    if (lc_str_find(word, 0, ' ') < word.len) {
        lc_message("this is not the name of a rule; lifecheck explain --error 'MESSAGE' finds the "
                   "rule behind an error");
        return LC_EXIT_USAGE;
    }
    if (is_family(word)) {
        lc_message("explain takes one rule; lifecheck rules '%.*s/*' lists those of the family",
                   LC_FMT(word));
        return LC_EXIT_USAGE;
    }
    if (report_families(arena, word))
        return LC_EXIT_USAGE;
    bool rule = word.len && memchr(word.ptr, '/', word.len);
    lc_str near = rule ? lc_rule_nearest(word) : lc_diagnosis_nearest(word);
    if (!rule && near.len == 0)
        near = lc_rule_nearest(word);
    lc_report_unknown_word(rule ? "the rule" : "the rule or diagnosis", word, near,
                           "`lifecheck rules` lists the rules");
    return LC_EXIT_USAGE;
}

lc_exit lc_cmd_explain(const lc_cli *cli)
{
    lc_rule rule;
    lc_page text = lc_page_begin(cli, LABEL, WIDTH);
    lc_buf json = {0};
    if (cli->options.error)
        return lc_explain_error(cli);
    if (cli->words.count != 1) {
        lc_message("explain takes one rule, as in lifecheck explain apply/changed, or --error");
        return LC_EXIT_USAGE;
    }
    const lc_diagnosis_info *diagnosis = lc_diagnosis_find(cli->words.items[0]);
    if (diagnosis) {
        add_diagnosis_json(&json, diagnosis);
        add_diagnosis(&text, diagnosis);
    } else if (lc_rule_from_slug(&rule, cli->words.items[0])) {
        lc_rules_add_json(&json, cli->words.items[0]);
        add_explanation(&text, rule, lc_rule_get(rule));
    } else {
        return report_unknown(cli->arena, cli->words.items[0]);
    }
    return lc_print_both(cli, &text.text, &json);
}
