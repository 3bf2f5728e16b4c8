/* Sets in the compatibility check: matching by what elements agree in must find what trying all
 * pairs finds. Random sets of objects with nulls, unknowns, refinements, lists and sets inside. */
#include "unit.h"

#include "contract/walk/walk.h"

#define ROUNDS 4000

typedef struct maker {
    lc_arena *arena;
    uint64_t state;
    const lc_type *list, *set, *inner, *object, *objects;
} maker;

static unsigned below(maker *m, unsigned n)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(m->state >> 33) % n;
}

static void make_string(maker *m, lc_value *out)
{
    static const char *const words[] = {"a", "b", "ab", "ba", "c"};
    lc_refinement prefix = {.has_prefix = true};
    switch (below(m, 9)) {
    case 0:
        lc_value_set_null(out, &lc_type_string);
        break;
    case 1:
        lc_value_set_unknown(out, &lc_type_string);
        break;
    case 2:
        prefix.prefix = below(m, 2) ? LC_STR("a") : LC_STR("b");
        prefix.not_null = below(m, 2);
        lc_value_set_refined(out, m->arena, &lc_type_string, &prefix);
        break;
    default:
        lc_value_set_string(out, m->arena, lc_str_from_c(words[below(m, 5)]));
    }
}

/* Null or unknown now and then. */
static bool make_absent(maker *m, lc_value *out, const lc_type *type, unsigned rarity)
{
    unsigned kind = below(m, rarity);
    if (kind == 0)
        lc_value_set_null(out, type);
    if (kind == 1)
        lc_value_set_unknown(out, type);
    return kind < 2;
}

static void make_collection(maker *m, lc_value *out, const lc_type *type)
{
    if (make_absent(m, out, type, 8))
        return;
    unsigned count = below(m, 3);
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, count);
    for (unsigned i = 0; i < count; i++)
        make_string(m, &elems[i]);
    if (type == m->list)
        lc_value_set_list(out, m->arena, type, elems, count);
    else
        lc_value_set_set(out, m->arena, type, elems, count);
}

static void make_part(maker *m, lc_value *out, int part)
{
    if (part == 2 || part == 4) {
        make_collection(m, out, part == 2 ? m->list : m->set);
    } else if (part == 3) {
        if (make_absent(m, out, m->inner, 8))
            return;
        lc_value *elem = LC_NEW(m->arena, lc_value);
        make_string(m, elem);
        lc_value_set_object(out, m->arena, m->inner, elem);
    } else {
        make_string(m, out);
    }
}

static void make_object(maker *m, lc_value *out)
{
    if (make_absent(m, out, m->object, 14))
        return;
    lc_value *parts = LC_NEW_ARRAY(m->arena, lc_value, 5);
    for (int i = 0; i < 5; i++)
        make_part(m, &parts[i], i);
    lc_value_set_object(out, m->arena, m->object, parts);
}

/* What a provider might return for a planned object: its unknowns filled in. */
static void resolve(maker *m, const lc_value *planned, lc_value *out)
{
    if (!lc_is_known(planned) || below(m, 4) == 0) {
        make_object(m, out);
        return;
    }
    lc_value *parts = LC_NEW_ARRAY(m->arena, lc_value, 5);
    for (int i = 0; i < 5; i++) {
        parts[i] = planned->as.many.elems[i];
        if (lc_is_unknown(&parts[i]) && below(m, 2))
            make_part(m, &parts[i], i);
    }
    lc_value_set_object(out, m->arena, m->object, parts);
}

static void make_sets(maker *m, lc_value *planned, lc_value *actual, unsigned most)
{
    unsigned count = below(m, most + 1);
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, count);
    for (unsigned i = 0; i < count; i++)
        make_object(m, &elems[i]);
    lc_value_set_set(planned, m->arena, m->objects, elems, count);
    lc_value *answer = LC_NEW_ARRAY(m->arena, lc_value, planned->count);
    for (unsigned i = 0; i < planned->count; i++)
        resolve(m, &planned->as.many.elems[i], &answer[i]);
    lc_value_set_set(actual, m->arena, m->objects, answer, planned->count);
}

static lc_type_attr attr(const char *name, const lc_type *type)
{
    return (lc_type_attr){lc_str_from_c(name), type, false};
}

static void make_types(maker *m)
{
    m->list = lc_type_collection(m->arena, LC_TYPE_LIST, &lc_type_string);
    m->set = lc_type_collection(m->arena, LC_TYPE_SET, &lc_type_string);
    lc_type_attr *inner = LC_NEW_ARRAY(m->arena, lc_type_attr, 1);
    inner[0] = attr("e", &lc_type_string);
    m->inner = lc_type_object(m->arena, inner, 1);
    lc_type_attr *attrs = LC_NEW_ARRAY(m->arena, lc_type_attr, 5);
    attrs[0] = attr("a", &lc_type_string);
    attrs[1] = attr("b", &lc_type_string);
    attrs[2] = attr("c", m->list);
    attrs[3] = attr("d", m->inner);
    attrs[4] = attr("s", m->set);
    m->object = lc_type_object(m->arena, attrs, 5);
    m->objects = lc_type_collection(m->arena, LC_TYPE_SET, m->object);
}

static bool compatible(maker *m, const lc_value *x, const lc_value *y)
{
    lc_walk walk = {.arena = m->arena, .quiet = true};
    return lc_compat_value(&walk, x, y, NULL, LC_PROGRESS_ALL) == LC_NO_CORE;
}

/* Elements of `from` that have no partner among `to`. */
static size_t unmatched(maker *m, const lc_value *from, const lc_value *to, bool planned)
{
    size_t count = 0;
    for (unsigned i = 0; i < from->count; i++) {
        const lc_value *x = &from->as.many.elems[i];
        bool found = false;
        for (unsigned k = 0; k < to->count && !found; k++) {
            const lc_value *y = &to->as.many.elems[k];
            found = planned ? compatible(m, x, y) : compatible(m, y, x);
        }
        count += !found;
    }
    return count;
}

static size_t issues_of(const lc_walk *walk, lc_rule rule)
{
    size_t count = 0;
    for (size_t i = 0; i < walk->issues.count; i++)
        count += walk->issues.items[i].rule == rule;
    return count;
}

/* True: nothing is found, and nothing may be. */
static bool check_round(maker *m, int round, unsigned most)
{
    lc_value planned, actual;
    m->arena = lc_arena_new();
    make_types(m);
    make_sets(m, &planned, &actual, most);
    lc_walk walk = {.arena = m->arena};
    lc_compat_value(&walk, &planned, &actual, NULL, LC_PROGRESS_ALL);
    size_t missing = unmatched(m, &planned, &actual, true);
    size_t extra = missing ? 0 : unmatched(m, &actual, &planned, false);
    ck_assert_msg(issues_of(&walk, LC_RULE_APPLY_SET_PLANNED_UNMATCHED) == missing,
                  "round %d: planned ones", round);
    ck_assert_msg(issues_of(&walk, LC_RULE_APPLY_SET_ACTUAL_UNMATCHED) == extra,
                  "round %d: actual ones", round);
    bool clean = walk.issues.count == 0;
    lc_walk_release(&walk);
    lc_arena_free(m->arena);
    return clean;
}

START_TEST(test_compat_set_equals_all_pairs)
{
    int clean = 0;
    maker m = {.state = (uint64_t)_i + 1};
    for (int round = 0; round < ROUNDS; round++)
        clean += check_round(&m, round, 6);
    ck_assert_msg(clean > ROUNDS / 20 && clean < ROUNDS, "both outcomes must occur: %d", clean);
}
END_TEST

/* So many that there are more combinations of unknown parts than indexes. */
START_TEST(test_compat_set_large)
{
    maker m = {.state = (uint64_t)_i + 77};
    for (int round = 0; round < ROUNDS / 20; round++)
        check_round(&m, round, 80);
}
END_TEST

/* ---- Blocks: elements with blocks of every nesting inside. */

static const char nested_block[] =
    "{\"version\":0,\"block\":{\"attributes\":{\"a\":{\"type\":\"string\",\"optional\":true},"
    "\"b\":{\"type\":\"string\",\"optional\":true,\"computed\":true}},\"block_types\":{"
    "\"l\":{\"nesting_mode\":\"list\",\"block\":{\"attributes\":{\"e\":{\"type\":\"string\","
    "\"optional\":true}}}},"
    "\"m\":{\"nesting_mode\":\"map\",\"block\":{\"attributes\":{\"e\":{\"type\":\"string\","
    "\"optional\":true}}}},"
    "\"o\":{\"nesting_mode\":\"single\",\"block\":{\"attributes\":{\"e\":{\"type\":\"string\","
    "\"optional\":true}}}},"
    "\"s\":{\"nesting_mode\":\"set\",\"block\":{\"attributes\":{\"e\":{\"type\":\"string\","
    "\"optional\":true}}}}}}}";

static const lc_block *read_block(lc_arena *arena)
{
    lc_diags diags;
    lc_source source;
    const lc_schema *schema;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&diags, arena);
    ck_assert(lc_source_parse(&source, arena, LC_STR("s"), lc_str_from_c(nested_block), &limits,
                              &diags) == LC_OK);
    ck_assert(lc_schema_from_node(&schema, arena, &source, &source.documents[0], LC_KIND_RESOURCE,
                                  LC_STR("t"), &diags) == LC_OK);
    return schema->block;
}

static void make_nested(maker *m, lc_value *out, const lc_type *type)
{
    const lc_type *object = type->kind == LC_TYPE_OBJECT ? type : type->as.elem;
    unsigned count = type->kind == LC_TYPE_OBJECT ? 1 : below(m, 3);
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, count);
    lc_str *keys = LC_NEW_ARRAY(m->arena, lc_str, 2);
    keys[0] = LC_STR("j");
    keys[1] = LC_STR("k");
    for (unsigned i = 0; i < count; i++) {
        lc_value *e = LC_NEW(m->arena, lc_value);
        make_string(m, e);
        lc_value_set_object(&elems[i], m->arena, object, e);
    }
    if (type->kind == LC_TYPE_LIST)
        lc_value_set_list(out, m->arena, type, elems, count);
    else if (type->kind == LC_TYPE_SET)
        lc_value_set_set(out, m->arena, type, elems, count);
    else if (type->kind == LC_TYPE_MAP)
        lc_value_set_map(out, m->arena, type, keys, elems, count);
    else if (below(m, 4))
        *out = elems[0];
    else
        lc_value_set_null(out, type);
}

static void make_block_part(maker *m, lc_value *out, const lc_type *type)
{
    if (type->kind == LC_TYPE_STRING)
        make_string(m, out);
    else
        make_nested(m, out, type);
}

/* Elements with `from`'s parts, most of them; those that are unknown get a value. */
static void make_block_elements(maker *m, lc_value *out, const lc_value *from, unsigned count,
                                const lc_type *object)
{
    for (unsigned i = 0; i < count; i++) {
        lc_value *parts = LC_NEW_ARRAY(m->arena, lc_value, object->count);
        for (size_t k = 0; k < object->count; k++) {
            if (from && below(m, 12) && lc_is_wholly_known(&from[i].as.many.elems[k]))
                parts[k] = from[i].as.many.elems[k];
            else
                make_block_part(m, &parts[k], object->as.attrs[k].type);
        }
        lc_value_set_object(&out[i], m->arena, object, parts);
    }
}

static size_t unmatched_blocks(maker *m, const lc_block *block, const lc_value *from,
                               const lc_value *to, bool planned)
{
    size_t count = 0;
    for (unsigned i = 0; i < from->count; i++) {
        bool found = false;
        for (unsigned k = 0; k < to->count && !found; k++) {
            const lc_value *x = &from->as.many.elems[i], *y = &to->as.many.elems[k];
            lc_walk walk = {.arena = m->arena, .quiet = true};
            found = lc_compat_block(&walk, block, planned ? x : y, planned ? y : x, NULL,
                                    LC_PROGRESS_ALL) == LC_NO_CORE;
        }
        count += !found;
    }
    return count;
}

START_TEST(test_compat_set_blocks)
{
    lc_arena *types = lc_arena_new();
    const lc_block *block = read_block(types);
    const lc_type *set = lc_type_collection(types, LC_TYPE_SET, block->implied);
    maker m = {.state = (uint64_t)_i + 5};
    for (int round = 0; round < ROUNDS / 4; round++) {
        m.arena = lc_arena_new();
        unsigned count = below(&m, round % 20 ? 6 : 60);
        lc_value *before = LC_NEW_ARRAY(m.arena, lc_value, count), planned, actual;
        lc_value *after = LC_NEW_ARRAY(m.arena, lc_value, count);
        make_block_elements(&m, before, NULL, count, block->implied);
        lc_value_set_set(&planned, m.arena, set, before, count);
        make_block_elements(&m, after, planned.as.many.elems, planned.count, block->implied);
        lc_value_set_set(&actual, m.arena, set, after, planned.count);
        lc_walk walk = {.arena = m.arena};
        lc_compat_set(&walk, block, &planned, &actual, NULL, LC_PROGRESS_ALL);
        size_t missing = unmatched_blocks(&m, block, &planned, &actual, true);
        size_t extra = missing ? 0 : unmatched_blocks(&m, block, &actual, &planned, false);
        ck_assert_msg(issues_of(&walk, LC_RULE_APPLY_SET_PLANNED_UNMATCHED) == missing,
                      "round %d: planned ones", round);
        ck_assert_msg(issues_of(&walk, LC_RULE_APPLY_SET_ACTUAL_UNMATCHED) == extra,
                      "round %d: actual ones", round);
        lc_walk_release(&walk);
        lc_arena_free(m.arena);
    }
    lc_arena_free(types);
}
END_TEST

/* Elements that share a known name only with their answer, and are unknown in all combinations of
 * the other parts: hardly more pairs are tried than there are elements. */
START_TEST(test_compat_set_is_near_linear)
{
    enum { ELEMENTS = 2000 };
    maker m = {.arena = lc_arena_new()};
    lc_type_attr *attrs = LC_NEW_ARRAY(m.arena, lc_type_attr, 6);
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i < 6; i++)
        attrs[i] = attr(names[i], &lc_type_string);
    const lc_type *object = lc_type_object(m.arena, attrs, 6);
    const lc_type *set = lc_type_collection(m.arena, LC_TYPE_SET, object);
    lc_value *before = LC_NEW_ARRAY(m.arena, lc_value, ELEMENTS);
    lc_value *after = LC_NEW_ARRAY(m.arena, lc_value, ELEMENTS), planned, actual;
    for (unsigned i = 0; i < ELEMENTS; i++) {
        lc_value *x = LC_NEW_ARRAY(m.arena, lc_value, 6), *y = LC_NEW_ARRAY(m.arena, lc_value, 6);
        for (unsigned part = 0; part < 6; part++) {
            lc_buf text = {0};
            lc_buf_printf(&text, "%u", part ? part : i);
            lc_value_set_string(&y[part], m.arena, lc_buf_copy(m.arena, &text));
            x[part] = y[part];
            if (part && i >> (part - 1) & 1)
                lc_value_set_unknown(&x[part], &lc_type_string);
            lc_buf_release(&text);
        }
        lc_value_set_object(&before[i], m.arena, object, x);
        lc_value_set_object(&after[i], m.arena, object, y);
    }
    lc_value_set_set(&planned, m.arena, set, before, ELEMENTS);
    lc_value_set_set(&actual, m.arena, set, after, ELEMENTS);
    lc_walk walk = {.arena = m.arena};
    lc_compat_value(&walk, &planned, &actual, NULL, LC_PROGRESS_ALL);
    ck_assert(walk.issues.count == 0 && !walk.gave_up);
    ck_assert_msg(walk.pairs <= 4 * ELEMENTS, "%zu pairs", (size_t)walk.pairs);
    lc_walk_release(&walk);
    lc_arena_free(m.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("compat_set");
    TCase *tc = tcase_create("compat_set");
    tcase_add_loop_test(tc, test_compat_set_equals_all_pairs, 0, 3);
    tcase_add_loop_test(tc, test_compat_set_large, 0, 3);
    tcase_add_loop_test(tc, test_compat_set_blocks, 0, 4);
    tcase_add_test(tc, test_compat_set_is_near_linear);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
