/* Provider addresses, references, readers, and what each profile makes of one configuration. */
#include "one_file.h"
#include "unit.h"

#include "lifecheck/provider_config/provider_config.h"

/* ---- Addresses. */

static const struct {
    const char *text, *why; /* why NULL: it is read, and printed as it is */
} addresses[] = {
    {"provider[\"a/b/c\"]", NULL},
    {"provider[\"a/b/c\"].us", NULL},
    {"provider[\"a/b/c\"].us[\"k\"]", NULL},
    {"provider[\"a/b/c\"].us[\"$${x}\"]", NULL},
    {"provider[\"a/b/c\"].us[\"]\"]", NULL},
    {"module.m.module.n.provider[\"a/b/c\"].us", NULL},
    {"nonsense",
     "Provider address must begin with \"provider.\", followed by a provider type name."},
    {"", "Must begin with a variable name"},
    {"module.m",
     "Provider address must begin with \"provider.\", followed by a provider type name."},
    {"module.m[0].provider[\"a/b/c\"]",
     "A provider configuration must not appear in a module instance that uses count or for_each."},
    {"provider[\"a/b/c/d\"]", "The prefix \"provider.\" must be followed by a provider type name."},
    {"provider[registry.opentofu.org/a/b]",
     "Index brackets must contain either a literal number or a literal string"},
    {"provider[0]", "The prefix \"provider.\" must be followed by a provider type name."},
    {"provider[\"a/b/c\"][\"x y\"]",
     "Provider type name must be followed by a configuration alias name."},
    {"provider[\"a/b/c\"].us.eu", "A provider configuration alias can be followed only by an "
                                  "instance key in brackets."},
    {"provider[\"a/b/c\"].us[",
     "Index brackets must contain either a literal number or a literal string"},
};

START_TEST(address_text)
{
    lc_arena *arena = lc_arena_new();
    lc_provider_address address;
    lc_eval_error why;
    lc_str text = lc_str_from_c(addresses[_i].text);
    bool ok = lc_provider_address_parse(&address, arena, LC_PROFILE_OPENTOFU, text, &why);
    ck_assert_msg(ok == !addresses[_i].why, "%s", addresses[_i].text);
    if (ok)
        ck_assert_msg(lc_str_eq(lc_provider_address_text(arena, &address), text), "%s",
                      addresses[_i].text);
    else
        CHECK_TEXT(addresses[_i].text, why.detail, lc_str_from_c(addresses[_i].why));
    lc_arena_free(arena);
}
END_TEST

START_TEST(legacy_addresses)
{
    lc_arena *arena = lc_arena_new();
    lc_provider_address a;
    lc_eval_error why;
    ck_assert(lc_provider_address_parse(&a, arena, LC_PROFILE_OPENTOFU,
                                        LC_STR("provider.terraform.us"), &why));
    ck_assert(a.legacy && lc_str_is(a.fqn, "terraform.io/builtin/terraform") &&
              lc_str_is(a.alias, "us"));
    ck_assert(lc_provider_address_parse(&a, arena, LC_PROFILE_OPENTOFU,
                                        LC_STR("provider[\"a/b/c\"].k[0]"), &why));
    ck_assert(a.keyed && lc_str_is(a.key, "0"));
    ck_assert(lc_provider_address_parse(&a, arena, LC_PROFILE_DOCUMENT,
                                        LC_STR("provider[\"a/b/c\"][\"x y\"]"), &why));
    ck_assert(a.keyed && lc_str_is(a.key, "x y"));
    ck_assert(lc_provider_address_parse(&a, arena, LC_PROFILE_OPENTOFU,
                                        LC_STR(" provider[\"Hashicorp/aws\"].us "), &why));
    ck_assert(lc_str_is(a.fqn, "registry.opentofu.org/hashicorp/aws"));
    ck_assert(lc_provider_address_parse(&a, arena, LC_PROFILE_OPENTOFU,
                                        LC_STR("provider[\"AZ[/z\"].us"), &why));
    ck_assert(lc_str_is(a.fqn, "registry.opentofu.org/az[/z"));
    lc_arena_free(arena);
}
END_TEST

/* ---- Readers. */

static const struct {
    const char *text;
    bool ok, terraform;
    unsigned major, minor;
} readers[] = {
    {"terraform@1.11", true, true, 1, 11},
    {"opentofu@1.8", true, false, 1, 8},
    {"terraform", true, true, 0, 0},
    {"opentofu", false, false, 0, 0},
    {"opentofu@1", false, false, 0, 0},
    {"opentofu@1.x", false, false, 0, 0},
    {"nobody@1.1", false, false, 0, 0},
    {"terraform@1.11.4", false, true, 0, 0},
    {"", false, false, 0, 0},
};

START_TEST(lc_msgpack_read_text)
{
    lc_provider_reader r;
    bool ok = lc_provider_reader_parse(&r, lc_str_from_c(readers[_i].text));
    ck_assert_msg(ok == readers[_i].ok, "%s", readers[_i].text);
    if (ok)
        ck_assert(r.terraform == readers[_i].terraform && r.major == readers[_i].major &&
                  r.minor == readers[_i].minor);
}
END_TEST

/* ---- References. */

static const struct {
    const char *text;
    lc_profile profile;
    bool ok;
    const char *name, *alias;
    bool key;
} references[] = {
    {"aws", LC_PROFILE_OPENTOFU, true, "aws", "", false},
    {"aws.us", LC_PROFILE_TERRAFORM, true, "aws", "us", false},
    {"null.us", LC_PROFILE_OPENTOFU, true, "null", "us", false},
    {"aws.us[each.key]", LC_PROFILE_OPENTOFU, true, "aws", "us", true},
    {"aws.us[each.key]", LC_PROFILE_TERRAFORM, false, "aws", "us", true},
    {"aws.us[each.key]", LC_PROFILE_DOCUMENT, false, "aws", "us", true},
    {"aws[each.key]", LC_PROFILE_DOCUMENT, true, "aws", "", true},
    {"aws[each.key]", LC_PROFILE_OPENTOFU, false, "aws", "", true},
    {"aws.us.eu", LC_PROFILE_OPENTOFU, false, "aws", "us", false},
    {"aws[*]", LC_PROFILE_DOCUMENT, false, "", "", false},
};

START_TEST(reference_text)
{
    lc_arena *arena = lc_arena_new();
    lc_config_ref written = {.text = lc_str_from_c(references[_i].text), .is_text = true};
    lc_source_pos nowhere = {0};
    if (lc_traversal_parse(&written.expr, arena, written.text, nowhere, &written.trouble) ||
        lc_expr_parse(&written.expr, arena, written.text, nowhere, &written.trouble))
        written.reference = lc_expr_reference(written.expr);
    lc_provider_ref ref = lc_provider_ref_parse(&written, references[_i].profile);
    ck_assert_msg(ref.ok == references[_i].ok && lc_str_is(ref.name, references[_i].name) &&
                      lc_str_is(ref.alias, references[_i].alias) &&
                      (ref.key != NULL) == references[_i].key,
                  "%s", references[_i].text);
    lc_arena_free(arena);
}
END_TEST

/* ---- One configuration by each profile: what is written can be read, and says the same. */

typedef struct bench {
    one_file file;
    lc_provider_model model;
} bench;

static void set_up(bench *b, lc_profile profile, const char *text)
{
    one_file_read(&b->file, profile, text);
    lc_provider_model_make(&b->model, b->file.arena, &b->file.config, &b->file.around);
}

static const struct {
    lc_profile profile;
    const char *config;
} written[] = {
    {LC_PROFILE_DOCUMENT,
     "{\"provider\":{\"a\":{\"for_each\":{\"n\":1,\"s t\":2}}},\"resource\":{\"a_x\":{\"r\":"
     "{\"for_each\":{\"n\":1,\"s "
     "t\":2},\"provider\":\"a[each.key]\"},\"q\":{\"provider\":\"a.n\"}}}}"},
    {LC_PROFILE_OPENTOFU,
     "{\"provider\":{\"a\":{\"alias\":\"k\",\"for_each\":{\"n\":1,\"${\\\"s\\\"}\":2}}},"
     "\"resource\":"
     "{\"a_x\":{\"r\":{\"for_each\":{\"n\":1,\"s\":2},\"provider\":\"a.k[each.key]\"},\"q\":{}}}}"},
    {LC_PROFILE_TERRAFORM,
     "{\"provider\":{\"a\":[{},{\"alias\":\"k\"}]},\"resource\":{\"a_x\":{\"r\":{\"count\":2,"
     "\"provider\":\"a.k\"},\"q\":{}}}}"},
};

/* The state that the records describe, as a file. */
static lc_str state_text(bench *b, const lc_provider_records *records)
{
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "{\"version\":4,\"resources\":[");
    for (size_t i = 0; i < records->list.count; i++) {
        const lc_provider_record *r = &records->list.items[i];
        lc_address address;
        lc_str why;
        size_t at;
        ck_assert(lc_address_parse(&address, b->file.arena, r->resource, &why, &at));
        lc_buf_printf(&buf, "%s{\"mode\":\"managed\",\"type\":\"%.*s\",\"name\":\"%.*s\"",
                      i ? "," : "", LC_FMT(address.type), LC_FMT(address.name));
        if (r->has_own) {
            lc_buf_add_c(&buf, ",\"provider\":");
            lc_buf_add_json(&buf, r->own, false);
        }
        lc_buf_add_c(&buf, ",\"instances\":[");
        for (size_t k = 0; k < r->count; k++) {
            ck_assert(lc_address_parse(&address, b->file.arena, r->objects[k].address, &why, &at));
            lc_buf_add_c(&buf, k ? ",{" : "{");
            if (address.key.kind == LC_KEY_INT)
                lc_buf_printf(&buf, "\"index_key\":%lld", (long long)address.key.number);
            if (address.key.kind == LC_KEY_STRING) {
                lc_buf_add_c(&buf, "\"index_key\":");
                lc_buf_add_json(&buf, address.key.text, false);
            }
            if (r->objects[k].own.len) {
                lc_buf_add_c(&buf, address.key.kind ? ",\"provider\":" : "\"provider\":");
                lc_buf_add_json(&buf, r->objects[k].own, false);
            }
            lc_buf_add_char(&buf, '}');
        }
        lc_buf_add_c(&buf, "]}");
    }
    lc_buf_add_c(&buf, "]}");
    lc_str text = lc_buf_copy(b->file.arena, &buf);
    lc_buf_release(&buf);
    return text;
}

START_TEST(what_is_written_is_right)
{
    bench b = {0};
    lc_provider_records records;
    lc_source source;
    lc_state_file state;
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    set_up(&b, written[_i].profile, written[_i].config);
    size_t problems = b.file.config.problems.count;
    lc_provider_records_make(&records, &b.model);
    ck_assert_uint_eq(records.list.count, 2);
    ck_assert_uint_eq(records.doubts.count, 0);
    lc_diags_init(&diags, b.file.arena);
    ck_assert(lc_json_parse(&source, b.file.arena, LC_STR("state"), state_text(&b, &records),
                            &limits, &diags) == LC_OK);
    ck_assert(lc_state_from_node(&state, b.file.arena, &source, &source.documents[0], &diags) ==
              LC_OK);
    lc_provider_check_state(&b.model, &state);
    lc_provider_check_objects(&b.model, &state);
    lc_provider_check_next(&b.model, &state);
    for (size_t i = problems; i < b.file.config.problems.count; i++)
        ck_abort_msg("%.*s", LC_FMT(b.file.config.problems.items[i].detail));
    lc_arena_free(b.file.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("providers");
    TCase *tests = tcase_create("providers");
    ADD_ROWS(tests, address_text, addresses);
    tcase_add_test(tests, legacy_addresses);
    ADD_ROWS(tests, lc_msgpack_read_text, readers);
    ADD_ROWS(tests, reference_text, references);
    ADD_ROWS(tests, what_is_written_is_right, written);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
