/* Are the members of a node of the kinds that the fields of a message have? Protojson that was
 * edited or cut may have others, and what reads it would take them as if they were absent. */
#include "wire/tables.h"

#include "lifecheck/base/arena.h"

/* Where a value is: kept on the stack, and written only for a message. */
typedef struct step {
    const struct step *parent; /* NULL: the message that begins it */
    lc_str name;               /* "": an element of a list */
    unsigned index;
} step;

typedef struct fitting {
    lc_arena *arena;
    lc_str *why;
    size_t depth;
} fitting;

static void add_path(lc_buf *out, const step *at)
{
    if (!at)
        return;
    add_path(out, at->parent);
    if (at->name.len)
        lc_buf_printf(out, "%s%.*s", out->len ? "." : "", LC_FMT(at->name));
    else
        lc_buf_printf(out, "[%u]", at->index);
}

static bool misfit(fitting *f, const step *at, const char *kind, const lc_node *node)
{
    lc_buf path = {0};
    add_path(&path, at);
    *f->why = lc_str_printf(f->arena, "%.*s: %s is required, not %s",
                            LC_FMT(path.len ? lc_buf_str(&path) : LC_STR("the message")), kind,
                            lc_node_kind_name(node));
    lc_buf_release(&path);
    return false;
}

static bool message_fits(fitting *f, const step *at, const lc_wire_message *message,
                         const lc_node *node);

static bool value_fits(fitting *f, const step *at, const lc_wire_message *message,
                       const lc_wire_field *field, const lc_node *node)
{
    bool string = node->kind == LC_NODE_STRING, number = node->kind == LC_NODE_NUMBER;
    switch ((lc_wire_kind)field->kind) {
    case LC_WIRE_BYTES:
        /* A redacted copy has the length alone: {"bytes": 12}. */
        return string || lc_node_is(lc_node_get(node, "bytes"), LC_NODE_NUMBER) ||
               misfit(f, at, "a string", node);
    case LC_WIRE_STRING:
    case LC_WIRE_TIMESTAMP:
        return string || misfit(f, at, "a string", node);
    case LC_WIRE_BOOL:
        return node->kind == LC_NODE_BOOL || misfit(f, at, "true or false", node);
    case LC_WIRE_INT64:
        return string || number || misfit(f, at, "a number", node);
    case LC_WIRE_ENUM:
        return string || number || misfit(f, at, "a name", node);
    case LC_WIRE_MESSAGE:
        return message_fits(f, at, lc_wire_type(message, field), node);
    }
    return true;
}

static bool items_fit(fitting *f, const step *at, const lc_wire_message *message,
                      const lc_wire_field *field, const lc_node *node)
{
    if (node->kind != LC_NODE_SEQUENCE)
        return misfit(f, at, "a sequence", node);
    for (uint32_t i = 0; i < node->count; i++) {
        const step item = {at, LC_STR_EMPTY, i};
        if (!value_fits(f, &item, message, field, &node->as.items[i]))
            return false;
    }
    return true;
}

static bool entries_fit(fitting *f, const step *at, const lc_wire_message *message,
                        const lc_wire_field *field, const lc_node *node)
{
    if (node->kind != LC_NODE_MAPPING)
        return misfit(f, at, "a mapping", node);
    for (uint32_t i = 0; i < node->count; i++) {
        const step entry = {at, node->as.members[i].key, 0};
        if (!value_fits(f, &entry, message, field, &node->as.members[i].value))
            return false;
    }
    return true;
}

static bool message_fits(fitting *f, const step *at, const lc_wire_message *message,
                         const lc_node *node)
{
    unsigned after = 0;
    if (node->kind != LC_NODE_MAPPING)
        return misfit(f, at, "a mapping", node);
    if (f->depth > LC_MAX_DEPTH)
        return true;
    f->depth++;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_member *m = &node->as.members[i];
        const lc_wire_field *field = lc_wire_field_named(message, m->key, after);
        if (!field || m->value.kind == LC_NODE_NULL)
            continue;
        after = field->number;
        const step member = {at, m->key, 0};
        bool fits =
            field->label == LC_WIRE_REPEATED ? items_fit(f, &member, message, field, &m->value)
            : field->label == LC_WIRE_MAP    ? entries_fit(f, &member, message, field, &m->value)
                                             : value_fits(f, &member, message, field, &m->value);
        if (!fits)
            return false;
    }
    f->depth--;
    return true;
}

bool lc_wire_fits(lc_str *why, lc_arena *arena, const lc_wire_message *message, const lc_node *node)
{
    fitting f = {.arena = arena, .why = why};
    return !node || message_fits(&f, NULL, message, node);
}
