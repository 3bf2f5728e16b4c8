/* Bodies: arguments and blocks. */
#include "configuration/syntax/parser.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/configuration/native.h"

/* A body that is being read. */
typedef struct gathering {
    lc_parser *p;
    LC_VEC(lc_native_argument) arguments;
    LC_VEC(lc_native_block) blocks;
    lc_table names; /* of the arguments, once there are some */
    uint32_t number;
} gathering;

/* From here on a table is faster. */
#define MANY_ARGUMENTS 16

static const lc_native_body *read_body(lc_parser *p, int end);

static lc_native_range range_of(lc_token t)
{
    return (lc_native_range){t.from, t.to};
}

static const char wants_equals[] = "an argument, NAME = VALUE, or a block, TYPE { }, belongs here";

/* ---- Arguments. */

static bool is_set(gathering *b, lc_str name)
{
    if (b->arguments.count < MANY_ARGUMENTS) {
        for (size_t i = 0; i < b->arguments.count; i++)
            if (lc_str_eq(b->arguments.items[i].name, name))
                return true;
        return false;
    }
    if (!b->names.arena) {
        lc_table_init(&b->names, b->p->scratch);
        for (size_t i = 0; i < b->arguments.count; i++)
            lc_table_put_index(&b->names, b->arguments.items[i].name, i);
    }
    return lc_table_get(&b->names, name) != NULL;
}

static void add_argument(gathering *b, lc_native_argument argument)
{
    lc_parser *p = b->p;
    if (is_set(b, argument.name)) {
        lc_syntax_error(p, argument.at.from, LC_SUMMARY_ARGUMENT_TWICE,
                        "an argument may be set only once: remove one of them");
        return;
    }
    if (b->names.arena)
        lc_table_put_index(&b->names, argument.name, b->arguments.count);
    argument.number = b->number++;
    *LC_PUSH(p->scratch, &b->arguments, lc_native_argument) = argument;
}

/* The end of the line after the value of an argument. */
static void end_argument(lc_parser *p)
{
    lc_token end = lc_syntax_peek(p);
    if (end.type == LC_TOKEN_NEWLINE || end.type == LC_TOKEN_EOF) {
        lc_syntax_read(p);
        return;
    }
    bool comma = end.type == ',';
    lc_syntax_error_at(p, end, comma ? LC_SUMMARY_ARGUMENT_COMMA : LC_SUMMARY_ARGUMENT_NEWLINE,
                       "an argument ends with its line: begin what follows on a new one");
    lc_syntax_recover_item(p);
}

/* The rest of an argument after its name. `one_line`: the caller handles what follows. */
static lc_native_argument read_argument(lc_parser *p, lc_token name, bool one_line)
{
    size_t errors = p->errors.count;
    lc_syntax_read(p);
    const lc_expr *expr = lc_syntax_expression(p);
    if (lc_syntax_lost(p, errors))
        lc_syntax_recover_item(p);
    else if (!one_line)
        end_argument(p);
    lc_token value = {0, lc_syntax_from(p, expr), lc_syntax_to(p, expr)};
    return (lc_native_argument){.name = lc_syntax_text(p, name),
                                .at = range_of(name),
                                .expr = expr,
                                .text = lc_syntax_text(p, value)};
}

/* ---- Blocks. */

typedef struct header {
    lc_token type;
    LC_VEC(lc_native_label) labels;
} header;

static void add_label(lc_parser *p, header *h)
{
    lc_token first = lc_syntax_peek(p);
    lc_native_label *label = LC_PUSH(p->scratch, &h->labels, lc_native_label);
    if (first.type == LC_TOKEN_OPEN_QUOTE)
        label->text = lc_syntax_label(p);
    else
        label->text = lc_syntax_text(p, lc_syntax_read(p));
    label->at = (lc_native_range){first.from, lc_syntax_last(p).to};
}

static void report_header(lc_parser *p, lc_token bad)
{
    if (bad.type == '=')
        lc_syntax_error(p, bad.from, LC_SUMMARY_BLOCK_DEFINITION,
                        "an equals sign belongs to an argument, and a block has none");
    else if (bad.type == LC_TOKEN_NEWLINE)
        lc_syntax_error(p, bad.from, LC_SUMMARY_BLOCK_DEFINITION,
                        "the opening brace of a block stands on the line of its type");
    else
        lc_syntax_error_at(p, bad, LC_SUMMARY_BLOCK_DEFINITION,
                           "a label in quotes or an opening brace is expected here");
}

/* Labels up to the opening brace, which is next. False: an error. */
static bool read_header(lc_parser *p, header *h)
{
    for (;;) {
        lc_token next = lc_syntax_peek(p);
        if (next.type == '{')
            return true;
        if (next.type == LC_TOKEN_OPEN_QUOTE || next.type == LC_TOKEN_IDENTIFIER) {
            add_label(p, h);
            continue;
        }
        report_header(p, next);
        lc_syntax_recover_item(p);
        return false;
    }
}

static const lc_native_body *empty_body(lc_parser *p, lc_token range)
{
    lc_native_body *body = LC_NEW(p->arena, lc_native_body);
    body->range = range_of(range);
    return body;
}

/* The one argument of a block on one line. NULL: an error. */
static const lc_native_body *read_one_line(lc_parser *p)
{
    lc_token name = lc_syntax_read(p), next = lc_syntax_peek(p);
    if (name.type == LC_TOKEN_IDENTIFIER && next.type == '=') {
        gathering b = {.p = p};
        add_argument(&b, read_argument(p, name, true));
        lc_native_body *body = LC_NEW(p->arena, lc_native_body);
        body->arguments = LC_KEEP(p, &b.arguments);
        body->argument_count = b.arguments.count;
        body->range = (lc_native_range){name.from, lc_syntax_last(p).to};
        return body;
    }
    lc_syntax_recover_item(p);
    bool block =
        name.type == LC_TOKEN_IDENTIFIER &&
        (next.type == LC_TOKEN_OPEN_QUOTE || next.type == '{' || next.type == LC_TOKEN_IDENTIFIER);
    lc_syntax_error(p, name.from, block ? LC_SUMMARY_ARGUMENT_REQUIRED : LC_SUMMARY_ITEM_REQUIRED,
                    block ? "a block on one line has one argument and no block in it"
                          : wants_equals);
    return NULL;
}

/* Moves the error that was added last before those added since there were `count`. */
static void move_error_before(lc_parser *p, size_t count)
{
    size_t last = p->errors.list.count;
    if (p->errors.count != last || last < count + 2)
        return;
    lc_eval_error moved = p->errors.list.items[last - 1];
    for (size_t i = last - 1; i > count; i--)
        p->errors.list.items[i] = p->errors.list.items[i - 1];
    p->errors.list.items[count] = moved;
}

/* The closing brace of a block on one line. HCL reports what is wrong here before what is wrong in
 * the block, which began when there were `errors`. */
static void end_one_line(lc_parser *p, lc_token open, size_t errors)
{
    size_t before = p->errors.count;
    lc_token next = lc_syntax_peek(p);
    if (next.type == '}') {
        lc_syntax_read(p);
        return;
    }
    if (next.type == ',')
        lc_syntax_error(p, next.from, LC_SUMMARY_BLOCK_ONE_LINE,
                        "a block on one line has one argument");
    else if (next.type == LC_TOKEN_NEWLINE)
        lc_syntax_error(p, next.from, LC_SUMMARY_BLOCK_ONE_LINE,
                        "a block that begins on one line with an argument ends on that line");
    else if (next.type == LC_TOKEN_EOF)
        lc_syntax_error_at(p, open, LC_SUMMARY_BLOCK_UNCLOSED,
                           "the brace of this block is not closed: add }");
    else
        lc_syntax_error_at(p, next, LC_SUMMARY_BLOCK_ONE_LINE,
                           "a closing brace must follow the argument");
    if (p->errors.count > before)
        move_error_before(p, errors);
    lc_syntax_recover(p, '}');
}

/* The body after the opening brace, up to and with the closing one. */
static const lc_native_body *read_content(lc_parser *p, lc_token open)
{
    int next = lc_syntax_peek(p).type;
    if (next == LC_TOKEN_NEWLINE || next == LC_TOKEN_EOF || next == '}')
        return read_body(p, '}');
    size_t errors = p->errors.count;
    const lc_native_body *body = read_one_line(p);
    end_one_line(p, open, errors);
    return body ? body : empty_body(p, lc_syntax_span(open, lc_syntax_last(p)));
}

static void end_block(lc_parser *p)
{
    lc_token next = lc_syntax_peek(p);
    if (next.type == LC_TOKEN_NEWLINE || next.type == LC_TOKEN_EOF) {
        lc_syntax_read(p);
        return;
    }
    lc_syntax_error_at(p, next, LC_SUMMARY_BLOCK_NEWLINE,
                       "a block ends with its line: remove what follows, or begin it on a new "
                       "one");
    lc_syntax_recover_item(p);
}

static void read_block(gathering *b, lc_token type)
{
    lc_parser *p = b->p;
    header h = {.type = type};
    lc_token open = type, close = type;
    const lc_native_body *content;
    if (read_header(p, &h)) {
        open = lc_syntax_read(p);
        content = read_content(p, open);
        close = lc_syntax_last(p);
        end_block(p);
    } else {
        content = empty_body(p, type);
    }
    *LC_PUSH(p->scratch, &b->blocks, lc_native_block) =
        (lc_native_block){.type = lc_syntax_text(p, type),
                          .at = range_of(type),
                          .labels = LC_KEEP(p, &h.labels),
                          .label_count = h.labels.count,
                          .open = range_of(open),
                          .close = range_of(close),
                          .body = content,
                          .number = b->number++};
}

/* ---- Bodies. */

static void read_item(gathering *b)
{
    lc_parser *p = b->p;
    lc_token name = lc_syntax_read(p), next = lc_syntax_peek(p);
    switch (next.type) {
    case '=':
        add_argument(b, read_argument(p, name, false));
        break;
    case LC_TOKEN_OPEN_QUOTE:
    case '{':
    case LC_TOKEN_IDENTIFIER:
        read_block(b, name);
        break;
    default:
        lc_syntax_recover_item(p);
        lc_syntax_error(p, name.from, LC_SUMMARY_ITEM_REQUIRED, wants_equals);
    }
}

/* Something that begins no argument and no block. `start`: the token before the body. */
static void report_item(lc_parser *p, lc_token bad, lc_token start)
{
    if (bad.type == LC_TOKEN_OPEN_QUOTE)
        lc_syntax_error_at(p, bad, LC_SUMMARY_ARGUMENT_NAME,
                           "the names of arguments are written without quotes");
    else if (bad.type == LC_TOKEN_EOF)
        lc_syntax_error_at(p, start, LC_SUMMARY_BLOCK_UNCLOSED,
                           "the brace of this block is not closed: add }");
    else
        lc_syntax_error_at(p, bad, LC_SUMMARY_ITEM_REQUIRED, wants_equals);
}

/* Reads arguments and blocks up to the token `end`. After something else the rest of the body is
 * left out. */
static lc_token read_items(gathering *b, int end, lc_token start)
{
    lc_parser *p = b->p;
    for (;;) {
        lc_token next = lc_syntax_peek(p);
        if (next.type == end)
            return lc_syntax_read(p);
        if (next.type == LC_TOKEN_IDENTIFIER) {
            read_item(b);
            continue;
        }
        lc_syntax_read(p);
        if (next.type == LC_TOKEN_NEWLINE)
            continue;
        report_item(p, next, start);
        lc_syntax_recover(p, end);
        return next;
    }
}

static const lc_native_body *read_body(lc_parser *p, int end)
{
    lc_token start = lc_syntax_last(p);
    if (!lc_syntax_enter(p))
        return empty_body(p, start);
    gathering b = {.p = p};
    lc_token last = read_items(&b, end, start);
    lc_syntax_leave(p);
    lc_native_body *body = LC_NEW(p->arena, lc_native_body);
    *body = (lc_native_body){.arguments = LC_KEEP(p, &b.arguments),
                             .argument_count = b.arguments.count,
                             .blocks = LC_KEEP(p, &b.blocks),
                             .block_count = b.blocks.count,
                             .range = {start.from, last.to}};
    return body;
}

/* What was read needs up to 50 times the memory of the text. */
void lc_native_parse(lc_native *out, lc_arena *arena, lc_source *source)
{
    lc_parser p;
    source->native = true;
    lc_syntax_begin(&p, arena, source->text, (lc_source_pos){source, 0, 0}, LC_SCAN_CODE);
    out->source = source;
    if (source->text.len > LC_MAX_NATIVE_BYTES)
        lc_syntax_limit(&p, 0, "the file is larger than 32 MiB");
    out->body = read_body(&p, LC_TOKEN_EOF);
    out->errors = lc_syntax_end(&p);
    source->breaks = p.breaks.items;
    source->break_count = p.breaks.count;
}
