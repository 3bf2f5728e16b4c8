/* Laws 37, 38 and 40: objects of this version, and of a newer one. */
#include "lifecheck/base/arena.h"
#include "probe/internal.h"

static bool ask_newer(lc_hearing *h, lc_raw_state *raw)
{
    raw->schema_version = h->x->schema->version + 1;
    lc_hear_upgrade(h, raw);
    return true;
}

static bool ask_twice(lc_hearing *h)
{
    lc_raw_state raw;
    const lc_call *first = &h->scenario.subject.runs.items[0].calls.items[0];
    h->why = "the upgrade has an error";
    if (!lc_answered(first) || !lc_field_has_value(&first->result) ||
        !lc_raw_of(&raw, h, first->result.value))
        return false;
    lc_hear_upgrade(h, &raw);
    return true;
}

bool lc_hear_upgrade_law(lc_hearing *h)
{
    lc_raw_state raw;
    h->why = "validation does not accept the configuration";
    if (!lc_is_accepted(h, h->trial->config))
        return false;
    const lc_value *stored = lc_hear_stored(h);
    if (!stored)
        return false;
    h->why = "the stored object has no JSON form";
    if (!lc_raw_of(&raw, h, stored))
        return false;
    lc_run *run = lc_hear_run(h, stored, NULL);
    run->prior_state.state = LC_FIELD_ABSENT;
    if (h->trial->law == LC_LAW_40)
        return ask_newer(h, &raw);
    lc_hear_upgrade(h, &raw);
    return h->trial->law != LC_LAW_38 || ask_twice(h);
}

void lc_find_upgrade(lc_examination *x, lc_law law, const lc_subject *subject)
{
    lc_try(x, &(lc_trial){.law = law, .config = subject->config, .real = subject->real});
}
