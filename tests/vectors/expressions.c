/* Recorded expressions: text, variables and files of a line to what both clients get. */
#include "expressions.h"
#include "../unit/memory_files.h"
#include "console.h"
#include "lifecheck/configuration/native.h"
#include "marked.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "lifecheck/codec/codec.h"

const vectors_client vectors_clients[2] = {{"ot", LC_PROFILE_OPENTOFU},
                                           {"tf", LC_PROFILE_TERRAFORM}};

/* ---- The module around an expression. */

static void declare(vectors_scope *s, lc_arena *arena, const lc_member *m)
{
    lc_module *root = s->config.root;
    lc_marked *value = LC_NEW(arena, lc_marked);
    lc_config_variable *v = LC_NEW(arena, lc_config_variable);
    lc_config_local *local = LC_NEW(arena, lc_config_local);
    lc_eval_error trouble;
    if (!vectors_marked_read(value, arena, &m->value))
        return;
    v->name = local->name = m->key;
    lc_str text = lc_str_printf(arena, "var.%.*s", LC_FMT(m->key));
    lc_expr_parse(&local->value, arena, text, (lc_source_pos){NULL, 0, 0}, &trouble);
    *LC_PUSH(arena, &root->variables, lc_config_variable *) = v;
    *LC_PUSH(arena, &root->locals, lc_config_local *) = local;
    lc_table_put(&root->variable, v->name, v);
    lc_table_put(&root->local, v->name, local);
    lc_table_put(&s->context.variables, v->name, value);
}

/* The files of the module's folder. */
static void give_files(vectors_scope *out, lc_arena *arena, const lc_node *line)
{
    const lc_node *texts = lc_node_get(line, "files"), *bytes = lc_node_get(line, "files_base64");
    uint32_t text_count = lc_node_member_count(texts), count = lc_node_member_count(bytes);
    memory_file *files = LC_NEW_ARRAY(arena, memory_file, text_count + count);
    size_t at;
    for (uint32_t i = 0; i < text_count; i++)
        files[i] = (memory_file){texts->as.members[i].key, texts->as.members[i].value.as.text};
    for (uint32_t i = 0; i < count; i++) {
        memory_file *file = &files[text_count + i];
        file->path = bytes->as.members[i].key;
        lc_base64_decode(&file->bytes, arena, bytes->as.members[i].value.as.text, &at);
    }
    files_in_memory(&out->config.files, arena, files, text_count + count);
}

void vectors_scope_make(vectors_scope *out, lc_arena *arena, lc_profile profile,
                        const lc_node *line)
{
    const lc_node *vars = lc_node_get(line, "vars");
    lc_module *root = lc_config_module_new(arena, NULL, NULL);
    *out = (vectors_scope){.config = {.arena = arena, .profile = profile, .root = root}};
    lc_table_init(&out->context.variables, arena);
    out->context.config = &out->config;
    out->context.cwd = LC_STR(".");
    for (uint32_t i = 0; i < lc_node_member_count(vars); i++)
        declare(out, arena, &vars->as.members[i]);
    give_files(out, arena, line);
    out->scope = lc_module_scope_new(arena, &out->context, root, NULL, NULL);
}

/* ---- Answers. */

lc_str vectors_undecided(const vectors_result *result)
{
    for (const lc_eval_error *e = &result->trouble; !result->ok && e; e = e->next)
        if (!e->summary.len)
            return e->detail;
    if (!result->ok)
        return LC_STR_EMPTY;
    if (lc_marks_all(result->value) & LC_MARK_UNDECIDED)
        return result->value.marks->undecided ? result->value.marks->undecided->reason
                                              : LC_STR("undecided");
    return LC_STR_EMPTY;
}

/* Line and column of a byte of the text that was parsed. */
static void write_place(lc_json *w, lc_source_pos place, uint32_t back)
{
    if (place.source && place.source->native) {
        lc_loc loc = lc_source_pos_loc(place);
        lc_json_uint(w, "line", loc.line);
        lc_json_uint(w, "column", loc.line == 1 ? loc.column - back : loc.column);
        return;
    }
    lc_str text = place.source ? place.source->text : LC_STR_EMPTY;
    uint64_t line = 1, column = 1, to = place.where + place.offset;
    for (size_t i = 0; i < to && i < text.len; i++) {
        bool newline = text.ptr[i] == '\n';
        line += newline;
        column = newline ? 1 : column + ((text.ptr[i] & 0xC0) != 0x80);
    }
    lc_json_uint(w, "line", line);
    lc_json_uint(w, "column", line == 1 ? column - back : column);
}

void vectors_result_write(lc_buf *out, const vectors_result *result, uint32_t back)
{
    lc_json w = {.out = out};
    if (result->ok) {
        lc_buf_add_char(out, '{');
        vectors_marked_write(out, result->value);
        lc_buf_add_char(out, '}');
        return;
    }
    lc_json_object(&w, NULL);
    lc_json_array(&w, "error");
    for (const lc_eval_error *e = &result->trouble; e; e = e->next) {
        lc_json_object(&w, NULL);
        lc_json_str(&w, "summary", e->summary);
        write_place(&w, e->place, back);
        lc_json_end_object(&w);
    }
    lc_json_end_array(&w);
    lc_json_end_object(&w);
}

/* As both clients do before they evaluate anything. False: *trouble is the first of all errors. */
static bool check_references(lc_arena *arena, const lc_expr *expr, lc_profile profile,
                             lc_eval_error *trouble)
{
    lc_references refs = {arena, {NULL, 0, 0}};
    lc_eval_error *last = NULL;
    lc_expr_certain_references(&refs, expr, profile);
    for (size_t i = 0; i < refs.list.count; i++) {
        lc_eval_error found, *kept = last ? LC_NEW(arena, lc_eval_error) : trouble;
        if (lc_reference_check(refs.list.items[i], profile, &found))
            continue;
        *kept = found;
        if (last)
            last->next = kept;
        last = kept;
    }
    return !last;
}

vectors_result vectors_evaluate(lc_arena *arena, const vectors_scope *scope, const lc_expr *expr)
{
    vectors_result result = {0};
    result.ok =
        check_references(arena, expr, scope->config.profile, &result.trouble) &&
        lc_scope_evaluate_in(&result.value, arena, scope->scope, expr, NULL, &result.trouble);
    return result;
}

vectors_result vectors_evaluate_text(lc_arena *arena, const vectors_scope *scope, lc_str text)
{
    vectors_result result = {0};
    const lc_expr *expr;
    lc_source *source = LC_NEW(arena, lc_source);
    source->text = text;
    source->json = true;
    lc_source_pos place = {source, 0, 0};
    return lc_expr_parse(&expr, arena, text, place, &result.trouble)
               ? vectors_evaluate(arena, scope, expr)
               : result;
}

/* The text as the value of an argument, the only one of a file, as the recordings were made. */
static const char argument[] = "v = ";

static vectors_result evaluate_argument(lc_arena *arena, const vectors_scope *scope, lc_str text)
{
    vectors_result result = {0};
    lc_native file;
    lc_source *source = LC_NEW(arena, lc_source);
    source->file = LC_STR("x.tf");
    source->text = lc_str_printf(arena, "%s%.*s\n", argument, LC_FMT(text));
    lc_native_parse(&file, arena, source);
    if (file.errors) {
        result.trouble = *file.errors;
        return result;
    }
    if (file.body->argument_count == 0)
        return result;
    return vectors_evaluate(arena, scope, file.body->arguments[0].expr);
}

void vectors_expression_answer(lc_buf *out, lc_arena *arena, const lc_node *line)
{
    vectors_result results[2];
    lc_str reason = LC_STR_EMPTY;
    if (lc_node_get(line, "console")) {
        vectors_console_answer(out, arena, line);
        return;
    }
    for (size_t i = 0; i < 2 && !reason.len; i++) {
        vectors_scope s;
        vectors_scope_make(&s, arena, vectors_clients[i].profile, line);
        results[i] = evaluate_argument(arena, &s, lc_node_text(line, "expr"));
        reason = vectors_undecided(&results[i]);
    }
    if (reason.len) {
        lc_buf_add_c(out, ",\"skipped\":");
        lc_buf_add_json(out, reason, false);
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        lc_buf_printf(out, ",\"%s\":", vectors_clients[i].name);
        vectors_result_write(out, &results[i], sizeof argument - 1);
    }
}
