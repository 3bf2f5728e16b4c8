/* Why an input is refused, and where inside the value. The innermost reader states the problem;
 * each enclosing reader puts its own step in front while the refusal travels outwards. */
#include "codec/internal.h"
#include "lifecheck/base/bug.h"

#include <stdarg.h>
#include <stdio.h>

void lc_codec_trouble_init(lc_codec_trouble *trouble, lc_arena *arena, lc_wire_problem *problem)
{
    *trouble = (lc_codec_trouble){.arena = arena, .problem = problem};
    *problem = (lc_wire_problem){.path = LC_STR("."), .message = LC_STR_EMPTY};
}

static bool state(lc_codec_trouble *trouble, lc_wire_core core, size_t offset, lc_str message)
{
    trouble->problem->core = core;
    trouble->problem->offset = offset;
    trouble->problem->message = message;
    return false;
}

bool lc_codec_refuse(lc_codec_trouble *trouble, lc_wire_core core, size_t offset,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    LC_ASSERT(len >= 0);
    char *line = lc_arena_alloc(trouble->arena, (size_t)len + 1);
    va_start(args, format);
    vsnprintf(line, (size_t)len + 1, format, args);
    va_end(args);
    return state(trouble, core, offset, (lc_str){line, (size_t)len});
}

bool lc_codec_refuse_name(lc_codec_trouble *trouble, lc_wire_core core, size_t offset,
                          const char *before, lc_str name, const char *after)
{
    lc_buf line = {0};
    lc_buf_add_c(&line, before);
    lc_buf_add_json(&line, name, false);
    lc_buf_add_c(&line, after);
    lc_str message = lc_buf_take(trouble->arena, &line);
    return state(trouble, core, offset, message);
}

bool lc_codec_within(lc_codec_trouble *trouble, lc_step step)
{
    lc_codec_step *outer = LC_NEW(trouble->arena, lc_codec_step);
    outer->inner = trouble->outermost;
    outer->step = step;
    trouble->outermost = outer;
    trouble->steps++;
    return false;
}

/* Called once, by the outermost reader: from here on the steps are complete. */
bool lc_codec_give_up(lc_codec_trouble *trouble)
{
    lc_step *steps = LC_NEW_ARRAY(trouble->arena, lc_step, trouble->steps);
    size_t count = 0;
    for (const lc_codec_step *s = trouble->outermost; s; s = s->inner)
        steps[count++] = s->step;
    lc_buf text = {0};
    lc_path_add_text(&text, (lc_path){steps, count});
    trouble->problem->path = lc_buf_take(trouble->arena, &text);
    return false;
}

const char *lc_codec_type_word(const lc_type *type)
{
    switch (type->kind) {
    case LC_TYPE_BOOL:
        return "a bool";
    case LC_TYPE_NUMBER:
        return "a number";
    case LC_TYPE_STRING:
        return "a string";
    case LC_TYPE_DYNAMIC:
        return "a value with its type";
    case LC_TYPE_LIST:
        return "a list";
    case LC_TYPE_SET:
        return "a set";
    case LC_TYPE_MAP:
        return "a map";
    case LC_TYPE_TUPLE:
        return "a tuple";
    case LC_TYPE_OBJECT:
        return "an object";
    }
    LC_UNREACHABLE();
}
