/* One finding as the text report shows it: what is wrong, where, the lines of the input, the
 * values, why and what to do. Other formats that have a place of their own for these take
 * finding.c. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/utf8.h"
#include "report/text/quote.h"

#define LABEL       9  /* of notes: "framework" */
#define LONG_LABEL  13 /* "final_planned" */
#define LEAST_VALUE 24
#define MOST_VALUE  160
#define MOST_MARGIN 48 /* values up to this wide have their marks in one column */
#define MOST_LEAVES 8  /* rows of one finding; -v shows all */

typedef struct block {
    const lc_text *text;
    lc_buf *out;
    const lc_finding *original; /* whose places can be asked for */
    const lc_finding *finding;  /* with values as people read them */
    const lc_redacted_text *values;
    unsigned indent, digits; /* digits of the largest line number */
    unsigned label;
    bool seen[LC_COLUMN_COUNT]; /* columns whose value a line of the input shows */
    bool any_row;               /* something has been written after the bar */
} block;

/* ---- Lines. */

void lc_text_paint(const lc_text *text, lc_paint paint)
{
    static const char *const codes[] = {
        [LC_PAINT_NONE] = "\033[0m",   [LC_PAINT_STRONG] = "\033[1m", [LC_PAINT_FRAME] = "\033[34m",
        [LC_PAINT_GOOD] = "\033[32m",  [LC_PAINT_BAD] = "\033[1;31m", [LC_PAINT_FIX] = "\033[36m",
        [LC_PAINT_WARN] = "\033[1;33m"};
    if (text->options->color)
        lc_buf_add_c(text->out, codes[paint]);
}

static void paint(const block *b, lc_paint color)
{
    lc_text_paint(b->text, color);
}

/* The bar in front of lines and values; `number` 0: none. */
static void add_bar(const block *b, uint32_t number)
{
    lc_buf_printf(b->out, "%*s", (int)b->indent, "");
    paint(b, LC_PAINT_FRAME);
    if (number)
        lc_buf_printf(b->out, "%*u |", (int)b->digits, (unsigned)number);
    else
        lc_buf_printf(b->out, "%*s |", (int)b->digits, "");
    paint(b, LC_PAINT_NONE);
}

static void add_empty_bar(const block *b)
{
    add_bar(b, 0);
    lc_buf_add_char(b->out, '\n');
}

/* The first row of values is set off from what is above. */
static void begin_row(block *b)
{
    if (!b->any_row)
        add_empty_bar(b);
    b->any_row = true;
    add_bar(b, 0);
    lc_buf_add_char(b->out, ' ');
}

/* Words folded at the width, for lines that begin at `column`. */
void lc_text_add_folded(const lc_text *text, lc_str words, size_t column, size_t below)
{
    lc_buf clean = {0}, blank = {0};
    lc_text_words(&clean, words);
    lc_buf_printf(&blank, "%*s", (int)below, "");
    if (text->options->width)
        lc_buf_add_folded(text->out, lc_buf_str(&clean), column, text->options->width,
                          lc_buf_str(&blank));
    else
        lc_buf_add_str(text->out, lc_buf_str(&clean));
    lc_buf_release(&clean);
    lc_buf_release(&blank);
}

static void add_note(const block *b, const char *label, lc_paint color, lc_str words)
{
    size_t column = b->indent + b->digits + 3 + b->label + 2, from = 0;
    if (words.len == 0)
        return;
    lc_buf_printf(b->out, "%*s", (int)(b->indent + b->digits + 1), "");
    paint(b, LC_PAINT_FRAME);
    lc_buf_add_c(b->out, "= ");
    paint(b, color);
    lc_buf_printf(b->out, "%-*s  ", (int)b->label, label);
    paint(b, LC_PAINT_NONE);
    while (from <= words.len) {
        size_t to = lc_str_find(words, from, '\n');
        if (from)
            lc_buf_printf(b->out, "%*s", (int)column, "");
        lc_text_add_folded(b->text, lc_str_sub(words, from, to), column, column);
        lc_buf_add_char(b->out, '\n');
        from = to + 1;
    }
}

/* ---- The headline, and where. */

static lc_paint paint_of(lc_severity severity)
{
    return severity == LC_ERROR     ? LC_PAINT_BAD
           : severity == LC_WARNING ? LC_PAINT_WARN
                                    : LC_PAINT_FIX;
}

/* "error[RULE]: ", the beginning of a headline. Returns its width. */
static size_t add_kind(const lc_text *text, lc_severity severity, lc_str of)
{
    const char *name = lc_severity_name(severity);
    lc_text_paint(text, paint_of(severity));
    lc_buf_add_c(text->out, name);
    if (of.len)
        lc_buf_printf(text->out, "[%.*s]", LC_FMT(of));
    lc_text_paint(text, LC_PAINT_NONE);
    lc_buf_add_c(text->out, ": ");
    return lc_str_from_c(name).len + (of.len ? of.len + 2 : 0) + 2;
}

void lc_text_headline(const lc_text *text, lc_severity severity, lc_str of, lc_str words,
                      unsigned indent)
{
    lc_buf_printf(text->out, "%*s", (int)indent, "");
    size_t used = indent + add_kind(text, severity, of);
    lc_text_paint(text, LC_PAINT_STRONG);
    lc_text_add_folded(text, words, used, indent + 4);
    lc_text_paint(text, LC_PAINT_NONE);
    lc_buf_add_char(text->out, '\n');
}

static void add_headline(const block *b, size_t i)
{
    const lc_judged *judged = b->text->judged;
    lc_buf words = {0};
    lc_headline_add(&words, b->finding);
    if (judged->expectation == LC_EXPECTATION_UNMET && lc_is_open(judged, i))
        lc_buf_add_c(&words, " (not expected)");
    if (b->finding->doubtful)
        lc_buf_add_c(&words, " (the evidence contradicts itself here)");
    lc_text_headline(b->text, lc_shown_severity(judged, i), lc_rule_get(b->finding->rule)->slug,
                     lc_buf_str(&words), b->indent);
    lc_buf_release(&words);
}

static void add_item(lc_buf *out, lc_str words)
{
    if (words.len && out->len)
        lc_buf_add_c(out, ", ");
    lc_text_words(out, words);
}

static lc_action action_of(const lc_judged *judged, uint32_t run)
{
    if (run == 0 || run > judged->scenario->subject.runs.count)
        return LC_ACTION_NONE;
    lc_action action = judged->judgement.runs[run - 1].action[LC_OPENTOFU];
    return action != LC_ACTION_NONE ? action : judged->judgement.runs[run - 1].action[LC_TERRAFORM];
}

/* Identifies the object, action and call. The case of a scenario is found by its line; for
 * recordings the name contains the instance. */
static void add_circumstances(lc_buf *out, const lc_text *text, const lc_finding *f)
{
    const lc_judged *judged = text->judged;
    const lc_case *c = &judged->scenario->subject;
    bool named = c->source != LC_SOURCE_SCENARIO || text->options->verbose || f->loc.line == 0;
    lc_str object = f->address.len ? f->address : c->resource.len ? c->resource : c->type;
    lc_action action = action_of(judged, f->run);
    add_item(out, object);
    if (c->runs.count > 1)
        lc_buf_printf(out, "%srun %u", out->len ? ", " : "", (unsigned)f->run);
    if (lc_finding_domain(f) != LC_DOMAIN_LIFECYCLE) {
        add_item(out, f->path_text);
    } else {
        if (action != LC_ACTION_NONE)
            add_item(out, lc_str_from_c(lc_action_name(action)));
        add_item(out, lc_str_from_c(lc_call_rpc(f->call.kind)));
        lc_text_add_call_words(out, f);
    }
    if (named && c->name.len && !lc_str_eq(c->name, object)) {
        lc_buf_add_c(out, out->len ? ", #" : "#");
        lc_text_words(out, c->name);
    }
}

static lc_loc place_of(const lc_text *text, const lc_finding *f)
{
    return f->loc.file.len ? f->loc : (lc_loc){text->judged->scenario->subject.file, 0, 0};
}

void lc_text_arrow(const lc_text *text, lc_loc loc, lc_str more, unsigned indent, unsigned digits)
{
    lc_buf place = {0};
    lc_text_words(&place, loc.file.len ? loc.file : LC_STR("-"));
    if (loc.line)
        lc_buf_printf(&place, ":%u:%u", (unsigned)loc.line, (unsigned)loc.column);
    size_t from = indent + digits + 4, used = from + lc_utf8_count(lc_buf_str(&place));
    lc_buf_printf(text->out, "%*s", (int)(indent + digits), "");
    lc_text_paint(text, LC_PAINT_FRAME);
    lc_buf_add_c(text->out, "-->");
    lc_text_paint(text, LC_PAINT_NONE);
    lc_buf_printf(text->out, " %.*s", LC_FMT(lc_buf_str(&place)));
    if (more.len && text->options->width && used + 3 + lc_utf8_count(more) > text->options->width) {
        lc_buf_printf(text->out, "\n%*s", (int)from, "");
        lc_text_add_folded(text, more, from, from);
    } else if (more.len) {
        lc_buf_printf(text->out, "   %.*s", LC_FMT(more));
    }
    lc_buf_add_char(text->out, '\n');
    lc_buf_release(&place);
}

static void add_place(const block *b)
{
    lc_buf more = {0};
    add_circumstances(&more, b->text, b->finding);
    lc_text_arrow(b->text, place_of(b->text, b->finding), lc_buf_str(&more), b->indent, b->digits);
    lc_buf_release(&more);
}

/* ---- Lines of the input. */

typedef struct caret {
    size_t at, length; /* in code points */
    lc_paint color;
    const char *mark;
} caret;

/* The part of a line that has room, in code points. */
typedef struct window {
    size_t from, to, all;
} window;

#define MOST_BLANK 30 /* in front of a line, before it is cut */

static size_t blanks_before(lc_str line)
{
    size_t count = 0;
    while (count < line.len && line.ptr[count] == ' ')
        count++;
    return count;
}

static window window_of(lc_str line, const caret *c, size_t room)
{
    window w = {0, 0, lc_utf8_count(line)};
    size_t blank = blanks_before(line);
    if (blank > MOST_BLANK)
        w.from = blank;
    else if (w.all > room && c->at + c->length + 3 > room && c->at > room / 3)
        w.from = c->at - room / 3;
    size_t cut = w.from ? 3 : 0;
    bool fits = w.all - w.from + cut <= room;
    w.to = fits ? w.all : w.from + room - 3 - cut;
    return w;
}

static void add_runes(lc_buf *out, lc_str line, size_t from, size_t to)
{
    size_t at = 0;
    for (size_t i = 0; at < line.len && i < to; i++) {
        size_t start = at;
        uint32_t rune = lc_utf8_next(line, &at);
        if (i < from)
            continue;
        if (rune == '\t')
            lc_buf_add_char(out, ' ');
        else
            lc_text_words(out, lc_str_sub(line, start, at));
    }
}

static size_t room_of(const lc_text *text, unsigned indent, unsigned digits)
{
    size_t used = indent + digits + 3, width = text->options->width;
    return width == 0 ? SIZE_MAX : width > used + LEAST_VALUE ? width - used : LEAST_VALUE;
}

/* The columns of a terminal that some code points of a line take. */
static size_t columns_of(lc_str line, size_t from, size_t to)
{
    size_t at = 0, start = 0;
    for (size_t i = 0; at < line.len && i < to; i++) {
        if (i == from)
            start = at;
        lc_utf8_next(line, &at);
    }
    return from < to ? lc_text_columns(lc_str_sub(line, start, at)) : 0;
}

static void add_carets(const block *b, lc_str line, const caret *c, window w)
{
    size_t shift = w.from ? 3 : 0, at = columns_of(line, w.from, c->at) + shift;
    size_t room = columns_of(line, w.from, w.to) + shift;
    size_t length = columns_of(line, c->at > w.from ? c->at : w.from, c->at + c->length);
    if (at + length > room)
        length = at < room ? room - at : 1;
    size_t most = room_of(b->text, b->indent, b->digits), mark = lc_str_from_c(c->mark).len + 1;
    if (at + length + mark > most)
        length = at + mark < most ? most - at - mark : 1;
    add_bar(b, 0);
    lc_buf_printf(b->out, "%*s", (int)at + 1, "");
    paint(b, c->color);
    for (size_t i = 0; i < length || i == 0; i++)
        lc_buf_add_char(b->out, '^');
    if (*c->mark)
        lc_buf_printf(b->out, " %s", c->mark);
    paint(b, LC_PAINT_NONE);
    lc_buf_add_char(b->out, '\n');
}

static window add_source_line(const block *b, uint32_t number, lc_str line, const caret *c)
{
    window w = window_of(line, c, room_of(b->text, b->indent, b->digits));
    add_bar(b, number);
    lc_buf_add_c(b->out, w.from ? " ..." : " ");
    add_runes(b->out, line, w.from, w.to);
    lc_buf_add_c(b->out, w.to < w.all ? "...\n" : "\n");
    return w;
}

static caret caret_of(const block *b, const lc_quote *q)
{
    bool broken = q->column != LC_COLUMN_NONE && q->column == b->finding->broken_by;
    bool promised = q->column != LC_COLUMN_NONE && !broken;
    return (caret){.at = lc_utf8_count(lc_str_sub(q->line, 0, q->from)),
                   .length = lc_utf8_count(lc_str_sub(q->line, q->from, q->to)),
                   .color = promised ? LC_PAINT_GOOD : LC_PAINT_BAD,
                   .mark = broken     ? "actual"
                           : promised ? "expected"
                                      : ""};
}

static void add_quotes(block *b, const lc_quote *quotes, size_t count)
{
    window w = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        caret c = caret_of(b, &quotes[i]);
        if (i == 0)
            add_empty_bar(b);
        if (i == 0 || quotes[i].number != quotes[i - 1].number)
            w = add_source_line(b, quotes[i].number, quotes[i].line, &c);
        add_carets(b, quotes[i].line, &c, w);
        if (quotes[i].column != LC_COLUMN_NONE)
            b->seen[quotes[i].column] = quotes[i].says;
    }
}

void lc_text_quote(const lc_text *text, lc_quoted quote, uint32_t line, unsigned digits)
{
    block b = {.text = text, .out = text->out, .digits = digits};
    lc_str all = quote.text;
    size_t end = lc_str_find(all, 0, '\n');
    caret c = {quote.column ? quote.column - 1 : 0, 1, LC_PAINT_BAD, ""};
    lc_str last = end < all.len ? lc_str_sub(all, end + 1, all.len) : all;
    add_empty_bar(&b);
    if (end < all.len)
        add_source_line(&b, line - 1, lc_str_sub(all, 0, end), &c);
    window w = add_source_line(&b, line, last, &c);
    if (quote.column)
        add_carets(&b, last, &c, w);
}

/* ---- Values. */

static bool is_verbose(const block *b)
{
    return b->text->options->verbose;
}

/* The expected and the actual value are always shown, other columns only if they have another
 * value. */
static bool shows_column(const block *b, lc_column column)
{
    if (is_verbose(b))
        return b->values[column].given;
    return lc_column_is_informative(b->finding, b->values, column) ||
           (column == b->finding->promised_by && b->values == b->finding->values &&
            b->finding->broken_by != LC_COLUMN_NONE && b->values[b->finding->broken_by].given);
}

static size_t most_of(const block *b)
{
    size_t room = room_of(b->text, b->indent, b->digits),
           used = b->label + 2 + 11 + 6; /* marks, and two cuts */
    if (is_verbose(b))
        return 0;
    if (room == SIZE_MAX || room > MOST_VALUE + used)
        return MOST_VALUE;
    return room > used + LEAST_VALUE ? room - used : LEAST_VALUE;
}

static void add_value_text(lc_buf *out, const block *b, lc_column column)
{
    if (!b->values[column].given) {
        lc_buf_add_c(out, "(nothing)");
        return;
    }
    lc_excerpt e = lc_excerpt_of(b->finding, b->values, column, most_of(b));
    lc_buf_add_c(out, e.front ? "..." : "");
    lc_text_words(out, e.text);
    lc_buf_add_c(out, e.back ? "..." : "");
}

static size_t value_width(const block *b)
{
    size_t widest = 0;
    lc_buf value = {0};
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (!shows_column(b, (lc_column)column))
            continue;
        lc_buf_clear(&value);
        add_value_text(&value, b, (lc_column)column);
        size_t width = lc_text_columns(lc_buf_str(&value));
        if (width > widest && width <= MOST_MARGIN)
            widest = width;
    }
    lc_buf_release(&value);
    return widest;
}

static void add_column(block *b, lc_column column, size_t widest)
{
    lc_buf value = {0};
    bool broken = column == b->finding->broken_by, promised = column == b->finding->promised_by;
    add_value_text(&value, b, column);
    size_t width = lc_text_columns(lc_buf_str(&value));
    begin_row(b);
    lc_buf_printf(b->out, "%-*s  ", (int)b->label, lc_column_name(column));
    lc_paint color = broken ? LC_PAINT_BAD : promised ? LC_PAINT_GOOD : LC_PAINT_NONE;
    if (broken || promised)
        paint(b, color);
    lc_buf_add_str(b->out, lc_buf_str(&value));
    if (broken || promised) {
        lc_buf_printf(b->out, "%*s", (int)(width < widest ? widest - width : 0) + 3, "");
        lc_buf_add_c(b->out, broken ? "actual" : "expected");
        paint(b, LC_PAINT_NONE);
    }
    lc_buf_add_char(b->out, '\n');
    lc_buf_release(&value);
}

static void add_columns(block *b)
{
    size_t widest = value_width(b);
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (shows_column(b, (lc_column)column))
            add_column(b, (lc_column)column, widest);
    }
}

/* The lines above contain the expected and the actual value, so only other facts remain. */
static void add_other_columns(block *b)
{
    const lc_finding *f = b->finding;
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        if (column != (int)f->broken_by && column != (int)f->promised_by &&
            shows_column(b, (lc_column)column))
            add_column(b, (lc_column)column, 0);
    }
}

static bool are_seen(const block *b)
{
    const lc_finding *f = b->finding;
    bool promised = f->promised_by == LC_COLUMN_NONE || b->seen[f->promised_by];
    return promised && f->broken_by != LC_COLUMN_NONE && b->seen[f->broken_by];
}

/* ---- Leaves of containers and documents. */

static void add_table(block *b, size_t rows)
{
    lc_buf table = {0};
    lc_report_options options = *b->text->options;
    lc_text inner = {&table, &options, b->text->judged};
    unsigned used = b->indent + b->digits + 3;
    if (options.width)
        options.width = options.width > used + LEAST_VALUE ? options.width - used : LEAST_VALUE;
    lc_text_leaves(&inner, b->finding, 0, rows);
    for (size_t from = 0; from < table.len;) {
        size_t to = lc_str_find(lc_buf_str(&table), from, '\n');
        begin_row(b);
        lc_buf_add_str(b->out, lc_str_sub(lc_buf_str(&table), from, to));
        lc_buf_add_char(b->out, '\n');
        from = to + 1;
    }
    lc_buf_release(&table);
}

static void add_leaf(block *b, size_t i)
{
    lc_buf name = {0}, clean = {0};
    block row = *b;
    row.values = b->finding->evidence->rows[i].values;
    lc_leaf_add_name(&name, b->finding, &b->finding->evidence->rows[i]);
    lc_text_words(&clean, lc_buf_str(&name));
    begin_row(&row);
    lc_buf_printf(b->out, "%-*s  %.*s\n", (int)b->label, "differs", LC_FMT(lc_buf_str(&clean)));
    add_columns(&row);
    b->any_row = true;
    lc_buf_release(&name);
    lc_buf_release(&clean);
}

/* Only the leaves that differ are shown: one, or with -v each, like a value; several as a table. */
static void add_leaves(block *b)
{
    const lc_evidence *evidence = b->finding->evidence;
    bool verbose = is_verbose(b);
    size_t shown = verbose || evidence->count < MOST_LEAVES ? evidence->count : MOST_LEAVES;
    if (shown > 1 && !verbose)
        add_table(b, shown);
    for (size_t i = 0; i < shown && (verbose || shown == 1); i++)
        add_leaf(b, i);
    size_t more = evidence->more + evidence->count - shown;
    if (more == 0)
        return;
    begin_row(b);
    lc_buf_printf(b->out, "... and %zu more place%s\n", more, more == 1 ? "" : "s");
}

/* ---- Why, and what to do. */

static void add_why(const block *b)
{
    const lc_finding *f = b->finding;
    if (f->diagnosis.id.len)
        add_note(b, "why", LC_PAINT_STRONG, f->diagnosis.why);
    else if (f->message.len && !is_verbose(b)) /* with -v there is more of it */
        add_note(b, "rule", LC_PAINT_STRONG, lc_rule_get(f->rule)->title);
}

static void add_fix(const block *b)
{
    lc_fix fix = lc_finding_fix(b->finding);
    lc_buf cause = {0};
    if (b->finding->cause) {
        lc_cause_add_text(&cause, b->finding->cause);
        add_note(b, "elsewhere", LC_PAINT_STRONG, lc_buf_str(&cause));
        lc_buf_release(&cause);
    } else if (lc_str_eq(fix.framework, fix.sdkv2)) {
        add_note(b, "fix", LC_PAINT_FIX, fix.framework);
    } else {
        add_note(b, "framework", LC_PAINT_FIX, fix.framework);
        add_note(b, "SDKv2", LC_PAINT_FIX, fix.sdkv2);
    }
}

static void add_more(const block *b)
{
    lc_buf line = {0};
    lc_buf_printf(&line, "lifecheck explain %.*s", LC_FMT(lc_rule_get(b->finding->rule)->slug));
    add_note(b, "more", LC_PAINT_NONE, lc_buf_str(&line));
    lc_buf_release(&line);
}

/* ---- With -v: the exact messages of the clients, and the document. */

static void add_core(const block *b, lc_core core)
{
    const lc_core_view *view = &b->finding->core[core];
    lc_buf line = {0};
    lc_effect otherwise = lc_finding_effect_if(b->finding, core, b->finding->legacy != LC_YES);
    lc_buf_add_c(&line, lc_effect_name(view->effect));
    if (otherwise != view->effect && view->effect != LC_EFFECT_ERROR_OR_TOLERATED)
        lc_buf_printf(&line, " (%s with%s legacy_type_system)", lc_effect_name(otherwise),
                      b->finding->legacy == LC_YES ? "out" : "");
    if (view->masked)
        lc_buf_add_c(&line, " (not reached: this core stopped before)");
    if (view->summary.len)
        lc_buf_printf(&line, ": %.*s", LC_FMT(view->summary));
    if (view->message.len)
        lc_buf_printf(&line, "\n%.*s", LC_FMT(view->message));
    if (!view->exact)
        lc_buf_add_c(&line, "\n(a secret was replaced in this output)");
    add_note(b, lc_core_name(core), LC_PAINT_NONE, lc_buf_str(&line));
    lc_buf_release(&line);
}

/* A check that not all versions of the clients have, or that the client of the recording has not.
 */
static void add_versions(const block *b)
{
    lc_buf line = {0};
    lc_finding_add_versions(&line, b->text->judged, b->finding);
    add_note(b, "versions", LC_PAINT_NONE, lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_document(const block *b)
{
    const lc_rule_info *info = lc_rule_get(b->finding->rule);
    lc_buf line = {0};
    add_note(b, "rule", LC_PAINT_NONE, info->requirement);
    lc_rule_add_source(&line, info);
    add_note(b, "source", LC_PAINT_NONE, lc_buf_str(&line));
    lc_buf_release(&line);
}

static void add_notes(const block *b)
{
    add_why(b);
    add_fix(b);
    for (int core = 0; is_verbose(b) && core < LC_CORE_COUNT; core++)
        add_core(b, (lc_core)core);
    add_versions(b);
    if (is_verbose(b))
        add_document(b);
    add_more(b);
}

/* ---- All of it. */

static unsigned digits_of(uint32_t number)
{
    unsigned digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

unsigned lc_text_digits(uint32_t number)
{
    unsigned digits = digits_of(number);
    return digits < 2 ? 2 : digits;
}

static void add_evidence(block *b, const lc_quote *quotes, size_t count)
{
    const lc_finding *f = b->finding;
    bool leaves = f->evidence && f->evidence->count;
    add_quotes(b, quotes, count);
    if (are_seen(b) && !is_verbose(b))
        add_other_columns(b);
    else if (!leaves || is_verbose(b))
        add_columns(b);
    if (leaves)
        add_leaves(b);
    if (count || b->any_row)
        add_empty_bar(b);
}

static unsigned label_of(const block *b)
{
    bool wide = shows_column(b, LC_COLUMN_FINAL_PLANNED) ||
                shows_column(b, LC_COLUMN_PLAN_CREATE) || shows_column(b, LC_COLUMN_STORED);
    return wide ? LONG_LABEL : LABEL;
}

/* Does the finding below which this one is printed show the same values, for the same reason? */
static bool is_shown_above(const lc_text *text, size_t i, unsigned indent)
{
    return indent && !text->options->verbose && lc_is_of_same_cause(text->judged, i);
}

void lc_text_finding(const lc_text *text, size_t i, unsigned indent, bool explained)
{
    const lc_finding *f = &text->judged->judgement.findings.items[i];
    lc_arena *arena = lc_arena_new();
    lc_quote quotes[LC_QUOTES];
    size_t count = lc_quotes_of(quotes, text->judged, f);
    block b = {.text = text,
               .out = text->out,
               .original = f,
               .finding = lc_finding_as_text(arena, f),
               .indent = indent,
               .digits = lc_text_digits(count ? quotes[count - 1].number : 0)};
    b.values = b.finding->values;
    b.label = label_of(&b);
    add_headline(&b, i);
    add_place(&b);
    bool shown = is_shown_above(text, i, indent);
    if (!shown)
        add_evidence(&b, quotes, count);
    if (shown || (explained && !is_verbose(&b)))
        add_more(&b);
    else
        add_notes(&b);
    lc_buf_add_char(text->out, '\n');
    lc_arena_free(arena);
}
