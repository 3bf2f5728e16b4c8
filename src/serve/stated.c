/* Answers that inputs state. A request matches one if its type and its values are the same. */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "serve/internal.h"

struct lc_serve_stated {
    lc_arena *arena;
    lc_table answers; /* lc_serve_answer by key */
    uint64_t used, missed;
};

/* ---- Keys: what is asked, of which type, with which values. */

/* Equal values have equal bytes, so bytes serve as a key. */
static lc_str key_of(lc_arena *arena, lc_serve_question what, lc_str type,
                     const lc_value *const *values, size_t count)
{
    lc_buf key = {0};
    lc_buf_printf(&key, "%c %.*s ", what, LC_FMT(type));
    for (size_t i = 0; i < count; i++)
        lc_msgpack_encode(&key, values[i], values[i]->type);
    return lc_buf_take(arena, &key);
}

const lc_serve_answer *lc_serve_stated_find(lc_serve_call *call, lc_serve_question what,
                                            lc_str type, const lc_value *const *values,
                                            size_t count)
{
    lc_serve_stated *s = call->served->options.stated;
    if (!s || !s->answers.count)
        return NULL;
    const lc_serve_answer *found =
        lc_table_get(&s->answers, key_of(call->arena, what, type, values, count));
    s->used += found != NULL;
    s->missed += found == NULL;
    return found;
}

/* ---- What cases state. */

static const lc_value *value_of(const lc_field *field, const lc_field *otherwise)
{
    if (lc_field_has_value(field))
        return field->value;
    return otherwise && lc_field_has_value(otherwise) ? otherwise->value : NULL;
}

/* The first answer to a request stays. */
static void add(lc_serve_stated *s, lc_serve_question what, lc_str type,
                const lc_value *const *values, size_t count, const lc_call *call,
                const lc_field *result)
{
    for (size_t i = 0; i < count; i++) {
        if (!values[i])
            return;
    }
    lc_str key = key_of(s->arena, what, type, values, count);
    if (!lc_field_has_value(result) || call->failed == LC_YES || lc_table_get(&s->answers, key))
        return;
    lc_serve_answer *a = LC_NEW(s->arena, lc_serve_answer);
    a->value = lc_value_copy(s->arena, result->value, NULL);
    if (lc_field_has_value(&call->identity))
        a->identity = lc_value_copy(s->arena, call->identity.value, NULL);
    for (size_t i = 0; i < call->requires_replace.count; i++)
        *LC_PUSH(s->arena, &a->replace, lc_path) =
            lc_path_copy(s->arena, call->requires_replace.items[i].path);
    lc_table_put(&s->answers, key, a);
}

static void add_function(lc_serve_stated *s, const lc_call *call)
{
    const lc_function_call *f = call->function;
    const lc_value **values = LC_NEW_ARRAY(s->arena, const lc_value *, f->arguments.count + 1);
    for (size_t i = 0; i < f->arguments.count; i++)
        values[i] = value_of(&f->arguments.items[i], NULL);
    add(s, LC_SERVE_FUNCTION, f->name, values, f->arguments.count, call, &f->result);
}

/* A call states only what differs from its run: the rest of the request is what the run has, or
 * what the plan before answered (`planned`). */
static void add_call(lc_serve_stated *s, const lc_run *run, const lc_call *call,
                     const lc_value *planned)
{
    lc_str type = run->schema->type_name;
    bool late = call->kind == LC_CALL_FINAL_PLAN || call->kind == LC_CALL_APPLY;
    const lc_field *settings =
        late && lc_field_has_value(&run->final_config) ? &run->final_config : &run->config;
    const lc_value *config = value_of(&call->config, settings);
    const lc_value *prior = value_of(&call->prior_state, &run->prior_state);
    lc_value nothing;
    switch ((unsigned)call->kind) {
    case LC_CALL_PLAN_CREATE:
        /* the second plan of a replace, which begins with no object */
        lc_value_set_null(&nothing, run->schema->block->implied);
        prior = &nothing; /* fall through */
    case LC_CALL_PLAN:
    case LC_CALL_FINAL_PLAN:
        add(s, LC_SERVE_PLAN, type, (const lc_value *[]){prior, config}, 2, call, &call->result);
        return;
    case LC_CALL_APPLY:
        planned = value_of(&call->planned, NULL) ? call->planned.value : planned;
        add(s, LC_SERVE_APPLY, type, (const lc_value *[]){prior, planned}, 2, call, &call->result);
        return;
    case LC_CALL_READ:
    case LC_CALL_REREAD:
        add(s, LC_SERVE_READ, type, (const lc_value *[]){prior}, 1, call, &call->result);
        return;
    case LC_CALL_DATA:
        add(s, LC_SERVE_DATA, type, (const lc_value *[]){config}, 1, call, &call->result);
        return;
    case LC_CALL_OPEN:
        add(s, LC_SERVE_OPEN, type, (const lc_value *[]){config}, 1, call, &call->result);
        return;
    default:
        return;
    }
}

lc_serve_stated *lc_serve_stated_new(lc_arena *arena)
{
    lc_serve_stated *s = LC_NEW(arena, lc_serve_stated);
    s->arena = arena;
    lc_table_init(&s->answers, arena);
    return s;
}

void lc_serve_stated_take(lc_serve_stated *s, const lc_case *subject)
{
    for (size_t r = 0; r < subject->runs.count; r++) {
        const lc_run *run = &subject->runs.items[r];
        const lc_value *planned = NULL;
        for (size_t i = 0; i < run->calls.count; i++) {
            const lc_call *call = &run->calls.items[i];
            if (call->kind == LC_CALL_FUNCTION && call->function)
                add_function(s, call);
            else if (run->schema)
                add_call(s, run, call, planned);
            if (call->kind == LC_CALL_PLAN || call->kind == LC_CALL_FINAL_PLAN)
                planned = value_of(&call->result, NULL);
        }
    }
}

size_t lc_serve_stated_count(const lc_serve_stated *s)
{
    return s->answers.count;
}

void lc_serve_stated_add_words(lc_buf *out, const lc_serve_stated *s)
{
    if (s->answers.count)
        lc_buf_printf(out,
                      "%llu request%s got a response of the inputs; %llu matched none, and got "
                      "what follows from the schema\n",
                      (unsigned long long)s->used, s->used == 1 ? "" : "s",
                      (unsigned long long)s->missed);
}
