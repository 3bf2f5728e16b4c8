/* A finding as a scenario that shows it without the provider, with the command that asks again. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/share/share.h"
#include "probe/internal.h"

#include <string.h>

#define MOST_FILES 1000 /* of one run */
#define SECONDS    30   /* for what the scenario can do without; far more than it takes */

/* TYPE-LAW-RULE.yaml; a number tells several places apart. */
static lc_str file_name(lc_examination *x, const lc_probe_finding *finding)
{
    const lc_probe_options *o = x->prober->options;
    lc_str rule = lc_rule_get(finding->rule)->slug;
    size_t same = 1;
    lc_buf name = {0};
    for (size_t i = 0; i < x->result->findings.count; i++) {
        const lc_probe_finding *f = &x->result->findings.items[i];
        same += f->fails && f->law == finding->law && f->rule == finding->rule;
    }
    lc_buf_printf(&name, "%.*s/%.*s-%.*s-", LC_FMT(o->folder), LC_FMT(x->file_word),
                  LC_FMT(lc_law_get(finding->law)->id));
    for (size_t i = 0; i < rule.len; i++)
        lc_buf_add_char(&name, rule.ptr[i] == '/' ? '-' : rule.ptr[i]);
    if (same > 1)
        lc_buf_printf(&name, "-%zu", same);
    lc_buf_add_c(&name, ".yaml");
    return lc_buf_take(x->prober->arena, &name);
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

static void add_head(lc_buf *out, lc_examination *x, const lc_probe_finding *finding, lc_law tried)
{
    const lc_probe_options *o = x->prober->options;
    const lc_law_info *law = lc_law_get(finding->law), *by = lc_law_get(tried);
    lc_buf_printf(out, "# Law %u, %.*s: %.*s.\n", law->number, LC_FMT(law->id), LC_FMT(law->title));
    if (by != law)
        lc_buf_printf(out, "# It was met while law %u, %.*s, was tried.\n", by->number,
                      LC_FMT(by->id));
    lc_buf again = {0};
    lc_buf_printf(&again, "%.*s --type ", LC_FMT(o->command));
    add_word(&again, x->result->name);
    lc_buf_printf(&again, " --law %.*s --seed %llu", LC_FMT(by->id), (unsigned long long)o->seed);
    if (!x->function) {
        lc_buf_add_c(&again, " --config ");
        add_word(&again, finding->file);
    }
    lc_str line = lc_str_on_one_line(x->arena, lc_buf_str(&again));
    lc_buf_release(&again);
    lc_buf_printf(out, "# Ask again: %.*s\n#\n", LC_FMT(line));
}

/* The finding in the case of the trial as it is now; SIZE_MAX: it is gone. */
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
static void hand_over(lc_examination *x, lc_probe_finding *finding, lc_arena *arena, lc_str text)
{
    const lc_probe_hooks *hooks = &x->prober->options->hooks;
    lc_schema_store store;
    lc_scenario_file file;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_schema_store_init(&store, arena, x->prober->options->limits);
    lc_scenario_text_read(&file, arena, &store, finding->file, text, LC_STR_EMPTY, &diags);
    if (!hooks->judged || file.scenarios.count != 1 || !file.scenarios.items[0])
        return;
    lc_scenario *scenario = file.scenarios.items[0];
    if (x->function) /* whose schema has no type: reports tell functions apart */
        scenario->subject.type = x->result->name;
    for (size_t i = 0; i < scenario->subject.runs.count; i++)
        scenario->expects[i].given = false;
    hooks->judged(hooks->context, x->result, finding, scenario, text);
}

/* What the provider wrote is known once it was started anew, which shrinking has done. */
static void add_last_words(lc_hearing *h)
{
    lc_str words = h->x->asker->last_words;
    bool panic = lc_str_starts_with(words, LC_STR("panic: ")) ||
                 lc_str_starts_with(words, LC_STR("fatal error: "));
    for (size_t i = 0; panic && i < h->scenario.subject.runs.count; i++) {
        lc_run *run = &h->scenario.subject.runs.items[i];
        for (size_t k = 0; k < run->calls.count; k++) {
            if (run->calls.items[k].broke == LC_YES)
                run->calls.items[k].last_words = words;
        }
    }
}

/* Without a scenario the case itself is what reports show. */
static void hand_over_as_it_is(lc_examination *x, const lc_trial *trial, lc_probe_finding *finding)
{
    const lc_probe_hooks *hooks = &x->prober->options->hooks;
    lc_hearing h = {.x = x, .trial = trial, .arena = lc_arena_new()};
    bool heard = hooks->judged && lc_hear_case(&h);
    add_last_words(&h);
    if (heard)
        hooks->judged(hooks->context, x->result, finding, &h.scenario, LC_STR_EMPTY);
    lc_arena_free(h.arena);
}

/* Nothing is written if the case does not have the finding. */
static void write_scenario(lc_hearing *h, const lc_judged *judged, lc_probe_finding *finding)
{
    lc_examination *x = h->x;
    const lc_trial *trial = h->trial;
    const lc_probe_options *o = x->prober->options;
    lc_extract_options options = {.as_asked = true, .seconds = SECONDS, .limits = o->limits};
    size_t at = find(h->arena, judged, finding);
    lc_buf text = {0};
    if (at == SIZE_MAX)
        return;
    if (x->prober->files >= MOST_FILES) {
        finding->unwritten = LC_STR("1000 scenarios are enough for one run");
        return;
    }
    if (finding->rule != LC_RULE_WIRE_RPC_ERROR) /* which says how the provider died */
        finding->message =
            lc_str_copy(x->prober->arena, judged->judgement.findings.items[at].message);
    add_last_words(h);
    finding->file = file_name(x, finding);
    add_head(&text, x, finding, trial->law);
    lc_extract *extract = lc_extract_begin(h->arena, judged, at, &o->limits);
    if (lc_extract_finish(&text, extract, &options) == LC_EXTRACTED) {
        x->prober->files++;
        hand_over(x, finding, h->arena, lc_buf_str(&text));
    } else {
        finding->file = LC_STR_EMPTY;
        finding->unwritten = LC_STR("as a scenario it does not have the finding");
    }
    lc_buf_release(&text);
}

static size_t leaves_of(const lc_trial *trial)
{
    if (trial->arguments)
        return trial->arguments->count;
    return lc_count_leaves(trial->edited ? trial->edited : trial->config);
}

/* A provider that answers differently when it is asked again is shown by what it said first. */
void lc_show_finding(lc_hearing *first, const lc_judged *judged, lc_probe_finding *finding)
{
    lc_examination *x = first->x;
    lc_judged again;
    lc_trial small = lc_shrink(x, first->trial, finding->rule, finding->place);
    lc_hearing h = {.x = x, .trial = &small, .arena = lc_arena_new()};
    finding->leaves = leaves_of(&small);
    if (lc_hear_trial(&h, &again))
        write_scenario(&h, &again, finding);
    lc_arena_free(h.arena);
    if (finding->file.len == 0) {
        finding->leaves = leaves_of(first->trial);
        write_scenario(first, judged, finding);
    }
    if (finding->file.len)
        finding->unwritten = LC_STR_EMPTY;
    else
        hand_over_as_it_is(x, &small, finding);
}
