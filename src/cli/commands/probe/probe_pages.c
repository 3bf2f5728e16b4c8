/* The questions to a whole provider and its answers, for release notes: findings first, then what
 * was not examined, then the rest, folded. */
#include "cli/commands/probe/probe_pages.h"
#include "lifecheck/base/arena.h"

#define RULES_SHOWN 6 /* of a cell */

typedef struct page {
    const lc_probe_result *result;
    lc_arena *arena;
    lc_sheet *sheet;
} page;

/* The pointer is good until the next part. */
static lc_sheet_part *add_part(page *p, const lc_sheet_part *part)
{
    lc_sheet_part *added = LC_PUSH(p->arena, &p->sheet->parts, lc_sheet_part);
    *added = *part;
    return added;
}

static lc_sheet_row *add_row(page *p, lc_sheet_part *part, lc_severity severity)
{
    lc_sheet_row *row = LC_PUSH(p->arena, &part->rows, lc_sheet_row);
    *row = (lc_sheet_row){.severity = severity};
    return row;
}

static lc_str number_text(const page *p, uint64_t n)
{
    return lc_str_printf(p->arena, "%llu", (unsigned long long)n);
}

static lc_str seconds_text(const page *p, int64_t ms)
{
    return ms ? lc_str_printf(p->arena, "%.1f s", (double)ms / 1000) : LC_STR_EMPTY;
}

static lc_str law_text(const page *p, lc_law law)
{
    const lc_law_info *info = lc_law_get(law);
    return lc_str_printf(p->arena, "%u %.*s", info->number, LC_FMT(info->id));
}

/* ---- The head. */

static void add_note(page *p, lc_str text)
{
    *LC_PUSH(p->arena, &p->sheet->notes, lc_str) = text;
}

static size_t count_tried(const lc_probe_result *r, bool tried)
{
    size_t count = 0;
    for (unsigned law = 0; law < LC_LAW_COUNT; law++)
        count += r->laws[law] && lc_probe_tried(r, (lc_law)law) == tried;
    return count;
}

static void add_counts(page *p)
{
    const lc_probe_result *r = p->result;
    add_note(p, lc_str_printf(p->arena,
                              "%zu finding%s that fail%s, %zu warning%s; %zu of %zu types "
                              "accepted a configuration; %zu laws were tried%s",
                              r->failing, r->failing == 1 ? "" : "s", r->failing == 1 ? "s" : "",
                              r->warnings, r->warnings == 1 ? "" : "s", r->configured,
                              r->types.count + r->left_out, count_tried(r, true),
                              count_tried(r, false) ? ", others could not be" : ""));
    lc_str took = seconds_text(p, r->took_ms);
    add_note(p, lc_str_printf(p->arena,
                              "%llu calls%s%.*s, protocol %d, seed %llu; nothing was applied, "
                              "imported or read",
                              (unsigned long long)r->calls, took.len ? " in " : "", LC_FMT(took),
                              r->protocol, (unsigned long long)r->seed));
    if (r->died || r->hung)
        add_note(p, lc_str_printf(p->arena,
                                  "the provider exited in %u call%s, and did not respond in time "
                                  "to %u",
                                  r->died, r->died == 1 ? "" : "s", r->hung));
    if (r->not_configured.len)
        add_note(p, lc_str_printf(p->arena, "the provider itself was not configured: %.*s",
                                  LC_FMT(r->not_configured)));
    if (r->stopped.len)
        add_note(p, lc_str_printf(p->arena, "stopped: %.*s; %zu types were not reached",
                                  LC_FMT(r->stopped), r->left_out));
}

static void add_head(page *p)
{
    const lc_probe_result *r = p->result;
    p->sheet->title = lc_str_printf(p->arena, "lifecheck probe: %.*s%s%.*s", LC_FMT(r->provider),
                                    r->version.len ? " " : "", LC_FMT(r->version));
    p->sheet->mark = r->failing ? "error" : r->warnings || !r->configured ? "warning" : "good";
    add_counts(p);
}

/* ---- Findings. */

static void add_finding(page *p, lc_sheet_part *part, const lc_probe_type *type,
                        const lc_probe_finding *f)
{
    lc_sheet_row *row = add_row(p, part, f->severity);
    row->cells[0] = lc_rule_get(f->rule)->slug;
    row->cells[1] = type->name;
    row->cells[2] = f->path;
    row->cells[3] = f->message;
    row->cells[4] = law_text(p, f->law);
    row->cells[5] = f->file.len ? f->file : f->unwritten;
}

/* Findings of a type that is like another are counted there. What fails is open, the rest folded.
 */
static void add_findings(page *p, const char *title, bool fails)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = title,
                                     .heads = {"rule", "type", "path", "why", "law", "scenario"},
                                     .columns = 6,
                                     .codes = 1 | 2 | 4 | 32,
                                     .folded = !fails});
    for (size_t i = 0; i < p->result->types.count; i++) {
        const lc_probe_type *type = &p->result->types.items[i];
        for (size_t k = 0; k < type->findings.count && !type->same_as.len; k++) {
            const lc_probe_finding *f = &type->findings.items[k];
            if (f->fails == fails && !f->tolerated)
                add_finding(p, part, type, f);
        }
    }
}

/* One line a type: every provider built on SDKv2 has many of them. */
static lc_str tolerated_rules(const page *p, const lc_probe_type *type)
{
    lc_buf text = {0};
    bool seen[LC_RULE_COUNT] = {false};
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < type->findings.count; i++) {
        const lc_probe_finding *f = &type->findings.items[i];
        if (!f->tolerated || seen[f->rule])
            continue;
        seen[f->rule] = true;
        if (shown < RULES_SHOWN)
            lc_buf_printf(&text, "%s%.*s", shown++ ? ", " : "", LC_FMT(lc_rule_get(f->rule)->slug));
        else
            more++;
    }
    if (more)
        lc_buf_printf(&text, " and %zu more", more);
    return lc_buf_take(p->arena, &text);
}

static void add_tolerated(page *p)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = "Tolerated for SDKv2 only, errors elsewhere",
                                     .heads = {"type", "rules", "findings"},
                                     .columns = 3,
                                     .codes = 1,
                                     .folded = true});
    for (size_t i = 0; i < p->result->types.count; i++) {
        const lc_probe_type *type = &p->result->types.items[i];
        if (type->tolerated == 0)
            continue;
        lc_sheet_row *row = add_row(p, part, LC_HIDDEN);
        row->cells[0] = type->name;
        row->cells[1] = tolerated_rules(p, type);
        row->cells[2] = number_text(p, type->tolerated);
    }
}

/* ---- What was not looked at. */

static void add_not_configured(page *p)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = "Not configured: no law was tried with these types",
                                     .heads = {"type", "why"},
                                     .columns = 2,
                                     .codes = 1,
                                     .folded = true});
    for (size_t i = 0; i < p->result->types.count; i++) {
        const lc_probe_type *type = &p->result->types.items[i];
        if (type->configured)
            continue;
        lc_sheet_row *row = add_row(p, part, LC_HIDDEN);
        row->cells[0] = type->name;
        row->cells[1] = type->why_not;
    }
}

typedef struct law_sum {
    size_t tried, not_tried, findings;
    lc_str why; /* of the first type with which it was not tried */
} law_sum;

/* Tried with some types and not with others; one reason stands for all. */
static law_sum sum_of(const page *p, lc_law law)
{
    law_sum sum = {0};
    for (size_t i = 0; i < p->result->types.count; i++) {
        const lc_probe_type *type = &p->result->types.items[i];
        bool tried = type->laws[law].trials > 0;
        sum.tried += tried;
        sum.not_tried += !tried;
        if (!tried && sum.why.len == 0)
            sum.why = type->laws[law].why;
        for (size_t k = 0; k < type->findings.count; k++)
            sum.findings += type->findings.items[k].law == law;
    }
    return sum;
}

static void add_laws(page *p)
{
    lc_sheet_part *part = add_part(
        p, &(lc_sheet_part){
               .title = "Laws",
               .clause = "The number of types that each law was tried with, and the reason for the "
                         "first type that it was not tried with.",
               .heads = {"law", "what it says", "strength", "tried", "findings", "not tried"},
               .columns = 6,
               .codes = 1,
               .folded = true});
    for (unsigned i = 0; i < LC_LAW_COUNT; i++) {
        lc_law law = (lc_law)i;
        if (!p->result->laws[law])
            continue;
        law_sum sum = sum_of(p, law);
        lc_sheet_row *row = add_row(p, part, LC_HIDDEN);
        row->cells[0] = law_text(p, law);
        row->cells[1] = lc_law_get(law)->title;
        row->cells[2] = lc_str_from_c(lc_strength_name(lc_law_get(law)->strength));
        row->cells[3] = number_text(p, sum.tried);
        row->cells[4] = number_text(p, sum.findings);
        row->cells[5] = sum.not_tried
                            ? lc_str_printf(p->arena, "%zu: %.*s", sum.not_tried, LC_FMT(sum.why))
                            : LC_STR_EMPTY;
    }
}

static void add_types(page *p)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = "Types that accepted a configuration",
                                     .heads = {"type", "configurations", "laws tried", "findings",
                                               "calls", "time"},
                                     .columns = 6,
                                     .codes = 1,
                                     .folded = true});
    for (size_t i = 0; i < p->result->types.count; i++) {
        const lc_probe_type *type = &p->result->types.items[i];
        size_t laws = 0;
        if (!type->configured)
            continue;
        for (unsigned law = 0; law < LC_LAW_COUNT; law++)
            laws += type->laws[law].trials > 0;
        lc_sheet_row *row = add_row(p, part, LC_HIDDEN);
        row->cells[0] = type->name;
        row->cells[1] = number_text(p, type->configurations);
        row->cells[2] = lc_str_printf(p->arena, "%zu%s", laws,
                                      type->asked_all ? "" : "; time or calls ran out");
        row->cells[3] = number_text(p, type->findings.count);
        row->cells[4] = number_text(p, type->calls);
        row->cells[5] = seconds_text(p, type->took_ms);
    }
}

void lc_probe_sheet(lc_sheet *out, lc_arena *arena, const lc_probe_result *result)
{
    page p = {result, arena, out};
    *out = (lc_sheet){0};
    add_head(&p);
    add_findings(&p, "Findings that fail", true);
    add_findings(&p, "Other findings", false);
    add_not_configured(&p);
    add_tolerated(&p);
    add_laws(&p);
    add_types(&p);
}
