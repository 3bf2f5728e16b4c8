/* lifecheck gate for a pull request: its verdict, what is new and what is fixed, and the rest
 * folded, as Markdown and HTML. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/report/sheet.h"

enum { IN_MARKDOWN = LC_IN_JSON + 1, IN_HTML };

#define NAMES_SHOWN 8 /* rules of a cell */

typedef struct page {
    const lc_gate *gate;
    lc_arena *arena;
    lc_sheet sheet;
} page;

/* The pointer is good until the next part. */
static lc_sheet_part *add_part(page *p, const lc_sheet_part *part)
{
    lc_sheet_part *added = LC_PUSH(p->arena, &p->sheet.parts, lc_sheet_part);
    *added = *part;
    return added;
}

static lc_sheet_row *add_row(page *p, lc_sheet_part *part, lc_severity severity)
{
    lc_sheet_row *row = LC_PUSH(p->arena, &part->rows, lc_sheet_row);
    row->severity = severity;
    return row;
}

/* ---- The head. */

/* The first line of the verdict is `pass: what was counted`. */
static void add_title(page *p, lc_str line)
{
    size_t colon = lc_str_find(line, 0, ':');
    lc_str rest = lc_str_sub(line, colon + (colon < line.len), line.len);
    p->sheet.title =
        lc_str_printf(p->arena, "lifecheck gate: %.*s", LC_FMT(lc_str_sub(line, 0, colon)));
    while (rest.len && rest.ptr[0] == ' ')
        rest = lc_str_sub(rest, 1, rest.len);
    if (rest.len)
        *LC_PUSH(p->arena, &p->sheet.notes, lc_str) = rest;
}

/* Each line of the verdict is a sentence of its own. */
static void add_verdict(page *p)
{
    lc_buf text = {0};
    lc_exit status = lc_gate_status(p->gate);
    lc_gate_add_verdict(&text, p->gate);
    lc_str words = lc_buf_take(p->arena, &text);
    while (words.len) {
        size_t end = lc_str_find(words, 0, '\n'), from = 0;
        while (from < end && words.ptr[from] == ' ')
            from++;
        lc_str line = lc_str_sub(words, from, end);
        words = lc_str_sub(words, end + (end < words.len), words.len);
        if (line.len && p->sheet.title.len)
            *LC_PUSH(p->arena, &p->sheet.notes, lc_str) = line;
        else if (line.len)
            add_title(p, line);
    }
    p->sheet.mark = status == LC_EXIT_OK ? "good" : status == LC_EXIT_FAILED ? "error" : "warning";
    *LC_PUSH(p->arena, &p->sheet.notes, lc_str) = lc_str_printf(
        p->arena,
        "%llu case%s of the old version, %llu of the new one; findings: %zu new, %zu fixed, %zu "
        "changed, %zu as before",
        (unsigned long long)p->gate->before.cases, p->gate->before.cases == 1 ? "" : "s",
        (unsigned long long)p->gate->after.cases, p->gate->diffs.of[LC_FINDING_NEW],
        p->gate->diffs.of[LC_FINDING_FIXED], p->gate->diffs.of[LC_FINDING_CHANGED],
        p->gate->diffs.same);
}

/* ---- Findings. */

static lc_str place_text(const page *p, const lc_sum *sum)
{
    lc_str file = sum->loc.file.len ? sum->loc.file : LC_STR("-");
    if (!sum->loc.line)
        return file;
    return lc_str_printf(p->arena, "%.*s:%u:%u", LC_FMT(file), (unsigned)sum->loc.line,
                         (unsigned)sum->loc.column);
}

static lc_str count_text(const page *p, const lc_finding_diff *found)
{
    unsigned long long before = found->before ? found->before->count : 0;
    unsigned long long after = found->after ? found->after->count : 0;
    if (found->before && found->after && found->before->worst != found->after->worst)
        return lc_str_printf(p->arena, "%llu to %llu, was %s", before, after,
                             lc_severity_name(found->before->worst));
    return lc_str_printf(p->arena, "%llu to %llu", before, after);
}

static lc_str message_text(const page *p, const lc_sum *sum)
{
    if (sum->blame == LC_PROVIDER)
        return sum->message;
    return lc_str_printf(p->arena, "%.*s (blamed on the %s)", LC_FMT(sum->message),
                         lc_blame_name(sum->blame));
}

/* `codes`: bits of the columns that are code. */
static void add_findings(page *p, lc_difference difference, const char *title, bool folded)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = title,
                                     .heads = {"rule", "type", "path", "why", "place", "count"},
                                     .columns = 6,
                                     .codes = 1 | 2 | 4 | 16,
                                     .folded = folded});
    for (size_t i = 0; i < p->gate->diffs.count; i++) {
        const lc_finding_diff *found = &p->gate->diffs.items[i];
        const lc_sum *sum = found->after ? found->after : found->before;
        if (found->difference != difference)
            continue;
        lc_sheet_row *row = add_row(p, part, sum->worst);
        row->cells[0] = sum->rule;
        row->cells[1] = sum->type;
        row->cells[2] = sum->path;
        row->cells[3] = message_text(p, sum);
        row->cells[4] = place_text(p, sum);
        row->cells[5] = count_text(p, found);
    }
}

static void add_restless(page *p)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = "Changes again after an apply, but not with the old "
                                              "version",
                                     .heads = {"rule", "type", "path", "count"},
                                     .columns = 4,
                                     .codes = 1 | 2 | 4});
    for (size_t i = 0; i < p->gate->restless.count; i++) {
        const lc_sum *sum = p->gate->restless.items[i];
        lc_sheet_row *row = add_row(p, part, LC_HIDDEN);
        row->cells[0] = sum->rule;
        row->cells[1] = sum->type;
        row->cells[2] = sum->path;
        row->cells[3] = lc_str_printf(p->arena, "%llu", (unsigned long long)sum->count);
    }
}

static void add_probe_losses(page *p)
{
    lc_sheet_part *part = add_part(p, &(lc_sheet_part){.title = "Probed in the old version only",
                                                       .heads = {"type", "what", "why"},
                                                       .columns = 3,
                                                       .codes = 1});
    for (size_t i = 0; i < p->gate->probe_losses.count; i++) {
        const lc_probe_loss *loss = &p->gate->probe_losses.items[i];
        lc_sheet_row *row = add_row(p, part, p->gate->policy->strict ? LC_ERROR : LC_WARNING);
        row->cells[0] = loss->type;
        row->cells[1] = loss->what;
        row->cells[2] = loss->why;
    }
}

static void add_tolerated(page *p)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = "Tolerated for SDKv2 only, errors elsewhere",
                                     .heads = {"rule", "type", "path", "count"},
                                     .columns = 4,
                                     .codes = 1 | 2 | 4,
                                     .folded = true});
    for (size_t i = 0; i < p->gate->after.sums.count; i++) {
        const lc_sum *sum = p->gate->after.sums.items[i];
        if (sum->tolerated == 0)
            continue;
        lc_sheet_row *row = add_row(p, part, LC_HIDDEN);
        row->cells[0] = sum->rule;
        row->cells[1] = sum->type;
        row->cells[2] = sum->path;
        row->cells[3] = lc_str_printf(p->arena, "%llu", (unsigned long long)sum->tolerated);
    }
}

/* ---- Schemas. */

static void add_breaks(page *p, lc_sheet_part *part, const lc_type_breaks *of, lc_severity severity)
{
    if (of->gone) {
        lc_sheet_row *row = add_row(p, part, severity);
        row->cells[0] = of->type;
        row->cells[2] = lc_str_from_c(lc_gate_gone_words(of->type));
    }
    for (size_t i = 0; i < of->changes.count; i++) {
        lc_sheet_row *row = add_row(p, part, severity);
        row->cells[0] = of->type;
        row->cells[1] = of->changes.items[i].path;
        row->cells[2] = of->changes.items[i].message;
    }
}

static lc_sheet_part *add_schema_part(page *p, const char *title)
{
    return add_part(
        p, &(lc_sheet_part){
               .title = title, .heads = {"type", "path", "change"}, .columns = 3, .codes = 1 | 2});
}

static void add_schemas(page *p)
{
    const lc_gate *g = p->gate;
    lc_sheet_part *part =
        add_schema_part(p, "Schema changes that break stored objects, without a new version");
    for (size_t i = 0; i < g->breaks.count; i++)
        add_breaks(p, part, &g->breaks.items[i], LC_ERROR);
    part = add_schema_part(p, "Schema changes that break configurations, or drop what was stored");
    for (size_t i = 0; i < g->others.count; i++)
        add_breaks(p, part, &g->others.items[i], g->policy->strict ? LC_ERROR : LC_WARNING);
    part = add_schema_part(p, "Schema changes with a new version: its upgrader must handle them");
    part->folded = true;
    for (size_t i = 0; i < g->bumped.count; i++)
        add_breaks(p, part, &g->bumped.items[i], LC_INFO);
}

/* ---- Coverage. */

static lc_str lacking_text(const page *p, const lc_evidence_type *type, unsigned kind)
{
    lc_buf text = {0};
    size_t shown = 0, count = lc_gate_count_cells(type, kind, LC_CELL_NO_INPUT);
    for (unsigned rule = 0; rule < LC_RULE_COUNT && shown < NAMES_SHOWN; rule++) {
        if (type->cells[kind][rule] == LC_CELL_NO_INPUT)
            lc_buf_printf(&text, "%s%.*s", shown++ ? ", " : "",
                          LC_FMT(lc_rule_get((lc_rule)rule)->slug));
    }
    if (shown < count)
        lc_buf_printf(&text, " and %zu more", count - shown);
    return lc_buf_take(p->arena, &text);
}

static void add_type(page *p, lc_sheet_part *part, const lc_evidence_type *type)
{
    for (unsigned kind = 1; kind < LC_CALL_KIND_COUNT; kind++) {
        size_t judged = lc_gate_count_cells(type, kind, LC_CELL_CHECKED);
        size_t lacking = lc_gate_count_cells(type, kind, LC_CELL_NO_INPUT);
        if (type->calls[kind] == 0)
            continue;
        lc_sheet_row *row = add_row(p, part, LC_HIDDEN);
        row->cells[0] = lc_gate_type_name(type);
        row->cells[1] = lc_str_from_c(lc_call_kind_name((lc_call_kind)kind));
        row->cells[2] = lc_str_printf(p->arena, "%llu", (unsigned long long)type->calls[kind]);
        row->cells[3] = lc_str_printf(p->arena, "%zu of %zu", judged, judged + lacking);
        row->cells[4] = lacking_text(p, type, kind);
    }
}

static void add_coverage(page *p)
{
    lc_sheet_part *part =
        add_part(p, &(lc_sheet_part){.title = "Coverage of the new version",
                                     .clause = "Rules checked of those that apply, by call.",
                                     .heads = {"type", "call", "cases", "judged", "never checked"},
                                     .columns = 5,
                                     .codes = 1,
                                     .folded = true});
    for (size_t i = 0; i < p->gate->after.types.count; i++) {
        if (p->gate->after.types.items[i]->cases)
            add_type(p, part, p->gate->after.types.items[i]);
    }
}

static void add_list(page *p, const char *title, const lc_str *items, size_t count, bool folded)
{
    lc_sheet_part *part = add_part(p, &(lc_sheet_part){.title = title, .folded = folded});
    for (size_t i = 0; i < count; i++)
        *LC_PUSH(p->arena, &part->lines, lc_str) = items[i];
}

static void add_upgrade(page *p)
{
    lc_gate_lines gaps = {0}, draft = {0};
    if (!p->gate->compared)
        return;
    lc_gate_draft_changelog(&draft, p->gate);
    lc_gate_list_gaps(&gaps, p->gate);
    add_list(p, "A draft of the changelog", draft.items, draft.count, false);
    add_list(p, "What was not tested with the two binaries", gaps.items, gaps.count, true);
}

/* ---- The page. */

static void make(page *p)
{
    const lc_gate *g = p->gate;
    add_verdict(p);
    add_findings(p, LC_FINDING_NEW, "New findings", false);
    add_findings(p, LC_FINDING_CHANGED, "More, fewer or of another severity", false);
    add_list(p, "Required and not checked", g->missing.items, g->missing.count, false);
    add_schemas(p);
    add_restless(p);
    add_probe_losses(p);
    add_upgrade(p);
    add_findings(p, LC_FINDING_FIXED, "Fixed", true);
    add_tolerated(p);
    add_coverage(p);
    add_list(p, "Never exercised", g->unexercised.items, g->unexercised.count, true);
}

lc_exit lc_gate_print_pages(const lc_gate *gate)
{
    const lc_report_options *style = &gate->cli->options.style;
    page p = {.gate = gate, .arena = gate->arena};
    lc_buf markdown = {0}, html = {0};
    if (!lc_wants(gate->cli, IN_MARKDOWN) && !lc_wants(gate->cli, IN_HTML))
        return LC_EXIT_OK;
    make(&p);
    lc_sheet_markdown(&markdown, &p.sheet, style->limit);
    lc_sheet_html(&html, &p.sheet, style->rules_url);
    lc_clean_text(&markdown, 0);
    lc_clean_text(&html, 0);
    lc_exit status = lc_print(gate->cli, IN_MARKDOWN, &markdown);
    lc_exit other = lc_print(gate->cli, IN_HTML, &html);
    return status == LC_EXIT_OK ? other : status;
}
