/* How much of a prediction is certain, in numbers and in one sentence. */
#include "predict/internal.h"

#define MOST_REASONS 3 /* that are named, of those for which objects are open */

const lc_prediction *lc_prediction_judged(const lc_prediction *prediction)
{
    const lc_prediction *cautious = prediction->cautious;
    return cautious && !prediction->no_plan && !cautious->no_plan ? cautious : prediction;
}

/* Both are sorted; *at is where the search goes on. Strings may hide keys, so addresses count. */
static bool is_assumed(const lc_prediction *judged, size_t *at, const lc_run_change *c)
{
    for (; *at < judged->changes.count; ++*at) {
        const lc_run_change *same = &judged->changes.items[*at];
        int order = lc_address_cmp(&same->address, &c->address);
        order = order ? order : lc_str_cmp(same->deposed, c->deposed);
        if (order == 0)
            return !lc_run_is_firm(same) || same->action != c->action;
        if (order > 0)
            break;
    }
    return true;
}

/* A block that has no instance as long as the assumption holds, or a whole module. */
static bool assumes_blocks(const lc_prediction *prediction)
{
    return lc_prediction_judged(prediction)->open.count > prediction->open.count;
}

lc_prediction_counts lc_prediction_count(const lc_prediction *prediction)
{
    lc_prediction_counts n = {.objects = prediction->changes.count,
                              .unexpanded = prediction->open.count,
                              .errors = prediction->errors.count};
    const lc_prediction *judged = lc_prediction_judged(prediction);
    size_t at = 0;
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        bool firm = lc_run_is_firm(c);
        n.firm += firm;
        n.open += !firm;
        n.assumed += firm && judged != prediction && is_assumed(judged, &at, c);
        n.actions[c->action] += firm;
    }
    return n;
}

lc_prediction_state lc_prediction_state_of(const lc_prediction *prediction)
{
    lc_prediction_counts n = lc_prediction_count(prediction);
    if (n.errors || prediction->no_plan)
        return LC_PREDICTION_FAILED;
    if (n.open || n.unexpanded || n.assumed || assumes_blocks(prediction))
        return LC_PREDICTION_OPEN;
    return n.objects || prediction->outputs.count ? LC_PREDICTION_COMPLETE : LC_PREDICTION_EMPTY;
}

LC_ENUM_NAMES(lc_prediction_state, LC_PREDICTION_STATES);

/* ---- Why objects are open. */

typedef struct reasons {
    LC_VEC(lc_open_reason) list;
    lc_table index;
} reasons;

static void count_reason(reasons *all, lc_arena *arena, lc_str text)
{
    size_t at = lc_table_get_index(&all->index, text);
    if (at == LC_NO_INDEX) {
        at = all->list.count;
        *LC_PUSH(arena, &all->list, lc_open_reason) = (lc_open_reason){text, 0};
        lc_table_put_index(&all->index, text, at);
    }
    all->list.items[at].count++;
}

static int by_count(const void *a, const void *b)
{
    const lc_open_reason *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return lc_str_cmp(x->text, y->text);
}

const lc_open_reason *lc_prediction_reasons(size_t *count, lc_arena *arena,
                                            const lc_prediction *prediction)
{
    reasons all = {0};
    lc_table_init(&all.index, arena);
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        if (!lc_run_is_firm(c))
            count_reason(&all, arena, c->undecided ? c->undecided->reason : c->why.text);
    }
    for (size_t i = 0; i < prediction->open.count; i++)
        count_reason(&all, arena, prediction->open.items[i].undecided->reason);
    if (all.list.count > 1)
        qsort(all.list.items, all.list.count, sizeof *all.list.items, by_count);
    *count = all.list.count;
    return all.list.items;
}

/* ---- The sentence. */

static void add_fates(lc_buf *out, lc_arena *arena, const lc_prediction_counts *n)
{
    size_t replaced = 0, shown = 0;
    static const lc_plan_action order[] = {LC_PLAN_DELETE_CREATE, LC_PLAN_DELETE, LC_PLAN_FORGET,
                                           LC_PLAN_UPDATE,        LC_PLAN_CREATE, LC_PLAN_READ,
                                           LC_PLAN_NOOP};
    for (int a = LC_PLAN_NOOP; a <= LC_PLAN_FORGET_CREATE; a++)
        replaced += lc_plan_action_replaces((lc_plan_action)a) ? n->actions[a] : 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        size_t count = i ? n->actions[order[i]] : replaced;
        lc_str word = lc_plan_action_fates(arena, LC_PLAN_BIT(order[i]));
        if (count)
            lc_buf_printf(out, "%s%zu %.*s", shown++ ? ", " : "", count,
                          LC_FMT(order[i] == LC_PLAN_NOOP ? LC_STR("unchanged") : word));
    }
}

static void add_reasons(lc_buf *out, lc_arena *arena, const lc_prediction *prediction)
{
    size_t count;
    const lc_open_reason *list = lc_prediction_reasons(&count, arena, prediction);
    for (size_t i = 0; i < count && i < MOST_REASONS; i++)
        lc_buf_printf(out, "%s%.*s (%zu)", i ? ", " : ": ", LC_FMT(list[i].text), list[i].count);
    if (count > MOST_REASONS)
        lc_buf_printf(out, ", and %zu more", count - MOST_REASONS);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

lc_str lc_prediction_words(lc_arena *arena, const lc_prediction *prediction)
{
    lc_prediction_counts n = lc_prediction_count(prediction);
    lc_buf out = {0};
    if (n.errors)
        lc_buf_printf(&out, "the client fails (%zu error%s); ", n.errors, plural(n.errors));
    if (!n.objects && !n.unexpanded) {
        lc_buf_add_c(&out, prediction->no_plan ? "nothing is predicted" : "there are no objects");
        return lc_buf_take(arena, &out);
    }
    lc_buf_printf(&out, "%zu object%s: %zu firm", n.objects, plural(n.objects), n.firm);
    if (n.firm) {
        lc_buf_add_c(&out, " (");
        add_fates(&out, arena, &n);
        lc_buf_add_c(&out, ")");
    }
    lc_buf_printf(&out, ", %zu undecided", n.open);
    if (n.unexpanded)
        lc_buf_printf(&out, "; %zu block%s whose instances are not known", n.unexpanded,
                      plural(n.unexpanded));
    if (n.open || n.unexpanded)
        add_reasons(&out, arena, prediction);
    if (n.assumed)
        lc_buf_printf(&out, "; %zu object%s on an assumption about data sources", n.assumed,
                      n.assumed == 1 ? " rests" : "s rest");
    else if (assumes_blocks(prediction))
        lc_buf_add_c(&out, "; the list of objects depends on an assumption about data sources");
    return lc_buf_take(arena, &out);
}

lc_str lc_prediction_plan_words(lc_arena *arena, const lc_prediction *prediction)
{
    lc_prediction_counts n = lc_prediction_count(prediction);
    size_t replaced = n.actions[LC_PLAN_DELETE_CREATE] + n.actions[LC_PLAN_CREATE_DELETE];
    size_t released = n.actions[LC_PLAN_CREATE_FORGET] + n.actions[LC_PLAN_FORGET_CREATE];
    size_t forgotten = n.actions[LC_PLAN_FORGET] + released;
    lc_buf out = {0};
    lc_buf_printf(&out, "Plan: %zu to add, %zu to change, %zu to destroy",
                  n.actions[LC_PLAN_CREATE] + replaced + released, n.actions[LC_PLAN_UPDATE],
                  n.actions[LC_PLAN_DELETE] + replaced);
    if (forgotten)
        lc_buf_printf(&out, ", %zu to forget", forgotten);
    if (n.open || n.unexpanded)
        lc_buf_printf(&out, "; %zu undecided", n.open + n.unexpanded);
    lc_buf_add_char(&out, '.');
    return lc_buf_take(arena, &out);
}
