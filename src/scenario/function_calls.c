/* Calls of provider functions: arguments and results are read by the function's signature. */
#include "lifecheck/base/arena.h"
#include "scenario/calls.h"

/* Of a function that the schema does not have, the value has the type that its text suggests. */
static void read_value(lc_call_reader *c, lc_field *out, const lc_node *node, const lc_type *type)
{
    c->in->values.diags = c->in->diags;
    c->in->values.config = false;
    lc_read_typed(out, &c->in->values, node, type ? type : &lc_type_dynamic);
}

static const lc_function *signature(const lc_call_reader *c, const lc_call *call)
{
    const lc_schema *schema = c->run->schema;
    return schema ? lc_schema_function(schema, call->function->name) : NULL;
}

/* Types follow from the name, wherever it is in the mapping. */
void lc_function_begin(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    const lc_node *name = lc_node_get(node, "name");
    if (!call->function) {
        call->function = LC_NEW(c->in->arena, lc_function_call);
        call->function->name = LC_STR_EMPTY;
    }
    if (lc_node_is(name, LC_NODE_STRING))
        call->function->name = name->as.text;
}

void lc_function_read_arguments(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    lc_function_call *f = call->function;
    const lc_function *known = signature(c, call);
    f->has_arguments = true;
    if (!lc_in_sequence(c->in, node, "arguments"))
        return;
    for (uint32_t i = 0; i < node->count; i++) {
        const lc_parameter *p = lc_function_parameter(known, i);
        lc_field *field = LC_PUSH(c->in->arena, &f->arguments, lc_field);
        *field = (lc_field){0};
        read_value(c, field, &node->as.items[i], p ? p->type : NULL);
    }
}

void lc_function_read_result(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    const lc_function *known = signature(c, call);
    read_value(c, &call->function->result, node, known ? known->return_type : NULL);
}

enum { TEXT, ARGUMENT, FUNCTION_ARGUMENT, ERROR_KEYS };
static const lc_key_row error_rows[] = {
    {"text", LC_SHAPE_TEXT, false, "never shown"},
    {"argument", LC_SHAPE_COUNT, false, "the argument that it is about, from 0"},
    {"function_argument", LC_SHAPE_COUNT, false, "as argument"},
};
const lc_keyset lc_function_error_keys = LC_KEYSET(error_rows);

/* `error: null`: there was none, as without the key. */
void lc_function_read_error(lc_call_reader *c, lc_call *call, const lc_node *node)
{
    lc_function_call *f = call->function;
    const lc_member *found[ERROR_KEYS];
    lc_str text;
    if (node->kind == LC_NODE_NULL && !node->tag)
        return;
    f->has_error = true;
    f->error_loc = lc_in_loc(c->in, node);
    call->failed = LC_YES;
    if (!lc_in_keys(c->in, found, node, &lc_function_error_keys, "the error of a function"))
        return;
    const lc_member *argument = found[ARGUMENT] ? found[ARGUMENT] : found[FUNCTION_ARGUMENT];
    if (found[TEXT])
        lc_in_text(c->in, &text, &found[TEXT]->value, "the message of an error");
    f->has_error_argument =
        argument && lc_in_count(c->in, &f->error_argument, &argument->value, "an argument");
}
