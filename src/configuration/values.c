/* The values of arguments as they are written: templates, references, flags and strings. What
 * cannot be read becomes a problem, and reading continues with something in its place. */
#include "configuration/body.h"
#include "configuration/expression/tree.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/codec/codec.h"

#include <string.h>

/* ---- Places and problems. */

lc_source_pos lc_config_value_place(lc_config_value value)
{
    return value.expr ? lc_expr_pos(value.expr) : lc_source_pos_of(value.source, value.node);
}

/* Where a client reports that a value is unsuitable. */
static lc_source_pos start_of(lc_config_value value)
{
    return value.expr ? lc_expr_start(value.expr) : lc_config_value_place(value);
}

bool lc_config_is_comment(const lc_member *member)
{
    return lc_str_is(member->key, "//");
}

lc_config_problem *lc_config_problem_add(lc_configuration *config, lc_source_pos place,
                                         const char *summary)
{
    lc_config_problem *p = LC_PUSH(config->arena, &config->problems, lc_config_problem);
    *p = (lc_config_problem){.summary = lc_str_from_c(summary),
                             .place = place,
                             .rule = LC_RULE_COUNT,
                             .module = config->at};
    return p;
}

void lc_config_diagnose(lc_diags *diags, lc_source_pos place, lc_str summary, lc_str detail)
{
    bool kept = lc_diags_has_room(diags);
    lc_diag_error(diags, lc_source_pos_loc(place), "%.*s%s%.*s", LC_FMT(summary),
                  summary.len && detail.len ? ": " : "", LC_FMT(detail));
    if (kept)
        lc_diag_quote(diags, lc_source_pos_quote(diags->arena, place));
}

lc_config_problem *lc_config_report(lc_config_reader *r, lc_source_pos place, const char *summary,
                                    const char *detail)
{
    lc_config_problem *p = lc_config_problem_add(r->config, place, summary);
    p->detail = lc_str_from_c(detail);
    p->address = r->about;
    return p;
}

lc_config_newer *lc_config_newer_add(lc_config_reader *r, unsigned terraform, unsigned opentofu)
{
    lc_config_newer *n = LC_PUSH(r->arena, &r->config->newer, lc_config_newer);
    *n = (lc_config_newer){.terraform = terraform, .opentofu = opentofu};
    n->problem.rule = LC_RULE_COUNT;
    n->problem.module = r->config->at;
    n->problem.address = r->about;
    return n;
}

lc_config_problem *lc_config_report_duplicate(lc_config_reader *r, lc_source_pos place,
                                              const char *summary, lc_source_pos first)
{
    lc_config_problem *p = lc_config_report(r, place, summary, "");
    lc_loc loc = lc_source_pos_loc(first);
    p->detail =
        lc_str_printf(r->arena, "first declared at %.*s:%u", LC_FMT(loc.file), (unsigned)loc.line);
    return p;
}

void lc_config_report_name(lc_config_reader *r, lc_source_pos place, const char *summary,
                           const char *format, lc_str name)
{
    const char *at = strstr(format, "%s");
    lc_buf text = {0};
    lc_buf_add_str(&text, (lc_str){format, (size_t)(at - format)});
    lc_buf_add_str(&text, name);
    lc_buf_add_c(&text, at + 2);
    lc_config_report(r, place, summary, "")->detail = lc_buf_take(r->arena, &text);
}

/* An empty summary means that the core would go on, so there is no problem. */
void lc_config_report_errors(lc_config_reader *r, const lc_eval_error *trouble)
{
    for (; trouble; trouble = trouble->next) {
        if (!trouble->summary.len)
            continue;
        lc_config_problem *p = lc_config_report(r, trouble->place, "", "");
        p->summary = trouble->summary;
        p->detail = trouble->detail;
    }
}

void lc_config_check_name(lc_config_reader *r, lc_str name, lc_source_pos place,
                          const char *summary)
{
    if (!lc_is_identifier(name))
        lc_config_report(r, place, summary,
                         "a name begins with a letter or _ and has letters, digits, _ and -");
}

/* ---- Expressions. */

const lc_expr *lc_config_template(lc_config_reader *r, lc_config_value value)
{
    const lc_expr *e;
    lc_eval_error trouble;
    if (value.expr)
        return value.expr;
    if (lc_expr_from_node(&e, r->arena, value.source, value.node, &trouble))
        return e;
    lc_config_report_errors(r, &trouble);
    return lc_expr_undecided(r->arena, trouble.detail, trouble.place);
}

const lc_value *lc_config_constant(lc_config_reader *r, lc_config_value value)
{
    lc_marked out;
    lc_eval_error trouble;
    const lc_expr *e =
        value.expr ? value.expr : lc_expr_literal(r->arena, value.source, value.node);
    if (lc_evaluate_constant(&out, r->arena, e, &trouble))
        return lc_is_known(out.value) || lc_is_null(out.value) ? out.value : NULL;
    lc_config_report_errors(r, &trouble);
    return NULL;
}

/* ---- References. */

/* A reference that begins with a keyword, such as the provider `null`: parsed with another name in
 * its place. NULL: it does not begin with one. */
static const lc_reference *keyword_reference(lc_config_reader *r, lc_str text, lc_source_pos place)
{
    static const char *const keywords[] = {"null", "true", "false"};
    const lc_expr *e;
    lc_eval_error ignored;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        lc_str word = lc_str_from_c(keywords[i]);
        if (!lc_str_starts_with(text, word) || text.len == word.len || text.ptr[word.len] != '.')
            continue;
        lc_str other = lc_str_printf(r->arena, "_%.*s", LC_FMT(lc_str_sub(text, 1, text.len)));
        if (!lc_expr_parse(&e, r->arena, other, place, &ignored) || !lc_expr_reference(e))
            return NULL;
        lc_reference *ref = LC_NEW(r->arena, lc_reference);
        *ref = *lc_expr_reference(e);
        ref->head = word;
        if (ref->root == LC_ROOT_RESOURCE)
            ref->type = word;
        ref->text = text;
        return ref;
    }
    return NULL;
}

/* A plain reference, or with `free` one whose indices may be computed; else any expression, which
 * is not a reference. */
static lc_config_ref parse_reference(lc_config_reader *r, lc_str text, lc_source_pos place,
                                     bool free)
{
    lc_config_ref ref = {.text = text, .place = place, .is_text = true};
    lc_eval_error ignored;
    if (lc_traversal_parse(&ref.expr, r->arena, text, place, &ref.trouble))
        ref.reference = lc_expr_reference(ref.expr);
    else if (lc_expr_parse(&ref.expr, r->arena, text, place, &ignored) && free)
        ref.reference = lc_expr_reference(ref.expr);
    if (!ref.reference && free)
        ref.reference = keyword_reference(r, text, place);
    return ref;
}

/* A quoted string of native syntax denotes the reference in it, as both clients still allow. */
static lc_config_ref native_reference(lc_config_reader *r, const lc_expr *expr, bool free)
{
    const lc_value *text = lc_expr_is_bare_key(expr) ? NULL : lc_expr_constant(expr);
    bool quoted = text && lc_is_known(text) && text->type->kind == LC_TYPE_STRING;
    lc_config_ref ref = {.place = lc_expr_pos(expr), .expr = expr, .is_text = true, .native = true};
    if (quoted) {
        ref = parse_reference(r, text->as.string, ref.place, free);
        ref.native = ref.native_string = true;
        return ref;
    }
    ref.reference = lc_expr_as_traversal(r->arena, expr);
    if (!ref.reference && free)
        ref.reference = lc_expr_reference(expr);
    if (ref.reference)
        ref.text = ref.reference->text;
    return ref;
}

static lc_config_ref reference_of(lc_config_reader *r, lc_config_value value, bool free)
{
    lc_source_pos place = lc_config_value_place(value);
    if (value.expr)
        return native_reference(r, value.expr, free);
    if (value.node->kind == LC_NODE_STRING)
        return parse_reference(r, value.node->as.text, place, free);
    lc_eval_error trouble = {LC_STR(LC_SUMMARY_EXPECTED_STRING),
                             LC_STR("a reference is written as a string"), place, NULL};
    return (lc_config_ref){.place = place, .trouble = trouble};
}

lc_config_ref lc_config_reference(lc_config_reader *r, lc_config_value value)
{
    return reference_of(r, value, false);
}

lc_config_ref lc_config_free_reference(lc_config_reader *r, lc_config_value value)
{
    return reference_of(r, value, true);
}

/* The source text of an expression in native syntax. */
static lc_str written(const lc_expr *expr)
{
    lc_source_pos from = lc_expr_pos(expr), to = lc_expr_end(expr);
    lc_str all = from.source ? from.source->text : LC_STR_EMPTY;
    bool fits = from.offset <= to.offset && to.offset <= all.len;
    return fits ? lc_str_sub(all, from.offset, to.offset) : LC_STR_EMPTY;
}

/* OpenTofu parses the text of a quoted provider reference once more. */
lc_config_ref lc_config_provider_reference(lc_config_reader *r, lc_config_value value)
{
    lc_config_ref ref = reference_of(r, value, true);
    if (value.expr && !ref.reference && !ref.text.len)
        ref.text = written(value.expr);
    const lc_value *text = ref.expr && !ref.reference ? lc_expr_constant(ref.expr) : NULL;
    if (r->config->profile != LC_PROFILE_OPENTOFU || !text || !lc_is_known(text) ||
        text->type->kind != LC_TYPE_STRING)
        return ref;
    lc_config_ref inner = parse_reference(r, text->as.string, ref.place, true);
    inner.quoted = true;
    return inner.reference ? inner : ref;
}

void lc_config_references(lc_config_reader *r, lc_config_refs *out, lc_config_value value,
                          bool strict)
{
    lc_config_values values = {0};
    lc_config_list(r, &values, value);
    for (size_t i = 0; i < values.list.count; i++) {
        lc_config_ref ref = reference_of(r, values.list.items[i], !strict);
        if (strict && !ref.reference)
            lc_config_report(r, ref.place, LC_SUMMARY_INVALID_EXPRESSION,
                             "a plain reference is required here");
        *LC_PUSH(r->arena, &out->list, lc_config_ref) = ref;
    }
}

lc_str lc_config_keyword(lc_config_reader *r, lc_config_value value)
{
    lc_config_ref ref = lc_config_reference(r, value);
    const lc_reference *word = ref.reference;
    return word && !word->path_count ? word->head : LC_STR_EMPTY;
}

/* ---- Lists and objects. */

bool lc_config_list(lc_config_reader *r, lc_config_values *out, lc_config_value value)
{
    bool native = value.expr != NULL;
    if (native ? value.expr->kind != LC_EXPR_TUPLE : value.node->kind != LC_NODE_SEQUENCE) {
        lc_config_report(r, lc_config_value_place(value), LC_SUMMARY_INVALID_EXPRESSION,
                         "a list is required here, written as such");
        return false;
    }
    size_t count = native ? value.expr->count : value.node->count;
    for (size_t i = 0; i < count; i++) {
        lc_config_value one = {value.source, NULL, NULL};
        if (native)
            one.expr = value.expr->items[i];
        else
            one.node = &value.node->as.items[i];
        *LC_PUSH(r->arena, &out->list, lc_config_value) = one;
    }
    return true;
}

/* A member's key as a value of its own. */
static lc_config_value key_of(lc_config_reader *r, const lc_source *source, const lc_member *m)
{
    lc_node *key = LC_NEW(r->arena, lc_node);
    *key = (lc_node){.kind = LC_NODE_STRING, .where = m->where, .as.text = m->key};
    return (lc_config_value){source, key, NULL};
}

bool lc_config_pairs(lc_config_reader *r, lc_config_values *out, lc_config_value value)
{
    if (value.expr) {
        for (size_t i = 0; value.expr->kind == LC_EXPR_OBJECT && i < value.expr->count; i++)
            *LC_PUSH(r->arena, &out->list, lc_config_value) =
                (lc_config_value){value.source, NULL, value.expr->items[i]};
        return value.expr->kind == LC_EXPR_OBJECT;
    }
    for (uint32_t i = 0; value.node->kind == LC_NODE_MAPPING && i < value.node->count; i++) {
        const lc_member *m = &value.node->as.members[i];
        *LC_PUSH(r->arena, &out->list, lc_config_value) = key_of(r, value.source, m);
        *LC_PUSH(r->arena, &out->list, lc_config_value) =
            (lc_config_value){value.source, &m->value, NULL};
    }
    return value.node->kind == LC_NODE_MAPPING;
}

/* ---- Flags and strings. */

static bool is_null(lc_config_value value)
{
    const lc_value *v = value.expr ? lc_expr_constant(value.expr) : NULL;
    return value.expr ? v && lc_is_null(v) : value.node->kind == LC_NODE_NULL;
}

/* A flag whose template is a literal that converts to bool, as the core converts it. */
lc_config_flag lc_config_read_flag(lc_config_reader *r, const lc_config_argument *argument)
{
    lc_config_flag flag = {.given = !is_null(argument->value), .place = argument->place};
    if (!flag.given)
        return flag;
    const lc_value *is;
    lc_str why;
    flag.expr = lc_config_template(r, argument->value);
    const lc_value *v = lc_expr_constant(flag.expr);
    flag.literal = v && lc_value_convert(&is, r->arena, v, &lc_type_bool, &why) && lc_is_known(is);
    flag.value = flag.literal && is->as.boolean;
    return flag;
}

/* Terraform also reports that a value is unsuitable if it could not evaluate it. */
static bool is_unsuitable_too(const lc_config_reader *r, lc_config_value value)
{
    return value.expr && r->config->profile == LC_PROFILE_TERRAFORM;
}

/* The cores decode such arguments without any names, in JSON syntax without templates, so that the
 * string "true" is the text `true`. */
lc_config_flag lc_config_static_flag(lc_config_reader *r, const lc_config_argument *argument)
{
    size_t known = r->config->problems.count;
    lc_config_flag flag = lc_config_read_flag(r, argument);
    if (flag.literal)
        return flag;
    r->config->problems.count = known;
    const lc_value *is, *v = lc_config_constant(r, argument->value);
    lc_str why;
    flag.literal = v && !lc_is_null(v) && lc_value_convert(&is, r->arena, v, &lc_type_bool, &why) &&
                   lc_is_known(is);
    flag.value = flag.literal && is->as.boolean;
    if ((v || is_unsuitable_too(r, argument->value)) && !flag.literal)
        lc_config_report(r, start_of(argument->value), LC_SUMMARY_UNSUITABLE_TYPE,
                         "true or false is required");
    return flag;
}

lc_str lc_config_text(lc_config_reader *r, lc_config_value value)
{
    const lc_value *text, *v = lc_config_constant(r, value);
    lc_str why;
    bool fits = v && !lc_is_null(v) &&
                lc_value_convert(&text, r->arena, v, &lc_type_string, &why) && lc_is_known(text);
    if ((v || is_unsuitable_too(r, value)) && !fits)
        lc_config_report(r, start_of(value), LC_SUMMARY_UNSUITABLE_TYPE,
                         "a string is required here");
    return fits ? text->as.string : LC_STR_EMPTY;
}
