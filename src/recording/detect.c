/* What an input is, by its beginning. */
#include "lifecheck/recording/recording.h"

static const struct {
    const char *name, *text;
} kinds[LC_INPUT_KINDS] = {
    [LC_INPUT_UNKNOWN] = {"unknown", "nothing that is known"},
    [LC_INPUT_SCENARIOS] = {"scenarios", "scenarios"},
    [LC_INPUT_CALLS] = {"calls", "a stream of recorded calls"},
    [LC_INPUT_CAPTURE] = {"capture", "a capture directory"},
    [LC_INPUT_PLAN] = {"plan", "a plan as JSON"},
    [LC_INPUT_STATE] = {"state", "a state file"},
    [LC_INPUT_LOG] = {"log", "a log"},
};

const char *lc_input_name(lc_input_kind kind)
{
    return kinds[kind].name;
}

const char *lc_input_describe(lc_input_kind kind)
{
    return kinds[kind].text;
}

lc_input_kind lc_input_detect(lc_str head)
{
    if (lc_looks_like_scenario(head)) /* also with `calls`, which are the same messages */
        return LC_INPUT_SCENARIOS;
    if (lc_looks_like_rpc(head))
        return LC_INPUT_CALLS;
    switch (lc_json_evidence(head)) {
    case LC_JSON_PLAN:
        return LC_INPUT_PLAN;
    case LC_JSON_STATE:
        return LC_INPUT_STATE;
    case LC_JSON_OTHER:
        break;
    }
    if (lc_looks_like_log(head))
        return LC_INPUT_LOG;
    return lc_looks_like_headless_scenario(head) ? LC_INPUT_SCENARIOS : LC_INPUT_UNKNOWN;
}
