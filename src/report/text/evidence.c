/* One finding as plain text, for formats that show rule and place themselves: the columns that
 * differ, why and what to do. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "report/internal.h"

#define MARGIN      2
#define LABEL       10 /* "config    " */
#define LONG_LABEL  15 /* "final_planned  " */
#define MAX_VALUE   160
#define MAX_ALIGNED 48
#define MAX_LEAVES  8 /* rows of one finding; -v shows all */

typedef struct lines {
    const lc_text *text;
    const lc_finding *finding;
    unsigned indent; /* of labels */
    unsigned label;  /* width of the label column */
    const lc_redacted_text *values;
} lines;

/* ---- Labelled lines, folded where the width asks for it. */

static void add_label(const lines *l, const char *label)
{
    lc_buf_printf(l->text->out, "%*s%-*s", (int)l->indent, "", (int)l->label, label);
}

/* Adds words, and breaks the line where the next word would exceed the width. Line breaks in the
 * text are kept. */
static void add_folded(const lines *l, lc_str text)
{
    lc_buf *out = l->text->out;
    size_t start = l->indent + l->label, column = start, at = 0;
    while (at < text.len) {
        size_t end = lc_str_find(text, at, ' ');
        size_t width = lc_utf8_count(lc_str_sub(text, at, end));
        if (column > start) {
            bool fold = l->text->options->width && column + 1 + width > l->text->options->width;
            if (fold)
                lc_buf_printf(out, "\n%*s", (int)start, "");
            else
                lc_buf_add_char(out, ' ');
            column = fold ? start : column + 1;
        }
        lc_text_words(out, lc_str_sub(text, at, end));
        column += width;
        at = end + 1;
    }
    lc_buf_add_char(out, '\n');
}

static void add_line(const lines *l, const char *label, lc_str text)
{
    size_t from = 0;
    if (text.len == 0)
        return;
    while (from <= text.len) {
        size_t to = lc_str_find(text, from, '\n');
        add_label(l, from ? "" : label);
        add_folded(l, lc_str_sub(text, from, to));
        from = to + 1;
    }
}

/* ---- The headline. */

static const char *call_words(lc_call_kind kind)
{
    switch (kind) {
    case LC_CALL_PLAN_CREATE:
        return " (the create leg)";
    case LC_CALL_FINAL_PLAN:
        return " (the final plan)";
    case LC_CALL_DESTROY_PLAN:
    case LC_CALL_DESTROY:
        return " (the delete)";
    case LC_CALL_REREAD:
        return " (after apply)";
    case LC_CALL_SCHEMA:
    case LC_CALL_UPGRADE:
    case LC_CALL_UPGRADE_IDENTITY:
    case LC_CALL_IMPORT:
    case LC_CALL_MOVE:
    case LC_CALL_READ:
    case LC_CALL_VALIDATE:
    case LC_CALL_PLAN:
    case LC_CALL_APPLY:
    case LC_CALL_DATA:
    case LC_CALL_OPEN:
    case LC_CALL_LIST:
    case LC_CALL_ACTION:
    case LC_CALL_FUNCTION:
    case LC_CALL_RUN:
    case LC_CALL_PROVIDERS:
        break;
    }
    return "";
}

static void add_also(lc_buf *out, const lc_finding *f)
{
    for (size_t i = 0; i < f->also_count; i++)
        lc_buf_printf(out, "%s%s", i ? ", " : ", again in ", lc_call_kind_name(f->also[i].kind));
}

void lc_text_add_call_words(lc_buf *out, const lc_finding *f)
{
    lc_buf_add_c(out, call_words(f->call.kind));
    add_also(out, f);
}

static void add_call(lc_buf *out, const lc_finding *f)
{
    lc_buf_add_c(out, " at ");
    lc_text_words(out, f->path_text);
    lc_buf_printf(out, " in %s", lc_call_rpc(f->call.kind));
    lc_text_add_call_words(out, f);
}

static void add_address(lc_buf *out, const lc_finding *f)
{
    if (f->address.len) {
        lc_buf_add_c(out, " of ");
        lc_text_words(out, f->address);
    }
    if (f->path_text.len) {
        lc_buf_add_c(out, " at ");
        lc_text_words(out, f->path_text);
    }
}

void lc_text_subject(const lc_text *text, size_t i)
{
    const lc_finding *f = &text->judged->judgement.findings.items[i];
    lc_buf *out = text->out;
    lc_buf_add_str(out, lc_rule_get(f->rule)->slug);
    if (lc_finding_domain(f) == LC_DOMAIN_LIFECYCLE)
        add_call(out, f);
    else
        add_address(out, f);
    if (text->judged->scenario->subject.runs.count > 1)
        lc_buf_printf(out, ", run %u", (unsigned)f->run);
    if (text->judged->expectation == LC_EXPECTATION_UNMET && lc_is_open(text->judged, i))
        lc_buf_add_c(out, ", not expected");
    if (f->doubtful)
        lc_buf_add_c(out, "; the evidence contradicts itself here");
}

/* ---- The columns. */

/* Promise and breach are always shown, other columns only if they have another value. */
static bool shows_column(const lines *l, lc_column column)
{
    return lc_column_is_telling(l->finding, l->values, column);
}

static size_t value_width(const lines *l)
{
    size_t widest = 0;
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!shows_column(l, (lc_column)column))
            continue;
        size_t width = lc_utf8_count(l->values[column].json);
        if (width > widest && width <= MAX_ALIGNED)
            widest = width;
    }
    return widest;
}

static void add_column(const lines *l, lc_column column, size_t widest)
{
    lc_buf *out = l->text->out;
    lc_excerpt e = lc_excerpt_of(l->finding, l->values, column, MAX_VALUE);
    const char *mark = lc_column_mark(l->finding, column);
    add_label(l, lc_column_name(column));
    lc_buf_add_c(out, e.front ? "..." : "");
    lc_text_words(out, e.text);
    lc_buf_add_c(out, e.back ? "..." : "");
    size_t width = lc_utf8_count(e.text);
    if (*mark)
        lc_buf_printf(out, "%*s%s", (int)(width < widest ? widest - width : 0) + 5, "", mark);
    lc_buf_add_char(out, '\n');
}

static void add_columns(const lines *l)
{
    size_t widest = value_width(l);
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (shows_column(l, (lc_column)column))
            add_column(l, (lc_column)column, widest);
    }
}

static void add_stacked(const lines *l, size_t i)
{
    const lc_evidence_row *leaf = &l->finding->evidence->rows[i];
    lc_buf name = {0};
    lines row = *l;
    row.values = leaf->values;
    lc_leaf_add_name(&name, l->finding, leaf);
    add_line(l, "differs", lc_buf_str(&name));
    add_columns(&row);
    lc_buf_release(&name);
}

/* Of containers and documents only the leaves that differ are shown: one like a value, several as
 * a table. */
static void add_evidence(const lines *l)
{
    const lc_evidence *evidence = l->finding->evidence;
    size_t shown = evidence->count < MAX_LEAVES ? evidence->count : MAX_LEAVES;
    if (shown > 1)
        lc_text_leaves(l->text, l->finding, l->indent, shown);
    else
        add_stacked(l, 0);
    size_t more = evidence->more + evidence->count - shown;
    if (more)
        lc_buf_printf(l->text->out, "%*s... and %zu more place%s\n", (int)l->indent, "", more,
                      more == 1 ? "" : "s");
}

/* ---- Why, and what to do. */

lc_str lc_finding_why(const lc_finding *f)
{
    if (f->diagnosis.id.len)
        return f->diagnosis.why;
    return f->message.len ? f->message : lc_rule_get(f->rule)->title;
}

lc_fix lc_finding_fix(const lc_finding *f)
{
    const lc_rule_info *info = lc_rule_get(f->rule);
    if (f->diagnosis.fix_framework.len || f->diagnosis.fix_sdkv2.len)
        return (lc_fix){f->diagnosis.fix_framework, f->diagnosis.fix_sdkv2};
    return (lc_fix){lc_rule_fix(info, LC_SDK_FRAMEWORK), lc_rule_fix(info, LC_SDK_SDKV2)};
}

void lc_cause_add_text(lc_buf *out, const lc_cause *o)
{
    lc_buf_printf(out, "the configured value is not the promised one because of %.*s: %.*s at ",
                  LC_FMT(o->name), LC_FMT(lc_rule_get(o->rule)->slug));
    lc_buf_printf(out, "%.*s (%.*s", LC_FMT(o->path_text), LC_FMT(o->loc.file));
    if (o->loc.line)
        lc_buf_printf(out, ":%u", o->loc.line);
    lc_buf_add_c(out, ")");
}

static void add_elsewhere(const lines *l)
{
    lc_buf line = {0};
    lc_cause_add_text(&line, l->finding->cause);
    add_line(l, "elsewhere", lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_fix(const lines *l)
{
    lc_fix fix = lc_finding_fix(l->finding);
    lc_str framework = fix.framework, sdkv2 = fix.sdkv2;
    lc_buf line = {0};
    bool same = lc_str_eq(framework, sdkv2);
    if (framework.len)
        lc_buf_printf(&line, "%s%.*s", same ? "" : "framework: ", LC_FMT(framework));
    if (sdkv2.len && !same)
        lc_buf_printf(&line, "%sSDKv2: %.*s",
                      line.len == 0                    ? ""
                      : line.len + sdkv2.len + 7 <= 80 ? "; "
                                                       : "\n",
                      LC_FMT(sdkv2));
    add_line(l, "fix", lc_buf_str(&line));
    lc_buf_release(&line);
}

static bool shows_long_label(const lines *l)
{
    return shows_column(l, LC_COLUMN_FINAL_PLANNED) || shows_column(l, LC_COLUMN_PLAN_CREATE) ||
           shows_column(l, LC_COLUMN_STORED);
}

void lc_text_evidence(const lc_text *text, size_t finding, unsigned indent)
{
    lc_arena *arena = lc_arena_new();
    const lc_finding *f =
        lc_finding_as_text(arena, &text->judged->judgement.findings.items[finding]);
    lines l = {text, f, indent + MARGIN, LABEL, f->values};
    bool leaves = f->evidence && f->evidence->count;
    if (shows_long_label(&l))
        l.label = LONG_LABEL;
    if (f->cause && l.label < LABEL + 1)
        l.label = LABEL + 1;
    if (leaves)
        add_evidence(&l);
    else
        add_columns(&l);
    add_line(&l, "why", lc_finding_why(f));
    if (f->cause)
        add_elsewhere(&l);
    else
        add_fix(&l);
    lc_arena_free(arena);
}
