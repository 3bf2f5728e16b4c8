/* Strongly connected components by Tarjan's algorithm, with an explicit stack: a chain of
 * references may be too long for the C stack. Linear in nodes and edges. */
#include "predict/internal.h"

typedef struct visit {
    uint32_t id;
    size_t next; /* index of the next need to visit */
} visit;

typedef struct walk {
    const lc_id_list *(*needs)(const void *context, uint32_t id);
    void (*take)(void *context, const uint32_t *ids, size_t count);
    void *context;
    /* Order of first visit, and lowest index reachable; 0: not visited. */
    uint32_t *index, *low;
    bool *open; /* on `stack`: the component is not complete */
    uint32_t *stack;
    size_t stacked;
    visit *path; /* the nodes being visited, as the C stack would hold them */
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

/* The component that began with node `id` is complete: it is the top of the stack. */
static void finish_component(walk *w, uint32_t id)
{
    size_t from = w->stacked;
    do {
        from--;
        w->open[w->stack[from]] = false;
    } while (w->stack[from] != id);
    w->take(w->context, w->stack + from, w->stacked - from);
    w->stacked = from;
}

/* Depth-first from one node. The recursive call of the textbook is `enter`; its return is the part
 * after `done`. */
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
            finish_component(w, done);
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
