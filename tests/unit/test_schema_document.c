/* Schema documents: opening, the index, asking for types, and what is said when a type is not
 * there. In the rows ' stands for ". */
#include "unit.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    lc_arena *arena;
    lc_diags diags;
    lc_schema_doc *doc;
    lc_status status;
} fixture;

static fixture open_bytes(lc_str text)
{
    fixture f = {.arena = lc_arena_new()};
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&f.diags, f.arena);
    lc_str kept = lc_str_copy(f.arena, text);
    f.status = lc_schema_doc_from_text(&f.doc, f.arena, LC_STR("d.json"), kept, &limits, &f.diags);
    return f;
}

static fixture open_text(const char *text)
{
    lc_arena *arena = lc_arena_new();
    fixture f = open_bytes(quoted(arena, text));
    lc_arena_free(arena);
    return f;
}

static lc_str last_message(const fixture *f)
{
    return f->diags.count ? f->diags.items[f->diags.count - 1].message : LC_STR("no message");
}

static const lc_schema *get(fixture *f, lc_schema_kind kind, const char *provider, const char *type)
{
    const lc_schema *schema = NULL;
    lc_loc at = {LC_STR("scenario"), 7, 3};
    size_t errors = f->diags.errors;
    lc_status status = lc_schema_doc_get(&schema, f->doc, kind, lc_str_from_c(provider),
                                         lc_str_from_c(type), at, &f->diags);
    ck_assert_msg((status == LC_OK) == (schema != NULL), "%s: status %d", type, status);
    ck_assert_msg((status == LC_OK) == (f->diags.errors == errors), "%s: errors", type);
    return schema;
}

/* ---- A document with everything. */

static const char everything[] =
    "{'format_version':'1.0','later':{'x':[1,{}]},\n"
    "'provider_schemas':{\n"
    " 'registry.example.com/b/beta':{'provider':{'version':0},'resource_schemas':{\n"
    "  'beta_disk':{'version':0,'block':{'attributes':{'id':{'type':'string','computed':true}}}},\n"
    "  'shared_thing':{'version':4}}},\n"
    " 'registry.example.com/a/alpha':{'functions':{'f':{}},\n"
    "  'provider':{'version':0,'block':{'attributes':{'region':{'type':'string','optional':true,\n"
    "   'invented':1}}}},\n"
    "  'resource_schemas':{'alpha_zone':{'version':2,'block':{'attributes':{\n"
    "    'name':{'type':'string','description':'\xc3\xa9','required':true},\n"
    "    '\\u0061bc':{'type':'object({})','optional':true}},\n"
    "   'block_types':{'disk':{'nesting_mode':'list','invented':true,'block':{}}},\n"
    "   'invented':{}},'invented':1},\n"
    "   'shared_thing':{'version':3}},\n"
    "  'data_source_schemas':{'alpha_image':{'version':0,'block':{}}},\n"
    "  'ephemeral_resource_schemas':{'alpha_token':{'version':0}},\n"
    "  'list_resource_schemas':{'alpha_zone':{'version':0}},\n"
    "  'resource_identity_schemas':{'alpha_zone':{'version':1,'attributes':{\n"
    "    'id':{'type':'string','description':'x','required_for_import':true}}}}}}}\n";

START_TEST(types_on_demand)
{
    fixture f = open_text(everything);
    ck_assert_msg(f.status == LC_OK, "%.*s", LC_FMT(last_message(&f)));
    const lc_schema *s = get(&f, LC_KIND_RESOURCE, "", "alpha_zone");
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(s->version, 2);
    ck_assert(lc_str_is(s->provider, "registry.example.com/a/alpha"));
    ck_assert(lc_str_is(s->type_name, "alpha_zone") && s->kind == LC_KIND_RESOURCE);
    ck_assert(lc_str_is(s->loc.file, "d.json") && s->loc.line == 9 && s->loc.column == 23);
    ck_assert(!s->provider_missing && s->has_block && s->has_identity);
    ck_assert_int_eq(s->identity_version, 1);
    ck_assert(lc_str_is(s->identity[0].name, "id") && s->identity[0].loc.line == 19);
    const lc_attribute *abc = lc_block_attribute(s->block, LC_STR("abc"));
    ck_assert(abc && abc->type_invalid && !abc->type);
    ck_assert(abc->loc.line == 11 && abc->loc.column == 5);
    ck_assert_uint_eq(s->block->block_count, 1);
    ck_assert(s->block->blocks[0].loc.line == 12);
    ck_assert(get(&f, LC_KIND_RESOURCE, "registry.example.com/a/alpha", "alpha_zone") == s);
    ck_assert(get(&f, LC_KIND_RESOURCE, "a/alpha", "alpha_zone") == s);
    ck_assert(get(&f, LC_KIND_RESOURCE, "alpha", "alpha_zone") == s);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(other_kinds)
{
    fixture f = open_text(everything);
    ck_assert_int_eq(get(&f, LC_KIND_RESOURCE, "alpha", "shared_thing")->version, 3);
    ck_assert_int_eq(get(&f, LC_KIND_RESOURCE, "beta", "shared_thing")->version, 4);
    ck_assert(!get(&f, LC_KIND_RESOURCE, "beta", "shared_thing")->has_block);
    ck_assert_int_eq(get(&f, LC_KIND_DATA, "", "alpha_image")->kind, LC_KIND_DATA);
    ck_assert_int_eq(get(&f, LC_KIND_EPHEMERAL, "", "alpha_token")->kind, LC_KIND_EPHEMERAL);
    const lc_schema *list = get(&f, LC_KIND_LIST, "", "alpha_zone");
    ck_assert(list->kind == LC_KIND_LIST && !list->has_identity);
    const lc_schema *provider = get(&f, LC_KIND_PROVIDER, "alpha", "");
    ck_assert(lc_block_attribute(provider->block, LC_STR("region")) != NULL);
    ck_assert(get(&f, LC_KIND_PROVIDER, "", "registry.example.com/a/alpha") == provider);
    ck_assert_uint_eq(get(&f, LC_KIND_PROVIDER, "b/beta", "")->block->attribute_count, 0);
    lc_arena_free(f.arena);
}
END_TEST

static void add_type(void *context, lc_str provider, lc_schema_kind kind, lc_str type)
{
    lc_buf_printf(context, "%.*s/%d/%.*s ", LC_FMT(lc_str_sub(provider, 23, provider.len)),
                  (int)kind, LC_FMT(type));
}

START_TEST(each_in_order)
{
    fixture f = open_text(everything);
    lc_buf buf = {0};
    lc_schema_doc_each(f.doc, add_type, &buf);
    CHECK_TEXT("each", lc_buf_str(&buf),
               LC_STR("alpha/0/alpha_zone alpha/0/shared_thing alpha/1/alpha_image "
                      "alpha/2/alpha_token alpha/3/ alpha/4/alpha_zone "
                      "beta/0/beta_disk beta/0/shared_thing beta/3/ "));
    lc_buf_release(&buf);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(provider_missing)
{
    fixture f = open_text("{'provider_schemas':{'x/y/z':{'resource_schemas':{'z_a':{}}}}}");
    lc_schema_problems problems = {0};
    const lc_schema *s = get(&f, LC_KIND_RESOURCE, "", "z_a");
    ck_assert(s && s->provider_missing);
    lc_schema_validate(&problems, f.arena, s);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_int_eq(problems.items[0].fault, LC_FAULT_PROVIDER_MISSING);
    ck_assert(lc_str_is(problems.items[0].opentofu, "missing provider schema"));
    s = get(&f, LC_KIND_PROVIDER, "", "");
    ck_assert(s && s->provider_missing && s->block->implied->count == 0);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(extensions)
{
    fixture f = open_text(
        "{'provider_schemas':{'x/y/z':{'provider':{'version':0},\n"
        " 'action_schemas':{'z_reboot':{'block':{'attributes':{'hard':{'type':'bool'}}}}},\n"
        " 'list_resource_schemas':{'z_disk':{'version':0},'z_pool':{'version':0}},\n"
        " 'resource_schemas':{'z_pool':{},'z_disk':{}},\n"
        " 'resource_identity_schemas':{'z_disk':{'version':0}},\n"
        " 'functions':{'take':{'return_type':'string','parameters':[{'name':'a','type':'bool'}],\n"
        "   'variadic_parameter':{'name':'a','type':['nothing']}},'also':{'return_type':7}}}}}");
    ck_assert_msg(f.status == LC_OK, "%.*s", LC_FMT(last_message(&f)));
    const lc_schema *action = get(&f, LC_KIND_ACTION, "", "z_reboot");
    ck_assert(action->kind == LC_KIND_ACTION && action->block->attribute_count == 1);
    ck_assert(get(&f, LC_KIND_LIST, "", "z_pool")->managed_without_identity);
    ck_assert(!get(&f, LC_KIND_LIST, "", "z_disk")->managed_without_identity);
    ck_assert_uint_eq(action->type_count, 2);
    ck_assert(lc_str_is(action->types[0], "z_disk") && lc_str_is(action->types[1], "z_pool"));
    const lc_schema *provider = get(&f, LC_KIND_PROVIDER, "", "");
    ck_assert_uint_eq(provider->function_count, 2);
    const lc_function *also = &provider->functions[0], *take = &provider->functions[1];
    ck_assert(lc_str_is(also->name, "also") && also->return_invalid && also->loc.line == 7);
    ck_assert(lc_str_is(take->name, "take") && !take->return_invalid && take->loc.line == 6);
    ck_assert_uint_eq(take->parameter_count, 2);
    ck_assert(!take->parameters[0].type_invalid && take->parameters[1].type_invalid);
    lc_schema_problems problems = {0};
    lc_schema_validate(&problems, f.arena, provider);
    ck_assert_uint_eq(problems.count, 3);
    ck_assert_int_eq(problems.items[0].fault, LC_FAULT_FUNCTION_TYPE);
    ck_assert_int_eq(problems.items[1].fault, LC_FAULT_FUNCTION_DUPLICATE);
    ck_assert_int_eq(problems.items[2].fault, LC_FAULT_FUNCTION_TYPE);
    ck_assert(problems.items[2].opentofu_crash && problems.items[2].terraform_error);
    lc_arena_free(f.arena);
}
END_TEST

/* ---- Types that are not there. */

static const struct {
    lc_schema_kind kind;
    const char *provider;
    const char *type;
    const char *want;
} missing_rows[] = {
    {LC_KIND_RESOURCE, "", "alpha_zne",
     "'d.json' has no resource 'alpha_zne'; did you mean 'alpha_zone'?"},
    {LC_KIND_RESOURCE, "beta", "beta_dsk",
     "'registry.example.com/b/beta' has no resource 'beta_dsk'; did you mean 'beta_disk'?"},
    {LC_KIND_RESOURCE, "", "something_else", "'d.json' has no resource 'something_else'"},
    {LC_KIND_RESOURCE, "", "alpha_image",
     "'d.json' has no resource 'alpha_image'; there is a data source of that name"},
    {LC_KIND_DATA, "", "alpha_token",
     "'d.json' has no data source 'alpha_token'; there is an ephemeral resource of that name"},
    {LC_KIND_RESOURCE, "beta", "alpha_zone",
     "'registry.example.com/b/beta' has no resource 'alpha_zone'; "
     "'registry.example.com/a/alpha' has it"},
    {LC_KIND_RESOURCE, "", "shared_thing",
     "several providers have the resource 'shared_thing': 'registry.example.com/a/alpha' and "
     "'registry.example.com/b/beta'; 'provider' must name one of them"},
    {LC_KIND_RESOURCE, "gamma", "gamma_x",
     "'d.json' has no provider 'gamma'; it has 'registry.example.com/a/alpha' and "
     "'registry.example.com/b/beta'"},
    {LC_KIND_PROVIDER, "", "",
     "'d.json' has several providers: 'registry.example.com/a/alpha' and "
     "'registry.example.com/b/beta'; 'provider' must name one of them"},
};

START_TEST(missing)
{
    fixture f = open_text(everything);
    ck_assert(!get(&f, missing_rows[_i].kind, missing_rows[_i].provider, missing_rows[_i].type));
    lc_str want = quoted(f.arena, missing_rows[_i].want);
    CHECK_TEXT(missing_rows[_i].type, last_message(&f), want);
    ck_assert_uint_eq(f.diags.items[0].loc.line, 7);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(many_names)
{
    fixture f = open_text("{'provider_schemas':{'a/a':{'resource_schemas':{'x_baa':{},'x_bab':{},"
                          "'x_bac':{},'x_bad':{}}},'a/b':{},'a/c':{},'a/d':{},'a/e':{},'a/f':{},"
                          "'b/a':{}}}");
    ck_assert(!get(&f, LC_KIND_RESOURCE, "q", "x"));
    CHECK_TEXT("providers", last_message(&f),
               quoted(f.arena, "'d.json' has no provider 'q'; it has 'a/a', 'a/b', 'a/c', 'a/d', "
                               "'a/e' and 2 more"));
    ck_assert(!get(&f, LC_KIND_RESOURCE, "", "x_ba"));
    CHECK_TEXT("types", last_message(&f),
               quoted(f.arena, "'d.json' has no resource 'x_ba'; did you mean 'x_baa', 'x_bab' or "
                               "'x_bac'?"));
    ck_assert(get(&f, LC_KIND_RESOURCE, "a", "x_baa") != NULL);
    ck_assert(!get(&f, LC_KIND_RESOURCE, "a", "x_bzz"));
    CHECK_TEXT("two of one name", last_message(&f),
               quoted(f.arena, "'a' has no resource 'x_bzz'; did you mean 'x_baa', 'x_bab' or "
                               "'x_bac'?"));
    lc_arena_free(f.arena);
}
END_TEST

/* ---- Strings that are not a schema document. */

static const struct {
    const char *name;
    const char *in;
    const char *want; /* LINE:COLUMN MESSAGE, or NULL if it opens */
} open_rows[] = {
    {"empty object", "{}",
     "1:1 this is not a schema document: it has no member 'provider_schemas'; "
     "`terraform providers schema -json` prints one"},
    {"no providers", "{'format_version':'1.0'}", NULL},
    {"null providers", "{'format_version':'1.0','provider_schemas':null}", NULL},
    {"an old format", "{'format_version':'0.2','provider_schemas':{}}", NULL},
    {"byte order mark", "\xef\xbb\xbf{'provider_schemas':{}} \n", NULL},
    {"null groups", "{'provider_schemas':{'a':{'provider':null,'resource_schemas':null}}}", NULL},
    {"a new format", "{'format_version':'2.0'}",
     "1:2 the format version of this schema document is not 0.x or 1.x"},
    {"an array", "[]",
     "1:1 this is not a schema document, which is a JSON object; `terraform providers schema "
     "-json` prints one"},
    {"nothing", "",
     "1:1 the file is empty: `terraform providers schema -json` prints a schema document"},
    {"providers of the wrong kind", "{'provider_schemas':[]}",
     "1:21 \"provider_schemas\" is an object"},
    {"a provider of the wrong kind", "{'provider_schemas':{'a':1}}",
     "1:26 the schemas of a provider is an object"},
    {"a group of the wrong kind", "{'provider_schemas':{'a':{'resource_schemas':'x'}}}",
     "1:46 a group of schemas is an object"},
    {"providers twice", "{'provider_schemas':{},\n'provider_schemas':{}}",
     "2:1 this member is given twice"},
    {"a group twice", "{'provider_schemas':{'a':{'provider':{},'provider':{}}}}",
     "1:41 this member is given twice"},
    {"a provider twice", "{'provider_schemas':{'a':{},'b':{},'a':{}}}",
     "1:36 this provider is given twice"},
    {"a type twice", "{'provider_schemas':{'a':{'resource_schemas':{'x':{},'y':{},'x':{}}}}}",
     "1:61 this type is given twice"},
    {"text after the end", "{'provider_schemas':{}} {}",
     "1:25 there is more after the end of the schema document"},
};

START_TEST(opening)
{
    fixture f = open_text(open_rows[_i].in);
    if (!open_rows[_i].want) {
        ck_assert_msg(f.status == LC_OK, "%s: %.*s", open_rows[_i].name, LC_FMT(last_message(&f)));
    } else {
        ck_assert_msg(f.status == LC_EINPUT && f.diags.count, "%s", open_rows[_i].name);
        const lc_diag *d = &f.diags.items[0];
        lc_str got = lc_str_printf(f.arena, "%u:%u %.*s", (unsigned)d->loc.line,
                                   (unsigned)d->loc.column, LC_FMT(d->message));
        CHECK_TEXT(open_rows[_i].name, got, quoted(f.arena, open_rows[_i].want));
    }
    lc_arena_free(f.arena);
}
END_TEST

/* Every beginning of a document is refused, and no more is read than there is. */
START_TEST(cut_off)
{
    lc_str whole = lc_str_from_c(everything);
    for (size_t len = 0; len + 2 < whole.len; len++) {
        char *text = lc_heap_alloc(len + 1);
        memcpy(text, everything, len);
        text[len] = '\0';
        fixture f = open_text(text);
        ck_assert_msg(f.status != LC_OK && f.diags.errors > 0, "%zu bytes are accepted", len);
        lc_arena_free(f.arena);
        lc_heap_free(text);
    }
}
END_TEST

/* ---- Schemas that cannot be read; files. */

START_TEST(bad_type)
{
    fixture f = open_text("{'provider_schemas':{'a':{'provider':{},'resource_schemas':{\n"
                          "'x':{'block':{'attributes':{'n':{'required':1}}}},'y':{}}}}}");
    ck_assert(!get(&f, LC_KIND_RESOURCE, "", "x"));
    CHECK_TEXT("message", last_message(&f),
               LC_STR("\"required\" takes true or false, not a number"));
    ck_assert(f.diags.items[0].loc.line == 2 && f.diags.items[0].loc.column == 45);
    ck_assert(lc_str_is(f.diags.items[0].loc.file, "d.json"));
    ck_assert(get(&f, LC_KIND_RESOURCE, "", "y") != NULL);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(files)
{
    char name[] = "/tmp/lifecheck-schema-XXXXXX";
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_schema_doc *doc;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&diags, arena);
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    lc_str text = quoted(arena, everything);
    ck_assert_int_eq(write(fd, text.ptr, text.len), (ssize_t)text.len);
    close(fd);
    ck_assert_int_eq(lc_schema_doc_open(&doc, arena, lc_str_from_c(name), &limits, &diags), LC_OK);
    limits.input_bytes = 100;
    ck_assert_int_eq(lc_schema_doc_open(&doc, arena, lc_str_from_c(name), &limits, &diags),
                     LC_ELIMIT);
    remove(name);
    limits = LC_LIMITS_DEFAULT;
    ck_assert_int_eq(lc_schema_doc_open(&doc, arena, lc_str_from_c(name), &limits, &diags), LC_EIO);
    ck_assert_uint_eq(diags.errors, 2);
    lc_arena_free(arena);
}
END_TEST

/* One line of megabytes: places are counted on, not from the start each time, and are the same. */
enum { TYPES = 3000, ATTRIBUTES = 40 };

static lc_str long_line(lc_arena *arena)
{
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "{\"provider_schemas\":{\"a\":{\"provider\":{},\"resource_schemas\":{");
    for (int i = 0; i < TYPES; i++) {
        lc_buf_printf(&buf, "%s\"t%06d\":{\"block\":{\"attributes\":{", i ? "," : "", i);
        for (int k = 0; k < ATTRIBUTES; k++)
            lc_buf_printf(&buf, "%s\"a%02d\":{\"type\":\"string\",\"description\":\"\xc3\xa9\"}",
                          k ? "," : "", k);
        lc_buf_add_c(&buf, "}}}");
    }
    lc_buf_add_c(&buf, "}}}}");
    lc_str out = lc_buf_copy(arena, &buf);
    lc_buf_release(&buf);
    return out;
}

START_TEST(places_in_a_long_line)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = long_line(arena);
    const char *bytes = lc_str_to_c(arena, text);
    fixture f = open_bytes(text);
    ck_assert_int_eq(f.status, LC_OK);
    for (int i = TYPES - 1; i >= 0; i -= 97) {
        char quoted_name[16];
        snprintf(quoted_name, sizeof quoted_name, "\"t%06d\"", i);
        const char *at = strstr(bytes, quoted_name);
        lc_str name = lc_str_printf(f.arena, "t%06d", i);
        const lc_schema *s = get(&f, LC_KIND_RESOURCE, "", lc_str_to_c(f.arena, name));
        lc_loc want = lc_loc_at(LC_STR("d.json"), text, (size_t)(at - bytes));
        ck_assert_uint_eq(s->loc.column, want.column);
        at = strstr(at, "\"a02\"");
        want = lc_loc_at(LC_STR("d.json"), text, (size_t)(at - bytes));
        ck_assert_uint_eq(s->block->attributes[2].loc.column, want.column);
        ck_assert_uint_eq(s->block->attributes[2].loc.line, 1);
    }
    lc_arena_free(f.arena);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("schema_document");
    TCase *tc = tcase_create("documents");
    tcase_add_test(tc, types_on_demand);
    tcase_add_test(tc, other_kinds);
    tcase_add_test(tc, each_in_order);
    tcase_add_test(tc, provider_missing);
    tcase_add_test(tc, extensions);
    ADD_ROWS(tc, missing, missing_rows);
    tcase_add_test(tc, many_names);
    ADD_ROWS(tc, opening, open_rows);
    tcase_add_test(tc, cut_off);
    tcase_add_test(tc, bad_type);
    tcase_add_test(tc, files);
    tcase_add_test(tc, places_in_a_long_line);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
