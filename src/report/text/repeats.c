/* Repeated findings of one recording: the first finding of a rule, type and path is shown in
 * full, the others are counted, with the first few places. What no provider on SDKv2 can
 * avoid is only counted, in one line for each rule and type. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/table.h"
#include "report/internal.h"

#define PLACES 3

typedef struct repeated {
    lc_rule rule;
    lc_severity severity;
    const lc_report_options *options;
    lc_str about, path;
    bool of_old_sdk;
    uint64_t count; /* without the one that was shown */
    lc_loc places[PLACES];
} repeated;

struct lc_repeats {
    lc_arena *arena;
    lc_table by_key;
    LC_VEC(repeated *) list;
};

lc_repeats *lc_repeats_new(void)
{
    lc_arena *arena = lc_arena_new();
    lc_repeats *r = LC_NEW(arena, lc_repeats);
    r->arena = arena;
    lc_table_init(&r->by_key, arena);
    return r;
}

void lc_repeats_free(lc_repeats *r)
{
    if (r)
        lc_arena_free(r->arena);
}

static repeated *first_of(lc_repeats *r, const lc_text *text, size_t i, lc_str key)
{
    const lc_finding *f = &text->judged->judgement.findings.items[i];
    lc_buf path = {0};
    repeated *first = LC_NEW(r->arena, repeated);
    if (!f->of_old_sdk)
        lc_add_type_path(&path, f);
    *first = (repeated){.rule = f->rule,
                        .severity = text->judged->severities[i],
                        .options = text->options,
                        .about = lc_str_copy(r->arena, lc_finding_about(text->judged, f)),
                        .path = lc_buf_copy(r->arena, &path),
                        .of_old_sdk = f->of_old_sdk};
    lc_buf_release(&path);
    lc_table_put(&r->by_key, lc_str_copy(r->arena, key), first);
    *LC_PUSH(r->arena, &r->list, repeated *) = first;
    return first;
}

/* Recordings have many objects of a type, with the same mistakes in all of them. A finding of a
 * scenario was written there on purpose, so it is always shown. */
static bool may_repeat(const lc_text *text)
{
    const lc_judged *judged = text->judged;
    return judged->repeats && text->options->folds && judged->expectation == LC_EXPECTATION_NONE &&
           judged->scenario->subject.source != LC_SOURCE_SCENARIO;
}

bool lc_repeats_take(const lc_text *text, size_t i)
{
    const lc_finding *f = &text->judged->judgement.findings.items[i];
    lc_repeats *r = text->judged->repeats;
    lc_buf key = {0};
    if (!may_repeat(text))
        return false;
    lc_buf_printf(&key, "%p %d %d %.*s ", (const void *)text->options, (int)f->rule,
                  (int)text->judged->severities[i], LC_FMT(lc_finding_about(text->judged, f)));
    if (!f->of_old_sdk)
        lc_add_type_path(&key, f);
    repeated *first = lc_table_get(&r->by_key, lc_buf_str(&key));
    bool again = first || f->of_old_sdk;
    if (!first)
        first = first_of(r, text, i, lc_buf_str(&key));
    lc_buf_release(&key);
    if (again && first->count < PLACES)
        first->places[first->count] =
            (lc_loc){lc_str_copy(r->arena, f->loc.file), f->loc.line, f->loc.column};
    first->count += again;
    return again;
}

static void add_places(lc_buf *out, const repeated *f)
{
    uint64_t shown = 0;
    for (; shown < f->count && shown < PLACES; shown++) {
        lc_buf_add_c(out, shown ? ", " : ": ");
        lc_text_words(out, f->places[shown].file);
        if (f->places[shown].line)
            lc_buf_printf(out, ":%u:%u", (unsigned)f->places[shown].line,
                          (unsigned)f->places[shown].column);
    }
    lc_buf_add_c(out, shown < f->count ? ", ..." : "");
}

static void add_words(lc_buf *out, const repeated *f)
{
    lc_buf_printf(out, "%.*s", LC_FMT(lc_rule_get(f->rule)->slug));
    if (f->path.len) {
        lc_buf_add_c(out, " at ");
        lc_text_words(out, f->path);
    }
    lc_buf_add_c(out, " of ");
    lc_text_words(out, f->about.len ? f->about : LC_STR("(no type)"));
    if (f->of_old_sdk) {
        lc_buf_printf(out, " (%llu); this is inherent to SDKv2; there is nothing to fix",
                      (unsigned long long)f->count);
        return;
    }
    lc_buf_printf(out, ", %llu more", (unsigned long long)f->count);
    add_places(out, f);
}

static void add_line(const lc_text *text, const repeated *f)
{
    lc_buf words = {0};
    lc_text_severity(text, f->severity);
    add_words(&words, f);
    lc_text_add_folded(text, lc_buf_str(&words),
                       lc_str_from_c(lc_severity_name(f->severity)).len + 2, 2);
    lc_buf_add_char(text->out, '\n');
    lc_buf_release(&words);
}

void lc_report_repeats(lc_buf *out, const lc_report_options *options, const lc_repeats *repeats)
{
    lc_text text = {out, options, NULL};
    bool any = false;
    for (size_t i = 0; repeats && i < repeats->list.count; i++) {
        const repeated *f = repeats->list.items[i];
        if (f->count == 0 || f->options != options)
            continue;
        if (!any)
            lc_buf_add_c(out, "again, one line for each rule, type and path (--all lists each):\n");
        any = true;
        add_line(&text, f);
    }
}
