/* terraform_remote_state of the built-in provider, as far as it reads a local file. */
#include "predict/known/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/catalog/core_message.h"

#include <stdlib.h>

#define DEFAULT_FILE "terraform.tfstate"
#define DEFAULT_DIR  "terraform.tfstate.d"

/* ---- Where the state is. */

static bool is_text(const lc_value *v)
{
    return lc_is_known(v) && v->type->kind == LC_TYPE_STRING;
}

static bool has_parts(const lc_value *v)
{
    return v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP;
}

static lc_str name_at(const lc_value *v, uint32_t i)
{
    return v->type->kind == LC_TYPE_MAP ? v->as.many.keys[i] : v->type->as.attrs[i].name;
}

/* Takes a setting of the backend. False: it is none of the two, or no text. */
static bool take(lc_str *path, lc_str *dir, lc_str name, const lc_value *v)
{
    lc_str *to = lc_str_is(name, "path") ? path : lc_str_is(name, "workspace_dir") ? dir : NULL;
    if (!to || (!lc_is_null(v) && (!is_text(v) || !v->as.string.len)))
        return false;
    if (!lc_is_null(v))
        *to = v->as.string;
    return true;
}

/* The path of the state. False: another backend, or settings that it refuses. */
static bool find_path(lc_str *out, lc_run_question *ask)
{
    const lc_value *backend = lc_known_attribute(ask->config, "backend");
    const lc_value *config = lc_known_attribute(ask->config, "config");
    const lc_value *workspace = lc_known_attribute(ask->config, "workspace");
    lc_str path = LC_STR(DEFAULT_FILE), dir = LC_STR(DEFAULT_DIR);
    if (!is_text(backend) ||
        !(lc_str_is(backend->as.string, "local") || lc_str_is(backend->as.string, "_local"))) {
        ask->open_because = LC_STR("only the backend \"local\" is read");
        return false;
    }
    bool fits = lc_is_null(config) || (lc_is_known(config) && has_parts(config));
    for (uint32_t i = 0; fits && lc_is_known(config) && i < config->count; i++)
        fits = take(&path, &dir, name_at(config, i), &config->as.many.elems[i]);
    if (!fits || !(lc_is_null(workspace) || is_text(workspace))) {
        ask->open_because = LC_STR("its settings are not those of the backend \"local\"");
        return false;
    }
    *out = path;
    if (is_text(workspace) && !lc_str_is(workspace->as.string, "default"))
        *out = lc_str_printf(ask->arena, "%.*s/%.*s/" DEFAULT_FILE, LC_FMT(dir),
                             LC_FMT(workspace->as.string));
    return true;
}

/* ---- Its outputs. */

typedef struct output {
    lc_str name;
    const lc_value *value;
    bool sensitive;
} output;

LC_ORDER_BY_STR(by_name, output, name)

/* The stored outputs, and `defaults` for those that are not there. False: one cannot be read. */
static bool gather(output *list, size_t *count, const lc_run_prior_output *stored,
                   size_t stored_count, const lc_value *defaults)
{
    lc_table seen;
    lc_arena *scratch = lc_arena_new();
    bool good = true;
    lc_table_init(&seen, scratch);
    for (size_t i = 0; i < stored_count; i++) {
        good = good && stored[i].value;
        lc_table_put_index(&seen, stored[i].name, i);
        list[(*count)++] = (output){stored[i].name, stored[i].value, stored[i].sensitive};
    }
    for (uint32_t i = 0; lc_is_known(defaults) && i < defaults->count; i++) {
        lc_str name = name_at(defaults, i);
        if (lc_table_get_index(&seen, name) == LC_NO_INDEX)
            list[(*count)++] = (output){name, &defaults->as.many.elems[i], false};
    }
    lc_arena_free(scratch);
    return good;
}

/* The clients do not take over that an output is sensitive, but it is not shown. */
static const lc_marks *marks_of(lc_arena *arena, const output *list, size_t count)
{
    const lc_marked none = {NULL, NULL};
    const lc_marks **marks = lc_arena_zalloc(arena, lc_mul_size(count, sizeof *marks));
    for (size_t i = 0; i < count; i++)
        if (list[i].sensitive)
            marks[i] = lc_marked_with(arena, none, LC_MARK_HIDDEN, NULL).marks;
    return lc_marks_join(arena, marks, count);
}

static bool outputs_of(lc_value *out, const lc_marks **marks, lc_run_question *ask,
                       const lc_state_file *state)
{
    const lc_value *defaults = lc_known_attribute(ask->config, "defaults");
    size_t stored_count, count = 0;
    const lc_run_prior_output *stored = lc_run_outputs_from_state(&stored_count, ask->arena, state);
    if (lc_is_known(defaults) && !has_parts(defaults))
        return false;
    size_t most = stored_count + (lc_is_known(defaults) ? defaults->count : 0);
    output *list = LC_NEW_ARRAY(ask->arena, output, most);
    if (!gather(list, &count, stored, stored_count, defaults))
        return false;
    if (count)
        qsort(list, count, sizeof *list, by_name);
    lc_type_attr *attrs = LC_NEW_ARRAY(ask->arena, lc_type_attr, count);
    lc_value *elems = LC_NEW_ARRAY(ask->arena, lc_value, count);
    for (size_t i = 0; i < count; i++) {
        attrs[i] = (lc_type_attr){list[i].name, list[i].value->type, false};
        elems[i] = *list[i].value;
    }
    lc_value_set_object(out, ask->arena, lc_type_object(ask->arena, attrs, count), elems);
    *marks = marks_of(ask->arena, list, count);
    return true;
}

/* ---- The question. */

static void report_missing(lc_run_question *ask)
{
    ask->error = LC_STR(LC_SUMMARY_NO_REMOTE_STATE);
    ask->error_too =
        lc_str_printf(ask->arena, "%.*s" LC_SUMMARY_NO_REMOTE_STATE_OPENTOFU, LC_FMT(ask->text));
}

/* NULL: the file holds no state of version 4. */
static const lc_state_file *read_state(lc_run_question *ask, lc_str path, lc_str bytes)
{
    lc_source *source = LC_NEW(ask->arena, lc_source);
    lc_state_file *state = LC_NEW(ask->arena, lc_state_file);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, ask->arena);
    bool good = lc_json_parse(source, ask->arena, path, bytes, &limits, &diags) == LC_OK &&
                source->count > 0 &&
                lc_state_from_node(state, ask->arena, source, source->documents, &diags) == LC_OK;
    ask->open_because = LC_STR("its file has no state of version 4");
    return good && !state->shown && state->oddities.count == 0 ? state : NULL;
}

/* Paths are relative to the folder of the root module, where both clients are started. An empty
 * file is not a state. */
void lc_known_read_remote_state(lc_run_question *ask, const lc_files *files)
{
    lc_str path;
    lc_value outputs;
    if (!find_path(&path, ask))
        return;
    lc_file_answer file = lc_files_open(files, ask->arena, path, LC_FILE_READ_STATE);
    if (file.kind == LC_FILE_MISSING || (file.kind == LC_FILE_REGULAR && !file.bytes.len)) {
        report_missing(ask);
        return;
    }
    ask->open_because = file.kind == LC_FILE_REFUSED ? file.reason : LC_STR("no file is there");
    const lc_state_file *state =
        file.kind == LC_FILE_REGULAR ? read_state(ask, path, file.bytes) : NULL;
    const lc_marks *marks;
    if (!state || !outputs_of(&outputs, &marks, ask, state))
        return;
    lc_known_edit e = lc_known_edit_of(ask->arena, ask->schema, ask->config);
    lc_value *slot = lc_known_slot(&e, "outputs");
    *slot = outputs;
    ask->out = lc_known_done(&e);
    const lc_marks **parts =
        lc_arena_zalloc(ask->arena, lc_mul_size(ask->out->count, sizeof *parts));
    parts[lc_block_attribute(ask->schema->block, LC_STR("outputs"))->slot] = marks;
    if (!files->shown)
        ask->marks = lc_marks_join(ask->arena, parts, ask->out->count);
    ask->known = true;
}
