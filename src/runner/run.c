/* Judges all items, in this process or in workers. */
#include "runner/internal.h"

typedef struct progress {
    lc_consume consume;
    void *context;
    const lc_item *item;
} progress;

static bool take_part(void *context, lc_outcome *part)
{
    const progress *p = context;
    bool going = p->consume(p->context, p->item, part);
    lc_outcome_clear(part);
    return going;
}

void lc_check_items(lc_checker *checker, const lc_items *items, unsigned jobs, lc_consume consume,
                    void *context)
{
    bool going = true;
    if (jobs > 1) {
        lc_check_in_workers(checker, items, jobs, consume, context);
        return;
    }
    for (size_t i = 0; going && i < items->list.count; i++) {
        lc_outcome outcome;
        progress p = {consume, context, &items->list.items[i]};
        checker->progress = take_part;
        checker->progress_context = &p;
        lc_check_item(&outcome, checker, &items->list.items[i]);
        checker->progress = NULL; /* its context ends here */
        checker->progress_context = NULL;
        going = consume(context, &items->list.items[i], &outcome);
        lc_outcome_release(&outcome);
        if (checker->meter)
            checker->meter->done++;
        lc_meter_tick(checker->meter);
    }
}
