/* State files: what is read, and what is odd, row by row. */
#include "unit.h"

#include "lifecheck/plan/state.h"

#include <string.h>

static lc_arena *arena;
static lc_diags diags;
static lc_source source;

static void setup(void)
{
    arena = lc_arena_new();
    lc_diags_init(&diags, arena);
}

static void teardown(void)
{
    lc_arena_free(arena);
}

static lc_status read(lc_state_file *out, const char *text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    ck_assert_int_eq(
        lc_json_parse(&source, arena, LC_STR("s.tfstate"), lc_str_from_c(text), &limits, &diags),
        LC_OK);
    return lc_state_from_node(out, arena, &source, source.documents, &diags);
}

/* A state with one resource, whose members and instances are given. */
static const char *around(const char *resource, const char *instances)
{
    return lc_str_to_c(arena,
                       lc_str_printf(arena,
                                     "{\"version\":4,\"terraform_version\":\"1.11.4\",\"serial\":7,"
                                     "\"lineage\":\"l\",\"outputs\":{},\"resources\":[{%s"
                                     "\"type\":\"t\",\"name\":\"n\",\"instances\":[%s]}]}",
                                     resource, instances));
}

#define MANAGED "\"mode\":\"managed\","

typedef struct odd_row {
    const char *name, *resource, *instances;
    int count; /* of oddities */
    lc_state_fault fault;
    const char *address, *text;
    bool refused;
    const char *detail;
} odd_row;

static const odd_row odd_rows[] = {
    {"nothing", MANAGED, "{\"attributes\":{}}", 0, LC_FAULTY_MEMBER, "", "", false, ""},
    {"tainted", MANAGED, "{\"status\":\"tainted\"}", 0, LC_FAULTY_MEMBER, "", "", false, ""},
    {"status", MANAGED, "{\"status\":\"broken\"}", 1, LC_FAULTY_STATUS, "t.n", "broken", true,
     "Instance t.n has invalid status \"broken\"."},
    {"mode", "\"mode\":\"other\",", "{}", 1, LC_FAULTY_MODE, "t.n", "other", true,
     "State contains a resource with mode \"other\" (\"t\" \"n\") which is not supported."},
    {"no mode", "", "{}", 1, LC_FAULTY_MODE, "t.n", "", true,
     "State contains a resource with mode \"\" (\"t\" \"n\") which is not supported."},
    {"module", MANAGED "\"module\":\"modul.m\",", "{}", 1, LC_FAULTY_MODULE, "t.n", "modul.m", true,
     ""},
    {"number key", MANAGED, "{\"index_key\":3}", 0, LC_FAULTY_MEMBER, "", "", false, ""},
    {"null key", MANAGED, "{\"index_key\":null}", 0, LC_FAULTY_MEMBER, "", "", false, ""},
    {"fraction", MANAGED, "{\"index_key\":1.5}", 1, LC_FAULTY_KEY_FRACTION, "t.n", "1.5", false,
     ""},
    {"a whole number with a point", MANAGED, "{\"index_key\":1.0}", 0, LC_FAULTY_MEMBER, "", "",
     false, ""},
    {"bool key", MANAGED, "{\"index_key\":true}", 1, LC_FAULTY_KEY, "t.n", "a bool", true,
     "Resource t.n has an instance with the invalid instance key true."},
    {"deposed of three", MANAGED, "{\"deposed\":\"abc\"}", 1, LC_FAULTY_DEPOSED, "t.n", "abc", true,
     "Instance t.n has an object with deposed key \"abc\", which is not correctly formatted."},
    {"deposed beside current", MANAGED, "{},{\"deposed\":\"0a1b2c3d\"}", 0, LC_FAULTY_MEMBER, "",
     "", false, ""},
    {"deposed twice", MANAGED, "{\"deposed\":\"0a1b2c3d\"},{\"deposed\":\"0a1b2c3d\"}", 1,
     LC_FAULTY_DEPOSED_TWICE, "t.n", "0a1b2c3d", false,
     "Instance t.n deposed object \"0a1b2c3d\" appears multiple times in the state file."},
    {"twice", MANAGED, "{\"index_key\":\"k\"},{\"index_key\":\"k\"}", 1, LC_FAULTY_TWICE,
     "t.n[\"k\"]", "", false, "Instance t.n[\"k\"] appears multiple times in the state file."},
    {"number and text are two", MANAGED, "{\"index_key\":0},{\"index_key\":\"0\"}", 0,
     LC_FAULTY_MEMBER, "", "", false, ""},
    {"dependency", MANAGED, "{\"dependencies\":[\"module.m.data.a.b\"]}", 0, LC_FAULTY_MEMBER, "",
     "", false, ""},
    {"dependency with a key", MANAGED, "{\"dependencies\":[\"a.b[0]\"]}", 1, LC_FAULTY_DEPENDENCY,
     "t.n", "a.b[0]", false, ""},
    {"dependency on a module", MANAGED, "{\"dependencies\":[\"module.m\"]}", 1,
     LC_FAULTY_DEPENDENCY, "t.n", "module.m", false, ""},
    {"a member of another kind", MANAGED, "{\"status\":1}", 1, LC_FAULTY_MEMBER, "t.n", "status",
     false, ""},
};

START_TEST(oddities)
{
    const odd_row *row = &odd_rows[_i];
    lc_state_file state;
    ck_assert_msg(read(&state, around(row->resource, row->instances)) == LC_OK, "%s", row->name);
    ck_assert_msg((int)state.oddities.count == row->count, "%s: %zu", row->name,
                  state.oddities.count);
    ck_assert_msg(state.objects.items[0].refused == row->refused, "%s", row->name);
    if (!row->count)
        return;
    const lc_state_oddity *o = &state.oddities.items[0];
    ck_assert_msg(o->fault == row->fault, "%s: %d", row->name, (int)o->fault);
    ck_assert_msg(lc_str_is(o->address, row->address), "%s: %.*s", row->name, LC_FMT(o->address));
    ck_assert_msg(lc_str_is(o->text, row->text), "%s: %.*s", row->name, LC_FMT(o->text));
    ck_assert_msg(lc_str_is(o->detail, row->detail), "%s: %.*s", row->name, LC_FMT(o->detail));
    ck_assert_msg(o->loc.line == 1 && o->loc.column > 80, "%s", row->name);
}
END_TEST

typedef struct refused_row {
    const char *name, *text, *message;
} refused_row;

static const refused_row refused_rows[] = {
    {"version 5", "{\"version\":5,\"resources\":[]}",
     "a state of version 5; clients refuse every version except 4"},
    {"version 3", "{\"version\":3}",
     "a state of version 3; any apply of a current client rewrites it as version 4"},
    {"encrypted", "{\"serial\":1,\"encryption_version\":\"v0\"}",
     "this state is encrypted; `tofu state pull` prints it in the clear"},
    {"no version", "{}",
     "this is not a state file of version 4: `terraform state pull` prints one"},
    {"a list", "[]", "this is not a state file of version 4: `terraform state pull` prints one"},
};

START_TEST(refused)
{
    lc_state_file state;
    ck_assert_msg(read(&state, refused_rows[_i].text) == LC_EINPUT, "%s", refused_rows[_i].name);
    ck_assert_msg(diags.errors == 1 && lc_str_is(diags.items[0].message, refused_rows[_i].message),
                  "%s: %.*s", refused_rows[_i].name, LC_FMT(diags.items[0].message));
}
END_TEST

START_TEST(whole_file)
{
    lc_state_file s;
    ck_assert_int_eq(
        read(&s, "{\"version\":4,\"terraform_version\":\"1.9.0\",\"serial\":12,\"lineage\":\"x\","
                 "\"outputs\":{\"o\":{\"value\":1,\"type\":\"number\",\"sensitive\":true}},"
                 "\"resources\":[{\"module\":\"module.m[\\\"k\\\"]\",\"mode\":\"data\",\"type\":"
                 "\"t\",\"name\":\"n\",\"provider\":\"provider[\\\"a/b/c\\\"]\",\"instances\":["
                 "{\"index_key\":1,\"schema_version\":2,\"attributes\":{\"id\":\"i\"},"
                 "\"create_before_destroy\":true,\"skip_destroy\":false,\"dependencies\":[\"a.b\"],"
                 "\"sensitive_attributes\":[[{\"type\":\"get_attr\",\"value\":\"id\"}]]},"
                 "{\"index_key\":1,\"deposed\":\"00000000\",\"provider\":\"provider[\\\"p\\\"]\"}"
                 "]}],\"check_results\":null}"),
        LC_OK);
    const lc_state_object *o =
        lc_state_get(&s, arena, LC_STR("module.m[\"k\"].data.t.n[1]"), LC_STR_EMPTY);
    const lc_state_object *d =
        lc_state_get(&s, arena, LC_STR("module.m[\"k\"].data.t.n[1]"), LC_STR("00000000"));
    ck_assert(o && d && o != d && !s.oddities.count && s.resources.count == 1);
    ck_assert(s.serial == 12 && lc_str_is(s.lineage, "x") && !s.check_results);
    ck_assert(s.outputs.count == 1 && s.outputs.items[0].sensitive);
    ck_assert(o->schema_version == 2 && o->create_before_destroy == LC_YES &&
              o->skip_destroy == LC_NO && o->dependency_count == 1 && o->dependencies[0].parses);
    ck_assert(o->parsed.key.kind == LC_KEY_INT && o->parsed.mode == LC_MODE_DATA &&
              o->parsed.module_count == 1 && d->create_before_destroy == LC_NOT_KNOWN);
    ck_assert(lc_str_is(lc_state_provider(&s, o), "provider[\"a/b/c\"]") &&
              lc_str_is(lc_state_provider(&s, d), "provider[\"p\"]"));
    ck_assert(lc_str_is(lc_state_provider_source(&s, o), "a/b/c") &&
              lc_str_is(lc_state_provider_source(&s, d), "p") && s.has_resources);
    ck_assert(!lc_state_get(&s, arena, LC_STR("t.n"), LC_STR_EMPTY));
}
END_TEST

START_TEST(no_object_of_the_root)
{
    lc_state_file s;
    ck_assert_int_eq(read(&s, around(MANAGED "\"module\":\"modul.m\",", "{\"index_key\":0},{}")),
                     LC_OK);
    ck_assert(lc_str_is(s.objects.items[0].address, "modul.m.t.n[0]"));
    ck_assert(lc_str_is(s.objects.items[1].address, "modul.m.t.n"));
    ck_assert(lc_str_is(lc_state_provider_source(&s, &s.objects.items[0]), ""));
}
END_TEST

START_TEST(resources_are_a_list)
{
    lc_state_file s;
    ck_assert_int_eq(read(&s, "{\"version\":4,\"resources\":{}}"), LC_OK);
    ck_assert(!s.has_resources && lc_state_is(s.root));
    ck_assert_int_eq(read(&s, "{\"version\":4}"), LC_OK);
    ck_assert(!s.has_resources && !lc_state_is(s.root));
}
END_TEST

typedef struct same_row {
    const char *name, *a, *b;
    bool same;
} same_row;

static const same_row same_rows[] = {
    {"numbers by value", "[1.0,1e2]", "[1,100]", true},
    {"other numbers", "[1]", "[2]", false},
    {"order of members", "{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":3,\"a\":1,\"b\":2}", true},
    {"another member", "{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
    {"one more", "{\"a\":1}", "{\"a\":1,\"c\":2}", false},
    {"order of items", "[1,2]", "[2,1]", false},
    {"length", "[1,2]", "[1]", false},
    {"kinds", "[1]", "[\"1\"]", false},
    {"bools", "[true]", "[false]", false},
    {"nulls", "[null,{}]", "[null,{}]", true},
};

START_TEST(same)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source a, b;
    lc_buf text = {0};
    const same_row *row = &same_rows[_i];
    lc_json_parse(&a, arena, LC_STR("a"), lc_str_from_c(row->a), &limits, &diags);
    lc_json_parse(&b, arena, LC_STR("b"), lc_str_from_c(row->b), &limits, &diags);
    ck_assert_msg(lc_node_same(arena, a.documents, b.documents) == row->same, "%s", row->name);
    ck_assert_msg(lc_node_same(arena, b.documents, a.documents) == row->same, "%s", row->name);
    lc_node_add_json(&text, a.documents);
    ck_assert_msg(lc_str_is(lc_buf_str(&text), row->a), "%s", row->name);
    lc_buf_release(&text);
}
END_TEST

START_TEST(tags_count)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source a;
    ck_assert_int_eq(lc_yaml_parse(&a, arena, LC_STR("a"),
                                   LC_STR("[!x {b: 1}, !x {b: 1}, !y {b: 1}, {b: 1}]"), &limits,
                                   &diags),
                     LC_OK);
    const lc_node *items = a.documents->as.items;
    ck_assert(lc_node_same(arena, &items[0], &items[1]));
    ck_assert(!lc_node_same(arena, &items[0], &items[2]));
    ck_assert(!lc_node_same(arena, &items[0], &items[3]));
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("state");
    TCase *tcase = tcase_create("state");
    tcase_add_checked_fixture(tcase, setup, teardown);
    ADD_ROWS(tcase, oddities, odd_rows);
    ADD_ROWS(tcase, refused, refused_rows);
    tcase_add_test(tcase, whole_file);
    tcase_add_test(tcase, no_object_of_the_root);
    tcase_add_test(tcase, resources_are_a_list);
    ADD_ROWS(tcase, same, same_rows);
    tcase_add_test(tcase, tags_count);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
