/* Names of providers: which are valid, what a type's name says, and the address in the registry of
 * the other client. */
#include "unit.h"

#include "provider_config/internal.h"

static const struct {
    const char *name;
    bool normal;
} names[] = {
    {"aws", true},  {"google-beta", true}, {"a1", true},    {"1a", true},    {"b\xC3\xBC", true},
    {"", false},    {"-a", false},         {"a-", false},   {"a--b", false}, {"A", false},
    {"a_b", false}, {"a.b", false},        {"a-b-c", true}, {"-", false},    {"a b", false},
};

START_TEST(test_normal)
{
    bool normal = lc_provider_name_is_normal(lc_str_from_c(names[_i].name));
    ck_assert_msg(normal == names[_i].normal, "%s", names[_i].name);
}
END_TEST

static const struct {
    const char *type, *name;
} types[] = {
    {"aws_instance", "aws"},          {"a_b_c", "a"}, {"aws", "aws"}, {"_x", ""}, {"", ""},
    {"google-beta_x", "google-beta"},
};

START_TEST(test_name_of_type)
{
    CHECK_TEXT(types[_i].type, lc_provider_name_of_type(lc_str_from_c(types[_i].type)),
               lc_str_from_c(types[_i].name));
}
END_TEST

static const struct {
    lc_profile profile;
    const char *own, *other;
} addresses[] = {
    {LC_PROFILE_TERRAFORM, "registry.terraform.io/hashicorp/aws",
     "registry.opentofu.org/hashicorp/aws"},
    {LC_PROFILE_OPENTOFU, "registry.opentofu.org/a/b", "registry.terraform.io/a/b"},
    {LC_PROFILE_TERRAFORM, "example.com/a/b", "example.com/a/b"},
    {LC_PROFILE_TERRAFORM, "registry.opentofu.org/a/b", "registry.opentofu.org/a/b"},
};

START_TEST(test_other_name)
{
    lc_arena *arena = lc_arena_new();
    lc_configuration config = {.profile = addresses[_i].profile};
    lc_provider_model model = {.arena = arena, .config = &config};
    CHECK_TEXT(addresses[_i].own, lc_provider_other_name(&model, lc_str_from_c(addresses[_i].own)),
               lc_str_from_c(addresses[_i].other));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("provider names");
    TCase *tcase = tcase_create("names");
    ADD_ROWS(tcase, test_normal, names);
    ADD_ROWS(tcase, test_name_of_type, types);
    ADD_ROWS(tcase, test_other_name, addresses);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
