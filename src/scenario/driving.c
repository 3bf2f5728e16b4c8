/* The key `drive`: the requests to a running provider. */
#include "lifecheck/base/arena.h"
#include "scenario/internal.h"

enum { PROVIDER_CONFIG, APPLY, STEPS, LIST_CONFIG, DRIVE_KEYS };
static const lc_key_row drive_rows[] = {
    {"provider_config", LC_SHAPE_MAPPING, false, "the configuration of the provider itself"},
    {"apply", LC_SHAPE_FLAG, false, "apply what was planned, if --apply is given too; true"},
    {"steps", LC_SHAPE_DRIVE_STEPS, false, "only these calls"},
    {"list", LC_SHAPE_MAPPING, false,
     "the configuration of the list resource that must list the created object"},
};
const lc_keyset lc_drive_keys = LC_KEYSET(drive_rows);

const char *const lc_drive_step_names[] = {"validate", "upgrade", "import",      "move", "read",
                                           "plan",     "apply",   "reread",      "data", "open",
                                           "list",     "action",  "state_store", NULL};

static const lc_call_kind kinds[] = {
    LC_CALL_VALIDATE, LC_CALL_UPGRADE, LC_CALL_IMPORT, LC_CALL_MOVE, LC_CALL_READ,
    LC_CALL_PLAN,     LC_CALL_APPLY,   LC_CALL_REREAD, LC_CALL_DATA, LC_CALL_OPEN,
    LC_CALL_LIST,     LC_CALL_ACTION,  LC_CALL_STORE,
};

static void read_step(lc_in *in, lc_driving *out, const lc_node *node)
{
    lc_str text;
    size_t at;
    if (!lc_in_text(in, &text, node, "a step of drive"))
        return;
    if (lc_str_is_one_of(text, lc_drive_step_names, &at)) {
        out->steps |= LC_CALL_BIT(kinds[at]);
        return;
    }
    lc_str near = lc_str_nearest_word(text, lc_drive_step_names);
    lc_diag_error(in->diags, lc_in_loc(in, node), "drive has no step \"%.*s\"%s%.*s%s",
                  LC_FMT(text), LC_FMT_NEAR(near));
}

void lc_in_driving(lc_in *in, lc_driving *out, const lc_member *member)
{
    const lc_member *found[DRIVE_KEYS];
    *out = (lc_driving){.given = true, .loc = lc_in_key_loc(in, member), .source = in->source};
    if (!lc_in_keys(in, found, &member->value, &lc_drive_keys, "drive"))
        return;
    if (found[PROVIDER_CONFIG] &&
        lc_in_mapping(in, &found[PROVIDER_CONFIG]->value, "provider_config"))
        out->provider_config = &found[PROVIDER_CONFIG]->value;
    if (found[LIST_CONFIG] && lc_in_mapping(in, &found[LIST_CONFIG]->value, "list"))
        out->list = &found[LIST_CONFIG]->value;
    if (found[APPLY])
        lc_in_fact(in, &out->apply, &found[APPLY]->value, "apply");
    if (found[STEPS] && lc_in_sequence(in, &found[STEPS]->value, "steps")) {
        for (uint32_t i = 0; i < found[STEPS]->value.count; i++)
            read_step(in, out, &found[STEPS]->value.as.items[i]);
    }
}
