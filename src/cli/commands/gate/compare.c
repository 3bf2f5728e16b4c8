/* What lifecheck gate finds when it compares the evidence of two versions, and its verdict. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

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
static uint64_t lc_gate_count_changes(const lc_gate *g, const lc_type_breaks *of)
{
    uint64_t count = 0;
    for (size_t i = 0; i < of->changes.count; i++) {
        const lc_change *change = &of->changes.items[i];
        count +=
            g->policy->strict || (g->compared && change->of == LC_CLASS_BREAKS && !change->stored);
    }
    return count;
}

uint64_t lc_gate_count_breaks(const lc_gate *g)
{
    uint64_t count = 0;
    for (size_t i = 0; i < g->breaks.count; i++)
        count += g->breaks.items[i].gone ? 1 : g->breaks.items[i].changes.count;
    for (size_t i = 0; i < g->others.count; i++)
        count += lc_gate_count_changes(g, &g->others.items[i]);
    for (size_t i = 0; g->compared && i < g->bumped.count; i++)
        count += lc_gate_count_changes(g, &g->bumped.items[i]);
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
        if (is_required(g, rule) && type->rules[rule] == LC_CELL_NO_INPUT)
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
    return g->failing == 0 && lc_gate_count_breaks(g) == 0 && lc_gate_own_failing(g) == 0 &&
           g->missing.count == 0 && g->policy->narrowed.len == 0 &&
           (!g->policy->strict || g->probe_losses.count == 0);
}

bool lc_gate_saw_nothing(const lc_evidence_set *side)
{
    return side->cases == 0 && side->types.count == 0;
}

lc_exit lc_gate_status(const lc_gate *g)
{
    if (!passes(g))
        return LC_EXIT_FAILED;
    if (g->before.errors || g->after.errors || lc_gate_saw_nothing(&g->before) ||
        lc_gate_saw_nothing(&g->after))
        return LC_EXIT_INPUT;
    return LC_EXIT_OK;
}

size_t lc_gate_count_cells(const lc_evidence_type *type, unsigned kind, lc_cell cell)
{
    size_t count = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        count += type->cells[kind][rule] == cell;
    return count;
}

void lc_gate_compare(lc_gate *g)
{
    lc_evidence_set_compare(&g->diffs, g->arena, &g->before, &g->after);
    count_failing(g);
    find_restless(g);
    compare_schemas(g);
    lc_gate_compare_probes(g);
    note_coverage_gaps(g);
}
