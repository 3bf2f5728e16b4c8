/* The JSON report of lifecheck gate. */
#include "cli/commands/gate/gate.h"
#include "lifecheck/base/arena.h"

/* A removed type has no versions; -1 (a side without a version) is written as 0. */
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

/* Only the two states that a reader acts on; rules that do not apply are in neither list. */
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
        add_cells(call, "judged", type, kind, LC_CELL_CHECKED);
        add_cells(call, "never", type, kind, LC_CELL_NO_INPUT);
    }
}

/* Member names stay as they are even where the words of the text report have changed: programs read
 * them. */
void lc_gate_add_json(lc_buf *out, const lc_gate *g)
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
