/* Family drive: compares answers of a provider with those that a scenario expects. */
#include "contract/judge.h"

#include "lifecheck/base/arena.h"

typedef struct context {
    lc_judge *j;
    const lc_call *call;
    const lc_field *field;
    const lc_field *want; /* the field that is expected; NULL: none */
    bool apart;           /* not in the object */
    const char *what;
} context;

static void differs(const context *x, lc_path path, const char *note)
{
    lc_emit(x->j,
            &(lc_breach){.rule = LC_RULE_DRIVE_ANSWER,
                         .call = x->call,
                         .path = path,
                         .field = x->field,
                         .loc = x->call->loc,
                         .promised_by = LC_COLUMN_NONE,
                         .broken_by = x->apart ? LC_COLUMN_NONE : lc_call_column(x->call->kind),
                         .note = lc_str_from_c(note),
                         .apart = x->apart});
}

static const char *note_of(lc_judge *j, const char *what, const char *rest)
{
    return lc_str_to_c(j->scratch, lc_str_printf(j->scratch, "%s %s", what, rest));
}

/* ---- Objects. */

#define LONGEST 60 /* of a value in a message, in bytes */

/* A value as reports may show it; what is long is only named. */
static lc_str shown(const context *x, lc_path path, const lc_value *v)
{
    if (x->apart || !lc_is_known(v))
        return lc_is_unknown(v) ? LC_STR("unknown")
               : lc_is_null(v)  ? LC_STR("null")
                                : LC_STR("another value");
    lc_redacted_text text = lc_case_show(x->j->scratch, x->j->subject, x->j->view->schema, path, v);
    return text.given && !text.secret && text.json.len <= LONGEST ? text.json
                                                                  : LC_STR("another value");
}

/* An attribute or block that the scenario does not write is open: a scenario need not list all that
 * a provider computes. Its place is then that of the object around it. */
static bool is_open(const context *x, lc_path path, const lc_value *want)
{
    bool nothing = lc_is_null(want) ||
                   (lc_is_known(want) && lc_type_is_collection(want->type) && want->count == 0);
    if (!nothing || path.count == 0 || !x->want || !x->want->locator.locate)
        return false;
    lc_loc own = lc_field_locate(x->want, path);
    lc_loc around = lc_field_locate(x->want, (lc_path){path.steps, path.count - 1});
    return own.line == around.line && own.column == around.column;
}

static void each_difference(void *opaque, lc_path path, const lc_value *want, const lc_value *got)
{
    const context *x = opaque;
    if (is_open(x, path, want))
        return;
    lc_str is = shown(x, path, got), expected = shown(x, path, want);
    if (lc_str_eq(is, expected)) {
        differs(x, path, note_of(x->j, x->what, "is another value than expected"));
        return;
    }
    differs(
        x, path,
        lc_str_to_c(x->j->scratch, lc_str_printf(x->j->scratch, "%s is %.*s, and %.*s is expected",
                                                 x->what, LC_FMT(is), LC_FMT(expected))));
}

static void compare_values(lc_judge *j, const lc_call *call, const lc_field *want,
                           const lc_field *got, const char *what, bool apart)
{
    context x = {j, call, got, want, apart, what};
    if (!lc_field_has_value(want))
        return;
    if (!lc_field_has_value(got))
        differs(&x, LC_PATH_ROOT, note_of(j, what, "is expected, and is not in the response"));
    else
        lc_each_difference(j->scratch, want->value, got->value, each_difference, &x);
}

static void compare_objects(lc_judge *j, const lc_call *call, const lc_call *want)
{
    if (want->stated & LC_STATES_OBJECT)
        compare_values(j, call, &want->result, &call->result, "the response", false);
    if (want->stated & LC_STATES_IDENTITY)
        compare_values(j, call, &want->identity, &call->identity, "the identity", true);
}

static void compare_imported(lc_judge *j, const lc_call *call, const lc_call *want)
{
    context x = {j, call, NULL, NULL, true, "the import"};
    if (!(want->stated & LC_STATES_IMPORTED))
        return;
    if (want->imported.count != call->imported.count)
        differs(&x, LC_PATH_ROOT, "another number of objects was imported than expected");
    for (size_t i = 0; i < want->imported.count && i < call->imported.count; i++)
        compare_values(j, call, &want->imported.items[i].state, &call->imported.items[i].state,
                       "the imported object", true);
}

/* ---- The rest of an answer, apart from the object. */

static bool has_path(const lc_path_list *list, lc_path path)
{
    for (size_t i = 0; i < list->count; i++) {
        if (lc_path_eq(list->items[i].path, path))
            return true;
    }
    return false;
}

static void compare_replace(const context *x, const lc_path_list *want, const lc_path_list *got)
{
    for (size_t i = 0; i < want->count; i++) {
        if (!has_path(got, want->items[i].path))
            differs(x, want->items[i].path, "requires_replace does not have the path, as expected");
    }
    for (size_t i = 0; i < got->count; i++) {
        if (!has_path(want, got->items[i].path))
            differs(x, got->items[i].path, "requires_replace has the path, which is not expected");
    }
}

/* What is not written is open. */
static bool is_diagnostic(const lc_provider_diag *want, const lc_provider_diag *got)
{
    return want->severity == got->severity &&
           (want->summary.len == 0 || lc_str_eq(want->summary, got->summary)) &&
           (want->detail.len == 0 || lc_str_eq(want->detail, got->detail)) &&
           (!want->has_path || (got->has_path && lc_path_eq(want->path, got->path)));
}

static void compare_diagnostics(const context *x, const lc_call *want)
{
    size_t wanted = want->diagnostics.count, came = x->call->diagnostics.count;
    bool same = wanted == came;
    for (size_t i = 0; same && i < wanted; i++)
        same = is_diagnostic(&want->diagnostics.items[i], &x->call->diagnostics.items[i]);
    if (wanted != came)
        differs(
            x, LC_PATH_ROOT,
            lc_str_to_c(x->j->scratch,
                        lc_str_printf(x->j->scratch, "diagnostics: %zu returned, %zu %s expected",
                                      came, wanted, wanted == 1 ? "is" : "are")));
    else if (!same)
        differs(x, LC_PATH_ROOT, "other diagnostics than expected");
}

static void compare_facts(const context *x, const lc_call *want)
{
    const lc_call *call = x->call;
    if (want->stated & LC_STATES_LEGACY && (want->legacy == LC_YES) != (call->legacy == LC_YES))
        differs(x, LC_PATH_ROOT, "another legacy_type_system than expected");
    if (want->stated & LC_STATES_DEFERRED &&
        (want->deferred == LC_YES) != (call->deferred == LC_YES))
        differs(x, LC_PATH_ROOT,
                want->deferred == LC_YES ? "a deferral is expected" : "no deferral is expected");
    if (want->stated & LC_STATES_STATUS &&
        ((want->broke == LC_YES) != (call->broke == LC_YES) ||
         (want->broke_with.len && !lc_str_eq(want->broke_with, call->broke_with))))
        differs(x, LC_PATH_ROOT, "another status of the call than expected");
    if (want->stated & LC_STATES_PRIVATE && !lc_str_eq(want->private_data, call->private_data))
        differs(x, LC_PATH_ROOT, "other private data than expected");
}

/* Results of functions are never shown. */
static void compare_function(const context *x, const lc_call *want)
{
    const lc_function_call *expected = want->function, *got = x->call->function;
    if (!expected || !got)
        return;
    if (want->stated & LC_STATES_DIAGNOSTICS && !got->has_error)
        differs(x, LC_PATH_ROOT, "an error of the function is expected, and there is none");
    if (!(want->stated & LC_STATES_OBJECT) || !lc_field_has_value(&expected->result))
        return;
    if (!lc_field_has_value(&got->result))
        differs(x, LC_PATH_ROOT, "a result of the function is expected, and there is none");
    else if (!lc_value_same(expected->result.value, got->result.value))
        differs(x, LC_PATH_ROOT, "the function has another result than expected");
}

static void judge_call(lc_judge *j, const lc_call *call, const lc_call *want)
{
    context x = {j, call, NULL, NULL, true, ""};
    compare_facts(&x, want);
    compare_function(&x, want);
    if (want->stated & LC_STATES_DIAGNOSTICS && !want->function)
        compare_diagnostics(&x, want);
    if (call->broke == LC_YES || call->failed == LC_YES)
        return; /* there is nothing else to compare, and the failure is reported as such */
    compare_objects(j, call, want);
    compare_imported(j, call, want);
    if (want->stated & LC_STATES_REPLACE)
        compare_replace(&x, &want->requires_replace, &call->requires_replace);
}

void lc_judge_drive(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].expected)
            judge_call(j, &run->calls.items[i], run->calls.items[i].expected);
    }
}
