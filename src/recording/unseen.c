/* Calls that no rule looks at. A report names them, so that "conforms" is not read as if they had
 * been judged. */
#include "recording/unseen.h"

#define PROVIDER   "no rule is about the configuration of a provider"
#define PROVISIONS "no rule is about provisioners"
#define EPHEMERAL  "no rule is about an ephemeral resource after it was opened"

static const struct {
    const char *rpc, *why;
    bool session;
} reasons[] = {
    {"GetMetadata", "it names types only, and rules look at their schemas", true},
    {"GetFunctions", "rules look at the functions of GetProviderSchema only", true},
    {"Configure", PROVIDER, true},
    {"ConfigureProvider", PROVIDER, true},
    {"PrepareProviderConfig", PROVIDER, true},
    {"ValidateProviderConfig", PROVIDER, true},
    {"Stop", "it only asks the provider to stop", true},
    {"StopProvider", "it only asks the provider to stop", true},
    {"ValidateListResourceConfig", "no rule is about the configuration of a list resource", false},
    {"ValidateStateStoreConfig", "no rule is about the configuration of a state store", false},
    {"RenewEphemeralResource", EPHEMERAL, false},
    {"CloseEphemeralResource", EPHEMERAL, false},
    {"ValidateProvisionerConfig", PROVISIONS, false},
    {"ProvisionResource", PROVISIONS, false},
};
#define REASONS (sizeof reasons / sizeof *reasons)

static lc_unseen *find(lc_recording *r, lc_str rpc, const char *why)
{
    for (size_t i = 0; i < r->unseen.count; i++) {
        lc_unseen *u = &r->unseen.items[i];
        if (lc_str_eq(u->rpc, rpc) && lc_str_is(lc_str_from_c(u->why), why))
            return u;
    }
    return NULL;
}

void lc_unseen_add(lc_recording *out, lc_arena *arena, lc_str rpc, const char *why, lc_loc loc)
{
    bool session = false, given = why != NULL;
    for (size_t i = 0; i < REASONS && !given; i++) {
        if (lc_str_is(rpc, reasons[i].rpc)) {
            why = reasons[i].why;
            session = reasons[i].session;
        }
    }
    if (!why)
        why = "lifecheck does not know this call";
    if (!find(out, rpc, why) && out->unseen.count >= LC_MAX_UNSEEN)
        rpc = LC_STR("other calls");
    lc_unseen *u = find(out, rpc, why);
    if (!u) {
        u = LC_PUSH(arena, &out->unseen, lc_unseen);
        *u = (lc_unseen){lc_str_copy(arena, rpc), why, 0, loc, session};
    }
    u->count++;
}

void lc_unseen_report(const lc_recording *recording, lc_diags *diags)
{
    for (size_t i = 0; i < recording->unseen.count; i++) {
        const lc_unseen *u = &recording->unseen.items[i];
        if (!u->session)
            lc_diag_note(diags, u->first, "%llu %.*s: not checked, because %s",
                         (unsigned long long)u->count, LC_FMT(u->rpc), u->why);
    }
}
