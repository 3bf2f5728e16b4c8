/* Files judged through the library alone, without a command line: which files a walk finds, what is
 * found in them, workers, output files, and the evidence of two versions. */
#include "unit.h"

#include "lifecheck/files/output_file.h"
#include "lifecheck/runner/checker.h"
#include "lifecheck/runner/evidence_set.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A folder with scenarios: the provider stores what was planned, or something else. */

#define SCENARIO(name, stored)                                                                     \
    "lifecheck: 1\nname: " name "\nresource: example_thing.a\n"                                    \
    "schema: {version: 0, block: {attributes: {size: {type: string, required: true}}}}\n"          \
    "config: {size: s}\nprior_state: null\nplanned_state: {size: s}\nnew_state: {size: " stored    \
    "}\n"
#define BROKEN "apply/changed"

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void enter_folder(void)
{
    char folder[] = "/tmp/lifecheck-runner-XXXXXX";
    ck_assert(mkdtemp(folder) && chdir(folder) == 0);
    ck_assert(mkdir("d", 0700) == 0 && mkdir("d/b", 0700) == 0 && mkdir("d/.hidden", 0700) == 0);
    write_file("d/kept.yaml", SCENARIO("kept", "s"));
    write_file("d/b/changed.yaml", SCENARIO("changed", "t"));
    write_file("d/b/both.yaml", SCENARIO("one", "t") "---\n" SCENARIO("two", "s"));
    write_file("d/notes.md", "# notes\n");
    write_file("d/.hidden/no.yaml", SCENARIO("hidden", "t"));
    ck_assert(symlink("b", "d/link") == 0);
}

static void leave_folder(void)
{
    static const char *const names[] = {
        "d/kept.yaml", "d/b/changed.yaml",  "d/b/both.yaml",
        "d/notes.md",  "d/.hidden/no.yaml", "d/link",
        "d/b",         "d/.hidden",         "d",
        "out",
    };
    char folder[4096];
    for (int i = 0; i < ROWS(names); i++)
        remove(names[i]);
    ck_assert(getcwd(folder, sizeof folder) && chdir("/") == 0);
    ck_assert_msg(rmdir(folder) == 0, "%s: %s", folder, strerror(errno));
}

static lc_items find(lc_arena *arena, const char *word, const lc_item_options *options)
{
    lc_items items;
    lc_str *words = LC_NEW(arena, lc_str);
    *words = lc_str_from_c(word);
    lc_words list = {.items = words, .count = 1};
    lc_items_find(&items, arena, &list, options);
    return items;
}

/* ---- Which files are checked. */

static const struct {
    const char *word, *exclude; /* NULL: none */
    const char *want;           /* the files, each with its case or problem, and what is skipped */
} walks[] = {
    {"d", NULL, "d/b/both.yaml;d/b/changed.yaml;d/kept.yaml;-d/link;-d/notes.md;"},
    {"d", "b/*", "d/kept.yaml;-d/link;-d/notes.md;"},
    {"d/b/both.yaml", NULL, "d/b/both.yaml;"},
    {"d/notes.md", NULL, "d/notes.md;"},
    {"d/b/both.yaml#two", NULL, "d/b/both.yaml#two;"},
    {"d/b/both.yaml#a#b", NULL, "d/b/both.yaml#a#b;"},
    {"d/none.yaml", NULL, "d/none.yaml!no such file in d: correct the path;"},
    {"d/none.yaml#two", NULL, "d/none.yaml#two!no such file in d: correct the path;"},
    {"", NULL, "!an empty argument names no file: is a variable of the shell empty?;"},
    {"d/.hidden", NULL, "d/.hidden/no.yaml;"},
    {"-", NULL, "-;"},
};

START_TEST(test_walk)
{
    enter_folder();
    lc_arena *arena = lc_arena_new();
    lc_str glob = lc_str_from_c(walks[_i].exclude ? walks[_i].exclude : "");
    lc_words exclude = {.items = &glob, .count = walks[_i].exclude ? 1 : 0};
    lc_item_options options = {.exclude = &exclude};
    lc_items items = find(arena, walks[_i].word, &options);
    lc_buf got = {0};
    for (size_t i = 0; i < items.list.count; i++) {
        const lc_item *item = &items.list.items[i];
        lc_buf_printf(&got, "%.*s%s%.*s%s%.*s;", LC_FMT(item->file), item->only.len ? "#" : "",
                      LC_FMT(item->only), item->problem.len ? "!" : "", LC_FMT(item->problem));
    }
    for (size_t i = 0; i < items.skipped.count; i++)
        lc_buf_printf(&got, "-%.*s;", LC_FMT(items.skipped.items[i]));
    CHECK_TEXT(walks[_i].word, lc_buf_str(&got), lc_str_from_c(walks[_i].want));
    lc_buf_release(&got);
    lc_arena_free(arena);
    leave_folder();
}
END_TEST

START_TEST(test_items_include)
{
    enter_folder();
    lc_arena *arena = lc_arena_new();
    lc_items items = find(arena, "d", &(lc_item_options){0});
    ck_assert(lc_items_include(&items, "d/kept.yaml"));
    ck_assert(lc_items_include(&items, "d/link/changed.yaml"));
    ck_assert(!lc_items_include(&items, "d/notes.md"));
    ck_assert(!lc_items_include(&items, "out"));
    lc_arena_free(arena);
    leave_folder();
}
END_TEST

/* ---- What is found in them. */

typedef struct judged_files {
    lc_report_options options;
    lc_policy policy;
    lc_checker checker;
    lc_report report;
    lc_buf out, found; /* the report; each finding as `case rule;` */
    lc_summary summary;
    size_t stop_after; /* outcomes; 0: never */
    size_t consumed;
} judged_files;

static void observe(void *context, const lc_judged *judged)
{
    judged_files *j = context;
    const lc_judgement *judgement = &judged->judgement;
    lc_buf_printf(&j->found, "%.*s:", LC_FMT(judged->scenario->subject.name));
    for (size_t i = 0; i < judgement->findings.count; i++)
        lc_buf_printf(&j->found, " %.*s",
                      LC_FMT(lc_rule_get(judgement->findings.items[i].rule)->slug));
    lc_buf_printf(&j->found, ";");
}

static bool consume(void *context, const lc_item *item, lc_outcome *outcome)
{
    judged_files *j = context;
    (void)item;
    lc_report_add(&j->report, lc_buf_str(&outcome->cases[0]), lc_buf_str(&outcome->errors[0]),
                  lc_buf_str(&outcome->lens), &j->out);
    lc_summary_add(&j->summary, &outcome->summary);
    return ++j->consumed != j->stop_after;
}

static void judge(judged_files *j, lc_format format, const lc_items *items, unsigned jobs)
{
    j->options = (lc_report_options){.format = format};
    j->checker = (lc_checker){.reports = &j->options,
                              .report_count = 1,
                              .policy = &j->policy,
                              .limits = LC_LIMITS_DEFAULT,
                              .store_arena = lc_arena_new(),
                              .observe = observe,
                              .observe_context = j};
    lc_schema_store_init(&j->checker.store, j->checker.store_arena, j->checker.limits);
    lc_report_begin(&j->report, &j->options, &j->out);
    lc_check_items(&j->checker, items, jobs, consume, j);
    lc_report_end(&j->report, &j->summary, &j->out);
    lc_arena_free(j->checker.store_arena);
}

static void release(judged_files *j)
{
    lc_buf_release(&j->out);
    lc_buf_release(&j->found);
}

static const struct {
    const char *word, *found;
    unsigned cases, violate, errors;
} judgements[] = {
    {"d/kept.yaml", "kept:;", 1, 0, 0},
    {"d/b/changed.yaml", "changed: " BROKEN ";", 1, 1, 0},
    {"d/b/both.yaml", "one: " BROKEN ";two:;", 2, 1, 0},
    {"d/b/both.yaml#two", "two:;", 1, 0, 0},
    {"d/b/both.yaml#three", "", 0, 0, 1},
    {"d", "one: " BROKEN ";two:;changed: " BROKEN ";kept:;", 4, 2, 0},
    {"d/none.yaml", "", 0, 0, 1},
    {"d/notes.md", "", 0, 0, 1},
};

START_TEST(test_findings)
{
    enter_folder();
    lc_arena *arena = lc_arena_new();
    judged_files j = {0};
    lc_items items = find(arena, judgements[_i].word, &(lc_item_options){0});
    judge(&j, LC_FORMAT_TEXT, &items, 1);
    CHECK_TEXT(judgements[_i].word, lc_buf_str(&j.found), lc_str_from_c(judgements[_i].found));
    ck_assert_uint_eq(j.summary.cases, judgements[_i].cases);
    ck_assert_uint_eq(j.summary.violate, judgements[_i].violate);
    ck_assert_uint_eq(j.summary.errors, judgements[_i].errors);
    release(&j);
    lc_arena_free(arena);
    leave_folder();
}
END_TEST

/* Two processes give the bytes that one gives, in every format. */
START_TEST(test_workers)
{
    enter_folder();
    setenv("SOURCE_DATE_EPOCH", "1767225600", 1);
    lc_arena *arena = lc_arena_new();
    judged_files one = {0}, two = {0};
    lc_items items = find(arena, "d", &(lc_item_options){0});
    judge(&one, (lc_format)_i, &items, 1);
    judge(&two, (lc_format)_i, &items, 2);
    ck_assert_uint_eq(one.summary.violate, 2);
    CHECK_TEXT("two workers", lc_buf_str(&two.out), lc_buf_str(&one.out));
    ck_assert(memcmp(&one.summary, &two.summary, sizeof one.summary) == 0);
    release(&one);
    release(&two);
    lc_arena_free(arena);
    leave_folder();
}
END_TEST

START_TEST(test_consumer_stops)
{
    enter_folder();
    lc_arena *arena = lc_arena_new();
    judged_files j = {.stop_after = 2};
    lc_items items = find(arena, "d", &(lc_item_options){0});
    judge(&j, LC_FORMAT_TEXT, &items, (unsigned)_i);
    ck_assert_uint_eq(j.consumed, 2);
    release(&j);
    lc_arena_free(arena);
    leave_folder();
}
END_TEST

/* ---- Output files. */

static size_t count_entries(void)
{
    size_t count = 0;
    DIR *folder = opendir(".");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void check_content(const char *path, const char *want)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    ck_assert_msg((file != NULL) == (want != NULL), "%s", path);
    if (!file)
        return;
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(got, want);
}

START_TEST(test_output_file)
{
    enter_folder();
    lc_arena *arena = lc_arena_new();
    lc_output_file file;
    size_t entries = count_entries();
    static const char *const before[] = {NULL, "first"}, *const after[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        ck_assert(lc_output_file_open(&file, arena, "out"));
        ck_assert(lc_write_all(file.fd, LC_STR("half")));
        check_content("out", before[i]);
        lc_output_file_discard(&file);
        check_content("out", before[i]);
        ck_assert(count_entries() == entries + (size_t)i);
        ck_assert(lc_output_file_open(&file, arena, "out"));
        ck_assert(lc_write_all(file.fd, lc_str_from_c(after[i])));
        check_content("out", before[i]);
        ck_assert(lc_output_file_commit(&file));
        check_content("out", after[i]);
    }
    ck_assert(count_entries() == entries + 1);
    ck_assert(lc_output_file_write(arena, "out", LC_STR("third")));
    check_content("out", "third");
    ck_assert(!lc_output_file_open(&file, arena, "none/out") && errno == ENOENT);
    ck_assert(!lc_output_file_write(arena, "d", LC_STR("x")));
    lc_arena_free(arena);
    leave_folder();
}
END_TEST

/* ---- Evidence of two versions. */

static void no_error(lc_str text)
{
    ck_abort_msg("%.*s", LC_FMT(text));
}

static const struct {
    const char *before, *after;
    size_t added, fixed, changed, same;
} comparisons[] = {
    {"d/kept.yaml", "d/b/changed.yaml", 1, 0, 0, 0},
    {"d/b/changed.yaml", "d/kept.yaml", 0, 1, 0, 0},
    {"d/b/changed.yaml", "d/b", 0, 0, 1, 0},
    {"d/b", "d/b", 0, 0, 0, 1},
    {"d/kept.yaml", "d/kept.yaml", 0, 0, 0, 0},
};

START_TEST(test_compare)
{
    enter_folder();
    lc_arena *arena = lc_arena_new();
    lc_policy policy = {0};
    lc_evidence_options options = {
        .policy = &policy, .limits = LC_LIMITS_DEFAULT, .report_error = no_error};
    lc_evidence_set sides[2];
    for (int i = 0; i < 2; i++) {
        lc_str word = lc_str_from_c(i ? comparisons[_i].after : comparisons[_i].before);
        lc_words words = {.items = &word, .count = 1};
        lc_evidence_set_gather(&sides[i], arena, &words, &options);
        ck_assert(lc_evidence_set_type(&sides[i], LC_STR("example_thing")) != NULL);
    }
    lc_finding_diffs diffs = {0};
    lc_evidence_set_compare(&diffs, arena, &sides[0], &sides[1]);
    ck_assert_uint_eq(diffs.of[LC_FINDING_NEW], comparisons[_i].added);
    ck_assert_uint_eq(diffs.of[LC_FINDING_FIXED], comparisons[_i].fixed);
    ck_assert_uint_eq(diffs.of[LC_FINDING_CHANGED], comparisons[_i].changed);
    ck_assert_uint_eq(diffs.same, comparisons[_i].same);
    lc_arena_free(arena);
    leave_folder();
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("runner");
    TCase *tcase = tcase_create("files");
    ADD_ROWS(tcase, test_walk, walks);
    tcase_add_test(tcase, test_items_include);
    ADD_ROWS(tcase, test_findings, judgements);
    tcase_add_loop_test(tcase, test_workers, 0, LC_FORMAT_COUNT);
    tcase_add_loop_test(tcase, test_consumer_stops, 1, 3);
    tcase_add_test(tcase, test_output_file);
    ADD_ROWS(tcase, test_compare, comparisons);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
