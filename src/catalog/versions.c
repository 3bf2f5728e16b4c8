/* Versions of the clients that check a rule. */
#include "lifecheck/catalog/versions.h"
#include "lifecheck/base/ascii.h"

#define NEVER     LC_NEVER
#define OF_ANY    LC_CALL_KIND_COUNT
#define OF_READ   LC_CALL_READ
#define OF_REREAD LC_CALL_REREAD

static const struct {
    lc_rule rule;
    unsigned call;
    lc_since versions[LC_CORE_COUNT];
} rows[] = {
#define LC_VERSIONS(id, call, terraform, terraform_until, opentofu, opentofu_until)                \
    {LC_RULE_##id,                                                                                 \
     OF_##call,                                                                                    \
     {[LC_OPENTOFU] = {opentofu, opentofu_until}, [LC_TERRAFORM] = {terraform, terraform_until}}},
#include "lifecheck/catalog/versions.def"
};
#define ROWS (sizeof rows / sizeof *rows)

/* Both clients have had the major version 1 since these checks exist; the patch level never changed
 * a check. A suffix such as -beta1 counts as the version itself. */
bool lc_version_read(unsigned *minor, lc_str version)
{
    unsigned number = 0;
    size_t at = 2;
    bool one = lc_str_starts_with(version, LC_STR("1."));
    while (at < version.len && at < 4 && lc_is_digit(version.ptr[at]))
        number = number * 10 + (unsigned)(version.ptr[at++] - '0');
    bool whole = at >= version.len || version.ptr[at] == '.' || version.ptr[at] == '-';
    *minor = one && at > 2 && whole ? number : 0;
    return *minor > 0;
}

/* A rule has one row for all calls, or rows for some of them. */
bool lc_versions_of(lc_since out[LC_CORE_COUNT], lc_rule rule, lc_call_kind call)
{
    for (size_t i = 0; i < ROWS; i++) {
        bool fits = rows[i].call == OF_ANY || rows[i].call == (unsigned)call ||
                    (unsigned)call == LC_CALL_KIND_COUNT;
        if (rows[i].rule != rule || !fits)
            continue;
        for (int core = 0; core < LC_CORE_COUNT; core++)
            out[core] = rows[i].versions[core];
        return true;
    }
    return false;
}

/* 0 is a client of unknown version, of which every check is assumed. */
bool lc_since_has(const lc_since *v, unsigned minor)
{
    return minor == 0 ||
           (v->since != LC_NEVER && minor >= v->since && (v->until == 0 || minor <= v->until));
}

void lc_since_add_words(lc_buf *out, const lc_since versions[LC_CORE_COUNT])
{
    static const char *const names[] = {[LC_OPENTOFU] = "OpenTofu", [LC_TERRAFORM] = "Terraform"};
    static const lc_core order[] = {LC_TERRAFORM, LC_OPENTOFU};
    for (int i = 0; i < LC_CORE_COUNT; i++) {
        const lc_since *v = &versions[order[i]];
        const char *name = names[order[i]];
        lc_buf_add_c(out, i ? "; " : "");
        if (v->since == LC_NEVER || (v->since == 0 && v->until == 0))
            lc_buf_printf(out, "%s: %s", name, v->since ? "never" : "always");
        else if (v->since == v->until)
            lc_buf_printf(out, "in %s 1.%u only", name, v->since);
        else if (v->since == 0)
            lc_buf_printf(out, "until %s 1.%u", name, v->until);
        else if (v->until)
            lc_buf_printf(out, "from %s 1.%u to 1.%u", name, v->since, v->until);
        else
            lc_buf_printf(out, "since %s 1.%u", name, v->since);
    }
}

static const struct {
    lc_rule rule;
    const char *words;
} old[] = {
#define LC_OLD_CLIENTS(id, words) {LC_RULE_##id, words},
#include "lifecheck/catalog/versions.def"
};

/* The rows of a rule as words, those of single calls with the name of the call. */
static void add_rows(lc_buf *out, lc_rule rule)
{
    lc_since versions[LC_CORE_COUNT];
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].rule != rule)
            continue;
        lc_call_kind call =
            rows[i].call == OF_ANY ? LC_CALL_KIND_COUNT : (lc_call_kind)rows[i].call;
        if (!lc_versions_of(versions, rule, call))
            continue;
        lc_buf_add_c(out, out->len ? "; " : "");
        if (call != LC_CALL_KIND_COUNT)
            lc_buf_printf(out, "%s: ", lc_call_kind_name(call));
        lc_since_add_words(out, versions);
    }
}

static const struct {
    const char *rule, *client;
} confirmed[] = {
#define CONFIRMED(rule, client) {rule, client},
#include "catalog/confirmed.def"
};

/* Confirmed: a real client of this version reported what the rule says, on the same scenario. */
static void add_confirmed(lc_buf *out, lc_str slug)
{
    bool any = false;
    for (size_t i = 0; i < sizeof confirmed / sizeof *confirmed; i++) {
        if (!lc_str_is(slug, confirmed[i].rule))
            continue;
        lc_buf_printf(out, "%s%s",
                      any        ? ", "
                      : out->len ? "; confirmed with "
                                 : "confirmed with ",
                      confirmed[i].client);
        any = true;
    }
}

void lc_versions_add_all(lc_buf *out, lc_rule rule)
{
    const lc_rule_info *info = lc_rule_get(rule);
    lc_buf words = {0};
    add_rows(&words, rule);
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        if (old[i].rule == rule)
            lc_buf_printf(&words, "%s%s", words.len ? "; " : "", old[i].words);
    }
    if (lc_str_contains(info->effects[LC_TERRAFORM].text, LC_STR("tolerated")) ||
        lc_str_contains(info->effects[LC_TERRAFORM].text, LC_STR("unless-legacy")))
        lc_buf_printf(&words, "%sTerraform 1.0 and 1.1 tolerate nothing in protocol 6",
                      words.len ? "; " : "");
    add_confirmed(&words, info->slug);
    lc_buf_add_str(out, lc_buf_str(&words));
    lc_buf_release(&words);
}

static const struct {
    unsigned first;
    const char *words;
} not_mirrored[] = {
#define LC_NOT_MIRRORED(first, words) {first, words},
#include "lifecheck/catalog/versions.def"
};

/* What these versions do otherwise, and this program does not repeat. */
void lc_versions_add_not_mirrored(lc_buf *out, unsigned minor)
{
    for (size_t i = 0; i < sizeof not_mirrored / sizeof *not_mirrored; i++) {
        if (minor && minor < not_mirrored[i].first)
            lc_buf_printf(out, "%sTerraform before 1.%u %s", out->len ? "\n" : "",
                          not_mirrored[i].first, not_mirrored[i].words);
    }
}
