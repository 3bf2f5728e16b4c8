/* lifecheck providers: which provider instance each resource instance of a configuration uses,
 * findings about that, the provider addresses that a state should have, and the steps to correct
 * it. */
#include "cli/checking.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/scenario/planning_input.h"

typedef struct providers {
    lc_checking c;
    lc_arena *arena;
    lc_diags diags;
    lc_profile profile;
    lc_state_file *state, *next;
    lc_provider_reader reader;
} providers;

/* ---- The table. */

typedef struct row {
    lc_str left, middle, right;
} row;

typedef struct table {
    lc_arena *arena;
    LC_VEC(row) rows;
    size_t widths[2];
    const lc_hidden_keys *hidden;
} table;

static size_t wider(size_t width, lc_str cell)
{
    return cell.len > width ? cell.len : width;
}

static void add_row(table *t, lc_str left, lc_str middle, lc_str right)
{
    row *r = LC_PUSH(t->arena, &t->rows, row);
    *r = (row){lc_hidden_text(t->hidden, left), lc_hidden_text(t->hidden, middle),
               lc_hidden_text(t->hidden, right)};
    t->widths[0] = wider(t->widths[0], r->left);
    t->widths[1] = wider(t->widths[1], r->middle);
}

/* The width of a column is limited, so that one long line does not widen the table. */
static int column(size_t width)
{
    return (int)(width > 70 ? 70 : width);
}

static void print_table(lc_buf *out, const table *t)
{
    for (size_t i = 0; i < t->rows.count; i++) {
        const row *r = &t->rows.items[i];
        lc_buf_printf(out, "%-*.*s  %-*.*s  %.*s\n", column(t->widths[0]), LC_FMT(r->left),
                      column(t->widths[1]), LC_FMT(r->middle), LC_FMT(r->right));
    }
}

static lc_str instance_text(lc_arena *arena, const lc_provider_use *use)
{
    lc_provider_address a;
    if (use->state == LC_USE_UNDECIDED)
        return LC_STR("undecided");
    if (use->state == LC_USE_FAILED)
        return LC_STR("none");
    lc_provider_use_address(&a, use);
    return lc_provider_address_text(arena, &a);
}

static lc_str undecided_text(lc_arena *arena, const lc_provider_use *use)
{
    lc_loc loc = lc_source_pos_loc(use->undecided_place);
    return lc_str_printf(arena, "%.*s (%.*s:%u:%u)", LC_FMT(use->undecided), LC_FMT(loc.file),
                         loc.line, loc.column);
}

static void add_uses(lc_buf *out, lc_arena *arena, const lc_provider_model *model)
{
    table t = {.arena = arena, .hidden = &model->hidden};
    for (size_t i = 0; i < model->uses.count; i++) {
        const lc_provider_use *use = &model->uses.items[i];
        bool undecided = use->state == LC_USE_UNDECIDED;
        add_row(&t, use->text, instance_text(arena, use),
                undecided ? undecided_text(arena, use) : lc_provider_use_way(arena, use));
    }
    print_table(out, &t);
}

/* ---- Provider configurations that no resource uses. */

static void add_unused(lc_buf *out, lc_arena *arena, const lc_provider_model *model)
{
    lc_provider_unused unused;
    lc_provider_find_unused(&unused, arena, model);
    for (size_t i = 0; i < unused.list.count; i++) {
        const lc_provider_idle *idle = &unused.list.items[i];
        lc_buf_printf(out, "nothing uses %.*s (%.*s:%u:%u)\n",
                      LC_FMT(lc_hidden_text(&model->hidden, idle->address)), LC_FMT(idle->loc.file),
                      idle->loc.line, idle->loc.column);
    }
}

/* ---- --emit-state: the provider addresses that the state should have. */

static void add_records(lc_buf *out, lc_arena *arena, const lc_provider_model *model)
{
    lc_provider_records records;
    table t = {.arena = arena, .hidden = &model->hidden};
    lc_provider_records_make(&records, model);
    for (size_t i = 0; i < records.list.count; i++) {
        const lc_provider_record *r = &records.list.items[i];
        if (r->has_own)
            add_row(&t, r->resource, r->own, LC_STR("the resource"));
        for (size_t k = 0; k < r->count; k++)
            if (r->objects[k].own.len > 0)
                add_row(&t, r->objects[k].address, r->objects[k].own, LC_STR("the object"));
    }
    for (size_t i = 0; i < records.doubts.count; i++)
        add_row(&t, records.doubts.items[i], LC_STR("undecided"), LC_STR_EMPTY);
    print_table(out, &t);
}

static void add_lines(lc_buf *out, const lc_hidden_keys *hidden, const char *title,
                      const lc_provider_lines *lines)
{
    if (lines->count > 0)
        lc_buf_printf(out, "\n%s\n", title);
    for (size_t i = 0; i < lines->count; i++)
        lc_buf_printf(out, "%3zu. %.*s\n", i + 1, LC_FMT(lc_hidden_text(hidden, lines->items[i])));
}

static void add_advice(lc_buf *out, const providers *p, const lc_provider_model *model)
{
    lc_provider_advice advice;
    if (!p->state)
        return;
    lc_provider_advise(&advice, model, p->state, &p->reader);
    add_lines(out, &model->hidden,
              "objects of the state have no provider; in this order:", &advice.next);
    add_lines(out, &model->hidden,
              "before that client reads the state, in this order:", &advice.downgrade);
}

/* ---- One configuration. */

/* NULL: p->diags has errors. */
static lc_provider_model *read_model(providers *p, lc_str path)
{
    lc_variable_sources variables = lc_cli_variables(p->c.cli);
    lc_config_source source = {
        path, {path, 0, 0}, p->profile, p->c.checker.limits, lc_cli_access(p->c.cli)};
    lc_given_configuration *given = lc_configuration_open(p->arena, &source, &p->diags);
    if (!given)
        return NULL;
    given->around.workspace = p->c.cli->options.workspace;
    if (!lc_variables_from_user(given, p->arena, &variables, &p->c.checker.limits, &p->diags))
        return NULL;
    return lc_provider_model_open(given, p->arena, &p->diags);
}

static lc_scenario *make_case(providers *p, lc_str path, lc_provider_model *model)
{
    lc_scenario *scenario = LC_NEW(p->arena, lc_scenario);
    lc_provider_inputs inputs = {
        .model = model, .state = p->state, .next_state = p->next, .reader = p->reader};
    const lc_provider_facts *facts = lc_provider_facts_new(p->arena, &inputs);
    scenario->subject.file = path;
    scenario->subject.loc = (lc_loc){path, 0, 0};
    lc_scenario_set_planning(scenario, p->arena, lc_provider_planning(p->arena, facts));
    return scenario;
}

static bool is_text(const providers *p)
{
    return p->c.options[0].format == LC_FORMAT_TEXT;
}

/* The table is printed before the findings, the advice after them; other formats have findings
 * only. */
static bool check_path(providers *p, lc_str path)
{
    lc_outcome outcome = {.opened = true};
    lc_item item = {.file = path};
    lc_diags_init(&p->diags, p->arena);
    lc_provider_model *model = read_model(p, path);
    if (model) {
        lc_scenario *scenario = make_case(p, path, model);
        lc_buf *out = &p->c.outputs[0].bytes;
        size_t from = out->len;
        if (is_text(p) && p->c.cli->options.emit_state) {
            add_records(out, p->arena, model);
        } else if (is_text(p)) {
            add_uses(out, p->arena, model);
            add_unused(out, p->arena, model);
        }
        lc_check_case(&outcome, &p->c.checker, scenario);
        if (is_text(p))
            add_advice(out, p, model);
        if (is_text(p))
            lc_clean_text(out, from);
        if (is_text(p) && out->len > 0)
            lc_buf_add_char(out, '\n');
    }
    lc_outcome_diags(&outcome, &p->c.checker, &p->diags);
    bool going = lc_take_outcome(&p->c, &item, &outcome);
    lc_outcome_release(&outcome);
    return going;
}

/* ---- The command. */

static bool open_state(providers *p, lc_option option, lc_state_file **out)
{
    lc_str path = lc_cli_text(p->c.cli, option);
    if (!lc_cli_has(p->c.cli, option))
        return true;
    lc_diags_init(&p->diags, p->arena);
    *out = lc_state_open(p->arena, path, &p->c.checker.limits, &p->diags);
    return lc_report_diags(&p->diags) && *out;
}

static bool read_reader(providers *p)
{
    lc_str text = p->c.cli->options.reader;
    if (!lc_cli_has(p->c.cli, LC_OPTION_READER) || lc_provider_reader_parse(&p->reader, text))
        return true;
    lc_str name = lc_cli_option_name(p->c.cli, LC_OPTION_READER);
    lc_message("%.*s takes terraform@1.11, opentofu@1.8 or the like, not \"%.*s\"", LC_FMT(name),
               LC_FMT(text));
    return false;
}

lc_exit lc_cmd_providers(const lc_cli *cli)
{
    providers *p = LC_NEW(cli->arena, providers);
    p->c.cli = cli;
    p->arena = cli->arena;
    lc_str config = cli->options.config;
    if (cli->words.count == 0 && config.len == 0) {
        lc_message("no configuration was named: a folder of *.tf files, or one such file");
        return LC_EXIT_USAGE;
    }
    p->profile = cli->options.profile;
    p->c.policy = cli->options.policy;
    p->c.checker.limits = cli->options.limits;
    if (!read_reader(p))
        return LC_EXIT_USAGE;
    if (!open_state(p, LC_OPTION_PRIOR_STATE, &p->state) ||
        !open_state(p, LC_OPTION_NEW_STATE, &p->next))
        return LC_EXIT_INPUT;
    p->c.tables = true;
    lc_exit status = lc_open_reports(&p->c);
    if (status != LC_EXIT_OK)
        return status;
    p->c.checker.reports = p->c.options;
    p->c.checker.report_count = p->c.count;
    p->c.checker.policy = &p->c.policy;
    bool going = config.len == 0 || check_path(p, config);
    for (size_t i = 0; i < cli->words.count && going; i++)
        going = check_path(p, cli->words.items[i]);
    return lc_finish_reports(&p->c);
}
