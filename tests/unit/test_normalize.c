/* NormalizeObjectFromLegacySDK where the recorded verdicts do not reach: what is put in the place
 * of unknown blocks, and that there is nothing to put where a nested type is within, because both
 * cores crash. */
#include "unit.h"

#include "lifecheck/contract/contract.h"

typedef struct row {
    const char *name;
    const char *inner; /* the schema of the block within the block */
    const char *want;  /* NULL: a crash */
} row;

#define ATTRIBUTE "{'attributes':{'a':{'type':'string','optional':true}}}"
#define NESTED                                                                                     \
    "{'attributes':{'a':{'optional':true,'nested_type':{'nesting_mode':'single','attributes':"     \
    "{'x':{'type':'string','optional':true}}}}}}"

static const row rows[] = {
    {"a list within", "{'nesting_mode':'list','block':" ATTRIBUTE "}",
     "{\"outer\":[{\"inner\":[{\"a\":{\"$unknown\":true}}]}]}"},
    {"a set within", "{'nesting_mode':'set','block':" ATTRIBUTE "}",
     "{\"outer\":[{\"inner\":[{\"a\":{\"$unknown\":true}}]}]}"},
    {"a single one within", "{'nesting_mode':'single','block':" ATTRIBUTE "}",
     "{\"outer\":[{\"inner\":{\"a\":{\"$unknown\":true}}}]}"},
    {"a group within", "{'nesting_mode':'group','block':" ATTRIBUTE "}",
     "{\"outer\":[{\"inner\":{\"a\":{\"$unknown\":true}}}]}"},
    {"a map within", "{'nesting_mode':'map','block':" ATTRIBUTE "}",
     "{\"outer\":[{\"inner\":{}}]}"},
    {"a nested type two levels within", "{'nesting_mode':'list','block':" NESTED "}", NULL},
    {"a nested type in a single one", "{'nesting_mode':'single','block':" NESTED "}", NULL},
};

static const lc_block *read_block(lc_arena *arena, const row *r)
{
    lc_diags diags;
    lc_source source;
    const lc_schema *schema;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_str text = lc_str_printf(arena,
                                "{'version':0,'block':{'block_types':{'outer':{'nesting_mode':"
                                "'list','block':{'block_types':{'inner':%s}}}}}}",
                                r->inner);
    char *json = lc_str_to_c(arena, text);
    for (char *c = json; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    lc_diags_init(&diags, arena);
    ck_assert(lc_source_parse(&source, arena, LC_STR("s"), lc_str_from_c(json), &limits, &diags) ==
              LC_OK);
    ck_assert(lc_schema_from_node(&schema, arena, &source, &source.documents[0], LC_KIND_RESOURCE,
                                  LC_STR("t"), &diags) == LC_OK);
    return schema->block;
}

START_TEST(test_normalize_unknown_blocks)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_block *block = read_block(arena, r);
    lc_value *object = LC_NEW(arena, lc_value);
    lc_value *outer = LC_NEW(arena, lc_value);
    lc_value_set_unknown(outer, block->implied->as.attrs[0].type);
    lc_value_set_object(object, arena, block->implied, outer);
    const lc_value *got = lc_normalize_legacy(arena, block, object);
    ck_assert_msg((got != NULL) == (r->want != NULL), "%s: crash or not", r->name);
    if (got) {
        lc_buf text = {0};
        lc_value_add_scenario_json(&text, got, block->implied);
        ck_assert_msg(lc_str_is(lc_buf_str(&text), r->want), "%s: %.*s", r->name,
                      LC_FMT(lc_buf_str(&text)));
        lc_buf_release(&text);
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("normalize");
    TCase *tests = tcase_create("rows");
    tcase_add_loop_test(tests, test_normalize_unknown_blocks, 0, sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
