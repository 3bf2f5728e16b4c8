/* What the author of a scenario states about it: expect, ignore and known_failing.
 *
 * Everything is checked against what exists (rules, calls, effects, actions), because a misspelt
 * expectation would otherwise look like a provider that misbehaves. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/diagnose/diagnose.h"
#include "scenario/internal.h"

#include <string.h>

static void suggest(lc_in *in, const lc_node *node, const char *what, lc_str word, lc_str near)
{
    const char *hint = strcmp(what, "the rule") == 0 ? "`lifecheck rules` lists them"
                                                     : "lifecheck-scenario(5) lists them";
    lc_loc loc = lc_in_loc(in, node);
    if (near.len)
        lc_diag_error(in->diags, loc, "%s \"%.*s\" does not exist; did you mean \"%.*s\"?", what,
                      LC_FMT(word), LC_FMT(near));
    else
        lc_diag_error(in->diags, loc, "%s \"%.*s\" does not exist; %s", what, LC_FMT(word), hint);
}

/* ---- Names. The tables of names below are complete, so every misspelt name is an error with a
 * suggestion. */

static bool has_wildcard(lc_str glob)
{
    for (size_t i = 0; i < glob.len; i++) {
        if (glob.ptr[i] == '*' || glob.ptr[i] == '?')
            return true;
    }
    return false;
}

static void no_rule_matches(lc_in *in, lc_loc loc, lc_str glob)
{
    lc_buf words = {0};
    lc_rule_add_unmatched(&words, glob);
    lc_diag_error(in->diags, loc, "%.*s", LC_FMT(lc_buf_str(&words)));
    lc_buf_release(&words);
}

/* A slug, or a pattern that at least one slug matches. */
static bool read_glob(lc_in *in, lc_str *out, const lc_node *node)
{
    lc_rule rule;
    if (!lc_in_text(in, out, node, "a rule"))
        return false;
    if (!has_wildcard(*out)) {
        if (lc_rule_from_slug(&rule, *out))
            return true;
        suggest(in, node, "the rule", *out, lc_rule_nearest(*out));
        return false;
    }
    for (unsigned i = 0; i < LC_RULE_COUNT; i++) {
        if (lc_str_matches_glob(lc_rule_get((lc_rule)i)->slug, *out))
            return true;
    }
    no_rule_matches(in, lc_in_loc(in, node), *out);
    return false;
}

static bool read_call(lc_in *in, lc_call_kind *out, const lc_node *node)
{
    lc_str text;
    if (!lc_in_text(in, &text, node, "call"))
        return false;
    if (lc_call_kind_from_name(out, text))
        return true;
    suggest(in, node, "the call", text, lc_str_nearest_word(text, lc_call_kind_names));
    return false;
}

static lc_str listed(lc_arena *arena, const lc_str *names, size_t count)
{
    lc_buf out = {0};
    for (size_t i = 0; i < count; i++)
        lc_buf_printf(&out, "%s%.*s", i ? ", " : "", LC_FMT(names[i]));
    return lc_buf_take(arena, &out);
}

/* LC_EFFECT_ERROR_UNLESS_LEGACY is a condition of the catalogue and cannot be observed. */
static bool read_effect(lc_in *in, lc_effect *out, const lc_node *node)
{
    lc_str text;
    if (!lc_in_text(in, &text, node, "an effect"))
        return false;
    if (lc_effect_from_name(out, text) && *out != LC_EFFECT_ERROR_UNLESS_LEGACY)
        return true;
    *out = LC_EFFECT_NONE;
    lc_str names[LC_EFFECT_ERROR_UNLESS_LEGACY];
    for (unsigned i = 0; i < LC_EFFECT_ERROR_UNLESS_LEGACY; i++)
        names[i] = lc_str_from_c(lc_effect_name((lc_effect)i));
    lc_str near = lc_str_nearest(text, names, LC_EFFECT_ERROR_UNLESS_LEGACY);
    if (near.len)
        suggest(in, node, "the effect", text, near);
    else
        lc_diag_error(in->diags, lc_in_loc(in, node),
                      "the effect \"%.*s\" does not exist; these are: %.*s", LC_FMT(text),
                      LC_FMT(listed(in->arena, names, LC_EFFECT_ERROR_UNLESS_LEGACY)));
    return false;
}

static bool read_action(lc_in *in, lc_action *out, const lc_node *node)
{
    lc_str text;
    if (!lc_in_text(in, &text, node, "an action"))
        return false;
    if (lc_action_from_name(out, text) && *out != LC_ACTION_NONE)
        return true;
    *out = LC_ACTION_NONE;
    suggest(in, node, "the action", text,
            lc_str_nearest_word(text, lc_action_names + LC_ACTION_NOOP));
    return false;
}

/* Reads `opentofu` or `terraform@1.5`. *current: without a version, which means the core that this
 * program mirrors. */
static bool core_from_key(lc_core *core, bool *current, lc_str key)
{
    size_t cut = lc_str_find(key, 0, '@');
    *current = cut == key.len;
    lc_str name = lc_str_sub(key, 0, cut), version = lc_str_sub(key, cut + !*current, key.len);
    for (size_t i = 0; i < version.len; i++) {
        bool digit = lc_is_digit(version.ptr[i]);
        bool dot = version.ptr[i] == '.' && i && i + 1 < version.len;
        if (!digit && !dot)
            return false;
    }
    for (int c = 0; c < LC_CORE_COUNT; c++) {
        if (lc_str_is(name, lc_core_name((lc_core)c))) {
            *core = (lc_core)c;
            return *current || version.len > 0;
        }
    }
    return false;
}

/* Is this a mapping from cores only? */
static bool all_cores(const lc_node *node)
{
    lc_core core;
    bool current;
    if (node->kind != LC_NODE_MAPPING || node->tag || node->count == 0)
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!core_from_key(&core, &current, node->as.members[i].key))
            return false;
    }
    return true;
}

/* ---- Expected findings. */

enum { RULE, ADDRESS, PATH, CALL, DIAGNOSIS, TERRAFORM, OPENTOFU, FINDING_KEYS };
static const lc_key_row finding_rows[] = {
    {"rule", LC_SHAPE_RULE, true, ""},
    {"address", LC_SHAPE_TEXT, false, "of a whole plan or configuration: which instance"},
    {"path", LC_SHAPE_PATH, false, ""},
    {"call", LC_SHAPE_CALL_NAME, false, "the group that shows it"},
    {"diagnosis", LC_SHAPE_DIAGNOSIS, false, "its diagnosis, or none"},
    {"terraform", LC_SHAPE_EFFECT, false, "its effect in Terraform"},
    {"opentofu", LC_SHAPE_EFFECT, false, "its effect in OpenTofu"},
};
const lc_keyset lc_finding_keys = LC_KEYSET(finding_rows);

static void read_core_effect(lc_in *in, lc_expected_finding *out, const lc_member *member,
                             lc_core core, bool current)
{
    lc_effect effect;
    if (!read_effect(in, &effect, &member->value))
        return;
    if (out->has_effect[core] && out->current_core[core])
        return; /* the effect for the mirrored core wins over that for another version */
    out->has_effect[core] = true;
    out->effect[core] = effect;
    out->current_core[core] = current;
}

/* The name of a diagnosis, or "none": no diagnosis explains the finding. */
static void read_diagnosis(lc_in *in, lc_expected_finding *out, const lc_node *node)
{
    if (lc_in_text(in, &out->diagnosis, node, "diagnosis") && !lc_str_is(out->diagnosis, "none") &&
        !lc_diagnosis_find(out->diagnosis))
        suggest(in, node, "the diagnosis", out->diagnosis, lc_diagnosis_nearest(out->diagnosis));
}

/* Not lc_in_keys, because names of cores may have a version: `terraform@1.5`. */
static void read_finding_member(lc_in *in, lc_expected_finding *out, const lc_member *member)
{
    const lc_node *node = &member->value;
    lc_core core;
    bool current;
    lc_str slug;
    if (lc_str_is(member->key, finding_rows[RULE].name)) {
        if (lc_in_text(in, &slug, node, "rule") && !lc_rule_from_slug(&out->rule, slug))
            suggest(in, node, "the rule", slug, lc_rule_nearest(slug));
    } else if (lc_str_is(member->key, finding_rows[ADDRESS].name)) {
        lc_in_text(in, &out->address, node, "address");
    } else if (lc_str_is(member->key, finding_rows[PATH].name)) {
        out->has_path = lc_in_path(in, &out->path, node, false);
    } else if (lc_str_is(member->key, finding_rows[CALL].name)) {
        out->has_call = read_call(in, &out->call, node);
    } else if (lc_str_is(member->key, finding_rows[DIAGNOSIS].name)) {
        read_diagnosis(in, out, node);
    } else if (core_from_key(&core, &current, member->key)) {
        read_core_effect(in, out, member, core, current);
    } else {
        lc_str names[FINDING_KEYS];
        for (int i = 0; i < FINDING_KEYS; i++)
            names[i] = lc_str_from_c(finding_rows[i].name);
        lc_in_unknown_key(in, member, "an expected finding", names, FINDING_KEYS);
    }
}

static void read_finding(lc_in *in, lc_expected_finding *out, const lc_node *node)
{
    *out = (lc_expected_finding){
        .loc = lc_in_loc(in, node), .address = LC_STR_EMPTY, .diagnosis = LC_STR_EMPTY};
    if (!lc_in_mapping(in, node, "an expected finding"))
        return;
    for (uint32_t i = 0; i < node->count; i++)
        read_finding_member(in, out, &node->as.members[i]);
    if (!lc_node_get(node, finding_rows[RULE].name))
        lc_diag_error(in->diags, out->loc, "an expected finding needs the key \"rule\"");
}

/* ---- expect. */

/* One action for both cores, or one for each. */
static void read_actions(lc_in *in, lc_expectation *out, const lc_node *node)
{
    out->action_loc = lc_in_loc(in, node);
    lc_action action;
    if (node->kind != LC_NODE_MAPPING) {
        if (read_action(in, &action, node))
            out->action[LC_OPENTOFU] = out->action[LC_TERRAFORM] = action;
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        lc_core core;
        bool current;
        lc_str names[] = {LC_STR("opentofu"), LC_STR("terraform")};
        if (!core_from_key(&core, &current, member->key))
            lc_in_unknown_key(in, member, "an expected action", names, LC_CORE_COUNT);
        else if (read_action(in, &action, &member->value) && current)
            out->action[core] = action;
    }
}

static const lc_value *read_proposed(lc_in *in, const lc_node *node, const lc_schema *schema)
{
    lc_field field = {0};
    lc_in_object(in, &field, node, schema, false);
    if (field.state == LC_FIELD_UNDECODABLE)
        lc_diag_error(in->diags, field.loc,
                      "the expected proposed new state is not an object: %.*s",
                      LC_FMT(field.problem.message));
    return field.value;
}

/* One object for both cores, or one for each. A schema with an attribute or block that has the name
 * of a core makes the second form ambiguous; then the first is meant. */
static void read_proposed_states(lc_in *in, lc_expectation *out, const lc_node *node,
                                 const lc_schema *schema)
{
    out->proposed_loc = lc_in_loc(in, node);
    if (!schema)
        return;
    bool named = lc_type_attr_index(schema->block->implied, LC_STR("terraform")) >= 0 ||
                 lc_type_attr_index(schema->block->implied, LC_STR("opentofu")) >= 0;
    if (named || !all_cores(node)) {
        const lc_value *value = read_proposed(in, node, schema);
        out->proposed[LC_OPENTOFU] = out->proposed[LC_TERRAFORM] = value;
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *member = &node->as.members[i];
        lc_core core;
        bool current;
        core_from_key(&core, &current, member->key);
        const lc_value *value = read_proposed(in, &member->value, schema);
        if (current)
            out->proposed[core] = value;
    }
}

static void read_findings(lc_in *in, lc_expectation *out, const lc_node *node)
{
    if (!lc_in_sequence(in, node, "findings"))
        return;
    for (uint32_t i = 0; i < node->count; i++)
        read_finding(in, LC_PUSH(in->arena, &out->findings, lc_expected_finding),
                     &node->as.items[i]);
}

static void read_not_checked(lc_in *in, lc_expectation *out, const lc_node *node)
{
    if (!lc_in_sequence(in, node, "not_checked"))
        return;
    out->not_checked = lc_arena_array(in->arena, node->count, sizeof *out->not_checked);
    for (uint32_t i = 0; i < node->count; i++) {
        lc_str glob;
        if (!read_glob(in, &glob, &node->as.items[i]))
            continue;
        out->not_checked[out->not_checked_count].loc = lc_in_loc(in, &node->as.items[i]);
        out->not_checked[out->not_checked_count++].glob = glob;
    }
}

enum { ACTION, FINDINGS, PROPOSED, NOT_CHECKED, EXPECT_KEYS };
static const lc_key_row expect_rows[] = {
    {"action", LC_SHAPE_ACTIONS, false, "the action that follows from the calls"},
    {"findings", LC_SHAPE_FINDINGS, false, "exactly these, each as often as it is listed"},
    {"proposed_new_state", LC_SHAPE_OBJECT, false, "the object, or one for each client"},
    {"not_checked", LC_SHAPE_RULES_LIST, false, "rules that must not have been checked"},
};
const lc_keyset lc_expect_keys = LC_KEYSET(expect_rows);

/* An empty `expect` is refused, because it would look like an expectation and check nothing. */
void lc_in_expect(lc_in *in, lc_expectation *out, const lc_node *node, const lc_schema *schema)
{
    const lc_member *found[EXPECT_KEYS];
    out->given = true;
    out->loc = lc_in_loc(in, node);
    bool empty = node->kind == LC_NODE_NULL || (node->kind == LC_NODE_MAPPING && node->count == 0);
    if (empty && !node->tag) {
        lc_diag_error(in->diags, out->loc,
                      "expect is empty; write what is expected, for example {findings: []}");
        return;
    }
    lc_in_keys(in, found, node, &lc_expect_keys, "expect");
    if (found[ACTION])
        read_actions(in, out, &found[ACTION]->value);
    if (found[FINDINGS])
        read_findings(in, out, &found[FINDINGS]->value);
    if (found[PROPOSED])
        read_proposed_states(in, out, &found[PROPOSED]->value, schema);
    if (found[NOT_CHECKED])
        read_not_checked(in, out, &found[NOT_CHECKED]->value);
}

/* ---- ignore and known_failing. */

static void read_reason(lc_in *in, lc_str *out, const lc_member *member, lc_loc at,
                        const char *what)
{
    if (!member)
        lc_diag_error(in->diags, at,
                      "%s needs the key \"reason\": say why, as in reason: \"issue 7\"", what);
    else if (lc_in_text(in, out, &member->value, "a reason") && out->len == 0)
        lc_diag_error(in->diags, lc_in_loc(in, &member->value), "a reason is not empty");
}

/* `until` is optional; the policy compares it with today. */
static void read_until(lc_in *in, lc_date *out, const lc_member *member)
{
    lc_str text;
    if (!member || !lc_in_text(in, &text, &member->value, "until"))
        return;
    if (!lc_date_parse(out, text))
        lc_diag_error(in->diags, lc_in_loc(in, &member->value),
                      "until takes a date of the form YYYY-MM-DD");
}

static const lc_key_row ignore_rows[] = {
    {"rule", LC_SHAPE_RULES, true, ""},
    {"path", LC_SHAPE_PATH, false,
     "may be a pattern: [*] for any index or key, .* for any attribute"},
    {"reason", LC_SHAPE_REASON, true, ""},
    {"until", LC_SHAPE_DAY, false, "the last day on which it applies"},
};
const lc_keyset lc_ignore_keys = LC_KEYSET(ignore_rows);

static void read_ignore(lc_in *in, lc_ignore *out, const lc_node *node)
{
    const lc_member *found[4];
    out->loc = lc_in_loc(in, node);
    if (!lc_in_keys(in, found, node, &lc_ignore_keys, "an ignore"))
        return;
    if (found[0])
        read_glob(in, &out->rule, &found[0]->value);
    else
        lc_diag_error(in->diags, out->loc, "an ignore needs the key \"rule\"");
    if (found[1])
        out->has_path = lc_in_path(in, &out->path, &found[1]->value, true);
    read_reason(in, &out->reason, found[2], out->loc, "an ignore");
    read_until(in, &out->until, found[3]);
}

void lc_in_ignores(lc_in *in, lc_scenario *scenario, const lc_node *node)
{
    if (!lc_in_sequence(in, node, "ignore"))
        return;
    for (uint32_t i = 0; i < node->count; i++)
        read_ignore(in, LC_PUSH(in->arena, &scenario->ignores, lc_ignore), &node->as.items[i]);
}

static lc_str trim(lc_str text)
{
    size_t from = 0, to = text.len;
    while (from < to && (text.ptr[from] == ' ' || text.ptr[from] == '\t'))
        from++;
    while (to > from &&
           (text.ptr[to - 1] == ' ' || text.ptr[to - 1] == '\t' || text.ptr[to - 1] == '\r'))
        to--;
    return lc_str_sub(text, from, to);
}

/* `lifecheck: ignore RULE -- reason` in a comment. */
static bool read_comment(lc_in *in, lc_ignore *out, const lc_comment *comment)
{
    lc_str text = trim(lc_str_sub(comment->text, sizeof LC_IGNORE_COMMENT - 1, comment->text.len));
    size_t end = lc_str_find(text, 0, ' ');
    out->loc = (lc_loc){in->source->file, comment->line, comment->column};
    out->rule = lc_str_sub(text, 0, end);
    text = trim(lc_str_sub(text, end, text.len));
    if (!lc_rule_any_matches(out->rule)) {
        no_rule_matches(in, out->loc, out->rule);
        return false;
    }
    if (lc_str_starts_with(text, LC_STR("--")))
        out->reason = trim(lc_str_sub(text, 2, text.len));
    if (out->reason.len)
        return true;
    lc_diag_error(in->diags, out->loc,
                  "an ignore needs a reason: # lifecheck: ignore %.*s -- why it is accepted",
                  LC_FMT(out->rule));
    return false;
}

void lc_in_comment_ignores(lc_in *in, lc_scenario *scenario, const lc_comments *comments,
                           uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < comments->count; i++) {
        const lc_comment *comment = &comments->items[i];
        lc_ignore ignore = {.rule = LC_STR_EMPTY, .reason = LC_STR_EMPTY};
        if (comment->about < from || comment->about >= to || !read_comment(in, &ignore, comment))
            continue;
        ignore.line = comment->about == from ? 0 : comment->about;
        *LC_PUSH(in->arena, &scenario->ignores, lc_ignore) = ignore;
    }
}

static const lc_key_row failing_rows[] = {
    {"reason", LC_SHAPE_REASON, true, ""},
    {"until", LC_SHAPE_DAY, false, "the last day that it may fail"},
};
const lc_keyset lc_failing_keys = LC_KEYSET(failing_rows);

void lc_in_known_failing(lc_in *in, lc_scenario *scenario, const lc_node *node)
{
    const lc_member *found[2];
    scenario->known_failing = true;
    scenario->known_failing_loc = lc_in_loc(in, node);
    if (!lc_in_keys(in, found, node, &lc_failing_keys, "known_failing"))
        return;
    read_reason(in, &scenario->known_failing_reason, found[0], scenario->known_failing_loc,
                "known_failing");
    read_until(in, &scenario->known_failing_until, found[1]);
}
