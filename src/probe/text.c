/* The result of probing for people: what was not examined is reported as clearly as the rest. */
#include "lifecheck/base/arena.h"
#include "lifecheck/probe/probe.h"

#define MOST_OF_WHY 160 /* bytes of an error that are shown */
#define MOST_LISTED 12  /* types of one reason, without --verbose */
#define MOST_LINES  20  /* of warnings, or of what is tolerated: then one line says how many */
#define MOST_FRAMES 4   /* lines of a stack, without --verbose */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void add_tolerated(lc_buf *out, const lc_probe_type *t)
{
    size_t listed = 0;
    lc_rule last = LC_RULE_COUNT;
    lc_buf_printf(out, "%.*s: tolerated for SDKv2:", LC_FMT(t->name));
    for (lc_rule rule = 0; rule < LC_RULE_COUNT; rule++) {
        size_t count = 0;
        for (size_t i = 0; i < t->findings.count; i++) {
            const lc_probe_finding *f = &t->findings.items[i];
            count += f->rule == rule && !f->fails && f->tolerated;
        }
        if (count == 0 || last == rule || listed >= 4)
            continue;
        lc_buf_printf(out, "%s %.*s", listed++ ? "," : "", LC_FMT(lc_rule_get(rule)->slug));
        if (count > 1)
            lc_buf_printf(out, " (%zu places)", count);
        last = rule;
    }
    lc_buf_add_char(out, '\n');
}

/* What is shown of each type. */
typedef struct shown {
    bool verbose, warnings, tolerated, cut;
} shown;

static void add_other_findings(lc_buf *out, const lc_probe_type *t, const shown *show)
{
    for (size_t i = 0; i < t->findings.count; i++) {
        const lc_probe_finding *f = &t->findings.items[i];
        bool warns = f->severity >= LC_WARNING && !f->tolerated;
        if (f->fails || !((warns && show->warnings) || show->verbose))
            continue;
        lc_buf_printf(out, "%.*s: %s: %.*s at %.*s (law %u, %.*s): %.*s\n", LC_FMT(t->name),
                      lc_severity_name(f->severity), LC_FMT(lc_rule_get(f->rule)->slug),
                      LC_FMT(f->path), lc_law_get(f->law)->number, LC_FMT(lc_law_get(f->law)->id),
                      LC_FMT(f->message));
    }
}

/* Further places of the same rule and law are counted. */
static bool is_further(const lc_probe_type *t, size_t i)
{
    const lc_probe_finding *f = &t->findings.items[i];
    for (size_t k = 0; k < i; k++) {
        const lc_probe_finding *g = &t->findings.items[k];
        if (g->fails && g->law == f->law && g->rule == f->rule)
            return true;
    }
    return false;
}

static size_t count_further(const lc_probe_type *t, size_t at)
{
    size_t count = 0;
    for (size_t i = at + 1; i < t->findings.count; i++) {
        const lc_probe_finding *f = &t->findings.items[i];
        count += f->fails && f->law == t->findings.items[at].law &&
                 f->rule == t->findings.items[at].rule;
    }
    return count;
}

static void add_stack(lc_buf *out, lc_str stack, bool verbose)
{
    size_t lines = 0;
    for (size_t at = 0; at < stack.len && (verbose || lines < MOST_FRAMES);
         lines++, at = lc_str_find(stack, at, '\n') + 1) {
        lc_str line = lc_str_sub(stack, at, lc_str_find(stack, at, '\n'));
        lc_buf_printf(out, "  %.*s\n", LC_FMT(line));
    }
}

/* The first place of each rule and law has a line; the scenario shows the rest. */
static void add_failing(lc_buf *out, const lc_probe_type *t, bool verbose)
{
    for (size_t i = 0; i < t->findings.count; i++) {
        const lc_probe_finding *f = &t->findings.items[i];
        size_t more = verbose ? 0 : count_further(t, i);
        if (!f->fails || (!verbose && is_further(t, i)))
            continue;
        lc_buf_printf(out, "%.*s: %.*s at %.*s violates law %u, %.*s: ", LC_FMT(t->name),
                      LC_FMT(lc_rule_get(f->rule)->slug), LC_FMT(f->path),
                      lc_law_get(f->law)->number, LC_FMT(lc_law_get(f->law)->id));
        if (f->rule == LC_RULE_WIRE_RPC_ERROR)
            lc_buf_printf(out, "%.*s: ", LC_FMT(f->message));
        if (more)
            lc_buf_printf(out, "and at %zu more place%s; ", more, plural(more));
        if (f->file.len)
            lc_buf_printf(out, "see %.*s (%zu value%s)%s%.*s%s%.*s\n", LC_FMT(f->file), f->leaves,
                          plural(f->leaves), f->confirmed.len ? "; confirmed by " : "",
                          LC_FMT(f->confirmed), f->unconfirmed.len ? "; not confirmed: " : "",
                          LC_FMT(f->unconfirmed));
        else
            lc_buf_printf(out, "no scenario was written: %.*s\n", LC_FMT(f->unwritten));
        add_stack(out, f->stack, verbose);
    }
}

static void add_verbose(lc_buf *out, const lc_probe_result *r, const lc_probe_type *t)
{
    lc_buf_printf(out, "%.*s: %u configuration%s, %llu calls:", LC_FMT(t->name), t->configurations,
                  plural(t->configurations), (unsigned long long)t->calls);
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        const lc_probe_law *l = &t->laws[law];
        if (!r->laws[law])
            continue;
        if (l->trials)
            lc_buf_printf(out, " %u (%u),", lc_law_get(law)->number, l->trials);
    }
    if (out->len && out->ptr[out->len - 1] == ',')
        out->len--;
    lc_buf_add_char(out, '\n');
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        const lc_probe_law *l = &t->laws[law];
        if (r->laws[law] && l->trials == 0)
            lc_buf_printf(out, "  law %u, %.*s, was not tried: %.*s\n", lc_law_get(law)->number,
                          LC_FMT(lc_law_get(law)->id), LC_FMT(l->why));
    }
}

static void add_type(lc_buf *out, const lc_probe_result *r, const lc_probe_type *t,
                     const shown *show)
{
    bool verbose = show->verbose;
    if (t->same_as.len) {
        lc_buf_printf(out, "%.*s: the same schema and findings as %.*s, which counts for both\n",
                      LC_FMT(t->name), LC_FMT(t->same_as));
        return;
    }
    add_failing(out, t, verbose);
    add_other_findings(out, t, show);
    if (t->tolerated && show->tolerated)
        add_tolerated(out, t);
    if (!t->asked_all && show->cut)
        lc_buf_printf(out, "%.*s: not all laws were tried: time or calls ran out\n",
                      LC_FMT(t->name));
    if ((t->died || t->hung) && (verbose || t->failing == 0))
        lc_buf_printf(out, "%.*s: the provider ended %u time%s and hung %u time%s\n",
                      LC_FMT(t->name), t->died, plural(t->died), t->hung, plural(t->hung));
    if (verbose)
        add_verbose(out, r, t);
}

/* ---- In sum. */

/* Errors of providers may be long, and in any language. */
static lc_str first_line(lc_str why)
{
    size_t end = lc_str_find(why, 0, '\n');
    if (end > MOST_OF_WHY) {
        end = MOST_OF_WHY;
        while (end && ((unsigned char)why.ptr[end] & 0xC0) == 0x80)
            end--;
    }
    return lc_str_sub(why, 0, end);
}

static void add_not_configured(lc_buf *out, const lc_probe_result *r, bool verbose)
{
    size_t listed = 0, count = 0;
    for (size_t i = 0; i < r->types.count; i++) {
        const lc_probe_type *t = &r->types.items[i];
        if (t->configured)
            continue;
        count++;
        if (!verbose && listed >= MOST_LISTED)
            continue;
        lc_str why = t->why_not.len ? t->why_not : LC_STR("time or calls ran out");
        lc_buf_printf(out, "%.*s: no configuration was accepted: %.*s\n", LC_FMT(t->name),
                      LC_FMT(first_line(why)));
        listed++;
    }
    if (count > listed)
        lc_buf_printf(out, "and %zu more types without a configuration; --verbose lists them\n",
                      count - listed);
}

typedef enum group { INFOS, WARNINGS, TOLERATED, GROUPS } group;

static bool is_in(const lc_probe_finding *f, group g)
{
    if (f->fails || g == TOLERATED)
        return !f->fails && f->tolerated;
    return !f->tolerated && (g == INFOS ? f->severity == LC_INFO : f->severity >= LC_WARNING);
}

/* Lines that the group would take if each was listed. */
static size_t lines_of(const lc_probe_result *r, group g)
{
    size_t lines = 0;
    for (size_t i = 0; i < r->types.count; i++)
        lines += g == WARNINGS ? r->types.items[i].warnings : r->types.items[i].tolerated > 0;
    return lines;
}

/* By rule, in one line. */
static void add_folded(lc_buf *out, const lc_probe_result *r, group g)
{
    static const char *const words[GROUPS][2] = {
        {"info", "infos"}, {"warning", "warnings"}, {"tolerated for SDKv2", "tolerated for SDKv2"}};
    size_t counts[LC_RULE_COUNT] = {0}, all = 0, types = 0, listed = 0;
    for (size_t i = 0; i < r->types.count; i++) {
        size_t before = all;
        if (r->types.items[i].same_as.len)
            continue;
        for (size_t k = 0; k < r->types.items[i].findings.count; k++) {
            const lc_probe_finding *f = &r->types.items[i].findings.items[k];
            counts[f->rule] += is_in(f, g);
            all += is_in(f, g);
        }
        types += all > before;
    }
    if (all == 0)
        return;
    lc_buf_printf(out, "%zu %s in %zu type%s:", all, words[g][all != 1], types, plural(types));
    for (lc_rule rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (counts[rule])
            lc_buf_printf(out, "%s %.*s (%zu)", listed++ ? "," : "",
                          LC_FMT(lc_rule_get(rule)->slug), counts[rule]);
    }
    lc_buf_add_c(out, "; --verbose lists them\n");
}

static void add_cut(lc_buf *out, const lc_probe_result *r)
{
    size_t cut = 0;
    for (size_t i = 0; i < r->types.count; i++)
        cut += !r->types.items[i].asked_all;
    lc_buf_printf(out,
                  "%zu types: not all laws were tried: time or calls ran out; --verbose lists "
                  "them\n",
                  cut);
}

/* A short list is shown, a long one folded: the last lines of a run must fit a screen. */
static shown what_is_shown(const lc_probe_result *r, bool verbose)
{
    size_t cut = 0;
    for (size_t i = 0; i < r->types.count; i++)
        cut += !r->types.items[i].asked_all;
    return (shown){verbose, verbose || lines_of(r, WARNINGS) <= MOST_LINES,
                   verbose || lines_of(r, TOLERATED) <= MOST_LINES, verbose || cut <= MOST_LINES};
}

static void add_laws(lc_buf *out, const lc_probe_result *r)
{
    size_t tried = 0, listed = 0;
    for (lc_law law = 0; law < LC_LAW_COUNT; law++)
        tried += r->laws[law] && lc_probe_tried(r, law);
    lc_buf_printf(out, "%zu law%s tried", tried, plural(tried));
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        if (r->laws[law] && !lc_probe_tried(r, law))
            lc_buf_printf(out, "%s %u", listed++ ? "," : "; not tried with any type: laws",
                          lc_law_get(law)->number);
    }
    lc_buf_add_char(out, '\n');
}

void lc_probe_add_text(lc_buf *out, const lc_probe_result *r, bool verbose)
{
    shown show = what_is_shown(r, verbose);
    for (size_t i = 0; i < r->types.count; i++)
        add_type(out, r, &r->types.items[i], &show);
    add_not_configured(out, r, verbose);
    if (!show.cut)
        add_cut(out, r);
    if (!show.warnings)
        add_folded(out, r, WARNINGS);
    if (!show.tolerated)
        add_folded(out, r, TOLERATED);
    if (!verbose)
        add_folded(out, r, INFOS);
    if (r->not_configured.len)
        lc_buf_printf(out,
                      "the provider could not be configured, so only validation was tested "
                      "(--provider-config gives it settings): %.*s\n",
                      LC_FMT(r->not_configured));
    if (r->stopped.len)
        lc_buf_printf(out, "stopped before %zu type%s: %.*s\n", r->left_out, plural(r->left_out),
                      LC_FMT(r->stopped));
    lc_buf_printf(out, "%zu type%s, %zu configured; ", r->types.count, plural(r->types.count),
                  r->configured);
    add_laws(out, r);
    lc_buf_printf(out, "%llu calls", (unsigned long long)r->calls);
    if (r->took_ms)
        lc_buf_printf(out, " in %.1f s", (double)r->took_ms / 1000);
    lc_buf_printf(out, ", seed %llu\n", (unsigned long long)r->seed);
    lc_buf_printf(out, "%zu finding%s that fail%s, %zu warning%s, %zu tolerated\n", r->failing,
                  plural(r->failing), r->failing == 1 ? "s" : "", r->warnings, plural(r->warnings),
                  r->tolerated);
}
