/* The legacy lens: what a core tolerates today only because of legacy_type_system, summed up by
 * resource type. It shows what will fail without the exemption.
 *
 * Pieces are lines `X<tab>TYPE<tab>RULE`, X a plus if the case has no expectation, else a minus. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

void lc_lens_case(lc_buf *out, const lc_judged *judged)
{
    const lc_case *c = &judged->scenario->subject;
    char mark = judged->expectation == LC_EXPECTATION_NONE ? '+' : '-';
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        const lc_finding *f = &judged->judgement.findings.items[i];
        if (!lc_finding_is_tolerated(f) || judged->suppressed[i].len)
            continue;
        lc_buf_add_char(out, mark);
        lc_buf_add_char(out, '\t');
        lc_text_words(out, c->type.len ? c->type : LC_STR("(no type)"));
        lc_buf_printf(out, "\t%.*s\n", LC_FMT(lc_rule_get(f->rule)->slug));
    }
}

/* ---- Sums. */

LC_ORDER_BY_STR(by_text, lc_lens_sum, line)

static size_t count_lines(lc_str text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    return count;
}

/* Lines without their mark, sorted; equal ones become one with a count. */
static size_t merge(lc_lens_sum *sums, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(sums, count, sizeof *sums, by_text);
    for (size_t i = 0; i < count; i++) {
        if (kept && lc_str_eq(sums[kept - 1].line, sums[i].line))
            sums[kept - 1].count++;
        else
            sums[kept++] = sums[i];
    }
    for (size_t i = 0; i < kept; i++) {
        lc_str line = sums[i].line;
        size_t tab = lc_str_find(line, 0, '\t');
        sums[i].type = lc_str_sub(line, 0, tab);
        sums[i].rule = lc_str_sub(line, tab + 1, line.len);
    }
    return kept;
}

static lc_lens sum_up(lc_arena *arena, lc_str pieces, bool all)
{
    lc_lens lens = {LC_NEW_ARRAY(arena, lc_lens_sum, count_lines(pieces)), 0};
    size_t count = 0;
    for (size_t at = 0; at < pieces.len;) {
        size_t end = lc_str_find(pieces, at, '\n');
        if (all || pieces.ptr[at] == '+')
            lens.sums[count++] = (lc_lens_sum){.line = lc_str_sub(pieces, at + 2, end), .count = 1};
        at = end + 1;
    }
    lens.count = merge(lens.sums, count);
    return lens;
}

static bool starts_type(const lc_lens *lens, size_t i)
{
    return i == 0 || !lc_str_eq(lens->sums[i - 1].type, lens->sums[i].type);
}

/* ---- Showing. */

#define MANY_TYPES  20
#define SHOWN_TYPES 5

/* The rules of one type, whose first sum is at `from`; returns where the next type begins. */
static size_t add_type(const lc_text *text, const lc_lens *lens, size_t from)
{
    lc_buf line = {0};
    size_t i = from;
    lc_buf_printf(&line, "%.*s:", LC_FMT(lens->sums[from].type));
    do {
        lc_buf_printf(&line, "%s %.*s (%zu)", i > from ? "," : "", LC_FMT(lens->sums[i].rule),
                      lens->sums[i].count);
    } while (++i < lens->count && !starts_type(lens, i));
    lc_buf_add_c(text->out, "  ");
    lc_text_add_folded(text, lc_buf_str(&line), 2, 4);
    lc_buf_add_char(text->out, '\n');
    lc_buf_release(&line);
    return i;
}

void lc_text_lens(const lc_text *text, lc_str pieces, bool all)
{
    lc_arena *arena = lc_arena_new();
    lc_lens lens = sum_up(arena, pieces, all);
    size_t total = 0;
    for (size_t i = 0; i < lens.count; i++)
        total += lens.sums[i].count;
    lc_str head = lc_str_printf(
        arena, "without legacy_type_system %zu finding%s tolerated today would stop a run:", total,
        total == 1 ? "" : "s");
    if (total) {
        lc_text_add_folded(text, head, 0, 2);
        lc_buf_add_char(text->out, '\n');
    }
    size_t types = 0, shown = 0;
    for (size_t i = 0; i < lens.count; i++)
        types += starts_type(&lens, i);
    bool folded = types > MANY_TYPES && !text->options->verbose;
    for (size_t i = 0; i < lens.count && !(folded && shown == SHOWN_TYPES); shown++)
        i = add_type(text, &lens, i);
    if (folded)
        lc_buf_printf(text->out, "  and in %zu more types; -v and --format json list them\n",
                      types - shown);
    lc_arena_free(arena);
}

void lc_json_lens(lc_doc *parent, lc_str pieces)
{
    lc_arena *arena = lc_arena_new();
    lc_lens lens = sum_up(arena, pieces, true);
    lc_doc *types = lc_doc_add_array(parent, "without_legacy"), *rules = NULL;
    for (size_t i = 0; i < lens.count; i++) {
        if (starts_type(&lens, i)) {
            lc_doc *type = lc_doc_add_object(types, NULL);
            lc_doc_add_str(type, "type", lens.sums[i].type);
            rules = lc_doc_add_array(type, "rules");
        }
        lc_doc *rule = lc_doc_add_object(rules, NULL);
        lc_doc_add_str(rule, "rule", lens.sums[i].rule);
        lc_doc_add_uint(rule, "count", lens.sums[i].count);
    }
    lc_arena_free(arena);
}
