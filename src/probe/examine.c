/* One type: configurations are found, and each law is tried with each of them. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "probe/internal.h"

#include <stdlib.h>

size_t lc_draw(lc_examination *x, size_t count)
{
    x->random += 0x9e3779b97f4a7c15u;
    uint64_t n = x->random;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return count ? (size_t)((n ^ (n >> 31)) % count) : 0;
}

/* Of data sources and the like only validation changes nothing; and clients plan nothing before the
 * provider is configured. */
static bool is_for_validation(lc_law law)
{
    return law == LC_LAW_11 || law == LC_LAW_14 || law == LC_LAW_20 || law == LC_LAW_32 ||
           law == LC_LAW_41;
}

/* Why a law is not tried with this kind of schema; NULL: it is. */
static const char *why_not(const lc_examination *x, lc_law law)
{
    bool own = x->schema->kind == LC_KIND_PROVIDER;
    if (own != (law == LC_LAW_15))
        return own ? "of the provider's own configuration only law 15 is asked"
                   : "it is asked of the provider's own configuration, in a second process";
    if (own || x->plans || is_for_validation(law))
        return NULL;
    return x->schema->kind == LC_KIND_RESOURCE ? "the provider could not be configured"
                                               : "of this kind only validation is asked";
}

static void try_law(lc_examination *x, lc_law law)
{
    const lc_method *method = lc_method_of(law);
    if (x->function) {
        lc_find_function(x, law);
        return;
    }
    if (law == LC_LAW_42)
        return;
    const char *why = why_not(x, law);
    if (!why && (x->stop || !lc_asker_may(x->asker))) { /* to find trials takes time, too */
        x->stop = true;
        why = "time or calls ran out";
    }
    if (why) {
        lc_not_tried(x, law, why);
        return;
    }
    for (size_t i = 0; i < x->subjects.count && !x->stop; i++)
        method->each(x, law, &x->subjects.items[i]);
    if (x->subjects.count == 0)
        lc_not_tried(x, law, "no configuration was accepted");
}

static void try_laws(lc_examination *x)
{
    const bool *selected = x->prober->options->laws;
    lc_law law;
    for (size_t i = 0; (law = lc_law_in_order(i)) < LC_LAW_COUNT; i++) {
        if (selected[law])
            try_law(x, law);
    }
    for (law = 0; law < LC_LAW_COUNT; law++) {
        if (selected[law] && !lc_law_get(law)->asked)
            lc_not_tried(x, law, "this version of lifecheck does not ask it");
    }
}

/* A law that found nothing of its kind in any configuration has said nothing itself. */
static void say_why(lc_examination *x)
{
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        lc_probe_law *result = &x->result->laws[law];
        lc_str needs = lc_law_get(law)->precondition;
        if (!x->prober->options->laws[law] || result->trials || result->why.len)
            continue;
        result->why = x->stop     ? LC_STR("time or calls ran out")
                      : needs.len ? lc_str_printf(x->prober->arena, "it needs %.*s", LC_FMT(needs))
                                  : LC_STR("nothing could be asked");
    }
}

static int by_law(const void *a, const void *b)
{
    const lc_probe_finding *x = a, *y = b;
    if (x->law != y->law)
        return x->law < y->law ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    return lc_str_cmp(x->place, y->place);
}

/* The first configuration of a type in which nothing fails is a case as well, so that what was
 * looked at is counted. */
static void give_conforming(lc_examination *x)
{
    const lc_probe_hooks *hooks = &x->prober->options->hooks;
    if (!hooks->judged || !x->result->configured || x->result->failing)
        return;
    lc_trial trial = {.law = LC_LAW_32};
    if (x->function)
        trial.arguments = x->arguments.items;
    else
        trial.config = x->subjects.items[0].config;
    lc_hearing h = {.x = x, .trial = &trial, .arena = lc_arena_new()};
    if (lc_hear_case(&h)) {
        h.scenario.subject.name = x->result->name;
        hooks->judged(hooks->context, x->result, NULL, &h.scenario, LC_STR_EMPTY);
    }
    lc_arena_free(h.arena);
}

static void count(lc_examination *x, int64_t began)
{
    lc_probe_type *r = x->result;
    lc_probe_result *all = &x->prober->result;
    r->calls = x->asker->calls + (x->other ? x->other->calls : 0);
    r->repeated = x->asker->repeated + (x->other ? x->other->repeated : 0);
    r->died = x->asker->died + (x->other ? x->other->died : 0);
    r->hung = x->asker->hung + (x->other ? x->other->hung : 0);
    r->took_ms = lc_prober_now(x->prober) - began;
    r->asked_all = !x->stop;
    all->configured += r->configured;
    all->failing += r->failing;
    all->warnings += r->warnings;
    all->tolerated += r->tolerated;
    all->calls += r->calls;
    all->died += r->died;
    all->hung += r->hung;
}

static void begin_asker(lc_prober *prober, lc_asker *asker, lc_arena *arena)
{
    const lc_probe_options *o = prober->options;
    lc_asker_begin(asker, arena);
    asker->most = o->most_calls ? o->most_calls : LC_PROBE_CALLS;
    asker->until = o->budget_ms && o->hooks.clock ? lc_prober_now(prober) + o->budget_ms : 0;
}

static void find_names(lc_examination *x)
{
    lc_prober *prober = x->prober;
    lc_probe_type *result = x->result;
    lc_str name = x->function ? x->function->name : x->schema->type_name;
    result->kind = x->schema->kind;
    lc_str whole = x->function ? lc_str_printf(x->arena, "function.%.*s", LC_FMT(name))
                               : lc_kind_and_type(x->arena, x->schema->kind, name);
    x->file_word = lc_file_word(x->arena, whole);
    result->name = lc_str_on_one_line(prober->arena, whole);
    result->why_not = result->from = LC_STR_EMPTY;
    for (size_t i = 0; i < LC_LAW_COUNT; i++)
        result->laws[i].why = LC_STR_EMPTY;
    x->random = prober->options->seed ^ lc_str_fingerprint(name);
}

void lc_examine(lc_prober *prober, const lc_schema *schema, const lc_function *function)
{
    const lc_probe_hooks *hooks = &prober->options->hooks;
    int64_t began = lc_prober_now(prober);
    lc_probe_type *result = LC_PUSH(prober->arena, &prober->result.types, lc_probe_type);
    bool own = schema->kind == LC_KIND_PROVIDER &&
               !function; /* which only the second process is asked about */
    lc_examination x = {.prober = prober,
                        .arena = lc_arena_new(),
                        .schema = schema,
                        .function = function,
                        .asker = own ? &prober->second : &prober->main,
                        .other = prober->second.client && !own ? &prober->second : NULL,
                        .result = result,
                        .plans = schema->kind == LC_KIND_RESOURCE &&
                                 prober->result.not_configured.len == 0};
    find_names(&x);
    lc_table_init(&x.seen, x.arena);
    begin_asker(prober, x.asker, x.arena);
    if (x.other)
        begin_asker(prober, x.other, x.arena);
    if (function)
        lc_find_arguments(&x);
    else
        lc_find_subjects(&x);
    try_laws(&x);
    say_why(&x);
    give_conforming(&x);
    count(&x, began);
    if (result->findings.count > 1)
        qsort(result->findings.items, result->findings.count, sizeof *result->findings.items,
              by_law);
    x.asker->arena = NULL;
    if (x.other)
        x.other->arena = NULL;
    lc_arena_free(x.arena);
    if (hooks->type)
        hooks->type(hooks->context, result);
}
