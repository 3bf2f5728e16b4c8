/* The documents that the Cloud Control provider and the service exchange, as a scenario states
 * them. Each is written as YAML or JSON, or as a string that contains JSON, as logs have it. */
#include "lifecheck/base/arena.h"
#include "scenario/internal.h"

enum { DESIRED_STATE, PATCH, IDENTIFIER, CURRENT_STATE, IDENTIFIERS, CONTROL_KEYS };
static const lc_key_row control_rows[] = {
    {"desired_state", LC_SHAPE_ANYTHING, false, "sent to CreateResource"},
    {"patch", LC_SHAPE_ANYTHING, false, "sent to UpdateResource"},
    {"identifier", LC_SHAPE_TEXT, false, "of the object at the service"},
    {"current_state", LC_SHAPE_ANYTHING, false,
     "the object at the service; null: it does not exist"},
    {"identifiers", LC_SHAPE_ANYTHING, false,
     "a list: those of all objects, as the service has it"},
};
const lc_keyset lc_cloud_control_keys = LC_KEYSET(control_rows);

/* A string is the JSON of a document. */
static lc_cfn_doc *read_text(lc_in *in, const lc_node *node, const char *what)
{
    lc_source source;
    lc_diags diags;
    lc_diags_init(&diags, in->arena);
    if (lc_json_parse(&source, in->arena, LC_STR("text"), node->as.text, &in->store->limits,
                      &diags) == LC_OK)
        return lc_cfn_doc_from_node(in->arena, &source.documents[0]);
    lc_diag_error(in->diags, lc_in_loc(in, node), "%s has no JSON document: %.*s", what,
                  LC_FMT(diags.items[0].message));
    return NULL;
}

/* `kind` is the kind that the document must have: a mapping, or a sequence for a patch. */
static lc_cfn_doc *read_document(lc_in *in, const lc_member *member, lc_node_kind kind)
{
    const lc_node *node = &member->value;
    const char *what = lc_str_to_c(in->arena, member->key);
    lc_cfn_doc *doc = node->kind == LC_NODE_STRING ? read_text(in, node, what)
                                                   : lc_cfn_doc_from_node(in->arena, node);
    if (doc && doc->kind != kind) {
        lc_diag_error(in->diags, lc_in_loc(in, node), "%s is %s", what,
                      kind == LC_NODE_MAPPING ? "an object" : "an array of operations");
        return NULL;
    }
    return doc;
}

static void read_identifiers(lc_in *in, lc_cloud_control *out, const lc_node *node)
{
    if (!lc_in_sequence(in, node, "identifiers"))
        return;
    lc_str *all = LC_NEW_ARRAY(in->arena, lc_str, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!lc_in_text(in, &all[i], &node->as.items[i], "the identifier of an object"))
            return;
    }
    out->has_identifiers = true;
    out->identifiers = all;
    out->identifier_count = node->count;
}

/* `current_state: null` states that the service does not have the object. */
const lc_cloud_control *lc_in_cloud_control(lc_in *in, const lc_node *node)
{
    const lc_member *found[CONTROL_KEYS];
    if (!lc_in_keys(in, found, node, &lc_cloud_control_keys, "cloud_control"))
        return NULL;
    lc_cloud_control *control = LC_NEW(in->arena, lc_cloud_control);
    control->loc = lc_in_loc(in, node);
    if (found[DESIRED_STATE]) {
        control->desired_state = read_document(in, found[DESIRED_STATE], LC_NODE_MAPPING);
        control->desired_state_loc = lc_in_loc(in, &found[DESIRED_STATE]->value);
    }
    if (found[PATCH]) {
        control->patch = read_document(in, found[PATCH], LC_NODE_SEQUENCE);
        control->patch_loc = lc_in_loc(in, &found[PATCH]->value);
    }
    if (found[CURRENT_STATE]) {
        control->not_found = found[CURRENT_STATE]->value.kind == LC_NODE_NULL;
        if (!control->not_found)
            control->current_state = read_document(in, found[CURRENT_STATE], LC_NODE_MAPPING);
        control->current_state_loc = lc_in_loc(in, &found[CURRENT_STATE]->value);
    }
    if (found[IDENTIFIER]) {
        control->has_identifier = lc_in_text(in, &control->identifier, &found[IDENTIFIER]->value,
                                             "the identifier of an object");
        control->identifier_loc = lc_in_loc(in, &found[IDENTIFIER]->value);
    }
    if (found[IDENTIFIERS])
        read_identifiers(in, control, &found[IDENTIFIERS]->value);
    return control;
}
