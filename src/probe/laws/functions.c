/* Law 42, and 41 for functions: the same call has the same result, in any process. Arguments are
 * made by type and name; where a parameter allows it they are null, or unknown. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_TURNS    16
#define MOST_ACCEPTED 3
#define MOST_PLACES   20 /* arguments that are made null or unknown, one at a time */

/* ---- Arguments. */

static size_t least_count(const lc_function *f)
{
    return f->parameter_count - f->variadic;
}

static lc_arguments make(lc_arena *arena, const lc_function *f, size_t count, unsigned turn)
{
    static const lc_wish nothing;
    lc_arguments out = {LC_NEW_ARRAY(arena, const lc_value *, count + 1), count};
    for (size_t i = 0; i < count; i++) {
        const lc_parameter *p = lc_function_parameter(f, i);
        out.values[i] = lc_make_value(arena, p->type, p->name, &nothing, turn);
    }
    return out;
}

static lc_arguments with(lc_arena *arena, const lc_arguments *from, size_t at,
                         const lc_value *value)
{
    lc_arguments out = {LC_NEW_ARRAY(arena, const lc_value *, from->count + 1), from->count};
    if (from->count)
        memcpy(out.values, from->values, from->count * sizeof *out.values);
    out.values[at] = value;
    return out;
}

/* Elements of any type have to be of one type, of which nothing is known. */
static bool has_loose_elements(const lc_type *type)
{
    if (lc_type_is_collection(type))
        return type->as.elem->has_dynamic;
    for (uint32_t i = 0; type->has_dynamic && i < type->count; i++) {
        bool object = type->kind == LC_TYPE_OBJECT;
        if (has_loose_elements(object ? type->as.attrs[i].type : type->as.items[i]))
            return true;
    }
    return false;
}

/* Why it is not called; NULL: it is. A client cannot call what has another name, and reads no
 * schema with another type. */
static const char *why_not_called(const lc_function *f)
{
    const char *wrong = "it has no signature by which a client could call it";
    for (size_t i = 0; i < f->name.len; i++) {
        char c = f->name.ptr[i];
        if (!lc_is_alnum(c) && c != '_' && c != '-')
            return wrong;
    }
    if (f->name.len == 0 || !f->return_type)
        return wrong;
    for (size_t i = 0; i < f->parameter_count; i++) {
        if (!f->parameters[i].type)
            return wrong;
        if (has_loose_elements(f->parameters[i].type))
            return "no arguments can be made: they have elements of any type";
    }
    return NULL;
}

static bool is_answered(lc_examination *exam, const lc_arguments *arguments)
{
    lc_trial trial = {.exam = exam, .arena = lc_arena_new()};
    bool ok = lc_peer_cache_restart(exam->cache);
    if (ok) {
        lc_trial_begin_run(&trial, NULL, NULL);
        const lc_call *call = lc_trial_call_function(&trial, arguments, false, false);
        ok = lc_answered(call) && call->function;
    }
    lc_arena_free(trial.arena);
    return ok;
}

void lc_find_arguments(lc_examination *exam)
{
    const lc_function *f = exam->function;
    unsigned turns = f->parameter_count ? MOST_TURNS : 1;
    lc_probe_type *r = exam->result;
    const char *why = why_not_called(f);
    r->why_not = lc_str_from_c(why ? why : "the function has an error for all arguments");
    if (why)
        return;
    for (unsigned turn = 0; turn < turns && exam->arguments.count < MOST_ACCEPTED; turn++) {
        lc_arguments arguments = make(exam->arena, f, f->parameter_count, turn);
        if (is_answered(exam, &arguments))
            *LC_PUSH(exam->arena, &exam->arguments, lc_arguments) = arguments;
    }
    r->configurations = (uint32_t)exam->arguments.count;
    r->configured = exam->arguments.count > 0;
    r->from = r->configured ? LC_STR("schema") : LC_STR_EMPTY;
    if (r->configured)
        r->why_not = LC_STR_EMPTY;
}

/* ---- Asking. */

bool lc_query_function(lc_trial *trial)
{
    const lc_arguments *arguments = trial->spec->arguments;
    lc_trial_begin_run(trial, NULL, NULL);
    bool more = lc_trial_call_function(trial, arguments, false, false)->broke != LC_YES &&
                trial->spec->law == LC_LAW_42;
    more = more && lc_trial_call_function(trial, arguments, false, true)->broke != LC_YES;
    if (more && trial->exam->other)
        lc_trial_call_function(trial, arguments, true, true);
    return true;
}

static void try_one(lc_examination *exam, lc_law law, lc_arguments arguments)
{
    lc_run_trial(exam, &(lc_trial_spec){.law = law, .arguments = &arguments});
}

/* What a type can be without a value. Clients pass what has no type of its own only as a value. */
static void try_forms(lc_examination *exam, lc_law law, const lc_arguments *base, size_t at)
{
    const lc_parameter *p = lc_function_parameter(exam->function, at);
    lc_value slot;
    if (p->type->has_dynamic)
        return;
    lc_value_set_null(&slot, p->type);
    if (p->nullable)
        try_one(exam, law, with(exam->arena, base, at, lc_value_new(exam->arena, &slot)));
    lc_value_set_unknown(&slot, p->type);
    if (p->takes_unknown)
        try_one(exam, law, with(exam->arena, base, at, lc_value_new(exam->arena, &slot)));
}

/* An error is an answer: what the function does not take is asked, too. */
void lc_find_function(lc_examination *exam, lc_law law)
{
    const lc_function *f = exam->function;
    bool asked = law == LC_LAW_41 || law == LC_LAW_42;
    const char *why = asked ? why_not_called(f) : "functions are only called";
    if (why) {
        lc_not_tried(exam, law, why);
        return;
    }
    lc_arguments base = make(exam->arena, f, f->parameter_count, 0);
    for (size_t i = 0; i < exam->arguments.count; i++)
        try_one(exam, law, exam->arguments.items[i]);
    try_one(exam, law, base);
    if (exam->arguments.count)
        base = exam->arguments.items[0];
    for (size_t i = 0; i < f->parameter_count && i < MOST_PLACES; i++)
        try_forms(exam, law, &base, i);
    for (size_t more = 0; f->variadic && more <= 2; more++)
        try_one(exam, law, make(exam->arena, f, least_count(f) + more, 0));
}

/* ---- Shrinking. */

bool lc_simpler_argument(lc_arguments *out, lc_arena *arena, const lc_function *function,
                         const lc_arguments *from, size_t at)
{
    const lc_value *v = from->values[at];
    const lc_type *type = lc_function_parameter(function, at)->type;
    lc_value slot;
    if (!lc_is_known(v) || type->has_dynamic)
        return false;
    if (type->kind == LC_TYPE_STRING)
        lc_value_set_string(&slot, arena, LC_STR("a"));
    else if (type->kind == LC_TYPE_NUMBER)
        lc_value_set_number(&slot, LC_NUM(0));
    else
        return false;
    *out = with(arena, from, at, lc_value_new(arena, &slot));
    return !lc_value_raw_equal(v, out->values[at]);
}
