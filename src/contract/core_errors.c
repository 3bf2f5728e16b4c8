/* The errors of each core about a plan or a result, in its own spelling: for comparison with
 * verdicts that were recorded from the cores. */
#include "contract/walk/walk.h"

#include "lifecheck/base/arena.h"

static void collect(lc_core_errors out[LC_CORE_COUNT], lc_arena *arena, const lc_walk *walk)
{
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        lc_cores bit = 1u << core;
        out[core] = (lc_core_errors){NULL, 0, 0, (walk->crashed & bit) != 0};
        for (size_t i = 0; i < walk->issues.count; i++) {
            const lc_issue *issue = &walk->issues.items[i];
            if (!(issue->cores & ~issue->collapsed & bit))
                continue;
            lc_core_error *error = LC_PUSH(arena, &out[core], lc_core_error);
            error->path = issue->core_path[core];
            error->template = issue->template[core];
            error->message = issue->text[core];
        }
    }
}

void lc_core_plan_valid(lc_core_errors out[LC_CORE_COUNT], lc_arena *arena, const lc_block *block,
                        const lc_value *prior, const lc_value *config, const lc_value *planned)
{
    lc_walk walk = {.arena = arena};
    lc_check_plan(&walk, block, prior, config, planned, LC_PROGRESS_ALL);
    collect(out, arena, &walk);
    lc_walk_release(&walk);
}

void lc_core_compatible(lc_core_errors out[LC_CORE_COUNT], lc_arena *arena, const lc_block *block,
                        const lc_value *planned, const lc_value *actual, bool marked)
{
    lc_walk walk = {.arena = arena, .marked = marked};
    lc_check_compatible(&walk, block, planned, actual, LC_PROGRESS_ALL);
    collect(out, arena, &walk);
    lc_walk_release(&walk);
}
