/* The client that made a recording, and what it accepts where another client stops. */
#include "lifecheck/catalog/versions.h"
#include "verdict/internal.h"

#define FIRST_OPENTOFU 6 /* it was forked from Terraform 1.6 */
/* What OpenTofu calls itself towards providers since 1.12, whatever version it is. */
#define AS_TERRAFORM "1.13.0"

bool lc_client_of(lc_recorded_client *out, lc_str program, lc_str version)
{
    bool terraform = lc_str_contains(program, LC_STR("terraform"));
    bool opentofu = !terraform && lc_str_contains(program, LC_STR("tofu"));
    *out = (lc_recorded_client){.program = program, .version = version};
    if (opentofu && lc_str_is(version, AS_TERRAFORM))
        out->version = LC_STR("1.12 or later");
    lc_version_read(&out->minor, out->version);
    bool known = out->minor > 0;
    out->may_be[LC_TERRAFORM] = terraform || (!opentofu && known);
    out->may_be[LC_OPENTOFU] = opentofu || (!terraform && out->minor >= FIRST_OPENTOFU);
    return terraform || opentofu || known;
}

void lc_client_add_words(lc_buf *out, const lc_recorded_client *client)
{
    const char *name = !client->may_be[LC_OPENTOFU]    ? "Terraform"
                       : !client->may_be[LC_TERRAFORM] ? "OpenTofu"
                                                       : "Terraform or OpenTofu";
    lc_buf_printf(out, "%s%s%.*s", name, client->version.len ? " " : "", LC_FMT(client->version));
}

bool lc_finding_versions(lc_since out[LC_CORE_COUNT], const lc_finding *f)
{
    bool any = lc_versions_of(out, f->rule, f->call.kind);
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (f->core[core].since && !any)
            out[LC_OPENTOFU] = out[LC_TERRAFORM] = (lc_since){0, 0};
        if (f->core[core].since)
            out[core] = (lc_since){f->core[core].since, 0};
        any |= f->core[core].since != 0;
    }
    return any;
}

bool lc_finding_is_of(const lc_finding *f, lc_core core, unsigned minor)
{
    lc_since versions[LC_CORE_COUNT];
    return !lc_finding_versions(versions, f) || lc_since_has(&versions[core], minor);
}

bool lc_client_accepts(const lc_recorded_client *client, const lc_finding *finding)
{
    bool any = false;
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (!lc_effect_stops(finding->core[core].effect))
            continue;
        any = true;
        if (client->may_be[core] && lc_finding_is_of(finding, (lc_core)core, client->minor))
            return false;
    }
    return any;
}

/* "an error since Terraform 1.8; OpenTofu: never". False: every version of both does the same. */
static bool add_check(lc_buf *out, const lc_finding *finding, bool stops)
{
    lc_since versions[LC_CORE_COUNT];
    if (!lc_finding_versions(versions, finding))
        return false;
    lc_buf_add_c(out, stops ? "an error " : "checked ");
    lc_since_add_words(out, versions);
    return true;
}

void lc_finding_add_versions(lc_buf *out, const lc_judged *judged, const lc_finding *finding)
{
    bool terraform = lc_effect_stops(finding->core[LC_TERRAFORM].effect);
    bool opentofu = lc_effect_stops(finding->core[LC_OPENTOFU].effect);
    bool accepted = judged->client && lc_client_accepts(judged->client, finding);
    if (accepted) {
        lc_buf_add_c(out, "accepted by ");
        lc_client_add_words(out, judged->client);
        lc_buf_add_c(out, ", which made the recording; ");
    }
    if (!add_check(out, finding, terraform || opentofu) && accepted)
        lc_buf_printf(out, "an error in %s", terraform ? "Terraform" : "OpenTofu");
}
