/* Parts of redacted copies and of small scenarios: documents that can be changed, which strings
 * have one form, which places of an object are secret. */
#include "lifecheck/recording/recording.h"
#include "unit.h"

#include "extract/mutable.h"
#include "redact/secrets.h"
#include "redact/seen.h"

/* ---- Documents. */

static lc_mutable *read(lc_arena *arena, const char *text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_mutable *tree = lc_mutable_from_json(arena, quoted(arena, text), &limits);
    ck_assert_msg(tree != NULL, "%s", text);
    return tree;
}

static void check_json(const char *name, const lc_mutable *tree, const char *want)
{
    lc_arena *arena = lc_arena_new();
    lc_buf got = {0};
    lc_mutable_add_json(&got, tree);
    CHECK_TEXT(name, lc_buf_str(&got), quoted(arena, want));
    lc_buf_release(&got);
    lc_arena_free(arena);
}

START_TEST(test_document)
{
    lc_arena *arena = lc_arena_new();
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_mutable *tree = read(arena, "{'a':{'x':1,'y':[1.50,'s']},'b':null}");
    check_json("as read", tree, "{'a':{'x':1,'y':[1.50,'s']},'b':null}");
    ck_assert_uint_eq(lc_mutable_count(tree), 2);
    lc_mutable *a = lc_mutable_get(tree, "a");
    ck_assert(a && !lc_mutable_get(tree, "c"));
    ck_assert_uint_eq(lc_mutable_count(a), 2);
    lc_mutable_get(a, "y")->gone = true;
    ck_assert(!lc_mutable_get(a, "y"));
    check_json("removed", tree, "{'a':{'x':1},'b':null}");
    ck_assert_uint_eq(lc_mutable_count(a), 1);
    lc_mutable_push(arena, a, lc_mutable_text(arena, "z", LC_STR("\"\n")));
    check_json("added", tree, "{'a':{'x':1,'z':'\\'\\n'},'b':null}");
    a->items[1]->gone = false;
    check_json("put back", tree, "{'a':{'x':1,'y':[1.50,'s'],'z':'\\'\\n'},'b':null}");
    ck_assert(!lc_mutable_from_json(arena, LC_STR("{"), &limits));
    lc_arena_free(arena);
}
END_TEST

/* ---- Forms. */

static const struct {
    const char *a, *b;
    bool same;
} forms[] = {
    {"Some text", "some  TEXT ", true},
    {"host.", "host", true},
    {"path/", "path", true},
    {"a b", "ab", true},
    {"ab", "ba", false},
    {"[1,2]", "[2,1]", true},
    {"{\"a\":1,\"b\":2}", "{ \"b\": 2, \"a\": 1 }", true},
    {"x,y", "y,x", true},
    {"x,y", "x,z", false},
    {"", " ", true},
    {"a", "", false},
};

START_TEST(test_forms)
{
    lc_form a = lc_form_of(lc_str_from_c(forms[_i].a)), b = lc_form_of(lc_str_from_c(forms[_i].b));
    ck_assert_msg(lc_str_eq(lc_form_key(&a), lc_form_key(&b)) == forms[_i].same, "%s | %s",
                  forms[_i].a, forms[_i].b);
}
END_TEST

START_TEST(test_first)
{
    lc_arena *arena = lc_arena_new();
    lc_seen seen;
    lc_seen_init(&seen, arena);
    lc_form one = lc_form_of(LC_STR("one")), two = lc_form_of(LC_STR("two"));
    ck_assert_uint_eq(lc_seen_first(&seen, &one, 3), 3);
    ck_assert_uint_eq(lc_seen_first(&seen, &one, 7), 3);
    ck_assert_uint_eq(lc_seen_first(&seen, &two, 7), 7);
    lc_arena_free(arena);
}
END_TEST

/* ---- Secret places of an object, as "/" and the names on the way. */

typedef struct note {
    lc_arena *arena;
    lc_buf out;
} note;

static bool enter(const lc_secret_walk *walk, lc_secret_place *object, const lc_type *type)
{
    (void)walk, (void)type;
    return object->node->kind == LC_NODE_MAPPING;
}

static lc_secret_place part(const lc_secret_walk *walk, lc_secret_place object, lc_secret_part kind,
                            lc_str name, uint32_t slot)
{
    (void)kind, (void)slot;
    note *n = walk->context;
    return (lc_secret_place){.node = lc_node_get(object.node, lc_str_to_c(n->arena, name))};
}

static uint32_t elements(const lc_secret_walk *walk, lc_secret_place *place, lc_nesting nesting)
{
    (void)walk;
    return lc_nests_one(nesting) ? 1 : place->node->count;
}

static lc_secret_place element(const lc_secret_walk *walk, lc_secret_place place,
                               lc_nesting nesting, uint32_t i)
{
    (void)walk;
    const lc_node *n = place.node;
    return lc_nests_one(nesting)         ? place
           : n->kind == LC_NODE_SEQUENCE ? (lc_secret_place){.node = &n->as.items[i]}
                                         : (lc_secret_place){.node = &n->as.members[i].value};
}

static void redact(const lc_secret_walk *walk, lc_secret_place place, const lc_type *type)
{
    (void)type;
    note *n = walk->context;
    lc_buf_printf(&n->out, "%.*s ", LC_FMT(place.node->as.text));
}

#define SCHEMA                                                                                     \
    "{'version':0,'block':{'attributes':{"                                                         \
    "'name':{'type':'string','optional':true},"                                                    \
    "'key':{'type':'string','optional':true,'sensitive':true},"                                    \
    "'once':{'type':'string','optional':true,'write_only':true},"                                  \
    "'n':{'optional':true,'nested_type':{'nesting_mode':'map','attributes':{"                      \
    "'pin':{'type':'string','optional':true,'sensitive':true},"                                    \
    "'open':{'type':'string','optional':true}}}}},"                                                \
    "'block_types':{'l':{'nesting_mode':'list','block':{'attributes':{"                            \
    "'word':{'type':'string','optional':true,'sensitive':true}}}},"                                \
    "'s':{'nesting_mode':'single','block':{'attributes':{"                                         \
    "'plain':{'type':'string','optional':true}}}}}}}"

static const struct {
    const char *object, *want;
    bool all;
} objects[] = {
    {"{'name':'a','key':'b','once':'c'}", "b c ", false},
    {"{'name':'a'}", "", false},
    {"{'n':{'k':{'pin':'p','open':'o'},'m':{'pin':'q'}}}", "p q ", false},
    {"{'l':[{'word':'u'},{'word':'v'}],'s':{'plain':'x'}}", "u v ", false},
    {"{'name':'a','key':'b','s':{'plain':'x'}}", "b a x ", true},
    {"{'n':null,'l':[]}", "", false},
    {"{'other':'a'}", "", false},
};

START_TEST(test_secrets)
{
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source, object;
    const lc_schema *schema;
    note n = {.arena = lc_arena_new()};
    lc_diags_init(&diags, n.arena);
    ck_assert(lc_json_parse(&source, n.arena, LC_STR("s"), quoted(n.arena, SCHEMA), &limits,
                            &diags) == LC_OK);
    ck_assert(lc_schema_from_node(&schema, n.arena, &source, source.documents, LC_KIND_RESOURCE,
                                  LC_STR("t"), &diags) == LC_OK);
    ck_assert(lc_json_parse(&object, n.arena, LC_STR("o"), quoted(n.arena, objects[_i].object),
                            &limits, &diags) == LC_OK);
    lc_secret_walk walk = {.context = &n,
                           .all = objects[_i].all,
                           .enter = enter,
                           .part = part,
                           .elements = elements,
                           .element = element,
                           .redact = redact};
    lc_walk_secrets(&walk, (lc_secret_place){.node = object.documents}, schema->block);
    CHECK_TEXT(objects[_i].object, lc_buf_str(&n.out), lc_str_from_c(objects[_i].want));
    lc_buf_release(&n.out);
    lc_arena_free(n.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("redact");
    TCase *tc = tcase_create("redact");
    tcase_add_test(tc, test_document);
    ADD_ROWS(tc, test_forms, forms);
    tcase_add_test(tc, test_first);
    ADD_ROWS(tc, test_secrets, objects);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
