/* lifecheck propose: the proposed new state of each core, and what a well-behaved provider may
 * answer to it: for every attribute exactly one value, a choice of two, or anything of its type.
 *
 * The rules are those of the plan check: what is configured stays as configured, or at its prior
 * value where both mean the same; what is not configured is the provider's if it is computed, else
 * null (core: plan_valid.go). */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "lifecheck/yaml_json/document.h"

#include <string.h>

typedef struct proposer {
    lc_arena *arena;
    lc_buf out;
    lc_doc *cases;
    lc_doc *answers;        /* of the current run; NULL: the answers are printed as text */
    const lc_case *subject; /* marks the values that are secret */
    const lc_schema *schema;
} proposer;

/* ---- Values as text. */

static lc_str json_of(const proposer *p, lc_path path, const lc_value *v)
{
    return lc_case_show(p->arena, p->subject, p->schema, path, v).json;
}

/* ---- One answer. */

/* One line, or one record. `may` says which values are allowed, `first` and `second` are those that
 * it speaks of, `type` that of any value. */
static void answer(proposer *p, const lc_trail *trail, const char *may, const lc_value *first,
                   const lc_value *second, const lc_type *type)
{
    lc_buf words = {0};
    lc_path place = lc_path_from_trail(p->arena, trail);
    lc_str path = lc_case_show_path(p->arena, p->subject, p->schema, place);
    lc_buf_add_c(&words, may);
    if (first)
        lc_buf_printf(&words, " %.*s", LC_FMT(json_of(p, place, first)));
    if (second)
        lc_buf_printf(&words, ", or the prior %.*s where it means the same",
                      LC_FMT(json_of(p, place, second)));
    if (type) {
        lc_buf_add_c(&words, " ");
        lc_type_add_text(&words, type);
    }
    if (p->answers) {
        lc_doc *doc = lc_doc_add_object(p->answers, NULL);
        lc_doc_add_str(doc, "path", path);
        lc_doc_add_c(doc, "may", may);
        if (first)
            lc_doc_add_raw(doc, "value", json_of(p, place, first));
        if (second)
            lc_doc_add_raw(doc, "or_prior", json_of(p, place, second));
    } else {
        lc_buf_printf(&p->out, "  %-24.*s %.*s\n", LC_FMT(path), LC_FMT(lc_buf_str(&words)));
    }
    lc_buf_release(&words);
}

static const lc_value *known_or_null(const lc_value *v)
{
    return v && lc_is_known(v) ? v : NULL;
}

static const lc_value *slot_of(const lc_value *object, uint32_t slot)
{
    return known_or_null(object) ? &object->as.many.elems[slot] : NULL;
}

/* ---- Attributes. */

static void answer_attributes(proposer *p, const lc_trail *trail, const lc_attribute *attributes,
                              size_t count, const lc_value *config, const lc_value *prior);

static void answer_element(proposer *p, const lc_trail *trail, const lc_nested_type *t,
                           const lc_value *config, const lc_value *prior)
{
    if (known_or_null(config))
        answer_attributes(p, trail, t->attributes, t->attribute_count, config, prior);
    else
        answer(p, trail, "exactly", config, NULL, NULL);
}

/* Elements of a set have no place of their own, so that nothing can be said of each. */
static void answer_nested(proposer *p, const lc_trail *trail, const lc_nested_type *t,
                          const lc_value *config, const lc_value *prior)
{
    prior = known_or_null(prior);
    if (t->nesting == LC_NESTING_SINGLE) {
        answer_element(p, trail, t, config, prior);
        return;
    }
    if (t->nesting == LC_NESTING_SET) {
        answer(p, trail,
               "as many elements as configured, alike but for Computed attributes:", config, NULL,
               NULL);
        return;
    }
    for (uint32_t i = 0; i < config->count; i++) {
        bool map = config->type->kind == LC_TYPE_MAP || config->type->kind == LC_TYPE_OBJECT;
        lc_str key = config->type->kind == LC_TYPE_MAP ? config->as.many.keys[i] : LC_STR_EMPTY;
        lc_trail step = map ? lc_trail_key(trail, key) : lc_trail_index(trail, i);
        const lc_value *before = NULL;
        if (prior && prior->type->kind == LC_TYPE_MAP)
            before = lc_value_key(prior, key);
        else if (prior && i < prior->count)
            before = &prior->as.many.elems[i];
        answer_element(p, &step, t, &config->as.many.elems[i], before);
    }
}

static void answer_unset(proposer *p, const lc_trail *trail, const lc_attribute *a,
                         const lc_value *prior)
{
    if (!a->computed)
        answer(p, trail, "null", NULL, NULL, NULL);
    else if (prior && !lc_is_null(prior))
        answer(p, trail, "the prior value, proposed, or any other", NULL, NULL, a->implied);
    else
        answer(p, trail, "unknown, or any", NULL, NULL, a->implied);
}

static void answer_attribute(proposer *p, const lc_trail *trail, const lc_attribute *a,
                             const lc_value *config, const lc_value *prior)
{
    if (a->write_only)
        answer(p, trail, "null: write-only values are never returned", NULL, NULL, NULL);
    else if (lc_is_null(config))
        answer_unset(p, trail, a, prior);
    else if (a->nested && lc_is_known(config))
        answer_nested(p, trail, a->nested, config, prior);
    else {
        bool choice = prior && !lc_is_null(prior) && !lc_value_same(prior, config);
        answer(p, trail, "exactly", config, choice ? prior : NULL, NULL);
    }
}

static void answer_attributes(proposer *p, const lc_trail *trail, const lc_attribute *attributes,
                              size_t count, const lc_value *config, const lc_value *prior)
{
    for (size_t i = 0; i < count; i++) {
        lc_trail step = lc_trail_attr(trail, attributes[i].name);
        answer_attribute(p, &step, &attributes[i], &config->as.many.elems[attributes[i].slot],
                         slot_of(prior, attributes[i].slot));
    }
}

/* ---- Blocks. */

static void answer_block(proposer *p, const lc_trail *trail, const lc_block *block,
                         const lc_value *config, const lc_value *prior);

static void answer_elements(proposer *p, const lc_trail *trail, const lc_block_type *b,
                            const lc_value *config, const lc_value *prior)
{
    bool keyed = config->type->kind == LC_TYPE_MAP || config->type->kind == LC_TYPE_OBJECT;
    for (uint32_t i = 0; i < config->count; i++) {
        lc_str key = config->type->kind == LC_TYPE_MAP      ? config->as.many.keys[i]
                     : config->type->kind == LC_TYPE_OBJECT ? config->type->as.attrs[i].name
                                                            : LC_STR_EMPTY;
        lc_trail step = keyed ? lc_trail_key(trail, key) : lc_trail_index(trail, i);
        const lc_value *before = NULL;
        if (prior && prior->type->kind == LC_TYPE_MAP)
            before = lc_value_key(prior, key);
        else if (prior && prior->type->kind == LC_TYPE_OBJECT)
            before = lc_value_attr(prior, key);
        else if (prior && i < prior->count)
            before = &prior->as.many.elems[i];
        answer_block(p, &step, b->block, &config->as.many.elems[i], before);
    }
}

static void answer_block_type(proposer *p, const lc_trail *trail, const lc_block_type *b,
                              const lc_value *config, const lc_value *prior)
{
    prior = known_or_null(prior);
    if (!lc_is_known(config))
        answer(p, trail, "exactly", config, NULL, NULL);
    else if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP)
        answer_block(p, trail, b->block, config, prior);
    else if (config->count == 0)
        answer(p, trail, "no block", NULL, NULL, NULL);
    else if (b->nesting == LC_NESTING_SET)
        answer(p, trail, "as many blocks as configured, alike but for Computed attributes:", config,
               NULL, NULL);
    else
        answer_elements(p, trail, b, config, prior);
}

static void answer_block(proposer *p, const lc_trail *trail, const lc_block *block,
                         const lc_value *config, const lc_value *prior)
{
    if (!lc_is_known(config)) {
        answer(p, trail, "exactly", config, NULL, NULL);
        return;
    }
    prior = known_or_null(prior);
    answer_attributes(p, trail, block->attributes, block->attribute_count, config, prior);
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *b = &block->blocks[i];
        lc_trail step = lc_trail_attr(trail, b->name);
        answer_block_type(p, &step, b, &config->as.many.elems[b->slot], slot_of(prior, b->slot));
    }
}

/* ---- One run. */

typedef struct inputs {
    const lc_value *config; /* as sent; NULL: not known */
    const lc_value *prior;
    const lc_value *proposed[LC_CORE_COUNT];
} inputs;

static const lc_value *value_of(const lc_field *field)
{
    return lc_field_has_value(field) ? field->value : NULL;
}

/* What a plan call states wins over what the run states: it is what the core sent. */
static inputs inputs_of(proposer *p, const lc_run *run, const lc_run_result *result)
{
    p->schema = run->schema;
    inputs in = {value_of(&run->config), value_of(&run->prior_state), {NULL, NULL}};
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        if (call->kind == LC_CALL_PLAN && value_of(&call->config))
            in.config = value_of(&call->config);
    }
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        in.proposed[core] = result->proposed[core];
        if (!in.proposed[core] && in.config && lc_is_null(in.config))
            in.proposed[core] = in.config; /* a delete proposes null */
        if (!in.proposed[core] && in.config && in.prior)
            in.proposed[core] =
                lc_proposed_new(p->arena, (lc_core)core, run->schema->block, in.prior, in.config);
    }
    return in;
}

static void add_proposed(proposer *p, const char *who, const lc_value *proposed)
{
    lc_json w = {.out = &p->out, .spaced = true, .indent = 2, .depth = 1};
    lc_buf_printf(&p->out, "proposed new state (%s):", who);
    if (proposed)
        lc_json_lay_out(&w, json_of(p, LC_PATH_ROOT, proposed), 0);
    else
        lc_buf_add_c(&p->out, "\n  none: this core would crash computing it");
    lc_buf_add_c(&p->out, "\n");
}

static void add_run_text(proposer *p, const lc_run *run, const inputs *in)
{
    const lc_value *ot = in->proposed[LC_OPENTOFU], *tf = in->proposed[LC_TERRAFORM];
    if (ot && tf && lc_value_raw_equal(ot, tf)) {
        add_proposed(p, "opentofu and terraform", ot);
    } else {
        add_proposed(p, "opentofu", ot);
        add_proposed(p, "terraform", tf);
    }
    lc_buf_add_c(&p->out, "a provider that conforms may plan:\n");
    answer_block(p, NULL, run->schema->block, in->config, in->prior);
}

static void add_run_json(proposer *p, lc_doc *runs, size_t number, const lc_run *run,
                         const inputs *in)
{
    lc_doc *doc = lc_doc_add_object(runs, NULL);
    lc_doc_add_uint(doc, "run", number);
    lc_doc *proposed = lc_doc_add_object(doc, "proposed_new_state");
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (in->proposed[core])
            lc_doc_add_raw(proposed, lc_core_name((lc_core)core),
                           json_of(p, LC_PATH_ROOT, in->proposed[core]));
    }
    p->answers = lc_doc_add_array(doc, "answers");
    answer_block(p, NULL, run->schema->block, in->config, in->prior);
}

static const char *what_is_missing(const inputs *in)
{
    if (!in->config)
        return "the configuration is missing: write `config`";
    if (!in->prior)
        return "the prior state is missing: write `prior_state: null` if this is a create";
    return NULL;
}

static void propose_case(proposer *p, lc_scenario *scenario, lc_diags *diags)
{
    lc_case *c = &scenario->subject;
    p->subject = c;
    lc_judgement judgement;
    if (c->planning) {
        lc_diag_error(diags, c->loc,
                      "a configuration or a plan as a whole is not proposed to a provider: nothing "
                      "is proposed for this case");
        return;
    }
    lc_case_judge(&judgement, p->arena, p->arena, c);
    lc_doc *doc = lc_doc_add_object(p->cases, NULL);
    lc_doc_add_str(doc, "file", c->file);
    lc_doc_add_str(doc, "name", c->name);
    lc_doc *runs = lc_doc_add_array(doc, "runs");
    lc_buf_printf(&p->out, "%.*s%s%.*s\n", LC_FMT(c->file), c->name.len ? "#" : "",
                  LC_FMT(c->name));
    for (size_t i = 0; i < c->runs.count; i++) {
        const lc_run *run = &c->runs.items[i];
        inputs in = inputs_of(p, run, &judgement.runs[i]);
        const char *missing = what_is_missing(&in);
        if (missing) {
            lc_diag_error(diags, run->loc.line ? run->loc : c->loc, "%s", missing);
            continue;
        }
        add_run_json(p, runs, i + 1, run, &in);
        p->answers = NULL;
        add_run_text(p, run, &in);
    }
}

/* ---- The command. */

static lc_exit propose(proposer *p, const lc_cli *cli)
{
    lc_schema_store store;
    lc_scenario_file file;
    lc_diags diags;
    lc_items items;
    lc_report_options options = {.format = LC_FORMAT_TEXT};
    lc_diags_init(&diags, p->arena);
    lc_schema_store_init(&store, p->arena, cli->options.limits);
    lc_find_items(&items, cli, &cli->words, LC_INPUT_SCENARIOS);
    if (items.list.count == 0) {
        lc_message("%.*s: no scenario is in this folder; `lifecheck init` writes one",
                   LC_FMT(cli->words.items[0]));
        return LC_EXIT_INPUT;
    }
    p->cases = lc_doc_array();
    for (size_t i = 0; i < items.list.count; i++) {
        const lc_item *item = &items.list.items[i];
        memset(&file, 0, sizeof file);
        if (item->problem.len)
            lc_diag_error(&diags, (lc_loc){item->file, 0, 0}, "%.*s", LC_FMT(item->problem));
        else
            lc_scenario_file_read(&file, p->arena, &store, item->file, item->only, &diags);
        for (size_t k = 0; k < file.scenarios.count; k++) {
            if (file.scenarios.items[k])
                propose_case(p, file.scenarios.items[k], &diags);
        }
    }
    lc_sink errors = {2, "standard error", false};
    lc_buf reported = {0}, json = {0};
    bool apart = !lc_wants(cli, LC_IN_TEXT);
    lc_doc_print(&json, p->cases);
    lc_buf_add_char(&json, '\n');
    for (size_t i = 0; i < diags.count; i++)
        lc_report_diag(apart ? &reported : &p->out, &options, &diags.items[i]);
    lc_sink_write(&errors, &reported);
    lc_buf_release(&reported);
    lc_exit status = lc_print_both(cli, &p->out, &json);
    return status != LC_EXIT_OK ? status : diags.errors ? LC_EXIT_INPUT : LC_EXIT_OK;
}

lc_exit lc_cmd_propose(const lc_cli *cli)
{
    proposer p = {0};
    if (cli->words.count != 1) {
        lc_message("propose takes one scenario file, or FILE#CASE");
        return LC_EXIT_USAGE;
    }
    p.arena = lc_arena_new();
    lc_exit status = propose(&p, cli);
    lc_arena_free(p.arena);
    return status;
}
