/* Answers to lines of the clients' consoles. */
#ifndef LC_S_VECTORS_CONSOLE_H
#define LC_S_VECTORS_CONSOLE_H

#include "expressions.h"

/* Appends `,"ot":...,"tf":...`: the text that is shown, or the errors. */
void vectors_console_answer(lc_buf *out, lc_arena *arena, const lc_node *line);

#endif
