/* Scenario files: documents, cases and runs, and which of several equal keys counts.
 *
 * A file is read in two steps. First every document is split into *plans*, one for each case: its
 * name and the mappings that its keys come from. No values are read yet, so that names can be
 * compared and a single case can be selected cheaply. Then each plan is read on its own, with its
 * own diagnostics: a case with an error is dropped and the others are kept. An error in a part that
 * several cases inherit is reported once. */
#include "lifecheck/base/arena.h"
#include "scenario/internal.h"

#include <stdlib.h>
#include <string.h>

/* A case that is not read yet. */
typedef struct plan {
    lc_layer own;         /* the item of `cases`, or the document */
    const lc_layer *head; /* the document of an item of `cases`, else NULL */
    lc_loc loc;
    uint32_t document;
    lc_str name; /* empty: none written */
    lc_loc name_loc;
    lc_diags diags;      /* of its keys */
    bool broken;         /* its document or its keys are wrong */
    lc_lint_notes lints; /* of its head and name */
} plan;

typedef struct file_reader {
    lc_in in;
    lc_scenario_file *out;
    lc_diags *diags;                /* the caller's */
    size_t first_diag, first_error; /* how many of them there were before this file */
    lc_table reported;              /* errors that were merged, by place and text */
    lc_table *linted; /* places of lints that were reported; lives as long as the cases */
    bool anchors_reported;
    LC_VEC(plan *) plans;
    lc_comments ignores; /* comments that ignore findings */
    lc_str only;
    bool refused; /* a document of a kind that is not read: it had no chance to hold `only` */
} file_reader;

/* ---- Diagnostics of parts. */

/* Adds diagnostics to the caller's, each only once: cases share the nodes that they inherit. */
static void merge(file_reader *f, const lc_diags *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const lc_diag *d = &from->items[i];
        lc_str key = lc_str_printf(f->in.arena, "%.*s:%u:%u:%.*s", LC_FMT(d->loc.file), d->loc.line,
                                   d->loc.column, LC_FMT(d->message));
        if (lc_table_put(&f->reported, key, f))
            continue;
        if (d->severity == LC_DIAG_ERROR)
            lc_diag_error(f->diags, d->loc, "%.*s", LC_FMT(d->message));
        else
            lc_diag_warning(f->diags, d->loc, "%.*s", LC_FMT(d->message));
    }
    f->diags->errors += from->dropped;
    f->diags->dropped += from->dropped;
}

static int compare_diags(const void *a, const void *b)
{
    const lc_diag *x = a, *y = b;
    int order = lc_str_cmp(x->loc.file, y->loc.file);
    if (order == 0 && x->loc.line != y->loc.line)
        order = x->loc.line < y->loc.line ? -1 : 1;
    if (order == 0 && x->loc.column != y->loc.column)
        order = x->loc.column < y->loc.column ? -1 : 1;
    return order ? order : lc_str_cmp(x->message, y->message);
}

/* Cases and their parts are not read in the order of the text, but are reported so. */
static void sort_diags(file_reader *f)
{
    size_t count = f->diags->count - f->first_diag;
    if (count > 1)
        qsort(f->diags->items + f->first_diag, count, sizeof(lc_diag), compare_diags);
}

/* ---- Documents to plans. */

static void read_name(file_reader *f, plan *p)
{
    lc_layers scope = {{&p->own, p->head}, p->head ? 2 : 1};
    const lc_member *member = lc_layers_get(&scope, LC_KEY_NAME);
    if (!member)
        return;
    p->name_loc = lc_in_loc(&f->in, &member->value);
    if (!lc_in_text(&f->in, &p->name, &member->value, "the name of a case"))
        p->broken = true;
    else if (p->name.len == 0)
        lc_diag_error(&p->diags, p->name_loc, "the name of a case is not empty");
    p->broken = p->broken || p->diags.errors > 0;
}

static plan *add_plan(file_reader *f, const lc_node *node, uint32_t document, const lc_layer *head)
{
    plan *p = LC_NEW(f->in.arena, plan);
    *LC_PUSH(f->in.arena, &f->plans, plan *) = p;
    lc_diags_init(&p->diags, f->in.arena);
    p->loc = lc_in_loc(&f->in, node);
    p->document = document;
    p->head = head;
    p->name = LC_STR_EMPTY;
    return p;
}

/* Reports keys of the document that every case replaces. The last `count` plans are its cases. */
static void note_head(file_reader *f, const lc_layer *head, size_t count)
{
    plan *const *plans = f->plans.items + f->plans.count - count;
    const lc_layer **layers = LC_NEW_ARRAY(f->in.arena, const lc_layer *, count);
    for (size_t i = 0; i < count; i++)
        layers[i] = &plans[i]->own;
    lc_note_unused_head(&plans[0]->lints, &f->in, head, layers, count);
}

static void plan_cases(file_reader *f, const lc_layer *head, const lc_node *cases,
                       uint32_t document, bool broken)
{
    if (!lc_in_sequence(&f->in, cases, "cases"))
        return;
    if (cases->count == 0)
        lc_diag_error(f->in.diags, lc_in_loc(&f->in, cases),
                      "cases is empty: write a case into it, or remove the key");
    for (uint32_t i = 0; i < cases->count; i++) {
        lc_diags *outer = f->in.diags;
        plan *p = add_plan(f, &cases->as.items[i], document, head);
        f->in.diags = &p->diags;
        p->broken = !lc_in_layer(&f->in, &p->own, &cases->as.items[i], LC_AT_CASE) || broken;
        read_name(f, p);
        f->in.diags = outer;
    }
    if (cases->count)
        note_head(f, head, cases->count);
}

/* No other error is reported for a document without a version: it may not be a scenario at all. A
 * key that looks like a misspelt `lifecheck` is named. */
static void missing_version(file_reader *f, const lc_node *root)
{
    lc_str name = lc_str_from_c(lc_key_name(LC_KEY_LIFECHECK)), what;
    if (lc_foreign_root(&what, root)) {
        lc_diag_error(f->in.diags, lc_in_loc(&f->in, root), "%.*s", LC_FMT(what));
        return;
    }
    for (uint32_t i = 0; i < root->count; i++) {
        const lc_member *member = &root->as.members[i];
        if (lc_str_nearest(member->key, &name, 1).len) {
            lc_in_unknown_key(&f->in, member, "a scenario", &name, 1);
            return;
        }
    }
    lc_diag_error(f->in.diags, lc_in_loc(&f->in, root),
                  "a scenario needs the key \"lifecheck\", the version of the format: "
                  "lifecheck: 1");
}

/* Only the number 1 is accepted, not the text "1". */
static bool check_version(file_reader *f, const lc_node *root)
{
    const lc_node *node = lc_node_get(root, lc_key_name(LC_KEY_LIFECHECK));
    if (!node) {
        missing_version(f, root);
        return false;
    }
    f->out->is_scenario = true;
    if (node->kind == LC_NODE_NUMBER && lc_str_is(node->as.text, "1") && !node->tag)
        return true;
    bool text = node->kind == LC_NODE_STRING && lc_str_is(node->as.text, "1");
    lc_diag_error(
        f->in.diags, lc_in_loc(&f->in, node),
        "\"lifecheck\" is the version of the format, and this program reads version 1: %s",
        text ? "write the number 1 without quotes" : "write `lifecheck: 1`");
    return false;
}

static void plan_mapping(file_reader *f, const lc_node *root, uint32_t document)
{
    lc_diags *found = f->in.diags;
    lc_layer *layer = LC_NEW(f->in.arena, lc_layer);
    if (!check_version(f, root)) {
        f->refused = true;
        return;
    }
    bool ok = lc_in_layer(&f->in, layer, root, LC_AT_DOCUMENT);
    if (layer->member[LC_KEY_CASES]) {
        plan_cases(f, layer, &layer->member[LC_KEY_CASES]->value, document, !ok);
    } else {
        plan *p = add_plan(f, root, document, NULL);
        p->own = *layer;
        f->in.diags = &p->diags;
        read_name(f, p);
        f->in.diags = found;
        p->broken = p->broken || !ok;
    }
}

static void plan_document(file_reader *f, const lc_node *root, uint32_t document)
{
    lc_diags found;
    lc_diags_init(&found, f->in.arena);
    f->in.diags = &found;
    if (root->kind == LC_NODE_MAPPING || root->tag) {
        if (lc_in_mapping(&f->in, root, "a scenario"))
            plan_mapping(f, root, document);
    } else {
        lc_diag_error(&found, lc_in_loc(&f->in, root),
                      "a scenario is a mapping with the key `lifecheck: 1`, not %s: `lifecheck "
                      "init` writes one; `lifecheck explain --error FILE` reads a pasted error",
                      lc_node_kind_name(root));
    }
    merge(f, &found);
}

/* A list at the root holds several documents, in YAML as in JSON. */
static void plan_root(file_reader *f, const lc_node *root, uint32_t *document)
{
    if (root->kind != LC_NODE_SEQUENCE || root->tag) {
        plan_document(f, root, ++*document);
        return;
    }
    if (root->count == 0)
        lc_diag_error(f->diags, lc_in_loc(&f->in, root), "the file holds no scenario");
    for (uint32_t i = 0; i < root->count; i++)
        plan_document(f, &root->as.items[i], ++*document);
}

/* ---- Names. */

static void note_missing_name(file_reader *f, plan *p, size_t i)
{
    if (f->plans.count > 1)
        lc_note(&p->lints, f->in.arena, LC_LINT_NAME_MISSING, p->loc,
                "this case has no name, it is called \"case %zu\"", i + 1);
}

/* Cases without a name are called after the file, or "case N" if there are several. Names must be
 * unique, because reports and options refer to cases by name. */
static void name_plans(file_reader *f)
{
    lc_table names;
    lc_table_init(&names, f->in.arena);
    for (size_t i = 0; i < f->plans.count; i++) {
        plan *p = f->plans.items[i];
        if (p->name.len == 0) {
            p->name_loc = p->loc;
            note_missing_name(f, p, i);
            p->name = f->plans.count == 1 ? lc_file_name(f->out->file)
                                          : lc_str_printf(f->in.arena, "case %zu", i + 1);
        }
        plan *former = lc_table_get(&names, p->name);
        if (!former) {
            lc_table_put(&names, p->name, p);
            continue;
        }
        lc_diag_error(&p->diags, p->name_loc, "the name \"%.*s\" is that of the case at line %u",
                      LC_FMT(p->name), former->name_loc.line);
        p->broken = true;
    }
}

static bool is_chosen(const file_reader *f, const plan *p)
{
    return f->only.len == 0 || lc_str_eq(f->only, p->name);
}

#define MOST_NAMES 10 /* that are listed */

/* The names of the cases, or the first of them. */
static lc_str list_names(lc_arena *arena, const lc_str *names, size_t count)
{
    lc_buf list = {0};
    for (size_t i = 0; i < count && i < MOST_NAMES; i++)
        lc_buf_printf(&list, "%s\"%.*s\"", i ? ", " : "", LC_FMT(names[i]));
    if (count > MOST_NAMES)
        lc_buf_printf(&list, " and %zu more", count - MOST_NAMES);
    return lc_buf_take(arena, &list);
}

/* Reports a selected name that no case has. Not if a document was refused: the case may be there.
 */
static void complain_of_choice(file_reader *f)
{
    size_t count = f->plans.count;
    lc_str *names = LC_NEW_ARRAY(f->in.arena, lc_str, count);
    for (size_t i = 0; i < count; i++) {
        names[i] = f->plans.items[i]->name;
        if (is_chosen(f, f->plans.items[i]))
            return;
    }
    if (f->only.len == 0 || f->refused)
        return;
    lc_str near = lc_str_nearest(f->only, names, count);
    lc_str list = near.len ? near : list_names(f->in.arena, names, count);
    lc_diag_error(f->diags, (lc_loc){f->out->file, 0, 0}, "no case has the name \"%.*s\"%s%.*s%s",
                  LC_FMT(f->only),
                  near.len   ? "; did you mean \""
                  : list.len ? "; there is "
                             : "",
                  LC_FMT(list), near.len ? "\"?" : "");
}

/* ---- Plans to cases. */

static bool misspells_schema(const lc_layers *scope)
{
    bool does = false;
    for (size_t l = 0; l < scope->count; l++)
        does |= scope->layers[l]->misspells_schema;
    return does;
}

/* The order matters: circumstances use the previous run state, calls use both. */
static bool read_run(lc_in *in, lc_scenario *scenario, size_t at, const lc_layers *scope)
{
    lc_run *run = &scenario->subject.runs.items[at];
    const lc_node *schema = lc_layers_value(scope, LC_KEY_SCHEMA);
    const lc_node *expected = lc_layers_value(scope, LC_KEY_EXPECT);
    const lc_member *stored = lc_layers_get(scope, LC_KEY_PREVIOUS_RUN_STATE);
    run->loc = lc_in_loc(in, scope->layers[0]->node);
    run->prior_private = run->previous_run_state.private_data = LC_STR_EMPTY;
    run->schema = schema                    ? lc_in_schema(in, schema)
                  : misspells_schema(scope) ? NULL
                                            : lc_in_provided_schema(in, run->loc);
    if (stored)
        lc_in_previous_run_state(in, &run->previous_run_state, stored, run->schema);
    lc_in_circumstances(in, run, scope);
    lc_in_calls(in, run, scope);
    if (expected)
        lc_in_expect(in, &scenario->expects[at], expected, run->schema);
    if (lc_layers_get(scope, LC_KEY_DRIVE))
        lc_in_driving(in, &scenario->driving[at], lc_layers_get(scope, LC_KEY_DRIVE));
    return run->schema != NULL;
}

/* An lc_run is large, so the array gets the exact size. */
static void make_runs(lc_in *in, lc_scenario *scenario, lc_written *written, size_t count)
{
    written->runs = lc_arena_zalloc(in->arena, lc_mul_size(count, sizeof *written->runs));
    written->run_count = count;
    scenario->expects = lc_arena_zalloc(in->arena, lc_mul_size(count, sizeof *scenario->expects));
    scenario->driving = lc_arena_zalloc(in->arena, lc_mul_size(count, sizeof *scenario->driving));
    scenario->subject.runs.items = lc_arena_zalloc(in->arena, lc_mul_size(count, sizeof(lc_run)));
    scenario->subject.runs.count = scenario->subject.runs.capacity = count;
}

static void note_head_of_runs(lc_in *in, lc_written *written, const lc_layer *head)
{
    const lc_layer **layers = LC_NEW_ARRAY(in->arena, const lc_layer *, written->run_count);
    for (size_t i = 0; i < written->run_count; i++)
        layers[i] = &written->runs[i].own;
    if (written->run_count)
        lc_note_unused_head(&written->notes, in, head, layers, written->run_count);
}

/* The keys next to `runs` are the defaults of every run. */
static bool read_runs(lc_in *in, lc_scenario *scenario, lc_written *written, const lc_layers *scope,
                      const lc_node *runs)
{
    bool ok = true;
    if (!lc_in_sequence(in, runs, "runs"))
        return false;
    if (runs->count == 0)
        lc_diag_error(in->diags, lc_in_loc(in, runs),
                      "runs is empty: write a run into it, or remove the key");
    make_runs(in, scenario, written, runs->count);
    for (uint32_t i = 0; i < runs->count; i++) {
        lc_written_run *text = &written->runs[i];
        text->scope = (lc_layers){{&text->own}, 1};
        ok = lc_in_layer(in, &text->own, &runs->as.items[i], LC_AT_RUN) && ok;
        for (size_t l = 0; l < scope->count; l++)
            text->scope.layers[text->scope.count++] = scope->layers[l];
        ok = read_run(in, scenario, i, &text->scope) && ok;
    }
    note_head_of_runs(in, written, scope->layers[0]);
    return ok;
}

static bool read_one_run(lc_in *in, lc_scenario *scenario, lc_written *written,
                         const lc_layers *scope)
{
    make_runs(in, scenario, written, 1);
    written->runs->scope = *scope;
    return read_run(in, scenario, 0, scope);
}

/* ---- Cases of a whole configuration. */

void lc_scenario_set_planning(lc_scenario *scenario, lc_arena *arena,
                              const struct lc_planning *planning)
{
    lc_case *subject = &scenario->subject;
    subject->planning = planning;
    subject->runs.items = lc_arena_zalloc(arena, sizeof(lc_run));
    subject->runs.count = subject->runs.capacity = 1;
    subject->runs.items->loc = subject->loc;
    scenario->expects = lc_arena_zalloc(arena, sizeof *scenario->expects);
}

/* The key that makes this a case of a whole plan or configuration (`planning`, `providers`); NULL:
 * the case is about one object and its calls. */
static const lc_member *find_planning(const lc_layers *scope, lc_case_key *key)
{
    const lc_member *member = lc_layers_get(scope, *key = LC_KEY_PLANNING);
    return member ? member : lc_layers_get(scope, *key = LC_KEY_PROVIDERS);
}

/* Keys about a single object make no sense next to `planning` or `providers`. */
static bool check_keys_beside(lc_in *in, const lc_layers *scope, lc_case_key key)
{
    bool ok = true;
    for (size_t l = 0; l < scope->count; l++) {
        for (unsigned other = 0; other < LC_KEY_COUNT; other++) {
            bool fits = other == key || other == LC_KEY_LIFECHECK || other == LC_KEY_CASES ||
                        other == LC_KEY_NAME || other == LC_KEY_KNOWN_FAILING ||
                        other == LC_KEY_IGNORE || other == LC_KEY_EXPECT;
            if (fits || !scope->layers[l]->member[other])
                continue;
            lc_diag_error(in->diags, lc_in_key_loc(in, scope->layers[l]->member[other]),
                          "the key \"%s\" cannot be used together with \"%s\"",
                          lc_key_name((lc_case_key)other), lc_key_name(key));
            ok = false;
        }
    }
    return ok;
}

static bool read_planning(lc_in *in, lc_scenario *scenario, const lc_layers *scope, lc_case_key key,
                          const lc_member *member)
{
    const lc_node *expected = lc_layers_value(scope, LC_KEY_EXPECT);
    bool ok = check_keys_beside(in, scope, key);
    const struct lc_planning *planning = key == LC_KEY_PLANNING
                                             ? lc_in_planning(in, &member->value)
                                             : lc_in_providers(in, &member->value);
    lc_scenario_set_planning(scenario, in->arena, planning);
    if (expected)
        lc_in_expect(in, scenario->expects, expected, NULL);
    return ok && planning;
}

/* The type name of the schema wins over that of the address. */
static void set_names(lc_in *in, lc_case *subject)
{
    const lc_schema *schema = subject->runs.count ? subject->runs.items[0].schema : NULL;
    subject->type = lc_address_type(in->resource);
    if (schema && schema->type_name.len)
        subject->type = schema->type_name;
    subject->resource = in->resource.len ? in->resource : subject->type;
    subject->sensitive.items = in->values.sensitive.items;
    subject->sensitive.count = in->values.sensitive.count;
    subject->sensitive.capacity = in->values.sensitive.capacity;
}

/* A word without a name is not an address, and probably a mistake. Functions and states belong to a
 * provider, whose schema they have. A faulty provider may name a type "." or "..". */
static bool is_object_address(lc_str address)
{
    size_t dot = lc_str_find(address, 0, '.');
    return dot < address.len && address.ptr[address.len - 1] != '.';
}

static void check_address(lc_in *in, const lc_case *subject, const lc_node *resource)
{
    const lc_schema *schema = subject->runs.count ? subject->runs.items[0].schema : NULL;
    if (!resource || !in->resource.len || !schema || schema->kind == LC_KIND_PROVIDER ||
        is_object_address(in->resource))
        return;
    lc_str type = schema->type_name.len ? schema->type_name : in->resource;
    lc_diag_error(in->diags, lc_in_loc(in, resource),
                  "the resource \"%.*s\" is not the address of an object: write TYPE.NAME, such as "
                  "%.*s.example",
                  LC_FMT(in->resource), LC_FMT(type));
}

/* What lints need of the text. Unused anchors concern the whole file; the first case reports them.
 */
static lc_written *begin_text(file_reader *f, const plan *p)
{
    lc_written *written = LC_NEW(f->in.arena, lc_written);
    const lc_source *source = f->in.source;
    written->arena = f->in.arena;
    written->lines = f->in.values.lines;
    written->reported = f->linted;
    written->notes = p->lints;
    f->in.values.lints = &written->notes;
    for (size_t i = 0; i < source->unused_anchor_count && !f->anchors_reported; i++) {
        const lc_unused_anchor *a = &source->unused_anchors[i];
        lc_note(&written->notes, f->in.arena, LC_LINT_ANCHOR_UNUSED,
                lc_lines_loc(written->lines, a->where), "no alias refers to the anchor \"%.*s\"",
                LC_FMT(a->name));
    }
    f->anchors_reported = true;
    return written;
}

/* The line where the next case begins. */
static uint32_t end_of(const file_reader *f, const plan *p)
{
    for (size_t i = 0; i + 1 < f->plans.count; i++) {
        if (f->plans.items[i] == p)
            return f->plans.items[i + 1]->loc.line;
    }
    return UINT32_MAX;
}

static lc_scenario *read_case(file_reader *f, const plan *p)
{
    lc_in *in = &f->in;
    lc_written *written = begin_text(f, p);
    lc_layers scope = {{&p->own, p->head}, p->head ? 2 : 1};
    lc_scenario *scenario = LC_NEW(in->arena, lc_scenario);
    const lc_node *resource = lc_layers_value(&scope, LC_KEY_RESOURCE);
    const lc_node *runs = lc_layers_value(&scope, LC_KEY_RUNS);
    const lc_node *ignored = lc_layers_value(&scope, LC_KEY_IGNORE);
    const lc_node *failing = lc_layers_value(&scope, LC_KEY_KNOWN_FAILING);
    scenario->subject = (lc_case){.source = LC_SOURCE_SCENARIO,
                                  .file = f->out->file,
                                  .document = p->document,
                                  .name = p->name,
                                  .loc = p->loc};
    scenario->known_failing_reason = LC_STR_EMPTY;
    in->resource = LC_STR_EMPTY;
    memset(&in->values.sensitive, 0, sizeof in->values.sensitive);
    if (resource)
        lc_in_text(in, &in->resource, resource, "resource");
    lc_case_key key;
    const lc_member *planning = find_planning(&scope, &key);
    bool ok = planning ? read_planning(in, scenario, &scope, key, planning)
              : runs   ? read_runs(in, scenario, written, &scope, runs)
                       : read_one_run(in, scenario, written, &scope);
    scenario->written = planning ? NULL : written;
    if (ignored)
        lc_in_ignores(in, scenario, ignored);
    if (f->ignores.count)
        lc_in_comment_ignores(in, scenario, &f->ignores, p->loc.line, end_of(f, p));
    if (failing)
        lc_in_known_failing(in, scenario, failing);
    check_address(in, &scenario->subject, resource);
    set_names(in, &scenario->subject);
    return ok && in->diags->errors == 0 ? scenario : NULL;
}

/* An invalid plan is read as well, to report all errors at once. Its case is dropped. */
static void read_plan(file_reader *f, plan *p)
{
    lc_diags found;
    lc_diags_init(&found, f->in.arena);
    f->in.diags = &found;
    lc_scenario *scenario = p->own.node->kind == LC_NODE_MAPPING ? read_case(f, p) : NULL;
    merge(f, &p->diags);
    merge(f, &found);
    if (scenario && !p->broken)
        *LC_PUSH(f->in.arena, &f->out->scenarios, lc_scenario *) = scenario;
    else if (f->diags->errors == f->first_error)
        lc_diag_error(f->diags, p->loc, "this case was not understood");
}

/* ---- Files. */

static bool has_text(lc_str text, const char *wanted)
{
    size_t length = strlen(wanted);
    for (size_t at = 0; (at = lc_str_find(text, at, wanted[0])) + length <= text.len; at++) {
        if (memcmp(text.ptr + at, wanted, length) == 0)
            return true;
    }
    return false;
}

/* Comments before the first case would be about no case. */
static void find_ignores(file_reader *f, const lc_source *source)
{
    if (!source->json && has_text(source->text, LC_IGNORE_COMMENT))
        lc_yaml_comments(&f->ignores, f->in.arena, source->text, LC_STR(LC_IGNORE_COMMENT));
    for (size_t i = 0; i < f->ignores.count; i++) {
        const lc_comment *comment = &f->ignores.items[i];
        if (f->plans.count == 0 || comment->about < f->plans.items[0]->loc.line)
            lc_diag_error(
                f->diags, (lc_loc){f->out->file, comment->line, comment->column},
                "this ignore is about no case: write it above the first key of a case, or "
                "at a value");
    }
}

static lc_status read_source(file_reader *f, const lc_source *source)
{
    uint32_t document = 0;
    for (size_t i = 0; i < source->count; i++)
        plan_root(f, &source->documents[i], &document);
    find_ignores(f, source);
    name_plans(f);
    for (size_t i = 0; i < f->plans.count; i++) {
        if (is_chosen(f, f->plans.items[i]))
            read_plan(f, f->plans.items[i]);
    }
    return LC_OK;
}

/* Errors end up in `diags` sorted by place. The file is valid if none was added. */
lc_status lc_scenario_text_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str text, lc_str only, lc_diags *diags)
{
    size_t errors = diags->errors;
    lc_source *source = LC_NEW(arena, lc_source);
    file_reader f = {.out = out,
                     .diags = diags,
                     .first_diag = diags->count,
                     .first_error = errors,
                     .only = only};
    *out = (lc_scenario_file){.file = file, .is_scenario = lc_looks_like_scenario(text)};
    const char *foreign = out->is_scenario ? NULL : lc_foreign_file(arena, file, text);
    if (foreign) {
        lc_diag_error(diags, (lc_loc){file, 1, 1}, "%s", foreign);
        return LC_EINPUT;
    }
    lc_table_init(&f.reported, arena);
    f.linted = LC_NEW(arena, lc_table);
    lc_table_init(f.linted, arena);
    lc_status status = lc_source_parse(source, arena, file, text, &store->limits, diags);
    f.in = (lc_in){.arena = arena, .store = store, .source = source, .diags = diags};
    f.in.values = (lc_value_reader){.arena = arena, .source = source, .limits = store->limits};
    f.in.values.lines = lc_lines_new(arena, source);
    lc_table_init(&f.in.schemas, arena);
    read_source(&f, source);
    if (status == LC_OK && source->count == 0)
        lc_diag_error(diags, (lc_loc){file, 1, 1}, "the file holds no scenario");
    if (status == LC_OK)
        complain_of_choice(&f);
    sort_diags(&f);
    if (diags->errors == errors)
        return LC_OK;
    return status == LC_OK ? LC_EINPUT : status;
}

lc_status lc_scenario_file_read(lc_scenario_file *out, lc_arena *arena, lc_schema_store *store,
                                lc_str file, lc_str only, lc_diags *diags)
{
    lc_str text;
    *out = (lc_scenario_file){.file = file};
    lc_status status = lc_file_read(&text, arena, file, store->limits.input_bytes, diags);
    if (status != LC_OK)
        return status;
    return lc_scenario_text_read(out, arena, store, file, text, only, diags);
}
