/* lifecheck gate: may the new version of a provider be released? Compares the findings of both
 * versions, the coverage of the new one, schema changes that concern stored objects, and what
 * only SDKv2 tolerates: one page, one exit status. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

#define NAMES_SHOWN 4
#define LINES_SHOWN 20 /* lines of a long part, without -v */

/* ---- What counts. */

static bool is_bad(const lc_gate *g, const lc_sum *sum)
{
    return sum && sum->worst >= g->policy->fail_on;
}

/* Findings blamed on the client or the evidence fail only with --strict, because no release of the
 * provider can fix them. */
static bool counts(const lc_gate *g, const lc_sum *sum)
{
    return sum->blame == LC_PROVIDER || g->policy->strict;
}

/* A warning that became an error counts as a new error. */
static void count_failing(lc_gate *g)
{
    for (size_t i = 0; i < g->diffs.count; i++) {
        const lc_finding_diff *found = &g->diffs.items[i];
        if (!is_bad(g, found->after) || is_bad(g, found->before))
            continue;
        if (counts(g, found->after))
            g->failing++;
        else
            g->of_others++;
    }
    for (size_t i = 0; i < g->after.sums.count; i++)
        g->tolerated += g->after.sums.items[i]->tolerated > 0;
}

/* Objects that change again after every apply, which the old version did not do. */
static bool is_restless(const lc_sum *sum)
{
    static const lc_rule rules[] = {LC_RULE_SEQUENCE_PERPETUAL_DIFF,
                                    LC_RULE_READ_AFTER_APPLY_UNSTABLE};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (lc_str_eq(sum->rule, lc_rule_get(rules[i])->slug))
            return true;
    }
    return false;
}

static void find_restless(lc_gate *g)
{
    for (size_t i = 0; i < g->after.sums.count; i++) {
        const lc_sum *sum = g->after.sums.items[i];
        if (is_restless(sum) && !lc_evidence_set_sum(&g->before, sum->fingerprint))
            *LC_PUSH(g->arena, &g->restless, const lc_sum *) = sum;
    }
}

/* ---- Schemas. */

static lc_type_breaks only(const lc_gate *g, const lc_type_breaks *of, bool stored)
{
    lc_type_breaks part = *of;
    part.changes = (lc_changes){0};
    for (size_t i = 0; i < of->changes.count; i++) {
        if (of->changes.items[i].stored == stored)
            *LC_PUSH(g->arena, &part.changes, lc_change) = of->changes.items[i];
    }
    return part;
}

/* The name of a provider, by which its types begin. */
static lc_str family_of(lc_str type)
{
    return lc_str_sub(type, 0, lc_str_find(type, 0, '_'));
}

/* Names of anything else have a prefix; only objects of resources are stored. */
static bool is_resource(lc_str name)
{
    return lc_str_find(name, 0, '.') == name.len && !lc_str_is(name, "provider");
}

/* Does the new side declare all types of the provider, but not this one? A schema document
 * declares all types, and so does a recording of that provider. If the sides have no type in
 * common, they are different providers. */
static bool is_declared_elsewhere(const lc_gate *g, lc_str type)
{
    bool common = false, family = false;
    for (size_t i = 0; i < g->after.types.count; i++) {
        const lc_evidence_type *after = g->after.types.items[i];
        const lc_evidence_type *before =
            after->has_shape ? lc_evidence_set_type(&g->before, after->type) : NULL;
        family |= after->has_shape && lc_str_eq(family_of(after->type), family_of(type));
        common |= before && before->has_shape;
    }
    return g->after.any_document ||
           (is_resource(type) && g->after.any_recording && (family || !common));
}

const char *lc_gate_gone_words(lc_str name)
{
    return is_resource(name) ? "the resource type is gone" : "it is gone";
}

static void compare_type(lc_gate *g, const lc_evidence_type *before, const lc_evidence_type *after)
{
    lc_type_breaks found = {.type = before->type};
    if (g->compared && after && !after->has_shape)
        after = NULL; /* only what the old version was asked is known of it */
    if (!before->has_shape || (after && !after->has_shape))
        return;
    if (!after) {
        found.gone = true;
        if (is_declared_elsewhere(g, before->type))
            *LC_PUSH(g->arena, &g->breaks, lc_type_breaks) = found;
        return;
    }
    found.before = before->shape.version;
    found.after = after->shape.version;
    lc_schema_shape now = after->shape;
    now.identity_known |= g->compared != NULL; /* binaries are asked for identity schemas */
    lc_schema_shape_compare(&found.changes, g->arena, &before->shape, &now);
    for (size_t i = 0; i < found.changes.count; i++)
        found.changes.items[i].stored &= is_resource(before->type);
    if (found.changes.count == 0)
        return;
    if (found.after > found.before) {
        *LC_PUSH(g->arena, &g->bumped, lc_type_breaks) = found;
        return;
    }
    lc_type_breaks stored = only(g, &found, true), rest = only(g, &found, false);
    if (stored.changes.count)
        *LC_PUSH(g->arena, &g->breaks, lc_type_breaks) = stored;
    if (rest.changes.count)
        *LC_PUSH(g->arena, &g->others, lc_type_breaks) = rest;
}

static void compare_schemas(lc_gate *g)
{
    for (size_t i = 0; i < g->before.types.count; i++) {
        const lc_evidence_type *before = g->before.types.items[i];
        compare_type(g, before, lc_evidence_set_type(&g->after, before->type));
    }
}

/* Changes that concern configurations fail with --strict; of two binaries, also those that break
 * them, since no object that they are asked about shows it. */
static uint64_t fails_count(const lc_gate *g, const lc_type_breaks *of)
{
    uint64_t count = 0;
    for (size_t i = 0; i < of->changes.count; i++) {
        const lc_change *change = &of->changes.items[i];
        count +=
            g->policy->strict || (g->compared && change->of == LC_CLASS_BREAKS && !change->stored);
    }
    return count;
}

static uint64_t break_count(const lc_gate *g)
{
    uint64_t count = 0;
    for (size_t i = 0; i < g->breaks.count; i++)
        count += g->breaks.items[i].gone ? 1 : g->breaks.items[i].changes.count;
    for (size_t i = 0; i < g->others.count; i++)
        count += fails_count(g, &g->others.items[i]);
    for (size_t i = 0; g->compared && i < g->bumped.count; i++)
        count += fails_count(g, &g->bumped.items[i]);
    return count;
}

/* ---- What was never exercised. */

lc_str lc_gate_type_name(const lc_evidence_type *type)
{
    return type->type.len ? type->type : LC_STR("(no type)");
}

static void note_actions(lc_gate *g, const lc_evidence_type *type)
{
    const uint64_t *a = type->actions;
    const struct {
        const char *name;
        uint64_t count;
    } wanted[] = {
        {"create", a[LC_ACTION_CREATE]},
        {"update", a[LC_ACTION_UPDATE]},
        {"replace", a[LC_ACTION_DELETE_THEN_CREATE] + a[LC_ACTION_CREATE_THEN_DELETE]},
        {"delete", a[LC_ACTION_DELETE]},
        {"import", type->calls[LC_CALL_IMPORT]},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (wanted[i].count == 0)
            *LC_PUSH(g->arena, &g->unexercised, lc_str) =
                lc_str_printf(g->arena, "no %s of %.*s recorded", wanted[i].name,
                              LC_FMT(lc_gate_type_name(type)));
    }
}

static void note_sets(lc_gate *g, const lc_evidence_type *type)
{
    bool any = false;
    for (size_t i = 0; i < type->sets.count; i++)
        any |= type->sets.items[i].unknown;
    if (type->sets.count && !any)
        *LC_PUSH(g->arena, &g->unexercised, lc_str) = lc_str_printf(
            g->arena, "no set block of %.*s ever had an unknown", LC_FMT(lc_gate_type_name(type)));
    for (size_t i = 0; any && i < type->sets.count; i++) {
        if (!type->sets.items[i].unknown)
            *LC_PUSH(g->arena, &g->unexercised, lc_str) =
                lc_str_printf(g->arena, "the set block %.*s of %.*s never had an unknown",
                              LC_FMT(type->sets.items[i].path), LC_FMT(lc_gate_type_name(type)));
    }
}

static bool is_required(const lc_gate *g, unsigned rule)
{
    for (size_t i = 0; i < g->policy->require_count; i++) {
        if (lc_str_matches_glob(lc_rule_get((lc_rule)rule)->slug, g->policy->require[i]))
            return true;
    }
    return false;
}

static void note_required(lc_gate *g, const lc_evidence_type *type)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (is_required(g, rule) && type->rules[rule] == LC_CELL_LACKS)
            *LC_PUSH(g->arena, &g->missing, lc_str) = lc_str_printf(
                g->arena, "%.*s is required and was not checked for %.*s",
                LC_FMT(lc_rule_get((lc_rule)rule)->slug), LC_FMT(lc_gate_type_name(type)));
    }
}

/* Probing applies nothing, so a list of what was not applied for each type is of no use. */
static bool is_only_probed(const lc_gate *g, const lc_evidence_type *type)
{
    return (g->after.probes.count || g->compared) && type->calls[LC_CALL_APPLY] == 0 &&
           type->calls[LC_CALL_DESTROY] == 0 && type->calls[LC_CALL_READ] == 0;
}

static void note_only_probed(lc_gate *g, size_t count)
{
    if (count)
        *LC_PUSH(g->arena, &g->unexercised, lc_str) =
            lc_str_printf(g->arena, "%zu type%s only probed: nothing of %s was applied or read",
                          count, count == 1 ? " was" : "s were", count == 1 ? "it" : "them");
}

static void note_coverage_gaps(lc_gate *g)
{
    size_t only_probed = 0;
    for (size_t i = 0; i < g->after.types.count; i++) {
        const lc_evidence_type *type = g->after.types.items[i];
        bool probed = is_only_probed(g, type);
        if (type->cases && type->managed && !probed)
            note_actions(g, type);
        if (type->cases && type->managed)
            note_sets(g, type);
        only_probed += type->cases && type->managed && probed;
        note_required(g, type);
    }
    note_only_probed(g, only_probed);
    for (size_t i = 0; i < g->before.types.count; i++) {
        const lc_evidence_type *type = g->before.types.items[i];
        const lc_evidence_type *now = lc_evidence_set_type(&g->after, type->type);
        if (type->cases && (!now || !now->cases))
            *LC_PUSH(g->arena, &g->unexercised, lc_str) =
                lc_str_printf(g->arena, "nothing of %.*s recorded, though the old version has it",
                              LC_FMT(lc_gate_type_name(type)));
    }
}

/* ---- The verdict. */

static bool passes(const lc_gate *g)
{
    return g->failing == 0 && break_count(g) == 0 && lc_gate_own_failing(g) == 0 &&
           g->missing.count == 0 && g->policy->narrowed.len == 0 &&
           (!g->policy->strict || g->probe_losses.count == 0);
}

static bool saw_nothing(const lc_evidence_set *side)
{
    return side->cases == 0 && side->types.count == 0;
}

lc_exit lc_gate_status(const lc_gate *g)
{
    if (!passes(g))
        return LC_EXIT_FAILED;
    if (g->before.errors || g->after.errors || saw_nothing(&g->before) || saw_nothing(&g->after))
        return LC_EXIT_INPUT;
    return LC_EXIT_OK;
}

/* ---- Text. */

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
        lc_buf_printf(out,
                      "  %.*s: %zu with the new version %lld: its upgrader has to cover them\n",
                      LC_FMT(g->bumped.items[i].type), g->bumped.items[i].changes.count,
                      (long long)g->bumped.items[i].after);
    if (g->others.count)
        lc_buf_add_c(out, "\nschema changes that break configurations, or drop what was stored\n");
    for (size_t i = 0; i < g->others.count; i++)
        add_breaks(out, &g->others.items[i]);
    if (g->before.any_report || g->after.any_report)
        lc_buf_add_c(out, "  JSON reports hold no schemas; name schema documents as well\n");
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

size_t lc_gate_count_cells(const lc_evidence_type *type, unsigned kind, lc_cell cell)
{
    size_t count = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        count += type->cells[kind][rule] == cell;
    return count;
}

static void add_lacking(lc_buf *out, const lc_gate *g, const lc_evidence_type *type, unsigned kind)
{
    size_t shown = 0, count = lc_gate_count_cells(type, kind, LC_CELL_LACKS);
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (type->cells[kind][rule] != LC_CELL_LACKS)
            continue;
        if (shown == NAMES_SHOWN && !g->cli->options.verbose && count > NAMES_SHOWN + 1) {
            lc_buf_add_c(out, ", ...");
            return;
        }
        lc_buf_printf(out, "%s%.*s", shown++ ? ", " : "; never ",
                      LC_FMT(lc_rule_get((lc_rule)rule)->slug));
    }
}

static void add_type_text(lc_buf *out, const lc_gate *g, const lc_evidence_type *type)
{
    lc_buf_printf(out, "  %.*s: %llu case%s\n", LC_FMT(lc_gate_type_name(type)),
                  (unsigned long long)type->cases, type->cases == 1 ? "" : "s");
    for (unsigned kind = 1; kind < LC_CALL_KIND_COUNT; kind++) {
        size_t judged = lc_gate_count_cells(type, kind, LC_CELL_JUDGED);
        size_t lacking = lc_gate_count_cells(type, kind, LC_CELL_LACKS);
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
                  (unsigned long long)break_count(g), break_count(g) == 1 ? "" : "s",
                  g->missing.count, g->missing.count == 1 ? "" : "s");
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
    if (lc_gate_own_failing(g))
        lc_buf_printf(out, "  %llu object%s of %.*s would be lost or replaced\n",
                      (unsigned long long)lc_gate_own_failing(g),
                      lc_gate_own_failing(g) == 1 ? "" : "s", LC_FMT(g->cli->options.config));
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

static void add_restless_text(lc_buf *out, const lc_gate *g)
{
    if (g->restless.count)
        lc_buf_add_c(out,
                     "\nchanges again after an apply, which the old version was not seen to do\n");
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

static void add_text(lc_buf *out, const lc_gate *g)
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

/* ---- JSON. */

static void add_breaks_json(lc_doc *list, const lc_type_breaks *of, bool bumped)
{
    lc_doc *entry = lc_doc_add_object(list, NULL);
    lc_doc_add_str(entry, "type", of->type);
    lc_doc_add_bool(entry, "type_removed", of->gone);
    lc_doc_add_bool(entry, "new_version", bumped);
    if (!of->gone) {
        lc_doc_add_uint(entry, "old_version", (uint64_t)(of->before < 0 ? 0 : of->before));
        lc_doc_add_uint(entry, "version", (uint64_t)(of->after < 0 ? 0 : of->after));
    }
    lc_doc *changes = lc_doc_add_array(entry, "changes");
    for (size_t i = 0; i < of->changes.count; i++) {
        lc_doc *change = lc_doc_add_object(changes, NULL);
        lc_doc_add_c(change, "kind", lc_change_kind_name(of->changes.items[i].kind));
        lc_doc_add_str(change, "path", of->changes.items[i].path);
        lc_doc_add_str(change, "message", of->changes.items[i].message);
        lc_doc_add_bool(change, "breaks_stored", of->changes.items[i].stored);
        lc_doc_add_c(change, "class", lc_upgrade_class_name(of->changes.items[i].of));
    }
}

static void add_schemas_json(lc_doc *doc, const lc_gate *g)
{
    lc_doc *list = lc_doc_add_array(doc, "schema_changes");
    for (size_t i = 0; i < g->breaks.count; i++)
        add_breaks_json(list, &g->breaks.items[i], false);
    for (size_t i = 0; i < g->others.count; i++)
        add_breaks_json(list, &g->others.items[i], false);
    for (size_t i = 0; i < g->bumped.count; i++)
        add_breaks_json(list, &g->bumped.items[i], true);
}

static void add_tolerated_json(lc_doc *doc, const lc_gate *g)
{
    lc_doc *list = lc_doc_add_array(doc, "tolerated");
    for (size_t i = 0; i < g->after.sums.count; i++) {
        const lc_sum *sum = g->after.sums.items[i];
        if (sum->tolerated == 0)
            continue;
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_str(entry, "rule", sum->rule);
        lc_doc_add_str(entry, "type", sum->type);
        lc_doc_add_str(entry, "path", sum->path);
        lc_doc_add_uint(entry, "count", sum->tolerated);
    }
}

static void add_restless_json(lc_doc *doc, const lc_gate *g)
{
    lc_doc *list = lc_doc_add_array(doc, "never_comes_to_rest");
    for (size_t i = 0; i < g->restless.count; i++) {
        const lc_sum *sum = g->restless.items[i];
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_str(entry, "type", sum->type);
        lc_doc_add_str(entry, "path", sum->path);
        lc_doc_add_str(entry, "rule", sum->rule);
        lc_doc_add_uint(entry, "count", sum->count);
    }
}

static void add_probe_json(lc_doc *doc, const lc_gate *g)
{
    lc_doc *list = lc_doc_add_array(doc, "probed_before_only");
    for (size_t i = 0; i < g->probe_losses.count; i++) {
        const lc_probe_loss *loss = &g->probe_losses.items[i];
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_str(entry, "type", loss->type);
        lc_doc_add_str(entry, "what", loss->what);
        lc_doc_add_str(entry, "why", loss->why);
    }
}

static void add_cells(lc_doc *parent, const char *key, const lc_evidence_type *type, unsigned kind,
                      lc_cell cell)
{
    lc_doc *list = lc_doc_add_array(parent, key);
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (type->cells[kind][rule] == cell)
            lc_doc_add_str(list, NULL, lc_rule_get((lc_rule)rule)->slug);
    }
}

static void add_type_json(lc_doc *list, const lc_evidence_type *type)
{
    lc_doc *doc = lc_doc_add_object(list, NULL);
    lc_doc_add_str(doc, "type", lc_evidence_type_is_whole(type) ? LC_STR_EMPTY : type->type);
    lc_doc_add_bool(doc, "whole", lc_evidence_type_is_whole(type));
    lc_doc_add_uint(doc, "cases", type->cases);
    lc_doc *actions = lc_doc_add_object(doc, "actions");
    for (unsigned i = LC_ACTION_NOOP; i <= LC_ACTION_FORGET; i++)
        lc_doc_add_uint(actions, lc_action_name((lc_action)i), type->actions[i]);
    lc_doc *calls = lc_doc_add_array(doc, "calls");
    for (unsigned kind = 1; kind < LC_CALL_KIND_COUNT; kind++) {
        if (type->calls[kind] == 0)
            continue;
        lc_doc *call = lc_doc_add_object(calls, NULL);
        lc_doc_add_c(call, "call", lc_call_kind_name((lc_call_kind)kind));
        lc_doc_add_uint(call, "cases", type->calls[kind]);
        add_cells(call, "judged", type, kind, LC_CELL_JUDGED);
        add_cells(call, "never", type, kind, LC_CELL_LACKS);
    }
}

static void add_json(lc_buf *out, const lc_gate *g)
{
    lc_doc *doc = lc_doc_object();
    lc_doc_add_uint(doc, "lifecheck_gate", 1);
    lc_doc_add_bool(doc, "passes", lc_gate_status(g) == LC_EXIT_OK);
    if (g->policy->narrowed.len)
        lc_doc_add_str(doc, "narrowed", g->policy->narrowed);
    lc_doc *cases = lc_doc_add_object(doc, "cases");
    lc_doc_add_uint(cases, "old", g->before.cases);
    lc_doc_add_uint(cases, "new", g->after.cases);
    lc_add_finding_diffs_json(doc, &g->diffs);
    lc_doc_add_uint(doc, "failing", g->failing);
    lc_doc_add_uint(doc, "blamed_on_others", g->of_others);
    add_restless_json(doc, g);
    add_probe_json(doc, g);
    lc_gate_add_own_json(doc, g);
    lc_gate_add_gaps_json(doc, g);
    add_schemas_json(doc, g);
    add_tolerated_json(doc, g);
    lc_doc *coverage = lc_doc_add_array(doc, "coverage");
    for (size_t i = 0; i < g->after.types.count; i++) {
        if (g->after.types.items[i]->cases)
            add_type_json(coverage, g->after.types.items[i]);
    }
    lc_doc_add_strs(doc, "never_exercised", g->unexercised.items, g->unexercised.count);
    lc_doc_add_strs(doc, "required_not_judged", g->missing.items, g->missing.count);
    lc_doc_print(out, doc);
    lc_buf_add_char(out, '\n');
}

/* ---- The command. */

static lc_exit run(lc_gate *g)
{
    const lc_options *o = &g->cli->options;
    lc_buf text = {0}, json = {0};
    lc_evidence_options options = lc_cli_evidence_options(g->cli, o->input_kind);
    lc_gate_binaries *binaries = NULL;
    lc_exit opened = LC_EXIT_OK;
    if (!lc_gate_binaries_open(&binaries, g->cli, &opened))
        return opened;
    options.take = lc_gate_binaries_take;
    options.context = binaries;
    lc_evidence_set_gather(&g->before, g->arena, &o->old, &options);
    options.more = lc_gate_binaries_compare;
    lc_evidence_set_gather(&g->after, g->arena, &o->new, &options);
    g->compared = lc_gate_binaries_result(binaries);
    if (g->compared && !lc_gate_compare_predictions(g, lc_gate_binaries_provider(binaries, 0),
                                                    lc_gate_binaries_provider(binaries, 1)))
        g->after.errors++;
    g->after.errors += !lc_gate_binaries_are_good(binaries);
    lc_gate_binaries_close(binaries);
    lc_evidence_set_compare(&g->diffs, g->arena, &g->before, &g->after);
    count_failing(g);
    find_restless(g);
    compare_schemas(g);
    lc_gate_compare_probes(g);
    note_coverage_gaps(g);
    add_json(&json, g);
    add_text(&text, g);
    lc_exit printed = lc_print_both(g->cli, &text, &json), paged = lc_gate_print_pages(g);
    printed = printed == LC_EXIT_OK ? paged : printed;
    if (printed == LC_EXIT_OK && (saw_nothing(&g->before) || saw_nothing(&g->after)))
        lc_message("nothing was found in what %s names",
                   saw_nothing(&g->before) ? "--old" : "--new");
    return printed == LC_EXIT_OK ? lc_gate_status(g) : printed;
}

lc_exit lc_cmd_gate(const lc_cli *cli)
{
    if (cli->words.count || !cli->options.old.count || !cli->options.new.count) {
        lc_message("gate takes --old PATH and --new PATH, evidence of two versions of a provider");
        return LC_EXIT_USAGE;
    }
    lc_gate *g = LC_NEW(cli->arena, lc_gate);
    g->cli = cli;
    g->policy = &cli->options.policy;
    g->arena = lc_arena_new();
    lc_exit status = run(g);
    lc_arena_free(g->arena);
    return status;
}
