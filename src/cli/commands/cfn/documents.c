/* lifecheck cfn documents: what the Cloud Control provider should send for the objects of
 * scenarios, and the findings about what it has sent. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

typedef struct teller {
    const lc_cli *cli;
    bool hide;
    lc_buf out, json;
    lc_json writer; /* into `json` */
    size_t documents, broken;
} teller;

/* ---- One run. */

static void add_text(teller *t, const lc_documents *d)
{
    if (d->identifier)
        lc_buf_printf(&t->out, "  identifier     %.*s\n", LC_FMT(*d->identifier));
    if (d->desired_state) {
        lc_buf_add_c(&t->out, "  desired state  ");
        lc_cfn_doc_add_json(&t->out, d->desired_state, t->hide);
        lc_buf_add_char(&t->out, '\n');
    }
    if (d->created)
        lc_buf_printf(&t->out, "  new identifier %.*s\n", LC_FMT(*d->created));
    if (d->has_patch) {
        lc_buf_add_c(&t->out, "  patch          ");
        lc_cfn_patch_add_json(&t->out, &d->patch, t->hide);
        lc_buf_add_char(&t->out, '\n');
    }
}

static void add_json(teller *t, const lc_scenario *scenario, size_t run, const lc_documents *d)
{
    lc_json *w = &t->writer;
    if (w->more)
        lc_json_break(w, 0);
    lc_json_object(w, NULL);
    lc_json_str(w, "file", scenario->subject.file);
    lc_json_str(w, "case", scenario->subject.name);
    lc_json_uint(w, "run", run + 1);
    if (d->identifier)
        lc_json_str(w, "identifier", *d->identifier);
    if (d->desired_state)
        lc_cfn_doc_add_json(lc_json_value(w, "desired_state"), d->desired_state, t->hide);
    if (d->created)
        lc_json_str(w, "new_identifier", *d->created);
    if (d->has_patch)
        lc_cfn_patch_add_json(lc_json_value(w, "patch"), &d->patch, t->hide);
    lc_json_end_object(w);
}

/* ---- Findings about the documents that were sent. */

static bool is_about_documents(lc_rule rule)
{
    lc_str slug = lc_rule_get(rule)->slug;
    return lc_str_starts_with(slug, LC_STR("cfn/desired-")) ||
           lc_str_starts_with(slug, LC_STR("cfn/patch-"));
}

static void add_findings(teller *t, const lc_judged *judged, size_t run)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        if (f->run != run + 1 || !is_about_documents(f->rule))
            continue;
        t->broken += lc_rule_get(f->rule)->strength == LC_MUST;
        lc_buf_printf(&t->out, "  %.*s at %.*s: %.*s\n", LC_FMT(lc_rule_get(f->rule)->slug),
                      LC_FMT(f->path_text), LC_FMT(f->message));
    }
}

static void observe(void *context, const lc_judged *judged)
{
    teller *t = context;
    lc_arena *arena = lc_arena_new();
    /* Judging has filled in derived values; nothing more is changed. */
    lc_case *subject = (lc_case *)(uintptr_t)&judged->scenario->subject;
    for (size_t run = 0; run < subject->runs.count; run++) {
        lc_documents d;
        if (!lc_case_documents(&d, arena, subject, run))
            continue;
        t->documents++;
        lc_buf_printf(&t->out, "%.*s#%.*s, run %zu\n", LC_FMT(subject->file), LC_FMT(subject->name),
                      run + 1);
        add_json(t, judged->scenario, run, &d);
        add_text(t, &d);
        add_findings(t, judged, run);
    }
    lc_arena_free(arena);
}

/* ---- The command. */

typedef struct inputs {
    size_t errors;
} inputs;

static bool consume(void *context, const lc_item *item, lc_outcome *outcome)
{
    inputs *in = context;
    (void)item;
    in->errors += outcome->summary.errors;
    for (size_t i = 0; i < LC_MAX_REPORTS && outcome->errors[i].len; i++) {
        lc_sink sink = {2, "standard error", false};
        lc_sink_write(&sink, &outcome->errors[i]);
        break;
    }
    return true;
}

lc_exit lc_cfn_documents(const lc_cli *cli)
{
    const lc_limits *limits = &cli->options.limits;
    teller t = {.cli = cli, .hide = !cli->options.secrets};
    lc_policy policy = {0};
    lc_report_options options = {.format = LC_FORMAT_TEXT};
    inputs in = {0};
    lc_items items = {0};
    lc_words words = {cli->words.items + 1, cli->words.count - 1, 0};
    lc_arena *store = lc_arena_new();
    lc_checker checker = {.reports = &options,
                          .report_count = 1,
                          .empty_advice = LC_EMPTY_ADVICE,
                          .policy = &policy,
                          .limits = *limits,
                          .input = LC_INPUT_SCENARIOS,
                          .store_arena = store,
                          .observe = observe,
                          .observe_context = &t};
    lc_schema_store_init(&checker.store, store, *limits);
    lc_find_items(&items, cli, &words, LC_INPUT_SCENARIOS);
    t.writer.out = &t.json;
    lc_json_array(&t.writer, NULL);
    lc_check_items(&checker, &items, 1, consume, &in);
    lc_json_end_array(&t.writer);
    lc_buf_add_char(&t.json, '\n');
    if (t.documents == 0)
        lc_buf_add_c(&t.out, "no run shows what is sent: it needs a schema with cloudformation, a "
                             "prior state and a planned state\n");
    lc_exit status = lc_print_both(cli, &t.out, &t.json);
    lc_arena_free(store);
    if (status != LC_EXIT_OK)
        return status;
    return in.errors || t.documents == 0 ? LC_EXIT_INPUT : t.broken ? LC_EXIT_FAILED : LC_EXIT_OK;
}
