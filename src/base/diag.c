/* Diagnostics about inputs. Messages are formatted at once, since their arguments may not live
 * long. */
#include "lifecheck/base/diag.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void lc_diags_init(lc_diags *diags, lc_arena *arena)
{
    *diags = (lc_diags){0};
    diags->arena = arena;
}

bool lc_diags_has_room(const lc_diags *diags)
{
    return diags->count < LC_MAX_DIAGS;
}

/* Above the limit a diagnostic is only counted, so that an invalid input cannot fill the memory. */
__attribute__((format(printf, 4, 0))) static void add(lc_diags *diags, lc_diag_severity severity,
                                                      lc_loc loc, const char *format, va_list args)
{
    if (severity == LC_DIAG_ERROR)
        diags->errors++;
    if (!lc_diags_has_room(diags)) {
        diags->dropped++;
        return;
    }
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    LC_ASSERT(len >= 0);
    char *text = lc_arena_alloc(diags->arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    lc_diag *d = LC_PUSH(diags->arena, diags, lc_diag);
    *d = (lc_diag){.severity = severity, .loc = loc, .message = {text, (size_t)len}};
}

void lc_diag_quote(lc_diags *diags, lc_quoted quote)
{
    if (diags->dropped == 0 && diags->count)
        diags->items[diags->count - 1].quote = quote;
}

void lc_diag_error(lc_diags *diags, lc_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(diags, LC_DIAG_ERROR, loc, format, args);
    va_end(args);
}

void lc_diag_warning(lc_diags *diags, lc_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(diags, LC_DIAG_WARNING, loc, format, args);
    va_end(args);
}

void lc_diag_note(lc_diags *diags, lc_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(diags, LC_DIAG_NOTE, loc, format, args);
    va_end(args);
}

const char *lc_diag_severity_name(lc_diag_severity severity)
{
    static const char *const names[] = {
        [LC_DIAG_ERROR] = "error", [LC_DIAG_WARNING] = "warning", [LC_DIAG_NOTE] = "note"};
    return names[severity];
}

lc_loc lc_loc_at(lc_str file, lc_str text, size_t offset)
{
    lc_loc loc = {file, 1, 1};
    size_t line_start = 0;
    if (offset > text.len)
        offset = text.len;
    for (size_t i = 0; i < offset; i++) {
        if (text.ptr[i] == '\n') {
            loc.line++;
            line_start = i + 1;
        }
    }
    loc.column = (uint32_t)lc_utf8_count(lc_str_sub(text, line_start, offset)) + 1;
    return loc;
}

lc_str lc_diag_line(lc_arena *arena, const lc_diag *diag)
{
    if (!diag->loc.line)
        return lc_str_printf(arena, "%.*s: %.*s", LC_FMT(diag->loc.file), LC_FMT(diag->message));
    return lc_str_printf(arena, "%.*s:%u:%u: %.*s", LC_FMT(diag->loc.file),
                         (unsigned)diag->loc.line, (unsigned)diag->loc.column,
                         LC_FMT(diag->message));
}
