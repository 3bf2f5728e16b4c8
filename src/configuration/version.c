/* Version constraints, and the version of the client. Source: go-version, which both clients use.
 */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/configuration/configuration.h"

#include <string.h>

/* The numbers of a version that matter here; `given` of them are written. */
#define PARTS 3
typedef struct version {
    uint64_t parts[PARTS];
    size_t given;
    bool is_pre; /* a pre-release: only a constraint that names it allows it */
} version;

typedef enum comparison {
    EQUAL,
    NOT_EQUAL,
    MORE_EQUAL,
    LESS_EQUAL,
    PESSIMISTIC,
    MORE,
    LESS
} comparison;

static const char *const operators[] = {"=", "!=", ">=", "<=", "~>", ">", "<"};

/* One of the conditions between commas. */
typedef struct condition {
    comparison how;
    version than;
} condition;

static lc_str trim(lc_str text)
{
    while (text.len && memchr(" \t\n\f\r", text.ptr[0], 5))
        text = lc_str_sub(text, 1, text.len);
    while (text.len && memchr(" \t\n\f\r", text.ptr[text.len - 1], 5))
        text.len--;
    return text;
}

/* Dotted numbers, then perhaps a pre-release and build metadata. */
static bool read_version(version *out, lc_str text)
{
    size_t at = text.len && text.ptr[0] == 'v' ? 1 : 0;
    bool digit = false;
    *out = (version){{0}, 0, false};
    for (; at < text.len && (lc_is_digit(text.ptr[at]) || (digit && text.ptr[at] == '.')); at++) {
        bool now = lc_is_digit(text.ptr[at]);
        if (now && !digit)
            out->given++;
        if (now && out->given <= PARTS && out->parts[out->given - 1] < UINT32_MAX)
            out->parts[out->given - 1] =
                out->parts[out->given - 1] * 10 + (uint64_t)(text.ptr[at] - '0');
        digit = now;
    }
    if (!digit)
        return false;
    for (size_t i = at; i < text.len; i++)
        if (!lc_is_alnum(text.ptr[i]) && !memchr("-~.+", text.ptr[i], 4))
            return false;
    out->is_pre = at < text.len && text.ptr[at] != '+';
    if (out->given > PARTS)
        out->given = PARTS;
    return at == text.len || text.ptr[at] != '.';
}

/* Longer operators come first where one begins with another. */
static bool read_condition(condition *out, lc_str text)
{
    static const comparison order[] = {NOT_EQUAL, MORE_EQUAL, LESS_EQUAL, PESSIMISTIC,
                                       EQUAL,     MORE,       LESS};
    out->how = EQUAL;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        lc_str operator= lc_str_from_c(operators[order[i]]);
        if (!lc_str_starts_with(text, operator))
            continue;
        out->how = order[i];
        text = trim(lc_str_sub(text, operator.len, text.len));
        break;
    }
    return read_version(&out->than, text);
}

/* Calls `each` for each condition until it returns false. False: the text is no constraint, or it
 * returned false. */
static bool for_each(lc_str text, bool (*each)(void *context, const condition *c), void *context)
{
    for (size_t from = 0; from <= text.len;) {
        size_t to = lc_str_find(text, from, ',');
        condition c;
        if (!read_condition(&c, trim(lc_str_sub(text, from, to))) || (each && !each(context, &c)))
            return false;
        from = to + 1;
    }
    return true;
}

bool lc_version_is_constraint(lc_str text)
{
    return for_each(text, NULL, NULL);
}

static int compare(const version *a, const version *b)
{
    for (size_t i = 0; i < PARTS; i++) {
        if (a->parts[i] != b->parts[i])
            return a->parts[i] < b->parts[i] ? -1 : 1;
    }
    return a->is_pre == b->is_pre ? 0 : a->is_pre ? -1 : 1;
}

/* All numbers but the last one that is written are the same. */
static bool same_series(const version *v, const version *than)
{
    for (size_t i = 0; i + 1 < than->given; i++) {
        if (v->parts[i] != than->parts[i])
            return false;
    }
    return true;
}

static bool holds(void *context, const condition *c)
{
    const version *v = context;
    int order = compare(v, &c->than);
    switch (c->how) {
    case EQUAL:
        return order == 0;
    case NOT_EQUAL:
        return order != 0;
    case MORE_EQUAL:
        return order >= 0;
    case LESS_EQUAL:
        return order <= 0;
    case PESSIMISTIC:
        return order >= 0 && same_series(v, &c->than);
    case MORE:
        return order > 0;
    case LESS:
        return order < 0;
    }
    return false;
}

bool lc_version_allows(lc_str constraint, lc_str given)
{
    version v;
    return read_version(&v, given) && for_each(constraint, holds, &v);
}

/* Versions next to the bounds of a constraint: if it allows any of a range, it allows one of these.
 */
typedef struct search {
    lc_str constraint;
    version from, to; /* both are in the range */
    bool found;
} search;

static void try(search *s, version v)
{
    v.is_pre = false;
    s->found |= compare(&v, &s->from) >= 0 && compare(&v, &s->to) <= 0 &&
                for_each(s->constraint, holds, &v);
}

static bool try_around(void *context, const condition *c)
{
    search *s = context;
    version v = c->than;
    try(s, v);
    v.parts[2]++;
    try(s, v);
    v = c->than;
    for (size_t i = PARTS; i-- > 1;) { /* the last one before it */
        if (!v.parts[i]) {
            v.parts[i] = UINT32_MAX;
            continue;
        }
        v.parts[i]--;
        try(s, v);
        break;
    }
    return true;
}

static bool allows_any(lc_str constraint, version from, version to)
{
    search s = {constraint, from, to, false};
    try(&s, from);
    try(&s, to);
    return !for_each(constraint, try_around, &s) || s.found;
}

bool lc_version_allows_major(lc_str constraint, unsigned major)
{
    return allows_any(constraint, (version){{major, 0, 0}, PARTS, false},
                      (version){{major, UINT32_MAX, UINT32_MAX}, PARTS, false});
}

/* ---- The version of the client. */

/* The first minor version of the client, of major version 1, whose && and || short-circuit. */
static unsigned first_that_short_circuits(bool terraform)
{
    return terraform ? 12 : 10;
}

static bool evaluates_both(bool terraform, lc_str text)
{
    version v, first = {{1, first_that_short_circuits(terraform), 0}, PARTS, false};
    return read_version(&v, text) &&
           (v.parts[0] < 1 || (v.parts[0] == 1 && v.parts[1] < first.parts[1]));
}

/* All that the modules require. */
static lc_str required(const lc_configuration *config)
{
    lc_buf all = {0};
    for (size_t i = 0; i < config->modules.count; i++) {
        const lc_module *m = config->modules.items[i];
        for (size_t k = 0; k < m->versions.count; k++)
            lc_buf_printf(&all, "%s%.*s", all.len ? ", " : "", LC_FMT(m->versions.items[k].text));
    }
    return lc_buf_take(config->arena, &all);
}

/* Every version that the constraint allows may run. */
static void take_required(lc_client_version *out, bool terraform, lc_str constraint)
{
    unsigned first = first_that_short_circuits(terraform);
    version newest = {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, PARTS, false};
    version last = {{1, first - 1, UINT32_MAX}, PARTS, false};
    bool both = allows_any(constraint, (version){{0, 0, 0}, PARTS, false}, last);
    bool others = allows_any(constraint, (version){{1, first, 0}, PARTS, false}, newest);
    out->version = constraint;
    out->from = "required_version";
    out->range = both && others;
    out->both_operands = both && others ? LC_MAYBE : both ? LC_TRUE : LC_FALSE;
}

static void take_version(lc_client_version *out, bool terraform, bool known)
{
    bool own = evaluates_both(terraform, out->version);
    bool other = evaluates_both(!terraform, out->version);
    out->both_operands = !known && own != other ? LC_MAYBE : own ? LC_TRUE : LC_FALSE;
}

void lc_client_find(lc_configuration *config, const lc_client_evidence *evidence)
{
    bool terraform = config->profile == LC_PROFILE_TERRAFORM, known = evidence->profile_known;
    lc_str constraint = required(config), stored = evidence->state_version;
    lc_client_version *c = &config->client;
    *c = (lc_client_version){.version = LC_STR_EMPTY, .both_operands = LC_FALSE};
    if (evidence->given.len)
        *c = (lc_client_version){.version = evidence->given, .from = "--as"};
    else if (evidence->plan_version.len)
        *c = (lc_client_version){.version = evidence->plan_version, .from = "the plan"};
    else if (stored.len && (!constraint.len || lc_version_allows(constraint, stored)))
        *c = (lc_client_version){.version = stored, .from = "the state"};
    else if (constraint.len) {
        take_required(c, terraform, constraint);
        return;
    }
    take_version(c, terraform, known);
}

lc_str lc_client_version_words(lc_arena *arena, lc_profile profile, const lc_client_version *client)
{
    bool terraform = profile == LC_PROFILE_TERRAFORM;
    const char *both =
        client->both_operands == LC_TRUE ? ", which evaluates both operands of && and ||"
        : client->range                  ? ", some of which evaluate both operands of && and ||"
        : client->both_operands == LC_MAYBE
            ? (terraform ? ", or OpenTofu of that version" : ", or Terraform of that version")
            : "";
    lc_buf out = {0};
    lc_buf_add_c(&out, terraform ? "Terraform" : "OpenTofu");
    if (client->from)
        lc_buf_printf(&out, " %.*s (named by %s)%s; mirrored:", LC_FMT(client->version),
                      client->from, both);
    lc_buf_printf(&out, " %s (%s)",
                  terraform ? LC_MIRRORED_TERRAFORM_VERSION : LC_MIRRORED_OPENTOFU_VERSION,
                  terraform ? LC_MIRRORED_TERRAFORM : LC_MIRRORED_OPENTOFU);
    return lc_buf_take(arena, &out);
}
