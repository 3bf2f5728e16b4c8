/* Version constraints of configurations. */
#include "unit.h"

#include "lifecheck/configuration/configuration.h"

typedef struct row {
    const char *constraint, *version;
    bool valid, allows, first_major;
} row;

static const row rows[] = {
    {">= 1.0", "1.11.4", true, true, true},
    {">= 1.0, < 2", "1.11.4", true, true, true},
    {"~> 1.11", "1.11.4", true, true, true},
    {"~> 1.11.0", "1.12.0", true, false, true},
    {"~> 1", "2.0.0", true, true, true}, /* only the last number may grow */
    {"1.0.0", "1.11.4", true, false, true},
    {"= 1.11.4", "1.11.4", true, true, true},
    {"!= 1.11.4", "1.11.4", true, false, true},
    {">= 99", "1.11.4", true, false, false},
    {"< 1.0", "1.11.4", true, false, false},
    {"<= 1.0.0", "1.11.4", true, false, true},
    {"~> 0.12.0", "1.11.4", true, false, false},
    {"> 1.5, < 1.4", "1.11.4", true, false, false},
    {"> 1.4.9, < 1.5.1", "1.5.0", true, true, true},
    {"> 2", "1.11.4", true, false, false},
    {"v1.2.3", "1.2.3", true, true, true},
    {" >=1.2.3-beta ", "1.2.3", true, true, true},
    {"banana", "1.11.4", false, false, true},
    {"", "1.11.4", false, false, true},
    {">= 1.", "1.11.4", false, false, true},
};

START_TEST(constraints)
{
    const row *r = &rows[_i];
    lc_str text = lc_str_from_c(r->constraint);
    ck_assert_msg(lc_version_is_constraint(text) == r->valid, "%s", r->constraint);
    ck_assert_msg(lc_version_allows(text, lc_str_from_c(r->version)) == r->allows, "%s of %s",
                  r->version, r->constraint);
    ck_assert_msg(lc_version_allows_major(text, 1) == r->first_major, "major of %s", r->constraint);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("version");
    TCase *all = tcase_create("constraints");
    ADD_ROWS(all, constraints, rows);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
