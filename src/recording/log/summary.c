/* One line for people about the contents of a log: calls, types, diagnostics, capabilities. */
#include "lifecheck/recording/capture.h"

#include "lifecheck/base/arena.h"

#include <string.h>

void lc_used_add(lc_used *used, const lc_buf *text)
{
    if (used)
        *LC_PUSH(used->arena, &used->list, lc_str) = lc_buf_copy(used->arena, text);
}

typedef struct count {
    lc_str name;
    size_t calls;
} count;
typedef LC_VEC(count *) counts;

static void add(counts *list, lc_table *table, lc_arena *arena, lc_str name)
{
    count *c = lc_table_get(table, name);
    if (!c) {
        c = LC_NEW(arena, count);
        *c = (count){name, 0};
        lc_table_put(table, name, c);
        *LC_PUSH(arena, list, count *) = c;
    }
    c->calls++;
}

#define SHOWN 20 /* names that are listed; the others are counted */

static void print(lc_buf *out, const char *what, const counts *list)
{
    for (size_t i = 0; i < list->count && i < SHOWN; i++)
        lc_buf_printf(out, "%s%.*s %zu", i ? ", " : what, LC_FMT(list->items[i]->name),
                      list->items[i]->calls);
    if (list->count > SHOWN)
        lc_buf_printf(out, " and %zu more", list->count - SHOWN);
}

static void print_number(lc_buf *out, size_t number, const char *one, const char *many)
{
    if (number)
        lc_buf_printf(out, "; %zu %s", number, number == 1 ? one : many);
}

static void print_capabilities(lc_buf *out, const lc_capabilities *c)
{
    const struct {
        lc_fact fact;
        const char *name;
    } list[] = {{c->plan_destroy, "plan_destroy"},
                {c->move_resource_state, "move_resource_state"},
                {c->generate_resource_config, "generate_resource_config"}};
    bool any = false;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].fact != LC_YES)
            continue;
        lc_buf_printf(out, "%s%s", any ? ", " : "; the provider announces ", list[i].name);
        any = true;
    }
}

void lc_log_summarize(const lc_log *log, lc_used *used, lc_str file)
{
    counts rpcs = {0}, types = {0};
    lc_table by_rpc, by_type;
    size_t diagnostics = 0, open = 0;
    lc_buf out = {0};
    if (!used)
        return;
    lc_arena *scratch = lc_arena_new();
    lc_table_init(&by_rpc, scratch);
    lc_table_init(&by_type, scratch);
    for (size_t i = 0; i < log->calls.count; i++) {
        const lc_log_call *call = log->calls.items[i];
        add(&rpcs, &by_rpc, scratch, call->rpc);
        if (call->type.len)
            add(&types, &by_type, scratch, call->type);
        diagnostics += call->diagnostics.count;
        open += !call->answered;
    }
    lc_buf_printf(&out, "%.*s: %zu call%s", LC_FMT(file), log->calls.count,
                  log->calls.count == 1 ? "" : "s");
    print(&out, ": ", &rpcs);
    print(&out, "; of ", &types);
    print_number(&out, open, "without a response", "without a response");
    print_number(&out, diagnostics, "diagnostic", "diagnostics");
    print_number(&out, log->logged.list.count, "violation as the client logs it",
                 "violations as the client logs them");
    print_capabilities(&out, &log->provider);
    lc_used_add(used, &out);
    lc_buf_release(&out);
    lc_arena_free(scratch);
}
