/* Paths, and files that expressions may read. */
#include "memory_files.h"
#include "unit.h"

#include "lifecheck/configuration/files.h"
#include "lifecheck/scenario/planning_input.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct clean_row {
    const char *path, *want;
    bool leaves;
} clean_row;

static const clean_row cleans[] = {
    {"", ".", false},        {".", ".", false},     {"a//b/./c/", "a/b/c", false},
    {"a/../b", "b", false},  {"a/..", ".", false},  {"../a", "../a", true},
    {"a/../..", "..", true}, {"/../a", "/a", true}, {"../../a/..", "../..", true},
    {"/", "/", true},        {"..a", "..a", false}, {"/a/../..", "/", true},
};

START_TEST(clean)
{
    const clean_row *r = &cleans[_i];
    lc_arena *arena = lc_arena_new();
    lc_str got = lc_path_clean(arena, lc_str_from_c(r->path));
    CHECK_TEXT(r->path, got, lc_str_from_c(r->want));
    ck_assert_msg(leaves_folder(got) == r->leaves, "%s", r->path);
    lc_arena_free(arena);
}
END_TEST

typedef struct look_row {
    const char *path;
    lc_file_kind kind;
} look_row;

static const look_row looks[] = {
    {"a.txt", LC_FILE_REGULAR},      {"./a.txt", LC_FILE_REGULAR},     {"d", LC_FILE_FOLDER},
    {"d/../a.txt", LC_FILE_REGULAR}, {"no/../a.txt", LC_FILE_MISSING}, {"", LC_FILE_FOLDER},
    {"a.txt/x", LC_FILE_NOT_FOLDER}, {"d/e/f", LC_FILE_REGULAR},       {"d/e", LC_FILE_FOLDER},
    {"no", LC_FILE_MISSING},         {"../a.txt", LC_FILE_REFUSED},    {"/a.txt", LC_FILE_REFUSED},
    {"d/../../x", LC_FILE_REFUSED},  {"d/", LC_FILE_FOLDER},
};

static const memory_file kept[] = {
    {{"d/e/f", 5}, {"F", 1}}, {{"a.txt", 5}, {"A", 1}}, {{"d/b", 3}, {"B", 1}}};

START_TEST(memory)
{
    const look_row *r = &looks[_i];
    lc_arena *arena = lc_arena_new();
    lc_files files;
    files_in_memory(&files, arena, kept, ROWS(kept));
    lc_file_answer got = lc_files_open(&files, arena, lc_str_from_c(r->path), LC_FILE_READ);
    ck_assert_msg(got.kind == r->kind, "%s: %d", r->path, (int)got.kind);
    ck_assert_msg((got.kind == LC_FILE_REFUSED) == (got.reason.len > 0), "%s", r->path);
    lc_arena_free(arena);
}
END_TEST

START_TEST(names)
{
    lc_arena *arena = lc_arena_new();
    lc_files files;
    files_in_memory(&files, arena, kept, ROWS(kept));
    lc_file_answer got = lc_files_open(&files, arena, LC_STR("d"), LC_FILE_LIST);
    ck_assert_uint_eq(got.entries.count, 2);
    CHECK_TEXT("first", got.entries.items[0].name, LC_STR("b"));
    CHECK_TEXT("second", got.entries.items[1].name, LC_STR("e"));
    ck_assert(got.entries.items[1].kind == LC_FILE_FOLDER);
    got = lc_files_open(&files, arena, LC_STR("d/e/f"), LC_FILE_READ);
    CHECK_TEXT("bytes", got.bytes, LC_STR("F"));
    ck_assert(lc_files_open(NULL, arena, LC_STR("x"), LC_FILE_LOOK).kind == LC_FILE_REFUSED);
    lc_arena_free(arena);
}
END_TEST

/* ---- A folder on disk. */

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static const look_row disk_looks[] = {
    {"a.txt", LC_FILE_REGULAR},
    {"in", LC_FILE_REGULAR},
    {"out", LC_FILE_REFUSED},
    {"outside/x", LC_FILE_REFUSED},
    {"../secret", LC_FILE_REFUSED},
    {"m/../a.txt", LC_FILE_REGULAR},
    {"/etc/passwd", LC_FILE_REFUSED},
    {"pipe", LC_FILE_SPECIAL},
    {"gone", LC_FILE_MISSING},
    {"loop", LC_FILE_REFUSED},
    {"m", LC_FILE_FOLDER},
    {"a.txt/b", LC_FILE_NOT_FOLDER},
    {"large", LC_FILE_REFUSED},
    {"../shared/s", LC_FILE_REFUSED}, /* the call of a module gives no right to read */
    {"../other/o", LC_FILE_REFUSED},
};

static void make_folders(void)
{
    ck_assert(mkdir("root", 0700) == 0 && mkdir("root/m", 0700) == 0);
    ck_assert(mkdir("shared", 0700) == 0 && mkdir("other", 0700) == 0);
    write_file("root/main.tf.json", "{\"module\": {\"m\": {\"source\": \"../shared\"}}}");
    write_file("shared/main.tf.json", "{}");
    write_file("shared/s", "S");
    write_file("other/o", "O");
    write_file("secret", "no");
    write_file("root/a.txt", "A");
    ck_assert(symlink("a.txt", "root/in") == 0 && symlink("../secret", "root/out") == 0);
    ck_assert(symlink("../other", "root/outside") == 0 && symlink("loop", "root/loop") == 0);
    ck_assert(mkfifo("root/pipe", 0600) == 0);
    write_file("root/large", "");
    ck_assert(truncate("root/large", (off_t)LC_MAX_FILE_BYTES + 1) == 0);
}

START_TEST(disk)
{
    char folder[] = "/tmp/lifecheck-files-XXXXXX";
    ck_assert(mkdtemp(folder) && chdir(folder) == 0);
    make_folders();
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_config_source source = {
        .path = LC_STR("root"), .profile = LC_PROFILE_TERRAFORM, .limits = LC_LIMITS_DEFAULT};
    lc_given_configuration *given = lc_configuration_open(arena, &source, &diags);
    ck_assert(given != NULL);
    for (int i = 0; i < ROWS(disk_looks); i++) {
        const look_row *r = &disk_looks[i];
        lc_file_answer got =
            lc_files_open(&given->config->files, arena, lc_str_from_c(r->path), LC_FILE_READ);
        ck_assert_msg(got.kind == r->kind, "%s: %d %.*s", r->path, (int)got.kind,
                      LC_FMT(got.reason));
    }
    lc_file_answer list = lc_files_open(&given->config->files, arena, LC_STR(""), LC_FILE_LIST);
    ck_assert_uint_eq(list.entries.count, 9);
    CHECK_TEXT("first", list.entries.items[0].name, LC_STR("a.txt"));
    ck_assert(list.entries.items[6].kind == LC_FILE_REFUSED);
    lc_arena_free(arena);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    ck_assert(chdir("/") == 0 && system(remove) == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("files");
    TCase *tcase = tcase_create("files");
    ADD_ROWS(tcase, clean, cleans);
    ADD_ROWS(tcase, memory, looks);
    tcase_add_test(tcase, names);
    tcase_add_test(tcase, disk);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
