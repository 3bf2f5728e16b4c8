/* Bodies in JSON syntax. Only the schema distinguishes arguments from blocks there. A block type is
 * a nesting of as many objects as it has labels, and at every level there may be an array of
 * objects. Source: HCL's JSON syntax, its document and behaviour. */
#include "configuration/body.h"

#include "configuration/expression/tree.h"

#include "lifecheck/catalog/core_message.h"

#include <string.h>

/* ---- Schemas. */

static bool knows(const lc_config_reader *r, const lc_body_name *name)
{
    lc_cores core = r->config->profile == LC_PROFILE_TERRAFORM  ? LC_TF
                    : r->config->profile == LC_PROFILE_OPENTOFU ? LC_OT
                                                                : LC_BOTH_CORES;
    lc_cores only = lc_cores_in(name->known);
    return only == LC_NO_CORE || (only & core) != 0;
}

static bool is_block(const lc_body_name *name)
{
    return name->kind != LC_NAME_ARGUMENT && name->kind != LC_NAME_REQUIRED;
}

const lc_body_name *lc_body_row(const lc_config_reader *r, const lc_body_name *names, lc_str name,
                                bool block)
{
    for (; names->name; names++)
        if (is_block(names) == block && lc_str_is(name, names->name) && knows(r, names))
            return names;
    return NULL;
}

/* Arguments that an override file may omit, so that they are those of the block that it changes. */
static bool is_left(const lc_config_reader *r, const char *name)
{
    return r->overriding && (strcmp(name, "value") == 0 || strcmp(name, "source") == 0);
}

/* The row of a name, regardless of its kind. */
static const lc_body_name *row_of(const lc_config_reader *r, const lc_body_name *names, lc_str name)
{
    for (; names->name; names++)
        if (lc_str_is(name, names->name) && knows(r, names))
            return names;
    return NULL;
}

static size_t count_names(const lc_body_name *names)
{
    size_t count = 0;
    while (names[count].name)
        count++;
    return count;
}

const lc_config_argument *lc_body_argument(const lc_body_content *content, const char *name)
{
    for (size_t i = 0; content->names[i].name; i++)
        if (strcmp(content->names[i].name, name) == 0 && content->arguments[i].place.source)
            return &content->arguments[i];
    return NULL;
}

bool lc_block_is(const lc_config_block *block, const char *type)
{
    return strcmp(block->type, type) == 0;
}

/* ---- Places. */

static lc_source_pos key_place(const lc_config_body *body, const lc_member *m)
{
    return (lc_source_pos){body->source, m->where, 0};
}

/* The bracket that closes the object or array at `at`; `at` itself if it is not closed. */
static size_t closing(lc_str text, size_t at)
{
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = at; i < text.len; i++) {
        char c = text.ptr[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i;
        }
    }
    return at;
}

lc_source_pos lc_body_missing_place(const lc_config_body *body)
{
    if (body->native)
        return (lc_source_pos){body->source, 0, body->native->range.from};
    lc_source_pos place = lc_source_pos_of(body->source, body->node);
    if (body->source->json && body->node->kind == LC_NODE_MAPPING)
        place.where = closing(body->source->text, (size_t)place.where);
    return place;
}

/* ---- Members. */

typedef struct members {
    LC_VEC(const lc_member *) list;
} members;

static void add_members(lc_config_reader *r, members *out, const lc_node *object)
{
    for (uint32_t i = 0; i < object->count; i++)
        *LC_PUSH(r->scratch, &out->list, const lc_member *) = &object->as.members[i];
}

static void report_type(lc_config_reader *r, const lc_config_body *body, const lc_node *node,
                        const char *detail)
{
    lc_config_report(r, lc_source_pos_of(body->source, node), LC_SUMMARY_INCORRECT_JSON_TYPE,
                     detail);
}

/* The members of an object, or of all objects of an array; null has none. */
static void collect(lc_config_reader *r, members *out, const lc_config_body *body,
                    const lc_node *node)
{
    if (node->kind == LC_NODE_MAPPING) {
        add_members(r, out, node);
    } else if (node->kind == LC_NODE_SEQUENCE) {
        for (uint32_t i = 0; i < node->count; i++) {
            const lc_node *item = &node->as.items[i];
            if (item->kind == LC_NODE_MAPPING)
                add_members(r, out, item);
            else
                report_type(r, body, item, "every element of this array is an object");
        }
    } else if (node->kind != LC_NODE_NULL) {
        report_type(r, body, node, "an object or an array of objects is expected");
    }
}

/* ---- Blocks. */

/* One block type while its labels are collected. */
typedef struct unpacking {
    lc_config_reader *r;
    const lc_config_body *body;
    lc_body_content *out;
    lc_config_block block;
    unsigned labels, depth;
} unpacking;

static void add_block(unpacking *u, const lc_node *node, lc_source_pos declared)
{
    lc_config_block *b = LC_PUSH(u->r->scratch, &u->out->blocks, lc_config_block);
    *b = u->block;
    b->declared = declared;
    b->body = (lc_config_body){.source = u->body->source, .node = node};
    b->place = u->labels ? b->label_places[u->labels - 1] : lc_source_pos_of(b->body.source, node);
}

/* The value after the last label. */
static void unpack_bodies(unpacking *u, const lc_node *node)
{
    lc_source_pos place = lc_source_pos_of(u->body->source, node);
    if (node->kind == LC_NODE_MAPPING) {
        add_block(u, node, place);
    } else if (node->kind == LC_NODE_SEQUENCE) {
        for (uint32_t i = 0; i < node->count; i++)
            add_block(u, &node->as.items[i], place);
    } else if (node->kind != LC_NODE_NULL) {
        report_type(u->r, u->body, node, "a block is an object or an array of objects");
    }
}

static void unpack(unpacking *u, const lc_node *node)
{
    if (u->depth == u->labels) {
        unpack_bodies(u, node);
        return;
    }
    members m = {0};
    collect(u->r, &m, u->body, node);
    if (m.list.count == 0)
        lc_config_report(u->r, lc_source_pos_of(u->body->source, node), LC_SUMMARY_MISSING_LABEL,
                         "an object with a member for each label is expected");
    for (size_t i = 0; i < m.list.count; i++) {
        const lc_member *label = m.list.items[i];
        u->block.labels[u->depth] = label->key;
        u->block.label_places[u->depth++] = key_place(u->body, label);
        unpack(u, &label->value);
        u->depth--;
    }
}

/* ---- Contents. */

static void take_argument(lc_config_reader *r, const lc_config_body *body, const lc_member *m,
                          lc_config_argument *out)
{
    if (out->place.source)
        lc_config_report_name(r, key_place(body, m), LC_SUMMARY_DUPLICATE_ARGUMENT,
                              "the argument %s is set twice", m->key);
    else
        *out = (lc_config_argument){key_place(body, m), {body->source, &m->value, NULL}};
}

static void take_member(lc_config_reader *r, const lc_config_body *body, const lc_member *m,
                        lc_body_content *out)
{
    const lc_body_name *row = row_of(r, out->names, m->key);
    if (!row)
        return;
    if (!is_block(row)) {
        take_argument(r, body, m, &out->arguments[row - out->names]);
        return;
    }
    unpacking u = {.r = r, .body = body, .out = out};
    u.labels = row->kind - LC_NAME_BLOCK;
    u.block.type = row->name;
    u.block.type_place = key_place(body, m);
    unpack(&u, &m->value);
}

static void require(lc_config_reader *r, const lc_config_body *body, const lc_body_content *content)
{
    for (size_t i = 0; content->names[i].name; i++)
        if (content->names[i].kind == LC_NAME_REQUIRED && knows(r, &content->names[i]) &&
            !content->arguments[i].place.source && !is_left(r, content->names[i].name))
            lc_config_report_name(r, lc_body_missing_place(body), LC_SUMMARY_MISSING_ARGUMENT,
                                  "the argument %s is required",
                                  lc_str_from_c(content->names[i].name));
}

static lc_body_content start(lc_config_reader *r, const lc_body_name *names)
{
    size_t count = count_names(names);
    lc_body_content out = {.names = names};
    out.arguments = lc_arena_zalloc(r->scratch, lc_mul_size(count + 1, sizeof *out.arguments));
    return out;
}

static void add_client(lc_buf *out, const char *name, unsigned minor)
{
    lc_buf_add_c(out, name);
    if (minor)
        lc_buf_printf(out, " 1.%u", minor);
}

/* "the argument destroy needs Terraform 1.16 or OpenTofu 1.12". */
static lc_str needed(lc_arena *arena, const lc_body_name *row, unsigned terraform,
                     unsigned opentofu)
{
    lc_cores only = lc_cores_in(row->known);
    lc_buf out = {0};
    lc_buf_printf(&out, "the %s %s needs", is_block(row) ? "block" : "argument", row->name);
    if (only != LC_OT)
        add_client(&out, " Terraform", terraform);
    if (only == LC_NO_CORE)
        lc_buf_add_c(&out, " or");
    if (only != LC_TF)
        add_client(&out, " OpenTofu", opentofu);
    return lc_buf_take(arena, &out);
}

/* What an older client reports of a name that it does not know. */
static void add_newer(lc_config_reader *r, const lc_config_body *body, const lc_body_name *row,
                      lc_source_pos place, uint64_t end)
{
    unsigned terraform = lc_terraform_since(row->known);
    unsigned opentofu = lc_opentofu_since(row->known);
    if (!terraform && !opentofu)
        return;
    lc_config_newer *n = lc_config_newer_add(r, terraform, opentofu);
    n->end = end;
    n->problem.place = place;
    n->problem.summary = !body->native   ? LC_STR(LC_SUMMARY_EXTRANEOUS_PROPERTY)
                         : is_block(row) ? LC_STR(LC_SUMMARY_UNSUPPORTED_BLOCK)
                                         : LC_STR(LC_SUMMARY_UNSUPPORTED_ARGUMENT);
    n->problem.detail = needed(r->arena, row, terraform, opentofu);
}

static uint64_t body_end(const lc_config_body *body)
{
    lc_source_pos place = lc_body_missing_place(body);
    return body->native ? body->native->range.to : place.where;
}

static void note_newer(lc_config_reader *r, const lc_config_body *body,
                       const lc_body_content *content)
{
    for (size_t i = 0; content->names[i].name; i++)
        if (content->arguments[i].place.source)
            add_newer(r, body, &content->names[i], content->arguments[i].place, 0);
    for (size_t i = 0; i < content->blocks.count; i++) {
        const lc_config_block *block = &content->blocks.items[i];
        const lc_body_name *row = lc_body_row(r, content->names, lc_str_from_c(block->type), true);
        if (row)
            add_newer(r, body, row, block->type_place, body_end(&block->body));
    }
}

lc_body_content lc_body_read_some(lc_config_reader *r, const lc_config_body *body,
                                  const lc_body_name *names)
{
    lc_body_content out = start(r, names);
    members m = {0};
    if (body->native)
        lc_body_native_read(r, body, &out, false);
    else
        collect(r, &m, body, body->node);
    for (size_t i = 0; i < m.list.count; i++)
        take_member(r, body, m.list.items[i], &out);
    require(r, body, &out);
    note_newer(r, body, &out);
    return out;
}

lc_body_content lc_body_read(lc_config_reader *r, const lc_config_body *body,
                             const lc_body_name *names)
{
    if (body->native) {
        lc_body_content native = start(r, names);
        lc_body_native_read(r, body, &native, true);
        require(r, body, &native);
        note_newer(r, body, &native);
        return native;
    }
    lc_body_content out = lc_body_read_some(r, body, names);
    size_t known = r->config->problems.count;
    members m = {0};
    collect(r, &m, body, body->node);
    r->config->problems.count = known; /* they are there already */
    for (size_t i = 0; i < m.list.count; i++) {
        const lc_member *one = m.list.items[i];
        if (!lc_config_is_comment(one) && !row_of(r, names, one->key))
            lc_config_report_name(r, key_place(body, one), LC_SUMMARY_EXTRANEOUS_PROPERTY,
                                  "no argument or block named %s is expected here", one->key);
    }
    return out;
}

void lc_body_each_argument(lc_config_reader *r, const lc_config_body *body,
                           void (*take)(void *context, lc_str name,
                                        const lc_config_argument *argument),
                           void *context)
{
    if (body->native) {
        lc_body_native_each(r, body, take, context);
        return;
    }
    const lc_node *object = body->node;
    lc_table seen;
    lc_table_init(&seen, r->arena);
    if (object->kind != LC_NODE_MAPPING) {
        report_type(r, body, object, "an object of arguments is expected");
        return;
    }
    for (uint32_t i = 0; i < object->count; i++) {
        const lc_member *m = &object->as.members[i];
        lc_config_argument argument = {key_place(body, m), {body->source, &m->value, NULL}};
        if (lc_config_is_comment(m))
            continue;
        if (lc_table_get(&seen, m->key)) {
            lc_config_report_name(r, argument.place, LC_SUMMARY_DUPLICATE_ATTRIBUTE,
                                  "%s is defined twice", m->key);
            continue;
        }
        lc_table_put(&seen, m->key, r);
        take(context, m->key, &argument);
    }
}

/* ---- The rest. */

/* An argument or a block of a body: which of the two is decided by the schema, not here. */
static const lc_expr *body_value(lc_config_reader *r, const lc_member *m)
{
    const lc_expr *e;
    lc_eval_error trouble;
    if (lc_expr_from_member(&e, r->arena, r->source, m, &trouble))
        return e;
    lc_config_report_errors(r, &trouble);
    return lc_expr_undecided(r->arena, trouble.detail, trouble.place);
}

static void add_rest(lc_config_reader *r, lc_body_members *out, const lc_config_body *body,
                     const lc_body_name *names)
{
    members m = {0};
    size_t known = r->config->problems.count;
    if (body->native) {
        lc_body_native_rest(r, out, body, names);
        return;
    }
    collect(r, &m, body, body->node);
    if (names)
        r->config->problems.count = known; /* they are there already */
    for (size_t i = 0; i < m.list.count; i++) {
        const lc_member *one = m.list.items[i];
        if (!lc_config_is_comment(one) && (!names || !row_of(r, names, one->key)))
            *LC_PUSH(r->arena, &out->list, lc_expr_member) =
                (lc_expr_member){one->key, body_value(r, one), key_place(body, one)};
    }
}

const lc_expr *lc_body_rest(lc_config_reader *r, const lc_config_body *body,
                            const lc_body_name *names, const lc_config_body *more, size_t *count)
{
    lc_body_members out = {0};
    lc_source_pos place = lc_body_missing_place(body);
    add_rest(r, &out, body, names);
    if (more)
        add_rest(r, &out, more, NULL);
    if (count)
        *count = out.list.count;
    return body->native ? lc_expr_native_body(r->arena, out.list.items, out.list.count, place)
                        : lc_expr_object(r->arena, out.list.items, out.list.count,
                                         lc_source_pos_of(body->source, body->node));
}
