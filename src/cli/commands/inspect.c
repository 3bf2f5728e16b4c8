/* lifecheck inspect: what an input is, what it holds, what is missing, which rules can be
 * checked with it. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/yaml_json/document.h"

#include <stdlib.h>
#include <string.h>

typedef struct type_count {
    lc_str type;
    uint64_t instances, calls;
} type_count;

typedef struct inspection {
    lc_arena *arena;
    uint64_t cases, calls[LC_CALL_KIND_COUNT];
    LC_VEC(type_count *) types;
    lc_table by_type;
    bool checked[LC_RULE_COUNT], lacking[LC_RULE_COUNT];
    lc_need missing[LC_RULE_COUNT];
    lc_used used;
    lc_str about, about_json;   /* the description that a recording contains; "": none */
    lc_str unseen, unseen_json; /* its calls that no rule looks at; "": none */
} inspection;

/* ---- Counting. */

static type_count *count_of(inspection *x, lc_str type)
{
    type_count *t = lc_table_get(&x->by_type, type);
    if (t)
        return t;
    t = LC_NEW(x->arena, type_count);
    t->type = lc_str_copy(x->arena, type);
    lc_table_put(&x->by_type, t->type, t);
    *LC_PUSH(x->arena, &x->types, type_count *) = t;
    return t;
}

/* A rule may miss an input in one case and be checked in another: both are noted. */
static void observe(void *context, const lc_judged *judged)
{
    inspection *x = context;
    const lc_case *c = &judged->scenario->subject;
    const lc_schema *schema = c->runs.count ? c->runs.items[0].schema : NULL;
    lc_schema_kind kind = schema && c->type.len ? schema->kind : LC_KIND_RESOURCE;
    type_count *t = count_of(x, lc_kind_and_type(x->arena, kind, c->type));
    x->cases++;
    t->instances++;
    for (size_t i = 0; i < c->runs.count; i++) {
        const lc_run *run = &c->runs.items[i];
        t->calls += run->calls.count;
        for (size_t k = 0; k < run->calls.count; k++)
            x->calls[run->calls.items[k].kind]++;
    }
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        x->checked[rule] |= judged->judgement.coverage[rule] == LC_COVER_CHECKED;
        if (judged->judgement.coverage[rule] == LC_COVER_NOT_CHECKED && !x->lacking[rule]) {
            x->lacking[rule] = true;
            x->missing[rule] = judged->judgement.missing[rule];
        }
    }
}

/* ---- The description that a recording contains. */

static void add_about_text(lc_buf *out, const lc_recording *r)
{
    lc_buf_add_c(out, "  recorded   ");
    if (r->by.len)
        lc_buf_printf(out, "by %.*s, ", LC_FMT(r->by));
    if (r->client.len)
        lc_buf_printf(out, "client %.*s%s%.*s, ", LC_FMT(r->client),
                      r->client_version.len ? " " : "", LC_FMT(r->client_version));
    lc_buf_add_c(out, r->redacted ? "redacted\n" : "not redacted\n");
    for (size_t i = 0; i < r->providers.count; i++) {
        const lc_recorded_provider *p = &r->providers.items[i];
        lc_buf_printf(out, "%s%.*s%s%.*s", i ? "             " : "  providers  ",
                      LC_FMT(p->address), p->version.len ? " " : "", LC_FMT(p->version));
        if (p->protocol)
            lc_buf_printf(out, " (protocol %llu)", (unsigned long long)p->protocol);
        lc_buf_add_char(out, '\n');
    }
    if (r->lost)
        lc_buf_printf(out, "  lost       %llu call%s\n", (unsigned long long)r->lost,
                      r->lost == 1 ? "" : "s");
}

static void add_text_if(lc_json *w, const char *key, lc_str text)
{
    if (text.len)
        lc_json_str(w, key, text);
}

static void add_about_json(lc_buf *out, const lc_recording *r)
{
    lc_json w = {.out = out};
    lc_json_object(&w, NULL);
    add_text_if(&w, "by", r->by);
    add_text_if(&w, "client", r->client);
    add_text_if(&w, "client_version", r->client_version);
    lc_json_bool(&w, "redacted", r->redacted);
    lc_json_uint(&w, "lost", r->lost);
    lc_json_array(&w, "providers");
    for (size_t i = 0; i < r->providers.count; i++) {
        const lc_recorded_provider *p = &r->providers.items[i];
        lc_json_object(&w, NULL);
        lc_json_str(&w, "address", p->address);
        add_text_if(&w, "version", p->version);
        if (p->protocol)
            lc_json_uint(&w, "protocol", p->protocol);
        lc_json_end_object(&w);
    }
    lc_json_end_array(&w);
    lc_json_end_object(&w);
}

/* The calls that no rule looks at. */
static void add_unseen_text(lc_buf *out, const lc_recording *r)
{
    for (size_t i = 0; i < r->unseen.count; i++) {
        const lc_unseen *u = &r->unseen.items[i];
        lc_buf_printf(out, "%s%llu %.*s, because %s\n", i ? "             " : "  not checked ",
                      (unsigned long long)u->count, LC_FMT(u->rpc), u->why);
    }
}

static void add_unseen_json(lc_buf *out, const lc_recording *r)
{
    lc_json w = {.out = out};
    lc_json_array(&w, NULL);
    for (size_t i = 0; i < r->unseen.count; i++) {
        const lc_unseen *u = &r->unseen.items[i];
        lc_json_object(&w, NULL);
        lc_json_str(&w, "call", u->rpc);
        lc_json_uint(&w, "count", u->count);
        lc_json_c(&w, "why", u->why);
        lc_json_end_object(&w);
    }
    lc_json_end_array(&w);
}

/* The recording is gone when the item is done: what it says is kept as it is printed. */
static void take_about(void *context, const lc_recording *recording)
{
    inspection *x = context;
    lc_buf text = {0}, json = {0}, unseen = {0}, unseen_json = {0};
    if (recording->stated) {
        add_about_text(&text, recording);
        add_about_json(&json, recording);
    }
    if (recording->unseen.count) {
        add_unseen_text(&unseen, recording);
        add_unseen_json(&unseen_json, recording);
    }
    x->about = lc_buf_copy(x->arena, &text);
    x->about_json = lc_buf_copy(x->arena, &json);
    x->unseen = lc_buf_copy(x->arena, &unseen);
    x->unseen_json = lc_buf_copy(x->arena, &unseen_json);
    lc_buf_release(&text);
    lc_buf_release(&json);
    lc_buf_release(&unseen);
    lc_buf_release(&unseen_json);
}

LC_ORDER_POINTERS_BY_STR(by_type, type_count, type)

/* ---- Rules, by family. */

static bool is_open(const inspection *x, int rule)
{
    return x->lacking[rule] && !x->checked[rule];
}

static size_t count_family(const bool *set, lc_str family)
{
    size_t count = 0;
    for (int rule = 0; rule < LC_RULE_COUNT; rule++)
        count += set[rule] && lc_str_eq(lc_rule_family((lc_rule)rule), family);
    return count;
}

/* The number of rules of the domains that the input belongs to, always with those of the lifecycle
 * of an object. */
static size_t rules_that_can_be(const inspection *x)
{
    bool domains[LC_DOMAIN_COUNT] = {[LC_DOMAIN_LIFECYCLE] = true};
    size_t count = 0;
    for (int rule = 0; rule < LC_RULE_COUNT; rule++)
        domains[lc_rule_domain((lc_rule)rule)] |= x->checked[rule] || x->lacking[rule];
    for (int rule = 0; rule < LC_RULE_COUNT; rule++)
        count += domains[lc_rule_domain((lc_rule)rule)];
    return count;
}

static void add_fed(lc_buf *out, const inspection *x)
{
    const char *comma = "";
    size_t total = 0;
    for (int rule = 0; rule < LC_RULE_COUNT; rule++)
        total += x->checked[rule];
    lc_buf_printf(out, "  can check  %zu of %zu rules", total, rules_that_can_be(x));
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_str family = lc_rule_family((lc_rule)rule);
        bool first = rule == 0 || !lc_str_eq(family, lc_rule_family((lc_rule)(rule - 1)));
        size_t count = first ? count_family(x->checked, family) : 0;
        if (count)
            lc_buf_printf(out, "%s%.*s (%zu)", *comma ? comma : ": ", LC_FMT(family), count);
        comma = count ? ", " : comma;
    }
    lc_buf_add_char(out, '\n');
}

static bool lacks(const inspection *x, int rule, unsigned need)
{
    return is_open(x, rule) && x->missing[rule] == need;
}

/* Do all rules of the family that apply lack this input? Then the family is named instead of each.
 */
static bool family_lacks(const inspection *x, lc_str family, unsigned need)
{
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        if ((x->checked[rule] || x->lacking[rule]) &&
            lc_str_eq(lc_rule_family((lc_rule)rule), family) && !lacks(x, rule, need))
            return false;
    }
    return true;
}

static void add_lacking(lc_buf *out, const inspection *x, unsigned need)
{
    const char *comma = "";
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        lc_str family = lc_rule_family((lc_rule)rule);
        bool whole = family_lacks(x, family, need);
        if (!lacks(x, rule, need))
            continue;
        lc_buf_add_c(out, comma);
        comma = ", ";
        if (!whole) {
            lc_buf_add_str(out, lc_rule_get((lc_rule)rule)->slug);
            continue;
        }
        lc_buf_printf(out, "%.*s/*", LC_FMT(family));
        while (rule + 1 < LC_RULE_COUNT && lc_str_eq(lc_rule_family((lc_rule)(rule + 1)), family))
            rule++;
    }
}

static void add_missing(lc_buf *out, const inspection *x)
{
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        bool any = false;
        for (int rule = 0; rule < LC_RULE_COUNT; rule++)
            any |= lacks(x, rule, need);
        if (!any)
            continue;
        lc_buf_printf(out, "  missing    %s: ", lc_need_name((lc_need)need));
        add_lacking(out, x, need);
        lc_buf_add_char(out, '\n');
    }
}

/* ---- Text. */

static void add_calls(lc_buf *out, const inspection *x)
{
    const char *comma = "";
    lc_buf_add_c(out, "  calls      ");
    for (unsigned kind = 0; kind < LC_CALL_KIND_COUNT; kind++) {
        if (x->calls[kind] == 0)
            continue;
        lc_buf_printf(out, "%s%s %llu", comma, lc_call_kind_name((lc_call_kind)kind),
                      (unsigned long long)x->calls[kind]);
        comma = ", ";
    }
    lc_buf_add_c(out, *comma ? "\n" : "none\n");
}

static void add_types(lc_buf *out, const inspection *x)
{
    for (size_t i = 0; i < x->types.count; i++) {
        const type_count *t = x->types.items[i];
        lc_buf_printf(
            out, "%s%.*s: %llu instance%s, %llu call%s\n", i ? "             " : "  types      ",
            LC_FMT(t->type.len ? t->type : LC_STR("(no type)")), (unsigned long long)t->instances,
            t->instances == 1 ? "" : "s", (unsigned long long)t->calls, t->calls == 1 ? "" : "s");
    }
}

static const char *what_is(const lc_outcome *outcome)
{
    return outcome->opened ? lc_input_describe(outcome->kind) : "not readable";
}

static void add_text(lc_buf *out, const inspection *x, lc_str file, const lc_outcome *outcome)
{
    if (outcome->opened && outcome->kind != LC_INPUT_UNKNOWN)
        lc_buf_printf(out, "%.*s: %s (--input %s)\n", LC_FMT(file),
                      lc_input_describe(outcome->kind), lc_input_name(outcome->kind));
    else
        lc_buf_printf(out, "%.*s: %s\n", LC_FMT(file), what_is(outcome));
    lc_buf_add_str(out, x->about);
    add_calls(out, x);
    add_types(out, x);
    lc_buf_add_str(out, x->unseen);
    for (size_t i = 0; i < x->used.list.count; i++)
        lc_buf_printf(out, "  used       %.*s\n", LC_FMT(x->used.list.items[i]));
    add_fed(out, x);
    add_missing(out, x);
    lc_buf_add_str(out, lc_buf_str(&outcome->errors[0]));
}

/* ---- JSON. */

static void add_rules(lc_doc *parent, const char *key, const inspection *x, unsigned need)
{
    lc_doc *list = lc_doc_add_array(parent, key);
    for (int rule = 0; rule < LC_RULE_COUNT; rule++) {
        bool wanted =
            need == LC_NEED_COUNT ? x->checked[rule] : is_open(x, rule) && x->missing[rule] == need;
        if (wanted)
            lc_doc_add_str(list, NULL, lc_rule_get((lc_rule)rule)->slug);
    }
}

/* "feeds" and "lacks" are the names that programs read. */
static void add_json(lc_doc *parent, const inspection *x, lc_str file, const lc_outcome *outcome)
{
    lc_doc *doc = lc_doc_add_object(parent, NULL);
    lc_doc_add_str(doc, "file", file);
    lc_doc_add_c(doc, "kind", what_is(outcome));
    lc_doc_add_uint(doc, "instances", x->cases);
    lc_doc_add_uint(doc, "errors", outcome->summary.errors);
    lc_doc_add_c(doc, "input", lc_input_name(outcome->kind));
    lc_doc_add_strs(doc, "used", x->used.list.items, x->used.list.count);
    if (x->about_json.len)
        lc_doc_add_raw(doc, "recording", x->about_json);
    lc_doc *calls = lc_doc_add_object(doc, "calls");
    for (unsigned kind = 0; kind < LC_CALL_KIND_COUNT; kind++) {
        if (x->calls[kind])
            lc_doc_add_uint(calls, lc_call_kind_name((lc_call_kind)kind), x->calls[kind]);
    }
    if (x->unseen_json.len)
        lc_doc_add_raw(doc, "unchecked", x->unseen_json);
    lc_doc *types = lc_doc_add_array(doc, "types");
    for (size_t i = 0; i < x->types.count; i++) {
        lc_doc *type = lc_doc_add_object(types, NULL);
        lc_doc_add_str(type, "type", x->types.items[i]->type);
        lc_doc_add_uint(type, "instances", x->types.items[i]->instances);
        lc_doc_add_uint(type, "calls", x->types.items[i]->calls);
    }
    add_rules(doc, "feeds", x, LC_NEED_COUNT);
    lc_doc *lacking = lc_doc_add_object(doc, "lacks");
    for (unsigned need = 0; need < LC_NEED_COUNT; need++) {
        bool any = false;
        for (int rule = 0; rule < LC_RULE_COUNT; rule++)
            any |= lacks(x, rule, need);
        if (any)
            add_rules(lacking, lc_need_name((lc_need)need), x, need);
    }
}

/* ---- The command. */

/* One item. An inspection has arrays by rule, too large for the stack. */
static bool inspect(lc_checker *checker, const lc_item *item, lc_buf *out, lc_doc *list)
{
    lc_outcome outcome;
    inspection *x = lc_heap_alloc(sizeof *x);
    memset(x, 0, sizeof *x);
    x->arena = lc_arena_new();
    lc_table_init(&x->by_type, x->arena);
    checker->observe = observe;
    checker->observe_context = x;
    checker->capture.about = take_about;
    checker->capture.about_context = x;
    x->used.arena = x->arena;
    checker->capture.used = &x->used;
    lc_check_item(&outcome, checker, item);
    if (x->types.count)
        qsort(x->types.items, x->types.count, sizeof *x->types.items, by_type);
    add_json(list, x, item->file, &outcome);
    add_text(out, x, item->file, &outcome);
    bool ok = outcome.summary.errors == 0;
    lc_outcome_release(&outcome);
    lc_arena_free(x->arena);
    lc_heap_free(x);
    return ok;
}

lc_exit lc_cmd_inspect(const lc_cli *cli)
{
    const lc_options *o = &cli->options;
    lc_items items;
    lc_report_options report = {.format = LC_FORMAT_TEXT, .quiet = true, .policy = o->policy};
    lc_checker checker = {.policy = &o->policy,
                          .reports = &report,
                          .report_count = 1,
                          .empty_advice = LC_EMPTY_ADVICE,
                          .limits = o->limits,
                          .input = o->input_kind,
                          .capture = lc_cli_capture(cli)};
    if (cli->words.count == 0) {
        lc_message("inspect takes inputs: scenarios, recorded calls, capture directories, plans or "
                   "states");
        return LC_EXIT_USAGE;
    }
    checker.store_arena = lc_arena_new();
    lc_schema_store_init(&checker.store, checker.store_arena, checker.limits);
    lc_find_items(&items, cli, &cli->words, checker.input);
    lc_buf text = {0}, json = {0};
    lc_doc *list = lc_doc_array();
    bool ok = items.list.count > 0;
    lc_report_empty_folders(&items);
    for (size_t i = 0; i < items.list.count; i++)
        ok = inspect(&checker, &items.list.items[i], &text, list) && ok;
    ok = lc_observe_named(&checker) == 0 && ok;
    lc_doc_print(&json, list);
    lc_buf_add_char(&json, '\n');
    lc_arena_free(checker.store_arena);
    lc_exit printed = lc_print_both(cli, &text, &json);
    return printed != LC_EXIT_OK ? printed : ok ? LC_EXIT_OK : LC_EXIT_INPUT;
}
