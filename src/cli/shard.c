/* --shard: which part of a run this is. `auto` takes it from what started us. */
#include "cli/checking.h"
#include "lifecheck/base/ascii.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SHARDS 10000

/* What starts the same command several times, and how it numbers them. */
typedef struct scheduler {
    const char *name;
    const char *index; /* the variable with our number */
    const char *first; /* with the number of the first; NULL: it is `from` */
    const char *step;  /* with the distance of two numbers; NULL: 1 */
    const char *total; /* with how many there are, or NULL */
    const char *last;  /* with the last number, or NULL */
    uint64_t from;
} scheduler;

static const scheduler schedulers[] = {
    {"Kubernetes", "JOB_COMPLETION_INDEX", NULL, NULL, NULL, NULL, 0},
    {"GitLab", "CI_NODE_INDEX", NULL, NULL, "CI_NODE_TOTAL", NULL, 1},
    {"CircleCI", "CIRCLE_NODE_INDEX", NULL, NULL, "CIRCLE_NODE_TOTAL", NULL, 0},
    {"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
     "SLURM_ARRAY_TASK_COUNT", NULL, 0},
    {"Grid Engine", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_STEPSIZE", NULL, "SGE_TASK_LAST", 1},
    {"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", NULL, NULL, "AWS_BATCH_JOB_ARRAY_SIZE", NULL, 0},
    {"GNU parallel", "PARALLEL_SEQ", NULL, NULL, NULL, NULL, 1},
};
#define SCHEDULERS (sizeof schedulers / sizeof *schedulers)

/* A number of at most nine digits. */
static bool read_number(uint64_t *out, lc_str text)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!lc_is_digit(text.ptr[i]) || i >= 9)
            return false;
        *out = *out * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    return text.len > 0;
}

/* Grid Engine says "undefined" where there is no array. */
static bool variable(uint64_t *out, const char *name)
{
    const char *text = name ? getenv(name) : NULL;
    return text && read_number(out, lc_str_from_c(text));
}

static const scheduler *find_scheduler(bool *several)
{
    const scheduler *found = NULL;
    uint64_t ignored;
    *several = false;
    for (size_t i = 0; i < SCHEDULERS; i++) {
        if (!variable(&ignored, schedulers[i].index))
            continue;
        *several |= found != NULL;
        found = found ? found : &schedulers[i];
    }
    return found;
}

/* From 1. Arrays may begin anywhere, and leave out numbers. */
static uint64_t index_of(const scheduler *s)
{
    uint64_t index = 0, first = s->from, step = 1;
    variable(&index, s->index);
    if (s->first && !variable(&first, s->first))
        first = s->from;
    if (!variable(&step, s->step) || step == 0)
        step = 1;
    return index < first ? 0 : (index - first) / step + 1;
}

static uint64_t total_of(const scheduler *s)
{
    uint64_t total = 0, last = 0, first = s->from, step = 1;
    if (variable(&total, s->total) || !variable(&last, s->last))
        return total;
    variable(&first, s->first);
    if (!variable(&step, s->step) || step == 0)
        step = 1;
    return last < first ? 0 : (last - first) / step + 1;
}

static void list_variables(lc_buf *out)
{
    for (size_t i = 0; i < SCHEDULERS; i++)
        lc_buf_printf(out, "%s%s (%s)", i ? ", " : "", schedulers[i].index, schedulers[i].name);
}

/* `auto` or `auto/N`. */
static bool find_numbers(uint64_t numbers[2], lc_str name, lc_str text)
{
    bool several, counted = text.len > 4;
    const scheduler *s = find_scheduler(&several);
    lc_buf known = {0};
    list_variables(&known);
    if (!s || several)
        lc_message("%.*s %.*s: %s of these variables has a number: %.*s", LC_FMT(name),
                   LC_FMT(text), several ? "more than one" : "none", LC_FMT(lc_buf_str(&known)));
    lc_buf_release(&known);
    if (!s || several)
        return false;
    numbers[0] = index_of(s);
    numbers[1] = total_of(s);
    if (counted && !read_number(&numbers[1], lc_str_sub(text, 5, text.len)))
        numbers[1] = 0;
    if (numbers[1] == 0 && !counted)
        lc_message("%s does not say how many shards there are: give it as %.*s auto/N", s->name,
                   LC_FMT(name));
    else if (numbers[0] == 0 || numbers[0] > numbers[1] || numbers[1] > MAX_SHARDS)
        lc_message("%.*s %.*s: %s=%s is not one of %llu shards (at most %d)", LC_FMT(name),
                   LC_FMT(text), s->index, getenv(s->index), (unsigned long long)numbers[1],
                   MAX_SHARDS);
    else
        return true;
    return false;
}

static bool read_numbers(uint64_t numbers[2], lc_str name, lc_str text)
{
    size_t slash = lc_str_find(text, 0, '/');
    if (read_number(&numbers[0], lc_str_sub(text, 0, slash)) && slash < text.len &&
        read_number(&numbers[1], lc_str_sub(text, slash + 1, text.len)) && numbers[0] &&
        numbers[0] <= numbers[1] && numbers[1] <= MAX_SHARDS)
        return true;
    lc_message("%.*s takes I/N, the I-th of N shards (at most %d), or auto, not \"%.*s\"",
               LC_FMT(name), MAX_SHARDS, LC_FMT(text));
    return false;
}

bool lc_cli_shard(uint64_t numbers[2], const lc_cli *cli)
{
    lc_str text = cli->options.shard, name = lc_cli_option_name(cli, LC_OPTION_SHARD);
    bool by_variables = lc_str_is(text, "auto") || lc_str_starts_with(text, LC_STR("auto/"));
    numbers[0] = numbers[1] = 0;
    if (!lc_cli_has(cli, LC_OPTION_SHARD))
        return true;
    return by_variables ? find_numbers(numbers, name, text) : read_numbers(numbers, name, text);
}

bool lc_read_shard(lc_checking *c)
{
    uint64_t numbers[2];
    bool good = lc_cli_shard(numbers, c->cli);
    c->sharded = numbers[1] > 0;
    c->shard.index = numbers[0];
    c->shard.of = numbers[1];
    return good;
}

/* The baseline of a settings file is applied by `merge`, which sees the findings of all shards. */
bool lc_leave_baseline_to_merge(lc_checking *c)
{
    const lc_options *o = &c->cli->options;
    if (!c->sharded || !(o->baseline.len || o->write_baseline.len))
        return true;
    if (c->cli->origins[LC_OPTION_BASELINE] == LC_FROM_FILE && !o->write_baseline.len) {
        c->without_baseline = true;
        return true;
    }
    lc_message("a baseline counts findings of a whole run: give it to lifecheck merge, not with "
               "--shard");
    return false;
}

void lc_cut_shard(const lc_checking *c, lc_items *items)
{
    uint64_t count = items->list.count;
    if (!c->sharded)
        return;
    size_t from = (size_t)(count * (c->shard.index - 1) / c->shard.of);
    size_t to = (size_t)(count * c->shard.index / c->shard.of);
    items->list.items += count ? from : 0;
    items->list.count = to - from;
}
