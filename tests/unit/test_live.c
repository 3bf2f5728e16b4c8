/* What decides which binary is started, without starting one: files of clients, git's index, names
 * of providers, private folders. */
#include "unit.h"

#include "live/internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Files of a client. */

static void note_override(void *context, lc_str address, lc_str folder)
{
    lc_buf_printf(context, "%.*s=%.*s;", LC_FMT(address), LC_FMT(folder));
}

static const struct {
    const char *text, *want;
} overrides[] = {
    {"", ""},
    {"provider_installation {\n dev_overrides {\n  \"a/b\" = \"/x\"\n  \"c/d\"=\"/y\"\n }\n direct "
     "{}\n}\n",
     "a/b=/x;c/d=/y;"},
    {"# provider_installation { dev_overrides { \"a/b\" = \"/x\" } }\n", ""},
    {"/* { */ provider_installation { // }\n dev_overrides { \"a/b\" = \"C:\\\\x\" } }",
     "a/b=C:\\x;"},
    {"credentials \"h\" { token = \"dev_overrides {\" }\nprovider_installation { direct {} }", ""},
    {"{\"provider_installation\":{\"dev_overrides\":{\"a/b\":\"/x\"}}}", "a/b=/x;"},
    {"{\"provider_installation\":[{\"dev_overrides\":[{\"a/b\":\"/x\"}]}]}", "a/b=/x;"},
    {"provider_installation { dev_overrides { \"a/b\" = \"/x\"", "a/b=/x;"}, /* cut off */
};

START_TEST(test_overrides)
{
    lc_arena *arena = lc_arena_new();
    lc_buf got = {0};
    lc_live_overrides(arena, lc_str_from_c(overrides[_i].text), note_override, &got);
    CHECK_TEXT(overrides[_i].text, lc_buf_str(&got), lc_str_from_c(overrides[_i].want));
    lc_buf_release(&got);
    lc_arena_free(arena);
}
END_TEST

#define LOCK                                                                                       \
    "# maintained by init\nprovider \"r/a/b\" {\n version = \"1.2.3\"\n constraints = \"~> "       \
    "1.0\"\n"                                                                                      \
    " hashes = [\n  \"h1:x\",\n  \"zh:y\",\n ]\n}\nprovider \"r/a/c\" {\n version = "              \
    "\"2.0.0\"\n}\n"

static const struct {
    const char *text, *address, *version;
    size_t hashes;
} locks[] = {
    {LOCK, "r/a/b", "1.2.3", 2},
    {LOCK, "r/a/c", "2.0.0", 0},
    {LOCK, "r/a/d", "", 0},
    {"", "r/a/b", "", 0},
    {"provider \"r/a/b\" {\n hashes = [\"h1:x\"", "r/a/b", "", 1},
};

START_TEST(test_lock)
{
    lc_arena *arena = lc_arena_new();
    lc_live_lock got =
        lc_live_locked(arena, lc_str_from_c(locks[_i].text), lc_str_from_c(locks[_i].address));
    CHECK_TEXT(locks[_i].address, got.version, lc_str_from_c(locks[_i].version));
    ck_assert_uint_eq(got.hashes.count, locks[_i].hashes);
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *a, *b;
    bool same;
} names[] = {
    {"random", "registry.terraform.io/hashicorp/random", true},
    {"hashicorp/random", "random", true},
    {"registry.opentofu.org/hashicorp/random", "hashicorp/random", true},
    {"registry.opentofu.org/a/b", "registry.terraform.io/a/b", false},
    {"random", "a/random", false},
    {"random", "rando", false},
};

START_TEST(test_address)
{
    lc_str a = lc_str_from_c(names[_i].a), b = lc_str_from_c(names[_i].b);
    ck_assert_msg(lc_live_is_address(a, b) == names[_i].same, "%s %s", names[_i].a, names[_i].b);
    ck_assert_msg(lc_live_is_address(b, a) == names[_i].same, "%s %s", names[_i].b, names[_i].a);
}
END_TEST

/* ---- A binary in a checkout whose index is written here: version 2, 3 and 4 differ in how the
 * path of an entry is stored. */

static char folder[64];

static void write_bytes(const char *path, const lc_buf *bytes)
{
    FILE *file = fopen(path, "wb");
    ck_assert(file && fwrite(bytes->ptr, 1, bytes->len, file) == bytes->len && !fclose(file));
}

static void add_number(lc_buf *out, uint32_t n)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        lc_buf_add_char(out, (char)(n >> shift & 255));
}

static void add_entry(lc_buf *out, unsigned version, const char *path)
{
    size_t start = out->len;
    for (int i = 0; i < 15; i++)
        add_number(out, 0);
    lc_buf_add_char(out, version == 3 ? 0x40 : 0); /* flags: extended */
    lc_buf_add_char(out, 0);
    for (int i = 0; version == 3 && i < 2; i++)
        lc_buf_add_char(out, 0);
    if (version == 4) {
        lc_buf_add_char(out, 0); /* nothing of the last path is left out */
        lc_buf_add_c(out, path);
        lc_buf_add_char(out, 0);
        return;
    }
    lc_buf_add_c(out, path);
    do
        lc_buf_add_char(out, 0);
    while ((out->len - start) % 8);
}

static void write_index(unsigned version, const char *path)
{
    lc_buf out = {0};
    lc_buf_add_c(&out, "DIRC");
    add_number(&out, version);
    add_number(&out, 1);
    add_entry(&out, version, path);
    write_bytes(".git/index", &out);
    lc_buf_release(&out);
}

static const struct {
    unsigned version;
    const char *path; /* that the index has; "": the index is cut off; NULL: there is none */
    bool trusted;
} indexes[] = {
    {2, "main.tf", true},       {2, "bin/provider", false},
    {3, "bin/provider", false}, {4, "bin/provider", false},
    {3, "bin/other", true},     {4, "bin/other", true},
    {2, "bin", false},                          /* the folder is a link that git tracks */
    {2, "bin/provide", true},   {2, "", false}, /* what cannot be read is not trusted */
    {9, "main.tf", false},      {2, NULL, true},
};

START_TEST(test_index)
{
    lc_buf cut = {0};
    lc_str why = LC_STR_EMPTY;
    lc_live_provider provider = {.binary = LC_STR("bin/provider")};
    remove(".git/index");
    lc_buf_add_c(&cut, "DIRC");
    if (indexes[_i].path && *indexes[_i].path)
        write_index(indexes[_i].version, indexes[_i].path);
    else if (indexes[_i].path)
        write_bytes(".git/index", &cut);
    bool trusted = lc_live_is_trusted(&provider, &why);
    ck_assert_msg(trusted == indexes[_i].trusted, "%u %s: %.*s", indexes[_i].version,
                  indexes[_i].path, LC_FMT(why));
    ck_assert_msg(trusted || why.len > 0, "refused without a reason");
    lc_buf_release(&cut);
}
END_TEST

static void enter_checkout(void)
{
    lc_buf binary = {0};
    strcpy(folder, "/tmp/lifecheck-live-XXXXXX");
    ck_assert(mkdtemp(folder) && chdir(folder) == 0);
    ck_assert(mkdir(".git", 0700) == 0 && mkdir("bin", 0700) == 0);
    lc_buf_add_c(&binary, "abc");
    write_bytes("bin/provider", &binary);
    lc_buf_release(&binary);
}

static void leave_checkout(void)
{
    static const char *const all[] = {".git/index", "bin/provider", ".git", "bin"};
    for (int i = 0; i < ROWS(all); i++)
        remove(all[i]);
    ck_assert(chdir("/") == 0);
    ck_assert_msg(rmdir(folder) == 0, "%s: %s", folder, strerror(errno));
}

START_TEST(test_hash)
{
    char hex[65];
    ck_assert(lc_live_hash_file(hex, "bin/provider"));
    ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ck_assert(!lc_live_hash_file(hex, "bin/none"));
    ck_assert(!lc_live_hash_file(hex, "bin"));
}
END_TEST

/* ---- Private folders. */

START_TEST(test_folder)
{
    lc_arena *arena = lc_arena_new();
    int lock = -1;
    struct stat info;
    lc_str why = LC_STR_EMPTY, made = lc_live_folder_new(arena, 20, &lock, &why);
    ck_assert_msg(made.len > 0, "%.*s", LC_FMT(why));
    const char *path = lc_str_to_c(arena, made);
    ck_assert(stat(path, &info) == 0 && (info.st_mode & 0777) == 0700);
    ck_assert(mkdir(lc_str_to_c(arena, lc_str_printf(arena, "%s/in", path)), 0700) == 0);
    ck_assert(lc_live_folder_remove(arena, made, lock));
    ck_assert(stat(path, &info) != 0 && errno == ENOENT);
    /* No folder is short enough for an address as long as that. */
    ck_assert(lc_live_folder_new(arena, 4096, &lock, &why).len == 0 && why.len > 0);
    lc_arena_free(arena);
}
END_TEST

/* ---- Words of the system. */

START_TEST(test_words)
{
    lc_arena *arena = lc_arena_new();
    ck_assert(lc_live_is_lack(EMFILE) && lc_live_is_lack(ENOMEM) && !lc_live_is_lack(EACCES));
    CHECK_TEXT("seconds", lc_live_time_text(arena, 60000), LC_STR("60 seconds"));
    CHECK_TEXT("milliseconds", lc_live_time_text(arena, 1500), LC_STR("1500 milliseconds"));
    pid_t pid = fork();
    if (pid == 0)
        _exit(2);
    int status = 0;
    ck_assert(waitpid(pid, &status, 0) == pid);
    CHECK_TEXT("status", lc_live_status_text(arena, status), LC_STR("ended with status 2"));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("live");
    TCase *tc = tcase_create("files of clients"), *checkout = tcase_create("checkout");
    ADD_ROWS(tc, test_overrides, overrides);
    ADD_ROWS(tc, test_lock, locks);
    ADD_ROWS(tc, test_address, names);
    tcase_add_test(tc, test_folder);
    tcase_add_test(tc, test_words);
    suite_add_tcase(suite, tc);
    tcase_add_checked_fixture(checkout, enter_checkout, leave_checkout);
    ADD_ROWS(checkout, test_index, indexes);
    tcase_add_test(checkout, test_hash);
    suite_add_tcase(suite, checkout);
    return suite_run(suite);
}
