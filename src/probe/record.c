/* The result of probing as the member "probe" of a JSON report, and back. */
#include "lifecheck/base/arena.h"
#include "lifecheck/probe/probe.h"
#include "lifecheck/yaml_json/document.h"

#include <string.h>

/* ---- Writing. */

/* Zeros and empty strings are left out, and are what reading takes a missing member for. */
static void add_number(lc_doc *doc, const char *key, uint64_t n)
{
    if (n)
        lc_doc_add_uint(doc, key, n);
}

static void add_text(lc_doc *doc, const char *key, lc_str text)
{
    if (text.len)
        lc_doc_add_str(doc, key, text);
}

static void add_laws(lc_doc *doc, const lc_probe_type *type)
{
    lc_doc *tried = lc_doc_add_object(doc, "tried");
    for (lc_law law = 0; law < LC_LAW_COUNT; law++)
        add_number(tried, lc_law_get(law)->id.ptr, type->laws[law].trials);
    lc_doc *skipped = lc_doc_add_object(doc, "skipped");
    for (lc_law law = 0; law < LC_LAW_COUNT; law++)
        add_number(skipped, lc_law_get(law)->id.ptr, type->laws[law].skipped);
    lc_doc *why = lc_doc_add_object(doc, "why");
    for (lc_law law = 0; law < LC_LAW_COUNT; law++)
        add_text(why, lc_law_get(law)->id.ptr, type->laws[law].why);
}

static void add_finding(lc_doc *list, const lc_probe_finding *f)
{
    lc_doc *doc = lc_doc_add_object(list, NULL);
    lc_doc_add_str(doc, "law", lc_law_get(f->law)->id);
    lc_doc_add_str(doc, "rule", lc_rule_get(f->rule)->slug);
    lc_doc_add_c(doc, "severity", lc_severity_name(f->severity));
    lc_doc_add_c(doc, "call", lc_call_kind_name(f->call));
    lc_doc_add_str(doc, "place", f->place);
    lc_doc_add_str(doc, "path", f->path);
    lc_doc_add_str(doc, "message", f->message);
    add_text(doc, "stack", f->stack);
    lc_doc_add_bool(doc, "tolerated", f->tolerated);
    lc_doc_add_bool(doc, "fails", f->fails);
    lc_doc_add_uint(doc, "leaves", f->leaves);
    add_text(doc, "file", f->file);
    add_text(doc, "unwritten", f->unwritten);
    add_text(doc, "terraform", f->terraform);
    add_text(doc, "confirmed", f->confirmed);
    add_text(doc, "unconfirmed", f->unconfirmed);
}

void lc_probe_add_gaps(lc_doc *list, const lc_probe_type *type)
{
    for (size_t i = 0; i < type->gaps.count; i++) {
        lc_doc *gap = lc_doc_add_object(list, NULL);
        lc_doc_add_str(gap, "why", type->gaps.items[i].why);
        lc_doc_add_uint(gap, "count", type->gaps.items[i].count);
    }
}

static void fill_type(lc_doc *doc, const lc_probe_type *type)
{
    lc_doc_add_str(doc, "type", type->name);
    lc_doc_add_c(doc, "kind", lc_schema_kind_name(type->kind));
    lc_doc_add_bool(doc, "configured", type->configured);
    add_text(doc, "why_not", type->why_not);
    add_number(doc, "configurations", type->configurations);
    add_text(doc, "from", type->from);
    add_number(doc, "stored", type->stored);
    lc_doc_add_bool(doc, "asked_all", type->asked_all);
    add_text(doc, "shape", type->shape);
    add_text(doc, "same_as", type->same_as);
    add_laws(lc_doc_add_object(doc, "laws"), type);
    lc_doc *findings = lc_doc_add_array(doc, "findings");
    for (size_t i = 0; i < type->findings.count; i++)
        add_finding(findings, &type->findings.items[i]);
    if (type->gaps.count)
        lc_probe_add_gaps(lc_doc_add_array(doc, "not_asked"), type);
    add_number(doc, "calls", type->calls);
    add_number(doc, "repeated", type->repeated);
    add_number(doc, "died", type->died);
    add_number(doc, "hung", type->hung);
    add_number(doc, "undestroyed", type->undestroyed);
}

static void add_totals(lc_doc *doc, const lc_probe_result *r)
{
    lc_doc_add_uint(doc, "types", r->types.count);
    lc_doc_add_uint(doc, "configured", r->configured);
    lc_doc_add_uint(doc, "left_out", r->left_out);
    lc_doc_add_uint(doc, "failing", r->failing);
    lc_doc_add_uint(doc, "warnings", r->warnings);
    lc_doc_add_uint(doc, "tolerated", r->tolerated);
    lc_doc_add_uint(doc, "calls", r->calls);
    lc_doc_add_uint(doc, "died", r->died);
    lc_doc_add_uint(doc, "hung", r->hung);
}

void lc_probe_add_json(lc_buf *out, const lc_probe_result *r)
{
    lc_doc *doc = lc_doc_object();
    lc_doc_add_str(doc, "provider", r->provider);
    add_text(doc, "version", r->version);
    lc_doc_add_uint(doc, "protocol", (uint64_t)r->protocol);
    lc_doc_add_uint(doc, "seed", r->seed);
    add_text(doc, "not_configured", r->not_configured);
    add_text(doc, "stopped", r->stopped);
    lc_doc *laws = lc_doc_add_array(doc, "laws");
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        if (r->laws[law])
            lc_doc_add_str(laws, NULL, lc_law_get(law)->id);
    }
    add_totals(lc_doc_add_object(doc, "totals"), r);
    lc_doc *types = lc_doc_add_array(doc, "types");
    for (size_t i = 0; i < r->types.count; i++)
        fill_type(lc_doc_add_object(types, NULL), &r->types.items[i]);
    lc_doc_print(out, doc);
}

void lc_probe_add_type_json(lc_buf *out, const lc_probe_type *type)
{
    lc_doc *doc = lc_doc_object();
    fill_type(doc, type);
    lc_doc_print(out, doc);
}

/* ---- Reading. What is missing is empty; what is not known is left out. */

static lc_str text_at(lc_arena *arena, const lc_node *node, const char *key)
{
    const lc_node *at = lc_node_get(node, key);
    return at && at->kind == LC_NODE_STRING ? lc_str_copy(arena, at->as.text) : LC_STR_EMPTY;
}

/* 0 for what is not a number of this size: the file may have been edited. */
static uint64_t number_at(const lc_node *node, const char *key)
{
    const lc_node *at = lc_node_get(node, key);
    uint64_t n = 0;
    for (size_t i = 0; at && at->kind == LC_NODE_NUMBER && i < at->as.text.len; i++) {
        char c = at->as.text.ptr[i];
        if (c < '0' || c > '9' || n > UINT64_MAX / 10 - 1)
            return 0;
        n = n * 10 + (uint64_t)(c - '0');
    }
    return n;
}

static bool flag_at(const lc_node *node, const char *key)
{
    const lc_node *at = lc_node_get(node, key);
    return at && at->kind == LC_NODE_BOOL && at->boolean;
}

static bool law_named(lc_law *out, lc_str id)
{
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        if (lc_str_eq(lc_law_get(law)->id, id)) {
            *out = law;
            return true;
        }
    }
    return false;
}

static bool rule_named(lc_rule *out, lc_str slug)
{
    for (unsigned rule = 0; rule < LC_RULE_COUNT; rule++) {
        if (lc_str_eq(lc_rule_get((lc_rule)rule)->slug, slug)) {
            *out = (lc_rule)rule;
            return true;
        }
    }
    return false;
}

static void read_laws(lc_probe_type *out, lc_arena *arena, const lc_node *laws)
{
    const lc_node *tried = lc_node_get(laws, "tried"), *skipped = lc_node_get(laws, "skipped");
    const lc_node *why = lc_node_get(laws, "why");
    for (lc_law law = 0; law < LC_LAW_COUNT; law++) {
        const char *id = lc_law_get(law)->id.ptr;
        out->laws[law].trials = tried ? (uint32_t)number_at(tried, id) : 0;
        out->laws[law].skipped = skipped ? (uint32_t)number_at(skipped, id) : 0;
        out->laws[law].why = why ? text_at(arena, why, id) : LC_STR_EMPTY;
    }
}

/* A law or rule of another version of lifecheck is left out. */
static void read_finding(lc_probe_type *out, lc_arena *arena, const lc_node *node)
{
    lc_probe_finding f = {.severity = LC_ERROR, .call = LC_CALL_PLAN};
    if (!law_named(&f.law, text_at(arena, node, "law")) ||
        !rule_named(&f.rule, text_at(arena, node, "rule")))
        return;
    lc_severity_from_name(&f.severity, text_at(arena, node, "severity"));
    lc_call_kind_from_name(&f.call, text_at(arena, node, "call"));
    f.place = text_at(arena, node, "place");
    f.path = text_at(arena, node, "path");
    f.message = text_at(arena, node, "message");
    f.stack = text_at(arena, node, "stack");
    f.tolerated = flag_at(node, "tolerated");
    f.fails = flag_at(node, "fails");
    f.leaves = (size_t)number_at(node, "leaves");
    f.file = text_at(arena, node, "file");
    f.unwritten = text_at(arena, node, "unwritten");
    f.terraform = text_at(arena, node, "terraform");
    f.confirmed = text_at(arena, node, "confirmed");
    f.unconfirmed = text_at(arena, node, "unconfirmed");
    *LC_PUSH(arena, &out->findings, lc_probe_finding) = f;
    out->failing += f.fails;
    out->tolerated += !f.fails && f.tolerated;
    out->warnings += !f.fails && !f.tolerated && f.severity >= LC_WARNING;
}

static void read_gap(lc_probe_type *out, lc_arena *arena, const lc_node *node)
{
    *LC_PUSH(arena, &out->gaps, lc_probe_gap) =
        (lc_probe_gap){text_at(arena, node, "why"), (uint32_t)number_at(node, "count")};
}

void lc_probe_type_from_node(lc_probe_type *out, lc_arena *arena, const lc_node *node)
{
    memset(out, 0, sizeof *out);
    const lc_node *findings = lc_node_get(node, "findings"), *laws = lc_node_get(node, "laws");
    lc_schema_kind_from_name(&out->kind, text_at(arena, node, "kind"));
    out->name = text_at(arena, node, "type");
    out->configured = flag_at(node, "configured");
    out->why_not = text_at(arena, node, "why_not");
    out->configurations = (uint32_t)number_at(node, "configurations");
    out->from = text_at(arena, node, "from");
    out->stored = (uint32_t)number_at(node, "stored");
    out->asked_all = flag_at(node, "asked_all");
    out->shape = text_at(arena, node, "shape");
    out->same_as = text_at(arena, node, "same_as");
    if (laws)
        read_laws(out, arena, laws);
    for (uint32_t i = 0; findings && findings->kind == LC_NODE_SEQUENCE && i < findings->count; i++)
        read_finding(out, arena, &findings->as.items[i]);
    const lc_node *gaps = lc_node_get_kind(node, "not_asked", LC_NODE_SEQUENCE);
    for (uint32_t i = 0; gaps && i < gaps->count; i++)
        read_gap(out, arena, &gaps->as.items[i]);
    out->calls = number_at(node, "calls");
    out->repeated = number_at(node, "repeated");
    out->died = (uint32_t)number_at(node, "died");
    out->hung = (uint32_t)number_at(node, "hung");
    out->undestroyed = (uint32_t)number_at(node, "undestroyed");
}

static void read_totals(lc_probe_result *r, const lc_node *totals)
{
    r->configured = (size_t)number_at(totals, "configured");
    r->left_out = (size_t)number_at(totals, "left_out");
    r->failing = (size_t)number_at(totals, "failing");
    r->warnings = (size_t)number_at(totals, "warnings");
    r->tolerated = (size_t)number_at(totals, "tolerated");
    r->calls = number_at(totals, "calls");
    r->died = (uint32_t)number_at(totals, "died");
    r->hung = (uint32_t)number_at(totals, "hung");
}

static void read_selected(lc_probe_result *r, const lc_node *laws)
{
    for (uint32_t i = 0; laws && laws->kind == LC_NODE_SEQUENCE && i < laws->count; i++) {
        lc_law law;
        if (laws->as.items[i].kind == LC_NODE_STRING && law_named(&law, laws->as.items[i].as.text))
            r->laws[law] = true;
    }
}

lc_probe_result *lc_probe_from_node(lc_arena *arena, const lc_node *node)
{
    const lc_node *types =
        node && node->kind == LC_NODE_MAPPING ? lc_node_get(node, "types") : NULL;
    if (!types || types->kind != LC_NODE_SEQUENCE)
        return NULL;
    lc_probe_result *r = LC_NEW(arena, lc_probe_result);
    const lc_node *totals = lc_node_get(node, "totals");
    r->provider = text_at(arena, node, "provider");
    r->version = text_at(arena, node, "version");
    r->protocol = (int)number_at(node, "protocol");
    r->seed = number_at(node, "seed");
    r->not_configured = text_at(arena, node, "not_configured");
    r->stopped = text_at(arena, node, "stopped");
    read_selected(r, lc_node_get(node, "laws"));
    if (totals)
        read_totals(r, totals);
    for (uint32_t i = 0; i < types->count; i++) {
        if (types->as.items[i].kind == LC_NODE_MAPPING)
            lc_probe_type_from_node(LC_PUSH(arena, &r->types, lc_probe_type), arena,
                                    &types->as.items[i]);
    }
    return r;
}

/* ---- Joining. */

/* `files` counts over all types, so that the limit is one for the run. */
static void limit_files(lc_probe_result *r, lc_probe_type *type)
{
    for (size_t i = 0; i < type->findings.count; i++) {
        lc_probe_finding *f = &type->findings.items[i];
        if (f->file.len == 0 || r->files++ < LC_PROBE_FILES)
            continue;
        f->file = f->terraform = LC_STR_EMPTY;
        f->unwritten = LC_STR("1000 scenarios are enough for one run");
    }
}

static bool is_alike(const lc_probe_finding *a, const lc_probe_finding *b)
{
    return a->law == b->law && a->rule == b->rule && a->severity == b->severity &&
           a->fails == b->fails && a->tolerated == b->tolerated && lc_str_eq(a->place, b->place);
}

/* The same findings of the same schema: the same code under two names, most often. */
static bool is_another_name(const lc_probe_type *of, const lc_probe_type *type)
{
    if (of->same_as.len || !of->shape.len || of->kind != type->kind ||
        !lc_str_eq(of->shape, type->shape) || of->findings.count != type->findings.count)
        return false;
    for (size_t i = 0; i < type->findings.count; i++) {
        if (!is_alike(&of->findings.items[i], &type->findings.items[i]))
            return false;
    }
    return true;
}

static void find_same(const lc_probe_result *r, lc_arena *arena, lc_probe_type *type)
{
    type->same_as = LC_STR_EMPTY;
    for (size_t i = 0; type->failing && !type->same_as.len && i + 1 < r->types.count; i++) {
        if (is_another_name(&r->types.items[i], type))
            type->same_as = r->types.items[i].name;
    }
    for (size_t i = 0; type->same_as.len && i < type->findings.count; i++) {
        lc_probe_finding *f = &type->findings.items[i];
        f->file = f->terraform = LC_STR_EMPTY;
        f->unwritten = lc_str_printf(arena, "it is that of %.*s", LC_FMT(type->same_as));
    }
}

const lc_probe_type *lc_probe_result_take(lc_probe_result *r, lc_arena *arena,
                                          const lc_probe_type *type)
{
    *LC_PUSH(arena, &r->types, lc_probe_type) = *type;
    lc_probe_type *taken = &r->types.items[r->types.count - 1];
    find_same(r, arena, taken);
    if (!taken->same_as.len) {
        limit_files(r, taken);
        r->failing += type->failing;
        r->warnings += type->warnings;
        r->tolerated += type->tolerated;
    }
    r->configured += type->configured;
    r->calls += type->calls;
    r->died += type->died;
    r->hung += type->hung;
    r->undestroyed += type->undestroyed;
    return taken;
}

/* Types by their kinds, then the provider itself, then functions. */
static int rank_of(const lc_probe_type *type)
{
    if (type->kind == LC_KIND_PROVIDER)
        return lc_str_starts_with(type->name, LC_STR("function.")) ? 101 : 100;
    return (int)type->kind;
}

int lc_probe_type_order(const lc_probe_type *a, const lc_probe_type *b)
{
    int x = rank_of(a), y = rank_of(b);
    return x != y ? x - y : lc_str_cmp(a->name, b->name);
}
