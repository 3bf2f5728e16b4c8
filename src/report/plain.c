/* Findings and paths for tools that show them in their own way: a proportional font, so that
 * nothing is a column, and often the first line alone, so that the reason comes first. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

#include <string.h>

#define MOST_LEAVES 8
#define MOST_SHOWN  160

/* ---- Values. */

/* What is known of a secret is one of a few words. */
void lc_add_shown(lc_buf *out, lc_str json)
{
    static const char unknown[] = "{\"$unknown\":true}", sensitive[] = "{\"$sensitive\":\"";
    const size_t length = sizeof unknown - 1;
    if (lc_str_starts_with(json, lc_str_from_c(sensitive)) &&
        lc_str_ends_with(json, LC_STR("\"}"))) {
        lc_buf_add_c(out, "sensitive, ");
        lc_text_words(out, lc_str_sub(json, sizeof sensitive - 1, json.len - 2));
        return;
    }
    size_t from = 0;
    for (size_t at = 0; at + length <= json.len;) {
        if (json.ptr[at] != '{' || memcmp(json.ptr + at, unknown, length) != 0) {
            at++;
            continue;
        }
        lc_text_words(out, lc_str_sub(json, from, at));
        lc_buf_add_c(out, "!unknown");
        from = at += length;
    }
    lc_text_words(out, lc_str_sub(json, from, json.len));
}

static void add_value(lc_buf *out, const lc_finding *f, const lc_redacted_text *values,
                      lc_column column)
{
    const char *mark = lc_column_mark(f, column);
    lc_buf_printf(out, "%s%s%s: ", lc_column_name(column), *mark ? ", " : "", mark);
    if (!values[column].given) {
        lc_buf_add_c(out, "nothing");
        return;
    }
    lc_excerpt e = lc_excerpt_of(f, values, column, MOST_SHOWN);
    lc_buf_add_c(out, e.front ? "..." : "");
    lc_add_shown(out, e.text);
    lc_buf_add_c(out, e.back ? "..." : "");
}

static bool is_compared(const lc_finding *f)
{
    return f->promised_by != LC_COLUMN_NONE || f->broken_by != LC_COLUMN_NONE;
}

/* One line for each value. */
static void add_values(lc_buf *out, const lc_finding *f, const lc_redacted_text *values)
{
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        bool absent = !values[column].given;
        if (absent
                ? !is_compared(f) || (column != (int)f->promised_by && column != (int)f->broken_by)
                : !lc_column_is_informative(f, values, (lc_column)column))
            continue;
        lc_buf_add_char(out, '\n');
        add_value(out, f, values, (lc_column)column);
    }
}

static void add_leaves(lc_buf *out, const lc_finding *f)
{
    size_t count = f->evidence->count, shown = count < MOST_LEAVES ? count : MOST_LEAVES;
    for (size_t i = 0; i < shown; i++) {
        lc_buf name = {0};
        lc_leaf_add_name(&name, f, &f->evidence->rows[i]);
        lc_buf_add_c(out, "\ndiffers at ");
        lc_text_words(out, lc_buf_str(&name));
        add_values(out, f, f->evidence->rows[i].values);
        lc_buf_release(&name);
    }
    size_t more = f->evidence->more + count - shown;
    if (more)
        lc_buf_printf(out, "\nand %zu more place%s", more, more == 1 ? "" : "s");
}

/* ---- Findings. */

/* Line breaks of the text stay. */
static void add_lines(lc_buf *out, lc_str text)
{
    for (size_t from = 0, to; from < text.len; from = to + 1) {
        to = lc_str_find(text, from, '\n');
        lc_buf_add_c(out, from ? "\n" : "");
        lc_text_words(out, lc_str_sub(text, from, to));
    }
}

void lc_plain_where(lc_buf *out, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    const char *between = "";
    if (f->address.len) {
        lc_text_words(out, f->address);
        between = " ";
    }
    if (f->path_text.len && !(f->address.len && lc_str_is(f->path_text, "."))) {
        lc_buf_add_c(out, between);
        lc_text_words(out, lc_str_is(f->path_text, ".") ? LC_STR("the object") : f->path_text);
        between = " ";
    }
    if (*lc_call_rpc(f->call.kind))
        lc_buf_printf(out, "%sin %s", between, lc_call_rpc(f->call.kind));
    if (judged->scenario->subject.runs.count > 1)
        lc_buf_printf(out, ", run %u", (unsigned)f->run);
}

static void add_fix(lc_buf *out, const char *with, lc_str text)
{
    if (text.len == 0)
        return;
    lc_buf_printf(out, "\nfix%s: ", with);
    add_lines(out, text);
}

static void add_fixes(lc_buf *out, const lc_finding *f)
{
    lc_fix fix = lc_finding_fix(f);
    if (f->cause) {
        lc_buf_add_c(out, "\nelsewhere: ");
        lc_cause_add_text(out, f->cause);
    } else if (lc_str_eq(fix.framework, fix.sdkv2)) {
        add_fix(out, "", fix.framework);
    } else {
        add_fix(out, " with terraform-plugin-framework", fix.framework);
        add_fix(out, " with SDKv2", fix.sdkv2);
    }
}

void lc_plain_finding(lc_buf *out, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_buf where = {0};
    add_lines(out, lc_finding_why(f));
    lc_plain_where(&where, judged, i);
    if (where.len)
        lc_buf_printf(out, " (%.*s)", LC_FMT(lc_buf_str(&where)));
    if (judged->expectation == LC_EXPECTATION_UNMET && lc_is_open(judged, i))
        lc_buf_add_c(out, "\nthe scenario does not expect it");
    if (f->doubtful)
        lc_buf_add_c(out, "\nthe evidence contradicts itself here");
    if (f->evidence && f->evidence->count)
        add_leaves(out, f);
    else
        add_values(out, f, f->values);
    add_fixes(out, f);
    lc_buf_release(&where);
}

/* ---- Paths. */

/* Adds the path without `.` and empty steps; `..` takes a step back, as far as there is one. */
static void add_steps(lc_buf *out, lc_str path)
{
    while (path.len) {
        size_t end = lc_str_find(path, 0, '/');
        lc_str step = lc_str_sub(path, 0, end);
        size_t last = out->len;
        path = lc_str_sub(path, end + (end < path.len), path.len);
        if (step.len == 0 || lc_str_is(step, "."))
            continue;
        while (last && out->ptr[last - 1] != '/')
            last--;
        if (lc_str_is(step, "..") && last) {
            out->len = last - 1;
            continue;
        }
        lc_buf_add_char(out, '/');
        lc_buf_add_str(out, step);
    }
}

/* The path below `folder`; empty: it is not below it. */
static lc_str below(lc_str path, lc_str folder)
{
    while (folder.len && folder.ptr[folder.len - 1] == '/')
        folder.len--;
    if (folder.len == 0 || path.len <= folder.len + 1 || !lc_str_starts_with(path, folder) ||
        path.ptr[folder.len] != '/')
        return LC_STR_EMPTY;
    return lc_str_sub(path, folder.len + 1, path.len);
}

void lc_add_file(lc_buf *out, const lc_report_options *options, lc_str file)
{
    lc_buf whole = {0};
    if (file.len == 0 || lc_str_is(file, "-") || options->folder.len == 0) {
        lc_buf_add_str(out, file);
        return;
    }
    if (file.ptr[0] != '/')
        add_steps(&whole, options->folder);
    add_steps(&whole, file);
    lc_str rest = below(lc_buf_str(&whole), options->workspace);
    if (rest.len == 0)
        rest = below(lc_buf_str(&whole), options->folder);
    lc_buf_add_str(out, rest.len ? rest : file);
    lc_buf_release(&whole);
}
