/* Files in native syntax: any text gives a body, with or without errors. Laws: errors say why, at
 * places inside the text, which are the same by the index of lines; parsing twice gives the same;
 * arguments and blocks lie inside their bodies, in the order of the text, and their names are what
 * is written there; the text of an argument's value without errors, parsed alone, gives the same
 * tree. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/configuration/native.h"
#include "lifecheck/yaml_json/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_errors(lc_arena *arena, const lc_native *native)
{
    const lc_lines *lines = lc_lines_new(arena, native->source);
    for (const lc_eval_error *e = native->errors; e; e = e->next) {
        lc_loc loc = lc_source_pos_loc(e->place), other = lc_source_pos_loc_in(lines, e->place);
        LC_ASSERT(e->detail.len > 0 && e->place.source == native->source);
        LC_ASSERT(e->place.offset <= native->source->text.len);
        LC_ASSERT(loc.line > 0 && loc.column > 0);
        LC_ASSERT(loc.line == other.line && loc.column == other.column);
    }
}

static void check_range(const lc_native *native, lc_native_range range, uint32_t from, uint32_t to)
{
    LC_ASSERT(from <= range.from && range.from <= range.to && range.to <= to);
    LC_ASSERT(range.to <= native->source->text.len);
}

static lc_str written(const lc_native *native, lc_native_range range)
{
    return lc_str_sub(native->source->text, range.from, range.to);
}

/* A heredoc ends with a line break, which does not belong to the value; and what lifecheck cannot
 * read, such as a very long number, is not the same as anything. */
static void check_value(lc_arena *arena, const lc_native_argument *a)
{
    const lc_expr *alone;
    lc_eval_error trouble;
    if (lc_str_contains(a->text, LC_STR("<<")) || !lc_expr_same(a->expr, a->expr))
        return;
    LC_ASSERT(lc_expr_parse(&alone, arena, a->text, (lc_source_pos){0}, &trouble));
    LC_ASSERT(lc_expr_same(a->expr, alone));
}

static void check_argument(lc_arena *arena, const lc_native *native, const lc_native_argument *a,
                           lc_native_range body)
{
    lc_native_range value = {lc_expr_pos(a->expr).offset, lc_expr_end(a->expr).offset};
    check_range(native, a->at, body.from, body.to);
    check_range(native, value, a->at.to, (uint32_t)native->source->text.len);
    LC_ASSERT(lc_str_eq(a->name, written(native, a->at)));
    LC_ASSERT(lc_str_eq(a->text, written(native, value)));
    if (!native->errors)
        check_value(arena, a);
}

static void check_body(lc_arena *arena, const lc_native *native, const lc_native_body *body,
                       unsigned depth);

static void check_block(lc_arena *arena, const lc_native *native, const lc_native_block *b,
                        unsigned depth)
{
    uint32_t len = (uint32_t)native->source->text.len;
    LC_ASSERT(b->body && lc_str_eq(b->type, written(native, b->at)));
    for (size_t i = 0; i < b->label_count; i++)
        check_range(native, b->labels[i].at, b->at.to, len);
    if (!native->errors)
        check_range(native, b->close, b->open.to, len);
    check_body(arena, native, b->body, depth + 1);
}

static void check_body(lc_arena *arena, const lc_native *native, const lc_native_body *body,
                       unsigned depth)
{
    lc_native_range within = {0, (uint32_t)native->source->text.len};
    size_t a = 0, b = 0;
    uint32_t last = 0;
    LC_ASSERT(depth < 2000);
    while (a < body->argument_count || b < body->block_count) {
        bool argument = a < body->argument_count && body->arguments[a].number == a + b;
        LC_ASSERT(argument || (b < body->block_count && body->blocks[b].number == a + b));
        uint32_t from = argument ? body->arguments[a].at.from : body->blocks[b].at.from;
        LC_ASSERT(from >= last);
        last = from;
        if (argument)
            check_argument(arena, native, &body->arguments[a++], within);
        else
            check_block(arena, native, &body->blocks[b++], depth);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_arena *arena = lc_arena_new();
    lc_source source = {.file = LC_STR("fuzz.tf"), .text = {(const char *)data, size}};
    lc_source again = source;
    lc_native one, two;
    lc_native_parse(&one, arena, &source);
    lc_native_parse(&two, arena, &again);
    check_errors(arena, &one);
    check_body(arena, &one, one.body, 0);
    const lc_eval_error *e = one.errors, *f = two.errors;
    for (; e && f; e = e->next, f = f->next)
        LC_ASSERT(lc_str_eq(e->summary, f->summary) && e->place.offset == f->place.offset);
    LC_ASSERT(!e && !f && one.body->block_count == two.body->block_count);
    lc_arena_free(arena);
    return 0;
}
