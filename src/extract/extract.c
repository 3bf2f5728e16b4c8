/* One finding of a case as a small scenario: the case is written as a scenario, reduced while it
 * still has the finding, and gets an expectation that it meets. */
#include "extract/reduce.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/redact/redact.h"

#include <time.h>

/* What must stay equal for a finding to count as the same one. */
typedef struct mark {
    lc_rule rule;
    lc_str shape; /* of the path */
    lc_call_kind call;
    lc_effect effect[LC_CORE_COUNT];
    lc_difference_kind difference_kind;
    lc_str diagnosis;
    lc_str last_words;     /* of a provider that exited, as in the finding */
    char promised, broken; /* kinds of the two values (kind_of) */
} mark;

struct lc_extract {
    lc_arena *arena;
    lc_mutable *root; /* NULL: the case could not be written as JSON */
    mark target;
    bool effects_differ;
    lc_table allowed; /* the findings that the scenario had at first; it must not get others */
    lc_str file, path_text;
    lc_limits limits;
    double until;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Marks. */

/* Elements may be removed, so the path is compared without indexes and keys. */
static lc_str shape_of(lc_arena *arena, lc_path path)
{
    lc_buf shape = {0};
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind == LC_STEP_ATTR)
            lc_buf_printf(&shape, ".%.*s", LC_FMT(path.steps[i].name));
        else
            lc_buf_add_c(&shape, "[]");
    }
    return lc_buf_take(arena, &shape);
}

/* Null, unknown, empty and any other value are different breaches. */
static char kind_of(const lc_finding *f, lc_column column)
{
    if (column == LC_COLUMN_NONE || !f->values[column].given)
        return '-';
    lc_str json = f->values[column].json;
    bool null = lc_str_is(json, "null") || lc_str_is(json, "{\"$sensitive\":\"null\"}");
    bool unknown = lc_str_starts_with(json, LC_STR("{\"$unknown\"")) ||
                   lc_str_is(json, "{\"$sensitive\":\"unknown\"}");
    bool empty = lc_str_is(json, "[]") || lc_str_is(json, "{}") || lc_str_is(json, "\"\"") ||
                 lc_str_is(json, "{\"$sensitive\":\"empty\"}");
    return null ? 'n' : unknown ? 'u' : empty ? 'e' : 'k';
}

static lc_str last_words_of(const lc_finding *f)
{
    return f->rule == LC_RULE_WIRE_RPC_ERROR ? f->message : LC_STR_EMPTY;
}

static mark mark_of(lc_arena *arena, const lc_finding *f)
{
    mark m = {.rule = f->rule,
              .shape = shape_of(arena, f->path),
              .call = f->call.kind,
              .difference_kind = f->difference_kind,
              .diagnosis = lc_str_copy(arena, f->diagnosis.id),
              .last_words = lc_str_copy(arena, last_words_of(f)),
              .promised = kind_of(f, f->promised_by),
              .broken = kind_of(f, f->broken_by)};
    for (int core = 0; core < LC_CORE_COUNT; core++)
        m.effect[core] = f->core[core].effect;
    return m;
}

static bool same_effects(const mark *want, const lc_finding *f, bool strict)
{
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        lc_effect is = f->core[core].effect, was = want->effect[core];
        bool open = was == LC_EFFECT_ERROR_OR_TOLERATED &&
                    (is == LC_EFFECT_ERROR || is == LC_EFFECT_TOLERATED);
        if (is != was && (strict || !open))
            return false;
    }
    return true;
}

static bool has_call(const mark *want, const lc_finding *f, bool strict)
{
    bool has = f->call.kind == want->call;
    for (size_t i = 0; !strict && i < f->also_count; i++)
        has |= f->also[i].kind == want->call;
    return has;
}

static bool same_breach(const mark *want, const lc_finding *f)
{
    return f->difference_kind == want->difference_kind &&
           lc_str_eq(f->diagnosis.id, want->diagnosis) &&
           lc_str_eq(last_words_of(f), want->last_words) &&
           kind_of(f, f->promised_by) == want->promised && kind_of(f, f->broken_by) == want->broken;
}

static bool fits(lc_arena *arena, const mark *want, const lc_finding *f, bool strict)
{
    return f->rule == want->rule && has_call(want, f, strict) && same_effects(want, f, strict) &&
           (!strict || same_breach(want, f)) && lc_str_eq(shape_of(arena, f->path), want->shape);
}

/* Findings that an expectation need not list may come and go while the scenario shrinks. */
static bool counts(const lc_judged *judged, size_t i)
{
    return judged->severities[i] > LC_INFO && judged->judgement.findings.items[i].follows < 0;
}

static lc_str name_of(lc_arena *arena, const lc_finding *f)
{
    return lc_str_printf(arena, "%d %d %d %d %.*s", (int)f->rule, (int)f->call.kind,
                         (int)f->core[0].effect, (int)f->core[1].effect,
                         LC_FMT(shape_of(arena, f->path)));
}

/* ---- Judging a string. */

typedef struct trial {
    lc_arena *arena;
    lc_judged judged;
} trial;

/* False: it is not a scenario. end_trial is needed in any case. */
static bool begin_trial(trial *t, const lc_extract *x, lc_str text)
{
    lc_schema_store store;
    lc_scenario_file file;
    lc_diags diags;
    lc_policy policy = {.fail_on = LC_ERROR};
    t->arena = lc_arena_new();
    lc_diags_init(&diags, t->arena);
    lc_schema_store_init(&store, t->arena, x->limits);
    lc_status status = lc_scenario_text_read(&file, t->arena, &store, LC_STR("scenario"), text,
                                             LC_STR_EMPTY, &diags);
    if (status != LC_OK || file.scenarios.count != 1 || !file.scenarios.items[0])
        return false;
    lc_arena *scratch = lc_arena_new();
    lc_verdict_judge(&t->judged, t->arena, scratch, file.scenarios.items[0], &policy);
    lc_arena_free(scratch);
    return true;
}

static void end_trial(trial *t)
{
    lc_arena_free(t->arena);
}

static bool judge_tree(trial *t, const lc_extract *x, const lc_mutable *root)
{
    lc_buf json = {0};
    lc_mutable_add_json(&json, root);
    bool ok = begin_trial(t, x, lc_buf_copy(x->arena, &json));
    lc_buf_release(&json);
    return ok;
}

static const lc_finding *find(const lc_extract *x, const trial *t, bool strict)
{
    for (size_t i = 0; i < t->judged.judgement.findings.count; i++) {
        const lc_finding *f = &t->judged.judgement.findings.items[i];
        if (fits(t->arena, &x->target, f, strict))
            return f;
    }
    return NULL;
}

static void set_nulls(lc_mutable *tree, bool gone, bool in_object)
{
    for (size_t i = 0; i < tree->count; i++) {
        lc_mutable *child = tree->items[i];
        bool member = tree->kind == LC_NODE_MAPPING;
        if (in_object && member && child->kind == LC_NODE_NULL)
            child->gone = gone;
        else if (!(member && lc_str_is(child->key, "schema")))
            set_nulls(child, gone, in_object || (member && lc_is_object_key(child->key)));
    }
}

/* Judges the scenario as it was written first. Its findings are allowed from now on, and the form
 * in which it has the target finding becomes the one to keep. */
static bool take_as_is(lc_extract *x)
{
    trial t;
    bool ok = judge_tree(&t, x, x->root);
    const lc_finding *f = ok ? find(x, &t, true) : NULL;
    if (ok && !f)
        f = find(x, &t, false);
    lc_table_init(&x->allowed, x->arena);
    for (size_t i = 0; f && i < t.judged.judgement.findings.count; i++) {
        if (counts(&t.judged, i))
            lc_table_put(&x->allowed, name_of(x->arena, &t.judged.judgement.findings.items[i]), x);
    }
    if (f) {
        x->effects_differ |= !same_effects(&x->target, f, true);
        x->target = mark_of(x->arena, f);
    }
    end_trial(&t);
    return f != NULL;
}

/* Null members are best left out; but in a map a null element is not the same as none. */
static bool take_first(lc_extract *x)
{
    if (!x->root)
        return false;
    set_nulls(x->root, true, false);
    if (take_as_is(x))
        return true;
    set_nulls(x->root, false, false);
    return take_as_is(x);
}

static bool adds_none(const lc_extract *x, const trial *t)
{
    for (size_t i = 0; i < t->judged.judgement.findings.count; i++) {
        const lc_finding *f = &t->judged.judgement.findings.items[i];
        if (counts(&t->judged, i) && !lc_table_get(&x->allowed, name_of(t->arena, f)))
            return false;
    }
    return true;
}

static bool holds(void *context, const lc_mutable *root)
{
    lc_extract *x = context;
    trial t;
    if (now() >= x->until)
        return false;
    lc_buf json = {0};
    lc_mutable_add_json(&json, root);
    bool ok = begin_trial(&t, x, lc_buf_str(&json));
    ok = ok && find(x, &t, true) && adds_none(x, &t);
    end_trial(&t);
    lc_buf_release(&json);
    return ok;
}

/* ---- The expectation. */

static void add_action(lc_json *w, const lc_run_result *run)
{
    lc_action opentofu = run->action[LC_OPENTOFU], terraform = run->action[LC_TERRAFORM];
    if (opentofu == LC_ACTION_NONE || terraform == LC_ACTION_NONE)
        return;
    if (opentofu == terraform) {
        lc_json_c(w, "action", lc_action_name(opentofu));
        return;
    }
    lc_json_object(w, "action");
    lc_json_c(w, "opentofu", lc_action_name(opentofu));
    lc_json_c(w, "terraform", lc_action_name(terraform));
    lc_json_end_object(w);
}

static void add_expected(lc_json *w, const lc_finding *f)
{
    lc_buf path = {0};
    lc_path_add_text(&path, f->path);
    lc_json_object(w, NULL);
    lc_json_str(w, "rule", lc_rule_get(f->rule)->slug);
    lc_json_str(w, "path", lc_buf_str(&path));
    if (f->call.kind != LC_CALL_SCHEMA)
        lc_json_c(w, "call", lc_call_kind_name(f->call.kind));
    lc_json_c(w, "terraform", lc_effect_name(f->core[LC_TERRAFORM].effect));
    lc_json_c(w, "opentofu", lc_effect_name(f->core[LC_OPENTOFU].effect));
    lc_json_end_object(w);
    lc_buf_release(&path);
}

static lc_mutable *expectation(const lc_extract *x, const trial *t, uint32_t run)
{
    lc_buf json = {0};
    lc_json w = {.out = &json};
    lc_json_object(&w, NULL);
    add_action(&w, &t->judged.judgement.runs[run - 1]);
    lc_json_array(&w, "findings");
    for (size_t i = 0; i < t->judged.judgement.findings.count; i++) {
        const lc_finding *f = &t->judged.judgement.findings.items[i];
        if (f->run == run && (counts(&t->judged, i) || fits(x->arena, &x->target, f, true)))
            add_expected(&w, f);
    }
    lc_json_end_array(&w);
    lc_json_end_object(&w);
    lc_mutable *tree = lc_mutable_from_json(x->arena, lc_buf_str(&json), &x->limits);
    lc_buf_release(&json);
    if (tree)
        tree->key = LC_STR("expect");
    return tree;
}

static bool add_expectations(lc_extract *x)
{
    trial t;
    bool ok = judge_tree(&t, x, x->root);
    lc_mutable *runs = lc_mutable_get(x->root, "runs");
    size_t count = runs ? runs->count : 1;
    for (size_t i = 0, run = 0; ok && i < count; i++) {
        if (runs && runs->items[i]->gone)
            continue;
        lc_mutable *expect = expectation(x, &t, (uint32_t)++run);
        ok = expect != NULL;
        if (ok)
            lc_mutable_push(x->arena, runs ? runs->items[i] : x->root, expect);
    }
    end_trial(&t);
    return ok;
}

/* ---- The text. */

static void add_comment(lc_buf *out, lc_str text)
{
    lc_buf_add_c(out, "# ");
    lc_buf_add_folded(out, text, 2, 92, LC_STR("# "));
    lc_buf_add_char(out, '\n');
}

static const char *about_secrets(const lc_extract_options *options)
{
    if (options->generated)
        return "its values were generated";
    return options->secrets ? "secrets in it were kept" : "secrets in it were replaced by tokens";
}

static void add_head(lc_buf *out, const lc_extract *x, const lc_extract_options *options)
{
    const lc_rule_info *rule = lc_rule_get(x->target.rule);
    lc_str file = lc_str_on_one_line(x->arena, lc_file_name(x->file));
    if (lc_str_is(file, "-"))
        file = LC_STR("standard input");
    add_comment(out, lc_str_printf(x->arena, "%.*s at %.*s: %.*s.", LC_FMT(rule->slug),
                                   LC_FMT(x->path_text), LC_FMT(rule->title)));
    add_comment(out, lc_str_printf(x->arena, "Requirement: %.*s", LC_FMT(rule->requirement)));
    add_comment(out, lc_str_printf(x->arena, "Extracted from %.*s and made smaller; %s.",
                                   LC_FMT(file), about_secrets(options)));
    if (x->effects_differ)
        add_comment(out, LC_STR("The source does not say whether legacy_type_system was set, so "
                                "the effect there is an error or tolerated."));
}

/* Puts the members into the order in which a person would write them. */
static void arrange(lc_extract *x)
{
    static const char *const first[] = {"lifecheck", "name", "resource", "schema"};
    static const char *const last[] = {"runs", "expect"};
    const lc_rule_info *rule = lc_rule_get(x->target.rule);
    lc_mutable *root = lc_mutable_new(x->arena, LC_NODE_MAPPING, NULL);
    lc_str name = lc_str_printf(x->arena, "%.*s in %s", LC_FMT(rule->slug),
                                lc_call_kind_name(x->target.call));
    lc_mutable_push(x->arena, x->root, lc_mutable_text(x->arena, "name", name));
    for (size_t i = 0; i < 4; i++) {
        lc_mutable *member = lc_mutable_get(x->root, first[i]);
        if (member)
            lc_mutable_push(x->arena, root, member);
    }
    const char *key;
    for (size_t i = 0; (key = lc_scenario_key(i)); i++) {
        lc_mutable *member = lc_mutable_get(x->root, key);
        if (member && !lc_mutable_get(root, key) && !lc_str_is(member->key, last[0]) &&
            !lc_str_is(member->key, last[1]))
            lc_mutable_push(x->arena, root, member);
    }
    for (size_t i = 0; i < 2; i++) {
        lc_mutable *member = lc_mutable_get(x->root, last[i]);
        if (member)
            lc_mutable_push(x->arena, root, member);
    }
    x->root = root;
}

static bool judges_itself(const lc_extract *x, lc_str text)
{
    trial t;
    bool ok = begin_trial(&t, x, text);
    ok = ok && t.judged.expectation == LC_EXPECTATION_MET && t.judged.passes && find(x, &t, true);
    end_trial(&t);
    return ok;
}

/* As YAML; if that does not judge the same, as JSON. */
static bool write_text(lc_buf *out, lc_extract *x, const lc_extract_options *options)
{
    lc_buf text = {0};
    add_head(&text, x, options);
    lc_mutable_add_yaml(&text, x->root);
    bool ok = judges_itself(x, lc_buf_str(&text));
    if (!ok) {
        lc_buf_clear(&text);
        lc_mutable_add_json(&text, x->root);
        lc_buf_add_char(&text, '\n');
        ok = judges_itself(x, lc_buf_str(&text));
    }
    if (ok)
        lc_buf_add_str(out, lc_buf_str(&text));
    lc_buf_release(&text);
    return ok;
}

/* ---- Places that the case calls sensitive. */

static lc_mutable *child_at(lc_mutable *tree, const lc_step *step)
{
    if (tree->kind == LC_NODE_MAPPING && tree->count == 1 &&
        lc_str_is(tree->items[0]->key, "$typed"))
        return lc_mutable_get(tree->items[0], "value");
    if (step->kind == LC_STEP_INDEX)
        return tree->kind == LC_NODE_SEQUENCE && step->index < tree->count
                   ? tree->items[step->index]
                   : NULL;
    for (size_t i = 0; tree->kind == LC_NODE_MAPPING && i < tree->count; i++) {
        if (lc_str_eq(tree->items[i]->key, step->name))
            return tree->items[i];
    }
    return NULL;
}

static void mark_at(lc_arena *arena, lc_mutable *object, lc_path path)
{
    lc_mutable *at = object;
    for (size_t i = 0; at && i < path.count; i++)
        at = child_at(at, &path.steps[i]);
    if (!at || (at->count == 1 && lc_str_is(at->items[0]->key, "$sensitive")))
        return;
    lc_mutable *inner = LC_NEW(arena, lc_mutable);
    *inner = *at;
    inner->key = LC_STR("$sensitive");
    lc_str key = at->key;
    *at = *lc_mutable_new(arena, LC_NODE_MAPPING, NULL);
    at->key = key;
    lc_mutable_push(arena, at, inner);
}

/* Adds the sensitive marks of the case to every object, since the scenario has no other place. */
static void add_marks(lc_arena *arena, lc_mutable *root, const lc_case *subject)
{
    lc_mutable_list objects = {0};
    lc_find_objects(arena, &objects, root);
    for (size_t i = 0; i < objects.count; i++) {
        for (size_t k = 0; k < subject->sensitive.count; k++)
            mark_at(arena, objects.items[i], subject->sensitive.items[k]);
    }
}

/* ---- From outside. */

lc_extract *lc_extract_begin(lc_arena *arena, const lc_judged *judged, size_t at,
                             const lc_limits *limits)
{
    lc_extract *x = LC_NEW(arena, lc_extract);
    const lc_case *subject = &judged->scenario->subject;
    const lc_finding *f = &judged->judgement.findings.items[at];
    lc_buf json = {0};
    x->arena = arena;
    x->limits = *limits;
    x->target = mark_of(arena, f);
    x->file = lc_str_copy(arena, subject->file);
    x->path_text = lc_str_copy(arena, f->path_text);
    lc_write_case(&json, subject);
    x->root = lc_mutable_from_json(arena, lc_buf_str(&json), limits);
    lc_buf_release(&json);
    if (x->root)
        add_marks(arena, x->root, subject);
    return x;
}

static bool take_without_secrets(lc_extract *x, const lc_extract_options *options)
{
    lc_buf plain = {0}, redacted = {0};
    set_nulls(x->root, false, false);
    lc_mutable_add_json(&plain, x->root);
    bool ok = lc_redact_scenario(&redacted, lc_buf_str(&plain), &options->limits);
    x->root = ok ? lc_mutable_from_json(x->arena, lc_buf_str(&redacted), &x->limits) : NULL;
    lc_buf_release(&redacted);
    lc_buf_release(&plain);
    return take_first(x);
}

lc_extract_result lc_extract_finish(lc_buf *out, lc_extract *x, const lc_extract_options *options)
{
    x->until = now() + options->seconds;
    if (!take_first(x))
        return LC_EXTRACT_LOST;
    bool keep = options->secrets || options->generated;
    if (!keep && !take_without_secrets(x, options))
        return LC_EXTRACT_NEEDS_SECRETS;
    lc_reducer r = {x->arena, x->root, holds, x, options->as_asked};
    lc_reduce(&r);
    if (!add_expectations(x))
        return LC_EXTRACT_LOST;
    arrange(x);
    return write_text(out, x, options) ? LC_EXTRACTED : LC_EXTRACT_LOST;
}

bool lc_extract_case(lc_buf *out, lc_arena *arena, const lc_case *subject, bool secrets,
                     const lc_limits *limits)
{
    lc_buf json = {0}, redacted = {0};
    lc_write_case(&json, subject);
    lc_mutable *root = lc_mutable_from_json(arena, lc_buf_str(&json), limits);
    if (root)
        add_marks(arena, root, subject);
    lc_buf_clear(&json);
    if (root && !secrets) {
        lc_mutable_add_json(&json, root);
        bool ok = lc_redact_scenario(&redacted, lc_buf_str(&json), limits);
        root = ok ? lc_mutable_from_json(arena, lc_buf_str(&redacted), limits) : NULL;
    }
    if (root) {
        set_nulls(root, true, false);
        lc_mutable_add_yaml(out, root);
    }
    lc_buf_release(&redacted);
    lc_buf_release(&json);
    return root != NULL;
}
