/* lifecheck rules --clauses: the clauses of the documents, and the rules for each. */
#include "cli/commands/clauses.h"
#include "cli/embedded.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/yaml_json/document.h"
#include "lifecheck/yaml_json/node.h"

#define MAP "testdata/clauses.yaml" /* compared with the catalogue by a unit test */

static bool fits(const lc_node *rules, lc_str glob)
{
    bool any = lc_str_is(glob, "*");
    for (uint32_t i = 0; !any && i < lc_node_item_count(rules); i++)
        any = lc_str_matches_glob(lc_node_as_text(&rules->as.items[i]), glob);
    return any;
}

static lc_str list_of(lc_arena *arena, const lc_node *rules)
{
    lc_buf out = {0};
    for (uint32_t i = 0; i < lc_node_item_count(rules); i++)
        lc_buf_printf(&out, "%s%.*s", i ? ", " : "", LC_FMT(lc_node_as_text(&rules->as.items[i])));
    return lc_buf_take(arena, &out);
}

/* ---- One clause. */

typedef struct listing {
    lc_arena *arena;
    lc_str glob;
    lc_page *page; /* or NULL */
    lc_doc *doc;   /* or NULL */
    lc_str document, section;
    bool in_section; /* its heading was printed */
    size_t count, unwatched;
    bool named[LC_RULE_COUNT];
} listing;

static void note_rules(listing *l, const lc_node *rules)
{
    lc_rule rule;
    for (uint32_t i = 0; i < lc_node_item_count(rules); i++) {
        if (lc_rule_from_slug(&rule, lc_node_as_text(&rules->as.items[i])))
            l->named[rule] = true;
    }
}

static void add_text(listing *l, const lc_node *clause)
{
    lc_str rules = list_of(l->arena, lc_node_get(clause, "rules"));
    lc_str strength = lc_node_text(clause, "strength");
    if (!l->in_section)
        lc_buf_printf(&l->page->text, "%s%.*s, %.*s\n", l->page->text.len ? "\n" : "",
                      LC_FMT(l->document), LC_FMT(l->section));
    l->in_section = true;
    lc_page_add(l->page, lc_str_to_c(l->arena, strength), lc_node_text(clause, "text"));
    lc_page_add(l->page, "", rules.len ? rules : LC_STR("no rule checks it"));
}

static void add_record(listing *l, const lc_node *clause)
{
    static const char *const members[] = {"strength", "text", "quote"};
    const lc_node *rules = lc_node_get(clause, "rules");
    lc_doc *doc = lc_doc_add_object(l->doc, NULL);
    lc_doc_add_str(doc, "document", l->document);
    lc_doc_add_str(doc, "section", l->section);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        lc_doc_add_str(doc, members[i], lc_node_text(clause, members[i]));
    lc_doc *list = lc_doc_add_array(doc, "rules");
    for (uint32_t i = 0; i < lc_node_item_count(rules); i++)
        lc_doc_add_str(list, NULL, lc_node_as_text(&rules->as.items[i]));
}

static void add_clause(listing *l, const lc_node *clause)
{
    const lc_node *rules = lc_node_get(clause, "rules");
    note_rules(l, rules);
    if (!fits(rules, l->glob))
        return;
    l->count++;
    l->unwatched += lc_node_item_count(rules) == 0;
    if (l->page)
        add_text(l, clause);
    else
        add_record(l, clause);
}

static void add_all(listing *l, const lc_node *documents)
{
    for (uint32_t i = 0; i < documents->count; i++) {
        const lc_member *document = &documents->as.members[i];
        for (uint32_t k = 0; k < document->value.count; k++) {
            const lc_member *section = &document->value.as.members[k];
            l->document = document->key;
            l->section = section->key;
            l->in_section = false;
            for (uint32_t n = 0; n < section->value.count; n++)
                add_clause(l, &section->value.as.items[n]);
        }
    }
}

/* ---- All of them. */

static void add_counts(const listing *l)
{
    size_t rest = 0;
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++)
        rest += !l->named[rule];
    lc_buf_printf(&l->page->text, "\n%zu clause%s, %zu without a rule; ", l->count,
                  l->count == 1 ? "" : "s", l->unwatched);
    lc_buf_printf(&l->page->text,
                  "%zu of %u rules come from no clause, but from checks of clients or SDKs\n", rest,
                  (unsigned)LC_RULE_COUNT);
}

void lc_clauses_add(lc_buf *out, lc_str glob, bool json)
{
    lc_arena *arena = lc_arena_new();
    const lc_embedded *file = lc_embedded_file(LC_STR(MAP));
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_page page = {.label = 13, .width = 100};
    listing *l = LC_NEW(arena, listing);
    *l = (listing){.arena = arena,
                   .glob = glob,
                   .page = json ? NULL : &page,
                   .doc = json ? lc_doc_array() : NULL};
    lc_diags_init(&diags, arena);
    if (!file || lc_yaml_parse(&source, arena, LC_STR(MAP), lc_str_from_c(file->text), &limits,
                               &diags) != LC_OK)
        LC_BUG("the clauses that are part of the program cannot be read");
    add_all(l, &source.documents[0]);
    if (json) {
        lc_doc_print(out, l->doc);
        lc_buf_add_char(out, '\n');
    } else {
        add_counts(l);
        lc_buf_add_str(out, lc_buf_str(&page.text));
        lc_buf_release(&page.text);
    }
    lc_arena_free(arena);
}
