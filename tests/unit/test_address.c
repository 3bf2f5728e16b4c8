/* Addresses: canonical text, what is refused and where, order, containment. */
#include "unit.h"

#include "lifecheck/configuration/address.h"

typedef struct row {
    const char *in, *want; /* want NULL: `in` is canonical */
} row;

static const row addresses[] = {
    {"demo_disk.a", NULL},
    {"demo_disk.a[0]", NULL},
    {"demo_disk.a[ 12 ]", "demo_disk.a[12]"},
    {"demo_disk.a.3", "demo_disk.a[3]"},
    {"resource.demo_disk.a", "demo_disk.a"},
    {"demo_disk.a[\"x y\"]", NULL},
    {"demo_disk.a[\"\"]", NULL},
    {"demo_disk.a[\"a.b[0]\"]", NULL},
    {"demo_disk.a[\"$${x}%%{y}\"]", NULL},
    {"demo_disk.a[\"$x%y$$\"]", NULL},
    {"demo_disk.a[\"q\\\"b\\\\n\\n\"]", NULL},
    {"demo_disk.a[\"\\u00e4\"]", "demo_disk.a[\"\xc3\xa4\"]"},
    {"demo_disk.a[\"a\xcc\x88\"]", "demo_disk.a[\"\xc3\xa4\"]"},
    {"demo_disk.a[\"\\u0001\"]", NULL},
    {"data.demo_disk.a", NULL},
    {"ephemeral.demo_disk.a[1]", NULL},
    {"module.m", NULL},
    {"module.m[0].module.n[\"k\"]", NULL},
    {"module.m[\"k\"].data.demo_disk.a[0]", NULL},
    {"module.m.demo_disk.a-b_c", NULL},
};

static lc_address parsed(lc_arena *arena, const char *text)
{
    lc_address address;
    lc_str why;
    size_t at;
    ck_assert_msg(lc_address_parse(&address, arena, lc_str_from_c(text), &why, &at), "%s", text);
    return address;
}

START_TEST(test_address_text)
{
    lc_arena *arena = lc_arena_new();
    const row *r = &addresses[_i];
    lc_address address = parsed(arena, r->in);
    lc_str got = lc_address_text(arena, &address);
    const char *want = r->want ? r->want : r->in;
    ck_assert_msg(lc_str_is(got, want), "%s: %.*s", r->in, LC_FMT(got));
    lc_address again = parsed(arena, lc_str_to_c(arena, got));
    ck_assert_msg(lc_address_eq(&address, &again), "%s", r->in);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *in;
    size_t at;
} refused[] = {
    {"", 0},
    {"demo_disk", 9},
    {"demo_disk.", 10},
    {"demo_disk.a.b", 11},
    {"demo_disk.a[", 12},
    {"demo_disk.a[0", 13},
    {"demo_disk.a[x]", 12},
    {"demo_disk.a[\"x]", 12},
    {"demo_disk.a[\"${x}\"]", 13},
    {"demo_disk.a[\"\\q\"]", 14},
    {"demo_disk.a[-1]", 12},
    {"demo_disk.a[0][1]", 14},
    {"demo_disk.a[99999999999999999999]", 12},
    {"module", 6},
    {"module.m.", 9},
    {"module.m.data", 13},
    {"data.demo_disk", 14},
    {"demo disk.a", 4},
    {"demo_disk.a[1.5]", 13},
};

START_TEST(test_address_refused)
{
    lc_arena *arena = lc_arena_new();
    lc_address address;
    lc_str why;
    size_t at = 999;
    ck_assert_msg(!lc_address_parse(&address, arena, lc_str_from_c(refused[_i].in), &why, &at) &&
                      at == refused[_i].at,
                  "%s: at %zu", refused[_i].in, at);
    lc_arena_free(arena);
}
END_TEST

/* In order. */
static const char *const sorted[] = {
    "data.demo_disk.z",
    "demo_disk.a",
    "demo_disk.a[2]",
    "demo_disk.a[10]",
    "demo_disk.a[\"1\"]",
    "demo_disk.b",
    "demo_other.a",
    "module.m",
    "module.m.data.demo_disk.a",
    "module.m.demo_disk.a",
    "module.m[0].demo_disk.a",
    "module.m[\"a\"].demo_disk.a",
    "module.n.demo_disk.a",
    "module.a.module.b.demo_disk.a",
};

START_TEST(test_address_order)
{
    lc_arena *arena = lc_arena_new();
    for (int j = 0; j < ROWS(sorted); j++) {
        lc_address a = parsed(arena, sorted[_i]), b = parsed(arena, sorted[j]);
        int want = _i < j ? -1 : _i > j;
        int got = lc_address_cmp(&a, &b);
        ck_assert_msg((got > 0) - (got < 0) == want, "%s and %s", sorted[_i], sorted[j]);
    }
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *target, *object;
    bool want;
} covers[] = {
    {"demo_disk.a", "demo_disk.a", true},
    {"demo_disk.a", "demo_disk.a[0]", true},
    {"demo_disk.a[0]", "demo_disk.a[0]", true},
    {"demo_disk.a[0]", "demo_disk.a[\"0\"]", false},
    {"demo_disk.a[0]", "demo_disk.a", false},
    {"demo_disk.a", "data.demo_disk.a", false},
    {"demo_disk.a", "module.m.demo_disk.a", false},
    {"module.m", "module.m.demo_disk.a[1]", true},
    {"module.m", "module.m[1].module.n[2].demo_disk.a", true},
    {"module.m[1]", "module.m[1].demo_disk.a", true},
    {"module.m[1]", "module.m[2].demo_disk.a", false},
    {"module.m.module.n", "module.m[1].module.n.demo_disk.a", false},
    {"module.m[1].module.n", "module.m[1].module.n[0].demo_disk.a", true},
    {"module.m.demo_disk.a", "module.m[1].demo_disk.a", false},
    {"module.m[1].demo_disk.a", "module.m[1].demo_disk.a[0]", true},
    {"module.m.module.n", "module.m.demo_disk.a", false},
};

START_TEST(test_address_covers)
{
    lc_arena *arena = lc_arena_new();
    lc_address target = parsed(arena, covers[_i].target);
    lc_address object = parsed(arena, covers[_i].object);
    ck_assert_msg(lc_address_covers(&target, &object) == covers[_i].want, "%s over %s",
                  covers[_i].target, covers[_i].object);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_address_parts)
{
    lc_arena *arena = lc_arena_new();
    lc_address a = parsed(arena, "module.m[\"k\"].demo_disk.a[0]");
    lc_address config = lc_address_config(arena, &a), resource = lc_address_resource(&a);
    lc_address module = lc_address_module(&a), inner = parsed(arena, "module.n.demo_disk.b");
    lc_address within = lc_address_within(arena, &module, &inner);
    ck_assert(lc_str_is(lc_address_text(arena, &config), "module.m.demo_disk.a"));
    ck_assert(lc_str_is(lc_address_text(arena, &resource), "module.m[\"k\"].demo_disk.a"));
    ck_assert(lc_str_is(lc_address_text(arena, &module), "module.m[\"k\"]"));
    ck_assert(lc_str_is(lc_address_text(arena, &within), "module.m[\"k\"].module.n.demo_disk.b"));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("address");
    TCase *tc = tcase_create("address");
    ADD_ROWS(tc, test_address_text, addresses);
    ADD_ROWS(tc, test_address_refused, refused);
    ADD_ROWS(tc, test_address_order, sorted);
    ADD_ROWS(tc, test_address_covers, covers);
    tcase_add_test(tc, test_address_parts);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
