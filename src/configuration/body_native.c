/* Bodies in native syntax, where arguments and blocks are written differently. Nested blocks that
 * are not the client's own are lowered to expressions, see lc_expr_block. */
#include "configuration/body.h"

#include "configuration/expression/tree.h"
#include "lifecheck/catalog/core_message.h"

#include <string.h>

static lc_source_pos place_at(const lc_config_body *body, lc_native_range range)
{
    return (lc_source_pos){body->source, 0, range.from};
}

static lc_config_argument argument_of(const lc_config_body *body, const lc_native_argument *a)
{
    return (lc_config_argument){place_at(body, a->at), {body->source, NULL, a->expr}};
}

/* ---- What a schema has. */

/* What a label of a block type is called in messages. */
static const char *label_name(const lc_body_name *row, size_t i)
{
    static const char *const of_types[] = {"backend", "provisioner", NULL};
    if (row->kind == LC_NAME_TYPED)
        return i == 0 ? "type" : "name";
    if (strcmp(row->name, "provider_meta") == 0)
        return "provider";
    return lc_str_is_one_of(lc_str_from_c(row->name), of_types, NULL) ? "type" : "name";
}

/* False: the block has another number of labels, which is reported. */
static bool check_labels(lc_config_reader *r, const lc_config_body *body,
                         const lc_native_block *block, const lc_body_name *row)
{
    size_t want = row->kind - LC_NAME_BLOCK, has = block->label_count;
    if (has == want)
        return true;
    lc_source_pos place =
        has > want ? place_at(body, block->labels[want].at) : place_at(body, block->open);
    lc_config_problem *p = lc_config_report(r, place, "", "");
    p->summary =
        has > want ? lc_str_printf(r->arena, "Extraneous label for %s", row->name)
                   : lc_str_printf(r->arena, "Missing %s for %s", label_name(row, has), row->name);
    p->detail = lc_str_printf(r->arena, "this block has %zu label%s, and a %s block has %zu", has,
                              has == 1 ? "" : "s", row->name, want);
    return false;
}

static void take_block(lc_config_reader *r, const lc_config_body *body, lc_body_content *out,
                       const lc_native_block *block, const lc_body_name *row)
{
    if (!check_labels(r, body, block, row))
        return;
    lc_config_block *b = LC_PUSH(r->scratch, &out->blocks, lc_config_block);
    *b = (lc_config_block){.type = row->name};
    b->type_place = b->declared = b->place = place_at(body, block->at);
    b->body = (lc_config_body){.source = body->source, .native = block->body};
    for (size_t i = 0; i < block->label_count; i++) {
        b->labels[i] = block->labels[i].text;
        b->label_places[i] = place_at(body, block->labels[i].at);
    }
}

/* A name that is not allowed here, and one that is meant. */
static void report_strange(lc_config_reader *r, lc_source_pos place, const lc_body_content *out,
                           lc_str name, bool block)
{
    lc_str names[64];
    size_t count = 0;
    for (const lc_body_name *row = out->names; row->name && count < 64; row++)
        if (lc_body_row(r, row, lc_str_from_c(row->name), block) == row)
            names[count++] = lc_str_from_c(row->name);
    lc_str near = lc_str_nearest(name, names, count);
    const char *summary = block ? LC_SUMMARY_UNSUPPORTED_BLOCK : LC_SUMMARY_UNSUPPORTED_ARGUMENT;
    lc_config_report(r, place, summary, "")->detail =
        lc_str_printf(r->arena, "no %s named %.*s is expected here%s%.*s%s",
                      block ? "block" : "argument", LC_FMT(name), LC_FMT_NEAR(near));
}

void lc_body_native_read(lc_config_reader *r, const lc_config_body *body, lc_body_content *out,
                         bool all)
{
    const lc_native_body *native = body->native;
    for (size_t i = 0; i < native->argument_count; i++) {
        const lc_native_argument *a = &native->arguments[i];
        const lc_body_name *row = lc_body_row(r, out->names, a->name, false);
        if (row)
            out->arguments[row - out->names] = argument_of(body, a);
        else if (all)
            report_strange(r, place_at(body, a->at), out, a->name, false);
    }
    for (size_t i = 0; i < native->block_count; i++) {
        const lc_native_block *block = &native->blocks[i];
        const lc_body_name *row = lc_body_row(r, out->names, block->type, true);
        if (row)
            take_block(r, body, out, block, row);
        else if (all)
            report_strange(r, place_at(body, block->at), out, block->type, true);
    }
}

void lc_body_native_each(lc_config_reader *r, const lc_config_body *body,
                         void (*take)(void *context, lc_str name,
                                      const lc_config_argument *argument),
                         void *context)
{
    const lc_native_body *native = body->native;
    if (native->block_count)
        lc_config_report(r, place_at(body, native->blocks[0].at), "", "only arguments may be here")
            ->summary =
            lc_str_printf(r->arena, "Unexpected \"%.*s\" block", LC_FMT(native->blocks[0].type));
    for (size_t i = 0; i < native->argument_count; i++) {
        lc_config_argument argument = argument_of(body, &native->arguments[i]);
        take(context, native->arguments[i].name, &argument);
    }
}

/* ---- Lowering. */

static const lc_expr *lower_body(lc_config_reader *r, const lc_config_body *body);

static const lc_expr *too_deep(lc_config_reader *r, lc_source_pos place)
{
    return lc_expr_undecided(r->arena, LC_STR("the block is nested too deeply"), place);
}

/* A label as a literal. */
static const lc_expr *lower_label(lc_config_reader *r, const lc_config_body *body,
                                  const lc_native_label *label)
{
    lc_value text;
    lc_value_set_string(&text, r->arena, label->text);
    return lc_expr_value(r->arena, place_at(body, label->at), &text);
}

/* The name that is the value of the argument `iterator`; empty: it is not a name. */
static lc_str iterator_name(const lc_expr *expr)
{
    const lc_reference *ref = lc_expr_reference(expr);
    return ref && !ref->path_count ? ref->head : LC_STR_EMPTY;
}

static void lower_argument(const lc_config_body *body, lc_expr_block *out,
                           const lc_native_argument *a)
{
    if (lc_str_is(a->name, "for_each")) {
        out->for_each = a->expr;
    } else if (lc_str_is(a->name, "iterator")) {
        out->iterator = iterator_name(a->expr);
        out->iterator_place = lc_expr_pos(a->expr);
    } else if (lc_str_is(a->name, "labels")) {
        out->labels = a->expr->items;
        out->label_count = a->expr->kind == LC_EXPR_TUPLE ? a->expr->count : 0;
        out->labels_place = lc_expr_pos(a->expr);
    } else {
        out->strange = a->name;
        out->strange_place = place_at(body, a->at);
    }
}

/* A block `dynamic`, which has the type of its blocks as its only label. */
static lc_expr_block lower_dynamic(lc_config_reader *r, const lc_config_body *body,
                                   const lc_native_block *block)
{
    const lc_native_body *in = block->body;
    lc_config_body inner = {.source = body->source, .native = in};
    lc_expr_block out = {.type = block->labels[0].text,
                         .place = place_at(body, block->labels[0].at),
                         .inside = lc_body_missing_place(&inner),
                         .dynamic = true,
                         .iterator = block->labels[0].text};
    for (size_t i = 0; i < in->argument_count; i++)
        lower_argument(&inner, &out, &in->arguments[i]);
    for (size_t i = 0; i < in->block_count; i++) {
        const lc_native_block *content = &in->blocks[i];
        lc_config_body its = {.source = body->source, .native = content->body};
        bool known = lc_str_is(content->type, "content") && content->label_count == 0;
        if (!known) {
            out.strange = content->type;
            out.strange_is_block = true;
            out.strange_place = place_at(body, content->at);
        } else if (out.body) {
            out.second = place_at(body, content->at);
        } else {
            out.body = lower_body(r, &its);
        }
    }
    return out;
}

static const lc_expr *lower_block(lc_config_reader *r, const lc_config_body *body,
                                  const lc_native_block *block)
{
    lc_config_body inner = {.source = body->source, .native = block->body};
    lc_expr_block out = {.type = block->type, .place = place_at(body, block->at)};
    if (lc_str_is(block->type, "dynamic") && block->label_count == 1) {
        out = lower_dynamic(r, body, block);
    } else {
        const lc_expr **labels = LC_NEW_ARRAY(r->arena, const lc_expr *, block->label_count);
        for (size_t i = 0; i < block->label_count; i++)
            labels[i] = lower_label(r, body, &block->labels[i]);
        out.labels = labels;
        out.label_count = block->label_count;
        out.inside = place_at(body, block->open);
        out.body = lower_body(r, &inner);
    }
    const lc_expr *e = lc_expr_block_new(r->arena, &out);
    return e ? e : too_deep(r, out.place);
}

static void add_member(lc_config_reader *r, lc_body_members *out, lc_str name, lc_source_pos place,
                       const lc_expr *value)
{
    *LC_PUSH(r->arena, &out->list, lc_expr_member) = (lc_expr_member){name, value, place};
}

/* Arguments and blocks, merged by their number. A dynamic block has the name of its blocks. */
void lc_body_native_rest(lc_config_reader *r, lc_body_members *out, const lc_config_body *body,
                         const lc_body_name *names)
{
    const lc_native_body *native = body->native;
    size_t a = 0, b = 0;
    while (a < native->argument_count || b < native->block_count) {
        if (b == native->block_count || (a < native->argument_count &&
                                         native->arguments[a].number < native->blocks[b].number)) {
            const lc_native_argument *argument = &native->arguments[a++];
            if (!names || !lc_body_row(r, names, argument->name, false))
                add_member(r, out, argument->name, place_at(body, argument->at), argument->expr);
            continue;
        }
        const lc_native_block *block = &native->blocks[b++];
        if (names && lc_body_row(r, names, block->type, true))
            continue;
        const lc_expr *lowered = lower_block(r, body, block);
        const lc_expr_block *is = lc_expr_block_of(lowered);
        add_member(r, out, is ? is->type : block->type, is ? is->place : place_at(body, block->at),
                   lowered);
    }
}

static const lc_expr *lower_body(lc_config_reader *r, const lc_config_body *body)
{
    lc_body_members members = {0};
    lc_source_pos place = lc_body_missing_place(body);
    lc_body_native_rest(r, &members, body, NULL);
    const lc_expr *e = lc_expr_native_body(r->arena, members.list.items, members.list.count, place);
    return e ? e : too_deep(r, place);
}
