/* The vectors program: JSON Lines of recorded inputs on standard input, one answer a line on
 * standard output. Each answer has the line's id and the members of the recording. */
#include "constraints.h"
#include "expressions.h"
#include "json_files.h"
#include "lifecycle.h"
#include "native_files.h"
#include "plans.h"
#include "schemas.h"
#include "values.h"

#include "lifecheck/base/arena.h"

#include <stdio.h>
#include <stdlib.h>

/* Lines that show by their members what was recorded. */
static void answer_recorded(lc_buf *out, lc_arena *arena, const lc_source *source,
                            const lc_node *line)
{
    lc_str id = lc_node_text(line, "id");
    if (lc_node_get(line, "expr"))
        vectors_expression_answer(out, arena, line);
    else if (lc_node_get(line, "values"))
        vectors_constraint_answer(out, arena, line);
    else if (lc_node_get(line, "text") && lc_str_starts_with(id, LC_STR("json-")))
        vectors_json_file_answer(out, arena, line);
    else if (lc_node_get(line, "text") || lc_node_get(line, "text_base64"))
        vectors_native_file_answer(out, arena, line);
    else if (lc_node_get(line, "files"))
        vectors_plans_answer(out, arena, source, line);
}

static void answer(lc_buf *out, lc_arena *arena, const lc_source *source)
{
    const lc_node *line = &source->documents[0];
    const lc_node *id = lc_node_get(line, "id"), *fn = lc_node_get(line, "fn");
    if (!id)
        return;
    lc_buf_add_c(out, "{\"id\":");
    lc_buf_add_json(out, id->as.text, false);
    if (!fn)
        answer_recorded(out, arena, source, line);
    else if (!vectors_lifecycle_answer(out, arena, source, line, fn->as.text)) {
        lc_str name = fn->as.text;
        lc_buf_add_char(out, ',');
        if (lc_str_is(name, "schema_validate") || lc_str_is(name, "implied_type"))
            vectors_schema_answer(out, arena, line, name);
        else
            vectors_value_answer(out, arena, line, name);
    }
    lc_buf_add_c(out, "}\n");
}

int main(void)
{
    lc_heap_install();
    lc_arena *arena = lc_arena_new();
    lc_buf out = {0};
    lc_limits limits = LC_LIMITS_DEFAULT;
    limits.json_depth = 100000; /* recorded bodies are nested deeply */
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    int status = 0;
    while ((len = getline(&line, &capacity, stdin)) > 0) {
        lc_diags diags;
        lc_source source;
        lc_diags_init(&diags, arena);
        lc_str text = {line, (size_t)len};
        if (lc_json_parse(&source, arena, LC_STR("stdin"), text, &limits, &diags) == LC_OK) {
            answer(&out, arena, &source);
        } else {
            fprintf(stderr, "vectors: a line is not JSON\n");
            status = 3;
        }
        fwrite(out.ptr, 1, out.len, stdout);
        lc_buf_clear(&out);
        lc_arena_reset(arena);
    }
    free(line);
    lc_buf_release(&out);
    lc_arena_free(arena);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 4;
}
