/* Documents of the Cloud Control provider: patches that are made, applied and refused, and what
 * counts as the same. In the rows ' stands for ". */
#include "unit.h"

#include "lifecheck/cloudformation/cloudcontrol.h"

#include <stdlib.h>

static const char type_text[] =
    "{'typeName':'Ex::Svc::Thing','properties':{'P':{'type':'array','items':{'type':'string'}},"
    "'U':{'type':'array','insertionOrder':false,'items':{'type':'string'}},"
    "'M':{'type':'object','patternProperties':{'.*':{'type':'string'}}},"
    "'Tags':{'type':'array','items':{'type':'object','properties':{'Key':{'type':'string'},"
    "'Value':{'type':'string'}}}},'Policy':{'type':'object'},'D':{'type':'object','"
    "patternProperties':{'.*':{'type':'string','format':'date-time'}}},'T':{'type':'string','"
    "format':"
    "'date-time'},'N':{'type':'number'},'O':{'type':'object','properties':{'A':{'type':'string'},"
    "'L':{'type':'array','items':{'type':'string'}}}},'W':{'type':'array','insertionOrder':false,"
    "'items':{'type':'object','properties':{'C':{'type':'string'},'A':{'type':'object',"
    "'properties':{'B':{'type':'string'},'C':{'type':'string'}}}}}}}}";

typedef struct fixture {
    lc_arena *arena;
    const lc_cfn_type *type;
} fixture;

static fixture start(lc_cfn_profile profile)
{
    fixture f = {.arena = lc_arena_new()};
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&diags, f.arena);
    ck_assert(lc_cfn_read(&f.type, f.arena, LC_STR("t"), quoted(f.arena, type_text), LC_STR_EMPTY,
                          profile, &limits, &diags) == LC_OK);
    return f;
}

static lc_cfn_doc *doc(fixture *f, const char *text)
{
    lc_source source;
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags_init(&diags, f->arena);
    lc_status status =
        lc_json_parse(&source, f->arena, LC_STR("d"), quoted(f->arena, text), &limits, &diags);
    ck_assert_msg(status == LC_OK, "%s", text);
    return lc_cfn_doc_from_node(f->arena, &source.documents[0]);
}

static lc_str patch_text(fixture *f, const lc_cfn_patch *patch)
{
    lc_buf text = {0};
    lc_cfn_patch_add_json(&text, patch, false);
    lc_str copy = lc_buf_copy(f->arena, &text);
    lc_buf_release(&text);
    return copy;
}

static lc_str doc_text(fixture *f, const lc_cfn_doc *d)
{
    lc_buf text = {0};
    lc_cfn_doc_add_json(&text, d, false);
    lc_str copy = lc_buf_copy(f->arena, &text);
    lc_buf_release(&text);
    return copy;
}

/* ---- Made as the provider makes them, and put right. */

static const struct {
    const char *name, *before, *after, *provider, *document; /* NULL: the same */
} made[] = {
    {"nothing", "{'N':1}", "{'N':1}", "[]", NULL},
    {"a value", "{'N':1}", "{'N':2}", "[{'op':'replace','path':'/N','value':2}]", NULL},
    {"tags, one more", "{'Tags':[{'Key':'a','Value':'1'}]}",
     "{'Tags':[{'Key':'a','Value':'1'},{'Key':'b','Value':'2'}]}",
     "[{'op':'replace','path':'/Tags','value':[{'Key':'a','Value':'1'},{'Key':'b','Value':'2'}]}]",
     NULL},
    {"tags, a value", "{'Tags':[{'Key':'a','Value':'1'}]}", "{'Tags':[{'Key':'a','Value':'2'}]}",
     "[{'op':'replace','path':'/Tags/0/Value','value':'2'}]", NULL},
    {"fewer", "{'P':['a','b','c']}", "{'P':['a']}", "[{'op':'replace','path':'/P','value':['a']}]",
     NULL},
    {"partners from the front", "{'P':['a','b','a']}", "{'P':['a','c']}",
     "[{'op':'remove','path':'/P/2'},{'op':'remove','path':'/P/1'},"
     "{'op':'add','path':'/P/1','value':'c'}]",
     NULL},
    {"another order and one more", "{'P':['a','b']}", "{'P':['b','a','c']}",
     "[{'op':'add','path':'/P/2','value':'c'}]",
     "[{'op':'replace','path':'/P','value':['b','a','c']}]"},
    {"no order, and one more", "{'U':['a','b']}", "{'U':['b','a','c']}",
     "[{'op':'add','path':'/U/2','value':'c'}]", NULL},
    {"escapes", "{'M':{'a/b':'x','c~d':'y'}}", "{'M':{'a/b':'z'}}",
     "[{'op':'remove','path':'/M/c~0d'},{'op':'replace','path':'/M/a~1b','value':'z'}]", NULL},
    {"a list that goes", "{'P':['a']}", "{}", "[{'op':'remove','path':'/P'}]", NULL},
    {"a list that comes", "{}", "{'P':['a']}", "[{'op':'add','path':'/P','value':['a']}]", NULL},
    {"flags", "{'Policy':{'a':true,'b':false}}", "{'Policy':{'a':false,'b':true}}",
     "[{'op':'replace','path':'/Policy/a','value':false},"
     "{'op':'replace','path':'/Policy/b','value':true}]",
     NULL},
    {"another kind", "{'N':1}", "{'N':'1'}", "[{'op':'replace','path':'/N','value':'1'}]", NULL},
    {"members that look like elements", "{'Policy':{'0':{'Key':'a'},'1':'x'}}",
     "{'Policy':{'0':{'Key':'a'},'1':'y','2':'z'}}",
     "[{'op':'replace','path':'/Policy/1','value':'y'},{'op':'add','path':'/Policy/"
     "2','value':'z'}]",
     NULL},
    {"removals by number", "{'P':['0','1','2','3','4','5','6','7','8','9','a','b']}",
     "{'P':['0','1','x','3','4','5','6','7','8','9','b']}",
     "[{'op':'remove','path':'/P/10'},{'op':'remove','path':'/P/2'},"
     "{'op':'add','path':'/P/2','value':'x'}]",
     NULL},
};

START_TEST(makes)
{
    for (int profile = LC_CFN_DOCUMENT; profile <= LC_CFN_AWSCC; profile++) {
        for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
            fixture f = start((lc_cfn_profile)profile);
            lc_cfn_patch patch;
            lc_cfn_patch_make(&patch, f.arena, f.type, doc(&f, made[i].before),
                              doc(&f, made[i].after));
            const char *want = profile == LC_CFN_DOCUMENT && made[i].document ? made[i].document
                                                                              : made[i].provider;
            CHECK_TEXT(made[i].name, patch_text(&f, &patch), quoted(f.arena, want));
            lc_arena_free(f.arena);
        }
    }
}
END_TEST

/* ---- Applied. */

static const struct {
    const char *name, *before, *patch;
    const char *after; /* NULL: it cannot be applied */
} applied[] = {
    {"add", "{}", "[{'op':'add','path':'/N','value':1}]", "{'N':1}"},
    {"add at the end", "{'P':['a']}", "[{'op':'add','path':'/P/-','value':'b'}]",
     "{'P':['a','b']}"},
    {"add in front", "{'P':['a']}", "[{'op':'add','path':'/P/0','value':'b'}]", "{'P':['b','a']}"},
    {"add behind the end", "{'P':['a']}", "[{'op':'add','path':'/P/2','value':'b'}]", NULL},
    {"add below nothing", "{}", "[{'op':'add','path':'/O/A','value':'b'}]", NULL},
    {"add below a string", "{'N':1}", "[{'op':'add','path':'/N/A','value':'b'}]", NULL},
    {"add the root", "{'N':1}", "[{'op':'add','path':'','value':{}}]", "{}"},
    {"remove", "{'N':1,'T':'x'}", "[{'op':'remove','path':'/N'}]", "{'T':'x'}"},
    {"remove nothing", "{}", "[{'op':'remove','path':'/N'}]", NULL},
    {"remove the last place", "{'P':['a']}", "[{'op':'remove','path':'/P/-'}]", NULL},
    {"a leading zero", "{'P':['a','b']}", "[{'op':'remove','path':'/P/01'}]", NULL},
    {"replace nothing", "{}", "[{'op':'replace','path':'/N','value':1}]", NULL},
    {"move", "{'P':['a','b']}", "[{'op':'move','from':'/P/0','path':'/P/1'}]", "{'P':['b','a']}"},
    {"move into itself", "{'O':{'A':'x'}}", "[{'op':'move','from':'/O','path':'/O/A'}]", NULL},
    {"copy", "{'O':{'A':'x'}}", "[{'op':'copy','from':'/O','path':'/Policy'}]",
     "{'O':{'A':'x'},'Policy':{'A':'x'}}"},
    {"a copy is another one", "{'O':{'A':'x'}}",
     "[{'op':'copy','from':'/O','path':'/Policy'},{'op':'replace','path':'/O/A','value':'y'}]",
     "{'O':{'A':'y'},'Policy':{'A':'x'}}"},
    {"test", "{'N':1.0}", "[{'op':'test','path':'/N','value':1}]", "{'N':1.0}"},
    {"test fails", "{'N':1}", "[{'op':'test','path':'/N','value':2}]", NULL},
    {"no array", "{}", "{}", NULL},
    {"no operation", "{}", "[7]", NULL},
    {"no op", "{}", "[{'path':'/N'}]", NULL},
    {"unknown op", "{}", "[{'op':'merge','path':'/N','value':1}]", NULL},
    {"no pointer", "{}", "[{'op':'add','path':'N','value':1}]", NULL},
    {"half an escape", "{}", "[{'op':'add','path':'/N~','value':1}]", NULL},
    {"no value", "{}", "[{'op':'add','path':'/N'}]", NULL},
    {"no from", "{}", "[{'op':'move','path':'/N'}]", NULL},
};

START_TEST(applies)
{
    for (size_t i = 0; i < sizeof applied / sizeof *applied; i++) {
        fixture f = start(LC_CFN_DOCUMENT);
        lc_cfn_patch patch;
        lc_str why = LC_STR_EMPTY;
        size_t at;
        lc_cfn_doc *d = doc(&f, applied[i].before);
        bool ok = lc_cfn_patch_read(&patch, f.arena, doc(&f, applied[i].patch), &why, &at) &&
                  lc_cfn_patch_apply(&d, f.arena, &patch, &why, &at);
        ck_assert_msg(ok == (applied[i].after != NULL), "%s: %.*s", applied[i].name, LC_FMT(why));
        ck_assert_msg(ok || why.len, "%s", applied[i].name);
        if (ok)
            CHECK_TEXT(applied[i].name, doc_text(&f, d), quoted(f.arena, applied[i].after));
        lc_arena_free(f.arena);
    }
}
END_TEST

/* ---- The same. */

static const struct {
    const char *name, *a, *b, *where; /* NULL: they say the same */
} compared[] = {
    {"nothing and empty", "{}", "{'P':[],'M':{},'O':{'A':null,'L':[]}}", NULL},
    {"numbers", "{'N':1e2}", "{'N':100.00}", NULL},
    {"other numbers", "{'N':9007199254740993}", "{'N':9007199254740992}", "/N"},
    {"an order", "{'P':['a','b']}", "{'P':['b','a']}", "/P/0"},
    {"no order", "{'U':['a','b','a']}", "{'U':['b','a','a']}", NULL},
    {"not as often", "{'U':['a','b','a']}", "{'U':['b','a','b']}", "/U"},
    {"times", "{'T':'2026-01-01T00:00:00Z'}", "{'T':'2026-01-01T00:00:00.5+00:00'}", NULL},
    {"other times", "{'T':'2026-01-01T00:00:00Z'}", "{'T':'2026-01-01T01:00:00+01:00'}", "/T"},
    {"no times", "{'T':'2026-13-01T00:00:00Z'}", "{'T':'2026-13-01T00:00:00+00:00'}", "/T"},
    {"no order, members elsewhere", "{'W':[{'A':{'B':'x','C':'y'}}]}",
     "{'W':[{'A':{'B':'x'},'C':'y'}]}", "/W"},
    {"documents", "{'Policy':{'a':[1,2],'b':1}}", "{'Policy':{'b':1,'a':[1,2]}}", NULL},
    {"other documents", "{'Policy':{'a':[1,2]}}", "{'Policy':{'a':[2,1]}}", "/Policy/a/0"},
    {"kinds", "{'N':1}", "{'N':'1'}", "/N"},
    {"a member more", "{}", "{'O':{'A':'x'}}", "/O"},
    {"deep", "{'O':{'A':'x','L':['a']}}", "{'O':{'A':'x','L':['b']}}", "/O/L/0"},
};

START_TEST(compares)
{
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        fixture f = start(LC_CFN_DOCUMENT);
        lc_str where;
        bool same = lc_cfn_doc_same(f.arena, f.type->root, doc(&f, compared[i].a),
                                    doc(&f, compared[i].b), &where);
        ck_assert_msg(same == (compared[i].where == NULL), "%s", compared[i].name);
        if (!same)
            CHECK_TEXT(compared[i].name, where, lc_str_from_c(compared[i].where));
        lc_arena_free(f.arena);
    }
}
END_TEST

/* ---- Values that documents become. */

static const struct {
    const char *property, *a, *b;
    bool same;
} values[] = {
    {"T", "'2026-01-01T00:00:00Z'", "'2026-01-01T00:00:00.5+00:00'", true},
    {"T", "'2026-01-01T00:00:00Z'", "'2026-01-01T00:00:01Z'", false},
    {"D", "{'k':'2026-01-01T00:00:00Z'}", "{'k':'2026-01-01T00:00:00+00:00'}", true},
    {"D", "{'k':'2026-01-01T00:00:00Z'}", "{'l':'2026-01-01T00:00:00+00:00'}", false},
    {"D", "{'k':'x'}", "{'k':'x','l':'x'}", false},
    {"U", "['a','b','a']", "['b','a','a']", true},
    {"U", "['a','b','a']", "['b','a','b']", false},
    {"P", "['a','b']", "['b','a']", false},
    {"Policy", "{'a':'x','b':[true,null]}", "{'b':[true,null],'a':'x'}", true},
    {"Policy", "{'a':'x'}", "{'a':'y'}", false},
    {"O", "{'A':'x','L':['a']}", "{'L':['a'],'A':'x'}", true},
    {"O", "{'A':'x','L':['a']}", "{'A':'x','L':['b']}", false},
};

static const lc_value *value(fixture *f, const char *property, const char *text)
{
    lc_source source;
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_str why = LC_STR_EMPTY;
    lc_value *out = LC_NEW(f->arena, lc_value);
    const lc_cfn_property *p = lc_cfn_member(f->type->root, lc_str_from_c(property));
    lc_diags_init(&diags, f->arena);
    ck_assert(lc_json_parse(&source, f->arena, LC_STR("v"), quoted(f->arena, text), &limits,
                            &diags) == LC_OK);
    ck_assert_msg(lc_cfn_value(out, f->arena, p->shape, &source.documents[0], &why), "%s: %.*s",
                  text, LC_FMT(why));
    return out;
}

START_TEST(compares_values)
{
    fixture f = start(LC_CFN_DOCUMENT);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const lc_value *a = value(&f, values[i].property, values[i].a);
        const lc_value *b = value(&f, values[i].property, values[i].b);
        const lc_cfn_shape *shape =
            lc_cfn_member(f.type->root, lc_str_from_c(values[i].property))->shape;
        ck_assert_msg(lc_cfn_same(f.arena, shape, a, b) == values[i].same, "%s: %s, %s",
                      values[i].property, values[i].a, values[i].b);
    }
    CHECK_TEXT("JSON", value(&f, "Policy", "{'b':'<','a':[1,'x',{}]}")->as.string,
               quoted(f.arena, "{'a':[1,'x',{}],'b':'\\u003c'}"));
    lc_arena_free(f.arena);
}
END_TEST

/* ---- At random: a patch that is made does what it is made for. */

static void add_list(lc_buf *out, uint64_t *seed)
{
    size_t count = next_random(seed) % 5;
    for (size_t i = 0; i < count; i++)
        lc_buf_printf(out, "%s'%c'", i ? "," : "", (char)('a' + (char)(next_random(seed) % 3)));
}

static const char *random_document(fixture *f, uint64_t *seed)
{
    lc_buf out = {0};
    lc_buf_printf(&out, "{'N':%llu", (unsigned long long)(next_random(seed) % 3));
    if (next_random(seed) % 3) {
        lc_buf_add_c(&out, ",'P':[");
        add_list(&out, seed);
        lc_buf_add_c(&out, "]");
    }
    if (next_random(seed) % 3) {
        lc_buf_add_c(&out, ",'U':[");
        add_list(&out, seed);
        lc_buf_add_c(&out, "]");
    }
    if (next_random(seed) % 3) {
        lc_buf_add_c(&out, ",'O':{'L':[");
        add_list(&out, seed);
        lc_buf_add_c(&out, "]}");
    }
    if (next_random(seed) % 3)
        lc_buf_printf(&out, ",'M':{'%c':'x','1':'%c'}", (char)('a' + (char)(next_random(seed) % 3)),
                      (char)('a' + (char)(next_random(seed) % 3)));
    if (next_random(seed) % 3)
        lc_buf_printf(&out, ",'Tags':[{'Key':'a','Value':'%c'}%s]",
                      (char)('a' + (char)(next_random(seed) % 3)),
                      next_random(seed) % 2 ? ",{'Key':'b'}" : "");
    lc_buf_add_c(&out, "}");
    char *copy = lc_str_to_c(f->arena, lc_buf_str(&out));
    lc_buf_release(&out);
    return copy;
}

START_TEST(random_patches)
{
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 3000; i++) {
        fixture f = start(LC_CFN_DOCUMENT);
        const char *a = random_document(&f, &seed), *b = random_document(&f, &seed);
        lc_cfn_patch patch, again;
        lc_str why = LC_STR_EMPTY, where;
        size_t at;
        lc_cfn_doc *d = doc(&f, a), *want = doc(&f, b);
        lc_cfn_patch_make(&patch, f.arena, f.type, d, want);
        lc_str text = patch_text(&f, &patch);
        ck_assert_msg(
            lc_cfn_patch_read(&again, f.arena, doc(&f, lc_str_to_c(f.arena, text)), &why, &at) &&
                lc_cfn_patch_apply(&d, f.arena, &again, &why, &at),
            "%s to %s by %.*s: %.*s", a, b, LC_FMT(text), LC_FMT(why));
        ck_assert_msg(lc_cfn_doc_same(f.arena, f.type->root, d, want, &where),
                      "%s to %s by %.*s: differs at %.*s", a, b, LC_FMT(text), LC_FMT(where));
        lc_arena_free(f.arena);
    }
}
END_TEST

/* More lists in another order than are put right one by one. */
START_TEST(many_lists)
{
    fixture f = start(LC_CFN_DOCUMENT);
    lc_buf a = {0}, b = {0};
    lc_cfn_patch patch;
    lc_str why = LC_STR_EMPTY, where;
    size_t at;
    for (int i = 0; i < 300; i++) {
        lc_buf_printf(&a, "%s'k%d':['a','b']", i ? "," : "{'N':1,'Policy':{", i);
        lc_buf_printf(&b, "%s'k%d':['b','a','c']", i ? "," : "{'N':1,'Policy':{", i);
    }
    lc_buf_add_c(&a, "}}");
    lc_buf_add_c(&b, "}}");
    lc_cfn_doc *before = doc(&f, lc_str_to_c(f.arena, lc_buf_str(&a)));
    lc_cfn_doc *after = doc(&f, lc_str_to_c(f.arena, lc_buf_str(&b)));
    lc_cfn_patch_make(&patch, f.arena, f.type, before, after);
    ck_assert_uint_eq(patch.list.count, 1);
    ck_assert(lc_cfn_patch_apply(&before, f.arena, &patch, &why, &at));
    ck_assert(lc_cfn_doc_same(f.arena, f.type->root, before, after, &where));
    lc_buf_release(&a);
    lc_buf_release(&b);
    lc_arena_free(f.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("cloudcontrol");
    TCase *tc = tcase_create("documents");
    tcase_add_test(tc, makes);
    tcase_add_test(tc, applies);
    tcase_add_test(tc, compares);
    tcase_add_test(tc, compares_values);
    tcase_add_test(tc, random_patches);
    tcase_add_test(tc, many_lists);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
