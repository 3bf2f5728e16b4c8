/* Recorded files in native syntax: what they hold by syntax alone, in the order of the file. Both
 * clients have one syntax. */
#include "native_files.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/configuration/native.h"

typedef struct writer {
    lc_json w;
    lc_arena *arena;
    const lc_native *file;
} writer;

static lc_str at(const writer *x, uint32_t byte)
{
    lc_loc loc = lc_source_pos_loc(lc_native_pos(x->file, byte));
    return lc_str_printf(x->arena, "%u:%u", loc.line, loc.column);
}

static lc_str range(const writer *x, uint32_t from, uint32_t to)
{
    return lc_str_printf(x->arena, "%.*s-%.*s", LC_FMT(at(x, from)), LC_FMT(at(x, to)));
}

static void write_argument(writer *x, const lc_native_argument *a)
{
    lc_json_object(&x->w, NULL);
    lc_json_str(&x->w, "attribute", a->name);
    lc_json_str(&x->w, "name_at", at(x, a->at.from));
    lc_json_str(&x->w, "range", range(x, lc_expr_pos(a->expr).offset, lc_expr_end(a->expr).offset));
    lc_json_str(&x->w, "text", a->text);
    lc_json_end_object(&x->w);
}

static void write_body(writer *x, const lc_native_body *body);

static void write_block(writer *x, const lc_native_block *b)
{
    lc_json_object(&x->w, NULL);
    lc_json_str(&x->w, "block", b->type);
    lc_json_str(&x->w, "type_at", at(x, b->at.from));
    lc_json_array(&x->w, "labels");
    for (size_t i = 0; i < b->label_count; i++)
        lc_json_str(&x->w, NULL, b->labels[i].text);
    lc_json_end_array(&x->w);
    lc_json_array(&x->w, "label_ranges");
    for (size_t i = 0; i < b->label_count; i++)
        lc_json_str(&x->w, NULL, range(x, b->labels[i].at.from, b->labels[i].at.to));
    lc_json_end_array(&x->w);
    lc_json_str(&x->w, "open", at(x, b->open.from));
    lc_json_str(&x->w, "close", at(x, b->close.from));
    lc_json_key(&x->w, LC_STR("body"));
    write_body(x, b->body);
    lc_json_end_object(&x->w);
}

static void write_body(writer *x, const lc_native_body *body)
{
    size_t i = 0, k = 0;
    lc_json_array(&x->w, NULL);
    while (i < body->argument_count || k < body->block_count) {
        bool argument =
            k == body->block_count ||
            (i < body->argument_count && body->arguments[i].number < body->blocks[k].number);
        if (argument)
            write_argument(x, &body->arguments[i++]);
        else
            write_block(x, &body->blocks[k++]);
    }
    lc_json_end_array(&x->w);
}

static void write_file(lc_buf *out, lc_arena *arena, const lc_native *file)
{
    writer x = {.w = {.out = out}, .arena = arena, .file = file};
    lc_json_object(&x.w, NULL);
    lc_json_array(&x.w, "errors");
    for (const lc_eval_error *e = file->errors; e; e = e->next) {
        lc_loc loc = lc_source_pos_loc(e->place);
        lc_json_object(&x.w, NULL);
        lc_json_str(&x.w, "summary", e->summary);
        lc_json_uint(&x.w, "line", loc.line);
        lc_json_uint(&x.w, "column", loc.column);
        lc_json_end_object(&x.w);
    }
    lc_json_end_array(&x.w);
    if (!file->errors) {
        lc_json_key(&x.w, LC_STR("body"));
        write_body(&x, file->body);
    }
    lc_json_end_object(&x.w);
}

void vectors_native_file_answer(lc_buf *out, lc_arena *arena, const lc_node *line)
{
    lc_source *source = LC_NEW(arena, lc_source);
    const lc_node *bytes = lc_node_get(line, "text_base64");
    lc_native file;
    size_t bad;
    source->file = LC_STR("x.tf");
    source->text = lc_node_text(line, "text");
    if (bytes)
        lc_base64_decode(&source->text, arena, bytes->as.text, &bad);
    lc_native_parse(&file, arena, source);
    lc_buf_add_c(out, ",\"ot\":");
    size_t from = out->len;
    write_file(out, arena, &file);
    lc_str written = lc_str_copy(arena, lc_str_sub(lc_buf_str(out), from, out->len));
    lc_buf_add_c(out, ",\"tf\":");
    lc_buf_add_str(out, written);
}
