/* Version constraints, and the version of the client. Source: go-version, which both clients use.
 */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/buf.h"
#include "lifecheck/configuration/configuration.h"

#include <stdlib.h>
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

/* Calls `each` for each condition until it returns false. False: the text is not a constraint, or
 * it returned false. */
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

/* The first minor versions, of major version 1, whose && and || short-circuit. */
#define SHORT_CIRCUIT_TERRAFORM 12
#define SHORT_CIRCUIT_OPENTOFU  10

/* Is the version `minor` of major version 1, or newer? One that cannot be read is a current one. */
static bool is_since(lc_str text, unsigned minor)
{
    version v;
    return !read_version(&v, text) || v.parts[0] > 1 || (v.parts[0] == 1 && v.parts[1] >= minor);
}

/* Of one client. 0 is the first version that there is. */
static lc_tri has_since(const lc_client_version *c, unsigned minor)
{
    version newest = {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, PARTS, false};
    version last = {{1, minor - 1, UINT32_MAX}, PARTS, false};
    if (!minor || !c->version.len)
        return LC_TRUE;
    if (!c->constraint)
        return is_since(c->version, minor) ? LC_TRUE : LC_FALSE;
    bool older = allows_any(c->version, (version){{0, 0, 0}, PARTS, false}, last);
    bool newer = allows_any(c->version, (version){{1, minor, 0}, PARTS, false}, newest);
    return older && newer ? LC_MAYBE : older ? LC_FALSE : LC_TRUE;
}

lc_tri lc_client_has(const lc_client_version *client, lc_profile profile, unsigned terraform,
                     unsigned opentofu)
{
    bool is_terraform = profile == LC_PROFILE_TERRAFORM;
    lc_tri own = has_since(client, is_terraform ? terraform : opentofu);
    lc_tri other = client->known ? own : has_since(client, is_terraform ? opentofu : terraform);
    return own == other ? own : LC_MAYBE;
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

static lc_tri not(lc_tri value)
{
    return value == LC_MAYBE ? LC_MAYBE : value == LC_TRUE ? LC_FALSE : LC_TRUE;
}

/* Every version that the constraint allows may run, of the client of the profile. */
static void take_required(lc_client_version *out, bool terraform, lc_str constraint)
{
    *out = (lc_client_version){
        .version = constraint, .from = "required_version", .constraint = true, .known = out->known};
    lc_tri has = has_since(out, terraform ? SHORT_CIRCUIT_TERRAFORM : SHORT_CIRCUIT_OPENTOFU);
    out->range = has == LC_MAYBE;
    out->both_operands = not(has);
}

static void take_version(lc_client_version *out, lc_profile profile)
{
    out->both_operands =
        not(lc_client_has(out, profile, SHORT_CIRCUIT_TERRAFORM, SHORT_CIRCUIT_OPENTOFU));
}

/* An entry that applies to the client. */
typedef struct refusal {
    const lc_config_newer *entry;
    size_t order; /* in the list, in which they are reported */
    bool inside;  /* in a block that the client does not read */
} refusal;

static uint64_t offset_of(const refusal *r)
{
    return r->entry->problem.place.where + r->entry->problem.place.offset;
}

static int by_place(const void *a, const void *b)
{
    const refusal *x = a, *y = b;
    uintptr_t in_x = (uintptr_t)x->entry->problem.place.source;
    uintptr_t in_y = (uintptr_t)y->entry->problem.place.source;
    if (in_x != in_y)
        return in_x < in_y ? -1 : 1;
    return offset_of(x) < offset_of(y) ? -1 : offset_of(x) > offset_of(y);
}

static int by_order(const void *a, const void *b)
{
    const refusal *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* A client does not read the body of a block that it does not know. */
static void mark_inside(refusal *all, size_t count)
{
    const lc_source *source = NULL;
    uint64_t end = 0;
    qsort(all, count, sizeof *all, by_place);
    for (size_t i = 0; i < count; i++) {
        const lc_config_newer *n = all[i].entry;
        all[i].inside = n->problem.place.source == source && offset_of(&all[i]) < end;
        if (all[i].inside || !n->end)
            continue;
        source = n->problem.place.source;
        end = n->end;
    }
    qsort(all, count, sizeof *all, by_order);
}

/* What every client that may run is too old for. */
static void take_newer(lc_configuration *config)
{
    const lc_module *at = config->at;
    refusal *all = LC_NEW_ARRAY(config->arena, refusal, config->newer.count + 1);
    size_t count = 0;
    for (size_t i = 0; !config->client.foreign && i < config->newer.count; i++) {
        const lc_config_newer *n = &config->newer.items[i];
        if (lc_client_has(&config->client, config->profile, n->terraform, n->opentofu) == LC_FALSE)
            all[count++] = (refusal){n, i, false};
    }
    mark_inside(all, count);
    for (size_t i = 0; i < count; i++) {
        config->at = all[i].entry->problem.module;
        if (!all[i].inside)
            *lc_config_problem_add(config, all[i].entry->problem.place, "") = all[i].entry->problem;
    }
    config->at = at;
}

/* Sets config->client; see lc_client_find. */
static void find_version(lc_configuration *config, const lc_client_evidence *evidence)
{
    lc_str constraint = required(config), stored = evidence->state_version;
    lc_client_version *c = &config->client;
    *c = (lc_client_version){.version = LC_STR_EMPTY, .known = evidence->profile_known};
    if (evidence->given.len) {
        c->version = evidence->given;
        c->from = "--as";
    } else if (evidence->plan_version.len) {
        c->version = evidence->plan_version;
        c->from = "the plan";
    } else if (stored.len && (!constraint.len || lc_version_allows(constraint, stored))) {
        c->version = stored;
        c->from = "the state";
        c->foreign = config->profile != LC_PROFILE_TERRAFORM;
    } else if (constraint.len) {
        take_required(c, config->profile == LC_PROFILE_TERRAFORM, constraint);
        return;
    }
    take_version(c, config->profile);
}

void lc_client_find(lc_configuration *config, const lc_client_evidence *evidence)
{
    find_version(config, evidence);
    take_newer(config);
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
