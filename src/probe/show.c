/* A finding as a scenario that shows it without the provider, with the command that asks again. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/extract/extract.h"
#include "probe/internal.h"
#include "probe/terraform.h"

#include <string.h>

#define MOST_FILES 100 /* of one type */
#define SECONDS    30  /* for what the scenario can do without; far more than it takes */

/* TYPE-LAW-RULE.yaml; a number distinguishes several places. */
static lc_str file_name(lc_examination *exam, const lc_probe_finding *finding)
{
    const lc_probe_options *o = exam->prober->options;
    lc_str rule = lc_rule_get(finding->rule)->slug;
    size_t same = 1;
    lc_buf name = {0};
    for (size_t i = 0; i < exam->result->findings.count; i++) {
        const lc_probe_finding *f = &exam->result->findings.items[i];
        same += f->fails && f->law == finding->law && f->rule == finding->rule;
    }
    lc_buf_printf(&name, "%.*s/%.*s-%.*s-", LC_FMT(o->folder), LC_FMT(exam->file_word),
                  LC_FMT(lc_law_get(finding->law)->id));
    for (size_t i = 0; i < rule.len; i++)
        lc_buf_add_char(&name, rule.ptr[i] == '/' ? '-' : rule.ptr[i]);
    if (same > 1)
        lc_buf_printf(&name, "-%zu", same);
    lc_buf_add_c(&name, ".yaml");
    return lc_buf_take(exam->prober->arena, &name);
}

/* As it is where no shell would change it. */
static void add_word(lc_buf *out, lc_str word)
{
    bool plain = word.len > 0 && word.ptr[0] != '-';
    for (size_t i = 0; plain && i < word.len; i++)
        plain = lc_is_alnum(word.ptr[i]) || memchr("_./-", word.ptr[i], 4);
    if (plain)
        lc_buf_add_str(out, word);
    else
        lc_add_shell_word(out, word);
}

static void add_head(lc_buf *out, lc_examination *exam, const lc_probe_finding *finding,
                     lc_law tried)
{
    const lc_probe_options *o = exam->prober->options;
    const lc_law_info *law = lc_law_get(finding->law), *by = lc_law_get(tried);
    lc_buf_printf(out, "# Law %u, %.*s: %.*s.\n", law->number, LC_FMT(law->id), LC_FMT(law->title));
    if (by != law)
        lc_buf_printf(out, "# Found while law %u, %.*s, was tried.\n", by->number, LC_FMT(by->id));
    lc_buf again = {0};
    lc_buf_printf(&again, "%.*s --type ", LC_FMT(o->command));
    add_word(&again, exam->result->name);
    if (!exam->newer)
        lc_buf_printf(&again, " --law %.*s", LC_FMT(by->id));
    lc_buf_printf(&again, " --seed %llu", (unsigned long long)o->seed);
    if (!exam->function && !exam->newer) {
        lc_buf_add_c(&again, " --config ");
        add_word(&again, finding->file);
    }
    lc_str line = lc_str_on_one_line(exam->arena, lc_buf_str(&again));
    lc_buf_release(&again);
    lc_buf_printf(out, "# Run it again: %.*s\n#\n", LC_FMT(line));
}

/* The index of the finding in the case of the current trial; SIZE_MAX: it no longer occurs. */
static size_t find(lc_arena *arena, const lc_judged *judged, const lc_probe_finding *finding)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        if (f->rule == finding->rule && lc_str_eq(lc_place_of(arena, f), finding->place))
            return i;
    }
    return SIZE_MAX;
}

/* The scenario as it will be read from its file, but without what it expects, so that reports show
 * the finding. */
static void hand_over(lc_examination *exam, lc_probe_finding *finding, lc_arena *arena, lc_str text)
{
    const lc_probe_hooks *hooks = &exam->prober->options->hooks;
    lc_schema_store store;
    lc_scenario_file file;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, arena, exam->prober->options->limits);
    lc_scenario_text_read(&file, arena, &store, finding->file, text, LC_STR_EMPTY, &diags);
    if (!hooks->judged || file.scenarios.count != 1 || !file.scenarios.items[0])
        return;
    lc_scenario *scenario = file.scenarios.items[0];
    if (exam->function) /* the provider's schema has no type: reports distinguish functions by name
                         */
        scenario->subject.type = exam->result->name;
    for (size_t i = 0; i < scenario->subject.runs.count; i++)
        scenario->expects[i].given = false;
    hooks->judged(hooks->context, exam->result, finding, scenario, text);
}

/* What the provider wrote is known once it was started anew, which shrinking has done. */
static void add_last_words(lc_trial *trial)
{
    lc_str words = trial->exam->cache->last_words;
    bool panic = lc_str_starts_with(words, LC_STR("panic: ")) ||
                 lc_str_starts_with(words, LC_STR("fatal error: "));
    for (size_t i = 0; panic && i < trial->scenario.subject.runs.count; i++) {
        lc_run *run = &trial->scenario.subject.runs.items[i];
        for (size_t k = 0; k < run->calls.count; k++) {
            if (run->calls.items[k].broke == LC_YES)
                run->calls.items[k].last_words = words;
        }
    }
}

/* Without a scenario the case itself is what reports show. */
static void hand_over_as_it_is(lc_examination *exam, const lc_trial_spec *spec,
                               lc_probe_finding *finding)
{
    const lc_probe_hooks *hooks = &exam->prober->options->hooks;
    lc_trial trial = {.exam = exam, .spec = spec, .arena = lc_arena_new()};
    bool built = hooks->judged && lc_trial_build_case(&trial);
    add_last_words(&trial);
    if (built)
        hooks->judged(hooks->context, exam->result, finding, &trial.scenario, LC_STR_EMPTY);
    lc_arena_free(trial.arena);
}

/* ---- The same with a client. */

/* Why a client cannot show the finding. NULL: it can. */
static const char *why_not_shown(const lc_probe_repro *repro, const lc_trial *trial,
                                 const lc_finding *f, const lc_run *run)
{
    const lc_examination *exam = trial->exam;
    if (exam->function || exam->newer || exam->schema->kind != LC_KIND_RESOURCE)
        return "only resources are written as configurations";
    if (repro->summary.len == 0)
        return "no client reports it";
    if (!repro->plan && f->call.kind != LC_CALL_FINAL_PLAN)
        return "no plan shows it";
    if (!lc_field_has_value(&run->config))
        return "it has no configuration";
    return trial->spec->real ? "it needs a stored object of yours" : NULL;
}

static bool replaces(const lc_run *run)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        if (run->calls.items[i].kind == LC_CALL_PLAN_CREATE)
            return true;
    }
    return false;
}

/* Does the client stop before it gets to the finding? */
static bool is_out_of_reach(const lc_judged *judged, const lc_finding *f, lc_core core)
{
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *other = &judged->judgement.findings.items[i];
        if (other->run == f->run && other->call.index < f->call.index &&
            other->core[core].effect == LC_EFFECT_ERROR)
            return true;
    }
    return f->core[core].masked;
}

static const char *registry_of(lc_core client)
{
    return client == LC_OPENTOFU ? "registry.opentofu.org" : "registry.terraform.io";
}

static const char *find_repro(lc_probe_repro *out, lc_trial *trial, const lc_judged *judged,
                              const lc_finding *f)
{
    const lc_examination *exam = trial->exam;
    const lc_prober *prober = exam->prober;
    const lc_run *run = &trial->scenario.subject.runs.items[f->run ? f->run - 1 : 0];
    const lc_schema *own = lc_prober_schema(prober, LC_KIND_PROVIDER, LC_STR_EMPTY);
    bool prior = lc_field_has_value(&run->prior_state) && !lc_is_null(run->prior_state.value);
    bool ends = f->rule == LC_RULE_WIRE_RPC_ERROR;
    const lc_core_view *view = &f->core[prober->options->as];
    out->summary = ends ? LC_STR("Plugin did not respond") : view->summary;
    out->detail = ends || !view->exact ? LC_STR_EMPTY : view->message;
    out->plan = f->call.kind == LC_CALL_PLAN || f->call.kind == LC_CALL_VALIDATE;
    prior &= f->call.kind != LC_CALL_VALIDATE;
    const char *why = why_not_shown(out, trial, f, run);
    if (why)
        return why;
    if (is_out_of_reach(judged, f, prober->options->as))
        return "the client stops at an error before it";
    bool last = lc_field_has_value(&run->final_config);
    lc_terraform t = {
        .name = prober->options->name,
        .source = prober->options->source,
        .version = prober->options->release,
        .provider_config = prober->options->provider_config ? NULL : prober->config,
        .provider_block = own ? own->block : NULL,
        .type = exam->schema->type_name,
        .block = exam->schema->block,
        .config = run->config.value,
        .last = last ? run->final_config.value : trial->spec->other,
        .known = trial->spec->config,
        .prior = prior ? run->prior_state.value : NULL,
        .replaces = prior && replaces(run),
        .private_data = run->has_prior_private ? run->prior_private : LC_STR_EMPTY,
    };
    lc_buf text = {0}, state = {0};
    why = lc_add_terraform(&text, trial->arena, &t);
    out->text = lc_buf_take(trial->arena, &text);
    if (!why && prior &&
        !lc_add_terraform_state(
            &state, trial->arena, &t,
            lc_address_in(trial->arena, t.source, registry_of(prober->options->as)),
            (uint64_t)exam->schema->version))
        why = "the stored object has no form in a state";
    out->state = lc_buf_take(trial->arena, &state);
    return why;
}

static void hand_over_repro(lc_trial *trial, const lc_judged *judged, const lc_finding *f,
                            lc_probe_finding *finding)
{
    const lc_probe_hooks *hooks = &trial->exam->prober->options->hooks;
    lc_probe_repro repro = {.text = LC_STR_EMPTY,
                            .state = LC_STR_EMPTY,
                            .summary = LC_STR_EMPTY,
                            .detail = LC_STR_EMPTY,
                            .why = LC_STR_EMPTY};
    if (!hooks->repro)
        return;
    repro.last_words =
        f->rule == LC_RULE_WIRE_RPC_ERROR ? trial->exam->cache->last_words : LC_STR_EMPTY;
    const char *why = find_repro(&repro, trial, judged, f);
    if (why) {
        repro.text = LC_STR_EMPTY;
        repro.why = lc_str_from_c(why);
    }
    int64_t began = lc_prober_now(trial->exam->prober);
    hooks->repro(hooks->context, trial->exam->result, finding, &repro);
    int64_t took = lc_prober_now(trial->exam->prober) - began; /* a client has time of its own */
    lc_peer_cache *const caches[] = {trial->exam->cache, trial->exam->other};
    for (size_t i = 0; i < 2; i++) {
        if (caches[i] && caches[i]->deadline)
            caches[i]->deadline += took;
    }
}

/* Nothing is written if the case does not have the finding. */
static void write_scenario(lc_trial *trial, const lc_judged *judged, lc_probe_finding *finding)
{
    lc_examination *exam = trial->exam;
    const lc_trial_spec *spec = trial->spec;
    const lc_probe_options *o = exam->prober->options;
    lc_extract_options options = {
        .as_asked = true, .generated = o->generated, .seconds = SECONDS, .limits = o->limits};
    size_t at = find(trial->arena, judged, finding);
    lc_buf text = {0};
    if (at == SIZE_MAX)
        return;
    if (exam->files >= MOST_FILES) {
        finding->unwritten = LC_STR("100 scenarios are enough for one type");
        return;
    }
    /* The message of an RPC error describes how the provider exited. */
    if (finding->rule != LC_RULE_WIRE_RPC_ERROR)
        finding->message =
            lc_str_copy(exam->prober->arena, judged->judgement.findings.items[at].message);
    add_last_words(trial);
    finding->file = file_name(exam, finding);
    add_head(&text, exam, finding, spec->law);
    lc_extract *extract = lc_extract_begin(trial->arena, judged, at, &o->limits);
    if (lc_extract_finish(&text, extract, &options) == LC_EXTRACTED) {
        exam->files++;
        hand_over(exam, finding, trial->arena, lc_buf_str(&text));
        hand_over_repro(trial, judged, &judged->judgement.findings.items[at], finding);
    } else {
        finding->file = LC_STR_EMPTY;
        finding->unwritten = LC_STR("as a scenario it does not have the finding");
    }
    lc_buf_release(&text);
}

static size_t leaves_of(const lc_trial_spec *spec)
{
    if (spec->arguments)
        return spec->arguments->count;
    return lc_count_leaves(spec->edited ? spec->edited : spec->config);
}

/* If a provider answers differently when asked again, the scenario shows its first answer. */
void lc_show_finding(lc_trial *first, const lc_judged *judged, lc_probe_finding *finding)
{
    lc_examination *exam = first->exam;
    lc_judged again;
    lc_trial_spec small = lc_shrink(exam, first->spec, finding->rule, finding->place);
    lc_trial trial = {.exam = exam, .spec = &small, .arena = lc_arena_new()};
    finding->leaves = leaves_of(&small);
    if (lc_trial_judge(&trial, &again))
        write_scenario(&trial, &again, finding);
    lc_arena_free(trial.arena);
    if (finding->file.len == 0) {
        finding->leaves = leaves_of(first->spec);
        write_scenario(first, judged, finding);
    }
    if (finding->file.len)
        finding->unwritten = LC_STR_EMPTY;
    else
        hand_over_as_it_is(exam, &small, finding);
}
