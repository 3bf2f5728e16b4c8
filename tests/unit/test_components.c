/* Strongly connected components of graphs: what refers to itself in a circle is one, and each comes
 * after those that it needs. */
#include "unit.h"

#include "lifecheck/base/buf.h"
#include "predict/internal.h"

#include <string.h>

/* A graph: for each node, the nodes that it needs. */
static const struct {
    const char *needs; /* "1,2;;0" */
    const char *want;  /* components in the order in which they come, their nodes sorted */
} graphs[] = {
    {"", ""},
    {"-", "0 "},
    {"0", "0 "},
    {"1;-", "1 0 "},
    {"-;0;1", "0 1 2 "},
    {"1;0", "01 "},
    {"1;2;0;0", "012 3 "},
    {"3;2;1;-", "3 0 12 "},
    {"12;3;3;-", "3 1 2 0 "},
    {"1;02;3;2", "23 01 "},
    {"1;2;3;4;15", "5 1234 0 "},
};

typedef struct graph {
    lc_id_list nodes[16];
    size_t count;
    lc_buf out;
    bool taken[16];
} graph;

static const lc_id_list *needs(const void *context, uint32_t id)
{
    return &((const graph *)context)->nodes[id];
}

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static void take(void *context, const uint32_t *ids, size_t count)
{
    graph *g = context;
    char names[16];
    for (size_t i = 0; i < count; i++) {
        ck_assert(!g->taken[ids[i]]);
        g->taken[ids[i]] = true;
        names[i] = (char)('0' + ids[i]);
    }
    qsort(names, count, 1, compare);
    lc_buf_printf(&g->out, "%.*s ", (int)count, names);
}

static void read_graph(graph *g, lc_arena *arena, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (c == text)
            g->count = 1;
        if (*c == ';')
            g->count++;
        else if (*c != '-')
            *LC_PUSH(arena, &g->nodes[g->count - 1], uint32_t) = (uint32_t)(*c - '0');
    }
    for (size_t i = 0; i < g->count; i++) {
        for (size_t k = 0; k < g->nodes[i].count; k++)
            if (g->nodes[i].items[k] >= g->count)
                g->count = g->nodes[i].items[k] + 1;
    }
}

START_TEST(test_components)
{
    lc_arena *arena = lc_arena_new();
    graph g = {.count = 0};
    read_graph(&g, arena, graphs[_i].needs);
    lc_predict_components(arena, g.count, needs, take, &g);
    CHECK_TEXT(graphs[_i].needs, lc_buf_str(&g.out), lc_str_from_c(graphs[_i].want));
    lc_buf_release(&g.out);
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("components");
    TCase *tcase = tcase_create("components");
    ADD_ROWS(tcase, test_components, graphs);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
