/* Findings of two sides: what is new, fixed or changed. */
#include "lifecheck/base/arena.h"
#include "lifecheck/runner/evidence_set.h"

LC_ENUM_NAMES(lc_difference, LC_DIFFERENCES);

static void add(lc_finding_diffs *out, lc_arena *arena, lc_difference difference,
                const lc_sum *before, const lc_sum *after)
{
    *LC_PUSH(arena, out, lc_finding_diff) = (lc_finding_diff){difference, before, after};
    out->of[difference]++;
}

void lc_evidence_set_compare(lc_finding_diffs *out, lc_arena *arena, const lc_evidence_set *before,
                             const lc_evidence_set *after)
{
    *out = (lc_finding_diffs){0};
    for (size_t i = 0; i < after->sums.count; i++) {
        const lc_sum *sum = after->sums.items[i];
        if (!lc_evidence_set_sum(before, sum->fingerprint))
            add(out, arena, LC_FINDING_NEW, NULL, sum);
    }
    for (size_t i = 0; i < before->sums.count; i++) {
        const lc_sum *sum = before->sums.items[i];
        if (!lc_evidence_set_sum(after, sum->fingerprint))
            add(out, arena, LC_FINDING_FIXED, sum, NULL);
    }
    for (size_t i = 0; i < after->sums.count; i++) {
        const lc_sum *sum = after->sums.items[i];
        const lc_sum *former = lc_evidence_set_sum(before, sum->fingerprint);
        if (former && (former->count != sum->count || former->worst != sum->worst))
            add(out, arena, LC_FINDING_CHANGED, former, sum);
        else if (former)
            out->same++;
    }
}

/* ---- Showing. */

static void add_count(lc_buf *out, const lc_finding_diff *found)
{
    const lc_sum *before = found->before, *after = found->after;
    if (!before || !after) {
        lc_buf_printf(out, " (%llu)", (unsigned long long)(before ? before : after)->count);
        return;
    }
    lc_buf_printf(out, " (%llu -> %llu", (unsigned long long)before->count,
                  (unsigned long long)after->count);
    if (before->worst != after->worst)
        lc_buf_printf(out, ", was %s", lc_severity_name(before->worst));
    lc_buf_add_char(out, ')');
}

/* A finding of a whole plan may have an address, a path, or neither. */
static void add_place(lc_buf *out, const lc_sum *sum)
{
    if (!sum->whole || !lc_str_is(sum->path, "."))
        lc_buf_printf(out, " at %.*s", LC_FMT(sum->path));
    if (!sum->whole || sum->type.len)
        lc_buf_printf(out, " of %.*s", LC_FMT(sum->type.len ? sum->type : LC_STR("(no type)")));
}

static void add_text(lc_buf *out, const lc_finding_diff *found)
{
    const lc_sum *sum = found->after ? found->after : found->before;
    lc_buf_printf(out, "  %-8s %-8s %.*s", lc_difference_name(found->difference),
                  lc_severity_name(sum->worst), LC_FMT(sum->rule));
    add_place(out, sum);
    add_count(out, found);
    if (sum->blame != LC_PROVIDER)
        lc_buf_printf(out, ", blamed on the %s", lc_blame_name(sum->blame));
    lc_buf_add_char(out, '\n');
    if (found->difference != LC_FINDING_NEW)
        return;
    lc_buf_printf(out, "           %.*s", LC_FMT(sum->loc.file.len ? sum->loc.file : LC_STR("-")));
    if (sum->loc.line)
        lc_buf_printf(out, ":%u:%u", (unsigned)sum->loc.line, (unsigned)sum->loc.column);
    lc_buf_printf(out, ": %.*s\n", LC_FMT(sum->message));
}

bool lc_found_is_more(const lc_finding_diff *found)
{
    return found->after && (!found->before || found->after->count > found->before->count);
}

void lc_add_finding_diffs_text(lc_buf *out, const lc_finding_diffs *diffs, bool quiet)
{
    for (size_t i = 0; i < diffs->count; i++) {
        if (!quiet || lc_found_is_more(&diffs->items[i]))
            add_text(out, &diffs->items[i]);
    }
    lc_buf_printf(out, "%zu new, %zu fixed, %zu changed, %zu as before\n",
                  diffs->of[LC_FINDING_NEW], diffs->of[LC_FINDING_FIXED],
                  diffs->of[LC_FINDING_CHANGED], diffs->same);
}

/* What those meet who upgrade follows from how strong the rule is. */
lc_upgrade_class lc_sum_class(const lc_sum *sum)
{
    lc_rule rule;
    lc_strength strength =
        lc_rule_from_slug(&rule, sum->rule) ? lc_rule_get(rule)->strength : LC_SMELL;
    return strength == LC_MUST || strength == LC_CORE_RULE ? LC_CLASS_BREAKS
           : strength == LC_SHOULD                         ? LC_CLASS_SURPRISES
                                                           : LC_CLASS_MENTION;
}

bool lc_sum_is_of_upgrade(const lc_sum *sum)
{
    return lc_str_starts_with(sum->rule, LC_STR("gate/"));
}

void lc_add_finding_diffs_json(lc_doc *parent, const lc_finding_diffs *diffs)
{
    lc_doc *list = lc_doc_add_array(parent, "findings");
    for (size_t i = 0; i < diffs->count; i++) {
        const lc_finding_diff *found = &diffs->items[i];
        const lc_sum *sum = found->after ? found->after : found->before;
        lc_doc *entry = lc_doc_add_object(list, NULL);
        lc_doc_add_c(entry, "difference", lc_difference_name(found->difference));
        lc_doc_add_c(entry, "severity", lc_severity_name(sum->worst));
        lc_doc_add_str(entry, "rule", sum->rule);
        if (lc_sum_is_of_upgrade(sum))
            lc_doc_add_c(entry, "class", lc_upgrade_class_name(lc_sum_class(sum)));
        lc_doc_add_str(entry, "type", sum->whole ? LC_STR_EMPTY : sum->type);
        if (sum->whole && sum->type.len)
            lc_doc_add_str(entry, "address", sum->type);
        lc_doc_add_str(entry, "path", sum->path);
        lc_doc_add_str(entry, "fingerprint", sum->fingerprint);
        lc_doc_add_c(entry, "blame", lc_blame_name(sum->blame));
        lc_doc_add_uint(entry, "old", found->before ? found->before->count : 0);
        lc_doc_add_uint(entry, "new", found->after ? found->after->count : 0);
        lc_doc_add_str(entry, "message", sum->message);
        lc_doc *place = lc_doc_add_object(entry, "location");
        lc_doc_add_str(place, "file", sum->loc.file);
        lc_doc_add_uint(place, "line", sum->loc.line);
        lc_doc_add_uint(place, "column", sum->loc.column);
    }
    lc_doc *counts = lc_doc_add_object(parent, "counts");
    lc_doc_add_uint(counts, "new", diffs->of[LC_FINDING_NEW]);
    lc_doc_add_uint(counts, "fixed", diffs->of[LC_FINDING_FIXED]);
    lc_doc_add_uint(counts, "changed", diffs->of[LC_FINDING_CHANGED]);
    lc_doc_add_uint(counts, "same", diffs->same);
}
