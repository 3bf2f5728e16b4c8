/* Expressions of configurations: any text is parsed or refused, as an expression, a template and a
 * bare reference. Laws: what is refused says why, at a place inside the text; parsing twice gives
 * the same tree, and its references stand inside the text; evaluating gives a value that is as its
 * type says, the same each time, or trouble inside the text; and what is evaluated with variables
 * that are unknown, in whole or in part, admits the value that they have once they are known. */
#include "lifecheck/arena.h"
#include "lifecheck/bug.h"
#include "lifecheck/expression.h"
#include "lifecheck/utf8.h"
#include "value_laws.h"

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

typedef struct world {
    lc_arena *arena;
    lc_marked known[VARIABLES], before[VARIABLES];
} world;

typedef struct evaluation {
    const world *w;
    bool before;
} evaluation;

static bool look_up(void *context, lc_lookup *ask)
{
    const evaluation *e = context;
    for (size_t i = 0; ask->reference->root == LC_ROOT_VARIABLE && i < VARIABLES; i++) {
        if (ask->reference->name.len != 1 || ask->reference->name.ptr[0] != variables[i].name)
            continue;
        ask->value = e->before ? e->w->before[i] : e->w->known[i];
        return true;
    }
    ask->trouble = (lc_trouble){LC_STR("Unknown name"), LC_STR_EMPTY, ask->reference->place};
    return false;
}

static lc_marked constant(lc_arena *arena, const char *text)
{
    static const evaluation nothing = {NULL, false};
    lc_scope scope = {(void *)(uintptr_t)&nothing, look_up};
    const lc_expr *expr;
    lc_trouble trouble;
    lc_marked v;
    LC_ASSERT(lc_expr_parse(&expr, arena, lc_str_from_c(text), (lc_place){0}, &trouble));
    LC_ASSERT(lc_evaluate(&v, arena, expr, &scope, 0, &trouble));
    return v;
}

static void make(world *w, size_t i)
{
    unsigned marks = variables[i].name == 'p' ? LC_MARK_SENSITIVE : 0;
    lc_marked v = constant(w->arena, variables[i].value), before;
    lc_value unknown;
    lc_value_set_unknown(&unknown, v.value->type);
    before = *variables[i].before ? constant(w->arena, variables[i].before)
                                  : (lc_marked){lc_value_new(w->arena, &unknown), NULL};
    w->known[i] = lc_marked_with(w->arena, v, marks, NULL);
    w->before[i] = lc_marked_with(w->arena, before, marks, NULL);
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

static void check_place(lc_place place, const lc_source *source, lc_str text)
{
    LC_ASSERT(place.source == source && place.offset <= text.len);
    LC_ASSERT(lc_place_loc(place).line == 1);
}

static void check_trouble(const lc_trouble *trouble, const lc_source *source, lc_str text)
{
    LC_ASSERT(trouble->summary.len > 0 || trouble->detail.len > 0);
    check_place(trouble->place, source, text);
}

static bool evaluate(lc_marked *out, lc_arena *arena, const lc_expr *expr, bool before,
                     const lc_source *source, lc_str text)
{
    evaluation e = {the_world(), before};
    lc_scope scope = {&e, look_up};
    lc_trouble trouble = {{0}, {0}, {0}};
    if (lc_evaluate(out, arena, expr, &scope, 0, &trouble)) {
        check_value(out->value);
        LC_ASSERT(!(lc_marks_self(*out) & ~lc_marks_all(*out)));
        return true;
    }
    check_trouble(&trouble, source, text);
    return false;
}

static void check_evaluation(lc_arena *arena, const lc_expr *expr, const lc_expr *again,
                             const lc_source *source, lc_str text)
{
    lc_marked known, same, before;
    bool ok = evaluate(&known, arena, expr, false, source, text);
    LC_ASSERT(ok == evaluate(&same, arena, again, false, source, text));
    LC_ASSERT(!ok || lc_value_raw_equal(known.value, same.value));
    LC_ASSERT(!ok || lc_marks_all(known) == lc_marks_all(same));
    bool sooner = evaluate(&before, arena, expr, true, source, text);
    LC_ASSERT(!ok || !sooner || admits(before.value, known.value));
}

typedef bool (*parser)(const lc_expr **out, lc_arena *arena, lc_str text, lc_place place,
                       lc_trouble *trouble);

static void try_parser(lc_arena *arena, parser parse, const lc_source *source, lc_str text)
{
    lc_place place = lc_place_of(source, source->documents);
    const lc_expr *expr, *again;
    lc_trouble trouble = {{0}, {0}, {0}};
    lc_references references = {.arena = arena};
    if (!parse(&expr, arena, text, place, &trouble)) {
        check_trouble(&trouble, source, text);
        return;
    }
    check_place(lc_expr_place(expr), source, text);
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
