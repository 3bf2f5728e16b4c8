/* Policies: what may happen to which objects, compared with what is predicted or planned. A certain
 * change violates a policy; a change that is only possible is reported differently, because a
 * prediction without the provider leaves much open. */
#include "plan_rules/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/predict/predict.h"

#include <string.h>

/* Actions of objects that exist already. */
#define ON_EXISTING                                                                                \
    (LC_PLAN_BIT(LC_PLAN_UPDATE) | LC_PLAN_BIT(LC_PLAN_DELETE) | LC_PLAN_BIT(LC_PLAN_FORGET) |     \
     LC_PLAN_REPLACES | LC_PLAN_CONFIGURED)

/* ---- Reading. */

static bool refuse(lc_str *why, lc_arena *arena, lc_str text, lc_str because)
{
    *why = lc_str_printf(arena, "\"%.*s\": %.*s", LC_FMT(text), LC_FMT(because));
    return false;
}

static bool read_actions(lc_policy_clause *clause, lc_arena *arena, lc_str names, lc_str *why)
{
    lc_str wrong;
    if (lc_plan_action_sets(&clause->actions, names, &wrong))
        return true;
    lc_buf known = {0};
    for (const lc_plan_action_name *n = lc_plan_action_names; n->name; n++)
        lc_buf_printf(&known, "%s%s", known.len ? ", " : "", n->name);
    lc_buf_add_c(&known, ", configured");
    lc_str list = lc_buf_take(arena, &known);
    return refuse(why, arena, clause->text,
                  lc_str_printf(arena,
                                "\"%.*s\" is not an action; these are: %.*s; a colon and a "
                                "pattern of addresses may follow",
                                LC_FMT(wrong), LC_FMT(list)));
}

/* No action has a colon in its name, so the first one ends the actions. */
bool lc_policy_clause_add(lc_policy_clauses *out, lc_arena *arena, lc_str text, bool actions,
                          lc_str *why)
{
    lc_policy_clause clause = {.text = text};
    lc_str pattern = text, because;
    size_t colon = actions ? lc_str_find(text, 0, ':') : 0, at;
    if (actions) {
        if (!read_actions(&clause, arena, lc_str_sub(text, 0, colon), why))
            return false;
        pattern = colon < text.len ? lc_str_sub(text, colon + 1, text.len) : LC_STR("**");
    }
    if (!lc_address_glob_parse(&clause.objects, arena, pattern, &because, &at))
        return refuse(
            why, arena, text,
            lc_str_printf(arena, "%.*s, at character %zu of the pattern", LC_FMT(because), at + 1));
    *LC_PUSH(arena, out, lc_policy_clause) = clause;
    return true;
}

/* ---- Judging. */

typedef struct policing {
    lc_plan_rules *r;
    const lc_prediction *f;
    const lc_action_policy *policy;
    bool *forbid_used, *allow_used, *firm_used;
    bool knows_objects; /* a state or a plan shows which objects exist */
} policing;

static void report(policing *k, lc_rule rule, lc_str address, lc_loc loc, lc_str message)
{
    lc_report_at(k->r, rule, address, loc.line ? loc : k->r->planner->subject->loc, "", "%.*s",
                 LC_FMT(message));
}

/* What is forbidden of the possible actions. *by is the clause that forbids something; NULL: none
 * does, but `allow` alone is given. */
static unsigned forbidden(policing *k, const lc_address *address, lc_open_keys open,
                          unsigned possible, const lc_policy_clause **by)
{
    const lc_action_policy *p = k->policy;
    unsigned rest = possible, found = 0;
    lc_open_keys every = {open.from, true};
    *by = NULL;
    for (size_t i = 0; i < p->allow.count; i++) {
        const lc_policy_clause *clause = &p->allow.items[i];
        k->allow_used[i] |= lc_address_glob_matches(&clause->objects, address, open);
        if (lc_address_glob_matches(&clause->objects, address, every))
            rest &= ~clause->actions;
    }
    for (size_t i = 0; i < p->forbid.count; i++) {
        const lc_policy_clause *clause = &p->forbid.items[i];
        if (!lc_address_glob_matches(&clause->objects, address, open))
            continue;
        k->forbid_used[i] = true;
        found |= rest & clause->actions;
        *by = *by || !(rest & clause->actions) ? *by : clause;
    }
    unsigned changes = 0;
    lc_plan_action_set(&changes, LC_STR("*"));
    return p->forbid.count ? found : rest & changes;
}

static lc_str rule_words(policing *k, const lc_policy_clause *by)
{
    return by ? lc_str_printf(k->r->scratch, "which \"%.*s\" forbids", LC_FMT(by->text))
              : LC_STR("which no --allow names");
}

static lc_str object_words(policing *k, const lc_run_change *c)
{
    return c->deposed.len ? lc_str_printf(k->r->scratch, "%.*s (deposed %.*s)", LC_FMT(c->text),
                                          LC_FMT(c->deposed))
                          : c->text;
}

static void judge_change(policing *k, const lc_run_change *c)
{
    lc_arena *arena = k->r->scratch;
    const lc_policy_clause *by;
    lc_tri configured = lc_run_configured(c);
    unsigned possible = lc_run_possible(c);
    unsigned other = configured == LC_FALSE ? 0 : LC_PLAN_CONFIGURED;
    unsigned bad = forbidden(k, &c->address, LC_KEYS_KNOWN, possible | other, &by);
    if (!bad)
        return;
    bool certain = (bad & ~LC_PLAN_CONFIGURED) == possible;
    if (configured == LC_TRUE && (bad & LC_PLAN_CONFIGURED)) {
        bad = certain ? bad : LC_PLAN_CONFIGURED; /* what is certain is reported */
        certain = true;
    }
    lc_str because =
        certain || !c->undecided ? lc_run_because(arena, k->f, c) : c->undecided->reason;
    lc_str message = lc_str_printf(
        arena, "%.*s %s %.*s, %.*s: %.*s", LC_FMT(object_words(k, c)), certain ? "is" : "may be",
        LC_FMT(lc_plan_action_fates(arena, bad)), LC_FMT(rule_words(k, by)), LC_FMT(because));
    report(k, certain ? LC_RULE_RUN_FORBIDDEN : LC_RULE_RUN_MAY_BE_FORBIDDEN, c->text,
           lc_run_cause_loc(c), message);
}

/* ---- Blocks whose instances are open: what could be in them. */

/* Objects of the state below an open block are listed separately, so that of the others only
 * creations remain, or reads; unless neither a state nor a plan shows which objects exist. */
static unsigned actions_of(const policing *k, lc_resource_mode mode)
{
    if (mode == LC_MODE_EPHEMERAL)
        return 0;
    if (mode == LC_MODE_DATA)
        return LC_PLAN_BIT(LC_PLAN_READ);
    return LC_PLAN_BIT(LC_PLAN_CREATE) | (k->knows_objects ? 0u : ON_EXISTING);
}

typedef struct sight {
    policing *k;
    unsigned bad;
    const lc_policy_clause *by;
    lc_str address; /* the first resource that is concerned, or module that is not read */
} sight;

static void see(sight *seen, const lc_address *address, unsigned bad, const lc_policy_clause *by)
{
    if (bad && !seen->bad) {
        seen->by = by;
        seen->address = lc_address_text(seen->k->r->scratch, address);
    }
    seen->bad |= bad;
}

/* A module that is not read could hold anything: each clause that reaches it counts. */
static void see_unread(sight *seen, const lc_address *module, lc_open_keys keys)
{
    policing *k = seen->k;
    const lc_action_policy *p = k->policy;
    unsigned possible = actions_of(k, LC_MODE_MANAGED) | actions_of(k, LC_MODE_DATA);
    for (size_t i = 0; i < p->forbid.count; i++) {
        const lc_policy_clause *clause = &p->forbid.items[i];
        if (!lc_address_glob_reaches(&clause->objects, module, keys))
            continue;
        k->forbid_used[i] = true;
        see(seen, module, clause->actions & possible, clause);
    }
    for (size_t i = 0; i < p->allow.count; i++)
        k->allow_used[i] |= lc_address_glob_reaches(&p->allow.items[i].objects, module, keys);
    if (!p->forbid.count)
        see(seen, module, LC_PLAN_BIT(LC_PLAN_CREATE), NULL);
}

static bool see_content(void *context, const lc_address *address, lc_open_keys keys)
{
    sight *seen = context;
    const lc_policy_clause *by;
    if (lc_address_is_module(address)) {
        see_unread(seen, address, keys);
        return true;
    }
    unsigned possible = actions_of(seen->k, address->mode);
    unsigned bad = forbidden(seen->k, address, keys, possible, &by);
    see(seen, address, bad, by);
    return true;
}

static void judge_block(policing *k, const lc_run_open *open)
{
    sight seen = {.k = k};
    lc_arena *arena = k->r->scratch;
    lc_open_block_each(arena, k->f, open, see_content, &seen);
    if (!seen.bad)
        return;
    bool same = lc_str_eq(seen.address, open->address);
    report(k, LC_RULE_RUN_MAY_BE_FORBIDDEN, open->address, open->loc,
           lc_str_printf(arena,
                         "%.*s: its instances are not known, and %.*s may be %.*s, %.*s: %.*s",
                         LC_FMT(open->address), LC_FMT(same ? LC_STR("one") : seen.address),
                         LC_FMT(lc_plan_action_fates(arena, seen.bad)),
                         LC_FMT(rule_words(k, seen.by)), LC_FMT(open->undecided->reason)));
}

/* ---- What must be firm. */

static bool has_to_be_firm(policing *k, const lc_run_change *c)
{
    bool has_to = false;
    for (size_t i = 0; i < k->policy->firm.count; i++) {
        bool match =
            lc_address_glob_matches(&k->policy->firm.items[i].objects, &c->address, LC_KEYS_KNOWN);
        k->firm_used[i] |= match;
        has_to |= match;
    }
    return has_to;
}

static void judge_firm_blocks(policing *k)
{
    for (size_t i = 0; i < k->f->open.count; i++) {
        const lc_run_open *open = &k->f->open.items[i];
        bool has_to = false;
        for (size_t j = 0; j < k->policy->firm.count; j++) {
            bool match = lc_open_block_could_match(k->r->scratch, k->f, open,
                                                   &k->policy->firm.items[j].objects);
            k->firm_used[j] |= match;
            has_to |= match;
        }
        if (has_to)
            report(k, LC_RULE_RUN_NOT_FIRM, open->address, open->loc,
                   lc_str_printf(k->r->scratch,
                                 "%.*s is not firm: its instances are not known: %.*s",
                                 LC_FMT(open->address), LC_FMT(open->undecided->reason)));
    }
}

static void judge_firm(policing *k)
{
    lc_arena *arena = k->r->scratch;
    LC_PLAN_RULES_CHECKS(k->r, LC_RULE_RUN_NOT_FIRM);
    for (size_t i = 0; i < k->f->changes.count; i++) {
        const lc_run_change *c = &k->f->changes.items[i];
        if (!has_to_be_firm(k, c) || lc_run_is_firm(c))
            continue;
        lc_str because = c->undecided ? c->undecided->reason : c->why.text;
        report(k, LC_RULE_RUN_NOT_FIRM, c->text, c->undecided_at.line ? c->undecided_at : c->place,
               lc_str_printf(
                   arena, "%.*s is not firm, it may be %.*s: %.*s", LC_FMT(object_words(k, c)),
                   LC_FMT(lc_plan_action_fates(arena, lc_run_possible(c))), LC_FMT(because)));
    }
    judge_firm_blocks(k);
    if (k->f->changes.count || k->f->open.count || k->f->outputs.count)
        return;
    const lc_run_error *error = k->f->errors.count ? &k->f->errors.items[0] : NULL;
    for (size_t i = 0; i < k->policy->firm.count; i++)
        k->firm_used[i] = true;
    report(k, LC_RULE_RUN_NOT_FIRM, LC_STR_EMPTY, error ? error->loc : (lc_loc){LC_STR_EMPTY, 0, 0},
           error ? lc_str_printf(arena, "nothing is firm, because the client fails: %.*s",
                                 LC_FMT(error->summary))
                 : LC_STR("nothing is firm, because nothing is predicted: the configuration and "
                          "the state have no objects"));
}

/* ---- Clauses that decide nothing. */

/* The number of objects in modules that a pattern would match, if it did not mean the root module
 * alone. */
static size_t count_in_modules(const policing *k, const lc_address_glob *glob)
{
    const lc_address_glob_step deep = {.deep = true};
    lc_address_glob wide = *glob;
    size_t count = 0;
    if (glob->step_count || glob->everything)
        return 0;
    wide.steps = &deep;
    wide.step_count = 1;
    for (size_t i = 0; i < k->f->changes.count; i++)
        count += lc_address_glob_matches(&wide, &k->f->changes.items[i].address, LC_KEYS_KNOWN);
    return count;
}

/* True if some clause decides about replacing the object. */
static bool names_replace(const lc_policy_clauses *clauses, const lc_run_change *c)
{
    for (size_t i = 0; i < clauses->count; i++) {
        const lc_policy_clause *clause = &clauses->items[i];
        if ((clause->actions & LC_PLAN_BIT(c->action)) &&
            lc_address_glob_matches(&clause->objects, &c->address, LC_KEYS_KNOWN))
            return true;
    }
    return false;
}

/* An object that is replaced, where the policy forbids only deletes; NULL: none. */
static const lc_run_change *replaced_instead(const policing *k, const lc_policy_clause *clause)
{
    unsigned destroys = LC_PLAN_BIT(LC_PLAN_DELETE_CREATE) | LC_PLAN_BIT(LC_PLAN_CREATE_DELETE);
    for (size_t i = 0; i < k->f->changes.count; i++) {
        const lc_run_change *c = &k->f->changes.items[i];
        if ((LC_PLAN_BIT(c->action) & destroys) &&
            (clause->actions & LC_PLAN_BIT(LC_PLAN_DELETE)) &&
            !names_replace(&k->policy->forbid, c) && !names_replace(&k->policy->allow, c) &&
            lc_address_glob_matches(&clause->objects, &c->address, LC_KEYS_KNOWN))
            return c;
    }
    return NULL;
}

static void judge_replaced(policing *k, const lc_policy_clause *clause)
{
    const lc_run_change *c = replaced_instead(k, clause);
    if (c)
        report(
            k, LC_RULE_RUN_POLICY_IDLE, c->text, lc_run_cause_loc(c),
            lc_str_printf(k->r->scratch,
                          "the policy \"%.*s\" allows that %.*s is replaced, which deletes it as "
                          "well: `destroy` would match",
                          LC_FMT(clause->text), LC_FMT(object_words(k, c))));
}

static void judge_idle(policing *k, const lc_policy_clause *clause, bool used, bool forbids)
{
    lc_arena *arena = k->r->scratch;
    size_t inner = used ? 0 : count_in_modules(k, &clause->objects);
    bool blind = used && forbids && !k->knows_objects && (clause->actions & ON_EXISTING) &&
                 !(clause->actions & ~ON_EXISTING);
    if (used && !blind)
        return;
    if (blind) /* no gate passes only because nothing was checked */
        lc_planning_open(k->r->planner, LC_RULE_RUN_FORBIDDEN, LC_NEED_STATE_FILE);
    lc_str message =
        blind ? LC_STR("no state was read, so no object exists yet, and none is updated, "
                       "replaced, deleted or forgotten (--prior-state names one)")
        : inner
            ? lc_str_printf(arena,
                            "it matches nothing in the root module, and **.%.*s would match %zu "
                            "object%s in modules",
                            LC_FMT(clause->objects.text), inner, inner == 1 ? "" : "s")
            : LC_STR("it matches no object, and no block that is undecided");
    report(k, blind ? LC_RULE_RUN_POLICY_IDLE : LC_RULE_RUN_POLICY_UNMATCHED, LC_STR_EMPTY,
           k->r->planner->subject->loc,
           lc_str_printf(arena, "the policy \"%.*s\" has no effect: %.*s", LC_FMT(clause->text),
                         LC_FMT(message)));
}

static void judge_all_idle(policing *k)
{
    const lc_action_policy *p = k->policy;
    LC_PLAN_RULES_CHECKS(k->r, LC_RULE_RUN_POLICY_IDLE, LC_RULE_RUN_POLICY_UNMATCHED);
    for (size_t i = 0; i < p->forbid.count; i++) {
        judge_idle(k, &p->forbid.items[i], k->forbid_used[i], true);
        judge_replaced(k, &p->forbid.items[i]);
    }
    for (size_t i = 0; i < p->allow.count; i++)
        judge_idle(k, &p->allow.items[i], k->allow_used[i], false);
    for (size_t i = 0; i < p->firm.count; i++)
        judge_idle(k, &p->firm.items[i], k->firm_used[i], false);
}

/* ---- All of it. */

static void judge_actions(policing *k)
{
    LC_PLAN_RULES_CHECKS(k->r, LC_RULE_RUN_FORBIDDEN, LC_RULE_RUN_MAY_BE_FORBIDDEN);
    for (size_t i = 0; i < k->f->changes.count; i++)
        judge_change(k, &k->f->changes.items[i]);
    for (size_t i = 0; i < k->f->open.count; i++)
        judge_block(k, &k->f->open.items[i]);
}

static bool *flags(const policing *k, size_t count)
{
    return lc_arena_zalloc(k->r->scratch, count + 1);
}

void lc_plan_rules_policy(lc_plan_rules *r, const lc_prediction *prediction)
{
    const lc_plan_evidence *facts = r->facts;
    const lc_action_policy *p = facts->policy;
    policing k = {.r = r, .f = prediction, .policy = p};
    bool any = p && (p->forbid.count || p->allow.count);
    if (!any && (!p || !p->firm.count))
        return;
    k.forbid_used = flags(&k, p->forbid.count);
    k.allow_used = flags(&k, p->allow.count);
    k.firm_used = flags(&k, p->firm.count);
    k.knows_objects = facts->plan || facts->state || facts->stated;
    if (p->firm.count)
        judge_firm(&k);
    if (prediction->no_plan) { /* the client stops, so that nothing is known about objects */
        if (any)
            lc_planning_open(r->planner, LC_RULE_RUN_FORBIDDEN, LC_NEED_CONFIGURATION);
        return;
    }
    if (any)
        judge_actions(&k);
    judge_all_idle(&k);
}
