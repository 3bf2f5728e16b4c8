/* Settings of a provider that must not reach its cloud: what is kept, generated and left out. */
#include "unit.h"

#include "lifecheck/contract/contract.h"
#include "lifecheck/offline_config/settings.h"
#include "lifecheck/scenario/scenario.h"

#define STRING(name, more) "'" name "':{'type':'string','optional':true" more "},"

/* One schema with arguments of several providers: those that a provider does not have do not matter
 * to its rows. */
static const char document[] =
    "{'format_version':'1.0','provider_schemas':{'a/b/c':{'provider':{'version':0,'block':{"
    "'attributes':{" STRING("region", "") STRING("profile", "") STRING("access_key", "")
        STRING("secret_key", "") STRING("project", "") STRING("credentials", "") STRING("host", "")
            STRING("api_token", "") STRING("name", ",'sensitive':true")
                STRING("skip_metadata_api_check", "")
                    STRING("compute_custom_endpoint",
                           "") "'max_retries':{'type':'number','optional':true},"
                               "'rotate_token':{'type':'bool','optional':true},"
                               "'skip_region_validation':{'type':'bool','optional':true}},"
                               "'block_types':{'default_tags':{'nesting_mode':'list','block':{'"
                               "attributes':{'tags':{'type':["
                               "'map','string'],'optional':true}}}},"
                               "'endpoints':{'nesting_mode':'set','block':{'attributes':{'s3':{'"
                               "type':'string','optional':"
                               "true}}}},"
                               "'login':{'nesting_mode':'single','block':{'attributes':{'password':"
                               "{'type':'string',"
                               "'optional':true},'user':{'type':'string','optional':true}}}}}}}}}}";

static const struct {
    const char *provider, *given;
    const char *kept[4];     /* NAME=VALUE, as they are afterwards */
    const char *invented[4]; /* some that must be among them */
    const char *left_out[3]; /* all of them */
} rows[] = {
    {"registry.terraform.io/hashicorp/aws",
     "{'region':'r','profile':'p','endpoints':[{'s3':'x'}],'default_tags':[{'tags':{'a':'b'}}]}",
     {"region=r", "skip_metadata_api_check=true"},
     {"access_key", "secret_key", "max_retries", "skip_region_validation"},
     {"profile", "endpoints"}},
    {"hashicorp/google",
     "{'project':'p','credentials':'secret','compute_custom_endpoint':'http://x'}",
     {"project=p"},
     {NULL},
     {"compute_custom_endpoint", "credentials"}},
    {"example.test/a/other",
     "{'host':'h','api_token':'secret','name':'secret','login':{'password':'secret','user':'u'}}",
     {"host=h", "api_token=offline", "name=offline"},
     {"api_token", "name", "login.password"},
     {NULL}},
    {"example.test/a/switches",
     "{'rotate_token':true,'skip_region_validation':false}",
     {"rotate_token=true", "skip_region_validation=true"},
     {"skip_region_validation"},
     {NULL}},
    {"example.test/xhashicorp/aws", "{'profile':'p'}", {"profile=p"}, {NULL}, {NULL}},
};

static const lc_schema *schema_of(lc_arena *arena, lc_diags *diags)
{
    lc_schema_doc *doc;
    lc_limits limits = LC_LIMITS_DEFAULT;
    const lc_schema *schema = NULL;
    ck_assert(lc_schema_doc_from_text(&doc, arena, LC_STR("s"), quoted(arena, document), &limits,
                                      diags) == LC_OK);
    ck_assert(lc_schema_doc_get(&schema, doc, LC_KIND_PROVIDER, LC_STR("a/b/c"), LC_STR("a/b/c"),
                                (lc_loc){LC_STR_EMPTY, 0, 0}, diags) == LC_OK);
    return schema;
}

static const lc_value *given_of(lc_arena *arena, const lc_schema *schema, const char *text,
                                lc_diags *diags)
{
    lc_source *source = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_field field = {0};
    ck_assert(lc_json_parse(source, arena, LC_STR("t"), quoted(arena, text), &limits, diags) ==
              LC_OK);
    lc_value_reader reader = {
        .arena = arena, .source = source, .diags = diags, .limits = limits, .config = true};
    ck_assert(lc_read_object(&field, &reader, &source->documents[0], schema->block) == LC_OK);
    ck_assert(lc_field_has_value(&field));
    return field.value;
}

static bool has(const lc_str *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (lc_str_is(names[i], name))
            return true;
    }
    return false;
}

START_TEST(test_offline)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_offline_settings made;
    lc_buf json = {0};
    lc_diags_init(&diags, arena);
    const lc_schema *schema = schema_of(arena, &diags);
    lc_marked given = {given_of(arena, schema, rows[_i].given, &diags), NULL};
    lc_settings_offline(&made, arena, schema, lc_str_from_c(rows[_i].provider), given);
    ck_assert_msg(made.value != NULL, "%.*s", LC_FMT(made.why));
    for (size_t i = 0; i < 4 && rows[_i].kept[i]; i++) {
        lc_str row = lc_str_from_c(rows[_i].kept[i]);
        size_t at = lc_str_find(row, 0, '=');
        const lc_value *v = lc_value_attr(made.value, lc_str_sub(row, 0, at));
        ck_assert_msg(v && !lc_is_null(v), "%s", rows[_i].kept[i]);
        lc_str text = v->type->kind == LC_TYPE_STRING ? v->as.string
                      : v->as.boolean                 ? LC_STR("true")
                                                      : LC_STR("false");
        CHECK_TEXT(rows[_i].kept[i], text, lc_str_sub(row, at + 1, row.len));
    }
    size_t left_out = 0;
    for (size_t i = 0; i < 4 && rows[_i].invented[i]; i++)
        ck_assert_msg(has(made.invented.items, made.invented.count, rows[_i].invented[i]), "%s",
                      rows[_i].invented[i]);
    for (; left_out < 3 && rows[_i].left_out[left_out]; left_out++)
        ck_assert_msg(has(made.left_out.items, made.left_out.count, rows[_i].left_out[left_out]),
                      "%s", rows[_i].left_out[left_out]);
    ck_assert_uint_eq(made.left_out.count, left_out);
    lc_value_add_scenario_json(&json, made.value, schema->block->implied);
    ck_assert_msg(!lc_str_contains(lc_buf_str(&json), LC_STR("\"secret\"")), "%.*s",
                  LC_FMT(lc_buf_str(&json)));
    lc_buf_release(&json);
    lc_arena_free(arena);
}
END_TEST

/* What shapes plans and is not known makes everything open; what is left out may be unknown. */
static const struct {
    const char *name;
    bool open;
} unknown[] = {{"region", true}, {"profile", false}, {"access_key", false}};

START_TEST(test_unknown)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_offline_settings made;
    lc_diags_init(&diags, arena);
    const lc_schema *schema = schema_of(arena, &diags);
    lc_value object = *given_of(arena, schema, "{}", &diags);
    lc_value *elems = LC_NEW_ARRAY(arena, lc_value, object.count);
    for (size_t i = 0; i < object.count; i++)
        elems[i] = object.as.many.elems[i];
    const lc_attribute *a = lc_block_attribute(schema->block, lc_str_from_c(unknown[_i].name));
    lc_value_set_unknown(&elems[a->slot], a->implied);
    lc_value_set_object(&object, arena, schema->block->implied, elems);
    lc_settings_offline(&made, arena, schema, LC_STR("hashicorp/aws"), (lc_marked){&object, NULL});
    ck_assert_msg((made.value == NULL) == unknown[_i].open, "%s", unknown[_i].name);
    ck_assert((made.why.len > 0) == unknown[_i].open);
    lc_arena_free(arena);
}
END_TEST

START_TEST(test_tables)
{
    ck_assert(lc_settings_sign(LC_STR("aws_eks_cluster_auth")));
    ck_assert(!lc_settings_sign(LC_STR("aws_region")));
    ck_assert(lc_settings_environment(LC_STR("registry.opentofu.org/hashicorp/aws")) != NULL);
    ck_assert(lc_settings_environment(LC_STR("hashicorp/random")) == NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("offline settings");
    TCase *tcase = tcase_create("all");
    ADD_ROWS(tcase, test_offline, rows);
    ADD_ROWS(tcase, test_unknown, unknown);
    tcase_add_test(tcase, test_tables);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
