/* Configurations: what readers of files and blocks report, and where. */
#include "unit.h"

#include "lifecheck/configuration/configuration.h"

#include <string.h>

typedef struct one_text {
    const char *name, *text;
} one_text;

static bool open_root(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    const one_text *f = context;
    if (path.len > 0)
        return false;
    lc_str name = lc_str_from_c(f->name);
    lc_config_file_parse(LC_PUSH(arena, &out->files, lc_config_file), arena, name, name,
                         lc_str_from_c(f->text));
    return true;
}

/* The problems in their order, each with its place. */
static lc_str problems_of(lc_arena *arena, lc_profile profile, const one_text *f)
{
    lc_configuration config;
    lc_diags diags;
    lc_buf out = {0};
    one_text file = *f;
    lc_config_loader loader = {.context = &file, .open = open_root};
    lc_diags_init(&diags, arena);
    ck_assert(lc_configuration_read(&config, arena, profile, &loader, &diags) == LC_OK);
    for (size_t i = 0; i < config.problems.count; i++) {
        const lc_config_problem *p = &config.problems.items[i];
        lc_loc loc = lc_source_pos_loc(p->place);
        lc_buf_printf(&out, "%s%u:%u %.*s", i ? "; " : "", (unsigned)loc.line, (unsigned)loc.column,
                      LC_FMT(p->summary));
    }
    return lc_buf_take(arena, &out);
}

typedef struct problem_row {
    one_text file;
    const char *want;
} problem_row;

/* clang-format off */
#define NATIVE(text, want) {{"a.tf", text}, want}
#define JSON(text, want) {{"a.tf.json", text}, want}
/* clang-format on */

static const problem_row problems[] = {
    /* Files in JSON syntax. */
    JSON("{}", ""),
    JSON("", "1:1 Missing value; 1:1 Root value must be object"),
    JSON("5", "1:1 Root value must be object"),
    JSON("{\"locals\": {\"a\": 01}}", "1:18 Invalid JSON number"),
    JSON("{\"locals\": {\"a\": yes}}", "1:18 Invalid JSON keyword"),
    JSON("{\"locals\": {\"a\": \"\\q\"}}", "1:21 Invalid JSON string"),
    JSON("{\"locals\": {\"a\": 1,}}",
         "1:19 Trailing comma in object; 1:12 Incorrect JSON value type"),
    JSON("{\"locals\": {\"a\": [1,]}}", "1:20 Trailing comma in array; 1:22 Mismatched braces; "
                                        "1:12 Incorrect JSON value type"),
    JSON("{\"locals\": {\"a\": [1}}",
         "1:22 Mismatched brackets; 1:12 Unclosed object; 1:1 Unclosed object; "
         "1:1 Root value must be object"),
    JSON("{\"locals\": {\"a\" 1}}",
         "1:17 Missing property value colon; 1:12 Incorrect JSON value type"),
    JSON("{\"locals\": {\"a\": 1}} x", "1:22 Extraneous data after value"),
    JSON("{\"locals\": {\"a\": 1, \"a\": 2}}", "1:21 Duplicate attribute definition"),
    /* Bodies in JSON syntax. */
    JSON("{\"nope\": {}}", "1:2 Extraneous JSON object property"),
    JSON("{\"resource\": {\"t\": {}}}", "1:20 Missing block label"),
    JSON("{\"resource\": {\"t\": \"x\"}}",
         "1:20 Incorrect JSON value type; 1:20 Missing block label"),
    JSON("{\"output\": {\"o\": {}}}", "1:19 Missing required argument"),
    JSON("{\"resource\": {\"t\": {\"n\": {\"depends_on\": [\"${a.b}\"]}}}}",
         "1:42 Invalid expression"),
    JSON("{\"check\": {\"c\": {\"data\": {\"t\": {\"n\": [{}]}}}}}", "1:17 Zero assert blocks"),
    JSON("{\"locals\": {\"a\": \"${\"}}", ""),
    /* Bodies in native syntax. */
    NATIVE("", ""),
    NATIVE("nope {}\n", "1:1 Unsupported block type"),
    NATIVE("nope = 1\n", "1:1 Unsupported argument"),
    NATIVE("resource \"t\" {}\n", "1:14 Missing name for resource"),
    NATIVE("locals \"x\" {}\n", "1:8 Extraneous label for locals"),
    NATIVE("output \"o\" {\n}\n", "1:12 Missing required argument"),
    NATIVE("locals {\n  a {}\n}\n", "2:3 Unexpected \"a\" block"),
    NATIVE("variable \"v\" { default = var.x }\n", "1:26 Variables not allowed"),
    NATIVE("variable \"source\" {}\n", "1:10 Invalid variable name"),
    NATIVE("variable \"v\" {\n  validation {\n    condition     = true\n    error_message = "
           "\"m\"\n  }\n}\n",
           "3:21 Invalid validation expression; 3:21 Invalid variable validation condition"),
    NATIVE("resource \"t\" \"n\" {\n  depends_on = [a.b, \"a.b\", 1]\n}\n",
           "2:29 Invalid expression"),
    NATIVE("resource \"t\" \"n\" {\n  lifecycle {}\n  lifecycle {}\n}\n",
           "3:3 Duplicate lifecycle block"),
    NATIVE("resource \"t\" \"n\" {\n  lifecycle {\n    ignore_changes = [\"*\"]\n  }\n}\n",
           "3:22 Invalid ignore_changes wildcard"),
    NATIVE("resource \"t\" \"n\" {\n  provisioner \"x\" {\n    when = never\n  }\n}\n",
           "3:12 Invalid \"when\" keyword"),
    NATIVE("resource \"t\" \"n\" {\n  count    = 1\n  for_each = {}\n}\n",
           "3:3 Invalid combination of \"count\" and \"for_each\""),
    NATIVE("terraform {\n  required_version = \"x\"\n}\n", "2:22 Invalid version constraint"),
    NATIVE("required_providers {}\n", "1:1 Invalid required_providers block"),
    NATIVE("check \"c\" {\n  data \"t\" \"n\" { count = 1 }\n  assert {\n    condition     = "
           "data.t.n.x\n"
           "    error_message = \"m\"\n  }\n}\n",
           "2:18 Invalid \"count\" attribute"),
    NATIVE("a = \n", "1:5 Invalid expression; 1:1 Unsupported argument"),
    NATIVE("é = 1\n", "1:1 Unsupported argument"),
};

START_TEST(problem)
{
    const problem_row *row = &problems[_i];
    lc_arena *arena = lc_arena_new();
    CHECK_TEXT(row->file.text, problems_of(arena, LC_PROFILE_TERRAFORM, &row->file),
               lc_str_from_c(row->want));
    lc_arena_free(arena);
}
END_TEST

/* What only one of the clients knows. */
START_TEST(client)
{
    static const one_text lifecycle = {
        "a.tf", "resource \"t\" \"n\" {\n  lifecycle {\n    enabled = true\n  }\n}\n"};
    static const one_text output = {"a.tf", "output \"v\" {\n  value = 1\n  type  = number\n}\n"};
    lc_arena *arena = lc_arena_new();
    CHECK_TEXT("enabled", problems_of(arena, LC_PROFILE_TERRAFORM, &lifecycle),
               LC_STR("3:5 Unsupported argument"));
    CHECK_TEXT("enabled", problems_of(arena, LC_PROFILE_OPENTOFU, &lifecycle), LC_STR_EMPTY);
    CHECK_TEXT("type", problems_of(arena, LC_PROFILE_TERRAFORM, &output), LC_STR_EMPTY);
    CHECK_TEXT("type", problems_of(arena, LC_PROFILE_OPENTOFU, &output),
               LC_STR("3:3 Unsupported argument"));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("blocks");
    TCase *tcase = tcase_create("blocks");
    ADD_ROWS(tcase, problem, problems);
    tcase_add_test(tcase, client);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
