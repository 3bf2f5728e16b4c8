/* Validity: what each core says about a schema, in its own words, and what only conventions say. In
 * the rows ' stands for " and strings are separated by line breaks, in order of the walk. */
#include "unit.h"

#include "lifecheck/schema/schema.h"

static const char *const fault_names[LC_FAULT_COUNT] = {
    [LC_FAULT_PROVIDER_MISSING] = "provider-missing",
    [LC_FAULT_NEGATIVE_VERSION] = "negative-version",
    [LC_FAULT_ATTR_NO_FLAG] = "attr-no-flag",
    [LC_FAULT_ATTR_OPTIONAL_REQUIRED] = "attr-optional-required",
    [LC_FAULT_ATTR_COMPUTED_REQUIRED] = "attr-computed-required",
    [LC_FAULT_ATTR_NO_TYPE] = "attr-no-type",
    [LC_FAULT_ATTR_TWO_TYPES] = "attr-two-types",
    [LC_FAULT_ATTR_TYPE_JSON] = "attr-type-json",
    [LC_FAULT_NESTING_INVALID] = "nesting-invalid",
    [LC_FAULT_SET_DYNAMIC] = "set-dynamic",
    [LC_FAULT_SET_WRITEONLY] = "set-writeonly",
    [LC_FAULT_BLOCK_NAME_COLLISION] = "block-name-collision",
    [LC_FAULT_BLOCK_NAME] = "block-name",
    [LC_FAULT_ATTR_NAME] = "attr-name",
    [LC_FAULT_ITEMS_NEGATIVE] = "items-negative",
    [LC_FAULT_SINGLE_ITEMS] = "single-items",
    [LC_FAULT_GROUP_ITEMS] = "group-items",
    [LC_FAULT_LIST_SET_ITEMS] = "list-set-items",
    [LC_FAULT_MAP_ITEMS] = "map-items",
    [LC_FAULT_COMPUTED_BLOCK_CHILDREN] = "computed-block-children",
    [LC_FAULT_COMPUTED_BLOCK_GROUP] = "computed-block-group",
    [LC_FAULT_COMPUTED_BLOCK_MIN] = "computed-block-min",
    [LC_FAULT_DEPRECATION_MESSAGE] = "deprecation-message",
    [LC_FAULT_NESTED_OBJECT_ITEMS] = "nested-object-items",
    [LC_FAULT_DUPLICATE_NAME] = "duplicate-name",
    [LC_FAULT_RESERVED_ROOT_NAME] = "reserved-root-name",
    [LC_FAULT_WRITEONLY_COMPUTED] = "writeonly-computed",
    [LC_FAULT_WRITEONLY_CHILDREN] = "writeonly-children",
    [LC_FAULT_WRITEONLY_ELSEWHERE] = "writeonly-elsewhere",
    [LC_FAULT_IDENTITY_FLAGS] = "identity-flags",
    [LC_FAULT_IDENTITY_TYPE] = "identity-type",
    [LC_FAULT_LIST_IDENTITY] = "list-identity",
    [LC_FAULT_FUNCTION_TYPE] = "function-type",
    [LC_FAULT_FUNCTION_NAME] = "function-name",
    [LC_FAULT_FUNCTION_DUPLICATE] = "function-duplicate",
};

typedef struct row {
    const char *name;
    const char *in;
    const char *faults; /* FAULT PATH, and `!` for a crash of both cores */
    const char *opentofu;
    const char *terraform;
    lc_schema_kind kind;
} row;

#define STRING "'type':'string'"
#define OPT    "'type':'string','optional':true"

static const row rows[] = {
    {"nothing wrong",
     "{'version':1,'block':{'attributes':{'a':{" OPT "},'b':{" STRING ",'required':true,"
     "'write_only':true}},'block_types':{'c':{'nesting_mode':'list','min_items':1,'block':{}},"
     "'d':{'nesting_mode':'single','min_items':1,'max_items':1,'block':{}}}}}",
     "", "", "", LC_KIND_RESOURCE},
    {"negative version", "{'version':-1}", "negative-version .", "invalid negative schema version",
     "invalid negative schema version", LC_KIND_RESOURCE},
    {"negative version of an ephemeral resource", "{'version':-1}", "negative-version .",
     "invalid negative schema version", "", LC_KIND_EPHEMERAL},
    {"negative version of a provider", "{'version':-1}", "negative-version .",
     "invalid negative schema version", "invalid negative schema version", LC_KIND_PROVIDER},
    {"negative version of an identity", "{'identity':{'version':-2}}", "negative-version .", "",
     "invalid negative schema version", LC_KIND_RESOURCE},
    {"flags of attributes",
     "{'block':{'attributes':{'a':{" STRING "},'b':{" OPT ",'required':true},"
     "'c':{" STRING ",'required':true,'computed':true}}}}",
     "attr-no-flag .a\nattr-optional-required .b\nattr-computed-required .c",
     "a: must set Optional, Required or Computed\nb: cannot set both Optional and Required\n"
     "c: cannot set both Computed and Required",
     "a: must set Optional, Required or Computed\nb: cannot set both Optional and Required\n"
     "c: cannot set both Computed and Required",
     LC_KIND_RESOURCE},
    {"nobody validates a provider's configuration", "{'block':{'attributes':{'a':{" STRING "}}}}",
     "attr-no-flag .a", "", "", LC_KIND_PROVIDER},
    {"only Terraform knows list resources", "{'block':{'attributes':{'a':{" STRING "}}}}",
     "attr-no-flag .a\nlist-identity .", "",
     "a: must set Optional, Required or Computed\nIdentity schema not found for resource type t",
     LC_KIND_LIST},
    {"a list of what has an identity",
     "{'block':{'attributes':{'a':{" OPT "}}},'identity':{'attributes':{'id':{" STRING ","
     "'required_for_import':true}}}}",
     "", "", "", LC_KIND_LIST},
    {"nor actions", "{'block':{'attributes':{'a':{" STRING "}}}}", "attr-no-flag .a", "",
     "a: must set Optional, Required or Computed", LC_KIND_ACTION},
    {"functions",
     "{'functions':{'f':{'return_type':'string','parameters':[{'name':'a','type':'bool'},"
     "{'name':'a','type':['nothing']},{'type':'bool'}]},'g h':{}}}",
     "function-duplicate .f.a\nfunction-type .f.a\nfunction-name .f\nfunction-name .g h\n"
     "function-type .g h",
     "", "", LC_KIND_PROVIDER},
    {"no type", "{'block':{'attributes':{'a':{'optional':true}}}}", "attr-no-type .a",
     "a: either Type or NestedType must be defined", "a: either Type or NestedType must be defined",
     LC_KIND_RESOURCE},
    {"no type within a nested set",
     "{'block':{'attributes':{'a':{'optional':true,'nested_type':{'nesting_mode':'set',"
     "'attributes':{'b':{'optional':true}}}}}}}",
     "attr-no-type .a.b!", "b: either Type or NestedType must be defined",
     "b: either Type or NestedType must be defined", LC_KIND_RESOURCE},
    {"two types: Terraform forgets what was before",
     "{'block':{'block_types':{'x':{'nesting_mode':'list','block':{'attributes':{'a':{" STRING
     ",'nested_type':{'nesting_mode':'list'}}}}}}}}",
     "attr-no-flag .x.a\nattr-two-types .x.a",
     "x.a: must set Optional, Required or Computed\na: Type and NestedType cannot both be set",
     "a: Type and NestedType cannot both be set", LC_KIND_RESOURCE},
    {"two types within a set of blocks",
     "{'block':{'block_types':{'x':{'nesting_mode':'set','block':{'attributes':{'a':{" OPT
     ",'nested_type':{'nesting_mode':'list'}}}}}}}}",
     "attr-two-types .x.a!", "a: Type and NestedType cannot both be set",
     "a: Type and NestedType cannot both be set", LC_KIND_RESOURCE},
    {"nested of no mode",
     "{'block':{'attributes':{'a':{'optional':true,'nested_type':{'nesting_mode':'invalid'}}}}}",
     "nesting-invalid .a", "a: invalid nesting mode nestingModeInvalid",
     "a: invalid nesting mode nestingModeInvalid", LC_KIND_RESOURCE},
    {"nested group",
     "{'block':{'attributes':{'a':{'optional':true,'nested_type':{'nesting_mode':'group'}}}}}",
     "nesting-invalid .a", "a: invalid nesting mode NestingGroup", "", LC_KIND_RESOURCE},
    {"nested set with dynamic and write-only, named without its parents",
     "{'block':{'block_types':{'x':{'nesting_mode':'list','block':{'attributes':{'a':{"
     "'optional':true,'nested_type':{'nesting_mode':'list','attributes':{'s':{'optional':true,"
     "'nested_type':{'nesting_mode':'set','attributes':{'d':{'type':'any','optional':true},"
     "'w':{" OPT ",'write_only':true}}}}}}}}}}}}}",
     "set-dynamic .x.a.s\nset-writeonly .x.a.s",
     "x.s: NestingSet blocks may not contain attributes of cty.DynamicPseudoType",
     "x.s: NestingSet attributes may not contain attributes of cty.DynamicPseudoType\n"
     "x.s: NestingSet attributes may not contain WriteOnly attributes",
     LC_KIND_RESOURCE},
    {"dynamic in a nested group is out of OpenTofu's sight",
     "{'block':{'attributes':{'s':{'optional':true,'nested_type':{'nesting_mode':'set',"
     "'attributes':{'g':{'optional':true,'nested_type':{'nesting_mode':'group',"
     "'attributes':{'d':{'type':'any','optional':true}}}}}}}}}}",
     "set-dynamic .s\nnesting-invalid .s.g", "g: invalid nesting mode NestingGroup",
     "s: NestingSet attributes may not contain attributes of cty.DynamicPseudoType",
     LC_KIND_RESOURCE},
    {"set of blocks with dynamic and write-only",
     "{'block':{'block_types':{'s':{'nesting_mode':'set','block':{'block_types':{'l':{"
     "'nesting_mode':'list','block':{'attributes':{'d':{'type':'any','optional':true},"
     "'w':{" OPT ",'write_only':true}}}}}}}}}}",
     "set-dynamic .s\nset-writeonly .s",
     "s: NestingSet blocks may not contain attributes of cty.DynamicPseudoType",
     "s: NestingSet blocks may not contain attributes of cty.DynamicPseudoType\n"
     "s: NestingSet blocks may not contain WriteOnly attributes",
     LC_KIND_RESOURCE},
    {"names of blocks",
     "{'block':{'attributes':{'x-y':{" OPT "}},'block_types':{"
     "'Up':{'nesting_mode':'list','block':{}},'x-y':{'nesting_mode':'list','block':{}}}}}",
     "attr-name .x-y\nblock-name .Up\nblock-name-collision .x-y",
     "Up: name may contain only lowercase letters, digits and underscores\n"
     "x-y: name defined as both attribute and child block type",
     "Up: name may contain only lowercase letters, digits and underscores\n"
     "x-y: name defined as both attribute and child block type",
     LC_KIND_RESOURCE},
    {"a block of no mode, its contents",
     "{'block':{'block_types':{'x':{'nesting_mode':'invalid','block':{'attributes':{'a':{" STRING
     "}}}}}}}",
     "nesting-invalid .x\nattr-no-flag .x.a",
     "x: invalid nesting mode nestingModeInvalid\nx.a: must set Optional, Required or Computed",
     "x: invalid nesting mode nestingModeInvalid\nx.a: must set Optional, Required or Computed",
     LC_KIND_RESOURCE},
    {"item limits",
     "{'block':{'block_types':{'a':{'nesting_mode':'single','min_items':2,'max_items':2},"
     "'b':{'nesting_mode':'single','max_items':1},'c':{'nesting_mode':'group','min_items':1},"
     "'d':{'nesting_mode':'list','min_items':2,'max_items':1},"
     "'e':{'nesting_mode':'set','min_items':2,'max_items':1},"
     "'f':{'nesting_mode':'map','max_items':1},'g':{'nesting_mode':'list','min_items':-1}}}}",
     "single-items .a\nsingle-items .b\ngroup-items .c\nlist-set-items .d\nlist-set-items .e\n"
     "map-items .f\nitems-negative .g",
     "a: MinItems and MaxItems must be set to either 0 or 1 in NestingSingle mode\n"
     "b: MinItems and MaxItems must match in NestingSingle mode\n"
     "c: MinItems and MaxItems cannot be used in NestingGroup mode\n"
     "d: MinItems must be less than or equal to MaxItems in NestingList mode\n"
     "e: MinItems must be less than or equal to MaxItems in NestingSet mode\n"
     "f: MinItems and MaxItems must both be 0 in NestingMap mode\n"
     "g: MinItems and MaxItems must both be greater than zero",
     "a: MinItems and MaxItems must be set to either 0 or 1 in NestingSingle mode\n"
     "b: MinItems and MaxItems must match in NestingSingle mode\n"
     "c: MinItems and MaxItems cannot be used in NestingGroup mode\n"
     "d: MinItems must be less than or equal to MaxItems in NestingList mode\n"
     "e: MinItems must be less than or equal to MaxItems in NestingSet mode\n"
     "f: MinItems and MaxItems must both be 0 in NestingMap mode\n"
     "g: MinItems and MaxItems must both be greater than zero",
     LC_KIND_RESOURCE},
    {"a single block may be required, a list unlimited",
     "{'block':{'block_types':{'a':{'nesting_mode':'single','min_items':1,'max_items':1},"
     "'d':{'nesting_mode':'list','min_items':2}}}}",
     "", "", "", LC_KIND_RESOURCE},
    {"computed blocks",
     "{'block':{'block_types':{'a':{'nesting_mode':'list','min_items':1,'block':{'computed':true,"
     "'attributes':{'x':{" OPT "},'y':{" STRING ",'computed':true}},"
     "'block_types':{'in':{'nesting_mode':'list','block':{}}}}},"
     "'g':{'nesting_mode':'group','computed':true}}}}",
     "computed-block-min .a\ncomputed-block-children .a.x\ncomputed-block-children .a.in\n"
     "computed-block-group .g",
     "",
     "a: Computed cannot be used when MinItems > 0\n"
     "a.x: all attributes within computed blocks must also be computed\n"
     "a.in: all nested blocks within computed blocks must also be computed\n"
     "g: NestingGroup blocks cannot be computed",
     LC_KIND_RESOURCE},
    {"deprecation messages",
     "{'block':{'deprecation_message':'m','attributes':{'a':{" OPT ",'deprecation_message':'m'},"
     "'b':{" OPT ",'deprecated':true,'deprecation_message':'m'},"
     "'c':{" OPT ",'deprecation_message':''}},'block_types':{'x':{'nesting_mode':'list','block':{"
     "'block_types':{'y':{'nesting_mode':'list','block':{'deprecation_message':'m'}}}}}}}}",
     "deprecation-message .\ndeprecation-message .a\ndeprecation-message .x.y", "",
     "top-level block: DeprecationMessage must not be set when Deprecated is false\n"
     "a: DeprecationMessage must not be set when Deprecated is false\n"
     "x.y: DeprecationMessage must not be set when Deprecated is false",
     LC_KIND_RESOURCE},
    {"conventions of nested attributes",
     "{'block':{'attributes':{'Big':{'optional':true,'nested_type':{'nesting_mode':'list',"
     "'max_items':1,'min_items':0}}}}}",
     "attr-name .Big\nnested-object-items .Big", "", "", LC_KIND_RESOURCE},
    {"zero item limits of old cores",
     "{'block':{'attributes':{'a':{'optional':true,'nested_type':{'nesting_mode':'list',"
     "'max_items':0,'min_items':0}}}}}",
     "", "", "", LC_KIND_RESOURCE},
    {"write-only",
     "{'block':{'attributes':{'a':{" OPT ",'computed':true,'write_only':true},"
     "'c':{'computed':true,'nested_type':{'nesting_mode':'single','attributes':{'i':{"
     "'optional':true,'nested_type':{'nesting_mode':'single','attributes':{"
     "'w':{" OPT ",'write_only':true}}}}}}},"
     "'p':{'optional':true,'write_only':true,'nested_type':{'nesting_mode':'single',"
     "'attributes':{'x':{" OPT "},'y':{" OPT ",'write_only':true}}}}}}}",
     "writeonly-computed .a\nwriteonly-computed .c.i.w\nwriteonly-children .p.x", "", "",
     LC_KIND_RESOURCE},
    {"write-only elsewhere", "{'block':{'attributes':{'a':{" OPT ",'write_only':true}}}}",
     "writeonly-elsewhere .a", "", "", LC_KIND_DATA},
    {"root names of a resource",
     "{'block':{'attributes':{'alias':{" OPT "},'count':{" OPT "},'id':{" OPT "}},"
     "'block_types':{'lifecycle':{'nesting_mode':'list','block':{'attributes':{"
     "'provider':{" OPT "}}}}}}}",
     "reserved-root-name .count\nreserved-root-name .lifecycle", "", "", LC_KIND_RESOURCE},
    {"root names of a provider",
     "{'block':{'attributes':{'alias':{" OPT "},'count':{" OPT "},'version':{" OPT "}}}}",
     "reserved-root-name .alias\nreserved-root-name .version", "", "", LC_KIND_PROVIDER},
    {"root names of an ephemeral resource", "{'block':{'attributes':{'count':{" OPT "}}}}", "", "",
     "", LC_KIND_EPHEMERAL},
    {"identities",
     "{'identity':{'attributes':{'a':{" STRING "},"
     "'b':{" STRING ",'required_for_import':true,'optional_for_import':true},"
     "'c':{'type':['list',['map','string']],'required_for_import':true},"
     "'d':{'type':['map','string'],'optional_for_import':true},"
     "'e':{'type':['object',{}],'optional_for_import':true},"
     "'f':{'type':['set','string'],'optional_for_import':true},"
     "'g':{'optional_for_import':true}}}}",
     "identity-flags .a\nidentity-flags .b\nidentity-type .d\nidentity-type .e\nidentity-type .f\n"
     "attr-no-type .g",
     "",
     "a: must set Optional, Required or Computed\nb: cannot set both Optional and Required\n"
     "d is a map, which is not allowed in identity schemas\n"
     "e is a object, which is not allowed in identity schemas\n"
     "f is a set, which is not allowed in identity schemas\n"
     "g: either Type or NestedType must be defined",
     LC_KIND_RESOURCE},
};

static void add_line(lc_buf *buf, lc_str text)
{
    if (text.len && buf->len)
        lc_buf_add_char(buf, '\n');
    lc_buf_add_str(buf, text);
}

static void add_fault(lc_buf *buf, const lc_schema_problem *p)
{
    lc_buf_add_c(buf, buf->len ? "\n" : "");
    lc_buf_printf(buf, "%s ", fault_names[p->fault]);
    lc_path_add_text(buf, p->path);
    lc_buf_add_c(buf, p->opentofu_crash && p->terraform_crash ? "!" : "");
}

static void check_lines(const char *name, const char *what, const lc_buf *got, const char *want)
{
    ck_assert_msg(lc_str_is(lc_buf_str(got), want), "%s, %s:\n%.*s\nwanted:\n%s", name, what,
                  LC_FMT(lc_buf_str(got)), want);
}

static const lc_schema *read_row(lc_arena *arena, const row *r)
{
    lc_diags diags;
    lc_source source;
    const lc_schema *schema;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&diags, arena);
    ck_assert_msg(
        lc_json_parse(&source, arena, LC_STR("s"), quoted(arena, r->in), &limits, &diags) == LC_OK,
        "%s: no JSON", r->name);
    ck_assert_msg(lc_schema_from_node(&schema, arena, &source, &source.documents[0], r->kind,
                                      LC_STR("t"), &diags) == LC_OK,
                  "%s: %.*s", r->name, LC_FMT(diags.items[0].message));
    return schema;
}

START_TEST(validate)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_buf faults = {0}, opentofu = {0}, terraform = {0};
    lc_schema_problems problems = {0};
    lc_schema_validate(&problems, arena, read_row(arena, r));
    for (size_t i = 0; i < problems.count; i++) {
        const lc_schema_problem *p = &problems.items[i];
        add_fault(&faults, p);
        add_line(&opentofu, p->opentofu);
        add_line(&terraform, p->terraform);
        ck_assert_msg(p->message.len > 0, "%s: no message", r->name);
        ck_assert_msg(p->loc.line == 1, "%s: no place", r->name);
    }
    check_lines(r->name, "faults", &faults, r->faults);
    check_lines(r->name, "OpenTofu", &opentofu, r->opentofu);
    check_lines(r->name, "Terraform", &terraform, r->terraform);
    lc_buf_release(&faults);
    lc_buf_release(&opentofu);
    lc_buf_release(&terraform);
    lc_arena_free(arena);
}
END_TEST

/* What only readers of the wire fill in. */
START_TEST(duplicates)
{
    lc_arena *arena = lc_arena_new();
    lc_str twice[] = {LC_STR("a"), LC_STR("b")};
    row plain = {"plain", "{}", "", "", "", LC_KIND_RESOURCE};
    lc_schema schema = *read_row(arena, &plain);
    lc_block block = *schema.block;
    block.duplicates = twice;
    block.duplicate_count = 2;
    schema.block = &block;
    lc_schema_problems problems = {0};
    lc_schema_validate(&problems, arena, &schema);
    ck_assert_uint_eq(problems.count, 2);
    ck_assert_int_eq(problems.items[1].fault, LC_FAULT_DUPLICATE_NAME);
    ck_assert(lc_str_is(problems.items[1].path.steps[0].name, "b"));
    lc_arena_free(arena);
}
END_TEST

/* 100 blocks with long names around 3,000 faulty attributes: every text would be 100 kB. */
START_TEST(memory_is_bounded)
{
    enum { DEPTH = 100, NAME = 1000, FAULTY = 3000 };
    lc_arena *arena = lc_arena_new();
    lc_buf buf = {0};
    lc_schema_problems problems = {0};
    for (int i = 0; i < DEPTH; i++) {
        lc_buf_add_c(&buf, i ? ",'block':{'block_types':{'" : "{'block':{'block_types':{'");
        for (int k = 0; k < NAME; k++)
            lc_buf_add_char(&buf, 'n');
        lc_buf_add_c(&buf, "':{'nesting_mode':'list'");
    }
    lc_buf_add_c(&buf, ",'block':{'attributes':{");
    for (int i = 0; i < FAULTY; i++)
        lc_buf_printf(&buf, "%s'a%d':{'type':'string'}", i ? "," : "", i);
    lc_buf_add_c(&buf, "}}");
    for (int i = 0; i < DEPTH; i++)
        lc_buf_add_c(&buf, "}}}");
    lc_buf_add_c(&buf, "}");
    row deep = {"deep", lc_str_to_c(arena, lc_buf_str(&buf)), "", "", "", LC_KIND_RESOURCE};
    lc_schema_validate(&problems, arena, read_row(arena, &deep));
    ck_assert_uint_gt(problems.count, 100);
    ck_assert_uint_lt(problems.count, FAULTY);
    ck_assert_uint_lt(lc_arena_used(arena), (size_t)100 << 20);
    lc_buf_release(&buf);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("schema_validate");
    TCase *tc = tcase_create("validity");
    ADD_ROWS(tc, validate, rows);
    tcase_add_test(tc, duplicates);
    tcase_add_test(tc, memory_is_bounded);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
