/* The members of blocks: nested blocks, and arguments as templates, bare references or literals. */
#include "configuration/reader.h"
#include "lifecheck/core_message.h"

lc_source_pos lc_config_place(const lc_config_reader *r, const lc_node *node)
{
    return lc_source_pos_of(r->source, node);
}

lc_source_pos lc_config_key_place(const lc_config_reader *r, const lc_member *member)
{
    return (lc_source_pos){r->source, member->where, 0};
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

lc_config_problem *lc_config_report(lc_config_reader *r, lc_source_pos place, const char *summary,
                                    const char *detail)
{
    lc_config_problem *p = lc_config_problem_add(r->config, place, summary);
    p->detail = lc_str_from_c(detail);
    return p;
}

void lc_config_check_name(lc_config_reader *r, lc_str name, lc_source_pos place,
                          const char *summary)
{
    if (!lc_is_identifier(name))
        lc_config_report(r, place, summary,
                         "a name begins with a letter or _ and has letters, digits, _ and -");
}

/* ---- Blocks. */

/* Calls `one` for an object or for every object of an array. Null is no block at all. */
static void each_object(lc_config_reader *r, const lc_node *node, lc_source_pos place,
                        void (*one)(lc_config_reader *r, const lc_node *node, void *context),
                        void *context)
{
    if (node->kind == LC_NODE_MAPPING) {
        one(r, node, context);
        return;
    }
    if (node->kind == LC_NODE_NULL)
        return;
    if (node->kind != LC_NODE_SEQUENCE) {
        lc_config_report(r, place, LC_SUMMARY_INCORRECT_JSON_TYPE,
                         "a block is an object or an array of objects");
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_node *item = &node->as.items[i];
        if (item->kind == LC_NODE_MAPPING)
            one(r, item, context);
        else if (item->kind != LC_NODE_NULL)
            lc_config_report(r, lc_config_place(r, item), LC_SUMMARY_INCORRECT_JSON_TYPE,
                             "a block is an object");
    }
}

/* The state while the labels of a block are collected. */
typedef struct labelled {
    lc_config_block block;
    unsigned labels, depth;
    config_take take;
} labelled;

/* One level of the nesting: a label, or the body after the last label. */
static void take_level(lc_config_reader *r, const lc_node *node, void *context)
{
    labelled *w = context;
    if (w->depth == w->labels) {
        w->block.body = node;
        if (w->labels == 0)
            w->block.place = lc_config_place(r, node);
        w->take(r, &w->block);
        return;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        if (lc_config_is_comment(m))
            continue;
        w->block.labels[w->depth++] = m->key;
        w->block.place = lc_config_key_place(r, m);
        each_object(r, &m->value, w->block.place, take_level, w);
        w->depth--;
    }
}

void lc_config_each_block(lc_config_reader *r, const lc_member *member, unsigned labels,
                          config_take take)
{
    labelled w = {.labels = labels, .take = take};
    w.block.place = lc_config_key_place(r, member);
    each_object(r, &member->value, w.block.place, take_level, &w);
}

void lc_config_each_body(lc_config_reader *r, const lc_node *node, lc_source_pos place,
                         config_take take)
{
    labelled w = {.take = take};
    each_object(r, node, place, take_level, &w);
}

bool lc_config_named(lc_str name, const char *const *names)
{
    for (; *names; names++)
        if (lc_str_is(name, *names))
            return true;
    return false;
}

void lc_config_only(lc_config_reader *r, const lc_node *body, const char *const *names)
{
    for (uint32_t i = 0; i < body->count; i++) {
        const lc_member *m = &body->as.members[i];
        if (!lc_config_is_comment(m) && !lc_config_named(m->key, names))
            lc_config_report(r, lc_config_key_place(r, m), LC_SUMMARY_EXTRANEOUS_PROPERTY,
                             "no argument or block of this name is expected here");
    }
}

/* The replacement of a template that could not be parsed. The problem is recorded; an empty
 * summary means that the core would accept the template, so there is no problem, only an
 * undecided value. */
static const lc_expr *undecided_template(lc_config_reader *r, const lc_eval_error *trouble)
{
    if (trouble->summary.len > 0) {
        lc_config_problem *p = lc_config_problem_add(r->config, trouble->place, "");
        p->summary = trouble->summary;
        p->detail = trouble->detail;
    }
    return lc_expr_undecided(r->arena, trouble->detail, trouble->place);
}

/* An argument or a block of a body: which of the two is decided by the schema, not here. */
static const lc_expr *body_value(lc_config_reader *r, const lc_member *m)
{
    const lc_expr *e;
    lc_eval_error trouble;
    return lc_expr_from_member(&e, r->arena, r->source, m, &trouble)
               ? e
               : undecided_template(r, &trouble);
}

const lc_expr *lc_config_rest(lc_config_reader *r, const lc_node *body, const char *const *names,
                              bool blocks, size_t *count)
{
    lc_expr_member *members = LC_NEW_ARRAY(r->arena, lc_expr_member, body->count);
    *count = 0;
    for (uint32_t i = 0; i < body->count; i++) {
        const lc_member *m = &body->as.members[i];
        if (lc_config_is_comment(m) || lc_config_named(m->key, names))
            continue;
        members[(*count)++] =
            (lc_expr_member){m->key, blocks ? body_value(r, m) : lc_config_template(r, &m->value)};
    }
    return lc_expr_object(r->arena, members, *count, lc_config_place(r, body));
}

/* ---- Values. */

const lc_expr *lc_config_template(lc_config_reader *r, const lc_node *node)
{
    const lc_expr *e;
    lc_eval_error trouble;
    if (lc_expr_from_node(&e, r->arena, r->source, node, &trouble))
        return e;
    return undecided_template(r, &trouble);
}

static lc_config_ref reference_of(lc_config_reader *r, lc_str text, lc_source_pos place)
{
    lc_config_ref ref = {.text = text, .place = place, .is_text = true};
    if (lc_traversal_parse(&ref.expr, r->arena, text, place, &ref.trouble))
        ref.reference = lc_expr_reference(ref.expr);
    return ref;
}

lc_config_ref lc_config_reference(lc_config_reader *r, const lc_node *node)
{
    lc_source_pos place = lc_config_place(r, node);
    if (node->kind == LC_NODE_STRING)
        return reference_of(r, node->as.text, place);
    lc_eval_error trouble = {LC_STR(LC_SUMMARY_EXPECTED_STRING),
                             LC_STR("a reference is written as a text"), place, NULL};
    return (lc_config_ref){.place = place, .trouble = trouble};
}

/* OpenTofu parses the text of a quoted provider reference once more. */
static lc_config_ref reparse_quoted(lc_config_reader *r, lc_config_ref ref)
{
    const lc_value *text = ref.expr && !ref.reference ? lc_expr_constant(ref.expr) : NULL;
    if (r->config->profile != LC_PROFILE_OPENTOFU || !text || !lc_is_known(text) ||
        text->type->kind != LC_TYPE_STRING)
        return ref;
    lc_config_ref inner = reference_of(r, text->as.string, ref.place);
    inner.quoted = true;
    return inner.reference ? inner : ref;
}

lc_config_ref lc_config_provider_reference(lc_config_reader *r, const lc_node *node)
{
    return reparse_quoted(r, lc_config_reference(r, node));
}

lc_config_ref lc_config_provider_reference_of(lc_config_reader *r, lc_str text, lc_source_pos place)
{
    return reparse_quoted(r, reference_of(r, text, place));
}

void lc_config_references(lc_config_reader *r, lc_config_refs *out, const lc_node *node)
{
    if (node->kind != LC_NODE_SEQUENCE) {
        lc_config_report(r, lc_config_place(r, node), LC_SUMMARY_INVALID_EXPRESSION,
                         "an array of references is required");
        return;
    }
    for (uint32_t i = 0; i < node->count; i++)
        *LC_PUSH(r->arena, &out->list, lc_config_ref) = lc_config_reference(r, &node->as.items[i]);
}

/* A flag whose template is a literal that converts to bool, as the core converts it. */
lc_config_flag lc_config_read_flag(lc_config_reader *r, const lc_member *member)
{
    lc_config_flag flag = {.given = member->value.kind != LC_NODE_NULL,
                           .place = lc_config_key_place(r, member)};
    if (!flag.given)
        return flag;
    const lc_value *is;
    lc_str why;
    flag.expr = lc_config_template(r, &member->value);
    const lc_value *v = lc_expr_constant(flag.expr);
    flag.literal = v && lc_value_convert(&is, r->arena, v, &lc_type_bool, &why) && lc_is_known(is);
    flag.value = flag.literal && is->as.boolean;
    return flag;
}

/* In JSON syntax the cores decode such arguments without template evaluation, so the string "true"
 * is the text `true`. */
lc_config_flag lc_config_static_flag(lc_config_reader *r, const lc_member *member)
{
    lc_config_flag flag = lc_config_read_flag(r, member);
    const lc_node *node = &member->value;
    lc_value text;
    const lc_value *is;
    lc_str why;
    if (node->kind == LC_NODE_STRING) {
        lc_value_set_string(&text, r->arena, node->as.text);
        flag.literal = lc_value_convert(&is, r->arena, &text, &lc_type_bool, &why);
        flag.value = flag.literal && is->as.boolean;
    }
    if (!flag.literal)
        lc_config_report(r, flag.place, LC_SUMMARY_UNSUITABLE_TYPE, "true or false is required");
    return flag;
}

lc_str lc_config_text(lc_config_reader *r, const lc_node *node)
{
    if (node->kind == LC_NODE_STRING)
        return node->as.text;
    if (node->kind != LC_NODE_NULL)
        lc_config_report(r, lc_config_place(r, node), LC_SUMMARY_UNSUITABLE_TYPE,
                         "a text is required here");
    return LC_STR_EMPTY;
}
