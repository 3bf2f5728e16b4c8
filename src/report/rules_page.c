/* Every rule on one page: what `rules --format html` and `--format markdown` print. Other reports
 * link to a rule by its slug. */
#include "report/html/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/versions.h"

/* The sections about a rule, in this order; empty ones are left out. */
typedef struct fact {
    const char *label;
    lc_str text;
} fact;
#define FACTS 11

static lc_str joined(lc_arena *arena, lc_str a, const char *between, lc_str b)
{
    return b.len ? lc_str_printf(arena, "%.*s%s%.*s", LC_FMT(a), between, LC_FMT(b)) : a;
}

static lc_str calls_of(lc_arena *arena, const lc_rule_info *info)
{
    lc_buf out = {0};
    for (unsigned kind = 0; kind < LC_CALL_KIND_COUNT; kind++) {
        if (info->calls & LC_CALL_BIT(kind))
            lc_buf_printf(&out, "%s%s", out.len ? ", " : "", lc_call_kind_name((lc_call_kind)kind));
    }
    return lc_buf_take(arena, &out);
}

static lc_str needs_of(lc_arena *arena, const lc_rule_info *info)
{
    lc_buf out = {0};
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        if (info->needs >> need & 1u)
            lc_buf_printf(&out, "%s%s", out.len ? ", " : "", lc_need_name((lc_need)need));
    }
    return lc_buf_take(arena, &out);
}

static lc_str source_of(lc_arena *arena, const lc_rule_info *info)
{
    lc_buf out = {0};
    lc_rule_add_source(&out, info);
    return lc_buf_take(arena, &out);
}

static lc_str versions_of(lc_arena *arena, lc_str slug)
{
    lc_buf out = {0};
    lc_rule rule;
    if (lc_rule_from_slug(&rule, slug))
        lc_versions_add_all(&out, rule);
    return lc_buf_take(arena, &out);
}

static void collect(fact *out, lc_arena *arena, const lc_rule_info *info)
{
    unsigned since = info->since ? info->since : 1;
    lc_str strength = lc_str_printf(arena, "%s; at fault: %s", lc_strength_name(info->strength),
                                    lc_blame_name(info->blame));
    const fact facts[FACTS] = {
        {"Strength", strength},
        {"Source", joined(arena, source_of(arena, info), "; ", info->core_function)},
        {"Checked in", calls_of(arena, info)},
        {"Applies when", info->applies_when},
        {"Needs", needs_of(arena, info)},
        {"OpenTofu", info->effects[LC_OPENTOFU].text},
        {"Terraform", info->effects[LC_TERRAFORM].text},
        {"Versions", versions_of(arena, info->slug)},
        {"Fix, framework", lc_rule_fix(info, LC_SDK_FRAMEWORK)},
        {"Fix, SDKv2", lc_rule_fix(info, LC_SDK_SDKV2)},
        {"In the rules since", lc_str_printf(arena, "version %u", since)},
    };
    for (size_t i = 0; i < FACTS; i++)
        out[i] = facts[i];
}

/* ---- Markdown. */

static void add_markdown(lc_buf *out, lc_arena *arena, const lc_rule_info *info)
{
    fact facts[FACTS];
    collect(facts, arena, info);
    lc_buf_printf(out, "### <a id=\"%.*s\"></a>%.*s\n\n**", LC_FMT(info->slug), LC_FMT(info->slug));
    lc_markdown_words(out, info->title);
    lc_buf_add_c(out, ".** ");
    lc_markdown_words(out, info->requirement);
    lc_buf_add_c(out, "\n\n");
    for (size_t i = 0; i < FACTS; i++) {
        if (facts[i].text.len == 0)
            continue;
        lc_buf_printf(out, "* %s: ", facts[i].label);
        lc_markdown_words(out, facts[i].text);
        lc_buf_add_char(out, '\n');
    }
    lc_buf_add_char(out, '\n');
}

/* ---- HTML. */

static void add_html(lc_buf *out, lc_arena *arena, const lc_rule_info *info)
{
    fact facts[FACTS];
    collect(facts, arena, info);
    lc_buf_printf(
        out, "<section id=\"%.*s\"><h3><a href=\"#%.*s\"><code>%.*s</code></a></h3>\n<p><strong>",
        LC_FMT(info->slug), LC_FMT(info->slug), LC_FMT(info->slug));
    lc_html_prose(out, info->title);
    lc_buf_add_c(out, ".</strong> ");
    lc_html_prose(out, info->requirement);
    lc_buf_add_c(out, "</p>\n<dl class=\"about\">\n");
    for (size_t i = 0; i < FACTS; i++)
        lc_html_term(out, facts[i].label, facts[i].text);
    lc_buf_add_c(out, "</dl></section>\n");
}

/* Families, to jump to. */
static void add_contents(lc_buf *out, lc_str glob)
{
    lc_str family = LC_STR_EMPTY;
    lc_buf_add_c(out, "<nav><p>");
    for (unsigned i = 0; i < LC_RULE_COUNT; i++) {
        lc_str own = lc_rule_family((lc_rule)i);
        if (!lc_str_matches_glob(lc_rule_get((lc_rule)i)->slug, glob) || lc_str_eq(own, family))
            continue;
        lc_buf_printf(out, "%s<a href=\"#family-%.*s\">%.*s</a>", family.len ? ", " : "",
                      LC_FMT(own), LC_FMT(own));
        family = own;
    }
    lc_buf_add_c(out, "</p></nav>\n");
}

static void add_html_head(lc_buf *out, lc_str glob)
{
    lc_html_begin(out, LC_STR("The rules of lifecheck"));
    lc_buf_add_c(
        out,
        "<h1>The rules of lifecheck</h1>\n"
        "<p>Each rule is one requirement of the contract between a provider and its client.</p>\n");
    add_contents(out, glob);
}

/* ---- The page. */

static void add_family(lc_buf *out, bool html, lc_str family)
{
    if (html)
        lc_buf_printf(out, "<h2 id=\"family-%.*s\">%.*s</h2>\n", LC_FMT(family), LC_FMT(family));
    else
        lc_buf_printf(out, "## %.*s\n\n", LC_FMT(family));
}

void lc_report_rules(lc_buf *out, bool html, lc_str glob)
{
    lc_arena *arena = lc_arena_new();
    lc_str family = LC_STR_EMPTY;
    if (html)
        add_html_head(out, glob);
    else
        lc_buf_add_c(
            out, "# The rules of lifecheck\n\nEach rule is one requirement of the contract between "
                 "a provider and its client. Made by `lifecheck rules --format markdown`.\n\n");
    for (unsigned i = 0; i < LC_RULE_COUNT; i++) {
        const lc_rule_info *info = lc_rule_get((lc_rule)i);
        if (!lc_str_matches_glob(info->slug, glob))
            continue;
        if (!lc_str_eq(family, lc_rule_family((lc_rule)i)))
            add_family(out, html, lc_rule_family((lc_rule)i));
        family = lc_rule_family((lc_rule)i);
        if (html)
            add_html(out, arena, info);
        else
            add_markdown(out, arena, info);
        lc_arena_reset(arena);
    }
    if (html)
        lc_html_end(out);
    lc_arena_free(arena);
}
