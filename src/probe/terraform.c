/* A trial as a configuration in native syntax that shows the same with a real client. What the
 * trial sends as unknown is the output of a terraform_data, which no client knows before it applies
 * it. A stored object is in a state file, so that nothing has to be created first. */
#include "probe/terraform.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/yaml_json/document.h"

#include <string.h>

#define MOST_UNKNOWN  50
#define MOST_REQUIRED ((size_t)256 << 10) /* bytes; schemas say how many blocks are required */

typedef struct writer {
    lc_arena *arena;
    lc_buf *out;
    LC_VEC(lc_str) unknown; /* what each becomes, as an expression */
    const char *why;        /* it cannot be written; NULL: it can */
} writer;

/* A value with what it was before it was made unknown, and what it becomes; each NULL: nothing
 * known. */
typedef struct aligned {
    const lc_value *now, *known, *last;
} aligned;

static void indent(lc_buf *out, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        lc_buf_add_c(out, "  ");
}

/* ---- Values that are known. */

static bool is_identifier(lc_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i && ((c >= '0' && c <= '9') || c == '-')))
            return false;
    }
    return name.len > 0;
}

static void add_key(lc_buf *out, lc_str name)
{
    if (is_identifier(name))
        lc_buf_add_str(out, name);
    else
        lc_buf_add_hcl_quoted(out, name);
}

static void add_expression(writer *w, lc_buf *out, const aligned *at, unsigned depth);

/* The element of `of` that corresponds to element i of `v`; NULL: none certainly does. */
static const lc_value *peer_of(const lc_value *of, const lc_value *v, uint32_t i)
{
    lc_type_kind kind = v->type->kind;
    if (!of || !lc_is_known(of) || of->type->kind != kind)
        return NULL;
    if (kind == LC_TYPE_SET)
        return of->count == 1 && v->count == 1 ? of->as.many.elems : NULL;
    if (kind != LC_TYPE_MAP)
        return i < of->count ? &of->as.many.elems[i] : NULL;
    for (uint32_t k = 0; k < of->count; k++) {
        if (lc_str_eq(of->as.many.keys[k], v->as.many.keys[i]))
            return &of->as.many.elems[k];
    }
    return NULL;
}

static aligned inner_of(const aligned *at, uint32_t i)
{
    return (aligned){&at->now->as.many.elems[i], peer_of(at->known, at->now, i),
                     peer_of(at->last, at->now, i)};
}

static void add_many(writer *w, lc_buf *out, const aligned *at, unsigned depth)
{
    const lc_value *v = at->now;
    bool keys = v->type->kind == LC_TYPE_OBJECT || v->type->kind == LC_TYPE_MAP;
    lc_buf_add_char(out, keys ? '{' : '[');
    for (uint32_t i = 0; i < v->count; i++) {
        aligned inner = inner_of(at, i);
        if (v->type->kind == LC_TYPE_OBJECT && lc_is_null(inner.now))
            continue;
        lc_buf_add_c(out, keys ? "\n" : i ? ", " : "");
        if (keys)
            indent(out, depth + 1);
        if (v->type->kind == LC_TYPE_OBJECT)
            add_key(out, v->type->as.attrs[i].name);
        else if (keys)
            lc_buf_add_hcl_quoted(out, v->as.many.keys[i]);
        lc_buf_add_c(out, keys ? " = " : "");
        add_expression(w, out, &inner, depth + 1);
    }
    if (keys) {
        lc_buf_add_char(out, '\n');
        indent(out, depth);
    }
    lc_buf_add_char(out, keys ? '}' : ']');
}

static void add_known(writer *w, lc_buf *out, const aligned *at, unsigned depth)
{
    const lc_value *v = at->now;
    if (lc_is_null(v))
        lc_buf_add_c(out, "null");
    else if (v->type->kind == LC_TYPE_STRING)
        lc_buf_add_hcl_quoted(out, v->as.string);
    else if (v->type->kind == LC_TYPE_BOOL)
        lc_buf_add_c(out, v->as.boolean ? "true" : "false");
    else if (v->type->kind == LC_TYPE_NUMBER)
        lc_num_add_text(out, v->as.number);
    else
        add_many(w, out, at, depth);
}

/* ---- Values that are not known. */

static lc_str expression_of(writer *w, const lc_value *v, unsigned depth)
{
    lc_buf out = {0};
    if (!v)
        lc_buf_add_c(&out, "null");
    else
        add_known(w, &out, &(aligned){v, NULL, NULL}, depth);
    return lc_buf_take(w->arena, &out);
}

/* It becomes what the trial found in the end, else what it was; null if neither is known. */
static void add_unknown(writer *w, lc_buf *out, const aligned *at)
{
    const lc_value *becomes = at->last && lc_is_wholly_known(at->last) ? at->last : at->known;
    if (becomes && !lc_is_wholly_known(becomes))
        becomes = NULL;
    if (w->unknown.count == MOST_UNKNOWN)
        w->why = "too many of its values are unknown";
    else
        *LC_PUSH(w->arena, &w->unknown, lc_str) = expression_of(w, becomes, 2);
    lc_buf_printf(out, "terraform_data.unknown.output.v%zu", w->unknown.count);
}

static void add_expression(writer *w, lc_buf *out, const aligned *at, unsigned depth)
{
    if (lc_is_unknown(at->now))
        add_unknown(w, out, at);
    else
        add_known(w, out, at, depth);
}

/* ---- Blocks. */

static void add_body(writer *w, const lc_block *block, const aligned *at, unsigned depth);

static void add_blocks(writer *w, const lc_block_type *type, const aligned *at, unsigned depth);

static void add_attribute(writer *w, lc_str name, const aligned *at, unsigned depth)
{
    if (lc_is_null(at->now))
        return;
    indent(w->out, depth);
    lc_buf_printf(w->out, "%.*s = ", LC_FMT(name));
    add_expression(w, w->out, at, depth);
    lc_buf_add_char(w->out, '\n');
}

static void add_block(writer *w, const lc_block_type *type, const aligned *at, lc_str label,
                      unsigned depth)
{
    indent(w->out, depth);
    lc_buf_add_str(w->out, type->name);
    if (label.ptr) {
        lc_buf_add_char(w->out, ' ');
        lc_buf_add_hcl_quoted(w->out, label);
    }
    lc_buf_add_c(w->out, " {\n");
    add_body(w, type->block, at, depth + 1);
    indent(w->out, depth);
    lc_buf_add_c(w->out, "}\n");
}

/* An element whose blocks those of a dynamic block are like. */
static const lc_value *sample_of(const aligned *at)
{
    const lc_value *const all[] = {at->last, at->known};
    for (size_t i = 0; i < 2; i++) {
        const lc_value *v = all[i];
        if (v && lc_is_known(v) && v->count && lc_is_wholly_known(v))
            return v->as.many.elems;
    }
    return NULL;
}

/* An attribute of the element of a dynamic block. */
static void add_of_element(writer *w, lc_str name, lc_str iterator, unsigned depth)
{
    indent(w->out, depth);
    lc_buf_printf(w->out, "%.*s = try(%.*s.value.%.*s, null)\n", LC_FMT(name), LC_FMT(iterator),
                  LC_FMT(name));
}

/* The blocks that a client requires in a block, with what it requires in them. */
static void add_required_blocks(writer *w, const lc_block *block, lc_str iterator, unsigned depth)
{
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *below = &block->blocks[i];
        for (int64_t k = 0; k < below->min_items && below->nesting != LC_NESTING_MAP; k++) {
            if (w->out->len > MOST_REQUIRED) {
                w->why = "too many blocks are required in it";
                return;
            }
            indent(w->out, depth);
            lc_buf_printf(w->out, "%.*s {\n", LC_FMT(below->name));
            for (size_t j = 0; j < below->block->attribute_count; j++) {
                if (below->block->attributes[j].required)
                    add_of_element(w, below->block->attributes[j].name, iterator, depth + 1);
            }
            add_required_blocks(w, below->block, iterator, depth + 1);
            indent(w->out, depth);
            lc_buf_add_c(w->out, "}\n");
        }
    }
}

/* What a dynamic block may set: what is required, and what is set in any element. */
static void add_content(writer *w, const lc_block_type *type, const aligned *at,
                        const lc_value *last, unsigned depth)
{
    const lc_value *sample = sample_of(at);
    for (size_t i = 0; i < type->block->attribute_count; i++) {
        const lc_attribute *a = &type->block->attributes[i];
        bool set = a->required || (sample && !lc_is_null(&sample->as.many.elems[a->slot]));
        for (uint32_t k = 0; last && !lc_is_null(last) && k < last->count; k++)
            set |= !lc_is_null(&last->as.many.elems[k].as.many.elems[a->slot]);
        if (set)
            add_of_element(w, a->name, type->name, depth);
    }
    if (!sample)
        add_required_blocks(w, type->block, type->name, depth);
    for (size_t i = 0; sample && i < type->block->block_count; i++) {
        aligned inner = {&sample->as.many.elems[type->block->blocks[i].slot], NULL, NULL};
        add_blocks(w, &type->block->blocks[i], &inner, depth);
    }
}

/* As many blocks as a collection that is not known yet has elements. */
static void add_dynamic(writer *w, const lc_block_type *type, const aligned *at, unsigned depth)
{
    const lc_value *last = at->last && lc_is_wholly_known(at->last) ? at->last : at->known;
    if (type->nesting == LC_NESTING_MAP || (last && !lc_is_wholly_known(last)))
        w->why = "its unknown blocks cannot be written";
    indent(w->out, depth);
    lc_buf_printf(w->out, "dynamic \"%.*s\" {\n", LC_FMT(type->name));
    indent(w->out, depth + 1);
    lc_buf_add_c(w->out, "for_each = ");
    add_unknown(w, w->out, &(aligned){at->now, NULL, last});
    lc_buf_add_c(w->out, "\n");
    indent(w->out, depth + 1);
    lc_buf_add_c(w->out, "content {\n");
    add_content(w, type, at, last, depth + 2);
    indent(w->out, depth + 1);
    lc_buf_add_c(w->out, "}\n");
    indent(w->out, depth);
    lc_buf_add_c(w->out, "}\n");
}

static uint32_t count_of(const lc_value *v)
{
    return v && lc_is_known(v) ? v->count : 0;
}

/* In HCL the number of blocks is fixed unless they are dynamic. So blocks whose number changes when
 * values become known are dynamic ones. */
static void add_blocks(writer *w, const lc_block_type *type, const aligned *at, unsigned depth)
{
    bool single = type->nesting == LC_NESTING_SINGLE || type->nesting == LC_NESTING_GROUP;
    bool unknown = lc_is_unknown(at->now);
    bool other = !single && at->last && lc_is_known(at->last) &&
                 count_of(at->last) != count_of(at->now) && !lc_is_wholly_known(at->now);
    if (unknown || other) {
        if (single)
            w->why = "a single block is unknown";
        else
            add_dynamic(w, type, at, depth);
        return;
    }
    if (lc_is_null(at->now))
        return;
    if (single) {
        add_block(w, type, at, (lc_str){NULL, 0}, depth);
        return;
    }
    for (uint32_t i = 0; i < at->now->count; i++) {
        aligned inner = inner_of(at, i);
        bool map = type->nesting == LC_NESTING_MAP;
        add_block(w, type, &inner, map ? at->now->as.many.keys[i] : (lc_str){NULL, 0}, depth);
    }
}

static void add_body(writer *w, const lc_block *block, const aligned *at, unsigned depth)
{
    if (!lc_is_known(at->now)) {
        w->why = "an object is not known";
        return;
    }
    for (size_t i = 0; i < block->attribute_count; i++) {
        aligned inner = inner_of(at, block->attributes[i].slot);
        add_attribute(w, block->attributes[i].name, &inner, depth);
    }
    for (size_t i = 0; i < block->block_count; i++) {
        aligned inner = inner_of(at, block->blocks[i].slot);
        add_blocks(w, &block->blocks[i], &inner, depth);
    }
}

/* ---- The file. */

static void add_head(lc_buf *out, const lc_terraform *t)
{
    lc_buf_printf(out, "terraform {\n  required_providers {\n    %.*s = {\n      source  = ",
                  LC_FMT(t->name));
    lc_buf_add_hcl_quoted(out, t->source);
    if (t->version.len) {
        lc_buf_add_c(out, "\n      version = ");
        lc_buf_add_hcl_quoted(out, t->version);
    }
    lc_buf_add_c(out, "\n    }\n  }\n}\n\n");
}

static void add_provider(writer *w, const lc_terraform *t)
{
    if (!t->provider_config || !lc_is_known(t->provider_config))
        return;
    lc_buf_printf(w->out, "provider \"%.*s\" {\n", LC_FMT(t->name));
    add_body(w, t->provider_block, &(aligned){t->provider_config, NULL, NULL}, 1);
    lc_buf_add_c(w->out, "}\n\n");
}

static void add_unknowns(lc_buf *out, const writer *w)
{
    if (w->unknown.count == 0)
        return;
    lc_buf_add_c(out, "# Its output is not known before it is applied.\n"
                      "resource \"terraform_data\" \"unknown\" {\n  input = {\n");
    for (size_t i = 0; i < w->unknown.count; i++)
        lc_buf_printf(out, "    v%zu = %.*s\n", i + 1, LC_FMT(w->unknown.items[i]));
    lc_buf_add_c(out, "  }\n}\n\n");
}

const char *lc_add_terraform(lc_buf *out, lc_arena *arena, const lc_terraform *t)
{
    lc_buf body = {0}, provider = {0};
    writer w = {.arena = arena, .out = &provider};
    add_provider(&w, t);
    w.out = &body;
    lc_buf_printf(&body, "resource \"%.*s\" \"example\" {\n", LC_FMT(t->type));
    add_body(&w, t->block, &(aligned){t->config, t->known, t->last}, 1);
    if (t->replaces)
        lc_buf_add_c(&body, "  lifecycle {\n    create_before_destroy = true\n  }\n");
    lc_buf_add_c(&body, "}\n");
    if (!w.why) {
        add_head(out, t);
        lc_buf_add_str(out, lc_buf_str(&provider));
        add_unknowns(out, &w);
        lc_buf_add_str(out, lc_buf_str(&body));
    }
    lc_buf_release(&body);
    lc_buf_release(&provider);
    return w.why;
}

/* ---- The state. */

bool lc_add_terraform_state(lc_buf *out, lc_arena *arena, const lc_terraform *t, lc_str address,
                            uint64_t schema_version)
{
    lc_buf attributes = {0}, base64 = {0};
    lc_str why;
    if (!lc_ctyjson_encode(&attributes, t->prior, t->block->implied, &why)) {
        lc_buf_release(&attributes);
        return false;
    }
    lc_doc *doc = lc_doc_object();
    lc_doc_add_uint(doc, "version", 4);
    /* Every client reads the states of older ones. */
    lc_doc_add_c(doc, "terraform_version", "1.0.0");
    lc_doc_add_uint(doc, "serial", 1);
    lc_doc_add_c(doc, "lineage", "lifecheck");
    lc_doc_add_object(doc, "outputs");
    lc_doc *resource = lc_doc_add_object(lc_doc_add_array(doc, "resources"), NULL);
    lc_doc_add_c(resource, "mode", "managed");
    lc_doc_add_str(resource, "type", t->type);
    lc_doc_add_c(resource, "name", "example");
    lc_doc_add_str(resource, "provider",
                   lc_str_printf(arena, "provider[\"%.*s\"]", LC_FMT(address)));
    lc_doc *instance = lc_doc_add_object(lc_doc_add_array(resource, "instances"), NULL);
    lc_doc_add_uint(instance, "schema_version", schema_version);
    lc_doc_add_raw(instance, "attributes", lc_buf_str(&attributes));
    lc_base64_encode(&base64, t->private_data);
    if (t->private_data.len)
        lc_doc_add_str(instance, "private", lc_buf_str(&base64));
    lc_doc_print(out, doc);
    lc_buf_add_char(out, '\n');
    lc_buf_release(&attributes);
    lc_buf_release(&base64);
    return true;
}
