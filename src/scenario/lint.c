/* Mistakes of a scenario: text that has no effect, or another effect than its author expects.
 *
 * What can be seen while reading is noted there (lc_note). The rest is found after the case was
 * judged, because it depends on the judgement. Several cases may inherit the same text from a
 * document, so each mistake is reported once per place in the file. */
#include "lifecheck/base/arena.h"
#include "scenario/internal.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct linter {
    lc_lint_notes notes;
    lc_arena *arena; /* of the report */
    const lc_written *written;
    const lc_judged *judged;
    const lc_written_run *text; /* of the run that is looked at */
    const lc_run *run;
    const lc_expectation *expected;
    const lc_run_result *result;
} linter;

/* A note longer than the buffer is cut. */
void lc_note(lc_lint_notes *notes, lc_arena *arena, lc_lint lint, lc_loc loc, const char *format,
             ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length < 0)
        return;
    *LC_PUSH(arena, notes, lc_lint_note) =
        (lc_lint_note){lint, loc, lc_str_copy(arena, lc_str_from_c(text))};
}

/* ---- While reading. */

/* A key of the document (or of the case, for runs) has no effect if all that could inherit it
 * replace it. */
void lc_note_unused_head(lc_lint_notes *notes, lc_in *in, const lc_layer *head,
                         const lc_layer *const *layers, size_t count)
{
    for (unsigned key = 0; key < LC_KEY_COUNT; key++) {
        const lc_member *member = head->member[key];
        size_t writers = 0;
        while (writers < count && layers[writers]->member[key])
            writers++;
        if (member && writers == count && lc_key_flags((lc_case_key)key) & (LC_AT_CASE | LC_AT_RUN))
            lc_note(notes, in->arena, LC_LINT_HEAD_UNUSED, lc_in_key_loc(in, member),
                    "\"%s\" has no effect: everything that could inherit it has its own",
                    lc_key_name((lc_case_key)key));
    }
}

void lc_note_empty_prior(lc_in *in, const lc_node *prior, const lc_schema *schema)
{
    bool empty = prior->kind == LC_NODE_MAPPING && prior->count == 0 && !prior->tag;
    if (empty && schema && schema->block->attribute_count && in->values.lints)
        lc_note(in->values.lints, in->arena, LC_LINT_EMPTY_PRIOR, lc_in_loc(in, prior),
                "prior_state is an object without values, so this is not a create");
}

#define MOST_REPEATS 20 /* reported one by one; the others are only counted */

static void note_repeat(lc_value_reader *reader, const lc_node *item, const lc_node *former)
{
    lc_loc there = lc_reader_loc(reader, former);
    lc_note(reader->lints, reader->arena, LC_LINT_SET_REPEATS, lc_reader_loc(reader, item),
            "this element of a set equals that at line %u, column %u", there.line, there.column);
}

/* Equal elements have equal hashes; `hashes` are those of the elements as they are written. */
void lc_note_repeats(lc_value_reader *reader, const lc_node *set, const uint64_t *hashes)
{
    lc_table first;
    uint32_t repeats = 0;
    if (!reader->lints)
        return;
    lc_table_init(&first, reader->arena);
    for (uint32_t i = 0; i < set->count; i++) {
        lc_str key = {(const char *)&hashes[i], sizeof hashes[i]};
        const lc_node *item = &set->as.items[i];
        const lc_node *former = lc_table_get(&first, key);
        if (!former) {
            /* The cast drops const for the table; the node is only read again. */
            lc_table_put(&first, key, (void *)(uintptr_t)item);
            continue;
        }
        if (repeats++ < MOST_REPEATS)
            note_repeat(reader, item, former);
    }
    if (repeats > MOST_REPEATS)
        lc_note(reader->lints, reader->arena, LC_LINT_SET_REPEATS, lc_reader_loc(reader, set),
                "%u further elements of this set equal others", repeats - MOST_REPEATS);
}

/* ---- Once the case was judged. */

static lc_loc key_loc(const linter *l, const lc_member *member)
{
    return lc_lines_loc(l->written->lines, member->where);
}

static const lc_member *member_of(const linter *l, lc_case_key key)
{
    return lc_layers_get(&l->text->scope, key);
}

/* Is the key written in the run itself? One that is inherited may have an effect for other runs. */
static bool is_own(const linter *l, lc_case_key key)
{
    return l->text->scope.layers[0]->member[key] != NULL;
}

static void note_key(linter *l, lc_lint lint, lc_case_key key, const char *why)
{
    lc_note(&l->notes, l->arena, lint, key_loc(l, member_of(l, key)), "%s: %s", lc_key_name(key),
            why);
}

static bool says(const linter *l, lc_case_key key, bool value)
{
    const lc_member *member = l->text->scope.layers[0]->member[key];
    return member && member->value.kind == LC_NODE_BOOL && member->value.boolean == value;
}

/* Is every core's action one of these (bits 1 << lc_action)? A lint is valid for both cores only.
 */
static bool every_action_is(const linter *l, unsigned actions)
{
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!(actions & 1u << l->result->action[core]))
            return false;
    }
    return true;
}

#define A(action) (1u << LC_ACTION_##action)
#define REPLACES  (A(DELETE_THEN_CREATE) | A(CREATE_THEN_DELETE))
#define OTHERS    (A(NOOP) | A(CREATE) | A(READ) | A(UPDATE) | A(DELETE) | A(FORGET))

static const lc_value *value_of(const lc_field *field)
{
    return lc_field_has_value(field) ? field->value : NULL;
}

/* ---- Keys. */

/* `config:` without a value is null in YAML, and then plans a delete. A written `null` is intended.
 */
static bool is_empty(const lc_node *node)
{
    return node->kind == LC_NODE_NULL && node->style == LC_STYLE_PLAIN && !node->tag &&
           node->as.text.len == 0;
}

static void note_empty(linter *l, const lc_member *member)
{
    if (member && is_empty(&member->value))
        lc_note(&l->notes, l->arena, LC_LINT_EMPTY_NULL, key_loc(l, member),
                "\"%.*s\" has no value, which is null%s", LC_FMT(member->key),
                lc_str_is(member->key, "config") ? " and plans a delete" : "");
}

static void lint_empty(linter *l)
{
    for (unsigned key = 0; key < LC_KEY_COUNT; key++) {
        const lc_member *member = member_of(l, (lc_case_key)key);
        if (!member)
            continue;
        note_empty(l, member);
        bool group = lc_key_flags((lc_case_key)key) & LC_IS_GROUP;
        for (uint32_t i = 0; group && member->value.kind == LC_NODE_MAPPING && !member->value.tag &&
                             i < member->value.count;
             i++)
            note_empty(l, &member->value.as.members[i]);
    }
}

/* If a layer further out has the key too, then even the default has an effect: it overrides. */
static bool is_inherited(const linter *l, lc_case_key key)
{
    size_t writers = 0;
    for (size_t i = 0; i < l->text->scope.count; i++)
        writers += l->text->scope.layers[i]->member[key] != NULL;
    return writers > 1;
}

static void lint_defaults(linter *l)
{
    static const lc_case_key keys[] = {LC_KEY_CREATE_BEFORE_DESTROY, LC_KEY_FORCE_REPLACE,
                                       LC_KEY_REFRESH_ONLY, LC_KEY_DEPENDS_ON_PENDING,
                                       LC_KEY_PROBED};
    const lc_member *schema = member_of(l, LC_KEY_SCHEMA);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (says(l, keys[i], false) && !is_inherited(l, keys[i]))
            note_key(l, LC_LINT_DEFAULT_REPEATED, keys[i], "false is the default");
    }
    const lc_node *kind = schema ? lc_node_get(&schema->value, "kind") : NULL;
    if (lc_str_is(lc_node_as_text(kind), "resource"))
        lc_note(&l->notes, l->arena, LC_LINT_DEFAULT_REPEATED,
                lc_lines_loc(l->written->lines, kind->where), "kind: resource is the default");
}

static void lint_final_config(linter *l)
{
    if (!is_own(l, LC_KEY_FINAL_CONFIG))
        return;
    bool planned = member_of(l, LC_KEY_FINAL_PLAN) || member_of(l, LC_KEY_FINAL_PLANNED_STATE);
    if (!planned && !l->run->order_known && !lc_run_call(l->run, LC_CALL_APPLY) &&
        !lc_run_call(l->run, LC_CALL_DESTROY)) {
        note_key(l, LC_LINT_FINAL_CONFIG_UNUSED, LC_KEY_FINAL_CONFIG,
                 "neither a final plan nor an apply is there to use it");
        return;
    }
    const lc_value *config = value_of(&l->run->config);
    const lc_value *again = value_of(&l->run->final_config);
    if (config && again && lc_is_wholly_known(config) && lc_value_raw_equal(config, again))
        note_key(l, LC_LINT_DEFAULT_REPEATED, LC_KEY_FINAL_CONFIG,
                 "config is wholly known and the same");
}

static void lint_other_kind(linter *l)
{
    static const lc_case_key managed[] = {LC_KEY_TAINTED, LC_KEY_IGNORE_CHANGES,
                                          LC_KEY_CREATE_BEFORE_DESTROY, LC_KEY_FORCE_REPLACE,
                                          LC_KEY_DEPOSED};
    lc_schema_kind kind = l->run->schema->kind;
    for (size_t i = 0; i < sizeof managed / sizeof *managed; i++) {
        if (kind != LC_KIND_RESOURCE && is_own(l, managed[i]))
            note_key(l, LC_LINT_OTHER_KIND, managed[i], "only managed resources have it");
    }
    if (kind != LC_KIND_DATA && says(l, LC_KEY_DEPENDS_ON_PENDING, true))
        note_key(l, LC_LINT_OTHER_KIND, LC_KEY_DEPENDS_ON_PENDING, "only data sources have it");
}

/* ---- Replaces and changes. */

static void lint_replace(linter *l)
{
    static const char why[] = "nothing is replaced";
    if (!every_action_is(l, OTHERS) || l->run->schema->kind != LC_KIND_RESOURCE)
        return;
    if (says(l, LC_KEY_CREATE_BEFORE_DESTROY, true))
        note_key(l, LC_LINT_NO_REPLACE, LC_KEY_CREATE_BEFORE_DESTROY, why);
    if (says(l, LC_KEY_FORCE_REPLACE, true))
        note_key(l, LC_LINT_NO_REPLACE, LC_KEY_FORCE_REPLACE, why);
    if (is_own(l, LC_KEY_PLAN_CREATE))
        note_key(l, LC_LINT_NO_REPLACE, LC_KEY_PLAN_CREATE, why);
}

static void lint_requires_replace(linter *l)
{
    bool create = every_action_is(l, A(CREATE)), delete = every_action_is(l, A(DELETE));
    for (size_t i = 0; (create || delete) && i < l->run->calls.count; i++) {
        const lc_call *call = &l->run->calls.items[i];
        if (call->requires_replace.count)
            lc_note(&l->notes, l->arena, LC_LINT_REQUIRES_REPLACE_UNUSED,
                    call->requires_replace.items[0].loc, "requires_replace: %s replaces nothing",
                    create ? "a create" : "a delete");
    }
}

/* A case with an expectation may be about just that. */
static void lint_prior(linter *l)
{
    const lc_call *plan = lc_run_call(l->run, LC_CALL_PLAN);
    bool plans = is_own(l, LC_KEY_PLANNED_STATE) || is_own(l, LC_KEY_PLAN);
    if (plans && plan && plan->prior_state.state == LC_FIELD_ABSENT &&
        l->run->prior_state.state == LC_FIELD_ABSENT &&
        l->judged->expectation == LC_EXPECTATION_NONE && l->run->schema->kind == LC_KIND_RESOURCE)
        note_key(l, LC_LINT_PRIOR_MISSING,
                 is_own(l, LC_KEY_PLANNED_STATE) ? LC_KEY_PLANNED_STATE : LC_KEY_PLAN,
                 "the prior state is missing");
}

static void lint_tainted(linter *l)
{
    const lc_value *prior = value_of(&l->run->prior_state);
    if (says(l, LC_KEY_TAINTED, true) && prior && lc_is_null(prior))
        note_key(l, LC_LINT_TAINTED_UNUSED, LC_KEY_TAINTED, "the prior state is null");
}

/* The paths are shown redacted: ignore_changes may lead below a sensitive attribute. */
static void lint_ignored_path(linter *l, const lc_located_path *ignored, const lc_value *config,
                              const lc_value *prior)
{
    lc_str path =
        lc_case_show_path(l->arena, &l->judged->scenario->subject, l->run->schema, ignored->path);
    const lc_value *before = lc_path_apply(l->arena, prior, ignored->path);
    const lc_value *after = lc_path_apply(l->arena, config, ignored->path);
    if (before && after && lc_value_raw_equal(before, after))
        lc_note(&l->notes, l->arena, LC_LINT_IGNORE_CHANGES_UNUSED, ignored->loc,
                "ignore_changes: the configuration of %.*s is the prior state", LC_FMT(path));
}

static void lint_ignore_changes(linter *l)
{
    const lc_value *config = value_of(&l->run->config), *prior = value_of(&l->run->prior_state);
    if (!is_own(l, LC_KEY_IGNORE_CHANGES) || !config || !prior)
        return;
    if (lc_is_null(config) || lc_is_null(prior)) {
        note_key(l, LC_LINT_IGNORE_CHANGES_UNUSED, LC_KEY_IGNORE_CHANGES,
                 lc_is_null(prior) ? "a create has no change to ignore"
                                   : "a delete has no change to ignore");
        return;
    }
    for (size_t i = 0; i < l->run->ignore_changes.count; i++)
        lint_ignored_path(l, &l->run->ignore_changes.items[i], config, prior);
}

/* With plan_destroy a provider plans a delete itself; else core plans null without asking it. */
static void lint_delete_plan(linter *l)
{
    const lc_value *config = value_of(&l->run->config);
    if (config && lc_is_null(config) && is_own(l, LC_KEY_PLANNED_STATE) &&
        l->run->capabilities.plan_destroy == LC_NOT_KNOWN)
        note_key(l, LC_LINT_DELETE_PLAN, LC_KEY_PLANNED_STATE,
                 "whether this provider plans a delete is not said");
}

/* ---- Expectations. */

static void lint_update(linter *l)
{
    const lc_call *plan = lc_run_call(l->run, LC_CALL_PLAN);
    const lc_value *prior = value_of(&l->run->prior_state);
    const lc_value *planned = plan ? value_of(&plan->result) : NULL;
    bool update = l->expected->action[LC_OPENTOFU] == LC_ACTION_UPDATE ||
                  l->expected->action[LC_TERRAFORM] == LC_ACTION_UPDATE;
    if (update && prior && planned && lc_value_raw_equal(prior, planned))
        lc_note(&l->notes, l->arena, LC_LINT_UPDATE_UNCHANGED, l->expected->action_loc,
                "an update is expected, but planned_state equals prior_state");
}

/* A rule without conditions in the catalogue always has this effect, so expecting it adds nothing.
 */
static bool is_only_effect(lc_rule rule, lc_core core, lc_effect effect)
{
    const lc_rule_info *info = lc_rule_get(rule);
    return info->effects[core].last == effect && effect != LC_EFFECT_ERROR_UNLESS_LEGACY &&
           lc_str_is(info->effects[core].text, lc_effect_name(effect));
}

static void lint_effects(linter *l)
{
    for (size_t i = 0; i < l->expected->findings.count; i++) {
        const lc_expected_finding *want = &l->expected->findings.items[i];
        for (int core = 0; core < LC_CORE_COUNT; core++) {
            if (want->has_effect[core] && want->current_core[core] &&
                is_only_effect(want->rule, (lc_core)core, want->effect[core]))
                lc_note(&l->notes, l->arena, LC_LINT_EFFECT_DEFAULT, want->loc,
                        "%s: %s is the effect of %.*s in every call", lc_core_name((lc_core)core),
                        lc_effect_name(want->effect[core]), LC_FMT(lc_rule_get(want->rule)->slug));
        }
    }
}

/* Does the pattern `wide` match every rule that `narrow` matches? */
static bool covers(lc_str wide, lc_str narrow)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_str slug = lc_rule_get((lc_rule)rule)->slug;
        if (lc_str_matches_glob(slug, narrow) && !lc_str_matches_glob(slug, wide))
            return false;
    }
    return true;
}

/* Of two patterns that match the same rules the later one is reported. */
static void lint_not_checked(linter *l)
{
    const lc_expectation *e = l->expected;
    for (size_t i = 0; i < e->not_checked_count; i++) {
        lc_str narrow = e->not_checked[i].glob;
        for (size_t k = 0; k < e->not_checked_count; k++) {
            lc_str wide = e->not_checked[k].glob;
            if (k == i || !covers(wide, narrow) || (k > i && covers(narrow, wide)))
                continue;
            lc_note(&l->notes, l->arena, LC_LINT_NOT_CHECKED_REPEATED, e->not_checked[i].loc,
                    "not_checked: \"%.*s\" is part of \"%.*s\"", LC_FMT(narrow), LC_FMT(wide));
            break;
        }
    }
}

/* What a scenario for drive leaves out, a provider answers. */
static bool is_asked(const lc_scenario *s, size_t run)
{
    return s->driving && s->driving[run].given;
}

static void lint_run(linter *l, bool asked)
{
    lint_empty(l);
    lint_defaults(l);
    lint_other_kind(l);
    lint_replace(l);
    lint_ignore_changes(l);
    lint_delete_plan(l);
    if (!asked) {
        lint_final_config(l);
        lint_requires_replace(l);
        lint_prior(l);
        lint_tainted(l);
        lint_update(l);
    }
    lint_effects(l);
    lint_not_checked(l);
}

static void lint_case(linter *l)
{
    const lc_judged *judged = l->judged;
    bool asked = judged->scenario->subject.runs.count && is_asked(judged->scenario, 0);
    if (judged->expectation == LC_EXPECTATION_NONE && !judged->can_fail && !asked)
        lc_note(&l->notes, l->arena, LC_LINT_CANNOT_FAIL, judged->scenario->subject.loc,
                "this case cannot fail: it expects nothing, and no rule that could fail it was "
                "checked");
}

/* ---- Each place once. */

static bool is_new_note(const lc_written *written, lc_arena *arena, const lc_lint_note *note)
{
    lc_str key = lc_str_printf(arena, "%u:%u:%s:%.*s", note->loc.line, note->loc.column,
                               lc_lint_get(note->lint)->id, LC_FMT(note->message));
    /* The key must live as long as the table. The value only has to be non-NULL. */
    return lc_table_put(written->reported, key, written->reported) == NULL;
}

static lc_lint_notes new_notes(const linter *l)
{
    lc_lint_notes out = {0};
    for (size_t i = 0; i < l->notes.count; i++) {
        if (is_new_note(l->written, l->written->arena, &l->notes.items[i]))
            *LC_PUSH(l->arena, &out, lc_lint_note) = l->notes.items[i];
    }
    return out;
    /* Without `all` only traps are reported (see lint.def): notes made while reading. */
}

void lc_scenario_lint(lc_judged *judged, lc_arena *arena, const lc_policy *policy, bool all)
{
    const lc_scenario *s = judged->scenario;
    linter l = {.arena = arena, .written = s->written, .judged = judged};
    if (!l.written)
        return;
    for (size_t i = 0; i < l.written->notes.count; i++) {
        const lc_lint_note *note = &l.written->notes.items[i];
        if (all || lc_lint_get(note->lint)->kind == LC_LINT_TRAP)
            *LC_PUSH(arena, &l.notes, lc_lint_note) = *note;
    }
    if (!all && l.notes.count == 0)
        return;
    size_t runs =
        s->subject.runs.count < l.written->run_count ? s->subject.runs.count : l.written->run_count;
    for (size_t i = 0; i < runs && all; i++) {
        l.text = &l.written->runs[i];
        l.run = &s->subject.runs.items[i];
        l.expected = &s->expects[i];
        l.result = &judged->judgement.runs[i];
        lint_run(&l, is_asked(s, i));
    }
    if (all)
        lint_case(&l);
    lc_lint_notes out = new_notes(&l);
    lc_verdict_lint(judged, arena, &out, policy);
}
