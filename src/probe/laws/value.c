/* Laws 28 to 31: configured values are planned unchanged, for all kinds of values. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/limits.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_PLACES 40
#define LONG_TEXT   65536

/* What providers lose: beyond 32 bits, beyond the 53 of a double, beyond 64, and decimal fractions
 * without an exact double. */
static const char *const numbers[] = {
    "0",   "-1",        "2147483648",          "9007199254740993", "9223372036854775807",
    "0.1", "0.0000001", "12345678901234567890"};

/* What providers trim, fold, normalize, parse or escape. */
static const char *const texts[] = {
    "",
    " ",
    " both ends ",
    "line\n",
    "one\r\ntwo\r\n",
    "MiXeD",
    "e\xcc\x81",                         /* e and a combining accent: NFC makes one of them */
    "\xf0\x9f\x98\x80",                  /* beyond the first plane */
    "{\"b\": 1,  \"a\": [ 1.0, null ]}", /* JSON with spaces, members out of order */
    "b:   1\na: {c: [1,2]}\n",           /* YAML */
    "a%20b&c=d+e",
    "tab\tand\\backslash\"quote",
};

bool lc_query_value(lc_trial *trial)
{
    const lc_value *config = trial->spec->edited;
    trial->why = "validation does not accept the values";
    if (!lc_trial_accepts(trial, config))
        return false;
    lc_trial_begin_run(trial, NULL, config);
    const lc_call *call =
        lc_trial_query_plan(trial, &(lc_trial_plan){.kind = LC_CALL_PLAN, .config = config});
    trial->why = "the plan has an error, or is deferred";
    return lc_answered(call) || call->broke == LC_YES;
}

typedef struct finder {
    lc_examination *exam;
    lc_arena *arena;
    const lc_subject *subject;
    lc_law law;
    bool any;
} finder;

static void try_value(finder *f, const lc_leaf *leaf, const lc_value *value)
{
    const lc_value *edited =
        value ? lc_spot_set(f->arena, f->subject->config, leaf->spot, value) : NULL;
    f->any |= edited != NULL;
    if (edited)
        lc_run_trial(f->exam, &(lc_trial_spec){
                                  .law = f->law, .config = f->subject->config, .edited = edited});
}

static void try_numbers(finder *f, const lc_leaf *leaf)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        lc_value slot;
        lc_num n;
        if (lc_num_from_text(&n, f->arena, lc_str_from_c(numbers[i]), LC_MAX_DIGITS) != LC_NUM_OK)
            continue;
        lc_value_set_number(&slot, n);
        try_value(f, leaf, lc_value_new(f->arena, &slot));
    }
}

static const lc_value *text_value(lc_arena *arena, lc_str text)
{
    lc_value slot;
    lc_value_set_string(&slot, arena, text);
    return lc_value_new(arena, &slot);
}

static void try_texts(finder *f, const lc_leaf *leaf)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        try_value(f, leaf, text_value(f->arena, lc_str_from_c(texts[i])));
    char *text = lc_arena_alloc(f->arena, LONG_TEXT);
    memset(text, 'x', LONG_TEXT);
    try_value(f, leaf, text_value(f->arena, (lc_str){text, LONG_TEXT}));
}

static bool is_object(const lc_leaf *leaf)
{
    return leaf->value->type->kind == LC_TYPE_OBJECT;
}

static const lc_value *null_of(lc_arena *arena, const lc_type *type)
{
    lc_value slot;
    lc_value_set_null(&slot, type);
    return lc_value_new(arena, &slot);
}

/* The object with null for every member, but for what its schema requires. */
static const lc_value *hollow(lc_arena *arena, const lc_value *object, const lc_nested_type *nested)
{
    const lc_type *type = object->type;
    lc_value slot, *elems = LC_NEW_ARRAY(arena, lc_value, type->count + 1);
    for (uint32_t i = 0; i < type->count; i++)
        lc_value_set_null(&elems[i], type->as.attrs[i].type);
    for (size_t i = 0; nested && lc_is_known(object) && i < nested->attribute_count; i++) {
        const lc_attribute *a = &nested->attributes[i];
        if (a->required)
            elems[a->slot] = object->as.many.elems[a->slot];
    }
    lc_value_set_object(&slot, arena, type, elems);
    return lc_value_new(arena, &slot);
}

/* Three forms of nothing: null, an empty collection, an object of nulls. Law 30 is about those who
 * make one of another. */
static void try_empty_forms(finder *f, const lc_leaf *leaf)
{
    const lc_value *v = leaf->value;
    bool optional = !leaf->element && leaf->attribute->optional;
    if (optional)
        try_value(f, leaf, null_of(f->arena, v->type));
    if (lc_type_is_collection(v->type))
        try_value(f, leaf, lc_with_elements(f->arena, v, v, 0));
    if (is_object(leaf) && !leaf->element)
        try_value(f, leaf, hollow(f->arena, v, leaf->attribute->nested));
}

/* The same element twice, a null and an unknown one; of sets of objects one with less in it. */
static void try_elements(finder *f, const lc_leaf *leaf)
{
    const lc_value *v = leaf->value;
    if (!lc_is_known(v) || !lc_type_is_collection(v->type) || v->count == 0 || v->type->has_dynamic)
        return;
    const lc_value *one = &v->as.many.elems[0];
    lc_value unknown, pair = *v;
    pair.count = 1;
    lc_value_set_unknown(&unknown, one->type);
    try_value(f, leaf, lc_with_elements(f->arena, &pair, one, 2));
    if (leaf->block)
        return;
    try_value(f, leaf, lc_with_elements(f->arena, &pair, lc_value_new(f->arena, &unknown), 2));
    if (one->type->kind == LC_TYPE_OBJECT)
        try_value(
            f, leaf,
            lc_with_elements(f->arena, &pair, hollow(f->arena, one, leaf->attribute->nested), 2));
    else
        try_value(f, leaf, lc_with_elements(f->arena, &pair, null_of(f->arena, one->type), 2));
}

static void try_leaf(finder *f, const lc_leaf *leaf)
{
    lc_type_kind kind = leaf->value->type->kind;
    if (f->law == LC_LAW_31)
        try_elements(f, leaf);
    else if (leaf->block)
        return;
    else if (f->law == LC_LAW_28 && kind == LC_TYPE_NUMBER)
        try_numbers(f, leaf);
    else if (f->law == LC_LAW_29 && kind == LC_TYPE_STRING)
        try_texts(f, leaf);
    else if (f->law == LC_LAW_30)
        try_empty_forms(f, leaf);
}

void lc_find_value(lc_examination *exam, lc_law law, const lc_subject *subject)
{
    finder f = {.exam = exam, .arena = lc_arena_new(), .subject = subject, .law = law};
    lc_leaves leaves = {0};
    lc_find_leaves(&leaves, f.arena, exam->schema->block, subject->config);
    for (size_t i = 0; i < leaves.count && i < MOST_PLACES && !exam->stop; i++)
        try_leaf(&f, &leaves.items[i]);
    if (!f.any)
        lc_not_tried(exam, law, "no argument that is set has this type");
    lc_arena_free(f.arena);
}
