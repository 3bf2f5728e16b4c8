/* Single values: from learned constraints, from the name of the attribute, from its type. */
#include "lifecheck/probe/values.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/limits.h"
#include "probe/configurations/form.h"

#include <math.h>
#include <string.h>

#define NAMED_STRING LC_TYPE_STRING
#define NAMED_NUMBER LC_TYPE_NUMBER
#define NAMED_BOOL   LC_TYPE_BOOL

static const struct {
    const char *glob;
    lc_type_kind kind;
    const char *text;
} names[] = {
#define NAME(glob, type, text) {glob, NAMED_##type, text},
#include "probe/configurations/values.def"
};

static const struct {
    const char *glob, *text;
} computed_names[] = {
#define COMPUTED(glob, text) {glob, text},
#include "probe/configurations/values.def"
};

static const struct {
    const char *words, *text;
} words[] = {
#define WORD(words, text) {words, text},
#include "probe/configurations/values.def"
};

static const char *const any[] = {
#define ANY(text) text,
#include "probe/configurations/values.def"
};

#define ANY_COUNT ((unsigned)(sizeof any / sizeof *any))

/* Look-ups: the first row counts, so the tables have what is special before what is general. */
lc_str lc_named_text(lc_str name, lc_type_kind kind)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].kind == kind && lc_str_matches_glob(name, lc_str_from_c(names[i].glob)))
            return lc_str_from_c(names[i].text);
    }
    return LC_STR_EMPTY;
}

lc_str lc_computed_text(lc_str name)
{
    for (size_t i = 0; i < sizeof computed_names / sizeof *computed_names; i++) {
        if (lc_str_matches_glob(name, lc_str_from_c(computed_names[i].glob)))
            return lc_str_from_c(computed_names[i].text);
    }
    return LC_STR_EMPTY;
}

lc_str lc_text_of_words(lc_str message)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lc_str_contains(message, lc_str_from_c(words[i].words)))
            return lc_str_from_c(words[i].text);
    }
    return LC_STR_EMPTY;
}

/* ---- Strings. */

/* Cut or filled up with letters. A minimum that is absurd is not met: the provider will say so. */
static lc_str fit_length(lc_arena *arena, lc_str text, const lc_wish *wish)
{
    lc_buf out = {0};
    if (wish->has_longest && text.len > wish->longest)
        text.len = (size_t)wish->longest;
    if (!wish->has_shortest || text.len >= wish->shortest || wish->shortest > 100000)
        return text;
    lc_buf_add_str(&out, text);
    while (out.len < wish->shortest)
        lc_buf_add_char(&out, 'a');
    return lc_buf_take(arena, &out);
}

/* A required value comes first, then one that fits the name, then any. */
static lc_str choose_text(lc_arena *arena, lc_str name, const lc_wish *wish, unsigned turn)
{
    lc_str by_name = lc_named_text(name, LC_TYPE_STRING);
    lc_str by_pattern = wish->pattern.len ? lc_text_of_pattern(arena, wish->pattern) : LC_STR_EMPTY;
    if (wish->words.count)
        return wish->words.items[turn % wish->words.count];
    if (by_pattern.len && turn-- == 0)
        return by_pattern;
    if (by_name.len && turn-- == 0)
        return by_name;
    if (wish->secret && turn == 0)
        return LC_STR("confidential");
    return lc_str_from_c(any[turn % ANY_COUNT]);
}

static void set_text(lc_value *slot, lc_arena *arena, lc_str name, const lc_wish *wish,
                     unsigned turn)
{
    lc_str text = choose_text(arena, name, wish, turn);
    if (wish->words.count == 0)
        text = fit_length(arena, text, wish);
    lc_value_set_string(slot, arena, text);
}

/* ---- Numbers and truth values. */

static void set_number(lc_value *slot, lc_arena *arena, lc_str name, const lc_wish *wish,
                       unsigned turn)
{
    static const char *const usual[] = {"1", "2", "0", "10", "60", "1024"};
    lc_str by_name = lc_named_text(name, LC_TYPE_NUMBER), text = LC_STR_EMPTY;
    lc_num n = LC_NUM(1);
    if (wish->words.count)
        text = wish->words.items[turn % wish->words.count];
    else if (by_name.len && turn-- == 0)
        text = by_name;
    else
        text = lc_str_from_c(usual[turn % (sizeof usual / sizeof *usual)]);
    if (lc_num_from_text(&n, arena, text, LC_MAX_DIGITS) != LC_NUM_OK)
        n = LC_NUM(1);
    double d = lc_num_nearest_double(n);
    if (wish->has_min && d < wish->min)
        lc_num_from_double(&n, arena, ceil(wish->min));
    if (wish->has_max && lc_num_nearest_double(n) > wish->max)
        lc_num_from_double(&n, arena, floor(wish->max));
    int64_t whole;
    if (lc_num_to_int64(n, &whole))
        n = LC_NUM(whole);
    lc_value_set_number(slot, n);
}

/* The second turn is the other value: a provider may refuse one of them. */
static void set_bool(lc_value *slot, lc_str name, const lc_wish *wish, unsigned turn)
{
    lc_str by_name = lc_named_text(name, LC_TYPE_BOOL);
    bool value = by_name.len == 0 || lc_str_is(by_name, "true");
    if (wish->words.count)
        value = lc_str_is(wish->words.items[0], "true");
    lc_value_set_bool(slot, value != (turn % 2 == 1));
}

/* ---- Any type. */

static lc_str lower(lc_arena *arena, lc_str text)
{
    char *copy = lc_str_to_c(arena, text);
    for (size_t i = 0; i < text.len; i++)
        copy[i] = lc_to_lower(copy[i]);
    return (lc_str){copy, text.len};
}

static void make(lc_value *slot, lc_arena *arena, const lc_type *type, lc_str name,
                 const lc_wish *wish, unsigned turn);

/* `turn` goes on with each element, so that those of a set differ. */
static void make_collection(lc_value *slot, lc_arena *arena, const lc_type *type, lc_str name,
                            const lc_wish *wish, unsigned turn)
{
    size_t count = wish->elements ? wish->elements : 1;
    lc_wish inner = *wish;
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, count);
    lc_str *keys = LC_NEW_ARRAY(arena, lc_str, count);
    inner.elements = 0;
    for (size_t i = 0; i < count; i++) {
        make(&elems[i], arena, type->as.elem, name, &inner, turn + (unsigned)i);
        keys[i] = lc_str_printf(arena, "key%zu", i + 1);
    }
    bool ok = type->kind == LC_TYPE_LIST  ? lc_value_set_list(slot, arena, type, elems, count)
              : type->kind == LC_TYPE_SET ? lc_value_set_set(slot, arena, type, elems, count)
                                          : lc_value_set_map(slot, arena, type, keys, elems, count);
    if (!ok)
        lc_value_set_null(slot, type);
}

/* What an error said of the attribute may not hold for the members of an object. */
static void make_members(lc_value *slot, lc_arena *arena, const lc_type *type, lc_str name,
                         const lc_wish *wish, unsigned turn)
{
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, type->count + 1);
    bool object = type->kind == LC_TYPE_OBJECT;
    static const lc_wish nothing;
    for (uint32_t i = 0; i < type->count; i++) {
        const lc_type *inner = object ? type->as.attrs[i].type : type->as.items[i];
        lc_str of = object ? lower(arena, type->as.attrs[i].name) : name;
        make(&elems[i], arena, inner, of, object ? &nothing : wish, turn);
    }
    if (object)
        lc_value_set_object(slot, arena, type, elems);
    else
        lc_value_set_tuple(slot, arena, type, elems, type->count);
}

/* Types are nested less deep than LC_MAX_DEPTH: reading them saw to that. */
static void make(lc_value *slot, lc_arena *arena, const lc_type *type, lc_str name,
                 const lc_wish *wish, unsigned turn)
{
    switch (type->kind) {
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        set_text(slot, arena, name, wish, turn);
        return;
    case LC_TYPE_NUMBER:
        set_number(slot, arena, name, wish, turn);
        return;
    case LC_TYPE_BOOL:
        set_bool(slot, name, wish, turn);
        return;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        make_collection(slot, arena, type, name, wish, turn);
        return;
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        make_members(slot, arena, type, name, wish, turn);
        return;
    }
}

const lc_value *lc_make_value(lc_arena *arena, const lc_type *type, lc_str name,
                              const lc_wish *wish, unsigned turn)
{
    lc_value slot;
    make(&slot, arena, type, lower(arena, name), wish, turn);
    return lc_value_new(arena, &slot);
}
