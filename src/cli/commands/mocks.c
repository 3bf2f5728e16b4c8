/* lifecheck mocks: what providers returned in recordings, scenarios and states, as a mock file for
 * `terraform test` and `tofu test`: of each type the computed values of one object. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

#include <stdlib.h>

/* How well a value shows what a provider returns, best first. */
typedef enum rank { APPLIED, READ, STORED, NO_RANK } rank;

/* One type of managed resource or data source. In the arena of the command. */
typedef struct mock {
    bool data;
    lc_str type;
    rank rank;
    lc_str defaults; /* lines of HCL; "": nothing is computed */
} mock;

typedef struct mocks {
    lc_arena *arena, *scratch;
    LC_VEC(mock) list;
    lc_table by_name; /* indexes of the list */
    bool unnamed;     /* an object has no type */
    uint64_t placeholders;
} mocks;

/* ---- Values as HCL. */

typedef struct writer {
    mocks *m;
    lc_buf *out;
    const lc_case *subject;
    const lc_schema *schema;
} writer;

static void indent(lc_buf *out, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        lc_buf_add_c(out, "  ");
}

/* Neither its text nor anything computed from it: the same for every secret. */
static void placeholder(const writer *w, const lc_type *type)
{
    static const char *const texts[] = {[LC_TYPE_STRING] = "\"redacted\"",
                                        [LC_TYPE_NUMBER] = "0",
                                        [LC_TYPE_BOOL] = "false",
                                        [LC_TYPE_LIST] = "[]",
                                        [LC_TYPE_SET] = "[]",
                                        [LC_TYPE_MAP] = "{}"};
    bool known = (size_t)type->kind < sizeof texts / sizeof *texts && texts[type->kind];
    lc_buf_add_c(w->out, known ? texts[type->kind] : "null");
    w->m->placeholders++;
}

/* An empty value that is secret is shown as a mark instead of as a secret. */
static bool is_secret(const writer *w, const lc_trail *at, const lc_value *v)
{
    lc_path path = lc_path_from_trail(w->m->scratch, at);
    lc_redacted_text shown = lc_case_show(w->m->scratch, w->subject, w->schema, path, v);
    return shown.secret ||
           (v->count == 0 && lc_str_starts_with(shown.json, LC_STR("{\"$sensitive\"")));
}

static void write_value(const writer *w, const lc_trail *at, const lc_value *v, unsigned depth);

static void write_items(const writer *w, const lc_trail *at, const lc_value *v, unsigned depth)
{
    bool set = v->type->kind == LC_TYPE_SET;
    lc_buf_add_c(w->out, v->count ? "[\n" : "[");
    for (size_t i = 0; i < v->count; i++) {
        const lc_value *item = &v->as.many.elems[i];
        lc_trail in = {at,
                       {set ? LC_STEP_ELEMENT : LC_STEP_INDEX, LC_STR_EMPTY, i, set ? item : NULL}};
        indent(w->out, depth + 1);
        write_value(w, &in, item, depth + 1);
        lc_buf_add_c(w->out, ",\n");
    }
    if (v->count)
        indent(w->out, depth);
    lc_buf_add_c(w->out, "]");
}

static void write_members(const writer *w, const lc_trail *at, const lc_value *v, unsigned depth)
{
    bool map = v->type->kind == LC_TYPE_MAP;
    lc_buf_add_c(w->out, v->count ? "{\n" : "{");
    for (size_t i = 0; i < v->count; i++) {
        lc_str name = map ? v->as.many.keys[i] : v->type->as.attrs[i].name;
        lc_trail in = {at, {map ? LC_STEP_KEY : LC_STEP_ATTR, name, 0, NULL}};
        indent(w->out, depth + 1);
        lc_buf_add_hcl_quoted(w->out, name);
        lc_buf_add_c(w->out, " = ");
        write_value(w, &in, &v->as.many.elems[i], depth + 1);
        lc_buf_add_c(w->out, "\n");
    }
    if (v->count)
        indent(w->out, depth);
    lc_buf_add_c(w->out, "}");
}

static void write_value(const writer *w, const lc_trail *at, const lc_value *v, unsigned depth)
{
    if (!lc_is_known(v)) {
        lc_buf_add_c(w->out, "null");
        return;
    }
    if (is_secret(w, at, v)) {
        placeholder(w, v->type);
        return;
    }
    switch ((int)v->type->kind) {
    case LC_TYPE_STRING:
        lc_buf_add_hcl_quoted(w->out, v->as.string);
        return;
    case LC_TYPE_NUMBER:
        lc_num_add_text(w->out, v->as.number);
        return;
    case LC_TYPE_BOOL:
        lc_buf_add_c(w->out, v->as.boolean ? "true" : "false");
        return;
    case LC_TYPE_OBJECT:
    case LC_TYPE_MAP:
        write_members(w, at, v, depth);
        return;
    default:
        write_items(w, at, v, depth);
    }
}

/* ---- Computed values of an object. Clients use them where the configuration sets nothing. */

static void write_block(const writer *w, const lc_trail *at, const lc_block *block,
                        const lc_value *object, unsigned depth);

static bool any_computed(const lc_block *block)
{
    for (size_t i = 0; i < block->attribute_count; i++) {
        if (block->attributes[i].computed)
            return true;
    }
    for (size_t i = 0; i < block->block_count; i++) {
        if (any_computed(block->blocks[i].block))
            return true;
    }
    return false;
}

/* The computed values of one block stand for those of all blocks of its type. */
static void write_nested(const writer *w, const lc_trail *at, const lc_block_type *b,
                         const lc_value *v, unsigned depth)
{
    bool one = b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP;
    const lc_value *first = one ? v : v->count ? &v->as.many.elems[0] : NULL;
    if (!lc_is_known(v) || !first || !lc_is_known(first) || !any_computed(b->block))
        return;
    lc_step step = {LC_STEP_INDEX, LC_STR_EMPTY, 0, NULL};
    if (b->nesting == LC_NESTING_SET)
        step = (lc_step){LC_STEP_ELEMENT, LC_STR_EMPTY, 0, first};
    else if (b->nesting == LC_NESTING_MAP)
        step = (lc_step){LC_STEP_KEY, v->as.many.keys ? v->as.many.keys[0] : LC_STR_EMPTY, 0, NULL};
    lc_trail in = {at, step};
    indent(w->out, depth);
    lc_buf_add_str(w->out, b->name);
    lc_buf_add_c(w->out, " = {\n");
    write_block(w, one ? at : &in, b->block, first, depth + 1);
    indent(w->out, depth);
    lc_buf_add_c(w->out, "}\n");
}

static void write_block(const writer *w, const lc_trail *at, const lc_block *block,
                        const lc_value *object, unsigned depth)
{
    for (size_t i = 0; i < block->attribute_count; i++) {
        const lc_attribute *a = &block->attributes[i];
        const lc_value *v = &object->as.many.elems[a->slot];
        lc_trail in = lc_trail_attr(at, a->name);
        if (!a->computed || lc_is_null(v) || !lc_is_known(v))
            continue;
        indent(w->out, depth);
        lc_buf_add_str(w->out, a->name);
        lc_buf_add_c(w->out, " = ");
        write_value(w, &in, v, depth);
        lc_buf_add_c(w->out, "\n");
    }
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        lc_trail in = lc_trail_attr(at, b->name);
        if (!b->dynamic_inside)
            write_nested(w, &in, b, &object->as.many.elems[b->slot], depth);
    }
}

/* ---- Which object. */

static rank rank_of(const lc_call *call)
{
    if (call->failed == LC_YES || call->result.state != LC_FIELD_GIVEN)
        return NO_RANK;
    switch ((int)call->kind) {
    case LC_CALL_APPLY:
    case LC_CALL_DATA:
        return APPLIED;
    case LC_CALL_READ:
    case LC_CALL_REREAD:
        return READ;
    case LC_CALL_UPGRADE:
        return STORED;
    default:
        return NO_RANK;
    }
}

static mock *mock_of(mocks *m, bool data, lc_str type)
{
    lc_str key = lc_str_printf(m->arena, "%d %.*s", data, LC_FMT(type));
    size_t at = lc_table_get_index(&m->by_name, key);
    if (at != LC_NO_INDEX)
        return &m->list.items[at];
    lc_table_put_index(&m->by_name, key, m->list.count);
    mock *made = LC_PUSH(m->arena, &m->list, mock);
    *made = (mock){data, lc_str_copy(m->arena, type), NO_RANK, LC_STR_EMPTY};
    return made;
}

static void offer(mocks *m, const lc_case *subject, const lc_schema *schema, const lc_value *object,
                  rank how)
{
    bool data = schema->kind == LC_KIND_DATA;
    if ((!data && schema->kind != LC_KIND_RESOURCE) || !object || !lc_is_known(object) ||
        object->type->kind != LC_TYPE_OBJECT || object->type != schema->block->implied)
        return;
    lc_str type = schema->type_name.len ? schema->type_name : subject->type;
    if (type.len == 0) {
        m->unnamed = true;
        return;
    }
    mock *found = mock_of(m, data, type);
    if (how >= found->rank)
        return;
    lc_buf out = {0};
    writer w = {m, &out, subject, schema};
    write_block(&w, NULL, schema->block, object, 2);
    found->rank = how;
    found->defaults = lc_str_copy(m->arena, lc_buf_str(&out));
    lc_buf_release(&out);
    lc_arena_reset(m->scratch);
}

static void observe(void *context, const lc_judged *judged)
{
    const lc_case *subject = &judged->scenario->subject;
    for (size_t i = 0; i < subject->runs.count && !subject->planning; i++) {
        const lc_run *run = &subject->runs.items[i];
        if (run->schema_unknown)
            continue;
        for (size_t k = 0; k < run->calls.count; k++) {
            const lc_call *call = &run->calls.items[k];
            rank how = rank_of(call);
            if (how != NO_RANK)
                offer(context, subject, run->schema, call->result.value, how);
        }
        if (lc_field_has_value(&run->prior_state))
            offer(context, subject, run->schema, run->prior_state.value, STORED);
    }
}

/* ---- The file. */

static int by_name(const void *left, const void *right)
{
    const mock *a = left, *b = right;
    return a->data != b->data ? (a->data > b->data) - (a->data < b->data)
                              : lc_str_cmp(a->type, b->type);
}

static lc_exit write_mocks(const lc_cli *cli, mocks *m)
{
    lc_buf out = {0};
    size_t written = 0;
    if (m->list.count)
        qsort(m->list.items, m->list.count, sizeof *m->list.items, by_name);
    for (size_t i = 0; i < m->list.count; i++) {
        const mock *one = &m->list.items[i];
        if (one->rank == NO_RANK)
            continue;
        lc_buf_printf(&out, "%smock_%s ", written++ ? "\n" : "", one->data ? "data" : "resource");
        lc_buf_add_hcl_quoted(&out, one->type);
        lc_buf_printf(&out, " {\n  defaults = {\n%.*s  }\n}\n", LC_FMT(one->defaults));
    }
    if (written == 0) {
        lc_message("%.*s: %s", LC_FMT(cli->words.items[0]),
                   m->unnamed
                       ? "the scenario does not name its resource: add `resource: TYPE.NAME`"
                       : "no object of a resource or data source is in this input, so there is "
                         "nothing to mock; record an apply or a plan with a refresh");
        lc_buf_release(&out);
        return LC_EXIT_INPUT;
    }
    lc_exit status = lc_print(cli, LC_IN_TEXT, &out);
    lc_buf_release(&out);
    if (status == LC_EXIT_OK && m->placeholders && !cli->options.quiet)
        lc_message("%llu secret value%s replaced by a placeholder",
                   (unsigned long long)m->placeholders, m->placeholders == 1 ? " is" : "s are");
    return status;
}

static lc_exit look(const lc_cli *cli, lc_checker *checker, mocks *m)
{
    lc_items items = {0};
    size_t errors = 0;
    checker->observe = observe;
    checker->observe_context = m;
    lc_find_items(&items, cli, &cli->words, checker->input);
    for (size_t i = 0; i < items.list.count; i++)
        errors += lc_observe_item(checker, &items.list.items[i]);
    errors += lc_observe_named(checker);
    return errors ? LC_EXIT_INPUT : LC_EXIT_OK;
}

lc_exit lc_cmd_mocks(const lc_cli *cli)
{
    if (cli->words.count == 0) {
        lc_message("mocks takes inputs: recorded calls, scenarios or states");
        return LC_EXIT_USAGE;
    }
    if (lc_is_in_the_way(cli))
        return LC_EXIT_INTERNAL;
    lc_policy policy = {.fail_on = LC_ERROR};
    lc_report_options report = {.format = LC_FORMAT_TEXT, .quiet = true, .policy = policy};
    lc_checker checker = {.policy = &policy,
                          .reports = &report,
                          .report_count = 1,
                          .empty_advice = LC_EMPTY_ADVICE,
                          .limits = cli->options.limits,
                          .input = cli->options.input_kind,
                          .capture = lc_cli_capture(cli)};
    mocks m = {.arena = lc_arena_new(), .scratch = lc_arena_new()};
    lc_table_init(&m.by_name, m.arena);
    checker.store_arena = lc_arena_new();
    lc_schema_store_init(&checker.store, checker.store_arena, checker.limits);
    lc_exit read = look(cli, &checker, &m);
    lc_exit status = write_mocks(cli, &m);
    lc_arena_free(checker.store_arena);
    lc_arena_free(m.scratch);
    lc_arena_free(m.arena);
    return status == LC_EXIT_OK ? read : status;
}
