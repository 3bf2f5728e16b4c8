/* Strongly connected components by Tarjan's algorithm, on a stack of our own. */
#include "predict/internal.h"

typedef struct visit {
    uint32_t id;
    size_t next; /* need to look at */
} visit;

typedef struct walk {
    const lc_id_list *(*needs)(const void *context, uint32_t id);
    void (*take)(void *context, const uint32_t *ids, size_t count);
    void *context;
    uint32_t *index, *low; /* 0: not seen */
    bool *open;
    uint32_t *stack;
    size_t stacked;
    visit *path;
    size_t depth;
    uint32_t seen;
} walk;

static void enter(walk *w, uint32_t id)
{
    w->index[id] = w->low[id] = ++w->seen;
    w->open[id] = true;
    w->stack[w->stacked++] = id;
    w->path[w->depth++] = (visit){id, 0};
}

/* The component whose first node is `id` is complete: it lies on the stack. */
static void leave(walk *w, uint32_t id)
{
    size_t from = w->stacked;
    do {
        from--;
        w->open[w->stack[from]] = false;
    } while (w->stack[from] != id);
    w->take(w->context, w->stack + from, w->stacked - from);
    w->stacked = from;
}

static void walk_from(walk *w, uint32_t start)
{
    enter(w, start);
    while (w->depth) {
        visit *v = &w->path[w->depth - 1];
        const lc_id_list *needs = w->needs(w->context, v->id);
        if (v->next < needs->count) {
            uint32_t to = needs->items[v->next++];
            if (!w->index[to])
                enter(w, to);
            else if (w->open[to] && w->index[to] < w->low[v->id])
                w->low[v->id] = w->index[to];
            continue;
        }
        uint32_t done = v->id;
        w->depth--;
        if (w->depth) {
            uint32_t above = w->path[w->depth - 1].id;
            if (w->low[done] < w->low[above])
                w->low[above] = w->low[done];
        }
        if (w->low[done] == w->index[done])
            leave(w, done);
    }
}

void lc_predict_components(lc_arena *arena, size_t count,
                           const lc_id_list *(*needs)(const void *context, uint32_t id),
                           void (*take)(void *context, const uint32_t *ids, size_t count),
                           void *context)
{
    walk w = {.needs = needs, .take = take, .context = context};
    w.index = lc_arena_zalloc(arena, lc_mul_size(count, sizeof *w.index));
    w.low = lc_arena_zalloc(arena, lc_mul_size(count, sizeof *w.low));
    w.open = lc_arena_zalloc(arena, count);
    w.stack = LC_NEW_ARRAY(arena, uint32_t, count);
    w.path = LC_NEW_ARRAY(arena, visit, count);
    for (uint32_t id = 0; id < count; id++) {
        if (!w.index[id])
            walk_from(&w, id);
    }
}
