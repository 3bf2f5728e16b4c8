/* A recorded file as the configuration that a client reads from it. */
#include "files.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/provider_config/provider_config.h"

#include <stdlib.h>

typedef struct only_file {
    lc_str name, text;
} only_file;

/* Modules that it calls are empty: only the file was recorded. */
static bool open_folder(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    const only_file *f = context;
    if (path.len == 0)
        lc_config_file_parse(LC_PUSH(arena, &out->files, lc_config_file), arena, f->name, f->name,
                             f->text);
    return true;
}

void vectors_file_read(lc_configuration *out, lc_arena *arena, lc_profile profile, const char *name,
                       lc_str text)
{
    only_file *f = LC_NEW(arena, only_file);
    *f = (only_file){lc_str_from_c(name), text};
    lc_config_loader loader = {.context = f, .open = open_folder};
    lc_diags diags;
    lc_diags_init(&diags, arena);
    if (lc_configuration_read(out, arena, profile, &loader, &diags) != LC_OK)
        return;
    lc_eval_context around = {.config = out};
    lc_provider_model model;
    lc_table_init(&around.variables, arena);
    lc_provider_model_make(&model, arena, out, &around);
}

/* Only what a client finds in the file alone was recorded. */
static bool is_of_file(const lc_config_problem *p)
{
    return !p->warning && p->stage == LC_STAGE_PARSE && !p->echo;
}

bool vectors_file_refused(const lc_configuration *config)
{
    for (size_t i = 0; i < config->problems.count; i++)
        if (is_of_file(&config->problems.items[i]))
            return true;
    return false;
}

typedef struct placed {
    lc_str summary;
    lc_loc loc;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->loc.line != y->loc.line)
        return x->loc.line < y->loc.line ? -1 : 1;
    if (x->loc.column != y->loc.column)
        return x->loc.column < y->loc.column ? -1 : 1;
    return lc_str_cmp(x->summary, y->summary);
}

void vectors_file_errors(lc_json *w, lc_arena *arena, const lc_configuration *config, bool sorted)
{
    placed *list = LC_NEW_ARRAY(arena, placed, config->problems.count);
    size_t count = 0;
    for (size_t i = 0; i < config->problems.count; i++) {
        const lc_config_problem *p = &config->problems.items[i];
        if (is_of_file(p))
            list[count++] =
                (placed){p->summary, p->place.source ? lc_source_pos_loc(p->place) : p->loc};
    }
    if (!count)
        return;
    if (sorted)
        qsort(list, count, sizeof *list, by_place);
    lc_json_array(w, "error");
    for (size_t i = 0; i < count; i++) {
        lc_json_object(w, NULL);
        lc_json_str(w, "summary", list[i].summary);
        if (list[i].loc.line) {
            lc_json_uint(w, "line", list[i].loc.line);
            lc_json_uint(w, "column", list[i].loc.column);
        }
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
}
