/* Schemas out of nodes: implied types, slots, empty values, flags, paths, and what is refused. In
 * the rows ' stands for ". */
#include "unit.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/schema/schema.h"

#include <string.h>

typedef struct fixture {
    lc_arena *arena;
    lc_diags diags;
    lc_source source;
    const lc_schema *schema;
    lc_status status;
} fixture;

static void read_text(fixture *f, lc_str text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    f->schema = NULL;
    f->status = lc_source_parse(&f->source, f->arena, LC_STR("s"), text, &limits, &f->diags);
    if (f->status == LC_OK)
        f->status = lc_schema_from_node(&f->schema, f->arena, &f->source, &f->source.documents[0],
                                        LC_KIND_RESOURCE, LC_STR("t"), &f->diags);
}

static fixture start(void)
{
    fixture f = {.arena = lc_arena_new()};
    lc_diags_init(&f.diags, f.arena);
    return f;
}

static lc_str first_message(const fixture *f)
{
    return f->diags.count ? f->diags.items[0].message : LC_STR("no message");
}

/* A schema whose block is `block`. */
static fixture with_block(const char *name, const char *block)
{
    fixture f = start();
    lc_str text = quoted(f.arena, block);
    read_text(&f, lc_str_printf(f.arena, "{\"version\":1,\"block\":%.*s}", LC_FMT(text)));
    ck_assert_msg(f.status == LC_OK, "%s: %.*s", name, LC_FMT(first_message(&f)));
    return f;
}

static void stop(fixture *f)
{
    lc_arena_free(f->arena);
}

/* ---- Implied types. */

typedef struct row {
    const char *name;
    const char *in; /* a block */
    const char *want;
} row;

static const row implied_rows[] = {
    {"nothing", "{}", "['object',{}]"},
    {"null members", "{'attributes':null,'block_types':null}", "['object',{}]"},
    {"attributes, sorted bytewise",
     "{'attributes':{'b':{'type':'string'},'B':{'type':'bool'},'a':{'type':'number'}}}",
     "['object',{'B':'bool','a':'number','b':'string'}]"},
    {"type JSON", "{'attributes':{'a':{'type':['map',['tuple',['string',['set','bool']]]]}}}",
     "['object',{'a':['map',['tuple',['string',['set','bool']]]]}]"},
    {"type JSON with null parts",
     "{'attributes':{'a':{'type':['object',null]},'b':{'type':['tuple',null]}}}",
     "['object',{'a':['object',{}],'b':['tuple',[]]}]"},
    {"optional attributes are stripped",
     "{'attributes':{'a':{'type':['list',['object',{'x':'string','y':'bool'},['y']]]}}}",
     "['object',{'a':['list',['object',{'x':'string','y':'bool'}]]}]"},
    {"type expressions",
     "{'attributes':{'a':{'type':'object({x=string,y=optional(list(any))})'},"
     "'b':{'type':'dynamic'}}}",
     "['object',{'a':['object',{'x':'string','y':['list','dynamic']}],'b':'dynamic'}]"},
    {"nested single and list",
     "{'attributes':{'l':{'nested_type':{'nesting_mode':'list','attributes':{'x':{'type':'bool'}}}}"
     ","
     "'s':{'nested_type':{'nesting_mode':'single','attributes':{'x':{'type':'bool'}}}}}}",
     "['object',{'l':['list',['object',{'x':'bool'}]],'s':['object',{'x':'bool'}]}]"},
    {"nested set and map, dynamic stays inside",
     "{'attributes':{'m':{'nested_type':{'nesting_mode':'map','attributes':{'x':{'type':'any'}}}},"
     "'s':{'nested_type':{'nesting_mode':'set','attributes':{'x':{'type':'bool'}}}}}}",
     "['object',{'m':['map',['object',{'x':'dynamic'}]],'s':['set',['object',{'x':'bool'}]]}]"},
    {"nested group", "{'attributes':{'g':{'nested_type':{'nesting_mode':'group'}}}}",
     "['object',{'g':['object',{}]}]"},
    {"nested of no mode",
     "{'attributes':{'g':{'nested_type':{'nesting_mode':'invalid',"
     "'attributes':{'x':{'type':'bool'}}}}}}",
     "['object',{'g':['object',{}]}]"},
    {"both types", "{'attributes':{'a':{'type':'string','nested_type':{'nesting_mode':'list'}}}}",
     "['object',{'a':['list',['object',{}]]}]"},
    {"no type", "{'attributes':{'a':{'optional':true}}}", "['object',{'a':'dynamic'}]"},
    {"single and group blocks",
     "{'block_types':{'g':{'nesting_mode':'group','block':{'attributes':{'x':{'type':'any'}}}},"
     "'s':{'nesting_mode':'single','block':{}}}}",
     "['object',{'g':['object',{'x':'dynamic'}],'s':['object',{}]}]"},
    {"list, set and map blocks",
     "{'block_types':{'l':{'nesting_mode':'list','block':{'attributes':{'x':{'type':'bool'}}}},"
     "'m':{'nesting_mode':'map','block':{}},'s':{'nesting_mode':'set','block':{}}}}",
     "['object',{'l':['list',['object',{'x':'bool'}]],'m':['map',['object',{}]],"
     "'s':['set',['object',{}]]}]"},
    {"dynamic in list, set and map blocks",
     "{'block_types':{'l':{'nesting_mode':'list','block':{'attributes':{'x':{'type':'any'}}}},"
     "'m':{'nesting_mode':'map','block':{'attributes':{'x':{'type':['list','dynamic']}}}},"
     "'s':{'nesting_mode':'set','block':{'attributes':{'x':{'type':'any'}}}}}}",
     "['object',{'l':'dynamic','m':'dynamic','s':['set',['object',{'x':'dynamic'}]]}]"},
    {"dynamic passes through",
     "{'block_types':{'l':{'nesting_mode':'list','block':{'block_types':{'m':{'nesting_mode':'map',"
     "'block':{'attributes':{'x':{'type':'any'}}}}}}}}}",
     "['object',{'l':'dynamic'}]"},
    {"a block of no mode has no place",
     "{'attributes':{'a':{'type':'bool'}},'block_types':{'x':{'nesting_mode':'invalid',"
     "'block':{'attributes':{'y':{'type':'bool'}}}}}}",
     "['object',{'a':'bool'}]"},
    {"an attribute is before a block of its name",
     "{'attributes':{'x':{'type':'bool'}},'block_types':{'x':{'nesting_mode':'list','block':{}}}}",
     "['object',{'x':'bool'}]"},
    {"names are normalised", "{'attributes':{'e\xcc\x81':{'type':'bool'}}}",
     "['object',{'\xc3\xa9':'bool'}]"},
};

static void check_slots(const char *name, const lc_block *block)
{
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        ck_assert_msg(a->slot < block->implied->count, "%s: slot", name);
        ck_assert_msg(lc_str_eq(block->implied->as.attrs[a->slot].name, a->name), "%s", name);
        ck_assert_msg(lc_type_equal(block->implied->as.attrs[a->slot].type, a->implied), "%s",
                      name);
        ck_assert_msg(lc_block_attribute(block, a->name) == a, "%s", name);
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        ck_assert_msg(b->slot < block->implied->count, "%s: slot", name);
        ck_assert_msg(lc_str_eq(block->implied->as.attrs[b->slot].name, b->name), "%s", name);
        ck_assert_msg(lc_block_block(block, b->name) == b, "%s", name);
        check_slots(name, b->block);
    }
}

START_TEST(implied)
{
    const row *r = &implied_rows[_i];
    fixture f = with_block(r->name, r->in);
    lc_buf buf = {0};
    lc_typejson_encode(&buf, f.schema->block->implied);
    CHECK_TEXT(r->name, lc_buf_str(&buf), quoted(f.arena, r->want));
    check_slots(r->name, f.schema->block);
    const lc_value *empty = lc_block_empty_value(f.arena, f.schema->block);
    ck_assert_msg(lc_type_conforms(empty->type, f.schema->block->implied), "%s: empty", r->name);
    lc_buf_release(&buf);
    stop(&f);
}
END_TEST

/* ---- Empty values. */

static const row empty_rows[] = {
    {"attributes are null", "{'attributes':{'a':{'type':'string'},'b':{'type':['list','bool']}}}",
     "cty.ObjectVal(map[string]cty.Value{'a':cty.NullVal(cty.String), "
     "'b':cty.NullVal(cty.List(cty.Bool))})"},
    {"single is null, group is not",
     "{'block_types':{'g':{'nesting_mode':'group','block':{'attributes':{'x':{'type':'bool'}}}},"
     "'s':{'nesting_mode':'single','block':{}}}}",
     "cty.ObjectVal(map[string]cty.Value{'g':cty.ObjectVal(map[string]cty.Value{"
     "'x':cty.NullVal(cty.Bool)}), 's':cty.NullVal(cty.EmptyObject)})"},
    {"collections are empty",
     "{'block_types':{'l':{'nesting_mode':'list','block':{}},"
     "'m':{'nesting_mode':'map','block':{}},'s':{'nesting_mode':'set','block':{}}}}",
     "cty.ObjectVal(map[string]cty.Value{'l':cty.ListValEmpty(cty.EmptyObject), "
     "'m':cty.MapValEmpty(cty.EmptyObject), 's':cty.SetValEmpty(cty.EmptyObject)})"},
    {"collections with dynamic",
     "{'block_types':{'l':{'nesting_mode':'list','block':{'attributes':{'x':{'type':'any'}}}},"
     "'m':{'nesting_mode':'map','block':{'attributes':{'x':{'type':'any'}}}}}}",
     "cty.ObjectVal(map[string]cty.Value{'l':cty.EmptyTupleVal, 'm':cty.EmptyObjectVal})"},
};

START_TEST(empty)
{
    const row *r = &empty_rows[_i];
    fixture f = with_block(r->name, r->in);
    lc_buf buf = {0};
    lc_value_add_go(&buf, lc_block_empty_value(f.arena, f.schema->block));
    CHECK_TEXT(r->name, lc_buf_str(&buf), quoted(f.arena, r->want));
    lc_buf_release(&buf);
    stop(&f);
}
END_TEST

/* ---- Signs that a schema is not of the old SDK. */

static const struct {
    const char *name;
    const char *in; /* a block */
    bool want;
} legacy_rows[] = {
    {"primitive", "{'attributes':{'a':{'type':'string'}}}", false},
    {"dynamic", "{'attributes':{'a':{'type':'any'}}}", false},
    {"list of list of string", "{'attributes':{'a':{'type':'list(list(string))'}}}", false},
    {"list of list of list", "{'attributes':{'a':{'type':'list(list(list(string)))'}}}", true},
    {"list of map of object", "{'attributes':{'a':{'type':'list(map(object({})))'}}}", true},
    {"list of object", "{'attributes':{'a':{'type':'list(object({}))'}}}", false},
    {"set of object", "{'attributes':{'a':{'type':'set(object({}))'}}}", false},
    {"map of object", "{'attributes':{'a':{'type':'map(object({}))'}}}", true},
    {"map of list of object", "{'attributes':{'a':{'type':'map(list(object({})))'}}}", true},
    {"list of dynamic", "{'attributes':{'a':{'type':'list(any)'}}}", false},
    {"object", "{'attributes':{'a':{'type':'object({})'}}}", true},
    {"tuple", "{'attributes':{'a':{'type':'tuple([])'}}}", true},
    {"nested type", "{'attributes':{'a':{'nested_type':{'nesting_mode':'list'}}}}", true},
    {"map block", "{'block_types':{'b':{'nesting_mode':'map','block':{}}}}", false},
    {"group block", "{'block_types':{'b':{'nesting_mode':'group','block':{}}}}", false},
    {"computed block", "{'block_types':{'b':{'nesting_mode':'list','block':{'computed':true}}}}",
     true},
    {"in a block",
     "{'block_types':{'b':{'nesting_mode':'list',"
     "'block':{'attributes':{'a':{'type':'object({})'}}}}}}",
     true},
};

START_TEST(not_legacy)
{
    fixture f = with_block(legacy_rows[_i].name, legacy_rows[_i].in);
    ck_assert_msg(f.schema->not_legacy == legacy_rows[_i].want, "%s", legacy_rows[_i].name);
    stop(&f);
}
END_TEST

/* ---- Flags at any depth. */

static const struct {
    const char *name;
    const char *in; /* a block */
    bool sensitive, write_only, computed_block, flat;
} flag_rows[] = {
    {"none", "{'attributes':{'a':{'type':'string','optional':true}}}", false, false, false, true},
    {"of an attribute", "{'attributes':{'a':{'type':'string','sensitive':true,'write_only':true}}}",
     true, true, false, true},
    {"of a nested attribute",
     "{'attributes':{'a':{'nested_type':{'nesting_mode':'list','attributes':{'b':{'nested_type':"
     "{'nesting_mode':'map','attributes':{'c':{'type':'bool','sensitive':true}}}}}}}}}",
     true, false, false, false},
    {"of a block",
     "{'block_types':{'b':{'nesting_mode':'list','block':{'block_types':{'c':{'nesting_mode':'set',"
     "'computed':true,'block':{'attributes':{'a':{'type':'bool','write_only':true}}}}}}}}}",
     false, true, true, false},
    {"of a block that has no place",
     "{'block_types':{'b':{'nesting_mode':'invalid',"
     "'block':{'attributes':{'a':{'type':'bool','write_only':true}}}}}}",
     false, true, false, true},
};

START_TEST(flags)
{
    const char *name = flag_rows[_i].name;
    fixture f = with_block(name, flag_rows[_i].in);
    const lc_block *block = f.schema->block;
    ck_assert_msg(block->any_sensitive == flag_rows[_i].sensitive, "%s: sensitive", name);
    ck_assert_msg(block->any_write_only == flag_rows[_i].write_only, "%s: write-only", name);
    ck_assert_msg(block->any_computed_block == flag_rows[_i].computed_block, "%s: computed", name);
    ck_assert_msg(block->flat == flag_rows[_i].flat, "%s: flat", name);
    stop(&f);
}
END_TEST

/* ---- Paths. */

static const char path_block[] =
    "{'attributes':{'s':{'type':'string'},'l':{'type':'list(string)'},"
    "'t':{'type':'tuple([string,object({k=bool})])'},'d':{'type':'any'},"
    "'m':{'type':'map(object({k=bool}))'},'u':{'type':'set(number)'},"
    "'n':{'nested_type':{'nesting_mode':'map','attributes':{'x':{'type':'bool'},"
    "'y':{'nested_type':{'nesting_mode':'single','attributes':{'z':{'type':'bool'}}}}}}}},"
    "'block_types':{'bl':{'nesting_mode':'list','block':{'attributes':{'a':{'type':'bool'}},"
    "'block_types':{'in':{'nesting_mode':'single','block':{'attributes':{'b':{'type':'any'}}}}}}},"
    "'bs':{'nesting_mode':'set','block':{'attributes':{'a':{'type':'bool'}}}},"
    "'bm':{'nesting_mode':'map','block':{'attributes':{'a':{'type':'any'}}}}}}";

static const struct {
    const char *path;
    bool exists;
    const char *attribute; /* what AttributeByPath finds, or NULL */
} path_rows[] = {
    {".", true, NULL},
    {".s", true, "s"},
    {".s.x", false, NULL},
    {".s[0]", false, NULL},
    {".zz", false, NULL},
    {".l", true, "l"},
    {".l[3]", true, NULL},
    {".l['k']", false, NULL},
    {".l[*]", true, NULL},
    {".t[1].k", true, NULL},
    {".t[0].k", false, NULL},
    {".t[2]", false, NULL},
    {".t[*].k", true, NULL},
    {".d.any[0]['k'].thing", true, NULL},
    {".m['a'].k", true, NULL},
    {".m.a", false, NULL},
    {".m['a'].j", false, NULL},
    {".u[...]", true, NULL},
    {".u[0]", false, NULL},
    {".n", true, "n"},
    {".n['a']", true, NULL},
    {".n['a'].x", true, "x"},
    {".n[*].x", true, "x"},
    {".n.x", false, "x"},
    {".n['a'].y.z", true, "z"},
    {".n['a'].y.q", false, NULL},
    {".n['a'].q.y", false, "y"},
    {".n['a'].*.z", true, NULL},
    {".bl", true, NULL},
    {".bl[0]", true, NULL},
    {".bl[0].a", true, "a"},
    {".bl.a", false, "a"},
    {".bl[0].in.b", true, "b"},
    {".bl[0].in.b.c", true, NULL},
    {".bl[0].in[0]", false, NULL},
    {".bl[0].q", false, NULL},
    {".bs[...].a", true, "a"},
    {".bs[0].a", false, "a"},
    {".bm['k'].a.b", true, NULL},
    {".*[*].a", true, NULL},
    {".*[*].in.b", true, NULL},
    {".bl[*].in.q", false, NULL},
    {".bl[*].*.b", true, NULL},
};

START_TEST(paths)
{
    fixture f = with_block("paths", path_block);
    lc_path path;
    lc_str why;
    size_t at;
    const char *text = path_rows[_i].path;
    ck_assert_msg(lc_path_parse(&path, f.arena, quoted(f.arena, text), true, &why, &at), "%s",
                  text);
    ck_assert_msg(lc_schema_has_path(f.schema, path) == path_rows[_i].exists, "%s", text);
    const lc_attribute *a = lc_block_attribute_at(f.schema->block, path);
    if (path_rows[_i].attribute)
        ck_assert_msg(a && lc_str_is(a->name, path_rows[_i].attribute), "%s", text);
    else if (!strchr(text, '*'))
        ck_assert_msg(!a, "%s: found an attribute", text);
    stop(&f);
}
END_TEST

/* ---- Whole schemas. */

START_TEST(whole_schema)
{
    fixture f = start();
    read_text(&f, quoted(f.arena, "{'version':3,'identity_version':2,'kind':'resource','block':"
                                  "{'attributes':{'a':{'type':'string','required':true}}},\n"
                                  "'identity':{'version':1,'attributes':{'id':{'type':'string',"
                                  "'required_for_import':true},'at':{'type':['list','number'],"
                                  "'optional_for_import':true,'description':'x'}}}}"));
    ck_assert_int_eq(f.status, LC_OK);
    const lc_schema *s = f.schema;
    ck_assert_int_eq(s->version, 3);
    ck_assert_int_eq(s->identity_version, 2);
    ck_assert(s->has_block && s->has_identity && s->block->attributes[0].required);
    ck_assert(s->block->attributes[0].loc.line == 1 && s->block->attributes[0].loc.column == 76);
    ck_assert_uint_eq(s->identity_count, 2);
    ck_assert(lc_str_is(s->identity[0].name, "at") && s->identity[0].optional);
    ck_assert(s->identity[0].loc.line == 2);
    ck_assert(lc_str_is(s->identity[1].name, "id") && s->identity[1].required);
    ck_assert_int_eq(s->identity_type->kind, LC_TYPE_OBJECT);
    ck_assert(lc_str_is(s->type_name, "t"));
    stop(&f);
}
END_TEST

START_TEST(yaml_schema)
{
    fixture f = start();
    read_text(&f, LC_STR("version: 2\n"
                         "block:\n"
                         "  attributes:\n"
                         "    name: {type: string, required: true}\n"
                         "    tags: {type: [map, string], optional: true}\n"
                         "    rules:\n"
                         "      type: list(object({from=number,to=number}))\n"
                         "      computed: true\n"
                         "  block_types:\n"
                         "    disk: {nesting_mode: list, min_items: 1, block: {}}\n"));
    ck_assert_msg(f.status == LC_OK, "%.*s", LC_FMT(first_message(&f)));
    lc_buf buf = {0};
    lc_typejson_encode(&buf, f.schema->block->implied);
    lc_str want = quoted(f.arena, "['object',{'disk':['list',['object',{}]],'name':'string',"
                                  "'rules':['list',['object',{'from':'number','to':'number'}]],"
                                  "'tags':['map','string']}]");
    CHECK_TEXT("yaml", lc_buf_str(&buf), want);
    ck_assert_int_eq(f.schema->block->blocks[0].min_items, 1);
    ck_assert_uint_eq(f.schema->block->blocks[0].loc.line, 10);
    ck_assert_uint_eq(f.schema->block->blocks[0].loc.column, 5);
    lc_buf_release(&buf);
    stop(&f);
}
END_TEST

/* ---- What is refused. */

static const struct {
    const char *name;
    const char *in;
    const char *want; /* LINE:COLUMN MESSAGE of the first error */
} refused_rows[] = {
    {"not a mapping", "[]", "1:1 a schema is a mapping, not a sequence"},
    {"unknown key of a schema", "{'vers':1}", "1:2 a schema has no key \"vers\""},
    {"unknown key of a block", "{'block':{'atributes':{}}}",
     "1:11 a block has no key \"atributes\"; did you mean \"attributes\"?"},
    {"unknown key of an attribute",
     "{'block':{'attributes':{'a':{'type':'bool','writeonly':true}}}}",
     "1:44 an attribute has no key \"writeonly\"; did you mean \"write_only\"?"},
    {"unknown key of a nested type",
     "{'block':{'attributes':{'a':{'nested_type':{'nesting_mode':'list','types':1}}}}}",
     "1:67 a nested type has no key \"types\""},
    {"unknown key of a block type",
     "{'block':{'block_types':{'a':{'nesting_mode':'list','min_item':1}}}}",
     "1:53 a block type has no key \"min_item\"; did you mean \"min_items\"?"},
    {"unknown key of an identity", "{'identity':{'attribute':{}}}",
     "1:14 an identity schema has no key \"attribute\"; did you mean \"attributes\"?"},
    {"unknown key of an identity attribute",
     "{'identity':{'attributes':{'a':{'type':'string','required':true}}}}",
     "1:49 an identity attribute has no key \"required\""},
    {"a flag that is none", "{'block':{'attributes':{'a':{'type':'bool','required':'yes'}}}}",
     "1:55 \"required\" takes true or false, not a string"},
    {"a version that is none", "{'version':1.5}",
     "1:12 \"version\" takes a whole number in decimal digits"},
    {"a version that is text", "{'version':'1'}",
     "1:12 \"version\" takes a whole number, not a string"},
    {"a version that is too large", "{'version':9223372036854775808}",
     "1:12 \"version\" takes a whole number in decimal digits"},
    {"a nesting mode that is a slip",
     "{'block':{'block_types':{'a':{'nesting_mode':'lists','block':{}}}}}",
     "1:46 a nesting mode is \"single\", \"group\", \"list\", \"set\" or \"map\"; did you mean "
     "\"list\"?"},
    {"no nesting mode", "{'block':{'block_types':{'a':{'block':{}}}}}",
     "1:30 \"nesting_mode\" is missing"},
    {"no type expression", "{'block':{'attributes':{'a':{'type':'strin'}}}}",
     "1:37 this is not a type, neither as an expression nor as type JSON: no type has the name "
     "'strin'; did you mean string?"},
    {"a type of the wrong kind", "{'block':{'attributes':{'a':{'type':7}}}}",
     "1:37 a type is an expression such as list(string), or type JSON such as "
     "[list, string]"},
    {"a message of the wrong kind",
     "{'block':{'attributes':{'a':{'type':'bool','deprecation_message':true}}}}",
     "1:66 \"deprecation_message\" takes a string, not a bool"},
    {"computed of the whole", "{'block':{'computed':true}}",
     "1:11 \"computed\" has no meaning for the whole object"},
    {"one name in two spellings",
     "{'block':{'attributes':{'e\xcc\x81':{'type':'bool'},'\xc3\xa9':{'type':'bool'}}}}",
     "1:46 the name \"\xc3\xa9\" is given twice"},
    {"attributes of the wrong kind", "{'block':{'attributes':[]}}",
     "1:24 \"attributes\" is a mapping, not a sequence"},
};

START_TEST(refused)
{
    fixture f = start();
    read_text(&f, quoted(f.arena, refused_rows[_i].in));
    ck_assert_msg(f.status == LC_EINPUT && !f.schema, "%s: accepted", refused_rows[_i].name);
    ck_assert_msg(f.diags.count > 0, "%s: no message", refused_rows[_i].name);
    const lc_diag *d = &f.diags.items[0];
    lc_str got = lc_str_printf(f.arena, "%u:%u %.*s", (unsigned)d->loc.line,
                               (unsigned)d->loc.column, LC_FMT(d->message));
    CHECK_TEXT(refused_rows[_i].name, got, lc_str_from_c(refused_rows[_i].want));
    stop(&f);
}
END_TEST

/* `depth` times `open` and `close` around `inner`, within the root's block. */
static lc_str nested(lc_arena *arena, size_t depth, const char *open, const char *inner,
                     const char *close)
{
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "{'block':");
    for (size_t i = 0; i < depth; i++)
        lc_buf_add_c(&buf, open);
    lc_buf_add_c(&buf, inner);
    for (size_t i = 0; i < depth; i++)
        lc_buf_add_c(&buf, close);
    lc_buf_add_c(&buf, "}");
    lc_str out = quoted(arena, lc_str_to_c(arena, lc_buf_str(&buf)));
    lc_buf_release(&buf);
    return out;
}

static lc_status status_of(lc_str (*make)(lc_arena *, size_t), size_t depth)
{
    fixture f = start();
    read_text(&f, make(f.arena, depth));
    lc_status status = f.status;
    if (status == LC_OK) {
        lc_schema_problems problems = {0};
        lc_schema_validate(&problems, f.arena, f.schema);
        ck_assert_uint_eq(problems.count, 0);
    } else {
        ck_assert_uint_gt(f.diags.errors, 0);
    }
    stop(&f);
    return status;
}

static lc_str nested_blocks(lc_arena *arena, size_t depth)
{
    return nested(arena, depth - 1, "{'block_types':{'b':{'nesting_mode':'list','block':", "{}",
                  "}}}");
}

static lc_str nested_types(lc_arena *arena, size_t depth)
{
    return lc_str_printf(
        arena, "%.*s",
        LC_FMT(nested(arena, depth - 1,
                      "{'attributes':{'a':{'optional':true,'nested_type':{'nesting_mode':'list',"
                      "'attributes':{'a':{'optional':true,'nested_type':{'nesting_mode':'map',"
                      "'attributes':{}}}}}}},'block_types':{'b':{'nesting_mode':'list','block':",
                      "{}", "}}}")));
}

static lc_str deep_types(lc_arena *arena, size_t depth)
{
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "{'block':{'attributes':{'a':{'optional':true,'type':");
    for (size_t i = 0; i < depth; i++)
        lc_buf_add_c(&buf, "['list',");
    lc_buf_add_c(&buf, "'bool'");
    for (size_t i = 0; i < depth; i++)
        lc_buf_add_c(&buf, "]");
    lc_buf_add_c(&buf, "}}}}");
    lc_str out = quoted(arena, lc_str_to_c(arena, lc_buf_str(&buf)));
    lc_buf_release(&buf);
    return out;
}

START_TEST(depth_is_bounded)
{
    ck_assert_int_eq(status_of(nested_blocks, LC_MAX_DEPTH), LC_OK);
    ck_assert_int_eq(status_of(nested_blocks, LC_MAX_DEPTH + 1), LC_ELIMIT);
    ck_assert_int_eq(status_of(nested_types, LC_MAX_DEPTH - 1), LC_OK);
    ck_assert_int_eq(status_of(nested_types, LC_MAX_DEPTH + 1), LC_ELIMIT);
    ck_assert_int_eq(status_of(deep_types, LC_MAX_DEPTH), LC_OK);
    ck_assert_int_eq(status_of(deep_types, LC_MAX_DEPTH + 1), LC_ELIMIT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("schema");
    TCase *tc = tcase_create("schemas");
    ADD_ROWS(tc, implied, implied_rows);
    ADD_ROWS(tc, empty, empty_rows);
    ADD_ROWS(tc, not_legacy, legacy_rows);
    ADD_ROWS(tc, flags, flag_rows);
    ADD_ROWS(tc, paths, path_rows);
    ADD_ROWS(tc, refused, refused_rows);
    tcase_add_test(tc, whole_schema);
    tcase_add_test(tc, yaml_schema);
    tcase_add_test(tc, depth_is_bounded);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
