/* Which keys of a scenario have values of an object as a schema describes them. */
#include "lifecheck/scenario/scenario.h"

bool lc_is_object_key(lc_str key)
{
    static const char *const keys[] = {"config",
                                       "prior_state",
                                       "current_state",
                                       "proposed_new_state",
                                       "planned_state",
                                       "planned",
                                       "new_state",
                                       "upgraded_state",
                                       "target_state",
                                       "state",
                                       "result",
                                       "prepared_config",
                                       "generated_config",
                                       "final_config",
                                       "final_planned_state",
                                       "read_state",
                                       "attributes",
                                       "import_stub_state",
                                       "raw_state",
                                       "source_state",
                                       NULL};
    return lc_str_is_one_of(key, keys, NULL);
}

bool lc_is_config_key(lc_str key)
{
    return lc_str_is(key, "config") || lc_str_is(key, "final_config");
}
