/* Expressions of configurations: any text is parsed or refused, as an expression, a template and a
 * bare reference. Laws: what is refused says why, at a place inside the text; parsing twice gives
 * the same tree, and its references stand inside the text; evaluating gives a value that is as its
 * type says, the same each time, or trouble inside the text; what is evaluated with variables that
 * are unknown, in whole or in part, admits the value that they have once they are known; and
 * nothing that is not marked distinguishes one secret from another. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/configuration/expression.h"
#include "value_laws.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Variables by letter: what they are, and what is known of them before. Empty: only the type. */
static const struct {
    const char name, *value, *before;
} variables[] = {
    {'s', "\"abc\"", ""},
    {'n', "3", ""},
    {'b', "true", ""},
    {'l', "tolist([\"x\", \"y\"])", ""},
    {'k', "tolist([\"x\", \"y\"])", "tolist([\"x\", timestamp()])"},
    {'m', "tomap({a = \"1\", b = \"2\"})", "tomap({a = \"1\", b = timestamp()})"},
    {'e', "toset([\"x\", \"y\"])", ""},
    {'f', "toset([\"x\", \"y\"])", "toset([\"x\", timestamp()])"},
    {'o', "{a = 1, b = \"x\", c = [true]}", "{a = 1, b = timestamp(), c = [true]}"},
    {'t', "[1, \"x\", null]", ""},
    {'z', "null", ""},
    {'c', "\"3\"", "\"3\""},
    {'p', "\"hush\"", "\"hush\""}, /* sensitive */
};
#define VARIABLES (sizeof variables / sizeof *variables)

/* When it is evaluated: known, not known yet, or with another secret. */
typedef enum when { KNOWN, BEFORE, OTHER, TIMES } when;

typedef struct world {
    lc_arena *arena;
    lc_marked values[TIMES][VARIABLES];
} world;

typedef struct evaluation {
    const world *w;
    when when;
} evaluation;

static bool look_up(void *context, lc_lookup *ask)
{
    const evaluation *e = context;
    for (size_t i = 0; ask->reference->root == LC_ROOT_VARIABLE && i < VARIABLES; i++) {
        if (ask->reference->name.len != 1 || ask->reference->name.ptr[0] != variables[i].name)
            continue;
        ask->value = e->w->values[e->when][i];
        return true;
    }
    ask->trouble =
        (lc_eval_error){LC_STR("Unknown name"), LC_STR_EMPTY, ask->reference->place, NULL};
    return false;
}

static lc_marked constant(lc_arena *arena, const char *text)
{
    static const evaluation nothing = {NULL, KNOWN};
    lc_scope scope = {
        .context = (void *)(uintptr_t)&nothing, .lookup = look_up, .profile = LC_PROFILE_OPENTOFU};
    const lc_expr *expr;
    lc_eval_error trouble;
    lc_marked v;
    LC_ASSERT(lc_expr_parse(&expr, arena, lc_str_from_c(text), (lc_source_pos){0}, &trouble));
    LC_ASSERT(lc_evaluate(&v, arena, expr, &scope, 0, &trouble));
    return v;
}

static void make(world *w, size_t i)
{
    bool secret = variables[i].name == 'p';
    lc_marked v[TIMES];
    lc_value unknown;
    v[KNOWN] = v[OTHER] = constant(w->arena, variables[i].value);
    lc_value_set_unknown(&unknown, v[KNOWN].value->type);
    v[BEFORE] = *variables[i].before ? constant(w->arena, variables[i].before)
                                     : (lc_marked){lc_value_new(w->arena, &unknown), NULL};
    if (secret)
        v[OTHER] = constant(w->arena, "\"5\"");
    for (int t = 0; t < TIMES; t++)
        w->values[t][i] = lc_marked_with(w->arena, v[t], secret ? LC_MARK_SENSITIVE : 0, NULL);
}

/* Made once: nothing of it depends on the input. */
static const world *the_world(void)
{
    static world w;
    if (!w.arena) {
        w.arena = lc_arena_new();
        for (size_t i = 0; i < VARIABLES; i++)
            make(&w, i);
    }
    return &w;
}

/* In JSON the quote before the text counts too, and lines are those of the decoded text. */
static void check_place(lc_source_pos place, const lc_source *source, lc_str text)
{
    lc_loc loc = lc_source_pos_loc(place);
    LC_ASSERT(place.source == source && place.offset <= text.len + 1);
    LC_ASSERT(loc.line > 0 && loc.column > 0);
}

static void check_trouble(const lc_eval_error *trouble, const lc_source *source, lc_str text)
{
    LC_ASSERT(trouble->summary.len > 0 || trouble->detail.len > 0);
    check_place(trouble->place, source, text);
}

static bool evaluate(lc_marked *out, lc_arena *arena, const lc_expr *expr, when known,
                     const lc_source *source, lc_str text)
{
    evaluation e = {the_world(), known};
    lc_scope scope = {.context = &e, .lookup = look_up, .profile = LC_PROFILE_OPENTOFU};
    lc_eval_error trouble = {0};
    if (lc_evaluate(out, arena, expr, &scope, 0, &trouble)) {
        check_value(out->value);
        LC_ASSERT(!(lc_marks_self(*out) & ~lc_marks_all(*out)));
        return true;
    }
    check_trouble(&trouble, source, text);
    return false;
}

/* These say whether something fails. */
static bool tells_failure(lc_str text)
{
    for (size_t i = 0; i + 3 <= text.len; i++) {
        if (memcmp(text.ptr + i, "try", 3) == 0 || memcmp(text.ptr + i, "can", 3) == 0)
            return true;
    }
    return false;
}

static void check_evaluation(lc_arena *arena, const lc_expr *expr, const lc_expr *again,
                             const lc_source *source, lc_str text)
{
    lc_marked known, same, before, other;
    bool ok = evaluate(&known, arena, expr, KNOWN, source, text);
    LC_ASSERT(ok == evaluate(&same, arena, again, KNOWN, source, text));
    if (!ok)
        return;
    LC_ASSERT(lc_value_raw_equal(known.value, same.value));
    LC_ASSERT(lc_marks_all(known) == lc_marks_all(same));
    if (evaluate(&before, arena, expr, BEFORE, source, text))
        LC_ASSERT(admits(before.value, known.value));
    if (!tells_failure(text) && evaluate(&other, arena, expr, OTHER, source, text))
        LC_ASSERT(seen_alike(known.value, known.marks, other.value, other.marks));
}

typedef bool (*parser)(const lc_expr **out, lc_arena *arena, lc_str text, lc_source_pos place,
                       lc_eval_error *trouble);

static void try_parser(lc_arena *arena, parser parse, const lc_source *source, lc_str text)
{
    lc_source_pos place = lc_source_pos_of(source, source->documents);
    const lc_expr *expr, *again;
    lc_eval_error trouble = {0};
    lc_references references = {.arena = arena};
    if (!parse(&expr, arena, text, place, &trouble)) {
        check_trouble(&trouble, source, text);
        return;
    }
    check_place(lc_expr_pos(expr), source, text);
    LC_ASSERT(parse(&again, arena, text, place, &trouble));
    lc_expr_references(&references, expr);
    for (size_t i = 0; i < references.list.count; i++)
        check_place(references.list.items[i]->place, source, text);
    check_evaluation(arena, expr, again, source, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_str text = {(const char *)data, size};
    if (!lc_utf8_valid(text))
        return 0;
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_buf json = {0};
    lc_source source;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_buf_add_json(&json, text, false);
    LC_ASSERT(lc_json_parse(&source, arena, LC_STR("f.json"), lc_buf_str(&json), &limits, &diags) ==
              LC_OK);
    text = source.documents->as.text;
    try_parser(arena, lc_expr_parse, &source, text);
    try_parser(arena, lc_template_parse, &source, text);
    try_parser(arena, lc_traversal_parse, &source, text);
    lc_buf_release(&json);
    lc_arena_free(arena);
    return 0;
}
