/* How much of a prediction is certain. */
#include "predict/internal.h"

lc_prediction_counts lc_prediction_count(const lc_prediction *prediction)
{
    lc_prediction_counts n = {.objects = prediction->changes.count,
                              .unexpanded = prediction->open.count,
                              .errors = prediction->errors.count};
    for (size_t i = 0; i < prediction->changes.count; i++) {
        const lc_run_change *c = &prediction->changes.items[i];
        bool firm = lc_run_is_firm(c);
        n.firm += firm;
        n.open += !firm;
        n.actions[c->action] += firm;
    }
    return n;
}
