/* The text report of lifecheck gate. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

#define NAMES_SHOWN 4
#define LINES_SHOWN 20 /* lines of a long part, without -v */

static void add_breaks(lc_buf *out, const lc_type_breaks *of)
{
    if (of->gone)
        lc_buf_printf(out, "  %.*s: %s\n", LC_FMT(of->type), lc_gate_gone_words(of->type));
    for (size_t i = 0; i < of->changes.count; i++)
        lc_buf_printf(out, "  %.*s at %.*s: %.*s\n", LC_FMT(of->type),
                      LC_FMT(of->changes.items[i].path), LC_FMT(of->changes.items[i].message));
}

static void add_schemas_text(lc_buf *out, const lc_gate *g)
{
    lc_buf_add_c(out, "\nschema changes that break stored objects, without a new schema version\n");
    for (size_t i = 0; i < g->breaks.count; i++)
        add_breaks(out, &g->breaks.items[i]);
    if (g->breaks.count == 0)
        lc_buf_add_c(out, "  none\n");
    for (size_t i = 0; i < g->bumped.count; i++)
        lc_buf_printf(out, "  %.*s: %zu with the new version %lld: its upgrader must handle them\n",
                      LC_FMT(g->bumped.items[i].type), g->bumped.items[i].changes.count,
                      (long long)g->bumped.items[i].after);
    if (g->others.count)
        lc_buf_add_c(out, "\nschema changes that break configurations, or drop what was stored\n");
    for (size_t i = 0; i < g->others.count; i++)
        add_breaks(out, &g->others.items[i]);
    if (g->before.any_report || g->after.any_report)
        lc_buf_add_c(out, "  JSON reports have no schemas; give schema documents as well\n");
}

static void add_tolerated_text(lc_buf *out, const lc_gate *g)
{
    lc_buf_add_c(out, "\ntolerated for SDKv2 only, errors elsewhere\n");
    for (size_t i = 0; i < g->after.sums.count; i++) {
        const lc_sum *sum = g->after.sums.items[i];
        if (sum->tolerated)
            lc_buf_printf(out, "  %.*s at %.*s of %.*s (%llu)\n", LC_FMT(sum->rule),
                          LC_FMT(sum->path),
                          LC_FMT(sum->type.len ? sum->type : LC_STR("(no type)")),
                          (unsigned long long)sum->tolerated);
    }
    if (g->tolerated == 0)
        lc_buf_add_c(out, "  none\n");
}

/* The names of the first rules; one more than fits is shown rather than "...". */
static void add_lacking(lc_buf *out, const lc_gate *g, const lc_evidence_type *type, unsigned kind)
{
    size_t shown = 0, count = lc_gate_count_cells(type, kind, LC_CELL_NO_INPUT);
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (type->cells[kind][rule] != LC_CELL_NO_INPUT)
            continue;
        if (shown == NAMES_SHOWN && !g->cli->options.verbose && count > NAMES_SHOWN + 1) {
            lc_buf_add_c(out, ", ...");
            return;
        }
        lc_buf_printf(out, "%s%.*s", shown++ ? ", " : "; never ",
                      LC_FMT(lc_rule_get((lc_rule)rule)->slug));
    }
}

/* `judged + lacking` are the rules that apply: the others have no cell. */
static void add_type_text(lc_buf *out, const lc_gate *g, const lc_evidence_type *type)
{
    lc_buf_printf(out, "  %.*s: %llu case%s\n", LC_FMT(lc_gate_type_name(type)),
                  (unsigned long long)type->cases, type->cases == 1 ? "" : "s");
    for (unsigned kind = 1; kind < LC_CALL_KIND_COUNT; kind++) {
        size_t judged = lc_gate_count_cells(type, kind, LC_CELL_CHECKED);
        size_t lacking = lc_gate_count_cells(type, kind, LC_CELL_NO_INPUT);
        if (type->calls[kind] == 0)
            continue;
        lc_buf_printf(out, "    %-16s %3zu of %3zu rules checked",
                      lc_call_kind_name((lc_call_kind)kind), judged, judged + lacking);
        add_lacking(out, g, type, kind);
        lc_buf_add_char(out, '\n');
    }
}

/* True: the limit of a long part is reached, and the rest was counted. */
static bool is_cut(lc_buf *out, const lc_gate *g, size_t shown, size_t count)
{
    if (g->cli->options.verbose || shown < LINES_SHOWN)
        return false;
    lc_buf_printf(out, "  ... and %zu more; -v and --format json list all of them\n",
                  count - shown);
    return true;
}

static void add_types_text(lc_buf *out, const lc_gate *g)
{
    size_t shown = 0, count = 0;
    for (size_t i = 0; i < g->after.types.count; i++)
        count += g->after.types.items[i]->cases > 0;
    for (size_t i = 0; i < g->after.types.count; i++) {
        if (g->after.types.items[i]->cases == 0)
            continue;
        if (is_cut(out, g, shown, count))
            break;
        add_type_text(out, g, g->after.types.items[i]);
        shown++;
    }
    if (count == 0)
        lc_buf_add_c(out, "  nothing recorded\n");
}

static void add_coverage_text(lc_buf *out, const lc_gate *g)
{
    lc_buf_add_c(out,
                 "\ncoverage of the new version: rules checked of those that apply, by call\n");
    add_types_text(out, g);
    lc_buf_add_c(out, "\nnever exercised\n");
    for (size_t i = 0; i < g->unexercised.count; i++) {
        if (is_cut(out, g, i, g->unexercised.count))
            break;
        lc_buf_printf(out, "  %.*s\n", LC_FMT(g->unexercised.items[i]));
    }
    if (g->unexercised.count == 0)
        lc_buf_add_c(out, "  nothing\n");
    for (size_t i = 0; i < g->missing.count; i++)
        lc_buf_printf(out, "  error: %.*s\n", LC_FMT(g->missing.items[i]));
}

/* What else than findings and schema changes decided, one line each. */
static void add_reasons(lc_buf *out, const lc_gate *g)
{
    uint64_t own = lc_gate_own_failing(g);
    if (g->restless.count)
        lc_buf_printf(
            out, "  %zu place%s change%s again after every apply; --fail-on warning refuses that\n",
            g->restless.count, g->restless.count == 1 ? "" : "s",
            g->restless.count == 1 ? "s" : "");
    if (g->probe_losses.count)
        lc_buf_printf(out,
                      "  probing the new version reached less than probing the old one, in %zu "
                      "place%s%s\n",
                      g->probe_losses.count, g->probe_losses.count == 1 ? "" : "s",
                      g->policy->strict ? "" : "; --strict refuses that");
    if (own)
        lc_buf_printf(out, "  %llu object%s of %.*s would be lost or replaced\n",
                      (unsigned long long)own, own == 1 ? "" : "s", LC_FMT(g->cli->options.config));
    if (g->policy->narrowed.len)
        lc_buf_printf(out,
                      "  narrowed by %.*s, which fails; to leave rules out on purpose, use the "
                      "command line\n",
                      LC_FMT(g->policy->narrowed));
    if (g->of_others)
        lc_buf_printf(out,
                      "  not the fault of the provider: %llu new finding%s of the client or the "
                      "evidence, which no release can fix\n",
                      (unsigned long long)g->of_others, g->of_others == 1 ? "" : "s");
}

/* The page of a pull request takes this apart again: its first line is `pass: ...` or `fail: ...`,
 * and each further line a sentence (pages.c). */
void lc_gate_add_verdict(lc_buf *out, const lc_gate *g)
{
    lc_exit status = lc_gate_status(g);
    if (status == LC_EXIT_INPUT) {
        lc_buf_add_c(out, "\nundecided: not all inputs were understood\n");
        return;
    }
    lc_buf_printf(out,
                  "\n%s: %llu new finding%s that fail%s, %llu breaking schema change%s, "
                  "%zu required rule%s not checked\n",
                  status == LC_EXIT_OK ? "pass" : "fail", (unsigned long long)g->failing,
                  g->failing == 1 ? "" : "s", g->failing == 1 ? "s" : "",
                  (unsigned long long)lc_gate_count_breaks(g),
                  lc_gate_count_breaks(g) == 1 ? "" : "s", g->missing.count,
                  g->missing.count == 1 ? "" : "s");
    add_reasons(out, g);
}

static void add_restless_text(lc_buf *out, const lc_gate *g)
{
    if (g->restless.count)
        lc_buf_add_c(out, "\nchanges again after an apply, but not with the old version\n");
    for (size_t i = 0; i < g->restless.count; i++) {
        const lc_sum *sum = g->restless.items[i];
        lc_buf_printf(out, "  %.*s at %.*s: %.*s (%llu)\n",
                      LC_FMT(sum->type.len ? sum->type : LC_STR("(no type)")), LC_FMT(sum->path),
                      LC_FMT(sum->rule), (unsigned long long)sum->count);
    }
}

static void add_probe_text(lc_buf *out, const lc_gate *g)
{
    if (g->probe_losses.count)
        lc_buf_add_c(out, "\nprobed in the old version only\n");
    for (size_t i = 0; i < g->probe_losses.count; i++) {
        const lc_probe_loss *loss = &g->probe_losses.items[i];
        if (is_cut(out, g, i, g->probe_losses.count))
            break;
        lc_buf_printf(out, "  %.*s%s%.*s%s%.*s\n", LC_FMT(loss->type), loss->type.len ? ": " : "",
                      LC_FMT(loss->what), loss->why.len ? ": " : "", LC_FMT(loss->why));
    }
}

void lc_gate_add_text(lc_buf *out, const lc_gate *g)
{
    lc_buf_printf(out, "findings: old %llu case%s, new %llu case%s\n",
                  (unsigned long long)g->before.cases, g->before.cases == 1 ? "" : "s",
                  (unsigned long long)g->after.cases, g->after.cases == 1 ? "" : "s");
    lc_add_finding_diffs_text(out, &g->diffs, g->cli->options.quiet);
    add_restless_text(out, g);
    add_probe_text(out, g);
    lc_gate_add_own_text(out, g);
    lc_gate_add_gaps_text(out, g);
    add_schemas_text(out, g);
    if (!g->cli->options.quiet) {
        add_tolerated_text(out, g);
        add_coverage_text(out, g);
    }
    lc_gate_add_verdict(out, g);
}
