/* Asking: processes of the provider, and the workers that have them. */
#include "cli/commands/probe/probe.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/runner/crew.h"

/* ---- Processes. */

static void report_event(void *context, lc_live_weight weight, lc_str text, lc_str log)
{
    const lc_probe *p = context;
    (void)log; /* may hold secrets; --provider-log has it */
    if (weight != LC_LIVE_NOTE || !p->cli->options.quiet)
        lc_message("%.*s", LC_FMT(text));
}

static bool start(lc_probe_process *one)
{
    lc_probe *p = one->probe;
    lc_session_options options = lc_provider_session_options(&p->provider_options);
    options.emptied = true;
    options.context = p;
    options.on_event = report_event;
    return lc_provider_process_start(&one->of, &options);
}

static void ask(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                size_t count)
{
    lc_probe_process *one = context;
    lc_provider_process_ask(&one->of, out, arena, questions, count);
}

static bool restart(void *context, int peer)
{
    lc_probe *p = context;
    lc_provider_process_end(&p->processes[peer].of);
    return start(&p->processes[peer]);
}

static lc_str last_words(void *context, lc_arena *arena, int peer)
{
    const lc_probe *p = context;
    return lc_provider_process_last_words(&p->processes[peer].of, arena);
}

/* Laws that compare two processes. A provider that runs already is one process, and cannot be
 * started again. */
static bool needs_second(const lc_probe *p)
{
    const bool *laws = p->options.laws;
    return p->provider_options.provider.dial.len == 0 &&
           (laws[LC_LAW_15] || laws[LC_LAW_17] || laws[LC_LAW_20] || laws[LC_LAW_42]);
}

static lc_peer peer_of(lc_probe_process *one)
{
    if (!one->of.session)
        return (lc_peer){0};
    return (lc_peer){one, lc_session_protocol(one->of.session), ask, NULL};
}

bool lc_probe_start(lc_probe *p)
{
    for (int i = 0; i < LC_PROBE_PEERS; i++)
        p->processes[i] =
            (lc_probe_process){p, {.cli = p->cli, .word = p->cli->options.provider.items[0]}};
    if (!start(&p->processes[0]) || (needs_second(p) && !start(&p->processes[1])))
        return false;
    p->options.peer = peer_of(&p->processes[0]);
    p->options.other = peer_of(&p->processes[1]);
    return true;
}

void lc_probe_end(lc_probe *p)
{
    for (int i = 0; i < LC_PROBE_PEERS; i++)
        lc_provider_process_end(&p->processes[i].of);
}

/* ---- In a worker: the part of one type. */

static void judged(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                   lc_scenario *scenario, lc_str text)
{
    lc_probe *p = context;
    (void)type;
    lc_part_add_case(&p->part, finding, scenario, text);
}

static void repro(void *context, const lc_probe_type *type, lc_probe_finding *finding,
                  const lc_probe_repro *what)
{
    lc_probe_make_issue(context, type, finding, what);
}

/* After the fork. A session belongs to the process that opened it, so each worker starts its own.
 */
static bool begin(void *context)
{
    lc_probe *p = context;
    lc_report_options style = p->cli->options.style;
    style.policy = p->c.policy;
    style.shard = &p->c.shard;
    lc_part_begin(&p->part, &p->c.checker, &style);
    for (int i = 0; i < LC_PROBE_PEERS; i++) {
        bool used = i == 0 || p->options.other.ask;
        if (used && !start(&p->processes[i]))
            return false;
    }
    lc_prober_begin(p->prober);
    return true;
}

/* Providers leak: after many types the process is replaced. The answer of an interrupted run is
 * incomplete, and is dropped. */
static bool work(void *context, size_t task, lc_buf *out)
{
    lc_probe *p = context;
    if (p->asked == LC_PART_MOST_ASKED && !p->provider_options.provider.dial.len) {
        lc_prober_restart(p->prober);
        p->asked = 0;
    }
    p->asked++;
    if (p->learned || p->checkpoint.len) /* a run that goes on with it may want it */
        p->options.learned = lc_part_learn(&p->part);
    const lc_probe_type *type = lc_prober_ask(p->prober, &p->targets[task]);
    bool done = type && !lc_session_stopped();
    if (done)
        lc_part_write(&p->part, out, type, lc_prober_result(p->prober)->not_configured);
    lc_part_clear(&p->part);
    return done;
}

static void end(void *context)
{
    lc_probe *p = context;
    lc_probe_end(p);
    lc_part_release(&p->part);
}

/* ---- In this process. */

/* First into the checkpoint, then into the reports: what is reported is never asked again. */
static bool take(void *context, size_t task, lc_str part)
{
    lc_probe *p = context;
    p->parts[task] = lc_str_copy(p->arena, part);
    if (!lc_probe_add_to_checkpoint(p, part)) {
        p->unwritten = true;
        return false;
    }
    if (p->c.checker.meter)
        p->c.checker.meter->done++;
    return lc_probe_take_parts(p, false);
}

/* Its worker has ended. The type stays without a result, and the run with an internal error. */
static void lost(void *context, size_t task)
{
    lc_probe *p = context;
    p->lost[task] = true;
    p->c.internal_error = true;
    lc_meter_wipe(p->c.checker.meter);
    lc_message("internal error while %.*s was tested", LC_FMT(p->targets[task].name));
}

static bool stopped(void *context)
{
    lc_probe *p = context;
    lc_meter_tick(p->c.checker.meter);
    return lc_session_stopped() != 0 || (p->deadline && lc_milliseconds() >= p->deadline);
}

static void report_line(void *context, lc_str text)
{
    const lc_probe *p = context;
    lc_meter_wipe(p->c.checker.meter);
    lc_message("%.*s", LC_FMT(text));
}

void lc_probe_set_hooks(lc_probe *p)
{
    p->options.hooks = (lc_probe_hooks){.context = p,
                                        .clock = lc_provider_process_now,
                                        .restart = restart,
                                        .last_words = last_words,
                                        .stopped = lc_provider_process_stopped,
                                        .judged = judged,
                                        .repro = repro,
                                        .on_event = report_line};
}

bool lc_probe_ask_all(lc_probe *p)
{
    lc_crew crew = {.context = p,
                    .jobs = p->jobs,
                    .order = p->order,
                    .count = p->to_ask,
                    .begin = begin,
                    .work = work,
                    .end = end,
                    .take = take,
                    .lost = lost,
                    .stopped = stopped};
    return lc_crew_run(&crew);
}
