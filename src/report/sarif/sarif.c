/* SARIF 2.1.0: one run; a result for each finding, mistake of a scenario and unmet expectation;
 * inputs that could not be understood are notifications. */
#include "report/sarif/sarif.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/json.h"
#include "lifecheck/base/table.h"

#include <string.h>

#define SOURCE_ROOT "%SRCROOT%" /* viewers ask for it, code scanning knows it */

/* ---- Strings and places. */

static bool is_placeholder(lc_str text, size_t at)
{
    size_t end = at + 1;
    while (end < text.len && lc_is_digit(text.ptr[end]))
        end++;
    return end > at + 1 && end < text.len && text.ptr[end] == '}';
}

/* In a message {0} would be a placeholder and [x](y) a link. Other braces and brackets stay as they
 * are: viewers that do not know the escapes show every one of them. */
static void add_message(lc_doc *parent, lc_str text)
{
    lc_buf escaped = {0};
    bool open = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool link = c == ']' && i + 1 < text.len && text.ptr[i + 1] == '(';
        bool placeholder = c == '{' && is_placeholder(text, i);
        bool closes = c == '}' && open;
        if (link)
            lc_buf_add_char(&escaped, '\\');
        if (placeholder || closes)
            lc_buf_add_char(&escaped, c);
        lc_buf_add_char(&escaped, c);
        open = placeholder || (open && c != '}');
    }
    lc_doc_add_str(lc_doc_add_object(parent, "message"), "text", lc_buf_str(&escaped));
    lc_buf_release(&escaped);
}

static bool is_unreserved(char c)
{
    return lc_is_alnum(c) || (c && strchr("-._~/", c));
}

/* A reference relative to the source root, or a file URI of a path that is elsewhere. */
static void add_uri(lc_doc *parent, const lc_report_options *options, lc_str name)
{
    lc_buf uri = {0}, path = {0};
    lc_add_file(&path, options, name);
    lc_str file = lc_buf_str(&path);
    bool absolute = file.len && file.ptr[0] == '/';
    lc_buf_add_c(&uri, absolute ? "file://" : "");
    for (size_t i = 0; i < file.len; i++) {
        if (is_unreserved(file.ptr[i]))
            lc_buf_add_char(&uri, file.ptr[i]);
        else
            lc_buf_printf(&uri, "%%%02X", (unsigned)(unsigned char)file.ptr[i]);
    }
    lc_doc *artifact = lc_doc_add_object(parent, "artifactLocation");
    lc_doc_add_str(artifact, "uri", lc_buf_str(&uri));
    if (!absolute)
        lc_doc_add_c(artifact, "uriBaseId", SOURCE_ROOT);
    lc_buf_release(&path);
    lc_buf_release(&uri);
}

static void add_physical(lc_doc *location, const lc_report_options *options, lc_loc loc)
{
    lc_doc *physical = lc_doc_add_object(location, "physicalLocation");
    add_uri(physical, options, loc.file.len ? loc.file : LC_STR("-"));
    if (loc.line == 0)
        return;
    lc_doc *region = lc_doc_add_object(physical, "region");
    lc_doc_add_uint(region, "startLine", loc.line);
    if (loc.column)
        lc_doc_add_uint(region, "startColumn", loc.column);
}

/* ---- The parts of a result. */

static lc_doc *add_result(lc_doc *results, lc_sarif_rule rule, lc_severity severity)
{
    lc_doc *result = lc_doc_add_object(results, NULL);
    lc_doc_add_str(result, "ruleId", rule.id);
    lc_doc_add_uint(result, "ruleIndex", rule.index);
    lc_doc_add_c(result, "kind", "fail");
    lc_doc_add_c(result, "level", lc_sarif_level(severity));
    return result;
}

static void add_finding_message(lc_doc *result, const lc_judged *judged, size_t i)
{
    lc_buf words = {0};
    lc_plain_finding(&words, judged, i);
    add_message(result, lc_buf_str(&words));
    lc_buf_release(&words);
}

/* The offset after the closing bracket; one within a quoted key does not count. */
static size_t skip_brackets(lc_str path, size_t at)
{
    bool quoted = false;
    for (; at < path.len; at++) {
        if (quoted && path.ptr[at] == '\\')
            at++;
        else if (path.ptr[at] == '"')
            quoted = !quoted;
        else if (!quoted && path.ptr[at] == ']')
            return at + 1;
    }
    return path.len;
}

/* The last attribute of the path, with the brackets after it. */
static lc_str last_step(lc_str path)
{
    size_t from = 0;
    for (size_t at = 0; at < path.len;) {
        if (path.ptr[at] == '.')
            from = at + 1;
        at = path.ptr[at] == '[' ? skip_brackets(path, at) : at + 1;
    }
    return from < path.len ? lc_str_sub(path, from, path.len) : path;
}

static lc_str object_of(const lc_case *c, const lc_finding *f)
{
    bool of_instance = lc_finding_domain(f) == LC_DOMAIN_LIFECYCLE;
    if (f->address.len)
        return f->address;
    if (c->resource.len)
        return c->resource;
    if (c->type.len)
        return c->type;
    if (of_instance)
        return LC_STR("object");
    return LC_STR("plan");
}

/* The attribute as a logical location, a member of the resource. */
static void add_logical(lc_doc *location, lc_str object, lc_str path)
{
    lc_buf name = {0};
    bool root = !path.len || lc_str_is(path, ".");
    lc_doc *logical = lc_doc_add_object(lc_doc_add_array(location, "logicalLocations"), NULL);
    lc_buf_add_str(&name, object);
    if (!root)
        lc_buf_add_str(&name, path);
    lc_doc_add_str(logical, "name", root ? lc_buf_str(&name) : last_step(path));
    lc_doc_add_str(logical, "fullyQualifiedName", lc_buf_str(&name));
    lc_doc_add_c(logical, "kind", root ? "object" : "property");
    lc_buf_release(&name);
}

static bool same_place(lc_loc a, lc_loc b)
{
    return a.line == b.line && a.column == b.column && lc_str_eq(a.file, b.file);
}

/* The places of the values that the finding compares. A path into an identity has no place in a
 * state. */
static void add_related(lc_doc *result, const lc_report_options *options, const lc_judged *judged,
                        const lc_finding *f)
{
    lc_doc *related = NULL;
    if (lc_str_starts_with(lc_rule_get(f->rule)->slug, LC_STR("identity/")))
        return;
    for (int column = 0; column < LC_COLUMN_COUNT; column++) {
        lc_loc loc = lc_column_place(judged, f, (lc_column)column);
        if (loc.line == 0 || same_place(loc, f->loc))
            continue;
        if (!related)
            related = lc_doc_add_array(result, "relatedLocations");
        lc_doc *location = lc_doc_add_object(related, NULL);
        lc_doc_add_uint(location, "id", (uint64_t)column + 1);
        add_physical(location, options, loc);
        add_message(location, lc_str_from_c(lc_column_name((lc_column)column)));
    }
}

/* Fingerprints contain neither lines nor values, so that a result stays the same when another
 * part of a file is edited. Cases of one file differ by their names, equal names by a count. */
static void add_fingerprints(lc_doc *result, const lc_judged *judged, size_t i, unsigned occurrence)
{
    const lc_case *c = &judged->scenario->subject;
    lc_buf line = {0};
    uint64_t hash = lc_fingerprint_join(lc_str_fingerprint(lc_str_from_c(judged->fingerprints[i])),
                                        lc_str_fingerprint(c->name));
    lc_buf_printf(&line, "%016llx:%u", (unsigned long long)hash, occurrence);
    lc_doc *prints = lc_doc_add_object(result, "partialFingerprints");
    lc_doc_add_c(prints, "lifecheck/v2", judged->fingerprints[i]);
    lc_doc_add_str(prints, "primaryLocationLineHash", lc_buf_str(&line));
    lc_buf_release(&line);
}

/* Either all results have the list of suppressions or none has it; an empty list means that nothing
 * is suppressed. A finding that a baseline or settings file suppresses has the kind `external`. */
static void add_suppressions(lc_doc *result, lc_str justification, bool external)
{
    lc_doc *list = lc_doc_add_array(result, "suppressions");
    if (justification.len == 0)
        return;
    lc_doc *suppression = lc_doc_add_object(list, NULL);
    lc_doc_add_c(suppression, "kind", external ? "external" : "inSource");
    lc_doc_add_str(suppression, "justification", justification);
}

/* With a baseline, all results have a baselineState; without it none has. */
static void add_baseline_state(lc_doc *result, const lc_policy *policy, bool known)
{
    if (policy->baseline)
        lc_doc_add_c(result, "baselineState", known ? "unchanged" : "new");
}

static lc_str justification_of(const lc_judged *judged, size_t i)
{
    if (judged->suppressed[i].len)
        return judged->suppressed[i];
    if (lc_is_open(judged, i))
        return LC_STR_EMPTY;
    if (judged->expectation == LC_EXPECTATION_KNOWN_FAILING)
        return LC_STR("the case is known to fail");
    return LC_STR("the scenario expects it");
}

/* Other tools have properties of their own; some take what is called `blame` for theirs. */
static void add_properties(lc_doc *result, const lc_judged *judged, size_t i)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    const lc_rule_info *info = lc_rule_get(f->rule);
    lc_doc *properties = lc_doc_add_object(result, "properties");
    lc_doc_add_str(properties, "lifecheck/case", judged->scenario->subject.name);
    lc_doc_add_uint(properties, "lifecheck/run", f->run);
    lc_doc_add_c(properties, "lifecheck/rpc", lc_call_rpc(f->call.kind));
    lc_doc_add_c(properties, "lifecheck/call", lc_call_kind_name(f->call.kind));
    lc_doc_add_str(properties, "lifecheck/path", f->path_text);
    lc_doc_add_c(properties, "lifecheck/strength", lc_strength_name(info->strength));
    lc_doc_add_c(properties, "lifecheck/blame", lc_blame_name(lc_finding_blame(f)));
    lc_doc_add_c(properties, "lifecheck/opentofu", lc_effect_name(f->core[LC_OPENTOFU].effect));
    lc_doc_add_c(properties, "lifecheck/terraform", lc_effect_name(f->core[LC_TERRAFORM].effect));
    if (f->diagnosis.id.len)
        lc_doc_add_str(properties, "lifecheck/diagnosis", f->diagnosis.id);
}

static void add_finding(lc_doc *results, const lc_report_options *options, const lc_judged *judged,
                        size_t i, unsigned occurrence)
{
    const lc_finding *f = &judged->judgement.findings.items[i];
    lc_doc *result =
        add_result(results, lc_sarif_catalogue_rule(f->rule), lc_shown_severity(judged, i));
    add_finding_message(result, judged, i);
    lc_doc *location = lc_doc_add_object(lc_doc_add_array(result, "locations"), NULL);
    add_physical(location, options, f->loc.file.len ? f->loc : judged->scenario->subject.loc);
    add_logical(location, object_of(&judged->scenario->subject, f), f->path_text);
    add_related(result, options, judged, f);
    add_fingerprints(result, judged, i, occurrence);
    add_suppressions(result, justification_of(judged, i),
                     judged->suppressors[i] > LC_SUPPRESSED_BY_SCENARIO);
    add_baseline_state(result, &options->policy,
                       judged->suppressors[i] == LC_SUPPRESSED_BY_BASELINE);
    add_properties(result, judged, i);
}

static void add_plain(lc_doc *results, const lc_report_options *options, lc_sarif_rule rule,
                      lc_severity severity, lc_str message, lc_loc loc)
{
    lc_doc *result = add_result(results, rule, severity);
    add_message(result, message);
    add_physical(lc_doc_add_object(lc_doc_add_array(result, "locations"), NULL), options, loc);
    add_suppressions(result, LC_STR_EMPTY, false);
    add_baseline_state(result, &options->policy, false);
}

/* ---- One case: its results, joined by commas. */

static void end_result(lc_buf *out, lc_doc *results)
{
    lc_buf list = {0};
    lc_doc_print(&list, results);
    if (list.len > 2) { /* without the brackets */
        lc_join(out);
        lc_buf_add_str(out, lc_str_sub(lc_buf_str(&list), 1, list.len - 1));
    }
    lc_buf_release(&list);
}

typedef struct occurrences {
    unsigned count;
} occurrences;

static unsigned next_occurrence(lc_table *table, const char *fingerprint)
{
    lc_str key = lc_str_from_c(fingerprint);
    occurrences *seen = lc_table_get(table, key);
    if (!seen) {
        seen = LC_NEW(table->arena, occurrences);
        lc_table_put(table, key, seen);
    }
    return ++seen->count;
}

static void add_findings(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_arena *arena = lc_arena_new();
    lc_table table;
    lc_table_init(&table, arena);
    for (size_t i = 0; i < judged->judgement.findings.count; i++) {
        if (lc_shown_severity(judged, i) == LC_HIDDEN)
            continue;
        lc_doc *results = lc_doc_array();
        add_finding(results, options, judged, i, next_occurrence(&table, judged->fingerprints[i]));
        end_result(out, results);
    }
    lc_arena_free(arena);
}

static void add_failures(lc_doc *results, const lc_report_options *options, const lc_judged *judged)
{
    bool known = judged->expectation == LC_EXPECTATION_KNOWN_FAILING;
    for (size_t i = 0; i < judged->failures.count; i++) {
        const lc_expectation_failure *failure = &judged->failures.items[i];
        if (known || strcmp(failure->kind, "unexpected") == 0) /* reported with the finding */
            continue;
        add_plain(results, options, lc_sarif_failure_rule(failure->kind), LC_ERROR, failure->detail,
                  failure->loc);
    }
    for (size_t i = 0; i < judged->notes.count; i++) {
        const lc_expectation_failure *note = &judged->notes.items[i];
        bool fails = strcmp(note->kind, "required") == 0;
        add_plain(results, options, lc_sarif_failure_rule(note->kind),
                  fails ? LC_ERROR : LC_WARNING, note->detail, note->loc);
    }
}

static void add_case(lc_buf *out, const lc_report_options *options, const lc_judged *judged)
{
    lc_doc *results = lc_doc_array();
    add_findings(out, options, judged);
    add_failures(results, options, judged);
    for (size_t i = 0; i < judged->lints.count; i++) {
        const lc_lint_note *note = &judged->lints.items[i];
        add_plain(results, options, lc_sarif_lint_rule(note->lint), judged->lint_severities[i],
                  note->message, note->loc);
    }
    end_result(out, results);
}

static void add_diag(lc_buf *out, const lc_report_options *options, const lc_diag *diag)
{
    lc_doc *notification = lc_doc_object();
    lc_join(out);
    lc_doc_add_c(notification, "level", lc_diag_severity_name(diag->severity));
    add_message(notification, diag->message);
    add_physical(lc_doc_add_object(lc_doc_add_array(notification, "locations"), NULL), options,
                 diag->loc);
    lc_doc_print(out, notification);
}

/* ---- The frame. */

/* Code scanning replaces the results of a category by the next of the same. It generates one for
 * each job if the file names none, and would not take that of its user if the file did. */
static void add_category(lc_json *w, lc_str category)
{
    bool ends = category.ptr[category.len - 1] == '/';
    lc_buf id = {0};
    lc_buf_printf(&id, "%.*s%s", LC_FMT(category), ends ? "" : "/"); /* what follows is one run */
    lc_json_object(w, "automationDetails");
    lc_json_str(w, "id", lc_buf_str(&id));
    lc_json_end_object(w);
    lc_json_break(w, 0);
    lc_buf_release(&id);
}

static void add_source_root(lc_json *w)
{
    lc_json_object(w, "originalUriBaseIds");
    lc_json_object(w, SOURCE_ROOT);
    lc_json_object(w, "description");
    lc_json_c(w, "text", "the working directory, or in a job of GitHub the checkout around it");
    lc_json_end_object(w);
    lc_json_end_object(w);
    lc_json_end_object(w);
}

static void begin(lc_buf *out, const lc_report_options *options)
{
    lc_doc *tool = lc_doc_object();
    lc_doc *driver = lc_doc_add_object(tool, "driver");
    lc_json w = {.out = out};
    lc_doc_add_c(driver, "name", "lifecheck");
    lc_doc_add_c(driver, "version", LC_VERSION);
    lc_doc_add_c(driver, "semanticVersion", LC_VERSION);
    if (*LC_HOME_URL)
        lc_doc_add_c(driver, "informationUri", LC_HOME_URL);
    lc_sarif_add_rules(driver, options->rules_url);
    lc_json_object(&w, NULL);
    lc_json_c(&w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    lc_json_c(&w, "version", "2.1.0");
    lc_json_array(&w, "runs");
    lc_json_break(&w, 0);
    lc_json_object(&w, NULL);
    lc_doc_print(lc_json_value(&w, "tool"), tool);
    lc_json_break(&w, 0);
    if (options->category.len)
        add_category(&w, options->category);
    lc_json_c(&w, "columnKind", "unicodeCodePoints");
    lc_json_break(&w, 0);
    add_source_root(&w);
    lc_json_break(&w, 0);
    lc_json_array(&w, "results");
}

static void end(lc_report *report, const lc_summary *summary, lc_buf *out)
{
    const lc_policy *policy = &report->options->policy;
    lc_doc *properties = lc_doc_object();
    lc_json w = {.out = out, .depth = 4, .more = true}; /* after the results */
    lc_doc_add_c(properties, "lifecheck/as", lc_profile_name(policy->as));
    lc_doc_add_bool(properties, "lifecheck/strict", policy->strict);
    lc_doc_add_uint(properties, "lifecheck/cases", summary->cases);
    if (policy->narrowed.len)
        lc_doc_add_str(properties, "lifecheck/narrowed", policy->narrowed);
    lc_json_end_array(&w);
    lc_json_break(&w, 0);
    lc_json_array(&w, "invocations");
    lc_json_object(&w, NULL);
    lc_json_bool(&w, "executionSuccessful", summary->errors == 0);
    lc_json_array(&w, "toolExecutionNotifications");
    lc_buf_add_str(out, lc_buf_str(&report->errors));
    lc_json_end_array(&w);
    lc_json_end_object(&w);
    lc_json_end_array(&w);
    lc_json_break(&w, 0);
    lc_doc_print(lc_json_value(&w, "properties"), properties);
    lc_json_end_object(&w);
    lc_json_end_array(&w);
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
}

const lc_writer lc_writer_sarif = {
    .begin = begin,
    .add_case = add_case,
    .add_diag = add_diag,
    .take = lc_take_list,
    .end = end,
};
