/* Where a provider listens: the line it prints, and TF_REATTACH_PROVIDERS. */
#include "unit.h"

#include "lifecheck/live/live.h"
#include "live/handshake.h"
#include "live/reattach.h"

#include <string.h>

/* ---- The handshake */

typedef struct good_line {
    const char *line;
    int protocol;
    bool tcp;
    const char *address;
} good_line;
static const good_line good_lines[] = {
    {"1|5|unix|/tmp/plugin123|grpc|", 5, false, "/tmp/plugin123"},
    {"1|6|unix|/tmp/plugin123|grpc", 6, false, "/tmp/plugin123"},
    {"1|6|unix|/tmp/plugin123|grpc||true", 6, false, "/tmp/plugin123"},
    {" 1|6|unix|a b|grpc|short\t\r", 6, false, "a b"},
    {"1|6|unix|x|grpc \n", 6, false, "x"},
    {"1|5|tcp|127.0.0.1:10000|grpc|", 5, true, "127.0.0.1:10000"},
    {"1|5|tcp|[::1]:1|grpc|", 5, true, "[::1]:1"},
    {"1|5|tcp|127.1.2.3:1|grpc|", 5, true, "127.1.2.3:1"},
    {"1|5|tcp|0.0.0.0:1|grpc|", 5, true, "0.0.0.0:1"},
    {"1|5|tcp|[::]:1|grpc|", 5, true, "[::]:1"},
    {"1|5|tcp|[::ffff:127.0.0.1]:1|grpc|", 5, true, "[::ffff:127.0.0.1]:1"},
    {"1|5|tcp|localhost:1|grpc|", 5, true, "localhost:1"},
};

START_TEST(a_handshake_says_where_a_provider_listens)
{
    const good_line *row = &good_lines[_i];
    lc_arena *arena = lc_arena_new();
    lc_handshake got;
    lc_str why;
    ck_assert_msg(lc_handshake_read(&got, arena, lc_str_from_c(row->line), &why), "%s", row->line);
    ck_assert_int_eq(got.protocol, row->protocol);
    ck_assert_int_eq(got.tcp, row->tcp);
    CHECK_TEXT(row->line, got.address, lc_str_from_c(row->address));
    lc_arena_free(arena);
}
END_TEST

#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define NO    ", which is not a handshake of a provider"

typedef struct bad_line {
    const char *line, *why;
} bad_line;
static const bad_line bad_lines[] = {
    {"", "the program printed \"\"" NO},
    {"hello\x1b[31m|\x07", "the program printed \"hello?[31m|?\"" NO},
    {"a|b|c|d|e", "the program printed \"a|b|c|d|e\"" NO},
    {"1|5|unix", "the program printed \"1|5|unix\"" NO},
    {"|5|unix|/x|grpc|", "the program printed \"|5|unix|/x|grpc|\"" NO},
    {FIFTY FIFTY, "the program printed \"" FIFTY FIFTY "\"" NO},
    {FIFTY FIFTY "x", "the program printed \"" FIFTY FIFTY "...\"" NO},
    {FIFTY FIFTY "\xC3\xA4", "the program printed \"" FIFTY FIFTY "...\"" NO},
    {FIFTY TEN TEN TEN TEN "012345678\xE2\x82\xAC",
     "the program printed \"" FIFTY TEN TEN TEN TEN "012345678...\"" NO},
    {"2|5|unix|/x|grpc|", "the core version of the handshake is \"2\" and not 1"},
    {"1|4|unix|/x|netrpc|", "the provider speaks protocol \"4\", and not 5 or 6"},
    {"1|55|unix|/x|grpc|", "the provider speaks protocol \"55\", and not 5 or 6"},
    {"1||unix|/x|grpc|", "the provider speaks protocol \"\", and not 5 or 6"},
    {"1|5|udp|/x|grpc|", "the provider listens on a network \"udp\", and not on unix or tcp"},
    {"1|5|unix|", "the provider listens at \"\", which is not an address"},
    {"1|5|unix||grpc|", "the provider listens at \"\", which is not an address"},
    {"1|5|tcp|localhost|grpc|", "the provider listens at \"localhost\", which is not an address"},
    {"1|5|tcp|203.0.113.1:80|grpc|", "the provider listens at \"203.0.113.1:80\", which is not on "
                                     "this machine: nothing is sent there"},
    {"1|5|tcp|:80|grpc|", "the provider listens at \":80\", which is not an address"},
    {"1|5|tcp|a:|grpc|", "the provider listens at \"a:\", which is not an address"},
    {"1|5|tcp|a:8x|grpc|", "the provider listens at \"a:8x\", which is not an address"},
    {"1|5|unix|/x|netrpc|", "the provider speaks \"netrpc\", and not gRPC"},
    {"1|5|unix|/x", "the provider speaks \"netrpc\", and not gRPC"},
    {"1|5|unix|/x|grpc|" FIFTY "0", "the provider requires TLS, which was not requested"},
    {"1|5|unix|/x|grpc|" FIFTY "0|true", "the provider requires TLS, which was not requested"},
};

START_TEST(what_is_no_handshake_is_told)
{
    lc_arena *arena = lc_arena_new();
    lc_handshake got;
    lc_str why;
    ck_assert(!lc_handshake_read(&got, arena, lc_str_from_c(bad_lines[_i].line), &why));
    CHECK_TEXT(bad_lines[_i].line, why, lc_str_from_c(bad_lines[_i].why));
    lc_arena_free(arena);
}
END_TEST

START_TEST(a_handshake_has_a_limit)
{
    lc_arena *arena = lc_arena_new();
    lc_handshake got;
    lc_str why, end = LC_STR("|grpc|");
    char line[LC_HANDSHAKE_MAX + 1];
    memset(line, 'x', sizeof line);
    memcpy(line, "1|5|unix|/", 10);
    memcpy(line + LC_HANDSHAKE_MAX - end.len, end.ptr, end.len);
    ck_assert(lc_handshake_read(&got, arena, (lc_str){line, LC_HANDSHAKE_MAX}, &why));
    ck_assert_uint_eq(got.address.len, LC_HANDSHAKE_MAX - 9 - end.len);
    memcpy(line + LC_HANDSHAKE_MAX + 1 - end.len, end.ptr, end.len);
    ck_assert(!lc_handshake_read(&got, arena, (lc_str){line, LC_HANDSHAKE_MAX + 1}, &why));
    ck_assert(lc_str_ends_with(why, LC_STR("xxx...\"" NO)));
    ck_assert(!lc_handshake_read(&got, arena, (lc_str){"1|5|unix|\0x|grpc|", 17}, &why));
    CHECK_TEXT("NUL", why, LC_STR("the provider listens at \"?x\", which is not an address"));
    lc_arena_free(arena);
}
END_TEST

/* ---- TF_REATTACH_PROVIDERS */

/* Apostrophes stand for quotation marks; the providers as they are written. */
typedef struct reattach_row {
    const char *json, *want;
} reattach_row;
#define WRITTEN(provider, version, pid, network, address)                                          \
    "'" provider "':{'Protocol':'grpc','ProtocolVersion':" version ",'Pid':" pid                   \
    ",'Test':true,'Addr':{'Network':'" network "','String':'" address "'}}"
static const reattach_row reattaches[] = {
    {"", "{}"},
    {" \n", "{}"},
    {"null", "{}"},
    {"{}", "{}"},
    {"{" WRITTEN("a/b", "6", "3382870", "unix", "/tmp/p") "}",
     "{" WRITTEN("a/b", "6", "3382870", "unix", "/tmp/p") "}"},
    {"{" WRITTEN("a", "5", "1", "unix", "/p") ", " WRITTEN("b", "6", "2", "tcp",
                                                           "localhost:80") "}",
     "{" WRITTEN("a", "5", "1", "unix", "/p") "," WRITTEN("b", "6", "2", "tcp",
                                                          "localhost:80") "}"},
    {"{'a':{'PROTOCOL':'grpc','addr':{'network':'unix','sTRING':'/p'}}}",
     "{" WRITTEN("a", "5", "0", "unix", "/p") "}"},
    {"{'a':{'Protocol':'grpc','ProtocolVersion':0,'Pid':9223372036854775807,'Test':false,"
     "'Addr':{'Network':'unix','String':'/p','More':[]},'More':{},'Bid':7,'Pi':7,'Pids':7}}",
     "{" WRITTEN("a", "5", "9223372036854775807", "unix", "/p") "}"},
    /* The last of equal names, whatever its case; null changes nothing. */
    {"{'a':{'Protocol':'x','protocol':'grpc','PROTOCOL':null,'Pid':null,'pid':3,'Test':null,"
     "'ProtocolVersion':null,"
     "'Addr':{'Network':'unix','String':'/q'},'addr':{'string':'/p'},'ADDR':null}}",
     "{" WRITTEN("a", "5", "3", "unix", "/p") "}"},
    {"{'a':1,'a':{'Protocol':'grpc','Addr':{'Network':'unix','String':'/p'}}}",
     "{" WRITTEN("a", "5", "0", "unix", "/p") "}"},
};

START_TEST(reattached_providers_are_read_and_written)
{
    lc_arena *arena = lc_arena_new();
    lc_reattaches list;
    lc_str why;
    lc_buf out = {0};
    bool ok = lc_reattach_read(&list, arena, quoted(arena, reattaches[_i].json), &why);
    ck_assert_msg(ok, "%s: %.*s", reattaches[_i].json, LC_FMT(why));
    lc_reattach_write(&out, &list);
    CHECK_TEXT(reattaches[_i].json, lc_buf_str(&out), quoted(arena, reattaches[_i].want));
    lc_buf_release(&out);
    lc_arena_free(arena);
}
END_TEST

#define ADDR "'Addr':{'Network':'unix','String':'/p'}"
static const reattach_row bad_reattaches[] = {
    {"{'a'", "no JSON: "},
    {"{'a':1}x", "no JSON: "},
    {"[]", "no object from addresses of providers to where they listen"},
    {"'a'", "no object from addresses of providers to where they listen"},
    {"{'a':[]}", "'a': an object is expected here"},
    {"{'a':null}", "'a': Protocol is not grpc, but ''"},
    {"{'a\\n':{'Protocol':'netrpc'," ADDR "}}", "'a?': Protocol is not grpc, but 'netrpc'"},
    {"{'a':{'Protocol':5," ADDR "}}", "'a': Protocol is not a string"},
    {"{'a':{'Protocol':'grpc','ProtocolVersion':4," ADDR "}}",
     "'a': ProtocolVersion is neither 5 nor 6"},
    {"{'a':{'Protocol':'grpc','ProtocolVersion':'5'," ADDR "}}",
     "'a': ProtocolVersion is not a whole number"},
    {"{'a':{'Protocol':'grpc','Pid':-1," ADDR "}}", "'a': Pid is not a whole number"},
    {"{'a':{'Protocol':'grpc','Pid':1.0," ADDR "}}", "'a': Pid is not a whole number"},
    {"{'a':{'Protocol':'grpc','Pid':9223372036854775808," ADDR "}}",
     "'a': Pid is not a whole number"},
    {"{'a':{'Protocol':'grpc','Test':1," ADDR "}}", "'a': Test is not true or false"},
    {"{'a':{'Protocol':'grpc','Addr':'/p'}}", "'a': Addr is not an object"},
    {"{'a':{'Protocol':'grpc','Addr':{'Network':5}}}", "'a': Network is not a string"},
    {"{'a':{'Protocol':'grpc','Addr':{'String':5}}}", "'a': String is not a string"},
    {"{'a':{'Protocol':'grpc'}}", "'a': Network is neither unix nor tcp, but ''"},
    {"{'a':{'Protocol':'grpc','Addr':{'Network':'unix'}}}", "'a': String is not an address: ''"},
    {"{'a':{'Protocol':'grpc','Addr':{'Network':'unix','String':'/\\u0000'}}}",
     "'a': String is not an address: '/?'"},
    {"{'a':{'Protocol':'grpc','Addr':{'Network':'unix','String':'\\u0000'}}}",
     "'a': String is not an address: '?'"},
    {"{'a':{'Protocol':'grpc','Addr':{'Network':'tcp','String':'h:80'}}}",
     "'a': String is an address of another machine: 'h:80'"},
    {"{'a':{'Protocol':'grpc','Addr':{'Network':'tcp','String':'/p'}}}",
     "'a': String is not an address: '/p'"},
};

START_TEST(what_cannot_be_reattached_is_told)
{
    lc_arena *arena = lc_arena_new();
    lc_reattaches list;
    lc_str why, want = quoted(arena, bad_reattaches[_i].want);
    ck_assert(!lc_reattach_read(&list, arena, quoted(arena, bad_reattaches[_i].json), &why));
    if (lc_str_ends_with(want, LC_STR(": "))) /* in the words of the reader of JSON */
        ck_assert_msg(lc_str_starts_with(why, want) && why.len > want.len, "%.*s", LC_FMT(why));
    else
        CHECK_TEXT(bad_reattaches[_i].json, why, want);
    lc_arena_free(arena);
}
END_TEST

START_TEST(a_word_of_a_shell_is_quoted)
{
    lc_buf out = {0};
    lc_add_shell_word(&out, LC_STR_EMPTY);
    lc_buf_add_char(&out, ' ');
    lc_add_shell_word(&out, LC_STR("{\"a b\": $HOME `x` \\ ! it's '"));
    CHECK_TEXT("word", lc_buf_str(&out), LC_STR("'' '{\"a b\": $HOME `x` \\ ! it'\\''s '\\'''"));
    lc_buf_release(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("handshake");
    TCase *handshake = tcase_create("handshake"), *reattach = tcase_create("reattach");
    ADD_ROWS(handshake, a_handshake_says_where_a_provider_listens, good_lines);
    ADD_ROWS(handshake, what_is_no_handshake_is_told, bad_lines);
    tcase_add_test(handshake, a_handshake_has_a_limit);
    ADD_ROWS(reattach, reattached_providers_are_read_and_written, reattaches);
    ADD_ROWS(reattach, what_cannot_be_reattached_is_told, bad_reattaches);
    tcase_add_test(reattach, a_word_of_a_shell_is_quoted);
    suite_add_tcase(suite, handshake);
    suite_add_tcase(suite, reattach);
    return suite_run(suite);
}
