/* Memory: arenas, and what grows in them. */
#include "unit.h"

#include "lifecheck/base/table.h"

#include <string.h>

/* Sizes on both sides of what has a chunk of its own. */
static const size_t sizes[] = {1, 8, 1000, 100000, 262144, 262152, 300000, 5000000};

static void fill(unsigned char *bytes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        bytes[i] = (unsigned char)(i * 7 + 1);
}

static bool is_filled(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != (unsigned char)(i * 7 + 1))
            return false;
    }
    return true;
}

START_TEST(resized)
{
    lc_arena *arena = lc_arena_new();
    size_t from = sizes[_i];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        unsigned char *before = lc_arena_alloc(arena, 24), *bytes = lc_arena_alloc(arena, from);
        fill(before, 0, 24);
        fill(bytes, 0, from);
        size_t to = sizes[k];
        bytes = lc_arena_resize(arena, bytes, from, to);
        fill(bytes, from, to);
        unsigned char *after = lc_arena_alloc(arena, 24);
        fill(after, 0, 24);
        ck_assert(is_filled(bytes, to) && is_filled(before, 24) && is_filled(after, 24));
        lc_arena_release(bytes, to);
        ck_assert(is_filled(before, 24) && is_filled(after, 24));
    }
    lc_arena_free(arena);
}
END_TEST

START_TEST(nothing_is_left_behind)
{
    lc_arena *arena = lc_arena_new();
    LC_VEC(uint64_t) list = {0};
    for (uint64_t i = 0; i < 1000000; i++)
        *LC_PUSH(arena, &list, uint64_t) = i;
    for (uint64_t i = 0; i < 1000000; i++)
        ASSERT_EACH(list.items[i] == i, "item %zu", (size_t)i);
    ck_assert_uint_lt(lc_arena_used(arena), list.capacity * sizeof *list.items + (1u << 20));
    lc_arena_free(arena);
}
END_TEST

START_TEST(table_grows)
{
    lc_arena *arena = lc_arena_new();
    lc_table table;
    lc_table_init(&table, arena);
    for (uintptr_t i = 1; i <= 50000; i++)
        ASSERT_EACH(!lc_table_put(&table, lc_str_printf(arena, "key-%zu", (size_t)i), (void *)i),
                    "key %zu is new", (size_t)i);
    for (uintptr_t i = 1; i <= 50000; i++)
        ASSERT_EACH(lc_table_get(&table, lc_str_printf(arena, "key-%zu", (size_t)i)) == (void *)i,
                    "key %zu", (size_t)i);
    ck_assert(!lc_table_get(&table, LC_STR("key-0")));
    lc_table_release(&table);
    ck_assert(!lc_table_get(&table, LC_STR("key-1")));
    lc_arena_free(arena);
}
END_TEST

START_TEST(used_again)
{
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *bytes = lc_arena_alloc(arena, sizes[i]);
        fill(bytes, 0, sizes[i]);
        lc_arena_reset(arena);
        ck_assert_uint_eq(lc_arena_used(arena), 0);
        bytes = lc_arena_resize(arena, NULL, 0, sizes[i]);
        fill(bytes, 0, sizes[i]);
        ck_assert(is_filled(bytes, sizes[i]));
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("arena");
    TCase *tc = tcase_create("arena");
    ADD_ROWS(tc, resized, sizes);
    tcase_add_test(tc, nothing_is_left_behind);
    tcase_add_test(tc, table_grows);
    tcase_add_test(tc, used_again);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
