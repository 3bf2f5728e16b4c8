/* One type: configurations are found, and each law is tried with each of them. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/codec/codec.h"
#include "probe/internal.h"

#include <stdlib.h>

/* The generator SplitMix64: the same seed and type name give the same trials. */
size_t lc_draw(lc_examination *exam, size_t count)
{
    exam->random += 0x9e3779b97f4a7c15u;
    uint64_t n = exam->random;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return count ? (size_t)((n ^ (n >> 31)) % count) : 0;
}

/* Does the law need no plan? These are tried with every kind of schema, because validation changes
 * nothing, and without a configured provider, which clients need only to plan. */
static bool needs_no_plan(lc_law law)
{
    return law == LC_LAW_11    /* validate-accepts-unknown */
           || law == LC_LAW_14 /* validate-consistent */
           || law == LC_LAW_20 /* schema-repeats */
           || law == LC_LAW_32 /* answers-fit */
           || law == LC_LAW_41 /* no-call-dies */;
}

/* Why a law is not tried with this kind of schema; NULL: it is. */
static const char *why_not(const lc_examination *exam, lc_law law)
{
    bool own = exam->schema->kind == LC_KIND_PROVIDER;
    if (own != (law == LC_LAW_15))
        return own ? "only law 15 is tried with the provider's own configuration"
                   : "it is tried with the provider's own configuration, in a second process";
    if (own || exam->plans || needs_no_plan(law))
        return NULL;
    return exam->schema->kind == LC_KIND_RESOURCE ? "the provider could not be configured"
                                                  : "only validation is tried with this kind";
}

static void try_law(lc_examination *exam, lc_law law)
{
    const lc_method *method = lc_method_of(law);
    if (exam->function) {
        lc_find_function(exam, law);
        return;
    }
    if (law == LC_LAW_42) /* functions-are-pure */
        return;
    const char *why = why_not(exam, law);
    if (!why && (exam->stop ||
                 !lc_peer_cache_has_budget(exam->cache))) { /* finding trials takes time, too */
        exam->stop = true;
        why = "time or calls ran out";
    }
    if (why) {
        lc_not_tried(exam, law, why);
        return;
    }
    for (size_t i = 0; i < exam->subjects.count && !exam->stop; i++)
        method->each(exam, law, &exam->subjects.items[i]);
    if (exam->subjects.count == 0 && law == LC_LAW_20) /* it compares schemas alone */
        method->each(exam, law,
                     &(lc_subject){.config = lc_block_empty_value(exam->arena, exam->schema->block),
                                   .from = LC_STR_EMPTY,
                                   .private_data = LC_STR_EMPTY});
    else if (exam->subjects.count == 0)
        lc_not_tried(exam, law, "no configuration was accepted");
}

static void try_laws(lc_examination *exam)
{
    const bool *selected = exam->prober->options->laws;
    lc_law law;
    for (size_t i = 0; (law = lc_law_in_order(i)) < LC_LAW_COUNT; i++) {
        if (selected[law])
            try_law(exam, law);
    }
    for (law = 0; law < LC_LAW_COUNT; law++) {
        if (selected[law] && !lc_law_get(law)->asked)
            lc_not_tried(exam, law, "this version of lifecheck does not try it");
    }
}

/* Gives laws without trials the reason: if no configuration has what the law needs, that is its
 * precondition. */
static void set_reasons(lc_examination *exam)
{
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        lc_probe_law *result = &exam->result->laws[law];
        lc_str needs = lc_law_get(law)->precondition;
        if (!exam->prober->options->laws[law] || result->trials || result->why.len)
            continue;
        result->why = exam->stop ? LC_STR("time or calls ran out")
                      : needs.len
                          ? lc_str_printf(exam->prober->arena, "it needs %.*s", LC_FMT(needs))
                          : LC_STR("no trial was possible");
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

/* A type without a failing finding becomes a case with its first configuration, so that the counts
 * of a report include what conforms. */
static void report_conforming(lc_examination *exam)
{
    const lc_probe_hooks *hooks = &exam->prober->options->hooks;
    if (!hooks->judged || !exam->result->configured || exam->result->failing)
        return;
    lc_trial_spec spec = {.law = LC_LAW_32};
    if (exam->function)
        spec.arguments = exam->arguments.items;
    else
        spec.config = exam->subjects.items[0].config;
    lc_trial trial = {.exam = exam, .spec = &spec, .arena = lc_arena_new()};
    if (lc_trial_build_case(&trial)) {
        trial.scenario.subject.name = exam->result->name;
        hooks->judged(hooks->context, exam->result, NULL, &trial.scenario, LC_STR_EMPTY);
    }
    lc_arena_free(trial.arena);
}

static void count(lc_examination *exam, int64_t began)
{
    lc_probe_type *r = exam->result;
    lc_probe_result *all = &exam->prober->result;
    r->calls = exam->cache->calls + (exam->other ? exam->other->calls : 0);
    r->repeated = exam->cache->repeated + (exam->other ? exam->other->repeated : 0);
    r->died = exam->cache->died + (exam->other ? exam->other->died : 0);
    r->hung = exam->cache->hung + (exam->other ? exam->other->hung : 0);
    if (exam->newer) {
        r->calls += exam->newer->main.calls;
        r->died += exam->newer->main.died;
        r->hung += exam->newer->main.hung;
    }
    r->took_ms = lc_prober_now(exam->prober) - began;
    r->asked_all = !exam->stop;
    all->configured += r->configured;
    all->failing += r->failing;
    all->warnings += r->warnings;
    all->tolerated += r->tolerated;
    all->calls += r->calls;
    all->died += r->died;
    all->hung += r->hung;
}

/* Attributes and block types, at any depth. */
static size_t size_of_type(const lc_nested_type *nested)
{
    size_t size = nested->attribute_count;
    for (size_t i = 0; i < nested->attribute_count; i++) {
        if (nested->attributes[i].nested)
            size += size_of_type(nested->attributes[i].nested);
    }
    return size;
}

static size_t size_of_block(const lc_block *block)
{
    size_t size = block->attribute_count + block->block_count;
    for (size_t i = 0; i < block->attribute_count; i++) {
        if (block->attributes[i].nested)
            size += size_of_type(block->attributes[i].nested);
    }
    for (size_t i = 0; i < block->block_count; i++)
        size += size_of_block(block->blocks[i].block);
    return size;
}

/* A provider needs time for a call that grows with the schema: a second for aws_wafv2_web_acl. A
 * limit of time ends at another place in every run, one of calls at the same. */
static uint64_t calls_for(const lc_examination *exam)
{
    const lc_probe_options *o = exam->prober->options;
    uint64_t most = o->most_calls ? o->most_calls : LC_PROBE_CALLS;
    size_t size = exam->function ? 0 : size_of_block(exam->schema->block);
    uint64_t fewer = size ? most * LC_PROBE_USUAL_SIZE / size : most;
    fewer = fewer < LC_PROBE_LEAST_CALLS ? LC_PROBE_LEAST_CALLS : fewer;
    return fewer < most ? fewer : most;
}

static void begin_cache(const lc_examination *exam, lc_peer_cache *cache)
{
    const lc_probe_options *o = exam->prober->options;
    lc_peer_cache_begin(cache, exam->arena);
    cache->max_calls = calls_for(exam);
    cache->deadline =
        o->budget_ms && o->hooks.clock ? lc_prober_now(exam->prober) + o->budget_ms : 0;
}

/* The attributes and blocks of a schema that types are compared by: smaller ones are equal by
 * chance. */
#define LEAST_SHAPE 5

static lc_str shape_of(const lc_examination *exam)
{
    lc_buf type = {0};
    const lc_block *block = exam->schema->block;
    if (exam->function || block->attribute_count + block->block_count < LEAST_SHAPE)
        return LC_STR_EMPTY;
    lc_typejson_encode(&type, exam->schema->block->implied);
    lc_str shape = lc_str_printf(exam->prober->arena, "%016llx",
                                 (unsigned long long)lc_str_fingerprint(lc_buf_str(&type)));
    lc_buf_release(&type);
    return shape;
}

static void find_names(lc_examination *exam)
{
    lc_prober *prober = exam->prober;
    lc_probe_type *result = exam->result;
    lc_str name = exam->function ? exam->function->name : exam->schema->type_name;
    result->kind = exam->schema->kind;
    lc_str whole = exam->function ? lc_str_printf(exam->arena, "function.%.*s", LC_FMT(name))
                                  : lc_kind_and_type(exam->arena, exam->schema->kind, name);
    exam->file_word = lc_file_word(exam->arena, whole);
    result->name = lc_str_on_one_line(prober->arena, whole);
    result->why_not = result->from = result->same_as = LC_STR_EMPTY;
    result->shape = shape_of(exam);
    for (size_t i = 0; i < LC_LAW_COUNT; i++)
        result->laws[i].why = LC_STR_EMPTY;
    exam->random = prober->options->seed ^ lc_str_fingerprint(name);
}

static void begin_caches(lc_examination *exam)
{
    begin_cache(exam, exam->cache);
    if (exam->other)
        begin_cache(exam, exam->other);
    if (exam->newer)
        lc_peer_cache_begin(&exam->newer->main, exam->arena);
}

/* The caches outlive the examination, what they kept of it does not. */
static void end_caches(lc_examination *exam)
{
    exam->cache->arena = NULL;
    if (exam->other)
        exam->other->arena = NULL;
    if (exam->newer)
        exam->newer->main.arena = NULL;
}

/* Finds configurations or arguments, and tries the laws with them. */
static void try_all_laws(lc_examination *exam)
{
    begin_caches(exam);
    if (exam->function)
        lc_find_arguments(exam);
    else
        lc_find_subjects(exam);
    if (exam->newer)
        lc_find_newer(exam);
    else
        try_laws(exam);
}

/* The provider's own configuration is tried in the second process, because the first one needs one
 * that works. */
static lc_examination begin(lc_prober *prober, const lc_schema *schema, const lc_function *function)
{
    bool own = schema->kind == LC_KIND_PROVIDER && !function && !prober->newer;
    lc_examination exam = {.prober = prober,
                           .arena = lc_arena_new(),
                           .schema = schema,
                           .function = function,
                           .cache = own ? &prober->second : &prober->main,
                           .other = prober->second.client && !own ? &prober->second : NULL,
                           .result = LC_PUSH(prober->arena, &prober->result.types, lc_probe_type),
                           .plans = schema->kind == LC_KIND_RESOURCE &&
                                    prober->result.not_configured.len == 0,
                           .newer = prober->newer};
    if (exam.newer)
        exam.newer_schema = lc_prober_schema(exam.newer, schema->kind, schema->type_name);
    lc_table_init(&exam.seen, exam.arena);
    find_names(&exam);
    return exam;
}

void lc_examine(lc_prober *prober, const lc_schema *schema, const lc_function *function)
{
    int64_t began = lc_prober_now(prober);
    lc_examination exam = begin(prober, schema, function);
    lc_probe_type *result = exam.result;
    if (exam.newer && !exam.newer_schema) {
        lc_not_tried(&exam, LC_LAW_39, "the new version does not have it");
        lc_arena_free(exam.arena);
        return;
    }
    try_all_laws(&exam);
    set_reasons(&exam);
    report_conforming(&exam);
    count(&exam, began);
    if (result->findings.count > 1)
        qsort(result->findings.items, result->findings.count, sizeof *result->findings.items,
              by_law);
    end_caches(&exam);
    lc_arena_free(exam.arena);
}
