/* The clause map: testdata/clauses.yaml against the rule catalogue. Every clause of the documents
 * is watched over by a rule, and every rule rests on a clause, on a core's code, or on a source
 * that it names. The checks themselves are tried on maps and rules that are wrong. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "lifecheck/base/table.h"
#include "lifecheck/catalog/rule.h"
#include "lifecheck/yaml_json/node.h"

#include <string.h>

#define MAP       "testdata/clauses.yaml"
#define MAX_WORDS 12
#define MAX_SHOWN 3000 /* Check has a bound for its messages */

/* How binding a clause is. The first three can carry a rule that says must. */
static const char *const strengths[] = {"must", "must not", "core promise", "should", "may"};
enum { BINDING = 3, STRENGTHS = 5 };

typedef struct clause {
    lc_str source; /* document and section, written like the `clause` of a rule */
    lc_str text;
    lc_str quote;
    unsigned strength; /* index of strengths */
    const lc_node *rules;
} clause;

typedef struct map {
    lc_arena *arena;
    clause *items;
    size_t count, capacity;
    lc_buf wrong; /* one complaint a line */
} map;

static const lc_str members[] = {{"strength", 8}, {"text", 4}, {"quote", 5}, {"rules", 5}};

/* ---- One clause. */

static size_t words(lc_str s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++)
        count += s.ptr[i] != ' ' && (i == 0 || s.ptr[i - 1] == ' ');
    return count;
}

static bool contains(lc_str s, lc_str part)
{
    for (size_t i = 0; i + part.len <= s.len; i++) {
        if (lc_str_eq(lc_str_sub(s, i, i + part.len), part))
            return true;
    }
    return false;
}

static lc_str text_of(const lc_node *clause_node, const char *key)
{
    const lc_node *node = lc_node_get(clause_node, key);
    return lc_node_as_text(node);
}

static void complain(map *m, const clause *c, const char *what, lc_str which)
{
    lc_buf_printf(&m->wrong, "%.*s: \"%.*s\": %s%s%.*s\n", LC_FMT(c->source), LC_FMT(c->text), what,
                  which.len ? " " : "", LC_FMT(which));
}

static void check_rules(map *m, const clause *c)
{
    const lc_node *rules = c->rules;
    if (!rules || rules->kind != LC_NODE_SEQUENCE || rules->count == 0) {
        complain(m, c, "no rule", LC_STR_EMPTY);
        return;
    }
    for (uint32_t i = 0; i < rules->count; i++) {
        lc_str slug = rules->as.items[i].as.text;
        lc_rule rule;
        if (rules->as.items[i].kind != LC_NODE_STRING || !lc_rule_from_slug(&rule, slug))
            complain(m, c, "no such rule", slug);
        for (uint32_t k = 0; k < i; k++) {
            if (lc_str_eq(rules->as.items[k].as.text, slug))
                complain(m, c, "twice the rule", slug);
        }
    }
}

static void check_members(map *m, const clause *c, const lc_node *node)
{
    for (uint32_t i = 0; i < node->count; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            known = known || lc_str_eq(node->as.members[i].key, members[k]);
        if (!known)
            complain(m, c, "no such member", node->as.members[i].key);
    }
    if (c->strength == STRENGTHS)
        complain(m, c, "no such strength", text_of(node, "strength"));
    if (words(c->text) == 0)
        complain(m, c, "no text", LC_STR_EMPTY);
    if (words(c->quote) == 0 || words(c->quote) > MAX_WORDS)
        complain(m, c, "a quote of no or too many words", c->quote);
}

static void check_only(map *m, const clause *c)
{
    for (size_t i = 0; i < m->count; i++) {
        const clause *other = &m->items[i];
        if (lc_str_eq(other->text, c->text))
            complain(m, c, "said twice", LC_STR_EMPTY);
        if (lc_str_eq(other->source, c->source) && lc_str_eq(other->quote, c->quote))
            complain(m, c, "quoted twice:", c->quote);
    }
}

static void read_clause(map *m, lc_str source, const lc_node *node)
{
    clause c = {.source = source, .text = LC_STR_EMPTY};
    if (node->kind != LC_NODE_MAPPING) {
        complain(m, &c, "a clause is a mapping", LC_STR_EMPTY);
        return;
    }
    c.text = text_of(node, "text");
    c.quote = text_of(node, "quote");
    c.rules = lc_node_get(node, "rules");
    while (c.strength < STRENGTHS && !lc_str_is(text_of(node, "strength"), strengths[c.strength]))
        c.strength++;
    check_members(m, &c, node);
    check_rules(m, &c);
    check_only(m, &c);
    *LC_PUSH(m->arena, m, clause) = c;
}

/* ---- The map. */

static void read_section(map *m, lc_str document, const lc_member *section)
{
    lc_str source = lc_str_printf(m->arena, "%.*s, %.*s", LC_FMT(document), LC_FMT(section->key));
    if (section->value.kind != LC_NODE_SEQUENCE || section->value.count == 0) {
        complain(m, &(clause){.source = source, .text = LC_STR_EMPTY}, "no clauses", LC_STR_EMPTY);
        return;
    }
    for (uint32_t i = 0; i < section->value.count; i++)
        read_clause(m, source, &section->value.as.items[i]);
}

static void read_map(map *m, lc_str text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_source source;
    lc_diags_init(&diags, m->arena);
    lc_status status = lc_yaml_parse(&source, m->arena, LC_STR(MAP), text, &limits, &diags);
    if (status != LC_OK || source.count != 1 || source.documents->kind != LC_NODE_MAPPING) {
        lc_buf_printf(&m->wrong, "not read: %.*s\n",
                      LC_FMT(diags.count ? diags.items[0].message : LC_STR("no mapping")));
        return;
    }
    for (uint32_t i = 0; i < source.documents->count; i++) {
        const lc_member *document = &source.documents->as.members[i];
        for (uint32_t k = 0; k < document->value.count; k++)
            read_section(m, document->key, &document->value.as.members[k]);
    }
}

/* ---- Rules. */

static bool names_rule(const clause *c, lc_str slug)
{
    for (uint32_t i = 0; c->rules && i < c->rules->count; i++) {
        if (lc_str_eq(c->rules->as.items[i].as.text, slug))
            return true;
    }
    return false;
}

/* Sources that are not a document of the map. */
static bool has_other_source(const lc_rule_info *rule)
{
    if (lc_str_is(rule->clause, "core check"))
        return rule->core_function.len > 0;
    if (lc_str_is(rule->clause, "scenario")) /* what its author expects */
        return rule->strength == LC_CONVENTION;
    if (lc_str_is(rule->clause, "heuristic"))
        return rule->strength == LC_SMELL;
    return lc_str_is(rule->clause, "SDK check") || lc_str_is(rule->clause, "protocol comment") ||
           lc_str_is(rule->clause, "object wire format");
}

/* What a rule quotes is in a clause of the place it names, and that clause lists the rule. */
static bool clause_agrees(const clause *c, const lc_rule_info *rule)
{
    return lc_str_eq(c->source, rule->clause) && names_rule(c, rule->slug) && rule->quote.len &&
           (contains(c->quote, rule->quote) || contains(rule->quote, c->quote));
}

static bool strong_enough(const clause *c, lc_strength strength)
{
    if (strength == LC_MUST)
        return c->strength < BINDING;
    return strength != LC_SHOULD || lc_str_is(lc_str_from_c(strengths[c->strength]), "should") ||
           c->strength < BINDING;
}

static void check_rule(map *m, const lc_rule_info *rule)
{
    bool listed = false, agrees = false;
    for (size_t i = 0; i < m->count; i++) {
        const clause *c = &m->items[i];
        listed = listed || (names_rule(c, rule->slug) && strong_enough(c, rule->strength));
        agrees = agrees || clause_agrees(c, rule);
    }
    lc_str slug = rule->slug;
    bool from_document = rule->strength == LC_MUST || rule->strength == LC_SHOULD;
    if (from_document && !listed)
        lc_buf_printf(&m->wrong, "%.*s: no clause is strong enough\n", LC_FMT(slug));
    if (rule->strength == LC_CORE_RULE && rule->core_function.len == 0)
        lc_buf_printf(&m->wrong, "%.*s: no core function\n", LC_FMT(slug));
    if (!agrees && (from_document || !has_other_source(rule)))
        lc_buf_printf(&m->wrong,
                      "%.*s: no clause says what it quotes, and it has no other source\n",
                      LC_FMT(slug));
    if (words(rule->quote) > MAX_WORDS)
        lc_buf_printf(&m->wrong, "%.*s: quotes too much\n", LC_FMT(slug));
}

/* ---- Tests. */

static map map_of(lc_str text)
{
    map m = {.arena = lc_arena_new()};
    read_map(&m, text);
    return m;
}

static void map_free(map *m)
{
    lc_buf_release(&m->wrong);
    lc_arena_free(m->arena);
}

START_TEST(test_clauses_of_the_documents)
{
    map m = {.arena = lc_arena_new()};
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, m.arena);
    ck_assert_int_eq(lc_file_read(&text, m.arena, LC_STR(MAP), 1 << 20, &diags), LC_OK);
    read_map(&m, text);
    for (int rule = 0; rule < LC_RULE_COUNT; rule++)
        check_rule(&m, lc_rule_get((lc_rule)rule));
    size_t shown = m.wrong.len < MAX_SHOWN ? m.wrong.len : MAX_SHOWN;
    ck_assert_msg(m.wrong.len == 0, "\n%.*s", LC_FMT(lc_str_sub(lc_buf_str(&m.wrong), 0, shown)));
    ck_assert_uint_gt(m.count, 100);
    map_free(&m);
}
END_TEST

#define GOOD "{strength: must, text: T, quote: a b, rules: [plan/absent]}"

static const struct {
    const char *name, *map, *contains;
} wrong_maps[] = {
    {"empty", "", "not read"},
    {"no yaml", "D: {S: [", "not read"},
    {"no section", "D: {S: }", "D, S: \"\": no clauses"},
    {"empty section", "D: {S: []}", "no clauses"},
    {"no mapping", "D: {S: [T]}", "a clause is a mapping"},
    {"no rules", "D: {S: [{strength: must, text: T, quote: q}]}", "no rule\n"},
    {"empty rules", "D: {S: [{strength: must, text: T, quote: q, rules: []}]}", "no rule\n"},
    {"text for rules", "D: {S: [{strength: must, text: T, quote: q, rules: plan/absent}]}",
     "no rule\n"},
    {"unknown rule", "D: {S: [{strength: must, text: T, quote: q, rules: [plan/gone]}]}",
     "\"T\": no such rule plan/gone"},
    {"rule twice",
     "D: {S: [{strength: must, text: T, quote: q, rules: [plan/absent, plan/absent]}]}",
     "twice the rule plan/absent"},
    {"unknown strength", "D: {S: [{strength: might, text: T, quote: q, rules: [plan/absent]}]}",
     "no such strength might"},
    {"no text", "D: {S: [{strength: must, quote: q, rules: [plan/absent]}]}", "no text"},
    {"blank text", "D: {S: [{strength: must, text: ' ', quote: q, rules: [plan/absent]}]}",
     "no text"},
    {"no quote", "D: {S: [{strength: must, text: T, rules: [plan/absent]}]}", "no or too many"},
    {"long quote",
     "D: {S: [{strength: must, text: T, quote: a b c d e f g h i j k l m, rules: [plan/absent]}]}",
     "no or too many"},
    {"foreign member",
     "D: {S: [{strength: must, text: T, quote: q, rules: [plan/absent], rule: x}]}",
     "no such member rule"},
    {"clause twice", "D: {S: [" GOOD "], X: [" GOOD "]}", "said twice"},
    {"quote twice",
     "D: {S: [" GOOD ", {strength: must, text: U, quote: a b, rules: [plan/absent]}]}",
     "quoted twice: a b"},
};

START_TEST(test_clauses_wrong_map)
{
    map m = map_of(lc_str_from_c(wrong_maps[_i].map));
    ck_assert_msg(contains(lc_buf_str(&m.wrong), lc_str_from_c(wrong_maps[_i].contains)),
                  "%s: %.*s", wrong_maps[_i].name, LC_FMT(lc_buf_str(&m.wrong)));
    map_free(&m);
}
END_TEST

static const struct {
    const char *name, *slug, *quote, *clause, *core_function;
    lc_strength strength;
    const char *wrong; /* "": nothing */
} rules[] = {
    {"in the document", "plan/absent", "a b", "D, S", "", LC_MUST, ""},
    {"part of the quote", "plan/absent", "b", "D, S", "", LC_MUST, ""},
    {"another quote", "plan/absent", "b c", "D, S", "", LC_MUST, "no clause says"},
    {"no quote", "plan/absent", "", "D, S", "", LC_MUST, "no clause says"},
    {"another section", "plan/absent", "a b", "D, X", "", LC_MUST, "no clause says"},
    {"not listed", "plan/present", "a b", "D, S", "", LC_MUST, "no clause is strong enough"},
    {"must, listed by may", "plan/null-type", "c d", "D, S", "", LC_MUST, "strong enough"},
    {"should, listed by may", "plan/null-type", "c d", "D, S", "", LC_SHOULD, "strong enough"},
    {"smell, listed by may", "plan/null-type", "c d", "D, S", "", LC_SMELL, ""},
    {"should, listed by must", "plan/absent", "a b", "D, S", "", LC_SHOULD, ""},
    {"must, elsewhere", "plan/absent", "", "SDK check", "", LC_MUST, "no clause says"},
    {"core", "plan/present", "", "core check", "f", LC_CORE_RULE, ""},
    {"core without function", "plan/present", "", "core check", "", LC_CORE_RULE,
     "no core function"},
    {"convention of core without function", "plan/present", "", "core check", "", LC_CONVENTION,
     "no other source"},
    {"convention", "plan/present", "", "protocol comment", "", LC_CONVENTION, ""},
    {"convention without source", "plan/present", "", "", "", LC_CONVENTION, "no other source"},
    {"convention of nowhere", "plan/present", "", "heuristic", "", LC_CONVENTION,
     "no other source"},
    {"smell of nowhere", "plan/present", "", "heuristic", "", LC_SMELL, ""},
    {"much quoted", "plan/absent", "a b c d e f g h i j k l m", "D, S", "", LC_MUST,
     "quotes too much"},
};

START_TEST(test_clauses_rule)
{
    map m = map_of(LC_STR("D: {S: [" GOOD
                          ", {strength: may, text: U, quote: c d, rules: [plan/null-type]}]}"));
    ck_assert_uint_eq(m.wrong.len, 0);
    check_rule(&m, &(lc_rule_info){.slug = lc_str_from_c(rules[_i].slug),
                                   .strength = rules[_i].strength,
                                   .quote = lc_str_from_c(rules[_i].quote),
                                   .clause = lc_str_from_c(rules[_i].clause),
                                   .core_function = lc_str_from_c(rules[_i].core_function)});
    ck_assert_msg(*rules[_i].wrong ? contains(lc_buf_str(&m.wrong), lc_str_from_c(rules[_i].wrong))
                                   : m.wrong.len == 0,
                  "%s: %.*s", rules[_i].name, LC_FMT(lc_buf_str(&m.wrong)));
    map_free(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("clauses");
    TCase *tc = tcase_create("clauses");
    tcase_add_test(tc, test_clauses_of_the_documents);
    ADD_ROWS(tc, test_clauses_wrong_map, wrong_maps);
    ADD_ROWS(tc, test_clauses_rule, rules);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
