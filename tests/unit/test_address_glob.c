/* Patterns of addresses: what is refused and where, and what matches with keys known and open. */
#include "unit.h"

#include "lifecheck/configuration/address.h"

static const struct {
    const char *glob, *address;
    bool want;
} matches[] = {
    {"demo_db.a", "demo_db.a", true},
    {"demo_db.a", "demo_db.a[0]", true},
    {"demo_db.a", "demo_db.a[\"k\"]", true},
    {"demo_db.a", "demo_db.ab", false},
    {"demo_db.a", "module.m.demo_db.a", false},
    {"demo_db.a", "data.demo_db.a", false},
    {"demo_db.a[0]", "demo_db.a[0]", true},
    {"demo_db.a[ 0 ]", "demo_db.a[0]", true},
    {"demo_db.a.0", "demo_db.a[0]", true},
    {"demo_db.a[0]", "demo_db.a[\"0\"]", false},
    {"demo_db.a[0]", "demo_db.a", false},
    {"demo_db.a[*]", "demo_db.a[\"k\"]", true},
    {"demo_db.a[*]", "demo_db.a", false},
    {"demo_db.a[\"eu-*\"]", "demo_db.a[\"eu-1\"]", true},
    {"demo_db.a[\"eu-*\"]", "demo_db.a[\"us-1\"]", false},
    {"demo_db.a[\"eu.?[]\"]", "demo_db.a[\"eu.x[]\"]", true},
    {"demo_*.*", "demo_db.a", true},
    {"demo_*.*", "module.m.demo_db.a", false},
    {"demo_*.*", "data.demo_db.a", false},
    {"data.demo_*.*", "data.demo_db.a[0]", true},
    {"ephemeral.*.*", "ephemeral.demo_db.a", true},
    {"*.main", "demo_db.main", true},
    {"demo_?b.a", "demo_db.a", true},
    {"demo_d*", "demo_db.a", true},
    {"demo_d*", "module.m.module.n[0].demo_db.a[1]", true},
    {"demo_d*", "data.demo_db.a", false},
    {"data.demo_d*", "module.m.data.demo_db.a", true},
    {"demo_db", "demo_db2.a", false},
    {"module.m", "module.m.demo_db.a", true},
    {"module.m", "module.m[0].module.n.data.demo_db.a", true},
    {"module.m", "module.mm.demo_db.a", false},
    {"module.m", "demo_db.a", false},
    {"module.m.**", "module.m[0].module.n.data.demo_db.a", true},
    {"module.m.**", "demo_db.a", false},
    {"module.m[0]", "module.m[0].demo_db.a", true},
    {"module.m[0]", "module.m[1].demo_db.a", false},
    {"module.m.demo_db.*", "module.m[1].demo_db.a", true},
    {"module.m.demo_db.*", "module.m.module.n.demo_db.a", false},
    {"module.m.demo_db", "module.m.module.n.demo_db.a", true},
    {"module.m.**.demo_db.*", "module.m.module.n.demo_db.a", true},
    {"module.m.**.demo_db.*", "module.m.demo_db.a", true},
    {"module.*.demo_db.a", "module.x.demo_db.a", true},
    {"**.demo_db.a", "demo_db.a", true},
    {"**.demo_db.a", "module.m.module.n.demo_db.a", true},
    {"**.module.n.demo_db.a", "module.m.module.n.demo_db.a", true},
    {"**.module.n.demo_db.a", "module.n.module.m.demo_db.a", false},
    {"**.module.n.**.demo_db.a", "module.n.module.m.module.n.demo_db.a", true},
    {"**.module.a.module.b.x.y", "module.a.module.a.module.b.x.y", true},
    {"**", "demo_db.a", true},
    {"**", "module.m.data.demo_db.a", true},
    {"*", "module.m.demo_db.a", true},
    {"*", "data.demo_db.a", false},
};

static const struct {
    const char *in;
    size_t at;
} refused[] = {
    {"", 0},      {"a.", 2},        {".a", 0},      {"a.b.c", 4},  {"a[0].b", 1},
    {"a.b[0", 3}, {"a.b[]", 3},     {"a.b[0]x", 6}, {"module", 6}, {"module.m.a.b.c", 13},
    {"a.**", 0},  {"module.**", 9}, {"data", 4},    {"a b.c", 1},  {"a.b[\"x]", 3},
};

static lc_address parsed(lc_arena *arena, const char *text)
{
    lc_address address;
    lc_str why;
    size_t at;
    ck_assert_msg(lc_address_parse(&address, arena, lc_str_from_c(text), &why, &at), "%s", text);
    return address;
}

static lc_address_glob glob_of(lc_arena *arena, const char *text)
{
    lc_address_glob glob;
    lc_str why;
    size_t at;
    ck_assert_msg(lc_address_glob_parse(&glob, arena, lc_str_from_c(text), &why, &at), "%s: %.*s",
                  text, LC_FMT(why));
    return glob;
}

START_TEST(test_glob_matches)
{
    lc_arena *arena = lc_arena_new();
    lc_address_glob glob = glob_of(arena, matches[_i].glob);
    lc_address address = parsed(arena, matches[_i].address);
    ck_assert_msg(lc_address_glob_matches(&glob, &address, LC_KEYS_KNOWN) == matches[_i].want,
                  "%s and %s", matches[_i].glob, matches[_i].address);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_glob_refused)
{
    lc_arena *arena = lc_arena_new();
    lc_address_glob glob;
    lc_str why = LC_STR_EMPTY;
    size_t at = 99;
    ck_assert_msg(!lc_address_glob_parse(&glob, arena, lc_str_from_c(refused[_i].in), &why, &at),
                  "%s", refused[_i].in);
    ck_assert_msg(why.len && at == refused[_i].at, "%s: %zu %.*s", refused[_i].in, at, LC_FMT(why));
    lc_arena_free(arena);
}
END_TEST

/* The keys of steps from number `from` on are open. */
static const struct {
    const char *glob, *address;
    size_t from;
    bool some, every;
} open_keys[] = {
    {"demo_db.a[0]", "demo_db.a", 0, true, false},
    {"demo_db.a[*]", "demo_db.a", 0, true, true},
    {"demo_db.a", "demo_db.a", 0, true, true},
    {"demo_db.b", "demo_db.a", 0, false, false},
    {"module.m[0].a.b", "module.m.a.b", 0, true, false},
    {"module.m[0].module.n[1].a.b", "module.m[0].module.n.a.b", 1, true, false},
    {"module.m[0].module.n[1].a.b", "module.m[1].module.n.a.b", 1, false, false},
    {"module.m[0]", "module.m.a.b", 0, true, false},
};

START_TEST(test_glob_open_keys)
{
    lc_arena *arena = lc_arena_new();
    lc_address_glob glob = glob_of(arena, open_keys[_i].glob);
    lc_address address = parsed(arena, open_keys[_i].address);
    lc_open_keys some = {open_keys[_i].from, false}, every = {open_keys[_i].from, true};
    ck_assert(lc_address_glob_matches(&glob, &address, some) == open_keys[_i].some);
    ck_assert(lc_address_glob_matches(&glob, &address, every) == open_keys[_i].every);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *glob, *module;
    bool want;
} reaches[] = {
    {"demo_db.a", "module.m", false},
    {"demo_db", "module.m", true},
    {"**", "module.m", true},
    {"module.m.demo_db.a", "module.m", true},
    {"module.m.module.n.demo_db.a", "module.m", true},
    {"module.n.demo_db.a", "module.m", false},
    {"module.m", "module.m.module.n", true},
    {"**.module.n.demo_db.a", "module.m", true},
    {"module.m.demo_db.a", "module.m.module.n", false},
};

START_TEST(test_glob_reaches)
{
    lc_arena *arena = lc_arena_new();
    lc_address_glob glob = glob_of(arena, reaches[_i].glob);
    lc_address module = parsed(arena, reaches[_i].module);
    ck_assert_msg(lc_address_glob_reaches(&glob, &module, LC_KEYS_KNOWN) == reaches[_i].want,
                  "%s and %s", reaches[_i].glob, reaches[_i].module);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_glob_plain)
{
    lc_arena *arena = lc_arena_new();
    static const char *const plain[] = {"demo_db.a", "module.m[0].demo_db.a[\"k\"]"};
    static const char *const others[] = {"demo_db", "module.m", "demo_db.*", "**"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        lc_address_glob glob = glob_of(arena, plain[i]);
        ck_assert(lc_address_glob_is_plain(&glob));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        lc_address_glob glob = glob_of(arena, others[i]);
        ck_assert_msg(!lc_address_glob_is_plain(&glob), "%s", others[i]);
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("address_glob");
    TCase *tc = tcase_create("address_glob");
    ADD_ROWS(tc, test_glob_matches, matches);
    ADD_ROWS(tc, test_glob_refused, refused);
    ADD_ROWS(tc, test_glob_open_keys, open_keys);
    ADD_ROWS(tc, test_glob_reaches, reaches);
    tcase_add_test(tc, test_glob_plain);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
