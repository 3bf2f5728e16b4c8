/* Instances of repeated blocks: count, for_each and enabled. The checks and summaries are those of
 * the cores' evaluators (evaluateCountExpression, evaluateForEachExpression). */
#include "lifecheck/base/arena.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/configuration/scope.h"

static bool fail(lc_eval_error *trouble, lc_source_pos place, const char *summary,
                 const char *detail)
{
    *trouble = (lc_eval_error){lc_str_from_c(summary), lc_str_from_c(detail), place, NULL};
    return false;
}

static bool fail_each(lc_eval_error *trouble, lc_source_pos place, const char *detail)
{
    return fail(trouble, place, LC_SUMMARY_INVALID_FOR_EACH, detail);
}

static void add(lc_repetitions *out, lc_arena *arena, lc_repetition instance)
{
    *LC_PUSH(arena, &out->list, lc_repetition) = instance;
}

/* The reason if lifecheck cannot determine the value as a whole; else NULL. */
static const lc_undecided *undecided_of(lc_marked v)
{
    return lc_marks_self(v) & LC_MARK_UNDECIDED ? v.marks->undecided : NULL;
}

/* ---- count. */

static bool expand_count(lc_repetitions *out, lc_arena *arena, lc_marked v, lc_source_pos place,
                         lc_eval_error *trouble)
{
    const lc_value *n;
    lc_str why;
    int64_t count;
    if (lc_marks_self(v) & LC_MARK_EPHEMERAL)
        return fail(trouble, place, LC_SUMMARY_INVALID_COUNT, "the number is ephemeral");
    if (lc_is_null(v.value))
        return fail(trouble, place, LC_SUMMARY_INVALID_COUNT, "the number is null");
    if (!lc_value_convert(&n, arena, v.value, &lc_type_number, &why))
        return fail(trouble, place, LC_SUMMARY_INCORRECT_VALUE_TYPE, "a number is required");
    out->unknown = lc_is_unknown(n);
    if (out->unknown)
        return fail(trouble, place, LC_SUMMARY_INVALID_COUNT,
                    "the number is known only after something is applied");
    if (!lc_num_to_int64(n->as.number, &count) || count < 0)
        return fail(trouble, place, LC_SUMMARY_INVALID_COUNT,
                    "a whole number that is not negative is required");
    /* The cores have no such limit. */
    if (count > LC_MAX_INSTANCES)
        return fail(trouble, place, "", "there are more instances than the limit");
    for (int64_t i = 0; i < count; i++)
        add(out, arena, (lc_repetition){.key = lc_key_int(i), .has_count = true});
    return true;
}

/* ---- for_each. */

/* A set must contain known strings. The cores differ in the summary of an unsuitable element
 * only. */
static bool expand_set(lc_repetitions *out, lc_arena *arena, lc_profile profile,
                       const lc_value *set, lc_source_pos place, lc_eval_error *trouble)
{
    const char *summary = profile == LC_PROFILE_TERRAFORM ? LC_SUMMARY_INVALID_FOR_EACH_SET
                                                          : LC_SUMMARY_INVALID_FOR_EACH;
    const lc_type *elem = set->type->as.elem;
    if (set->count == 0)
        return true;
    if (elem->kind != LC_TYPE_STRING && elem->kind != LC_TYPE_DYNAMIC)
        return fail(trouble, place, summary, "the set must hold strings");
    for (uint32_t i = 0; i < set->count; i++) {
        const lc_value *v = &set->as.many.elems[i];
        if (lc_is_unknown(v)) {
            *out = (lc_repetitions){.unknown = true};
            return fail_each(trouble, place, "the set is known only after something is applied");
        }
        if (lc_is_null(v))
            return fail(trouble, place, summary, "the set must not hold a null");
        add(out, arena,
            (lc_repetition){
                .key = lc_key_string(v->as.string), .has_each = true, .each_value = {v, NULL}});
    }
    return true;
}

/* Element `at` with its own marks and those of the whole collection. */
static lc_marked part(lc_arena *arena, lc_marked whole, uint32_t at)
{
    lc_marked v = {&whole.value->as.many.elems[at], NULL};
    if (whole.marks && at < whole.marks->count)
        v.marks = whole.marks->children[at];
    unsigned self = lc_marks_self(whole);
    return self ? lc_marked_with(arena, v, self, whole.marks->undecided) : v;
}

static bool expand_map(lc_repetitions *out, lc_arena *arena, lc_marked map)
{
    const lc_type *type = map.value->type;
    for (uint32_t i = 0; i < map.value->count; i++) {
        lc_str key =
            type->kind == LC_TYPE_MAP ? map.value->as.many.keys[i] : type->as.attrs[i].name;
        add(out, arena,
            (lc_repetition){
                .key = lc_key_string(key), .has_each = true, .each_value = part(arena, map, i)});
    }
    return true;
}

static void hide(lc_repetitions *out, lc_arena *arena)
{
    for (size_t i = 0; i < out->list.count; i++) {
        lc_repetition *one = &out->list.items[i];
        one->hidden = true;
        one->each_value = lc_marked_with(arena, one->each_value, LC_MARK_HIDDEN, NULL);
    }
}

/* The order of the checks is that of the cores: marks, then null, type, unknown. If lifecheck
 * cannot determine a value, only its type may be certain. */
bool lc_scope_each(lc_repetitions *out, lc_arena *arena, lc_profile profile, lc_marked v,
                   lc_source_pos place, lc_eval_error *trouble)
{
    *out = (lc_repetitions){.undecided = undecided_of(v)};
    const lc_type *type = v.value->type;
    if (lc_marks_self(v) & (LC_MARK_SENSITIVE | LC_MARK_EPHEMERAL))
        return fail_each(trouble, place, "sensitive and ephemeral values cannot name instances");
    /* An unknown value of unknown type may turn out to be a map. */
    bool fits = type->kind == LC_TYPE_SET || type->kind == LC_TYPE_MAP ||
                type->kind == LC_TYPE_OBJECT || type->kind == LC_TYPE_DYNAMIC;
    if (out->undecided && (fits || !lc_marked_type_is_sure(v)))
        return true;
    if (lc_is_null(v.value))
        return fail_each(trouble, place, "the value is null");
    if (!fits)
        return fail_each(trouble, place, "a map or a set of strings is required");
    if (lc_is_unknown(v.value)) {
        out->unknown = true;
        return fail_each(trouble, place, "the keys are known only after something is applied");
    }
    if (v.value->count > LC_MAX_INSTANCES)
        return fail(trouble, place, "", "there are more instances than the limit");
    bool good = type->kind == LC_TYPE_SET ? expand_set(out, arena, profile, v.value, place, trouble)
                                          : expand_map(out, arena, v);
    if (lc_marks_self(v) & LC_MARK_HIDDEN)
        hide(out, arena);
    return good;
}

/* ---- enabled. */

/* OpenTofu's lifecycle `enabled`: no instance, or one without a key. */
static bool expand_enabled(lc_repetitions *out, lc_arena *arena, lc_marked v, lc_source_pos place,
                           lc_eval_error *trouble)
{
    const lc_value *is;
    lc_str why;
    if (lc_marks_self(v) & (LC_MARK_SENSITIVE | LC_MARK_EPHEMERAL))
        return fail(trouble, place, LC_SUMMARY_INVALID_ENABLED, "the value is sensitive");
    if (lc_is_null(v.value) || !lc_value_convert(&is, arena, v.value, &lc_type_bool, &why) ||
        lc_is_unknown(is))
        return fail(trouble, place, LC_SUMMARY_INVALID_ENABLED, "true or false is required");
    if (is->as.boolean)
        add(out, arena, (lc_repetition){.key = LC_NO_KEY});
    return true;
}

/* `more` after the errors that are there, which are copied. */
static void append(lc_arena *arena, lc_eval_error *trouble, const lc_eval_error *more)
{
    lc_eval_error *last = trouble;
    for (const lc_eval_error *next = trouble->next; next; next = next->next) {
        lc_eval_error *copy = LC_NEW(arena, lc_eval_error);
        *copy = *next;
        last->next = copy;
        last = copy;
    }
    last->next = lc_arena_copy(arena, more, 1, sizeof *more);
}

/* OpenTofu checks the value with which it continues after an error of for_each, too, unless a name
 * has no value: EvaluateForEachExpressionValue in internal/lang/evalchecks. */
static void check_failed_each(lc_repetitions *out, lc_module_scope *scope, lc_marked v,
                              lc_source_pos place, lc_eval_error *trouble)
{
    lc_repetitions ignored;
    lc_eval_error more = {0};
    lc_profile profile = scope->around->config->profile;
    if (profile != LC_PROFILE_OPENTOFU || scope->lookup_failed || !trouble->summary.len)
        return;
    if (lc_scope_each(&ignored, scope->arena, profile, v, place, &more) || !more.summary.len)
        return;
    if (lc_is_unknown(v.value))
        out->also = lc_arena_copy(scope->arena, &more, 1, sizeof more);
    else
        append(scope->arena, trouble, &more);
}

bool lc_scope_expand(lc_repetitions *out, lc_module_scope *scope,
                     const lc_config_repetition *repetition, lc_eval_error *trouble)
{
    lc_marked v;
    const lc_expr *expr = repetition->for_each ? repetition->for_each
                          : repetition->count  ? repetition->count
                                               : repetition->enabled;
    *out = (lc_repetitions){0};
    if (!expr) { /* most blocks are not repeated */
        out->list.items = LC_NEW(scope->arena, lc_repetition);
        out->list.items->key = LC_NO_KEY;
        out->list.count = out->list.capacity = 1;
        return true;
    }
    scope->lookup_failed = false;
    if (!lc_scope_evaluate(&v, scope, expr, NULL, trouble)) {
        if (repetition->for_each)
            check_failed_each(out, scope, v, lc_expr_pos(expr), trouble);
        return false;
    }
    if (repetition->for_each)
        return lc_scope_each(out, scope->arena, scope->around->config->profile, v,
                             lc_expr_pos(expr), trouble);
    const lc_value *ignored;
    lc_str why;
    out->undecided = undecided_of(v);
    if (out->undecided &&
        (!lc_marked_type_is_sure(v) ||
         lc_value_convert(&ignored, scope->arena, v.value,
                          repetition->count ? &lc_type_number : &lc_type_bool, &why)))
        return true;
    if (repetition->count)
        return expand_count(out, scope->arena, v, lc_expr_pos(expr), trouble);
    return expand_enabled(out, scope->arena, v, lc_expr_pos(expr), trouble);
}
