/* --claim: what a whole run came to, with everything that is needed to repeat it. The member
 * `result` is the same whenever the same binary is asked again; lifecheck verify does so.
 *
 * Types are bounded by calls and never by time, so that the result does not depend on the machine.
 */
#include "cli/commands/probe/probe.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/files/output_file.h"
#include "lifecheck/yaml_json/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VALID_DAYS 90

bool lc_probe_claims_all(const lc_probe *p)
{
    static const lc_option less[] = {
        LC_OPTION_TYPE,  LC_OPTION_LAW,      LC_OPTION_SELECT,         LC_OPTION_IGNORE,
        LC_OPTION_SHARD, LC_OPTION_SINCE,    LC_OPTION_TOTAL_BUDGET,   LC_OPTION_BUDGET,
        LC_OPTION_STATE, LC_OPTION_BASELINE, LC_OPTION_WRITE_BASELINE, LC_OPTION_CONFIG};
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
        if (lc_cli_has(p->cli, less[i])) {
            lc_str name = lc_cli_option_name(p->cli, less[i]);
            lc_message("a claim covers all types and laws: %.*s cannot be combined with --claim",
                       LC_FMT(name));
            return false;
        }
    }
    if (p->provider_options.provider.dial.len)
        lc_message("--claim needs a binary: a provider that runs already has no hash");
    return p->provider_options.provider.dial.len == 0;
}

/* ---- The result. */

static void add_findings(lc_doc *list, const lc_probe_type *type)
{
    for (size_t i = 0; i < type->findings.count; i++) {
        const lc_probe_finding *f = &type->findings.items[i];
        if (!f->fails)
            continue;
        lc_doc *doc = lc_doc_add_object(list, NULL);
        lc_doc_add_str(doc, "type", type->name);
        lc_doc_add_str(doc, "rule", lc_rule_get(f->rule)->slug);
        lc_doc_add_str(doc, "law", lc_law_get(f->law)->id);
        lc_doc_add_str(doc, "place", f->place);
    }
}

/* Types without a configuration, and those for which calls ran out. */
static void add_not_asked(lc_doc *list, const lc_probe_type *type)
{
    if (type->configured && type->asked_all)
        return;
    lc_doc *doc = lc_doc_add_object(list, NULL);
    lc_doc_add_str(doc, "type", type->name);
    lc_doc_add_str(doc, "why",
                   type->asked_all ? LC_STR("no configuration was accepted")
                                   : LC_STR("calls ran out before all laws were tried"));
}

static void add_laws(lc_doc *doc, const lc_probe_result *r)
{
    lc_doc *tried = lc_doc_add_array(doc, "laws"), *not = lc_doc_add_array(doc, "laws_not_tried");
    for (lc_law law = 0; law < LC_LAW_COUNT; law++)
        lc_doc_add_str(lc_probe_tried(r, law) ? tried : not, NULL, lc_law_get(law)->id);
}

static void add_result(lc_doc *doc, const lc_probe_result *r)
{
    lc_doc_add_bool(doc, "conforms", r->failing == 0 && r->not_configured.len == 0);
    lc_doc_add_bool(doc, "provider_configured", r->not_configured.len == 0);
    lc_doc_add_uint(doc, "types", r->types.count);
    lc_doc_add_uint(doc, "configured", r->configured);
    lc_doc_add_uint(doc, "failing", r->failing);
    lc_doc_add_uint(doc, "warnings", r->warnings);
    lc_doc_add_uint(doc, "tolerated", r->tolerated);
    add_laws(doc, r);
    lc_doc *findings = lc_doc_add_array(doc, "findings");
    for (size_t i = 0; i < r->types.count; i++) {
        if (!r->types.items[i].same_as.len)
            add_findings(findings, &r->types.items[i]);
    }
    lc_doc *not = lc_doc_add_array(doc, "not_asked");
    for (size_t i = 0; i < r->types.count; i++)
        add_not_asked(not, &r->types.items[i]);
}

/* ---- The claim. */

static void add_run(lc_doc *doc, const lc_probe *p)
{
    const lc_options *o = &p->cli->options;
    lc_doc_add_str(doc, "as", lc_cli_text(p->cli, LC_OPTION_AS));
    lc_doc_add_uint(doc, "seed", o->seed);
    lc_doc_add_uint(doc, "calls", o->calls ? o->calls : LC_PROBE_CALLS);
    lc_doc_add_uint(doc, "timeout", o->timeout);
    lc_doc_add_bool(doc, "offline", o->offline);
    lc_doc_add_bool(doc, "provider_config", o->provider_config.len > 0);
    lc_doc *names = lc_doc_add_array(doc, "env");
    for (size_t i = 0; i < o->env.count; i++)
        lc_doc_add_str(names, NULL,
                       lc_str_sub(o->env.items[i], 0, lc_str_find(o->env.items[i], 0, '=')));
}

static bool write_json(lc_probe *p, lc_str path, lc_doc *doc)
{
    lc_buf out = {0};
    lc_doc_print(&out, doc);
    lc_buf_add_char(&out, '\n');
    const char *name = lc_str_to_c(p->arena, path);
    bool ok = lc_output_file_write(p->arena, name, lc_buf_str(&out));
    if (!ok)
        lc_message("%s cannot be written: %s", name, strerror(errno));
    lc_buf_release(&out);
    return ok;
}

/* For shields.io and what reads its format. */
static bool write_badge(lc_probe *p, lc_str claim)
{
    const lc_probe_result *r = p->result;
    bool good = r->failing == 0 && r->not_configured.len == 0;
    size_t end = claim.len;
    if (end > 5 && lc_str_is(lc_str_sub(claim, end - 5, end), ".json"))
        end -= 5;
    size_t part = r->types.count ? r->configured * 100 / r->types.count : 0;
    lc_str words =
        good ? lc_str_printf(p->arena, "conforms, %zu %% of types tested", part)
             : lc_str_printf(p->arena, "%zu finding%s", r->failing, r->failing == 1 ? "" : "s");
    lc_doc *doc = lc_doc_object();
    lc_doc_add_uint(doc, "schemaVersion", 1);
    lc_doc_add_c(doc, "label", "lifecheck");
    lc_doc_add_str(doc, "message", r->not_configured.len ? LC_STR("not configured") : words);
    lc_doc_add_c(doc, "color", good ? "brightgreen" : r->failing ? "red" : "lightgrey");
    return write_json(p, lc_str_printf(p->arena, "%.*s-badge.json", (int)end, claim.ptr), doc);
}

bool lc_probe_write_claim(lc_probe *p)
{
    lc_str file = p->cli->options.claim;
    char hash[65] = "";
    if (!file.len)
        return true;
    if (p->result->left_out) {
        lc_message("%.*s is not written: not all laws were tried", LC_FMT(file));
        return true;
    }
    lc_date today = p->c.policy.today;
    int64_t until = lc_date_to_seconds(today) + (int64_t)VALID_DAYS * 86400;
    lc_live_hash_file(hash, lc_str_to_c(p->arena, p->provider_options.provider.binary));
    lc_doc *doc = lc_doc_object();
    lc_doc_add_uint(doc, "lifecheck_claim", 1);
    lc_doc_add_str(doc, "provider", p->options.source);
    lc_doc_add_str(doc, "version", p->options.release);
    lc_doc_add_c(doc, "binary_sha256", hash);
    lc_doc_add_c(doc, "lifecheck", LC_VERSION);
    lc_doc_add_c(doc, "rules", LC_RULES_VERSION);
    lc_doc_add_str(doc, "made", lc_date_text(p->arena, today));
    lc_doc_add_str(doc, "expires", lc_date_text(p->arena, lc_date_from_seconds(until)));
    add_run(lc_doc_add_object(doc, "run"), p);
    add_result(lc_doc_add_object(doc, "result"), p->result);
    return write_json(p, file, doc) && write_badge(p, file);
}
