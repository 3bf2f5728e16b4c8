/* Are the members of a node of the kinds that the fields of a message have? Protojson that was
 * edited or cut may have others, and what reads it would take them as if they were absent. */
#include "wire/tables.h"

#include "lifecheck/base/arena.h"

typedef struct fitting {
    lc_arena *arena;
    lc_buf path; /* of the value, without the message that begins it */
    lc_str *why;
    size_t depth;
} fitting;

static bool misfit(fitting *f, const char *kind, const lc_node *node)
{
    lc_str path = f->path.len ? lc_buf_str(&f->path) : LC_STR("the message");
    *f->why = lc_str_printf(f->arena, "%.*s: %s is required, not %s", LC_FMT(path), kind,
                            lc_node_kind_name(node));
    return false;
}

static bool message_fits(fitting *f, const lc_wire_message *message, const lc_node *node);

static bool value_fits(fitting *f, const lc_wire_message *message, const lc_wire_field *field,
                       const lc_node *node)
{
    bool string = node->kind == LC_NODE_STRING, number = node->kind == LC_NODE_NUMBER;
    switch ((lc_wire_kind)field->kind) {
    case LC_WIRE_BYTES:
        /* A redacted copy has the length alone: {"bytes": 12}. */
        return string || lc_node_is(lc_node_get(node, "bytes"), LC_NODE_NUMBER) ||
               misfit(f, "a string", node);
    case LC_WIRE_STRING:
    case LC_WIRE_TIMESTAMP:
        return string || misfit(f, "a string", node);
    case LC_WIRE_BOOL:
        return node->kind == LC_NODE_BOOL || misfit(f, "true or false", node);
    case LC_WIRE_INT64:
        return string || number || misfit(f, "a number", node);
    case LC_WIRE_ENUM:
        return string || number || misfit(f, "a name", node);
    case LC_WIRE_MESSAGE:
        return message_fits(f, lc_wire_type(message, field), node);
    }
    return true;
}

static bool items_fit(fitting *f, const lc_wire_message *message, const lc_wire_field *field,
                      const lc_node *node)
{
    size_t length = f->path.len;
    if (node->kind != LC_NODE_SEQUENCE)
        return misfit(f, "a sequence", node);
    for (uint32_t i = 0; i < node->count; i++) {
        lc_buf_printf(&f->path, "[%u]", (unsigned)i);
        if (!value_fits(f, message, field, &node->as.items[i]))
            return false;
        f->path.len = length;
    }
    return true;
}

static void add_step(fitting *f, lc_str name)
{
    lc_buf_printf(&f->path, "%s%.*s", f->path.len ? "." : "", LC_FMT(name));
}

static bool entries_fit(fitting *f, const lc_wire_message *message, const lc_wire_field *field,
                        const lc_node *node)
{
    size_t length = f->path.len;
    if (node->kind != LC_NODE_MAPPING)
        return misfit(f, "a mapping", node);
    for (uint32_t i = 0; i < node->count; i++) {
        add_step(f, node->as.members[i].key);
        if (!value_fits(f, message, field, &node->as.members[i].value))
            return false;
        f->path.len = length;
    }
    return true;
}

static bool message_fits(fitting *f, const lc_wire_message *message, const lc_node *node)
{
    size_t length = f->path.len;
    unsigned after = 0;
    if (node->kind != LC_NODE_MAPPING)
        return misfit(f, "a mapping", node);
    if (f->depth > LC_MAX_DEPTH)
        return true;
    f->depth++;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        const lc_wire_field *field = lc_wire_field_named(message, m->key, after);
        if (!field || m->value.kind == LC_NODE_NULL)
            continue;
        after = field->number;
        add_step(f, m->key);
        bool fits = field->label == LC_WIRE_REPEATED ? items_fit(f, message, field, &m->value)
                    : field->label == LC_WIRE_MAP    ? entries_fit(f, message, field, &m->value)
                                                     : value_fits(f, message, field, &m->value);
        if (!fits)
            return false;
        f->path.len = length;
    }
    f->depth--;
    return true;
}

bool lc_wire_fits(lc_str *why, lc_arena *arena, const lc_wire_message *message, const lc_node *node)
{
    fitting f = {.arena = arena, .why = why};
    bool fits = !node || message_fits(&f, message, node);
    lc_buf_release(&f.path);
    return fits;
}
